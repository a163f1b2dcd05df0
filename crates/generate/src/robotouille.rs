//! Random environments of Robotouille, in the spirit of its own generator.
//!
//! As there, an environment is drawn from a task: its stations, items, containers and players, and some stations and
//! items more, are put at random; an item may be held from the start; stacks are taken apart. The differences: the
//! sequence of numbers (`SplitMix64`), all players stay, containers may be held too, the number of additional things
//! has a limit of its own, and there is one station more than there are things, so that something can be put down.
//! There is no map in Robotouille: positions show where each thing lies, and not which places can be reached.
//!
//! The kinds of stations and items that occur in given environments can be added, each with its facts there.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use brigade_task::split_mix::SplitMix;

/// The most stations, and the most items, that can be added.
pub const MAX_EXTRA: usize = 100;

/// The most entities of an environment to draw from.
const MAX_ENTITIES: usize = 1000;

/// The most things that may be added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extra {
    /// Stations, beside those that are needed to put everything on.
    pub stations: usize,
    /// Items.
    pub items: usize,
}

/// The reason why nothing can be drawn from an environment.
#[derive(Debug, thiserror::Error)]
pub enum GenerateError {
    /// It is no environment.
    #[error("it is no environment: {0}")]
    Form(#[from] serde_json::Error),
    /// There is nobody in it.
    #[error("it has no players")]
    NoPlayers,
    /// There is nowhere to stand.
    #[error("it has no stations")]
    NoStations,
    /// It is too large.
    #[error("it has more than {MAX_ENTITIES} entities")]
    TooLarge,
}

/// The keys of an environment that are drawn; all others stay as they are.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Environment {
    stations: Vec<Entity>,
    #[serde(default)]
    items: Vec<Entity>,
    players: Vec<Entity>,
    #[serde(default)]
    containers: Vec<Entity>,
    #[serde(default)]
    meals: Vec<Entity>,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

/// Something in the kitchen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Entity {
    name: String,
    x: i64,
    y: i64,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

/// Draws environments.
#[derive(Clone, Debug)]
pub struct Generator {
    base: Environment,
    stations: Vec<Entity>,
    items: Vec<Entity>,
}

/// The neighbours of a place.
const DIRECTIONS: [(i64, i64); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];

impl Generator {
    /// Draws from an environment. Stations and items that are added are of its kinds, and of those of
    /// the further environments, which must be of the same domain; what it says of a kind itself counts.
    pub fn new(environment: &str, further: &[&str]) -> Result<Self, GenerateError> {
        let base: Environment = serde_json::from_str(environment)?;
        let counts = [
            base.stations.len(),
            base.items.len(),
            base.players.len(),
            base.containers.len(),
            base.meals.len(),
        ];
        if counts.iter().sum::<usize>() > MAX_ENTITIES {
            return Err(GenerateError::TooLarge);
        }
        if base.players.is_empty() {
            return Err(GenerateError::NoPlayers);
        }
        if base.stations.is_empty() {
            return Err(GenerateError::NoStations);
        }
        let mut generator = Self {
            stations: Vec::new(),
            items: Vec::new(),
            base,
        };
        let (stations, items) = (
            generator.base.stations.clone(),
            generator.base.items.clone(),
        );
        add_kinds(&mut generator.stations, stations);
        add_kinds(&mut generator.items, items);
        for text in further {
            let other: Environment = serde_json::from_str(text)?;
            add_kinds(&mut generator.stations, other.stations);
            add_kinds(&mut generator.items, other.items);
        }
        Ok(generator)
    }

