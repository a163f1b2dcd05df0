//! `:layout`: where things are drawn. Names are resolved, and nothing else of the model depends on it.

mod drawer;

use std::collections::BTreeMap;

use super::body::Body;
use super::context::Context;
use super::model::{Cell, Layout, ObjectId, Term};
use super::report::{File, Place, problem};
use brigade_diagnostics::Code;
use brigade_diagnostics::span::Span;
use brigade_syntax::ast::{self, Domain, LayoutItem, Problem, Template, TemplatePart};
use drawer::Drawer;

/// The cells and names that are taken while a layout is read.
#[derive(Default)]
struct Taken {
    places: BTreeMap<ObjectId, Place>,
    cells: BTreeMap<(u32, u32), Place>,
    rows: Option<Place>,
}

impl Context<'_> {
    /// Resolves the layout of a domain and of a problem, which are one.
    pub(super) fn layout(&mut self, domain: &Domain, problem: Option<&Problem>) -> Layout {
        let mut layout = Layout::default();
        let mut taken = Taken::default();
        let of_problem = problem.map_or(&[][..], |problem| &problem.layout);
        for (file, items) in [
            (File::Domain, &domain.layout[..]),
            (File::Problem, of_problem),
        ] {
            for item in items {
                self.layout_item(item, file, &mut layout, &mut taken);
            }
        }
        layout
    }

    fn layout_item(
        &mut self,
        item: &LayoutItem,
        file: File,
        layout: &mut Layout,
        taken: &mut Taken,
    ) {
        match item {
            LayoutItem::Rows(rows, span) => {
                let rows: Vec<String> = rows.iter().map(plain).collect();
                if self.check_rows(&rows, *span, file, taken) {
                    layout.rows = rows;
                }
            }
            LayoutItem::Cell(cell) => {
                layout.cells.extend(self.cell(cell, file, taken));
            }
            LayoutItem::Draw(drawing) | LayoutItem::Face(drawing) => {
                let mut body = Body::new(self, file);
                let drawn =
                    Drawer::new(&mut body).drawing(drawing, matches!(item, LayoutItem::Draw(_)));
                layout.drawings.extend(drawn);
            }
        }
    }

    fn check_rows(&mut self, rows: &[String], span: Span, file: File, taken: &mut Taken) -> bool {
        let place = self.place(file, span);
        if let Some(first) = taken.rows.replace(place) {
            let diagnostic = problem(
                Code::BadCell,
                "the rows of a layout are given twice",
                place,
                "again here",
            );
            let diagnostic = diagnostic.secondary(first.source, first.span, "first here");
            self.push(diagnostic.help("keep one of the two"));
            return false;
        }
        let most = Layout::MAX_SIDE as usize;
        if rows.len() > most || rows.iter().any(|row| row.chars().count() > most) {
            let message = format!("the layout is larger than {most} by {most}");
            self.push(problem(Code::BadCell, message, place, "too large"));
            return false;
        }
        true
    }

    fn cell(&mut self, cell: &ast::Cell, file: File, taken: &mut Taken) -> Option<Cell> {
        let object = Body::new(self, file).object_term(&ast::Term::Name(cell.place.clone()));
        let at = self.place(file, cell.span);
        let side = |number: i64| {
            let number = u32::try_from(number).ok();
            number.filter(|&number| number < Layout::MAX_SIDE)
        };
        let (Some(column), Some(row)) = (side(cell.column), side(cell.row)) else {
            let (x, y, last) = (cell.column, cell.row, Layout::MAX_SIDE - 1);
            let message = format!("there is no cell in column {x} and row {y}");
            let diagnostic = problem(Code::BadCell, message, at, "outside of every board");
            self.push(diagnostic.help(format!("columns and rows are numbered from 0 to {last}")));
            return None;
        };
        let Term::Object(place) = object?.term else {
            let named = self.place(file, cell.place.span);
            let message = "a cell is where one object is";
            self.push(problem(Code::NotAnObject, message, named, "not an object"));
            return None;
        };
        let name = self.symbols.objects[place.index()].name.clone();
        if let Some(first) = taken.places.insert(place, at) {
            let message = format!("`{name}` has two cells");
            let diagnostic = problem(Code::BadCell, message, at, "again here");
            let diagnostic = diagnostic.secondary(first.source, first.span, "first here");
            self.push(diagnostic.help("keep the one where it is"));
            return None;
        }
        if let Some(first) = taken.cells.insert((column, row), at) {
            let message = format!("the cell in column {column} and row {row} is taken");
            let diagnostic = problem(Code::BadCell, message, at, "of another object");
            let diagnostic = diagnostic.secondary(first.source, first.span, "first here");
            let help = "give each a cell of its own; what is in a place is drawn by `draw`";
            self.push(diagnostic.help(help));
            return None;
        }
        let text = cell.text.as_ref().map(plain);
        Some(Cell {
            place,
            column,
            row,
            text,
        })
    }
}

/// A text without slots, as the reader has checked.
fn plain(text: &Template) -> String {
    let parts = text.parts.iter().filter_map(|part| match part {
        TemplatePart::Text(text) => Some(text.as_str()),
        TemplatePart::Slot(_) => None,
    });
    parts.collect()
}
