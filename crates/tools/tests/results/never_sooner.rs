//! That no plan of Robotouille is shorter under `upstream` than all under `clean`: the proof in
//! docs/reference/systems/robotouille.md, played out.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use brigade::task::effect::Record;
use brigade::task::facts::facts;
use brigade::task::step::Status;
use brigade::task::{OperatorId, PackedTask, StateBuf};
use brigade_tools::optima::{CLEAN, Case, Dataset, Subject, UPSTREAM, never_sooner};

use crate::optima::{bundled, played, sample};
use crate::root;
use crate::split_mix::Random;

/// A kitchen in which much is done at once.
const BUSY: &str = "(define (problem busy)
  (:domain robotouille)
  (:objects stove1 stove2 fryer1 board1 sink1 sink2 - station patty1 chicken1 onion1 potato1 - item
            robot1 - player pot1 bowl1 - container water1 - meal)
  (:init (isstove stove1) (isstove stove2) (isfryer fryer1) (isboard board1) (issink sink1)
         (issink sink2) (isrobot robot1) (ispatty patty1) (ischicken chicken1) (isonion onion1)
         (ispotato potato1) (ispot pot1) (isbowl bowl1)
         (iscookable patty1) (iscookable chicken1) (isfryable chicken1) (isfryable potato1)
         (iscuttable onion1) (isfryableifcut onion1) (iscuttable potato1)
         (loc robot1 stove2) (vacant stove1) (vacant fryer1) (vacant board1) (vacant sink1)
         (vacant sink2) (nothing robot1) (free-water water1) (container_empty pot1)
         (container_empty bowl1) (container_at pot1 sink1) (station_empty sink2)
         (item_at patty1 stove1) (item_on patty1 stove1) (clear patty1)
         (item_at chicken1 stove2) (item_on chicken1 stove2) (clear chicken1)
         (item_at potato1 fryer1) (item_on potato1 fryer1) (clear potato1)
         (item_at onion1 board1) (item_on onion1 board1) (clear onion1))
  (:goal (and (in water1 bowl1) (addedto patty1 water1) (isboiling water1) (isfried onion1))))";

/// Games that are played in it, and in each other task.
const BUSY_GAMES: u64 = 300;
const GAMES: u64 = 6;
/// Steps of each, at most, and those that are taken back because they lose.
const STEPS: usize = 150;

/// A process that takes time, and where it is done.
const SLOW: [&str; 6] = ["cook", "cut", "fry", "fill", "boil", "add"];
const WORKPLACES: [&str; 5] = ["stove", "board", "fryer", "sink", "pot"];

/// Predicates that may hold under `upstream` and not under `clean`.
const LATER_FALSE: [&str; 3] = ["iscooking", "container_empty", "free-water"];
/// Predicates that may hold under `clean` and not yet under `upstream`.
const SOONER_TRUE: [&str; 8] = [
    "iscooking",
    "iscooked",
    "iscut",
    "isfryable",
    "isfried",
    "isboiling",
    "iswater",
    "in",
];

/// A state after a step.
struct After {
    action: String,
    facts: BTreeSet<String>,
    status: Status,
}

/// A game: a task, and a state of it.
struct Game<'t> {
    task: &'t PackedTask,
    state: StateBuf,
}

impl<'t> Game<'t> {
    fn new(task: &'t PackedTask) -> Self {
        Self {
            task,
            state: task.initial.clone(),
        }
    }

    fn choices(&self) -> Vec<OperatorId> {
        let mover = self.task.mover(&self.state);
        self.task.applicable(&self.state, mover).collect()
    }

    fn name(&self, operator: OperatorId) -> &'t str {
        &self.task.operator(operator).name
    }

    fn play(&mut self, operator: OperatorId) -> After {
        let mut record = Record::default();
        let status = self.task.step(&mut self.state, &[operator], &mut record);
        let facts = facts(self.task, &self.state).into_iter();
        After {
            action: self.name(operator).to_owned(),
            // Those of predicates: how far things have come is not compared.
            facts: facts.filter(|fact| !fact.starts_with("(=")).collect(),
            status: status.unwrap(),
        }
    }

    /// Plays what has this name.
    fn play_named(&mut self, action: &str) -> After {
        let mut choices = self.choices().into_iter();
        let found = choices.find(|&operator| self.name(operator) == action);
        self.play(found.unwrap_or_else(|| panic!("{action} cannot be done")))
    }
}

/// The outcomes of two games.
#[derive(Default)]
struct Tally {
    games: usize,
    ahead: usize,
    waits: usize,
    water: usize,
}

