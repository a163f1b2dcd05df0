//! The domain file as a domain of the language.

use super::effects::{EXHAUSTED, Lowering};
use super::options::Turns;
use super::schema::{ActionDef, DomainFile};
use super::symbols::{Symbols, params};
use crate::fields::Reporter;
use crate::json::Text;
use crate::nodes::{all, distinct, name, sequence, typed, variable, written};
use brigade_diagnostics::span::Span;
use brigade_syntax::ast::{
    self, Action, ActionKind, FluentDecl, FluentText, Formula, LiveEffects, LiveEffectsKept,
    Template, TemplatePart, TurnMode,
};

/// The type whose objects act.
const PLAYER: &str = "player";

/// The suffix of a domain's name if its players take turns.
pub(super) const IN_TURN: &str = "-in-turn";

/// Lowers a domain.
pub(super) fn domain(
    file: &DomainFile,
    symbols: &Symbols<'_>,
    turns: Turns,
    reporter: &mut Reporter<'_>,
) -> ast::Domain {
    // Diagnostics about the domain as a whole are placed where it begins.
    let span = Span::new(file.span.start, (file.span.start + 1).min(file.span.end));
    let in_turn = turns == Turns::Alternate;
    let mut requirements = vec!["adl", "delayed-effects", "sequential-effects"];
    if in_turn {
        requirements.push("multi-agent");
    }
    if !symbols.pools.is_empty() {
        requirements.extend(["aggregates", "horizon"]);
    }
    requirements.push("text");
    let exhausted = |span| Formula::Atom(name(EXHAUSTED, span), Vec::new(), span);
    ast::Domain {
        name: domain_name(file, turns),
        requirements: requirements
            .into_iter()
            .map(|key| name(key, span))
            .collect(),
        types: file
            .types
            .iter()
            .map(|of| ast::Typed {
                name: written(of),
                ty: None,
            })
            .collect(),
        fluents: predicates(file, symbols, span),
        actions: file
            .actions
            .iter()
            .filter(|action| !(in_turn && does_nothing(action)))
            .map(|action| self::action(action, symbols, in_turn, reporter))
            .collect(),
        turns: in_turn.then_some(ast::Turns {
            mode: TurnMode::Alternate,
            any_order: false,
            span,
        }),
        semantics: vec![name("clean", span), name("upstream", span)],
        live_effects: vec![LiveEffectsKept {
            kind: LiveEffects::ListSkipping,
            semantics: Some(name("upstream", span)),
            span,
        }],
        fail: (!symbols.pools.is_empty()).then(|| exhausted(span)),
        span,
        ..ast::Domain::default()
    }
}

/// The name of the domain.
pub(super) fn domain_name(file: &DomainFile, turns: Turns) -> Option<ast::Name> {
    file.name.as_ref().map(|text| {
        let ending = if turns == Turns::Alternate {
            IN_TURN
        } else {
            ""
        };
        name(format!("{}{ending}", text.text), text.span)
    })
}

/// Returns true for the action that any domain with agents has already: wait.
fn does_nothing(action: &ActionDef) -> bool {
    action.preconditions.is_empty() && action.effects.is_empty() && action.special.is_empty()
}

fn predicates(file: &DomainFile, symbols: &Symbols<'_>, span: Span) -> Vec<FluentDecl> {
    let declaration = |name: ast::Name, params: Vec<ast::Typed>, span: Span| FluentDecl {
        name,
        params,
        range: None,
        transient: false,
        texts: Vec::new(),
        observers: None,
        span,
    };
    let mut result = Vec::new();
    for predicate in &file.predicates {
        let params = predicate.params.iter().enumerate();
        let params = params.map(|(index, of)| {
            let initial: String = of.text.chars().take(1).collect();
            let earlier = predicate
                .params
                .iter()
                .filter(|other| other.text.starts_with(&initial));
            let number = if earlier.count() > 1 {
                (index + 1).to_string()
            } else {
                String::new()
            };
            typed(format!("{initial}{number}"), &of.text, of.span)
        });
        let params: Vec<ast::Typed> = params.collect();
        let texts = predicate.texts.iter().map(|(&of, text)| FluentText {
            of: (params.len() > 1).then(|| name(&*params[of].name.text, text.span)),
            text: template(text, |slot| {
                let at: usize = slot.parse().ok()?;
                Some(params.get(at)?.name.text.to_string())
            }),
        });
        let texts = texts.collect();
        let declared = declaration(written(&predicate.name), params, predicate.span);
        result.push(FluentDecl { texts, ..declared });
    }
    for pool in &symbols.pools {
        let initial: String = pool.of.text.chars().take(1).collect();
        let param = typed(initial, &pool.of.text, pool.of.span);
        result.push(declaration(
            name(pool.free(), pool.name.span),
            vec![param],
            pool.name.span,
        ));
    }
    if !symbols.pools.is_empty() {
        result.push(declaration(name(EXHAUSTED, span), Vec::new(), span));
    }
    result
}

