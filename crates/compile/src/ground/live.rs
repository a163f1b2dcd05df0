//! The list of live delayed effects, where they advance in the order of their start.

use super::encoder::{Encoder, ListPlaces, MAX_VALUES, Place};
use super::error::GroundError;
use super::restricted::Ground;
use super::slots::SlotKey;
use crate::sema::model::{LiveEffects, Model};
use brigade_task::layout::{Variable, VariableKind};
use brigade_task::symbols::{Meaning, Value};
use brigade_task::{LiveList, VarId};

impl Encoder {
    /// Adds a variable for each place of the list, where the model has one and anything can join.
    pub(super) fn add_live_list(
        &mut self,
        model: &Model,
        ground: &Ground,
    ) -> Result<(), GroundError> {
        if model.live_effects == LiveEffects::Set {
            return Ok(());
        }
        let mut members = 0;
        let mut values = vec![Value::new("none", Meaning::Nothing)];
        let mut member_of = vec![None; ground.delayed.len()];
        for number in ground.in_order() {
            if ground.wholes[number] == number && self.timer(ground, number).is_some() {
                member_of[number] = Some(members);
                let name = &*ground.identities[number].name;
                values.push(Value::new(name, Meaning::Member(members)));
                members += 1;
            }
        }
        let first = VarId(self.variables.len() as u32);
        let count = u64::from(members) * (u64::from(members) + 1);
        if count > MAX_VALUES {
            return Err(GroundError::TooManyValues {
                variable: "the list of live delayed effects".to_owned(),
                values: count,
                limit: MAX_VALUES,
            });
        }
        for place in 0..members {
            let name = format!("(live {place})");
            let variable = Variable::new(name, VariableKind::Live, values.clone());
            self.variables.push(variable);
        }
        self.list = Some(ListPlaces {
            first,
            member_of,
            members,
        });
        Ok(())
    }

    /// The variable of a delayed effect, where it can be live.
    pub(super) fn timer(&self, ground: &Ground, number: usize) -> Option<VarId> {
        let slot = ground.slot(&SlotKey::Timer(number))?;
        match self.places[slot.index()] {
            Place::Own { variable, .. } => Some(variable),
            Place::Constant { .. } | Place::Fact { .. } => None,
        }
    }

    /// The list, once it is known which delayed effect each timer of the task is.
    pub(super) fn live_list(
        &self,
        model: &Model,
        ground: &Ground,
        timers: &[usize],
    ) -> Option<LiveList> {
        let list = self.list.as_ref()?;
        let mut members = vec![Vec::new(); list.members as usize];
        let is_whole = |number: usize| ground.wholes[number] == number;
        // The timer that shows whether a member is live comes before its parts.
        for wholes in [true, false] {
            for (timer, &number) in (0..).zip(timers) {
                let member = list.member_of[ground.wholes[number]];
                if let Some(member) = member.filter(|_| is_whole(number) == wholes) {
                    members[member as usize].push(timer);
                }
            }
        }
        Some(LiveList {
            places: (0..list.members)
                .map(|place| VarId(list.first.0 + place))
                .collect(),
            members,
            skips: model.live_effects == LiveEffects::ListSkipping,
        })
    }
}
