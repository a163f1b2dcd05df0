//! A model that needs no server: it draws each answer from the actions that its question lists.
//!
//! An answer depends on the question and its number alone, so equal runs have equal answers. It serves to try an
//! evaluation from end to end, and plays at chance.

use std::sync::Arc;

use brigade_task::split_mix::SplitMix;
use serde_json::{Map, Value, json};

use super::addressee::Addressee;
use super::budget::Budget;
use super::cassette::question_number;
use super::chat::{Chat, ChatRequest, Completion, Constraint, Finish, NoAnswer, Role, Take, Usage};

/// The text where a question asks for one.
const WORDS: &str = "(mock)";
/// The message to others.
const NOTHING: &str = "[NOTHING]";
/// The action where the question lists none.
const WAIT: &str = "wait";
/// The end of a line that a list of actions follows.
const LISTS: &str = " can do";
/// The line before the form of an answer.
const FORM: &str = "Answer in exactly this form:";
/// The bytes that are counted as a token.
const TOKEN: usize = 4;

/// A mock model.
#[derive(Debug)]
pub struct Mock {
    addressee: Addressee,
    budget: Arc<Budget>,
}

impl Mock {
    /// The base URL that stands for it.
    pub const BASE_URL: &'static str = "mock:";

    /// A model of a name. Its tokens are counted in `budget`.
    pub const fn new(addressee: Addressee, budget: Arc<Budget>) -> Self {
        Self { addressee, budget }
    }
}

impl Chat for Mock {
    fn complete(&self, request: &ChatRequest, take: Take) -> Result<Completion, NoAnswer> {
        self.budget.check()?;
        let number = question_number(&self.body(request), take);
        let asked = request.messages.iter().rev();
        let mut asked = asked.filter(|message| message.role == Role::User);
        let question = asked.next().map_or("", |message| &*message.content);
        let mut draw = Draw {
            lists: lists(question),
            random: SplitMix::new(number, 0),
        };
        let mut completion = Completion {
            finish: Finish::Stop,
            tries: 1,
            ..Completion::default()
        };
        match &request.constraint {
            Constraint::Free | Constraint::Grammar(_) => completion.text = draw.lines(question),
            Constraint::JsonSchema(schema) => completion.text = draw.value("", schema).to_string(),
            Constraint::Tool { parameters, .. } => {
                completion.tool_arguments = Some(draw.value("", parameters).to_string());
            }
            Constraint::Logprobs { .. } => {
                completion.text = draw.letter();
                completion.first_tokens = vec![(completion.text.clone(), 0.0)];
            }
        }
        let read = request.messages.iter().map(|message| &message.content);
        let written = completion.tool_arguments.iter().chain([&completion.text]);
        let usage = Usage {
            input: tokens(read),
            output: tokens(written),
            ..Usage::default()
        };
        completion.usage = Some(usage);
        self.budget.add(Some(usage));
        Ok(completion)
    }

    fn name(&self) -> &str {
        &self.addressee.model
    }

    fn body(&self, request: &ChatRequest) -> Value {
        request.body(&self.addressee)
    }
}

/// The actions that a question lists, under the line before them.
struct List<'q> {
    heading: &'q str,
    actions: Vec<&'q str>,
}

/// An answer as it is drawn.
struct Draw<'q> {
    lists: Vec<List<'q>>,
    random: SplitMix,
}

impl Draw<'_> {
    fn one_of<T: Clone>(&mut self, items: &[T]) -> Option<T> {
        (!items.is_empty()).then(|| items[self.random.below(items.len())].clone())
    }

    /// An action of an agent, or of the one who is asked.
    fn action(&mut self, whose: &str) -> String {
        let is_own = |list: &&List<'_>| list.heading.split_whitespace().next() == Some(whose);
        let own = self.lists.iter().find(is_own).or(self.lists.first());
        let actions = own.map_or_else(Vec::new, |list| list.actions.clone());
        self.one_of(&actions).unwrap_or(WAIT).to_owned()
    }

    /// The value under a key of an answer.
    fn word(&mut self, key: &str, whose: &str) -> String {
        match key {
            "reasoning" | "state" => WORDS.to_owned(),
            "say" => NOTHING.to_owned(),
            "verdict" => self.one_of(&["accept", "reject"]).unwrap_or("").to_owned(),
            _ => self.action(whose),
        }
    }

    /// The lines of the form that a question shows.
    fn lines(&mut self, question: &str) -> String {
        let Some((_, form)) = question.rsplit_once(FORM) else {
            return WORDS.to_owned();
        };
        let keys = form.lines().filter_map(|line| line.split_once(": "));
        let lines: Vec<String> = keys
            .map(|(key, _)| format!("{key}: {}", self.word(&key.to_ascii_lowercase(), key)))
            .collect();
        lines.join("\n")
    }

    /// A value that fits a schema; `whose` is the agent that it is about.
    fn value(&mut self, whose: &str, schema: &Value) -> Value {
        let options = schema["enum"].as_array();
        if let Some(option) = options.and_then(|options| self.one_of(options)) {
            return option;
        }
        match schema["type"].as_str() {
            Some("object") => {
                let members = schema["properties"].as_object().into_iter().flatten();
                let members = members.map(|(key, member)| (key.clone(), self.member(key, member)));
                Value::Object(members.collect::<Map<_, _>>())
            }
            Some("array") => json!([self.value(whose, &schema["items"])]),
            _ => json!(self.action(whose)),
        }
    }

    fn member(&mut self, key: &str, schema: &Value) -> Value {
        let is_text = schema["type"] == "string" && schema["enum"].is_null();
        if is_text {
            json!(self.word(key, key))
        } else {
            self.value(key, schema)
        }
    }

    /// The letter of an action that is listed with letters.
    fn letter(&mut self) -> String {
        let action = self.action("");
        let letter = action.split_once('.').map(|(letter, _)| letter.to_owned());
        letter.unwrap_or(action)
    }
}

