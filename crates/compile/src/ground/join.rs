//! Joins over reachable facts: they find the instances of a schema.
//!
//! A join that finds nothing may still have many partial matches, so every row and object that it
//! looks at counts against the budget of [`Work`].

use std::rc::Rc;

use super::facts::{Facts, MAX_COLUMNS};
use super::patterns::{Pattern, PatternTerm};
use super::work::Work;
use crate::sema::model::{Model, ObjectId, Variable};

/// The search for the instances of one schema.
pub(super) struct Join<'a> {
    facts: &'a Facts,
    patterns: &'a [Pattern],
    /// For each parameter the objects it ranges over.
    domains: &'a [Rc<Domain>],
    /// In which rounds each pattern's fact may have been found.
    rounds: Vec<(u32, u32)>,
    bindings: Vec<Option<ObjectId>>,
    done: Vec<bool>,
    work: &'a Work<'a>,
    found: Found<'a>,
}

/// The callback for each match of all patterns; it returns false to end the join.
enum Found<'a> {
    /// Of what it binds, all values of the other parameters.
    Bindings(&'a mut dyn FnMut(&[ObjectId]) -> bool),
    /// The match as such.
    Match(&'a mut dyn FnMut() -> bool),
}

/// The objects that a variable ranges over.
#[derive(Debug)]
pub(super) struct Domain {
    objects: Vec<ObjectId>,
    contains: Vec<bool>,
}

impl Domain {
    pub(super) fn new(model: &Model, variable: &Variable) -> Self {
        let objects = model.objects_of(&variable.types);
        let mut contains = vec![false; model.objects.len()];
        for object in &objects {
            contains[object.index()] = true;
        }
        Self { objects, contains }
    }

    pub(super) const fn len(&self) -> usize {
        self.objects.len()
    }
}

/// Calls `found` for every binding of the parameters whose patterns are all reachable facts, at
/// least one of them found in `round` itself (in round 0: all). It stops when `found` is false or
/// the work is done.
pub(super) fn join(
    facts: &Facts,
    patterns: &[Pattern],
    domains: &[Rc<Domain>],
    round: u32,
    work: &Work<'_>,
    found: &mut dyn FnMut(&[ObjectId]) -> bool,
) {
    if domains.iter().any(|domain| domain.objects.is_empty()) {
        return;
    }
    let mut run = |rounds| {
        Join {
            facts,
            patterns,
            domains,
            rounds,
            bindings: vec![None; domains.len()],
            done: vec![false; patterns.len()],
            work,
            found: Found::Bindings(&mut *found),
        }
        .extend()
    };
    if round == 0 {
        run(vec![(0, 0); patterns.len()]);
        return;
    }
    for newest in 0..patterns.len() {
        if !facts.are_new(patterns[newest].fluent, round) {
            continue;
        }
        let rounds = (0..patterns.len())
            .map(|index| match index.cmp(&newest) {
                std::cmp::Ordering::Less => (0, round - 1),
                std::cmp::Ordering::Equal => (round, round),
                std::cmp::Ordering::Greater => (0, round),
            })
            .collect();
        if !run(rounds) {
            return;
        }
    }
}

/// The first number below `count` for which something is so that is then so for all that follow.
fn first(count: usize, is_so: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low.midpoint(high);
        if is_so(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}

/// Calls `found` for every match of some patterns with facts found up to `round`, whatever else the
/// parameters may be. It stops when `found` is false or the work is done.
pub(super) fn join_group(
    facts: &Facts,
    patterns: &[Pattern],
    domains: &[Rc<Domain>],
    round: u32,
    work: &Work<'_>,
    found: &mut dyn FnMut() -> bool,
) {
    let mut join = Join {
        facts,
        patterns,
        domains,
        rounds: vec![(0, round); patterns.len()],
        bindings: vec![None; domains.len()],
        done: vec![false; patterns.len()],
        work,
        found: Found::Match(found),
    };
    join.extend();
}

impl<'a> Join<'a> {
    /// Binds one more pattern or, when none is left, one more free parameter.
    fn extend(&mut self) -> bool {
        if !self.work.spend(1 + self.patterns.len() as u64) {
            return false;
        }
        let Some(next) = self.cheapest() else {
            return self.enumerate();
        };
        self.done[next] = true;
        let patterns: &'a [Pattern] = self.patterns;
        let facts: &'a Facts = self.facts;
        let pattern = &patterns[next];
        let rows = facts.rows(pattern.fluent);
        let listed = self.candidates(pattern);
        let row_at = |index: usize| &rows[listed.map_or(index, |listed| listed[index] as usize)];
        let count = listed.map_or(rows.len(), <[u32]>::len);
        let (from, to) = self.rounds[next];
        // Rows stand in the order of their rounds.
        let within = first(count, |index| row_at(index).round >= from)..first(count, |index| {
            row_at(index).round > to
        });
        let mut go_on = true;
        for index in within {
            if !self.work.spend(1) {
                go_on = false;
                break;
            }
            let row = row_at(index);
            let mut bound = Vec::new();
            if self.unify(pattern, &row.objects, &mut bound) {
                go_on = self.extend();
            }
            for variable in bound {
                self.bindings[variable] = None;
            }
            if !go_on {
                break;
            }
        }
        self.done[next] = false;
        go_on
    }

    /// The open pattern with the fewest candidate rows.
    fn cheapest(&self) -> Option<usize> {
        (0..self.patterns.len())
            .filter(|&index| !self.done[index])
            .min_by_key(|&index| {
                let pattern = &self.patterns[index];
                self.candidates(pattern)
                    .map_or(self.facts.rows(pattern.fluent).len(), <[u32]>::len)
            })
    }

    /// The shortest list of rows that match one of the pattern's bound terms.
    fn candidates(&self, pattern: &Pattern) -> Option<&'a [u32]> {
        let facts: &'a Facts = self.facts;
        (0..MAX_COLUMNS)
            .zip(&pattern.terms)
            .filter_map(|(column, term)| {
                let object = match *term {
                    PatternTerm::Object(object) => object,
                    PatternTerm::Variable(variable) => self.bindings[variable]?,
                };
                Some(facts.with(pattern.fluent, column, object))
            })
            .min_by_key(|rows| rows.len())
    }

    fn unify(&mut self, pattern: &Pattern, objects: &[ObjectId], bound: &mut Vec<usize>) -> bool {
        pattern
            .terms
            .iter()
            .zip(objects)
            .all(|(term, &object)| match *term {
                PatternTerm::Object(expected) => expected == object,
                PatternTerm::Variable(variable) => {
                    if let Some(expected) = self.bindings[variable] {
                        return expected == object;
                    }
                    let fits = self.domains[variable].contains[object.index()];
                    if fits {
                        self.bindings[variable] = Some(object);
                        bound.push(variable);
                    }
                    fits
                }
            })
    }

    /// Binds the parameters that no pattern mentions, the last one fastest.
    fn enumerate(&mut self) -> bool {
        let found = match &mut self.found {
            Found::Match(found) => return found(),
            Found::Bindings(found) => found,
        };
        let free: Vec<usize> = (0..self.bindings.len())
            .filter(|&parameter| self.bindings[parameter].is_none())
            .collect();
        let mut next = vec![0; free.len()];
        for &parameter in &free {
            self.bindings[parameter] = self.domains[parameter].objects.first().copied();
        }
        let go_on = loop {
            let objects: Vec<ObjectId> = self.bindings.iter().flatten().copied().collect();
            if !self.work.spend(1 + free.len() as u64) || !found(&objects) {
                break false;
            }
            let turned = (0..free.len()).rev().any(|at| {
                let objects = &self.domains[free[at]].objects;
                next[at] = (next[at] + 1) % objects.len().max(1);
                self.bindings[free[at]] = objects.get(next[at]).copied();
                next[at] > 0
            });
            if !turned {
                break true;
            }
        };
        for parameter in free {
            self.bindings[parameter] = None;
        }
        go_on
    }
}
