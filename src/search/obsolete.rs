//! Variables that are obsolete: once some fact holds for good, what they hold makes no difference any
//! more (dead variables: M. Bozga, J.-C. Fernandez, L. Ghirvu, "State Space Reduction Based on Live
//! Variables Analysis", SAS 1999). When a tomato is cut, how often it has been cut matters no more, nor
//! does a second frying of what is fried.
//!
//! A fact is *permanent* if all that is ever written to its variable is its value. A set of variables
//! is obsolete under a permanent fact p if, where p holds, nothing reads them but effects that do
//! nothing else than write these variables, or p once more. Two states that differ in them alone then
//! have the same applicable operators, which lead to states that differ in them alone, at the same
//! cost and with the same labels: they are bisimilar. So it makes no difference to any plan, nor to
//! their number, if what would write such a variable where p holds makes it 0 instead, and states that
//! were several become one.
//!
//! This changes effects only: states have the same variables as before, and operators their numbers.
//! Searches use the changed task; plans are replayed on the given one.

use std::collections::{BTreeMap, BTreeSet};

use crate::task::cond::{Cond, Expr, Test};
use crate::task::effect::{Effect, Write, disturbs};
use crate::task::{Operator, Phase, Task, VarId};

/// Parts of effects looked at, at most, before no more variables are found.
const MOST_WORK: usize = 20_000_000;

/// A variable and the only value that is ever written to it.
type Permanent = (VarId, u32);

/// For each variable that is obsolete under some facts, these.
type Guards = BTreeMap<VarId, Vec<Permanent>>;

type Variables = BTreeSet<VarId>;

/// The task with 0 written to variables that are obsolete; `None` where there are none.
pub(super) fn without_obsolete_values(task: &Task) -> Option<Task> {
    // In a list what is live counts by its place too.
    if task.live.is_some() {
        return None;
    }
    let fields = Fields::new(task);
    let guards = guards(&fields);
    (!guards.is_empty()).then(|| Rewriter { fields, guards }.task())
}

/// Which variables have their fields in which word.
struct Fields<'t> {
    task: &'t Task,
    of_word: Vec<Vec<VarId>>,
}

impl<'t> Fields<'t> {
    fn new(task: &'t Task) -> Self {
        let mut of_word = vec![Vec::new(); task.words];
        for (variable, id) in task.variables.iter().zip(0..) {
            of_word[usize::from(variable.word)].push(VarId(id));
        }
        Self { task, of_word }
    }

    fn mask(&self, id: VarId) -> u64 {
        self.task.variables[id.index()].mask()
    }

    /// The variables of which a mask has bits.
    fn variables(&self, word: u16, mask: u64) -> impl Iterator<Item = VarId> {
        let of_word = self.of_word[usize::from(word)].iter().copied();
        of_word.filter(move |&id| self.mask(id) & mask != 0)
    }

    /// What a write gives each variable.
    fn written(&self, write: Write) -> impl Iterator<Item = (VarId, u32)> {
        self.variables(write.word, write.mask).map(move |id| {
            let shift = self.task.variables[id.index()].shift;
            (id, ((write.value & self.mask(id)) >> shift) as u32)
        })
    }
}

/// What is told of conditions by a fact that holds, if there is one.
#[derive(Clone, Copy)]
struct Given<'f, 't> {
    fields: &'f Fields<'t>,
    fact: Option<Permanent>,
}

impl Given<'_, '_> {
    fn truth_of_test(self, test: Test) -> Option<bool> {
        let (id, value) = self.fact?;
        let fact = Test::fact(&self.fields.task.variables[id.index()], value);
        let shared = fact.mask & test.mask;
        if fact.word != test.word || shared == 0 {
            None
        } else if fact.value & shared != test.value & shared {
            Some(false)
        } else {
            fact.implies(test).then_some(true)
        }
    }

    fn truth(self, cond: &Cond) -> Option<bool> {
        let all = |truths: &mut dyn Iterator<Item = Option<bool>>| {
            let mut all = Some(true);
            for truth in truths {
                match truth {
                    Some(false) => return Some(false),
                    Some(true) => {}
                    None => all = None,
                }
            }
            all
        };
        match cond {
            Cond::True => Some(true),
            Cond::False => Some(false),
            Cond::Fact(test) => self.truth_of_test(*test),
            Cond::Facts(tests) => all(&mut tests.iter().map(|&test| self.truth_of_test(test))),
            Cond::Not(cond) => self.truth(cond).map(|truth| !truth),
            Cond::And(conds) => all(&mut conds.iter().map(|cond| self.truth(cond))),
            Cond::Or(conds) => {
                let negated = |cond| self.truth(cond).map(|truth| !truth);
                all(&mut conds.iter().map(negated)).map(|truth| !truth)
            }
            Cond::Compare(..) | Cond::Same(..) => None,
        }
    }