/// The lists of actions of a question: a line that ends with `can do …:`, then a line for each.
fn lists(question: &str) -> Vec<List<'_>> {
    let mut lists: Vec<List<'_>> = Vec::new();
    let mut is_in = false;
    for line in question.lines().map(str::trim) {
        if line.contains(LISTS) && line.ends_with(':') {
            let actions = Vec::new();
            lists.push(List {
                heading: line,
                actions,
            });
            is_in = true;
        } else if line.is_empty() {
            is_in = false;
        } else if let Some(list) = lists.last_mut().filter(|_| is_in) {
            list.actions.push(line);
        }
    }
    lists
}

fn tokens<'t>(texts: impl Iterator<Item = &'t String>) -> u64 {
    let bytes: usize = texts.map(String::len).sum();
    bytes.div_ceil(TOKEN) as u64
}

#[cfg(test)]
mod tests {
    use super::super::chat::{ChatMessage, Sampling};
    use super::super::form::{ActionFormat, Deciders, Decision, Form, Plan};
    use super::*;

    const OPTIONS: [&str; 3] = ["wait", "take the egg", "cook the egg"];

    fn options() -> Vec<String> {
        OPTIONS.map(str::to_owned).into()
    }

    /// The answers of several episodes to a form, as the form reads them.
    fn actions(form: &Form, format: ActionFormat) -> Vec<Vec<Vec<String>>> {
        let options = form.listed(format, &options()).join("\n");
        let instructions = form.instructions(format);
        let request = ChatRequest {
            messages: vec![ChatMessage {
                role: Role::User,
                content: format!(
                    "What you can do now:\n{options}\n\nbob can do:\n  stir\n\n{instructions}"
                ),
            }],
            sampling: Sampling::default(),
            constraint: form.constraint(format, None),
        };
        let mock = Mock::new(Addressee::new("m"), Arc::new(Budget::default()));
        let answers = (0..40).map(|seed| {
            let take = Take {
                seed,
                epoch: 1,
                nth: 0,
            };
            let answer = mock.complete(&request, take).unwrap();
            assert_eq!(answer, mock.complete(&request, take).unwrap());
            let usage = answer.usage.unwrap();
            assert!(usage.input > 0 && usage.output > 0);
            form.read(&answer, format).strict.unwrap().actions
        });
        answers.collect()
    }

    #[test]
    fn every_listed_action_is_drawn_in_every_format() {
        for format in [
            ActionFormat::Text,
            ActionFormat::Json,
            ActionFormat::Grammar,
            ActionFormat::Tool,
            ActionFormat::Logprobs,
        ] {
            for plan in [Plan::No, Plan::Actions, Plan::ActionsAndStates] {
                let form = Form {
                    decision: Some(Decision {
                        plan,
                        deciders: Deciders::Own(options()),
                    }),
                    reasoning: true,
                    ..Form::default()
                };
                if plan == Plan::Actions && form.format(format) == ActionFormat::Logprobs {
                    continue;
                }
                let drawn: Vec<String> = actions(&form, format)
                    .into_iter()
                    .flatten()
                    .flatten()
                    .collect();
                for option in OPTIONS {
                    assert!(
                        drawn.contains(&option.to_owned()),
                        "{format:?} {plan:?}: {drawn:?}"
                    );
                }
                assert!(drawn.iter().all(|it| OPTIONS.contains(&&**it)), "{drawn:?}");
            }
        }
    }

    #[test]
    fn each_agent_is_given_an_action_of_its_own() {
        let agents = [("alice", options()), ("bob", vec!["stir".to_owned()])];
        let agents = agents.map(|(name, options)| (name.to_owned(), options));
        let form = Form {
            decision: Some(Decision {
                plan: Plan::Actions,
                deciders: Deciders::Each(agents.into()),
            }),
            ..Form::default()
        };
        for format in [ActionFormat::Text, ActionFormat::Json, ActionFormat::Tool] {
            for answer in actions(&form, format) {
                assert!(OPTIONS.contains(&&*answer[0][0]), "{answer:?}");
                assert_eq!(answer[1], ["stir"], "{format:?}");
            }
        }
    }

    #[test]
    fn a_question_without_a_form_has_a_text() {
        let mut draw = Draw {
            lists: Vec::new(),
            random: SplitMix::new(0, 0),
        };
        assert_eq!(draw.lines("What happened?"), WORDS);
        assert_eq!(draw.action(""), WAIT);
    }
}
