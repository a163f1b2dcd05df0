//! Agents that ask models, at work together in one episode.
//!
//! A [`Team`] holds the minds of all agents of an episode that ask a model; a [`Member`] is the policy of one of them.
//! Questions and their outcomes are reported as they happen ([`Listener`]), so that a log has it even if the run is
//! killed before the timestep is over.

mod ask;
mod converse;
mod decide;
mod journal;
mod macros;
mod partner;
mod scene;
mod schedule;
mod state;
mod talk;

#[cfg(test)]
mod tests;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

pub use journal::Listener;
pub use partner::{Occasion, Partner};
pub(crate) use scene::Scene;
pub use state::Team;
pub(crate) use talk::TALK;

use journal::Journal;
use partner::Partners;
use scene::bare;
use state::{NoDecision, Pending};

use super::design::{ActionsShown, DecisionKind, Design, Leave, Minds, ReflectAfter};
use super::mind::{Mind, Setup};
use super::prompts::Utterance;
use brigade_play::agents::{Action, Choice, Observation, Policy, PolicyError, View};
use brigade_play::episode::{Decided, EndReason, Event, Lexicon, Outcome, Rule};
use brigade_play::macro_actions;
use brigade_task::PackedTask;

/// The fault of a team.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TeamError {
    /// A design for all agents is given to some only.
    #[error(
        "design `{0}` decides for all agents: give it to every agent of the problem that asks a model"
    )]
    NotAll(String),
    /// A design for all agents, given to some only, would show what those do not observe.
    #[error(
        "design `{0}` sees what any agent sees, and not every agent sees all: give it to every agent of the problem"
    )]
    NotAllSee(String),
    /// A plan cannot be checked first.
    #[error(
        "design `{0}` checks a plan before it is carried out, which takes a problem of one agent"
    )]
    SeveralAgents(String),
    /// Macro actions would show what agents do not know.
    #[error(
        "design `{0}` shows what can be got done, by `actions = \"macros\"`, and that would show facts that \
         not every agent observes, or that come unannounced"
    )]
    Hidden(String),
}

/// One agent of a team.
#[derive(Debug)]
pub struct Member<'a> {
    team: Rc<RefCell<Team<'a>>>,
    agent: usize,
}

impl<'a> Member<'a> {
    /// The policy of an agent that has a seat in the team.
    pub const fn new(team: Rc<RefCell<Team<'a>>>, agent: usize) -> Self {
        Self { team, agent }
    }
}

impl Policy for Member<'_> {
    fn choose(&mut self, view: &View<'_>) -> Result<Choice, PolicyError> {
        self.team.borrow_mut().choose(view)
    }

    fn observe(&mut self, observation: &Observation<'_>) {
        self.team.borrow_mut().observe(self.agent, observation);
    }

    fn ended(&mut self, reason: EndReason) {
        // A timestep that ended the episode is none that will be observed.
        if !reason.is_cut_short() {
            self.team.borrow_mut().settle(self.agent);
        }
    }
}

