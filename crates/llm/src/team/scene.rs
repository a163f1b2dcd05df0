//! Fills the prompt of a mind: the slots of its templates, and the form of its answer.

use std::collections::BTreeSet;

use super::super::design::{ActionsShown, DecisionKind, Minds};
use super::super::form::{Deciders, Decision, Form, Plan};
use super::super::mind::Mind;
use super::super::mind::last;
use super::super::prompts::{Slots, TeamSlot};
use brigade_diagnostics::words::counted;
use brigade_play::episode::Refusal;
use brigade_play::macro_actions::{is_silent, macro_actions};
use brigade_play::shown;
use brigade_task::observation::ActionForm;
use brigade_task::split_mix::SplitMix;
use brigade_task::{OperatorKind, PackedTask, State, TurnMode};

/// The most commands that are listed for a plan: a server reads the list with every question.
const MOST_COMMANDS: usize = 400;

/// The form of an action, with what it means.
fn shown_in_full(form: &ActionForm) -> String {
    match &form.meaning {
        Some(meaning) => format!("{}: {meaning}", form.command),
        None => form.command.clone(),
    }
}

/// The situation in which a mind is asked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scene<'a> {
    pub(crate) task: &'a PackedTask,
    pub(crate) state: &'a State,
    pub(crate) tick: u32,
    pub(crate) max_ticks: u32,
    /// The agent that is asked; with one mind for all, the one whose turn made it be asked.
    pub(crate) agent: usize,
    /// The seed that the order of lists is drawn from.
    pub(crate) seed: u64,
}

impl<'a> Scene<'a> {
    /// Returns the actions that an agent can take, in words. One that goes on with what it has started can do nothing
    /// else.
    pub(crate) fn options(&self, agent: usize, shuffled: bool) -> Vec<String> {
        let mut options = shown::options(self.task, self.state, agent);
        if shuffled {
            self.shuffle(agent, &mut options);
        }
        options
    }

    /// Returns the macro actions that an agent can get done by itself from here and its steps on the way, in words.
    fn macros(&self, agent: usize, shuffled: bool) -> Vec<String> {
        let task = self.task;
        let macros = macro_actions(task, self.state, agent).into_iter();
        let mut options: Vec<String> = macros.map(|it| task.label(it.label).to_owned()).collect();
        for id in task.applicable_as_known(self.state, agent) {
            let operator = task.operator(id);
            let is_step = operator.kind == OperatorKind::Wait || is_silent(task, id);
            if is_step && !options.contains(&operator.text) {
                options.push(operator.text.clone());
            }
        }
        if shuffled {
            self.shuffle(agent, &mut options);
        }
        options
    }

    /// In how many steps agents can get done what they can, in words; of several with their names.
    fn distances(&self, agents: &[usize]) -> Vec<String> {
        let task = self.task;
        let of = |&agent: &usize| {
            let name = match agents {
                [_] => String::new(),
                _ => format!("{}: ", task.agents[agent].name),
            };
            let macros = macro_actions(task, self.state, agent).into_iter();
            macros.map(move |it| {
                let label = task.label(it.label);
                format!("{name}{label}: {}", counted(it.steps, "step"))
            })
        };
        agents.iter().flat_map(of).collect()
    }

    /// Draws an order anew at each decision.
    fn shuffle(&self, agent: usize, options: &mut [String]) {
        let number = (u64::from(self.tick) << 16) | agent as u64;
        SplitMix::new(self.seed, number).shuffle(options);
    }

    /// All that an agent can ever do, in words, in order; nothing where that is too much to list.
    fn commands(&self, agent: usize) -> Vec<String> {
        let operators = self.task.agents[agent].operators.iter();
        let operators = operators.map(|&id| self.task.operator(id));
        let texts = operators.filter(|operator| operator.kind != OperatorKind::Continue);
        let texts: BTreeSet<&str> = texts.map(|operator| operator.text.as_str()).collect();
        if texts.len() > MOST_COMMANDS {
            return Vec::new();
        }
        texts.into_iter().map(str::to_owned).collect()
    }

    /// The slots of a mind's templates; what depends on the module is left empty.
    pub(crate) fn slots(&self, mind: &Mind<'_>, form: &Form) -> Slots<'a> {
        let task = self.task;
        let setup = &mind.setup;
        let design = setup.design;
        let format = setup.asking.format;
        let is_team = design.minds == Minds::One;
        let name = |agent: usize| task.agents[agent].name.as_str();
        let agents = 0..task.players();
        let listed = |options: &[String]| match design.actions {
            ActionsShown::Legal | ActionsShown::Macros => form.listed(format, options),
            ActionsShown::Forms => Vec::new(),
        };
        let (mut actions, mut team) = (Vec::new(), Vec::new());
        match form.decision.as_ref().map(|decision| &decision.deciders) {
            Some(Deciders::Each(each)) => {
                team.extend(each.iter().map(|(name, options)| TeamSlot {
                    name: name.clone(),
                    actions: listed(options),
                }));
            }
            Some(Deciders::Own(options)) => actions = listed(options),
            None => actions = listed(&self.options(self.agent, false)),
        }
        let distances = match design.actions {
            ActionsShown::Macros => self.distances(&self.deciders(mind)),
            ActionsShown::Legal | ActionsShown::Forms => Vec::new(),
        };
        Slots {
            agent: if is_team { "" } else { name(self.agent) },
            others: agents
                .clone()
                .filter(|&agent| is_team || agent != self.agent)
                .map(name)
                .collect(),
            agents: agents
                .clone()
                .filter(|agent| !is_team || mind.agents.contains(agent))
                .map(name)
                .collect(),
            undirected: agents
                .filter(|agent| is_team && !mind.agents.contains(agent))
                .map(name)
                .collect(),
            example: false,
            turns: task.turns.name(),
            tick: self.tick,
            max_ticks: self.max_ticks,
            goal: task.observation.goal.clone().unwrap_or_default(),
            state: shown::lines(task, self.state, (!is_team).then_some(self.agent)).join("\n"),
            actions,
            team,
            distances,
            busy: self.busy(is_team),
            acted: if is_team { self.acted() } else { Vec::new() },
            forms: self.forms(mind),
            requests: self.requests(mind),
            answer: form.instructions(format),
            feedback: mind.feedback.clone(),
            dialog: mind.heard.clone(),
            end: design
                .communication()
                .map_or_else(String::new, |it| it.end.clone()),
            history: last(&mind.done, design.memory.actions),
            seen: mind.seen.clone(),
            lessons: last(&mind.lessons, design.memory.lessons),
            belief: String::new(),
            proposal: String::new(),
            story: Vec::new(),
            flags: design.flags.clone(),
        }
    }

    /// Returns the busy agents, with their activities.
    fn busy(&self, is_team: bool) -> Vec<String> {
        shown::busy(self.task, self.state, (!is_team).then_some(self.agent))
    }

    /// Returns the agents that act before the one that is asked, and are not busy.
    fn acted(&self) -> Vec<&'a str> {
        let before = match self.task.turns {
            TurnMode::Alternate => 0..0,
            TurnMode::Sequential | TurnMode::Simultaneous => 0..self.agent,
        };
        let free = before.filter(|&agent| shown::under_way(self.task, self.state, agent).is_none());
        free.map(|agent| self.task.agents[agent].name.as_str())
            .collect()
    }

