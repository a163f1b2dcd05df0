//! The actions of one agent that make the timesteps of a task.

use std::collections::BTreeMap;
use std::ops::Range;

use super::diagram::Diagram;
use super::extra::Extras;
use super::inexpressible::Inexpressible;
use super::limits::Limits;
use super::outcome::{Alternative, Step, few, steps};
use super::symbolic::{State, Stop};
use super::world::{MAX_OUTCOMES, World};
use brigade_task::cond::Cond;
use brigade_task::{Metric, Operator, OperatorId, TurnMode};

/// The meaning of an action of the classical form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// An agent does something.
    Act(OperatorId),
    /// A timestep ends.
    Tick,
    /// Nothing that the task knows of.
    Nothing,
}

/// An action of the classical form.
pub(super) struct Action {
    pub(super) title: String,
    pub(super) meaning: Meaning,
    /// Where it is possible.
    pub(super) from: At,
    /// Where it leads.
    pub(super) to: At,
    /// The place at which what it belongs to began, if it is the last of it.
    pub(super) ends: Option<usize>,
    /// Controls that it needs and writes, with the values before and after.
    pub(super) controls: Vec<(Control, u32, u32)>,
    pub(super) what: Alternative,
}

/// Where in a timestep things stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum At {
    /// At a place.
    Place(usize),
    /// On the way from one place to the next, at a test with this number.
    Test(usize),
}

/// A place in a timestep.
pub(super) struct Place {
    pub(super) name: String,
    /// True if one action happens there in each timestep.
    pub(super) is_once: bool,
}

/// A variable of the classical form that no condition of the task can read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Control {
    /// The choice of an agent: 0, or one more than the index among its operators.
    Chosen(usize),
    /// 1 once the goal was reached.
    Done,
    /// The place in the timestep.
    Now,
}

/// Where an action is and leads.
pub(super) struct Way<'t> {
    pub(super) title: &'t str,
    pub(super) meaning: Meaning,
    /// The place at which it begins.
    pub(super) place: usize,
    pub(super) from: At,
    pub(super) to: At,
    pub(super) controls: &'t [(Control, u32, u32)],
    /// A cost that is added to it.
    pub(super) cost: i64,
}

/// Builds the actions. A timestep begins at the first place.
pub(super) struct Builder<'a> {
    pub(super) world: &'a World<'a>,
    pub(super) extras: Extras,
    pub(super) limits: Limits,
    pub(super) actions: Vec<Action>,
    pub(super) places: Vec<Place>,
    /// For each test the title of the action that it belongs to.
    pub(super) tests: Vec<String>,
    /// Facts in all actions.
    facts: usize,
}

impl<'a> Builder<'a> {
    pub(super) fn new(world: &'a World<'a>, extras: Extras, limits: Limits) -> Self {
        Self {
            world,
            extras,
            limits,
            actions: Vec::new(),
            places: Vec::new(),
            tests: Vec::new(),
            facts: 0,
        }
    }

    /// A new place, after all others.
    pub(super) fn place(&mut self, name: &str, is_once: bool) -> usize {
        let name = name.to_owned();
        self.places.push(Place { name, is_once });
        self.places.len() - 1
    }

    /// The actions of the agents and of the tick, which leads back to the first place.
    pub(super) fn timestep(&mut self) -> Result<(), Inexpressible> {
        let agents = self.world.task.agents.len();
        match self.world.task.turns {
            TurnMode::Alternate => {
                let place = self.place("move", true);
                for agent in 0..agents {
                    self.acts(agent, place)?;
                }
            }
            TurnMode::Sequential => self.row(0..agents, "turn-of", Self::acts)?,
            TurnMode::Simultaneous => {
                // The first chooses after the others and acts at once: nothing has changed by then.
                self.row(1..agents, "choice-of", Self::chooses)?;
                self.row(0..1, "turn-of", Self::acts)?;
                self.row(1..agents, "turn-of", Self::does)?;
            }
        }
        self.tick()?;
        let end = At::Place(self.places.len());
        for action in self.actions.iter_mut().filter(|action| action.to == end) {
            action.to = At::Place(0);
        }
        Ok(())
    }

