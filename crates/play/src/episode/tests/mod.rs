//! Episodes on a small task: a helper fetches an egg and places it, a chef takes and serves it.

mod logs;

use std::cell::RefCell;
use std::rc::Rc;

use super::*;
use crate::agents::{
    Action, Choice, Given, Greedy, Planner, Plans, Policy, PolicyError, Random, Recorded, Scripted,
    View,
};
use brigade_search::{SearchOptions, Unlimited};
use brigade_task::cond::Cond;
use brigade_task::effect::Effect;
use brigade_task::layout::{Variable, VariableKind, pack};
use brigade_task::symbols::{
    GroundAction, GroundFact, Meaning, Object, Predicate, PredicateKind, Symbols, Value,
};
use brigade_task::{
    Agent, Axioms, Fact, LabelId, LogEntry, Metric, ObjectId, Operator, OperatorId, OperatorKind,
    PackedTask, PredicateId, Requirement, SchemaId, StateBuf, Task, TurnMode, VarId,
};

const HELD_CHEF: usize = 0;
const HELD_HELPER: usize = 1;
const ON_COUNTER: usize = 2;
const SERVED: usize = 3;

/// The objects of the kitchen, and their numbers.
const OBJECTS: [&str; 3] = ["chef", "helper", "egg"];
const CHEF: usize = 0;
const HELPER: usize = 1;
const EGG: usize = 2;

const PREDICATES: [&str; 2] = ["on-counter", "served"];
const SCHEMAS: [&str; 4] = ["take", "serve", "fetch", "place"];

fn symbols() -> Symbols {
    Symbols {
        objects: (OBJECTS.iter())
            .map(|name| Object {
                name: (*name).to_owned(),
                types: Vec::new(),
            })
            .collect(),
        predicates: (PREDICATES.iter())
            .map(|name| Predicate {
                name: (*name).to_owned(),
                kind: PredicateKind::Predicate,
            })
            .collect(),
        schemas: SCHEMAS.map(str::to_owned).into(),
    }
}

fn ids(words: &[&str]) -> Box<[ObjectId]> {
    let id = |word: &&str| OBJECTS.iter().position(|name| name == word).unwrap() as u32;
    words.iter().map(id).map(ObjectId).collect()
}

/// The values of a variable that is true or false.
fn of_fact(text: &str) -> [Value; 2] {
    let words: Vec<&str> = text.split(' ').collect();
    let predicate = PREDICATES
        .iter()
        .position(|name| *name == words[0])
        .unwrap();
    let fact = GroundFact {
        predicate: PredicateId(predicate as u32),
        arguments: ids(&words[1..]),
    };
    [
        Value::new(format!("(not ({text}))"), Meaning::Nothing),
        Value::new(format!("({text})"), Meaning::Fact(fact)),
    ]
}

fn action(name: &str) -> Option<GroundAction> {
    let words: Vec<&str> = name.split(' ').collect();
    let schema = SCHEMAS.iter().position(|schema| *schema == words[0])?;
    Some(GroundAction {
        schema: SchemaId(schema as u32),
        arguments: ids(&words[1..]),
    })
}

