//! Prompts: minijinja templates, and what they are given.

use std::collections::BTreeSet;
use std::io;
use std::ops::Range;
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{Environment, Template, UndefinedBehavior, Value};
use serde::Serialize;

use super::complexity;
use brigade_diagnostics::suggest;

/// The most instructions that a template may execute: one that would loop for ever ends in an error.
const MOST_WORK: u64 = 5_000_000;

/// The depth to which templates, macros and loops may call each other and themselves, as the engine counts it: 10
/// for a template that is brought in, 4 for a macro.
const MOST_CALLS: usize = 60;

/// The time that a template may take: the engine does not count the work on a value that holds others, which
/// may be many more than the template has letters.
const MOST_TIME: Duration = Duration::from_secs(5);

/// The most bytes that a template may write.
const MOST_TEXT: usize = 1 << 24;

/// The engine's function that templates do not have.
const UNBOUNDED: &str = "namespace";

/// The templates of a design.
#[derive(Debug)]
pub struct Prompts {
    environment: Arc<Environment<'static>>,
}

/// A template that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct PromptError(pub String);

/// The values of the slots of a template. Every slot is there in every template.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Slots<'a> {
    /// The agent that is asked; empty where one mind decides for all.
    pub agent: &'a str,
    /// The others.
    pub others: Vec<&'a str>,
    /// All agents.
    pub agents: Vec<&'a str>,
    /// Where one mind decides for several agents: those that it does not direct, as people.
    pub undirected: Vec<&'a str>,
    /// True if examples stand between the instructions and the question.
    pub example: bool,
    /// The turn mode of the agents, as the domain's `:turns` says it.
    pub turns: &'a str,
    /// Ticks that have passed.
    pub tick: u32,
    /// The most ticks of the episode.
    pub max_ticks: u32,
    /// The goal in words.
    pub goal: String,
    /// The observation of the agent, in words, a line each.
    pub state: String,
    /// The actions that it can take, as they are to be listed.
    pub actions: Vec<String>,
    /// The actions of each agent, where one mind decides for all.
    pub team: Vec<TeamSlot>,
    /// The number of steps to each thing that gets done, where macro actions are listed; else empty.
    pub distances: Vec<String>,
    /// The agents that go on with a started action, and the action: the others, or all where one mind decides.
    pub busy: Vec<String>,
    /// The agents that have acted in this step already, where one mind decides for all.
    pub acted: Vec<&'a str>,
    /// The forms of all actions, where the open track lists only these.
    pub forms: Vec<String>,
    /// Where agents talk: what the others can be asked for, as the agent is to name it.
    pub requests: Vec<TeamSlot>,
    /// The instructions on the format of the answer.
    pub answer: String,
    /// The faults of earlier answers or actions, the latest last.
    pub feedback: Vec<String>,
    /// The messages since the agent was last asked; within a conversation all of them.
    pub dialog: Vec<Utterance>,
    /// The word that ends a conversation; empty in a design without any.
    pub end: String,
    /// The agent's own actions, the latest last.
    pub history: Vec<String>,
    /// The actions of the others since the agent was last asked.
    pub seen: Vec<String>,
    /// The lessons learnt from failures.
    pub lessons: Vec<String>,
    /// The belief of the agent about the others.
    pub belief: String,
    /// The decision that is looked over.
    pub proposal: String,
    /// The events of the episode, for a reflection on it.
    pub story: Vec<String>,
    /// The values of the design.
    pub flags: toml::Table,
}

/// The actions of one agent of a team.
#[derive(Clone, Debug, Serialize)]
pub struct TeamSlot {
    /// Its name, or the names of several.
    pub name: String,
    /// The actions that it can take; empty where it goes on with what it has started. Of `requests` also empty where
    /// these are the `forms` of the agent that is asked.
    pub actions: Vec<String>,
}

/// Something that was said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Utterance {
    /// By whom.
    pub from: String,
    /// The text.
    pub text: String,
}

impl Prompts {
    /// Templates by name. Those that are used are looked through for slots that there are not, and tried on slots, so
    /// that faults are reported before anything is asked.
    ///
    /// # Errors
    ///
    /// A template is malformed, or speaks of slots that there are not: the error lists all of them.
    pub fn new(
        templates: impl IntoIterator<Item = (String, String)>,
        used: &[&str],
        flags: &toml::Table,
    ) -> Result<Self, PromptError> {
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment.set_fuel(Some(MOST_WORK));
        environment.set_recursion_limit(MOST_CALLS);
        // What it holds can be nested without a bound, also in itself.
        environment.remove_global(UNBOUNDED);
        // So that an error knows its place.
        environment.set_debug(true);
        let mut syntax = SyntaxConfig::builder();
        let syntax = syntax.trim_blocks(true).lstrip_blocks(true).build();
        let syntax = syntax.map_err(|error| complaint(&error))?;
        environment.set_syntax(syntax.clone());
        for (name, text) in templates {
            complexity::check(&text, syntax.clone()).map_err(|excess| {
                PromptError(format!("{name}{}: {}", place(&text, excess.at), excess.why))
            })?;
            environment
                .add_template_owned(name, text)
                .map_err(|error| complaint(&error))?;
        }
        let prompts = Self {
            environment: Arc::new(environment),
        };
        prompts.check_slots(used)?;
        for filled in [false, true] {
            for template in used {
                prompts.render(template, &trial(filled, flags))?;
            }
        }
        Ok(prompts)
    }

