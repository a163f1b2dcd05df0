//! A task backwards: its operators lead from a state to those from which the task's lead to it.
//!
//! That is exact where an operator does nothing but write constants: a state s' comes from s by it if and
//! only if s' holds what it writes and what it tests without writing, and s is s' but for what is
//! written, which was what is tested there, or anything where nothing is.

use super::facts::Facts;
use crate::control::Control;
use crate::effects::{ConstantEffect, Effects};
use brigade_task::cond::{Bits, Cond, Expr, Test};
use brigade_task::effect::{Effect, Write};
use brigade_task::layout::Variable;
use brigade_task::{Operator, OperatorId, Task};

/// The control is asked after so many operators.
const POLL: u32 = 1024;
/// So many operators may lead back for one of the task,
const MOST_FOR_ONE: usize = 64;
/// and so many for one on average.
const MOST_ON_AVERAGE: usize = 8;

/// The task backwards, if every operator can be turned. It has no goal: where its plans end is another
/// question.
pub(super) fn reversed(
    task: &Task,
    effects: &Effects,
    known: &Facts,
    control: &dyn Control,
) -> Option<Task> {
    let mut back = Task {
        goal: None,
        operators: Vec::new(),
        ..task.clone()
    };
    if !effects.is_tick_idle() {
        return None;
    }
    for (number, operator) in (0..).zip(&task.operators) {
        let effect = effects.of(OperatorId(number))?;
        turn(task, known, operator, effect, &mut back.operators)?;
        if number % POLL == 0 && control.stop().is_some() {
            return None;
        }
        if back.operators.len() > MOST_FOR_ONE + MOST_ON_AVERAGE * task.operators.len() {
            return None;
        }
    }
    let last = back.operators.len() as u32;
    for agent in &mut back.agents {
        agent.operators = (0..last).map(OperatorId).collect();
        agent.wait = None;
    }
    Some(back)
}

/// Adds the operators that lead back where an operator leads.
fn turn(
    task: &Task,
    known: &Facts,
    operator: &Operator,
    effect: ConstantEffect,
    back: &mut Vec<Operator>,
) -> Option<()> {
    if guard_reads_what_is_written(task, operator, effect) {
        return None;
    }
    let restored = restored(task, known, operator, effect)?;
    let tests = tests_after(operator, effect);
    for writes in restored {
        let changes = |write: &Write| {
            let mut after = effect.writes.iter();
            !after.any(|after| after.word == write.word && after.value == write.value)
        };
        // What leads from a state to itself is on no optimal plan.
        if !writes.iter().any(changes) {
            continue;
        }
        let logged = effect.log.iter().map(|&entry| Effect::Log(entry));
        let cost = (effect.cost != 0).then_some(Effect::Cost(Expr::Constant(effect.cost)));
        let writes = writes.into_iter().map(Effect::Write);
        back.push(Operator {
            name: String::new(),
            agent: operator.agent,
            kind: operator.kind,
            tests: tests.clone(),
            guard: operator.guard.clone(),
            weight: None,
            effect: Effect::Seq(writes.chain(logged).chain(cost).collect()),
            requirements: Vec::new(),
            text: String::new(),
        });
    }
    Some(())
}

/// Whether the part of the precondition that is no fact is about what is written: it holds before, and
/// need not hold after.
fn guard_reads_what_is_written(task: &Task, operator: &Operator, effect: ConstantEffect) -> bool {
    let (mut read, mut written) = (Bits::default(), Bits::default());
    operator.guard.reads(&task.variables, &mut read);
    for write in effect.writes {
        written.add(write.word, write.mask);
    }
    operator.guard != Cond::True && read.meets(&written)
}

/// What holds after an operator: what it writes, and what it tests and leaves.
fn tests_after(operator: &Operator, effect: ConstantEffect) -> Vec<Test> {
    let mut after: Vec<Test> = operator.tests.clone();
    for write in effect.writes {
        if !after.iter().any(|test| test.word == write.word) {
            after.push(Test {
                word: write.word,
                mask: 0,
                value: 0,
            });
        }
        let mut tests = after.iter_mut().filter(|test| test.word == write.word);
        if let Some(test) = tests.next() {
            test.value = test.value & !write.mask | write.value;
            test.mask |= write.mask;
        }
        for other in tests {
            other.value &= !write.mask;
            other.mask &= !write.mask;
        }
    }
    after.retain(|test| test.mask != 0);
    after
}

/// What an operator may have overwritten: each alternative writes it back. `None` if there are too many.
fn restored(
    task: &Task,
    known: &Facts,
    operator: &Operator,
    effect: ConstantEffect,
) -> Option<Vec<Vec<Write>>> {
    let is_tested = |place: &Variable| {
        let mut tests = operator.tests.iter();
        tests.any(|test| test.word == place.word && test.mask & place.mask() != 0)
    };
    let mut held = known.held();
    for test in &operator.tests {
        for &variable in known.of_word(test.word) {
            if task.variables[variable].mask() & test.mask != 0 {
                for value in known.values(task, variable, &operator.tests) {
                    held.add(variable, value);
                }
            }
        }
    }
    let mut open = Vec::new();
    for write in effect.writes {
        let written = known.of_word(write.word).iter().copied();
        open.extend(written.filter(|&variable| {
            let place = &task.variables[variable];
            place.mask() & write.mask != 0 && !is_tested(place)
        }));
    }
    let tested = effect.writes.iter().map(|write| {
        let tests = operator.tests.iter().filter(|test| test.word == write.word);
        let value = tests.fold(0, |value, test| value | test.value & write.mask);
        Write { value, ..*write }
    });
    let mut alternatives = vec![tested.collect::<Vec<_>>()];
    for variable in open {
        let place = &task.variables[variable];
        let mut values = known.values(task, variable, &[]);
        values.retain(|&value| {
            let may_hold = held.add(variable, value);
            held.remove(variable, value);
            may_hold
        });
        if alternatives.len() * values.len() > MOST_FOR_ONE {
            return None;
        }
        let with = |writes: &Vec<Write>, value: u32| {
            let fact = Write::fact(place, value);
            let add = |write: &Write| {
                let more = if write.word == fact.word {
                    fact.value
                } else {
                    0
                };
                let value = write.value | more;
                Write { value, ..*write }
            };
            writes.iter().map(add).collect()
        };
        alternatives = (alternatives.iter())
            .flat_map(|writes| values.iter().map(move |&value| with(writes, value)))
            .collect();
    }
    Some(alternatives)
}
