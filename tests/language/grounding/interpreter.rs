//! A naive interpreter of the lifted model, the oracle of the grounder: what a domain means,
//! computed in the plainest way. It knows nothing of grounding, reachability or packing.
//! `docs/reference/semantics.md` is its specification.

use std::collections::{BTreeMap, BTreeSet};

use brigade::sema::model::{
    Action, ActionId, ActionKind, Axiom, Cond, Effect, FluentId, FluentKind, Label, LiveEffects,
    Model, ObjectId, Phase, Range, TimePoint, TurnMode, Value, Variable,
};
use brigade::task::step::Status;

use crate::grounding::delays::{self, Live, Rank};
use crate::grounding::effects::{Change, changes};
use crate::grounding::evaluate::{cond, expr, template};

/// A ground fluent.
pub(crate) type Key = (FluentId, Vec<ObjectId>);

/// The value of a ground fluent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Datum {
    Truth(bool),
    Object(Option<ObjectId>),
    Number(i64),
}

/// Values of a schema's variables, and who acts.
#[derive(Clone, Debug)]
pub(crate) struct Scope<'m> {
    pub(crate) variables: &'m [Variable],
    pub(crate) at: Vec<Option<ObjectId>>,
    /// Index into the model's agents; `None` in events and conditions.
    pub(crate) agent: Option<usize>,
    /// The place in the file, for the order of delayed effects.
    pub(crate) place: Vec<u32>,
}

impl<'m> Scope<'m> {
    pub(crate) fn new(
        variables: &'m [Variable],
        args: &[ObjectId],
        agent: Option<usize>,
        schema: usize,
    ) -> Self {
        let mut at: Vec<_> = args.iter().copied().map(Some).collect();
        at.resize(variables.len(), None);
        Self {
            variables,
            at,
            agent,
            place: vec![schema as u32],
        }
    }

    /// The same scope, one step deeper in the text.
    pub(crate) fn inside(&self, step: u32) -> Self {
        let mut scope = self.clone();
        scope.place.push(step);
        scope
    }
}

/// A state: values that are not the default, and everything that is under way.
#[derive(Clone, Debug)]
pub(crate) struct State<'m> {
    values: BTreeMap<Key, Datum>,
    derived: BTreeSet<Key>,
    /// Live delayed effects by their ground text.
    pub(crate) live: BTreeMap<String, Live<'m>>,
    /// Those that are no part of another, in the order of their start, where that counts.
    pub(crate) order: Vec<String>,
    /// Executions counted so far, by ground text.
    pub(crate) counts: BTreeMap<String, u32>,
    /// The activities that each agent has started and not finished.
    pub(crate) busy: Vec<Option<(ActionId, Vec<ObjectId>)>>,
    pub(crate) broken: bool,
    pub(crate) turn: usize,
    pub(crate) clock: u32,
}

/// The record that effects leave besides the state: `(agent, label)` and cost.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Record {
    pub(crate) log: Vec<(usize, String)>,
    pub(crate) cost: i64,
    /// The amounts that were added, by function and arguments.
    pub(crate) totals: BTreeMap<String, i64>,
}

/// The choice of an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    Start(ActionId, Vec<ObjectId>),
    Continue,
    Wait,
}

pub(crate) struct Interpreter<'m> {
    pub(crate) model: &'m Model,
    /// The place where each delayed effect first stands in the file.
    ranks: BTreeMap<String, Rank>,
    /// The axioms, stratum by stratum.
    strata: Vec<Vec<&'m Axiom>>,
}

impl<'m> Interpreter<'m> {
    pub(crate) fn new(model: &'m Model) -> Self {
        Self {
            model,
            ranks: delays::ranks(model),
            strata: delays::strata(model),
        }
    }

    /// The agents that take turns: at least one.
    pub(crate) fn agents(&self) -> usize {
        self.model.agents.len().max(1)
    }

