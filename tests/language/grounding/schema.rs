//! The output of `compile --emit json` fits `docs/schema/task.schema.json`.
//!
//! The schema uses few words of JSON Schema; the validator here knows these and no others.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use brigade::task::PackedTask;
use brigade::task::json::document;
use serde_json::{Value, json};

use crate::grounding::compile::{resolve_texts, task};
use crate::grounding::{corpus, invariants, random_domains};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn schema() -> Value {
    let text = fs::read_to_string(root().join("docs/schema/task.schema.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// Checks values against one schema, and notes which alternatives of it were met.
struct Validator<'a> {
    whole: &'a Value,
    met: BTreeSet<*const Value>,
}

impl<'a> Validator<'a> {
    fn new(whole: &'a Value) -> Self {
        Self {
            whole,
            met: BTreeSet::new(),
        }
    }

    /// Returns the fault of a value, after the path to it.
    fn check(&mut self, schema: &'a Value, value: &Value) -> Result<(), String> {
        for (word, rule) in schema.as_object().unwrap() {
            match word.as_str() {
                "$ref" => self.check(self.referenced(rule), value)?,
                "type" => {
                    let fits = match rule.as_str().unwrap() {
                        "object" => value.is_object(),
                        "array" => value.is_array(),
                        "string" => value.is_string(),
                        "boolean" => value.is_boolean(),
                        "null" => value.is_null(),
                        "integer" => value.is_i64() || value.is_u64(),
                        other => panic!("the validator does not know the type {other}"),
                    };
                    ensure(fits, || format!(": {} is no {rule}", shown(value)))?;
                }
                "const" => ensure(value == rule, || {
                    format!(": {} is not {rule}", shown(value))
                })?,
                "enum" => {
                    let fits = rule.as_array().unwrap().contains(value);
                    ensure(fits, || format!(": {} is none of {rule}", shown(value)))?;
                }
                "minimum" => {
                    let fits = value
                        .as_i64()
                        .is_none_or(|value| Some(value) >= rule.as_i64());
                    ensure(fits, || format!(": {value} is less than {rule}"))?;
                }
                "minItems" | "maxItems" => {
                    let length = value.as_array().map_or(0, Vec::len) as u64;
                    let limit = rule.as_u64().unwrap();
                    let fits = if word == "minItems" {
                        length >= limit
                    } else {
                        length <= limit
                    };
                    ensure(fits, || format!(": {word} is {rule}"))?;
                }
                "items" => {
                    for (at, item) in value.as_array().into_iter().flatten().enumerate() {
                        self.check_at(rule, item, &at)?;
                    }
                }
                "prefixItems" => {
                    let rules = rule.as_array().unwrap();
                    let items = value.as_array().into_iter().flatten();
                    for (at, (item, rule)) in items.zip(rules).enumerate() {
                        self.check_at(rule, item, &at)?;
                    }
                }
                "properties" => {
                    for (name, rule) in rule.as_object().unwrap() {
                        if let Some(value) = value.get(name) {
                            self.check_at(rule, value, name)?;
                        }
                    }
                }
                "required" => {
                    for name in rule.as_array().unwrap() {
                        let name = name.as_str().unwrap();
                        let there = value.get(name).is_some();
                        ensure(there, || format!(": {name} is not there"))?;
                    }
                }
                "additionalProperties" => {
                    assert_eq!(rule, &json!(false));
                    let known = schema["properties"].as_object().unwrap();
                    for name in value
                        .as_object()
                        .into_iter()
                        .flat_map(|object| object.keys())
                    {
                        let fits = known.contains_key(name);
                        ensure(fits, || format!(": {name} is not known"))?;
                    }
                }
                "oneOf" | "anyOf" => self.alternatives(rule, word == "oneOf", value)?,
                "$schema" | "$id" | "$defs" | "title" | "description" => {}
                other => panic!("the validator does not know `{other}`"),
            }
        }
        Ok(())
    }

    fn check_at(
        &mut self,
        schema: &'a Value,
        value: &Value,
        at: &dyn std::fmt::Display,
    ) -> Result<(), String> {
        let checked = self.check(schema, value);
        checked.map_err(|error| format!("/{at}{error}"))
    }

    fn alternatives(
        &mut self,
        rules: &'a Value,
        exactly_one: bool,
        value: &Value,
    ) -> Result<(), String> {
        let mut fitting = 0;
        let mut errors = Vec::new();
        for rule in rules.as_array().unwrap() {
            match self.check(rule, value) {
                Ok(()) => {
                    fitting += 1;
                    self.met.insert(std::ptr::from_ref(rule));
                }
                Err(error) => errors.push(error),
            }
        }
        // The error of the alternative that came furthest says most.
        let depth = |error: &String| error.split(':').next().map(str::len);
        ensure(fitting > 0, || {
            errors.into_iter().max_by_key(depth).unwrap_or_default()
        })?;
        ensure(!exactly_one || fitting == 1, || {
            format!(": {fitting} alternatives fit")
        })
    }

    fn referenced(&self, to: &Value) -> &'a Value {
        let pointer = to.as_str().unwrap().strip_prefix('#').unwrap();
        self.whole.pointer(pointer).unwrap()
    }
}

/// A value in a message.
fn shown(value: &Value) -> String {
    match value {
        Value::Object(_) => "an object".to_owned(),
        Value::Array(_) => "an array".to_owned(),
        scalar => scalar.to_string(),
    }
}

fn ensure(fits: bool, error: impl FnOnce() -> String) -> Result<(), String> {
    if fits { Ok(()) } else { Err(error()) }
}

fn written(task: &PackedTask) -> Value {
    serde_json::to_value(document(task)).unwrap()
}

fn files(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, into);
        } else if path
            .extension()
            .is_some_and(|extension| extension == "pddl")
        {
            into.push(path);
        }
    }
}

