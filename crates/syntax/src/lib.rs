//! Text → AST with spans, and AST → text.
//!
//! [`parse_domain`], [`parse_problem`], [`parse_stream`] and [`parse_file`] read a file in three passes. The first
//! balances parentheses and quotes ([`balance`]), which a grammar cannot explain well, after the report of comments and
//! quotes of other languages (`foreign`). A pest grammar (`grammar/lisp.pest`) then accepts any balanced text as a
//! [`tree`]; the typed pass recognises sections and keywords, reports every problem it meets, and recovers per list.
//! Keeping the grammar a superset is what lets one run report all problems of a file.

// What pest derives without `std` names it.
extern crate alloc;

pub mod ast;
pub mod balance;
mod foreign;
pub mod format;
mod layout;
pub mod navigation;
mod parser;
pub mod printer;
pub mod tree;
pub mod visit;

pub use parser::is_reserved;
pub use parser::{
    File, REQUIREMENTS, constructs, instead_of_construct, is_construct, not_supported_word,
    parse_domain, parse_file, parse_problem, parse_stream, suggest_requirement,
};
