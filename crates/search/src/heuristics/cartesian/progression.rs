//! Progression: the application of changes to Cartesian sets of states.
//!
//! A condition that is true in some states of a set and false in others splits it in two
//! (`restriction`). The union of the results holds all states that the effect can lead to from a
//! state of the set, with at most the cost and the labels that it then records.

mod branches;

use super::change::Change;
use super::domains::{Domains, Mark, insert, is_empty, values};
use super::formula::{Formula, Term};
use super::model::Model;
use brigade_task::layout::Variable;
use brigade_task::{OperatorId, State};

/// With more parts than this those that agree on a key are joined while effects are applied, if they
/// may be.
const FEW_JOINED: usize = 8;

/// With more parts than this equal ones are joined while effects are applied.
const FEW_PARTS: usize = 32;

/// More parts than this are not followed.
const MOST_PARTS: usize = 4096;

/// The history of a part, and the assumptions on the way that do not hold in a certain state.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trace {
    pub(crate) joint: Vec<OperatorId>,
    /// Variables that were taken to have one of some values at the start of the step, and have not.
    pub(crate) violated: Vec<(u32, Box<[u64]>)>,
    /// Variables of conditions that sets of values do not express.
    pub(crate) unclear: Vec<u32>,
}

/// A Cartesian set of states, and what has been recorded on the way to it, at least.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) row: Box<[u64]>,
    /// Snapshots taken by the blocks that are being applied.
    pub(crate) before: Vec<Box<[u64]>>,
    /// Cost, negated where the greatest is best.
    pub(crate) cost: i64,
    pub(crate) labels: u32,
    pub(crate) trace: Option<Box<Trace>>,
}

impl Part {
    pub(crate) const fn new(row: Box<[u64]>, trace: Option<Box<Trace>>) -> Self {
        Self {
            row,
            before: Vec::new(),
            cost: 0,
            labels: 0,
            trace,
        }
    }
}

impl Part {
    /// Adds the states of another part: what was written in either counts as written.
    fn unite(&mut self, other: &Self) {
        let rows = std::iter::once(&mut self.row).chain(&mut self.before);
        let others = std::iter::once(&other.row).chain(&other.before);
        for (row, other) in rows.zip(others) {
            for (word, more) in row.iter_mut().zip(other) {
                *word |= more;
            }
        }
        self.cost = self.cost.min(other.cost);
        self.labels = self.labels.min(other.labels);
    }
}

/// The states in which conditions and terms are evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Read<'r> {
    /// In the state as it is.
    Now,
    /// In the last snapshot.
    Snapshot,
    /// In the state at the start of the step.
    Start(&'r [u64]),
}

/// The application of changes to sets, with what it needs to know of the abstraction.
pub(crate) struct Progression<'a> {
    pub(crate) domains: &'a Domains,
    /// Variables that are distinguished; of the others nothing is ever known.
    pub(crate) distinguished: &'a [bool],
    /// Variables that may have changed since the step began although no mark shows it, if any.
    pub(crate) shifting: &'a [bool],
    /// The state that traces compare with.
    pub(crate) actual: &'a State,
    /// Its variables.
    pub(crate) variables: &'a [Variable],
    /// For each variable the sets of values that the abstraction distinguishes.
    pub(crate) classes: &'a [Vec<Box<[u64]>>],
    /// True if costs count negated.
    pub(crate) negated: bool,
    /// The variables that parts must agree on to be joined where there are many, if they may be joined.
    pub(crate) joined_by: Option<&'a [u32]>,
    /// The number of parts that are not joined yet: twice as many as the last time.
    pub(crate) most_unjoined: usize,
    /// The number of parts that are followed where these are not joined; those that take least for granted.
    pub(crate) most_followed: usize,
    /// Grows with the work done.
    pub(crate) work: u64,
    /// True if there were too many parts.
    pub(crate) has_overflowed: bool,
}

