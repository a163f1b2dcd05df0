//! Terms that denote objects, and the arguments of predicates, functions and actions.

use super::body::Body;
use super::model::{FluentId, ObjectId, Range, Term, TypeId};
use super::report::{self, File, Place, problem};
use super::symbols::UNDEFINED;
use crate::diagnostics::Code;
use crate::syntax::ast::{self, Name};
use crate::syntax::span::Span;

/// What a term denotes, as far as can be told without reporting anything.
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

/// To what arguments are given.
pub(super) struct Callee<'n> {
    /// `predicate`, `function`, `action`.
    pub(super) sort: &'static str,
    pub(super) name: &'n str,
    pub(super) place: Place,
    pub(super) signature: String,
    pub(super) params: Vec<Vec<TypeId>>,
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
                if name.key() == UNDEFINED || symbols.object_index.contains_key(&name.key()) {
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
            ast::Term::Apply(name, ..) => symbols.fluent(name).map_or(Sort::Unknown, by_range),
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
            ast::Term::Apply(name, args, span) => self.object_fluent(name, args, *span),
            ast::Term::Number(_, span)
            | ast::Term::Arithmetic(_, _, span)
            | ast::Term::Count(_, _, span) => {
                self.not_an_object(*span);
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
        if name.key() == UNDEFINED {
            return Some(ObjectTerm {
                term: Term::Undefined,
                types: Vec::new(),
            });
        }
        if let Some(object) = self.object(name)? {
            return Some(ObjectTerm {
                term: Term::Object(object),
                types: self.cx.symbols.objects[object.index()].types.clone(),
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
        let Some(&object) = self.cx.symbols.object_index.get(&name.key()) else {
            return Some(None);
        };
        if self.file == File::Domain && object.index() >= self.cx.symbols.constants {
            let place = self.place(name.span);
            let at = self.cx.symbols.object_places[object.index()];
            self.push(
                problem(
                    Code::UnknownObject,
                    format!("`{}` is an object of the problem only", name.text),
                    place,
                    "not known in the domain",
                )
                .secondary(at.source, at.span, "declared here")
                .help("declare it in the domain's `:constants`"),
            );
            return None;
        }
        Some(Some(object))
    }

    fn unknown_object(&mut self, name: &Name) {
        let place = self.place(name.span);
        let symbols = &self.cx.symbols;
        let known = match self.file {
            File::Domain => symbols.constants,
            File::Problem => symbols.objects.len(),
        };
        let names = symbols.objects[..known].iter().map(|o| o.name.as_str());
        let mut diagnostic = report::unknown(Code::UnknownObject, "object", name, place, names);
        if self.scope.find(name).is_some() {
            diagnostic =
                diagnostic.help(format!("variables are written with `?`: `?{}`", name.text));
        } else if diagnostic.help.is_empty() {
            diagnostic = diagnostic.help(match self.file {
                File::Domain => "declare it in `:constants`",
                File::Problem => "declare it in `:objects`",
            });
        }
        self.push(diagnostic);
    }

    fn object_fluent(&mut self, name: &Name, args: &[ast::Term], span: Span) -> Option<ObjectTerm> {
        let fluent = self.function(name)?;
        let Range::Object(types) = self.cx.symbols.fluents[fluent.index()].range.clone() else {
            self.not_an_object(span);
            return None;
        };
        let args = self.fluent_arguments(fluent, args, span)?;
        Some(ObjectTerm {
            term: Term::Fluent(fluent, args),
            types,
        })
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
            let names = symbols.fluent_names(false);
            let diagnostic = report::unknown(Code::UnknownFunction, "function", name, place, names);
            self.push(diagnostic);
            return None;
        };
        if symbols.is_predicate(fluent) {
            let info = &symbols.fluent_info[fluent.index()];
            if info.sound {
                let at = info.place;
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
            let names = symbols.fluent_names(true);
            let mut diagnostic =
                report::unknown(Code::UnknownPredicate, "predicate", name, place, names);
            if symbols.type_index.contains_key(&name.key()) {
                diagnostic =
                    diagnostic.help("there is a type of that name, but types are not predicates");
            } else if diagnostic.help.is_empty() {
                diagnostic = diagnostic.help("declare it in `:predicates`");
            }
            self.push(diagnostic);
            return None;
        };
        if !symbols.is_predicate(fluent) {
            let info = &symbols.fluent_info[fluent.index()];
            if info.sound {
                let at = info.place;
                let diagnostic = problem(
                    Code::FunctionAsPredicate,
                    format!("`{}` is a function: it is not true or false", name.text),
                    place,
                    "a predicate is needed here",
                )
                .secondary(at.source, at.span, "declared as a function here")
                .help(format!(
                    "compare its value, `(= {} …)`, or change it with `assign`",
                    info.signature
                ));
                self.push(diagnostic);
            }
            return None;
        }
        Some(fluent)
    }

    /// Resolves and checks the arguments of a fluent.
    pub(super) fn fluent_arguments(
        &mut self,
        fluent: FluentId,
        args: &[ast::Term],
        span: Span,
    ) -> Option<Vec<Term>> {
        let symbols = &self.cx.symbols;
        let info = &symbols.fluent_info[fluent.index()];
        let declared = &symbols.fluents[fluent.index()];
        let name = declared.name.clone();
        let callee = Callee {
            sort: if symbols.is_predicate(fluent) {
                "predicate"
            } else {
                "function"
            },
            name: &name,
            place: info.place,
            signature: info.signature.clone(),
            params: declared.params.clone(),
        };
        if !info.sound {
            for arg in args {
                self.object_term(arg);
            }
            return None;
        }
        self.arguments(&callee, args, span)
    }

    /// Resolves arguments, checks their number and types.
    pub(super) fn arguments(
        &mut self,
        callee: &Callee<'_>,
        args: &[ast::Term],
        span: Span,
    ) -> Option<Vec<Term>> {
        let resolved: Vec<Option<ObjectTerm>> = args.iter().map(|a| self.object_term(a)).collect();
        if args.len() != callee.params.len() {
            self.argument_count(callee, args.len(), span);
            return None;
        }
        let mut terms = Vec::new();
        for ((resolved, arg), params) in resolved.into_iter().zip(args).zip(&callee.params) {
            let Some(resolved) = resolved else { continue };
            if self.check_argument(&resolved, arg.span(), params, callee) {
                terms.push(resolved.term);
            }
        }
        (terms.len() == args.len()).then_some(terms)
    }

    pub(super) fn argument_count(&mut self, callee: &Callee<'_>, given: usize, span: Span) {
        let place = self.place(span);
        let takes = match callee.params.len() {
            0 => "no arguments".to_owned(),
            1 => "1 argument".to_owned(),
            n => format!("{n} arguments"),
        };
        self.push(
            problem(
                Code::ArgumentCount,
                format!("the {} `{}` takes {takes}", callee.sort, callee.name),
                place,
                format!("{given} given"),
            )
            .secondary(callee.place.source, callee.place.span, "declared here")
            .help(format!("it is declared as `{}`", callee.signature)),
        );
    }

    fn check_argument(
        &mut self,
        given: &ObjectTerm,
        span: Span,
        params: &[TypeId],
        callee: &Callee<'_>,
    ) -> bool {
        if given.term == Term::Undefined {
            let place = self.place(span);
            self.push(
                problem(
                    Code::NotAnObject,
                    "`undefined` is no object and cannot be an argument",
                    place,
                    "an object is needed here",
                )
                .help("`undefined` can be compared with, and assigned to, object-valued functions"),
            );
            return false;
        }
        if self.fits(given, params) {
            return true;
        }
        let place = self.place(span);
        let symbols = &self.cx.symbols;
        let (is, needed) = (symbols.type_names(&given.types), symbols.type_names(params));
        self.push(
            problem(
                Code::ArgumentType,
                format!(
                    "the {} `{}` takes a `{needed}` here",
                    callee.sort, callee.name
                ),
                place,
                format!("this is a `{is}`"),
            )
            .secondary(callee.place.source, callee.place.span, "declared here")
            .help(format!("it is declared as `{}`", callee.signature)),
        );
        false
    }

    /// Whether the term's object can be of one of the types. A variable of a supertype fits, as
    /// is PDDL practice: objects that are not of the type make the atom false.
    pub(super) fn fits(&self, given: &ObjectTerm, types: &[TypeId]) -> bool {
        match given.term {
            Term::Object(object) => self.cx.symbols.is_a(object, types),
            Term::Undefined => true,
            Term::Variable(_) | Term::Fluent(..) => self.cx.symbols.overlap(&given.types, types),
        }
    }
}
