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
    /// An item with its comments.
    Noted(Box<Noted>),
    /// Comments that no item follows.
    Comments(Vec<Comment>),
}

/// The comments around an item, which a reader is to find there again.
#[derive(Debug)]
pub(super) struct Noted {
    /// True if an empty line stands before it, and behind the comments before it.
    pub(super) apart: bool,
    /// The comments on the lines before it.
    pub(super) before: Vec<Comment>,
    pub(super) doc: Doc,
    /// The comment behind it, in one line or several.
    pub(super) behind: Vec<String>,
}

/// A comment on a line of its own.
#[derive(Clone, Debug)]
pub(super) struct Comment {
    /// True if an empty line stands before it.
    pub(super) apart: bool,
    pub(super) text: String,
}

/// The layout of a list that does not fit on its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// Never broken between its items, only within them.
    Inline,
    /// As many items on a line as fit.
    Fill,
    /// The items under each other, to the right of the head if that is a word.
    Align,
    /// As `Align`, even if they would fit on one line.
    Column,
    /// That many items on the first line, the others under each other, indented.
    Body(usize),
    /// As `Body`, even if it would fit on one line.
    Lines(usize),
}

impl Layout {
    /// The layout of a section that lists so many things behind its keyword: one under the other, a
    /// single one beside it if it fits.
    pub(super) const fn section(things: usize) -> Self {
        match things {
            0 | 1 => Self::Body(1),
            _ => Self::Lines(1),
        }
    }
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
            Self::Noted(noted) => noted.doc.flat(),
            Self::Comments(_) => String::new(),
        }
    }

    /// The doc without what stands around it.
    fn bare(&self) -> &Self {
        match self {
            Self::Noted(noted) => noted.doc.bare(),
            other => other,
        }
    }

    /// Returns two flags, true if it begins a line wherever it stands, and if with an empty one before.
    fn start(&self) -> (bool, bool) {
        match self {
            Self::Noted(noted) => match noted.before.first() {
                Some(first) => (true, first.apart),
                None => (false, noted.apart),
            },
            Self::Comments(comments) => (true, comments.first().is_some_and(|first| first.apart)),
            Self::Row(items, ..) => items.first().map_or((false, false), Self::start),
            Self::Word(_) | Self::List(..) => (false, false),
        }
    }

    /// The doc as one word, unless there are comments in it.
    pub(super) fn unbroken(self) -> Self {
        if self.width() < ENDLESS {
            Self::Word(self.flat())
        } else {
            self
        }
    }

    /// Returns the width of the item on one line.
    fn width(&self) -> usize {
        match self {
            Self::Word(text) => text.chars().count(),
            Self::List(_, _, width) | Self::Row(_, _, width) => *width,
            Self::Noted(noted) if noted.before.is_empty() && noted.behind.is_empty() => {
                noted.doc.width()
            }
            Self::Noted(_) | Self::Comments(_) => ENDLESS,
        }
    }
}

fn flat_items(items: &[Doc]) -> String {
    let items: Vec<String> = items.iter().map(Doc::flat).collect();
    items.join(" ")
}

fn flat_width(items: &[Doc], layout: Layout, around: usize) -> usize {
    let is_broken = match layout {
        Layout::Lines(first) => items.len() > first,
        Layout::Column => items.len() > 2,
        _ => false,
    };
    if is_broken {
        return ENDLESS;
    }
    let gaps = items.len().saturating_sub(1);
    let widths = items.iter().map(Doc::width);
    widths
        .fold(gaps + around, usize::saturating_add)
        .min(ENDLESS)
}

/// Writes docs, keeping track of the column.
#[derive(Default)]
pub(super) struct Writer {
    text: String,
    column: usize,
    /// True if a comment stands last on the line, so that nothing can follow there.
    is_full: bool,
    /// The byte offsets at which the comments behind items begin.
    behind: Vec<usize>,
}

