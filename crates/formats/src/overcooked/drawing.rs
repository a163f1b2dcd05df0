//! Where the things of a kitchen are drawn: the grid, and the cell of every object that is a place.

use brigade_diagnostics::span::Span;
use brigade_syntax::ast::{self, LayoutItem, Template, TemplatePart};

use super::grid::{Cell, Grid, Position};
use crate::nodes::name;

impl Cell {
    /// Its letter in the background of a layout.
    const fn look(self) -> char {
        match self {
            Self::Floor => '.',
            Self::Gate => 'G',
            Self::Wall => '#',
            Self::Counter => 'X',
            Self::Onions => 'O',
            Self::Tomatoes => 'T',
            Self::Dishes => 'D',
            Self::Pot => 'P',
            Self::Window => 'S',
        }
    }
}

/// The layout of a grid whose places have these names.
pub(super) fn layout(
    grid: &Grid,
    place_at: impl Fn(Position, Cell) -> Option<String>,
) -> Vec<LayoutItem> {
    let rows = grid
        .cells
        .chunk_by(|((_, above), ..), ((_, below), ..)| above == below);
    let rows = rows.map(|row| {
        let row: String = row.iter().map(|(_, cell, _)| cell.look()).collect();
        text(row, grid.span)
    });
    let cells = grid.cells.iter().filter_map(|&(at, cell, span)| {
        Some(LayoutItem::Cell(ast::Cell {
            place: name(place_at(at, cell)?, span),
            column: at.0 as i64,
            row: at.1 as i64,
            text: None,
            span,
        }))
    });
    let background = LayoutItem::Rows(rows.collect(), grid.span);
    std::iter::once(background).chain(cells).collect()
}

fn text(text: String, span: Span) -> Template {
    Template {
        parts: vec![TemplatePart::Text(text)],
        span,
    }
}
