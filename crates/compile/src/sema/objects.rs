//! `:constants` and `:objects`.

use std::collections::hash_map::Entry;
use std::sync::Arc;

use ecow::EcoString;

use super::context::Context;
use super::model::{Object, ObjectId, TypeId};
use super::report::{self, File, problem};
use super::symbols::UNDEFINED;
use brigade_diagnostics::Code;
use brigade_syntax::ast::{TypeExpr, Typed};

impl Context<'_> {
    /// Declares constants or objects. Declaring one again with the same type is tolerated with a
    /// warning.
    pub(super) fn declare_objects(&mut self, list: &[Typed], file: File) {
        let list = &self.objects_undashed(list, file);
        self.add_objects(list, file);
        self.find_loose_objects(list, file);
    }

    fn add_objects(&mut self, list: &[Typed], file: File) {
        self.symbols.object_index.reserve(list.len());
        self.symbols.object_places.reserve(list.len());
        self.symbols.objects.reserve(list.len());
        let mut last: Option<(&Option<TypeExpr>, Arc<[TypeId]>)> = None;
        for typed in list {
            let types = match &last {
                Some((ty, types)) if **ty == typed.ty => Arc::clone(types),
                _ => self.object_types(typed.ty.as_ref(), file).into(),
            };
            last = Some((&typed.ty, Arc::clone(&types)));
            let name = &typed.name;
            let place = self.place(file, name.span);
            if name.folded() == UNDEFINED {
                self.push(
                    problem(
                        Code::ReservedName,
                        "`undefined` is reserved for \"no object\"",
                        place,
                        "cannot be declared",
                    )
                    .help("choose another name"),
                );
                continue;
            }
            let key = EcoString::from(&*name.folded());
            let first = match self.symbols.object_index.entry(key) {
                Entry::Occupied(entry) => *entry.get(),
                Entry::Vacant(entry) => {
                    entry.insert(ObjectId(self.symbols.objects.len() as u32));
                    self.symbols.object_places.push(place);
                    self.symbols.objects.push(Object {
                        name: name.text.clone(),
                        types,
                    });
                    continue;
                }
            };
            let at = self.symbols.object_places[first.index()];
            let is_same = self.symbols.objects[first.index()].types == types;
            if self.reporter.is_full() {
                let code = if is_same {
                    Code::RedeclaredObject
                } else {
                    Code::DuplicateDeclaration
                };
                self.reporter.count(code, place);
            } else if is_same {
                self.push(
                    problem(
                        Code::RedeclaredObject,
                        format!("the object `{}` is declared twice", name.text),
                        place,
                        "declared again here",
                    )
                    .secondary(at.source, at.span, "first declared here")
                    .help("remove one of the two"),
                );
            } else {
                self.push(
                    report::duplicate("object", &name.text, place, at).help(
                        "an object of several types is written `name - (either type1 type2)`",
                    ),
                );
            }
        }
    }
}
