//! The facts that are reachable in the relaxation, indexed for joins, and the joins that find the
//! instances of a schema.
//!
//! A join that finds nothing may still have many partial matches, so every row and object that it
//! looks at counts against the budget of [`Work`].

use std::rc::Rc;

use hashbrown::HashMap;
use indexmap::{IndexMap, IndexSet};
use petgraph::unionfind::UnionFind;
use rustc_hash::FxBuildHasher;

use super::work::Work;
use crate::sema::model::{Cond, FluentId, Model, ObjectId, Range, Term, Value, Variable};

/// A column of a fact row: its arguments, then for an object fluent its value.
type Column = u16;

/// The most columns of a row that are indexed.
const MAX_COLUMNS: Column = 32;

/// The most patterns of a schema that are joined. The others are tested on the instances.
const MAX_PATTERNS: usize = 64;

/// A reachable fact.
#[derive(Debug)]
struct Row {
    objects: Box<[ObjectId]>,
    /// The round in which it was found.
    round: u32,
}

/// All reachable facts of predicates and object fluents.
#[derive(Debug, Default)]
pub(super) struct Facts {
    /// By fluent, in the order of the rounds.
    rows: Vec<Vec<Row>>,
    index: HashMap<(FluentId, Column, ObjectId), Vec<u32>, FxBuildHasher>,
    /// The fluents of the facts that were added since this was last asked for.
    fresh: Vec<FluentId>,
}

impl Facts {
    pub(super) fn new(fluents: usize) -> Self {
        Self {
            rows: (0..fluents).map(|_| Vec::new()).collect(),
            index: HashMap::default(),
            fresh: Vec::new(),
        }
    }

    /// The fluents of the facts that were added since the last call.
    pub(super) fn take_fresh(&mut self) -> Vec<FluentId> {
        std::mem::take(&mut self.fresh)
    }

    /// Returns true if a fact of a fluent was found in a round, the last one so far.
    fn are_new(&self, fluent: FluentId, round: u32) -> bool {
        let last = self.rows[fluent.index()].last();
        last.is_some_and(|row| row.round == round)
    }

    /// Adds a fact that was not there before.
    pub(super) fn add(&mut self, fluent: FluentId, objects: Box<[ObjectId]>, round: u32) {
        if !self.are_new(fluent, round) {
            self.fresh.push(fluent);
        }
        let rows = &mut self.rows[fluent.index()];
        let row = rows.len() as u32;
        for (column, &object) in (0..MAX_COLUMNS).zip(&*objects) {
            self.index
                .entry((fluent, column, object))
                .or_default()
                .push(row);
        }
        rows.push(Row { objects, round });
    }

    /// Adds a value that was not there before; those of numbers and what is false are left out.
    pub(super) fn add_value(
        &mut self,
        fluent: FluentId,
        args: &[ObjectId],
        value: Value,
        round: u32,
    ) {
        let mut objects = args.to_vec();
        match value {
            Value::Boolean(true) => {}
            Value::Object(object) => objects.push(object),
            Value::Boolean(false) | Value::Number(_) => return,
        }
        self.add(fluent, objects.into(), round);
    }

    /// Counts all facts of a fluent as found in the first round.
    pub(super) fn settle(&mut self, fluent: FluentId) {
        for row in &mut self.rows[fluent.index()] {
            row.round = 0;
        }
    }
}

/// A term of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum PatternTerm {
    Variable(usize),
    Object(ObjectId),
}

/// A fact that every instance of a schema needs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Pattern {
    fluent: FluentId,
    terms: Vec<PatternTerm>,
}

impl Pattern {
    /// The predicate or function.
    pub(super) const fn fluent(&self) -> FluentId {
        self.fluent
    }

    /// Returns true if the variable of that index is one of the terms.
    pub(super) fn reads(&self, variable: usize) -> bool {
        self.terms.contains(&PatternTerm::Variable(variable))
    }

    fn variables(&self) -> impl Iterator<Item = usize> {
        self.terms.iter().filter_map(|term| match term {
            PatternTerm::Variable(variable) => Some(*variable),
            PatternTerm::Object(_) => None,
        })
    }
}

