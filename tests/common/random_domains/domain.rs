//! Random domains with a problem each.

use super::words::{ACTORS, Fluent, Kind, Range, objects};
use super::writer::{Bound, Primitive, Writer};

/// A domain and a problem.
pub(crate) fn texts(seed: u64) -> (String, String) {
    let mut writer = Writer::new(seed);
    let mode = writer.pick(&[
        Some("sequential"),
        Some("simultaneous"),
        Some("alternate"),
        Some("sequential"),
        None,
    ]);
    (writer.domain(mode), writer.problem())
}

impl Writer {
    fn fuelled<T>(&mut self, fuel: usize, write: impl FnOnce(&mut Self) -> T) -> T {
        self.fuel = fuel;
        write(self)
    }

    /// The primitives: each may perform those before it.
    fn primitives(&mut self) -> String {
        let kinds: [(&str, &[&str], &str); 3] = [
            ("drop", &["item"], ":parameters (?x1 - item)"),
            (
                "shift",
                &["thing", "place"],
                ":parameters (?x1 - thing ?x2 - place)",
            ),
            (
                "step",
                &["cook", "place"],
                ":agent ?x1 - cook :parameters (?x2 - place)",
            ),
        ];
        let mut text = String::new();
        for (name, params, head) in kinds {
            let scope: Vec<Bound> = (1..)
                .zip(params)
                .map(|(at, ty)| (format!("x{at}"), *ty))
                .collect();
            (self.logged, self.delayed) = (false, false);
            (self.may_log, self.may_delay) = (self.random.chance(50), self.random.chance(50));
            let precondition = self.fuelled(2, |this| this.cond(&scope));
            let effect = self.fuelled(3, |this| this.effect(&scope));
            text.push_str(&format!(
                "(:action {name} :primitive {head}\n    :precondition {precondition}\n    \
                 :effect {effect})\n  "
            ));
            self.primitives.push(Primitive {
                name,
                params,
                logs: self.logged,
                delays: self.delayed,
            });
        }
        (self.may_log, self.may_delay) = (true, true);
        text
    }

    fn action(&mut self, number: usize, agents: bool, labels: bool) -> String {
        let mut scope: Vec<Bound> = Vec::new();
        let mut parameters = Vec::new();
        for at in 0..self.random.below(3) {
            let ty = self.ty();
            scope.push((format!("x{at}"), ty));
            parameters.push(format!("?x{at} - {ty}"));
        }
        let mut slots: String = scope
            .iter()
            .map(|(name, _)| format!(" {{?{name}}}"))
            .collect();
        let known = self.fluents(|one| one.kind == Kind::Static && one.range != Range::Truth);
        if !known.is_empty() && self.random.chance(30) {
            let known = self.pick(&known);
            slots.push_str(&format!(
                " {{{}}}",
                self.fuelled(0, |this| this.applied(&known, &scope))
            ));
        }
        let label = match self.random.below(4) {
            _ if !labels => String::new(),
            0 => ":label none".to_owned(),
            _ => format!(":label \"a{number}{slots}\""),
        };
        let mut head = format!(":parameters ({})", parameters.join(" "));
        if agents {
            let actor = self.pick(&ACTORS);
            head = format!(":agent ?c - {actor} {head}");
            scope.insert(0, ("c".to_owned(), actor));
        }
        let precondition = self.precondition(&scope);
        match self.random.below(8) {
            0 | 1 if agents => self.durative(number, &head, &precondition, &scope, &label),
            2 | 3 if agents => self.option(number, &head, &precondition, &scope, &label),
            _ => {
                let effect = self.fuelled(6, |this| this.effect(&scope));
                format!(
                    "(:action a{number} {head}\n    :precondition {precondition}\n    \
                     :effect {effect}\n    {label})"
                )
            }
        }
    }

    fn precondition(&mut self, scope: &[Bound]) -> String {
        let first = self.fuelled(3, |this| this.cond(scope));
        if self.random.chance(60) {
            return first;
        }
        let second = self.fuelled(2, |this| this.cond(scope));
        format!("(and {first} (else \"not so\" {second}))")
    }

