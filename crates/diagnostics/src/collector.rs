//! The list that every stage pushes its diagnostics into.

use std::collections::BTreeMap;

use super::code::Code;
use super::diagnostic::{Diagnostic, Label};
use super::severity::Severity;
use super::source::{SourceId, Sources};
use crate::span::Span;
use crate::words::{counted, presentable};

/// In how many places one mistake is shown.
pub const SHOWN_PLACES: usize = 4;

/// Diagnostics of one run, bounded in number.
#[derive(Clone, Debug)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    limit: usize,
    omitted: usize,
    errors: usize,
    /// The stretches in which a repair makes what is read a guess: their ends by their starts; they do not meet.
    doubtful: BTreeMap<(SourceId, u32), u32>,
}

impl Default for Diagnostics {
    fn default() -> Self {
        Self {
            list: Vec::new(),
            limit: Self::DEFAULT_LIMIT,
            omitted: 0,
            errors: 0,
            doubtful: BTreeMap::new(),
        }
    }
}

impl Diagnostics {
    /// The number of diagnostics that are kept unless another limit is set: more than anyone reads, and few enough that
    /// a hostile file costs little.
    pub const DEFAULT_LIMIT: usize = 1000;

    /// An empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// Drops what is pushed from now on of a place where a repair, which was reported, makes what is
    /// read a guess. Past the limit nothing is noted: what is pushed then is only counted.
    pub fn doubt(&mut self, source: SourceId, span: Span) {
        if self.is_full() {
            return;
        }
        let (mut start, mut end) = (span.start, span.end);
        while let Some((from, until)) = self.doubtful_before(source, end)
            && until >= start
        {
            self.doubtful.remove(&(source, from));
            (start, end) = (start.min(from), end.max(until));
        }
        self.doubtful.insert((source, start), end);
    }

    /// The last doubtful stretch that starts no later than here.
    fn doubtful_before(&self, source: SourceId, at: u32) -> Option<(u32, u32)> {
        let mut before = self.doubtful.range((source, 0)..=(source, at));
        let (&(_, start), &end) = before.next_back()?;
        Some((start, end))
    }

    fn is_doubtful(&self, source: SourceId, at: u32) -> bool {
        self.doubtful_before(source, at)
            .is_some_and(|(_, end)| at < end)
    }

    /// Adds a diagnostic; past the limit it is only counted. One without help gets the general
    /// advice of its code.
    pub fn push(&mut self, mut diagnostic: Diagnostic) {
        let place = diagnostic.place();
        if place.is_some_and(|label| self.is_doubtful(label.source, label.span.start)) {
            return;
        }
        if diagnostic.severity == Severity::Error {
            self.errors += 1;
        }
        if self.list.len() < self.limit {
            if diagnostic.help.is_empty() {
                diagnostic.help.push(diagnostic.code.advice().to_owned());
            }
            diagnostic.message = presentable(&diagnostic.message);
            let labels = diagnostic.labels.iter_mut().map(|label| &mut label.text);
            for text in labels.chain(&mut diagnostic.help) {
                *text = presentable(text);
            }
            self.list.push(diagnostic);
        } else {
            self.omitted += 1;
        }
    }

    /// Counts a diagnostic of this place, as [`push`](Self::push) does past the limit. It is for those that
    /// would be kept no longer.
    pub fn count(&mut self, code: Code, source: SourceId, span: Span) {
        debug_assert!(self.is_full(), "what is kept says something");
        if self.is_doubtful(source, span.start) {
            return;
        }
        if code.severity() == Severity::Error {
            self.errors += 1;
        }
        self.omitted += 1;
    }

    /// Returns true if a further diagnostic is only counted: its text need not be worked out then.
    pub fn is_full(&self) -> bool {
        self.list.len() >= self.limit
    }

    /// Was any error pushed?
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// Returns the number of errors that were pushed, also those past the limit.
    pub fn error_count(&self) -> usize {
        self.errors
    }

    /// Returns the number of diagnostics that were dropped because of the limit.
    pub fn omitted(&self) -> usize {
        self.omitted
    }

