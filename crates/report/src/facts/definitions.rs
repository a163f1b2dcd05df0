//! Renders the definitions of a file in its canonical layout: so a change of meaning shows wherever it stands, and one
//! of layout or comments nowhere.

use serde::Serialize;
use sha2::{Digest, Sha256};

use brigade_syntax::ast::{Domain, Problem};
use brigade_syntax::printer::{domain_definitions, problem_definitions};

/// Digits of a digest: with 48 bits nobody meets two texts of one digest by accident.
const DIGITS: usize = 12;

/// One definition: a section, or of actions, events and derived predicates one of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Definition {
    /// Its kind and name: `action cook`, `goal`.
    pub name: String,
    /// As `brigade fmt` would lay it out, without comments.
    pub text: String,
}

impl Definition {
    /// A short digest of its text, wherever its lines are broken.
    pub fn digest(&self) -> String {
        let lines: Vec<&str> = self.text.lines().map(str::trim_start).collect();
        let digest = Sha256::digest(lines.join(" "));
        let digits: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        digits[..DIGITS].to_owned()
    }
}

/// Returns the definitions of a domain, in the order in which they are laid out; without those that its facts show in
/// full.
pub(super) fn of_domain(domain: &Domain) -> Vec<Definition> {
    let all = domain_definitions(domain).into_iter();
    let shown = ["semantics", "types", "constants"];
    all.filter(|(name, _)| !shown.contains(&name.as_str()))
        .map(|(name, text)| Definition { name, text })
        .collect()
}

/// The definitions of a problem.
pub fn of_problem(problem: &Problem) -> Vec<Definition> {
    let all = problem_definitions(problem).into_iter();
    all.map(|(name, text)| Definition { name, text }).collect()
}
