//! Labels as symbols: numbered in the order of their texts, and equal where only spaces differ.

use brigade_search::dag::PlanDag;
use brigade_task::LabelId;

/// A letter of a word: a label by its rank among the labels' texts, counted from 1.
pub type Symbol = u32;

/// Ends a word; smaller than every label, so that a prefix comes before its extensions.
pub const END: Symbol = 0;

/// A label of a history that no reference has: it matches nothing.
pub const OTHER: Symbol = Symbol::MAX;

/// The labels that occur in some optimal plan.
#[derive(Clone, Debug, Default)]
pub struct Alphabet {
    /// Texts without spaces, ascending: what labels are compared by.
    keys: Vec<String>,
    /// The texts as they are shown, in the order of `keys`.
    texts: Vec<String>,
    /// The symbol of each label id; [`END`] where the label does not occur.
    symbols: Vec<Symbol>,
}

/// A label's text without spaces. Annotations space their labels unevenly.
pub fn key(label: &str) -> String {
    label.chars().filter(|c| !c.is_whitespace()).collect()
}

impl Alphabet {
    /// The labels that the DAG's edges record. `labels` holds the text of every label id.
    pub fn of(dag: &PlanDag, labels: &[String]) -> Self {
        let occurring = dag.labels();
        let mut entries: Vec<(String, LabelId)> = occurring
            .iter()
            .map(|&label| (key(&labels[label.index()]), label))
            .collect();
        entries.sort_unstable();
        let mut alphabet = Self {
            symbols: vec![END; labels.len()],
            ..Self::default()
        };
        for (key, label) in entries {
            if alphabet.keys.last() != Some(&key) {
                alphabet.keys.push(key);
                alphabet.texts.push(labels[label.index()].clone());
            }
            alphabet.symbols[label.index()] = alphabet.keys.len() as Symbol;
        }
        alphabet
    }

    /// The symbol of a label that occurs.
    pub fn symbol(&self, label: LabelId) -> Symbol {
        self.symbols[label.index()]
    }

    /// The symbol of a label by its text, whatever its spaces; `None` where no optimal plan
    /// records it.
    pub fn find(&self, text: &str) -> Option<Symbol> {
        let rank = self.keys.binary_search(&key(text)).ok()?;
        Some(rank as Symbol + 1)
    }

    /// The text of a symbol; empty for [`END`].
    pub fn text(&self, symbol: Symbol) -> &str {
        (symbol as usize)
            .checked_sub(1)
            .and_then(|rank| self.texts.get(rank))
            .map_or("", String::as_str)
    }

    /// The number of labels.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Returns true if no label occurs at all.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }
}
