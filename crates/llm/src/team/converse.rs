//! A conversation: one agent has said something, the others answer, until there is no more to say.

use super::super::form::{Answer, Deciders, Decision};
use super::super::prompts::{Slots, Utterance};
use super::partner::Occasion;
use super::scene::Scene;
use super::state::Team;
use super::talk::{Speech, is_talk, requested, verdict};
use brigade_play::agents::PolicyError;
use brigade_play::episode::{Event, Requested, Responded, Said};

impl Team<'_> {
    /// Lets the others answer what the mind of the agent in the scene has said and asked, and it them, if
    /// it has and the design lets it. Returns what that agent plans at the end of it, if it planned anew.
    ///
    /// Those who answer plan as well; one that had nothing to do takes that up.
    pub(super) fn converse(
        &mut self,
        scene: &Scene<'_>,
        mind: usize,
        answer: &Answer,
    ) -> Result<Option<Vec<String>>, PolicyError> {
        let Some(communication) = self.minds[mind].setup.design.communication() else {
            return Ok(None);
        };
        let mut dialog = Vec::new();
        let planned = answer.actions.first().map_or(&[][..], Vec::as_slice);
        self.request(scene, scene.agent, planned);
        let speech = Speech::of(answer.say.as_deref(), planned);
        if self.utter(scene, &mut dialog, scene.agent, speech, &communication.end) {
            return Ok(None);
        }
        let mut plan = None;
        let others: Vec<usize> = (0..self.task.players())
            .filter(|&agent| agent != scene.agent && self.talks(agent))
            .collect();
        for _ in 0..communication.rounds {
            for agent in others.iter().copied().chain([scene.agent]) {
                if others.is_empty() {
                    return Ok(plan);
                }
                let speaker = Scene { agent, ..*scene };
                let answer = self.answer(&speaker, &dialog)?;
                let Some(answer) = answer else {
                    return Ok(plan);
                };
                let actions = answer.actions.into_iter().next();
                let planned = actions.as_deref().unwrap_or_default();
                let speech = Speech::of(answer.say.as_deref(), planned);
                self.request(scene, agent, planned);
                if agent == scene.agent {
                    plan = actions.or(plan);
                } else {
                    let actions = actions.unwrap_or_default();
                    self.respond(scene, agent, &actions);
                    self.take_over(agent, scene.tick, actions);
                }
                if self.utter(scene, &mut dialog, agent, speech, &communication.end) {
                    return Ok(plan);
                }
            }
        }
        Ok(plan)
    }

    /// Returns true if an agent takes part in conversations.
    fn talks(&self, agent: usize) -> bool {
        if self.partners.0[agent].is_some() {
            return true;
        }
        let mind = self.seats[agent].map(|mind| &self.minds[mind]);
        mind.is_some_and(|mind| mind.setup.design.communication().is_some())
    }

    /// Returns the plan and the message of an agent in a conversation; `None` if they cannot be read.
    fn answer(
        &mut self,
        scene: &Scene<'_>,
        dialog: &[Utterance],
    ) -> Result<Option<Answer>, PolicyError> {
        if let Some(partner) = &mut self.partners.0[scene.agent] {
            let said = partner.answer(&Occasion {
                task: scene.task,
                state: scene.state,
                tick: scene.tick,
                agent: scene.agent,
                dialog,
            })?;
            return Ok(said.map(spoken));
        }
        let Some(mind) = self.seats[scene.agent] else {
            return Ok(None);
        };
        let setup = self.minds[mind].setup;
        let Some(communication) = setup.design.communication() else {
            return Ok(None);
        };
        let mut form = scene.form(&self.minds[mind], true);
        if !scene.is_free(scene.agent) {
            // One that is busy can only talk.
            form.decision = Some(Decision {
                plan: setup.design.decision.plan(),
                deciders: Deciders::Own(Vec::new()),
            });
        }
        let slots = Slots {
            dialog: dialog.to_vec(),
            ..scene.slots(&self.minds[mind], &form)
        };
        let text = self.render(mind, &communication.template, &slots)?;
        let messages = self.chat(mind, &slots, text)?;
        let asker = self.asker(scene, mind, "communicator");
        let answered = self.ask(&setup, asker, &form, messages)?;
        Ok(answered.reading.acting(setup.asking.lenient).ok())
    }

    /// Logs what a plan asks of others.
    fn request(&mut self, scene: &Scene<'_>, agent: usize, plan: &[String]) {
        let agents = &self.task.agents;
        let others: Vec<&str> = (0..self.task.players())
            .filter(|&other| other != agent)
            .map(|other| agents[other].name.as_str())
            .collect();
        let requests = plan.iter().filter_map(|entry| requested(entry, &others));
        for (of, action) in requests {
            self.journal.record(Event::Request(Requested {
                tick: scene.tick,
                agent: agents[agent].name.clone(),
                of: of.to_owned(),
                action,
            }));
        }
    }

    /// Logs what an agent promises the one that began.
    fn respond(&mut self, scene: &Scene<'_>, agent: usize, plan: &[String]) {
        let own = plan.iter().filter(|action| !is_talk(action));
        self.journal.record(Event::Response(Responded {
            tick: scene.tick,
            agent: self.task.agents[agent].name.clone(),
            of: self.task.agents[scene.agent].name.clone(),
            accepts: plan.iter().find_map(|entry| verdict(entry)),
            actions: own.cloned().collect(),
        }));
    }

    /// Sends the others a message, and logs the spoken part of it. Returns true if the conversation is at its end: the
    /// message was empty, left nothing open, was the word for the end, or repeated an earlier one.
    fn utter(
        &mut self,
        scene: &Scene<'_>,
        dialog: &mut Vec<Utterance>,
        agent: usize,
        speech: Option<Speech>,
        end: &str,
    ) -> bool {
        let Some(speech) = speech else {
            return true;
        };
        let name = self.task.agents[agent].name.clone();
        let is_repeated = dialog.iter().any(|earlier| earlier.text == speech.text);
        let is_end = speech.said.as_ref().is_some_and(|said| said.contains(end));
        if let Some(text) = speech.said {
            self.journal.record(Event::Message(Said {
                tick: scene.tick,
                agent: name.clone(),
                text,
            }));
        }
        dialog.push(Utterance {
            from: name,
            text: speech.text,
        });
        is_end || is_repeated || !speech.is_open
    }

    /// Gives an agent what it has planned in a conversation, if it has nothing else to do.
    fn take_over(&mut self, agent: usize, tick: u32, actions: Vec<String>) {
        let Some(mind) = self.seats[agent] else {
            return;
        };
        let mind = &mut self.minds[mind];
        let own = actions.into_iter().filter(|action| !is_talk(action));
        let own: std::collections::VecDeque<String> = own.collect();
        if let Some(place) = mind.place(agent)
            && mind.queues[place].is_empty()
            && !own.is_empty()
        {
            mind.queues[place] = own;
            mind.planned_at = Some(tick);
        }
    }
}

/// The answer of a partner who says this. An entry that speaks to others is one of a plan.
fn spoken(text: String) -> Answer {
    if is_talk(&text) {
        Answer {
            actions: vec![vec![text]],
            ..Answer::default()
        }
    } else {
        Answer {
            say: Some(text),
            ..Answer::default()
        }
    }
}
