//! Objects and facts as entities with positions.
//!
//! The file has no facts of where things are: what is in one position with a station lies on it, and so
//! on. And the order of positions numbers the objects. So each station, each player and each thing
//! that is nowhere is given a position of its own, in an order in which the objects of each kind come
//! in their own.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::reporter::Reporter;
use crate::robotouille::schema::{CONTAINERS, FIELDS, ITEMS, MEALS, PLAYERS, STATIONS};
use crate::robotouille::symbols::FREE;
use brigade_syntax::ast::{InitItem, Problem, Term, TypeExpr};

/// Unary predicates that positions imply.
const IMPLIED: [&str; 5] = [
    "vacant",
    "station_empty",
    "clear",
    "nothing",
    "container_empty",
];

/// An object that exists at the start.
struct Entity<'p> {
    name: &'p str,
    /// Which place it has.
    place: usize,
}

/// The objects of a problem, and its facts by predicate.
pub(super) struct World<'p> {
    /// By field.
    entities: [Vec<Entity<'p>>; 5],
    /// Those that do not exist at the start.
    free: BTreeSet<&'p str>,
    /// The arguments of facts, by predicate.
    facts: BTreeMap<&'p str, Vec<Vec<&'p str>>>,
    /// The predicates that hold of each object alone, in the order of the file.
    sorts: BTreeMap<&'p str, Vec<&'p str>>,
    /// The position of each place.
    positions: Vec<usize>,
}

/// The name of an object without its number.
pub(super) fn base(name: &str) -> &str {
    name.trim_end_matches(|c: char| c.is_ascii_digit())
}

