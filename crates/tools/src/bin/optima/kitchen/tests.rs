//! The bound against exact distances, and the optima that Brigade proves against those found here.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::LazyLock;
use std::thread;

use brigade_tools::optima::{CLEAN, Line, Optima, Status};
use serde_json::{Value, json};

use super::environment::Kitchen;
use super::successors::successors;
use super::*;

/// A kitchen: its stations in a row, what lies on them (number of the station, name, predicates), the
/// first cook at the first station, a second at the last, and the goal (predicate, arguments with a
/// number each).
struct Made {
    stations: &'static [&'static str],
    items: &'static [(i64, &'static str, &'static [&'static str])],
    containers: &'static [(i64, &'static str)],
    cooks: i64,
    goal: &'static [(&'static str, &'static [(&'static str, u64)])],
}

const SANDWICH: Made = Made {
    stations: &["table", "table", "board", "stove", "table"],
    items: &[
        (0, "bread", &[]),
        (1, "chicken", &["iscookable"]),
        (1, "bread", &[]),
        (4, "lettuce", &["iscuttable"]),
        (2, "tomato", &["iscuttable"]),
    ],
    containers: &[],
    cooks: 1,
    goal: &[
        ("item_on", &[("bread", 1), ("table", 2)]),
        ("iscut", &[("lettuce", 3)]),
        ("item_at", &[("lettuce", 3), ("table", 2)]),
        ("iscooked", &[("chicken", 4)]),
        ("item_at", &[("chicken", 4), ("table", 2)]),
        ("item_at", &[("bread", 5), ("table", 2)]),
        ("clear", &[("bread", 5)]),
    ],
};

const FRIES_AND_TOAST: Made = Made {
    stations: &["table", "fryer", "board", "table", "table"],
    items: &[
        (0, "potato", &["iscuttable", "isfryableifcut"]),
        (1, "potato", &["iscuttable"]),
        (3, "cheese", &[]),
        (4, "bread", &[]),
    ],
    containers: &[],
    cooks: 1,
    goal: &[
        ("iscut", &[("potato", 1)]),
        ("isfried", &[("potato", 1)]),
        ("item_on", &[("potato", 1), ("table", 2)]),
        ("item_on", &[("bread", 3), ("table", 4)]),
        ("atop", &[("cheese", 5), ("bread", 3)]),
        ("clear", &[("cheese", 5)]),
    ],
};

const SOUP: Made = Made {
    stations: &["table", "sink", "stove", "board", "table"],
    items: &[(3, "onion", &["iscuttable"]), (1, "onion", &["iscuttable"])],
    containers: &[(0, "pot"), (2, "bowl")],
    cooks: 1,
    goal: &[
        ("in", &[("water", 1), ("bowl", 2)]),
        ("isboiling", &[("water", 1)]),
        ("iscut", &[("onion", 3)]),
        ("addedto", &[("onion", 3), ("water", 1)]),
        ("container_at", &[("bowl", 2), ("table", 4)]),
    ],
};

const TWO_COOKS: Made = Made {
    stations: &["table", "board", "stove", "table"],
    items: &[
        (0, "patty", &["iscookable"]),
        (0, "bottombun", &[]),
        (3, "lettuce", &["iscuttable"]),
    ],
    containers: &[],
    cooks: 2,
    goal: &[
        ("item_on", &[("bottombun", 1), ("table", 2)]),
        ("iscooked", &[("patty", 3)]),
        ("atop", &[("patty", 3), ("bottombun", 1)]),
        ("iscut", &[("lettuce", 4)]),
        ("atop", &[("lettuce", 4), ("patty", 3)]),
    ],
};

const ALL: [Made; 4] = [SANDWICH, FRIES_AND_TOAST, SOUP, TWO_COOKS];

