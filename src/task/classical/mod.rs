//! A task as plain PDDL for planners of one agent, without parameters: `:adl` and `:action-costs`.
//!
//! What a planner cannot be told of is compiled away, exactly:
//!
//! - *Agents.* A timestep is a row of actions. The choices of the agents come in their order; where
//!   all choose in the state at its start, all choose first and what they do follows.
//! - *Time.* The tick is one forced action at the end of the row, or several where its conditions
//!   would grow too large. Delayed effects count down in it, and events happen.
//! - *Numbers and objects.* Each value of a variable is a fact.
//! - *The order of effects.* See `symbolic`: all effects of an action look at the state before it.
//! - *The end.* Losing states and the horizon are tested after the tick; the goal is reached with an
//!   action of its own.
//!
//! The cost of a plan is what the task optimises first: its metric, else its makespan.

mod formula;
mod names;
mod symbolic;
mod write;

use super::cond::{Bits, Cond, Expr};
use super::effect::Effect;
use super::{Metric, Operator, Phase, Task, Timer, TurnMode};
use crate::syntax::ast::Comparison;
use formula::Formula;
use names::Names;
use symbolic::{State, Stop};

/// The two files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Classical {
    /// The domain.
    pub domain: String,
    /// The problem.
    pub problem: String,
}

/// How large the files may become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Facts in all conditions that are made for one action.
    pub facts: u64,
    /// Facts in one action, if it can be several.
    pub action: u64,
    /// Actions that one operator becomes.
    pub ways: usize,
    /// Bytes of the domain.
    pub bytes: usize,
    /// How deep conditions may be nested.
    pub depth: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            facts: 200_000,
            action: 2_000,
            ways: 5_000,
            bytes: 32 << 20,
            depth: 200,
        }
    }
}

/// Why a task has no classical form.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Inexpressible {
    /// No goal.
    #[error("a classical problem has a goal, and this one has none")]
    NoGoal,
    /// A metric to maximise.
    #[error("a classical problem minimises its cost, and this one maximises it")]
    Maximised,
    /// A cost below zero.
    #[error("a classical action has no negative cost, and `{action}` has one of {cost}")]
    NegativeCost {
        /// What costs it.
        action: String,
        /// The cost.
        cost: i64,
    },
    /// Live delayed effects whose order is part of the state.
    #[error("live effects that are kept in a list have no classical form")]
    LiveList,
    /// Too large.
    #[error("{what} becomes too large: more than {limit} {unit}")]
    TooLarge {
        /// What of it.
        what: String,
        /// The limit.
        limit: u64,
        /// Of what.
        unit: &'static str,
    },
}

impl Inexpressible {
    /// Whether the metric is the reason.
    pub const fn is_about_the_metric(&self) -> bool {
        matches!(self, Self::Maximised)
    }

    /// What can be done about it.
    pub const fn advice(&self) -> &'static str {
        match self {
            Self::NoGoal => "add a `:goal`",
            Self::Maximised => "minimise what is lost instead",
            Self::NegativeCost { .. } => "write the metric so that every action costs at least 0",
            Self::LiveList => "keep them as a set: `(:live-effects set)`",
            Self::TooLarge { .. } => "leave out what the problem does not need, or split it",
        }
    }
}

/// Writes a task.
///
/// # Errors
///
/// See [`Inexpressible`].
pub fn export(task: &Task, limits: &Limits) -> Result<Classical, Inexpressible> {
    let Some(goal) = &task.goal else {
        return Err(Inexpressible::NoGoal);
    };
    if task.metric == Metric::NegatedCost {
        return Err(Inexpressible::Maximised);
    }
    if task.live.is_some() {
        return Err(Inexpressible::LiveList);
    }
    let mut names = Names::default();
    let done = names.add("done");
    let mut writer = Writer {
        task,
        limits,
        fresh: State::new(task, limits.facts),
        places: Vec::new(),
        chosen: Vec::new(),
        facts: Vec::new(),
        names,
        actions: Names::default(),
        text: String::new(),
    };
    let rows = writer.rows();
    let tick = writer.tick()?;
    let over = over(task);
    let check = if over == Cond::False {
        0
    } else {
        rows.len() + tick.len()
    };
    if check > 0 {
        let place = writer.names.add("check");
        writer.places.push(place);
    }
    writer.facts = names::of_facts(task, &mut writer.names);
    for row in &rows {
        writer.row(row)?;
    }
    writer.write_tick(rows.len(), &tick, check)?;
    if check > 0 {
        let mut state = writer.fresh.fresh();
        let goes_on = state.cond(&over).negated();
        writer.action("go-on", check, 0, &goes_on, &state, &Extra::default())?;
    }
    let mut state = writer.fresh.fresh();
    let cond = Cond::all([goal.clone(), task.fail.clone().negated()]);
    let reached = state.cond(&cond);
    let extra = Extra {
        adds: vec![done.clone()],
        ..Extra::default()
    };
    writer.action("finish", check, check, &reached, &state, &extra)?;
    let derived = writer.derived()?;
    Ok(Classical {
        domain: writer.domain(&done, &derived),
        problem: writer.problem(&done, check),
    })
}

