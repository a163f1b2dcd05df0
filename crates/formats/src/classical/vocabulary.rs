//! The facts of the classical form.
//!
//! A variable of many values is a predicate of one argument, so that a planner finds at once that
//! its facts exclude each other. A condition that allows several values, but not all, is a fact of
//! its own, which every action that writes the variable also writes: nothing is to be multiplied
//! out, and a condition is a conjunction.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::names::Names;

/// The form of a variable as facts.
pub(super) enum Form {
    /// It never changes.
    Constant,
    /// A fact for the greater of its two values.
    Flag { fact: String, value: u32 },
    /// A predicate, and for each value an object.
    Values {
        predicate: String,
        domain: Rc<[u32]>,
        objects: Vec<String>,
    },
}

/// Facts that a variable has one of several values: by the values.
type Sets = BTreeMap<Rc<[u32]>, String>;

/// The facts.
#[derive(Default)]
pub(super) struct Vocabulary {
    pub(super) names: Names,
    objects: Names,
    /// For each text its object.
    known: BTreeMap<String, String>,
    forms: Vec<Form>,
    /// For each variable its sets.
    sets: BTreeMap<u32, Sets>,
    /// For each variable, true if some condition reads it.
    is_read: Vec<bool>,
}

impl Vocabulary {
    /// Adds a variable with a name, and for each value that it may have a text; `sentence` is the
    /// fact that it has a value.
    pub(super) fn add(
        &mut self,
        name: &str,
        values: &[(u32, String)],
        sentence: impl Fn(u32, &str) -> String,
    ) {
        let form = match values {
            [] | [_] => Form::Constant,
            [_, (value, text)] => Form::Flag {
                fact: self.names.add(&sentence(*value, text)),
                value: *value,
            },
            _ => Form::Values {
                predicate: self.names.add(name),
                domain: values.iter().map(|(value, _)| *value).collect(),
                objects: self.objects_for(values),
            },
        };
        self.forms.push(form);
        self.is_read.push(false);
    }

    /// The objects for the values of one variable; values of several may share one.
    fn objects_for(&mut self, values: &[(u32, String)]) -> Vec<String> {
        let mut objects: Vec<String> = Vec::with_capacity(values.len());
        let mut seen = BTreeSet::new();
        for (_, text) in values {
            let object = match self.known.get(text) {
                Some(known) if seen.insert(text) => known.clone(),
                _ => self.objects.add(text),
            };
            if seen.insert(text) {
                self.known.insert(text.clone(), object.clone());
            }
            objects.push(object);
        }
        objects
    }

    /// Notes that a condition asks whether a variable has one of these values.
    pub(super) fn read(&mut self, variable: u32, values: &Rc<[u32]>) {
        self.is_read[variable as usize] = true;
        let Form::Values {
            predicate, domain, ..
        } = &self.forms[variable as usize]
        else {
            return;
        };
        if values.len() < 2 {
            return;
        }
        let sets = self.sets.entry(variable).or_default();
        let complement = without(domain, values);
        if !sets.contains_key(values) && !sets.contains_key(&complement) {
            let name = format!("{predicate}-in-{}", sets.len() + 1);
            sets.insert(Rc::clone(values), self.names.add(&name));
        }
    }

    /// That a variable has one of these values.
    pub(super) fn condition(&self, variable: u32, values: &[u32]) -> String {
        match &self.forms[variable as usize] {
            Form::Constant => "(and)".to_owned(),
            Form::Flag { fact, value } if values.contains(value) => format!("({fact})"),
            Form::Flag { fact, .. } => format!("(not ({fact}))"),
            Form::Values {
                predicate,
                domain,
                objects,
            } => {
                if let [value] = values {
                    return fact(predicate, domain, objects, *value);
                }
                let sets = self.sets.get(&variable);
                let set = |values: &[u32]| sets.and_then(|sets| sets.get(values));
                match (set(values), set(&without(domain, values))) {
                    (Some(name), _) => format!("({name})"),
                    (None, Some(name)) => format!("(not ({name}))"),
                    (None, None) => "(or)".to_owned(),
                }
            }
        }
    }

