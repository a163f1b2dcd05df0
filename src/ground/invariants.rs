//! Mutex groups: sets of predicate facts of which at most one holds, so that they share a variable.
//!
//! Candidates are grown as in Helmert, "Concise finite-domain representations for PDDL planning
//! tasks" (AIJ 2009): parts of predicates with the same fixed arguments and at most one counted
//! one. They are verified on the ground operators: every fact an operator adds to a group must be
//! paid for by a fact of the group that it requires and deletes.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::formula::{Cond, Effect};
use super::slots::{SlotId, SlotKey, SlotRange, Slots};
use crate::sema::model::{FluentId, FluentKind, Model, ObjectId, TurnMode};

/// How many candidates are tried.
const MAX_CANDIDATES: usize = 300;

/// An effect whose changes of predicates are looked at, and who causes it.
pub(super) struct Change<'a> {
    /// The acting agent, or `None` for a phase of the tick.
    pub(super) agent: Option<u16>,
    pub(super) cond: &'a Cond,
    pub(super) effect: &'a Effect,
}

/// A fact that an operator makes true or false, and what it requires for that.
#[derive(Debug)]
struct Leaf {
    slot: SlotId,
    /// Facts that hold whenever the leaf applies, the operator's precondition included.
    given: Vec<SlotId>,
    /// The conditions of the effect alone, for telling whether one leaf implies another.
    conditions: Vec<Cond>,
}

#[derive(Debug, Default)]
struct Changes {
    agent: Option<u16>,
    adds: Vec<Leaf>,
    deletes: Vec<Leaf>,
    /// The effect has a part whose changes are not a plain list of leaves.
    opaque: BTreeSet<SlotId>,
}

/// A part of a candidate: which argument of the predicate is fixed by which key position.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Part {
    fluent: FluentId,
    /// For each key position the argument that it fixes.
    fixed: Vec<usize>,
    /// The argument that is counted, if any.
    counted: Option<usize>,
}

type Candidate = BTreeMap<FluentId, Part>;

/// Groups of slots of which at most one holds in any reachable state; disjoint, largest first.
pub(super) fn mutex_groups(
    model: &Model,
    slots: &Slots,
    eligible: &BTreeSet<SlotId>,
    changes: &[Change<'_>],
) -> Vec<Vec<SlotId>> {
    let changes: Vec<Changes> = changes
        .iter()
        .map(|change| {
            let mut result = Changes {
                agent: change.agent,
                ..Changes::default()
            };
            let mut given = Vec::new();
            required(change.cond, &mut given);
            collect(change.effect, &given, &[], &mut result, Reading::Alone);
            result
        })
        .collect();
    let search = Search {
        slots,
        owners: owners(slots.len(), &changes),
        changes: &changes,
        simultaneous: model.turns == TurnMode::Simultaneous && model.agents.len() > 1,
    };
    let mut queue: Vec<Candidate> = first_candidates(model, slots, eligible);
    let mut seen: BTreeSet<Candidate> = queue.iter().cloned().collect();
    let mut groups: Vec<Vec<SlotId>> = Vec::new();
    let mut next = 0;
    while next < queue.len() && next < MAX_CANDIDATES {
        let candidate = queue[next].clone();
        next += 1;
        match search.check(&candidate) {
            Verdict::Holds => groups.extend(search.instances(&candidate, eligible)),
            Verdict::Refine(refinements) => {
                for refined in refinements {
                    if seen.insert(refined.clone()) {
                        queue.push(refined);
                    }
                }
            }
            Verdict::Fails => {}
        }
    }
    cover(groups)
}

/// Greedy disjoint cover, largest first; of equally large groups the least.
fn cover(mut groups: Vec<Vec<SlotId>>) -> Vec<Vec<SlotId>> {
    let mut containing: BTreeMap<SlotId, Vec<usize>> = BTreeMap::new();
    let mut open: BTreeSet<(Reverse<usize>, Vec<SlotId>, usize)> = BTreeSet::new();
    for (index, group) in groups.iter().enumerate() {
        for &slot in group {
            containing.entry(slot).or_default().push(index);
        }
        open.insert((Reverse(group.len()), group.clone(), index));
    }
    let mut result = Vec::new();
    while let Some((_, best, index)) = open.pop_first() {
        groups[index].clear();
        for slot in &best {
            for &other in &containing[slot] {
                let group = &mut groups[other];
                if !group.contains(slot) {
                    continue;
                }
                open.remove(&(Reverse(group.len()), group.clone(), other));
                group.retain(|member| member != slot);
                if group.len() > 1 {
                    open.insert((Reverse(group.len()), group.clone(), other));
                }
            }
        }
        result.push(best);
    }
    result
}

fn first_candidates(model: &Model, slots: &Slots, eligible: &BTreeSet<SlotId>) -> Vec<Candidate> {
    let used: BTreeSet<FluentId> = eligible
        .iter()
        .filter_map(|&slot| match &slots.get(slot).key {
            SlotKey::Fluent(fluent, _) => Some(*fluent),
            _ => None,
        })
        .collect();
    let mut result = Vec::new();
    for fluent in used {
        let arity = model.fluents[fluent.index()].params.len();
        for counted in (0..arity).map(Some).chain([None]) {
            let fixed = (0..arity).filter(|&arg| Some(arg) != counted).collect();
            let part = Part {
                fluent,
                fixed,
                counted,
            };
            result.push(BTreeMap::from([(fluent, part)]));
        }
    }
    result
}

/// The slots that are eligible for groups: predicates that are neither derived nor transient.
pub(super) fn eligible(
    model: &Model,
    slots: &Slots,
    varies: impl Fn(SlotId) -> bool,
) -> BTreeSet<SlotId> {
    slots
        .iter()
        .filter(|(slot, entry)| {
            entry.range == SlotRange::Boolean
                && varies(*slot)
                && matches!(&entry.key, SlotKey::Fluent(fluent, _)
                    if model.fluents[fluent.index()].kind == FluentKind::Basic)
        })
        .map(|(slot, _)| slot)
        .collect()
}

/// Facts that a condition requires.
fn required(cond: &Cond, facts: &mut Vec<SlotId>) {
    match cond {
        Cond::Holds(slot, 1) => facts.push(*slot),
        Cond::And(conds) => {
            for cond in conds {
                required(cond, facts);
            }
        }
        _ => {}
    }
}

/// How the conditions of an effect are read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reading {
    /// In the state in which the operator is chosen, or the phase begins.
    Alone,
    /// The same, with other effects beside it that may apply before a sequence does.
    Beside,
    /// In a state that is not followed.
    Opaque,
}

