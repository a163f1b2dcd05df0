//! Plans as planners and validators write them: an action a line, alone or at a time.
//!
//! `(put j)` of Fast Downward; `0: (PUT J) [1]` of the competitions; `0.000: (put j) [2.000]` of VAL, with a duration;
//! `0.0003: (PUT J) [D:1.0000; C:0.1000]` of LPG, with a cost too; `step 0: PUT J` of FF. A semicolon outside brackets
//! begins a comment. Text before the first action and after the last, as `plan (cost: 49.9) [0.001]`, is left out.

use std::collections::BTreeMap;

use super::joint_lines::{JointLine, Read};
use crate::diagnostics::words::{agent_name, known_agents};
use crate::report::plan_file::obstacle;
use crate::task::{OperatorKind, PackedTask};

/// No plan is longer (ticks).
const MAX_TICKS: f64 = 1e6;

/// The greatest distance of a time from a whole number of ticks, where a validator keeps the events of one tick apart.
const APART: f64 = 0.1;

/// An action of a plan.
struct Action<'a> {
    line: usize,
    time: Option<f64>,
    words: Vec<&'a str>,
}

/// A plan, and the lines of its text that are left out.
struct PlanText<'a> {
    actions: Vec<Action<'a>>,
    aside: Vec<(usize, &'a str)>,
}

/// Reads a plan of a task.
pub(super) fn read_plan(text: &str, task: &PackedTask) -> Result<Read, String> {
    let plan = parse(text)?;
    // An action of the task is a slip there, not what a planner says beside its plan.
    let slip = plan.aside.iter().find(|(_, text)| holds_action(text, task));
    if let Some((line, _)) = slip {
        return Err(format!("line {line}: is not an action in parentheses"));
    }
    let aside = plan.aside.iter();
    let left_out = aside.map(|(line, text)| (*line, (*text).to_owned()));
    Ok(Read {
        left_out: left_out.collect(),
        lines: timesteps(&plan.actions, task)?,
    })
}

/// Returns whether the first word, or the first within parentheses, names an action of the task.
fn holds_action(text: &str, task: &PackedTask) -> bool {
    let first = |text: &str| text.split_whitespace().next().map(str::to_ascii_lowercase);
    let words: Vec<String> = text.split('(').filter_map(first).collect();
    let mut operators = task.operators.iter();
    operators.any(|operator| {
        let is_named = |name: String| words.contains(&name);
        operator.kind == OperatorKind::Start && first(&operator.name).is_some_and(is_named)
    })
}

/// The same plan in the form of Fast Downward, each action on its line.
pub(super) fn plain(text: &str) -> Result<String, String> {
    let plan = parse(text)?;
    let mut actions = plan.actions.iter().peekable();
    let lines = (1..=text.lines().count()).map(|line| {
        let action = actions.next_if(|action| action.line == line);
        action.map_or_else(String::new, |action| {
            format!("({})", action.words.join(" "))
        }) + "\n"
    });
    Ok(lines.collect())
}

fn parse(text: &str) -> Result<PlanText<'_>, String> {
    let mut actions = Vec::new();
    let mut aside = Vec::new();
    let mut after = None;
    for (text, line) in text.lines().zip(1..) {
        let text = without_comment(text).trim();
        if text.is_empty() {
            continue;
        }
        let read = action(text).map_err(|why| format!("line {line}: {why}"))?;
        let Some((time, words)) = read else {
            aside.push((line, text));
            if !actions.is_empty() {
                after = after.or(Some((line, text)));
            }
            continue;
        };
        if let Some((line, text)) = after {
            return Err(format!("line {line}: `{text}` is no action"));
        }
        actions.push(Action { line, time, words });
    }
    if let (true, Some((line, text))) = (actions.is_empty(), aside.first()) {
        return Err(format!(
            "line {line}: `{text}` is no step: a line is a JSON object or array of commands, or an action as \
             plans have them, `(action argument …)`"
        ));
    }
    Ok(PlanText { actions, aside })
}

/// A line without its comment. A semicolon in brackets parts what they say of an action.
fn without_comment(line: &str) -> &str {
    let mut is_within = false;
    let comment = line.char_indices().find(|&(at, c)| {
        match c {
            '[' => is_within = line[at..].contains(']'),
            ']' => is_within = false,
            _ => {}
        }
        c == ';' && !is_within
    });
    comment.map_or(line, |(at, _)| &line[..at])
}