    /// Refuses slots that there are not, also where a trial would not come to them.
    fn check_slots(&self, used: &[&str]) -> Result<(), PromptError> {
        let slots = serde_json::to_value(Slots::default());
        let slots = slots.map_err(|error| PromptError(error.to_string()))?;
        let known = slots.as_object().into_iter().flat_map(|slots| slots.keys());
        let known: Vec<&str> = known.map(String::as_str).collect();
        let globals: BTreeSet<&str> = self.environment.globals().map(|(name, _)| name).collect();
        let mut complaints: Vec<String> = Vec::new();
        for name in used {
            let template = self.environment.get_template(name);
            let template = template.map_err(|error| complaint(&error))?;
            let is_known = |name: &str| known.contains(&name) || globals.contains(name);
            let mut unknown: Vec<(Option<usize>, String)> = template
                .undeclared_variables(false)
                .into_iter()
                .filter(|name| !is_known(name))
                .map(|slot| (mention(&template, &slot), slot))
                .collect();
            unknown.sort();
            for (at, slot) in unknown {
                let place = at.map_or_else(String::new, |at| place(template.source(), at));
                let near = suggest(&slot, known.iter().copied());
                let near =
                    near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
                let complaint = if slot == UNBOUNDED {
                    format!("{name}{place}: templates cannot use `{UNBOUNDED}`")
                } else {
                    format!("{name}{place}: there is no slot `{slot}`{near}")
                };
                if !complaints.contains(&complaint) {
                    complaints.push(complaint);
                }
            }
        }
        if complaints.is_empty() {
            Ok(())
        } else {
            Err(PromptError(complaints.join("; ")))
        }
    }

    /// A template with its slots filled in. Blank lines in a row become one.
    ///
    /// The engine has no way to be stopped, so it runs in a thread of its own, which is left to itself when
    /// its time is over.
    pub fn render(&self, template: &str, slots: &Slots<'_>) -> Result<String, PromptError> {
        let failed = |why: &str| PromptError(format!("{template}: {why}"));
        let environment = Arc::clone(&self.environment);
        let name = template.to_owned();
        let slots = Value::from(Serde(slots));
        let (sender, filled) = mpsc::channel();
        thread::Builder::new()
            .spawn(move || {
                // Nobody waits any more where the time is over.
                let _ = sender.send(filled_in(&environment, &name, slots));
            })
            .map_err(|error| failed(&error.to_string()))?;
        match filled.recv_timeout(MOST_TIME) {
            Ok(text) => Ok(tidy(&text?)),
            Err(mpsc::RecvTimeoutError::Timeout) => Err(failed(&format!(
                "it takes more than {} s to fill in",
                MOST_TIME.as_secs()
            ))),
            Err(mpsc::RecvTimeoutError::Disconnected) => Err(failed("it cannot be filled in")),
        }
    }
}

/// The text of a template, as far as it may be long.
fn filled_in(
    environment: &Environment<'_>,
    name: &str,
    slots: Value,
) -> Result<String, PromptError> {
    let template = environment
        .get_template(name)
        .map_err(|error| complaint(&error))?;
    let mut text = Bounded::default();
    let written = template.render_captured_to(slots, &mut text);
    if text.is_full {
        let why = format!("it writes more than {MOST_TEXT} bytes");
        return Err(PromptError(format!("{name}: {why}")));
    }
    written.map_err(|error| complaint(&error))?;
    String::from_utf8(text.bytes).map_err(|error| PromptError(format!("{name}: {error}")))
}

/// The text that was written, up to [`MOST_TEXT`].
#[derive(Default)]
struct Bounded {
    bytes: Vec<u8>,
    is_full: bool,
}