    pub(crate) fn initial(&self) -> State<'m> {
        let mut state = State {
            values: BTreeMap::new(),
            derived: BTreeSet::new(),
            live: BTreeMap::new(),
            order: Vec::new(),
            counts: BTreeMap::new(),
            busy: vec![None; self.agents()],
            broken: false,
            turn: 0,
            clock: 0,
        };
        for fact in &self.model.init {
            state.write(
                self.model,
                (fact.fluent, fact.args.clone()),
                fact.value.into(),
            );
        }
        self.derive(&mut state);
        state
    }

    /// The name of a choice, as operators are named.
    pub(crate) fn name(&self, choice: &Choice) -> String {
        match choice {
            Choice::Wait => "wait".to_owned(),
            Choice::Continue => "continue".to_owned(),
            Choice::Start(action, args) => self.ground_name(*action, args),
        }
    }

    pub(crate) fn ground_name(&self, action: ActionId, args: &[ObjectId]) -> String {
        let names = args
            .iter()
            .map(|arg| &*self.model.objects[arg.index()].name);
        std::iter::once(&*self.model.actions[action.index()].name)
            .chain(names)
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// Returns the choices that an agent has in a state.
    pub(crate) fn applicable(&self, state: &State<'m>, agent: usize) -> Vec<Choice> {
        let model = self.model;
        if model.turns == TurnMode::Alternate && state.turn != agent {
            return Vec::new();
        }
        if state.busy[agent].is_some() {
            return vec![Choice::Continue];
        }
        let mut choices = Vec::new();
        let mut can_act = false;
        for (index, action) in model.actions.iter().enumerate() {
            if action.kind == ActionKind::Primitive {
                continue;
            }
            for args in tuples(model, &action.variables[..action.parameters]) {
                if action.has_agent && args[0] != model.agents[agent] {
                    continue;
                }
                let scope = Scope::new(&action.variables, &args, Some(agent), index);
                if holds_all(model, action, &scope, state) {
                    can_act = true;
                    let choice = Choice::Start(ActionId(index as u32), args);
                    if self.weight(state, agent, &choice) != 0 {
                        choices.push(choice);
                    }
                }
            }
        }
        let may_wait = !(can_act && self.is_of_nature(agent));
        let agent = model.agents.get(agent);
        if may_wait && agent.is_some_and(|agent| !model.must_act.contains(agent)) {
            choices.push(Choice::Wait);
        }
        choices
    }

    /// Returns true if chance decides for an agent: those of nature come last.
    pub(crate) fn is_of_nature(&self, agent: usize) -> bool {
        agent + self.model.of_nature >= self.agents() && !self.model.agents.is_empty()
    }

    /// Returns the weight with which nature draws a choice; 1 for all other agents.
    pub(crate) fn weight(&self, state: &State<'m>, agent: usize, choice: &Choice) -> i64 {
        let Choice::Start(id, args) = choice else {
            return 1;
        };
        let action = &self.model.actions[id.index()];
        let scope = Scope::new(&action.variables, args, Some(agent), id.index());
        let weight = action.weight.as_ref().filter(|_| self.is_of_nature(agent));
        weight.map_or(1, |weight| expr(self.model, weight, &scope, state))
    }

    /// Records a label, unless nature acted.
    fn record_label(&self, record: &mut Record, agent: usize, label: String) {
        if !self.is_of_nature(agent) {
            record.log.push((agent, label));
        }
    }

    /// One agent's choice takes effect.
    pub(crate) fn act(
        &self,
        state: &mut State<'m>,
        agent: usize,
        choice: &Choice,
        record: &mut Record,
    ) {
        match choice {
            Choice::Wait => {}
            Choice::Start(id, args) => {
                let action = &self.model.actions[id.index()];
                if matches!(action.kind, ActionKind::Option | ActionKind::Durative) {
                    state.busy[agent] = Some((*id, args.clone()));
                }
                self.perform(state, agent, *id, args, record, true);
            }
            Choice::Continue => {
                if let Some((id, args)) = state.busy[agent].clone() {
                    self.perform(state, agent, id, &args, record, false);
                }
            }
        }
        self.derive(state);
    }

    fn perform(
        &self,
        state: &mut State<'m>,
        agent: usize,
        id: ActionId,
        args: &[ObjectId],
        record: &mut Record,
        first: bool,
    ) {
        let action = &self.model.actions[id.index()];
        let scope = Scope::new(&action.variables, args, Some(agent), id.index());
        match action.kind {
            ActionKind::Instant | ActionKind::Primitive => {
                self.apply(state, &action.effect, &scope, record);
                self.log_label(action, &scope, state, record);
            }
            ActionKind::Option => {
                if !self.has_targets(&action.effect, &scope, state) {
                    state.busy[agent] = None;
                }
                self.apply(state, &action.effect, &scope, record);
            }
            ActionKind::Durative if first => {
                let before = state.clone();
                let ticks = match &action.duration {
                    Some(duration) => expr(self.model, duration, &scope, &before),
                    None => 1,
                };
                let end = delays::durative_end(id, args.to_vec(), agent, ticks);
                self.apply(state, &action.effect, &scope, record);
                self.start(state, end.0, end.1);
            }
            ActionKind::Durative => {}
        }
    }

    /// Returns true if the `let`s that an option's policy begins with find their targets.
    fn has_targets(&self, policy: &'m Effect, scope: &Scope<'m>, state: &State<'m>) -> bool {
        let mut scope = scope.clone();
        let mut policy = policy;
        while let Effect::Let(variable, choice, body, _) = policy {
            let target =
                crate::grounding::evaluate::choose(self.model, *variable, choice, &scope, state);
            if target.is_none() {
                return false;
            }
            scope.at[variable.index()] = target;
            policy = body;
        }
        true
    }

    pub(crate) fn log_label(
        &self,
        action: &Action,
        scope: &Scope<'m>,
        state: &State<'m>,
        record: &mut Record,
    ) {
        let agent = scope.agent.unwrap_or_default();
        let args: Vec<ObjectId> = scope.at[..action.parameters]
            .iter()
            .flatten()
            .copied()
            .collect();
        let label = match &action.label {
            Label::None => return,
            Label::Text(text) => template(self.model, text, scope, state),
            Label::GroundName => {
                let names = args
                    .iter()
                    .map(|arg| &*self.model.objects[arg.index()].name);
                let parts: Vec<&str> = std::iter::once(&*action.name).chain(names).collect();
                format!("({})", parts.join(" "))
            }
        };
        self.record_label(record, agent, label);
    }

    /// Applies an effect: the plain part of it at once, sequences in their place.
    pub(crate) fn apply(
        &self,
        state: &mut State<'m>,
        effect: &'m Effect,
        scope: &Scope<'m>,
        record: &mut Record,
    ) {
        let found = changes(self.model, effect, scope, state);
        self.apply_changes(state, found, record);
    }

    /// The function of a total and its arguments.
    fn total_name(&self, (fluent, args): &Key) -> String {
        let args = args
            .iter()
            .map(|arg| &*self.model.objects[arg.index()].name);
        let words = [&*self.model.fluents[fluent.index()].name]
            .into_iter()
            .chain(args);
        words.collect::<Vec<_>>().join(" ")
    }

    fn apply_changes(&self, state: &mut State<'m>, found: Vec<Change<'m>>, record: &mut Record) {
        let model = self.model;
        let (deletes, others): (Vec<_>, Vec<_>) = found
            .into_iter()
            .partition(|change| matches!(change, Change::Write(_, Datum::Truth(false))));
        for change in deletes.into_iter().chain(others) {
            match change {
                Change::Write(key, datum) => state.write(model, key, datum),
                Change::Add(key, amount) => {
                    let Datum::Number(old) = state.read(model, &key) else {
                        panic!("only numbers are increased");
                    };
                    state.write(model, key, Datum::Number(old.saturating_add(amount)));
                }
                Change::Log(agent, label) => self.record_label(record, agent, label),
                Change::Cost(amount) => record.cost = record.cost.saturating_add(amount),
                Change::Total(total, amount) => {
                    *record.totals.entry(self.total_name(&total)).or_default() += amount;
                }
                Change::Start(text, live) => self.start(state, text, *live),
                Change::Count(text, count) => {
                    state.counts.insert(text, count);
                }
                Change::Sequence(parts) => {
                    for (effect, scope) in parts {
                        self.apply(state, effect, &scope, record);
                    }
                }
            }
        }
    }

    /// Makes a delayed effect live, or changes how far it has come.
    fn start(&self, state: &mut State<'m>, text: String, live: Live<'m>) {
        let is_listed = self.model.live_effects != LiveEffects::Set && !live.is_part();
        if is_listed && !state.order.contains(&text) {
            state.order.push(text.clone());
        }
        state.live.insert(text, live);
    }

    /// The tick that ends a step.
    pub(crate) fn tick(&self, state: &mut State<'m>, record: &mut Record) {
        self.check_over_all(state);
        for phase in &self.model.tick {
            match phase {
                Phase::Timers => self.advance_all(state, record),
                Phase::TimedLiterals => self.timed_literals(state, false),
                Phase::EarlyLiterals => self.timed_literals(state, true),
                Phase::Event(event) => self.event(state, *event, record),
            }
            self.derive(state);
        }
        for agent in 0..state.busy.len() {
            self.end_option(state, agent, record);
        }
        let keys: Vec<Key> = state.values.keys().cloned().collect();
        for key in keys {
            if self.model.fluents[key.0.index()].kind == FluentKind::Transient {
                state.values.remove(&key);
            }
        }
        if self.model.turns == TurnMode::Alternate {
            state.turn = (state.turn + 1) % self.agents();
        }
        state.clock += 1;
        self.derive(state);
    }

    fn check_over_all(&self, state: &mut State<'m>) {
        for agent in 0..state.busy.len() {
            let Some((id, args)) = &state.busy[agent] else {
                continue;
            };
            let action = &self.model.actions[id.index()];
            let scope = Scope::new(&action.variables, args, Some(agent), id.index());
            state.broken |= !self.conditions_hold(action, TimePoint::OverAll, &scope, state);
        }
    }

    fn conditions_hold(
        &self,
        action: &Action,
        point: TimePoint,
        scope: &Scope<'m>,
        state: &State<'m>,
    ) -> bool {
        let mut conditions = action.conditions.iter();
        conditions.all(|(at, what)| *at != point || cond(self.model, what, scope, state))
    }

    fn advance_all(&self, state: &mut State<'m>, record: &mut Record) {
        if self.model.live_effects != LiveEffects::Set {
            self.advance_list(state, record);
            return;
        }
        let mut texts: Vec<String> = state.live.keys().cloned().collect();
        texts.sort_by_key(|text| self.ranks[text].clone());
        for text in texts {
            self.advance(state, &text, record);
            self.derive(state);
        }
    }

    /// One after another in the order of their start, each with its parts.
    fn advance_list(&self, state: &mut State<'m>, record: &mut Record) {
        let waiting = state.order.clone();
        let mut is_passed_over = false;
        for text in waiting {
            if is_passed_over {
                is_passed_over = false;
                continue;
            }
            let parts = (1..100).map(|step| delays::part_text(&text, step));
            for own in std::iter::once(text.clone()).chain(parts) {
                self.advance(state, &own, record);
                self.derive(state);
            }
            if !state.live.contains_key(&text) {
                state.order.retain(|other| *other != text);
                is_passed_over = self.model.live_effects == LiveEffects::ListSkipping;
            }
        }
    }

    fn advance(&self, state: &mut State<'m>, text: &str, record: &mut Record) {
        let Some(live) = state.live.get(text).cloned() else {
            return;
        };
        match live {
            Live::Upkeep { cond, kept, scope } => {
                let found = delays::upkeep(self.model, cond, kept, &scope, state);
                self.apply_changes(state, found, record);
            }
            Live::Count { done, wanted } => {
                if done == wanted {
                    state.live.remove(text);
                }
            }
            Live::Until { is_done: true, .. } => {
                state.live.remove(text);
            }
            Live::Until {
                cond: until,
                kept,
                body,
                scope,
                ..
            } => {
                let holds = cond(self.model, until, &scope, state);
                let found = delays::once_it_holds(self.model, (until, kept, body), &scope, state);
                if holds {
                    state.live.remove(text);
                }
                self.apply_changes(state, found, record);
            }
            Live::After(after) => {
                if after.is_dropped(self.model, state) {
                    state.live.remove(text);
                } else if after.runs(self.model, state) {
                    if after.left > 1 {
                        let mut later = after;
                        later.left -= 1;
                        state.live.insert(text.to_owned(), Live::After(later));
                        return;
                    }
                    state.live.remove(text);
                    self.apply(state, after.effect, &after.scope, record);
                    if let Some((upkeep, _)) = &after.within
                        && !delays::has_waiting_part(state, upkeep)
                    {
                        state.live.remove(upkeep);
                    }
                }
            }
            Live::DurativeEnd {
                action,
                args,
                agent,
                left,
            } => {
                if left > 1 {
                    let later = Live::DurativeEnd {
                        action,
                        args,
                        agent,
                        left: left - 1,
                    };
                    state.live.insert(text.to_owned(), later);
                    return;
                }
                state.live.remove(text);
                let schema = &self.model.actions[action.index()];
                let scope = Scope::new(&schema.variables, &args, Some(agent), action.index());
                state.broken |= !self.conditions_hold(schema, TimePoint::AtEnd, &scope, state);
                self.apply(state, &schema.end_effect, &scope, record);
                state.busy[agent] = None;
                self.log_label(schema, &scope, state, record);
            }
        }
    }

    fn timed_literals(&self, state: &mut State<'m>, early: bool) {
        let due = self
            .model
            .timed
            .iter()
            .filter(|literal| (literal.tick, literal.early) == (state.clock + 1, early));
        let mut facts: Vec<_> = due.map(|literal| &literal.fact).collect();
        facts.sort_by_key(|fact| fact.value != Value::Boolean(false));
        for fact in facts {
            state.write(
                self.model,
                (fact.fluent, fact.args.clone()),
                fact.value.into(),
            );
        }
    }

    fn event(&self, state: &mut State<'m>, index: usize, record: &mut Record) {
        let event = &self.model.events[index];
        let schema = self.model.actions.len() + index;
        let mut found = Vec::new();
        for args in tuples(self.model, &event.variables[..event.parameters]) {
            let scope = Scope::new(&event.variables, &args, None, schema);
            if cond(self.model, &event.precondition, &scope, state) {
                found.extend(changes(self.model, &event.effect, &scope, state));
            }
        }
        self.apply_changes(state, found, record);
    }

    fn end_option(&self, state: &mut State<'m>, agent: usize, record: &mut Record) {
        let Some((id, args)) = state.busy[agent].clone() else {
            return;
        };
        let action = &self.model.actions[id.index()];
        let scope = Scope::new(&action.variables, &args, Some(agent), id.index());
        if action.kind == ActionKind::Option && cond(self.model, &action.until, &scope, state) {
            state.busy[agent] = None;
            self.log_label(action, &scope, state, record);
        }
    }

    pub(crate) fn status(&self, state: &State<'m>) -> Status {
        let closed = |closed: &'m brigade::sema::model::ClosedCond| {
            let scope = Scope::new(&closed.variables, &[], None, 0);
            cond(self.model, &closed.cond, &scope, state)
        };
        if state.broken || self.model.fail.as_ref().is_some_and(closed) {
            Status::Failed
        } else if self.model.goal.as_ref().is_some_and(closed) {
            Status::Goal
        } else if self.model.end.as_ref().is_some_and(closed)
            || self
                .model
                .horizon
                .is_some_and(|horizon| state.clock >= horizon)
        {
            Status::Ended
        } else {
            Status::Running
        }
    }

    /// Derived predicates: stratum by stratum, each the least fixpoint of its rules.
    pub(crate) fn derive(&self, state: &mut State<'m>) {
        if self.model.axioms.is_empty() {
            return;
        }
        state.derived.clear();
        for stratum in &self.strata {
            loop {
                let before = state.derived.len();
                for axiom in stratum {
                    self.derive_by(axiom, state);
                }
                if state.derived.len() == before {
                    break;
                }
            }
        }
    }

    fn derive_by(&self, axiom: &'m Axiom, state: &mut State<'m>) {
        for args in tuples(self.model, &axiom.variables[..axiom.parameters]) {
            let scope = Scope::new(&axiom.variables, &args, None, 0);
            let params = &self.model.fluents[axiom.fluent.index()].params;
            let mut typed = args.iter().zip(params);
            if typed.all(|(arg, types)| self.model.is_a(*arg, types))
                && cond(self.model, &axiom.body, &scope, state)
            {
                state.derived.insert((axiom.fluent, args));
            }
        }
    }
}

