//! Effects applied not to a state but to all states at once: what each variable becomes, as values
//! under conditions on the state before.
//!
//! Whatever an effect does one after another thus becomes what PDDL knows: effects that all look at
//! the state before and apply together.

mod effect;
mod read;
mod ways;

use std::collections::BTreeMap;
use std::rc::Rc;

use super::diagram::Diagram;
use super::world::World;
use brigade_task::layout::VariableKind;

/// Values that something may have, each with the condition under which it has it: exactly one holds.
pub(super) type Cases<T> = BTreeMap<T, Diagram>;

/// A reason for which a series of effects was not applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// A derived predicate is read that the effects before may have changed: they must be done first.
    Stale,
    /// The conditions grow beyond the limits.
    TooLarge,
}

/// The values that were written to a variable.
#[derive(Clone, Default)]
struct Written {
    /// For each value when it is the one that was written last.
    values: BTreeMap<u32, Diagram>,
    /// When any was.
    any: Option<Diagram>,
}

impl Written {
    fn any(&self) -> Diagram {
        self.any.unwrap_or(Diagram::FALSE)
    }
}

type Writes = BTreeMap<u32, Rc<Written>>;

/// The state after some effects.
#[derive(Clone)]
pub(super) struct State<'a> {
    world: &'a World<'a>,
    writes: Writes,
    /// The cost of the effects.
    cost: Cases<i64>,
    /// True if derived predicates may differ from those of the state before.
    is_stale: bool,
    stop: Option<Stop>,
    /// Elsewhere it does not matter what is read.
    care: Diagram,
}

impl<'a> State<'a> {
    /// A state that nothing was done to.
    pub(super) fn new(world: &'a World<'a>) -> Self {
        Self {
            world,
            writes: Writes::new(),
            cost: Cases::from([(0, Diagram::TRUE)]),
            is_stale: false,
            stop: None,
            care: Diagram::TRUE,
        }
    }

    /// Returns true if nothing is changed and nothing costs anything.
    pub(super) fn is_unchanged(&self) -> bool {
        self.writes.is_empty() && self.cost.keys().all(|cost| *cost == 0)
    }

    /// The new values of each variable, under conditions that exclude each other for each variable.
    pub(super) fn changes(&self) -> impl Iterator<Item = (u32, &BTreeMap<u32, Diagram>)> {
        let writes = self.writes.iter();
        writes.map(|(variable, written)| (*variable, &written.values))
    }

    /// The cost of the effects.
    pub(super) fn costs(&self) -> &Cases<i64> {
        &self.cost
    }

    /// Ends a series of effects: what is derived is derived anew.
    pub(super) fn end(&mut self) -> Result<(), Stop> {
        self.is_stale = !self.world.task.axioms.layers.is_empty() && !self.writes.is_empty();
        if self.world.space.is_full() {
            self.stop = Some(Stop::TooLarge);
        }
        self.stop.map_or(Ok(()), Err)
    }

    fn is_stopped(&self) -> bool {
        self.stop.is_some() || self.world.space.is_full()
    }

    /// The condition under which a variable has a value now.
    pub(super) fn is(&mut self, variable: u32, value: u32) -> Diagram {
        if self.is_stale {
            let variable = self.world.task.variables.get(variable as usize);
            if variable.is_some_and(|variable| variable.kind == VariableKind::Derived) {
                self.stop = self.stop.or(Some(Stop::Stale));
            }
        }
        let before = self.world.fact(variable, value);
        let space = &self.world.space;
        let Some(written) = self.writes.get(&variable) else {
            return space.within(before, self.care);
        };
        let kept = space.without(before, written.any());
        let now = match written.values.get(&value) {
            Some(new) => space.or(kept, *new),
            None => kept,
        };
        space.within(now, self.care)
    }

    /// The values that a variable may have now.
    pub(super) fn values(&mut self, variable: u32) -> Vec<(u32, Diagram)> {
        let domain = Rc::clone(self.world.domain(variable));
        let values = domain
            .iter()
            .map(|value| (*value, self.is(variable, *value)));
        values.filter(|(_, cond)| *cond != Diagram::FALSE).collect()
    }

    /// Gives a variable a value where `path` holds.
    pub(super) fn write(&mut self, variable: u32, value: u32, path: Diagram) {
        if path == Diagram::FALSE {
            return;
        }
        let space = &self.world.space;
        let written = Rc::make_mut(self.writes.entry(variable).or_default());
        let any = written.any();
        let overwrites = space.and(any, path) != Diagram::FALSE;
        if overwrites {
            for (_, cond) in written
                .values
                .iter_mut()
                .filter(|(other, _)| **other != value)
            {
                *cond = space.without(*cond, path);
            }
            written.values.retain(|_, cond| *cond != Diagram::FALSE);
        }
        let cond = written.values.entry(value).or_insert(Diagram::FALSE);
        *cond = space.or(*cond, path);
        written.any = Some(space.or(any, path));
    }
}
