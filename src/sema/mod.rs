//! AST → [`Model`](model::Model): names, types and arities resolved; every semantic error reported.

pub mod model;
