//! Designs whose agents talk before they act.

use super::*;

#[test]
fn collab_agents_talk_before_they_act_and_the_one_asked_takes_the_plan_over() {
    let script = [
        "Reasoning: I pour\nPlan: request(light the stove); wait; wait; pour the tea\n\
         Say: Please light the stove.",
        "Reasoning: sure\nPlan: light the stove\nSay: I do. [END]",
    ];
    let (end, events) = play(&design("collab"), "ann bob", 3, &script);
    assert_eq!((end.reason, end.ticks), (EndReason::Goal, 3));
    assert_eq!(modules(&events)[..2], ["ann reasoner", "bob communicator"]);
    assert!(asked(calls(&events)[1]).contains("ann: Please light the stove."));
    let lit = events.iter().find_map(|event| match event {
        Event::Step(step) => Some(step.choices[1].action.clone()),
        _ => None,
    });
    assert_eq!(lit.as_deref(), Some("light bob"));
    let asked = events.iter().find_map(|event| match event {
        Event::Request(request) => Some((&*request.agent, &*request.of, &*request.action)),
        _ => None,
    });
    assert_eq!(asked, Some(("ann", "bob", "light the stove")));
    let promised = events.iter().find_map(|event| match event {
        Event::Response(response) => Some((&*response.agent, response.actions.len())),
        _ => None,
    });
    assert_eq!(promised, Some(("bob", 1)));
    let said = events
        .iter()
        .filter(|event| matches!(event, Event::Message(_)));
    assert_eq!(said.count(), 2);
}

/// Returns the requests, with who asked whom: `ann bob light the stove`.
fn requests(events: &[Event]) -> Vec<String> {
    let requests = events.iter().filter_map(|event| match event {
        Event::Request(request) => Some(format!(
            "{} {} {}",
            request.agent, request.of, request.action
        )),
        _ => None,
    });
    requests.collect()
}

#[test]
fn a_request_of_somebody_who_says_nothing_is_delivered_and_logged() {
    let script = [
        "Reasoning: I pour\nPlan: request(light the stove); wait; wait; pour the tea\n\
         Say: [NOTHING]",
        // He asks in turn, and says nothing either.
        "Reasoning: no\nPlan: deny(you are nearer); request(ann, light the stove); wait\nSay:",
        "Reasoning: well\nPlan: accept(light the stove); light the stove; wait; pour the tea\n\
         Say: [NOTHING]",
    ];
    let (end, events) = play(&design("collab"), "ann bob", 3, &script);
    assert_eq!((end.reason, end.ticks), (EndReason::Goal, 3));
    assert_eq!(
        modules(&events)[..3],
        ["ann reasoner", "bob communicator", "ann communicator"]
    );
    let calls = calls(&events);
    assert!(asked(calls[1]).contains("What was said:\nann: request(light the stove)\n"));
    let answer = "bob: deny(you are nearer); request(ann, light the stove)\n";
    assert!(asked(calls[2]).contains(answer));
    assert_eq!(
        requests(&events),
        ["ann bob light the stove", "bob ann light the stove"]
    );
    let said = events
        .iter()
        .filter(|event| matches!(event, Event::Message(_)));
    assert_eq!(said.count(), 0, "nobody has said anything aloud");
}

#[test]
fn a_request_is_delivered_beside_the_spoken_text() {
    let script = [
        "Reasoning: I pour\nPlan: request(bob, light the stove); wait\nSay: Please, Bob.",
        "Reasoning: sure\nPlan: accept(light the stove); light the stove\nSay: [NOTHING]",
    ];
    let (_, events) = play(&design("collab"), "ann bob", 1, &script);
    let calls = calls(&events);
    assert!(asked(calls[1]).contains("ann: Please, Bob. request(bob, light the stove)\n"));
    assert_eq!(
        calls.len(),
        2,
        "of what is accepted there is no more to say"
    );
}

