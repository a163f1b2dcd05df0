//! The facts of states as people read them: of a live delayed effect its text and when it is due, where programs
//! read `(= (timer 5) 3)`.

use std::collections::BTreeMap;

use brigade_diagnostics::words::counted;
use brigade_task::facts::fact;
use brigade_task::{State, Task, Timer, VarId};

/// The variables and delayed effects of a task, as a text shows them.
#[derive(Clone, Debug)]
pub struct LiveEffects<'t> {
    task: &'t Task,
    timers: BTreeMap<VarId, &'t Timer>,
}

impl<'t> LiveEffects<'t> {
    /// Those of a task.
    pub fn new(task: &'t Task) -> Self {
        let timers = task.timers.iter().map(|timer| (timer.variable, timer));
        Self {
            task,
            timers: timers.collect(),
        }
    }

    /// The facts that hold in a state, in order of the variables: `(on egg table)`, `(after 4 (boiled egg)): due in
    /// 3 ticks`.
    pub fn facts(&self, state: &State) -> Vec<String> {
        let variables = (0..).map(VarId).zip(&self.task.variables);
        variables
            .filter_map(|(id, variable)| self.shown(id, variable.get(state)))
            .collect()
    }

    /// The facts of `after` that did not hold in `before`, and those that no longer hold.
    pub fn changes(&self, before: &State, after: &State) -> (Vec<String>, Vec<String>) {
        let (mut added, mut removed) = (Vec::new(), Vec::new());
        for (id, variable) in (0..).map(VarId).zip(&self.task.variables) {
            let (old, new) = (variable.get(before), variable.get(after));
            if old != new {
                added.extend(self.shown(id, new));
                removed.extend(self.shown(id, old));
            }
        }
        (added, removed)
    }

    /// The fact that holds where a variable has a value.
    fn shown(&self, id: VarId, value: u32) -> Option<String> {
        let plain = fact(&self.task.variables[id.index()], value)?;
        let Some(timer) = self.timers.get(&id) else {
            return Some(plain);
        };
        Some(if timer.every_tick {
            format!("{}: kept up", timer.text)
        } else {
            format!("{}: due in {}", timer.text, counted(value, "tick"))
        })
    }
}

#[cfg(test)]
mod tests {
    use brigade_compile::ground::{self, ground};
    use brigade_compile::sema::{self, Files, resolve};
    use brigade_diagnostics::{Colour, Diagnostics, Sources, render_all};
    use brigade_syntax::{parse_domain, parse_problem};
    use brigade_task::PackedTask;
    use brigade_task::effect::Record;

    use super::*;

    const DOMAIN: &str = r#"(define (domain stove)
 (:requirements :adl :multi-agent :delayed-effects :text)
 (:types cook food)
 (:predicates (on ?f - food) (hot ?f - food) (boiled ?f - food) (burnt ?f - food))
 (:action heat :agent ?c - cook :parameters (?f - food)
  :effect (maintain (on ?f) (hot ?f)
           (and (after 2 (boiled ?f)) (after 9 (and (burnt ?f) (log "burnt({?f})"))))))
 (:action ring :agent ?c - cook :parameters (?f - food) :effect (after 3 (boiled ?f))))"#;

    const PROBLEM: &str = "(define (problem stove-1) (:domain stove)
 (:objects chef - cook egg - food) (:init (on egg)) (:goal (boiled egg)))";

    fn task() -> PackedTask {
        let (mut sources, mut found) = (Sources::new(), Diagnostics::new());
        let files = Files {
            domain: sources.add("domain", DOMAIN),
            problem: sources.add("problem", PROBLEM),
        };
        let domain = parse_domain(files.domain, DOMAIN, &mut found);
        let problem = parse_problem(files.problem, PROBLEM, &mut found);
        let options = sema::Options::default();
        let model = resolve(&domain, &problem, &options, files, &mut found);
        let model =
            model.unwrap_or_else(|| panic!("{}", render_all(&found, &sources, Colour::Plain)));
        ground(&model, &ground::Options::default()).unwrap()
    }

    /// The facts that an action of the only cook adds, the tick included.
    fn added(action: &str) -> Vec<String> {
        let task = task();
        let mut state = task.initial.clone();
        let mut operators = task.applicable(&state, 0);
        let chosen = operators.find(|&operator| task.operator(operator).name == action);
        let chosen = chosen.unwrap();
        drop(operators);
        task.step(&mut state, &[chosen], &mut Record::default())
            .unwrap();
        LiveEffects::new(&task).changes(&task.initial, &state).0
    }

    #[test]
    fn a_delayed_effect_is_shown_by_its_text_and_when_it_is_due() {
        assert_eq!(
            added("ring chef egg"),
            ["(after 3 (boiled egg)): due in 2 ticks"]
        );
    }

    #[test]
    fn a_part_of_a_maintain_is_shown_by_itself_with_its_condition() {
        let whole = "(maintain (on egg) (hot egg) (and (after 2 (boiled egg)) \
                     (after 9 (and (burnt egg) (log \"burnt({egg})\")))))";
        assert_eq!(
            added("heat chef egg"),
            [
                "(hot egg)",
                &format!("{whole} by chef: kept up"),
                "(after 2 (boiled egg)) while (on egg) by chef: due in 1 tick",
                "(after 9 (and (burnt egg) (log \"burnt({egg})\"))) while (on egg) by chef: \
                 due in 8 ticks",
            ]
        );
    }
}
