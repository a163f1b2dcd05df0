//! What an environment holds at the start: its objects with their names, and the facts.
//!
//! There is no map: players stand at stations, and what lies where is told by positions that are
//! equal. Positions of the file serve that alone, and the order in which the objects are numbered.

use std::collections::{BTreeMap, BTreeSet};

use super::Options;
use super::fields::Reporter;
use super::schema::{CONTAINERS, Entity, EnvironmentFile, FIELDS, ITEMS, MEALS, PLAYERS, STATIONS};
use super::symbols::{Pool, Symbols};
use crate::diagnostics::Code;
use crate::import::json::Text;
use crate::syntax::span::Span;

/// An object of the problem.
#[derive(Clone, Debug)]
pub(super) struct Object {
    pub(super) name: String,
    /// Its type.
    pub(super) of: String,
    /// Its id in the file.
    pub(super) id: Option<String>,
    /// Whether it is of a pool, and does not exist at the start.
    pub(super) is_free: bool,
    pub(super) span: Span,
}

/// A fact at the start: a predicate and the names of objects.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Fact {
    pub(super) predicate: String,
    pub(super) args: Vec<String>,
    pub(super) span: Span,
}

/// The objects and facts of an environment.
#[derive(Clone, Debug, Default)]
pub(super) struct World {
    pub(super) objects: Vec<Object>,
    pub(super) facts: Vec<Fact>,
}

/// An entity with its name and number.
struct Placed<'f> {
    entity: &'f Entity,
    name: String,
}

impl Placed<'_> {
    fn at(&self) -> (i64, i64) {
        (self.entity.x, self.entity.y)
    }
}

/// The name of an entity without its number.
fn base(name: &str) -> &str {
    name.trim_end_matches(|c: char| c.is_ascii_digit())
}

/// Whether a name stands for any entity of a type.
fn is_random(base: &str) -> bool {
    FIELDS.iter().any(|(_, of)| *of == base)
}

struct Builder<'a, 'f, 'r> {
    symbols: &'a Symbols<'f>,
    reporter: &'a mut Reporter<'r>,
    world: World,
    /// Facts that are there already: their predicate and arguments.
    known: BTreeSet<(String, Vec<String>)>,
    /// Predicates that are missing and have been reported.
    missing: BTreeSet<String>,
}

/// Builds the world of an environment.
pub(super) fn world(
    file: &EnvironmentFile,
    symbols: &Symbols<'_>,
    options: &Options,
    reporter: &mut Reporter<'_>,
) -> World {
    let placed = named(file, reporter);
    let mut builder = Builder {
        symbols,
        reporter,
        world: World::default(),
        known: BTreeSet::new(),
        missing: BTreeSet::new(),
    };
    for (field, (_, of)) in FIELDS.into_iter().enumerate() {
        let entities = &placed[field];
        if let Some(first) = entities.first()
            && !symbols.types.contains(of)
        {
            let message = format!("there is no type `{of}`");
            let span = first.entity.name.span;
            let diagnostic =
                builder
                    .reporter
                    .at(Code::UnknownType, span, message, "needed for this");
            let help = "add it to `object_types` of the domain";
            builder.reporter.push(diagnostic.help(help));
        }
        for Placed { entity, name } in entities {
            builder.world.objects.push(Object {
                name: name.clone(),
                of: of.to_owned(),
                id: entity.id.as_ref().map(|id| id.text.clone()),
                is_free: false,
                span: entity.name.span,
            });
        }
    }
    builder.sorts(&placed);
    builder.stations(&placed);
    builder.nowhere(&placed);
    builder.players(&placed);
    builder.containers(&placed);
    builder.pools(file, options);
    builder.world
}

/// The entities of each field by position, numbered among those of one name.
fn named<'f>(file: &'f EnvironmentFile, reporter: &mut Reporter<'_>) -> [Vec<Placed<'f>>; 5] {
    let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
    let mut ids: BTreeMap<&str, &Text> = BTreeMap::new();
    file.entities.each_ref().map(|entities| {
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
                && let Some(first) = ids.insert(&id.text, id)
            {
                let message = format!("the id `{}` is given twice", id.text);
                let label = "the goal cannot name this one";
                let diagnostic = reporter.at(Code::RepeatedId, id.span, message, label);
                let diagnostic = reporter.also(diagnostic, first.span, "the id of another");
                reporter.push(diagnostic);
                ids.insert(&first.text, first);
            }
            let number = numbers.entry(base).or_default();
            *number += 1;
            let name = format!("{base}{number}");
            placed.push(Placed { entity, name });
        }
        placed
    })
}

