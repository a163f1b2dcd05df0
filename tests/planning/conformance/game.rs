//! A bundled game in play: what each player may do, by name, and what comes of it.

use std::collections::BTreeSet;
use std::fs;

use brigade::ground::{Options, ground};
use brigade::task::effect::Record;
use brigade::task::facts::facts;
use brigade::task::step::Status;
use brigade::task::{OperatorId, PackedTask, State};

use crate::common::compiled::{model, root};

/// The text of a bundled problem.
pub(super) fn problem(domain: &str, name: &str) -> String {
    let path = root().join(format!("problems/{domain}/{name}.pddl"));
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Compiles a problem of a bundled domain, as planners do or, to be played, with all facts kept.
pub(super) fn compile(domain: &str, problem: &str, keep_irrelevant: bool) -> PackedTask {
    compile_under(domain, problem, keep_irrelevant, "clean")
}

/// The same under any semantics.
pub(super) fn compile_under(
    domain: &str,
    problem: &str,
    keep_irrelevant: bool,
    semantics: &str,
) -> PackedTask {
    let domain = fs::read_to_string(root().join(format!("domains/{domain}.pddl"))).unwrap();
    let options = Options::default().with_irrelevant_kept(keep_irrelevant);
    ground(&model(&domain, problem, semantics), &options).unwrap()
}

/// The name of an operator without that of its agent: `move room2`.
fn command(task: &PackedTask, operator: OperatorId) -> String {
    let operator = task.operator(operator);
    let agent = &task.agents[usize::from(operator.agent)].name;
    let words = operator.name.split(' ');
    let (mut seen, mut kept) = (false, Vec::new());
    for (place, word) in words.enumerate() {
        if place == 1 && word == agent && !seen {
            seen = true;
        } else {
            kept.push(word);
        }
    }
    kept.join(" ")
}

/// Returns the commands that an agent may choose in a state.
pub(super) fn commands(task: &PackedTask, state: &State, agent: usize) -> BTreeSet<String> {
    let operators = task.applicable(state, agent);
    operators.map(|id| command(task, id)).collect()
}

/// Returns the operator of this name that an agent may choose in a state.
pub(super) fn operator(task: &PackedTask, state: &State, agent: usize, name: &str) -> OperatorId {
    let mut own = task.applicable(state, agent);
    let found = own.find(|&id| command(task, id) == name);
    found.unwrap_or_else(|| panic!("{} cannot {name}", task.agents[agent].name))
}

/// Plays one step, in which each agent that acts does what is named so.
pub(super) fn play(task: &PackedTask, state: &mut State, joint: &[&str]) -> Status {
    play_recorded(task, state, joint, &mut Record::default())
}

/// The same, and records costs and labels.
pub(super) fn play_recorded(
    task: &PackedTask,
    state: &mut State,
    joint: &[&str],
    record: &mut Record,
) -> Status {
    let acting = task.acting(state);
    assert_eq!(acting.len(), joint.len());
    let operators: Vec<OperatorId> = acting
        .zip(joint)
        .map(|(agent, name)| operator(task, state, agent, name))
        .collect();
    task.step(state, &operators, record).unwrap()
}

/// The facts of a state but those of some predicates and functions, in order.
pub(super) fn facts_but(task: &PackedTask, state: &State, left_out: &[&str]) -> BTreeSet<String> {
    let name = |fact: &str| {
        let start = fact.trim_start_matches("(= (").trim_start_matches('(');
        start
            .split([' ', ')'])
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    let mut all: BTreeSet<String> = facts(task, state).into_iter().collect();
    all.retain(|fact| !left_out.contains(&&*name(fact)));
    all
}
