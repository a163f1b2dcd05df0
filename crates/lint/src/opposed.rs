//! Effects that make a fact true and false at once: it is true then, and the other effect does nothing.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::contradictions::written;
use brigade_diagnostics::span::Span;
use brigade_diagnostics::words::counted;
use brigade_diagnostics::{Code, Diagnostic, Diagnostics, SourceId};
use brigade_syntax::ast::{Domain, Effect, Name, Term};
use brigade_syntax::visit::{self, Visit};

/// Reports the effects of a domain that do.
pub(super) fn of_domain(domain: &Domain, source: SourceId, diagnostics: &mut Diagnostics) {
    let mut found = Opposed::default();
    found.visit_domain(domain);
    for Twice {
        fact,
        deleted,
        added,
        more,
    } in found.found.into_values()
    {
        let message = format!("`{fact}` is made true and false at once");
        let diagnostic = Diagnostic::new(Code::OpposedEffects, message)
            .primary(source, deleted, "does nothing: the fact is true then")
            .secondary(source, added, "the other")
            .help("remove one of the two, or let one follow the other in `(seq …)`");
        diagnostics.push(match more {
            0 => diagnostic,
            more => diagnostic.help(format!(
                "so are facts of its predicate in {}",
                counted(more, "more effect")
            )),
        });
    }
}

/// A fact that is made true and false.
struct Twice {
    fact: String,
    deleted: Span,
    added: Span,
    /// In how many more effects a fact of its predicate is.
    more: usize,
}

#[derive(Default)]
struct Opposed {
    /// The first of each predicate: a lock that is taken and given back is so in many actions.
    found: BTreeMap<String, Twice>,
}

impl<'a> Visit<'a> for Opposed {
    fn visit_effect(&mut self, effect: &'a Effect) {
        let Effect::And(..) = effect else {
            return visit::walk_effect(self, effect);
        };
        let mut parts = Vec::new();
        parts_of(effect, &mut parts);
        let names = |is_wanted: fn(&Effect) -> bool| -> BTreeSet<Cow<'_, str>> {
            let wanted = parts.iter().filter(|part| is_wanted(part));
            wanted
                .filter_map(|part| Some(literal(part)?.0.folded()))
                .collect()
        };
        let deleted = names(|part| matches!(part, Effect::Delete(..)));
        let added = names(|part| matches!(part, Effect::Add(..)));
        let mut made: BTreeMap<String, (&Name, [Option<Span>; 2])> = BTreeMap::new();
        for part in &parts {
            let Some((name, args)) = literal(part) else {
                visit::walk_effect(self, part);
                continue;
            };
            // Most predicates are changed in one way only.
            let key = name.folded();
            if deleted.contains(&key)
                && added.contains(&key)
                && let Some(fact) = written(name, args)
            {
                let at = usize::from(matches!(part, Effect::Add(..)));
                let (_, places) = made.entry(fact).or_insert((name, [None; 2]));
                places[at].get_or_insert(part.span());
            }
        }
        for (fact, (name, places)) in made {
            let [Some(deleted), Some(added)] = places else {
                continue;
            };
            let known = self.found.entry(name.key());
            known.and_modify(|first| first.more += 1).or_insert(Twice {
                fact,
                deleted,
                added,
                more: 0,
            });
        }
    }
}

/// The predicate that an effect makes true or false, and of what.
fn literal(effect: &Effect) -> Option<(&Name, &[Term])> {
    match effect {
        Effect::Add(name, args, _) | Effect::Delete(name, args, _) => Some((name, args)),
        _ => None,
    }
}

/// Collects the parts of an effect that happen at once: all that are no `and` themselves.
fn parts_of<'a>(effect: &'a Effect, into: &mut Vec<&'a Effect>) {
    match effect {
        Effect::And(all, _) => all.iter().for_each(|one| parts_of(one, into)),
        other => into.push(other),
    }
}
