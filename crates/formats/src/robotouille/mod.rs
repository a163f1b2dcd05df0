//! The front end for Robotouille (G. Gonzalez-Pumariega, L. S. Yean, N. Sunkara and S. Choudhury,
//! "Robotouille: An Asynchronous Planning Benchmark for LLM Agents", ICLR 2025): its domain and
//! environment files as a domain and a problem of the language.
//!
//! `reader` makes a `schema` of the JSON, `symbols` looks at what the domain declares; `domain` and
//! `effects` lower the actions, `world` (with `names`) and `goal` (with `quantify`) an environment. Every
//! node of the AST has the place in the JSON file that it comes from, so that all later stages report there.
//!
//! [`export`] writes such files.
//!
//! The domain has two named semantics. `upstream` keeps live effects as the published engine does and
//! reads the ids of a goal as it does; `clean` has neither accident. docs/reference/systems/robotouille.md says what
//! differs.

mod domain;
mod effects;
pub mod export;
mod goal;
mod names;
mod options;
mod quantify;
mod reader;
mod schema;
mod symbols;
#[cfg(test)]
mod tests;
mod types;
mod world;

use super::fields::Reporter;
use super::json::{self, Json, Value};
use super::nodes;
use super::problem_name::problem_name;
use brigade_diagnostics::{Code, Diagnostic, Diagnostics, SourceId};
use brigade_syntax::ast;
pub use options::{MAX_POOL, Options, Turns};
use schema::{DomainFile, EnvironmentFile, PLAYERS};
use symbols::Symbols;

/// A file to read.
#[derive(Clone, Copy, Debug)]
pub struct File<'a> {
    /// Where diagnostics point.
    pub source: SourceId,
    /// Its text.
    pub text: &'a str,
}

/// Which of the two kinds of files a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Predicates and actions.
    Domain,
    /// Entities and a goal.
    Environment,
}

/// Which kind of file a text is, by its keys. `None` for what is neither.
pub fn kind(text: &str) -> Option<Kind> {
    let mut diagnostics = Diagnostics::new();
    kind_of(&json::parse(SourceId::default(), text, &mut diagnostics)?)
}

fn kind_of(json: &Json) -> Option<Kind> {
    let Value::Object(entries) = &json.value else {
        return None;
    };
    let has = |key: &str| entries.iter().any(|(entry, _)| entry.text == key);
    if has("predicate_defs") || has("action_defs") {
        Some(Kind::Domain)
    } else if has("stations") || has("players") || has("goal") {
        Some(Kind::Environment)
    } else {
        None
    }
}

/// Reads a domain file. `None` if something is wrong with it; everything that is, is reported.
pub fn import_domain(
    file: File<'_>,
    turns: Turns,
    diagnostics: &mut Diagnostics,
) -> Option<ast::Domain> {
    let errors = diagnostics.error_count();
    let read = read_domain(file, diagnostics)?;
    let mut reporter = Reporter::new(file.source, diagnostics);
    let symbols = Symbols::new(&read, &mut reporter);
    let domain = domain::domain(&read, &symbols, turns, &mut reporter);
    (diagnostics.error_count() == errors).then_some(domain)
}

/// Reads a domain and an environment, which becomes a problem of the given name. `None` if something
/// is wrong with either; everything that is, is reported.
pub fn import(
    domain: File<'_>,
    environment: File<'_>,
    name: &str,
    options: &Options,
    diagnostics: &mut Diagnostics,
) -> Option<(ast::Domain, ast::Problem)> {
    let errors = diagnostics.error_count();
    let file = read_domain(domain, diagnostics);
    let in_reading = diagnostics.error_count() - errors;
    let types = file.as_ref().map_or(&[][..], |file| &file.types);
    let read = read_environment(environment, types, diagnostics);
    let mut file = file?;
    if let Some(read) = &read {
        let mut reporter = Reporter::new(environment.source, diagnostics);
        types::declare_held(&mut file, read, &mut reporter);
    }
    let before = diagnostics.error_count();
    let mut reporter = Reporter::new(domain.source, diagnostics);
    let symbols = Symbols::new(&file, &mut reporter);
    let players = read.as_ref().map_or(0, |read| read.entities[PLAYERS].len());
    let turns = options.turns.unwrap_or(if players > 1 {
        Turns::Alternate
    } else {
        Turns::Any
    });
    let lowered = domain::domain(&file, &symbols, turns, &mut reporter);
    let is_domain_whole = in_reading == 0 && diagnostics.error_count() == before;
    let read = read?;
    let mut reporter = Reporter::new(environment.source, diagnostics);
    let world = world::world(&read, &symbols, options, &mut reporter);
    let is_complete = is_domain_whole && world.is_complete;
    let mut reporter = Reporter::new(environment.source, diagnostics);
    let goal = goal::goal(&read, &symbols, &world, is_complete, &mut reporter);
    let problem = problem(&read, &lowered, world, goal, name);
    (diagnostics.error_count() == errors).then_some((lowered, problem))
}

fn read_domain(file: File<'_>, diagnostics: &mut Diagnostics) -> Option<DomainFile> {
    let json = read_json(file, Kind::Domain, diagnostics)?;
    let mut reporter = Reporter::new(file.source, diagnostics);
    let mut read = reader::domain(&json, &mut reporter)?;
    types::declare_used(&mut read, &mut reporter);
    Some(read)
}

fn read_environment(
    file: File<'_>,
    types: &[json::Text],
    diagnostics: &mut Diagnostics,
) -> Option<EnvironmentFile> {
    let json = read_json(file, Kind::Environment, diagnostics)?;
    reader::environment(&json, types, &mut Reporter::new(file.source, diagnostics))
}

fn read_json(file: File<'_>, needed: Kind, diagnostics: &mut Diagnostics) -> Option<Json> {
    let json = json::parse(file.source, file.text, diagnostics)?;
    let found = kind_of(&json);
    if found.is_none_or(|found| found == needed) {
        return Some(json);
    }
    let (is, should) = match needed {
        Kind::Domain => ("an environment", "a domain"),
        Kind::Environment => ("a domain", "an environment"),
    };
    let start = brigade_diagnostics::span::Span::new(json.span.start, json.span.start + 1);
    diagnostics.push(
        Diagnostic::new(
            Code::WrongKindOfFile,
            format!("this is {is} of Robotouille, and {should} is needed"),
        )
        .primary(file.source, start, "begins here"),
    );
    None
}

fn problem(
    file: &EnvironmentFile,
    domain: &ast::Domain,
    world: world::World,
    goal: Option<ast::Formula>,
    name: &str,
) -> ast::Problem {
    let span = file.span;
    let start = brigade_diagnostics::span::Span::new(span.start, (span.start + 1).min(span.end));
    let objects = world.objects.iter();
    let init = world.facts.into_iter().map(|fact| {
        let args = fact.args.iter();
        let args = args.map(|arg| nodes::object(arg, fact.span)).collect();
        ast::InitItem::Atom(nodes::name(fact.predicate, fact.span), args, fact.span)
    });
    ast::Problem {
        name: Some(nodes::name(problem_name(name), start)),
        domain: domain
            .name
            .as_ref()
            .map(|name| nodes::name(&name.text, start)),
        objects: objects
            .map(|object| nodes::typed(&object.name, &object.of, object.span))
            .collect(),
        init: init.collect(),
        goal,
        goal_text: file
            .goal_text
            .as_ref()
            .map(|text| domain::template(text, |_| None)),
        span,
        ..ast::Problem::default()
    }
}
