//! Components: variables that go together, and the operators that each pays for.
//!
//! A component is made of the variables of one object that the goal asks something of, and of what
//! its operators need. Each operator is paid for in one component: the one of whose own variables
//! it changes most (as in P. Haslum, B. Bonet, H. Geffner, "New Admissible Heuristics for
//! Domain-Independent Planning", AAAI 2005). Components are put together where distances grow by
//! it.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use super::charges::Label;
use super::names;
use super::projection::{Context, Distinctions, FAR, Projection};
use brigade_task::ObjectId;
use brigade_task::layout::VariableKind;
use brigade_task::symbols::Meaning;

/// States are sampled, at most.
const MOST_SAMPLES: usize = 16;
/// The distance that a state counts for from which the goal cannot be reached, when projections are
/// compared.
const MOST_COUNTED: u16 = 100;

/// Variables that go together.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Component {
    /// The objects that it is about.
    objects: BTreeSet<ObjectId>,
    /// The variables of these objects.
    own: Vec<u32>,
    /// The variables distinguished: those, and what their operators need.
    distinguished: Vec<u32>,
    /// Timers that are reduced to whether they run.
    running: Vec<u32>,
    /// Own variables of which values are distinguished that the goal allows from others.
    asked: Vec<u32>,
}

/// The values of a variable before a label and after it, where it is changed, whatever the objects that a component
/// is not about.
type Kind = (BTreeSet<Meaning>, Option<BTreeSet<Meaning>>);

/// A component, and what its operators need.
type Needing = (Component, Vec<u32>);

/// Finds components, and their projections.
pub(crate) struct Finder<'a, 'b, 'm, 't> {
    context: &'a Context<'a, 'b, 'm, 't>,
    /// The values of variables and groups, and where something was done last, in states whose
    /// distances are to be great.
    starts: &'a [(Vec<u32>, Option<u32>)],
    samples: Vec<usize>,
    known: FxHashMap<(Component, Vec<bool>), Option<usize>>,
    projections: Vec<Projection>,
}

impl<'a, 'b, 'm, 't> Finder<'a, 'b, 'm, 't> {
    pub(crate) fn new(
        context: &'a Context<'a, 'b, 'm, 't>,
        starts: &'a [(Vec<u32>, Option<u32>)],
    ) -> Self {
        Self {
            context,
            starts,
            samples: (0..starts.len())
                .step_by(starts.len().div_ceil(MOST_SAMPLES).max(1))
                .collect(),
            known: FxHashMap::default(),
            projections: Vec::new(),
        }
    }

    /// The projections whose distances at the samples are greatest together.
    pub(crate) fn find(mut self) -> Vec<Projection> {
        let (mut components, mut needs): (Vec<Component>, Vec<Vec<u32>>) =
            self.components().into_iter().unzip();
        for number in 0..components.len() {
            components[number].asked = self.made(&components, number);
            self.leave_out_timers(&mut components, number);
            self.grow(&mut components, number, &needs[number]);
        }
        self.sample(&components);
        loop {
            let estimate = self.estimate(&components);
            let mut best: Option<(u64, usize, usize, Vec<Component>)> = None;
            for left in 0..components.len() {
                for right in left + 1..components.len() {
                    if self.context.control.stop().is_some() {
                        break;
                    }
                    if !self.are_related(
                        (&components[left], &needs[left]),
                        (&components[right], &needs[right]),
                    ) {
                        continue;
                    }
                    let merged = together(&components, left, right);
                    let new = self.estimate(&merged);
                    if new > best.as_ref().map_or(estimate, |&(estimate, ..)| estimate) {
                        best = Some((new, left, right, merged));
                    }
                }
            }
            let Some((_, left, right, merged)) = best else {
                break;
            };
            components = merged;
            let other = needs.remove(right);
            needs[left].extend(other);
            self.grow(&mut components, left, &needs[left]);
        }
        let used = self.numbers(&components).into_iter();
        let used: BTreeSet<usize> = used
            .filter(|&number| self.projections[number].is_informative())
            .collect();
        let all = self.projections.into_iter().enumerate();
        all.filter(|(number, _)| used.contains(number))
            .map(|(_, projection)| projection)
            .collect()
    }

