//! Lower bounds from projections to single agents, and from the landmarks that agents await of each
//! other.
//!
//! Every agent has a `view`: its own part of the task exactly, while the others help as they can. A
//! view alone is too optimistic, because help costs nothing there and is there at once. So for a
//! landmark that another agent must achieve (`landmark_delays`) the time of the achiever and the
//! rest of the way of the waiting agent are added.
//!
//! Admissible: an abstract state of a view allows every step of the agent that a state in it
//! allows, events and timers included, and leads to an abstract state of the successor. With
//! several agents this holds whatever the others do, since the red facts include all that they can
//! bring about. So the ticks and the labels of one agent's steps along a plan are at least its
//! distance. While a landmark is missing the agent stays in the space without it, for as many ticks
//! as the achiever needs at least, or one less if the step in which the landmark comes true may use
//! it; labels of two agents are different labels, so those of agent and achiever add up.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use brigade_task::State;
use rustc_hash::FxHashMap;

use super::landmark::Landmark;
use super::landmark_delays::{AchieverSpace, DelayedSpace, MOST_AWAITED};
use super::red_black_task::RedBlackTask;
use super::relaxed_plan::RelaxedPlan;
use super::tracking::Stores;
use super::view::{NOWHERE, View};
use crate::control::Control;
use crate::heuristics::Estimate;
use crate::heuristics::abstractions::table::Limits;
use crate::heuristics::cartesian::facts::Fact;
use crate::heuristics::cartesian::model::Model;
use crate::heuristics::cartesian::numbering::Number;
use crate::measure::Measure;
use brigade_task::layout::Variable;

/// Abstract states of one view, at most, however much memory there is. Measured: 27 of 30 kitchens of
/// Collab-Overcooked have fewer than 50,000, the largest that was seen 496,496; where the first million do not reach
/// the goal, six million took six seconds and gave nothing.
const MOST_STATES: usize = 1_000_000;
/// Bytes that all views may take where memory is not limited; elsewhere half of the limit.
const DEFAULT_BYTES: usize = 3_000_000_000;
/// Bytes that an abstract state takes while views and all that is made of them are built, about.
const STATE_BYTES: usize = 500;
/// Steps between abstract states of one view that are looked at for each state it may have, at
/// most; one takes some 25 ns.
const WORK_PER_STATE: usize = 100;
/// A space without a landmark is worth its cost if it is no larger than this share of the view:
/// else the agent can do much before it needs the landmark, and waits little.
const MOST_OF_VIEW: (usize, usize) = (1, 2);
/// Tasks with more agents are not looked at from each agent's side.
const MOST_AGENTS: usize = 8;
/// The time between two polls of the control.
const POLL: Duration = Duration::from_millis(50);
/// Landmarks of one agent that are looked at, at most.
const MOST_CANDIDATES: usize = 16;
/// Landmarks are distinguished by the bits of a word.
const MOST_LANDMARKS: usize = 64;

/// The inputs of the construction.
#[derive(Clone, Copy)]
struct Context<'a> {
    model: &'a Model<'a>,
    start: &'a State,
    measure: Measure,
    /// Abstract states of one view, at most.
    most_states: usize,
    is_stopped: &'a AtomicBool,
}

/// An agent, its view and the landmarks it awaits.
struct Member {
    red_black: RedBlackTask,
    view: View,
    demands: Vec<Demand>,
    /// By classes and red set: the place in the view, and in the space without each landmark.
    found: FxHashMap<(Number, u32), Box<[u32]>>,
}

/// The landmarks that one agent awaits of another.
struct Demand {
    /// The agent that achieves them.
    achiever: usize,
    awaited: Vec<AwaitedLandmark>,
    achiever_space: AchieverSpace,
}

/// A landmark that an agent awaits.
struct AwaitedLandmark {
    /// Any of these shows that it is there.
    facts: Vec<(Variable, u32)>,
    delayed: DelayedSpace,
    /// True if it can be used in the step in which it comes true: by the agent, who acts after the
    /// achiever, or by the tick.
    is_used_at_once: bool,
}

