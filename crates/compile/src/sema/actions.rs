//! Actions, durative actions, primitives and options.

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::body::{Body, MAX_DEPTH};
use super::context::Context;
use super::effects::together;
use super::model::{
    Action, ActionKind, Cond, Effect, Expr, Label, Learners, ObjectId, TimePoint, TypeId,
};
use super::report::{self, File, problem};
use super::requirements::Need;
use super::scaled::Scaled;
use super::symbols::{ActionInfo, Callee};
use super::types::signature;
use brigade_diagnostics::Code;
use brigade_syntax::ast::{self, Domain, LabelClause, TypeExpr, Typed};
use brigade_syntax::printer::print_typed;

impl Context<'_> {
    /// Declares the names and parameters of all actions, for `do`.
    pub(super) fn declare_actions(&mut self, domain: &Domain) {
        for (at, action) in domain.actions.iter().enumerate() {
            let name = &action.name;
            let place = self.place(File::Domain, name.span);
            if let Some(&first) = self.symbols.action_index.get(&name.key()) {
                let first = self.symbols.actions[first].callee.place;
                self.push(report::duplicate("action", &name.text, place, first));
            } else {
                self.symbols.action_index.insert(name.key(), at);
            }
            let callee = Callee {
                sort: "action",
                name: name.text.to_string(),
                params: parameters(action)
                    .map(|p| self.known_types(p.ty.as_ref()))
                    .collect(),
                place,
                signature: signature(&name.text, parameters(action)),
            };
            self.symbols.actions.push(ActionInfo {
                callee: Rc::new(callee),
                kind: action.kind,
            });
        }
    }

    /// Resolves all actions.
    pub(super) fn actions(&mut self, domain: &Domain) -> Vec<Action> {
        let chosen = |action: &&ast::Action| action.kind != ActionKind::Primitive;
        let acting = domain
            .actions
            .iter()
            .filter(chosen)
            .find(|a| a.agent.is_some());
        if let Some(acting) = acting {
            for action in domain.actions.iter().filter(chosen) {
                if action.agent.is_none() {
                    self.without_agent(action, acting);
                }
            }
        } else {
            let lasts = |kind| matches!(kind, ActionKind::Durative | ActionKind::Option);
            for action in domain.actions.iter().filter(|action| lasts(action.kind)) {
                self.busy_without_agent(action);
            }
        }
        domain
            .actions
            .iter()
            .map(|action| {
                let lacks = acting.filter(|_| action.agent.is_none() && chosen(&action));
                self.action(action, lacks.and_then(|acting| acting.agent.as_ref()))
            })
            .collect()
    }

    fn without_agent(&mut self, action: &ast::Action, acting: &ast::Action) {
        let Some(agent) = &acting.agent else { return };
        let acting = self.place(File::Domain, acting.name.span);
        let place = self.place(File::Domain, action.name.span);
        self.push(
            problem(
                Code::MissingAgent,
                format!("`{}` belongs to no agent's turn", action.name.text),
                place,
                "has no `:agent`",
            )
            .secondary(acting.source, acting.span, "this action has one")
            .help(
                match action.parameters.iter().find(|it| is_alike(it, agent)) {
                    Some(parameter) => format!(
                        "move `{}` from `:parameters` to `:agent`, or make it an `:event`",
                        print_typed(parameter, "?")
                    ),
                    None => format!(
                        "add `:agent {}`, or make it an `:event`",
                        print_typed(agent, "?")
                    ),
                },
            ),
        );
    }

    /// Reports an option or durative action without an agent. It would make an agent busy; without one, all other
    /// actions would have to wait for it, which is not what temporal PDDL means.
    fn busy_without_agent(&mut self, action: &ast::Action) {
        let place = self.place(File::Domain, action.name.span);
        let what = match action.kind {
            ActionKind::Option => "an option",
            _ => "a durative action",
        };
        self.push(
            problem(
                Code::MissingAgent,
                format!("`{}` is {what} of no agent", action.name.text),
                place,
                "has no `:agent` that is busy with it",
            )
            .help("add `:agent ?a - type`; actions without an agent take one step each"),
        );
    }

    /// Resolves an action. `lacking` is the agent of the other actions, where this one was reported to have none.
    fn action(&mut self, action: &ast::Action, lacking: Option<&Typed>) -> Action {
        let labelled = self.usage.labelled;
        let mut body = Body::new(self, File::Domain);
        let parameters: Vec<Typed> = parameters(action).cloned().collect();
        let bindings = body.declare(&parameters);
        body.misfits.parameters = bindings.len();
        if body.scope.has_twice {
            // What is said of its variables may be about the other.
            let whole = body.place(action.span);
            body.cx.reporter.doubt(whole);
        }
        if let Some(agent) = lacking {
            body.scope.know_unknown(&agent.name);
        }
        if let Some(agent) = &action.agent {
            body.need(Need::MultiAgent, agent.name.span);
            body.mark_used(bindings[0]);
        }
        match action.kind {
            ActionKind::Instant => {}
            ActionKind::Primitive | ActionKind::Option => {
                body.need(Need::Options, action.name.span);
            }
            ActionKind::Durative => body.need(Need::DurativeActions, action.name.span),
        }
        let mut precondition = Vec::new();
        if let Some(formula) = &action.precondition {
            body.requirements(formula, &mut precondition);
        }
        let mut conditions = Vec::new();
        let duration = body.duration(action);
        let weight = body.weight(action);
        for (point, formula) in &action.conditions {
            if *point == TimePoint::AtStart {
                body.requirements(formula, &mut precondition);
            } else {
                let cond = body.cond(formula);
                conditions.push((*point, cond));
            }
        }
        let until = match &action.until {
            Some(formula) => body.cond(formula),
            None => Cond::True,
        };
        let effect = body.start_effect(action);
        let end_effect = body.effects_at(action, TimePoint::AtEnd);
        let label = match &action.label {
            Some(LabelClause::Text(template)) => {
                if template.parts.is_empty() {
                    let place = body.place(template.span);
                    let message = "this label is empty";
                    let help = "write `:label none` for an action that no reference names";
                    let code = Code::MalformedTemplate;
                    body.push(problem(code, message, place, "no word in it").help(help));
                }
                Label::Text(body.template(template, Some("a label")))
            }
            Some(LabelClause::None(span)) => {
                body.need(Need::Text, *span);
                Label::None
            }
            None if labelled || action.kind == ActionKind::Primitive => Label::None,
            None => Label::GroundName,
        };
        let text = action.text.as_ref().map(|text| body.template(text, None));
        let observers = body.learners(action);
        body.settle_misfits();
        if body.is_sound() {
            body.warn_of_unused();
        }
        let place = body.place(action.name.span);
        let mut variables = body.scope.variables;
        // There may be very many actions, most of them small.
        variables.shrink_to_fit();
        precondition.shrink_to_fit();
        Action {
            name: action.name.text.to_string(),
            place: (place.source, place.span),
            kind: action.kind,
            variables,
            parameters: parameters.len(),
            has_agent: action.agent.is_some(),
            precondition,
            effect,
            duration,
            conditions,
            end_effect,
            until,
            weight,
            label,
            text,
            observers,
        }
    }

    /// Objects that can be the agent of some action that agents choose, in declared order.
    pub(super) fn agents(&mut self, domain: &Domain, actions: &[Action]) -> Vec<ObjectId> {
        let acting: Vec<&Action> = actions
            .iter()
            .filter(|action| action.has_agent && action.kind != ActionKind::Primitive)
            .collect();
        let types: BTreeSet<&[TypeId]> = acting
            .iter()
            .map(|action| &*action.variables[0].types)
            .collect();
        // Most objects are of few types.
        let mut known: FxHashMap<&[TypeId], bool> = FxHashMap::default();
        let mut agents = Vec::new();
        for (id, object) in (0..).map(ObjectId).zip(&self.symbols.objects) {
            let can_act = known
                .entry(&object.types)
                .or_insert_with(|| types.iter().any(|of| self.symbols.is_a(id, of)));
            agents.extend(can_act.then_some(id));
        }
        let first = domain
            .actions
            .iter()
            .find_map(|action| action.agent.as_ref());
        let is_explained = self.causes.is_reported || !agents.is_empty();
        if let (false, false, Some(first)) = (is_explained, acting.is_empty(), first) {
            let place = self.place(File::Domain, first.name.span);
            self.push(
                problem(
                    Code::NoAgents,
                    "no object of the problem can act",
                    place,
                    "no object is of this type",
                )
                .help("declare the agents in `:objects`"),
            );
        }
        agents
    }

    /// Primitives may perform others, but not in a circle, nor very deep.
    pub(super) fn check_primitives(&mut self, actions: &[Action]) {
        let mut graph = petgraph::graphmap::DiGraphMap::<usize, ()>::new();
        for (at, action) in actions.iter().enumerate() {
            graph.add_node(at);
            for effect in [&action.effect, &action.end_effect] {
                effect.any(&mut |effect| {
                    if let Effect::Do(other, _) = effect {
                        graph.add_edge(at, other.index(), ());
                    }
                    false
                });
            }
        }
        let mut depths = vec![0; actions.len()];
        // What is performed comes before what performs it.
        for component in petgraph::algo::kosaraju_scc(&graph) {
            let mut names: Vec<usize> = component;
            names.sort_unstable();
            let Some(&first) = names.first() else {
                continue;
            };
            if names.len() == 1 && !graph.contains_edge(first, first) {
                let action = &actions[first];
                let deepest = |depths: &[usize]| {
                    depth(&action.effect, depths).max(depth(&action.end_effect, depths))
                };
                if deepest(&depths) <= MAX_DEPTH {
                    depths[first] = deepest(&depths);
                } else if deepest(&[]) <= MAX_DEPTH || !self.reporter.has(Code::NestedTooDeeply) {
                    // One that is too deep by itself was mostly reported where it is.
                    self.performed_too_deeply(first);
                }
                continue;
            }
            let list: Vec<String> = names
                .iter()
                .map(|&at| format!("`{}`", actions[at].name))
                .collect();
            let place = self.symbols.actions[first].callee.place;
            self.push(
                problem(
                    Code::RecursivePrimitive,
                    format!(
                        "primitive actions perform each other without end: {}",
                        list.join(", ")
                    ),
                    place,
                    "performs itself",
                )
                .help("remove one `do` from the circle"),
            );
        }
    }

    fn performed_too_deeply(&mut self, action: usize) {
        let place = self.symbols.actions[action].callee.place;
        self.push(
            problem(
                Code::NestedTooDeeply,
                format!("nested deeper than {MAX_DEPTH} levels, primitives included"),
                place,
                "too deep",
            )
            .help("perform fewer primitives within primitives"),
        );
    }
}

