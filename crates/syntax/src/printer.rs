//! AST → text in one canonical layout.
//!
//! Reading what is printed gives the same AST, but for the spans; printing that gives the same
//! text. An AST with `Error` nodes has no text of its own: they are printed as `()`.

mod definitions;
mod expressions;
mod layout;

use indexmap::IndexMap;

use super::ast::{Domain, Effect, Formula, Name, Problem, Stream, Term, Typed};
use super::layout::Writer;
use definitions::{LAYOUT, Section, domain_sections, problem_sections, stream_sections};
use expressions::{effect_doc, formula_doc, term_doc};
pub use expressions::{print_signature, print_type};

/// Prints a domain.
pub fn print_domain(domain: &Domain) -> String {
    let name = domain.name.as_ref();
    definition("domain", name, &domain_sections(domain))
}

/// Prints a problem.
pub fn print_problem(problem: &Problem) -> String {
    let name = problem.name.as_ref();
    definition("problem", name, &problem_sections(problem))
}

/// Prints a stream.
pub fn print_stream(stream: &Stream) -> String {
    let name = stream.name.as_ref();
    definition("stream", name, &stream_sections(stream))
}

/// Prints a condition on one or more lines, for messages.
pub fn print_formula(formula: &Formula) -> String {
    let mut writer = Writer::default();
    writer.write(&formula_doc(formula), 0);
    writer.finish()
}

/// Prints an effect on one or more lines, for messages.
pub fn print_effect(effect: &Effect) -> String {
    let mut writer = Writer::default();
    writer.write(&effect_doc(effect), 0);
    writer.finish()
}

/// Prints a term on one or more lines, for messages.
pub fn print_term(term: &Term) -> String {
    let mut writer = Writer::default();
    writer.write(&term_doc(term), 0);
    writer.finish()
}

/// Prints a name and its type, `?x - t`; `mark` is `?` for a variable.
pub fn print_typed(typed: &Typed, mark: &str) -> String {
    let ty = typed.ty.as_ref().map(|ty| format!(" - {}", print_type(ty)));
    format!("{mark}{}{}", typed.name.text, ty.unwrap_or_default())
}

/// The sections of a domain, printed each for itself, with their names: the keyword, and of what has a
/// name of its own also that (`action cook`). Several of one name are one. They say all that the domain
/// does but for its name, so that two domains of equal definitions mean the same. A layout is none: it says how things
/// are drawn.
pub fn domain_definitions(domain: &Domain) -> Vec<(String, String)> {
    named(domain_sections(domain))
}

/// Returns the sections of a problem, as [`domain_definitions`] does for a domain.
pub fn problem_definitions(problem: &Problem) -> Vec<(String, String)> {
    named(problem_sections(problem))
}

/// Returns the sections of a stream, as [`domain_definitions`] does for a domain.
pub fn stream_definitions(stream: &Stream) -> Vec<(String, String)> {
    named(stream_sections(stream))
}

fn named(sections: Vec<Section>) -> Vec<(String, String)> {
    let mut texts: IndexMap<String, String> = IndexMap::new();
    for section in sections.into_iter().filter(|it| it.name != LAYOUT) {
        let mut writer = Writer::default();
        writer.write(&section.doc, 0);
        writer.new_line(0);
        let text = texts.entry(section.name).or_default();
        text.push_str(&writer.finish());
    }
    texts.into_iter().collect()
}

fn definition(kind: &str, name: Option<&Name>, sections: &[Section]) -> String {
    let mut writer = Writer::default();
    let name = name.map_or("", |name| name.text.as_str());
    writer.push(&format!("(define ({kind} {name})"));
    for (i, section) in sections.iter().enumerate() {
        if section.apart {
            writer.new_line(0);
        }
        writer.new_line(2);
        writer.write(&section.doc, usize::from(i + 1 == sections.len()));
    }
    writer.push(")");
    writer.new_line(0);
    writer.finish()
}