/// When a task is over without its goal.
fn over(task: &Task) -> Cond {
    let late = task.horizon.zip(task.clock).map(|(horizon, clock)| {
        let horizon = Expr::Constant(horizon.into());
        let clock = Expr::Variable(clock);
        Cond::Compare(Comparison::GreaterOrEqual, clock.into(), horizon.into())
    });
    Cond::any([task.fail.clone(), late.unwrap_or(Cond::False)])
}

/// One of the actions that make a timestep.
enum Row {
    /// The agent chooses, and does it.
    Act(usize),
    /// The agent to move does.
    Move,
    /// The agent chooses, in the state at the start of the step.
    Choose(usize),
    /// What it has chosen is done.
    Do(usize),
}

/// What an action needs and does besides the state of the task.
#[derive(Default)]
struct Extra {
    needs: Vec<String>,
    adds: Vec<String>,
    deletes: Vec<String>,
    cost: i64,
}

struct Writer<'a> {
    task: &'a Task,
    limits: &'a Limits,
    fresh: State<'a>,
    /// Where in a timestep things stand, in order.
    places: Vec<String>,
    /// For each operator the fact that it was chosen, where that is one.
    chosen: Vec<String>,
    /// For each variable and each value the fact; of two values only for the second.
    facts: Vec<Vec<String>>,
    names: Names,
    actions: Names,
    /// The actions so far.
    text: String,
}

impl<'a> Writer<'a> {
    /// The rows before the tick.
    fn rows(&mut self) -> Vec<Row> {
        let agents = 0..self.task.agents.len();
        let rows: Vec<Row> = match self.task.turns {
            TurnMode::Alternate => vec![Row::Move],
            TurnMode::Simultaneous if agents.len() > 1 => {
                let chosen = self.task.operators.iter();
                let names = chosen.map(|operator| format!("chosen {}", self.title(operator)));
                let names: Vec<String> = names.collect();
                self.chosen = names.iter().map(|name| self.names.add(name)).collect();
                agents
                    .clone()
                    .map(Row::Choose)
                    .chain(agents.map(Row::Do))
                    .collect()
            }
            TurnMode::Simultaneous | TurnMode::Sequential => agents.map(Row::Act).collect(),
        };
        for row in &rows {
            let agent = |agent: usize| match &*self.task.agents[agent].name {
                "" => "agent".to_owned(),
                name => name.to_owned(),
            };
            let place = match row {
                Row::Move => "turn".to_owned(),
                Row::Act(one) => format!("turn-of {}", agent(*one)),
                Row::Choose(one) => format!("choice-of {}", agent(*one)),
                Row::Do(one) => format!("action-of {}", agent(*one)),
            };
            let place = self.names.add(&place);
            self.places.push(place);
        }
        rows
    }

    /// What an operator is called.
    fn title(&self, operator: &Operator) -> String {
        let agent = &self.task.agents[usize::from(operator.agent)].name;
        if agent.is_empty() || operator.name.split(' ').any(|word| word == agent) {
            operator.name.clone()
        } else {
            format!("{} {agent}", operator.name)
        }
    }

