//! Effects.

use std::rc::Rc;

use super::body::{Body, MAX_DEPTH};
use super::model::{ActionId, ActionKind, Choice, Cond, DelayGuard, Effect, Term};
use super::performed::Performed;
use super::report::{self, problem};
use super::requirements::Need;
use super::terms::ObjectTerm;
use brigade_diagnostics::Code;
use brigade_diagnostics::span::Span;
use brigade_syntax::ast::{self, Name};

/// The most effects that may be copied for the variables of one `let`.
const MAX_COPIED: usize = 100_000;

impl Body<'_, '_> {
    /// Resolves an effect. What cannot be resolved is reported and left out.
    pub(super) fn effect(&mut self, effect: &ast::Effect) -> Effect {
        self.nested(effect.span(), Effect::NOTHING, |body| {
            body.effect_inside(effect)
        })
    }

    fn effect_inside(&mut self, effect: &ast::Effect) -> Effect {
        match effect {
            ast::Effect::And(all, _) => together(self.effects(all)),
            ast::Effect::Seq(all, span) => {
                self.need(Need::Sequence, *span);
                let mut all = self.effects(all);
                match all.len() {
                    1 => all.remove(0),
                    _ => Effect::Seq(all),
                }
            }
            ast::Effect::Forall(list, one, span) => {
                self.need(Need::ConditionalEffects, *span);
                let mark = self.scope.enter();
                let bindings = self.declare(list);
                let one = self.effect(one);
                self.scope.leave(mark);
                Effect::Forall(bindings, Box::new(one))
            }
            ast::Effect::ForEach(list, key, one, span) => {
                self.need(Need::Sequence, *span);
                let mark = self.scope.enter();
                let bindings = self.declare(list);
                // Only the order of the keys counts, which their scale does not change.
                let key = key.as_ref().and_then(|key| self.number(key));
                let one = self.effect(one);
                self.scope.leave(mark);
                Effect::ForEach(bindings, key.map(|key| key.expr), Box::new(one))
            }
            ast::Effect::When(cond, one, span) => {
                self.need(Need::ConditionalEffects, *span);
                let cond = self.cond(cond);
                let one = self.effect(one);
                when(cond, one)
            }
            ast::Effect::Case(cases, otherwise, span) => {
                self.need(Need::ConditionalEffects, *span);
                let cases = cases
                    .iter()
                    .map(|(cond, one)| (self.cond(cond), self.effect(one)))
                    .collect();
                let otherwise = self.optional_effect(otherwise.as_deref());
                case(cases, otherwise)
            }
            ast::Effect::Let(lets, one, otherwise, _) => {
                let otherwise = self.optional_effect(otherwise.as_deref());
                self.with_lets(lets, &otherwise, |body| body.effect(one))
            }
            ast::Effect::Add(name, args, span) => self.set(name, args, true, *span),
            ast::Effect::Delete(name, args, span) => self.set(name, args, false, *span),
            ast::Effect::Assign(op, target, value, span) => self.assign(*op, target, value, *span),
            ast::Effect::After(delay, guard, one, span) => {
                self.need(Need::DelayedEffects, *span);
                let delay = self.ticks(delay, "a delay");
                let guard = guard.as_ref().map(|guard| match guard {
                    ast::DelayGuard::While(cond) => DelayGuard::While(self.cond(cond)),
                    ast::DelayGuard::Until(cond) => DelayGuard::Until(self.cond(cond)),
                });
                let one = self.later(one);
                match delay {
                    Some(delay) => Effect::After(delay, guard, Box::new(one)),
                    None => Effect::NOTHING,
                }
            }
            ast::Effect::OnNth(count, one, span) => {
                self.need(Need::DelayedEffects, *span);
                let count = self.ticks(count, "a number of executions");
                let one = self.effect(one);
                match count {
                    Some(count) => Effect::OnNth(count, Box::new(one)),
                    None => Effect::NOTHING,
                }
            }
            ast::Effect::Maintain(cond, kept, rest, span) => {
                self.need(Need::DelayedEffects, *span);
                let cond = self.cond(cond);
                self.check_maintained(kept);
                let kept = self.effect(kept);
                let rest = self.maintain_body(rest);
                Effect::Maintain(cond, Box::new(kept), rest)
            }
            ast::Effect::Log(template, span) => {
                if !self.may_log {
                    let place = self.place(*span);
                    self.push(
                        problem(
                            Code::MisplacedLog,
                            "a label is recorded for an acting agent, and an event has none",
                            place,
                            "not in an event",
                        )
                        .help("log in the action that causes this"),
                    );
                }
                Effect::Log(self.template(template, Some("a label")))
            }
            ast::Effect::Do(name, args, span) => self.perform(name, args, *span),
            ast::Effect::Error(_) => {
                self.broken = true;
                Effect::NOTHING
            }
        }
    }

