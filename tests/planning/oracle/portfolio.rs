//! The portfolio on tasks that are too large for its first attempt, against blind search.

use std::path::Path;

use brigade::search::{
    Attempt, AttemptEnd, DeepeningChoice, Guide, HeuristicChoice, Objective, Outcome,
    SearchOptions, SearchResult, StopReason, SymmetryChoice, Unlimited, solve, validate,
};
use brigade::task::PackedTask;

use crate::oracle::compile::compile;
use crate::oracle::families::generate;

/// Boxes are painted in a row, each in one of two colours; a brush is washed in between. Paint and
/// water have a price.
const PAINT: &str = "(define (domain paint)
 (:requirements :adl :action-costs)
 (:types board colour)
 (:constants red blue - colour)
 (:predicates (painted ?b - board ?c - colour) (dry ?b - board) (on-brush ?c - colour) (clean))
 (:functions (total-cost) - number (price ?c - colour) - number)
 (:action dip :parameters (?c - colour) :precondition (clean)
  :effect (and (not (clean)) (on-brush ?c) (increase (total-cost) (price ?c))))
 (:action wash :parameters (?c - colour) :precondition (on-brush ?c)
  :effect (and (not (on-brush ?c)) (clean) (increase (total-cost) 1)))
 (:action paint :parameters (?b - board ?c - colour)
  :precondition (and (on-brush ?c) (dry ?b))
  :effect (and (painted ?b ?c) (not (dry ?b)) (increase (total-cost) 2)))
 (:action wait-for :parameters (?b - board) :precondition (not (dry ?b)) :effect (dry ?b)))";

/// So many boards; the first is painted in both colours.
fn paint(boards: usize) -> PackedTask {
    let names: Vec<String> = (0..boards).map(|board| format!("b{board}")).collect();
    let facts = |write: &dyn Fn(usize, &String) -> String| -> String {
        names
            .iter()
            .enumerate()
            .map(|(index, name)| write(index, name))
            .collect()
    };
    let problem = format!(
        "(define (problem boards) (:domain paint) (:objects {} - board)
         (:init (clean) (= (total-cost) 0) (= (price red) 2) (= (price blue) 3) {})
         (:goal (and (painted b0 red) {})) (:metric minimize (total-cost)))",
        names.join(" "),
        facts(&|_, name| format!("(dry {name}) ")),
        facts(&|index, name| {
            let colour = ["blue", "red"][index % 2];
            format!("(painted {name} {colour}) ")
        }),
    );
    compile(PAINT, &problem)
}

/// Lamps on a board of wires: a switch turns its own lamp and the next, and what has current is
/// derived along wires that are closed.
fn lamps(count: usize) -> PackedTask {
    let domain = "(define (domain lamps)
 (:requirements :adl :derived-predicates)
 (:types lamp)
 (:predicates (next ?l ?m - lamp) (closed ?l - lamp) (first ?l - lamp) (live ?l - lamp))
 (:derived (live ?l - lamp) (and (first ?l) (closed ?l)))
 (:derived (live ?l - lamp) (exists (?m - lamp) (and (next ?m ?l) (live ?m) (closed ?l))))
 (:action turn :parameters (?l ?m - lamp) :precondition (next ?l ?m)
  :effect (and (when (closed ?l) (not (closed ?l))) (when (not (closed ?l)) (closed ?l))
   (when (closed ?m) (not (closed ?m))) (when (not (closed ?m)) (closed ?m))))
 (:action close-last :parameters (?l - lamp)
  :precondition (not (exists (?m - lamp) (next ?l ?m))) :effect (closed ?l)))";
    let names: Vec<String> = (0..count).map(|lamp| format!("l{lamp}")).collect();
    let next = names
        .windows(2)
        .map(|pair| format!("(next {} {}) ", pair[0], pair[1]));
    let closed = names
        .iter()
        .step_by(3)
        .map(|name| format!("(closed {name}) "));
    let problem = format!(
        "(define (problem row) (:domain lamps) (:objects {} - lamp)
         (:init (first l0) {} {}) (:goal (live l{})))",
        names.join(" "),
        next.collect::<String>(),
        closed.collect::<String>(),
        count - 1
    );
    compile(domain, &problem)
}

fn family(name: &str) -> PackedTask {
    let texts = generate(name).unwrap();
    compile(&texts.domain, &texts.problem)
}

fn search(task: &PackedTask, heuristic: HeuristicChoice, symmetry: SymmetryChoice) -> SearchResult {
    let options = SearchOptions::default()
        .with_all_plans(true)
        .with_heuristic(heuristic)
        .with_symmetry(symmetry);
    solve(task, &options, &Unlimited)
}

