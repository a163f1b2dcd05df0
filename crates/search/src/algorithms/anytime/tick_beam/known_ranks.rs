//! Ranks that are known from an earlier tick or a narrower beam: a rank depends on facts, not on when they hold.

use rustc_hash::FxHashMap;

use super::rank::Ranked;

/// The ranks of a generation.
const MOST: usize = 1 << 19;

/// Ranks by a hash of the facts that they depend on. Measured: of the states of beams of width 25 to 400 a fourth to two
/// thirds are known, in 400 steps of three kitchens.
#[derive(Default)]
pub(super) struct KnownRanks {
    new: FxHashMap<u64, Ranked>,
    /// Those before them, which are forgotten as soon as there are as many new ones.
    old: FxHashMap<u64, Ranked>,
}

impl KnownRanks {
    /// The rank of a state with these facts and so many ticks left.
    pub(super) fn get(&self, facts: u64, left: u32) -> Option<&Ranked> {
        let ranked = (self.new.get(&facts)).or_else(|| self.old.get(&facts))?;
        let same_from = ranked.rank.same_from?;
        (same_from <= left).then_some(ranked)
    }

    /// Keeps a rank that holds at other times as well.
    pub(super) fn keep(&mut self, facts: u64, ranked: &Ranked) {
        if ranked.rank.same_from.is_some() {
            if self.new.len() == MOST {
                self.old = std::mem::take(&mut self.new);
            }
            self.new.insert(facts, ranked.clone());
        }
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        /// Those of an entry, with the usual free places of a table and the few operators of a rank.
        const ENTRY: usize = 2 * size_of::<(u64, Ranked)>();
        ENTRY * (self.new.len() + self.old.len())
    }
}
