//! The task and the interpreter side by side: the same operators, facts, labels, costs, status.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use brigade::sema::model::{FluentKind, Model, Range};
use brigade::task::layout::VariableKind;
use brigade::task::{OperatorId, PackedTask, effect};
use brigade::task::{StateBuf, TurnMode};

use crate::grounding::delays::Live;
use crate::grounding::interpreter::{Choice, Datum, Interpreter, Key, Record, State, default};
use crate::grounding::random_domains::Random;

/// One state, twice.
#[derive(Clone)]
struct Pair<'m> {
    packed: StateBuf,
    plain: State<'m>,
}

/// A way through the state space, for messages.
type History = Vec<String>;

struct Agreement<'m> {
    model: &'m Model,
    task: &'m PackedTask,
    interpreter: Interpreter<'m>,
    initial: BTreeMap<Key, Datum>,
    /// Fluents that have a variable.
    placed: BTreeSet<String>,
}

/// The extent of the comparison.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    pub(crate) walks: usize,
    pub(crate) steps: usize,
    /// States whose successors are all compared.
    pub(crate) states: usize,
}

/// The counts of the comparison.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Compared {
    pub(crate) steps: usize,
    pub(crate) states: usize,
    pub(crate) operators: usize,
}

/// Panics, with the way there, where the task and the interpreter differ.
pub(crate) fn agree(model: &Model, task: &PackedTask, seed: u64, extent: Extent) -> Compared {
    let interpreter = Interpreter::new(model);
    let initial = interpreter.initial().facts();
    let placed = task
        .variables
        .iter()
        .flat_map(|variable| match variable.kind {
            VariableKind::Facts | VariableKind::Derived => {
                let values = variable.values.iter();
                values.map(|value| value.name.clone()).collect()
            }
            _ => vec![variable.name.clone()],
        });
    let agreement = Agreement {
        model,
        task,
        initial,
        placed: placed.collect(),
        interpreter,
    };
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let mut compared = Compared::default();
    agreement.exhaust(extent.states, &mut compared);
    for _ in 0..extent.walks {
        agreement.walk(extent.steps, &mut random, &mut compared);
    }
    compared
}

