//! Reading an answer: to the letter, and as a well-meaning reader would.

use serde_json::{Map, Value};

use super::super::chat::Completion;
use super::super::response::{Class, excerpt};
use super::super::thought::said;
use super::call::{Written, written};
use super::object::embedded_object;
use super::{ACCEPT, ActionFormat, Answer, Deciders, Form, Plan, REJECT, key, letter};

/// The most bytes of an answer that a lenient reader searches.
const MOST_READ: usize = 100_000;

/// The order in which agents are named, by their places; empty where that is their own order, or one is
/// not named.
fn order<'n>(agents: &[(String, Vec<String>)], named: impl Iterator<Item = &'n str>) -> Vec<usize> {
    let mut order = Vec::new();
    for name in named {
        let mut places = agents.iter();
        let place = places.position(|(agent, _)| agent.eq_ignore_ascii_case(name));
        order.extend(place.filter(|place| !order.contains(place)));
    }
    if order.len() < agents.len() || order.is_sorted() {
        order.clear();
    }
    order
}

/// An answer that does not have its form, and what is missing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unreadable(pub String);

/// An answer as two readers read it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// By one who asks for the form to the letter: all that it asks for is there, and no action that
    /// could be chosen without it is decorated. (Text around the
    /// lines is allowed, since the form asks for lines; of several lines with one key the last counts;
    /// reasoning, and what is said to others, may be empty.)
    pub strict: Result<Answer, Unreadable>,
    /// By one who also takes keys in another case, decorated lines, an object within a text, an answer
    /// without its reasoning or without what it says to others, and at last the first possible action
    /// that the answer mentions.
    pub lenient: Result<Answer, Unreadable>,
}

impl Reading {
    /// The one that acts.
    pub fn acting(self, is_lenient: bool) -> Result<Answer, Unreadable> {
        if is_lenient {
            self.lenient
        } else {
            self.strict
        }
    }
}

impl Form {
    /// Reads an answer that was asked for in a format: its text, not the thoughts before. The rest of an answer that
    /// the provider's filter cut is not read.
    pub fn read(&self, completion: &Completion, format: ActionFormat) -> Reading {
        if completion.class() == Class::Filtered {
            let unreadable = Unreadable(filtered(completion.filter.as_deref()));
            return Reading {
                strict: Err(unreadable.clone()),
                lenient: Err(unreadable),
            };
        }
        let text = said(&completion.text);
        let format = self.format(format);
        match self.strictly(completion, &text, format) {
            Ok(answer) => match self.undecorated(&answer, &text, format) {
                None => Reading {
                    strict: Ok(answer.clone()),
                    lenient: Ok(answer),
                },
                Some(lenient) => Reading {
                    strict: Err(Unreadable("the action is decorated".to_owned())),
                    lenient: Ok(lenient),
                },
            },
            Err(unreadable) => {
                let lenient = self.leniently(completion, &text);
                Reading {
                    lenient: lenient.ok_or_else(|| unreadable.clone()),
                    strict: Err(unreadable),
                }
            }
        }
    }

    /// An answer without what decorates its actions, if they can be chosen only so.
    fn undecorated(&self, answer: &Answer, text: &str, format: ActionFormat) -> Option<Answer> {
        if self.can_be_chosen(answer) {
            return None;
        }
        let plain = match format {
            ActionFormat::Text | ActionFormat::Grammar => self
                .lines_of(shortened(text), plain, false)
                .unwrap_or_default(),
            _ => answer.clone().without_decoration(),
        };
        self.can_be_chosen(&plain).then_some(plain)
    }

    /// Returns whether all actions of an answer are among those that may be chosen, as far as these are
    /// known, and undecorated.
    fn can_be_chosen(&self, answer: &Answer) -> bool {
        let Some(decision) = &self.decision else {
            return true;
        };
        let options = decision.deciders.options();
        let mut all = answer.actions.iter().enumerate();
        answer.actions.len() == options.len()
            && all.all(|(decider, actions)| {
                let commands = self.commands.get(decider).map_or(&[][..], Vec::as_slice);
                let known = match decision.plan {
                    Plan::No => options[decider],
                    Plan::Actions | Plan::ActionsAndStates => commands,
                };
                actions.iter().all(|action| {
                    let is_known = || known.iter().any(|it| it.eq_ignore_ascii_case(action));
                    plain(action) == *action && (known.is_empty() || is_known())
                })
            })
    }

