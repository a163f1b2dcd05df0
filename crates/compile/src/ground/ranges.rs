//! The parameters of schemas, and their ranges in words.

use super::patterns::Pattern;
use crate::sema::model::{Model, Variable};
use brigade_diagnostics::words::counted;

/// The parameters of an action, an event or a rule: all of them in one row.
pub(super) fn parameters(model: &Model, index: usize) -> &[Variable] {
    let events = index.checked_sub(model.actions.len());
    let axioms = events.and_then(|index| index.checked_sub(model.events.len()));
    match (events, axioms) {
        (_, Some(axiom)) => {
            let axiom = &model.axioms[axiom];
            &axiom.variables[..axiom.parameters]
        }
        (Some(event), None) => {
            let event = &model.events[event];
            &event.variables[..event.parameters]
        }
        (None, None) => {
            let action = &model.actions[index];
            &action.variables[..action.parameters]
        }
    }
}

/// The number of combinations of some parameters, in words, and the parameter that contributes most: of those with most
/// objects the first that none of the facts needed limits. Empty where there are none.
pub(super) fn ranges(model: &Model, parameters: &[Variable], needed: &[Pattern]) -> String {
    let sizes = parameters.iter().enumerate().map(|(index, variable)| {
        let objects = model.objects_of(&variable.types).len();
        let free = !needed.iter().any(|pattern| pattern.reads(index));
        (variable.name.as_str(), objects, free)
    });
    let sizes: Vec<(&str, usize, bool)> = sizes.collect();
    let largest = sizes
        .iter()
        .rev()
        .max_by_key(|(_, objects, free)| (*objects, *free));
    let Some((name, most, _)) = largest else {
        return String::new();
    };
    let product = sizes.iter().try_fold(1_u128, |product, (_, objects, _)| {
        product.checked_mul(*objects as u128)
    });
    let all = product.map_or("more than 10^38".to_owned(), |product| product.to_string());
    format!(
        "; its parameters range over {all} combinations, `?{name}` alone over {}",
        counted(*most, "object")
    )
}
