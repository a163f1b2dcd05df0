//! Which operators of an agent are applicable: a decision tree over the facts that they test.
//!
//! M. Helmert, "The Fast Downward Planning System", JAIR 26 (2006), section 5.3.1. Every inner node
//! switches on one variable; operators that do not test it are under the `otherwise` child. An
//! operator stands at exactly one leaf, so the tree is no larger than the tests together. Few
//! operators are found by masks instead, in the order in which the tree would find them.

use std::collections::BTreeMap;
use std::ops::Range;

use super::atom::{Atom, Fact, Masked};
use super::cond::Cond;
use super::masks::Masks;
use super::pack::Packer;
use super::state::State;
use super::{OperatorId, PackedTask, VarId, Variable};

/// Switches on variables with more values list only the branches that there are.
const LARGEST_TABLE: u32 = 256;

/// So few operators are tested one by one.
const LEAF_OPERATORS: usize = 2;

/// The index that stands for no node.
const NONE: u32 = u32::MAX;

#[derive(Clone, Debug)]
enum Node {
    /// Goes on at `branches[first + value of the variable]`, and at `otherwise`.
    Switch {
        word: u16,
        shift: u8,
        mask: u64,
        first: u32,
        size: u32,
        otherwise: u32,
    },
    /// The same for a variable of many values: goes on at the branch whose value in `values` is that
    /// of the variable.
    SparseSwitch {
        word: u16,
        shift: u8,
        mask: u64,
        values: Range<u32>,
        /// Of the first branch; the others follow.
        first: u32,
        otherwise: u32,
    },
    /// Entries to be tested.
    Leaf(Range<u32>),
}

#[derive(Clone, Debug)]
struct Entry {
    operator: OperatorId,
    /// The conditions that the path to the leaf has not tested.
    tests: Range<u32>,
    /// The guard, if it is a conjunction of clauses.
    clauses: Range<u32>,
    /// True if it is not.
    has_guard: bool,
}

impl Entry {
    fn has_no_guard(&self) -> bool {
        !self.has_guard && self.clauses.is_empty()
    }
}

/// A fact that has to hold, or not to hold.
#[derive(Clone, Copy, Debug)]
struct Literal {
    fact: Masked,
    holds: bool,
}

/// Finds the applicable operators of one agent, much faster than [`PackedTask::applicable`].
#[derive(Clone, Debug, Default)]
pub struct SuccessorGenerator {
    nodes: Vec<Node>,
    branches: Vec<u32>,
    /// The values of sparse switches, ascending for each.
    values: Vec<u32>,
    entries: Vec<Entry>,
    tests: Vec<Masked>,
    /// Disjunctions.
    clauses: Vec<Range<u32>>,
    literals: Vec<Literal>,
    /// Nodes still to be visited.
    stack: Vec<u32>,
    /// Of the tests of all entries, if they are few; the entries are in the order of the tree then.
    masks: Option<Masks>,
}

/// An operator while the tree is built.
struct Pending {
    operator: OperatorId,
    /// Facts not yet tested, one per variable.
    facts: Vec<Fact>,
}

impl SuccessorGenerator {
    /// Builds the tree of one agent's operators.
    pub fn new(task: &PackedTask, agent: usize) -> Self {
        let mut frequency = vec![0; task.variables.len()];
        Self::build(task, &task.agents[agent].operators, &mut frequency)
    }

    /// Builds the tree of each agent's operators, in less time than one by one.
    pub fn of_agents(task: &PackedTask) -> Vec<Self> {
        let mut frequency = vec![0; task.variables.len()];
        let agents = task.agents.iter();
        agents
            .map(|agent| Self::build(task, &agent.operators, &mut frequency))
            .collect()
    }

    /// `frequency` counts tests of each variable; it is all zero before and after.
    fn build(task: &PackedTask, operators: &[OperatorId], frequency: &mut [u32]) -> Self {
        let mut tree = Self::default();
        let pending = operators
            .iter()
            .filter_map(|&operator| Pending::new(task, operator))
            .collect::<Vec<_>>();
        // Operators that need a node, and where in `branches` its index goes. The root has none.
        let mut open = vec![(pending, Slot::Root)];
        while let Some((operators, slot)) = open.pop() {
            if operators.is_empty() {
                continue;
            }
            let node = tree.nodes.len() as u32;
            match slot {
                Slot::Root => {}
                Slot::Branch(index) => tree.branches[index] = node,
                Slot::Otherwise(parent) => {
                    if let Node::Switch { otherwise, .. } | Node::SparseSwitch { otherwise, .. } =
                        &mut tree.nodes[parent]
                    {
                        *otherwise = node;
                    }
                }
            }
            match most_tested(&operators, frequency) {
                Some(variable) if operators.len() > LEAF_OPERATORS => {
                    let (branches, otherwise) = split(operators, variable);
                    let first = tree.push_switch(&task.variables[variable.index()], &branches);
                    open.push((otherwise, Slot::Otherwise(node as usize)));
                    for (index, (_, operators)) in branches.into_iter().enumerate() {
                        open.push((operators, Slot::Branch(first[index])));
                    }
                }
                _ => tree.push_leaf(task, operators),
            }
        }
        tree.make_masks(task);
        tree
    }

