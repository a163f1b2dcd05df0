//! A beam over ticks: of the states that can be reached in each tick the most promising lead on
//! (B. T. Lowerre, "The Harpy Speech Recognition System", 1976), several agents choosing in each.
//!
//! Within a tick the agents are expanded one after another, and equal states between them are joined.
//! The states at the end of a tick are ranked by two measures from the delete relaxation (`rank`),
//! computed over the rules of the task; the best of each are kept in turn, as
//! each of them alone fails somewhere. It serves goals and totals with a horizon alike, and proves
//! nothing.

mod ahead;
mod choices;
mod course;
mod expansion;
mod goal_conjuncts;
mod known_ranks;
mod layer;
mod passing;
mod pursuit;
mod rank;
mod rankers;

use std::num::NonZeroUsize;

use rustc_hash::FxHashSet;

use super::{EFFORT_PER_STATE, GENERATED_PER_STATE};
use crate::control::Control;
use crate::heuristics::delete_relaxation::cases::by_cases;
use crate::heuristics::delete_relaxation::traps::without_traps;
use crate::measure::{Key, Measure};
use crate::plans::plan::Plan;
use crate::plans::trace::StepLog;
use crate::space::rest::Rest;
use crate::space::start::Start;
use crate::space::successor::Successor;
use crate::space::words::hash;
pub(crate) use ahead::Ahead;
use brigade_task::effect::Record;
use brigade_task::rules::Rules;
use brigade_task::successors::SuccessorGenerator;
use brigade_task::{Metric, OperatorId, PackedTask, State};
pub(crate) use course::idle_operator;
use course::{Course, End};
use layer::{Age, Choice, Layer, Way};
use pursuit::{PARTS, Pursuit};
use rank::{Rank, Ranked, Ranker};
use rankers::Rankers;

/// The penalty in a rank of a state for each tick since that rank last improved on the way to it, by
/// round: no single one is best everywhere. Measured as the median makespan of eight beams of width
/// 50: with 6 instead of 0.5 the first deliveries of five kitchens take 34, 46, 52, 34, 44 ticks
/// instead of 34, 61, 57, 33, 97; Robotouille's team tasks 1 and 7 get longer by a half. The greater one comes first, and
/// without pairs of values: in `counter_circuit` it leads to a plan of 63 ticks in 0.8 s, the other, with them, to one of
/// 602 in 10 s; in an evening of CookMAS of 6 dishes to one of 66 in 3 s, the other to none.
const AGES: [f64; 2] = [6.0, 0.5];
/// The same toward a goal of several conjuncts, for each pair of rounds. Measured: a rush of CookMAS has a plan of 33 ticks
/// after 4.5 s; if 6 comes first, without pairs of values, of 83 after 8.3 s.
const AGES_TO_CONJUNCTS: [f64; 2] = [0.5, 6.0];
/// The same toward the next gain. Measured: beams of width 25 to 100 gain 160, 180 and 100 in 400 steps of three
/// kitchens; with 0.5 in every second of them, 140, 180 and 100; with 15, 140, 180 and 100.
const AGE_TO_A_GAIN: f64 = 6.0;
/// The growth of a rank after which that penalty starts anew. Without it (no end to the growth) the
/// same medians are 34, 72, 73, 33, 134; with 6 they are 35, 50, 56, 33, 58.
const JUMP: f64 = 3.0;
/// Known ranks may take one part in so many of the memory for layers. Not tuned.
const KNOWN_SHARE: usize = 4;

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

/// The first key that a plan is to be less than, the greatest where any will do, and a bound on what the rest from a
/// state adds to it.
#[derive(Clone, Copy)]
pub(crate) struct Aim<'r> {
    pub(crate) first: i64,
    pub(crate) rest: &'r Rest,
}