    /// Adds the variables that the truth of a condition depends on.
    fn reads(self, cond: &Cond, read: &mut Variables) {
        if self.truth(cond).is_some() {
            return;
        }
        let test = |test: &Test, read: &mut Variables| {
            if self.truth_of_test(*test).is_none() {
                read.extend(self.fields.variables(test.word, test.mask));
            }
        };
        match cond {
            Cond::True | Cond::False => {}
            Cond::Fact(fact) => test(fact, read),
            Cond::Facts(facts) => facts.iter().for_each(|fact| test(fact, read)),
            Cond::Not(cond) => self.reads(cond, read),
            Cond::And(conds) | Cond::Or(conds) => {
                conds.iter().for_each(|cond| self.reads(cond, read));
            }
            Cond::Compare(_, left, right) => {
                self.reads_of(left, read);
                self.reads_of(right, read);
            }
            Cond::Same(left, right, _) => read.extend([*left, *right]),
        }
    }

    /// Adds the variables that a number depends on.
    fn reads_of(self, expr: &Expr, read: &mut Variables) {
        match expr {
            Expr::Constant(_) => {}
            Expr::Variable(id) | Expr::Table(id, _) => {
                read.insert(*id);
            }
            Expr::Truth(cond) => self.reads(cond, read),
            Expr::Add(exprs) | Expr::Multiply(exprs) | Expr::Min(exprs) | Expr::Max(exprs) => {
                exprs.iter().for_each(|expr| self.reads_of(expr, read));
            }
            Expr::Subtract(pair) => pair.iter().for_each(|expr| self.reads_of(expr, read)),
            Expr::Abs(expr) => self.reads_of(expr, read),
            Expr::Case(cases) => {
                for (cond, expr) in cases {
                    self.reads(cond, read);
                    self.reads_of(expr, read);
                }
            }
        }
    }
}

/// A part of the task that reads variables.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Site {
    Operator(usize),
    Timer(usize),
    Phase(usize),
    /// The goal, losing states, the bodies of axioms.
    Conditions,
}

fn sites(task: &Task) -> impl Iterator<Item = Site> {
    let operators = (0..task.operators.len()).map(Site::Operator);
    let timers = (0..task.timers.len()).map(Site::Timer);
    let phases = (0..task.tick.len()).map(Site::Phase);
    let all = operators.chain(timers).chain(phases);
    all.chain([Site::Conditions])
}

/// What is obsolete under which facts.
fn guards(fields: &Fields) -> Guards {
    let candidates = candidates(fields);
    let mut guards = Guards::new();
    if candidates.is_empty() {
        return guards;
    }
    let mut readers: BTreeMap<VarId, Vec<Site>> = BTreeMap::new();
    let wanted: Variables = candidates.values().flatten().copied().collect();
    let mut left = MOST_WORK;
    for site in sites(fields.task) {
        let mut reader = Reader::new(fields, None, &wanted);
        reader.site(site);
        left = left.saturating_sub(reader.work);
        for id in reader.read.intersection(&wanted) {
            readers.entry(*id).or_default().push(site);
        }
    }
    for (fact, mut obsolete) in candidates {
        // The greatest set of which all that is read is read by what writes it only.
        loop {
            let sites = obsolete.iter().filter_map(|id| readers.get(id)).flatten();
            let sites: BTreeSet<Site> = sites.copied().collect();
            let mut reader = Reader::new(fields, Some(fact), &obsolete);
            for site in sites {
                reader.site(site);
            }
            let (read, work) = (reader.read, reader.work);
            left = left.saturating_sub(work);
            if left == 0 {
                return guards;
            }
            let before = obsolete.len();
            obsolete.retain(|id| !read.contains(id));
            if obsolete.len() == before {
                break;
            }
        }
        for id in obsolete {
            guards.entry(id).or_default().push(fact);
        }
    }
    guards
}

