//! The variables of one schema: declared, looked up, shadowed, unused.

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::body::Body;
use super::model::{Binding, TypeId, Variable};
use super::report::{self, File, problem};
use brigade_diagnostics::Code;
use brigade_diagnostics::span::Span;
use brigade_diagnostics::words::counted;
use brigade_syntax::ast::{Name, Typed};

/// All variables of a schema, and those visible at the point being resolved.
#[derive(Default)]
pub(super) struct Scope {
    pub(super) variables: Vec<Variable>,
    declared: Vec<Declared>,
    visible: Vec<(Rc<str>, Binding)>,
    /// Of each name that was declared, visible or not, its places in `visible`, the innermost last.
    /// An action may have very many parameters: no name is searched for among all.
    places: FxHashMap<Rc<str>, Vec<usize>>,
    /// Names that were reported as unknown: once is enough.
    unknown: BTreeSet<String>,
    /// Whether a variable was declared twice in one list: which one is meant is not known then.
    pub(super) has_twice: bool,
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
        for (name, _) in self.visible.drain(mark..) {
            if let Some(places) = self.places.get_mut(&name) {
                places.pop();
            }
        }
    }

    /// The innermost visible variable of that name.
    pub(super) fn find(&self, name: &Name) -> Option<Binding> {
        let &place = self.places(&name.key()).last()?;
        Some(self.visible[place].1)
    }

    /// The first variable of that name that was declared since the mark was taken.
    fn first_since(&self, mark: usize, key: &str) -> Option<Binding> {
        let places = self.places(key);
        let &place = places.get(places.partition_point(|&place| place < mark))?;
        Some(self.visible[place].1)
    }

    /// The innermost variable of that name that was visible when the mark was taken.
    fn last_before(&self, mark: usize, key: &str) -> Option<Binding> {
        let places = self.places(key);
        let outer = places.partition_point(|&place| place < mark);
        let &place = places[..outer].last()?;
        Some(self.visible[place].1)
    }

    fn places(&self, key: &str) -> &[usize] {
        self.places.get(key).map_or(&[], Vec::as_slice)
    }

    /// Makes a variable visible.
    fn show(&mut self, key: String, binding: Binding) {
        let key: Rc<str> = key.into();
        let places = self.places.entry(Rc::clone(&key)).or_default();
        places.push(self.visible.len());
        self.visible.push((key, binding));
    }

    /// Makes a new variable, not visible yet.
    fn add(&mut self, name: &Name, types: Vec<TypeId>) -> Binding {
        let binding = Binding(self.variables.len() as u32);
        self.places.entry(name.key().into()).or_default();
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

    /// The visible variables, in a sentence. Of very many only the first.
    fn known(&self) -> String {
        const NAMED: usize = 20;
        let names = self.visible.iter().take(NAMED);
        let names: Vec<String> = names.map(|(name, _)| format!("`?{name}`")).collect();
        let more = self.visible.len() - names.len();
        match &names[..] {
            [] => "nothing is declared here that it could be: there are no parameters".to_owned(),
            [one] => format!("the only variable here is {one}"),
            all if more > 0 => {
                let more = counted(more, "other");
                format!("the variables here are {} and {more}", all.join(", "))
            }
            [all @ .., last] => format!("the variables here are {} and {last}", all.join(", ")),
        }
    }

    /// Does not report that there is no such variable: something else was told that explains it.
    pub(super) fn know_unknown(&mut self, name: &Name) {
        self.unknown.insert(name.key());
    }

    /// Where a variable is declared.
    pub(super) fn span(&self, binding: Binding) -> Span {
        self.declared[binding.index()].span
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
    pub(super) fn bind(&mut self, name: &Name, types: Vec<TypeId>) -> Binding {
        self.scope.add(name, types)
    }

    /// Makes a variable visible under a name.
    pub(super) fn show(&mut self, name: &Name, binding: Binding) {
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
    pub(super) fn variable(&mut self, name: &Name) -> Option<Binding> {
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
