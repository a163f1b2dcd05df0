//! Diagnostics as text, the way rustc draws them.

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{
    Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet, normalize_untrusted_str,
};

use super::{Diagnostic, Diagnostics, Label, Severity, Source, SourceId, Sources};

/// With or without ANSI colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Colour {
    /// Text only.
    #[default]
    Plain,
    /// With ANSI escapes.
    Ansi,
}

/// The width of a report where nobody sets it, such as in a pipe.
pub const DEFAULT_WIDTH: usize = 140;

/// Narrower than this nothing can be read; what is wider wraps.
const LEAST_WIDTH: usize = 40;

/// Lines further apart than this are shown in frames of their own.
const FRAME_LINES: usize = 200;

/// More of a source than this is never handed to the renderer at once; a longer frame is cropped
/// to the surroundings of its label.
const FRAME_BYTES: usize = 16 << 10;

/// The number of bytes that are kept on either side of a label in a cropped frame.
const CROP_CONTEXT: usize = 120;

/// Renders one diagnostic. It ends without a line break.
pub fn render(diagnostic: &Diagnostic, sources: &Sources, colour: Colour) -> String {
    render_within(diagnostic, sources, colour, DEFAULT_WIDTH)
}

/// The same for a terminal of that many columns: longer lines of a source are cut around their labels,
/// and help is wrapped.
fn render_within(
    diagnostic: &Diagnostic,
    sources: &Sources,
    colour: Colour,
    width: usize,
) -> String {
    let width = width.clamp(LEAST_WIDTH, DEFAULT_WIDTH);
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level
        .primary_title(diagnostic.message.as_str())
        .id(diagnostic.code.as_str());
    let mut group = Group::with_title(title);
    for frame in frames(diagnostic, sources) {
        if let Some(origin) = frame.origin() {
            group = group.element(origin);
        }
        group = group.element(frame.snippet());
    }
    for help in &diagnostic.help {
        let help = normalize_untrusted_str(help);
        group = group.element(Level::HELP.message(wrapped(&help, width)));
    }
    let renderer = match colour {
        Colour::Plain => Renderer::plain(),
        Colour::Ansi => Renderer::styled(),
    };
    renderer
        .term_width(width)
        .decor_style(DecorStyle::Ascii)
        .render(&[group])
}

/// Breaks a text at blanks so that its lines fit beside `= help: `.
fn wrapped(text: &str, width: usize) -> String {
    /// The widest that stands before a help: the number of a line, ` = help: `.
    const BEFORE: usize = 14;
    if width >= DEFAULT_WIDTH {
        return text.to_owned();
    }
    let mut lines = String::new();
    let mut column = 0;
    for word in text.split(' ') {
        let length = word.chars().count();
        if column > 0 && BEFORE + column + 1 + length > width {
            lines.push('\n');
            column = 0;
        } else if column > 0 {
            lines.push(' ');
            column += 1;
        }
        lines.push_str(word);
        column += length;
    }
    lines
}

/// Renders all diagnostics in their order, a blank line after each, and says how many were left
/// out.
pub fn render_all(diagnostics: &Diagnostics, sources: &Sources, colour: Colour) -> String {
    render_all_within(diagnostics, sources, colour, DEFAULT_WIDTH)
}

/// The same for a terminal of that many columns.
pub fn render_all_within(
    diagnostics: &Diagnostics,
    sources: &Sources,
    colour: Colour,
    width: usize,
) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics {
        out.push_str(render_within(diagnostic, sources, colour, width).trim_end());
        out.push_str("\n\n");
    }
    if diagnostics.omitted() > 0 {
        let omitted = diagnostics.omitted();
        out.push_str("… and ");
        out.push_str(&omitted.to_string());
        out.push_str(" more not shown\n\n");
    }
    out
}

/// A stretch of a source with the labels that lie in it.
struct Frame<'a> {
    source: &'a Source,
    labels: Vec<&'a Label>,
    /// The bytes shown.
    start: usize,
    end: usize,
    /// Does `start` lie within a line?
    cropped: bool,
}

/// The frames of a diagnostic: that of the first primary label, then the others in order.
fn frames<'a>(diagnostic: &'a Diagnostic, sources: &'a Sources) -> Vec<Frame<'a>> {
    let mut labels: Vec<&Label> = diagnostic.labels.iter().collect();
    labels.sort_by_key(|label| (label.source, label.span));
    let mut frames: Vec<Frame<'a>> = Vec::new();
    let mut last: Option<(SourceId, usize)> = None;
    for label in labels {
        let Some(source) = sources.get(label.source) else {
            continue;
        };
        let (start, end, line) = whole_lines(source, label);
        let near = last.is_some_and(|(id, previous)| {
            id == label.source && line <= previous.saturating_add(FRAME_LINES)
        });
        match frames.last_mut() {
            Some(frame) if near && end.max(frame.end) - frame.start <= FRAME_BYTES => {
                frame.labels.push(label);
                frame.end = frame.end.max(end);
            }
            _ => frames.push(Frame::new(source, label, start, end)),
        }
        last = Some((label.source, line));
    }
    let first = frames
        .iter()
        .position(|frame| frame.labels.iter().any(|label| label.primary));
    if let Some(first) = first {
        frames[..=first].rotate_right(1);
    }
    frames
}

