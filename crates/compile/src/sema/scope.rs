//! The variables of one schema: declared, looked up, shadowed, unused.

mod variables;

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::model::{Binding, TypeId, Variable};
use brigade_diagnostics::span::Span;
use brigade_diagnostics::words::counted;
use brigade_syntax::ast::Name;

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
    /// True if a variable was declared twice in one list: which one is meant is not known then.
    pub(super) has_twice: bool,
    /// True in the declaration of a fluent, where nothing else can be declared.
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

    /// Does not report that there is no such variable: another report explains it.
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