    fn row(
        &mut self,
        agents: Range<usize>,
        what: &str,
        write: fn(&mut Self, usize, usize) -> Result<(), Inexpressible>,
    ) -> Result<(), Inexpressible> {
        for agent in agents {
            let name = match &*self.world.task.agents[agent].name {
                "" => format!("{what} agent"),
                name => format!("{what} {name}"),
            };
            let place = self.place(&name, true);
            write(self, agent, place)?;
        }
        Ok(())
    }

    /// The agent chooses, and does it.
    fn acts(&mut self, agent: usize, place: usize) -> Result<(), Inexpressible> {
        for (id, operator) in self.operators(agent) {
            self.world.space.clear();
            let possible = self.possible(operator);
            self.applies(place, id, possible, &[])?;
        }
        Ok(())
    }

    /// The agent chooses, in the state at the start of the step.
    fn chooses(&mut self, agent: usize, place: usize) -> Result<(), Inexpressible> {
        for (value, (_, operator)) in (1..).zip(self.operators(agent)) {
            self.world.space.clear();
            let possible = self.possible(operator);
            let way = Way {
                title: &format!("choose {}", self.title(operator)),
                meaning: Meaning::Nothing,
                place,
                from: At::Place(place),
                to: At::Place(place + 1),
                controls: &[(Control::Chosen(agent), 0, value)],
                cost: 0,
            };
            self.add(&way, possible, &State::new(self.world))?;
        }
        Ok(())
    }

    /// Adds the actions that do what an agent has chosen.
    fn does(&mut self, agent: usize, place: usize) -> Result<(), Inexpressible> {
        for (value, (id, _)) in (1..).zip(self.operators(agent)) {
            self.world.space.clear();
            self.applies(
                place,
                id,
                Diagram::TRUE,
                &[(Control::Chosen(agent), value, 0)],
            )?;
        }
        Ok(())
    }