    /// Adds a switch on a variable with these branches, by ascending value. Returns where in `branches`
    /// the index of each goes.
    fn push_switch(&mut self, variable: &Variable, branches: &[(u32, Vec<Pending>)]) -> Vec<usize> {
        let first = self.branches.len();
        let (word, shift) = (variable.word, variable.shift);
        let mask = variable.mask() >> shift;
        let values = branches.iter().map(|&(value, _)| value);
        if variable.size <= LARGEST_TABLE {
            self.branches.resize(first + variable.size as usize, NONE);
            self.nodes.push(Node::Switch {
                word,
                shift,
                mask,
                first: first as u32,
                size: variable.size,
                otherwise: NONE,
            });
            return values.map(|value| first + value as usize).collect();
        }
        let first_value = self.values.len() as u32;
        self.values.extend(values);
        self.branches.resize(first + branches.len(), NONE);
        self.nodes.push(Node::SparseSwitch {
            word,
            shift,
            mask,
            values: first_value..self.values.len() as u32,
            first: first as u32,
            otherwise: NONE,
        });
        (first..self.branches.len()).collect()
    }

    /// Replaces the tree by masks, if the operators are few.
    fn make_masks(&mut self, task: &PackedTask) {
        let order: Vec<Entry> = self
            .in_order()
            .map(|index| self.entries[index].clone())
            .collect();
        let tests = order
            .iter()
            .map(|entry| &*task.packed_operator(entry.operator).tests);
        self.masks = Masks::new(task.words, &tests.collect::<Vec<_>>());
        if self.masks.is_some() {
            self.entries = order;
            self.nodes = Vec::new();
            self.branches = Vec::new();
            self.values = Vec::new();
            self.tests = Vec::new();
        }
    }

    /// The entries, in the order in which the tree finds them.
    fn in_order(&self) -> impl Iterator<Item = usize> {
        let mut open: Vec<u32> = (!self.nodes.is_empty()).then_some(0).into_iter().collect();
        let leaves = std::iter::from_fn(move || {
            loop {
                let (first, size, otherwise) = match &self.nodes[open.pop()? as usize] {
                    Node::Switch {
                        first,
                        size,
                        otherwise,
                        ..
                    } => (*first, *size, *otherwise),
                    Node::SparseSwitch {
                        values,
                        first,
                        otherwise,
                        ..
                    } => (*first, values.len() as u32, *otherwise),
                    Node::Leaf(entries) => return Some(usizes(entries)),
                };
                let branches = &self.branches[usizes(&(first..first + size))];
                let nodes = [otherwise].into_iter().chain(branches.iter().copied());
                open.extend(nodes.filter(|&node| node != NONE));
            }
        });
        leaves.flatten()
    }

    fn push_leaf(&mut self, task: &PackedTask, operators: Vec<Pending>) {
        let first = self.entries.len() as u32;
        let packer = Packer(&task.variables);
        for operator in operators {
            let first_test = self.tests.len() as u32;
            // An operator whose facts contradict each other is never applicable.
            let Some(tests) = packer.facts(&operator.facts) else {
                continue;
            };
            self.tests.extend(tests);
            let first_clause = self.clauses.len() as u32;
            let mut clauses = Vec::new();
            let has_guard = !conjunction(
                &task.packed_operator(operator.operator).guard,
                true,
                &mut clauses,
            );
            for mut clause in clauses.into_iter().filter(|_| !has_guard) {
                let first = self.literals.len() as u32;
                self.literals.append(&mut clause);
                self.clauses.push(first..self.literals.len() as u32);
            }
            self.entries.push(Entry {
                operator: operator.operator,
                tests: first_test..self.tests.len() as u32,
                clauses: first_clause..self.clauses.len() as u32,
                has_guard,
            });
        }
        self.nodes
            .push(Node::Leaf(first..self.entries.len() as u32));
    }

    /// Returns true if the part of the precondition holds that is no conjunction of facts.
    fn guard_holds(&self, entry: &Entry, task: &PackedTask, state: &State) -> bool {
        let literal = |literal: &Literal| literal.fact.matches(state) == literal.holds;
        let clause = |clause: &Range<u32>| self.literals[usizes(clause)].iter().any(literal);
        self.clauses[usizes(&entry.clauses)].iter().all(clause)
            && (!entry.has_guard
                || task
                    .packed_operator(entry.operator)
                    .guard
                    .holds(&task.variables, state))
    }

