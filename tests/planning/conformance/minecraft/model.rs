//! The rules of the Minecraft kitchen, apart from the domain.

use std::collections::{BTreeMap, BTreeSet};

/// The players, in the order in which they act.
pub(super) const PLAYERS: [&str; 2] = ["alex", "steve"];

const FURNACE: &str = "furnace1";
const CHEST: &str = "chest1";
const PLACES: [&str; 4] = ["meadow", "quarry", FURNACE, CHEST];

/// The drops of each mob.
const DROPS: [(&str, &str); 3] = [("pig", "porkchop"), ("sheep", "mutton"), ("hen", "chicken")];

/// The yields of each block.
const YIELDS: [(&str, &str); 3] = [
    ("coal-ore", "coal"),
    ("tree", "log"),
    ("potato-crop", "potato"),
];

/// For how many things a piece of fuel lasts.
const FUEL: [(&str, u32); 2] = [("coal", 8), ("log", 1)];

/// The food that a furnace makes of each thing.
const COOKED: [(&str, &str); 4] = [
    ("porkchop", "cooked-porkchop"),
    ("mutton", "cooked-mutton"),
    ("chicken", "cooked-chicken"),
    ("potato", "baked-potato"),
];

/// The most that a player carries of each thing, that the chest holds of each, and that a furnace has fuel for.
const CARRIED: u32 = 8;
const STORED: u32 = 30;
const FUELLED: u32 = 16;

/// In how many steps a furnace cooks what it holds.
const COOKING: u32 = 3;

/// An order: for what, the tick at which it comes, and the one before which it has to be served.
#[derive(Clone, Copy, Debug)]
pub(super) struct Order {
    pub(super) name: &'static str,
    wants: &'static str,
    comes: u32,
    due: u32,
}

/// A bundled problem.
#[derive(Clone, Copy, Debug)]
pub(super) struct Problem {
    pub(super) name: &'static str,
    /// The mobs and blocks that are there, with their places.
    found: &'static [(&'static str, &'static str)],
    /// The things that are to be in the chest.
    pub(super) goal: &'static [&'static str],
    orders: &'static [Order],
    /// The steps of an episode.
    pub(super) horizon: Option<u32>,
}

const fn order(name: &'static str, wants: &'static str, (comes, due): (u32, u32)) -> Order {
    Order {
        name,
        wants,
        comes,
        due,
    }
}

/// The bundled problems, by name.
pub(super) const PROBLEMS: [Problem; 3] = [
    Problem {
        name: "orders",
        found: &[
            ("pig", "meadow"),
            ("sheep", "meadow"),
            ("tree", "meadow"),
            ("coal-ore", "quarry"),
        ],
        goal: &[],
        orders: &[
            order("order1", "cooked-mutton", (0, 14)),
            order("order2", "cooked-porkchop", (6, 20)),
            order("order3", "cooked-mutton", (12, 26)),
            order("order4", "cooked-porkchop", (18, 32)),
        ],
        horizon: Some(30),
    },
    Problem {
        name: "porkchop",
        found: &[("pig", "meadow"), ("coal-ore", "quarry")],
        goal: &["cooked-porkchop"],
        orders: &[],
        horizon: None,
    },
    Problem {
        name: "two-meats",
        found: &[
            ("pig", "meadow"),
            ("sheep", "meadow"),
            ("coal-ore", "quarry"),
        ],
        goal: &["cooked-porkchop", "cooked-mutton"],
        orders: &[],
        horizon: None,
    },
];

/// The number of each thing.
type Pieces = BTreeMap<&'static str, u32>;

/// The state at the start of a step.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub(super) problem: Problem,
    tick: u32,
    at: [&'static str; 2],
    has: [Pieces; 2],
    chest: Pieces,
    fuel: u32,
    inside: Option<&'static str>,
    /// The steps that are left to what is cooked, while the furnace is lit.
    lit: Option<u32>,
    waiting: BTreeSet<usize>,
    overdue: BTreeSet<usize>,
}

