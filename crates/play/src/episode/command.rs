//! Commands: what an agent writes, and the operator it means.
//!
//! An operator may be written as its ground name in PDDL, `(pickup chef egg counter0)`, with or without the acting
//! agent and the parentheses; as its command, in the form that agents see, `pickup(egg, counter)`; in the form of any
//! other label that it may record; or as its `:text`. The command of one operator does not mean another that records
//! the same. Case and spacing do not matter. `wait(n)` waits n times, as often as the domain allows at once, and
//! `continue` goes on with the started action, as in a plan.

use std::collections::{BTreeMap, BTreeSet};

use super::refusal::{Refusal, Rule};
use brigade_diagnostics::suggest;
use brigade_diagnostics::words::counted;
use brigade_task::effect::Effect;
use brigade_task::layout::VariableKind;
use brigade_task::{
    Fact, LabelId, Operator, OperatorId, OperatorKind, PackedTask, Phase, State, Task, VarId,
};

/// Longer commands are refused unread.
const MAX_COMMAND_BYTES: usize = 1000;

/// No `wait(n)` waits longer than this where the domain sets no limit.
const MAX_WAITS: u32 = 10_000;

/// The most characters of a refused command that are repeated.
const SHOWN: usize = 200;

/// The most of an agent's legal operators that a refusal lists.
const LISTED: usize = 12;

/// A command that was understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Command {
    /// The operator of this timestep.
    pub operator: OperatorId,
    /// For how many timesteps the agent waits, this one included; 1 for any other operator.
    pub repeat: u32,
}

/// The ways to write each agent's operators.
#[derive(Clone, Debug)]
pub struct Lexicon {
    agents: Vec<Vocabulary>,
}

/// From a normalised spelling to the operators it may mean, ascending.
type Forms = BTreeMap<String, Vec<OperatorId>>;

/// One agent's forms, in the order in which they are tried.
#[derive(Clone, Debug, Default)]
struct Vocabulary {
    names: Forms,
    commands: Forms,
    labels: Forms,
    texts: Forms,
    /// The commands that can never be given, with their places in
    /// [`Observation::never`](brigade_task::observation::Observation).
    never: BTreeMap<String, usize>,
}

impl Lexicon {
    /// The lexicon of a task.
    pub fn new(task: &PackedTask) -> Self {
        let mut agents = vec![Vocabulary::default(); task.agents.len()];
        for (index, agent) in task.agents.iter().enumerate() {
            let vocabulary = &mut agents[index];
            let commands = task.observation.commands.get(index);
            for &id in &agent.operators {
                let operator = task.operator(id);
                let mut add = |forms: fn(&mut Vocabulary) -> &mut Forms, text: &str| {
                    let ids = forms(vocabulary).entry(normalise(text)).or_default();
                    if ids.last() != Some(&id) {
                        ids.push(id);
                    }
                };
                add(|v| &mut v.names, &operator.name);
                // Going on records the labels of whatever is under way; they do not name it.
                if operator.kind == OperatorKind::Continue {
                    continue;
                }
                add(|v| &mut v.names, &without_agent(task, operator));
                if let Some(command) = commands.and_then(|commands| commands.get(&operator.name)) {
                    add(|v| &mut v.commands, command);
                }
                add(|v| &mut v.texts, &operator.text);
                for label in labels(task, id) {
                    add(|v| &mut v.labels, task.label(label));
                }
            }
        }
        for (place, never) in task.observation.never.iter().enumerate() {
            for form in &never.forms {
                let known = agents[usize::from(never.agent)]
                    .never
                    .entry(normalise(form));
                known.or_insert(place);
            }
        }
        Self { agents }
    }

    /// The command that `text` means for an agent in a state, if it may be given there.
    ///
    /// A form that fits several operators means the first of them that is applicable; one that the
    /// agent has started and not finished means to go on with it.
    pub fn resolve(
        &self,
        task: &PackedTask,
        state: &State,
        agent: usize,
        text: &str,
    ) -> Result<Command, Box<Refusal>> {
        let key = check_form(text).map_err(|why| {
            Box::new(Refusal {
                reasons: vec![why.to_owned()],
                ..refuse(task, state, agent, text, Rule::Malformed)
            })
        })?;
        let once = |operator| Command {
            operator,
            repeat: 1,
        };
        let candidates = self.agents[agent].candidates(&key);
        let Some(&first) = candidates.first() else {
            if let Some((operator, timesteps)) = waits(task, agent, &key) {
                let repeat = admit_wait(task, state, agent, text, timesteps)?;
                return admit(task, state, agent, operator, text)
                    .map(|()| Command { operator, repeat });
            }
            return Err(Box::new(self.unknown(task, state, agent, text, &key)));
        };
        let applicable = candidates
            .iter()
            .find(|&&operator| task.is_applicable(state, operator));
        if let Some(&operator) = applicable {
            return Ok(once(operator));
        }
        if let Some(operator) = going_on(task, state, agent, candidates) {
            return Ok(once(operator));
        }
        admit(task, state, agent, first, text).map(|()| once(first))
    }

