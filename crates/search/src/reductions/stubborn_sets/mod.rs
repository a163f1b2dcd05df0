//! Partial-order reduction: strong stubborn sets (Y. Alkhazraji, M. Wehrle, R. Mattmüller, M.
//! Helmert, "A Stubborn Set Algorithm for Optimal Planning", ECAI 2012; M. Wehrle and M. Helmert,
//! "Efficient Stubborn Sets: Generalized Algorithms and Selection Strategies", ICAPS 2014).
//!
//! A set T of operators is stubborn in a state s that is no goal if it holds
//! - all operators that can make some part of the goal true that is false in s,
//! - of each operator in it that is not applicable in s all that can make some false part of its
//!   precondition true,
//! - of each that is applicable in s all that interfere with it.
//!
//! Two operators interfere if they can be applicable together and one may write what the other's
//! precondition or effect depends on, or may give a variable another value than the other does.
//! Writing a value that the other needs is no interference. Only operators of T are expanded.
//!
//! **Sound for one plan.** Let π be an optimal plan from s. It makes the false part of the goal
//! true, so it has operators of T; let o be the first. o is applicable in s: else some operator
//! before it would have made a false part of its precondition true, and those are in T. No operator
//! before o is in T, so none interferes with o; one by one they stay applicable after o, lead to
//! the same states as before with what o wrote, record the same labels, cost the same and leave o's
//! effect as it is. So o and then the rest of π is a plan with the same keys: the cost is a sum,
//! each step takes one tick whatever it does, and labels are only counted. If it met the goal
//! earlier than π does it would have fewer ticks at no greater cost, against π being optimal. By
//! induction over the ticks that remain an optimal plan is left from every state, whatever search
//! is made; T depends on the state alone, so estimates that are admissible, or consistent, stay so.
//!
//! **With symmetries.** T is computed of the canonical state, whose optimal plans are those of the
//! state it stands for, renamed. The induction above goes from a canonical state over an operator
//! of T to a state and on to that one's canonical state, from which the rest is as good.
//!
//! **Where it is used.** The argument needs that nothing else happens in a step, and that a state's
//! future does not depend on when it is reached: there is one agent, and there are no delayed
//! effects, no events, no clock and no horizon, nor an end besides the goal: π may come to it with
//! its last step, where the goal holds too. There is a goal, and no step improves what is
//! minimised: otherwise a plan that ends earlier need not be better. Losing states are allowed:
//! operators that write what these depend on count as interfering with each other, so that the
//! states passed on the way agree in it with states passed by π. Conditional effects and costs that
//! depend on the state are covered by what operators read, derived variables by what they are
//! derived from. It keeps one optimal plan, not all: never where plans are counted.

mod profile;
mod sets;

use std::ops::Range;

use crate::measure::Measure;
use brigade_task::cond::Cond;
use brigade_task::{OperatorId, PackedTask, Phase, State};
use profile::{Need, Profile, Profiler};
use sets::Set;

/// Tasks whose sets would take more bytes are not pruned.
const MOST_BYTES: usize = 64 << 20;

/// The operators that may make a condition true that has to hold.
struct Enabled {
    need: Need,
    /// Index into [`StubbornSets::enablers`].
    enablers: u32,
}

/// The stubborn sets of a task: its operators' relations.
pub(crate) struct StubbornSets<'t> {
    task: &'t PackedTask,
    /// The parts of all preconditions, those of one operator after those of another.
    needs: Vec<Enabled>,
    of_operator: Vec<Range<u32>>,
    goal: Vec<Enabled>,
    enablers: Vec<Set>,
    /// Of each operator those that interfere with it.
    interfering: Vec<Set>,
}

/// The operators that write, and those that need, each variable and fact.
struct Index {
    /// For each fact the operators that need it, that may make it true, and that may make it false.
    needing: Vec<Set>,
    making: Vec<Set>,
    breaking: Vec<Set>,
    /// For each variable the operators that need a value of it, that read it otherwise, and that
    /// may write it.
    needing_any: Vec<Set>,
    reading: Vec<Set>,
    writing: Vec<Set>,
}

