//! People at a terminal, on a full screen.
//!
//! A thread of its own draws and reads keys, so that one can scroll, type and leave while others choose.

mod draw;
mod input;
mod lines;
mod pane;
mod seat;
mod terminal;
mod view;

#[cfg(test)]
mod tests;

pub(super) use self::seat::{Screen, Seat};