/// The facts that a conjunction requires, as far as they are plain: predicates and object-fluent
/// equalities over variables below `parameters` and objects. Of very many, those that bind a
/// variable come first, and the rest is left out.
pub(super) fn patterns<'a>(
    conds: impl IntoIterator<Item = &'a Cond>,
    model: &Model,
    parameters: usize,
) -> Vec<Pattern> {
    let mut patterns = Vec::new();
    let mut open: Vec<&Cond> = conds.into_iter().collect();
    open.reverse();
    while let Some(cond) = open.pop() {
        match cond {
            Cond::And(conds) => open.extend(conds.iter().rev()),
            Cond::Atom(fluent, args) => {
                if let Some(terms) = plain(args, parameters) {
                    patterns.push(Pattern {
                        fluent: *fluent,
                        terms,
                    });
                }
            }
            Cond::Same(left, right) => {
                for (value, fluent) in [(left, right), (right, left)] {
                    if let Term::Fluent(fluent, args) = fluent
                        && matches!(model.fluents[fluent.index()].range, Range::Object(_))
                        && let Some(terms) = plain(args.iter().chain([value]), parameters)
                    {
                        patterns.push(Pattern {
                            fluent: *fluent,
                            terms,
                        });
                    }
                }
            }
            _ => {}
        }
    }
    chosen(patterns, parameters)
}

/// At most [`MAX_PATTERNS`] different patterns, in their order.
fn chosen(patterns: Vec<Pattern>, parameters: usize) -> Vec<Pattern> {
    let patterns: IndexSet<Pattern> = patterns.into_iter().collect();
    if patterns.len() <= MAX_PATTERNS {
        return patterns.into_iter().collect();
    }
    let mut bound = vec![false; parameters];
    let mut binds: Vec<bool> = Vec::with_capacity(patterns.len());
    for pattern in &patterns {
        let mut new = false;
        for term in &pattern.terms {
            if let PatternTerm::Variable(variable) = *term {
                new |= !std::mem::replace(&mut bound[variable], true);
            }
        }
        binds.push(new);
    }
    let mut others = MAX_PATTERNS.saturating_sub(binds.iter().filter(|&&binds| binds).count());
    let mut left = MAX_PATTERNS;
    let keep = |binds: bool| {
        let kept = binds || others > 0;
        if kept && !binds {
            others -= 1;
        }
        let kept = kept && left > 0;
        left -= usize::from(kept);
        kept
    };
    let kept: Vec<bool> = binds.into_iter().map(keep).collect();
    let kept = patterns.into_iter().zip(kept).filter(|(_, kept)| *kept);
    kept.map(|(pattern, _)| pattern).collect()
}

/// The patterns, those together that share variables, directly or by others. `parameters` is the
/// number of variables.
pub(super) fn groups(patterns: &[Pattern], parameters: usize) -> Vec<Vec<Pattern>> {
    // Patterns, and behind them variables.
    let mut joined = UnionFind::<usize>::new(patterns.len() + parameters);
    for (index, pattern) in patterns.iter().enumerate() {
        for variable in pattern.variables() {
            joined.union(index, patterns.len() + variable);
        }
    }
    let mut groups: IndexMap<usize, Vec<Pattern>> = IndexMap::new();
    for (index, pattern) in patterns.iter().enumerate() {
        let group = groups.entry(joined.find(index)).or_default();
        group.push(pattern.clone());
    }
    groups.into_values().collect()
}

fn plain<'a>(
    terms: impl IntoIterator<Item = &'a Term>,
    parameters: usize,
) -> Option<Vec<PatternTerm>> {
    terms
        .into_iter()
        .map(|term| match term {
            Term::Object(object) => Some(PatternTerm::Object(*object)),
            Term::Variable(variable) if variable.index() < parameters => {
                Some(PatternTerm::Variable(variable.index()))
            }
            Term::Variable(_) | Term::Fluent(..) | Term::Undefined => None,
        })
        .collect()
}

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
        let rows = &facts.rows[pattern.fluent.index()];
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
                    .map_or(self.facts.rows[pattern.fluent.index()].len(), <[u32]>::len)
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
                Some(
                    facts
                        .index
                        .get(&(pattern.fluent, column, object))
                        .map_or(&[][..], Vec::as_slice),
                )
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
