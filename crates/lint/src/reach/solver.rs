//! The search for bindings of schemas, and for the first condition that nothing satisfies.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::rc::Rc;

use super::schema::{At, Schema, fluents, free};
use super::writers::Writers;
use brigade_compile::ground::relaxed::Relaxed;
use brigade_compile::sema::model::{
    AssignOp, Binding, Cond, Effect, FluentId, Model, ObjectId, TypeId,
};

/// The most conditions that are tried in all for the explanations of one problem.
const TRIES: usize = 20_000;

/// So many variables are copied in the time that a try takes, about.
const COPIED_PER_TRY: usize = 32;

/// The reason why conditions never hold together.
#[derive(Clone, Debug)]
pub(super) enum Missing<'m> {
    /// No object is of the types of a variable.
    NoObject,
    /// This one never holds, whatever its variables that are not bound stand for.
    Never(&'m Cond),
    /// Each may hold, but this one never together with those before it.
    NotTogether(&'m Cond),
    /// They may hold, or finding out would take too long.
    Unknown,
}

/// Answers questions about schemas within a budget.
pub(super) struct Solver<'r, 'm> {
    pub(super) relaxed: &'r mut Relaxed<'m>,
    pub(super) model: &'m Model,
    tries: usize,
    /// By fluent, true if an effect, a timed fact or a rule makes it true or gives it a value.
    made: Vec<bool>,
    writers: OnceCell<Writers>,
    extents: HashMap<Vec<TypeId>, Rc<[ObjectId]>>,
}

/// The result of a search for bindings.
enum Found {
    Binding,
    /// None; the condition at which the longest attempt failed.
    None(usize),
    OutOfTries,
}

impl<'r, 'm> Solver<'r, 'm> {
    pub(super) fn new(relaxed: &'r mut Relaxed<'m>) -> Self {
        let model = relaxed.model();
        Self {
            model,
            made: made(model),
            writers: OnceCell::new(),
            relaxed,
            tries: TRIES,
            extents: HashMap::new(),
        }
    }

    /// Returns the effects and rules that write each fluent.
    pub(super) fn writers(&self) -> &Writers {
        self.writers.get_or_init(|| Writers::new(self.model))
    }

    /// Returns the condition that is never satisfied, under these bindings.
    pub(super) fn missing(&mut self, schema: &Schema<'m>, at: &At) -> Missing<'m> {
        for (index, variable) in (0..).zip(schema.variables) {
            let is_free = at.get(index as usize).copied().flatten().is_none();
            let mentioned = || {
                let mut conds = schema.conds.iter();
                conds.any(|cond| free(cond).contains(&Binding(index)))
            };
            if is_free && self.extent(&variable.types).is_empty() && mentioned() {
                return Missing::NoObject;
            }
        }
        for cond in &schema.conds {
            let alone = Schema {
                variables: schema.variables,
                conds: vec![cond],
            };
            match self.search(&alone, &mut at.clone(), 0) {
                Found::Binding => {}
                Found::None(_) => return Missing::Never(cond),
                Found::OutOfTries => return Missing::Unknown,
            }
        }
        match self.search(schema, &mut at.clone(), 0) {
            Found::Binding | Found::OutOfTries => Missing::Unknown,
            Found::None(at) => Missing::NotTogether(schema.conds[at]),
        }
    }

    /// Returns true if the facts that only a problem gives exclude it already: those of fluents that no effect changes,
    /// or that effects only use up. A problem without them does without what needs them.
    pub(super) fn is_left_out(&mut self, schema: &Schema<'m>, at: &At) -> bool {
        let mut no_object = schema.variables.iter().zip(0..);
        let bound = schema
            .conds
            .iter()
            .flat_map(|cond| free(cond))
            .collect::<Vec<_>>();
        if no_object.any(|(variable, index)| {
            bound.contains(&Binding(index)) && self.extent(&variable.types).is_empty()
        }) {
            return true;
        }
        let given = Schema {
            variables: schema.variables,
            conds: schema
                .conds
                .iter()
                .copied()
                .filter(|cond| self.is_all_given(cond))
                .collect(),
        };
        !self.may_hold(&given, at)
    }

    /// Returns true if no effect, timed fact or rule makes a fluent true or gives it a value but a smaller one.
    pub(super) fn is_given(&self, fluent: FluentId) -> bool {
        !self.made[fluent.index()]
    }

    /// Returns true if only the facts of a problem decide a condition.
    pub(super) fn is_all_given(&self, cond: &Cond) -> bool {
        fluents(cond).iter().all(|&fluent| self.is_given(fluent))
    }

    /// Returns whether an effect, a timed fact or a rule changes what a condition reads.
    pub(super) fn can_change(&self, cond: &Cond) -> bool {
        let fluents = fluents(cond);
        let mut fluents = fluents.iter();
        fluents.any(|fluent| self.relaxed.changes(*fluent))
    }

    /// Returns true if the conditions may hold together; also where that is not known.
    pub(super) fn may_hold(&mut self, schema: &Schema<'m>, at: &At) -> bool {
        // What is bound is copied: many conditions of a schema of many variables would take too long.
        let copied = schema.variables.len() / COPIED_PER_TRY;
        let Some(tries) = self.tries.checked_sub(copied) else {
            return true;
        };
        self.tries = tries;
        !matches!(self.search(schema, &mut at.clone(), 0), Found::None(_))
    }

    /// The objects of any of some types.
    pub(super) fn extent(&mut self, types: &[TypeId]) -> Rc<[ObjectId]> {
        if let Some(extent) = self.extents.get(types) {
            return Rc::clone(extent);
        }
        let extent: Rc<[ObjectId]> = self.model.objects_of(types).into();
        self.extents.insert(types.to_vec(), Rc::clone(&extent));
        extent
    }

    /// Looks for bindings under which the conditions from `first` on may hold.
    fn search(&mut self, schema: &Schema<'m>, at: &mut At, first: usize) -> Found {
        let Some(&cond) = schema.conds.get(first) else {
            return Found::Binding;
        };
        at.resize(schema.variables.len(), None);
        let open: Vec<Binding> = free(cond)
            .into_iter()
            .filter(|variable| at[variable.index()].is_none())
            .collect();
        let extents: Vec<Rc<[ObjectId]>> = open
            .iter()
            .map(|variable| self.extent(&schema.variables[variable.index()].types))
            .collect();
        if extents.iter().any(|extent| extent.is_empty()) {
            return Found::None(first);
        }
        let mut deepest = first;
        let mut next = vec![0; open.len()];
        let found = loop {
            for ((variable, extent), &place) in open.iter().zip(&extents).zip(&next) {
                at[variable.index()] = Some(extent[place]);
            }
            let Some(tries) = self.tries.checked_sub(1) else {
                break Found::OutOfTries;
            };
            self.tries = tries;
            if self.relaxed.may_hold(cond, schema.variables, at) {
                match self.search(schema, at, first + 1) {
                    Found::None(at) => deepest = deepest.max(at),
                    found => break found,
                }
            }
            let turned = (0..open.len()).rev().any(|place| {
                next[place] = (next[place] + 1) % extents[place].len();
                next[place] > 0
            });
            if !turned {
                break Found::None(deepest);
            }
        };
        for variable in open {
            at[variable.index()] = None;
        }
        found
    }
}

/// Returns, by fluent, true if an effect, a timed fact or a rule makes it true or gives it a value but a smaller one.
fn made(model: &Model) -> Vec<bool> {
    let mut made = vec![false; model.fluents.len()];
    let actions = model
        .actions
        .iter()
        .flat_map(|action| [&action.effect, &action.end_effect]);
    for effect in actions.chain(model.events.iter().map(|event| &event.effect)) {
        effect.any(&mut |effect| {
            if let Effect::Set(fluent, _, true)
            | Effect::Assign(fluent, ..)
            | Effect::Update(
                AssignOp::Assign | AssignOp::Increase | AssignOp::ScaleUp,
                fluent,
                ..,
            ) = effect
            {
                made[fluent.index()] = true;
            }
            false
        });
    }
    let timed = model.timed.iter().map(|literal| literal.fact.fluent);
    for fluent in timed.chain(model.axioms.iter().map(|axiom| axiom.fluent)) {
        made[fluent.index()] = true;
    }
    made
}