    /// The literals that give a variable a value, where it has one of the values `old`, or any.
    pub(super) fn assignment(&self, variable: u32, new: u32, old: Option<&[u32]>) -> Vec<String> {
        let mut literals = Vec::new();
        if old == Some(&[new]) || !self.is_read[variable as usize] {
            return literals;
        }
        match &self.forms[variable as usize] {
            Form::Constant => {}
            Form::Flag { fact, value } if *value == new => literals.push(format!("({fact})")),
            Form::Flag { fact, .. } => literals.push(format!("(not ({fact}))")),
            Form::Values {
                predicate,
                domain,
                objects,
            } => {
                let old = old.unwrap_or(domain);
                for &value in old.iter().filter(|value| **value != new) {
                    literals.push(format!("(not {})", fact(predicate, domain, objects, value)));
                }
                literals.push(fact(predicate, domain, objects, new));
                for (set, name) in self.sets.get(&variable).into_iter().flatten() {
                    let is_in = set.contains(&new);
                    if old.iter().all(|old| set.contains(old) == is_in) {
                        continue;
                    }
                    literals.push(if is_in {
                        format!("({name})")
                    } else {
                        format!("(not ({name}))")
                    });
                }
            }
        }
        literals
    }

    /// The facts that hold where a variable has a value.
    pub(super) fn facts_of(&self, variable: u32, value: u32) -> Vec<String> {
        if !self.is_read[variable as usize] {
            return Vec::new();
        }
        match &self.forms[variable as usize] {
            Form::Flag { fact, value: yes } if *yes == value => vec![format!("({fact})")],
            Form::Constant | Form::Flag { .. } => Vec::new(),
            Form::Values {
                predicate,
                domain,
                objects,
            } => {
                let sets = self.sets.get(&variable).into_iter().flatten();
                let sets = sets.filter(|(set, _)| set.contains(&value));
                let sets = sets.map(|(_, name)| format!("({name})"));
                let own = fact(predicate, domain, objects, value);
                std::iter::once(own).chain(sets).collect()
            }
        }
    }

    /// The declarations of objects that are used.
    pub(super) fn objects(&self) -> impl Iterator<Item = &str> {
        let mut used: Vec<&str> = Vec::new();
        for (form, is_read) in self.forms.iter().zip(&self.is_read) {
            if let (Form::Values { objects, .. }, true) = (form, is_read) {
                used.extend(objects.iter().map(String::as_str));
            }
        }
        used.sort_unstable();
        used.dedup();
        used.into_iter()
    }

    /// The declarations of predicates: with what they mean, where that is not plain.
    pub(super) fn predicates(&self) -> Vec<(String, String)> {
        let mut found = Vec::new();
        for (variable, (form, is_read)) in (0..).zip(self.forms.iter().zip(&self.is_read)) {
            match form {
                _ if !is_read => {}
                Form::Constant => {}
                Form::Flag { fact, .. } => found.push((format!("({fact})"), String::new())),
                Form::Values {
                    predicate,
                    domain,
                    objects,
                } => {
                    found.push((format!("({predicate} ?value)"), String::new()));
                    for (set, name) in self.sets.get(&variable).into_iter().flatten() {
                        let places = set
                            .iter()
                            .filter_map(|value| domain.binary_search(value).ok());
                        let values: Vec<&str> = places.map(|place| &*objects[place]).collect();
                        let note = format!("{predicate}: {}", values.join(" "));
                        found.push((format!("({name})"), note));
                    }
                }
            }
        }
        found
    }
}

fn fact(predicate: &str, domain: &[u32], objects: &[String], value: u32) -> String {
    match domain.binary_search(&value) {
        Ok(place) => format!("({predicate} {})", objects[place]),
        Err(_) => "(or)".to_owned(),
    }
}

fn without(domain: &[u32], values: &[u32]) -> Rc<[u32]> {
    let others = domain
        .iter()
        .filter(|value| values.binary_search(value).is_err());
    others.copied().collect()
}
