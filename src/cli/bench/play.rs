//! One episode: the agents of its set-up act, and its log is written.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::{Duration, Instant};

use super::config::Planned;
use super::folder::{EpisodeLog, Folder};
use super::setup::{Policy, design_and_model};
use super::stage::Stage;
use crate::agents::{
    Greedy, Nature, OnlinePlanner, Planner, Plans, Policy as Acting, PolicyError, Random,
};
use crate::cli::control::interrupted;
use crate::cli::exec::{Exec, Program};
use crate::cli::exit::{Failure, Result};
use crate::cli::models::{Stack, Timed};
use crate::cli::online::{Online, SharedPlans};
use crate::cli::shared_log::SharedLog;
use crate::episode::{End, EndReason, Episode, Evaluated, Event, OnInvalid, Rules, Sink};
use crate::llm::{Member, Setup, Team};
use crate::search::{Control, SearchOptions, StopReason};

/// The end of an episode.
#[derive(Clone, Debug)]
pub(super) struct Ended {
    pub(super) reason: EndReason,
    pub(super) detail: Option<String>,
    pub(super) took: Took,
    /// Ticks of all trials.
    pub(super) ticks: u32,
}

/// The times of the parts of an episode.
#[derive(Clone, Copy, Debug)]
pub(super) struct Took {
    pub(super) all: Duration,
    /// Waiting for models and cassettes.
    pub(super) model: Duration,
    /// Waiting until the logs were on the disk.
    pub(super) disk: Duration,
}

/// The bounds of a run.
#[derive(Clone, Debug)]
pub(super) struct Bounds {
    pub(super) deadline: Option<Instant>,
    pub(super) search: SearchOptions,
}

impl Control for Bounds {
    fn stop(&self) -> Option<StopReason> {
        if interrupted() {
            return Some(StopReason::Interrupted);
        }
        let over = self.deadline.is_some_and(|end| Instant::now() >= end);
        over.then_some(StopReason::Time)
    }
}

