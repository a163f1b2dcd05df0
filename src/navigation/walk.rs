//! A walk over domain and problem that notes every name, declarations before their uses and inner
//! scopes after outer ones.

use rustc_hash::FxHashMap;

use super::{Declaration, Index, Place, SymbolKind};
use crate::diagnostics::SourceId;
use crate::syntax::ast::{
    Action, DelayGuard, Domain, Effect, FluentDecl, Formula, InitItem, LabelClause, Name, Problem,
    Template, TemplatePart, Term, TypeExpr, Typed,
};
use crate::syntax::printer::{print_signature, print_type, print_typed};
use crate::syntax::span::Span;

/// The index of these, its uses in the order in which they were met.
pub(super) fn walk(
    (source, domain): (SourceId, &Domain),
    problem: Option<(SourceId, &Problem)>,
) -> Index {
    let mut walk = Walk {
        source,
        index: Index::default(),
        names: FxHashMap::default(),
        variables: Vec::new(),
    };
    walk.declare_domain(domain);
    if let Some((source, problem)) = problem {
        walk.source = source;
        walk.declare_problem(problem);
    }
    walk.source = source;
    walk.domain(domain);
    if let Some((source, problem)) = problem {
        walk.source = source;
        walk.problem(problem);
    }
    walk.index
}

/// Predicates and functions share their names.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Space {
    Domain,
    Type,
    Object,
    Fluent,
    Action,
    Event,
    Semantics,
}

