//! The vocabulary of random domains: types, objects and fluents.

/// Objects by type, in declared order. `thing` and the last have subtypes.
pub(super) const TYPES: [(&str, &[&str]); 6] = [
    ("cook", &["ann", "bob"]),
    ("item", &["egg", "fig"]),
    ("place", &["top", "low"]),
    ("fruit", &["fig"]),
    ("thing", &["egg", "fig", "top", "low"]),
    ("(either fruit place)", &["fig", "top", "low"]),
];

/// The types that can act: not all actions are of the same agents.
pub(super) const ACTORS: [&str; 4] = ["cook", "cook", "cook", "fruit"];

pub(super) fn objects(ty: &str) -> &'static [&'static str] {
    TYPES.iter().find(|(other, _)| *other == ty).unwrap().1
}

/// Returns true if an object can be of both types.
pub(super) fn overlap(one: &str, other: &str) -> bool {
    let other = objects(other);
    objects(one).iter().any(|object| other.contains(object))
}

/// The values of a fluent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Range {
    Truth,
    Object(&'static str),
    /// As written, and a value within.
    Integer(&'static str, &'static str),
}

/// The ways in which a fluent changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Basic,
    Transient,
    Static,
    /// Defined by rules that read derived fluents of lower levels.
    Derived(usize),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Fluent {
    pub(super) name: &'static str,
    pub(super) params: &'static [&'static str],
    pub(super) range: Range,
    pub(super) kind: Kind,
}

const fn fluent(
    name: &'static str,
    params: &'static [&'static str],
    range: Range,
    kind: Kind,
) -> Fluent {
    Fluent {
        name,
        params,
        range,
        kind,
    }
}

use Kind::{Basic, Derived, Static, Transient};
use Range::{Integer, Object, Truth};

pub(super) const FLUENTS: [Fluent; 29] = [
    fluent("p", &[], Truth, Basic),
    fluent("on", &["item", "place"], Truth, Basic),
    fluent("hot", &["place"], Truth, Basic),
    fluent("near", &["cook", "place"], Truth, Basic),
    fluent("done", &["item"], Truth, Basic),
    fluent("marked", &["thing"], Truth, Basic),
    fluent("ripe", &["fruit"], Truth, Basic),
    fluent("can", &["cook", "place"], Truth, Static),
    fluent("good", &["item"], Truth, Static),
    fluent("seen", &["cook"], Truth, Transient),
    fluent("touched", &["thing"], Truth, Transient),
    fluent("linked", &["place", "place"], Truth, Derived(1)),
    fluent("free", &["place"], Truth, Derived(2)),
    fluent("ready", &["item"], Truth, Derived(3)),
    fluent("quiet", &[], Truth, Derived(4)),
    fluent("held", &["cook"], Object("item"), Basic),
    fluent("where", &["item"], Object("place"), Basic),
    fluent("next", &["place"], Object("place"), Basic),
    fluent("kept", &["thing"], Object("thing"), Basic),
    fluent("guest", &[], Object("cook"), Basic),
    fluent("aim", &["cook"], Object("(either fruit place)"), Transient),
    fluent("home", &["cook"], Object("place"), Static),
    fluent("partner", &["thing"], Object("thing"), Static),
    fluent("n", &[], Integer("(int -1 4)", "2"), Basic),
    fluent("level", &["place"], Integer("(int 2 5)", "3"), Basic),
    fluent("debt", &["thing"], Integer("(int -7 -4)", "-5"), Basic),
    fluent(
        "huge",
        &[],
        Integer("(int 999999999990 999999999999)", "999999999995"),
        Basic,
    ),
    fluent("bids", &["item"], Integer("(int -2 2)", "1"), Transient),
    fluent("span", &["thing"], Integer("(int 0 3)", "2"), Static),
];