/// A kitchen of two agents who both choose in each step.
fn baked_bell_pepper() -> PackedTask {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &str| std::fs::read_to_string(root.join(path)).unwrap();
    compile(
        &read("domains/collab-overcooked.pddl"),
        &read("problems/collab-overcooked/baked_bell_pepper.pddl"),
    )
}

/// The report of an attempt follows from the answer and from its limits.
fn assert_coherent(about: &str, task: &PackedTask, result: &SearchResult) {
    let plan = result.outcome.plan().expect("there is a plan");
    let optimum = Objective::Declared.keys(task, plan.value);
    let (last, earlier) = result.attempts.split_last().expect("something was tried");
    assert_eq!(last.end, AttemptEnd::Answered, "{about}");
    let proven = last
        .lower
        .map(|lower| Objective::Declared.keys(task, lower));
    assert_eq!(proven, Some(optimum), "{about}");
    for attempt in earlier {
        let about = format!("{about}: {attempt:?}");
        match attempt.end {
            // Their limit is one of work.
            AttemptEnd::GivenUp if attempt.guide == Guide::DECISION_DIAGRAMS => {
                assert_eq!((attempt.states, attempt.most_states), (0, None), "{about}");
            }
            AttemptEnd::GivenUp => assert_eq!(Some(attempt.states), attempt.most_states, "{about}"),
            AttemptEnd::Inapplicable => assert_eq!(attempt.states, 0, "{about}"),
            AttemptEnd::Improved | AttemptEnd::NotImproved => {
                assert_eq!(attempt.lower, None, "{about}");
                let upper = attempt.upper.iter();
                let mut upper = upper.map(|value| Objective::Declared.keys(task, *value));
                assert!(upper.all(|upper| upper >= optimum), "{about}");
            }
            AttemptEnd::Answered | AttemptEnd::Stopped(_) => panic!("{about}"),
        }
    }
    for attempt in &result.attempts {
        let about = format!("{about}: {attempt:?}");
        let most = attempt.most_states.unwrap_or(u64::MAX);
        assert!(attempt.states <= most, "{about}");
        for bound in attempt.lower.iter().chain(&attempt.estimate) {
            assert!(Objective::Declared.keys(task, *bound) <= optimum, "{about}");
        }
        if attempt.guide == Guide::BLIND {
            assert_eq!((attempt.evaluated, attempt.estimate), (0, None), "{about}");
        }
    }
    let attempts = || result.attempts.iter();
    let work = [
        attempts().map(|attempt| attempt.expanded).sum::<u64>(),
        attempts().map(|attempt| attempt.generated).sum(),
        attempts().map(|attempt| attempt.evaluated).sum(),
    ];
    let statistics = &result.statistics;
    let counted = [
        statistics.expanded,
        statistics.generated,
        statistics.evaluated,
    ];
    assert_eq!(work, counted, "{about}");
}

/// The towers of Hanoi: so many disks are moved from the first peg to the third.
fn hanoi(disks: usize) -> PackedTask {
    let domain = "(define (domain hanoi)
 (:predicates (clear ?x) (on ?d ?x) (smaller ?d ?x))
 (:action move :parameters (?d ?from ?to)
  :precondition (and (smaller ?d ?to) (on ?d ?from) (clear ?d) (clear ?to))
  :effect (and (clear ?from) (on ?d ?to) (not (on ?d ?from)) (not (clear ?to)))))";
    let mut facts = "(clear d0) (clear p2) (clear p3)".to_owned();
    let mut goal = String::new();
    let below = |disk: usize, peg: &str| {
        if disk + 1 == disks {
            peg.to_owned()
        } else {
            format!("d{}", disk + 1)
        }
    };
    for disk in 0..disks {
        for peg in ["p1", "p2", "p3"] {
            facts.push_str(&format!(" (smaller d{disk} {peg})"));
        }
        for other in disk + 1..disks {
            facts.push_str(&format!(" (smaller d{disk} d{other})"));
        }
        facts.push_str(&format!(" (on d{disk} {})", below(disk, "p1")));
        goal.push_str(&format!(" (on d{disk} {})", below(disk, "p3")));
    }
    let names: String = (0..disks).map(|disk| format!(" d{disk}")).collect();
    let problem = format!(
        "(define (problem tower) (:domain hanoi) (:objects p1 p2 p3{names})
         (:init {facts}) (:goal (and{goal})))"
    );
    compile(domain, &problem)
}

