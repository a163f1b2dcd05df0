//! The facts that are reachable in the relaxation, indexed for joins.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use crate::sema::model::{FluentId, ObjectId, Value};

/// A column of a fact row: its arguments, then for an object fluent its value.
pub(super) type Column = u16;

/// The most columns of a row that are indexed.
pub(super) const MAX_COLUMNS: Column = 32;

/// A reachable fact.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) objects: Box<[ObjectId]>,
    /// The round in which it was found.
    pub(super) round: u32,
}

/// All reachable facts of predicates and object fluents.
#[derive(Debug, Default)]
pub(super) struct Facts {
    /// By fluent, in the order of the rounds.
    rows: Vec<Vec<Row>>,
    index: HashMap<(FluentId, Column, ObjectId), Vec<u32>, FxBuildHasher>,
    /// The fluents of the facts that were added since this was last asked for.
    fresh: Vec<FluentId>,
}

impl Facts {
    pub(super) fn new(fluents: usize) -> Self {
        Self {
            rows: (0..fluents).map(|_| Vec::new()).collect(),
            index: HashMap::default(),
            fresh: Vec::new(),
        }
    }

    /// The fluents of the facts that were added since the last call.
    pub(super) fn take_fresh(&mut self) -> Vec<FluentId> {
        std::mem::take(&mut self.fresh)
    }

    /// Returns true if a fact of a fluent was found in a round, the last one so far.
    pub(super) fn are_new(&self, fluent: FluentId, round: u32) -> bool {
        let last = self.rows[fluent.index()].last();
        last.is_some_and(|row| row.round == round)
    }

    /// Adds a fact that was not there before.
    pub(super) fn add(&mut self, fluent: FluentId, objects: Box<[ObjectId]>, round: u32) {
        if !self.are_new(fluent, round) {
            self.fresh.push(fluent);
        }
        let rows = &mut self.rows[fluent.index()];
        let row = rows.len() as u32;
        for (column, &object) in (0..MAX_COLUMNS).zip(&*objects) {
            self.index
                .entry((fluent, column, object))
                .or_default()
                .push(row);
        }
        rows.push(Row { objects, round });
    }

    /// Adds a value that was not there before; those of numbers and what is false are left out.
    pub(super) fn add_value(
        &mut self,
        fluent: FluentId,
        args: &[ObjectId],
        value: Value,
        round: u32,
    ) {
        let mut objects = args.to_vec();
        match value {
            Value::Boolean(true) => {}
            Value::Object(object) => objects.push(object),
            Value::Boolean(false) | Value::Number(_) => return,
        }
        self.add(fluent, objects.into(), round);
    }

    /// The facts of a fluent, in the order of the rounds.
    pub(super) fn rows(&self, fluent: FluentId) -> &[Row] {
        &self.rows[fluent.index()]
    }

    /// The facts of a fluent with an object in a column, by their places among its rows.
    pub(super) fn with(&self, fluent: FluentId, column: Column, object: ObjectId) -> &[u32] {
        let listed = self.index.get(&(fluent, column, object));
        listed.map_or(&[], Vec::as_slice)
    }

    /// Counts all facts of a fluent as found in the first round.
    pub(super) fn settle(&mut self, fluent: FluentId) {
        for row in &mut self.rows[fluent.index()] {
            row.round = 0;
        }
    }
}
