//! Bounds on the complexity of a template, kept before it is parsed: the template engine parses, compiles
//! and drops an expression by recursion along every chain of operators, and so it drops nested values.

use minijinja::machinery::{Token, tokenize};
use minijinja::syntax::SyntaxConfig;

/// Operators, members, filters, calls and brackets of one expression, in a row or one in another.
const MOST_IN_EXPRESSION: usize = 200;

/// The same of a whole template: a value that it nests has no more levels.
const MOST_IN_TEMPLATE: usize = 1_000;

/// Branches (`elif`) of one condition and those around it.
const MOST_BRANCHES: usize = 100;

/// Bytes of a template.
const MOST_BYTES: usize = 1 << 20;

/// A place where a template is too complex, and why.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Excess {
    /// The byte.
    pub(super) at: usize,
    pub(super) why: String,
}

/// Refuses a template that would take the engine too deep. One that has no tokens is left to the parser.
pub(super) fn check(text: &str, syntax: SyntaxConfig) -> Result<(), Excess> {
    if text.len() > MOST_BYTES {
        let why = format!("a template of more than {MOST_BYTES} bytes");
        return Err(Excess { at: 0, why });
    }
    let mut count = Count::default();
    for token in tokenize(text, false, syntax) {
        let Ok((token, span)) = token else {
            return Ok(());
        };
        count.add(&token).map_err(|why| Excess {
            at: span.start_offset as usize,
            why,
        })?;
    }
    Ok(())
}

/// The counts up to a token.
#[derive(Default)]
struct Count {
    /// The open brackets of the expression, itself first.
    levels: Vec<Level>,
    in_template: usize,
    /// For each open condition the branches of it.
    conditions: Vec<usize>,
    begins_block: bool,
}

/// The tokens within one pair of brackets.
#[derive(Default)]
struct Level {
    /// The links around it.
    outside: usize,
    /// The links since the last comma.
    chain: usize,
    /// The most links between two commas.
    longest: usize,
}

impl Count {
    fn add(&mut self, token: &Token<'_>) -> Result<(), String> {
        if std::mem::replace(&mut self.begins_block, false) {
            self.block(token)?;
        }
        match token {
            Token::VariableStart | Token::BlockStart => {
                self.levels = vec![Level::default()];
                self.begins_block = matches!(token, Token::BlockStart);
                Ok(())
            }
            Token::BracketOpen | Token::ParenOpen | Token::BraceOpen => {
                self.link()?;
                let outside = self.level().map_or(0, |level| level.outside + level.chain);
                self.levels.push(Level {
                    outside,
                    ..Level::default()
                });
                Ok(())
            }
            Token::BracketClose | Token::ParenClose | Token::BraceClose => {
                if self.levels.len() > 1
                    && let Some(inner) = self.levels.pop()
                    && let Some(level) = self.level()
                {
                    level.chain += inner.longest.max(inner.chain);
                }
                Ok(())
            }
            Token::Comma => {
                if let Some(level) = self.level() {
                    level.longest = level.longest.max(level.chain);
                    level.chain = 0;
                }
                Ok(())
            }
            token if is_link(token) => self.link(),
            _ => Ok(()),
        }
    }

    fn level(&mut self) -> Option<&mut Level> {
        self.levels.last_mut()
    }

    /// Counts one more step of the engine into an expression.
    fn link(&mut self) -> Result<(), String> {
        self.in_template += 1;
        if self.in_template > MOST_IN_TEMPLATE {
            return Err(format!(
                "a template of more than {MOST_IN_TEMPLATE} operators, members, filters and brackets; \
                 divide it"
            ));
        }
        let Some(level) = self.level() else {
            return Ok(());
        };
        level.chain += 1;
        if level.outside + level.chain > MOST_IN_EXPRESSION {
            return Err(format!(
                "an expression of more than {MOST_IN_EXPRESSION} operators, members, filters and \
                 brackets; divide it with `set`"
            ));
        }
        Ok(())
    }