    fn effects(&mut self, all: &[ast::Effect]) -> Vec<Effect> {
        all.iter()
            .map(|one| self.effect(one))
            .filter(|one| *one != Effect::NOTHING)
            .collect()
    }

    /// An effect, or nothing where there is none.
    pub(super) fn optional_effect(&mut self, effect: Option<&ast::Effect>) -> Effect {
        effect.map_or(Effect::NOTHING, |effect| self.effect(effect))
    }

    /// Wraps an effect into its `let`s, each with the same alternative.
    pub(super) fn with_lets(
        &mut self,
        lets: &[(Name, ast::Term)],
        otherwise: &Effect,
        inner: impl FnOnce(&mut Self) -> Effect,
    ) -> Effect {
        // Each holds what follows it, and its own copy of the alternative.
        let allowed = MAX_DEPTH - self.depth.min(MAX_DEPTH);
        if let Some((name, _)) = lets.get(allowed) {
            return self.nested_too_deeply(name.span, Effect::NOTHING);
        }
        let mut copied = 0;
        otherwise.any(&mut |_| {
            copied += lets.len();
            copied > MAX_COPIED
        });
        if let Some((name, _)) = lets.first().filter(|_| copied > MAX_COPIED) {
            let place = self.place(name.span);
            self.broken = true;
            self.push(
                problem(
                    Code::SourceTooLarge,
                    format!("what is done otherwise has more than {MAX_COPIED} parts in all"),
                    place,
                    "it is done for each of these variables",
                )
                .help("bind fewer variables at once, or do less otherwise"),
            );
            return Effect::NOTHING;
        }
        self.depth += lets.len();
        let mark = self.scope.enter();
        let mut choices = Vec::new();
        for (name, term) in lets {
            choices.push(self.choice(name, term));
        }
        let effect = inner(self);
        self.scope.leave(mark);
        self.depth -= lets.len();
        choices
            .into_iter()
            .rev()
            .fold(effect, |effect, (binding, choice)| {
                Effect::Let(
                    binding,
                    choice,
                    Box::new(effect),
                    Box::new(otherwise.clone()),
                )
            })
    }

    fn choice(&mut self, name: &Name, term: &ast::Term) -> (super::model::Binding, Choice) {
        if let ast::Term::Arg(arg) = term {
            self.need(Need::Aggregates, arg.span);
            let types = self.cx.object_types(arg.variable.ty.as_ref(), self.file);
            let binding = self.bind(name, types);
            let mark = self.scope.enter();
            self.show(&arg.variable.name, binding);
            let among = self.cond(&arg.among);
            // Only the order of the values counts, which their scale does not change.
            let value = self.number(&arg.value).map(|value| value.expr);
            let ties = arg.ties.as_ref().and_then(|ties| self.number(ties));
            self.scope.leave(mark);
            self.show(name, binding);
            let choice = Choice::Arg {
                maximize: arg.maximize,
                among,
                value: value.unwrap_or(super::model::Expr::Constant(0)),
                ties: ties.map(|ties| ties.expr),
            };
            return (binding, choice);
        }
        let resolved = self.object_term(term).unwrap_or(ObjectTerm {
            term: Term::Undefined,
            types: vec![super::symbols::OBJECT],
        });
        let binding = self.bind(name, resolved.types);
        self.show(name, binding);
        (binding, Choice::Term(resolved.term))
    }

