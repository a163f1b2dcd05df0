//! What the bundled domains tell agents, and how they write commands.

use std::fs;

use brigade::episode::{Lexicon, Rule};
use brigade::ground::{Options, ground};
use brigade::task::Task;

use crate::{files, model, root, semantics, stem};

/// A problem, compiled to be played.
fn played(domain: &str, problem: &str, semantics: &str) -> Task {
    let options = Options {
        keep_irrelevant: true,
        ..Options::default()
    };
    ground(&model(domain, problem, semantics), &options).unwrap()
}

/// Whether a text is a form with its places filled in.
fn fills(text: &str, form: &str) -> bool {
    let mut literals = form
        .split('<')
        .map(|part| part.split('>').next_back().unwrap());
    let first = literals.next().unwrap();
    let Some(mut rest) = text.strip_prefix(first) else {
        return false;
    };
    let mut is_open = false;
    for literal in literals {
        let Some(at) = rest[1.min(rest.len())..].find(literal) else {
            return false;
        };
        rest = &rest[1 + at + literal.len()..];
        is_open = literal.is_empty();
    }
    rest.is_empty() || is_open
}

#[test]
fn every_form_of_a_command_is_one_that_is_understood() {
    for path in files(&root().join("domains")) {
        let domain = fs::read_to_string(&path).unwrap();
        let problems = files(&root().join("problems").join(stem(&path)));
        for path in problems.iter().step_by(5) {
            let problem = fs::read_to_string(path).unwrap();
            for semantics in semantics(&domain) {
                let task = played(&domain, &problem, &semantics);
                check_forms(&task);
            }
        }
    }
}

fn check_forms(task: &Task) {
    let lexicon = Lexicon::new(task);
    for (index, agent) in task.agents.iter().enumerate() {
        assert!(!task.action_forms(index).is_empty(), "{}", agent.name);
        let own = agent.operators.iter().map(|&id| task.operator(id));
        let texts: Vec<&str> = own.flat_map(|it| [&*it.text, &*it.name]).collect();
        for form in task.action_forms(index) {
            let command = form.command.replace("<timesteps>", "1");
            let labels = task.labels.iter().map(String::as_str);
            let spelled = labels.chain(texts.iter().copied()).chain(["wait(1)"]);
            let is_understood = |text: &str| {
                let resolved = lexicon.resolve(task, &task.initial, index, text);
                let unknown = [Rule::UnknownAction, Rule::NotYourOperator, Rule::Malformed];
                resolved.map_or_else(|refusal| !unknown.contains(&refusal.rule), |_| true)
            };
            let mut filled = spelled.filter(|text| fills(text, &command));
            assert!(
                filled.any(is_understood),
                "{}, {}: {}",
                task.problem,
                agent.name,
                form.command
            );
        }
    }
}

/// What an agent is told at the start.
fn told(problem: &str, agent: usize) -> String {
    let domain = fs::read_to_string(root().join("domains/collab-overcooked.pddl")).unwrap();
    let task = played(&domain, problem, "clean");
    task.observe_as(&task.initial, agent).facts.join("\n")
}

#[test]
fn recipes_that_lead_to_the_order_are_told_to_those_who_know_recipes() {
    let path = root().join("problems/collab-overcooked/baked_pumpkin_soup.pddl");
    let problem = fs::read_to_string(path).unwrap();
    let [chef, assistant] = [0, 1].map(|agent| told(&problem, agent));
    for step in [
        "pumpkin_slices is made in chopping_board0: put in what it takes, then cut, 3 ticks\n\
         it takes 1 pumpkin\n",
        "baked_pumpkin_slices is made in oven0: put in what it takes, then bake, 3 ticks\n\
         it takes 1 pumpkin_slices",
        "baked_pumpkin_soup is made in pot0: put in what it takes, then cook, 3 ticks\n\
         it takes 1 baked_pumpkin_slices\n",
        "baked_pumpkin_soup is served in a dish\n",
    ] {
        assert!(chef.contains(step), "{chef}");
    }
    assert_eq!(chef.matches(" is made in ").count(), 3, "{chef}");
    for word in ["recipe", "made in", "it takes", "served in"] {
        assert!(!assistant.to_lowercase().contains(word), "{assistant}");
    }
    assert!(assistant.contains("ingredient_dispenser offers pumpkin\n"));
    let shared = problem.replace("(:init", "(:init (knows-recipes assistant)");
    assert_eq!(told(&shared, 1), chef);
}
