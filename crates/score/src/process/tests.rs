//! Process metrics of episodes small enough to be understood by hand.

use super::*;
use brigade_compile::ground;
use brigade_compile::sema;
use brigade_diagnostics::{Diagnostics, Sources};
use brigade_play::agents::{Policy, Scripted};
use brigade_play::episode::{Episode, Event, OnInvalid, Requested, Responded, Rules};
use brigade_search::{SearchOptions, Unlimited};
use brigade_syntax as syntax;
use brigade_task::PackedTask;

/// A helper fetches and places an egg, a chef takes and serves it: four timesteps at best.
const EGG: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../tests/data/cli/egg.pddl"
));
const ONE_EGG: &str = "(define (problem one-egg) (:domain egg) (:objects egg corn - item)
    (:init (stocked egg) (stocked corn)) (:goal (served egg)))";

/// Water is hot two ticks after the kettle was lit; a cup that is dropped is gone.
const TEA: &str = "(define (domain tea)
    (:requirements :typing :negative-preconditions :multi-agent :delayed-effects :text)
    (:types cook)
    (:predicates (lit) (hot) (poured) (clean) (whole))
    (:action light :agent ?c - cook :precondition (not (lit))
      :effect (and (lit) (after 3 (hot))) :label \"light()\")
    (:action drop :agent ?c - cook :precondition (else \"there is no cup\" (whole))
      :effect (not (whole)) :label \"drop()\")
    (:action pour :agent ?c - cook
      :precondition (and (else \"the water is cold\" (hot)) (else \"there is no cup\" (whole)))
      :effect (poured) :label \"pour()\"))";
const TEA_FOR_ONE: &str = "(define (problem tea) (:domain tea) (:objects ann - cook)
    (:init (whole)) (:goal (poured)))";

fn compile(domain: &str, problem: &str) -> PackedTask {
    let mut diagnostics = Diagnostics::new();
    let mut sources = Sources::new();
    let files = sema::Files {
        domain: sources.add("domain.pddl", domain),
        problem: sources.add("problem.pddl", problem),
    };
    let domain = syntax::parse_domain(files.domain, domain, &mut diagnostics);
    let problem = syntax::parse_problem(files.problem, problem, &mut diagnostics);
    let options = sema::Options::default();
    let model = sema::resolve(&domain, &problem, &options, files, &mut diagnostics);
    ground::ground(&model.unwrap(), &ground::Options::default()).unwrap()
}

fn egg(turns: &str) -> PackedTask {
    let turns = format!("(:types agent item - object\n cook - agent) (:turns {turns})");
    let domain = EGG.replace(
        "(:types agent item - object\n          cook - agent)",
        &turns,
    );
    compile(&domain, ONE_EGG)
}

fn play(task: &PackedTask, rules: Rules, scripts: &[&str]) -> Log {
    let mut policies: Vec<Box<dyn Policy>> = Vec::new();
    for script in scripts {
        policies.push(Box::new(Scripted::parse(script)));
    }
    let mut episode = Episode::new(task, rules);
    let names = vec!["scripted".to_owned(); scripts.len()];
    let header = episode.header(&names, 0);
    let mut events: Vec<Event> = Vec::new();
    let Ok(_) = episode.run(&mut policies, &mut events, &|| None);
    Log {
        header,
        events,
        truncated: false,
        resume_at: 0,
    }
}

fn process(task: &PackedTask, log: &Log) -> Process {
    let mut costs = CostToGo::new(task, SearchOptions::default());
    of(&mut costs, log, "episode", &Unlimited).unwrap()
}

fn at_most(max_ticks: u32) -> Rules {
    Rules {
        max_ticks,
        retries: 0,
        ..Rules::default()
    }
}

/// Returns the losses, with their agents and ticks.
fn losses(process: &Process) -> Vec<(u32, &str, Quantity)> {
    let mut losses = Vec::new();
    for step in &process.steps {
        for choice in &step.choices {
            if choice.regret != Quantity::Exact(0) {
                losses.push((step.tick, choice.agent.as_str(), choice.regret));
            }
        }
    }
    losses
}

#[test]
fn the_agent_who_wastes_a_timestep_is_charged_whatever_the_turns() {
    for turns in ["sequential", "simultaneous"] {
        let task = egg(turns);
        let log = play(
            &task,
            at_most(20),
            &[
                "wait(3)\ntake(egg)\nwait\nserve(egg)",
                "wait\nfetch(egg)\nplace(egg)",
            ],
        );
        let process = process(&task, &log);
        let one = Quantity::Exact(1);
        assert_eq!(
            losses(&process),
            [(0, "helper", one), (4, "chef", one)],
            "{turns}"
        );
        let [chef, helper] = &process.agents[..] else {
            panic!("{turns}: {process:?}");
        };
        assert_eq!((chef.regret, helper.regret), (one, one));
        assert_eq!((chef.choices, chef.optimal), (6, 5));
        assert_eq!(process.end.regret, Quantity::Exact(2));
        assert!(process.steps[0].choices[0].optimal == Some(true));
        assert!(process.steps[0].choices[1].optimal == Some(false));
    }
}

#[test]
fn a_success_is_measured_by_the_optimum() {
    let task = egg("sequential");
    let log = play(
        &task,
        at_most(20),
        &[
            "wait(3)\ntake(egg)\nserve(egg)",
            "wait\nfetch(egg)\nplace(egg)",
        ],
    );
    let end = process(&task, &log).end;
    assert_eq!((end.success, end.steps, end.spent), (Some(true), 5, 5));
    assert_eq!(
        (end.optimum, end.to_go),
        (Quantity::Exact(4), Quantity::Exact(0))
    );
    assert_eq!(
        (end.optimality_rate, end.optimality_ratio),
        (Some(0.8), Some(1.25))
    );
    assert_eq!(end.optimality_bin, Some(Bin::Quarter));
    assert_eq!(end.progress, Some(1.0));
}

#[test]
fn an_episode_that_ends_early_has_steps_to_go_and_progress_but_no_optimality() {
    let task = egg("sequential");
    let log = play(&task, at_most(2), &["wait(9)", "wait\nfetch(egg)"]);
    let end = process(&task, &log).end;
    assert_eq!((end.success, end.to_go), (Some(false), Quantity::Exact(3)));
    assert_eq!((end.progress, end.optimality_rate), (Some(0.25), None));
    assert_eq!(end.optimality_bin, None);
}

#[test]
fn a_dropped_joint_action_is_charged_to_the_agent_whose_command_was_refused() {
    for turns in ["sequential", "simultaneous"] {
        let task = egg(turns);
        let rules = Rules {
            on_invalid: OnInvalid::DropJoint,
            ..at_most(20)
        };
        let log = play(
            &task,
            rules,
            &[
                "serve(egg)\nwait(2)\ntake(egg)\nserve(egg)",
                "fetch(egg)\nfetch(egg)\nplace(egg)",
            ],
        );
        let process = process(&task, &log);
        assert_eq!(
            losses(&process),
            [(0, "chef", Quantity::Exact(1))],
            "{turns}"
        );
        // The helper did not choose to wait.
        assert_eq!(process.agents[1].failures, ClassCounts::default());
        assert_eq!(process.agents[0].failures.state, 1);
    }
}

#[test]
fn a_dead_end_is_charged_to_the_agent_who_enters_it() {
    let task = compile(TEA, TEA_FOR_ONE);
    let log = play(&task, at_most(9), &["wait\ndrop()\nlight()"]);
    let process = process(&task, &log);
    assert_eq!(
        losses(&process)[..3],
        [
            (0, "ann", Quantity::Exact(1)),
            (1, "ann", Quantity::Infinite),
            (2, "ann", Quantity::Undefined),
        ]
    );
    assert_eq!(process.end.dead_end, Some(1));
    assert_eq!(process.end.regret, Quantity::Infinite);
    assert_eq!(process.end.regret_before_dead_end, Quantity::Exact(1));
    assert_eq!(process.end.progress, None);
    assert_eq!(
        (process.agents[0].choices, process.agents[0].optimal),
        (2, 0)
    );
    let failure = process.failures.episode.unwrap();
    assert_eq!(failure.class, Some(FailureClass::Goal));
    assert_eq!(failure.first.unwrap().tick, 0);
    assert_eq!(failure.decisive.unwrap().tick, 1);
}

#[test]
fn a_refused_command_is_classed_by_what_it_lacks() {
    let task = compile(TEA, TEA_FOR_ONE);
    let script = "pour()\nfly(moon)\nlight()\npour()\nlight()\ndrop()\npour()\nwait(1)(";
    let log = play(&task, at_most(9), &[script]);
    let process = process(&task, &log);
    let refused = process.failures.refused.iter();
    let classes: Vec<(&str, FailureClass)> = refused
        .map(|refused| (refused.command.as_str(), refused.class))
        .collect();
    assert_eq!(
        classes,
        [
            // Cold since the start, and no kettle is lit.
            ("pour()", FailureClass::State),
            ("fly(moon)", FailureClass::Action),
            // It will be hot.
            ("pour()", FailureClass::Transition),
            // Lit by now.
            ("light()", FailureClass::Transition),
            // Nothing to pour into any more.
            ("pour()", FailureClass::Transition),
            ("wait(1)(", FailureClass::Action),
        ]
    );
    let unmet = |index: usize| &process.failures.refused[index].unmet;
    assert_eq!(unmet(0)[0].requirement, "the water is cold");
    assert_eq!(unmet(0)[0].since, Since::Start);
    assert_eq!(unmet(2)[0].since, Since::UnderWay);
    let by = Some("ann".to_owned());
    assert_eq!(
        unmet(3)[0].since,
        Since::Changed {
            tick: 2,
            by: by.clone()
        }
    );
    assert_eq!(unmet(4)[0].since, Since::Changed { tick: 5, by });
    let counts = process.failures.counts;
    assert_eq!((counts.state, counts.action, counts.transition), (1, 2, 3));
    assert_eq!(process.agents[0].failures, counts);
}

#[test]
fn a_failed_episode_is_classed_by_its_first_loss_and_what_was_refused_then() {
    let task = egg("sequential");
    // The helper's first command is refused and costs a timestep; its later waits cost more.
    let log = play(&task, at_most(6), &["wait(9)", "place(egg)\nwait(9)"]);
    let process = process(&task, &log);
    let failure = process.failures.episode.unwrap();
    assert_eq!(failure.class, Some(FailureClass::State));
    let first = failure.first.unwrap();
    assert_eq!((first.tick, first.agent.as_str()), (0, "helper"));
    // Six ticks allow for two to be lost.
    let decisive = failure.decisive.unwrap();
    assert_eq!((decisive.tick, decisive.class), (2, FailureClass::Goal));
    assert_eq!(process.failures.counts.goal, 5);
}

#[test]
fn an_episode_that_a_refused_command_ended_has_failed_and_one_that_was_cut_short_has_not() {
    let task = compile(
        "(define (domain lamp) (:predicates (on) (off))
            (:action press :parameters () :precondition (off) :effect (and (on) (not (off)))))",
        "(define (problem lamp) (:domain lamp) (:init (off)) (:goal (on)))",
    );
    let log = play(&task, at_most(9), &["jump"]);
    let end = log.end().unwrap();
    assert_eq!(end.reason, brigade_play::episode::EndReason::NoCommand);
    let ended = process(&task, &log).failures.episode.unwrap();
    assert_eq!(ended.class, Some(FailureClass::Action));
    assert_eq!(ended.first.unwrap().action, None);

    // One whose policy was out of commands.
    let log = play(&task, at_most(9), &[""]);
    assert_eq!(
        log.end().unwrap().reason,
        brigade_play::episode::EndReason::PolicyError
    );
    assert_eq!(process(&task, &log).failures.episode, None);
}

#[test]
fn a_success_has_no_failure_though_commands_may_have_been_refused() {
    let task = egg("sequential");
    let log = play(
        &task,
        at_most(20),
        &[
            "serve(egg)\nwait\ntake(egg)\nserve(egg)",
            "fetch(egg)\nplace(egg)",
        ],
    );
    let process = process(&task, &log);
    assert_eq!(process.failures.episode, None);
    assert_eq!(process.failures.counts.state, 1);
    assert_eq!(process.end.regret, Quantity::Exact(0));
}

/// The log with what was said before the timesteps of the ticks.
fn with_spoken(log: &Log, spoken: Vec<Event>) -> Log {
    let mut log = log.clone();
    for event in spoken.into_iter().rev() {
        let tick = match &event {
            Event::Request(request) => request.tick,
            Event::Response(response) => response.tick,
            _ => panic!("{event:?}"),
        };
        let is_step = |event: &Event| matches!(event, Event::Step(step) if step.tick == tick);
        let place = log.events.iter().position(is_step).unwrap();
        let mut before = log.events[..place].iter();
        let place = before.rposition(|event| matches!(event, Event::Step(_)));
        log.events.insert(place.map_or(0, |place| place + 1), event);
    }
    log
}

fn request(tick: u32, action: &str) -> Event {
    Event::Request(Requested {
        tick,
        agent: "chef".to_owned(),
        of: "helper".to_owned(),
        action: action.to_owned(),
    })
}

fn response(tick: u32, accepts: Option<bool>, actions: &[&str]) -> Event {
    Event::Response(Responded {
        tick,
        agent: "helper".to_owned(),
        of: "chef".to_owned(),
        accepts,
        actions: actions.iter().map(|&action| action.to_owned()).collect(),
    })
}

fn optimal_egg(task: &PackedTask) -> Log {
    let log = play(
        task,
        at_most(20),
        &["wait(2)\ntake(egg)\nserve(egg)", "fetch(egg)\nplace(egg)"],
    );
    assert_eq!(log.steps().count(), 4);
    log
}

#[test]
fn requests_are_classed_by_the_optimal_plans_from_the_state_at_hand() {
    use InitiationClass::{Correct, Irrelevant, Premature, Repetitive};
    for turns in ["sequential", "simultaneous"] {
        let task = egg(turns);
        let asked = vec![
            request(0, "place(egg)"),
            request(1, "(place egg)"),
            request(2, "fetch(egg)"),
            request(2, "fetch(corn)"),
            request(2, "take(egg)"),
            request(2, "dance"),
        ];
        let log = with_spoken(&optimal_egg(&task), asked);
        let requests = process(&task, &log).collaboration.requests;
        let classes: Vec<_> = requests
            .iter()
            .map(|request| request.initiation.class)
            .collect();
        let expected = [
            Premature, Correct, Repetitive, Irrelevant, Irrelevant, Irrelevant,
        ];
        assert_eq!(classes, expected.map(Some), "{turns}");
    }
}

#[test]
fn an_agent_who_acts_second_asks_in_the_state_that_the_first_has_left() {
    use InitiationClass::{Correct, Repetitive};
    use ResponseClass::{Followed, Ignored};
    let task = egg("sequential");
    let ask = |tick, action: &str| {
        Event::Request(Requested {
            tick,
            agent: "helper".to_owned(),
            of: "chef".to_owned(),
            action: action.to_owned(),
        })
    };
    let spoken = vec![
        ask(1, "take(egg)"),
        ask(2, "take(egg)"),
        ask(2, "serve(egg)"),
    ];
    let log = with_spoken(&optimal_egg(&task), spoken);
    let of = process(&task, &log).collaboration;
    let classes: Vec<_> = of
        .requests
        .iter()
        .map(|request| (request.initiation.class, request.response, request.done))
        .collect();
    assert_eq!(
        classes,
        [
            (Some(Correct), Followed, Some(2)),
            // The chef has taken it in this very timestep.
            (Some(Repetitive), Ignored, None),
            (Some(Correct), Followed, Some(3)),
        ]
    );
}

#[test]
fn costs_to_go_may_be_handed_to_another_thread() {
    fn is_send<T: Send>() {}
    is_send::<CostToGo<'_>>();
}

#[test]
fn several_requests_at_once_are_classed_as_a_sequence() {
    use InitiationClass::{Correct, Premature, Repetitive};
    let task = egg("sequential");
    let in_order = ["fetch(egg)", "place(egg)", "fetch(egg)"];
    let turned = ["place(egg)", "fetch(egg)", "place(egg)"];
    for (actions, expected) in [
        (in_order, [Correct, Correct, Repetitive]),
        (turned, [Premature, Correct, Correct]),
    ] {
        let asked = actions.map(|action| request(0, action)).to_vec();
        let log = with_spoken(&optimal_egg(&task), asked);
        let requests = process(&task, &log).collaboration.requests;
        let classes: Vec<_> = requests
            .iter()
            .map(|request| request.initiation.class)
            .collect();
        assert_eq!(classes, expected.map(Some), "{actions:?}");
    }
}

#[test]
fn responses_are_classed_by_what_the_asked_agent_then_did() {
    let task = egg("sequential");
    let spoken = vec![
        request(0, "place(egg)"),
        request(0, "fetch(egg)"),
        response(0, Some(true), &["fetch(egg)", "place(egg)"]),
        request(1, "fetch(corn)"),
        response(1, Some(false), &[]),
        request(2, "fetch(corn)"),
    ];
    let log = with_spoken(&optimal_egg(&task), spoken);
    let of = process(&task, &log).collaboration;
    let responses: Vec<_> = of
        .requests
        .iter()
        .map(|request| {
            (
                request.response,
                request.accepted,
                request.promised,
                request.done,
            )
        })
        .collect();
    assert_eq!(
        responses,
        [
            (ResponseClass::Later, Some(true), true, Some(1)),
            (ResponseClass::Followed, Some(true), true, Some(0)),
            (ResponseClass::Refused, Some(false), false, None),
            (ResponseClass::Ignored, None, false, None),
        ]
    );
    let promises: Vec<_> = of
        .promises
        .iter()
        .map(|promise| (promise.initiation.class, promise.asked, promise.done))
        .collect();
    let correct = Some(InitiationClass::Correct);
    assert_eq!(
        promises,
        [(correct, true, Some(0)), (correct, true, Some(1))]
    );
    assert_eq!((of.initiating, of.responding), (Some(0.25), Some(1.0)));
}

#[test]
fn a_request_that_cannot_be_judged_says_why() {
    let task = compile(
        &TEA.replace(":label \"light()\"", ":label none"),
        "(define (problem tea) (:domain tea) (:objects chef helper - cook)
            (:init (whole)) (:goal (poured)))",
    );
    let log = play(&task, at_most(2), &["drop()", "wait"]);
    let spoken = vec![
        request(0, "light"),
        request(0, "wait"),
        request(1, "pour()"),
    ];
    let log = with_spoken(&log, spoken);
    let requests = process(&task, &log).collaboration.requests;
    let reasons: Vec<_> = requests
        .iter()
        .map(|request| {
            (
                request.initiation.class,
                request.initiation.reason.as_deref(),
            )
        })
        .collect();
    assert_eq!(
        reasons,
        [
            (None, Some("it records no label")),
            (None, Some("it records no label")),
            (None, Some("no plan leads to the goal from there")),
        ]
    );
}

/// Stops at once.
struct Stopped;

impl Control for Stopped {
    fn stop(&self) -> Option<StopReason> {
        Some(StopReason::Time)
    }
}

#[test]
fn what_was_not_searched_is_bounded_by_what_was_played() {
    let task = egg("sequential");
    let log = with_spoken(&optimal_egg(&task), vec![request(0, "fetch(egg)")]);
    let mut costs = CostToGo::new(&task, SearchOptions::default());
    let process = of(&mut costs, &log, "episode", &Stopped).unwrap();
    let Quantity::Between(bounds) = process.end.optimum else {
        panic!("{:?}", process.end);
    };
    assert_eq!((bounds.lower, bounds.upper), (Some(1), Some(4)));
    assert_eq!(bounds.reason, StopReason::Time);
    assert_eq!(process.end.to_go, Quantity::Exact(0));
    assert_eq!(process.stopped, Some(StopReason::Time));
    assert_eq!(
        (process.end.optimality_rate, process.end.progress),
        (None, None)
    );
    let request = &process.collaboration.requests[0];
    assert_eq!(request.initiation.class, None);
    assert_eq!(
        request.initiation.reason.as_deref(),
        Some("the time limit was reached")
    );
    assert_eq!(request.response, ResponseClass::Followed);
    assert!(!process.is_complete());
    // The same costs answer once there is time.
    let process = of(&mut costs, &log, "episode", &Unlimited).unwrap();
    assert!(process.is_complete());
    assert_eq!(process.end.optimum, Quantity::Exact(4));
}
