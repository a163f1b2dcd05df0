//! Tags that models write into their texts: `<name attribute="x">`, in all the brackets they have for them.

/// The signs that open and close a tag.
const BRACKETS: [(&str, &[&str]); 6] = [
    ("<", ANGLES),
    ("&lt;", ANGLES),
    ("‹", ANGLES),
    ("＜", ANGLES),
    ("◁", &["▷"]),
    ("[", &["]"]),
];

const ANGLES: &[&str] = &[">", "&gt;", "›", "＞"];

/// Bars within the brackets of the tokens that are a model's own.
const BARS: [char; 2] = ['|', '｜'];

/// No tag has more characters within its brackets.
const LONGEST: usize = 200;

/// A tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tag<'t> {
    /// The number of its bytes.
    pub(super) len: usize,
    pub(super) name: &'t str,
    /// The text after the name.
    pub(super) attributes: &'t str,
    pub(super) kind: Kind,
    /// True in square brackets, which much else has.
    pub(super) is_square: bool,
}

/// The kinds of tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Opening,
    Closing,
    /// `<name/>`
    Empty,
}

impl<'t> Tag<'t> {
    /// The characters that a tag can begin with.
    pub(super) const BEGINNINGS: [char; 6] = ['<', '&', '‹', '＜', '◁', '['];

    /// The tag that a text begins with.
    pub(super) fn at(text: &'t str) -> Option<Self> {
        let (open, closers) = BRACKETS
            .into_iter()
            .find(|(open, _)| text.starts_with(open))?;
        let rest = &text[open.len()..];
        let (inner, close) = rest
            .char_indices()
            .take(LONGEST)
            .take_while(|&(at, _)| !rest[at..].starts_with(open))
            .find_map(|(at, _)| {
                let mut closers = closers.iter();
                let close = closers.find(|close| rest[at..].starts_with(**close))?;
                Some((&rest[..at], close.len()))
            })?;
        let len = open.len() + inner.len() + close;
        // `<|name>` opens, and `<name|>` closes.
        let (inner, begins) = without(inner.trim(), |it| it.strip_prefix(BARS));
        let (inner, ends) = without(inner, |it| it.strip_suffix(BARS));
        let (inner, is_closing) = without(inner, |it| it.strip_prefix('/'));
        let (inner, is_empty) = without(inner, |it| it.strip_suffix('/'));
        let is_of_name = |c: char| c.is_alphanumeric() || "_▁-:.".contains(c);
        let name = inner.trim_start_matches(is_of_name);
        let (name, attributes) = inner.split_at(inner.len() - name.len());
        let are_attributes = attributes.is_empty()
            || attributes.starts_with('=')
            || (attributes.starts_with(char::is_whitespace) && attributes.contains('='));
        let kind = match (is_closing || (ends && !begins), is_empty) {
            (true, _) => Kind::Closing,
            (false, true) => Kind::Empty,
            (false, false) => Kind::Opening,
        };
        let tag = Self {
            len,
            name,
            attributes: attributes.trim(),
            kind,
            is_square: open == "[",
        };
        (!name.is_empty() && are_attributes).then_some(tag)
    }

    /// The words of its name, in small letters.
    pub(super) fn words(&self) -> Vec<String> {
        words(self.name)
    }

    /// Its attributes, without quotes.
    pub(super) fn attributes(&self) -> impl Iterator<Item = (&'t str, &'t str)> {
        let parts = self.attributes.split_whitespace();
        let pairs = parts.filter_map(|part| part.split_once('='));
        pairs.map(|(key, value)| (key, value.trim_matches(['"', '\''])))
    }
}

/// The words of a name: `antThinking` and `begin_of_thought` have two and three of them.
pub(super) fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_small = false;
    for c in name.chars() {
        if !c.is_alphanumeric() || (was_small && c.is_uppercase()) {
            words.push(String::new());
        }
        was_small = c.is_lowercase();
        if let Some(word) = words.last_mut().filter(|_| c.is_alphanumeric()) {
            word.extend(c.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// A text without a part of it, trimmed, and whether it has that.
fn without<'t>(text: &'t str, part: impl Fn(&'t str) -> Option<&'t str>) -> (&'t str, bool) {
    match part(text) {
        Some(rest) => (rest.trim(), true),
        None => (text, false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_has_brackets_a_name_and_attributes() {
        for (text, name, attributes, kind) in [
            ("<think>x", "think", "", Kind::Opening),
            ("</mm:think >x", "mm:think", "", Kind::Closing),
            ("<think\n/>", "think", "", Kind::Empty),
            ("<a b=\"c\">", "a", "b=\"c\"", Kind::Opening),
            ("<function=look>", "function", "=look", Kind::Opening),
            ("&lt;/think&gt;", "think", "", Kind::Closing),
            ("<｜end▁of▁thought｜>", "end▁of▁thought", "", Kind::Opening),
            ("<|channel>", "channel", "", Kind::Opening),
            ("<channel|>", "channel", "", Kind::Closing),
            ("[/THINK]", "THINK", "", Kind::Closing),
            ("◁/think▷", "think", "", Kind::Closing),
        ] {
            let tag = Tag::at(text).unwrap();
            assert_eq!(
                (tag.name, tag.attributes, tag.kind),
                (name, attributes, kind),
                "{text}"
            );
        }
        for text in ["x", "<", "<>", "< 3 and x > 2", "<your reasoning>", "<a<b>"] {
            assert_eq!(Tag::at(text), None, "{text}");
        }
    }

    #[test]
    fn names_are_parted_into_words() {
        for (name, expected) in [
            ("antThinking", &["ant", "thinking"][..]),
            ("begin▁of▁thought", &["begin", "of", "thought"]),
            ("START_THINKING", &["start", "thinking"]),
            ("mm:think", &["mm", "think"]),
        ] {
            assert_eq!(words(name), expected);
        }
    }
}
