//! Streams: objects, facts and timed facts of other files, laid over a problem before it is resolved.
//!
//! The result is a problem like any other, so no later stage knows of streams. Places of a stream continue behind those
//! of the problem ([`Sources::join`](brigade_diagnostics::Sources::join)).

use std::collections::BTreeMap;

use brigade_diagnostics::span::Span;
use brigade_diagnostics::{Code, Diagnostic, Diagnostics, SourceId};
use brigade_syntax::ast::{InitItem, Name, Problem, Stream, Term, TypeExpr, Typed};
use brigade_syntax::printer::print_term;

/// Lays a stream over a problem: its objects and facts come after those that the problem has. A name or a
/// value that the problem has already is reported and left out; so is a stream of another problem. The
/// problem is then called by both names.
///
/// `source` is that of the problem, and `offset` where the places of the stream begin in it.
pub fn lay_over(
    problem: &mut Problem,
    mut stream: Stream,
    (source, offset): (SourceId, u32),
    diagnostics: &mut Diagnostics,
) {
    shift(&mut stream, offset);
    let mut laying = Laying {
        source,
        diagnostics,
    };
    // A problem over which streams lie already is called by their names too.
    let names = [problem.own_name.as_ref(), problem.name.as_ref()];
    let is_of = laying.is_of("domain", &[problem.domain.as_ref()], stream.domain.as_ref())
        && laying.is_of("problem", &names, stream.problem.as_ref());
    if !is_of {
        return;
    }
    laying.objects(problem, &mut stream);
    laying.values(problem, &mut stream);
    let is_new = |name: &Name| !problem.requirements.iter().any(|it| it.key() == name.key());
    let new: Vec<Name> = stream.requirements.into_iter().filter(is_new).collect();
    problem.requirements.extend(new);
    if let (Some(name), Some(of_stream)) = (&mut problem.name, &stream.name) {
        problem.own_name.get_or_insert_with(|| name.clone());
        name.text = format!("{}+{}", name.text, of_stream.text).into();
    }
}

struct Laying<'d> {
    source: SourceId,
    diagnostics: &'d mut Diagnostics,
}

impl Laying<'_> {
    /// Returns true if a stream is of a domain or problem of one of these names; reports one of
    /// another.
    fn is_of(&mut self, what: &str, ours: &[Option<&Name>], named: Option<&Name>) -> bool {
        let mut ours = ours.iter().copied().flatten();
        let (Some(own), Some(named)) = (ours.next(), named) else {
            return true;
        };
        if own.key() == named.key() || ours.any(|name| name.key() == named.key()) {
            return true;
        }
        let message = format!(
            "the stream is of the {what} `{}`, not of `{}`",
            named.text, own.text
        );
        self.diagnostics.push(
            Diagnostic::new(Code::StreamOfAnother, message)
                .primary(self.source, named.span, "another one")
                .secondary(self.source, own.span, "of the problem"),
        );
        false
    }

    fn objects(&mut self, problem: &mut Problem, stream: &mut Stream) {
        let had = problem.objects.len();
        let mut known: BTreeMap<String, Span> = BTreeMap::new();
        for typed in &problem.objects {
            known.entry(typed.name.key()).or_insert(typed.name.span);
        }
        let mut places = Vec::with_capacity(stream.objects.len() + 1);
        for typed in stream.objects.drain(..) {
            places.push(problem.objects.len());
            if let Some(&first) = known.get(&typed.name.key()) {
                let what = format!("the object `{}`", typed.name.text);
                self.repeated(&what, typed.name.span, first);
            } else {
                problem.objects.push(typed);
            }
        }
        places.push(problem.objects.len());
        let place = |at: usize| places.get(at).copied().unwrap_or(had);
        for mut private in stream.private_objects.drain(..) {
            (private.from, private.until) = (place(private.from), place(private.until));
            if private.from < private.until {
                problem.private_objects.push(private);
            }
        }
    }

    fn values(&mut self, problem: &mut Problem, stream: &mut Stream) {
        let mut known: BTreeMap<String, Span> = BTreeMap::new();
        for item in &problem.init {
            if let Some((key, span)) = valued(item) {
                known.entry(key).or_insert(span);
            }
        }
        for item in stream.init.drain(..) {
            match valued(&item).and_then(|(key, span)| Some((span, *known.get(&key)?, key))) {
                Some((span, first, key)) => {
                    self.repeated(&format!("a value of `{key}`"), span, first);
                }
                None => problem.init.push(item),
            }
        }
    }

    fn repeated(&mut self, what: &str, span: Span, first: Span) {
        let message = format!("the stream gives {what}, which the problem has already");
        self.diagnostics.push(
            Diagnostic::new(Code::StreamRepeats, message)
                .primary(self.source, span, "given again")
                .secondary(self.source, first, "given first"),
        );
    }
}

