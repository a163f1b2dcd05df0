//! Optima of small tasks, made up.

use super::*;
use crate::results::{Added, Entry};
use brigade::search::{SearchOptions, StopReason, Unlimited, solve};

const DOMAIN: &str = "
    (define (domain switches)
      (:requirements :adl)
      (:semantics clean upstream)
      (:types switch)
      (:predicates (on ?s - switch) (next ?s ?t - switch))
      (:action press
        :parameters (?s ?t - switch)
        :precondition (and (next ?s ?t) (on ?s) (not (on ?t)))
        :effect (on ?t))
      (:action leap
        :parameters (?s - switch)
        :precondition (and (semantics upstream) (not (on ?s)))
        :effect (on ?s)))";

const PROBLEM: &str = "
    (define (problem row)
      (:domain switches)
      (:objects a b c d - switch)
      (:init (on a) (next a b) (next b c) (next c d) (next a c))
      (:goal (and (on b) (on d))))";

fn case() -> Case {
    Case {
        subject: Subject::new(Dataset::Synchronous, "3_row", None).unwrap(),
        domain: DOMAIN.to_owned(),
        problem: PROBLEM.to_owned(),
    }
}

fn derived(case: &Case, semantics: &str) -> Line {
    let options = SearchOptions::default();
    let mut derivation = Derivation::new(case, semantics, None).unwrap();
    derivation.prove(&options, &Unlimited).unwrap();
    derivation.count(&options, &Unlimited).unwrap();
    derivation.check(1000, &options, &Unlimited).unwrap();
    derivation.play_under(UPSTREAM).unwrap();
    derivation.into_line()
}

fn method(line: &Line) -> Option<Method> {
    line.check.as_ref().map(|check| check.method)
}

#[test]
fn a_line_holds_the_proof_the_plans_their_number_the_check_and_the_replay() {
    let line = derived(&case(), "clean");
    assert_eq!((line.status, line.optimum()), (Status::Proven, Some(3)));
    // `b` and `c` in either order, `c` after `a` or `b`, `d` after `c`.
    assert_eq!(line.plans.as_deref(), Some("4"));
    assert_eq!(line.references.as_deref(), Some("4"));
    assert_eq!(line.under_upstream, Some(Replay::Reached(3)));
    assert_eq!(line.plan.as_ref().unwrap().len(), 3);
    assert_eq!(method(&line), Some(Method::Exhaustion));
    assert!(line.is_complete());
    let upstream = derived(&case(), "upstream");
    assert_eq!(
        (upstream.optimum(), upstream.under_upstream),
        (Some(2), None)
    );
}

#[test]
fn exhaustion_finds_the_first_goal_and_counts_the_states_before_it() {
    let task = case().texts().compile("clean").unwrap();
    let most = 1000;
    assert_eq!(exhaust(&task, 9, most, &Unlimited), Exhausted::Goal(3));
    // a; ab, ac; abc, acd. What is not needed is left out.
    assert_eq!(exhaust(&task, 2, most, &Unlimited), Exhausted::NoGoal(5));
    assert_eq!(
        exhaust(&task, 2, 4, &Unlimited),
        Exhausted::Stopped(StopReason::States)
    );
}

#[test]
fn what_has_no_room_for_exhaustion_is_checked_by_two_heuristics_if_one_led_the_proof() {
    let case = case();
    let options = SearchOptions::default();
    for informed in [true, false] {
        let known = Line {
            check: None,
            informed,
            ..derived(&case, "clean")
        };
        let mut derivation = Derivation::new(&case, "clean", Some(&known)).unwrap();
        derivation.check(1, &options, &Unlimited).unwrap();
        let expected = informed.then_some(Method::TwoHeuristics);
        assert_eq!(method(derivation.line()), expected);
    }
}

#[test]
fn a_check_that_finds_another_optimum_is_an_error() {
    let case = case();
    let plan = ["press a c", "press a b", "press c d", "press c d"];
    let wrong = Line {
        lower_bound: Some(4),
        upper_bound: Some(4),
        plan: Some(plan.map(str::to_owned).to_vec()),
        check: None,
        informed: true,
        ..derived(&case, "clean")
    };
    let mut derivation = Derivation::new(&case, "clean", Some(&wrong)).unwrap();
    let checked = derivation.check(1, &SearchOptions::default(), &Unlimited);
    assert!(matches!(checked, Err(OptimaError::Contradiction { .. })));
}

