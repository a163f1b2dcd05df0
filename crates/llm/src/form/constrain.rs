//! Renders the form for a server: as a JSON schema, a grammar, a tool.

use serde_json::{Map, Value, json};

use super::super::chat::Constraint;
use super::super::team::TALK;
use super::{ACCEPT, ActionFormat, Deciders, Form, MAX_LETTERS, Plan, REJECT, key, letter};

/// The most characters of a text under a grammar, and the most actions of a plan: a model that
/// cannot end would else write to the limit of tokens.
const MAX_TEXT: usize = 240;
const MAX_PLAN: usize = 40;
/// Tokens that are left for what follows a text, and characters that a token of a text has at least.
const TOKENS_LEFT: u32 = 24;
const TOKEN: usize = 3;
/// The most likeliest tokens that servers return.
const TOP_LOGPROBS: u8 = 20;

impl Form {
    /// The constraint under which the answer is asked for. Where the answer may have `max_tokens` only,
    /// a grammar leaves room for the action behind the reasoning.
    pub fn constraint(&self, format: ActionFormat, max_tokens: Option<u32>) -> Constraint {
        match self.format(format) {
            ActionFormat::Text => Constraint::Free,
            ActionFormat::Json => Constraint::JsonSchema(self.schema()),
            ActionFormat::Grammar => Constraint::Grammar(self.grammar(max_tokens)),
            ActionFormat::Tool => Constraint::Tool {
                name: super::TOOL.to_owned(),
                description: if self.decision.is_some() {
                    "Acts.".to_owned()
                } else {
                    "Answers.".to_owned()
                },
                parameters: self.schema(),
            },
            ActionFormat::Logprobs => Constraint::Logprobs { top: TOP_LOGPROBS },
        }
    }

    /// The JSON schema of the answer. All members are required, none other is allowed, and they
    /// come in the order in which they are to be thought of.
    pub fn schema(&self) -> Value {
        let text = || json!({ "type": "string" });
        let mut properties = Map::new();
        let mut add = |key: &str, value: Value| {
            properties.insert(key.to_owned(), value);
        };
        if self.reasoning {
            add(key::REASONING, text());
        }
        if let Some(decision) = &self.decision {
            let one = |options: &[String]| {
                let action = if options.is_empty() || decision.plan != Plan::No {
                    text()
                } else {
                    json!({ "type": "string", "enum": options })
                };
                match decision.plan {
                    Plan::No => action,
                    Plan::Actions => {
                        json!({ "type": "array", "items": action, "maxItems": MAX_PLAN })
                    }
                    Plan::ActionsAndStates => json!({
                        "type": "array",
                        "maxItems": MAX_PLAN,
                        "items": {
                            "type": "object",
                            "properties": { key::ACTION: action, key::STATE: text() },
                            "required": [key::ACTION, key::STATE],
                            "additionalProperties": false,
                        },
                    }),
                }
            };
            match &decision.deciders {
                Deciders::Own(options) => {
                    let name = match decision.plan {
                        Plan::No => key::ACTION,
                        Plan::Actions | Plan::ActionsAndStates => key::PLAN,
                    };
                    add(name, one(options));
                }
                Deciders::Each(agents) => {
                    for (name, options) in agents {
                        add(name, one(options));
                    }
                }
            }
        }
        if self.verdict {
            add(
                key::VERDICT,
                json!({ "type": "string", "enum": [ACCEPT, REJECT] }),
            );
        }
        if self.say {
            add(key::SAY, text());
        }
        let required: Vec<String> = properties.keys().cloned().collect();
        json!({
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": false,
        })
    }