/// For each permanent fact what is read on the way to writing it.
fn candidates(fields: &Fields) -> BTreeMap<Permanent, Variables> {
    let task = fields.task;
    let mut found: BTreeMap<Permanent, Variables> = BTreeMap::new();
    let mut note = |effect: &Effect, read: Variables| {
        each_write(fields, effect, &read, &mut |write, read| {
            if read.is_empty() {
                return;
            }
            for fact in fields.written(write) {
                let others = read.iter().copied().filter(|&other| other != fact.0);
                found.entry(fact).or_default().extend(others);
            }
        });
    };
    for operator in &task.operators {
        note(&operator.effect, Variables::new());
    }
    for timer in &task.timers {
        note(&timer.effect, Variables::from([timer.variable]));
    }
    for phase in &task.tick {
        if let Phase::Effect { effect, .. } = phase {
            note(effect, Variables::new());
        }
    }
    if !found.is_empty() {
        let permanent = permanent(fields);
        found.retain(|(id, value), read| permanent.get(id) == Some(value) && !read.is_empty());
    }
    found
}

/// For each variable that is written the only value that is, if there is one.
fn permanent(fields: &Fields) -> BTreeMap<VarId, u32> {
    let task = fields.task;
    let mut values: BTreeMap<VarId, Option<u32>> = BTreeMap::new();
    let mut note = |id: VarId, value: Option<u32>| {
        let known = values.entry(id).or_insert(value);
        if *known != value {
            *known = None;
        }
    };
    let mut note_leaf = |leaf: &Effect| match leaf {
        Effect::Write(write) | Effect::Clear(_, write) => {
            for (id, value) in fields.written(*write) {
                note(id, Some(value));
            }
        }
        Effect::Number(id, _) | Effect::Increase(id, _) | Effect::Copy(id, ..) => note(*id, None),
        _ => {}
    };
    for operator in &task.operators {
        each_leaf(&operator.effect, &mut note_leaf);
    }
    for timer in &task.timers {
        each_leaf(&timer.effect, &mut note_leaf);
    }
    for phase in &task.tick {
        if let Phase::Effect { effect, .. } = phase {
            each_leaf(effect, &mut note_leaf);
        }
    }
    // What is written by no effect.
    let timers = task.timers.iter().map(|timer| timer.variable);
    let derived = task.axioms.layers.iter().flat_map(|it| &it.variables);
    let others = derived.copied().chain(task.clock).chain(task.turn);
    for id in timers.chain(others) {
        note(id, None);
    }
    let values = values.into_iter();
    values
        .filter_map(|(id, value)| Some((id, value?)))
        .collect()
}

/// Calls `each` with every part of an effect that has no parts.
fn each_leaf(effect: &Effect, each: &mut impl FnMut(&Effect)) {
    match effect {
        Effect::Block { effects, .. } | Effect::Seq(effects) | Effect::Switch(_, effects) => {
            effects.iter().for_each(|effect| each_leaf(effect, each));
        }
        Effect::When(_, effect) => each_leaf(effect, each),
        Effect::Case(cases, otherwise) => {
            cases.iter().for_each(|case| each_leaf(&case.1, each));
            each_leaf(otherwise, each);
        }
        Effect::Choose(candidates, otherwise) => {
            candidates.iter().for_each(|it| each_leaf(&it.effect, each));
            each_leaf(otherwise, each);
        }
        leaf => each(leaf),
    }
}

/// Calls `each` with every constant write, and with what is read on the way to it. What a choice
/// among candidates leads to is left out.
fn each_write(
    fields: &Fields,
    effect: &Effect,
    read: &Variables,
    each: &mut impl FnMut(Write, &Variables),
) {
    let anything = Given { fields, fact: None };
    match effect {
        Effect::Write(write) | Effect::Clear(_, write) => each(*write, read),
        Effect::Block { effects, .. } | Effect::Seq(effects) => {
            for effect in effects {
                each_write(fields, effect, read, each);
            }
        }
        Effect::When(cond, effect) => {
            let mut read = read.clone();
            anything.reads(cond, &mut read);
            each_write(fields, effect, &read, each);
        }
        Effect::Case(cases, otherwise) => {
            let mut read = read.clone();
            for (cond, effect) in cases {
                anything.reads(cond, &mut read);
                each_write(fields, effect, &read, each);
            }
            each_write(fields, otherwise, &read, each);
        }
        Effect::Switch(id, effects) => {
            let mut read = read.clone();
            read.insert(*id);
            for effect in effects {
                each_write(fields, effect, &read, each);
            }
        }
        _ => {}
    }
}

/// Finds what is read where a fact holds, but by effects that only write some variables.
struct Reader<'f, 't> {
    given: Given<'f, 't>,
    /// The variables whose writing makes no difference.
    ignored: &'f Variables,
    read: Variables,
    /// Parts of effects looked at.
    work: usize,
}

impl<'f, 't> Reader<'f, 't> {
    /// Where no fact is given nothing is left out.
    fn new(fields: &'f Fields<'t>, fact: Option<Permanent>, ignored: &'f Variables) -> Self {
        Self {
            given: Given { fields, fact },
            ignored,
            read: Variables::new(),
            work: 0,
        }
    }

