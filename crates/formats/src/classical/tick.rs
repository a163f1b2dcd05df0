//! The tick: one forced action at the end of a timestep, or several in a row.

use super::build::{At, Builder, Meaning, Way};
use super::diagram::Diagram;
use super::extra::members;
use super::inexpressible::Inexpressible;
use super::outcome::size;
use super::symbolic::{State, Stop};
use brigade_task::{Fact, LiveList, Phase, Timer};

/// The title of an action of the tick.
const TITLE: &str = "tick";

impl<'a> Builder<'a> {
    /// Adds the actions of the tick.
    pub(super) fn tick(&mut self) -> Result<(), Inexpressible> {
        let world = self.world;
        let task = world.task;
        world.space.clear();
        let mut state = State::new(world);
        for phase in &task.tick {
            state = match phase {
                Phase::Effect { effect, .. } => {
                    self.then(&state, |state| state.apply(effect, Diagram::TRUE))?
                }
                Phase::Timers => match &task.live {
                    Some(list) => self.walk(state, list)?,
                    None => self.timers(state)?,
                },
            };
        }
        if let Some(clock) = task.clock {
            state = self.then(&state, |state| state.count(clock))?;
        }
        self.part(&state, Meaning::Tick)
    }

    /// Adds an action of the tick, at a place of its own.
    fn part(&mut self, state: &State<'a>, meaning: Meaning) -> Result<(), Inexpressible> {
        let from = self.place(TITLE, true);
        let way = Way {
            title: TITLE,
            meaning,
            place: from,
            from: At::Place(from),
            to: At::Place(from + 1),
            controls: &[],
            cost: 0,
        };
        self.add(&way, Diagram::TRUE, state)?;
        self.world.space.clear();
        Ok(())
    }

