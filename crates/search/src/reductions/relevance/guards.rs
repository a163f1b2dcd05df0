//! Guards: the facts under which variables are obsolete.

use std::collections::{BTreeMap, BTreeSet};

use super::candidates::candidates;
use super::facts::{Guards, Variables};
use super::reader::{Reader, Site, sites};
use brigade_task::{Task, VarId};

/// Parts of effects looked at, at most, before no more variables are found.
const MOST_WORK: usize = 20_000_000;

/// The variables that are obsolete under each fact.
pub(super) fn guards(task: &Task) -> Guards {
    let candidates = candidates(task);
    let mut guards = Guards::new();
    if candidates.is_empty() {
        return guards;
    }
    let mut readers: BTreeMap<VarId, Vec<Site>> = BTreeMap::new();
    let wanted: Variables = candidates.values().flatten().copied().collect();
    let mut left = MOST_WORK;
    for site in sites(task) {
        let mut reader = Reader::new(task, None, &wanted);
        reader.site(site);
        left = left.saturating_sub(reader.work);
        for id in reader.read.intersection(&wanted) {
            readers.entry(*id).or_default().push(site);
        }
    }
    for (fact, mut obsolete) in candidates {
        // The greatest set of which all that is read is read by what writes it only.
        loop {
            let sites = obsolete.iter().filter_map(|id| readers.get(id)).flatten();
            let sites: BTreeSet<Site> = sites.copied().collect();
            let mut reader = Reader::new(task, Some(fact), &obsolete);
            for site in sites {
                reader.site(site);
            }
            let (read, work) = (reader.read, reader.work);
            left = left.saturating_sub(work);
            if left == 0 {
                return guards;
            }
            let before = obsolete.len();
            obsolete.retain(|id| !read.contains(id));
            if obsolete.len() == before {
                break;
            }
        }
        for id in obsolete {
            guards.entry(id).or_default().push(fact);
        }
    }
    guards
}
