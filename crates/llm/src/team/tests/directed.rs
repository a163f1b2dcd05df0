//! Designs in which one question directs all agents, or a decision is looked over.

use super::*;

#[test]
fn a_dispatcher_directs_all_agents_with_one_question_a_step() {
    let script = [
        "ann: light the stove\nbob: light the stove",
        "ann: wait\nbob: wait",
        "ann: pour the tea\nbob: wait",
    ];
    let (end, events) = play(&design("dispatcher"), "ann bob", 9, &script);
    assert_eq!((end.reason, end.ticks), (EndReason::Goal, 3));
    assert_eq!(modules(&events), ["reasoner"; 3]);
    let calls = calls(&events);
    assert!(asked(calls[0]).contains("ann can do:") && asked(calls[0]).contains("bob can do:"));
    assert!(
        asked(calls[1]).contains("the stove is lit already"),
        "{}",
        asked(calls[1])
    );
    assert_eq!(outcomes(&events)[1], (0, "bob", "illegal_action"));
}

#[test]
fn a_dispatcher_directs_all_but_a_person_and_reads_what_they_say() {
    let script = ["ann: light the stove", "ann: wait", "ann: pour the tea"];
    let dispatcher = design("dispatcher");
    let (end, events) = play_beside(&task("ann bob"), &dispatcher, 9, &script, Some(1));
    assert_eq!((end.reason, end.ticks), (EndReason::Goal, 3));
    let calls = calls(&events);
    let instructions = &calls[0].request["messages"][0]["content"];
    let instructions = instructions.as_str().unwrap();
    assert!(
        instructions.contains("You direct a team: ann."),
        "{instructions}"
    );
    assert!(
        instructions.contains("directed by nobody: bob."),
        "{instructions}"
    );
    assert!(!asked(calls[0]).contains("bob"), "{}", asked(calls[0]));
    let second = asked(calls[1]);
    assert!(
        second.contains("bob: I wait at 0") && !second.contains("I wait at 1"),
        "{second}"
    );
    assert!(!second.contains("bob can do"), "{second}");
}

#[test]
fn an_agent_reads_what_a_person_says_once() {
    let script = [
        "Reasoning: x\nAction: light the stove",
        "Reasoning: x\nAction: wait",
    ];
    let (_, events) = play_beside(&task("ann bob"), &design("react"), 2, &script, Some(0));
    let calls = calls(&events);
    for (call, (said, other)) in calls.iter().zip([("at 0", "at 1"), ("at 1", "at 0")]) {
        let last = asked(call);
        let said = format!("ann: I wait {said}");
        assert!(last.contains(&said) && !last.contains(other), "{last}");
    }
}

#[test]
fn a_design_for_all_is_given_to_all_where_something_is_hidden() {
    let hidden = DOMAIN.replace(
        "(lit :text \"the stove is lit\")",
        "(lit :text \"the stove is lit\" :observable-by (?v - cook) (hot))",
    );
    let hidden = hidden.replace(":text)\n", ":text :partial-observability)\n");
    let task = compiled(&hidden, &problem("ann bob"));
    let dispatcher = design("dispatcher");
    for (designs, fits) in [
        ([Some(&dispatcher), Some(&dispatcher)], true),
        ([Some(&dispatcher), None], !task.observation.hides_some()),
    ] {
        assert_eq!(Team::check(&task, &designs).is_ok(), fits);
    }
    assert!(task.observation.hides_some());
    let react = design("react");
    let mixed = [Some(&dispatcher), Some(&react)];
    assert!(matches!(
        Team::check(&task, &mixed),
        Err(TeamError::NotAll(_))
    ));
}

#[test]
fn where_agents_act_in_any_order_a_dispatcher_names_them_in_it() {
    let script = ["bob: light the stove\nann: light the stove"];
    let done = |any_order| {
        let task = task("ann bob").changed(|task| task.any_order = any_order);
        let (_, events) = play_in(&task, &design("dispatcher"), 1, &script);
        assert_eq!(modules(&events), ["reasoner"]);
        let decided = events.iter().filter_map(|event| match event {
            Event::Decision(decided) => Some(decided.calls),
            _ => None,
        });
        assert_eq!(decided.sum::<u32>(), 1);
        let mut outcomes = outcomes(&events).into_iter();
        let lit = outcomes.find(|(_, _, outcome)| *outcome == "ok");
        lit.map(|(_, agent, _)| agent.to_owned())
    };
    assert_eq!(done(false).as_deref(), Some("ann"));
    assert_eq!(done(true).as_deref(), Some("bob"));
}

#[test]
fn a_dispatcher_whose_answer_cannot_be_read_is_asked_once_in_that_step() {
    let script = ["lorem ipsum", "ann: light the stove\nbob: wait"];
    let (_, events) = play(&design("dispatcher"), "ann bob", 2, &script);
    assert_eq!(modules(&events), ["reasoner"; 2]);
    let unread: Vec<_> = outcomes(&events).into_iter().take(2).collect();
    assert_eq!(
        unread,
        [(0, "ann", "unparseable"), (0, "bob", "unparseable")]
    );
    assert_eq!(outcomes(&events)[2], (1, "ann", "ok"));
}

#[test]
fn without_feedback_a_dispatcher_does_not_learn_of_faults() {
    let changes = toml::from_str("correction = { feedback = false }").unwrap();
    let design = Design::parse(bundled::design("dispatcher").unwrap(), &changes).unwrap();
    let script = ["ann: pour the tea\nbob: wait", "ann: wait\nbob: wait"];
    let (_, events) = play(&design, "ann bob", 2, &script);
    assert!(!asked(calls(&events)[1]).contains("the water is cold"));
}

#[test]
fn cac_thinks_of_its_partner_and_looks_its_decision_over() {
    let script = [
        "He waits for hot water.",
        "Reasoning: why not\nAction: wait",
        "Reasoning: nobody lights the stove\nVerdict: reject",
        "Reasoning: then I\nAction: light the stove",
    ];
    let (_, events) = play(&design("cac"), "ann bob", 1, &script);
    assert_eq!(
        modules(&events)[..4],
        [
            "ann theory-of-mind",
            "ann reasoner",
            "ann verifier",
            "ann reasoner"
        ]
    );
    let calls = calls(&events);
    assert!(asked(calls[1]).contains("He waits for hot water."));
    assert!(asked(calls[2]).contains("Action: wait"));
    assert!(asked(calls[3]).contains("nobody lights the stove"));
}

#[test]
fn an_orchestrator_is_asked_again_only_when_its_schedule_fails_or_ends() {
    let script = [
        "Reasoning: so\nann: light the stove; wait; pour the tea\nbob: wait; pour the tea; wait",
        "Reasoning: so\nann: pour the tea\nbob: wait; wait",
    ];
    let (end, events) = play(&design("orchestrator"), "ann bob", 9, &script);
    assert_eq!(end.reason, EndReason::Goal);
    assert_eq!(modules(&events), ["reasoner"; 2]);
    let calls = calls(&events);
    assert!(asked(calls[1]).contains("Why the last schedule was left:"));
    assert!(asked(calls[1]).contains("the water is cold"));
}
