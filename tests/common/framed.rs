//! The examples of `brigade explain` as whole files.

/// Requirements of all that an example may use without naming it.
const REQUIREMENTS: &str = ":adl :multi-agent :options :events :delayed-effects :sequential-effects \
    :object-fluents :bounded-numbers :numeric-fluents :aggregates :derived-predicates \
    :durative-actions :timed-initial-literals :action-costs :horizon :text :partial-observability :nature";

const OF_A_PROBLEM: &[&str] = &["objects", "init", "goal", "metric", "horizon"];

/// The text of an example in full: `⟦x# ⟧×3` is `x1 x2 x3 `.
pub(crate) fn expanded(example: &str) -> String {
    let mut text = String::new();
    let mut rest = example;
    while let Some((before, repeated)) = rest.split_once('⟦') {
        let (piece, after) = repeated.split_once("⟧×").expect("`⟦…⟧×N`");
        let end = after.find(|c: char| !c.is_ascii_digit());
        let (count, after) = after.split_at(end.unwrap_or(after.len()));
        let count: usize = count.parse().expect("a number after `⟧×`");
        text += before;
        if piece.contains('#') {
            text.extend((1..=count).map(|number| piece.replace('#', &number.to_string())));
        } else {
            text += &piece.repeat(count);
        }
        rest = after;
    }
    text + rest
}

/// The whole file of an example: sections are put into a domain and, where there are such, a problem.
pub(crate) fn framed(example: &str) -> String {
    let example = &*expanded(example);
    let first = example.lines().find(|line| !line.starts_with(';'));
    if !first.is_some_and(|line| line.starts_with("(:")) {
        return example.to_owned();
    }
    let (mut domain, mut problem) = (String::new(), String::new());
    for section in sections(example) {
        let head = section.split_once("(:").map_or("", |(_, rest)| rest);
        let end = head.find(|c: char| !c.is_alphanumeric() && c != '-');
        let head = &head[..end.unwrap_or(head.len())];
        if OF_A_PROBLEM.contains(&head) {
            problem += section;
        } else {
            domain += section;
        }
    }
    if !domain.contains("(:requirements") {
        domain = format!("(:requirements {REQUIREMENTS})\n{domain}");
    }
    let mut file = format!("(define (domain example)\n{domain})\n");
    if !problem.is_empty() {
        let has_total = problem.contains("(:metric") && problem.contains("(:horizon");
        if !problem.contains("(:goal") && !has_total {
            problem += " (:goal (and))";
        }
        file += &format!("(define (problem example) (:domain example)\n{problem})\n");
    }
    file
}

/// The lists at the top level of a text, each with what stands before it.
fn sections(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut start, mut depth, mut quoted, mut comment) = (0, 0_usize, false, false);
    for (at, letter) in text.char_indices() {
        match letter {
            '\n' => (quoted, comment) = (false, false),
            _ if comment => {}
            '"' => quoted = !quoted,
            _ if quoted => {}
            ';' => comment = true,
            '(' => depth += 1,
            ')' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    found.push(&text[start..=at]);
                    start = at + 1;
                }
            }
            _ => {}
        }
    }
    found.push(&text[start..]);
    found
}
