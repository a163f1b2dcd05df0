//! Variables of the classical form that the task has no need of: where delayed effects advance one
//! after another, it must be known which of them were live when the tick began.

use super::world::Extra;
use brigade_task::{LiveList, PackedTask, VariableSet};

/// Which extra variables there are, as indices.
#[derive(Default)]
pub(super) struct Extras {
    /// For each timer that another may start at the same tick whether it was live before.
    pub(super) was_live: Vec<Option<usize>>,
    /// For the list of live effects which place is next, and how many members are still to come.
    pub(super) walk: Option<(usize, usize)>,
}

impl Extras {
    /// The variables that a task needs.
    pub(super) fn of(task: &PackedTask) -> (Self, Vec<Extra>) {
        if let Some(list) = &task.live {
            let places = list.places.len() as u32;
            let next = |name: &str, size| Extra {
                name: name.to_owned(),
                size,
            };
            let extras = vec![
                next("place-in-list", places),
                next("left-in-list", places + 1),
            ];
            let walk = Some((0, 1));
            return (
                Self {
                    walk,
                    ..Self::default()
                },
                extras,
            );
        }
        let mut extras = Vec::new();
        let mut was_live = Vec::new();
        let mut written = VariableSet::default();
        for timer in &task.timers {
            let may_be_started = written.contains(timer.variable);
            was_live.push(may_be_started.then_some(extras.len()));
            if may_be_started {
                extras.push(Extra {
                    name: format!("was-live {}", timer.name),
                    size: 2,
                });
            }
            timer.effect.writes(&mut written);
        }
        (
            Self {
                was_live,
                walk: None,
            },
            extras,
        )
    }

    /// Returns true if delayed effects may start others that have not advanced yet.
    pub(super) fn any_was_live(&self) -> bool {
        self.was_live.iter().any(Option::is_some)
    }
}

/// Values of the places of a list: none, then its members.
pub(super) fn members(list: &LiveList) -> impl Iterator<Item = (u32, &[u32])> {
    (1..).zip(list.members.iter().map(|timers| &timers[..]))
}
