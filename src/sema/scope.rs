//! The variables of one schema: declared, looked up, shadowed, unused.

use std::collections::BTreeSet;

use super::body::Body;
use super::model::{Binding, TypeId, Variable};
use super::report::{self, problem};
use crate::diagnostics::Code;
use crate::syntax::ast::{Name, Typed};
use crate::syntax::span::Span;

/// All variables of a schema, and those visible at the point being resolved.
#[derive(Default)]
pub(super) struct Scope {
    pub(super) variables: Vec<Variable>,
    declared: Vec<Declared>,
    visible: Vec<(String, Binding)>,
    /// Names that were reported as unknown: once is enough.
    unknown: BTreeSet<String>,
    /// Whether what is read is the declaration of a fluent, where nothing else can be declared.
    pub(super) is_of_fluent: bool,
}

struct Declared {
    span: Span,
    used: bool,
}

impl Scope {
    /// Marks the visible variables; see [`Scope::leave`].
    pub(super) fn enter(&self) -> usize {
        self.visible.len()
    }

    /// Hides the variables that were declared since the mark was taken.
    pub(super) fn leave(&mut self, mark: usize) {
        self.visible.truncate(mark);
    }

    /// The innermost visible variable of that name.
    pub(super) fn find(&self, name: &Name) -> Option<Binding> {
        let key = name.key();
        let found = self.visible.iter().rev().find(|(name, _)| *name == key);
        found.map(|&(_, binding)| binding)
    }

    /// Makes a new variable, not visible yet.
    fn add(&mut self, name: &Name, types: Vec<TypeId>) -> Binding {
        let binding = Binding(self.variables.len() as u32);
        self.variables.push(Variable {
            name: name.text.to_string(),
            types,
        });
        self.declared.push(Declared {
            span: name.span,
            used: false,
        });
        binding
    }

    /// The visible variables, in a sentence.
    fn known(&self) -> String {
        let names = self.visible.iter();
        let names: Vec<String> = names.map(|(name, _)| format!("`?{name}`")).collect();
        match &names[..] {
            [] => "nothing is declared here that it could be: there are no parameters".to_owned(),
            [one] => format!("the only variable here is {one}"),
            [all @ .., last] => format!("the variables here are {} and {last}", all.join(", ")),
        }
    }

    pub(super) fn types(&self, binding: Binding) -> &[TypeId] {
        &self.variables[binding.index()].types
    }
}

impl Body<'_, '_> {
    /// Declares a typed list of variables, all visible from here on.
    pub(super) fn declare(&mut self, list: &[Typed]) -> Vec<Binding> {
        let mark = self.scope.enter();
        let mut bindings = Vec::new();
        for typed in list {
            let types = self.cx.object_types(typed.ty.as_ref(), self.file);
            let key = typed.name.key();
            let twice = self.scope.visible[mark..]
                .iter()
                .find(|(name, _)| *name == key)
                .map(|&(_, binding)| binding);
            if let Some(first) = twice {
                let first = self.place(self.scope.declared[first.index()].span);
                let again = self.place(typed.name.span);
                let name = format!("?{}", typed.name.text);
                self.push(report::duplicate("variable", &name, again, first));
            }
            let binding = self.scope.add(&typed.name, types);
            if twice.is_none() {
                self.warn_if_shadowing(&typed.name, mark);
            } else {
                self.scope.declared[binding.index()].used = true;
            }
            self.scope.visible.push((key, binding));
            bindings.push(binding);
        }
        bindings
    }

    /// Makes a variable that is visible only once [`Body::show`] says under which name.
    pub(super) fn bind(&mut self, name: &Name, types: Vec<TypeId>) -> Binding {
        self.scope.add(name, types)
    }

    /// Makes a variable visible under a name.
    pub(super) fn show(&mut self, name: &Name, binding: Binding) {
        self.warn_if_shadowing(name, self.scope.enter());
        self.scope.visible.push((name.key(), binding));
    }

    fn warn_if_shadowing(&mut self, name: &Name, mark: usize) {
        let key = name.key();
        let outer = self.scope.visible[..mark]
            .iter()
            .rev()
            .find(|(name, _)| *name == key)
            .map(|&(_, binding)| self.scope.declared[binding.index()].span);
        if let Some(outer) = outer {
            let place = self.place(name.span);
            let outer = self.place(outer);
            self.push(
                problem(
                    Code::ShadowedVariable,
                    format!("`?{}` hides an outer variable of the same name", name.text),
                    place,
                    "a new variable",
                )
                .secondary(outer.source, outer.span, "the outer one")
                .help("rename one of the two"),
            );
        }
    }

    /// Looks a variable up and notes its use.
    pub(super) fn variable(&mut self, name: &Name) -> Option<Binding> {
        if let Some(binding) = self.scope.find(name) {
            self.scope.declared[binding.index()].used = true;
            return Some(binding);
        }
        if !self.scope.unknown.insert(name.key()) {
            return None;
        }
        let place = self.place(name.span);
        let names = self.scope.visible.iter().map(|(name, _)| name.as_str());
        let near = crate::diagnostics::suggest(&name.text, names).map(str::to_owned);
        let hidden = self
            .scope
            .variables
            .iter()
            .any(|variable| variable.name.eq_ignore_ascii_case(&name.text));
        let diagnostic = problem(
            Code::UnknownVariable,
            format!("there is no variable `?{}` here", name.text),
            place,
            "not declared",
        );
        self.push(match near {
            Some(near) => diagnostic.help(format!("did you mean `?{near}`?")),
            None if hidden => diagnostic.help("the variable of that name is not visible here"),
            None if self.scope.is_of_fluent => diagnostic.help(self.scope.known()),
            None => diagnostic.help("declare it in `:parameters`, or in a quantifier around this"),
        });
        None
    }

    /// Warns of variables that nothing refers to. A name that starts with `_` says that it is
    /// meant so.
    pub(super) fn warn_of_unused(&mut self) {
        let unused: Vec<(String, Span)> = self
            .scope
            .variables
            .iter()
            .zip(&self.scope.declared)
            .filter(|(variable, declared)| !declared.used && !variable.name.starts_with('_'))
            .map(|(variable, declared)| (variable.name.clone(), declared.span))
            .collect();
        for (name, span) in unused {
            let place = self.place(span);
            self.push(
                problem(
                    Code::UnusedVariable,
                    format!("`?{name}` is never used"),
                    place,
                    "nothing refers to it",
                )
                .help(format!("remove it, or call it `?_{name}` if that is meant")),
            );
        }
    }

    /// Counts a variable as used.
    pub(super) fn mark_used(&mut self, binding: Binding) {
        self.scope.declared[binding.index()].used = true;
    }
}
