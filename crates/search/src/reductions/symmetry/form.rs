//! Canonical forms of parts of a task under a renaming: equal numbers mean the same in every state.
//!
//! Forms are interned, so that comparing them is exact. What may stand in any order (the parts of a
//! conjunction, effects that do not disturb each other, delayed effects that have nothing in
//! common) is sorted; the rest keeps its order.

use rustc_hash::FxHashMap;

use super::order::{groups_of_block, independent_groups};
use super::renaming::Renaming;
use brigade_task::cond::{Comparison, Cond, Expr};
use brigade_task::effect::Effect;
use brigade_task::{Fact, LiveList, Operator, Phase, Task, Timer};

/// Sums of greater numbers might saturate, and then depend on the order.
const GREATEST_NUMBER: u64 = 1 << 40;

/// The kind of a form.
#[derive(Clone, Copy)]
enum Tag {
    True,
    False,
    Fact,
    Not,
    And,
    Or,
    Compare,
    Same,
    Constant,
    Variable,
    Table,
    Truth,
    Add,
    Subtract,
    Multiply,
    Abs,
    Min,
    Max,
    CaseExpr,
    Nothing,
    Set,
    Clear,
    Number,
    Increase,
    Copy,
    Ordered,
    Block,
    Seq,
    When,
    Case,
    Switch,
    Choose,
    Candidate,
    Log,
    Cost,
    Operator,
    Timer,
    Timers,
    Phase,
    Rule,
    Layer,
    Mutex,
}

/// The forms met so far, by number.
#[derive(Default)]
pub(super) struct Forms {
    known: FxHashMap<Box<[u64]>, u64>,
    /// The number of forms that were asked for, new or known.
    pub(super) work: u64,
}

/// The forms that are the same under all renamings.
pub(super) struct Fixed<'t> {
    pub(super) task: &'t Task,
    /// The delayed effects that must keep their order among each other, by their indices.
    timer_groups: Vec<Vec<usize>>,
}

impl<'t> Fixed<'t> {
    pub(super) fn new(task: &'t Task) -> Self {
        Self {
            timer_groups: independent_groups(task),
            task,
        }
    }
}

/// Reads parts of a task under a renaming.
pub(super) struct Reader<'a> {
    task: &'a Task,
    timer_groups: &'a [Vec<usize>],
    renaming: &'a Renaming,
    forms: &'a mut Forms,
    /// True if something cannot be compared.
    pub(super) has_failed: bool,
}

impl<'a> Reader<'a> {
    pub(super) fn new(fixed: &'a Fixed<'_>, renaming: &'a Renaming, forms: &'a mut Forms) -> Self {
        Self {
            task: fixed.task,
            timer_groups: &fixed.timer_groups,
            renaming,
            forms,
            has_failed: false,
        }
    }

    fn form(&mut self, tag: Tag, parts: impl IntoIterator<Item = u64>) -> u64 {
        let key: Box<[u64]> = std::iter::once(tag as u64).chain(parts).collect();
        self.forms.work += 1;
        let next = self.forms.known.len() as u64;
        *self.forms.known.entry(key).or_insert(next)
    }

    fn sorted(&mut self, tag: Tag, mut parts: Vec<u64>) -> u64 {
        parts.sort_unstable();
        self.form(tag, parts)
    }

    fn variable(&self, id: u32) -> u64 {
        u64::from(self.renaming.variable(id))
    }

    fn fact(&mut self, fact: Fact) -> u64 {
        let (id, value) = (fact.variable.0, fact.value);
        let parts = [self.variable(id), self.renaming.value(id, value).into()];
        self.form(Tag::Fact, parts)
    }

    fn all_of(&mut self, mut parts: Vec<u64>) -> u64 {
        parts.sort_unstable();
        parts.dedup();
        match parts[..] {
            [only] => only,
            _ => self.form(Tag::And, parts),
        }
    }

