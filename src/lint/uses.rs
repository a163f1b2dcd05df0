//! What a domain and a problem do with each name: test it, read it, change it, range over it.
//!
//! All named semantics count: what only one of them uses is used.

use std::collections::BTreeMap;

use crate::syntax::ast::{
    Action, AssignOp, DelayGuard, Domain, Effect, Formula, InitItem, LabelClause, Name, Problem,
    Template, TemplatePart, Term, TypeExpr, Typed,
};
use crate::syntax::span::Span;

/// Names in lower case, with the first place of each.
pub(super) type Places = BTreeMap<String, Span>;

/// What is done with the names of one file.
#[derive(Debug, Default)]
pub(super) struct Uses {
    /// Predicates that a condition asks to be true.
    pub(super) tested_true: Places,
    /// Predicates that a condition asks to be false.
    pub(super) tested_false: Places,
    /// Functions, and objects by name, that a term reads.
    pub(super) read: Places,
    /// Predicates that an effect makes true.
    pub(super) made_true: Places,
    /// Predicates that an effect makes false.
    pub(super) made_false: Places,
    /// Functions that an effect changes.
    pub(super) assigned: Places,
    /// Of those, the ones changed other than by an increase.
    pub(super) set: Places,
    /// Predicates and functions that `:init` or `:facts` give.
    pub(super) given: Places,
    /// Predicates and functions that are told in words.
    pub(super) told: Places,
    /// Types of variables, parameters and values.
    pub(super) types: Places,
    /// Constants that the facts of a domain name.
    pub(super) in_facts: Places,
    /// Whether facts are looked into: those of a problem are too many for what little they tell.
    is_domain: bool,
}

impl Uses {
    /// Everything that a domain does.
    pub(super) fn of_domain(domain: &Domain) -> Self {
        let mut uses = Self {
            is_domain: true,
            ..Self::default()
        };
        for fluent in &domain.fluents {
            uses.typed(&fluent.params);
            if let Some(range) = &fluent.range {
                uses.type_of(range);
            }
            for told in &fluent.texts {
                note(&mut uses.told, &fluent.name);
                uses.template(&told.text);
            }
            if let Some(observers) = &fluent.observers {
                uses.typed(std::slice::from_ref(&observers.viewer));
                uses.both(&observers.condition);
            }
        }
        for action in &domain.actions {
            uses.action(action);
        }
        for event in &domain.events {
            uses.typed(&event.parameters);
            uses.each(event.precondition.as_ref());
            event.effect.iter().for_each(|effect| uses.effect(effect));
        }
        for derived in &domain.derived {
            note(&mut uses.made_true, &derived.name);
            note(&mut uses.made_false, &derived.name);
            uses.typed(&derived.params);
            uses.both(&derived.body);
        }
        uses.each(&domain.fail);
        uses.init(&domain.facts);
        uses
    }

    /// Everything that a problem does.
    pub(super) fn of_problem(problem: &Problem) -> Self {
        let mut uses = Self::default();
        uses.init(&problem.init);
        uses.each(&problem.goal);
        uses.each(&problem.fail);
        if let Some(metric) = &problem.metric {
            uses.term(&metric.value);
        }
        problem
            .goal_text
            .iter()
            .for_each(|text| uses.template(text));
        uses
    }

    /// Whether anything asks for the value of a predicate or function.
    pub(super) fn reads(&self, key: &str) -> bool {
        [
            &self.tested_true,
            &self.tested_false,
            &self.read,
            &self.told,
        ]
        .iter()
        .any(|places| places.contains_key(key))
    }

    /// Whether an effect changes a predicate or function.
    pub(super) fn changes(&self, key: &str) -> bool {
        [&self.made_true, &self.made_false, &self.assigned]
            .iter()
            .any(|places| places.contains_key(key))
    }