impl Made {
    fn text(&self) -> String {
        let station = |(x, name): (usize, &&str)| json!({"name": name, "x": x, "y": 0});
        let items = self.items.iter().enumerate();
        let item = |(level, &(x, name, predicates)): (usize, &(i64, &str, &[&str]))| json!({"name": name, "x": x, "y": 0, "stack-level": level, "predicates": predicates});
        let container = |&(x, name): &(i64, &str)| json!({"name": name, "x": x, "y": 0});
        let last = self.stations.len() as i64 - 1;
        let cook = |number: i64| json!({"name": "robot", "x": number * last, "y": 1, "direction": [0, -1]});
        let literal = |&(predicate, arguments): &(&str, &[(&str, u64)])| {
            let names = arguments.iter().map(|&(name, _)| name);
            let ids = arguments.iter().map(|&(_, id)| id);
            json!({
                "predicate": predicate,
                "args": names.collect::<Vec<_>>(),
                "ids": ids.collect::<Vec<_>>(),
            })
        };
        json!({
            "stations": self.stations.iter().enumerate().map(station).collect::<Vec<Value>>(),
            "items": items.map(item).collect::<Vec<Value>>(),
            "containers": self.containers.iter().map(container).collect::<Vec<Value>>(),
            "players": (0..self.cooks).map(cook).collect::<Vec<Value>>(),
            "goal": self.goal.iter().map(literal).collect::<Vec<Value>>(),
        })
        .to_string()
    }

    fn start(&self) -> (Kitchen, State) {
        let environment = Environment::read(&self.text()).unwrap();
        let kitchen = environment
            .kitchen(Goal::read(&environment).unwrap())
            .unwrap();
        let start = State::start(&environment, &kitchen).unwrap();
        (kitchen, start)
    }
}

/// The kitchens and their spaces.
static SPACES: LazyLock<Vec<(Kitchen, Space)>> = LazyLock::new(|| {
    let spaces = ALL.iter().map(|made| {
        let (kitchen, start) = made.start();
        let space = Space::new(&kitchen, &start);
        (kitchen, space)
    });
    spaces.collect()
});

/// All states that can be reached, as they are written, and the exact distance of each to the goal.
struct Space {
    texts: Vec<Vec<u8>>,
    distances: Vec<Option<u32>>,
}

impl Space {
    fn new(kitchen: &Kitchen, start: &State) -> Self {
        let mut text = Vec::new();
        start.write(kitchen, &mut text);
        let mut numbers = HashMap::from([(text.clone(), 0)]);
        let mut texts = vec![text.clone()];
        let mut before: Vec<Vec<(usize, u32)>> = vec![Vec::new()];
        let mut next = 0;
        while next < texts.len() {
            let state = State::read(kitchen, &texts[next]);
            successors(&state, kitchen, |after, cost| {
                after.write(kitchen, &mut text);
                let number = *numbers.entry(text.clone()).or_insert_with(|| {
                    texts.push(text.clone());
                    before.push(Vec::new());
                    texts.len() - 1
                });
                before[number].push((next, cost));
            });
            next += 1;
        }
        let mut distances = vec![None; texts.len()];
        let mut layers: Vec<Vec<usize>> = vec![Vec::new(); 3];
        for (number, text) in texts.iter().enumerate() {
            if State::read(kitchen, text).is_goal(kitchen) {
                layers[0].push(number);
            }
        }
        let mut distance = 0;
        while layers.len() > 2 {
            let layer = layers.remove(0);
            for number in layer {
                if distances[number].is_some() {
                    continue;
                }
                distances[number] = Some(distance);
                for &(other, cost) in &before[number] {
                    layers.resize(layers.len().max(cost as usize), Vec::new());
                    layers[cost as usize - 1].push(other);
                }
            }
            distance += 1;
            if layers.iter().any(|layer| !layer.is_empty()) {
                layers.resize(3, Vec::new());
            }
        }
        Self { texts, distances }
    }
}

