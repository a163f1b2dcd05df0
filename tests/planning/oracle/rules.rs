//! The rules of a task against its steps: each fact that a step brings about is added by rules within one tick, from
//! the facts before. By induction no fact is ever later in the relaxation than in the task.
//!
//! `LANGUAGE_SEED` and `LANGUAGE_COUNT` choose other seeds, and more of them.

use brigade::task::effect::Record;
use brigade::task::rules::{FactId, Moment, Rules};
use brigade::task::step::Status;
use brigade::task::{PackedTask, State, TurnMode};

use crate::oracle::compile::compile_all_if_accepted;
use crate::oracle::language::walked_texts;
use crate::oracle::random_domains::Random;

/// A step is tried so often at most.
const TRIES: usize = 60;
const STEPS: usize = 12;

/// For each fact the phase of one tick after which it may hold, counted from 1; 0 for those of the state.
fn moments(task: &PackedTask, rules: &Rules, state: &State) -> Vec<Option<u32>> {
    let mut moments: Vec<Option<u32>> = vec![None; rules.numbering.len() as usize];
    (rules.numbering).for_each_fact(&task.variables, state, |fact| {
        moments[fact as usize] = Some(0);
    });
    loop {
        let mut has_changed = false;
        for rule in &rules.all {
            let mut needs = rule.needs.iter().map(|&need| moments[need as usize]);
            let Some(latest) = needs.try_fold(0, |latest: u32, need| Some(latest.max(need?)))
            else {
                continue;
            };
            let moment = match rule.moment {
                Moment::AtOnce => latest,
                Moment::Phase(phase) => {
                    let slack = u32::from(rules.loose[phase as usize]);
                    if latest > phase + slack {
                        continue;
                    }
                    phase + 1
                }
            };
            let known = &mut moments[rule.adds as usize];
            if known.is_none_or(|known| moment < known) {
                *known = Some(moment);
                has_changed = true;
            }
        }
        if !has_changed {
            return moments;
        }
    }
}

/// Takes random steps and compares each; returns their number.
fn steps_follow_rules(about: &str, task: &PackedTask, random: &mut Random) -> usize {
    let rules = Rules::new(task, &|| false).expect("the task is small");
    let name = |fact: FactId| match rules.numbering.of(fact) {
        Some(fact) => {
            let variable = &task.variables[fact.variable.index()];
            format!(
                "{} = {}",
                variable.name, variable.values[fact.value as usize].name
            )
        }
        None => format!("auxiliary {fact}"),
    };
    let mut state = task.initial.clone();
    let mut steps = 0;
    for _ in 0..TRIES {
        if steps == STEPS || task.status(&state) != Status::Running {
            break;
        }
        let agents = match task.turns {
            TurnMode::Alternate => vec![task.mover(&state)],
            TurnMode::Sequential | TurnMode::Simultaneous => (0..task.agents.len()).collect(),
        };
        let joint: Vec<_> = (agents.into_iter())
            .filter_map(|agent| {
                let operators = &task.agents[agent].operators;
                (!operators.is_empty()).then(|| operators[random.below(operators.len())])
            })
            .collect();
        let before = state.clone();
        let mut record = Record::default();
        if joint.len() < task.choices_per_step()
            || task.step(&mut state, &joint, &mut record).is_err()
        {
            continue;
        }
        steps += 1;
        let moments = moments(task, &rules, &before);
        (rules.numbering).for_each_fact(&task.variables, &state, |fact| {
            assert!(
                moments[fact as usize].is_some(),
                "{about}: no rule adds {}",
                name(fact)
            );
        });
        let mut charges = rules.charges.iter();
        assert!(
            record.cost == 0 || charges.any(|charge| moments[charge.fact as usize].is_some()),
            "{about}: no rule adds the cost {}",
            record.cost
        );
    }
    steps
}

#[test]
fn every_fact_that_a_step_brings_about_is_added_by_rules() {
    let read = |name: &str, default: u64| {
        let text = std::env::var(name).ok();
        text.and_then(|text| text.parse().ok()).unwrap_or(default)
    };
    let first = read("LANGUAGE_SEED", 0);
    let mut steps = 0;
    for seed in first..first + read("LANGUAGE_COUNT", 700) {
        let (domain, problem) = walked_texts(seed);
        let Some(task) = compile_all_if_accepted(&domain, &problem) else {
            continue;
        };
        let about = format!("seed {seed}\n{domain}{problem}");
        steps += steps_follow_rules(&about, &task, &mut Random::new(seed));
    }
    assert!(steps > 1000, "{steps} steps were compared");
}
