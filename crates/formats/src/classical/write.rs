//! The text of the two files.

use std::fmt::Write as _;
use std::rc::Rc;

use indexmap::IndexMap;

use super::build::{Action, At, Builder, Control, Meaning};
use super::diagram::Cube;
use super::files::Classical;
use super::inexpressible::Inexpressible;
use super::names::{self, Names};
use super::symbolic::State;
use super::vocabulary::Vocabulary;
use brigade_task::layout::VariableKind;
use brigade_task::{Metric, PackedTask, VarId};

/// A rule of a derived fact: what it needs, and the fact.
type Rule = (Cube, u32);

/// Writes what was built. To the cost of every plan `constant` was added.
pub(super) fn write(builder: &Builder<'_>, constant: i64) -> Result<Classical, Inexpressible> {
    let mut writer = Writer::new(builder);
    let rules = rules(builder)?;
    for (needs, head) in &rules {
        writer.read(needs);
        writer.words.read(*head, &Rc::from([1]));
    }
    for action in &builder.actions {
        let needs = writer.needs(action);
        writer.read(&needs);
        for (cond, _) in &action.what.whens {
            writer.read(cond);
        }
    }
    writer
        .words
        .read(writer.control(Control::Done), &Rc::from([1]));
    let (actions, meanings) = writer.actions();
    Ok(Classical {
        domain: writer.domain(&rules, &actions, constant),
        problem: writer.problem(),
        added: constant,
        meanings,
    })
}

/// The rules of the derived facts.
fn rules(builder: &Builder<'_>) -> Result<Vec<Rule>, Inexpressible> {
    let world = builder.world;
    let mut rules = Vec::new();
    for layer in &world.task.axioms.layers {
        for (body, head) in &layer.rules {
            world.space.clear();
            let cond = State::new(world).cond(body);
            let most = builder.limits.conditions;
            if world.space.is_full() || world.space.paths(cond, most) >= most {
                return Err(builder.too_large(&world.task.variables[head.index()].name, None));
            }
            for mut needs in world.cubes(cond) {
                // A body never needs that a fact of its layer does not hold: that a path says so only
                // keeps paths apart.
                needs.retain(|(variable, values)| {
                    !(layer.variables.contains(&VarId(*variable)) && values[..] == [0])
                });
                rules.push((needs, head.0));
            }
        }
    }
    Ok(rules)
}

struct Writer<'b> {
    builder: &'b Builder<'b>,
    task: &'b PackedTask,
    words: Vocabulary,
    /// The number of the first control among all variables.
    first_control: u32,
}

impl<'b> Writer<'b> {
    fn new(builder: &'b Builder<'b>) -> Self {
        let world = builder.world;
        let task = world.task;
        let mut words = Vocabulary::default();
        for (index, variable) in (0..).zip(&task.variables) {
            let domain = world.domain(index).iter();
            let values: Vec<(u32, String)> = domain
                .map(|&value| (value, names::value(variable, value)))
                .collect();
            words.add(
                &names::variable(&task.symbols, variable),
                &values,
                |value, _| names::sentence(variable, value),
            );
        }
        for extra in &world.extras {
            let values: Vec<_> = (0..extra.size)
                .map(|value| (value, format!("n{value}")))
                .collect();
            words.add(&extra.name, &values, |_, _| extra.name.clone());
        }
        let first_control = (task.variables.len() + world.extras.len()) as u32;
        words.add("done", &[(0, String::new()), (1, String::new())], |_, _| {
            "done".to_owned()
        });
        let places = (0..).zip(&builder.places);
        let mut places: Vec<_> = places
            .map(|(index, place)| (index, place.name.clone()))
            .collect();
        for test in &builder.tests {
            places.push((places.len() as u32, format!("test {test}")));
        }
        words.add("now", &places, |_, place| place.to_owned());
        for agent in &task.agents {
            let operators = agent
                .operators
                .iter()
                .map(|operator| task.operator(*operator));
            let titles = operators.map(|operator| builder.title(operator));
            let values = std::iter::once("nothing".to_owned()).chain(titles);
            let values: Vec<_> = (0..).zip(values).collect();
            let name = format!("chosen {}", agent.name);
            words.add(&name, &values, |_, title| format!("chosen {title}"));
        }
        Self {
            builder,
            task,
            words,
            first_control,
        }
    }

    fn control(&self, control: Control) -> u32 {
        self.first_control
            + match control {
                Control::Done => 0,
                Control::Now => 1,
                Control::Chosen(agent) => 2 + agent as u32,
            }
    }

    /// Where things stand, as a value of the control.
    fn at(&self, at: At) -> u32 {
        match at {
            At::Place(place) => place as u32,
            At::Test(test) => (self.builder.places.len() + test) as u32,
        }
    }

    fn read(&mut self, needs: &Cube) {
        for (variable, values) in needs {
            self.words.read(*variable, values);
        }
    }

    /// The condition of an action.
    fn needs(&self, action: &Action) -> Cube {
        let one = |control, value| (self.control(control), Rc::from([value]));
        let mut needs = vec![one(Control::Now, self.at(action.from))];
        for (control, before, _) in &action.controls {
            if *control != Control::Done {
                needs.push(one(*control, *before));
            }
        }
        needs.extend(action.what.needs.iter().cloned());
        needs
    }

    /// The actions, and what each means.
    fn actions(&self) -> (String, IndexMap<String, Meaning>) {
        let mut names = Names::default();
        let mut text = String::new();
        let mut meanings = IndexMap::new();
        for action in &self.builder.actions {
            let name = names.add(&action.title);
            self.action(action, &name, &mut text);
            meanings.insert(name, action.meaning);
        }
        (text, meanings)
    }

