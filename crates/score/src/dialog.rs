//! Reads requests and promised answers out of a dialog: the actions that its plan text names.

use super::actions::normalise;
use super::episode_log::{Dialog, NOTHING};
use super::options::{DialogOptions, Quotes, RepeatedRequests, ResponsePlan};

/// The agent who begins a dialog: the first who says something. `None` if nobody does.
pub fn begin_agent(dialog: &Dialog) -> Option<usize> {
    dialog
        .turns
        .iter()
        .find(|turn| turn.say != NOTHING)
        .map(|turn| turn.agent)
}

/// R: the actions that `initiator` requests over the whole dialog, normalised, in order.
pub fn requested_actions(dialog: &Dialog, initiator: usize, options: DialogOptions) -> Vec<String> {
    let mut actions: Vec<String> = Vec::new();
    for turn in dialog.turns.iter().filter(|turn| turn.agent == initiator) {
        for action in requests(&turn.plan, options.quotes) {
            let repeated = options.repeated_requests == RepeatedRequests::Once;
            if !(repeated && actions.contains(&action)) {
                actions.push(action);
            }
        }
    }
    actions
}

/// R̂: the actions that `responder` plans in answer, normalised, in order.
pub fn promised_actions(dialog: &Dialog, responder: usize, options: DialogOptions) -> Vec<String> {
    let mut plans = dialog.turns.iter().filter(|turn| turn.agent == responder);
    let own = |plan: &str| -> Vec<String> {
        let calls = calls(plan);
        let is_action = |call: &&str| !call.contains("request") && !call.contains("wait");
        calls.into_iter().filter(is_action).map(normalise).collect()
    };
    match options.response_plan {
        ResponsePlan::FirstWithAction => plans
            .find(|turn| !calls(&turn.plan).is_empty())
            .map(|turn| own(&turn.plan)),
        ResponsePlan::Last => plans.next_back().map(|turn| own(&turn.plan)),
    }
    .unwrap_or_default()
}

/// The arguments of every `request(…)` in a plan.
///
/// Reads as the published pattern `request\((.+?)\)` does: up to the first closing parenthesis
/// after at least one character, on one line. The request's own closing quote and parenthesis are
/// thereby lost and the action's parenthesis is put back: a request for an action with nested
/// parentheses comes out broken, and is then dropped as unknown.
fn requests(plan: &str, quotes: Quotes) -> Vec<String> {
    const OPEN: &str = "request(";
    let mut found = Vec::new();
    let mut rest = plan;
    while let Some(start) = rest.find(OPEN) {
        let body = &rest[start + OPEN.len()..];
        let Some(end) = closing(body, 1) else {
            rest = body;
            continue;
        };
        let strip = |c: char| c == ' ' || c == '\'' || (quotes == Quotes::Any && c == '"');
        found.push(format!("{})", normalise(body[..end].trim_matches(strip))));
        rest = &body[end + 1..];
    }
    found
}

/// Every call-like token of a plan, as the published pattern `\w+\(.*?\)` finds them.
fn calls(plan: &str) -> Vec<&str> {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = Vec::new();
    let mut from = 0;
    let mut search = 0;
    while let Some(open) = plan[search..].find('(').map(|at| search + at) {
        let name = plan[from..open].trim_end_matches(word).len() + from;
        search = open + 1;
        if name == open {
            continue;
        }
        if let Some(end) = closing(&plan[search..], 0) {
            from = search + end + 1;
            found.push(&plan[name..from]);
            search = from;
        }
    }
    found
}

/// The byte index of the first `)` on the first line of `text`, after at least `skip` characters.
fn closing(text: &str, skip: usize) -> Option<usize> {
    let line = text.split('\n').next().unwrap_or_default();
    let start = line.char_indices().nth(skip).map(|(at, _)| at)?;
    line[start..].find(')').map(|at| start + at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::episode_log::Turn;

    fn dialog(turns: &[(usize, &str, &str)]) -> Dialog {
        let turn = |&(agent, say, plan): &(usize, &str, &str)| Turn {
            agent,
            say: say.to_owned(),
            plan: plan.to_owned(),
        };
        Dialog {
            timestamp: 0,
            opened_by: 0,
            turns: turns.iter().map(turn).collect(),
            request: None,
        }
    }

    #[test]
    fn the_first_who_speaks_begins_even_if_the_other_was_asked_first() {
        let spoken = dialog(&[(0, NOTHING, ""), (1, "hello", ""), (0, "yes", "")]);
        assert_eq!(begin_agent(&spoken), Some(1));
        assert_eq!(begin_agent(&dialog(&[(0, NOTHING, "")])), None);
    }

    #[test]
    fn requests_lose_single_quotes_and_get_their_parenthesis_back() {
        let plan =
            "plan: request('pickup(egg, counter)'); request( place_obj_on_counter() );wait(1)";
        assert_eq!(
            requests(plan, Quotes::Single),
            ["pickup(egg,counter)", "place_obj_on_counter()"]
        );
    }

    #[test]
    fn double_quotes_stay_under_the_published_rule() {
        let plan = r#"request("cut(board0)")"#;
        assert_eq!(requests(plan, Quotes::Single), [r#""cut(board0)"#]);
        assert_eq!(requests(plan, Quotes::Any), ["cut(board0)"]);
    }

    #[test]
    fn a_request_needs_one_character_and_ends_with_its_line() {
        assert_eq!(
            requests("request();cook(pot0)", Quotes::Single),
            [");cook(pot0)"]
        );
        assert!(requests("request('a\nb()')", Quotes::Single).is_empty());
        assert!(requests("request(", Quotes::Single).is_empty());
        assert_eq!(requests("request(\nrequest(a()", Quotes::Single), ["a()"]);
    }

    #[test]
    fn repeated_requests_count_as_often_as_they_are_made_by_default() {
        let twice = dialog(&[
            (0, "x", "request('a()')"),
            (1, "y", "a()"),
            (0, "x", "request('a()')"),
        ]);
        let keep = DialogOptions::default();
        let once = DialogOptions {
            repeated_requests: RepeatedRequests::Once,
            ..keep
        };
        assert_eq!(requested_actions(&twice, 0, keep), ["a()", "a()"]);
        assert_eq!(requested_actions(&twice, 0, once), ["a()"]);
    }

    #[test]
    fn the_first_plan_with_any_call_is_the_promise_even_if_it_only_waits() {
        let answered = dialog(&[
            (0, "please", "request('a()')"),
            (1, "ok", "no action yet"),
            (1, "ok", "wait(1)"),
            (1, "ok", "a( x ); request('b()');c()"),
        ]);
        let first = DialogOptions::default();
        let last = DialogOptions {
            response_plan: ResponsePlan::Last,
            ..first
        };
        assert!(promised_actions(&answered, 1, first).is_empty());
        assert_eq!(promised_actions(&answered, 1, last), ["a(x)", "c()"]);
        assert!(promised_actions(&dialog(&[]), 1, last).is_empty());
    }

    #[test]
    fn calls_need_a_name_and_a_closing_parenthesis_on_their_line() {
        assert_eq!(
            calls("x; (y) f(a(b), g() é_1() h(\n) k()"),
            ["f(a(b)", "g()", "é_1()", "k()"]
        );
        assert_eq!(calls("f((g(x)"), ["f((g(x)"]);
        assert!(calls("f(").is_empty());
    }
}