impl<'m> Agreement<'m> {
    fn start(&self) -> Pair<'m> {
        let pair = Pair {
            packed: self.task.initial.clone(),
            plain: self.interpreter.initial(),
        };
        self.compare(&pair, &Vec::new());
        pair
    }

    fn walk(&self, steps: usize, random: &mut Random, compared: &mut Compared) {
        let mut pair = self.start();
        let mut history = History::new();
        for _ in 0..steps {
            let Some(()) = self.random_step(&mut pair, random, &mut history) else {
                return;
            };
            compared.steps += 1;
        }
    }

    fn random_step(
        &self,
        pair: &mut Pair<'m>,
        random: &mut Random,
        history: &mut History,
    ) -> Option<()> {
        let before = pair.clone();
        let mut joint = Vec::new();
        let mut record = (effect::Record::default(), Record::default());
        for turn in self.order(random) {
            let agent = self.agent(&before, turn);
            let from = self.tested_in(&before, pair);
            let choices = self.applicable(&from, agent, history);
            if choices.is_empty() {
                return None;
            }
            // Waiting is no test: prefer to act.
            let mut at = random.below(choices.len());
            if choices[at].1 == Choice::Wait {
                at = random.below(choices.len());
            }
            let (operator, choice) = &choices[at];
            history.push(format!("{agent}: {}", self.interpreter.name(choice)));
            self.task.act(&mut pair.packed, *operator, &mut record.0);
            self.interpreter
                .act(&mut pair.plain, agent, choice, &mut record.1);
            joint.push(*operator);
            self.compare(pair, history);
        }
        self.finish(&before, pair, &joint, record, history);
        Some(())
    }

    /// Breadth first, all joint actions, until so many states are expanded.
    fn exhaust(&self, limit: usize, compared: &mut Compared) {
        let start = self.start();
        let mut seen = BTreeSet::from([start.packed.clone()]);
        let mut queue = VecDeque::from([(start, History::new())]);
        while let Some((pair, history)) = queue.pop_front() {
            if compared.states >= limit {
                return;
            }
            compared.states += 1;
            let record = (effect::Record::default(), Record::default());
            self.expand(
                &pair,
                pair.clone(),
                &[],
                record,
                &history,
                compared,
                &mut |next, history| {
                    if seen.insert(next.packed.clone()) {
                        queue.push_back((next, history));
                    }
                },
            );
        }
    }

    #[expect(clippy::too_many_arguments, reason = "one half-step of a recursion")]
    fn expand(
        &self,
        before: &Pair<'m>,
        pair: Pair<'m>,
        joint: &[OperatorId],
        record: (effect::Record, Record),
        history: &History,
        compared: &mut Compared,
        found: &mut dyn FnMut(Pair<'m>, History),
    ) {
        if joint.len() == self.task.choices_per_step() {
            let mut pair = pair;
            let mut history = history.clone();
            self.finish(before, &mut pair, joint, record, &mut history);
            compared.steps += 1;
            found(pair, history);
            return;
        }
        let agent = self.agent(before, joint.len());
        let from = self.tested_in(before, &pair);
        for (operator, choice) in self.applicable(&from, agent, history) {
            let mut next = pair.clone();
            let mut record = record.clone();
            let mut history = history.clone();
            let mut joint = joint.to_vec();
            history.push(format!("{agent}: {}", self.interpreter.name(&choice)));
            self.task.act(&mut next.packed, operator, &mut record.0);
            self.interpreter
                .act(&mut next.plain, agent, &choice, &mut record.1);
            joint.push(operator);
            compared.operators += 1;
            self.compare(&next, &history);
            self.expand(before, next, &joint, record, &history, compared, found);
        }
    }

    /// The turns of a timestep; where the order is free, in any.
    fn order(&self, random: &mut Random) -> Vec<usize> {
        let mut turns: Vec<usize> = (0..self.task.choices_per_step()).collect();
        if self.task.any_order {
            for last in (1..turns.len()).rev() {
                turns.swap(last, random.below(last + 1));
            }
        }
        turns
    }

    fn agent(&self, before: &Pair<'m>, turn: usize) -> usize {
        match self.task.turns {
            TurnMode::Alternate => self.task.mover(&before.packed),
            TurnMode::Sequential | TurnMode::Simultaneous => turn,
        }
    }

    /// The state in which the next agent's preconditions are tested.
    fn tested_in(&self, before: &Pair<'m>, now: &Pair<'m>) -> Pair<'m> {
        match self.task.turns {
            TurnMode::Simultaneous => before.clone(),
            TurnMode::Sequential | TurnMode::Alternate => now.clone(),
        }
    }

    /// The tick, and `PackedTask::step` as a whole.
    fn finish(
        &self,
        before: &Pair<'m>,
        pair: &mut Pair<'m>,
        joint: &[OperatorId],
        mut record: (effect::Record, Record),
        history: &mut History,
    ) {
        self.task.tick(&mut pair.packed, &mut record.0);
        self.interpreter.tick(&mut pair.plain, &mut record.1);
        history.push("tick".to_owned());
        self.compare(pair, history);
        let log = record.0.log.iter();
        let log: Vec<(usize, String)> = log
            .map(|entry| (entry.agent.into(), self.task.label(entry.label).to_owned()))
            .collect();
        let mut totals = BTreeMap::new();
        for &(total, amount) in &record.0.totals {
            let name = self.task.totals[total.index()].name.clone();
            *totals.entry(name).or_insert(0) += amount;
        }
        totals.retain(|_, sum| *sum != 0);
        record.1.totals.retain(|_, sum| *sum != 0);
        let plain = (record.1.log.clone(), record.1.cost, record.1.totals);
        assert_eq!(
            (log, record.0.cost, totals),
            plain,
            "log, cost and totals after {history:#?}"
        );
        let status = self.interpreter.status(&pair.plain);
        assert_eq!(
            self.task.status(&pair.packed),
            status,
            "status after {history:#?}"
        );

        let mut stepped = before.packed.clone();
        let mut again = effect::Record::default();
        let result = self.task.step(&mut stepped, joint, &mut again);
        assert_eq!(result, Ok(status), "step after {history:#?}");
        assert_eq!(
            (stepped, again),
            (pair.packed.clone(), record.0),
            "step after {history:#?}"
        );
    }

    /// The operators that both say an agent may choose.
    fn applicable(
        &self,
        pair: &Pair<'m>,
        agent: usize,
        history: &History,
    ) -> Vec<(OperatorId, Choice)> {
        let packed: BTreeMap<&str, OperatorId> = self
            .task
            .applicable(&pair.packed, agent)
            .map(|operator| (&*self.task.operator(operator).name, operator))
            .collect();
        let plain: BTreeMap<String, Choice> = self
            .interpreter
            .applicable(&pair.plain, agent)
            .into_iter()
            .map(|choice| (self.interpreter.name(&choice), choice))
            .collect();
        let names: Vec<&str> = packed.keys().copied().collect();
        let wanted: Vec<&String> = plain.keys().collect();
        assert_eq!(names, wanted, "operators of {agent} after {history:#?}");
        self.check_reasons(pair, agent, history);
        if self.interpreter.is_of_nature(agent) && !plain.is_empty() {
            self.check_weights(pair, agent, &plain, history);
        }
        packed.into_values().zip(plain.into_values()).collect()
    }

    /// Nature draws with the same weights, or one of them is none.
    fn check_weights(
        &self,
        pair: &Pair<'m>,
        agent: usize,
        plain: &BTreeMap<String, Choice>,
        history: &History,
    ) {
        let weight = |choice| self.interpreter.weight(&pair.plain, agent, choice);
        let weights: BTreeMap<&str, i64> = plain
            .iter()
            .map(|(name, choice)| (&**name, weight(choice)))
            .collect();
        let are_sound = weights.values().all(|weight| (0..1 << 31).contains(weight));
        let packed = self.task.weighted(&pair.packed, agent);
        assert_eq!(packed.is_ok(), are_sound, "{packed:?} after {history:#?}");
        if let Ok(packed) = packed {
            let name = |operator| &*self.task.operator(operator).name;
            let packed: BTreeMap<&str, i64> = packed
                .into_iter()
                .map(|(operator, weight)| (name(operator), weight))
                .collect();
            assert_eq!(packed, weights, "weights of {agent} after {history:#?}");
        }
    }

    /// The requirements in words say the same as the operators' conditions.
    fn check_reasons(&self, pair: &Pair<'m>, agent: usize, history: &History) {
        if pair.plain.busy[agent].is_some() || self.model.agents.is_empty() {
            return;
        }
        for &operator in &self.task.agents[agent].operators {
            let ground = self.task.operator(operator);
            if ground.kind != brigade::task::OperatorKind::Start {
                continue;
            }
            let all = ground
                .requirements
                .iter()
                .all(|needed| needed.cond.holds(&self.task.variables, &pair.packed));
            let weight = ground.weight.as_ref();
            let weight =
                weight.map_or(1, |weight| weight.value(&self.task.variables, &pair.packed));
            assert_eq!(
                all && weight != 0,
                self.task.is_applicable(&pair.packed, operator),
                "requirements of {} after {history:#?}",
                ground.name
            );
        }
    }

    fn compare(&self, pair: &Pair<'m>, history: &History) {
        let mut expected = Vec::new();
        let facts = pair.plain.facts();
        for (key, datum) in &facts {
            if let Some(text) = self.fact(key, *datum) {
                expected.push(text);
            } else {
                // What has no variable keeps its value for ever.
                assert_eq!(
                    self.initial.get(key),
                    Some(datum),
                    "{} after {history:#?}",
                    self.key(key)
                );
            }
        }
        for key in self.initial.keys() {
            if !facts.contains_key(key) {
                let fluent = &self.model.fluents[key.0.index()];
                let known = self.placed.contains(&self.key(key));
                let numeric = matches!(fluent.range, Range::Integer { .. });
                assert!(known || numeric, "{} after {history:#?}", self.key(key));
            }
        }
        for (agent, busy) in pair.plain.busy.iter().enumerate() {
            if let (Some((action, args)), Some(&object)) = (busy, self.model.agents.get(agent)) {
                let name = &self.model.objects[object.index()].name;
                let doing = self.interpreter.ground_name(*action, args);
                expected.push(format!("(= (activity {name}) {doing})"));
            }
        }
        if pair.plain.broken {
            expected.push("(broken)".to_owned());
        }
        let mut waiting: Vec<u32> = pair.plain.live.values().map(Live::left).collect();
        waiting.extend(pair.plain.counts.values().filter(|&&count| count > 0));
        waiting.sort_unstable();
        expected.sort();

        let mut found = Vec::new();
        let mut found_waiting = Vec::new();
        let mut listed = 0;
        for variable in &self.task.variables {
            let value = variable.get(&pair.packed);
            assert!(
                value < variable.size,
                "{} after {history:#?}",
                variable.name
            );
            match variable.kind {
                VariableKind::Live if value > 0 => listed += 1,
                VariableKind::Timer if value > 0 => found_waiting.push(value),
                VariableKind::Integer { .. } => {
                    let text = format!("(= {} {})", variable.name, variable.values[value as usize]);
                    if text != self.default_fact(&variable.name) {
                        found.push(text);
                    }
                }
                _ => {}
            }
        }
        found_waiting.sort_unstable();
        found.extend(
            brigade::task::facts::facts(self.task, &pair.packed)
                .into_iter()
                .filter(|text| {
                    !["timer", "counter", "live"]
                        .iter()
                        .any(|kind| text.starts_with(&format!("(= ({kind} ")))
                })
                .filter(|text| !self.is_integer(text)),
        );
        found.sort();
        assert_eq!(found, expected, "facts (left: task) after {history:#?}");
        assert_eq!(
            found_waiting, waiting,
            "timers (left: task) after {history:#?}"
        );
        assert_eq!(listed, pair.plain.order.len(), "live after {history:#?}");
        if let Some(turn) = self.task.turn {
            assert_eq!(
                self.task.variables[turn.index()].get(&pair.packed) as usize,
                pair.plain.turn
            );
        }
    }

    fn is_integer(&self, text: &str) -> bool {
        self.task.variables.iter().any(|variable| {
            matches!(variable.kind, VariableKind::Integer { .. })
                && text.starts_with(&format!("(= {} ", variable.name))
        })
    }

    /// The default of an integer fluent, as a fact.
    fn default_fact(&self, name: &str) -> String {
        let fluent = self.model.fluents.iter().find(|fluent| {
            let rest = name.strip_prefix(&format!("({}", fluent.name));
            rest.is_some_and(|rest| rest.starts_with([' ', ')']))
        });
        match fluent.map(|fluent| default(&fluent.range)) {
            Some(Datum::Number(number)) => format!("(= {name} {number})"),
            _ => String::new(),
        }
    }

    fn key(&self, key: &Key) -> String {
        let names = key
            .1
            .iter()
            .map(|arg| &*self.model.objects[arg.index()].name);
        let fluent = &*self.model.fluents[key.0.index()].name;
        let parts: Vec<&str> = std::iter::once(fluent).chain(names).collect();
        format!("({})", parts.join(" "))
    }

    /// A fact as the task writes it; `None` where the task has no variable for it.
    fn fact(&self, key: &Key, datum: Datum) -> Option<String> {
        let name = self.key(key);
        if !self.placed.contains(&name) {
            let transient = self.model.fluents[key.0.index()].kind == FluentKind::Transient;
            assert!(
                !transient || self.initial.contains_key(key),
                "{name} has no variable"
            );
            return None;
        }
        Some(match datum {
            Datum::Truth(_) => name,
            Datum::Number(number) => format!("(= {name} {number})"),
            Datum::Object(Some(object)) => {
                format!("(= {name} {})", self.model.objects[object.index()].name)
            }
            Datum::Object(None) => return None,
        })
    }
}