    /// Returns the forms of all that the agents of a mind can ever do: on the open track, and in a schedule of all,
    /// which goes beyond what is possible now.
    fn forms(&self, mind: &Mind<'_>) -> Vec<String> {
        let design = mind.setup.design;
        let is_schedule = design.minds == Minds::One && design.decision != DecisionKind::Action;
        if design.actions != ActionsShown::Forms && !is_schedule {
            return Vec::new();
        }
        let mut forms: Vec<String> = Vec::new();
        for &agent in &mind.agents {
            for form in self.task.action_forms(agent) {
                let text = shown_in_full(form);
                if !forms.contains(&text) {
                    forms.push(text);
                }
            }
        }
        forms
    }

    /// Returns the forms of all that the others can ever be asked for, where agents talk.
    fn requests(&self, mind: &Mind<'_>) -> Vec<TeamSlot> {
        let design = mind.setup.design;
        if design.communication().is_none() {
            return Vec::new();
        }
        let own = self.forms(mind);
        let mut requests: Vec<TeamSlot> = Vec::new();
        for agent in (0..self.task.players()).filter(|&agent| agent != self.agent) {
            let name = &self.task.agents[agent].name;
            let mut actions: Vec<String> = Vec::new();
            for form in self.task.action_forms(agent) {
                let text = shown_in_full(form);
                if !actions.contains(&text) {
                    actions.push(text);
                }
            }
            if actions == own {
                actions.clear();
            }
            match requests.iter_mut().find(|known| known.actions == actions) {
                Some(known) => known.name.push_str(&format!(", {name}")),
                None => requests.push(TeamSlot {
                    name: name.clone(),
                    actions,
                }),
            }
        }
        requests
    }

    /// The form in which a mind decides here.
    pub(crate) fn form(&self, mind: &Mind<'_>, say: bool) -> Form {
        let design = mind.setup.design;
        let shuffled = mind.setup.asking.shuffled;
        let options = |agent: usize| match design.actions {
            ActionsShown::Legal => self.options(agent, shuffled),
            ActionsShown::Macros => self.macros(agent, shuffled),
            ActionsShown::Forms => Vec::new(),
        };
        let deciders = match design.minds {
            Minds::Each => Deciders::Own(options(self.agent)),
            Minds::One => {
                let each = self.deciders(mind).into_iter().map(|agent| {
                    let name = self.task.agents[agent].name.clone();
                    (name, options(agent))
                });
                Deciders::Each(each.collect())
            }
        };
        let plan = design.decision.plan();
        let is_listed = plan != Plan::No && design.actions == ActionsShown::Legal;
        let deciding = self.deciders(mind).into_iter();
        let commands = deciding.filter(|_| is_listed).map(|it| self.commands(it));
        Form {
            commands: commands.collect(),
            reasoning: design.reasoning,
            decision: Some(Decision { plan, deciders }),
            say,
            verdict: false,
        }
    }

    /// For whom a mind decides here: in a plan, which is for later as well, also for those who are busy
    /// now.
    pub(crate) fn deciders(&self, mind: &Mind<'_>) -> Vec<usize> {
        let design = mind.setup.design;
        match design.minds {
            Minds::Each => vec![self.agent],
            Minds::One => {
                let is_plan = design.decision != DecisionKind::Action;
                let agents = mind.agents.iter().copied();
                agents
                    .filter(|&agent| is_plan || self.is_free(agent))
                    .collect()
            }
        }
    }

    /// Returns true if an agent can choose.
    pub(crate) fn is_free(&self, agent: usize) -> bool {
        let mut legal = self.task.applicable(self.state, agent);
        legal.any(|operator| self.task.operator(operator).kind != OperatorKind::Continue)
    }
}

/// Returns the reason why a command was refused, without the alternatives, and without a full stop.
pub(super) fn bare(refusal: Refusal) -> String {
    let refusal = Refusal {
        legal: Vec::new(),
        more: 0,
        suggestion: None,
        ..refusal
    };
    let mut why = refusal.to_string();
    why.truncate(why.trim_end_matches('.').len());
    why
}