/// The choice of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Choice {
    Wait,
    Goto(&'static str),
    /// Kills a mob, or mines a block, for what it gives.
    Gather(&'static str, &'static str),
    PutFuel(&'static str),
    PutItem(&'static str),
    TakeOut(&'static str),
    Store(&'static str),
}

/// The counts of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) completed: i64,
    pub(super) failed: i64,
}

fn becomes(food: &str) -> Option<&'static str> {
    let cooked = COOKED.iter().find(|(raw, _)| *raw == food);
    cooked.map(|(_, cooked)| *cooked)
}

fn lasts(fuel: &str) -> Option<u32> {
    let known = FUEL.iter().find(|(name, _)| *name == fuel);
    known.map(|(_, lasts)| *lasts)
}

fn pieces(of: &Pieces, item: &str) -> u32 {
    of.get(item).copied().unwrap_or_default()
}

fn gain(of: &mut Pieces, item: &'static str) {
    *of.entry(item).or_default() += 1;
}

fn lose(of: &mut Pieces, item: &'static str) {
    if let Some(left) = of.get_mut(item) {
        *left -= 1;
    }
}

impl State {
    /// The start of a problem in which each player has such things.
    pub(super) fn new(problem: Problem, stock: &[(&'static str, u32)]) -> Self {
        let there = problem.orders.iter().enumerate();
        let there = there.filter(|(_, order)| order.comes == 0);
        Self {
            problem,
            tick: 0,
            at: [FURNACE; 2],
            has: [(); 2].map(|()| stock.iter().copied().collect()),
            chest: Pieces::new(),
            fuel: 0,
            inside: None,
            lit: None,
            waiting: there.map(|(at, _)| at).collect(),
            overdue: BTreeSet::new(),
        }
    }

    /// Returns the choices of a player.
    pub(super) fn choices(&self, player: usize) -> Vec<Choice> {
        let (at, has) = (self.at[player], &self.has[player]);
        let mut choices = vec![Choice::Wait];
        let elsewhere = PLACES.into_iter().filter(|place| *place != at);
        choices.extend(elsewhere.map(Choice::Goto));
        for (source, item) in DROPS.into_iter().chain(YIELDS) {
            if self.problem.found.contains(&(source, at)) && pieces(has, item) < CARRIED {
                choices.push(Choice::Gather(source, item));
            }
        }
        for (&item, &count) in has {
            if count == 0 {
                continue;
            }
            if at == FURNACE && lasts(item).is_some_and(|lasts| self.fuel + lasts <= FUELLED) {
                choices.push(Choice::PutFuel(item));
            }
            if at == FURNACE && self.inside.is_none() && becomes(item).is_some() {
                choices.push(Choice::PutItem(item));
            }
            if at == CHEST && pieces(&self.chest, item) < STORED {
                choices.push(Choice::Store(item));
            }
        }
        let ready = self.inside.filter(|_| at == FURNACE && self.lit.is_none());
        let ready = ready.filter(|food| pieces(has, food) < CARRIED);
        choices.extend(ready.map(Choice::TakeOut));
        choices
    }

    /// A player acts.
    pub(super) fn act(&mut self, player: usize, choice: Choice) {
        let has = &mut self.has[player];
        match choice {
            Choice::Wait => {}
            Choice::Goto(place) => self.at[player] = place,
            Choice::Gather(_, item) => gain(has, item),
            Choice::PutFuel(item) => {
                lose(has, item);
                self.fuel += lasts(item).unwrap_or_default();
            }
            Choice::PutItem(food) => {
                lose(has, food);
                self.inside = Some(food);
            }
            Choice::TakeOut(food) => {
                gain(has, food);
                self.inside = None;
            }
            Choice::Store(item) => {
                lose(has, item);
                gain(&mut self.chest, item);
            }
        }
    }

    /// The step ends.
    pub(super) fn end_step(&mut self) -> Counts {
        self.tick += 1;
        self.cook();
        let mut counts = Counts::default();
        let mut waiting: Vec<usize> = self.waiting.iter().copied().collect();
        waiting.sort_by_key(|&order| self.problem.orders[order].due);
        for order in waiting {
            let wants = self.problem.orders[order].wants;
            if pieces(&self.chest, wants) > 0 {
                lose(&mut self.chest, wants);
                self.waiting.remove(&order);
                counts.completed += 1;
            }
        }
        for (at, order) in self.problem.orders.iter().enumerate() {
            if order.comes == self.tick {
                self.waiting.insert(at);
            }
            if order.due == self.tick {
                self.overdue.insert(at);
                counts.failed += i64::from(self.waiting.remove(&at));
            }
        }
        counts
    }

    /// The furnace: what is done comes first.
    fn cook(&mut self) {
        self.lit = self.lit.map(|left| left - 1);
        if self.lit == Some(0) {
            self.lit = None;
            self.inside = self.inside.and_then(becomes);
        }
        let is_raw = self.inside.is_some_and(|food| becomes(food).is_some());
        if self.lit.is_none() && is_raw && self.fuel > 0 {
            self.fuel -= 1;
            self.lit = Some(COOKING);
        }
    }

    /// Returns true if all that is wanted is in the chest.
    pub(super) fn is_solved(&self) -> bool {
        let mut wanted = self.problem.goal.iter();
        !self.problem.goal.is_empty() && wanted.all(|item| pieces(&self.chest, item) > 0)
    }

    /// Returns three flags, true where a limit is met: of what a player carries, of the chest, of the furnace.
    pub(super) fn limits(&self) -> [bool; 3] {
        let is_full = |of: &Pieces, most| of.values().any(|&count| count == most);
        [
            self.has.iter().any(|has| is_full(has, CARRIED)),
            is_full(&self.chest, STORED),
            self.fuel == FUELLED,
        ]
    }

    /// In the words of the domain, but for numbers that are zero.
    pub(super) fn facts(&self) -> BTreeSet<String> {
        let mut facts = BTreeSet::new();
        for (player, name) in PLAYERS.iter().enumerate() {
            facts.insert(format!("(= (at {name}) {})", self.at[player]));
            let has = self.has[player].iter().filter(|(_, count)| **count > 0);
            facts.extend(has.map(|(item, count)| format!("(= (has {name} {item}) {count})")));
        }
        let chest = self.chest.iter().filter(|(_, count)| **count > 0);
        facts.extend(chest.map(|(item, count)| format!("(= (in-chest {item}) {count})")));
        let fuel = (self.fuel > 0).then(|| format!("(= (fuel-in {FURNACE}) {})", self.fuel));
        facts.extend(fuel);
        let inside = self.inside.map(|food| format!("(= (in {FURNACE}) {food})"));
        facts.extend(inside);
        facts.extend(self.lit.map(|_| format!("(lit {FURNACE})")));
        facts.extend(self.lit.map(|left| format!("(= (timer 0) {left})")));
        let name = |order: &usize| self.problem.orders[*order].name;
        let waiting = self.waiting.iter().map(name);
        facts.extend(waiting.map(|order| format!("(waiting {order})")));
        let overdue = self.overdue.iter().map(name);
        facts.extend(overdue.map(|order| format!("(overdue {order})")));
        facts
    }
}

impl Choice {
    /// The place of its kind among all.
    pub(super) fn kind(self) -> usize {
        match self {
            Self::Wait => 0,
            Self::Goto(_) => 1,
            Self::Gather(..) => 2,
            Self::PutFuel(_) => 3,
            Self::PutItem(_) => 4,
            Self::TakeOut(_) => 5,
            Self::Store(_) => 6,
        }
    }

    /// In the words of the domain.
    pub(super) fn command(self) -> String {
        let is_mob = |source| DROPS.iter().any(|(mob, _)| *mob == source);
        match self {
            Self::Wait => "wait".to_owned(),
            Self::Goto(place) => format!("goto {place}"),
            Self::Gather(mob, _) if is_mob(mob) => format!("kill-mob {mob}"),
            Self::Gather(block, _) => format!("mine-block {block}"),
            Self::PutFuel(fuel) => format!("put-fuel-furnace {fuel} {FURNACE}"),
            Self::PutItem(food) => format!("put-item-furnace {food} {FURNACE}"),
            Self::TakeOut(food) => format!("take-out-furnace {food} {FURNACE}"),
            Self::Store(item) => format!("put-in-chest {item} {CHEST}"),
        }
    }
}
