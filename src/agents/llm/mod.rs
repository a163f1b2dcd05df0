//! Agents that ask a language model.
//!
//! [`chat`] says what is asked and answered; [`http`] asks an endpoint, within a [`budget`];
//! [`cassette`] keeps what was answered; [`probe`] finds out what an endpoint can do.

pub mod budget;
pub mod cassette;
pub mod chat;
pub mod endpoint;
pub mod http;
mod limiter;
pub mod probe;
mod response;
