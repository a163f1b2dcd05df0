//! Collects the uses of each name in a domain and a problem: test it, read it, change it, range over it.
//!
//! All named semantics count: what only one of them uses is used.

use std::collections::{BTreeMap, HashSet};

use brigade_diagnostics::span::Span;
use brigade_syntax::ast::{
    Action, AssignOp, Derived, Domain, Effect, Event, FluentDecl, Formula, InitItem, Name, Problem,
    Term, TypeExpr, Typed,
};
use brigade_syntax::visit::{self, Visit};

/// Names in lower case, with the first place of each.
pub(super) type Places = BTreeMap<String, Span>;

/// The uses of the names of one file.
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
    /// Of those, the ones changed other than by an increase or a decrease.
    pub(super) set: Places,
    /// Of those, the ones that are decreased.
    pub(super) decreased: Places,
    /// Predicates and functions that `:init` or `:facts` give.
    pub(super) given: Places,
    /// Predicates and functions that have words.
    pub(super) described: Places,
    /// Types of variables, parameters and values.
    pub(super) types: Places,
    /// Constants that the facts of a domain name.
    pub(super) in_facts: Places,
    /// True if the condition being read is asked to be false.
    negated: bool,
    /// True if facts are visited: those of a problem are too many for the little that they show.
    is_domain: bool,
    /// The counts that were read: what is asked of their parts does not depend on what is around them,
    /// and each is read in several ways.
    counts: HashSet<*const Term>,
}

impl Uses {
    /// Everything that a domain does.
    pub(super) fn of_domain(domain: &Domain) -> Self {
        let mut uses = Self {
            is_domain: true,
            ..Self::default()
        };
        uses.visit_domain(domain);
        for item in &domain.layout {
            uses.visit_layout_item(item);
        }
        uses
    }

    /// Collects the uses in the goal of a problem.
    pub(super) fn of_goal(problem: &Problem) -> Self {
        let mut uses = Self::default();
        visit::formulas(&mut uses, &problem.goal);
        uses
    }

    /// Collects the uses in an action.
    pub(super) fn of_action(action: &Action) -> Self {
        let mut uses = Self::default();
        uses.visit_action(action);
        uses
    }

    /// Collects the uses in an event.
    pub(super) fn of_event(event: &Event) -> Self {
        let mut uses = Self::default();
        uses.visit_event(event);
        uses
    }

    /// Collects the uses outside of actions and events: in rules, `:fail`, `:end`, the goal.
    pub(super) fn of_conditions(domain: &Domain, problem: &Problem) -> Self {
        let mut uses = Self::of_problem(problem);
        for rule in &domain.derived {
            uses.visit_derived(rule);
        }
        visit::formulas(&mut uses, domain.fail.iter().chain(&domain.end));
        uses
    }

    /// Everything that a problem does.
    pub(super) fn of_problem(problem: &Problem) -> Self {
        let mut uses = Self::default();
        uses.visit_problem(problem);
        for item in &problem.layout {
            uses.visit_layout_item(item);
        }
        uses
    }

    /// Returns true if anything reads the value of a predicate or function.
    pub(super) fn reads(&self, key: &str) -> bool {
        [
            &self.tested_true,
            &self.tested_false,
            &self.read,
            &self.described,
        ]
        .iter()
        .any(|places| places.contains_key(key))
    }

    /// Returns true if an effect changes a predicate or function.
    pub(super) fn changes(&self, key: &str) -> bool {
        [&self.made_true, &self.made_false, &self.assigned]
            .iter()
            .any(|places| places.contains_key(key))
    }

    fn in_fact(&mut self, term: &Term) {
        if let Term::Name(name) = term
            && self.is_domain
        {
            note(&mut self.in_facts, name);
        }
    }

    /// A formula of which truth and falsity matter.
    fn both(&mut self, formula: &Formula) {
        self.asked(formula, false);
        self.asked(formula, true);
    }

    /// A formula that is asked to be true, or false.
    fn asked(&mut self, formula: &Formula, negated: bool) {
        let outer = std::mem::replace(&mut self.negated, negated);
        self.visit_formula(formula);
        self.negated = outer;
    }
}

