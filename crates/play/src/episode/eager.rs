//! Plays what each agent is to do, in order, each command as soon as it may be given.
//!
//! This is how a reference, which has no times, is given some. It is not always the fastest way to
//! play one: waiting may pay, as where it makes an agent find a nearer place.

use super::command::{Lexicon, is_continue};
use crate::agents::idle;
use brigade_task::effect::Record;
use brigade_task::step::Status;
use brigade_task::{LabelId, OperatorId, PackedTask, TurnMode};

/// The course of a play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// Ticks that passed.
    pub ticks: u32,
    /// The final status; [`Status::Running`] if nobody could go on, or the ticks were used up.
    pub status: Status,
    /// By agent, the number of its commands that were given.
    pub given: Vec<usize>,
    /// By agent, the labels recorded.
    pub labels: Vec<Vec<LabelId>>,
}

/// Plays the commands of each agent, as [`Lexicon`] understands them, for at most `max_ticks` ticks.
///
/// An agent whose next command may not be given yet waits, or goes on with what it has started; so
/// does one that has no more commands. Where it must act instead, that is the end. `commands` has an entry for each agent, in declared order.
pub fn play_eagerly<S: AsRef<str>>(
    task: &PackedTask,
    commands: &[Vec<S>],
    max_ticks: u32,
) -> Played {
    let lexicon = Lexicon::new(task);
    let agents = task.agents.len();
    let mut played = Played {
        ticks: 0,
        status: task.status(&task.initial),
        given: vec![0; agents],
        labels: vec![Vec::new(); agents],
    };
    let mut state = task.initial.clone();
    let mut waits = vec![0; agents];
    let mut record = Record::default();
    while played.status == Status::Running && played.ticks < max_ticks {
        // What an agent sees: where agents act in turn, the state that earlier ones have left.
        let mut seen = state.clone();
        let mut joint: Vec<OperatorId> = Vec::with_capacity(task.choices_per_step());
        let mut nobody = true;
        let given = played.given.clone();
        for agent in task.acting(&state) {
            let next = commands
                .get(agent)
                .and_then(|own| own.get(played.given[agent]));
            let next = next.filter(|_| waits[agent] == 0).and_then(|text| {
                let command = lexicon.resolve(task, &seen, agent, text.as_ref()).ok()?;
                (!is_continue(task, command.operator)).then_some(command)
            });
            let operator = if let Some(command) = next {
                played.given[agent] += 1;
                waits[agent] = command.repeat - 1;
                nobody = false;
                command.operator
            } else if let Some(idle) = idle(task, task.applicable(&seen, agent)) {
                nobody &= waits[agent] == 0;
                waits[agent] = waits[agent].saturating_sub(1);
                idle
            } else {
                return Played { given, ..played };
            };
            if task.turns == TurnMode::Sequential {
                task.act(&mut seen, operator, &mut Record::default());
            }
            joint.push(operator);
        }
        let before = state.clone();
        record.clear();
        let Ok(status) = task.step(&mut state, &joint, &mut record) else {
            return played;
        };
        played.status = status;
        played.ticks += 1;
        for entry in &record.log {
            played.labels[usize::from(entry.agent)].push(entry.label);
        }
        if nobody && state == before {
            break;
        }
    }
    played
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::episode::tests::kitchen;

    fn play(turns: TurnMode, chef: &[&str], helper: &[&str]) -> Played {
        play_eagerly(&kitchen(turns), &[chef.to_vec(), helper.to_vec()], 50)
    }

    #[test]
    fn each_command_is_given_as_soon_as_it_may_be() {
        for (turns, ticks) in [
            (TurnMode::Sequential, 4),
            (TurnMode::Simultaneous, 4),
            (TurnMode::Alternate, 7),
        ] {
            let played = play(
                turns,
                &["take(egg)", "serve(egg)"],
                &["fetch(egg)", "place(egg)"],
            );
            assert_eq!(played.status, Status::Goal);
            assert_eq!((played.ticks, &played.given[..]), (ticks, &[2, 2][..]));
            let labels = played.labels.iter().map(Vec::len);
            assert_eq!(labels.collect::<Vec<_>>(), [2, 2]);
        }
    }

    #[test]
    fn an_agent_with_the_command_to_wait_waits() {
        let played = play(
            TurnMode::Simultaneous,
            &["take(egg)", "serve(egg)"],
            &["wait(3)", "fetch(egg)", "place(egg)"],
        );
        assert_eq!((played.status, played.ticks), (Status::Goal, 7));
    }

    #[test]
    fn where_nobody_can_go_on_the_play_ends() {
        for commands in [&["place(egg)", "fetch(egg)"][..], &["dance()"], &[]] {
            let played = play(TurnMode::Simultaneous, &["take(egg)"], commands);
            assert_eq!((played.status, played.ticks), (Status::Running, 1));
            assert_eq!(played.given, [0, 0]);
        }
    }
}
