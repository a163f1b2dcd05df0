//! Making a decision: what is thought of the others, the answer, the conversation, the verdict.

use super::super::chat::{ChatMessage, Role};
use super::super::design::{DecisionKind, Minds};
use super::super::form::{ActionFormat, Answer, Form};
use super::super::mind::{Turn, message};
use super::super::prompts::Slots;
use super::super::response::Class;
use super::super::thought::said;
use super::ask::{Answered, Asker, instructions, unfilled};
use super::scene::{Scene, bare};
use super::state::{NoDecision, Team};
use super::talk::is_talk;
use brigade_play::agents::PolicyError;
use brigade_play::episode::Outcome;
use brigade_task::effect::Record;
use brigade_task::{OperatorId, OperatorKind, PackedTask, State};

/// An answer as it was read.
struct Read {
    answer: Answer,
    text: String,
    format: ActionFormat,
}

impl<'a> Team<'a> {
    /// Lets a mind decide, and puts what it decides into its queues.
    pub(super) fn decide(
        &mut self,
        scene: &Scene<'_>,
        mind: usize,
    ) -> Result<Result<(), NoDecision>, PolicyError> {
        let setup = self.minds[mind].setup;
        let design = setup.design;
        let form = scene.form(&self.minds[mind], design.communication().is_some());
        let mut slots = scene.slots(&self.minds[mind], &form);
        let partners = self.task.players() > 1;
        if let Some(module) = design.theory_of_mind().filter(|_| partners) {
            let text = self.render(mind, &module.template, &slots)?;
            let asker = self.asker(scene, mind, "theory-of-mind");
            let messages = self.chat(mind, &slots, text)?;
            slots.belief = self.ask_text(&setup, asker, messages)?;
        }
        slots.example = !setup.demonstration.is_empty();
        let mut objections = 0;
        let (read, question) = loop {
            let question = self.render(mind, &design.reasoner.template, &slots)?;
            let mut messages =
                instructions(self.render(mind, &design.instructions.template, &slots)?);
            messages.extend(setup.demonstration.iter().cloned());
            messages.extend(self.minds[mind].resent());
            messages.push(message(Role::User, question.clone()));
            let asker = self.asker(scene, mind, "reasoner");
            let answered = self.ask(&setup, asker, &form, messages)?;
            let read = match self.read(scene.agent, mind, answered) {
                Ok(read) => read,
                Err(none) => return Ok(Err(none)),
            };
            let Some(verifier) = design.verifier() else {
                break (read, question);
            };
            if objections == verifier.retries {
                break (read, question);
            }
            objections += 1;
            let Some(why) = self.objection(scene, mind, &slots, &form, &read)? else {
                break (read, question);
            };
            slots.feedback.push(why);
        };
        let mut answer = read.answer;
        if let Some(plan) = self.converse(scene, mind, &answer)? {
            answer.actions = vec![plan];
        }
        self.remember(mind, &form, question, &read.text, &answer, read.format);
        if let Some(none) = self.take_up(scene, mind, &form, &answer) {
            return Ok(Err(none));
        }
        Ok(Ok(()))
    }

    /// Reads the decision out of an answer, if it has one.
    fn read(&mut self, agent: usize, mind: usize, answered: Answered) -> Result<Read, NoDecision> {
        let class = answered.completion.class();
        let text = said(&answered.completion.text);
        let is_cut = class == Class::Truncated;
        if let Some(pending) = &mut self.pending[agent] {
            pending.is_cut = is_cut;
        }
        let is_lenient = self.minds[mind].setup.asking.lenient;
        match answered.reading.acting(is_lenient) {
            Ok(answer) => Ok(Read {
                answer,
                text,
                format: answered.format,
            }),
            Err(unreadable) if is_cut => Err(NoDecision {
                answer: text,
                why: format!("it was cut off at the limit of tokens, and {unreadable}"),
                outcome: Outcome::Truncated,
            }),
            Err(unreadable) => Err(NoDecision {
                answer: text,
                why: unreadable.to_string(),
                outcome: if class == Class::Filtered {
                    Outcome::Filtered
                } else {
                    Outcome::Unparseable
                },
            }),
        }
    }

    /// Returns the objection of the verifier to a decision.
    fn objection(
        &mut self,
        scene: &Scene<'_>,
        mind: usize,
        slots: &Slots<'_>,
        decided: &Form,
        read: &Read,
    ) -> Result<Option<String>, PolicyError> {
        let setup = self.minds[mind].setup;
        let Some(verifier) = setup.design.verifier() else {
            return Ok(None);
        };
        let form = Form {
            reasoning: true,
            verdict: true,
            ..Form::default()
        };
        let slots = Slots {
            proposal: decided.put(&read.answer, ActionFormat::Text),
            answer: form.instructions(setup.asking.format),
            example: false,
            ..slots.clone()
        };
        let text = self.render(mind, &verifier.template, &slots)?;
        let messages = self.chat(mind, &slots, text)?;
        let asker = self.asker(scene, mind, "verifier");
        let answered = self.ask(&setup, asker, &form, messages)?;
        // A verdict that cannot be read is none: the decision stands.
        let verdict = answered.reading.lenient.ok();
        Ok(verdict
            .filter(|verdict| verdict.accepts == Some(false))
            .map(|verdict| {
                let why = verdict.reasoning.unwrap_or_default();
                format!("On a second look your decision was rejected: {why}")
            }))
    }