    fn strictly(
        &self,
        completion: &Completion,
        text: &str,
        format: ActionFormat,
    ) -> Result<Answer, Unreadable> {
        if self.is_text() {
            let said = text.trim();
            return if said.is_empty() {
                Err(Unreadable("the answer is empty".to_owned()))
            } else {
                Ok(Answer {
                    say: Some(said.to_owned()),
                    ..Answer::default()
                })
            };
        }
        match format {
            ActionFormat::Text | ActionFormat::Grammar => self.lines_of(text, str::to_owned, true),
            ActionFormat::Json => self.object_of(text.trim(), true),
            ActionFormat::Tool => match &completion.tool_arguments {
                Some(arguments) => self.object_of(arguments, true),
                None => Err(Unreadable(match &completion.other_tool {
                    Some(other) => format!("another tool is called, `{}`", excerpt(other)),
                    None => "the tool is not called".to_owned(),
                })),
            },
            ActionFormat::Logprobs => self.letter_of(completion),
        }
    }

    fn leniently(&self, completion: &Completion, text: &str) -> Option<Answer> {
        if completion.other_tool.is_some() {
            return None;
        }
        let text = shortened(text);
        let arguments = completion.tool_arguments.as_deref();
        let of_call = arguments.and_then(|arguments| self.object_within(arguments));
        let answer = of_call.or_else(|| match written(text) {
            Some(Written::Asked(arguments)) => self.object_within(&arguments),
            Some(Written::Other) => None,
            None => self
                .object_within(text)
                .or_else(|| self.lines_of(text, plain, false).ok())
                .or_else(|| self.mentioned(text)),
        });
        answer.map(Answer::without_decoration)
    }

    /// The answer in an object within a text, or in one that is written as a text itself.
    fn object_within(&self, text: &str) -> Option<Answer> {
        let said = said(shortened(text));
        let inner: Option<String> = serde_json::from_str(said.trim()).ok();
        let text = inner.unwrap_or(said);
        self.object_of(embedded_object(&text)?, false).ok()
    }

    /// The answer in lines. `tidy` is applied to each line first. Where it is to be `exact`, keys have
    /// their case, and no line is missing.
    fn lines_of(
        &self,
        text: &str,
        tidy: impl Fn(&str) -> String,
        exact: bool,
    ) -> Result<Answer, Unreadable> {
        let sections = self.sections(text, tidy, exact);
        let all = |key: &str| {
            let sections = sections.iter();
            sections
                .filter(|(name, _)| *name == key)
                .map(|(_, content)| content.trim().to_owned())
                .collect::<Vec<String>>()
        };
        let last = |key: &str| all(key).pop().filter(|content| !content.is_empty());
        let missing =
            |line: &str| Unreadable(format!("there is no line `{line}: ...` that says it"));
        let mut answer = Answer {
            reasoning: last(key::REASONING),
            say: last(key::SAY),
            ..Answer::default()
        };
        if let Some(decision) = &self.decision {
            match (&decision.deciders, decision.plan) {
                (Deciders::Own(_), Plan::No) => {
                    let action = last(key::ACTION).ok_or_else(|| missing("Action"))?;
                    answer.actions.push(vec![first_line(&action)]);
                }
                (Deciders::Own(_), Plan::Actions) => {
                    let plan = last(key::PLAN).ok_or_else(|| missing("Plan"))?;
                    answer.actions.push(listed(&plan));
                }
                (Deciders::Own(_), Plan::ActionsAndStates) => {
                    let actions = all(key::ACTION).into_iter();
                    let actions: Vec<String> = actions
                        .map(|action| first_line(&action))
                        .filter(|action| !action.is_empty())
                        .collect();
                    if actions.is_empty() {
                        return Err(missing("Action"));
                    }
                    answer.states = all(key::STATE);
                    if exact && answer.states.len() < actions.len() {
                        return Err(Unreadable(
                            "there is not a line `State: ...` after every action".to_owned(),
                        ));
                    }
                    answer.actions.push(actions);
                }
                (Deciders::Each(agents), plan) => {
                    for (name, _) in agents {
                        let actions = match (last(&name.to_lowercase()), plan) {
                            (Some(action), Plan::No) => vec![first_line(&action)],
                            (Some(actions), _) => listed(&actions),
                            (None, _) if exact => return Err(missing(name)),
                            (None, _) => Vec::new(),
                        };
                        answer.actions.push(actions);
                    }
                    let named = sections.iter().map(|(name, _)| name.as_str());
                    answer.order = order(agents, named);
                    if answer.actions.iter().all(Vec::is_empty) {
                        return Err(Unreadable("no agent is told what to do".to_owned()));
                    }
                }
            }
        }
        if self.verdict {
            let verdict = last(key::VERDICT).ok_or_else(|| missing("Verdict"))?;
            answer.accepts = Some(verdict_of(&verdict).ok_or_else(|| {
                Unreadable(format!("the verdict is neither `{ACCEPT}` nor `{REJECT}`"))
            })?);
        }
        let asked = [(self.reasoning, key::REASONING), (self.say, key::SAY)];
        let lacking = asked
            .into_iter()
            .find(|(is_asked, key)| exact && *is_asked && all(key).is_empty());
        match lacking {
            Some((_, key)) => Err(missing(&key::title(key))),
            None => Ok(answer),
        }
    }

