//! The lines that people type, taken for what they mean.

/// The commands beside actions.
pub(super) const HELP: &str =
    "  NUMBER or an action   take it; where one can wait, wait(3) waits three steps
  say TEXT              tell the others something
  hint                  the best action by the planner, and how far the goal is
  state                 all that you see
  history               what was done and said so far
  help                  this list
  quit                  leave; `--resume` continues the game
";

/// The note on a question in a conversation.
pub(super) const TALK: &str = "the others talk with you: what you type is said";

/// The words that begin commands beside actions, as they are completed.
#[cfg(feature = "full-screen")]
pub(super) const WORDS: [&str; 6] = ["say ", "hint", "state", "history", "help", "quit"];

/// The meaning of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Typed {
    Nothing,
    Help,
    Quit,
    State,
    History,
    Hint,
    Say(String),
    /// The command of an agent, which the referee reads.
    Action(String),
    /// A line that says why it means nothing.
    Wrong(String),
}

/// Returns the meaning of a line where these are the possible actions.
pub(super) fn read(line: &str, actions: &[String]) -> Typed {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    match (word, rest.trim()) {
        ("", _) => Typed::Nothing,
        ("help" | "?", "") => Typed::Help,
        ("quit" | "exit", "") => Typed::Quit,
        ("state", "") => Typed::State,
        ("history", "") => Typed::History,
        ("hint", "") => Typed::Hint,
        ("say", "") => Typed::Wrong("say what? `say TEXT`".to_owned()),
        ("say", text) => Typed::Say(text.to_owned()),
        _ => match line.parse::<usize>() {
            Err(_) => Typed::Action(line.to_owned()),
            Ok(number) => match number.checked_sub(1).and_then(|at| actions.get(at)) {
                Some(action) => Typed::Action(action.clone()),
                None => Typed::Wrong(format!(
                    "there is no action {number}: they have the numbers 1 to {}",
                    actions.len()
                )),
            },
        },
    }
}

#[cfg(test)]
mod tests {
    use super::{Typed, read};

    #[test]
    fn numbers_stand_for_actions_and_the_rest_is_for_the_referee() {
        let actions = ["wait".to_owned(), "take(egg)".to_owned()];
        let read = |line| read(line, &actions);
        assert_eq!(read(" 2 "), Typed::Action("take(egg)".to_owned()));
        assert_eq!(read("hint me"), Typed::Action("hint me".to_owned()));
        assert_eq!(read("say  so it is"), Typed::Say("so it is".to_owned()));
        for (line, why) in [("0", "1 to 2"), ("3", "1 to 2"), ("say", "say TEXT")] {
            let Typed::Wrong(text) = read(line) else {
                panic!("{line}");
            };
            assert!(text.contains(why), "{text}");
        }
    }
}
