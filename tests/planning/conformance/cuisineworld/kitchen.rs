//! A bundled level with its orders, compiled, played, and its states in the words of the published engine.

use std::collections::BTreeMap;
use std::fs;

use brigade::diagnostics::{Colour, Diagnostics, Sources, render_all};
use brigade::episode::Lexicon;
use brigade::generate::orders::{Draws, Kitchen as Orders, Recorded, Wanted};
use brigade::ground::{self, ground};
use brigade::sema::model::Model;
use brigade::sema::{Files, Options, resolve};
use brigade::stream::lay_over;
use brigade::syntax::{parse_domain, parse_problem, parse_stream};
use brigade::task::effect::Record;
use brigade::task::facts::facts;
use brigade::task::{PackedTask, StateBuf};

use super::levels::path;
use crate::conformance::kitchen::root;

/// Counts both: thousands are completed, the rest failed.
const BOTH: &str = "(:metric maximize (+ (* 1000 (completed)) (failed)))";

/// A bundled level as a model, with a stream laid over it.
pub(crate) fn model(level: u32, stream: Option<&str>, semantics: &str) -> Model {
    let domain = fs::read_to_string(root().join("domains/cuisineworld.pddl")).unwrap();
    let kitchen = fs::read_to_string(path(level)).unwrap();
    let kitchen = kitchen.replace("(:metric maximize (completed))", BOTH);
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let files = Files {
        domain: sources.add("domain", domain.as_str()),
        problem: sources.add("problem", kitchen.as_str()),
    };
    let domain = parse_domain(files.domain, &domain, &mut diagnostics);
    let mut problem = parse_problem(files.problem, &kitchen, &mut diagnostics);
    if let Some(text) = stream {
        let part = sources.add("stream", text);
        let stream = parse_stream(part, text, &mut diagnostics);
        let offset = sources.join(files.problem, part).unwrap();
        lay_over(
            &mut problem,
            stream,
            (files.problem, offset),
            &mut diagnostics,
        );
    }
    let options = Options::default().with_semantics(semantics);
    let model = resolve(&domain, &problem, &options, files, &mut diagnostics);
    assert_eq!(render_all(&diagnostics, &sources, Colour::Plain), "");
    model.unwrap()
}

/// Returns the orders that are drawn for an episode of a level, which agents may know of before they come.
pub(crate) fn orders(level: u32, draws: Recorded, what: (f64, usize, u32)) -> String {
    stream(level, draws, what, false)
}

/// The same, of which they know when they come if `unannounced`.
pub(crate) fn stream(
    level: u32,
    draws: Recorded,
    (alpha, cooks, episode): (f64, usize, u32),
    unannounced: bool,
) -> String {
    let kitchen = Orders::of(&model(level, None, "clean")).unwrap();
    let wanted = Wanted {
        unannounced,
        alpha,
        seed: 0,
        episode,
        cooks,
        draws: Draws::Recorded(draws),
    };
    kitchen.stream(&wanted).unwrap()
}

/// An order as the stream gives it: its dish, and when it is due.
pub(crate) type Ordered = BTreeMap<String, (String, u32)>;

/// A level that is played.
pub(crate) struct Kitchen {
    pub(crate) task: PackedTask,
    pub(crate) state: StateBuf,
    pub(crate) tick: u32,
    /// A thousand for each order completed, and one for each failure.
    pub(crate) counts: i64,
    ordered: Ordered,
    lexicon: Lexicon,
}

/// The result of one cook's command: `None` where it was done, else the reasons.
pub(crate) type Refused = Option<Vec<String>>;

impl Kitchen {
    pub(crate) fn new(level: u32, stream: &str) -> Self {
        let model = model(level, Some(stream), "upstream");
        let options = ground::Options::default()
            .with_irrelevant_kept(true)
            .with_requirements(true);
        let task = ground(&model, &options).unwrap();
        Self {
            ordered: ordered(stream),
            lexicon: Lexicon::new(&task),
            state: task.initial.clone(),
            tick: 0,
            counts: 0,
            task,
        }
    }

