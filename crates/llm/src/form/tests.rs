//! Forms in every format: shown, asked for, read.

use super::*;
use crate::chat::{Completion, Constraint, Finish};

fn options() -> Vec<String> {
    ["take egg", "move to room 1", "move to room 10", "wait"]
        .map(str::to_owned)
        .into()
}

fn said(text: &str) -> Completion {
    Completion {
        text: text.to_owned(),
        finish: Finish::Stop,
        tries: 1,
        ..Completion::default()
    }
}

fn action(reading: &Result<Answer, Unreadable>) -> Option<&str> {
    Some(reading.as_ref().ok()?.actions.first()?.first()?.as_str())
}

fn read(text: &str) -> Reading {
    Form::action(true, options()).read(&said(text), ActionFormat::Text)
}

#[test]
fn a_strict_reader_takes_the_last_line_with_the_key() {
    let reading = read("Reasoning: I thought of\nAction: wait\nbut no\nAction: take egg\n");
    assert_eq!(action(&reading.strict), Some("take egg"));
    let answer = reading.strict.unwrap();
    assert_eq!(answer.reasoning.as_deref(), Some("I thought of"));
}

#[test]
fn a_strict_reader_does_not_guess() {
    for text in [
        "",
        "take egg",
        "action: take egg",
        "**Action:** take egg",
        "Action:",
    ] {
        let text = format!("Reasoning: so\n{text}");
        assert!(read(&text).strict.is_err(), "{text}");
    }
}

/// Every line that the form asks for, one of which is left out in turn.
#[test]
fn a_strict_reader_wants_every_line_that_the_form_asks_for() {
    let decision = |plan| Decision {
        plan,
        deciders: Deciders::Own(options()),
    };
    for (plan, lines) in [
        (
            Plan::No,
            &["Reasoning: so", "Action: wait", "Say: hello"][..],
        ),
        (
            Plan::Actions,
            &["Reasoning: so", "Plan: wait", "Say: hello"],
        ),
        (
            Plan::ActionsAndStates,
            &["Reasoning: so", "Action: wait", "State: idle", "Say: hello"],
        ),
    ] {
        let form = Form {
            reasoning: true,
            say: true,
            decision: Some(decision(plan)),
            verdict: false,
            commands: Vec::new(),
        };
        let read = |lines: &[&str]| form.read(&said(&lines.join("\n")), ActionFormat::Text);
        assert!(read(lines).strict.is_ok(), "{lines:?}");
        for index in 0..lines.len() {
            let mut fewer = lines.to_vec();
            let left_out = fewer.remove(index);
            let (key, _) = left_out.split_once(':').unwrap();
            let reading = read(&fewer);
            let why = reading.strict.unwrap_err().to_string();
            assert!(why.contains(&format!("`{key}: ...`")), "{why}");
            let is_needed = ["Action", "Plan"].contains(&key);
            assert_eq!(reading.lenient.is_err(), is_needed, "{fewer:?}");
        }
    }
}

