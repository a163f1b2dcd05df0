//! The objects of an environment with their names, and the facts at the start.
//!
//! There is no map: players stand at stations, and equal positions in the file show what lies where. Positions serve
//! that alone, and the order in which the objects are numbered.

use std::collections::{BTreeMap, BTreeSet};

use super::names::{Names, Placed, base, is_random};
use super::options::{MAX_POOL, Options};
use super::schema::{CONTAINERS, EnvironmentFile, FIELDS, ITEMS, MEALS, PLAYERS, STATIONS};
use super::symbols::{Pool, Symbols};
use crate::fields::Reporter;
use crate::json::Text;
use brigade_diagnostics::Code;
use brigade_diagnostics::span::Span;

/// An object of the problem.
#[derive(Clone, Debug)]
pub(super) struct Object {
    pub(super) name: String,
    /// Its type.
    pub(super) of: String,
    /// Its id in the file.
    pub(super) id: Option<String>,
    /// True if it is of a pool, and does not exist at the start.
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
    /// True if all that the environment holds is known.
    pub(super) is_complete: bool,
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
    let mut names = Names::default();
    let placed = file
        .entities
        .each_ref()
        .map(|entities| names.place(entities, reporter));
    let others = file.others.iter();
    let others: Vec<(&str, Vec<Placed<'_>>)> = others
        .map(|(of, entities)| (of.as_str(), names.place(entities, reporter)))
        .collect();
    let mut builder = Builder {
        symbols,
        reporter,
        world: World {
            is_complete: file.has_all_entities && !has_random(file),
            ..World::default()
        },
        known: BTreeSet::new(),
        missing: BTreeSet::new(),
    };
    for (entities, (_, of)) in placed.iter().zip(FIELDS) {
        builder.objects(of, entities);
    }
    for (of, entities) in &others {
        builder.objects(of, entities);
    }
    builder.sorts(placed.iter().chain(others.iter().map(|(_, placed)| placed)));
    builder.stations(&placed);
    builder.nowhere(&placed);
    builder.players(&placed);
    builder.containers(&placed);
    builder.pools(file, options);
    builder.world
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

    fn objects(&mut self, of: &str, entities: &[Placed<'_>]) {
        let objects = entities.iter().map(|Placed { entity, name }| Object {
            name: name.clone(),
            of: of.to_owned(),
            id: entity.id.as_ref().map(|id| id.text.clone()),
            is_free: false,
            span: entity.name.span,
        });
        self.world.objects.extend(objects);
    }

    /// Adds the kind of each entity, and the other facts that the file gives of it.
    fn sorts<'p, 'f: 'p>(&mut self, placed: impl Iterator<Item = &'p Vec<Placed<'f>>>) {
        for Placed { entity, name } in placed.flatten() {
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
            let wanted = wanted(file, &pool.name.text).saturating_sub(existing);
            let most = MAX_POOL as usize;
            let by_default = wanted.max(1).saturating_mul(pool.at_once).min(most);
            let size = options.pool.map_or(by_default, |size| size as usize);
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

    /// Returns true if an action that creates has something of each type that it needs.
    fn is_useful(&self, pool: &Pool<'_>) -> bool {
        let has = |of: &&str| {
            let exist = self.world.objects.iter().any(|object| object.of == **of);
            exist || self.symbols.pools_of(of).next().is_some()
        };
        pool.needs.iter().any(|needs| needs.iter().all(has))
    }
}

/// Returns true if some entity stands for any of its type.
fn has_random(file: &EnvironmentFile) -> bool {
    let others = file.others.iter().map(|(_, entities)| entities);
    let mut entities = file.entities.iter().chain(others).flatten();
    entities.any(|entity| is_random(base(&entity.name.text)))
}

/// The place for reports on an environment as a whole: its beginning.
fn file_start(file: &EnvironmentFile) -> Span {
    Span::new(file.span.start, (file.span.start + 1).min(file.span.end))
}

/// The number of different objects of a name that the goal asks for.
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
