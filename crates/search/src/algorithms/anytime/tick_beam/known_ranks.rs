//! Ranks that are known from an earlier tick or a narrower beam: a rank depends on facts, not on when they hold.

use rustc_hash::FxHashMap;

use super::rank::Ranked;

/// The most ranks of a generation.
const MOST: usize = 1 << 19;

/// Bytes of an entry, with the usual free places of a table and the few operators of a rank.
const ENTRY: usize = 2 * size_of::<(u64, Ranked)>();

/// Ranks by a hash of the facts that they depend on. Measured: of the states of beams of width 25 to 400 a fourth to two
/// thirds are known, in 400 steps of three kitchens.
pub(super) struct KnownRanks {
    /// The ranks of a generation at most.
    most: usize,
    new: FxHashMap<u64, Ranked>,
    /// Those before them, which are forgotten as soon as there are as many new ones.
    old: FxHashMap<u64, Ranked>,
}

impl KnownRanks {
    /// Forgets ranks as soon as a generation takes half of so many bytes.
    pub(super) fn keep_within(&mut self, bytes: usize) {
        self.most = (bytes / (2 * ENTRY)).min(MOST);
    }

    /// The rank of a state with these facts and so many ticks left.
    pub(super) fn get(&self, facts: u64, left: u32) -> Option<&Ranked> {
        let ranked = (self.new.get(&facts)).or_else(|| self.old.get(&facts))?;
        let same_from = ranked.rank.same_from?;
        (same_from <= left).then_some(ranked)
    }

    /// Keeps a rank that holds at other times as well.
    pub(super) fn keep(&mut self, facts: u64, ranked: &Ranked) {
        if ranked.rank.same_from.is_some() {
            if self.new.len() >= self.most {
                self.old = std::mem::take(&mut self.new);
            }
            self.new.insert(facts, ranked.clone());
        }
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        ENTRY * (self.new.len() + self.old.len())
    }
}

impl Default for KnownRanks {
    fn default() -> Self {
        Self {
            most: MOST,
            new: FxHashMap::default(),
            old: FxHashMap::default(),
        }
    }
}
