//! The options of reading: who acts when, and how much can be created.

use brigade_syntax::ast::Domain;

/// The most objects of one kind that may be created.
pub const MAX_POOL: u32 = 100;

/// The turns of the players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Turns {
    /// One action a step, of any player: what the engine itself accepts. The domain has no agents,
    /// and who acts is a parameter of the actions.
    #[default]
    Any,
    /// A step is one player's move, in turn: the published rule for several players.
    Alternate,
}

impl Turns {
    /// Returns the turns of a domain of the language.
    #[must_use]
    pub fn of(domain: &Domain) -> Self {
        if domain.turns.is_some() {
            Self::Alternate
        } else {
            Self::Any
        }
    }
}

/// The options of importing the files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The turns; by default in order if there are several players.
    pub turns: Option<Turns>,
    /// The number of objects of each kind that can be created; by default as many as the goal asks for, and one at
    /// least. At most [`MAX_POOL`].
    pub pool: Option<u32>,
}