    /// The environment of a seed and the number of a try, as JSON.
    ///
    /// # Errors
    ///
    /// [`GenerateError::Form`]: the environment cannot be written as JSON.
    pub fn draw(&self, seed: u64, number: u64, extra: Extra) -> Result<String, GenerateError> {
        let mut random = SplitMix::new(seed, number);
        let mut drawn = self.base.clone();
        let add = |random: &mut SplitMix, count: usize, kinds: &[Entity]| {
            let kinds = (0..count).filter_map(|_| kinds.get(random.below(kinds.len().max(1))));
            kinds.cloned().collect::<Vec<_>>()
        };
        let items = random.below(extra.items.min(MAX_EXTRA) + 1);
        drawn.items.extend(add(&mut random, items, &self.items));
        let things = drawn.items.len() + drawn.containers.len();
        let needed = drawn.players.len().max(things + 1);
        let missing = needed.saturating_sub(drawn.stations.len());
        let stations = missing + random.below(extra.stations.min(MAX_EXTRA) + 1);
        drawn
            .stations
            .extend(add(&mut random, stations, &self.stations));
        let side = drawn.place(&mut random);
        drawn.put(&mut random);
        drawn.rest.insert("width".to_owned(), json!(side));
        drawn.rest.insert("height".to_owned(), json!(side));
        Ok(serde_json::to_string_pretty(&drawn)? + "\n")
    }
}

/// Adds those kinds that are not there yet: entities of another name, without a place and an id.
fn add_kinds(kinds: &mut Vec<Entity>, entities: Vec<Entity>) {
    let base = |name: &str| {
        name.trim_end_matches(|c: char| c.is_ascii_digit())
            .to_owned()
    };
    let mut known: BTreeSet<String> = kinds.iter().map(|kind| kind.name.clone()).collect();
    for mut entity in entities {
        entity.name = base(&entity.name);
        entity.rest.shift_remove("id");
        entity.rest.shift_remove("stack-level");
        if known.insert(entity.name.clone()) {
            kinds.push(entity);
        }
    }
}

impl Environment {
    /// Puts the stations on a square, and each player before one of its own. Returns its side.
    fn place(&mut self, random: &mut SplitMix) -> i64 {
        // Half of the places stay free.
        let mut side = 1;
        while side * side < 2 * (self.stations.len() + self.players.len()) as i64 {
            side += 1;
        }
        loop {
            let mut places: Vec<(i64, i64)> = (0..side * side)
                .map(|place| (place % side, place / side))
                .collect();
            random.shuffle(&mut places);
            for (station, &(x, y)) in self.stations.iter_mut().zip(&places) {
                (station.x, station.y) = (x, y);
            }
            let free: BTreeSet<(i64, i64)> =
                places.split_off(self.stations.len()).into_iter().collect();
            if self.stand(random, free) {
                return side;
            }
            side += 1;
        }
    }

    /// Puts each player on a free place, before a station where no other stands. `false` if there is
    /// no room for one of them.
    fn stand(&mut self, random: &mut SplitMix, mut free: BTreeSet<(i64, i64)>) -> bool {
        let mut vacant: Vec<(i64, i64)> = self.stations.iter().map(|it| (it.x, it.y)).collect();
        for player in &mut self.players {
            let mut spots = Vec::new();
            for (station, &(x, y)) in vacant.iter().enumerate() {
                let before = DIRECTIONS.map(|(dx, dy)| ((x - dx, y - dy), (dx, dy)));
                let before = before.into_iter().filter(|(place, _)| free.contains(place));
                spots.extend(before.map(|spot| (station, spot)));
            }
            if spots.is_empty() {
                return false;
            }
            let (station, (place, (dx, dy))) = spots[random.below(spots.len())];
            vacant.remove(station);
            free.remove(&place);
            (player.x, player.y) = place;
            player.rest.insert("direction".to_owned(), json!([dx, dy]));
        }
        true
    }

