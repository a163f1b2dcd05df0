//! Text → the same text in the canonical layout, comments and empty lines kept.
//!
//! Works on the superset tree, before anything is known of its meaning: what is written in the text
//! is laid out, nothing is replaced, and what the language does not know is kept too. A text that
//! the [printer](super::printer) wrote stays as it is.

use bumpalo::Bump;

use super::balance::balance;
use super::foreign::translate;
use super::layout::{Comment, Doc, Layout, Noted, Writer};
use super::tree::{self, Forest, Node, Tree};
use brigade_diagnostics::span::Span;
use brigade_diagnostics::{Code, Diagnostic, Diagnostics, SourceId};

/// The reason why a text was not laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormatError {
    /// It cannot be read, as is reported.
    #[error("what cannot be read is not formatted")]
    Unreadable,
    /// Reading what was laid out does not give what was read: a bug.
    #[error("formatting would change what the file says; it is left as it is")]
    Changed,
}

/// The first word of nothing but dashes, and of more than one.
fn word_of_dashes(tree: &Tree<'_>) -> Option<Span> {
    match tree.node {
        Node::List(items) => items.iter().find_map(word_of_dashes),
        Node::Name(text) if text.len() > 1 && text.bytes().all(|byte| byte == b'-') => {
            Some(tree.span)
        }
        _ => None,
    }
}

/// Lays out a text of lists and words. Formatting the result again changes nothing.
///
/// # Errors
///
/// See [`FormatError`].
pub fn format(
    source: SourceId,
    text: &str,
    diagnostics: &mut Diagnostics,
) -> Result<String, FormatError> {
    let mut news = Diagnostics::new();
    let arena = Bump::new();
    let forest = read(&arena, source, text, &mut news);
    let has_errors = news.has_errors();
    news.sort();
    for diagnostic in &news {
        diagnostics.push(diagnostic.clone());
    }
    let forest = forest
        .filter(|_| !has_errors)
        .ok_or(FormatError::Unreadable)?;
    let formatted = lay_out(text, &forest);
    let mut of_formatted = Diagnostics::new();
    let again = read(&arena, source, &formatted, &mut of_formatted);
    if of_formatted.has_errors()
        && let Some(dashes) = forest.trees.iter().find_map(word_of_dashes)
    {
        // At the start of a line it would be taken for the mark of a comment.
        let message = "a word of dashes begins a comment in other languages";
        diagnostics.push(
            Diagnostic::new(Code::UnexpectedCharacter, message)
                .primary(source, dashes, "not a name")
                .help("a comment begins with `;`; a name has letters or digits"),
        );
        return Err(FormatError::Unreadable);
    }
    let is_same = again.is_some_and(|again| {
        let pairs = forest.trees.iter().zip(&again.trees);
        forest.trees.len() == again.trees.len()
            && pairs.clone().all(|(one, other)| is_same(one, other))
            && comments(text, &forest) == comments(&formatted, &again)
    });
    if is_same {
        Ok(formatted)
    } else {
        Err(FormatError::Changed)
    }
}

fn read<'s>(
    arena: &'s Bump,
    source: SourceId,
    text: &'s str,
    diagnostics: &mut Diagnostics,
) -> Option<Forest<'s>> {
    translate(source, text, diagnostics);
    balance(source, text, diagnostics)?;
    Some(tree::read(arena, source, text, 0, diagnostics))
}

/// Returns true if two trees say the same, wherever they stand.
fn is_same(one: &Tree<'_>, other: &Tree<'_>) -> bool {
    match (&one.node, &other.node) {
        (Node::List(one), Node::List(other)) => {
            let mut pairs = one.iter().zip(*other);
            one.len() == other.len() && pairs.all(|(one, other)| is_same(one, other))
        }
        (one, other) => one == other,
    }
}

/// The comments in any order: some are put before what they stand in.
fn comments<'t>(text: &'t str, forest: &Forest<'_>) -> Vec<&'t str> {
    let spans = forest.comments.iter();
    let mut comments: Vec<&str> = spans
        .map(|span| text[span.start as usize..span.end as usize].trim_end())
        .collect();
    comments.sort_unstable();
    comments
}

fn lay_out(text: &str, forest: &Forest<'_>) -> String {
    let mut reader = Reader {
        text,
        comments: &forest.comments,
    };
    let whole = Span::new(0, text.len() as u32);
    let (items, last) = reader.items(&forest.trees, whole, "");
    let mut writer = Writer::default();
    for (i, mut item) in items.into_iter().enumerate() {
        if i > 0 {
            item.set_apart(item.is_list);
            writer.start_line(0, item.starts_apart());
        }
        writer.write(&item.noted(), 0);
    }
    if let Some(first) = last.first() {
        if !forest.trees.is_empty() {
            writer.start_line(0, first.apart);
        }
        writer.write(&Doc::Comments(last), 0);
    }
    let text = writer.finish();
    if text.is_empty() { text } else { text + "\n" }
}