    /// The labels that a command of an agent may record, whatever the state; `None` if it names no
    /// operator of the agent. A text in the form of a label means that label.
    pub fn labels(&self, task: &PackedTask, agent: usize, text: &str) -> Option<Vec<LabelId>> {
        let key = check_form(text).ok()?;
        let vocabulary = self.agents.get(agent)?;
        let recorded = |operators: &[OperatorId]| -> BTreeSet<LabelId> {
            let operators = operators.iter();
            operators.flat_map(|&id| labels(task, id)).collect()
        };
        if let Some(operators) = vocabulary.labels.get(&key) {
            let meant = recorded(operators).into_iter();
            let meant = meant.filter(|&label| normalise(task.label(label)) == key);
            return Some(meant.collect());
        }
        let operators = vocabulary.candidates(&key);
        let is_known = !operators.is_empty() || waits(task, agent, &key).is_some();
        is_known.then(|| recorded(operators).into_iter().collect())
    }

    fn unknown(
        &self,
        task: &PackedTask,
        state: &State,
        agent: usize,
        text: &str,
        key: &str,
    ) -> Refusal {
        let others = || self.agents.iter().enumerate().filter(|(i, _)| *i != agent);
        let of_other = others().find_map(|(_, vocabulary)| vocabulary.candidates(key).first());
        if let Some(&operator) = of_other {
            return Refusal {
                operator: Some(task.operator(operator).name.clone()),
                ..refuse(task, state, agent, text, Rule::NotYourOperator)
            };
        }
        let vocabulary = &self.agents[agent];
        if let Some(&never) = vocabulary.never.get(key) {
            let rule = broken(task, state, agent);
            let requirements = task.observation.never[never].requirements.iter();
            let unmet = requirements.filter(|(cond, _)| !cond.holds(&task.variables, state));
            let reasons = unmet.filter(|_| rule == Rule::Precondition);
            return Refusal {
                reasons: reasons.map(|(_, reason)| reason.clone()).collect(),
                ..refuse(task, state, agent, text, rule)
            };
        }
        let forms = vocabulary.forms();
        let spellings = forms.iter().flat_map(|forms| forms.keys());
        let near = suggest(key, spellings.map(String::as_str));
        let meant = near.and_then(|near| vocabulary.candidates(near).first());
        Refusal {
            suggestion: meant.map(|&operator| display(task, operator)),
            ..refuse(task, state, agent, text, Rule::UnknownAction)
        }
    }
}

impl Vocabulary {
    fn forms(&self) -> [&Forms; 4] {
        [&self.names, &self.commands, &self.labels, &self.texts]
    }

    fn candidates(&self, key: &str) -> &[OperatorId] {
        self.forms()
            .iter()
            .find_map(|forms| forms.get(key))
            .map_or(&[], Vec::as_slice)
    }
}

/// Admits an operator that an agent may choose in a state, or explains the refusal. `text` is what it wrote.
pub fn admit(
    task: &PackedTask,
    state: &State,
    agent: usize,
    operator: OperatorId,
    text: &str,
) -> Result<(), Box<Refusal>> {
    let chosen = task.operator(operator);
    if usize::from(chosen.agent) != agent {
        return Err(Box::new(Refusal {
            operator: Some(chosen.name.clone()),
            ..refuse(task, state, agent, text, Rule::NotYourOperator)
        }));
    }
    if task.is_applicable(state, operator) {
        return Ok(());
    }
    let rule = broken(task, state, agent);
    let reasons = chosen
        .requirements
        .iter()
        .filter(|requirement| {
            // Why it is impossible is no more than what the agent knows.
            let known = requirement.as_known.as_ref().unwrap_or(&requirement.cond);
            !known.holds(&task.variables, state)
        })
        .map(|requirement| requirement.reason.clone());
    let reasons = if rule == Rule::Precondition {
        reasons.collect()
    } else {
        Vec::new()
    };
    Err(Box::new(Refusal {
        operator: Some(chosen.name.clone()),
        reasons,
        ..refuse(task, state, agent, text, rule)
    }))
}