    /// Puts items and containers on stations and into hands, one in each; what is in a container stays
    /// in it.
    fn put(&mut self, random: &mut SplitMix) {
        let holders = self.stations.iter().chain(&self.players);
        let mut places: Vec<(i64, i64)> = holders.map(|holder| (holder.x, holder.y)).collect();
        random.shuffle(&mut places);
        let before: Vec<(i64, i64)> = self.containers.iter().map(|it| (it.x, it.y)).collect();
        let things = self.items.iter_mut().chain(&mut self.containers);
        for (thing, (x, y)) in things.zip(places) {
            (thing.x, thing.y) = (x, y);
        }
        for item in &mut self.items {
            item.rest.insert("stack-level".to_owned(), json!(0));
        }
        for meal in &mut self.meals {
            let at = before.iter().position(|&place| place == (meal.x, meal.y));
            if let Some(container) = at.and_then(|at| self.containers.get(at)) {
                (meal.x, meal.y) = (container.x, container.y);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KITCHEN: &str = r#"{
        "goal_description": "Fry it",
        "stations": [{"name": "table", "x": 0, "y": 0, "id": "A"}, {"name": "stove1", "x": 1, "y": 0}],
        "items": [
            {"name": "bun", "x": 0, "y": 0, "stack-level": 0},
            {"name": "patty", "x": 0, "y": 0, "stack-level": 1, "predicates": ["iscookable"]}
        ],
        "players": [
            {"name": "robot", "x": 0, "y": 1, "direction": [0, -1]},
            {"name": "robot", "x": 1, "y": 1, "direction": [0, -1]}
        ],
        "containers": [{"name": "pot", "x": 1, "y": 0}],
        "meals": [{"name": "water", "x": 1, "y": 0}],
        "goal": [{"predicate": "isfried", "args": ["patty"], "ids": [1]}]
    }"#;

    const OTHER: &str = r#"{
        "stations": [{"name": "board", "x": 0, "y": 0}],
        "items": [{"name": "patty", "x": 0, "y": 0}, {"name": "lettuce", "x": 0, "y": 0}],
        "players": []
    }"#;

    const EXTRA: Extra = Extra {
        stations: 3,
        items: 2,
    };

    fn drawn(seed: u64) -> Environment {
        let generator = Generator::new(KITCHEN, &[OTHER]).unwrap();
        serde_json::from_str(&generator.draw(seed, 0, EXTRA).unwrap()).unwrap()
    }

    #[test]
    fn a_seed_and_a_try_give_one_environment() {
        let generator = Generator::new(KITCHEN, &[OTHER]).unwrap();
        let text = |seed, number| generator.draw(seed, number, EXTRA).unwrap();
        assert_eq!(text(1, 0), text(1, 0));
        let different: BTreeSet<String> = (0..20).map(|seed| text(seed, 0)).collect();
        assert_eq!(different.len(), 20);
        let tries: BTreeSet<String> = (0..20).map(|number| text(1, number)).collect();
        assert_eq!(tries.len(), 20);
    }

    #[test]
    fn everything_has_a_place_of_its_own_and_every_player_a_station() {
        for seed in 0..200 {
            let drawn = drawn(seed);
            let places = |of: &[Entity]| of.iter().map(|it| (it.x, it.y)).collect::<Vec<_>>();
            let stations: BTreeSet<_> = places(&drawn.stations).into_iter().collect();
            assert_eq!(stations.len(), drawn.stations.len());
            let players = places(&drawn.players);
            let mut faced = BTreeSet::new();
            for (player, &(x, y)) in drawn.players.iter().zip(&players) {
                assert!(!stations.contains(&(x, y)));
                let [dx, dy] = [0, 1].map(|axis| player.rest["direction"][axis].as_i64().unwrap());
                assert!(faced.insert((x + dx, y + dy)));
            }
            assert!(faced.is_subset(&stations));
            let things = [places(&drawn.items), places(&drawn.containers)].concat();
            let different: BTreeSet<_> = things.iter().collect();
            assert_eq!(different.len(), things.len());
            let has_place = |place| stations.contains(place) || players.contains(place);
            assert!(things.iter().all(has_place));
            assert_eq!(places(&drawn.meals), places(&drawn.containers));
            assert!(drawn.items.iter().all(|item| item.rest["stack-level"] == 0));
        }
    }

    #[test]
    fn what_the_task_has_stays_and_something_may_be_added() {
        let mut stations = BTreeSet::new();
        let mut items = BTreeSet::new();
        let mut held = 0;
        for seed in 0..200 {
            let drawn = drawn(seed);
            let named = |of: &[Entity]| of.iter().map(|it| it.name.clone()).collect::<Vec<_>>();
            assert_eq!(named(&drawn.stations)[..2], ["table", "stove1"]);
            assert_eq!(named(&drawn.items)[..2], ["bun", "patty"]);
            assert_eq!(drawn.stations[0].rest["id"], "A");
            assert_eq!(drawn.rest["goal_description"], "Fry it");
            assert!(drawn.stations.len() > drawn.items.len() + drawn.containers.len());
            assert!(drawn.items.len() <= 4 && drawn.stations.len() <= 9);
            stations.extend(named(&drawn.stations[2..]));
            assert!(
                drawn.stations[2..]
                    .iter()
                    .all(|it| !it.rest.contains_key("id"))
            );
            for item in &drawn.items[2..] {
                // What the task itself says of a kind counts.
                let is_cookable = item.rest.contains_key("predicates");
                assert_eq!(is_cookable, item.name == "patty");
            }
            items.extend(named(&drawn.items[2..]));
            let at = |player: &Entity| (player.x, player.y);
            let hands: Vec<_> = drawn.players.iter().map(at).collect();
            held += usize::from(drawn.items.iter().any(|it| hands.contains(&at(it))));
        }
        assert_eq!(
            stations,
            ["board", "stove", "table"].map(str::to_owned).into()
        );
        assert_eq!(items, ["bun", "lettuce", "patty"].map(str::to_owned).into());
        assert!((20..180).contains(&held), "{held}");
    }

    #[test]
    fn what_nothing_can_be_drawn_from_is_explained() {
        let error = |text: &str| Generator::new(text, &[]).unwrap_err().to_string();
        assert!(error("{}").starts_with("it is no environment: missing field `stations`"));
        let without = |key: &str| {
            let mut kitchen: Value = serde_json::from_str(KITCHEN).unwrap();
            kitchen[key] = json!([]);
            kitchen.to_string()
        };
        assert_eq!(error(&without("players")), "it has no players");
        assert_eq!(error(&without("stations")), "it has no stations");
        let mut large: Value = serde_json::from_str(KITCHEN).unwrap();
        large["items"] = json!(vec![json!({"name": "bun", "x": 0, "y": 0}); 1001]);
        assert_eq!(error(&large.to_string()), "it has more than 1000 entities");
    }
}
