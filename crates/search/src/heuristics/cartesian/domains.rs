//! Sets of values, one for each variable: a Cartesian set of states.
//!
//! A row of words holds for each variable the set of values that it may have, then two sets of
//! variables: those written since the step began, and since the last snapshot; last, the tuples of variables that are tied.

use super::tuples::{Place, Tie};
use brigade_task::PackedTask;
use smallvec::SmallVec;

pub(crate) use super::sets::{contains, insert, is_empty, single, values};

/// Ties do not make rows longer than this. Measured: an evening of CookMAS takes 3,240 words, and shows less with 512.
const MOST_ROW_WORDS: usize = 1 << 13;

/// The layout of a row: the place of each variable's set.
#[derive(Clone, Debug)]
pub(crate) struct Domains {
    /// First word of each variable, and the first word after the last.
    first: Vec<u32>,
    sizes: Vec<u32>,
    variables: usize,
    words: usize,
    ties: Vec<Tie>,
    /// For each variable, the tie that it is part of.
    tie: Vec<Option<u32>>,
    row_words: usize,
}

/// Sets of variables that stand after the values of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    /// Written since the step began.
    Step,
    /// Written since the last snapshot.
    Snapshot,
}

impl Domains {
    pub(crate) fn new(task: &PackedTask) -> Self {
        let sizes: Vec<u32> = task
            .variables
            .iter()
            .map(|variable| variable.size)
            .collect();
        let mut first = vec![0];
        for &size in &sizes {
            first.push(first[first.len() - 1] + size.div_ceil(64));
        }
        let words = first[sizes.len()] as usize;
        Self {
            first,
            variables: sizes.len(),
            words,
            ties: Vec::new(),
            tie: vec![None; sizes.len()],
            row_words: words + 2 * sizes.len().div_ceil(64),
            sizes,
        }
    }

    /// Lets rows hold the tuples of variables, as far as these are few enough and in no other tie.
    pub(crate) fn tie(&mut self, variables: &[u32]) {
        let free = variables.iter().copied();
        let free = free.filter(|&variable| self.tie[variable as usize].is_none());
        let places = free.map(|variable| Place {
            variable,
            size: self.size(variable),
            first: self.first[variable as usize] as usize,
        });
        let tie = Tie::new(places, self.row_words);
        let Some(tie) = tie.filter(|tie| self.row_words + tie.words() <= MOST_ROW_WORDS) else {
            return;
        };
        self.row_words += tie.words();
        for variable in tie.variables() {
            self.tie[variable as usize] = Some(self.ties.len() as u32);
        }
        self.ties.push(tie);
    }

    /// The number of variables.
    pub(crate) const fn len(&self) -> u32 {
        self.variables as u32
    }

    /// Words of the sets of values.
    pub(crate) const fn value_words(&self) -> usize {
        self.words
    }

    /// Words of a row.
    pub(crate) const fn row_words(&self) -> usize {
        self.row_words
    }

    pub(crate) fn size(&self, variable: u32) -> u32 {
        self.sizes[variable as usize]
    }

