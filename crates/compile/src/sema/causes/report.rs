//! Finds slips in declarations, and reports them in place of what follows from them.

use super::Cause;
use crate::sema::context::Context;
use crate::sema::model::{FluentId, ObjectId, TypeId};
use crate::sema::report::{File, Place, problem};
use brigade_diagnostics::{Code, Diagnostic};
use brigade_syntax::ast::{TypeExpr, Typed};

impl Context<'_> {
    /// Reports what a domain without types, or without predicates, uses.
    pub(in super::super) fn report_missing(&mut self) {
        let causes = std::mem::take(&mut self.causes);
        let with_arguments = |name: &str| format!("({name} …)");
        let missing = [
            causes
                .types
                .report(Code::UnknownType, "types", str::to_owned),
            causes
                .predicates
                .report(Code::UnknownPredicate, "predicates", with_arguments),
            causes
                .functions
                .report(Code::UnknownFunction, "functions", with_arguments),
            causes
                .constants
                .report(Code::UnknownObject, "constants", str::to_owned),
            causes
                .objects
                .report(Code::UnknownObject, "objects", str::to_owned),
        ];
        let parents = causes.parents.into_iter();
        let parents = parents.map(|(_, diagnostic, _)| diagnostic);
        // The parent of `object` is probably a type of the same list.
        let parents =
            parents.filter(|it| !(causes.object_has_parent && it.code == Code::ImplicitType));
        let repeated = causes.repeated.into_iter().filter_map(|(_, said)| said);
        let named_as_types = causes.said.into_iter().flatten();
        let symbols = &self.symbols;
        let is_empty = |of: TypeId| {
            let mut types = symbols.objects.iter().flat_map(|object| &*object.types);
            !types.any(|ty| symbols.is_subtype(*ty, of))
        };
        let named_as_types =
            named_as_types.filter(|cause| cause.is_twice || cause.named_as.is_some_and(is_empty));
        let named_as_types = named_as_types.map(|cause| {
            let mut diagnostic = cause.diagnostic;
            diagnostic.code = Code::NamedAsType;
            diagnostic.severity = Code::NamedAsType.severity();
            diagnostic
        });
        let named_as_types: Vec<Diagnostic> = named_as_types.collect();
        if !named_as_types.is_empty() {
            // That nobody can act and things of two types never are the same follows.
            self.reporter
                .withdraw(&[Code::NoAgents, Code::AlwaysDistinct]);
        }
        let others = parents.chain(repeated).chain(named_as_types);
        let all: Vec<Diagnostic> = missing.into_iter().flatten().chain(others).collect();
        for diagnostic in all {
            self.push(diagnostic);
        }
    }

    /// Notes a declaration with two parameters of one name: a warning, unless its uses have one argument less.
    pub(in super::super) fn note_repeated(&mut self, declared: Place, diagnostic: Diagnostic) {
        self.causes.repeated.push((declared, Some(diagnostic)));
    }

    /// Returns true, and reports it, if a function without a type behind it, and so of numbers, stands where an object
    /// is needed.
    pub(in super::super) fn is_untyped(&mut self, fluent: FluentId, used: Place) -> bool {
        let info = &self.symbols.fluent_info[fluent.index()];
        if !info.untyped {
            return false;
        }
        let callee = std::rc::Rc::clone(&info.callee);
        if self.causes.untyped.insert(fluent) {
            let message = format!(
                "`{}` has no type, so that its value is a number",
                callee.name
            );
            let diagnostic = problem(
                Code::NotANumber,
                message,
                callee.place,
                "its value is a number",
            )
            .secondary(used.source, used.span, "an object is needed here")
            .help(format!(
                "write its type behind it: `{} - type`",
                callee.signature
            ));
            self.push(diagnostic);
        }
        true
    }

    /// Returns true, and reports it, if a parameter too many in a declaration explains that a use has too few
    /// arguments.
    pub(in super::super) fn is_repeated(&mut self, declared: Place, used: Place) -> bool {
        let mut repeated = self.causes.repeated.iter_mut();
        let Some((_, said)) = repeated.find(|(place, _)| *place == declared) else {
            return false;
        };
        if let Some(mut diagnostic) = said.take() {
            diagnostic.code = Code::ArgumentCount;
            diagnostic.severity = Code::ArgumentCount.severity();
            self.push(diagnostic.secondary(used.source, used.span, "used with one argument less"));
        }
        true
    }

    /// Notes a slip in `:types` that is a warning, unless objects of the kinds of this type stand where they do
    /// not fit: then it is an error with this code.
    pub(in super::super) fn note_parent(
        &mut self,
        ty: TypeId,
        diagnostic: Diagnostic,
        error: Code,
    ) {
        self.causes.parents.push((ty, diagnostic, error));
    }

    /// Returns true, and reports it, if a slip in `:types` explains that something is of another type than is needed.
    pub(in super::super) fn is_of_wrong_types(
        &mut self,
        given: &[TypeId],
        needed: &[TypeId],
        used: Place,
    ) -> bool {
        if let Some(at) = self.loose_parent(given, needed) {
            let (_, mut diagnostic, error) = self.causes.parents.swap_remove(at);
            diagnostic.code = error;
            diagnostic.severity = error.severity();
            self.push(diagnostic.secondary(used.source, used.span, "another type is needed here"));
            self.causes.types_are_wrong = true;
        }
        self.causes.types_are_wrong
    }

    /// Returns true if a slip in `:types` may be the reason why things of these types are never the same.
    pub(in super::super) fn may_be_of_wrong_types(
        &self,
        some: &[TypeId],
        others: &[TypeId],
    ) -> bool {
        self.causes.types_are_wrong || self.loose_parent(some, others).is_some()
    }

    /// A type that is only named as a parent and has one of these below it.
    fn loose_parent(&self, some: &[TypeId], others: &[TypeId]) -> Option<usize> {
        let is_kind = |parent: TypeId| {
            let mut all = some.iter().chain(others);
            all.any(|ty| self.symbols.is_subtype(*ty, parent))
        };
        let parents = &self.causes.parents;
        parents.iter().position(|(parent, ..)| is_kind(*parent))
    }

    /// Finds the lists of objects in which a type seems to stand without its dash, or all types lack.
    pub(in super::super) fn find_loose_objects(&mut self, list: &[Typed], file: File) {
        if self.symbols.types.len() < 2 {
            return;
        }
        let mut before: Option<&Option<TypeExpr>> = None;
        for group in list.chunk_by(|one, other| one.ty == other.ty) {
            let is_twice = before.replace(&group[0].ty).is_some_and(|before| {
                matches!(before, Some(TypeExpr::Named(ty)) if ty.key() == group[0].name.key())
                    && !is_own(&group[0], list)
            });
            let is_type = |typed: &Typed| {
                self.symbols.type_index.contains_key(&*typed.name.folded()) && !is_own(typed, group)
            };
            let Some(cause) = self.cause(group, group.iter().position(is_type), is_twice, file)
            else {
                continue;
            };
            let at = self.causes.said.len() as u32;
            self.causes.said.push(Some(cause));
            let of_objects = &mut self.causes.of_objects;
            of_objects.resize(self.symbols.objects.len(), None);
            for typed in group {
                if let Some(&object) = self.symbols.object_index.get(&*typed.name.folded()) {
                    of_objects[object.index()] = Some(at);
                }
            }
        }
    }

    /// The report of a group of objects, of which one seems to be a type.
    fn cause(
        &self,
        group: &[Typed],
        at: Option<usize>,
        is_twice: bool,
        file: File,
    ) -> Option<Cause> {
        let (first, last) = (group.first()?, group.last()?);
        let Some(at) = at else {
            if first.ty.is_some() {
                return None;
            }
            let place = self.place(file, first.name.span.to(last.name.span));
            let message = "objects without a type stand where types are needed";
            let diagnostic = problem(Code::ArgumentType, message, place, "of no type");
            let help = format!("write their types after a dash: `{} - type`", names(group));
            return Some(Cause {
                diagnostic: diagnostic.help(help),
                named_as: None,
                is_twice: false,
            });
        };
        let ty = &group[at].name;
        let place = self.place(file, ty.span);
        if is_twice {
            let message = format!("the type `{}` stands twice", ty.text);
            let diagnostic = problem(Code::ArgumentType, message, place, "read as an object");
            return Some(Cause {
                diagnostic: diagnostic.help("remove one of the two"),
                named_as: None,
                is_twice: true,
            });
        }
        let message = format!("the type `{}` is read as an object", ty.text);
        let diagnostic = problem(Code::ArgumentType, message, place, "no dash before it");
        let is_type = |typed: &&Typed| self.symbols.type_index.contains_key(&*typed.name.folded());
        let after: Vec<Typed> = group[at + 1..]
            .iter()
            .take_while(|typed| !is_type(typed))
            .cloned()
            .collect();
        let objects = if at > 0 { &group[..at] } else { &after };
        let named_as = self.symbols.type_index.get(&*ty.folded()).copied();
        let help = format!(
            "a type stands after its objects and a dash: `{} - {}`",
            names(objects),
            ty.text
        );
        Some(Cause {
            diagnostic: diagnostic.help(help),
            named_as: named_as.filter(|_| at > 0),
            is_twice: false,
        })
    }

    /// Returns true if a type was reported that is none: `(f) - bool` is read as a predicate, and using it as a
    /// function is no second mistake.
    pub(in super::super) fn is_of_truth(&self) -> bool {
        self.reporter.has(Code::MalformedType)
    }

    /// Returns true, and reports it, if a slip in the declaration of an object explains that it is of another type than
    /// is needed.
    pub(in super::super) fn is_explained(&mut self, object: ObjectId, used: Place) -> bool {
        let Some(Some(at)) = self.causes.of_objects.get(object.index()) else {
            return false;
        };
        if let Some(cause) = self.causes.said[*at as usize].take() {
            self.push(
                cause
                    .diagnostic
                    .secondary(used.source, used.span, "needed here"),
            );
            self.causes.is_reported = true;
        }
        true
    }
}

/// Returns true if an object has the name of its own type, as the only table of a room may.
fn is_own(typed: &Typed, group: &[Typed]) -> bool {
    matches!(&typed.ty, Some(TypeExpr::Named(ty)) if ty.key() == typed.name.key())
        || group.len() < 2
}

/// The names of some objects; of many, the first and the last.
fn names(objects: &[Typed]) -> String {
    match objects {
        [first, _, _, .., last] => format!("{} … {}", first.name.text, last.name.text),
        few => {
            let few: Vec<&str> = few.iter().map(|typed| typed.name.text.as_str()).collect();
            few.join(" ")
        }
    }
}
