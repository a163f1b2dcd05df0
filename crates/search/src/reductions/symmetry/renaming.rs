//! Renamings: the effect on the variables of a task, and on their values, of exchanging two objects.
//!
//! A renaming replaces each of two objects by the other in all facts, functions and actions. Whether the task stays
//! as it is when it is renamed is tested afterwards (`form`).

use rustc_hash::FxHashMap;

use brigade_task::layout::Variable;
use brigade_task::symbols::{GroundAction, GroundFact, Meaning, Value};
use brigade_task::{ObjectId, OperatorId, OperatorKind, PackedTask, TurnMode};

/// The variables, values and operators of a task by what they stand for.
pub(super) struct Index<'t> {
    task: &'t PackedTask,
    /// The variables of functions, activities and delayed effects.
    variables: FxHashMap<&'t GroundFact, u32>,
    /// The facts that are values of variables.
    facts: FxHashMap<&'t GroundFact, (u32, u32)>,
    /// By variable, the member of the list of live delayed effects whose it is.
    members: FxHashMap<u32, u32>,
    /// Each agent's operators.
    operators: FxHashMap<(u16, OperatorKind, Option<&'t GroundAction>), u32>,
}

/// A permutation of variables and their values that is its own inverse.
pub(super) struct Renaming {
    /// The variables that are about one of the objects, ascending.
    pub moved: Vec<u32>,
    /// For each variable the one that it becomes.
    pub variables: Vec<u32>,
    /// For each variable that is moved what its values become.
    pub values: FxHashMap<u32, Box<[u32]>>,
    /// The agents that change places.
    agents: Option<(u16, u16)>,
}

/// The places of meanings in the values of a variable.
struct Places<'l> {
    values: &'l [Value],
    /// Empty until it is needed.
    first: FxHashMap<&'l Meaning, u32>,
}

impl<'l> Places<'l> {
    fn new(values: &'l [Value]) -> Self {
        Self {
            values,
            first: FxHashMap::default(),
        }
    }

    /// A place of a meaning: `guess` as long as every guess was right, then the first.
    fn find(&mut self, meaning: &Meaning, guess: usize) -> Option<u32> {
        if self.first.is_empty() {
            let guessed = self.values.get(guess);
            if guessed.is_some_and(|value| value.meaning == *meaning) {
                return Some(guess as u32);
            }
            for (place, value) in (0..).zip(self.values) {
                self.first.entry(&value.meaning).or_insert(place);
            }
        }
        self.first.get(meaning).copied()
    }
}

/// Two objects that change places.
pub(super) type Pair = (ObjectId, ObjectId);

fn exchanged((left, right): Pair, object: ObjectId) -> ObjectId {
    match object {
        _ if object == left => right,
        _ if object == right => left,
        _ => object,
    }
}

fn exchanged_all(pair: Pair, objects: &[ObjectId]) -> Box<[ObjectId]> {
    let objects = objects.iter();
    objects.map(|&object| exchanged(pair, object)).collect()
}

fn exchanged_fact(pair: Pair, fact: &GroundFact) -> GroundFact {
    GroundFact {
        predicate: fact.predicate,
        arguments: exchanged_all(pair, &fact.arguments),
    }
}

fn exchanged_action(pair: Pair, action: &GroundAction) -> GroundAction {
    GroundAction {
        schema: action.schema,
        arguments: exchanged_all(pair, &action.arguments),
    }
}

/// The first fact that is a value of a variable.
fn first_fact(variable: &Variable) -> Option<&GroundFact> {
    variable
        .values
        .iter()
        .find_map(|value| match &value.meaning {
            Meaning::Fact(fact) => Some(fact),
            _ => None,
        })
}

impl<'t> Index<'t> {
    /// `None` if two things stand for the same.
    pub(super) fn new(task: &'t PackedTask) -> Option<Self> {
        let mut index = Self {
            task,
            variables: FxHashMap::default(),
            facts: FxHashMap::default(),
            members: FxHashMap::default(),
            operators: FxHashMap::default(),
        };
        for (variable, id) in task.variables.iter().zip(0..) {
            let of = variable.of.as_ref();
            if of.is_some_and(|of| index.variables.insert(of, id).is_some()) {
                return None;
            }
            for (value, place) in variable.values.iter().zip(0..) {
                if let Meaning::Fact(fact) = &value.meaning
                    && index.facts.insert(fact, (id, place)).is_some()
                {
                    return None;
                }
            }
        }
        let members = task.live.iter().flat_map(|live| &live.members);
        for (timers, member) in members.zip(0..) {
            if let Some(&timer) = timers.first() {
                let variable = task.timers[timer as usize].variable;
                index.members.insert(variable.0, member);
            }
        }
        for (operator, id) in task.operators.iter().zip(0..) {
            let key = (operator.agent, operator.kind, operator.action.as_ref());
            if index.operators.insert(key, id).is_some() {
                return None;
            }
        }
        Some(index)
    }

