//! Special effects in the words of the language.
//!
//! | Robotouille | Brigade |
//! |---|---|
//! | conditional with delayed ones nested | `(maintain c e (after N …) …)` |
//! | conditional with nothing nested | `(maintain c e (and))` |
//! | delayed | `(after N e)`, where N is 4 unless the file says another |
//! | repetitive | `(on-nth N e)`, where N is 3 unless the file says another |
//! | creation nested in a delayed or repetitive one | `(let ((?x (argmin …))) …)` over a pool |
//!
//! The published engine carries out other nestings too, in ways of its own: a conditional in a
//! conditional is frozen with it, a delayed one in a delayed one never comes due. No published domain
//! has them; they are refused.
//!
//! Of an effect of no kind that there is, the one before is taken once more under `upstream`. Two that
//! are equal are live once: that changes nothing but for a repetitive one, which counts both. Those
//! that are nested are each live, and create twice.

use std::collections::BTreeSet;

use super::options::MAX_POOL;
use super::schema::{Count, Kind, Literal, Special, taken};
use crate::fields::Reporter;
use crate::nodes::{name, sequence, together, variable};
use brigade_diagnostics::Code;
use brigade_diagnostics::span::Span;
use brigade_syntax::ast::{ArgTerm, Effect, Formula, Term};

/// After how many ticks a delayed effect happens, that of its own step included, where it has no
/// `goal_time`. The published engine has this constant; the times in an environment's `config` are not read.
pub(super) const DELAY: i64 = 4;

/// At which performance a repetitive effect happens that has no `goal_repetitions`.
pub(super) const REPETITIONS: i64 = 3;

/// The predicate that holds once something was to be created and nothing of its pool was left.
pub(super) const EXHAUSTED: &str = "pool-exhausted";

/// Lowers the special effects of one action.
pub(super) struct Lowering<'a, 'r> {
    pub(super) reporter: &'a mut Reporter<'r>,
    /// The parameters of the action.
    pub(super) params: &'a [String],
}

impl Lowering<'_, '_> {
    /// The special effects of an action.
    pub(super) fn specials(&mut self, specials: &[Special]) -> Vec<Effect> {
        let taken = taken(specials);
        taken
            .map(|(special, times)| self.special(special, times))
            .collect()
    }

    /// A special effect of an action, that many times in its list.
    fn special(&mut self, special: &Special, times: usize) -> Effect {
        let span = special.span;
        match &special.kind {
            Kind::Conditional(conditions) => {
                if times > 1 && ends_itself(special, conditions) {
                    return self.refuse(span, "twice a conditional effect that ends its condition");
                }
                self.conditional(special, conditions)
            }
            &Kind::Delayed(ticks) => self.delayed(special, ticks, 1),
            Kind::Repetitive(count) => {
                if times > 1 && !special.nested.is_empty() {
                    // The second is no longer equal to the first where that has just created.
                    return self.refuse(span, "twice a repetitive effect that creates");
                }
                let effect = self.body(special);
                let on_nth = |number: i64| {
                    let number = Term::Number(number * 1000, count.span);
                    Effect::OnNth(number, Box::new(effect.clone()), span)
                };
                let times = i64::try_from(times).unwrap_or(i64::MAX);
                let faster = count.number / times + i64::from(count.number % times > 0);
                if faster == count.number {
                    return on_nth(count.number);
                }
                let upstream = when_upstream(on_nth(faster), span);
                let clean = Formula::Not(Box::new(upstream_only(span)), span);
                let clean = Effect::When(clean, Box::new(on_nth(count.number)), span);
                sequence(vec![upstream, clean], span)
            }
            Kind::Creation { .. } => self.refuse(
                span,
                "a creation that is not nested in a delayed or repetitive effect",
            ),
            Kind::Deletion => self.refuse(span, "a deletion"),
            Kind::Unknown => Effect::And(Vec::new(), span),
        }
    }

    fn refuse(&mut self, span: Span, what: &str) -> Effect {
        let message = format!("{what} has no exact form in the language");
        let diagnostic = self
            .reporter
            .at(Code::NoExactForm, span, message, "not supported");
        self.reporter.push(diagnostic);
        Effect::Error(span)
    }

    fn conditional(&mut self, special: &Special, conditions: &[Literal]) -> Effect {
        let span = special.span;
        let conditions = self.conditions(conditions);
        for effect in &special.effects {
            if !effect.is_true {
                self.refuse(
                    effect.span,
                    "a conditional effect that makes something false",
                );
            }
        }
        let kept = self.effects(&special.effects, &[], span);
        let mut body = Vec::new();
        for (nested, times) in taken(&special.nested) {
            body.push(match nested.kind {
                Kind::Delayed(ticks) => self.delayed(nested, ticks, times),
                _ => self.refuse(
                    nested.span,
                    "what is nested in a conditional effect and not delayed",
                ),
            });
        }
        if body.is_empty() {
            body.push(Effect::And(Vec::new(), span));
        }
        Effect::Maintain(
            crate::nodes::all(conditions, span),
            Box::new(kept),
            body,
            span,
        )
    }

