//! The text of the two files.

use std::fmt::Write as _;

use indexmap::IndexMap;

use super::formula::Formula;
use super::symbolic::State;
use super::{Extra, Inexpressible, Writer};
use crate::task::Metric;
use crate::task::layout::VariableKind;

impl Writer<'_> {
    /// Writes an action for each cost that it may have.
    pub(super) fn action(
        &mut self,
        title: &str,
        from: usize,
        to: usize,
        possible: &Formula,
        state: &State<'_>,
        extra: &Extra,
    ) -> Result<(), Inexpressible> {
        let changes = state.changes();
        for (cost, cond) in &state.cost {
            let possible = possible.and(cond);
            if possible == Formula::False {
                continue;
            }
            let cost = if self.task.metric == Metric::Makespan {
                0
            } else {
                *cost
            };
            let cost = cost + extra.cost;
            if cost < 0 {
                let action = title.to_owned();
                return Err(Inexpressible::NegativeCost { action, cost });
            }
            let name = self.actions.add(title);
            let mut text = format!("  (:action {name}\n    :parameters ()\n    :precondition (and");
            let _ = write!(text, " ({})", self.places[from]);
            for need in &extra.needs {
                let _ = write!(text, " ({need})");
            }
            let parts = match &possible {
                Formula::True => &[],
                Formula::All(parts, _) => &parts[..],
                one => std::slice::from_ref(one),
            };
            for part in parts {
                text.push(' ');
                self.print(part, title, 0, &mut text)?;
            }
            text.push_str(")\n    :effect (and");
            if from != to {
                let _ = write!(text, " (not ({})) ({})", self.places[from], self.places[to]);
            }
            for fact in &extra.deletes {
                let _ = write!(text, " (not ({fact}))");
            }
            for fact in &extra.adds {
                let _ = write!(text, " ({fact})");
            }
            let mut whens: IndexMap<String, String> = IndexMap::new();
            for (variable, value, cond) in &changes {
                let both = possible.and(cond);
                if both == Formula::False {
                    continue;
                }
                let old = possible
                    .value_of(*variable)
                    .or_else(|| cond.value_of(*variable));
                let literals = self.change(*variable, *value, old);
                if literals.is_empty() {
                    continue;
                }
                if both == possible {
                    text.push_str(&literals);
                    continue;
                }
                let mut when = String::new();
                self.print(cond, title, 0, &mut when)?;
                whens.entry(when).or_default().push_str(&literals);
            }
            for (cond, literals) in whens {
                let _ = write!(text, "\n      (when {cond} (and{literals}))");
            }
            if cost > 0 {
                let _ = write!(text, " (increase (total-cost) {cost})");
            }
            text.push_str("))\n");
            self.text.push_str(&text);
            if self.text.len() > self.limits.bytes {
                return Err(Inexpressible::TooLarge {
                    what: "the domain".to_owned(),
                    limit: self.limits.bytes as u64,
                    unit: "bytes",
                });
            }
        }
        Ok(())
    }

    /// The literals that give a variable a value; `old` is the one that it has, where that is known.
    fn change(&self, variable: u32, value: u32, old: Option<u32>) -> String {
        let facts = &self.facts[variable as usize];
        if old == Some(value) {
            return String::new();
        }
        match &facts[..] {
            [] => String::new(),
            [one] if value == 1 => format!(" ({one})"),
            [one] => format!(" (not ({one}))"),
            all => {
                let mut text = String::new();
                for (other, fact) in (0..).zip(all) {
                    if other != value && old.is_none_or(|old| old == other) {
                        let _ = write!(text, " (not ({fact}))");
                    }
                }
                let _ = write!(text, " ({})", all[value as usize]);
                text
            }
        }
    }

    fn print(
        &self,
        formula: &Formula,
        what: &str,
        depth: usize,
        text: &mut String,
    ) -> Result<(), Inexpressible> {
        if depth > self.limits.depth || text.len() > self.limits.bytes {
            return Err(self.too_large(what));
        }
        let (word, parts) = match formula {
            Formula::True => ("(and", &[][..]),
            Formula::False => ("(or", &[][..]),
            Formula::Fact(variable, value) => {
                let facts = &self.facts[*variable as usize];
                let _ = write!(text, "({})", facts[*value as usize]);
                return Ok(());
            }
            Formula::Flag(variable) => {
                let _ = write!(text, "({})", self.facts[*variable as usize][0]);
                return Ok(());
            }
            Formula::Not(one) => ("(not", std::slice::from_ref(&**one)),
            Formula::All(parts, _) => ("(and", &parts[..]),
            Formula::Any(parts, _) => ("(or", &parts[..]),
        };
        text.push_str(word);
        for part in parts {
            text.push(' ');
            self.print(part, what, depth + 1, text)?;
        }
        text.push(')');
        Ok(())
    }

    /// The rules of the derived facts.
    pub(super) fn derived(&self) -> Result<String, Inexpressible> {
        let mut text = String::new();
        for layer in &self.task.axioms.layers {
            for (body, head) in &layer.rules {
                let body = self.fresh.fresh().cond(body);
                let [fact] = &self.facts[head.index()][..] else {
                    continue;
                };
                let _ = write!(text, "  (:derived ({fact}) ");
                self.print(&body, fact, 0, &mut text)?;
                text.push_str(")\n");
            }
        }
        Ok(text)
    }

    pub(super) fn domain(&self, done: &str, derived: &str) -> String {
        let mut text = format!(
            "; The problem `{}` of the domain `{}` ({}), written out for planners of one agent.\n; {}\n",
            self.task.problem,
            self.task.domain,
            self.task.semantics,
            match self.task.metric {
                Metric::Makespan => "The cost of a plan is its makespan.".to_owned(),
                _ if self.task.cost_scale == 1 => "The cost of a plan is its metric.".to_owned(),
                _ => format!(
                    "The cost of a plan is its metric times {}.",
                    self.task.cost_scale
                ),
            }
        );
        if self.task.initial_cost != 0 {
            let _ = writeln!(
                text,
                "; To it comes what every plan costs: {}.",
                self.task.initial_cost
            );
        }
        text.push_str("(define (domain classical)\n  (:requirements :adl :action-costs");
        if !derived.is_empty() {
            text.push_str(" :derived-predicates");
        }
        text.push_str(")\n  (:predicates");
        let facts = self.facts.iter().flatten();
        let control = self.places.iter().chain(&self.chosen);
        for fact in std::iter::once(&done.to_owned())
            .chain(control)
            .chain(facts)
        {
            let _ = write!(text, "\n    ({fact})");
        }
        text.push_str(")\n  (:functions (total-cost) - number)\n");
        text.push_str(derived);
        text.push_str(&self.text);
        text.push_str(")\n");
        text
    }

    pub(super) fn problem(&self, done: &str, start: usize) -> String {
        let mut text =
            String::from("(define (problem classical)\n  (:domain classical)\n  (:init\n");
        let _ = writeln!(text, "    ({})", self.places[start]);
        for (variable, facts) in self.task.variables.iter().zip(&self.facts) {
            if variable.kind == VariableKind::Derived {
                continue;
            }
            let value = variable.get(&self.task.initial);
            let fact = match &facts[..] {
                [one] => (value == 1).then_some(one),
                all => all.get(value as usize),
            };
            if let Some(fact) = fact {
                let _ = writeln!(text, "    ({fact})");
            }
        }
        let _ = write!(
            text,
            "    (= (total-cost) 0))\n  (:goal ({done}))\n  (:metric minimize (total-cost)))\n"
        );
        text
    }
}
