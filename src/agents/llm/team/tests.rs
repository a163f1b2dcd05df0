//! The designs that come with Brigade: which module asks, in what order, with what in its prompt.

use std::collections::VecDeque;
use std::sync::Mutex;

use serde_json::Value;

use super::*;
use crate::agents::llm::bundled;
use crate::agents::llm::chat::{Chat, ChatError, ChatRequest, Completion, Finish, Sampling, Take};
use crate::agents::llm::design::Design;
use crate::agents::llm::form::ActionFormat;
use crate::agents::llm::mind::Asking;
use crate::agents::llm::prompts::Prompts;
use crate::diagnostics::{Diagnostics, Sources};
use crate::episode::{Call, End, EndReason, Episode, OnInvalid, Rules, Sink};
use crate::{ground, sema, syntax};

const DOMAIN: &str = r#"
(define (domain tea)
  (:requirements :typing :multi-agent :delayed-effects :negative-preconditions :text)
  (:types cook)
  (:predicates (lit :text "the stove is lit") (hot :text "the water is hot")
               (poured :text "the tea is poured") (ordered :text "tea is ordered"))
  (:action light :agent ?c - cook
    :precondition (else "the stove is lit already" (not (lit)))
    :effect (and (lit) (after 2 (hot)))
    :label "light()" :text "light the stove")
  (:action pour :agent ?c - cook
    :precondition (else "the water is cold" (hot))
    :effect (poured)
    :label "pour()" :text "pour the tea"))"#;

