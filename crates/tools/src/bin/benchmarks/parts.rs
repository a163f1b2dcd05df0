//! Defines the measurements of each part of the page.

use crate::record::Tool;

/// A part of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Part {
    /// Instances of the planning competitions
    Competition,
    /// Speed and memory of blind search
    Blind,
    /// Reading and grounding
    Grounding,
    /// All optimal plans
    Plans,
    /// Time and memory as problems grow
    Growth,
    /// One thread and two
    Threads,
    /// A search of many states
    States,
}

impl Part {
    pub(crate) const ALL: [Self; 7] = [
        Self::Competition,
        Self::Blind,
        Self::Grounding,
        Self::Plans,
        Self::Growth,
        Self::Threads,
        Self::States,
    ];

    /// Returns the tools that are run on each instance, in order.
    pub(crate) const fn tools(self) -> &'static [Tool] {
        use Tool::{
            All, Alone, Blind, BlindTwo, FdBlind, FdLmcut, Ground, Plan, PlanTwo, States, Translate,
        };
        match self {
            Self::Competition => &[Plan, All, Translate, FdBlind, FdLmcut],
            Self::Blind => &[Ground, Blind, Translate, FdBlind],
            Self::Grounding => &[Ground, Translate],
            Self::Plans => &[All],
            Self::Growth => &[Plan, Translate, FdBlind, FdLmcut],
            Self::Threads => &[Blind, BlindTwo, Plan, PlanTwo],
            Self::States => &[Ground, States, Alone],
        }
    }

    /// The smaller instances of a family that grows.
    pub(crate) fn smaller(self, instance: &str) -> Vec<String> {
        let families = FAMILIES.iter().map(Family::instances);
        families
            .filter(|_| self == Self::Growth)
            .filter_map(|mut names| {
                let at = names.iter().position(|name| name == instance)?;
                names.truncate(at);
                Some(names)
            })
            .flatten()
            .collect()
    }

    /// Returns the instances, but for those of the competitions, which the folder of instances lists.
    pub(crate) fn instances(self) -> Vec<String> {
        let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        match self {
            Self::Competition => Vec::new(),
            Self::Blind => names(BLIND),
            Self::Grounding => names(GROUNDING),
            Self::Plans => (4..=16)
                .step_by(2)
                .map(|balls| format!("gripper-{balls}"))
                .collect(),
            Self::Growth => FAMILIES.iter().flat_map(Family::instances).collect(),
            Self::Threads => names(THREADS),
            Self::States => names(STATES),
        }
    }
}

/// The instances of blind search; the first is solved at once, and shows the cost of a process before it searches.
const BLIND: &[&str] = &[
    "gripper-1",
    "gripper-12",
    "gripper-14",
    "gripper-16",
    "11-puzzle-30",
    "logistics-6",
    "blocks/probBLOCKS-9-0.pddl",
    "citycar-opt14-adl/p2-2-2-2-1.pddl",
    "citycar-opt14-adl/p2-2-3-1-2.pddl",
    "depot/p03.pddl",
    "driverlog/p04.pddl",
    "driverlog/p06.pddl",
    "parcprinter-opt11-strips/p05.pddl",
    "sokoban-opt08-strips/p04.pddl",
    "transport-opt08-strips/p03.pddl",
    "visitall-opt11-strips/problem06-half.pddl",
    "zenotravel/p06.pddl",
];

/// Problems with many ground operators.
const GROUNDING: &[&str] = &[
    "gripper-200",
    "gripper-1000",
    "blocks-40",
    "blocks-80",
    "puzzle-5",
    "puzzle-8",
    "delivery-20",
    "delivery-40",
    "citycar-opt14-adl/p3-3-2-2-1.pddl",
    "rubiks-cube-opt23-adl/p02.pddl",
    "sokoban-opt08-strips/p05.pddl",
    "transport-opt08-strips/p04.pddl",
];

/// Searches that take long enough for a second thread.
const THREADS: &[&str] = &[
    "gripper-14",
    "gripper-16",
    "11-puzzle-30",
    "logistics-6",
    "blocks/probBLOCKS-9-0.pddl",
    "depot/p03.pddl",
    "driverlog/p04.pddl",
    "satellite/p03-pfile3.pddl",
];

/// A puzzle, and the number of states at which its search ends.
const STATES: &[&str] = &["11-puzzle-2000/1000000", "11-puzzle-2000/20000000"];

/// Problems that grow.
#[derive(Debug)]
pub(crate) struct Family {
    pub(crate) title: &'static str,
    /// The parameter that grows.
    pub(crate) size: &'static str,
    /// The name before the number, or of the bundled problems' folder.
    name: &'static str,
    sizes: &'static [&'static str],
}

impl Family {
    /// By growing size.
    pub(crate) fn instances(&self) -> Vec<String> {
        let sizes = self.sizes.iter();
        sizes.map(|size| format!("{}{size}", self.name)).collect()
    }

    /// The size of an instance.
    pub(crate) fn size_of<'a>(&self, instance: &'a str) -> &'a str {
        instance.strip_prefix(self.name).unwrap_or(instance)
    }
}

pub(crate) const FAMILIES: &[Family] = &[
    Family {
        title: "Two cooks and delayed effects",
        size: "foods",
        name: "breakfast-",
        sizes: &["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"],
    },
    Family {
        title: "The bundled kitchen, a task of each level",
        size: "task",
        name: "collab-overcooked/",
        sizes: &[
            "baked_bell_pepper",
            "baked_potato_slices",
            "baked_bell_pepper_soup",
            "sliced_bell_pepper_and_corn_stew",
            "mashed_broccoli_and_bean_patty",
        ],
    },
    Family {
        title: "Gripper",
        size: "balls",
        name: "gripper-",
        sizes: &["4", "6", "8", "10", "12", "14", "16", "18"],
    },
    Family {
        title: "11-puzzle",
        size: "random moves",
        name: "11-puzzle-",
        sizes: &["10", "20", "30", "40", "50", "60", "80"],
    },
    Family {
        title: "Logistics",
        size: "packages",
        name: "logistics-",
        sizes: &["2", "4", "6", "8", "10", "12"],
    },
];
