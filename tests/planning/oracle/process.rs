//! The regret of each choice of an episode, against exhaustion.

use brigade::agents::{Policy, Random};
use brigade::episode::{Episode, Event, Log, Rules, joint_action};
use brigade::score::process::{self, CostToGo, Quantity};
use brigade::search::{Objective, Outcome, SearchOptions, Unlimited, solve, with_first_choices};
use brigade::task::effect::Record;
use brigade::task::{Metric, OperatorId, PackedTask, State, TurnMode};

use crate::oracle::brute_force::{Graph, graph};
use crate::oracle::random;

pub(crate) fn objective(task: &PackedTask) -> Objective {
    match task.metric {
        Metric::Makespan => Objective::Makespan,
        Metric::Cost | Metric::NegatedCost => Objective::Cost,
    }
}

/// The cost-to-go of a state of which some choices are made: of the timesteps that begin so the best.
fn best(graph: &Graph, state: &State, chosen: &[OperatorId]) -> Option<i64> {
    let index = graph
        .states
        .iter()
        .position(|known| **known == *state)
        .unwrap();
    if chosen.is_empty() {
        return graph.to_go[index].map(|to_go| to_go[0]);
    }
    let edges = graph.edges[index].iter();
    let begun = edges.filter(|edge| edge.joint.starts_with(chosen));
    begun
        .filter_map(|edge| Some(edge.weight[0] + graph.to_go[edge.target]?[0]))
        .min()
}

/// An episode of agents who act at random, for some timesteps.
pub(crate) fn random_log(task: &PackedTask, seed: u64) -> Log {
    let agents = task.agents.len() as u64;
    let mut policies: Vec<Box<dyn Policy>> = Vec::new();
    for agent in 0..agents {
        policies.push(Box::new(Random::new(seed * agents + agent)));
    }
    let rules = Rules {
        max_ticks: 6,
        ..Rules::default()
    };
    let mut episode = Episode::new(task, rules);
    let names = vec!["random".to_owned(); task.agents.len()];
    let header = episode.header(&names, seed);
    let mut events: Vec<Event> = Vec::new();
    let Ok(_) = episode.run(&mut policies, &mut events, &|| None);
    Log {
        header,
        events,
        truncated: false,
        resume_at: 0,
    }
}

#[test]
fn choices_lose_what_exhaustion_says_and_add_up_to_their_timestep() {
    let (mut compared, mut lost_at_once) = (0, 0);
    for seed in 11_000..11_600 {
        let task = random::task(seed);
        let Some(graph) = graph(&task, objective(&task), 200) else {
            continue;
        };
        let log = random_log(&task, seed);
        let mut costs = CostToGo::new(&task, SearchOptions::default());
        let found = process::of(&mut costs, &log, "", &Unlimited).unwrap();
        let quantity = |value: Option<i64>| value.map_or(Quantity::Infinite, Quantity::Exact);
        let mut state = task.initial.clone();
        for (step, known) in log.steps().zip(&found.steps) {
            let joint = joint_action(&task, &state, step).unwrap();
            assert_eq!(
                known.before,
                quantity(best(&graph, &state, &[])),
                "seed {seed}"
            );
            let mut spent = 0;
            for (index, choice) in known.choices.iter().enumerate() {
                let expected = best(&graph, &state, &joint[..index]);
                let before = match choice.before {
                    Quantity::Exact(before) => Some(before + spent),
                    Quantity::Infinite => None,
                    other => panic!("seed {seed}: {other:?}"),
                };
                assert_eq!(before, expected, "seed {seed}, choice {index}");
                spent += choice.cost;
                compared += 1;
            }
            assert_eq!(spent, known.cost, "seed {seed}");
            let parts: Vec<_> = known.choices.iter().map(|choice| choice.regret).collect();
            if let Quantity::Exact(lost) = known.regret {
                let sum: Option<i64> = parts.iter().map(|part| part.exact()).sum();
                assert_eq!(sum, Some(lost), "seed {seed}");
                assert!(
                    parts.iter().all(|part| part.exact() >= Some(0)),
                    "seed {seed}"
                );
                let is_simultaneous = task.turns == TurnMode::Simultaneous;
                lost_at_once += u32::from(is_simultaneous && lost > 0 && parts.len() > 1);
            } else if known.regret == Quantity::Infinite {
                let infinite = parts.iter().filter(|part| **part == Quantity::Infinite);
                assert_eq!(infinite.count(), 1, "seed {seed}");
            }
            task.step(&mut state, &joint, &mut Record::default())
                .unwrap();
        }
    }
    assert!(compared >= 800, "only {compared} choices were compared");
    assert!(
        lost_at_once >= 20,
        "only {lost_at_once} joint actions lost something"
    );
}

#[test]
fn a_task_with_first_choices_made_has_the_optimum_of_the_best_that_begin_so() {
    let mut compared = 0;
    for seed in 12_000..12_800 {
        let task = random::task(seed);
        if task.turns != TurnMode::Simultaneous || task.agents.len() < 2 {
            continue;
        }
        let Some(graph) = graph(&task, objective(&task), 60) else {
            continue;
        };
        for (state, edges) in graph.states.iter().zip(&graph.edges) {
            let Some(edge) = edges.last() else { continue };
            for made in 1..task.agents.len() {
                let chosen = &edge.joint[..made];
                let options = SearchOptions::default().with_objective(objective(&task));
                let found = solve(
                    &with_first_choices(&task, state, chosen),
                    &options,
                    &Unlimited,
                );
                let found = match &found.outcome {
                    Outcome::Solved(plan) => Some(objective(&task).keys(&task, plan.value)),
                    Outcome::Unsolvable => None,
                    Outcome::Bounded { reason, .. } => panic!("seed {seed}: {reason}"),
                };
                // The first key is 0 where ticks are all that counts.
                let key = usize::from(task.metric == Metric::Makespan);
                let expected = best(&graph, state, chosen);
                assert_eq!(found.map(|keys| keys[key]), expected, "seed {seed}");
                compared += 1;
            }
        }
    }
    assert!(compared >= 300, "only {compared} were compared");
}
