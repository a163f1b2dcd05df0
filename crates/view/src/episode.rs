//! An episode for a page, from its event log, and from its task and process metrics where these are at hand.

use std::collections::BTreeMap;

use brigade_play::episode::{Call, Event, Header, Log, Step as Played, joint_action};
use brigade_report::cost::added;
use brigade_report::live::LiveEffects;
use brigade_task::PackedTask;
use brigade_task::effect::Record;
use brigade_task::totals::Totals;
use indexmap::IndexMap;
use serde_json::{Value, json};

use crate::board::board;
use crate::document::{AgentProcess, Alternative, Choice, Ending, Episode, Process, Step};
use crate::lanes::lanes;
use crate::layout::Layout;
use crate::quantity::Quantity;
use crate::shorten::Shortener;
use crate::texts::Texts;

/// A log that does not fit the task that it is shown with.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("tick {tick}: {reason}")]
pub struct Misfit {
    /// The timestep.
    pub tick: u32,
    /// The reason.
    pub reason: String,
}

/// The task and the metrics of a log, as far as they are at hand.
#[derive(Clone, Copy, Debug, Default)]
pub struct Beside<'a> {
    /// The task that was played.
    pub task: Option<&'a PackedTask>,
    /// Where its things are drawn.
    pub layout: Option<&'a Layout>,
    /// The process metrics in the form of `docs/reference/metrics.md`.
    pub process: Option<&'a Value>,
    /// Better actions by timestep and choice.
    pub better: &'a [Vec<Vec<Alternative>>],
    /// The reason why there are no process metrics.
    pub missing: Option<&'a str>,
}

/// Makes an episode of a log whose prompts are among the texts.
///
/// # Errors
///
/// The task is another than that of the log.
pub fn episode(id: &str, log: &Log, texts: &Texts, beside: &Beside<'_>) -> Result<Episode, Misfit> {
    let mut shortener = texts.shortener.clone();
    let header = &log.header;
    let steps: Vec<&Played> = log.steps().collect();
    let states = states(header, &steps, beside.task)?;
    let agents: Vec<&str> = header.agents.iter().map(|agent| &*agent.name).collect();
    let effects = beside.task.map(effects).unwrap_or_default();
    let metric = |key: &str| beside.process.and_then(|process| process.get(key));
    Ok(Episode {
        id: id.to_owned(),
        domain: header.domain.clone(),
        problem: header.problem.clone(),
        semantics: header.semantics.clone(),
        seed: header.seed,
        evaluation: header.evaluation.clone(),
        agents: header.agents.clone(),
        end: ending(log, beside.task),
        unit: metric("unit")
            .and_then(Value::as_str)
            .unwrap_or("ticks")
            .to_owned(),
        scale: metric("scale").and_then(Value::as_i64).unwrap_or(1),
        in_words: states.in_words,
        lanes: lanes(&agents, &header.facts, &steps, &effects),
        lines: states.lines,
        states: states.by_tick,
        steps: self::steps(log, beside, &mut shortener),
        texts: texts.all.clone(),
        process: beside.process.map(process),
        missing: beside.missing.map(str::to_owned),
        cut: shortener.notes(),
        board: beside
            .layout
            .and_then(|layout| board(layout, &header.facts, &steps)),
    })
}

/// The texts of delayed effects, by their name in facts.
pub(crate) fn effects(task: &PackedTask) -> BTreeMap<String, String> {
    let named = task.timers.iter().map(|timer| {
        let name = &task.variables[timer.variable.0 as usize].name;
        let name = name.trim_matches(['(', ')']).to_owned();
        (name, timer.text.clone())
    });
    named.collect()
}

/// The states of an episode as lines, each of which is kept once.
#[derive(Debug, Default)]
pub(crate) struct States {
    pub(crate) lines: Vec<String>,
    pub(crate) by_tick: Vec<Vec<i32>>,
    pub(crate) in_words: bool,
    known: BTreeMap<String, i32>,
}

impl States {
    pub(crate) fn push(&mut self, lines: impl IntoIterator<Item = String>) {
        let indices = lines.into_iter().map(|line| {
            if line.is_empty() {
                return -1;
            }
            let next = i32::try_from(self.lines.len()).unwrap_or(i32::MAX);
            *self.known.entry(line).or_insert_with_key(|line| {
                self.lines.push(line.clone());
                next
            })
        });
        self.by_tick.push(indices.collect());
    }

