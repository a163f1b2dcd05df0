//! Plans and references for a page.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use serde_json::Value;

use crate::cli::any_order;
use crate::cli::args::{DomainArgs, LimitArgs, ObjectiveName, ProblemArgs};
use crate::cli::control::Deadline;
use crate::cli::exit::{Failure, Result};
use crate::cli::key::Key;
use crate::cli::load::{Loaded, Purpose, load};
use crate::cli::nature;
use crate::cli::orbits::orbits;
use crate::cli::printer::Printer;
use crate::cli::references::{agent_names, derive};
use crate::cli::roles::problem_among;
use crate::cli::solve::{PlanDocument, sentence};
use crate::cli::watch::{ProgressForm, Watch};
use crate::rats::Tuple;
use crate::search::{Plan, SearchResult};
use crate::task::{OperatorId, PackedTask};
use crate::view::Document;
use crate::view::document::{self, Course, Orbits, References, Words};
use crate::view::gantt;
use crate::view::graph::graphs;
use crate::view::lanes::Lane;
use crate::view::layout::Layout;
use crate::view::plan::course;
use crate::view::words;

/// References that a page lists.
const LISTED: usize = 200;

/// The most labels of a word that is drawn.
const LONGEST_WORD: usize = 2_000;

/// Plans a problem, derives its references, and adds both to a page; only the plan if the references are not known within
/// the limits.
pub(super) fn add_problem(
    printer: &Printer,
    page: &mut Document,
    files: &[PathBuf],
    domain: &DomainArgs,
    limits: LimitArgs,
    control: &Deadline<'_>,
) -> Result<()> {
    let problem = problem_among(files, domain)?;
    let loaded = load(printer, &problem, Purpose::Plan, &|| control.over())?;
    let task = &loaded.task;
    let played = load(printer, &problem, Purpose::Play, &|| control.over())?;
    nature::check(task, "no plan is optimal")?;
    any_order::check(task, "no plan is optimal")?;
    let options = limits.search();
    let key = Key::first(task, ObjectiveName::Declared);
    let watch = Watch::new(control, printer, task, key, ProgressForm::Text);
    match derive(task, None, &options, &watch)? {
        Ok(derived) => {
            let mut result = derived.result;
            result.dag = None;
            page.plan = Some(plan_of(&played, &loaded, &result, key, &derived.plan)?);
            // Where they are not known, the references are shown one by one.
            let orbits = orbits(task, &derived.references, control)
                .ok()
                .filter(|orbits| !orbits.classes.is_empty());
            let (automata, left_out) = graphs(&derived.references, orbits.as_ref());
            page.notes.extend(left_out);
            let found = &derived.references;
            let words = found.agents.iter().map(|agent| Words {
                agent: agent.name.clone(),
                count: agent.count.exact().map(ToString::to_string),
                shortest: agent.shortest,
                longest: agent.longest,
            });
            let listed: Vec<Tuple> = match &orbits {
                Some(orbits) => orbits.tuples.iter().take(LISTED).collect(),
                None => found.iter().take(LISTED).collect(),
            };
            page.references = Some(References {
                problem: task.problem.clone(),
                semantics: task.semantics.clone(),
                makespan: derived.plan.value.makespan,
                actions: derived.plan.value.labels,
                plans: Some(found.plans.to_string()),
                references_total: found.total.exact().map(ToString::to_string),
                complete: true,
                per_agent: words.collect(),
                automata,
                references: listed
                    .iter()
                    .map(|tuple| by_agent(task, found, tuple))
                    .collect(),
                orbits: orbits.map(|orbits| Orbits {
                    total: orbits.total().to_string(),
                    sizes: listed
                        .iter()
                        .map(|tuple| orbits.size(tuple).to_string())
                        .collect(),
                    interchangeable: orbits.classes,
                }),
            });
        }
        Err(result) => {
            let Some(plan) = result.outcome.plan().cloned() else {
                return Err(Failure::Limit {
                    message: format!("there is no plan to show: {}", sentence(task, &result, key)),
                    help: "give it more time with `--time-limit`",
                });
            };
            page.notes.push(format!(
                "the references are not known: {}",
                sentence(task, &result, key)
            ));
            page.plan = Some(plan_of(&played, &loaded, &result, key, &plan)?);
        }
    }
    Ok(())
}