/// The function to which a fact gives its value, with the time, in the form in which these are compared.
fn valued(item: &InitItem) -> Option<(String, Span)> {
    match item {
        InitItem::Value(target, _, span) => {
            let (name, args) = target.function()?;
            let args = args.iter().map(|arg| format!(" {}", print_term(arg)));
            let text = format!("({}{})", name.text, args.collect::<String>());
            Some((text.to_ascii_lowercase(), *span))
        }
        InitItem::Timed(time, inner, span) => {
            let (key, _) = valued(inner)?;
            let early = if time.early { " :early" } else { "" };
            Some((format!("(at {}{early} {key})", time.tick), *span))
        }
        InitItem::Atom(..) | InitItem::NotAtom(..) => None,
    }
}

/// Moves the places of a stream.
fn shift(stream: &mut Stream, by: u32) {
    let names = [&mut stream.name, &mut stream.domain, &mut stream.problem];
    let names = names.into_iter().flatten();
    names
        .chain(&mut stream.requirements)
        .for_each(|it| name(it, by));
    stream.objects.iter_mut().for_each(|it| typed(it, by));
    let private = stream.private_objects.iter_mut();
    private
        .filter_map(|it| it.agent.as_mut())
        .for_each(|it| typed(it, by));
    stream.init.iter_mut().for_each(|it| item(it, by));
    span(&mut stream.span, by);
}

const fn span(span: &mut Span, by: u32) {
    span.start = span.start.saturating_add(by);
    span.end = span.end.saturating_add(by);
}

const fn name(name: &mut Name, by: u32) {
    span(&mut name.span, by);
}

fn typed(typed: &mut Typed, by: u32) {
    name(&mut typed.name, by);
    match &mut typed.ty {
        Some(TypeExpr::Named(of)) => name(of, by),
        Some(TypeExpr::Either(of, place)) => {
            for of in of {
                name(of, by);
            }
            span(place, by);
        }
        Some(TypeExpr::Int { span: place, .. } | TypeExpr::Number(place)) => span(place, by),
        None => {}
    }
}

fn item(fact: &mut InitItem, by: u32) {
    match fact {
        InitItem::Atom(of, args, place) | InitItem::NotAtom(of, args, place) => {
            name(of, by);
            for arg in args {
                term(arg, by);
            }
            span(place, by);
        }
        InitItem::Value(target, value, place) => {
            term(target, by);
            term(value, by);
            span(place, by);
        }
        InitItem::Timed(_, inner, place) => {
            item(inner, by);
            span(place, by);
        }
    }
}

/// Moves a term. What a count or a choice ranges over stays: no fact has one.
fn term(it: &mut Term, by: u32) {
    match it {
        Term::Name(of) | Term::Variable(of) => name(of, by),
        Term::Number(_, place) => span(place, by),
        Term::Apply(apply) => {
            name(&mut apply.name, by);
            apply.args.iter_mut().for_each(|arg| term(arg, by));
            span(&mut apply.span, by);
        }
        Term::Arithmetic(_, parts, place) => {
            parts.iter_mut().for_each(|part| term(part, by));
            span(place, by);
        }
        Term::Count(count) => span(&mut count.span, by),
        Term::Arg(arg) => span(&mut arg.span, by),
    }
}
