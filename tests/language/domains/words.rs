//! The texts that the bundled domains give agents, and the forms of commands.

use std::fs;

use brigade::episode::{Lexicon, Rule, display};
use brigade::ground::{Options, ground};
use brigade::task::effect::Record;
use brigade::task::split_mix::SplitMix;
use brigade::task::step::Status;
use brigade::task::{OperatorId, PackedTask, State, TurnMode};

use crate::domains::{files, model, root, semantics, stem};

/// A problem, compiled to be played.
fn played(domain: &str, problem: &str, semantics: &str) -> PackedTask {
    let options = Options::default().with_irrelevant_kept(true);
    ground(&model(domain, problem, semantics), &options).unwrap()
}

/// Returns true if a text is a form with its places filled in.
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

fn check_forms(task: &PackedTask) {
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

/// Returns the observation of an agent at the start.
fn observed(problem: &str, agent: usize) -> String {
    let domain = fs::read_to_string(root().join("domains/collab-overcooked.pddl")).unwrap();
    let task = played(&domain, problem, "clean");
    task.observe_as(&task.initial, agent).facts.join("\n")
}

#[test]
fn recipes_that_lead_to_the_order_are_shown_to_those_who_know_recipes() {
    let path = root().join("problems/collab-overcooked/baked_pumpkin_soup.pddl");
    let problem = fs::read_to_string(path).unwrap();
    let [chef, assistant] = [0, 1].map(|agent| observed(&problem, agent));
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
    assert_eq!(observed(&shared, 1), chef);
}

/// A chef who holds a dish at an oven whose content is done.
const DONE_IN_THE_OVEN: &str = "(define (problem patty) (:domain collab-overcooked)
    (:init (= (order) mashed_potato_and_pea_patty) (= (holds chef) dish)
      (= (inside oven0 first) pea) (= (inside oven0 second) mashed_potato)
      (= (stage-of oven0) ready) (= (making oven0) mashed_potato_and_pea_patty))
    (:goal (served)))";

#[test]
fn a_fill_at_the_oven_is_written_as_it_is_shown_and_is_no_put_under_each_semantics() {
    let domain = fs::read_to_string(root().join("domains/collab-overcooked.pddl")).unwrap();
    for semantics in semantics(&domain) {
        let task = played(&domain, DONE_IN_THE_OVEN, &semantics);
        let lexicon = Lexicon::new(&task);
        let forms = task.action_forms(0).iter();
        let mut fill = forms.filter(|form| form.command.starts_with("fill_dish_with_food("));
        assert!(fill.any(|form| fills("fill_dish_with_food(oven0)", &form.command)));
        let resolve = |text| lexicon.resolve(&task, &task.initial, 0, text);
        let filling = resolve("fill_dish_with_food(oven0)").unwrap();
        assert_eq!(task.operator(filling.operator).name, "fill chef oven0");
        let refusal = resolve("put_obj_in_utensil(oven0)").unwrap_err();
        let put = refusal.operator.as_deref();
        assert_eq!(put, Some("put-into-utensil chef oven0"), "{semantics}");
        let dish = "a dish cannot go into oven0";
        assert!(refusal.reasons.iter().any(|it| it == dish), "{semantics}");
    }
}

#[test]
fn commands_mean_their_operators_wherever_these_apply() {
    for path in files(&root().join("domains")) {
        let domain = fs::read_to_string(&path).unwrap();
        let problems = files(&root().join("problems").join(stem(&path)));
        for path in problems.iter().step_by(6) {
            let problem = fs::read_to_string(path).unwrap();
            for semantics in semantics(&domain) {
                let task = played(&domain, &problem, &semantics);
                let lexicon = Lexicon::new(&task);
                for seed in 0..2 {
                    check_episode(&task, &lexicon, seed);
                }
            }
        }
    }
}

/// Plays at random, and checks all commands that may be given on the way.
fn check_episode(task: &PackedTask, lexicon: &Lexicon, seed: u64) {
    const STEPS: usize = 12;
    let mut random = SplitMix::new(seed, 0);
    let mut state = task.initial.clone();
    let mut record = Record::default();
    for _ in 0..STEPS {
        if task.status(&state) != Status::Running {
            return;
        }
        let start = state.clone();
        for agent in task.acting(&start) {
            let tested = if task.turns == TurnMode::Simultaneous {
                &start
            } else {
                &state
            };
            let legal: Vec<OperatorId> = task.applicable(tested, agent).collect();
            for &id in &legal {
                check_command(task, lexicon, tested, agent, id);
            }
            let Some(&chosen) = legal.get(random.below(legal.len().max(1))) else {
                continue;
            };
            task.act(&mut state, chosen, &mut record);
        }
        task.tick(&mut state, &mut record);
        record.clear();
    }
}

fn check_command(
    task: &PackedTask,
    lexicon: &Lexicon,
    state: &State,
    agent: usize,
    id: OperatorId,
) {
    let operator = task.operator(id);
    let listed = display(task, id);
    let resolved = lexicon.resolve(task, state, agent, &listed).unwrap();
    assert_eq!(resolved.operator, id, "{listed}");
    let commands = &task.observation.commands[agent];
    let Some(command) = commands.get(&operator.name) else {
        return;
    };
    let resolved = lexicon.resolve(task, state, agent, command).unwrap();
    let meant = &task.operator(resolved.operator).name;
    assert_eq!(commands.get(meant), Some(command), "{listed}");
    let forms = task.action_forms(agent);
    let is_shown = forms.iter().any(|form| fills(command, &form.command));
    assert!(is_shown, "{command}");
}