    fn row(&mut self, row: &Row) -> Result<(), Inexpressible> {
        let place = self.row_place(row);
        for (index, operator) in self.task.operators.iter().enumerate() {
            let of = match row {
                Row::Move => usize::from(operator.agent),
                Row::Act(agent) | Row::Choose(agent) | Row::Do(agent) => *agent,
            };
            if usize::from(operator.agent) != of {
                continue;
            }
            let title = self.title(operator);
            let mut state = self.fresh.fresh();
            let tests = operator.tests.iter().copied().map(Cond::Fact);
            let cond = Cond::all(tests.chain([operator.guard.clone()]));
            let mut extra = Extra::default();
            match row {
                Row::Choose(_) => {
                    let possible = state.cond(&cond);
                    extra.adds.push(self.chosen[index].clone());
                    let title = format!("choose {title}");
                    self.action(&title, place, place + 1, &possible, &state, &extra)?;
                }
                Row::Act(_) | Row::Move | Row::Do(_) => {
                    let mut possible = state.cond(&cond);
                    if matches!(row, Row::Do(_)) {
                        possible = Formula::True;
                        extra.needs.push(self.chosen[index].clone());
                        extra.deletes.push(self.chosen[index].clone());
                    }
                    for (cond, state) in self.ways(&operator.effect, &possible, &title)? {
                        self.action(&title, place, place + 1, &cond, &state, &extra)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// What an effect does, in cases where it would be too large at once.
    fn ways(
        &self,
        effect: &Effect,
        possible: &Formula,
        title: &str,
    ) -> Result<Vec<(Formula, State<'a>)>, Inexpressible> {
        let mut start = self.fresh.fresh();
        start.assume(possible);
        let mut state = start.clone();
        let applied = state.apply(effect);
        if applied.is_ok() && state.size() <= self.limits.action {
            return Ok(vec![(possible.clone(), state)]);
        }
        let ways = start.ways(effect, possible, self.limits.ways);
        match (applied, ways) {
            (_, Ok(Some(ways))) => Ok(ways),
            (Ok(()), _) => Ok(vec![(possible.clone(), state)]),
            (Err(stop), _) => Err(self.stopped(stop, title)),
        }
    }

    fn row_place(&self, row: &Row) -> usize {
        match row {
            Row::Move => 0,
            Row::Act(agent) | Row::Choose(agent) => *agent,
            Row::Do(agent) => self.task.agents.len() + agent,
        }
    }

    /// What the actions of the tick do.
    fn tick(&mut self) -> Result<Vec<State<'a>>, Inexpressible> {
        let mut parts = Vec::new();
        let mut state = self.fresh.fresh();
        for phase in &self.task.tick {
            match phase {
                Phase::Effect { effect, .. } => {
                    state = self.then(state, &mut parts, true, |state| state.apply(effect))?;
                }
                Phase::Timers => state = self.timers(state, &mut parts)?,
            }
        }
        if let Some(clock) = self.task.clock {
            state = self.then(state, &mut parts, true, |state| state.count(clock))?;
        }
        parts.push(state);
        for _ in &parts {
            let place = self.names.add("tick");
            self.places.push(place);
        }
        Ok(parts)
    }

    /// Writes the actions of the tick, which begins at the place `first` and leads to `after`.
    fn write_tick(
        &mut self,
        first: usize,
        parts: &[State<'_>],
        after: usize,
    ) -> Result<(), Inexpressible> {
        let last = parts.len() - 1;
        for (index, part) in parts.iter().enumerate() {
            let place = first + index;
            let next = if index == last { after } else { place + 1 };
            let extra = Extra {
                cost: i64::from(index == last && self.task.metric == Metric::Makespan),
                ..Extra::default()
            };
            self.action("tick", place, next, &Formula::True, part, &extra)?;
        }
        Ok(())
    }

    /// Does one more thing in the last action of the tick, or in a new one if it does not fit there.
    fn then<'s>(
        &self,
        state: State<'s>,
        parts: &mut Vec<State<'s>>,
        may_split: bool,
        apply: impl Fn(&mut State<'s>) -> Result<(), Stop>,
    ) -> Result<State<'s>, Inexpressible> {
        let mut next = state.clone();
        let applied = apply(&mut next);
        let fits = applied.is_ok() && (!may_split || next.size() <= self.limits.action);
        if fits || !may_split || state.is_unchanged() {
            return applied
                .map(|()| next)
                .map_err(|stop| self.stopped(stop, "the tick"));
        }
        let mut fresh = state.fresh();
        parts.push(state);
        apply(&mut fresh).map_err(|stop| self.stopped(stop, "the tick"))?;
        Ok(fresh)
    }

    fn timers<'s>(
        &self,
        mut state: State<'s>,
        parts: &mut Vec<State<'s>>,
    ) -> Result<State<'s>, Inexpressible> {
        // A delayed effect that another starts does not advance at the same tick. Where that may be,
        // all advance in one action, which knows what was live when it began.
        let mut written = Bits::default();
        for timer in &self.task.timers {
            timer.effect.writes(&self.task.variables, &mut written);
        }
        let starts = |timer: &Timer| {
            let mut own = Bits::default();
            own.variable(&self.task.variables[timer.variable.index()]);
            written.meets(&own)
        };
        let together = self.task.timers.iter().any(starts);
        if together && !state.is_unchanged() {
            let fresh = state.fresh();
            parts.push(std::mem::replace(&mut state, fresh));
        }
        let before = state.clone();
        for timer in &self.task.timers {
            state = self.then(state, parts, !together, |state| {
                let start = if together {
                    before.clone()
                } else {
                    state.clone()
                };
                state.advance(timer, &start)
            })?;
        }
        Ok(state)
    }

    fn stopped(&self, stop: Stop, what: &str) -> Inexpressible {
        match stop {
            Stop::List => Inexpressible::LiveList,
            Stop::TooLarge | Stop::Stale => self.too_large(what),
        }
    }

    fn too_large(&self, what: &str) -> Inexpressible {
        Inexpressible::TooLarge {
            what: format!("`{what}`"),
            limit: self.limits.facts,
            unit: "facts in its conditions",
        }
    }
}
