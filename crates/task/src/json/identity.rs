//! Fingerprints of compiled tasks: hashes of their JSON.

use super::{Document, JsonMeaning, JsonPhase, document};
use crate::Task;

/// The start of each fingerprint. It names the schema of the JSON: another schema, another hash.
const FORM: &str = "schema2:fnv1a64:";

/// The fingerprint of a compiled task: the 64-bit FNV-1a hash of its JSON, after the schema of that.
pub fn fingerprint(task: &Task) -> String {
    hash(&document(task))
}

/// Returns true if a fingerprint was made of a task's JSON of schema 1: it cannot be compared with one of schema 2.
pub fn is_of_schema_1(fingerprint: &str) -> bool {
    fingerprint.starts_with("fnv1a64:")
}

/// The fingerprint of a compiled task as far as its plans go: the hash of its JSON without what no
/// plan depends on: the names of domain, problem, semantics, variables, values, delayed effects and
/// parts of the tick, objects and predicates, descriptions and reasons in words, and the longest wait.
/// Plans name agents, operators and labels, so these names count; so do totals, which stand in
/// effects.
pub fn planning_fingerprint(task: &Task) -> String {
    let mut document = document(task);
    document.forget_words();
    hash(&document)
}

impl Document {
    /// Leaves out what no plan depends on.
    fn forget_words(&mut self) {
        for name in [&mut self.domain, &mut self.problem, &mut self.semantics] {
            name.clear();
        }
        self.objects.clear();
        self.predicates.clear();
        self.schemas.clear();
        self.longest_wait = None;
        for agent in &mut self.agents {
            agent.object = None;
        }
        for variable in &mut self.variables {
            variable.name.clear();
            variable.of = None;
            for value in &mut variable.values {
                value.name.clear();
                value.meaning = JsonMeaning::Nothing;
            }
        }
        for operator in &mut self.operators {
            operator.action = None;
            operator.text.clear();
            operator.requirements.clear();
        }
        for phase in &mut self.tick {
            if let JsonPhase::Effect { name, .. } = phase {
                name.clear();
            }
        }
        for timer in &mut self.timers {
            timer.name.clear();
        }
    }
}

fn hash(document: &Document) -> String {
    let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
    let written = serde_json::to_writer(&mut hash, document);
    debug_assert!(written.is_ok(), "hashing cannot fail");
    format!("{FORM}{:016x}", hash.0)
}

/// The FNV-1a hash of what is written.
struct Fnv(u64);

impl std::io::Write for Fnv {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
