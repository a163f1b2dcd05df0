//! The independent validator refuses every way in which a plan can be wrong.

use brigade::search::{Invalid, Plan, SearchOptions, Unlimited, Value, solve, validate, verify};
use brigade::task::cond::Cond;
use brigade::task::cond::Expr;
use brigade::task::effect::Effect;
use brigade::task::step::Status;
use brigade::task::{LabelId, LogEntry, OperatorId, PackedTask, TurnMode};

use crate::oracle::builder::Builder;

/// Two agents: the first opens a door, then the second walks through it. Each logs what it does.
fn door() -> PackedTask {
    let mut built = Builder::new(&[2, 2], 2, TurnMode::Simultaneous);
    for (agent, name, facts) in [(0, "open", vec![]), (1, "walk", vec![(0, 1)])] {
        let effect = Effect::Seq([built.set(agent, 1), built.log(agent, name)].into());
        built.operator(agent, name, &facts, Cond::True, effect);
        built.wait(agent);
    }
    built.task.goal = Some(built.all(&[(1, 1)]));
    built.done()
}

fn planned(task: &PackedTask) -> Plan {
    let result = solve(task, &SearchOptions::default(), &Unlimited);
    result
        .outcome
        .plan()
        .expect("the door can be opened")
        .clone()
}

/// Returns the verdict of the validator on a plan that was changed.
fn verdict(change: impl FnOnce(&mut Plan)) -> Result<u32, Invalid> {
    let task = door();
    let mut plan = planned(&task);
    change(&mut plan);
    validate(&task, &plan.steps).map(|value| value.makespan)
}

#[test]
fn a_plan_of_the_search_is_valid_and_worth_what_it_says() {
    let task = door();
    let plan = planned(&task);
    assert_eq!(validate(&task, &plan.steps), Ok(plan.value));
    assert_eq!((plan.value.makespan, plan.value.labels), (2, 2));
}

#[test]
fn a_plan_with_a_step_out_of_place_is_refused() {
    let refused = verdict(|plan| plan.steps.swap(0, 1));
    let (tick, agent) = (0, 0);
    assert_eq!(
        refused,
        Err(Invalid::Misplaced {
            index: 0,
            tick,
            agent
        })
    );
    let refused = verdict(|plan| {
        plan.steps.pop();
    });
    assert_eq!(refused, Err(Invalid::Unfinished { tick: 1, agent: 1 }));
}

#[test]
fn a_plan_with_an_operator_of_someone_else_is_refused() {
    let operator = OperatorId(0);
    let refused = verdict(|plan| plan.steps[1].operator = operator);
    assert_eq!(refused, Err(Invalid::Foreign { index: 1, operator }));
}

#[test]
fn a_plan_with_an_inapplicable_operator_is_refused() {
    let operator = OperatorId(2);
    let refused = verdict(|plan| plan.steps[1].operator = operator);
    let (tick, agent) = (0, 1);
    assert_eq!(
        refused,
        Err(Invalid::Inapplicable {
            tick,
            agent,
            operator
        })
    );
}

#[test]
fn a_plan_with_other_labels_than_those_recorded_is_refused() {
    let refused = verdict(|plan| {
        plan.steps[0].labels = vec![LogEntry {
            agent: 0,
            label: LabelId(1),
        }];
    });
    assert_eq!(refused, Err(Invalid::Labels { tick: 0 }));
}

#[test]
fn a_plan_must_end_at_the_goal_and_not_later() {
    let refused = verdict(|plan| plan.steps.truncate(2));
    let status = Status::Running;
    assert_eq!(refused, Err(Invalid::NotReached { status }));
    let refused = verdict(|plan| {
        let more = plan.steps[2..].to_vec();
        plan.steps.extend(more);
    });
    let status = Status::Goal;
    assert_eq!(refused, Err(Invalid::Ended { tick: 2, status }));
}

/// One agent who may go left, which costs 2 and leads to the goal after another step, or right,
/// where it has lost.
fn fork() -> Builder {
    let mut built = Builder::new(&[4, 8], 1, TurnMode::Sequential);
    for (name, from, to) in [("left", 0, 1), ("right", 0, 2), ("on", 1, 3), ("out", 2, 3)] {
        let pay = Effect::Cost(Expr::Constant(2));
        let effect = Effect::Seq([built.set(0, to), pay, built.log(0, name)].into());
        built.operator(0, name, &[(0, from)], Cond::True, effect);
    }
    built.task.goal = Some(built.all(&[(0, 3)]));
    built
}

#[test]
fn a_plan_that_is_worth_something_else_than_it_says_is_refused() {
    let task = fork().done();
    let plan = planned(&task);
    assert_eq!(verify(&task, &plan), Ok(()));
    let found = Value {
        cost: 4,
        makespan: 2,
        labels: 2,
    };
    assert_eq!(plan.value, found);
    for claimed in [
        Value { cost: 3, ..found },
        Value {
            makespan: 1,
            ..found
        },
        Value { labels: 1, ..found },
    ] {
        let wrong = Plan {
            value: claimed,
            ..plan.clone()
        };
        let refused = Err(Invalid::Value { claimed, found });
        assert_eq!(verify(&task, &wrong), refused);
    }
}

#[test]
fn a_plan_through_a_losing_state_is_refused() {
    let mut built = fork();
    let mut plan = planned(&built.packed());
    for (step, operator) in plan.steps.iter_mut().zip([1, 3]) {
        step.operator = OperatorId(operator);
        step.labels[0].label = LabelId(operator);
    }
    assert_eq!(verify(&built.packed(), &plan), Ok(()));
    built.task.fail = built.all(&[(0, 2)]);
    let status = Status::Failed;
    assert_eq!(
        verify(&built.packed(), &plan),
        Err(Invalid::Ended { tick: 1, status })
    );
    plan.steps.truncate(1);
    assert_eq!(
        verify(&built.packed(), &plan),
        Err(Invalid::NotReached { status })
    );
}

#[test]
fn a_plan_beyond_the_horizon_is_refused_even_if_the_clock_is_wrong() {
    let mut built = fork();
    let plan = planned(&built.packed());
    let status = Status::Ended;
    let refused = Err(Invalid::Ended { tick: 1, status });
    built.task.horizon = Some(1);
    assert_eq!(verify(&built.packed(), &plan), refused);
    built.horizon(1, 1);
    assert_eq!(verify(&built.packed(), &plan), refused);
}

#[test]
fn a_plan_of_nobody_is_refused() {
    let plan = planned(&door());
    let task = Builder::new(&[2], 0, TurnMode::Sequential).done();
    let (index, operator) = (0, plan.steps[0].operator);
    assert_eq!(
        verify(&task, &plan),
        Err(Invalid::Foreign { index, operator })
    );
}