pub(super) fn kitchen(turns: TurnMode) -> PackedTask {
    let names = [
        "held chef",
        "held helper",
        "on-counter egg",
        "served egg",
        "turn",
    ];
    let mut variables: Vec<Variable> = names
        .iter()
        .map(|name| {
            let object = |id: usize| Value::new(OBJECTS[id], Meaning::Object(ObjectId(id as u32)));
            let (kind, values) = match *name {
                "held chef" | "held helper" => (
                    VariableKind::Object,
                    [Value::new("undefined", Meaning::Nothing), object(EGG)],
                ),
                "turn" => (VariableKind::Clock, [object(CHEF), object(HELPER)]),
                _ => (VariableKind::Facts, of_fact(name)),
            };
            Variable::new(format!("({name})"), kind, values.into())
        })
        .collect();
    let words = pack(&mut variables);
    let mut operators = Vec::new();
    let mut labels = Vec::new();
    let mut add = |agent: u16, name: &str, needs: &[(usize, u32, &str)], sets: &[(usize, u32)]| {
        let kind = if name.starts_with("wait") {
            OperatorKind::Wait
        } else {
            OperatorKind::Start
        };
        let mut effects: Vec<Effect> = sets
            .iter()
            .map(|&(variable, value)| Effect::Set(Fact::new(variable, value)))
            .collect();
        if kind == OperatorKind::Start {
            let words: Vec<&str> = name.split(' ').collect();
            labels.push(format!("{}({})", words[0], words[2]));
            effects.push(Effect::Log(LogEntry {
                agent,
                label: LabelId(labels.len() as u32 - 1),
            }));
        }
        let mut facts: Vec<Fact> = needs
            .iter()
            .map(|&(variable, value, _)| Fact::new(variable, value))
            .collect();
        if turns == TurnMode::Alternate {
            facts.push(Fact::new(4, agent.into()));
            effects.push(Effect::Set(Fact::new(4, (1 - agent).into())));
        }
        let requirements = needs.iter().map(|&(variable, value, reason)| Requirement {
            as_known: None,
            cond: Cond::Fact(Fact::new(variable, value)),
            reason: reason.to_owned(),
        });
        operators.push(Operator {
            name: name.to_owned(),
            action: action(name),
            agent,
            kind,
            requirements: requirements.collect(),
            facts,
            guard: Cond::True,
            weight: None,
            effect: Effect::Seq(effects.into()),
            text: format!("{} please", name.replace(' ', " the ")),
        });
    };
    let empty = "your hand is full";
    add(0, "wait", &[], &[]);
    add(
        0,
        "take chef egg",
        &[
            (HELD_CHEF, 0, empty),
            (ON_COUNTER, 1, "there is no egg on the counter"),
        ],
        &[(HELD_CHEF, 1), (ON_COUNTER, 0)],
    );
    add(
        0,
        "serve chef egg",
        &[(HELD_CHEF, 1, "you do not hold the egg")],
        &[(HELD_CHEF, 0), (SERVED, 1)],
    );
    add(1, "wait", &[], &[]);
    add(
        1,
        "fetch helper egg",
        &[(HELD_HELPER, 0, empty)],
        &[(HELD_HELPER, 1)],
    );
    add(
        1,
        "place helper egg",
        &[
            (HELD_HELPER, 1, "you do not hold the egg"),
            (ON_COUNTER, 0, "the counter is full"),
        ],
        &[(HELD_HELPER, 0), (ON_COUNTER, 1)],
    );
    let goal = Cond::Fact(Fact::new(SERVED, 1));
    let agent = |name: &str, first: u32| Agent {
        name: name.to_owned(),
        object: OBJECTS
            .iter()
            .position(|object| *object == name)
            .map(|id| ObjectId(id as u32)),
        operators: (first..first + 3).map(OperatorId).collect(),
        wait: Some(OperatorId(first)),
        nature: None,
    };
    PackedTask::new(Task {
        symbols: symbols(),
        domain: "egg".to_owned(),
        problem: "one-egg".to_owned(),
        own_problem: "one-egg".to_owned(),
        semantics: "clean".to_owned(),
        initial: StateBuf::zeros(words),
        words,
        agents: vec![agent("chef", 0), agent("helper", 3)],
        operators,
        turns,
        any_order: false,
        announced: Vec::new(),
        turn: (turns == TurnMode::Alternate).then_some(VarId(4)),
        tick: Vec::new(),
        timers: Vec::new(),
        live: None,
        clock: None,
        axioms: Axioms::default(),
        goal: Some(goal),
        fail: Cond::False,
        end: Cond::False,
        horizon: None,
        longest_wait: None,
        metric: Metric::Makespan,
        totals: Vec::new(),
        cost_scale: 1,
        initial_cost: 0,
        mutexes: Vec::new(),
        labels,
        observation: brigade_task::observation::Observation::default(),
        variables,
    })
}