fn by_agent(
    task: &PackedTask,
    references: &crate::rats::References,
    tuple: &Tuple,
) -> IndexMap<String, Vec<String>> {
    let texts = tuple.iter().map(|word| {
        let texts = word
            .iter()
            .map(|&symbol| references.alphabet.text(symbol).to_owned());
        texts.collect()
    });
    agent_names(task).into_iter().zip(texts).collect()
}

/// The lanes of a plan.
pub(in crate::cli) fn chart(task: &PackedTask, plan: &Plan) -> Result<Vec<Lane>> {
    Ok(played(task, None, &joint_actions(plan))?.lanes)
}

/// The joint actions of a plan, one a tick.
fn joint_actions(plan: &Plan) -> Vec<Vec<OperatorId>> {
    let timesteps = plan.steps.chunk_by(|one, next| one.tick == next.tick);
    timesteps
        .map(|timestep| timestep.iter().map(|step| step.operator).collect())
        .collect()
}

fn played(task: &PackedTask, layout: Option<&Layout>, joint: &[Vec<OperatorId>]) -> Result<Course> {
    course(task, layout, joint)
        .map_err(|error| Failure::Unusable(format!("the plan is not possible: {error}")))
}

/// The plan of a search, on the task as it is played: that for planning leaves out what no goal needs, words among them.
fn plan_of(
    played: &Loaded,
    loaded: &Loaded,
    result: &SearchResult,
    key: Key,
    plan: &Plan,
) -> Result<document::Plan> {
    let planned = joint_actions(plan).into_iter().map(|joint| {
        let named = joint
            .into_iter()
            .map(|operator| loaded.task.operator(operator));
        named
            .map(|operator| (operator.agent, operator.name.clone()))
            .collect()
    });
    let joint = operators(&played.task, &planned.collect::<Vec<_>>())
        .map_err(|action| Failure::Internal(format!("`{action}` of the plan cannot be played")))?;
    let document = serde_json::to_value(PlanDocument::new(loaded, result, key)).unwrap_or_default();
    shown(played, &joint, &document)
}

/// The operators of agents by name; the name of the first that is none of the task.
fn operators(
    task: &PackedTask,
    named: &[Vec<(u16, String)>],
) -> std::result::Result<Vec<Vec<OperatorId>>, String> {
    let ids = (0..).map(OperatorId).zip(&task.operators);
    let ids: BTreeMap<(u16, &str), OperatorId> = ids
        .map(|(id, operator)| ((operator.agent, &*operator.name), id))
        .collect();
    let joint = named.iter().map(|joint| {
        let found = joint.iter().map(|(agent, name)| {
            ids.get(&(*agent, &**name))
                .copied()
                .ok_or_else(|| name.clone())
        });
        found.collect()
    });
    joint.collect()
}

/// A plan with the figures of its document.
fn shown(loaded: &Loaded, joint: &[Vec<OperatorId>], document: &Value) -> Result<document::Plan> {
    let task = &loaded.task;
    let course = played(task, loaded.layout.as_ref(), joint)?;
    let present = |key: &str| document.get(key).filter(|value| !value.is_null()).cloned();
    Ok(document::Plan {
        svg: gantt::svg(&task.problem, &course.lanes),
        domain: task.domain.clone(),
        problem: task.problem.clone(),
        semantics: task.semantics.clone(),
        makespan: joint.len() as u32,
        actions: present("actions").and_then(|actions| actions.as_u64()),
        cost: present("cost"),
        optimal: document
            .get("optimal")
            .and_then(Value::as_bool)
            .unwrap_or(false),
        lower_bound: present("lower_bound"),
        gap: present("gap").and_then(|gap| gap.as_f64()),
        course,
    })
}

