//! Agents of nature: what they may do, with which weights, and what is drawn.

use brigade::agents::{Nature, Policy};
use brigade::episode::{End, EndReason, Episode, Event, Rules};
use brigade::task::draw::NoDraw;
use brigade::task::{OperatorId, PackedTask};

use crate::grounding::agree::{Extent, agree};
use crate::grounding::compile::{resolve_texts, task};

/// A ball that rolls to one of three holes, the deeper the likelier.
const DOMAIN: &str = "(define (domain rolling)
  (:requirements :adl :multi-agent :nature :bounded-numbers :object-fluents :action-costs :text)
  (:types person ball - agent hole - object)
  (:predicates (open ?h - hole))
  (:functions (depth ?h - hole) - (int -3 9) (in ?b - ball) - hole (dug) - (int 0 9))
  (:role ball nature)
  (:turns simultaneous)
  (:action dig :agent ?p - person :parameters (?h - hole)
    :precondition (open ?h)
    :effect (and (increase (depth ?h) 1) (increase (dug) 1)))
  (:action roll :agent ?b - ball :parameters (?h - hole)
    :precondition (open ?h)
    :weight (* (depth ?h) (depth ?h) (depth ?h))
    :effect (assign (in ?b) ?h)
    :label \"roll({?h})\"))";

fn rolling(facts: &str) -> PackedTask {
    let problem = format!(
        "(define (problem p) (:domain rolling)
           (:objects b - ball ann - person x y z - hole)
           (:init {facts}) (:goal (= (dug) 9)))"
    );
    task(&resolve_texts(DOMAIN, &problem, "clean"))
}

const THREE: &str = "(open x) (open y) (open z) (= (depth x) 1) (= (depth y) 2) (= (depth z) 0)";

fn ball(task: &PackedTask) -> usize {
    task.agents
        .iter()
        .position(|agent| agent.name == "b")
        .unwrap()
}

fn names(task: &PackedTask, drawn: &[(OperatorId, i64)]) -> Vec<(String, i64)> {
    let name = |operator| task.operator(operator).name.clone();
    drawn
        .iter()
        .map(|&(operator, weight)| (name(operator), weight))
        .collect()
}

#[test]
fn agents_of_nature_come_last_and_record_no_labels() {
    let task = rolling(THREE);
    let names: Vec<&str> = task.agents.iter().map(|agent| &*agent.name).collect();
    assert_eq!(names, ["ann", "b"]);
    assert_eq!(task.players(), 1);
    assert!(
        !task.labels.iter().any(|label| label.contains("roll")),
        "{:?}",
        task.labels
    );
}

#[test]
fn what_has_the_weight_zero_is_not_legal_and_nature_waits_only_if_nothing_applies() {
    let task = rolling(THREE);
    let drawn = task.weighted(&task.initial, ball(&task)).unwrap();
    assert_eq!(
        names(&task, &drawn),
        [("roll b x".to_owned(), 1), ("roll b y".to_owned(), 8)]
    );
    let shut = rolling("(open x) (= (depth x) 1)");
    let mut state = shut.initial.clone();
    let drawn = shut.weighted(&state, ball(&shut)).unwrap();
    assert_eq!(names(&shut, &drawn), [("roll b x".to_owned(), 1)]);
    let none = rolling("(= (depth x) 1)");
    state.clone_from(&none.initial);
    let drawn = none.weighted(&state, ball(&none)).unwrap();
    assert_eq!(names(&none, &drawn), [("wait".to_owned(), 1)]);
}

#[test]
fn weights_that_are_all_zero_or_out_of_range_are_errors() {
    let zero = rolling("(open z)");
    assert_eq!(
        zero.weighted(&zero.initial, ball(&zero)),
        Err(NoDraw::NoWeight)
    );
    let negative = rolling("(open x) (open y) (= (depth y) 2) (= (depth x) -3)");
    let error = negative
        .draw(&negative.initial, ball(&negative), (0, 0))
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "`(roll b x)` has the weight -27, which is not from 0 to 2147483647"
    );
    let idle = task(&resolve_texts(
        &DOMAIN.replace("(:turns", "(:wait none - ball) (:turns"),
        "(define (problem p) (:domain rolling) (:objects b - ball ann - person x - hole)
           (:init) (:goal (= (dug) 9)))",
        "clean",
    ));
    assert_eq!(
        idle.weighted(&idle.initial, ball(&idle)),
        Err(NoDraw::NothingApplies)
    );
}

