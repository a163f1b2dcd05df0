//! Ways to reach the goal: sets of states that together hold all in which it holds.

use super::builder::Builder;
use crate::search::heuristic::formula::Formula;
use crate::search::heuristic::interpret::{Interpreter, Part, Read};

/// Parts of the goal that have potentials of their own, at most.
const MOST_PARTS: usize = 32;
/// Ways to reach the goal that are told apart, at most.
const MOST_WAYS: usize = 4096;

/// A Cartesian set of states.
pub(super) type Row = Box<[u64]>;

/// A conjunction, and the part of the goal that it belongs to.
struct Way<'f> {
    formulas: Vec<&'f Formula>,
    part: usize,
}

impl Way<'_> {
    fn has_disjunction(&self) -> bool {
        let mut flat = flatten(&self.formulas).into_iter();
        flat.any(|part| matches!(part, Formula::Any(_)))
    }
}

/// The parts of the goal, each with its ways.
pub(super) struct Parts {
    pub(super) rows: Vec<Vec<Row>>,
    /// How many were allowed, if there would be more parts had more been.
    cut_at: Option<usize>,
}

impl Parts {
    /// So many at most. A part is what the outermost disjunctions tell apart.
    pub(super) fn new(builder: &Builder, most: usize) -> Self {
        let mut ways = vec![Way {
            formulas: vec![&builder.model.goal],
            part: 0,
        }];
        while let Some(next) = split(&ways, most.min(MOST_PARTS)) {
            ways = next;
            for (way, part) in ways.iter_mut().zip(0..) {
                way.part = part;
            }
        }
        let is_cut = most < MOST_PARTS && ways.iter().any(Way::has_disjunction);
        while let Some(next) = split(&ways, MOST_WAYS) {
            ways = next;
        }
        Self {
            rows: rows(builder, ways),
            cut_at: is_cut.then_some(most),
        }
    }

    /// Whether there would be more parts if more were allowed.
    pub(super) const fn are_cut(&self) -> bool {
        self.cut_at.is_some()
    }

    /// Whether they are the parts also where so many are allowed, no fewer than were.
    pub(super) fn are_those_for(&self, most: usize) -> bool {
        self.cut_at.is_none_or(|allowed| allowed == most)
    }
}

/// For each part that can hold the states of each of its ways that can.
fn rows(builder: &Builder, ways: Vec<Way>) -> Vec<Vec<Row>> {
    let model = builder.model;
    let parts = ways.last().map_or(0, |way| way.part + 1);
    let mut anything = vec![0; model.domains.row_words()];
    for variable in 0..model.domains.len() {
        model.domains.forget(&mut anything, variable);
    }
    let interpreter = Interpreter::new(model, &builder.told_apart, &builder.classes);
    let mut rows = vec![Vec::new(); parts];
    for way in ways {
        let mut part = Part::new(anything.clone().into(), None);
        let holds = way.formulas.into_iter().all(|formula| {
            interpreter
                .truth(formula, Read::Now, &part)
                .unwrap_or_else(|| interpreter.assume(&mut part, Read::Now, formula, true))
        });
        if holds && builder.narrow(&mut part.row) {
            rows[way.part].push(part.row);
        }
    }
    rows.retain(|rows| !rows.is_empty());
    rows
}

/// The ways with the first disjunction of each split, where they stay as many as this; `None` if
/// there is none left.
fn split<'f>(ways: &[Way<'f>], most: usize) -> Option<Vec<Way<'f>>> {
    let mut is_split = false;
    let mut next: Vec<Way> = Vec::new();
    for (index, way) in ways.iter().enumerate() {
        let flat = flatten(&way.formulas);
        let any = flat.iter().position(|part| matches!(part, Formula::Any(_)));
        let left = ways.len() - index - 1;
        let options = match any.map(|place| (place, flat[place])) {
            Some((place, Formula::Any(options))) if next.len() + left + options.len() <= most => {
                Some((place, options))
            }
            _ => None,
        };
        let Some((place, options)) = options else {
            next.push(Way {
                formulas: flat,
                part: way.part,
            });
            continue;
        };
        is_split = true;
        for option in options {
            let mut formulas = flat.clone();
            formulas[place] = option;
            next.push(Way {
                formulas,
                part: way.part,
            });
        }
    }
    is_split.then_some(next)
}

/// The conjuncts of a conjunction of formulas.
fn flatten<'f>(formulas: &[&'f Formula]) -> Vec<&'f Formula> {
    let mut flat = Vec::new();
    for &formula in formulas {
        match formula {
            Formula::All(parts) => flat.extend(flatten(&parts.iter().collect::<Vec<_>>())),
            other => flat.push(other),
        }
    }
    flat
}
