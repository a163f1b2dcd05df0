//! The costs of operators where moves are charged to what is done next.
//!
//! Something is done at a place, which is the value of a variable: a cook acts where it stands.
//! Operators that change that variable, and nothing that others change, are moves. Where they cost
//! nothing, but what is done next costs as much more as a move does at least, no plan costs more
//! than it did; and what is asked of a thing then asks for the moves to it.

use rustc_hash::FxHashSet;

use super::conjunctions::Conjunctions;
use super::priced::Priced;
use crate::heuristics::potentials::builder::Builder;
use crate::heuristics::potentials::transitions::Case;

/// The costs of operators, and the places where they act.
pub(crate) struct Charges {
    /// The variable whose value is the place where something is done.
    pub(crate) place: Option<u32>,
    /// The number of its values.
    pub(crate) places: u32,
    /// The charge for moves.
    pub(crate) charge: u32,
    /// All that a step may do, but for moves.
    pub(crate) labels: Vec<Label>,
}

/// The effect of a part of a step.
pub(crate) struct Label {
    pub(crate) case: Case,
    /// The values that may hold before.
    pub(crate) before: Vec<u64>,
    /// The place where it is done, if that is sure.
    pub(crate) at: Option<u32>,
    pub(crate) cost: u32,
}

impl Charges {
    /// Of these cases, to which is added what becomes of groups.
    pub(crate) fn new(
        builder: &Builder,
        conjunctions: &Conjunctions,
        cases: Vec<Priced>,
        place: Option<u32>,
    ) -> Self {
        let is_move = |it: &Priced| place.is_some_and(|place| it.case.written(place).is_some());
        let moves = cases.iter().filter(|it| is_move(it));
        let charge = moves.filter_map(|it| it.cost).min();
        let sizes = |variable: u32| builder.model.domains.size(variable);
        let others = cases.into_iter().filter(|it| !is_move(it));
        let labels = others.filter_map(|Priced { mut case, cost }| {
            let before = conjunctions.before(&case)?;
            let at = place.and_then(|place| match case.values_before(place) {
                Some(&[only]) => Some(only),
                _ => None,
            });
            builder.groups.add_to(&mut case, &sizes).then_some(Label {
                case,
                before,
                at,
                cost: cost.unwrap_or(0),
            })
        });
        Self {
            labels: labels.collect(),
            place,
            places: place.map_or(0, |place| builder.size(place)),
            charge: charge.unwrap_or(0),
        }
    }
}

/// The variable that most often decides where something is done, of those that moves alone change.
pub(crate) fn place(builder: &Builder, cases: &[Priced]) -> Option<u32> {
    let mut writing: Vec<Vec<usize>> = vec![Vec::new(); builder.model.domains.len() as usize];
    for (index, it) in cases.iter().enumerate() {
        for written in &it.case.written {
            writing[written.variable as usize].push(index);
        }
    }
    let variables =
        (0..builder.model.domains.len()).filter(|&id| builder.distinguished[id as usize]);
    let variables =
        variables.filter(|&id| builder.size(id) > 2 && !writing[id as usize].is_empty());
    let counted = variables.filter_map(|id| {
        let moves: FxHashSet<usize> = writing[id as usize].iter().copied().collect();
        let are_moves = writing[id as usize].iter().all(|&index| {
            let mut written = cases[index].case.written.iter();
            cases[index].cost.is_some()
                && written.all(|it| {
                    let mut writing = writing[it.variable as usize].iter();
                    writing.all(|index| moves.contains(index))
                })
        });
        let is_at = |it: &&Priced| {
            it.cost.is_some() && it.case.kept(id).is_some_and(|values| values.len() == 1)
        };
        are_moves.then(|| (cases.iter().filter(is_at).count(), id))
    });
    let best = counted.max_by_key(|&(count, id)| (count, std::cmp::Reverse(id)));
    best.filter(|&(count, _)| count > 0).map(|(_, id)| id)
}
