//! Restrictions on the body of a `maintain` and on the effect of an event, also where a `do` performs it.
//!
//! The body of a `maintain` lasts as long as its delayed parts, so they must be known when it starts:
//! each is an `(after N …)` of its own. An event has no agent who could log.

use super::body::Body;
use super::context::Context;
use super::model::{Action, Effect, Event, performing};
use super::report::{Place, problem};
use brigade_diagnostics::span::Span;
use brigade_diagnostics::{Code, Diagnostic};
use brigade_syntax::ast;
use brigade_syntax::visit::{self, Visit};

impl Body<'_, '_> {
    /// Resolves the body of a `maintain`.
    pub(super) fn maintain_body(&mut self, parts: &[ast::Effect]) -> Vec<Effect> {
        let outer = std::mem::replace(&mut self.maintained, true);
        let mut resolved = Vec::with_capacity(parts.len());
        for part in parts {
            let effect = self.effect(part);
            if delays_inside(&effect) {
                let span = delayed_part(part).unwrap_or_else(|| part.span());
                let place = self.place(span);
                self.push(unsupported_delay(
                    "the delayed parts of a `maintain` are plain `(after N …)`",
                    place,
                ));
            }
            if effect != Effect::NOTHING {
                resolved.push(effect);
            }
        }
        self.maintained = outer;
        if resolved.is_empty() && !parts.is_empty() {
            // A body in which nothing happens is no missing body.
            resolved.push(Effect::NOTHING);
        }
        resolved
    }

    /// Resolves an effect that happens later.
    pub(super) fn later(&mut self, effect: &ast::Effect) -> Effect {
        let outer = std::mem::replace(&mut self.maintained, false);
        let effect = self.effect(effect);
        self.maintained = outer;
        effect
    }
}

impl Context<'_> {
    /// Reports each `do` that performs what may not stand in its place.
    pub(super) fn check_performed(&mut self, actions: &[Action], events: &[Event]) {
        let delaying = performing(actions, is_delayed);
        let logging = performing(actions, is_log);
        let performed = std::mem::take(&mut self.performed);
        let effects = || {
            let of_actions = actions.iter().flat_map(|a| [&a.effect, &a.end_effect]);
            of_actions.chain(events.iter().map(|event| &event.effect))
        };
        for one in performed {
            let name = &actions[one.action].name;
            // What only another semantics performs is not in the model.
            let is_maintained =
                || effects().any(|effect| effect.any(&mut |effect| maintains(effect, one.action)));
            if one.maintained && delaying[one.action] && is_maintained() {
                self.push(unsupported_delay(
                    &format!("`{name}` delays an effect, and is performed in a `maintain`"),
                    one.place,
                ));
            }
            let by_event = || {
                let mut effects = events.iter().map(|event| &event.effect);
                effects.any(|effect| effect.any(&mut |effect| performs(effect, one.action)))
            };
            if one.by_event && logging[one.action] && by_event() {
                self.push(
                    problem(
                        Code::MisplacedLog,
                        format!("`{name}` records a label, and an event has no acting agent"),
                        one.place,
                        "performed by an event",
                    )
                    .help("perform a primitive that does not log, or log in the action that causes this"),
                );
            }
        }
    }
}

fn unsupported_delay(message: &str, place: Place) -> Diagnostic {
    problem(
        Code::NotSupported,
        message,
        place,
        "not supported in the body of a `maintain`",
    )
    .help("put it beside the `maintain`, guarded by `:while` and the same condition")
}

fn is_log(effect: &Effect) -> bool {
    matches!(effect, Effect::Log(_))
}

fn is_delayed(effect: &Effect) -> bool {
    matches!(effect, Effect::After(..) | Effect::Maintain(..))
}

fn performs(effect: &Effect, action: usize) -> bool {
    matches!(effect, Effect::Do(performed, _) if performed.index() == action)
}

/// Returns true if a part of a `maintain` starts a delayed effect other than as a part of its own.
fn delays_inside(part: &Effect) -> bool {
    match part {
        Effect::And(parts) => parts.iter().any(delays_inside),
        Effect::After(_, None, _) => false,
        other => other.any(&mut |effect| is_delayed(effect)),
    }
}

/// Returns true if this is a `maintain` whose body performs an action at its start.
fn maintains(effect: &Effect, action: usize) -> bool {
    fn at_start(part: &Effect, action: usize) -> bool {
        match part {
            Effect::And(parts) => parts.iter().any(|part| at_start(part, action)),
            Effect::After(..) => false,
            other => other.any(&mut |effect| performs(effect, action)),
        }
    }
    matches!(effect, Effect::Maintain(_, _, body) if body.iter().any(|part| at_start(part, action)))
}

/// The place of the first delayed effect that is not a part of its own.
fn delayed_part(part: &ast::Effect) -> Option<Span> {
    match part {
        ast::Effect::And(parts, _) => parts.iter().find_map(delayed_part),
        ast::Effect::After(_, None, ..) => None,
        other => first_delayed(other),
    }
}

fn first_delayed(effect: &ast::Effect) -> Option<Span> {
    let mut first = FirstDelayed(None);
    first.visit_effect(effect);
    first.0
}

struct FirstDelayed(Option<Span>);

impl<'a> Visit<'a> for FirstDelayed {
    fn visit_term(&mut self, _term: &'a ast::Term) {}

    fn visit_formula(&mut self, _formula: &'a ast::Formula) {}

    fn visit_effect(&mut self, effect: &'a ast::Effect) {
        if let ast::Effect::After(.., span) | ast::Effect::Maintain(.., span) = effect {
            self.0.get_or_insert(*span);
        }
        visit::walk_effect(self, effect);
    }
}
