//! Effects applied not to a state but to all states at once: what each variable becomes, as values
//! under conditions on the state before.
//!
//! Whatever an effect does one after another thus becomes what PDDL knows: conditional effects that
//! all look at the state before and apply together.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::formula::{Formula, fact};
use crate::task::cond::{Cond, Expr, Test};
use crate::task::effect::{Candidate, Effect, Write};
use crate::task::layout::VariableKind;
use crate::task::{Task, Timer, VarId};

/// A number may have as many values.
const MAX_VALUES: usize = 4096;

/// Values that something may have, each with the condition under which it has it: exactly one holds.
type Cases<T> = BTreeMap<T, Formula>;

/// Why a series of effects was not applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// A derived predicate is read that the effects before may have changed: they must be done first.
    Stale,
    /// The conditions grow beyond the limit.
    TooLarge,
    /// The list of live delayed effects is written.
    List,
}

/// What was written to a variable, in order: the last whose condition holds counts.
type Writes = BTreeMap<u32, Rc<Vec<(Formula, u32)>>>;

/// The state after some effects.
#[derive(Clone)]
pub(super) struct State<'a> {
    task: &'a Task,
    /// For each word its variables.
    words: Rc<[Vec<u32>]>,
    writes: Writes,
    /// Values that variables are known to have before.
    known: BTreeMap<u32, u32>,
    /// What the effects cost.
    pub(super) cost: Cases<i64>,
    /// Whether derived predicates may differ from those of the state before.
    stale: bool,
    /// How large the conditions may become, in facts.
    limit: u64,
    size: u64,
    stop: Option<Stop>,
}

impl<'a> State<'a> {
    /// A state that nothing was done to.
    pub(super) fn new(task: &'a Task, limit: u64) -> Self {
        let mut words = vec![Vec::new(); task.words];
        for (index, variable) in task.variables.iter().enumerate() {
            words[variable.word as usize].push(index as u32);
        }
        Self {
            task,
            words: words.into(),
            writes: Writes::new(),
            known: BTreeMap::new(),
            cost: BTreeMap::from([(0, Formula::True)]),
            stale: false,
            limit,
            size: 0,
            stop: None,
        }
    }

    /// This state before anything was done to it.
    pub(super) fn fresh(&self) -> Self {
        Self {
            writes: Writes::new(),
            known: BTreeMap::new(),
            cost: BTreeMap::from([(0, Formula::True)]),
            stale: false,
            size: 0,
            stop: None,
            words: Rc::clone(&self.words),
            ..*self
        }
    }

    /// Whether nothing is changed and nothing costs anything.
    pub(super) fn is_unchanged(&self) -> bool {
        self.writes.is_empty() && self.cost.keys().all(|cost| *cost == 0)
    }

    /// What each variable becomes, under conditions that exclude each other.
    pub(super) fn changes(&self) -> Vec<(u32, u32, Formula)> {
        let mut changes = Vec::new();
        for (&variable, writes) in &self.writes {
            let mut values: Cases<u32> = Cases::new();
            for (_, value) in writes.iter() {
                if !values.contains_key(value) {
                    values.insert(*value, written(writes, *value));
                }
            }
            values.retain(|_, cond| *cond != Formula::False);
            let found = values.into_iter();
            changes.extend(found.map(|(value, cond)| (variable, value, cond)));
        }
        changes
    }

    /// How large the conditions are, in facts that were looked at to make them.
    pub(super) fn size(&self) -> u64 {
        self.size
    }

    /// Takes for granted what is plain to see in a condition on the state before.
    pub(super) fn assume(&mut self, cond: &Formula) {
        for (variable, value) in cond.facts() {
            self.known.insert(variable, value);
        }
    }

