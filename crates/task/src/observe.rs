//! The states of a task in words.

use super::PackedTask;
use super::cond::Cond;
use super::ids::OperatorId;
use super::observation::{ActionForm, Line, Observed};
use super::state::State;

impl PackedTask {
    /// A state in words: all that any agent observes, and the choices of each who is to choose. There
    /// are no facts in it if the domain gives no words, or if the task was compiled for planning alone.
    pub fn observe(&self, state: &State) -> Observed {
        let acting = self.acting(state);
        let are_several = acting.len() > 1;
        let actions = acting.flat_map(|agent| {
            let texts = self.choices_in_words(state, agent);
            texts.map(move |text| {
                if are_several {
                    format!("{}: {text}", self.agents[agent].name)
                } else {
                    text.to_owned()
                }
            })
        });
        Observed {
            facts: self.facts_in_words(state, None),
            actions: actions.collect(),
            goal: self.observation.goal.clone(),
        }
    }

    /// A state in words as one agent, by its number, sees it: the facts that it observes, what it may
    /// choose now (nothing where it is not its turn), and the goal.
    pub fn observe_as(&self, state: &State, agent: usize) -> Observed {
        Observed {
            facts: self.facts_in_words(state, Some(agent)),
            actions: self
                .choices_in_words(state, agent)
                .map(str::to_owned)
                .collect(),
            goal: self.observation.goal.clone(),
        }
    }

    /// The facts in PDDL that an agent, by its number, observes in a state: those that have words.
    pub fn observed_facts(&self, state: &State, agent: usize) -> Vec<String> {
        let lines = self.observation.parts.iter().flat_map(|part| &part.lines);
        let lines = lines.filter(|line| self.is_observed(state, line, Some(agent)));
        lines.filter_map(|line| line.fact.clone()).collect()
    }

    /// The forms of all commands that an agent, by its number, can ever give: each once, in the order
    /// of the actions, and last the one to wait. Filled in, a form is a command that
    /// the lexicon of an episode knows. None if the task was compiled for planning alone.
    pub fn action_forms(&self, agent: usize) -> &[ActionForm] {
        self.observation.forms.get(agent).map_or(&[], Vec::as_slice)
    }

    /// The operators that an agent may choose in a state as far as it knows, ascending: where a part of a
    /// precondition depends on what the agent does not observe, it counts as one that may hold.
    pub fn applicable_as_known(
        &self,
        state: &State,
        agent: usize,
    ) -> impl Iterator<Item = OperatorId> {
        let own = self.agents[agent].operators.iter().copied();
        own.filter(
            |operator| match self.observation.knowledge.legal.get(operator) {
                Some(cond) => cond.holds(&self.variables, state),
                None => self.is_applicable(state, *operator),
            },
        )
    }

    /// Returns whether an agent learns that an operator was chosen in a state.
    pub fn learns(&self, state: &State, agent: usize, operator: OperatorId) -> bool {
        let learners = self.observation.knowledge.learners.get(&operator);
        let cond = learners.and_then(|learners| learners.get(agent));
        cond.is_none_or(|cond| cond.holds(&self.variables, state))
    }

    /// The operators that an agent may choose in a state, as far as it knows.
    fn choices_in_words(&self, state: &State, agent: usize) -> impl Iterator<Item = &str> {
        let operators = self.applicable_as_known(state, agent);
        operators.map(|operator| self.operator(operator).text.as_str())
    }

    /// The facts that an agent observes, or any agent.
    fn facts_in_words(&self, state: &State, viewer: Option<usize>) -> Vec<String> {
        let mut facts = Vec::new();
        for part in &self.observation.parts {
            let lines = part.lines.iter();
            let mut lines = lines
                .filter(|line| self.is_observed(state, line, viewer))
                .peekable();
            if lines.peek().is_none() {
                continue;
            }
            if !facts.is_empty() {
                facts.push(String::new());
            }
            if !part.title.is_empty() {
                facts.push(part.title.clone());
            }
            facts.extend(lines.map(|line| line.text.clone()));
        }
        facts
    }

    /// Returns true if a line holds, and an agent, or any agent, observes it.
    fn is_observed(&self, state: &State, line: &Line, viewer: Option<usize>) -> bool {
        let holds = |cond: &Cond| cond.holds(&self.variables, state);
        holds(&line.holds)
            && match (&line.observers, viewer) {
                (None, _) => true,
                (Some(observers), None) => observers.iter().any(holds),
                (Some(observers), Some(viewer)) => observers.get(viewer).is_some_and(holds),
            }
    }
}
