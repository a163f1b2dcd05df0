//! Model → [`PackedTask`]: static pruning, relaxed reachability, invariants, packing.
//!
//! 1. `instantiate` (with `conditions`, `effects`, `starts` and `operators`) turns lifted formulas
//!    into ground ones over *slots* (ground fluents), with static fluents evaluated away; `delayed`
//!    knows the delayed effects apart.
//!    Derived predicates of static ones are static facts too (`derived`).
//! 2. `reach` finds, by joins over the reachable facts, the instances of the schemas that can ever
//!    apply and the values that each slot can ever take.
//! 3. `invariants` finds, by what effects change (`changes`), predicates' facts that exclude each other,
//!    which then share a variable.
//! 4. `relevance` leaves out what no goal can need, where that is sound.
//! 5. `encode` restricts everything to what is reachable (`restricted`), gives each slot a place
//!    (`encoder`), and says everything of these (`translate`, `blocks`); `words` keeps facts and the goal in words, with their observers, `forms`
//!    how commands are written, `never` why some can never be given.
//!
//! # Bounds
//!
//! Whatever the model, grounding ends in a task or in a [`GroundError`], and soon:
//!
//! - the nesting of conditions and effects, what a `do` performs included, is bounded by `sema`, so
//!   recursion over formulas is; there is none over parameters, patterns, objects or instances;
//! - [`Options::max_instances`] bounds the instances that are made; where there are many of a schema,
//!   they are counted before they are kept (`instances`);
//! - [`Options::max_work`] bounds the joins that find them and the rounds of reachability;
//! - [`Options::max_parts`] bounds what they are made of: expanded quantifiers, split arguments,
//!   delayed effects, texts; where quantifiers range widely or object fluents stand as arguments
//!   (`written_out`), what becomes of them is counted before it is made (`foresight`, `split`);
//! - the search for groups of facts has a number of steps of its own, and does without what it has
//!   not found by then;
//! - `encode` is linear in what was made, up to logarithms, and bounds the values and bits of all
//!   variables.
//!
//! [`relaxed`] stops after the second step and answers questions about what is reachable, and about what
//! conditions exclude each other (`contradiction`).
//!
//! [`ground_until`] asks its caller in between whether to stop.

mod bindings;
mod blocks;
mod changes;
mod conditions;
mod contradiction;
mod delayed;
mod derived;
mod effects;
mod encode;
mod encoder;
mod error;
mod facts;
mod foresight;
mod forms;
mod formula;
mod instances;
mod instantiate;
mod invariants;
mod join;
mod legality;
mod live;
mod naming;
mod never;
mod operators;
mod options;
mod patterns;
mod ranges;
mod reach;
mod reachable;
pub mod relaxed;
mod relevance;
mod restricted;
mod slots;
mod split;
mod stake;
mod starts;
mod text;
mod translate;
mod turns;
mod values;
mod words;
mod work;
mod written;
mod written_out;

use crate::sema::model::{Action, ActionKind, Model};
use brigade_task::cost_range::{self, Inexact};
use brigade_task::{PackedTask, Task};
pub use conditions::ground_comparison;
pub use error::{GroundError, Schema};
pub use options::Options;
use reach::Detail;
pub use stake::nothing_at_stake;
use work::Work;

/// Grounds a model. The task is packed: whoever grounds runs it, and reads the readable one through it.
///
/// # Errors
///
/// [`GroundError`] says what cannot be compiled, or which limit of the [`Options`] was reached;
/// [`GroundError::diagnostic`] makes a diagnostic of it.
pub fn ground(model: &Model, options: &Options) -> Result<PackedTask, GroundError> {
    ground_until(model, options, &|| false)
}

/// Grounds a model. `stop` is asked many times a second whether to give up.
///
/// # Errors
///
/// As of [`ground`]; and `stop` returned true.
pub fn ground_until(
    model: &Model,
    options: &Options,
    stop: &dyn Fn() -> bool,
) -> Result<PackedTask, GroundError> {
    check_supported(model)?;
    let work = Work::new(options.max_work, stop);
    let reachable = reach::reachable(model, options, Detail::Task, &work)?;
    let task = encode::encode(model, reachable, options, &work)?;
    match cost_range::check(&task) {
        Ok(()) => Ok(task),
        Err(inexact) => Err(inexact_costs(model, &task, inexact)),
    }
}

/// The error for costs whose sum may not fit, with their place.
fn inexact_costs(model: &Model, task: &Task, inexact: Inexact<'_>) -> GroundError {
    let mut place = None;
    let what = match inexact {
        Inexact::Operator(operator) => {
            let action = operator.action.as_ref();
            place = action.map(|action| &model.actions[action.schema.index()]);
            format!("what `({})` costs", operator.name)
        }
        Inexact::Step => "what one timestep costs".to_owned(),
        Inexact::Sum { steps } => {
            format!("a sum of costs of both signs over {steps} timesteps")
        }
    };
    GroundError::InexactCosts {
        what,
        scale: task.cost_scale,
        place: place.map(|action| action.place),
    }
}

/// Refuses a model that no task can express.
fn check_supported(model: &Model) -> Result<(), GroundError> {
    if model.agents.len() > usize::from(u16::MAX) {
        return Err(GroundError::Unsupported {
            what: "more than 65535 agents",
        });
    }
    let lasts = |action: &Action| matches!(action.kind, ActionKind::Durative | ActionKind::Option);
    let mut actions = model.actions.iter();
    if actions.any(|action| lasts(action) && !action.has_agent) {
        return Err(GroundError::Unsupported {
            what: "options and durative actions that belong to no `:agent`",
        });
    }
    Ok(())
}