    /// The set of a variable.
    pub(crate) fn get<'r>(&self, row: &'r [u64], variable: u32) -> &'r [u64] {
        let variable = variable as usize;
        &row[self.first[variable] as usize..self.first[variable + 1] as usize]
    }

    /// The set of a variable that is not tied to others.
    pub(crate) fn get_mut<'r>(&self, row: &'r mut [u64], variable: u32) -> &'r mut [u64] {
        debug_assert!(!self.is_tied(variable), "it is tied");
        self.set_mut(row, variable)
    }

    fn set_mut<'r>(&self, row: &'r mut [u64], variable: u32) -> &'r mut [u64] {
        let variable = variable as usize;
        &mut row[self.first[variable] as usize..self.first[variable + 1] as usize]
    }

    pub(crate) fn contains(&self, row: &[u64], variable: u32, value: u32) -> bool {
        contains(self.get(row, variable), value)
    }

    /// Returns whether some state is in both of two rows.
    pub(crate) fn meet(&self, row: &[u64], other: &[u64]) -> bool {
        (0..self.len()).all(|variable| {
            let sets = self
                .get(row, variable)
                .iter()
                .zip(self.get(other, variable));
            sets.into_iter().any(|(one, other)| one & other != 0)
        })
    }

    /// The only value of a variable, if it has but one.
    pub(crate) fn single(&self, row: &[u64], variable: u32) -> Option<u32> {
        single(self.get(row, variable))
    }

    /// The only value of each of some variables, if each has but one.
    pub(crate) fn singles(&self, row: &[u64], variables: &[u32]) -> Option<Box<[u32]>> {
        let values = variables.iter();
        values.map(|&variable| self.single(row, variable)).collect()
    }

    /// The values a variable may have, ascending.
    pub(crate) fn values<'r>(
        &self,
        row: &'r [u64],
        variable: u32,
    ) -> impl Iterator<Item = u32> + use<'r> {
        values(self.get(row, variable))
    }

    /// Gives a variable this value.
    pub(crate) fn assign(&self, row: &mut [u64], variable: u32, value: u32) {
        let set = self.set_mut(row, variable);
        set.fill(0);
        insert(set, value);
        self.tie_anew(row, variable);
    }

    /// Gives a variable another set of values.
    pub(crate) fn write(&self, row: &mut [u64], variable: u32, change: &dyn Fn(&mut [u64])) {
        change(self.set_mut(row, variable));
        self.tie_anew(row, variable);
    }

    /// Returns whether rows hold tuples of a variable.
    pub(crate) fn is_tied(&self, variable: u32) -> bool {
        self.tie[variable as usize].is_some()
    }

    /// Lets the tuples of a variable that was written have any value of its new set.
    fn tie_anew(&self, row: &mut [u64], variable: u32) {
        if let Some(tie) = self.tie[variable as usize] {
            self.ties[tie as usize].write(row, variable);
        }
    }

    /// Narrows a variable, and with it those that it is tied to, to the values that `keep` leaves of its set. Returns
    /// whether any is left.
    pub(crate) fn narrow(&self, row: &mut [u64], variable: u32, keep: &dyn Fn(&mut [u64])) -> bool {
        let set = self.set_mut(row, variable);
        let Some(tie) = self.tie[variable as usize] else {
            keep(set);
            return !is_empty(set);
        };
        let mut kept: SmallVec<[u64; 4]> = SmallVec::from_slice(set);
        keep(&mut kept);
        if *kept == *set {
            return !is_empty(&kept);
        }
        self.ties[tie as usize].narrow(row, variable, &kept)
    }

    /// Gives a variable the value that a table has for that of another that it is tied to, where it has one. Returns false
    /// if they are not tied.
    pub(crate) fn copy(
        &self,
        row: &mut [u64],
        [to, from]: [u32; 2],
        table: &[Option<u32>],
    ) -> bool {
        let tie = self.tie[to as usize].map(|tie| &self.ties[tie as usize]);
        tie.is_some_and(|tie| tie.copy(row, [to, from], table))
    }

    /// Completes a row in which each variable has one value by the tuples of these.
    pub(crate) fn fill_ties(&self, row: &mut [u64]) {
        for tie in &self.ties {
            tie.fill(row);
        }
    }

    /// Lets a variable have any value.
    pub(crate) fn forget(&self, row: &mut [u64], variable: u32) {
        let size = self.size(variable);
        let set = self.get_mut(row, variable);
        set.fill(u64::MAX);
        if !size.is_multiple_of(64) {
            set[size as usize / 64] = (1 << (size % 64)) - 1;
        }
    }

    fn mark_word(&self, mark: Mark, variable: u32) -> usize {
        let first = match mark {
            Mark::Step => self.words,
            Mark::Snapshot => self.words + self.variables.div_ceil(64),
        };
        first + variable as usize / 64
    }

    pub(crate) fn is_marked(&self, row: &[u64], mark: Mark, variable: u32) -> bool {
        row[self.mark_word(mark, variable)] >> (variable % 64) & 1 == 1
    }

    /// Notes that a variable was written.
    pub(crate) fn mark(&self, row: &mut [u64], variable: u32) {
        for mark in [Mark::Step, Mark::Snapshot] {
            row[self.mark_word(mark, variable)] |= 1 << (variable % 64);
        }
    }

    pub(crate) fn clear_marks(&self, row: &mut [u64], mark: Mark) {
        self.fill_marks(row, mark, 0);
    }

    /// Takes all variables as written.
    pub(crate) fn set_marks(&self, row: &mut [u64], mark: Mark) {
        self.fill_marks(row, mark, u64::MAX);
    }

    fn fill_marks(&self, row: &mut [u64], mark: Mark, word: u64) {
        let words = self.variables.div_ceil(64);
        let first = self.mark_word(mark, 0);
        row[first..first + words].fill(word);
    }
}
