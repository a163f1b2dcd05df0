//! The techniques of the search: what each is, where it comes from, when it applies.

use super::configuration::Configuration;
use super::record::Run;

/// A technique, and the two configurations that show its worth.
pub(super) struct Technique {
    /// Its name.
    pub(super) name: &'static str,
    /// Its definition, its source, the tasks to which it applies.
    pub(super) about: &'static str,
    /// The configuration with it.
    pub(super) with: Configuration,
    /// The configuration without it.
    pub(super) without: Configuration,
    /// Returns true if it came into play in a run with the default options.
    pub(super) fired: fn(&Run) -> bool,
}

/// All techniques that an option turns off.
pub(super) const TECHNIQUES: [Technique; 9] = [
    Technique {
        name: "Symmetry",
        about: "States that differ only in which of interchangeable objects is where are one: N. Pochter, A. \
                Zohar, J. S. Rosenschein, \"Exploiting Problem Symmetries in State-Based Planners\", AAAI 2011. \
                Applies wherever exchanging the names of two objects leaves the task as it is, its initial state \
                apart. The portfolio looks for such objects after its first attempt; `--symmetry off` is without.",
        with: Configuration::Default,
        without: Configuration::SymmetryOff,
        fired: |run| run.has_symmetry,
    },
    Technique {
        name: "Stubborn sets",
        about: "Operators whose order does not matter are left out: Y. Alkhazraji, M. Wehrle, R. Mattmüller, M. \
                Helmert, \"A Stubborn Set Algorithm for Optimal Planning\", ECAI 2012. Applies to one plan of one \
                agent, without delayed effects, events or a clock. The portfolio uses it if a sample of its first \
                attempt leaves out a fifth of the operators; `--pruning none` is without.",
        with: Configuration::Default,
        without: Configuration::PruningOff,
        fired: |run| run.pruned > 0,
    },
    Technique {
        name: "Incumbents",
        about: "Greedy best-first search with relaxed plans (S. Richter, M. Westphal, \"The LAMA planner\", JAIR 39, \
                2010), best-first width search (N. Lipovetzky, H. Geffner, AAAI 2017), beams, and the neighbourhood \
                of the best plan (H. Nakhost, M. Müller, ICAPS 2010) look for plans while the proof runs. A plan \
                bounds what the proof has to expand, and is the answer at a limit. Applies where there is a goal and \
                no step improves the metric, once attempts have stored 100,000 states; `--anytime off` is without.",
        with: Configuration::Default,
        without: Configuration::AnytimeOff,
        fired: |run| run.has_tried("anytime"),
    },
    Technique {
        name: "LM-cut",
        about: "Landmark cuts in the delete relaxation: M. Helmert, C. Domshlak, \"Landmarks, Critical Paths and \
                Abstractions: What's the Difference Anyway?\", ICAPS 2009. Applies where one agent chooses at a time. \
                A\\* with it (`--heuristic lm-cut --symmetry on`), beside uniform-cost search.",
        with: Configuration::LmCut,
        without: Configuration::Blind,
        fired: |run| run.tried.iter().any(|lead| lead.contains("lm-cut")),
    },
    Technique {
        name: "Potentials",
        about: "Potentials of values and of pairs of values, from a linear program: F. Pommerening, M. Helmert, G. \
                Röger, J. Seipp, \"From Non-Negative to General Operator Cost Partitioning\", AAAI 2015. Applies \
                where operators have constant costs and are not too many. A\\* with them (`--heuristic potentials \
                --symmetry on`), beside uniform-cost search.",
        with: Configuration::Potentials,
        without: Configuration::Blind,
        fired: |run| run.tried.iter().any(|lead| lead.contains("potentials")),
    },
    Technique {
        name: "Patterns",
        about: "Distances in projections to single objects, added up: S. Edelkamp, \"Planning with Pattern \
                Databases\", ECP 2001; P. Haslum, B. Bonet, H. Geffner, AAAI 2005. Applies where one agent acts and \
                the goal is made of many objects; they take seconds to build. A\\* with them (`--heuristic patterns \
                --symmetry on`), beside uniform-cost search.",
        with: Configuration::Patterns,
        without: Configuration::Blind,
        fired: |run| run.tried.iter().any(|lead| lead.contains("patterns")),
    },
    Technique {
        name: "Abstractions and views of agents",
        about: "Distances in one Cartesian abstraction that is refined (J. Seipp, M. Helmert, \"Counterexample-Guided \
                Cartesian Abstraction Refinement\", ICAPS 2013); where several agents act in each tick, in a view of \
                each: its own variables exactly, of others only what may be known. Applies to every task with a goal; \
                the portfolio's last resort. A\\* with them (`--heuristic abstractions --symmetry on`), beside \
                uniform-cost search.",
        with: Configuration::Abstractions,
        without: Configuration::Blind,
        fired: |run| run.has_tried("abstractions"),
    },
    Technique {
        name: "Decision diagrams over ticks",
        about: "States of a tick that agree on the variables of a key are one node, with a set of values for each other \
                variable: H. R. Andersen, T. Hadzic, J. N. Hooker, P. Tiedemann, \"A constraint store based on \
                multivalued decision diagrams\", CP 2007. Keys grow by what a walk through the states shows. Applies \
                to the fewest ticks to a goal; the portfolio uses them where several agents choose in each tick. \
                Horizon after horizon (`--heuristic decision-diagrams --symmetry on`), beside uniform-cost search.",
        with: Configuration::DecisionDiagrams,
        without: Configuration::Blind,
        fired: |run| run.has_tried("decision-diagrams"),
    },
    Technique {
        name: "Iterative deepening",
        about: "IDA\\* with a transposition table (R. E. Korf, Artificial Intelligence 27, 1985; A. Reinefeld, T. A. \
                Marsland, IEEE PAMI 16, 1994). Applies where a memory limit was met, to one plan with a heuristic. \
                Measured within 16 MiB, on instances that take more without that limit; `--deepening off` is without.",
        with: Configuration::LittleMemory,
        without: Configuration::DeepeningOff,
        fired: |run| run.has_tried("deepening"),
    },
];
