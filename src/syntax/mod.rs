//! Text → AST with spans, and AST → text.
//!
//! [`parse_domain`] and [`parse_problem`] read a file in two passes. A pest grammar
//! (`grammar/lisp.pest`) accepts any well-bracketed text as a [`tree`]; the typed pass then
//! recognises sections and keywords, reports every problem it meets, and recovers per list.
//! Keeping the grammar a superset is what lets one run report all problems of a file.

pub mod ast;
pub mod span;
