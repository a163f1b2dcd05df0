//! Texts of any length, shortened to what a page can hold.

/// The most bytes of a text that a page holds.
pub const LONGEST: usize = 64 * 1024;

/// Texts that were shortened so far.
#[derive(Clone, Debug, Default)]
pub struct Shortener {
    shortened: usize,
}

impl Shortener {
    /// Returns the text, or its beginning and a mark if it is longer than [`LONGEST`].
    pub fn text(&mut self, text: &str) -> String {
        if text.len() <= LONGEST {
            return text.to_owned();
        }
        self.shortened += 1;
        let mut end = LONGEST;
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        format!("{} […, {} bytes in all]", &text[..end], text.len())
    }

    /// The note for readers, if anything was shortened.
    pub fn notes(self) -> Vec<String> {
        let note = match self.shortened {
            0 => return Vec::new(),
            1 => format!("a text of more than {} KiB is cut off", LONGEST / 1024),
            number => format!(
                "{number} texts of more than {} KiB are cut off",
                LONGEST / 1024
            ),
        };
        vec![note]
    }
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, Shortener};

    #[test]
    fn a_long_text_is_cut_between_characters_and_noted() {
        let mut shortener = Shortener::default();
        let text = "ü".repeat(LONGEST);
        let short = shortener.text(&text);
        assert!(short.starts_with("üü") && short.ends_with(" bytes in all]"));
        assert!(short.len() < LONGEST + 50);
        assert_eq!(shortener.notes().len(), 1);
    }

    #[test]
    fn a_short_text_stays() {
        let mut shortener = Shortener::default();
        assert_eq!(shortener.text("soup"), "soup");
        assert!(shortener.notes().is_empty());
    }
}
