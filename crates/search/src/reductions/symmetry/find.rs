//! Finds interchangeable objects: pairs of names whose exchange leaves the task as it is.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::form::{Fixed, Forms, Reader};
use super::order::mentions;
use super::renaming::{Names, Renaming, words};
use crate::control::Control;
use brigade_task::atom::Atom;
use brigade_task::bits::Bits;
use brigade_task::layout::VariableKind;
use brigade_task::{OperatorId, PackedTask};

/// So many forms may be compared before the search for symmetry is given up; what was found by then
/// holds.
const MOST_WORK: u64 = 10_000_000;

/// A place where a name occurs: in what, after which first word, in which position.
type Place<'t> = (u8, u16, &'t str, usize);

/// A name that occurs in the texts of a task.
#[derive(Default)]
struct Name<'t> {
    places: BTreeMap<Place<'t>, u32>,
    /// The variables that mention it, ascending.
    variables: Vec<u32>,
    /// The operators that mention it, ascending.
    operators: Vec<u32>,
}

/// Objects any two of which may change places.
pub(super) struct Class {
    /// For each two neighbours what their exchange does.
    pub(super) exchanges: Vec<Renaming>,
}

/// The inputs of the comparisons.
struct Finder<'t> {
    fixed: Fixed<'t>,
    names: Names<'t>,
    forms: Forms,
    /// The forms of each operator, of the ends and of the rest as they are.
    operators: Vec<u64>,
    surroundings: Vec<u64>,
    /// The variables that each operator reads or writes.
    bits: Vec<Bits>,
}

/// All classes of interchangeable objects that exchanges of two names show.
pub(super) fn classes(task: &PackedTask, control: &dyn Control) -> Vec<Class> {
    let Some(names) = Names::new(task) else {
        return Vec::new();
    };
    let (order, mut known) = collect(task, &names);
    let mut alike: BTreeMap<&BTreeMap<Place, u32>, Vec<&str>> = BTreeMap::new();
    for &name in &order {
        alike.entry(&known[name].places).or_default().push(name);
    }
    let mut candidates: Vec<Vec<&str>> = alike.into_values().collect();
    if let Some(pair) = names.agents_in_turn() {
        for name in pair {
            add_agent(task, name, known.entry(name).or_default());
        }
        for names in &mut candidates {
            names.retain(|name| !pair.contains(name));
        }
        candidates.push(pair.into());
    }
    candidates.retain(|names| names.len() > 1);
    if candidates.is_empty() {
        return Vec::new();
    }
    let Some(mut finder) = Finder::new(task, names, control) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for candidates in candidates {
        let mut classes: Vec<Vec<&str>> = Vec::new();
        for name in candidates {
            if finder.forms.work > MOST_WORK || control.stop().is_some() {
                break;
            }
            let class = classes.iter_mut().find(|class| {
                let pair = (class[0], name);
                finder.is_symmetric(pair, &known[class[0]], &known[name])
            });
            match class {
                Some(class) => class.push(name),
                None => classes.push(vec![name]),
            }
        }
        found.extend(classes.into_iter().filter(|class| class.len() > 1));
    }
    let class = |members: Vec<&str>| {
        let exchanges = members.windows(2).filter_map(|pair| {
            let mentioning = union(&known[pair[0]].variables, &known[pair[1]].variables);
            finder.names.renaming((pair[0], pair[1]), &mentioning)
        });
        Class {
            exchanges: exchanges.collect(),
        }
    };
    found.into_iter().map(class).collect()
}

/// Adds what becomes that of another agent: an agent's operators, and whose turn it is.
fn add_agent(task: &PackedTask, name: &str, found: &mut Name) {
    let own = task.agents.iter().find(|agent| agent.name == name);
    let own: Vec<u32> = own.map_or_else(Vec::new, |agent| {
        agent.operators.iter().map(|id| id.0).collect()
    });
    found.operators = union(&found.operators, &own);
    let turn: Vec<u32> = task.turn.iter().map(|id| id.0).collect();
    found.variables = union(&found.variables, &turn);
}