impl Builder<'_, '_, '_> {
    /// Adds a fact. A predicate that does not exist is reported once.
    fn fact(&mut self, predicate: &str, args: &[&str], span: Span) {
        let args: Vec<String> = args.iter().map(|&arg| arg.to_owned()).collect();
        let declared = self.symbols.predicates.contains_key(predicate);
        if !declared && self.missing.insert(predicate.to_owned()) {
            let text = predicate.to_owned();
            let name = Text { text, span };
            let needed = format!(", which `{}` needs at the start", args.join("` and `"));
            self.symbols.predicate(&name, &needed, self.reporter);
        }
        if declared && self.known.insert((predicate.to_owned(), args.clone())) {
            self.world.facts.push(Fact {
                predicate: predicate.to_owned(),
                args,
                span,
            });
        }
    }

    fn warn(&mut self, code: Code, span: Span, message: String, label: &str) {
        let diagnostic = self.reporter.at(code, span, message, label);
        self.reporter.push(diagnostic);
    }

    /// What each entity is, and what the file says of it besides.
    fn sorts(&mut self, placed: &[Vec<Placed<'_>>; 5]) {
        for Placed { entity, name } in placed.iter().flatten() {
            let base = base(&entity.name.text);
            if !is_random(base) {
                self.fact(&format!("is{base}"), &[name], entity.name.span);
            }
            for predicate in &entity.predicates {
                self.fact(&predicate.text, &[name], predicate.span);
            }
        }
    }

    fn stations(&mut self, placed: &[Vec<Placed<'_>>; 5]) {
        let faced = by_place(&placed[PLAYERS], |player| {
            let (dx, dy) = player.entity.direction;
            (player.entity.x + dx, player.entity.y + dy)
        });
        let items = by_place(&placed[ITEMS], Placed::at);
        let containers = by_place(&placed[CONTAINERS], Placed::at);
        let none = Vec::new();
        for station in &placed[STATIONS] {
            let (at, span) = (station.at(), station.entity.name.span);
            let players = faced.get(&at).unwrap_or(&none);
            for player in players {
                self.fact(
                    "loc",
                    &[&player.name, &station.name],
                    player.entity.name.span,
                );
            }
            if players.is_empty() {
                self.fact("vacant", &[&station.name], span);
            }
            let items = items.get(&at).unwrap_or(&none);
            for item in items {
                self.fact(
                    "item_at",
                    &[&item.name, &station.name],
                    item.entity.name.span,
                );
            }
            let containers = containers.get(&at).unwrap_or(&none);
            for container in containers {
                let span = container.entity.name.span;
                self.fact("container_at", &[&container.name, &station.name], span);
            }
            if items.is_empty() && containers.is_empty() {
                self.fact("station_empty", &[&station.name], span);
            }
            self.stack(station, items);
        }
    }

    /// The items on a station, from below.
    fn stack(&mut self, station: &Placed<'_>, items: &[&Placed<'_>]) {
        let mut items = items.to_vec();
        if items.len() > 1 {
            for item in &items {
                if item.entity.stack_level.is_none() {
                    let message = format!("`{}` shares its place and has no level", item.name);
                    let span = item.entity.span;
                    self.warn(
                        Code::MissingKey,
                        span,
                        message,
                        "`\"stack-level\": …` is missing",
                    );
                }
            }
        }
        items.sort_by_key(|item| item.entity.stack_level);
        let mut below: Option<&Placed<'_>> = None;
        for item in &items {
            let span = item.entity.name.span;
            match below {
                None => self.fact("item_on", &[&item.name, &station.name], span),
                Some(below) => self.fact("atop", &[&item.name, &below.name], span),
            }
            below = Some(item);
        }
        if let Some(top) = below {
            self.fact("clear", &[&top.name], top.entity.name.span);
        }
    }

    fn players(&mut self, placed: &[Vec<Placed<'_>>; 5]) {
        let stations = by_place(&placed[STATIONS], Placed::at);
        let items = by_place(&placed[ITEMS], Placed::at);
        let containers = by_place(&placed[CONTAINERS], Placed::at);
        let mut facing: BTreeMap<(i64, i64), &str> = BTreeMap::new();
        for player in &placed[PLAYERS] {
            let span = player.entity.name.span;
            let (dx, dy) = player.entity.direction;
            let (x, y) = player.at();
            let faced = (x + dx, y + dy);
            if !stations.contains_key(&faced) {
                let message = format!("`{}` faces no station", player.name);
                let label = "can never move, nor do anything at a station";
                self.warn(Code::PlayerNowhere, span, message, label);
            } else if let Some(first) = facing.insert(faced, &player.name) {
                let message = format!("`{}` faces the same station as `{first}`", player.name);
                let label = "the station counts as vacant once one of them has left it";
                self.warn(Code::CrowdedStation, span, message, label);
            }
            if let Some(item) = items.get(&(x, y)).and_then(|items| items.first()) {
                self.fact("has_item", &[&player.name, &item.name], span);
            } else if let Some(things) = containers.get(&(x, y)) {
                self.fact("has_container", &[&player.name, &things[0].name], span);
            } else {
                self.fact("nothing", &[&player.name], span);
            }
        }
    }

    /// Warns of items and containers that no station has and that nobody holds. A player holds one
    /// thing, and rather an item.
    fn nowhere(&mut self, placed: &[Vec<Placed<'_>>; 5]) {
        let stations = by_place(&placed[STATIONS], Placed::at);
        let players = by_place(&placed[PLAYERS], Placed::at);
        let mut taken = BTreeSet::new();
        for thing in placed[ITEMS].iter().chain(&placed[CONTAINERS]) {
            let at = thing.at();
            let is_held = players.contains_key(&at) && taken.insert(at);
            if !stations.contains_key(&at) && !is_held {
                let message = format!("`{}` is nowhere", thing.name);
                let label = "no station is here, and no player has it";
                self.warn(Code::EntityNowhere, thing.entity.name.span, message, label);
            }
        }
    }

    fn containers(&mut self, placed: &[Vec<Placed<'_>>; 5]) {
        let meals = by_place(&placed[MEALS], Placed::at);
        let containers = by_place(&placed[CONTAINERS], Placed::at);
        for container in &placed[CONTAINERS] {
            let span = container.entity.name.span;
            let Some(meals) = meals.get(&container.at()) else {
                self.fact("container_empty", &[&container.name], span);
                continue;
            };
            for meal in meals {
                let span = meal.entity.name.span;
                self.fact("in", &[&meal.name, &container.name], span);
            }
        }
        for meal in &placed[MEALS] {
            if !containers.contains_key(&meal.at()) {
                let message = format!("`{}` is nowhere", meal.name);
                let span = meal.entity.name.span;
                self.warn(Code::EntityNowhere, span, message, "no container is here");
            }
        }
    }

    /// The objects that may be created, behind all others.
    fn pools(&mut self, file: &EnvironmentFile, options: &Options) {
        for pool in &self.symbols.pools {
            if !self.is_useful(pool) {
                continue;
            }
            let exists = |object: &&Object| base(&object.name) == pool.name.text;
            let existing = self.world.objects.iter().filter(exists).count();
            let size = options.pool.map_or_else(
                || {
                    wanted(file, &pool.name.text)
                        .saturating_sub(existing)
                        .max(1)
                },
                |size| size as usize,
            );
            for number in existing + 1..=existing + size {
                let name = format!("{}{number}", pool.name.text);
                self.world.objects.push(Object {
                    name: name.clone(),
                    of: pool.of.text.clone(),
                    id: None,
                    is_free: true,
                    span: file_start(file),
                });
                self.world.facts.push(Fact {
                    predicate: pool.free(),
                    args: vec![name],
                    span: file_start(file),
                });
            }
        }
    }

    /// Whether an action that creates has something of each type that it needs.
    fn is_useful(&self, pool: &Pool<'_>) -> bool {
        let has = |of: &&str| {
            let exist = self.world.objects.iter().any(|object| object.of == **of);
            exist || self.symbols.pools_of(of).next().is_some()
        };
        pool.needs.iter().any(|needs| needs.iter().all(has))
    }
}

/// What holds for an environment as a whole is told where it begins.
fn file_start(file: &EnvironmentFile) -> Span {
    Span::new(file.span.start, (file.span.start + 1).min(file.span.end))
}

/// How many different objects of a name the goal asks for.
fn wanted(file: &EnvironmentFile, name: &str) -> usize {
    let mut ids = BTreeSet::new();
    for literal in &file.goal {
        for (arg, id) in literal.args.iter().zip(&literal.ids) {
            if name.contains(&arg.text) || arg.text.starts_with(name) {
                ids.insert(&id.text);
            }
        }
    }
    ids.len()
}

fn by_place<'p, 'f>(
    entities: &'p [Placed<'f>],
    place: impl Fn(&Placed<'f>) -> (i64, i64),
) -> BTreeMap<(i64, i64), Vec<&'p Placed<'f>>> {
    let mut result: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for entity in entities {
        result.entry(place(entity)).or_default().push(entity);
    }
    result
}
