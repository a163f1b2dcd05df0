//! Hanabi against games of the Hanabi Learning Environment, move by move, and what players may see of them.

mod fixtures;
mod games;
mod hidden;
mod table;
