//! Questions that are too long for their model, told apart from answers that may be too long.
//!
//! Both are refused in the same words by many servers: what counts is the sum. Where they say how
//! long each part is, the greater part is to blame.

use super::complaint::Complaint;

/// What takes too many tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TooLong {
    /// The question.
    Question,
    /// What the answer may have: `max_tokens`.
    Answer,
}

/// Codes of questions that are too long.
const CODES: [&str; 12] = [
    "context_length",
    "exceed_context_size",
    "context_window",
    "contextwindow",
    "input_too_long",
    "prompt_too_long",
    "too_many_input_tokens",
    "tokens_limit_reached",
    "max_prompt_tokens",
    "request_too_large",
    "string_above_max_length",
    "input_length_exceeded",
];

/// Words of questions that are too long.
const WORDS: [&str; 40] = [
    "context length",
    "context_length",
    "context size",
    "context window",
    "context_window",
    "context limit",
    "contextwindowexceeded",
    "maximum context",
    "max_model_len",
    "maximum model length",
    "max model len",
    "model's maximum length",
    "maximum prompt length",
    "maximum input length",
    "prompt is too long",
    "prompt too long",
    "prompt exceeds max length",
    "input is too long",
    "input too long",
    "too long for requested model",
    "token length too long",
    "input length",
    "length of the messages",
    "length of the prompt",
    "input token count",
    "prompt token count",
    "number of input tokens",
    "too many tokens",
    "too many input tokens",
    "too large for model",
    "request too large for",
    "request body too large",
    "maximum number of tokens",
    "exceeded model token limit",
    "max_new_tokens` must be <=",
    "` must have less than",
    "exceeds the maximum number of tokens",
    "total tokens limit",
    "loaded with context length",
    "reduce your message size",
];

/// What is said of the tokens of an answer that may be too many.
const ANSWER_WORDS: [&str; 11] = [
    "too large",
    "too high",
    "too big",
    "must be less than",
    "less than or equal",
    "cannot be greater",
    "can't be greater",
    "maximum allowed number of output",
    "maximum value",
    "at most",
    "valid range",
];

/// What is too long by a complaint, if anything is.
pub(super) fn too_long(status: u16, complaint: &Complaint) -> Option<TooLong> {
    let names_answer = complaint.says(&["max_tokens", "max_completion_tokens", "max_new_tokens"]);
    let is_length = complaint.has_code(&CODES)
        || complaint.says(&WORDS)
        || complaint.says(&["too long"]) && complaint.says(&["prompt", "question", "input"]);
    if is_length || names_answer {
        match sizes(&complaint.message.to_lowercase()) {
            (Some(question), Some(answer)) if answer >= question => return Some(TooLong::Answer),
            (Some(_), Some(_)) => return Some(TooLong::Question),
            _ => {}
        }
    }
    let blames_answer = names_answer && complaint.says(&ANSWER_WORDS)
        || complaint.param.as_deref().is_some_and(is_limit) && complaint.says(&ANSWER_WORDS);
    if blames_answer {
        return Some(TooLong::Answer);
    }
    (is_length || status == 413).then_some(TooLong::Question)
}

/// Returns whether a parameter is the limit of an answer's tokens.
pub(super) fn is_limit(param: &str) -> bool {
    ["max_tokens", "max_completion_tokens", "max_new_tokens"].contains(&param)
}

/// The tokens of the question and those that the answer may have, as far as a message says so.
fn sizes(message: &str) -> (Option<u64>, Option<u64>) {
    let (mut question, mut answer) = (None, None);
    let mut is_sum = false;
    for (before, number, after) in numbers(message) {
        let says = |words: &[&str]| words.iter().any(|word| after.contains(word));
        if is_sum || before.contains("too large: ") || says(&["completion", "output", "max_new"]) {
            answer = answer.or(Some(number));
        } else if after.trim() == "+" || says(&["input", "message", "prompt"]) {
            question = question.or(Some(number));
        }
        is_sum = after.trim() == "+";
    }
    (question, answer)
}

/// The numbers of a text, each with what stands before and after it, up to the next.
fn numbers(text: &str) -> Vec<(&str, u64, &str)> {
    let mut places: Vec<(usize, usize)> = Vec::new();
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let end = at
            + bytes[at..]
                .iter()
                .take_while(|byte| byte.is_ascii_digit())
                .count();
        if end > at {
            places.push((at, end));
        }
        at = end.max(at + 1);
    }
    let ends = places
        .iter()
        .skip(1)
        .map(|place| place.0)
        .chain([text.len()]);
    let starts = [0].into_iter().chain(places.iter().map(|place| place.1));
    let numbers = places.iter().zip(starts.zip(ends));
    numbers
        .filter_map(|(&(start, end), (before, after))| {
            let number = text[start..end].parse().ok()?;
            Some((&text[before..start], number, &text[end..after]))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_greater_part_is_to_blame_where_both_are_told() {
        for (message, expected) in [
            (
                "4097 tokens. However, you requested 5000 tokens (900 in the messages, 4100 in the completion)",
                (Some(900), Some(4100)),
            ),
            (
                "is too large: 9000. This model's maximum context length is 8192 tokens and your request has 100 input tokens (9000 > 8192 - 100)",
                (Some(100), Some(9000)),
            ),
            (
                "given: 9000 `inputs` tokens and 512 `max_new_tokens`",
                (Some(9000), Some(512)),
            ),
            (
                "exceed context limit: 190000 + 20000 > 200000, decrease",
                (Some(190_000), Some(20_000)),
            ),
            (
                "a total of 9100 tokens: 9000 tokens from the input messages and 100 tokens for the completion.",
                (Some(9000), Some(100)),
            ),
            (
                "32768 tokens. however, you requested about 40000 tokens (3000 of text input, 37000 in the output)",
                (Some(3000), Some(37_000)),
            ),
            ("no numbers", (None, None)),
        ] {
            assert_eq!(sizes(message), expected, "{message}");
        }
    }
}