fn action(
    def: &ActionDef,
    symbols: &Symbols<'_>,
    in_turn: bool,
    reporter: &mut Reporter<'_>,
) -> Action {
    let span = def.name.span;
    let params: Vec<String> = params(def).map(str::to_owned).collect();
    let mut typed_params = Vec::new();
    for param in &params {
        // One that is named by no literal has no type; its use as a variable is refused later.
        let of = symbols.type_of(param).unwrap_or("object");
        typed_params.push(typed(param.clone(), of, span));
    }
    let mut conditions = Lowering {
        reporter,
        params: &params,
    }
    .conditions(&def.preconditions);
    conditions.extend(different(&params, symbols, span));
    conditions.extend(existing(def, &params, symbols, span));
    let mut lowering = Lowering {
        reporter,
        params: &params,
    };
    let mut effects = Vec::new();
    if !def.effects.is_empty() {
        effects.push(lowering.effects(&def.effects, &[], span));
    }
    effects.extend(lowering.specials(&def.special));
    let is_player = |param: &ast::Typed| matches!(&param.ty, Some(ast::TypeExpr::Named(of)) if of.text == PLAYER);
    let agent = in_turn.then(|| {
        let at = typed_params.iter().position(is_player);
        at.map_or_else(
            || typed("_player", PLAYER, span),
            |at| typed_params.remove(at),
        )
    });
    Action {
        agent,
        parameters: typed_params,
        precondition: (!conditions.is_empty()).then(|| all(conditions, span)),
        effect: (!effects.is_empty()).then(|| sequence(effects, span)),
        text: Some(template(&def.description, |slot| {
            params.iter().find(|param| *param == slot).cloned()
        })),
        ..Action::new(written(&def.name), ActionKind::Instant, def.span)
    }
}

/// The arguments of an action are different objects.
fn different(params: &[String], symbols: &Symbols<'_>, span: Span) -> Vec<Formula> {
    let mut result = Vec::new();
    for (index, a) in params.iter().enumerate() {
        for b in &params[index + 1..] {
            if symbols.type_of(a) == symbols.type_of(b) {
                result.push(distinct(variable(a, span), variable(b, span), span));
            }
        }
    }
    result
}

/// The arguments of an action exist. Where a precondition asks for something true of one, that is
/// said: nothing is true of what does not exist.
fn existing(def: &ActionDef, params: &[String], symbols: &Symbols<'_>, span: Span) -> Vec<Formula> {
    let mut result = Vec::new();
    for param in params {
        let asserts = def.preconditions.iter().any(|literal| {
            literal.is_true && literal.params.iter().any(|other| other.text == *param)
        });
        if asserts {
            continue;
        }
        for pool in symbols.pools_of(symbols.type_of(param).unwrap_or_default()) {
            let free = name(pool.free(), span);
            let free = Formula::Atom(free, vec![variable(param, span)], span);
            result.push(Formula::Not(Box::new(free), span));
        }
    }
    result
}

/// The description with a slot for each parameter that is meant by what stands in braces. Other
/// braces stand for themselves.
pub(super) fn template(description: &Text, meant: impl Fn(&str) -> Option<String>) -> Template {
    let mut parts = Vec::new();
    let mut text = String::new();
    let mut rest = description.text.as_str();
    while let Some(c) = rest.chars().next() {
        let slot = rest
            .strip_prefix('{')
            .and_then(|rest| rest.split_once('}'))
            .and_then(|(slot, after)| Some((meant(slot)?, after)));
        if let Some((param, after)) = slot {
            if !text.is_empty() {
                parts.push(TemplatePart::Text(std::mem::take(&mut text)));
            }
            parts.push(TemplatePart::Slot(variable(&param, description.span)));
            rest = after;
        } else {
            text.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    if !text.is_empty() {
        parts.push(TemplatePart::Text(text));
    }
    Template {
        parts,
        span: description.span,
    }
}
