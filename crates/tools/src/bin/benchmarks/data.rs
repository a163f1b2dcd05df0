//! The data by what they are about, and ratios of them.

use std::collections::HashMap;

use crate::record::{Line, Outcome, Published, Run, Setting, Tool};
use crate::text::factor;

/// The first instance of the part on blind search: solved at once, so that a process takes what it
/// takes without states.
pub(crate) const BASE: &str = "gripper-1";

/// The data by what they are about.
pub(crate) struct Data<'a> {
    pub(crate) setting: Option<&'a Setting>,
    pub(crate) published: Vec<&'a Published>,
    pub(crate) runs: HashMap<(&'a str, Tool), &'a Run>,
}

impl<'a> Data<'a> {
    pub(crate) fn new(lines: &'a [Line]) -> Self {
        let mut data = Self {
            setting: None,
            published: Vec::new(),
            runs: HashMap::new(),
        };
        for line in lines {
            match line {
                Line::Setting(setting) => data.setting = Some(setting),
                Line::Published(published) => data.published.push(published),
                Line::Run(run) => {
                    data.runs.insert((&run.instance, run.tool), run);
                }
            }
        }
        data
    }

    pub(crate) fn run(&self, instance: &str, tool: Tool) -> Option<&'a Run> {
        self.runs.get(&(instance, tool)).copied()
    }

    /// The run if it ended with what was asked for.
    pub(crate) fn done(&self, instance: &str, tool: Tool) -> Option<&'a Run> {
        self.run(instance, tool)
            .filter(|run| run.outcome == Outcome::Done)
    }

    /// Seconds of Fast Downward's translator and one of its searches.
    pub(crate) fn peer(&self, instance: &str, search: Tool) -> Option<f64> {
        let translator = self.done(instance, Tool::Translate)?;
        Some(translator.cpu + self.done(instance, search)?.cpu)
    }

    /// Fast Downward's better search, and the seconds of both its processes.
    pub(crate) fn best_peer(&self, instance: &str) -> Option<(&'static str, f64)> {
        let searches = [("blind", Tool::FdBlind), ("LM-cut", Tool::FdLmcut)];
        let times = searches
            .into_iter()
            .filter_map(|(name, search)| Some((name, self.peer(instance, search)?)));
        times.min_by(|one, other| one.1.total_cmp(&other.1))
    }

    /// Bytes of each stored state: what the process takes beyond one that stores none.
    pub(crate) fn state_bytes(&self, run: &Run) -> Option<f64> {
        let base = self.run(BASE, run.tool)?.peak_kib;
        let states = run.found.states.filter(|&states| states >= 50_000)?;
        Some((run.peak_kib.saturating_sub(base) * 1024) as f64 / states as f64)
    }

    /// Seconds of Brigade's blind search: of the whole process, less reading and grounding.
    pub(crate) fn search(&self, instance: &str, tool: Tool) -> Option<f64> {
        let before = self.done(instance, Tool::Ground)?.cpu;
        Some((self.run(instance, tool)?.cpu - before).max(1e-6))
    }
}

/// A ratio for each of some instances.
pub(crate) struct Ratios {
    pub(crate) what: &'static str,
    pub(crate) ratios: Vec<(f64, String)>,
}

impl Ratios {
    pub(crate) const fn new(what: &'static str) -> Self {
        Self {
            what,
            ratios: Vec::new(),
        }
    }

    pub(crate) fn add(&mut self, ratio: f64, instance: &str) -> String {
        self.ratios.push((ratio, instance.to_owned()));
        factor(ratio)
    }

    /// Number, median, least and where, greatest.
    pub(crate) fn row(mut self) -> Option<Vec<String>> {
        self.ratios.sort_by(|one, other| one.0.total_cmp(&other.0));
        let (least, at) = self.ratios.first()?;
        let median = self.ratios[self.ratios.len() / 2].0;
        Some(vec![
            self.what.to_owned(),
            self.ratios.len().to_string(),
            factor(median),
            factor(*least),
            format!("`{at}`"),
            factor(self.ratios.last()?.0),
        ])
    }
}
