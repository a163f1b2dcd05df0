//! Deals: a function that gives each of its objects another one, drawn from a seed as cards from a shuffled pack.
//! The deal is a stream.

use brigade_compile::sema::model::{FluentKind, Model, ObjectId, Range};
use brigade_diagnostics::{Diagnostics, Sources};
use brigade_syntax::format::format;
use brigade_task::split_mix::SplitMix;

/// The reason why nothing can be dealt.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum DealError {
    /// There is no such function, or none of objects.
    #[error("there is no function `{function}` of one object that gives an object{known}")]
    NoFunction {
        /// The name that was asked for.
        function: String,
        /// Those that there are, in words; empty where there is none.
        known: String,
    },
    /// The problem says what it gives.
    #[error("`{function}` has values in the problem already")]
    Dealt {
        /// The function.
        function: String,
    },
    /// Too few objects.
    #[error(
        "{places} objects are to get a value of `{function}` each, and there are only {values}"
    )]
    TooFew {
        /// The function.
        function: String,
        /// The number of places that get one.
        places: usize,
        /// The number of values to deal.
        values: usize,
    },
}

/// Deals: each object of which `function` may be asked gets another one of those that it may give, drawn from the
/// seed. Gives the text of a stream.
///
/// # Errors
///
/// If there is no such function, or nothing to deal.
pub fn deal(model: &Model, function: &str, seed: u64) -> Result<String, DealError> {
    let is_named = |name: &str| name.eq_ignore_ascii_case(function);
    let dealable = || {
        let all = model.fluents.iter().enumerate();
        all.filter_map(|(at, fluent)| match (&fluent.params[..], &fluent.range) {
            ([of], Range::Object(gives)) if fluent.kind == FluentKind::Basic => {
                Some((at, fluent.name.as_str(), of, gives))
            }
            _ => None,
        })
    };
    let Some((at, function, of, gives)) = dealable().find(|(_, name, ..)| is_named(name)) else {
        let names: Vec<String> = dealable()
            .map(|(_, name, ..)| format!("`{name}`"))
            .collect();
        let known = if names.is_empty() {
            String::new()
        } else {
            format!("; there are {}", names.join(", "))
        };
        return Err(DealError::NoFunction {
            function: function.to_owned(),
            known,
        });
    };
    let function = function.to_owned();
    if model.init.iter().any(|fact| fact.fluent.index() == at) {
        return Err(DealError::Dealt { function });
    }
    let places = model.objects_of(of);
    let mut values = model.objects_of(gives);
    if values.len() < places.len() {
        return Err(DealError::TooFew {
            function,
            places: places.len(),
            values: values.len(),
        });
    }
    SplitMix::new(seed, 0).shuffle(&mut values);
    let name = |id: ObjectId| &model.objects[id.index()].name;
    let mut text = format!(
        "; A deal of `{function}`, seed {seed}.\n(define (stream deal-{seed})\n  (:domain {})\n  (:init",
        model.domain
    );
    for (place, value) in places.into_iter().zip(values) {
        text += &format!("\n    (= ({function} {}) {})", name(place), name(value));
    }
    text += "))\n";
    let source = Sources::new().add("deal.pddl", text.as_str());
    Ok(format(source, &text, &mut Diagnostics::new()).unwrap_or(text))
}
