//! Which fluents effects change and which terms read, found before anything is resolved: what
//! never changes is static, and what is never read need not be kept.

use rustc_hash::{FxHashMap, FxHashSet};

use super::report::{File, Place, Reporter};
use crate::syntax::ast::{
    Action, DelayGuard, Domain, Effect, Formula, InitItem, Name, Problem, Template, TemplatePart,
    Term,
};

/// The names of fluents (in lower case) with the first place of each use.
#[derive(Default)]
pub(super) struct Usage {
    /// Changed by an effect or a timed literal.
    pub(super) written: FxHashMap<String, Place>,
    /// Read as a number or an object, anywhere but in the metric.
    pub(super) read: FxHashMap<String, Place>,
    /// Predicates that a condition tests.
    pub(super) tested: FxHashSet<String>,
    /// Whether anything in the domain has a label or logs one.
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
    for fluent in &domain.fluents {
        for told in &fluent.texts {
            survey.template(Some(&told.text));
            if fluent.range.is_some() {
                // A value that is told of in any words is one of the state.
                survey.read(&fluent.name);
            }
        }
    }
    let observers = domain
        .fluents
        .iter()
        .filter_map(|fluent| fluent.observers.as_ref());
    survey.formulas(observers.map(|observers| &observers.condition));
    for action in &domain.actions {
        survey.action(action);
    }
    for event in &domain.events {
        survey.formulas(event.precondition.as_ref());
        survey.effects(event.effect.as_ref());
    }
    survey.formulas(domain.derived.iter().map(|derived| &derived.body));
    survey.formulas(&domain.fail);
    survey.init(&domain.facts);
    if let Some(problem) = problem {
        survey.file = File::Problem;
        survey.init(&problem.init);
        survey.formulas(&problem.goal);
        survey.formulas(&problem.fail);
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
    fn action(&mut self, action: &Action) {
        self.usage.labelled |= action.label.is_some();
        self.formulas(&action.precondition);
        self.formulas(action.conditions.iter().map(|(_, formula)| formula));
        self.effects(&action.effect);
        self.effects(action.effects.iter().map(|(_, effect)| effect));
        self.terms(&action.duration);
        self.terms(action.lets.iter().map(|(_, term)| term));
        self.formulas(&action.until);
        self.effects(&action.otherwise);
        self.template(action.text.as_ref());
    }

    fn init(&mut self, items: &[InitItem]) {
        for item in items {
            if let InitItem::Timed(_, item, _) = item {
                match &**item {
                    InitItem::Atom(name, ..) | InitItem::NotAtom(name, ..) => self.write(name),
                    InitItem::Value(Term::Name(name) | Term::Apply(name, ..), ..) => {
                        self.write(name);
                    }
                    _ => {}
                }
            }
        }
    }

    fn write(&mut self, name: &Name) {
        let place = self.reporter.place(self.file, name.span);
        self.usage.written.entry(name.key()).or_insert(place);
    }

    fn read(&mut self, name: &Name) {
        let place = self.reporter.place(self.file, name.span);
        self.usage.read.entry(name.key()).or_insert(place);
    }

    fn template(&mut self, template: Option<&Template>) {
        for part in template.iter().flat_map(|template| &template.parts) {
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
            Term::Name(name) => self.read(name),
            Term::Variable(_) | Term::Number(..) => {}
            Term::Apply(name, args, _) => {
                self.read(name);
                self.terms(args);
            }
            Term::Arithmetic(_, operands, _) => self.terms(operands),
            Term::Count(_, among, _) => self.formula(among),
            Term::Arg(arg) => {
                self.formula(&arg.among);
                self.term(&arg.value);
                self.terms(&arg.ties);
            }
        }
    }

    fn formula(&mut self, formula: &Formula) {
        match formula {
            Formula::And(all, _) | Formula::Or(all, _) => self.formulas(all),
            Formula::Not(one, _) | Formula::Forall(_, one, _) | Formula::Exists(_, one, _) => {
                self.formula(one);
            }
            Formula::Imply(left, right, _) => {
                self.formula(left);
                self.formula(right);
            }
            Formula::Atom(name, args, _) => {
                self.usage.tested.insert(name.key());
                self.terms(args);
            }
            Formula::Compare(_, left, right, _) => {
                self.term(left);
                self.term(right);
            }
            Formula::Else(reason, one, _) => {
                self.template(Some(reason));
                self.formula(one);
            }
            Formula::Semantics(..) | Formula::Error(_) => {}
        }
    }

    fn effect(&mut self, effect: &Effect) {
        match effect {
            Effect::And(all, _) | Effect::Seq(all, _) => self.effects(all),
            Effect::Forall(_, one, _) => self.effect(one),
            Effect::ForEach(_, key, one, _) => {
                self.terms(key);
                self.effect(one);
            }
            Effect::When(cond, one, _) => {
                self.formula(cond);
                if self.may_hold(cond) {
                    self.effect(one);
                }
            }
            Effect::Case(cases, otherwise, _) => {
                for (cond, one) in cases {
                    self.formula(cond);
                    if self.may_hold(cond) {
                        self.effect(one);
                    }
                }
                self.effects(otherwise.as_deref());
            }
            Effect::Let(lets, one, otherwise, _) => {
                self.terms(lets.iter().map(|(_, term)| term));
                self.effect(one);
                self.effects(otherwise.as_deref());
            }
            Effect::Add(name, args, _) | Effect::Delete(name, args, _) => {
                self.write(name);
                self.terms(args);
            }
            Effect::Assign(_, target, value, _) => {
                match target {
                    Term::Name(name) => self.write(name),
                    Term::Apply(name, args, _) => {
                        self.write(name);
                        self.terms(args);
                    }
                    other => self.term(other),
                }
                self.term(value);
            }
            Effect::After(delay, guard, one, _) => {
                self.term(delay);
                match guard {
                    Some(DelayGuard::While(cond) | DelayGuard::Until(cond)) => self.formula(cond),
                    None => {}
                }
                self.effect(one);
            }
            Effect::OnNth(count, one, _) => {
                self.term(count);
                self.effect(one);
            }
            Effect::Maintain(cond, one, rest, _) => {
                self.formula(cond);
                self.effect(one);
                self.effects(rest);
            }
            Effect::Log(template, _) => {
                self.usage.labelled = true;
                self.template(Some(template));
            }
            Effect::Do(_, args, _) => self.terms(args),
            Effect::Error(_) => {}
        }
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