    fn durative(
        &mut self,
        number: usize,
        head: &str,
        precondition: &str,
        scope: &[Bound],
        label: &str,
    ) -> String {
        // Reasons stand in preconditions of other actions only.
        let precondition = precondition.replace("(else \"not so\" ", "(and ");
        let duration = self.static_number(scope);
        let start = self.fuelled(3, |this| this.effect(scope));
        let end = self.fuelled(4, |this| this.effect(scope));
        let over = self.fuelled(2, |this| this.cond(scope));
        let last = self.fuelled(2, |this| this.cond(scope));
        let conditions = match self.random.below(3) {
            0 => format!("(over all {over})"),
            1 => format!("(at end {last})"),
            _ => format!("(over all {over}) (at end {last})"),
        };
        format!(
            "(:durative-action a{number} {head}\n    :duration (= ?duration {duration})\n    \
             :condition (and (at start {precondition}) {conditions})\n    \
             :effect (and (at start {start}) (at end {end})\n      \
             (at end (increase (total-cost) ?duration)))\n    {label})"
        )
    }

    fn option(
        &mut self,
        number: usize,
        head: &str,
        precondition: &str,
        scope: &[Bound],
        label: &str,
    ) -> String {
        let (lets, inner) = if self.random.chance(70) {
            let (lets, inner) = self.fuelled(3, |this| this.lets(scope));
            (format!(":let ({lets})"), inner)
        } else {
            (String::new(), scope.to_vec())
        };
        let otherwise = if lets.is_empty() || self.random.chance(30) {
            String::new()
        } else {
            format!(":else {}", self.fuelled(2, |this| this.effect(scope)))
        };
        let policy = self.fuelled(6, |this| this.effect(&inner));
        let until = self.fuelled(3, |this| this.cond(scope));
        format!(
            "(:option a{number} {head}\n    :precondition {precondition}\n    {lets}\n    \
             :policy {policy}\n    :until {until}\n    {otherwise} {label})"
        )
    }

    fn event(&mut self, number: usize) -> String {
        let mut scope: Vec<Bound> = Vec::new();
        let mut parameters = Vec::new();
        for at in 0..self.random.below(4) {
            let ty = self.ty();
            scope.push((format!("x{at}"), ty));
            parameters.push(format!("?x{at} - {ty}"));
        }
        self.may_log = false;
        let precondition = self.fuelled(3, |this| this.cond(&scope));
        let effect = self.fuelled(4, |this| this.effect(&scope));
        self.may_log = true;
        format!(
            "(:event e{number} :parameters ({})\n    :precondition {precondition}\n    \
             :effect {effect})",
            parameters.join(" ")
        )
    }

    /// The rules: `linked` is recursive, the others read what is below them, also negated.
    fn rules(&mut self) -> String {
        let derived = self.fluents(|fluent| matches!(fluent.kind, Kind::Derived(_)));
        let mut text = String::new();
        for fluent in derived {
            let Kind::Derived(level) = fluent.kind else {
                continue;
            };
            let wide = self.random.chance(30);
            let of = |ty: &'static str| if wide && ty != "cook" { "thing" } else { ty };
            let scope: Vec<Bound> = (0..)
                .zip(fluent.params)
                .map(|(at, ty)| (format!("v{at}"), of(ty)))
                .collect();
            let list: String = scope
                .iter()
                .map(|(name, ty)| format!(" ?{name} - {ty}"))
                .collect();
            self.level = level;
            for _ in 0..=self.random.below(2) {
                let body = self.fuelled(4, |this| this.cond(&scope));
                text.push_str(&format!("(:derived ({}{list}) {body})\n  ", fluent.name));
            }
            self.level = usize::MAX;
            if fluent.name == "linked" {
                text.push_str(
                    "(:derived (linked ?v0 - place ?v1 - place)\n    \
                     (exists (?v2 - place) (and (linked ?v0 ?v2) (linked ?v2 ?v1))))\n  ",
                );
            }
        }
        text
    }

