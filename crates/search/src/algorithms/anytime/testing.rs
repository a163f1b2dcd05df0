//! Tasks of a few lines, for the tests of searches for plans.

use crate::heuristics::{Estimate, Heuristic};
use brigade_compile::ground::{self, ground};
use brigade_compile::sema::{Files, Options, resolve};
use brigade_diagnostics::{Diagnostics, Sources};
use brigade_syntax::{parse_domain, parse_problem};
use brigade_task::facts::facts;
use brigade_task::{PackedTask, State};

/// The exit is so many steps away.
pub(crate) const LENGTH: u32 = 40;
/// So many places of a marsh, which leads back to the start alone, seem to be next to it.
const MARSH: usize = 30;

/// The task of a domain and a problem, with what does not matter to the goal.
pub(crate) fn task(domain: &str, problem: &str) -> PackedTask {
    let mut sources = Sources::new();
    let mut diagnostics = Diagnostics::new();
    let files = Files {
        domain: sources.add("domain.pddl", domain),
        problem: sources.add("problem.pddl", problem),
    };
    let domain = parse_domain(files.domain, domain, &mut diagnostics);
    let problem = parse_problem(files.problem, problem, &mut diagnostics);
    let options = Options::default().with_semantics("clean");
    let model = resolve(&domain, &problem, &options, files, &mut diagnostics).unwrap();
    let options = ground::Options::default().with_irrelevant_kept(true);
    ground(&model, &options).unwrap()
}

/// A way to the exit, and a marsh that is entered at the start.
pub(crate) fn marsh() -> PackedTask {
    let domain = "(define (domain marsh) (:requirements :strips :typing)
        (:types place)
        (:predicates (at ?p - place) (next ?p ?q - place))
        (:action walk :parameters (?p ?q - place) :precondition (and (at ?p) (next ?p ?q))
          :effect (and (not (at ?p)) (at ?q))))";
    let way: String = (0..LENGTH)
        .map(|it| format!(" (next w{it} w{})", it + 1))
        .collect();
    let marsh: String = (0..MARSH)
        .map(|it| format!(" (next m{it} m{}) (next m{it} w0)", (it + 1) % MARSH))
        .collect();
    let names = (0..=LENGTH).map(|it| format!(" w{it}"));
    let names: String = names
        .chain((0..MARSH).map(|it| format!(" m{it}")))
        .collect();
    let problem = format!(
        "(define (problem leave) (:domain marsh) (:objects{names} - place)
          (:init (at w0) (next w0 m0){way}{marsh}) (:goal (at w{LENGTH})))"
    );
    task(domain, &problem)
}

/// Knows how far the exit is, but of the marsh only that it is not there.
pub(crate) struct Misled<'t>(pub(crate) &'t PackedTask);

impl Heuristic for Misled<'_> {
    fn estimate(&mut self, state: &State) -> Estimate {
        let facts = facts(self.0, state);
        let mut at = facts
            .iter()
            .filter_map(|fact| fact.strip_prefix("(at w")?.strip_suffix(')')?.parse().ok());
        Estimate {
            makespan: at.next().map_or(1, |at: u32| LENGTH - at),
            ..Estimate::ZERO
        }
    }

    fn bytes(&self) -> usize {
        0
    }
}
