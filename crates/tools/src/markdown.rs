//! Tables of results in Markdown.

use num_bigint::BigUint;

/// Decimals with more digits than this are shortened.
const DIGITS: usize = 9;

/// A table whose first columns say what its rows are about.
#[derive(Clone, Debug)]
pub struct Table {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these columns.
    pub fn new<S: Into<String>>(header: impl IntoIterator<Item = S>) -> Self {
        Self {
            header: header.into_iter().map(Into::into).collect(),
            rows: Vec::new(),
        }
    }

    /// Adds a row for each semantics; those with equal cells become one.
    pub fn add(&mut self, about: &[String], by_semantics: Vec<(String, Vec<String>)>) {
        let mut rows: Vec<(String, Vec<String>)> = Vec::new();
        for (semantics, cells) in by_semantics {
            match rows.last_mut() {
                Some((names, last)) if *last == cells => {
                    names.push_str(", ");
                    names.push_str(&semantics);
                }
                _ => rows.push((semantics, cells)),
            }
        }
        for (semantics, cells) in rows {
            let row = about.iter().cloned().chain([semantics]).chain(cells);
            self.rows.push(row.collect());
        }
    }

    /// The table.
    pub fn render(&self) -> String {
        let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        let rule = vec!["---".to_owned(); self.header.len()];
        let rows = self.rows.iter().map(|row| line(row));
        let text = line(&self.header) + &line(&rule) + &rows.collect::<String>();
        text.replace("  |", " |")
    }
}

/// A decimal with few digits as it is, a longer one as `1.2e34`; empty if unknown.
pub fn shortened(decimal: Option<&str>) -> String {
    let Some(decimal) = decimal else {
        return String::new();
    };
    match decimal.parse::<BigUint>() {
        Ok(_) if decimal.len() > DIGITS => {
            let (first, rest) = decimal.split_at(1);
            format!("{first}.{}e{}", &rest[..1], rest.len())
        }
        _ => decimal.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_decimals_are_shortened() {
        assert_eq!(shortened(Some("123456789")), "123456789");
        assert_eq!(shortened(Some("1234567890")), "1.2e9");
        assert_eq!(shortened(None), "");
    }

    #[test]
    fn rows_that_say_the_same_are_one() {
        let cells = |cell: &str| vec![cell.to_owned()];
        let mut table = Table::new(["task", "semantics", "makespan"]);
        let row = |a: &str, b: &str| {
            vec![
                ("clean".to_owned(), cells(a)),
                ("upstream".to_owned(), cells(b)),
            ]
        };
        table.add(&["egg".to_owned()], row("16", "16"));
        table.add(&["soup".to_owned()], row("34", ""));
        let expected = "\
| task | semantics | makespan |
| --- | --- | --- |
| egg | clean, upstream | 16 |
| soup | clean | 34 |
| soup | upstream | |
";
        assert_eq!(table.render(), expected);
    }
}
