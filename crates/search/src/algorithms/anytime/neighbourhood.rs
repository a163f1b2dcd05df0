//! The best plan in the neighbourhood of a plan (H. Nakhost and M. Müller, "Action elimination and
//! plan neighborhood graph search", ICAPS 2010).
//!
//! The states of the plan are stored, and around all of them at once what steps lead to, breadth
//! first, until there are so many. From each of these the plan may go on anywhere: where its
//! choices from some point on lead to the goal, what they pass through is stored too. That leaves
//! out detours whose traces remain to the end (a timer that was started, a thing that lies
//! elsewhere), so that no state after them is one of the plan. The best way through what is stored
//! is then found by Dijkstra's algorithm. The plan itself is such a way, so what is found is no
//! worse.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::ControlFlow;

use crate::control::{NODES_PER_POLL, StopReason};
use crate::heuristics::Estimate;
use crate::space::expand::Expander;
use crate::space::node_kind::{NodeKind, node_kind};
use crate::space::search_space::Space;
use crate::space::state_table::{Reached, StateTable};
use crate::space::words::hash;
use brigade_task::effect::Record;
use brigade_task::{OperatorId, State, StateBuf};

/// Worse than any way.
const NOT_REACHED: (i64, u32) = (i64::MAX, u32::MAX);
/// The plan may go on from so many of the states around it, those next to it first;
const MOST_TRIED: u32 = 100_000;
/// that is tried so often in all, each place in the plan by itself.
const MOST_TRIES: u64 = 10_000_000;

/// A node that a plan passes through.
pub(crate) struct Waypoint {
    /// The half-step.
    pub(crate) half: usize,
    /// The state.
    pub(crate) state: StateBuf,
    /// The operators chosen there: one, or one of each agent with simultaneous turns; none at the
    /// end.
    pub(crate) chosen: Vec<OperatorId>,
}

/// The end of the best plan among `most` states, about, around those of a plan, the start first.
/// The space holds the start alone. `None` where a limit is met before.
pub(crate) fn shorten(
    space: &mut Space,
    expander: &mut Expander,
    path: &[Waypoint],
    most: u64,
) -> Option<u32> {
    let mut around = Around {
        unknown: Reached {
            key: space.keys.number(NOT_REACHED),
            labels: u32::MAX,
        },
        space,
    };
    around.surround(expander, path, most).ok()?;
    around.go_on(path, most).ok()?;
    around.best_way(expander).ok()?
}

/// The nodes that the rest of a plan passes through, one after another.
struct Passed {
    words: usize,
    halves: Vec<usize>,
    /// The words of the states, after those of the one that it began in.
    states: Vec<u64>,
    record: Record,
}

impl Passed {
    fn new(words: usize) -> Self {
        Self {
            words,
            halves: Vec::new(),
            states: Vec::new(),
            record: Record::default(),
        }
    }

    fn begin(&mut self, state: &State) {
        self.halves.clear();
        self.states.clear();
        self.states.extend_from_slice(state.words());
    }

    fn last(&self) -> &State {
        State::from_words(&self.states[self.states.len() - self.words..])
    }

    /// The state of the next node, which is the last one's as yet, and what is to be recorded.
    fn step(&mut self, half: usize) -> (&mut State, &mut Record) {
        let last = self.states.len() - self.words;
        self.halves.push(half);
        self.states.extend_from_within(last..);
        self.record.clear();
        let state = State::from_words_mut(&mut self.states[last + self.words..]);
        (state, &mut self.record)
    }

    fn nodes(&self) -> impl Iterator<Item = (usize, &State)> {
        let states = self.states.chunks_exact(self.words).skip(1);
        self.halves
            .iter()
            .copied()
            .zip(states.map(State::from_words))
    }
}

/// The states around a plan.
struct Around<'s, 'a> {
    space: &'s mut Space<'a>,
    /// The mark of a state to which no way is known.
    unknown: Reached,
}

