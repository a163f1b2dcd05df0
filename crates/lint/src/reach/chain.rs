//! The chain that breaks: what a fact needs, what that needs in turn, down to what nothing provides.

use std::collections::{BTreeSet, VecDeque};

use super::numbers::{Numbers, out_of_bounds};
use super::schema::{At, Schema, conjuncts};
use super::solver::{Missing, Solver};
use super::writers::{Need, Owner, Wanted};
use brigade_compile::sema::model::{Cond, Variable};

/// The most facts that are examined for one chain.
const LOOKED_AT: usize = 200;

/// A fact of the chain that can never hold.
#[derive(Clone, Debug)]
pub(super) struct Link<'m> {
    /// The fact in PDDL.
    pub(super) text: String,
    pub(super) cond: &'m Cond,
    pub(super) variables: &'m [Variable],
    at: At,
    pub(super) need: Option<Need>,
    /// The range of the numbers of a comparison that never holds.
    pub(super) numbers: Option<Numbers>,
    /// The effect that would have made the link before so, if this one held; `None` for the first, and for a part of
    /// the link before.
    pub(super) by: Option<(Owner, &'m str)>,
}

/// The reason why a chain ends.
#[derive(Clone, Debug)]
pub(super) enum End {
    /// Nothing makes the last fact so.
    Nothing,
    /// The effect that makes the last fact so needs a fact of the chain: the effect's owner, and the place of the fact
    /// in the chain.
    Circle(String, usize),
    /// The effect that could make the last fact so never can: each of its conditions may hold, but not together. The
    /// condition that fails with those before it, where that is known.
    Writer(String, Option<String>),
    /// The numbers that the last link compares never get so great or small.
    Numbers(Numbers),
    /// The last link is no single fact.
    Other,
}

impl End {
    /// Returns the explanatory power of the end: a chain that ends with more is reported rather than one with less.
    /// That a fact of the problem is in the way for good (`is_given`) is said last: it is probably right.
    fn rank(&self, is_given: bool) -> u8 {
        match self {
            Self::Nothing if is_given => 1,
            Self::Nothing => 4,
            Self::Numbers(numbers) if numbers.not_given.is_some() => 4,
            Self::Writer(..) | Self::Numbers(_) => 3,
            Self::Circle(..) => 2,
            Self::Other => 0,
        }
    }
}

struct Node<'m> {
    link: Link<'m>,
    parent: Option<usize>,
}

/// The chains that were looked at, in the order of their length.
struct Search<'m> {
    nodes: Vec<Node<'m>>,
    open: VecDeque<usize>,
    seen: BTreeSet<Need>,
    /// The best end that was found.
    best: Option<(usize, End)>,
}

impl<'m> Search<'m> {
    /// Adds a link, unless it was looked at before. One that is needed for itself ends its chain.
    fn add(&mut self, link: Link<'m>, parent: usize, writer: &str) {
        let is_new = match &link.need {
            Some(need) => self.seen.insert(need.clone()),
            None => true,
        };
        if !is_new {
            if let Some(again) = self.place_in_chain(parent, link.need.as_ref()) {
                self.end(parent, End::Circle(writer.to_owned(), again));
            }
        } else if self.nodes.len() < LOOKED_AT {
            self.nodes.push(Node {
                link,
                parent: Some(parent),
            });
            self.open.push_back(self.nodes.len() - 1);
        }
    }

    /// Returns the place in the chain that ends with `last` where something is needed.
    fn place_in_chain(&self, last: usize, need: Option<&Need>) -> Option<usize> {
        let chain = std::iter::successors(Some(last), |&at| self.nodes[at].parent);
        let links: Vec<usize> = chain.collect();
        let mut from_first = links.iter().rev();
        from_first.position(|&at| self.nodes[at].link.need.as_ref() == need)
    }

    fn end(&mut self, node: usize, end: End) {
        let rank = |node: usize, end: &End| {
            let need = self.nodes[node].link.need.as_ref();
            end.rank(need.is_some_and(|need| need.wanted == Wanted::False))
        };
        let best = self.best.as_ref();
        if best.is_none_or(|(at, best)| rank(*at, best) < rank(node, &end)) {
            self.best = Some((node, end));
        }
    }
}

