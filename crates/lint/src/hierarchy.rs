//! The type hierarchy of a domain, by the names as they are written.

use std::collections::{BTreeMap, BTreeSet};

use brigade_syntax::ast::{Domain, TypeExpr};

/// The names that a type expression holds.
pub(super) fn names(ty: Option<&TypeExpr>) -> Vec<String> {
    match ty {
        Some(TypeExpr::Named(name)) => vec![name.key()],
        Some(TypeExpr::Either(names, _)) => {
            names.iter().map(brigade_syntax::ast::Name::key).collect()
        }
        Some(TypeExpr::Int { .. } | TypeExpr::Number(_)) => Vec::new(),
        None => vec!["object".to_owned()],
    }
}

/// The type hierarchy of a domain.
pub(super) struct Hierarchy {
    /// The parents of each type, by name in lower case.
    pub(super) parents: BTreeMap<String, Vec<String>>,
    /// The kinds of each.
    pub(super) kinds: BTreeMap<String, Vec<String>>,
}

impl Hierarchy {
    pub(super) fn new(domain: &Domain) -> Self {
        let (mut up, mut down) = (BTreeMap::new(), BTreeMap::new());
        for ty in &domain.types {
            let parents = names(ty.ty.as_ref());
            for parent in &parents {
                let kinds: &mut Vec<String> = down.entry(parent.clone()).or_default();
                kinds.push(ty.name.key());
            }
            let known: &mut Vec<String> = up.entry(ty.name.key()).or_default();
            known.extend(parents);
        }
        Self {
            parents: up,
            kinds: down,
        }
    }
}

/// These, and what can be reached from them.
pub(super) fn closure<'a>(
    seeds: &BTreeSet<&'a str>,
    next: &'a BTreeMap<String, Vec<String>>,
) -> BTreeSet<&'a str> {
    let mut found = seeds.clone();
    let mut open: Vec<&str> = seeds.iter().copied().collect();
    while let Some(one) = open.pop() {
        for other in next.get(one).into_iter().flatten() {
            if found.insert(other) {
                open.push(other);
            }
        }
    }
    found
}
