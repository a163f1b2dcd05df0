//! Objects and types that are declared of one kind, while all their uses need another: one slip, reported once, where
//! they are declared.

mod report;

use std::collections::BTreeSet;

use super::model::{ObjectId, TypeId};
use super::report::Place;
use brigade_diagnostics::SourceId;

/// Something that does not fit where it is used, as was reported.
struct Use {
    of: Used,
    types: Vec<TypeId>,
    needed: Vec<TypeId>,
    /// Where that was reported.
    place: Place,
}

/// The object or parameter that does not fit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Used {
    Object(ObjectId),
    /// A parameter, identified by the place of its declaration.
    Parameter(SourceId, u32),
}

/// The reported arguments of other types than are needed.
#[derive(Default)]
pub(super) struct Misdeclared {
    uses: Vec<Use>,
    /// For each object, up to the last that fits somewhere, true if it does.
    fitting: Vec<bool>,
    /// Of what types something fits where another is needed, one above.
    above: BTreeSet<TypeId>,
}

impl Misdeclared {
    /// Notes that something of some types fits where others are needed.
    pub(super) fn fits_as(
        &mut self,
        object: Option<ObjectId>,
        types: &[TypeId],
        needed: &[TypeId],
    ) {
        if let Some(object) = object {
            if self.fitting.len() <= object.index() {
                self.fitting.resize(object.index() + 1, false);
            }
            self.fitting[object.index()] = true;
        }
        if let ([ty], [above]) = (types, needed)
            && ty != above
        {
            self.above.insert(*ty);
        }
    }

    fn fits(&self, object: ObjectId) -> bool {
        self.fitting.get(object.index()).copied().unwrap_or(false)
    }
}
