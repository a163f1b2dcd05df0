//! The successors of a layer: the agents choose one after another, and where their joint choices are many, only the
//! best lead on between two of them.

use super::choices::Choices;
use super::course::likeliest;
use super::layer::{Layer, States, Way};
use super::pursuit::Pursuit;
use super::rank::Ranked;
use super::{Tick, TickBeam, aged};
use crate::space::node_kind::{NodeKind, node_kind};
use crate::space::words::hash;
use brigade_task::effect::Record;
use brigade_task::{OperatorId, OperatorKind, State, StateBuf};

/// One in this number of the operators with which no relaxed plan of a state starts is tried in every second pair of
/// rounds. Measured: where all rounds try them, the first order of the second level of CookMAS has no plan within 10 s;
/// where none does, it has one of 55 ticks within 3 s.
const UNHELPFUL: u64 = 5;
/// The number of states that lead on between two agents, as a multiple of the width.
const BETWEEN: usize = 2;
/// By promise so many states between two agents all lead on, where there are no more agents: a promise costs less than a
/// rank. Measured: without it 280, 280, 200 and 140 are gained in 32 s and 400 steps of `asymmetric_advantages`,
/// `coordination_ring`, `forced_coordination` and `counter_circuit`, else 400, 340, 320 and 140. Where three agents are
/// cut to as many by promise, 5 instead of 6 orders of a kitchen of CuisineWorld are served within 10 s.
const UNCUT: usize = 16;