    /// Adds to a component what its operators need, one after another, where distances grow by it.
    fn grow(&mut self, components: &mut [Component], number: usize, needs: &[u32]) {
        let mut estimate = self.estimate(components);
        for &id in needs {
            let component = &components[number];
            if component.distinguished.contains(&id) || component.own.contains(&id) {
                continue;
            }
            components[number].distinguished.push(id);
            let new = self.estimate(components);
            if new > estimate {
                estimate = new;
            } else {
                components[number].distinguished.pop();
            }
        }
    }

    /// Takes out of a component timers, or what they count, where distances do not shrink by it:
    /// time costs nothing.
    fn leave_out_timers(&mut self, components: &mut [Component], number: usize) {
        let variables = &self.context.builder.model.task.variables;
        let estimate = self.estimate(components);
        for id in components[number].distinguished.clone() {
            let variable = variables.get(id as usize);
            if !variable.is_some_and(|it| matches!(it.kind, VariableKind::Timer)) {
                continue;
            }
            let all = components[number].distinguished.clone();
            components[number]
                .distinguished
                .retain(|&other| other != id);
            if self.estimate(components) < estimate {
                components[number].distinguished = all;
                components[number].running.push(id);
                if self.estimate(components) < estimate {
                    components[number].running.pop();
                }
            }
        }
    }

    /// Those of some variables that a label which a component pays for makes what the goal allows:
    /// what others make of the rest they pay for, and more parts of the goal see it alike.
    fn made(&self, components: &[Component], number: usize) -> Vec<u32> {
        let builder = self.context.builder;
        let labels = self.context.charges.labels.iter();
        let paid: Vec<&Label> = labels
            .filter(|label| payer(components, label) == Some(number))
            .collect();
        let is_made = |&id: &u32| {
            let rows = self.context.rows.iter();
            let allowed: BTreeSet<u32> = rows.flat_map(|row| builder.values_in(row, id)).collect();
            paid.iter().any(|label| {
                let written = label.case.written(id);
                written.is_some_and(|it| it.after.iter().any(|value| allowed.contains(value)))
            })
        };
        let own = components[number].own.iter().copied();
        own.filter(is_made).collect()
    }

    /// The sum of the distances that components have at the samples.
    fn estimate(&mut self, components: &[Component]) -> u64 {
        let numbers = self.numbers(components);
        let samples = self.samples.iter();
        samples
            .map(|&start| u64::from(self.estimate_of(&numbers, start)))
            .sum()
    }

    /// The projections of components, but for those that would be too large.
    fn numbers(&mut self, components: &[Component]) -> Vec<usize> {
        let labels = &self.context.charges.labels;
        let payers: Vec<Option<usize>> = labels.iter().map(|it| payer(components, it)).collect();
        let components = components.iter().enumerate();
        components
            .filter_map(|(number, component)| {
                let pays: Vec<bool> = payers.iter().map(|&payer| payer == Some(number)).collect();
                let key = (component.clone(), pays);
                if let Some(&known) = self.known.get(&key) {
                    return known;
                }
                let projection = self.projection(component, &key.1);
                let found = projection.map(|projection| {
                    self.projections.push(projection);
                    self.projections.len() - 1
                });
                self.known.insert(key, found);
                found
            })
            .collect()
    }

    /// Lets those states count whose distances are least.
    fn sample(&mut self, components: &[Component]) {
        let numbers = self.numbers(components);
        let mut all: Vec<(u32, usize)> = (0..self.starts.len())
            .map(|start| (self.estimate_of(&numbers, start), start))
            .collect();
        all.sort_unstable();
        self.samples = all.into_iter().map(|it| it.1).take(MOST_SAMPLES).collect();
    }

    fn projection(&self, component: &Component, pays: &[bool]) -> Option<Projection> {
        let pays = |label: usize| pays[label];
        let variables = component.distinguished.iter().map(|&id| Distinctions {
            id,
            is_own: component.own.contains(&id),
            is_asked: component.asked.contains(&id),
            is_running: component.running.contains(&id),
        });
        let variables: Vec<Distinctions> = variables.collect();
        Projection::new(self.context, &variables, &component.objects, pays)
    }

