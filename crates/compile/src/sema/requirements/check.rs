//! Checks the keys that files declare, and that what they use has its key.

use std::collections::BTreeSet;

use super::{KEYS, Need, Status};
use crate::sema::context::Context;
use crate::sema::report::{File, Place, problem};
use brigade_diagnostics::span::Span;
use brigade_diagnostics::{Code, Diagnostic};
use brigade_syntax::ast::{Domain, Name, Problem};
use brigade_syntax::{REQUIREMENTS, suggest_requirement};

impl Context<'_> {
    /// Checks the keys of both files, and that what is used has its key.
    pub(in super::super) fn check_requirements(
        &mut self,
        domain: &Domain,
        problem: Option<&Problem>,
    ) {
        let mut declared = BTreeSet::new();
        self.check_keys(&domain.requirements, File::Domain, &mut declared);
        let of_domain = declared.clone();
        if let Some(problem) = problem {
            self.check_keys(&problem.requirements, File::Problem, &mut declared);
        }
        let needs: Vec<((File, Need), Place)> = self
            .needs
            .0
            .iter()
            .map(|(&key, &place)| (key, place))
            .collect();
        // A requirement that was reported as missing brings those that it implies.
        let reported = self
            .reporter
            .found(|one| one.code == Code::NeedsRequirement);
        let to_come: BTreeSet<&str> = reported
            .iter()
            .flat_map(keys_to_add)
            .filter_map(|key| {
                KEYS.iter()
                    .find(|(known, ..)| key.trim_start_matches(':') == *known)
            })
            .flat_map(|(_, _, implied)| implied.iter().copied())
            .collect();
        let mut of_pddl = Vec::new();
        for ((file, need), place) in needs {
            let key = need.key();
            let has = match file {
                File::Domain => of_domain.contains(key),
                File::Problem => declared.contains(key),
            };
            let noted_in_domain =
                file == File::Problem && self.needs.0.contains_key(&(File::Domain, need));
            if has || to_come.contains(key) || noted_in_domain || need.is_checked_by_reader(file) {
                continue;
            }
            if need.is_extension() {
                self.push(missing(need.key(), Code::NeedsRequirement, place));
            } else {
                of_pddl.push((file, (need.key(), place)));
            }
        }
        // Where a domain declares next to nothing, its problem says no more.
        for of_file in of_pddl.chunk_by(|(one, _), (other, _)| one == other) {
            let missing: Vec<(&str, Place)> = of_file.iter().map(|&(_, missing)| missing).collect();
            if self.push_missing(&missing) {
                break;
            }
        }
        self.join_missing();
    }

    /// Where several requirements of the language are missing, all that are missing in the domain are one
    /// report, which the reader has begun.
    fn join_missing(&mut self) {
        let source = self.place(File::Domain, Span::default()).source;
        let is_one = |diagnostic: &Diagnostic| {
            matches!(
                diagnostic.code,
                Code::NeedsRequirement | Code::MissingRequirement
            ) && diagnostic.place().is_some_and(|at| at.source == source)
        };
        let found = self.reporter.found(is_one);
        let extensions = found
            .iter()
            .filter(|one| one.code == Code::NeedsRequirement);
        if extensions.count() <= FEW {
            return;
        }
        let keys: BTreeSet<&str> = found.iter().flat_map(keys_to_add).collect();
        let keys: Vec<&str> = keys.into_iter().collect();
        let message = format!(
            "this domain needs {} requirements that it does not declare",
            keys.len()
        );
        let mut joined = Diagnostic::new(Code::NeedsRequirement, message);
        for (number, one) in found.iter().enumerate() {
            let Some(at) = one.place() else { continue };
            let label = format!("needs `{}`", keys_to_add(one).collect::<Vec<_>>().join(" "));
            joined = if number == 0 {
                joined.primary(at.source, at.span, label)
            } else {
                joined.secondary(at.source, at.span, label)
            };
        }
        let help = format!("add `{}` to `(:requirements …)`", keys.join(" "));
        self.reporter.withdraw_those(is_one);
        self.push(joined.help(help));
    }

    /// Warns of requirements of PDDL that are not declared, and returns true if there are several: that is one slip,
    /// and one warning.
    fn push_missing(&mut self, missing_keys: &[(&str, Place)]) -> bool {
        if missing_keys.len() <= FEW {
            for &(key, place) in missing_keys {
                self.push(missing(key, Code::MissingRequirement, place));
            }
            return false;
        }
        let keys: Vec<String> = missing_keys
            .iter()
            .map(|(key, _)| format!(":{key}"))
            .collect();
        let (_, first) = missing_keys[0];
        let message = format!(
            "this file needs {} requirements that it does not declare",
            keys.len()
        );
        let mut diagnostic = problem(
            Code::MissingRequirement,
            message,
            first,
            format!("needs `{}`", keys[0]),
        );
        for (key, (_, place)) in keys.iter().zip(missing_keys).skip(1) {
            let label = format!("needs `{key}`");
            diagnostic = diagnostic.secondary(place.source, place.span, label);
        }
        let help = format!("add `{}` to `(:requirements …)`", keys.join(" "));
        self.push(diagnostic.help(help));
        true
    }

    fn check_keys(&mut self, keys: &[Name], file: File, declared: &mut BTreeSet<&'static str>) {
        for name in keys {
            let key = name.key();
            let place = self.place(file, name.span);
            match KEYS.iter().find(|(known, ..)| *known == key) {
                Some((known, Status::Supported, implied)) => {
                    declared.insert(known);
                    declared.extend(*implied);
                }
                Some((known, Status::NotYet, _)) => self.push(
                    problem(
                        Code::NotSupported,
                        format!("`:{known}` is not supported yet"),
                        place,
                        "not supported",
                    )
                    .help("remove it if the file does not use it"),
                ),
                None => {
                    let known = self.reporter.candidates(REQUIREMENTS.iter().copied());
                    let help = match suggest_requirement(&key, known) {
                        Some(near) => {
                            // That it is missing would say the same.
                            let mut keys = KEYS.iter();
                            if let Some((key, _, implied)) = keys.find(|(key, ..)| *key == near) {
                                declared.insert(key);
                                declared.extend(*implied);
                            }
                            format!("did you mean `:{near}`?")
                        }
                        None => "it has no effect: remove it".to_owned(),
                    };
                    let message = format!("there is no requirement `:{}`", name.text);
                    let diagnostic = problem(Code::UnknownRequirement, message, place, "unknown");
                    self.push(diagnostic.help(help));
                }
            }
        }
    }
}

/// As many requirements as one forgets one by one.
const FEW: usize = 2;

/// The keys that a report of missing ones advises to add.
fn keys_to_add(missing: &Diagnostic) -> impl Iterator<Item = &str> {
    let advice = missing.help.first().map_or("", String::as_str);
    let quoted = advice.split('`').nth(1).unwrap_or_default();
    quoted.split_whitespace()
}

fn missing(key: &str, code: Code, place: Place) -> Diagnostic {
    problem(
        code,
        format!("this needs the requirement `:{key}`"),
        place,
        "the requirement is not declared",
    )
    .help(format!("add `:{key}` to `(:requirements …)`"))
}
