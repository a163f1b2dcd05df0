//! Problems that are over before anything is done: lost, with their goal reached, or ended otherwise.

use std::collections::HashMap;

use brigade_compile::ground::ground_comparison;
use brigade_compile::sema::Files;
use brigade_compile::sema::model::{
    Binding, ClosedCond, Cond, Expr, FluentId, FluentKind, Model, ObjectId, Term, Value, Variable,
};
use brigade_diagnostics::{Code, Diagnostic, Diagnostics};
use brigade_syntax::ast::{Domain, Formula, Problem};

/// The most conditions that are evaluated; with more of them nothing is reported.
const TRIES: usize = 20_000;

/// Reports a `:fail`, a goal or an `:end` that holds in the initial state.
pub(super) fn check(
    domain: &Domain,
    problem: &Problem,
    files: Files,
    model: &Model,
    diagnostics: &mut Diagnostics,
) {
    let name = problem.name.as_ref();
    let name = name.map_or("this problem", |name| &name.text);
    // Where both files say what loses, the one that is seen to hold is not distinguished from the other.
    let closing = |of_domain: &Option<Formula>, of_problem: &Option<Formula>| {
        let (source, formula) = match (of_domain, of_problem) {
            (_, Some(ours)) => (files.problem, ours),
            (Some(theirs), None) => (files.domain, theirs),
            (None, None) => return None,
        };
        Some((source, formula.span()))
    };
    let fail = closing(&domain.fail, &problem.fail);
    let end = closing(&domain.end, &problem.end);
    if let Some((source, span)) = fail
        && holds_at_start(model, model.fail.as_ref())
    {
        let message = format!("`{name}` is lost before anything is done");
        diagnostics.push(
            Diagnostic::new(Code::LostAtStart, message)
                .primary(source, span, "holds in the initial state")
                .help("change what `:init` gives, or what `:fail` says"),
        );
    } else if let Some(goal) = &problem.goal
        && holds_at_start(model, model.goal.as_ref())
    {
        let message = format!("the goal of `{name}` is reached before anything is done");
        diagnostics.push(
            Diagnostic::new(Code::ReachedAtStart, message)
                .primary(files.problem, goal.span(), "holds in the initial state")
                .help("change what `:init` gives, or what the goal asks for"),
        );
    } else if let Some((source, span)) = end
        && holds_at_start(model, model.end.as_ref())
    {
        let message = format!("`{name}` ends before anything is done");
        diagnostics.push(
            Diagnostic::new(Code::EndedAtStart, message)
                .primary(source, span, "holds in the initial state")
                .help("change what `:init` gives, or what `:end` says"),
        );
    }
}

fn holds_at_start(model: &Model, cond: Option<&ClosedCond>) -> bool {
    let Some(ClosedCond { variables, cond }) = cond else {
        return false;
    };
    let mut state = State {
        model,
        variables,
        facts: model
            .init
            .iter()
            .map(|fact| ((fact.fluent, &fact.args[..]), fact.value))
            .collect(),
        at: vec![None; variables.len()],
        tries: TRIES,
    };
    state.holds(cond) == Some(true)
}

/// The initial state; what rules derive is not known of it.
struct State<'m> {
    model: &'m Model,
    variables: &'m [Variable],
    facts: HashMap<(FluentId, &'m [ObjectId]), Value>,
    at: Vec<Option<ObjectId>>,
    tries: usize,
}

impl State<'_> {
    /// Returns true if a condition holds; `None` where that is not known.
    fn holds(&mut self, cond: &Cond) -> Option<bool> {
        self.tries = self.tries.checked_sub(1)?;
        match cond {
            Cond::True => Some(true),
            Cond::False => Some(false),
            Cond::Atom(fluent, args) => {
                let value = self.value(*fluent, args)?;
                Some(value == Some(Value::Boolean(true)))
            }
            Cond::Same(left, right) => {
                let (left, right) = (self.object(left)?, self.object(right)?);
                Some(left == right)
            }
            Cond::Compare(comparison, left, right) => Some(
                ground_comparison(*comparison).compares(self.number(left)?, self.number(right)?),
            ),
            Cond::Not(cond) => self.holds(cond).map(|holds| !holds),
            Cond::And(conds) => self.all(conds, true),
            Cond::Or(conds) => self.all(conds, false).map(|none| !none),
            Cond::Forall(bindings, cond) => self.bound(bindings, cond, true),
            Cond::Exists(bindings, cond) => self.bound(bindings, cond, false).map(|none| !none),
        }
    }

    /// Returns true if all conditions have the wanted value.
    fn all(&mut self, conds: &[Cond], wanted: bool) -> Option<bool> {
        let mut known = Some(true);
        for cond in conds {
            match self.holds(cond) {
                Some(holds) if holds != wanted => return Some(false),
                Some(_) => {}
                None => known = None,
            }
        }
        known
    }

    /// Returns true if a condition has the wanted value for all bindings of the variables.
    fn bound(&mut self, bindings: &[Binding], cond: &Cond, wanted: bool) -> Option<bool> {
        let Some((first, rest)) = bindings.split_first() else {
            return self.holds(cond).map(|holds| holds == wanted);
        };
        let mut known = Some(true);
        let objects = self.model.objects_of(&self.variables[first.index()].types);
        for object in objects {
            self.at[first.index()] = Some(object);
            match self.bound(rest, cond, wanted) {
                Some(true) => {}
                Some(false) => return Some(false),
                None => known = None,
            }
        }
        known
    }

    /// The value of a fluent, if it is given one; `None` of a derived one.
    #[expect(
        clippy::option_option,
        reason = "not known, not given and a value are three answers"
    )]
    fn value(&self, fluent: FluentId, args: &[Term]) -> Option<Option<Value>> {
        if self.model.fluents[fluent.index()].kind == FluentKind::Derived {
            return None;
        }
        let args: Option<Vec<ObjectId>> =
            args.iter().map(|arg| self.object(arg).flatten()).collect();
        Some(self.facts.get(&(fluent, &args?[..])).copied())
    }

    /// The object that a term is, `Some(None)` for none.
    #[expect(
        clippy::option_option,
        reason = "not known, undefined and an object are three answers"
    )]
    fn object(&self, term: &Term) -> Option<Option<ObjectId>> {
        match term {
            Term::Object(object) => Some(Some(*object)),
            Term::Variable(variable) => self.at[variable.index()].map(Some),
            Term::Undefined => Some(None),
            Term::Fluent(fluent, args) => match self.value(*fluent, args)? {
                Some(Value::Object(object)) => Some(Some(object)),
                Some(_) => None,
                None => Some(None),
            },
        }
    }

    fn number(&self, expr: &Expr) -> Option<i64> {
        match expr {
            Expr::Constant(value) => Some(*value),
            Expr::Fluent(fluent, args) => match self.value(*fluent, args)?? {
                Value::Number(value) => Some(value),
                Value::Boolean(_) | Value::Object(_) => None,
            },
            _ => None,
        }
    }
}
