//! Changes of a bench file that has run: all may change but what finished episodes depend on.
//!
//! Seeds, repetitions, problems, set-ups and models come and go, prices and optima change, and files may be
//! put otherwise: that changes what is played next, and the figures, but no episode.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::header::{Header, OfDesign, OfProblem, OfSetup};
use super::names::file_safe;
use super::sense::Sense;
use super::setup::design_and_model;
use crate::cli::models::Model;
use crate::llm::design::Design;
use crate::task::json::is_of_schema_1;

/// More changes are not named.
const MOST_NAMED: usize = 5;

/// More characters of a value are not shown.
const MOST_SHOWN: usize = 60;

/// Keys of a model that say where and how it is reached, what is made of its answers afterwards, or what is
/// in the header otherwise.
const NOT_OF_EPISODES: [&str; 9] = [
    "action-format",
    "api-key-env",
    "base-url",
    "header-env",
    "max-retries",
    "max-tokens-field",
    "price",
    "requests-per-minute",
    "timeout",
];

/// The number of finished episodes, by problem, set-up and model, named as in the names of files.
#[derive(Clone, Debug, Default)]
pub(super) struct Finished(BTreeMap<[String; 3], usize>);

impl Finished {
    /// Counts an episode by its id, if it is one.
    pub(super) fn add(&mut self, id: &str) {
        let mut parts = id.split('.').map(str::to_owned);
        if let (Some(problem), Some(setup), Some(model)) =
            (parts.next(), parts.next(), parts.next())
        {
            *self.0.entry([problem, setup, model]).or_default() += 1;
        }
    }

    /// The number of episodes of a problem, a set-up and a model, each where it is given.
    fn of(&self, problem: Option<&str>, setup: Option<&str>, model: Option<&str>) -> usize {
        let wanted = [problem, setup, model].map(|name| name.map(file_safe));
        let fits = |parts: &[String; 3]| {
            let mut pairs = parts.iter().zip(&wanted);
            pairs.all(|(part, wanted)| wanted.as_ref().is_none_or(|wanted| wanted == part))
        };
        let counts = self.0.iter().filter(|(parts, _)| fits(parts));
        counts.map(|(_, count)| count).sum()
    }

    /// The number of finished episodes in which a model was asked.
    fn of_model(&self, header: &Header, model: &str) -> usize {
        let naming = header.setups().filter(|setup| setup.names_model(model));
        let naming: BTreeSet<&str> = naming.map(|setup| &*setup.setup).collect();
        let by_name = naming.iter().map(|setup| self.of(None, Some(setup), None));
        by_name.sum::<usize>() + self.of(None, None, Some(model))
    }
}

/// The header of a folder that goes on with another bench file, of which `new` is the header: that, with
/// what it leaves out of the old one although episodes of it are finished.
///
/// # Errors
///
/// Says what would change the meaning of finished episodes.
pub(super) fn grow(old: &Header, new: Header, finished: &Finished) -> Result<Header, String> {
    let mut changes = Changes {
        old,
        new: &new,
        finished,
        found: Vec::new(),
    };
    changes.problems();
    changes.ticks();
    changes.models();
    changes.setups();
    let Changes { mut found, .. } = changes;
    if !found.is_empty() {
        let more = found.len().saturating_sub(MOST_NAMED);
        found.truncate(MOST_NAMED);
        if more > 0 {
            found.push(format!("and {more} more"));
        }
        return Err(found.join("; "));
    }
    let mut header = new;
    leave_out(old, &mut header, finished);
    Ok(header)
}

struct Changes<'a> {
    old: &'a Header,
    new: &'a Header,
    finished: &'a Finished,
    /// In words.
    found: Vec<String>,
}

