//! Mutex groups: sets of facts of which at most one holds in any state that can be reached.

use crate::ground::changes::Change;
use crate::ground::encoder::{Encoder, Place};
use crate::ground::formula::{Cond, Values};
use crate::ground::invariants::{self, MutexGroups};
use crate::ground::restricted::Ground;
use crate::ground::slots::SlotId;
use crate::ground::work::Work;
use crate::sema::model::Model;
use brigade_task::Fact;

/// The mutex groups of the slots, by the changes that operators, activities and phases of the tick make.
pub(super) fn groups(model: &Model, ground: &Ground, work: &Work<'_>) -> MutexGroups {
    let eligible = invariants::eligible(model, &ground.slots, |slot| {
        ground.values.only(slot).is_none()
    });
    let always = Cond::True;
    let mut changes: Vec<Change<'_>> = ground
        .operators
        .iter()
        .map(|operator| Change {
            agent: Some(operator.agent),
            cond: &operator.cond,
            effect: &operator.effect,
        })
        .collect();
    for (agent, activities) in ground.activities.iter().enumerate() {
        for activity in activities {
            for effect in [&activity.policy, &activity.finish] {
                changes.push(Change {
                    agent: Some(agent as u16),
                    cond: &always,
                    effect,
                });
            }
        }
    }
    let phases = ground
        .events
        .iter()
        .chain(ground.delayed.iter().map(|delayed| &delayed.effect))
        .chain([&ground.timed, &ground.early]);
    for effect in phases {
        changes.push(Change {
            agent: None,
            cond: &always,
            effect,
        });
    }
    invariants::mutex_groups(model, &ground.slots, &eligible, &changes, work)
}

impl Encoder {
    /// Groups of facts of which at most one holds, where they belong to several variables.
    pub(super) fn mutexes(&self, groups: &[Vec<SlotId>]) -> Vec<Vec<Fact>> {
        let fact = |slot: &SlotId| match &self.places[slot.index()] {
            Place::Constant { .. } => None,
            &Place::Fact { variable, value } => Some(Fact { variable, value }),
            Place::Own { variable, codes } => {
                let value = codes.binary_search(&1).ok()?;
                Some(Fact {
                    variable: *variable,
                    value: value as u32,
                })
            }
        };
        let mut mutexes = Vec::new();
        for group in groups {
            let mut facts: Vec<Fact> = group.iter().filter_map(fact).collect();
            facts.sort_unstable();
            facts.dedup();
            if facts
                .windows(2)
                .any(|pair| pair[0].variable != pair[1].variable)
            {
                mutexes.push(facts);
            }
        }
        mutexes.sort_unstable();
        mutexes.dedup();
        mutexes
    }
}
