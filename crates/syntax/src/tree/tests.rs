//! That what is read without the grammar is read as with it.

use super::*;

#[test]
fn a_text_may_have_so_many_lists_and_words_and_so_much_junk_and_no_more() {
    use Code::{SourceTooLarge, UnexpectedCharacter};
    let cases = [
        ("(a b) c (d)", 6, 3, vec![]),
        ("(a b) c (d)", 5, 0, vec![SourceTooLarge]),
        ("a é ?", 5, 3, vec![UnexpectedCharacter; 2]),
        (
            "a é ? é",
            5,
            0,
            [vec![UnexpectedCharacter; 3], vec![SourceTooLarge]].concat(),
        ),
    ];
    for (text, most, trees, codes) in cases {
        let arena = Bump::new();
        let mut diagnostics = Diagnostics::new();
        let most = Most {
            trees: most,
            junk: 2,
        };
        let source = SourceId::default();
        let forest = read_most(&arena, source, (text, 0), &most, &mut diagnostics);
        let found: Vec<Code> = diagnostics.iter().map(|one| one.code).collect();
        assert_eq!((forest.trees.len(), found), (trees, codes), "{text}");
    }
}

/// Returns the forest that the grammar makes of a whole text.
fn by_the_grammar<'s>(arena: &'s Bump, text: &'s str, diagnostics: &mut Diagnostics) -> Forest<'s> {
    let mut builder = Builder::new(arena, SourceId::default(), diagnostics);
    builder.other(text, 0, 0);
    builder.finish(text.len() as u32)
}

#[test]
fn plain_words_are_read_without_the_grammar_as_with_it() {
    let pieces = [
        "a",
        "?x",
        ":k",
        "3",
        "-1.5",
        "(",
        ")",
        " ",
        "\n",
        "\t",
        "\u{c}",
        "\r",
        "?",
        ":",
        "x,",
        "é",
        "[p",
        "q]",
        "\"t ( ;\"",
        "\"é \\\" \\\\\"",
        "; c ( \"\n",
        "\u{feff}",
        "\0",
        "=",
        "<=",
        "-",
    ];
    // All pairs and triples of pieces.
    let count = pieces.len();
    for number in 0..count * count * count {
        let [one, two, three] = [0, 1, 2].map(|at| {
            let place = number / count.pow(at) % count;
            pieces[place]
        });
        let text = format!("{one}{two}{three}");
        let arena = Bump::new();
        let (mut found, mut expected) = (Diagnostics::new(), Diagnostics::new());
        let read = read(&arena, SourceId::default(), &text, 0, &mut found);
        assert_eq!(
            read,
            by_the_grammar(&arena, &text, &mut expected),
            "{text:?}"
        );
        assert!(found.iter().eq(expected.iter()), "{text:?}");
    }
}

#[test]
fn a_single_word_is_read_without_the_grammar_as_with_it() {
    for text in [
        "x", "?x", ":x", "3", "-1.5", "3d", "-", "?", "", "x y", "(x)", "x;", "x,", "é", "?x?y",
    ] {
        let arena = Bump::new();
        let mut diagnostics = Diagnostics::new();
        let forest = read(&arena, SourceId::default(), text, 7, &mut diagnostics);
        let alone = word(text, 7);
        match &forest.trees[..] {
            [tree]
                if diagnostics.is_empty()
                    && tree.items().is_none()
                    && forest.comments.is_empty() =>
            {
                assert_eq!(alone, Some(*tree), "{text}");
            }
            _ => assert_eq!(alone, None, "{text}"),
        }
    }
}