    fn set(&mut self, name: &Name, args: &[ast::Term], value: bool, span: Span) -> Effect {
        let Some(fluent) = self.predicate(name) else {
            self.unchecked_arguments(args);
            return Effect::NOTHING;
        };
        if self.cx.symbols.is_derived(fluent) {
            let place = self.place(name.span);
            self.push(
                problem(
                    Code::DerivedInEffect,
                    format!("`{}` is derived: its rules alone make it true", name.text),
                    place,
                    "cannot be an effect",
                )
                .help("change the fluents that its rules read"),
            );
        }
        match self.fluent_arguments(fluent, args, span) {
            Some(args) => Effect::Set(fluent, args, value),
            None => Effect::NOTHING,
        }
    }

    /// `maintain` writes a condition's truth to atoms; nothing else can be written so.
    fn check_maintained(&mut self, kept: &ast::Effect) {
        match kept {
            ast::Effect::Add(..) | ast::Effect::Error(_) => {}
            ast::Effect::And(all, _) => {
                for one in all {
                    self.check_maintained(one);
                }
            }
            ast::Effect::Forall(_, one, _) => self.check_maintained(one),
            other => {
                let place = self.place(other.span());
                self.push(
                    problem(
                        Code::MaintainedEffect,
                        "`maintain` keeps atoms as true as its condition",
                        place,
                        "not an atom",
                    )
                    .help("name the atoms that follow the condition; put other effects after them"),
                );
            }
        }
    }

    fn perform(&mut self, name: &Name, args: &[ast::Term], span: Span) -> Effect {
        self.need(Need::Options, span);
        let place = self.place(name.span);
        let Some(&at) = self.cx.symbols.action_index.get(&name.key()) else {
            let primitive = |kind| kind == ActionKind::Primitive;
            let actions = self.cx.symbols.actions.iter();
            let names = actions
                .filter(|a| primitive(a.kind))
                .map(|a| a.callee.name.as_str());
            let names = self.cx.reporter.candidates(names);
            let diagnostic = report::unknown(
                Code::UnknownAction,
                "primitive action",
                name,
                place,
                names,
                "declare it as `(:action … :primitive)`",
            );
            self.push(diagnostic);
            self.unchecked_arguments(args);
            return Effect::NOTHING;
        };
        let info = &self.cx.symbols.actions[at];
        if info.kind != ActionKind::Primitive {
            let declared = info.callee.place;
            if self.cx.causes.not_primitive.insert(at) {
                self.push(
                    problem(
                        Code::NotPrimitive,
                        format!(
                            "`do` performs primitive actions, and `{}` is not one",
                            name.text
                        ),
                        place,
                        "not `:primitive`",
                    )
                    .secondary(declared.source, declared.span, "declared here")
                    .help(
                        "mark that action `:primitive`: agents then no longer choose it themselves",
                    ),
                );
            }
            self.unchecked_arguments(args);
            return Effect::NOTHING;
        }
        let callee = Rc::clone(&info.callee);
        match self.arguments(&callee, args, span) {
            Some(args) => {
                let performed = Performed {
                    place: self.place(span),
                    action: at,
                    maintained: self.maintained,
                    by_event: !self.may_log,
                };
                self.cx.performed.push(performed);
                Effect::Do(ActionId(at as u32), args)
            }
            None => Effect::NOTHING,
        }
    }
}

/// Effects at once.
pub(super) fn together(mut all: Vec<Effect>) -> Effect {
    match all.len() {
        1 => all.remove(0),
        _ => Effect::And(all),
    }
}

fn when(cond: Cond, one: Effect) -> Effect {
    match cond {
        Cond::True => one,
        Cond::False => Effect::NOTHING,
        cond if one != Effect::NOTHING => Effect::When(cond, Box::new(one)),
        _ => Effect::NOTHING,
    }
}

/// Cases up to the first that surely holds, without those that surely do not.
fn case(cases: Vec<(Cond, Effect)>, mut otherwise: Effect) -> Effect {
    let mut kept = Vec::new();
    for (cond, one) in cases {
        match cond {
            Cond::False => {}
            Cond::True => {
                otherwise = one;
                break;
            }
            cond => kept.push((cond, one)),
        }
    }
    match (kept.len(), &otherwise) {
        (0, _) => otherwise,
        (1, nothing) if *nothing == Effect::NOTHING => match kept.pop() {
            Some((cond, one)) => when(cond, one),
            None => Effect::NOTHING,
        },
        _ => Effect::Case(kept, Box::new(otherwise)),
    }
}