    pub(super) fn cond(&mut self, cond: &Cond) -> u64 {
        let mut parts = Vec::new();
        match cond {
            Cond::True => self.form(Tag::True, []),
            Cond::False => self.form(Tag::False, []),
            Cond::Fact(_) | Cond::Facts(_) | Cond::And(_) => {
                self.conjuncts(cond, &mut parts);
                self.all_of(parts)
            }
            Cond::Not(cond) => {
                let cond = self.cond(cond);
                self.form(Tag::Not, [cond])
            }
            Cond::Or(conds) => {
                parts.extend(conds.iter().map(|cond| self.cond(cond)));
                parts.sort_unstable();
                parts.dedup();
                self.form(Tag::Or, parts)
            }
            Cond::Compare(comparison, left, right) => {
                let (left, right) = (self.expr(left), self.expr(right));
                let pair = match comparison {
                    Comparison::Equal => [left.min(right), left.max(right)],
                    _ => [left, right],
                };
                self.form(Tag::Compare, [*comparison as u64, pair[0], pair[1]])
            }
            Cond::Same(left, right, table) => {
                let entries = self.renamed_table(left.0, right.0, table);
                let ends = [self.variable(left.0), self.variable(right.0)];
                self.form(Tag::Same, ends.into_iter().chain(entries))
            }
        }
    }

    fn conjuncts(&mut self, cond: &Cond, parts: &mut Vec<u64>) {
        match cond {
            Cond::Fact(fact) => parts.push(self.fact(*fact)),
            Cond::Facts(facts) => parts.extend(facts.iter().map(|&fact| self.fact(fact))),
            Cond::And(conds) => conds.iter().for_each(|cond| self.conjuncts(cond, parts)),
            other => parts.push(self.cond(other)),
        }
    }

    /// For each value of `from`, renamed, the value of `to`, renamed, and one more; 0 for none.
    fn renamed_table(&self, from: u32, to: u32, table: &[Option<u32>]) -> Vec<u64> {
        let mut entries = vec![0; table.len()];
        for (value, entry) in (0..).zip(table) {
            let renamed = entry.map_or(0, |entry| u64::from(self.renaming.value(to, entry)) + 1);
            entries[self.renaming.value(from, value) as usize] = renamed;
        }
        entries
    }

    fn number(&mut self, number: i64) -> u64 {
        self.has_failed |= number.unsigned_abs() > GREATEST_NUMBER;
        number as u64
    }

    fn exprs(&mut self, exprs: &[Expr]) -> Vec<u64> {
        exprs.iter().map(|expr| self.expr(expr)).collect()
    }

    fn expr(&mut self, expr: &Expr) -> u64 {
        match expr {
            Expr::Constant(number) => {
                let number = self.number(*number);
                self.form(Tag::Constant, [number])
            }
            Expr::Variable(id) => {
                let id = self.variable(id.0);
                self.form(Tag::Variable, [id])
            }
            Expr::Table(id, table) => {
                let mut entries = vec![0; table.len()];
                for (value, &number) in (0..).zip(table) {
                    entries[self.renaming.value(id.0, value) as usize] = self.number(number);
                }
                let id = self.variable(id.0);
                self.form(Tag::Table, std::iter::once(id).chain(entries))
            }
            Expr::Truth(cond) => {
                let cond = self.cond(cond);
                self.form(Tag::Truth, [cond])
            }
            Expr::Add(exprs) => {
                let parts = self.exprs(exprs);
                self.sorted(Tag::Add, parts)
            }
            Expr::Min(exprs) => {
                let parts = self.exprs(exprs);
                self.sorted(Tag::Min, parts)
            }
            Expr::Max(exprs) => {
                let parts = self.exprs(exprs);
                self.sorted(Tag::Max, parts)
            }
            Expr::Multiply(exprs) => {
                // A longer product may saturate on the way.
                let parts = self.exprs(exprs);
                match parts.len() {
                    2 => self.sorted(Tag::Multiply, parts),
                    _ => self.form(Tag::Multiply, parts),
                }
            }
            Expr::Subtract(pair) => {
                let parts = self.exprs(&**pair);
                self.form(Tag::Subtract, parts)
            }
            Expr::Abs(expr) => {
                let expr = self.expr(expr);
                self.form(Tag::Abs, [expr])
            }
            Expr::Case(cases) => {
                let mut parts = Vec::with_capacity(2 * cases.len());
                for (cond, expr) in cases {
                    parts.push(self.cond(cond));
                    parts.push(self.expr(expr));
                }
                self.form(Tag::CaseExpr, parts)
            }
        }
    }

