//! A relaxed plan for the goal, as the set of facts that it uses.
//!
//! In the delete relaxation a fact once true stays true. Facts are reached in layers, each with the
//! first thing that brings it about; a relaxed plan follows those back from the goal (J. Hoffmann
//! and B. Nebel, "The FF planning system", JAIR 14, 2001). Its facts decide what an abstraction
//! distinguishes, so nothing depends on the plan being right.

use std::collections::BTreeSet;

use crate::control::Control;
use crate::heuristics::cartesian::change::Change;
use crate::heuristics::cartesian::domains::{insert, values};
use crate::heuristics::cartesian::facts::{Fact, singleton};
use crate::heuristics::cartesian::formula::{Formula, Term};
use crate::heuristics::cartesian::model::Model;
use brigade_task::State;
use brigade_task::layout::VariableKind;

/// Not reached.
const NEVER: u32 = u32::MAX;

/// For each variable and value whether a relaxed plan uses it.
#[derive(Debug)]
pub(crate) struct RelaxedPlan {
    facts: Vec<Vec<bool>>,
    /// The names of the values in them.
    values: BTreeSet<String>,
    /// The names of values that one step may bring about.
    at_once: BTreeSet<String>,
    reaches_goal: bool,
}

/// Something that may give a variable a value.
struct Achiever<'m> {
    variable: u32,
    source: Source<'m>,
    /// The conditions that must hold for it.
    needs: Vec<&'m Formula>,
    /// For each variable that chooses it the values that do.
    arms: Vec<(u32, Vec<u32>)>,
}

/// The source of a value.
enum Source<'m> {
    Value(u32),
    Copy(u32, &'m [Option<u32>]),
    Any,
}

/// The first way in which a fact is reached, and its layer.
#[derive(Clone, Copy)]
struct First {
    layer: u32,
    achiever: u32,
    /// The value copied.
    copied: Option<Fact>,
}

/// The delete relaxation.
struct Layers<'m> {
    achievers: Vec<Achiever<'m>>,
    first: Vec<Vec<First>>,
}

impl RelaxedPlan {
    /// A plan that mentions few names: none can be left out of it, taken for itself, without it
    /// mentioning more, unless `control` says stop before that is tried.
    pub(crate) fn new(model: &Model, start: &State, control: &dyn Control) -> Self {
        let mut without = BTreeSet::new();
        let mut plan = Self::avoiding(model, start, &without);
        let mut tried = BTreeSet::new();
        loop {
            let mut names = plan.avoidable(model, start).into_iter();
            let Some(name) = names.find(|name| !tried.contains(name)) else {
                break;
            };
            if control.stop().is_some() {
                break;
            }
            tried.insert(name.clone());
            without.insert(name.clone());
            let other = Self::avoiding(model, start, &without);
            if other.reaches_goal && other.values.len() <= plan.values.len() {
                plan = other;
            } else {
                without.remove(&name);
            }
        }
        plan
    }

    /// A plan that gives no variable a value of one of these names.
    fn avoiding(model: &Model, start: &State, without: &BTreeSet<String>) -> Self {
        let layers = Layers::new(model, start, without);
        let mut facts: Vec<Vec<bool>> = layers
            .first
            .iter()
            .map(|values| vec![false; values.len()])
            .collect();
        let mut open = Vec::new();
        let reaches_goal = layers.needed(&model.goal, &mut open) != NEVER;
        while let Some((variable, value)) = open.pop() {
            if std::mem::replace(&mut facts[variable as usize][value as usize], true) {
                continue;
            }
            let first = layers.first[variable as usize][value as usize];
            if first.layer == 0 || first.layer == NEVER {
                continue;
            }
            let achiever = &layers.achievers[first.achiever as usize];
            open.extend(first.copied);
            for need in &achiever.needs {
                layers.needed(need, &mut open);
            }
            for (variable, values) in &achiever.arms {
                let arms = values.iter().map(|&value| (*variable, value));
                open.extend(arms.min_by_key(|&fact| layers.layer(fact)));
            }
        }
        let variables = model.task.variables.iter().zip(&facts);
        let used = variables.flat_map(|(variable, used)| variable.values.iter().zip(used));
        let values = used.filter(|(_, used)| **used);
        let variables = model.task.variables.iter().zip(&layers.first);
        let reached = variables.flat_map(|(variable, first)| variable.values.iter().zip(first));
        let at_once = reached.filter(|(_, first)| first.layer <= 1);
        Self {
            at_once: at_once.map(|(value, _)| value.name.clone()).collect(),
            values: values.map(|(value, _)| value.name.clone()).collect(),
            facts,
            reaches_goal,
        }
    }

