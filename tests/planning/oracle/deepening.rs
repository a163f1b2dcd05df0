//! Searches that go on in little memory (iterative deepening), against exhaustion and best-first search.

use brigade::search::{
    DeepeningChoice, HeuristicChoice, Method, Objective, Outcome, PruningChoice, SearchOptions,
    SearchResult, StopReason, SymmetryChoice, Unlimited, solve, verify,
};
use brigade::task::cond::Cond;
use brigade::task::effect::Effect;
use brigade::task::{PackedTask, TurnMode, VarId};

use crate::oracle::brute_force::{Graph, graph};
use crate::oracle::builder::{Builder, gripper};
use crate::oracle::compile::compile;
use crate::oracle::families::generate;
use crate::oracle::loose;
use crate::oracle::random::{self, Random};
use crate::oracle::stubborn::{OBJECTIVES, assert_answer, found};

/// The same, or bounds that are right.
fn assert_right(
    about: &str,
    task: &PackedTask,
    objective: Objective,
    graph: &Graph,
    result: &SearchResult,
) -> bool {
    let Outcome::Bounded { lower, upper, .. } = &result.outcome else {
        assert_answer(about, task, objective, graph, result);
        return true;
    };
    if let (Some(lower), Some(optimum)) = (lower, graph.optimum()) {
        assert!(found(task, objective, *lower) <= optimum, "{about}");
    }
    if let Some(plan) = upper {
        assert_eq!(verify(task, plan), Ok(()), "{about}");
    }
    false
}

/// Iterative deepening with tables of many and of hardly any entries.
fn options(seed: u64) -> SearchOptions {
    SearchOptions::default()
        .with_objective(OBJECTIVES[seed as usize % OBJECTIVES.len()])
        .with_heuristic(
            [
                HeuristicChoice::Auto,
                HeuristicChoice::Potentials,
                HeuristicChoice::LandmarkCut,
                HeuristicChoice::Abstractions,
            ][seed as usize % 4],
        )
        .with_symmetry([SymmetryChoice::Never, SymmetryChoice::Always][seed as usize % 2])
        .with_pruning([PruningChoice::Never, PruningChoice::Always][(seed / 2) as usize % 2])
        .with_deepening(DeepeningChoice::Always)
        .with_deepening_limit(100_000)
        .with_memory_limit((!seed.is_multiple_of(3)).then_some(20_000))
}

#[test]
fn iterative_deepening_finds_the_optimum_of_exhaustion() {
    let (mut deepened, mut solved) = (0, 0);
    for seed in 0..300 {
        let task = if seed % 3 == 0 {
            loose::task(seed)
        } else {
            random::task(seed)
        };
        let options = options(seed);
        let objective = options.objective();
        let Some(graph) = graph(&task, objective, 1500) else {
            continue;
        };
        let result = solve(&task, &options, &Unlimited);
        let about = format!("seed {seed}, {options:?}");
        // What it is not used for is searched otherwise.
        let is_deepened =
            (result.attempts.last()).is_some_and(|attempt| attempt.method == Method::Deepening);
        let is_answered = assert_right(&about, &task, objective, &graph, &result);
        if is_deepened {
            deepened += 1;
            // A plan that exists is found long before the limit.
            assert!(is_answered || graph.optimum().is_none(), "{about}");
            solved += u32::from(result.outcome.plan().is_some());
        }
    }
    assert!(deepened > 30, "{deepened}");
    assert!(solved > 20, "{solved} of {deepened}");
}

/// Tiles in a row of the board below.
const WIDTH: usize = 3;

