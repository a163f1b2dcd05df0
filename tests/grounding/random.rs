//! Random domains with a problem, as text: every construct, in all turn modes, from a seed.

use crate::agree::{Extent, Random, agree};
use crate::compile::{resolve_texts, task};

/// A variable in scope: its name and its type.
type Bound = (String, &'static str);

struct Writer {
    random: Random,
    /// Whether labels may be logged here.
    may_log: bool,
    /// How deep the effect or condition may still be nested.
    fuel: usize,
    names: usize,
}

const PREDICATES: [(&str, &[&str]); 5] = [
    ("p", &[]),
    ("on", &["item", "place"]),
    ("hot", &["place"]),
    ("near", &["cook", "place"]),
    ("done", &["item"]),
];
const TRANSIENTS: [(&str, &[&str]); 2] = [("seen", &["cook"]), ("touched", &["item"])];
const DERIVED: [(&str, &[&str]); 2] = [("linked", &["place", "place"]), ("free", &["place"])];
const POINTERS: [(&str, &[&str], &str); 3] = [
    ("held", &["cook"], "item"),
    ("where", &["item"], "place"),
    ("next", &["place"], "place"),
];
const NUMBERS: [(&str, &[&str]); 2] = [("n", &[]), ("level", &["place"])];
const TYPES: [&str; 3] = ["cook", "item", "place"];
const OBJECTS: [(&str, &[&str]); 3] = [
    ("cook", &["ann", "bob"]),
    ("item", &["egg", "leek"]),
    ("place", &["top", "bottom"]),
];

impl Writer {
    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.random.below(from.len())]
    }

    fn constant(&mut self, ty: &str) -> &'static str {
        let (_, objects) = OBJECTS.iter().find(|(other, _)| *other == ty).unwrap();
        self.pick(objects)
    }

    /// A term of a type: mostly a variable.
    fn term(&mut self, ty: &'static str, scope: &[Bound]) -> String {
        let bound: Vec<&Bound> = scope.iter().filter(|(_, other)| *other == ty).collect();
        if !bound.is_empty() && self.random.chance(70) {
            let at = self.random.below(bound.len());
            return format!("?{}", bound[at].0);
        }
        let pointers: Vec<_> = POINTERS
            .iter()
            .filter(|(_, _, range)| *range == ty)
            .collect();
        if !pointers.is_empty() && self.fuel > 0 && self.random.chance(35) {
            self.fuel -= 1;
            let (name, params, _) = pointers[self.random.below(pointers.len())];
            return self.applied(name, params, scope);
        }
        self.constant(ty).to_owned()
    }

    fn applied(&mut self, name: &str, params: &[&'static str], scope: &[Bound]) -> String {
        let mut text = format!("({name}");
        for ty in params {
            text.push(' ');
            text.push_str(&self.term(ty, scope));
        }
        text.push(')');
        text
    }

    fn number(&mut self, scope: &[Bound]) -> String {
        match self.random.below(7) {
            0 | 1 => self.random.below(4).to_string(),
            2 | 3 => {
                let (name, params) = self.pick(&NUMBERS);
                self.applied(name, params, scope)
            }
            4 if self.fuel > 0 => {
                self.fuel -= 1;
                let symbol = self.pick(&["+", "-", "*", "min", "max"]);
                let (left, right) = (self.number(scope), self.number(scope));
                format!("({symbol} {left} {right})")
            }
            5 if self.fuel > 0 => {
                self.fuel -= 1;
                let (list, inner) = self.quantifier(scope);
                let body = self.atom(&inner);
                format!("(count ({list}) {body})")
            }
            _ => {
                let difference = self.random.below(3);
                format!("(abs (- (n) {difference}))")
            }
        }
    }

    /// A list of one new variable, and the scope with it.
    fn quantifier(&mut self, scope: &[Bound]) -> (String, Vec<Bound>) {
        let ty = self.pick(&TYPES);
        self.names += 1;
        let name = format!("q{}", self.names);
        let mut inner = scope.to_vec();
        inner.push((name.clone(), ty));
        (format!("?{name} - {ty}"), inner)
    }

    fn atom(&mut self, scope: &[Bound]) -> String {
        let at = self.random.below(PREDICATES.len() + 4);
        let (name, params) = match at {
            0..5 => PREDICATES[at],
            5 | 6 => TRANSIENTS[at - 5],
            _ => DERIVED[at - 7],
        };
        self.applied(name, params, scope)
    }

    fn cond(&mut self, scope: &[Bound]) -> String {
        let shape = self.random.below(12);
        if shape == 0 {
            return self.applied("can", &["cook", "place"], scope);
        }
        if self.fuel == 0 || shape < 4 {
            return self.atom(scope);
        }
        self.fuel -= 1;
        match shape {
            4 => format!("(not {})", self.cond(scope)),
            5 => format!("(and {} {})", self.cond(scope), self.cond(scope)),
            6 => format!("(or {} {})", self.cond(scope), self.cond(scope)),
            7 => {
                let word = self.pick(&["forall", "exists"]);
                let (list, inner) = self.quantifier(scope);
                format!("({word} ({list}) {})", self.cond(&inner))
            }
            8 | 9 => {
                let (name, params, range) = self.pick(&POINTERS);
                let left = self.applied(name, params, scope);
                let right = if self.random.chance(30) {
                    "undefined".to_owned()
                } else {
                    self.term(range, scope)
                };
                format!("(= {left} {right})")
            }
            10 => {
                let ty = self.pick(&TYPES);
                format!(
                    "(not (= {} {}))",
                    self.term(ty, scope),
                    self.term(ty, scope)
                )
            }
            _ => {
                let symbol = self.pick(&["=", "<", "<=", ">", ">="]);
                format!("({symbol} {} {})", self.number(scope), self.number(scope))
            }
        }
    }

    /// A change of one fluent.
    fn change(&mut self, scope: &[Bound]) -> String {
        match self.random.below(10) {
            0..5 => {
                let at = self.random.below(PREDICATES.len() + TRANSIENTS.len());
                let (name, params) = match at {
                    0..5 => PREDICATES[at],
                    _ => TRANSIENTS[at - 5],
                };
                let atom = self.applied(name, params, scope);
                if self.random.chance(50) {
                    atom
                } else {
                    format!("(not {atom})")
                }
            }
            5..8 => {
                let (name, params, range) = self.pick(&POINTERS);
                let target = self.applied(name, params, scope);
                let value = if self.random.chance(25) {
                    "undefined".to_owned()
                } else {
                    self.term(range, scope)
                };
                format!("(assign {target} {value})")
            }
            _ => {
                let op = self.pick(&["assign", "increase", "decrease", "increase", "scale-up"]);
                let (name, params) = self.pick(&NUMBERS);
                let target = self.applied(name, params, scope);
                format!("({op} {target} {})", self.number(scope))
            }
        }
    }

    fn effect(&mut self, scope: &[Bound]) -> String {
        let shape = self.random.below(22);
        if self.fuel == 0 || shape < 6 {
            return self.change(scope);
        }
        self.fuel -= 1;
        match shape {
            6..10 => format!("(and {} {})", self.effect(scope), self.effect(scope)),
            10 => format!("(seq {} {})", self.effect(scope), self.effect(scope)),
            11 => {
                let (list, inner) = self.quantifier(scope);
                format!("(forall ({list}) {})", self.effect(&inner))
            }
            12 => {
                let (list, inner) = self.quantifier(scope);
                format!("(for-each ({list}) {})", self.effect(&inner))
            }
            13 => format!("(when {} {})", self.cond(scope), self.effect(scope)),
            14 => format!(
                "(case ({} {}) ({} {}) (else {}))",
                self.cond(scope),
                self.effect(scope),
                self.cond(scope),
                self.effect(scope),
                self.effect(scope)
            ),
            15 => {
                let (variable, choice, inner) = self.choice(scope);
                format!(
                    "(let (({variable} {choice})) {} :else {})",
                    self.effect(&inner),
                    self.change(scope)
                )
            }
            16 | 17 => self.delayed(scope),
            18 => format!(
                "(on-nth {} {})",
                2 + self.random.below(2),
                self.plain(scope)
            ),
            19 => {
                let kept = self.applied("hot", &["place"], scope);
                let ticks = 1 + self.random.below(3);
                let first = self.plain(scope);
                let second = self.plain(scope);
                format!(
                    "(maintain {} {kept} (after {ticks} {first}) (after 2 {second}))",
                    self.atom(scope)
                )
            }
            20 if self.may_log => "(log \"note\")".to_owned(),
            _ => format!("(increase (total-cost) {})", self.random.below(3)),
        }
    }

    /// What may be delayed: its ground text tells it apart, so it holds nothing that grounding
    /// would simplify.
    fn plain(&mut self, scope: &[Bound]) -> String {
        let (atom, change) = (self.atom(scope), self.change(scope));
        format!("(and (when {atom} {change}) {})", self.change(scope))
    }

    fn delayed(&mut self, scope: &[Bound]) -> String {
        let ticks = 1 + self.random.below(3);
        let guard = match self.random.below(4) {
            0 => format!(":while {} ", self.atom(scope)),
            1 => format!(":until {} ", self.atom(scope)),
            _ => String::new(),
        };
        format!("(after {ticks} {guard}{})", self.plain(scope))
    }

    /// A `let`: its variable, its choice, and the scope inside.
    fn choice(&mut self, scope: &[Bound]) -> (String, String, Vec<Bound>) {
        self.names += 1;
        let name = format!("t{}", self.names);
        let mut inner = scope.to_vec();
        if self.random.chance(30) {
            let (fluent, params, range) = self.pick(&POINTERS);
            let term = self.applied(fluent, params, scope);
            inner.push((name.clone(), range));
            return (format!("?{name}"), term, inner);
        }
        let ty = self.pick(&TYPES);
        inner.push((name.clone(), ty));
        let word = self.pick(&["argmin", "argmax"]);
        let among = self.cond(&inner);
        let value = self.number(&inner);
        let ties = if self.random.chance(50) {
            format!(" :ties {}", self.number(&inner))
        } else {
            String::new()
        };
        let choice = format!("({word} (?{name} - {ty}) {among} {value}{ties})");
        (format!("?{name}"), choice, inner)
    }

    fn refuel(&mut self, fuel: usize) {
        self.fuel = fuel;
    }

    fn action(&mut self, number: usize) -> String {
        let parameter = self.pick(&["item", "place"]);
        let scope = vec![("c".to_owned(), "cook"), ("x".to_owned(), parameter)];
        self.refuel(3);
        let precondition = self.cond(&scope);
        self.refuel(6);
        let head = format!(":agent ?c - cook :parameters (?x - {parameter})");
        match self.random.below(8) {
            0 => {
                let start = self.effect(&scope);
                self.refuel(4);
                let end = self.effect(&scope);
                self.refuel(2);
                let over = self.cond(&scope);
                format!(
                    "(:durative-action a{number} {head} :duration (= ?duration {}) \
                     :condition (and (at start {precondition}) (over all {over})) \
                     :effect (and (at start {start}) (at end {end})) :label \"a{number} {{?x}}\")",
                    1 + self.random.below(3)
                )
            }
            1 | 2 => {
                self.refuel(3);
                let (variable, choice, inner) = self.choice(&scope);
                self.refuel(6);
                let policy = self.effect(&inner);
                self.refuel(3);
                let until = self.cond(&scope);
                let otherwise = self.change(&scope);
                format!(
                    "(:option a{number} {head} :precondition {precondition} \
                     :let (({variable} {choice})) :policy (and {policy} (do (step ?c ?x2))) \
                     :until {until} :else {otherwise} :label \"a{number} {{?x}}\")"
                )
                .replace("?x2", self.constant("place"))
            }
            _ => {
                let effect = self.effect(&scope);
                format!(
                    "(:action a{number} {head} :precondition {precondition} :effect {effect} \
                     :label \"a{number} {{?x}}\")"
                )
            }
        }
    }

    fn event(&mut self, number: usize) -> String {
        let scope = vec![("x".to_owned(), "place")];
        self.may_log = false;
        self.refuel(3);
        let precondition = self.cond(&scope);
        self.refuel(4);
        let effect = self.effect(&scope);
        self.may_log = true;
        format!(
            "(:event e{number} :parameters (?x - place) :precondition {precondition} :effect {effect})"
        )
    }

    fn domain(&mut self, mode: &str) -> String {
        let declare = |(name, params): &(&str, &[&str])| {
            let mut text = format!("({name}");
            for (at, ty) in params.iter().enumerate() {
                text.push_str(&format!(" ?v{at} - {ty}"));
            }
            text + ")"
        };
        let list = |all: &[(&str, &[&str])]| -> String { all.iter().map(declare).collect() };
        let joined = |parts: Vec<String>| parts.join(" ");
        let pointer =
            |(name, params, range): &(_, _, _)| format!("{} - {range}", declare(&(*name, *params)));
        let pointers = joined(POINTERS.iter().map(pointer).collect());
        let number = |number| format!("{} - (int -1 4)", declare(number));
        let numbers = joined(NUMBERS.iter().map(number).collect());
        let declared = |(ty, objects): &(&str, &[&str])| format!("{} - {ty}", objects.join(" "));
        let objects = joined(OBJECTS.iter().map(declared).collect());
        let actions: Vec<String> = (0..4).map(|number| self.action(number)).collect();
        let events: Vec<String> = (0..2).map(|number| self.event(number)).collect();
        let order = self.pick(&["e0 timers timed-literals e1", "timers timed-literals e1 e0"]);
        let scope = [("c".to_owned(), "cook"), ("x".to_owned(), "place")];
        self.refuel(3);
        let step = self.change(&scope);
        let step_when = self.atom(&scope);
        format!(
            "(define (domain random)
  (:requirements :adl :multi-agent :options :delayed-effects :sequential-effects :object-fluents
    :bounded-numbers :aggregates :text :events :derived-predicates :durative-actions :action-costs
    :timed-initial-literals :horizon)
  (:turns {mode})
  (:tick {order})
  (:types cook item place - object)
  (:constants {objects})
  (:predicates (can ?c - cook ?x - place) {} {})
  (:functions (total-cost) - number {pointers} {numbers})
  (:transient {})
  (:derived (linked ?x ?y - place) (= (next ?x) ?y))
  (:derived (linked ?x ?y - place) (exists (?z - place) (and (= (next ?x) ?z) (linked ?z ?y))))
  (:derived (free ?x - place) (not (exists (?i - item) (or (on ?i ?x) (linked ?x (where ?i))))))
  (:action step :primitive :agent ?c - cook :parameters (?x - place)
    :precondition {step_when} :effect {step})
  ; Nothing is static but `can`: static parts would vanish from the text of delayed effects.
  (:action mess :agent ?c - cook :parameters (?i - item ?x - place)
    :precondition (not (p))
    :effect (and (p) (on ?i ?x) (not (hot ?x)) (near ?c ?x) (done ?i) (seen ?c) (touched ?i)
      (assign (held ?c) ?i) (assign (where ?i) ?x) (assign (next ?x) ?x)
      (increase (n) 1) (increase (level ?x) 1)) :label none)
  {}
  {})\n",
            list(&PREDICATES),
            list(&DERIVED),
            list(&TRANSIENTS),
            actions.join("\n  "),
            events.join("\n  "),
        )
    }

    fn problem(&mut self) -> String {
        let mut init = String::new();
        for _ in 0..5 {
            let at = self.random.below(PREDICATES.len());
            let (name, params) = PREDICATES[at];
            self.refuel(0);
            init.push_str(&self.applied(name, params, &[]));
        }
        for (name, params, range) in POINTERS {
            for object in OBJECTS.iter().find(|(ty, _)| *ty == params[0]).unwrap().1 {
                if self.random.chance(50) {
                    let value = self.constant(range);
                    init.push_str(&format!(" (= ({name} {object}) {value})"));
                }
            }
        }
        init.push_str(" (can ann top) (can bob top) (can bob bottom)");
        let tick = 1 + self.random.below(4);
        self.refuel(0);
        let literal = self.applied("hot", &["place"], &[]);
        self.refuel(3);
        let goal = self.cond(&[]);
        format!(
            "(define (problem random-1) (:domain random)
  (:init (= (total-cost) 0) (= (n) {}) {init} (at {tick} {literal}))
  (:goal {goal}) (:metric minimize (total-cost)) (:horizon 12))\n",
            self.random.below(5)
        )
    }
}

