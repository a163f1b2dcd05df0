//! Reports what is declared as another kind than its uses need, in place of each use.

use std::collections::{BTreeMap, BTreeSet};

use super::{Misdeclared, Use, Used};
use crate::sema::context::Context;
use crate::sema::init::InitialState;
use crate::sema::model::{ObjectId, TypeId};
use crate::sema::report::{File, Place, problem};
use crate::sema::symbols::OBJECT;
use brigade_diagnostics::{Code, Diagnostic};
use brigade_syntax::ast::Domain;

/// The most uses that are looked at: more would add nothing to the report.
const MAX_USES: usize = 200;

/// The most uses that a message shows.
const SHOWN: usize = 3;

impl Context<'_> {
    /// Notes that an object does not fit, which was reported there.
    pub(in super::super) fn object_misfits(
        &mut self,
        object: ObjectId,
        needed: &[TypeId],
        place: Place,
    ) {
        let types = self.symbols.objects[object.index()].types.to_vec();
        self.note_use(Used::Object(object), types, needed, place);
    }

    /// Notes that a parameter of these types does not fit, which was reported.
    pub(in super::super) fn parameter_misfits(
        &mut self,
        declared: Place,
        types: &[TypeId],
        needed: &[TypeId],
        place: Place,
    ) {
        let used = Used::Parameter(declared.source, declared.span.start);
        self.note_use(used, types.to_vec(), needed, place);
    }

    fn note_use(&mut self, of: Used, types: Vec<TypeId>, needed: &[TypeId], place: Place) {
        if self.misdeclared.uses.len() < MAX_USES {
            self.misdeclared.uses.push(Use {
                of,
                types,
                needed: needed.to_vec(),
                place,
            });
        }
    }

    /// Reports what is declared as another kind than all of several uses need, in place of each of them.
    pub(in super::super) fn settle_misdeclared(&mut self, domain: &Domain, state: &InitialState) {
        if self.misdeclared.uses.len() < 2 {
            return;
        }
        self.note_fitting_facts(state);
        let found = std::mem::take(&mut self.misdeclared);
        let mut of_types: BTreeMap<TypeId, Vec<&Use>> = BTreeMap::new();
        for one in &found.uses {
            if let [ty] = one.types[..] {
                of_types.entry(ty).or_default().push(one);
            }
        }
        for (types, diagnostic) in self.misdeclared_types(domain, &found, &of_types) {
            let uses = types.iter().filter_map(|ty| of_types.remove(ty));
            self.report_instead(diagnostic, &uses.flatten().collect::<Vec<_>>());
        }
        for (ty, uses) in of_types {
            let mut of_objects: BTreeMap<ObjectId, Vec<&Use>> = BTreeMap::new();
            for one in uses {
                if let Used::Object(object) = one.of
                    && !found.fits(object)
                {
                    of_objects.entry(object).or_default().push(one);
                }
            }
            self.objects_of_wrong_types(ty, of_objects);
        }
    }

    /// Notes what fits in the facts that are sound.
    fn note_fitting_facts(&mut self, state: &InitialState) {
        for (fluent, args) in state.arguments() {
            for (at, object) in args.iter().enumerate() {
                let needed = &self.symbols.fluents[fluent.index()].params[at];
                if *needed != [OBJECT] {
                    let types = &self.symbols.objects[object.index()].types;
                    self.misdeclared.fits_as(Some(*object), types, needed);
                }
            }
        }
    }

    /// The reports of types that are declared below the wrong one, one for all types below the same.
    fn misdeclared_types(
        &self,
        domain: &Domain,
        found: &Misdeclared,
        of_types: &BTreeMap<TypeId, Vec<&Use>>,
    ) -> Vec<(Vec<TypeId>, Diagnostic)> {
        let mut of_kinds: BTreeMap<(&[TypeId], TypeId), Vec<TypeId>> = BTreeMap::new();
        for (ty, uses) in of_types.iter().filter(|(ty, _)| !found.above.contains(ty)) {
            if let Some(kind) = self.kind_needed(*ty, uses) {
                let parents = &*self.symbols.types[ty.index()].parents;
                of_kinds.entry((parents, kind)).or_default().push(*ty);
            }
        }
        let mut reported = Vec::new();
        for ((_, kind), types) in of_kinds {
            let uses = || types.iter().flat_map(|ty| &of_types[ty]);
            let several: BTreeSet<Used> = uses().map(|one| one.of).collect();
            let is_of_actions = several.iter().any(|of| matches!(of, Used::Parameter(..)));
            if uses().count() > 2
                && several.len() > 1
                && is_of_actions
                && let Some(diagnostic) = self.types_of_wrong_kind(domain, &types, kind)
            {
                reported.push((types, diagnostic));
            }
        }
        reported
    }

    /// The kind that all uses of a type need, where it may be declared below the wrong one.
    fn kind_needed(&self, ty: TypeId, uses: &[&Use]) -> Option<TypeId> {
        let symbols = &self.symbols;
        let [kind] = *self.least_needed(uses)? else {
            return None;
        };
        // A type that is of no kind, needed as one that has no kinds, is more likely misused.
        let may_be_kind =
            symbols.types[ty.index()].parents != [OBJECT] || symbols.has_kinds(&[kind]);
        let is_other = !symbols.is_subtype(kind, ty) && !symbols.is_subtype(ty, kind);
        (may_be_kind && is_other).then_some(kind)
    }

    /// Types of one parent of which all uses need another kind.
    fn types_of_wrong_kind(
        &self,
        domain: &Domain,
        types: &[TypeId],
        kind: TypeId,
    ) -> Option<Diagnostic> {
        let symbols = &self.symbols;
        let name = |ty: &TypeId| symbols.types[ty.index()].name.as_str();
        let parents = symbols.type_names(&symbols.types[types.first()?.index()].parents);
        let kind = name(&kind);
        let names: Vec<String> = types.iter().map(|ty| format!("`{}`", name(ty))).collect();
        let (is, are) = match types {
            [_] => ("is a kind", "is used as a kind"),
            _ => ("are kinds", "are used as kinds"),
        };
        let message = format!(
            "{} {is} of `{parents}`, and {are} of `{kind}`",
            listed(&names)
        );
        let mut diagnostic = Diagnostic::new(Code::ArgumentType, message);
        for ty in types.iter().take(SHOWN) {
            let declared = domain
                .types
                .iter()
                .find(|typed| typed.name.text == name(ty))?;
            let Place { source, span } = self.place(File::Domain, declared.name.span);
            diagnostic = diagnostic.primary(source, span, "declared here");
        }
        let all: Vec<&str> = types.iter().map(name).collect();
        Some(diagnostic.help(format!("write `{} - {kind}` in `:types`", all.join(" "))))
    }

    /// Reports objects of one type, by what all uses of each need.
    fn objects_of_wrong_types(&mut self, ty: TypeId, of_objects: BTreeMap<ObjectId, Vec<&Use>>) {
        let mut of_needs: BTreeMap<&[TypeId], Vec<(ObjectId, Vec<&Use>)>> = BTreeMap::new();
        for (object, uses) in of_objects {
            if let Some(needed) = self.least_needed(&uses) {
                of_needs.entry(needed).or_default().push((object, uses));
            }
        }
        for (needed, objects) in of_needs {
            let uses: Vec<&Use> = objects.iter().flat_map(|(_, uses)| uses).copied().collect();
            if uses.len() < 2 {
                continue;
            }
            let symbols = &self.symbols;
            let names: Vec<String> = objects
                .iter()
                .map(|(object, _)| format!("`{}`", symbols.objects[object.index()].name))
                .collect();
            let or_kind = if symbols.has_kinds(needed) {
                " or a kind of it"
            } else {
                ""
            };
            let (is, needed) = (symbols.type_names(&[ty]), symbols.type_names(needed));
            let (have, they_are) = match &names[..] {
                [_] => ("has", "it is"),
                _ => ("have", "they are"),
            };
            let message = format!(
                "{} {have} type `{is}`, and all that {they_are} used for needs `{needed}`",
                listed(&names)
            );
            let mut places = objects
                .iter()
                .map(|(object, _)| symbols.object_places[object.index()]);
            let Some(first) = places.next() else { continue };
            let mut diagnostic = problem(Code::ArgumentType, message, first, "declared here");
            for place in places.take(SHOWN) {
                diagnostic = diagnostic.primary(place.source, place.span, "");
            }
            let diagnostic = diagnostic.help(format!(
                "declare that {they_are} of type `{needed}`{or_kind}"
            ));
            self.report_instead(diagnostic, &uses);
        }
    }

    /// The types below all others that are needed.
    fn least_needed<'u>(&self, uses: &[&'u Use]) -> Option<&'u [TypeId]> {
        let below = |ty: TypeId, of: &[TypeId]| {
            let mut of = of.iter();
            of.any(|of| self.symbols.is_subtype(ty, *of))
        };
        let least = uses.iter().find(|one| {
            let mut others = uses.iter();
            others.all(|other| one.needed.iter().all(|ty| below(*ty, &other.needed)))
        })?;
        Some(&least.needed)
    }

    /// Reports a cause instead of what was reported of each use.
    fn report_instead(&mut self, mut diagnostic: Diagnostic, uses: &[&Use]) {
        for (number, one) in uses.iter().enumerate() {
            let Place { source, span } = one.place;
            self.reporter.withdraw_at(Code::ArgumentType, one.place);
            if number < SHOWN {
                diagnostic = diagnostic.secondary(source, span, "");
            }
        }
        self.push(diagnostic);
        // That nobody can act may follow.
        self.reporter.withdraw(&[Code::NoAgents]);
    }
}

/// Names in a sentence; of many, the first.
fn listed(names: &[String]) -> String {
    match names {
        [one] => one.clone(),
        [first, second] => format!("{first} and {second}"),
        [first, second, rest @ ..] => format!("{first}, {second} and {} more", rest.len()),
        [] => String::new(),
    }
}
