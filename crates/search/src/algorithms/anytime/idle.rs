//! The plan of agents who wait: a first incumbent where the end comes by itself.

use super::tick_beam::{idle_operator, plan_of};
use crate::control::Control;
use crate::plans::plan::Plan;
use crate::space::node_kind::{NodeKind, node_kind};
use brigade_task::effect::Record;
use brigade_task::{PackedTask, State};

/// The plan in which every agent waits to the end, or takes its first applicable operator where it may
/// not wait. `None` if that ends in no plan by the horizon, or there is no horizon.
pub(crate) fn idle_plan(task: &PackedTask, start: &State, control: &dyn Control) -> Option<Plan> {
    let mut state = start.to_owned();
    let mut record = Record::default();
    let mut joints = Vec::new();
    for _ in 0..task.horizon? {
        if control.stop().is_some() {
            return None;
        }
        let before = state.clone();
        let mut joint = Vec::new();
        record.clear();
        for agent in task.acting(&before) {
            let operator = idle_operator(task, task.choice_state(&before, &state), agent)?;
            task.act(&mut state, operator, &mut record);
            joint.push(operator);
        }
        task.tick(&mut state, &mut record);
        joints.push(joint);
        match node_kind(task, &state) {
            NodeKind::Interior => {}
            NodeKind::Final => return Some(plan_of(task, start, &joints)),
            NodeKind::DeadEnd => return None,
        }
    }
    None
}
