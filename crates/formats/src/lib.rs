//! Files of other formats. [`robotouille`] reads JSON into the AST of the language, with spans that point
//! into those files, so that every later stage reports at their places, and writes it again.
//! [`classical`] writes a task as plain PDDL for planners of one agent.

pub mod classical;
pub mod json;
pub mod robotouille;
