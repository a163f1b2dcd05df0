//! Renders the report of `brigade rats --compare`: annotated references beside the derived ones.

use super::table::Table;
use brigade_diagnostics::words::agent_name;
use brigade_play::episode::play_eagerly;
use brigade_rats::collab::command;
use brigade_rats::compare::Comparison;
use brigade_task::{PackedTask, step};

/// The context of a comparison that the comparison does not hold itself.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// Ticks of an optimal plan.
    pub makespan: u32,
    /// For each annotated reference the ticks it takes when played as soon as possible, if it can be.
    pub played: &'a [Option<u32>],
}

/// A reference that is played for longer is taken for one that cannot be played.
const MAX_TICKS: u32 = 10_000;

/// The ticks until the goal when a reference of Collab-Overcooked is played as soon as possible.
/// `None` if it does not come to the goal so, or not with one label for each of its own.
pub fn played_ticks(task: &PackedTask, words: &[Vec<String>]) -> Option<u32> {
    let commands: Vec<Vec<String>> = words
        .iter()
        .map(|word| word.iter().map(|label| command(label)).collect())
        .collect();
    let played = play_eagerly(task, &commands, MAX_TICKS);
    let recorded = played.labels.iter().zip(words);
    let all = recorded
        .clone()
        .all(|(labels, word)| labels.len() == word.len());
    (played.status == step::Status::Goal && all).then_some(played.ticks)
}

/// The comparison as text, without the references that are missing.
pub fn render(comparison: &Comparison, context: Context<'_>) -> String {
    let sections = [
        verdicts(comparison, context),
        coverage(comparison),
        flawless_play(comparison),
    ];
    let sections = sections.into_iter().filter(|section| !section.is_empty());
    sections.collect::<Vec<_>>().join("\n")
}

fn yes(is: bool) -> &'static str {
    if is { "yes" } else { "no" }
}

/// Lists the annotated references, with a verdict for each on its optimality.
fn verdicts(comparison: &Comparison, context: Context<'_>) -> String {
    let agents = comparison
        .words
        .iter()
        .map(|words| agent_name(&words.agent));
    let header = ["annotated", "optimal"].into_iter().chain(agents.clone());
    let mut table = Table::new(header.chain(["played in"]));
    for (verdict, played) in comparison.annotated.iter().zip(context.played) {
        let mut row = vec![verdict.name.clone(), yes(verdict.optimal).to_owned()];
        row.extend(verdict.words_optimal.iter().map(|&is| yes(is).to_owned()));
        row.push(match played {
            Some(ticks) => match ticks.saturating_sub(context.makespan) {
                0 => format!("{ticks} ticks"),
                more => format!("{ticks} ticks, {more} more than optimal"),
            },
            None => "cannot be played in full".to_owned(),
        });
        table.row(row);
    }
    let agents: Vec<&str> = agents.collect();
    format!(
        "{}\noptimal: whether an optimal plan has exactly these labels; {}: whether one has that agent's\n\
         played in: each action started as soon as it can be\n",
        table.render(),
        agents.join(", "),
    )
}

/// Renders the share of the optimal references that is annotated.
fn coverage(comparison: &Comparison) -> String {
    let unknown = || "an unknown number".to_owned();
    let optimal = comparison
        .annotated
        .iter()
        .filter(|verdict| verdict.optimal);
    let mut text = format!(
        "annotated references: {}, {} of them optimal\n\
         optimal references: {}, {} of them annotated, {} missing\n",
        comparison.annotated.len(),
        optimal.count(),
        comparison.references_total.clone().unwrap_or_else(unknown),
        comparison.covered,
        comparison.missing_total.clone().unwrap_or_else(unknown),
    );
    for words in &comparison.words {
        text.push_str(&format!(
            "optimal sequences of {}: {}, {} of them annotated\n",
            agent_name(&words.agent),
            words.words.clone().unwrap_or_else(unknown),
            words.annotated,
        ));
    }
    text
}

/// Renders the score of optimal play under the annotation.
fn flawless_play(comparison: &Comparison) -> String {
    let Some(play) = &comparison.flawless_play else {
        return String::new();
    };
    let which = if play.all { "all" } else { "the first ones" };
    let mut text = format!(
        "PC of a flawless play under the annotation, each agent against the annotated reference that suits \
         it best\n\
         optimal references scored: {} ({which})\n\
         least {:.4}, mean {:.4}, greatest {:.4}; {} with 1\n",
        play.scored, play.min, play.mean, play.max, play.perfect,
    );
    if play.min < 1.0 {
        text.push_str(&format!("\na flawless play with PC {:.4}\n", play.min));
        text.push_str(&sequences(comparison, &play.min_reference));
    }
    text
}

/// Renders an entry after the comparison: an optimal reference that is not annotated.
pub fn missing(comparison: &Comparison, number: usize, reference: &[Vec<String>]) -> String {
    format!("\nmissing {number}\n{}", sequences(comparison, reference))
}

/// Returns the note after as many of them as were asked for, if there are more.
pub fn more(comparison: &Comparison, listed: usize) -> &'static str {
    if listed > 0 && comparison.missing_total != Some(listed.to_string()) {
        "\nmore of the missing ones with `--limit`\n"
    } else {
        ""
    }
}

/// A reference, an agent a line.
fn sequences(comparison: &Comparison, reference: &[Vec<String>]) -> String {
    let agents = comparison.words.iter().zip(reference);
    agents
        .map(|(agent, word)| format!("  {}: {}\n", agent.agent, word.join(", ")))
        .collect()
}
