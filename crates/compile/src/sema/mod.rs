//! AST → [`Model`]: names, types and arities resolved; every semantic error reported.
//!
//! [`resolve`] runs these passes over one domain and one problem, each in its own file:
//!
//! 1. `usage`: which fluents effects change and which terms read.
//! 2. Declarations, so that uses may come before them: `types`, `objects`, `fluents`, `axioms`
//!    (which predicates are derived), `actions` (their parameters).
//! 3. `metric` and `costs`: what each unbounded number is for.
//! 4. Bodies, each with the variables of its `scope`: `actions`, `events`, `axioms`, the goal.
//!    They are made of `conditions`, `effects` and `assign`, `terms` (objects) with their
//!    `arguments`, `exprs` (numbers) and `templates` (texts), all methods of one
//!    `body::Body`. `bodies` then looks at what a `do` performs where.
//! 5. `init`, `waits` and `layout`; then `costs` are scaled to whole numbers, and `requirements` compared
//!    with what was used.
//!
//! Every pass reports what it finds and goes on. To keep one mistake from raising others, an
//! unknown type counts as `object`, a name declared twice is no longer checked at its uses, and
//! what cannot be resolved is left out; a model is returned only if nothing was wrong.

mod actions;
mod arguments;
mod assign;
mod axioms;
mod bodies;
mod body;
mod causes;
mod conditions;
mod context;
mod costs;
mod dashes;
mod effects;
mod events;
mod exprs;
mod fluents;
mod goal;
mod init;
mod layout;
mod metric;
mod misdeclared;
mod misfits;
pub mod model;
mod nature;
mod objects;
mod performed;
pub(crate) mod reads;
mod report;
mod requirements;
mod scaled;
mod scope;
mod symbols;
mod templates;
mod terms;
mod totals;
mod types;
mod usage;
mod waits;

use brigade_diagnostics::span::Span;
use brigade_diagnostics::{Code, Diagnostic, Diagnostics, SourceId, suggest};
use brigade_syntax::ast::{Domain, Formula, LiveEffects, Name, Problem, TurnMode};
use context::Context;
use init::InitialState;
use model::{Metric, Model};
pub use report::Files;
use report::{File, Place, Reporter, problem as report_problem};
use requirements::Need;
pub use requirements::beyond_pddl;

/// The semantics where none is asked for.
pub const DEFAULT_SEMANTICS: &str = "clean";

/// The options of resolution. They are built from the default ones:
///
/// ```
/// use brigade_compile::sema::Options;
///
/// let options = Options::default().with_semantics("upstream");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[must_use]
pub struct Options {
    /// The named semantics, in any case. A domain that declares none has `clean` only.
    pub semantics: String,
}

impl Options {
    /// Resolves under the semantics of this name, in any case. Default: `clean`.
    pub fn with_semantics(mut self, semantics: impl Into<String>) -> Self {
        self.semantics = semantics.into();
        self
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            semantics: DEFAULT_SEMANTICS.to_owned(),
        }
    }
}

/// Resolves a domain and a problem. Everything that is wrong with either is pushed to
/// `diagnostics`. `None` if that then holds an error, also one from reading the files: what could
/// not be read is not in the AST, so a model of the rest would mislead.
pub fn resolve(
    domain: &Domain,
    problem: &Problem,
    options: &Options,
    files: Files,
    diagnostics: &mut Diagnostics,
) -> Option<Model> {
    resolve_files(domain, Some(problem), options, files, diagnostics)
}

/// Checks a domain alone, as [`resolve`] would together with a problem. False if `diagnostics`
/// then holds an error.
pub fn resolve_domain(
    domain: &Domain,
    options: &Options,
    source: SourceId,
    diagnostics: &mut Diagnostics,
) -> bool {
    let files = Files {
        domain: source,
        problem: source,
    };
    resolve_files(domain, None, options, files, diagnostics).is_some()
}

/// Resolves what could be read. Where the reader may have lost declarations, names that seem
/// unknown are not reported: the reader's own reports come first.
fn resolve_files(
    domain: &Domain,
    problem: Option<&Problem>,
    options: &Options,
    files: Files,
    diagnostics: &mut Diagnostics,
) -> Option<Model> {
    let declarations_lost = diagnostics.iter().any(Diagnostic::may_lose_declarations);
    if !declarations_lost {
        return resolve_declared(domain, problem, options, files, diagnostics);
    }
    let mut found = Diagnostics::new();
    resolve_declared(domain, problem, options, files, &mut found);
    diagnostics.extend(
        found
            .iter()
            .filter(|diagnostic| !diagnostic.code.is_about_a_name())
            .cloned(),
    );
    None
}