    /// Adds a state of a task: in words if the domain has them, else its facts.
    pub(crate) fn push_state(&mut self, task: &PackedTask, state: &brigade_task::State) {
        let lines = if self.in_words {
            task.observe(state).facts
        } else {
            LiveEffects::new(task).facts(state)
        };
        self.push(lines);
    }

    pub(crate) fn of(task: &PackedTask) -> Self {
        Self {
            in_words: !task.observation.is_empty(),
            ..Self::default()
        }
    }
}

/// The states of a log. Without its task they are the facts that it records.
fn states(header: &Header, steps: &[&Played], task: Option<&PackedTask>) -> Result<States, Misfit> {
    let Some(task) = task else {
        let mut states = States::default();
        let mut facts = header.facts.clone();
        states.push(facts.iter().cloned());
        for step in steps {
            facts.retain(|fact| !step.removed.contains(fact));
            facts.extend(step.added.iter().cloned());
            states.push(facts.iter().cloned());
        }
        return Ok(states);
    };
    let mut states = States::of(task);
    let mut state = task.initial.clone();
    states.push_state(task, &state);
    for step in steps {
        let misfit = |reason: String| Misfit {
            tick: step.tick,
            reason,
        };
        let joint = joint_action(task, &state, step).map_err(|error| misfit(error.to_string()))?;
        task.step(&mut state, &joint, &mut Record::default())
            .map_err(|error| misfit(error.to_string()))?;
        states.push_state(task, &state);
    }
    Ok(states)
}

fn ending(log: &Log, task: Option<&PackedTask>) -> Option<Ending> {
    let end = log.events.iter().rev().find_map(|event| match event {
        Event::End(end) => Some(end),
        _ => None,
    })?;
    Some(Ending {
        reason: json!(end.reason),
        words: end.reason.words(),
        detail: end.detail.clone(),
        unproven: end.unproven.clone(),
        ticks: end.ticks,
        labels: end.labels,
        refused: end.refused,
        cost: end.cost,
        totals: totals(task, &end.totals),
    })
}

/// Totals in the problem's units; as the log has them if the problem is not at hand.
fn totals(task: Option<&PackedTask>, totals: &Totals) -> Value {
    let Some(task) = task else {
        return json!(totals);
    };
    let named: IndexMap<_, _> = added(task, totals).into_iter().collect();
    json!(named)
}

/// The timesteps; what came after the last one stands in a timestep without choices.
fn steps(log: &Log, beside: &Beside<'_>, shortener: &mut Shortener) -> Vec<Step> {
    let classes = Classes::of(beside.process);
    let measured = beside.process.and_then(|process| process.get("steps"));
    let mut steps = Vec::new();
    let mut events = Vec::new();
    let (mut requests, mut refusals) = (0, 0);
    for event in &log.events {
        match event {
            Event::Step(played) => {
                let index = steps.len();
                let measured = measured.and_then(|steps| steps.get(index));
                let better = beside.better.get(index).map_or(&[][..], Vec::as_slice);
                let events = std::mem::take(&mut events);
                steps.push(step(played, measured, better, events, beside.task));
            }
            Event::Request(_) => {
                events.push(with_class(json!(event), classes.requests.get(requests)));
                requests += 1;
            }
            Event::Error(_) => {
                events.push(with_class(json!(event), classes.refusals.get(refusals)));
                refusals += 1;
            }
            Event::Call(asked) => events.push(call(asked, shortener)),
            // The outcome of a decision is logged after the timestep that it is of.
            Event::Decision(decided) => match steps.last_mut() {
                Some(Step { tick, events, .. }) if *tick == decided.tick => {
                    events.push(json!(event));
                }
                _ => events.push(json!(event)),
            },
            Event::Message(_) | Event::Response(_) => events.push(json!(event)),
            _ => {}
        }
    }
    if !events.is_empty() {
        let tick = log.steps().count() as u32;
        steps.push(Step {
            tick,
            cost: 0,
            before: None,
            after: None,
            regret: None,
            totals: json!({}),
            choices: Vec::new(),
            labels: Vec::new(),
            added: Vec::new(),
            removed: Vec::new(),
            events,
        });
    }
    steps
}