/// Tiles on a board of three by three, with one place free, after random slides.
pub(crate) fn tiles(slides: usize) -> PackedTask {
    let domain = "(define (domain tiles) (:requirements :typing) (:types tile place)
 (:predicates (at ?t - tile ?p - place) (free ?p - place) (beside ?p ?q - place))
 (:action slide :parameters (?t - tile ?p ?q - place)
  :precondition (and (at ?t ?p) (free ?q) (beside ?p ?q))
  :effect (and (not (at ?t ?p)) (not (free ?q)) (at ?t ?q) (free ?p))))";
    let beside = |place: usize| {
        let (x, y) = (place % WIDTH, place / WIDTH);
        let mut places = Vec::new();
        if x > 0 {
            places.push(place - 1);
        }
        if x + 1 < WIDTH {
            places.push(place + 1);
        }
        if y > 0 {
            places.push(place - WIDTH);
        }
        if y + 1 < WIDTH {
            places.push(place + WIDTH);
        }
        places
    };
    let mut random = Random(7);
    let mut board: Vec<usize> = (0..WIDTH * WIDTH).collect();
    let (mut free, mut before) = (0, 0);
    for _ in 0..slides {
        let next = beside(free);
        let next: Vec<usize> = next.into_iter().filter(|&place| place != before).collect();
        before = free;
        free = next[random.below(next.len())];
        board.swap(before, free);
    }
    let mut facts = format!("(free p{free})");
    let (mut names, mut goal) = (String::new(), String::new());
    for (place, &tile) in board.iter().enumerate() {
        for other in beside(place) {
            facts.push_str(&format!(" (beside p{place} p{other})"));
        }
        if tile > 0 {
            names.push_str(&format!(" t{tile}"));
            facts.push_str(&format!(" (at t{tile} p{place})"));
            goal.push_str(&format!(" (at t{tile} p{tile})"));
        }
    }
    let places: String = (0..WIDTH * WIDTH)
        .map(|place| format!(" p{place}"))
        .collect();
    let problem = format!(
        "(define (problem slid) (:domain tiles) (:objects{names} - tile{places} - place)
         (:init {facts}) (:goal (and{goal})))"
    );
    compile(domain, &problem)
}

fn family(name: &str) -> PackedTask {
    let texts = generate(name).unwrap();
    compile(&texts.domain, &texts.problem)
}

#[test]
fn a_search_that_meets_its_memory_limit_goes_on_and_finds_the_optimum() {
    for (name, task, limit) in [
        ("gripper", gripper(6), 60_000),
        ("blocks-8", family("blocks-8"), 90_000),
        ("logistics-5", family("logistics-5"), 100_000),
        ("tiles", tiles(60), 90_000),
    ] {
        let blind = SearchOptions::default().with_heuristic(HeuristicChoice::Blind);
        let expected = solve(&task, &blind, &Unlimited);
        let expected = expected.outcome.plan().expect("it has a plan").value;
        let options = SearchOptions::default()
            .with_memory_limit(limit)
            .with_deepening_limit(20_000_000);
        let result = solve(&task, &options, &Unlimited);
        let last = result.attempts.last().unwrap();
        assert!(
            last.method == Method::Deepening,
            "{name}: {:?}",
            result.attempts
        );
        let Outcome::Solved(plan) = &result.outcome else {
            panic!("{name}: {:?}", result.outcome);
        };
        assert_eq!(plan.value, expected, "{name}");
        assert_eq!(verify(&task, plan), Ok(()), "{name}");
        let never = options.clone().with_deepening(DeepeningChoice::Never);
        let stopped = solve(&task, &never, &Unlimited);
        assert!(
            matches!(
                stopped.outcome,
                Outcome::Bounded {
                    reason: StopReason::Memory,
                    ..
                }
            ),
            "{name}: {:?}",
            stopped.outcome
        );
    }
}

/// Digits that are raised two at a time, for ever, keep an even sum; the goal has an odd one. No
/// bound sees that, so each limit is followed by another.
#[test]
fn without_a_plan_iterative_deepening_ends_after_some_times_the_work_before() {
    const DIGITS: usize = 9;
    let mut built = Builder::new(&[4; DIGITS], 1, TurnMode::Sequential);
    for digit in 0..DIGITS {
        let raise = |digit: usize| {
            let raise = (0..4).map(|value| built.set(digit, (value + 1) % 4));
            Effect::Switch(VarId(digit as u32), raise.collect())
        };
        let both = Effect::Block {
            effects: [raise(digit), raise((digit + 1) % DIGITS)].into(),
            snapshot: false,
        };
        built.operator(0, "raise", &[], Cond::True, both);
    }
    let facts: Vec<_> = (0..DIGITS).map(|digit| (digit, 3)).collect();
    built.task.goal = Some(built.all(&facts));
    let options = SearchOptions::default()
        .with_heuristic(HeuristicChoice::LandmarkCut)
        .with_memory_limit(300_000);
    let result = solve(&built.packed(), &options, &Unlimited);
    let Outcome::Bounded { reason, lower, .. } = &result.outcome else {
        panic!("{:?}", result.outcome);
    };
    assert_eq!(*reason, StopReason::Memory);
    assert!(lower.is_some());
    let (last, earlier) = result.attempts.split_last().unwrap();
    assert!(last.method == Method::Deepening);
    let before: u64 = earlier.iter().map(|attempt| attempt.generated).sum();
    assert!(last.generated <= 4 * before + 10_000, "{last:?}");
}