/// Compares a line under some semantics with the result of a planner made by hand.
fn compared(semantics: &str, fewest: Option<u32>) -> Result<Option<Method>, OptimaError> {
    let case = case();
    let known = Line {
        check: None,
        ..derived(&case, semantics)
    };
    let mut derivation = Derivation::new(&case, semantics, Some(&known))?;
    derivation.compare(fewest, 7)?;
    Ok(method(derivation.line()))
}

#[test]
fn a_planner_made_by_hand_checks_the_optimum_under_clean_that_it_finds_too() {
    let same = compared(CLEAN, Some(3));
    assert_eq!(same.unwrap(), Some(Method::HandMade));
    // Its rules may allow more.
    assert_eq!(compared(CLEAN, Some(2)).unwrap(), None);
    assert_eq!(compared(UPSTREAM, Some(1)).unwrap(), None);
    for more in [Some(4), None] {
        let error = compared(CLEAN, more);
        assert!(matches!(error, Err(OptimaError::Contradiction { .. })));
    }
}

#[test]
fn that_no_plan_exists_is_checked_too() {
    let problem = PROBLEM.replace("(next c d)", "");
    let line = derived(&Case { problem, ..case() }, "clean");
    assert_eq!(line.status, Status::Unsolvable);
    assert_eq!(method(&line), Some(Method::Exhaustion));
    assert!(line.is_complete() && line.plan.is_none());
}

#[test]
fn exhaustion_agrees_with_the_planner_on_optima_of_random_rows() {
    for mask in 0..64_u32 {
        let edges = [
            ("a", "b"),
            ("a", "c"),
            ("b", "c"),
            ("b", "d"),
            ("c", "d"),
            ("d", "c"),
        ];
        let chosen = edges
            .iter()
            .enumerate()
            .filter(|(at, _)| mask & (1 << at) != 0);
        let facts: String = chosen
            .map(|(_, (s, t))| format!(" (next {s} {t})"))
            .collect();
        let problem = format!(
            "(define (problem row) (:domain switches) (:objects a b c d - switch)
               (:init (on a){facts}) (:goal (and (on c) (on d))))"
        );
        let case = Case { problem, ..case() };
        let task = case.texts().compile("clean").unwrap();
        let result = solve(&task, &SearchOptions::default(), &Unlimited);
        let optimum = result.outcome.plan().map(|plan| plan.value.makespan);
        let found = match exhaust(&task, 9, 1000, &Unlimited) {
            Exhausted::Goal(steps) => Some(steps),
            Exhausted::NoGoal(_) => None,
            Exhausted::Stopped(reason) => panic!("{reason}"),
        };
        assert_eq!(found, optimum, "{facts}");
    }
}

#[test]
fn a_plan_that_is_played_is_reached_refused_or_missed() {
    let task = case().texts().compile("clean").unwrap();
    let played = |steps: &[&str]| {
        let steps: Vec<String> = steps.iter().map(|&step| step.to_owned()).collect();
        play(&task, &steps).0
    };
    let goal = ["press a b", "press a c", "press c d"];
    assert_eq!(played(&goal), Replay::Reached(3));
    assert_eq!(
        played(&[&goal[..], &["press a b"]].concat()),
        Replay::Reached(3)
    );
    assert_eq!(played(&goal[..2]), Replay::Missed {});
    assert_eq!(played(&goal[1..2]), Replay::Missed {});
    assert_eq!(played(&["press a b", "press c d"]), Replay::Refused(2));
    assert_eq!(played(&["leap d"]), Replay::Refused(1));
}

#[test]
fn a_plan_from_elsewhere_bounds_what_is_not_proven() {
    let case = case();
    let mut derivation = Derivation::new(&case, "clean", None).unwrap();
    let plan = ["press a b", "press b c", "press c d"].map(str::to_owned);
    derivation.try_plan(&plan).unwrap();
    assert_eq!(derivation.line().upper_bound, Some(3));
    assert_eq!(derivation.line().status, Status::Bounded);
    // One that is no plan says nothing.
    derivation.try_plan(&["leap d".to_owned()]).unwrap();
    assert_eq!(derivation.line().plan.as_deref(), Some(&plan[..]));
}

fn bounded(lower: u32, upper: Option<u32>) -> Line {
    Line {
        status: Status::Bounded,
        stopped: Some("the time limit was reached".to_owned()),
        lower_bound: Some(lower),
        upper_bound: upper,
        plan: upper.map(|steps| vec!["press a b".to_owned(); steps as usize]),
        plans: None,
        references: None,
        check: None,
        under_upstream: None,
        states: u64::from(lower),
        ..derived(&case(), "clean")
    }
}

