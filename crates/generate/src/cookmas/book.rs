//! The cookbook of the restaurant, read from the data of its domain.

use brigade_compile::sema::model::{Model, ObjectId, Value};

use super::facts::{Facts, NoRestaurant};

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
    /// The food on the plate.
    pub food: String,
    /// The ingredient that it is made of.
    pub ingredient: String,
    /// True if that is sliced.
    pub is_sliced: bool,
    /// The kind of appliance in which it is heated, if it is.
    pub kind: Option<String>,
    /// The ticks for which it is on the fire, at least and at most.
    pub ticks: (u32, u32),
}

/// The ways in which a grilled part may be wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doneness {
    /// Its name.
    pub name: String,
    /// The ticks for which it is on the grill then, at least and at most.
    pub ticks: (u32, u32),
}

impl Part {
    /// Returns whether guests may say how well it is to be done.
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
        let menus = menus.map(|menu| recipe(&facts, menu));
        Ok(Self {
            menus: menus.collect::<Result<_, _>>()?,
            donenesses,
        })
    }
}

/// The recipe of a menu.
fn recipe(facts: &Facts<'_>, menu: ObjectId) -> Result<Menu, NoRestaurant> {
    let mut parts = Vec::new();
    for fact in facts.all("part")?.filter(|fact| fact.args[0] == menu) {
        let food = fact.args[1];
        let mut slices = facts.all("sliced")?;
        let whole = slices.find(|fact| fact.value == Value::Object(food));
        let ticks = |name| facts.number(name, &[menu, food]);
        let ticks = (ticks("least")?, ticks("most")?);
        let kind = facts.object("goes-in", food)?.filter(|_| ticks.1 > 0);
        parts.push(Part {
            food: facts.name(food),
            ingredient: facts.name(whole.map_or(food, |fact| fact.args[0])),
            is_sliced: whole.is_some(),
            kind: kind.map(|kind| facts.name(kind)),
            ticks,
        });
    }
    Ok(Menu {
        name: facts.name(menu),
        parts,
    })
}
