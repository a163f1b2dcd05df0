//! Where no plan under `upstream` is shorter than all under `clean`, so that what is proven of the
//! optimum of the one bounds that of the other. `docs/robotouille.md` has the proof; here is what it
//! asks of a task.

use super::case::Case;
use super::{CLEAN, UPSTREAM};
use crate::report::survey::SurveyError;
use crate::sema::model::{Cond, Model, ObjectId};

/// The kitchens that the proof is about.
const KITCHENS: [&str; 2] = [
    include_str!("../../../domains/robotouille.pddl"),
    include_str!("../../../domains/robotouille-in-turn.pddl"),
];

/// Predicates that may hold under `upstream` where they do not hold under `clean`.
const LATER_FALSE: [&str; 3] = ["iscooking", "container_empty", "free-water"];

/// What may be true of the only meal at the start.
const NOT_THERE: &str = "free-water";

/// Whether each plan of a task under `upstream` has one under `clean` that is no longer.
pub fn never_sooner(case: &Case) -> Result<bool, SurveyError> {
    if !KITCHENS.contains(&case.domain.as_str()) {
        return Ok(false);
    }
    let clean = case.texts().model(CLEAN)?;
    let upstream = case.texts().model(UPSTREAM)?;
    let goal = |model: &Model| model.goal.as_ref().map(|goal| goal.cond.clone());
    Ok(goal(&clean) == goal(&upstream)
        && clean.init == upstream.init
        && clean.timed.is_empty()
        && upstream.timed.is_empty()
        && goal(&clean).is_some_and(|goal| is_monotone(&clean, &goal))
        && nothing_is_made_twice(&clean)
        && starts_fresh(&clean))
}

/// Whether a goal that holds stays one where more facts hold, but for those that may cease to.
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

/// Whether there is no meal at the start, and one can be made at most.
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

/// Whether nothing is cooking at the start, and no bowl is a pot.
fn starts_fresh(model: &Model) -> bool {
    let of = |name: &str| -> Vec<ObjectId> {
        let facts = model.init.iter();
        let facts = facts.filter(|fact| model.fluents[fact.fluent.index()].name == name);
        facts.flat_map(|fact| fact.args.iter().copied()).collect()
    };
    let pots = of("ispot");
    of("iscooking").is_empty() && !of("isbowl").iter().any(|bowl| pots.contains(bowl))
}
