//! The reasons that servers give for the end of an answer.

/// The name of the filter of `OpenAI` where it ends an answer.
pub(super) const FILTER: &str = "content_filter";

/// Ends of an answer that are the model's own, [plain].
pub(super) const STOPS: [&str; 23] = [
    "stop",
    "tool_calls",
    "tool_call",
    "tool_use",
    "function_call",
    "eos",
    "eos_token",
    "stop_sequence",
    "stop_token",
    "end_turn",
    "complete",
    "completed",
    "done",
    "end",
    "end_of_text",
    "finished",
    "pause_turn",
    "repetition",
    "stop_words",
    "malformed_function_call",
    "unexpected_tool_call",
    "too_many_tool_calls",
    "other",
];

/// Ends at a limit of tokens, plain.
pub(super) const LIMITS: [&str; 10] = [
    "length",
    "max_tokens",
    "max_length",
    "max_output_tokens",
    "max_new_tokens",
    "model_length",
    "model_context_window_exceeded",
    "context_length",
    "context_length_exceeded",
    "token_limit",
];

/// Ends by a filter of the provider, plain.
pub(super) const FILTERS: [&str; 18] = [
    FILTER,
    "content_filtered",
    "contentfilter",
    "safety",
    "image_safety",
    "recitation",
    "blocklist",
    "prohibited_content",
    "spii",
    "language",
    "refusal",
    "guardrail_intervened",
    "guardrails",
    "sensitive",
    "error_toxic",
    "moderation",
    "model_armor",
    "blocked",
];

/// Returns whether an end of this name is one by a filter.
pub(super) fn is_filter(reason: &str) -> bool {
    FILTERS.contains(&plain(reason).as_str())
}

/// The name of an end without what only some servers write: capitals, hyphens, the name of its type
/// (`FINISH_REASON_STOP`), and before a colon the name that another API has for it
/// (`content_filter: RECITATION`).
pub(super) fn plain(reason: &str) -> String {
    let last = reason.rsplit(": ").next().unwrap_or(reason);
    let name = last.trim().to_ascii_lowercase().replace('-', "_");
    let types = ["finish_reason_", "finishreason."];
    let bare = types.iter().find_map(|kind| name.strip_prefix(kind));
    bare.unwrap_or(&name).to_owned()
}
