//! Derived predicates: their rules, and the stratification that gives negation a meaning.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use petgraph::graphmap::DiGraphMap;

use super::body::Body;
use super::context::Context;
use super::model::{Axiom, Cond, FluentId, FluentKind, TypeId};
use super::reads::{fluents_of_cond, fluents_of_expr};
use super::report::{File, Place, problem};
use super::requirements::Need;
use brigade_diagnostics::Code;
use brigade_syntax::ast::{Derived, Domain};

impl Context<'_> {
    /// Marks which predicates are derived; before anything uses them.
    pub(super) fn declare_derived(&mut self, domain: &Domain) {
        for derived in &domain.derived {
            if let Some(fluent) = self.symbols.fluent(&derived.name)
                && self.symbols.is_predicate(fluent)
            {
                self.symbols.fluents[fluent.index()].kind = FluentKind::Derived;
            }
        }
    }

    /// Marks the derived predicates that no condition tests and that have words: no state needs them.
    pub(super) fn find_only_observed(&mut self) {
        for fluent in &mut self.symbols.fluents {
            fluent.is_only_observed = fluent.kind == FluentKind::Derived
                && !fluent.texts.is_empty()
                && !self
                    .usage
                    .tested
                    .contains(&fluent.name.to_ascii_lowercase());
        }
    }

    /// Resolves all rules and checks that they are stratified.
    pub(super) fn axioms(&mut self, domain: &Domain) -> Vec<Axiom> {
        let mut axioms = Vec::new();
        let mut places = Vec::new();
        for derived in &domain.derived {
            if let Some(axiom) = self.axiom(derived) {
                places.push(self.place(File::Domain, derived.name.span));
                axioms.push(axiom);
            }
        }
        self.check_stratified(&axioms, &places);
        axioms
    }

    fn axiom(&mut self, derived: &Derived) -> Option<Axiom> {
        self.need(File::Domain, Need::DerivedPredicates, derived.name.span);
        let mut body = Body::new(self, File::Domain);
        let fluent = body.predicate(&derived.name);
        let bindings = body.declare(&derived.params);
        if let Some(fluent) = fluent {
            let symbols = &body.cx.symbols;
            let info = &symbols.fluent_info[fluent.index()];
            let params = symbols.fluents[fluent.index()].params.clone();
            if info.sound && params.len() == bindings.len() {
                for ((&binding, typed), declared) in
                    bindings.iter().zip(&derived.params).zip(&params)
                {
                    if typed.ty.is_none() {
                        body.scope.variables[binding.index()]
                            .types
                            .clone_from(declared);
                    } else {
                        let types = body.scope.types(binding).to_vec();
                        body.check_derived_parameter(derived, typed.name.span, &types, declared);
                    }
                }
            } else if info.sound {
                let callee = Rc::clone(&info.callee);
                body.argument_count(&callee, bindings.len(), derived.name.span);
            }
        }
        let rule = body.cond(&derived.body);
        if body.is_sound() {
            body.warn_of_unused();
        }
        let place = body.place(derived.name.span);
        Some(Axiom {
            fluent: fluent?,
            place: (place.source, place.span),
            variables: body.scope.variables,
            parameters: bindings.len(),
            body: rule,
        })
    }

    /// No derived predicate may depend on its own negation: within a strongly connected component
    /// of the dependency graph no edge may be negative (Thiébaux, Hoffmann and Nebel 2005).
    fn check_stratified(&mut self, axioms: &[Axiom], places: &[Place]) {
        let mut graph = DiGraphMap::<u32, ()>::new();
        let mut negative: BTreeMap<(FluentId, FluentId), Place> = BTreeMap::new();
        for (axiom, &place) in axioms.iter().zip(places) {
            let mut reads = Vec::new();
            dependencies(&axiom.body, false, &mut reads);
            for (read, negated) in reads {
                if self.symbols.is_derived(read) {
                    graph.add_edge(axiom.fluent.0, read.0, ());
                    if negated {
                        negative.entry((axiom.fluent, read)).or_insert(place);
                    }
                }
            }
        }
        let mut component_of = BTreeMap::new();
        for (number, component) in petgraph::algo::kosaraju_scc(&graph).iter().enumerate() {
            component_of.extend(component.iter().map(|&fluent| (fluent, number)));
        }
        let mut reported = BTreeSet::new();
        for (&(from, to), &place) in &negative {
            let component = component_of.get(&from.0);
            if component != component_of.get(&to.0) || !reported.insert(component) {
                continue;
            }
            let name = |fluent: FluentId| &self.symbols.fluents[fluent.index()].name;
            let message = format!(
                "the rules for `{}` depend on the negation of `{}`, which depends on `{0}`",
                name(from),
                name(to)
            );
            self.push(
                problem(Code::Unstratified, message, place, "not well defined")
                    .help("a derived predicate must not depend on its own negation"),
            );
        }
    }
}

impl Body<'_, '_> {
    fn check_derived_parameter(
        &mut self,
        derived: &Derived,
        span: brigade_diagnostics::span::Span,
        types: &[TypeId],
        declared: &[TypeId],
    ) {
        let symbols = &self.cx.symbols;
        if symbols.overlap(types, declared) {
            return;
        }
        let place = self.place(span);
        if self.cx.is_of_wrong_types(types, declared, place) {
            return;
        }
        let symbols = &self.cx.symbols;
        let (is, needed) = (symbols.type_names(types), symbols.type_names(declared));
        self.push(
            problem(
                Code::ArgumentType,
                format!(
                    "the predicate `{}` needs type `{needed}` here",
                    derived.name.text
                ),
                place,
                format!("this has type `{is}`"),
            )
            .help("give the parameter the type that `:predicates` gives it"),
        );
    }
}

/// The fluents that a condition reads, and whether under a negation. Counts and comparisons are
/// not monotone and count as negations.
fn dependencies(cond: &Cond, negated: bool, into: &mut Vec<(FluentId, bool)>) {
    match cond {
        Cond::True | Cond::False => {}
        Cond::Atom(fluent, _) => into.push((*fluent, negated)),
        Cond::Not(one) => dependencies(one, !negated, into),
        Cond::And(all) | Cond::Or(all) => {
            for one in all {
                dependencies(one, negated, into);
            }
        }
        Cond::Forall(_, one) | Cond::Exists(_, one) => dependencies(one, negated, into),
        Cond::Same(..) => {
            let mut fluents = Vec::new();
            fluents_of_cond(cond, &mut fluents);
            into.extend(fluents.into_iter().map(|fluent| (fluent, true)));
        }
        Cond::Compare(_, left, right) => {
            let mut fluents = Vec::new();
            fluents_of_expr(left, &mut fluents);
            fluents_of_expr(right, &mut fluents);
            into.extend(fluents.into_iter().map(|fluent| (fluent, true)));
        }
    }
}