#[test]
fn lines_on_the_same_texts_are_put_together() {
    let mut optima = Optima::default();
    let subject = case().subject;
    optima.add(bounded(1, Some(9)));
    assert_eq!(optima.add(bounded(2, None)), Added::Taken);
    let line = optima.of(&subject, "clean").unwrap();
    assert_eq!((line.lower_bound, line.upper_bound), (Some(2), Some(9)));
    assert_eq!((line.states, line.plan.as_ref().unwrap().len()), (2, 9));
    optima.add(bounded(1, Some(8)));
    let line = optima.of(&subject, "clean").unwrap();
    assert_eq!((line.lower_bound, line.upper_bound), (Some(2), Some(8)));
    assert_eq!((line.states, line.plan.as_ref().unwrap().len()), (2, 8));
    // Bounds that meet are a proof.
    optima.add(bounded(8, None));
    assert_eq!(optima.of(&subject, "clean").unwrap().optimum(), Some(8));
}

#[test]
fn a_proof_is_not_given_up_for_an_interval_nor_what_was_counted_and_checked() {
    let proven = derived(&case(), "clean");
    let mut again = bounded(2, None);
    again.succeed(&mut proven.clone());
    assert_eq!(again, proven);
    let mut uncounted = Line {
        plans: None,
        references: None,
        check: None,
        uncounted: Some("the time limit was reached".to_owned()),
        seconds: 1.5,
        ..proven.clone()
    };
    uncounted.succeed(&mut proven.clone());
    let expected = Line {
        seconds: 1.5,
        ..proven.clone()
    };
    assert_eq!(uncounted, expected);
    // What was derived from other texts is forgotten.
    let other = Line {
        compiled: "fnv1a64:1".to_owned(),
        ..bounded(1, None)
    };
    let mut added = other.clone();
    assert!(!added.contradicts(&proven));
    added.succeed(&mut proven.clone());
    assert_eq!(added, other);
}

#[test]
fn lines_that_cannot_both_be_right_are_recognised() {
    let proven = derived(&case(), "clean");
    assert!(!proven.contradicts(&bounded(2, Some(4))));
    assert!(proven.contradicts(&bounded(4, None)));
    assert!(bounded(1, Some(2)).contradicts(&proven));
    let none = Line {
        status: Status::Unsolvable,
        lower_bound: None,
        upper_bound: None,
        ..proven.clone()
    };
    assert!(none.contradicts(&proven) && proven.contradicts(&none));
}

#[test]
fn a_task_is_known_by_the_name_of_its_problem() {
    let subject = Subject::bundled("multi_agent-10_potato_soup").unwrap();
    assert_eq!(subject.published_name(), "multi_agent/10_potato_soup");
    assert_eq!(subject.number, 10);
    assert_eq!(
        subject.seeded(42).to_string(),
        "multi_agent/10_potato_soup/seed42"
    );
    assert!(Subject::bundled("multi_agent-2_soup").unwrap() < subject);
    assert!(Subject::bundled("boiled_egg").is_none());
}

#[test]
fn a_step_budget_is_one_and_a_half_times_the_optimum_rounded_up() {
    assert_eq!([0, 1, 2, 21].map(step_budget), [0, 2, 3, 32]);
}

/// The cells of the rows on a task in a page's tables of optima, behind its name, seed and published number.
fn row(page: &str, task: &str) -> Vec<String> {
    let start = format!("| `{task}` | ");
    let (_, tables) = page.split_once("\n## Tasks for one player\n").unwrap();
    let rows = tables.lines().filter_map(|line| line.strip_prefix(&start));
    rows.map(str::to_owned).collect()
}

