//! Agents that ask a language model.
//!
//! [`chat`] says what is asked and answered, [`addressee`] of whom; [`http`] asks an endpoint, within a [`budget`];
//! [`cassette`] keeps what was answered; [`probe`] finds out what an endpoint can do.
//!
//! A [`design`] says what an agent sees and what it does with the answers; a [`form`] defines the format of an answer;
//! [`prompts`] are the templates of both. A [`Team`] lets the agents of an episode act by them.

pub mod addressee;
pub mod budget;
pub mod bundled;
pub mod cassette;
pub mod chat;
mod complexity;
mod demonstration;
pub mod design;
pub mod endpoint;
pub mod form;
pub mod http;
mod limiter;
mod mind;
pub mod mock;
pub mod probe;
pub mod prompts;
pub mod response;
mod stop;
mod tag;
mod team;
mod thought;

pub use demonstration::demonstrate;
pub use mind::{Asking, Setup};
pub use team::{Listener, Member, Occasion, Partner, Team, TeamError};
