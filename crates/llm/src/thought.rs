//! The words of a model without its thoughts: thoughts that stand in the text of an answer.
//!
//! Servers that do not know how a model marks its thoughts leave them in the text, with their marks or
//! with half of these: a template may hold the first, and a limit of tokens cut off the last.

use serde::de::IgnoredAny;

use super::tag::{Kind, Tag, words};

/// Words that name a thought.
const THOUGHTS: [&str; 18] = [
    "think",
    "thinking",
    "thought",
    "thoughts",
    "reason",
    "reasoning",
    "reflect",
    "reflection",
    "scratchpad",
    "analysis",
    "monologue",
    "rationale",
    "deliberation",
    "contemplation",
    "contemplator",
    "cot",
    "inner",
    "introspection",
];

/// Words of a name that closes what another of the same brackets opens.
const ENDS: [&str; 3] = ["end", "stop", "suffix"];

/// Attributes that say of what kind an element is.
const KINDS: [&str; 5] = ["type", "kind", "class", "role", "name"];

/// The name of what a mark of the family of [`THOUGHTS`] opens: each of them closes what another opens.
const THOUGHT: &str = "thought";

/// The marks of a block of code.
const FENCE: &str = "```";

/// The beginnings of a thought of Granite, and of the response after it.
const THOUGHT_PROCESS: [&str; 2] = ["here is my thought process:", "here's my thought process:"];
const RESPONSE: [&str; 2] = ["here is my response:", "here's my response:"];

/// A text without its thoughts.
///
/// Text before the end of a thought that did not begin is one, and so is text after the beginning of a thought that
/// does not end. Marks within a JSON object belong to its texts.
pub(super) fn said(text: &str) -> String {
    let text = response(last_channel(text));
    let mut said = String::new();
    let mut open: Vec<&str> = Vec::new();
    let mut at = 0;
    while let Some(mark) = next_mark(text, at, &open) {
        if open.is_empty() {
            said.push_str(&text[at..mark.start]);
        }
        match (mark.kind, open.iter().rposition(|name| *name == mark.name)) {
            (Kind::Opening, _) => open.push(mark.name),
            (Kind::Closing, Some(depth)) => open.truncate(depth),
            (Kind::Closing, None) if open.is_empty() => said.clear(),
            (Kind::Closing, None) | (Kind::Empty, _) => {}
        }
        at = mark.end;
    }
    if open.is_empty() {
        said.push_str(&text[at..]);
    }
    said
}

/// A mark of a thought.
struct Mark<'t> {
    start: usize,
    end: usize,
    /// Of what it opens or closes.
    name: &'t str,
    kind: Kind,
}

/// The next mark from a place on, where thoughts of these names are open.
fn next_mark<'t>(text: &'t str, from: usize, open: &[&str]) -> Option<Mark<'t>> {
    let mut at = from;
    let begins = |c: char| c == '{' || c == '`' || Tag::BEGINNINGS.contains(&c);
    while let Some(start) = text[at..].find(begins).map(|found| at + found) {
        let rest = &text[start..];
        at = start + rest.chars().next().map_or(1, char::len_utf8);
        let mark = if rest.starts_with('{') {
            if open.is_empty() {
                at = start + object_len(rest).unwrap_or(1);
            }
            None
        } else if rest.starts_with(FENCE) && begins_line(text, start) {
            fence(rest, open)
        } else {
            Tag::at(rest).and_then(|tag| mark_of(tag, rest, open))
        };
        if let Some((len, name, kind)) = mark {
            return Some(Mark {
                start,
                end: start + len,
                name,
                kind,
            });
        }
    }
    None
}

/// The length of the JSON object that a text begins with.
fn object_len(text: &str) -> Option<usize> {
    let mut objects = serde_json::Deserializer::from_str(text).into_iter::<IgnoredAny>();
    objects.next()?.ok()?;
    Some(objects.byte_offset())
}

