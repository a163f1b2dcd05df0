//! The type hierarchy, and types as they are written after a `-`.

use super::context::Context;
use super::model::{Type, TypeId};
use super::report::{self, File, problem};
use super::requirements::Need;
use super::symbols::OBJECT;
use brigade_diagnostics::Code;
use brigade_diagnostics::span::Span;
use brigade_diagnostics::suggest;
use brigade_syntax::ast::{Domain, Name, TypeExpr, Typed};

/// The most types of a domain: questions about the hierarchy take time that grows with its depth.
const MAX_TYPES: usize = 4096;

impl Context<'_> {
    /// Declares `:types`. A type may stand twice with the same parents. A parent that is not
    /// declared itself is declared by its use, as PDDL files commonly do.
    pub(super) fn declare_types(&mut self, domain: &Domain) {
        self.add_type("object", Vec::new());
        let mut spans = vec![Span::default()];
        let types = &domain.types[..domain.types.len().min(MAX_TYPES)];
        let types = &*self.types_undashed(types);
        if let Some(beyond) = domain.types.get(MAX_TYPES) {
            let message = format!("the domain has {} types", domain.types.len());
            let place = self.place(File::Domain, beyond.name.span);
            let label = format!("up to {MAX_TYPES} are possible");
            self.push(
                problem(Code::SourceTooLarge, message, place, label)
                    .help("tell what has so many kinds apart by predicates"),
            );
        }
        for typed in types {
            let name = &typed.name;
            if name.key() == "number" {
                let place = self.place(File::Domain, name.span);
                self.push(
                    problem(
                        Code::ReservedName,
                        "`number` is a reserved type",
                        place,
                        "cannot be declared",
                    )
                    .help("choose another name"),
                );
            } else if !self.symbols.type_index.contains_key(&name.key()) {
                self.add_type(&name.text, Vec::new());
                spans.push(name.span);
            }
        }
        if let Some(first) = domain.types.first() {
            self.need(File::Domain, Need::Typing, first.name.span);
        }
        let mut declared: Vec<Option<Span>> = vec![None; self.symbols.types.len()];
        for typed in types {
            self.declare_parents(typed, &mut declared, &mut spans);
        }
        for ty in &mut self.symbols.types[1..] {
            if ty.parents.is_empty() {
                ty.parents.push(OBJECT);
            }
        }
        self.break_cycles(&spans);
    }

    fn add_type(&mut self, name: &str, parents: Vec<TypeId>) -> TypeId {
        let id = TypeId(self.symbols.types.len() as u32);
        self.symbols.types.push(Type {
            name: name.to_owned(),
            parents,
        });
        self.symbols
            .type_index
            .insert(name.to_ascii_lowercase(), id);
        id
    }

    fn declare_parents(
        &mut self,
        typed: &Typed,
        declared: &mut Vec<Option<Span>>,
        spans: &mut Vec<Span>,
    ) {
        let Some(&id) = self.symbols.type_index.get(&typed.name.key()) else {
            return;
        };
        let names: &[Name] = match &typed.ty {
            None => &[],
            Some(TypeExpr::Named(name)) => std::slice::from_ref(name),
            Some(TypeExpr::Either(names, _)) => names,
            Some(TypeExpr::Int { span, .. } | TypeExpr::Number(span)) => {
                self.number_as_object_type(File::Domain, *span);
                &[]
            }
        };
        let mut parents = Vec::new();
        for name in names {
            let parent = match self.symbols.type_index.get(&name.key()) {
                Some(&parent) => parent,
                None => self.implicit_type(name, declared, spans),
            };
            if !parents.contains(&parent) {
                parents.push(parent);
            }
        }
        if parents.is_empty() {
            parents.push(OBJECT);
        }
        if id == OBJECT {
            if typed.ty.is_some() && parents != [OBJECT] {
                let place = self.place(File::Domain, typed.name.span);
                self.push(
                    problem(
                        Code::ReservedName,
                        "`object` is the root of all types and has no parent",
                        place,
                        "cannot have a parent",
                    )
                    .help("remove it from `:types`; after others that are of no kind it stands behind a dash: `a b - object`"),
                );
                self.causes.object_has_parent = true;
                self.causes.types_are_wrong = true;
            }
        } else if let Some(first) = declared[id.index()] {
            let before = &mut self.symbols.types[id.index()].parents;
            let are_same = *before == parents;
            // What is a kind of something else is an `object` anyway.
            before.retain(|parent| *parent != OBJECT);
            parents.retain(|parent| *parent != OBJECT && !before.contains(parent));
            before.append(&mut parents);
            self.type_twice(typed, id, first, are_same);
        } else {
            declared[id.index()] = Some(typed.name.span);
            self.symbols.types[id.index()].parents = parents;
        }
    }

    /// Warns of a type that is declared again. Where it was meant as the parent of those before it, its dash
    /// is missing.
    fn type_twice(&mut self, typed: &Typed, id: TypeId, first: Span, are_same: bool) {
        let name = &typed.name.text;
        let again = self.place(File::Domain, typed.name.span);
        let first = self.place(File::Domain, first);
        let diagnostic = problem(
            Code::RedeclaredObject,
            format!("the type `{name}` is declared twice"),
            again,
            "declared again here",
        )
        .secondary(first.source, first.span, "first declared here");
        let names = |parents: &[TypeId]| {
            let names = parents
                .iter()
                .map(|ty| &*self.symbols.types[ty.index()].name);
            names.collect::<Vec<_>>().join(" ")
        };
        let diagnostic = match &*self.symbols.types[id.index()].parents {
            parents @ [_, _, ..] if !are_same => diagnostic.help(format!(
                "it has the parents of both: declare it once, `{name} - (either {})`",
                names(parents)
            )),
            parents @ [_] if !are_same => diagnostic.help(format!(
                "it has the parent of both: declare it once, `{name} - {}`",
                names(parents)
            )),
            _ => diagnostic.help("remove one of the two"),
        };
        let diagnostic = diagnostic.help(format!(
            "if it is the parent of those before it, write the dash: `- {name}`"
        ));
        self.note_parent(id, diagnostic, Code::MalformedTypedList);
    }

    fn implicit_type(
        &mut self,
        name: &Name,
        declared: &mut Vec<Option<Span>>,
        spans: &mut Vec<Span>,
    ) -> TypeId {
        let names = self.symbols.types.iter().map(|ty| ty.name.as_str());
        let help = match suggest(&name.text, names) {
            Some(near) => format!(
                "did you mean `{near}`? otherwise add `{}` to `:types`",
                name.text
            ),
            None => format!("add `{}` to `:types`", name.text),
        };
        let place = self.place(File::Domain, name.span);
        let diagnostic = problem(
            Code::ImplicitType,
            format!("the type `{}` is only named as a parent", name.text),
            place,
            "taken as a child of `object`",
        )
        .help(help);
        declared.push(None);
        spans.push(name.span);
        let id = self.add_type(&name.text, vec![OBJECT]);
        self.note_parent(id, diagnostic, Code::UnknownType);
        id
    }

    /// Reports each cycle once and cuts it at the type declared first.
    fn break_cycles(&mut self, spans: &[Span]) {
        let mut has_cycle = false;
        for (at, &span) in spans.iter().enumerate().skip(1) {
            let id = TypeId(at as u32);
            let Some(path) = self.path_to_itself(id) else {
                continue;
            };
            self.symbols.types[at].parents = vec![OBJECT];
            has_cycle = true;
            if self.causes.types_are_wrong {
                // A dash that is missing makes a type its own parent, too.
                continue;
            }
            let names: Vec<String> = path
                .iter()
                .map(|ty| format!("`{}`", self.symbols.types[ty.index()].name))
                .collect();
            let place = self.place(File::Domain, span);
            self.push(
                problem(
                    Code::CyclicTypes,
                    format!("types in a cycle: {}", names.join(" → ")),
                    place,
                    "is its own ancestor",
                )
                .help("make one of them a child of `object`"),
            );
        }
        self.causes.types_are_wrong |= has_cycle;
    }

    /// The way from a type up to itself, both ends included.
    fn path_to_itself(&self, id: TypeId) -> Option<Vec<TypeId>> {
        let mut open: Vec<(TypeId, usize)> = vec![(id, usize::MAX)];
        let mut seen = vec![false; self.symbols.types.len()];
        let mut at = 0;
        while let Some(&(next, _)) = open.get(at) {
            for &parent in &self.symbols.types[next.index()].parents {
                if parent == id {
                    let mut path = vec![id];
                    let mut back = at;
                    while let Some(&(ty, from)) = open.get(back) {
                        path.push(ty);
                        back = from;
                    }
                    path.reverse();
                    return Some(path);
                }
                if !std::mem::replace(&mut seen[parent.index()], true) {
                    open.push((parent, at));
                }
            }
            at += 1;
        }
        None
    }

    /// The union of object types after a `-`; `object` where there is none. Empty where one of them
    /// does not exist: it then fits whatever is asked for, so that its uses raise no further errors.
    pub(super) fn object_types(&mut self, ty: Option<&TypeExpr>, file: File) -> Vec<TypeId> {
        let names: &[Name] = match ty {
            None => return vec![OBJECT],
            Some(TypeExpr::Named(name)) => std::slice::from_ref(name),
            Some(TypeExpr::Either(names, _)) => names,
            Some(TypeExpr::Int { span, .. } | TypeExpr::Number(span)) => {
                self.number_as_object_type(file, *span);
                return vec![OBJECT];
            }
        };
        let mut types = Vec::new();
        let mut are_known = true;
        for name in names {
            self.need(file, Need::Typing, name.span);
            match self.type_id(name, file) {
                Some(id) if !types.contains(&id) => types.push(id),
                Some(_) => {}
                None => are_known = false,
            }
        }
        if !are_known {
            types.clear();
        }
        types
    }

    fn type_id(&mut self, name: &Name, file: File) -> Option<TypeId> {
        if let Some(&id) = self.symbols.type_index.get(&*name.folded()) {
            return Some(id);
        }
        let place = self.place(file, name.span);
        if is_number_word(&name.key()) {
            self.number_as_object_type(file, name.span);
            return None;
        }
        if self.symbols.types.len() == 1 {
            self.causes.types.note(name, place);
            return None;
        }
        let names = self.symbols.types.iter().map(|ty| ty.name.as_str());
        let names = self.reporter.candidates(names);
        let diagnostic = report::unknown(
            Code::UnknownType,
            "type",
            name,
            place,
            names,
            "declare it in `:types`",
        );
        self.push(diagnostic);
        self.causes.no_types.insert(name.key());
        None
    }

    fn number_as_object_type(&mut self, file: File, span: Span) {
        let place = self.place(file, span);
        self.push(
            problem(
                Code::NumberAsType,
                "numbers are not objects",
                place,
                "an object type is needed here",
            )
            .help("only functions have numbers as values: `(f ?x) - number`, `(f ?x) - (int 0 9)`"),
        );
    }

    /// The types of an action's parameters, without reports.
    pub(super) fn known_types(&self, ty: Option<&TypeExpr>) -> Vec<TypeId> {
        let names: &[Name] = match ty {
            Some(TypeExpr::Named(name)) => std::slice::from_ref(name),
            Some(TypeExpr::Either(names, _)) => names,
            _ => return vec![OBJECT],
        };
        let known = |name: &Name| self.symbols.type_index.get(&name.key()).copied();
        let types: Option<Vec<TypeId>> = names.iter().map(known).collect();
        let mut types = types.unwrap_or_default();
        types.dedup();
        types
    }
}

/// Returns true for the words that other languages use for numbers.
fn is_number_word(word: &str) -> bool {
    matches!(word, "int" | "integer" | "float" | "real" | "double")
}

/// A parameter list as written: `?x - t ?y - t`.
pub(super) fn signature<'t>(name: &str, params: impl IntoIterator<Item = &'t Typed>) -> String {
    let mut text = format!("({name}");
    for param in params {
        text.push_str(" ?");
        text.push_str(&param.name.text);
        match &param.ty {
            Some(TypeExpr::Named(ty)) => {
                text.push_str(" - ");
                text.push_str(&ty.text);
            }
            Some(TypeExpr::Either(names, _)) => {
                let names: Vec<&str> = names.iter().map(|name| name.text.as_str()).collect();
                text.push_str(" - (either ");
                text.push_str(&names.join(" "));
                text.push(')');
            }
            _ => {}
        }
    }
    text.push(')');
    text
}
