//! The chain that breaks: what a fact needs, what that needs in turn, down to what nothing provides.

use std::collections::{BTreeSet, VecDeque};

use super::schema::{At, Missing, Schema, Solver};
use super::writers::{Need, Owner, Writer, writers};
use crate::sema::model::{Cond, Variable};

/// How many facts are looked at for one chain.
const LOOKED_AT: usize = 200;

/// A fact of the chain that can never hold.
#[derive(Clone, Debug)]
pub(super) struct Link<'m> {
    /// The fact in PDDL.
    pub(super) text: String,
    pub(super) cond: &'m Cond,
    pub(super) variables: &'m [Variable],
    pub(super) need: Option<Need>,
    /// What would have made the link before so, if this one held; `None` for the first.
    pub(super) by: Option<(Owner, &'m str)>,
}

/// Why a chain ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// Nothing makes the last fact so.
    Nothing,
    /// What makes the last fact so needs a fact of the chain.
    Circle(String),
    /// What could make the last fact so never can, for a reason that is not one fact.
    Writer(String),
    /// The last link is no single fact.
    Other,
}

struct Node<'m> {
    link: Link<'m>,
    parent: Option<usize>,
}

/// The shortest chain from a condition that never holds to what nothing provides.
pub(super) fn chain<'m>(
    solver: &mut Solver<'_, 'm>,
    cond: &'m Cond,
    variables: &'m [Variable],
    at: &At,
) -> (Vec<Link<'m>>, End) {
    let first = Link {
        text: solver.relaxed.text(cond, variables, at),
        cond,
        variables,
        need: Need::of(cond, at),
        by: None,
    };
    let mut nodes = vec![Node {
        link: first,
        parent: None,
    }];
    let mut seen: BTreeSet<Need> = BTreeSet::new();
    seen.extend(nodes[0].link.need.clone());
    let mut open = VecDeque::from([0]);
    // The best end that is not the absence of any writer.
    let mut fallback: Option<(usize, End)> = None;
    while let Some(current) = open.pop_front() {
        let Some(need) = nodes[current].link.need.clone() else {
            // Not one fact: as good an end as any, unless a plainer one is found.
            fallback = Some((current, End::Other));
            continue;
        };
        let found = writers(solver.model, &need);
        if found.is_empty() {
            return (path(&nodes, current), End::Nothing);
        }
        for writer in &found {
            match blocked(solver, writer) {
                Missing::Never(cond) => {
                    let link = link(solver, cond, writer);
                    let is_new = match &link.need {
                        Some(need) => seen.insert(need.clone()),
                        None => true,
                    };
                    if is_new && nodes.len() < LOOKED_AT {
                        nodes.push(Node {
                            link,
                            parent: Some(current),
                        });
                        open.push_back(nodes.len() - 1);
                    } else if fallback.is_none() {
                        fallback = Some((current, End::Circle(writer.name.to_owned())));
                    }
                }
                Missing::NoObject | Missing::NotTogether(_) | Missing::Unknown => {
                    if fallback
                        .as_ref()
                        .is_none_or(|(_, end)| matches!(end, End::Circle(_)))
                    {
                        fallback = Some((current, End::Writer(writer.name.to_owned())));
                    }
                }
            }
        }
    }
    match fallback {
        Some((node, end)) => (path(&nodes, node), end),
        None => (path(&nodes, 0), End::Other),
    }
}

fn blocked<'m>(solver: &mut Solver<'_, 'm>, writer: &Writer<'m>) -> Missing<'m> {
    solver.missing(&writer.schema, &writer.at)
}

fn link<'m>(solver: &Solver<'_, 'm>, cond: &'m Cond, writer: &Writer<'m>) -> Link<'m> {
    let variables = writer.schema.variables;
    Link {
        text: solver.relaxed.text(cond, variables, &writer.at),
        cond,
        variables,
        need: Need::of(cond, &writer.at),
        by: Some((writer.owner, writer.name)),
    }
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
