//! The differences between the two semantics of Robotouille's kitchen, as docs/reference/systems/robotouille.md lists them: the same
//! actions under both. The differences in goals are tested where goals are read.

use std::fs;

use brigade::ground;
use brigade::task::effect::Record;
use brigade::task::facts::facts;

use crate::domains::{files, model, root};

/// Two stoves and a board; a cook at the second stove, and one at the board.
const KITCHEN: &str = "(define (problem kitchen)
  (:domain robotouille)
  (:objects stove1 stove2 board1 - station patty1 patty2 lettuce1 - item robot1 robot2 - player)
  (:init (isstove stove1) (isstove stove2) (isboard board1) (isrobot robot1) (isrobot robot2)
         (ispatty patty1) (ispatty patty2) (islettuce lettuce1)
         (iscookable patty1) (iscookable patty2) (iscuttable lettuce1)
         (loc robot1 stove2) (loc robot2 board1) (vacant stove1)
         (nothing robot1) (nothing robot2)
         (item_at patty2 stove2) (item_on patty2 stove2) (clear patty2)
         (item_at lettuce1 board1) (item_on lettuce1 board1) (clear lettuce1)
         PLACE)
  (:goal (iscut lettuce1)))";

/// The first stove with a patty on it, and without.
const TAKEN: &str = "(item_at patty1 stove1) (item_on patty1 stove1) (clear patty1)";
const EMPTY: &str = "(station_empty stove1)";

/// The facts after each of some actions, under `clean` and under `upstream`.
fn played(place: &str, actions: &[&str]) -> [Vec<Vec<String>>; 2] {
    let domain = fs::read_to_string(root().join("domains/robotouille.pddl")).unwrap();
    let problem = KITCHEN.replace("PLACE", place);
    ["clean", "upstream"].map(|semantics| {
        let options = ground::Options::default().with_irrelevant_kept(true);
        let model = model(&domain, &problem, semantics);
        let task = ground::ground(&model, &options).unwrap();
        let mut state = task.initial.clone();
        let play = |name: &&str| {
            let mut operators = task.applicable(&state, 0);
            let chosen = operators.find(|&id| task.operator(id).name == **name);
            drop(operators);
            let joint = [chosen.unwrap_or_else(|| panic!("{name} cannot be chosen"))];
            task.step(&mut state, &joint, &mut Record::default())
                .unwrap();
            facts(&task, &state)
        };
        actions.iter().map(play).collect()
    })
}

/// After which action, from 1, a fact holds for the first time.
fn first(steps: &[Vec<String>], fact: &str) -> Option<usize> {
    let holds = |facts: &Vec<String>| facts.iter().any(|known| known == fact);
    steps.iter().position(holds).map(|at| at + 1)
}

#[test]
fn under_upstream_one_effect_that_leaves_holds_up_the_next() {
    let actions = [
        "cook stove2 patty2 robot1",
        "move robot1 stove2 stove1",
        "cook stove1 patty1 robot1",
        "wait",
        "wait",
        "wait",
        "wait",
    ];
    let done = played(TAKEN, &actions).map(|steps| {
        let cooked = |patty| first(&steps, &format!("(iscooked {patty})"));
        (cooked("patty2"), cooked("patty1"))
    });
    assert_eq!(done, [(Some(4), Some(6)), (Some(4), Some(7))]);
}

#[test]
fn live_effects_advance_in_the_order_of_the_file_or_of_their_start() {
    // What was begun at the second stove, where the patty no longer is, makes it one that is not cooking.
    let actions = [
        "cook stove2 patty2 robot1",
        "pick-up-item robot1 patty2 stove2",
        "move robot1 stove2 stove1",
        "place-item robot1 patty2 stove1",
        "cook stove1 patty2 robot1",
    ];
    let cooking = played(EMPTY, &actions).map(|steps| {
        let mut facts = steps.last().unwrap().iter();
        facts.any(|fact| fact == "(iscooking patty2)")
    });
    assert_eq!(cooking, [false, true]);
}

#[test]
fn under_upstream_what_is_over_cannot_be_started_anew_before_it_leaves() {
    // At the fourth step the patty is done and the third cut is passed over: the fourth is not counted.
    let cut = "cut board1 lettuce1 robot2";
    let actions = ["cook stove2 patty2 robot1", cut, cut, cut, cut];
    let counted = played(TAKEN, &actions).map(|steps| {
        assert_eq!(first(&steps, "(iscut lettuce1)"), Some(4));
        let facts = steps.last().unwrap().iter();
        facts.filter(|fact| fact.contains("on-nth 3")).count()
    });
    assert_eq!(counted, [1, 0]);
}

#[test]
fn under_both_what_pauses_goes_on_and_cuts_need_not_follow_each_other() {
    let actions = [
        "cook stove2 patty2 robot1",
        "pick-up-item robot1 patty2 stove2",
        "place-item robot1 patty2 stove2",
        "cut board1 lettuce1 robot2",
        "wait",
        "cut board1 lettuce1 robot2",
        "move robot2 board1 stove1",
        "move robot2 stove1 board1",
        "cut board1 lettuce1 robot2",
    ];
    for steps in played(EMPTY, &actions) {
        let cooking = steps
            .iter()
            .map(|facts| facts.iter().any(|fact| fact == "(iscooking patty2)"));
        let cooking: Vec<bool> = cooking.take(5).collect();
        assert_eq!(cooking, [true, false, true, true, false]);
        assert_eq!(first(&steps, "(iscooked patty2)"), Some(5));
        assert_eq!(first(&steps, "(iscut lettuce1)"), Some(9));
    }
}

#[test]
fn nothing_but_live_effects_and_goals_asks_for_the_semantics() {
    for name in ["robotouille", "robotouille-in-turn"] {
        let domain = fs::read_to_string(root().join(format!("domains/{name}.pddl"))).unwrap();
        let asking = domain.lines().filter(|line| line.contains("semantics"));
        let asking: Vec<&str> = asking.map(str::trim).collect();
        let expected = [
            "(:semantics clean upstream)",
            "(:live-effects list-skipping :semantics upstream)",
        ];
        assert_eq!(asking, expected);
        for path in files(&root().join("problems").join(name)) {
            let problem = fs::read_to_string(&path).unwrap();
            let (before, _) = problem.split_once("(:goal").unwrap();
            assert!(!before.contains("semantics"), "{}", path.display());
        }
    }
}