    fn action(&mut self, action: &Action) {
        self.typed(action.agent.as_slice());
        self.typed(&action.parameters);
        self.each(&action.precondition);
        self.each(action.conditions.iter().map(|(_, formula)| formula));
        let effects = action.effects.iter().map(|(_, effect)| effect);
        for effect in action.effect.iter().chain(effects).chain(&action.otherwise) {
            self.effect(effect);
        }
        self.terms(&action.duration);
        self.terms(action.lets.iter().map(|(_, term)| term));
        self.each(&action.until);
        if let Some(LabelClause::Text(label)) = &action.label {
            self.template(label);
        }
        action.text.iter().for_each(|text| self.template(text));
    }

    fn init(&mut self, items: &[InitItem]) {
        for item in items {
            let (name, args) = match item {
                InitItem::Atom(name, args, _) | InitItem::NotAtom(name, args, _) => (name, args),
                InitItem::Value(Term::Apply(name, args, _), value, _) => {
                    self.in_fact(value);
                    (name, args)
                }
                InitItem::Value(Term::Name(name), value, _) => {
                    self.in_fact(value);
                    note(&mut self.given, name);
                    continue;
                }
                InitItem::Value(..) => continue,
                InitItem::Timed(_, item, _) => {
                    match &**item {
                        InitItem::Atom(name, ..) => note(&mut self.made_true, name),
                        InitItem::NotAtom(name, ..) => note(&mut self.made_false, name),
                        InitItem::Value(Term::Name(name) | Term::Apply(name, ..), ..) => {
                            note(&mut self.assigned, name);
                            note(&mut self.set, name);
                        }
                        InitItem::Value(..) | InitItem::Timed(..) => {}
                    }
                    self.init(std::slice::from_ref(item));
                    continue;
                }
            };
            if !matches!(item, InitItem::NotAtom(..)) {
                note(&mut self.given, name);
            }
            for arg in args {
                self.in_fact(arg);
            }
        }
    }

    fn in_fact(&mut self, term: &Term) {
        if let Term::Name(name) = term
            && self.is_domain
        {
            note(&mut self.in_facts, name);
        }
    }

    fn typed(&mut self, list: &[Typed]) {
        for typed in list {
            match &typed.ty {
                Some(ty) => self.type_of(ty),
                None => {
                    self.types
                        .entry("object".to_owned())
                        .or_insert(typed.name.span);
                }
            }
        }
    }

    fn type_of(&mut self, ty: &TypeExpr) {
        match ty {
            TypeExpr::Named(name) => note(&mut self.types, name),
            TypeExpr::Either(names, _) => {
                for name in names {
                    note(&mut self.types, name);
                }
            }
            TypeExpr::Int { .. } | TypeExpr::Number(_) => {}
        }
    }

    fn template(&mut self, template: &Template) {
        for part in &template.parts {
            if let TemplatePart::Slot(term) = part {
                self.term(term);
            }
        }
    }