    /// Counts the branches of conditions; `keyword` is the first word of a block.
    fn block(&mut self, keyword: &Token<'_>) -> Result<(), String> {
        match keyword {
            Token::Ident("if") => self.conditions.push(0),
            Token::Ident("endif") => {
                self.conditions.pop();
            }
            Token::Ident("elif") => {
                if let Some(branches) = self.conditions.last_mut() {
                    *branches += 1;
                }
                if self.conditions.iter().sum::<usize>() > MOST_BRANCHES {
                    return Err(format!(
                        "a condition of more than {MOST_BRANCHES} branches (`elif`)"
                    ));
                }
            }
            _ => {}
        }
        Ok(())
    }
}

/// Returns whether a token takes the engine a step deeper into an expression.
fn is_link(token: &Token<'_>) -> bool {
    match token {
        Token::Ident(word) => ["not", "and", "or", "in", "is", "if", "else"].contains(word),
        Token::Plus
        | Token::Minus
        | Token::Mul
        | Token::Div
        | Token::FloorDiv
        | Token::Pow
        | Token::Mod
        | Token::Dot
        | Token::Tilde
        | Token::Pipe
        | Token::Eq
        | Token::Ne
        | Token::Gt
        | Token::Gte
        | Token::Lt
        | Token::Lte => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn why(text: &str) -> Option<String> {
        let found = check(text, SyntaxConfig::default()).err();
        found.map(|excess| excess.why)
    }

    #[test]
    fn a_chain_of_any_kind_is_bounded_at_the_same_length() {
        for link in [
            "+1",
            "-1",
            "*1",
            "/1",
            "//1",
            "**1",
            "%1",
            "~1",
            " and a",
            " or a",
            " in a",
            " if a",
            " == a",
            " != a",
            " < a",
            " <= a",
            " > a",
            " >= a",
            ".b",
            "|upper",
            "[0]",
            "[1:2]",
            "()",
            " is defined",
        ] {
            let text = |links: usize| format!("{{{{ a{} }}}}", link.repeat(links));
            assert_eq!(why(&text(200)), None, "{link}");
            let found = why(&text(201)).unwrap();
            assert!(
                found.starts_with("an expression of more than 200"),
                "{found}"
            );
        }
        for sign in ["-", "not ", "[", "(", "{1:", "f("] {
            let text = format!("{{% set a = {}1", sign.repeat(201));
            assert!(why(&text).is_some(), "{sign}");
        }
    }

    #[test]
    fn chains_in_brackets_that_begin_a_chain_are_counted_with_it() {
        let inner = format!("({})", ["1"; 100].join("+"));
        let outer = |links: usize| format!("{{{{ {inner}{} }}}}", "+1".repeat(links));
        assert_eq!(why(&outer(100)), None);
        assert!(why(&outer(101)).is_some());
    }

    #[test]
    fn what_stands_beside_each_other_is_not_counted_together() {
        let list = ["[1 + 1]"; 300].join(", ");
        assert_eq!(why(&format!("{{{{ [{list}] }}}}")), None);
        assert_eq!(why(&"{{ a.b }}".repeat(1_000)), None);
        assert!(why(&"{{ a.b }}".repeat(1_001)).is_some());
    }

    #[test]
    fn words_and_texts_are_not_counted() {
        let text = format!(
            "{}{{{{ '{}' }}}}",
            "a.b + c ".repeat(5_000),
            "+".repeat(5_000)
        );
        assert_eq!(why(&text), None);
        assert_eq!(why("{% raw %}{{ a.b }}{% endraw %}{# {{ a.b }} #}{{"), None);
    }

    #[test]
    fn branches_of_a_condition_are_bounded_with_those_around_it() {
        let branches = |n: usize| "{% elif a %}".repeat(n);
        let nested = |n: usize| {
            let inner = format!("{{% if a %}}{}{{% endif %}}", branches(n));
            format!("{{% if a %}}{}{inner}{{% endif %}}", branches(50))
        };
        assert_eq!(why(&nested(50)), None);
        assert!(why(&nested(51)).unwrap().contains("(`elif`)"));
        let two = format!("{{% if a %}}{}{{% endif %}}", branches(60)).repeat(2);
        assert_eq!(why(&two), None);
    }
}
