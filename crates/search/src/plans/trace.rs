//! From a finished search back to plans: one along the parents, or the DAG of all optimal ones.
//!
//! Edges are not stored while searching. The DAG is found by a backward sweep over the finished
//! buckets: a node is on an optimal plan if one of its successors is, and is reached no better than
//! through it.

use std::ops::ControlFlow;

use hashbrown::HashTable;

use super::dag::{Edge, Node, NodeId, PlanDag};
use super::plan::{Plan, PlanStep, Value};
use super::representatives::Representatives;
use crate::control::{NODES_PER_POLL, StopReason};
use crate::space::expand::Expander;
use crate::space::search_space::Space;
use crate::space::start::Start;
use crate::space::successor::Successor;
use crate::space::words::hash;
use brigade_task::{LogEntry, OperatorId, PackedTask, State, TurnMode};

/// The agent whose choice comes first at a node.
fn agent_at(task: &PackedTask, half: usize, state: &State) -> u16 {
    match task.turns {
        TurnMode::Alternate => task.mover(state) as u16,
        TurnMode::Sequential | TurnMode::Simultaneous => half as u16,
    }
}

/// The plan that leads from the start to a stored state in which it ends. Successors are generated
/// by the task's own `expander`; `representatives` leads to the stored states.
pub(crate) fn plan(
    space: &Space,
    expander: &mut Expander,
    mut representatives: Representatives,
    start: Start,
    goal: u32,
) -> Plan {
    let halves = space.tables.len();
    let first = start.agent.min(halves - 1);
    let mut path = vec![(0, goal)];
    let (mut half, mut id) = (0, goal);
    while (half, id) != (first, 0) {
        id = space.tables[half].parent(id);
        half = (half + halves - 1) % halves;
        path.push((half, id));
    }
    path.reverse();
    let mut plan = Plan::default();
    let mut step = StepLog::default();
    let mut state = start.state.to_owned();
    let mut image = state.clone();
    let mut frame = representatives.start(&mut image);
    let mut wanted = state.clone();
    for edge in path.windows(2) {
        let ((half, id), (next, target)) = (edge[0], edge[1]);
        let stored = space.tables[half].state(id);
        let mut take = |must_be_tight: bool| {
            let leads_on = |successor: &Successor| {
                !must_be_tight || is_tight(space, (half, id), successor, target)
            };
            // Which choice leads to the target is asked of the stored state, where it takes little.
            let found = expander.expand(half, stored, |successor| {
                wanted.copy_from(successor.state);
                image.copy_from(successor.state);
                let next = representatives.follow_stored(&frame, &mut image);
                if space.tables[successor.half].state(target) == &*image && leads_on(successor) {
                    return ControlFlow::Break(next);
                }
                ControlFlow::Continue(())
            });
            let ControlFlow::Break(next) = found else {
                return false;
            };
            representatives.back(&frame, &mut wanted);
            let found = expander.expand(half, &state, |successor| {
                if successor.state == &*wanted && leads_on(successor) {
                    step.push(successor, &mut plan);
                    return ControlFlow::Break(());
                }
                ControlFlow::Continue(())
            });
            frame = next;
            found.is_break()
        };
        // A search that was stopped may have reached the parent better since. Then no choice is
        // tight, and any that leads on will do: the plan is measured as it is.
        let found = take(true) || take(false);
        debug_assert!(found, "every node was reached from its parent");
        let before = std::mem::replace(&mut state, wanted.clone());
        if next == 0 {
            let first_agent = match space.task.turns {
                TurnMode::Alternate => agent_at(space.task, half, &before),
                TurnMode::Sequential | TurnMode::Simultaneous => {
                    if plan.value.makespan == 0 {
                        first as u16
                    } else {
                        0
                    }
                }
            };
            step.finish(first_agent, &mut plan);
        }
    }
    plan
}

/// The choices and labels of one timestep.
#[derive(Default)]
pub(crate) struct StepLog {
    operators: Vec<OperatorId>,
    log: Vec<LogEntry>,
}

impl StepLog {
    /// Adds a choice, or a joint choice.
    pub(crate) fn push(&mut self, successor: &Successor, plan: &mut Plan) {
        self.operators.extend_from_slice(successor.operators);
        self.log.extend_from_slice(successor.log);
        plan.value.cost = plan.value.cost.saturating_add(successor.cost);
    }