/// Adds the plan of a document of `plan --format json`.
pub(super) fn add_document(
    printer: &Printer,
    page: &mut Document,
    path: &Path,
    document: &Value,
    problem: &ProblemArgs,
) -> Result<()> {
    let entries = document
        .get("plan")
        .and_then(Value::as_array)
        .ok_or_else(|| {
            Failure::usage(
                format!("{}: holds no plan", path.display()),
                "give a document of `plan --format json`, or a problem to see its references",
            )
        })?;
    let loaded = load(printer, problem, Purpose::Play, &|| false)?;
    let task = &loaded.task;
    let malformed = |reason: String| Failure::malformed(path, reason);
    let unknown = |action: &str| {
        format!("`{action}` is no action of this problem; `--problem FILE` gives another")
    };
    let mut named: Vec<Vec<(u16, String)>> = Vec::new();
    for entry in entries {
        let text = |key: &str| entry.get(key).and_then(Value::as_str);
        let Some(action) = text("action") else {
            continue;
        };
        let agent = task
            .agents
            .iter()
            .position(|agent| Some(&*agent.name) == text("agent"));
        let agent = agent.ok_or_else(|| malformed(unknown(action)))?;
        let tick = entry.get("tick").and_then(Value::as_u64).unwrap_or(0) as usize;
        if tick > named.len() {
            return Err(malformed(format!(
                "the plan has nothing in tick {}",
                named.len()
            )));
        }
        if tick == named.len() {
            named.push(Vec::new());
        }
        named[tick].push((agent as u16, action.to_owned()));
    }
    let joint = operators(task, &named).map_err(|action| malformed(unknown(&action)))?;
    page.plan = Some(shown(&loaded, &joint, document)?);
    Ok(())
}

/// Adds the references of a document of `rats --format json`, of which the automata are those of the listed references.
pub(super) fn add_references(page: &mut Document, path: &Path, document: &Value) -> Result<()> {
    let malformed = |reason: &str| Failure::malformed(path, reason);
    let listed: Vec<IndexMap<String, Vec<String>>> =
        serde_json::from_value(document.get("references").cloned().unwrap_or_default())
            .map_err(|_| malformed("its references are no lists of labels by agent"))?;
    let text = |key: &str| document.get(key).and_then(Value::as_str).map(str::to_owned);
    let number = |key: &str| document.get(key).and_then(Value::as_u64).unwrap_or(0) as u32;
    let total = text("references_total");
    let orbits = match document.get("orbits") {
        None => None,
        Some(orbits) => {
            let orbits: Orbits = serde_json::from_value(orbits.clone())
                .map_err(|_| malformed("its orbits are no numbers and classes of objects"))?;
            Some(orbits)
        }
    };
    let (all, what) = match &orbits {
        Some(orbits) => (Some(&orbits.total), "orbits of references"),
        None => (total.as_ref(), "references"),
    };
    let is_complete = all == Some(&listed.len().to_string());
    if !is_complete {
        let of_all = all.map_or("an unknown number", String::as_str);
        page.notes.push(format!(
            "the document lists {} of {of_all} {what}: the automata hold only these; `rats --limit N` lists more",
            listed.len()
        ));
    }
    let mut by_agent: IndexMap<&str, Vec<Vec<String>>> = IndexMap::new();
    for (agent, word) in listed.iter().flatten() {
        if word.len() > LONGEST_WORD {
            return Err(malformed("a list of labels is too long to be drawn"));
        }
        by_agent.entry(agent).or_default().push(word.clone());
    }
    let per_agent = document.get("per_agent").and_then(Value::as_object);
    let words = per_agent.into_iter().flatten().map(|(agent, words)| {
        let length = |key: &str| words.get(key).and_then(Value::as_u64).unwrap_or(0) as u32;
        Words {
            agent: agent.clone(),
            count: words
                .get("count")
                .and_then(Value::as_str)
                .map(str::to_owned),
            shortest: length("shortest"),
            longest: length("longest"),
        }
    });
    let mut automata = Vec::new();
    for (agent, words) in &by_agent {
        match words::graph(agent, words) {
            Ok(graph) => automata.push(graph),
            Err(states) => page.notes.push(format!(
                "the automaton of {agent} is not drawn: it has {states} states"
            )),
        }
    }
    page.references = Some(References {
        problem: text("problem").unwrap_or_default(),
        semantics: text("semantics").unwrap_or_default(),
        makespan: number("makespan"),
        actions: number("actions"),
        plans: text("plans"),
        references_total: total,
        complete: is_complete,
        per_agent: words.collect(),
        automata,
        references: listed.into_iter().take(LISTED).collect(),
        orbits,
    });
    Ok(())
}
