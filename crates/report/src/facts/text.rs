//! Facts as text: a fact a line, so that two versions can be compared line by line.

use indexmap::IndexMap;

use super::{Alone, Definition, DomainFacts, Facts, HandOvers, Sizes, Solution, Undecided};
use crate::cost::Amount;
use brigade_diagnostics::words::{agent_name, counted};
use brigade_task::TurnMode;

/// The text for a fact that was not found within the limit.
const NOT_KNOWN: &str = "not known";

/// Renders the declarations of a domain.
pub fn domain(facts: &DomainFacts) -> String {
    let mut text = format!(
        "domain: {}\nsemantics: {}\nturns: {}\n",
        facts.domain,
        facts.semantics.join(", "),
        facts.turns
    );
    let mut list = |name: &str, items: &[String]| {
        text.push_str(&format!("{name}: {}\n", items.len()));
        text.extend(items.iter().map(|item| format!("  {item}\n")));
    };
    list("types", &facts.types);
    list("constants", &facts.constants);
    list("predicates", &facts.predicates);
    list("functions", &facts.functions);
    list("derived", &facts.derived);
    list("actions", &facts.actions);
    list("events", &facts.events);
    text
}

/// Definitions by their digests, for a snapshot, which they make sensitive to any change of meaning.
pub fn definitions(definitions: &[Definition]) -> String {
    let lines = definitions.iter();
    let lines = lines.map(|definition| format!("  {}: {}\n", definition.name, definition.digest()));
    format!("definitions:\n{}", lines.collect::<String>())
}

/// Renders the facts known of a problem.
pub fn problem(facts: &Facts) -> String {
    let mut text = format!(
        "problem: {}\ndomain: {}\nsemantics: {}\n",
        facts.problem, facts.domain, facts.semantics
    );
    let agents = &facts.sizes.agents;
    let agents: Vec<&str> = agents.iter().map(|agent| &*agent.name).collect();
    if let Some(turns) = turns(facts.turns, &agents) {
        text.push_str(&format!("turns: {turns}\n"));
    }
    sizes(&facts.sizes, &mut text);
    if let Some(found) = &facts.solution {
        solution(found, &agents, &mut text);
    }
    text
}

/// Renders the turn mode of several agents, and which of them is first: `sequential, helper first`.
pub(super) fn turns(mode: &str, agents: &[&str]) -> Option<String> {
    let [first, _, ..] = agents else { return None };
    Some(if mode == TurnMode::Simultaneous.name() {
        mode.to_owned()
    } else {
        format!("{mode}, {first} first")
    })
}

fn sizes(sizes: &Sizes, text: &mut String) {
    text.push_str("types, and their objects:\n");
    for ty in &sizes.types {
        text.push_str(&format!("  {}: {}\n", ty.name, ty.objects));
    }
    text.push_str("actions, and which of their instances can ever apply:\n");
    for action in &sizes.actions {
        text.push_str(&format!(
            "  {}: {} of {}\n",
            action.name, action.operators, action.instances
        ));
    }
    text.push_str("agents, and their operators:\n");
    for agent in &sizes.agents {
        text.push_str(&format!(
            "  {}: {}\n",
            agent_name(&agent.name),
            agent.actions
        ));
    }
    text.push_str(&format!(
        "all operators, with waiting and going on: {}\n",
        sizes.operators
    ));
    text.push_str(&format!("delayed effects: {}\n", sizes.delayed_effects));
    text.push_str(&format!("other phases of a tick: {}\n", sizes.phases));
    text.push_str(&format!("labels: {}\n", sizes.labels));
    text.push_str(&format!(
        "state: {}, {}, {}\n",
        counted(sizes.variables, "variable"),
        counted(sizes.bits, "bit"),
        counted(sizes.words, "word"),
    ));
}

