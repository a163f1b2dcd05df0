//! Parses the goal of a kitchen: dishes on tables, and a soup.

use std::collections::BTreeMap;

use super::environment::{Environment, Literal};

/// The place at which the goal asks for an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// On the table itself.
    Base,
    /// Anywhere above the base, or, in a chain, right on the role before it.
    Above,
    /// With nothing above it.
    Top,
    /// In the soup.
    Soup,
}

/// An item that the goal asks for.
#[derive(Clone, Debug)]
pub(super) struct Role {
    /// Number of its name in [`Goal::names`].
    pub(super) name: usize,
    pub(super) is_cut: bool,
    pub(super) is_cooked: bool,
    pub(super) is_fried: bool,
    pub(super) place: Place,
}

/// The items that are to be on one table.
#[derive(Clone, Debug)]
pub(super) struct Dish {
    /// Its roles, the base first.
    pub(super) roles: Vec<usize>,
    /// True if each role is to be right on the one before it.
    pub(super) is_chain: bool,
    /// True if nothing may be above the last of a chain.
    pub(super) ends: bool,
}

/// A soup in the bowl, on a table.
#[derive(Clone, Debug)]
pub(super) struct Soup {
    pub(super) roles: Vec<usize>,
    pub(super) is_boiled: bool,
}

/// The goal of a task.
#[derive(Clone, Debug, Default)]
pub(super) struct Goal {
    pub(super) names: Vec<String>,
    pub(super) roles: Vec<Role>,
    pub(super) dishes: Vec<Dish>,
    pub(super) soup: Option<Soup>,
}

/// A name and a number: different numbers of a name are different things.
type Variable = (String, u64);

/// The facts that the literals state.
#[derive(Default)]
struct Facts {
    cut: Vec<Variable>,
    cooked: Vec<Variable>,
    fried: Vec<Variable>,
    clear: Vec<Variable>,
    added: Vec<Variable>,
    waters: Vec<Variable>,
    /// Tables, and what is on them.
    bases: BTreeMap<Variable, Variable>,
    /// Items, and the tables that they are at.
    at: Vec<(Variable, Variable)>,
    /// Items, and what they are right on.
    atop: Vec<(Variable, Variable)>,
    is_boiled: bool,
    is_in_bowl: bool,
    is_served: bool,
}

impl Goal {
    /// Reads a goal; an error says what of it is not known.
    pub(super) fn read(environment: &Environment) -> Result<Self, String> {
        let mut facts = Facts::default();
        for literal in &environment.goal {
            facts.add(literal)?;
        }
        let mut goal = Self::default();
        let mut used = Vec::new();
        for (table, base) in &facts.bases {
            let dish = goal.dish(&facts, table, base, &mut used)?;
            goal.dishes.push(dish);
        }
        if facts.is_in_bowl && facts.is_served {
            let added = facts.added.iter();
            let roles = added.map(|item| goal.role(&facts, item, Place::Soup, &mut used));
            goal.soup = Some(Soup {
                roles: roles.collect(),
                is_boiled: facts.is_boiled,
            });
        }
        facts.are_all_in(&goal, &used)?;
        Ok(goal)
    }

    fn dish(
        &mut self,
        facts: &Facts,
        table: &Variable,
        base: &Variable,
        used: &mut Vec<Variable>,
    ) -> Result<Dish, String> {
        let mut dish = Dish {
            roles: vec![self.role(facts, base, Place::Base, used)],
            is_chain: false,
            ends: false,
        };
        for (item, _) in facts.at.iter().filter(|(_, at)| at == table) {
            let is_top = facts.clear.contains(item);
            let place = if is_top { Place::Top } else { Place::Above };
            dish.roles.push(self.role(facts, item, place, used));
        }
        if dish.roles.len() > 1 {
            let tops = dish.roles.iter();
            let tops = tops.filter(|&&role| self.roles[role].place == Place::Top);
            return if tops.count() > 1 {
                Err("two items with nothing above them in one dish".to_owned())
            } else {
                Ok(dish)
            };
        }
        let mut last = base;
        while let Some((item, _)) = facts.atop.iter().find(|(_, below)| below == last) {
            if used.contains(item) {
                return Err("an item that is on two".to_owned());
            }
            dish.roles.push(self.role(facts, item, Place::Above, used));
            dish.is_chain = true;
            last = item;
        }
        dish.ends = facts.clear.contains(last);
        if dish.ends && !dish.is_chain {
            return Err("a base with nothing above it".to_owned());
        }
        Ok(dish)
    }