fn step(
    played: &Played,
    measured: Option<&Value>,
    better: &[Vec<Alternative>],
    events: Vec<Value>,
    task: Option<&PackedTask>,
) -> Step {
    let quantity = |key: &str| measured.and_then(|step| Quantity::read(step, key));
    let choices = played.choices.iter().enumerate().map(|(index, choice)| {
        let measured = measured.and_then(|step| step.get("choices")?.get(index));
        let quantity = |key: &str| measured.and_then(|choice| Quantity::read(choice, key));
        Choice {
            agent: choice.agent.clone(),
            action: choice.action.clone(),
            command: choice.command.clone(),
            refused: choice.refused,
            before: quantity("before"),
            after: quantity("after"),
            regret: quantity("regret"),
            optimal: measured.and_then(|choice| choice.get("optimal")?.as_bool()),
            better: better.get(index).cloned().unwrap_or_default(),
        }
    });
    Step {
        tick: played.tick,
        cost: played.cost,
        before: quantity("before"),
        after: quantity("after"),
        regret: quantity("regret"),
        totals: totals(task, &played.totals),
        choices: choices.collect(),
        labels: played.labels.clone(),
        added: played.added.clone(),
        removed: played.removed.clone(),
        events,
    }
}

/// The classes that process metrics give to requests and refused commands, in the order of the log.
#[derive(Default)]
struct Classes<'a> {
    requests: Vec<&'a Value>,
    refusals: Vec<&'a Value>,
}

impl<'a> Classes<'a> {
    fn of(process: Option<&'a Value>) -> Self {
        let listed = |pointer: &str| -> Vec<&'a Value> {
            let list = process.and_then(|process| process.pointer(pointer)?.as_array());
            let classes = list.into_iter().flatten();
            classes
                .map(|entry| entry.get("class").unwrap_or(&Value::Null))
                .collect()
        };
        Self {
            requests: listed("/collaboration/requests"),
            refusals: listed("/failures/refused"),
        }
    }
}

fn with_class(mut event: Value, class: Option<&&Value>) -> Value {
    if let Some(object) = event.as_object_mut() {
        object.insert(
            "class".into(),
            class.map_or(Value::Null, |class| (*class).clone()),
        );
    }
    event
}

/// A question to a model: of the request its messages, by the places of their texts, and its other fields.
fn call(asked: &Call, shortener: &mut Shortener) -> Value {
    let mut settings = asked.request.clone();
    let messages = settings
        .as_object_mut()
        .and_then(|request| request.remove("messages"));
    json!({
        "event": "call", "agent": asked.agent, "module": asked.module, "model": asked.model,
        "prompt": messages, "settings": shortener.text(&settings.to_string()), "answer": asked.answer,
        "reasoning": asked.reasoning, "tool": asked.tool, "finish": asked.finish, "usage": asked.usage,
        "error": asked.error, "format": asked.format, "strict": asked.strict,
        "lenient": asked.lenient, "tries": asked.tries,
    })
}

/// The metrics of the whole episode.
fn process(metrics: &Value) -> Process {
    let null = Value::Null;
    let end = metrics.get("end").unwrap_or(&null);
    let number = |object: &Value, key: &str| object.get(key).and_then(Value::as_u64);
    let part = |pointer: &str| {
        metrics
            .pointer(pointer)
            .filter(|part| !part.is_null())
            .cloned()
    };
    let agents = metrics.get("agents").and_then(Value::as_array);
    let agents = agents.into_iter().flatten().map(|agent| AgentProcess {
        agent: agent
            .get("agent")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned(),
        choices: number(agent, "choices").unwrap_or(0),
        optimal: number(agent, "optimal").unwrap_or(0),
        regret: Quantity::read(agent, "regret"),
        failures: agent.get("failures").cloned().unwrap_or_default(),
    });
    Process {
        success: end.get("success").and_then(Value::as_bool),
        optimum: Quantity::read(end, "optimum"),
        to_go: Quantity::read(end, "to_go"),
        regret: Quantity::read(end, "regret"),
        dead_end: number(end, "dead_end"),
        progress: end.get("progress").and_then(Value::as_f64),
        optimality_rate: end.get("optimality_rate").and_then(Value::as_f64),
        agents: agents.collect(),
        counts: part("/failures/counts").unwrap_or_default(),
        first: part("/failures/episode/first"),
        decisive: part("/failures/episode/decisive"),
    }
}
