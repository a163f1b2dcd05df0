//! A beam over ticks: of the states that can be reached in each tick the most promising lead on
//! (B. T. Lowerre, "The Harpy Speech Recognition System", 1976), several agents choosing in each.
//!
//! Within a tick the agents are expanded one after another, and equal states between them are joined.
//! The states at the end of a tick are ranked by two measures from the delete relaxation (`rank`),
//! computed over the rules of the task; the best of each are kept in turn, as
//! each of them alone fails somewhere. It serves goals and totals with a horizon alike, and proves
//! nothing.

mod choices;
mod layer;
mod rank;

use rustc_hash::FxHashSet;

use super::{EFFORT_PER_STATE, GENERATED_PER_STATE};
use crate::control::Control;
use crate::measure::Measure;
use crate::plans::plan::Plan;
use crate::plans::trace::StepLog;
use crate::space::node_kind::{NodeKind, node_kind};
use crate::space::rest::Rest;
use crate::space::successor::Successor;
use crate::space::words::hash;
use brigade_task::effect::Record;
use brigade_task::rules::Rules;
use brigade_task::successors::SuccessorGenerator;
use brigade_task::{Metric, OperatorId, OperatorKind, PackedTask, State, StateBuf};
use choices::Choices;
use layer::{Age, Choice, Layer, States};
use rank::Ranker;

/// One in this number of the operators with which no relaxed plan of a state starts is tried.
const UNHELPFUL: u64 = 5;
/// The greatest number of partial joint choices that are kept for a node.
const MOST_BETWEEN: usize = 400;
/// The penalty in a rank of a state for each tick since that rank last improved on the way to it, by
/// round: no single one is best everywhere. Measured as the median makespan of eight beams of width
/// 50: with 6 instead of 0.5 the first deliveries of five kitchens take 34, 46, 52, 34, 44 ticks
/// instead of 34, 61, 57, 33, 97; Robotouille's team tasks 1 and 7 get longer by a half.
const AGES: [f64; 2] = [0.5, 6.0];
/// The growth of a rank after which that penalty starts anew. Without it (no end to the growth) the
/// same medians are 34, 72, 73, 33, 134; with 6 they are 35, 50, 56, 33, 58.
const JUMP: f64 = 3.0;

/// The limits of one beam.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    /// The number of nodes of a tick that lead on.
    pub(crate) width: usize,
    pub(crate) ticks: u32,
    /// The effort, in rules looked at.
    pub(crate) effort: u64,
    /// The memory of its layers.
    pub(crate) bytes: usize,
}

/// The first key that a plan is to be less than, and a bound on what the rest from a state adds to it.
#[derive(Clone, Copy)]
pub(crate) struct Aim<'r> {
    pub(crate) first: i64,
    pub(crate) rest: &'r Rest,
}

/// Work done.
#[derive(Clone, Copy)]
pub(crate) struct Work {
    /// The effort, in rules looked at: those of the delete relaxation, and what states take to be generated.
    pub(crate) effort: u64,
    /// The memory of the layers of the last beam.
    pub(crate) layer_bytes: usize,
    /// The numbers of states expanded, generated and ranked.
    pub(crate) expanded: u64,
    pub(crate) generated: u64,
    pub(crate) ranked: u64,
}

/// Beams from one start.
pub(crate) struct TickBeam<'t> {
    task: &'t PackedTask,
    measure: Measure,
    ranker: Ranker<'t>,
    /// The ranker of every second round, where pairs of values are few enough.
    joining: Option<Ranker<'t>>,
    generators: Vec<SuccessorGenerator>,
    /// All bits of a state but those of the clock.
    timeless: Vec<u64>,
    generated: u64,
    expanded: u64,
    layer_bytes: usize,
}

impl<'t> TickBeam<'t> {
    /// `None` where the rules would be too many, or `control` stops.
    pub(crate) fn new(
        task: &'t PackedTask,
        measure: Measure,
        control: &dyn Control,
    ) -> Option<Self> {
        let rules = Rules::new(task, &|| control.stop().is_some())?;
        let sign = match task.metric {
            Metric::NegatedCost => 1.0,
            Metric::Cost | Metric::Makespan => -1.0,
        };
        let mut timeless = vec![u64::MAX; task.words];
        if let Some(clock) = task.clock {
            task.variables[clock.index()].set(State::from_words_mut(&mut timeless), 0);
        }
        Some(Self {
            task,
            measure,
            ranker: Ranker::new(task, &rules, sign),
            joining: Ranker::joining(task, &rules),
            generators: SuccessorGenerator::of_agents(task),
            timeless,
            generated: 0,
            expanded: 0,
            layer_bytes: 0,
        })
    }

