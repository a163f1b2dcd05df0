//! Everything ground, restricted to what is reachable and relevant.

use std::collections::BTreeMap;

use super::Options;
use super::bindings::Bindings;
use super::delayed::{Delayed, Identity, Rank};
use super::error::GroundError;
use super::formula::{Cond, Effect, Expr, Values};
use super::reachable::{Activity, Needed, Operator, Reachable, Rule};
use super::relevance;
use super::slots::{SlotId, SlotKey, Slots, code};
use super::values::SlotValues;
use super::words::Descriptions;
use crate::sema::model::{self, FluentId, FluentKind, Model, ObjectId, TimedFact};
use brigade_task::LabelId;

/// Everything ground, restricted to the values that slots can take.
pub(super) struct Ground {
    pub(super) slots: Slots,
    pub(super) values: SlotValues,
    pub(super) labels: Vec<String>,
    pub(super) totals: Vec<(FluentId, Vec<ObjectId>)>,
    pub(super) operators: Vec<Operator>,
    pub(super) activities: Vec<Vec<Activity>>,
    pub(super) events: Vec<Effect>,
    pub(super) rules: Vec<Rule>,
    pub(super) delayed: Vec<Delayed>,
    /// For each delayed effect its place in the order.
    pub(super) ranks: Vec<Rank>,
    /// For each delayed effect its text.
    pub(super) identities: Vec<Identity>,
    /// For each delayed effect the one that it is a part of, or itself.
    pub(super) wholes: Vec<usize>,
    /// The text of each `on-nth` whose executions are counted.
    pub(super) counted: Vec<Identity>,
    /// The effect of timed literals, and of the early ones.
    pub(super) timed: Effect,
    pub(super) early: Effect,
    /// These two without the facts that are not announced.
    pub(super) announced: [Effect; 2],
    pub(super) goal: Option<Cond>,
    pub(super) fail: Cond,
    pub(super) end: Cond,
    pub(super) texts: BTreeMap<(u32, Vec<model::ObjectId>), String>,
    /// For each fluent whether it changes.
    pub(super) changing: Vec<bool>,
    /// Facts in words, where they were asked for.
    pub(super) descriptions: Descriptions,
}

impl Ground {
    pub(super) fn slot(&self, key: &SlotKey) -> Option<SlotId> {
        self.slots.find(key)
    }

    pub(super) fn activity(&self, agent: usize) -> Option<SlotId> {
        self.slot(&SlotKey::Activity(agent))
            .filter(|&slot| self.values.only(slot).is_none())
    }

