//! Renamings: the images of the variables of a task, and of their values, when two objects change
//! places.
//!
//! A task has no objects any more, but its variables, values and operators are named by ground
//! atoms. A renaming replaces each of two names by the other in these texts. Nothing rests on the
//! names: a test follows that the renamed task is the same (`form`).

use rustc_hash::FxHashMap;

use brigade_task::layout::{Variable, VariableKind};
use brigade_task::{OperatorId, PackedTask, TurnMode};

/// The places where the texts of a task occur.
pub(super) struct Names<'t> {
    task: &'t PackedTask,
    /// Names of variables. Those of delayed effects are the delayed effects' own.
    variables: FxHashMap<&'t str, u32>,
    /// Atoms that are values of variables.
    atoms: FxHashMap<&'t str, (u32, u32)>,
    /// Names of each agent's operators.
    operators: FxHashMap<(u16, &'t str), u32>,
    /// The name of each variable.
    own: Vec<&'t str>,
}

/// A permutation of variables and their values that is its own inverse.
pub(super) struct Renaming {
    /// The variables whose texts change, ascending.
    pub moved: Vec<u32>,
    /// For each variable the one that it becomes.
    pub variables: Vec<u32>,
    /// For each variable that is moved what its values become.
    pub values: FxHashMap<u32, Box<[u32]>>,
    /// The agents that change places.
    agents: Option<(u16, u16)>,
}

/// The places of texts in a list.
struct Places<'l> {
    list: &'l [String],
    /// Empty until it is needed.
    first: FxHashMap<&'l str, u32>,
}

impl<'l> Places<'l> {
    fn new(list: &'l [String]) -> Self {
        Self {
            list,
            first: FxHashMap::default(),
        }
    }

    /// A place of a text: `guess` as long as every guess was right, then the first.
    fn find(&mut self, text: &str, guess: usize) -> Option<u32> {
        if self.first.is_empty() {
            if self.list.get(guess).is_some_and(|other| other == text) {
                return Some(guess as u32);
            }
            for (place, text) in (0..).zip(self.list) {
                self.first.entry(text).or_insert(place);
            }
        }
        self.first.get(text).copied()
    }
}

/// Returns whether a character is part of a name.
fn is_of_name(character: char) -> bool {
    !character.is_whitespace() && !matches!(character, '(' | ')' | '|')
}

/// The names in a text.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|character| !is_of_name(character))
        .filter(|word| !word.is_empty())
}

/// The text with two names exchanged.
fn exchange(text: &str, (left, right): (&str, &str)) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.find(|c| !is_of_name(c)).unwrap_or(rest.len());
        let word = &rest[..end];
        result.push_str(match word {
            _ if word == left => right,
            _ if word == right => left,
            _ => word,
        });
        rest = &rest[end..];
        let end = rest.find(is_of_name).unwrap_or(rest.len());
        result.push_str(&rest[..end]);
        rest = &rest[end..];
    }
    result
}

impl<'t> Names<'t> {
    /// `None` if two things have the same name.
    pub(super) fn new(task: &'t PackedTask) -> Option<Self> {
        let mut own: Vec<&str> = task.variables.iter().map(|v| v.name.as_str()).collect();
        for timer in &task.timers {
            own[timer.variable.index()] = &timer.name;
        }
        let mut names = Self {
            task,
            variables: FxHashMap::default(),
            atoms: FxHashMap::default(),
            operators: FxHashMap::default(),
            own,
        };
        for (variable, id) in task.variables.iter().zip(0..) {
            if names.variables.insert(names.own[id as usize], id).is_some() {
                return None;
            }
            if variable.kind == VariableKind::Facts {
                for (text, value) in variable.values.iter().zip(0..) {
                    let is_new = names.atoms.insert(text, (id, value)).is_none();
                    if text.starts_with('(') && !is_new {
                        return None;
                    }
                }
            }
        }
        for (operator, id) in task.operators.iter().zip(0..) {
            let key = (operator.agent, operator.name.as_str());
            if names.operators.insert(key, id).is_some() {
                return None;
            }
        }
        Some(names)
    }

