//! A layout as a problem of the bundled domain.

use std::collections::BTreeMap;

use brigade_diagnostics::span::Span;
use brigade_syntax::ast::{
    self, Comparison, Formula, InitItem, Metric, Template, TemplatePart, Term,
};

use super::drawing;
use super::grid::{Cell, DIRECTIONS, Grid, Position};
use super::options::{DEFAULT_HORIZON, Options};
use super::recipes::{Recipes, Soup};
use super::start::{Potful, Start, Thing};
use crate::nodes::{name, object, typed};

/// The domain that the problems are of.
const DOMAIN: &str = "overcooked-ai";

/// Numbers of the AST are in thousandths.
const ONE: i64 = 1_000;

/// The content of a layout.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) grid: Grid,
    pub(super) recipes: Recipes,
    pub(super) start: Start,
}

impl Layout {
    /// The soups that can come to be.
    pub(super) fn soups(&self) -> Vec<Soup> {
        let is_there = |cell| self.grid.cells.iter().any(|(_, other, _)| *other == cell);
        let (onions, tomatoes) = self.start.ingredients();
        Soup::all(
            onions || is_there(Cell::Onions),
            tomatoes || is_there(Cell::Tomatoes),
        )
    }

    /// The problem of that name.
    pub(super) fn problem(&self, problem: &str, options: &Options) -> ast::Problem {
        let span = self.grid.span;
        let facts = Facts {
            layout: self,
            stations: self.stations(),
            objects: Vec::new(),
            init: Vec::new(),
        };
        let drawn = drawing::layout(&self.grid, |at, cell| facts.place_at(at, cell));
        let (objects, init) = facts.all();
        let mut problem = ast::Problem {
            name: Some(name(problem, span)),
            domain: Some(name(DOMAIN, span)),
            objects,
            init,
            layout: drawn,
            span,
            ..ast::Problem::default()
        };
        problem.horizon = options.horizon.map(|ticks| (i64::from(ticks), span));
        if let Some(count) = options.deliver {
            let delivered = value("delivered", Vec::new(), span);
            let sides = [delivered, Term::Number(i64::from(count) * ONE, span)];
            problem.goal = Some(Formula::Compare(
                Comparison::GreaterOrEqual,
                Box::new(sides),
                span,
            ));
            problem.goal_text = Some(goal_text(count, span));
        } else {
            problem.metric = Some(Metric {
                maximize: true,
                value: value("reward", Vec::new(), span),
                span,
            });
            let usual = (i64::from(DEFAULT_HORIZON), span);
            problem.horizon.get_or_insert(usual);
        }
        problem
    }

    /// The stations that can be used: those beside the floor, and those with something on them.
    fn stations(&self) -> BTreeMap<Position, Cell> {
        let walkable = self.grid.cells.iter();
        let walkable = walkable.filter(|(_, cell, _)| cell.is_walkable());
        let beside = walkable.flat_map(|&(at, ..)| {
            DIRECTIONS
                .iter()
                .filter_map(move |&(_, x, y)| Grid::beside(at, (x, y)))
        });
        let used = self.start.on_counters.iter().map(|(at, _)| *at);
        let all = beside.chain(used);
        all.filter_map(|at| Some((at, self.grid.at(at)?)))
            .filter(|(_, cell)| cell.station().is_some())
            .collect()
    }
}

fn goal_text(count: u32, span: Span) -> Template {
    let text = match count {
        1 => "Deliver a soup that is ordered".to_owned(),
        _ => format!("Deliver {count} soups that are ordered"),
    };
    Template {
        parts: vec![TemplatePart::Text(text)],
        span,
    }
}

/// `(function object …)`
fn value(function: &str, objects: Vec<Term>, span: Span) -> Term {
    Term::Apply(Box::new(ast::Application {
        name: name(function, span),
        args: objects,
        span,
    }))
}

/// Objects and initial facts, in the order in which they are written.
struct Facts<'l> {
    layout: &'l Layout,
    stations: BTreeMap<Position, Cell>,
    objects: Vec<ast::Typed>,
    init: Vec<InitItem>,
}

