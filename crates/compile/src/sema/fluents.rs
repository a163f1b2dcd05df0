//! Declarations of predicates and functions, and what they say in words.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::body::Body;
use super::context::Context;
use super::model::{
    Binding, Fluent, FluentId, FluentKind, FluentText, Observers, Range, Template, TypeId,
};
use super::report::{self, File, problem};
use super::requirements::Need;
use super::symbols::{Callee, FluentInfo, UNDEFINED};
use super::types::signature;
use brigade_diagnostics::Code;
use brigade_diagnostics::span::Span;
use brigade_syntax::ast::{self, Domain, FluentDecl, Term, TypeExpr, Typed};
use brigade_syntax::is_reserved;

impl Context<'_> {
    /// Declares `:predicates`, `:functions` and `:transient`. Of two declarations of one name the
    /// first stands, and uses of it are no longer checked.
    pub(super) fn declare_fluents(&mut self, domain: &Domain) {
        let blocks = domain.private_fluents.iter();
        for agent in blocks.filter_map(|block| block.agent.as_ref()) {
            self.object_types(agent.ty.as_ref(), File::Domain);
        }
        for (at, decl) in domain.fluents.iter().enumerate() {
            let params = self.parameter_types(&decl.params);
            let range = self.range(decl);
            let name = &decl.name;
            let place = self.place(File::Domain, name.span);
            if decl.transient {
                self.need(File::Domain, Need::BoundedNumbers, name.span);
            }
            if name.key() == UNDEFINED {
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
            if is_reserved(&name.text) {
                let message = format!("`{}` is a word of the language", name.text);
                let diagnostic = problem(Code::ReservedName, message, place, "cannot be declared");
                self.push(diagnostic.help("choose another name"));
                continue;
            }
            if let Some(&first) = self.symbols.fluent_index.get(&name.key()) {
                let at = self.symbols.fluent_info[first.index()].callee.place;
                let sort = "predicate or function";
                self.push(report::duplicate(sort, &name.text, place, at));
                self.symbols.fluent_info[first.index()].sound = false;
                continue;
            }
            let id = FluentId(self.symbols.fluents.len() as u32);
            self.symbols.fluent_index.insert(name.key(), id);
            let callee = Callee {
                sort: if range == Range::Boolean {
                    "predicate"
                } else {
                    "function"
                },
                name: name.text.to_string(),
                params: params.clone(),
                place,
                signature: signature(&name.text, &decl.params),
            };
            // Where they are variables of a text, a second one is an error.
            let has_clauses = !decl.texts.is_empty() || decl.observers.is_some();
            self.symbols.fluent_info.push(FluentInfo {
                callee: Rc::new(callee),
                sound: !has_clauses || are_distinct(&decl.params),
                untyped: lacks_type(decl, domain.fluents.get(at + 1)),
            });
            if !has_clauses {
                self.warn_of_one_name(decl);
            }
            if range == Range::Boolean {
                self.symbols.has_predicates = true;
            } else {
                self.symbols.has_functions = true;
            }
            self.symbols.fluents.push(Fluent {
                name: name.text.to_string(),
                params,
                range,
                kind: if decl.transient {
                    FluentKind::Transient
                } else {
                    FluentKind::Basic
                },
                texts: Vec::new(),
                observers: None,
                is_only_observed: false,
            });
        }
    }

    /// Warns of parameters that have the name of one before them.
    fn warn_of_one_name(&mut self, decl: &FluentDecl) {
        let mut seen: BTreeMap<Cow<'_, str>, Span> = BTreeMap::new();
        for param in &decl.params {
            let name = &param.name;
            let first = *seen.entry(name.folded()).or_insert(name.span);
            if first != name.span {
                let (again, first) = (
                    self.place(File::Domain, name.span),
                    self.place(File::Domain, first),
                );
                let diagnostic = problem(
                    Code::RepeatedParameter,
                    format!(
                        "two parameters of `{}` have the name `?{}`",
                        decl.name.text, name.text
                    ),
                    again,
                    "the same again",
                )
                .secondary(first.source, first.span, "the first")
                .help("rename one of the two, or remove it");
                self.note_repeated(self.place(File::Domain, decl.name.span), diagnostic);
                return;
            }
        }
    }

    /// Resolves the texts of predicates and functions.
    pub(super) fn fluent_texts(&mut self, domain: &Domain) {
        for decl in domain.fluents.iter().filter(|decl| !decl.texts.is_empty()) {
            let mut texts = Vec::new();
            for text in &decl.texts {
                let mut body = Body::new(self, File::Domain);
                body.scope.is_of_fluent = true;
                let params = body.declare(&decl.params);
                let of = match &text.of {
                    Some(name) => body.variable(name),
                    None => params.first().copied(),
                };
                let words = body.words(decl, &text.text);
                texts.push(FluentText {
                    of: of.map(Binding::index),
                    variables: body.scope.variables,
                    words,
                });
            }
            if let Some(fluent) = self.symbols.fluent_index.get(&decl.name.key()) {
                self.symbols.fluents[fluent.index()].texts = texts;
            }
        }
    }

    /// Resolves who observes the facts of predicates and functions, and checks who learns of actions.
    pub(super) fn observers(&mut self, domain: &Domain) {
        for observers in domain.actions.iter().filter_map(|it| it.observers.as_ref()) {
            let types = self.known_types(observers.viewer.ty.as_ref());
            self.check_viewers(domain, &observers.viewer, &types);
        }
        for decl in &domain.fluents {
            let Some(observers) = &decl.observers else {
                continue;
            };
            self.need(File::Domain, Need::PartialObservability, observers.span);
            if decl.texts.is_empty() {
                self.observers_without_text(decl, observers);
            }
            let mut body = Body::new(self, File::Domain);
            body.scope.is_of_fluent = true;
            for param in body.declare(&decl.params) {
                body.mark_used(param);
            }
            body.declare(std::slice::from_ref(&observers.viewer));
            let cond = body.cond(&observers.condition);
            if body.is_sound() {
                body.warn_of_unused();
            }
            let variables = body.scope.variables;
            let viewers = &variables[decl.params.len()].types;
            self.check_viewers(domain, &observers.viewer, viewers);
            if let Some(fluent) = self.symbols.fluent_index.get(&decl.name.key()) {
                let observers = Observers { variables, cond };
                self.symbols.fluents[fluent.index()].observers = Some(observers);
            }
        }
    }

    fn observers_without_text(&mut self, decl: &FluentDecl, observers: &ast::Observers) {
        let place = self.place(File::Domain, observers.span);
        let message = format!("`{}` says nothing in words", decl.name.text);
        let diagnostic = problem(Code::ObserversWithoutText, message, place, "hides no words");
        self.push(diagnostic.help(
            "give it a `:text`, or leave out `:observable-by`: as it is, only which actions are known to be possible depends on it",
        ));
    }

    /// Reports viewers of a type none of whose objects acts.
    fn check_viewers(&mut self, domain: &Domain, viewer: &Typed, types: &[TypeId]) {
        let agents = self.agent_types(domain);
        if agents.iter().any(|of| self.symbols.overlap(types, of)) {
            return;
        }
        let place = self.place(File::Domain, viewer.name.span);
        let name = &viewer.name.text;
        let diagnostic = if agents.is_empty() {
            let message = format!("`?{name}` is no agent: the domain has none");
            let diagnostic = problem(Code::ViewerNotAnAgent, message, place, "stands for nobody");
            diagnostic.help("give the actions an `:agent`, or leave out `:observable-by`")
        } else {
            let types = self.symbols.type_names(types);
            let message = format!("`?{name}` is no agent: nothing of type `{types}` acts");
            let diagnostic = problem(Code::ViewerNotAnAgent, message, place, "stands for nobody");
            diagnostic.help(self.names_of_agents(&agents))
        };
        self.push(diagnostic);
    }

    /// The types alone: the names are not bound, and some benchmarks repeat one.
    fn parameter_types(&mut self, params: &[Typed]) -> Vec<Vec<TypeId>> {
        params
            .iter()
            .map(|param| self.object_types(param.ty.as_ref(), File::Domain))
            .collect()
    }

    fn range(&mut self, decl: &FluentDecl) -> Range {
        match &decl.range {
            None => Range::Boolean,
            Some(TypeExpr::Number(_)) => {
                self.need(File::Domain, Need::Numbers, decl.name.span);
                Range::Number
            }
            Some(TypeExpr::Int { lo, hi, span }) => {
                self.need(File::Domain, Need::BoundedNumbers, *span);
                Range::Integer { lo: *lo, hi: *hi }
            }
            Some(ty @ (TypeExpr::Named(_) | TypeExpr::Either(..))) => {
                let types = self.object_types(Some(ty), File::Domain);
                if !types.is_empty() {
                    self.need(File::Domain, Need::ObjectFluents, decl.name.span);
                }
                Range::Object(types)
            }
        }
    }
}