type Policies = Vec<Box<dyn Policy>>;

fn scripts(chef: &str, helper: &str) -> Policies {
    vec![
        Box::new(Scripted::parse(chef)),
        Box::new(Scripted::parse(helper)),
    ]
}

fn play(task: &PackedTask, rules: Rules, mut policies: Policies) -> (End, Vec<Event>) {
    let mut events = Vec::new();
    let mut episode = Episode::new(task, rules);
    let names = ["chef".to_owned(), "helper".to_owned()];
    events.push(Event::Header(episode.header(&names, 7)));
    let Ok(end) = episode.run(&mut policies, &mut events, &|| None);
    (end, events)
}

fn written(events: &[Event]) -> String {
    let lines = events
        .iter()
        .map(|event| serde_json::to_string(event).unwrap() + "\n");
    lines.collect()
}

fn refusals(events: &[Event]) -> Vec<&Refused> {
    let refused = events.iter().filter_map(|event| match event {
        Event::Error(refused) => Some(refused),
        _ => None,
    });
    refused.collect()
}

#[test]
fn commands_are_understood_as_name_label_and_text() {
    let task = kitchen(TurnMode::Sequential);
    let forms = [
        "fetch helper egg",
        "(fetch helper egg)",
        "(FETCH egg)",
        "fetch(egg)",
        "`fetch( egg )`.",
        "Fetch the helper the egg please",
    ];
    let lexicon = Lexicon::new(&task);
    for form in forms {
        let command = lexicon.resolve(&task, &task.initial, 1, form).unwrap();
        assert_eq!(
            task.operator(command.operator).name,
            "fetch helper egg",
            "{form}"
        );
        assert_eq!(command.repeat, 1);
    }
}

#[test]
fn waiting_n_times_is_one_command() {
    let task = kitchen(TurnMode::Sequential);
    let (end, events) = play(
        &task,
        Rules::default(),
        scripts("wait(2)\ntake(egg)\nserve(egg)", "fetch(egg)\nplace(egg)"),
    );
    assert_eq!(
        (end.reason, end.ticks, end.refused),
        (EndReason::Goal, 4, 0)
    );
    let Event::Step(second) = &events[2] else {
        panic!("{events:?}");
    };
    assert_eq!(second.choices[0].action, "wait");
    assert_eq!(second.choices[0].command, None);
}

#[test]
fn a_wait_is_as_long_as_the_domain_allows() {
    let task = kitchen(TurnMode::Sequential);
    let lexicon = Lexicon::new(&task);
    let resolve = |task: &PackedTask, text: &str| lexicon.resolve(task, &task.initial, 0, text);
    assert_eq!(resolve(&task, "wait(6)").unwrap().repeat, 6);
    let refused = resolve(&task, "wait(99999999999)").unwrap_err();
    assert_eq!(refused.rule, Rule::WaitTooLong);

    let task = task.changed(|task| task.longest_wait = Some(5));
    assert_eq!(resolve(&task, "wait(5)").unwrap().repeat, 5);
    let refused = resolve(&task, "wait(6)").unwrap_err();
    assert_eq!(refused.rule, Rule::WaitTooLong);
    assert_eq!(
        refused.to_string(),
        "`wait(6)` waits too long: one command waits for 5 timesteps at most. You can do now: (wait)."
    );
    let refused = resolve(&task, "wait(0)").unwrap_err();
    assert_eq!(refused.rule, Rule::Malformed);
    let refused = resolve(&task, "wait(for me)").unwrap_err();
    assert_eq!(refused.rule, Rule::UnknownAction);
}

