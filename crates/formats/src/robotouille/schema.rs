//! The content of Robotouille's files, with the place of each part.
//!
//! The format is that of `portal-cornell/robotouille`, version 1.0.0: a *domain* of predicates and
//! actions, and *environments* of entities on a grid and a goal; and what its later branches add:
//! types beyond the five, actions of players, and times and counts of special effects.

use std::collections::BTreeMap;

use crate::json::Text;
use brigade_diagnostics::span::Span;

/// A domain file.
#[derive(Clone, Debug, Default)]
pub(super) struct DomainFile {
    pub(super) name: Option<Text>,
    /// `object_types`.
    pub(super) types: Vec<Text>,
    /// `predicate_defs`.
    pub(super) predicates: Vec<PredicateDef>,
    /// `action_defs`.
    pub(super) actions: Vec<ActionDef>,
    pub(super) span: Span,
}

/// A predicate and the types of its arguments.
#[derive(Clone, Debug)]
pub(super) struct PredicateDef {
    pub(super) name: Text,
    /// `param_types`.
    pub(super) params: Vec<Text>,
    /// `language_descriptors`: by the argument that each is about.
    pub(super) texts: BTreeMap<usize, Text>,
    pub(super) span: Span,
}

/// An action.
#[derive(Clone, Debug)]
pub(super) struct ActionDef {
    pub(super) name: Text,
    /// `precons`.
    pub(super) preconditions: Vec<Literal>,
    /// `immediate_fx`.
    pub(super) effects: Vec<Literal>,
    /// `sfx`.
    pub(super) special: Vec<Special>,
    /// `language_description`.
    pub(super) description: Text,
    pub(super) span: Span,
}

/// A predicate of parameters, true or false.
#[derive(Clone, Debug)]
pub(super) struct Literal {
    pub(super) predicate: Text,
    pub(super) params: Vec<Text>,
    pub(super) is_true: bool,
    pub(super) span: Span,
}

/// A special effect.
#[derive(Clone, Debug)]
pub(super) struct Special {
    pub(super) kind: Kind,
    /// The parameter that the effect is about.
    pub(super) param: Text,
    /// `fx`.
    pub(super) effects: Vec<Literal>,
    /// `sfx`.
    pub(super) nested: Vec<Special>,
    pub(super) span: Span,
}

/// The kinds of special effects.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    /// Keeps its `fx` as true as the conditions are, and carries on what is nested while they hold.
    Conditional(Vec<Literal>),
    /// Happens so many ticks later.
    Delayed(Count),
    /// Happens when it has been performed so many times.
    Repetitive(Count),
    /// Makes a new object.
    Creation {
        /// The beginning of the object's name.
        name: Text,
        /// Its type.
        of: Text,
        /// The parameter that stands for it.
        param: Text,
    },
    /// Removes an object.
    Deletion,
    /// Of no kind that there is, behind another in its list. The published loader takes that other one
    /// once more in its place.
    Unknown,
}

/// The special effects of a list, each with how many times the published loader takes it: once more for
/// each of unknown kind right behind it.
pub(super) fn taken(specials: &[Special]) -> impl Iterator<Item = (&Special, usize)> {
    let mut result: Vec<(&Special, usize)> = Vec::new();
    for special in specials {
        match (&special.kind, result.last_mut()) {
            (Kind::Unknown, Some((_, times))) => *times += 1,
            _ => result.push((special, 1)),
        }
    }
    result.into_iter()
}

/// A number of ticks or of performances, from 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Count {
    pub(super) number: i64,
    pub(super) span: Span,
}

/// An environment file.
#[derive(Clone, Debug, Default)]
pub(super) struct EnvironmentFile {
    /// The entities of each of [`FIELDS`].
    pub(super) entities: [Vec<Entity>; 5],
    /// Those of the domain's other types, with the name of the type.
    pub(super) others: Vec<(String, Vec<Entity>)>,
    /// True if every entity could be read.
    pub(super) has_all_entities: bool,
    pub(super) goal: Vec<GoalLiteral>,
    /// True if every part of the goal could be read.
    pub(super) has_whole_goal: bool,
    /// Where the goal stands.
    pub(super) goal_span: Span,
    /// `goal_description`.
    pub(super) goal_text: Option<Text>,
    pub(super) span: Span,
}

/// The lists of entities of an environment, and the type of what each holds.
pub(super) const FIELDS: [(&str, &str); 5] = [
    ("stations", "station"),
    ("items", "item"),
    ("players", "player"),
    ("containers", "container"),
    ("meals", "meal"),
];

/// Positions in [`FIELDS`].
pub(super) const STATIONS: usize = 0;
pub(super) const ITEMS: usize = 1;
pub(super) const PLAYERS: usize = 2;
pub(super) const CONTAINERS: usize = 3;
pub(super) const MEALS: usize = 4;

/// Something in the kitchen.
#[derive(Clone, Debug)]
pub(super) struct Entity {
    pub(super) name: Text,
    pub(super) x: i64,
    pub(super) y: i64,
    /// By which the goal may name it.
    pub(super) id: Option<Text>,
    /// Further predicates that hold of it.
    pub(super) predicates: Vec<Text>,
    /// The place in a stack, from below.
    pub(super) stack_level: Option<i64>,
    /// Where a player looks.
    pub(super) direction: (i64, i64),
    pub(super) span: Span,
}

/// A conjunct of the goal.
#[derive(Clone, Debug)]
pub(super) struct GoalLiteral {
    pub(super) predicate: Text,
    /// The words that the names of the objects contain.
    pub(super) args: Vec<Text>,
    /// Which of these is meant.
    pub(super) ids: Vec<Text>,
    pub(super) span: Span,
}
