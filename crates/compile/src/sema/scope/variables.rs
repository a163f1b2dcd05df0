//! Declares the variables of a body, looks them up, and reports those shadowed, unknown or unused.

use crate::sema::body::Body;
use crate::sema::model::{Binding, TypeId};
use crate::sema::report::{self, File, problem};
use brigade_diagnostics::Code;
use brigade_diagnostics::span::Span;
use brigade_syntax::ast::{Name, Typed};

impl Body<'_, '_> {
    /// Declares a typed list of variables, all visible from here on.
    pub(in super::super) fn declare(&mut self, list: &[Typed]) -> Vec<Binding> {
        let mark = self.scope.enter();
        let mut bindings = Vec::new();
        for typed in list {
            let types = self.cx.object_types(typed.ty.as_ref(), self.file);
            let key = typed.name.key();
            let twice = self.scope.first_since(mark, &key);
            if let Some(first) = twice {
                let first = self.place(self.scope.declared[first.index()].span);
                let again = self.place(typed.name.span);
                let name = format!("?{}", typed.name.text);
                self.push(report::duplicate("variable", &name, again, first));
                self.scope.has_twice = true;
            }
            let binding = self.scope.add(&typed.name, types);
            if twice.is_none() {
                self.warn_if_shadowing(&typed.name, mark);
            } else {
                self.scope.declared[binding.index()].used = true;
            }
            self.scope.show(key, binding);
            bindings.push(binding);
        }
        bindings
    }

    /// Makes a variable that is visible only once [`Body::show`] says under which name.
    pub(in super::super) fn bind(&mut self, name: &Name, types: Vec<TypeId>) -> Binding {
        self.scope.add(name, types)
    }

    /// Makes a variable visible under a name.
    pub(in super::super) fn show(&mut self, name: &Name, binding: Binding) {
        self.warn_if_shadowing(name, self.scope.enter());
        self.scope.show(name.key(), binding);
    }

    fn warn_if_shadowing(&mut self, name: &Name, mark: usize) {
        if let Some(outer) = self.scope.last_before(mark, &name.key()) {
            let outer = self.scope.declared[outer.index()].span;
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
    pub(in super::super) fn variable(&mut self, name: &Name) -> Option<Binding> {
        if let Some(binding) = self.scope.find(name) {
            self.scope.declared[binding.index()].used = true;
            return Some(binding);
        }
        if !self.scope.unknown.insert(name.key()) {
            return None;
        }
        let place = self.place(name.span);
        let names = self.scope.visible.iter().map(|(name, _)| &**name);
        let names = self.cx.reporter.candidates(names);
        let near = brigade_diagnostics::suggest(&name.text, names).map(str::to_owned);
        let hidden = self.scope.places.contains_key(&*name.key());
        let diagnostic = problem(
            Code::UnknownVariable,
            format!("there is no variable `?{}` here", name.text),
            place,
            "not declared",
        );
        let glued = self.scope.visible.iter().find_map(|(known, _)| {
            let ty = known.strip_prefix(&*name.folded())?.strip_prefix('-')?;
            Some(format!("?{} - {ty}", name.text))
        });
        if let Some(glued) = glued {
            let help = format!(
                "`?{}` is one word: write `{glued}`",
                glued.replace(" - ", "-").trim_start_matches('?')
            );
            self.push(diagnostic.help(help));
            return None;
        }
        self.push(match near {
            Some(near) => diagnostic.help(format!("did you mean `?{near}`?")),
            _ if self.cx.reporter.is_full() => diagnostic,
            None if hidden => diagnostic.help("the variable of that name is not visible here"),
            None if self.scope.is_of_fluent => diagnostic.help(self.scope.known()),
            None if self.file == File::Problem => diagnostic.help(
                "a problem has no parameters: name an object, or declare it in a quantifier around this",
            ),
            None => diagnostic.help("declare it in `:parameters`, or in a quantifier around this"),
        });
        None
    }

    /// Warns of variables that nothing refers to. A name that starts with `_` says that it is
    /// meant so.
    pub(in super::super) fn warn_of_unused(&mut self) {
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
    pub(in super::super) fn mark_used(&mut self, binding: Binding) {
        self.scope.declared[binding.index()].used = true;
    }
}
