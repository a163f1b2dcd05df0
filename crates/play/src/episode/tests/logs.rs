//! Logs that are read back: gone on with, checked, refused.

use super::*;
use brigade_task::StateBuf;

/// An episode that is cut off anywhere after its header, at every seventh byte and after every line,
/// ends with the log that it has if it is not.
fn assert_goes_on(task: &PackedTask, rules: Rules, policies: &dyn Fn() -> Policies) {
    let (_, events) = play(task, rules, policies());
    let whole = written(&events);
    let first = whole.find('\n').unwrap() + 1;
    let lines = whole.match_indices('\n').map(|(end, _)| end + 1);
    for cut in (first..whole.len()).step_by(7).chain(lines) {
        let text = &whole[..cut];
        let log = Log::parse(text).unwrap();
        assert_eq!(log.truncated, !text.ends_with('\n'), "cut at {cut}");
        let mut continued = text[..log.resume_at].to_owned();
        let mut policies = policies();
        let mut episode = Episode::new(task, rules);
        episode.resume(&log, &mut policies).unwrap();
        let mut rest: Vec<Event> = Vec::new();
        let Ok(_) = episode.run(&mut policies, &mut rest, &|| None);
        continued += &written(&rest);
        assert_eq!(continued, whole, "cut at {cut}");
    }
}

#[test]
fn an_episode_that_was_killed_anywhere_ends_as_if_it_had_not_been() {
    let task = kitchen(TurnMode::Sequential);
    let rules = Rules {
        max_ticks: 8,
        retries: 1,
        ..Rules::default()
    };
    let policies = || -> Policies {
        vec![
            Box::new(Scripted::parse(
                "serve(egg)\nwait(2)\ntake(egg)\nserve(egg)",
            )),
            Box::new(Random::new(3)),
        ]
    };
    assert_goes_on(&task, rules, &policies);
}

#[test]
fn what_agents_ask_of_each_other_is_logged_and_changes_nothing() {
    let task = kitchen(TurnMode::Sequential);
    let (_, mut events) = play(
        &task,
        Rules::default(),
        scripts("wait(2)\ntake(egg)\nserve(egg)", "fetch(egg)\nplace(egg)"),
    );
    let [chef, helper] = ["chef", "helper"].map(str::to_owned);
    let asked = Event::Request(Requested {
        tick: 0,
        agent: chef.clone(),
        of: helper.clone(),
        action: "fetch(egg)".to_owned(),
    });
    let answered = Event::Response(Responded {
        tick: 0,
        agent: helper,
        of: chef,
        accepts: Some(true),
        actions: vec!["fetch(egg)".to_owned(), "place(egg)".to_owned()],
    });
    events.splice(1..1, [asked, answered]);
    let log = Log::parse(&written(&events)).unwrap();
    assert_eq!(log.events, events[1..]);
    Episode::new(&task, Rules::default()).verify(&log).unwrap();
}

#[test]
fn a_log_of_another_task_is_not_resumed() {
    let task = kitchen(TurnMode::Sequential);
    let (_, events) = play(&task, Rules::default(), scripts("", "fetch(egg)"));
    let log = Log::parse(&written(&events)).unwrap();
    let other = kitchen(TurnMode::Simultaneous);
    let mut episode = Episode::new(&other, Rules::default());
    let error = episode.resume(&log, &mut scripts("", "")).unwrap_err();
    assert!(matches!(error, Mismatch::OtherTask { .. }), "{error}");
}

#[test]
fn a_log_with_a_fingerprint_of_schema_1_is_refused_for_that() {
    let task = kitchen(TurnMode::Sequential);
    let (_, mut events) = play(&task, Rules::default(), scripts("", "fetch(egg)"));
    if let Event::Header(header) = &mut events[0] {
        header.brigade = "0.1.0".to_owned();
        header.task = "fnv1a64:0123456789abcdef".to_owned();
    }
    let log = Log::parse(&written(&events)).unwrap();
    let mut episode = Episode::new(&task, Rules::default());
    let error = episode.resume(&log, &mut scripts("", "")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the log was written by an earlier version, 0.1.0, whose fingerprints of tasks (schema 1) cannot be compared \
         with those of this one (schema 2)"
    );
}

#[test]
fn an_episode_of_planners_ends_as_if_it_had_not_been_killed() {
    for turns in [TurnMode::Sequential, TurnMode::Simultaneous] {
        let task = kitchen(turns);
        let policies = || -> Policies {
            let plans = Plans::new(SearchOptions::default(), &Unlimited);
            let plans = Rc::new(RefCell::new(plans));
            let other = Random::new(2);
            vec![Box::new(Planner::new(plans)), Box::new(other)]
        };
        let rules = Rules {
            max_ticks: 20,
            ..Rules::default()
        };
        assert_goes_on(&task, rules, &policies);
    }
}

/// A tick, the attempt, the messages and the refusal that an agent saw then, the state, and its answer.
type Sight = (u32, u32, Vec<String>, Option<String>, StateBuf, String);

/// Tries to fly, then waits, says so, and remembers where it was asked.
#[derive(Clone, Default)]
struct Witness(Rc<RefCell<Vec<Sight>>>);

impl Policy for Witness {
    fn choose(&mut self, view: &View<'_>) -> Result<Choice, PolicyError> {
        let command = if view.attempt == 0 { "fly" } else { "wait" };
        let message = (view.attempt == 1).then(|| format!("grounded at {}", view.tick));
        self.recall(
            view,
            &Given {
                command,
                message: message.as_deref(),
            },
        );
        Ok(Choice {
            action: Action::Text(command.to_owned()),
            message,
        })
    }

