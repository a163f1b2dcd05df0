//! The options of grounding, its limits among them.

/// The options of grounding.
#[derive(Clone, Debug)]
pub struct Options {
    /// The greatest number of instances of actions, events and axioms that is tried.
    pub max_instances: usize,
    /// The most steps that finding instances and what is reachable may take. A step takes some
    /// nanoseconds.
    pub max_work: u64,
    /// The greatest size of all ground conditions, expressions and effects together, in parts that
    /// are visited. A part takes some tens of bytes.
    pub max_parts: usize,
    /// True to keep operators and facts that no goal can need, in a task of one implicit agent, and the facts in words.
    /// Planning is faster without; replaying any action needs them.
    pub keep_irrelevant: bool,
    /// True if operators carry their requirements in words, to explain refusals.
    pub requirements: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            keep_irrelevant: false,
            max_instances: 2_000_000,
            max_parts: 20_000_000,
            max_work: 2_000_000_000,
            requirements: true,
        }
    }
}
