//! Front ends for other formats: each reads files of its format into the AST of the language, with
//! spans that point into those files, so that every later stage reports at their places.

pub mod classical;
pub mod json;
pub mod robotouille;
