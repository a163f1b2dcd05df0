//! Recorded episodes: what each player did, what the state was then, and what each was rewarded.
//!
//! As text: the layout and the semantics, then a line for each step,
//! `5 0 | 1-1 west onion, 3-2 east | 2-0 soup-oo -1, 1-0 dish | 20 0 | 0 3`: actions by their numbers, players,
//! objects (of a soup for how long it has cooked), sparse and shaped rewards.

use std::fmt;

use serde_json::Value;

use super::kitchen::{Kitchen, Rewards};

const DIRECTIONS: [(&str, i64, i64); 4] = [
    ("north", 0, -1),
    ("south", 0, 1),
    ("east", 1, 0),
    ("west", -1, 0),
];

/// An episode from the start of a layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Episode {
    pub(super) layout: String,
    pub(super) semantics: String,
    pub(super) steps: Vec<Step>,
}

/// A step, and the state after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) actions: Vec<usize>,
    pub(super) seen: Seen,
    /// Sparse rewards: of each player, or of all together where a recording does not separate them.
    pub(super) sparse: Vec<i64>,
    /// Shaped rewards of each player; none where they are not recorded.
    pub(super) shaped: Vec<i64>,
}

/// A recorded state, with positions as `column-row`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Seen {
    /// The position of each player, the way it faces, and the object that it holds.
    players: Vec<(String, String, Option<String>)>,
    /// The objects, by position; of a soup for how many ticks it has cooked.
    objects: Vec<(String, String, Option<i64>)>,
}

/// A place as `column-row`.
fn place(json: &Value) -> String {
    format!("{}-{}", json[0], json[1])
}

fn direction(json: &Value) -> String {
    let pair = (json[0].as_i64().unwrap(), json[1].as_i64().unwrap());
    let mut known = DIRECTIONS.iter();
    known
        .find(|way| (way.1, way.2) == pair)
        .unwrap()
        .0
        .to_owned()
}

/// The number of an action that is written as a direction or a word.
pub(super) fn action(json: &Value) -> usize {
    let Some(pair) = json.as_array() else {
        assert!(json.as_str().unwrap().eq_ignore_ascii_case("interact"));
        return 5;
    };
    let pair = (pair[0].as_i64().unwrap(), pair[1].as_i64().unwrap());
    let way = DIRECTIONS.iter().position(|way| (way.1, way.2) == pair);
    way.unwrap_or(4)
}

/// A soup is named by what is in it. In which order that came matters to no rule.
fn soup<'i>(ingredients: impl Iterator<Item = &'i str>) -> String {
    let mut letters: Vec<&str> = ingredients.map(|ingredient| &ingredient[..1]).collect();
    letters.sort_unstable();
    format!("soup-{}", letters.concat())
}

fn numbers(json: &Value) -> Vec<i64> {
    let items = json.as_array().unwrap().iter();
    items.map(|item| item.as_i64().unwrap()).collect()
}

impl Seen {
    /// `{"p": [[position, direction, held]], "o": [[position, name, …]]}`
    pub(super) fn short(json: &Value) -> Self {
        let thing = |parts: &[Value]| {
            let name = parts[0].as_str().unwrap();
            if name != "soup" {
                return (name.to_owned(), None);
            }
            let ingredients = parts[1].as_array().unwrap().iter();
            (
                soup(ingredients.map(|it| it.as_str().unwrap())),
                parts[2].as_i64(),
            )
        };
        let players = json["p"].as_array().unwrap().iter();
        let objects = json["o"].as_array().unwrap().iter();
        Self {
            players: players
                .map(|player| {
                    let held = player[2].as_array().map(|parts| thing(parts).0);
                    (place(&player[0]), direction(&player[1]), held)
                })
                .collect(),
            objects: objects
                .map(|object| {
                    let (name, ticks) = thing(&object.as_array().unwrap()[1..]);
                    (place(&object[0]), name, ticks)
                })
                .collect(),
        }
        .in_order()
    }

    /// `{"players": [{"position": …}], "objects": [{"name": …}]}`
    pub(super) fn long(json: &Value) -> Self {
        let thing = |object: &Value| {
            let name = object["name"].as_str().unwrap();
            if name != "soup" {
                return (name.to_owned(), None);
            }
            let ingredients = object["_ingredients"].as_array().unwrap().iter();
            let name = soup(ingredients.map(|it| it["name"].as_str().unwrap()));
            (name, object["_cooking_tick"].as_i64())
        };
        let players = json["players"].as_array().unwrap().iter();
        let objects = json["objects"].as_array().unwrap().iter();
        Self {
            players: players
                .map(|player| {
                    let held = Some(&player["held_object"]).filter(|held| !held.is_null());
                    let at = place(&player["position"]);
                    (
                        at,
                        direction(&player["orientation"]),
                        held.map(|held| thing(held).0),
                    )
                })
                .collect(),
            objects: objects
                .map(|object| {
                    let (name, ticks) = thing(object);
                    (place(&object["position"]), name, ticks)
                })
                .collect(),
        }
        .in_order()
    }

    fn in_order(mut self) -> Self {
        self.objects.sort();
        self
    }

