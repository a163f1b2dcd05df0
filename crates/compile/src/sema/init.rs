//! The initial state: `:facts` of the domain, `:init` of the problem, timed literals.

use std::hash::{BuildHasher, BuildHasherDefault};

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rustc_hash::FxHasher;

use super::body::Body;
use super::context::Context;
use super::costs::Role;
use super::model::{Expr, Fact, FluentId, ObjectId, Range, Term, TimedFact, Value};
use super::report::{File, Place, problem};
use super::requirements::Need;
use super::scaled::Scaled;
use super::terms::ObjectTerm;
use brigade_diagnostics::Code;
use brigade_diagnostics::span::Span;
use brigade_syntax::ast::{self, InitItem, Time};
use brigade_syntax::printer::print_term;

/// The value that a fact gives; a negative atom and `undefined` give the default.
#[derive(PartialEq)]
enum Given {
    Value(Value),
    Undefined,
    /// A cost begins with this. Boxed, for it is rare and large.
    Cost(Box<Scaled>),
}

/// A fact of `:init`: a fluent with its arguments, its value, and its place in the file.
struct Said {
    /// When it comes true: 0 for what holds at first.
    tick: u32,
    /// True if it comes true among the early literals.
    early: bool,
    /// True if no agent knows of it before.
    unannounced: bool,
    fluent: FluentId,
    args: Vec<ObjectId>,
    given: Given,
    place: Place,
}

/// The initial state while it is read.
#[derive(Default)]
pub(super) struct InitialState {
    /// In order, of each tick, fluent and arguments once.
    said: Vec<Said>,
    /// Their positions, by tick, fluent and arguments.
    positions: HashTable<u32>,
}

impl InitialState {
    /// The facts that hold at first, and those that come true at a tick.
    pub(super) fn into_facts(self) -> (Vec<Fact>, Vec<TimedFact>) {
        let (mut facts, mut timed) = (Vec::with_capacity(self.said.len()), Vec::new());
        for Said {
            tick,
            early,
            unannounced,
            fluent,
            args,
            given,
            ..
        } in self.said
        {
            let Given::Value(value) = given else { continue };
            let fact = Fact {
                fluent,
                args,
                value,
            };
            if tick > 0 {
                timed.push(TimedFact {
                    tick,
                    early,
                    unannounced,
                    fact,
                });
            } else if value != Value::Boolean(false) {
                facts.push(fact);
            }
        }
        (facts, timed)
    }

    /// The fluents and arguments of all facts.
    pub(super) fn arguments(&self) -> impl Iterator<Item = (FluentId, &[ObjectId])> {
        self.said.iter().map(|said| (said.fluent, &said.args[..]))
    }

    /// Makes room for so many more facts.
    fn reserve(&mut self, facts: usize) {
        let Self {
            said, positions, ..
        } = self;
        said.reserve(facts);
        positions.reserve(facts, |&at| hash(&said[at as usize]));
    }
}

fn hash(said: &Said) -> u64 {
    BuildHasherDefault::<FxHasher>::default().hash_one((
        said.tick,
        said.early,
        said.fluent,
        &said.args,
    ))
}

impl Context<'_> {
    /// Adds the facts of one file. Repetitions are tolerated, contradictions are not.
    pub(super) fn add_facts(&mut self, items: &[InitItem], file: File, state: &mut InitialState) {
        let mut body = Body::new(self, file);
        state.reserve(items.len());
        for item in items {
            if let InitItem::Timed(time, inner, span) = item {
                body.timed(*time, inner, *span, state);
            } else if let Some((fluent, args, given)) = body.fact(item) {
                let start = Time {
                    tick: 0,
                    early: false,
                    unannounced: false,
                };
                body.add_fact((0, start), (fluent, args, given), item_span(item), state);
            }
        }
    }
}

impl Body<'_, '_> {
    fn add_fact(
        &mut self,
        (tick, time): (u32, Time),
        (fluent, args, given): (FluentId, Vec<ObjectId>, Given),
        span: Span,
        state: &mut InitialState,
    ) {
        let said = Said {
            tick,
            early: time.early,
            unannounced: time.unannounced,
            fluent,
            args,
            given,
            place: self.place(span),
        };
        let InitialState {
            said: known,
            positions,
            ..
        } = state;
        let is_same = |&at: &u32| {
            let other = &known[at as usize];
            (other.tick, other.early, other.fluent) == (said.tick, said.early, said.fluent)
                && other.args == said.args
        };
        match positions.entry(hash(&said), is_same, |&at| hash(&known[at as usize])) {
            Entry::Vacant(entry) => {
                entry.insert(known.len() as u32);
                if let Given::Cost(value) = &said.given {
                    self.begin_with(fluent, &said.args, (**value).clone(), span);
                }
                known.push(said);
            }
            Entry::Occupied(entry) => {
                let first = &known[*entry.get() as usize];
                if first.given == said.given && first.unannounced == said.unannounced {
                    return;
                }
                let name = &self.cx.symbols.fluents[fluent.index()].name;
                let message = match tick {
                    0 => format!("the initial state says two different things of `{name}`"),
                    _ => format!("two different things are to hold of `{name}` from tick {tick}"),
                };
                self.push(
                    problem(Code::ContradictoryInit, message, said.place, "contradicts")
                        .secondary(first.place.source, first.place.span, "what is said here")
                        .help("remove one of the two"),
                );
            }
        }
    }