impl TickBeam<'_> {
    /// Adds the successors of a layer to the next one; `keep` has those joint choices after which a plan ends, with
    /// the way to their end. Returns false if `is_over` does.
    pub(super) fn expand(
        &mut self,
        layer: &Layer,
        at: Tick<'_>,
        next: &mut Layer,
        is_over: &dyn Fn(u64) -> bool,
        keep: &mut dyn FnMut(usize, Way, &[OperatorId]),
    ) -> bool {
        let task = self.task;
        let most = at.width.saturating_mul(BETWEEN);
        let uncut = match (at.pursuit, at.choosing) {
            (Pursuit::Promise, 2) => at.width.saturating_mul(UNCUT),
            _ => most,
        };
        let mut choices = Choices::start(layer);
        while choices.agents < at.choosing {
            let is_last = choices.agents + 1 == at.choosing;
            let Some(more) = self.choices(layer, &choices, at, is_over) else {
                return false;
            };
            choices = more;
            if !is_last && choices.len() > uncut {
                if !self.rank_choices(layer, &mut choices, at, is_over) {
                    return false;
                }
                choices.keep(most, layer, at.pursuit);
            }
        }
        let mut record = Record::default();
        let mut state = StateBuf::zeros(task.words);
        for (index, value) in choices.values.iter().enumerate() {
            state.copy_from(choices.state(index));
            record.clear();
            task.tick(&mut state, &mut record);
            let parent = choices.parents[index];
            let joint = choices.joint(index);
            let value = value + self.first(&record);
            let way = at
                .course
                .after(task, layer.nodes[parent as usize].way, value, joint);
            match node_kind(task, &state) {
                NodeKind::DeadEnd => {}
                NodeKind::Final => keep(parent as usize, way, joint),
                NodeKind::Interior => {
                    next.meet(&state, way, parent, joint);
                }
            }
        }
        true
    }

    /// Adds the successor of a node by a joint choice to the next layer, and returns it; `None` where that is not
    /// applicable or the last.
    pub(super) fn follow(
        &self,
        layer: &Layer,
        node: usize,
        joint: &[OperatorId],
        at: Tick<'_>,
        next: &mut Layer,
    ) -> Option<usize> {
        let task = self.task;
        let before = layer.state(node);
        let mut state = before.to_owned();
        let mut record = Record::default();
        if joint.len() != at.choosing {
            return None;
        }
        for &operator in joint {
            if !task.is_applicable(task.choice_state(before, &state), operator) {
                return None;
            }
            task.act(&mut state, operator, &mut record);
        }
        task.tick(&mut state, &mut record);
        let way = (at.course).after(task, layer.nodes[node].way, self.first(&record), joint);
        match node_kind(task, &state) {
            NodeKind::DeadEnd | NodeKind::Final => None,
            NodeKind::Interior => Some(next.meet(&state, way, node as u32, joint)),
        }
    }

    /// Ranks the states between two agents, from each of which relaxed plans lead on. Returns false if `is_over` does.
    fn rank_choices(
        &mut self,
        layer: &Layer,
        choices: &mut Choices,
        at: Tick<'_>,
        is_over: &dyn Fn(u64) -> bool,
    ) -> bool {
        let states: Vec<&State> = (0..choices.len()).map(|it| choices.state(it)).collect();
        let Some(ranks) = self.ranks(&states, at, at.left + 1, is_over) else {
            return false;
        };
        for (index, found) in ranks.into_iter().enumerate() {
            let Some(Ranked { rank, helpful }) = found else {
                choices.helpful[index].clear();
                continue;
            };
            choices.helpful[index] = helpful;
            let parent = &layer.nodes[choices.parents[index] as usize];
            let value = at.pursuit.beside_ranks(choices.value(index, layer));
            choices.ranks[index] = Some(aged(rank, value, &parent.ages, at.weight).0);
        }
        true
    }

    /// The choices of one more agent, with the states that they lead to before the tick. `None` if `is_over`, or if
    /// they take too many bytes.
    fn choices(
        &mut self,
        layer: &Layer,
        choices: &Choices,
        at: Tick<'_>,
        is_over: &dyn Fn(u64) -> bool,
    ) -> Option<Choices> {
        let task = self.task;
        let words = task.words;
        let round = at.course.round;
        let draws = match at.pursuit {
            Pursuit::Conjuncts => !round.is_multiple_of(2),
            _ => (round / Self::ROUNDS).is_multiple_of(2),
        };
        let is_last = choices.agents + 1 == at.choosing;
        let passed = task.choices_per_step() - at.choosing;
        let held = self.layer_bytes + choices.bytes();
        let mut next = Choices::empty(choices.agents + 1, words);
        let mut seen = States::default();
        let mut found = Vec::new();
        let mut record = Record::default();
        for index in 0..choices.len() {
            if is_over(self.effort()) || held + next.bytes() >= at.bytes {
                return None;
            }
            let parent = choices.parents[index];
            if index == 0 || parent != choices.parents[index - 1] {
                seen = States::default();
            }
            let before = layer.state(parent as usize);
            let state = choices.state(index);
            let helpful = &choices.helpful[index];
            let agent = task.acting(before).start + passed + choices.agents;
            let operators = &task.agents[agent].operators;
            let is_guided = operators.iter().any(|operator| helpful.contains(operator));
            found.clear();
            let read = task.choice_state(before, state);
            self.generators[agent].applicable(task, read, &mut found);
            if at.course.is_online && task.agents[agent].nature.is_some() {
                let likeliest = likeliest(task, read, agent);
                found.retain(|&operator| Some(operator) == likeliest);
            }
            for &operator in &found {
                let is_wanted = !is_guided
                    || helpful.contains(&operator)
                    || task.operator(operator).kind == OperatorKind::Wait
                    || draws
                        && hash(&[hash(state.words()), u64::from(operator.0), round])
                            .is_multiple_of(UNHELPFUL);
                if !is_wanted {
                    continue;
                }
                self.generated += 1;
                record.clear();
                let first = next.states.len();
                next.states.extend_from_slice(state.words());
                let after = State::from_words_mut(&mut next.states[first..]);
                task.act(after, operator, &mut record);
                let value = choices.values[index] + self.first(&record);
                if !seen.insert(&next.states, first / words, words)
                    && value >= choices.values[index]
                {
                    next.states.truncate(first);
                    continue;
                }
                next.joints.extend_from_slice(choices.joint(index));
                next.joints.push(operator);
                next.values.push(value);
                next.parents.push(parent);
                next.helpful
                    .push(if is_last { Vec::new() } else { helpful.clone() });
                next.ranks.push(None);
            }
        }
        Some(next)
    }
}