    fn operators(
        &self,
        agent: usize,
    ) -> impl Iterator<Item = (OperatorId, &'a Operator)> + use<'a> {
        let task = self.world.task;
        let operators = task.agents[agent].operators.iter();
        operators.map(|&operator| (operator, task.operator(operator)))
    }

    /// The title of an operator, with its agent.
    pub(super) fn title(&self, operator: &Operator) -> String {
        let agent = &self.world.task.agents[usize::from(operator.agent)];
        let arguments = operator.action.iter().flat_map(|action| &action.arguments);
        let names_agent = |object| arguments.clone().any(|argument| *argument == object);
        if agent.object.is_none_or(names_agent) {
            operator.name.clone()
        } else {
            format!("{} {}", operator.name, agent.name)
        }
    }

    /// The name of the schema of an action that does what an operator does.
    pub(super) fn schema(&self, meaning: Meaning) -> Option<String> {
        let Meaning::Act(operator) = meaning else {
            return None;
        };
        let task = self.world.task;
        let action = task.operator(operator).action.as_ref()?;
        Some(task.symbols.schema(action.schema).to_owned())
    }

    fn possible(&self, operator: &Operator) -> Diagram {
        let facts = operator.facts.iter().copied().map(Cond::Fact);
        let cond = Cond::all(facts.chain([operator.guard.clone()]));
        State::new(self.world).cond(&cond)
    }

    fn applies(
        &mut self,
        place: usize,
        id: OperatorId,
        possible: Diagram,
        controls: &[(Control, u32, u32)],
    ) -> Result<(), Inexpressible> {
        let operator = self.world.task.operator(id);
        let title = self.title(operator);
        let way = Way {
            title: &title,
            meaning: Meaning::Act(id),
            place,
            from: At::Place(place),
            to: At::Place(place + 1),
            controls,
            cost: 0,
        };
        let world = self.world;
        let mut state = State::new(world);
        let applied = state.apply(&operator.effect, possible);
        let whole = (possible, state);
        if applied.is_ok()
            && let Some(few) = few(world, &whole, self.counts_cost(), self.limits.most())
        {
            return self.push_all(&way, few);
        }
        world.space.reopen();
        let ways = State::new(world).ways(&operator.effect, possible, MAX_OUTCOMES as usize);
        let steps = match ways {
            Ok(Some(ways)) => steps(world, &ways, self.counts_cost(), self.limits.most()),
            Err(stop) => Err(stop),
            Ok(None) => applied.and_then(|()| {
                let whole = std::slice::from_ref(&whole);
                steps(world, whole, self.counts_cost(), self.limits.most())
            }),
        };
        let steps = steps.map_err(|stop| self.stopped(stop, &title, way.meaning))?;
        self.push_all(&way, steps)
    }

    fn counts_cost(&self) -> bool {
        self.world.task.metric != Metric::Makespan
    }

    /// Adds the actions that are possible under a condition and lead to a state.
    pub(super) fn add(
        &mut self,
        way: &Way<'_>,
        possible: Diagram,
        state: &State<'a>,
    ) -> Result<(), Inexpressible> {
        let ways = [(possible, state.clone())];
        let steps = steps(self.world, &ways, self.counts_cost(), self.limits.most());
        let steps = steps.map_err(|stop| self.stopped(stop, way.title, way.meaning))?;
        self.push_all(way, steps)
    }

    fn push_all(&mut self, way: &Way<'_>, steps: Vec<Step>) -> Result<(), Inexpressible> {
        let mut tests: BTreeMap<Diagram, At> = BTreeMap::new();
        for step in steps {
            let mut at = |test: Option<Diagram>, end: At| match test {
                None => end,
                Some(test) => *tests
                    .entry(test)
                    .or_insert_with(|| new_test(&mut self.tests, way.title)),
            };
            let (from, to) = (at(step.after, way.from), at(step.to, way.to));
            self.push(way, from, to, step.what)?;
        }
        Ok(())
    }

    /// A new test, of what has this title.
    pub(super) fn test(&mut self, title: &str) -> At {
        new_test(&mut self.tests, title)
    }

    /// Adds an action.
    fn push(
        &mut self,
        way: &Way<'_>,
        from: At,
        to: At,
        mut what: Alternative,
    ) -> Result<(), Inexpressible> {
        let ends = matches!(to, At::Place(_)).then_some(way.place);
        let meaning = match ends {
            Some(_) => way.meaning,
            None => Meaning::Nothing,
        };
        match self.world.task.metric {
            Metric::Makespan => what.cost = i64::from(meaning == Meaning::Tick),
            Metric::Cost => {}
            Metric::NegatedCost => what.cost = what.cost.saturating_neg(),
        }
        if ends.is_some() {
            what.cost = what.cost.saturating_add(way.cost);
        }
        self.facts += what.size();
        if self.facts > self.limits.facts {
            return Err(Inexpressible::TooLarge {
                what: "the domain".to_owned(),
                schema: None,
                limit: self.limits.facts as u64,
                unit: "facts in its actions",
            });
        }
        // What was chosen is forgotten at the end only.
        let controls = way.controls.iter();
        let controls = controls.map(|&(control, before, after)| match ends {
            Some(_) => (control, before, after),
            None => (control, before, before),
        });
        self.actions.push(Action {
            title: way.title.to_owned(),
            meaning,
            from,
            to,
            ends,
            controls: controls.collect(),
            what,
        });
        Ok(())
    }

    /// The error for what was not applied.
    pub(super) fn stopped(&self, _: Stop, what: &str, meaning: Meaning) -> Inexpressible {
        self.too_large(what, self.schema(meaning))
    }

    pub(super) fn too_large(&self, what: &str, schema: Option<String>) -> Inexpressible {
        Inexpressible::TooLarge {
            what: format!("`{what}`"),
            schema,
            limit: self.limits.conditions as u64,
            unit: "conditions of its effects",
        }
    }
}

fn new_test(tests: &mut Vec<String>, title: &str) -> At {
    tests.push(title.to_owned());
    At::Test(tests.len() - 1)
}
