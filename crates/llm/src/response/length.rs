//! Recognises questions that are too long for their model, apart from answers that may be too long.
//!
//! Both are refused in the same words by many servers: what counts is the sum. Where they say how
//! long each part is, the greater part is to blame.
//!
//! Most servers have words of their own, but few forms: a sentence that names the question, a measure
//! of it and that it is over a limit.

use super::complaint::Complaint;

/// The part that takes too many tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TooLong {
    /// The question.
    Question,
    /// The answer, by its `max_tokens`.
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
    "input_length_exceeded",
    "1261",
];

/// Names of an answer's limit.
const LIMITS: [&str; 3] = ["max_tokens", "max_completion_tokens", "max_new_tokens"];

/// Words of a server that fails at questions that are too long. That a failure speaks of a length is
/// not enough: there may be no memory for the length that the model is loaded with.
const FAILURE_WORDS: [&str; 4] = [
    "context size exceeded",
    "exceeds the available context size",
    "exceed context window of",
    "input length exceeds the context length",
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

/// The words of a complaint about the tokens that an answer may have.
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

/// The part that is too long by a complaint, if any is.
pub(super) fn too_long(status: u16, complaint: &Complaint) -> Option<TooLong> {
    let names_answer = complaint.says(&LIMITS);
    let is_length = complaint.has_code(&CODES)
        || match status {
            500.. => complaint.says(&FAILURE_WORDS),
            _ => !is_of_other(complaint) && says_length(complaint),
        };
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
fn is_limit(param: &str) -> bool {
    LIMITS.contains(&param)
}

/// Returns whether what is wrong is neither the question nor how long its answer may be.
fn is_of_other(complaint: &Complaint) -> bool {
    const QUESTION: [&str; 3] = ["message", "prompt", "input"];
    let is_other = |param: &str| {
        let is_question = param == "content" || QUESTION.iter().any(|it| param.starts_with(it));
        !is_question && !is_limit(param)
    };
    complaint.is_of_request() || complaint.param.as_deref().is_some_and(is_other)
}

/// Returns whether a complaint says, in whatever words, that the question is too long.
fn says_length(complaint: &Complaint) -> bool {
    let message = complaint.message.to_lowercase();
    complaint.has_code(&["string_above_max_length"])
        || complaint.says(&WORDS)
        || complaint.says(&["too long"]) && complaint.says(&["prompt", "question", "input"])
        || sentences(&message).any(is_over)
        // What the question leaves for the answer.
        || complaint.says(&LIMITS) && message.contains("got -")
}

fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let ends = [". ", ": ", "; ", "\n"];
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let end = ends.iter().filter_map(|end| text.find(end)).min();
        let (sentence, after) = end.map_or((text, None), |end| (&text[..end], text.get(end + 1..)));
        rest = after;
        Some(sentence)
    })
}

/// Returns whether a sentence says that the question is over a limit: its name stands near a measure,
/// or is itself what exceeds one.
fn is_over(sentence: &str) -> bool {
    const QUESTION: [&str; 7] = [
        "prompt", "prompts", "input", "inputs", "message", "messages", "session",
    ];
    const MEASURES: [&str; 4] = ["token", "length", "long", "character"];
    // How many words apart a name and its measure are at most: where the answer is spoken of too, the
    // measure may be its own.
    let names_answer = ["max_", "output", "completion"]
        .iter()
        .any(|it| sentence.contains(it));
    let near = if names_answer { 1 } else { 3 };
    let is_of_word = |c: char| c.is_alphanumeric() || c == '_';
    let words = sentence.split(|c| !is_of_word(c));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let is_question = |at: &usize| QUESTION.contains(&words[*at]);
    let measures = |word: &str| MEASURES.iter().any(|it| word.starts_with(it));
    let exceeds = |at: &usize| match words[*at] {
        "over" | "above" | "beyond" => true,
        "longer" | "larger" | "greater" | "more" => words.get(at + 1) == Some(&"than"),
        word => word.starts_with("exceed"),
    };
    let all = || 0..words.len();
    let is_measured = |at: usize| {
        let around = at.saturating_sub(near)..words.len().min(at + near + 1);
        words[around].iter().any(|word| measures(word))
    };
    let is_subject = |at: usize| at + 1 < words.len() && exceeds(&(at + 1));
    all().any(|at| exceeds(&at))
        && words.iter().any(|word| measures(word))
        && all()
            .filter(is_question)
            .any(|at| is_measured(at) || is_subject(at))
}

/// The tokens of the question and those that the answer may have, as far as a message says so.
fn sizes(message: &str) -> (Option<u64>, Option<u64>) {
    let (mut question, mut answer) = (None, None);
    let mut is_sum = false;
    for (before, number, after) in numbers(message) {
        let says = |words: &[&str]| words.iter().any(|word| after.contains(word));
        let is_named = |names: &[&str]| names.iter().any(|name| before.ends_with(name));
        if is_named(&["prompt length ("]) {
            question = question.or(Some(number));
        } else if is_sum
            || is_named(&["max_tokens ("])
            || before.contains("too large: ")
            || says(&["completion", "output", "max_new"])
        {
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
    fn a_sentence_is_of_a_long_question_where_it_names_its_measure_and_that_it_is_over_a_limit() {
        for sentence in [
            "prompt length 9000 is greater than max_seq_len 8192",
            "your prompt exceeds the maximum allowed number of tokens",
            "the number of tokens in the prompt (9000) exceeds the model limit (8192)",
            "the sum of prompt length (9000) and max_tokens (96) should not exceed max_seq_len (8192)",
        ] {
            assert!(is_over(sentence), "{sentence}");
        }
        for sentence in [
            "max_tokens exceeds the maximum length 4096",
            "invalid input, max_tokens exceeds the maximum length 4096",
            "max_tokens 9000 exceeds what the model allows: 4096 tokens for this input",
            "the completion may not exceed 4096 tokens",
            "the prompt has 12 tokens",
            "input exceeds 3 images",
            "more tokens for a prompt cost more",
        ] {
            assert!(!is_over(sentence), "{sentence}");
        }
    }

    #[test]
    fn the_greater_part_is_to_blame_where_both_are_stated() {
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
            (
                "the sum of prompt length (100) and max_tokens (9000) should not exceed max_seq_len (8192)",
                (Some(100), Some(9000)),
            ),
            ("no numbers", (None, None)),
        ] {
            assert_eq!(sizes(message), expected, "{message}");
        }
    }
}
