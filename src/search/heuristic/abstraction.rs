//! Domain abstractions: each variable's values fall into classes, and an abstract state is a class
//! of each variable.
//!
//! I. Hernádvölgyi and R. Holte, "Experiments with automatically created memory-based heuristics",
//! SARA 2000. A projection (J. Culberson and J. Schaeffer, "Pattern databases", Computational
//! Intelligence 14, 1998) is the case where each variable has one class, or one for each value.
//!
//! The successors of an abstract state are those of all states in it, and perhaps more: the agents'
//! choices and the tick are applied to the Cartesian set that it stands for, as the task does to a
//! state, and every abstract state that meets the result is a successor, with at most the cost and
//! the labels. So every path of the task has an abstract path that is no worse, goal states lie in
//! abstract goal states, and abstract distances to the goal are admissible. They are consistent,
//! because a step from `s` to `t` is an abstract step from the one's class to the other's.

use super::domains::{Mark, contains, insert, values};
use super::formula::Formula;
use super::interpret::{Interpreter, Part, Read, Trace};
use super::model::{Model, Reduced, Timer};
use super::sphere::Sphere;
use crate::task::TurnMode;

/// More successors of one abstract state than this are not listed.
const MOST_TARGETS: usize = 1 << 16;

/// One more than the greatest number of a sphere's row.
pub(super) const KNOWN: Number = 1 << 12;

/// Numbers an abstract state.
pub(super) type Number = u128;

/// For each variable the classes of its values.
pub(super) type Classes = Vec<Vec<Box<[u64]>>>;

/// An abstraction and what it needs to generate successors.
pub(super) struct Abstraction<'a, 't> {
    pub(super) model: &'a Model<'t>,
    pub(super) classes: Classes,
    is_told_apart: Vec<bool>,
    reduced: Reduced,
    /// Variables that other agents may change unseen during a step; empty if all are followed.
    shifting: Vec<bool>,
    /// The agent that alone acts, if one does.
    pub(super) focus: Option<&'a mut Sphere>,
    /// The variables with more than one class, and what a class counts in a number.
    told_apart: Vec<(u32, Number)>,
    /// For each variable and value the class.
    class_of: Vec<Vec<u32>>,
    /// Grows with the work done.
    pub(super) work: u64,
}

/// What a step leads to, at least.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Step {
    pub(super) target: Number,
    /// What the agent that is followed supplies others with.
    pub(super) supplies: u64,
    pub(super) cost: i64,
    pub(super) labels: u32,
}

/// A step leads to too many abstract states, or there are too many to number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooLarge;

/// The classes of an abstraction that tells nothing apart.
pub(super) fn trivial_classes(model: &Model) -> Classes {
    (0..model.task.variables.len() as u32)
        .map(|variable| {
            let size = model.domains.size(variable);
            let mut set = vec![0; size.div_ceil(64) as usize];
            for value in 0..size {
                insert(&mut set, value);
            }
            vec![set.into()]
        })
        .collect()
}

impl<'a, 't> Abstraction<'a, 't> {
    /// Follows all agents; or one, of whose foreign variables it then knows what its sphere says.
    /// Those have one class each.
    pub(super) fn new(
        model: &'a Model<'t>,
        classes: Classes,
        focus: Option<&'a mut Sphere>,
    ) -> Result<Self, TooLarge> {
        let mut is_told_apart: Vec<bool> =
            classes.iter().map(|classes| classes.len() > 1).collect();
        if let Some(sphere) = &focus {
            for (is_told_apart, concerns) in is_told_apart.iter_mut().zip(&sphere.concerns) {
                *is_told_apart |= concerns;
            }
        }
        let reduced = model.reduced(&is_told_apart);
        let mut told_apart = Vec::new();
        let mut states: Number = if focus.is_some() { KNOWN } else { 1 };
        for (classes, variable) in classes.iter().zip(0..) {
            if classes.len() > 1 {
                told_apart.push((variable, states));
                states = states
                    .checked_mul(classes.len() as Number)
                    .ok_or(TooLarge)?;
            }
        }
        let class_of = classes
            .iter()
            .zip(0..)
            .map(|(classes, variable)| {
                let mut class_of = vec![0; model.domains.size(variable) as usize];
                for (class, number) in classes.iter().zip(0..) {
                    for value in values(class) {
                        class_of[value as usize] = number;
                    }
                }
                class_of
            })
            .collect();
        Ok(Self {
            model,
            classes,
            is_told_apart,
            reduced,
            shifting: focus
                .as_ref()
                .map_or_else(Vec::new, |sphere| sphere.is_red.clone()),
            focus,
            told_apart,
            class_of,
            work: 0,
        })
    }