/// Lower bounds from the views of single agents.
#[derive(Default)]
pub(crate) struct Agents {
    members: Vec<Member>,
    /// True if the makespan is the most important key.
    by_makespan: bool,
    /// For each member its places in the state that is estimated.
    places: Vec<Box<[u32]>>,
}

impl Agents {
    /// Without members where agents do not act in every step or have nothing to themselves, or
    /// where their views are too large. Where some agent has none, or nothing to do in it, views are built only if
    /// `are_poor_wanted`; `None` if they are not.
    pub(crate) fn new(
        model: &Model,
        start: &State,
        measure: Measure,
        memory_limit: Option<usize>,
        are_poor_wanted: &mut dyn FnMut() -> bool,
        control: &dyn Control,
    ) -> Option<Self> {
        let is_stopped = AtomicBool::new(false);
        let bytes = memory_limit.map_or(DEFAULT_BYTES, |limit| limit / 2);
        let share = bytes / STATE_BYTES / model.task.agents.len().max(1);
        let context = Context {
            model,
            start,
            measure,
            most_states: share.min(MOST_STATES),
            is_stopped: &is_stopped,
        };
        // Views follow the tick exactly, but know no order of live effects.
        let is_ordered = model.task.live.is_some();
        let members = if model.task.agents.len() <= MOST_AGENTS && !is_ordered {
            context.members(are_poor_wanted, control)?
        } else if are_poor_wanted() {
            Vec::new()
        } else {
            return None;
        };
        Some(Self {
            places: vec![Box::default(); members.len()],
            members,
            by_makespan: measure.is_by_makespan(),
        })
    }

    /// Returns whether there is nothing to estimate with.
    pub(crate) const fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    pub(crate) fn estimate(&mut self, model: &Model, state: &State) -> Estimate {
        for (member, places) in self.members.iter_mut().zip(&mut self.places) {
            member.find(model, state, places);
        }
        let mut greatest = Estimate::ZERO;
        let mut labels = 0;
        for (member, places) in self.members.iter().zip(&self.places) {
            if places[0] == NOWHERE {
                continue;
            }
            let own = member.view.estimate(places[0]);
            if own == Estimate::DEAD {
                return own;
            }
            greatest = greatest.max(own);
            if !self.by_makespan {
                continue;
            }
            let mut needed = member.view.least_labels(places[0]);
            let mut delayed = &places[1..];
            for demand in &member.demands {
                let (own, others) = delayed.split_at(demand.awaited.len());
                delayed = others;
                let place = self.place_of(demand.achiever);
                if place == NOWHERE {
                    continue;
                }
                let (ticks, more) = demand.estimate(state, own, place);
                if ticks == u32::MAX {
                    return Estimate::DEAD;
                }
                if ticks > greatest.makespan {
                    greatest = Estimate::ZERO.plus(0, ticks, 0);
                }
                needed = needed.saturating_add(more);
            }
            labels = labels.max(needed);
        }
        greatest.labels = greatest.labels.max(labels);
        greatest
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        self.members.iter().map(Member::bytes).sum()
    }

    /// The place of the state in the view of an agent.
    fn place_of(&self, agent: usize) -> u32 {
        let mut members = self.members.iter().zip(&self.places);
        let found = members.find(|(member, _)| member.red_black.agent() == agent);
        found.map_or(NOWHERE, |(_, places)| places[0])
    }
}