    /// The work done so far.
    pub(crate) fn work(&self) -> Work {
        Work {
            effort: self.effort(),
            layer_bytes: self.layer_bytes,
            expanded: self.expanded,
            generated: self.generated,
            ranked: self.rankers().map(|ranker| ranker.evaluated).sum(),
        }
    }

    fn rankers(&self) -> impl Iterator<Item = &Ranker<'t>> {
        std::iter::once(&self.ranker).chain(&self.joining)
    }

    fn effort(&self) -> u64 {
        let ranking: u64 = self.rankers().map(Ranker::effort).sum();
        ranking + self.generated * (EFFORT_PER_STATE / GENERATED_PER_STATE)
    }

    /// Bytes held between two beams.
    pub(crate) fn bytes(&self) -> usize {
        self.rankers().map(Ranker::bytes).sum()
    }

    /// The rounds that differ in more than what they draw.
    pub(crate) const ROUNDS: u64 = AGES.len() as u64;

    /// Returns the best plan that a beam meets within its limits; with an aim, only states are kept from which
    /// it may be reached. Each round draws other operators among those with which no relaxed plan starts, and
    /// weighs the age of ranks in turn otherwise; the first of two ranks by pairs of values.
    pub(crate) fn search(
        &mut self,
        start: &State,
        limits: Limits,
        aim: Option<Aim>,
        round: u64,
        control: &dyn Control,
    ) -> Option<Plan> {
        let task = self.task;
        let Limits { width, ticks, .. } = limits;
        let most = self.effort().saturating_add(limits.effort);
        let mut layers = vec![Layer::start(start)];
        let mut closed = FxHashSet::default();
        let age = AGES[(round % Self::ROUNDS) as usize];
        let mut best: Option<([i64; 2], Vec<Vec<OperatorId>>)> = None;
        let is_over = |beam: &Self| control.stop().is_some() || beam.effort() >= most;
        'ticks: for tick in 0..ticks {
            let layer = &layers[layers.len() - 1];
            self.layer_bytes = layers.iter().map(Layer::bytes).sum();
            let mut next = Layer::new(task.words);
            for node in 0..layer.len() {
                if is_over(self) {
                    break 'ticks;
                }
                self.expanded += 1;
                for (joint, value) in self.expand(layer, node, round, &mut next) {
                    let keys = [value, i64::from(tick) + 1];
                    if best.as_ref().is_none_or(|(known, _)| keys < *known) {
                        let mut joints = joints(&layers, node);
                        joints.push(joint);
                        best = Some((keys, joints));
                    }
                }
            }
            if best.is_some() && self.measure.is_by_makespan() {
                break;
            }
            self.layer_bytes += next.bytes();
            if self.layer_bytes >= limits.bytes {
                break;
            }
            let left = ticks - tick - 1;
            let aim = aim.map(|aim| Aim {
                first: (best.as_ref()).map_or(aim.first, |(keys, _)| aim.first.min(keys[0])),
                ..aim
            });
            for index in 0..next.len() {
                if is_over(self) {
                    break 'ticks;
                }
                let key = (next.nodes[index].value, tick + 1);
                if aim.is_some_and(|aim| aim.rest.after(key, next.state(index)) >= aim.first) {
                    continue;
                }
                self.rank(&mut next, index, (left, round), (layer, age), &mut closed);
            }
            let layer = next.best(width, task.goal.is_none());
            if layer.len() == 0 {
                break;
            }
            layers.push(layer);
        }
        best.map(|(_, joints)| plan_of(task, start, &joints))
    }

    /// Adds the successors of a node to the next layer; returns the joint choices after which a plan ends,
    /// with the first key.
    fn expand(
        &mut self,
        layer: &Layer,
        node: usize,
        round: u64,
        next: &mut Layer,
    ) -> Vec<(Vec<OperatorId>, i64)> {
        let task = self.task;
        let choices = self.choices(layer, node, round);
        let mut ends = Vec::new();
        let mut record = Record::default();
        let mut state = StateBuf::zeros(task.words);
        for (index, value) in choices.values.iter().enumerate() {
            state.copy_from(choices.state(index, task.words));
            record.clear();
            task.tick(&mut state, &mut record);
            let value = layer.nodes[node].value + value + self.first(&record);
            let joint = choices.joint(index);
            match node_kind(task, &state) {
                NodeKind::DeadEnd => {}
                NodeKind::Final => ends.push((joint.to_vec(), value)),
                NodeKind::Interior => next.meet(&state, value, node as u32, joint),
            }
        }
        ends
    }

    /// Ranks a node of the next layer, whose age has this weight.
    fn rank(
        &mut self,
        next: &mut Layer,
        index: usize,
        (left, round): (u32, u64),
        (before, weight): (&Layer, f64),
        closed: &mut FxHashSet<u64>,
    ) {
        let state = next.state(index);
        let timeless: Vec<u64> = (state.words().iter().zip(&self.timeless))
            .map(|(word, mask)| word & mask)
            .collect();
        let is_new = closed.insert(hash(&timeless));
        if !is_new && self.task.goal.is_some() {
            return;
        }
        let ranker = match &mut self.joining {
            Some(joining) if round.is_multiple_of(Self::ROUNDS) => joining,
            _ => &mut self.ranker,
        };
        let Some(rank) = ranker.rank(state, left) else {
            return;
        };
        let node = &mut next.nodes[index];
        node.helpful.clone_from(&ranker.helpful);
        node.is_stale = !is_new;
        let value = node.value as f64;
        let own = [rank.by_operators + value, rank.by_ticks + value];
        let parent = &before.nodes[node.parent as usize];
        for ((age, own), before) in node.ages.iter_mut().zip(own).zip(&parent.ages) {
            *age = before.after(own);
        }
        let weight = if self.task.goal.is_some() {
            weight
        } else {
            0.0
        };
        let ranks = [0, 1].map(|measure| own[measure] + weight * node.ages[measure].ticks);
        node.ranks = Some(ranks);
    }

    /// The joint choices at a node, with the states that they lead to before the tick.
    fn choices(&mut self, layer: &Layer, node: usize, round: u64) -> Choices {
        let task = self.task;
        let words = task.words;
        let before = layer.state(node);
        let helpful = &layer.nodes[node].helpful;
        let mut choices = Choices::start(before);
        let mut found = Vec::new();
        let mut record = Record::default();
        for agent in task.acting(before) {
            let operators = &task.agents[agent].operators;
            let is_guided = operators.iter().any(|operator| helpful.contains(operator));
            let mut next = Choices::empty(choices.agents + 1);
            let mut seen = States::default();
            for index in 0..choices.values.len() {
                let state = choices.state(index, words);
                found.clear();
                let read = task.choice_state(before, state);
                self.generators[agent].applicable(task, read, &mut found);
                for &operator in &found {
                    let is_wanted = !is_guided
                        || helpful.contains(&operator)
                        || task.operator(operator).kind == OperatorKind::Wait
                        || hash(&[hash(state.words()), u64::from(operator.0), round])
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
                }
            }
            next.keep(MOST_BETWEEN, words, round);
            choices = next;
        }
        choices
    }

    /// The increase of the first key.
    fn first(&self, record: &Record) -> i64 {
        self.measure.first(&Successor {
            half: 0,
            ticked: true,
            state: <&State>::default(),
            cost: record.cost,
            log: &record.log,
            operators: &[],
        })
    }
}

