//! Agents of nature beside agents that ask a model: they are no one's partners.

use super::*;

/// A draught that blows in every timestep, and may put the stove out.
fn draughty() -> PackedTask {
    let domain = DOMAIN
        .replace(":text)\n", ":text :nature)\n")
        .replace(
            "(:types cook)",
            "(:types cook draught) (:role draught nature)",
        )
        .replace(
            "(:action pour",
            "(:action blow :agent ?d - draught :weight 3 :effect (not (ordered)) :text \"blow\")
             (:action pour",
        );
    let problem = problem("ann bob").replace("- cook", "- cook boreas - draught");
    compiled(&domain, &problem)
}

#[test]
fn nature_is_nobody_to_direct_to_talk_to_or_to_watch() {
    for (name, answer) in [
        ("dispatcher", "ann: wait\nbob: wait"),
        ("react", "Reasoning: later\nAction: wait"),
        ("cac", "Reasoning: later\nAction: wait"),
    ] {
        let script = [answer; 60];
        let (end, events) = play_in(&draughty(), &design(name), 4, &script);
        assert!(end.ticks > 0, "{name}: {end:?}");
        let blown = events.iter().filter(|event| match event {
            Event::Step(step) => step.choices.iter().any(|it| it.action == "blow boreas"),
            _ => false,
        });
        assert_eq!(blown.count(), end.ticks as usize, "{name}");
        let calls = calls(&events);
        assert!(!calls.is_empty(), "{name}");
        for call in calls {
            let request = call.request.to_string();
            assert!(!request.contains("boreas"), "{name}: {request}");
        }
    }
}