/// Reads trees in the order of the text, and the comments between them.
struct Reader<'t> {
    text: &'t str,
    /// Those that are still to come.
    comments: &'t [Span],
}

/// A tree with what stands around it.
struct Item<'s, 't> {
    tree: &'t Tree<'s>,
    is_list: bool,
    /// True if it begins on the line on which the one before it ends.
    goes_on: bool,
    apart: bool,
    before: Vec<Comment>,
    doc: Doc,
    behind: Vec<String>,
}

impl<'t> Reader<'t> {
    /// The items of a list whose head is `parent`, and the comments behind the last.
    fn items<'s>(
        &mut self,
        trees: &'t [Tree<'s>],
        within: Span,
        parent: &str,
    ) -> (Vec<Item<'s, 't>>, Vec<Comment>) {
        let mut items: Vec<Item<'s, 't>> = Vec::new();
        for (place, tree) in trees.iter().enumerate() {
            let end = items.last().map_or(within.start, |item| item.tree.span.end);
            let gap = self.gap(Span::new(end, tree.span.start), place > 0);
            if let Some(last) = items.last_mut() {
                last.behind = gap.behind;
            }
            let (inner, doc) = self.tree(tree, parent, place);
            items.push(Item {
                tree,
                is_list: tree.items().is_some(),
                goes_on: self.lines(end, tree.span.start) == 0,
                apart: gap.apart,
                before: gap.before.into_iter().chain(inner).collect(),
                doc,
                behind: Vec::new(),
            });
        }
        let end = items.last().map_or(within.start, |item| item.tree.span.end);
        let gap = self.gap(Span::new(end, within.end), !items.is_empty());
        if let Some(last) = items.last_mut() {
            last.behind = gap.behind;
        }
        (items, gap.before)
    }

    /// A tree at a place of a list; and the comments at its very start, which are put before it.
    fn tree(&mut self, tree: &'t Tree<'_>, parent: &str, place: usize) -> (Vec<Comment>, Doc) {
        let Some(trees) = tree.items() else {
            return (Vec::new(), Doc::word(self.of(tree.span)));
        };
        let head = head(trees);
        // What an `and` in a durative action joins says when it holds.
        let is_joined = head == "and" && parent == ":durative-action";
        let around = if is_joined { parent } else { &head };
        let (items, last) = self.items(trees, tree.span, around);
        let declares = is_declaration(parent, place)
            || matches!(&*head, ":types" | ":constants" | ":objects" | ":private")
            || matches!(
                trees.first().map(|tree| &tree.node),
                Some(Node::Variable(_))
            );
        let mut docs = rows(items, trees, &head, declares);
        let layout = layout(trees, docs.len(), &head, parent, place);
        let first = match docs.first_mut() {
            Some(Doc::Noted(noted)) => std::mem::take(&mut noted.before),
            _ => Vec::new(),
        };
        if !last.is_empty() {
            docs.push(Doc::Comments(last));
        }
        (first, Doc::list(docs, layout))
    }

    /// The comments of a gap between two trees.
    fn gap(&mut self, gap: Span, has_item_before: bool) -> Gap {
        let mut found = Gap::default();
        let mut end = gap.start;
        let mut column = None;
        while let Some((&comment, later)) = self.comments.split_first()
            && comment.start < gap.end
        {
            self.comments = later;
            let lines = self.lines(end, comment.start);
            let text = self.of(comment).trim_end().to_owned();
            let own_column = self.column(comment.start);
            let goes_on = found.before.is_empty() && lines == 1 && column == Some(own_column);
            if has_item_before && end == gap.start && lines == 0 || goes_on {
                found.behind.push(text);
                column = Some(own_column);
            } else {
                found.before.push(Comment {
                    apart: lines > 1 && end > 0,
                    text,
                });
            }
            end = comment.end;
        }
        found.apart = self.lines(end, gap.end) > 1 && (has_item_before || end > gap.start);
        found
    }

    fn of(&self, span: Span) -> &'t str {
        &self.text[span.start as usize..span.end as usize]
    }

    /// Returns the number of lines that end between two places.
    fn lines(&self, from: u32, to: u32) -> usize {
        let between = &self.text[from as usize..to as usize];
        between.matches('\n').count()
    }

    fn column(&self, at: u32) -> usize {
        let before = &self.text[..at as usize];
        before.len() - before.rfind('\n').map_or(0, |line| line + 1)
    }
}