    /// Appends the operators of the agent that are applicable in `state` to `found`, in an order that
    /// depends on the task alone. `task` must be the one that this was made for.
    pub fn applicable(&mut self, task: &PackedTask, state: &State, found: &mut Vec<OperatorId>) {
        if let Some(masks) = &self.masks {
            masks.visit(state, |index| {
                let entry = &self.entries[index];
                if entry.has_no_guard() || self.guard_holds(entry, task, state) {
                    found.push(entry.operator);
                }
            });
            return;
        }
        if self.nodes.is_empty() {
            return;
        }
        self.stack.clear();
        let mut node = 0;
        loop {
            match &self.nodes[node as usize] {
                Node::Switch {
                    word,
                    shift,
                    mask,
                    first,
                    otherwise,
                    ..
                } => {
                    if *otherwise != NONE {
                        self.stack.push(*otherwise);
                    }
                    let value = (state.words()[*word as usize] >> shift) & mask;
                    let branch = self.branches[*first as usize + value as usize];
                    if branch != NONE {
                        node = branch;
                        continue;
                    }
                }
                Node::SparseSwitch {
                    word,
                    shift,
                    mask,
                    values,
                    first,
                    otherwise,
                } => {
                    if *otherwise != NONE {
                        self.stack.push(*otherwise);
                    }
                    let value = (state.words()[*word as usize] >> shift) & mask;
                    let values = &self.values[usizes(values)];
                    if let Ok(index) = values.binary_search(&(value as u32)) {
                        node = self.branches[*first as usize + index];
                        continue;
                    }
                }
                Node::Leaf(entries) => {
                    for entry in &self.entries[usizes(entries)] {
                        let tests = &self.tests[usizes(&entry.tests)];
                        if tests.iter().all(|test| test.matches(state))
                            && self.guard_holds(entry, task, state)
                        {
                            found.push(entry.operator);
                        }
                    }
                }
            }
            match self.stack.pop() {
                Some(next) => node = next,
                None => return,
            }
        }
    }
}

const fn usizes(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}

/// Lists clauses that all have to hold for a condition to hold, or not to hold. Returns false if
/// that cannot be said in clauses without repeating parts of it.
fn conjunction(cond: &Cond<Masked>, holds: bool, clauses: &mut Vec<Vec<Literal>>) -> bool {
    match (cond, holds) {
        (Cond::Not(cond), _) => conjunction(cond, !holds, clauses),
        (Cond::And(conds), true) | (Cond::Or(conds), false) => {
            conds.iter().all(|cond| conjunction(cond, holds, clauses))
        }
        (Cond::Facts(facts), true) => {
            clauses.extend(facts.iter().map(|&fact| vec![Literal { fact, holds }]));
            true
        }
        (Cond::True, true) | (Cond::False, false) => true,
        _ => {
            let mut clause = Vec::new();
            let is_clause = disjunction(cond, holds, &mut clause);
            clauses.push(clause);
            is_clause
        }
    }
}

/// Lists literals one of which has to hold for a condition to hold, or not to hold, if that says it
/// all.
fn disjunction(cond: &Cond<Masked>, holds: bool, clause: &mut Vec<Literal>) -> bool {
    match (cond, holds) {
        (Cond::Not(cond), _) => disjunction(cond, !holds, clause),
        (Cond::Or(conds), true) | (Cond::And(conds), false) => {
            conds.iter().all(|cond| disjunction(cond, holds, clause))
        }
        (&Cond::Fact(fact), _) => {
            clause.push(Literal { fact, holds });
            true
        }
        (Cond::Facts(facts), false) => {
            clause.extend(facts.iter().map(|&fact| Literal { fact, holds }));
            true
        }
        (Cond::False, true) | (Cond::True, false) => true,
        _ => false,
    }
}

/// Where the index of a node is written once it exists.
enum Slot {
    Root,
    Branch(usize),
    Otherwise(usize),
}

impl Pending {
    /// An operator with the facts that it tests; `None` if they never hold.
    fn new(task: &PackedTask, operator: OperatorId) -> Option<Self> {
        let facts = Fact::all(&task.operator(operator).facts)?;
        let may_hold = |fact: &Fact| fact.value < task.variables[fact.variable.index()].size;
        let is_possible = facts.iter().all(may_hold);
        is_possible.then_some(Self { operator, facts })
    }
}

/// Parts operators by the value of a variable that they test, ascending, from those that test none.
fn split(operators: Vec<Pending>, variable: VarId) -> (Vec<(u32, Vec<Pending>)>, Vec<Pending>) {
    let mut branches: BTreeMap<u32, Vec<Pending>> = BTreeMap::new();
    let mut otherwise = Vec::new();
    for mut operator in operators {
        let mut facts = operator.facts.iter();
        if let Some(position) = facts.position(|fact| fact.variable == variable) {
            let fact = operator.facts.remove(position);
            branches.entry(fact.value).or_default().push(operator);
        } else {
            otherwise.push(operator);
        }
    }
    (branches.into_iter().collect(), otherwise)
}

/// The variable that most operators test, the first of equals; `None` if none tests any.
/// `frequency` is all zero before and after.
fn most_tested(operators: &[Pending], frequency: &mut [u32]) -> Option<VarId> {
    let mut best: Option<(u32, VarId)> = None;
    let facts = || operators.iter().flat_map(|operator| &operator.facts);
    for fact in facts() {
        frequency[fact.variable.index()] += 1;
    }
    for &Fact { variable, .. } in facts() {
        let count = std::mem::take(&mut frequency[variable.index()]);
        if count > 0 && best.is_none_or(|(most, first)| (count, first) > (most, variable)) {
            best = Some((count, variable));
        }
    }
    best.map(|(_, variable)| variable)
}
