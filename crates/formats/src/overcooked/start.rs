//! The start of an episode: where players stand, what they hold, what lies on counters and is in pots.

use brigade_diagnostics::Code;
use brigade_diagnostics::span::Span;

use super::grid::{Cell, DIRECTIONS, Grid, Position};
use super::recipes::{MAX_TIME, Recipes, Soup, orders, said};
use crate::fields::{Fields, Reporter};
use crate::json::Json;

/// An item that a player holds, or that lies on a counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Thing {
    Onion,
    Tomato,
    Dish,
    Soup(Soup),
}

impl Thing {
    /// Its name in the domain.
    pub(super) fn name(self) -> String {
        match self {
            Self::Onion => "onion".to_owned(),
            Self::Tomato => "tomato".to_owned(),
            Self::Dish => "dish".to_owned(),
            Self::Soup(soup) => soup.name(),
        }
    }

    const fn has_tomatoes(self) -> bool {
        matches!(self, Self::Tomato | Self::Soup(Soup { tomatoes: 1.., .. }))
    }

    const fn has_onions(self) -> bool {
        matches!(self, Self::Onion | Self::Soup(Soup { onions: 1.., .. }))
    }
}

/// A player at the start.
#[derive(Clone, Debug)]
pub(super) struct Player {
    pub(super) at: Position,
    pub(super) facing: &'static str,
    pub(super) held: Option<Thing>,
    pub(super) span: Span,
}

/// A soup in a pot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Potful {
    pub(super) soup: Soup,
    /// For how many ticks it has cooked; `None`: it does not cook yet.
    pub(super) cooked: Option<i64>,
}

/// The first state beside the grid.
#[derive(Clone, Debug, Default)]
pub(super) struct Start {
    pub(super) players: Vec<Player>,
    pub(super) on_counters: Vec<(Position, Thing)>,
    pub(super) in_pots: Vec<(Position, Potful)>,
}

impl Start {
    /// Where the grid says that players start, with nothing lying about.
    pub(super) fn of_grid(grid: &Grid) -> Self {
        let players = grid.players.iter().map(|&(at, span)| Player {
            at,
            facing: DIRECTIONS[0].0,
            held: None,
            span,
        });
        Self {
            players: players.collect(),
            ..Self::default()
        }
    }

    /// Returns two truths: onions are held, lying or cooking; tomatoes are.
    pub(super) fn ingredients(&self) -> (bool, bool) {
        let held = self.players.iter().filter_map(|player| player.held);
        let lying = self.on_counters.iter().map(|(_, thing)| *thing);
        let cooking = self.in_pots.iter().map(|(_, pot)| Thing::Soup(pot.soup));
        let things: Vec<Thing> = held.chain(lying).chain(cooking).collect();
        let any = |has: fn(Thing) -> bool| things.iter().any(|&thing| has(thing));
        (any(Thing::has_onions), any(Thing::has_tomatoes))
    }

    /// Reads a `start_state`, with the orders that it has.
    pub(super) fn read(
        json: &Json,
        grid: &Grid,
        recipes: &mut Recipes,
        reporter: &mut Reporter<'_>,
    ) -> Option<Self> {
        let fields = reporter.fields(json, "a start state")?;
        let mut start = Self::default();
        if let Some(list) = fields.required(reporter, "players") {
            for item in reporter.list(list, "the players of a start state") {
                start.players.extend(player(item, grid, &start, reporter));
            }
        }
        if let Some(list) = said(&fields, "objects") {
            for item in reporter.list(list, "the objects of a start state") {
                object(item, grid, &mut start, reporter);
            }
        }
        if let Some(list) = said(&fields, "all_orders") {
            recipes.orders = orders(list, reporter).into_iter().flatten().collect();
        }
        if let Some(list) = said(&fields, "bonus_orders") {
            recipes.bonus = orders(list, reporter).into_iter().flatten().collect();
        }
        fields.finish(reporter, &["timestep"]);
        Some(start)
    }
}

fn player(json: &Json, grid: &Grid, start: &Start, reporter: &mut Reporter<'_>) -> Option<Player> {
    let fields = reporter.fields(json, "a player")?;
    let (at, span) = position(&fields, reporter)?;
    let facing = fields.required(reporter, "orientation")?;
    let [right, down] = pair(facing, "an orientation", reporter)?;
    let known = |way: &&(&str, isize, isize)| (way.1 as i64, way.2 as i64) == (right, down);
    let Some((facing, ..)) = DIRECTIONS.iter().find(known) else {
        let message = format!("[{right}, {down}] is no direction");
        let fault = reporter.at(Code::BadLayoutValue, facing.span, message, "of this player");
        reporter.push(fault.help("north is [0, -1], south [0, 1], east [1, 0] and west [-1, 0]"));
        return None;
    };
    let is_taken = start.players.iter().any(|other| other.at == at);
    if is_taken || grid.at(at) != Some(Cell::Floor) {
        let why = if is_taken {
            "another one does"
        } else {
            "there is no floor"
        };
        let message = format!("no player can start here: {why}");
        let fault = reporter.at(Code::BadLayoutValue, span, message, "this position");
        reporter.push(fault.help("give each player a blank of the grid, as [column, row] from 0"));
        return None;
    }
    let held = said(&fields, "held_object").and_then(|json| thing(json, reporter));
    fields.finish(reporter, &[]);
    Some(Player {
        at,
        facing,
        held: held.map(|(thing, _)| thing),
        span: json.span,
    })
}