impl Context<'_> {
    /// Bytes that the steps of one view may take.
    const fn most_bytes(self) -> usize {
        self.most_states * STATE_BYTES
    }

    const fn most_work(self) -> u64 {
        (self.most_states * WORK_PER_STATE) as u64
    }

    fn members(
        self,
        are_poor_wanted: &mut dyn FnMut() -> bool,
        control: &dyn Control,
    ) -> Option<Vec<Member>> {
        let plan = RelaxedPlan::new(self.model, self.start, control);
        let agents = 0..self.model.task.agents.len();
        let mut red_blacks: Vec<Option<RedBlackTask>> = Vec::new();
        for agent in agents.clone() {
            if control.stop().is_some() {
                return Some(Vec::new());
            }
            let red_black = RedBlackTask::new(self.model, agent, self.start, Stores::ButOne, &plan);
            red_blacks.push(red_black);
        }
        let mut landmarks: Vec<Landmark> = Vec::new();
        if self.measure.is_by_makespan() {
            for red_black in red_blacks.iter().flatten() {
                let found = red_black.landmarks(self.model, self.start, &plan, control);
                landmarks.extend(found.into_iter().take(MOST_CANDIDATES));
            }
            landmarks.truncate(MOST_LANDMARKS);
        }
        // Else views would be built with some of the landmarks.
        if control.stop().is_some() {
            return Some(Vec::new());
        }
        let may_be_idle = |red_black: &RedBlackTask| red_black.may_be_idle(self.model, self.start);
        let mut each = red_blacks.iter();
        if each.any(|red_black| red_black.as_ref().is_none_or(may_be_idle)) && !are_poor_wanted() {
            return None;
        }
        let views = self.parallel(control, &mut red_blacks, |agent, red_black| {
            let red_black = red_black.as_mut()?;
            red_black.watch(&landmarks);
            red_black.settle(self.model, &landmarks);
            self.view(agent, red_black, &landmarks, &plan)
        });
        let mut demands = self.parallel(control, &mut red_blacks, |agent, red_black| {
            let (Some(_), Some(view)) = (red_black, &views[agent]) else {
                return Vec::new();
            };
            let achievers = agents.clone().filter(|&achiever| achiever != agent);
            achievers
                .filter_map(|achiever| self.demand(agent, view, achiever, &views, &landmarks))
                .collect()
        });
        let mut members = Vec::new();
        for ((red_black, view), demands) in red_blacks.into_iter().zip(views).zip(&mut demands) {
            if let (Some(red_black), Some(view)) = (red_black, view) {
                members.push(Member {
                    red_black,
                    view: view.without_steps(),
                    demands: std::mem::take(demands),
                    found: FxHashMap::default(),
                });
            }
        }
        Some(members)
    }

    /// Maps each item on a thread of its own, until `control` says stop. The results do not depend
    /// on how they are scheduled.
    fn parallel<T: Send, R: Send>(
        self,
        control: &dyn Control,
        items: &mut [T],
        map: impl Fn(usize, &mut T) -> R + Sync,
    ) -> Vec<R> {
        let map = &map;
        thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel::<()>();
            let mut handles = Vec::new();
            for (index, item) in items.iter_mut().enumerate() {
                let sender = sender.clone();
                handles.push(scope.spawn(move || {
                    let result = map(index, item);
                    drop(sender);
                    result
                }));
            }
            drop(sender);
            // Nothing is sent: the channel closes when the last thread is done.
            while receiver.recv_timeout(POLL) == Err(RecvTimeoutError::Timeout) {
                if control.stop().is_some() {
                    self.is_stopped.store(true, Ordering::Relaxed);
                }
            }
            let joined = handles.into_iter().map(|handle| {
                handle
                    .join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            });
            joined.collect()
        })
    }

    /// The view of an agent; with fewer variables of its own if it is too large with all.
    fn view(
        self,
        agent: usize,
        red_black: &mut RedBlackTask,
        landmarks: &[Landmark],
        plan: &RelaxedPlan,
    ) -> Option<View> {
        let limits = Limits {
            states: self.most_states,
            bytes: self.most_bytes(),
            work: self.most_work(),
            is_stopped: &|| self.is_stopped.load(Ordering::Relaxed),
        };
        let view = View::new(self.model, red_black, self.start, self.measure, limits);
        if view.is_some() || self.is_stopped.load(Ordering::Relaxed) {
            return view;
        }
        *red_black = RedBlackTask::new(self.model, agent, self.start, Stores::All, plan)?;
        red_black.watch(landmarks);
        red_black.settle(self.model, landmarks);
        View::new(self.model, red_black, self.start, self.measure, limits)
    }

    /// The landmarks that an agent awaits of another, where that one alone can achieve them.
    fn demand(
        self,
        agent: usize,
        view: &View,
        achiever: usize,
        views: &[Option<View>],
        landmarks: &[Landmark],
    ) -> Option<Demand> {
        let achieving = views[achiever].as_ref()?;
        let most_places = view.len() * MOST_OF_VIEW.0 / MOST_OF_VIEW.1;
        let is_stopped = || self.is_stopped.load(Ordering::Relaxed);
        let mut bits = Vec::new();
        let mut awaited = Vec::new();
        let achievable = achieving.achievable();
        let read_by_tick = self.model.read_by_tick();
        for (landmark, bit) in landmarks.iter().zip(0_u32..) {
            if (landmark.agent, landmark.achiever) != (agent, achiever)
                || achievable >> bit & 1 == 0
                || awaited.len() == MOST_AWAITED
            {
                continue;
            }
            if let Some(delayed) = DelayedSpace::new(view, 1 << bit, most_places, &is_stopped) {
                let variables = &self.model.task.variables;
                let shown = landmark.hidden.iter();
                let facts =
                    shown.map(|&(variable, value)| (variables[variable as usize].clone(), value));
                bits.push(bit);
                let is_read = |&(variable, _): &Fact| read_by_tick[variable as usize];
                awaited.push(AwaitedLandmark {
                    facts: facts.collect(),
                    is_used_at_once: achiever < agent || landmark.hidden.iter().any(is_read),
                    delayed,
                });
            }
        }
        if awaited.is_empty() {
            return None;
        }
        Some(Demand {
            achiever,
            achiever_space: AchieverSpace::new(achieving, &bits, &is_stopped)?,
            awaited,
        })
    }
}

