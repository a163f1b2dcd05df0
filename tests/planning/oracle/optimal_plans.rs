//! Optimal values, numbers of plans and sets of plans on random tasks.

use std::collections::BTreeSet;

use brigade::search::dag::{NodeId, PlanDag};
use brigade::search::{
    HeuristicChoice, Objective, Outcome, SearchOptions, SearchResult, Start, Unlimited, solve,
    solve_from, validate,
};
use brigade::task::cond::Cond;
use brigade::task::effect::Record;
use brigade::task::step::Status;
use brigade::task::{LabelId, OperatorId, OperatorKind, PackedTask, StateBuf, TurnMode};
use num_bigint::BigUint;
use pathfinding::directed::astar::astar_bag;

use crate::oracle::brute_force::{Graph, graph, keys};
use crate::oracle::builder::Builder;
use crate::oracle::random;

/// Tasks with more states are left out, and sets of more plans are not listed.
const MOST_STATES: usize = 1500;
const MOST_PLANS: u128 = 2000;

const OBJECTIVES: [Objective; 4] = [
    Objective::Declared,
    Objective::Makespan,
    Objective::Labels,
    Objective::Cost,
];

fn search(task: &PackedTask, objective: Objective) -> SearchResult {
    let options = SearchOptions::default()
        .with_objective(objective)
        .with_all_plans(true);
    solve(task, &options, &Unlimited)
}

/// A plan's operators and the labels it records.
type Word = (Vec<OperatorId>, Vec<(u16, LabelId)>);

/// All paths of a DAG, sorted.
pub(crate) fn paths(dag: &PlanDag) -> Vec<Word> {
    let mut paths = Vec::new();
    let mut open: Vec<(NodeId, Word)> = vec![(NodeId(0), Word::default())];
    while let Some((node, word)) = open.pop() {
        if dag.nodes[node.index()].is_final {
            paths.push(word);
            continue;
        }
        for edge in dag.edges_from(node) {
            let mut longer = word.clone();
            longer.0.push(edge.operator);
            let labels = edge.log.iter().map(|entry| (entry.agent, entry.label));
            longer.1.extend(labels);
            open.push((edge.target, longer));
        }
    }
    paths.sort();
    paths
}

fn assert_invariants(task: &PackedTask, dag: &PlanDag) {
    assert_eq!(dag.first_edge.len(), dag.nodes.len() + 1);
    let mut has_predecessor = vec![false; dag.nodes.len()];
    has_predecessor[0] = true;
    for (index, node) in dag.nodes.iter().enumerate() {
        let edges = dag.edges_from(NodeId(index as u32));
        assert_eq!(node.is_final, edges.is_empty());
        for edge in edges {
            assert_eq!(edge.source.index(), index);
            assert!(edge.target > edge.source);
            assert_eq!(edge.agent, node.agent);
            assert_eq!(task.operator(edge.operator).agent, edge.agent);
            has_predecessor[edge.target.index()] = true;
        }
        assert!(edges.is_sorted_by(|left, right| left.operator < right.operator));
    }
    assert!(has_predecessor.iter().all(|&has| has));
}

fn assert_agrees(seed: u64, task: &PackedTask, objective: Objective, graph: &Graph) -> bool {
    let context = format!("seed {seed}, {objective:?}, {:?}", task.turns);
    assert_exhausted(&context, task, objective, graph, &search(task, objective));
    graph.optimum().is_some()
}

/// The answer of a search for all plans is that of exhaustion.
pub(crate) fn assert_exhausted(
    context: &str,
    task: &PackedTask,
    objective: Objective,
    graph: &Graph,
    result: &SearchResult,
) {
    let Some(optimum) = graph.optimum() else {
        assert_eq!(result.outcome, Outcome::Unsolvable, "{context}");
        return;
    };
    let Outcome::Solved(plan) = &result.outcome else {
        panic!("{context}: {:?}", result.outcome);
    };
    assert_eq!(validate(task, &plan.steps), Ok(plan.value), "{context}");
    let value = plan.value;
    let found = keys(
        task,
        objective,
        value.cost,
        value.makespan.into(),
        value.labels.into(),
    );
    assert_eq!(found, optimum, "{context}");
    let dag = result.dag.as_ref().expect("all plans were asked for");
    assert_invariants(task, dag);
    assert_eq!(dag.count(), BigUint::from(graph.count()), "{context}");
    if graph.count() <= MOST_PLANS {
        let expected: Vec<Word> = graph
            .plans()
            .into_iter()
            .map(|plan| {
                let labels = graph.labels(&plan);
                (plan, labels)
            })
            .collect();
        let shown: Vec<OperatorId> = plan.steps.iter().map(|step| step.operator).collect();
        let is_optimal = expected.iter().any(|(plan, _)| *plan == shown);
        assert!(is_optimal, "{context}");
        assert_eq!(paths(dag), expected, "{context}");
    }
}

