//! A task in which some agents have made their first choice: what is best after that, of agents who
//! choose at once.
//!
//! Where agents choose at once there is no state between their choices. The task that is made here
//! begins in the state in which they choose, with one more variable, which is true until the first
//! tick: while it is, each of these agents can do nothing but what it has chosen. Its optimum is
//! that of the best choices of the others, and of all later ones.

use brigade_task::effect::Effect;
use brigade_task::layout::{Variable, VariableKind};
use brigade_task::symbols::Value;
use brigade_task::{Fact, OperatorId, PackedTask, Phase, State};

/// The task that begins in `state`, at the start of a timestep, with `chosen` for the first choices
/// of the agents who own these operators.
pub fn with_first_choices(task: &PackedTask, state: &State, chosen: &[OperatorId]) -> PackedTask {
    let mut first_step = Variable::new(
        "(first-step)".to_owned(),
        VariableKind::Facts,
        vec![Value::number(0), Value::number(1)],
    );
    // A word of its own: no field of the task moves.
    first_step.word = task.words as u16;
    let is_over = Fact::new(task.variables.len(), 0);
    task.changed(|made| {
        for &choice in chosen {
            let agent = &made.agents[usize::from(task.operator(choice).agent)];
            for &operator in agent.operators.iter().filter(|&&other| other != choice) {
                made.operators[operator.index()].facts.push(is_over);
            }
        }
        made.tick.push(Phase::Effect {
            name: "the first step is over".to_owned(),
            effect: Effect::Set(is_over),
        });
        made.words += 1;
        made.initial = [state.words(), &[0]].concat().into();
        first_step.set(&mut made.initial, 1);
        made.variables.push(first_step);
    })
}
