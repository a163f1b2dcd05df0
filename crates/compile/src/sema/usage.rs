//! Which fluents effects change and which terms read, found before anything is resolved: what
//! never changes is static, and what is never read need not be kept.

use rustc_hash::{FxHashMap, FxHashSet};

use super::report::{File, Place, Reporter};
use brigade_syntax::ast::{
    Action, Domain, Effect, FluentDecl, Formula, InitItem, Name, Problem, Template, Term,
};
use brigade_syntax::visit::{self, Visit};

/// The names of fluents (in lower case) with the first place of each use.
#[derive(Default)]
pub(super) struct Usage {
    /// Changed by an effect or a timed literal.
    pub(super) written: FxHashMap<String, Place>,
    /// Read as a number or an object, anywhere but in the metric.
    pub(super) read: FxHashMap<String, Place>,
    /// Predicates that a condition tests.
    pub(super) tested: FxHashSet<String>,
    /// True if anything in the domain has a label or logs one.
    pub(super) labelled: bool,
}

/// Walks both definitions. Effects that only another semantics has do not count.
pub(super) fn survey(
    domain: &Domain,
    problem: Option<&Problem>,
    semantics: &str,
    reporter: &Reporter<'_>,
) -> Usage {
    let mut survey = Survey {
        usage: Usage::default(),
        semantics,
        reporter,
        file: File::Domain,
    };
    visit::walk_domain(&mut survey, domain);
    if let Some(problem) = problem {
        // A metric reads what it minimises, which is no state.
        survey.file = File::Problem;
        problem
            .init
            .iter()
            .for_each(|item| survey.visit_init_item(item));
        visit::formulas(&mut survey, &problem.goal);
        visit::formulas(&mut survey, problem.fail.iter().chain(&problem.end));
    }
    survey.usage
}

struct Survey<'s, 'd> {
    usage: Usage,
    semantics: &'s str,
    reporter: &'s Reporter<'d>,
    file: File,
}

impl Survey<'_, '_> {
    fn write(&mut self, name: &Name) {
        let place = self.reporter.place(self.file, name.span);
        self.usage.written.entry(name.key()).or_insert(place);
    }

    fn read(&mut self, name: &Name) {
        let place = self.reporter.place(self.file, name.span);
        self.usage.read.entry(name.key()).or_insert(place);
    }

    /// False only if the condition cannot hold under the chosen semantics.
    fn may_hold(&self, cond: &Formula) -> bool {
        match cond {
            Formula::Semantics(name, _) => name.key() == self.semantics,
            Formula::Not(one, _) => match &**one {
                Formula::Semantics(name, _) => name.key() != self.semantics,
                _ => true,
            },
            Formula::And(all, _) => all.iter().all(|one| self.may_hold(one)),
            Formula::Or(all, _) => all.is_empty() || all.iter().any(|one| self.may_hold(one)),
            _ => true,
        }
    }
}

impl<'a> Visit<'a> for Survey<'_, '_> {
    fn visit_fluent(&mut self, fluent: &'a FluentDecl) {
        visit::walk_fluent(self, fluent);
        if fluent.range.is_some() && !fluent.texts.is_empty() {
            // A value that any words mention is one of the state.
            self.read(&fluent.name);
        }
    }

    fn visit_action(&mut self, action: &'a Action) {
        self.usage.labelled |= action.label.is_some();
        visit::walk_action(self, action);
    }

    /// Nothing is kept in the state for the sake of a label that shows it.
    fn visit_label(&mut self, _label: &'a Template) {}

    fn visit_init_item(&mut self, item: &'a InitItem) {
        if let InitItem::Timed(_, item, _) = item {
            match &**item {
                InitItem::Atom(name, ..) | InitItem::NotAtom(name, ..) => self.write(name),
                InitItem::Value(target, ..) => {
                    if let Some((name, _)) = target.function() {
                        self.write(name);
                    }
                }
                InitItem::Timed(..) => {}
            }
        }
    }

    fn visit_term(&mut self, term: &'a Term) {
        if let Some((name, _)) = term.function() {
            self.read(name);
        }
        visit::walk_term(self, term);
    }

    fn visit_formula(&mut self, formula: &'a Formula) {
        if let Formula::Atom(name, ..) = formula {
            self.usage.tested.insert(name.key());
        }
        visit::walk_formula(self, formula);
    }

    fn visit_effect(&mut self, effect: &'a Effect) {
        match effect {
            Effect::When(cond, one, _) => {
                self.visit_formula(cond);
                if self.may_hold(cond) {
                    self.visit_effect(one);
                }
                return;
            }
            Effect::Case(cases, otherwise, _) => {
                for (cond, one) in cases {
                    self.visit_formula(cond);
                    if self.may_hold(cond) {
                        self.visit_effect(one);
                    }
                }
                visit::effects(self, otherwise.as_deref());
                return;
            }
            Effect::Assign(_, target, value, _) => {
                match target.function() {
                    Some((name, args)) => {
                        self.write(name);
                        visit::terms(self, args);
                    }
                    None => self.visit_term(target),
                }
                self.visit_term(value);
                return;
            }
            Effect::Add(name, ..) | Effect::Delete(name, ..) => self.write(name),
            Effect::Log(..) => self.usage.labelled = true,
            _ => {}
        }
        visit::walk_effect(self, effect);
    }
}
