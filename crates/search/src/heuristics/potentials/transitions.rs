//! Transitions: the effects of the parts of a step on variables, for each case the values before
//! and after.
//!
//! A part (an operator, a delayed effect, an event) is applied to the Cartesian set of all states
//! in which it may apply. Conditions on the way split the set, so that a case holds what goes
//! together: the values before, as far as conditions restrict them, and those after.

use crate::heuristics::cartesian::change::Change;
use crate::heuristics::cartesian::domains::{Mark, values};
use crate::heuristics::cartesian::formula::{Formula, Term};
use crate::heuristics::cartesian::model::{Model, Timer};
use crate::heuristics::cartesian::progression::{Part, Progression, Read};

/// A part with more cases is not followed.
const MOST_CASES: usize = 128;
/// Numbers that lead to more cases are not followed one by one.
const MOST_SPLIT: usize = 32;

/// A set of transitions that one part of a step can make.
#[derive(Clone)]
pub(crate) struct Case {
    /// The variables written, ascending.
    pub(crate) written: Vec<Written>,
    /// Variables that stay and cannot have all their values, ascending, with those that they can.
    pub(crate) kept: Vec<(u32, Vec<u32>)>,
    /// The least that it adds to the cost, counted negated where that is maximised.
    pub(crate) cost: i64,
    /// The labels recorded, at least.
    pub(crate) labels: u32,
}

/// The values that a variable may take.
#[derive(Clone)]
pub(crate) struct Written {
    pub(crate) variable: u32,
    /// The values that it may have before, and after.
    pub(crate) before: Vec<u32>,
    pub(crate) after: Vec<u32>,
}

impl Case {
    /// The case in which nothing happens, as far as is distinguished.
    pub(crate) const fn idle() -> Self {
        Self {
            written: Vec::new(),
            kept: Vec::new(),
            cost: 0,
            labels: 0,
        }
    }

    /// The values that a variable may take, if it is written.
    pub(crate) fn written(&self, variable: u32) -> Option<&Written> {
        let found = self
            .written
            .binary_search_by_key(&variable, |it| it.variable);
        found.ok().map(|index| &self.written[index])
    }

    /// The values that a variable may have before, where that are not all or it is written.
    pub(crate) fn values_before(&self, variable: u32) -> Option<&[u32]> {
        let written = self.written(variable).map(|written| &*written.before);
        written.or_else(|| self.kept(variable))
    }

    /// Notes that a variable, with so many values, does not have this one before.
    pub(crate) fn exclude(&mut self, variable: u32, value: u32, size: u32) {
        let written = self
            .written
            .iter_mut()
            .find(|written| written.variable == variable);
        if let Some(written) = written {
            if written.before.len() > 1 {
                written.before.retain(|&other| other != value);
            }
            return;
        }
        match self.kept.binary_search_by_key(&variable, |it| it.0) {
            Ok(index) => {
                let values = &mut self.kept[index].1;
                if values.len() > 1 {
                    values.retain(|&other| other != value);
                }
            }
            Err(index) => {
                let rest = (0..size).filter(|&other| other != value);
                self.kept.insert(index, (variable, rest.collect()));
            }
        }
    }

    /// The values that a variable may keep, where that are not all.
    pub(crate) fn kept(&self, variable: u32) -> Option<&[u32]> {
        let found = self.kept.binary_search_by_key(&variable, |it| it.0);
        found.ok().map(|index| &*self.kept[index].1)
    }
}

/// There are too many cases.
#[derive(Debug)]
pub(crate) struct TooMany;

/// A case that is being followed.
#[derive(Clone)]
struct Path {
    before: Box<[u64]>,
    part: Part,
}

/// Finds the cases of parts of a step.
pub(crate) struct Transitions<'a, 't> {
    model: &'a Model<'t>,
    distinguished: &'a [bool],
    classes: &'a [Vec<Box<[u64]>>],
    /// Any state.
    anything: Box<[u64]>,
}

impl<'a, 't> Transitions<'a, 't> {
    /// `classes` holds each value of each variable by itself.
    pub(crate) fn new(
        model: &'a Model<'t>,
        distinguished: &'a [bool],
        classes: &'a [Vec<Box<[u64]>>],
    ) -> Self {
        let mut anything = vec![0; model.domains.row_words()];
        for variable in 0..model.domains.len() {
            model.domains.forget(&mut anything, variable);
        }
        Self {
            model,
            distinguished,
            classes,
            anything: anything.into(),
        }
    }

