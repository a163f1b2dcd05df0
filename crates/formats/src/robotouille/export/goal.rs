//! The goal: existential conjunctions as literals whose ids are variables.
//!
//! A variable is an argument's name and a number: it stands for the objects whose names contain the
//! name, and differs from others of that name. The import spells variables so, `?bread-1`; of others
//! the name is taken from what is asked of them, `(isbread ?x)`. An object that the goal names is given its
//! name as an id, unless it is the only one of its kind: the import names an object where a variable
//! can stand for no other.

use std::collections::{BTreeMap, BTreeSet};

use ecow::EcoString;
use serde_json::{Value, json};

use super::reporter::Reporter;
use super::world::{World, base};
use crate::robotouille::goal::MAX_VARIABLES;
use brigade_diagnostics::span::Span;
use brigade_syntax::ast::{Comparison, Formula, Problem, Term, Typed};
use brigade_syntax::printer::print_formula;

/// A goal.
pub(super) struct Goal {
    /// Its conjuncts in JSON.
    pub(super) json: Vec<Value>,
    /// The objects that it names.
    pub(super) named: BTreeSet<String>,
    /// For each variable of the source its name where it is read back.
    pub(super) names: BTreeMap<String, String>,
}

/// A conjunction with its variables taken out.
#[derive(Default)]
pub(super) struct Flat<'p> {
    pub(super) variables: Vec<&'p Typed>,
    pub(super) conjuncts: Vec<&'p Formula>,
}

impl<'p> Flat<'p> {
    pub(super) fn new(formula: &'p Formula) -> Self {
        let mut flat = Self::default();
        let mut open = vec![formula];
        while let Some(formula) = open.pop() {
            match formula {
                Formula::And(parts, _) => open.extend(parts.iter().rev()),
                Formula::Exists(variables, body, _) => {
                    flat.variables.extend(variables);
                    open.push(body);
                }
                other => flat.conjuncts.push(other),
            }
        }
        flat
    }

    /// Variables and conjuncts in an order that does not depend on how they were written: two goals of
    /// which these are the same mean the same.
    pub(super) fn key(&self, names: &BTreeMap<String, String>) -> BTreeSet<String> {
        let renamed = |text: &str| names.get(text).map_or(text, |name| name).to_owned();
        let variables = self.variables.iter().map(|variable| {
            let of = match &variable.ty {
                Some(brigade_syntax::ast::TypeExpr::Named(of)) => of.text.as_str(),
                _ => "",
            };
            format!("?{} - {of}", renamed(&variable.name.text))
        });
        let conjuncts = self.conjuncts.iter().map(|conjunct| {
            let mut conjunct = (*conjunct).clone();
            rename(&mut conjunct, &renamed);
            print_formula(&conjunct)
        });
        variables.chain(conjuncts).collect()
    }
}

/// Renames variables, and puts the sides of equations in order.
fn rename(formula: &mut Formula, renamed: &impl Fn(&str) -> String) {
    let term = |term: &mut Term| {
        if let Term::Variable(name) = term {
            name.text = renamed(&name.text).into();
        }
    };
    match formula {
        Formula::Atom(_, terms, _) => terms.iter_mut().for_each(term),
        Formula::Compare(_, sides, _) => {
            let [left, right] = &mut **sides;
            term(left);
            term(right);
            let text = |term: &Term| match term {
                Term::Variable(name) | Term::Name(name) => name.text.clone(),
                _ => EcoString::new(),
            };
            if text(left) > text(right) {
                std::mem::swap(left, right);
            }
        }
        Formula::Not(inner, _) => rename(inner, renamed),
        Formula::Or(parts, _) => {
            for part in parts {
                rename(part, renamed);
            }
        }
        _ => {}
    }
}