/// The bytes of the lines that a label touches, and the last of those lines.
fn whole_lines(source: &Source, label: &Label) -> (usize, usize, usize) {
    let lines = source.lines();
    let length = source.text.len();
    let start = lines.start(lines.line(label.span.start)) as usize;
    let last_byte = label.span.end.max(label.span.start + 1) - 1;
    let last = lines.line(last_byte);
    let end = (lines.start(last + 1) as usize).min(length);
    (start.min(length), end, last)
}

impl<'a> Frame<'a> {
    fn new(source: &'a Source, label: &'a Label, start: usize, end: usize) -> Self {
        let mut frame = Self {
            source,
            labels: vec![label],
            start,
            end,
            cropped: false,
        };
        if end - start > FRAME_BYTES {
            let text = &source.text;
            let first = label.span.start as usize;
            let last = (label.span.end as usize).min(first + CROP_CONTEXT);
            frame.start = text.floor_char_boundary(first.saturating_sub(CROP_CONTEXT).max(start));
            frame.end = text.ceil_char_boundary((last + CROP_CONTEXT).min(end));
            frame.cropped = frame.start > start;
        }
        frame
    }

    /// Returns the origin of a cropped frame, which cannot show its own columns.
    fn origin(&self) -> Option<Origin<'a>> {
        let label = self.labels.first().filter(|_| self.cropped)?;
        let position = self.source.position(label.span.start);
        Some(
            Origin::path(self.source.name.as_str())
                .line(position.line as usize)
                .char_column(position.column as usize),
        )
    }

    fn snippet(&self) -> Snippet<'a, Annotation<'a>> {
        let line = self.source.lines().line(self.start as u32);
        let snippet = Snippet::source(&self.source.text[self.start..self.end])
            .line_start(line + 1)
            .annotations(self.labels.iter().map(|label| self.annotation(label)));
        if self.cropped {
            snippet
        } else {
            snippet.path(self.source.name.as_str())
        }
    }

    fn annotation(&self, label: &'a Label) -> Annotation<'a> {
        let text = &self.source.text;
        let clamp = |offset: u32| (offset as usize).clamp(self.start, self.end);
        let start = text.floor_char_boundary(clamp(label.span.start)) - self.start;
        let end = text.ceil_char_boundary(clamp(label.span.end)) - self.start;
        let kind = if label.primary {
            AnnotationKind::Primary
        } else {
            AnnotationKind::Context
        };
        let annotation = kind.span(start..end.max(start));
        if label.text.is_empty() {
            annotation
        } else {
            annotation.label(normalize_untrusted_str(&label.text))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Code;
    use crate::span::Span;

    #[test]
    fn a_diagnostic_shows_its_source_and_its_help() {
        let mut sources = Sources::new();
        let id = sources.add("a.pddl", "(define\n\t(domain é)\n  (:typos a))\n");
        let diagnostic = Diagnostic::new(Code::UnknownSection, "no such section")
            .primary(id, Span::new(24, 30), "not a section")
            .secondary(id, Span::new(9, 20), "of this domain")
            .help("did you mean `:types`?");
        let text = render(&diagnostic, &sources, Colour::Plain);
        let expected = "\
error[E0010]: no such section
 --> a.pddl:3:4
  |
2 |     (domain é)
  |     ---------- of this domain
3 |   (:typos a))
  |    ^^^^^^ not a section
  |
  = help: did you mean `:types`?";
        assert_eq!(text, expected);
        assert!(render(&diagnostic, &sources, Colour::Ansi).contains("\u{1b}["));
    }

    #[test]
    fn a_very_long_line_is_cropped_around_its_label() {
        let mut sources = Sources::new();
        let mut line = "(".repeat(1_000_000);
        line.push('x');
        let id = sources.add("a.pddl", line);
        let diagnostic = Diagnostic::new(Code::UnclosedParenthesis, "never closed").primary(
            id,
            Span::new(999_999, 1_000_000),
            "here",
        );
        let text = render(&diagnostic, &sources, Colour::Plain);
        assert!(text.len() < 2000, "{}", text.len());
        assert!(text.contains("a.pddl:1:1000000"), "{text}");
    }

    #[test]
    fn labels_at_the_end_of_the_text_and_in_an_empty_text_are_drawn() {
        let mut sources = Sources::new();
        let empty = sources.add("empty.pddl", "");
        let full = sources.add("full.pddl", "(a");
        for (id, span) in [
            (empty, Span::new(0, 0)),
            (full, Span::new(2, 2)),
            (full, Span::new(7, 9)),
        ] {
            let diagnostic = Diagnostic::new(Code::NotADefinition, "m").primary(id, span, "here");
            assert!(render(&diagnostic, &sources, Colour::Plain).contains("here"));
        }
    }
}
