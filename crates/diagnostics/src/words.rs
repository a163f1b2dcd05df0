//! Words of messages and reports: counts with their nouns, an agent without a name.

use std::fmt::Display;

use crate::suggest;

/// `1 plan`, `2 plans`; the noun must form its plural with an `s`.
pub fn counted(count: impl Display, noun: &str) -> String {
    let count = count.to_string();
    let plural = if count == "1" { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

/// A message that may quote a file, as it can be shown: control characters are replaced, and if it is very
/// long, each of its lines is cut.
pub fn presentable(message: &str) -> String {
    /// No message is longer unless it quotes a file.
    const LONG: usize = 4_000;
    /// The number of characters of a line that are kept then.
    const KEPT: usize = 300;
    let is_odd = |c: char| c.is_control() && c != '\n' && c != '\t';
    let shown = if message.len() <= LONG {
        message.to_owned()
    } else {
        let cut = |line: &str| match line.char_indices().nth(KEPT) {
            Some((at, _)) => format!("{}…", &line[..at]),
            None => line.to_owned(),
        };
        let lines = message.lines().take(KEPT).map(cut);
        lines.collect::<Vec<_>>().join("\n")
    };
    shown.replace(is_odd, "\u{fffd}")
}

/// Returns the name of an agent for text: the one implicit agent of a domain without agents has no name.
pub fn agent_name(name: &str) -> &str {
    if name.is_empty() { "(no agent)" } else { name }
}

/// Lists the agents, for those who named someone else.
pub fn known_agents<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    match &names[..] {
        [] => "the problem has no agents".to_owned(),
        [""] => "the domain has no agents".to_owned(),
        [only] => format!("the only agent is {only}"),
        several => format!("the agents are {}", several.join(", ")),
    }
}

/// Returns the advice for an agent that does not exist: the nearest that does, and all.
pub fn agents_like<'a>(
    name: &str,
    names: impl IntoIterator<Item = &'a str, IntoIter: Clone>,
) -> String {
    let names = names.into_iter();
    let near = suggest(name, names.clone());
    let near = near.map_or(String::new(), |near| format!("did you mean `{near}`? "));
    format!("{near}{}", known_agents(names))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_noun_is_singular_after_one_only() {
        assert_eq!(counted(0, "tick"), "0 ticks");
        assert_eq!(counted(1_u64, "tick"), "1 tick");
        assert_eq!(counted(2, "labelled action"), "2 labelled actions");
        assert_eq!(counted("1", "plan"), "1 plan");
        assert_eq!(
            counted("between 1 and 21", "plan"),
            "between 1 and 21 plans"
        );
    }

    #[test]
    fn an_agent_without_a_name_is_called_no_agent() {
        assert_eq!(agent_name("chef"), "chef");
        assert_eq!(agent_name(""), "(no agent)");
    }

    #[test]
    fn the_agents_there_are_make_a_sentence() {
        assert_eq!(known_agents([]), "the problem has no agents");
        assert_eq!(known_agents([""]), "the domain has no agents");
        assert_eq!(known_agents(["ann"]), "the only agent is ann");
        assert_eq!(known_agents(["ann", "bob"]), "the agents are ann, bob");
    }
}
