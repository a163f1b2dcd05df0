//! Small tables of text with aligned columns.

/// A table.
#[derive(Clone, Debug)]
pub struct Table {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
    /// The columns that are aligned to the right, as flags.
    right: Vec<bool>,
}

impl Table {
    /// A table with these columns, aligned to the left.
    pub fn new<S: Into<String>>(header: impl IntoIterator<Item = S>) -> Self {
        let header: Vec<String> = header.into_iter().map(Into::into).collect();
        Self {
            right: vec![false; header.len()],
            header,
            rows: Vec::new(),
        }
    }

    /// Aligns a column to the right, as numbers are.
    #[must_use]
    pub fn right(mut self, column: usize) -> Self {
        if let Some(right) = self.right.get_mut(column) {
            *right = true;
        }
        self
    }

    /// Adds a row. Cells that are missing are empty, cells too many are left out; line breaks and other
    /// control characters in a cell are escaped.
    pub fn row<S: Into<String>>(&mut self, cells: impl IntoIterator<Item = S>) {
        let cells = cells.into_iter().map(|cell| on_one_line(&cell.into()));
        let mut row: Vec<String> = cells.collect();
        row.resize(self.header.len(), String::new());
        self.rows.push(row);
    }

    /// The table, one line per row under a line of column names; no line ends in spaces.
    pub fn render(&self) -> String {
        let lines = || std::iter::once(&self.header).chain(&self.rows);
        let width = |column: usize| {
            let cells = lines().map(|row| row[column].chars().count());
            cells.max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.header.len()).map(width).collect();
        let mut text = String::new();
        for row in lines() {
            let cells = row.iter().zip(&widths).zip(&self.right);
            let cells: Vec<String> = cells
                .map(|((cell, width), right)| {
                    // Wider than a format's width may be.
                    let padding = " ".repeat(width - cell.chars().count());
                    if *right {
                        padding + cell
                    } else {
                        cell.clone() + &padding
                    }
                })
                .collect();
            text.push_str(cells.join("  ").trim_end());
            text.push('\n');
        }
        text
    }
}

/// A text whose control characters are escaped.
fn on_one_line(text: &str) -> String {
    let mut line = String::new();
    for c in text.chars() {
        if c.is_control() {
            line.extend(c.escape_default());
        } else {
            line.push(c);
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_may_be_wider_than_a_format_can_pad() {
        let wide = "x".repeat(70_000);
        let mut table = Table::new(["name"]).right(0);
        table.row([wide.as_str()]);
        assert_eq!(table.render().lines().last(), Some(wide.as_str()));
    }

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let mut table = Table::new(["tick", "agent", "label"]).right(0);
        table.row(["0", "chef", "cook(é)"]);
        table.row(["12", "assistant"]);
        let expected = "\
tick  agent      label
   0  chef       cook(é)
  12  assistant
";
        assert_eq!(table.render(), expected);
    }

    #[test]
    fn a_line_break_in_a_cell_does_not_break_its_row() {
        let mut table = Table::new(["a", "b"]);
        table.row(["one\ntwo", "3"]);
        assert_eq!(table.render(), "a         b\none\\ntwo  3\n");
    }
}