    /// Appends the step to the plan and starts the next.
    pub(crate) fn finish(&mut self, first_agent: u16, plan: &mut Plan) {
        let Value {
            makespan, labels, ..
        } = &mut plan.value;
        let last = first_agent + self.operators.len() as u16 - 1;
        for (agent, operator) in (first_agent..).zip(self.operators.drain(..)) {
            let belongs = |entry: &&LogEntry| {
                entry.agent == agent
                    || agent == last && !(first_agent..=last).contains(&entry.agent)
            };
            plan.steps.push(PlanStep {
                tick: *makespan,
                agent,
                operator,
                labels: self.log.iter().filter(belongs).copied().collect(),
            });
        }
        *makespan += 1;
        *labels += self.log.len() as u32;
        self.log.clear();
    }
}

/// Returns whether the stored node `target` is reached no better than through this successor.
pub(crate) fn is_tight(
    space: &Space,
    (half, id): (usize, u32),
    successor: &Successor,
    target: u32,
) -> bool {
    let before = space.tables[half].reached(id);
    let after = space.tables[successor.half].reached(target);
    let before = (space.keys.value(before.key), before.labels);
    (space.keys.value(after.key), after.labels) == space.measure.add(before, successor)
}

/// One choice, or joint choice, on an optimal plan.
struct Tight {
    operators: Box<[OperatorId]>,
    target: NodeId,
    log: Box<[LogEntry]>,
}

/// For each half-step the stored nodes that are on an optimal plan: `(stored, in the DAG)`.
pub(crate) struct Marks(Vec<HashTable<(u32, NodeId)>>);

impl Marks {
    /// The stored node on an optimal plan that has this state.
    pub(crate) fn find(&self, space: &Space, half: usize, state: &State) -> Option<u32> {
        self.node(space, half, state).map(|(id, _)| id)
    }

    fn node(&self, space: &Space, half: usize, state: &State) -> Option<(u32, NodeId)> {
        let table = &space.tables[half];
        let is_it = |&(id, _): &(u32, NodeId)| table.state(id) == state;
        self.0[half].find(hash(state.words()), is_it).copied()
    }

    fn insert(&mut self, space: &Space, half: usize, id: u32, node: NodeId) {
        let table = &space.tables[half];
        self.0[half].insert_unique(hash(table.key(id)), (id, node), |&(id, _)| {
            hash(table.key(id))
        });
    }

    fn bytes(&self) -> usize {
        self.0.iter().map(HashTable::allocation_size).sum()
    }
}

/// The DAG while it is built, backwards: a node has a number greater than its successors.
struct Builder<'a, 's> {
    space: &'s Space<'a>,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    /// Bytes of the edges' labels.
    log_bytes: usize,
    marks: Marks,
}

/// All optimal plans that end in one of `goals`, ascending, and the stored nodes on them.
pub(crate) fn dag(
    space: &Space,
    expander: &mut Expander,
    goals: &[u32],
) -> Result<(PlanDag, Marks), StopReason> {
    let mut builder = Builder {
        space,
        nodes: Vec::new(),
        edges: Vec::new(),
        log_bytes: 0,
        marks: Marks(space.tables.iter().map(|_| HashTable::new()).collect()),
    };
    let most_labels = goals
        .first()
        .map_or(0, |&goal| space.tables[0].reached(goal).labels);
    for &goal in goals.iter().rev() {
        let node = builder.node(0, goal, true);
        builder.marks.insert(space, 0, goal, node);
    }
    let mut tight = Vec::new();
    let mut swept = 0_u64;
    for bucket in space.closed.iter().rev() {
        for index in (0..bucket.ids.len()).rev() {
            if swept.is_multiple_of(NODES_PER_POLL) {
                builder.check_limits()?;
            }
            swept += 1;
            let id = bucket.ids.get(index);
            let reached = space.tables[bucket.half].reached(id);
            let order = space.measure.order(space.keys.value(reached.key));
            if order != bucket.order || reached.labels > most_labels {
                continue;
            }
            builder.tight_edges(expander, bucket.half, id, &mut tight);
            if !tight.is_empty() {
                builder.add(bucket.half, id, &mut tight);
            }
        }
    }
    builder.check_limits()?;
    Ok(builder.finish())
}

