//! Numbers and tables as text.

/// A table in Markdown.
pub(crate) struct Table {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn new(header: impl IntoIterator<Item = &'static str>) -> Self {
        Self {
            header: header.into_iter().map(str::to_owned).collect(),
            rows: Vec::new(),
        }
    }

    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// The first column is text, the others are numbers.
    pub(crate) fn render(&self) -> String {
        let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        let rule: Vec<String> = (0..self.header.len())
            .map(|column| if column == 0 { "---" } else { "---:" }.to_owned())
            .collect();
        let rows: String = self.rows.iter().map(|row| line(row)).collect();
        line(&self.header) + &line(&rule) + &rows
    }
}

/// Seconds, to a tenth of a millisecond where they are few.
pub(crate) fn seconds(seconds: f64) -> String {
    match seconds {
        ..0.1 => format!("{seconds:.4}"),
        ..1.0 => format!("{seconds:.3}"),
        ..10.0 => format!("{seconds:.2}"),
        _ => format!("{seconds:.1}"),
    }
}

/// Renders a factor.
pub(crate) fn factor(factor: f64) -> String {
    let places = if factor < 10.0 { 2 } else { 0 };
    format!("{factor:.places$}")
}

/// Millions.
pub(crate) fn millions(number: f64) -> String {
    format!("{:.2}", number / 1e6)
}

/// Bytes of a state.
pub(crate) fn bytes(bytes: f64) -> String {
    format!("{bytes:.1}")
}

/// A number in groups of three digits.
pub(crate) fn digits(number: u64) -> String {
    decimal(&number.to_string())
}

/// A decimal in groups of three digits, rounded down to three digits if it is long.
pub(crate) fn decimal(decimal: &str) -> String {
    if decimal.len() > 15 {
        let exponent = decimal.len() - 1;
        return format!("{}.{} · 10^{exponent}", &decimal[..1], &decimal[1..3]);
    }
    let mut text = String::new();
    for (at, digit) in decimal.chars().enumerate() {
        if at > 0 && (decimal.len() - at).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

/// Markdown whose paragraphs are in lines that are not too long, with one empty line between blocks.
pub(crate) fn wrapped(text: &str) -> String {
    let blocks = text.split("\n\n").map(str::trim);
    let blocks = blocks.filter(|block| !block.is_empty()).map(|block| {
        if block.starts_with(['|', '#']) {
            format!("{block}\n")
        } else {
            paragraph(block)
        }
    });
    blocks.collect::<Vec<_>>().join("\n")
}

/// A paragraph in lines that are not too long.
fn paragraph(text: &str) -> String {
    const WIDTH: usize = 110;
    let mut result = String::new();
    let mut width = 0;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if width > 0 && width + 1 + length > WIDTH {
            result.push('\n');
            width = 0;
        } else if width > 0 {
            result.push(' ');
            width += 1;
        }
        result.push_str(word);
        width += length;
    }
    result.push('\n');
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_are_wrapped_between_words() {
        let text = paragraph(&"word ".repeat(30));
        let widths: Vec<usize> = text.lines().map(str::len).collect();
        assert_eq!(widths, [109, 39]);
    }

    #[test]
    fn long_decimals_are_shortened() {
        assert_eq!(decimal("999"), "999");
        assert_eq!(decimal("10321920"), "10 321 920");
        assert_eq!(decimal("1372155518279680000"), "1.37 · 10^18");
    }

    #[test]
    fn seconds_keep_about_three_digits() {
        let shown = [0.00345, 0.1234, 1.234, 12.34].map(seconds);
        assert_eq!(shown, ["0.0034", "0.123", "1.23", "12.3"]);
    }
}