    /// Returns the number of diagnostics that are kept.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Was nothing pushed?
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The diagnostics, in the order pushed, or sorted after [`Diagnostics::sort`].
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.list.iter()
    }

    /// Keeps those for which `keep` is true.
    pub fn retain(&mut self, mut keep: impl FnMut(&Diagnostic) -> bool) {
        let errors = &mut self.errors;
        self.list.retain(|diagnostic| {
            let kept = keep(diagnostic);
            if !kept && diagnostic.severity == Severity::Error {
                *errors = errors.saturating_sub(1);
            }
            kept
        });
    }

    /// Takes back what was said of places within a stretch, which something else now explains.
    pub fn withdraw(&mut self, code: Code, source: SourceId, span: Span) {
        if self.is_full() {
            // So many are not looked through again and again.
            return;
        }
        self.retain(|diagnostic| {
            let is_within = diagnostic.place().is_some_and(|label| {
                label.source == source
                    && span.start <= label.span.start
                    && label.span.end <= span.end
            });
            diagnostic.code != code || !is_within
        });
    }

    /// Notes of what was said of places within a stretch that no declaration is lost by it.
    pub fn mend(&mut self, source: SourceId, span: Span, is_one: impl Fn(&Diagnostic) -> bool) {
        for diagnostic in &mut self.list {
            let is_within = diagnostic.place().is_some_and(|label| {
                label.source == source
                    && span.start <= label.span.start
                    && label.span.end <= span.end
            });
            if is_within && is_one(diagnostic) {
                diagnostic.mended = true;
            }
        }
    }

    /// Moves places to the files in which they stand, where those of files were joined.
    pub fn part(&mut self, sources: &Sources) {
        for label in self.list.iter_mut().flat_map(|it| &mut it.labels) {
            (label.source, label.span) = sources.real(label.source, label.span);
        }
    }

    /// Sorts by source, position, code and message, and drops repetitions: diagnostics with the same code and message
    /// at the same place. Reports on several places in the same words may be one mistake, such as a name that is
    /// unknown: the first report then shows the next places.
    pub fn sort(&mut self) {
        fn key(diagnostic: &Diagnostic) -> impl Ord + '_ {
            let place = diagnostic.place().or(diagnostic.labels.first());
            (
                place.map(|label| (label.source, label.span)),
                diagnostic.code,
                &diagnostic.message,
            )
        }
        self.list.sort_by(|a, b| key(a).cmp(&key(b)));
        self.list.dedup_by(|a, b| key(a) == key(b));
        self.merge_places();
        if self.omitted == 0 {
            let errors = self.list.iter().filter(|d| d.severity == Severity::Error);
            self.errors = errors.count();
        }
    }
}

impl Diagnostics {
    /// Makes one report of those that say the same of several places.
    fn merge_places(&mut self) {
        /// The identity of a report: its code, its message and the label of the place itself.
        type Said = (Code, String, String);
        let mut first: BTreeMap<Said, (usize, usize)> = BTreeMap::new();
        let mut merged: Vec<Diagnostic> = Vec::with_capacity(self.list.len());
        for diagnostic in self.list.drain(..) {
            if !diagnostic.code.is_one_mistake() {
                merged.push(diagnostic);
                continue;
            }
            let of_place = diagnostic.place().map(|label| label.text.clone());
            let message = diagnostic.message.clone();
            let key: Said = (diagnostic.code, message, of_place.unwrap_or_default());
            let (at, places) = first.entry(key).or_insert((merged.len(), 0));
            *places += 1;
            if *places == 1 {
                merged.push(diagnostic);
            } else if *places <= SHOWN_PLACES {
                let again = diagnostic.labels.into_iter().find(|label| label.primary);
                merged[*at].labels.extend(again.map(|label| Label {
                    primary: false,
                    text: "also here".to_owned(),
                    ..label
                }));
            }
        }
        for (at, places) in first.into_values() {
            if let Some(more) = places.checked_sub(SHOWN_PLACES).filter(|more| *more > 0) {
                let help = format!("it stands in {} too", counted(more, "more place"));
                merged[at].help.push(help);
            }
        }
        self.list = merged;
    }
}

impl<'a> IntoIterator for &'a Diagnostics {
    type Item = &'a Diagnostic;
    type IntoIter = std::slice::Iter<'a, Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl Extend<Diagnostic> for Diagnostics {
    fn extend<T: IntoIterator<Item = Diagnostic>>(&mut self, iter: T) {
        for diagnostic in iter {
            self.push(diagnostic);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SourceId;
    use crate::span::Span;

    fn at(start: u32, message: &str) -> Diagnostic {
        Diagnostic::new(Code::ExpectedName, message).primary(
            SourceId::default(),
            Span::new(start, start + 1),
            "",
        )
    }

    #[test]
    fn sorting_orders_by_place_and_drops_repetitions() {
        let mut diagnostics = Diagnostics::new();
        diagnostics.extend([at(5, "b"), at(1, "z"), at(5, "a"), at(5, "b")]);
        diagnostics.sort();
        let messages: Vec<_> = diagnostics.iter().map(|d| d.message.as_str()).collect();
        assert_eq!(messages, ["z", "a", "b"]);
        assert_eq!(diagnostics.error_count(), 3);
    }

    #[test]
    fn an_unknown_name_is_one_mistake_wherever_it_stands() {
        let unknown = |start, name: &str| Diagnostic {
            code: Code::UnknownPredicate,
            ..at(start, name)
        };
        let mut diagnostics = Diagnostics::new();
        diagnostics.extend((0..6).map(|i| unknown(10 * i, "no `wet`")));
        diagnostics.push(unknown(5, "no `dry`"));
        diagnostics.sort();
        let found: Vec<_> = diagnostics
            .iter()
            .map(|d| (d.message.as_str(), d.labels.len()))
            .collect();
        assert_eq!(found, [("no `wet`", 4), ("no `dry`", 1)]);
        assert_eq!(diagnostics.error_count(), 2);
        let help = &diagnostics.iter().next().unwrap().help;
        assert_eq!(help[1], "it stands in 2 more places too");
    }

    #[test]
    fn past_the_limit_errors_are_still_counted() {
        let mut diagnostics = Diagnostics::new();
        diagnostics.extend((0..1500).map(|i| at(i, "x")));
        assert_eq!(diagnostics.len(), 1000);
        assert_eq!(diagnostics.omitted(), 500);
        assert_eq!(diagnostics.error_count(), 1500);
    }
}