impl<'a> Team<'a> {
    /// Creates a team: for each agent of the task its set-up, or none if it does not ask a model. The events go to
    /// `teller`.
    ///
    /// # Errors
    ///
    /// A design does not fit the problem or the other agents.
    pub fn new(
        task: &'a PackedTask,
        setups: &[Option<Setup<'a>>],
        (seed, epoch): (u64, u32),
        max_ticks: u32,
        listener: Listener<'a>,
    ) -> Result<Self, TeamError> {
        let designs = setups.iter().map(|setup| setup.map(|setup| setup.design));
        Self::check(task, &designs.collect::<Vec<_>>())?;
        let mut minds: Vec<Mind<'a>> = Vec::new();
        let mut seats = vec![None; setups.len()];
        for (agent, setup) in setups.iter().enumerate() {
            let Some(setup) = setup else { continue };
            if setup.design.minds == Minds::One {
                // It is the only one.
                if !minds.is_empty() {
                    seats[agent] = Some(0);
                    continue;
                }
                let agents = 0..task.players();
                let directed = agents.filter(|&agent| setups[agent].is_some());
                minds.push(Mind::new(*setup, directed.collect()));
            } else {
                minds.push(Mind::new(*setup, vec![agent]));
            }
            seats[agent] = Some(minds.len() - 1);
        }
        Ok(Self {
            task,
            lexicon: Lexicon::new(task),
            unread: vec![None; minds.len()],
            minds,
            seats,
            seed,
            epoch,
            max_ticks,
            requests: BTreeMap::new(),
            calls: 0,
            journal: Journal(listener),
            is_too_long: false,
            pending: vec![None; setups.len()],
            partners: Partners(setups.iter().map(|_| None).collect()),
        })
    }

    /// Lets somebody take part in conversations for an agent that asks no model.
    pub fn invite(&mut self, agent: usize, partner: Box<dyn Partner + 'a>) {
        self.partners.0[agent] = Some(partner);
    }

    /// Succeeds if these designs, for each agent of the task one or none, can play it together.
    ///
    /// # Errors
    ///
    /// One does not fit the problem or the other agents.
    pub fn check(task: &PackedTask, designs: &[Option<&Design>]) -> Result<(), TeamError> {
        for design in designs.iter().flatten() {
            if design.plan.checked_first && task.players() > 1 {
                return Err(TeamError::SeveralAgents(design.name.clone()));
            }
            if design.actions == ActionsShown::Macros && macro_actions::show_unknown(task) {
                return Err(TeamError::Hidden(design.name.clone()));
            }
            let mut others = designs.iter().copied().take(task.players());
            let is_same =
                |other: Option<&Design>| other.is_some_and(|it| std::ptr::eq(it, *design));
            let is_for_some = others.clone().any(|other| other.is_none());
            if design.minds == Minds::One && !others.all(|other| other.is_none() || is_same(other))
            {
                return Err(TeamError::NotAll(design.name.clone()));
            }
            if design.minds == Minds::One && is_for_some && task.observation.hides_some() {
                return Err(TeamError::NotAllSee(design.name.clone()));
            }
        }
        Ok(())
    }

    /// Returns the most retries of a failed task: the maximum of its designs.
    pub fn trials(&self) -> u32 {
        let reflections = self.minds.iter().filter_map(|mind| {
            let reflection = mind.setup.design.reflection()?;
            (reflection.after == ReflectAfter::Episode).then_some(reflection.trials)
        });
        reflections.max().unwrap_or(0)
    }

    /// Lets every mind learn from an episode that has failed, and begin anew.
    ///
    /// # Errors
    ///
    /// A model did not answer.
    pub fn reflect(&mut self) -> Result<(), PolicyError> {
        for mind in 0..self.minds.len() {
            let design = self.minds[mind].setup.design;
            let after = design.reflection().map(|reflection| reflection.after);
            if after == Some(ReflectAfter::Episode) {
                let story = self.minds[mind].story.clone();
                self.learn(mind, story)?;
            }
            self.minds[mind].start_anew();
        }
        self.pending.fill(None);
        self.unread.fill(None);
        Ok(())
    }

    fn choose(&mut self, view: &View<'_>) -> Result<Choice, PolicyError> {
        let agent = view.agent;
        let seat = self.seats[agent].and_then(|mind| Some((mind, self.minds[mind].place(agent)?)));
        let Some((mind, place)) = seat else {
            return Err(PolicyError::Failed("has no seat in its team".to_owned()));
        };
        let result = self.choose_in(view, mind, place);
        let Some(pending) = &mut self.pending[agent] else {
            return result;
        };
        match &result {
            Err(PolicyError::Infrastructure(_) | PolicyError::Configuration(_)) => {
                pending.outcome = Outcome::InfraError;
            }
            Err(PolicyError::GaveUp(_)) if self.is_too_long => pending.outcome = Outcome::Truncated,
            // What was refused before is what came of the timestep.
            Err(PolicyError::GaveUp(_)) if !pending.wrong.is_empty() => {}
            _ => return result,
        }
        self.settle(agent);
        result
    }

    fn choose_in(
        &mut self,
        view: &View<'_>,
        mind: usize,
        place: usize,
    ) -> Result<Choice, PolicyError> {
        let agent = view.agent;
        let design = self.minds[mind].setup.design;
        let pending = self.pending[agent].as_mut();
        let is_asked_again = pending.is_some_and(|pending| std::mem::take(&mut pending.is_later));
        if is_asked_again {
            // Others have acted first.
        } else if view.attempt == 0 {
            self.settle(agent);
            self.hear(view, mind);
            self.pay_lesson(mind, agent)?;
            self.pending[agent] = Some(Pending::new(view.tick));
            let patience = design.correction.give_up_after;
            if patience > 0 && self.minds[mind].failures >= patience {
                return Err(PolicyError::GaveUp(
                    "gave no command that could be carried out for too long".to_owned(),
                ));
            }
        } else {
            if view.attempt > design.correction.retries {
                self.minds[mind].drop_plans();
                return idle(view, "gives no command that is possible");
            }
            if design.plan.refused == Leave::Stop && design.decision != DecisionKind::Action {
                return Err(PolicyError::GaveUp("its plan is not possible".to_owned()));
            }
            self.minds[mind].drop_plans();
        }
        if let Some(pending) = &mut self.pending[agent]
            && !is_asked_again
        {
            pending.attempts += 1;
        }
        let scene = Scene {
            task: self.task,
            state: view.state,
            tick: view.tick,
            max_ticks: self.max_ticks,
            agent,
            seed: self.seed,
        };
        // Who decides for all has been asked for all.
        let known = self.unread[mind].as_ref().filter(|(tick, asked_for, _)| {
            design.minds == Minds::One && *tick == view.tick && *asked_for != agent
        });
        let decided = if let Some((_, _, unreadable)) = known {
            Err(unreadable.clone())
        } else {
            let decided = if self.needs_decision(&scene, mind, place)? {
                self.decide(&scene, mind)?
            } else {
                Ok(())
            };
            let unread = decided.as_ref().err();
            self.unread[mind] = unread.map(|unread| (view.tick, agent, unread.clone()));
            decided
        };
        if let Err(unreadable) = decided {
            let NoDecision {
                answer,
                why,
                outcome,
            } = unreadable;
            if outcome == Outcome::Filtered {
                return self.hold_back(view, mind, why);
            }
            self.note(agent, mind, outcome, why.clone(), true);
            return Ok(Choice {
                action: Action::Unreadable(answer, why),
                message: None,
            });
        }
        let order = &mut self.minds[mind].order;
        if order.front().is_some_and(|next| *next != agent) && order.contains(&agent) {
            if let Some(pending) = &mut self.pending[agent] {
                pending.is_later = true;
            }
            return Ok(Choice {
                action: Action::Later,
                message: None,
            });
        }
        order.pop_front();
        let Some(command) = self.next_command(&scene, mind, place) else {
            let why = format!("it has no action for {}", self.task.agents[agent].name);
            self.note(agent, mind, Outcome::Unparseable, why.clone(), true);
            return Ok(Choice {
                action: Action::Unreadable(String::new(), why),
                message: None,
            });
        };
        if design.actions == ActionsShown::Macros
            && let Some(choice) = self.towards(view, mind, place, &command)
        {
            return Ok(choice);
        }
        match self.lexicon.resolve(self.task, view.state, agent, &command) {
            Ok(_) => {
                if let Some(pending) = &mut self.pending[agent] {
                    pending.outcome = Outcome::Ok;
                    pending.command = Some(command.clone());
                }
            }
            Err(refusal) => {
                let pending = self.pending[agent].as_ref();
                let outcome = match refusal.rule {
                    // The beginning of an action's name.
                    Rule::UnknownAction if pending.is_some_and(|pending| pending.is_cut) => {
                        Outcome::Truncated
                    }
                    Rule::Malformed => Outcome::Unparseable,
                    _ => Outcome::IllegalAction,
                };
                // The design lists the legal actions, or they are not to be listed.
                self.note(agent, mind, outcome, bare(*refusal) + ".", false);
            }
        }
        Ok(Choice {
            action: Action::Text(command),
            message: None,
        })
    }

    /// Keeps what was said by those who ask no model. Of what models say they hear in their conversations.
    fn hear(&mut self, view: &View<'_>, mind: usize) {
        for said in view.messages {
            let is_first = self.minds[mind].agents.first() == Some(&view.agent);
            if is_first && self.seats[said.from].is_none() {
                self.minds[mind].heard.push(Utterance {
                    from: self.task.agents[said.from].name.clone(),
                    text: said.text.clone(),
                });
            }
        }
    }

    /// Records that an attempt failed, and adds the fault to the feedback for the mind.
    fn note(&mut self, agent: usize, mind: usize, outcome: Outcome, why: String, form: bool) {
        let fault = if form {
            format!("Your last answer could not be used: {why}.")
        } else if self.minds[mind].setup.design.minds == Minds::One {
            format!("{}: {why}", self.task.agents[agent].name)
        } else {
            why
        };
        if let Some(pending) = &mut self.pending[agent] {
            pending.outcome = outcome;
            pending.wrong.push(fault.clone());
        }
        let mind = &mut self.minds[mind];
        mind.story.push(fault.clone());
        if mind.setup.design.correction.feedback && mind.feedback.last() != Some(&fault) {
            mind.feedback.push(fault);
        }
    }

    /// Lets an agent wait whose answer a filter held back: that is final, and no fault of form for the feedback.
    fn hold_back(
        &mut self,
        view: &View<'_>,
        mind: usize,
        why: String,
    ) -> Result<Choice, PolicyError> {
        self.minds[mind].story.push(why.clone());
        if let Some(pending) = &mut self.pending[view.agent] {
            pending.outcome = Outcome::Filtered;
            pending.wrong.push(why);
        }
        idle(view, "has no answer that passes its provider's filter")
    }

    fn observe(&mut self, agent: usize, observation: &Observation<'_>) {
        let task = self.task;
        let Some(mind) = self.seats[agent] else {
            return;
        };
        let mind = &mut self.minds[mind];
        if mind.agents.first() == Some(&agent) {
            mind.saw(task, observation.joint);
        }
        // One that was not asked goes on with what was noted when it began.
        let asked = self.pending[agent].as_ref();
        let Some(pending) = asked.filter(|pending| pending.attempts > 0) else {
            return;
        };
        if let Some(command) = pending.command.clone() {
            mind.did(pending.tick, &task.agents[agent].name, &command);
            mind.failures = 0;
            if mind.setup.design.minds == Minds::Each {
                mind.feedback.clear();
            }
        } else {
            mind.failures += 1;
        }
        self.settle_keeping(agent);
    }

    /// Logs what came of a timestep for an agent, and forgets it.
    fn settle(&mut self, agent: usize) {
        self.settle_keeping(agent);
        if let Some(pending) = &self.pending[agent]
            && pending.wrong.is_empty()
        {
            self.pending[agent] = None;
        }
    }

    /// Logs what came of a timestep for an agent, once; what went wrong in it is kept for a lesson.
    fn settle_keeping(&mut self, agent: usize) {
        let Some(pending) = &mut self.pending[agent] else {
            return;
        };
        if pending.attempts == 0 {
            return;
        }
        self.journal.record(Event::Decision(Decided {
            tick: pending.tick,
            agent: self.task.agents[agent].name.clone(),
            outcome: pending.outcome,
            attempts: std::mem::take(&mut pending.attempts),
            calls: pending.calls,
        }));
    }

    /// Asks for the lesson of a correction, if there was one.
    fn pay_lesson(&mut self, mind: usize, agent: usize) -> Result<(), PolicyError> {
        let Some(pending) = self.pending[agent].take() else {
            return Ok(());
        };
        let Some(command) = pending.command else {
            return Ok(());
        };
        let reflection = self.minds[mind].setup.design.reflection();
        let after = reflection.map(|reflection| reflection.after);
        if pending.wrong.is_empty() || after != Some(ReflectAfter::Correction) {
            return Ok(());
        }
        let mut story = pending.wrong;
        story.push(format!("tick {}: {command}", pending.tick));
        self.learn(mind, story)
    }
}

/// Waits; who cannot gives up.
fn idle(view: &View<'_>, why: &str) -> Result<Choice, PolicyError> {
    match view.idle(why) {
        Err(PolicyError::Failed(why)) => Err(PolicyError::GaveUp(why)),
        idle => idle.map(Choice::from),
    }
}
