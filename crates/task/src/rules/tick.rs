//! The rules of the tick: events, timers, the list of live ones, the clock.

use super::effects::Clock;
use super::formula::Formula;
use super::numbering::FactId;
use super::path::Path;
use super::rule::Moment;
use super::writer::Writer;
use crate::cond::Cond;
use crate::{LiveList, Phase, Timer};

impl Writer<'_> {
    /// The rules of the tick, after so many phases of choices.
    pub(super) fn tick(&mut self, choices: u32) {
        let task = self.task;
        let mut next = choices;
        for phase in &task.tick {
            if self.is_over() {
                break;
            }
            match phase {
                Phase::Timers => {
                    for timer in &task.timers {
                        if self.is_over() {
                            break;
                        }
                        self.timer(timer, next);
                    }
                    if let Some(list) = &task.live {
                        self.list(list, next + 1);
                    }
                    // Timers elapse by what was live before; their effects have no order among themselves.
                    self.loose.extend([false, true]);
                    next += 2;
                }
                Phase::Effect { effect, .. } => {
                    let clock = Clock {
                        phase: next,
                        stands: false,
                    };
                    let end = self.effect(&Path::default(), effect, clock);
                    next = end.phase + 1;
                    self.loose.resize(next as usize, false);
                }
            }
        }
        if let Some(clock) = task.clock {
            for value in 1..task.variables[clock.index()].size {
                let before = self.numbering.fact(clock, value - 1);
                let after = self.numbering.fact(clock, value);
                self.rule(&[before], after, Moment::Phase(next), None);
            }
            self.loose.push(false);
        }
    }

    /// A timer elapses in one phase, by what held before it; in the next follows what may depend on the
    /// effects of other timers.
    fn timer(&mut self, timer: &Timer, phase: u32) {
        let size = self.task.variables[timer.variable.index()].size;
        let (elapses, follows) = (Moment::Phase(phase), Moment::Phase(phase + 1));
        let live: Vec<FactId> = (1..size)
            .map(|value| self.numbering.fact(timer.variable, value))
            .collect();
        let clock = Clock {
            phase: phase + 1,
            stands: true,
        };
        if timer.dropped_when != Cond::False || timer.every_tick {
            let formulas = live.iter().copied().map(Formula::Fact).collect();
            let is_live = match &live[..] {
                [only] => *only,
                _ => self.choice(formulas),
            };
            let mut path = Path::default();
            path.needs.push(is_live);
            if self.require(&mut path, &timer.dropped_when, true) {
                let over = self.numbering.fact(timer.variable, 0);
                let needs = self.needs(&path);
                self.rule(&needs, over, follows, None);
            }
            if timer.every_tick {
                let mut path = Path::default();
                path.needs.push(is_live);
                self.effect(&path, &timer.effect, clock);
                return;
            }
        }
        let mut running = Path::default();
        if !self.require(&mut running, &timer.runs_while, true) {
            return;
        }
        for (left, &before) in (0..).zip(&live) {
            let elapsed = if left == 0 {
                self.fresh()
            } else {
                self.numbering.fact(timer.variable, left)
            };
            if running.is_empty() {
                self.rule(&[before], elapsed, elapses, None);
            } else {
                let may_elapse = self.fresh();
                self.rule(&[before], may_elapse, elapses, None);
                let mut needs = self.needs(&running);
                needs.push(may_elapse);
                self.rule(&needs, elapsed, follows, None);
            }
            if left == 0 {
                let over = self.numbering.fact(timer.variable, 0);
                self.rule(&[elapsed], over, follows, None);
                let mut path = Path::default();
                path.needs.push(elapsed);
                self.effect(&path, &timer.effect, clock);
            }
        }
    }

    /// Members move up in the list where one before them leaves.
    fn list(&mut self, list: &LiveList, phase: u32) {
        let moment = Moment::Phase(phase);
        for (index, &place) in list.places.iter().enumerate() {
            let free = self.numbering.fact(place, 0);
            self.rule(&[], free, moment, None);
            let Some(&next) = list.places.get(index + 1) else {
                continue;
            };
            for member in (1..).take(list.members.len()) {
                let from = self.numbering.fact(next, member);
                let to = self.numbering.fact(place, member);
                self.rule(&[from], to, moment, None);
            }
        }
    }
}