/// Plays an episode. Its log is put into its place if it was played to an end, else aside.
pub(super) fn play(
    stage: &Stage<'_>,
    stacks: &[Stack],
    folder: &Folder,
    planned: &Planned,
    bounds: &Bounds,
) -> Result<Ended> {
    let start = Instant::now();
    let problem = &stage.problems[planned.problem];
    let setup = &stage.bench.setups[planned.setup];
    let task = &problem.task;
    let named = planned
        .model
        .and_then(|model| stage.bench.models.get_index(model));
    let models = &stage.bench.models;
    let timed: BTreeMap<usize, Timed<'_>> = stage
        .bench
        .asked(planned)
        .into_iter()
        .filter_map(|model| {
            let (name, _) = models.get_index(model)?;
            Some((model, Timed::new(&*stacks[model].chat, name)))
        })
        .collect();
    let chosen: Vec<Policy> = task
        .agents
        .iter()
        .map(|agent| setup.policy(agent))
        .collect();
    let demonstrations = stage.demonstrations(planned, &chosen, stacks)?;
    let setups: Vec<Option<Setup<'_>>> = chosen
        .iter()
        .zip(&demonstrations)
        .map(|(policy, demonstration)| {
            let place = stage.design(planned.setup, policy)?;
            let used = &stage.designs[planned.setup][place];
            let model = stage.bench.model_of(planned, policy)?;
            Some(Setup {
                design: &used.design,
                prompts: &used.prompts,
                model: timed.get(&model)?,
                asking: models[model].asking(stacks[model].format),
                demonstration,
            })
        })
        .collect();
    let retries = setups.iter().flatten();
    let retries = retries.map(|setup| setup.design.correction.retries).max();
    let rules = Rules {
        max_ticks: stage.max_ticks(planned),
        on_invalid: OnInvalid::Ask,
        retries: retries.unwrap_or(0),
    };
    let mut log: SharedLog<EpisodeLog> = SharedLog::new();
    let known = task.as_announced();
    let team = Team::new(
        known.as_ref().unwrap_or(task),
        &setups,
        (planned.seed, planned.epoch),
        rules.max_ticks,
        log.listener(),
    )
    .map_err(|error| {
        Failure::usage(
            format!("set-up `{}`: {error}", setup.name),
            "give the agents other policies, or play another problem",
        )
    })?;
    let team = Rc::new(RefCell::new(team));
    let names: Vec<String> = chosen
        .iter()
        .map(|policy| shown(policy, named.map(|(name, _)| name.as_str())))
        .collect();
    let plans = Rc::new(RefCell::new(Plans::new(bounds.search.clone(), bounds)));
    let online = SharedPlans::new(
        known.as_ref().unwrap_or(task),
        bounds.search.clone(),
        bounds,
    );
    folder.begin(&planned.id)?;
    let most = team.borrow().trials() + 1;
    let mut ticks = 0;
    let mut disk = Duration::ZERO;
    let mut trials = 0;
    let mut failed: Option<End> = None;
    let end = loop {
        trials += 1;
        let mut policies: Vec<Box<dyn Acting + '_>> = Vec::new();
        for (agent, policy) in chosen.iter().enumerate() {
            policies.push(match policy {
                Policy::Planner => Box::new(Planner::new(Rc::clone(&plans))),
                Policy::Online(text) => {
                    let settings = text.strip_prefix(Online::PREFIX).unwrap_or(text);
                    let settings: Online = settings.parse().map_err(Failure::Internal)?;
                    Box::new(OnlinePlanner::new(online.with(&settings)))
                }
                Policy::Greedy => Box::new(Greedy::new()),
                Policy::Random => Box::new(Random::new(own_seed(planned))),
                Policy::Nature => Box::new(Nature::new(own_seed(planned))),
                Policy::Exec(command) => Box::new(Exec::new(
                    Program {
                        command: command.clone(),
                        folder: stage.folder.clone(),
                        timeout: setup.agent_timeout(),
                        seed: own_seed(planned),
                        max_ticks: rules.max_ticks,
                    },
                    bounds,
                )),
                Policy::Design(_) => Box::new(Member::new(Rc::clone(&team), agent)),
            });
        }
        let mut episode = Episode::new(task, rules);
        log.open(folder.create(&planned.id)?);
        let mut header = episode.header(&names, planned.seed);
        header.evaluation = Some(Evaluated {
            problem: problem.title.clone(),
            setup: setup.name.clone(),
            model: named.map(|(name, _)| name.clone()),
            epoch: planned.epoch,
            trial: trials,
        });
        header.streams.clone_from(&problem.streams);
        log.record(&Event::Header(header), episode.state())?;
        // What was learnt from the last trial belongs to this one.
        let learnt = match &failed {
            Some(last) => {
                let learnt = team.borrow_mut().reflect();
                learnt.map_err(|error| cut_short(last, &error))
            }
            None => Ok(()),
        };
        let end = match learnt {
            Ok(()) => {
                let end = episode.run(&mut policies, &mut log, &|| bounds.stop())?;
                ticks += end.ticks;
                end
            }
            Err(end) => end,
        };
        let Some(written) = log.close() else {
            break end;
        };
        if end.reason.is_cut_short() {
            let path = written.path().to_owned();
            drop(written);
            folder.put_aside(&path, &planned.id)?;
            break end;
        }
        if end.reason.is_whole(task) || trials == most {
            disk += folder.finish(&written, &planned.id)?;
            break end;
        }
        disk += folder.finish(&written, &format!("{}.trial{trials}", planned.id))?;
        failed = Some(end);
    };
    let took = Took {
        all: start.elapsed(),
        model: timed.values().map(Timed::time).sum(),
        disk,
    };
    Ok(Ended {
        reason: end.reason,
        detail: end.detail,
        took,
        ticks,
    })
}

/// The seed of a repetition.
fn own_seed(planned: &Planned) -> u64 {
    planned.seed ^ u64::from(planned.epoch - 1) << 32
}

/// A policy as the log's header names it.
fn shown(policy: &Policy, model: Option<&str>) -> String {
    match policy {
        Policy::Exec(command) => format!("exec:{command}"),
        Policy::Design(design) if design_and_model(design).1.is_none() => {
            format!("{design}@{}", model.unwrap_or("none"))
        }
        other => other.name().to_owned(),
    }
}

/// The end of an episode whose next trial cannot begin.
fn cut_short(end: &End, error: &PolicyError) -> End {
    let reason = match error {
        PolicyError::Infrastructure(_) => EndReason::Infrastructure,
        PolicyError::Configuration(_) => EndReason::Configuration,
        PolicyError::Limit(StopReason::Interrupted) => EndReason::Interrupted,
        PolicyError::Limit(_) | PolicyError::Budget(_) => EndReason::Limit,
        PolicyError::NoDraw(_) => EndReason::NoDraw,
        PolicyError::GaveUp(_) | PolicyError::Failed(_) => EndReason::PolicyError,
    };
    End {
        reason,
        detail: Some(error.to_string()),
        ..end.clone()
    }
}
