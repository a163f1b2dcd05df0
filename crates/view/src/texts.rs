//! The texts of an episode's prompts, each kept once: what a model is sent mostly repeats what it was sent before.

use std::collections::BTreeMap;

use brigade_play::episode::Event;
use serde_json::Value;

use crate::shorten::Shortener;

/// The texts of prompts.
#[derive(Clone, Debug, Default)]
pub struct Texts {
    pub(crate) all: Vec<String>,
    pub(crate) shortener: Shortener,
    known: BTreeMap<String, usize>,
    bytes: usize,
}

impl Texts {
    /// Replaces the texts of the messages of a question to a model by their places, so that they take no memory again.
    pub fn take(&mut self, event: &mut Event) {
        let Event::Call(call) = event else {
            return;
        };
        let messages = call
            .request
            .get_mut("messages")
            .and_then(Value::as_array_mut);
        for message in messages.into_iter().flatten() {
            let content = match message.get("content") {
                Some(Value::String(content)) => content.clone(),
                Some(other) => other.to_string(),
                None => message.to_string(),
            };
            let role = message.get("role").and_then(Value::as_str);
            let role = role.unwrap_or_default().to_owned();
            *message = serde_json::json!({"role": role, "text": self.place(&content)});
        }
        for text in [&mut call.answer, &mut call.reasoning, &mut call.tool]
            .into_iter()
            .flatten()
        {
            *text = self.shortener.text(text);
            self.bytes += text.len();
        }
    }

    /// The bytes of all texts that were kept.
    pub const fn bytes(&self) -> usize {
        self.bytes
    }

    fn place(&mut self, text: &str) -> usize {
        let short = self.shortener.text(text);
        if let Some(&place) = self.known.get(&short) {
            return place;
        }
        let place = self.all.len();
        self.bytes += short.len();
        self.all.push(short.clone());
        self.known.insert(short, place);
        place
    }
}

#[cfg(test)]
mod tests {
    use super::Texts;
    use brigade_play::episode::Event;

    #[test]
    fn a_text_is_kept_once() {
        let mut texts = Texts::default();
        let line = r#"{"event":"call","tick":0,"agent":"chef","module":"reasoner","model":"m","tries":1,"request":
            {"temperature":0,"messages":[{"role":"system","content":"cook"},{"role":"user","content":["a",1]}]}}"#;
        for _ in 0..2 {
            let mut event: Event = serde_json::from_str(line).expect("a call");
            texts.take(&mut event);
            let Event::Call(call) = event else {
                panic!("a call");
            };
            assert_eq!(call.request["messages"][0]["text"], 0);
            assert_eq!(call.request["messages"][1]["text"], 1);
            assert_eq!(call.request["temperature"], 0);
        }
        assert_eq!(texts.all, ["cook", "[\"a\",1]"]);
        assert_eq!(texts.bytes(), 11);
    }
}
