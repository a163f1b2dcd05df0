//! Slots: the ground fluents of a task, before they are packed into variables.

use indexmap::IndexMap;

use crate::sema::model::{Fluent, FluentId, Model, ObjectId, Range, Value};

/// Index into [`Slots`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct SlotId(pub(super) u32);

impl SlotId {
    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The meaning of a slot.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum SlotKey {
    /// A ground fluent.
    Fluent(FluentId, Vec<ObjectId>),
    /// The activity of an agent, by its index.
    Activity(usize),
    /// Ticks that remain of a delayed effect, by its number.
    Timer(usize),
    /// Executions counted for an `on-nth`, by its number.
    Counter(usize),
    /// True once a durative action was broken.
    Broken,
    /// The agent whose move it is.
    Turn,
    /// Ticks that have passed.
    Clock,
}

/// The values a slot takes, coded as numbers from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SlotRange {
    /// 0 false, 1 true.
    Boolean,
    /// 0 undefined, else object id + 1.
    Object,
    /// `lo + code`.
    Integer {
        /// Smallest value.
        lo: i64,
        /// Number of values.
        size: u32,
    },
}

/// One slot.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    pub(super) key: SlotKey,
    pub(super) range: SlotRange,
    pub(super) initial: u32,
}

/// The code of an object in an object slot.
pub(super) const fn object_code(object: ObjectId) -> u32 {
    object.0 + 1
}

/// All slots of a task.
#[derive(Debug, Default)]
pub(super) struct Slots {
    slots: IndexMap<SlotKey, Slot, rustc_hash::FxBuildHasher>,
}

impl Slots {
    pub(super) fn len(&self) -> usize {
        self.slots.len()
    }

    /// Forgets the slots from a number on.
    pub(super) fn truncate(&mut self, first: usize) {
        self.slots.truncate(first);
    }

    pub(super) fn get(&self, slot: SlotId) -> &Slot {
        &self.slots[slot.index()]
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (SlotId, &Slot)> {
        (0..).map(SlotId).zip(self.slots.values())
    }

    /// The slots from a number on.
    pub(super) fn iter_from(&self, first: usize) -> impl Iterator<Item = (SlotId, &Slot)> {
        let slots = self.slots.values().skip(first);
        (first as u32..).map(SlotId).zip(slots)
    }

    pub(super) fn find(&self, key: &SlotKey) -> Option<SlotId> {
        self.slots
            .get_index_of(key)
            .map(|index| SlotId(index as u32))
    }

    /// The slot of a ground fluent, made on first use with its default value.
    pub(super) fn fluent(
        &mut self,
        fluents: &[Fluent],
        fluent: FluentId,
        args: Vec<ObjectId>,
    ) -> SlotId {
        let key = SlotKey::Fluent(fluent, args);
        if let Some(slot) = self.find(&key) {
            return slot;
        }
        let (range, initial) = default_value(&fluents[fluent.index()].range);
        self.insert(key, range, initial)
    }

    /// A slot of another kind, made on first use.
    pub(super) fn other(&mut self, key: SlotKey, range: SlotRange, initial: u32) -> SlotId {
        match self.find(&key) {
            Some(slot) => slot,
            None => self.insert(key, range, initial),
        }
    }

    fn insert(&mut self, key: SlotKey, range: SlotRange, initial: u32) -> SlotId {
        let slot = SlotId(self.slots.len() as u32);
        self.slots.insert(
            key.clone(),
            Slot {
                key,
                range,
                initial,
            },
        );
        slot
    }

    /// Sets the initial value of a ground fluent.
    pub(super) fn initialise(
        &mut self,
        fluents: &[Fluent],
        fluent: FluentId,
        args: Vec<ObjectId>,
        value: Value,
    ) {
        let slot = self.fluent(fluents, fluent, args);
        let entry = &mut self.slots[slot.index()];
        entry.initial = code(entry.range, value);
    }
}

/// The code of a value in a slot of the given range; out of bounds, the nearest.
pub(super) fn code(range: SlotRange, value: Value) -> u32 {
    match (range, value) {
        (_, Value::Boolean(value)) => u32::from(value),
        (_, Value::Object(object)) => object_code(object),
        (SlotRange::Integer { lo, size }, Value::Number(value)) => {
            value.saturating_sub(lo).clamp(0, i64::from(size) - 1) as u32
        }
        (_, Value::Number(value)) => u32::from(value != 0),
    }
}

/// The code of a fluent's default value.
pub(super) fn default_code(model: &Model, fluent: FluentId) -> u32 {
    default_value(&model.fluents[fluent.index()].range).1
}

fn default_value(range: &Range) -> (SlotRange, u32) {
    match range {
        Range::Boolean => (SlotRange::Boolean, 0),
        Range::Object(_) => (SlotRange::Object, 0),
        Range::Integer { lo, hi } => {
            let size = hi.saturating_sub(*lo).clamp(0, i64::from(u32::MAX) - 1) as u32 + 1;
            let range = SlotRange::Integer { lo: *lo, size };
            (range, code(range, Value::Number(0)))
        }
        // Never a variable of the task: see `Instantiator::number`.
        Range::Number => (SlotRange::Integer { lo: 0, size: 1 }, 0),
    }
}