/// Returns the requests that the prompt offers to a collab agent.
fn askable(change: &str) -> String {
    let change = toml::from_str(change).unwrap();
    let design = Design::parse(bundled::design("collab").unwrap(), &change).unwrap();
    let (_, events) = play(&design, "ann bob eve", 1, &[]);
    let calls = calls(&events);
    let prompt = calls[0].request["messages"][0]["content"].as_str().unwrap();
    prompt
        .lines()
        .skip_while(|line| !line.contains("can be asked for"))
        .take_while(|line| !line.starts_with("Name an action"))
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn an_agent_knows_how_to_name_what_it_can_ask_others_for() {
    let forms = "bob, eve can be asked for:\n- light(): light the stove\n- pour(): pour the tea\n\
                 - wait(<timesteps>): do nothing for so many timesteps";
    assert_eq!(askable(""), forms);
    let same = "bob, eve can be asked for actions of the same forms.";
    assert_eq!(askable("actions = \"forms\""), same);
    assert_eq!(askable("communication = { enabled = false }"), "");
}

#[test]
fn a_conversation_ends_at_the_limit_of_rounds() {
    let mut talk = vec!["Reasoning: so\nPlan: wait\nSay: one"];
    talk.extend([
        "Reasoning: so\nPlan: wait\nSay: two",
        "Reasoning: so\nPlan: wait\nSay: three",
        "Reasoning: so\nPlan: wait\nSay: four",
    ]);
    talk.extend([
        "Reasoning: so\nPlan: wait\nSay: five",
        "Reasoning: so\nPlan: wait\nSay: six",
        "Reasoning: so\nPlan: wait\nSay: seven",
    ]);
    talk.extend(["Reasoning: so\nPlan: wait\nSay: never"; 4]);
    let (_, events) = play(&design("collab"), "ann bob", 1, &talk);
    let said = events
        .iter()
        .filter(|event| matches!(event, Event::Message(_)));
    assert_eq!(said.count(), 7);
}

#[test]
fn collab_agents_learn_from_a_correction() {
    let script = [
        "Reasoning: so\nPlan: pour the tea\nSay: [NOTHING]",
        "Reasoning: so\nPlan: light the stove\nSay: [NOTHING]",
        "Cold water is not poured.",
        "Reasoning: so\nPlan: wait\nSay: [NOTHING]",
    ];
    let (_, events) = play(&design("collab"), "ann", 2, &script);
    assert_eq!(
        modules(&events),
        [
            "ann reasoner",
            "ann reasoner",
            "ann reflection",
            "ann reasoner"
        ]
    );
    let calls = calls(&events);
    assert!(asked(calls[1]).contains("the water is cold"));
    assert!(asked(calls[3]).contains("Cold water is not poured."));
}

#[test]
fn a_person_answers_in_a_conversation_and_may_end_it() {
    let task = task("ann bob");
    let script = [
        "Reasoning: let me see\nPlan: wait\nSay: Who are you?",
        "Reasoning: hm\nPlan: request(light the stove); wait\nSay: Please light the stove.",
        "Reasoning: good\nPlan: wait\nSay: So it is.",
    ];
    let (_, events) = play_beside(&task, &design("collab"), 2, &script, Some(1));
    assert!(asked(calls(&events)[1]).contains("What was said:\nann: Who are you?\nbob: I am 1\n"));
    let said = events.iter().filter_map(|event| match event {
        Event::Message(said) if said.tick == 0 => Some((&*said.agent, &*said.text)),
        _ => None,
    });
    // What accepts is an entry of a plan, and not spoken.
    assert_eq!(
        said.collect::<Vec<_>>(),
        [
            ("ann", "Who are you?"),
            ("bob", "I am 1"),
            ("ann", "Please light the stove."),
            ("bob", "I wait at 0")
        ]
    );
    let promised = events.iter().filter_map(|event| match event {
        Event::Response(response) => response.accepts.map(|accepts| (&*response.agent, accepts)),
        _ => None,
    });
    assert_eq!(promised.collect::<Vec<_>>(), [("bob", true)]);
    // He says nothing more: she is not asked again in the second step.
    assert_eq!(calls(&events).len(), 3);
}
