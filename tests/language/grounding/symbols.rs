//! Names of values, timers and operators are those of their symbols, in every form that a value has.

use std::collections::HashSet;
use std::fs;
use std::mem::{Discriminant, discriminant};
use std::path::Path;

use brigade::task::symbols::{Meaning, PredicateKind, Symbols};
use brigade::task::{ObjectId, PackedTask};

use crate::grounding::compile::{resolve_texts, task};
use crate::grounding::corpus;

/// `on egg table`.
fn applied(symbols: &Symbols, head: &str, arguments: &[ObjectId]) -> String {
    let arguments = arguments.iter().map(|&object| symbols.object(object));
    let words = [head].into_iter().chain(arguments);
    words.collect::<Vec<_>>().join(" ")
}

/// The text with each `{}` replaced by an object.
fn filled(symbols: &Symbols, pattern: &str, arguments: &[ObjectId]) -> String {
    let mut arguments = arguments.iter().map(|&object| symbols.object(object));
    let mut text = String::new();
    for (place, part) in pattern.split("{}").enumerate() {
        if place > 0 {
            text.push_str(arguments.next().expect("an object for each place"));
        }
        text.push_str(part);
    }
    assert_eq!(arguments.next(), None, "{pattern}");
    text
}

fn check(task: &PackedTask) -> Vec<Discriminant<Meaning>> {
    let symbols = &task.symbols;
    let values = task.variables.iter().flat_map(|variable| &variable.values);
    for value in values.clone() {
        let expected = match &value.meaning {
            Meaning::Nothing => continue,
            Meaning::Fact(fact) => {
                let predicate = symbols.predicate(fact.predicate);
                format!("({})", applied(symbols, predicate, &fact.arguments))
            }
            Meaning::Object(object) => symbols.object(*object).to_owned(),
            Meaning::Number(number) => number.to_string(),
            Meaning::Activity(action) => {
                applied(symbols, symbols.schema(action.schema), &action.arguments)
            }
            Meaning::Member(member) => {
                let members = &task.live.as_ref().expect("a list").members;
                let timer = members[*member as usize][0];
                task.timers[timer as usize].name.clone()
            }
        };
        assert_eq!(value.name, expected);
    }
    for variable in &task.variables {
        let Some(of) = &variable.of else { continue };
        let predicate = &symbols.predicates[of.predicate.index()];
        if predicate.kind == PredicateKind::Function {
            let applied = applied(symbols, &predicate.name, &of.arguments);
            assert_eq!(variable.name, format!("({applied})"));
        }
    }
    for timer in &task.timers {
        let of = &task.variables[timer.variable.index()].of;
        let of = of.as_ref().expect("a delayed effect");
        let pattern = symbols.predicate(of.predicate);
        assert_eq!(timer.name, filled(symbols, pattern, &of.arguments));
    }
    for operator in &task.operators {
        if let Some(action) = &operator.action {
            let schema = symbols.schema(action.schema);
            assert_eq!(operator.name, applied(symbols, schema, &action.arguments));
        }
    }
    values.map(|value| discriminant(&value.meaning)).collect()
}

#[test]
fn names_are_those_of_the_symbols() {
    let mut met = HashSet::new();
    for file in corpus::files() {
        for model in corpus::models(&fs::read_to_string(file).unwrap()) {
            met.extend(check(&task(&model)));
        }
    }
    let read = |path: &str| fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path));
    let domain = read("domains/robotouille.pddl").unwrap();
    let problem = read("problems/robotouille/synchronous-3_burger.pddl").unwrap();
    met.extend(check(&task(&resolve_texts(&domain, &problem, "upstream"))));
    assert_eq!(met.len(), 6, "every form of a value is in some task");
}

#[test]
fn objects_know_their_types_and_what_these_are_derived_from() {
    let file = corpus::files()
        .into_iter()
        .find(|file| file.ends_with("kitchen.pddl"));
    let text = fs::read_to_string(file.unwrap()).unwrap();
    let task = task(&corpus::models(&text)[0]);
    let types = |name: &str| {
        let mut objects = task.symbols.objects.iter();
        let object = objects
            .find(|object| object.name == name)
            .expect("an object");
        object.types.join(" ")
    };
    assert_eq!(types("egg"), "item object");
    assert_eq!(types("pot"), "stove place object");
}
