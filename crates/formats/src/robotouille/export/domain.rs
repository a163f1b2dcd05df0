//! Predicates and actions.

use serde_json::{Map, Value, json};

use super::reporter::Reporter;
use crate::robotouille::domain::IN_TURN;
use crate::robotouille::effects::{DELAY, EXHAUSTED, REPETITIONS};
use crate::robotouille::symbols::FREE;
use brigade_diagnostics::span::Span;
use brigade_syntax::ast::{
    Action, ActionKind, Comparison, Domain, Effect, FluentDecl, Formula, Template, TemplatePart,
    Term, TurnMode, TypeExpr,
};

/// The published version whose keys are written.
const VERSION: &str = "1.0.0";

/// The domain as JSON. What has no form is reported.
pub(super) fn domain(domain: &Domain, reporter: &mut Reporter<'_>) -> Option<Value> {
    let alternates = |turns: &brigade_syntax::ast::Turns| turns.mode == TurnMode::Alternate;
    let in_turn = domain.turns.as_ref().is_some_and(alternates);
    let Some(name) = &domain.name else {
        reporter.refuse(domain.span, "a domain without a name");
        return None;
    };
    let text = name.text.as_str();
    let name = text.strip_suffix(IN_TURN).filter(|_| in_turn);
    let types = domain.types.iter().map(|of| of.name.text.as_str());
    let predicates = domain.fluents.iter().filter(|fluent| !is_of_pool(fluent));
    let predicates = predicates.map(|fluent| predicate(fluent, reporter));
    let predicates: Vec<Value> = predicates.collect();
    let mut actions: Vec<Value> = domain
        .actions
        .iter()
        .map(|action| self::action(action, reporter))
        .collect();
    let waits = |action: &Action| action.name.key() == "wait";
    if in_turn && !domain.actions.iter().any(waits) {
        // What every agent can do is an action like any other there.
        actions.push(json!({
            "name": "wait", "precons": [], "immediate_fx": [], "sfx": [],
            "language_description": "Do nothing"
        }));
    }
    Some(json!({
        "version": VERSION,
        "name": name.unwrap_or(text),
        "input_json": "domain/input.json",
        "object_types": types.collect::<Vec<_>>(),
        "predicate_defs": predicates,
        "action_defs": actions
    }))
}

/// Returns true if a predicate belongs to a pool of objects: those are made again when the file is read.
fn is_of_pool(fluent: &FluentDecl) -> bool {
    let name = fluent.name.text.as_str();
    name == EXHAUSTED || name.starts_with(FREE)
}

fn predicate(fluent: &FluentDecl, reporter: &mut Reporter<'_>) -> Value {
    let params: Vec<&str> = fluent.params.iter().map(|p| p.name.text.as_str()).collect();
    let types = fluent.params.iter().map(|param| {
        if let Some(TypeExpr::Named(name)) = &param.ty {
            return name.text.as_str();
        }
        reporter.refuse(param.name.span, "a parameter without one named type");
        ""
    });
    let types: Vec<&str> = types.collect();
    if let Some(observers) = &fluent.observers {
        reporter.refuse(observers.span, "a predicate that not everyone is told of");
    }
    let mut descriptors = Map::new();
    for words in &fluent.texts {
        let of = words.of.as_ref().map(|of| of.text.as_str());
        let of = of.or(params.first().copied());
        let number = |name: &str| params.iter().position(|param| *param == name);
        let Some(key) = of.and_then(number) else {
            reporter.refuse(words.text.span, "a text of a predicate without parameters");
            continue;
        };
        let text = described(
            &words.text,
            |name| Some(number(name)?.to_string()),
            reporter,
        );
        if descriptors.insert(key.to_string(), json!(text)).is_some() {
            reporter.refuse(words.text.span, "a second text for the same parameter");
        }
    }
    json!({
        "name": fluent.name.text,
        "param_types": types,
        "language_descriptors": descriptors
    })
}

/// A text, its slots in braces.
fn described(
    template: &Template,
    slot: impl Fn(&str) -> Option<String>,
    reporter: &mut Reporter<'_>,
) -> String {
    let mut text = String::new();
    for part in &template.parts {
        match part {
            TemplatePart::Text(literal) => text.push_str(literal),
            TemplatePart::Slot(term) => {
                let name = match term {
                    Term::Variable(name) => slot(&name.text),
                    _ => None,
                };
                match name {
                    Some(name) => text.push_str(&format!("{{{name}}}")),
                    None => reporter.refuse(template.span, "a slot that is no parameter"),
                }
            }
        }
    }
    text
}