/// The length, name and kind of a tag, if it is a mark of a thought.
fn mark_of<'t>(tag: Tag<'t>, text: &str, open: &[&str]) -> Option<(usize, &'t str, Kind)> {
    let words = tag.words();
    let kind = if words.iter().any(|word| ENDS.contains(&word.as_str())) {
        Kind::Closing
    } else {
        tag.kind
    };
    if are_of_thought(&words) {
        // Much else is in square brackets.
        let is_meant =
            !tag.is_square || (words.len() == 1 && words.iter().all(|it| it.starts_with("think")));
        return is_meant.then_some((tag.len, THOUGHT, kind));
    }
    let is_of_thought = match kind {
        Kind::Closing => open.contains(&tag.name),
        // What a channel is for stands behind it.
        _ if tag.name == "channel" => {
            let line = text[tag.len..].lines().next().unwrap_or_default();
            are_of_thought(&self::words(line))
        }
        _ => {
            let mut attributes = tag.attributes();
            open.contains(&tag.name)
                || attributes
                    .any(|(key, value)| KINDS.contains(&key) && are_of_thought(&self::words(value)))
        }
    };
    is_of_thought.then_some((tag.len, tag.name, kind))
}

/// The length, name and kind of a fence, if it opens or closes a thought.
fn fence<'t>(text: &'t str, open: &[&str]) -> Option<(usize, &'t str, Kind)> {
    let line = text.lines().next().unwrap_or_default();
    let info = line.trim_start_matches('`').trim();
    let is_open = open.contains(&FENCE);
    if !is_open && are_of_thought(&words(info)) {
        return Some((line.len(), FENCE, Kind::Opening));
    }
    (is_open && info.is_empty()).then_some((line.len(), FENCE, Kind::Closing))
}

/// Returns whether nothing but spaces stands before a place in its line.
fn begins_line(text: &str, at: usize) -> bool {
    let before = text[..at].trim_end_matches(' ');
    before.is_empty() || before.ends_with('\n')
}

/// Returns whether one of the words of a name names a thought.
fn are_of_thought(words: &[String]) -> bool {
    words.iter().any(|word| THOUGHTS.contains(&word.as_str()))
}

/// Of a text that parts its thought process from its response (Granite) the response.
fn response(text: &str) -> &str {
    let lower = text.to_ascii_lowercase();
    let starts = |start: &&str| lower.trim_start().starts_with(*start);
    if !THOUGHT_PROCESS.iter().any(starts) {
        return text;
    }
    let ends = RESPONSE.iter().filter_map(|end| {
        let at = lower.find(end)?;
        Some(at + end.len())
    });
    ends.min().map_or(text, |end| &text[end..])
}

