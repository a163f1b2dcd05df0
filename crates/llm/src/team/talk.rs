//! Entries of a plan that speak to others: `request(...)`, `accept(...)`, `deny(...)`, `clarify(...)`.
//!
//! The words are those of Collab-Overcooked (Sun et al., EMNLP 2025). They have no effect of their own.

/// A message to the others: the spoken text of an agent, and the entries of its plan that speak to them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Speech {
    /// The spoken text, if any.
    pub(super) said: Option<String>,
    /// All of it, as the others hear it.
    pub(super) text: String,
    /// True if more is to be said on it; an entry that only accepts leaves nothing open.
    pub(super) is_open: bool,
}

impl Speech {
    /// Returns the message to the others of an agent that says and plans this, if any.
    pub(super) fn of(said: Option<&str>, plan: &[String]) -> Option<Self> {
        let said = said.map(str::trim).filter(|said| !is_silence(said));
        let entries = plan.iter().map(|entry| entry.trim());
        let entries: Vec<&str> = entries.filter(|entry| is_talk(entry)).collect();
        let is_open = said.is_some() || entries.iter().any(|entry| verdict(entry) != Some(true));
        // An entry that it says aloud as well is passed on once.
        let heard = said.unwrap_or_default();
        let more = entries.iter().filter(|entry| !heard.contains(**entry));
        let more = more.copied().collect::<Vec<&str>>().join("; ");
        let text = [heard, &more];
        let text = text.iter().filter(|part| !part.is_empty());
        let text = text.copied().collect::<Vec<&str>>().join(" ");
        (said.is_some() || !entries.is_empty()).then(|| Self {
            said: said.map(str::to_owned),
            text,
            is_open,
        })
    }
}

/// Returns true if the text says that there is nothing to say.
fn is_silence(said: &str) -> bool {
    let said = said.trim();
    said.is_empty() || said.to_ascii_uppercase().contains("[NOTHING]")
}

/// The words that entries which speak to others begin with.
pub(crate) const TALK: [&str; 4] = ["request", "accept", "deny", "clarify"];

/// Returns true if an entry of a plan speaks to the others and is no action.
pub(super) fn is_talk(entry: &str) -> bool {
    TALK.iter().any(|word| inside(entry, word).is_some())
}

/// Returns true if an entry accepts a request, false if it denies one.
pub(super) fn verdict(entry: &str) -> Option<bool> {
    let accepts = inside(entry, "accept").map(|_| true);
    accepts.or_else(|| inside(entry, "deny").map(|_| false))
}

/// Returns the request in an entry, with the agent asked: `request(bob, light the stove)`, or without a name the first
/// of the others.
pub(super) fn requested<'a>(entry: &str, others: &[&'a str]) -> Option<(&'a str, String)> {
    let inner = inside(entry, "request")?;
    let named = others.iter().find_map(|name| {
        let start = inner.get(..name.len())?;
        let rest = inner.get(name.len()..)?.trim_start();
        let rest = rest.strip_prefix([',', ':'])?;
        start
            .eq_ignore_ascii_case(name)
            .then(|| (*name, rest.trim()))
    });
    let (of, action) = named.or_else(|| others.first().map(|name| (*name, inner)))?;
    let action = action.trim_matches(['\'', '"', '`', ' ']);
    (!action.is_empty()).then(|| (of, action.to_owned()))
}

/// Returns the text between the parentheses after a word.
fn inside<'e>(entry: &'e str, word: &str) -> Option<&'e str> {
    let entry = entry.trim();
    let start = entry.get(..word.len())?;
    let rest = entry.get(word.len()..)?.trim_start();
    if !start.eq_ignore_ascii_case(word) {
        return None;
    }
    let inner = rest.strip_prefix('(')?;
    Some(inner.strip_suffix(')').unwrap_or(inner).trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_names_whom_it_asks_or_means_the_first() {
        let others = ["bob", "eve"];
        let cases = [
            ("request(take egg)", Some(("bob", "take egg"))),
            ("request(eve, take egg)", Some(("eve", "take egg"))),
            (
                "Request('pickup(egg, pantry)')",
                Some(("bob", "pickup(egg, pantry)")),
            ),
            ("request()", None),
            ("take egg", None),
        ];
        for (entry, expected) in cases {
            let found = requested(entry, &others);
            assert_eq!(
                found.as_ref().map(|(of, action)| (*of, action.as_str())),
                expected,
                "{entry}"
            );
        }
    }

    #[test]
    fn requests_of_a_plan_are_added_to_the_spoken_text() {
        let speech = |said: &str, plan: &[&str]| {
            let plan: Vec<String> = plan.iter().map(|&entry| entry.to_owned()).collect();
            Speech::of(Some(said), &plan).map(|speech| (speech.text, speech.is_open))
        };
        let asks = ["request(bob, take egg)", "wait"];
        let some = |text: &str, is_open| Some((text.to_owned(), is_open));
        assert_eq!(speech("[NOTHING]", &["wait"]), None);
        assert_eq!(speech("Hi.", &["wait"]), some("Hi.", true));
        assert_eq!(speech("", &asks), some("request(bob, take egg)", true));
        assert_eq!(
            speech("Hi.", &asks),
            some("Hi. request(bob, take egg)", true)
        );
        let aloud = "Please request(bob, take egg)!";
        assert_eq!(speech(aloud, &asks), some(aloud, true));
        assert_eq!(
            speech("", &["accept(take egg)"]),
            some("accept(take egg)", false)
        );
        assert_eq!(speech("", &["deny(no)"]), some("deny(no)", true));
    }

    #[test]
    fn only_entries_that_speak_are_talk() {
        assert!(is_talk("accept(take egg)") && is_talk("clarify (what?)"));
        assert!(!is_talk("requesting") && !is_talk("take egg"));
        assert_eq!(verdict("deny(no)"), Some(false));
    }
}