/// An action while it is written.
struct Writer<'w, 'r> {
    /// Its parameters that the file has not named yet: those of preconditions and immediate effects,
    /// and what special effects are about, are its parameters there.
    unnamed: Vec<&'w str>,
    params: Vec<&'w str>,
    reporter: &'w mut Reporter<'r>,
}

fn action(action: &Action, reporter: &mut Reporter<'_>) -> Value {
    if action.kind != ActionKind::Instant {
        reporter.refuse(action.name.span, "an action that is not plain");
    }
    if let Some(weight) = &action.weight {
        reporter.refuse(weight.span(), "the weight of an action");
    }
    if let Some(observers) = &action.observers {
        reporter.refuse(observers.span, "an action that not everyone learns of");
    }
    let params = action.agent.iter().chain(&action.parameters);
    let params: Vec<&str> = params.map(|param| param.name.text.as_str()).collect();
    let description = if let Some(text) = &action.text {
        let slot = |name: &str| params.contains(&name).then(|| name.to_owned());
        described(text, slot, reporter)
    } else {
        let help = "give it a `:text`";
        reporter.refuse_help(action.name.span, "an action without a text", help);
        String::new()
    };
    let mut writer = Writer {
        unnamed: params.clone(),
        params,
        reporter,
    };
    let conditions = action.precondition.iter();
    let conditions = conditions.flat_map(|condition| writer.conditions(condition));
    let conditions: Vec<Value> = conditions.collect();
    writer.names(&conditions);
    let parts: &[Effect] = match &action.effect {
        Some(Effect::Seq(parts, _)) => parts,
        Some(effect) => std::slice::from_ref(effect),
        None => &[],
    };
    let is_special = |effect: &Effect| {
        matches!(
            effect,
            Effect::Maintain(..) | Effect::After(..) | Effect::OnNth(..)
        )
    };
    let (immediate, special) = match parts.split_first() {
        Some((first, rest)) if !is_special(first) => (writer.effects(first), rest),
        _ => (Vec::new(), parts),
    };
    writer.names(&immediate);
    let special = special.iter().map(|effect| writer.special(effect));
    json!({
        "name": action.name.text,
        "precons": conditions,
        "immediate_fx": immediate,
        "sfx": special.collect::<Vec<_>>(),
        "language_description": description
    })
}

impl Writer<'_, '_> {
    /// Notes that literals name parameters.
    fn names(&mut self, literals: &[Value]) {
        self.unnamed
            .retain(|param| !literals.iter().any(|literal| mentions(literal, param)));
    }

    fn literal(&mut self, predicate: &str, terms: &[Term], is_true: bool, span: Span) -> Value {
        let mut params = Vec::new();
        for term in terms {
            match term {
                Term::Variable(name) => params.push(name.text.as_str()),
                _ => self
                    .reporter
                    .refuse(span, "an argument that is no parameter"),
            }
        }
        json!({"predicate": predicate, "params": params, "is_true": is_true})
    }

    /// Conjuncts. That arguments differ and exist is said again when the file is read.
    fn conditions(&mut self, condition: &Formula) -> Vec<Value> {
        match condition {
            Formula::And(parts, _) => {
                let parts = parts.iter();
                parts.flat_map(|part| self.conditions(part)).collect()
            }
            Formula::Atom(name, terms, span) => vec![self.literal(&name.text, terms, true, *span)],
            Formula::Not(inner, span) => match &**inner {
                Formula::Atom(name, ..) if name.text.starts_with(FREE) => Vec::new(),
                Formula::Atom(name, terms, span) => {
                    vec![self.literal(&name.text, terms, false, *span)]
                }
                Formula::Compare(Comparison::Equal, ..) => Vec::new(),
                _ => self.nothing(*span, "this condition"),
            },
            other => self.nothing(other.span(), "this condition"),
        }
    }

    fn nothing(&mut self, span: Span, what: &str) -> Vec<Value> {
        let help = "facts, and facts that do not hold, can be written";
        self.reporter.refuse_help(span, what, help);
        Vec::new()
    }

    /// Literals at once.
    fn effects(&mut self, effect: &Effect) -> Vec<Value> {
        match effect {
            Effect::And(parts, _) => {
                let parts = parts.iter();
                parts.flat_map(|part| self.effects(part)).collect()
            }
            Effect::Add(name, terms, span) => vec![self.literal(&name.text, terms, true, *span)],
            Effect::Delete(name, _, _) if name.text.starts_with(FREE) => Vec::new(),
            Effect::Delete(name, terms, span) => {
                vec![self.literal(&name.text, terms, false, *span)]
            }
            other => self.nothing(other.span(), "this effect"),
        }
    }

