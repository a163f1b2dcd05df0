//! The arguments of predicates, functions and actions: their number and their types.

use std::rc::Rc;

use super::body::Body;
use super::model::{FluentId, Term, TypeId};
use super::report::problem;
use super::symbols::Callee;
use super::terms::ObjectTerm;
use brigade_diagnostics::span::Span;
use brigade_diagnostics::words::counted;
use brigade_diagnostics::{Code, Diagnostic};
use brigade_syntax::ast;
use brigade_syntax::printer::print_term;

impl Body<'_, '_> {
    /// Resolves and checks the arguments of a fluent.
    pub(super) fn fluent_arguments(
        &mut self,
        fluent: FluentId,
        args: &[ast::Term],
        span: Span,
    ) -> Option<Vec<Term>> {
        let info = &self.cx.symbols.fluent_info[fluent.index()];
        let callee = Rc::clone(&info.callee);
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
        callee: &Callee,
        args: &[ast::Term],
        span: Span,
    ) -> Option<Vec<Term>> {
        if args.len() != callee.params.len() {
            self.argument_count(callee, args.len(), span);
            self.cx.reporter.doubt(self.place(span));
        }
        let resolved: Vec<Option<ObjectTerm>> = args.iter().map(|a| self.object_term(a)).collect();
        if args.len() != callee.params.len() {
            return None;
        }
        if let Some((one, other)) = self.exchanged(&resolved, callee)
            && let (Some(first), Some(second)) = (&resolved[one], &resolved[other])
        {
            let diagnostic = self.wrong_order(callee, [&args[one], &args[other]]);
            let needed = [
                (first, &*callee.params[one]),
                (second, &*callee.params[other]),
            ];
            self.misfit(&needed, diagnostic);
            return None;
        }
        let mut terms = Vec::with_capacity(args.len());
        for ((resolved, arg), params) in resolved.into_iter().zip(args).zip(&callee.params) {
            let Some(resolved) = resolved else { continue };
            if self.check_argument(&resolved, arg.span(), params, callee) {
                terms.push(resolved.term);
            }
        }
        (terms.len() == args.len()).then_some(terms)
    }

    pub(super) fn argument_count(&mut self, callee: &Callee, given: usize, span: Span) {
        let place = self.place(span);
        if given + 1 == callee.params.len() && self.cx.is_repeated(callee.place, place) {
            return;
        }
        if self.cx.reporter.is_full() {
            return self.cx.reporter.count(Code::ArgumentCount, place);
        }
        let takes = match callee.params.len() {
            0 => "no arguments".to_owned(),
            n => counted(n, "argument"),
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

    /// Two arguments of which each has a type that the place of the other needs, and its own does not.
    fn exchanged(&self, given: &[Option<ObjectTerm>], callee: &Callee) -> Option<(usize, usize)> {
        let fits = |at: usize, place: usize| {
            let given = given[at].as_ref().filter(|it| it.term != Term::Undefined);
            Some(self.fits(given?, &callee.params[place]))
        };
        let mut wrong = (0..given.len()).filter(|&at| fits(at, at) == Some(false));
        let (one, other) = (wrong.next()?, wrong.next()?);
        let is_exchange = wrong.next().is_none()
            && fits(one, other) == Some(true)
            && fits(other, one) == Some(true);
        is_exchange.then_some((one, other))
    }

    fn wrong_order(&self, callee: &Callee, [one, other]: [&ast::Term; 2]) -> Diagnostic {
        let (first, second) = (self.place(one.span()), self.place(other.span()));
        let texts = [one, other].map(print_term);
        problem(
            Code::ArgumentType,
            format!(
                "two arguments of `{}` are in each other's place",
                callee.name
            ),
            first,
            "",
        )
        .primary(second.source, second.span, "")
        .secondary(callee.place.source, callee.place.span, "declared here")
        .help(format!(
            "exchange `{}` and `{}`: it is declared as `{}`",
            texts[0], texts[1], callee.signature
        ))
    }

    fn check_argument(
        &mut self,
        given: &ObjectTerm,
        span: Span,
        params: &[TypeId],
        callee: &Callee,
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
            self.note_fit(given, params);
            return true;
        }
        let place = self.place(span);
        if let Term::Object(object) = given.term
            && self.cx.is_explained(object, place)
        {
            return false;
        }
        if self.cx.is_of_wrong_types(&given.types, params, place) {
            return false;
        }
        let symbols = &self.cx.symbols;
        let (is, needed) = (symbols.type_names(&given.types), symbols.type_names(params));
        let diagnostic = problem(
            Code::ArgumentType,
            format!(
                "the {} `{}` needs type `{needed}` here",
                callee.sort, callee.name
            ),
            place,
            format!("this has type `{is}`"),
        )
        .secondary(callee.place.source, callee.place.span, "declared here")
        .help(format!("it is declared as `{}`", callee.signature));
        self.misfit(&[(given, params)], diagnostic);
        false
    }

    /// Returns true if the term's object can be of one of the types. A variable of a supertype fits, as is PDDL
    /// practice: objects that are not of the type make the atom false.
    pub(super) fn fits(&self, given: &ObjectTerm, types: &[TypeId]) -> bool {
        match given.term {
            Term::Object(object) => self.cx.symbols.is_a(object, types),
            Term::Undefined => true,
            Term::Variable(_) | Term::Fluent(..) => self.cx.symbols.overlap(&given.types, types),
        }
    }
}
