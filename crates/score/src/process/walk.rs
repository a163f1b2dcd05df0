//! A logged episode played again: every state in which someone chose, and what was passed between.

use super::cost_to_go::CostToGo;
use super::quantity::Quantity;
use brigade_play::episode::{Log, Step, joint_action};
use brigade_search::{Control, Start, Value};
use brigade_task::effect::Record;
use brigade_task::{LogEntry, OperatorId, PackedTask, StateBuf, TurnMode};

/// An episode, point by point.
///
/// A point is a state in which someone chooses: of each agent where they act one after another, else
/// of all who act in the timestep. The last point is the end.
#[derive(Clone, Debug)]
pub(crate) struct Walk<'l> {
    pub(crate) points: Vec<Point>,
    /// From each point to the next.
    pub(crate) passages: Vec<Passage>,
    /// The points at which something came unannounced: what the choices before lead to, as agents know the task. The
    /// passage from there to the next point is no one's.
    pub(crate) surprises: Vec<usize>,
    pub(crate) timesteps: Vec<Timestep<'l>>,
}

/// A state in which someone chooses.
#[derive(Clone, Debug)]
pub(crate) struct Point {
    pub(crate) state: StateBuf,
    /// The agent who chooses; 0 where all choose at once, and where one is to move.
    pub(crate) agent: usize,
}

/// The transition between two points of a walk.
#[derive(Clone, Debug)]
pub(crate) struct Passage {
    pub(crate) tick: u32,
    /// The choices made.
    pub(crate) choices: Vec<OperatorId>,
    /// The increase of the minimised metric.
    pub(crate) cost: i64,
    /// The labels recorded.
    pub(crate) labels: Vec<LogEntry>,
}

/// A timestep of the log.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timestep<'l> {
    pub(crate) step: &'l Step,
    /// The point at its start.
    pub(crate) first: usize,
    /// The point at its end.
    pub(crate) end: usize,
}

impl Point {
    fn start(&self) -> Start<'_> {
        Start {
            state: &self.state,
            agent: self.agent,
        }
    }
}

impl<'l> Walk<'l> {
    /// Plays a log of the task of `costs` again.
    ///
    /// # Errors
    ///
    /// A log that does not fit the task, in words.
    pub(crate) fn new(costs: &CostToGo<'_>, log: &'l Log) -> Result<Self, String> {
        let task = costs.task();
        let mut state = task.initial.clone();
        let mut walk = Self {
            points: Vec::new(),
            passages: Vec::new(),
            surprises: Vec::new(),
            timesteps: Vec::new(),
        };
        walk.points.push(Point {
            state: state.clone(),
            agent: 0,
        });
        for step in log.steps() {
            let joint = joint_action(task, &state, step).map_err(|error| error.to_string())?;
            let (mut expected, mut real) = (Record::default(), Record::default());
            let mut after = state.clone();
            task.step(&mut state.clone(), &joint, &mut expected)
                .and_then(|_| costs.played().step(&mut after, &joint, &mut real))
                .map_err(|error| format!("tick {}: {error}", step.tick))?;
            let first = walk.points.len() - 1;
            let apart = task.turns == TurnMode::Sequential;
            let mut groups: Vec<&[OperatorId]> = if apart {
                joint.chunks(1).collect()
            } else {
                vec![&joint]
            };
            if groups.is_empty() {
                // Time passes also where there is nobody.
                groups.push(&[]);
            }
            let last = groups.len() - 1;
            for (index, choices) in groups.into_iter().enumerate() {
                let ticked = index == last;
                let mut record = Record::default();
                for &operator in choices {
                    task.act(&mut state, operator, &mut record);
                }
                if ticked {
                    task.tick(&mut state, &mut record);
                }
                walk.passages.push(Passage {
                    tick: step.tick,
                    choices: choices.to_vec(),
                    cost: costs.measure(Value {
                        cost: record.cost,
                        makespan: u32::from(ticked),
                        labels: 0,
                    }),
                    labels: record.log,
                });
                walk.points.push(Point {
                    state: state.clone(),
                    agent: if ticked { 0 } else { index + 1 },
                });
            }
            walk.timesteps.push(Timestep {
                step,
                first,
                end: walk.points.len() - 1,
            });
            if after != state {
                walk.surprises.push(walk.points.len() - 1);
                walk.passages.push(Passage {
                    tick: step.tick,
                    choices: Vec::new(),
                    cost: costs.measure(Value {
                        cost: real.cost.saturating_sub(expected.cost),
                        makespan: 0,
                        labels: 0,
                    }),
                    labels: Vec::new(),
                });
                walk.points.push(Point {
                    state: after.clone(),
                    agent: 0,
                });
                state = after;
            }
        }
        Ok(walk)
    }

