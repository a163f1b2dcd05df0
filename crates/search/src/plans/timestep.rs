//! One whole timestep as a small graph: the choices of its agents, layer by layer, and where it
//! ends.
//!
//! With sequential turns the choices that lead to the same state with the same sums meet in one
//! node; with simultaneous turns a node is a beginning of a joint choice. Two different paths have
//! different operators.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use crate::space::expand::{Expander, halves};
use crate::space::successor::Successor;
use brigade_task::{LogEntry, OperatorId, PackedTask, State, StateBuf, TurnMode};

/// The sums over a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Sums {
    /// The cost.
    pub(crate) cost: i64,
    /// Labels recorded.
    pub(crate) labels: u32,
}

impl Sums {
    /// Both together.
    pub(crate) const fn plus(self, other: Self) -> Self {
        Self {
            cost: self.cost.saturating_add(other.cost),
            labels: self.labels.saturating_add(other.labels),
        }
    }
}

/// The sums that distinguish nodes; the others stay 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counted {
    pub(crate) cost: bool,
    pub(crate) labels: bool,
}

impl Counted {
    fn add(self, sums: Sums, successor: &Successor) -> Sums {
        let cost = if self.cost { successor.cost } else { 0 };
        let labels = if self.labels { successor.log.len() } else { 0 };
        Sums {
            cost: sums.cost.saturating_add(cost),
            labels: sums.labels.saturating_add(labels as u32),
        }
    }
}

/// One agent's choice.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    /// Index into the layer it starts in.
    pub(crate) source: usize,
    /// Index into the next layer; of the last layer into [`Timestep::ends`].
    pub(crate) target: usize,
    pub(crate) operator: OperatorId,
    pub(crate) log: Box<[LogEntry]>,
}

/// A timestep from one state.
pub(crate) struct Timestep {
    /// The agent that chooses first.
    pub(crate) first_agent: u16,
    /// By agent that chooses, in order: the choices.
    pub(crate) layers: Vec<Vec<Choice>>,
    /// The states after the tick, and what leads there.
    pub(crate) ends: Vec<(StateBuf, Sums)>,
}

/// Numbers things in order of appearance.
struct Numbering<K> {
    numbers: BTreeMap<K, usize>,
}

impl<K: Ord> Numbering<K> {
    const fn new() -> Self {
        Self {
            numbers: BTreeMap::new(),
        }
    }

    fn number(&mut self, key: K) -> usize {
        let next = self.numbers.len();
        *self.numbers.entry(key).or_insert(next)
    }

    fn into_list(self) -> Vec<K> {
        let mut list: Vec<(usize, K)> = self
            .numbers
            .into_iter()
            .map(|(key, number)| (number, key))
            .collect();
        list.sort_unstable_by_key(|entry| entry.0);
        list.into_iter().map(|(_, key)| key).collect()
    }
}

type Numbered = Numbering<(StateBuf, Sums)>;

impl Timestep {
    /// All ways to play one step from a state.
    pub(crate) fn from(
        task: &PackedTask,
        expander: &mut Expander,
        state: &State,
        counted: Counted,
    ) -> Self {
        match task.turns {
            TurnMode::Simultaneous => Self::joint(expander, state, counted),
            TurnMode::Sequential | TurnMode::Alternate => {
                Self::in_turn(task, expander, state, counted)
            }
        }
    }

    fn in_turn(
        task: &PackedTask,
        expander: &mut Expander,
        state: &State,
        counted: Counted,
    ) -> Self {
        let mut layers = Vec::new();
        let mut nodes: Vec<(StateBuf, Sums)> = vec![(state.into(), Sums::default())];
        for half in 0..halves(task) {
            let mut next = Numbered::new();
            let mut choices = Vec::new();
            for (source, (state, sums)) in nodes.iter().enumerate() {
                let _: ControlFlow<()> = expander.expand(half, state, |successor| {
                    let sums = counted.add(*sums, successor);
                    choices.push(Choice {
                        source,
                        target: next.number((successor.state.into(), sums)),
                        operator: successor.operators[0],
                        log: successor.log.into(),
                    });
                    ControlFlow::Continue(())
                });
            }
            layers.push(choices);
            nodes = next.into_list();
        }
        Self {
            first_agent: match task.turns {
                TurnMode::Alternate => task.mover(state) as u16,
                TurnMode::Sequential | TurnMode::Simultaneous => 0,
            },
            layers,
            ends: nodes,
        }
    }

    fn joint(expander: &mut Expander, state: &State, counted: Counted) -> Self {
        let mut layers: Vec<Vec<Choice>> = Vec::new();
        let mut beginnings: Vec<Numbering<Vec<OperatorId>>> = Vec::new();
        let mut ends = Numbered::new();
        let _: ControlFlow<()> = expander.expand(0, state, |successor| {
            let operators = successor.operators;
            let last = operators.len() - 1;
            layers.resize_with(operators.len(), Vec::new);
            beginnings.resize_with(last, Numbering::new);
            let mut source = 0;
            for depth in 0..last {
                let before = beginnings[depth].numbers.len();
                let target = beginnings[depth].number(operators[..=depth].to_vec());
                if target == before {
                    layers[depth].push(Choice {
                        source,
                        target,
                        operator: operators[depth],
                        log: Box::default(),
                    });
                }
                source = target;
            }
            let sums = counted.add(Sums::default(), successor);
            layers[last].push(Choice {
                source,
                target: ends.number((successor.state.into(), sums)),
                operator: operators[last],
                log: successor.log.into(),
            });
            ControlFlow::Continue(())
        });
        Self {
            first_agent: 0,
            layers,
            ends: ends.into_list(),
        }
    }
}