    /// Applies an effect, apart for each way that it may go where what it decides is not within a
    /// block: what results is right under the condition. None if there are more ways than `most`.
    pub(super) fn ways(
        self,
        effect: &Effect,
        cond: &Formula,
        most: usize,
    ) -> Result<Option<Vec<(Formula, Self)>>, Stop> {
        let mut ways = Vec::new();
        let mut open = vec![(vec![effect], self, cond.clone())];
        while let Some((mut effects, mut state, path)) = open.pop() {
            if ways.len() + open.len() > most {
                return Ok(None);
            }
            let Some(effect) = effects.pop() else {
                state.end()?;
                ways.push((path, state));
                continue;
            };
            let mut choices: Vec<(Formula, Option<&Effect>)> = Vec::new();
            match effect {
                Effect::Seq(all)
                | Effect::Block {
                    effects: all,
                    snapshot: false,
                } => {
                    effects.extend(all.iter().rev());
                    open.push((effects, state, path));
                    continue;
                }
                Effect::When(cond, effect) => {
                    let cond = state.cond(cond);
                    choices.push((cond.negated(), None));
                    choices.push((cond, Some(effect)));
                }
                Effect::Case(cases, otherwise) => {
                    let mut rest = Formula::True;
                    for (cond, effect) in cases {
                        let cond = state.cond(cond);
                        choices.push((rest.and(&cond), Some(effect)));
                        rest = rest.and(&cond.negated());
                    }
                    choices.push((rest, Some(otherwise)));
                }
                Effect::Switch(variable, effects) => {
                    for (value, cond) in state.values(variable.0) {
                        choices.push((cond, Some(&effects[value as usize])));
                    }
                }
                Effect::Choose(candidates, otherwise) => {
                    let mut rest = Formula::True;
                    for (cond, candidate) in state.chosen(candidates).iter().zip(candidates) {
                        choices.push((cond.clone(), Some(&candidate.effect)));
                        rest = rest.and(&cond.negated());
                    }
                    choices.push((rest, Some(otherwise)));
                }
                other => {
                    state.effect(other, &Formula::True, None);
                    open.push((effects, state, path));
                    continue;
                }
            }
            for (cond, effect) in choices {
                let path = path.and(&cond);
                if path != Formula::False {
                    let mut state = state.clone();
                    state.assume(&path);
                    let next = effects.iter().copied().chain(effect).collect();
                    open.push((next, state, path));
                }
            }
        }
        Ok(Some(ways))
    }

    /// Applies an effect.
    pub(super) fn apply(&mut self, effect: &Effect) -> Result<(), Stop> {
        self.effect(effect, &Formula::True, None);
        self.end()
    }

    /// Advances a delayed effect that is live; `before` is the state in which those are live that
    /// advance at this tick.
    pub(super) fn advance(&mut self, timer: &Timer, before: &Self) -> Result<(), Stop> {
        let variable = timer.variable;
        let size = self.task.variables[variable.index()].size;
        let idle = |state: &mut Self| state.is(variable.0, 0);
        let live = idle(self)
            .negated()
            .and(&idle(&mut before.clone()).negated());
        let dropped = self.cond(&timer.dropped_when);
        let goes_on = live.and(&dropped.negated());
        if timer.every_tick {
            self.write(variable.0, 0, &live.and(&dropped));
            self.effect(&timer.effect, &goes_on, None);
            return self.end();
        }
        let runs = goes_on.and(&self.cond(&timer.runs_while));
        let ticks: Vec<Formula> = (1..size).map(|left| self.is(variable.0, left)).collect();
        let due = ticks.first().map_or(Formula::False, |due| runs.and(due));
        self.write(variable.0, 0, &live.and(&dropped));
        for (left, cond) in (0..).zip(&ticks) {
            self.write(variable.0, left, &runs.and(cond));
        }
        self.effect(&timer.effect, &due, None);
        self.end()
    }

    /// Counts one tick on the clock.
    pub(super) fn count(&mut self, clock: VarId) -> Result<(), Stop> {
        let last = self.task.variables[clock.index()].size - 1;
        for (value, cond) in self.values(clock.0) {
            self.write(clock.0, (value + 1).min(last), &cond);
        }
        self.end()
    }

    /// Ends an effect: what is derived is derived anew.
    fn end(&mut self) -> Result<(), Stop> {
        self.stale = !self.task.axioms.layers.is_empty() && !self.writes.is_empty();
        if self.size > self.limit {
            self.stop = self.stop.or(Some(Stop::TooLarge));
        }
        self.stop.map_or(Ok(()), Err)
    }

    /// Notes the size of a formula that was made; false if all together are too large.
    fn spend(&mut self, formula: &Formula) -> bool {
        self.size = self.size.saturating_add(formula.size());
        self.size <= self.limit
    }

    /// The variables whose fields lie in `mask`, with their values in `value`.
    fn facts(&self, word: u16, mask: u64, value: u64) -> Vec<(u32, u32)> {
        let field = |&index: &u32| {
            let variable = &self.task.variables[index as usize];
            let inside = mask & variable.mask() == variable.mask();
            inside.then(|| (index, ((value & variable.mask()) >> variable.shift) as u32))
        };
        self.words[word as usize].iter().filter_map(field).collect()
    }

