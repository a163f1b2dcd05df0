//! A person in the conversations of agents that ask models: it answers in its turn, as a model would.

use std::cell::RefCell;
use std::rc::Rc;

use super::Reply;
use super::hint::Hints;
use super::seated::Seated;
use super::setting::{Setting, Sight};
use crate::agents::PolicyError;
use crate::llm::{Occasion, Partner};

/// The answer that ends a conversation.
const NOTHING: &str = "say nothing more";

/// A person in conversations.
pub(super) struct Conversation<'c> {
    pub(super) seated: Rc<RefCell<Seated<'c>>>,
    pub(super) setting: Rc<Setting>,
    pub(super) hints: Rc<Hints<'c>>,
}

impl Partner for Conversation<'_> {
    fn answer(&mut self, occasion: &Occasion<'_>) -> Result<Option<String>, PolicyError> {
        let mut seated = self.seated.borrow_mut();
        let seated = &mut *seated;
        seated.read_mail(&self.setting);
        let agent = occasion.agent;
        let mut shown = self.setting.shown(&Sight {
            task: occasion.task,
            agent,
            tick: occasion.tick,
            attempt: 0,
            state: occasion.state,
            refusal: None,
        });
        shown.actions = vec![NOTHING.to_owned()];
        let dialog = occasion.dialog.iter();
        let dialog = dialog.map(|said| format!("{}: {}", said.from, said.text));
        shown.dialog = Some(dialog.collect());
        let said = loop {
            match seated.person.ask(&shown)? {
                Reply::Command(command) if command == NOTHING => break None,
                Reply::Command(text) => {
                    seated.person.tell(shown.said(&text));
                    break Some(text);
                }
                Reply::Talk(speaker, text) if speaker == agent => break Some(text),
                Reply::Hint(asking) => {
                    let at = (occasion.task, occasion.state);
                    seated.hint(&self.hints, at, asking)?;
                }
                talk @ Reply::Talk(..) => seated.later.push_back(talk),
            }
        };
        seated
            .journal
            .talked(&shown, said.as_deref().unwrap_or_default());
        Ok(said)
    }
}
