//! The layout of a model, by the names that logs have.

use std::collections::BTreeSet;

use crate::sema::model::{self, Argument, Drawing, FactValue, FluentId, Model, Value};
use crate::view::facts::Fact;
use crate::view::layout::{self, Layout, Pattern, Place, Target, Thing, Word};

/// The layout; `None` where no object has a cell, so that nothing is drawn.
pub(super) fn layout(model: &Model) -> Option<Layout> {
    let layout = &model.layout;
    if layout.cells.is_empty() {
        return None;
    }
    let names = Names(model);
    let cells = layout.cells.iter().map(|cell| Place {
        object: names.object(cell.place.index()),
        at: (cell.column, cell.row),
        text: cell.text.clone(),
    });
    Some(Layout {
        agents: (model.agents.iter())
            .map(|agent| names.object(agent.index()))
            .collect(),
        rows: layout.rows.clone(),
        cells: cells.collect(),
        drawings: (layout.drawings.iter())
            .map(|drawing| names.drawing(drawing))
            .collect(),
        given: names.given(),
    })
}

struct Names<'m>(&'m Model);

impl Names<'_> {
    fn object(&self, object: usize) -> String {
        self.0.objects[object].name.to_string()
    }

    fn drawing(&self, drawing: &Drawing) -> layout::Drawing {
        let own = drawing.variables.len();
        let word = |argument: Argument| match argument {
            Argument::Variable(variable) => Word::Variable(variable.index()),
            Argument::Object(object) => Word::Text(self.object(object.index())),
            Argument::ValueOf(fact) => Word::Variable(own + fact),
        };
        let part = |word_of: &model::Word| match word_of {
            model::Word::Text(text) => Word::Text(text.clone()),
            model::Word::Argument(argument) => word(*argument),
        };
        let facts = drawing.facts.iter().enumerate().map(|(index, fact)| {
            let value = match fact.value {
                FactValue::Argument(value) => Some(word(value)),
                FactValue::True => None,
                FactValue::Number(number) => Some(Word::Text(number.to_string())),
                FactValue::Any => Some(Word::Variable(own + index)),
            };
            Pattern {
                name: self.0.fluents[fact.fluent.index()].name.clone(),
                has_value: value.is_some(),
                words: fact.args.iter().map(|&it| word(it)).chain(value).collect(),
            }
        });
        let variables = drawing.variables.iter().map(|types| {
            let objects = self.0.objects_of(types);
            Some(objects.iter().map(|it| self.object(it.index())).collect())
        });
        // Each fact may have a value that is named.
        let values = drawing.facts.iter().map(|_| None);
        layout::Drawing {
            variables: variables.chain(values).collect(),
            facts: facts.collect(),
            thing: match &drawing.thing {
                model::Thing::Object(object) => Thing::Object(word(*object)),
                model::Thing::Text(words) => Thing::Text(words.iter().map(part).collect()),
            },
            at: match &drawing.at {
                model::Target::Place(place) => Target::Place(word(*place)),
                &model::Target::Crossing(row, column) => Target::Crossing(word(row), word(column)),
                model::Target::Direction(direction) => Target::Direction(part(direction)),
            },
        }
    }

    /// The value of a function; a predicate has none.
    fn value(&self, value: Value) -> Option<String> {
        match value {
            Value::Boolean(_) => None,
            Value::Object(object) => Some(self.object(object.index())),
            Value::Number(number) => Some(number.to_string()),
        }
    }

    /// The facts of the first state that may draw something.
    fn given(&self) -> Vec<Fact> {
        let patterns = self.0.layout.drawings.iter();
        let patterns = patterns.flat_map(|drawing| &drawing.facts);
        let drawn: BTreeSet<FluentId> = patterns.map(|pattern| pattern.fluent).collect();
        let facts = self.0.init.iter();
        let facts = facts.filter(|fact| drawn.contains(&fact.fluent));
        let facts = facts.map(|fact| {
            let name = self.0.fluents[fact.fluent.index()].name.clone();
            let args = fact.args.iter().map(|arg| self.object(arg.index()));
            let value = self.value(fact.value);
            let has_value = value.is_some();
            let words = std::iter::once(name).chain(args).chain(value);
            Fact {
                words: words.collect(),
                has_value,
            }
        });
        facts.collect()
    }
}