    /// A delayed effect; those that are live that many times happen one after another.
    fn delayed(&mut self, special: &Special, ticks: Count, times: usize) -> Effect {
        let span = special.span;
        let effect = self.body(special);
        // Literals alone can as well happen once.
        let times = if special.nested.is_empty() { 1 } else { times };
        let effect = again(effect, times, span);
        let ticks = Term::Number(ticks.number * 1000, ticks.span);
        Effect::After(ticks, None, Box::new(effect), span)
    }

    /// The effects of a delayed or repetitive effect, then what is nested.
    fn body(&mut self, special: &Special) -> Effect {
        let mut parts = Vec::new();
        if !special.effects.is_empty() {
            parts.push(self.effects(&special.effects, &[], special.span));
        }
        for (nested, times) in taken(&special.nested) {
            parts.push(match &nested.kind {
                Kind::Creation { name, of, param } if nested.nested.is_empty() => {
                    let effect = self.creation(nested, &name.text, &of.text, &param.text);
                    again(effect, times, nested.span)
                }
                _ => self.refuse(
                    nested.span,
                    "what is nested in a delayed or repetitive effect and is no plain creation",
                ),
            });
        }
        sequence(parts, special.span)
    }

    /// The first free object of the pool comes into being; if there is none, that is recorded.
    fn creation(&mut self, special: &Special, base: &str, of: &str, param: &str) -> Effect {
        let span = special.span;
        let free = name(format!("free-{base}"), span);
        let variable = |text: &str| variable(text, span);
        let first = ArgTerm {
            maximize: false,
            variable: crate::nodes::typed(param, of, span),
            among: Formula::Atom(free.clone(), vec![variable(param)], span),
            value: Term::Number(0, span),
            ties: None,
            span,
        };
        let mut effects = vec![Effect::Delete(free, vec![variable(param)], span)];
        effects.extend(self.literals(&special.effects, &[param]));
        let none = Effect::Add(name(EXHAUSTED, span), Vec::new(), span);
        Effect::Let(
            vec![(name(param, span), Term::Arg(Box::new(first)))],
            Box::new(together(effects, span)),
            Some(Box::new(none)),
            span,
        )
    }

    /// Conditions, all of which must hold.
    pub(super) fn conditions(&mut self, literals: &[Literal]) -> Vec<Formula> {
        let mut result = Vec::new();
        for literal in literals {
            let args = self.arguments(literal, &[]);
            let atom = Formula::Atom(
                crate::nodes::written(&literal.predicate),
                args,
                literal.span,
            );
            result.push(if literal.is_true {
                atom
            } else {
                Formula::Not(Box::new(atom), literal.span)
            });
        }
        result
    }

    /// Effects at once.
    pub(super) fn effects(&mut self, literals: &[Literal], bound: &[&str], span: Span) -> Effect {
        together(self.literals(literals, bound), span)
    }

    fn literals(&mut self, literals: &[Literal], bound: &[&str]) -> Vec<Effect> {
        let mut result = Vec::new();
        for literal in literals {
            let args = self.arguments(literal, bound);
            let predicate = crate::nodes::written(&literal.predicate);
            result.push(if literal.is_true {
                Effect::Add(predicate, args, literal.span)
            } else {
                Effect::Delete(predicate, args, literal.span)
            });
        }
        result
    }

    /// The arguments of a literal: parameters of the action, or what is bound besides.
    fn arguments(&mut self, literal: &Literal, bound: &[&str]) -> Vec<Term> {
        for param in &literal.params {
            let is_known =
                self.params.contains(&param.text) || bound.contains(&param.text.as_str());
            if !is_known {
                let message = format!("`{}` is no parameter of the action", param.text);
                let diagnostic =
                    self.reporter
                        .at(Code::UnknownVariable, param.span, message, "not bound");
                self.reporter.push(diagnostic.help(
                    "name it in a precondition, an immediate effect, or the `param` of a special effect",
                ));
            }
        }
        let terms = literal.params.iter();
        terms
            .map(|param| variable(&param.text, param.span))
            .collect()
    }
}

/// Returns true if a conditional effect makes its own condition false.
fn ends_itself(special: &Special, conditions: &[Literal]) -> bool {
    type Key<'l> = (&'l str, Vec<&'l str>, bool);
    fn key(literal: &Literal, is_true: bool) -> Key<'_> {
        let params = literal.params.iter().map(|param| param.text.as_str());
        (&literal.predicate.text, params.collect(), is_true)
    }
    let conditions: BTreeSet<Key<'_>> = conditions.iter().map(|it| key(it, it.is_true)).collect();
    let mut effects = special.effects.iter();
    effects.any(|effect| conditions.contains(&key(effect, !effect.is_true)))
}

/// An effect that creates, which happens that many times under `upstream`. More than can be created are
/// refused where pools are counted, and not written out.
fn again(effect: Effect, times: usize, span: Span) -> Effect {
    let mut parts = vec![effect];
    for _ in 1..times.min(MAX_POOL as usize) {
        parts.push(when_upstream(parts[0].clone(), span));
    }
    sequence(parts, span)
}

fn when_upstream(effect: Effect, span: Span) -> Effect {
    Effect::When(upstream_only(span), Box::new(effect), span)
}

fn upstream_only(span: Span) -> Formula {
    Formula::Semantics(name("upstream", span), span)
}
