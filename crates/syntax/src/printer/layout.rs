//! `(:layout …)`: the cells of a row beside each other, all else one under the other.

use super::super::ast::{Cell, Drawing, Drawn, LayoutItem};
use super::super::layout::{Doc, Layout};
use super::expressions::{aligned, field, formula_doc, headed, template_doc, term_doc, variables};

/// The items of a layout, several cells of one row in one doc.
pub(super) fn layout_docs(items: &[LayoutItem]) -> Vec<Doc> {
    let are_beside = |one: &LayoutItem, next: &LayoutItem| match (one, next) {
        (LayoutItem::Cell(one), LayoutItem::Cell(next)) => one.row == next.row,
        _ => false,
    };
    let docs = items.chunk_by(are_beside).map(|group| {
        let docs = group.iter().map(item_doc).collect();
        Doc::row(docs, Layout::Fill)
    });
    docs.collect()
}

fn item_doc(item: &LayoutItem) -> Doc {
    match item {
        LayoutItem::Rows(rows, _) => headed("rows", rows.iter().map(template_doc), Layout::Column),
        LayoutItem::Cell(cell) => cell_doc(cell),
        LayoutItem::Draw(drawing) => drawing_doc("draw", drawing),
        LayoutItem::Face(drawing) => drawing_doc("face", drawing),
    }
}

fn cell_doc(cell: &Cell) -> Doc {
    let words = [
        cell.place.text.to_string(),
        cell.column.to_string(),
        cell.row.to_string(),
    ];
    let text = cell.text.iter().map(template_doc);
    aligned("cell", words.map(Doc::word).into_iter().chain(text))
}

fn drawing_doc(head: &str, drawing: &Drawing) -> Doc {
    let list = (!drawing.variables.is_empty()).then(|| variables(&drawing.variables));
    let thing = match &drawing.thing {
        Drawn::Object(term) => term_doc(term),
        Drawn::Text(text) => template_doc(text),
    };
    let column = drawing.column.iter().map(term_doc);
    let fact = drawing.fact.iter();
    let fact = fact.map(|fact| field("when", formula_doc(fact)));
    let parts = [thing, term_doc(&drawing.at)].into_iter();
    aligned(
        head,
        list.into_iter().chain(parts).chain(column).chain(fact),
    )
}
