//! What identifies a compiled task: hashes of its JSON.

use super::{Document, JsonPhase, document};
use crate::PackedTask;

/// What identifies a compiled task: the 64-bit FNV-1a hash of its JSON.
pub fn fingerprint(task: &PackedTask) -> String {
    hash(&document(task))
}

/// What identifies a compiled task as far as its plans go: the hash of its JSON without what no
/// plan depends on: the names of domain, problem, semantics, variables, values, delayed effects and
/// parts of the tick, descriptions and reasons in words, the longest wait, and how a state is
/// packed. Plans name agents, operators and labels, so these names count; so do totals, which stand in
/// effects.
pub fn planning_fingerprint(task: &PackedTask) -> String {
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
        self.words = 0;
        self.longest_wait = None;
        for variable in &mut self.variables {
            variable.name.clear();
            variable.values.iter_mut().for_each(String::clear);
            (variable.word, variable.shift, variable.bits) = (0, 0, 0);
        }
        for operator in &mut self.operators {
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
    format!("fnv1a64:{:016x}", hash.0)
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
