//! The paths through an effect.

use super::path::{Path, Read, Space, Write};
use super::values::Values;
use brigade_task::cond::{Cond, Expr};
use brigade_task::cost_range::{Range, add};
use brigade_task::effect::Effect;

/// A part of a step with more paths is not followed.
const MOST_PATHS: usize = 400;

/// There are too many paths, or costs that do not fit.
pub(super) struct TooMany;

/// Follows effects, as far as conditions that were tested before may hold.
pub(super) struct Walker<'t> {
    pub(super) space: Space<'t>,
    /// The condition under which the effect applies, where it holds in the state before.
    pub(super) guard: &'t Cond,
}

impl Walker<'_> {
    /// The paths that some paths go on by.
    pub(super) fn walk(
        &self,
        paths: Vec<Path>,
        read: Read,
        effect: &Effect,
    ) -> Result<Vec<Path>, TooMany> {
        let space = self.space;
        if paths.len() > MOST_PATHS {
            return Err(TooMany);
        }
        let each = |go: &dyn Fn(Path) -> Result<Vec<Path>, TooMany>| {
            let mut next = Vec::new();
            for path in paths.iter().cloned() {
                next.extend(go(path)?);
            }
            Ok(next)
        };
        match effect {
            Effect::Nothing | Effect::Log(_) | Effect::Total(..) => Ok(paths),
            Effect::Set(fact) => each(&|mut path| {
                let size = space.size(fact.variable.0);
                let to = Values::one(size, fact.value);
                path.writes.insert(fact.variable.0, Write::One(to));
                Ok(vec![path])
            }),
            Effect::Clear(fact, other) => {
                let set = Effect::Set(*other);
                self.branch(
                    &paths,
                    Read::Now,
                    &Cond::Fact(*fact),
                    (&set, &Effect::Nothing),
                )
            }
            Effect::Number(variable, expr) => {
                each(&|path| Ok(vec![self.number(path, read, variable.0, expr)]))
            }
            Effect::Increase(variable, expr) => {
                each(&|path| Ok(self.increase(path, read, variable.0, expr)))
            }
            Effect::Copy(to, from, table) => each(&|path| {
                let mut next = Vec::new();
                for value in space.all_values(&path, read, from.0).iter() {
                    let only = Values::one(space.size(from.0), value);
                    let mut path = path.clone();
                    if !space.restrict(&mut path, read, from.0, &only) {
                        continue;
                    }
                    if let Some(value) = table[value as usize] {
                        let value = Values::one(space.size(to.0), value);
                        path.writes.insert(to.0, Write::One(value));
                    }
                    next.push(path);
                }
                Ok(next)
            }),
            Effect::Block { effects, snapshot } => {
                let is_first = *snapshot && read == Read::Now;
                let mut paths = paths;
                if is_first {
                    for path in &mut paths {
                        path.snapshot.clone_from(&path.writes);
                    }
                }
                let read = if is_first { Read::Snapshot } else { read };
                for effect in effects {
                    paths = self.walk(paths, read, effect)?;
                }
                if is_first {
                    for path in &mut paths {
                        path.snapshot.clear();
                    }
                }
                Ok(paths)
            }
            Effect::Seq(effects) => (effects.iter())
                .try_fold(paths, |paths, effect| self.walk(paths, Read::Now, effect)),
            Effect::When(cond, effect) => {
                self.branch(&paths, read, cond, (effect, &Effect::Nothing))
            }
            Effect::Case(cases, otherwise) => {
                let mut open = paths;
                let mut done = Vec::new();
                for (cond, effect) in cases {
                    let holding = self.assume(&open, read, cond, true);
                    done.extend(self.walk(holding, read, effect)?);
                    open = self.assume(&open, read, cond, false);
                }
                done.extend(self.walk(open, read, otherwise)?);
                Ok(done)
            }
            Effect::Switch(variable, effects) => each(&|path| {
                let mut next = Vec::new();
                let idle = |value: u32| effects[value as usize].is_idle();
                // No state has a value without an effect.
                let values = space.all_values(&path, read, variable.0);
                let values: Vec<u32> = (values.iter())
                    .filter(|&value| (value as usize) < effects.len())
                    .collect();
                let size = space.size(variable.0);
                let mut arms: Vec<Values> = (values.iter().copied())
                    .filter(|&value| !idle(value))
                    .map(|value| Values::one(size, value))
                    .collect();
                arms.push(Values::of(
                    size,
                    values.iter().copied().filter(|&value| idle(value)),
                ));
                for arm in arms {
                    let Some(first) = arm.iter().next() else {
                        continue;
                    };
                    let mut path = path.clone();
                    if self.space.restrict(&mut path, read, variable.0, &arm) {
                        next.extend(self.walk(vec![path], read, &effects[first as usize])?);
                    }
                }
                Ok(next)
            }),
            // Any candidate that counts may be the best.
            Effect::Choose(candidates, otherwise) => {
                let mut next = Vec::new();
                for candidate in candidates {
                    let holding = self.assume(&paths, read, &candidate.cond, true);
                    next.extend(self.walk(holding, read, &candidate.effect)?);
                }
                next.extend(self.walk(paths, read, otherwise)?);
                Ok(next)
            }
            Effect::Enlist(entry) => each(&|mut path| {
                for place in entry.first.0..entry.first.0 + entry.places {
                    path.writes.insert(place, Write::Unknown);
                }
                Ok(vec![path])
            }),
            Effect::Cost(expr) => each(&|mut path| {
                let truth = |cond: &Cond| space.truth(&path, read, cond);
                let range = space.range(&path, read, expr, &truth).ok_or(TooMany)?;
                path.cost = add(path.cost, range).ok_or(TooMany)?;
                Ok(vec![path])
            }),
        }
    }

    /// The paths of one effect where a condition holds, and those of another where not.
    fn branch(
        &self,
        paths: &[Path],
        read: Read,
        cond: &Cond,
        (then, otherwise): (&Effect, &Effect),
    ) -> Result<Vec<Path>, TooMany> {
        let holding = self.assume(paths, read, cond, true);
        let mut next = self.walk(holding, read, then)?;
        let others = self.assume(paths, read, cond, false);
        next.extend(self.walk(others, read, otherwise)?);
        Ok(next)
    }

    fn assume(&self, paths: &[Path], read: Read, cond: &Cond, is: bool) -> Vec<Path> {
        let next = paths.iter().cloned();
        let next = next.flat_map(|path| self.space.assume(path, read, cond, is));
        // What is known of the state before may rule out the path.
        next.filter(|path| self.may_begin(path)).collect()
    }

    fn may_begin(&self, path: &Path) -> bool {
        if *self.guard == Cond::True {
            return true;
        }
        // The snapshot of a path that has written nothing is the state before.
        let before = Path {
            before: path.before.clone(),
            ..Path::default()
        };
        self.space.truth(&before, Read::Now, self.guard) != Some(false)
    }

    fn number(&self, mut path: Path, read: Read, variable: u32, expr: &Expr) -> Path {
        let space = self.space;
        let own = &space.0.variables[variable as usize];
        let truth = |cond: &Cond| space.truth(&path, read, cond);
        let range = space.range(&path, read, expr, &truth);
        let write = match range {
            None => Write::Unknown,
            Some((least, most)) => {
                let top = i64::from(own.size) - 1;
                let stored = |number: i64| number.saturating_sub(own.low()).clamp(0, top) as u32;
                Write::One(Values::of(own.size, stored(least)..=stored(most)))
            }
        };
        path.writes.insert(variable, write);
        path
    }

    fn increase(&self, path: Path, read: Read, variable: u32, expr: &Expr) -> Vec<Path> {
        let space = self.space;
        let truth = |cond: &Cond| space.truth(&path, read, cond);
        let range = space.range(&path, read, expr, &truth);
        let with = |mut path: Path, write: Write| {
            path.writes.insert(variable, write);
            path
        };
        let Some((least, most)) = range else {
            return vec![with(path, Write::Unknown)];
        };
        if space.is_counter(variable) {
            let sum = match path.writes.get(&variable) {
                None => added((least, most)),
                // One that takes and one that gives may meet the bounds in between.
                Some(&Write::Add {
                    by: (low, high), ..
                }) if (low >= 0 && least >= 0) || (high <= 0 && most <= 0) => {
                    added((low.saturating_add(least), high.saturating_add(most)))
                }
                Some(_) => Write::Unknown,
            };
            return vec![with(path, sum)];
        }
        let size = space.size(variable);
        let top = i64::from(size) - 1;
        let sum =
            |value: u32, amount: i64| i64::from(value).saturating_add(amount).clamp(0, top) as u32;
        let results = |values: &Values| {
            let mut all = Values::none(size);
            for value in values.iter() {
                (sum(value, least)..=sum(value, most)).for_each(|value| all.insert(value));
            }
            all
        };
        let values = space.all_values(&path, Read::Now, variable);
        if path.writes.contains_key(&variable) {
            let results = results(&values);
            return vec![with(path, Write::One(results))];
        }
        let one = |value: u32| {
            let only = Values::one(size, value);
            let mut path = path.clone();
            let may_be = space.restrict(&mut path, Read::Now, variable, &only);
            may_be.then(|| with(path, Write::One(results(&only))))
        };
        values.iter().filter_map(one).collect()
    }
}

const fn added(by: Range) -> Write {
    Write::Add { by, change: by }
}