/// Lists the leaves of an effect.
fn collect(
    effect: &Effect,
    given: &[SlotId],
    conditions: &[Cond],
    changes: &mut Changes,
    reading: Reading,
) {
    match effect {
        Effect::Set(slot, _) if reading == Reading::Opaque => {
            changes.opaque.insert(*slot);
        }
        Effect::Set(slot, code) => {
            let leaf = Leaf {
                slot: *slot,
                given: given.to_vec(),
                conditions: conditions.to_vec(),
            };
            if *code == 1 {
                changes.adds.push(leaf);
            } else {
                changes.deletes.push(leaf);
            }
        }
        Effect::Block(effects) => {
            let reading = match reading {
                Reading::Opaque => Reading::Opaque,
                Reading::Alone | Reading::Beside => Reading::Beside,
            };
            for effect in effects {
                collect(effect, given, conditions, changes, reading);
            }
        }
        Effect::When(cond, effect) => {
            let mut given = given.to_vec();
            required(cond, &mut given);
            let mut conditions = conditions.to_vec();
            conditions.push(cond.clone());
            collect(effect, &given, &conditions, changes, reading);
        }
        // The label that an action logs at its end is no change.
        Effect::Seq(effects)
            if reading == Reading::Alone
                && effects
                    .iter()
                    .skip(1)
                    .all(|effect| matches!(effect, Effect::Log(_) | Effect::Cost(_))) =>
        {
            for effect in effects {
                collect(effect, given, conditions, changes, reading);
            }
        }
        Effect::Seq(effects) | Effect::Switch(_, effects) => {
            for effect in effects {
                collect(effect, given, conditions, changes, Reading::Opaque);
            }
        }
        Effect::Case(cases, otherwise) => {
            for (_, effect) in cases {
                collect(effect, given, conditions, changes, Reading::Opaque);
            }
            collect(otherwise, given, conditions, changes, Reading::Opaque);
        }
        Effect::Choose(candidates, otherwise) => {
            for candidate in candidates {
                collect(
                    &candidate.effect,
                    given,
                    conditions,
                    changes,
                    Reading::Opaque,
                );
            }
            collect(otherwise, given, conditions, changes, Reading::Opaque);
        }
        Effect::Nothing
        | Effect::Number(..)
        | Effect::Increase(..)
        | Effect::Copy(..)
        | Effect::Log(_)
        | Effect::Cost(_) => {}
    }
}

enum Verdict {
    Holds,
    Refine(Vec<Candidate>),
    Fails,
}

struct Search<'a> {
    slots: &'a Slots,
    changes: &'a [Changes],
    /// For each slot who changes it.
    owners: Vec<BTreeSet<Option<u16>>>,
    /// Several agents act on one state: only groups that one agent alone changes are sound.
    simultaneous: bool,
}

