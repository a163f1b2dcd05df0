//! Renders the form for a model, and an answer in it.

use serde_json::{Map, Value, json};

use super::{ACCEPT, ActionFormat, Answer, Deciders, Form, Plan, REJECT, key};

/// The most options that letters can distinguish.
pub const MAX_LETTERS: usize = 52;

/// The letter of an option: `A` to `Z`, then `a` to `z`.
pub fn letter(index: usize) -> Option<char> {
    let letters = ('A'..='Z').chain('a'..='z');
    letters.into_iter().nth(index)
}

impl Form {
    /// Returns the instructions to the model on the format of the answer.
    pub fn instructions(&self, format: ActionFormat) -> String {
        match self.format(format) {
            _ if self.is_text() => "Answer in a few sentences.".to_owned(),
            ActionFormat::Text | ActionFormat::Grammar => {
                format!("Answer in exactly this form:\n{}", self.layout())
            }
            ActionFormat::Json => format!(
                "Answer with one JSON object of this form and nothing else:\n{}",
                self.example()
            ),
            ActionFormat::Tool => "Answer by calling the tool.".to_owned(),
            ActionFormat::Logprobs => {
                "Answer with the letter of the action you choose and nothing else.".to_owned()
            }
        }
    }

    /// Options as they are listed in a prompt: with letters where a letter is the answer.
    pub fn listed(&self, format: ActionFormat, options: &[String]) -> Vec<String> {
        let lettered = self.format(format) == ActionFormat::Logprobs;
        let lines = options.iter().enumerate();
        lines
            .map(|(index, option)| match letter(index).filter(|_| lettered) {
                Some(letter) => format!("{letter}. {option}"),
                None => option.clone(),
            })
            .collect()
    }

    /// The lines, with what belongs where in angle brackets.
    fn layout(&self) -> String {
        let mut lines = Vec::new();
        if self.reasoning {
            lines.push("Reasoning: <why, in one line>".to_owned());
        }
        if let Some(decision) = &self.decision {
            let several = decision.plan != Plan::No;
            match (&decision.deciders, decision.plan) {
                (Deciders::Own(_), Plan::No) => lines.push("Action: <one action>".to_owned()),
                (Deciders::Own(_), Plan::Actions) => {
                    lines.push("Plan: <action>; <action>; ...".to_owned());
                }
                (Deciders::Own(_), Plan::ActionsAndStates) => {
                    lines.push("Action: <first action>".to_owned());
                    lines.push("State: <what then holds>".to_owned());
                    lines.push("Action: <next action>".to_owned());
                    lines.push("State: ...".to_owned());
                }
                (Deciders::Each(agents), _) => {
                    let what = if several {
                        "<action>; <action>; ..."
                    } else {
                        "<one action>"
                    };
                    lines.extend(agents.iter().map(|(name, _)| format!("{name}: {what}")));
                }
            }
        }
        if self.verdict {
            lines.push(format!("Verdict: <{ACCEPT} or {REJECT}>"));
        }
        if self.say {
            lines.push("Say: <what you tell the others, or [NOTHING]>".to_owned());
        }
        lines.join("\n")
    }

    /// The JSON object, with what belongs where in angle brackets.
    fn example(&self) -> String {
        let action = || "<action>".to_owned();
        let several = |plan| if plan == Plan::No { 1 } else { 2 };
        let answer = Answer {
            reasoning: self.reasoning.then(|| "<why>".to_owned()),
            actions: self.decision.as_ref().map_or_else(Vec::new, |decision| {
                let actions = vec![action(); several(decision.plan)];
                vec![actions; decision.deciders.len()]
            }),
            order: Vec::new(),
            states: Vec::new(),
            say: self
                .say
                .then(|| "<what you tell the others, or [NOTHING]>".to_owned()),
            accepts: self.verdict.then_some(true),
        };
        let mut object = self.members(&answer);
        if self.verdict {
            object.insert(
                key::VERDICT.to_owned(),
                json!(format!("<{ACCEPT} or {REJECT}>")),
            );
        }
        Value::Object(object).to_string()
    }