    fn declarations(&self) -> String {
        let declare = |fluent: &Fluent| {
            let params = (0..).zip(fluent.params);
            let params: String = params.map(|(at, ty)| format!(" ?v{at} - {ty}")).collect();
            let range = match fluent.range {
                Range::Truth => String::new(),
                Range::Object(ty) => format!(" - {ty}"),
                Range::Integer(range, _) => format!(" - {range}"),
            };
            format!("({}{params}){range} ", fluent.name)
        };
        let all = |fits: &dyn Fn(&Fluent) -> bool| -> String {
            self.fluents(fits).iter().map(declare).collect()
        };
        let lasting = |fluent: &Fluent| fluent.kind != Kind::Transient;
        format!(
            "(:predicates {})\n  (:functions (total-cost) (fuel) - number {})\n  (:transient {})",
            all(&|fluent| lasting(fluent) && fluent.range == Range::Truth),
            all(&|fluent| lasting(fluent) && fluent.range != Range::Truth),
            all(&|fluent| !lasting(fluent)),
        )
    }

    fn domain(&mut self, mode: Option<&str>) -> String {
        let labels = self.random.chance(80);
        self.may_log = labels;
        let rules = self.rules();
        let primitives = if labels {
            self.primitives()
        } else {
            String::new()
        };
        self.may_log = labels;
        let count = 3 + self.random.below(3);
        let mut actions: Vec<String> = (0..count)
            .map(|number| self.action(number, mode.is_some(), labels))
            .collect();
        let events: Vec<String> = (0..2).map(|number| self.event(number)).collect();
        let order = self.pick(&[
            "e0 timers timed-literals e1",
            "timers timed-literals e1 early-literals e0",
        ]);
        let turns = mode.map_or_else(String::new, |mode| format!("(:turns {mode})\n  "));
        let kinds = ["set", "set", "list", "list-skipping"];
        let lot = actions.iter().map(String::len).sum::<usize>();
        let kind = kinds[(lot / 7) % kinds.len()];
        let must = match lot % 10 {
            0 if mode.is_some() => "(:wait none - cook)\n  ",
            1 if mode.is_some() => "(:wait none - chef)\n  ",
            _ => "",
        };
        let nature = match lot % 10 {
            0 | 2 if mode.is_some() => "(:role chef nature)\n  ",
            3 if mode.is_some() => "(:role cook nature)\n  ",
            _ => "",
        };
        let fail = if self.random.chance(20) {
            format!("(:fail {})\n  ", self.fuelled(2, |this| this.cond(&[])))
        } else {
            String::new()
        };
        let mess = if self.random.chance(50) {
            self.mess(mode)
        } else {
            String::new()
        };
        if !nature.is_empty() {
            for action in &mut actions {
                self.weigh(action);
            }
        }
        format!(
            "(define (domain random)
  (:requirements :adl :multi-agent :options :delayed-effects :sequential-effects :object-fluents
    :bounded-numbers :aggregates :text :events :derived-predicates :durative-actions :action-costs
    :timed-initial-literals :horizon :nature)
  (:types cook thing - object chef - cook item place - thing fruit - item)
  (:constants ann - chef bob - cook egg - item fig - fruit top low - place)
  {turns}{must}{nature}(:live-effects {kind})
  (:tick {order})
  {}
  {fail}{rules}{primitives}{mess}{}
  {})\n",
            self.declarations(),
            actions.join("\n  "),
            events.join("\n  "),
        )
    }

    /// Gives most actions of cooks a weight, which may be 0.
    fn weigh(&mut self, action: &mut String) {
        if action.contains(":agent ?c - cook") && self.random.chance(80) {
            let scope = [("c".to_owned(), "cook")];
            let weight = self.fuelled(2, |this| this.number(&scope));
            *action = action.replacen(
                ":agent ?c - cook",
                &format!(":agent ?c - cook :weight (max 0 {weight})"),
                1,
            );
        }
    }

    /// An action that changes everything, so that little is static.
    fn mess(&mut self, mode: Option<&str>) -> String {
        let scope: Vec<Bound> = [
            "cook",
            "item",
            "place",
            "fruit",
            "thing",
            "(either fruit place)",
        ]
        .iter()
        .zip("cipfte".chars())
        .map(|(ty, name)| (name.to_string(), *ty))
        .collect();
        let agent = if mode.is_some() {
            ":agent ?c - cook :parameters ("
        } else {
            ":parameters (?c - cook "
        };
        let changes: Vec<String> = self
            .fluents(|fluent| matches!(fluent.kind, Kind::Basic | Kind::Transient))
            .iter()
            .map(|fluent| {
                let target = self.fuelled(0, |this| this.applied(fluent, &scope));
                match fluent.range {
                    Range::Truth => target,
                    Range::Object(ty) => {
                        format!(
                            "(assign {target} {})",
                            self.fuelled(0, |this| this.term(ty, &scope))
                        )
                    }
                    Range::Integer(..) => format!("(increase {target} 1)"),
                }
            })
            .collect();
        format!(
            "(:action mess {agent}?i - item ?p - place ?f - fruit ?t - thing\n      \
             ?e - (either fruit place))\n    :precondition (not (p))\n    :effect (and {}))\n  ",
            changes.join(" ")
        )
    }

    /// An initial value: each ground fluent has one at most.
    fn initial(&mut self) -> String {
        let mut text = String::new();
        for fluent in self.fluents(|fluent| !matches!(fluent.kind, Kind::Derived(_))) {
            let chance = match (fluent.kind, fluent.name) {
                (_, "span") => 100,
                (Kind::Static, _) => 70,
                (Kind::Transient, _) => 15,
                _ => 40,
            };
            for args in tuples(fluent.params) {
                if !self.random.chance(chance) {
                    continue;
                }
                let target = format!("({}{args})", fluent.name);
                let fact = match fluent.range {
                    Range::Truth => target,
                    Range::Object(ty) => format!("(= {target} {})", self.constant(ty)),
                    Range::Integer(_, value) => format!("(= {target} {value})"),
                };
                text.push_str(&format!(" {fact}"));
            }
        }
        text
    }

    fn timed_literals(&mut self) -> String {
        let basic = |fluent: &Fluent| matches!(fluent.kind, Kind::Basic | Kind::Transient);
        let mut text = String::new();
        for _ in 0..self.random.below(4) {
            let tick = 1 + self.random.below(5);
            let fluents = self.fluents(basic);
            let fluent = self.pick(&fluents);
            let tuples = tuples(fluent.params);
            let at = self.random.below(tuples.len());
            let target = format!("({}{})", fluent.name, tuples[at]);
            let fact = match fluent.range {
                Range::Truth if self.random.chance(50) => format!("(not {target})"),
                Range::Truth => target,
                Range::Object(ty) => format!("(= {target} {})", self.constant(ty)),
                Range::Integer(_, value) => format!("(= {target} {value})"),
            };
            let early = if (tick + at).is_multiple_of(3) {
                ":early "
            } else {
                ""
            };
            text.push_str(&format!(" (at {tick} {early}{fact})"));
        }
        text
    }

    fn problem(&mut self) -> String {
        let init = self.initial();
        let timed = self.timed_literals();
        let goal = self.fuelled(3, |this| this.cond(&[]));
        let (goal, fail) = match self.random.below(6) {
            0 => (String::new(), String::new()),
            1 => (
                format!("(:goal {goal})"),
                format!("(:fail {})", self.fuelled(2, |this| this.cond(&[]))),
            ),
            _ => (format!("(:goal {goal})"), String::new()),
        };
        let metric = self.pick(&[
            "minimize (total-cost)",
            "maximize (total-cost)",
            "minimize (+ (total-cost) (* 0.5 (fuel)))",
            "minimize (total-time)",
        ]);
        // Drawn last, so that all else is as without it.
        let end = if self.random.chance(25) {
            format!("(:end {})", self.fuelled(2, |this| this.cond(&[])))
        } else {
            String::new()
        };
        format!(
            "(define (problem random-1) (:domain random)
  (:init (= (total-cost) 0) (= (fuel) 0){init}{timed})
  {goal} {fail} {end} (:metric {metric}) (:horizon 12))\n"
        )
    }
}

/// All arguments of these types, as text.
fn tuples(params: &[&str]) -> Vec<String> {
    let mut result = vec![String::new()];
    for ty in params {
        result = result
            .iter()
            .flat_map(|text| {
                objects(ty)
                    .iter()
                    .map(move |object| format!("{text} {object}"))
            })
            .collect();
    }
    result
}
