//! A published environment, and the kitchen that it makes.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::Value;

use super::goal::Goal;
use super::{MOST_ITEMS, MOST_STATIONS};

/// The purpose of a station.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Table,
    Board,
    Stove,
    Fryer,
    Sink,
}

/// The operations possible on an item, as far as the goal asks for them. Items of which it asks nothing are of one
/// form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Form {
    /// Number of its name in the goal, if the goal asks for something of that name.
    pub(super) name: Option<usize>,
    pub(super) can_be_cut: bool,
    pub(super) can_be_cooked: bool,
    pub(super) can_be_fried: Fried,
}

/// The condition under which an item can be fried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Fried {
    #[default]
    Never,
    OnceCut,
    Always,
}

/// A kitchen and what is asked of it.
#[derive(Clone, Debug)]
pub(super) struct Kitchen {
    /// Those of a kind are next to each other.
    pub(super) stations: Vec<Kind>,
    /// The first is that of what the goal does not ask for.
    pub(super) forms: Vec<Form>,
    pub(super) goal: Goal,
    /// Players, one or two, who take turns.
    pub(super) cooks: usize,
}

/// An environment as it is published, as far as it matters.
#[derive(Deserialize)]
pub(super) struct Environment {
    pub(super) stations: Vec<Entity>,
    pub(super) items: Vec<Entity>,
    pub(super) players: Vec<Entity>,
    #[serde(default)]
    pub(super) containers: Vec<Entity>,
    #[serde(default)]
    meals: Vec<Entity>,
    pub(super) goal: Vec<Literal>,
}

/// A station, an item, a player or a container.
#[derive(Deserialize)]
pub(super) struct Entity {
    pub(super) name: String,
    pub(super) x: i64,
    pub(super) y: i64,
    #[serde(default, rename = "stack-level")]
    pub(super) level: i64,
    #[serde(default)]
    pub(super) predicates: Vec<String>,
    #[serde(default)]
    direction: Vec<i64>,
}

/// A literal of the goal.
#[derive(Deserialize)]
pub(super) struct Literal {
    pub(super) predicate: String,
    args: Vec<String>,
    ids: Vec<Value>,
}

impl Literal {
    /// Its arguments: a name and a number each.
    pub(super) fn variables(&self) -> Result<Vec<(String, u64)>, String> {
        let arguments = self.args.iter().zip(&self.ids);
        let variables = arguments.map(|(name, id)| {
            let number = id.as_u64();
            let number = number.or_else(|| id.as_str()?.parse().ok());
            let number = number.ok_or_else(|| format!("the id {id} in the goal"))?;
            Ok((name.clone(), number))
        });
        variables.collect()
    }
}

impl Entity {
    pub(super) fn is(&self, predicate: &str) -> bool {
        self.predicates.iter().any(|known| known == predicate)
    }

    pub(super) const fn at(&self) -> (i64, i64) {
        (self.x, self.y)
    }

    /// Returns the position that a player faces.
    pub(super) fn faces(&self) -> Option<(i64, i64)> {
        match self.direction[..] {
            [x, y] => Some((self.x + x, self.y + y)),
            _ => None,
        }
    }

    fn kind(&self) -> Option<Kind> {
        Some(match self.name.as_str() {
            "table" => Kind::Table,
            "board" => Kind::Board,
            "stove" => Kind::Stove,
            "fryer" => Kind::Fryer,
            "sink" => Kind::Sink,
            _ => return None,
        })
    }

    /// Returns the operations possible on an item that matter to a goal.
    pub(super) fn form(&self, goal: &Goal) -> Form {
        let can_be_fried = match goal.asks(&self.name, |role| role.is_fried) {
            true if self.is("isfryable") => Fried::Always,
            true if self.is("isfryableifcut") => Fried::OnceCut,
            _ => Fried::Never,
        };
        let is_cut = goal.asks(&self.name, |role| role.is_cut);
        let is_cut = is_cut || can_be_fried == Fried::OnceCut;
        let is_cooked = goal.asks(&self.name, |role| role.is_cooked);
        Form {
            name: goal.names.iter().position(|name| *name == self.name),
            can_be_cut: is_cut && self.is("iscuttable"),
            can_be_cooked: is_cooked && self.is("iscookable"),
            can_be_fried,
        }
    }
}

impl Environment {
    /// Reads an environment; an error says what is not known. Players and stations are put in order.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let mut environment: Self =
            serde_json::from_str(text).map_err(|error| error.to_string())?;
        let unknown = |entity: &&Entity| entity.kind().is_none();
        if let Some(station) = environment.stations.iter().find(unknown) {
            return Err(format!("a station `{}`", station.name));
        }
        let most = (MOST_STATIONS, MOST_ITEMS);
        if environment.stations.len() > most.0 || environment.items.len() > most.1 {
            return Err(format!("more than {} stations or {} items", most.0, most.1));
        }
        if !environment.meals.is_empty() || !matches!(environment.players.len(), 1 | 2) {
            return Err("a meal, or other than one or two players".to_owned());
        }
        environment.players.sort_by_key(Entity::at);
        let key = |station: &Entity| (station.kind(), station.at());
        environment.stations.sort_by_key(key);
        Ok(environment)
    }

    /// Returns true if the goal asks for more things of a name than there are. Water comes of itself.
    pub(super) fn lacks_what_is_asked(&self) -> bool {
        let variables = self
            .goal
            .iter()
            .filter_map(|literal| literal.variables().ok());
        let variables: BTreeSet<(String, u64)> = variables.flatten().collect();
        let entities = || {
            self.stations
                .iter()
                .chain(&self.items)
                .chain(&self.containers)
        };
        variables.iter().any(|(name, _)| {
            let asked = variables.iter().filter(|(other, _)| other == name);
            // An argument stands for whatever has it in its name.
            let there = entities().filter(|entity| entity.name.contains(name.as_str()));
            name != "water" && asked.count() > there.count()
        })
    }

    /// The kitchen.
    pub(super) fn kitchen(&self, goal: Goal) -> Result<Kitchen, String> {
        let mut forms = vec![Form::default()];
        for item in &self.items {
            let mut names = goal.names.iter();
            if names.any(|name| item.name != *name && item.name.contains(name.as_str())) {
                return Err(format!("an item `{}`, named like another", item.name));
            }
            let form = item.form(&goal);
            if !forms.contains(&form) {
                forms.push(form);
            }
        }
        if forms.len() > 16 {
            return Err("more than 16 forms of items".to_owned());
        }
        Ok(Kitchen {
            stations: self.stations.iter().filter_map(Entity::kind).collect(),
            forms,
            goal,
            cooks: self.players.len(),
        })
    }
}

impl Kitchen {
    /// Returns true if it has more than one station of a kind.
    pub(super) fn has_several(&self, kind: Kind) -> bool {
        self.stations.iter().filter(|&&other| other == kind).count() > 1
    }
}
