//! The symbol tables: every declared name with its meaning and place. Types, objects, fluents,
//! actions and events have separate name spaces.

use std::rc::Rc;

use ecow::EcoString;
use rustc_hash::FxHashMap;

use super::model::{
    ActionKind, Fluent, FluentId, FluentKind, Object, ObjectId, Range, Type, TypeId,
};
use super::report::Place;
use brigade_syntax::ast::Name;

/// The object type, root of the hierarchy.
pub(super) const OBJECT: TypeId = TypeId(0);

/// The reserved constant for "no object".
pub(super) const UNDEFINED: &str = "undefined";

/// A declaration that is used with arguments, and their types.
pub(super) struct Callee {
    /// `predicate`, `function`, `action`.
    pub(super) sort: &'static str,
    /// Its name.
    pub(super) name: String,
    /// The types of its parameters, the agent of an action first.
    pub(super) params: Vec<Vec<TypeId>>,
    /// Where it is declared.
    pub(super) place: Place,
    /// `(name ?x - t …)`, for help texts.
    pub(super) signature: String,
}

/// Properties of a declared fluent beside its model.
pub(super) struct FluentInfo {
    /// Its signature.
    pub(super) callee: Rc<Callee>,
    /// Declared once, so that uses can be checked against it.
    pub(super) sound: bool,
    /// A function without a type behind it, and so of numbers.
    pub(super) untyped: bool,
}

/// Properties of an action that its uses need.
pub(super) struct ActionInfo {
    /// Its signature.
    pub(super) callee: Rc<Callee>,
    /// Its kind.
    pub(super) kind: ActionKind,
}

/// All tables.
#[derive(Default)]
pub(super) struct Symbols {
    pub(super) types: Vec<Type>,
    pub(super) type_index: FxHashMap<String, TypeId>,
    pub(super) objects: Vec<Object>,
    pub(super) object_index: FxHashMap<EcoString, ObjectId>,
    pub(super) object_places: Vec<Place>,
    /// The number of `objects` that are constants of the domain, the first ones.
    pub(super) constants: usize,
    pub(super) fluents: Vec<Fluent>,
    pub(super) fluent_index: FxHashMap<String, FluentId>,
    pub(super) fluent_info: Vec<FluentInfo>,
    /// True if any predicate is declared.
    pub(super) has_predicates: bool,
    /// True if any function is declared.
    pub(super) has_functions: bool,
    pub(super) actions: Vec<ActionInfo>,
    pub(super) action_index: FxHashMap<String, usize>,
    pub(super) events: Vec<(String, Place)>,
    pub(super) event_index: FxHashMap<String, usize>,
}

impl Symbols {
    pub(super) fn fluent(&self, name: &Name) -> Option<FluentId> {
        self.fluent_index.get(&*name.folded()).copied()
    }

    pub(super) fn is_predicate(&self, fluent: FluentId) -> bool {
        self.fluents[fluent.index()].range == Range::Boolean
    }

    pub(super) fn is_derived(&self, fluent: FluentId) -> bool {
        self.fluents[fluent.index()].kind == FluentKind::Derived
    }

    /// Names of all predicates, or of all functions.
    pub(super) fn fluent_names(&self, predicates: bool) -> impl Iterator<Item = &str> {
        self.fluents
            .iter()
            .filter(move |fluent| (fluent.range == Range::Boolean) == predicates)
            .map(|fluent| fluent.name.as_str())
    }

    /// Returns true if `ty` is `of` or a descendant of it.
    pub(super) fn is_subtype(&self, ty: TypeId, of: TypeId) -> bool {
        if ty == of || of == OBJECT {
            return true;
        }
        let mut ty = ty;
        // Most types have one parent: no bookkeeping is needed on the way up.
        while let [parent] = self.types[ty.index()].parents.as_slice() {
            ty = *parent;
            if ty == of {
                return true;
            }
        }
        let mut seen = vec![false; self.types.len()];
        let mut open = self.types[ty.index()].parents.clone();
        while let Some(next) = open.pop() {
            if next == of {
                return true;
            }
            if !std::mem::replace(&mut seen[next.index()], true) {
                open.extend(&self.types[next.index()].parents);
            }
        }
        false
    }

    /// Returns true if one of the types has others below it.
    pub(super) fn has_kinds(&self, types: &[TypeId]) -> bool {
        let mut parents = self.types.iter().flat_map(|ty| &ty.parents);
        parents.any(|parent| types.contains(parent))
    }

    /// Returns true if the object is of one of the types. An empty list stands for types that could not be resolved:
    /// they fit.
    pub(super) fn is_a(&self, object: ObjectId, types: &[TypeId]) -> bool {
        let own = &self.objects[object.index()].types;
        own.is_empty()
            || types.is_empty()
            || own
                .iter()
                .any(|&ty| types.iter().any(|&of| self.is_subtype(ty, of)))
    }

    /// Returns true if something can be of a type in `a` and of a type in `b`: one is a subtype of the other, both have
    /// a common subtype, or an `either` object is of both.
    pub(super) fn overlap(&self, a: &[TypeId], b: &[TypeId]) -> bool {
        if a.is_empty() || b.is_empty() {
            return true;
        }
        let related = a.iter().any(|&x| {
            b.iter()
                .any(|&y| self.is_subtype(x, y) || self.is_subtype(y, x))
        });
        let below = |ty: TypeId, of: &[TypeId]| of.iter().any(|&of| self.is_subtype(ty, of));
        related
            || (1..self.types.len() as u32)
                .map(TypeId)
                .any(|ty| below(ty, a) && below(ty, b))
            || (0..self.objects.len() as u32)
                .map(ObjectId)
                .filter(|&object| self.objects[object.index()].types.len() > 1)
                .any(|object| self.is_a(object, a) && self.is_a(object, b))
    }

    /// A union of types as a reader would write it.
    pub(super) fn type_names(&self, types: &[TypeId]) -> String {
        let names: Vec<&str> = types
            .iter()
            .map(|ty| self.types[ty.index()].name.as_str())
            .collect();
        match names.as_slice() {
            [one] => (*one).to_owned(),
            _ => format!("(either {})", names.join(" ")),
        }
    }
}
