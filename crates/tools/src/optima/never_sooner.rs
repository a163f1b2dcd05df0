//! Where no plan under `upstream` is shorter than all under `clean`, so that what is proven of the
//! optimum of the one bounds that of the other. `docs/reference/systems/robotouille.md` has the proof; here is what it
//! asks of a task.

use super::case::Case;
use super::{CLEAN, UPSTREAM};
use crate::survey::SurveyError;
use brigade::sema::model::{Cond, Metric, Model, ObjectId, Variable};

/// The kitchens that the proof is about.
const KITCHENS: [&str; 2] = [
    include_str!("../../../../domains/robotouille.pddl"),
    include_str!("../../../../domains/robotouille-in-turn.pddl"),
];

/// Predicates that may hold under `upstream` where they do not hold under `clean`.
const LATER_FALSE: [&str; 3] = ["iscooking", "container_empty", "free-water"];

/// The only fact that may hold of the only meal at the start.
const NOT_THERE: &str = "free-water";

/// The only fact that may lose.
const MADE_ONCE_MORE: &str = "pool-exhausted";

/// The predicates that place an item, and the position of the item among the arguments.
const PLACES: [(&str, usize); 3] = [("item_on", 0), ("has_item", 1), ("atop", 0)];

/// Returns true if each plan of a task under `upstream` has one under `clean` that is no longer.
pub fn never_sooner(case: &Case) -> Result<bool, SurveyError> {
    if !KITCHENS.contains(&case.domain.as_str()) {
        return Ok(false);
    }
    let clean = case.texts().model(CLEAN)?;
    let upstream = case.texts().model(UPSTREAM)?;
    let Some((variables, goal)) = goal(&clean) else {
        return Ok(false);
    };
    let models = [&clean, &upstream];
    Ok(self::goal(&upstream) == Some((variables, goal))
        && clean.init == upstream.init
        && models.into_iter().all(is_plain)
        && is_monotone(&clean, goal)
        && nothing_is_made_twice(&clean)
        && starts_fresh(&clean))
}

fn goal(model: &Model) -> Option<(&[Variable], &Cond)> {
    let goal = model.goal.as_ref()?;
    Some((&goal.variables, &goal.cond))
}

/// Returns true if the problem adds nothing that happens by itself, loses or costs.
fn is_plain(model: &Model) -> bool {
    let loses = model.fail.as_ref().map(|fail| &fail.cond);
    let is_domains = loses.is_some_and(|cond| match cond {
        Cond::Atom(fluent, _) => model.fluents[fluent.index()].name == MADE_ONCE_MORE,
        _ => false,
    });
    is_domains && model.timed.is_empty() && model.metric == Metric::Default
}

/// Returns true if a goal that holds stays one where more facts hold, but for those that may cease to.
fn is_monotone(model: &Model, goal: &Cond) -> bool {
    match goal {
        Cond::True | Cond::False | Cond::Same(..) => true,
        Cond::Not(negated) => matches!(**negated, Cond::Same(..)),
        Cond::Atom(fluent, _) => {
            !LATER_FALSE.contains(&model.fluents[fluent.index()].name.as_str())
        }
        Cond::And(parts) | Cond::Or(parts) => parts.iter().all(|part| is_monotone(model, part)),
        Cond::Forall(_, part) | Cond::Exists(_, part) => is_monotone(model, part),
        Cond::Compare(..) => false,
    }
}

/// Returns true if there is no meal at the start, and one can be made at most.
fn nothing_is_made_twice(model: &Model) -> bool {
    let of_type = |object: &ObjectId| {
        let types = &model.objects[object.index()].types;
        types
            .iter()
            .any(|ty| model.types[ty.index()].name == "meal")
    };
    let objects = (0..model.objects.len() as u32).map(ObjectId);
    let meals: Vec<ObjectId> = objects.filter(of_type).collect();
    let mut facts = model.init.iter();
    meals.len() <= 1
        && facts.all(|fact| {
            let is_of_meal = fact.args.iter().any(|arg| meals.contains(arg));
            !is_of_meal || model.fluents[fact.fluent.index()].name == NOT_THERE
        })
}

/// Returns true if nothing is cooking at the start, no bowl is a pot, and no item is at two places.
fn starts_fresh(model: &Model) -> bool {
    let of = |name: &str, place: usize| -> Vec<ObjectId> {
        let facts = model.init.iter();
        let facts = facts.filter(|fact| model.fluents[fact.fluent.index()].name == name);
        facts.map(|fact| fact.args[place]).collect()
    };
    let pots = of("ispot", 0);
    let mut placed = PLACES.map(|(name, item)| of(name, item)).concat();
    placed.sort_unstable();
    of("iscooking", 0).is_empty()
        && !of("isbowl", 0).iter().any(|bowl| pots.contains(bowl))
        && placed.windows(2).all(|pair| pair[0] != pair[1])
}
