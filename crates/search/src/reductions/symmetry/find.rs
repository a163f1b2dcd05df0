//! Finds interchangeable objects: pairs of objects whose exchange leaves the task as it is.

use std::collections::BTreeMap;

use super::form::{Fixed, Forms, Reader};
use super::order::mentions;
use super::renaming::{Index, Pair, Renaming};
use crate::control::Control;
use brigade_task::layout::VariableKind;
use brigade_task::symbols::{GroundFact, Meaning};
use brigade_task::{ObjectId, OperatorId, PackedTask, State, VarId, VariableSet};

/// So many forms may be compared before the search for symmetry is given up; what was found by then
/// holds.
const MOST_WORK: u64 = 10_000_000;

/// A kind of thing that objects occur in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Source {
    /// A fact that is a value of a variable.
    Fact,
    /// The function, activity or delayed effect whose value a variable is; a derived fact.
    Variable,
    /// A value of such a variable.
    Value,
    /// An operator of an agent.
    Operator(u16),
}

/// A place in which objects occur: in a source, of a predicate or schema, by its number.
type Place<'t> = (Source, &'t str, usize);

/// The occurrences of an object in a task.
#[derive(Clone, Default)]
struct Occurrences<'t> {
    places: BTreeMap<Place<'t>, u32>,
    /// The variables that mention it, ascending.
    variables: Vec<u32>,
    /// The operators that mention it, ascending.
    operators: Vec<u32>,
}

/// The occurrences of all objects in a task.
struct Collector<'t> {
    task: &'t PackedTask,
    /// The objects that occur, in order of appearance.
    order: Vec<ObjectId>,
    /// By object.
    found: Vec<Occurrences<'t>>,
}

/// Objects any two of which may change places.
pub(super) struct Class {
    /// For each two neighbours what their exchange does.
    pub(super) exchanges: Vec<Renaming>,
}

/// The inputs of the comparisons.
struct Finder<'t> {
    fixed: Fixed<'t>,
    index: Index<'t>,
    forms: Forms,
    /// The forms of each operator, of the ends and of the rest as they are.
    operators: Vec<u64>,
    surroundings: Vec<u64>,
    /// The variables that each operator reads or writes.
    mentioned: Vec<VariableSet>,
}

/// All classes of interchangeable objects that exchanges of two objects show.
pub(super) fn classes(task: &PackedTask, control: &dyn Control) -> Vec<Class> {
    each_class(task, control, |class| {
        let exchanges = class.members.windows(2);
        Class {
            exchanges: exchanges
                .filter_map(|pair| class.renaming((pair[0], pair[1])))
                .collect(),
        }
    })
}

/// The objects any two of which may change places without a change of the task or of a state, agents
/// left out, by class.
pub(super) fn alike_in(
    task: &PackedTask,
    state: &State,
    control: &dyn Control,
) -> Vec<Vec<ObjectId>> {
    let is_agent = |object: ObjectId| task.agents.iter().any(|it| it.object == Some(object));
    let alike = each_class(task, control, |class| {
        let mut alike: Vec<Vec<ObjectId>> = Vec::new();
        for &object in class.members.iter().filter(|&&object| !is_agent(object)) {
            let group = alike.iter_mut().find(|group| {
                let renaming = class.renaming((group[0], object));
                renaming.is_some_and(|renaming| fixes(task, &renaming, state))
            });
            match group {
                Some(group) => group.push(object),
                None => alike.push(vec![object]),
            }
        }
        alike
    });
    let mut alike: Vec<Vec<ObjectId>> = alike.into_iter().flatten().collect();
    alike.retain(|group| group.len() > 1);
    alike
}

/// Returns true if a renaming leaves a state as it is.
fn fixes(task: &PackedTask, renaming: &Renaming, state: &State) -> bool {
    renaming.moved.iter().all(|&to| {
        let from = renaming.variable(to);
        let value = |id: u32| task.variables[id as usize].field().get(state);
        renaming.values[&from][value(from) as usize] == value(to)
    })
}

/// A class that was found, by its members.
struct Found<'f, 't> {
    members: Vec<ObjectId>,
    known: &'f [Occurrences<'t>],
    index: &'f Index<'t>,
}

impl Found<'_, '_> {
    fn renaming(&self, pair: Pair) -> Option<Renaming> {
        let of = |object: ObjectId| &self.known[object.index()].variables;
        self.index.renaming(pair, &union(of(pair.0), of(pair.1)))
    }
}

/// Finds all classes, and what `made` makes of each.
fn each_class<R>(
    task: &PackedTask,
    control: &dyn Control,
    made: impl Fn(&Found<'_, '_>) -> R,
) -> Vec<R> {
    let Some(index) = Index::new(task) else {
        return Vec::new();
    };
    let Collector {
        order,
        found: mut known,
        ..
    } = Collector::new(task, &index);
    let mut alike: BTreeMap<&BTreeMap<Place, u32>, Vec<ObjectId>> = BTreeMap::new();
    for &object in &order {
        let places = &known[object.index()].places;
        alike.entry(places).or_default().push(object);
    }
    let mut candidates: Vec<Vec<ObjectId>> = alike.into_values().collect();
    if let Some(pair) = index.agents_in_turn() {
        for object in pair {
            add_agent(task, object, &mut known[object.index()]);
        }
        for objects in &mut candidates {
            objects.retain(|object| !pair.contains(object));
        }
        candidates.push(pair.into());
    }
    candidates.retain(|objects| objects.len() > 1);
    if candidates.is_empty() {
        return Vec::new();
    }
    let Some(mut finder) = Finder::new(task, index, control) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for candidates in candidates {
        let mut classes: Vec<Vec<ObjectId>> = Vec::new();
        for object in candidates {
            if finder.forms.work > MOST_WORK || control.stop().is_some() {
                break;
            }
            let class = classes.iter_mut().find(|class| {
                let (left, right) = (class[0].index(), object.index());
                finder.is_symmetric((class[0], object), &known[left], &known[right])
            });
            match class {
                Some(class) => class.push(object),
                None => classes.push(vec![object]),
            }
        }
        found.extend(classes.into_iter().filter(|class| class.len() > 1));
    }
    let found = found.into_iter().map(|members| {
        made(&Found {
            members,
            known: &known,
            index: &finder.index,
        })
    });
    found.collect()
}