/// Returns whether what stands before the parentheses of an action is meant for its time.
fn is_meant_for_time(text: &str) -> bool {
    let text = text.trim();
    let time = text.strip_suffix(':').unwrap_or(text).trim();
    time.parse::<f64>().is_ok()
}

/// The time and the words of an action.
type Taken<'a> = (Option<f64>, Vec<&'a str>);

/// The action of a line; `None` where it is none.
fn action(text: &str) -> Result<Option<Taken<'_>>, &'static str> {
    let after_step = text.strip_prefix("step").map(str::trim_start);
    let text = after_step.unwrap_or(text);
    let timed = text.split_once(':').and_then(|(time, rest)| {
        let time: f64 = time.trim().parse().ok()?;
        (time.is_finite() && time >= 0.0).then_some((time, rest.trim()))
    });
    let (time, text) = timed.map_or((None, text), |(time, rest)| (Some(time), rest));
    if time.is_none() && !text.starts_with('(') {
        return match text.split_once('(') {
            Some((before, _)) if is_meant_for_time(before) => {
                Err("does not begin with a time as plans have them, `0.000: (action argument …)`")
            }
            _ => Ok(None),
        };
    }
    let duration = text.ends_with(']').then(|| text.rfind('[')).flatten();
    let text = duration.map_or(text, |at| text[..at].trim_end());
    let words = match text.strip_prefix('(') {
        Some(inner) => inner
            .strip_suffix(')')
            .ok_or("is not an action in parentheses")?,
        None => text,
    };
    let words: Vec<&str> = words.split_whitespace().collect();
    if words.is_empty() || words.iter().any(|word| word.contains(['(', ')'])) {
        return Err("is not an action in parentheses");
    }
    Ok(Some((time, words)))
}

/// The timesteps in which actions are taken.
fn timesteps(actions: &[Action<'_>], task: &PackedTask) -> Result<Vec<JointLine>, String> {
    let mut sorted: Vec<&Action<'_>> = actions.iter().collect();
    sorted.sort_by(|a, b| a.time.unwrap_or(0.0).total_cmp(&b.time.unwrap_or(0.0)));
    let pace = Pace::of(&sorted, task);
    let mut steps: BTreeMap<u32, JointLine> = BTreeMap::new();
    // The first timestep that is free, of each agent and of all.
    let mut free = vec![0; task.agents.len()];
    let mut last_time = None;
    let mut last = 0;
    for action in sorted {
        let agent = actor(action, task)?;
        let tick = match (pace, action.time) {
            (Pace::Ticks, Some(time)) if time.round() >= MAX_TICKS => {
                return Err(format!("line {}: the time {time} is too late", action.line));
            }
            (Pace::Ticks, Some(time)) => free[agent].max(time.round() as u32),
            (Pace::Order, Some(time)) if last_time == Some(time) => free[agent].max(last),
            (Pace::Ticks | Pace::Order | Pace::Sequence, _) => {
                free.iter().copied().max().unwrap_or(0)
            }
        };
        last_time = action.time;
        last = tick;
        free[agent] = tick + 1;
        let step = steps.entry(tick).or_insert_with(|| JointLine {
            line: action.line,
            commands: vec![None; task.agents.len()],
            order: Vec::new(),
        });
        step.commands[agent] = Some(format!("({})", action.words.join(" ")));
    }
    let mut lines = Vec::new();
    for (tick, step) in steps {
        while lines.len() < tick as usize {
            lines.push(JointLine {
                line: step.line,
                commands: vec![None; task.agents.len()],
                order: Vec::new(),
            });
        }
        lines.push(step);
    }
    Ok(lines)
}

/// The meaning of times.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pace {
    /// Nothing but an order: one action after another.
    Sequence,
    /// Events of one time are one timestep, those of the next time the next one.
    Order,
    /// A time is a tick.
    Ticks,
}

