//! Prompts: minijinja templates, and what they are given.

use std::collections::BTreeSet;
use std::ops::Range;

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{Environment, Template, UndefinedBehavior};
use serde::Serialize;

use crate::diagnostics::suggest;

/// How many instructions a template may take: one that would loop for ever ends in an error.
const MOST_WORK: u64 = 5_000_000;

/// The templates of a design.
#[derive(Debug)]
pub struct Prompts {
    environment: Environment<'static>,
}

/// A template that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct PromptError(pub String);

/// What a template is given. Every slot is there in every template.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Slots<'a> {
    /// The agent that is asked; empty where one mind decides for all.
    pub agent: &'a str,
    /// The others.
    pub others: Vec<&'a str>,
    /// All agents.
    pub agents: Vec<&'a str>,
    /// Whether examples stand between the instructions and the question.
    pub example: bool,
    /// How agents take turns, as the domain's `:turns` says it.
    pub turns: &'a str,
    /// Ticks that have passed.
    pub tick: u32,
    /// The most ticks of the episode.
    pub max_ticks: u32,
    /// The goal in words.
    pub goal: String,
    /// What the agent sees, in words, a line each.
    pub state: String,
    /// What it can do, as it is to be listed.
    pub actions: Vec<String>,
    /// What each agent can do, where one mind decides for all.
    pub team: Vec<TeamSlot>,
    /// Who goes on with what was started, and with what: the others, or all where one mind decides.
    pub busy: Vec<String>,
    /// The forms of all actions, where the open track tells only these.
    pub forms: Vec<String>,
    /// Where agents talk: what the others can be asked for, as the agent is to name it.
    pub requests: Vec<TeamSlot>,
    /// How to put the answer.
    pub answer: String,
    /// What was wrong with earlier answers or actions, the latest last.
    pub feedback: Vec<String>,
    /// What was said since the agent was last asked; within a conversation all of it.
    pub dialog: Vec<Utterance>,
    /// The word that ends a conversation; empty in a design without any.
    pub end: String,
    /// The agent's own actions, the latest last.
    pub history: Vec<String>,
    /// What the others did since the agent was last asked.
    pub seen: Vec<String>,
    /// What was learnt from failures.
    pub lessons: Vec<String>,
    /// What the agent thinks of the others.
    pub belief: String,
    /// The decision that is looked over.
    pub proposal: String,
    /// What happened in the episode, for a reflection on it.
    pub story: Vec<String>,
    /// The values of the design.
    pub flags: toml::Table,
}

/// What one agent of a team can do.
#[derive(Clone, Debug, Serialize)]
pub struct TeamSlot {
    /// Its name, or the names of several.
    pub name: String,
    /// What it can do; empty where it goes on with what it has started. Of `requests` also empty where
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
    /// Templates by name. Those that are used are looked through for slots that there are not, and tried
    /// on slots, so that what is wrong with them is told before anything is asked.
    ///
    /// # Errors
    ///
    /// A template is malformed, or speaks of slots that there are not: all of them are told.
    pub fn new(
        templates: impl IntoIterator<Item = (String, String)>,
        used: &[&str],
        flags: &toml::Table,
    ) -> Result<Self, PromptError> {
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment.set_fuel(Some(MOST_WORK));
        // So that an error knows its place.
        environment.set_debug(true);
        let mut syntax = SyntaxConfig::builder();
        let syntax = syntax.trim_blocks(true).lstrip_blocks(true).build();
        environment.set_syntax(syntax.map_err(|error| complaint(&error))?);
        for (name, text) in templates {
            environment
                .add_template_owned(name, text)
                .map_err(|error| complaint(&error))?;
        }
        let prompts = Self { environment };
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
                let complaint = format!("{name}{place}: there is no slot `{slot}`{near}");
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
    pub fn render(&self, template: &str, slots: &Slots<'_>) -> Result<String, PromptError> {
        let template = self
            .environment
            .get_template(template)
            .map_err(|error| complaint(&error))?;
        let text = template
            .render(Serde(slots))
            .map_err(|error| complaint(&error))?;
        Ok(tidy(&text))
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

/// Where a template first speaks of a name: within its marks, as a word of its own, outside quotes, and
/// not as a member of something else.
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

/// Where a word stands in code.
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
        busy: list(),
        forms: list(),
        requests: vec![TeamSlot {
            name: text(),
            actions: list(),
        }],
        answer: text(),
        feedback: list(),
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

/// What is wrong with a template, and where.
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
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        let templates = [("it.jinja".to_owned(), text.to_owned())];
        let flags = toml::Table::new();
        Prompts::new(templates, &["it.jinja"], &flags)
            .unwrap_err()
            .to_string()
    }

    #[test]
    fn an_unknown_slot_is_named_with_its_place_and_the_nearest_that_there_is() {
        for (text, told) in [
            (
                "Hello.\nYou see {{ stat }}.",
                "it.jinja, line 2, column 12: there is no slot `stat`; did you mean `state`?",
            ),
            (
                "{# stat #}{% if agent.stat is defined %}{{ 'stat' }}{% for a in Actions %}{% endfor %}{% endif %}",
                "it.jinja, line 1, column 65: there is no slot `Actions`; did you mean `actions`?",
            ),
            (
                "é {{zzz}}",
                "it.jinja, line 1, column 5: there is no slot `zzz`",
            ),
        ] {
            assert_eq!(refused(text), told, "{text}");
        }
    }

    #[test]
    fn all_unknown_slots_are_told_also_where_no_trial_comes() {
        let told = refused("{{ bb_one }}\n{% if tick > 1000 %}{{ aa_two }}{% endif %}{{ bb_one }}");
        assert_eq!(
            told,
            "it.jinja, line 1, column 4: there is no slot `bb_one`; \
             it.jinja, line 2, column 24: there is no slot `aa_two`"
        );
    }

    #[test]
    fn what_a_slot_does_not_have_is_named_with_its_place() {
        assert_eq!(
            refused("{% for line in dialog %}\n{{ line.who }}{% endfor %}"),
            "it.jinja, line 2, column 4: there is no `line.who`"
        );
        assert_eq!(
            refused("{{ flags.helper }}"),
            "it.jinja, line 1, column 4: there is no `flags.helper`"
        );
    }

    #[test]
    fn what_is_set_in_a_template_and_what_all_templates_have_is_no_slot() {
        let text = "{% set n = 2 %}{% for i in range(n) %}{{ loop.index }}{{ i }}{% endfor %}\
                    {% macro shout(word) %}{{ word | upper }}{% endmacro %}{{ shout('a') }}";
        let templates = [("it.jinja".to_owned(), text.to_owned())];
        let prompts = Prompts::new(templates, &["it.jinja"], &toml::Table::new()).unwrap();
        assert_eq!(
            prompts.render("it.jinja", &Slots::default()).unwrap(),
            "1021A"
        );
    }

    #[test]
    fn a_design_depends_on_the_templates_that_it_uses_and_what_these_may_bring_in() {
        let templates = |second: &str| {
            [("a", "x"), ("b", second), ("c", "z")].map(|(n, t)| (n.into(), t.into()))
        };
        let names = |second: &str| {
            let templates: [(String, String); 3] = templates(second);
            let found = relevant(&templates, &["b"]);
            found.map(|(name, _)| name.clone()).collect::<Vec<_>>()
        };
        assert_eq!(names("y"), ["b"]);
        assert_eq!(names("{% include 'a' %}"), ["a", "b", "c"]);
    }
}