/// The goal under `clean` and under `upstream`, where the two differ.
pub(super) fn readings(goal: &Formula) -> (&Formula, &Formula) {
    let Formula::Or(parts, _) = goal else {
        return (goal, goal);
    };
    let [Formula::And(clean, _), Formula::And(upstream, _)] = &parts[..] else {
        return (goal, goal);
    };
    match (&clean[..], &upstream[..]) {
        ([Formula::Not(not, _), clean], [Formula::Semantics(is, _), upstream])
            if is.key() == "upstream"
                && matches!(&**not, Formula::Semantics(is, _) if is.key() == "upstream") =>
        {
            (clean, upstream)
        }
        _ => (goal, goal),
    }
}

/// Returns true for the condition that never holds.
fn is_never(formula: &Formula) -> bool {
    matches!(formula, Formula::Or(parts, _) if parts.is_empty())
}

/// Writes the goal. `None` after a report.
pub(super) fn goal(
    problem: &Problem,
    world: &World<'_>,
    reporter: &mut Reporter<'_>,
) -> Option<Goal> {
    let Some(goal) = &problem.goal else {
        reporter.refuse(problem.span, "a problem without a goal");
        return None;
    };
    let (clean, upstream) = readings(goal);
    let mut writer = Writer::new(Flat::new(upstream), world);
    let mut literals = writer.literals(reporter);
    if is_never(clean) && !is_never(upstream) && !writer.share_an_id(&mut literals) {
        let what = "a goal that is never reached under `clean` alone";
        reporter.refuse(goal.span(), what);
    }
    reporter.is_sound().then_some(Goal {
        json: literals.into_iter().map(Literal::json).collect(),
        named: writer.named,
        names: writer.names,
    })
}

/// A conjunct: its arguments with their ids.
struct Literal {
    predicate: String,
    args: Vec<(String, Value)>,
}

impl Literal {
    fn json(self) -> Value {
        let (args, ids): (Vec<String>, Vec<Value>) = self.args.into_iter().unzip();
        json!({"predicate": self.predicate, "args": args, "ids": ids})
    }
}

struct Writer<'w, 'p> {
    flat: Flat<'p>,
    world: &'w World<'p>,
    /// For each variable its argument and number.
    meanings: BTreeMap<&'p str, (String, u64)>,
    /// Numbers that are given away, with what to.
    numbers: BTreeMap<u64, String>,
    named: BTreeSet<String>,
    names: BTreeMap<String, String>,
}

impl<'w, 'p> Writer<'w, 'p> {
    fn new(flat: Flat<'p>, world: &'w World<'p>) -> Self {
        Self {
            flat,
            world,
            meanings: BTreeMap::new(),
            numbers: BTreeMap::new(),
            named: BTreeSet::new(),
            names: BTreeMap::new(),
        }
    }

    /// A number that stands for nothing else: the one wanted, if it is free.
    fn number(&mut self, wanted: Option<u64>, owner: &str) -> u64 {
        let free = |number: &u64| !self.numbers.contains_key(number);
        // One of so many is free.
        let mut numbers = 1..=self.numbers.len() as u64 + 1;
        let number = wanted.filter(free).or_else(|| numbers.find(free));
        let number = number.unwrap_or_default();
        self.numbers.insert(number, owner.to_owned());
        number
    }

