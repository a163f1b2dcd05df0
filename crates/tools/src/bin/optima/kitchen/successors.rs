//! Generates the successors of a state: the rules of `clean`, or more.
//!
//! Where they allow more, a state of the task is one here from which at least as much is near:
//!
//! - A timer of an item or of the pot counts wherever it can, once it was started anywhere; in the task
//!   each station has a timer of its own, none of which is further.
//! - Two waters in the pot are one. In the task a second one comes of another sink, and only the one
//!   that the bowl gets matters: what is done to that can be done to the first. Where there are several
//!   sinks, an emptied pot may have another water at any time.
//!
//! An action that changes nothing that matters (cutting what is cut, cooking what the goal does not ask for) is
//! waiting. A single cook waits only where a timer runs, and goes somewhere only to do something there, as one choice
//! of two steps: who goes on without doing anything could have waited and gone there at once. Two cooks take turns; one
//! may have to go out of the other's way.

use super::environment::{Fried, Kind, Kitchen};
use super::state::{CUTS, Hand, Item, NOWHERE, OVER, State};

/// Calls with each successor and its steps.
pub(super) fn successors(state: &State, kitchen: &Kitchen, mut yields: impl FnMut(&State, u32)) {
    let mut later = *state;
    let runs = later.tick(kitchen);
    let is_alone = kitchen.cooks == 1;
    let mut steps = |mut after: State, steps: u32| {
        after.tick(kitchen);
        if !is_alone {
            after.cooks.swap(0, 1);
        }
        yields(&after, steps);
    };
    if runs || !is_alone {
        steps(*state, 1);
    }
    act(state, kitchen, |after| steps(after, 1));
    for station in 0..kitchen.stations.len() {
        let is_taken = state
            .cooks
            .iter()
            .any(|cook| usize::from(cook.here) == station);
        if is_taken || is_like_last(state, kitchen, station) {
            continue;
        }
        let go = |mut from: State| {
            from.cooks[0].here = station as u8;
            from
        };
        if is_alone {
            act(&go(later), kitchen, |after| steps(after, 2));
        } else {
            steps(go(*state), 1);
        }
    }
}

/// Returns true if a station is like the one before it: they differ only in what they hold.
fn is_like_last(state: &State, kitchen: &Kitchen, station: usize) -> bool {
    let Some(last) = station.checked_sub(1) else {
        return false;
    };
    let is_marked = |station: usize| {
        let [first, second] = state.cooks;
        [first.here, second.here, state.pot, state.bowl].contains(&(station as u8))
    };
    kitchen.stations[last] == kitchen.stations[station]
        && state.stacks[last].items() == state.stacks[station].items()
        && !is_marked(last)
        && !is_marked(station)
}

/// Calls with what each action of the cook whose turn it is makes of a state, at the station where the
/// cook is.
fn act(state: &State, kitchen: &Kitchen, mut yields: impl FnMut(State)) {
    let here = usize::from(state.cooks[0].here);
    let kind = kitchen.stations[here];
    let mut with = |change: &dyn Fn(&mut State)| {
        let mut after = *state;
        change(&mut after);
        yields(after);
    };
    let is_free = state.is_free(here);
    let has_pot = usize::from(state.pot) == here;
    let has_bowl = usize::from(state.bowl) == here;
    match state.cooks[0].hand {
        Hand::Empty => {
            let items = state.stacks[here].items();
            if let &[.., item] = items {
                with(&|after| {
                    after.stacks[here].pop();
                    after.cooks[0].hand = Hand::Item(item);
                });
            }
            if let &[item] = items
                && let Some(worked) = work(item, kind, kitchen)
            {
                with(&|after| {
                    after.stacks[here].pop();
                    after.stacks[here].push(worked);
                });
            }
            if has_pot {
                with(&|after| (after.cooks[0].hand, after.pot) = (Hand::Pot, NOWHERE));
                if kind == Kind::Sink && state.filling == 0 {
                    with(&|after| after.filling = 1);
                }
                let has_first = state.filling == OVER && !state.is_in_bowl;
                if kind == Kind::Stove && has_first && state.boiling == 0 {
                    with(&|after| after.boiling = 1);
                }
            }
            if has_bowl {
                with(&|after| (after.cooks[0].hand, after.bowl) = (Hand::Bowl, NOWHERE));
            }
        }
        Hand::Item(item) => {
            if !has_pot && !has_bowl {
                with(&|after| {
                    after.stacks[here].push(item);
                    after.cooks[0].hand = Hand::Empty;
                });
            }
            let may_have_another = state.is_in_bowl && kitchen.has_several(Kind::Sink);
            if has_pot && (state.filling == OVER || may_have_another) {
                with(&|after| {
                    after.cooks[0].hand = Hand::Empty;
                    if !after.is_in_bowl && is_for_soup(item, kitchen) {
                        after.added.push(item);
                    }
                });
            }
        }
        Hand::Pot => {
            if is_free {
                with(&|after| {
                    after.pot = after.cooks[0].here;
                    after.cooks[0].hand = Hand::Empty;
                });
            }
            if has_bowl && state.filling == OVER && !state.is_in_bowl {
                with(&|after| (after.is_in_bowl, after.filling) = (true, 0));
            }
        }
        Hand::Bowl => {
            if is_free {
                with(&|after| {
                    after.bowl = after.cooks[0].here;
                    after.cooks[0].hand = Hand::Empty;
                });
            }
        }
    }
}

/// Returns the result of working on an item that lies alone at a station, if that matters.
fn work(item: Item, kind: Kind, kitchen: &Kitchen) -> Option<Item> {
    let form = &kitchen.forms[item.form()];
    match kind {
        Kind::Board => {
            let is_cut = form.can_be_cut && item.cuts() < CUTS;
            is_cut.then(|| item.with_cuts(item.cuts() + 1))
        }
        Kind::Stove => {
            let is_cooked = form.can_be_cooked && item.cooking() == 0;
            is_cooked.then(|| item.with_cooking(1))
        }
        Kind::Fryer => {
            let can_be_fried = match form.can_be_fried {
                Fried::Never => false,
                Fried::OnceCut => item.cuts() == CUTS,
                Fried::Always => true,
            };
            let is_fried = can_be_fried && item.frying() == 0;
            is_fried.then(|| item.with_frying(1))
        }
        Kind::Table | Kind::Sink => None,
    }
}

fn is_for_soup(item: Item, kitchen: &Kitchen) -> bool {
    let name = kitchen.forms[item.form()].name;
    let roles = kitchen.goal.soup.iter().flat_map(|soup| &soup.roles);
    roles
        .into_iter()
        .any(|&role| name == Some(kitchen.goal.roles[role].name))
}
