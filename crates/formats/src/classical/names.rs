//! Names of facts and actions that any reader of PDDL takes, each of its own.

use hashbrown::{HashMap, HashSet};

use brigade_syntax::is_construct;
use brigade_task::layout::{Variable, VariableKind};
use brigade_task::symbols::{Meaning, Symbols};

/// Longer names are cut, before what makes them unique.
const LONGEST: usize = 60;

/// Names that are taken.
#[derive(Default)]
pub(super) struct Names {
    taken: HashSet<String>,
    /// For each name that was asked for again the last number it was given: those below are taken.
    numbered: HashMap<String, usize>,
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
        if self.taken.insert(name.clone()) {
            return name;
        }
        let number = self.numbered.entry(name.clone()).or_insert(1);
        loop {
            *number += 1;
            let unique = format!("{name}-{number}");
            if self.taken.insert(unique.clone()) {
                return unique;
            }
        }
    }
}

/// The name of a variable: of facts that exclude each other their common words.
pub(super) fn variable(symbols: &Symbols, variable: &Variable) -> String {
    let mut facts = variable
        .values
        .iter()
        .filter_map(|value| match &value.meaning {
            Meaning::Fact(fact) => Some((fact, &value.name)),
            _ => None,
        });
    let (Some((first, name)), true) = (facts.next(), variable.size > 2) else {
        return variable.name.clone();
    };
    let mut common = Some(first.arguments.len());
    for (fact, _) in facts {
        let pairs = first.arguments.iter().zip(&fact.arguments);
        let same = pairs.take_while(|(one, other)| one == other).count();
        let is_alike = fact.predicate == first.predicate;
        common = common.filter(|_| is_alike).map(|common| common.min(same));
    }
    let Some(common) = common else {
        return format!("one-of {name}");
    };
    let shared = first.arguments[..common].iter();
    let shared = shared.map(|&object| symbols.object(object));
    let words = [symbols.predicate(first.predicate)]
        .into_iter()
        .chain(shared);
    words.collect::<Vec<_>>().join(" ")
}

/// The name of a value of a variable.
pub(super) fn value(variable: &Variable, value: u32) -> String {
    let Some(known) = variable.values.get(value as usize) else {
        return format!("n{value}");
    };
    match &known.meaning {
        Meaning::Number(number) if *number < 0 => format!("minus{}", number.unsigned_abs()),
        Meaning::Number(number) => format!("n{number}"),
        Meaning::Nothing if variable.kind == VariableKind::Object => "none".to_owned(),
        _ => known.name.clone(),
    }
}

/// The fact that a variable has a value, as a sentence.
pub(super) fn sentence(variable: &Variable, number: u32) -> String {
    let known = variable.values.get(number as usize);
    match known.map(|value| (&value.meaning, &value.name)) {
        Some((Meaning::Fact(_), fact)) => fact.clone(),
        _ => format!("{} {}", variable.name, value(variable, number)),
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

    #[test]
    fn a_name_that_is_asked_for_often_gets_the_next_number_that_is_free() {
        let mut names = Names::default();
        assert_eq!(names.add("tick-3"), "tick-3");
        assert_eq!(names.add("tick"), "tick");
        assert_eq!(names.add("tick"), "tick-2");
        assert_eq!(names.add("tick"), "tick-4");
        for number in 5..100_000 {
            assert_eq!(names.add("tick"), format!("tick-{number}"));
        }
    }
}