impl Member {
    /// The places of a state: in the view, and in the space without each landmark.
    fn find(&mut self, model: &Model, state: &State, places: &mut Box<[u32]>) {
        let red_set = self.red_black.red_set(model, state);
        let classes = self.view.places.classes(state);
        let red_black = &self.red_black;
        let found = self.found.entry((classes, red_set)).or_insert_with(|| {
            let awaited = self.demands.iter().flat_map(|demand| &demand.awaited);
            let delayed =
                awaited.map(|landmark| landmark.delayed.places.find(red_black, classes, red_set));
            let full = self.view.places.find(red_black, classes, red_set);
            std::iter::once(full).chain(delayed).collect()
        });
        places.clone_from(found);
    }

    fn bytes(&self) -> usize {
        let awaited = || self.demands.iter().flat_map(|demand| &demand.awaited);
        let achievers = self
            .demands
            .iter()
            .map(|demand| demand.achiever_space.bytes());
        let delayed = awaited().map(|landmark| landmark.delayed.bytes());
        let places = (1 + awaited().count()) * size_of::<u32>();
        let found = self.found.capacity() * size_of::<((Number, u32), Box<[u32]>)>();
        let own = self.red_black.bytes() + self.view.bytes();
        own + achievers.chain(delayed).sum::<usize>() + found + self.found.len() * places
    }
}

impl Demand {
    /// Ticks to the goal and labels of the achiever, at least, given the places of the agent
    /// without each landmark and the place of the achiever. `u32::MAX` ticks if a landmark can
    /// never come true.
    fn estimate(&self, state: &State, delayed: &[u32], achiever: u32) -> (u32, u32) {
        let mut missing = 0_usize;
        for ((landmark, &place), index) in self.awaited.iter().zip(delayed).zip(0..) {
            let is_there = |(variable, value): &(Variable, u32)| variable.get(state) == *value;
            if place != NOWHERE && !landmark.facts.iter().any(is_there) {
                missing |= 1 << index;
            }
        }
        if missing == 0 {
            return (0, 0);
        }
        let labels = self.achiever_space.labels(missing, achiever);
        if labels == u32::MAX {
            return (u32::MAX, labels);
        }
        let mut most = 0;
        let mut set = missing;
        while set != 0 {
            let ticks = self.achiever_space.ticks(set, achiever);
            // One of the set comes last, after as long as it takes to bring about all.
            let last = (0..self.awaited.len()).filter(|index| set >> index & 1 == 1);
            let ticks = last.map(|index| {
                let landmark = &self.awaited[index];
                let delay = ticks.saturating_sub(u32::from(landmark.is_used_at_once));
                landmark.delayed.ticks(delayed[index], delay)
            });
            most = most.max(ticks.min().unwrap_or(0));
            set = (set - 1) & missing;
        }
        (most, labels)
    }
}