    /// The sum of the distances of projections at a start, and the charge for a move.
    fn estimate_of(&self, projections: &[usize], start: usize) -> u32 {
        let (values, at) = &self.starts[start];
        let counted = |distance: u16| {
            u32::from(if distance == FAR {
                MOST_COUNTED
            } else {
                distance
            })
        };
        let (mut acted, mut moved) = (self.context.charges.charge, 0);
        for &projection in projections {
            let projection = &self.projections[projection];
            let classes = projection.variables.iter().zip(&projection.classes);
            let mut classes = classes.map(|(&id, classes)| classes[values[id as usize] as usize]);
            let state = projection.state(&mut classes);
            let distances = state.map_or((0, 0), |state| projection.distances(state, *at));
            acted += counted(distances.0);
            moved += counted(distances.1);
        }
        acted.max(moved)
    }

    /// Those of single objects that the goal asks something of.
    fn components(&self) -> Vec<Needing> {
        let builder = self.context.builder;
        let all = 0..builder.model.domains.len() + builder.groups.len();
        let distinguished: Vec<u32> = all
            .filter(|&id| builder.groups.facts(id).is_some() || builder.distinguished[id as usize])
            .filter(|&id| builder.follows_from[id as usize] == id)
            .filter(|&id| Some(id) != self.context.charges.place)
            .collect();
        let mut found: BTreeMap<ObjectId, (Vec<u32>, bool)> = BTreeMap::new();
        for &id in &distinguished {
            let is_asked = self.is_asked(id);
            for object in names::subjects(builder, id, self.context.objects) {
                let entry = found.entry(object).or_default();
                entry.0.push(id);
                entry.1 |= is_asked;
            }
        }
        let mut components: Vec<Component> = Vec::new();
        for (object, (own, is_asked)) in found {
            if is_asked {
                components.push(Component {
                    objects: BTreeSet::from([object]),
                    distinguished: own.clone(),
                    running: Vec::new(),
                    asked: own.clone(),
                    own,
                });
            }
        }
        for component in &mut components {
            let own = component.own.clone();
            let facts = |id: u32| builder.groups.facts(id).unwrap_or_default();
            let is_part = |&id: &u32| {
                own.iter().any(|&other| {
                    let others = facts(other);
                    facts(id).len() < others.len() && facts(id).iter().all(|it| others.contains(it))
                })
            };
            component
                .own
                .retain(|id| facts(*id).is_empty() || !is_part(id));
            component.distinguished = component.own.clone();
        }
        let needs =
            (0..components.len()).map(|number| self.needed(&components, number, &distinguished));
        let needs: Vec<Vec<u32>> = needs.collect();
        components.into_iter().zip(needs).collect()
    }

    /// Returns whether some value of a variable is not one that the goal allows.
    fn is_asked(&self, id: u32) -> bool {
        let builder = self.context.builder;
        let rows = self.context.rows.iter();
        let allowed: BTreeSet<u32> = rows.flat_map(|row| builder.values_in(row, id)).collect();
        allowed.len() < builder.size(id) as usize
    }

    /// The variables that all operators of one kind need to have one value, of a kind that a
    /// component pays for.
    fn needed(&self, components: &[Component], number: usize, distinguished: &[u32]) -> Vec<u32> {
        let context = self.context;
        let own = &components[number].own;
        let paid = context.charges.labels.iter();
        let paid = paid.filter(|label| payer(components, label) == Some(number));
        let mut kinds: BTreeMap<Vec<Kind>, BTreeSet<u32>> = BTreeMap::new();
        for label in paid {
            if self.leads_nowhere(label, own) {
                continue;
            }
            let is_sure = |id: &u32| match label.case.values_before(*id) {
                Some(&[only]) => {
                    let objects = context.meanings[*id as usize][only as usize].objects();
                    !objects
                        .iter()
                        .any(|it| components[number].objects.contains(it))
                }
                _ => false,
            };
            let sure = distinguished.iter().copied().filter(|id| !own.contains(id));
            let sure: BTreeSet<u32> = sure.filter(is_sure).collect();
            kinds
                .entry(self.kind(label, &components[number]))
                .and_modify(|all| *all = &*all & &sure)
                .or_insert(sure);
        }
        kinds
            .into_values()
            .reduce(|all, sure| &all | &sure)
            .unwrap_or_default()
            .into_iter()
            .collect()
    }

