//! Mutex groups: sets of predicate facts of which at most one holds, so that they share a variable.
//!
//! Candidates are grown as in Helmert, "Concise finite-domain representations for PDDL planning
//! tasks" (AIJ 2009): parts of predicates with the same fixed arguments and at most one counted
//! one. They are verified on the ground operators: every fact an operator adds to a group must be
//! paid for by a fact of the group that it requires and deletes.
//!
//! At most [`MAX_CANDIDATES`] candidates are tried, and at most [`MAX_STEPS`] steps made. Groups that
//! are not found then cost bits, nothing else.

use std::cell::Cell;
use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BTreeSet};

use super::changes::{Change, Changes, Leaf};
use super::slots::{SlotId, SlotKey, SlotRange, Slots};
use super::work::Work;
use crate::sema::model::{FluentId, FluentKind, Model, ObjectId, TurnMode};

/// The most candidates that are tried.
const MAX_CANDIDATES: usize = 300;

/// The most changes of facts that are looked at, in all.
const MAX_STEPS: u64 = 30_000_000;

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

/// Which instance of a candidate a fact belongs to: those of its arguments that are fixed.
#[derive(Clone, Copy)]
struct Key<'a> {
    fixed: &'a [usize],
    args: &'a [ObjectId],
}

/// Groups of slots of which at most one holds in any reachable state.
pub(super) struct MutexGroups {
    /// Disjoint ones, largest first.
    pub(super) disjoint: Vec<Vec<SlotId>>,
    /// All that were found.
    pub(super) all: Vec<Vec<SlotId>>,
}