/// Returns whether stubborn sets keep an optimal plan of this task and objective.
pub(crate) fn are_sound(task: &PackedTask, measure: Measure) -> bool {
    let is_idle = |phase: &Phase| match phase {
        Phase::Timers => true,
        Phase::Effect { effect, .. } => effect.is_idle(),
    };
    let happens_by_itself = !task.timers.is_empty() || !task.tick.iter().all(is_idle);
    let has_clock = task.clock.is_some() || task.horizon.is_some();
    task.agents.len() == 1
        && !happens_by_itself
        && !has_clock
        && task.end == Cond::False
        && task.goal.is_some()
        && measure.is_monotone(task)
}

impl<'t> StubbornSets<'t> {
    /// Prepares them, in `memory_limit` bytes at most; `None` where they are unsound or take more.
    pub(crate) fn new(
        task: &'t PackedTask,
        measure: Measure,
        memory_limit: Option<usize>,
    ) -> Option<Self> {
        if !are_sound(task, measure) {
            return None;
        }
        let operators = task.operators.len();
        let profiler = Profiler::new(task)?;
        let profiles: Vec<Profile> = (task.operators.iter())
            .map(|operator| profiler.profile(operator))
            .collect();
        let others = profiles.iter().flat_map(|profile| &profile.needs);
        let others = others.filter(|need| matches!(need, Need::Other { .. }));
        let sets = operators + 3 * (profiler.facts() + task.variables.len()) + others.count();
        let bytes = sets.saturating_mul(operators.div_ceil(64) * size_of::<u64>());
        if bytes > memory_limit.unwrap_or(MOST_BYTES).min(MOST_BYTES) {
            return None;
        }
        let index = Index::new(task, &profiler, &profiles);
        let mut interfering: Vec<Set> = (profiles.iter())
            .map(|profile| index.interfering(profile, operators))
            .collect();
        index.add_changes_of_losing(&profiler.reads(&task.fail), &mut interfering);
        for (own, set) in (0..).zip(&mut interfering) {
            set.remove(own);
        }
        let mut found = Self {
            task,
            needs: Vec::new(),
            of_operator: Vec::new(),
            goal: Vec::new(),
            enablers: index.making.clone(),
            interfering,
        };
        for profile in profiles {
            let first = found.needs.len() as u32;
            for need in profile.needs {
                let enabled = found.enabled(need, &index);
                found.needs.push(enabled);
            }
            found.of_operator.push(first..found.needs.len() as u32);
        }
        if let Some(goal) = &task.goal {
            for need in profiler.needs(goal) {
                let enabled = found.enabled(need, &index);
                found.goal.push(enabled);
            }
        }
        Some(found)
    }

    /// Bytes held, about.
    pub(crate) fn bytes(&self) -> usize {
        let set = size_of::<Set>() + self.task.operators.len().div_ceil(64) * size_of::<u64>();
        (self.enablers.len() + self.interfering.len()) * set
            + self.needs.len() * size_of::<Enabled>()
    }

    fn enabled(&mut self, need: Need, index: &Index) -> Enabled {
        let enablers = match &need {
            Need::Fact { fact, .. } => *fact,
            Need::Other { reads, .. } => {
                let mut enablers = Set::new(self.task.operators.len());
                for &variable in reads {
                    enablers.add(&index.writing[variable as usize]);
                }
                self.enablers.push(enablers);
                self.enablers.len() as u32 - 1
            }
        };
        Enabled { need, enablers }
    }

    /// The false part of a condition that adds fewest operators to a set; the first of equals.
    fn cheapest<'s>(&'s self, needs: &'s [Enabled], state: &State, set: &Set) -> Option<&'s Set> {
        let mut best: Option<(u32, &Set)> = None;
        for enabled in needs {
            if enabled.need.holds(self.task, state) {
                continue;
            }
            let enablers = &self.enablers[enabled.enablers as usize];
            let added = set.lacks(enablers);
            if best.is_none_or(|(least, _)| added < least) {
                best = Some((added, enablers));
                if added == 0 {
                    break;
                }
            }
        }
        best.map(|(_, enablers)| enablers)
    }
}

/// Finds stubborn sets of states.
#[derive(Clone)]
pub(crate) struct Pruner {
    applicable: Set,
    stubborn: Set,
    open: Vec<u32>,
}