impl Changes<'_> {
    fn add(&mut self, what: &str, (was, is): (&Value, &Value), finished: usize) {
        self.found.push(format!(
            "{what} was {}, and is now {} ({finished} finished)",
            shown(was),
            shown(is)
        ));
    }

    fn problems(&mut self) {
        for new in &self.new.entries.problems {
            let finished = self.finished.of(Some(&new.problem), None, None);
            let mut old = self.old.problems();
            let old = old.find(|old| old.problem == new.problem);
            let Some(old) = old.filter(|_| finished > 0) else {
                continue;
            };
            if let Some((hash, was, is)) = sense_differs(&old.sense, &new.sense) {
                let what = format!("`{hash}` of problem `{}`", new.problem);
                self.add(&what, (&was, &is), finished);
            }
        }
    }

    /// The most ticks of an episode are those of its problem, or fewer where its set-up says so.
    fn ticks(&mut self) {
        let (old, new) = (self.old, self.new);
        let problems: Vec<&OfProblem> = latest(old, new, Header::problems, |it| &it.problem);
        let setups: Vec<&OfSetup> = latest(old, new, Header::setups, |it| &it.setup);
        for problem in &problems {
            for setup in &setups {
                let finished = self
                    .finished
                    .of(Some(&problem.problem), Some(&setup.setup), None);
                let old_problem = old.problems().find(|it| it.problem == problem.problem);
                let old_setup = old.setups().find(|it| it.setup == setup.setup);
                let Some((old_problem, old_setup)) =
                    old_problem.zip(old_setup).filter(|_| finished > 0)
                else {
                    continue;
                };
                let (was, is) = (ticks(old_problem, old_setup), ticks(problem, setup));
                if was != is {
                    let what = format!(
                        "the limit of ticks (`max-ticks` or `budget`) of set-up `{}` on problem `{}`",
                        setup.setup, problem.problem
                    );
                    self.add(&what, (&was.into(), &is.into()), finished);
                }
            }
        }
    }

    fn models(&mut self) {
        for (name, new) in &self.new.entries.models {
            let finished = self.finished.of_model(self.old, name);
            let mut old = self.old.models();
            let old = old.find(|(old, _)| *old == name);
            let Some((_, old)) = old.filter(|_| finished > 0) else {
                continue;
            };
            let (old, mut new) = (meant(name, old), meant(name, new));
            if new["action-format"].is_null() {
                // It is not known before the model is asked.
                new["action-format"] = old["action-format"].clone();
            }
            for (key, was, is) in differences(&old, &new) {
                self.add(&format!("`{key}` of model `{name}`"), (&was, &is), finished);
            }
        }
    }

    fn setups(&mut self) {
        for new in &self.new.entries.setups {
            let finished = self.finished.of(None, Some(&new.setup), None);
            if finished == 0 {
                continue;
            }
            for old in self.old.setups().filter(|old| old.setup == new.setup) {
                let mut agents: BTreeSet<Option<String>> = BTreeSet::from([None]);
                let named = old.except.keys().chain(new.except.keys());
                agents.extend(named.map(|name| Some(name.to_ascii_lowercase())));
                let mut seen: BTreeSet<(&str, &str)> = BTreeSet::new();
                for agent in &agents {
                    let agent = agent.as_deref();
                    let policies = (old.policy(agent), new.policy(agent));
                    if seen.insert(policies) {
                        self.policy(agent, (old, policies.0), (new, policies.1), finished);
                    }
                }
            }
        }
    }

    /// Compares the policies of an agent, or of all that have none of their own.
    fn policy(
        &mut self,
        agent: Option<&str>,
        (old, was): (&OfSetup, &str),
        (new, is): (&OfSetup, &str),
        finished: usize,
    ) {
        let of_setup = format!("of set-up `{}`", new.setup);
        let [was_asked, is_asked] = [was, is].map(|policy| design_and_model(policy).1);
        let designs = old.design(was).zip(new.design(is));
        let Some((old_design, new_design)) = designs.filter(|_| was_asked == is_asked) else {
            if was != is {
                let key = agent.map_or_else(|| "agents".to_owned(), |it| format!("except.{it}"));
                let what = format!("`{key}` {of_setup}");
                self.add(&what, (&was.into(), &is.into()), finished);
            }
            return;
        };
        let of_design = format!("of design `{is}`, {of_setup},");
        for (key, was, is) in differences(&design(old_design), &design(new_design)) {
            self.add(&format!("`{key}` {of_design}"), (&was, &is), finished);
        }
        for new_shown in &new_design.demonstrations {
            let problem = &new_shown.problem;
            let finished = self.finished.of(Some(problem), Some(&new.setup), None);
            let mut earlier = old_design.demonstrations.iter();
            let earlier = earlier.find(|shown| shown.problem == *problem);
            let Some(earlier) = earlier.filter(|_| finished > 0) else {
                continue;
            };
            if let Some((_, was, is)) = sense_differs(&earlier.sense, &new_shown.sense) {
                let what = format!("what is demonstrated on problem `{problem}` {of_design}");
                self.add(&what, (&was, &is), finished);
            }
        }
    }
}

/// Entries of the new header, and those of the old one that it does not have.
fn latest<'a, T: 'a, I: Iterator<Item = &'a T>>(
    old: &'a Header,
    new: &'a Header,
    all: impl Fn(&'a Header) -> I,
    name: impl Fn(&T) -> &str,
) -> Vec<&'a T> {
    let mut latest: Vec<&T> = Vec::new();
    for entry in all(new).chain(all(old)) {
        if !latest.iter().any(|known| name(known) == name(entry)) {
            latest.push(entry);
        }
    }
    latest
}

fn ticks(problem: &OfProblem, setup: &OfSetup) -> u32 {
    let most = problem.max_ticks;
    setup.max_ticks.map_or(most, |fewer| fewer.min(most))
}

