//! Brigade: a compiler, optimal planner and referee for multi-agent task domains.
//!
//! # From two texts to a plan and its references
//!
//! ```
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
//! let problem = brigade::compile(DOMAIN, PROBLEM)?;
//! let plan = problem.plan()?;
//! assert_eq!((plan.value.makespan, plan.value.labels), (3, 2));
//! for step in &plan.steps {
//!     println!("{} {}", step.tick, problem.task().operator(step.operator).name);
//! }
//! // Either cook lights, either pours: four references.
//! assert_eq!(problem.references()?.iter().count(), 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`compile`] rejects a text with all errors in it. [`Compiled::plan`] proves an optimum, or says why there is none.
//! Both errors are typed, and their `Display` is what the command line prints. [`load`] reads a problem from a file and
//! finds its domain by the rules of the command line.
//!
//! # Where to find what
//!
//! | to | use |
//! |---|---|
//! | compile, plan, derive references | [`compile`], [`load`], [`Compiled`] |
//! | choose objective, heuristic, memory and threads | [`search::SearchOptions`] |
//! | stop a search, follow its progress | [`search::Control`] |
//! | count and walk over all optimal plans | [`search::dag::PlanDag`] |
//! | list references, score against all of them | [`rats::References`], [`rats::tes`] |
//! | inspect a task: variables, operators, effects | [`task::Task`] |
//! | execute a task step by step | [`task::PackedTask`] |
//! | let agents act, write a policy | [`episode::Episode`], [`agents::Policy`] |
//! | score recorded episodes, compute regret | [`score`], [`score::process`] |
//! | read Robotouille's JSON and Overcooked's layouts | [`import`] |
//! | write a task for other planners and tools | [`classical`], [`task::json`] |
//! | add a heuristic | [`search::Heuristic`], [`search::HeuristicFactory`] |
//! | report errors in texts of your own | [`diagnostics`] |
//!
//! # Options and limits
//!
//! A search has no limits by default. [`SearchOptions`](search::SearchOptions) bounds its states and its memory, a
//! [`Control`](search::Control) its time. A search that is stopped keeps what it has proven:
//!
//! ```
//! use std::time::{Duration, Instant};
//!
//! use brigade::NotSolved;
//! use brigade::search::{Control, SearchOptions, StopReason};
//!
//! struct Deadline(Instant);
//!
//! impl Control for Deadline {
//!     fn stop(&self) -> Option<StopReason> {
//!         (Instant::now() >= self.0).then_some(StopReason::Time)
//!     }
//! }
//!
//! let problem = brigade::load("bundled:collab-overcooked/boiled_egg")?;
//! let options = SearchOptions::default().with_max_states(1_000);
//! let deadline = Deadline(Instant::now() + Duration::from_secs(600));
//! match problem.plan_with(&options, &deadline) {
//!     Err(NotSolved::Bounded { lower: Some(lower), reason, .. }) => {
//!         assert_eq!(reason, StopReason::States);
//!         assert!(lower.makespan <= 16);
//!     }
//!     other => panic!("{other:?}"),
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Agents that act
//!
//! A [`Policy`](agents::Policy) decides for one agent. The referee ([`Episode`](episode::Episode)) asks the policies,
//! refuses what the rules do not allow, and records every event. Here each cook does what is written for it:
//!
//! ```
//! use brigade::agents::{Policy, Scripted};
//! use brigade::episode::{EndReason, Episode, Event, Rules};
//!
//! # const DOMAIN: &str = "
//! #     (define (domain tea)
//! #       (:requirements :typing :multi-agent :delayed-effects :text)
//! #       (:types cook)
//! #       (:predicates (lit) (hot) (poured))
//! #       (:action light :agent ?c - cook :effect (and (lit) (after 2 (hot))) :label \"light()\")
//! #       (:action pour :agent ?c - cook :precondition (hot) :effect (poured) :label \"pour()\"))";
//! # const PROBLEM: &str = "
//! #     (define (problem tea-for-two) (:domain tea) (:objects ann bob - cook) (:goal (poured)))";
//! let problem = brigade::compile(DOMAIN, PROBLEM)?;
//! let mut policies: Vec<Box<dyn Policy>> = vec![
//!     Box::new(Scripted::parse("light()")),
//!     Box::new(Scripted::parse("wait\nwait\npour()")),
//! ];
//! let mut events: Vec<Event> = Vec::new();
//! let mut episode = Episode::new(problem.task(), Rules::default());
//! let end = episode.run(&mut policies, &mut events, &|| None)?;
//! assert_eq!((end.reason, end.ticks), (EndReason::Goal, 3));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The stages
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
//! Stage by stage, each with its options:
//!
//! ```
//! use brigade::diagnostics::{Diagnostics, Sources};
//! use brigade::search::{SearchOptions, Unlimited, solve};
//! use brigade::{ground, sema, syntax};
//!
//! # const DOMAIN: &str = "(define (domain d) (:predicates (lit)) (:action light :effect (lit)))";
//! # const PROBLEM: &str = "(define (problem p) (:domain d) (:goal (lit)))";
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
//! let options = SearchOptions::default().with_all_plans(true);
//! let result = solve(&task, &options, &Unlimited);
//! let plans = result.dag.ok_or("no plan, or not all were collected")?.count();
//! assert_eq!(plans.to_string(), "1");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "command-line")]
pub mod cli;
mod compiled;

pub use brigade_compile::{ground, sema, stream};
pub use brigade_diagnostics as diagnostics;
pub use brigade_formats::{self as import, classical};
#[cfg(feature = "command-line")]
pub use brigade_generate as generate;
#[cfg(feature = "lints")]
pub use brigade_lint as lint;
#[cfg(feature = "language-models")]
pub use brigade_llm as llm;
pub use brigade_play::{agents, episode, macro_actions, shown};
pub use brigade_rats as rats;
pub use brigade_report as report;
pub use brigade_score as score;
pub use brigade_search as search;
pub use brigade_syntax::{self as syntax, navigation};
pub use brigade_task as task;
#[cfg(feature = "command-line")]
pub use brigade_view as view;
#[cfg(feature = "command-line")]
pub use cli::{LoadError, load};
pub use compiled::{Compiled, NotSolved, Rejected, Report, compile};
