//! Which operators of an agent are applicable: a decision tree over the facts that they test.
//!
//! M. Helmert, "The Fast Downward Planning System", JAIR 26 (2006), section 5.3.1. Every inner node
//! switches on one variable; operators that do not test it are under the `otherwise` child. An
//! operator stands at exactly one leaf, so the tree is no larger than the tests together.

use std::ops::Range;

use crate::task::cond::{Cond, Test};
use crate::task::{OperatorId, Task};

/// Variables with more values are tested at the leaf, not switched on.
const LARGEST_SWITCH: u32 = 256;

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
        otherwise: u32,
    },
    /// Entries to be tested.
    Leaf(Range<u32>),
}

#[derive(Clone, Debug)]
struct Entry {
    operator: OperatorId,
    /// What the path to the leaf has not tested.
    tests: Range<u32>,
    has_guard: bool,
}

/// The applicable operators of one agent.
#[derive(Clone, Debug, Default)]
pub(crate) struct SuccessorGenerator {
    nodes: Vec<Node>,
    branches: Vec<u32>,
    entries: Vec<Entry>,
    tests: Vec<Test>,
}

/// An operator while the tree is built.
struct Pending {
    operator: OperatorId,
    /// `(variable, value)` not yet tested.
    facts: Vec<(usize, u32)>,
    /// Tests that are no facts about variables to switch on.
    rest: Vec<Test>,
}

impl SuccessorGenerator {
    /// Builds the tree of one agent's operators.
    pub(crate) fn new(task: &Task, agent: usize) -> Self {
        let mut tree = Self::default();
        let operators = &task.agents[agent].operators;
        let mut by_word = vec![Vec::new(); task.words];
        for (index, variable) in task.variables.iter().enumerate() {
            if variable.size <= LARGEST_SWITCH {
                by_word[variable.word as usize].push(index);
            }
        }
        let pending = operators
            .iter()
            .map(|&operator| Pending::new(task, &by_word, operator))
            .collect::<Vec<_>>();
        let mut frequency = vec![0_u32; task.variables.len()];
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
                    if let Node::Switch { otherwise, .. } = &mut tree.nodes[parent] {
                        *otherwise = node;
                    }
                }
            }
            match most_tested(&operators, &mut frequency) {
                Some(variable) if operators.len() > LEAF_OPERATORS => {
                    let layout = &task.variables[variable];
                    let first = tree.branches.len();
                    tree.branches.resize(first + layout.size as usize, NONE);
                    tree.nodes.push(Node::Switch {
                        word: layout.word,
                        shift: layout.shift,
                        mask: layout.mask() >> layout.shift,
                        first: first as u32,
                        otherwise: NONE,
                    });
                    let mut branches: Vec<Vec<Pending>> = Vec::new();
                    branches.resize_with(layout.size as usize, Vec::new);
                    let mut otherwise = Vec::new();
                    for mut operator in operators {
                        let tested = operator
                            .facts
                            .iter()
                            .position(|&(other, _)| other == variable);
                        if let Some(position) = tested {
                            let (_, value) = operator.facts.remove(position);
                            branches[value as usize].push(operator);
                        } else {
                            otherwise.push(operator);
                        }
                    }
                    open.push((otherwise, Slot::Otherwise(node as usize)));
                    for (value, operators) in branches.into_iter().enumerate() {
                        open.push((operators, Slot::Branch(first + value)));
                    }
                }
                _ => tree.push_leaf(task, operators),
            }
        }
        tree
    }

    fn push_leaf(&mut self, task: &Task, operators: Vec<Pending>) {
        let first = self.entries.len() as u32;
        for operator in operators {
            let first_test = self.tests.len() as u32;
            let facts = operator
                .facts
                .iter()
                .map(|&(variable, value)| Test::fact(&task.variables[variable], value));
            // An operator whose tests contradict each other is never applicable.
            match Cond::all(facts.chain(operator.rest).map(Cond::Fact)) {
                Cond::Fact(test) => self.tests.push(test),
                Cond::Facts(tests) => self.tests.extend(tests),
                Cond::True => {}
                _ => continue,
            }
            self.entries.push(Entry {
                operator: operator.operator,
                tests: first_test..self.tests.len() as u32,
                has_guard: task.operator(operator.operator).guard != Cond::True,
            });
        }
        self.nodes
            .push(Node::Leaf(first..self.entries.len() as u32));
    }

    /// Appends the applicable operators to `found`, in an order that depends on the task alone.
    /// `stack` is scratch space.
    pub(crate) fn applicable(
        &self,
        task: &Task,
        state: &[u64],
        stack: &mut Vec<u32>,
        found: &mut Vec<OperatorId>,
    ) {
        if self.nodes.is_empty() {
            return;
        }
        stack.clear();
        let mut node = 0;
        loop {
            match &self.nodes[node as usize] {
                Node::Switch {
                    word,
                    shift,
                    mask,
                    first,
                    otherwise,
                } => {
                    if *otherwise != NONE {
                        stack.push(*otherwise);
                    }
                    let value = (state[*word as usize] >> shift) & mask;
                    let branch = self.branches[*first as usize + value as usize];
                    if branch != NONE {
                        node = branch;
                        continue;
                    }
                }
                Node::Leaf(entries) => {
                    for entry in &self.entries[entries.start as usize..entries.end as usize] {
                        let tests =
                            &self.tests[entry.tests.start as usize..entry.tests.end as usize];
                        if tests.iter().all(|test| test.holds(state))
                            && (!entry.has_guard
                                || task
                                    .operator(entry.operator)
                                    .guard
                                    .holds(&task.variables, state))
                        {
                            found.push(entry.operator);
                        }
                    }
                }
            }
            match stack.pop() {
                Some(next) => node = next,
                None => return,
            }
        }
    }
}

/// Where the index of a node is written once it exists.
enum Slot {
    Root,
    Branch(usize),
    Otherwise(usize),
}

impl Pending {
    /// Splits an operator's tests into facts `variable = value` and the rest. `by_word` lists for
    /// each word of the state its variables that may be switched on.
    fn new(task: &Task, by_word: &[Vec<usize>], operator: OperatorId) -> Self {
        let mut facts = Vec::new();
        let mut rest = Vec::new();
        for &test in &task.operator(operator).tests {
            let mut left = test.mask;
            for &index in &by_word[test.word as usize] {
                let variable = &task.variables[index];
                let mask = variable.mask();
                if mask & test.mask == mask {
                    let value = ((test.value & mask) >> variable.shift) as u32;
                    if value < variable.size && !facts.iter().any(|&(other, _)| other == index) {
                        facts.push((index, value));
                        left &= !mask;
                    }
                }
            }
            if left != 0 {
                rest.push(Test {
                    word: test.word,
                    mask: left,
                    value: test.value & left,
                });
            }
        }
        Self {
            operator,
            facts,
            rest,
        }
    }
}

/// The variable that most operators test, the first of equals; `None` if none tests any.
/// `frequency` is all zero before and after.
fn most_tested(operators: &[Pending], frequency: &mut [u32]) -> Option<usize> {
    let mut best: Option<(u32, usize)> = None;
    let facts = || operators.iter().flat_map(|operator| &operator.facts);
    for &(variable, _) in facts() {
        frequency[variable] += 1;
    }
    for &(variable, _) in facts() {
        let count = std::mem::take(&mut frequency[variable]);
        if count > 0 && best.is_none_or(|(most, first)| (count, first) > (most, variable)) {
            best = Some((count, variable));
        }
    }
    best.map(|(_, variable)| variable)
}
