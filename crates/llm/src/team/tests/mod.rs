//! The designs that come with Brigade: which module asks, in what order, with what in its prompt.

mod alone;
mod designs;
mod directed;
mod nature;
mod talk;

use std::collections::VecDeque;
use std::sync::Mutex;

use brigade_task::State;
use serde_json::Value;

use super::*;
use crate::bundled;
use crate::chat::{Chat, ChatError, ChatRequest, Completion, Finish, NoAnswer, Sampling, Take};
use crate::design::Design;
use crate::form::ActionFormat;
use crate::mind::Asking;
use crate::prompts::Prompts;
use brigade_compile::ground;
use brigade_compile::sema;
use brigade_diagnostics::{Diagnostics, Sources};
use brigade_play::agents::Nature;
use brigade_play::episode::{Call, End, EndReason, Episode, OnInvalid, Rules, Sink};
use brigade_syntax as syntax;

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

fn task(cooks: &str) -> PackedTask {
    compiled(DOMAIN, &problem(cooks))
}

fn compiled(domain: &str, problem: &str) -> PackedTask {
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
    assert!(!diagnostics.has_errors());
    let options = ground::Options::default().with_irrelevant_kept(true);
    ground::ground(&model.unwrap(), &options).unwrap()
}

/// Answers one after another; `CUT` marks one that met the limit of tokens, `DOWN` an outage.
struct Script(Mutex<VecDeque<&'static str>>);

const CUT: &str = "\u{0}cut";
const DOWN: &str = "\u{0}down";

impl Chat for Script {
    fn complete(&self, _: &ChatRequest, _: Take) -> Result<Completion, NoAnswer> {
        let answer = self.0.lock().unwrap().pop_front().unwrap_or("");
        if answer == DOWN {
            return Err(ChatError::Infrastructure("no answer".to_owned()).into());
        }
        Ok(Completion {
            text: answer.strip_prefix(CUT).unwrap_or(answer).to_owned(),
            finish: if answer.starts_with(CUT) {
                Finish::Length
            } else {
                Finish::Stop
            },
            tries: 1,
            ..Completion::default()
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

    fn record(&mut self, event: &Event, _: &State) -> Result<(), Self::Error> {
        self.0.borrow_mut().push(event.clone());
        Ok(())
    }
}

/// An episode in which every agent has the design, and the model says this.
fn play(design: &Design, cooks: &str, ticks: u32, script: &[&'static str]) -> (End, Vec<Event>) {
    play_in(&task(cooks), design, ticks, script)
}

/// The same in another task; chance decides for agents of nature.
fn play_in(
    task: &PackedTask,
    design: &Design,
    ticks: u32,
    script: &[&'static str],
) -> (End, Vec<Event>) {
    play_beside(task, design, ticks, script, None)
}

/// Waits, and says what it is about to do.
struct Person;

impl Policy for Person {
    fn choose(&mut self, view: &View<'_>) -> Result<Choice, PolicyError> {
        Ok(Choice {
            message: Some(format!("I wait at {}", view.tick)),
            ..view.idle("there is nothing to do")?.into()
        })
    }
}

impl Partner for Person {
    fn answer(&mut self, occasion: &Occasion<'_>) -> Result<Option<String>, PolicyError> {
        let last = occasion.dialog.last();
        Ok(match last.map(|said| &*said.text) {
            Some(text) if text.contains("request(") => Some("accept(light the stove)".to_owned()),
            Some("Who are you?") => Some(format!("I am {}", occasion.agent)),
            _ => None,
        })
    }
}

/// The same with a person for an agent.
fn play_beside(
    task: &PackedTask,
    design: &Design,
    ticks: u32,
    script: &[&'static str],
    person: Option<usize>,
) -> (End, Vec<Event>) {
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
    let mut setups = vec![Some(setup); task.players()];
    setups.resize(task.agents.len(), None);
    if let Some(person) = person {
        setups[person] = None;
    }
    let mut story = Story::default();
    let shared = story.clone();
    let listener = Box::new(move |event| shared.0.borrow_mut().push(event));
    let mut team = Team::new(task, &setups, (1, 1), ticks, listener).unwrap();
    if let Some(person) = person {
        team.invite(person, Box::new(Person));
    }
    let team = Rc::new(RefCell::new(team));
    let trials = team.borrow().trials();
    let mut trial = 0;
    loop {
        let mut policies: Vec<Box<dyn Policy + '_>> = Vec::new();
        for (agent, of) in task.agents.iter().enumerate() {
            policies.push(match of.nature {
                Some(_) => Box::new(Nature::new(1)),
                None if person == Some(agent) => Box::new(Person),
                None => Box::new(Member::new(Rc::clone(&team), agent)),
            });
        }
        let rules = Rules {
            max_ticks: ticks,
            on_invalid: OnInvalid::Ask,
            retries: design.correction.retries,
        };
        let mut episode = Episode::new(task, rules);
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

/// Returns the askers, in order: `ann reasoner`.
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
