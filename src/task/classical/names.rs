//! Names of facts and actions that any reader of PDDL takes, each of its own.

use hashbrown::HashSet;

use crate::syntax::is_construct;
use crate::task::Task;
use crate::task::layout::Variable;

/// Longer names are cut, before what makes them unique.
const LONGEST: usize = 60;

/// Names that are taken.
#[derive(Default)]
pub(super) struct Names {
    taken: HashSet<String>,
}

impl Names {
    /// A new name like `text`.
    pub(super) fn add(&mut self, text: &str) -> String {
        let mut name = String::new();
        for c in text.chars() {
            let c = c.to_ascii_lowercase();
            let is_plain = c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
            match c {
                ' ' | '=' if !name.is_empty() && !name.ends_with('_') => name.push('_'),
                c if is_plain => name.push(c),
                _ => {}
            }
            if name.len() == LONGEST {
                break;
            }
        }
        let mut name = name.trim_end_matches(['_', '-']).to_owned();
        let is_word = name.starts_with(|c: char| c.is_ascii_alphabetic());
        if !is_word || is_construct(&name) || matches!(&*name, "total-cost" | "either" | "object") {
            name.insert_str(0, "x-");
        }
        let mut unique = name.clone();
        let mut number = 1;
        while !self.taken.insert(unique.clone()) {
            number += 1;
            unique = format!("{name}-{number}");
        }
        unique
    }
}

/// The names of all facts: for each variable and each value; of two values the second has one.
pub(super) fn of_facts(task: &Task, names: &mut Names) -> Vec<Vec<String>> {
    let variables = task.variables.iter();
    variables
        .map(|variable| {
            let first = u32::from(variable.size == 2);
            let values = (0..variable.size).filter(|value| variable.size > 1 && *value >= first);
            values
                .map(|value| names.add(&text(variable, value)))
                .collect()
        })
        .collect()
}

/// What a value of a variable says.
fn text(variable: &Variable, value: u32) -> String {
    match variable.values.get(value as usize).map(String::as_str) {
        Some("true") => variable.name.clone(),
        Some(fact) if fact.starts_with('(') => fact.to_owned(),
        Some(value) => format!("{} {value}", variable.name),
        None => format!("{} {value}", variable.name),
    }
}

#[cfg(test)]
mod tests {
    use super::Names;

    #[test]
    fn names_are_plain_words_and_differ() {
        let mut names = Names::default();
        assert_eq!(names.add("(on Egg table)"), "on_egg_table");
        assert_eq!(names.add("(on egg TABLE)"), "on_egg_table-2");
        assert_eq!(names.add("(= (held chef) egg)"), "held_chef_egg");
        assert_eq!(names.add("and"), "x-and");
        assert_eq!(names.add("3"), "x-3");
        assert_eq!(names.add("é"), "x-");
        assert_eq!(names.add("é"), "x--2");
    }
}