/// 100,000 draws of each of several seeds and states lie within 4 standard errors of the weights.
#[test]
fn draws_are_as_frequent_as_their_weights() {
    const DRAWS: u32 = 100_000;
    let states = [
        THREE,
        "(open x) (open y) (open z) (= (depth x) 1) (= (depth y) 1) (= (depth z) 1)",
        "(open x) (open y) (open z) (= (depth x) 9) (= (depth y) 7) (= (depth z) 5)",
        "(open x) (open y) (open z) (= (depth x) 9) (= (depth y) 1) (= (depth z) 0)",
    ];
    for (number, facts) in (0_u64..).zip(states) {
        let task = rolling(facts);
        let agent = ball(&task);
        let weighted = task.weighted(&task.initial, agent).unwrap();
        let sum: i64 = weighted.iter().map(|(_, weight)| weight).sum();
        for by_seed in [false, true] {
            let mut counts = vec![0_u32; task.operators.len()];
            for draw in 0..DRAWS {
                let key = if by_seed {
                    (draw.into(), 7)
                } else {
                    (number, draw)
                };
                counts[task.draw(&task.initial, agent, key).unwrap().index()] += 1;
            }
            let mut all = 0;
            for (operator, weight) in &weighted {
                let share = *weight as f64 / sum as f64;
                let wanted = f64::from(DRAWS) * share;
                let error = (f64::from(DRAWS) * share * (1.0 - share)).sqrt();
                let found = counts[operator.index()];
                all += found;
                assert!(
                    (f64::from(found) - wanted).abs() <= 4.0 * error,
                    "{facts}: {found} of {wanted} ± {error}"
                );
            }
            assert_eq!(all, DRAWS, "nothing else is drawn");
        }
    }
}

/// As `docs/reference/semantics.md` defines the draw.
#[test]
fn a_draw_is_a_function_of_seed_agent_and_tick() {
    fn mix(state: u64) -> u64 {
        let mut z = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    let task = rolling(THREE);
    let agent = ball(&task);
    for (seed, tick) in (0..50).flat_map(|seed| (0..20).map(move |tick| (seed, tick))) {
        let bits = mix(mix(seed ^ mix(agent as u64)) ^ mix(tick));
        let below = (u128::from(bits) * 9) >> 64;
        let wanted = if below < 1 { "roll b x" } else { "roll b y" };
        let drawn = task
            .draw(&task.initial, agent, (seed, tick as u32))
            .unwrap();
        assert_eq!(task.operator(drawn).name, wanted);
    }
}

/// Plays with `ann` at random.
fn play(task: &PackedTask, seed: u64) -> (Vec<Event>, End) {
    let mut policies: Vec<Box<dyn Policy>> = vec![
        Box::new(brigade::agents::Random::new(seed)),
        Box::new(Nature::new(seed)),
    ];
    let rules = Rules {
        max_ticks: 30,
        ..Rules::default()
    };
    let mut episode = Episode::new(task, rules);
    let mut events = Vec::new();
    let header = episode.header(&["random".to_owned(), "nature".to_owned()], seed);
    events.push(Event::Header(header));
    let Ok(end) = episode.run(&mut policies, &mut events, &|| None);
    (events, end)
}

#[test]
fn an_episode_logs_what_was_drawn_and_its_log_is_true() {
    let task = rolling(THREE);
    let (events, _) = play(&task, 3);
    let lines: Vec<String> = events
        .iter()
        .map(|event| serde_json::to_string(event).unwrap() + "\n")
        .collect();
    let log = brigade::episode::Log::parse(&lines.concat()).unwrap();
    let drawn = log.steps().map(|step| &step.choices[1]);
    let drawn: Vec<(&str, bool)> = drawn
        .map(|choice| (&*choice.action, choice.command.is_none()))
        .collect();
    assert!(
        drawn
            .iter()
            .all(|(action, unasked)| action.starts_with("roll b") && *unasked)
    );
    Episode::new(&task, log.header.rules).verify(&log).unwrap();
    // What is drawn depends on nothing that happened before.
    let (again, _) = play(&task, 3);
    assert_eq!(events, again);
}

#[test]
fn an_episode_ends_with_tick_and_agent_where_nothing_can_be_drawn() {
    let task = rolling("(open z)");
    let (_, end) = play(&task, 0);
    assert_eq!(end.reason, EndReason::NoDraw);
    let detail = end.detail.unwrap();
    assert_eq!(
        detail,
        "tick 0: b: all of its actions that apply have the weight 0"
    );
}

/// The independent interpreter has the same operators with the same weights, whoever is first, and whether
/// the ball must act.
#[test]
fn weights_mean_the_same_to_the_task_and_to_the_interpreter() {
    let extent = Extent {
        walks: 20,
        steps: 15,
        states: 60,
    };
    let mut steps = 0;
    for turns in ["sequential", "simultaneous", "alternate"] {
        for wait in ["", "(:wait none - ball) "] {
            let turns = format!("{wait}(:turns {turns})");
            let domain = DOMAIN.replace("(:turns simultaneous)", &turns);
            let problem = "(define (problem p) (:domain rolling)
                (:objects b - ball ann bob - person c - ball x y z - hole)
                (:init (open x) (open y) (= (depth x) -1) (= (depth y) 1)) (:goal (= (dug) 9)))";
            let model = resolve_texts(&domain, problem, "clean");
            steps += agree(&model, &task(&model), 5, extent).steps;
        }
    }
    assert!(steps > 1000, "{steps}");
}
