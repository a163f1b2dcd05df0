//! References up to interchangeable objects, as commands show them.

use crate::diagnostics::words::counted;
use crate::rats::orbits::{Interchange, Orbits};
use crate::rats::{LimitReached, Limits, References};
use crate::search::{Control, interchangeable};
use crate::task::PackedTask;

/// Finds the orbits of references under exchanges that leave the task and its initial state as they
/// are.
pub(super) fn orbits(
    task: &PackedTask,
    references: &References,
    control: &dyn Control,
) -> Result<Orbits, LimitReached> {
    let classes = interchangeable(task, control);
    let objects = task.symbols.objects.iter();
    let names: Vec<String> = objects.map(|object| object.name.clone()).collect();
    let places = classes.iter().map(|class| {
        let places = class.iter().map(|object| object.index());
        places.collect()
    });
    let interrupted = || control.stop().is_some();
    let limits = Limits {
        interrupted: &interrupted,
        ..Limits::default()
    };
    let interchange = Interchange {
        names: &names,
        classes: &places.collect::<Vec<_>>(),
    };
    references.orbits(interchange, &limits)
}

/// The number of orbits, and the objects of each class.
pub(super) fn sentence(orbits: &Orbits) -> String {
    let total = counted(orbits.total(), "orbit");
    if orbits.classes.is_empty() {
        return format!("{total}: no objects are interchangeable");
    }
    let classes = orbits.classes.iter().map(|class| class.join(", "));
    let classes = classes.collect::<Vec<_>>().join("; ");
    format!("{total} up to interchangeable objects ({classes})")
}