/// The properties that the nodes of a tick share.
#[derive(Clone, Copy)]
struct Tick<'r> {
    course: Course,
    pursuit: Pursuit,
    /// A bound on what the rest adds to the first key.
    rest: Option<&'r Rest>,
    width: usize,
    /// The number of ticks after it to the end of the task.
    left: u32,
    /// The number of agents who have yet to choose.
    choosing: usize,
    /// The weight of the age of ranks.
    weight: f64,
    /// Bytes that all layers and the choices of a tick may take.
    bytes: usize,
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
    rankers: Rankers<'t>,
    /// Those of every second round, where pairs of values are few enough.
    joining: Option<Rankers<'t>>,
    generators: Vec<SuccessorGenerator>,
    /// All bits of a state but those of the clock.
    timeless: Vec<u64>,
    generated: u64,
    expanded: u64,
    layer_bytes: usize,
}

impl<'t> TickBeam<'t> {
    /// Beams whose states so many threads rank. `None` where the rules would be too many, or `control` stops.
    pub(crate) fn new(
        task: &'t PackedTask,
        measure: Measure,
        threads: NonZeroUsize,
        control: &dyn Control,
    ) -> Option<Self> {
        let rules = Rules::new(task, &|| control.stop().is_some())?;
        let rules = by_cases(without_traps(rules, task), task);
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
            rankers: Rankers::new(Ranker::new(task, &rules, sign), threads),
            joining: Ranker::joining(task, &rules).map(|ranker| Rankers::new(ranker, threads)),
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
            ranked: self.both().map(Rankers::evaluated).sum(),
        }
    }

    fn both(&self) -> impl Iterator<Item = &Rankers<'t>> {
        std::iter::once(&self.rankers).chain(&self.joining)
    }

    fn both_mut(&mut self) -> impl Iterator<Item = &mut Rankers<'t>> {
        std::iter::once(&mut self.rankers).chain(&mut self.joining)
    }

    fn effort(&self) -> u64 {
        let ranking: u64 = self.both().map(Rankers::effort).sum();
        ranking + self.generated * (EFFORT_PER_STATE / GENERATED_PER_STATE)
    }

    /// Bytes held between two beams.
    pub(crate) fn bytes(&self) -> usize {
        self.both().map(Rankers::bytes).sum()
    }

    /// The rounds that differ in more than what they draw.
    pub(crate) const ROUNDS: u64 = AGES.len() as u64;

    /// Returns the best plan that a beam meets within its limits; with an aim, only states are kept from which
    /// it may be reached. Toward a goal, the two rounds of a pair weigh the age of ranks differently, and where pairs of
    /// values are few enough, the second of the two ranks by them. Every second pair of rounds tries only operators with
    /// which relaxed plans start; the others draw some of the rest as well. The states along a plan that is known stay
    /// in the beam, which so cannot fall behind it. Toward a goal of several conjuncts it is every second round that
    /// tries only such operators, and every second pair that weighs the age more.
    pub(crate) fn search(
        &mut self,
        start: &State,
        known: Option<&Plan>,
        limits: Limits,
        aim: Option<Aim>,
        round: u64,
        control: &dyn Control,
    ) -> Option<Plan> {
        let task = self.task;
        let course = Course::new(limits.ticks, round);
        let start = Start {
            state: start,
            agent: 0,
        };
        let operators = known.iter().flat_map(|plan| &plan.steps);
        let operators: Vec<OperatorId> = operators.map(|step| step.operator).collect();
        let seed = operators.chunks(task.choices_per_step());
        let seed: Vec<_> = seed.map(<[OperatorId]>::to_vec).collect();
        let (_, best) = self.layers(start, &seed, limits, aim, course, control);
        best.map(|best| plan_of(task, start.state, &best.joints))
    }

    /// Returns the layers of a beam, and the best plan that it meets. The states along `seed`, joint choices from the
    /// start, stay in it. It ends early where `control` or its limits stop it.
    fn layers(
        &mut self,
        start: Start,
        seed: &[Vec<OperatorId>],
        limits: Limits,
        aim: Option<Aim>,
        course: Course,
        control: &dyn Control,
    ) -> (Vec<Layer>, Option<End>) {
        let task = self.task;
        let Limits { width, ticks, .. } = limits;
        let most = self.effort().saturating_add(limits.effort);
        for rankers in self.both_mut() {
            rankers.keep_within(limits.bytes / KNOWN_SHARE);
        }
        let before = self.bytes();
        let mut layers = vec![Layer::start(start.state)];
        let mut closed = FxHashSet::default();
        let has_potentials = aim.is_some_and(|aim| aim.rest.has_potentials());
        let pursuit = course.pursuit(task, has_potentials, self.rankers.have_conjuncts());
        let weight = match pursuit {
            Pursuit::Goal => AGES[(course.round % Self::ROUNDS) as usize],
            Pursuit::Conjuncts => AGES_TO_CONJUNCTS[(course.round / Self::ROUNDS % 2) as usize],
            Pursuit::Promise | Pursuit::NextGain => AGE_TO_A_GAIN,
            Pursuit::Gains => 0.0,
        };
        let mut best: Option<End> = None;
        let mut followed = Some(0);
        let is_over = |effort| control.stop().is_some() || effort >= most;
        'ticks: for tick in 0..ticks {
            let layer = &layers[layers.len() - 1];
            self.layer_bytes = layers.iter().map(Layer::bytes).sum();
            self.layer_bytes += self.bytes().saturating_sub(before);
            let mut next = Layer::new(task.words);
            let left = course.left - tick - 1;
            self.expanded += layer.len() as u64;
            let passed = if tick == 0 { start.agent } else { 0 };
            let at = Tick {
                course,
                pursuit,
                rest: aim.map(|aim| aim.rest),
                choosing: task.choices_per_step() - passed,
                width,
                left,
                weight,
                bytes: limits.bytes,
            };
            let mut keep = |node, way: Way, joint: &[OperatorId]| {
                let keys = (way.value, i64::from(tick) + 1, way.tie);
                if best.as_ref().is_none_or(|known| keys < known.keys) {
                    let mut joints = joints(&layers, node);
                    joints.push(joint.to_vec());
                    best = Some(End { keys, joints });
                }
            };
            if !self.expand(layer, at, &mut next, &is_over, &mut keep) {
                break 'ticks;
            }
            if best.is_some() && self.measure.is_by_makespan() {
                break;
            }
            let joint = seed.get(tick as usize);
            let kept = followed
                .zip(joint)
                .and_then(|(node, joint)| self.follow(layer, node, joint, at, &mut next));
            self.layer_bytes += next.bytes();
            if self.layer_bytes >= limits.bytes {
                break;
            }
            let aim = aim.map(|aim| Aim {
                first: (best.as_ref()).map_or(aim.first, |best| aim.first.min(best.keys.0)),
                ..aim
            });
            if let Some(aim) = aim {
                for index in 0..next.len() {
                    let key = (next.nodes[index].way.value, tick + 1);
                    let promise = aim.rest.after(key, 0, next.state(index));
                    let fine_promise = at.fine_promise(key, next.state(index));
                    let node = &mut next.nodes[index];
                    node.promise = promise;
                    node.fine_promise = fine_promise.unwrap_or(promise);
                }
            }
            let first = aim.map_or(i64::MAX, |aim| aim.first);
            if !self.rank(&mut next, layer, at, (first, kept), &mut closed, &is_over) {
                break 'ticks;
            }
            let (layer, kept) = next.best(width, pursuit, kept);
            followed = kept;
            if layer.len() == 0 {
                break;
            }
            closed.extend((0..layer.len()).map(|node| self.closed_key(&layer, node, pursuit)));
            let is_over = course.is_online && layer.is_over();
            layers.push(layer);
            if is_over {
                break;
            }
        }
        (layers, best)
    }

    /// Ranks the nodes of the next layer that promise less than `first` and may be among the best, and the one that is
    /// kept. Returns false if `is_over` does.
    fn rank(
        &mut self,
        next: &mut Layer,
        before: &Layer,
        at: Tick<'_>,
        (first, kept): (i64, Option<usize>),
        closed: &mut FxHashSet<u64>,
        is_over: &dyn Fn(u64) -> bool,
    ) -> bool {
        let mut ranked = Vec::new();
        for index in 0..next.len() {
            if next.nodes[index].promise >= first {
                continue;
            }
            let key = self.closed_key(next, index, at.pursuit);
            // Toward a goal or the next gain a state leads on only once, but for those of a plan that is known; one that
            // was left out may be met again.
            let is_new = match at.pursuit {
                Pursuit::Goal | Pursuit::Conjuncts | Pursuit::Promise | Pursuit::NextGain => {
                    !closed.contains(&key)
                }
                Pursuit::Gains => closed.insert(key),
            };
            if is_new || kept == Some(index) || at.pursuit == Pursuit::Gains {
                next.nodes[index].is_stale = !is_new;
                ranked.push(index);
            }
        }
        next.retain_eligible(&mut ranked, at.width, at.pursuit, kept);
        let states: Vec<&State> = ranked.iter().map(|&index| next.state(index)).collect();
        let Some(ranks) = self.ranks(&states, at, at.left, is_over) else {
            return false;
        };
        for (index, found) in ranked.into_iter().zip(ranks) {
            let Some(Ranked { rank, helpful }) = found else {
                continue;
            };
            let node = &mut next.nodes[index];
            node.helpful = helpful;
            node.is_over = rank.is_over;
            let parent = &before.nodes[node.parent as usize];
            let value = at.pursuit.beside_ranks(node.way.value);
            let (ranks, ages) = aged(rank, value, &parent.ages, at.weight);
            node.ages = ages;
            node.ranks = Some(ranks);
        }
        true
    }

    /// The ranks of states with so many ticks left. Every second round, and all toward a goal of several conjuncts, rank by
    /// pairs of values, where there are any.
    /// `None` if `is_over`.
    fn ranks(
        &mut self,
        states: &[&State],
        at: Tick<'_>,
        left: u32,
        is_over: &dyn Fn(u64) -> bool,
    ) -> Option<Vec<Option<Ranked>>> {
        let all = self.effort();
        let rankers = match &mut self.joining {
            Some(joining)
                if at.pursuit == Pursuit::Conjuncts
                    || !at.course.round.is_multiple_of(Self::ROUNDS) =>
            {
                joining
            }
            _ => &mut self.rankers,
        };
        let others = all - rankers.effort();
        rankers.rank(states, left, at.pursuit, &|effort| is_over(others + effort))
    }

    /// A hash of a node at any tick; where gains come first, with what is gained.
    fn closed_key(&self, layer: &Layer, node: usize, pursuit: Pursuit) -> u64 {
        let key = self.timeless(layer.state(node));
        match pursuit.before_ranks(layer.nodes[node].way.value) {
            0 => key,
            gained => hash(&[key, gained as u64]),
        }
    }

    /// A hash of a state at any tick.
    fn timeless(&self, state: &State) -> u64 {
        let words = state.words().iter().zip(&self.timeless);
        let words: Vec<u64> = words.map(|(word, mask)| word & mask).collect();
        hash(&words)
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

impl Tick<'_> {
    /// The promise of a state with this key before it is rounded, where states are preferred by that.
    fn fine_promise(&self, key: Key, state: &State) -> Option<i64> {
        let rest = self.rest.filter(|_| self.pursuit == Pursuit::Promise)?;
        rest.after_in_parts(key, state, PARTS)
    }
}

/// A rank by both measures beside a value so far, with its age where that weighs so much; and the ages.
fn aged(rank: Rank, value: i64, before: &[Age; 2], weight: f64) -> ([f64; 2], [Age; 2]) {
    let value = value as f64;
    let own = [rank.by_operators + value, rank.by_ticks + value];
    let ages = [0, 1].map(|measure| before[measure].after(own[measure]));
    let ranks = [0, 1].map(|measure| own[measure] + weight * ages[measure].ticks);
    (ranks, ages)
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