#[test]
fn no_state_is_nearer_to_the_goal_than_the_bound() {
    for (kitchen, space) in SPACES.iter() {
        let mut bound = bound::Bound::new(kitchen);
        let (mut bounded, mut all) = (0, 0);
        assert!(space.distances[0].is_some_and(|distance| distance > 10));
        for (text, distance) in space.texts.iter().zip(&space.distances) {
            let state = State::read(kitchen, text);
            let steps = bound.steps(&state, 1000);
            if let &Some(distance) = distance {
                assert!(steps <= distance, "{steps} of {distance}: {state:?}");
                bounded += steps;
                all += distance;
            }
        }
        assert!(bounded * 2 > all, "{bounded} of {all}");
    }
}

#[test]
fn the_fewest_steps_are_the_distance_of_the_start() {
    for (made, (_, space)) in ALL.iter().zip(SPACES.iter()) {
        let distance = space.distances[0].unwrap();
        let fewest = |most| super::fewest(&made.text(), most, usize::MAX, &|| false);
        for most in [distance, distance + 3] {
            let is_it = matches!(fewest(most), Fewest::Steps { steps, .. } if steps == distance);
            assert!(is_it, "{:?}, not {distance}", fewest(most));
        }
        assert_eq!(fewest(distance - 1), Fewest::More);
    }
}

#[test]
fn a_state_reads_as_it_was_written() {
    for (kitchen, space) in SPACES.iter() {
        for text in &space.texts {
            let mut again = Vec::new();
            State::read(kitchen, text).write(kitchen, &mut again);
            assert_eq!(again, *text);
        }
    }
}

#[test]
fn a_kitchen_of_another_kind_is_not_known() {
    let fewest = |text: &str| super::fewest(text, 100, usize::MAX, &|| false);
    let made = Made {
        goal: &[("iscooking", &[("patty", 1)])],
        ..TWO_COOKS
    };
    let unknown = Fewest::Unknown("`iscooking` in the goal".to_owned());
    assert_eq!(fewest(&made.text()), unknown);
    assert!(matches!(fewest("{"), Fewest::Unknown(_)));
    let made = Made {
        goal: &[("item_on", &[("cheese", 1), ("table", 2)])],
        ..TWO_COOKS
    };
    assert_eq!(fewest(&made.text()), Fewest::NoPlan);
}

#[test]
fn what_is_too_much_or_stopped_bounds_nothing() {
    let text = SOUP.text();
    assert_eq!(fewest(&text, 100, 0, &|| false), Fewest::Stopped);
    assert_eq!(fewest(&text, 100, usize::MAX, &|| true), Fewest::Stopped);
}

/// As far as 1 MiB of states reaches.
#[test]
fn the_optima_that_brigade_proves_are_found_again() {
    let Some(folder) = std::env::var_os("BRIGADE_UPSTREAM") else {
        return;
    };
    let folder = PathBuf::from(folder).join("robotouille");
    let optima = Optima::recover(include_str!(
        "../../../../../../docs/results/robotouille-optima.jsonl"
    ));
    let optima = optima.unwrap();
    let proven: Vec<_> = optima
        .iter()
        .filter(|line| line.semantics == CLEAN && line.status != Status::Bounded)
        .collect();
    let is_found = |line: &Line| {
        let environment = crate::environment(&folder, &line.subject()).unwrap();
        let most = line.optimum().unwrap_or(100);
        match fewest(&environment, most, 1 << 20, &|| false) {
            Fewest::Steps { steps, .. } => {
                assert_eq!(Some(steps), line.optimum(), "{}", line.subject());
                true
            }
            Fewest::NoPlan => {
                assert_eq!(line.status, Status::Unsolvable, "{}", line.subject());
                true
            }
            Fewest::More => panic!("{}", line.subject()),
            Fewest::Stopped | Fewest::Unknown(_) => false,
        }
    };
    let (even, odd) = thread::scope(|scope| {
        let [even, odd] = [0, 1].map(|first| {
            let lines = proven.iter().skip(first).step_by(2);
            scope.spawn(|| lines.filter(|line| is_found(line)).count())
        });
        (even.join().unwrap(), odd.join().unwrap())
    });
    assert!(even + odd > 180, "{even} + {odd}");
}