    /// The number of the abstract state of a state.
    pub(super) fn number(&mut self, state: &[u64]) -> Number {
        let variables = &self.model.task.variables;
        let parts = self.told_apart.iter().map(|&(variable, factor)| {
            let value = variables[variable as usize].get(state);
            factor * Number::from(self.class_of[variable as usize][value as usize])
        });
        let classes: Number = parts.sum();
        let known = match &mut self.focus {
            Some(sphere) => sphere.known(self.model, state),
            None => 0,
        };
        Number::from(known) + classes
    }

    /// Whether a state lies in the classes of an abstract state.
    pub(super) fn has_classes(&mut self, number: Number, state: &[u64]) -> bool {
        let rows = if self.focus.is_some() { KNOWN } else { 1 };
        self.number(state) / rows == number / rows
    }

    /// What is known of foreign variables in an abstract state.
    fn known(&self, number: Number) -> u32 {
        if self.focus.is_some() {
            (number % KNOWN) as u32
        } else {
            0
        }
    }

    /// For each variable that is told apart: it, and for each value what it adds to the number.
    pub(super) fn lookup(&self) -> Vec<(u32, Box<[Number]>)> {
        let tables = self.told_apart.iter().map(|&(variable, factor)| {
            let classes = self.class_of[variable as usize].iter();
            let table = classes.map(|&class| factor * Number::from(class)).collect();
            (variable, table)
        });
        tables.collect()
    }

    /// The class of a variable in an abstract state.
    pub(super) fn class(&self, number: Number, variable: u32) -> &[u64] {
        let classes = &self.classes[variable as usize];
        let told_apart = self
            .told_apart
            .iter()
            .find(|&&(other, _)| other == variable);
        let class = told_apart.map_or(0, |&(_, factor)| number / factor % classes.len() as Number);
        &classes[class as usize]
    }

    /// The Cartesian set of an abstract state.
    pub(super) fn row(&self, number: Number) -> Box<[u64]> {
        let domains = &self.model.domains;
        let mut row = vec![0; domains.row_words()];
        for (classes, variable) in self.classes.iter().zip(0..) {
            domains
                .get_mut(&mut row, variable)
                .copy_from_slice(&classes[0]);
        }
        for &(variable, factor) in &self.told_apart {
            let classes = &self.classes[variable as usize];
            let class = (number / factor % classes.len() as Number) as usize;
            domains
                .get_mut(&mut row, variable)
                .copy_from_slice(&classes[class]);
        }
        if let Some(sphere) = &self.focus {
            sphere.look(self.model, self.known(number), &mut row);
        }
        row.into()
    }

    /// Whether the goal may hold, and failure is not certain.
    pub(super) fn may_be_goal(&self, row: &[u64]) -> bool {
        self.model.goal.truth(&self.model.domains, row) != Some(false) && !self.is_dead(row)
    }

    /// Whether failure is certain.
    pub(super) fn is_dead(&self, row: &[u64]) -> bool {
        self.model.fail.truth(&self.model.domains, row) == Some(true)
    }

    /// The successors of an abstract state, each once with its least cost and labels.
    pub(super) fn successors(
        &mut self,
        number: Number,
        row: &[u64],
        steps: &mut Vec<Step>,
    ) -> Result<(), TooLarge> {
        steps.clear();
        let parts = self.step(number, row, None)?;
        for part in &parts {
            self.targets(part, steps)?;
        }
        steps.sort_unstable();
        steps.dedup_by_key(|step| (step.target, step.supplies));
        Ok(())
    }

    /// A part of the step from one abstract state to another that takes least for granted that does
    /// not hold in `actual`.
    pub(super) fn explain(
        &mut self,
        number: Number,
        row: &[u64],
        target: Number,
        actual: &[u64],
    ) -> Result<Option<Box<Trace>>, TooLarge> {
        let mut best: Option<Box<Trace>> = None;
        let mut steps = Vec::new();
        for part in self.step(number, row, Some(actual))? {
            steps.clear();
            self.targets(&part, &mut steps)?;
            if let Some(trace) = part.trace
                && steps.iter().any(|step| step.target == target)
                && best
                    .as_ref()
                    .is_none_or(|best| trace.violated.len() < best.violated.len())
            {
                best = Some(trace);
            }
        }
        Ok(best)
    }

