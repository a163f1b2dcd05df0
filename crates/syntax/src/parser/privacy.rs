//! `:private` among declarations, as MA-PDDL has it: read as declarations like others, since every agent
//! knows all objects and facts here, which is said.

use std::collections::BTreeSet;

use super::super::ast::{FluentDecl, Name, Private, Typed};
use super::super::tree::{Node, Tree};
use super::context::Context;
use super::entry::Entry;
use super::fluents::FluentSection;
use super::private_block::private_items;
use brigade_diagnostics::Code;

impl Context<'_> {
    /// The items of `:objects` or `:constants`.
    pub(super) fn objects(
        &mut self,
        items: &[Tree<'_>],
        objects: &mut Vec<Typed>,
        private: &mut Vec<Private>,
    ) {
        if !items.iter().any(|item| private_items(item).is_some()) {
            return objects.extend(self.typed_list(items, Entry::Name));
        }
        let public: BTreeSet<String> = items
            .iter()
            .filter_map(Tree::name)
            .map(str::to_ascii_lowercase)
            .collect();
        self.blocks(items, |context, items, is_private| {
            let from = objects.len();
            let (agent, items) = match items {
                // An agent that is an object itself; where a dash follows it, it is declared here.
                [agent, rest @ ..]
                    if is_private
                        && !rest.first().is_some_and(|next| next.is_name("-"))
                        && agent
                            .name()
                            .is_some_and(|name| public.contains(&name.to_ascii_lowercase())) =>
                {
                    (context.name(agent, "an agent"), rest)
                }
                items => (None, items),
            };
            objects.extend(context.typed_list(items, Entry::Name));
            if is_private && from < objects.len() {
                private.push(Private {
                    agent: agent.map(|name| Typed { name, ty: None }),
                    from,
                    until: objects.len(),
                });
            }
        });
    }

    /// The items of `:predicates` or `:functions`.
    pub(super) fn fluents_of(
        &mut self,
        items: &[Tree<'_>],
        section: FluentSection,
        fluents: &mut Vec<FluentDecl>,
        private: &mut Vec<Private>,
    ) {
        if !items.iter().any(|item| private_items(item).is_some()) {
            return self.fluents(items, section, fluents);
        }
        self.blocks(items, |context, items, is_private| {
            let from = fluents.len();
            let (agent, items) = if is_private {
                context.agent_of_block(items)
            } else {
                (None, items)
            };
            context.fluents(items, section, fluents);
            if is_private && from < fluents.len() {
                private.push(Private {
                    agent,
                    from,
                    until: fluents.len(),
                });
            }
        });
    }

    /// Takes blocks of private declarations, and what stands between them, one after another. Each block is
    /// reported.
    fn blocks<'t, 's>(
        &mut self,
        items: &'t [Tree<'s>],
        mut take: impl FnMut(&mut Self, &'t [Tree<'s>], bool),
    ) {
        let mut rest = items;
        while !rest.is_empty() {
            let at = rest.iter().position(|item| private_items(item).is_some());
            let (before, after) = rest.split_at(at.unwrap_or(rest.len()));
            if !before.is_empty() {
                take(self, before, false);
            }
            rest = after;
            if let Some((block, after)) = after.split_first() {
                let message = "every agent knows what `:private` declares";
                let diagnostic = self.at(
                    Code::PrivacyIgnored,
                    block.mark(),
                    message,
                    "read as public",
                );
                self.push(diagnostic);
                take(self, private_items(block).unwrap_or_default(), true);
                rest = after;
            }
        }
    }

    /// `?agent - type` at the beginning of a block of predicates or functions.
    fn agent_of_block<'t, 's>(&mut self, items: &'t [Tree<'s>]) -> (Option<Typed>, &'t [Tree<'s>]) {
        let Some((first, rest)) = items.split_first() else {
            return (None, items);
        };
        let Node::Variable(text) = first.node else {
            return (None, items);
        };
        let name = Name {
            text: text.into(),
            span: first.span,
        };
        match rest {
            [dash, ty, rest @ ..] if dash.is_name("-") => {
                let ty = self.type_expr(ty);
                (Some(Typed { name, ty }), rest)
            }
            rest => (Some(Typed { name, ty: None }), rest),
        }
    }
}
