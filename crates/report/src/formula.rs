//! Formulas of totals: sums, differences, products and ratios of what episodes have added up.
//!
//! `completed / (completed + failed)` is one. It is computed from the sums over the episodes of each group, and averaged
//! over the groups (MindAgent's CoS: each order interval is a group).

use std::collections::BTreeMap;

use crate::estimate::Estimate;

/// Brackets deeper than this are refused.
const DEEPEST: usize = 64;

/// So are formulas of more operations: each is one level of its tree.
const MOST_OPERATIONS: usize = 1000;

/// A formula of totals.
#[derive(Clone, Debug, PartialEq)]
pub enum Formula {
    /// A number.
    Number(f64),
    /// A total by its name, `served alice`.
    Total(String),
    /// An operation on two formulas.
    Binary(Operation, Box<Formula>, Box<Formula>),
}

/// An operation on two formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
}

/// Sums of totals in the problem's own units, by name in lower case.
pub type Sums = BTreeMap<String, f64>;

impl Formula {
    /// Reads a formula.
    ///
    /// # Errors
    ///
    /// Says what is wrong with it.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut reader = Reader {
            rest: text,
            depth: 0,
            operations: 0,
        };
        let formula = reader.sum()?;
        match reader.next() {
            None => Ok(formula),
            Some(rest) => Err(format!("`{rest}` is not expected there")),
        }
    }

    /// The names of its totals.
    pub fn totals(&self) -> Vec<&str> {
        match self {
            Self::Number(_) => Vec::new(),
            Self::Total(name) => vec![name],
            Self::Binary(_, left, right) => [left.totals(), right.totals()].concat(),
        }
    }

    /// The mean of its values over groups of episodes, each with what the episode has added up, and the interval of the
    /// bootstrap that draws groups, then episodes of each. A group that has no finite value, as it lacks a total or
    /// divides by zero, is left out.
    pub fn estimate(&self, groups: &[Vec<Sums>]) -> Estimate {
        let mut names = self.totals();
        names.sort_unstable();
        names.dedup();
        let has_all = |group: &&Vec<Sums>| {
            let mut names = names.iter();
            names.all(|name| group.iter().any(|episode| episode.contains_key(*name)))
        };
        let groups = groups.iter().filter(has_all).map(|group| {
            let amounts = |episode: &Sums| {
                let amounts = names.iter().map(|name| episode.get(*name).copied());
                amounts.map(Option::unwrap_or_default).collect()
            };
            group.iter().map(amounts).collect::<Vec<Vec<f64>>>()
        });
        let groups: Vec<Vec<Vec<f64>>> = groups.collect();
        Estimate::of_groups(&groups, |drawn| {
            let values = drawn.iter().filter_map(|group| {
                let mut sums = vec![0.0; names.len()];
                for amounts in group {
                    for (sum, amount) in sums.iter_mut().zip(*amounts) {
                        *sum += amount;
                    }
                }
                let value = self.value(&|name| Some(sums[names.binary_search(&name).ok()?]));
                value.filter(|value| value.is_finite())
            });
            let (count, sum) = values.fold((0.0, 0.0), |(n, sum), value| (n + 1.0, sum + value));
            (count > 0.0).then(|| sum / count)
        })
    }

    /// Its value where totals have these; `None` where it lacks one or divides by zero.
    fn value(&self, total: &dyn Fn(&str) -> Option<f64>) -> Option<f64> {
        Some(match self {
            Self::Number(number) => *number,
            Self::Total(name) => total(name)?,
            Self::Binary(operation, left, right) => {
                let (left, right) = (left.value(total)?, right.value(total)?);
                match operation {
                    Operation::Add => left + right,
                    Operation::Subtract => left - right,
                    Operation::Multiply => left * right,
                    Operation::Divide if right == 0.0 => return None,
                    Operation::Divide => left / right,
                }
            }
        })
    }
}

/// A formula that is read from the left.
struct Reader<'t> {
    rest: &'t str,
    depth: usize,
    operations: usize,
}

