//! Files of other formats. [`robotouille`] reads JSON into the AST of the language, with spans that point
//! into those files, so that every later stage reports at their places, and writes it again;
//! [`overcooked`] reads the layouts of Overcooked-AI likewise. [`classical`] writes a task as plain PDDL for
//! planners of one agent.

pub mod classical;
mod fields;
pub mod json;
mod nodes;
pub mod overcooked;
mod problem_name;
pub mod robotouille;
