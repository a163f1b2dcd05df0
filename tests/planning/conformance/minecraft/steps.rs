//! Steps of the domain and of the model, side by side.

use std::collections::BTreeSet;

use brigade::task::effect::Record;
use brigade::task::step::Status;
use brigade::task::{self, OperatorId, PackedTask, StateBuf};

use super::model::{Choice, Counts, PLAYERS, PROBLEMS, Problem, State};
use crate::common::compiled::{files, root, stem};
use crate::common::split_mix::Random;
use crate::conformance::game::{commands, compile, facts_but, operator, problem};

/// Kinds of choices.
const KINDS: usize = 7;

/// Weights of kinds that get things cooked.
const COOKS: [usize; KINDS] = [1, 8, 4, 8, 32, 32, 32];

/// The counts of all episodes together.
#[derive(Debug, Default, PartialEq, Eq)]
struct Done {
    steps: usize,
    /// Choices that are refused.
    refused: usize,
    /// Choices of each kind.
    kinds: [usize; KINDS],
    /// Steps after which a player carries, the chest holds, the furnace takes no more.
    full: [usize; 3],
    /// Steps after which the goal holds.
    solved: usize,
    completed: i64,
    failed: i64,
}

/// The facts of a state, but for numbers that are zero.
fn facts(task: &PackedTask, state: &task::State) -> BTreeSet<String> {
    let mut facts = facts_but(task, state, &[]);
    facts.retain(|fact| !fact.ends_with(" 0)"));
    facts
}

/// A choice: first its kind, by the weights of those that there are, then one of that kind.
fn drawn(choices: &[Choice], weights: &[usize; KINDS], random: &mut Random) -> Choice {
    let kinds: BTreeSet<usize> = choices.iter().map(|it| it.kind()).collect();
    let weighted = kinds.iter().flat_map(|&kind| vec![kind; weights[kind]]);
    let weighted: Vec<usize> = weighted.collect();
    let kind = weighted[random.below(weighted.len())];
    let of_kind: Vec<&Choice> = choices.iter().filter(|it| it.kind() == kind).collect();
    *of_kind[random.below(of_kind.len())]
}

/// Tries all that an agent may not do, once those before it have acted: it is refused, and changes nothing.
fn refuses(
    task: &PackedTask,
    before: &task::State,
    seen: &task::State,
    first: &[OperatorId],
) -> usize {
    let agent = first.len();
    let wait = task.applicable(before, 1).next();
    let mut refused = 0;
    for &operator in &task.agents[agent].operators {
        if task.is_applicable(seen, operator) {
            continue;
        }
        let mut joint = first.to_vec();
        joint.push(operator);
        joint.extend(wait.filter(|_| agent == 0));
        let mut state = before.to_owned();
        let error = task.step(&mut state, &joint, &mut Record::default());
        assert_eq!(error.unwrap_err().agent, agent);
        assert_eq!(*state, *before);
        refused += 1;
    }
    refused
}

/// Plays one step, and compares what comes of it.
fn step(
    task: &PackedTask,
    (model, state): (&mut State, &mut StateBuf),
    weights: &[usize; KINDS],
    random: &mut Random,
    done: &mut Done,
) {
    let before = state.clone();
    let mut seen = state.clone();
    let (mut names, mut operators) = (Vec::new(), Vec::new());
    for player in 0..PLAYERS.len() {
        let choices = model.choices(player);
        let expected: BTreeSet<String> = choices.iter().map(|it| it.command()).collect();
        assert_eq!(commands(task, &seen, player), expected, "{model:?}");
        done.refused += refuses(task, &before, &seen, &operators);
        let choice = drawn(&choices, weights, random);
        done.kinds[choice.kind()] += 1;
        model.act(player, choice);
        let operator = operator(task, &seen, player, &choice.command());
        task.act(&mut seen, operator, &mut Record::default());
        assert_eq!(facts(task, &seen), model.facts(), "{choice:?}");
        names.push(choice.command());
        operators.push(operator);
    }
    let mut record = Record::default();
    let status = task.step(state, &operators, &mut record).unwrap();
    let counts = model.end_step();
    assert_eq!(facts(task, state), model.facts(), "after {names:?}");
    assert_eq!(status == Status::Goal, model.is_solved(), "after {names:?}");
    let added = task.added(&record);
    let total = |name| added.get(name).copied().unwrap_or_default();
    let counted = Counts {
        completed: total("completed"),
        failed: total("failed"),
    };
    assert_eq!(counted, counts, "after {names:?}");
    done.steps += 1;
    done.completed += counts.completed;
    done.failed += counts.failed;
    done.solved += usize::from(model.is_solved());
    for (count, is_full) in done.full.iter_mut().zip(model.limits()) {
        *count += usize::from(is_full);
    }
}

