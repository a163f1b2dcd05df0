//! The tasks that are measured, and the figures known of them.

use std::error::Error;
use std::path::Path;

use super::record::Run;

/// Tasks of one system.
#[derive(Debug)]
pub struct Group {
    /// Its title.
    pub title: &'static str,
    /// The objective, and the source of the figures beside.
    pub about: &'static str,
    /// The folder of the problems, below `problems`.
    folder: &'static str,
    /// The names of its problems; empty if all of the folder are. `level-3-cooks-4` is `level-3` with orders drawn for four
    /// cooks.
    names: &'static [&'static str],
    /// The named semantics, if not the domain's own.
    pub semantics: Option<&'static str>,
    /// Figures to compare with, by the beginning of the problem's name.
    known: &'static [(&'static str, &'static str)],
}

/// A task.
#[derive(Clone, Copy, Debug)]
pub struct Task<'n> {
    /// Its group.
    pub group: &'static Group,
    /// The name of its problem file, without the ending.
    pub name: &'n str,
}

impl Group {
    /// Returns the figure to compare with.
    pub(super) fn known(&self, name: &str) -> &'static str {
        let found = self.known.iter().find(|(start, _)| name.starts_with(start));
        found.map_or("–", |(_, figure)| figure)
    }

    /// Returns true if a problem of this name is of the group.
    fn has(&self, name: &str) -> bool {
        self.names.is_empty() || self.names.contains(&name)
    }
}

impl Group {
    /// Returns the key of the task with a problem of this name.
    fn key(&self, name: &str) -> String {
        let semantics = self.semantics.map(|name| format!(" {name}"));
        let semantics = semantics.unwrap_or_default();
        format!("{}/{name}{semantics}", self.folder)
    }

    /// Returns the name of the problem of a run, if it is of the group.
    pub(super) fn name_of<'r>(&self, run: &'r Run) -> Option<&'r str> {
        let (path, semantics) = match run.task.split_once(' ') {
            Some((path, semantics)) => (path, Some(semantics)),
            None => (&*run.task, None),
        };
        let (folder, name) = path.split_once('/')?;
        let is_own = folder == self.folder && semantics == self.semantics && self.has(name);
        is_own.then_some(name)
    }
}

impl Task<'_> {
    /// Returns true if more is better, as its problem says.
    ///
    /// # Errors
    ///
    /// The problem cannot be read.
    pub fn is_most(&self, root: &Path) -> Result<bool, Box<dyn Error>> {
        let text = std::fs::read_to_string(root.join(self.path()))?;
        Ok(text.contains("(:metric maximize"))
    }

    /// Returns the path of its problem, from the root.
    pub fn path(&self) -> String {
        let problem = self.name.split_once(COOKS).map_or(self.name, |(it, _)| it);
        format!("problems/{}/{problem}.pddl", self.group.folder)
    }

    /// Returns the number of cooks for whom orders are drawn, if they are.
    pub fn cooks(&self) -> Option<&str> {
        self.name.split_once(COOKS).map(|(_, cooks)| cooks)
    }

    /// Returns the name that distinguishes it from all others.
    pub fn key(&self) -> String {
        self.group.key(self.name)
    }
}

/// Lists the names of the problems of a group, in order.
///
/// # Errors
///
/// The folder of problems cannot be read.
pub fn tasks(root: &Path, group: &Group) -> Result<Vec<String>, Box<dyn Error>> {
    if !group.names.is_empty() {
        return Ok(group.names.iter().map(|&name| name.to_owned()).collect());
    }
    let folder = root.join("problems").join(group.folder);
    let mut names = Vec::new();
    for entry in std::fs::read_dir(&folder)? {
        let name = entry?.file_name();
        let Some(name) = name.to_str().and_then(|name| name.strip_suffix(".pddl")) else {
            continue;
        };
        names.push(name.to_owned());
    }
    names.sort();
    Ok(names)
}

/// Stands between the name of a problem and the number of cooks.
const COOKS: &str = "-cooks-";
const OVERCOOKED: &str = "overcooked-ai";
const CUISINEWORLD: &str = "cuisineworld";
const FIRST_DELIVERIES: &[&str] = &[
    "asymmetric_advantages-deliver-1",
    "coordination_ring-deliver-1",
    "counter_circuit_o_1order-deliver-1",
    "cramped_room-deliver-1",
    "forced_coordination-deliver-1",
];
const LAYOUTS: &[&str] = &[
    "asymmetric_advantages",
    "coordination_ring",
    "counter_circuit_o_1order",
    "cramped_room",
    "forced_coordination",
];

/// All groups, in the order of the page.
pub const GROUPS: &[Group] = &[
    Group {
        title: "Overcooked-AI: the first delivery, old dynamics",
        about: "The fewest ticks until a soup is delivered, with all counters.",
        folder: OVERCOOKED,
        names: FIRST_DELIVERIES,
        semantics: Some("old-dynamics"),
        known: &[],
    },
    Group {
        title: "Overcooked-AI: the first delivery, new dynamics",
        about: "The same where cooking has to be started.",
        folder: OVERCOOKED,
        names: FIRST_DELIVERIES,
        semantics: None,
        known: &[],
    },
    Group {
        title: "Overcooked-AI: 400 steps, old dynamics",
        about: "The most reward. Beside: GPT-4, as published (LLM-Co, arXiv 2310.03903v1).",
        folder: OVERCOOKED,
        names: LAYOUTS,
        semantics: Some("old-dynamics"),
        known: &[
            ("asymmetric_advantages", "280"),
            ("coordination_ring", "180"),
            ("counter_circuit", "160"),
            ("forced_coordination", "200"),
        ],
    },
    Group {
        title: "CuisineWorld: more cooks",
        about: "The most orders in 60 ticks, known from the start (`generate orders --alpha 2`, seed 0), as cooks grow in number.",
        folder: CUISINEWORLD,
        names: &[
            "level-3-cooks-2",
            "level-3-cooks-3",
            "level-3-cooks-4",
            "level-3-cooks-5",
        ],
        semantics: None,
        known: &[],
    },
    Group {
        title: "CuisineWorld: larger kitchens",
        about: "The same for two cooks, as dishes have more parts and kitchens more tools.",
        folder: CUISINEWORLD,
        names: &[
            "level-0-cooks-2",
            "level-1-cooks-2",
            "level-4-cooks-2",
            "level-9-cooks-2",
            "level-11-cooks-2",
        ],
        semantics: None,
        known: &[],
    },
    Group {
        title: "Order Rush",
        about: "The fewest ticks until all orders are served, by a porter, a chef and a server.",
        folder: "order-rush",
        names: &[],
        semantics: None,
        known: &[],
    },
    Group {
        title: "CookMAS",
        about: "The fewest ticks until all dishes are served, by three cooks at once.",
        folder: "cookmas",
        names: &[],
        semantics: None,
        known: &[],
    },
    Group {
        title: "MindAgent's Minecraft kitchen",
        about: "The fewest ticks until all dishes are served; of `orders` the most orders.",
        folder: "minecraft-kitchen",
        names: &[],
        semantics: None,
        known: &[],
    },
    Group {
        title: "Robotouille for teams",
        about: "The fewest ticks until the dish is made, by cooks of whom one acts in each tick.",
        folder: "robotouille-in-turn",
        names: &[],
        semantics: None,
        known: &[],
    },
];