    /// The names of objects and activities in the plan that no variable has at the start.
    fn avoidable(&self, model: &Model, start: &State) -> BTreeSet<String> {
        let variables = model.task.variables.iter();
        let objects = variables.filter(|variable| variable.kind == VariableKind::Object);
        let mut names = BTreeSet::new();
        let mut first = BTreeSet::new();
        for variable in objects {
            names.extend(variable.values.iter().map(|value| value.name.clone()));
            first.insert(variable.values[variable.get(start) as usize].name.clone());
        }
        names.retain(|name| self.values.contains(name) && !first.contains(name));
        names
    }

    /// Returns whether one step may give some variable a value of this name.
    pub(crate) fn is_at_once(&self, name: &str) -> bool {
        self.at_once.contains(name)
    }

    /// Returns whether some variable has a value of this name in the plan.
    pub(crate) fn mentions(&self, name: &str) -> bool {
        self.values.contains(name)
    }

    pub(crate) fn uses(&self, variable: u32, value: u32) -> bool {
        self.facts[variable as usize][value as usize]
    }
}

impl<'m> Layers<'m> {
    /// The facts that can be reached if no variable is given a value of one of the names in
    /// `without`.
    fn new(model: &'m Model, start: &State, without: &BTreeSet<String>) -> Self {
        let variables = &model.task.variables;
        let is_avoided = |(variable, value): Fact| {
            let layout = &variables[variable as usize];
            layout.kind == VariableKind::Object
                && without.contains(&layout.values[value as usize].name)
        };
        let mut achievers = Vec::new();
        for (precondition, change) in &model.operators {
            collect(change, &is_avoided, &mut vec![precondition], &mut achievers);
        }
        for change in model.tick.iter().flatten() {
            collect(change, &is_avoided, &mut Vec::new(), &mut achievers);
        }
        for timer in &model.timers {
            let from = achievers.len();
            collect(&timer.change, &is_avoided, &mut Vec::new(), &mut achievers);
            let live = 1..variables[timer.variable as usize].size;
            for achiever in &mut achievers[from..] {
                achiever.arms.push((timer.variable, live.clone().collect()));
            }
        }
        let never = First {
            layer: NEVER,
            achiever: 0,
            copied: None,
        };
        let mut layers = Self {
            achievers,
            first: variables
                .iter()
                .map(|variable| vec![never; variable.size as usize])
                .collect(),
        };
        let mut row = singleton(model, start);
        for variable in 0..model.domains.len() {
            for value in values(model.domains.get(&row, variable)) {
                layers.first[variable as usize][value as usize].layer = 0;
            }
        }
        for layer in 1.. {
            let mut reached: Vec<(Fact, First)> = Vec::new();
            for (achiever, index) in layers.achievers.iter().zip(0..) {
                let possible =
                    |formula: &&Formula| formula.truth(&model.domains, &row) != Some(false);
                let chosen = |(variable, values): &(u32, Vec<u32>)| {
                    let has = |&value: &u32| model.domains.contains(&row, *variable, value);
                    values.iter().any(has)
                };
                if !achiever.needs.iter().all(possible) || !achiever.arms.iter().all(chosen) {
                    continue;
                }
                let mut reach = |value: u32, copied: Option<Fact>| {
                    let fact = (achiever.variable, value);
                    if is_avoided(fact) {
                        return;
                    }
                    let first = First {
                        layer,
                        achiever: index,
                        copied,
                    };
                    if layers.layer(fact) == NEVER && reached.iter().all(|other| other.0 != fact) {
                        reached.push((fact, first));
                    }
                };
                match achiever.source {
                    Source::Value(value) => reach(value, None),
                    Source::Any => {
                        for value in 0..model.domains.size(achiever.variable) {
                            reach(value, None);
                        }
                    }
                    Source::Copy(from, table) => {
                        for value in model.domains.values(&row, from) {
                            if let Some(becomes) = table[value as usize] {
                                reach(becomes, Some((from, value)));
                            }
                        }
                    }
                }
            }
            if reached.is_empty() {
                break;
            }
            for ((variable, value), first) in reached {
                layers.first[variable as usize][value as usize] = first;
                insert(model.domains.get_mut(&mut row, variable), value);
            }
        }
        layers
    }

    fn layer(&self, (variable, value): Fact) -> u32 {
        self.first[variable as usize][value as usize].layer
    }