/// The rule that an agent breaks by what it cannot do in a state.
fn broken(task: &PackedTask, state: &State, agent: usize) -> Rule {
    let mut legal = task.applicable_as_known(state, agent).peekable();
    if legal.peek().is_none() {
        Rule::NotYourTurn
    } else if legal.all(|id| is_continue(task, id)) {
        Rule::Busy
    } else {
        Rule::Precondition
    }
}

/// `wait n`: the operator, and n in digits.
fn waits<'k>(task: &PackedTask, agent: usize, key: &'k str) -> Option<(OperatorId, &'k str)> {
    let wait = task.agents[agent].wait?;
    let timesteps = key.strip_prefix("wait ")?;
    let digits = timesteps.bytes().all(|byte| byte.is_ascii_digit());
    (digits && !timesteps.is_empty()).then_some((wait, timesteps))
}

/// The number of timesteps to wait, if one command may ask for so many.
fn admit_wait(
    task: &PackedTask,
    state: &State,
    agent: usize,
    text: &str,
    timesteps: &str,
) -> Result<u32, Box<Refusal>> {
    let most = task.longest_wait.unwrap_or(MAX_WAITS);
    // More digits than a number has are too many timesteps as well.
    let timesteps: u32 = timesteps.parse().unwrap_or(u32::MAX);
    let (rule, reason) = if timesteps == 0 {
        (
            Rule::Malformed,
            "a wait takes 1 timestep at least".to_owned(),
        )
    } else if timesteps > most {
        let most = counted(most, "timestep");
        (
            Rule::WaitTooLong,
            format!("one command waits for {most} at most"),
        )
    } else {
        return Ok(timesteps);
    };
    Err(Box::new(Refusal {
        reasons: vec![reason],
        ..refuse(task, state, agent, text, rule)
    }))
}

/// A refusal with nothing said about its reasons yet.
fn refuse(task: &PackedTask, state: &State, agent: usize, text: &str, rule: Rule) -> Refusal {
    let mut legal: Vec<_> = task
        .applicable_as_known(state, agent)
        .map(|operator| display(task, operator))
        .collect();
    let more = legal.len().saturating_sub(LISTED);
    legal.truncate(LISTED);
    Refusal {
        rule,
        command: text.trim().chars().take(SHOWN).collect(),
        operator: None,
        reasons: Vec::new(),
        suggestion: None,
        legal,
        more,
    }
}

/// The refusal of an answer in which there is no command.
pub(super) fn unreadable(
    task: &PackedTask,
    state: &State,
    agent: usize,
    answer: &str,
    why: String,
) -> Refusal {
    Refusal {
        reasons: vec![why],
        ..refuse(task, state, agent, answer, Rule::Malformed)
    }
}

/// Renders an operator for the agent that may choose it: `(pickup egg counter0)`.
pub fn display(task: &PackedTask, operator: OperatorId) -> String {
    let operator = task.operator(operator);
    format!("({})", without_agent(task, operator))
}

/// Returns true if an operator goes on with a started action.
pub(super) fn is_continue(task: &PackedTask, operator: OperatorId) -> bool {
    task.operator(operator).kind == OperatorKind::Continue
}

/// An operator's name without its agent, where that is the first argument.
fn without_agent(task: &Task, operator: &Operator) -> String {
    let agent = task.agents[usize::from(operator.agent)].object;
    match &operator.action {
        Some(action) if agent.is_some() && action.arguments.first() == agent.as_ref() => {
            let rest = action.arguments[1..].iter();
            let rest = rest.map(|&object| task.symbols.object(object));
            let words = [task.symbols.schema(action.schema)].into_iter().chain(rest);
            words.collect::<Vec<_>>().join(" ")
        }
        _ => operator.name.clone(),
    }
}

/// The words of a command, in lower case, parted by single spaces.
fn normalise(text: &str) -> String {
    let words = text.split(|c: char| c.is_whitespace() || "(),`'\"".contains(c));
    let words: Vec<String> = words
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    words.join(" ").trim_end_matches(['.', ';']).to_owned()
}

