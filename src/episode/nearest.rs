//! The nearest known name to a misspelt one.

/// The candidate with the least edit distance to `name`, if it is near enough to be meant: at most
/// a third of the name's length away. The first of equally near ones wins.
pub(crate) fn nearest<'n>(
    name: &str,
    candidates: impl IntoIterator<Item = &'n str>,
) -> Option<&'n str> {
    let name: Vec<char> = name.to_lowercase().chars().collect();
    let limit = (name.len() / 3).max(1);
    candidates
        .into_iter()
        .filter_map(|candidate| {
            let other: Vec<char> = candidate.to_lowercase().chars().collect();
            (name.len().abs_diff(other.len()) <= limit)
                .then(|| (distance(&name, &other), candidate))
        })
        .filter(|(distance, candidate)| *distance <= limit && *distance < candidate.len())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Edit distance with transpositions of neighbours (optimal string alignment).
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let mut best = (last[j] + usize::from(x != y))
                .min(last[j + 1] + 1)
                .min(row[j] + 1);
            if i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y {
                best = best.min(before[j - 1] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_keys_finds_the_name_that_was_meant() {
        let names = ["stove", "cutting-board", "chef"];
        assert_eq!(nearest("stvoe", names), Some("stove"));
        assert_eq!(nearest("Cuting-Board", names), Some("cutting-board"));
        assert_eq!(nearest("cheff", names), Some("chef"));
    }

    #[test]
    fn a_different_word_finds_nothing() {
        assert_eq!(nearest("plate", ["stove", "chef"]), None);
        assert_eq!(nearest("a", ["b"]), None);
    }
}