    /// The numbers of the delayed effects, in the order in which these are written.
    pub(super) fn in_order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.delayed.len()).collect();
        order.sort_by_key(|&number| &self.ranks[number]);
        order
    }

    /// Leaves out what no goal can need.
    pub(super) fn drop_irrelevant(&mut self, model: &Model) {
        let costs_may_fall = self.operators.iter().any(|operator| {
            let mut falls = false;
            operator.effect.each_cost(&mut |cost| {
                falls |= !matches!(cost, Expr::Constant(0..));
            });
            falls
        });
        if self.goal.is_none()
            || self.ticks_matter(model)
            || costs_may_fall
            || model.metric == (model::Metric::Cost { maximize: true })
        {
            return;
        }
        let clock = self.slot(&SlotKey::Clock);
        let clock = clock.map(|slot| Cond::Holds(slot, 0));
        let relevant = relevance::relevant(&relevance::Parts {
            slots: self.slots.len(),
            operators: &self.operators,
            conds: (self.goal.iter())
                .chain([&self.fail, &self.end])
                .chain(&clock)
                .collect(),
            rules: self
                .rules
                .iter()
                .map(|rule| (rule.head, &rule.body))
                .collect(),
        });
        for (slot, entry) in self.slots.iter() {
            if !relevant[slot.index()] {
                self.values.freeze(slot, entry.initial);
            }
        }
        let values = &self.values;
        self.operators
            .retain(|operator| relevance::is_needed(operator, values));
        if relevant.contains(&false) {
            for operator in &mut self.operators {
                let effect = std::mem::replace(&mut operator.effect, Effect::Nothing);
                operator.effect = effect.restricted(values);
            }
        }
        self.rules.retain(|rule| relevant[rule.head.index()]);
    }

    /// Returns true if a tick may change anything but the clock.
    fn ticks_matter(&self, model: &Model) -> bool {
        let transient = |key: &SlotKey| {
            matches!(key, SlotKey::Fluent(fluent, _)
            if model.fluents[fluent.index()].kind == FluentKind::Transient)
        };
        !self.delayed.is_empty()
            || self.timed != Effect::Nothing
            || self.early != Effect::Nothing
            || self.events.iter().any(|event| *event != Effect::Nothing)
            || self.slots.iter().any(|(_, entry)| transient(&entry.key))
    }

    /// Labels of instances that turned out unreachable are not labels of the task.
    pub(super) fn drop_unused_labels(&mut self) {
        let mut new_id: Vec<Option<u32>> = vec![None; self.labels.len()];
        self.each_label(&mut |label| new_id[label.index()] = Some(0));
        if new_id.iter().all(Option::is_some) {
            return;
        }
        for (kept, id) in (0..).zip(new_id.iter_mut().flatten()) {
            *id = kept;
        }
        self.each_label(&mut |label| label.0 = new_id[label.index()].unwrap_or_default());
        let mut used = new_id.iter().map(Option::is_some);
        self.labels.retain(|_| used.next().unwrap_or_default());
    }

    fn each_label(&mut self, visit: &mut dyn FnMut(&mut LabelId)) {
        for operator in &mut self.operators {
            operator.effect.each_label(visit);
        }
        for activity in self.activities.iter_mut().flatten() {
            activity.policy.each_label(visit);
            activity.finish.each_label(visit);
        }
        for event in &mut self.events {
            event.each_label(visit);
        }
        for delayed in &mut self.delayed {
            delayed.effect.each_label(visit);
        }
    }

    /// The agents that can be busy: the slot of what they do, and what that can be.
    pub(super) fn busy_agents(&self) -> impl Iterator<Item = (SlotId, &[Activity])> {
        (0..self.activities.len())
            .filter_map(|agent| Some((self.activity(agent)?, &self.activities[agent][..])))
    }
}

/// Restricts what was found. Facts in words are made where what no goal can need is kept.
pub(super) fn restrict<'m>(
    model: &'m Model,
    mut reachable: Reachable<'m>,
    options: &Options,
) -> Result<Ground, GroundError> {
    let texts = operator_texts(model, &mut reachable);
    let descriptions = if options.keep_irrelevant {
        Descriptions::new(model, &mut reachable, options.requirements)?
    } else {
        Descriptions::default()
    };
    let mut literals = |early, announced| timed_literals(model, &mut reachable, early, announced);
    let [timed, early] = [false, true].map(|early| literals(early, false));
    let announced = [false, true].map(|early| literals(early, true));
    reachable.settle();
    let values = reachable.values;
    let instantiator = reachable.instantiator;
    let fluents = 0..model.fluents.len() as u32;
    let changing = fluents.map(|fluent| !instantiator.is_static(FluentId(fluent)));
    let changing = changing.collect();
    let cond = |cond: Cond| cond.restricted(&values);
    let effect = |effect: Effect| effect.restricted(&values);
    let operators = reachable
        .operators
        .into_iter()
        .map(|operator| Operator {
            cond: cond(operator.cond),
            requirements: (operator.requirements.into_iter())
                .map(|needed| Needed {
                    cond: cond(needed.cond),
                    as_known: needed.as_known.map(cond),
                    ..needed
                })
                .collect(),
            learners: (operator.learners).map(|all| all.into_iter().map(cond).collect()),
            weight: operator.weight.map(|weight| weight.restricted(&values)),
            effect: effect(operator.effect),
            ..operator
        })
        .collect();
    let activities = reachable.activities.into_iter().enumerate();
    let activities = activities.map(|(agent, found)| {
        let slot = instantiator.slots.find(&SlotKey::Activity(agent));
        let found = (1..).zip(found).map(|(code, activity)| {
            let is_reachable = slot.is_some_and(|slot| values.may_be(slot, code));
            activity.restricted(is_reachable.then_some(&values))
        });
        found.collect()
    });
    let activities = activities.collect();
    let events = reachable
        .events
        .into_iter()
        .map(|event| {
            Effect::block(
                event
                    .instances
                    .into_iter()
                    .map(|(_, when, then)| Effect::when(cond(when), effect(then))),
            )
        })
        .collect();
    let rules = reachable
        .rules
        .into_iter()
        .map(|rule| Rule {
            body: cond(rule.body),
            head: rule.head,
        })
        .collect();
    let mut delayed = Vec::with_capacity(instantiator.delayed.len());
    let mut ranks = Vec::with_capacity(instantiator.delayed.len());
    let mut identities = Vec::with_capacity(instantiator.delayed.len());
    let texts_of = instantiator.delayed.keys().enumerate();
    let wholes = texts_of
        .map(|(number, text)| {
            let whole = instantiator.delayed.get_index_of(&text.whole());
            whole.unwrap_or(number)
        })
        .collect();
    for (text, waiting) in instantiator.delayed {
        ranks.push(instantiator.texts.rank(&text));
        identities.push(instantiator.texts.identity(&text));
        delayed.push(Delayed {
            runs_while: cond(waiting.runs_while),
            dropped_when: cond(waiting.dropped_when),
            effect: effect(waiting.effect),
            ..waiting
        });
    }
    let counters = instantiator.counters.keys();
    let counted = counters.map(|text| instantiator.texts.identity(text));
    let counted = counted.collect();
    Ok(Ground {
        counted,
        changing,
        labels: instantiator.labels.into_keys().collect(),
        totals: instantiator.totals.into_iter().collect(),
        slots: instantiator.slots,
        operators,
        activities,
        events,
        rules,
        delayed,
        ranks,
        identities,
        wholes,
        timed: effect(timed),
        early: effect(early),
        announced: announced.map(effect),
        goal: reachable.goal.map(cond),
        fail: cond(reachable.fail),
        end: cond(reachable.end),
        texts,
        descriptions,
        values,
    })
}

