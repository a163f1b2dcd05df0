//! Finds texts that name a variable as a slot does, but without braces: agents would read it as it is written.

use brigade_diagnostics::span::Span;
use brigade_diagnostics::{Code, Diagnostic, Diagnostics, SourceId};
use brigade_syntax::ast::{Domain, Name, Template, TemplatePart, Term, Typed};
use brigade_syntax::visit::{self, Visit};

/// The most question marks of one text that are examined.
const LOOKED_AT: usize = 20;

/// Reports the texts of a domain.
pub(super) fn of_domain(domain: &Domain, source: SourceId, diagnostics: &mut Diagnostics) {
    let mut slots = Slots::default();
    slots.visit_domain(domain);
    for (name, text) in slots.found {
        diagnostics.push(
            Diagnostic::new(
                Code::UnmarkedSlot,
                format!("`?{name}` in a text stands for itself, not for the object"),
            )
            .primary(source, text, format!("says `?{name}`"))
            .help(format!("write `{{?{name}}}`, with braces")),
        );
    }
}

#[derive(Default)]
struct Slots<'a> {
    /// The variables that a text may name.
    visible: Vec<&'a Name>,
    /// One for each text, and the text.
    found: Vec<(String, Span)>,
}

impl<'a> Slots<'a> {
    fn within(&mut self, names: impl Iterator<Item = &'a Name>, inside: impl FnOnce(&mut Self)) {
        let outer = self.visible.len();
        self.visible.extend(names);
        inside(self);
        self.visible.truncate(outer);
    }
}

impl<'a> Visit<'a> for Slots<'a> {
    fn visit_scope(&mut self, variables: &'a [Typed], _: Span, inside: impl FnOnce(&mut Self)) {
        self.within(variables.iter().map(|typed| &typed.name), inside);
    }

    fn visit_lets(&mut self, lets: &'a [(Name, Term)], _: Span, inside: impl FnOnce(&mut Self)) {
        visit::terms(self, lets.iter().map(|(_, term)| term));
        self.within(lets.iter().map(|(name, _)| name), inside);
    }

    fn visit_template(&mut self, template: &'a Template) {
        let texts = template.parts.iter().filter_map(|part| match part {
            TemplatePart::Text(text) => Some(&**text),
            TemplatePart::Slot(_) => None,
        });
        let mut words = texts.flat_map(marked).take(LOOKED_AT);
        let is_visible = |word: &&str| {
            let mut visible = self.visible.iter();
            visible.any(|name| name.text.eq_ignore_ascii_case(word))
        };
        if let Some(word) = words.find(is_visible) {
            self.found.push((word.to_owned(), template.span));
        }
    }
}

/// The words that begin with a question mark, without it.
fn marked(text: &str) -> impl Iterator<Item = &str> {
    text.split('?').skip(1).filter_map(|after| {
        let is_of_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        let word = after.split(|c| !is_of_name(c)).next()?;
        (!word.is_empty()).then_some(word)
    })
}
