//! What others have to bring about for an agent on every way to the goal.

use super::closure::Closure;
use super::model::Model;
use super::relaxed_plan::RelaxedPlan;
use super::sphere::{Fact, Sphere, remove, singleton};
use super::tracking::written;

/// Something that others have to bring about for an agent.
#[derive(Clone, Debug)]
pub(super) struct Landmark {
    /// Whose landmark it is.
    pub(super) agent: usize,
    /// The only one whose operators can bring it about, but perhaps for the agent itself.
    pub(super) supplier: usize,
    /// Facts about foreign variables: one of them has to come true.
    pub(super) supply: Vec<Fact>,
    /// These, and those about places where the agent itself may keep it.
    pub(super) hidden: Vec<Fact>,
}

impl Sphere {
    /// What one other agent has to bring about on every way to the goal, as far as relaxed plans tell.
    pub(super) fn landmarks(
        &self,
        model: &Model,
        start: &[u64],
        plan: &RelaxedPlan,
    ) -> Vec<Landmark> {
        let variables = &model.task.variables;
        let mut by_tick = vec![false; variables.len()];
        let effects = model.tick.iter().flatten();
        for change in effects.chain(model.timers.iter().map(|timer| &timer.change)) {
            change.writes(&mut |variable| by_tick[variable as usize] = true);
        }
        let own = written(model, &[self.agent()]);
        let agents: Vec<usize> = (0..model.task.agents.len()).collect();
        let mut everyone = Closure::new(model, &agents);
        let others = agents.into_iter().filter(|&other| other != self.agent());
        let others: Vec<(usize, Closure)> = others
            .map(|other| (other, Closure::new(model, &[other])))
            .collect();
        let mut landmarks = Vec::new();
        for first in 0..model.domains.len() {
            let members = self.members(first);
            let is_foreign = |&member: &u32| self.is_foreign[member as usize];
            let foreign: Vec<u32> = members.iter().copied().filter(is_foreign).collect();
            let shared = foreign
                .iter()
                .copied()
                .filter(|&member| own[member as usize]);
            let shared: Vec<u32> = shared.collect();
            for value in 0..variables[first as usize].size {
                let start_has = |&member: &u32| variables[member as usize].get(start) == value;
                if members.iter().any(start_has) {
                    continue;
                }
                // What both write is handed over; failing that, what the agent only sees.
                for places in [&shared, &foreign] {
                    let is_timed = |&place: &u32| by_tick[place as usize];
                    let is_planned = |&place: &u32| plan.uses(place, value);
                    if places.iter().any(is_timed) || !places.iter().any(is_planned) {
                        continue;
                    }
                    let kept = |member: &u32| {
                        places.contains(member) || !self.is_foreign[*member as usize]
                    };
                    let hidden = members.iter().copied().filter(kept);
                    let supply: Vec<Fact> = places.iter().map(|&place| (place, value)).collect();
                    let mut suppliers = others
                        .iter()
                        .filter(|(_, other)| other.may_give(model, self.everything(), &supply));
                    let (Some(&(supplier, _)), None) = (suppliers.next(), suppliers.next()) else {
                        continue;
                    };
                    let landmark = Landmark {
                        agent: self.agent(),
                        supplier,
                        supply,
                        hidden: hidden.map(|member| (member, value)).collect(),
                    };
                    if self.needs(model, start, &mut everyone, &landmark) {
                        landmarks.push(landmark);
                        break;
                    }
                }
            }
        }
        landmarks
    }

    /// Whether the goal cannot be reached without a landmark, even if facts once true stay true.
    fn needs(
        &self,
        model: &Model,
        start: &[u64],
        everyone: &mut Closure,
        landmark: &Landmark,
    ) -> bool {
        let mut row = singleton(model, start);
        for variable in 0..model.domains.len() {
            if self.is_red[variable as usize] {
                let known = model.domains.get(self.unaided(), variable);
                model
                    .domains
                    .get_mut(&mut row, variable)
                    .copy_from_slice(known);
            }
        }
        remove(model, &mut row, &landmark.hidden);
        everyone.close(model, &mut row, &landmark.hidden).is_some()
            && model.goal.truth(&model.domains, &row) == Some(false)
    }
}
