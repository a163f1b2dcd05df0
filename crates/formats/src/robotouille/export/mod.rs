//! A domain and a problem as the JSON of Robotouille: the inverse of the [import](super).
//!
//! `domain` writes predicates and actions, `world` the entities with places that have the numbers
//! and facts of the problem, `goal` the conjuncts with their ids. What was written is read back and
//! compared (`compare`): it is given only if it means the same, so whatever the format cannot say is
//! an error, also what the writers do not look at.

mod compare;
mod domain;
mod goal;
mod reporter;
mod text;
mod world;

use serde_json::{Map, Value, json};

use brigade_compile::sema::Files;
use brigade_diagnostics::{Diagnostics, SourceId};
use brigade_syntax::ast;
use reporter::Reporter;
pub use text::Exported;
use text::text;

/// Writes a domain. `None` if it has no exact form; everything that has none is reported.
pub fn export_domain(
    domain: &ast::Domain,
    source: SourceId,
    diagnostics: &mut Diagnostics,
) -> Option<String> {
    let mut reporter = Reporter::new(source, diagnostics);
    let json = domain::domain(domain, &mut reporter);
    let text = json
        .filter(|_| reporter.is_sound())
        .map(|json| text(&json))?;
    compare::domains(domain, &text, &mut reporter);
    reporter.is_sound().then_some(text)
}

/// Writes a domain and a problem. `None` if something has no exact form; everything that has none is
/// reported.
pub fn export(
    domain: &ast::Domain,
    problem: &ast::Problem,
    files: Files,
    diagnostics: &mut Diagnostics,
) -> Option<Exported> {
    let written = export_domain(domain, files.domain, diagnostics);
    let mut reporter = Reporter::new(files.problem, diagnostics);
    let environment = environment(problem, &mut reporter);
    let environment = environment.filter(|_| reporter.is_sound())?;
    let exported = Exported {
        domain: written?,
        environment: text(&environment.json),
    };
    compare::problems(domain, problem, &exported, &environment.goal, &mut reporter);
    reporter.is_sound().then_some(exported)
}

/// Writes a problem alone, and does not compare: for one of which it is known that [`export`] gives it.
/// `None` if something has no exact form.
pub fn export_environment(
    problem: &ast::Problem,
    source: SourceId,
    diagnostics: &mut Diagnostics,
) -> Option<String> {
    let mut reporter = Reporter::new(source, diagnostics);
    let environment = environment(problem, &mut reporter);
    let environment = environment.filter(|_| reporter.is_sound())?;
    Some(text(&environment.json))
}

/// An environment, and what its goal says.
struct Environment {
    json: Value,
    goal: goal::Goal,
}

fn environment(problem: &ast::Problem, reporter: &mut Reporter<'_>) -> Option<Environment> {
    let world = world::World::new(problem, reporter)?;
    let goal = goal::goal(problem, &world, reporter)?;
    let mut json = Map::new();
    json.insert("version".to_owned(), json!("1.0.0"));
    json.insert("width".to_owned(), json!(world.width()));
    json.insert("height".to_owned(), json!(1));
    json.insert("config".to_owned(), json!({}));
    for (key, entities) in world.entities(&goal.named) {
        json.insert(key.to_owned(), entities);
    }
    if let Some(text) = &problem.goal_text {
        let text = plain(text, reporter)?;
        json.insert("goal_description".to_owned(), json!(text));
    }
    json.insert("goal".to_owned(), Value::Array(goal.json.clone()));
    Some(Environment {
        json: Value::Object(json),
        goal,
    })
}

/// A text without slots.
fn plain(template: &ast::Template, reporter: &mut Reporter<'_>) -> Option<String> {
    let parts = template.parts.iter();
    let texts: Option<String> = parts
        .map(|part| match part {
            ast::TemplatePart::Text(text) => Some(text.as_str()),
            ast::TemplatePart::Slot(_) => None,
        })
        .collect();
    if texts.is_none() {
        reporter.refuse(template.span, "a text of the goal with slots");
    }
    texts
}