impl Pace {
    /// Ticks where something in the task depends on time or several agents act, and times are whole but
    /// for what keeps two things at one tick apart.
    fn of(sorted: &[&Action<'_>], task: &PackedTask) -> Self {
        let is_sequence = obstacle(task).is_none() || sorted.iter().any(|it| it.time.is_none());
        let times = || sorted.iter().filter_map(|action| action.time);
        let is_whole = |time: f64| (time - time.round()).abs() <= APART;
        // What ends within the first tick is kept apart there, or is all at once.
        let spans_a_tick =
            times().all(|time| time == 0.0) || times().any(|time| time >= 1.0 - APART);
        if is_sequence {
            Self::Sequence
        } else if times().all(is_whole) && spans_a_tick {
            Self::Ticks
        } else {
            Self::Order
        }
    }
}

/// Returns the agent that takes an action: the only one that has an action of this name.
fn actor(action: &Action<'_>, task: &PackedTask) -> Result<usize, String> {
    if task.agents.len() == 1 {
        return Ok(0);
    }
    let name = action.words.join(" ");
    let has_it = |agent: &usize| {
        let mut operators = task.agents[*agent].operators.iter();
        operators.any(|&id| {
            let operator = task.operator(id);
            operator.kind == OperatorKind::Start && operator.name.eq_ignore_ascii_case(&name)
        })
    };
    let mut who = (0..task.agents.len()).filter(has_it);
    match (who.next(), who.next()) {
        (Some(agent), None) => Ok(agent),
        (Some(_), Some(_)) => Err(format!(
            "line {}: `({name})` does not say who acts: several agents can do it",
            action.line
        )),
        (None, _) => {
            let names = || task.agents.iter().map(|agent| agent.name.as_str());
            let is_name = |word: &str| names().any(|name| name.eq_ignore_ascii_case(word));
            let named = action.words.iter().find(|word| is_name(word));
            let why = named.map_or_else(
                || known_agents(names()),
                |agent| format!("{} cannot ever do it", agent_name(agent)),
            );
            Err(format!(
                "line {}: there is no action `({name})` of any agent: {why}",
                action.line
            ))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<(Option<f64>, String)> {
        let plan = parse(text).unwrap_or_else(|why| panic!("{why}"));
        let actions = plan.actions.into_iter();
        actions
            .map(|action| (action.time, action.words.join(" ")))
            .collect()
    }

    #[test]
    fn the_forms_of_planners_and_validators_are_read() {
        let put = |time| vec![(time, "put j".to_owned())];
        assert_eq!(names("(put j)\n; cost = 1 (unit cost)\n"), put(None));
        assert_eq!(names("( put  j )"), put(None));
        assert_eq!(names("0.000: (put j)"), put(Some(0.0)));
        assert_eq!(names("2.001: (put j) [2.000]"), put(Some(2.001)));
        assert_eq!(names("(put j) ; [late; very]"), put(None));
        let put = |time| vec![(time, "PUT J".to_owned())];
        for (line, time) in [
            ("0.0003:   (PUT J) [D:1.0000; C:0.1000]", 0.0003),
            ("0:   (PUT J) [D:1; C:1] ; first", 0.0),
        ] {
            assert_eq!(names(line), put(Some(time)));
        }
        assert_eq!(
            names("0: (PUT J) [1]\nplan (cost: 49.9)  [0.001]"),
            put(Some(0.0))
        );
        assert_eq!(
            names("ff: found legal plan\n\nstep    0: PUT J\n\ntime spent: 0.00"),
            put(Some(0.0))
        );
    }

    #[test]
    fn what_is_no_action_between_actions_is_an_error() {
        for text in ["(a)\nput j\n(b)", "(a\n", "0: ()", "0: (a (b))", "hello"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn an_action_whose_time_is_not_understood_is_an_error() {
        for line in [
            "-1: (put j)",
            "0.000 (put j)",
            "inf: (put j)",
            "1 : 2 (put j)",
        ] {
            let text = format!("{line}\n1: (put j)");
            assert!(parse(&text).is_err(), "{line}");
        }
    }

    #[test]
    fn a_line_that_is_no_step_is_refused_by_what_a_line_must_be() {
        for line in ["null", "42", "\"put j\""] {
            let error = parse(line).err().unwrap_or_default();
            assert!(error.contains("is a JSON object or array"), "{error}");
        }
    }

    #[test]
    fn a_plan_keeps_its_lines_in_the_plain_form() {
        let text = "; found\n0: (PUT J) [1]\n\n1: (SET-UP ) [1]\nplan (cost: 2)";
        assert_eq!(
            plain(text).ok().as_deref(),
            Some("\n(PUT J)\n\n(SET-UP)\n\n")
        );
    }
}
