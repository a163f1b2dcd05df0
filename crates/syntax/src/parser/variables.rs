//! Lists of variables and names with slips: a type without its dash, a variable without its question mark, a list in a
//! list. Each is reported once for a whole list, and read as it is meant.

use super::super::ast::{Name, TypeExpr, Typed};
use super::super::tree::{Node, Tree};
use super::context::Context;
use super::entry::Entry;
use brigade_diagnostics::span::Span;
use brigade_diagnostics::{Code, Diagnostics};

/// Variables without parentheses around them, and what follows them; of what is well formed, the first
/// item and the rest.
pub(super) fn split_variables<'t, 's>(args: &'t [Tree<'s>]) -> (&'t [Tree<'s>], &'t [Tree<'s>]) {
    let is_bare = args
        .first()
        .is_some_and(|first| matches!(first.node, Node::Variable(_)));
    let is_list = |arg: &Tree<'_>| arg.items().is_some();
    let at = if is_bare {
        args.iter().rposition(is_list).unwrap_or(args.len())
    } else {
        args.len().min(1)
    };
    args.split_at(at)
}

/// The slips of one list.
#[derive(Default)]
pub(super) struct Slips {
    /// Names that stand for variables, or the other way round.
    unmarked: Vec<Span>,
    /// The report on the first of them.
    of_unmarked: Option<(Code, String, String)>,
    /// Types without their dash.
    undashed: Vec<Span>,
    /// The replacement for the first of them.
    of_undashed: String,
}

impl Context<'_> {
    /// The variables of a quantifier, which may lack their parentheses.
    pub(super) fn variables_of(&mut self, list: &[Tree<'_>]) -> Vec<Typed> {
        match list {
            [one] if one.items().is_some() => self.variables(one),
            [first, .., last] => {
                let message = "the variables stand without parentheses";
                let span = first.span.to(last.span);
                let diagnostic = self.at(Code::MalformedTypedList, span, message, "");
                let help = "write them in parentheses: `(?x - type)`";
                self.push(diagnostic.help(help).mended());
                self.typed_list(list, Entry::Variable)
            }
            _ => list
                .first()
                .map_or_else(Vec::new, |one| self.variables(one)),
        }
    }

    /// Notes a name among variables, or a variable among names, and reads it as what it stands for.
    pub(super) fn unmarked(slips: &mut Slips, item: &Tree<'_>, text: &str, entry: Entry) -> Name {
        if slips.unmarked.is_empty() {
            let found = item.describe();
            slips.of_unmarked = Some(match entry {
                Entry::Variable => (
                    Code::ExpectedVariable,
                    format!("expected a variable, found {found}"),
                    format!("a variable is written `?{text}`, a type `- {text}`"),
                ),
                Entry::Name => (
                    Code::ExpectedName,
                    format!("expected a name, found {found}"),
                    format!("write `{text}`"),
                ),
            });
        }
        slips.unmarked.push(item.span);
        Name {
            text: text.into(),
            span: item.span,
        }
    }

    /// Returns true if a name in a list of variables is that of a type, its dash left out.
    pub(super) fn is_type(&self, item: &Tree<'_>, entry: Entry) -> bool {
        let is_declared = |name: &str| self.vocabulary.types.contains(&name.to_ascii_lowercase());
        entry == Entry::Variable && item.name().is_some_and(is_declared)
    }

    /// Reads a type without its dash, after the variable `of` or before it.
    pub(super) fn undashed(
        slips: &mut Slips,
        item: &Tree<'_>,
        of: Option<&Name>,
    ) -> Option<TypeExpr> {
        let name = item.name()?;
        // A colon in place of the dash is reported already.
        let is_reported = of.is_some_and(|of| of.span.range().len() > of.text.len() + 1);
        if !is_reported {
            if slips.undashed.is_empty() {
                let of = of.map_or("x", |of| of.text.as_str());
                slips.of_undashed = format!("write `?{of} - {name}`");
            }
            slips.undashed.push(item.span);
        }
        Some(TypeExpr::Named(Name {
            text: name.into(),
            span: item.span,
        }))
    }

    /// Reports the slips of a list.
    pub(super) fn report_slips(&mut self, slips: Slips) {
        if let Some((code, message, help)) = slips.of_unmarked {
            let label = match code {
                Code::ExpectedName => "expected a name",
                _ => "expected a variable",
            };
            self.report_places(code, &slips.unmarked, (&message, label), &help);
            // That nothing uses them is no news.
            for &place in slips.unmarked.iter().take(Diagnostics::DEFAULT_LIMIT) {
                self.diagnostics.doubt(self.source, place);
            }
        }
        let message = "a type stands after its variables and a dash";
        let code = Code::MalformedTypedList;
        let said = (message, "no dash before it");
        self.report_places(code, &slips.undashed, said, &slips.of_undashed);
    }

    pub(super) fn report_places(
        &mut self,
        code: Code,
        places: &[Span],
        (message, label): (&str, &str),
        help: &str,
    ) {
        const SHOWN: usize = 4;
        let Some((&first, more)) = places.split_first() else {
            return;
        };
        if self.diagnostics.is_full() {
            return self.diagnostics.count(code, self.source, first);
        }
        let mut diagnostic = self.at(code, first, message, label);
        for &place in more.iter().take(SHOWN) {
            diagnostic = diagnostic.secondary(self.source, place, "also here");
        }
        self.push(diagnostic.help(help).mended());
    }
}
