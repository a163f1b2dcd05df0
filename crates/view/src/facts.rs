//! Facts as logs write them: `(on egg table)`, `(= (in pot) egg)`.

/// A fact, taken apart.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fact {
    /// The name, the arguments and, if it is a function's, the value.
    pub words: Vec<String>,
    /// True if the last word is the value of a function.
    pub has_value: bool,
}

impl Fact {
    /// Reads a fact.
    pub fn read(text: &str) -> Self {
        let words = text
            .split(['(', ')', ' '])
            .filter(|word| !word.is_empty())
            .map(str::to_owned);
        let mut words: Vec<String> = words.collect();
        let has_value = words.first().is_some_and(|word| word == "=");
        if has_value {
            words.remove(0);
        }
        Self { words, has_value }
    }

    /// The name of its predicate or function.
    pub fn name(&self) -> &str {
        self.words.first().map_or("", String::as_str)
    }
}
