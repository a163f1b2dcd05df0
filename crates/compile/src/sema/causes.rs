//! Slips in declarations that would give an error at every use: each is reported once, where it is.
//!
//! Objects whose types lack their dash are of no type, or of that of the next ones; a domain without
//! `:types` or `:predicates` lacks every name of that kind.

mod report;

use std::collections::BTreeSet;

use super::model::{FluentId, TypeId};
use super::report::{File, Place, problem};
use brigade_diagnostics::{Code, Diagnostic};
use brigade_syntax::ast::Name;

/// The most names that a message shows.
const SHOWN: usize = 12;

/// Slips that explain why objects are of other types than they are meant to be, and why names are unknown.
#[derive(Default)]
pub(super) struct Causes {
    /// The cause of each object up to the last that has one, an index.
    of_objects: Vec<Option<u32>>,
    /// The report of each cause; `None` once it is made.
    said: Vec<Option<Cause>>,
    /// True if a cause was reported.
    pub(super) is_reported: bool,
    /// Types that are only named as parents or twice, what is said of each, and the code of that where
    /// objects of its kinds stand where they do not fit.
    parents: Vec<(TypeId, Diagnostic, Code)>,
    /// True if a slip in `:types` was reported, so that objects may be of other types than they are meant to be.
    pub(super) types_are_wrong: bool,
    /// True if a parent of `object` was reported.
    pub(super) object_has_parent: bool,
    /// Actions, by index, that were reported not to be primitive.
    pub(super) not_primitive: BTreeSet<usize>,
    /// Names that were reported not to be types.
    pub(super) no_types: BTreeSet<String>,
    /// Types that a domain without any uses.
    pub(super) types: Missing,
    /// Predicates that a domain without any uses.
    pub(super) predicates: Missing,
    /// Functions that a domain without any uses.
    pub(super) functions: Missing,
    /// Objects that a domain without constants uses.
    constants: Missing,
    /// Objects that a problem without any uses.
    objects: Missing,
    /// Declarations with two parameters of one name, and what is said of each; nothing once it is said.
    repeated: Vec<(Place, Option<Diagnostic>)>,
    /// Functions whose missing type was reported.
    untyped: BTreeSet<FluentId>,
}

/// A slip that explains why objects are of other types than they are meant to be.
struct Cause {
    diagnostic: Diagnostic,
    /// The type whose name one of the objects after the first has. That is reported also where nothing else is wrong,
    /// if there is no object of the type.
    named_as: Option<TypeId>,
    /// True if the object stands right after that type.
    is_twice: bool,
}

/// Names of one kind, of which none is declared.
#[derive(Default)]
pub(super) struct Missing {
    names: Vec<String>,
    first: Option<Place>,
}

impl Missing {
    pub(super) fn note(&mut self, name: &Name, place: Place) {
        self.first.get_or_insert(place);
        if self.names.len() <= SHOWN && !self.names.iter().any(|known| *known == name.key()) {
            self.names.push(name.key());
        }
    }

    /// One report of all of them; `of` is where they are declared, `item` how.
    fn report(self, code: Code, of: &str, item: impl Fn(&str) -> String) -> Option<Diagnostic> {
        let shown: Vec<String> = self
            .names
            .iter()
            .take(SHOWN)
            .map(|name| item(name))
            .collect();
        let more = if self.names.len() > SHOWN { " …" } else { "" };
        let owner = if of == "objects" { "problem" } else { "domain" };
        if let ([name], Code::UnknownObject) = (&self.names[..], code) {
            let message = format!("there is no object `{name}`");
            let diagnostic = problem(code, message, self.first?, "not declared");
            return Some(diagnostic.help(format!("declare it in `:{of}`")));
        }
        let message = format!("the {owner} declares no {of}");
        let diagnostic = problem(code, message, self.first?, "used here");
        Some(diagnostic.help(format!("declare them: `(:{of} {}{more})`", shown.join(" "))))
    }
}

impl Causes {
    /// Returns true if the domain uses an object of that name and declares no constants.
    pub(super) fn is_missing_constant(&self, name: &Name) -> bool {
        self.constants.names.contains(&name.key())
    }

    /// The objects that are used where none is declared in this file.
    pub(super) fn of_objects_in(&mut self, file: File) -> &mut Missing {
        match file {
            File::Domain => &mut self.constants,
            File::Problem => &mut self.objects,
        }
    }
}
