//! Orders for a kitchen of CuisineWorld: a stream, drawn from a seed.
//!
//! The rate of orders and their patience follow from the recipes (Gong et al., "MindAgent: Emergent Gaming
//! Interaction", 2023): a dish costs three steps for each thing in its recipe tree, and the steps of its tools beyond
//! the first. An order comes every so many steps as the costliest dish takes, times `alpha`.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use brigade_compile::sema::model::{FluentId, Model, ObjectId, Value};
use brigade_diagnostics::{Diagnostics, Sources};
use brigade_syntax::format::format;
use brigade_task::split_mix::SplitMix;
use serde::Deserialize;

/// An order waits so many times longer than its dish takes.
pub const BETA: f64 = 2.5;

/// The share of its cost in steps that a dish takes.
const SHARE: f64 = 0.3;

/// Steps for each thing in a recipe tree: to fetch it, and to bring it on.
const STEPS: u32 = 3;

/// The most orders of a stream.
const MOST_ORDERS: u32 = 10_000;

/// The reason why no orders can be drawn.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum OrdersError {
    /// It is no kitchen.
    #[error("the problem is no kitchen of CuisineWorld: it has no {0}")]
    NoKitchen(&'static str),
    /// A product is made of itself.
    #[error("`{0}` is made of itself, or of more than can be counted")]
    Endless(String),
    /// There is no end to draw up to.
    #[error("the problem has no horizon up to which orders could come")]
    NoHorizon,
    /// Orders come too often, or not at all.
    #[error("with such an alpha more than {MOST_ORDERS} orders would come, or none")]
    BadAlpha,
    /// The recorded draws end before the orders do, or do not fit.
    #[error(
        "the draws have none for {dishes} dishes and seed {seed}, or too few: {needed} are needed"
    )]
    TooFewDraws {
        /// The number of dishes to choose from.
        dishes: usize,
        /// The seed.
        seed: u64,
        /// The number of draws needed, those of episodes before included.
        needed: usize,
    },
    /// The file of draws cannot be read.
    #[error("the draws cannot be read: {0}")]
    Unreadable(String),
}

/// The draw for a kitchen: its dishes in order, and the cost of each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kitchen {
    domain: String,
    problem: String,
    horizon: u32,
    /// Names and costs in steps.
    dishes: Vec<(String, u32)>,
    cooks: Vec<String>,
    /// The place of the first cook.
    place: String,
}

/// The rate of orders, and the patience of those for each dish.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pace {
    /// Steps between two orders.
    pub interval: u32,
    /// For each dish, in order.
    pub lifetimes: Vec<u32>,
}

/// The source of the draws by which dishes are ordered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Draws {
    /// Drawn by Brigade's generator.
    Own,
    /// Recorded draws: for each number of dishes and seed, `"3:0"`, which is chosen.
    Recorded(Recorded),
}

/// Recorded draws of another generator.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Recorded {
    draws: BTreeMap<String, Vec<usize>>,
}

impl Recorded {
    /// Reads `{"draws": {"3:0": [1, 1, 0, …], …}}`.
    ///
    /// # Errors
    ///
    /// If it is not of that form.
    pub fn read(text: &str) -> Result<Self, OrdersError> {
        serde_json::from_str(text).map_err(|error| OrdersError::Unreadable(error.to_string()))
    }
}

/// The parameters of a draw.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The slowness of the orders; 1 is the fastest of the benchmark.
    pub alpha: f64,
    /// The seed.
    pub seed: u64,
    /// The episode, from 0: those of a seed go on with one sequence.
    pub episode: u32,
    /// The number of cooks, those of the kitchen included.
    pub cooks: usize,
    /// The source of the draws of dishes.
    pub draws: Draws,
    /// True if no agent knows of an order before it comes in.
    pub unannounced: bool,
}