#[test]
fn a_page_says_what_is_proven_what_is_bounded_and_what_is_missing() {
    let case = case();
    let named = |task: &str, line: Line| Line {
        task: task.to_owned(),
        ..line
    };
    let mut optima = Optima::default();
    let proven = Line {
        seconds: 0.25,
        ..derived(&case, "clean")
    };
    optima.add(proven.clone());
    optima.add(Line {
        compiled: "fnv1a64:1".to_owned(),
        uncounted: Some("the memory limit was reached".to_owned()),
        check: None,
        plans: None,
        references: None,
        ..derived(&case, "upstream")
    });
    optima.add(named("0_cheese_sandwich", bounded(8, Some(9))));
    optima.add(named("4_cheeseburger", bounded(12, None)));
    let carried = Line {
        semantics: UPSTREAM.to_owned(),
        ..bounded(12, Some(12))
    };
    optima.add(Line {
        status: Status::Proven,
        ..named("4_cheeseburger", carried)
    });
    let seeded = |line: Line| Line {
        seed: Some(84),
        ..line
    };
    optima.add(seeded(Line {
        upper_bound: None,
        status: Status::Unsolvable,
        ..proven
    }));
    let other = |task: &str| {
        let subject = Subject::new(Dataset::Synchronous, task, None).unwrap();
        Case {
            subject,
            ..case.clone()
        }
    };
    let cases = [
        case.clone(),
        other("0_cheese_sandwich"),
        other("4_cheeseburger"),
    ];
    let page = page(&rows(&cases).unwrap(), &optima);
    let found = row(&page, "synchronous/3_row");
    assert_eq!(found.len(), 2 + 10 + 1);
    assert_eq!(
        found[..2],
        [
            "| | clean | 3 | 4 | 4 | 6 | 0.2 | 5 | exhaustion, 5 states | 3 |",
            "| | upstream | 2† | the memory limit was reached | | 6 | 0.0 | 3 | – | |",
        ]
    );
    assert_eq!(
        found[2],
        "42 | | clean, upstream | not computed | | | | | | | |"
    );
    assert!(found[3].starts_with("84 | | clean | no plan | "));
    let interval = &row(&page, "synchronous/0_cheese_sandwich")[0];
    assert_eq!(interval, "| 10 | clean | 8–9 | | | 8 | 0.0 | | | |");
    let open = &row(&page, "synchronous/4_cheeseburger")[0];
    assert!(open.starts_with("| 15 | clean | 12 or more | "), "{open}");
    let carried = &row(&page, "synchronous/4_cheeseburger")[1];
    assert!(carried.starts_with("| 15 | upstream | 12 ‡"), "{carried}");
    assert!(page.contains("† derived before"));
    let summary =
        "| Tasks for one player | clean | 1 of 3 | 0 | 0 | 1 | 1 | 1 | 1 | 0 | 1 | 0 | 0 |";
    assert!(page.contains(summary));
}

/// The cells of a page's table of differences, of one task.
fn difference(lines: [(&str, Line); 2]) -> String {
    let mut optima = Optima::default();
    for (semantics, line) in lines {
        optima.add(Line {
            semantics: semantics.to_owned(),
            ..line
        });
    }
    let page = page(&rows(&[case()]).unwrap(), &optima);
    let (_, differences) = page
        .split_once("| task | seed | clean | upstream | the optimum differs |")
        .unwrap();
    let row = differences.lines().nth(2).unwrap();
    let (_, cells) = row.split_once("`synchronous/3_row` | | ").unwrap();
    cells.to_owned()
}

#[test]
fn a_page_says_for_each_task_whether_its_optimum_depends_on_the_semantics() {
    let exact = |optimum: u32| Line {
        status: Status::Proven,
        ..bounded(optimum, Some(optimum))
    };
    let unsolvable = || Line {
        status: Status::Unsolvable,
        ..bounded(0, None)
    };
    let of = |clean: Line, upstream: Line| difference([("clean", clean), ("upstream", upstream)]);
    assert_eq!(of(exact(8), exact(8)), "8 | 8 | no |");
    assert_eq!(of(exact(8), exact(7)), "8 | 7 | yes |");
    assert_eq!(of(unsolvable(), exact(14)), "no plan | 14 | yes |");
    assert_eq!(of(unsolvable(), unsolvable()), "no plan | no plan | no |");
    // The bounds alone distinguish some.
    let narrow = bounded(5, Some(7));
    assert_eq!(of(exact(8), narrow.clone()), "8 | 5–7 | yes |");
    assert_eq!(of(narrow, bounded(8, None)), "5–7 | 8 or more | yes |");
    let wide = || bounded(5, Some(9));
    assert_eq!(of(exact(8), wide()), "8 | 5–9 | open: upstream |");
    assert_eq!(
        of(unsolvable(), bounded(9, None)),
        "no plan | 9 or more | open: upstream |"
    );
    assert_eq!(of(wide(), wide()), "5–9 | 5–9 | open: clean, upstream |");
}

const KITCHEN: &str = include_str!("../../../../domains/robotouille.pddl");

const TEA: &str = "
    (define (problem tea)
      (:domain robotouille)
      (:objects stove1 sink1 - station robot1 - player pot1 - container water1 - meal)
      (:init (isstove stove1) (issink sink1) (isrobot robot1) (ispot pot1)
             (loc robot1 sink1) (vacant stove1) (nothing robot1) (station_empty stove1)
             (container_at pot1 sink1) (container_empty pot1) (free-water water1))
      (:goal (exists (?m - meal ?c - container) (and (isboiling ?m) (in ?m ?c)))))";

