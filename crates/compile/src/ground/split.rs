//! The number of cases that object fluents as arguments make, counted before they are made: each splits the term or
//! effect around it into a case for every value that it may have, and those of several arguments multiply.
//!
//! This counts what [`Instantiator::alternatives`] and [`Instantiator::typed_tuples`] make.

use std::rc::Rc;

use super::bindings::{Bindings, Extent};
use super::conditions::named;
use super::instantiate::Instantiator;
use crate::sema::model::{FluentId, Range, Term, Value};

/// The cases of a term, or of several together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Split {
    /// Those that are fit for what is asked: of which it is certain that there are so many.
    pub(super) fit: u128,
    /// All.
    pub(super) all: u128,
    /// The number of parts that are counted while they are made.
    pub(super) parts: u128,
}

impl Split {
    /// One case that no state decides.
    const fn known(is_fit: bool) -> Self {
        Self {
            fit: if is_fit { 1 } else { 0 },
            all: 1,
            parts: 0,
        }
    }
}

impl Instantiator<'_> {
    /// The argument tuples of a fluent that terms may denote.
    pub(super) fn split(&mut self, fluent: FluentId, terms: &[Term], at: &Bindings) -> Split {
        let params = self.params(fluent);
        self.split_typed(terms, &params, at)
    }

    /// The tuples that terms may denote of objects of some types.
    pub(super) fn split_typed(
        &mut self,
        terms: &[Term],
        params: &[Rc<Extent>],
        at: &Bindings,
    ) -> Split {
        let mut result = Split::known(true);
        let mut largest = None;
        for (term, param) in terms.iter().zip(params) {
            let (cases, is_known) = self.split_term(term, Some(param), at);
            if let Term::Fluent(fluent, _) = term
                && largest.is_none_or(|(_, most)| cases.all > most)
            {
                largest = Some((*fluent, cases.all));
            }
            result.parts = result.parts.saturating_add(cases.parts);
            result.fit = result.fit.saturating_mul(cases.fit);
            if !is_known {
                result.all = result.all.saturating_mul(cases.all);
                result.parts = result.parts.saturating_add(result.all);
            }
        }
        let fluents = &self.model.fluents;
        self.widest.note_split(result.all, || {
            largest.map(|(fluent, cases)| (&*fluents[fluent.index()].name, cases))
        });
        result
    }

    /// The values of a term, those that are fit being of a type. The second is whether no state decides
    /// which it has.
    pub(super) fn split_term(
        &mut self,
        term: &Term,
        param: Option<&Extent>,
        at: &Bindings,
    ) -> (Split, bool) {
        let Term::Fluent(fluent, args) = term else {
            let object = named(term, at);
            let is_fit =
                object.is_some_and(|object| param.is_none_or(|param| param.contains(object)));
            return (Split::known(is_fit), true);
        };
        let tuples = self.split(*fluent, args, at);
        if self.is_static(*fluent) {
            return self.split_static((*fluent, args), tuples, param, at);
        }
        let objects = match &self.model.fluents[fluent.index()].range {
            Range::Object(types) => self.extent(types),
            _ => self.extent(&[]),
        };
        let values = objects.objects.len() as u128;
        let fit = match param {
            None => values,
            Some(param) => {
                let objects = objects.objects.iter();
                objects.filter(|&&object| param.contains(object)).count() as u128
            }
        };
        let valued = tuples.fit.saturating_mul(values);
        let split = Split {
            fit: tuples.fit.saturating_mul(fit),
            all: tuples.all.saturating_add(valued),
            parts: tuples.parts.saturating_add(valued),
        };
        (split, tuples.fit == 0 && tuples.all == 1)
    }

    /// Returns true if a term has a slot, as [`Instantiator::plain_slot`] finds it: it is not split.
    pub(super) fn is_plain(&mut self, term: &Term, at: &Bindings) -> bool {
        let Term::Fluent(fluent, args) = term else {
            return false;
        };
        if self.is_static(*fluent) {
            return false;
        }
        let params = self.params(*fluent);
        let mut typed = args.iter().zip(&*params);
        typed.all(|(arg, param)| named(arg, at).is_some_and(|object| param.contains(object)))
    }

    /// As [`Self::split_term`], of a fluent that never changes.
    fn split_static(
        &self,
        (fluent, args): (FluentId, &[Term]),
        tuples: Split,
        param: Option<&Extent>,
        at: &Bindings,
    ) -> (Split, bool) {
        let named: Option<Vec<_>> = args.iter().map(|arg| named(arg, at)).collect();
        let is_open = args.iter().any(|arg| matches!(arg, Term::Fluent(..)));
        if is_open {
            // Which values the cases have is not looked at.
            return (Split { fit: 0, ..tuples }, tuples.all == 1);
        }
        let value = named.filter(|_| tuples.fit > 0);
        let value = value.and_then(|args| self.statics.get(&(fluent, args)));
        let is_fit = match value {
            Some(Value::Object(object)) => param.is_none_or(|param| param.contains(*object)),
            _ => false,
        };
        (Split::known(is_fit), true)
    }
}
