//! Searches from both ends: against exhaustion, and where they are not possible.

use brigade::search::{
    AttemptEnd, BidirectionalChoice, DeepeningChoice, HeuristicChoice, Method, Outcome,
    SearchOptions, SearchResult, Start, StopReason, SymmetryChoice, Unlimited, solve, solve_from,
    verify,
};
use brigade::task::cond::{Cond, Expr};
use brigade::task::effect::Effect;
use brigade::task::{Metric, Task, TurnMode};

use crate::oracle::brute_force::graph;
use crate::oracle::builder::{Builder, gripper};
use crate::oracle::compile::compile;
use crate::oracle::deepening::tiles;
use crate::oracle::random::Random;
use crate::oracle::stubborn::{OBJECTIVES, assert_answer, found};
use crate::oracle::threads::same;
use crate::oracle::{loose, random};

/// A task of one agent whose operators write constants: most need a value of what they write, some
/// overwrite whatever is there; some goals leave much open, some are disjunctions.
fn reversible(seed: u64) -> Task {
    let mut random = Random(seed ^ 0xB1D1);
    let sizes: Vec<u32> = (0..5).map(|_| 2 + random.below(3) as u32).collect();
    let mut built = Builder::new(&sizes, 1, TurnMode::Sequential);
    built.task.metric = [Metric::Makespan, Metric::Cost][random.below(2)];
    let counts_labels = random.once_in(4);
    let fact = |random: &mut Random| {
        let variable = random.below(sizes.len());
        (variable, random.below(sizes[variable] as usize) as u32)
    };
    for index in 0..8 + random.below(12) {
        let (mut facts, mut effects, mut written) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..=random.below(2) {
            let ((own, new), (_, old)) = (fact(&mut random), fact(&mut random));
            if written.contains(&own) {
                continue;
            }
            written.push(own);
            effects.push(built.set(own, new));
            if !random.once_in(4) {
                facts.push((own, old % sizes[own]));
            }
        }
        let mut guard = Cond::True;
        let (other, value) = fact(&mut random);
        if !written.contains(&other) {
            match random.below(4) {
                0 => facts.push((other, value)),
                1 => guard = Cond::Fact(built.fact(other, value)).negated(),
                _ => {}
            }
        }
        if !counts_labels || random.once_in(20) {
            effects.push(built.log(0, "done"));
        }
        let cost = random.below(4) as i64;
        effects.push(Effect::Cost(Expr::Constant(cost)));
        let effect = Effect::Block {
            effects: effects.into(),
            snapshot: true,
        };
        built.operator(0, &format!("op{index}"), &facts, guard, effect);
    }
    let goal = |random: &mut Random| {
        let mut goal = Vec::new();
        for (variable, &size) in sizes.iter().enumerate() {
            if !random.once_in(3) {
                goal.push((variable, random.below(size as usize) as u32));
            }
        }
        built.all(&goal)
    };
    let mut ways = vec![goal(&mut random)];
    if random.once_in(4) {
        ways.push(goal(&mut random));
    }
    built.task.goal = Some(Cond::any(ways));
    built.task
}

/// A search from both ends and nothing else.
fn options(seed: u64) -> SearchOptions {
    SearchOptions {
        objective: OBJECTIVES[seed as usize % OBJECTIVES.len()],
        heuristic: HeuristicChoice::Blind,
        symmetry: [SymmetryChoice::Never, SymmetryChoice::Always][(seed / 2) as usize % 2],
        deepening: DeepeningChoice::Never,
        bidirectional: BidirectionalChoice::Always,
        share_from: 2,
        ..SearchOptions::default()
    }
}

/// Whether the answer is that of a search from both ends.
fn is_from_both_ends(result: &SearchResult) -> bool {
    let last = result.attempts.last();
    last.is_some_and(|last| last.method == Method::Bidirectional)
}

#[test]
fn a_search_from_both_ends_finds_the_optimum_of_exhaustion() {
    let (mut searched, mut solved, mut unsolvable) = (0, 0, 0);
    for seed in 0..1500 {
        let task = match seed % 5 {
            0 => loose::task(seed),
            _ => reversible(seed),
        };
        let options = options(seed);
        let objective = options.objective;
        let Some(graph) = graph(&task, objective, 1500) else {
            continue;
        };
        let about = format!("seed {seed}, {options:?}");
        let result = same(&about, &task, &options);
        assert_answer(&about, &task, objective, &graph, &result);
        if is_from_both_ends(&result) {
            searched += 1;
            solved += u32::from(result.outcome.plan().is_some());
            unsolvable += u32::from(result.outcome == Outcome::Unsolvable);
        }
    }
    assert!(searched > 600, "{searched}");
    assert!(solved > 200, "{solved} of {searched}");
    assert!(unsolvable > 100, "{unsolvable} of {searched}");
}

