//! The options of grounding, its limits among them.

/// The options of grounding. They are built from the default ones:
///
/// ```
/// use brigade_compile::ground::Options;
///
/// // For replaying any action, in a second or so.
/// let options = Options::default()
///     .with_irrelevant_kept(true)
///     .with_max_work(100_000_000);
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
#[must_use]
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

/// Choices, each of which makes options like these with one thing changed.
impl Options {
    /// Tries so many instances of actions, events and axioms at most. Default: 2,000,000.
    pub const fn with_max_instances(mut self, instances: usize) -> Self {
        self.max_instances = instances;
        self
    }

    /// Takes so many steps at most to find instances and what is reachable; a step takes some
    /// nanoseconds. Default: 2,000,000,000.
    pub const fn with_max_work(mut self, steps: u64) -> Self {
        self.max_work = steps;
        self
    }

    /// Visits so many parts of ground conditions, expressions and effects at most; a part takes
    /// some tens of bytes. Default: 20,000,000.
    pub const fn with_max_parts(mut self, parts: usize) -> Self {
        self.max_parts = parts;
        self
    }

    /// Keeps operators and facts that no goal can need, in a task of one implicit agent, or leaves
    /// them out. Default: false.
    pub const fn with_irrelevant_kept(mut self, keeps: bool) -> Self {
        self.keep_irrelevant = keeps;
        self
    }

    /// Lets operators carry their requirements in words, to explain refusals, or does not. Default:
    /// true.
    pub const fn with_requirements(mut self, carries: bool) -> Self {
        self.requirements = carries;
        self
    }
}
