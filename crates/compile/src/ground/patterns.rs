//! The facts that every instance of a schema needs, as patterns over its parameters.

use indexmap::{IndexMap, IndexSet};
use petgraph::unionfind::UnionFind;

use crate::sema::model::{Cond, FluentId, Model, ObjectId, Range, Term};

/// The most patterns of a schema that are joined. The others are tested on the instances.
const MAX_PATTERNS: usize = 64;

/// A term of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum PatternTerm {
    Variable(usize),
    Object(ObjectId),
}

/// A fact that every instance of a schema needs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Pattern {
    pub(super) fluent: FluentId,
    pub(super) terms: Vec<PatternTerm>,
}

impl Pattern {
    /// Returns true if the variable of that index is one of the terms.
    pub(super) fn reads(&self, variable: usize) -> bool {
        self.terms.contains(&PatternTerm::Variable(variable))
    }

    fn variables(&self) -> impl Iterator<Item = usize> {
        self.terms.iter().filter_map(|term| match term {
            PatternTerm::Variable(variable) => Some(*variable),
            PatternTerm::Object(_) => None,
        })
    }
}

/// The facts that a conjunction requires, as far as they are plain: predicates and object-fluent
/// equalities over variables below `parameters` and objects. Of very many, those that bind a
/// variable come first, and the rest is left out.
pub(super) fn patterns<'a>(
    conds: impl IntoIterator<Item = &'a Cond>,
    model: &Model,
    parameters: usize,
) -> Vec<Pattern> {
    let mut patterns = Vec::new();
    let mut open: Vec<&Cond> = conds.into_iter().collect();
    open.reverse();
    while let Some(cond) = open.pop() {
        match cond {
            Cond::And(conds) => open.extend(conds.iter().rev()),
            Cond::Atom(fluent, args) => {
                if let Some(terms) = plain(args, parameters) {
                    patterns.push(Pattern {
                        fluent: *fluent,
                        terms,
                    });
                }
            }
            Cond::Same(left, right) => {
                for (value, fluent) in [(left, right), (right, left)] {
                    if let Term::Fluent(fluent, args) = fluent
                        && matches!(model.fluents[fluent.index()].range, Range::Object(_))
                        && let Some(terms) = plain(args.iter().chain([value]), parameters)
                    {
                        patterns.push(Pattern {
                            fluent: *fluent,
                            terms,
                        });
                    }
                }
            }
            _ => {}
        }
    }
    chosen(patterns, parameters)
}

/// At most [`MAX_PATTERNS`] different patterns, in their order.
fn chosen(patterns: Vec<Pattern>, parameters: usize) -> Vec<Pattern> {
    let patterns: IndexSet<Pattern> = patterns.into_iter().collect();
    if patterns.len() <= MAX_PATTERNS {
        return patterns.into_iter().collect();
    }
    let mut bound = vec![false; parameters];
    let mut binds: Vec<bool> = Vec::with_capacity(patterns.len());
    for pattern in &patterns {
        let mut new = false;
        for term in &pattern.terms {
            if let PatternTerm::Variable(variable) = *term {
                new |= !std::mem::replace(&mut bound[variable], true);
            }
        }
        binds.push(new);
    }
    let mut others = MAX_PATTERNS.saturating_sub(binds.iter().filter(|&&binds| binds).count());
    let mut left = MAX_PATTERNS;
    let keep = |binds: bool| {
        let kept = binds || others > 0;
        if kept && !binds {
            others -= 1;
        }
        let kept = kept && left > 0;
        left -= usize::from(kept);
        kept
    };
    let kept: Vec<bool> = binds.into_iter().map(keep).collect();
    let kept = patterns.into_iter().zip(kept).filter(|(_, kept)| *kept);
    kept.map(|(pattern, _)| pattern).collect()
}

/// The patterns, those together that share variables, directly or by others. `parameters` is the
/// number of variables.
pub(super) fn groups(patterns: &[Pattern], parameters: usize) -> Vec<Vec<Pattern>> {
    // Patterns, and behind them variables.
    let mut joined = UnionFind::<usize>::new(patterns.len() + parameters);
    for (index, pattern) in patterns.iter().enumerate() {
        for variable in pattern.variables() {
            joined.union(index, patterns.len() + variable);
        }
    }
    let mut groups: IndexMap<usize, Vec<Pattern>> = IndexMap::new();
    for (index, pattern) in patterns.iter().enumerate() {
        let group = groups.entry(joined.find(index)).or_default();
        group.push(pattern.clone());
    }
    groups.into_values().collect()
}

fn plain<'a>(
    terms: impl IntoIterator<Item = &'a Term>,
    parameters: usize,
) -> Option<Vec<PatternTerm>> {
    terms
        .into_iter()
        .map(|term| match term {
            Term::Object(object) => Some(PatternTerm::Object(*object)),
            Term::Variable(variable) if variable.index() < parameters => {
                Some(PatternTerm::Variable(variable.index()))
            }
            Term::Variable(_) | Term::Fluent(..) | Term::Undefined => None,
        })
        .collect()
}