/// An episode at random from a start: each kind of choice has a weight, those of [`COOKS`] or others.
fn episode(task: &PackedTask, mut model: State, length: u32, random: &mut Random, done: &mut Done) {
    let mut state = task.initial.clone();
    assert_eq!(facts(task, &state), model.facts());
    let weights = match random.below(2) {
        0 => COOKS,
        _ => std::array::from_fn(|_| [1, 2, 8, 32][random.below(4)]),
    };
    for tick in 1..=length {
        step(task, (&mut model, &mut state), &weights, random, done);
        let is_last = model.problem.horizon == Some(tick);
        assert_eq!(task.status(&state) == Status::Ended, is_last);
    }
}

/// Some 7200 steps of a problem in which each player has such things at the start.
fn compared(of: Problem, stock: &[(&'static str, u32)], random: &mut Random) -> Done {
    let mut text = problem("minecraft-kitchen", of.name);
    for (item, count) in stock {
        let has = PLAYERS.map(|player| format!("(= (has {player} {item}) {count})"));
        text = text.replace("(:init", &format!("(:init {}", has.concat()));
    }
    let task = compile("minecraft-kitchen", &text, true);
    let mut done = Done::default();
    let length = of.horizon.unwrap_or(200);
    for _ in 0..7200 / length {
        episode(&task, State::new(of, stock), length, random, &mut done);
    }
    done
}

/// Steps, refusals, how often each limit is met and the goal holds, and orders completed and failed.
type Figures = (usize, usize, [usize; 3], usize, [i64; 2]);

impl Done {
    fn figures(&self) -> Figures {
        assert!(self.kinds.iter().all(|&count| count > 0), "{self:?}");
        let orders = [self.completed, self.failed];
        (self.steps, self.refused, self.full, self.solved, orders)
    }
}

#[test]
fn every_step_of_episodes_at_random_is_that_of_the_model() {
    let mut random = Random(57);
    let done = PROBLEMS.map(|of| compared(of, &[], &mut random).figures());
    let expected = [
        (7200, 255_608, [317, 0, 362], 0, [15, 709]),
        (7200, 132_490, [1049, 347, 339], 3626, [0, 0]),
        (7200, 213_795, [1522, 103, 322], 1607, [0, 0]),
    ];
    assert_eq!(done, expected);
}

#[test]
fn orders_are_served_as_the_model_says_where_much_is_cooked() {
    let stock = [("cooked-mutton", 2), ("cooked-porkchop", 2)];
    let done = compared(PROBLEMS[0], &stock, &mut Random(58)).figures();
    assert_eq!(done, (7200, 252_223, [277, 0, 300], 0, [692, 203]));
}

#[test]
fn every_bundled_problem_is_compared() {
    let files = files(&root().join("problems/minecraft-kitchen"));
    let compared = PROBLEMS.map(|problem| problem.name);
    let found: Vec<&str> = files.iter().map(|path| stem(path)).collect();
    assert_eq!(found, compared);
}
