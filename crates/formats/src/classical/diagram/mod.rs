//! Conditions on a state as multi-valued decision diagrams: equal conditions are one diagram.
//!
//! A node looks at one variable and leads on by its value; on each path variables ascend. What a
//! condition says twice, implies or excludes thus vanishes, and its paths are the conjunctions of
//! which it is the disjunction: what planners take without multiplying anything out. `read.rs` has these.

mod read;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use rustc_hash::FxHashMap;

/// A condition in a [`Space`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Diagram(u32);

impl Diagram {
    /// Never holds.
    pub(super) const FALSE: Self = Self(0);
    /// Always holds.
    pub(super) const TRUE: Self = Self(1);
}

/// Variables of one path at most: so deep may the recursion go.
const DEEPEST: usize = 1000;

/// Where the values before `end`, from the end of the run before, lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Run {
    end: u32,
    to: Diagram,
}

/// A node: neighbouring runs differ, and there are two at least.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Node {
    variable: u32,
    runs: Rc<[Run]>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Operation {
    And,
    Or,
    /// The first where the second holds; elsewhere whatever is smaller.
    Within,
}

#[derive(Default)]
struct Tables {
    /// Two for the constants, then the others.
    nodes: Vec<Node>,
    /// Runs in all nodes.
    runs: usize,
    unique: FxHashMap<Node, Diagram>,
    results: FxHashMap<(Operation, Diagram, Diagram), Diagram>,
    negations: FxHashMap<Diagram, Diagram>,
}

/// Values that a variable may have, in a conjunction.
pub(super) type Cube = Vec<(u32, Rc<[u32]>)>;

/// The diagrams over some variables.
pub(super) struct Space {
    /// The number of values of each variable.
    sizes: Vec<u32>,
    tables: RefCell<Tables>,
    most_runs: Cell<usize>,
    /// Runs that do not count.
    spare: Cell<usize>,
    /// The number of joins of two diagrams that are left.
    work: Cell<u64>,
    is_full: Cell<bool>,
}

impl Space {
    /// A space for variables with so many values each. It holds nodes with so many runs in all, and
    /// does so much work before it is full.
    pub(super) fn new(sizes: Vec<u32>, most_runs: usize, work: u64) -> Self {
        let space = Self {
            sizes,
            tables: RefCell::default(),
            most_runs: Cell::new(most_runs),
            spare: Cell::new(0),
            work: Cell::new(work),
            is_full: Cell::new(false),
        };
        space.clear();
        space
    }

    /// Forgets all diagrams but the constants.
    pub(super) fn clear(&self) {
        let constant = Node {
            variable: u32::MAX,
            runs: Rc::from([]),
        };
        *self.tables.borrow_mut() = Tables {
            nodes: vec![constant.clone(), constant],
            ..Tables::default()
        };
        self.spare.set(0);
        self.is_full.set(false);
    }

    /// Holds so many runs from now on; how many it held.
    pub(super) fn limit(&self, most_runs: usize) -> usize {
        self.most_runs.replace(most_runs)
    }

    /// Makes room for more, where something was too large; the diagrams from before stay.
    pub(super) fn reopen(&self) {
        self.spare.set(self.tables.borrow().runs);
        self.is_full.set(false);
    }

    /// Returns true if something was too large for it: results since are not to be used.
    pub(super) fn is_full(&self) -> bool {
        self.is_full.get()
    }

    /// The number of values of a variable.
    pub(super) fn size(&self, variable: u32) -> u32 {
        self.sizes[variable as usize]
    }

    fn full(&self) -> Diagram {
        self.is_full.set(true);
        Diagram::FALSE
    }

    fn node(&self, diagram: Diagram) -> Node {
        self.tables.borrow().nodes[diagram.0 as usize].clone()
    }

    fn variable(&self, diagram: Diagram) -> u32 {
        self.tables.borrow().nodes[diagram.0 as usize].variable
    }

    /// The node with these runs.
    fn make(&self, variable: u32, runs: impl IntoIterator<Item = Run>) -> Diagram {
        let mut merged: Vec<Run> = Vec::new();
        for run in runs {
            match merged.last_mut() {
                Some(last) if last.to == run.to => last.end = run.end,
                _ => merged.push(run),
            }
        }
        match merged[..] {
            [] => return Diagram::FALSE,
            [only] => return only.to,
            _ => {}
        }
        let node = Node {
            variable,
            runs: merged.into(),
        };
        let mut tables = self.tables.borrow_mut();
        if let Some(&known) = tables.unique.get(&node) {
            return known;
        }
        if tables.runs > self.most_runs.get() + self.spare.get() {
            drop(tables);
            return self.full();
        }
        let diagram = Diagram(tables.nodes.len() as u32);
        tables.runs += node.runs.len();
        tables.nodes.push(node.clone());
        tables.unique.insert(node, diagram);
        diagram
    }

