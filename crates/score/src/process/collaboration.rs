//! Classes the requests and promises of agents by the optimal plans from the state at hand, and the responses of the
//! asked agents.

use std::collections::BTreeMap;

use super::super::spoken::Spoken;
use super::ahead::Ahead;
use super::cost_to_go::{CostToGo, NoPlans};
use super::requests::{
    ClassedPromise, ClassedRequest, Collaboration, InitiationClass, ResponseClass, Verdict,
};
use super::walk::Walk;
use brigade_play::episode::{Lexicon, Log};
use brigade_search::{Control, StopReason};
use brigade_task::{LabelId, PackedTask};

/// Classes the requests and promises of a log.
pub(super) fn collaboration(
    log: &Log,
    walk: &Walk<'_>,
    costs: &mut CostToGo<'_>,
    control: &dyn Control,
) -> Collaboration {
    let spoken = Spoken::of(log);
    if spoken.requests.is_empty() && spoken.responses.is_empty() {
        return Collaboration::default();
    }
    let task = costs.task();
    let mut judge = Judge {
        lexicon: Lexicon::new(task),
        task,
        walk,
        costs,
        control,
        stopped: None,
    };
    let mut result = Collaboration::default();
    let mut blocks: BTreeMap<(u32, &str, &str), Vec<usize>> = BTreeMap::new();
    for (index, (_, request)) in spoken.requests.iter().enumerate() {
        let key = (request.tick, request.agent.as_str(), request.of.as_str());
        blocks.entry(key).or_default().push(index);
    }
    let mut classed: Vec<Option<ClassedRequest>> = vec![None; spoken.requests.len()];
    for ((tick, agent, of), members) in blocks {
        let actions = members
            .iter()
            .map(|&index| &spoken.requests[index].1.action);
        let actions: Vec<&str> = actions.map(String::as_str).collect();
        let judged = judge.block(tick, agent, of, &actions);
        for (&index, judged) in members.iter().zip(judged) {
            let (line, request) = spoken.requests[index];
            let answer = spoken.answer(line, request);
            let accepted = answer.and_then(|answer| answer.accepts);
            let promised = answer.is_some_and(|answer| {
                let mut promises = answer.actions.iter();
                promises.any(|promise| judge.is_same(of, promise, &request.action))
            });
            let response = match (judged.done, judged.is_next) {
                (Some(_), true) => ResponseClass::Followed,
                (Some(_), false) => ResponseClass::Later,
                (None, _) if accepted == Some(false) => ResponseClass::Refused,
                (None, _) => ResponseClass::Ignored,
            };
            classed[index] = Some(ClassedRequest {
                tick,
                agent: request.agent.clone(),
                of: request.of.clone(),
                action: request.action.clone(),
                initiation: judged.verdict,
                response,
                accepted,
                promised,
                done: judged.done,
            });
        }
    }
    result.requests = classed.into_iter().flatten().collect();
    for &(line, answer) in &spoken.responses {
        let actions: Vec<&str> = answer.actions.iter().map(String::as_str).collect();
        let judged = judge.block(answer.tick, &answer.agent, &answer.agent, &actions);
        for (action, judged) in answer.actions.iter().zip(judged) {
            let asked = spoken.asked(line, answer);
            result.promises.push(ClassedPromise {
                tick: answer.tick,
                agent: answer.agent.clone(),
                of: answer.of.clone(),
                action: action.clone(),
                initiation: judged.verdict,
                asked: asked
                    .iter()
                    .any(|request| judge.is_same(&answer.agent, action, &request.action)),
                done: judged.done,
            });
        }
    }
    result.stopped = judge.stopped;
    result.count();
    result
}

/// The findings on one action of a block.
struct Judged {
    verdict: Verdict,
    /// The timestep in which it was done afterwards.
    done: Option<u32>,
    /// True if nothing else that has a label was done before it but what the block has before it.
    is_next: bool,
}

struct Judge<'j, 't> {
    task: &'t PackedTask,
    lexicon: Lexicon,
    walk: &'j Walk<'j>,
    costs: &'j mut CostToGo<'t>,
    control: &'j dyn Control,
    stopped: Option<StopReason>,
}