#[test]
fn a_search_from_both_ends_begins_at_any_state() {
    let mut searched = 0;
    for seed in 0..60 {
        let task = reversible(seed);
        let options = options(seed);
        let Some(graph) = graph(&task, options.objective, 1500) else {
            continue;
        };
        let step = (graph.states.len() / 20).max(1);
        for index in (0..graph.states.len()).step_by(step) {
            let start = Start {
                state: &graph.states[index],
                agent: 0,
            };
            let result = solve_from(&task, start, &options, &Unlimited);
            let value = result.outcome.plan().map(|plan| plan.value);
            let value = value.map(|value| found(&task, options.objective, value));
            assert_eq!(value, graph.to_go[index], "seed {seed}, state {index}");
            searched += u32::from(is_from_both_ends(&result));
        }
    }
    assert!(searched > 200, "{searched}");
}

#[test]
fn a_search_from_both_ends_that_is_stopped_has_a_bound_and_a_plan_that_replays() {
    let (mut stopped, mut with_plan) = (0, 0);
    for seed in 0..2000 {
        let task = reversible(seed);
        let options = SearchOptions {
            max_states: Some(5 + seed % 60),
            ..options(seed)
        };
        let objective = options.objective;
        let Some(graph) = graph(&task, objective, 1500) else {
            continue;
        };
        let result = solve(&task, &options, &Unlimited);
        let Outcome::Bounded { lower, upper, .. } = &result.outcome else {
            continue;
        };
        let about = format!("seed {seed}, {options:?}");
        let optimum = graph.optimum();
        if let (Some(lower), Some(optimum)) = (lower, optimum) {
            assert!(found(&task, objective, *lower) <= optimum, "{about}");
        }
        stopped += 1;
        if let Some(plan) = upper {
            assert_eq!(verify(&task, plan), Ok(()), "{about}");
            with_plan += 1;
        }
    }
    assert!(with_plan > 5, "{with_plan} of {stopped}");
}

/// What may stand beside what, and what no operator gives to a variable, is known from the mutexes of
/// compiled tasks.
#[test]
fn sliding_tiles_and_carried_balls_are_searched_from_both_ends() {
    for (about, task) in [
        ("tiles, 5 slides", tiles(5)),
        ("tiles, 40 slides", tiles(40)),
        ("tiles, 300 slides", tiles(300)),
        ("two balls", gripper(2)),
        ("four balls", gripper(4)),
    ] {
        let from_one_end = SearchOptions {
            bidirectional: BidirectionalChoice::Never,
            ..options(0)
        };
        let result = solve(&task, &options(0), &Unlimited);
        let expected = solve(&task, &from_one_end, &Unlimited);
        let value = |result: &SearchResult| result.outcome.plan().map(|plan| plan.value);
        assert!(is_from_both_ends(&result), "{about}");
        assert_eq!(value(&result), value(&expected), "{about}");
        let plan = result.outcome.plan().expect("there is a plan");
        assert_eq!(verify(&task, plan), Ok(()), "{about}");
    }
}

#[test]
fn the_square_root_of_the_states_is_enough_for_tiles() {
    let task = tiles(300);
    let both = solve(&task, &options(0), &Unlimited);
    let one = SearchOptions {
        bidirectional: BidirectionalChoice::Never,
        ..options(0)
    };
    let one = solve(&task, &one, &Unlimited);
    let states = (both.statistics.states, one.statistics.states);
    assert!(states.0 * 10 < states.1, "{states:?}");
}

#[test]
fn what_cannot_be_turned_round_is_searched_otherwise() {
    let texts = |effect: &str| {
        let domain = format!(
            "(define (domain d) (:requirements :adl) (:predicates (p) (q) (r))
 (:action a :effect (p)) (:action b :precondition (p) :effect {effect})
 (:action c :precondition (q) :effect (and (r) (not (q)))))"
        );
        let problem = "(define (problem d1) (:domain d) (:init) (:goal (and (p) (q) (r))))";
        compile(&domain, problem)
    };
    for (effect, is_turned) in [
        ("(q)", true),
        ("(and (q) (not (p)))", true),
        ("(when (not (r)) (q))", false),
    ] {
        let result = solve(&texts(effect), &options(0), &Unlimited);
        let is_not_used = result.attempts.iter().any(|attempt| {
            attempt.method == Method::Bidirectional && attempt.end == AttemptEnd::Inapplicable
        });
        assert_eq!(is_not_used, !is_turned, "{effect}");
    }
    let all = SearchOptions {
        all: true,
        ..options(0)
    };
    for (about, task, options) in [
        ("several agents", random::task(1), options(0)),
        (
            "the goal holds in 2 to the 14th states",
            lamps(15, &[0]),
            options(0),
        ),
        ("all plans are asked for", gripper(2), all),
    ] {
        let result = solve(&task, &options, &Unlimited);
        assert!(!is_from_both_ends(&result), "{about}");
    }
}

