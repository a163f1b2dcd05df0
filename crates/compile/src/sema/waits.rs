//! The longest wait that one command of an agent may ask for, under the semantics chosen, and the agents that must act.

use std::collections::BTreeSet;

use super::context::Context;
use super::model::{ObjectId, TypeId};
use super::report::{File, problem};
use super::requirements::Need;
use brigade_diagnostics::{Code, Diagnostic};
use brigade_syntax::ast::{Domain, MustAct, TypeExpr, WaitLimit};

impl Context<'_> {
    /// The longest wait: the limit for the semantics chosen, else the one that names none. All are
    /// checked.
    pub(super) fn longest_wait(&mut self, domain: &Domain) -> Option<u32> {
        let (mut chosen, mut general) = (None, None);
        for limit in &domain.waits {
            self.need(File::Domain, Need::MultiAgent, limit.span);
            let most = self.timesteps(limit);
            match &limit.semantics {
                None => general = most,
                Some(name) => {
                    let place = self.place(File::Domain, name.span);
                    if self.is_chosen(name, place) {
                        chosen = most;
                    }
                }
            }
        }
        chosen.or(general)
    }

    /// Those of the agents that must act: they are of a type that a `(:wait none - type)` names.
    pub(super) fn must_act(&mut self, domain: &Domain, agents: &[ObjectId]) -> Vec<ObjectId> {
        let mut named = Vec::new();
        for section in &domain.must_act {
            self.need(File::Domain, Need::MultiAgent, section.span);
            let ty = TypeExpr::Named(section.ty.clone());
            let types = self.object_types(Some(&ty), File::Domain);
            self.check_acting(domain, section, &types);
            named.push(types);
        }
        let must = |agent: &ObjectId| named.iter().any(|types| self.symbols.is_a(*agent, types));
        agents.iter().copied().filter(must).collect()
    }

    /// Those who must act must be such as can.
    fn check_acting(&mut self, domain: &Domain, section: &MustAct, types: &[TypeId]) {
        let agents = self.agent_types(domain);
        if agents.iter().any(|of| self.symbols.overlap(types, of)) {
            return;
        }
        let message = format!("nothing of type `{}` acts", section.ty.text);
        let place = self.place(File::Domain, section.ty.span);
        let diagnostic = Diagnostic::new(Code::NothingMustAct, message).primary(
            place.source,
            place.span,
            "no type of agents",
        );
        let help = if agents.is_empty() {
            "give the actions an `:agent`, or leave out `(:wait none …)`".to_owned()
        } else {
            self.names_of_agents(&agents)
        };
        self.push(diagnostic.help(help));
    }

    /// The types of those whom actions name as `:agent`.
    pub(super) fn agent_types(&self, domain: &Domain) -> Vec<Vec<TypeId>> {
        let agents = domain.actions.iter().filter_map(|it| it.agent.as_ref());
        agents
            .map(|agent| self.known_types(agent.ty.as_ref()))
            .collect()
    }

    /// Of which types agents are, in words.
    pub(super) fn names_of_agents(&self, agents: &[Vec<TypeId>]) -> String {
        let agents = agents.iter().map(|of| self.symbols.type_names(of));
        let agents: BTreeSet<String> = agents.map(|of| format!("`{of}`")).collect();
        let agents: Vec<String> = agents.into_iter().collect();
        format!("agents are of type {}", agents.join(", "))
    }

    fn timesteps(&mut self, limit: &WaitLimit) -> Option<u32> {
        let most = u32::try_from(limit.most).ok().filter(|&most| most > 0);
        if most.is_none() {
            let place = self.place(File::Domain, limit.span);
            self.push(
                problem(
                    Code::BadTime,
                    format!("{} is not a number of timesteps to wait", limit.most),
                    place,
                    format!("must be from 1 to {}", u32::MAX),
                )
                .help("give the greatest n for which `wait(n)` is a command"),
            );
        }
        most
    }
}
