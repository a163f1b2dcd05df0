//! Terms that denote objects, and the names of predicates and functions.

use super::body::Body;
use super::model::{FluentId, ObjectId, Range, Term, TypeId};
use super::report::{self, File, problem};
use super::symbols::UNDEFINED;
use brigade_diagnostics::span::Span;
use brigade_diagnostics::{Code, suggest};
use brigade_syntax::ast::{self, Name};
use brigade_syntax::{constructs, instead_of_construct, not_supported_word};

/// The advice for a name that is near to none.
const IN_CONSTANTS: &str = "declare it in `:constants`";
const IN_OBJECTS: &str = "declare it in `:objects`";

/// A construct of so many letters is near to too many names.
const SHORT: usize = 3;

/// The sort of a term, as far as it is known without a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Object,
    Number,
    Unknown,
}

/// An object term and the types that its object may have.
pub(super) struct ObjectTerm {
    pub(super) term: Term,
    pub(super) types: Vec<TypeId>,
}

impl Body<'_, '_> {
    pub(super) fn sort_of(&self, term: &ast::Term) -> Sort {
        let symbols = &self.cx.symbols;
        let by_range = |fluent: FluentId| match symbols.fluents[fluent.index()].range {
            Range::Boolean => Sort::Unknown,
            Range::Object(_) => Sort::Object,
            Range::Integer { .. } | Range::Number => Sort::Number,
        };
        match term {
            ast::Term::Name(name) => {
                if name.key() == UNDEFINED || symbols.object_index.contains_key(&*name.folded()) {
                    Sort::Object
                } else {
                    symbols.fluent(name).map_or(Sort::Unknown, by_range)
                }
            }
            ast::Term::Variable(name) => {
                if self.is_duration(name) {
                    Sort::Number
                } else if self.scope.find(name).is_some() {
                    Sort::Object
                } else {
                    Sort::Unknown
                }
            }
            ast::Term::Apply(term) => {
                let fluent = symbols.fluent(&term.name);
                fluent.map_or(Sort::Unknown, by_range)
            }
            ast::Term::Number(..) | ast::Term::Arithmetic(..) | ast::Term::Count(..) => {
                Sort::Number
            }
            ast::Term::Arg(_) => Sort::Object,
        }
    }

    pub(super) fn is_duration(&self, name: &Name) -> bool {
        self.duration.is_some() && name.key() == "duration" && self.scope.find(name).is_none()
    }

    /// Resolves a term that must denote an object. `None` if that was reported.
    pub(super) fn object_term(&mut self, term: &ast::Term) -> Option<ObjectTerm> {
        if term.is_word() {
            return self.object_term_inside(term);
        }
        self.nested(term.span(), None, |body| body.object_term_inside(term))
    }

    fn object_term_inside(&mut self, term: &ast::Term) -> Option<ObjectTerm> {
        match term {
            ast::Term::Variable(name) if self.is_duration(name) => {
                self.not_an_object(term.span());
                None
            }
            ast::Term::Variable(name) => {
                let binding = self.variable(name)?;
                Some(ObjectTerm {
                    term: Term::Variable(binding),
                    types: self.scope.types(binding).to_vec(),
                })
            }
            ast::Term::Name(name) => self.object_by_name(name),
            ast::Term::Apply(term) => self.object_fluent(&term.name, &term.args, term.span),
            ast::Term::Number(..) | ast::Term::Arithmetic(..) | ast::Term::Count(_) => {
                self.not_an_object(term.span());
                None
            }
            ast::Term::Arg(arg) => {
                let place = self.place(arg.span);
                let word = if arg.maximize { "argmax" } else { "argmin" };
                self.push(
                    problem(
                        Code::MisplacedArgument,
                        format!("`{word}` can only be the value of a `let`"),
                        place,
                        "not allowed here",
                    )
                    .help(format!(
                        "bind it first: `(let ((?x ({word} …))) …)`, then use `?x`"
                    )),
                );
                None
            }
        }
    }

    fn object_by_name(&mut self, name: &Name) -> Option<ObjectTerm> {
        if name.folded() == UNDEFINED {
            return Some(ObjectTerm {
                term: Term::Undefined,
                types: Vec::new(),
            });
        }
        if let Some(object) = self.object(name)? {
            return Some(ObjectTerm {
                term: Term::Object(object),
                types: self.cx.symbols.objects[object.index()].types.to_vec(),
            });
        }
        if self.cx.symbols.fluent(name).is_some() {
            return self.object_fluent(name, &[], name.span);
        }
        self.unknown_object(name);
        None
    }

