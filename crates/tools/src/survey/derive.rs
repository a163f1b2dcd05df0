//! From the texts of a problem to its line.

use indexmap::IndexMap;
use num_bigint::BigUint;

use super::error::SurveyError;
use super::line::{AgentFigures, Annotation, Completeness, Line, SCHEMA, Status};
use super::sources::Texts;
use brigade::rats::collab::Annotated;
use brigade::rats::compare::{AgentMismatch, CompareOptions, compare};
use brigade::rats::flawless::FlawlessPlay;
use brigade::rats::{Limits, References};
use brigade::report::comparison::played_ticks;
use brigade::search::{Control, Outcome, SearchOptions, SearchResult, solve, verify};
use brigade::task::PackedTask;
use brigade::task::json::planning_fingerprint;

/// Derives what is known of a problem under a semantics, within the limits of the search.
pub fn derive(
    texts: Texts<'_>,
    semantics: &str,
    annotated: Option<&Annotated>,
    options: &SearchOptions,
    control: &dyn Control,
) -> Result<Line, SurveyError> {
    let level = texts.level().ok_or(SurveyError::Level)?;
    let task = texts.compile(semantics)?;
    let options = options.clone().with_all_plans(true);
    let mut result = solve(&task, &options, control);
    if let Some(plan) = result.outcome.plan() {
        verify(&task, plan)?;
    }
    let interrupted = || control.stop().is_some();
    let limits = Limits {
        interrupted: &interrupted,
        ..Limits::default()
    };
    let agents: Vec<String> = task.agents.iter().map(|agent| agent.name.clone()).collect();
    let references = result
        .dag
        .take()
        .map(|dag| References::derive(&dag, &agents, &task.labels, &limits));
    let mut line = unannotated(level, &task, &result);
    if let Some(references) = &references {
        add_references(&mut line, references);
    }
    if let Some(annotated) = annotated {
        let annotation = annotation(&task, annotated, references.as_ref())?;
        // An annotated reference that can be played is a plan, if the search has found no better one.
        if line.status == Status::Bounded {
            let played = annotation.played.iter().flatten().copied();
            line.upper_bound = played.chain(line.upper_bound).min();
        }
        line.annotation = Some(annotation);
    }
    Ok(line)
}

/// Returns the line with the results of the search itself.
fn unannotated(level: u32, task: &PackedTask, result: &SearchResult) -> Line {
    let mut line = Line {
        schema: SCHEMA,
        level,
        problem: task.problem.clone(),
        semantics: task.semantics.clone(),
        compiled: planning_fingerprint(task),
        status: Status::Unsolvable,
        stopped: result.dag_stopped.map(|reason| reason.to_string()),
        lower_bound: None,
        upper_bound: None,
        makespan: None,
        actions: None,
        plans: None,
        references_total: None,
        references_bounds: None,
        agents: IndexMap::new(),
        annotation: None,
    };
    match &result.outcome {
        Outcome::Solved(plan) => {
            let makespan = Some(plan.value.makespan);
            line.status = Status::Proven;
            (line.lower_bound, line.upper_bound, line.makespan) = (makespan, makespan, makespan);
            line.actions = Some(plan.value.labels);
        }
        Outcome::Unsolvable => {}
        Outcome::Bounded {
            lower,
            upper,
            reason,
        } => {
            line.status = Status::Bounded;
            line.stopped = Some(reason.to_string());
            line.lower_bound = lower.map(|value| value.makespan);
            line.upper_bound = upper.as_ref().map(|plan| plan.value.makespan);
        }
    }
    line
}

fn add_references(line: &mut Line, references: &References) {
    let total = &references.total;
    line.plans = Some(references.plans.to_string());
    line.references_total = total.exact().map(BigUint::to_string);
    if line.references_total.is_none() {
        line.references_bounds = Some([&total.lower, &total.upper].map(BigUint::to_string));
    }
    let figures = references.agents.iter().map(|agent| {
        let figures = AgentFigures {
            fewest: agent.shortest,
            most: agent.longest,
            sequences: agent.count.exact().map(BigUint::to_string),
        };
        (agent.name.clone(), figures)
    });
    line.agents = figures.collect();
}

fn annotation(
    task: &PackedTask,
    annotated: &Annotated,
    references: Option<&References>,
) -> Result<Annotation, AgentMismatch> {
    for (reference, words) in annotated {
        if words.len() != task.agents.len() {
            return Err(AgentMismatch {
                reference: reference.clone(),
                expected: task.agents.len(),
                found: words.len(),
            });
        }
    }
    let mut figures = Annotation {
        references: annotated.len(),
        labels: labels(task, annotated),
        played: annotated
            .values()
            .map(|words| played_ticks(task, words))
            .collect(),
        optimal: None,
        missing: None,
        completeness: None,
    };
    if let Some(references) = references {
        let comparison = compare(annotated, references, &CompareOptions::default())?;
        let numbered = comparison.annotated.iter().zip(1..);
        let optimal = numbered.filter_map(|(verdict, number)| verdict.optimal.then_some(number));
        figures.optimal = Some(optimal.collect());
        figures.missing = comparison.missing_total;
        figures.completeness = comparison.flawless_play.as_ref().map(completeness);
    }
    Ok(figures)
}

/// By agent, the fewest and the most labels of the annotated references.
fn labels(task: &PackedTask, annotated: &Annotated) -> IndexMap<String, [usize; 2]> {
    let agents = task.agents.iter().enumerate();
    agents
        .filter_map(|(index, agent)| {
            let lengths = annotated.values().map(|words| words[index].len());
            let bounds = [lengths.clone().min()?, lengths.max()?];
            Some((agent.name.clone(), bounds))
        })
        .collect()
}

fn completeness(play: &FlawlessPlay) -> Completeness {
    let rounded = |value: f64| (value * 1e6).round() / 1e6;
    Completeness {
        scored: play.scored.clone(),
        all: play.all,
        least: rounded(play.min),
        mean: rounded(play.mean),
        greatest: rounded(play.max),
        perfect: play.perfect.clone(),
    }
}
