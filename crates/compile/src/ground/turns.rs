//! The bindings of the variables of a quantifier, one after another, and how many there are.

use std::rc::Rc;

use super::bindings::{Bindings, Extent};
use crate::sema::model::{Binding, ObjectId, Variable};
use brigade_diagnostics::words::counted;

/// Goes through the bindings of some variables, the last one fastest.
pub(super) struct Turns<'v> {
    variables: &'v [Binding],
    extents: Vec<Rc<Extent>>,
    next: Vec<usize>,
    /// The values of the variables before.
    before: Vec<Option<ObjectId>>,
}

impl<'v> Turns<'v> {
    /// Binds variables to the first of the objects that they range over. `None` if one has no objects.
    pub(super) fn begin(
        variables: &'v [Binding],
        extents: Vec<Rc<Extent>>,
        at: &mut Bindings,
    ) -> Option<Self> {
        if extents.iter().any(|extent| extent.objects.is_empty()) {
            return None;
        }
        let before = variables.iter().map(|v| at[v.index()]).collect();
        for (variable, extent) in variables.iter().zip(&extents) {
            at[variable.index()] = extent.objects.first().copied();
        }
        Some(Self {
            variables,
            next: vec![0; variables.len()],
            extents,
            before,
        })
    }

    /// Binds the variables anew; false if they have had all bindings.
    pub(super) fn next(&mut self, at: &mut Bindings) -> bool {
        (0..self.variables.len()).rev().any(|place| {
            let objects = &self.extents[place].objects;
            self.next[place] = (self.next[place] + 1) % objects.len();
            at[self.variables[place].index()] = Some(objects[self.next[place]]);
            self.next[place] > 0
        })
    }

    /// Binds the variables to what they were bound to before.
    pub(super) fn end(self, at: &mut Bindings) {
        for (variable, object) in self.variables.iter().zip(self.before) {
            at[variable.index()] = object;
        }
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
    /// Notes quantifiers over variables of a scope.
    pub(super) fn note_nested(&mut self, nested: &Nested, scope: &[Variable]) {
        if let Some((variable, objects)) = nested.largest
            && nested.combinations > self.combinations
        {
            let variable = scope.get(variable);
            self.combinations = nested.combinations;
            self.variable = variable.map_or_else(String::new, |it| it.name.clone());
            self.objects = objects;
        }
    }

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
    pub(super) fn described(&self, instances: usize) -> String {
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

impl Nested {
    /// Adds the variables that are gone through within the others.
    pub(super) fn add(&mut self, turns: &Turns<'_>) {
        for (variable, extent) in turns.variables.iter().zip(&turns.extents) {
            let objects = extent.objects.len();
            self.combinations = self.combinations.saturating_mul(objects as u128);
            if self.largest.is_none_or(|(_, most)| objects > most) {
                self.largest = Some((variable.index(), objects));
            }
        }
    }
}
