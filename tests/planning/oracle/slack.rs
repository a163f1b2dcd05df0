//! All plans within a factor of the optimum, against enumeration.

use std::collections::BTreeMap;

use brigade::search::dag::{NodeId, PlanDag};
use brigade::search::{
    Objective, Outcome, SearchOptions, Slack, StopReason, Unlimited, solve, solve_within,
};
use brigade::task::cond::Cond;
use brigade::task::{Metric, OperatorId, PackedTask, TurnMode};
use num_bigint::BigUint;

use crate::oracle::brute_force::{Graph, graph};
use crate::oracle::builder::Builder;
use crate::oracle::random;

/// Tasks with more states are left out, and sets of more plans are not listed.
const MOST_STATES: usize = 600;
const MOST_PLANS: u128 = 300;

const OBJECTIVES: [Objective; 4] = [
    Objective::Declared,
    Objective::Makespan,
    Objective::Labels,
    Objective::Cost,
];

/// Cost, ticks, labels.
type Worth = [i64; 3];

/// The plans of an explicit graph that are worth at most so much, without steps that change nothing.
struct Within<'g> {
    graph: &'g Graph,
    most: Worth,
    counts: BTreeMap<(usize, Worth), u128>,
}

impl Within<'_> {
    fn next(&self, node: usize, so_far: Worth) -> Vec<(Vec<OperatorId>, usize, Worth)> {
        let edges = self.graph.edges[node].iter();
        let edges = edges.filter(|edge| edge.target != node);
        edges
            .map(|edge| {
                let [cost, ticks, _] = edge.weight;
                let step = [cost, ticks, edge.labels.len() as i64];
                let next = [0, 1, 2].map(|key| so_far[key] + step[key]);
                (edge.joint.clone(), edge.target, next)
            })
            .filter(|(_, _, next)| next.iter().zip(self.most).all(|(is, most)| *is <= most))
            .collect()
    }

    fn count(&mut self, node: usize, so_far: Worth) -> u128 {
        if self.graph.is_final[node] {
            return 1;
        }
        if let Some(&count) = self.counts.get(&(node, so_far)) {
            return count;
        }
        let next = self.next(node, so_far);
        let count = next
            .into_iter()
            .map(|(_, node, so_far)| self.count(node, so_far))
            .sum();
        self.counts.insert((node, so_far), count);
        count
    }

    fn list(&self) -> Vec<Vec<OperatorId>> {
        let mut open = vec![(0, [0; 3], Vec::new())];
        let mut plans = Vec::new();
        while let Some((node, so_far, plan)) = open.pop() {
            if self.graph.is_final[node] {
                plans.push(plan);
                continue;
            }
            for (joint, node, so_far) in self.next(node, so_far) {
                open.push((node, so_far, [&plan[..], &joint].concat()));
            }
        }
        plans.sort();
        plans
    }
}

fn paths(dag: &PlanDag) -> Vec<Vec<OperatorId>> {
    let mut paths = Vec::new();
    let mut open = vec![(NodeId(0), Vec::new())];
    while let Some((node, path)) = open.pop() {
        if dag.nodes[node.index()].is_final {
            paths.push(path);
            continue;
        }
        for edge in dag.edges_from(node) {
            assert!(edge.target > edge.source);
            assert_eq!(edge.agent, dag.nodes[node.index()].agent);
            open.push((edge.target, [&path[..], &[edge.operator]].concat()));
        }
    }
    paths.sort();
    paths
}

/// Returns the greatest value of plans, from the definition.
fn most(
    task: &PackedTask,
    objective: Objective,
    optimum: Worth,
    (times, over): (i64, i64),
) -> Worth {
    const ANY: i64 = i64::MAX;
    let [cost, ticks, labels] = optimum;
    let f = |value: i64| value * times / over;
    match objective {
        Objective::Declared if task.metric == Metric::Makespan => [ANY, f(ticks), labels],
        Objective::Declared => [f(cost), f(ticks), f(labels)],
        Objective::Makespan => [ANY, f(ticks), ANY],
        Objective::Labels => [ANY, f(ticks), f(labels)],
        Objective::Cost => [f(cost), f(ticks), ANY],
    }
}