#[test]
fn a_strict_reader_wants_every_member_that_the_schema_requires() {
    let form = Form {
        reasoning: true,
        say: true,
        decision: Some(Decision {
            plan: Plan::ActionsAndStates,
            deciders: Deciders::Own(Vec::new()),
        }),
        verdict: false,
        commands: Vec::new(),
    };
    let read = |object: &str| form.read(&said(object), ActionFormat::Json);
    let whole = r#"{"reasoning": "", "plan": [{"action": "wait", "state": "x"}], "say": ""}"#;
    assert!(read(whole).strict.is_ok());
    for without in [
        r#"{"plan": [{"action": "wait", "state": "x"}], "say": ""}"#,
        r#"{"reasoning": "", "plan": [{"action": "wait", "state": "x"}]}"#,
        r#"{"reasoning": "", "plan": [{"action": "wait"}], "say": ""}"#,
        r#"{"reasoning": "", "plan": ["wait", {"action": "wait", "state": "x"}], "say": ""}"#,
    ] {
        let reading = read(without);
        assert!(reading.strict.is_err(), "{without}");
        assert_eq!(action(&reading.lenient), Some("wait"), "{without}");
    }
    assert!(read(r#"{"reasoning": "", "say": ""}"#).lenient.is_err());
}

#[test]
fn what_is_said_may_be_nothing_if_the_line_is_there() {
    let form = Form {
        reasoning: true,
        say: true,
        ..Form::action(true, options())
    };
    let reading = form.read(&said("Reasoning:\nAction: wait\nSay:"), ActionFormat::Text);
    assert_eq!(action(&reading.strict), Some("wait"));
    assert_eq!(reading.strict.unwrap().say, None);
}

#[test]
fn a_lenient_reader_forgives_case_and_decoration() {
    for text in [
        "action: take egg",
        "**Action:** `take egg`",
        "1. ACTION: take egg",
    ] {
        assert_eq!(action(&read(text).lenient), Some("take egg"), "{text}");
    }
}

#[test]
fn a_lenient_reader_finds_the_first_possible_action_and_the_longest_there() {
    let reading = read("I would move to room 10 and then take egg.");
    assert_eq!(action(&reading.lenient), Some("move to room 10"));
    assert!(read("Guten Tag").lenient.is_err());
}

#[test]
fn an_object_is_read_from_its_text_and_leniently_from_within_one() {
    let form = Form::action(true, options());
    let object = r#"{"reasoning": "a } in it", "action": "wait"}"#;
    let strict = form.read(&said(object), ActionFormat::Json);
    assert_eq!(action(&strict.strict), Some("wait"));
    let fenced = form.read(
        &said(&format!("```json\n{object}\n```")),
        ActionFormat::Json,
    );
    assert!(fenced.strict.is_err());
    assert_eq!(action(&fenced.lenient), Some("wait"));
}

#[test]
fn a_tool_that_is_not_called_is_no_answer() {
    let form = Form::action(false, options());
    let called = Completion {
        tool_arguments: Some(r#"{"action": "wait"}"#.to_owned()),
        ..said("")
    };
    let reading = form.read(&called, ActionFormat::Tool);
    assert_eq!(action(&reading.strict), Some("wait"));
    let reading = form.read(&said("Action: wait"), ActionFormat::Tool);
    assert!(reading.strict.is_err());
    assert_eq!(action(&reading.lenient), Some("wait"));
}

#[test]
fn the_likeliest_letter_is_the_choice() {
    let form = Form::action(true, options());
    let completion = Completion {
        first_tokens: vec![
            ("The".to_owned(), -0.1),
            (" B".to_owned(), -1.0),
            ("A".to_owned(), -2.0),
        ],
        ..said("The")
    };
    let reading = form.read(&completion, ActionFormat::Logprobs);
    assert_eq!(action(&reading.strict), Some("move to room 1"));
    assert!(
        form.read(&said("A"), ActionFormat::Logprobs)
            .strict
            .is_err()
    );
}

#[test]
fn a_plan_is_read_from_one_line_or_from_several() {
    let form = Form {
        decision: Some(Decision {
            plan: Plan::Actions,
            deciders: Deciders::Own(Vec::new()),
        }),
        ..Form::default()
    };
    for text in ["Plan: take egg; wait", "Plan:\ntake egg\nwait\n"] {
        let answer = form.read(&said(text), ActionFormat::Text).strict.unwrap();
        assert_eq!(answer.actions, [["take egg", "wait"]], "{text}");
    }
}

#[test]
fn predicted_states_are_no_actions() {
    let form = Form {
        decision: Some(Decision {
            plan: Plan::ActionsAndStates,
            deciders: Deciders::Own(Vec::new()),
        }),
        ..Form::default()
    };
    let text = "Action: take egg\nState: I hold it\nAction: wait\nState: done";
    let answer = form.read(&said(text), ActionFormat::Text).strict.unwrap();
    assert_eq!(answer.actions, [["take egg", "wait"]]);
}

fn joint() -> Form {
    let agents = ["chef", "assistant"].map(|name| (name.to_owned(), options()));
    Form {
        decision: Some(Decision {
            plan: Plan::No,
            deciders: Deciders::Each(agents.into()),
        }),
        ..Form::default()
    }
}

#[test]
fn a_joint_action_has_a_line_for_each_agent() {
    let all = joint().read(&said("chef: wait\nassistant: take egg"), ActionFormat::Text);
    assert_eq!(all.strict.unwrap().actions, [["wait"], ["take egg"]]);
    let one = joint().read(&said("Assistant: take egg"), ActionFormat::Text);
    assert!(one.strict.is_err());
    assert_eq!(
        one.lenient.unwrap().actions,
        [vec![], vec!["take egg".to_owned()]]
    );
}

#[test]
fn a_verdict_is_one_of_two_words() {
    let form = Form {
        verdict: true,
        reasoning: true,
        ..Form::default()
    };
    let accepts = |text: &str| {
        form.read(&said(text), ActionFormat::Text)
            .strict
            .ok()?
            .accepts
    };
    assert_eq!(accepts("Reasoning: fine\nVerdict: accept"), Some(true));
    assert_eq!(
        accepts("Reasoning: no\nVerdict: Reject, the pot is full"),
        Some(false)
    );
    assert_eq!(accepts("Reasoning: no\nVerdict: perhaps"), None);
}

#[test]
fn what_is_put_in_a_form_is_read_from_it() {
    let own = |plan| Form {
        reasoning: true,
        say: true,
        decision: Some(Decision {
            plan,
            deciders: Deciders::Own(options()),
        }),
        verdict: false,
        commands: Vec::new(),
    };
    let answer = |plan| Answer {
        reasoning: Some("because".to_owned()),
        order: Vec::new(),
        actions: vec![vec!["take egg".to_owned()]],
        states: match plan {
            Plan::ActionsAndStates => vec!["I hold it".to_owned()],
            Plan::No | Plan::Actions => Vec::new(),
        },
        say: Some("hello".to_owned()),
        accepts: None,
    };
    for format in [
        ActionFormat::Text,
        ActionFormat::Json,
        ActionFormat::Grammar,
    ] {
        for plan in [Plan::No, Plan::Actions, Plan::ActionsAndStates] {
            let form = own(plan);
            let put = said(&form.put(&answer(plan), format));
            assert_eq!(form.read(&put, format).strict, Ok(answer(plan)), "{put:?}");
        }
    }
}

#[test]
fn a_grammar_lists_what_may_be_done_and_escapes_it() {
    let odd = vec!["say \"hi\"".to_owned(), "back\\slash".to_owned()];
    let Constraint::Grammar(grammar) =
        Form::action(true, odd).constraint(ActionFormat::Grammar, None)
    else {
        panic!("no grammar");
    };
    insta::assert_snapshot!(grammar, @r#"
    root ::= "Reasoning: " text "\nAction: " action0
    action0 ::= "say \"hi\"" | "back\\slash"
    text ::= [^\n]{1,240}
    command ::= [^\n;]{1,80}
    "#);
}

#[test]
fn a_grammar_of_a_plan_admits_what_can_ever_be_done_and_nothing_that_stands_for_it() {
    let plan = |commands: Vec<Vec<String>>, say| {
        let form = Form {
            decision: Some(Decision {
                plan: Plan::Actions,
                deciders: Deciders::Own(vec!["wait".to_owned()]),
            }),
            say,
            commands,
            ..Form::default()
        };
        form.grammar(None)
    };
    let commands = || vec![vec!["take egg".to_owned(), "wait".to_owned()]];
    insta::assert_snapshot!(plan(commands(), false), @r#"
    root ::= "Plan: " action0 ("; " action0){0,39}
    action0 ::= "take egg" | "wait"
    text ::= [^\n]{1,240}
    command ::= [^\n;]{1,80}
    "#);
    insta::assert_snapshot!(plan(commands(), true), @r#"
    root ::= "Plan: " action0 ("; " action0){0,39} "\nSay: " text
    action0 ::= "take egg" | "wait" | talk
    text ::= [^\n]{1,240}
    talk ::= ("request" | "accept" | "deny" | "clarify") "(" [^\n;<>]{1,80} ")"
    command ::= [^\n;]{1,80}
    "#);
    insta::assert_snapshot!(plan(Vec::new(), false), @r#"
    root ::= "Plan: " order ("; " order){0,39}
    text ::= [^\n]{1,240}
    order ::= [^\n;<>.*] [^\n;<>]{0,79}
    command ::= [^\n;]{1,80}
    "#);
}

#[test]
fn a_call_of_another_tool_and_what_a_filter_left_are_no_answers() {
    let form = Form::action(false, options());
    let other = Completion {
        other_tool: Some("get_weather".to_owned()),
        ..said("")
    };
    let why = form.read(&other, ActionFormat::Tool).strict.unwrap_err();
    assert_eq!(why.0, "another tool is called, `get_weather`");
    let filtered = Completion {
        finish: Finish::Other(Some("content_filter".to_owned())),
        ..said("Action: wait")
    };
    let reading = form.read(&filtered, ActionFormat::Text);
    assert!(reading.strict.is_err() && reading.lenient.is_err());
}

#[test]
fn what_is_thought_is_not_read() {
    let reading = read("<think>Action: take egg</think>\nReasoning: x\nAction: wait");
    assert_eq!(action(&reading.strict), Some("wait"));
    let cut = read("<think>Reasoning: x\nAction: take egg\nbut");
    assert!(cut.strict.is_err() && cut.lenient.is_err());
}

#[test]
fn a_decorated_action_is_a_fault_of_form_and_a_lenient_reader_undoes_it() {
    for action_line in [
        "Action: **wait**",
        "Action: `wait`",
        "Action:\n```\nwait\n```",
        "Action: \u{200b}wait",
    ] {
        let reading = read(&format!("Reasoning: x\n{action_line}"));
        assert!(reading.strict.is_err(), "{action_line}");
        assert_eq!(action(&reading.lenient), Some("wait"), "{action_line}");
    }
    let object = r#"{"reasoning": "x", "action": "**wait**"}"#;
    let reading = Form::action(true, options()).read(&said(object), ActionFormat::Json);
    assert!(reading.strict.is_err());
    assert_eq!(action(&reading.lenient), Some("wait"));
    // What cannot be chosen either way is no fault of form.
    for illegal in ["dance", "**dance**"] {
        let reading = read(&format!("Reasoning: x\nAction: {illegal}"));
        assert_eq!(action(&reading.strict), Some(illegal));
        assert_eq!(action(&reading.lenient), Some(illegal));
    }
}

#[test]
fn a_lenient_reader_takes_no_action_from_the_call_of_another_tool() {
    let form = Form::action(true, options());
    let lenient = |completion: &Completion| form.read(completion, ActionFormat::Tool).lenient;
    for text in [
        r#"<tool_call>{"name": "weather", "arguments": {"action": "wait"}}</tool_call>"#,
        r#"<function=weather>{"action": "wait"}</function>"#,
        r#"<|python_tag|>weather.call(action="wait")"#,
    ] {
        assert!(lenient(&said(text)).is_err(), "{text}");
    }
    let called = Completion {
        other_tool: Some("weather".to_owned()),
        ..said("Reasoning: x\nAction: wait")
    };
    assert!(lenient(&called).is_err());
}

#[test]
fn a_lenient_reader_finds_the_arguments_of_its_tool_however_they_are_written() {
    let form = Form::action(true, options());
    let object = r#"{"reasoning": "x", "action": "wait"}"#;
    for arguments in [
        format!("```json\n{object}\n```"),
        format!("<think>hm</think>{object}"),
        serde_json::to_string(object).unwrap(),
    ] {
        let called = Completion {
            tool_arguments: Some(arguments.clone()),
            ..said("")
        };
        let reading = form.read(&called, ActionFormat::Tool);
        assert!(reading.strict.is_err(), "{arguments}");
        assert_eq!(action(&reading.lenient), Some("wait"), "{arguments}");
    }
    let text = format!(r#"<tool_call>{{"name": "answer", "arguments": {object}}}</tool_call>"#);
    let reading = form.read(&said(&text), ActionFormat::Tool);
    assert_eq!(action(&reading.lenient), Some("wait"));
}

#[test]
fn a_schema_names_every_member_in_the_order_of_thought() {
    let schema = Form::action(true, options()).schema();
    let required: Vec<&str> = schema["required"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|key| key.as_str())
        .collect();
    assert_eq!(required, ["reasoning", "action"]);
    assert_eq!(
        schema["properties"]["action"]["enum"]
            .as_array()
            .unwrap()
            .len(),
        4
    );
}

#[test]
fn letters_end_somewhere() {
    let many = (0..60).map(|n| format!("go {n}")).collect();
    let form = Form::action(false, many);
    assert!(form.too_many_letters(ActionFormat::Logprobs).is_some());
    assert!(form.too_many_letters(ActionFormat::Text).is_none());
}
