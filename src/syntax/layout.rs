//! Line breaking for lists: a list stands on one line if it fits, otherwise its layout says how
//! it is broken.

/// Lines are broken to stay within this many characters where they can.
const LINE_WIDTH: usize = 100;

/// A text to be laid out.
#[derive(Debug)]
pub(super) enum Doc {
    /// A word, never broken.
    Word(String),
    /// `(item …)`.
    List(Vec<Doc>, Layout, usize),
    /// `item …`, without parentheses.
    Row(Vec<Doc>, Layout, usize),
}

/// How a list is broken that does not fit on its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// Never broken between its items, only within them.
    Inline,
    /// As many items on a line as fit.
    Fill,
    /// The items under each other, to the right of the head if that is a word.
    Align,
    /// That many items on the first line, the others under each other, indented.
    Body(usize),
    /// As `Body`, even if it would fit on one line.
    Lines(usize),
}

/// The width of what is always broken: wider than any line.
const ENDLESS: usize = usize::MAX / 2;

impl Doc {
    pub(super) fn word(text: impl Into<String>) -> Self {
        Self::Word(text.into())
    }

    pub(super) fn list(items: Vec<Doc>, layout: Layout) -> Self {
        let width = flat_width(&items, layout, 2);
        Self::List(items, layout, width)
    }

    pub(super) fn row(items: Vec<Doc>, layout: Layout) -> Self {
        let width = flat_width(&items, layout, 0);
        Self::Row(items, layout, width)
    }

    /// The doc on one line, whatever its layout.
    pub(super) fn flat(&self) -> String {
        match self {
            Self::Word(text) => text.clone(),
            Self::List(items, ..) => format!("({})", flat_items(items)),
            Self::Row(items, ..) => flat_items(items),
        }
    }

    /// How long it is on one line.
    fn width(&self) -> usize {
        match self {
            Self::Word(text) => text.chars().count(),
            Self::List(_, _, width) | Self::Row(_, _, width) => *width,
        }
    }
}

fn flat_items(items: &[Doc]) -> String {
    let items: Vec<String> = items.iter().map(Doc::flat).collect();
    items.join(" ")
}

fn flat_width(items: &[Doc], layout: Layout, around: usize) -> usize {
    if matches!(layout, Layout::Lines(first) if items.len() > first) {
        return ENDLESS;
    }
    let gaps = items.len().saturating_sub(1);
    let widths = items.iter().map(Doc::width);
    widths
        .sum::<usize>()
        .saturating_add(gaps + around)
        .min(ENDLESS)
}

/// Writes docs, keeping track of the column.
#[derive(Default)]
pub(super) struct Writer {
    text: String,
    column: usize,
}

impl Writer {
    pub(super) fn finish(self) -> String {
        self.text
    }

    pub(super) fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.column += text.chars().count();
    }

    pub(super) fn new_line(&mut self, indent: usize) {
        self.text.push('\n');
        self.text.extend(std::iter::repeat_n(' ', indent));
        self.column = indent;
    }

    /// Writes a doc that `after` more characters follow on its last line.
    pub(super) fn write(&mut self, doc: &Doc, after: usize) {
        let fits = self.column + doc.width() + after <= LINE_WIDTH;
        match doc {
            Doc::Word(text) => self.push(text),
            Doc::List(items, layout, _) => {
                let start = self.column;
                self.push("(");
                self.items(items, *layout, fits, start, after + 1);
                self.push(")");
            }
            Doc::Row(items, layout, _) => {
                let start = self.column;
                self.items(items, *layout, fits, start, after);
            }
        }
    }

    /// Writes the items of a list or row that starts at column `start`.
    fn items(&mut self, items: &[Doc], layout: Layout, fits: bool, start: usize, after: usize) {
        let inner = self.column;
        let mut under = match layout {
            Layout::Body(_) | Layout::Lines(_) => start + 2,
            Layout::Inline | Layout::Fill | Layout::Align => inner,
        };
        let is_list = inner > start;
        let headed = is_list && matches!(items.first(), Some(Doc::Word(_)));
        let after_head = headed && matches!(layout, Layout::Align | Layout::Fill);
        for (i, item) in items.iter().enumerate() {
            let after = if i + 1 == items.len() { after } else { 0 };
            let breaks = i > 0
                && !fits
                && match layout {
                    Layout::Inline => false,
                    Layout::Fill => self.column + 1 + item.width() + after > LINE_WIDTH,
                    Layout::Align => i > 1 || !matches!(items[0], Doc::Word(_)),
                    Layout::Body(first) | Layout::Lines(first) => i >= first,
                };
            if breaks {
                self.new_line(under);
            } else if i > 0 {
                self.push(" ");
                if i == 1 && after_head {
                    under = self.column;
                }
            }
            self.write(item, after);
        }
    }
}
