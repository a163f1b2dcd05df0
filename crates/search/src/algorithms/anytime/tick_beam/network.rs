//! The rules of a task as arrays, for computing what facts cost in the delete relaxation.

use brigade_task::rules::{FactId, Moment, Rules};
use brigade_task::{OperatorId, PackedTask, State};

/// No rule, no operator.
pub(super) const NONE: u32 = u32::MAX;
/// The moment of rules that fire at once.
const AT_ONCE: u32 = u32::MAX;
/// An additive cost counts in tenths of an operator; a step of an event or a timer costs one.
pub(super) const OPERATOR: u32 = 10;

/// The arrays.
#[derive(Debug)]
pub(super) struct Network {
    pub(super) facts: usize,
    pub(super) rules: Vec<Entry>,
    /// For each rule the number of facts that it needs.
    pub(super) needs: Vec<u32>,
    /// For each fact where the rules start that need it, and these.
    first_use: Vec<u32>,
    uses: Vec<u32>,
    /// The facts that each rule needs, likewise.
    first_need: Vec<u32>,
    needed: Vec<FactId>,
    /// The rules that need nothing.
    pub(super) unconditional: Vec<u32>,
    pub(super) goal: Option<FactId>,
    /// The number of the first value of each variable.
    first_value: Vec<FactId>,
    pub(super) phases: u32,
}

/// A rule.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) adds: FactId,
    /// Its own cost, beside that of its needs.
    pub(super) cost: u32,
    /// The phase, or [`AT_ONCE`].
    phase: u32,
    /// 1 where the phase is loose.
    slack: u32,
    /// The operator that it starts, or [`NONE`].
    pub(super) operator: u32,
}

impl Network {
    pub(super) fn new(task: &PackedTask, rules: &Rules) -> Self {
        let facts = rules.numbering.len() as usize;
        let mut uses = vec![Vec::new(); facts];
        let mut entries = Vec::with_capacity(rules.all.len());
        let mut needs = Vec::with_capacity(rules.all.len());
        let mut first_need = vec![0];
        let mut needed = Vec::new();
        let mut unconditional = Vec::new();
        for (rule, index) in rules.all.iter().zip(0..) {
            for &need in &rule.needs {
                uses[need as usize].push(index);
            }
            needed.extend(&rule.needs);
            first_need.push(needed.len() as u32);
            if rule.needs.is_empty() {
                unconditional.push(index);
            }
            needs.push(rule.needs.len() as u32);
            let (phase, slack) = match rule.moment {
                Moment::AtOnce => (AT_ONCE, 0),
                Moment::Phase(phase) => (phase, u32::from(rules.loose[phase as usize])),
            };
            let cost = match rule.operator {
                Some(_) => OPERATOR,
                None => u32::from(phase != AT_ONCE && phase >= rules.choices),
            };
            entries.push(Entry {
                adds: rule.adds,
                cost,
                phase,
                slack,
                operator: rule.operator.map_or(NONE, |operator| operator.0),
            });
        }
        let mut first_use = vec![0];
        let mut all_uses = Vec::new();
        for uses in uses {
            all_uses.extend(uses);
            first_use.push(all_uses.len() as u32);
        }
        let values = (0..).zip(&task.variables);
        let first_value = values
            .map(|(variable, _)| rules.numbering.fact(brigade_task::VarId(variable), 0))
            .collect();
        Self {
            facts,
            rules: entries,
            needs,
            first_use,
            uses: all_uses,
            first_need,
            needed,
            unconditional,
            goal: rules.goal,
            first_value,
            phases: rules.phases.max(1),
        }
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.rules)
            + size_of_val(&*self.uses)
            + size_of_val(&*self.needed)
            + 3 * size_of_val(&*self.needs)
            + size_of_val(&*self.first_use)
    }

    /// The rules that need a fact.
    pub(super) fn uses(&self, fact: FactId) -> &[u32] {
        let fact = fact as usize;
        &self.uses[self.first_use[fact] as usize..self.first_use[fact + 1] as usize]
    }

    /// The facts that a rule needs.
    pub(super) fn needs_of(&self, rule: u32) -> &[FactId] {
        let rule = rule as usize;
        &self.needed[self.first_need[rule] as usize..self.first_need[rule + 1] as usize]
    }

    /// The operator that a rule starts.
    pub(super) fn operator(&self, rule: u32) -> Option<OperatorId> {
        let operator = self.rules[rule as usize].operator;
        (operator != NONE).then_some(OperatorId(operator))
    }

    /// Visits the facts of a state.
    pub(super) fn for_each_fact(
        &self,
        task: &PackedTask,
        state: &State,
        mut visit: impl FnMut(FactId),
    ) {
        for (variable, first) in task.variables.iter().zip(&self.first_value) {
            visit(first + variable.get(state));
        }
    }

    /// The ticks that have passed when a moment is over: 0 at the start.
    pub(super) const fn ticks(&self, moment: u32) -> u32 {
        moment.div_ceil(self.phases)
    }
}

impl Entry {
    /// The moment after which a rule whose needs hold from `moment` on has fired: `tick · phases + phase + 1`.
    pub(super) const fn next(self, moment: u32, phases: u32) -> u32 {
        if self.phase == AT_ONCE {
            return moment;
        }
        let ticks = moment
            .saturating_sub(self.phase + self.slack)
            .div_ceil(phases);
        ticks * phases + self.phase + 1
    }
}
