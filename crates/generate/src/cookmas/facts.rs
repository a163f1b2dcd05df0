//! The facts of a problem of the domain, by name.

use brigade_compile::sema::model::{Fact, FluentId, Model, ObjectId, Value};

/// The reason why nothing can be read of a problem.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the problem is none of the domain `cookmas`: it has no `{0}`")]
pub struct NoRestaurant(pub &'static str);

/// The facts of a problem, by the names of predicates and functions.
pub(super) struct Facts<'m>(pub(super) &'m Model);

impl<'m> Facts<'m> {
    pub(super) fn fluent(&self, name: &'static str) -> Result<FluentId, NoRestaurant> {
        let mut fluents = (0..).map(FluentId).zip(&self.0.fluents);
        let found = fluents.find(|(_, fluent)| fluent.name.eq_ignore_ascii_case(name));
        found.map(|(id, _)| id).ok_or(NoRestaurant(name))
    }

    /// The objects of a type, in declared order.
    pub(super) fn of_type(&self, name: &'static str) -> Result<Vec<ObjectId>, NoRestaurant> {
        let mut types = self.0.types.iter();
        let ty = types.position(|ty| ty.name.eq_ignore_ascii_case(name));
        let ty = ty.ok_or(NoRestaurant(name))?;
        let objects = (0..).map(ObjectId).zip(&self.0.objects);
        let objects = objects.filter(|(_, object)| object.types.iter().any(|it| it.index() == ty));
        Ok(objects.map(|(id, _)| id).collect())
    }

    pub(super) fn name(&self, object: ObjectId) -> String {
        self.0.objects[object.index()].name.to_string()
    }

    /// The initial facts of a predicate or function.
    pub(super) fn all(
        &self,
        name: &'static str,
    ) -> Result<impl Iterator<Item = &'m Fact>, NoRestaurant> {
        let fluent = self.fluent(name)?;
        let facts = self.0.init.iter();
        Ok(facts.filter(move |fact| fact.fluent == fluent))
    }

    fn value(&self, name: &'static str, args: &[ObjectId]) -> Result<Option<Value>, NoRestaurant> {
        let mut facts = self.all(name)?;
        let fact = facts.find(|fact| fact.args == args);
        Ok(fact.map(|fact| fact.value))
    }

    pub(super) fn object(
        &self,
        name: &'static str,
        of: ObjectId,
    ) -> Result<Option<ObjectId>, NoRestaurant> {
        Ok(match self.value(name, &[of])? {
            Some(Value::Object(object)) => Some(object),
            _ => None,
        })
    }

    /// A number, 0 where nothing is said.
    pub(super) fn number(
        &self,
        name: &'static str,
        args: &[ObjectId],
    ) -> Result<u32, NoRestaurant> {
        Ok(match self.value(name, args)? {
            Some(Value::Number(number)) => u32::try_from(number).unwrap_or(0),
            _ => 0,
        })
    }
}
