//! A walk over domain, problem and streams that notes every name, declarations before their uses and inner
//! scopes after outer ones.

use rustc_hash::FxHashMap;

use super::declaration::{Declaration, Place, SymbolKind};
use crate::ast::{
    Derived, Domain, Effect, FluentText, Formula, InitItem, LayoutItem, Name, Problem, Stream,
    Term, TypeExpr, Typed,
};
use crate::printer::{print_signature, print_type, print_typed};
use crate::visit::{self, Visit};
use brigade_diagnostics::SourceId;
use brigade_diagnostics::span::Span;

/// The declarations, and the uses in the order in which they were met: places with the number of their
/// declaration.
pub(super) fn walk(
    (source, domain): (SourceId, &Domain),
    problem: Option<(SourceId, &Problem)>,
    streams: &[(SourceId, &Stream)],
) -> (Vec<Declaration>, Vec<(Place, usize)>) {
    let mut walk = Walk {
        source,
        declarations: Vec::new(),
        uses: Vec::new(),
        names: FxHashMap::default(),
        variables: Vec::new(),
    };
    walk.declare_domain(domain);
    if let Some((source, problem)) = problem {
        walk.source = source;
        walk.declare_problem(problem);
    }
    for (source, stream) in streams {
        walk.source = *source;
        walk.declare_stream(stream);
    }
    walk.source = source;
    walk.visit_domain(domain);
    if let Some((source, problem)) = problem {
        walk.source = source;
        walk.visit_problem(problem);
    }
    for (source, stream) in streams {
        walk.source = *source;
        walk.visit_stream(stream);
    }
    (walk.declarations, walk.uses)
}

/// Predicates and functions share their names.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Space {
    Domain,
    Problem,
    Type,
    Object,
    Fluent,
    Action,
    Event,
    Semantics,
}

struct Walk {
    source: SourceId,
    declarations: Vec<Declaration>,
    uses: Vec<(Place, usize)>,
    /// The declarations that last, by space and name in lower case.
    names: FxHashMap<(Space, String), usize>,
    /// The variables in whose scopes the walk is, the innermost last.
    variables: Vec<(String, usize)>,
}

impl Walk {
    fn place(&self, span: Span) -> Place {
        Place {
            source: self.source,
            span,
        }
    }

    fn declare(&mut self, kind: SymbolKind, name: &Name, whole: Span, signature: String) -> usize {
        let number = self.declarations.len();
        let place = self.place(name.span);
        self.declarations.push(Declaration {
            kind,
            name: name.text.to_string(),
            place,
            whole: self.place(whole),
            signature,
        });
        self.uses.push((place, number));
        number
    }

    /// Declares a name for good; of several declarations the first counts.
    fn declare_global(
        &mut self,
        (space, kind): (Space, SymbolKind),
        name: &Name,
        whole: Span,
        signature: String,
    ) {
        let number = self.declare(kind, name, whole, signature);
        self.names.entry((space, name.key())).or_insert(number);
    }

    fn declare_typed(&mut self, what: (Space, SymbolKind), list: &[Typed]) {
        for typed in list {
            let signature = print_typed(typed, "");
            let whole = typed
                .name
                .span
                .to(type_span(typed.ty.as_ref()).unwrap_or(typed.name.span));
            self.declare_global(what, &typed.name, whole, signature);
        }
    }

    fn declare_domain(&mut self, domain: &Domain) {
        if let Some(name) = &domain.name {
            let signature = format!("(domain {})", name.text);
            let what = (Space::Domain, SymbolKind::Domain);
            self.declare_global(what, name, domain.span, signature);
        }
        self.declare_typed((Space::Type, SymbolKind::Type), &domain.types);
        self.declare_typed((Space::Object, SymbolKind::Object), &domain.constants);
        for fluent in &domain.fluents {
            let kind = match fluent.range {
                None => SymbolKind::Predicate,
                Some(_) => SymbolKind::Function,
            };
            let range = fluent.range.as_ref();
            let range = range.map_or_else(String::new, |range| format!(" - {}", print_type(range)));
            let signature = format!("{}{range}", print_signature(&fluent.name, &fluent.params));
            self.declare_global((Space::Fluent, kind), &fluent.name, fluent.span, signature);
        }
        for action in &domain.actions {
            let parameters = [action.agent.as_slice(), &action.parameters].concat();
            let signature = print_signature(&action.name, &parameters);
            let what = (Space::Action, SymbolKind::Action);
            self.declare_global(what, &action.name, action.span, signature);
        }
        for event in &domain.events {
            let signature = print_signature(&event.name, &event.parameters);
            let what = (Space::Event, SymbolKind::Event);
            self.declare_global(what, &event.name, event.span, signature);
        }
        for name in &domain.semantics {
            let what = (Space::Semantics, SymbolKind::Semantics);
            self.declare_global(what, name, name.span, name.text.to_string());
        }
    }

    fn declare_problem(&mut self, problem: &Problem) {
        if let Some(name) = &problem.name {
            let signature = format!("(problem {})", name.text);
            let number = self.declare(SymbolKind::Problem, name, problem.span, signature);
            self.names.insert((Space::Problem, name.key()), number);
        }
        self.declare_typed((Space::Object, SymbolKind::Object), &problem.objects);
    }

    fn declare_stream(&mut self, stream: &Stream) {
        if let Some(name) = &stream.name {
            let signature = format!("(stream {})", name.text);
            self.declare(SymbolKind::Stream, name, stream.span, signature);
        }
        self.declare_typed((Space::Object, SymbolKind::Object), &stream.objects);
    }