    /// Whether a variable has a value now.
    fn is(&mut self, variable: u32, value: u32) -> Formula {
        let field = &self.task.variables[variable as usize];
        if self.stale && field.kind == VariableKind::Derived {
            self.stop = self.stop.or(Some(Stop::Stale));
        }
        let unchanged = match self.known.get(&variable) {
            Some(known) if *known == value => Formula::True,
            Some(_) => Formula::False,
            None => fact(variable, value, field.size),
        };
        let Some(writes) = self.writes.get(&variable) else {
            return unchanged;
        };
        let kept = writes
            .iter()
            .fold(unchanged, |kept, (cond, _)| without(kept, cond));
        let result = written(writes, value).or(&kept);
        self.spend(&result);
        result
    }

    /// The values that a variable may have now.
    fn values(&mut self, variable: u32) -> Vec<(u32, Formula)> {
        let size = self.task.variables[variable as usize].size;
        let values = (0..size).map(|value| (value, self.is(variable, value)));
        values.filter(|(_, cond)| *cond != Formula::False).collect()
    }

    fn test(&mut self, test: Test) -> Formula {
        let facts = self.facts(test.word, test.mask, test.value);
        Formula::all(
            facts
                .into_iter()
                .map(|(variable, value)| self.is(variable, value)),
        )
    }

    /// A condition on the state as it is now, as one on the state before.
    pub(super) fn cond(&mut self, cond: &Cond) -> Formula {
        if self.size > self.limit {
            return Formula::False;
        }
        let formula = match cond {
            Cond::True => Formula::True,
            Cond::False => Formula::False,
            Cond::Fact(test) => self.test(*test),
            Cond::Facts(tests) => Formula::all(tests.iter().map(|test| self.test(*test))),
            Cond::Not(one) => self.cond(one).negated(),
            Cond::And(all) => Formula::all(all.iter().map(|one| self.cond(one))),
            Cond::Or(any) => Formula::any(any.iter().map(|one| self.cond(one))),
            Cond::Compare(comparison, left, right) => {
                let (left, right) = (self.expr(left), self.expr(right));
                let mut pairs = Vec::new();
                for (one, cond) in &left {
                    let holds = right
                        .iter()
                        .filter(|(other, _)| comparison.compares(*one, **other));
                    let any = Formula::any(holds.map(|(_, cond)| cond.clone()));
                    pairs.push(cond.and(&any));
                }
                Formula::any(pairs)
            }
            Cond::Same(left, right, table) => {
                let mut pairs = Vec::new();
                for (value, cond) in self.values(left.0) {
                    if let Some(other) = table[value as usize] {
                        pairs.push(cond.and(&self.is(right.0, other)));
                    }
                }
                Formula::any(pairs)
            }
        };
        self.spend(&formula);
        formula
    }

    fn expr(&mut self, expr: &Expr) -> Cases<i64> {
        let low = |state: &Self, variable: VarId| state.task.variables[variable.index()].low();
        match expr {
            Expr::Constant(value) => Cases::from([(*value, Formula::True)]),
            Expr::Variable(variable) => {
                let low = low(self, *variable);
                let values = self.values(variable.0).into_iter();
                values
                    .map(|(value, cond)| (low + i64::from(value), cond))
                    .collect()
            }
            Expr::Table(variable, table) => {
                let mut cases = Cases::new();
                for (value, cond) in self.values(variable.0) {
                    add(&mut cases, table[value as usize], &cond);
                }
                cases
            }
            Expr::Truth(cond) => {
                let cond = self.cond(cond);
                let mut cases = Cases::new();
                add(&mut cases, 0, &cond.negated());
                add(&mut cases, 1, &cond);
                cases
            }
            Expr::Add(exprs) => self.fold(exprs, Some(0), i64::saturating_add),
            Expr::Multiply(exprs) => self.fold(exprs, Some(1), i64::saturating_mul),
            Expr::Subtract(pair) => self.fold(&pair[..], None, i64::saturating_sub),
            Expr::Min(exprs) => self.fold(exprs, None, i64::min),
            Expr::Max(exprs) => self.fold(exprs, None, i64::max),
            Expr::Abs(one) => {
                let mut cases = Cases::new();
                for (value, cond) in self.expr(one) {
                    add(&mut cases, value.saturating_abs(), &cond);
                }
                cases
            }
            Expr::Case(all) => {
                let mut cases = Cases::new();
                let mut not_earlier = Formula::True;
                for (cond, expr) in all {
                    let cond = self.cond(cond);
                    let here = not_earlier.and(&cond);
                    for (value, when) in self.expr(expr) {
                        add(&mut cases, value, &here.and(&when));
                    }
                    not_earlier = not_earlier.and(&cond.negated());
                }
                add(&mut cases, 0, &not_earlier);
                cases
            }
        }
    }