    /// The effect of a label on the variables of a component, but for where, and with what else.
    fn kind(&self, label: &Label, component: &Component) -> Vec<Kind> {
        let of = |id: u32, values: &[u32]| -> BTreeSet<Meaning> {
            let meanings = &self.context.meanings[id as usize];
            let is_left_out = |object: &ObjectId| !component.objects.contains(object);
            let values = values.iter();
            values
                .map(|&value| names::without(&meanings[value as usize], is_left_out))
                .collect()
        };
        let own = component.own.iter();
        own.map(|&id| match label.case.written(id) {
            Some(written) => (of(id, &written.before), Some(of(id, &written.after))),
            None => (of(id, label.case.kept(id).unwrap_or(&[])), None),
        })
        .collect()
    }

    /// Returns whether a label makes one of these variables what it stays, although the goal does
    /// not allow it.
    fn leads_nowhere(&self, label: &Label, own: &[u32]) -> bool {
        let builder = self.context.builder;
        own.iter().any(|&id| {
            let Some(written) = label.case.written(id) else {
                return false;
            };
            let is_left = |value: &u32| {
                let mut labels = self.context.charges.labels.iter();
                let allowed = self.context.rows.iter();
                allowed
                    .into_iter()
                    .any(|row| builder.values_in(row, id).contains(value))
                    || labels.any(|other| {
                        let written = other.case.written(id);
                        written.is_some_and(|it| {
                            it.before.contains(value) && !it.after.contains(value)
                        })
                    })
            };
            !written.after.iter().any(is_left)
        })
    }

    /// Returns whether one component needs a variable of the other, or the goal, or a state whose
    /// distance is to be great, combines both.
    fn are_related(&self, left: (&Component, &[u32]), right: (&Component, &[u32])) -> bool {
        let builder = self.context.builder;
        let needs =
            |needs: &[u32], other: &Component| needs.iter().any(|id| other.own.contains(id));
        let names = |one: &Component, other: &Component| {
            one.own.iter().any(|&id| {
                let meanings = &self.context.meanings[id as usize];
                let is_named = |value: u32| {
                    let mut named = meanings[value as usize].objects().iter();
                    named.any(|object| other.objects.contains(object))
                };
                let rows = self.context.rows.iter();
                let mut allowed = rows.flat_map(|row| builder.values_in(row, id));
                let mut samples = self.samples.iter();
                self.is_asked(id)
                    && (allowed.any(is_named)
                        || samples.any(|&start| is_named(self.starts[start].0[id as usize])))
            })
        };
        [(left, right), (right, left)]
            .iter()
            .any(|(one, other)| needs(one.1, other.0) || names(one.0, other.0))
    }
}

/// Components with two of them put together.
fn together(components: &[Component], left: usize, right: usize) -> Vec<Component> {
    let mut merged = components.to_vec();
    let other = merged.remove(right);
    let one = &mut merged[left];
    let add = |to: &mut Vec<u32>, others: Vec<u32>| {
        let new: Vec<u32> = others.into_iter().filter(|id| !to.contains(id)).collect();
        to.extend(new);
    };
    one.objects.extend(other.objects);
    add(&mut one.own, other.own);
    add(&mut one.distinguished, other.distinguished);
    add(&mut one.running, other.running);
    add(&mut one.asked, other.asked);
    merged
}

/// The component that pays for a label.
fn payer(components: &[Component], label: &Label) -> Option<usize> {
    if label.cost == 0 && label.at.is_none() {
        return None;
    }
    let changed = components.iter().enumerate().map(|(number, component)| {
        let own = component.own.iter();
        let written = own.filter(|&&id| label.case.written(id).is_some());
        (written.count(), std::cmp::Reverse(number))
    });
    let (count, std::cmp::Reverse(number)) = changed.max()?;
    (count > 0).then_some(number)
}