    /// `variable = value`.
    pub(super) fn fact(&self, variable: u32, value: u32) -> Diagram {
        self.test(variable, value, Diagram::TRUE)
    }

    /// `variable = value`, and the rest, which looks at later variables.
    fn test(&self, variable: u32, value: u32, rest: Diagram) -> Diagram {
        let size = self.size(variable);
        let ends = [
            (value, Diagram::FALSE),
            (value + 1, rest),
            (size, Diagram::FALSE),
        ];
        let mut start = 0;
        let runs = ends.into_iter().filter_map(|(end, to)| {
            let is_empty = end == start;
            start = end;
            (!is_empty).then_some(Run { end, to })
        });
        self.make(variable, runs)
    }

    /// All of these facts.
    pub(super) fn facts(&self, mut facts: Vec<(u32, u32)>) -> Diagram {
        facts.sort_unstable();
        facts.dedup();
        if facts.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return Diagram::FALSE;
        }
        let facts = facts.into_iter().rev();
        facts.fold(Diagram::TRUE, |rest, (variable, value)| {
            self.test(variable, value, rest)
        })
    }

    /// Both hold.
    pub(super) fn and(&self, one: Diagram, other: Diagram) -> Diagram {
        self.apply(Operation::And, one, other, 0)
    }

    /// One of them holds.
    pub(super) fn or(&self, one: Diagram, other: Diagram) -> Diagram {
        self.apply(Operation::Or, one, other, 0)
    }

    /// The first holds and the second does not.
    pub(super) fn without(&self, one: Diagram, other: Diagram) -> Diagram {
        self.and(one, self.not(other))
    }

    /// A small condition that is `one` wherever `care` holds.
    pub(super) fn within(&self, one: Diagram, care: Diagram) -> Diagram {
        if care == Diagram::FALSE {
            return one;
        }
        self.apply(Operation::Within, one, care, 0)
    }

    /// Returns true if the second holds wherever the first does.
    pub(super) fn implies(&self, one: Diagram, other: Diagram) -> bool {
        self.without(one, other) == Diagram::FALSE
    }

    /// All hold.
    pub(super) fn all(&self, diagrams: impl IntoIterator<Item = Diagram>) -> Diagram {
        let mut diagrams = diagrams.into_iter();
        diagrams
            .try_fold(Diagram::TRUE, |all, one| {
                let all = self.and(all, one);
                if all == Diagram::FALSE {
                    Err(all)
                } else {
                    Ok(all)
                }
            })
            .unwrap_or_else(|never| never)
    }

    /// One holds at least.
    pub(super) fn any(&self, diagrams: impl IntoIterator<Item = Diagram>) -> Diagram {
        let diagrams = diagrams.into_iter();
        diagrams.fold(Diagram::FALSE, |any, one| self.or(any, one))
    }

    /// It does not hold.
    pub(super) fn not(&self, one: Diagram) -> Diagram {
        self.negation(one, 0)
    }

    fn negation(&self, one: Diagram, depth: usize) -> Diagram {
        match one {
            Diagram::FALSE => return Diagram::TRUE,
            Diagram::TRUE => return Diagram::FALSE,
            _ => {}
        }
        if let Some(&known) = self.tables.borrow().negations.get(&one) {
            return known;
        }
        if depth > DEEPEST || self.is_full() {
            return self.full();
        }
        let node = self.node(one);
        let runs: Vec<Run> = (node.runs.iter())
            .map(|run| Run {
                to: self.negation(run.to, depth + 1),
                ..*run
            })
            .collect();
        let result = self.make(node.variable, runs);
        let mut tables = self.tables.borrow_mut();
        tables.negations.insert(one, result);
        tables.negations.insert(result, one);
        result
    }

    fn apply(&self, operation: Operation, one: Diagram, other: Diagram, depth: usize) -> Diagram {
        use Diagram as D;
        match (operation, one, other) {
            (Operation::And, D::FALSE, _) | (Operation::And, _, D::FALSE) => return D::FALSE,
            (Operation::Or, D::TRUE, _) | (Operation::Or, _, D::TRUE) => return D::TRUE,
            (Operation::And, D::TRUE, rest)
            | (Operation::And, rest, D::TRUE)
            | (Operation::Or, D::FALSE, rest)
            | (Operation::Or, rest, D::FALSE) => return rest,
            (Operation::And | Operation::Or, _, _) if one == other => return one,
            (Operation::Within, D::FALSE | D::TRUE, _) | (Operation::Within, _, D::TRUE) => {
                return one;
            }
            (Operation::Within, _, _) if one == other => return D::TRUE,
            _ => {}
        }
        let Some(work) = self.work.get().checked_sub(1) else {
            return self.full();
        };
        self.work.set(work);
        let key = match operation {
            Operation::And | Operation::Or => (operation, one.min(other), one.max(other)),
            Operation::Within => (operation, one, other),
        };
        if let Some(&known) = self.tables.borrow().results.get(&key) {
            return known;
        }
        if depth > DEEPEST || self.is_full() {
            return self.full();
        }
        let (left, right) = (self.node(one), self.node(other));
        let variable = left.variable.min(right.variable);
        let whole = |diagram: Diagram| -> Rc<[Run]> {
            let end = self.size(variable);
            Rc::from([Run { end, to: diagram }])
        };
        let runs_of = |node: Node, diagram| {
            if node.variable == variable {
                node.runs
            } else {
                whole(diagram)
            }
        };
        let pairs = pairs(&runs_of(left, one), &runs_of(right, other));
        let result = if operation == Operation::Within {
            let is_new = self.variable(one) > variable;
            if is_new {
                // The condition does not look at this variable, and need not.
                let care = self.any(pairs.iter().map(|(_, _, care)| *care));
                self.apply(operation, one, care, depth + 1)
            } else {
                self.within_pairs(variable, &pairs, depth)
            }
        } else {
            let mut runs = Vec::with_capacity(pairs.len());
            for (end, one, other) in pairs {
                let to = self.apply(operation, one, other, depth + 1);
                runs.push(Run { end, to });
            }
            self.make(variable, runs)
        };
        self.tables.borrow_mut().results.insert(key, result);
        result
    }

    /// Values for which it does not matter lead where a neighbour leads.
    fn within_pairs(
        &self,
        variable: u32,
        pairs: &[(u32, Diagram, Diagram)],
        depth: usize,
    ) -> Diagram {
        let mut runs: Vec<Run> = Vec::new();
        for &(end, one, care) in pairs {
            if care != Diagram::FALSE {
                let to = self.apply(Operation::Within, one, care, depth + 1);
                runs.push(Run { end, to });
            } else if let Some(last) = runs.last_mut() {
                last.end = end;
            }
        }
        self.make(variable, runs)
    }
}