    fn action(&self, action: &Action, name: &str, text: &mut String) {
        let needs = self.needs(action);
        let _ = write!(
            text,
            "  (:action {name}\n    :parameters ()\n    :precondition (and"
        );
        self.conjunction(&needs, text);
        text.push_str(")\n    :effect (and");
        let mut literals = Vec::new();
        if action.from != action.to {
            let now = self.control(Control::Now);
            let from = [self.at(action.from)];
            literals.extend(self.words.assignment(now, self.at(action.to), Some(&from)));
        }
        for (control, before, after) in &action.controls {
            let control = self.control(*control);
            literals.extend(self.words.assignment(control, *after, Some(&[*before])));
        }
        for (variable, value) in &action.what.writes {
            let old = values_of(&needs, *variable);
            literals.extend(self.words.assignment(*variable, *value, old));
        }
        for literal in literals {
            let _ = write!(text, " {literal}");
        }
        for (cond, writes) in &action.what.whens {
            let mut literals = Vec::new();
            for (variable, value) in writes {
                let old = values_of(cond, *variable).or_else(|| values_of(&needs, *variable));
                literals.extend(self.words.assignment(*variable, *value, old));
            }
            if !literals.is_empty() {
                text.push_str("\n      (when (and");
                self.conjunction(cond, text);
                let _ = write!(text, ") (and {}))", literals.join(" "));
            }
        }
        if action.what.cost > 0 {
            let _ = write!(text, " (increase (total-cost) {})", action.what.cost);
        }
        text.push_str("))\n");
    }

    fn conjunction(&self, needs: &Cube, text: &mut String) {
        for (variable, values) in needs {
            text.push(' ');
            text.push_str(&self.words.condition(*variable, values));
        }
    }

    fn domain(&self, rules: &[Rule], actions: &str, constant: i64) -> String {
        let mut text = self.header(constant);
        text.push_str("(define (domain classical)\n  (:requirements :strips :negative-preconditions :action-costs");
        if actions.contains("(when ") {
            text.push_str(" :conditional-effects");
        }
        if !rules.is_empty() {
            text.push_str(" :derived-predicates");
        }
        text.push_str(")\n");
        let objects: Vec<&str> = self.words.objects().collect();
        if !objects.is_empty() {
            let _ = writeln!(text, "  (:constants {})", objects.join(" "));
        }
        text.push_str("  (:predicates");
        for (predicate, note) in self.words.predicates() {
            let _ = write!(text, "\n    {predicate}");
            if !note.is_empty() {
                let _ = write!(text, "  ; {note}");
            }
        }
        text.push_str(")\n  (:functions (total-cost) - number)\n");
        for (needs, head) in rules {
            let _ = write!(
                text,
                "  (:derived {} (and",
                self.words.condition(*head, &[1])
            );
            self.conjunction(needs, &mut text);
            text.push_str("))\n");
        }
        text.push_str(actions);
        text.push_str(")\n");
        text
    }

    fn header(&self, constant: i64) -> String {
        let task = self.task;
        let mut text = format!(
            "; The problem `{}` of the domain `{}` ({}), written out for planners of one agent.\n",
            task.problem, task.domain, task.semantics,
        );
        let mut cost = match task.metric {
            Metric::Makespan => "its makespan".to_owned(),
            Metric::Cost | Metric::NegatedCost => "its metric".to_owned(),
        };
        let added = constant.saturating_sub(match task.metric {
            Metric::Makespan => 0,
            Metric::Cost => task.initial_cost,
            Metric::NegatedCost => task.initial_cost.saturating_neg(),
        });
        if task.metric != Metric::Makespan && task.cost_scale != 1 {
            let _ = write!(cost, " times {}", task.cost_scale);
        }
        if task.metric == Metric::NegatedCost {
            cost = format!("{added} less {cost}");
        } else if added != 0 {
            let sign = if added < 0 { "less" } else { "plus" };
            let _ = write!(cost, " {sign} {}", added.unsigned_abs());
        }
        let _ = writeln!(text, "; The cost of a plan is {cost}.");
        text
    }

    fn problem(&self) -> String {
        let mut text =
            String::from("(define (problem classical)\n  (:domain classical)\n  (:init\n");
        let mut facts = self.words.facts_of(self.control(Control::Now), 0);
        for (index, variable) in (0..).zip(&self.task.variables) {
            if variable.kind != VariableKind::Derived {
                facts.extend(self.words.facts_of(index, variable.get(&self.task.initial)));
            }
        }
        for variable in self.task.variables.len() as u32..self.first_control {
            facts.extend(self.words.facts_of(variable, 0));
        }
        for agent in 0..self.task.agents.len() {
            let chosen = self.control(Control::Chosen(agent));
            facts.extend(self.words.facts_of(chosen, 0));
        }
        for fact in facts {
            let _ = writeln!(text, "    {fact}");
        }
        let done = self.words.condition(self.control(Control::Done), &[1]);
        let _ = write!(
            text,
            "    (= (total-cost) 0))\n  (:goal {done})\n  (:metric minimize (total-cost)))\n"
        );
        text
    }
}

/// The values that a conjunction allows a variable.
fn values_of(needs: &Cube, variable: u32) -> Option<&[u32]> {
    let mut needs = needs.iter();
    needs.find_map(|(one, values)| (*one == variable).then_some(&values[..]))
}