fn resolve_declared(
    domain: &Domain,
    problem: Option<&Problem>,
    options: &Options,
    files: Files,
    diagnostics: &mut Diagnostics,
) -> Option<Model> {
    let reporter = Reporter::new(files, diagnostics);
    let mut cx = Context::new(reporter, &options.semantics, &domain.semantics);
    cx.check_semantics(domain);
    cx.check_domain_name(domain, problem);
    cx.usage = usage::survey(domain, problem, &cx.semantics, &cx.reporter);

    cx.declare_types(domain);
    cx.declare_objects(&domain.constants, File::Domain);
    cx.symbols.constants = cx.symbols.objects.len();
    if let Some(problem) = problem {
        cx.declare_objects(&problem.objects, File::Problem);
    }
    cx.declare_fluents(domain);
    cx.declare_derived(domain);
    cx.declare_actions(domain);

    let metric = problem.map_or(Metric::Default, |problem| cx.metric(problem));
    cx.find_roles();
    cx.find_scales(&domain.facts, File::Domain);
    if let Some(problem) = problem {
        cx.find_scales(&problem.init, File::Problem);
    }

    cx.fluent_texts(domain);
    cx.observers(domain);
    cx.find_only_observed();
    let mut actions = cx.actions(domain);
    cx.check_primitives(&actions);
    let mut events = cx.events(domain);
    cx.check_performed(&actions, &events);
    let axioms = cx.axioms(domain);
    let tick = cx.tick(domain);
    let mut state = InitialState::default();
    cx.add_facts(&domain.facts, File::Domain, &mut state);
    let ours = |of: fn(&Problem) -> Option<&Formula>| problem.and_then(of);
    let fail = cx.closing(domain.fail.as_ref(), ours(|problem| problem.fail.as_ref()));
    let end = cx.closing(domain.end.as_ref(), ours(|problem| problem.end.as_ref()));
    let (mut goal, mut goal_text, mut horizon, mut agents) = (None, None, None, Vec::new());
    if let Some(problem) = problem {
        cx.add_facts(&problem.init, File::Problem, &mut state);
        goal = cx.goal(problem, end.is_some());
        goal_text = cx.goal_text(problem);
        horizon = cx.horizon(problem);
        agents = cx.agents(domain, &actions);
    }
    let metric_place = problem
        .and_then(|problem| problem.metric.as_ref())
        .map(|metric| cx.place(File::Problem, metric.span));
    let longest_wait = cx.longest_wait(domain);
    let of_nature = cx.nature(domain, &mut agents);
    let must_act = cx.must_act(domain, &agents);
    let layout = cx.layout(domain, problem);
    cx.settle_misdeclared(domain, &state);
    let (init, timed) = state.into_facts();
    let costs = cx.settle_costs(&mut actions, &mut events, &init, metric_place);
    if let Some(turns) = &domain.turns {
        cx.need(File::Domain, Need::MultiAgent, turns.span);
        if turns.any_order && turns.mode != TurnMode::Sequential {
            let place = cx.place(File::Domain, turns.span);
            let diagnostic = Diagnostic::new(Code::OrderOfTurns, "such turns have no order")
                .primary(place.source, place.span, "agents act at once, or by turns");
            cx.reporter.push(
                diagnostic
                    .help("write `(:turns sequential :order any)`, or leave out `:order any`"),
            );
        }
    }
    let live_effects = cx.live_effects(domain);
    cx.check_requirements(domain, problem);
    cx.report_missing();

    if cx.reporter.error_count() > 0 {
        return None;
    }
    let name = |name: Option<&brigade_syntax::ast::Name>| {
        name.map(|name| name.text.to_string()).unwrap_or_default()
    };
    Some(Model {
        domain: name(domain.name.as_ref()),
        problem: name(problem.and_then(|problem| problem.name.as_ref())),
        own_problem: name(problem.and_then(|it| it.own_name.as_ref().or(it.name.as_ref()))),
        semantics: cx.semantics,
        types: cx.symbols.types,
        objects: cx.symbols.objects,
        fluents: cx.symbols.fluents,
        actions,
        events,
        axioms,
        tick,
        turns: domain
            .turns
            .as_ref()
            .map_or(TurnMode::Sequential, |turns| turns.mode),
        any_order: domain.turns.as_ref().is_some_and(|turns| turns.any_order),
        longest_wait,
        must_act,
        of_nature,
        live_effects,
        agents,
        init,
        timed,
        goal,
        goal_text,
        fail,
        end,
        horizon,
        metric,
        metric_place: metric_place.map(|place| (place.source, place.span)),
        totals: costs.totals,
        cost_scale: costs.unit,
        initial_cost: costs.initial,
        layout,
    })
}

