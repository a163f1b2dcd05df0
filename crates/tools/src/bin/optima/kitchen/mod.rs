//! A planner for the kitchens of Robotouille alone, as an oracle: it shares nothing with Brigade.
//!
//! It reads the published environment itself, has rules and states of its own, written by hand for
//! these kitchens, and bounds the steps to the goal by a count of what hands and feet have to do. So an
//! optimum that Brigade proves is found a second time by other rules, other states, another bound and
//! another search. The rules are those of `clean`, or allow more ([`successors`]); where that makes
//! a shorter way, the two do not agree and nothing is checked.
//!
//! [`environment`] reads a kitchen and [`goal`] what is asked of it, [`state`] has its states,
//! [`successors`] the rules, [`bound`] the bound, and [`mod@search`] looks for the goal within so many steps.

mod bound;
mod environment;
mod goal;
mod search;
mod state;
mod successors;
#[cfg(test)]
mod tests;

use environment::Environment;
use goal::Goal;
use search::search;
use state::State;

/// Stations, at most.
const MOST_STATIONS: usize = 24;
/// Items, at most.
const MOST_ITEMS: usize = 15;

/// The result of a search for the fewest steps to the goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fewest {
    /// So many; so many states were stored to find it.
    Steps {
        /// The fewest steps.
        steps: u32,
        /// The states stored.
        states: u64,
    },
    /// More than so many as were allowed.
    More,
    /// The goal asks for what is not there.
    NoPlan,
    /// The states would not fit, or it was stopped.
    Stopped,
    /// The kitchen is none of those that are known, and why.
    Unknown(String),
}

/// The fewest steps from the start of a published environment (JSON) to its goal, where there are at most so
/// many, with at most so many bytes for states, until `is_stopped`.
pub(crate) fn fewest(text: &str, most: u32, bytes: usize, is_stopped: &dyn Fn() -> bool) -> Fewest {
    let environment = match Environment::read(text) {
        Ok(environment) => environment,
        Err(error) => return Fewest::Unknown(error),
    };
    if environment.lacks_what_is_asked() {
        return Fewest::NoPlan;
    }
    let read = Goal::read(&environment).and_then(|goal| {
        let kitchen = environment.kitchen(goal)?;
        let start = State::start(&environment, &kitchen)?;
        Ok((kitchen, start))
    });
    match read {
        Ok((kitchen, start)) => search(&kitchen, &start, most, bytes, is_stopped),
        Err(error) => Fewest::Unknown(error),
    }
}