fn object(json: &Json, grid: &Grid, start: &mut Start, reporter: &mut Reporter<'_>) -> Option<()> {
    let fields = reporter.fields(json, "an object")?;
    let (at, span) = position(&fields, reporter)?;
    let (thing, cooked) = thing(json, reporter)?;
    let is_free = |start: &Start| {
        let counters = start.on_counters.iter().map(|(at, _)| *at);
        let pots = start.in_pots.iter().map(|(at, _)| *at);
        counters.chain(pots).all(|taken| taken != at)
    };
    match (grid.at(at), thing) {
        _ if !is_free(start) => {}
        (Some(Cell::Counter), _) => {
            start.on_counters.push((at, thing));
            return Some(());
        }
        (Some(Cell::Pot), Thing::Soup(soup)) => {
            start.in_pots.push((at, Potful { soup, cooked }));
            return Some(());
        }
        _ => {}
    }
    let message = format!("there is no place for `{}` here", thing.name());
    let fault = reporter.at(Code::BadLayoutValue, span, message, "this position");
    reporter.push(fault.help("a counter holds one thing, and a pot one soup"));
    None
}

/// A thing, and of a soup for how many ticks it has cooked.
fn thing(json: &Json, reporter: &mut Reporter<'_>) -> Option<(Thing, Option<i64>)> {
    // Derived from the others by the engine that writes them.
    const DERIVED: [&str; 6] = [
        "position",
        "is_cooking",
        "is_ready",
        "is_idle",
        "cook_time",
        "cooking_tick",
    ];
    let fields = reporter.fields(json, "an object")?;
    let name = fields.required(reporter, "name")?;
    let name = reporter.text(name, "the name of an object")?;
    let thing = match name.text.as_str() {
        "onion" => Thing::Onion,
        "tomato" => Thing::Tomato,
        "dish" => Thing::Dish,
        "soup" => {
            let soup = contents(&fields, reporter)?;
            let ticks = said(&fields, "_cooking_tick");
            let ticks = ticks.map(|json| (reporter.integer(json, "a number of ticks"), json.span));
            let cooked = match ticks {
                Some((Some(ticks), span)) if ticks > MAX_TIME => {
                    let message = format!("a soup cannot have cooked for {ticks} ticks");
                    let fault = reporter.at(Code::BadLayoutValue, span, message, "too long");
                    reporter.push(fault.help(format!("give at most {MAX_TIME}")));
                    return None;
                }
                Some((ticks, _)) => ticks.filter(|&ticks| ticks >= 0),
                None => None,
            };
            fields.finish(reporter, &DERIVED);
            return Some((Thing::Soup(soup), cooked));
        }
        other => {
            let message = format!("`{}` is no object of a kitchen", other.escape_debug());
            let fault = reporter.at(Code::BadLayoutValue, name.span, message, "unknown");
            reporter.push(fault.help("there are `onion`, `tomato`, `dish` and `soup`"));
            return None;
        }
    };
    fields.finish(reporter, &DERIVED);
    Some((thing, None))
}

fn contents(fields: &Fields<'_>, reporter: &mut Reporter<'_>) -> Option<Soup> {
    let list = fields.required(reporter, "_ingredients")?;
    let mut names = Vec::new();
    for item in reporter.list(list, "the ingredients of a soup") {
        let fields = reporter.fields(item, "an ingredient")?;
        let name = fields.required(reporter, "name")?;
        let name = reporter.text(name, "the name of an ingredient")?;
        fields.finish(reporter, &["position"]);
        names.push((name.text, name.span));
    }
    Soup::read(&names, list.span, reporter)
}

fn position(fields: &Fields<'_>, reporter: &mut Reporter<'_>) -> Option<(Position, Span)> {
    let json = fields.required(reporter, "position")?;
    let [x, y] = pair(json, "a position", reporter)?;
    // What is negative is no place of any grid, and is reported as such.
    let index = |at: i64| usize::try_from(at).unwrap_or(usize::MAX);
    Some(((index(x), index(y)), json.span))
}

fn pair(json: &Json, what: &str, reporter: &mut Reporter<'_>) -> Option<[i64; 2]> {
    let items = reporter.list(json, what);
    let numbers: Vec<i64> = items
        .iter()
        .filter_map(|item| reporter.integer(item, what))
        .collect();
    if items.len() != 2 {
        let message = format!("{what} must be two numbers");
        let fault = reporter.at(Code::WrongJsonValue, json.span, message, "not a pair");
        reporter.push(fault.help("write `[column, row]`"));
    }
    numbers.try_into().ok()
}