    fn terms<'t>(&mut self, terms: impl IntoIterator<Item = &'t Term>) {
        terms.into_iter().for_each(|term| self.term(term));
    }

    fn term(&mut self, term: &Term) {
        match term {
            Term::Name(name) => note(&mut self.read, name),
            Term::Variable(_) | Term::Number(..) => {}
            Term::Apply(name, args, _) => {
                note(&mut self.read, name);
                self.terms(args);
            }
            Term::Arithmetic(_, operands, _) => self.terms(operands),
            Term::Count(list, among, _) => {
                self.typed(list);
                self.both(among);
            }
            Term::Arg(arg) => {
                self.typed(std::slice::from_ref(&arg.variable));
                self.both(&arg.among);
                self.term(&arg.value);
                self.terms(&arg.ties);
            }
        }
    }

    fn each<'t>(&mut self, formulas: impl IntoIterator<Item = &'t Formula>) {
        for formula in formulas {
            self.formula(formula, true);
        }
    }

    /// A formula of which truth and falsity matter.
    fn both(&mut self, formula: &Formula) {
        self.formula(formula, true);
        self.formula(formula, false);
    }

    fn formula(&mut self, formula: &Formula, wanted: bool) {
        match formula {
            Formula::And(all, _) | Formula::Or(all, _) => {
                for one in all {
                    self.formula(one, wanted);
                }
            }
            Formula::Not(one, _) => self.formula(one, !wanted),
            Formula::Imply(left, right, _) => {
                self.formula(left, !wanted);
                self.formula(right, wanted);
            }
            Formula::Forall(list, one, _) | Formula::Exists(list, one, _) => {
                self.typed(list);
                self.formula(one, wanted);
            }
            Formula::Atom(name, args, _) => {
                let places = if wanted {
                    &mut self.tested_true
                } else {
                    &mut self.tested_false
                };
                note(places, name);
                self.terms(args);
            }
            Formula::Compare(_, left, right, _) => {
                self.term(left);
                self.term(right);
            }
            Formula::Else(reason, one, _) => {
                self.template(reason);
                self.formula(one, wanted);
            }
            Formula::Semantics(..) | Formula::Error(_) => {}
        }
    }

    fn effect(&mut self, effect: &Effect) {
        match effect {
            Effect::And(all, _) | Effect::Seq(all, _) => {
                for one in all {
                    self.effect(one);
                }
            }
            Effect::Forall(list, one, _) => {
                self.typed(list);
                self.effect(one);
            }
            Effect::ForEach(list, key, one, _) => {
                self.typed(list);
                self.terms(key);
                self.effect(one);
            }
            Effect::When(cond, one, _) => {
                self.formula(cond, true);
                self.effect(one);
            }
            Effect::Case(cases, otherwise, _) => {
                for (cond, one) in cases {
                    self.both(cond);
                    self.effect(one);
                }
                if let Some(one) = otherwise {
                    self.effect(one);
                }
            }
            Effect::Let(lets, one, otherwise, _) => {
                self.terms(lets.iter().map(|(_, term)| term));
                self.effect(one);
                if let Some(one) = otherwise {
                    self.effect(one);
                }
            }
            Effect::Add(name, args, _) => {
                note(&mut self.made_true, name);
                self.terms(args);
            }
            Effect::Delete(name, args, _) => {
                note(&mut self.made_false, name);
                self.terms(args);
            }
            Effect::Assign(op, target, value, _) => {
                if let Term::Name(name) | Term::Apply(name, ..) = target {
                    note(&mut self.assigned, name);
                    if *op != AssignOp::Increase {
                        note(&mut self.set, name);
                    }
                }
                if let Term::Apply(_, args, _) = target {
                    self.terms(args);
                }
                self.term(value);
            }
            Effect::After(delay, guard, one, _) => {
                self.term(delay);
                if let Some(DelayGuard::While(cond) | DelayGuard::Until(cond)) = guard {
                    self.formula(cond, true);
                }
                self.effect(one);
            }
            Effect::OnNth(count, one, _) => {
                self.term(count);
                self.effect(one);
            }
            Effect::Maintain(cond, kept, rest, _) => {
                self.both(cond);
                self.effect(kept);
                // What is kept becomes false where the condition does.
                if let Effect::Add(name, ..) = &**kept {
                    note(&mut self.made_false, name);
                } else if let Effect::And(all, _) = &**kept {
                    for one in all {
                        if let Effect::Add(name, ..) = one {
                            note(&mut self.made_false, name);
                        }
                    }
                }
                for one in rest {
                    self.effect(one);
                }
            }
            Effect::Log(template, _) => self.template(template),
            Effect::Do(_, args, _) => self.terms(args),
            Effect::Error(_) => {}
        }
    }
}

fn note(places: &mut Places, name: &Name) {
    if !places.contains_key(&*name.folded()) {
        places.insert(name.key(), name.span);
    }
}