    fn site(&mut self, site: Site) {
        let task = self.given.fields.task;
        match site {
            Site::Operator(index) => self.operator(&task.operators[index]),
            Site::Timer(index) => {
                let timer = &task.timers[index];
                if self.makes_no_difference(&timer.effect) {
                    if self.ignored.contains(&timer.variable) && self.given.fact.is_some() {
                        return;
                    }
                } else {
                    self.read.insert(timer.variable);
                }
                self.cond(&timer.dropped_when);
                self.cond(&timer.runs_while);
                self.effect(&timer.effect);
            }
            Site::Phase(index) => {
                if let Phase::Effect { effect, .. } = &task.tick[index] {
                    self.effect(effect);
                }
            }
            Site::Conditions => {
                for cond in task.goal.iter().chain([&task.fail]) {
                    self.cond(cond);
                }
                let rules = task.axioms.layers.iter().flat_map(|layer| &layer.rules);
                rules.for_each(|(body, _)| self.cond(body));
            }
        }
    }

    fn operator(&mut self, operator: &Operator) {
        let given = self.given;
        let mut truths = operator.tests.iter().map(|&test| given.truth_of_test(test));
        if truths.any(|truth| truth == Some(false)) {
            return;
        }
        for test in &operator.tests {
            self.cond(&Cond::Fact(*test));
        }
        self.cond(&operator.guard);
        self.effect(&operator.effect);
    }

    fn cond(&mut self, cond: &Cond) {
        self.work += 1;
        self.given.reads(cond, &mut self.read);
    }

    /// Whether an effect writes nothing but what makes no difference.
    fn makes_no_difference(&mut self, effect: &Effect) -> bool {
        let Some(fact) = self.given.fact else {
            return false;
        };
        let mut is_so = true;
        let mut leaves = 0;
        each_leaf(effect, &mut |leaf| {
            leaves += 1;
            is_so &= match leaf {
                Effect::Nothing => true,
                Effect::Write(write) | Effect::Clear(_, write) => {
                    let mut written = self.given.fields.written(*write);
                    written.all(|it| it == fact || self.ignored.contains(&it.0))
                }
                Effect::Number(id, _) | Effect::Increase(id, _) | Effect::Copy(id, ..) => {
                    self.ignored.contains(id)
                }
                _ => false,
            };
        });
        self.work += leaves;
        is_so
    }

    fn effect(&mut self, effect: &Effect) {
        self.work += 1;
        if self.makes_no_difference(effect) {
            return;
        }
        let given = self.given;
        match effect {
            Effect::Nothing | Effect::Write(_) | Effect::Enlist(_) | Effect::Log(_) => {}
            Effect::Clear(test, _) => self.cond(&Cond::Fact(*test)),
            Effect::Number(_, expr) | Effect::Cost(expr) => {
                given.reads_of(expr, &mut self.read);
            }
            Effect::Increase(id, expr) => {
                self.read.insert(*id);
                given.reads_of(expr, &mut self.read);
            }
            Effect::Copy(_, from, _) => {
                self.read.insert(*from);
            }
            Effect::Block { effects, .. } | Effect::Seq(effects) => {
                effects.iter().for_each(|effect| self.effect(effect));
            }
            Effect::When(cond, effect) => {
                if given.truth(cond) != Some(false) {
                    self.cond(cond);
                    self.effect(effect);
                }
            }
            Effect::Case(cases, otherwise) => {
                for (cond, effect) in cases {
                    self.cond(cond);
                    self.effect(effect);
                }
                self.effect(otherwise);
            }
            Effect::Switch(id, effects) => match given.fact {
                Some((fact, value)) if fact == *id => self.effect(&effects[value as usize]),
                _ => {
                    self.read.insert(*id);
                    effects.iter().for_each(|effect| self.effect(effect));
                }
            },
            Effect::Choose(candidates, otherwise) => {
                for candidate in candidates {
                    self.cond(&candidate.cond);
                    for key in &candidate.keys {
                        given.reads_of(key, &mut self.read);
                    }
                    self.effect(&candidate.effect);
                }
                self.effect(otherwise);
            }
        }
    }
}

/// Makes what is written to variables depend on what they are obsolete under.
struct Rewriter<'t> {
    fields: Fields<'t>,
    guards: Guards,
}