/// Two agents: while the second walks to the end of a corridor, the first may pace about, first
/// step by first step and then all the way, or wait.
fn corridor(turns: TurnMode) -> PackedTask {
    let mut built = Builder::new(&[4, 3], 2, turns);
    let (start, go_on) = (built.set(1, 1), built.set(1, 2));
    built.operator(0, "pace", &[(1, 0)], Cond::True, start);
    let on = built.operator(0, "continue", &[(1, 1)], Cond::True, go_on);
    built.task.operators[on.index()].kind = OperatorKind::Continue;
    built.wait(0);
    for place in 0..3 {
        let effect = built.set(0, place + 1);
        built.operator(1, "walk", &[(0, place)], Cond::True, effect);
    }
    built.wait(1);
    built.task.goal = Some(built.all(&[(0, 3)]));
    built.done()
}

#[test]
fn the_plan_that_is_shown_has_no_idle_motion() {
    for turns in [TurnMode::Sequential, TurnMode::Simultaneous] {
        let task = corridor(turns);
        let result = search(&task, Objective::Declared);
        let plan = result.outcome.plan().expect("the corridor has an end");
        let own = plan.steps.iter().filter(|step| step.agent == 0);
        let kinds: Vec<OperatorKind> = own.map(|step| task.operator(step.operator).kind).collect();
        assert_eq!(kinds, [OperatorKind::Wait; 3], "{turns:?}");
        assert_eq!(validate(&task, &plan.steps), Ok(plan.value));
        // Those with idle motion are optimal all the same.
        assert!(result.dag.expect("all were asked for").count() > BigUint::from(1_u8));
    }
}

#[test]
fn the_optimum_and_the_set_of_optimal_plans_are_those_of_exhaustion() {
    let (mut compared, mut solvable) = (0, 0);
    for seed in 0..1000 {
        let task = random::task(seed);
        for objective in OBJECTIVES {
            if let Some(graph) = graph(&task, objective, MOST_STATES) {
                compared += 1;
                solvable += usize::from(assert_agrees(seed, &task, objective, &graph));
            }
        }
    }
    assert!(compared >= 3500, "only {compared} were small enough");
    assert!(solvable >= 2500, "only {solvable} were solvable");
}

/// A state and the joint action that led to it: `astar_bag` counts paths of nodes.
type Labelled = (StateBuf, Vec<OperatorId>);

#[test]
fn the_plans_of_least_makespan_are_those_of_astar_bag() {
    let mut compared = 0;
    for seed in 5000..6000 {
        let task = random::task(seed);
        let Some(graph) = graph(&task, Objective::Makespan, MOST_STATES) else {
            continue;
        };
        if graph.count() > MOST_PLANS {
            continue;
        }
        let is_end = |(state, _): &Labelled| match task.status(state) {
            Status::Goal => true,
            Status::Ended => task.goal.is_none(),
            Status::Running | Status::Failed => false,
        };
        let successors = |(state, _): &Labelled| -> Vec<(Labelled, u32)> {
            let index = graph.states.iter().position(|other| other == state);
            let edges = &graph.edges[index.unwrap()];
            edges
                .iter()
                .map(|edge| {
                    let mut after = state.clone();
                    let mut record = Record::default();
                    task.step(&mut after, &edge.joint, &mut record).unwrap();
                    ((after, edge.joint.clone()), 1)
                })
                .collect()
        };
        let start = (task.initial.clone(), Vec::new());
        let expected = astar_bag(&start, successors, |_| 0, is_end);
        let result = search(&task, Objective::Makespan);
        match (expected, &result.outcome) {
            (None, Outcome::Unsolvable) => {}
            (Some((paths_found, makespan)), Outcome::Solved(plan)) => {
                assert_eq!(plan.value.makespan, makespan);
                let expected: BTreeSet<Vec<OperatorId>> = paths_found
                    .map(|path| path.into_iter().flat_map(|(_, joint)| joint).collect())
                    .collect();
                let dag = result.dag.unwrap();
                let found: BTreeSet<_> = paths(&dag).into_iter().map(|(plan, _)| plan).collect();
                assert_eq!(found, expected, "seed {seed}");
                assert_eq!(dag.count(), BigUint::from(found.len()));
                compared += 1;
            }
            (expected, found) => panic!(
                "seed {seed}: {found:?}, expected {:?}",
                expected.map(|(_, makespan)| makespan)
            ),
        }
    }
    assert!(compared >= 300, "only {compared} were compared");
}