impl<'a> Visit<'a> for Uses {
    /// Skips declared types: a declaration is no use.
    fn visit_declared(&mut self, _typed: &'a Typed) {}

    fn visit_init_item(&mut self, item: &'a InitItem) {
        let (name, args) = match item {
            InitItem::Atom(name, args, _) | InitItem::NotAtom(name, args, _) => (name, &args[..]),
            InitItem::Value(target, value, _) => {
                let Some(function) = target.function() else {
                    return;
                };
                self.in_fact(value);
                function
            }
            InitItem::Timed(_, item, _) => {
                match &**item {
                    InitItem::Atom(name, ..) => note(&mut self.made_true, name),
                    InitItem::NotAtom(name, ..) => note(&mut self.made_false, name),
                    InitItem::Value(target, ..) => {
                        if let Some((name, _)) = target.function() {
                            note(&mut self.assigned, name);
                            note(&mut self.set, name);
                        }
                    }
                    InitItem::Timed(..) => {}
                }
                self.visit_init_item(item);
                return;
            }
        };
        if !matches!(item, InitItem::NotAtom(..)) {
            note(&mut self.given, name);
        }
        for arg in args {
            self.in_fact(arg);
        }
    }

    fn visit_fluent(&mut self, fluent: &'a FluentDecl) {
        visit::walk_fluent(self, fluent);
        if !fluent.texts.is_empty() {
            note(&mut self.described, &fluent.name);
        }
        if let Some(observers) = &fluent.observers {
            self.both(&observers.condition);
        }
    }

    fn visit_derived(&mut self, rule: &'a Derived) {
        note(&mut self.made_true, &rule.name);
        note(&mut self.made_false, &rule.name);
        visit::walk_derived(self, rule);
        self.both(&rule.body);
    }

    fn visit_typed(&mut self, typed: &'a Typed) {
        match &typed.ty {
            Some(ty) => self.visit_type(ty),
            None => {
                self.types
                    .entry("object".to_owned())
                    .or_insert(typed.name.span);
            }
        }
    }

    fn visit_type(&mut self, ty: &'a TypeExpr) {
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

    fn visit_term(&mut self, term: &'a Term) {
        let is_count = matches!(term, Term::Count(..) | Term::Arg(_));
        if is_count && !self.counts.insert(std::ptr::from_ref(term)) {
            return;
        }
        match term {
            Term::Name(name) => note(&mut self.read, name),
            Term::Apply(term) => note(&mut self.read, &term.name),
            Term::Count(term) => self.both(&term.among),
            Term::Arg(arg) => self.both(&arg.among),
            Term::Variable(_) | Term::Number(..) | Term::Arithmetic(..) => {}
        }
        visit::walk_term(self, term);
    }

    fn visit_formula(&mut self, formula: &'a Formula) {
        match formula {
            Formula::Not(one, _) => self.asked(one, !self.negated),
            Formula::Imply(left, right, _) => {
                self.asked(left, !self.negated);
                self.visit_formula(right);
            }
            Formula::Atom(name, ..) => {
                let places = if self.negated {
                    &mut self.tested_false
                } else {
                    &mut self.tested_true
                };
                note(places, name);
                visit::walk_formula(self, formula);
            }
            _ => visit::walk_formula(self, formula),
        }
    }

    fn visit_effect(&mut self, effect: &'a Effect) {
        match effect {
            Effect::Case(cases, ..) => {
                for (cond, _) in cases {
                    self.both(cond);
                }
            }
            Effect::Add(name, ..) => note(&mut self.made_true, name),
            Effect::Delete(name, ..) => note(&mut self.made_false, name),
            Effect::Assign(op, target, value, _) => {
                if let Some((name, _)) = target.function() {
                    note(&mut self.assigned, name);
                    match op {
                        AssignOp::Increase => {}
                        AssignOp::Decrease => note(&mut self.decreased, name),
                        _ => note(&mut self.set, name),
                    }
                }
                // What is changed is not read, but for its arguments.
                visit::walk_term(self, target);
                self.visit_term(value);
                return;
            }
            Effect::Maintain(cond, kept, ..) => {
                self.both(cond);
                // What is kept becomes false where the condition does.
                let all = match &**kept {
                    Effect::And(all, _) => all,
                    one => std::slice::from_ref(one),
                };
                for one in all {
                    if let Effect::Add(name, ..) = one {
                        note(&mut self.made_false, name);
                    }
                }
            }
            _ => {}
        }
        visit::walk_effect(self, effect);
    }
}

fn note(places: &mut Places, name: &Name) {
    if !places.contains_key(&*name.folded()) {
        places.insert(name.key(), name.span);
    }
}