impl<'t> Reader<'t> {
    /// The next token, which stays.
    fn next(&mut self) -> Option<&'t str> {
        self.rest = self.rest.trim_start();
        let first = self.rest.chars().next()?;
        let is_word = |it: char| it.is_alphanumeric() || matches!(it, '_' | '.');
        if !is_word(first) {
            return Some(&self.rest[..first.len_utf8()]);
        }
        // A hyphen within a name belongs to it: `total-cost - failed`.
        let end = self.rest.char_indices().find(|&(at, it)| {
            let after = self.rest[at + it.len_utf8()..].chars().next();
            !(is_word(it) || it == '-' && after.is_some_and(is_word))
        });
        Some(&self.rest[..end.map_or(self.rest.len(), |(at, _)| at)])
    }

    fn take(&mut self, token: &str) {
        self.rest = &self.rest[token.len()..];
    }

    /// Takes one of these tokens, if it is next.
    fn one_of(&mut self, operations: [(&str, Operation); 2]) -> Option<Operation> {
        let next = self.next()?;
        let (token, operation) = operations.into_iter().find(|(token, _)| *token == next)?;
        self.take(token);
        Some(operation)
    }

    fn sum(&mut self) -> Result<Formula, String> {
        let operations = [("+", Operation::Add), ("-", Operation::Subtract)];
        let mut formula = self.product()?;
        while let Some(operation) = self.one_of(operations) {
            self.count()?;
            formula = Formula::Binary(operation, formula.into(), self.product()?.into());
        }
        Ok(formula)
    }

    fn product(&mut self) -> Result<Formula, String> {
        let operations = [("*", Operation::Multiply), ("/", Operation::Divide)];
        let mut formula = self.factor()?;
        while let Some(operation) = self.one_of(operations) {
            self.count()?;
            formula = Formula::Binary(operation, formula.into(), self.factor()?.into());
        }
        Ok(formula)
    }

    fn count(&mut self) -> Result<(), String> {
        self.operations += 1;
        if self.operations > MOST_OPERATIONS {
            return Err(format!("it has more than {MOST_OPERATIONS} operations"));
        }
        Ok(())
    }

    fn factor(&mut self) -> Result<Formula, String> {
        let Some(token) = self.next() else {
            return Err("it ends where a total or a number is expected".to_owned());
        };
        self.take(token);
        if token == "(" {
            if self.depth == DEEPEST {
                return Err(format!("its brackets are nested more than {DEEPEST} deep"));
            }
            self.depth += 1;
            let inner = self.sum()?;
            self.close()?;
            self.depth -= 1;
            return Ok(inner);
        }
        if !token.starts_with(|first: char| first.is_alphanumeric()) {
            return Err(format!(
                "`{token}` stands where a total or a number is expected"
            ));
        }
        if token.starts_with(|first: char| first.is_ascii_digit())
            && let Ok(number) = token.parse::<f64>()
        {
            if !number.is_finite() {
                return Err(format!("`{token}` is too large"));
            }
            return Ok(Formula::Number(number));
        }
        let mut name = token.to_ascii_lowercase();
        if self.next() == Some("(") {
            self.take("(");
            for argument in self.arguments()? {
                name.push(' ');
                name.push_str(&argument);
            }
        }
        Ok(Formula::Total(name))
    }

    /// Names up to the bracket: `alice, pie)`.
    fn arguments(&mut self) -> Result<Vec<String>, String> {
        let mut names = Vec::new();
        loop {
            let token = self.next().unwrap_or_default();
            if !token.starts_with(char::is_alphanumeric) {
                return Err("an argument is expected after `(` and `,`".to_owned());
            }
            self.take(token);
            names.push(token.to_ascii_lowercase());
            if self.next() != Some(",") {
                self.close()?;
                return Ok(names);
            }
            self.take(",");
        }
    }

    fn close(&mut self) -> Result<(), String> {
        if self.next() != Some(")") {
            return Err("a `)` is missing".to_owned());
        }
        self.take(")");
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sums(totals: &[(&str, f64)]) -> Sums {
        let totals = totals.iter();
        totals.map(|&(name, sum)| (name.to_owned(), sum)).collect()
    }

    fn value(text: &str) -> Option<f64> {
        let sums = sums(&[
            ("completed", 3.0),
            ("failed", 1.0),
            ("total-cost", 8.0),
            ("served alice pie", 2.0),
            ("none", 0.0),
        ]);
        let formula = Formula::read(text).unwrap();
        formula.value(&|name| sums.get(name).copied())
    }

    #[test]
    fn formulas_are_computed_as_they_are_written() {
        for (text, expected) in [
            ("completed", 3.0),
            ("completed / (completed + failed)", 0.75),
            ("Completed - failed - 1", 1.0),
            ("total-cost - failed * 2", 6.0),
            ("total-cost/2/2", 2.0),
            ("served(alice, pie) * 1.5", 3.0),
        ] {
            assert_eq!(value(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_lacks_a_total_or_divides_by_zero_has_no_value() {
        assert_eq!(value("orders"), None);
        assert_eq!(value("completed / none"), None);
    }

    #[test]
    fn what_is_no_formula_says_why() {
        for (text, expected) in [
            ("", "it ends where a total or a number is expected"),
            (
                "completed +",
                "it ends where a total or a number is expected",
            ),
            ("1e999", "`1e999` is too large"),
            ("(completed", "a `)` is missing"),
            ("completed failed", "`failed` is not expected there"),
            ("* 2", "`*` stands where a total or a number is expected"),
            ("served()", "an argument is expected after `(` and `,`"),
        ] {
            assert_eq!(Formula::read(text), Err(expected.to_owned()), "{text}");
        }
        let deep = "(".repeat(100_000);
        assert!(Formula::read(&deep).unwrap_err().contains("nested"));
        let long = "1+".repeat(100_000);
        assert!(Formula::read(&long).unwrap_err().contains("operations"));
    }

    #[test]
    fn the_mean_is_over_groups_that_have_a_value() {
        let groups = [
            vec![sums(&[("completed", 1.0), ("failed", 1.0)])],
            vec![
                sums(&[("completed", 1.0), ("failed", 1.0)]),
                sums(&[("completed", 2.0)]),
            ],
            vec![sums(&[("completed", 0.0), ("failed", 0.0)])],
            vec![sums(&[("completed", 5.0)])],
        ];
        let formula = Formula::read("completed / (completed + failed)").unwrap();
        let estimate = formula.estimate(&groups);
        assert_eq!((estimate.value, estimate.n), (Some(0.625), 4));
        let [low, high] = [estimate.low, estimate.high].map(Option::unwrap);
        assert!((0.5..=0.625).contains(&low) && (0.625..=1.0).contains(&high));
        assert_eq!(formula.estimate(&[]), Estimate::UNKNOWN);
    }

    #[test]
    fn one_episode_has_no_interval() {
        let groups = [vec![sums(&[("completed", 1.0)])]];
        let estimate = Formula::read("completed * 2").unwrap().estimate(&groups);
        assert_eq!((estimate.value, estimate.low), (Some(2.0), None));
    }
}