impl Around<'_, '_> {
    /// Stores what lies around a plan.
    fn surround(
        &mut self,
        expander: &mut Expander,
        path: &[Waypoint],
        most: u64,
    ) -> Result<(), StopReason> {
        for waypoint in path {
            self.store(waypoint.half, &waypoint.state)?;
        }
        let mut state = StateBuf::zeros(self.space.task.words);
        let mut done = vec![0; self.space.tables.len()];
        loop {
            let known: Vec<u32> = self.space.tables.iter().map(StateTable::len).collect();
            if done == known {
                return Ok(());
            }
            for half in 0..known.len() {
                for id in done[half]..known[half] {
                    if self.space.states() >= most {
                        return Ok(());
                    }
                    state.copy_from(self.space.tables[half].state(id));
                    if half == 0 && node_kind(self.space.task, &state) != NodeKind::Interior {
                        continue;
                    }
                    self.count()?;
                    let flow = expander.expand(half, &state, |successor| {
                        self.space.generated += 1;
                        match self.store(successor.half, successor.state) {
                            Ok(()) => ControlFlow::Continue(()),
                            Err(reason) => ControlFlow::Break(reason),
                        }
                    });
                    if let ControlFlow::Break(reason) = flow {
                        return Err(reason);
                    }
                }
            }
            done = known;
        }
    }