impl Search<'_> {
    fn fact(&self, slot: SlotId) -> Option<(FluentId, &[ObjectId])> {
        match &self.slots.get(slot).key {
            SlotKey::Fluent(fluent, args) => Some((*fluent, args)),
            _ => None,
        }
    }

    /// The key of the instance that a slot belongs to.
    fn key(&self, candidate: &Candidate, slot: SlotId) -> Option<Vec<ObjectId>> {
        let (fluent, args) = self.fact(slot)?;
        let part = candidate.get(&fluent)?;
        Some(part.fixed.iter().map(|&arg| args[arg]).collect())
    }

    fn check(&self, candidate: &Candidate) -> Verdict {
        for changes in self.changes {
            if changes
                .opaque
                .iter()
                .any(|&slot| self.key(candidate, slot).is_some())
            {
                return Verdict::Fails;
            }
            let adds: Vec<(Vec<ObjectId>, &Leaf)> = changes
                .adds
                .iter()
                .filter_map(|leaf| Some((self.key(candidate, leaf.slot)?, leaf)))
                .collect();
            for (index, (key, add)) in adds.iter().enumerate() {
                let heavy = adds[..index]
                    .iter()
                    .any(|(other_key, other)| other_key == key && other.slot != add.slot);
                if heavy || changes.agent.is_none() {
                    return Verdict::Fails;
                }
                if add.given.contains(&add.slot) || self.is_paid(candidate, key, add, changes) {
                    continue;
                }
                return self.refine(candidate, key, add, changes);
            }
        }
        Verdict::Holds
    }

    /// Whether a fact of the same instance is required and deleted whenever `add` applies.
    fn is_paid(
        &self,
        candidate: &Candidate,
        key: &[ObjectId],
        add: &Leaf,
        changes: &Changes,
    ) -> bool {
        changes.deletes.iter().any(|delete| {
            delete.slot != add.slot
                && add.given.contains(&delete.slot)
                && implies(add, delete)
                && self.key(candidate, delete.slot).as_deref() == Some(key)
        })
    }

    /// Candidates with one part more, which would pay for `add`.
    fn refine(
        &self,
        candidate: &Candidate,
        key: &[ObjectId],
        add: &Leaf,
        changes: &Changes,
    ) -> Verdict {
        let mut refined = Vec::new();
        for delete in &changes.deletes {
            let Some((fluent, args)) = self.fact(delete.slot) else {
                continue;
            };
            let fits = add.given.contains(&delete.slot)
                && implies(add, delete)
                && !candidate.contains_key(&fluent)
                && (args.len() == key.len() || args.len() == key.len() + 1);
            if !fits {
                continue;
            }
            let mut fixed = Vec::new();
            assign(key, args, &mut fixed, &mut |fixed| {
                let counted = (0..args.len()).find(|arg| !fixed.contains(arg));
                let part = Part {
                    fluent,
                    fixed: fixed.to_vec(),
                    counted,
                };
                let mut more = candidate.clone();
                more.insert(fluent, part);
                refined.push(more);
            });
        }
        if refined.is_empty() {
            Verdict::Fails
        } else {
            Verdict::Refine(refined)
        }
    }

    /// The groups of a candidate: instances of which at most one fact holds initially.
    fn instances(&self, candidate: &Candidate, eligible: &BTreeSet<SlotId>) -> Vec<Vec<SlotId>> {
        let mut by_key: BTreeMap<Vec<ObjectId>, Vec<SlotId>> = BTreeMap::new();
        let mut weight: BTreeMap<Vec<ObjectId>, usize> = BTreeMap::new();
        for (slot, entry) in self.slots.iter() {
            if let Some(key) = self.key(candidate, slot) {
                *weight.entry(key.clone()).or_default() += usize::from(entry.initial == 1);
                if eligible.contains(&slot) {
                    by_key.entry(key).or_default().push(slot);
                }
            }
        }
        by_key
            .into_iter()
            .filter(|(key, group)| {
                group.len() > 1
                    && weight[key] <= 1
                    && (!self.simultaneous || self.is_private(group))
            })
            .map(|(_, group)| group)
            .collect()
    }

    /// Whether one agent alone changes the facts of a group.
    fn is_private(&self, group: &[SlotId]) -> bool {
        let mut owners = group.iter().flat_map(|slot| &self.owners[slot.index()]);
        owners
            .next()
            .is_none_or(|first| owners.all(|owner| owner == first))
    }
}

/// For each slot who changes it: agents, or the tick.
fn owners(slots: usize, changes: &[Changes]) -> Vec<BTreeSet<Option<u16>>> {
    let mut owners = vec![BTreeSet::new(); slots];
    for changes in changes {
        for leaf in changes.adds.iter().chain(&changes.deletes) {
            owners[leaf.slot.index()].insert(changes.agent);
        }
    }
    owners
}

/// Whether the delete applies whenever the add does.
fn implies(add: &Leaf, delete: &Leaf) -> bool {
    delete
        .conditions
        .iter()
        .all(|cond| add.conditions.contains(cond))
}

/// Calls `found` for every way to find the key among the arguments.
fn assign(
    key: &[ObjectId],
    args: &[ObjectId],
    fixed: &mut Vec<usize>,
    found: &mut dyn FnMut(&[usize]),
) {
    let Some(&wanted) = key.get(fixed.len()) else {
        found(fixed);
        return;
    };
    for arg in 0..args.len() {
        if args[arg] == wanted && !fixed.contains(&arg) {
            fixed.push(arg);
            assign(key, args, fixed, found);
            fixed.pop();
        }
    }
}