/// The shortest chain from a condition that never holds to what nothing provides.
pub(super) fn chain<'m>(
    solver: &mut Solver<'_, 'm>,
    cond: &'m Cond,
    variables: &'m [Variable],
    at: &At,
) -> (Vec<Link<'m>>, End) {
    let first = link(solver, cond, variables, at, None);
    let mut search = Search {
        seen: first.need.clone().into_iter().collect(),
        nodes: vec![Node {
            link: first,
            parent: None,
        }],
        open: VecDeque::from([0]),
        best: None,
    };
    while let Some(current) = search.open.pop_front() {
        let Link {
            cond,
            variables,
            at,
            need,
            numbers,
            ..
        } = search.nodes[current].link.clone();
        if let Some(numbers) = numbers {
            search.end(current, End::Numbers(numbers));
            continue;
        }
        let Some(need) = need else {
            let parts = parts(solver, cond, variables, &at);
            if parts.is_empty() {
                search.end(current, End::Other);
            }
            for (part, at) in parts {
                search.add(link(solver, part, variables, &at, None), current, "");
            }
            continue;
        };
        let Some(found) = solver.writers().all(solver.relaxed, &need) else {
            search.end(current, End::Other);
            continue;
        };
        if found.is_empty() && need.is_ill_typed(solver.model) {
            // No file can give it.
            continue;
        }
        if found.is_empty() {
            search.end(current, End::Nothing);
            // What is so for other objects by a fact of the problem is often meant not to be so here.
            if solver.relaxed.changes(need.fluent) || !is_given(solver, &need) {
                break;
            }
        }
        for writer in &found {
            let variables = writer.schema.variables;
            match solver.missing(&writer.schema, &writer.at) {
                Missing::Never(cond) => {
                    let by = Some((writer.owner, writer.name));
                    let link = link(solver, cond, variables, &writer.at, by);
                    search.add(link, current, writer.name);
                }
                Missing::NotTogether(cond) => {
                    let text = solver.relaxed.text(cond, variables, &writer.at);
                    search.end(current, End::Writer(writer.name.to_owned(), Some(text)));
                }
                Missing::NoObject | Missing::Unknown => {
                    search.end(current, End::Writer(writer.name.to_owned(), None));
                }
            }
        }
    }
    match search.best {
        Some((node, end)) => (path(&search.nodes, node), end),
        None => (path(&search.nodes, 0), End::Other),
    }
}

/// Returns true if the problem gives a fact of this fluent.
fn is_given(solver: &Solver<'_, '_>, need: &Need) -> bool {
    let mut facts = solver.model.init.iter();
    facts.any(|fact| fact.fluent == need.fluent)
}

fn link<'m>(
    solver: &mut Solver<'_, 'm>,
    cond: &'m Cond,
    variables: &'m [Variable],
    at: &At,
    by: Option<(Owner, &'m str)>,
) -> Link<'m> {
    Link {
        text: solver.relaxed.text(cond, variables, at),
        cond,
        variables,
        at: at.clone(),
        need: Need::of(cond, at),
        numbers: out_of_bounds(solver, cond, variables, at),
        by,
    }
}

/// Returns the parts of a condition that never hold: of a disjunction any of its parts would do, of anything else the
/// part lacks. Where some of the parts can change, the others only say when these are asked for, as the first half of
/// an `imply` does.
fn parts<'m>(
    solver: &mut Solver<'_, 'm>,
    cond: &'m Cond,
    variables: &'m [Variable],
    at: &At,
) -> Vec<(&'m Cond, At)> {
    let alternatives = match cond {
        Cond::Or(all) => all.iter().collect(),
        Cond::Exists(_, body) => vec![&**body],
        Cond::And(_) => vec![cond],
        Cond::Forall(..) => {
            let mut found = Vec::new();
            failing(solver, cond, variables, &mut at.clone(), &mut found, 1);
            found.retain(|(part, _)| !std::ptr::eq(*part, cond));
            return found;
        }
        _ => return Vec::new(),
    };
    let lacking = alternatives.into_iter().filter_map(|alternative| {
        let mut conds = Vec::new();
        conjuncts(alternative, &mut conds);
        match solver.missing(&Schema { variables, conds }, at) {
            Missing::Never(part) => Some((part, at.clone())),
            _ => None,
        }
    });
    let mut lacking: Vec<(&Cond, At)> = lacking.take(LOOKED_AT).collect();
    if lacking.iter().any(|(part, _)| solver.can_change(part)) {
        lacking.retain(|(part, _)| solver.can_change(part));
    }
    lacking
}

fn path<'m>(nodes: &[Node<'m>], last: usize) -> Vec<Link<'m>> {
    let mut links = Vec::new();
    let mut next = Some(last);
    while let Some(at) = next {
        links.push(nodes[at].link.clone());
        next = nodes[at].parent;
    }
    links.reverse();
    links
}

/// The first part of a condition that never holds by itself, with the bindings of the quantifiers
/// around it.
pub(super) fn failing<'m>(
    solver: &mut Solver<'_, 'm>,
    cond: &'m Cond,
    variables: &'m [Variable],
    at: &mut At,
    into: &mut Vec<(&'m Cond, At)>,
    most: usize,
) {
    if into.len() >= most {
        return;
    }
    match cond {
        Cond::And(conds) => {
            for cond in conds {
                failing(solver, cond, variables, at, into, most);
            }
        }
        Cond::Forall(bound, body) if bound.len() == 1 => {
            let variable = bound[0];
            at.resize(variables.len(), None);
            let extent = solver.model.objects_of(&variables[variable.index()].types);
            for object in extent.into_iter().take(LOOKED_AT) {
                at[variable.index()] = Some(object);
                failing(solver, body, variables, at, into, most);
            }
            at[variable.index()] = None;
        }
        cond => {
            let schema = Schema {
                variables,
                conds: vec![cond],
            };
            if !solver.may_hold(&schema, at) {
                into.push((cond, at.clone()));
            }
        }
    }
}
