//! The parts of a timestep on Cartesian sets of states: choices, delayed effects, the clock.

use crate::heuristics::cartesian::domains::{contains, insert, values};
use crate::heuristics::cartesian::formula::Formula;
use crate::heuristics::cartesian::model::{Group, Model, Reduced, Timer};
use crate::heuristics::cartesian::progression::{Part, Progression, Read};
use brigade_task::TurnMode;

/// The parts of a timestep.
pub(crate) struct Stepping<'s, 't> {
    model: &'s Model<'t>,
    reduced: &'s Reduced,
    timers_meet: bool,
}

impl<'s, 't> Stepping<'s, 't> {
    pub(crate) fn new(model: &'s Model<'t>, reduced: &'s Reduced) -> Self {
        Self {
            model,
            reduced,
            timers_meet: reduced.timers_meet(),
        }
    }

    /// All agents choose who do so in one timestep from `start`; between two of them parts are joined.
    pub(crate) fn act_all(
        &self,
        progression: &mut Progression,
        start: &[u64],
        parts: &mut Vec<Part>,
    ) {
        let task = self.model.task;
        if let (TurnMode::Alternate, Some(turn)) = (task.turns, task.turn) {
            let mut results = Vec::new();
            let agents = task.agents.len() as u32;
            let movers = self.model.domains.values(start, turn.0);
            for mover in movers.filter(|&mover| mover < agents) {
                let fact = Formula::Fact(turn.0, mover);
                let mut moved = parts.clone();
                moved.retain_mut(|part| progression.assume(part, Read::Now, &fact, true));
                self.act(progression, mover as usize, start, &mut moved);
                results.append(&mut moved);
            }
            *parts = results;
        } else {
            for agent in 0..task.choices_per_step() {
                self.act(progression, agent, start, parts);
                if progression.joined_by.is_none() {
                    progression.merge(parts);
                    progression.choose_followed(parts);
                    progression.work += parts.len() as u64;
                } else if !progression.admits(parts) {
                    return;
                }
            }
        }
    }

    /// One agent chooses.
    fn act(
        &self,
        progression: &mut Progression,
        agent: usize,
        start: &[u64],
        parts: &mut Vec<Part>,
    ) {
        let mut results = Vec::new();
        for part in parts.drain(..) {
            for group in &self.reduced.agents[agent] {
                results.append(&mut self.choose(progression, group, start, &part));
            }
        }
        *parts = results;
    }

    /// Applies an operator.
    pub(crate) fn choose(
        &self,
        progression: &mut Progression,
        group: &Group,
        start: &[u64],
        part: &Part,
    ) -> Vec<Part> {
        let read = match self.model.task.turns {
            TurnMode::Simultaneous => Read::Start(start),
            TurnMode::Sequential | TurnMode::Alternate => Read::Now,
        };
        let truth = progression.truth(&group.precondition, read, part);
        if truth == Some(false) {
            return Vec::new();
        }
        let mut part = part.clone();
        if truth.is_none() && !progression.assume(&mut part, read, &group.precondition, true) {
            return Vec::new();
        }
        if let Some(trace) = &mut part.trace {
            trace.joint.push(group.operator);
        }
        let mut acted = vec![part];
        progression.apply(&group.change, Read::Now, &mut acted);
        self.derive(progression, &mut acted);
        acted
    }

    /// The tick that ends a step.
    pub(crate) fn tick(&self, progression: &mut Progression, parts: &mut Vec<Part>) {
        for phase in &self.reduced.tick {
            match phase {
                Some(change) => progression.apply(change, Read::Now, parts),
                None => self.advance(progression, parts),
            }
            self.derive(progression, parts);
        }
        self.pass(progression, parts);
    }

    /// Advances the clock.
    pub(crate) fn pass(&self, progression: &Progression, parts: &mut [Part]) {
        let Some(clock) = self.model.task.clock else {
            return;
        };
        if !progression.distinguished[clock.index()] {
            return;
        }
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

    /// Advances the delayed effects that were live when the phase began.
    pub(crate) fn advance(&self, progression: &mut Progression, parts: &mut Vec<Part>) {
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
                    let (live, idle) = progression.split(&live, part);
                    next.extend(idle);
                    if let Some(part) = live {
                        if was_live.is_none() {
                            next.push(part.clone());
                        }
                        self.advance_live(progression, timer, part, &mut next);
                    }
                }
                advanced = next;
                if !progression.admits(&mut advanced) {
                    return;
                }
            }
            results.append(&mut advanced);
            if !progression.admits(&mut results) {
                return;
            }
        }
        *parts = results;
    }

    fn advance_live(
        &self,
        progression: &mut Progression,
        timer: &Timer,
        part: Part,
        results: &mut Vec<Part>,
    ) {
        let domains = &self.model.domains;
        let (dropped, mut kept) = progression.split(&timer.dropped_when, part);
        if let Some(mut part) = dropped {
            progression.assign(&mut part, timer.variable, 0);
            results.push(part);
        }
        if timer.every_tick {
            let mut upkept: Vec<Part> = kept.into_iter().collect();
            progression.apply(&timer.change, Read::Now, &mut upkept);
            results.append(&mut upkept);
            return;
        }
        let Some(part) = kept.take() else { return };
        let (running, held) = progression.split(&timer.runs_while, part);
        results.extend(held);
        let Some(mut running) = running else { return };
        let mut due = running.clone();
        let one = Formula::Fact(timer.variable, 1);
        if progression.assume(&mut due, Read::Now, &one, true) {
            progression.assign(&mut due, timer.variable, 0);
            let mut parts = vec![due];
            progression.apply(&timer.change, Read::Now, &mut parts);
            results.append(&mut parts);
        }
        if progression.assume(&mut running, Read::Now, &one, false) {
            if progression.distinguished[timer.variable as usize] {
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
    pub(crate) fn derive(&self, progression: &Progression, parts: &mut [Part]) {
        let domains = progression.domains;
        let is_distinguished = |variable: u32| progression.distinguished[variable as usize];
        for part in parts {
            for (variables, rules) in &self.model.axioms {
                for &variable in variables
                    .iter()
                    .filter(|&&variable| is_distinguished(variable))
                {
                    domains.assign(&mut part.row, variable, 0);
                    domains.mark(&mut part.row, variable);
                }
                let mut has_changed = true;
                while has_changed {
                    has_changed = false;
                    for (body, head) in rules {
                        if !is_distinguished(*head) || domains.single(&part.row, *head) == Some(1) {
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