    fn progression(&self) -> Progression<'a> {
        Progression::new(self.model, self.distinguished, self.classes)
    }

    fn paths(&self) -> Vec<Path> {
        vec![Path {
            before: self.anything.clone(),
            part: Part::new(self.anything.clone(), None),
        }]
    }

    /// The cases of an operator. `shared` holds the variables that may have changed since its
    /// precondition was tested.
    pub(crate) fn operator(
        &self,
        precondition: &Formula,
        change: &Change,
        shared: impl Fn(u32) -> bool,
    ) -> Result<Vec<Case>, TooMany> {
        let domains = &self.model.domains;
        let mut paths = self.paths();
        self.assume(&mut paths, Read::Now, precondition, true);
        for path in &mut paths {
            for variable in (0..domains.len()).filter(|&variable| shared(variable)) {
                domains.forget(&mut path.before, variable);
                domains.forget(&mut path.part.row, variable);
            }
        }
        self.apply(change, Read::Now, &mut paths)?;
        Ok(self.cases(&paths))
    }

    /// The cases of an effect of the tick.
    pub(crate) fn effect(&self, change: &Change) -> Result<Vec<Case>, TooMany> {
        let mut paths = self.paths();
        self.apply(change, Read::Now, &mut paths)?;
        Ok(self.cases(&paths))
    }

    /// The cases in which a delayed effect that is live advances; without those in which it waits.
    pub(crate) fn timer(&self, timer: &Timer) -> Result<Vec<Case>, TooMany> {
        let (dropped, runs) = (&timer.dropped_when, &timer.runs_while);
        let live = Formula::Fact(timer.variable, 0).negated();
        let mut found = Vec::new();
        let mut add = |conditions: &[(&Formula, bool)], changes: &[&Change]| {
            let mut paths = self.paths();
            for &(formula, truth) in conditions {
                self.assume(&mut paths, Read::Now, formula, truth);
            }
            for change in changes {
                self.apply(change, Read::Now, &mut paths)?;
            }
            found.append(&mut self.cases(&paths));
            Ok(())
        };
        let end = Change::Assign(timer.variable, 0);
        add(&[(&live, true), (dropped, true)], &[&end])?;
        if timer.every_tick {
            add(&[(&live, true), (dropped, false)], &[&timer.change])?;
            return Ok(found);
        }
        if !self.distinguished[timer.variable as usize] {
            let conditions = [(&live, true), (dropped, false), (runs, true)];
            add(&conditions, &[&timer.change])?;
            return Ok(found);
        }
        for value in 1..self.model.domains.size(timer.variable) {
            let now = Formula::Fact(timer.variable, value);
            let conditions = [(&now, true), (dropped, false), (runs, true)];
            let next = Change::Assign(timer.variable, value - 1);
            if value == 1 {
                add(&conditions, &[&next, &timer.change])?;
            } else {
                add(&conditions, &[&next])?;
            }
        }
        Ok(found)
    }

    fn assume(&self, paths: &mut Vec<Path>, read: Read, formula: &Formula, truth: bool) {
        let progression = self.progression();
        paths.retain_mut(|path| {
            let may_hold = match progression.truth(formula, read, &path.part) {
                Some(known) => known == truth,
                None => progression.assume(&mut path.part, read, formula, truth),
            };
            may_hold && self.look_back(path)
        });
    }

    /// Takes over what has become known of variables that have not been written. Returns whether
    /// such a state is left.
    fn look_back(&self, path: &mut Path) -> bool {
        let domains = &self.model.domains;
        (0..domains.len()).all(|variable| {
            if domains.is_marked(&path.part.row, Mark::Step, variable) {
                return true;
            }
            let now = domains.get(&path.part.row, variable);
            let before = domains.get_mut(&mut path.before, variable);
            before.copy_from_slice(now);
            now.iter().any(|&word| word != 0)
        })
    }

    fn apply(&self, change: &Change, read: Read, paths: &mut Vec<Path>) -> Result<(), TooMany> {
        if paths.len() > MOST_CASES {
            return Err(TooMany);
        }
        match change {
            Change::Nothing => {}
            Change::Log
            | Change::Assign(..)
            | Change::Increase { .. }
            | Change::Copy(_)
            | Change::Cost(_) => self.apply_plainly(change, read, paths),
            Change::Number { term, .. } => {
                self.distinguish(term, read, paths);
                self.apply_plainly(change, read, paths);
            }
            Change::Block { changes, snapshot } => {
                if *snapshot && read == Read::Now {
                    self.apply_at_once(changes, paths)?;
                } else {
                    for change in changes {
                        self.apply(change, read, paths)?;
                    }
                }
            }
            Change::Seq(changes) => {
                for change in changes {
                    self.apply(change, Read::Now, paths)?;
                }
            }
            Change::Any(changes) => {
                let mut results = Vec::new();
                for change in changes {
                    let mut own = paths.clone();
                    self.apply(change, read, &mut own)?;
                    results.append(&mut own);
                }
                *paths = results;
            }
            Change::If(formula, then, otherwise) => {
                let mut holding = paths.clone();
                self.assume(&mut holding, read, formula, true);
                self.assume(paths, read, formula, false);
                self.apply(then, read, &mut holding)?;
                self.apply(otherwise, read, paths)?;
                paths.append(&mut holding);
            }
            Change::Switch(variable, arms) => {
                let mut results = Vec::new();
                for (arm, change) in arms {
                    let mut own = paths.clone();
                    let progression = self.progression();
                    own.retain_mut(|path| {
                        progression.restrict_to(&mut path.part, read, *variable, arm)
                            && self.look_back(path)
                    });
                    self.apply(change, read, &mut own)?;
                    results.append(&mut own);
                }
                *paths = results;
            }
            // Any candidate that counts may be the best.
            Change::Choose(candidates, otherwise) => {
                let mut results = Vec::new();
                let start = paths.clone();
                for candidate in candidates {
                    let mut own = start.clone();
                    self.assume(&mut own, read, &candidate.formula, true);
                    self.apply(&candidate.change, read, &mut own)?;
                    results.append(&mut own);
                    self.assume(paths, read, &candidate.formula, false);
                }
                self.apply(otherwise, read, paths)?;
                paths.append(&mut results);
            }
        }
        Ok(())
    }

    /// Splits paths by the values that a term reads, where these are few.
    fn distinguish(&self, term: &Term, read: Read, paths: &mut Vec<Path>) {
        let mut variables = Vec::new();
        term.reads(&mut |variable| variables.push(variable));
        variables.sort_unstable();
        variables.dedup();
        let distinguished = |&variable: &u32| self.distinguished[variable as usize];
        for variable in variables.into_iter().filter(distinguished) {
            let size = self.model.domains.size(variable);
            if paths.len() * size as usize > MOST_SPLIT {
                return;
            }
            let mut results = Vec::new();
            for value in 0..size {
                let mut own = paths.clone();
                self.assume(&mut own, read, &Formula::Fact(variable, value), true);
                results.append(&mut own);
            }
            *paths = results;
        }
    }

    fn apply_plainly(&self, change: &Change, read: Read, paths: &mut Vec<Path>) {
        let mut progression = self.progression();
        let mut results = Vec::new();
        for path in paths.drain(..) {
            let mut parts = vec![path.part];
            progression.apply(change, read, &mut parts);
            for part in parts {
                let mut path = Path {
                    before: path.before.clone(),
                    part,
                };
                if self.look_back(&mut path) {
                    results.push(path);
                }
            }
        }
        *paths = results;
    }

    /// A block whose parts see the state before it.
    fn apply_at_once(&self, changes: &[Change], paths: &mut Vec<Path>) -> Result<(), TooMany> {
        let domains = &self.model.domains;
        for Path { part, .. } in paths.iter_mut() {
            part.before.push(part.row.clone());
            domains.clear_marks(&mut part.row, Mark::Snapshot);
        }
        for change in changes {
            self.apply(change, Read::Snapshot, paths)?;
        }
        for Path { part, .. } in paths {
            part.before.pop();
            if !part.before.is_empty() {
                domains.set_marks(&mut part.row, Mark::Snapshot);
            }
        }
        Ok(())
    }

    fn cases(&self, paths: &[Path]) -> Vec<Case> {
        paths.iter().map(|path| self.case(path)).collect()
    }

    fn case(&self, path: &Path) -> Case {
        let domains = &self.model.domains;
        let mut case = Case {
            written: Vec::new(),
            kept: Vec::new(),
            cost: path.part.cost,
            labels: path.part.labels,
        };
        for variable in (0..domains.len()).filter(|&variable| self.distinguished[variable as usize])
        {
            let before = domains.get(&path.before, variable);
            if domains.is_marked(&path.part.row, Mark::Step, variable) {
                case.written.push(Written {
                    variable,
                    before: values(before).collect(),
                    after: domains.values(&path.part.row, variable).collect(),
                });
            } else if before != domains.get(&self.anything, variable) {
                case.kept.push((variable, values(before).collect()));
            }
        }
        case
    }
}