/// The normalised form of a command that is one.
fn check_form(text: &str) -> Result<String, &'static str> {
    if text.len() > MAX_COMMAND_BYTES {
        return Err("the command is too long");
    }
    let text = text.trim().trim_end_matches([';', '.']);
    if text.contains(['\n', ';']) {
        return Err("give one command at a time");
    }
    let mut depth = 0_i32;
    for c in text.chars() {
        depth += i32::from(c == '(') - i32::from(c == ')');
        if depth < 0 {
            break;
        }
    }
    if depth != 0 {
        return Err("its parentheses do not match");
    }
    let key = normalise(text);
    if key.is_empty() {
        return Err("the command is empty");
    }
    Ok(key)
}

/// The labels of its agent that an operator may record: by its effect, or, if it starts something
/// that goes on, until that has ended.
pub(crate) fn labels(task: &PackedTask, operator: OperatorId) -> Vec<LabelId> {
    let operator = task.operator(operator);
    let mut found = Vec::new();
    collect(&operator.effect, operator.agent, None, &mut found);
    if let Some(started) = started(task, &operator.effect) {
        let agent = &task.agents[usize::from(operator.agent)];
        let continues = agent.operators.iter().map(|&id| task.operator(id));
        let continues = continues.filter(|other| other.kind == OperatorKind::Continue);
        let phases = task.tick.iter().filter_map(|phase| match phase {
            Phase::Effect { effect, .. } => Some(effect),
            Phase::Timers => None,
        });
        for effect in continues.map(|other| &other.effect).chain(phases) {
            collect(effect, operator.agent, Some(started), &mut found);
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The operator that goes on with what an agent is doing, if one of `candidates` has started that.
fn going_on(
    task: &PackedTask,
    state: &State,
    agent: usize,
    candidates: &[OperatorId],
) -> Option<OperatorId> {
    let is_current = |&operator: &OperatorId| {
        started(task, &task.operator(operator).effect)
            .is_some_and(|(variable, value)| task.variables[variable.index()].get(state) == value)
    };
    let mut legal = task.applicable(state, agent);
    let operator = legal.find(|&operator| is_continue(task, operator))?;
    candidates.iter().any(is_current).then_some(operator)
}

/// The activity that an effect begins: the variable and its value.
fn started(task: &PackedTask, effect: &Effect) -> Option<(VarId, u32)> {
    let mut open = vec![effect];
    while let Some(effect) = open.pop() {
        if let Effect::Set(Fact { variable, value }) = *effect
            && value != 0
            && task.variables[variable.index()].kind == VariableKind::Activity
        {
            return Some((variable, value));
        }
        open.extend(parts(effect));
    }
    None
}

/// The labels of an agent in an effect; of an activity, in the branches for that activity only.
fn collect(effect: &Effect, agent: u16, activity: Option<(VarId, u32)>, found: &mut Vec<LabelId>) {
    let mut open = vec![(effect, activity)];
    while let Some((effect, activity)) = open.pop() {
        match (effect, activity) {
            (Effect::Log(entry), None) if entry.agent == agent => found.push(entry.label),
            (Effect::Switch(variable, effects), Some((wanted, value))) if *variable == wanted => {
                open.extend(effects.get(value as usize).map(|effect| (effect, None)));
            }
            _ => open.extend(parts(effect).map(|part| (part, activity))),
        }
    }
}

/// The effects that an effect is made of.
fn parts(effect: &Effect) -> Box<dyn Iterator<Item = &Effect> + '_> {
    match effect {
        Effect::Block { effects, .. } | Effect::Seq(effects) | Effect::Switch(_, effects) => {
            Box::new(effects.iter())
        }
        Effect::When(_, effect) => Box::new(std::iter::once(&**effect)),
        Effect::Case(cases, otherwise) => {
            let cases = cases.iter().map(|(_, effect)| effect);
            Box::new(cases.chain(std::iter::once(&**otherwise)))
        }
        Effect::Choose(candidates, otherwise) => {
            let candidates = candidates.iter().map(|candidate| &candidate.effect);
            Box::new(candidates.chain(std::iter::once(&**otherwise)))
        }
        Effect::Nothing
        | Effect::Set(_)
        | Effect::Clear(..)
        | Effect::Number(..)
        | Effect::Increase(..)
        | Effect::Copy(..)
        | Effect::Enlist(_)
        | Effect::Log(_)
        | Effect::Cost(_)
        | Effect::Total(..) => Box::new(std::iter::empty()),
    }
}