impl Kitchen {
    /// The kitchen that a problem describes.
    ///
    /// # Errors
    ///
    /// If it lacks what orders are drawn from.
    pub fn of(model: &Model) -> Result<Self, OrdersError> {
        let recipes = Recipes::of(model)?;
        let of_type = |name: &'static str| {
            let ty = model
                .types
                .iter()
                .position(|ty| ty.name.eq_ignore_ascii_case(name));
            let ty = ty.ok_or(OrdersError::NoKitchen(name))?;
            let objects = (0..).map(ObjectId).zip(&model.objects);
            let found: Vec<ObjectId> = objects
                .filter(|(_, object)| object.types.iter().any(|it| it.index() == ty))
                .map(|(id, _)| id)
                .collect();
            if found.is_empty() {
                return Err(OrdersError::NoKitchen(name));
            }
            Ok(found)
        };
        let name = |id: ObjectId| model.objects[id.index()].name.to_string();
        let dishes = of_type("dish")?.into_iter();
        let dishes = dishes.map(|dish| Ok((name(dish), recipes.cost(model, dish)?)));
        let cooks = of_type("cook")?;
        let at = fluent(model, "at")?;
        let first = model
            .init
            .iter()
            .find(|fact| fact.fluent == at && fact.args[..] == cooks[..1]);
        let Some(Value::Object(place)) = first.map(|fact| &fact.value) else {
            return Err(OrdersError::NoKitchen("place for its cook"));
        };
        Ok(Self {
            domain: model.domain.clone(),
            problem: model.problem.clone(),
            horizon: model.horizon.ok_or(OrdersError::NoHorizon)?,
            dishes: dishes.collect::<Result<_, _>>()?,
            cooks: cooks.into_iter().map(name).collect(),
            place: name(*place),
        })
    }

    /// The dishes, with the steps that each costs.
    pub fn dishes(&self) -> &[(String, u32)] {
        &self.dishes
    }

    /// Returns the rate of orders, and their patience.
    ///
    /// # Errors
    ///
    /// If that is no usable number of steps.
    pub fn pace(&self, alpha: f64) -> Result<Pace, OrdersError> {
        // In this order: the products are rounded up.
        let takes = |cost: u32| (alpha * f64::from(cost)) * SHARE;
        let steps = |takes: f64| -> Result<u32, OrdersError> {
            let rounded = takes.ceil();
            if (1.0..=1e9).contains(&rounded) {
                Ok(rounded as u32)
            } else {
                Err(OrdersError::BadAlpha)
            }
        };
        let costs = || self.dishes.iter().map(|(_, cost)| *cost);
        let intervals = costs().map(|cost| steps(takes(cost)));
        let intervals: Vec<u32> = intervals.collect::<Result<_, _>>()?;
        let interval = intervals.into_iter().max().ok_or(OrdersError::BadAlpha)?;
        if self.horizon / interval >= MOST_ORDERS {
            return Err(OrdersError::BadAlpha);
        }
        let lifetimes = costs().map(|cost| steps(BETA * takes(cost)));
        Ok(Pace {
            interval,
            lifetimes: lifetimes.collect::<Result<_, _>>()?,
        })
    }

    /// Draws a stream.
    ///
    /// # Errors
    ///
    /// If there is nothing to draw, or too few recorded draws.
    pub fn stream(&self, wanted: &Wanted) -> Result<String, OrdersError> {
        let pace = self.pace(wanted.alpha)?;
        let count = (self.horizon / pace.interval + 1) as usize;
        let chosen = self.chosen(count, wanted)?;
        let orders: Vec<String> = (0..count).map(|number| format!("order{number}")).collect();
        let further: Vec<String> = self.further(wanted.cooks);
        let Wanted {
            alpha,
            seed,
            episode,
            ..
        } = wanted;
        let mark = if wanted.unannounced {
            ":unannounced "
        } else {
            ""
        };
        let way = match wanted.draws {
            Draws::Own => "",
            Draws::Recorded(_) => ", recorded draws",
        };
        let often = match pace.interval {
            1 => "step".to_owned(),
            interval => format!("{interval} steps"),
        };
        let mut text = format!(
            "; Orders: alpha {alpha}, seed {seed}, episode {episode}{way}. One comes every {often}.\n\
             (define (stream alpha-{alpha}-seed-{seed}-episode-{episode})\n  \
             (:domain {})\n  (:problem {})\n  (:objects\n",
            self.domain, self.problem
        );
        if !further.is_empty() {
            text += &format!("    {} - cook\n", further.join(" "));
        }
        text += &format!("    {} - order)\n  (:init", orders.join(" "));
        for cook in &further {
            text += &format!("\n    (= (at {cook}) {})", self.place);
        }
        for (number, (order, dish)) in orders.iter().zip(chosen).enumerate() {
            let comes = number as u32 * pace.interval;
            let due = comes + pace.lifetimes[dish];
            let dish = &self.dishes[dish].0;
            text += &format!("\n    (= (wants {order}) {dish}) (= (due {order}) {due})\n    ");
            text += &match comes {
                0 => format!("(waiting {order})"),
                comes => format!("(at {comes} {mark}(waiting {order}))"),
            };
            if due <= self.horizon {
                text += &format!(" (at {due} (overdue {order}))");
            }
        }
        text += "))\n";
        let source = Sources::new().add("orders.pddl", text.as_str());
        let formatted = format(source, &text, &mut Diagnostics::new());
        Ok(formatted.unwrap_or(text))
    }

    /// Returns the dish of each order.
    fn chosen(&self, count: usize, wanted: &Wanted) -> Result<Vec<usize>, OrdersError> {
        let dishes = self.dishes.len();
        match &wanted.draws {
            Draws::Own => {
                let mut random = SplitMix::new(wanted.seed, u64::from(wanted.episode));
                Ok((0..count).map(|_| random.below(dishes)).collect())
            }
            Draws::Recorded(Recorded { draws }) => {
                let before = count.saturating_mul(wanted.episode as usize);
                let drawn = draws.get(&format!("{dishes}:{}", wanted.seed));
                let drawn = drawn.and_then(|drawn| drawn.get(before..)?.get(..count));
                let drawn = drawn.filter(|drawn| drawn.iter().all(|dish| *dish < dishes));
                drawn
                    .map(<[usize]>::to_vec)
                    .ok_or(OrdersError::TooFewDraws {
                        dishes,
                        seed: wanted.seed,
                        needed: before.saturating_add(count),
                    })
            }
        }
    }

    /// The names of cooks beyond those that are there, so that there are so many.
    fn further(&self, cooks: usize) -> Vec<String> {
        let base = self.cooks[0].trim_end_matches(|it: char| it.is_ascii_digit());
        let names = (0..).map(|number| format!("{base}{number}"));
        let is_new = |name: &String| {
            !self
                .cooks
                .iter()
                .any(|cook| cook.eq_ignore_ascii_case(name))
        };
        names
            .filter(is_new)
            .take(cooks.saturating_sub(self.cooks.len()))
            .collect()
    }
}