#[test]
fn random_tasks_have_the_plans_within_a_factor_that_enumeration_finds() {
    let (mut tasks, mut listed, mut wider) = (0, 0, 0);
    for seed in 0..900 {
        let task = random::task(seed);
        let objective = OBJECTIVES[seed as usize % OBJECTIVES.len()];
        if !Slack::applies_to(&task, objective) {
            continue;
        }
        let Some(graph) = graph(&task, Objective::Cost, MOST_STATES) else {
            continue;
        };
        let options = SearchOptions::default()
            .with_objective(objective)
            .with_all_plans(true);
        let optimal = solve(&task, &options, &Unlimited);
        let Outcome::Solved(plan) = &optimal.outcome else {
            continue;
        };
        let value = plan.value;
        let optimum = [value.cost, value.makespan.into(), value.labels.into()];
        tasks += 1;
        let mut before = BigUint::default();
        for (factor, ratio) in [
            ("1", (1, 1)),
            ("1.1", (11, 10)),
            ("1.5", (3, 2)),
            ("2", (2, 1)),
        ] {
            let context = format!(
                "seed {seed}, {objective:?}, factor {factor}, {:?}",
                task.turns
            );
            let mut within = Within {
                graph: &graph,
                most: most(&task, objective, optimum, ratio),
                counts: BTreeMap::new(),
            };
            let slack = factor.parse::<Slack>().unwrap();
            let dag = solve_within(&task, slack, &options, &Unlimited)
                .dag
                .expect(&context);
            let count = within.count(0, [0; 3]);
            assert_eq!(dag.count(), BigUint::from(count), "{context}");
            if count <= MOST_PLANS {
                assert_eq!(paths(&dag), within.list(), "{context}");
                listed += 1;
            }
            if factor == "1" {
                let dag_of_all = optimal.dag.as_ref().unwrap();
                assert_eq!(dag.count(), dag_of_all.count(), "{context}");
                if count <= MOST_PLANS {
                    assert_eq!(paths(&dag), paths(dag_of_all), "{context}");
                }
            }
            assert!(dag.count() >= before, "{context}");
            wider += usize::from(dag.count() > before);
            before = dag.count();
        }
    }
    assert!(tasks >= 300, "{tasks} tasks");
    assert!(listed >= 600, "{listed} sets of plans were listed");
    assert!(
        wider >= 450,
        "{wider} sets of plans were wider than the one before"
    );
}

/// A counter that one agent raises to 3; it may also lower it, and wait.
fn counter(size: u32) -> PackedTask {
    let mut built = Builder::new(&[size], 1, TurnMode::Sequential);
    for value in 0..size - 1 {
        let (up, down) = (built.set(0, value + 1), built.set(0, value));
        built.operator(0, "up", &[(0, value)], Cond::True, up);
        built.operator(0, "down", &[(0, value + 1)], Cond::True, down);
    }
    built.wait(0);
    built.task.goal = Some(built.all(&[(0, 3)]));
    built.done()
}

#[test]
fn idle_steps_are_left_out_and_ways_there_and_back_are_not() {
    let within = |factor: &str| {
        let slack = factor.parse::<Slack>().unwrap();
        let found = solve_within(&counter(4), slack, &SearchOptions::default(), &Unlimited);
        found.dag.unwrap().count()
    };
    // Up three times. Two steps more go down after the first or the second of them.
    assert_eq!(within("1"), BigUint::from(1_u32));
    assert_eq!(within("1.4"), BigUint::from(1_u32));
    assert_eq!(within("1.67"), BigUint::from(3_u32));
}

#[test]
fn a_limit_leaves_the_optimum_proven() {
    for options in [
        SearchOptions::default().with_memory_limit(400_000),
        SearchOptions::default().with_max_states(20),
    ] {
        let slack = "900".parse::<Slack>().unwrap();
        let result = solve_within(&counter(16), slack, &options, &Unlimited);
        assert!(matches!(result.outcome, Outcome::Solved(_)));
        assert_eq!(result.dag, None);
        let reason = match options.max_states() {
            Some(_) => StopReason::States,
            None => StopReason::Memory,
        };
        assert_eq!(result.dag_stopped, Some(reason));
    }
}

#[test]
fn a_goal_at_the_start_leaves_nothing_to_widen() {
    let task = counter(4).changed(|task| task.goal = Some(Cond::True));
    let slack = "2".parse::<Slack>().unwrap();
    let result = solve_within(&task, slack, &SearchOptions::default(), &Unlimited);
    let dag = result.dag.unwrap();
    assert_eq!((dag.nodes.len(), dag.edges.len()), (1, 0));
}

#[test]
fn what_is_maximised_has_no_factor() {
    let task = counter(4).changed(|task| task.metric = Metric::NegatedCost);
    assert!(!Slack::applies_to(&task, Objective::Declared));
    assert!(Slack::applies_to(&task, Objective::Makespan));
}