impl<'a> Progression<'a> {
    /// A progression that has done no work, of the abstraction that distinguishes these.
    pub(crate) fn new(
        model: &'a Model,
        distinguished: &'a [bool],
        classes: &'a [Vec<Box<[u64]>>],
    ) -> Self {
        Self {
            domains: &model.domains,
            distinguished,
            shifting: &[],
            actual: <&State>::default(),
            variables: &model.task.variables,
            classes,
            negated: model.negated,
            joined_by: None,
            most_unjoined: FEW_JOINED,
            most_followed: usize::MAX,
            work: 0,
            has_overflowed: false,
        }
    }
}

impl Progression<'_> {
    pub(crate) fn row<'p>(part: &'p Part, read: Read<'p>) -> &'p [u64] {
        match read {
            Read::Now => &part.row,
            Read::Snapshot => part.before.last().map_or(&*part.row, |before| before),
            Read::Start(row) => row,
        }
    }

    /// The truth of a condition in a part.
    pub(crate) fn truth(&self, formula: &Formula, read: Read, part: &Part) -> Option<bool> {
        formula.truth(self.domains, Self::row(part, read))
    }

    /// Keeps one of equal parts: that which takes least for granted; or with the least cost, and
    /// the least labels, of all.
    pub(crate) fn merge(&self, parts: &mut Vec<Part>) {
        if parts.len() < 2 {
            return;
        }
        let key = |part: &Part| {
            let violated = part.trace.as_ref().map_or(0, |trace| trace.violated.len());
            (violated, part.cost, part.labels)
        };
        let words = if parts[0].trace.is_some() {
            self.domains.value_words()
        } else {
            self.domains.row_words()
        };
        parts.sort_by(|left, right| {
            let rows = left.row[..words].cmp(&right.row[..words]);
            let before = || left.before.cmp(&right.before);
            rows.then_with(before)
                .then_with(|| key(left).cmp(&key(right)))
        });
        parts.dedup_by(|later, earlier| {
            let is_same =
                later.row[..words] == earlier.row[..words] && later.before == earlier.before;
            if is_same && earlier.trace.is_none() {
                earlier.cost = earlier.cost.min(later.cost);
                earlier.labels = earlier.labels.min(later.labels);
            }
            is_same
        });
    }

    /// Joins the parts that agree on the values of some variables: a union of sets for each other variable,
    /// with the least cost and the least labels.
    pub(crate) fn join(&self, key: &[u32], parts: &mut Vec<Part>) {
        if parts.len() < 2 {
            return;
        }
        let domains = self.domains;
        let sets = |part: &Part| {
            let sets = key
                .iter()
                .flat_map(|&variable| domains.get(&part.row, variable));
            sets.copied().collect::<Vec<u64>>()
        };
        parts.sort_by_cached_key(sets);
        parts.dedup_by(|later, earlier| {
            let agrees = |&variable: &u32| {
                domains.get(&later.row, variable) == domains.get(&earlier.row, variable)
            };
            let is_joined = key.iter().all(agrees);
            if is_joined {
                earlier.unite(later);
            }
            is_joined
        });
    }

    /// Joins equal parts of many, and returns whether the rest may be followed.
    pub(crate) fn admits(&mut self, parts: &mut Vec<Part>) -> bool {
        self.work += parts.len() as u64;
        match self.joined_by {
            Some(key) if parts.len() > self.most_unjoined => {
                self.join(key, parts);
                self.most_unjoined = self.most_unjoined.max(2 * parts.len());
            }
            None if parts.len() > FEW_PARTS => {
                self.merge(parts);
                self.choose_followed(parts);
            }
            _ => {}
        }
        self.has_overflowed |= parts.len() > MOST_PARTS;
        !self.has_overflowed
    }

    /// Drops the parts that take most for granted where there are too many.
    pub(crate) fn choose_followed(&self, parts: &mut Vec<Part>) {
        if parts.len() > self.most_followed {
            parts.sort_by_key(|part| part.trace.as_ref().map_or(0, |trace| trace.violated.len()));
            parts.truncate(self.most_followed);
        }
    }

    /// Applies a change to all parts.
    pub(crate) fn apply(&mut self, change: &Change, read: Read, parts: &mut Vec<Part>) {
        if !self.admits(parts) {
            return;
        }
        match change {
            Change::Nothing => {}
            Change::Assign(variable, value) => {
                for part in parts {
                    self.assign(part, *variable, *value);
                }
            }
            Change::Any(changes) => {
                let mut results = Vec::new();
                for change in changes {
                    let mut parts = parts.clone();
                    self.apply(change, read, &mut parts);
                    results.append(&mut parts);
                }
                *parts = results;
            }
            Change::Increase { variable, term } => {
                for part in parts {
                    self.increase(part, read, *variable, term);
                }
            }
            Change::Number {
                variable,
                low,
                term,
            } => {
                for part in parts {
                    self.set_number(part, read, *variable, *low, term);
                }
            }
            Change::Copy(link) => self.copy(link.0, link.1, &link.2, read, parts),
            Change::Block { changes, snapshot } => {
                if *snapshot && read == Read::Now {
                    for part in parts.iter_mut() {
                        part.before.push(part.row.clone());
                        self.domains.clear_marks(&mut part.row, Mark::Snapshot);
                    }
                    for change in changes {
                        self.apply(change, Read::Snapshot, parts);
                    }
                    for part in parts {
                        part.before.pop();
                        if !part.before.is_empty() {
                            self.domains.set_marks(&mut part.row, Mark::Snapshot);
                        }
                    }
                } else {
                    for change in changes {
                        self.apply(change, read, parts);
                    }
                }
            }
            Change::Seq(changes) => {
                for change in changes {
                    self.apply(change, Read::Now, parts);
                }
            }
            Change::If(formula, then, otherwise) => {
                self.branch(formula, then, otherwise, read, parts);
            }
            Change::Switch(variable, arms) => self.switch(*variable, arms, read, parts),
            Change::Choose(candidates, otherwise) => {
                let mut results = Vec::new();
                for part in parts.drain(..) {
                    self.choose(candidates, otherwise, read, part, &mut results);
                }
                *parts = results;
            }
            Change::Log => {
                for part in parts {
                    part.labels += 1;
                }
            }
            Change::Cost(term) => {
                for part in parts {
                    let (least, greatest) = term.range(self.domains, Self::row(part, read));
                    let cost = if self.negated {
                        greatest.saturating_neg()
                    } else {
                        least
                    };
                    part.cost = part.cost.saturating_add(cost);
                }
            }
        }
    }

    /// Gives a variable a value.
    pub(crate) fn assign(&self, part: &mut Part, variable: u32, value: u32) {
        if self.distinguished[variable as usize] {
            self.domains.assign(&mut part.row, variable, value);
        }
        self.domains.mark(&mut part.row, variable);
    }

    fn set_number(&self, part: &mut Part, read: Read, variable: u32, low: i64, term: &Term) {
        if !self.distinguished[variable as usize] {
            return self.domains.mark(&mut part.row, variable);
        }
        let row = Self::row(part, read);
        let (least, greatest) = term.range(self.domains, row);
        let top = i64::from(self.domains.size(variable)) - 1;
        let clamped = |number: i64| number.saturating_sub(low).clamp(0, top) as u32;
        let (least, greatest) = (clamped(least), clamped(greatest));
        self.note_open(part, read, term, least != greatest);
        self.domains.write(&mut part.row, variable, &|set| {
            set.fill(0);
            for value in least..=greatest {
                insert(set, value);
            }
        });
        self.domains.mark(&mut part.row, variable);
    }

    /// Adds a term to a number; the result is clamped to its range.
    fn increase(&self, part: &mut Part, read: Read, variable: u32, term: &Term) {
        if self.distinguished[variable as usize] {
            let (least, greatest) = term.range(self.domains, Self::row(part, read));
            self.note_open(part, read, term, least != greatest);
            let top = i64::from(self.domains.size(variable)) - 1;
            if least == greatest && self.domains.is_tied(variable) {
                let sum = |value: i64| value.saturating_add(least).clamp(0, top) as u32;
                let table: Vec<Option<u32>> = (0..=top).map(|value| Some(sum(value))).collect();
                if self
                    .domains
                    .copy(&mut part.row, [variable, variable], &table)
                {
                    return self.domains.mark(&mut part.row, variable);
                }
            }
            self.domains.write(&mut part.row, variable, &|set| {
                let old: Vec<u32> = values(set).collect();
                set.fill(0);
                for value in old.into_iter().map(i64::from) {
                    let least = value.saturating_add(least).clamp(0, top) as u32;
                    let greatest = value.saturating_add(greatest).clamp(0, top) as u32;
                    for value in least..=greatest {
                        insert(set, value);
                    }
                }
            });
        }
        self.domains.mark(&mut part.row, variable);
    }

    /// Notes in the trace the variables of a term whose value `is_open`.
    fn note_open(&self, part: &mut Part, read: Read, term: &Term, is_open: bool) {
        if !is_open || part.trace.is_none() {
            return;
        }
        let row = Self::row(part, read);
        let mut open = Vec::new();
        term.reads(&mut |read| open.push(read));
        open.retain(|&read| self.domains.single(row, read).is_none());
        if let Some(trace) = &mut part.trace {
            trace.unclear.append(&mut open);
        }
    }

    /// Copies, one part for each class of the result.
    fn copy(
        &mut self,
        to: u32,
        from: u32,
        table: &[Option<u32>],
        read: Read,
        parts: &mut Vec<Part>,
    ) {
        let domains = self.domains;
        if !self.distinguished[to as usize] {
            for part in parts {
                domains.mark(&mut part.row, to);
            }
            return;
        }
        if let [part] = parts.as_mut_slice()
            && let Some(value) = domains.single(Self::row(part, read), from)
        {
            if let Some(value) = table[value as usize] {
                domains.assign(&mut part.row, to, value);
                domains.mark(&mut part.row, to);
            }
            return;
        }
        let mut results = Vec::new();
        for mut part in parts.drain(..) {
            let is_as_read = read == Read::Now
                || read == Read::Snapshot && !domains.is_marked(&part.row, Mark::Snapshot, from);
            if is_as_read && domains.copy(&mut part.row, [to, from], table) {
                domains.mark(&mut part.row, to);
                results.push(part);
                continue;
            }
            // The values that leave all as it is, then those of each class.
            let sources: Vec<u32> = domains.values(Self::row(&part, read), from).collect();
            let words = domains.get(&part.row, from).len();
            let mut kept = vec![0; words];
            let mut by_class: Vec<(Vec<u64>, Vec<u64>)> = self.classes[to as usize]
                .iter()
                .map(|class| (vec![0; words], vec![0; class.len()]))
                .collect();
            for source in sources {
                match table[source as usize] {
                    None => insert(&mut kept, source),
                    Some(value) => {
                        let class = self.classes[to as usize]
                            .iter()
                            .position(|class| super::domains::contains(class, value));
                        if let Some(class) = class {
                            insert(&mut by_class[class].0, source);
                            insert(&mut by_class[class].1, value);
                        }
                    }
                }
            }
            if !is_empty(&kept) {
                let mut part = part.clone();
                if self.restrict_to(&mut part, read, from, &kept) {
                    results.push(part);
                }
            }
            for (sources, values) in by_class {
                if is_empty(&sources) {
                    continue;
                }
                let mut part = part.clone();
                if self.restrict_to(&mut part, read, from, &sources) {
                    domains.write(&mut part.row, to, &|set| set.copy_from_slice(&values));
                    domains.mark(&mut part.row, to);
                    results.push(part);
                }
            }
        }
        *parts = results;
    }
}