fn solution(solution: &Solution, agents: &[&str], text: &mut String) {
    text.push_str(&format!("searched: {}\n", searched(solution)));
    text.push_str(&format!("solvable: {}\n", yes(solution.solvable)));
    let reach = solution.reach.map(|reach| {
        let states = counted(reach.states, "state");
        format!("{states}, {}", counted(reach.dead_ends, "dead end"))
    });
    let reach = reach.unwrap_or_else(|| {
        let is_open = |it: &Undecided| it.question == "reachable";
        if solution.undecided.iter().any(is_open) {
            NOT_KNOWN.to_owned()
        } else {
            "not counted, for there is no goal".to_owned()
        }
    });
    text.push_str(&format!("reachable: {reach}\n"));
    if solution.solvable == Some(false) {
        return;
    }
    text.push_str(&format!("optimum: {}\n", optimum(solution)));
    text.push_str(&format!(
        "optimal plans: {}\n",
        count(solution.plans.as_ref())
    ));
    let references = count(solution.references.as_ref());
    text.push_str(&format!("references: {references}\n"));
    for words in &solution.sequences {
        let labels = if words.shortest == words.longest {
            counted(words.shortest, "label")
        } else {
            format!("{} to {} labels", words.shortest, words.longest)
        };
        text.push_str(&format!(
            "  {}: {} of {labels}\n",
            agent_name(&words.agent),
            words.count.as_ref().map_or_else(
                || format!("{NOT_KNOWN}, sequences"),
                |count| counted(count, "sequence")
            ),
        ));
    }
    if let Some(reference) = &solution.first_reference {
        text.push_str("first reference:\n");
        for (agent, labels) in agents.iter().zip(reference) {
            let labels = labels.join(", ");
            text.push_str(format!("  {}: {labels}", agent_name(agent)).trim_end());
            text.push('\n');
        }
    }
    if agents.len() < 2 {
        return;
    }
    text.push_str(&format!(
        "hand-overs: {}\n",
        or_not_known(solution.hand_overs.map(hand_overs))
    ));
    let forced = solution.forced.map(|forced| {
        let word = if forced { "forced" } else { "not forced" };
        word.to_owned()
    });
    text.push_str(&format!("collaboration: {}\n", or_not_known(forced)));
    for alone in &solution.without {
        text.push_str(&format!("  without {}: {}\n", alone.agent, without(alone)));
    }
}

/// The states searched, and the questions left: `300 states, the time limit was reached: reachable`.
fn searched(solution: &Solution) -> String {
    let states = counted(solution.states, "state");
    if solution.undecided.is_empty() {
        return format!("to the end, within {states}");
    }
    let mut left: IndexMap<&str, Vec<&str>> = IndexMap::new();
    for Undecided { question, reason } in &solution.undecided {
        left.entry(reason).or_default().push(question);
    }
    let left = left.iter();
    let left = left.map(|(reason, questions)| format!("{reason}: {}", questions.join(", ")));
    format!("{states}, {}", left.collect::<Vec<_>>().join("; "))
}

fn optimum(solution: &Solution) -> String {
    let (Some(makespan), Some(actions)) = (solution.makespan, solution.actions) else {
        return NOT_KNOWN.to_owned();
    };
    value(solution.cost.as_ref(), makespan, actions)
}

fn value(cost: Option<&Amount>, makespan: u32, actions: u32) -> String {
    let cost = cost
        .map(|cost| format!("cost {cost}, "))
        .unwrap_or_default();
    format!(
        "{cost}makespan {makespan}, {}",
        counted(actions, "labelled action")
    )
}

fn without(alone: &Alone) -> String {
    match (alone.solvable, alone.makespan, alone.actions) {
        (Some(false), ..) => "no plan".to_owned(),
        (_, Some(makespan), Some(actions)) => value(alone.cost.as_ref(), makespan, actions),
        (Some(true), ..) => format!("a plan exists, the optimum is {NOT_KNOWN}"),
        (None, ..) => NOT_KNOWN.to_owned(),
    }
}

/// `2`, or `2 to 5`: of optimal plans.
fn hand_overs(hand_overs: HandOvers) -> String {
    let HandOvers { least, most } = hand_overs;
    if least == most {
        least.to_string()
    } else {
        format!("{least} to {most}")
    }
}

fn count(count: Option<&String>) -> String {
    or_not_known(count.cloned())
}

fn yes(known: Option<bool>) -> &'static str {
    match known {
        Some(true) => "yes",
        Some(false) => "no",
        None => NOT_KNOWN,
    }
}

fn or_not_known(known: Option<String>) -> String {
    known.unwrap_or_else(|| NOT_KNOWN.to_owned())
}
