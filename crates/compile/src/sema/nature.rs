//! Agents of nature, by `(:role type nature)`, and how often their actions are drawn.

use super::body::Body;
use super::context::Context;
use super::model::{Expr, ObjectId, TypeId};
use super::report::{File, problem};
use super::requirements::Need;
use brigade_diagnostics::{Code, Diagnostic};
use brigade_syntax::ast::{self, Domain, TypeExpr};

/// Weights are below this, so that a sum of them fits into 64 bits.
const TOO_HEAVY: i64 = 1 << 31;

impl Context<'_> {
    /// Puts the agents that are of nature after all others; the number of them.
    pub(super) fn nature(&mut self, domain: &Domain, agents: &mut [ObjectId]) -> usize {
        let named = self.types_of_nature(domain);
        self.check_weighted(domain, &named);
        let is_of_nature =
            |agent: &ObjectId| named.iter().any(|types| self.symbols.is_a(*agent, types));
        agents.sort_by_key(is_of_nature);
        agents.iter().filter(|agent| is_of_nature(agent)).count()
    }

    /// The types that the sections name; each must be one of agents.
    fn types_of_nature(&mut self, domain: &Domain) -> Vec<Vec<TypeId>> {
        let acting = self.agent_types(domain);
        let mut named = Vec::new();
        for section in &domain.nature {
            self.need(File::Domain, Need::Nature, section.span);
            let ty = TypeExpr::Named(section.ty.clone());
            let types = self.object_types(Some(&ty), File::Domain);
            if !acting.iter().any(|of| self.symbols.overlap(&types, of)) {
                let message = format!("nothing of type `{}` acts", section.ty.text);
                let place = self.place(File::Domain, section.ty.span);
                let diagnostic =
                    problem(Code::NothingOfNature, message, place, "no type of agents");
                let help = if acting.is_empty() {
                    "give the actions an `:agent`, or make them an `:event`".to_owned()
                } else {
                    self.names_of_agents(&acting)
                };
                self.push(diagnostic.help(help));
            }
            named.push(types);
        }
        named
    }

    /// Weights are for what nature can do.
    fn check_weighted(&mut self, domain: &Domain, named: &[Vec<TypeId>]) {
        for action in &domain.actions {
            let Some(weight) = &action.weight else {
                continue;
            };
            let agent = action.agent.as_ref();
            let types = agent.map(|agent| self.known_types(agent.ty.as_ref()));
            let is_drawn = action.kind != ast::ActionKind::Primitive
                && types
                    .is_some_and(|types| named.iter().any(|of| self.symbols.overlap(&types, of)));
            if is_drawn {
                continue;
            }
            let place = self.place(File::Domain, weight.span());
            let message = format!("`{}` has a weight, and is never drawn", action.name.text);
            let diagnostic = Diagnostic::new(Code::WeightWithoutNature, message).primary(
                place.source,
                place.span,
                "its agents are not of nature",
            );
            self.push(diagnostic.help(match agent.and_then(|agent| agent.ty.as_ref()) {
                Some(TypeExpr::Named(ty)) => format!(
                    "remove `:weight`, or let chance decide for agents of the type: `(:role {} nature)`",
                    ty.text
                ),
                _ => "remove `:weight`, or declare whom chance decides for: `(:role type nature)`"
                    .to_owned(),
            }));
        }
    }
}

impl Body<'_, '_> {
    /// `:weight e`: a whole number; one that is known must be usable.
    pub(super) fn weight(&mut self, action: &ast::Action) -> Option<Expr> {
        let term = action.weight.as_ref()?;
        self.need(Need::Nature, term.span());
        let weight = self.whole_number(term)?;
        if let Expr::Constant(value) = weight
            && !(0..TOO_HEAVY).contains(&value)
        {
            let place = self.place(term.span());
            let message = format!("{value} is no weight");
            self.push(
                problem(
                    Code::BadWeight,
                    message,
                    place,
                    "must be from 0 to 2147483647",
                )
                .help("only the ratio of the weights matters: use smaller ones"),
            );
            return None;
        }
        Some(weight)
    }
}