/// Of a text in channels (gpt-oss) what is in the last, if that is for the reader; a text without them
/// as it is.
fn last_channel(text: &str) -> &str {
    const CHANNEL: &str = "<|channel|>";
    const MESSAGE: &str = "<|message|>";
    const NAMES: [&str; 2] = ["analysis", "commentary"];
    if let Some((_, last)) = text.rsplit_once(CHANNEL) {
        let message = last.split_once(MESSAGE);
        return match message {
            Some((name, message)) if name.trim_start().starts_with("final") => {
                let end = message.find("<|").unwrap_or(message.len());
                &message[..end]
            }
            _ => "",
        };
    }
    // Marks that are left out leave the names of the channels.
    if let Some((before, last)) = text.split_once("assistantfinal")
        && NAMES.iter().any(|name| before.starts_with(name))
    {
        return last;
    }
    let is_name_alone = |name: &str| {
        let rest = text.strip_prefix(name);
        rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()))
    };
    if NAMES.iter().any(|name| is_name_alone(name)) {
        return "";
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thoughts_are_no_part_of_what_is_said() {
        for (text, expected) in [
            ("Action: wait", "Action: wait"),
            ("<think>dance</think>wait", "wait"),
            ("<THINK>\ndance\n</Think>\nwait", "\nwait"),
            ("a<thinking>b</thinking>c<reasoning>d</reasoning>e", "ace"),
            ("[THINK]dance[/THINK]wait", "wait"),
            ("◁think▷dance◁/think▷wait", "wait"),
            ("<think>a<think>b</think>c</think>wait", "wait"),
            ("<think/>wait", "wait"),
        ] {
            assert_eq!(said(text), expected, "{text}");
        }
    }

    #[test]
    fn a_mark_is_a_name_of_the_family_in_whatever_brackets_and_with_whatever_else() {
        for text in [
            "<think >dance</think >wait",
            "<think reason=\"x\">dance</think>wait",
            "<think\n>dance</think\n>wait",
            "<|inner_prefix|>dance<|inner_suffix|>wait",
            "<|channel>thought\ndance<channel|>wait",
            "<mm:think>dance</mm:think>wait",
            "<seed:think>dance</seed:think>wait",
            "<longcat_think>dance</longcat_think>wait",
            "<｜begin▁of▁thought｜>dance<｜end▁of▁thought｜>wait",
            "‹｜begin▁of▁thought｜>dance‹｜end▁of▁thought｜>wait",
            "<|START_THINKING|>dance<|END_THINKING|>wait",
            "<antThinking>dance</antThinking>wait",
            "<analysis>dance</analysis>wait",
            "<reason>dance</reason>wait",
            "<internal_monologue>dance</internal_monologue>wait",
            "<details type=\"reasoning\" done=\"true\"><b>dance</b></details>wait",
            "```thinking\ndance\n```\nwait",
            "&lt;think&gt;dance&lt;/think&gt;wait",
            "Here is my thought process:\ndance\n\nHere is my response:wait",
            "Here's my thought process: dance\nHere's my response:wait",
        ] {
            assert_eq!(said(text).trim(), "wait", "{text}");
        }
        for begun in [
            "<think reason=\"x\">",
            "<|inner_prefix|>",
            "<|channel>thought\n",
            "<details type=\"reasoning\">",
            "```reasoning\n",
        ] {
            assert_eq!(said(&format!("{begun}dance")), "", "{begun}");
        }
    }

    #[test]
    fn what_is_no_mark_of_a_thought_stays() {
        for text in [
            "Reasoning: <your reasoning>\nAction: <action>",
            "Reasoning: [reasoning]\nAction: wait",
            "```\nAction: wait\n```",
            "<details>wait</details>",
            "Here is my thought process:\nAction: wait",
            "1 < 2 & [x] > {y",
        ] {
            assert_eq!(said(text), text);
        }
    }

    #[test]
    fn marks_in_the_texts_of_a_json_object_are_no_thoughts() {
        let object = r#"{"reasoning": "I <think> so, or </think> not", "action": "wait"}"#;
        assert_eq!(said(object), object);
        assert_eq!(said(&format!("<think>hm</think>{object}")), object);
    }

    #[test]
    fn a_thought_of_which_one_mark_is_missing_is_one_all_the_same() {
        for (text, expected) in [
            ("<think>Action: dance", ""),
            ("Action: wait <think>Action: dance", "Action: wait "),
            ("Action: dance\n</think>\nAction: wait", "\nAction: wait"),
            ("a</think>b</think>c", "c"),
            ("<think>a</think>b<think>c", "b"),
        ] {
            assert_eq!(said(text), expected, "{text}");
        }
    }

    #[test]
    fn only_the_last_channel_is_said_and_only_if_it_is_for_the_reader() {
        for (text, expected) in [
            (
                "<|channel|>analysis<|message|>dance<|end|><|start|>assistant\
                 <|channel|>final<|message|>wait<|return|>",
                "wait",
            ),
            ("<|channel|>analysis<|message|>Action: dance", ""),
            ("<|channel|>commentary to=x<|message|>Action: dance", ""),
            (
                "analysisWe dance.assistantfinalAction: wait",
                "Action: wait",
            ),
            ("analysisWe dance. Action: dance", ""),
            ("analysis of it: wait", "analysis of it: wait"),
        ] {
            assert_eq!(said(text), expected, "{text}");
        }
    }
}