    /// The lines by key, in order; a line without a key belongs to the one before it.
    fn sections(
        &self,
        text: &str,
        tidy: impl Fn(&str) -> String,
        exact: bool,
    ) -> Vec<(String, String)> {
        let fields = [
            key::REASONING,
            key::ACTION,
            key::PLAN,
            key::STATE,
            key::SAY,
            key::VERDICT,
        ];
        let mut keys: Vec<String> = fields.map(key::title).into();
        if let Some(decision) = &self.decision
            && let Deciders::Each(agents) = &decision.deciders
        {
            keys.extend(agents.iter().map(|(name, _)| name.clone()));
        }
        let mut sections: Vec<(String, String)> = Vec::new();
        for line in text.lines() {
            let line = tidy(line);
            let keyed = line.split_once(':').and_then(|(start, rest)| {
                let start = start.trim();
                let known = keys.iter().find(|known| {
                    if exact {
                        known.as_str() == start
                    } else {
                        known.eq_ignore_ascii_case(start)
                    }
                });
                known.map(|known| (known.to_lowercase(), rest.trim().to_owned()))
            });
            match (keyed, sections.last_mut()) {
                (Some(section), _) => sections.push(section),
                (None, Some((_, content))) => {
                    content.push('\n');
                    content.push_str(&line);
                }
                (None, None) => {}
            }
        }
        sections
    }

    /// The answer as an object. Where it is to be `exact`, no member is missing.
    fn object_of(&self, text: &str, exact: bool) -> Result<Answer, Unreadable> {
        let value: Value = serde_json::from_str(text)
            .map_err(|_| Unreadable("the answer is no JSON object".to_owned()))?;
        let Value::Object(object) = value else {
            return Err(Unreadable("the answer is no JSON object".to_owned()));
        };
        let missing =
            |key: &str| Unreadable(format!("the object has no `{key}` of the right kind"));
        let mut answer = Answer {
            reasoning: text_of(&object, key::REASONING),
            say: text_of(&object, key::SAY),
            ..Answer::default()
        };
        if let Some(decision) = &self.decision {
            let texts = |name: &str, text: &dyn Fn(&Value) -> Option<&str>| {
                let list = object.get(name)?.as_array()?;
                let texts = list.iter().filter_map(text).map(str::to_owned);
                let texts: Vec<String> = texts.collect();
                (!exact || texts.len() == list.len()).then_some(texts)
            };
            let actions = |name: &str| match decision.plan {
                Plan::No => text_of(&object, name).map(|action| vec![action]),
                Plan::Actions => texts(name, &Value::as_str),
                Plan::ActionsAndStates => texts(name, &|step| step.get(key::ACTION)?.as_str()),
            };
            match &decision.deciders {
                Deciders::Own(_) => {
                    let name = match decision.plan {
                        Plan::No => key::ACTION,
                        Plan::Actions | Plan::ActionsAndStates => key::PLAN,
                    };
                    let actions = actions(name).filter(|actions| !actions.is_empty());
                    answer.actions.push(actions.ok_or_else(|| missing(name))?);
                    if decision.plan == Plan::ActionsAndStates {
                        let states = texts(name, &|step| step.get(key::STATE)?.as_str());
                        answer.states = states.ok_or_else(|| missing(key::STATE))?;
                    }
                }
                Deciders::Each(agents) => {
                    for (name, _) in agents {
                        answer
                            .actions
                            .push(actions(name).ok_or_else(|| missing(name))?);
                    }
                    answer.order = order(agents, object.keys().map(String::as_str));
                }
            }
        }
        if self.verdict {
            let verdict = text_of(&object, key::VERDICT);
            let verdict = verdict.and_then(|verdict| verdict_of(&verdict));
            answer.accepts = Some(verdict.ok_or_else(|| missing(key::VERDICT))?);
        }
        let asked = [(self.reasoning, key::REASONING), (self.say, key::SAY)];
        let lacking = asked.into_iter().find(|(is_asked, key)| {
            exact && *is_asked && !object.get(*key).is_some_and(Value::is_string)
        });
        match lacking {
            Some((_, key)) => Err(missing(key)),
            None => Ok(answer),
        }
    }