    fn role(
        &mut self,
        facts: &Facts,
        item: &Variable,
        place: Place,
        used: &mut Vec<Variable>,
    ) -> usize {
        let known = self.names.iter().position(|name| *name == item.0);
        let name = known.unwrap_or_else(|| {
            self.names.push(item.0.clone());
            self.names.len() - 1
        });
        used.push(item.clone());
        self.roles.push(Role {
            name,
            is_cut: facts.cut.contains(item),
            is_cooked: facts.cooked.contains(item),
            is_fried: facts.fried.contains(item),
            place,
        });
        self.roles.len() - 1
    }

    /// Returns true if a role of that name asks for something.
    pub(super) fn asks(&self, name: &str, of: fn(&Role) -> bool) -> bool {
        let mut roles = self.roles.iter();
        roles.any(|role| self.names[role.name] == name && of(role))
    }
}

impl Facts {
    fn add(&mut self, literal: &Literal) -> Result<(), String> {
        let variables = literal.variables()?;
        let is = |variable: &Variable, name: &str| variable.0 == name;
        match (literal.predicate.as_str(), &variables[..]) {
            ("iscut", [item]) => self.cut.push(item.clone()),
            ("iscooked", [item]) => self.cooked.push(item.clone()),
            ("isfried", [item]) => self.fried.push(item.clone()),
            ("clear", [item]) => self.clear.push(item.clone()),
            ("item_on", [item, table]) if is(table, "table") && !self.bases.contains_key(table) => {
                self.bases.insert(table.clone(), item.clone());
            }
            ("item_at", [item, table]) if is(table, "table") => {
                self.at.push((item.clone(), table.clone()));
            }
            ("atop", [item, below]) => self.atop.push((item.clone(), below.clone())),
            ("in", [water, bowl]) if is(water, "water") && is(bowl, "bowl") => {
                self.is_in_bowl = true;
                self.waters.push(water.clone());
            }
            ("isboiling", [water]) if is(water, "water") => {
                self.is_boiled = true;
                self.waters.push(water.clone());
            }
            ("addedto", [item, water]) if is(water, "water") => {
                self.added.push(item.clone());
                self.waters.push(water.clone());
            }
            ("container_at", [bowl, table]) if is(bowl, "bowl") && is(table, "table") => {
                self.is_served = true;
            }
            (predicate, _) => return Err(format!("`{predicate}` in the goal")),
        }
        Ok(())
    }

    /// Succeeds if each item has one role, and the dishes and the soup hold all that the literals say.
    fn are_all_in(&self, goal: &Goal, used: &[Variable]) -> Result<(), String> {
        let stacked = self.atop.iter().flat_map(|(item, below)| [item, below]);
        let items = stacked.chain(self.at.iter().map(|(item, _)| item));
        let items = items
            .chain(&self.cut)
            .chain(&self.cooked)
            .chain(&self.fried);
        let mut items = items.chain(&self.clear).chain(&self.added);
        let is_once = |item: &Variable| used.iter().filter(|other| *other == item).count() == 1;
        let mut tables = self.at.iter().map(|(_, table)| table);
        let has_soup = self.is_in_bowl || self.is_served || !self.waters.is_empty();
        let chains = goal.dishes.iter().filter(|dish| dish.is_chain);
        let stacked = chains.map(|dish| dish.roles.len() - 1).sum::<usize>();
        let are_in = items.all(is_once)
            && tables.all(|table| self.bases.contains_key(table))
            && has_soup == goal.soup.is_some()
            && self.waters.windows(2).all(|pair| pair[0] == pair[1])
            && stacked == self.atop.len();
        if are_in {
            Ok(())
        } else {
            Err("a goal of another kind".to_owned())
        }
    }
}