    /// The same as facts, in order.
    fn facts(&self, pots: &[String]) -> Vec<String> {
        let mut facts = Vec::new();
        for (number, (at, facing, held)) in self.players.iter().enumerate() {
            let player = format!("player{}", number + 1);
            facts.push(format!("(= (at {player}) floor-{at})"));
            facts.push(format!("(= (facing {player}) {facing})"));
            facts.extend(
                held.iter()
                    .map(|held| format!("(= (held {player}) {held})")),
            );
        }
        let on_counters = self.objects.iter().filter(|(at, ..)| !pots.contains(at));
        facts.extend(on_counters.map(|(at, name, _)| format!("(= (on counter-{at}) {name})")));
        for at in pots {
            let soup = self.objects.iter().find(|(place, ..)| place == at);
            let contents = soup.map_or("nothing", |(_, name, _)| name.as_str());
            let ticks = soup.map_or(-1, |(.., ticks)| ticks.unwrap());
            facts.push(format!("(= (in pot-{at}) {contents})"));
            facts.push(format!("(= (cooked-for pot-{at}) {})", ticks.max(0)));
            if ticks >= 0 {
                facts.push(format!("(cooking pot-{at})"));
            }
        }
        facts.sort();
        facts
    }

    /// Asserts that the kitchen is in this state.
    pub(super) fn check(&self, kitchen: &Kitchen, step: &str) {
        assert_eq!(kitchen.facts(), self.facts(&kitchen.pots()), "{step}");
    }
}

impl Episode {
    /// Of the recordings that were made of the published engine.
    pub(super) fn golden(json: &Value) -> Self {
        let semantics = if json["old_dynamics"].as_bool().unwrap() {
            "old-dynamics"
        } else {
            "clean"
        };
        let steps = json["steps"].as_array().unwrap().iter();
        let steps = steps.map(|step| Step {
            actions: numbers(&step["a"])
                .iter()
                .map(|&action| action as usize)
                .collect(),
            seen: Seen::short(&step["s"]),
            sparse: numbers(&step["r"]),
            shaped: numbers(&step["sh"]),
        });
        Self {
            layout: json["layout"].as_str().unwrap().to_owned(),
            semantics: semantics.to_owned(),
            steps: steps.collect(),
        }
    }

    /// Plays it in a kitchen that is at its start, and asserts that all is as recorded.
    pub(super) fn check(&self, kitchen: &mut Kitchen) {
        for (number, step) in self.steps.iter().enumerate() {
            let place = format!("{} {}, step {number}", self.layout, self.semantics);
            let rewards = kitchen.step(&step.actions);
            step.seen.check(kitchen, &place);
            step.check_rewards(&rewards, &place);
        }
    }

    /// Reads the text that is shown of it.
    pub(super) fn parse(text: &str) -> Self {
        let mut lines = text.lines();
        let (layout, semantics) = lines.next().unwrap().split_once(' ').unwrap();
        Self {
            layout: layout.to_owned(),
            semantics: semantics.to_owned(),
            steps: lines.map(Step::parse).collect(),
        }
    }
}

impl Step {
    fn check_rewards(&self, rewards: &Rewards, place: &str) {
        if self.sparse.len() == 1 && rewards.sparse.len() > 1 {
            assert_eq!(
                self.sparse[0],
                rewards.sparse.iter().sum::<i64>(),
                "{place}"
            );
        } else {
            assert_eq!(self.sparse, rewards.sparse, "{place}");
        }
        if !self.shaped.is_empty() {
            assert_eq!(self.shaped, rewards.shaped, "{place}");
        }
    }

    fn parse(line: &str) -> Self {
        let parts: Vec<&str> = line.split('|').map(str::trim).collect();
        let numbers = |part: &str| -> Vec<i64> {
            let words = part.split_whitespace();
            words.map(|word| word.parse().unwrap()).collect()
        };
        let items = |part: &str| -> Vec<Vec<String>> {
            let items = part.split(", ").filter(|item| !item.is_empty());
            let words = |item: &str| item.split(' ').map(str::to_owned).collect();
            items.map(words).collect()
        };
        let players = items(parts[1]).into_iter();
        let objects = items(parts[2]).into_iter();
        Self {
            actions: numbers(parts[0])
                .iter()
                .map(|&action| action as usize)
                .collect(),
            seen: Seen {
                players: players
                    .map(|words| (words[0].clone(), words[1].clone(), words.get(2).cloned()))
                    .collect(),
                objects: objects
                    .map(|words| {
                        let ticks = words.get(2).map(|ticks| ticks.parse().unwrap());
                        (words[0].clone(), words[1].clone(), ticks)
                    })
                    .collect(),
            },
            sparse: numbers(parts[3]),
            shaped: numbers(parts[4]),
        }
    }
}

impl fmt::Display for Episode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} {}", self.layout, self.semantics)?;
        for step in &self.steps {
            let numbers = |numbers: &[i64]| {
                let words: Vec<String> = numbers.iter().map(i64::to_string).collect();
                words.join(" ")
            };
            let actions: Vec<i64> = step.actions.iter().map(|&action| action as i64).collect();
            let players = step.seen.players.iter().map(|(at, facing, held)| {
                let held = held
                    .as_ref()
                    .map_or(String::new(), |held| format!(" {held}"));
                format!("{at} {facing}{held}")
            });
            let objects = step.seen.objects.iter().map(|(at, name, ticks)| {
                let ticks = ticks.map_or(String::new(), |ticks| format!(" {ticks}"));
                format!("{at} {name}{ticks}")
            });
            let parts = [
                numbers(&actions),
                players.collect::<Vec<_>>().join(", "),
                objects.collect::<Vec<_>>().join(", "),
                numbers(&step.sparse),
                numbers(&step.shaped),
            ];
            writeln!(f, "{}", parts.join(" | "))?;
        }
        Ok(())
    }
}