    /// All abstract states that a part meets.
    fn targets(&self, part: &Part, steps: &mut Vec<Step>) -> Result<(), TooLarge> {
        let first = steps.len();
        steps.push(Step {
            target: Number::from(part.known),
            supplies: part.supplies,
            cost: part.cost,
            labels: part.labels,
        });
        for &(variable, factor) in &self.told_apart {
            let set = self.model.domains.get(&part.row, variable);
            let last = steps.len();
            let mut counted = None;
            for (class, number) in self.classes[variable as usize].iter().zip(0 as Number..) {
                if !class.iter().zip(set).any(|(a, b)| a & b != 0) {
                    continue;
                }
                if let Some(base) = counted {
                    for index in first..last {
                        let mut step = steps[index];
                        step.target += factor * (number - base);
                        steps.push(step);
                    }
                } else {
                    counted = Some(number);
                    for step in &mut steps[first..last] {
                        step.target += factor * number;
                    }
                }
            }
            if steps.len() > MOST_TARGETS {
                return Err(TooLarge);
            }
        }
        Ok(())
    }

    /// One timestep from a Cartesian set; with a trace of what is not so in `actual`.
    fn step(
        &mut self,
        number: Number,
        start: &[u64],
        actual: Option<&[u64]>,
    ) -> Result<Vec<Part>, TooLarge> {
        let task = self.model.task;
        let domains = &self.model.domains;
        let traced;
        let reduced = if actual.is_some() {
            traced = self.model.traced(&self.is_told_apart);
            &traced
        } else {
            &self.reduced
        };
        let mut interpreter = Interpreter {
            domains,
            told_apart: &self.is_told_apart,
            shifting: &self.shifting,
            actual: actual.unwrap_or_default(),
            variables: &task.variables,
            classes: &self.classes,
            negated: self.model.negated,
            work: 0,
            has_overflowed: false,
        };
        let trace = actual.map(|_| Box::<Trace>::default());
        let mut parts = vec![Part::new(start.into(), trace)];
        parts[0].known = self.known(number);
        let stepping = Stepping {
            model: self.model,
            reduced,
            timers_meet: reduced.timers_meet(),
        };
        if let (TurnMode::Alternate, Some(turn)) = (task.turns, task.turn) {
            let mut results = Vec::new();
            let agents = task.agents.len() as u32;
            for mover in domains
                .values(start, turn.0)
                .filter(|&mover| mover < agents)
            {
                let mut part = parts[0].clone();
                let fact = Formula::Fact(turn.0, mover);
                if interpreter.assume(&mut part, Read::Now, &fact, true) {
                    let mut moved = vec![part];
                    stepping.act(&mut interpreter, mover as usize, start, &mut moved);
                    results.append(&mut moved);
                }
            }
            parts = results;
        } else {
            let agents = match &self.focus {
                Some(sphere) => sphere.agent()..sphere.agent() + 1,
                None => 0..task.choices_per_step(),
            };
            for agent in agents {
                stepping.act(&mut interpreter, agent, start, &mut parts);
                interpreter.merge(&mut parts);
            }
            if let Some(sphere) = &mut self.focus {
                for part in &mut parts {
                    sphere.hand_over(self.model, part);
                }
            }
        }
        if actual.is_none() {
            for part in &mut parts {
                domains.clear_marks(&mut part.row, Mark::Step);
                domains.clear_marks(&mut part.row, Mark::Snapshot);
            }
        }
        interpreter.merge(&mut parts);
        stepping.tick(&mut interpreter, &mut parts);
        self.work += interpreter.work;
        if interpreter.has_overflowed {
            return Err(TooLarge);
        }
        Ok(parts)
    }
}

/// The parts of a timestep.
struct Stepping<'s, 't> {
    model: &'s Model<'t>,
    reduced: &'s Reduced,
    timers_meet: bool,
}

impl Stepping<'_, '_> {
    /// One agent chooses.
    fn act(
        &self,
        interpreter: &mut Interpreter,
        agent: usize,
        start: &[u64],
        parts: &mut Vec<Part>,
    ) {
        let read = match self.model.task.turns {
            TurnMode::Simultaneous => Read::Start(start),
            TurnMode::Sequential | TurnMode::Alternate => Read::Now,
        };
        let mut results = Vec::new();
        for part in parts.drain(..) {
            for group in &self.reduced.agents[agent] {
                let truth = interpreter.truth(&group.precondition, read, &part);
                if truth == Some(false) {
                    continue;
                }
                let mut part = part.clone();
                if truth.is_none()
                    && !interpreter.assume(&mut part, read, &group.precondition, true)
                {
                    continue;
                }
                if let Some(trace) = &mut part.trace {
                    trace.joint.push(group.operator);
                }
                let mut acted = vec![part];
                interpreter.apply(&group.change, Read::Now, &mut acted);
                self.derive(interpreter, &mut acted);
                results.append(&mut acted);
            }
        }
        *parts = results;
    }