#[test]
fn agents_who_act_in_turn_see_what_earlier_ones_have_done() {
    let refused = |turns| {
        let task = kitchen(turns);
        let script = scripts(
            "wait(3)\ntake(egg)\nserve(egg)",
            "fetch(egg)\nplace(egg)\nfetch(egg)\nplace(egg)",
        );
        let (_, events) = play(&task, Rules::default(), script);
        let reasons = refusals(&events).into_iter().map(|r| r.reasons.clone());
        reasons.collect::<Vec<_>>()
    };
    assert!(refused(TurnMode::Sequential).is_empty());
    assert_eq!(refused(TurnMode::Simultaneous), [["the counter is full"]]);
}

#[test]
fn a_refused_command_says_which_requirement_fails_and_what_is_possible() {
    let task = kitchen(TurnMode::Sequential);
    let rules = Rules {
        max_ticks: 1,
        ..Rules::default()
    };
    let (_, events) = play(
        &task,
        rules,
        scripts("take(egg)\ntkae(egg)\n(fetch egg)\ntake(egg", "wait"),
    );
    let refused = refusals(&events);
    let rules: Vec<Rule> = refused.iter().map(|refused| refused.rule).collect();
    assert_eq!(
        rules,
        [
            Rule::Precondition,
            Rule::UnknownAction,
            Rule::NotYourOperator,
            Rule::Malformed
        ]
    );
    let messages: Vec<&str> = refused.iter().map(|refused| &*refused.message).collect();
    assert_eq!(
        messages,
        [
            "`take(egg)` is not possible now: there is no egg on the counter. You can do now: (wait).",
            "`tkae(egg)` is not an action that you can ever take here. Did you mean `(take egg)`? You can do now: (wait).",
            "`(fetch egg)` is an action of another agent. You can do now: (wait).",
            "`take(egg` is not a command: its parentheses do not match. You can do now: (wait).",
        ]
    );
    assert_eq!(refused[3].then, Consequence::Waited);
}

#[test]
fn a_dropped_joint_action_lets_everyone_wait() {
    let task = kitchen(TurnMode::Simultaneous);
    let rules = Rules {
        max_ticks: 1,
        on_invalid: OnInvalid::DropJoint,
        ..Rules::default()
    };
    let (end, events) = play(&task, rules, scripts("serve(egg)", "fetch(egg)"));
    assert_eq!(end.reason, EndReason::TickLimit);
    let Event::Step(step) = &events[2] else {
        panic!("{events:?}");
    };
    let actions: Vec<&str> = step.choices.iter().map(|choice| &*choice.action).collect();
    assert_eq!(actions, ["wait", "wait"]);
    assert_eq!(step.choices[1].command.as_deref(), Some("fetch(egg)"));
    assert!(step.added.is_empty());
}

#[test]
fn in_alternate_turns_only_the_mover_is_asked() {
    let task = kitchen(TurnMode::Alternate);
    let script = scripts("wait(2)\ntake(egg)\nserve(egg)", "fetch(egg)\nplace(egg)");
    let (end, events) = play(&task, Rules::default(), script);
    assert_eq!((end.reason, end.ticks), (EndReason::Goal, 7));
    let Event::Step(second) = &events[2] else {
        panic!("{events:?}");
    };
    assert_eq!(second.choices.len(), 1);
    assert_eq!(second.choices[0].agent, "helper");
    let lexicon = Lexicon::new(&task);
    let refused = lexicon.resolve(&task, &task.initial, 1, "fetch(egg)");
    assert_eq!(refused.unwrap_err().rule, Rule::NotYourTurn);
}

#[test]
fn planners_play_one_optimal_plan_and_search_once() {
    for turns in [
        TurnMode::Sequential,
        TurnMode::Simultaneous,
        TurnMode::Alternate,
    ] {
        let task = kitchen(turns);
        let plans = Rc::new(RefCell::new(Plans::new(
            SearchOptions::default(),
            &Unlimited,
        )));
        let planner = || Box::new(Planner::new(Rc::clone(&plans)));
        let (end, _) = play(&task, Rules::default(), vec![planner(), planner()]);
        let ticks = if turns == TurnMode::Alternate { 7 } else { 4 };
        assert_eq!(
            (end.reason, end.ticks),
            (EndReason::Goal, ticks),
            "{turns:?}"
        );
        assert_eq!(plans.borrow().searches(), 1, "{turns:?}");
    }
}