    /// A plan costs so much of `fluent` before its first step.
    fn begin_with(&mut self, fluent: FluentId, args: &[ObjectId], value: Scaled, span: Span) {
        self.cx
            .costs
            .totals
            .begin_with(fluent, args.to_vec(), value.clone());
        let Role::Cost(weight) = self.cx.costs.role(fluent) else {
            return;
        };
        match Scaled::product(vec![weight, value]) {
            Some(cost) => self.cx.costs.begin_with(cost),
            None => self.too_large(span),
        }
    }

    fn timed(&mut self, time: Time, item: &InitItem, span: Span, state: &mut InitialState) {
        self.need(Need::TimedLiterals, span);
        let fact = self.fact(item);
        let Some(tick) = u32::try_from(time.tick).ok().filter(|&tick| tick > 0) else {
            let place = self.place(span);
            self.push(
                problem(
                    Code::BadTime,
                    format!("{} is not a tick at which something can happen", time.tick),
                    place,
                    "must be at least 1",
                )
                .help("what holds from the start stands in `:init` without `at`"),
            );
            return;
        };
        match fact {
            Some(fact @ (_, _, Given::Value(_))) => {
                self.add_fact((tick, time), fact, span, state);
            }
            Some((_, _, Given::Undefined)) => self.timed_not_supported(
                "a timed `undefined` is not supported yet",
                "make it undefined with an event",
                span,
            ),
            Some((fluent, _, Given::Cost(_))) if self.cx.costs.is_unread(fluent) => {
                self.cx.costs.totals.assigned(fluent);
            }
            Some((_, _, Given::Cost(_))) => self.timed_not_supported(
                "a cost is not set to a value while time passes",
                "increase it with an event",
                span,
            ),
            None => {}
        }
    }

    fn timed_not_supported(&mut self, message: &str, help: &str, span: Span) {
        let place = self.place(span);
        self.push(problem(Code::NotSupported, message, place, "not supported").help(help));
    }

    fn fact(&mut self, item: &InitItem) -> Option<(FluentId, Vec<ObjectId>, Given)> {
        match item {
            InitItem::Atom(name, args, span) | InitItem::NotAtom(name, args, span) => {
                let truth = matches!(item, InitItem::Atom(..));
                let fluent = self.predicate(name)?;
                if self.cx.symbols.is_derived(fluent) {
                    let place = self.place(name.span);
                    self.push(
                        problem(
                            Code::DerivedInInit,
                            format!("`{}` is derived: its rules alone make it true", name.text),
                            place,
                            "cannot be an initial fact",
                        )
                        .help("give the facts that its rules read"),
                    );
                    return None;
                }
                let args = self.objects(fluent, args, *span)?;
                Some((fluent, args, Given::Value(Value::Boolean(truth))))
            }
            InitItem::Value(target, value, _) => self.value_fact(target, value),
            // The reader refuses a timed literal within another.
            InitItem::Timed(..) => None,
        }
    }

    fn objects(
        &mut self,
        fluent: FluentId,
        args: &[ast::Term],
        span: Span,
    ) -> Option<Vec<ObjectId>> {
        if let Some(objects) = self.plain_objects(fluent, args) {
            return Some(objects);
        }
        let terms = self.fluent_arguments(fluent, args, span)?;
        let mut objects = Vec::with_capacity(terms.len());
        for (term, arg) in terms.iter().zip(args) {
            if let Term::Object(object) = term {
                objects.push(*object);
            } else {
                self.not_constant(arg.span());
            }
        }
        (objects.len() == args.len()).then_some(objects)
    }

    /// The arguments of a fact with which nothing is wrong; of most of a large problem.
    fn plain_objects(&self, fluent: FluentId, args: &[ast::Term]) -> Option<Vec<ObjectId>> {
        let symbols = &self.cx.symbols;
        let params = &symbols.fluents[fluent.index()].params;
        if !symbols.fluent_info[fluent.index()].sound || params.len() != args.len() {
            return None;
        }
        let known = match self.file {
            File::Domain => symbols.constants,
            File::Problem => symbols.objects.len(),
        };
        let object = |(arg, types): (&ast::Term, &Vec<_>)| {
            let ast::Term::Name(name) = arg else {
                return None;
            };
            let object = *symbols.object_index.get(&*name.folded())?;
            (object.index() < known && symbols.is_a(object, types)).then_some(object)
        };
        args.iter().zip(params).map(object).collect()
    }