    /// Plays a step of one command for each cook, an empty one where it waits.
    pub(crate) fn step(&mut self, commands: &[String]) -> Vec<Refused> {
        let mut seen = self.state.clone();
        let mut joint = Vec::new();
        let mut refusals = Vec::new();
        for (agent, command) in commands.iter().enumerate() {
            let command = if command.is_empty() { "wait" } else { command };
            let resolved = self.lexicon.resolve(&self.task, &seen, agent, command);
            let operator = match resolved {
                Ok(command) => {
                    refusals.push(None);
                    command.operator
                }
                Err(refusal) => {
                    refusals.push(Some(refusal.reasons));
                    let wait = self.lexicon.resolve(&self.task, &seen, agent, "wait");
                    wait.unwrap().operator
                }
            };
            self.task.act(&mut seen, operator, &mut Record::default());
            joint.push(operator);
        }
        let mut record = Record::default();
        self.task
            .step(&mut self.state, &joint, &mut record)
            .unwrap();
        self.tick += 1;
        self.counts += record.cost;
        refusals
    }

    /// Returns the facts that the published states hold too, in order. A number that is zero is left out, and that a
    /// chopping board is done: there the thing on it can be taken whether it was chopped or not.
    pub(crate) fn facts(&self) -> Vec<String> {
        let is_published = |fact: &String| {
            let name = fact.trim_start_matches("(= (").trim_start_matches('(');
            let name = name.split([' ', ')']).next().unwrap();
            let is_board = fact.starts_with("(done chopboard");
            let is_zero = fact.starts_with("(= ") && fact.ends_with(" 0)");
            ["at", "holds", "in", "done", "busy", "on-table"].contains(&name)
                && !is_board
                && !is_zero
        };
        let mut list: Vec<String> = facts(&self.task, &self.state);
        let waiting = list.iter().filter_map(|fact| {
            let order = fact.strip_prefix("(waiting ")?.strip_suffix(')')?;
            let (dish, due) = &self.ordered[order];
            Some(order_fact(dish, i64::from(*due) - i64::from(self.tick)))
        });
        let waiting: Vec<String> = waiting.collect();
        list.retain(is_published);
        list.extend(waiting);
        list.sort();
        list
    }
}

/// An open order: its dish, and how many steps are left to it.
pub(crate) fn order_fact(dish: &str, left: i64) -> String {
    format!("(order {dish} {left})")
}

/// Reads the orders of a stream.
fn ordered(stream: &str) -> Ordered {
    let mut sources = Sources::new();
    let source = sources.add("stream", stream);
    let stream = parse_stream(source, stream, &mut Diagnostics::new());
    let mut orders = Ordered::new();
    for item in &stream.init {
        let brigade::syntax::ast::InitItem::Value(target, value, _) = item else {
            continue;
        };
        let (name, args) = target.function().unwrap();
        let Some(brigade::syntax::ast::Term::Name(order)) = args.first() else {
            continue;
        };
        let entry = || (String::new(), 0);
        match (&*name.text, value) {
            ("wants", brigade::syntax::ast::Term::Name(dish)) => {
                orders.entry(order.text.to_string()).or_insert_with(entry).0 =
                    dish.text.to_string();
            }
            ("due", brigade::syntax::ast::Term::Number(thousandths, _)) => {
                let due = (thousandths / 1000) as u32;
                orders.entry(order.text.to_string()).or_insert_with(entry).1 = due;
            }
            _ => {}
        }
    }
    orders
}

/// A published command in the words of the domain: `get_agent0_beef_storage0` as `get(beef, storage0)`.
pub(crate) fn command(published: &str) -> (usize, String) {
    let words: Vec<&str> = published.split('_').collect();
    let [verb, agent, rest @ ..] = &words[..] else {
        panic!("{published} is no command");
    };
    let agent = agent.trim_start_matches("agent").parse().unwrap();
    let command = match (*verb, rest) {
        ("noop", _) => String::new(),
        ("get", [item, place]) if place.starts_with("storage") => format!("get({item}, {place})"),
        (verb, [.., place]) => format!("{verb}({place})"),
        _ => panic!("{published} has no place"),
    };
    (agent, command)
}
