//! The grid of a layout: floor, stations and where players start, with every fault reported at its place.

use std::collections::BTreeMap;

use brigade_diagnostics::Code;
use brigade_diagnostics::span::Span;

use crate::fields::Reporter;
use crate::json::{Json, Value};

/// The most rows and columns of a grid.
pub(super) const MAX_SIDE: usize = 64;

/// Column and row, from the upper left.
pub(super) type Position = (usize, usize);

/// The four ways to go: the direction, and what it adds to column and row.
pub(super) const DIRECTIONS: [(&str, isize, isize); 4] = [
    ("north", 0, -1),
    ("south", 0, 1),
    ("east", 1, 0),
    ("west", -1, 0),
];

/// The content of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cell {
    Floor,
    /// A gate, which is floor while it is open.
    Gate,
    /// A block that nobody can use.
    Wall,
    Counter,
    Onions,
    Tomatoes,
    Dishes,
    Pot,
    Window,
}

impl Cell {
    fn of(letter: char) -> Option<Self> {
        Some(match letter {
            ' ' | '1'..='9' => Self::Floor,
            'G' => Self::Gate,
            'W' => Self::Wall,
            'X' => Self::Counter,
            'O' => Self::Onions,
            'T' => Self::Tomatoes,
            'D' => Self::Dishes,
            'P' => Self::Pot,
            'S' => Self::Window,
            _ => return None,
        })
    }

    /// Returns true if a player may ever stand there.
    pub(super) const fn is_walkable(self) -> bool {
        matches!(self, Self::Floor | Self::Gate)
    }

    /// The type of the station, and how its name begins. `None` of what is none.
    pub(super) const fn station(self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::Floor | Self::Wall => None,
            Self::Gate => Some(("gate", "gate")),
            Self::Counter => Some(("counter", "counter")),
            Self::Onions => Some(("dispenser", "onions")),
            Self::Tomatoes => Some(("dispenser", "tomatoes")),
            Self::Dishes => Some(("dispenser", "dishes")),
            Self::Pot => Some(("pot", "pot")),
            Self::Window => Some(("window", "window")),
        }
    }
}

/// A grid on which one can play.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    /// Its rows as they are written, without the blanks around them.
    pub(super) rows: Vec<String>,
    /// Every cell, row by row.
    pub(super) cells: Vec<(Position, Cell, Span)>,
    /// Where each player starts, in order.
    pub(super) players: Vec<(Position, Span)>,
    /// The whole grid.
    pub(super) span: Span,
}

impl Grid {
    /// The cell at a position.
    pub(super) fn at(&self, (column, row): Position) -> Option<Cell> {
        let width = self.rows.first().map_or(0, String::len);
        if column >= width || row >= self.rows.len() {
            return None;
        }
        let cell = self.cells.get(row * width + column);
        cell.map(|(_, cell, _)| *cell)
    }

    /// The position one step away.
    pub(super) fn beside(
        (column, row): Position,
        (right, down): (isize, isize),
    ) -> Option<Position> {
        Some((
            column.checked_add_signed(right)?,
            row.checked_add_signed(down)?,
        ))
    }
}

/// A row as it is written.
struct Row {
    text: String,
    /// The place of its first letter; of a text with escapes that of the whole.
    span: Span,
    /// True if each letter has its own place.
    is_plain: bool,
}

impl Row {
    fn letter(&self, column: usize) -> Span {
        if !self.is_plain {
            return self.span;
        }
        let before: usize = self.text.chars().take(column).map(char::len_utf8).sum();
        let width = self.text.chars().nth(column).map_or(0, char::len_utf8);
        let start = self.span.start + before as u32;
        Span::new(start, start + width as u32)
    }
}

/// Reads a grid: one text with a row on each line, or a list of rows. `None` if one cannot play on it.
pub(super) fn read(json: &Json, reporter: &mut Reporter<'_>) -> Option<Grid> {
    let errors = reporter.error_count();
    let rows = rows(json, reporter)?;
    check_size(&rows, json.span, reporter)?;
    let mut grid = Grid {
        rows: rows.iter().map(|row| row.text.clone()).collect(),
        cells: Vec::new(),
        players: Vec::new(),
        span: json.span,
    };
    let mut starts: BTreeMap<char, (Position, Span)> = BTreeMap::new();
    for (y, row) in rows.iter().enumerate() {
        for (x, letter) in row.text.chars().enumerate() {
            let span = row.letter(x);
            let Some(cell) = Cell::of(letter) else {
                report_unknown(letter, span, reporter);
                continue;
            };
            grid.cells.push(((x, y), cell, span));
            let is_border = x == 0 || y == 0 || x + 1 == row.text.len() || y + 1 == rows.len();
            if is_border && cell.is_walkable() {
                let message = "a player could walk out of the grid here";
                let fault = reporter.at(Code::MalformedGrid, span, message, "at the border");
                reporter.push(fault.help("put a counter, `X`, around the floor"));
            }
            if letter.is_ascii_digit()
                && let Some((_, first)) = starts.insert(letter, ((x, y), span))
            {
                let message = format!("player {letter} starts twice");
                let fault = reporter.at(Code::MalformedGrid, span, message, "again");
                let fault = reporter.also(fault, first, "starts here");
                reporter.push(fault.help("give each player a number of its own, from 1 on"));
            }
        }
    }
    check_players(&starts, json.span, reporter);
    check_stations(&grid, reporter);
    grid.players = starts.into_values().collect();
    (reporter.error_count() == errors).then_some(grid)
}

