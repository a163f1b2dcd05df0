//! Macro actions that were decided on, pursued step by step.
//!
//! One is pursued until it is done, until it cannot be done any more, or until a step towards it has
//! brought it no nearer, as where two stand in each other's way: then the mind is asked anew.

use super::Team;
use super::scene::Scene;
use brigade_play::agents::{Action, Choice, View};
use brigade_play::episode::Outcome;
use brigade_play::macro_actions::{MacroAction, macro_actions};
use brigade_task::State;

impl Team<'_> {
    /// Returns whether an agent goes on with the macro action that was decided on, or begins it now.
    pub(super) fn pursues(&mut self, scene: &Scene<'_>, mind: usize, place: usize) -> bool {
        let known = &self.minds[mind];
        let Some(command) = known.queues[place].front().cloned() else {
            return false;
        };
        let agent = known.agents[place];
        let Some(left) = known.left[place] else {
            // Decided on in this timestep, for all.
            return known.planned_at == Some(scene.tick);
        };
        let way = self.macro_action(scene.state, agent, &command);
        if way.is_some_and(|way| way.steps < left) {
            return true;
        }
        let why = match way {
            Some(_) => format!("`{command}` came no nearer: something is in the way."),
            None => format!("`{command}` cannot be done any more."),
        };
        let mind = &mut self.minds[mind];
        mind.queues[place].clear();
        mind.left[place] = None;
        mind.story.push(why.clone());
        if mind.setup.design.correction.feedback {
            mind.feedback.push(why);
        }
        false
    }

    /// The step by which an agent does or approaches what it was decided that it gets done; `None` if
    /// that is a single action.
    pub(super) fn towards(
        &mut self,
        view: &View<'_>,
        mind: usize,
        place: usize,
        command: &str,
    ) -> Option<Choice> {
        let agent = view.agent;
        let Some(way) = self.macro_action(view.state, agent, command) else {
            let labels = self.lexicon.labels(self.task, agent, command);
            if labels.is_none_or(|labels| labels.is_empty()) {
                return None;
            }
            let why = format!("`{command}` cannot be done from here");
            self.note(
                agent,
                mind,
                Outcome::IllegalAction,
                why.clone() + ".",
                false,
            );
            return Some(Choice {
                action: Action::Unreadable(command.to_owned(), why),
                message: None,
            });
        };
        let mind = &mut self.minds[mind];
        let is_last = way.steps == 1;
        mind.left[place] = (!is_last).then_some(way.steps);
        let mut does = command.to_owned();
        if !is_last {
            mind.queues[place].push_front(command.to_owned());
            does = format!("on the way to {command}");
        }
        if let Some(pending) = &mut self.pending[agent] {
            pending.outcome = Outcome::Ok;
            pending.command = Some(does);
        }
        Some(way.first.into())
    }

    /// The macro action of an agent that a command means.
    fn macro_action(&self, state: &State, agent: usize, command: &str) -> Option<MacroAction> {
        let labels = self.lexicon.labels(self.task, agent, command)?;
        let mut macros = macro_actions(self.task, state, agent).into_iter();
        macros.find(|it| labels.contains(&it.label))
    }
}