    /// Returns the grammar of the lines, in GBNF. The actions possible later in a plan are not known now: its actions
    /// are all that can ever be done. Where these are not listed either, they are any text, but for what stands for an
    /// action in the form that is shown.
    pub fn grammar(&self, max_tokens: Option<u32>) -> String {
        let mut root: Vec<String> = Vec::new();
        let mut rules: Vec<String> = Vec::new();
        let mut line = |key: &str, rest: &str| {
            let start = if root.is_empty() { "" } else { "\\n" };
            root.push(format!(
                "{} {rest}",
                quoted_after(start, &format!("{key}: "))
            ));
        };
        if self.reasoning {
            line("Reasoning", "text");
        }
        let (mut is_open, mut talks) = (false, false);
        if let Some(decision) = &self.decision {
            for (index, options) in decision.deciders.options().into_iter().enumerate() {
                let listed = match decision.plan {
                    Plan::No => options,
                    Plan::Actions | Plan::ActionsAndStates => {
                        self.commands.get(index).map_or(&[][..], Vec::as_slice)
                    }
                };
                let action = if listed.is_empty() {
                    is_open = true;
                    "order".to_owned()
                } else {
                    let name = format!("action{index}");
                    let mut options: Vec<String> =
                        listed.iter().map(|option| quoted(option)).collect();
                    if decision.plan != Plan::No && self.say {
                        talks = true;
                        options.push("talk".to_owned());
                    }
                    rules.push(format!("{name} ::= {}", options.join(" | ")));
                    name
                };
                let most = MAX_PLAN - 1;
                let plan = format!("{action} (\"; \" {action}){{0,{most}}}");
                match (&decision.deciders, decision.plan) {
                    (Deciders::Own(_), Plan::No) => line("Action", &action),
                    (Deciders::Own(_), Plan::Actions) => line("Plan", &plan),
                    (Deciders::Own(_), Plan::ActionsAndStates) => line(
                        "Action",
                        &format!(
                            "{action} \"\\nState: \" text \
                             (\"\\nAction: \" {action} \"\\nState: \" text){{0,{most}}}"
                        ),
                    ),
                    (Deciders::Each(agents), Plan::No) => line(&agents[index].0, &action),
                    (Deciders::Each(agents), _) => line(&agents[index].0, &plan),
                }
            }
        }
        if self.verdict {
            line("Verdict", &format!("(\"{ACCEPT}\" | \"{REJECT}\")"));
        }
        if self.say {
            line("Say", "text");
        }
        let mut grammar = format!("root ::= {}\n", root.join(" "));
        for rule in rules {
            grammar.push_str(&rule);
            grammar.push('\n');
        }
        let room = max_tokens.map_or(MAX_TEXT, |most| {
            let tokens = most.saturating_sub(TOKENS_LEFT) as usize;
            (tokens * TOKEN).clamp(TOKEN, MAX_TEXT)
        });
        grammar.push_str(&format!("text ::= [^\\n]{{1,{room}}}\n"));
        if is_open {
            grammar.push_str("order ::= [^\\n;<>.*] [^\\n;<>]{0,79}\n");
        }
        if talks {
            let words = TALK.map(quoted).join(" | ");
            grammar.push_str(&format!(
                "talk ::= ({words}) \"(\" [^\\n;<>]{{1,80}} \")\"\n"
            ));
        }
        // Of no use, and kept: a grammar is part of the key under which an answer is recorded.
        grammar.push_str("command ::= [^\\n;]{1,80}\n");
        grammar
    }

    /// Returns the reason why a letter cannot choose among the options, if so.
    pub fn too_many_letters(&self, format: ActionFormat) -> Option<String> {
        let options = self.lettered()?;
        let too_many =
            self.format(format) == ActionFormat::Logprobs && letter(options.len() - 1).is_none();
        too_many.then(|| {
            format!(
                "{} actions are possible, and letters tell {MAX_LETTERS} apart: choose another \
                 action format than `logprobs`",
                options.len()
            )
        })
    }
}

fn quoted(text: &str) -> String {
    quoted_after("", text)
}

/// A terminal of the grammar: an escaped beginning, and a text.
fn quoted_after(start: &str, text: &str) -> String {
    let mut quoted = format!("\"{start}");
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