    fn refer(&mut self, space: Space, name: &Name) -> bool {
        let declared = self.names.get(&(space, name.key())).copied();
        if let Some(number) = declared {
            let place = self.place(name.span);
            self.uses.push((place, number));
        }
        declared.is_some()
    }

    fn variable(&mut self, name: &Name) {
        let key = name.key();
        let mut inner = self.variables.iter().rev();
        if let Some((_, number)) = inner.find(|(other, _)| *other == key) {
            self.uses.push((self.place(name.span), *number));
        }
    }

    fn declare_variable(&mut self, name: &Name, scope: Span, signature: String) {
        let number = self.declare(SymbolKind::Variable, name, scope, signature);
        self.variables.push((name.key(), number));
    }
}

impl<'a> Visit<'a> for Walk {
    fn visit_domain(&mut self, domain: &'a Domain) {
        visit::walk_domain(self, domain);
        for name in domain.tick.iter().flat_map(|(names, _)| names) {
            self.refer(Space::Event, name);
        }
        let nature = domain.nature.iter().map(|agents| &agents.ty);
        for ty in (domain.must_act.iter().map(|agents| &agents.ty)).chain(nature) {
            self.refer(Space::Type, ty);
        }
        let waits = domain.waits.iter().map(|wait| &wait.semantics);
        let kept = domain.live_effects.iter().map(|kept| &kept.semantics);
        for name in waits.chain(kept).flatten() {
            self.refer(Space::Semantics, name);
        }
        for item in &domain.layout {
            self.visit_layout_item(item);
        }
    }

    fn visit_problem(&mut self, problem: &'a Problem) {
        if let Some(name) = &problem.domain {
            self.refer(Space::Domain, name);
        }
        visit::walk_problem(self, problem);
        for item in &problem.layout {
            self.visit_layout_item(item);
        }
    }

    fn visit_stream(&mut self, stream: &'a Stream) {
        if let Some(name) = &stream.domain {
            self.refer(Space::Domain, name);
        }
        if let Some(name) = &stream.problem {
            self.refer(Space::Problem, name);
        }
        visit::walk_stream(self, stream);
    }

    fn visit_fluent_text(&mut self, text: &'a FluentText) {
        if let Some(name) = &text.of {
            self.variable(name);
        }
        self.visit_template(&text.text);
    }

    fn visit_derived(&mut self, rule: &'a Derived) {
        self.refer(Space::Fluent, &rule.name);
        visit::walk_derived(self, rule);
    }

    fn visit_init_item(&mut self, item: &'a InitItem) {
        if let InitItem::Atom(name, ..) | InitItem::NotAtom(name, ..) = item {
            self.refer(Space::Fluent, name);
        }
        visit::walk_init_item(self, item);
    }

    fn visit_layout_item(&mut self, item: &'a LayoutItem) {
        if let LayoutItem::Cell(cell) = item {
            self.refer(Space::Object, &cell.place);
        }
        visit::walk_layout_item(self, item);
    }

    fn visit_type(&mut self, ty: &'a TypeExpr) {
        match ty {
            TypeExpr::Named(name) => {
                self.refer(Space::Type, name);
            }
            TypeExpr::Either(names, _) => {
                for name in names {
                    self.refer(Space::Type, name);
                }
            }
            TypeExpr::Int { .. } | TypeExpr::Number(_) => {}
        }
    }

    fn visit_scope(&mut self, variables: &'a [Typed], scope: Span, inside: impl FnOnce(&mut Self)) {
        let outer = self.variables.len();
        for typed in variables {
            self.visit_typed(typed);
            self.declare_variable(&typed.name, scope, print_typed(typed, "?"));
        }
        inside(self);
        self.variables.truncate(outer);
    }

    /// Each variable is known to the terms of the next.
    fn visit_lets(
        &mut self,
        lets: &'a [(Name, Term)],
        scope: Span,
        inside: impl FnOnce(&mut Self),
    ) {
        let outer = self.variables.len();
        for (name, term) in lets {
            self.visit_term(term);
            self.declare_variable(name, scope, format!("?{}", name.text));
        }
        inside(self);
        self.variables.truncate(outer);
    }

    fn visit_term(&mut self, term: &'a Term) {
        match term {
            // An object, or a function without parameters.
            Term::Name(name) => {
                if !self.refer(Space::Object, name) {
                    self.refer(Space::Fluent, name);
                }
            }
            Term::Variable(name) => self.variable(name),
            Term::Apply(term) => {
                self.refer(Space::Fluent, &term.name);
            }
            Term::Number(..) | Term::Arithmetic(..) | Term::Count(..) | Term::Arg(_) => {}
        }
        visit::walk_term(self, term);
    }

    fn visit_formula(&mut self, formula: &'a Formula) {
        match formula {
            Formula::Atom(name, ..) => {
                self.refer(Space::Fluent, name);
            }
            Formula::Semantics(name, _) => {
                self.refer(Space::Semantics, name);
            }
            _ => {}
        }
        visit::walk_formula(self, formula);
    }

    fn visit_effect(&mut self, effect: &'a Effect) {
        match effect {
            Effect::Add(name, ..) | Effect::Delete(name, ..) => {
                self.refer(Space::Fluent, name);
            }
            Effect::Do(name, ..) => {
                self.refer(Space::Action, name);
            }
            _ => {}
        }
        visit::walk_effect(self, effect);
    }
}

fn type_span(ty: Option<&TypeExpr>) -> Option<Span> {
    match ty? {
        TypeExpr::Named(name) => Some(name.span),
        TypeExpr::Either(_, span) | TypeExpr::Int { span, .. } | TypeExpr::Number(span) => {
            Some(*span)
        }
    }
}