    fn literals(&mut self, reporter: &mut Reporter<'_>) -> Vec<Literal> {
        let mut guards: Vec<(&'p str, String)> = Vec::new();
        for variable in std::mem::take(&mut self.flat.variables) {
            let name = variable.name.text.as_str();
            if self.meanings.contains_key(name) {
                let what = format!("the second variable `?{name}`");
                reporter.refuse_help(variable.name.span, &what, "give it a name of its own");
                continue;
            }
            let spelled = name.rsplit_once('-');
            let spelled = spelled.and_then(|(arg, id)| Some((arg.to_owned(), id.parse().ok()?)));
            let asked = self
                .flat
                .conjuncts
                .iter()
                .find_map(|conjunct| match conjunct {
                    Formula::Atom(sort, terms, _) if is_variable(terms, name) => {
                        sort.text.strip_prefix("is").map(str::to_owned)
                    }
                    _ => None,
                });
            let (arg, wanted) = match (spelled, asked) {
                (Some((arg, id)), _) if self.world.has_name_with(&arg) => (arg, Some(id)),
                (_, Some(arg)) => (arg, None),
                _ => {
                    let what = format!("the variable `?{name}`, of which no sort is asked,");
                    reporter.refuse(variable.name.span, &what);
                    continue;
                }
            };
            let number = self.number(wanted, name);
            self.names
                .insert(name.to_owned(), format!("{arg}-{number}"));
            guards.push((name, format!("is{arg}")));
            self.meanings.insert(name, (arg, number));
        }
        let mut literals = Vec::new();
        for conjunct in std::mem::take(&mut self.flat.conjuncts) {
            match conjunct {
                Formula::Atom(predicate, terms, span) => {
                    let guard = guards
                        .iter()
                        .position(|(name, is)| *is == predicate.text && is_variable(terms, name));
                    if let Some(at) = guard {
                        guards.swap_remove(at);
                        continue;
                    }
                    let args = terms.iter().map(|term| self.arg(term, *span, reporter));
                    literals.push(Literal {
                        predicate: predicate.text.to_string(),
                        args: args.collect(),
                    });
                }
                // Which objects a variable may be, and that variables differ, is said by the names.
                Formula::Or(parts, _) if !parts.is_empty() && parts.iter().all(is_equation) => {}
                Formula::Not(inner, _) if is_equation(inner) => {}
                equation if is_equation(equation) => {}
                other => reporter.refuse_help(
                    other.span(),
                    "this part of the goal",
                    "facts of objects, and of some object of a sort, can be written",
                ),
            }
        }
        literals
    }

    fn arg(&mut self, term: &Term, span: Span, reporter: &mut Reporter<'_>) -> (String, Value) {
        match term {
            Term::Variable(name) => match self.meanings.get(name.text.as_str()) {
                Some((arg, number)) => (arg.clone(), json!(number)),
                None => (String::new(), Value::Null),
            },
            Term::Name(name) => {
                let text = name.text.as_str();
                if !self.world.is_free(text) && !self.is_a_kind(text) {
                    self.named.insert(text.to_owned());
                    return (base(text).to_owned(), json!(text));
                }
                let known = self.numbers.iter().find(|(_, owner)| *owner == text);
                let number = known.map(|(number, _)| *number);
                let number = number.unwrap_or_else(|| self.number(None, text));
                (base(text).to_owned(), json!(number))
            }
            _ => {
                reporter.refuse(span, "this argument");
                (String::new(), Value::Null)
            }
        }
    }

    /// Returns true if a variable of an object's kind can stand for that object only, and can be bound.
    fn is_a_kind(&self, name: &str) -> bool {
        let kind = base(name);
        let is_known = self.numbers.values().any(|owner| owner == name);
        let is_variable = self.meanings.values().any(|(arg, _)| arg == kind);
        self.world.has_one_name_with(kind)
            && !is_variable
            && (is_known || self.numbers.len() < MAX_VARIABLES)
    }

    /// Uses a number with a second name that fits nothing: under `upstream` it means the object of the
    /// first, under `clean` one that is not there. False if no number is used twice.
    fn share_an_id(&self, literals: &mut [Literal]) -> bool {
        let mut seen = BTreeSet::new();
        let args = literals.iter_mut().flat_map(|literal| &mut literal.args);
        for (arg, id) in args {
            if !id.is_number() || seen.insert(id.to_string()) {
                continue;
            }
            let mut none = "absent".to_owned();
            while self.world.has_name_with(&none) {
                none.push('-');
            }
            *arg = none;
            return true;
        }
        false
    }
}

fn is_variable(terms: &[Term], name: &str) -> bool {
    matches!(terms, [Term::Variable(variable)] if variable.text == name)
}

fn is_equation(formula: &Formula) -> bool {
    matches!(formula, Formula::Compare(Comparison::Equal, ..))
}