/// A domain and a problem.
pub(crate) fn texts(seed: u64) -> (String, String) {
    let mut writer = Writer {
        random: Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1),
        may_log: true,
        fuel: 0,
        names: 0,
    };
    for _ in 0..8 {
        writer.random.below(2);
    }
    let mode = writer.pick(&["sequential", "simultaneous", "alternate"]);
    (writer.domain(mode), writer.problem())
}

/// `GROUNDING_SEED` and `GROUNDING_COUNT` choose other seeds, and more of them.
#[test]
fn random_domains_mean_the_same_to_the_task_and_to_the_interpreter() {
    let read = |name: &str, default: u64| {
        std::env::var(name)
            .ok()
            .and_then(|text| text.parse().ok())
            .unwrap_or(default)
    };
    let first = read("GROUNDING_SEED", 0);
    let count = read("GROUNDING_COUNT", 60);
    let extent = Extent {
        walks: 4,
        steps: 12,
        states: 4,
    };
    let mut steps = 0;
    let mut failed = Vec::new();
    for seed in first..first + count {
        let (domain, problem) = texts(seed);
        let compared = std::panic::catch_unwind(|| {
            let model = resolve_texts(&domain, &problem, "clean");
            agree(&model, &task(&model), seed, extent)
        });
        match compared {
            Ok(compared) => steps += compared.steps,
            Err(_) => failed.push((domain.len(), seed)),
        }
    }
    if let Some(&(_, seed)) = failed.iter().min() {
        let (domain, problem) = texts(seed);
        let seeds: Vec<u64> = failed.iter().map(|&(_, seed)| seed).collect();
        panic!("seeds {seeds:?}; the smallest is {seed}\n{domain}{problem}");
    }
    assert!(steps > 20 * count as usize, "{steps}");
}
