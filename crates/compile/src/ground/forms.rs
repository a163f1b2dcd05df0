//! The forms of agents' actions as commands, with places for the objects.
//!
//! A command may be written in many ways. Shown is the label that the action records: it is short, and
//! plans, references and scores name the action by it. Where an action records several, that is the
//! first which no other action of the agent records; where all of them are shared, or there is none,
//! it is the action's `:text`, and its name where it has no text.

use std::collections::BTreeMap;

use indexmap::IndexMap;

use super::bindings::Bindings;
use super::instantiate::Instantiator;
use super::operators::ground_name;
use super::reachable::Reachable;
use crate::sema::model::{
    Action, ActionId, Binding, Cond, Effect, Label, Model, ObjectId, Range, Template, TemplatePart,
    Term, TypeId, Variable,
};
use brigade_task::observation::ActionForm;

/// A text of an action with its slots.
type Pattern = Vec<Piece>;

/// A piece of a [`Pattern`].
#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    Slot(Slot),
    /// A number that is known once the parameters are.
    Number(TemplatePart),
}

/// An object in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Slot {
    /// A parameter of the action, an object, or a static function of them.
    Known(Term),
    /// Some object of these types; of none: a number.
    Any(Vec<TypeId>),
}

/// The arguments of an agent's instances of each action.
type Instances = BTreeMap<ActionId, Vec<Vec<ObjectId>>>;

/// The commands of all agents.
#[derive(Debug, Default)]
pub(super) struct Commands {
    /// The forms of each agent.
    pub(super) forms: Vec<Vec<ActionForm>>,
    /// The command of each agent's operators, by name, where it is known as a whole.
    pub(super) by_operator: Vec<BTreeMap<String, String>>,
}

/// The commands of each agent.
pub(super) fn of_agents(reachable: &mut Reachable<'_>) -> Commands {
    let model = reachable.instantiator.model;
    let mut instances = vec![Instances::new(); model.agents.len().max(1)];
    for operator in &reachable.operators {
        let own = instances[usize::from(operator.agent)].entry(operator.action);
        own.or_default().push(operator.args.clone());
    }
    let mut writer = Writer {
        model,
        instantiator: &mut reachable.instantiator,
    };
    let mut commands = Commands::default();
    for (index, instances) in instances.iter().enumerate() {
        let (mut forms, by_operator) = writer.of_agent(instances);
        if model.may_wait(index) {
            forms.push(waiting(model));
        }
        commands.forms.push(forms);
        commands.by_operator.push(by_operator);
    }
    commands
}

fn waiting(model: &Model) -> ActionForm {
    let limit = model.longest_wait;
    let limit = limit.map_or_else(String::new, |most| format!(", {most} at most"));
    ActionForm {
        command: "wait(<timesteps>)".to_owned(),
        meaning: Some(format!("do nothing for so many timesteps{limit}")),
    }
}

struct Writer<'w, 'm> {
    model: &'m Model,
    instantiator: &'w mut Instantiator<'m>,
}