/// The differences in the meaning of two problems. Files that are put otherwise may mean the same.
fn sense_differs(old: &Sense, new: &Sense) -> Option<(&'static str, Value, Value)> {
    if old.files == new.files {
        return None;
    }
    let hashes = [
        ("task", &old.task, &new.task),
        ("words", &old.words, &new.words),
    ];
    let mut known = hashes
        .iter()
        .filter(|(_, old, new)| old.is_some() && new.is_some())
        .filter(|(_, old, _)| !old.as_deref().is_some_and(is_of_schema_1));
    let differs = known.clone().find(|(_, old, new)| old != new);
    if let Some((what, Some(old), Some(new))) = differs {
        return Some((what, old.as_str().into(), new.as_str().into()));
    }
    (known.by_ref().count() < hashes.len()).then(|| {
        let (old, new) = (old.files.as_str(), new.files.as_str());
        ("files", old.into(), new.into())
    })
}

/// The request to a model, as configured.
fn meant(name: &str, model: &Value) -> Value {
    let mut model = model.clone();
    let format = model
        .as_object_mut()
        .and_then(|model| model.remove("format-used"))
        .unwrap_or_default();
    // With the defaults of keys that an earlier version did not have.
    let known = serde_json::from_value::<Model>(model.clone());
    if let Ok(Ok(known)) = known.map(serde_json::to_value) {
        model = known;
    }
    if let Some(model) = model.as_object_mut() {
        model.retain(|key, _| !NOT_OF_EPISODES.contains(&key.as_str()));
        model.entry("model").or_insert_with(|| name.into());
        model.insert("action-format".to_owned(), format);
    }
    model
}

/// The prompts of a design. Which problem it demonstrates is compared by problem.
fn design(of: &OfDesign) -> Value {
    let known = serde_json::from_value::<Design>(of.design.clone());
    let known = known.map(serde_json::to_value);
    let mut design = match known {
        Ok(Ok(known)) => known,
        _ => of.design.clone(),
    };
    if let Some(design) = design.as_object_mut() {
        design.remove("name");
        design.remove("about");
        let shows = design.get_mut("demonstration");
        if let Some(shows) = shows.and_then(Value::as_object_mut) {
            shows.remove("problem");
        }
        design.insert("templates".to_owned(), of.templates.as_str().into());
    }
    design
}

/// Puts into a header what it leaves out of the one before although episodes of it are finished.
fn leave_out(old: &Header, header: &mut Header, finished: &Finished) {
    for problem in old.problems() {
        let name = &problem.problem;
        let is_known = header.problems().any(|it| it.problem == *name);
        if !is_known && finished.of(Some(name), None, None) > 0 {
            header.left_out.problems.push(problem.clone());
        }
    }
    for (name, model) in old.models() {
        let is_known = header.models().any(|(it, _)| it == name);
        if !is_known && finished.of_model(old, name) > 0 {
            let model = model.clone();
            header.left_out.models.insert(name.clone(), model);
        }
    }
    for setup in old.setups() {
        let mut setup = setup.clone();
        let known = header.setups().filter(|it| it.setup == setup.setup);
        let known: Vec<OfSetup> = known.cloned().collect();
        let is_shown = |problem: &str| {
            let designs = known.iter().flat_map(|it| &it.designs);
            let mut shown = designs.flat_map(|it| &it.demonstrations);
            shown.any(|it| it.problem == problem)
        };
        for design in &mut setup.designs {
            design.demonstrations.retain(|shown| {
                let of = finished.of(Some(&shown.problem), Some(&setup.setup), None);
                of > 0 && !is_shown(&shown.problem)
            });
        }
        let shows_more = setup.designs.iter().any(|it| !it.demonstrations.is_empty());
        let is_left_out = known.is_empty() && finished.of(None, Some(&setup.setup), None) > 0;
        if shows_more || is_left_out {
            header.left_out.setups.push(setup);
        }
    }
}

/// A value on a line.
fn shown(value: &Value) -> String {
    if value.is_null() {
        return "not given".to_owned();
    }
    let text = value.to_string();
    match text.char_indices().nth(MOST_SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// The places where two documents differ, with what each has there.
fn differences(one: &Value, other: &Value) -> Vec<(String, Value, Value)> {
    let (Value::Object(first), Value::Object(second)) = (one, other) else {
        let pair = (String::new(), one.clone(), other.clone());
        return if one == other { Vec::new() } else { vec![pair] };
    };
    let more = second.keys().filter(|key| !first.contains_key(*key));
    let keys = first.keys().chain(more);
    let of = |key: &String, object: &serde_json::Map<String, Value>| {
        object.get(key).cloned().unwrap_or(Value::Null)
    };
    keys.flat_map(|key| {
        let inner = differences(&of(key, first), &of(key, second));
        inner.into_iter().map(move |(place, one, other)| {
            let dot = if place.is_empty() { "" } else { "." };
            (format!("{key}{dot}{place}"), one, other)
        })
    })
    .collect()
}