impl Writer {
    /// The text; comments on lines that follow each other are put under each other.
    pub(super) fn finish(self) -> String {
        if self.behind.is_empty() {
            return self.text;
        }
        let mut behind = self.behind.into_iter().peekable();
        let mut start = 0;
        let mut lines: Vec<(&str, Option<&str>)> = Vec::new();
        for line in self.text.split('\n') {
            let end = start + line.len();
            let note = behind.next_if(|at| (start..=end).contains(at));
            lines.push(match note {
                Some(at) => (&line[..at - start], Some(&line[at - start..])),
                None => (line, None),
            });
            start = end + 1;
        }
        let mut aligned: Vec<String> = Vec::new();
        for run in lines.chunk_by(|one, next| one.1.is_some() == next.1.is_some()) {
            let width = |code: &str| code.chars().count();
            let column = run.iter().map(|(code, _)| width(code)).max().unwrap_or(0) + 2;
            aligned.extend(run.iter().map(|(code, note)| match note {
                Some(note) => format!("{code}{}{note}", " ".repeat(column - width(code))),
                None => (*code).to_owned(),
            }));
        }
        aligned.join("\n")
    }

    pub(super) fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.column += text.chars().count();
    }

    pub(super) fn new_line(&mut self, indent: usize) {
        self.text.push('\n');
        self.text.extend(std::iter::repeat_n(' ', indent));
        self.column = indent;
        self.is_full = false;
    }

    /// Begins a line, if need be with an empty one before it.
    pub(super) fn start_line(&mut self, indent: usize, apart: bool) {
        if apart {
            self.text.push('\n');
        }
        self.new_line(indent);
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
                if self.is_full {
                    self.new_line(start);
                }
                self.push(")");
            }
            Doc::Row(items, layout, _) => {
                let start = self.column;
                self.items(items, *layout, fits, start, after);
            }
            Doc::Noted(noted) => self.noted(noted, after),
            Doc::Comments(comments) => {
                let indent = self.column;
                for (i, comment) in comments.iter().enumerate() {
                    if i > 0 {
                        self.start_line(indent, comment.apart);
                    }
                    self.push(&comment.text);
                    self.is_full = true;
                }
            }
        }
    }

    /// Writes an item with its comments, on a line that was begun for it.
    fn noted(&mut self, noted: &Noted, after: usize) {
        let indent = self.column;
        for (i, comment) in noted.before.iter().enumerate() {
            self.push(&comment.text);
            let next = noted.before.get(i + 1);
            self.start_line(indent, next.map_or(noted.apart, |next| next.apart));
        }
        let after = if noted.behind.is_empty() { after } else { 0 };
        self.write(&noted.doc, after);
        for (i, line) in noted.behind.iter().enumerate() {
            if i > 0 || self.is_full {
                self.new_line(0);
            }
            self.behind.push(self.text.len());
            self.push(line);
            self.is_full = true;
        }
    }

    /// Writes the items of a list or row that starts at column `start`.
    fn items(&mut self, items: &[Doc], layout: Layout, fits: bool, start: usize, after: usize) {
        let inner = self.column;
        let mut under = match layout {
            Layout::Body(_) | Layout::Lines(_) => start + 2,
            Layout::Inline | Layout::Fill | Layout::Align | Layout::Column => inner,
        };
        let is_list = inner > start;
        let is_word = |item: &Doc| matches!(item.bare(), Doc::Word(_));
        let headed = is_list && items.first().is_some_and(is_word);
        let after_head = headed && matches!(layout, Layout::Align | Layout::Column | Layout::Fill);
        for (i, item) in items.iter().enumerate() {
            let after = if i + 1 == items.len() { after } else { 0 };
            let (begins, apart) = item.start();
            let breaks = i > 0
                && !fits
                && match layout {
                    Layout::Inline => false,
                    Layout::Fill => self.column + 1 + item.width() + after > LINE_WIDTH,
                    Layout::Align | Layout::Column => i > 1 || !is_word(&items[0]),
                    Layout::Body(first) | Layout::Lines(first) => i >= first,
                };
            if breaks || i > 0 && begins || self.is_full {
                self.start_line(under, apart);
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
