//! The sentences in which predicates and functions describe a state.

use brigade::task::effect::Record;
use brigade::task::{PackedTask, State, StateBuf};

use crate::grounding::compile::{resolve_texts, task};

const DOMAIN: &str = "(define (domain yard)
  (:requirements :adl :text :bounded-numbers :object-fluents)
  (:types truck place)
  (:constants gate - place)
  (:predicates (paved ?p - place :text \"{?p} is paved\"))
  (:functions
    (fuel ?t - truck :text \"{?t} has {(fuel ?t)} of {(tank ?t)} litres, {(fuel ?t)}!\") - (int -1 3)
    (at ?t - truck :text \"{?t} is at {(at ?t)}\" :text \"{?t} is somewhere\") - place
    (tank ?t - truck :text \"{?t} has a tank of {(tank ?t)}\") - number
    (home ?t - truck :text \"home: {(home ?t)}\") - place
    (far ?p ?q - place :text ?q \"{?p} is {(far ?p ?q)} from here\") - number
    (gone :text \"{(gone)} gone\" :text \"so much is known\") - (int 0 9))
  (:action drive :parameters (?t - truck ?p - place)
    :precondition (> (fuel ?t) 0)
    :effect (and (assign (at ?t) ?p) (decrease (fuel ?t) 2)))
  (:action leave :parameters (?t - truck)
    :effect (and (assign (at ?t) undefined) (increase (gone) 1))))";

const PROBLEM: &str = "(define (problem tour)
  (:domain yard)
  (:objects red blue - truck hill - place)
  (:init (paved hill) (= (at red) gate) (= (fuel red) 3) (= (tank red) 3) (= (tank blue) 2)
         (= (home blue) hill) (= (far hill gate) 7))
  (:goal (> (gone) 0)))";

/// The facts in words after some actions.
fn observed(actions: &[&str]) -> String {
    let task = task(&resolve_texts(DOMAIN, PROBLEM, "clean"));
    let mut state = task.initial.clone();
    for name in actions {
        let mut operators = task.applicable(&state, 0);
        let chosen = operators.find(|&id| task.operator(id).name == *name);
        drop(operators);
        let joint = [chosen.unwrap_or_else(|| panic!("{name} cannot be chosen"))];
        task.step(&mut state, &joint, &mut Record::default())
            .unwrap();
    }
    task.observe(&state).facts.join("\n")
}

#[test]
fn functions_say_their_values_by_object() {
    assert_eq!(
        observed(&[]),
        "0 gone\nso much is known\n\n\
         Place gate:\nhill is 7 from here\n\n\
         Truck red:\nred has 3 of 3 litres, 3!\nred is at gate\nred is somewhere\nred has a tank of 3\n\n\
         Truck blue:\nblue has 0 of 2 litres, 0!\nblue has a tank of 2\nhome: hill\n\n\
         Place hill:\nhill is paved"
    );
}

#[test]
fn words_follow_the_values_that_change() {
    let observed = observed(&["drive red hill", "drive red gate", "leave red"]);
    assert!(observed.starts_with("1 gone\n"), "{observed}");
    assert!(
        observed.contains("Truck red:\nred has -1 of 3 litres, -1!\nred has a tank of 3\n"),
        "what is undefined is not told\n{observed}"
    );
}

const WATCH: &str = "(define (domain watch)
  (:requirements :adl :text :multi-agent :object-fluents :derived-predicates :partial-observability)
  (:types guard room)
  (:predicates
    (door ?from ?to - room)
    (linked ?from ?to - room :text \"{?from} leads to {?to}\")
    (chief ?g - guard)
    (lit ?r - room :text \"{?r} is lit\" :observable-by (?v - guard) (= (at ?v) ?r))
    (plan-of ?r - room :text \"{?r} is on the plan\" :observable-by (?v - guard) (chief ?v))
    (secret ?r - room :text \"{?r} is secret\" :observable-by (?_v - guard) (forgotten ?r))
    (forgotten ?r - room)
    (alone ?g - guard :text \"{?g} is alone\")
    (dark ?r - room :text \"{?r} is dark\"))
  (:functions (at ?g - guard :text \"{?g} is in {(at ?g)}\") - room)
  (:derived (linked ?from ?to - room) (door ?from ?to))
  (:derived (linked ?from ?to - room)
    (exists (?by - room) (and (linked ?from ?by) (door ?by ?to))))
  (:derived (alone ?g - guard)
    (forall (?other - guard) (or (= ?other ?g) (not (= (at ?other) (at ?g))))))
  (:derived (dark ?r - room) (not (lit ?r)))
  (:derived (dark ?r - room) (forgotten ?r))
  (:action go :agent ?g - guard :parameters (?to - room)
    :precondition (linked (at ?g) ?to)
    :effect (assign (at ?g) ?to) :text \"go to {?to}\")
  (:action light :agent ?g - guard :parameters ()
    :effect (lit (at ?g)) :label \"light()\" :text \"light the lamp\"))";

const ROUND: &str = "(define (problem round)
  (:domain watch)
  (:objects ann bob - guard hall yard tower - room)
  (:init (door hall yard) (door yard tower) (= (at ann) hall) (= (at bob) yard) (chief bob)
         (plan-of tower) (secret tower))
  (:goal (lit tower) :text \"Light the tower\"))";

fn watch() -> PackedTask {
    task(&resolve_texts(WATCH, ROUND, "clean"))
}

/// The state after one timestep, in which each agent does what the text says or waits.
fn after(task: &PackedTask, texts: [Option<&str>; 2]) -> StateBuf {
    let mut state = task.initial.clone();
    let joint = texts.iter().enumerate().map(|(agent, text)| match text {
        None => task.agents[agent].wait.unwrap(),
        Some(text) => {
            let mut own = task.agents[agent].operators.iter();
            *own.find(|&&id| task.operator(id).text == *text).unwrap()
        }
    });
    let joint: Vec<_> = joint.collect();
    task.step(&mut state, &joint, &mut Record::default())
        .unwrap();
    state
}

#[test]
fn an_agent_is_shown_what_it_may_observe_now() {
    let task = watch();
    let observed = |state: &State, agent: usize| task.observe_as(state, agent).facts.join("\n");
    assert!(!observed(&task.initial, 0).contains("is lit"));
    let state = after(&task, [Some("go to yard"), Some("light the lamp")]);
    for agent in [0, 1] {
        let observed = observed(&state, agent);
        assert!(observed.contains("yard is lit"), "{observed}");
    }
    let state = after(&task, [Some("go to tower"), Some("light the lamp")]);
    assert!(!observed(&state, 0).contains("is lit"), "ann has left");
    assert!(observed(&state, 1).contains("yard is lit"));
}

#[test]
fn who_knows_is_shown_and_what_nobody_may_know_is_shown_to_nobody() {
    let task = watch();
    let [ann, bob] = [0, 1].map(|agent| task.observe_as(&task.initial, agent).facts.join("\n"));
    let all = task.observe(&task.initial).facts.join("\n");
    assert!(!ann.contains("tower is on the plan"), "{ann}");
    for observed in [&bob, &all] {
        assert!(observed.contains("tower is on the plan"), "{observed}");
        assert!(!observed.contains("secret"), "{observed}");
    }
}

#[test]
fn an_agent_sees_its_own_actions_without_its_name() {
    let task = watch();
    let observed = task.observe_as(&task.initial, 1);
    assert_eq!(observed.actions, ["wait", "go to tower", "light the lamp"]);
    assert_eq!(observed.goal.as_deref(), Some("Light the tower"));
    let all = task.observe(&task.initial).actions;
    assert!(all.contains(&"bob: go to tower".to_owned()), "{all:?}");
}

#[test]
fn what_is_derived_is_shown_where_it_holds_and_is_no_part_of_the_state() {
    let task = watch();
    let observed = |state: &State| task.observe(state).facts.join("\n");
    let first = observed(&task.initial);
    assert!(first.contains("ann is alone\n"), "{first}");
    assert!(first.contains("hall leads to tower"), "{first}");
    assert!(!first.contains("tower leads"), "{first}");
    assert!(first.contains("yard is dark"), "{first}");
    let state = after(&task, [Some("go to yard"), Some("light the lamp")]);
    let then = observed(&state);
    assert!(!then.contains("is alone"), "{then}");
    assert!(!then.contains("yard is dark"), "{then}");
    let names: Vec<&str> = task.variables.iter().map(|it| it.name.as_str()).collect();
    assert!(task.axioms.layers.is_empty(), "{names:?}");
    for derived in ["linked", "alone", "dark"] {
        assert!(
            !names.iter().any(|name| name.contains(derived)),
            "{names:?}"
        );
    }
}

#[test]
fn a_task_is_partial_where_not_all_that_changes_is_observed_by_everyone() {
    assert!(watch().observation.is_partial);
    let constant = WATCH.replace("(= (at ?v) ?r)", "(not (= ?v ?v))");
    assert!(
        task(&resolve_texts(&constant, ROUND, "clean"))
            .observation
            .is_partial
    );
    let open = WATCH.replace(":observable-by (?v - guard) (= (at ?v) ?r)", "");
    assert!(
        !task(&resolve_texts(&open, ROUND, "clean"))
            .observation
            .is_partial
    );
}

#[test]
fn a_form_is_the_label_of_an_action_or_its_text() {
    let task = watch();
    let forms = task.action_forms(1).iter();
    let forms: Vec<(&str, Option<&str>)> = forms
        .map(|form| (form.command.as_str(), form.meaning.as_deref()))
        .collect();
    assert_eq!(
        forms,
        [
            ("go to <room>", None),
            ("light()", Some("light the lamp")),
            (
                "wait(<timesteps>)",
                Some("do nothing for so many timesteps")
            ),
        ]
    );
}

const TOOLS: &str = "(define (domain tools)
  (:requirements :adl :text :multi-agent :options :sequential-effects :object-fluents)
  (:types smith tool place)
  (:predicates (used ?t - tool) (moved))
  (:functions (work ?t - tool) - place)
  (:action note :primitive :agent ?s - smith :parameters (?t - tool)
    :effect (log \"use({?t})\"))
  (:action use :agent ?s - smith :parameters (?t - tool)
    :effect (and (used ?t) (do (note ?s ?t)))
    :label none :text \"use {?t}\")
  (:action show :agent ?s - smith :parameters (?t - tool)
    :effect (and (log \"use({?t})\") (when (used ?t) (log \"show({?t})\")))
    :label none)
  (:action lend :agent ?s - smith :parameters (?t - tool ?from ?to - place)
    :precondition (not (= ?from ?to))
    :effect (moved) :label \"lend({?t}, {?from}, {?to})\")
  (:action clean :agent ?s - smith :parameters (?t - tool)
    :effect (moved) :label \"clean({?t}, {(work ?t)})\")
  (:action rest :agent ?s - smith :parameters (?p - place)
    :effect (moved) :label none))";

const FORGE: &str = "(define (problem forge)
  (:domain tools)
  (:objects ann - smith saw file - tool bench rack - place)
  (:init (= (work saw) bench) (= (work file) rack))
  (:goal (moved)))";

#[test]
fn forms_distinguish_actions_and_split_by_what_is_computed() {
    let task = task(&resolve_texts(TOOLS, FORGE, "clean"));
    let forms = task.action_forms(0).iter();
    let forms: Vec<&str> = forms.map(|form| form.command.as_str()).collect();
    assert_eq!(
        forms,
        [
            "use(<tool>)",
            "show(<tool>)",
            "lend(<tool>, <from: place>, <to: place>)",
            "clean(saw, bench)",
            "clean(file, rack)",
            "(rest <place>)",
            "wait(<timesteps>)",
        ]
    );
}