impl Body<'_, '_> {
    /// A text of a declaration: the parts between which the value of the function stands.
    fn words(&mut self, decl: &FluentDecl, text: &ast::Template) -> Vec<Template> {
        let is_value = |part: &ast::TemplatePart| matches!(part, ast::TemplatePart::Slot(term) if is_value(decl, term));
        if matches!(decl.range, Some(TypeExpr::Number(_))) {
            for part in text.parts.iter().filter(|part| is_value(part)) {
                if let ast::TemplatePart::Slot(term) = part {
                    // Only whole numbers are reported.
                    self.whole_number(term);
                }
            }
        }
        let parts = text.parts.split(is_value);
        parts
            .map(|parts| {
                let words = ast::Template {
                    parts: parts.to_vec(),
                    span: text.span,
                };
                self.template(&words, Some("what a fact says in words"))
            })
            .collect()
    }
}

/// Returns true if a slot is the declared function of its own parameters, in order.
fn is_value(decl: &FluentDecl, slot: &Term) -> bool {
    let Some((name, args)) = slot.function() else {
        return false;
    };
    let own = |(arg, param): (&Term, &Typed)| matches!(arg, Term::Variable(name) if name.key() == param.name.key());
    decl.range.is_some()
        && name.key() == decl.name.key()
        && args.len() == decl.params.len()
        && args.iter().zip(&decl.params).all(own)
}

fn are_distinct(params: &[Typed]) -> bool {
    let mut seen = BTreeSet::new();
    params.iter().all(|param| seen.insert(param.name.folded()))
}

/// Returns true if no type stands right behind a function: it is then one of numbers, or has the type of the next.
fn lacks_type(decl: &FluentDecl, next: Option<&FluentDecl>) -> bool {
    let Some(TypeExpr::Number(span) | TypeExpr::Int { span, .. }) = decl.range else {
        return false;
    };
    let is_of_next =
        next.is_some_and(|next| next.range == decl.range && next.span.start < span.start);
    span == decl.span || is_of_next && decl.span.end < span.start
}