fn kitchen(old: &str, new: &str) -> Case {
    assert!(TEA.contains(old), "{old}");
    Case {
        subject: Subject::new(Dataset::Asynchronous, "1_tea", None).unwrap(),
        domain: KITCHEN.to_owned(),
        problem: TEA.replace(old, new),
    }
}

#[test]
fn no_plan_is_shorter_under_upstream_where_its_proof_applies() {
    assert!(never_sooner(&kitchen("", "")).unwrap());
    for (old, new) in [
        // Two meals, a meal at the start, something that cooks at the start, a pot that is a bowl.
        ("water1 - meal", "water1 water2 - meal"),
        ("(free-water water1)", "(iswater water1) (in water1 pot1)"),
        ("(free-water water1)", "(iscooking tea1)"),
        ("(ispot pot1)", "(ispot pot1) (isbowl pot1)"),
        // An item at two places; a problem in which something else loses, happens or costs.
        (
            "(ispot pot1)",
            "(ispot pot1) (item_on tea1 stove1) (item_on tea1 sink1)",
        ),
        (
            "(ispot pot1)",
            "(ispot pot1) (item_on tea1 stove1) (has_item robot1 tea1)",
        ),
        ("(:goal", "(:fail (isboiling water1)) (:goal"),
        ("(ispot pot1)", "(ispot pot1) (at 3 (vacant sink1))"),
        (
            "(in ?m ?c)))))",
            "(in ?m ?c)))) (:metric minimize (total-time)))",
        ),
        // Goals that more may make false, or that are others under each semantics.
        ("(isboiling ?m)", "(not (isboiling ?m))"),
        ("(isboiling ?m)", "(container_empty ?c)"),
        ("(isboiling ?m)", "(semantics clean) (isboiling ?m)"),
    ] {
        let mut case = kitchen(old, new);
        case.problem = case
            .problem
            .replace("robot1 - player", "robot1 - player tea1 - item");
        assert!(!never_sooner(&case).unwrap(), "{new}");
    }
    let mut case = kitchen("", "");
    case.domain = KITCHEN.replace("(after 4 (isfried ?i1))", "(after 5 (isfried ?i1))");
    assert!(!never_sooner(&case).unwrap());
}

#[test]
fn what_is_proven_under_clean_bounds_the_optimum_under_upstream() {
    let case = kitchen("", "");
    let clean = derived(&case, CLEAN);
    assert_eq!(clean.optimum(), Some(11));
    let mut upstream = Derivation::new(&case, UPSTREAM, None).unwrap();
    upstream.carry_over(&clean).unwrap();
    let line = upstream.line();
    assert_eq!((line.status, line.lower_bound), (Status::Bounded, Some(11)));
    upstream.try_plan(clean.plan.as_ref().unwrap()).unwrap();
    let line = upstream.into_line();
    assert_eq!(line.optimum(), Some(11));
    assert_eq!(line.proven_under, CLEAN);
    let own = derived(&case, UPSTREAM);
    assert_eq!((own.optimum(), &own.proven_under[..]), (Some(11), UPSTREAM));
}

#[test]
fn what_was_checked_under_clean_is_checked_under_upstream_where_the_optimum_is_the_same() {
    let case = kitchen("", "");
    let clean = derived(&case, CLEAN);
    let unchecked = Line {
        check: None,
        ..derived(&case, UPSTREAM)
    };
    let carried = |case: &Case, clean: &Line| {
        let mut upstream = Derivation::new(case, UPSTREAM, Some(&unchecked)).unwrap();
        upstream.carry_check_over(clean).unwrap();
        upstream.into_line().check
    };
    let check = carried(&case, &clean).unwrap();
    assert_eq!(check.under.as_deref(), Some(CLEAN));
    assert_eq!(Some(check.states), clean.check.as_ref().map(|it| it.states));
    let less = Line {
        lower_bound: Some(10),
        upper_bound: Some(10),
        ..clean.clone()
    };
    assert_eq!(carried(&case, &less), None);
    let unchecked_too = Line {
        check: None,
        ..clean.clone()
    };
    assert_eq!(carried(&case, &unchecked_too), None);
    // Where a plan may be shorter than all under `clean`.
    let mut other = case;
    other.domain.push(' ');
    assert_eq!(carried(&other, &clean), None);
}

#[test]
fn a_bound_that_contradicts_what_is_proven_is_an_error() {
    let case = kitchen("", "");
    let mut clean = derived(&case, CLEAN);
    let own = derived(&case, UPSTREAM);
    clean.lower_bound = Some(12);
    let mut upstream = Derivation::new(&case, UPSTREAM, Some(&own)).unwrap();
    assert!(matches!(
        upstream.carry_over(&clean),
        Err(OptimaError::Contradiction { .. })
    ));
}
