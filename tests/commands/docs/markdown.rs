//! Just enough of Markdown: fenced blocks, links, headings.

/// A fenced block.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    /// The line of its first fence, from 1.
    pub(crate) line: usize,
    /// The words after the fence.
    pub(crate) info: Vec<String>,
    pub(crate) text: String,
}

impl Block {
    /// Returns true if its language is this.
    pub(crate) fn is(&self, language: &str) -> bool {
        self.info.first().is_some_and(|word| word == language)
    }
}

/// The fenced blocks of a page.
pub(crate) fn blocks(page: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for (index, line) in page.lines().enumerate() {
        match (&mut open, line.strip_prefix("```")) {
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some(block), None) => {
                block.text.push_str(line);
                block.text.push('\n');
            }
            (None, Some(info)) => {
                open = Some(Block {
                    line: index + 1,
                    info: info.split_whitespace().map(str::to_owned).collect(),
                    text: String::new(),
                });
            }
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a fence is never closed: {open:?}");
    blocks
}

/// The page without its fenced blocks and without code in backquotes.
pub(crate) fn prose(page: &str) -> String {
    let mut prose = String::new();
    let mut fenced = false;
    for line in page.lines() {
        if line.starts_with("```") {
            fenced = !fenced;
        } else if !fenced {
            prose.extend(line.split('`').step_by(2));
            prose.push('\n');
        }
    }
    prose
}

/// The targets of the links of a page.
pub(crate) fn links(page: &str) -> Vec<String> {
    let prose = prose(page);
    let after = prose.split("](").skip(1);
    after
        .filter_map(|rest| rest.split(')').next())
        .map(str::to_owned)
        .collect()
}

/// The anchors that GitHub gives the headings of a page.
pub(crate) fn anchors(page: &str) -> Vec<String> {
    let mut fenced = false;
    let mut anchors = Vec::new();
    for line in page.lines() {
        fenced ^= line.starts_with("```");
        if fenced || !line.starts_with('#') {
            continue;
        }
        let heading = line.trim_start_matches('#').trim().to_lowercase();
        let kept = heading
            .chars()
            .filter(|c| c.is_alphanumeric() || " -_".contains(*c))
            .map(|c| if c == ' ' { '-' } else { c });
        anchors.push(kept.collect());
    }
    anchors
}
