//! Texts with slots.

use super::body::Body;
use super::model::{Template, TemplatePart};
use super::requirements::Need;
use super::terms::Sort;
use brigade_syntax::ast;

impl Body<'_, '_> {
    /// Resolves a text. Where `known` names it, its slots must be known before the first step.
    pub(super) fn template(&mut self, template: &ast::Template, known: Option<&str>) -> Template {
        self.need(Need::Text, template.span);
        let mut parts = Vec::new();
        for part in &template.parts {
            let slot = match part {
                ast::TemplatePart::Text(text) => {
                    parts.push(TemplatePart::Text(text.clone()));
                    continue;
                }
                ast::TemplatePart::Slot(slot) => slot,
            };
            if self.sort_of(slot) == Sort::Number {
                let Some(expr) = self.whole_number(slot) else {
                    continue;
                };
                if known.is_none_or(|what| self.check_static_number(&expr, slot.span(), what)) {
                    parts.push(TemplatePart::Number(expr));
                }
            } else {
                let Some(object) = self.object_term(slot) else {
                    continue;
                };
                let term = object.term;
                if known.is_none_or(|what| self.check_static_term(&term, slot.span(), what)) {
                    parts.push(TemplatePart::Object(term));
                }
            }
        }
        Template(parts)
    }
}