#[test]
fn a_planner_plans_again_only_from_states_that_no_known_plan_visits() {
    let task = kitchen(TurnMode::Sequential);
    let with_helper = |script: &str| {
        let plans = Rc::new(RefCell::new(Plans::new(
            SearchOptions::default(),
            &Unlimited,
        )));
        let mut policies: Vec<Box<dyn Policy + '_>> = vec![
            Box::new(Planner::new(Rc::clone(&plans))),
            Box::new(Scripted::parse(script)),
        ];
        let mut episode = Episode::new(&task, Rules::default());
        let Ok(end) = episode.run(&mut policies, &mut Vec::new(), &|| None);
        let searches = plans.borrow().searches();
        (end.reason, end.ticks, searches)
    };
    // A partner who dawdles leaves the state as it was.
    let dawdling = "wait(3)\nfetch(egg)\nwait(2)\nplace(egg)";
    assert_eq!(with_helper(dawdling), (EndReason::Goal, 9, 1));
    // One who fetches a second egg does not.
    let eager = "fetch(egg)\nplace(egg)\nfetch(egg)";
    assert_eq!(with_helper(eager), (EndReason::Goal, 4, 2));
}

#[test]
fn greedy_agents_reach_a_goal_that_needs_both() {
    for turns in [TurnMode::Sequential, TurnMode::Simultaneous] {
        let task = kitchen(turns);
        let policies: Policies = vec![Box::new(Greedy::new()), Box::new(Greedy::new())];
        let (end, _) = play(&task, Rules::default(), policies);
        assert_eq!((end.reason, end.ticks), (EndReason::Goal, 4));
    }
}

/// Says one thing, then waits.
struct Talker;

impl Policy for Talker {
    fn choose(&mut self, view: &View<'_>) -> Result<Choice, PolicyError> {
        let heard = view.messages.iter().map(|message| message.text.clone());
        let heard: Vec<String> = heard.collect();
        Ok(Choice {
            action: Action::Operator(view.idle("it has nothing to do")?),
            message: Some(format!("{} heard {heard:?}", view.agent)),
        })
    }
}

#[test]
fn what_is_said_is_heard_by_the_next_to_choose() {
    let task = kitchen(TurnMode::Simultaneous);
    let rules = Rules {
        max_ticks: 2,
        ..Rules::default()
    };
    let (_, events) = play(&task, rules, vec![Box::new(Talker), Box::new(Talker)]);
    let said: Vec<&str> = events
        .iter()
        .filter_map(|event| match event {
            Event::Message(said) => Some(&*said.text),
            _ => None,
        })
        .collect();
    assert_eq!(said[0], "0 heard []");
    assert_eq!(said[1], r#"1 heard ["0 heard []"]"#);
    assert!(said[2].starts_with(r#"0 heard ["1 heard"#), "{}", said[2]);
}

#[test]
fn a_log_reads_back_and_its_steps_repeat() {
    let task = kitchen(TurnMode::Sequential);
    let random: Policies = vec![Box::new(Random::new(7)), Box::new(Random::new(7))];
    let (end, events) = play(&task, Rules::default(), random);
    let log = Log::parse(&written(&events)).unwrap();
    assert_eq!(log.end(), Some(&end));
    assert_eq!(log.steps().count(), end.ticks as usize);
    let recorded = |agent: &str| {
        let steps = log.steps().flat_map(|step| {
            let choices = step.choices.iter();
            choices.map(|choice| (step.tick, choice))
        });
        Box::new(Recorded::new(
            steps
                .filter(|(_, choice)| choice.agent == agent)
                .map(|(tick, choice)| (tick, choice.action.clone())),
        ))
    };
    let (again, _) = play(
        &task,
        Rules::default(),
        vec![recorded("chef"), recorded("helper")],
    );
    assert_eq!(again, end);
}
