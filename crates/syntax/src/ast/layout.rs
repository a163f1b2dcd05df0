//! `(:layout item …)`: where things are drawn. It says nothing of what can happen.

use super::{Formula, Name, Template, Term, Typed};
use brigade_diagnostics::span::Span;

/// One item of a `:layout`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LayoutItem {
    /// `(rows "…" …)`: the background, one text a row of cells.
    Rows(Vec<Template>, Span),
    /// `(cell place column row ["text"])`: where a place is.
    Cell(Cell),
    /// `(draw [(?x - type …)] thing place [place] [:when fact])`: the thing is drawn in the cell of the place, or in
    /// the row of the first place and the column of the second.
    Draw(Drawing),
    /// `(face [(?x - type …)] thing direction [:when fact])`: the thing looks in the direction.
    Face(Drawing),
}

/// `(cell place column row ["text"])`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The object that is there.
    pub place: Name,
    /// Its column, from 0 at the left.
    pub column: i64,
    /// Its row, from 0 at the top.
    pub row: i64,
    /// The text that is shown in it.
    pub text: Option<Template>,
    /// The whole item.
    pub span: Span,
}

/// The parts of a `draw` or `face`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawing {
    /// Its variables.
    pub variables: Vec<Typed>,
    /// The thing that is drawn, or that looks in a direction.
    pub thing: Drawn,
    /// The place where it is drawn, or the direction.
    pub at: Term,
    /// The place in whose column it is drawn, if not in that of `at`.
    pub column: Option<Term>,
    /// When it is drawn: the facts that hold.
    pub fact: Option<Formula>,
    /// The whole item.
    pub span: Span,
}

/// A thing that is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Drawn {
    /// An object, by its name.
    Object(Term),
    /// A text.
    Text(Template),
}
