//! The delete relaxation as arrays: a fact once true stays true.

use super::adders::{Adders, FREE, NONE};
use super::conjunctions::Pair;
use super::lists::Lists;
use crate::control::Control;
use brigade_task::layout::VariableKind;
use brigade_task::rules::{Moment, Rules};
use brigade_task::{OperatorId, PackedTask, State, VarId};

/// The phase of what happens at once.
const AT_ONCE: u32 = u32::MAX;

/// The relaxation of a task: what no way to its ends can need is left out.
#[derive(Debug)]
pub(crate) struct Relaxation {
    /// For each fact of the rules its number here, or [`NONE`].
    values: Vec<u32>,
    /// The variables that have facts, and where their values start.
    variables: Vec<(u32, u32)>,
    /// The pairs of variables whose pairs of values are facts.
    pairs: Vec<Pair>,
    /// The number of facts, auxiliary ones included.
    pub(crate) facts: u32,
    /// For each adder its operator, or [`FREE`].
    pub(crate) operators: Vec<u32>,
    /// For each adder when it fires.
    pub(crate) times: Vec<Time>,
    /// For each adder what it needs, first what few others need: the first of equally dear needs
    /// counts as the dearest. No order is best on every task; any is sound.
    pub(crate) needs: Lists,
    /// For each adder what it adds.
    pub(crate) adds: Lists,
    /// For each fact the adders that need it.
    pub(crate) needed_by: Lists,
    /// Adders that need nothing.
    pub(crate) needless: Vec<u32>,
    /// The number of phases in a tick, at least 1.
    pub(crate) phases: u32,
    /// The number of phases in which agents choose.
    pub(crate) choices: u32,
}

/// The moment of the tick at which an adder fires.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Time {
    phase: u32,
    /// 1 where what is added in its phase may be needed in the same.
    slack: u32,
}

impl Relaxation {
    /// That of a task with a goal, and the goal. `None` if there is no goal or there are too many
    /// rules, or `control` says stop.
    pub(crate) fn toward_goal(task: &PackedTask, control: &dyn Control) -> Option<(Self, u32)> {
        let rules = Rules::new(task, &|| control.stop().is_some())?;
        let goal = rules.goal?;
        let adders = Adders::toward(&rules.all, rules.numbering.len(), &[goal]);
        let goal = adders.number(goal);
        Some((Self::new(task, &rules, adders, Vec::new()), goal))
    }

    /// That of adders of the rules, some of which need pairs of values.
    pub(crate) fn new(task: &PackedTask, rules: &Rules, adders: Adders, pairs: Vec<Pair>) -> Self {
        let Adders {
            mut all,
            facts,
            numbers,
        } = adders;
        let mut needed = vec![0_u32; facts as usize];
        for &fact in all.iter().flat_map(|adder| &adder.needs) {
            needed[fact as usize] += 1;
        }
        for adder in &mut all {
            let needs = &mut adder.needs;
            needs.sort_unstable_by_key(|&fact| (needed[fact as usize], fact));
        }
        let indexed = || (0_u32..).zip(&all);
        let needs =
            || indexed().flat_map(|(index, adder)| adder.needs.iter().map(move |&n| (index, n)));
        let adds =
            || indexed().flat_map(|(index, adder)| adder.adds.iter().map(move |&a| (index, a)));
        let needless = indexed().filter(|(_, adder)| adder.needs.is_empty());
        let time = |moment| match moment {
            Moment::AtOnce => Time {
                phase: AT_ONCE,
                slack: 0,
            },
            Moment::Phase(phase) => Time {
                phase,
                slack: rules.loose[phase as usize].into(),
            },
        };
        let variables = (0..).zip(&task.variables).filter_map(|(id, variable)| {
            let first = rules.numbering.fact(VarId(id), 0);
            let mut facts = numbers[first as usize..][..variable.size as usize].iter();
            facts.any(|&fact| fact != NONE).then_some((id, first))
        });
        Self {
            variables: variables.collect(),
            facts,
            operators: all.iter().map(|adder| adder.operator).collect(),
            times: all.iter().map(|adder| time(adder.moment)).collect(),
            needs: Lists::new(all.len(), needs()),
            adds: Lists::new(all.len(), adds()),
            needed_by: Lists::new(facts as usize, needs().map(|(adder, fact)| (fact, adder))),
            needless: needless.map(|(index, _)| index).collect(),
            phases: rules.phases.max(1),
            choices: rules.choices,
            values: numbers,
            pairs,
        }
    }

    /// The number of adders.
    pub(crate) fn adders(&self) -> u32 {
        self.operators.len() as u32
    }

    /// The operator that an adder is a part of.
    pub(crate) fn operator(&self, adder: u32) -> Option<OperatorId> {
        let operator = self.operators[adder as usize];
        (operator != FREE).then_some(OperatorId(operator))
    }

    /// Visits the facts of a state.
    pub(crate) fn for_each_fact(
        &self,
        task: &PackedTask,
        state: &State,
        mut visit: impl FnMut(u32),
    ) {
        for &(variable, first) in &self.variables {
            let value = task.variables[variable as usize].get(state);
            let fact = self.values[(first + value) as usize];
            if fact != NONE {
                visit(fact);
            }
        }
        for pair in &self.pairs {
            let fact = self.values[pair.of(task, state) as usize];
            if fact != NONE {
                visit(fact);
            }
        }
    }

    /// For each fact true if it is a value of a variable that is not derived. Others are auxiliary
    /// or follow from axioms.
    pub(crate) fn basic(&self, task: &PackedTask) -> Vec<bool> {
        let mut is_basic = vec![false; self.facts as usize];
        for &(variable, first) in &self.variables {
            let size = task.variables[variable as usize].size;
            for &fact in &self.values[first as usize..(first + size) as usize] {
                if fact != NONE && task.variables[variable as usize].kind != VariableKind::Derived {
                    is_basic[fact as usize] = true;
                }
            }
        }
        is_basic
    }

    /// The ticks that have passed when a moment is over: 0 at the start.
    pub(crate) const fn ticks(&self, moment: u32) -> u32 {
        moment.div_ceil(self.phases)
    }

    /// True for an adder that fires by itself, at a phase after those of the choices.
    pub(crate) fn is_event(&self, adder: u32) -> bool {
        let phase = self.times[adder as usize].phase;
        phase != AT_ONCE && phase >= self.choices
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        let lists = [&self.needs, &self.adds, &self.needed_by];
        lists.iter().map(|lists| lists.bytes()).sum::<usize>()
            + size_of_val(&*self.values)
            + size_of_val(&*self.operators)
            + size_of_val(&*self.times)
    }
}

impl Time {
    /// The moment after which an adder whose needs hold from `moment` on has fired:
    /// `tick · phases + phase + 1`.
    pub(crate) const fn next(self, moment: u32, phases: u32) -> u32 {
        if self.phase == AT_ONCE {
            return moment;
        }
        let ticks = moment
            .saturating_sub(self.phase + self.slack)
            .div_ceil(phases);
        ticks * phases + self.phase + 1
    }
}
