//! Decides when a mind is asked: before each step, or once for a plan of its agent or a schedule of all.
//!
//! A schedule is at its end when nobody has anything left in it: who is through before waits for the others.

use super::super::design::{ActionsShown, DecisionKind, Leave, Minds};
use super::scene::Scene;
use super::state::Team;
use brigade_play::agents::PolicyError;
use brigade_task::facts::{facts_of, has_facts_of};
use brigade_task::{OperatorKind, TurnMode};

/// The command of an agent that has nothing left in a schedule.
const WAIT: &str = "wait";

impl Team<'_> {
    /// Returns whether a mind has to be asked before an agent can act.
    pub(super) fn needs_decision(
        &mut self,
        scene: &Scene<'_>,
        mind: usize,
        place: usize,
    ) -> Result<bool, PolicyError> {
        let design = self.minds[mind].setup.design;
        if design.actions == ActionsShown::Macros {
            return Ok(!self.pursues(scene, mind, place));
        }
        if design.decision == DecisionKind::Action {
            let mind = &mut self.minds[mind];
            let is_stale = mind.planned_at != Some(scene.tick);
            if is_stale && scene.task.turns != TurnMode::Alternate {
                mind.drop_plans();
            }
            return Ok(mind.queues[place].is_empty());
        }
        let has_planned = self.minds[mind].planned_at.is_some();
        let changes = if has_planned {
            self.changes(scene, mind)
        } else {
            Vec::new()
        };
        if !changes.is_empty() {
            let mind = &mut self.minds[mind];
            mind.drop_plans();
            let feedback = design.correction.feedback && design.minds == Minds::One;
            let new = changes.into_iter();
            let new = new.filter(|change| feedback && !mind.feedback.contains(change));
            mind.feedback.extend(new.collect::<Vec<_>>());
            return Ok(true);
        }
        if !self.minds[mind].queues[place].is_empty() || self.rests(scene, mind) {
            return Ok(false);
        }
        if has_planned && design.plan.exhausted == Leave::Stop {
            return Err(PolicyError::GaveUp("its plan is at an end".to_owned()));
        }
        Ok(true)
    }

    /// The next command of an agent of those that were decided, if there is any.
    pub(super) fn next_command(
        &mut self,
        scene: &Scene<'_>,
        mind: usize,
        place: usize,
    ) -> Option<String> {
        if let Some(command) = self.minds[mind].queues[place].pop_front() {
            self.minds[mind].acted_at = Some(scene.tick);
            return Some(command);
        }
        self.rests(scene, mind).then(|| WAIT.to_owned())
    }

    /// Returns whether an agent that has nothing left in a schedule waits: the others have something left, or there
    /// is nothing to do.
    fn rests(&self, scene: &Scene<'_>, mind: usize) -> bool {
        let mind = &self.minds[mind];
        let design = mind.setup.design;
        if design.minds != Minds::One || design.decision == DecisionKind::Action {
            return false;
        }
        let others_go_on =
            mind.acted_at == Some(scene.tick) || mind.queues.iter().any(|queue| !queue.is_empty());
        let mut legal = scene.task.applicable(scene.state, scene.agent);
        let can_wait = legal.any(|id| scene.task.operator(id).kind == OperatorKind::Wait);
        can_wait && (others_go_on || has_nothing_to_do(scene, &design.plan.pending))
    }

    /// The changes since the mind planned in what it watches.
    fn changes(&self, scene: &Scene<'_>, mind: usize) -> Vec<String> {
        let (before, now) = (&self.minds[mind].watched, self.watched(scene, mind));
        let new = now.iter().filter(|fact| !before.contains(fact));
        let gone = before.iter().filter(|fact| !now.contains(fact));
        let new = new.map(|fact| format!("now {fact}"));
        new.chain(gone.map(|fact| format!("no longer {fact}")))
            .collect()
    }

    /// The facts of the predicates and functions whose change makes a mind plan anew.
    pub(super) fn watched(&self, scene: &Scene<'_>, mind: usize) -> Vec<String> {
        let names = &self.minds[mind].setup.design.plan.changed;
        if names.is_empty() {
            return Vec::new();
        }
        facts_of(scene.task, scene.state, names)
    }
}

/// Returns whether none of the facts holds that say what is to be done, in a task that has such facts.
fn has_nothing_to_do(scene: &Scene<'_>, pending: &[String]) -> bool {
    !pending.is_empty()
        && has_facts_of(scene.task, pending)
        && facts_of(scene.task, scene.state, pending).is_empty()
}