fn problem(cooks: &str) -> String {
    format!(
        "(define (problem tea-for-two) (:domain tea) (:objects {cooks} - cook)
           (:goal (poured) :text \"Pour the tea\"))"
    )
}

fn task(cooks: &str) -> Task {
    let mut diagnostics = Diagnostics::new();
    let mut sources = Sources::new();
    let problem_text = problem(cooks);
    let files = sema::Files {
        domain: sources.add("tea-domain.pddl", DOMAIN),
        problem: sources.add("tea.pddl", &problem_text),
    };
    let domain = syntax::parse_domain(files.domain, DOMAIN, &mut diagnostics);
    let problem = syntax::parse_problem(files.problem, &problem_text, &mut diagnostics);
    let options = sema::Options::default();
    let model = sema::resolve(&domain, &problem, &options, files, &mut diagnostics);
    assert!(!diagnostics.has_errors());
    let options = ground::Options {
        keep_irrelevant: true,
        ..ground::Options::default()
    };
    ground::ground(&model.unwrap(), &options).unwrap()
}

/// Answers one after another; `CUT` marks one that met the limit of tokens, `DOWN` an outage.
struct Script(Mutex<VecDeque<&'static str>>);

const CUT: &str = "\u{0}cut";
const DOWN: &str = "\u{0}down";

impl Chat for Script {
    fn complete(&self, _: &ChatRequest, _: Take) -> Result<Completion, ChatError> {
        let answer = self.0.lock().unwrap().pop_front().unwrap_or("");
        if answer == DOWN {
            return Err(ChatError::Infrastructure("no answer".to_owned()));
        }
        Ok(Completion {
            text: answer.strip_prefix(CUT).unwrap_or(answer).to_owned(),
            tool_arguments: None,
            first_tokens: Vec::new(),
            finish: if answer.starts_with(CUT) {
                Finish::Length
            } else {
                Finish::Stop
            },
            usage: None,
            tries: 1,
            model: None,
            fingerprint: None,
            reasoning: None,
        })
    }

    fn name(&self) -> &'static str {
        "script"
    }

    fn body(&self, request: &ChatRequest) -> Value {
        request.body(&"script".into())
    }
}

fn design(name: &str) -> Design {
    Design::parse(bundled::design(name).unwrap(), &toml::Table::new()).unwrap()
}

fn prompts(design: &Design) -> Prompts {
    let files = bundled::TEMPLATES.iter();
    let files = files.map(|file| (file.name.to_owned(), file.text.to_owned()));
    Prompts::new(files, &design.templates(), &design.flags).unwrap()
}

/// Events of the referee and of the team, in the order in which they happen.
#[derive(Clone, Default)]
struct Story(Rc<RefCell<Vec<Event>>>);

impl Sink for Story {
    type Error = std::convert::Infallible;

    fn record(&mut self, event: &Event, _: &[u64]) -> Result<(), Self::Error> {
        self.0.borrow_mut().push(event.clone());
        Ok(())
    }
}

/// An episode in which every agent has the design, and the model says this.
fn play(design: &Design, cooks: &str, ticks: u32, script: &[&'static str]) -> (End, Vec<Event>) {
    let task = task(cooks);
    let prompts = prompts(design);
    let model = Script(Mutex::new(script.iter().copied().collect()));
    let setup = Setup {
        design,
        prompts: &prompts,
        model: &model,
        asking: Asking {
            format: ActionFormat::Text,
            lenient: false,
            sampling: Sampling::default(),
            seeded: false,
            shuffled: false,
        },
        demonstration: &[],
    };
    let setups = vec![Some(setup); task.agents.len()];
    let mut story = Story::default();
    let told = story.clone();
    let teller = Box::new(move |event| told.0.borrow_mut().push(event));
    let team = Team::new(&task, &setups, (1, 1), ticks, teller).unwrap();
    let team = Rc::new(RefCell::new(team));
    let trials = team.borrow().trials();
    let mut trial = 0;
    loop {
        let mut policies: Vec<Box<dyn Policy + '_>> = Vec::new();
        for agent in 0..task.agents.len() {
            policies.push(Box::new(Member::new(Rc::clone(&team), agent)));
        }
        let rules = Rules {
            max_ticks: ticks,
            on_invalid: OnInvalid::Ask,
            retries: design.correction.retries,
        };
        let mut episode = Episode::new(&task, rules);
        let Ok(end) = episode.run(&mut policies, &mut story, &|| None);
        if end.reason == EndReason::Goal || trial == trials {
            return (end, story.0.take());
        }
        trial += 1;
        team.borrow_mut().reflect().unwrap();
    }
}

fn calls(events: &[Event]) -> Vec<&Call> {
    let calls = events.iter().filter_map(|event| match event {
        Event::Call(call) => Some(call),
        _ => None,
    });
    calls.collect()
}

/// Who asked, in order: `ann reasoner`.
fn modules(events: &[Event]) -> Vec<String> {
    let calls = calls(events).into_iter();
    calls
        .map(|call| format!("{} {}", call.agent, call.module).trim().to_owned())
        .collect()
}

fn outcomes(events: &[Event]) -> Vec<(u32, &str, &str)> {
    let decisions = events.iter().filter_map(|event| match event {
        Event::Decision(decided) => {
            Some((decided.tick, decided.agent.as_str(), decided.outcome.name()))
        }
        _ => None,
    });
    decisions.collect()
}

/// The last message of a question.
fn asked(call: &Call) -> &str {
    let messages = call.request["messages"].as_array().unwrap();
    messages.last().unwrap()["content"].as_str().unwrap()
}

#[test]
fn every_bundled_design_is_sound() {
    for file in bundled::DESIGNS {
        let design = Design::parse(file.text, &toml::Table::new()).unwrap();
        assert_eq!(file.name, format!("{}.toml", design.name));
        prompts(&design);
    }
}

#[test]
fn react_sees_its_last_answer_and_what_was_wrong() {
    let script = [
        "Reasoning: first the stove\nAction: light the stove",
        "Reasoning: now\nAction: pour the tea",
        "Reasoning: too early\nAction: wait",
        "Reasoning: hot now\nAction: pour the tea",
    ];
    let (end, events) = play(&design("react"), "ann", 9, &script);
    assert_eq!((end.reason, end.ticks), (EndReason::Goal, 3));
    assert_eq!(modules(&events), ["ann reasoner"; 4]);
    let calls = calls(&events);
    assert!(asked(calls[0]).contains("What you can do now:\n"));
    assert!(!asked(calls[0]).contains("What was wrong"));
    assert!(
        asked(calls[2]).contains("the water is cold"),
        "{}",
        asked(calls[2])
    );
    let retold = calls[1].request["messages"].to_string();
    assert!(retold.contains("first the stove") && retold.contains("left out"));
    assert_eq!(
        outcomes(&events),
        [(0, "ann", "ok"), (1, "ann", "ok"), (2, "ann", "ok")]
    );
}

#[test]
fn every_step_has_one_outcome() {
    let mut design = design("react");
    design.correction.retries = 0;
    design.correction.give_up_after = 0;
    let script = [
        "I would light it.",
        "Reasoning: so\nAction: pour the tea",
        "\u{0}cutReasoning: on and on",
        "Reasoning: so\nAction: light the stove",
        "Reasoning: so\nAction: dance",
        "\u{0}cutReasoning: let me\nAction: pour the t",
    ];
    let (end, events) = play(&design, "ann", 6, &script);
    assert_eq!(end.reason, EndReason::TickLimit);
    let outcomes: Vec<&str> = outcomes(&events)
        .into_iter()
        .map(|(.., outcome)| outcome)
        .collect();
    assert_eq!(
        outcomes,
        [
            "unparseable",
            "illegal_action",
            "truncated",
            "ok",
            "illegal_action",
            "truncated"
        ]
    );
}

#[test]
fn every_answer_is_logged_with_how_it_reads_and_not_the_last_alone() {
    let script = [
        "I would light it.",
        "Action: light the stove",
        "Reasoning: the form first\nAction: light the stove",
    ];
    let (_, events) = play(&design("react"), "ann", 1, &script);
    assert_eq!(outcomes(&events), [(0, "ann", "ok")]);
    let readings = calls(&events).into_iter();
    let readings = readings.map(|call| (call.format.as_deref(), call.strict, call.lenient));
    assert_eq!(
        readings.collect::<Vec<_>>(),
        [
            (Some("text"), Some(false), Some(false)),
            (Some("text"), Some(false), Some(true)),
            (Some("text"), Some(true), Some(true)),
        ]
    );
}

#[test]
fn what_is_a_text_of_any_kind_or_no_answer_is_not_read() {
    let script = [
        "He waits.",
        "Reasoning: so\nAction: wait",
        "Verdict: accept",
        DOWN,
    ];
    let (_, events) = play(&design("cac"), "ann bob", 1, &script);
    let readings = calls(&events).into_iter();
    let readings = readings.map(|call| (call.module.as_str(), call.strict));
    assert_eq!(
        readings.collect::<Vec<_>>(),
        [
            ("theory-of-mind", None),
            ("reasoner", Some(true)),
            ("verifier", Some(false)),
            ("theory-of-mind", None),
        ]
    );
}

#[test]
fn an_outage_is_no_play() {
    let (end, events) = play(
        &design("react"),
        "ann",
        9,
        &["Reasoning: so\nAction: light the stove", DOWN],
    );
    assert_eq!((end.reason, end.ticks), (EndReason::Infrastructure, 1));
    assert_eq!(
        outcomes(&events),
        [(0, "ann", "ok"), (1, "ann", "infra_error")]
    );
}

#[test]
fn an_agent_that_gets_nowhere_gives_up() {
    let mut design = design("react");
    design.correction.retries = 1;
    let (end, events) = play(&design, "ann", 50, &[]);
    assert_eq!((end.reason, end.ticks), (EndReason::GaveUp, 3));
    assert_eq!(calls(&events).len(), 6);
}

#[test]
fn io_asks_once_and_carries_its_plan_out() {
    let plan = "Plan: light the stove; wait; pour the tea";
    let (end, events) = play(&design("io"), "ann", 9, &[plan]);
    assert_eq!((end.reason, end.ticks), (EndReason::Goal, 3));
    assert_eq!(modules(&events), ["ann reasoner"]);
    assert!(asked(calls(&events)[0]).contains("Plan all actions until the goal is reached."));
}

#[test]
fn io_carries_nothing_of_a_plan_out_that_is_not_possible_as_a_whole() {
    let plan = "Plan: light the stove; pour the tea";
    let (end, events) = play(&design("io"), "ann", 9, &[plan]);
    assert_eq!((end.reason, end.ticks), (EndReason::GaveUp, 0));
    assert!(calls(&events).len() == 1);
}

#[test]
fn io_stops_at_the_end_of_its_plan() {
    let (end, _) = play(&design("io"), "ann", 9, &["Plan: light the stove"]);
    assert_eq!((end.reason, end.ticks), (EndReason::GaveUp, 1));
}

#[test]
fn io_cot_thinks_the_states_out_between_the_actions() {
    let plan = "Reasoning: water first\nAction: light the stove\nState: lit\nAction: wait\n\
                State: hot\nAction: pour the tea\nState: poured";
    let (end, events) = play(&design("io-cot"), "ann", 9, &[plan]);
    assert_eq!((end.reason, end.ticks), (EndReason::Goal, 3));
    assert!(asked(calls(&events)[0]).contains("State: <what then holds>"));
}

#[test]
fn reflexion_tries_again_with_what_it_has_learnt() {
    let mut design = design("reflexion");
    design.correction = crate::agents::llm::design::Correction {
        retries: 0,
        feedback: true,
        give_up_after: 1,
    };
    let script = [
        "Reasoning: so\nAction: pour the tea",
        "Light the stove before you pour.",
        "Reasoning: so\nAction: light the stove",
        "Reasoning: so\nAction: wait",
        "Reasoning: so\nAction: pour the tea",
    ];
    let (end, events) = play(&design, "ann", 9, &script);
    assert_eq!((end.reason, end.ticks), (EndReason::Goal, 3));
    assert_eq!(
        modules(&events),
        [
            "ann reasoner",
            "ann reflection",
            "ann reasoner",
            "ann reasoner",
            "ann reasoner"
        ]
    );
    let calls = calls(&events);
    assert!(asked(calls[1]).contains("the water is cold"));
    assert!(asked(calls[2]).contains("Light the stove before you pour."));
}

#[test]
fn collab_agents_talk_before_they_act_and_the_one_asked_takes_the_plan_over() {
    let script = [
        "Reasoning: I pour\nPlan: request(light the stove); wait; wait; pour the tea\n\
         Say: Please light the stove.",
        "Reasoning: sure\nPlan: light the stove\nSay: I do. [END]",
    ];
    let (end, events) = play(&design("collab"), "ann bob", 3, &script);
    assert_eq!((end.reason, end.ticks), (EndReason::Goal, 3));
    assert_eq!(modules(&events)[..2], ["ann reasoner", "bob communicator"]);
    assert!(asked(calls(&events)[1]).contains("ann: Please light the stove."));
    let lit = events.iter().find_map(|event| match event {
        Event::Step(step) => Some(step.choices[1].action.clone()),
        _ => None,
    });
    assert_eq!(lit.as_deref(), Some("light bob"));
    let asked = events.iter().find_map(|event| match event {
        Event::Request(request) => Some((&*request.agent, &*request.of, &*request.action)),
        _ => None,
    });
    assert_eq!(asked, Some(("ann", "bob", "light the stove")));
    let promised = events.iter().find_map(|event| match event {
        Event::Response(response) => Some((&*response.agent, response.actions.len())),
        _ => None,
    });
    assert_eq!(promised, Some(("bob", 1)));
    let said = events
        .iter()
        .filter(|event| matches!(event, Event::Message(_)));
    assert_eq!(said.count(), 2);
}

/// What was asked, by whom: `ann bob light the stove`.
fn requests(events: &[Event]) -> Vec<String> {
    let requests = events.iter().filter_map(|event| match event {
        Event::Request(request) => Some(format!(
            "{} {} {}",
            request.agent, request.of, request.action
        )),
        _ => None,
    });
    requests.collect()
}

#[test]
fn a_request_of_somebody_who_says_nothing_is_told_and_logged() {
    let script = [
        "Reasoning: I pour\nPlan: request(light the stove); wait; wait; pour the tea\n\
         Say: [NOTHING]",
        // He asks in turn, and says nothing either.
        "Reasoning: no\nPlan: deny(you are nearer); request(ann, light the stove); wait\nSay:",
        "Reasoning: well\nPlan: accept(light the stove); light the stove; wait; pour the tea\n\
         Say: [NOTHING]",
    ];
    let (end, events) = play(&design("collab"), "ann bob", 3, &script);
    assert_eq!((end.reason, end.ticks), (EndReason::Goal, 3));
    assert_eq!(
        modules(&events)[..3],
        ["ann reasoner", "bob communicator", "ann communicator"]
    );
    let calls = calls(&events);
    assert!(asked(calls[1]).contains("What was said:\nann: request(light the stove)\n"));
    let answer = "bob: deny(you are nearer); request(ann, light the stove)\n";
    assert!(asked(calls[2]).contains(answer));
    assert_eq!(
        requests(&events),
        ["ann bob light the stove", "bob ann light the stove"]
    );
    let said = events
        .iter()
        .filter(|event| matches!(event, Event::Message(_)));
    assert_eq!(said.count(), 0, "nobody has said anything aloud");
}

#[test]
fn a_request_is_told_beside_what_is_said() {
    let script = [
        "Reasoning: I pour\nPlan: request(bob, light the stove); wait\nSay: Please, Bob.",
        "Reasoning: sure\nPlan: accept(light the stove); light the stove\nSay: [NOTHING]",
    ];
    let (_, events) = play(&design("collab"), "ann bob", 1, &script);
    let calls = calls(&events);
    assert!(asked(calls[1]).contains("ann: Please, Bob. request(bob, light the stove)\n"));
    assert_eq!(
        calls.len(),
        2,
        "of what is accepted there is no more to say"
    );
}

/// What a collab agent is told of what it can ask its partner for.
fn askable(change: &str) -> String {
    let change = toml::from_str(change).unwrap();
    let design = Design::parse(bundled::design("collab").unwrap(), &change).unwrap();
    let (_, events) = play(&design, "ann bob eve", 1, &[]);
    let calls = calls(&events);
    let told = calls[0].request["messages"][0]["content"].as_str().unwrap();
    told.lines()
        .skip_while(|line| !line.contains("can be asked for"))
        .take_while(|line| !line.starts_with("Name an action"))
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn an_agent_knows_how_to_name_what_it_can_ask_others_for() {
    let forms = "bob, eve can be asked for:\n- light(): light the stove\n- pour(): pour the tea\n\
                 - wait(<timesteps>): do nothing for so many timesteps";
    assert_eq!(askable(""), forms);
    let same = "bob, eve can be asked for actions of the same forms.";
    assert_eq!(askable("actions = \"forms\""), same);
    assert_eq!(askable("communication = { enabled = false }"), "");
}

#[test]
fn a_conversation_ends_at_the_limit_of_rounds() {
    let mut talk = vec!["Reasoning: so\nPlan: wait\nSay: one"];
    talk.extend([
        "Reasoning: so\nPlan: wait\nSay: two",
        "Reasoning: so\nPlan: wait\nSay: three",
        "Reasoning: so\nPlan: wait\nSay: four",
    ]);
    talk.extend([
        "Reasoning: so\nPlan: wait\nSay: five",
        "Reasoning: so\nPlan: wait\nSay: six",
        "Reasoning: so\nPlan: wait\nSay: seven",
    ]);
    talk.extend(["Reasoning: so\nPlan: wait\nSay: never"; 4]);
    let (_, events) = play(&design("collab"), "ann bob", 1, &talk);
    let said = events
        .iter()
        .filter(|event| matches!(event, Event::Message(_)));
    assert_eq!(said.count(), 7);
}

#[test]
fn collab_agents_learn_from_a_correction() {
    let script = [
        "Reasoning: so\nPlan: pour the tea\nSay: [NOTHING]",
        "Reasoning: so\nPlan: light the stove\nSay: [NOTHING]",
        "Cold water is not poured.",
        "Reasoning: so\nPlan: wait\nSay: [NOTHING]",
    ];
    let (_, events) = play(&design("collab"), "ann", 2, &script);
    assert_eq!(
        modules(&events),
        [
            "ann reasoner",
            "ann reasoner",
            "ann reflection",
            "ann reasoner"
        ]
    );
    let calls = calls(&events);
    assert!(asked(calls[1]).contains("the water is cold"));
    assert!(asked(calls[3]).contains("Cold water is not poured."));
}

#[test]
fn a_dispatcher_directs_all_agents_with_one_question_a_step() {
    let script = [
        "ann: light the stove\nbob: light the stove",
        "ann: wait\nbob: wait",
        "ann: pour the tea\nbob: wait",
    ];
    let (end, events) = play(&design("dispatcher"), "ann bob", 9, &script);
    assert_eq!((end.reason, end.ticks), (EndReason::Goal, 3));
    assert_eq!(modules(&events), ["reasoner"; 3]);
    let calls = calls(&events);
    assert!(asked(calls[0]).contains("ann can do:") && asked(calls[0]).contains("bob can do:"));
    assert!(
        asked(calls[1]).contains("the stove is lit already"),
        "{}",
        asked(calls[1])
    );
    assert_eq!(outcomes(&events)[1], (0, "bob", "illegal_action"));
}

#[test]
fn a_dispatcher_whose_answer_cannot_be_read_is_asked_once_in_that_step() {
    let script = ["lorem ipsum", "ann: light the stove\nbob: wait"];
    let (_, events) = play(&design("dispatcher"), "ann bob", 2, &script);
    assert_eq!(modules(&events), ["reasoner"; 2]);
    let unread: Vec<_> = outcomes(&events).into_iter().take(2).collect();
    assert_eq!(
        unread,
        [(0, "ann", "unparseable"), (0, "bob", "unparseable")]
    );
    assert_eq!(outcomes(&events)[2], (1, "ann", "ok"));
}

#[test]
fn without_feedback_a_dispatcher_is_not_told_what_was_wrong() {
    let changes = toml::from_str("correction = { feedback = false }").unwrap();
    let design = Design::parse(bundled::design("dispatcher").unwrap(), &changes).unwrap();
    let script = ["ann: pour the tea\nbob: wait", "ann: wait\nbob: wait"];
    let (_, events) = play(&design, "ann bob", 2, &script);
    assert!(!asked(calls(&events)[1]).contains("the water is cold"));
}

#[test]
fn cac_thinks_of_its_partner_and_looks_its_decision_over() {
    let script = [
        "He waits for hot water.",
        "Reasoning: why not\nAction: wait",
        "Reasoning: nobody lights the stove\nVerdict: reject",
        "Reasoning: then I\nAction: light the stove",
    ];
    let (_, events) = play(&design("cac"), "ann bob", 1, &script);
    assert_eq!(
        modules(&events)[..4],
        [
            "ann theory-of-mind",
            "ann reasoner",
            "ann verifier",
            "ann reasoner"
        ]
    );
    let calls = calls(&events);
    assert!(asked(calls[1]).contains("He waits for hot water."));
    assert!(asked(calls[2]).contains("Action: wait"));
    assert!(asked(calls[3]).contains("nobody lights the stove"));
}

#[test]
fn a_module_is_switched_off_by_the_configuration() {
    let changes =
        toml::from_str("verifier = { enabled = false }\ntheory-of-mind = { enabled = false }")
            .unwrap();
    let design = Design::parse(bundled::design("cac").unwrap(), &changes).unwrap();
    let (_, events) = play(&design, "ann", 1, &["Reasoning: so\nAction: wait"]);
    assert_eq!(modules(&events), ["ann reasoner"]);
}

#[test]
fn an_orchestrator_is_asked_again_only_when_its_schedule_fails_or_ends() {
    let script = [
        "Reasoning: so\nann: light the stove; wait; pour the tea\nbob: wait; pour the tea; wait",
        "Reasoning: so\nann: pour the tea\nbob: wait; wait",
    ];
    let (end, events) = play(&design("orchestrator"), "ann bob", 9, &script);
    assert_eq!(end.reason, EndReason::Goal);
    assert_eq!(modules(&events), ["reasoner"; 2]);
    let calls = calls(&events);
    assert!(asked(calls[1]).contains("Why the last schedule was left:"));
    assert!(asked(calls[1]).contains("the water is cold"));
}

#[test]
fn a_key_that_is_not_known_is_refused_with_its_place() {
    let text = bundled::design("react")
        .unwrap()
        .replace("memory", "memroy");
    let error = Design::parse(&text, &toml::Table::new()).unwrap_err();
    let error = error.to_string();
    assert!(
        error.contains("memroy") && error.contains("line 5"),
        "{error}"
    );
}

#[test]
fn a_template_with_a_slot_that_there_is_not_is_refused_before_anything_is_asked() {
    let text = ("a.jinja".to_owned(), "You see:\n{{ sttate }}".to_owned());
    let error = Prompts::new([text], &["a.jinja"], &toml::Table::new()).unwrap_err();
    assert!(
        error
            .0
            .starts_with("a.jinja, line 2, column 4: there is no slot `sttate`")
    );
}

#[test]
fn a_template_that_does_not_end_is_refused() {
    let endless =
        "{% for a in range(10000) %}{% for b in range(10000) %}{{ b }}{% endfor %}{% endfor %}";
    let text = ("a.jinja".to_owned(), endless.to_owned());
    assert!(Prompts::new([text], &["a.jinja"], &toml::Table::new()).is_err());
}