/// Where both go, by runs in which neither changes.
fn pairs(one: &[Run], other: &[Run]) -> Vec<(u32, Diagram, Diagram)> {
    let (mut left, mut right) = (one.iter().peekable(), other.iter().peekable());
    let mut pairs = Vec::with_capacity(one.len() + other.len());
    while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
        let end = a.end.min(b.end);
        pairs.push((end, a.to, b.to));
        let (next_left, next_right) = (a.end == end, b.end == end);
        if next_left {
            left.next();
        }
        if next_right {
            right.next();
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::{Diagram, Space};
    use brigade_task::split_mix::SplitMix;

    /// The truth of a condition for each assignment, variables of 2, 3 and 4 values.
    fn table(space: &Space, diagram: Diagram) -> Vec<bool> {
        let cubes = space.cubes(diagram);
        let mut table = Vec::new();
        for state in 0..24_u32 {
            let values = [state % 2, state / 2 % 3, state / 6];
            let holds = |cube: &&super::Cube| {
                let mut parts = cube.iter();
                parts.all(|(variable, set)| set.contains(&values[*variable as usize]))
            };
            let holding = cubes.iter().filter(holds).count();
            assert!(holding < 2, "paths exclude each other");
            table.push(holding == 1);
        }
        assert_eq!(cubes.len(), space.paths(diagram, 100));
        table
    }

    #[test]
    fn diagrams_agree_with_truth_tables() {
        let space = Space::new(vec![2, 3, 4], 100_000, u64::MAX);
        let mut random = SplitMix::new(7, 0);
        let mut known = vec![Diagram::FALSE, Diagram::TRUE];
        for variable in 0..3 {
            known.extend((0..space.size(variable)).map(|value| space.fact(variable, value)));
        }
        for _ in 0..400 {
            let mut pick = || known[random.below(known.len())];
            let (a, b) = (pick(), pick());
            let (left, right) = (table(&space, a), table(&space, b));
            let both = |join: fn(bool, bool) -> bool| -> Vec<bool> {
                left.iter().zip(&right).map(|(a, b)| join(*a, *b)).collect()
            };
            assert_eq!(table(&space, space.and(a, b)), both(|a, b| a && b));
            assert_eq!(table(&space, space.or(a, b)), both(|a, b| a || b));
            assert_eq!(table(&space, space.not(a)), both(|a, _| !a));
            let within = table(&space, space.within(a, b));
            for ((within, a), care) in within.iter().zip(&left).zip(&right) {
                assert!(within == a || !care);
            }
            // Equal conditions are one diagram.
            let again = space.not(space.or(space.not(a), space.not(b)));
            assert_eq!(again, space.and(a, b));
            known.push(again);
            known.push(space.or(a, b));
            known.push(space.not(b));
        }
        assert!(!space.is_full());
    }

    #[test]
    fn what_is_too_large_is_noticed() {
        let space = Space::new(vec![2; 40], 20, u64::MAX);
        let all = space.all((0..40).map(|variable| space.fact(variable, 1)));
        assert!(space.is_full());
        assert_eq!(all, Diagram::FALSE);
        space.clear();
        assert_ne!(space.fact(0, 1), Diagram::FALSE);
    }
}