impl Context<'_> {
    /// The representation of live effects: that of the chosen semantics, else the one that names no semantics. All
    /// declarations are checked.
    fn live_effects(&mut self, domain: &Domain) -> LiveEffects {
        let (mut chosen, mut general) = (None, None);
        for kept in &domain.live_effects {
            self.need(File::Domain, Need::DelayedEffects, kept.span);
            match &kept.semantics {
                None => general = Some(kept.kind),
                Some(name) => {
                    let place = self.place(File::Domain, name.span);
                    if self.is_chosen(name, place) {
                        chosen = Some(kept.kind);
                    }
                }
            }
        }
        chosen.or(general).unwrap_or(LiveEffects::Set)
    }

    /// The chosen semantics must be one of those that the domain declares; one that declares none has
    /// `clean` only.
    fn check_semantics(&mut self, domain: &Domain) {
        let mut seen: Vec<(String, Span)> = Vec::new();
        for name in &domain.semantics {
            if let Some((_, first)) = seen.iter().find(|(key, _)| *key == name.key()) {
                let first = self.place(File::Domain, *first);
                let again = self.place(File::Domain, name.span);
                self.push(report::duplicate("semantics", &name.text, again, first));
            }
            seen.push((name.key(), name.span));
        }
        let (Some(first), Some(last)) = (domain.semantics.first(), domain.semantics.last()) else {
            if self.semantics != DEFAULT_SEMANTICS {
                self.refuse_semantics(domain);
            }
            return;
        };
        if seen.iter().any(|(key, _)| *key == self.semantics) {
            return;
        }
        let names = || domain.semantics.iter().map(|name| name.text.as_str());
        let quoted: Vec<String> = names().map(|name| format!("`{name}`")).collect();
        let near = suggest(&self.semantics, names());
        let help = match near {
            Some(near) if self.semantics == DEFAULT_SEMANTICS => {
                format!("write `{DEFAULT_SEMANTICS}` for `{near}`")
            }
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("choose one of {} with `--semantics`", quoted.join(", ")),
        };
        let place = self.place(File::Domain, first.span.to(last.span));
        let message = format!("the domain has no semantics `{}`", self.semantics);
        let code = Code::UnknownSemantics;
        self.push(report_problem(code, message, place, "these are declared").help(help));
    }

    /// Refuses any semantics but the default of a domain that declares none.
    fn refuse_semantics(&mut self, domain: &Domain) {
        let name = domain.name.as_ref();
        let place = self.place(File::Domain, name.map(|name| name.span).unwrap_or_default());
        let message = format!("the domain has no semantics `{}`", self.semantics);
        let diagnostic = report_problem(
            Code::UnknownSemantics,
            message,
            place,
            "this domain declares none",
        );
        self.push(diagnostic.help(format!(
            "leave out `--semantics`, or declare it: `(:semantics {DEFAULT_SEMANTICS} {})`",
            self.semantics
        )));
    }

    /// Returns true if `name`, which must be a declared semantics, is the one chosen.
    fn is_chosen(&mut self, name: &Name, place: Place) -> bool {
        let key = name.key();
        if self.declared_semantics.iter().any(|one| one.key() == key) {
            return key == self.semantics;
        }
        if key == self.semantics {
            // That none of that name is declared was reported where they are.
            return true;
        }
        let names = self.declared_semantics.iter().map(|n| n.text.as_str());
        let otherwise = format!("declare it: `(:semantics {} …)`", name.text);
        let code = Code::UnknownSemantics;
        let diagnostic = report::unknown(code, "semantics", name, place, names, &otherwise);
        self.push(diagnostic);
        false
    }

    /// Warns of a problem that names another domain.
    fn check_domain_name(&mut self, domain: &Domain, problem: Option<&Problem>) {
        let (Some(ours), Some(named)) = (&domain.name, problem.and_then(|p| p.domain.as_ref()))
        else {
            return;
        };
        if ours.key() != named.key() {
            let (at, ours_at) = (
                self.place(File::Problem, named.span),
                self.place(File::Domain, ours.span),
            );
            self.push(
                report_problem(
                    Code::OtherDomain,
                    format!(
                        "the problem is for the domain `{}`, and is read with `{}`",
                        named.text, ours.text
                    ),
                    at,
                    "another name than that of the domain",
                )
                .secondary(ours_at.source, ours_at.span, "this domain is taken all the same")
                .help(match suggest(&named.text, [ours.text.as_str()]) {
                    Some(near) => format!("did you mean `(:domain {near})`?"),
                    None => format!(
                        "write `(:domain {})` if this domain is meant, else give the file of the other",
                        ours.text
                    ),
                }),
            );
        }
    }
}