impl<'p> World<'p> {
    /// Reads the objects and facts. `None` after a report of what has no form.
    pub(super) fn new(problem: &'p Problem, reporter: &mut Reporter<'_>) -> Option<Self> {
        let mut world = Self {
            entities: Default::default(),
            free: BTreeSet::new(),
            facts: BTreeMap::new(),
            sorts: BTreeMap::new(),
            positions: Vec::new(),
        };
        for item in &problem.init {
            match item {
                InitItem::Atom(name, terms, span) => {
                    let args = terms.iter().map(|term| match term {
                        Term::Name(name) => Some(name.text.as_str()),
                        _ => None,
                    });
                    match args.collect::<Option<Vec<_>>>() {
                        Some(args) => {
                            if let [object] = args[..] {
                                world.sorts.entry(object).or_default().push(&name.text);
                            }
                            world.facts.entry(&name.text).or_default().push(args);
                        }
                        None => reporter.refuse(*span, "this fact"),
                    }
                }
                InitItem::NotAtom(..) => {}
                InitItem::Value(_, _, span) | InitItem::Timed(_, _, span) => {
                    reporter.refuse(*span, "what is no plain fact");
                }
            }
        }
        for (predicate, facts) in &world.facts {
            if predicate.starts_with(FREE) {
                world.free.extend(facts.iter().flatten());
            }
        }
        let mut places = 0;
        let mut place_of: BTreeMap<&str, usize> = BTreeMap::new();
        let mut fields: [Vec<&'p str>; 5] = Default::default();
        for object in &problem.objects {
            let name = object.name.text.as_str();
            let of = match &object.ty {
                Some(TypeExpr::Named(of)) => of.text.as_str(),
                _ => "object",
            };
            match FIELDS.iter().position(|(_, known)| *known == of) {
                Some(field) if !world.free.contains(name) => fields[field].push(name),
                Some(_) => {}
                None => reporter.refuse(object.name.span, &format!("an object of type `{of}`")),
            }
        }
        let at: [&[&str]; 5] = [
            &[],
            &["item_at", "has_item"],
            &[],
            &["container_at", "has_container"],
            &["in"],
        ];
        for field in [STATIONS, PLAYERS, ITEMS, CONTAINERS, MEALS] {
            for &name in &fields[field] {
                let mut facts = at[field]
                    .iter()
                    .flat_map(|predicate| world.facts_of(predicate));
                let with = facts.find_map(|args| match args[..] {
                    [a, b] if a == name => place_of.get(b),
                    [a, b] if b == name => place_of.get(a),
                    _ => None,
                });
                let place = with.copied().unwrap_or_else(|| {
                    places += 1;
                    places - 1
                });
                place_of.insert(name, place);
            }
        }
        for (field, names) in fields.iter().enumerate() {
            let entities = names.iter().map(|name| Entity {
                name,
                place: place_of[name],
            });
            world.entities[field] = entities.collect();
        }
        let Some(positions) = world.ordered(places) else {
            let help = "the objects of each kind are numbered from left to right: \
                        declare items in the order of the stations that they are at";
            let at = problem
                .objects
                .first()
                .map_or(problem.span, |object| object.name.span);
            reporter.refuse_help(at, "the order of the objects", help);
            return None;
        };
        world.positions = positions;
        reporter.is_sound().then_some(world)
    }

    fn facts_of(&self, predicate: &str) -> &[Vec<&'p str>] {
        self.facts.get(predicate).map_or(&[], |facts| facts)
    }

    /// A position for each place, so that those of each kind come one after another. `None` if there
    /// are none.
    fn ordered(&self, places: usize) -> Option<Vec<usize>> {
        let mut after: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); places];
        let mut before = vec![0; places];
        for entities in &self.entities {
            for pair in entities.windows(2) {
                let (first, second) = (pair[0].place, pair[1].place);
                if first != second && after[first].insert(second) {
                    before[second] += 1;
                }
            }
        }
        let mut open: BTreeSet<usize> = (0..places).filter(|&place| before[place] == 0).collect();
        let mut positions = vec![None; places];
        let mut position = 0;
        while let Some(place) = open.pop_first() {
            positions[place] = Some(position);
            position += 1;
            for &next in &after[place] {
                before[next] -= 1;
                if before[next] == 0 {
                    open.insert(next);
                }
            }
        }
        positions.into_iter().collect()
    }

    /// The number of positions.
    pub(super) fn width(&self) -> usize {
        self.positions.len()
    }

    /// Returns true if an object does not exist at the start.
    pub(super) fn is_free(&self, name: &str) -> bool {
        self.free.contains(name)
    }

    /// Returns true if some object's name has these letters in it.
    pub(super) fn has_name_with(&self, letters: &str) -> bool {
        self.names_with(letters).next().is_some()
    }

    /// Returns true if exactly one object's name has these letters in it.
    pub(super) fn has_one_name_with(&self, letters: &str) -> bool {
        self.names_with(letters).count() == 1
    }

    fn names_with<'w>(&'w self, letters: &'w str) -> impl Iterator<Item = &'p str> + 'w {
        let entities = self.entities.iter().flatten().map(|entity| entity.name);
        let names = entities.chain(self.free.iter().copied());
        names.filter(move |name| name.contains(letters))
    }

    /// The lists of entities. Those that are `named` in the goal have their names as ids.
    pub(super) fn entities(&self, named: &BTreeSet<String>) -> Vec<(&'static str, Value)> {
        let lists = FIELDS.iter().zip(&self.entities).enumerate();
        lists
            .map(|(field, ((key, _), entities))| {
                let entities = entities.iter();
                let entities = entities.map(|entity| self.entity(field, entity, named));
                (*key, entities.collect())
            })
            .collect()
    }

    fn entity(&self, field: usize, entity: &Entity<'p>, named: &BTreeSet<String>) -> Value {
        let name = entity.name;
        let mut json = Map::new();
        let mut put = |key: &str, value: Value| json.insert(key.to_owned(), value);
        put("name", json!(base(name)));
        put("x", json!(self.positions[entity.place]));
        put("y", json!(0));
        if named.contains(name) {
            put("id", json!(name));
        }
        if field == ITEMS {
            put("stack-level", json!(self.level(name)));
        }
        if field == PLAYERS {
            put("direction", json!(self.direction(entity)));
        }
        let kind = format!("is{}", base(name));
        let is_said = |predicate: &str| {
            predicate == kind || predicate.starts_with(FREE) || IMPLIED.contains(&predicate)
        };
        let sorts = self.sorts.get(name).into_iter().flatten().copied();
        let further: Vec<&str> = sorts.filter(|sort| !is_said(sort)).collect();
        if !further.is_empty() {
            put("predicates", json!(further));
        }
        Value::Object(json)
    }

    /// The number of items below one.
    fn level(&self, name: &str) -> usize {
        let atop = self.facts_of("atop");
        let mut item = name;
        // A ring of items has no level; comparing finds that.
        for level in 0..=atop.len() {
            match atop.iter().find(|args| args.first() == Some(&item)) {
                Some(args) if args.len() == 2 => item = args[1],
                _ => return level,
            }
        }
        0
    }

    /// From a player to the station where it stands.
    fn direction(&self, player: &Entity<'p>) -> [i64; 2] {
        let mut loc = self.facts_of("loc").iter();
        let station = loc.find(|args| args.first() == Some(&player.name));
        let station = station.and_then(|args| {
            let mut stations = self.entities[STATIONS].iter();
            stations.find(|station| args.get(1) == Some(&station.name))
        });
        match station {
            Some(station) => {
                let position = |entity: &Entity<'_>| self.positions[entity.place] as i64;
                [position(station) - position(player), 0]
            }
            None => [0, -1],
        }
    }
}
