//! The starts of delayed effects, and the counts of executions.

use super::bindings::Bindings;
use super::conditions::named;
use super::delayed::{Delayed, GroundText, end, parts};
use super::encoder::MAX_VALUES;
use super::error::{GroundError, KnownNumber, Schema};
use super::formula::{Cond, Effect, Expr};
use super::instantiate::Instantiator;
use super::slots::{SlotId, SlotKey, SlotRange};
use super::text::Lifted;
use crate::sema::model::{self, LiveEffects, ObjectId};

impl Instantiator<'_> {
    /// The ground text of an effect.
    pub(super) fn ground_text(&mut self, effect: &model::Effect, at: &Bindings) -> GroundText {
        let text = Lifted::effect(self.model, self.scope, effect);
        let agent = self.texts.logs(effect).then_some(self.acting);
        self.spend(text.holes.len() + text.words.len() / 16);
        self.texts.ground(text, at, agent)
    }

    /// A number of ticks or executions, which must be known now.
    pub(super) fn ticks(
        &mut self,
        expr: &model::Expr,
        at: &mut Bindings,
    ) -> Result<u32, GroundError> {
        let ticks = self.constant(expr, at)?;
        let most = MAX_VALUES as u32;
        let countable = u32::try_from(ticks).ok();
        let countable = countable.filter(|ticks| (1..most).contains(ticks));
        countable.ok_or_else(|| {
            let mut numbers = Vec::new();
            self.known_numbers(expr, at, &mut numbers);
            GroundError::BadDelay {
                schema: self.schema(),
                ticks,
                numbers,
            }
        })
    }

    /// The numbers that an expression is computed of, each once; those of objects that fluents name are
    /// left out.
    fn known_numbers(&self, expr: &model::Expr, at: &Bindings, numbers: &mut Vec<KnownNumber>) {
        use model::Expr as E;
        match expr {
            E::Constant(_) | E::Count(..) => {}
            E::Fluent(fluent, args) => {
                let args = args.iter().map(|term| named(term, at));
                let Some(args) = args.collect::<Option<Vec<ObjectId>>>() else {
                    return;
                };
                let name = &self.model.fluents[fluent.index()].name;
                let objects = args
                    .iter()
                    .map(|object| &self.model.objects[object.index()]);
                let objects = objects.map(|object| format!(" {}", object.name));
                let number = KnownNumber {
                    name: format!("({name}{})", objects.collect::<String>()),
                    is_given: self.statics.contains_key(&(*fluent, args.clone())),
                    value: self.static_number(*fluent, args),
                };
                if !numbers.contains(&number) {
                    numbers.push(number);
                }
            }
            E::Add(all) | E::Multiply(all) | E::Min(all) | E::Max(all) => {
                for one in all {
                    self.known_numbers(one, at, numbers);
                }
            }
            E::Subtract(a, b) => {
                self.known_numbers(a, at, numbers);
                self.known_numbers(b, at, numbers);
            }
            E::Abs(one) => self.known_numbers(one, at, numbers),
        }
    }

    /// The schema that is being instantiated.
    pub(super) fn schema(&self) -> Schema {
        Schema::of(self.model, self.index)
    }

    /// The slot of a delayed effect, made on first use, and the effect that starts it unless it is
    /// live.
    pub(super) fn timer(
        &mut self,
        text: GroundText,
        ticks: u32,
        make: impl FnOnce(&mut Self) -> Result<Delayed, GroundError>,
    ) -> Result<(SlotId, Effect), GroundError> {
        let is_whole = text.is_whole();
        let number = if let Some(number) = self.delayed.get_index_of(&text) {
            number
        } else {
            let delayed = make(self)?;
            self.delayed.insert_full(text, delayed).0
        };
        self.spend(3);
        let last = ticks.max(1);
        let slot = self.timer_slot(number, last);
        let start = self.begin(slot, number, last, is_whole);
        let start = Effect::when(Cond::Holds(slot, 0), start);
        Ok((slot, start))
    }

    /// The number of a delayed effect whose effect is given later.
    fn delayed_number(&mut self, text: GroundText) -> usize {
        let entry = self.delayed.entry(text);
        let number = entry.index();
        entry.or_default();
        number
    }

    /// The slot of a delayed effect, with this greatest value.
    fn timer_slot(&mut self, number: usize, last: u32) -> SlotId {
        let size = last.saturating_add(1);
        let range = SlotRange::Integer { lo: 0, size };
        self.slots.other(SlotKey::Timer(number), range, 0)
    }

    /// Gives a delayed effect that is not live a value, and puts it into the list of live ones where
    /// there is one.
    fn begin(&self, slot: SlotId, number: usize, value: u32, is_whole: bool) -> Effect {
        let set = Effect::Set(slot, value);
        if is_whole && self.is_list() {
            Effect::block([set, Effect::Enlist(number)])
        } else {
            set
        }
    }

    /// Returns true if live effects are kept in the order in which they were started.
    fn is_list(&self) -> bool {
        self.model.live_effects != LiveEffects::Set
    }

    /// Starts the end of a durative action.
    pub(super) fn start_end(
        &mut self,
        action: &model::Action,
        ticks: u32,
        effect: Effect,
        at: &Bindings,
    ) -> Result<Effect, GroundError> {
        let text = self.texts.ground(end(action), at, None);
        let delayed = Delayed {
            ticks,
            effect,
            ..Delayed::default()
        };
        Ok(self.timer(text, ticks, |_| Ok(delayed))?.1)
    }

    pub(super) fn count(&mut self, text: GroundText, size: u32, body: Effect) -> Effect {
        self.spend(6);
        if self.is_list() {
            return self.count_in_list(text, size, body);
        }
        let (number, _) = self.counters.insert_full(text, ());
        let range = SlotRange::Integer { lo: 0, size };
        let slot = self.slots.other(SlotKey::Counter(number), range, 0);
        let done = Effect::block([Effect::Set(slot, 0), body]);
        let one_more = Expr::Add(vec![Expr::Slot(slot), Expr::Constant(1)]);
        Effect::case(
            vec![(Cond::Holds(slot, size - 1), done)],
            Effect::Number(slot, one_more),
        )
    }

    /// An `on-nth` in a list of live effects: it joins when it is first executed, and is done at the
    /// last time but leaves only when its turn comes.
    fn count_in_list(&mut self, text: GroundText, last: u32, body: Effect) -> Effect {
        let number = self.delayed_number(text);
        let slot = self.timer_slot(number, last);
        self.delayed[number].effect = Effect::when(Cond::Holds(slot, last), Effect::Set(slot, 0));
        let first = self.begin(slot, number, 1, true);
        let one_more = Expr::Add(vec![Expr::Slot(slot), Expr::Constant(1)]);
        if last == 1 {
            return Effect::when(Cond::Holds(slot, 0), Effect::block([first, body]));
        }
        let cases = vec![
            (Cond::Holds(slot, 0), first),
            (
                Cond::Holds(slot, last - 1),
                Effect::block([Effect::Set(slot, last), body]),
            ),
            (Cond::Holds(slot, last), Effect::Nothing),
        ];
        Effect::case(cases, Effect::Number(slot, one_more))
    }

    pub(super) fn maintain(
        &mut self,
        effect: &model::Effect,
        waits_for: &model::Cond,
        kept: &model::Effect,
        body: &[model::Effect],
        at: &mut Bindings,
    ) -> Result<Effect, GroundError> {
        let text = self.ground_text(effect, at);
        let cond = self.cond(waits_for, at);
        let kept = self.effect(kept, at)?;
        let undone = negated(&kept).ok_or(GroundError::Unsupported {
            what: "a `maintain` whose kept effect is not a plain list of atoms",
        })?;
        let parts = parts(body);
        if !body.is_empty() && !parts.iter().any(|part| self.texts.delays(part)) {
            let body = parts.into_iter().map(|part| self.effect(part, at));
            let body = Effect::block(body.collect::<Result<Vec<_>, _>>()?);
            return Ok(self.until_it_holds(text, cond, [kept, undone], body));
        }
        let keep = Effect::case(vec![(cond.clone(), kept)], undone);
        let delayed = |ticks, effect| Delayed {
            ticks,
            runs_while: cond.clone(),
            effect,
            ..Delayed::default()
        };
        let upkeep = Delayed {
            runs_while: Cond::True,
            ..delayed(0, keep.clone())
        };
        let is_new = !self.delayed.contains_key(&text);
        let (upkeep, start) = self.timer(text.clone(), 0, |_| Ok(upkeep))?;
        let mut effects = vec![start, keep.clone()];
        let mut waiting = Vec::new();
        for (number, part) in (1..).zip(parts) {
            match part {
                after @ model::Effect::After(ticks, None, effect) => {
                    let ticks = self.ticks(ticks, at)?;
                    let part = text.part(number);
                    let (slot, start) = self.timer(part.clone(), ticks, |this| {
                        let text = Some(this.part_text(after, waits_for, &part, at));
                        let delayed = delayed(ticks, this.effect(effect, at)?);
                        Ok(Delayed { text, ..delayed })
                    })?;
                    waiting.push((slot, part));
                    effects.push(start);
                }
                other if self.texts.delays(other) => {
                    return Err(GroundError::Unsupported {
                        what: "in a `maintain`, a delayed effect that is not a plain `(after N …)`",
                    });
                }
                other => effects.push(self.effect(other, at)?),
            }
        }
        if is_new {
            self.end_with_last(upkeep, &waiting);
        }
        let start = (Cond::Holds(upkeep, 0), Effect::block(effects));
        let again = if self.is_list() {
            keep
        } else {
            Effect::Nothing
        };
        Ok(Effect::case(vec![start], again))
    }

    /// A delayed part of a `maintain` as people read it.
    fn part_text(
        &self,
        part: &model::Effect,
        waits_for: &model::Cond,
        identity: &GroundText,
        at: &Bindings,
    ) -> String {
        let effect = self.grounded(&Lifted::effect(self.model, self.scope, part), at);
        let condition = self.described(waits_for, at);
        format!("{effect} while {condition}{}", self.texts.by(identity))
    }

    /// A `maintain` that ends when its condition first holds: what it keeps, and undoes before, and
    /// what it does then.
    fn until_it_holds(
        &mut self,
        text: GroundText,
        cond: Cond,
        [kept, undone]: [Effect; 2],
        body: Effect,
    ) -> Effect {
        const LIVE: u32 = 1;
        const DONE: u32 = 2;
        self.spend(6);
        let number = self.delayed_number(text);
        let is_list = self.is_list();
        let slot = self.timer_slot(number, if is_list { DONE } else { LIVE });
        let done = Effect::block([kept, body]);
        let end = |value| Effect::block([Effect::Set(slot, value), done.clone()]);
        let mut upkeep = vec![(cond.clone(), end(0))];
        if is_list {
            // It was done when it was started, and leaves the list now.
            upkeep.insert(0, (Cond::Holds(slot, DONE), Effect::Set(slot, 0)));
        }
        self.delayed[number].effect = Effect::case(upkeep, undone.clone());
        let is_new = Cond::Holds(slot, 0);
        let goes_on = Effect::block([self.begin(slot, number, LIVE, true), undone.clone()]);
        if !is_list {
            return Effect::when(is_new, Effect::case(vec![(cond, done)], goes_on));
        }
        let ends = Effect::block([self.begin(slot, number, DONE, true), done.clone()]);
        Effect::case(
            vec![
                (is_new, Effect::case(vec![(cond.clone(), ends)], goes_on)),
                (Cond::Holds(slot, DONE), Effect::Nothing),
                (cond, end(DONE)),
            ],
            undone,
        )
    }

    /// Makes the delayed part of a `maintain` that comes due as the last one end it.
    fn end_with_last(&mut self, upkeep: SlotId, waiting: &[(SlotId, GroundText)]) {
        for (slot, text) in waiting {
            let others = waiting.iter().filter(|(other, _)| other != slot);
            let done = Cond::all(others.map(|(other, _)| Cond::Holds(*other, 0)));
            if let Some(delayed) = self.delayed.get_mut(text) {
                let effect = std::mem::replace(&mut delayed.effect, Effect::Nothing);
                let end = Effect::when(done, Effect::Set(upkeep, 0));
                delayed.effect = Effect::block([effect, end]);
            }
        }
    }
}

/// The effect that makes false what a list of atoms makes true, and the reverse.
fn negated(effect: &Effect) -> Option<Effect> {
    match effect {
        Effect::Set(slot, code @ (0 | 1)) => Some(Effect::Set(*slot, 1 - code)),
        Effect::Nothing => Some(Effect::Nothing),
        // An atom whose arguments depend on the state.
        Effect::When(cond, effect) => Some(Effect::when(cond.clone(), negated(effect)?)),
        Effect::Block(effects) => effects
            .iter()
            .map(negated)
            .collect::<Option<Vec<_>>>()
            .map(Effect::block),
        _ => None,
    }
}