    /// The name of a variable.
    pub(super) fn variable(&self, id: u32) -> &'t str {
        self.own[id as usize]
    }

    /// The operator that an operator becomes, if there is one.
    pub(super) fn operator(&self, id: OperatorId, pair: (&str, &str)) -> Option<OperatorId> {
        let operator = self.task.operator(id);
        let name = exchange(&operator.name, pair);
        let agent = exchanged_agent(self.agents(pair), operator.agent);
        let found = self.operators.get(&(agent, name.as_str()));
        found.copied().map(OperatorId)
    }

    /// The renaming that exchanges two names; `None` if a variable or value becomes one that the
    /// task does not have. `mentioning` are the variables in whose texts either occurs, ascending.
    pub(super) fn renaming(&self, pair: (&str, &str), mentioning: &[u32]) -> Option<Renaming> {
        let mut renaming = Renaming {
            moved: mentioning.to_vec(),
            variables: (0..self.task.variables.len() as u32).collect(),
            values: FxHashMap::default(),
            agents: self.agents(pair),
        };
        for &id in mentioning {
            let (target, values) = self.image(id, pair)?;
            let (old, new) = (self.of(id), self.of(target));
            if old.kind != new.kind || old.size != new.size || !is_permutation(&values) {
                return None;
            }
            renaming.variables[id as usize] = target;
            renaming.values.insert(id, values);
        }
        renaming.is_involution().then_some(renaming)
    }

    /// The agents that may be interchangeable: two who move in turn. Of agents who choose in one
    /// step the first acts first, and what they do at once depends on who that is.
    pub(super) fn agents_in_turn(&self) -> Option<[&'t str; 2]> {
        match &self.task.agents[..] {
            [left, right] if self.task.turns == TurnMode::Alternate => {
                Some([&left.name, &right.name])
            }
            _ => None,
        }
    }

    /// The agents that change places with two names.
    fn agents(&self, (left, right): (&str, &str)) -> Option<(u16, u16)> {
        let pair = self.agents_in_turn()?;
        (pair == [left, right] || pair == [right, left]).then_some((0, 1))
    }

    fn of(&self, id: u32) -> &'t Variable {
        &self.task.variables[id as usize]
    }

    /// The image of a variable and of its values.
    fn image(&self, id: u32, pair: (&str, &str)) -> Option<(u32, Box<[u32]>)> {
        let variable = self.of(id);
        if variable.kind != VariableKind::Facts {
            let target = *self
                .variables
                .get(exchange(self.own[id as usize], pair).as_str())?;
            let mut places = Places::new(&self.of(target).values);
            let values = variable.values.iter().enumerate();
            let values = values.map(|(value, text)| places.find(&exchange(text, pair), value));
            return Some((target, values.collect::<Option<_>>()?));
        }
        // The name of a set of facts depends on their order; their texts do not.
        let mut target = None;
        let mut values = Vec::with_capacity(variable.values.len());
        for text in &variable.values {
            if text.starts_with('(') {
                let (new, value) = *self.atoms.get(exchange(text, pair).as_str())?;
                if *target.get_or_insert(new) != new {
                    return None;
                }
                values.push(value);
            } else {
                values.push(u32::MAX);
            }
        }
        let target = target?;
        let mut places = Places::new(&self.of(target).values);
        for (index, (value, text)) in values.iter_mut().zip(&variable.values).enumerate() {
            if *value == u32::MAX {
                *value = places.find(text, index)?;
            }
        }
        Some((target, values.into()))
    }
}

fn exchanged_agent(agents: Option<(u16, u16)>, agent: u16) -> u16 {
    match agents {
        Some((left, right)) if agent == left => right,
        Some((left, right)) if agent == right => left,
        _ => agent,
    }
}

fn is_permutation(values: &[u32]) -> bool {
    let mut is_met = vec![false; values.len()];
    values.iter().all(|&value| {
        let place = is_met.get_mut(value as usize);
        place.is_some_and(|is_met| !std::mem::replace(is_met, true))
    })
}

impl Renaming {
    /// Moves nothing.
    pub(super) fn identity(variables: usize) -> Self {
        Self {
            moved: Vec::new(),
            variables: (0..variables as u32).collect(),
            values: FxHashMap::default(),
            agents: None,
        }
    }

    /// The agent that an agent becomes.
    pub(super) fn agent(&self, agent: u16) -> u16 {
        exchanged_agent(self.agents, agent)
    }

    /// The variable that a variable becomes.
    pub(super) fn variable(&self, id: u32) -> u32 {
        self.variables[id as usize]
    }

    /// The image of a value of a variable.
    pub(super) fn value(&self, id: u32, value: u32) -> u32 {
        self.values
            .get(&id)
            .map_or(value, |values| values[value as usize])
    }

    fn is_involution(&self) -> bool {
        self.moved.iter().all(|&id| {
            let target = self.variable(id);
            let values = &self.values[&id];
            let back = self.values.get(&target);
            self.variable(target) == id
                && back.is_some_and(|back| {
                    (0..)
                        .zip(values)
                        .all(|(value, &new)| back[new as usize] == value)
                })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_change_places_and_parts_of_names_do_not() {
        let text = "(on a b) | (on b a) | (on ab ba) a";
        assert_eq!(
            exchange(text, ("a", "b")),
            "(on b a) | (on a b) | (on ab ba) b"
        );
    }
}