    fn tick(&self, interpreter: &mut Interpreter, parts: &mut Vec<Part>) {
        for phase in &self.reduced.tick {
            match phase {
                Some(change) => interpreter.apply(change, Read::Now, parts),
                None => self.advance(interpreter, parts),
            }
            self.derive(interpreter, parts);
        }
        if let Some(clock) = self.model.task.clock
            && interpreter.told_apart[clock.index()]
        {
            let last = self.model.domains.size(clock.0) - 1;
            for part in parts {
                let set = self.model.domains.get_mut(&mut part.row, clock.0);
                let old: Vec<u32> = values(set).collect();
                set.fill(0);
                for value in old {
                    insert(set, (value + 1).min(last));
                }
                self.model.domains.mark(&mut part.row, clock.0);
            }
        }
    }

    /// Advances the delayed effects that were live when the phase began.
    fn advance(&self, interpreter: &mut Interpreter, parts: &mut Vec<Part>) {
        if self.reduced.timers.is_empty() {
            return;
        }
        let domains = &self.model.domains;
        let mut results = Vec::new();
        for part in parts.drain(..) {
            let before = part.row.clone();
            let mut advanced = vec![part];
            for timer in &self.reduced.timers {
                let live = Formula::Not(Box::new(Formula::Fact(timer.variable, 0)));
                let was_live = live.truth(domains, &before);
                if was_live == Some(false) {
                    continue;
                }
                let mut next = Vec::new();
                for part in advanced {
                    // Only an effect of another timer can have made it live since.
                    let was_live = if self.timers_meet {
                        was_live
                    } else {
                        Some(true)
                    };
                    let (live, idle) = interpreter.split(&live, part);
                    next.extend(idle);
                    if let Some(part) = live {
                        if was_live.is_none() {
                            next.push(part.clone());
                        }
                        self.advance_live(interpreter, timer, part, &mut next);
                    }
                }
                advanced = next;
            }
            results.append(&mut advanced);
        }
        *parts = results;
    }

    fn advance_live(
        &self,
        interpreter: &mut Interpreter,
        timer: &Timer,
        part: Part,
        results: &mut Vec<Part>,
    ) {
        let domains = &self.model.domains;
        let (dropped, mut kept) = interpreter.split(&timer.dropped_when, part);
        if let Some(mut part) = dropped {
            interpreter.assign(&mut part, timer.variable, 0);
            results.push(part);
        }
        if timer.every_tick {
            let mut upkept: Vec<Part> = kept.into_iter().collect();
            interpreter.apply(&timer.change, Read::Now, &mut upkept);
            results.append(&mut upkept);
            return;
        }
        let Some(part) = kept.take() else { return };
        let (running, held) = interpreter.split(&timer.runs_while, part);
        results.extend(held);
        let Some(mut running) = running else { return };
        let mut due = running.clone();
        let one = Formula::Fact(timer.variable, 1);
        if interpreter.assume(&mut due, Read::Now, &one, true) {
            interpreter.assign(&mut due, timer.variable, 0);
            let mut parts = vec![due];
            interpreter.apply(&timer.change, Read::Now, &mut parts);
            results.append(&mut parts);
        }
        if interpreter.assume(&mut running, Read::Now, &one, false) {
            if interpreter.told_apart[timer.variable as usize] {
                let set = domains.get_mut(&mut running.row, timer.variable);
                let old: Vec<u32> = values(set).collect();
                set.fill(0);
                for value in old {
                    insert(set, value.saturating_sub(1));
                }
            }
            domains.mark(&mut running.row, timer.variable);
            results.push(running);
        }
    }

    /// Computes the derived variables.
    ///
    /// Rules are monotone in the variables of their layer. A variable may come out true if some
    /// body may hold, with the variables before it as they may be; and does, if some body does.
    fn derive(&self, interpreter: &Interpreter, parts: &mut [Part]) {
        let domains = interpreter.domains;
        let is_told_apart = |variable: u32| interpreter.told_apart[variable as usize];
        for part in parts {
            for (variables, rules) in &self.model.axioms {
                for &variable in variables
                    .iter()
                    .filter(|&&variable| is_told_apart(variable))
                {
                    domains.assign(&mut part.row, variable, 0);
                    domains.mark(&mut part.row, variable);
                }
                let mut has_changed = true;
                while has_changed {
                    has_changed = false;
                    for (body, head) in rules {
                        if !is_told_apart(*head) || domains.single(&part.row, *head) == Some(1) {
                            continue;
                        }
                        let new: &[u32] = match body.truth(domains, &part.row) {
                            Some(false) => continue,
                            Some(true) => &[1],
                            None if contains(domains.get(&part.row, *head), 1) => continue,
                            None => &[0, 1],
                        };
                        let set = domains.get_mut(&mut part.row, *head);
                        set.fill(0);
                        for &value in new {
                            insert(set, value);
                        }
                        has_changed = true;
                    }
                }
            }
        }
    }
}