    /// The object of that name, if there is one: `None` after a report, `Some(None)` if not.
    #[expect(
        clippy::option_option,
        reason = "reported, absent and found are three answers"
    )]
    fn object(&mut self, name: &Name) -> Option<Option<ObjectId>> {
        let Some(&object) = self.cx.symbols.object_index.get(&*name.folded()) else {
            return Some(None);
        };
        if self.file == File::Domain && object.index() >= self.cx.symbols.constants {
            let place = self.place(name.span);
            let at = self.cx.symbols.object_places[object.index()];
            self.push(
                problem(
                    Code::UnknownObject,
                    // Reported for the domain by itself.
                    format!("there is no object `{}`", name.text),
                    place,
                    "an object of the problem is not known in the domain",
                )
                .secondary(at.source, at.span, "declared here")
                .help("declare it in the domain's `:constants`"),
            );
            return None;
        }
        Some(Some(object))
    }

    fn unknown_object(&mut self, name: &Name) {
        if self.cx.causes.no_types.contains(&name.key()) {
            // It stands behind a dash whose type is missing.
            return;
        }
        let is_truth = ["true", "false"].contains(&&*name.folded());
        if is_truth && self.cx.reporter.has(Code::PredicateAsFunction) {
            // The other side was reported to have no value.
            return;
        }
        let place = self.place(name.span);
        let symbols = &self.cx.symbols;
        let known = match self.file {
            File::Domain => symbols.constants,
            File::Problem => symbols.objects.len(),
        };
        let names = symbols.objects[..known].iter().map(|o| o.name.as_str());
        let names = self.cx.reporter.candidates(names.chain([UNDEFINED]));
        let variable = format!("variables are written with `?`: `?{}`", name.text);
        let otherwise = match self.file {
            _ if ["nil", "none", "null", "nothing", "empty"].contains(&name.key().as_str()) => {
                "no object is written `undefined`: `(= (held ?c) undefined)`"
            }
            _ if self.scope.find(name).is_some() => variable.as_str(),
            _ if is_signed(&name.text) => "a number has no `+` before it",
            _ if symbols.type_index.contains_key(&name.key()) => {
                "this is a type: name an object of it"
            }
            File::Domain => IN_CONSTANTS,
            File::Problem => IN_OBJECTS,
        };
        let own = match self.file {
            File::Domain => symbols.constants,
            File::Problem => symbols.objects.len() - symbols.constants,
        };
        let is_without = [IN_CONSTANTS, IN_OBJECTS].contains(&otherwise) && own == 0;
        if is_without && self.cx.causes.is_missing_constant(name) {
            return;
        }
        if is_without && suggest(&name.text, names.clone()).is_none() {
            self.cx.causes.of_objects_in(self.file).note(name, place);
            return;
        }
        let code = Code::UnknownObject;
        let diagnostic = report::unknown(code, "object", name, place, names, otherwise);
        self.push(diagnostic);
    }

    fn object_fluent(&mut self, name: &Name, args: &[ast::Term], span: Span) -> Option<ObjectTerm> {
        let fluent = self.function(name)?;
        let Range::Object(types) = self.cx.symbols.fluents[fluent.index()].range.clone() else {
            let place = self.place(span);
            if !self.cx.is_untyped(fluent, place) {
                self.not_an_object(span);
            }
            return None;
        };
        let args = self.fluent_arguments(fluent, args, span)?;
        Some(ObjectTerm {
            term: Term::Fluent(fluent, args),
            types,
        })
    }

    /// Returns true, and reports it, if a function without a type stands where one with objects for values is needed.
    pub(super) fn lacks_its_type(&mut self, function: &ast::Term, value: &ast::Term) -> bool {
        if self.sort_of(value) != Sort::Object {
            return false;
        }
        let Some((name, _)) = function.function() else {
            return false;
        };
        let place = self.place(function.span());
        let fluent = self.cx.symbols.fluent(name);
        fluent.is_some_and(|fluent| self.cx.is_untyped(fluent, place))
    }

    fn not_an_object(&mut self, span: Span) {
        let place = self.place(span);
        self.push(
            problem(
                Code::NotAnObject,
                "a number stands where an object is needed",
                place,
                "a number",
            )
            .help("give a variable, an object, or an object-valued function"),
        );
    }

    /// Looks a function up by name.
    pub(super) fn function(&mut self, name: &Name) -> Option<FluentId> {
        let place = self.place(name.span);
        let symbols = &self.cx.symbols;
        let Some(fluent) = symbols.fluent(name) else {
            if symbols.object_index.contains_key(&*name.folded()) {
                let diagnostic = problem(
                    Code::UnknownFunction,
                    format!("there is no function `{}`", name.text),
                    place,
                    "an object",
                );
                let help = "the function stands first: `(= (function …) value)`";
                self.push(diagnostic.help(help));
                return None;
            }
            if !symbols.has_functions {
                self.cx.causes.functions.note(name, place);
                return None;
            }
            let names = self.cx.reporter.candidates(symbols.fluent_names(false));
            let diagnostic = report::unknown(
                Code::UnknownFunction,
                "function",
                name,
                place,
                names,
                "declare it in `:functions`",
            );
            self.push(diagnostic);
            return None;
        };
        if symbols.is_predicate(fluent) {
            let info = &symbols.fluent_info[fluent.index()];
            if info.sound && !self.cx.is_of_truth() {
                let at = info.callee.place;
                let diagnostic = problem(
                    Code::PredicateAsFunction,
                    format!("`{}` is a predicate: it has no value", name.text),
                    place,
                    "a function is needed here",
                )
                .secondary(at.source, at.span, "declared as a predicate here")
                .help("test it as a condition, or declare it in `:functions`");
                self.push(diagnostic);
            }
            return None;
        }
        Some(fluent)
    }

    /// Looks a predicate up by name.
    pub(super) fn predicate(&mut self, name: &Name) -> Option<FluentId> {
        let place = self.place(name.span);
        let symbols = &self.cx.symbols;
        let Some(fluent) = symbols.fluent(name) else {
            if let Some(message) = not_supported_word(&name.text) {
                self.push(problem(Code::NotSupported, message, place, "not supported"));
                return None;
            }
            if !symbols.has_predicates && !symbols.action_index.contains_key(&name.key()) {
                self.cx.causes.predicates.note(name, place);
                return None;
            }
            if let Some(instead) = instead_of_construct(&name.text) {
                let message = format!("`{}` does not stand here", name.text);
                let diagnostic = problem(
                    Code::UnknownPredicate,
                    message,
                    place,
                    "a fact is needed here",
                );
                self.push(diagnostic.help(instead));
                return None;
            }
            if let Some(written) = of_elsewhere(&name.text) {
                let message = format!("there is no predicate `{}`", name.text);
                let diagnostic = problem(
                    Code::UnknownPredicate,
                    message,
                    place,
                    "not of this language",
                );
                self.push(diagnostic.help(format!("write `{written}`")));
                return None;
            }
            let is_action = symbols.action_index.contains_key(&name.key());
            // Short words are near to many.
            let words = constructs().filter(|word| !is_action && word.len() > SHORT);
            let names = symbols.fluent_names(true).chain(words);
            let names = self.cx.reporter.candidates(names);
            let perform = format!(
                "declare it in `:predicates` by another name than the action's; an option performs a \
                 primitive action by `(do ({} …))`",
                name.text
            );
            let otherwise = if is_action {
                perform.as_str()
            } else if symbols.type_index.contains_key(&name.key()) {
                "there is a type of that name, but types are not predicates"
            } else {
                "declare it in `:predicates`"
            };
            let code = Code::UnknownPredicate;
            let diagnostic = report::unknown(code, "predicate", name, place, names, otherwise);
            self.push(diagnostic);
            return None;
        };
        if !symbols.is_predicate(fluent) {
            let info = &symbols.fluent_info[fluent.index()];
            if info.sound {
                let at = info.callee.place;
                let diagnostic = problem(
                    Code::FunctionAsPredicate,
                    format!("`{}` is a function: it is not true or false", name.text),
                    place,
                    "a predicate is needed here",
                )
                .secondary(at.source, at.span, "declared as a function here")
                .help(format!(
                    "compare its value, `(= ({} …) …)`, or change it with `assign`",
                    name.text
                ));
                self.push(diagnostic);
            }
            return None;
        }
        Some(fluent)
    }
}

/// The construct of the language for a sign of another one.
fn of_elsewhere(sign: &str) -> Option<&'static str> {
    match sign {
        "!=" | "<>" | "/=" => Some("(not (= a b))"),
        "=>" | "->" => Some("(imply condition condition)"),
        "==" | "eq" | "equal" | "equals" => Some("(= a b)"),
        "inc" | "add" | "+" | "+=" => Some("(increase (function) amount)"),
        "dec" | "subtract" | "-" | "-=" => Some("(decrease (function) amount)"),
        ":=" | "set" => Some("(assign (function) value)"),
        "!" | "~" => Some("(not condition)"),
        "&" | "&&" => Some("(and condition …)"),
        "|" | "||" => Some("(or condition …)"),
        _ => None,
    }
}

/// `+1`.
fn is_signed(name: &str) -> bool {
    let digits = name.strip_prefix('+').unwrap_or_default();
    !digits.is_empty()
        && digits
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'.')
}