    /// Adds an action for what was done, if anything was; the state after it.
    fn done(&mut self, state: &State<'a>) -> Result<State<'a>, Inexpressible> {
        if !state.is_unchanged() {
            self.part(state, Meaning::Nothing)?;
        }
        Ok(State::new(self.world))
    }

    fn fits(&self, state: &State<'a>) -> bool {
        let most = self.limits.tick;
        size(self.world, Diagram::TRUE, state, most) < most
    }

    /// Does one more thing in the same action, or in a new one if it does not fit there.
    fn then(
        &mut self,
        state: &State<'a>,
        apply: impl Fn(&mut State<'a>) -> Result<(), Stop>,
    ) -> Result<State<'a>, Inexpressible> {
        let mut next = state.clone();
        let applied = apply(&mut next);
        let is_first = state.is_unchanged();
        if applied.is_ok() && (is_first || self.fits(&next)) {
            return Ok(next);
        }
        if !is_first {
            self.world.space.reopen();
            let mut fresh = self.done(state)?;
            if apply(&mut fresh).is_ok() {
                return Ok(fresh);
            }
        }
        Err(self.stopped(Stop::TooLarge, TITLE, Meaning::Tick))
    }

    /// Delayed effects advance that were live when the phase began.
    fn timers(&mut self, state: State<'a>) -> Result<State<'a>, Inexpressible> {
        let world = self.world;
        let timers = &world.task.timers;
        let flags = self.extras.was_live.clone();
        let mut state = state;
        if self.extras.any_was_live() {
            // In one action, if that is possible, for then what was live need not be noted.
            if let Some(together) = self.together(&state, timers, &flags) {
                return Ok(together);
            }
            world.space.reopen();
            for (timer, flag) in timers.iter().zip(&flags) {
                if let Some(flag) = flag {
                    state = self.then(&state, |state| {
                        let idle = state.is(timer.variable.0, 0);
                        state.write(world.extra(*flag), 1, world.space.not(idle));
                        state.end()
                    })?;
                }
            }
            state = self.done(&state)?;
        }
        for (timer, flag) in timers.iter().zip(&flags) {
            state = self.then(&state, |state| {
                let Some(flag) = flag.map(|flag| world.extra(flag)) else {
                    return state.advance(timer, Diagram::TRUE);
                };
                let was_live = state.is(flag, 1);
                state.write(flag, 0, Diagram::TRUE);
                state.advance(timer, was_live)
            })?;
        }
        Ok(state)
    }

    fn together(
        &self,
        state: &State<'a>,
        timers: &[Timer],
        flags: &[Option<usize>],
    ) -> Option<State<'a>> {
        let mut next = state.clone();
        let mut before = state.clone();
        for (timer, flag) in timers.iter().zip(flags) {
            let was_live = match flag {
                Some(_) => self.world.space.not(before.is(timer.variable.0, 0)),
                None => Diagram::TRUE,
            };
            next.advance(timer, was_live).ok()?;
        }
        (before.end().is_ok() && self.fits(&next)).then_some(next)
    }

    /// Members of the list advance that were there when the phase began, one action after another.
    fn walk(&mut self, state: State<'a>, list: &LiveList) -> Result<State<'a>, Inexpressible> {
        let world = self.world;
        let Some((next, left)) = self.extras.walk else {
            return Ok(state);
        };
        let (next, left) = (world.extra(next), world.extra(left));
        let state = self.then(&state, |state| {
            for (count, pair) in (1..).zip(list.places.windows(2)) {
                let (last, free) = (state.is(pair[0].0, 0), state.is(pair[1].0, 0));
                state.write(left, count, world.space.without(free, last));
            }
            if let Some(last) = list.places.last() {
                let free = state.is(last.0, 0);
                state.write(left, list.places.len() as u32, world.space.not(free));
            }
            state.end()
        })?;
        self.done(&state)?;
        let here = self.place("list", false);
        for place in 0..list.places.len() {
            for (member, timers) in members(list) {
                world.space.clear();
                let nothing_left = world.fact(left, 0);
                let at = world.facts(&[
                    Fact::new(next as usize, place as u32),
                    Fact {
                        variable: list.places[place],
                        value: member,
                    },
                ]);
                let possible = world.space.without(at, nothing_left);
                self.visit(list, here, place, timers, possible)?;
            }
        }
        world.space.clear();
        let mut state = State::new(world);
        state.write(next, 0, Diagram::TRUE);
        let way = Way {
            title: TITLE,
            meaning: Meaning::Nothing,
            place: here,
            from: At::Place(here),
            to: At::Place(self.places.len()),
            controls: &[],
            cost: 0,
        };
        let possible = world.fact(left, 0);
        self.add(&way, possible, &state)?;
        world.space.clear();
        Ok(State::new(world))
    }

    /// The member at a place of the list advances; if it is done, it leaves.
    fn visit(
        &mut self,
        list: &LiveList,
        start: usize,
        place: usize,
        timers: &[u32],
        possible: Diagram,
    ) -> Result<(), Inexpressible> {
        let world = self.world;
        let space = &world.space;
        let Some((next, left)) = self.extras.walk else {
            return Ok(());
        };
        let (next, left) = (world.extra(next), world.extra(left));
        let here = At::Place(start);
        let (mut from, mut path) = (here, possible);
        let mut state = State::new(world);
        let way = |from, to| Way {
            title: TITLE,
            meaning: Meaning::Nothing,
            place: start,
            from,
            to,
            controls: &[],
            cost: 0,
        };
        for &timer in timers {
            let timer = &world.task.timers[timer as usize];
            let mut after = state.clone();
            if after.advance(timer, path).is_err() && !state.is_unchanged() {
                space.reopen();
                let between = self.test(TITLE);
                self.add(&way(from, between), path, &state)?;
                space.clear();
                (from, path) = (between, Diagram::TRUE);
                after = State::new(world);
                let advanced = after.advance(timer, path);
                advanced.map_err(|stop| self.stopped(stop, TITLE, Meaning::Tick))?;
            }
            state = after;
        }
        let done = match timers.first() {
            Some(&first) => state.is(world.task.timers[first as usize].variable.0, 0),
            None => Diagram::TRUE,
        };
        let (leaves, stays) = (space.and(path, done), space.without(path, done));
        let left_out = state.leave(list, place, leaves);
        left_out.map_err(|stop| self.stopped(stop, TITLE, Meaning::Tick))?;
        let last = list.places.len() as u32 - 1;
        let skipped = u32::from(list.skips);
        for (count, cond) in state.values(left) {
            state.write(left, count.saturating_sub(1), space.and(stays, cond));
            state.write(
                left,
                count.saturating_sub(1 + skipped),
                space.and(leaves, cond),
            );
        }
        let place = place as u32;
        state.write(next, (place + 1).min(last), stays);
        state.write(next, (place + skipped).min(last), leaves);
        self.add(&way(from, here), path, &state)
    }
}