    /// Joins numbers from the first on; of nothing, 0.
    fn fold(
        &mut self,
        exprs: &[Expr],
        start: Option<i64>,
        join: fn(i64, i64) -> i64,
    ) -> Cases<i64> {
        let mut sum: Option<Cases<i64>> = start.map(|start| Cases::from([(start, Formula::True)]));
        for expr in exprs {
            let next = self.expr(expr);
            sum = Some(match sum {
                None => next,
                Some(sum) => self.joined(&sum, &next, join),
            });
        }
        sum.unwrap_or_else(|| Cases::from([(0, Formula::True)]))
    }

    fn joined(
        &mut self,
        one: &Cases<i64>,
        other: &Cases<i64>,
        join: fn(i64, i64) -> i64,
    ) -> Cases<i64> {
        let mut joined = Cases::new();
        for (a, when) in one {
            for (b, and) in other {
                let both = when.and(and);
                if !self.spend(&both) || joined.len() > MAX_VALUES {
                    self.size = u64::MAX;
                    return joined;
                }
                add(&mut joined, join(*a, *b), &both);
            }
        }
        joined
    }

    fn write(&mut self, variable: u32, value: u32, path: &Formula) {
        if *path == Formula::False {
            return;
        }
        self.spend(path);
        let writes = Rc::make_mut(self.writes.entry(variable).or_default());
        if *path == Formula::True {
            writes.clear();
        }
        writes.push((path.clone(), value));
    }

    fn write_word(&mut self, write: Write, path: &Formula) {
        for (variable, value) in self.facts(write.word, write.mask, write.value) {
            self.write(variable, value, path);
        }
    }

    /// Applies an effect where `path` holds; what it reads, it reads from `before` where given.
    fn effect(&mut self, effect: &Effect, path: &Formula, before: Option<&Writes>) {
        if *path == Formula::False || self.size > self.limit || self.stop.is_some() {
            return;
        }
        match effect {
            Effect::Nothing | Effect::Log(_) => {}
            Effect::Write(write) => self.write_word(*write, path),
            Effect::Clear(test, write) => {
                let holds = self.test(*test);
                self.write_word(*write, &path.and(&holds));
            }
            Effect::Number(variable, expr) => {
                let field = &self.task.variables[variable.index()];
                let (low, greatest) = (field.low(), i64::from(field.size) - 1);
                for (value, cond) in self.reading(before, |state| state.expr(expr)) {
                    let stored = value.saturating_sub(low).clamp(0, greatest);
                    self.write(variable.0, stored as u32, &path.and(&cond));
                }
            }
            Effect::Increase(variable, expr) => {
                let greatest = i64::from(self.task.variables[variable.index()].size) - 1;
                let amounts = self.reading(before, |state| state.expr(expr));
                let mut sums = Vec::new();
                for (value, cond) in self.values(variable.0) {
                    for (amount, when) in &amounts {
                        let sum = i64::from(value).saturating_add(*amount).clamp(0, greatest);
                        sums.push((sum as u32, path.and(&cond).and(when)));
                    }
                }
                for (sum, cond) in sums {
                    self.write(variable.0, sum, &cond);
                }
            }
            Effect::Copy(to, from, table) => {
                for (value, cond) in self.reading(before, |state| state.values(from.0)) {
                    if let Some(value) = table[value as usize] {
                        self.write(to.0, value, &path.and(&cond));
                    }
                }
            }
            Effect::Block { effects, snapshot } => {
                let kept = (*snapshot && before.is_none()).then(|| self.writes.clone());
                let before = kept.as_ref().or(before);
                for effect in effects {
                    self.effect(effect, path, before);
                }
            }
            Effect::Seq(effects) => {
                for effect in effects {
                    self.effect(effect, path, None);
                }
            }
            Effect::When(cond, effect) => {
                let cond = self.reading(before, |state| state.cond(cond));
                self.effect(effect, &path.and(&cond), before);
            }
            Effect::Case(cases, otherwise) => {
                let read = |state: &mut Self| -> Vec<Formula> {
                    cases.iter().map(|(cond, _)| state.cond(cond)).collect()
                };
                let conds = self.reading(before, read);
                let mut rest = path.clone();
                for (cond, (_, effect)) in conds.iter().zip(cases) {
                    self.effect(effect, &rest.and(cond), before);
                    rest = rest.and(&cond.negated());
                }
                self.effect(otherwise, &rest, before);
            }
            Effect::Switch(variable, effects) => {
                for (value, cond) in self.reading(before, |state| state.values(variable.0)) {
                    self.effect(&effects[value as usize], &path.and(&cond), before);
                }
            }
            Effect::Choose(candidates, otherwise) => {
                let chosen = self.reading(before, |state| state.chosen(candidates));
                let mut rest = path.clone();
                for (cond, candidate) in chosen.iter().zip(candidates) {
                    self.effect(&candidate.effect, &path.and(cond), before);
                    rest = rest.and(&cond.negated());
                }
                self.effect(otherwise, &rest, before);
            }
            Effect::Enlist(_) => self.stop = self.stop.or(Some(Stop::List)),
            Effect::Cost(expr) => {
                let cost = self.reading(before, |state| state.expr(expr));
                let mut here = Cases::new();
                for (value, cond) in cost {
                    add(&mut here, value, &path.and(&cond));
                }
                add(&mut here, 0, &path.negated());
                let sum = std::mem::take(&mut self.cost);
                self.cost = self.joined(&sum, &here, i64::saturating_add);
            }
        }
    }

