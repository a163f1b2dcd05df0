//! References as `rats` lists them: all, or one of each orbit.

use std::cell::Cell;

use serde::{Serialize, Serializer};

use super::control::Deadline;
use crate::rats::orbits::Orbits;
use crate::rats::{References, Tuple};
use crate::search::{Control, StopReason};

/// The references that are listed where nobody says how many.
pub(super) const DEFAULT_LISTED: usize = 10;

/// A reference in full: the texts of its labels, agent by agent.
pub(super) type Texts = Vec<Vec<String>>;

/// References as they are listed: one by one while they are written, so that they take no memory, and,
/// beyond the first few, only as long as there is time.
pub(super) struct Listing<'a> {
    references: &'a References,
    /// If given, one of each is listed.
    pub(super) orbits: Option<&'a Orbits>,
    limit: usize,
    control: &'a Deadline<'a>,
    pub(super) listed: Cell<usize>,
    /// The reason why there were not more of them.
    pub(super) stopped: Cell<Option<StopReason>>,
}

impl<'a> Listing<'a> {
    pub(super) fn new(
        (references, orbits): (&'a References, Option<&'a Orbits>),
        limit: usize,
        control: &'a Deadline<'a>,
    ) -> Self {
        Self {
            references,
            orbits,
            limit,
            control,
            listed: Cell::new(0),
            stopped: Cell::new(None),
        }
    }

    pub(super) fn all(&self) -> impl Iterator<Item = Texts> {
        self.tuples().map(|tuple| self.references.texts(&tuple))
    }

    pub(super) fn of(&self, tuples: impl Iterator<Item = Tuple>) -> impl Iterator<Item = Texts> {
        self.first(tuples)
            .map(|tuple| self.references.texts(&tuple))
    }

    pub(super) fn tuples(&self) -> impl Iterator<Item = Tuple> {
        self.first(self.every())
    }

    /// All that could be listed.
    fn every(&self) -> Box<dyn Iterator<Item = Tuple> + 'a> {
        match self.orbits {
            Some(orbits) => Box::new(orbits.tuples.iter()),
            None => self.references.iter(),
        }
    }

    fn first(&self, tuples: impl Iterator<Item = Tuple>) -> impl Iterator<Item = Tuple> {
        self.listed.set(0);
        self.stopped.set(None);
        tuples.take(self.limit).map_while(|tuple| {
            if self.listed.get() >= DEFAULT_LISTED {
                self.stopped.set(self.control.stop());
            }
            if self.stopped.get().is_some() {
                return None;
            }
            self.listed.update(|listed| listed + 1);
            Some(tuple)
        })
    }
}

/// The reason why a list that was written ends before its end.
pub(super) struct Stopped<'a>(pub(super) &'a Cell<Option<StopReason>>);

impl Stopped<'_> {
    pub(super) fn is_none(&self) -> bool {
        self.0.get().is_none()
    }
}

impl Serialize for Stopped<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let reason = self.0.get();
        reason
            .map(|reason| reason.to_string())
            .serialize(serializer)
    }
}

/// The orbits of references.
#[derive(Serialize)]
pub(super) struct ShownOrbits<'a> {
    /// Their number, a decimal.
    total: String,
    /// The names of interchangeable objects, by class.
    interchangeable: &'a [Vec<String>],
    /// For each listed reference how many it stands for, decimals. Known once they are written.
    sizes: Sizes<'a>,
}

/// See [`ShownOrbits::sizes`].
struct Sizes<'a>(&'a Listing<'a>, &'a Orbits);

impl<'a> ShownOrbits<'a> {
    /// Those of a listing, if it lists one reference of each.
    pub(super) fn of(listing: &'a Listing<'a>) -> Option<Self> {
        let orbits = listing.orbits?;
        Some(Self {
            total: orbits.total().to_string(),
            interchangeable: &orbits.classes,
            sizes: Sizes(listing, orbits),
        })
    }
}

impl Serialize for Sizes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let Self(listing, orbits) = self;
        let listed = listing.every().take(listing.listed.get());
        serializer.collect_seq(listed.map(|tuple| orbits.size(&tuple).to_string()))
    }
}