struct Walk {
    source: SourceId,
    index: Index,
    /// What is declared for good, by space and name in lower case.
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
        let number = self.index.declarations.len();
        let place = self.place(name.span);
        self.index.declarations.push(Declaration {
            kind,
            name: name.text.to_string(),
            place,
            whole: self.place(whole),
            signature,
        });
        self.index.uses.push((place, number));
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
            self.declare(SymbolKind::Problem, name, problem.span, signature);
        }
        self.declare_typed((Space::Object, SymbolKind::Object), &problem.objects);
    }

    fn refer(&mut self, space: Space, name: &Name) -> bool {
        let declared = self.names.get(&(space, name.key())).copied();
        if let Some(number) = declared {
            let place = self.place(name.span);
            self.index.uses.push((place, number));
        }
        declared.is_some()
    }

    fn variable(&mut self, name: &Name) {
        let key = name.key();
        let mut inner = self.variables.iter().rev();
        if let Some((_, number)) = inner.find(|(other, _)| *other == key) {
            self.index.uses.push((self.place(name.span), *number));
        }
    }

    /// Walks on with variables that are declared here and can be used in `scope`.
    fn with(&mut self, scope: Span, lists: &[&[Typed]], inside: impl FnOnce(&mut Self)) {
        let outer = self.variables.len();
        for typed in lists.iter().copied().flatten() {
            self.types(typed.ty.as_ref());
            let signature = print_typed(typed, "?");
            self.declare_variable(&typed.name, scope, signature);
        }
        inside(self);
        self.variables.truncate(outer);
    }

    fn declare_variable(&mut self, name: &Name, scope: Span, signature: String) {
        let number = self.declare(SymbolKind::Variable, name, scope, signature);
        self.variables.push((name.key(), number));
    }

    /// Walks on with variables that stand for terms, each known to the next.
    fn with_lets(&mut self, scope: Span, lets: &[(Name, Term)], inside: impl FnOnce(&mut Self)) {
        let outer = self.variables.len();
        for (name, term) in lets {
            self.term(term);
            self.declare_variable(name, scope, format!("?{}", name.text));
        }
        inside(self);
        self.variables.truncate(outer);
    }

    fn types(&mut self, ty: Option<&TypeExpr>) {
        match ty {
            Some(TypeExpr::Named(name)) => {
                self.refer(Space::Type, name);
            }
            Some(TypeExpr::Either(names, _)) => {
                for name in names {
                    self.refer(Space::Type, name);
                }
            }
            Some(TypeExpr::Int { .. } | TypeExpr::Number(_)) | None => {}
        }
    }

    fn types_of(&mut self, list: &[Typed]) {
        for typed in list {
            self.types(typed.ty.as_ref());
        }
    }

    fn domain(&mut self, domain: &Domain) {
        self.types_of(&domain.types);
        self.types_of(&domain.constants);
        for fluent in &domain.fluents {
            self.fluent(fluent);
        }
        for rule in &domain.derived {
            self.refer(Space::Fluent, &rule.name);
            self.with(rule.span, &[&rule.params], |walk| walk.formula(&rule.body));
        }
        for action in &domain.actions {
            self.action(action);
        }
        for event in &domain.events {
            self.with(event.span, &[&event.parameters], |walk| {
                walk.formulas(&event.precondition);
                walk.effects(&event.effect);
            });
        }
        for name in domain.tick.iter().flat_map(|(names, _)| names) {
            self.refer(Space::Event, name);
        }
        let waits = domain.waits.iter().map(|wait| &wait.semantics);
        let kept = domain.live_effects.iter().map(|kept| &kept.semantics);
        for name in waits.chain(kept).flatten() {
            self.refer(Space::Semantics, name);
        }
        self.init(&domain.facts);
        self.formulas(&domain.fail);
    }

    fn problem(&mut self, problem: &Problem) {
        if let Some(name) = &problem.domain {
            self.refer(Space::Domain, name);
        }
        self.types_of(&problem.objects);
        self.init(&problem.init);
        self.formulas(&problem.goal);
        self.templates(&problem.goal_text);
        self.terms(problem.metric.iter().map(|metric| &metric.value));
        self.formulas(&problem.fail);
    }

    fn fluent(&mut self, fluent: &FluentDecl) {
        self.types(fluent.range.as_ref());
        self.with(fluent.span, &[&fluent.params], |walk| {
            for told in &fluent.texts {
                if let Some(name) = &told.of {
                    walk.variable(name);
                }
                walk.templates([&told.text]);
            }
            if let Some(observers) = &fluent.observers {
                let viewer = std::slice::from_ref(&observers.viewer);
                let scope = observers.span.to(fluent.span);
                walk.with(scope, &[viewer], |walk| walk.formula(&observers.condition));
            }
        });
    }

    fn action(&mut self, action: &Action) {
        let lists = [action.agent.as_slice(), &action.parameters];
        self.with(action.span, &lists, |walk| {
            walk.formulas(&action.precondition);
            walk.formulas(action.conditions.iter().map(|(_, formula)| formula));
            walk.terms(&action.duration);
            walk.with_lets(action.span, &action.lets, |walk| {
                walk.effects(&action.effect);
                walk.effects(action.effects.iter().map(|(_, effect)| effect));
                walk.formulas(&action.until);
                walk.effects(&action.otherwise);
            });
            if let Some(LabelClause::Text(label)) = &action.label {
                walk.templates([label]);
            }
            walk.templates(&action.text);
        });
    }

    fn init(&mut self, items: &[InitItem]) {
        for item in items {
            match item {
                InitItem::Atom(name, args, _) | InitItem::NotAtom(name, args, _) => {
                    self.refer(Space::Fluent, name);
                    self.terms(args);
                }
                InitItem::Value(left, right, _) => self.terms([left, right]),
                InitItem::Timed(_, item, _) => self.init(std::slice::from_ref(item)),
            }
        }
    }

    fn templates<'t>(&mut self, templates: impl IntoIterator<Item = &'t Template>) {
        for part in templates.into_iter().flat_map(|template| &template.parts) {
            if let TemplatePart::Slot(term) = part {
                self.term(term);
            }
        }
    }

    fn terms<'t>(&mut self, terms: impl IntoIterator<Item = &'t Term>) {
        for term in terms {
            self.term(term);
        }
    }

    fn formulas<'t>(&mut self, formulas: impl IntoIterator<Item = &'t Formula>) {
        for formula in formulas {
            self.formula(formula);
        }
    }

    fn effects<'t>(&mut self, effects: impl IntoIterator<Item = &'t Effect>) {
        for effect in effects {
            self.effect(effect);
        }
    }

    fn term(&mut self, term: &Term) {
        match term {
            // An object, or a function without parameters.
            Term::Name(name) => {
                if !self.refer(Space::Object, name) {
                    self.refer(Space::Fluent, name);
                }
            }
            Term::Variable(name) => self.variable(name),
            Term::Number(..) => {}
            Term::Apply(name, args, _) => {
                self.refer(Space::Fluent, name);
                self.terms(args);
            }
            Term::Arithmetic(_, operands, _) => self.terms(operands),
            Term::Count(variables, among, span) => {
                self.with(*span, &[variables], |walk| walk.formula(among));
            }
            Term::Arg(arg) => {
                let variable = std::slice::from_ref(&arg.variable);
                self.with(arg.span, &[variable], |walk| {
                    walk.formula(&arg.among);
                    walk.term(&arg.value);
                    walk.terms(&arg.ties);
                });
            }
        }
    }

    fn formula(&mut self, formula: &Formula) {
        match formula {
            Formula::And(all, _) | Formula::Or(all, _) => self.formulas(all),
            Formula::Not(one, _) => self.formula(one),
            Formula::Imply(left, right, _) => {
                self.formula(left);
                self.formula(right);
            }
            Formula::Forall(variables, one, span) | Formula::Exists(variables, one, span) => {
                self.with(*span, &[variables], |walk| walk.formula(one));
            }
            Formula::Atom(name, args, _) => {
                self.refer(Space::Fluent, name);
                self.terms(args);
            }
            Formula::Compare(_, left, right, _) => self.terms([left, right]),
            Formula::Else(reason, one, _) => {
                self.templates([reason]);
                self.formula(one);
            }
            Formula::Semantics(name, _) => {
                self.refer(Space::Semantics, name);
            }
            Formula::Error(_) => {}
        }
    }

    fn effect(&mut self, effect: &Effect) {
        match effect {
            Effect::And(all, _) | Effect::Seq(all, _) => self.effects(all),
            Effect::Forall(variables, one, span) => {
                self.with(*span, &[variables], |walk| walk.effect(one));
            }
            Effect::ForEach(variables, key, one, span) => {
                self.with(*span, &[variables], |walk| {
                    walk.terms(key);
                    walk.effect(one);
                });
            }
            Effect::When(condition, one, _) => {
                self.formula(condition);
                self.effect(one);
            }
            Effect::Case(cases, otherwise, _) => {
                for (condition, one) in cases {
                    self.formula(condition);
                    self.effect(one);
                }
                self.effects(otherwise.as_deref());
            }
            Effect::Let(lets, one, otherwise, _) => {
                self.with_lets(one.span(), lets, |walk| walk.effect(one));
                self.effects(otherwise.as_deref());
            }
            Effect::Add(name, args, _) | Effect::Delete(name, args, _) => {
                self.refer(Space::Fluent, name);
                self.terms(args);
            }
            Effect::Assign(_, target, value, _) => self.terms([target, value]),
            Effect::After(delay, guard, one, _) => {
                self.term(delay);
                match guard {
                    Some(DelayGuard::While(condition) | DelayGuard::Until(condition)) => {
                        self.formula(condition);
                    }
                    None => {}
                }
                self.effect(one);
            }
            Effect::OnNth(count, one, _) => {
                self.term(count);
                self.effect(one);
            }
            Effect::Maintain(condition, one, rest, _) => {
                self.formula(condition);
                self.effect(one);
                self.effects(rest);
            }
            Effect::Log(template, _) => self.templates([template]),
            Effect::Do(name, args, _) => {
                self.refer(Space::Action, name);
                self.terms(args);
            }
            Effect::Error(_) => {}
        }
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