impl Builder<'_, '_> {
    fn check_limits(&self) -> Result<(), StopReason> {
        if self.nodes.len().max(self.edges.len()) >= u32::MAX as usize / 2 {
            return Err(StopReason::States);
        }
        let bytes = self.space.bytes()
            + self.marks.bytes()
            + self.nodes.capacity() * size_of::<Node>()
            + self.edges.capacity() * size_of::<Edge>()
            + self.log_bytes;
        match self.space.options.memory_limit {
            Some(most) if bytes > most => Err(StopReason::Memory),
            _ => self.space.control.stop().map_or(Ok(()), Err),
        }
    }

    /// Adds a node.
    fn node(&mut self, half: usize, id: u32, is_final: bool) -> NodeId {
        let table = &self.space.tables[half];
        let (_, tick) = self.space.keys.value(table.reached(id).key);
        let agent = agent_at(self.space.task, half, table.state(id));
        self.push(Node {
            tick,
            agent,
            is_final,
        })
    }

    fn push(&mut self, node: Node) -> NodeId {
        let number = NodeId(self.nodes.len() as u32);
        self.nodes.push(node);
        number
    }

    /// The edges of optimal plans that leave a stored node, by operators.
    fn tight_edges(&self, expander: &mut Expander, half: usize, id: u32, tight: &mut Vec<Tight>) {
        let space = self.space;
        let state = space.tables[half].state(id);
        let _: ControlFlow<()> = expander.expand(half, state, |successor| {
            if let Some((target, node)) = self.marks.node(space, successor.half, successor.state)
                && is_tight(space, (half, id), successor, target)
            {
                tight.push(Tight {
                    operators: successor.operators.into(),
                    target: node,
                    log: successor.log.into(),
                });
            }
            ControlFlow::Continue(())
        });
        tight.sort_unstable_by(|left, right| left.operators.cmp(&right.operators));
    }

    /// Adds a stored node with its edges, and one node for each proper beginning of a joint choice.
    fn add(&mut self, half: usize, id: u32, tight: &mut Vec<Tight>) {
        let table = &self.space.tables[half];
        let (_, tick) = self.space.keys.value(table.reached(id).key);
        // Beginnings are counted from the stored node, 0, in the order in which a walk through the
        // sorted joint choices meets them; numbers in the DAG run backwards.
        let beginnings = count_beginnings(tight);
        let greatest = (self.nodes.len() + beginnings) as u32;
        let number = |counted: u32| NodeId(greatest - counted);
        let mut agents = vec![agent_at(self.space.task, half, table.state(id))];
        let mut path = vec![0_u32];
        let mut previous: Box<[OperatorId]> = Box::default();
        for Tight {
            operators,
            target,
            log,
        } in tight.drain(..)
        {
            path.truncate(common_beginning(&previous, &operators) + 1);
            let last = operators.len() - 1;
            for depth in path.len() - 1..last {
                let beginning = agents.len() as u32;
                agents.push(depth as u16 + 1);
                self.edges.push(Edge {
                    source: number(path[depth]),
                    target: number(beginning),
                    agent: agents[path[depth] as usize],
                    operator: operators[depth],
                    log: Box::default(),
                });
                path.push(beginning);
            }
            self.log_bytes += size_of_val(&*log);
            self.edges.push(Edge {
                source: number(path[last]),
                target,
                agent: agents[path[last] as usize],
                operator: operators[last],
                log,
            });
            previous = operators;
        }
        for &agent in agents.iter().rev() {
            self.push(Node {
                tick,
                agent,
                is_final: false,
            });
        }
        self.marks.insert(self.space, half, id, NodeId(greatest));
    }

    /// Turns the numbers round and groups the edges.
    fn finish(self) -> (PlanDag, Marks) {
        (PlanDag::from_backward(self.nodes, self.edges), self.marks)
    }
}

/// The number of first choices that two joint choices share.
fn common_beginning(left: &[OperatorId], right: &[OperatorId]) -> usize {
    let pairs = left.iter().zip(right);
    pairs.take_while(|(left, right)| left == right).count()
}

/// The number of proper, non-empty beginnings of the sorted joint choices.
fn count_beginnings(tight: &[Tight]) -> usize {
    let mut previous: &[OperatorId] = &[];
    let mut beginnings = 0;
    for Tight { operators, .. } in tight {
        beginnings += operators.len() - 1 - common_beginning(previous, operators);
        previous = operators;
    }
    beginnings
}
