//! One cook who serves all that is ordered, a dish at a time, and each only once nothing changes about it any
//! more. The others wait. It knows what is to come, so it is no policy: that it succeeds proves that all can be
//! served.

use std::collections::BTreeMap;

use brigade_compile::sema::model::{Fact, Model, ObjectId, Value};
use brigade_task::effect::Record;
use brigade_task::step::Status;
use brigade_task::{OperatorId, OperatorKind, PackedTask, StateBuf};

use super::book::{Cookbook, Menu, Part};
use super::facts::{Facts, NoRestaurant};

/// The reason why not all is served.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// It is no problem of the domain.
    #[error(transparent)]
    NoRestaurant(#[from] NoRestaurant),
    /// The cook cannot do what comes next.
    #[error("at tick {0} `{1}` is not possible")]
    Impossible(u32, String),
    /// All was done, and the goal is not reached.
    #[error("after {0} ticks not everything is served as it is wanted")]
    Unserved(u32),
}

/// A dish as it is wanted at last.
#[derive(Clone, Debug, Default)]
struct Wanted {
    menu: Option<ObjectId>,
    without: Vec<ObjectId>,
    doneness: Option<ObjectId>,
    is_cancelled: bool,
    /// The tick of the last change.
    since: u32,
}

/// Serves all that a problem orders; after how many ticks it is done.
///
/// # Errors
///
/// One cook cannot do it within the problem's horizon, or it is no problem of the domain.
pub fn serve(model: &Model, task: &PackedTask) -> Result<u32, Refused> {
    let facts = Facts(model);
    let book = Cookbook::of(model)?;
    let mut kitchen = Kitchen::new(&facts, task)?;
    let mut dishes: Vec<(ObjectId, Wanted)> = wanted(&facts)?.into_iter().collect();
    dishes.retain(|(_, wanted)| !wanted.is_cancelled);
    dishes.sort_by_key(|(_, wanted)| wanted.since);
    for (dish, wanted) in dishes {
        while kitchen.ticks < wanted.since && !kitchen.is_over() {
            kitchen.wait()?;
        }
        let Some(menu) = wanted.menu.map(|menu| facts.name(menu)) else {
            continue;
        };
        let doneness = wanted.doneness.map(|doneness| facts.name(doneness));
        let mut donenesses = book.donenesses.iter();
        let grilled = donenesses.find(|it| Some(&it.name) == doneness.as_ref());
        let without: Vec<String> = wanted
            .without
            .iter()
            .map(|&food| facts.name(food))
            .collect();
        let mut menus = book.menus.iter();
        let parts = menus
            .find(|it| it.name == menu)
            .map(|Menu { parts, .. }| parts);
        for part in parts.into_iter().flatten() {
            if !without.contains(&part.food) {
                let ticks = grilled.filter(|_| part.is_grilled()).map(|it| it.ticks);
                kitchen.make(part, ticks.unwrap_or(part.ticks).0, &facts.name(dish))?;
            }
        }
        kitchen.act(&format!("serve {} {}", kitchen.cook, facts.name(dish)))?;
    }
    while !kitchen.is_over() {
        kitchen.wait()?;
    }
    match kitchen.status {
        Status::Goal => Ok(kitchen.ticks),
        _ => Err(Refused::Unserved(kitchen.ticks)),
    }
}

/// Returns the wanted form of each dish when nothing changes any more.
fn wanted(facts: &Facts<'_>) -> Result<BTreeMap<ObjectId, Wanted>, NoRestaurant> {
    let fluent = |name| facts.fluent(name);
    let (wants, without, doneness, cancelled) = (
        fluent("wants")?,
        fluent("without")?,
        fluent("doneness")?,
        fluent("cancelled")?,
    );
    let mut dishes: BTreeMap<ObjectId, Wanted> = BTreeMap::new();
    for dish in facts.of_type("dish")? {
        dishes.insert(dish, Wanted::default());
    }
    let mut orders = BTreeMap::new();
    for dish in dishes.keys() {
        orders.insert(*dish, facts.object("of", *dish)?);
    }
    let mut note = |tick: u32, fact: &Fact| {
        for (dish, wanted) in &mut dishes {
            let is_own = fact.args.first() == Some(dish);
            let value = match fact.value {
                Value::Object(object) => Some(object),
                _ => None,
            };
            let changes = if is_own && fact.fluent == wants {
                wanted.menu = value;
                true
            } else if is_own && fact.fluent == doneness {
                wanted.doneness = value;
                true
            } else if is_own && fact.fluent == without {
                wanted.without.retain(|food| *food != fact.args[1]);
                if fact.value == Value::Boolean(true) {
                    wanted.without.push(fact.args[1]);
                }
                true
            } else if fact.fluent == cancelled && fact.args.first() == orders[dish].as_ref() {
                wanted.is_cancelled = true;
                true
            } else {
                false
            };
            if changes {
                wanted.since = tick;
            }
        }
    };
    for fact in &facts.0.init {
        note(0, fact);
    }
    let mut timed: Vec<_> = facts.0.timed.iter().collect();
    timed.sort_by_key(|timed| timed.tick);
    for timed in timed {
        note(timed.tick, &timed.fact);
    }
    Ok(dishes)
}

