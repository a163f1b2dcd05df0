//! Random domains whose objects are alike: only static facts and the goal distinguish them.

use brigade::task::PackedTask;

use crate::oracle::compile::compile;
use crate::oracle::random::Random;

const ITEMS: [&str; 3] = ["i1", "i2", "i3"];
const PLACES: [&str; 2] = ["p1", "p2"];

/// The names that a piece of text may use.
#[derive(Clone, Copy)]
struct Scope {
    cook: &'static str,
    item: &'static str,
    place: &'static str,
}

struct Writer {
    random: Random,
}

impl Writer {
    fn pick<'a>(&mut self, texts: &[&'a str]) -> &'a str {
        texts[self.random.below(texts.len())]
    }

    fn fact(&mut self, scope: Scope) -> String {
        let Scope { cook, item, place } = scope;
        match self.random.below(6) {
            0 | 1 => format!("(at {item} {place})"),
            2 => format!("(done {item})"),
            3 => format!("(hot {place})"),
            4 => format!("(busy {cook})"),
            _ => "(bell)".to_owned(),
        }
    }

    fn cond(&mut self, scope: Scope, depth: usize) -> String {
        let Scope { cook, item, place } = scope;
        let shape = if depth == 0 { 0 } else { self.random.below(11) };
        match shape {
            0..=2 => self.fact(scope),
            3 => format!("(not {})", self.fact(scope)),
            4 => format!("(= (held {cook}) {item})"),
            5 => format!("(= (held {cook}) undefined)"),
            6 => format!("(or {} {})", self.cond(scope, depth - 1), self.fact(scope)),
            7 => format!("(and {} {})", self.cond(scope, depth - 1), self.fact(scope)),
            8 => {
                let inner = Scope {
                    item: "?j",
                    ..scope
                };
                let word = self.pick(&["forall", "exists"]);
                format!("({word} (?j - item) {})", self.cond(inner, depth - 1))
            }
            9 => format!("(linked {place} {item})"),
            _ => format!("(>= (heat {place}) 1)"),
        }
    }

    fn effect(&mut self, scope: Scope, depth: usize) -> String {
        let Scope { cook, item, place } = scope;
        let shape = if depth == 0 { 0 } else { self.random.below(13) };
        match shape {
            0..=2 => self.fact(scope),
            3 => format!("(not {})", self.fact(scope)),
            4 => format!("(assign (held {cook}) {item})"),
            5 => format!("(assign (held {cook}) undefined)"),
            6 | 7 => format!(
                "(and {} {})",
                self.effect(scope, depth - 1),
                self.effect(scope, depth - 1)
            ),
            8 => format!(
                "(when {} {})",
                self.cond(scope, 1),
                self.effect(scope, depth - 1)
            ),
            9 => {
                let inner = Scope {
                    item: "?j",
                    ..scope
                };
                format!(
                    "(forall (?j - item) (when {} {}))",
                    self.cond(inner, 1),
                    self.effect(inner, 0)
                )
            }
            10 => {
                let ticks = 1 + self.random.below(3);
                format!("(after {ticks} {})", self.effect(scope, 0))
            }
            11 => format!("(increase (heat {place}) 1)"),
            _ => format!("(assign (heat {place}) 0)"),
        }
    }
}

/// The task of this seed.
pub(crate) fn task(seed: u64) -> PackedTask {
    let (domain, problem) = texts(seed);
    compile(&domain, &problem)
}