impl State<'_> {
    pub(crate) fn read(&self, model: &Model, key: &Key) -> Datum {
        if model.fluents[key.0.index()].kind == FluentKind::Derived {
            return Datum::Truth(self.derived.contains(key));
        }
        let known = self.values.get(key).copied();
        known.unwrap_or_else(|| default(&model.fluents[key.0.index()].range))
    }

    /// Writes a value; an integer out of bounds becomes the nearest bound.
    pub(crate) fn write(&mut self, model: &Model, key: Key, datum: Datum) {
        let range = &model.fluents[key.0.index()].range;
        let datum = match (range, datum) {
            (Range::Integer { lo, hi }, Datum::Number(value)) => {
                Datum::Number(value.clamp(*lo, *hi))
            }
            (_, datum) => datum,
        };
        if datum == default(range) {
            self.values.remove(&key);
        } else {
            self.values.insert(key, datum);
        }
    }

    /// All ground fluents with a value that is not the default.
    pub(crate) fn facts(&self) -> BTreeMap<Key, Datum> {
        let derived = self
            .derived
            .iter()
            .map(|key| (key.clone(), Datum::Truth(true)));
        let values = self.values.iter().map(|(key, datum)| (key.clone(), *datum));
        values.chain(derived).collect()
    }
}

/// The value of a fluent that `:init` does not mention.
pub(crate) fn default(range: &Range) -> Datum {
    match range {
        Range::Boolean => Datum::Truth(false),
        Range::Object(_) => Datum::Object(None),
        Range::Integer { lo, hi } => Datum::Number(0.clamp(*lo, *hi)),
        Range::Number => Datum::Number(0),
    }
}

impl From<Value> for Datum {
    fn from(value: Value) -> Self {
        match value {
            Value::Boolean(truth) => Self::Truth(truth),
            Value::Object(object) => Self::Object(Some(object)),
            Value::Number(number) => Self::Number(number),
        }
    }
}

/// All tuples of objects of the variables' types, in declared order.
pub(crate) fn tuples(model: &Model, variables: &[Variable]) -> Vec<Vec<ObjectId>> {
    let mut result = vec![Vec::new()];
    for variable in variables {
        let objects = model.objects_of(&variable.types);
        result = result
            .into_iter()
            .flat_map(|tuple| {
                objects.iter().map(move |&object| {
                    let mut longer = tuple.clone();
                    longer.push(object);
                    longer
                })
            })
            .collect();
    }
    result
}

/// Returns true if all that an action requires holds.
pub(crate) fn holds_all<'m>(
    model: &'m Model,
    action: &Action,
    scope: &Scope<'m>,
    state: &State<'m>,
) -> bool {
    let mut conds = action
        .precondition
        .iter()
        .map(|requirement| &requirement.cond);
    conds.all(|what: &Cond| cond(model, what, scope, state))
}