/// The names that occur in texts, in order of appearance, and where.
fn collect<'t>(
    task: &'t PackedTask,
    names: &Names<'t>,
) -> (Vec<&'t str>, FxHashMap<&'t str, Name<'t>>) {
    let mut order = Vec::new();
    let mut known: FxHashMap<&str, Name> = FxHashMap::default();
    let mut visit = |text: &'t str, (source, agent): (u8, u16), head: Option<&'t str>, variable| {
        let mut words = words(text);
        let head = head.or_else(|| words.next()).unwrap_or_default();
        for (place, word) in words.enumerate() {
            let name = known.entry(word).or_insert_with(|| {
                order.push(word);
                Name::default()
            });
            *name.places.entry((source, agent, head, place)).or_default() += 1;
            let (list, id): (_, u32) = match variable {
                Ok(variable) => (&mut name.variables, variable),
                Err(operator) => (&mut name.operators, operator),
            };
            if list.last() != Some(&id) {
                list.push(id);
            }
        }
    };
    for (variable, id) in task.variables.iter().zip(0..) {
        let name = names.variable(id);
        match variable.kind {
            VariableKind::Facts => {
                for text in &variable.values {
                    visit(text, (0, 0), None, Ok(id));
                }
            }
            VariableKind::Object | VariableKind::Activity | VariableKind::Live => {
                visit(name, (1, 0), None, Ok(id));
                let head = words(name).next().unwrap_or_default();
                for text in &variable.values {
                    visit(text, (2, 0), Some(head), Ok(id));
                }
            }
            VariableKind::Integer { .. }
            | VariableKind::Timer
            | VariableKind::Derived
            | VariableKind::Clock => visit(name, (1, 0), None, Ok(id)),
        }
    }
    for (operator, id) in task.operators.iter().zip(0..) {
        visit(&operator.name, (3, operator.agent), None, Err(id));
    }
    (order, known)
}

/// The members of two ascending lists, ascending.
fn union(left: &[u32], right: &[u32]) -> Vec<u32> {
    let mut all = [left, right].concat();
    all.sort_unstable();
    all.dedup();
    all
}

impl<'t> Finder<'t> {
    /// `None` once `control` says stop.
    fn new(task: &'t PackedTask, names: Names<'t>, control: &dyn Control) -> Option<Self> {
        let fixed = Fixed::new(task);
        let mut forms = Forms::default();
        let identity = Renaming::identity(task.variables.len());
        let mut reader = Reader::new(&fixed, &identity, &mut forms);
        let mut operators = Vec::with_capacity(task.operators.len());
        for operator in &task.operators {
            if control.stop().is_some() {
                return None;
            }
            operators.push(reader.operator(operator));
        }
        let surroundings = reader.surroundings();
        let bits = task.operators.iter().map(|operator| {
            let mut bits = Bits::default();
            for fact in &operator.facts {
                fact.reads(&task.variables, &mut bits);
            }
            operator.guard.reads(&task.variables, &mut bits);
            mentions(&operator.effect, &task.variables, &mut bits);
            bits
        });
        Some(Self {
            names,
            operators,
            surroundings,
            bits: bits.collect(),
            fixed,
            forms,
        })
    }

    /// Returns whether the task is the same when two names are exchanged: each operator becomes one
    /// that needs and does the same, and goal, losses, events, delayed effects and axioms stay.
    fn is_symmetric(&mut self, pair: (&str, &str), left: &Name, right: &Name) -> bool {
        let mentioning = union(&left.variables, &right.variables);
        let Some(renaming) = self.names.renaming(pair, &mentioning) else {
            return false;
        };
        let task = self.fixed.task;
        let mut reader = Reader::new(&self.fixed, &renaming, &mut self.forms);
        let mut moved = Bits::default();
        for &id in &renaming.moved {
            moved.variable(&task.variables[id as usize]);
        }
        let named = union(&left.operators, &right.operators);
        for (index, operator) in task.operators.iter().enumerate() {
            let id = OperatorId(index as u32);
            let target = match named.binary_search(&id.0) {
                Ok(_) => self.names.operator(id, pair),
                Err(_) if self.bits[index].meets(&moved) => Some(id),
                Err(_) => continue,
            };
            let Some(target) = target else {
                return false;
            };
            if reader.operator(operator) != self.operators[target.index()] {
                return false;
            }
        }
        reader.surroundings() == self.surroundings && !reader.has_failed
    }
}
