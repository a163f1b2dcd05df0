//! Actions, durative actions, options and events.

use ecow::EcoString;

use super::super::ast::{
    Action, ActionKind, Effect, Event, Formula, LabelClause, Name, Term, TimePoint, Typed,
};
use super::super::tree::{Node, Tree};
use super::context::Context;
use super::fields::Field;
use super::typed::Entry;
use crate::diagnostics::Code;

const ACTION: &[&str] = &[
    "agent",
    "parameters",
    "precondition",
    "effect",
    "label",
    "text",
    "primitive",
];
const DURATIVE: &[&str] = &[
    "agent",
    "parameters",
    "duration",
    "condition",
    "effect",
    "label",
    "text",
];
const OPTION: &[&str] = &[
    "agent",
    "parameters",
    "precondition",
    "let",
    "policy",
    "until",
    "else",
    "label",
    "text",
];
const EVENT: &[&str] = &["parameters", "precondition", "effect"];

/// Those of an `:action` that is written as a durative one.
const TIMED: &[&str] = &[
    "agent",
    "parameters",
    "duration",
    "condition",
    "precondition",
    "effect",
    "label",
    "text",
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
        let (kind, known) = if is_timed {
            (ActionKind::Durative, TIMED)
        } else {
            (kind, known)
        };
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
            ActionKind::Durative if !is_timed => &["duration"],
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

    /// Whether an `:action` says when its parts happen, or how long it takes, as durative ones do; reported.
    fn is_timed(&mut self, tree: &Tree<'_>, items: &[Tree<'_>]) -> bool {
        let timed = items
            .iter()
            .flat_map(conjuncts)
            .find(|one| time_point(one).is_some_and(|(_, body)| body.items().is_some()));
        let duration = items.iter().find(|item| item.is_keyword("duration"));
        let Some(first) = duration.or(timed) else {
            return false;
        };
        let message = "this action takes time, and an `:action` is over at once";
        let diagnostic = self
            .at(
                Code::MalformedConstruct,
                tree.mark(),
                message,
                "not durative",
            )
            .secondary(self.source, first.mark(), "says when, or how long");
        let help = "write `(:durative-action name … :duration (= ?duration ticks) :condition … :effect …)`";
        self.push(diagnostic.help(help).mended());
        true
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

    /// `(= ?duration e)`.
    fn duration(&mut self, tree: &Tree<'_>) -> Option<Term> {
        let is_duration = |tree: &Tree<'_>| matches!(tree.node, Node::Variable(v) if v.eq_ignore_ascii_case("duration"));
        match tree.items() {
            Some([head, left, right]) if head.is_name("=") && is_duration(left) => self.term(right),
            Some([head, ..])
                if ["<", "<=", ">", ">=", "and"]
                    .iter()
                    .any(|w| head.is_name(w)) =>
            {
                let what = "a duration that is not fixed";
                self.not_supported("duration-inequalities", tree.mark(), what);
                None
            }
            _ => {
                let help = "write `(= ?duration ticks)`";
                self.unexpected_help(Code::MalformedConstruct, tree, "a duration", help);
                None
            }
        }
    }

    /// `(and (at start φ) (over all φ) …)`, split by time point.
    fn timed_conditions(&mut self, tree: &Tree<'_>) -> Vec<(TimePoint, Formula)> {
        match tree.items() {
            Some([]) => Vec::new(),
            Some([head, rest @ ..]) if head.is_name("and") => rest
                .iter()
                .flat_map(|item| self.timed_conditions(item))
                .collect(),
            Some([head, variables, body]) if head.is_name("forall") => {
                let variables = self.variables(variables);
                let bodies = self.timed_conditions(body).into_iter();
                bodies
                    .map(|(time, body)| {
                        let body = Box::new(body);
                        (time, Formula::Forall(variables.clone(), body, tree.span))
                    })
                    .collect()
            }
            _ => {
                if let Some((time, body)) = self.time_point(tree) {
                    return vec![(time, self.formula(body))];
                }
                let shapes = "`(at start …)`, `(over all …)` or `(at end …)`";
                self.untimed(tree, "condition", shapes);
                Vec::new()
            }
        }
    }

    /// `(and (at start e) (at end e) …)`, split by time point.
    fn timed_effects(&mut self, tree: &Tree<'_>) -> Vec<(TimePoint, Effect)> {
        match tree.items() {
            Some([]) => Vec::new(),
            Some([head, rest @ ..]) if head.is_name("and") => rest
                .iter()
                .flat_map(|item| self.timed_effects(item))
                .collect(),
            Some([head, variables, body]) if head.is_name("forall") => {
                let variables = self.variables(variables);
                let bodies = self.timed_effects(body).into_iter();
                bodies
                    .map(|(time, body)| {
                        let body = Box::new(body);
                        (time, Effect::Forall(variables.clone(), body, tree.span))
                    })
                    .collect()
            }
            Some([head, condition, effect]) if head.is_name("when") => {
                self.timed_when(tree, condition, effect)
            }
            _ => match self.time_point(tree) {
                Some((time, body)) if time != TimePoint::OverAll => vec![(time, self.effect(body))],
                _ => {
                    self.untimed(tree, "effect", "`(at start …)` or `(at end …)`");
                    Vec::new()
                }
            },
        }
    }

    /// `(when (at start φ) (at start e))`; both must be at the same time.
    fn timed_when(
        &mut self,
        tree: &Tree<'_>,
        condition: &Tree<'_>,
        effect: &Tree<'_>,
    ) -> Vec<(TimePoint, Effect)> {
        match (time_point(condition), time_point(effect)) {
            (Some((when, condition)), Some((then, effect))) if when == then => {
                let condition = self.formula(condition);
                let effect = Box::new(self.effect(effect));
                vec![(then, Effect::When(condition, effect, tree.span))]
            }
            (Some(_), Some(_)) => {
                let what = "a conditional effect across two times";
                self.not_supported("durative-actions", tree.mark(), what);
                Vec::new()
            }
            (when, _) => {
                let untimed = if when.is_none() { condition } else { effect };
                self.untimed(untimed, "part", "`(at start …)` or `(at end …)`");
                Vec::new()
            }
        }
    }

    /// [`time_point`], also where its two words are written as one, which is reported.
    fn time_point<'t, 's>(&mut self, tree: &'t Tree<'s>) -> Option<(TimePoint, &'t Tree<'s>)> {
        let Some([head, body]) = tree.items() else {
            return time_point(tree);
        };
        body.items()?;
        let word = head.name()?.replace(['-', '_'], "").to_ascii_lowercase();
        let (time, written) = match word.as_str() {
            "atstart" | "start" => (TimePoint::AtStart, "at start"),
            "atend" | "end" => (TimePoint::AtEnd, "at end"),
            "overall" | "all" => (TimePoint::OverAll, "over all"),
            _ => return None,
        };
        let message = format!("`{}` is no time", head.name().unwrap_or_default());
        let diagnostic = self.at(Code::MalformedConstruct, head.span, message, "");
        self.push(diagnostic.help(format!("write `({written} …)`")).mended());
        Some((time, body))
    }

    fn untimed(&mut self, tree: &Tree<'_>, what: &str, shapes: &str) {
        if matches!(tree.node, Node::Junk) {
            return;
        }
        let message = format!("this {what} of a durative action has no time");
        let diagnostic = self.at(Code::MalformedConstruct, tree.mark(), message, "when?");
        self.push(diagnostic.help(format!("wrap it in {shapes}")));
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

/// The items of an `and`, else the one that it is.
fn conjuncts<'t, 's>(tree: &'t Tree<'s>) -> &'t [Tree<'s>] {
    match tree.items() {
        Some([head, all @ ..]) if head.is_name("and") => all,
        _ => std::slice::from_ref(tree),
    }
}

/// `(at start x)`, `(over all x)`, `(at end x)`.
fn time_point<'t, 's>(tree: &'t Tree<'s>) -> Option<(TimePoint, &'t Tree<'s>)> {
    let Some([head, point, body]) = tree.items() else {
        return None;
    };
    let time = match (head.is_name("at"), head.is_name("over")) {
        (true, _) if point.is_name("start") => TimePoint::AtStart,
        (true, _) if point.is_name("end") => TimePoint::AtEnd,
        (_, true) if point.is_name("all") => TimePoint::OverAll,
        _ => return None,
    };
    Some((time, body))
}
