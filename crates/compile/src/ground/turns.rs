//! The bindings of the variables of a quantifier, one after another, and how many there are.

use std::rc::Rc;

use super::instantiate::{Bindings, Extent, Instantiator};
use crate::sema::model::{Binding, ObjectId};
use brigade_diagnostics::words::counted;

/// Goes through the bindings of some variables, the last one fastest.
pub(super) struct Turns<'v> {
    variables: &'v [Binding],
    extents: Vec<Rc<Extent>>,
    next: Vec<usize>,
    /// What the variables were bound to before.
    before: Vec<Option<ObjectId>>,
}

impl Turns<'_> {
    /// Binds the variables anew; false if they have had all bindings.
    pub(super) fn next(&mut self, at: &mut Bindings) -> bool {
        (0..self.variables.len()).rev().any(|place| {
            let objects = &self.extents[place].objects;
            self.next[place] = (self.next[place] + 1) % objects.len();
            at[self.variables[place].index()] = Some(objects[self.next[place]]);
            self.next[place] > 0
        })
    }
}

/// Of the quantifiers of a schema those, one in another, that have most bindings.
#[derive(Clone, Debug, Default)]
pub(super) struct Widest {
    combinations: u128,
    /// The one of their variables with most objects.
    variable: String,
    objects: usize,
    /// Of the functions that stand as arguments together those with most combinations of values.
    split: Option<WidestSplit>,
}

/// Functions that stand as arguments together.
#[derive(Clone, Debug)]
struct WidestSplit {
    combinations: u128,
    /// The one with most cases.
    function: String,
    cases: u128,
}

impl Widest {
    /// Notes functions that stand as arguments together; `largest` says which has most cases.
    pub(super) fn note_split<'n>(
        &mut self,
        combinations: u128,
        largest: impl FnOnce() -> Option<(&'n str, u128)>,
    ) {
        let known = self.split.as_ref().map_or(1, |known| known.combinations);
        if combinations > known
            && let Some((function, cases)) = largest()
        {
            self.split = Some(WidestSplit {
                combinations,
                function: function.to_owned(),
                cases,
            });
        }
    }

    /// In words, for a schema with so many instances. Nothing where there are neither quantifiers nor
    /// functions as arguments.
    pub(super) fn told(&self, instances: usize) -> String {
        let number = |all: u128| match all {
            u128::MAX => "more than 10^38".to_owned(),
            all => all.to_string(),
        };
        let instances = match instances {
            0 | 1 => String::new(),
            several => format!(" in each of {several} instances"),
        };
        if let Some(split) = &self.split
            && split.combinations > self.combinations
        {
            return format!(
                "; its functions as arguments have {} cases{instances}, `{}` alone {}",
                number(split.combinations),
                split.function,
                number(split.cases)
            );
        }
        if self.combinations == 0 {
            return String::new();
        }
        let all = number(self.combinations);
        format!(
            "; its quantifiers range over {all} combinations{instances}, `?{}` alone over {}",
            self.variable,
            counted(self.objects, "object")
        )
    }
}

/// The quantifiers that are gone through at a time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nested {
    combinations: u128,
    /// The index of the variable with most objects, and their number.
    largest: Option<(usize, usize)>,
}

impl Default for Nested {
    fn default() -> Self {
        Self {
            combinations: 1,
            largest: None,
        }
    }
}

impl Instantiator<'_> {
    /// Binds variables to their first objects. `None` if one has no objects. What they were within comes
    /// back to [`Self::leave`].
    pub(super) fn enter<'v>(
        &mut self,
        variables: &'v [Binding],
        at: &mut Bindings,
    ) -> Option<(Turns<'v>, Nested)> {
        let extents: Vec<Rc<Extent>> = variables.iter().map(|&v| self.domain_of(v)).collect();
        if extents.iter().any(|extent| extent.objects.is_empty()) {
            return None;
        }
        let before = variables.iter().map(|v| at[v.index()]).collect();
        let outer = self.nested;
        for (variable, extent) in variables.iter().zip(&extents) {
            let objects = extent.objects.len();
            at[variable.index()] = extent.objects.first().copied();
            let nested = &mut self.nested;
            nested.combinations = nested.combinations.saturating_mul(objects as u128);
            if nested.largest.is_none_or(|(_, most)| objects > most) {
                nested.largest = Some((variable.index(), objects));
            }
        }
        if let Some((variable, objects)) = self.nested.largest
            && self.nested.combinations > self.widest.combinations
        {
            let variable = self.scope.get(variable);
            self.widest.combinations = self.nested.combinations;
            self.widest.variable = variable.map_or_else(String::new, |it| it.name.clone());
            self.widest.objects = objects;
        }
        let next = vec![0; variables.len()];
        let turns = Turns {
            variables,
            extents,
            next,
            before,
        };
        Some((turns, outer))
    }

    /// Binds variables to what they were bound to before.
    pub(super) fn leave(&mut self, turns: Turns<'_>, outer: Nested, at: &mut Bindings) {
        self.nested = outer;
        for (variable, object) in turns.variables.iter().zip(turns.before) {
            at[variable.index()] = object;
        }
    }
}
