//! Cooking in Minecraft against a model of its own, written from docs/reference/systems/minecraft-kitchen.md: what each player may do,
//! every fact, what is refused, and what is counted, in episodes at random.

mod model;
mod steps;