    /// The operator that an operator becomes, if there is one.
    pub(super) fn operator(&self, id: OperatorId, pair: Pair) -> Option<OperatorId> {
        let operator = self.task.operator(id);
        let agent = exchanged_agent(self.agents(pair), operator.agent);
        let action = operator.action.as_ref();
        let action = action.map(|action| exchanged_action(pair, action));
        let found = self.operators.get(&(agent, operator.kind, action.as_ref()));
        found.copied().map(OperatorId)
    }

    /// The renaming that exchanges two objects; `None` if a variable or value becomes one that the
    /// task does not have. `mentioning` are the variables that are about either, ascending.
    pub(super) fn renaming(&self, pair: Pair, mentioning: &[u32]) -> Option<Renaming> {
        let mut renaming = Renaming {
            moved: mentioning.to_vec(),
            variables: (0..self.task.variables.len() as u32).collect(),
            values: FxHashMap::default(),
            agents: self.agents(pair),
        };
        for &id in mentioning {
            let (target, values) = self.image(id, pair)?;
            let (old, new) = (self.variable(id), self.variable(target));
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
    pub(super) fn agents_in_turn(&self) -> Option<[ObjectId; 2]> {
        match &self.task.agents[..] {
            [left, right] if self.task.turns == TurnMode::Alternate => {
                Some([left.object?, right.object?])
            }
            _ => None,
        }
    }

    /// The agents that change places with two objects.
    fn agents(&self, (left, right): Pair) -> Option<(u16, u16)> {
        let pair = self.agents_in_turn()?;
        (pair == [left, right] || pair == [right, left]).then_some((0, 1))
    }

    fn variable(&self, id: u32) -> &'t Variable {
        &self.task.variables[id as usize]
    }

    /// The image of a variable, and those of its values.
    fn image(&self, id: u32, pair: Pair) -> Option<(u32, Box<[u32]>)> {
        let variable = self.variable(id);
        let target = if let Some(of) = &variable.of {
            *self.variables.get(&exchanged_fact(pair, of))?
        } else if let Some(fact) = first_fact(variable) {
            self.facts.get(&exchanged_fact(pair, fact))?.0
        } else {
            id
        };
        let mut places = Places::new(&self.variable(target).values);
        let values = variable.values.iter().enumerate();
        let values = values.map(|(place, value)| match &value.meaning {
            Meaning::Fact(fact) => {
                let (of, value) = *self.facts.get(&exchanged_fact(pair, fact))?;
                (of == target).then_some(value)
            }
            other => places.find(&self.exchanged(pair, other)?, place),
        });
        Some((target, values.collect::<Option<_>>()?))
    }

    /// The meaning with two objects exchanged.
    fn exchanged(&self, pair: Pair, meaning: &Meaning) -> Option<Meaning> {
        Some(match meaning {
            Meaning::Nothing | Meaning::Number(_) => meaning.clone(),
            Meaning::Fact(fact) => Meaning::Fact(exchanged_fact(pair, fact)),
            Meaning::Object(object) => Meaning::Object(exchanged(pair, *object)),
            Meaning::Activity(action) => Meaning::Activity(exchanged_action(pair, action)),
            Meaning::Member(member) => {
                let of = exchanged_fact(pair, self.member(*member)?);
                Meaning::Member(*self.members.get(self.variables.get(&of)?)?)
            }
        })
    }

    /// The delayed effect that a member of the list of live ones is.
    pub(super) fn member(&self, member: u32) -> Option<&'t GroundFact> {
        let members = &self.task.live.as_ref()?.members;
        let &timer = members.get(member as usize)?.first()?;
        let variable = self.task.timers[timer as usize].variable;
        self.variable(variable.0).of.as_ref()
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
