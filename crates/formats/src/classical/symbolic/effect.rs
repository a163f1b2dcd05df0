//! The writes of effects.

use super::read::add;
use super::{Cases, State, Stop, Writes};
use crate::classical::diagram::Diagram;
use brigade_task::effect::{Effect, Entry};
use brigade_task::{LiveList, Timer, VarId};

impl State<'_> {
    /// Applies an effect where `path` holds, on the state before.
    pub(in super::super) fn apply(&mut self, effect: &Effect, path: Diagram) -> Result<(), Stop> {
        self.effect(effect, path, None);
        self.end()
    }

    /// Advances a delayed effect if it is live, where `path` holds.
    pub(in super::super) fn advance(&mut self, timer: &Timer, path: Diagram) -> Result<(), Stop> {
        let space = &self.world.space;
        let variable = timer.variable.0;
        let live = space.without(path, self.is(variable, 0));
        let dropped = self.cond(&timer.dropped_when);
        let goes_on = space.without(live, dropped);
        self.write(variable, 0, space.and(live, dropped));
        if timer.every_tick {
            self.effect(&timer.effect, goes_on, None);
            return self.end();
        }
        let runs = space.and(goes_on, self.cond(&timer.runs_while));
        let ticks: Vec<(u32, Diagram)> = self.values(variable);
        for (left, cond) in ticks.iter().filter(|(left, _)| *left > 0) {
            self.write(variable, left - 1, space.and(runs, *cond));
        }
        let due = ticks.iter().find(|(left, _)| *left == 1);
        let due = due.map_or(Diagram::FALSE, |(_, cond)| space.and(runs, *cond));
        self.effect(&timer.effect, due, None);
        self.end()
    }

    /// Takes what stands at a place of the list out of it where `path` holds; those after it move up.
    pub(in super::super) fn leave(
        &mut self,
        list: &LiveList,
        place: usize,
        path: Diagram,
    ) -> Result<(), Stop> {
        for pair in list.places[place..].windows(2) {
            for (member, cond) in self.values(pair[1].0) {
                self.write(pair[0].0, member, self.world.space.and(path, cond));
            }
        }
        if let Some(last) = list.places.last() {
            self.write(last.0, 0, path);
        }
        self.end()
    }

    /// Counts one tick on the clock.
    pub(in super::super) fn count(&mut self, clock: VarId) -> Result<(), Stop> {
        let last = self.world.task.variables[clock.index()].size - 1;
        for (value, cond) in self.values(clock.0) {
            if value < last {
                self.write(clock.0, value + 1, cond);
            }
        }
        self.end()
    }

    /// Applies an effect. It reads from `before` where given.
    pub(super) fn effect(&mut self, effect: &Effect, path: Diagram, before: Option<&Writes>) {
        if path == Diagram::FALSE || self.is_stopped() {
            return;
        }
        let space = &self.world.space;
        match effect {
            Effect::Nothing | Effect::Log(_) | Effect::Total(..) => {}
            Effect::Set(fact) => self.write(fact.variable.0, fact.value, path),
            Effect::Clear(fact, other) => {
                let holds = self.facts(std::slice::from_ref(fact));
                self.write(other.variable.0, other.value, space.and(path, holds));
            }
            Effect::Number(variable, expr) => {
                let field = &self.world.task.variables[variable.index()];
                let (low, greatest) = (field.low(), i64::from(field.size) - 1);
                for (value, cond) in self.reading(before, |state| state.expr(expr)) {
                    let stored = value.saturating_sub(low).clamp(0, greatest);
                    self.write(variable.0, stored as u32, space.and(path, cond));
                }
            }
            Effect::Increase(variable, expr) => {
                let greatest = i64::from(self.world.task.variables[variable.index()].size) - 1;
                let amounts = self.reading(before, |state| state.expr(expr));
                let mut sums = Vec::new();
                for (value, cond) in self.values(variable.0) {
                    for (amount, when) in &amounts {
                        let sum = i64::from(value).saturating_add(*amount).clamp(0, greatest);
                        let here = space.and(space.and(path, cond), *when);
                        sums.push((sum as u32, here));
                    }
                }
                for (sum, cond) in sums {
                    self.write(variable.0, sum, cond);
                }
            }
            Effect::Copy(to, from, table) => {
                for (value, cond) in self.reading(before, |state| state.values(from.0)) {
                    if let Some(value) = table[value as usize] {
                        self.write(to.0, value, space.and(path, cond));
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
                self.effect(effect, space.and(path, cond), before);
            }
            Effect::Case(cases, otherwise) => {
                let conds: Vec<Diagram> = self.reading(before, |state| {
                    cases.iter().map(|(cond, _)| state.cond(cond)).collect()
                });
                let mut rest = path;
                for (cond, (_, effect)) in conds.iter().zip(cases) {
                    self.effect(effect, space.and(rest, *cond), before);
                    rest = space.without(rest, *cond);
                }
                self.effect(otherwise, rest, before);
            }
            Effect::Switch(variable, effects) => {
                for (value, cond) in self.reading(before, |state| state.values(variable.0)) {
                    self.effect(&effects[value as usize], space.and(path, cond), before);
                }
            }
            Effect::Choose(candidates, otherwise) => {
                let chosen = self.reading(before, |state| state.chosen(candidates));
                let mut rest = path;
                for (cond, candidate) in chosen.iter().zip(candidates) {
                    self.effect(&candidate.effect, space.and(path, *cond), before);
                    rest = space.without(rest, *cond);
                }
                self.effect(otherwise, rest, before);
            }
            Effect::Enlist(entry) => self.enlist(*entry, path),
            Effect::Cost(expr) => {
                let cost = self.reading(before, |state| state.expr(expr));
                let mut here = Cases::new();
                for (value, cond) in cost {
                    add(space, &mut here, value, space.and(path, cond));
                }
                add(space, &mut here, 0, space.not(path));
                let sum = std::mem::take(&mut self.cost);
                self.cost = self.joined(&sum, &here, i64::saturating_add);
            }
        }
    }

    /// Puts a delayed effect at the first free place of the list, unless it stands before.
    fn enlist(&mut self, entry: Entry, path: Diagram) {
        let space = &self.world.space;
        let mut rest = path;
        let places = entry.first.0..entry.first.0 + entry.places;
        let mut writes = Vec::new();
        for place in places {
            let (free, its) = (self.is(place, 0), self.is(place, entry.value));
            writes.push((place, space.and(rest, free)));
            rest = space.without(rest, space.or(free, its));
        }
        for (place, cond) in writes {
            self.write(place, entry.value, cond);
        }
    }
}
