//! The names of the entities of an environment: `table1`, `table2`, by their kind and position.

use std::collections::BTreeMap;

use super::schema::{Entity, FIELDS};
use crate::fields::Reporter;
use crate::json::Text;
use brigade_diagnostics::Code;

/// An entity with its name and number.
pub(super) struct Placed<'f> {
    pub(super) entity: &'f Entity,
    pub(super) name: String,
}

impl Placed<'_> {
    pub(super) fn at(&self) -> (i64, i64) {
        (self.entity.x, self.entity.y)
    }
}

/// The name of an entity without its number.
pub(super) fn base(name: &str) -> &str {
    name.trim_end_matches(|c: char| c.is_ascii_digit())
}

/// Returns true if a name stands for any entity of a type.
pub(super) fn is_random(base: &str) -> bool {
    FIELDS.iter().any(|(_, of)| *of == base)
}

/// The names of entities so far.
#[derive(Default)]
pub(super) struct Names<'f> {
    /// The number of entities with each name.
    numbers: BTreeMap<&'f str, usize>,
    ids: BTreeMap<&'f str, &'f Text>,
}

impl<'f> Names<'f> {
    /// The entities of a list by position, numbered among those of one name.
    pub(super) fn place(
        &mut self,
        entities: &'f [Entity],
        reporter: &mut Reporter<'_>,
    ) -> Vec<Placed<'f>> {
        let mut entities: Vec<&Entity> = entities.iter().collect();
        entities.sort_by_key(|entity| (entity.x, entity.y));
        let mut placed = Vec::with_capacity(entities.len());
        for entity in entities {
            let base = base(&entity.name.text);
            let span = entity.name.span;
            if is_random(base) {
                let message = format!("`{base}` stands for any {base}");
                let label = "chosen at random by the published loader";
                let diagnostic = reporter.at(Code::RandomEntity, span, message, label);
                reporter.push(diagnostic);
            }
            if let Some(id) = &entity.id
                && let Some(first) = self.ids.insert(&id.text, id)
            {
                let message = format!("the id `{}` is given twice", id.text);
                let label = "the goal cannot name this one";
                let diagnostic = reporter.at(Code::RepeatedId, id.span, message, label);
                let diagnostic = reporter.also(diagnostic, first.span, "the id of another");
                reporter.push(diagnostic);
                self.ids.insert(&first.text, first);
            }
            let number = self.numbers.entry(base).or_default();
            *number += 1;
            let name = format!("{base}{number}");
            placed.push(Placed { entity, name });
        }
        placed
    }
}
