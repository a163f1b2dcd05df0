//! Pages that show episodes, evaluations, plans and references.
//!
//! A [`Document`] is made of event logs, process metrics, plans and automata, and is plain data; [`page::page`] puts it
//! into an HTML page with everything that shows it. A page works from a file, and asks no one for anything.

pub mod board;
pub mod campaign;
mod chart;
mod charts;
pub mod document;
pub mod episode;
pub mod facts;
pub mod finished;
pub mod gantt;
pub mod graph;
mod histograms;
pub mod lanes;
pub mod layout;
pub mod page;
pub mod people;
pub mod plan;
pub mod quantity;
pub mod shorten;
pub mod texts;
pub mod words;

pub use document::Document;