/// The comments and empty lines between two trees.
#[derive(Default)]
struct Gap {
    /// Behind the first of them.
    behind: Vec<String>,
    /// On lines before the second.
    before: Vec<Comment>,
    /// True if there is an empty line right before the second.
    apart: bool,
}

impl Item<'_, '_> {
    /// Returns true if an empty line stands before it and its comments.
    fn starts_apart(&self) -> bool {
        let first = self.before.first();
        first.map_or(self.apart, |comment| comment.apart)
    }

    /// Puts an empty line before it and its comments, if it is to have one.
    fn set_apart(&mut self, apart: bool) {
        let first = self.before.first_mut();
        *first.map_or(&mut self.apart, |comment| &mut comment.apart) |= apart;
    }

    /// The item as a doc of its own.
    fn noted(self) -> Doc {
        if self.before.is_empty() && self.behind.is_empty() && !self.apart {
            return self.doc;
        }
        Doc::Noted(Box::new(Noted {
            apart: self.apart,
            before: self.before,
            doc: self.doc,
            behind: self.behind,
        }))
    }
}

/// The word that a list begins with, in lower case, a keyword with its colon; empty if there is none.
fn head(trees: &[Tree<'_>]) -> String {
    match trees.first().map(|tree| &tree.node) {
        Some(Node::Name(name)) => name.to_ascii_lowercase(),
        Some(Node::Keyword(keyword)) => format!(":{}", keyword.to_ascii_lowercase()),
        _ => String::new(),
    }
}

/// The items of a list, where those that belong together are one.
fn rows(items: Vec<Item<'_, '_>>, trees: &[Tree<'_>], head: &str, declares: bool) -> Vec<Doc> {
    let groups = if matches!(head, ":init" | ":facts" | ":layout") {
        let lines = items.chunk_by(|_, next| next.goes_on);
        let mut lines: Vec<(usize, Group)> = lines.map(|line| (line.len(), Group::Line)).collect();
        // The keyword stands alone.
        lines[0].0 -= 1;
        lines.insert(0, (1, Group::Single));
        lines.retain(|(count, _)| *count > 0);
        lines
    } else {
        groups(trees, head, declares)
    };
    let mut items = items.into_iter();
    let rows = groups.into_iter().map(|(count, kind)| {
        let mut group: Vec<Item<'_, '_>> = items.by_ref().take(count).collect();
        if head == "define"
            && let Some(first) = group.first_mut()
            && is_definition(first.tree)
        {
            first.set_apart(true);
        }
        row(group, kind)
    });
    rows.collect()
}

/// The kind of items that belong together in a list.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Group {
    Single,
    /// Names, `-`, and their type.
    Typed,
    /// A keyword with what it stands before.
    Field,
    /// Facts that stand on one line, or names without a type.
    Line,
}

/// Returns the groups of items that belong together, with their sizes, from the first item on; in a list that declares
/// names, also those without a type.
fn groups(trees: &[Tree<'_>], head: &str, declares: bool) -> Vec<(usize, Group)> {
    let has_fields = head != ":requirements";
    let is_keyword = |tree: &Tree<'_>| has_fields && matches!(tree.node, Node::Keyword(_));
    let is_word =
        |tree: &&Tree<'_>| tree.items().is_none() && !tree.is_name("-") && !is_keyword(tree);
    let mut groups = Vec::new();
    let mut rest = trees;
    while let Some((first, others)) = rest.split_first() {
        let words = rest.iter().take_while(is_word).count();
        let before_type = if first.items().is_some() { 1 } else { words };
        let is_typed = rest.get(before_type).is_some_and(|tree| tree.is_name("-"));
        let is_head = groups.is_empty() && !matches!(first.node, Node::Variable(_));
        let group = if is_head && !others.is_empty() {
            (1, Group::Single)
        } else if is_keyword(first) {
            // Before the body of a delayed effect stands one value.
            let most = if matches!(head, "after" | "for-each") {
                1
            } else {
                usize::MAX
            };
            let values = others.iter().take_while(|tree| !is_keyword(tree));
            (1 + values.take(most).count(), Group::Field)
        } else if is_typed && before_type > 0 && before_type + 1 < rest.len() {
            (before_type + 2, Group::Typed)
        } else if declares && words > 1 {
            (words, Group::Line)
        } else {
            (1, Group::Single)
        };
        groups.push(group);
        rest = &rest[group.0..];
    }
    groups
}

/// Items that belong together. Comments between them are put before the first.
fn row(group: Vec<Item<'_, '_>>, kind: Group) -> Doc {
    let mut items = group.into_iter();
    let Some(first) = items.next() else {
        return Doc::Comments(Vec::new());
    };
    let Item {
        tree,
        is_list,
        goes_on,
        apart,
        mut before,
        doc,
        mut behind,
    } = first;
    let mut docs = vec![doc];
    for item in items {
        let moved = behind.drain(..).map(|text| Comment { apart: false, text });
        before.extend(moved);
        before.extend(item.before);
        behind = item.behind;
        docs.push(item.doc);
    }
    let doc = match kind {
        Group::Typed => {
            let ty = Doc::row(docs.split_off(docs.len() - 2), Layout::Inline);
            docs.push(ty.unbroken());
            Doc::row(
                docs,
                if is_list {
                    Layout::Inline
                } else {
                    Layout::Fill
                },
            )
        }
        Group::Field => Doc::row(docs, Layout::Inline),
        Group::Line => Doc::row(docs, Layout::Fill),
        Group::Single => docs.remove(0),
    };
    let item = Item {
        tree,
        is_list,
        goes_on,
        apart,
        before,
        doc,
        behind,
    };
    item.noted()
}

/// Returns true if it is an action or an event: these have an empty line before them.
fn is_definition(tree: &Tree<'_>) -> bool {
    let first = tree.items().and_then(<[Tree<'_>]>::first);
    first.is_some_and(|first| {
        ["action", "durative-action", "option", "event"]
            .iter()
            .any(|key| first.is_keyword(key))
    })
}

/// Returns true if a list says when something holds or happens: `(at start (…))`, `(at 5 (…))`.
fn is_timed(trees: &[Tree<'_>], parent: &str) -> bool {
    const POINTS: [&str; 3] = ["start", "end", "all"];
    let (point, what) = match trees {
        [_, point, marks @ .., what] if marks.iter().all(is_mark) => (point, what),
        _ => return false,
    };
    let is_point = if matches!(point.node, Node::Number(_)) {
        matches!(parent, ":init" | ":facts")
    } else {
        parent == ":durative-action" && POINTS.iter().any(|name| point.is_name(name))
    };
    is_point && what.items().is_some()
}

/// Returns whether it marks a timed literal.
fn is_mark(tree: &Tree<'_>) -> bool {
    tree.is_keyword("early") || tree.is_keyword("unannounced")
}

/// Returns true if a list at a place of a list with the head `parent` declares a fluent.
fn is_declaration(parent: &str, place: usize) -> bool {
    matches!(
        parent,
        ":predicates" | ":functions" | ":transient" | ":private"
    ) || parent == ":derived" && place == 1
}

fn is_variable(tree: Option<&Tree<'_>>) -> bool {
    tree.is_some_and(|tree| matches!(tree.node, Node::Variable(_)))
}

/// Returns the layout of a list of so many rows that stands at a place of a list with the head `parent`.
fn layout(trees: &[Tree<'_>], rows: usize, head: &str, parent: &str, place: usize) -> Layout {
    if head != ":private" && is_declaration(parent, place) {
        let fields = trees
            .iter()
            .position(|tree| matches!(tree.node, Node::Keyword(_)));
        return match fields {
            Some(first) => Layout::Body(groups(&trees[..first], head, true).len()),
            None => Layout::Fill,
        };
    }
    if parent == "case" {
        return Layout::Body(1);
    }
    match trees.first().map(|tree| &tree.node) {
        None | Some(Node::Number(_) | Node::Text(_) | Node::Junk) => Layout::Inline,
        Some(Node::List(_)) => Layout::Align,
        Some(Node::Variable(_)) => {
            let is_binding = trees.len() == 2 && trees[1].items().is_some();
            if is_binding {
                Layout::Inline
            } else {
                Layout::Fill
            }
        }
        Some(Node::Keyword(_)) => match head {
            ":requirements" | ":semantics" | ":tick" => Layout::Fill,
            ":domain" | ":turns" | ":wait" | ":live-effects" | ":horizon" => Layout::Inline,
            ":types" | ":constants" | ":objects" | ":predicates" | ":functions" | ":transient"
            | ":facts" | ":init" | ":layout" => Layout::section(rows - 1),
            ":action" | ":durative-action" | ":option" | ":event" => Layout::Lines(2),
            ":derived" | ":metric" => Layout::Body(2),
            ":private" if is_variable(trees.get(1)) => Layout::Body(2),
            _ => Layout::Body(1),
        },
        Some(Node::Name(_)) => match head {
            "define" => Layout::Lines(2),
            "forall" | "exists" | "when" | "else" | "on-nth" | "count" | "argmin" | "argmax"
            | "let" => Layout::Body(2),
            "for-each" | "after" => Layout::Body(rows.saturating_sub(1).max(2)),
            "case" => Layout::Body(1),
            "maintain" => Layout::Body(3),
            "rows" if parent == ":layout" => Layout::Column,
            "at" | "over" if is_timed(trees, parent) => Layout::Inline,
            _ => Layout::Align,
        },
    }
}