impl Facts<'_> {
    fn all(mut self) -> (Vec<ast::Typed>, Vec<InitItem>) {
        self.declare();
        let layout = self.layout;
        for &(at, cell, span) in &layout.grid.cells {
            if cell.is_walkable() {
                self.surroundings(at, span);
            }
        }
        for &(at, cell, span) in &layout.grid.cells {
            self.station(at, cell, span);
        }
        self.recipes();
        self.start();
        (self.objects, self.init)
    }

    /// `(= (function object) object)`
    fn maps(&mut self, function: &str, from: &[&str], to: &str, span: Span) {
        let from = from.iter().map(|from| object(from, span)).collect();
        let from = value(function, from, span);
        self.init
            .push(InitItem::Value(from, object(to, span), span));
    }

    /// `(= (function object) number)`, the number in thousandths.
    fn counts(&mut self, function: &str, from: &str, number: i64, span: Span) {
        let from = value(function, vec![object(from, span)], span);
        self.init
            .push(InitItem::Value(from, Term::Number(number, span), span));
    }

    fn declare(&mut self) {
        let layout = self.layout;
        for (at, player) in layout.start.players.iter().enumerate() {
            self.objects
                .push(typed(player_name(at), "player", player.span));
        }
        for &(at, cell, span) in &layout.grid.cells {
            if cell.is_walkable() {
                self.objects
                    .push(typed(floor_name(at, cell), "floor", span));
            }
        }
        for of in ["counter", "dispenser", "pot", "window", "gate"] {
            for &(at, _, span) in &layout.grid.cells {
                if let Some((sort, name)) = self.station_at(at)
                    && sort == of
                {
                    self.objects.push(typed(name, of, span));
                }
            }
        }
    }

    /// The type and name of a station that can be used.
    fn station_at(&self, at: Position) -> Option<(&'static str, String)> {
        let (sort, prefix) = self.stations.get(&at)?.station()?;
        Some((sort, format!("{prefix}-{}-{}", at.0, at.1)))
    }

    /// The name of the object of a cell, if it has one: of the doorway of a gate the floor.
    fn place_at(&self, at: Position, cell: Cell) -> Option<String> {
        if cell.is_walkable() {
            return Some(floor_name(at, cell));
        }
        self.station_at(at).map(|(_, name)| name)
    }

    /// Adds the surroundings of a cell on which one can stand.
    fn surroundings(&mut self, at: Position, span: Span) {
        let grid = &self.layout.grid;
        let here = floor_name(at, grid.at(at).unwrap_or(Cell::Floor));
        for (direction, x, y) in DIRECTIONS {
            let Some((there, cell)) =
                Grid::beside(at, (x, y)).and_then(|there| Some((there, grid.at(there)?)))
            else {
                continue;
            };
            if cell.is_walkable() {
                let to = floor_name(there, cell);
                self.maps("next", &[&here, direction], &to, span);
            }
            if let Some((_, station)) = self.station_at(there) {
                self.maps("ahead", &[&here, direction], &station, span);
            }
        }
    }

    /// Adds the facts of a station at the start.
    fn station(&mut self, at: Position, cell: Cell, span: Span) {
        let Some((_, station)) = self.station_at(at) else {
            return;
        };
        let layout = self.layout;
        match cell {
            Cell::Onions => self.maps("gives", &[&station], "onion", span),
            Cell::Tomatoes => self.maps("gives", &[&station], "tomato", span),
            Cell::Dishes => self.maps("gives", &[&station], "dish", span),
            Cell::Gate => self.maps("doorway", &[&station], &floor_name(at, cell), span),
            Cell::Pot => {
                let mut full = layout.start.in_pots.iter();
                let potful = full.find(|(place, _)| *place == at).map(|(_, pot)| *pot);
                self.pot(&station, potful, span);
            }
            Cell::Counter => {
                let mut laid = layout.start.on_counters.iter();
                if let Some((_, thing)) = laid.find(|(place, _)| *place == at) {
                    self.maps("on", &[&station], &thing.name(), span);
                }
            }
            Cell::Floor | Cell::Wall | Cell::Window => {}
        }
    }

    fn pot(&mut self, pot: &str, potful: Option<Potful>, span: Span) {
        let contents = potful.map_or_else(|| "nothing".to_owned(), |pot| pot.soup.name());
        self.maps("in", &[pot], &contents, span);
        if let Some(ticks) = potful.and_then(|pot| pot.cooked) {
            let args = vec![object(pot, span)];
            self.init
                .push(InitItem::Atom(name("cooking", span), args, span));
            if ticks > 0 {
                self.counts("cooked-for", pot, ticks * ONE, span);
            }
        }
    }

    fn recipes(&mut self) {
        let (recipes, span) = (&self.layout.recipes, self.layout.grid.span);
        for soup in self.layout.soups() {
            let soup_name = soup.name();
            self.counts("cook-time", &soup_name, recipes.time(soup) * ONE, span);
            let worth = recipes.worth(soup);
            if worth > 0 {
                self.counts("worth", &soup_name, worth, span);
            }
        }
    }

    fn start(&mut self) {
        let layout = self.layout;
        for (at, player) in layout.start.players.iter().enumerate() {
            let (span, who) = (player.span, player_name(at));
            let here = floor_name(player.at, Cell::Floor);
            self.maps("at", &[&who], &here, span);
            self.maps("facing", &[&who], player.facing, span);
            if let Some(held) = player.held {
                self.maps("held", &[&who], &Thing::name(held), span);
            }
        }
        let wanting = layout.start.in_pots.iter();
        let wanting = wanting.filter(|(_, pot)| pot.cooked.is_some() || pot.soup.has_room());
        let count = wanting.count();
        if count > 0 {
            let wanted = value("dishes-wanted", Vec::new(), layout.grid.span);
            let span = layout.grid.span;
            let count = Term::Number(count as i64 * ONE, span);
            self.init.push(InitItem::Value(wanted, count, span));
        }
    }
}

fn player_name(at: usize) -> String {
    format!("player{}", at + 1)
}

fn floor_name((x, y): Position, cell: Cell) -> String {
    let prefix = if cell == Cell::Gate { "door" } else { "floor" };
    format!("{prefix}-{x}-{y}")
}