    fn recall(&mut self, view: &View<'_>, given: &Given<'_>) {
        let messages = view.messages.iter();
        self.0.borrow_mut().push((
            view.tick,
            view.attempt,
            messages.map(|said| said.text.clone()).collect(),
            view.refusal.map(str::to_owned),
            view.state.to_owned(),
            format!("{given:?}"),
        ));
    }
}

#[test]
fn a_resumed_policy_is_reminded_of_where_it_was_asked() {
    for turns in [TurnMode::Sequential, TurnMode::Simultaneous] {
        let task = kitchen(turns);
        let rules = Rules {
            max_ticks: 4,
            ..Rules::default()
        };
        let pair = || [Witness::default(), Witness::default()];
        let team = |witnesses: &[Witness; 2]| -> Policies {
            let [chef, helper] = witnesses;
            vec![Box::new(chef.clone()), Box::new(helper.clone())]
        };
        let first = pair();
        let (_, events) = play(&task, rules, team(&first));
        let log = Log::parse(&written(&events)).unwrap();
        let again = pair();
        let mut episode = Episode::new(&task, rules);
        episode.resume(&log, &mut team(&again)).unwrap();
        for (again, first) in again.iter().zip(&first) {
            assert_eq!(first.0.borrow().len(), 8);
            assert_eq!(*again.0.borrow(), *first.0.borrow());
        }
    }
}

#[test]
fn a_log_is_true_as_written_and_not_once_it_was_edited() {
    let task = kitchen(TurnMode::Sequential);
    let (_, events) = play(&task, Rules::default(), scripts("take(egg)", "fetch(egg)"));
    let verify = |edit: &dyn Fn(&mut Log)| {
        let mut log = Log::parse(&written(&events)).unwrap();
        edit(&mut log);
        Episode::new(&task, log.header.rules).verify(&log)
    };
    assert_eq!(verify(&|_| ()), Ok(()));
    // Without its end it is one that was killed.
    let cut = |log: &mut Log| drop(log.events.pop());
    assert_eq!(verify(&cut), Ok(()));

    let step = |log: &mut Log, edit: fn(&mut Step)| {
        let mut steps = log.events.iter_mut().filter_map(|event| match event {
            Event::Step(step) => Some(step),
            _ => None,
        });
        edit(steps.next().unwrap());
    };
    let end = |log: &mut Log, edit: fn(&mut End)| match log.events.last_mut() {
        Some(Event::End(end)) => edit(end),
        other => panic!("{other:?} is no end"),
    };
    let swapped = Err(Mismatch::OtherChoices { tick: 0 });
    assert_eq!(
        verify(&|log| step(log, |step| step.choices.reverse())),
        swapped
    );
    let diverged = Err(Mismatch::Diverged { tick: 0 });
    assert_eq!(
        verify(&|log| step(log, |step| step.labels.clear())),
        diverged
    );
    assert_eq!(
        verify(&|log| step(log, |step| step.added.clear())),
        diverged
    );
    assert_eq!(verify(&|log| step(log, |step| step.cost += 1)), diverged);
    let other_end = |what| Err(Mismatch::OtherEnd(what));
    assert_eq!(
        verify(&|log| end(log, |end| end.reason = EndReason::Goal)),
        other_end("reason")
    );
    assert_eq!(
        verify(&|log| end(log, |end| end.ticks = 1)),
        other_end("number of ticks")
    );
    assert_eq!(
        verify(&|log| end(log, |end| end.refused += 1)),
        other_end("number of refused commands")
    );
    assert_eq!(
        verify(&|log| log.header.problem.push('s')),
        Err(Mismatch::OtherHeader("problem"))
    );
    assert_eq!(
        verify(&|log| log.header.facts.push(String::new())),
        Err(Mismatch::OtherHeader("initial state"))
    );
}

#[test]
fn a_run_that_goes_on_under_other_settings_is_known_by_the_latest() {
    let task = kitchen(TurnMode::Sequential);
    let rules = |max_ticks| Rules {
        max_ticks,
        ..Rules::default()
    };
    let (_, mut events) = play(&task, rules(2), scripts("", "fetch(egg)"));
    let begun = Log::parse(&written(&events)).unwrap();
    assert_eq!(begun.settings(), begun.header.settings());
    let settings = Settings {
        rules: rules(5),
        ..begun.header.settings()
    };
    events.pop();
    events.push(Event::Resume(Resumed {
        tick: 2,
        settings: settings.clone(),
    }));
    let text = written(&events);
    let resumed = Log::parse(&text).unwrap();
    assert_eq!(resumed.settings(), settings);
    // A further run goes on behind the change of settings.
    assert_eq!(resumed.resume_at, text.len());
    assert_eq!(Episode::new(&task, rules(5)).verify(&resumed), Ok(()));
}

#[test]
fn texts_that_are_no_logs_are_refused() {
    let parse = |text: &str| Log::parse(text).unwrap_err().to_string();
    assert_eq!(
        parse(""),
        "the log has no header: not one of its lines is complete"
    );
    assert_eq!(
        parse("{\"event\":\"header\",\"schema\":9}\n"),
        "the log has schema 9, this version of brigade reads schema 1"
    );
    assert!(parse("nonsense\n").starts_with("line 1 is not an event of a log: "));
}