fn rows(json: &Json, reporter: &mut Reporter<'_>) -> Option<Vec<Row>> {
    if matches!(json.value, Value::List(_)) {
        let rows = reporter.list(json, "the grid").iter();
        let rows: Vec<Row> = rows
            .filter_map(|row| lines(row, reporter))
            .flatten()
            .collect();
        return Some(rows);
    }
    lines(json, reporter)
}

/// The lines of a text, without the blanks around them and blank lines before and after.
fn lines(json: &Json, reporter: &mut Reporter<'_>) -> Option<Vec<Row>> {
    let text = reporter.text(json, "the grid, or a row of it,")?.text;
    // Without escapes, what stands between the quotes is the text.
    let quotes = (json.span.end - json.span.start).saturating_sub(text.len() as u32);
    let is_plain = quotes == 2 || quotes == 6;
    let mut at = json.span.start + quotes / 2;
    let mut rows = Vec::new();
    for line in text.split('\n') {
        let inner = line.trim();
        let start = at + (line.len() - line.trim_start().len()) as u32;
        let span = if is_plain {
            Span::new(start, start + inner.len() as u32)
        } else {
            json.span
        };
        rows.push(Row {
            text: inner.to_owned(),
            span,
            is_plain,
        });
        at += line.len() as u32 + 1;
    }
    let is_drawn = |row: &Row| !row.text.is_empty();
    rows.truncate(rows.iter().rposition(is_drawn).map_or(0, |last| last + 1));
    let first = rows.iter().position(is_drawn).unwrap_or(0);
    Some(rows.split_off(first))
}

/// All rows are of one length, and there are not too many.
fn check_size(rows: &[Row], span: Span, reporter: &mut Reporter<'_>) -> Option<()> {
    let length = |row: &Row| row.text.chars().count();
    let Some(first) = rows.first() else {
        let fault = reporter.at(Code::MalformedGrid, span, "the grid is empty", "no rows");
        reporter.push(fault.help("draw the kitchen, one row a line"));
        return None;
    };
    if rows.len() > MAX_SIDE || rows.iter().any(|row| length(row) > MAX_SIDE) {
        let message = format!("the grid is larger than {MAX_SIDE} by {MAX_SIDE}");
        let fault = reporter.at(Code::MalformedGrid, span, message, "too large");
        reporter.push(fault.help("cut it down: every cell is part of what is compiled"));
        return None;
    }
    let width = length(first);
    let Some(uneven) = rows.iter().find(|row| length(row) != width) else {
        return Some(());
    };
    let message = format!(
        "the rows of the grid are not of one length: {} and {width}",
        length(uneven)
    );
    let fault = reporter.at(Code::MalformedGrid, uneven.span, message, "this one");
    let fault = reporter.also(fault, first.span, "the first");
    reporter.push(fault.help("fill the row up; blanks at its ends are no part of it"));
    None
}

fn report_unknown(letter: char, span: Span, reporter: &mut Reporter<'_>) {
    let message = format!("`{}` is nothing that a kitchen has", letter.escape_debug());
    let fault = reporter.at(Code::MalformedGrid, span, message, "unknown");
    reporter.push(fault.help(
        "there are counters `X`, onions `O`, tomatoes `T`, dishes `D`, pots `P`, serving windows `S`, walls \
         `W`, gates `G`, blanks for floor, and players `1` to `9`",
    ));
}

fn check_players(
    starts: &BTreeMap<char, (Position, Span)>,
    span: Span,
    reporter: &mut Reporter<'_>,
) {
    if starts.is_empty() {
        let fault = reporter.at(Code::MalformedGrid, span, "nobody starts here", "no player");
        reporter.push(fault.help("write `1` where the first player starts, `2` for the second"));
    }
    let missing = ('1'..='9').zip(starts).find(|(due, (is, _))| due != *is);
    if let Some((missing, (later, (_, span)))) = missing {
        let message = format!("player {missing} is missing, and there is a player {later}");
        let fault = reporter.at(Code::MalformedGrid, *span, message, "this one");
        reporter.push(fault.help("number the players from 1 on, without a gap"));
    }
}

/// A soup can be made and served.
fn check_stations(grid: &Grid, reporter: &mut Reporter<'_>) {
    let needed: [(&[Cell], &str, &str); 4] = [
        (
            &[Cell::Onions, Cell::Tomatoes],
            "onions or tomatoes",
            "`O` or `T`",
        ),
        (&[Cell::Dishes], "dishes", "`D`"),
        (&[Cell::Pot], "pot", "`P`"),
        (&[Cell::Window], "serving window", "`S`"),
    ];
    let is_missing = |cells: &[Cell]| !grid.cells.iter().any(|(_, cell, _)| cells.contains(cell));
    let missing = needed.iter().filter(|(cells, ..)| is_missing(cells));
    let (what, letters): (Vec<&str>, Vec<&str>) =
        missing.map(|&(_, what, letter)| (what, letter)).unzip();
    if !what.is_empty() {
        let message = format!("the kitchen has no {}", what.join(", no "));
        let fault = reporter.at(Code::MalformedGrid, grid.span, message, "none in it");
        let letters = letters.join(", ");
        reporter.push(fault.help(format!("put {letters} somewhere around the floor")));
    }
}