#[test]
fn attempts_of_large_tasks_end_in_the_answer_of_blind_search() {
    let mut guides = Vec::new();
    for (name, task) in [
        ("gripper-10", family("gripper-10")),
        ("logistics-5", family("logistics-5")),
        ("blocks-8", family("blocks-8")),
        ("breakfast-5", family("breakfast-5")),
        ("paint-8", paint(8)),
        ("lamps-20", lamps(20)),
        ("hanoi-10", hanoi(10)),
    ] {
        let blind = search(&task, HeuristicChoice::Blind, SymmetryChoice::Never);
        let auto = search(&task, HeuristicChoice::Auto, SymmetryChoice::Auto);
        let states = blind.statistics.states;
        assert!((40_000..700_000).contains(&states), "{name}: {states}");
        let (expected, plan) = (blind.outcome.plan().unwrap(), auto.outcome.plan().unwrap());
        assert_eq!(plan.value, expected.value, "{name}");
        assert_eq!(validate(&task, &plan.steps), Ok(plan.value), "{name}");
        let (count, dag) = (blind.dag.as_ref().unwrap(), auto.dag.as_ref().unwrap());
        assert_eq!(dag.count(), count.count(), "{name}");
        assert_eq!(dag.nodes.len(), count.nodes.len(), "{name}");
        assert_coherent(name, &task, &blind);
        assert_coherent(name, &task, &auto);
        assert_eq!(blind.attempts.len(), 1, "{name}");
        assert!(auto.attempts.len() > 1, "{name}");
        guides.extend(auto.attempts.iter().map(|attempt| attempt.guide));
    }
    for guide in [Guide::BLIND, Guide::LANDMARK_CUT, Guide::POTENTIALS] {
        assert!(
            guides.contains(&guide),
            "{guide:?} guided none of {guides:?}"
        );
    }
}

#[test]
fn within_any_memory_limit_the_answer_is_the_optimum_or_bounds_of_it() {
    let (mut solved, mut bounded) = (0, 0);
    let (mut went_on_without_cuts, mut abstractions_fitted) = (0, 0);
    for (name, task) in [
        ("logistics-5", family("logistics-5")),
        ("blocks-8", family("blocks-8")),
        ("paint-8", paint(8)),
        ("hanoi-10", hanoi(10)),
        ("baked bell pepper", baked_bell_pepper()),
    ] {
        let keys = |value| Objective::Declared.keys(&task, value);
        let blind = search(&task, HeuristicChoice::Blind, SymmetryChoice::Never);
        let optimum = keys(blind.outcome.plan().unwrap().value);
        for memory_limit in (17..25).map(|power| 1 << power) {
            let about = format!("{name} in {memory_limit} bytes");
            let options = SearchOptions::default()
                .with_memory_limit(memory_limit)
                .with_deepening(DeepeningChoice::Never);
            let result = solve(&task, &options, &Unlimited);
            match &result.outcome {
                Outcome::Solved(plan) => {
                    assert_eq!(keys(plan.value), optimum, "{about}");
                    solved += 1;
                }
                Outcome::Bounded {
                    lower,
                    upper,
                    reason,
                } => {
                    assert_eq!(*reason, StopReason::Memory, "{about}");
                    assert!(lower.is_none_or(|it| keys(it) <= optimum), "{about}");
                    let upper = upper.as_ref();
                    assert!(upper.is_none_or(|it| keys(it.value) >= optimum), "{about}");
                    bounded += 1;
                }
                Outcome::Unsolvable => panic!("{about}"),
            }
            let peak = result.statistics.peak_bytes;
            assert!(peak <= memory_limit, "{about}: {peak}");
            let has_cuts = |attempt: &Attempt| attempt.guide.includes(Guide::LANDMARK_CUT);
            let mut attempts = result.attempts.iter();
            let met = attempts.any(|attempt| {
                has_cuts(attempt) && attempt.end == AttemptEnd::Stopped(StopReason::Memory)
            });
            let rest: Vec<&Attempt> = attempts.collect();
            assert!(
                !met || !rest.iter().any(|attempt| has_cuts(attempt)),
                "{about}"
            );
            went_on_without_cuts += usize::from(met && !rest.is_empty());
            let mut attempts = result.attempts.iter();
            let is_full = attempts.any(|it| it.end == AttemptEnd::Stopped(StopReason::Memory));
            let answers =
                |it: &Attempt| (it.guide, it.end) == (Guide::ABSTRACTIONS, AttemptEnd::Answered);
            abstractions_fitted += usize::from(is_full && attempts.any(answers));
        }
    }
    assert!(solved > 20 && bounded > 0);
    assert!(went_on_without_cuts > 0 && abstractions_fitted > 0);
}
