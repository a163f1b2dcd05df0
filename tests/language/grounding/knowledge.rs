//! The knowledge of agents about possible and past actions, where not everyone observes all facts.

use std::collections::BTreeSet;

use brigade::agents::{Choice, Observation, Policy, PolicyError, View};
use brigade::episode::{Episode, Lexicon, Refusal, Rule, Rules};
use brigade::task::symbols::Value;
use brigade::task::{OperatorId, PackedTask};

use crate::grounding::compile::{resolve_texts, task};
use crate::grounding::random_domains::Random;

/// A game with cards that are hidden from their holder; what they are is said of colour and rank, not of the card. Ann
/// whispers to the player that she names, and Bob is the one who may look at the deck.
const DOMAIN: &str = "(define (domain hands)
  (:requirements :adl :text :multi-agent :object-fluents :derived-predicates :partial-observability)
  (:types player slot card colour rank)
  (:predicates
    (spy ?p - player)
    (played ?c - card :text \"a {(colour ?c)} {(rank ?c)} is played\")
    (holds ?p - player ?s - slot ?c - card
      :text ?p \"{?p} holds a {(colour ?c)} {(rank ?c)} in {?s}\"
      :observable-by (?v - player) (not (= ?v ?p)))
    (red-in ?p - player ?s - slot)
    (top ?c - card :text \"the next card is a {(colour ?c)} {(rank ?c)}\"
      :observable-by (?v - player) (spy ?v)))
  (:functions (colour ?c - card) - colour (rank ?c - card) - rank)
  (:derived (red-in ?p - player ?s - slot)
    (exists (?c - card) (and (holds ?p ?s ?c) (= (colour ?c) red))))
  (:constants red blue - colour)
  (:turns alternate)
  (:action play-red :agent ?p - player :parameters (?s - slot)
    :precondition (and (else \"the card in {?s} is not red\" (red-in ?p ?s))
                       (else \"{?p} is a spy\" (not (spy ?p))))
    :effect (forall (?c - card) (when (holds ?p ?s ?c) (and (played ?c) (not (holds ?p ?s ?c)))))
    :text \"play the red card in {?s}\")
  (:action praise :agent ?p - player :parameters (?to - player ?s - slot)
    :precondition (and (not (= ?p ?to)) (else \"{?to} has nothing red in {?s}\" (red-in ?to ?s)))
    :effect (and)
    :text \"praise {?to} for {?s}\")
  (:action fetch :agent ?p - player :parameters (?to - player ?s - slot ?c - card)
    :precondition (spy ?p)
    :effect (and (holds ?to ?s ?c) (not (spy ?p)))
    :text \"fetch a card for {?to}\")
  (:action whisper :agent ?p - player :parameters (?to - player)
    :precondition (not (= ?p ?to))
    :observable-by (?v - player) (= ?v ?to)
    :effect (spy ?to)
    :text \"whisper to {?to}\"))";

fn problem(hands: &str) -> PackedTask {
    let problem = format!(
        "(define (problem deal) (:domain hands)
           (:objects ann bob cleo - player left right - slot r1 r2 b1 b2 - card one two - rank)
           (:init (= (colour r1) red) (= (colour r2) red) (= (colour b1) blue) (= (colour b2) blue)
                  (= (rank r1) one) (= (rank r2) two) (= (rank b1) one) (= (rank b2) two) {hands})
           (:goal (played r1)))"
    );
    task(&resolve_texts(DOMAIN, &problem, "clean"))
}

const DEAL: &str = "(holds ann left r1) (holds ann right b1) (holds bob left r2) (top b2)";
/// As Ann sees it this is the same.
const OTHER: &str = "(holds ann left b1) (holds ann right r1) (holds bob left r2) (top b2)";

fn shown(task: &PackedTask, agent: usize) -> Vec<&str> {
    let operators = task.applicable_as_known(&task.initial, agent);
    operators
        .map(|operator| &*task.operator(operator).text)
        .collect()
}

fn refused(task: &PackedTask, command: &str) -> Box<Refusal> {
    Lexicon::new(task)
        .resolve(task, &task.initial, 0, command)
        .unwrap_err()
}

#[test]
fn an_agent_is_shown_what_is_legal_as_far_as_it_knows() {
    let (deal, other) = (problem(DEAL), problem(OTHER));
    let own = ["play the red card in left", "play the red card in right"];
    let both = shown(&deal, 0);
    assert!(own.iter().all(|text| both.contains(text)), "{both:?}");
    assert_eq!(both, shown(&other, 0));
    assert_eq!(
        deal.observe_as(&deal.initial, 0),
        other.observe_as(&other.initial, 0)
    );
    // Of what the others hold she knows all.
    assert!(both.contains(&"praise bob for left") && !both.contains(&"praise bob for right"));
    // What is so for everyone who looks on is what it is.
    let legal: Vec<OperatorId> = deal.applicable(&deal.initial, 0).collect();
    assert!(legal.len() < both.len());
}

#[test]
fn facts_are_said_of_what_a_card_is_and_not_of_the_card() {
    let deal = problem(DEAL);
    let seen = deal.observe_as(&deal.initial, 0).to_string();
    assert!(seen.contains("bob holds a red two in left"), "{seen}");
    for hidden in ["ann holds", "the next card", "r1", "r2", "b1", "b2"] {
        assert!(!seen.contains(hidden), "{hidden}: {seen}");
    }
}

#[test]
fn a_refusal_gives_no_reason_that_the_agent_does_not_know() {
    let deal = problem(DEAL);
    let hidden = refused(&deal, "play the red card in right");
    assert_eq!((hidden.rule, hidden.reasons.len()), (Rule::Precondition, 0));
    let message = hidden.to_string();
    assert!(
        message.contains("its precondition does not hold."),
        "{message}"
    );
    // Nor does the list of what can be done instead.
    let other = problem(OTHER);
    assert_eq!(
        hidden.legal,
        refused(&other, "play the red card in left").legal
    );
    let known = refused(&deal, "praise bob for right");
    assert_eq!(known.reasons, ["bob has nothing red in right"]);
    let spy = problem(&format!("{DEAL} (spy ann)"));
    let known = refused(&spy, "play the red card in right");
    assert_eq!(known.reasons, ["ann is a spy"]);
}

#[test]
fn without_hidden_facts_nothing_is_left_open() {
    let open = DOMAIN
        .replace(":observable-by (?v - player) (not (= ?v ?p))", "")
        .replace(":observable-by (?v - player) (spy ?v)", "");
    let text = "(define (problem deal) (:domain hands)
        (:objects ann bob - player left - slot r1 - card one - rank)
        (:init (= (colour r1) red) (= (rank r1) one) (holds ann left r1)) (:goal (played r1)))";
    let task = task(&resolve_texts(&open, text, "clean"));
    assert!(task.observation.knowledge.legal.is_empty());
    assert!(!task.observation.is_partial);
}

/// Notes what it is shown.
struct Witness(std::rc::Rc<std::cell::RefCell<Vec<String>>>, &'static str);

impl Policy for Witness {
    fn choose(&mut self, view: &View<'_>) -> Result<Choice, PolicyError> {
        let text = |operator: &&OperatorId| view.task.operator(**operator).text == self.1;
        let chosen = view.legal.iter().find(text).or(view.legal.first());
        Ok((*chosen.unwrap()).into())
    }

    fn observe(&mut self, observation: &Observation<'_>) {
        let texts = observation
            .joint
            .iter()
            .map(|it| observation.task.operator(*it).text.clone());
        self.0.borrow_mut().extend(texts);
    }
}

#[test]
fn only_those_learn_of_an_action_whom_it_names() {
    let deal = problem(DEAL);
    let notes: Vec<_> = (0..3).map(|_| std::rc::Rc::default()).collect();
    let witness = |at: usize, text| -> Box<dyn Policy> {
        Box::new(Witness(std::rc::Rc::clone(&notes[at]), text))
    };
    let mut policies = vec![
        witness(0, "whisper to bob"),
        witness(1, "praise ann for left"),
        witness(2, "wait"),
    ];
    let rules = Rules {
        max_ticks: 2,
        ..Rules::default()
    };
    let Ok(_) = Episode::new(&deal, rules).run(&mut policies, &mut Vec::new(), &|| None);
    let seen = |at: usize| notes[at].borrow().clone();
    assert_eq!(seen(0), ["whisper to bob", "praise ann for left"]);
    assert_eq!(seen(1), ["whisper to bob", "praise ann for left"]);
    assert_eq!(seen(2), ["praise ann for left"]);
}

/// In random states an agent cannot distinguish two states by the actions shown as legal where it observes the same,
/// and whatever is legal is shown.
#[test]
fn what_is_shown_depends_on_nothing_hidden() {
    let task = problem(DEAL);
    let mut random = Random(77);
    let mut by_view: std::collections::BTreeMap<String, BTreeSet<OperatorId>> =
        std::collections::BTreeMap::new();
    let (mut compared, mut hidden) = (0, 0);
    for _ in 0..4000 {
        let deal: Vec<String> = (0..4)
            .map(|_| {
                let pick = |random: &mut Random, of: &[&str]| of[random.below(of.len())].to_owned();
                let player = pick(&mut random, &["ann", "ann", "bob"]);
                let slot = pick(&mut random, &["left", "right"]);
                format!(
                    "holds {player} {slot} {}",
                    pick(&mut random, &["r1", "b1", "r2"])
                )
            })
            .collect();
        let mut state = task.initial.clone();
        for variable in &task.variables {
            for (value, Value { name, .. }) in (0..).zip(&variable.values) {
                if name.trim_matches(['(', ')']).starts_with("holds") {
                    let on = deal.iter().any(|fact| name.contains(fact.as_str()));
                    if on {
                        variable.set(&mut state, value);
                    } else if variable.get(&state) == value {
                        variable.set(&mut state, 0);
                    }
                }
            }
        }
        task.derive(&mut state);
        let shown: BTreeSet<OperatorId> = task.applicable_as_known(&state, 0).collect();
        let legal: BTreeSet<OperatorId> = task.applicable(&state, 0).collect();
        assert!(legal.is_subset(&shown));
        hidden += usize::from(legal != shown);
        let view = task.observe_as(&state, 0).facts.join("\n");
        match by_view.get(&view) {
            Some(before) => {
                assert_eq!(*before, shown, "{view}");
                compared += 1;
            }
            None => {
                by_view.insert(view, shown);
            }
        }
    }
    assert!(compared > 1000 && hidden > 1000, "{compared} {hidden}");
}