/// The problems of the repository with their domains.
fn problems() -> Vec<(String, String)> {
    let mut paths = Vec::new();
    for folder in ["domains", "problems", "tests/data/cli"] {
        files(&root().join(folder), &mut paths);
    }
    paths.sort();
    let texts: Vec<String> = paths
        .iter()
        .map(|path| fs::read_to_string(path).unwrap())
        .collect();
    let domains = texts
        .iter()
        .filter(|text| text.contains("(define (domain "));
    let domains: Vec<&String> = domains.collect();
    let mut found = Vec::new();
    for text in &texts {
        let Some((_, rest)) = text.split_once("(:domain ") else {
            continue;
        };
        let name = rest.split(')').next().unwrap();
        let domain = domains.iter().find(|domain| {
            let rest = domain.split_once("(define (domain ").unwrap().1;
            rest.split(')').next() == Some(name)
        });
        found.push(((*domain.unwrap()).clone(), text.clone()));
    }
    found
}

/// Every problem of the repository, by turns under each semantics of its domain, and some random
/// ones.
pub(crate) fn each_task(visit: &mut dyn FnMut(&str, &PackedTask)) {
    for (number, (domain, problem)) in problems().into_iter().enumerate() {
        let upstream = domain.contains("(:semantics clean upstream)") && number % 2 == 1;
        let semantics = if upstream { "upstream" } else { "clean" };
        let model = resolve_texts(&domain, &problem, semantics);
        visit(&model.problem, &task(&model));
    }
    for file in corpus::files() {
        for model in corpus::models(&fs::read_to_string(file).unwrap()) {
            visit(&model.problem, &task(&model));
        }
    }
    let random = (0..20).map(random_domains::texts);
    for (seed, (domain, problem)) in random.chain((0..10).map(invariants::texts)).enumerate() {
        let model = resolve_texts(&domain, &problem, "clean");
        visit(&format!("random {seed}"), &task(&model));
    }
}

#[test]
fn every_compiled_task_fits_its_schema() {
    let schema = schema();
    let mut validator = Validator::new(&schema);
    let mut count = 0;
    each_task(&mut |name, task| {
        let fits = validator.check(&schema, &written(task));
        assert_eq!(fits, Ok(()), "{name}");
        count += 1;
    });
    assert!(count > 80, "{count} tasks");
    // Every form of a condition, an expression and an effect was among them.
    for kind in ["condition", "expression", "effect"] {
        for form in schema["$defs"][kind]["oneOf"].as_array().unwrap() {
            assert!(
                validator.met.contains(&std::ptr::from_ref(form)),
                "{form} is in no task"
            );
        }
    }
}

#[test]
fn what_is_not_a_task_does_not_fit() {
    let schema = schema();
    let text = fs::read_to_string(root().join("tests/data/grounding/kitchen.pddl")).unwrap();
    let model = &corpus::models(&text)[0];
    let good = written(&task(model));
    assert_eq!(Validator::new(&schema).check(&schema, &good), Ok(()));
    let broken = |at: &str, value: Value, error: &str| {
        let mut document = good.clone();
        *document.pointer_mut(at).unwrap() = value;
        let found = Validator::new(&schema).check(&schema, &document);
        assert!(
            found.as_ref().is_err_and(|found| found.contains(error)),
            "{found:?}"
        );
    };
    broken("/schema", json!(1), "/schema: 1 is not 2");
    broken(
        "/cost_scale",
        json!("one"),
        "/cost_scale: \"one\" is no \"integer\"",
    );
    broken("/initial/0", json!(-1), "/initial/0: -1 is less than 0");
    broken(
        "/operators/0/kind",
        json!("sleep"),
        "/operators/0/kind: \"sleep\" is none of",
    );
    broken(
        "/operators/0/effect",
        json!({"raise": {"variable": 0}}),
        "/operators/0/effect",
    );
    broken(
        "/operators/0/effect",
        json!({"increase": {"variable": 0, "by": {"constant": 1.5}}}),
        "1.5 is no \"integer\"",
    );
    broken("/fail", json!({"facts": [[0, 1, 2]]}), "/fail");
    broken("/goal", json!({"not": "perhaps"}), "/goal");
    for name in good.as_object().unwrap().keys() {
        let mut less = good.clone();
        less.as_object_mut().unwrap().remove(name);
        let found = Validator::new(&schema).check(&schema, &less);
        assert_eq!(found, Err(format!(": {name} is not there")));
    }
    let mut more = good.clone();
    more["colour"] = json!("red");
    let found = Validator::new(&schema).check(&schema, &more);
    assert_eq!(found, Err(": colour is not known".to_owned()));
}