impl io::Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.bytes.len() + bytes.len() > MOST_TEXT {
            self.is_full = true;
            return Err(io::Error::from(io::ErrorKind::FileTooLarge));
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Of some templates those on which the texts of the used ones can depend: themselves, unless one of them
/// brings in another (`include`, `import`, `extends`), which may be any.
pub fn relevant<'t>(
    templates: &'t [(String, String)],
    used: &'t [&str],
) -> impl Iterator<Item = &'t (String, String)> {
    let is_used = |name: &str| used.contains(&name);
    let brings_in = |text: &str| {
        let words = ["include", "import", "extends"];
        words.iter().any(|word| text.contains(word))
    };
    let all = templates
        .iter()
        .any(|(name, text)| is_used(name) && brings_in(text));
    templates
        .iter()
        .filter(move |(name, _)| all || is_used(name))
}

/// Returns the offset at which a template first speaks of a name: within its marks, as a word of its own, outside
/// quotes, and not as a member of something else.
fn mention(template: &Template<'_, '_>, name: &str) -> Option<usize> {
    let source = template.source();
    let marks = [("{{", "}}"), ("{%", "%}")];
    let mut at = 0;
    while let Some(start) = source.get(at..)?.find('{').map(|found| at + found) {
        at = start + 1;
        let mark = marks
            .iter()
            .find(|(open, _)| source[start..].starts_with(open));
        if source[start..].starts_with("{#") {
            at = start + source[start..].find("#}")?;
        }
        let Some((_, close)) = mark else { continue };
        let end = source[start..]
            .find(close)
            .map_or(source.len(), |end| start + end);
        if let Some(found) = word(&source[start..end], name) {
            return Some(start + found);
        }
        at = end;
    }
    None
}

/// Returns the offset of a word in code.
fn word(code: &str, name: &str) -> Option<usize> {
    let mut quote: Option<char> = None;
    let is_of_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut before = ' ';
    for (at, c) in code.char_indices() {
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => {}
            None if c == '"' || c == '\'' => quote = Some(c),
            None => {
                let rest = code[at..].strip_prefix(name);
                let ends = rest.is_some_and(|rest| !rest.starts_with(is_of_word));
                if ends && !is_of_word(before) && before != '.' {
                    return Some(at);
                }
            }
        }
        before = c;
    }
    None
}

/// A place in a text for a reader, with what parts it from the name of the file.
fn place(text: &str, at: usize) -> String {
    let before = text.get(..at).unwrap_or(text);
    let line = before.rfind('\n').map_or(0, |end| end + 1);
    let number = before.matches('\n').count() + 1;
    let column = before[line..].chars().count() + 1;
    format!(", line {number}, column {column}")
}

/// Slots to try a template on: empty, or with one thing in each, so that both branches are tried.
fn trial(filled: bool, flags: &toml::Table) -> Slots<'static> {
    let flags = flags.clone();
    if !filled {
        return Slots {
            flags,
            ..Slots::default()
        };
    }
    let list = || vec!["a".to_owned()];
    let text = || "a".to_owned();
    Slots {
        agent: "a",
        others: vec!["b"],
        agents: vec!["a", "b"],
        example: true,
        turns: "alternate",
        tick: 1,
        max_ticks: 2,
        goal: text(),
        state: text(),
        actions: list(),
        team: vec![TeamSlot {
            name: text(),
            actions: list(),
        }],
        distances: list(),
        busy: list(),
        acted: vec!["a"],
        forms: list(),
        requests: vec![TeamSlot {
            name: text(),
            actions: list(),
        }],
        answer: text(),
        feedback: list(),
        undirected: vec!["a"],
        dialog: vec![Utterance {
            from: text(),
            text: text(),
        }],
        end: text(),
        history: list(),
        seen: list(),
        lessons: list(),
        belief: text(),
        proposal: text(),
        story: list(),
        flags,
    }
}

/// Describes the fault in a template, and its place.
fn complaint(error: &minijinja::Error) -> PromptError {
    let name = error.name().unwrap_or("a template");
    let found: Option<(&str, Range<usize>)> = error.template_source().zip(error.range());
    let place = match (&found, error.line()) {
        (Some((text, range)), _) => place(text, range.start),
        (None, Some(line)) => format!(", line {line}"),
        (None, None) => String::new(),
    };
    let what = error
        .detail()
        .map_or_else(|| error.kind().to_string(), str::to_owned);
    let what = match found.and_then(|(text, range)| text.get(range)) {
        Some(expression) if error.kind() == minijinja::ErrorKind::UndefinedError => {
            format!("there is no `{}`", expression.trim())
        }
        _ => what,
    };
    PromptError(format!("{name}{place}: {what}"))
}

fn tidy(text: &str) -> String {
    let mut lines: Vec<&str> = Vec::new();
    for line in text.lines().map(str::trim_end) {
        if !line.is_empty() || lines.last().is_some_and(|last| !last.is_empty()) {
            lines.push(line);
        }
    }
    lines.join("\n").trim_end().to_owned()
}

#[cfg(test)]
mod tests;
