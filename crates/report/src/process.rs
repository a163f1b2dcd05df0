//! The process metrics of an episode as text.

use super::table::Table;
use brigade_diagnostics::words::{agent_name, counted};
use brigade_score::process::{
    Bounds, Collaboration, Departure, EpisodeFailure, FailureClass, Process, Quantity, Unit,
};

/// The text of a cell without a value.
const ABSENT: &str = "–";

/// Renders the end of the episode, a row for each agent, the failure if there was one, and the requests. `number`
/// writes an amount in the unit.
pub fn render(process: &Process, number: &dyn Fn(i128) -> String) -> String {
    let regret = |quantity: Quantity| quantity_text(quantity, number);
    let mut text = ending(process, number);
    let columns = [
        "agent",
        "choices",
        "optimal",
        "regret",
        "state",
        "action",
        "transition",
        "goal",
    ];
    let mut table = (1..columns.len()).fold(Table::new(columns), Table::right);
    for agent in &process.agents {
        let failures = agent.failures;
        table.row([
            agent_name(&agent.agent).to_owned(),
            agent.choices.to_string(),
            agent.optimal.to_string(),
            regret(agent.regret),
            failures.state.to_string(),
            failures.action.to_string(),
            failures.transition.to_string(),
            failures.goal.to_string(),
        ]);
    }
    text.push_str(&table.render());
    if let Some(failure) = &process.failures.episode {
        text.push_str(&failure_text(failure));
    }
    text.push_str(&requests(&process.collaboration));
    if let Some(reason) = process.stopped {
        text.push_str(&format!("not all is known: {reason}\n"));
    }
    text
}

fn ending(process: &Process, number: &dyn Fn(i128) -> String) -> String {
    let end = &process.end;
    // Where the greatest is best, what is minimised is the negated metric.
    let sign = if process.unit == Unit::NegatedCost {
        -1
    } else {
        1
    };
    let value = |quantity: Quantity| quantity_text(quantity, &|value| number(sign * value));
    let share = |share: Option<f64>| share.map_or(ABSENT.to_owned(), |it| format!("{it:.4}"));
    let steps = counted(end.steps, "timestep");
    let spent = match process.unit {
        Unit::Ticks => steps,
        Unit::Cost | Unit::NegatedCost => format!("{steps}, cost {}", number(sign * end.spent)),
    };
    let bin = end.optimality_bin.map_or_else(String::new, |bin| {
        format!(", ratio {} in {}", share(end.optimality_ratio), bin.range())
    });
    let dead_end = end
        .dead_end
        .map_or_else(String::new, |tick| format!(", dead end at tick {tick}"));
    format!(
        "{}: {} after {spent} (optimum {}, {} to go{dead_end}); optimality rate {}{bin}; progress {}\n",
        process.id,
        match end.success {
            Some(true) => "success",
            Some(false) => "no success",
            None => ABSENT,
        },
        value(end.optimum),
        value(end.to_go),
        share(end.optimality_rate),
        share(end.progress),
    )
}

fn quantity_text(quantity: Quantity, number: &dyn Fn(i128) -> String) -> String {
    let number = |value: i64| number(value.into());
    match quantity {
        Quantity::Exact(value) => number(value),
        Quantity::Infinite => "∞".to_owned(),
        Quantity::Undefined => ABSENT.to_owned(),
        Quantity::Between(Bounds { lower, upper, .. }) => match (lower, upper) {
            (None, None) => "?".to_owned(),
            (Some(lower), None) => format!("≥ {}", number(lower)),
            (None, Some(upper)) => format!("≤ {}", number(upper)),
            (Some(lower), Some(upper)) => format!("{} to {}", number(lower), number(upper)),
        },
    }
}

const fn class_name(class: FailureClass) -> &'static str {
    match class {
        FailureClass::State => "state",
        FailureClass::Action => "action",
        FailureClass::Transition => "transition",
        FailureClass::Goal => "goal",
    }
}

fn failure_text(failure: &EpisodeFailure) -> String {
    let departure = |departure: &Departure| {
        let action = match &departure.action {
            Some(action) => format!("`{action}`"),
            None => "a refused command".to_owned(),
        };
        format!(
            "{}, {action} of {} at tick {}",
            class_name(departure.class),
            agent_name(&departure.agent),
            departure.tick
        )
    };
    let mut text = match (&failure.first, &failure.reason) {
        (Some(first), _) => format!("failure: {}", departure(first)),
        (None, reason) => {
            let reason = reason.as_deref().unwrap_or("not known");
            format!("failure without a class: {reason}")
        }
    };
    if let Some(decisive) = &failure.decisive {
        text.push_str(&format!("; out of reach since: {}", departure(decisive)));
    }
    text.push('\n');
    text
}

fn requests(of: &Collaboration) -> String {
    let mut text = String::new();
    if !of.requests.is_empty() {
        let (asked, done) = (of.initiation, of.response);
        text.push_str(&format!(
            "{}: {} correct, {} premature, {} repetitive, {} irrelevant{}; \
             {} followed, {} later, {} refused, {} ignored\n",
            counted(of.requests.len(), "request"),
            asked.correct,
            asked.premature,
            asked.repetitive,
            asked.irrelevant,
            without_class(asked.unknown),
            done.followed,
            done.later,
            done.refused,
            done.ignored,
        ));
    }
    if !of.promises.is_empty() {
        let promised = of.promised;
        let kept = of.promises.iter().filter(|promise| promise.done.is_some());
        text.push_str(&format!(
            "{}: {} correct, {} premature, {} repetitive, {} irrelevant{}; {} done\n",
            counted(of.promises.len(), "promise"),
            promised.correct,
            promised.premature,
            promised.repetitive,
            promised.irrelevant,
            without_class(promised.unknown),
            kept.count(),
        ));
    }
    text
}

fn without_class(count: u32) -> String {
    if count == 0 {
        String::new()
    } else {
        format!(", {count} without a class")
    }
}