/// Finds groups of slots of which at most one holds in any reachable state.
pub(super) fn mutex_groups(
    model: &Model,
    slots: &Slots,
    eligible: &BTreeSet<SlotId>,
    changes: &[Change<'_>],
    work: &Work<'_>,
) -> MutexGroups {
    let changes: Vec<Changes<'_>> = changes.iter().map(Changes::of).collect();
    let simultaneous = model.turns == TurnMode::Simultaneous && model.agents.len() > 1;
    let search = Search {
        model,
        slots,
        owners: if simultaneous {
            owners(slots.len(), &changes)
        } else {
            Vec::new()
        },
        by_fluent: by_fluent(slots, &changes),
        slots_of: slots_of(slots),
        changes: &changes,
        steps_left: Cell::new(MAX_STEPS),
        work,
        simultaneous,
    };
    let mut queue: Vec<Candidate> = first_candidates(model, slots, eligible);
    let mut seen: BTreeSet<Candidate> = queue.iter().cloned().collect();
    let mut groups: Vec<Vec<SlotId>> = Vec::new();
    let mut next = 0;
    while next < queue.len() && next < MAX_CANDIDATES && search.spend(0) {
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
    MutexGroups {
        all: groups.clone(),
        disjoint: cover(groups, &search),
    }
}

fn slots_of(slots: &Slots) -> BTreeMap<FluentId, Vec<SlotId>> {
    let mut result: BTreeMap<FluentId, Vec<SlotId>> = BTreeMap::new();
    for (slot, entry) in slots.iter() {
        if let SlotKey::Fluent(fluent, _) = &entry.key {
            result.entry(*fluent).or_default().push(slot);
        }
    }
    result
}

/// For each predicate what changes it: the number of the change, then of its addition; opaque
/// parts count as one addition beyond all.
fn by_fluent(slots: &Slots, changes: &[Changes<'_>]) -> BTreeMap<FluentId, Vec<(usize, usize)>> {
    let mut result: BTreeMap<FluentId, Vec<(usize, usize)>> = BTreeMap::new();
    let mut enter = |slot: SlotId, place| {
        if let SlotKey::Fluent(fluent, _) = &slots.get(slot).key {
            let places = result.entry(*fluent).or_default();
            if places.last() != Some(&place) {
                places.push(place);
            }
        }
    };
    for (number, change) in changes.iter().enumerate() {
        for (index, add) in change.adds.iter().enumerate() {
            enter(add.slot, (number, index));
        }
        for &slot in &change.opaque {
            enter(slot, (number, change.adds.len()));
        }
    }
    result
}

/// Greedy disjoint cover, largest first; of equally large groups the least.
fn cover(mut groups: Vec<Vec<SlotId>>, search: &Search<'_>) -> Vec<Vec<SlotId>> {
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
                if !search.spend(group.len() as u64) {
                    return result;
                }
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

enum Verdict {
    Holds,
    Refine(Vec<Candidate>),
    Fails,
}

struct Search<'a> {
    model: &'a Model,
    slots: &'a Slots,
    changes: &'a [Changes<'a>],
    /// For each predicate the changes that add it: see [`by_fluent`].
    by_fluent: BTreeMap<FluentId, Vec<(usize, usize)>>,
    /// For each fluent its slots.
    slots_of: BTreeMap<FluentId, Vec<SlotId>>,
    steps_left: Cell<u64>,
    work: &'a Work<'a>,
    /// For each slot who changes it; not listed where one agent acts at a time.
    owners: Vec<BTreeSet<Option<u16>>>,
    /// Several agents act on one state: only groups that one agent alone changes are sound.
    simultaneous: bool,
}

impl<'a> Search<'a> {
    /// Counts steps; false if there are no more.
    fn spend(&self, steps: u64) -> bool {
        let left = self.steps_left.get().saturating_sub(steps);
        self.steps_left.set(left);
        self.work.goes_on(steps) && left > 0
    }

    fn fact(&self, slot: SlotId) -> Option<(FluentId, &[ObjectId])> {
        match &self.slots.get(slot).key {
            SlotKey::Fluent(fluent, args) => Some((*fluent, args)),
            _ => None,
        }
    }

    /// The key of the instance that a slot belongs to.
    fn key<'s>(&'s self, candidate: &'s Candidate, slot: SlotId) -> Option<Key<'s>> {
        let (fluent, args) = self.fact(slot)?;
        let fixed = &candidate.get(&fluent)?.fixed;
        Some(Key { fixed, args })
    }

    fn check(&self, candidate: &Candidate) -> Verdict {
        let mut places: Vec<(usize, usize)> = candidate
            .keys()
            .filter_map(|fluent| self.by_fluent.get(fluent))
            .flatten()
            .copied()
            .collect();
        if !self.spend(places.len() as u64) {
            return Verdict::Fails;
        }
        places.sort_unstable();
        let mut added: Vec<(Key<'_>, SlotId)> = Vec::new();
        let mut deleted: Vec<(Key<'_>, &Leaf<'a>)> = Vec::new();
        for of_one in places.chunk_by(|one, other| one.0 == other.0) {
            let changes = &self.changes[of_one[0].0];
            if changes.agent.is_none() || of_one.iter().any(|place| place.1 == changes.adds.len()) {
                return Verdict::Fails;
            }
            let adds = || of_one.iter().map(|&(_, index)| &changes.adds[index]);
            let keyed = |add: &Leaf<'_>| Some((self.key(candidate, add.slot)?, add.slot));
            added.clear();
            added.extend(adds().filter_map(keyed));
            added.sort_unstable();
            // No part more would make one fact of two.
            let adds_two =
                |pair: &[(Key<'_>, SlotId)]| pair[0].0 == pair[1].0 && pair[0].1 != pair[1].1;
            if !self.spend(added.len() as u64) || added.windows(2).any(adds_two) {
                return Verdict::Fails;
            }
            deleted.clear();
            let mut unpaid = adds().filter(|add| !add.is_given(add.slot)).peekable();
            if unpaid.peek().is_some() {
                self.spend(changes.deletes.len() as u64);
                let keyed =
                    |delete: &'a Leaf<'a>| Some((self.key(candidate, delete.slot)?, delete));
                deleted.extend(changes.deletes.iter().filter_map(keyed));
                deleted.sort_by_key(|&(key, _)| key);
            }
            for add in unpaid {
                let Some(key) = self.key(candidate, add.slot) else {
                    continue;
                };
                let first = deleted.partition_point(|other| other.0 < key);
                let of_key = deleted[first..].iter().take_while(|other| other.0 == key);
                let mut deletes = of_key.inspect(|_| {
                    self.spend(1);
                });
                if !deletes.any(|&(_, delete)| delete.slot != add.slot && pays(delete, add)) {
                    let key: Vec<ObjectId> = key.objects().collect();
                    return self.refine(candidate, &key, add, changes);
                }
            }
        }
        Verdict::Holds
    }

    /// Candidates with one part more, which would pay for `add`.
    fn refine(
        &self,
        candidate: &Candidate,
        key: &[ObjectId],
        add: &Leaf<'_>,
        changes: &Changes<'_>,
    ) -> Verdict {
        let mut refined = Vec::new();
        self.spend(changes.deletes.len() as u64);
        for delete in changes.deletes.iter().filter(|delete| pays(delete, add)) {
            let Some((fluent, args)) = self.fact(delete.slot) else {
                continue;
            };
            // What else a fluent's values stand for, or who else writes it, is not followed.
            let is_followed = self.slots.get(delete.slot).range == SlotRange::Boolean
                && self.model.fluents[fluent.index()].kind == FluentKind::Basic;
            let fits = is_followed
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
                refined.len() < MAX_CANDIDATES && self.spend(1)
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
        let of_fluents = candidate
            .keys()
            .filter_map(|fluent| self.slots_of.get(fluent));
        let slots = of_fluents.flatten();
        let keyed = |&slot: &SlotId| Some((self.key(candidate, slot)?, slot));
        let mut facts: Vec<(Key<'_>, SlotId)> = slots.filter_map(keyed).collect();
        self.spend(facts.len() as u64);
        facts.sort_unstable();
        let mut groups = Vec::new();
        for instance in facts.chunk_by(|one, other| one.0 == other.0) {
            let is_initial = |&&(_, slot): &&(_, SlotId)| self.slots.get(slot).initial == 1;
            if instance.iter().filter(is_initial).count() > 1 {
                continue;
            }
            let slots = instance.iter().map(|&(_, slot)| slot);
            let group: Vec<SlotId> = slots.filter(|slot| eligible.contains(slot)).collect();
            if group.len() > 1 && (!self.simultaneous || self.is_private(&group)) {
                groups.push(group);
            }
        }
        groups
    }

    /// Returns true if one agent alone changes the facts of a group.
    fn is_private(&self, group: &[SlotId]) -> bool {
        let mut owners = group.iter().flat_map(|slot| &self.owners[slot.index()]);
        owners
            .next()
            .is_none_or(|first| owners.all(|owner| owner == first))
    }
}

/// For each slot who changes it: agents, or the tick.
fn owners(slots: usize, changes: &[Changes<'_>]) -> Vec<BTreeSet<Option<u16>>> {
    let mut owners = vec![BTreeSet::new(); slots];
    for changes in changes {
        for leaf in changes.adds.iter().chain(&changes.deletes) {
            owners[leaf.slot.index()].insert(changes.agent);
        }
    }
    owners
}

impl Key<'_> {
    fn objects(self) -> impl Iterator<Item = ObjectId> {
        self.fixed.iter().map(|&arg| self.args[arg])
    }
}

impl Ord for Key<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.objects().cmp(other.objects())
    }
}

impl PartialOrd for Key<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Key<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Key<'_> {}

/// Returns true if the delete applies whenever the add does, to a fact that is given then.
fn pays(delete: &Leaf<'_>, add: &Leaf<'_>) -> bool {
    add.is_given(delete.slot) && implies(add, delete)
}

/// Returns true if the delete applies whenever the add does.
fn implies(add: &Leaf<'_>, delete: &Leaf<'_>) -> bool {
    delete
        .conditions
        .iter()
        .all(|cond| add.conditions.contains(cond))
}

/// Calls `found` for every way to find the key among the arguments, until it returns false.
fn assign(
    key: &[ObjectId],
    args: &[ObjectId],
    fixed: &mut Vec<usize>,
    found: &mut dyn FnMut(&[usize]) -> bool,
) -> bool {
    let Some(&wanted) = key.get(fixed.len()) else {
        return found(fixed);
    };
    for arg in 0..args.len() {
        if args[arg] == wanted && !fixed.contains(&arg) {
            fixed.push(arg);
            let go_on = assign(key, args, fixed, found);
            fixed.pop();
            if !go_on {
                return false;
            }
        }
    }
    true
}
