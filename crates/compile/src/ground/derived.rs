//! Derived predicates that depend on nothing that changes: they are static facts, found once.
//!
//! Rules are evaluated bottom-up, predicates that depend on each other together, those that they
//! read first; so what a rule negates is complete when it is negated (stratified Datalog).

use std::rc::Rc;

use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;

use super::Options;
use super::bindings::Bindings;
use super::error::{GroundError, Schema};
use super::facts::Facts;
use super::formula::Cond;
use super::instances::{Matcher, instances};
use super::instantiate::Instantiator;
use super::join::Domain;
use super::patterns::patterns;
use super::ranges::ranges;
use super::work::Work;
use super::written::read_by;
use crate::sema::model::{FluentId, FluentKind, Model, ObjectId, Value};

/// Adds the facts of the derived predicates that never change to the static ones.
pub(super) fn derive<'m>(
    model: &'m Model,
    instantiator: &mut Instantiator<'m>,
    options: &Options,
    work: &Work<'_>,
) -> Result<(), GroundError> {
    let is_static = |fluent: FluentId| {
        model.fluents[fluent.index()].kind == FluentKind::Derived && instantiator.is_static(fluent)
    };
    let rules: Vec<usize> = (0..model.axioms.len())
        .filter(|&rule| is_static(model.axioms[rule].fluent))
        .collect();
    if rules.is_empty() {
        return Ok(());
    }
    let mut known = Facts::new(model.fluents.len());
    for (fluent, args, value) in instantiator.static_facts() {
        known.add_value(fluent, args, value, 0);
    }
    let mut strata = Strata {
        model,
        instantiator,
        known,
        instances: 0,
        made: vec![0; model.axioms.len()],
        limit: options.max_instances,
        work,
    };
    for stratum in in_order(model, &rules) {
        strata.complete(&stratum)?;
    }
    Ok(())
}

/// The rules of predicates that depend on each other together, what is read first.
fn in_order(model: &Model, rules: &[usize]) -> Vec<Vec<usize>> {
    let mut graph = DiGraph::<(), ()>::new();
    let nodes: Vec<_> = model.fluents.iter().map(|_| graph.add_node(())).collect();
    for &rule in rules {
        let axiom = &model.axioms[rule];
        for read in read_by(axiom) {
            graph.update_edge(nodes[axiom.fluent.index()], nodes[read.index()], ());
        }
    }
    // Components come in reverse topological order of "depends on": what is read first.
    let components = kosaraju_scc(&graph);
    let mut stratum_of = vec![0; model.fluents.len()];
    for (stratum, component) in components.iter().enumerate() {
        for node in component {
            stratum_of[node.index()] = stratum;
        }
    }
    let mut strata = vec![Vec::new(); components.len()];
    for &rule in rules {
        strata[stratum_of[model.axioms[rule].fluent.index()]].push(rule);
    }
    strata.retain(|rules| !rules.is_empty());
    strata
}

struct Strata<'a, 'm> {
    model: &'m Model,
    instantiator: &'a mut Instantiator<'m>,
    /// The facts that hold so far; of strata that are complete as if from the beginning.
    known: Facts,
    /// The number of instances that were made, and of each rule.
    instances: usize,
    made: Vec<usize>,
    limit: usize,
    work: &'a Work<'a>,
}

impl Strata<'_, '_> {
    /// Applies the rules until they give nothing new.
    fn complete(&mut self, rules: &[usize]) -> Result<(), GroundError> {
        let mut round = 0;
        // Instances that do not hold yet.
        let mut waiting: Vec<(usize, Vec<ObjectId>)> = Vec::new();
        loop {
            for &rule in rules {
                waiting.extend(self.instances(rule, round)?);
            }
            round += 1;
            let mut is_new = false;
            for (rule, objects) in std::mem::take(&mut waiting) {
                if self.holds(rule, &objects)? {
                    is_new |= self.add(self.model.axioms[rule].fluent, objects, round);
                } else {
                    waiting.push((rule, objects));
                }
            }
            if !is_new {
                break;
            }
        }
        for &rule in rules {
            self.known.settle(self.model.axioms[rule].fluent);
        }
        Ok(())
    }

    /// The instances of a rule whose plain conditions hold, one of them since this round.
    fn instances(
        &mut self,
        rule: usize,
        round: u32,
    ) -> Result<Vec<(usize, Vec<ObjectId>)>, GroundError> {
        let axiom = &self.model.axioms[rule];
        let parameters = &axiom.variables[..axiom.parameters];
        let domains = parameters.iter();
        let matcher = Matcher {
            patterns: patterns([&axiom.body], self.model, axiom.parameters),
            domains: domains
                .map(|variable| Rc::new(Domain::new(self.model, variable)))
                .collect(),
        };
        let made = self.made[rule];
        let left = self.limit - self.instances;
        let found = instances(&self.known, &matcher, round, made, left, self.work);
        self.work.check(|| self.schema(rule))?;
        let mut found = found.map_err(|size| GroundError::TooManyInstances {
            limit: self.limit,
            schema: self.schema(rule),
            size: size.to_string(),
            others: self.instances - made,
            ranges: ranges(self.model, parameters, &matcher.patterns),
        })?;
        self.made[rule] += found.len();
        self.instances += found.len();
        found.retain(|objects| self.instantiator.are_arguments(axiom.fluent, objects));
        Ok(found.into_iter().map(|objects| (rule, objects)).collect())
    }

    fn holds(&mut self, rule: usize, objects: &[ObjectId]) -> Result<bool, GroundError> {
        let axiom = &self.model.axioms[rule];
        let mut at: Bindings = objects.iter().copied().map(Some).collect();
        at.resize(axiom.variables.len(), None);
        let instantiator = &mut *self.instantiator;
        let body = instantiator.within(&axiom.variables, |this| this.cond(&axiom.body, &mut at));
        self.instantiator.check(|| self.schema(rule))?;
        Ok(body == Cond::True)
    }

    /// Adds a fact; false if it was known.
    fn add(&mut self, fluent: FluentId, objects: Vec<ObjectId>, round: u32) -> bool {
        let statics = &mut self.instantiator.statics;
        let value = Value::Boolean(true);
        if statics.get(&(fluent, objects.clone())) == Some(&value) {
            return false;
        }
        self.known.add_value(fluent, &objects, value, round);
        statics.insert((fluent, objects), value);
        true
    }

    fn schema(&self, rule: usize) -> Schema {
        let before = self.model.actions.len() + self.model.events.len();
        Schema::of(self.model, before + rule)
    }
}
