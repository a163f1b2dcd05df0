//! The declarations of a domain file, by name.

use std::collections::{BTreeMap, BTreeSet};

use super::options::MAX_POOL;
use super::schema::{ActionDef, DomainFile, Kind, Literal, PredicateDef, Special, taken};
use crate::fields::Reporter;
use crate::json::Text;
use brigade_diagnostics::{Code, suggest};
use brigade_syntax::is_construct;

/// The prefix of the predicate that holds of objects of a pool that do not exist.
pub(super) const FREE: &str = "free-";

/// Declarations of a domain file.
#[derive(Debug, Default)]
pub(super) struct Symbols<'f> {
    pub(super) predicates: BTreeMap<&'f str, &'f PredicateDef>,
    /// The type of each parameter. A name of a parameter has one type throughout the file, that of
    /// its first use.
    pub(super) params: BTreeMap<&'f str, (&'f str, &'f Text)>,
    /// The predicates that some effect changes.
    pub(super) changed: BTreeSet<&'f str>,
    /// The objects that can be created.
    pub(super) pools: Vec<Pool<'f>>,
}

/// Objects that an effect may create: those of one type whose names begin alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pool<'f> {
    /// The beginning of their names.
    pub(super) name: &'f Text,
    /// The type of the objects.
    pub(super) of: &'f Text,
    /// The types of which objects are needed before anything can be created: for each action that
    /// creates, those of its parameters.
    pub(super) needs: Vec<BTreeSet<&'f str>>,
    /// The most that one special effect creates at once.
    pub(super) at_once: usize,
}

impl Pool<'_> {
    /// The predicate that holds of those that do not exist.
    pub(super) fn free(&self) -> String {
        format!("{FREE}{}", self.name.text)
    }
}

impl<'f> Symbols<'f> {
    /// Collects the declarations. Two of one name are left to the later stages.
    pub(super) fn new(file: &'f DomainFile, reporter: &mut Reporter<'_>) -> Self {
        let mut symbols = Self::default();
        for of in &file.types {
            if is_reserved_type(&of.text) {
                reporter.reserved("a type", of);
            }
        }
        for predicate in &file.predicates {
            if is_construct(&predicate.name.text) {
                reporter.reserved("a predicate", &predicate.name);
            }
            symbols.predicates.insert(&predicate.name.text, predicate);
        }
        for action in &file.actions {
            symbols.action(action, reporter);
        }
        symbols
    }

