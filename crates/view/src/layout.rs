//! Where things are drawn: the `:layout` of a domain and a problem, by names as logs have them.

use std::collections::{BTreeMap, BTreeSet};

use crate::facts::Fact;

/// A layout.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// The agents, which hold what is drawn in their place.
    pub agents: Vec<String>,
    /// The background, row by row.
    pub rows: Vec<String>,
    /// Where places are.
    pub cells: Vec<Place>,
    /// The drawings.
    pub drawings: Vec<Drawing>,
    /// The facts of the problem that may draw something. Logs leave out those that never change.
    pub given: Vec<Fact>,
}

/// An object that has a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Its name.
    pub object: String,
    /// Its column and row, from 0 at the upper left.
    pub at: (u32, u32),
    /// The text that is shown in its cell.
    pub text: Option<String>,
}

/// A thing that is drawn where facts hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawing {
    /// The objects that each variable stands for; `None`: any word.
    pub variables: Vec<Option<BTreeSet<String>>>,
    /// The facts.
    pub facts: Vec<Pattern>,
    /// The thing.
    pub thing: Thing,
    /// Where, or how.
    pub at: Target,
}

/// A fact of variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// The predicate or function.
    pub name: String,
    /// The arguments and, if it is a function's, the value.
    pub words: Vec<Word>,
    /// True if the last word is the value of a function.
    pub has_value: bool,
}

/// A word, or a variable that stands for one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word {
    /// A variable, by its index.
    Variable(usize),
    /// A name or a text.
    Text(String),
}

/// A thing that is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Thing {
    /// An object.
    Object(Word),
    /// A text, in parts.
    Text(Vec<Word>),
}

/// Where a thing is drawn, or how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// In the cell of a place, which may itself be drawn somewhere.
    Place(Word),
    /// In the row of the first place and the column of the second.
    Crossing(Word, Word),
    /// Looking in the direction of that name.
    Direction(Word),
}

/// A thing that facts draw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Drawn<'a> {
    pub(crate) text: String,
    /// The object, if it is one.
    pub(crate) object: Option<&'a str>,
    /// The place or the direction.
    pub(crate) at: &'a str,
    /// The place in whose column it is, if not in that of `at`.
    pub(crate) column: Option<&'a str>,
}

/// Facts by name.
pub(crate) type Facts<'a> = BTreeMap<&'a str, Vec<&'a Fact>>;

/// The facts that are tried for one drawing in one state, at most. What would be drawn after them is not.
const MOST_TRIED: usize = 100_000;

impl Drawing {
    /// The drawings of some facts, in their order.
    pub(crate) fn drawn<'a>(&'a self, facts: &Facts<'a>) -> Vec<Drawn<'a>> {
        let mut join = Join {
            drawing: self,
            facts,
            left: MOST_TRIED,
            drawn: Vec::new(),
        };
        join.extend(&self.facts, &vec![None; self.variables.len()]);
        join.drawn
    }
}

/// Finds the facts that fit a drawing together.
struct Join<'a, 'f> {
    drawing: &'a Drawing,
    facts: &'f Facts<'a>,
    /// The number of facts that may still be tried.
    left: usize,
    drawn: Vec<Drawn<'a>>,
}

impl<'a> Join<'a, '_> {
    /// Adds what is drawn where the remaining patterns have facts too, with the variables that are bound.
    fn extend(&mut self, patterns: &'a [Pattern], bound: &[Option<&'a str>]) {
        let Some((pattern, others)) = patterns.split_first() else {
            self.drawn.extend(self.of(bound));
            return;
        };
        for fact in self.facts.get(&*pattern.name).into_iter().flatten() {
            let Some(left) = self.left.checked_sub(1) else {
                return;
            };
            self.left = left;
            let mut bound = bound.to_vec();
            if self.binds(pattern, fact, &mut bound) {
                self.extend(others, &bound);
            }
        }
    }

    /// Binds the variables of a pattern to the words of a fact, if they fit.
    fn binds(&self, pattern: &Pattern, fact: &'a Fact, bound: &mut [Option<&'a str>]) -> bool {
        let given = fact.words.get(1..).unwrap_or_default();
        let mut pairs = pattern.words.iter().zip(given);
        fact.has_value == pattern.has_value
            && given.len() == pattern.words.len()
            && pairs.all(|(word, given)| match word {
                Word::Text(text) => text == given,
                &Word::Variable(variable) => {
                    if let Some(other) = bound[variable] {
                        return other == given;
                    }
                    bound[variable] = Some(given);
                    let objects = self.drawing.variables[variable].as_ref();
                    objects.is_none_or(|objects| objects.contains(given))
                }
            })
    }

    fn of(&self, bound: &[Option<&'a str>]) -> Option<Drawn<'a>> {
        let word = |word: &'a Word| match word {
            Word::Text(text) => Some(text.as_str()),
            &Word::Variable(variable) => bound[variable],
        };
        let (text, object) = match &self.drawing.thing {
            Thing::Object(thing) => (word(thing)?.to_owned(), word(thing)),
            Thing::Text(parts) => {
                let parts: Option<Vec<&str>> = parts.iter().map(word).collect();
                (parts?.concat(), None)
            }
        };
        let (at, column) = match &self.drawing.at {
            Target::Place(at) | Target::Direction(at) => (at, None),
            Target::Crossing(row, column) => (row, Some(word(column)?)),
        };
        Some(Drawn {
            text,
            object,
            at: word(at)?,
            column,
        })
    }
}