/// The recipes: the parts of everything, and the running time of its tool.
struct Recipes {
    parts: BTreeMap<ObjectId, Vec<ObjectId>>,
    /// For how many steps beyond one.
    runs: BTreeMap<ObjectId, u32>,
}

impl Recipes {
    fn of(model: &Model) -> Result<Self, OrdersError> {
        let (needs, made_in, lasts) = (
            fluent(model, "needs")?,
            fluent(model, "made-in")?,
            fluent(model, "lasts")?,
        );
        let mut parts: BTreeMap<ObjectId, Vec<ObjectId>> = BTreeMap::new();
        let mut kinds = BTreeMap::new();
        let mut steps = BTreeMap::new();
        for fact in &model.init {
            match (&fact.args[..], &fact.value) {
                (&[product, part], _) if fact.fluent == needs => {
                    parts.entry(product).or_default().push(part);
                }
                (&[product], Value::Object(kind)) if fact.fluent == made_in => {
                    kinds.insert(product, *kind);
                }
                (&[kind], Value::Number(ticks)) if fact.fluent == lasts => {
                    steps.insert(kind, u32::try_from(*ticks).unwrap_or(0));
                }
                _ => {}
            }
        }
        let runs = kinds.into_iter().map(|(product, kind)| {
            let steps: u32 = steps.get(&kind).copied().unwrap_or(0);
            (product, steps.saturating_sub(1))
        });
        Ok(Self {
            parts,
            runs: runs.collect(),
        })
    }

    /// Returns the cost of a dish, in steps: three for each different thing in its tree, and the steps of tools beyond
    /// the first, for each time that they run.
    fn cost(&self, model: &Model, dish: ObjectId) -> Result<u32, OrdersError> {
        let mut seen = BTreeSet::new();
        let mut open = VecDeque::from([dish]);
        let mut waits = 0_u32;
        let mut left = MOST_ORDERS;
        while let Some(item) = open.pop_front() {
            left = left.checked_sub(1).ok_or_else(|| {
                OrdersError::Endless(model.objects[dish.index()].name.to_string())
            })?;
            seen.insert(item);
            waits += self.runs.get(&item).copied().unwrap_or(0);
            open.extend(self.parts.get(&item).into_iter().flatten());
        }
        Ok(waits + STEPS * seen.len() as u32)
    }
}

/// The predicate or function of that name.
fn fluent(model: &Model, name: &'static str) -> Result<FluentId, OrdersError> {
    let found = model
        .fluents
        .iter()
        .position(|it| it.name.eq_ignore_ascii_case(name));
    let found = found.and_then(|at| u32::try_from(at).ok());
    found.map(FluentId).ok_or(OrdersError::NoKitchen(name))
}