    fn set(&mut self, fact: Fact) -> u64 {
        let fact = self.fact(fact);
        self.form(Tag::Set, [fact])
    }

    pub(super) fn effect(&mut self, effect: &Effect) -> u64 {
        match effect {
            Effect::Nothing | Effect::Total(..) => self.form(Tag::Nothing, []),
            Effect::Set(fact) => self.set(*fact),
            Effect::Block { .. } => self.block(effect),
            Effect::Clear(fact, other) => {
                let parts = [self.fact(*fact), self.set(*other)];
                self.form(Tag::Clear, parts)
            }
            Effect::Number(id, expr) => {
                let parts = [self.variable(id.0), self.expr(expr)];
                self.form(Tag::Number, parts)
            }
            Effect::Increase(id, expr) => {
                let parts = [self.variable(id.0), self.expr(expr)];
                self.form(Tag::Increase, parts)
            }
            Effect::Copy(to, from, table) => {
                let entries = self.renamed_table(from.0, to.0, table);
                let ends = [self.variable(to.0), self.variable(from.0)];
                self.form(Tag::Copy, ends.into_iter().chain(entries))
            }
            Effect::Seq(effects) => {
                let parts: Vec<u64> = effects.iter().map(|effect| self.effect(effect)).collect();
                self.form(Tag::Seq, parts)
            }
            Effect::When(cond, effect) => {
                let parts = [self.cond(cond), self.effect(effect)];
                self.form(Tag::When, parts)
            }
            Effect::Case(cases, otherwise) => {
                let mut parts = Vec::with_capacity(2 * cases.len() + 1);
                for (cond, effect) in cases {
                    parts.push(self.cond(cond));
                    parts.push(self.effect(effect));
                }
                parts.push(self.effect(otherwise));
                self.form(Tag::Case, parts)
            }
            Effect::Switch(id, effects) => {
                let mut parts = vec![0; effects.len()];
                for (value, effect) in (0..).zip(effects) {
                    parts[self.renaming.value(id.0, value) as usize] = self.effect(effect);
                }
                let id = self.variable(id.0);
                self.form(Tag::Switch, std::iter::once(id).chain(parts))
            }
            Effect::Choose(candidates, otherwise) => {
                let mut parts = Vec::with_capacity(candidates.len() + 1);
                for candidate in candidates {
                    let mut own = self.exprs(&candidate.keys);
                    own.push(self.cond(&candidate.cond));
                    own.push(self.effect(&candidate.effect));
                    parts.push(self.form(Tag::Candidate, own));
                }
                parts.push(self.effect(otherwise));
                self.form(Tag::Choose, parts)
            }
            Effect::Enlist(entry) => self.fact(Fact {
                variable: entry.first,
                value: entry.value,
            }),
            // How many labels whose agents record is what counts; their texts change places too.
            Effect::Log(entry) => self.form(Tag::Log, [self.renaming.agent(entry.agent).into()]),
            Effect::Cost(expr) => {
                let expr = self.expr(expr);
                self.form(Tag::Cost, [expr])
            }
        }
    }

    /// A block: groups of effects that may disturb each other, each in order, in any order.
    fn block(&mut self, block: &Effect) -> u64 {
        let mut effects = Vec::new();
        flatten(block, &mut effects);
        let groups = groups_of_block(&effects);
        let mut parts = Vec::with_capacity(groups.len());
        for group in groups {
            let own: Vec<u64> = group
                .into_iter()
                .map(|index| self.effect(effects[index]))
                .collect();
            parts.push(match own[..] {
                [only] => only,
                _ => self.form(Tag::Ordered, own),
            });
        }
        match parts[..] {
            [only] => only,
            _ => self.sorted(Tag::Block, parts),
        }
    }