impl Pruner {
    pub(crate) fn new(sets: &StubbornSets) -> Self {
        let operators = sets.task.operators.len();
        Self {
            applicable: Set::new(operators),
            stubborn: Set::new(operators),
            open: Vec::new(),
        }
    }

    /// Leaves of all operators that are applicable in a state, which is no goal, those of a
    /// stubborn set, in the same order.
    pub(crate) fn prune(
        &mut self,
        sets: &StubbornSets,
        state: &State,
        applicable: &mut Vec<OperatorId>,
    ) {
        if applicable.len() < 2 {
            return;
        }
        self.applicable.clear();
        self.stubborn.clear();
        self.open.clear();
        for operator in &*applicable {
            self.applicable.insert(operator.0);
        }
        let Some(first) = sets.cheapest(&sets.goal, state, &self.stubborn) else {
            return;
        };
        let open = &mut self.open;
        self.stubborn
            .add_noting(first, |operator| open.push(operator));
        // How many of the applicable operators are left out so far.
        let mut left_out = applicable.len();
        while let Some(operator) = self.open.pop() {
            let more = if self.applicable.contains(operator) {
                left_out -= 1;
                if left_out == 0 {
                    return;
                }
                Some(&sets.interfering[operator as usize])
            } else {
                let needs = &sets.of_operator[operator as usize];
                let needs = &sets.needs[needs.start as usize..needs.end as usize];
                sets.cheapest(needs, state, &self.stubborn)
            };
            if let Some(more) = more {
                let open = &mut self.open;
                self.stubborn
                    .add_noting(more, |operator| open.push(operator));
            }
        }
        applicable.retain(|operator| self.stubborn.contains(operator.0));
    }
}

impl Index {
    fn new(task: &PackedTask, profiler: &Profiler, profiles: &[Profile]) -> Self {
        let operators = task.operators.len();
        let sets = |count: usize| vec![Set::new(operators); count];
        let (facts, variables) = (profiler.facts(), task.variables.len());
        let mut index = Self {
            needing: sets(facts),
            making: sets(facts),
            breaking: sets(facts),
            needing_any: sets(variables),
            reading: sets(variables),
            writing: sets(variables),
        };
        for (operator, profile) in (0..).zip(profiles) {
            for &(variable, fact) in &profile.facts {
                index.needing[fact as usize].insert(operator);
                index.needing_any[variable as usize].insert(operator);
            }
            for &variable in &profile.reads {
                index.reading[variable as usize].insert(operator);
            }
            for &(variable, value) in &profile.writes {
                index.writing[variable as usize].insert(operator);
                for fact in profiler.facts_of(variable) {
                    if value.is_none_or(|value| value as usize == fact) {
                        index.making[fact].insert(operator);
                    }
                    if value.is_none_or(|value| value as usize != fact) {
                        index.breaking[fact].insert(operator);
                    }
                }
            }
        }
        index
    }

    /// The operators that interfere with one, and perhaps itself.
    fn interfering(&self, profile: &Profile, operators: usize) -> Set {
        let mut found = Set::new(operators);
        for &(variable, value) in &profile.writes {
            let index = variable as usize;
            found.add(&self.reading[index]);
            if let Some(fact) = value {
                found.add_except(&self.needing_any[index], &self.needing[fact as usize]);
                found.add(&self.breaking[fact as usize]);
            } else {
                found.add(&self.needing_any[index]);
                found.add(&self.writing[index]);
            }
        }
        for &(_, fact) in &profile.facts {
            found.add(&self.breaking[fact as usize]);
        }
        for &variable in &profile.reads {
            found.add(&self.writing[variable as usize]);
        }
        // Those that need another value are never applicable together with it.
        for &(variable, fact) in &profile.facts {
            let index = variable as usize;
            found.remove_except(&self.needing_any[index], &self.needing[fact as usize]);
        }
        found
    }

    /// Operators that write what losing depends on interfere with each other.
    fn add_changes_of_losing(&self, reads: &[u32], interfering: &mut [Set]) {
        let Some((&first, rest)) = reads.split_first() else {
            return;
        };
        let mut writing = self.writing[first as usize].clone();
        for &variable in rest {
            writing.add(&self.writing[variable as usize]);
        }
        for (operator, set) in (0..).zip(interfering) {
            if writing.contains(operator) {
                set.add(&writing);
            }
        }
    }
}