    /// Facts that make a condition possible, the earliest where there is a choice. Returns the
    /// layer in which it is possible.
    fn needed(&self, formula: &Formula, found: &mut Vec<Fact>) -> u32 {
        match formula {
            Formula::True | Formula::False | Formula::Unknown | Formula::Not(_) => 0,
            Formula::Fact(variable, value) => {
                found.push((*variable, *value));
                self.layer((*variable, *value))
            }
            Formula::All(formulas) => {
                let layers = formulas.iter().map(|formula| self.needed(formula, found));
                layers.max().unwrap_or(0)
            }
            Formula::Any(formulas) => {
                let mut best: Option<(u32, Vec<Fact>)> = None;
                for formula in formulas {
                    let mut facts = Vec::new();
                    let layer = self.needed(formula, &mut facts);
                    if best.as_ref().is_none_or(|best| layer < best.0) {
                        best = Some((layer, facts));
                    }
                }
                let (layer, facts) = best.unwrap_or_default();
                found.extend(facts);
                layer
            }
            Formula::Compare(_, left, right) => {
                let mut facts = Vec::new();
                facts_of(left, &mut facts);
                facts_of(right, &mut facts);
                let earliest = facts.into_iter().min_by_key(|&fact| self.layer(fact));
                found.extend(earliest);
                earliest.map_or(0, |fact| self.layer(fact))
            }
            Formula::Same(left, right, table) => {
                let pairs = (0..).zip(table);
                let pairs = pairs
                    .filter_map(|(value, same)| same.map(|same| ((*left, value), (*right, same))));
                let layer = |pair: &(Fact, Fact)| self.layer(pair.0).max(self.layer(pair.1));
                let earliest = pairs.min_by_key(layer);
                found.extend(earliest.into_iter().flat_map(|pair| [pair.0, pair.1]));
                earliest.as_ref().map_or(0, layer)
            }
        }
    }
}

/// Lists what in a change gives variables values; but not of candidates that give what is avoided.
fn collect<'m>(
    change: &'m Change,
    is_avoided: &dyn Fn(Fact) -> bool,
    needs: &mut Vec<&'m Formula>,
    achievers: &mut Vec<Achiever<'m>>,
) {
    let mut add = |variable: u32, source: Source<'m>| {
        achievers.push(Achiever {
            variable,
            source,
            needs: needs.clone(),
            arms: Vec::new(),
        });
    };
    match change {
        Change::Nothing | Change::Log | Change::Cost(_) => {}
        Change::Assign(variable, value) => add(*variable, Source::Value(*value)),
        Change::Increase { variable, .. } | Change::Number { variable, .. } => {
            add(*variable, Source::Any);
        }
        Change::Copy(link) => add(link.0, Source::Copy(link.1, &link.2)),
        Change::Block { changes, .. } | Change::Seq(changes) | Change::Any(changes) => {
            for change in changes {
                collect(change, is_avoided, needs, achievers);
            }
        }
        Change::If(formula, then, otherwise) => {
            needs.push(formula);
            collect(then, is_avoided, needs, achievers);
            needs.pop();
            collect(otherwise, is_avoided, needs, achievers);
        }
        Change::Switch(variable, arms) => {
            for (set, arm) in arms {
                let from = achievers.len();
                collect(arm, is_avoided, needs, achievers);
                for achiever in &mut achievers[from..] {
                    achiever.arms.push((*variable, values(set).collect()));
                }
            }
        }
        Change::Choose(candidates, otherwise) => {
            for candidate in candidates {
                let mut gives_avoided = false;
                candidate.change.gives(&mut |variable, value| {
                    gives_avoided |= is_avoided((variable, value));
                });
                if !gives_avoided {
                    needs.push(&candidate.formula);
                    collect(&candidate.change, is_avoided, needs, achievers);
                    needs.pop();
                }
            }
            collect(otherwise, is_avoided, needs, achievers);
        }
    }
}

fn facts_of(term: &Term, found: &mut Vec<Fact>) {
    let visit = |formula: &Formula, found: &mut Vec<Fact>| {
        if let Formula::Fact(variable, value) = formula {
            found.push((*variable, *value));
        }
    };
    match term {
        Term::Constant(_) | Term::Table(..) => {}
        Term::Truth(formula) => visit(formula, found),
        Term::Add(terms) | Term::Multiply(terms) | Term::Min(terms) | Term::Max(terms) => {
            for term in terms {
                facts_of(term, found);
            }
        }
        Term::Subtract(pair) => {
            facts_of(&pair[0], found);
            facts_of(&pair[1], found);
        }
        Term::Abs(term) => facts_of(term, found),
        Term::Case(cases) => {
            for (formula, term) in cases {
                visit(formula, found);
                facts_of(term, found);
            }
        }
    }
}