/// Adds what becomes that of another agent: an agent's operators, and whose turn it is.
fn add_agent(task: &PackedTask, object: ObjectId, found: &mut Occurrences) {
    let mut agents = task.agents.iter();
    let own = agents.find(|agent| agent.object == Some(object));
    let own: Vec<u32> = own.map_or_else(Vec::new, |agent| {
        agent.operators.iter().map(|id| id.0).collect()
    });
    found.operators = union(&found.operators, &own);
    let turn: Vec<u32> = task.turn.iter().map(|id| id.0).collect();
    found.variables = union(&found.variables, &turn);
}

impl<'t> Collector<'t> {
    fn new(task: &'t PackedTask, index: &Index<'t>) -> Self {
        let mut collector = Self {
            task,
            order: Vec::new(),
            found: vec![Occurrences::default(); task.symbols.objects.len()],
        };
        for (variable, id) in task.variables.iter().zip(0..) {
            if variable.kind == VariableKind::Clock {
                continue;
            }
            if let Some(of) = &variable.of {
                collector.fact(Source::Variable, of, id);
            }
            let of = variable.of.as_ref();
            let head = of.map_or("", |of| task.symbols.predicate(of.predicate));
            for value in &variable.values {
                match &value.meaning {
                    Meaning::Nothing | Meaning::Number(_) => {}
                    Meaning::Fact(fact) if variable.kind == VariableKind::Derived => {
                        collector.fact(Source::Variable, fact, id);
                    }
                    Meaning::Fact(fact) => collector.fact(Source::Fact, fact, id),
                    Meaning::Member(member) => {
                        let member = index.member(*member).into_iter();
                        member.for_each(|of| collector.fact(Source::Value, of, id));
                    }
                    Meaning::Object(_) | Meaning::Activity(_) => {
                        let objects = value.meaning.objects();
                        collector.visit((Source::Value, head), objects, Ok(id));
                    }
                }
            }
        }
        for (operator, id) in task.operators.iter().zip(0..) {
            if let Some(action) = &operator.action {
                let source = Source::Operator(operator.agent);
                let head = task.symbols.schema(action.schema);
                collector.visit((source, head), &action.arguments, Err(id));
            }
        }
        collector
    }

    /// Adds the occurrences in a fact that a variable mentions.
    fn fact(&mut self, source: Source, fact: &'t GroundFact, id: u32) {
        let head = self.task.symbols.predicate(fact.predicate);
        self.visit((source, head), &fact.arguments, Ok(id));
    }

    /// Adds the occurrences of objects in a list, which a variable or else an operator mentions.
    fn visit(
        &mut self,
        (source, head): (Source, &'t str),
        objects: &[ObjectId],
        id: Result<u32, u32>,
    ) {
        for (place, &object) in objects.iter().enumerate() {
            let found = &mut self.found[object.index()];
            if found.places.is_empty() {
                self.order.push(object);
            }
            *found.places.entry((source, head, place)).or_default() += 1;
            let (list, id) = match id {
                Ok(variable) => (&mut found.variables, variable),
                Err(operator) => (&mut found.operators, operator),
            };
            if list.last() != Some(&id) {
                list.push(id);
            }
        }
    }
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
    fn new(task: &'t PackedTask, index: Index<'t>, control: &dyn Control) -> Option<Self> {
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
        let mentioned = task.operators.iter().map(|operator| {
            let facts = operator.facts.iter();
            let mut variables: VariableSet = facts.map(|fact| fact.variable).collect();
            operator.guard.reads(&mut variables);
            mentions(&operator.effect, &mut variables);
            variables
        });
        Some(Self {
            index,
            operators,
            surroundings,
            mentioned: mentioned.collect(),
            fixed,
            forms,
        })
    }

    /// Returns true if the task is the same when two objects are exchanged: each operator becomes one that
    /// needs and does the same, and goal, losses, events, delayed effects and axioms stay.
    fn is_symmetric(&mut self, pair: Pair, left: &Occurrences, right: &Occurrences) -> bool {
        let mentioning = union(&left.variables, &right.variables);
        let Some(renaming) = self.index.renaming(pair, &mentioning) else {
            return false;
        };
        let task = self.fixed.task;
        let mut reader = Reader::new(&self.fixed, &renaming, &mut self.forms);
        let moved: VariableSet = renaming.moved.iter().copied().map(VarId).collect();
        let named = union(&left.operators, &right.operators);
        for (index, operator) in task.operators.iter().enumerate() {
            let id = OperatorId(index as u32);
            let target = match named.binary_search(&id.0) {
                Ok(_) => self.index.operator(id, pair),
                Err(_) if self.mentioned[index].meets(&moved) => Some(id),
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
