//! Two texts compared line by line.

use similar::{ChangeTag, TextDiff};

/// Lines around a change that are shown.
const CONTEXT: usize = 3;

/// The kind of a line of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// Only in the old text.
    Removed,
    /// Only in the new text.
    Added,
    /// In both, near a change.
    Kept,
    /// Says where the lines that follow are.
    Place,
}

/// Two texts compared line by line: the changes with some lines around them, each without its end of
/// line and, but for places, with `-`, `+` or a space before it. Empty if the texts are equal. Where very
/// much differs, the old lines stand before the new ones.
pub(super) fn compared(old: &str, new: &str) -> Vec<(Line, String)> {
    if let Some(lines) = replaced(old, new) {
        return lines;
    }
    let diff = TextDiff::from_lines(old, new);
    let mut lines = Vec::new();
    for hunk in diff.unified_diff().context_radius(CONTEXT).iter_hunks() {
        lines.push((Line::Place, hunk.header().to_string()));
        for change in hunk.iter_changes() {
            let (line, sign) = match change.tag() {
                ChangeTag::Delete => (Line::Removed, '-'),
                ChangeTag::Insert => (Line::Added, '+'),
                ChangeTag::Equal => (Line::Kept, ' '),
            };
            let text = change.value().trim_end_matches('\n');
            lines.push((line, format!("{sign}{text}").trim_end().to_owned()));
        }
    }
    lines
}

/// A comparison with colours, which the printer leaves out where there are none.
pub(super) fn coloured(lines: &[(Line, String)]) -> String {
    let coloured = lines.iter().map(|(line, text)| {
        let colour = match line {
            Line::Removed => "31",
            Line::Added => "32",
            Line::Place => "36",
            Line::Kept => return format!("{text}\n"),
        };
        format!("\u{1b}[{colour}m{text}\u{1b}[0m\n")
    });
    coloured.collect()
}

/// The comparison of texts that differ in very many lines in a row; finding what is common to these would
/// take time quadratic in their number.
fn replaced(old: &str, new: &str) -> Option<Vec<(Line, String)>> {
    /// Fewer are compared.
    const MANY: usize = 10_000;
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let common = old.iter().zip(&new).take_while(|(old, new)| old == new);
    let before = common.count();
    let (old, new) = (&old[before..], &new[before..]);
    let common = old.iter().rev().zip(new.iter().rev());
    let after = common.take_while(|(old, new)| old == new).count();
    let (old, new) = (&old[..old.len() - after], &new[..new.len() - after]);
    if old.len() + new.len() <= MANY {
        return None;
    }
    let place = format!("@@ -{0},{1} +{0},{2} @@", before + 1, old.len(), new.len());
    let removed = old.iter().map(|line| (Line::Removed, format!("-{line}")));
    let added = new.iter().map(|line| (Line::Added, format!("+{line}")));
    let lines = removed.chain(added);
    let lines = lines.map(|(line, text)| (line, text.trim_end().to_owned()));
    Some(std::iter::once((Line::Place, place)).chain(lines).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comparison_shows_what_changed_and_nothing_of_equal_texts() {
        let text = "a\nb\n";
        assert_eq!(compared(text, text), []);
        let lines = compared("a\nb\n", "a\nc\n");
        let expected = [
            (Line::Place, "@@ -1,2 +1,2 @@"),
            (Line::Kept, " a"),
            (Line::Removed, "-b"),
            (Line::Added, "+c"),
        ];
        assert_eq!(lines, expected.map(|(line, text)| (line, text.to_owned())));
    }

    #[test]
    fn very_many_lines_that_differ_are_shown_one_text_after_the_other() {
        let text = |name: &str, count: usize| -> String {
            let lines = (0..count).map(|number| format!("{name} {number}\n"));
            format!("first\n{}last\n", lines.collect::<String>())
        };
        let lines = compared(&text("old", 400_000), &text("new", 3));
        assert_eq!(lines.len(), 1 + 400_000 + 3);
        let (first, last) = (&lines[..2], &lines[lines.len() - 1]);
        assert_eq!(first[0].1, "@@ -2,400000 +2,3 @@");
        assert_eq!(first[1], (Line::Removed, "-old 0".to_owned()));
        assert_eq!(*last, (Line::Added, "+new 2".to_owned()));
    }
}
