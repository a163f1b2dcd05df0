//! Actions, durative actions, options and events.

use ecow::EcoString;

use super::super::ast::{Action, ActionKind, Event, LabelClause, Name, Typed};
use super::super::tree::{Node, Tree};
use super::context::Context;
use super::entry::Entry;
use super::fields::Field;
use brigade_diagnostics::Code;

const ACTION: &[&str] = &[
    "agent",
    "parameters",
    "precondition",
    "weight",
    "effect",
    "label",
    "text",
    "observable-by",
    "primitive",
];
const DURATIVE: &[&str] = &[
    "agent",
    "parameters",
    "duration",
    "condition",
    "weight",
    "effect",
    "label",
    "text",
    "observable-by",
];
const OPTION: &[&str] = &[
    "agent",
    "parameters",
    "precondition",
    "weight",
    "let",
    "policy",
    "until",
    "else",
    "label",
    "text",
    "observable-by",
];
const EVENT: &[&str] = &["parameters", "precondition", "effect"];

/// Those of an `:action` that is written as a durative one.
const TIMED: &[&str] = &[
    "agent",
    "parameters",
    "duration",
    "condition",
    "precondition",
    "weight",
    "effect",
    "label",
    "text",
    "observable-by",
];

impl Context<'_> {
    /// Reads `(:action …)`, `(:durative-action …)` or `(:option …)`; `items` follow the keyword.
    pub(super) fn action(
        &mut self,
        tree: &Tree<'_>,
        items: &[Tree<'_>],
        kind: ActionKind,
    ) -> Option<Action> {
        let (owner, known) = match kind {
            ActionKind::Instant | ActionKind::Primitive => ("action", ACTION),
            ActionKind::Durative => ("durative action", DURATIVE),
            ActionKind::Option => ("option", OPTION),
        };
        let (name, rest) = self.defined_name(tree, items, owner);
        let is_timed = kind == ActionKind::Instant && self.is_timed(tree, rest);
        let kind = if is_timed { ActionKind::Durative } else { kind };
        self.reads_untimed =
            is_timed || kind == ActionKind::Durative && self.is_without_times(tree, rest);
        let known = if self.reads_untimed { TIMED } else { known };
        let unnamed = Name {
            text: EcoString::new(),
            span: tree.mark(),
        };
        let mut action = Action::new(unnamed, kind, tree.span);
        let fields = self.fields(rest, owner, known);
        let fields = self.with_keyless(fields, known);
        for field in &fields {
            self.action_field(&mut action, field);
        }
        let needed: &[&str] = match kind {
            ActionKind::Durative if !self.reads_untimed => &["duration"],
            ActionKind::Option => &["policy", "until"],
            _ => &[],
        };
        self.needs(tree, owner, needed, &fields);
        if let Some(field) = fields.iter().find(|field| field.key == "let")
            && let Some(list) = field.values.first()
        {
            self.doubt_unbound(list, action.lets.len(), action.span);
        }
        action.name = name?;
        Some(action)
    }

    fn action_field(&mut self, action: &mut Action, field: &Field<'_, '_>) {
        match field.key {
            "primitive" => {
                self.require("options", field.span, ":primitive");
                action.kind = ActionKind::Primitive;
                if let Some(extra) = field.values.first() {
                    self.unexpected(Code::MalformedConstruct, extra, "a keyword");
                }
                return;
            }
            "agent" => {
                action.agent = self.agent(field);
                let is_unmarked = field
                    .values
                    .first()
                    .is_some_and(|first| first.name().is_some());
                if action.agent.is_none() || is_unmarked {
                    // Whose turn it is, and what its variable is, is then not known.
                    self.diagnostics.doubt(self.source, action.span);
                }
                return;
            }
            _ => {}
        }
        if field.key == "parameters" {
            action.parameters = self.parameters(field);
            return;
        }
        let durative = action.kind == ActionKind::Durative;
        let (values, owner) = (field.values, field.owner());
        match field.key {
            "observable-by" => {
                self.require("partial-observability", field.span, ":observable-by");
                action.observers = self.observers(field.span, values);
                return;
            }
            "precondition" if !durative => {
                action.precondition = self.only_formula(values, &owner);
                return;
            }
            "until" => {
                action.until = self.only_formula(values, &owner);
                return;
            }
            "policy" => {
                action.effect = self.only_effect(values, &owner);
                return;
            }
            "effect" if !durative => {
                action.effect = self.only_effect(values, &owner);
                return;
            }
            "else" => {
                action.otherwise = self.only_effect(values, &owner);
                return;
            }
            _ => {}
        }
        let Some(value) = self.value(field) else {
            return;
        };
        match field.key {
            "effect" => action.effects = self.timed_effects(value),
            "condition" | "precondition" => action.conditions = self.timed_conditions(value),
            "duration" => action.duration = self.duration(value),
            "weight" => {
                self.require("nature", field.span, ":weight");
                action.weight = self.term(value);
            }
            "let" => action.lets = self.bindings(value),
            "label" => {
                self.require("text", field.span, ":label");
                action.label = if value.is_name("none") {
                    Some(LabelClause::None(value.span))
                } else {
                    self.template(value, "a text or `none`")
                        .map(LabelClause::Text)
                };
            }
            "text" => {
                self.require("text", field.span, ":text");
                action.text = self.template(value, "a text");
            }
            _ => {}
        }
    }

    /// `:parameters (?x - t …)`. Without its parentheses it is reported, and read all the same.
    fn parameters(&mut self, field: &Field<'_, '_>) -> Vec<Typed> {
        if let [first, ..] = field.values
            && matches!(first.node, Node::Variable(_))
        {
            let message = "the parameters stand without parentheses";
            let span = field
                .values
                .iter()
                .fold(first.span, |span, value| span.to(value.span));
            let diagnostic = self.at(Code::MalformedTypedList, span, message, "");
            let help = "write them in parentheses: `:parameters (?x - type)`";
            self.push(diagnostic.help(help).mended());
            return self.typed_list(field.values, Entry::Variable);
        }
        let value = self.value(field);
        value.map_or_else(Vec::new, |value| self.variables(value))
    }

    /// `:agent ?a - cook`.
    fn agent(&mut self, field: &Field<'_, '_>) -> Option<Typed> {
        self.require("multi-agent", field.span, ":agent");
        if field.values.is_empty() {
            self.value(field);
            return None;
        }
        let mut agents = match field.values {
            [list] if list.items().is_some() => self.variables(list),
            values => self.typed_list(values, Entry::Variable),
        };
        if agents.len() > 1 {
            let message = "an action belongs to one agent";
            let span = agents[1].name.span;
            let diagnostic = self.at(Code::MalformedConstruct, span, message, "a second one");
            self.push(diagnostic.help("name the other in `:parameters`"));
        }
        agents.truncate(1);
        agents.pop()
    }

    /// Reads `(:event …)`.
    pub(super) fn event(&mut self, tree: &Tree<'_>, items: &[Tree<'_>]) -> Option<Event> {
        let (name, rest) = self.defined_name(tree, items, "event");
        let fields = self.fields(rest, "event", EVENT);
        let fields = self.with_keyless(fields, EVENT);
        let mut parameters = Vec::new();
        let (mut precondition, mut effect) = (None, None);
        for field in &fields {
            if field.key == "parameters" {
                parameters = self.parameters(field);
                continue;
            }
            let (values, owner) = (field.values, field.owner());
            match field.key {
                "precondition" => precondition = self.only_formula(values, &owner),
                _ => effect = self.only_effect(values, &owner),
            }
        }
        self.needs(tree, "event", &["effect"], &fields);
        Some(Event {
            name: name?,
            parameters,
            precondition,
            effect,
            span: tree.span,
        })
    }

    fn defined_name<'t, 's>(
        &mut self,
        tree: &Tree<'s>,
        items: &'t [Tree<'s>],
        owner: &str,
    ) -> (Option<Name>, &'t [Tree<'s>]) {
        match items.split_first() {
            Some((first, rest)) if !matches!(first.node, Node::Keyword(_)) => {
                (self.name(first, &format!("the name of the {owner}")), rest)
            }
            _ => {
                let message = format!("this {owner} has no name");
                let diagnostic = self.at(Code::MissingPart, tree.mark(), message, "");
                let key = owner.replace(' ', "-");
                self.push(diagnostic.help(format!("write `(:{key} name …)`")));
                (None, items)
            }
        }
    }

    fn needs(&mut self, tree: &Tree<'_>, owner: &str, needed: &[&str], fields: &[Field<'_, '_>]) {
        for key in needed {
            if !fields.iter().any(|field| field.key == *key) {
                let message = format!("this {owner} has no `:{key}`");
                let diagnostic = self.at(Code::MissingPart, tree.mark(), message, "");
                self.push(diagnostic.help(format!("add `:{key} …`")));
            }
        }
    }

    /// Reads `(:derived (p ?x …) φ)`; `items` follow the keyword.
    pub(super) fn derived(
        &mut self,
        tree: &Tree<'_>,
        items: &[Tree<'_>],
    ) -> Option<super::super::ast::Derived> {
        let [head, body] = items else {
            let message = "this is not how `:derived` is written";
            let diagnostic = self.at(Code::MalformedConstruct, tree.mark(), message, "");
            self.push(diagnostic.help("write `(:derived (predicate ?x …) condition)`"));
            return None;
        };
        let signature = self.signature(head);
        let body = self.formula(body);
        let (name, params, _) = signature?;
        Some(super::super::ast::Derived {
            name,
            params,
            body,
            span: tree.span,
        })
    }
}
