//! Brigade: a compiler, optimal planner and referee for multi-agent task domains.
//!
//! The pipeline runs in one direction:
//!
//! ```text
//! syntax → sema → ground → task → { search → rats, episode → score } → report
//! ```
//!
//! [`syntax`] reads text into an AST with spans; [`sema`] resolves it into a typed, lifted
//! [`Model`](sema::model::Model); [`ground`] turns that into a finite [`Task`](task::Task);
//! [`search`] proves optimal plans of a task and [`rats`] projects the DAG of all of them to
//! reference action trajectories. The core is pure: files, clock, network and terminal live
//! in [`cli`], network and clock also in the client of language models ([`llm`]).
//!
//! # From two texts to the references
//!
//! ```
//! use brigade::diagnostics::{Diagnostics, Sources};
//! use brigade::rats::{Limits, References};
//! use brigade::search::{SearchOptions, Unlimited, solve};
//! use brigade::{ground, sema, syntax};
//!
//! const DOMAIN: &str = "
//!     (define (domain tea)
//!       (:requirements :typing :multi-agent :delayed-effects :text)
//!       (:types cook)
//!       (:predicates (lit) (hot) (poured))
//!       (:action light :agent ?c - cook
//!         :effect (and (lit) (after 2 (hot)))
//!         :label \"light()\")
//!       (:action pour :agent ?c - cook
//!         :precondition (else \"the water is cold\" (hot))
//!         :effect (poured)
//!         :label \"pour()\"))";
//! const PROBLEM: &str = "
//!     (define (problem tea-for-two)
//!       (:domain tea)
//!       (:objects ann bob - cook)
//!       (:goal (poured)))";
//!
//! // Whatever is wrong with the texts is collected here.
//! let mut diagnostics = Diagnostics::new();
//! let mut sources = Sources::new();
//! let files = sema::Files {
//!     domain: sources.add("tea-domain.pddl", DOMAIN),
//!     problem: sources.add("tea.pddl", PROBLEM),
//! };
//! let domain = syntax::parse_domain(files.domain, DOMAIN, &mut diagnostics);
//! let problem = syntax::parse_problem(files.problem, PROBLEM, &mut diagnostics);
//! let options = sema::Options::default();
//! let model = sema::resolve(&domain, &problem, &options, files, &mut diagnostics);
//! let model = model.ok_or("see the diagnostics")?;
//! let task = ground::ground(&model, &ground::Options::default())?;
//!
//! let options = SearchOptions { all: true, ..SearchOptions::default() };
//! let result = solve(&task, &options, &Unlimited);
//! let plan = result.outcome.plan().ok_or("no plan exists")?;
//! assert_eq!((plan.value.makespan, plan.value.labels), (3, 2));
//!
//! let dag = result.dag.as_ref().ok_or("not all plans were collected")?;
//! let agents: Vec<String> = task.agents.iter().map(|agent| agent.name.clone()).collect();
//! let references = References::derive(dag, &agents, &task.labels, &Limits::default());
//! // Either cook lights, either pours: four references.
//! assert_eq!(references.iter().count(), 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "command-line")]
pub mod cli;

pub use brigade_compile::{ground, sema, stream};
pub use brigade_diagnostics as diagnostics;
pub use brigade_formats::{self as import, classical};
#[cfg(feature = "command-line")]
pub use brigade_generate as generate;
#[cfg(feature = "lints")]
pub use brigade_lint as lint;
#[cfg(feature = "language-models")]
pub use brigade_llm as llm;
pub use brigade_play::{agents, episode, macro_actions};
pub use brigade_rats as rats;
pub use brigade_report as report;
pub use brigade_score as score;
pub use brigade_search as search;
pub use brigade_syntax::{self as syntax, navigation};
pub use brigade_task as task;