/// The joint choices that lead to a node of the last layer.
fn joints(layers: &[Layer], mut node: usize) -> Vec<Vec<OperatorId>> {
    let mut joints = Vec::new();
    for layer in layers[1..].iter().rev() {
        let Choice { parent, joint } = layer.choice(node);
        joints.push(joint.to_vec());
        node = parent as usize;
    }
    joints.reverse();
    joints
}

/// The plan of joint choices from a state.
pub(crate) fn plan_of(task: &PackedTask, start: &State, joints: &[Vec<OperatorId>]) -> Plan {
    let mut plan = Plan::default();
    let mut state = start.to_owned();
    let mut step = StepLog::default();
    let mut record = Record::default();
    for joint in joints {
        let first = task.acting(&state).start as u16;
        record.clear();
        for &operator in joint {
            task.act(&mut state, operator, &mut record);
        }
        task.tick(&mut state, &mut record);
        step.push(
            &Successor {
                half: 0,
                ticked: true,
                state: &state,
                cost: record.cost,
                log: &record.log,
                operators: joint,
            },
            &mut plan,
        );
        step.finish(first, &mut plan);
    }
    plan
}

impl Age {
    /// That of a successor with a rank.
    fn after(self, rank: f64) -> Self {
        if rank < self.rank || rank > self.rank + JUMP {
            Self { rank, ticks: 0.0 }
        } else {
            Self {
                ticks: self.ticks + 1.0,
                ..self
            }
        }
    }
}