#[test]
fn a_plan_from_any_state_has_the_exact_cost_to_go() {
    for seed in 2000..2080 {
        let task = random::task(seed);
        let Some(graph) = graph(&task, Objective::Declared, 300) else {
            continue;
        };
        for (state, to_go) in graph.states.iter().zip(&graph.to_go) {
            let start = Start { state, agent: 0 };
            let result = solve_from(&task, start, &SearchOptions::default(), &Unlimited);
            let found = result.outcome.plan().map(|plan| {
                let value = plan.value;
                let (ticks, labels) = (value.makespan.into(), value.labels.into());
                keys(&task, Objective::Declared, value.cost, ticks, labels)
            });
            assert_eq!(found, *to_go, "seed {seed}");
        }
    }
}

#[test]
fn a_plan_from_the_middle_of_a_step_completes_an_optimal_plan() {
    let mut compared = 0;
    for seed in 3000..4000 {
        let task = random::task(seed);
        let whole = search(&task, Objective::Makespan);
        let Outcome::Solved(plan) = whole.outcome else {
            continue;
        };
        if task.turns != TurnMode::Sequential || task.agents.len() < 2 || plan.steps.is_empty() {
            continue;
        }
        let mut state = task.initial.clone();
        task.act(&mut state, plan.steps[0].operator, &mut Record::default());
        let start = Start {
            state: &state,
            agent: 1,
        };
        let options = SearchOptions::default().with_objective(Objective::Makespan);
        let rest = solve_from(&task, start, &options, &Unlimited);
        let rest = rest.outcome.plan().unwrap().clone();
        assert_eq!(rest.value.makespan, plan.value.makespan, "seed {seed}");
        assert_eq!(rest.steps[0].agent, 1);
        let mut steps = vec![plan.steps[0].clone()];
        steps.extend(rest.steps);
        for step in &mut steps {
            step.labels.clear();
        }
        let replayed = validate(&task, &steps);
        assert!(
            !matches!(replayed, Err(ref error) if !matches!(error, brigade::search::Invalid::Labels { .. })),
            "seed {seed}: {replayed:?}"
        );
        compared += 1;
    }
    assert!(compared >= 30, "only {compared} were compared");
}

#[test]
fn the_same_task_gives_the_same_answer_bit_for_bit() {
    for seed in 0..50 {
        let task = random::task(seed);
        let (left, right) = (
            search(&task, Objective::Declared),
            search(&task, Objective::Declared),
        );
        assert_eq!(left.outcome, right.outcome);
        assert_eq!(left.dag, right.dag);
        assert_eq!(left.statistics, right.statistics);
    }
}

#[test]
fn lower_bounds_change_nothing_of_the_answer() {
    let choices = [HeuristicChoice::Abstractions, HeuristicChoice::LandmarkCut];
    let mut informed = [0; 2];
    let (mut informed_work, mut blind_work) = ([0; 2], 0);
    for seed in 0..3000 {
        let task = random::task(seed);
        let options = SearchOptions::default()
            .with_all_plans(true)
            .with_max_states(20_000)
            .with_heuristic(HeuristicChoice::Blind);
        let blind = solve(&task, &options, &Unlimited);
        if matches!(blind.outcome, Outcome::Bounded { .. }) {
            continue;
        }
        blind_work += blind.statistics.expanded;
        for (index, heuristic) in choices.into_iter().enumerate() {
            let options = options.clone().with_heuristic(heuristic);
            let found = solve(&task, &options, &Unlimited);
            informed[index] += u32::from(found.statistics.evaluated > 1);
            let context = format!("seed {seed}, {heuristic:?}");
            let value = |result: &SearchResult| result.outcome.plan().map(|plan| plan.value);
            assert_eq!(value(&found), value(&blind), "{context}");
            let size = |result: &SearchResult| {
                let dag = result.dag.as_ref();
                dag.map(|dag| (dag.count().to_string(), dag.nodes.len(), dag.edges.len()))
            };
            assert_eq!(size(&found), size(&blind), "{context}");
            // Estimates need not be consistent, so single nodes may be expanded again.
            informed_work[index] += found.statistics.expanded;
        }
    }
    for ((heuristic, informed), work) in choices.into_iter().zip(informed).zip(informed_work) {
        assert!(informed > 500, "{heuristic:?}: {informed}");
        assert!(
            work < blind_work,
            "{heuristic:?}: {work} nodes expanded, {blind_work} without"
        );
    }
}