/// A random game that is not lost, with much cooking.
fn random_game(task: &PackedTask, random: &mut Random) -> Vec<After> {
    let mut game = Game::new(task);
    let mut played = Vec::new();
    for _ in 0..STEPS {
        let mut choices = game.choices();
        for words in [&SLOW[..], &WORKPLACES] {
            let is_liked = |&it: &OperatorId| {
                let mut words = words.iter();
                words.any(|word| game.name(it).contains(word))
            };
            if !random.once_in(3) && choices.iter().any(is_liked) {
                choices.retain(is_liked);
            }
        }
        let before = game.state.clone();
        let after = game.play(choices[random.below(choices.len())]);
        match after.status {
            Status::Running => played.push(after),
            Status::Goal => {
                played.push(after);
                break;
            }
            Status::Failed | Status::Ended => game.state = before,
        }
    }
    played
}

/// The process that an action begins: its name, without who does it.
fn begun(action: &str) -> Option<String> {
    let words = action.split(' ').filter(|it| !it.starts_with("robot"));
    let words: Vec<&str> = words.collect();
    match words[0] {
        "cook" | "fry" | "fill-pot" | "boil-water" => Some(words.join(" ")),
        "cut" => Some(format!("cut {}", words[2])),
        _ => None,
    }
}

/// The filling that makes water in a game.
fn filling(game: &[After]) -> Option<String> {
    game.iter().find_map(|after| {
        let inside = after.facts.iter().find(|fact| fact.starts_with("(in "))?;
        let pot = inside.trim_end_matches(')').rsplit(' ').next()?;
        let at = format!("(container_at {pot} ");
        let sink = after.facts.iter().find_map(|fact| fact.strip_prefix(&at))?;
        Some(format!("fill-pot {pot} {}", sink.trim_end_matches(')')))
    })
}

/// The actions that the proof puts in place of those of a game under `upstream`.
fn followed(game: &[After]) -> Vec<String> {
    let filling = filling(game);
    let mut often: BTreeMap<String, usize> = BTreeMap::new();
    let follow = |after: &After| {
        let Some(begun) = begun(&after.action) else {
            return after.action.clone();
        };
        let is_other_filling = begun.starts_with("fill-pot") && filling.as_ref() != Some(&begun);
        let most = if begun.starts_with("cut") { 3 } else { 1 };
        let often = often.entry(begun).or_default();
        *often += 1;
        if is_other_filling || *often > most {
            "wait".to_owned()
        } else {
            after.action.clone()
        }
    };
    game.iter().map(follow).collect()
}

fn predicate(fact: &str) -> &str {
    let name = fact.trim_start_matches('(').split([' ', ')']).next();
    name.unwrap_or_default()
}

/// Returns true if the facts are those of the proof.
fn assert_no_sooner(about: &str, upstream: &After, clean: &After) {
    let more: Vec<&String> = upstream.facts.difference(&clean.facts).collect();
    let less: Vec<&String> = clean.facts.difference(&upstream.facts).collect();
    assert!(
        more.iter()
            .all(|fact| LATER_FALSE.contains(&predicate(fact))),
        "{about}: {more:?} under upstream alone"
    );
    assert!(
        less.iter()
            .all(|fact| SOONER_TRUE.contains(&predicate(fact))),
        "{about}: {less:?} under clean alone"
    );
}

fn assert_follows(case: &Case, games: u64, tally: &mut Tally) {
    let [clean, upstream] = [CLEAN, UPSTREAM].map(|semantics| played(case, semantics));
    for seed in 0..games {
        let game = random_game(&upstream, &mut Random(seed));
        let mut follower = Game::new(&clean);
        tally.games += 1;
        tally.water += usize::from(filling(&game).is_some());
        for (tick, (after, action)) in game.iter().zip(followed(&game)).enumerate() {
            let about = format!("{}, game {seed}, step {tick}: {action}", case.subject);
            let clean = follower.play_named(&action);
            assert_no_sooner(&about, after, &clean);
            tally.ahead += usize::from(clean.facts != after.facts);
            tally.waits += usize::from(action != after.action);
            if clean.status == Status::Goal {
                break;
            }
            assert_eq!(clean.status, Status::Running, "{about}");
            assert_eq!(after.status, Status::Running, "{about}");
        }
    }
}

#[test]
fn clean_follows_each_game_under_upstream_and_is_never_behind() {
    let mut tally = Tally::default();
    let busy = Case {
        subject: Subject::new(Dataset::Asynchronous, "0_busy", None).unwrap(),
        domain: fs::read_to_string(root().join("domains/robotouille.pddl")).unwrap(),
        problem: BUSY.to_owned(),
    };
    assert!(never_sooner(&busy).unwrap());
    assert_follows(&busy, BUSY_GAMES, &mut tally);
    let cases = bundled().into_iter().chain(sample());
    for case in cases.filter(|case| never_sooner(case).unwrap()) {
        assert_follows(&case, GAMES, &mut tally);
    }
    assert!(
        tally.games >= 100 && tally.waits > 1000 && tally.ahead > 1000 && tally.water > 10,
        "{} games, {} waits, {} steps ahead, {} with water",
        tally.games,
        tally.waits,
        tally.ahead,
        tally.water
    );
}