    /// The predicate of a name; reported if there is none.
    pub(super) fn predicate(
        &self,
        name: &Text,
        needed: &str,
        reporter: &mut Reporter<'_>,
    ) -> Option<&'f PredicateDef> {
        let found = self.predicates.get(name.text.as_str()).copied();
        if found.is_none() {
            let message = format!("there is no predicate `{}`{needed}", name.text);
            let mut diagnostic =
                reporter.at(Code::UnknownPredicate, name.span, message, "not declared");
            diagnostic = match suggest(&name.text, self.predicates.keys().copied()) {
                Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
                None => diagnostic.help("declare it in `predicate_defs` of the domain"),
            };
            reporter.push(diagnostic);
        }
        found
    }

    fn action(&mut self, action: &'f ActionDef, reporter: &mut Reporter<'_>) {
        self.literals(&action.preconditions, reporter);
        self.effects(&action.effects, reporter);
        for special in &action.special {
            self.special(special, reporter);
        }
        let types: BTreeSet<&str> = params(action)
            .filter_map(|param| self.type_of(param))
            .collect();
        // An effect of an action is live once, however often the loader takes it.
        for (special, _) in taken(&action.special) {
            self.pools_filled_by(special, &types, reporter);
        }
    }

    /// Collects what a special effect creates, of those parameters of its action.
    fn pools_filled_by(
        &mut self,
        special: &'f Special,
        types: &BTreeSet<&'f str>,
        reporter: &mut Reporter<'_>,
    ) {
        let mut created: BTreeMap<&str, usize> = BTreeMap::new();
        let mut open: Vec<(&Special, usize)> = vec![(special, 1)];
        while let Some((special, times)) = open.pop() {
            let nested = taken(&special.nested);
            open.extend(nested.map(|(nested, more)| (nested, times.saturating_mul(more))));
            let Kind::Creation { name, of, .. } = &special.kind else {
                continue;
            };
            let at_once = created.entry(&name.text).or_default();
            *at_once = at_once.saturating_add(times);
            if *at_once > MAX_POOL as usize {
                let message =
                    format!("what creates more than {MAX_POOL} objects at once has no exact form");
                let diagnostic =
                    reporter.at(Code::NoExactForm, special.span, message, "not supported");
                reporter.push(diagnostic);
                return;
            }
            let same = |pool: &&mut Pool<'_>| pool.name.text == name.text;
            match self.pools.iter_mut().find(same) {
                Some(pool) => {
                    pool.needs.push(types.clone());
                    pool.at_once = pool.at_once.max(*at_once);
                }
                None => self.pools.push(Pool {
                    name,
                    of,
                    needs: vec![types.clone()],
                    at_once: *at_once,
                }),
            }
        }
    }

    fn special(&mut self, special: &'f Special, reporter: &mut Reporter<'_>) {
        match &special.kind {
            Kind::Conditional(conditions) => self.literals(conditions, reporter),
            Kind::Creation { of, param, .. } => {
                self.typed(param, &of.text, reporter);
            }
            Kind::Unknown => self.check_param(&special.param, reporter),
            Kind::Delayed(_) | Kind::Repetitive(_) | Kind::Deletion => {}
        }
        self.effects(&special.effects, reporter);
        for nested in &special.nested {
            self.special(nested, reporter);
        }
    }

    /// Reports what an effect of unknown kind is about, if nothing has named it before: the published
    /// loader looks for that whatever the kind.
    fn check_param(&self, param: &Text, reporter: &mut Reporter<'_>) {
        if !self.params.contains_key(param.text.as_str()) {
            let message = format!("`{}` is no parameter of the action", param.text);
            let diagnostic = reporter.at(Code::UnknownVariable, param.span, message, "not bound");
            reporter.push(diagnostic.help("name a parameter of the action"));
        }
    }

    fn effects(&mut self, effects: &'f [Literal], reporter: &mut Reporter<'_>) {
        self.literals(effects, reporter);
        let names = effects.iter().map(|effect| effect.predicate.text.as_str());
        self.changed.extend(names);
    }

    fn literals(&mut self, literals: &'f [Literal], reporter: &mut Reporter<'_>) {
        for literal in literals {
            let Some(predicate) = self.predicate(&literal.predicate, "", reporter) else {
                continue;
            };
            let (given, declared) = (literal.params.len(), predicate.params.len());
            if given != declared {
                let message = format!(
                    "`{}` has {declared} arguments, and is given {given}",
                    predicate.name.text
                );
                let diagnostic = reporter.at(Code::ArgumentCount, literal.span, message, "");
                reporter.push(diagnostic.help("compare with its `param_types`"));
            }
            for (param, of) in literal.params.iter().zip(&predicate.params) {
                self.typed(param, &of.text, reporter);
            }
        }
    }

    fn typed(&mut self, param: &'f Text, of: &'f str, reporter: &mut Reporter<'_>) {
        let &mut (known, first) = self.params.entry(&param.text).or_insert((of, param));
        if known != of {
            let message = format!("the parameter `{}` is used for two types", param.text);
            let label = format!("here it is of type `{of}`");
            let diagnostic = reporter.at(Code::ParameterOfTwoTypes, param.span, message, label);
            let first_use = format!("here it is of type `{known}`");
            let diagnostic = reporter.also(diagnostic, first.span, &first_use);
            reporter.push(diagnostic);
        }
    }

    /// The type of a parameter.
    pub(super) fn type_of(&self, param: &str) -> Option<&'f str> {
        self.params.get(param).map(|&(of, _)| of)
    }

    /// The pools of objects of a type.
    pub(super) fn pools_of<'s>(&'s self, of: &'s str) -> impl Iterator<Item = &'s Pool<'f>> {
        self.pools.iter().filter(move |pool| pool.of.text == of)
    }
}

/// Returns true if a name of a type means something else in the language.
pub(super) fn is_reserved_type(name: &str) -> bool {
    matches!(name, "number" | "int" | "either" | "object")
}

/// The parameters of an action, each once, in order of their first use: those of its preconditions,
/// its immediate effects, and what its special effects are about.
pub(super) fn params(action: &ActionDef) -> impl Iterator<Item = &str> {
    let literals = action.preconditions.iter().chain(&action.effects);
    let in_literals = literals.flat_map(|literal| &literal.params);
    let known = |special: &&Special| !matches!(special.kind, Kind::Unknown);
    let about = action.special.iter().filter(known);
    let about = about.map(|special| &special.param);
    let mut seen = BTreeSet::new();
    in_literals
        .chain(about)
        .map(|param| param.text.as_str())
        .filter(move |&param| seen.insert(param))
}
