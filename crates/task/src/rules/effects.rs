//! The rules of effects, and of the operators that have them.

use std::collections::BTreeSet;

use super::formula::Formula;
use super::numbering::FactId;
use super::path::Path;
use super::rule::Moment;
use super::touched::Touched;
use super::writer::Writer;
use crate::VarId;
use crate::cond::{Cond, Expr};
use crate::effect::{Candidate, Effect};
use crate::layout::VariableKind;
use crate::state::State;
use crate::{Agent, TurnMode};

/// The phase that a part of an effect falls into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Clock {
    pub(super) phase: u32,
    /// True in a loose phase, which all parts share.
    pub(super) stands: bool,
}

impl Clock {
    const fn next(self) -> Self {
        let phase = self.phase + !self.stands as u32;
        Self { phase, ..self }
    }

    fn latest(self, other: Self) -> Self {
        let phase = self.phase.max(other.phase);
        Self { phase, ..self }
    }
}

impl Writer<'_> {
    /// The rules of all operators. Returns the number of phases that the choices of a tick take: one after
    /// another for each agent in turn.
    pub(super) fn operators(&mut self) -> u32 {
        let task = self.task;
        let mut changed: BTreeSet<VarId> = BTreeSet::new();
        let mut end = 0;
        for agent in &task.agents {
            let clock = Clock {
                phase: match task.turns {
                    TurnMode::Alternate => 0,
                    TurnMode::Sequential if task.any_order => 0,
                    TurnMode::Sequential | TurnMode::Simultaneous => end,
                },
                stands: task.any_order,
            };
            end = end.max(self.operators_of(agent, clock, &changed) + 1);
            if task.turns == TurnMode::Simultaneous {
                for &operator in &agent.operators {
                    let touched = Touched::of(&task.operator(operator).effect);
                    changed.extend(touched.writes);
                }
            }
        }
        self.loose.resize(end as usize, task.any_order);
        end
    }

    /// The rules of an agent's operators; `changed` are the variables that others may have changed between
    /// its choice and its effect. Returns the last phase that an effect falls into.
    fn operators_of(&mut self, agent: &Agent, clock: Clock, changed: &BTreeSet<VarId>) -> u32 {
        let task = self.task;
        let mut last = clock.phase;
        for &id in &agent.operators {
            if self.is_over() {
                break;
            }
            let operator = task.operator(id);
            let mut path = Path::default();
            if let Some(turn) = task.turn {
                let fact = self.numbering.fact(turn, operator.agent.into());
                path.require(&self.numbering, Formula::Fact(fact));
            }
            let facts = Cond::all(operator.facts.iter().copied().map(Cond::Fact));
            let cond = Cond::all([facts, operator.guard.clone()]);
            if operator.effect.is_idle() || !self.require(&mut path, &cond, true) {
                continue;
            }
            path.operator = Some(id);
            if !changed.is_empty() {
                let derived = |it: VarId| task.variables[it.index()].kind == VariableKind::Derived;
                path.forget(|it| changed.contains(&it) || derived(it));
            }
            let end = self.effect(&path, &operator.effect, clock);
            last = last.max(end.phase);
        }
        last
    }

    /// The rules of an effect at the end of a path. Returns the last phase that it falls into.
    pub(super) fn effect(&mut self, path: &Path, effect: &Effect, clock: Clock) -> Clock {
        match effect {
            Effect::Nothing | Effect::Log(_) | Effect::Total(..) => clock,
            Effect::Set(fact) => {
                if path.value(fact.variable) != Some(fact.value) {
                    let adds = self.numbering.fact(fact.variable, fact.value);
                    self.add(path, adds, clock);
                }
                clock
            }
            Effect::Clear(fact, other) => {
                let mut path = path.clone();
                if self.require(&mut path, &Cond::Fact(*fact), true) {
                    let adds = self.numbering.fact(other.variable, other.value);
                    self.add(&path, adds, clock);
                }
                clock
            }
            Effect::Number(variable, expr) => self.number(path, *variable, expr, false, clock),
            Effect::Increase(variable, expr) => self.number(path, *variable, expr, true, clock),
            Effect::Copy(to, from, table) => {
                self.copy(path, *to, *from, table, clock);
                clock
            }
            Effect::Block { effects, .. } => self.block(path, effects, clock),
            Effect::Seq(effects) => self.sequence(path, effects, clock),
            Effect::When(cond, effect) => {
                let mut path = path.clone();
                if self.require(&mut path, cond, true) {
                    self.effect(&path, effect, clock)
                } else {
                    clock
                }
            }
            Effect::Case(cases, otherwise) => self.cases(path, cases, otherwise, clock),
            Effect::Switch(variable, effects) => self.switch(path, *variable, effects, clock),
            Effect::Choose(candidates, otherwise) => {
                self.choose(path, candidates, otherwise, clock)
            }
            Effect::Enlist(entry) => {
                for place in entry.first.0..entry.first.0 + entry.places {
                    let adds = self.numbering.fact(VarId(place), entry.value);
                    self.add(path, adds, clock);
                }
                clock
            }
            Effect::Cost(expr) => {
                self.cost(path, expr, clock);
                clock
            }
        }
    }

    fn add(&mut self, path: &Path, adds: FactId, clock: Clock) {
        self.add_with(path, &[], adds, clock);
    }

    /// The same where more facts hold.
    fn add_with(&mut self, path: &Path, more: &[FactId], adds: FactId, clock: Clock) {
        let mut path = path.clone();
        let formula = Formula::all(more.iter().copied().map(Formula::Fact));
        if path.require(&self.numbering, formula) {
            let needs = self.needs(&path);
            self.rule(&needs, adds, Moment::Phase(clock.phase), path.operator);
        }
    }

    /// Gives a number a value, or adds one to it.
    fn number(
        &mut self,
        path: &Path,
        variable: VarId,
        expr: &Expr,
        adds: bool,
        clock: Clock,
    ) -> Clock {
        let place = &self.task.variables[variable.index()];
        let variables = &self.task.variables;
        let mut found = Vec::new();
        let mut path = path.clone();
        if path.is_behind {
            // What is known of the number is of its value before other parts of the block.
            path.forget(|it| it == variable);
        }
        let path = &path;
        let also = adds.then_some(variable);
        let mut reads_itself = false;
        expr.each_read(&mut |read| reads_itself |= read.variable() == variable);
        // Then the amount depends on another value than the one that it is added to.
        let is_unknown = adds && path.is_behind && reads_itself;
        let numbering = &self.numbering;
        let mut visit = |facts: &[FactId], state: &State| {
            let amount = expr.value(variables, state);
            let before = if adds {
                i64::from(place.get(state))
            } else {
                -place.low()
            };
            let value = before.saturating_add(amount);
            let value = value.clamp(0, i64::from(place.size) - 1) as u32;
            found.push((facts.to_vec(), numbering.fact(variable, value)));
        };
        let fits =
            !is_unknown && (self.reader).each_combination(numbering, path, expr, also, &mut visit);
        if !fits {
            let all = (0..place.size).map(|value| (Vec::new(), numbering.fact(variable, value)));
            found = all.collect();
        }
        let path = match found.first() {
            Some((facts, _)) => self.ahead_of(path, facts),
            None => return clock,
        };
        for (facts, adds) in found {
            self.add_with(&path, &facts, adds, clock);
        }
        clock
    }

    fn cost(&mut self, path: &Path, expr: &Expr, clock: Clock) {
        let variables = &self.task.variables;
        let mut found = Vec::new();
        let numbering = &self.numbering;
        self.reader
            .each_combination(numbering, path, expr, None, &mut |facts, state| {
                let amount = expr.value(variables, state);
                if amount != 0 {
                    found.push((facts.to_vec(), amount));
                }
            });
        let Some((facts, _)) = found.first() else {
            return;
        };
        let path = self.ahead_of(path, facts);
        for (facts, amount) in found {
            let mut path = path.clone();
            let formula = Formula::all(facts.into_iter().map(Formula::Fact));
            if path.require(&self.numbering, formula) {
                let needs = self.needs(&path);
                let charge = self.charge(&needs, amount);
                self.rule(&needs, charge, Moment::Phase(clock.phase), path.operator);
            }
        }
    }

    /// The same path, made for requiring many facts like these one at a time.
    fn ahead_of(&mut self, path: &Path, facts: &[FactId]) -> Path {
        let mut path = path.without(&self.numbering, facts);
        for clause in std::mem::take(&mut path.settled) {
            self.needs_of(&clause, &mut path.needs);
        }
        path
    }

    fn copy(&mut self, path: &Path, to: VarId, from: VarId, table: &[Option<u32>], clock: Clock) {
        let is_known = path.value(from).is_some();
        for (value, becomes) in (0..).zip(table) {
            if let Some(becomes) = *becomes
                && path.allows(from, value)
            {
                let adds = self.numbering.fact(to, becomes);
                let from = self.numbering.fact(from, value);
                let more = if is_known { &[][..] } else { &[from] };
                self.add_with(path, more, adds, clock);
            }
        }
    }

    /// Parts that apply to one state. What is added to a number that another part has changed adds to the
    /// changed one, and a sequence reads what others have changed: such a part comes a phase later.
    fn block(&mut self, path: &Path, effects: &[Effect], clock: Clock) -> Clock {
        let mut end = clock;
        let mut at = clock;
        let mut written = BTreeSet::new();
        for effect in effects {
            let touched = Touched::of(effect);
            let meets = if touched.has_sequence {
                !touched.reads.is_disjoint(&written)
            } else {
                !touched.increases.is_disjoint(&written)
            };
            if meets {
                at = end.next();
                let mut path = path.clone();
                path.forget(|it| written.contains(&it));
                path.is_behind = true;
                end = end.latest(self.effect(&path, effect, at));
            } else {
                end = end.latest(self.effect(path, effect, at));
            }
            written.extend(touched.writes);
        }
        end
    }

    /// Parts one after another. A part that meets nothing of what those before it have changed shares their
    /// phase.
    fn sequence(&mut self, path: &Path, effects: &[Effect], clock: Clock) -> Clock {
        let mut path = path.clone();
        let mut at = clock;
        let mut end = clock;
        let mut changed = BTreeSet::new();
        for effect in effects {
            let touched = Touched::of(effect);
            if !changed.is_disjoint(&touched.reads) {
                at = end.next();
                changed.clear();
            }
            end = end.latest(self.effect(&path, effect, at));
            path.forget(|it| touched.writes.contains(&it));
            changed.extend(touched.writes);
        }
        end
    }

    fn cases(
        &mut self,
        path: &Path,
        cases: &[(Cond, Effect)],
        otherwise: &Effect,
        clock: Clock,
    ) -> Clock {
        let mut rest = path.clone();
        let mut end = clock;
        for (cond, effect) in cases {
            let mut path = rest.clone();
            if self.require(&mut path, cond, true) {
                end = end.latest(self.effect(&path, effect, clock));
            }
            if !self.require(&mut rest, cond, false) {
                return end;
            }
        }
        end.latest(self.effect(&rest, otherwise, clock))
    }

    fn switch(&mut self, path: &Path, variable: VarId, effects: &[Effect], clock: Clock) -> Clock {
        let mut arms: Vec<(&Effect, Vec<Formula>)> = Vec::new();
        for (value, effect) in (0..).zip(effects) {
            if effect.is_idle() || !path.allows(variable, value) {
                continue;
            }
            let fact = Formula::Fact(self.numbering.fact(variable, value));
            match arms.iter_mut().find(|(it, _)| *it == effect) {
                Some((_, values)) => values.push(fact),
                None => arms.push((effect, vec![fact])),
            }
        }
        let mut end = clock;
        for (effect, values) in arms {
            let mut path = path.clone();
            let is_known = path.value(variable).is_some();
            if is_known || path.require(&self.numbering, Formula::any(values)) {
                end = end.latest(self.effect(&path, effect, clock));
            }
        }
        end
    }

    fn choose(
        &mut self,
        path: &Path,
        candidates: &[Candidate],
        otherwise: &Effect,
        clock: Clock,
    ) -> Clock {
        let mut end = clock;
        for candidate in candidates {
            let mut path = path.clone();
            if self.require(&mut path, &candidate.cond, true) {
                end = end.latest(self.effect(&path, &candidate.effect, clock));
            }
        }
        let mut rest = path.clone();
        let mut conds = candidates.iter().map(|candidate| &candidate.cond);
        if conds.all(|cond| self.require(&mut rest, cond, false)) {
            end = end.latest(self.effect(&rest, otherwise, clock));
        }
        end
    }
}