    /// An answer put in this form: what a demonstration shows, and what a history repeats.
    pub fn put(&self, answer: &Answer, format: ActionFormat) -> String {
        match self.format(format) {
            ActionFormat::Json | ActionFormat::Tool => {
                Value::Object(self.members(answer)).to_string()
            }
            ActionFormat::Logprobs => {
                let chosen = answer.actions.first().and_then(|actions| actions.first());
                let options = self.lettered().unwrap_or_default();
                let index = options.iter().position(|option| Some(option) == chosen);
                index
                    .and_then(letter)
                    .map_or_else(String::new, String::from)
            }
            ActionFormat::Text | ActionFormat::Grammar => self.lines(answer),
        }
    }

    fn lines(&self, answer: &Answer) -> String {
        if self.is_text() {
            return answer.say.clone().unwrap_or_default();
        }
        let mut lines = Vec::new();
        let mut line = |key: &str, text: &str| lines.push(format!("{}: {text}", key::title(key)));
        if self.reasoning {
            line(
                key::REASONING,
                answer.reasoning.as_deref().unwrap_or_default(),
            );
        }
        if let Some(decision) = &self.decision {
            match &decision.deciders {
                Deciders::Own(_) => {
                    let actions = answer.actions.first().map_or(&[][..], Vec::as_slice);
                    match decision.plan {
                        Plan::No => line(key::ACTION, actions.first().map_or("", String::as_str)),
                        Plan::Actions => line(key::PLAN, &actions.join("; ")),
                        Plan::ActionsAndStates => {
                            for (index, action) in actions.iter().enumerate() {
                                line(key::ACTION, action);
                                if let Some(state) = answer.states.get(index) {
                                    line(key::STATE, state);
                                }
                            }
                        }
                    }
                }
                Deciders::Each(agents) => {
                    for ((name, _), actions) in agents.iter().zip(&answer.actions) {
                        lines.push(format!("{name}: {}", actions.join("; ")));
                    }
                }
            }
        }
        let mut line = |key: &str, text: &str| lines.push(format!("{}: {text}", key::title(key)));
        if let Some(accepts) = answer.accepts.filter(|_| self.verdict) {
            line(key::VERDICT, if accepts { ACCEPT } else { REJECT });
        }
        if self.say {
            line(key::SAY, answer.say.as_deref().unwrap_or("[NOTHING]"));
        }
        lines.join("\n")
    }

    fn members(&self, answer: &Answer) -> Map<String, Value> {
        let mut object = Map::new();
        let mut set = |key: &str, value: Value| {
            object.insert(key.to_owned(), value);
        };
        if self.reasoning {
            set(
                key::REASONING,
                json!(answer.reasoning.as_deref().unwrap_or_default()),
            );
        }
        if let Some(decision) = &self.decision {
            let one = |actions: &[String]| match decision.plan {
                Plan::No => json!(actions.first().map_or("", String::as_str)),
                Plan::Actions => json!(actions),
                Plan::ActionsAndStates => actions
                    .iter()
                    .enumerate()
                    .map(|(index, action)| {
                        let state = answer.states.get(index).map(String::as_str);
                        let state = state.unwrap_or("<what then holds>");
                        json!({ key::ACTION: action, key::STATE: state })
                    })
                    .collect(),
            };
            match &decision.deciders {
                Deciders::Own(_) => {
                    let actions = answer.actions.first().map_or(&[][..], Vec::as_slice);
                    let name = match decision.plan {
                        Plan::No => key::ACTION,
                        Plan::Actions | Plan::ActionsAndStates => key::PLAN,
                    };
                    set(name, one(actions));
                }
                Deciders::Each(agents) => {
                    for ((name, _), actions) in agents.iter().zip(&answer.actions) {
                        set(name, one(actions));
                    }
                }
            }
        }
        if let Some(accepts) = answer.accepts.filter(|_| self.verdict) {
            set(key::VERDICT, json!(if accepts { ACCEPT } else { REJECT }));
        }
        if self.say {
            set(
                key::SAY,
                json!(answer.say.as_deref().unwrap_or("[NOTHING]")),
            );
        }
        object
    }
}