impl<'m> Writer<'_, 'm> {
    fn of_agent(&mut self, instances: &Instances) -> (Vec<ActionForm>, BTreeMap<String, String>) {
        let mut recorded = Vec::new();
        for (&id, instances) in instances {
            let labels = self.labels(id);
            recorded.push(self.that_exist(id, labels, instances));
        }
        let (mut forms, mut by_operator) = (Vec::new(), BTreeMap::new());
        for (at, (&id, instances)) in instances.iter().enumerate() {
            let action = &self.model.actions[id.index()];
            let text = action.text.as_ref();
            let text = text.map(|text| Scope::of(action).pattern(self, text));
            let mut others = recorded.iter().enumerate();
            let is_shared = |label: &Pattern| {
                others.any(|(other, labels)| {
                    other != at && labels.iter().any(|other| shape(other) == shape(label))
                })
            };
            let label = match &recorded[at][..] {
                [label] => Some(label.clone()),
                labels => first_that_is_not(labels, is_shared),
            };
            let (command, meaning) = match (label, text) {
                (Some(label), text) => (label, text),
                (None, Some(text)) => (text, None),
                (None, None) => (name(action), None),
            };
            for form in self.forms(action, &command, meaning.as_ref(), instances) {
                if !forms.contains(&form) {
                    forms.push(form);
                }
            }
            for args in instances {
                if let Some(text) = self.filled(action, &command, args) {
                    by_operator.insert(ground_name(self.model, &action.name, args), text);
                }
            }
        }
        (forms, by_operator)
    }

    /// The different labels that an action may record, in the order of its text.
    fn labels(&mut self, id: ActionId) -> Vec<Pattern> {
        let action = &self.model.actions[id.index()];
        let scope = Scope::of(action);
        let mut found = Vec::new();
        if let Label::Text(template) = &action.label {
            found.push(scope.pattern(self, template));
        }
        self.collect(&action.effect, &scope, &mut found);
        self.collect(&action.end_effect, &scope, &mut found);
        found
    }

    fn collect(&mut self, effect: &'m Effect, scope: &Scope<'m>, found: &mut Vec<Pattern>) {
        if !self.instantiator.spend(1) {
            return;
        }
        match effect {
            Effect::Log(template) => {
                let pattern = scope.pattern(self, template);
                if !found.contains(&pattern) {
                    found.push(pattern);
                }
            }
            Effect::Do(id, args) => {
                let performed = &self.model.actions[id.index()];
                let args = args.iter().map(|arg| scope.slot(self, arg)).collect();
                let inner = Scope::within(performed, args);
                self.collect(&performed.effect, &inner, found);
            }
            Effect::When(Cond::False, _) => {}
            Effect::Case(cases, otherwise) => {
                let cases = cases.iter().filter(|(cond, _)| *cond != Cond::False);
                for (_, effect) in cases {
                    self.collect(effect, scope, found);
                }
                self.collect(otherwise, scope, found);
            }
            other => {
                for part in other.parts() {
                    self.collect(part, scope, found);
                }
            }
        }
    }

    /// Those labels that an instance records; of one with an object that is chosen later it is not
    /// known.
    fn that_exist(
        &mut self,
        id: ActionId,
        labels: Vec<Pattern>,
        instances: &[Vec<ObjectId>],
    ) -> Vec<Pattern> {
        let action = &self.model.actions[id.index()];
        let mut kept = Vec::new();
        for label in labels {
            let exists = instances.iter().any(|args| {
                let filled = self.filled(action, &label, args);
                filled.is_none_or(|text| self.instantiator.labels.contains_key(&text))
            });
            if exists {
                kept.push(label);
            }
        }
        kept
    }

    /// A text with its slots filled, if all of them are known.
    fn filled(
        &mut self,
        action: &'m Action,
        pattern: &Pattern,
        args: &[ObjectId],
    ) -> Option<String> {
        let pieces = pattern.iter().map(|piece| match piece {
            Piece::Text(text) => Some(text.clone()),
            Piece::Slot(Slot::Known(term)) => {
                Some(self.value(action, TemplatePart::Object(term.clone()), args))
            }
            Piece::Slot(Slot::Any(_)) => None,
            Piece::Number(number) => Some(self.value(action, number.clone(), args)),
        });
        pieces.collect()
    }

    fn value(&mut self, action: &'m Action, part: TemplatePart, args: &[ObjectId]) -> String {
        let mut at: Bindings = args.iter().copied().map(Some).collect();
        at.resize(action.variables.len(), None);
        let template = Template(vec![part]);
        self.instantiator
            .within(&action.variables, |this| this.text(&template, &mut at))
    }

    /// The forms that the instances have: one, or where a slot is computed one for each of its values.
    fn forms(
        &mut self,
        action: &'m Action,
        command: &Pattern,
        meaning: Option<&Pattern>,
        instances: &[Vec<ObjectId>],
    ) -> Vec<ActionForm> {
        let pieces = || command.iter().chain(meaning.into_iter().flatten());
        let mut groups: IndexMap<Vec<String>, Vec<&Vec<ObjectId>>> = IndexMap::new();
        for args in instances {
            let computed = pieces().filter_map(computed);
            let values = computed.map(|part| self.value(action, part, args));
            groups.entry(values.collect()).or_default().push(args);
        }
        let groups = groups.into_iter();
        let forms = groups.map(|(values, instances)| {
            let of_group = Group {
                model: self.model,
                action,
                command,
                is_split: !values.is_empty(),
                instances: &instances,
            };
            let mut values = values.into_iter();
            let command = of_group.text(command, &mut values);
            let meaning = meaning.map(|meaning| of_group.text(meaning, &mut values));
            ActionForm {
                meaning: meaning.filter(|meaning| *meaning != command),
                command,
            }
        });
        forms.collect()
    }
}

fn first_that_is_not(
    labels: &[Pattern],
    mut is_shared: impl FnMut(&Pattern) -> bool,
) -> Option<Pattern> {
    labels.iter().find(|label| !is_shared(label)).cloned()
}

/// The part of a piece that must be computed: all but parameters and objects.
fn computed(piece: &Piece) -> Option<TemplatePart> {
    match piece {
        Piece::Slot(Slot::Known(term @ Term::Fluent(..))) => {
            Some(TemplatePart::Object(term.clone()))
        }
        Piece::Number(number) => Some(number.clone()),
        Piece::Text(_) | Piece::Slot(_) => None,
    }
}

/// The words of a text, whatever its slots hold.
fn shape(pattern: &Pattern) -> Vec<Option<&str>> {
    let pieces = pattern.iter().map(|piece| match piece {
        Piece::Text(text) => Some(text.as_str()),
        Piece::Slot(_) | Piece::Number(_) => None,
    });
    pieces.collect()
}

/// `(name parameter …)` without the agent.
fn name(action: &Action) -> Pattern {
    let mut pattern = vec![Piece::Text(format!("({}", action.name))];
    for parameter in usize::from(action.has_agent)..action.parameters {
        pattern.push(Piece::Text(" ".to_owned()));
        let parameter = Term::Variable(Binding(parameter as u32));
        pattern.push(Piece::Slot(Slot::Known(parameter)));
    }
    pattern.push(Piece::Text(")".to_owned()));
    pattern
}