/// A kitchen at work.
struct Kitchen<'t> {
    task: &'t PackedTask,
    state: StateBuf,
    status: Status,
    ticks: u32,
    cook: String,
    board: Option<String>,
    /// An appliance of each kind.
    appliances: BTreeMap<String, String>,
}

impl<'t> Kitchen<'t> {
    fn new(facts: &Facts<'_>, task: &'t PackedTask) -> Result<Self, NoRestaurant> {
        let cooks = facts.of_type("cook")?;
        let cook = cooks.first().copied().ok_or(NoRestaurant("cook"))?;
        let boards = facts.of_type("board")?;
        let mut appliances = BTreeMap::new();
        for appliance in facts.of_type("appliance")? {
            if let Some(kind) = facts.object("kind-of", appliance)? {
                appliances.insert(facts.name(kind), facts.name(appliance));
            }
        }
        let state = task.initial.clone();
        Ok(Self {
            task,
            status: task.status(&state),
            state,
            ticks: 0,
            cook: facts.name(cook),
            board: boards.first().map(|&board| facts.name(board)),
            appliances,
        })
    }

    fn is_over(&self) -> bool {
        self.status != Status::Running
    }

    /// Brings a part of a dish to its plate, after so many ticks on the fire.
    fn make(&mut self, part: &Part, ticks: u32, dish: &str) -> Result<(), Refused> {
        let cook = self.cook.clone();
        let (food, ingredient) = (&part.food, &part.ingredient);
        self.go("pantry")?;
        self.act(&format!("fetch {cook} {ingredient}"))?;
        if part.is_sliced {
            let board = self.board.clone().unwrap_or_default();
            self.go(&board)?;
            self.act(&format!("slice {cook} {ingredient} {board}"))?;
        }
        if let Some(kind) = &part.kind {
            let appliance = self.appliances.get(kind).cloned().unwrap_or_default();
            self.go(&appliance)?;
            self.act(&format!("put {cook} {food} {appliance}"))?;
            for _ in 1..ticks {
                self.wait()?;
            }
            self.act(&format!("take {cook} {food} {appliance}"))?;
        }
        self.go("pass")?;
        self.act(&format!("plate {cook} {food} {dish}"))
    }

    /// Goes somewhere, if it is not there.
    fn go(&mut self, place: &str) -> Result<(), Refused> {
        let command = format!("go {} {place}", self.cook);
        match self.operator(&command) {
            None if self.is_at(place) => Ok(()),
            _ => self.act(&command),
        }
    }

    fn is_at(&self, place: &str) -> bool {
        let fact = format!("(= (at {}) {place})", self.cook);
        brigade_task::facts::facts(self.task, &self.state).contains(&fact)
    }

    fn operator(&self, name: &str) -> Option<OperatorId> {
        let mut legal = self.task.applicable(&self.state, 0);
        legal.find(|&id| self.task.operator(id).name == name)
    }

    fn wait(&mut self) -> Result<(), Refused> {
        let wait = self.waits(0);
        self.step(wait, "wait")
    }

    fn act(&mut self, command: &str) -> Result<(), Refused> {
        let operator = self.operator(command);
        self.step(operator, command)
    }

    fn waits(&self, agent: usize) -> Option<OperatorId> {
        let mut legal = self.task.applicable(&self.state, agent);
        legal.find(|&id| self.task.operator(id).kind == OperatorKind::Wait)
    }

    /// One tick: what the cook does, while the others wait.
    fn step(&mut self, own: Option<OperatorId>, command: &str) -> Result<(), Refused> {
        let others = (1..self.task.agents.len()).map(|agent| self.waits(agent));
        let joint: Option<Vec<OperatorId>> = std::iter::once(own).chain(others).collect();
        let impossible = Refused::Impossible(self.ticks, command.to_owned());
        let Some(joint) = joint.filter(|_| !self.is_over()) else {
            return Err(impossible);
        };
        let mut record = Record::default();
        let status = self.task.step(&mut self.state, &joint, &mut record);
        self.status = status.map_err(|_| impossible)?;
        self.ticks += 1;
        Ok(())
    }
}