    /// Stores what the plan passes through where it goes on from states around it, those next to it
    /// first, until so many more are stored, or it was tried often enough.
    fn go_on(&mut self, path: &[Waypoint], most: u64) -> Result<(), StopReason> {
        let mut tries = MOST_TRIES;
        let most = self.space.states().saturating_add(most);
        let mut passed = Passed::new(self.space.task.words);
        for half in 0..self.space.tables.len() {
            let places = (0..path.len()).filter(|&place| path[place].half == half);
            let places: Vec<usize> = places.collect();
            for id in 0..self.space.tables[half].len().min(MOST_TRIED) {
                self.count()?;
                for &place in &places {
                    if tries == 0 || self.space.states() >= most {
                        return Ok(());
                    }
                    tries -= 1;
                    passed.begin(self.space.tables[half].state(id));
                    if self.follow(&path[place..], &mut passed) {
                        for (half, state) in passed.nodes() {
                            self.store(half, state)?;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Makes the choices of the rest of a plan one by one. Returns whether that leads to the goal,
    /// or to a state that is known.
    fn follow(&mut self, rest: &[Waypoint], passed: &mut Passed) -> bool {
        let task = self.space.task;
        for (waypoint, next) in rest.iter().zip(rest.iter().skip(1)) {
            let state = passed.last();
            let may_choose = |&operator: &OperatorId| {
                let agent = task.operator(operator).agent.into();
                task.acting(state).contains(&agent) && task.is_applicable(state, operator)
            };
            if !waypoint.chosen.iter().all(may_choose) {
                return false;
            }
            self.space.generated += 1;
            let (state, record) = passed.step(next.half);
            for &operator in &waypoint.chosen {
                task.act(state, operator, record);
            }
            if next.half == 0 {
                task.tick(state, record);
                match node_kind(task, state) {
                    NodeKind::Interior => {}
                    NodeKind::Final => return true,
                    NodeKind::DeadEnd => return false,
                }
            }
            let words = state.words();
            if self.space.tables[next.half]
                .find(hash(words), words)
                .is_some()
            {
                return true;
            }
        }
        false
    }

    fn store(&mut self, half: usize, state: &State) -> Result<(), StopReason> {
        let (hash, words) = (hash(state.words()), state.words());
        if let Err(place) = self.space.tables[half].find_or_place(hash, words) {
            if let ControlFlow::Break(reason) = self.space.make_room(half) {
                return Err(reason);
            }
            self.space.tables[half].insert_at(place, hash, words, self.unknown, 0);
        }
        Ok(())
    }

    /// Counts a node whose successors are generated, or from which the plan may go on.
    fn count(&mut self) -> Result<(), StopReason> {
        self.space.expanded += 1;
        if self.space.expanded.is_multiple_of(NODES_PER_POLL)
            && let Some(reason) = self.space.control.stop()
        {
            return Err(reason);
        }
        Ok(())
    }

    /// Refuses where what is held does not fit.
    fn check_memory(&self) -> Result<(), StopReason> {
        let bytes = self.space.bytes() + self.space.others.1;
        match self.space.options.memory_limit {
            Some(most) if bytes > most => Err(StopReason::Memory),
            _ => Ok(()),
        }
    }

    /// The end of the best way from the start through what is stored.
    fn best_way(&mut self, expander: &mut Expander) -> Result<Option<u32>, StopReason> {
        let mut state = StateBuf::zeros(self.space.task.words);
        let mut open = BinaryHeap::from([Reverse((Estimate::ZERO, 0, 0))]);
        while let Some(next) = open.pop() {
            let Reverse((so_far, half, id)) = next;
            if so_far != self.so_far(half, id) {
                continue;
            }
            state.copy_from(self.space.tables[half].state(id));
            if half == 0 {
                match node_kind(self.space.task, &state) {
                    NodeKind::Interior => {}
                    NodeKind::Final => return Ok(Some(id)),
                    NodeKind::DeadEnd => continue,
                }
            }
            self.count()?;
            let _: ControlFlow<()> = expander.expand(half, &state, |successor| {
                self.space.generated += 1;
                let (next, words) = (successor.half, successor.state.words());
                let Some(target) = self.space.tables[next].find(hash(words), words) else {
                    return ControlFlow::Continue(());
                };
                let before = ((so_far.first, so_far.makespan), so_far.labels);
                let (key, labels) = self.space.measure.add(before, successor);
                let after = Estimate::ZERO.plus(key.0, key.1, labels);
                if after < self.so_far(next, target) {
                    let key = self.space.keys.number(key);
                    self.space.tables[next].set(target, Reached { key, labels }, id);
                    open.push(Reverse((after, next, target)));
                }
                ControlFlow::Continue(())
            });
            self.space.side_bytes = open.capacity() * size_of_val(&next);
            self.check_memory()?;
        }
        Ok(None)
    }

    fn so_far(&self, half: usize, id: u32) -> Estimate {
        let Reached { key, labels } = self.space.tables[half].reached(id);
        let (first, makespan) = self.space.keys.value(key);
        Estimate::ZERO.plus(first, makespan, labels)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::anytime::testing::task;
    use crate::control::Unlimited;
    use crate::measure::Measure;
    use crate::options::SearchOptions;
    use crate::space::start::Start;
    use brigade_task::PackedTask;

    const LENGTH: usize = 30;

    /// A corridor that is walked along; a sign may be painted anywhere, and stays.
    fn corridor() -> PackedTask {
        let domain = "(define (domain corridor) (:requirements :strips :typing)
            (:types place)
            (:predicates (at ?p - place) (next ?p ?q - place) (painted))
            (:action walk :parameters (?p ?q - place) :precondition (and (at ?p) (next ?p ?q))
              :effect (and (not (at ?p)) (at ?q)))
            (:action paint :effect (painted)))";
        let places: String = (0..=LENGTH).map(|it| format!(" p{it}")).collect();
        let next: String = (0..LENGTH)
            .map(|it| format!(" (next p{it} p{})", it + 1))
            .collect();
        let problem = format!(
            "(define (problem walk) (:domain corridor) (:objects{places} - place)
              (:init (at p0){next}) (:goal (at p{LENGTH})))"
        );
        task(domain, &problem)
    }

    /// The nodes of a plan of one agent, by the names of its operators.
    fn path(task: &PackedTask, names: &[String]) -> Vec<Waypoint> {
        let mut state = task.initial.clone();
        let node = |state: &State, chosen| Waypoint {
            half: 0,
            state: state.to_owned(),
            chosen,
        };
        let mut path = Vec::new();
        for name in names {
            let operator = task.operators.iter().position(|it| it.name == *name);
            let operator = OperatorId(operator.unwrap() as u32);
            path.push(node(&state, vec![operator]));
            task.step(&mut state, &[operator], &mut Record::default())
                .unwrap();
        }
        path.push(node(&state, Vec::new()));
        path
    }

    #[test]
    fn a_detour_is_left_out_though_its_trace_remains_to_the_end() {
        let task = corridor();
        let walk = (0..LENGTH).map(|it| format!("walk p{it} p{}", it + 1));
        let mut names: Vec<String> = walk.collect();
        names.insert(2, "paint".to_owned());
        let path = path(&task, &names);
        let options = SearchOptions::default();
        let start = Start {
            state: &task.initial,
            agent: 0,
        };
        let measure = Measure::new(&task, options.objective);
        let mut space = Space::new(&task, start, &options, &Unlimited, measure);
        // So few states that none of them is beyond the middle, but for those of the plan.
        let most = (path.len() + LENGTH / 3) as u64;
        let goal = shorten(&mut space, &mut Expander::new(&task), &path, most).unwrap();
        let reached = space.tables[0].reached(goal);
        assert_eq!(space.keys.value(reached.key).1 as usize, LENGTH);
    }
}