/// The meaning of the variables of an effect, in terms of the parameters of the action that is chosen.
struct Scope<'m> {
    values: Vec<Slot>,
    variables: &'m [Variable],
    /// True for the variables of the action that is chosen.
    is_outermost: bool,
}

impl<'m> Scope<'m> {
    fn of(action: &'m Action) -> Self {
        let parameters = (0..action.parameters as u32).map(Binding);
        let parameters = parameters.map(|parameter| Slot::Known(Term::Variable(parameter)));
        Self {
            is_outermost: true,
            ..Self::within(action, parameters.collect())
        }
    }

    /// Of an action that is performed with these arguments.
    fn within(action: &'m Action, args: Vec<Slot>) -> Self {
        Self {
            values: args,
            variables: &action.variables,
            is_outermost: false,
        }
    }

    fn pattern(&self, writer: &Writer<'_, '_>, template: &Template) -> Pattern {
        let objects = &writer.model.objects;
        let pieces = template.0.iter().map(|part| match part {
            TemplatePart::Text(text) => Piece::Text(text.clone()),
            TemplatePart::Object(term) => match self.slot(writer, term) {
                Slot::Known(Term::Object(object)) => {
                    Piece::Text(objects[object.index()].name.to_string())
                }
                slot => Piece::Slot(slot),
            },
            TemplatePart::Number(_) if self.is_outermost => Piece::Number(part.clone()),
            TemplatePart::Number(_) => Piece::Slot(Slot::Any(Vec::new())),
        });
        pieces.collect()
    }

    fn slot(&self, writer: &Writer<'_, '_>, term: &Term) -> Slot {
        match term {
            Term::Object(_) | Term::Undefined => Slot::Known(term.clone()),
            Term::Variable(variable) => match self.values.get(variable.index()) {
                Some(value) => value.clone(),
                None => Slot::Any(self.variables[variable.index()].types.clone()),
            },
            Term::Fluent(fluent, args) => {
                let args = args.iter().map(|arg| match self.slot(writer, arg) {
                    Slot::Known(arg) => Some(arg),
                    Slot::Any(_) => None,
                });
                let args: Option<Vec<Term>> = args.collect();
                match (args, &writer.model.fluents[fluent.index()].range) {
                    (Some(args), _) if writer.instantiator.is_static(*fluent) => {
                        Slot::Known(Term::Fluent(*fluent, args))
                    }
                    (_, Range::Object(types)) => Slot::Any(types.clone()),
                    _ => Slot::Any(Vec::new()),
                }
            }
        }
    }
}

/// The instances of an action that a form stands for.
struct Group<'g> {
    model: &'g Model,
    action: &'g Action,
    command: &'g Pattern,
    /// True if other instances have another form.
    is_split: bool,
    instances: &'g [&'g Vec<ObjectId>],
}

impl Group<'_> {
    /// A text, with the next of the computed values where one stands.
    fn text(&self, pattern: &Pattern, values: &mut impl Iterator<Item = String>) -> String {
        let mut text = String::new();
        for piece in pattern {
            match piece {
                Piece::Text(literal) => text.push_str(literal),
                Piece::Slot(Slot::Known(Term::Variable(parameter))) => {
                    text.push_str(&self.parameter(parameter.index()));
                }
                Piece::Slot(Slot::Known(Term::Object(object))) => {
                    text.push_str(&self.model.objects[object.index()].name);
                }
                Piece::Slot(Slot::Known(Term::Fluent(..))) | Piece::Number(_) => {
                    text.push_str(&values.next().unwrap_or_default());
                }
                Piece::Slot(Slot::Known(Term::Undefined)) => text.push('…'),
                Piece::Slot(Slot::Any(types)) => {
                    text.push_str(&format!("<{}>", self.types(types)));
                }
            }
        }
        text
    }

    /// The agent, or the one object that can stand in a form of several; else a place.
    fn parameter(&self, parameter: usize) -> String {
        let first = self.instances[0][parameter];
        let is_agent = parameter == 0 && self.action.has_agent;
        let is_only = || self.instances.iter().all(|args| args[parameter] == first);
        if is_agent || self.is_split && is_only() {
            return self.model.objects[first.index()].name.to_string();
        }
        let variable = &self.action.variables[parameter];
        let types = self.types(&variable.types);
        let is_like = |piece: &Piece| match piece {
            Piece::Slot(Slot::Known(Term::Variable(other))) => {
                let other = other.index();
                other != parameter && self.action.variables[other].types == variable.types
            }
            _ => false,
        };
        if self.command.iter().any(is_like) {
            format!("<{}: {types}>", variable.name)
        } else {
            format!("<{types}>")
        }
    }

    fn types(&self, types: &[TypeId]) -> String {
        if types.is_empty() {
            return "number".to_owned();
        }
        let names = types.iter().map(|ty| &*self.model.types[ty.index()].name);
        names.collect::<Vec<_>>().join(" or ")
    }
}
