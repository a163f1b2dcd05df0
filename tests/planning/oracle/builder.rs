//! Builds small tasks by hand.

use brigade::task::cond::Cond;
use brigade::task::effect::Effect;
use brigade::task::layout::{Variable, VariableKind, pack};
use brigade::task::symbols::{Symbols, Value};
use brigade::task::{
    Agent, Fact, LabelId, LogEntry, Metric, Operator, OperatorId, OperatorKind, PackedTask, Phase,
    StateBuf, Task, Timer, TurnMode, VarId,
};

/// A task under construction. All variables are declared first, so that facts can be written.
pub(crate) struct Builder {
    /// The task built so far.
    pub(crate) task: Task,
}

impl Builder {
    /// Variables of these sizes, all 0 in the initial state, and so many agents.
    pub(crate) fn new(sizes: &[u32], agents: usize, turns: TurnMode) -> Self {
        let mut variables: Vec<Variable> = sizes
            .iter()
            .enumerate()
            .map(|(index, &size)| {
                let values = (0..size).map(Value::number).collect();
                Variable::new(format!("v{index}"), VariableKind::Object, values)
            })
            .collect();
        let words = pack(&mut variables);
        Self {
            task: Task {
                domain: "built".into(),
                problem: "built".into(),
                own_problem: "built".into(),
                semantics: String::new(),
                symbols: Symbols::default(),
                variables,
                words,
                initial: StateBuf::zeros(words),
                agents: (0..agents)
                    .map(|agent| Agent {
                        name: format!("a{agent}"),
                        object: None,
                        operators: Vec::new(),
                        wait: None,
                        nature: None,
                    })
                    .collect(),
                operators: Vec::new(),
                turns,
                any_order: false,
                announced: Vec::new(),
                turn: None,
                tick: vec![Phase::Timers],
                timers: Vec::new(),
                live: None,
                clock: None,
                axioms: brigade::task::Axioms::default(),
                goal: None,
                fail: Cond::False,
                end: Cond::False,
                horizon: None,
                longest_wait: None,
                metric: Metric::Makespan,
                totals: Vec::new(),
                cost_scale: 1,
                initial_cost: 0,
                mutexes: Vec::new(),
                labels: Vec::new(),
                observation: brigade::task::observation::Observation::default(),
            },
        }
    }

    /// The task as built, packed.
    pub(crate) fn done(self) -> PackedTask {
        PackedTask::new(self.task)
    }

    /// The task as built so far, packed.
    pub(crate) fn packed(&self) -> PackedTask {
        PackedTask::new(self.task.clone())
    }

    /// `variable = value`.
    pub(crate) fn fact(&self, variable: usize, value: u32) -> Fact {
        assert!(value < self.task.variables[variable].size);
        Fact::new(variable, value)
    }

    /// All of `(variable, value)`.
    pub(crate) fn all(&self, facts: &[(usize, u32)]) -> Cond {
        Cond::all(
            facts
                .iter()
                .map(|&(variable, value)| Cond::Fact(self.fact(variable, value))),
        )
    }

    /// `variable := value`.
    pub(crate) fn set(&self, variable: usize, value: u32) -> Effect {
        Effect::Set(self.fact(variable, value))
    }

    /// Records a label.
    pub(crate) fn log(&mut self, agent: usize, label: &str) -> Effect {
        let known = self.task.labels.iter().position(|other| other == label);
        let index = known.unwrap_or_else(|| {
            self.task.labels.push(label.into());
            self.task.labels.len() - 1
        });
        Effect::Log(LogEntry {
            agent: agent as u16,
            label: LabelId(index as u32),
        })
    }

    /// Adds an operator; operators of one agent must be added together.
    pub(crate) fn operator(
        &mut self,
        agent: usize,
        name: &str,
        facts: &[(usize, u32)],
        guard: Cond,
        effect: Effect,
    ) -> OperatorId {
        let (facts, _) = self.all(facts).split();
        let id = OperatorId(self.task.operators.len() as u32);
        self.task.agents[agent].operators.push(id);
        self.task.operators.push(Operator {
            name: name.into(),
            action: None,
            agent: agent as u16,
            kind: OperatorKind::Start,
            facts,
            guard,
            weight: None,
            effect,
            requirements: Vec::new(),
            text: name.into(),
        });
        id
    }

    /// Adds an operator that does nothing.
    pub(crate) fn wait(&mut self, agent: usize) -> OperatorId {
        let id = self.operator(agent, "wait", &[], Cond::True, Effect::Nothing);
        self.task.operators[id.index()].kind = OperatorKind::Wait;
        self.task.agents[agent].wait = Some(id);
        id
    }

    /// Makes a variable a timer.
    pub(crate) fn timer(&mut self, variable: usize, effect: Effect) {
        self.task.variables[variable].kind = VariableKind::Timer;
        self.task.timers.push(Timer {
            name: format!("t{variable}"),
            text: format!("t{variable}"),
            variable: VarId(variable as u32),
            runs_while: Cond::True,
            dropped_when: Cond::False,
            every_tick: false,
            effect,
        });
    }

    /// Adds an event to the end of the tick.
    pub(crate) fn event(&mut self, effect: Effect) {
        self.task.tick.push(Phase::Effect {
            name: "event".into(),
            effect,
        });
    }

    /// Lets a variable hold whose move it is.
    pub(crate) fn take_turns(&mut self, variable: usize) {
        self.task.variables[variable].kind = VariableKind::Clock;
        self.task.turn = Some(VarId(variable as u32));
        let agents = self.task.agents.len() as u32;
        let next = (0..agents).map(|agent| self.set(variable, (agent + 1) % agents));
        let next = Effect::Switch(VarId(variable as u32), next.collect());
        self.event(next);
    }

    /// Ends episodes after `horizon` ticks, counted in a variable with more values than that.
    pub(crate) fn horizon(&mut self, variable: usize, horizon: u32) {
        assert!(self.task.variables[variable].size > horizon);
        self.task.variables[variable].kind = VariableKind::Clock;
        self.task.clock = Some(VarId(variable as u32));
        self.task.horizon = Some(horizon);
    }
}

/// A robot with two hands carries balls from one room to the other; one agent, no waiting.
pub(crate) fn gripper(balls: usize) -> PackedTask {
    // A ball is in room 0 or 1, or in hand 2 or 3; a hand is free or not.
    const HANDS: usize = 2;
    let ball = |index| 1 + HANDS + index;
    let mut sizes = vec![2; 1 + HANDS];
    sizes.resize(ball(balls), 4);
    let mut built = Builder::new(&sizes, 1, TurnMode::Sequential);
    for room in 0..2 {
        let walk = built.set(0, 1 - room);
        built.operator(0, "move", &[(0, room)], Cond::True, walk);
        for index in 0..balls {
            for hand in 0..HANDS {
                let held = 2 + hand as u32;
                let block = |effects: [Effect; 2]| Effect::Block {
                    effects: effects.into(),
                    snapshot: false,
                };
                let pick = block([built.set(ball(index), held), built.set(1 + hand, 1)]);
                let facts = [(0, room), (ball(index), room), (1 + hand, 0)];
                built.operator(0, "pick", &facts, Cond::True, pick);
                let drop = block([built.set(ball(index), room), built.set(1 + hand, 0)]);
                let facts = [(0, room), (ball(index), held)];
                built.operator(0, "drop", &facts, Cond::True, drop);
            }
        }
    }
    let goal: Vec<_> = (0..balls).map(|index| (ball(index), 1)).collect();
    built.task.goal = Some(built.all(&goal));
    built.done()
}