/// The texts of the operators, by action and arguments.
fn operator_texts<'m>(
    model: &'m Model,
    reachable: &mut Reachable<'m>,
) -> BTreeMap<(u32, Vec<model::ObjectId>), String> {
    let mut texts = BTreeMap::new();
    for operator in &reachable.operators {
        let action = &model.actions[operator.action.index()];
        if let Some(template) = &action.text {
            let mut at: Bindings = operator.args.iter().copied().map(Some).collect();
            at.resize(action.variables.len(), None);
            let text = reachable
                .instantiator
                .within(&action.variables, |this| this.text(template, &mut at));
            texts.insert((operator.action.0, operator.args.clone()), text);
        }
    }
    texts
}

impl Activity {
    /// The rest of it where slots have these values only; `None`: no agent ever starts it.
    fn restricted(self, values: Option<&SlotValues>) -> Self {
        let Some(values) = values else {
            return Self {
                policy: Effect::Nothing,
                until: Cond::False,
                finish: Effect::Nothing,
                over_all: Cond::True,
                ..self
            };
        };
        Self {
            policy: self.policy.restricted(values),
            until: self.until.restricted(values),
            finish: self.finish.restricted(values),
            over_all: self.over_all.restricted(values),
            ..self
        }
    }
}

/// The effect of the phase of timed literals, or of the early ones, by the clock: all of them, or those that are
/// announced only.
fn timed_literals(
    model: &Model,
    reachable: &mut Reachable<'_>,
    early: bool,
    announced: bool,
) -> Effect {
    let Some(clock) = reachable.instantiator.slots.find(&SlotKey::Clock) else {
        return Effect::Nothing;
    };
    let mut by_tick: BTreeMap<u32, Vec<Effect>> = BTreeMap::new();
    let literals = model.timed.iter().filter(|it| it.early == early);
    let literals = literals.filter(|it| !(announced && it.unannounced));
    for TimedFact { tick, fact, .. } in literals {
        let slot = reachable.instantiator.slot(fact.fluent, fact.args.clone());
        let range = reachable.instantiator.slots.get(slot).range;
        let effect = Effect::Set(slot, code(range, fact.value));
        by_tick.entry(*tick).or_default().push(effect);
    }
    Effect::block(by_tick.into_iter().map(|(tick, effects)| {
        let due = Cond::Holds(clock, tick.saturating_sub(1));
        Effect::when(due, Effect::block(effects))
    }))
}
