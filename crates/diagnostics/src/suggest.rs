//! "Did you mean …?": the nearest of some candidates by edit distance.

/// A name is compared with as many others, so that a large file full of slips is reported soon.
const MOST: usize = 5_000;

/// The candidate nearest to `word`, if it is near enough to be a slip: at most a third of the
/// letters differ, counting insertions, deletions, substitutions and swaps of neighbours. Case is
/// ignored; of equally near candidates the first wins. Only the first 5,000 are looked at.
pub fn suggest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    /// Longer words are not compared: the distance takes time quadratic in the length.
    const LONGEST: usize = 64;
    let word: Vec<char> = word.to_lowercase().chars().take(LONGEST + 1).collect();
    if word.len() > LONGEST {
        return None;
    }
    let limit = (word.len() / 3).max(1);
    let mut best: Option<(usize, &str)> = None;
    let (mut letters, mut rows) = (Vec::new(), Rows::default());
    for candidate in candidates.into_iter().take(MOST) {
        if candidate.is_ascii() && candidate.len().abs_diff(word.len()) > limit {
            continue;
        }
        letters.clear();
        if candidate.is_ascii() {
            letters.extend(candidate.chars().map(|letter| letter.to_ascii_lowercase()));
        } else {
            letters.extend(candidate.to_lowercase().chars());
        }
        if letters.len().abs_diff(word.len()) > limit {
            continue;
        }
        let distance = rows.distance(&word, &letters);
        let short = distance >= word.len().min(letters.len());
        if distance <= limit && !short && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
            if distance <= 1 {
                break;
            }
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// The rows of a table of distances between beginnings of two words, kept from one pair of words to the
/// next: a large file has millions of them.
#[derive(Default)]
struct Rows {
    before: Vec<usize>,
    last: Vec<usize>,
    row: Vec<usize>,
}

impl Rows {
    /// The optimal string alignment distance.
    fn distance(&mut self, a: &[char], b: &[char]) -> usize {
        let Self { before, last, row } = self;
        last.clear();
        last.extend(0..=b.len());
        for (i, &x) in a.iter().enumerate() {
            row.clear();
            row.push(i + 1);
            for (j, &y) in b.iter().enumerate() {
                let mut best = (last[j] + usize::from(x != y))
                    .min(last[j + 1] + 1)
                    .min(row[j] + 1);
                if i > 0 && j > 0 && x == b[j - 1] && a[i - 1] == y {
                    best = best.min(before[j - 1] + 1);
                }
                row.push(best);
            }
            std::mem::swap(before, last);
            std::mem::swap(last, row);
        }
        last[b.len()]
    }
}

#[cfg(test)]
mod tests {
    use super::suggest;

    #[test]
    fn a_slip_is_recognised_and_another_word_is_not() {
        let words = ["precondition", "parameters", "effect", "at"];
        assert_eq!(suggest("effetc", words), Some("effect"));
        assert_eq!(suggest("PreCondtion", words), Some("precondition"));
        assert_eq!(suggest("params", words), None);
        assert_eq!(suggest("a", words), None);
        assert_eq!(suggest("ta", words), Some("at"));
        assert_eq!(suggest("x", words), None);
        assert_eq!(suggest(&"x".repeat(1000), words), None);
    }
}
