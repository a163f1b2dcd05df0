//! A task over variables and values, and what of it matters to an abstraction.

use super::change::{Change, Link};
use super::domains::Domains;
use super::formula::{Formula, Reader};
use super::reduce::Variables;
use brigade_task::{Metric, OperatorId, PackedTask, Phase};

/// A task, translated once.
pub(crate) struct Model<'t> {
    pub(crate) task: &'t PackedTask,
    pub(crate) domains: Domains,
    pub(crate) operators: Vec<(Formula, Change)>,
    /// `None` where the timers advance.
    pub(crate) tick: Vec<Option<Change>>,
    pub(crate) timers: Vec<Timer>,
    /// For each layer its variables and its rules.
    pub(crate) axioms: Vec<(Vec<u32>, Vec<Rule>)>,
    pub(crate) goal: Formula,
    pub(crate) fail: Formula,
    pub(crate) negated: bool,
}

/// If the formula holds, so does the derived variable.
pub(crate) type Rule = (Formula, u32);

/// A delayed effect.
#[derive(Clone, Debug)]
pub(crate) struct Timer {
    pub(crate) variable: u32,
    pub(crate) runs_while: Formula,
    pub(crate) dropped_when: Formula,
    pub(crate) every_tick: bool,
    pub(crate) change: Change,
}

/// Operators of one agent that an abstraction does not distinguish.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) operator: OperatorId,
    pub(crate) precondition: Formula,
    pub(crate) change: Change,
}

/// The part of a model that matters to an abstraction.
#[derive(Clone, Debug)]
pub(crate) struct Reduced {
    pub(crate) agents: Vec<Vec<Group>>,
    /// `None` where the timers advance.
    pub(crate) tick: Vec<Option<Change>>,
    /// Timers that matter.
    pub(crate) timers: Vec<Timer>,
}

impl<'t> Model<'t> {
    pub(crate) fn new(task: &'t PackedTask) -> Self {
        let reader = Reader(&task.variables);
        let operators = task.operators.iter().map(|operator| {
            let facts = operator.facts.iter().map(|&fact| fact.into());
            let guard = std::iter::once(reader.cond(&operator.guard));
            (
                Formula::all(facts.chain(guard)),
                reader.effect(&operator.effect),
            )
        });
        let tick = task.tick.iter().map(|phase| match phase {
            Phase::Timers => None,
            Phase::Effect { effect, .. } => Some(reader.effect(effect)),
        });
        let timers = task.timers.iter().map(|timer| Timer {
            variable: timer.variable.0,
            runs_while: reader.cond(&timer.runs_while),
            dropped_when: reader.cond(&timer.dropped_when),
            every_tick: timer.every_tick,
            change: reader.effect(&timer.effect),
        });
        let axioms = task.axioms.layers.iter().map(|layer| {
            let variables = layer.variables.iter().map(|variable| variable.0).collect();
            let rules = layer.rules.iter();
            let rules = rules.map(|(body, head)| (reader.cond(body), head.0));
            (variables, rules.collect())
        });
        Self {
            task,
            domains: Domains::new(task),
            operators: operators.collect(),
            tick: tick.collect(),
            timers: timers.collect(),
            axioms: axioms.collect(),
            goal: task
                .goal
                .as_ref()
                .map_or(Formula::False, |goal| reader.cond(goal)),
            fail: reader.cond(&task.fail),
            negated: task.metric == Metric::NegatedCost,
        }
    }

    /// Returns true for a variable that is derived, a timer or the clock: it changes by no change.
    pub(crate) fn is_written_apart(&self, variable: u32) -> bool {
        let mut derived = self.axioms.iter().flat_map(|(variables, _)| variables);
        derived.any(|&derived| derived == variable)
            || self.timers.iter().any(|timer| timer.variable == variable)
            || self.task.clock.is_some_and(|clock| clock.0 == variable)
    }

    /// All copies of one variable's value to another: `(to, from, table)`.
    pub(crate) fn copies(&self) -> Vec<Link> {
        let mut copies: Vec<Link> = Vec::new();
        let operators = self.operators.iter().map(|(_, change)| change);
        let timers = self.timers.iter().map(|timer| &timer.change);
        for change in operators.chain(timers).chain(self.tick.iter().flatten()) {
            change.copies(&mut |link| {
                if !copies.contains(link) {
                    copies.push(link.clone());
                }
            });
        }
        copies
    }