impl Judge<'_, '_> {
    /// Judges actions of the agent `of` that were named at once by `agent`, in order.
    fn block(&mut self, tick: u32, agent: &str, of: &str, actions: &[&str]) -> Vec<Judged> {
        let (Some(speaker), Some(doer)) = (self.agent(agent), self.agent(of)) else {
            let unknown = if self.agent(agent).is_none() {
                agent
            } else {
                of
            };
            return actions
                .iter()
                .map(|_| Judged::without(format!("there is no agent `{unknown}`")))
                .collect();
        };
        let point = self.walk.point_of(self.task, tick, speaker);
        let past = self.recorded(doer, 0..point);
        let future = self.recorded(doer, point..self.walk.passages.len());
        let meant: Vec<Option<Vec<LabelId>>> = actions
            .iter()
            .map(|action| self.lexicon.labels(self.task, doer, action))
            .collect();
        let needs_plans = |labels: &Option<Vec<LabelId>>| {
            labels.as_ref().is_some_and(|labels| !labels.is_empty())
        };
        let dag = meant.iter().any(needs_plans).then(|| {
            let start = self.walk.start(point);
            self.costs.ahead(start, self.control)
        });
        if let Some(Err(NoPlans::Stopped(reason))) = dag {
            self.stopped.get_or_insert(reason);
        }
        let mut ahead = match &dag {
            Some(Ok(dag)) => Ok(Ahead::new(dag, doer)),
            Some(Err(error)) => Err(error.to_string()),
            None => Err(String::new()),
        };
        let mut correct: Vec<LabelId> = Vec::new();
        let mut next = 0;
        meant
            .iter()
            .map(|labels| {
                let Some(labels) = labels else {
                    return Judged::of(InitiationClass::Irrelevant);
                };
                if labels.is_empty() {
                    return Judged::without("it records no label".to_owned());
                }
                let done = future.iter().skip(next);
                let done = done
                    .zip(next..)
                    .find(|((_, label), _)| labels.contains(label));
                let is_next = done.is_some_and(|(_, index)| index == next);
                next += usize::from(is_next);
                let verdict = match &mut ahead {
                    Err(reason) => Verdict {
                        class: None,
                        reason: Some(reason.clone()),
                    },
                    Ok(plans) => {
                        let class = if let Some(rest) = plans.after(labels) {
                            *plans = rest;
                            InitiationClass::Correct
                        } else if plans.has(labels) {
                            InitiationClass::Premature
                        } else if past.iter().any(|(_, label)| labels.contains(label))
                            || correct.iter().any(|label| labels.contains(label))
                        {
                            InitiationClass::Repetitive
                        } else {
                            InitiationClass::Irrelevant
                        };
                        if class == InitiationClass::Correct {
                            correct.extend(labels);
                        }
                        Verdict {
                            class: Some(class),
                            reason: None,
                        }
                    }
                };
                Judged {
                    verdict,
                    done: done.map(|((tick, _), _)| *tick),
                    is_next,
                }
            })
            .collect()
    }

    fn agent(&self, name: &str) -> Option<usize> {
        let mut agents = self.task.agents.iter();
        agents.position(|agent| agent.name == name)
    }

    /// The labels that an agent recorded in some passages, with the ticks that had passed.
    fn recorded(&self, agent: usize, passages: std::ops::Range<usize>) -> Vec<(u32, LabelId)> {
        let passages = self.walk.passages[passages].iter();
        let labels = passages.flat_map(|passage| {
            let own = passage.labels.iter();
            let own = own.filter(|entry| usize::from(entry.agent) == agent);
            own.map(|entry| (passage.tick, entry.label))
        });
        labels.collect()
    }

    /// Returns true if two commands of an agent may record the same label.
    fn is_same(&self, agent: &str, one: &str, other: &str) -> bool {
        let labels = |text: &str| self.lexicon.labels(self.task, self.agent(agent)?, text);
        match (labels(one), labels(other)) {
            (Some(one), Some(other)) => one.iter().any(|label| other.contains(label)),
            _ => false,
        }
    }
}

impl Judged {
    fn of(class: InitiationClass) -> Self {
        Self {
            verdict: Verdict {
                class: Some(class),
                reason: None,
            },
            done: None,
            is_next: false,
        }
    }

    fn without(reason: String) -> Self {
        Self {
            verdict: Verdict {
                class: None,
                reason: Some(reason),
            },
            done: None,
            is_next: false,
        }
    }
}