/// Returns the nesting depth of an effect, the primitives that it performs included.
fn depth(effect: &Effect, of_actions: &[usize]) -> usize {
    let inside = match effect {
        Effect::Do(action, _) => of_actions.get(action.index()).copied().unwrap_or_default(),
        _ => effect
            .parts()
            .into_iter()
            .map(|part| depth(part, of_actions))
            .max()
            .unwrap_or_default(),
    };
    1 + inside
}

impl Body<'_, '_> {
    /// Resolves `:observable-by` of an action: the agents that learn that it was done.
    fn learners(&mut self, action: &ast::Action) -> Option<Learners> {
        let observers = action.observers.as_ref()?;
        self.need(Need::PartialObservability, observers.span);
        let mark = self.scope.enter();
        let viewer = *self
            .declare(std::slice::from_ref(&observers.viewer))
            .first()?;
        let cond = self.cond(&observers.condition);
        self.scope.leave(mark);
        Some(Learners { viewer, cond })
    }

    fn duration(&mut self, action: &ast::Action) -> Option<Expr> {
        if action.kind != ActionKind::Durative {
            return None;
        }
        let term = action.duration.as_ref()?;
        let duration = self.ticks(term, "a duration");
        let known = duration.clone().unwrap_or(Expr::Constant(1));
        self.duration = Some(Scaled::whole(known));
        duration
    }

    fn start_effect(&mut self, action: &ast::Action) -> Effect {
        if action.kind == ActionKind::Durative {
            return self.effects_at(action, TimePoint::AtStart);
        }
        let otherwise = self.optional_effect(action.otherwise.as_ref());
        self.with_lets(&action.lets, &otherwise, |body| {
            body.optional_effect(action.effect.as_ref())
        })
    }

    fn effects_at(&mut self, action: &ast::Action, at: TimePoint) -> Effect {
        let effects = action.effects.iter().filter(|(point, _)| *point == at);
        let effects = effects.map(|(_, effect)| self.effect(effect)).collect();
        together(effects)
    }
}

/// The agent, if any, then the parameters.
fn parameters(action: &ast::Action) -> impl Iterator<Item = &Typed> {
    action.agent.iter().chain(&action.parameters)
}

/// Returns true if two variables have the same named type.
fn is_alike(one: &Typed, other: &Typed) -> bool {
    let ty = |typed: &Typed| match &typed.ty {
        Some(TypeExpr::Named(name)) => Some(name.key()),
        _ => None,
    };
    ty(one).is_some() && ty(one) == ty(other)
}