    /// Reads from the state `before` where given.
    fn reading<T>(&mut self, before: Option<&Writes>, read: impl FnOnce(&mut Self) -> T) -> T {
        let Some(before) = before else {
            return read(self);
        };
        let now = std::mem::replace(&mut self.writes, before.clone());
        let result = read(self);
        self.writes = now;
        result
    }

    /// For each candidate, when it is picked.
    fn chosen(&mut self, candidates: &[Candidate]) -> Vec<Formula> {
        let mut read: Vec<(Formula, Vec<Cases<i64>>)> = Vec::new();
        for candidate in candidates {
            let cond = self.cond(&candidate.cond);
            let keys = candidate.keys.iter().map(|key| self.expr(key)).collect();
            read.push((cond, keys));
        }
        let mut chosen = Vec::new();
        for (index, (cond, keys)) in read.iter().enumerate() {
            let mut picked = cond.clone();
            for (other, (its, its_keys)) in read.iter().enumerate() {
                if other != index {
                    let beats = self.less(its_keys, keys, other < index);
                    picked = picked.and(&its.and(&beats).negated());
                }
            }
            if !self.spend(&picked) {
                return Vec::new();
            }
            chosen.push(picked);
        }
        chosen
    }

    /// When the keys `one` come before those of `other`; of equal ones as `equal` says.
    fn less(&mut self, one: &[Cases<i64>], other: &[Cases<i64>], equal: bool) -> Formula {
        let (Some((first, one)), Some((second, other))) = (one.split_first(), other.split_first())
        else {
            return if equal { Formula::True } else { Formula::False };
        };
        let rest = self.less(one, other, equal);
        let mut found = Vec::new();
        for (a, when) in first {
            for (b, and) in second {
                let both = when.and(and);
                if !self.spend(&both) {
                    return Formula::False;
                }
                match a.cmp(b) {
                    std::cmp::Ordering::Less => found.push(both),
                    std::cmp::Ordering::Equal => found.push(both.and(&rest)),
                    std::cmp::Ordering::Greater => {}
                }
            }
        }
        Formula::any(found)
    }
}

/// When a variable is given a value: by a write after which no other value is written.
fn written(writes: &[(Formula, u32)], value: u32) -> Formula {
    let mut found = Vec::new();
    for (place, (cond, one)) in writes.iter().enumerate() {
        if *one == value {
            let later = writes[place + 1..]
                .iter()
                .filter(|(_, other)| *other != value);
            found.push(later.fold(cond.clone(), |cond, (other, _)| without(cond, other)));
        }
    }
    Formula::any(found)
}

/// When a condition holds and another does not.
fn without(cond: Formula, other: &Formula) -> Formula {
    if cond.and(other) == Formula::False {
        return cond;
    }
    cond.and(&other.negated())
}

/// Adds a case; of one value, either condition will do.
fn add<T: Ord>(cases: &mut Cases<T>, value: T, cond: &Formula) {
    if *cond == Formula::False {
        return;
    }
    let entry = cases.entry(value).or_insert(Formula::False);
    *entry = entry.or(cond);
}