    /// The option whose letter is the likeliest first token.
    fn letter_of(&self, completion: &Completion) -> Result<Answer, Unreadable> {
        let options = self.lettered().unwrap_or_default();
        let tokens = completion
            .first_tokens
            .iter()
            .map(|(token, _)| token.trim());
        let chosen = tokens
            .filter_map(|token| {
                let mut letters = token.chars();
                let first = letters.next()?;
                letters.next().is_none().then_some(first)
            })
            .find_map(|first| (0..options.len()).find(|&index| letter(index) == Some(first)));
        match chosen {
            Some(index) => Ok(Answer {
                actions: vec![vec![options[index].clone()]],
                ..Answer::default()
            }),
            None if completion.first_tokens.is_empty() => Err(Unreadable(
                "the server tells no probabilities of tokens".to_owned(),
            )),
            None => Err(Unreadable(
                "none of the likeliest tokens is the letter of an action".to_owned(),
            )),
        }
    }

    /// The possible action that is mentioned first; of those that begin there, the longest.
    fn mentioned(&self, text: &str) -> Option<Answer> {
        let decision = self.decision.as_ref()?;
        let Deciders::Own(options) = &decision.deciders else {
            return None;
        };
        if decision.plan != Plan::No {
            return None;
        }
        let text = text.to_lowercase();
        let found = options.iter().filter_map(|option| {
            let at = text.find(&option.to_lowercase())?;
            Some((at, std::cmp::Reverse(option.len()), option))
        });
        let (_, _, option) = found.min()?;
        Some(Answer {
            actions: vec![vec![option.clone()]],
            ..Answer::default()
        })
    }
}

impl Answer {
    fn without_decoration(mut self) -> Self {
        for action in self.actions.iter_mut().flatten() {
            *action = plain(action);
        }
        self
    }
}

/// The words for an answer that a filter held back.
pub(crate) fn filtered(why: Option<&str>) -> String {
    let why = why.map_or_else(String::new, |why| format!(": {why}"));
    format!("the provider's filter held it back{why}")
}

fn shortened(text: &str) -> &str {
    let mut end = text.len().min(MOST_READ);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// A line without what decorates it: bullets, numbers, emphasis, code marks, what has no width.
fn plain(line: &str) -> String {
    let is_unseen = |c: char| matches!(c, '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}');
    let line = line.replace(is_unseen, "");
    let line = line.trim().trim_start_matches(['#', '>', '-', '*', ' ']);
    let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let line = match digits.strip_prefix(['.', ')']) {
        Some(rest) if digits.len() < line.len() => rest,
        _ => line,
    };
    line.replace(['*', '`'], "").trim().to_owned()
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().trim().to_owned()
}

/// Actions, one a line or parted by semicolons.
fn listed(text: &str) -> Vec<String> {
    text.split(['\n', ';'])
        .map(|action| action.trim().to_owned())
        .filter(|action| !action.is_empty())
        .collect()
}

fn text_of(object: &Map<String, Value>, key: &str) -> Option<String> {
    let text = object.get(key)?.as_str()?.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

fn verdict_of(text: &str) -> Option<bool> {
    let word = text.split(|c: char| !c.is_ascii_alphabetic()).next()?;
    match word.to_ascii_lowercase().as_str() {
        ACCEPT => Some(true),
        REJECT => Some(false),
        _ => None,
    }
}
