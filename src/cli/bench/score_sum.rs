//! Scores of several episodes: means and shares with their intervals.

use indexmap::IndexMap;
use serde::Serialize;

use super::digest::Digest;
use super::scores::Scores;
use crate::report::estimate::{Estimate, Sample};

/// The scores of several episodes.
#[derive(Clone, Debug, Serialize)]
pub(super) struct ScoreSum {
    /// The number of these.
    pub(super) episodes: usize,
    /// The mean TES of each agent.
    pub(super) tes: IndexMap<String, Estimate>,
    /// The mean PC.
    pub(super) pc: Estimate,
    pub(super) joint_pc: Estimate,
    /// IC and RC, pooled over all requests.
    pub(super) ic: Estimate,
    pub(super) rc: Estimate,
}

impl ScoreSum {
    /// The scores of some episodes; `None` where none has any.
    pub(super) fn of(digests: &[&Digest]) -> Option<Self> {
        let scored: Vec<(&str, &Scores)> = digests
            .iter()
            .filter_map(|digest| Some((&*digest.problem, digest.scores.as_ref()?)))
            .collect();
        let mean = |measure: &dyn Fn(&Scores) -> Option<(f64, f64)>| {
            let samples = scored.iter().filter_map(|&(cluster, scores)| {
                let (value, weight) = measure(scores)?;
                Some(Sample {
                    cluster,
                    value,
                    weight,
                })
            });
            Estimate::mean(&samples.collect::<Vec<_>>())
        };
        let mut agents: Vec<&String> = Vec::new();
        for name in scored.iter().flat_map(|(_, scores)| scores.tes.keys()) {
            if !agents.contains(&name) {
                agents.push(name);
            }
        }
        let of_agent = |name: &String| mean(&|scores| Some((*scores.tes.get(name)?, 1.0)));
        let share = |part: fn(&Scores) -> u32| {
            mean(&|scores| {
                let requests = f64::from(scores.requests);
                (scores.requests > 0).then(|| (f64::from(part(scores)), requests))
            })
        };
        (!scored.is_empty()).then(|| Self {
            episodes: scored.len(),
            tes: agents
                .iter()
                .map(|name| ((*name).clone(), of_agent(name)))
                .collect(),
            pc: mean(&|scores| Some((scores.pc, 1.0))),
            joint_pc: mean(&|scores| Some((scores.joint_pc?, 1.0))),
            ic: share(|scores| scores.initiated),
            rc: share(|scores| scores.responded),
        })
    }
}
