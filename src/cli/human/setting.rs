//! The setting of an episode that people play: what all of its people share.

use std::cell::RefCell;
use std::rc::Rc;

use super::shown::{Entry, Kind, Shown};
use crate::agents::View;
use crate::episode::{Event, Log, Rules, StatusName, Step};
use crate::llm::Listener;
use crate::shown;
use crate::task::facts;
use crate::task::totals::Totals;
use crate::task::{PackedTask, State};
use crate::view::board::{Board, board};
use crate::view::layout::Layout;

/// The setting that the people of an episode share.
#[derive(Debug)]
pub(in crate::cli) struct Setting {
    max_ticks: u32,
    /// The number of times that an agent is asked again in one timestep.
    retries: u32,
    /// Where things are drawn.
    layout: Option<Layout>,
    /// The agents of those who sit at one table: what one of them says, the others hear at once.
    at_table: Vec<usize>,
    /// The tick after which a log was resumed.
    pub(super) resumed_at: u32,
    /// The messages before that.
    said: Vec<Entry>,
    /// The messages and requests of models since then.
    mail: Rc<RefCell<Vec<Entry>>>,
}

/// The sight of an agent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sight<'a> {
    pub(super) task: &'a PackedTask,
    pub(super) agent: usize,
    pub(super) tick: u32,
    pub(super) attempt: u32,
    pub(super) state: &'a State,
    pub(super) refusal: Option<&'a str>,
}

impl<'a> Sight<'a> {
    pub(super) const fn of(view: &View<'a>) -> Self {
        Self {
            task: view.task,
            agent: view.agent,
            tick: view.tick,
            attempt: view.attempt,
            state: view.state,
            refusal: view.refusal,
        }
    }
}

impl Setting {
    /// The setting of an episode under these rules, which resumes a log if one has begun.
    pub(in crate::cli) fn new(rules: Rules, begun: Option<&Log>) -> Self {
        let events = begun.into_iter().flat_map(|log| &log.events);
        let said = events.filter_map(|event| match event {
            Event::Message(said) => Some(Entry {
                tick: said.tick,
                kind: Kind::Said,
                agent: said.agent.clone(),
                text: said.text.clone(),
            }),
            _ => None,
        });
        Self {
            max_ticks: rules.max_ticks,
            retries: rules.retries,
            layout: None,
            at_table: Vec::new(),
            resumed_at: begun.map_or(0, |log| log.steps().count() as u32),
            said: said.collect(),
            mail: Rc::default(),
        }
    }

    /// Passes on the events of agents that ask models, and keeps what they say for people to read.
    pub(in crate::cli) fn overhear<'a>(&self, mut listener: Listener<'a>) -> Listener<'a> {
        let mail = Rc::clone(&self.mail);
        Box::new(move |event| {
            let said = match &event {
                Event::Message(said) => Some((said.tick, &said.agent, said.text.clone())),
                Event::Request(asked) => {
                    let text = format!("asks {} for: {}", asked.of, asked.action);
                    Some((asked.tick, &asked.agent, text))
                }
                _ => None,
            };
            mail.borrow_mut()
                .extend(said.map(|(tick, agent, text)| Entry {
                    tick,
                    kind: Kind::Said,
                    agent: agent.clone(),
                    text,
                }));
            listener(event);
        })
    }

    /// The messages of models after the first `read` ones.
    pub(super) fn mail_after(&self, read: usize) -> Vec<Entry> {
        self.mail.borrow()[read..].to_vec()
    }

    /// Draws things where a layout says.
    pub(in crate::cli) fn drawn(self, layout: Option<Layout>) -> Self {
        Self { layout, ..self }
    }

    /// Seats these agents at one table.
    #[cfg(feature = "serve")]
    pub(in crate::cli) fn seated(self, at_table: Vec<usize>) -> Self {
        Self { at_table, ..self }
    }

    /// The messages of a timestep before the log was resumed.
    pub(super) fn said_before(&self, tick: u32) -> impl Iterator<Item = &Entry> {
        let is_before = tick < self.resumed_at;
        self.said
            .iter()
            .filter(move |said| is_before && said.tick == tick)
    }

    pub(super) fn is_at_table(&self, agent: usize) -> bool {
        self.at_table.contains(&agent)
    }

    /// The view of an agent.
    pub(super) fn shown(&self, sight: &Sight<'_>) -> Shown {
        let Sight {
            task, agent, state, ..
        } = *sight;
        let others = (0..task.players()).filter(|&other| other != agent);
        Shown {
            tick: sight.tick,
            max_ticks: self.max_ticks,
            attempt: sight.attempt,
            retries: self.retries,
            agent: task.agents[agent].name.clone(),
            others: others
                .map(|other| task.agents[other].name.clone())
                .collect(),
            turns: task.turns.name(),
            goal: task.observation.goal.clone(),
            state: shown::lines(task, state, Some(agent)),
            busy: shown::busy(task, state, Some(agent)),
            under_way: shown::under_way(task, state, agent).map(str::to_owned),
            actions: if task.acting(state).contains(&agent) {
                shown::options(task, state, agent)
            } else {
                Vec::new()
            },
            refusal: sight.refusal.map(str::to_owned),
            dialog: None,
            board: (self.layout.as_ref()).and_then(|layout| {
                if task.observation.hides_some() {
                    observed_board(layout, task, state, agent)
                } else {
                    whole_board(layout, task, state)
                }
            }),
        }
    }
}

/// The board of what an agent observes of a state. A fact without words is shown to nobody.
fn observed_board(
    layout: &Layout,
    task: &PackedTask,
    state: &State,
    agent: usize,
) -> Option<Board> {
    let layout = Layout {
        given: Vec::new(),
        ..layout.clone()
    };
    board(&layout, &task.observed_facts(state, agent), &[])
}

/// The board of one state of which everyone observes all. Facts that never change are those of the problem, so it is drawn as what the first has become.
fn whole_board(layout: &Layout, task: &PackedTask, state: &State) -> Option<Board> {
    let (added, removed) = facts::changes(task, &task.initial, state);
    let become_now = Step {
        tick: 0,
        choices: Vec::new(),
        labels: Vec::new(),
        added,
        removed,
        cost: 0,
        totals: Totals::new(),
        status: StatusName::Running,
    };
    let initial = facts::facts(task, &task.initial);
    let mut board = board(layout, &initial, &[&become_now])?;
    board.frames.remove(0);
    Some(board)
}