    fn not_constant(&mut self, span: Span) {
        let place = self.place(span);
        self.push(
            problem(
                Code::NotAnObject,
                "an initial fact is about objects, named one by one",
                place,
                "not the name of an object",
            )
            .help("write the name of an object from `:objects` or `:constants`"),
        );
    }

    fn value_fact(
        &mut self,
        target: &ast::Term,
        value: &ast::Term,
    ) -> Option<(FluentId, Vec<ObjectId>, Given)> {
        let Some((name, args)) = target.function() else {
            if let (ast::Term::Number(..), Some(_)) = (target, value.function()) {
                let place = self.place(target.span());
                let message = "the function stands first, its value after it";
                let report = problem(Code::NotAnObject, message, place, "not a function");
                let help = format!("write `(= {} {})`", print_term(value), print_term(target));
                self.push(report.help(help));
            } else {
                self.not_constant(target.span());
            }
            return None;
        };
        let fluent = self.function(name)?;
        let args = self.objects(fluent, args, target.span());
        let given = match self.cx.symbols.fluents[fluent.index()].range.clone() {
            Range::Boolean => None,
            Range::Object(types) => self.object_value(fluent, &types, value),
            Range::Number | Range::Integer { .. } if self.lacks_its_type(target, value) => None,
            Range::Number | Range::Integer { .. } if self.is_word_for_number(value) => None,
            Range::Integer { lo, hi } => {
                let expr = self.whole_number(value)?;
                let number = self.known_number(&expr, value.span())?;
                if !(lo..=hi).contains(&number) {
                    self.out_of_range(fluent, number, (lo, hi), value.span());
                    return None;
                }
                Some(Given::Value(Value::Number(number)))
            }
            Range::Number => {
                let number = self.number(value)?;
                let scale = self.cx.costs.scale_of(fluent);
                if self.cx.costs.role(fluent) != Role::Static {
                    self.known_number(&number.expr, value.span())?;
                    return Some((fluent, args?, Given::Cost(Box::new(number))));
                }
                let Some(expr) = number.at_scale(scale) else {
                    self.too_large(value.span());
                    return None;
                };
                let number = self.known_number(&expr, value.span())?;
                Some(Given::Value(Value::Number(number)))
            }
        };
        Some((fluent, args?, given?))
    }

    fn object_value(
        &mut self,
        fluent: FluentId,
        types: &[super::model::TypeId],
        value: &ast::Term,
    ) -> Option<Given> {
        let given: ObjectTerm = self.object_term(value)?;
        match given.term {
            Term::Undefined => Some(Given::Undefined),
            Term::Object(object) => {
                if self.fits(&given, types) {
                    Some(Given::Value(Value::Object(object)))
                } else {
                    self.wrong_value(fluent, &given, value.span());
                    None
                }
            }
            Term::Variable(_) | Term::Fluent(..) => {
                self.not_constant(value.span());
                None
            }
        }
    }

    /// Returns true, and reports it, if a name that nothing has stands where a number is needed.
    fn is_word_for_number(&mut self, value: &ast::Term) -> bool {
        let ast::Term::Name(name) = value else {
            return false;
        };
        let symbols = &self.cx.symbols;
        if symbols.fluent(name).is_some() || symbols.object_index.contains_key(&*name.folded()) {
            return false;
        }
        let place = self.place(name.span);
        let message = format!("`{}` is not a number", name.text);
        let report = problem(Code::NotANumber, message, place, "a number is needed here");
        self.push(report.help("write the number in digits"));
        true
    }

    fn known_number(&mut self, expr: &Expr, span: Span) -> Option<i64> {
        if let Expr::Constant(number) = expr {
            return Some(*number);
        }
        let place = self.place(span);
        self.push(
            problem(
                Code::NotANumber,
                "an initial value is a number, not a term to evaluate",
                place,
                "not a number",
            )
            .help("write the number itself"),
        );
        None
    }

    fn out_of_range(&mut self, fluent: FluentId, number: i64, range: (i64, i64), span: Span) {
        let place = self.place(span);
        let info = &self.cx.symbols.fluent_info[fluent.index()];
        let name = &self.cx.symbols.fluents[fluent.index()].name;
        let diagnostic = problem(
            Code::OutOfRange,
            format!("{number} is outside of the range of `{name}`"),
            place,
            format!("not in {} to {}", range.0, range.1),
        )
        .secondary(
            info.callee.place.source,
            info.callee.place.span,
            "declared here",
        )
        .help("give a value within the range, or widen it");
        self.push(diagnostic);
    }
}

fn item_span(item: &InitItem) -> Span {
    match item {
        InitItem::Atom(_, _, span)
        | InitItem::NotAtom(_, _, span)
        | InitItem::Value(_, _, span)
        | InitItem::Timed(_, _, span) => *span,
    }
}
