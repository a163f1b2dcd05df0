//! `(:layout …)`: where things are drawn.

use std::ops::RangeInclusive;

use super::super::ast::{Cell, Drawing, Drawn, LayoutItem, Template, TemplatePart};
use super::super::tree::{Node, Tree};
use super::context::Context;
use brigade_diagnostics::{Code, suggest};

/// The items of a layout, with their shapes.
const SHAPES: [(&str, &str); 4] = [
    ("rows", "(rows \"…\" \"…\")"),
    ("cell", "(cell place column row \"text\")"),
    ("draw", "(draw (?x - type) thing place :when fact)"),
    ("face", "(face (?x - type) thing direction :when fact)"),
];

impl Context<'_> {
    /// Reads the items of a layout; what cannot be read is left out.
    pub(super) fn layout(&mut self, items: &[Tree<'_>]) -> Vec<LayoutItem> {
        let mut layout = Vec::with_capacity(items.len());
        layout.extend(items.iter().filter_map(|item| self.layout_item(item)));
        layout
    }

    fn layout_item(&mut self, tree: &Tree<'_>) -> Option<LayoutItem> {
        let (head, args) = tree.items().and_then(<[_]>::split_first).unzip();
        let shape = head.and_then(|head| SHAPES.iter().find(|(word, _)| head.is_name(word)));
        let (Some((word, shape)), Some(args)) = (shape, args) else {
            self.unknown_layout_item(tree, head);
            return None;
        };
        match *word {
            "rows" => {
                let rows = args.iter().map(|row| self.plain_text(row, "a row"));
                let rows: Vec<Option<Template>> = rows.collect();
                let rows: Option<Vec<Template>> = rows.into_iter().collect();
                Some(LayoutItem::Rows(rows?, tree.span))
            }
            "cell" => self.cell(tree, args, shape).map(LayoutItem::Cell),
            "draw" => self.drawing(tree, args, 2..=3, shape).map(LayoutItem::Draw),
            _ => self.drawing(tree, args, 2..=2, shape).map(LayoutItem::Face),
        }
    }

    fn unknown_layout_item(&mut self, tree: &Tree<'_>, head: Option<&Tree<'_>>) {
        let word = head.and_then(Tree::name).unwrap_or_default();
        let words = SHAPES.map(|(word, _)| word);
        let help = if let Some(near) = suggest(word, words) {
            format!("did you mean `{near}`?")
        } else {
            let shapes = SHAPES.map(|(_, shape)| format!("`{shape}`"));
            format!("its items are {}", shapes.join(", "))
        };
        let found = head.filter(|head| head.name().is_some()).unwrap_or(tree);
        let what = "an item of a layout";
        self.unexpected_help(Code::MalformedConstruct, found, what, &help);
    }

    fn cell(&mut self, tree: &Tree<'_>, args: &[Tree<'_>], shape: &str) -> Option<Cell> {
        if !self.arity(tree, 3..=4, shape) {
            return None;
        }
        let place = self.name(&args[0], "the object that is there");
        let column = self.integer(&args[1], "the column of a cell");
        let row = self.integer(&args[2], "the row of a cell");
        let text = match args.get(3) {
            Some(text) => Some(self.plain_text(text, "the text of a cell")?),
            None => None,
        };
        Some(Cell {
            place: place?,
            column: column?,
            row: row?,
            text,
            span: tree.span,
        })
    }

    fn drawing(
        &mut self,
        tree: &Tree<'_>,
        args: &[Tree<'_>],
        parts: RangeInclusive<usize>,
        shape: &str,
    ) -> Option<Drawing> {
        let is_of_variables = |tree: &Tree<'_>| {
            let first = tree.items().map(<[_]>::first);
            first.is_some_and(|first| {
                first.is_none_or(|first| matches!(first.node, Node::Variable(_)))
            })
        };
        let (variables, args) = match args.split_first() {
            Some((first, args)) if is_of_variables(first) => (self.variables(first), args),
            _ => (Vec::new(), args),
        };
        let (args, fact) = match args {
            [args @ .., when, fact] if when.is_keyword("when") => (args, Some(self.formula(fact))),
            args => (args, None),
        };
        if !self.has_parts(tree, args.len(), parts, shape) {
            return None;
        }
        let thing = match args[0].node {
            Node::Text(_) => self.template(&args[0], "a text").map(Drawn::Text),
            _ => self.term(&args[0]).map(Drawn::Object),
        };
        let at = self.term(&args[1]);
        let column = match args.get(2) {
            Some(column) => Some(self.term(column)?),
            None => None,
        };
        Some(Drawing {
            variables,
            thing: thing?,
            at: at?,
            column,
            fact,
            span: tree.span,
        })
    }

    /// Reads a text without slots.
    fn plain_text(&mut self, tree: &Tree<'_>, what: &str) -> Option<Template> {
        let text = self.template(tree, what)?;
        let is_plain = |part: &TemplatePart| matches!(part, TemplatePart::Text(_));
        if text.parts.iter().all(is_plain) {
            return Some(text);
        }
        let message = format!("{what} has no slots");
        let diagnostic = self.at(Code::MalformedTemplate, tree.span, message, "");
        self.push(diagnostic.help("write `{{` for a brace"));
        None
    }
}