    /// For each variable, whether the tick reads it, or what is seen after it: the goal and
    /// failure.
    pub(crate) fn read_by_tick(&self) -> Vec<bool> {
        let mut read = vec![false; self.domains.len() as usize];
        let mut visit = |variable: u32| read[variable as usize] = true;
        for change in self.tick.iter().flatten() {
            change.reads(&mut visit);
        }
        for timer in &self.timers {
            visit(timer.variable);
            timer.runs_while.reads(&mut visit);
            timer.dropped_when.reads(&mut visit);
            timer.change.reads(&mut visit);
        }
        for (body, _) in self.axioms.iter().flat_map(|(_, rules)| rules) {
            body.reads(&mut visit);
        }
        self.goal.reads(&mut visit);
        self.fail.reads(&mut visit);
        read
    }

    /// Leaves out what cannot change the variables that are distinguished.
    pub(crate) fn reduced(&self, distinguished: &Variables) -> Reduced {
        let agents = self.task.agents.iter().map(|agent| {
            let mut groups: Vec<Group> = Vec::new();
            for &operator in &agent.operators {
                let (precondition, change) = &self.operators[operator.index()];
                let change = change.reduced(distinguished);
                let precondition = precondition.blurred(distinguished);
                let precondition = if precondition == Formula::Unknown {
                    Formula::True
                } else {
                    precondition
                };
                let is_known = groups.iter().any(|group| {
                    group.change == change
                        && (group.precondition == precondition
                            || group.precondition == Formula::True)
                });
                if precondition != Formula::False && !is_known {
                    groups.push(Group {
                        operator,
                        precondition,
                        change,
                    });
                }
            }
            groups
        });
        let timers = self.timers.iter().filter_map(|timer| {
            let change = timer.change.reduced(distinguished);
            let matters = !change.writes_nothing() || distinguished[timer.variable as usize];
            matters.then(|| Timer {
                change,
                runs_while: timer.runs_while.blurred(distinguished),
                dropped_when: timer.dropped_when.blurred(distinguished),
                ..timer.clone()
            })
        });
        let tick = self.tick.iter().filter_map(|phase| match phase {
            None => Some(None),
            Some(change) => {
                let change = change.reduced(distinguished);
                (change != Change::Nothing).then_some(Some(change))
            }
        });
        Reduced {
            agents: agents.collect(),
            tick: tick.collect(),
            timers: timers.collect(),
        }
    }

    /// The task with all its conditions, where they decide on what is distinguished. Of the operators
    /// that change none of it the one that waits stands for the others.
    pub(crate) fn traced(&self, distinguished: &Variables) -> Reduced {
        let agents = self.task.agents.iter().map(|agent| {
            let operators = agent.operators.iter().filter_map(|&operator| {
                let (precondition, change) = &self.operators[operator.index()];
                let matters = change.reduced(distinguished) != Change::Nothing
                    || agent.wait.is_none_or(|wait| wait == operator);
                matters.then(|| Group {
                    operator,
                    precondition: precondition.clone(),
                    change: change.pruned(distinguished),
                })
            });
            operators.collect()
        });
        let timers = self.timers.iter().map(|timer| Timer {
            change: timer.change.pruned(distinguished),
            ..timer.clone()
        });
        let timers = timers.filter(|timer| {
            timer.change.writes_any(distinguished) || distinguished[timer.variable as usize]
        });
        let tick = self.tick.iter().filter_map(|phase| match phase {
            None => Some(None),
            Some(change) => {
                let change = change.pruned(distinguished);
                (change != Change::Nothing).then_some(Some(change))
            }
        });
        Reduced {
            agents: agents.collect(),
            tick: tick.collect(),
            timers: timers.collect(),
        }
    }
}

impl Reduced {
    /// Returns whether the effect of some timer may write the variable of a timer.
    pub(crate) fn timers_meet(&self) -> bool {
        let mut written = Vec::new();
        for timer in &self.timers {
            timer.change.writes(&mut |variable| written.push(variable));
        }
        self.timers
            .iter()
            .any(|timer| written.contains(&timer.variable))
    }
}
