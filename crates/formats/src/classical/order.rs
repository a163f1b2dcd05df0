//! The order in which decision diagrams look at the variables.
//!
//! The activities of agents come first, and whose turn it is: what else matters depends on them, so that later they
//! would be looked at for all of it at once. The others are ordered so that what is read together is near each other,
//! by FORCE (F. Aloul, I. Markov and K. Sakallah, "FORCE: a fast and easy-to-implement variable-ordering heuristic",
//! GLSVLSI 2003): each condition is drawn to the middle of its variables, and each variable to the middle of its
//! conditions, some times over.

use std::collections::BTreeSet;

use brigade_task::cond::{Cond, Expr};
use brigade_task::effect::Effect;
use brigade_task::layout::VariableKind;
use brigade_task::{Fact, Phase, Task};

/// Conditions on more variables say little of which belong together.
const MOST_TOGETHER: usize = 4;

/// The number of times that positions are computed anew.
const ROUNDS: usize = 40;

/// The variables of a task, then others up to `count` as they are.
pub(super) fn of_variables(task: &Task, count: usize) -> Vec<u32> {
    let mut groups = Groups::default();
    for operator in &task.operators {
        groups.facts(&operator.facts);
        groups.cond(&operator.guard);
        groups.effect(&operator.effect);
    }
    for timer in &task.timers {
        groups.effect(&timer.effect);
    }
    for phase in &task.tick {
        if let Phase::Effect { effect, .. } = phase {
            groups.effect(effect);
        }
    }
    let is_first = |index: &u32| {
        let kind = task.variables[*index as usize].kind;
        matches!(kind, VariableKind::Activity | VariableKind::Clock)
    };
    let variables = task.variables.len();
    let (mut order, rest): (Vec<u32>, Vec<u32>) = (0..variables as u32).partition(is_first);
    order.extend(force(rest, variables, &groups.found));
    order.extend(variables as u32..count as u32);
    order
}

fn force(mut order: Vec<u32>, variables: usize, groups: &BTreeSet<Vec<u32>>) -> Vec<u32> {
    let mut places = vec![None; variables];
    let mut best = (usize::MAX, order.clone());
    for _ in 0..ROUNDS {
        for (place, &variable) in order.iter().enumerate() {
            places[variable as usize] = Some(place);
        }
        let mut drawn = vec![(0, 0); variables];
        let mut spread = 0;
        for group in groups {
            let of_group = group.iter().filter_map(|one| places[*one as usize]);
            let of_group: Vec<usize> = of_group.collect();
            let (Some(least), Some(greatest)) = (of_group.iter().min(), of_group.iter().max())
            else {
                continue;
            };
            spread += greatest - least;
            // In units small enough to divide.
            let middle = of_group.iter().sum::<usize>() * 1024 / of_group.len();
            for &variable in group {
                let (sum, number) = &mut drawn[variable as usize];
                *sum += middle;
                *number += 1;
            }
        }
        if spread < best.0 {
            best = (spread, order.clone());
        }
        order.sort_by_key(|&variable| match drawn[variable as usize] {
            (_, 0) => places[variable as usize].unwrap_or(0) * 1024,
            (sum, number) => sum / number,
        });
    }
    best.1
}

/// Sets of variables that conditions read together.
#[derive(Default)]
struct Groups {
    found: BTreeSet<Vec<u32>>,
}

impl Groups {
    fn add(&mut self, variables: &[u32]) {
        let mut group = variables.to_vec();
        group.sort_unstable();
        group.dedup();
        if (2..=MOST_TOGETHER).contains(&group.len()) {
            self.found.insert(group);
        }
    }

    fn facts(&mut self, facts: &[Fact]) -> Vec<u32> {
        let read: Vec<u32> = facts.iter().map(|fact| fact.variable.0).collect();
        self.add(&read);
        read
    }

    fn all(&mut self, conds: &[Cond]) -> Vec<u32> {
        let read: Vec<u32> = conds.iter().flat_map(|cond| self.cond(cond)).collect();
        self.add(&read);
        read
    }

    /// The variables that a condition reads.
    fn cond(&mut self, cond: &Cond) -> Vec<u32> {
        match cond {
            Cond::True | Cond::False => Vec::new(),
            Cond::Fact(fact) => vec![fact.variable.0],
            Cond::Facts(facts) => self.facts(facts),
            Cond::Not(one) => self.cond(one),
            Cond::And(conds) | Cond::Or(conds) => self.all(conds),
            Cond::Compare(_, left, right) => {
                let mut read = self.expr(left);
                read.extend(self.expr(right));
                self.add(&read);
                read
            }
            Cond::Same(left, right, _) => {
                let read = vec![left.0, right.0];
                self.add(&read);
                read
            }
        }
    }

    fn expr(&mut self, expr: &Expr) -> Vec<u32> {
        match expr {
            Expr::Constant(_) => Vec::new(),
            Expr::Variable(variable) | Expr::Table(variable, _) => vec![variable.0],
            Expr::Truth(cond) => self.cond(cond),
            Expr::Abs(one) => self.expr(one),
            Expr::Subtract(pair) => pair.iter().flat_map(|one| self.expr(one)).collect(),
            Expr::Add(all) | Expr::Multiply(all) | Expr::Min(all) | Expr::Max(all) => {
                all.iter().flat_map(|one| self.expr(one)).collect()
            }
            Expr::Case(cases) => {
                let mut read = Vec::new();
                for (cond, value) in cases {
                    read.extend(self.cond(cond));
                    read.extend(self.expr(value));
                }
                read
            }
        }
    }

    fn effect(&mut self, effect: &Effect) {
        match effect {
            Effect::Nothing
            | Effect::Log(_)
            | Effect::Total(..)
            | Effect::Enlist(_)
            | Effect::Set(_)
            | Effect::Clear(..) => {}
            Effect::Cost(expr) | Effect::Number(_, expr) | Effect::Increase(_, expr) => {
                self.expr(expr);
            }
            Effect::Copy(to, from, _) => self.add(&[to.0, from.0]),
            Effect::Block { effects, .. } | Effect::Seq(effects) | Effect::Switch(_, effects) => {
                effects.iter().for_each(|effect| self.effect(effect));
            }
            Effect::When(cond, effect) => {
                self.cond(cond);
                self.effect(effect);
            }
            Effect::Case(cases, otherwise) => {
                for (cond, effect) in cases {
                    self.cond(cond);
                    self.effect(effect);
                }
                self.effect(otherwise);
            }
            Effect::Choose(candidates, otherwise) => {
                for candidate in candidates {
                    self.cond(&candidate.cond);
                    for key in &candidate.keys {
                        self.expr(key);
                    }
                    self.effect(&candidate.effect);
                }
                self.effect(otherwise);
            }
        }
    }
}