/// A domain and a problem.
pub(crate) fn texts(seed: u64) -> (String, String) {
    let mut writer = Writer {
        random: Random(seed),
    };
    let turns = writer.pick(&["sequential", "simultaneous", "alternate"]);
    let scope = Scope {
        cook: "?c",
        item: "?i",
        place: "?p",
    };
    let mut actions = String::new();
    for number in 0..3 + writer.random.below(3) {
        let cost = writer.random.below(3);
        actions.push_str(&format!(
            "(:action a{number} :agent ?c - cook :parameters (?i - item ?p - place)\n  \
             :precondition (or (done ?i) {})\n  :effect (and {} {} (increase (total-cost) {cost})))\n",
            writer.cond(scope, 2),
            writer.fact(scope),
            writer.effect(scope, 3),
        ));
    }
    if writer.random.once_in(2) {
        // No cook takes part in an event.
        let effect = writer.effect(scope, 2).replace("?c", "ann");
        let cond = writer.cond(scope, 2).replace("?c", "ann");
        actions.push_str(&format!(
            "(:event e :parameters (?i - item ?p - place) :precondition {cond} :effect {effect})\n"
        ));
    }
    if writer.random.once_in(3) {
        actions.push_str("(:derived (bell) (exists (?i - item) (and (done ?i) (at ?i p1))))\n");
        actions = actions.replace("(not (bell))", "(not (done ?i))");
    }
    let bell = if actions.contains(":derived") {
        // What is derived is no effect.
        let mut parts: Vec<String> = actions.split(":effect").map(String::from).collect();
        for part in parts.iter_mut().skip(1) {
            let end = part.find("\n(:").unwrap_or(part.len());
            let effect = part[..end].replace("(bell)", "(hot p2)");
            part.replace_range(..end, &effect);
        }
        actions = parts.join(":effect");
        ""
    } else {
        "(bell)"
    };
    let cooks = writer.pick(&["ann", "ann bob"]);
    let live = writer.pick(&[
        "",
        "",
        "(:live-effects list)",
        "(:live-effects list-skipping)",
    ]);
    let predicates = "(at ?i - item ?p - place) (done ?i - item) (hot ?p - place)
   (busy ?c - cook) (linked ?p - place ?i - item)";
    let domain = format!(
        "(define (domain twins)\n (:requirements :adl :multi-agent :delayed-effects :events :object-fluents\n  \
         :bounded-numbers :action-costs :derived-predicates :horizon)\n (:turns {turns})\n {live}\n (:types cook item place)\n \
         (:constants ann - cook p1 p2 - place)\n (:predicates {predicates} {})\n \
         (:functions (total-cost) - number (held ?c - cook) - item\n  \
         (heat ?p - place) - (int 0 2))\n{actions})\n",
        if bell.is_empty() { "(bell)" } else { bell },
    );
    let mut init = String::new();
    // One static fact may distinguish twins.
    for place in PLACES {
        for item in ITEMS {
            if writer.random.once_in(4) {
                init.push_str(&format!(" (linked {place} {item})"));
            }
        }
    }
    if writer.random.once_in(2) {
        init.clear();
    }
    for item in ITEMS {
        if writer.random.once_in(2) {
            init.push_str(&format!(" (at {item} {})", writer.pick(&PLACES)));
        }
    }
    let place = writer.pick(&PLACES);
    let goal = match writer.random.below(6) {
        0 => format!("(forall (?i - item) (at ?i {place}))"),
        1 => format!("(exists (?i - item) (and (done ?i) (at ?i {place})))"),
        2 => format!("(and (done i1) (at i2 {place}))"),
        3 => "(and (hot p2) (exists (?c - cook) (busy ?c)))".to_owned(),
        4 => "(and (done i1) (or (hot p1) (hot p2)))".to_owned(),
        _ => "(forall (?i - item) (done ?i))".to_owned(),
    };
    let metric = writer.pick(&["(:metric minimize (total-cost))", ""]);
    let problem = format!(
        "(define (problem one) (:domain twins)\n (:objects {} - cook {} - item)\n \
         (:init (= (total-cost) 0) (= (heat p1) 0) (= (heat p2) 1){init})\n \
         (:goal {goal}) {metric} (:horizon 7))\n",
        cooks.replace("ann", "").trim(),
        ITEMS.join(" "),
    );
    let problem = problem.replace("(:objects  - cook", "(:objects");
    (domain, problem)
}
