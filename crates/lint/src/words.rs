//! Finds facts that the goal asks for without words for agents, in a domain that describes other things in words.

use super::uses::Uses;
use brigade_diagnostics::{Code, Diagnostic, Diagnostics, SourceId};
use brigade_syntax::ast::{Domain, FluentDecl, Formula, Name, Problem, Typed};

/// Checks the predicates and functions that the goal reads and effects change. Derived predicates are left to those
/// that they are derived from.
pub(super) fn of_problem(
    domain: &Domain,
    problem: &Problem,
    uses: &Uses,
    source: SourceId,
    diagnostics: &mut Diagnostics,
) {
    // A goal of one fact is over when that holds, and nobody is left to hear of it.
    let is_one_fact = matches!(
        problem.goal,
        None | Some(Formula::Atom(..) | Formula::Compare(..))
    );
    let are_described = domain.fluents.iter().any(|fluent| !fluent.texts.is_empty());
    if are_described && !is_one_fact {
        let goal = Uses::of_goal(problem);
        for fluent in domain
            .fluents
            .iter()
            .filter(|fluent| fluent.texts.is_empty())
        {
            let key = fluent.name.key();
            let mut rules = domain.derived.iter();
            let is_derived = rules.any(|rule| rule.name.key() == key);
            if goal.reads(&key) && uses.changes(&key) && !is_derived {
                diagnostics.push(fact_without_text(fluent, source));
            }
        }
    }
}

fn fact_without_text(fluent: &FluentDecl, source: SourceId) -> Diagnostic {
    let name = &fluent.name;
    let text = if fluent.range.is_some() {
        let params: String = fluent
            .params
            .iter()
            .map(|param| format!(" ?{}", param.name.text))
            .collect();
        format!(
            "{} is {{({}{params})}}",
            words(name, &fluent.params),
            name.text
        )
    } else {
        words(name, &fluent.params)
    };
    Diagnostic::new(
        Code::GoalWithoutText,
        format!(
            "agents are not told of `{}`, which the goal asks for",
            name.text
        ),
    )
    .primary(source, name.span, "has no `:text`, as others have")
    .help(format!("give it one, such as `:text \"{text}\"`"))
}

/// A name as words, followed by what its parameters stand for.
fn words(name: &Name, params: &[Typed]) -> String {
    let slots = params
        .iter()
        .map(|param| format!(" {{?{}}}", param.name.text));
    name.text.as_str().replace(['-', '_'], " ") + &slots.collect::<String>()
}
