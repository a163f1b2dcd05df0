//! Values of actions and events whose keyword is missing: reported once, and read as what they seem to be.

use super::super::tree::{Node, Tree};
use super::context::Context;
use super::fields::Field;
use super::headless::binds;
use brigade_diagnostics::Code;

impl Context<'_> {
    /// The fields, with those that follow another one without a keyword of their own.
    pub(super) fn with_keyless<'t, 's>(
        &mut self,
        fields: Vec<Field<'t, 's>>,
        known: &[&str],
    ) -> Vec<Field<'t, 's>> {
        let mut all: Vec<Field<'t, 's>> = Vec::with_capacity(fields.len());
        let present: Vec<&str> = fields.iter().map(|field| field.key).collect();
        for mut field in fields {
            if let [value, .., last] = field.values
                && matches!(last.node, Node::Text(_))
                && value.items().is_some()
                && known.contains(&"label")
            {
                self.report_keyless(last, "`:label` or `:text`", "a text");
                field.values = &field.values[..field.values.len() - 1];
            }
            let mut next = next_keys(&field).iter().copied();
            let next = next.find(|next| known.contains(next) && !present.contains(next));
            let keyless = match (next, field.values.split_last()) {
                (Some(next), Some((last, before))) => Some((next, last, before)),
                _ => None,
            };
            let Some((next, last, before)) = keyless else {
                all.push(field);
                continue;
            };
            let what = if last.items().is_some() {
                "a list"
            } else {
                "a word"
            };
            self.report_keyless(last, &format!("`:{next}`"), what);
            let values = std::slice::from_ref(last);
            let span = last.mark();
            field.values = before;
            all.push(field);
            all.push(Field {
                key: next,
                span,
                values,
            });
        }
        all
    }

    fn report_keyless(&mut self, value: &Tree<'_>, keyword: &str, what: &str) {
        let message = format!("{what} stands without {keyword} before it");
        let diagnostic = self.at(Code::MissingPart, value.mark(), message, "of no keyword");
        self.push(
            diagnostic
                .help(format!("write {keyword} before it"))
                .mended(),
        );
    }
}

/// Of what is said without a keyword: what there is no other of, and the effect rather than the condition.
const BODY: &[&str] = &["effect", "policy", "precondition", "condition"];

/// The keywords that the last value of a field may lack.
fn next_keys(field: &Field<'_, '_>) -> &'static [&'static str] {
    let Some((last, before)) = field.values.split_last() else {
        return &[];
    };
    let of_variables = |tree: &Tree<'_>| {
        let first = tree.items().and_then(<[_]>::first);
        first.is_some_and(|first| matches!(first.node, Node::Variable(_)))
    };
    let is_list = |tree: &Tree<'_>| tree.items().is_some();
    let is_type = before.last().is_some_and(|before| before.is_name("-"));
    let is_phrase = |tree: &Tree<'_>| {
        let head = tree.items().and_then(|items| items.first()?.name());
        head.is_some() && !is_type
    };
    match (field.key, before) {
        ("agent", [_, ..]) if of_variables(last) => &["parameters"],
        ("agent", [_, ..]) if is_phrase(last) => BODY,
        ("parameters", [one]) if is_list(one) && is_list(last) && !of_variables(last) => BODY,
        ("precondition", [one]) if is_list(one) && binds(last) => &["let"],
        ("precondition", [one]) if is_list(one) && is_list(last) => &["effect", "policy"],
        ("let", [one]) if is_list(one) && is_list(last) => &["policy"],
        ("policy", [one]) if is_list(one) && is_list(last) => &["until"],
        (_, [one]) if is_list(one) && last.is_name("none") => &["label"],
        _ => &[],
    }
}