    /// The point at which an agent acts in a timestep that begins after `tick` ticks; the end where no
    /// such timestep was played.
    pub(crate) fn point_of(&self, task: &PackedTask, tick: u32, agent: usize) -> usize {
        let end = self.points.len() - 1;
        let Some(timestep) = self.timesteps.get(tick as usize) else {
            return end;
        };
        match task.turns {
            TurnMode::Sequential => (timestep.first + agent).min(end),
            TurnMode::Simultaneous | TurnMode::Alternate => timestep.first,
        }
    }

    /// Returns the start of plans from a point.
    pub(crate) fn start(&self, point: usize) -> Start<'_> {
        self.points[point].start()
    }

    /// The cost of each passage.
    pub(crate) fn costs(&self) -> Vec<i64> {
        self.passages.iter().map(|passage| passage.cost).collect()
    }

    /// The ways from point to point that hold choices only, in order: what came unannounced parts them.
    pub(crate) fn segments(&self) -> Vec<(usize, usize)> {
        let starts = std::iter::once(0).chain(self.surprises.iter().map(|at| at + 1));
        let ends = self
            .surprises
            .iter()
            .copied()
            .chain([self.points.len() - 1]);
        starts.zip(ends).collect()
    }

    /// The cost-to-go of every point.
    ///
    /// Where the way from one point to another costs as much as the cost-to-go falls, all points between are on an
    /// optimal plan, and need no search: so the way is halved until that holds. Unknown costs-to-go are bounded from
    /// their neighbours.
    pub(crate) fn costs_to_go(
        &self,
        costs: &mut CostToGo<'_>,
        control: &dyn Control,
    ) -> Vec<Quantity> {
        let mut sums = vec![0_i128];
        for passage in &self.passages {
            sums.push(sums[sums.len() - 1] + i128::from(passage.cost));
        }
        let mut values = vec![Quantity::Undefined; self.points.len()];
        let mut open = self.segments();
        open.reverse();
        for &(from, to) in &open {
            values[from] = costs.of(self.start(from), control);
            values[to] = costs.of(self.start(to), control);
        }
        while let Some((from, to)) = open.pop() {
            if to - from < 2 {
                continue;
            }
            let fill = match (values[from], values[to]) {
                (Quantity::Infinite, _) => Some(Quantity::Infinite),
                (before @ Quantity::Exact(_), after @ Quantity::Exact(_)) => {
                    let passed = sums[to] - sums[from];
                    (before == after.plus(passed)).then_some(before)
                }
                _ => None,
            };
            if let Some(before) = fill {
                for between in from + 1..to {
                    values[between] = before.plus(sums[from] - sums[between]);
                }
                continue;
            }
            let middle = from.midpoint(to);
            values[middle] = costs.of(self.start(middle), control);
            open.extend([(middle, to), (from, middle)]);
        }
        self.bound_by_neighbours(&mut values);
        values
    }

    fn bound_by_neighbours(&self, values: &mut [Quantity]) {
        let is_chosen = |index: &usize| !self.surprises.contains(index);
        let passages = || self.passages.iter().enumerate();
        for (index, passage) in passages().filter(|(index, _)| is_chosen(index)) {
            let lower = values[index]
                .lower()
                .and_then(|lower| lower.checked_sub(passage.cost));
            values[index + 1] = values[index + 1].and(lower, None);
        }
        for (index, passage) in passages().rev().filter(|(index, _)| is_chosen(index)) {
            let upper = values[index + 1].upper();
            let upper = upper.and_then(|upper| upper.checked_add(passage.cost));
            values[index] = values[index].and(None, upper);
        }
    }
}