/// Lamps that can each be switched on and off; the goal is that some are on.
fn lamps(number: usize, goal: &[usize]) -> Task {
    let mut built = Builder::new(&vec![2; number], 1, TurnMode::Sequential);
    for lamp in 0..number {
        for (old, new) in [(0, 1), (1, 0)] {
            let effect = built.set(lamp, new);
            built.operator(0, "switch", &[(lamp, old)], Cond::True, effect);
        }
    }
    let goal: Vec<_> = goal.iter().map(|&lamp| (lamp, 1)).collect();
    built.task.goal = Some(built.all(&goal));
    built.task
}

/// Lights out: a press switches a lamp and those beside it. The goal is that those are on which presses of
/// so many lamps leave on.
fn lights_out(width: usize, height: usize, presses: usize) -> Task {
    let lamps = width * height;
    let mut built = Builder::new(&vec![2; lamps], 1, TurnMode::Sequential);
    let switched = |lamp: usize| -> Vec<usize> {
        let (x, y) = (lamp % width, lamp / width);
        let near = |other: &usize| (other % width).abs_diff(x) + (other / width).abs_diff(y) <= 1;
        (0..lamps).filter(near).collect()
    };
    for lamp in 0..lamps {
        let switched = switched(lamp);
        for before in 0..1_u32 << switched.len() {
            let bit = |index: usize| before >> index & 1;
            let facts = switched
                .iter()
                .enumerate()
                .map(|(index, &it)| (it, bit(index)));
            let effects = switched.iter().enumerate();
            let effects = effects.map(|(index, &it)| built.set(it, 1 - bit(index)));
            let (facts, effect): (Vec<_>, _) = (facts.collect(), Effect::Seq(effects.collect()));
            built.operator(0, "press", &facts, Cond::True, effect);
        }
    }
    let mut lit = vec![0; lamps];
    for lamp in (0..presses).flat_map(|press| switched(press * 7 % lamps)) {
        lit[lamp] = 1 - lit[lamp];
    }
    let goal: Vec<_> = lit.into_iter().enumerate().collect();
    built.task.goal = Some(built.all(&goal));
    built.task
}

#[test]
fn by_itself_a_search_takes_both_ends_where_that_proves_more() {
    let task = lights_out(4, 5, 13);
    let result = solve(&task, &SearchOptions::default(), &Unlimited);
    assert!(is_from_both_ends(&result), "{:#?}", result.attempts);
    let from_one_end = SearchOptions {
        heuristic: HeuristicChoice::Blind,
        bidirectional: BidirectionalChoice::Never,
        ..SearchOptions::default()
    };
    let expected = solve(&task, &from_one_end, &Unlimited);
    let value = |result: &SearchResult| result.outcome.plan().map(|plan| plan.value);
    assert_eq!(value(&result).map(|value| value.makespan), Some(13));
    assert_eq!(value(&result), value(&expected));
}

/// Both sides count against the limit, and once only.
#[test]
fn where_memory_ends_both_sides_are_within_the_limit_and_deepening_goes_on() {
    let task = lights_out(4, 5, 13);
    let options = SearchOptions {
        memory_limit: Some(300_000),
        ..options(0)
    };
    let result = solve(&task, &options, &Unlimited);
    assert!(is_from_both_ends(&result));
    let stopped = Err(StopReason::Memory);
    let reason = match result.outcome {
        Outcome::Bounded { reason, .. } => Err(reason),
        _ => Ok(()),
    };
    assert_eq!(reason, stopped);
    assert!(result.statistics.peak_bytes <= 300_000);
    let deepening = SearchOptions {
        heuristic: HeuristicChoice::Potentials,
        deepening: DeepeningChoice::Auto,
        ..options
    };
    let result = solve(&task, &deepening, &Unlimited);
    let last = result.attempts.last();
    assert!(last.is_some_and(|last| last.method == Method::Deepening));
}
