//! The options of importing a layout.

/// The ticks of an episode where neither they nor deliveries are asked for, as usual in publications.
pub const DEFAULT_HORIZON: u32 = 400;

/// The most deliveries that can be asked for: as far as the domain counts.
pub const MAX_DELIVERIES: u32 = 99;

/// The options of importing a layout.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Which layouts of a file to read; none: all.
    pub layouts: Vec<String>,
    /// The end of the episode, in ticks. Without it and `deliver`, [`DEFAULT_HORIZON`].
    pub horizon: Option<u32>,
    /// The goal: so many soups that are ordered. Without it, the greatest reward.
    pub deliver: Option<u32>,
    /// The number of players that take part; the first of them. Without it, all.
    pub players: Option<u32>,
}