    pub(super) fn operator(&mut self, operator: &Operator) -> u64 {
        let mut needs = Vec::new();
        needs.extend(operator.facts.iter().map(|&fact| self.fact(fact)));
        self.conjuncts(&operator.guard, &mut needs);
        let needs = self.all_of(needs);
        let parts = [
            self.renaming.agent(operator.agent).into(),
            operator.kind as u64,
            needs,
            self.effect(&operator.effect),
        ];
        self.form(Tag::Operator, parts)
    }

    fn timer(&mut self, timer: &Timer) -> u64 {
        let parts = [
            self.variable(timer.variable.0),
            self.cond(&timer.runs_while),
            self.cond(&timer.dropped_when),
            timer.every_tick.into(),
            self.effect(&timer.effect),
        ];
        self.form(Tag::Timer, parts)
    }

    /// Everything but the operators.
    pub(super) fn surroundings(&mut self) -> Vec<u64> {
        let task = self.task;
        let mut parts = Vec::new();
        let goal = task.goal.as_ref();
        parts.extend(goal.map(|goal| self.cond(goal)));
        parts.extend([&task.fail, &task.end].map(|cond| self.cond(cond)));
        for phase in &task.tick {
            let part = match phase {
                Phase::Timers => self.timers(),
                Phase::Effect { effect, .. } => self.effect(effect),
            };
            parts.push(self.form(Tag::Phase, [part]));
        }
        for layer in &task.axioms.layers {
            let mut own: Vec<u64> = layer
                .variables
                .iter()
                .map(|id| self.variable(id.0))
                .collect();
            own.sort_unstable();
            let mut rules: Vec<u64> = Vec::with_capacity(layer.rules.len());
            for (body, head) in &layer.rules {
                let rule = [self.cond(body), self.variable(head.0)];
                rules.push(self.form(Tag::Rule, rule));
            }
            rules.sort_unstable();
            rules.dedup();
            own.extend(rules);
            parts.push(self.form(Tag::Layer, own));
        }
        // What is known of states that can be reached must hold of those that stand for them.
        let mut mutexes = Vec::with_capacity(task.mutexes.len());
        for facts in &task.mutexes {
            let own: Vec<u64> = facts.iter().map(|&fact| self.fact(fact)).collect();
            mutexes.push(self.sorted(Tag::Mutex, own));
        }
        mutexes.sort_unstable();
        parts.append(&mut mutexes);
        for id in task.clock.iter().chain(&task.turn) {
            parts.push(self.variable(id.0));
        }
        parts
    }

    fn timers(&mut self) -> u64 {
        if let Some(list) = &self.task.live {
            return self.listed(list);
        }
        let mut parts = Vec::with_capacity(self.timer_groups.len());
        for group in self.timer_groups {
            let own: Vec<u64> = group
                .iter()
                .map(|&index| self.timer(&self.task.timers[index]))
                .collect();
            parts.push(self.form(Tag::Ordered, own));
        }
        self.sorted(Tag::Timers, parts)
    }

    /// Members advance in the order of the list, the timers of one in their own. What stands at a
    /// place must become the same at every place.
    fn listed(&mut self, list: &LiveList) -> u64 {
        let renaming = self.renaming;
        let value = |value: u32| {
            let first = list.places.first();
            first.map_or(value, |place| renaming.value(place.0, value))
        };
        let members = list.members.len() as u32;
        self.has_failed |= value(0) != 0;
        self.has_failed |= list.places.iter().any(|place| {
            let mut values = 0..=members;
            renaming.variable(place.0) != place.0
                || values.any(|it| renaming.value(place.0, it) != value(it))
        });
        let mut parts = Vec::with_capacity(list.members.len());
        for (member, timers) in (1..).zip(&list.members) {
            let mut own = vec![value(member).into()];
            for &timer in timers {
                own.push(self.timer(&self.task.timers[timer as usize]));
            }
            parts.push(self.form(Tag::Ordered, own));
        }
        self.sorted(Tag::Timers, parts)
    }
}

/// The parts of a block, and of blocks within it.
fn flatten<'e>(effect: &'e Effect, parts: &mut Vec<&'e Effect>) {
    match effect {
        Effect::Block { effects, .. } => effects.iter().for_each(|part| flatten(part, parts)),
        Effect::Nothing => {}
        other => parts.push(other),
    }
}
