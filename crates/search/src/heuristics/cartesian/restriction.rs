//! Restriction of Cartesian sets of states to those in which a condition holds, as far as such sets
//! can express it.

use super::domains::{Mark, contains};
use super::formula::Formula;
use super::progression::{Part, Progression, Read};

impl Progression<'_> {
    /// Narrows a variable to the values that `keep` leaves of its set. Returns whether any is left.
    fn restrict(
        &self,
        part: &mut Part,
        read: Read,
        variable: u32,
        keep: &dyn Fn(&mut [u64]),
    ) -> bool {
        let domains = self.domains;
        if part.trace.is_some() {
            self.compare(part, read, variable, keep);
        }
        if !self.distinguished[variable as usize] {
            return true;
        }
        let restrict = |row: &mut [u64]| domains.narrow(row, variable, keep);
        match read {
            Read::Now => restrict(&mut part.row),
            Read::Snapshot => {
                let is_written = domains.is_marked(&part.row, Mark::Snapshot, variable);
                part.before.last_mut().is_none_or(|before| restrict(before))
                    && (is_written || restrict(&mut part.row))
            }
            Read::Start(_) => {
                self.shifting.get(variable as usize) == Some(&true)
                    || domains.is_marked(&part.row, Mark::Step, variable)
                    || restrict(&mut part.row)
            }
        }
    }

    /// Notes in the trace if the state that it compares with does not have the value.
    fn compare(&self, part: &mut Part, read: Read, variable: u32, keep: &dyn Fn(&mut [u64])) {
        let domains = self.domains;
        let row = Self::row(part, read);
        if !matches!(read, Read::Start(_)) && domains.is_marked(row, Mark::Step, variable) {
            return;
        }
        let mut set: Box<[u64]> = domains.get(row, variable).into();
        keep(&mut set);
        let value = self.variables[variable as usize].get(self.actual);
        if let Some(trace) = &mut part.trace
            && !contains(&set, value)
            && !trace
                .violated
                .iter()
                .any(|other| other.0 == variable && other.1 == set)
        {
            trace.violated.push((variable, set));
        }
    }

    /// Narrows a variable to a set.
    pub(crate) fn restrict_to(
        &self,
        part: &mut Part,
        read: Read,
        variable: u32,
        set: &[u64],
    ) -> bool {
        self.restrict(part, read, variable, &|kept| {
            for (word, other) in kept.iter_mut().zip(set) {
                *word &= other;
            }
        })
    }

    /// Narrows a part to the states where a condition holds, or does not, as far as sets of values
    /// can. Returns false if there is none.
    pub(crate) fn assume(
        &self,
        part: &mut Part,
        read: Read,
        formula: &Formula,
        truth: bool,
    ) -> bool {
        match (formula, truth) {
            (Formula::True, _) => truth,
            (Formula::False, _) => !truth,
            (Formula::Unknown, _) => true,
            (Formula::Fact(variable, value), _) => {
                let (word, bit) = (*value as usize / 64, 1 << (value % 64));
                self.restrict(part, read, *variable, &|kept| {
                    if truth {
                        let found = kept[word] & bit;
                        kept.fill(0);
                        kept[word] = found;
                    } else {
                        kept[word] &= !bit;
                    }
                })
            }
            (Formula::Not(formula), _) => self.assume(part, read, formula, !truth),
            (Formula::All(formulas), true) | (Formula::Any(formulas), false) => formulas
                .iter()
                .all(|formula| match self.truth(formula, read, part) {
                    Some(known) => known == truth,
                    None => self.assume(part, read, formula, truth),
                }),
            (Formula::All(formulas), false) | (Formula::Any(formulas), true) => {
                let mut open = None;
                for formula in formulas {
                    match self.truth(formula, read, part) {
                        Some(known) if known == truth => return true,
                        Some(_) => {}
                        None if open.is_some() => {
                            self.note(part, read, formulas);
                            return true;
                        }
                        None => open = Some(formula),
                    }
                }
                open.is_some_and(|formula| self.assume(part, read, formula, truth))
            }
            (Formula::Compare(..) | Formula::Same(..), _) => {
                self.note(part, read, std::slice::from_ref(formula));
                true
            }
        }
    }

    /// Splits a part into the states where a condition holds and those where it does not; what is
    /// not known to fail may be in both.
    pub(crate) fn split(&self, formula: &Formula, part: Part) -> (Option<Part>, Option<Part>) {
        match self.truth(formula, Read::Now, &part) {
            Some(true) => (Some(part), None),
            Some(false) => (None, Some(part)),
            None => {
                let mut holding = part.clone();
                let mut failing = part;
                let holds = self.assume(&mut holding, Read::Now, formula, true);
                let fails = self.assume(&mut failing, Read::Now, formula, false);
                (holds.then_some(holding), fails.then_some(failing))
            }
        }
    }

    /// Notes that something was assumed that sets of values do not express.
    fn note(&self, part: &mut Part, read: Read, formulas: &[Formula]) {
        if part.trace.is_none() {
            return;
        }
        let mut variables = Vec::new();
        let row = Self::row(part, read);
        for formula in formulas {
            formula.reads(&mut |variable| variables.push(variable));
        }
        variables.retain(|&variable| self.domains.single(row, variable).is_none());
        if let Some(trace) = &mut part.trace {
            trace.unclear.append(&mut variables);
        }
    }
}