    /// A special effect of the action itself.
    fn special(&mut self, effect: &Effect) -> Value {
        let mut json = self.nested(effect);
        let mentioned = |param: &&str| mentions(&json, param);
        let unnamed = self.unnamed.iter().copied().find(mentioned);
        let about = unnamed.or_else(|| self.params.iter().copied().find(mentioned));
        let about = about.or(self.params.first().copied());
        let Some(about) = about else {
            self.nothing(effect.span(), "a special effect about no parameter");
            return json;
        };
        self.unnamed.retain(|param| *param != about);
        give(&mut json, about);
        json
    }

    /// A special effect that does not know yet what it is about.
    fn nested(&mut self, effect: &Effect) -> Value {
        match effect {
            Effect::Maintain(condition, kept, body, _) => {
                let body = body
                    .iter()
                    .filter(|part| !matches!(part, Effect::And(parts, _) if parts.is_empty()));
                let body: Vec<Value> = body.map(|part| self.nested(part)).collect();
                json!({
                    "type": "conditional", "param": "",
                    "conditions": self.conditions(condition), "fx": self.effects(kept), "sfx": body
                })
            }
            Effect::After(Term::Number(ticks, _), None, body, _) if *ticks == DELAY * 1000 => {
                let (effects, created) = self.body(body);
                json!({"type": "delayed", "param": "", "fx": effects, "sfx": created})
            }
            Effect::OnNth(Term::Number(count, _), body, _) if *count == REPETITIONS * 1000 => {
                let (effects, created) = self.body(body);
                json!({"type": "repetitive", "param": "", "fx": effects, "sfx": created})
            }
            Effect::After(..) | Effect::OnNth(..) => {
                let what = format!(
                    "another delay than {DELAY} ticks, or another count than {REPETITIONS},"
                );
                self.reporter.refuse(effect.span(), &what);
                Value::Null
            }
            other => {
                self.nothing(other.span(), "this effect");
                Value::Null
            }
        }
    }

    /// The effects of a delayed or repetitive effect, and what it creates.
    fn body(&mut self, effect: &Effect) -> (Vec<Value>, Vec<Value>) {
        let parts: &[Effect] = match effect {
            Effect::Seq(parts, _) => parts,
            other => std::slice::from_ref(other),
        };
        let (mut effects, mut created) = (Vec::new(), Vec::new());
        for part in parts {
            match part {
                Effect::Let(bindings, body, Some(_), span) => {
                    created.extend(self.creation(bindings, body, *span));
                }
                other => effects.extend(self.effects(other)),
            }
        }
        (effects, created)
    }

    fn creation(
        &mut self,
        bindings: &[(brigade_syntax::ast::Name, Term)],
        body: &Effect,
        span: Span,
    ) -> Option<Value> {
        let from_pool = match bindings {
            [(param, Term::Arg(arg))] => match (&arg.among, &arg.variable.ty) {
                (Formula::Atom(free, _, _), Some(TypeExpr::Named(of))) => free
                    .text
                    .strip_prefix(FREE)
                    .map(|base| (&param.text, base, &of.text)),
                _ => None,
            },
            _ => None,
        };
        let Some((param, base, of)) = from_pool else {
            self.nothing(span, "this choice of an object");
            return None;
        };
        let effects = self.effects(body);
        Some(json!({
            "type": "creation", "param": "",
            "created_obj": {"name": base, "type": of, "param": param},
            "fx": effects, "sfx": []
        }))
    }
}

/// Says what a special effect and those in it are about.
fn give(special: &mut Value, about: &str) {
    let Some(entries) = special.as_object_mut() else {
        return;
    };
    entries.insert("param".to_owned(), json!(about));
    if let Some(Value::Array(nested)) = entries.get_mut("sfx") {
        for special in nested {
            give(special, about);
        }
    }
}

/// Returns true if a literal, or one in a special effect, has a parameter as an argument.
fn mentions(json: &Value, param: &str) -> bool {
    match json {
        Value::Object(entries) => entries
            .iter()
            .any(|(key, value)| match (key.as_str(), value) {
                ("params", Value::Array(params)) => params.iter().any(|other| other == param),
                (_, value) => mentions(value, param),
            }),
        Value::Array(items) => items.iter().any(|item| mentions(item, param)),
        _ => false,
    }
}
