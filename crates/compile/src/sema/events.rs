//! Events, and the order of the tick.

use super::body::Body;
use super::context::Context;
use super::model::{Cond, Event, Phase};
use super::report::{self, File, problem};
use super::requirements::Need;
use brigade_diagnostics::Code;
use brigade_syntax::ast::{self, Domain};

const TIMERS: &str = "timers";
const TIMED_LITERALS: &str = "timed-literals";
const EARLY_LITERALS: &str = "early-literals";

/// The phases that are no events.
const PHASES: [&str; 3] = [TIMERS, TIMED_LITERALS, EARLY_LITERALS];

impl Context<'_> {
    /// Resolves all events.
    pub(super) fn events(&mut self, domain: &Domain) -> Vec<Event> {
        for (at, event) in domain.events.iter().enumerate() {
            let name = &event.name;
            let place = self.place(File::Domain, name.span);
            if PHASES.contains(&name.key().as_str()) {
                self.push(
                    problem(
                        Code::ReservedName,
                        format!("`{}` is a phase of the tick", name.text),
                        place,
                        "not a name for an event",
                    )
                    .help("choose another name"),
                );
            }
            if let Some(&first) = self.symbols.event_index.get(&name.key()) {
                let first = self.symbols.events[first].1;
                self.push(report::duplicate("event", &name.text, place, first));
            } else {
                self.symbols.event_index.insert(name.key(), at);
            }
            self.symbols.events.push((name.text.to_string(), place));
        }
        domain
            .events
            .iter()
            .map(|event| self.event(event))
            .collect()
    }

    fn event(&mut self, event: &ast::Event) -> Event {
        self.need(File::Domain, Need::Events, event.name.span);
        let mut body = Body::new(self, File::Domain);
        body.may_log = false;
        let parameters = body.declare(&event.parameters).len();
        body.misfits.parameters = parameters;
        let precondition = match &event.precondition {
            Some(formula) => body.cond(formula),
            None => Cond::True,
        };
        let effect = body.optional_effect(event.effect.as_ref());
        body.settle_misfits();
        if body.is_sound() {
            body.warn_of_unused();
        }
        let place = body.place(event.name.span);
        Event {
            name: event.name.text.to_string(),
            place: (place.source, place.span),
            variables: body.scope.variables,
            parameters,
            precondition,
            effect,
        }
    }

    /// The phases of the tick: those that `(:tick …)` names, which must be all of them but the early
    /// literals; by default timers, timed literals, then events in file order. Early literals that are
    /// not named come just before the timers.
    pub(super) fn tick(&mut self, domain: &Domain) -> Vec<Phase> {
        let default = [Phase::Timers, Phase::TimedLiterals]
            .into_iter()
            .chain((0..domain.events.len()).map(Phase::Event));
        let Some((names, span)) = &domain.tick else {
            return std::iter::once(Phase::EarlyLiterals)
                .chain(default)
                .collect();
        };
        self.need(File::Domain, Need::Events, *span);
        let mut tick: Vec<Phase> = Vec::new();
        for name in names {
            let place = self.place(File::Domain, name.span);
            let phase = match name.key().as_str() {
                TIMERS => Phase::Timers,
                TIMED_LITERALS => Phase::TimedLiterals,
                EARLY_LITERALS => Phase::EarlyLiterals,
                key => {
                    if let Some(&at) = self.symbols.event_index.get(key) {
                        Phase::Event(at)
                    } else {
                        let events = self.symbols.events.iter().map(|(name, _)| name.as_str());
                        let phases = events.chain(PHASES);
                        let phases = self.reporter.candidates(phases);
                        let diagnostic = report::unknown(
                            Code::UnknownEvent,
                            "phase or event",
                            name,
                            place,
                            phases,
                            "declare it: `(:event …)`",
                        );
                        self.push(diagnostic);
                        continue;
                    }
                }
            };
            if tick.contains(&phase) {
                self.push(
                    problem(
                        Code::RepeatedPhase,
                        format!("`{}` stands twice in `:tick`", name.text),
                        place,
                        "named before",
                    )
                    .help("each phase runs once a tick: remove one of the two"),
                );
            } else {
                tick.push(phase);
            }
        }
        let spelling = |phase: Phase| match phase {
            Phase::Timers => TIMERS.to_owned(),
            Phase::TimedLiterals => TIMED_LITERALS.to_owned(),
            Phase::EarlyLiterals => EARLY_LITERALS.to_owned(),
            Phase::Event(at) => self.symbols.events[at].0.clone(),
        };
        let absent: Vec<String> = default
            .filter(|phase| !tick.contains(phase))
            .map(|phase| format!("`{}`", spelling(phase)))
            .collect();
        let unknown = names.len() > tick.len();
        if !tick.contains(&Phase::EarlyLiterals) {
            let timers = tick.iter().position(|phase| *phase == Phase::Timers);
            tick.insert(timers.unwrap_or_default(), Phase::EarlyLiterals);
        }
        if !absent.is_empty() && !unknown {
            let place = self.place(File::Domain, *span);
            self.push(
                problem(
                    Code::IncompleteTick,
                    format!("`:tick` leaves out {}", absent.join(", ")),
                    place,
                    "does not name every phase",
                )
                .help("name `timers`, `timed-literals` and every event, in the order they run"),
            );
        }
        tick
    }
}
