//! The texts that results are derived from: their compilation, and their level.

use std::collections::BTreeMap;

use super::error::SurveyError;
use brigade::diagnostics::{Colour, Diagnostics, Sources, render_all};
use brigade::ground;
use brigade::sema::model::Model;
use brigade::sema::{Files, Options, resolve};
use brigade::syntax::{parse_domain, parse_problem};
use brigade::task::PackedTask;
use brigade::task::json::planning_fingerprint;

/// A problem and its domain.
#[derive(Clone, Copy, Debug)]
pub struct Texts<'a> {
    /// The domain file's text.
    pub domain: &'a str,
    /// The problem file's text.
    pub problem: &'a str,
}

/// The facts of a benchmark that a page of results needs: a domain and its problems.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Benchmark {
    /// The semantics that the domain declares; `clean` alone where it declares none.
    pub semantics: Vec<String>,
    /// The problems, by level, then name.
    pub problems: Vec<Entry>,
}

/// A problem of a benchmark.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// Its level.
    pub level: u32,
    /// Its name.
    pub problem: String,
    /// For each semantics what identifies the compiled task; see [`planning_fingerprint`].
    pub compiled: BTreeMap<String, String>,
}

impl Benchmark {
    /// Describes a benchmark by its domain's text, and its problems' names and texts. A problem
    /// that names no level does not belong to it.
    pub fn new<'a>(
        domain: &str,
        problems: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, SurveyError> {
        let source = Sources::new().add("domain", domain);
        let declared = parse_domain(source, domain, &mut Diagnostics::new()).semantics;
        let mut semantics: Vec<String> =
            declared.into_iter().map(|name| name.text.into()).collect();
        if semantics.is_empty() {
            semantics.push(Options::default().semantics);
        }
        let mut entries = Vec::new();
        for (name, problem) in problems {
            let texts = Texts { domain, problem };
            if let Some(level) = texts.level() {
                entries.push(Entry {
                    level,
                    problem: name.to_owned(),
                    compiled: texts.fingerprints(&semantics)?,
                });
            }
        }
        entries.sort();
        Ok(Self {
            semantics,
            problems: entries,
        })
    }
}

impl Texts<'_> {
    /// Compiles the problem, for finding plans.
    pub fn compile(&self, semantics: &str) -> Result<PackedTask, SurveyError> {
        self.compile_with(semantics, &ground::Options::default())
    }

    /// Compiles the problem.
    pub fn compile_with(
        &self,
        semantics: &str,
        options: &ground::Options,
    ) -> Result<PackedTask, SurveyError> {
        Ok(ground::ground(&self.model(semantics)?, options)?)
    }

    /// Reads the problem.
    pub fn model(&self, semantics: &str) -> Result<Model, SurveyError> {
        let mut sources = Sources::new();
        let mut diagnostics = Diagnostics::new();
        let files = Files {
            domain: sources.add("domain", self.domain),
            problem: sources.add("problem", self.problem),
        };
        let domain = parse_domain(files.domain, self.domain, &mut diagnostics);
        let problem = parse_problem(files.problem, self.problem, &mut diagnostics);
        let named = Options::default().with_semantics(semantics);
        let model = resolve(&domain, &problem, &named, files, &mut diagnostics);
        model.ok_or_else(|| {
            diagnostics.sort();
            SurveyError::Text(render_all(&diagnostics, &sources, Colour::Plain))
        })
    }

    /// For each of these semantics what identifies the problem, compiled for finding plans, as far
    /// as its plans go; see [`planning_fingerprint`].
    pub fn fingerprints(
        &self,
        semantics: &[impl AsRef<str>],
    ) -> Result<BTreeMap<String, String>, SurveyError> {
        let fingerprint = |semantics: &str| {
            let task = self.compile(semantics)?;
            Ok((semantics.to_owned(), planning_fingerprint(&task)))
        };
        let semantics = semantics.iter().map(AsRef::as_ref);
        semantics.map(fingerprint).collect()
    }

    /// The level that the first line of the problem names: `; Collab-Overcooked, level 3.`
    pub fn level(&self) -> Option<u32> {
        let first = self.problem.lines().next()?;
        let (_, rest) = first.strip_prefix(';')?.rsplit_once("level ")?;
        rest.trim().trim_end_matches('.').parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOMAIN: &str = "
        (define (domain tea)
          (:requirements :text)
          (:predicates (hot) (full))
          (:action boil
            :parameters ()
            :precondition (else \"it is hot already\" (not (hot)))
            :effect (hot)
            :label \"boil()\" :text \"boil it\"))";
    const PROBLEM: &str = "; Tea, level 12.
        (define (problem p) (:domain tea) (:init (full)) (:goal (hot)))";

    /// The fingerprint of the task where both texts are changed.
    fn fingerprint(change: impl Fn(&str) -> String) -> String {
        let (domain, problem) = (change(DOMAIN), change(PROBLEM));
        let texts = Texts {
            domain: &domain,
            problem: &problem,
        };
        let fingerprints = texts.fingerprints(&["clean"]).unwrap();
        fingerprints["clean"].clone()
    }

    #[test]
    fn a_task_stays_the_same_where_nothing_changes_that_plans_depend_on() {
        for (old, new) in [
            ("already", "indeed"),
            ("boil it", "heat it"),
            (":effect", "; What it is for.\n :effect"),
            ("level 12", "level 13"),
            ("hot", "boiling"),
            ("(full))\n", "(full) (cold))\n"),
            ("problem p", "problem q"),
            ("tea", "chai"),
            // It always holds.
            ("(not (hot))", "(and (full) (not (hot)))"),
            // Nothing reads it.
            (":effect (hot)", ":effect (and (hot) (not (full)))"),
        ] {
            let other = fingerprint(|text| text.replace(old, new));
            assert_eq!(other, fingerprint(str::to_owned), "{new}");
        }
    }

    #[test]
    fn a_task_changes_with_what_its_plans_depend_on() {
        for (old, new) in [
            ("(not (hot))", "(and)"),
            (":effect (hot)", ":effect (and)"),
            ("boil()", "cook()"),
            ("boil\n", "heat\n"),
            (":init (full)", ":init (full) (hot)"),
            (":goal (hot)", ":goal (not (hot))"),
        ] {
            let other = fingerprint(|text| text.replace(old, new));
            assert_ne!(other, fingerprint(str::to_owned), "{new}");
        }
    }

    #[test]
    fn the_level_is_the_one_that_the_first_line_names() {
        let level = |problem| {
            let domain = DOMAIN;
            Texts { domain, problem }.level()
        };
        assert_eq!(level(PROBLEM), Some(12));
        assert_eq!(level("; Tea.\n; level 3"), None);
        assert_eq!(level(""), None);
    }

    #[test]
    fn a_text_with_errors_is_refused_with_a_report() {
        let texts = Texts {
            domain: DOMAIN,
            problem: "(define (problem p) (:domain tea) (:goal (cold)))",
        };
        let error = texts.compile("clean").unwrap_err().to_string();
        assert!(error.contains("cold"), "{error}");
    }
}
