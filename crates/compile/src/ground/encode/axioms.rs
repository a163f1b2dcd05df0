//! The axioms of a task, by strata.

use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;

use crate::ground::encoder::{Encoder, Place};
use crate::ground::restricted::Ground;
use crate::ground::slots::{SlotId, SlotKey};
use crate::sema::model::Model;
use brigade_task::layout::VariableKind;
use brigade_task::{AxiomLayer, Axioms};

impl Encoder {
    /// Axioms by strata: predicates that depend on each other share one.
    pub(super) fn axioms(&self, model: &Model, ground: &Ground) -> Axioms {
        let mut graph = DiGraph::<(), ()>::new();
        let nodes: Vec<_> = model.fluents.iter().map(|_| graph.add_node(())).collect();
        let fluent = |slot: SlotId| match &ground.slots.get(slot).key {
            SlotKey::Fluent(fluent, _) => Some(fluent.index()),
            _ => None,
        };
        for rule in &ground.rules {
            let Some(head) = fluent(rule.head) else {
                continue;
            };
            let mut read = Vec::new();
            rule.body.slots(&mut read);
            for body in read.into_iter().filter_map(fluent) {
                graph.update_edge(nodes[head], nodes[body], ());
            }
        }
        // Components come in reverse topological order of "depends on": what is read first.
        let mut layer_of = vec![0; model.fluents.len()];
        let components = kosaraju_scc(&graph);
        let mut layers: Vec<AxiomLayer> = Vec::new();
        layers.resize_with(components.len(), AxiomLayer::default);
        for (layer, component) in components.iter().enumerate() {
            for node in component {
                layer_of[node.index()] = layer;
            }
        }
        for (slot, _) in ground.slots.iter() {
            if let Place::Fact { variable, .. } = self.places[slot.index()]
                && self.variables[variable.index()].kind == VariableKind::Derived
                && let Some(fluent) = fluent(slot)
            {
                layers[layer_of[fluent]].variables.push(variable);
            }
        }
        for rule in &ground.rules {
            if let Place::Fact { variable, .. } = self.places[rule.head.index()]
                && let Some(fluent) = fluent(rule.head)
            {
                let rule = (self.cond(&rule.body), variable);
                layers[layer_of[fluent]].rules.push(rule);
            }
        }
        layers.retain(|layer| !layer.variables.is_empty());
        Axioms { layers }
    }
}
