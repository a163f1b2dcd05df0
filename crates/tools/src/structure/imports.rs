//! From the path of an import to the file that defines what it names.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::files::Module;

/// No name is handed on more often.
const MOST_HANDS: u32 = 16;

/// The file of what a path names in a module; `None` if that is not of this crate.
pub(super) fn resolve<'m>(
    modules: &'m BTreeMap<Vec<String>, Module>,
    place: &[String],
    path: &[String],
) -> Option<&'m PathBuf> {
    follow(modules, place, path, MOST_HANDS)
}

fn follow<'m>(
    modules: &'m BTreeMap<Vec<String>, Module>,
    place: &[String],
    path: &[String],
    hands: u32,
) -> Option<&'m PathBuf> {
    let mut at = place.to_vec();
    let mut rest = path.iter();
    let mut is_of_this_crate = false;
    while let Some(segment) = rest.clone().next() {
        match &**segment {
            "crate" => at.clear(),
            "self" => {}
            "super" => {
                at.pop();
            }
            _ => break,
        }
        is_of_this_crate = true;
        rest.next();
    }
    // Without such a start a path is of this crate only if it begins with a module that is here.
    let first = rest.clone().next();
    let mut child = at.clone();
    child.extend(first.cloned());
    if !is_of_this_crate && !modules.contains_key(&child) {
        return None;
    }
    while let Some(segment) = rest.next() {
        let mut child = at.clone();
        child.push(segment.clone());
        if modules.contains_key(&child) {
            at = child;
            continue;
        }
        let module = modules.get(&at)?;
        if module.defined.contains(segment) {
            break;
        }
        if let Some(from) = module.handed_on.get(segment) {
            let mut from = from.clone();
            from.extend(rest.cloned());
            return follow(modules, &at, &from, hands.checked_sub(1)?);
        }
        break;
    }
    Some(&modules.get(&at)?.file)
}
