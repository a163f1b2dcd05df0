//! Evenings of the restaurant `cookmas`: what its cookbook holds, problems drawn from a seed, and one cook who
//! serves all that is ordered, so that it is known to be possible.

mod draw;
mod serve;

use brigade_compile::sema::model::{Fact, FluentId, Model, ObjectId, Value};

pub use draw::draw;
pub use serve::{Refused, serve};

/// Why nothing can be read of a problem.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the problem is none of the domain `cookmas`: it has no `{0}`")]
pub struct NoRestaurant(pub &'static str);

/// The recipes of a restaurant, as data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cookbook {
    /// In declared order.
    pub menus: Vec<Menu>,
    /// In declared order.
    pub donenesses: Vec<Doneness>,
}

/// A recipe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Menu {
    /// Its name.
    pub name: String,
    /// In the order of the facts.
    pub parts: Vec<Part>,
}

/// A part of a dish.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Part {
    /// What lies on the plate.
    pub food: String,
    /// What it is of.
    pub ingredient: String,
    /// Whether that is sliced.
    pub is_sliced: bool,
    /// The kind of appliance in which it is heated, if it is.
    pub kind: Option<String>,
    /// How many ticks it is on the fire, at least and at most.
    pub ticks: (u32, u32),
}

/// How a grilled part may be wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doneness {
    /// Its name.
    pub name: String,
    /// How many ticks it is on the grill then, at least and at most.
    pub ticks: (u32, u32),
}

impl Part {
    /// Whether guests may say how well it is to be done.
    pub fn is_grilled(&self) -> bool {
        self.kind.as_deref() == Some("grill")
    }
}

impl Cookbook {
    /// The recipes that a problem of the domain has.
    ///
    /// # Errors
    ///
    /// If it is of another domain.
    pub fn of(model: &Model) -> Result<Self, NoRestaurant> {
        let facts = Facts(model);
        let donenesses = facts.of_type("doneness")?.into_iter().map(|doneness| {
            let ticks = |name| facts.number(name, &[doneness]);
            Ok(Doneness {
                name: facts.name(doneness),
                ticks: (ticks("from")?, ticks("to")?),
            })
        });
        let donenesses = donenesses.collect::<Result<_, _>>()?;
        let menus = facts.of_type("menu")?.into_iter();
        let menus = menus.map(|menu| facts.menu(menu));
        Ok(Self {
            menus: menus.collect::<Result<_, _>>()?,
            donenesses,
        })
    }
}

/// The facts of a problem, by the names of predicates and functions.
struct Facts<'m>(&'m Model);

impl<'m> Facts<'m> {
    fn fluent(&self, name: &'static str) -> Result<FluentId, NoRestaurant> {
        let mut fluents = (0..).map(FluentId).zip(&self.0.fluents);
        let found = fluents.find(|(_, fluent)| fluent.name.eq_ignore_ascii_case(name));
        found.map(|(id, _)| id).ok_or(NoRestaurant(name))
    }

    /// The objects of a type, in declared order.
    fn of_type(&self, name: &'static str) -> Result<Vec<ObjectId>, NoRestaurant> {
        let mut types = self.0.types.iter();
        let ty = types.position(|ty| ty.name.eq_ignore_ascii_case(name));
        let ty = ty.ok_or(NoRestaurant(name))?;
        let objects = (0..).map(ObjectId).zip(&self.0.objects);
        let objects = objects.filter(|(_, object)| object.types.iter().any(|it| it.index() == ty));
        Ok(objects.map(|(id, _)| id).collect())
    }

    fn name(&self, object: ObjectId) -> String {
        self.0.objects[object.index()].name.to_string()
    }

    /// The initial facts of a predicate or function.
    fn all(&self, name: &'static str) -> Result<impl Iterator<Item = &'m Fact>, NoRestaurant> {
        let fluent = self.fluent(name)?;
        let facts = self.0.init.iter();
        Ok(facts.filter(move |fact| fact.fluent == fluent))
    }

    fn value(&self, name: &'static str, args: &[ObjectId]) -> Result<Option<Value>, NoRestaurant> {
        let mut facts = self.all(name)?;
        let fact = facts.find(|fact| fact.args == args);
        Ok(fact.map(|fact| fact.value.clone()))
    }

    fn object(&self, name: &'static str, of: ObjectId) -> Result<Option<ObjectId>, NoRestaurant> {
        Ok(match self.value(name, &[of])? {
            Some(Value::Object(object)) => Some(object),
            _ => None,
        })
    }

    /// A number, 0 where nothing is said.
    fn number(&self, name: &'static str, args: &[ObjectId]) -> Result<u32, NoRestaurant> {
        Ok(match self.value(name, args)? {
            Some(Value::Number(number)) => u32::try_from(number).unwrap_or(0),
            _ => 0,
        })
    }

    fn menu(&self, menu: ObjectId) -> Result<Menu, NoRestaurant> {
        let mut parts = Vec::new();
        for fact in self.all("part")?.filter(|fact| fact.args[0] == menu) {
            let food = fact.args[1];
            let mut slices = self.all("sliced")?;
            let whole = slices.find(|fact| fact.value == Value::Object(food));
            let ticks = |name| self.number(name, &[menu, food]);
            let ticks = (ticks("least")?, ticks("most")?);
            let kind = self.object("goes-in", food)?.filter(|_| ticks.1 > 0);
            parts.push(Part {
                food: self.name(food),
                ingredient: self.name(whole.map_or(food, |fact| fact.args[0])),
                is_sliced: whole.is_some(),
                kind: kind.map(|kind| self.name(kind)),
                ticks,
            });
        }
        Ok(Menu {
            name: self.name(menu),
            parts,
        })
    }
}
