//! The texts that diagnostics point into.

use super::span::Span;

/// The index of one of the [`Sources`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceId(u32);

impl SourceId {
    /// Its position among the sources, from 0.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A named text.
#[derive(Clone, Debug)]
pub struct Source {
    /// The name shown to the user, usually a path as they gave it.
    pub name: String,
    /// The text.
    pub text: String,
    lines: LineIndex,
}

impl Source {
    /// The line and column of an offset.
    pub fn position(&self, offset: u32) -> LineColumn {
        self.lines.position(&self.text, offset)
    }

    /// Returns the starts of the lines of the text.
    pub fn lines(&self) -> &LineIndex {
        &self.lines
    }

    /// The text of a span; empty where the span lies outside the text.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or_default()
    }
}

/// All texts of one run.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<Source>,
    joints: Vec<Joint>,
}

/// A joint where the places of a file continue in another.
#[derive(Clone, Copy, Debug)]
struct Joint {
    whole: SourceId,
    /// The first place that is one of the part.
    at: u32,
    part: SourceId,
}

impl Sources {
    /// No texts yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a text.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> SourceId {
        let text = text.into();
        let id = SourceId(self.files.len() as u32);
        self.files.push(Source {
            name: name.into(),
            lines: LineIndex::new(&text),
            text,
        });
        id
    }

    /// The source with that id. Ids come from [`Sources::add`] of the same collection.
    pub fn get(&self, id: SourceId) -> Option<&Source> {
        self.files.get(id.index())
    }

    /// The text of a source; empty for an id of another collection.
    pub fn text(&self, id: SourceId) -> &str {
        self.get(id).map_or("", |source| source.text.as_str())
    }

    /// Lets the places of a file continue, behind its own, in another. Gives where those of the other begin; `None` if
    /// there are too many for their type.
    pub fn join(&mut self, whole: SourceId, part: SourceId) -> Option<u32> {
        let end = |source: SourceId, at: u32| {
            let length = u32::try_from(self.text(source).len()).ok()?;
            at.checked_add(length)?.checked_add(1)
        };
        let last = self.joints.iter().rev().find(|joint| joint.whole == whole);
        let at = match last {
            Some(joint) => end(joint.part, joint.at)?,
            None => end(whole, 0)?,
        };
        end(part, at)?;
        self.joints.push(Joint { whole, at, part });
        Some(at)
    }

    /// A place in the file in which it stands, where those of files were joined.
    pub fn real(&self, source: SourceId, span: Span) -> (SourceId, Span) {
        let mut joints = self.joints.iter().rev();
        match joints.find(|joint| joint.whole == source && joint.at <= span.start) {
            Some(Joint { at, part, .. }) => (
                *part,
                Span::new(span.start - at, span.end.saturating_sub(*at)),
            ),
            None => (source, span),
        }
    }

    /// Every source, in the order added.
    pub fn iter(&self) -> impl Iterator<Item = (SourceId, &Source)> {
        (0..).map(SourceId).zip(&self.files)
    }
}

/// A position for people: both numbers count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
pub struct LineColumn {
    /// The line.
    pub line: u32,
    /// The column, in characters.
    pub column: u32,
}

/// So many bytes of a text are looked at to find a column.
const STRETCH: usize = 1 << 12;

/// The offsets at which the lines of a text begin.
#[derive(Clone, Debug, Default)]
pub struct LineIndex {
    starts: Vec<u32>,
    /// The characters before each [`STRETCH`] of bytes: a line may be as long as the text.
    characters: Vec<u32>,
}

impl LineIndex {
    /// Finds the lines of a text; they end with `\n`.
    pub fn new(text: &str) -> Self {
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let starts = std::iter::once(0).chain(ends.map(|(at, _)| at as u32 + 1));
        let stretches = text.as_bytes().chunks(STRETCH).scan(0, |before, stretch| {
            let characters = *before;
            *before += characters_in(stretch);
            Some(characters)
        });
        Self {
            starts: starts.collect(),
            characters: stretches.collect(),
        }
    }

    /// The line that holds an offset, from 0.
    pub fn line(&self, offset: u32) -> usize {
        self.starts
            .partition_point(|start| *start <= offset)
            .saturating_sub(1)
    }

    /// The first byte of a line (from 0); lines past the end begin at `u32::MAX`.
    pub fn start(&self, line: usize) -> u32 {
        self.starts.get(line).copied().unwrap_or(u32::MAX)
    }

    /// Line and column of an offset into the text that this index was made of.
    pub fn position(&self, text: &str, offset: u32) -> LineColumn {
        let line = self.line(offset);
        let start = self.start(line) as usize;
        let before = if text.is_char_boundary(offset as usize) {
            self.before(text, offset as usize) - self.before(text, start)
        } else {
            0
        };
        LineColumn {
            line: line as u32 + 1,
            column: before + 1,
        }
    }

    /// The characters before an offset in the text.
    fn before(&self, text: &str, offset: usize) -> u32 {
        let stretch = offset / STRETCH;
        let Some(before) = self.characters.get(stretch) else {
            // The end of a text that is some stretches long.
            return self.all(text);
        };
        before + characters_in(&text.as_bytes()[stretch * STRETCH..offset])
    }

    fn all(&self, text: &str) -> u32 {
        let last = self.characters.len().saturating_sub(1);
        let before = self.characters.last().copied().unwrap_or(0);
        before + characters_in(&text.as_bytes()[last * STRETCH..])
    }
}

/// Returns the number of characters that begin in some bytes of a text.
fn characters_in(bytes: &[u8]) -> u32 {
    let begins = |byte: &&u8| !(0x80..0xc0).contains(*byte);
    bytes.iter().filter(begins).count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_a_line_of_many_stretches_count_characters() {
        let text = "é(ä) ".repeat(STRETCH);
        let lines = LineIndex::new(&text);
        for (column, (offset, _)) in text.char_indices().enumerate().step_by(97) {
            let position = lines.position(&text, offset as u32);
            assert_eq!((position.line, position.column), (1, column as u32 + 1));
        }
        let end = lines.position(&text, text.len() as u32);
        assert_eq!(end.column as usize, text.chars().count() + 1);
        let whole = "a".repeat(2 * STRETCH);
        let end = LineIndex::new(&whole).position(&whole, whole.len() as u32);
        assert_eq!(end.column as usize, whole.len() + 1);
    }

    #[test]
    fn columns_count_characters_and_lines_count_from_one() {
        let mut sources = Sources::new();
        let id = sources.add("a.pddl", "ab\nçd\r\n\nx");
        let source = sources.get(id).unwrap();
        let at = |offset| {
            let position = source.position(offset);
            (position.line, position.column)
        };
        assert_eq!(at(0), (1, 1));
        assert_eq!(at(2), (1, 3));
        assert_eq!(at(3), (2, 1));
        assert_eq!(at(5), (2, 2));
        assert_eq!(at(8), (3, 1));
        assert_eq!(at(9), (4, 1));
        assert_eq!(at(10), (4, 2));
    }
}
