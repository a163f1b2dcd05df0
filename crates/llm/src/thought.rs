//! What a model says, without what it thinks before: thoughts that stand in the text of an answer.
//!
//! Servers that do not know how a model marks its thoughts leave them in the text, with their marks or
//! with half of these: a template may hold the first, and a limit of tokens cut off the last.

/// Marks that begin a thought, and those that end it.
const MARKS: [(&str, &str); 13] = [
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<thoughts>", "</thoughts>"),
    ("<reasoning>", "</reasoning>"),
    ("<reflection>", "</reflection>"),
    ("<scratchpad>", "</scratchpad>"),
    ("<seed:think>", "</seed:think>"),
    ("<longcat_think>", "</longcat_think>"),
    ("[think]", "[/think]"),
    ("◁think▷", "◁/think▷"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("<|start_thinking|>", "<|end_thinking|>"),
];

/// What a text says: all but its thoughts.
///
/// What stands before the end of a thought that did not begin is one, and so is what follows the
/// beginning of a thought that does not end.
pub(super) fn said(text: &str) -> String {
    let text = last_channel(text);
    // Marks are of letters of ASCII: both texts have the same places.
    let lower = text.to_ascii_lowercase();
    let mut said = String::new();
    let (mut at, mut depth) = (0, 0_usize);
    while let Some((start, end, begins)) = next_mark(&lower, at) {
        if depth == 0 {
            said.push_str(&text[at..start]);
        }
        if begins {
            depth += 1;
        } else if depth == 0 {
            said.clear();
        } else {
            depth -= 1;
        }
        at = end;
    }
    if depth == 0 {
        said.push_str(&text[at..]);
    }
    said
}

/// The next mark from a place on: where it starts and ends, and whether it begins a thought.
fn next_mark(text: &str, from: usize) -> Option<(usize, usize, bool)> {
    let places = text[from..].match_indices(['<', '[', '◁']);
    let marks = MARKS
        .iter()
        .flat_map(|&(begin, end)| [(begin, true), (end, false)]);
    places.map(|(at, _)| from + at).find_map(|start| {
        let here = |(mark, _): &(&str, bool)| text[start..].starts_with(mark);
        let (mark, begins) = marks.clone().find(here)?;
        Some((start, start + mark.len(), begins))
    })
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
        ] {
            assert_eq!(said(text), expected, "{text}");
        }
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
