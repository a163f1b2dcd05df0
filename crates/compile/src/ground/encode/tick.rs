//! The tick: its phases, and the delayed effects that advance in it.

use super::activities::by_activity;
use crate::ground::encoder::Encoder;
use crate::ground::formula::Effect;
use crate::ground::restricted::Ground;
use crate::ground::slots::{SlotKey, default_code};
use crate::sema::model::{FluentKind, Model, Phase};
use brigade_task::{self as task, Announced, Timer};

impl Encoder {
    /// The delayed effects, in order, and the number of each among all that were found.
    pub(super) fn timers(&self, ground: &Ground) -> (Vec<Timer>, Vec<usize>) {
        let mut timers = Vec::new();
        let mut numbers = Vec::new();
        for number in ground.in_order() {
            let delayed = &ground.delayed[number];
            let name = &ground.identities[number].name;
            let Some(variable) = self.timer(ground, number) else {
                continue;
            };
            numbers.push(number);
            timers.push(Timer {
                name: name.clone(),
                text: delayed.text.as_ref().unwrap_or(name).clone(),
                variable,
                runs_while: self.cond(&delayed.runs_while),
                dropped_when: self.cond(&delayed.dropped_when),
                every_tick: delayed.ticks == 0,
                effect: self.effect(&delayed.effect),
            });
        }
        (timers, numbers)
    }

    /// The phases of the tick, and those of them in which facts come that are not announced without these.
    pub(super) fn tick(
        &self,
        model: &Model,
        ground: &Ground,
    ) -> (Vec<task::Phase>, Vec<Announced>) {
        // `None` stands for the timers.
        let mut phases: Vec<Option<(String, Effect)>> = Vec::new();
        let mut announced: Vec<(usize, &Effect)> = Vec::new();
        if let Some(broken) = ground.slot(&SlotKey::Broken) {
            for (slot, activities) in ground.busy_agents() {
                let check = by_activity(slot, activities, |activity| {
                    Effect::when(activity.over_all.clone().negated(), Effect::Set(broken, 1))
                });
                phases.push(Some(("over all".to_owned(), check)));
            }
        }
        let [known, known_early] = &ground.announced;
        for phase in &model.tick {
            match phase {
                Phase::TimedLiterals if *known != ground.timed => {
                    announced.push((phases.len(), known));
                }
                Phase::EarlyLiterals if *known_early != ground.early => {
                    announced.push((phases.len(), known_early));
                }
                _ => {}
            }
            phases.push(match phase {
                Phase::Timers => None,
                Phase::TimedLiterals => Some(("timed literals".to_owned(), ground.timed.clone())),
                Phase::EarlyLiterals => Some(("early literals".to_owned(), ground.early.clone())),
                Phase::Event(event) => Some((
                    model.events[*event].name.clone(),
                    ground.events[*event].clone(),
                )),
            });
        }
        for (slot, activities) in ground.busy_agents() {
            let end = by_activity(slot, activities, |activity| {
                Effect::when(
                    activity.until.clone(),
                    Effect::block([Effect::Set(slot, 0), activity.finish.clone()]),
                )
            });
            phases.push(Some(("options end".to_owned(), end)));
        }
        let resets = ground.slots.iter().filter_map(|(slot, entry)| {
            let SlotKey::Fluent(fluent, _) = &entry.key else {
                return None;
            };
            (model.fluents[fluent.index()].kind == FluentKind::Transient)
                .then(|| Effect::Set(slot, default_code(model, *fluent)))
        });
        phases.push(Some(("transients".to_owned(), Effect::block(resets))));
        if let Some(turn) = ground.slot(&SlotKey::Turn) {
            let agents = model.agents.len() as u32;
            let effects = (0..agents)
                .map(|agent| Effect::Set(turn, (agent + 1) % agents))
                .collect();
            phases.push(Some(("turn".to_owned(), Effect::Switch(turn, effects))));
        }
        let (mut tick, mut known) = (Vec::new(), Vec::new());
        for (place, phase) in phases.into_iter().enumerate() {
            let Some((name, effect)) = phase else {
                tick.push(task::Phase::Timers);
                continue;
            };
            let effect = self.effect(&effect);
            if effect.is_idle() {
                continue;
            }
            let without = announced.iter().find(|(of, _)| *of == place);
            known.extend(without.map(|(_, without)| Announced {
                phase: tick.len(),
                effect: self.effect(without),
            }));
            tick.push(task::Phase::Effect { name, effect });
        }
        (tick, known)
    }
}