    /// Learns from what went wrong.
    pub(super) fn learn(&mut self, mind: usize, story: Vec<String>) -> Result<(), PolicyError> {
        let setup = self.minds[mind].setup;
        let Some(reflection) = setup.design.reflection() else {
            return Ok(());
        };
        let task = self.task;
        let agent = self.minds[mind].agents[0];
        let scene = Scene {
            task,
            state: &task.initial,
            tick: 0,
            max_ticks: self.max_ticks,
            agent,
            seed: self.seed,
        };
        let slots = Slots {
            story,
            ..scene.slots(&self.minds[mind], &Form::text())
        };
        let text = self.render(mind, &reflection.template, &slots)?;
        let messages = self.chat(mind, &slots, text)?;
        // What it learns from was decided last.
        let tick = self.minds[mind].planned_at.unwrap_or(0);
        let asker = Asker {
            tick,
            ..self.asker(&scene, mind, "reflection")
        };
        let lesson = match self.ask_text(&setup, asker, messages) {
            // A story that is too long for its model leaves no lesson.
            Err(PolicyError::GaveUp(_)) if std::mem::take(&mut self.is_too_long) => return Ok(()),
            answer => answer?,
        };
        if !lesson.is_empty() {
            self.minds[mind].lessons.push(lesson);
        }
        Ok(())
    }

    /// Puts a decision into the queues of the mind, if it holds one and that stands its test.
    fn take_up(
        &mut self,
        scene: &Scene<'_>,
        mind: usize,
        form: &Form,
        answer: &Answer,
    ) -> Option<NoDecision> {
        let watched = self.watched(scene, mind);
        let none = |why: String| NoDecision {
            answer: form.put(answer, ActionFormat::Text),
            why,
            outcome: Outcome::Unparseable,
        };
        let design = self.minds[mind].setup.design;
        if design.plan.checked_first
            && let Some(why) = self.flaw(scene, answer)
        {
            let outcome = Outcome::IllegalAction;
            return Some(NoDecision {
                outcome,
                ..none(why)
            });
        }
        let deciders = scene.deciders(&self.minds[mind]);
        let mind = &mut self.minds[mind];
        mind.planned_at = Some(scene.tick);
        mind.watched = watched;
        mind.seen.clear();
        mind.heard.clear();
        if design.minds == Minds::One {
            mind.feedback.clear();
        }
        mind.drop_plans();
        if scene.task.any_order {
            mind.order
                .extend(answer.order.iter().map(|&at| deciders[at]));
        }
        for (agent, actions) in deciders.into_iter().zip(&answer.actions) {
            let own = actions.iter().filter(|action| !is_talk(action)).cloned();
            if let Some(place) = mind.place(agent) {
                mind.queues[place] = match design.decision {
                    DecisionKind::Action => own.take(1).collect(),
                    DecisionKind::Plan | DecisionKind::PlanAndStates => own.collect(),
                };
            }
        }
        None
    }

    /// The first action of a plan that would not be possible when it comes to be taken.
    fn flaw(&self, scene: &Scene<'_>, answer: &Answer) -> Option<String> {
        let mut state = scene.state.to_owned();
        for command in answer.actions.first()? {
            let resolved = self
                .lexicon
                .resolve(self.task, &state, scene.agent, command);
            let resolved = match resolved {
                Ok(resolved) => resolved,
                // The legal actions are listed once, for the state at the end.
                Err(refusal) => return Some(bare(*refusal)),
            };
            let mut next = Some(resolved.operator);
            let mut left = resolved.repeat;
            while let Some(operator) = next {
                let mut record = Record::default();
                if self
                    .task
                    .step(&mut state, &[operator], &mut record)
                    .is_err()
                {
                    return Some(format!("`{command}` follows the end of the task"));
                }
                left = left.saturating_sub(1);
                next = (left > 0).then_some(operator);
                // What takes several timesteps goes on to its end before the next action.
                next = next.or_else(|| going_on(self.task, &state, scene.agent));
            }
        }
        None
    }

    /// The chat of a module that has no history: instructions and one question.
    pub(super) fn chat(
        &self,
        mind: usize,
        slots: &Slots<'_>,
        question: String,
    ) -> Result<Vec<ChatMessage>, PolicyError> {
        let template = &self.minds[mind].setup.design.instructions.template;
        let mut messages = instructions(self.render(mind, template, slots)?);
        messages.push(message(Role::User, question));
        Ok(messages)
    }

    pub(super) fn render(
        &self,
        mind: usize,
        template: &str,
        slots: &Slots<'_>,
    ) -> Result<String, PolicyError> {
        let prompts = self.minds[mind].setup.prompts;
        prompts.render(template, slots).map_err(unfilled)
    }

    /// Returns the asker; the question is counted for the agent of the scene.
    pub(super) fn asker(
        &mut self,
        scene: &Scene<'_>,
        mind: usize,
        module: &'static str,
    ) -> Asker<'a> {
        if let Some(pending) = &mut self.pending[scene.agent] {
            pending.calls += 1;
        }
        let is_team = self.minds[mind].setup.design.minds == Minds::One;
        Asker {
            agent: if is_team {
                ""
            } else {
                self.task.agents[scene.agent].name.as_str()
            },
            module,
            tick: scene.tick,
        }
    }

    fn remember(
        &mut self,
        mind: usize,
        form: &Form,
        question: String,
        text: &str,
        answer: &Answer,
        format: ActionFormat,
    ) {
        let put = form.put(answer, format);
        let action = Form {
            reasoning: false,
            ..form.clone()
        }
        .put(answer, ActionFormat::Text);
        self.minds[mind].remember(Turn {
            question,
            // Of a tool's call there is no text.
            answer: if text.trim().is_empty() {
                put
            } else {
                text.trim().to_owned()
            },
            action,
        });
    }
}

/// Returns the operator by which an agent goes on with what it has started, if it has not finished.
fn going_on(task: &PackedTask, state: &State, agent: usize) -> Option<OperatorId> {
    let mut legal = task.applicable(state, agent);
    legal.find(|&operator| task.operator(operator).kind == OperatorKind::Continue)
}