impl Rewriter<'_> {
    fn task(&self) -> Task {
        let mut task = self.fields.task.clone();
        for operator in &mut task.operators {
            let never = |fact: &Permanent| {
                let given = Given {
                    fields: &self.fields,
                    fact: Some(*fact),
                };
                let mut tests = operator.tests.iter();
                tests.any(|&test| given.truth_of_test(test) == Some(false))
            };
            operator.effect = self.effect(&operator.effect, &never);
        }
        for timer in &mut task.timers {
            timer.effect = self.effect(&timer.effect, &|_| false);
        }
        for phase in &mut task.tick {
            if let Phase::Effect { effect, .. } = phase {
                *effect = self.effect(effect, &|_| false);
            }
        }
        // They hold of states in which the variables are written.
        let is_kept =
            |facts: &Vec<Permanent>| facts.iter().all(|it| !self.guards.contains_key(&it.0));
        task.mutexes.retain(is_kept);
        task
    }

    /// The same effect; some facts never hold where it applies.
    fn effect(&self, effect: &Effect, never: &dyn Fn(&Permanent) -> bool) -> Effect {
        let same = |effect: &Effect| self.effect(effect, never);
        match effect {
            Effect::Write(write) => self.write(*write, never),
            Effect::Clear(_, write) => {
                let mut written = self.fields.written(*write).map(|it| it.0);
                let guarded = match (written.next(), written.next()) {
                    (Some(only), None) => self.guarded(only, effect.clone(), never),
                    _ => None,
                };
                guarded.unwrap_or_else(|| effect.clone())
            }
            Effect::Number(id, _) | Effect::Increase(id, _) | Effect::Copy(id, ..) => {
                let guarded = self.guarded(*id, effect.clone(), never);
                guarded.unwrap_or_else(|| effect.clone())
            }
            Effect::Block { effects, snapshot } => {
                let effects: Box<[Effect]> = effects.iter().map(same).collect();
                Effect::Block {
                    snapshot: *snapshot || disturbs(&effects, &self.fields.task.variables),
                    effects,
                }
            }
            Effect::Seq(effects) => Effect::Seq(effects.iter().map(same).collect()),
            Effect::When(cond, effect) => Effect::When(cond.clone(), same(effect).into()),
            Effect::Case(cases, otherwise) => {
                let cases = cases
                    .iter()
                    .map(|(cond, effect)| (cond.clone(), same(effect)));
                Effect::Case(cases.collect(), same(otherwise).into())
            }
            Effect::Switch(id, effects) => Effect::Switch(*id, effects.iter().map(same).collect()),
            Effect::Choose(candidates, otherwise) => {
                let mut candidates = candidates.clone();
                for candidate in &mut candidates {
                    candidate.effect = same(&candidate.effect);
                }
                Effect::Choose(candidates, same(otherwise).into())
            }
            Effect::Nothing | Effect::Enlist(_) | Effect::Log(_) | Effect::Cost(_) => {
                effect.clone()
            }
        }
    }

    /// A write whose parts may depend on different facts.
    fn write(&self, write: Write, never: &dyn Fn(&Permanent) -> bool) -> Effect {
        let mut parts = Vec::new();
        let mut rest = write;
        for (id, _) in self.fields.written(write) {
            let mask = self.fields.mask(id);
            let part = Effect::Write(Write {
                mask: write.mask & mask,
                value: write.value & mask,
                ..write
            });
            if let Some(part) = self.guarded(id, part, never) {
                rest.mask &= !mask;
                rest.value &= !mask;
                parts.push(part);
            }
        }
        if parts.is_empty() {
            return Effect::Write(write);
        }
        // The rest may write what the others depend on.
        if rest.mask != 0 {
            parts.push(Effect::Write(rest));
        }
        Effect::Block {
            effects: parts.into(),
            snapshot: false,
        }
    }

    /// An effect that writes a variable, or where that is obsolete makes it the same in all states.
    /// `None` where it never is.
    fn guarded(
        &self,
        id: VarId,
        effect: Effect,
        never: &dyn Fn(&Permanent) -> bool,
    ) -> Option<Effect> {
        let facts = self.guards.get(&id)?.iter().filter(|fact| !never(fact));
        let variables = &self.fields.task.variables;
        let fact = |&(id, value): &Permanent| Test::fact(&variables[id.index()], value);
        let mut conds: Vec<Cond> = facts.map(|it| Cond::Fact(fact(it))).collect();
        let cond = match conds.len() {
            0 => return None,
            1 => conds.remove(0),
            _ => Cond::Or(conds.into()),
        };
        let same = Effect::Write(Write::fact(&variables[id.index()], 0));
        Some(Effect::Case([(cond, same)].into(), effect.into()))
    }
}
