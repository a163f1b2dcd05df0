//! The outcomes of an action, as alternatives that each need a conjunction: without conditional effects where these are
//! few.

use std::collections::BTreeMap;

use indexmap::IndexSet;

use super::diagram::{Cube, Diagram};
use super::symbolic::{State, Stop};
use super::world::{MAX_OUTCOMES, World};

/// One way that an action may go.
pub(super) struct Alternative {
    /// When it goes so. Alternatives of one action exclude each other.
    pub(super) needs: Cube,
    /// Values that variables get.
    pub(super) writes: Vec<(u32, u32)>,
    /// Values that variables get under conditions.
    pub(super) whens: Vec<(Cube, Vec<(u32, u32)>)>,
    /// Its cost.
    pub(super) cost: i64,
}

impl Alternative {
    /// One that does nothing.
    pub(super) fn test(needs: Cube) -> Self {
        Self {
            needs,
            writes: Vec::new(),
            whens: Vec::new(),
            cost: 0,
        }
    }

    /// The facts in it.
    pub(super) fn size(&self) -> usize {
        let whens = self.whens.iter();
        let whens = whens.map(|(cond, writes)| cond.len() + writes.len());
        self.needs.len() + self.writes.len() + whens.sum::<usize>() + 1
    }
}

/// A value that a variable gets.
struct Case {
    value: u32,
    /// When it gets it.
    cond: Diagram,
    /// As simply put as may be: where it has the value already, getting it makes no difference.
    loose: Diagram,
}

/// A variable and the values that it gets.
type Change = (u32, Vec<Case>);

/// Limits on the number of alternatives and conditions.
#[derive(Clone, Copy)]
pub(super) struct Most {
    /// Alternatives, or conditions of conditional effects, before the state is tested step by step.
    pub(super) few: usize,
    /// Conditions of conditional effects, where there are too many outcomes for that.
    pub(super) conditions: usize,
}

/// An alternative, or a test on the way to one.
pub(super) struct Step {
    /// The test that it follows, or none at the start.
    pub(super) after: Option<Diagram>,
    /// The test that it leads to, or none at the end.
    pub(super) to: Option<Diagram>,
    pub(super) what: Alternative,
}

/// From one test there are so many ways.
const WAYS_OF_TEST: usize = 24;

/// The states that an action leads to, each with its condition.
pub(super) type Ways<'w, 'a> = &'w [(Diagram, State<'a>)];

/// The alternatives of an action that is possible under a condition and leads to a state, as far as
/// they are few. Without `counts_cost` all cost nothing.
pub(super) fn few(
    world: &World<'_>,
    way: &(Diagram, State<'_>),
    counts_cost: bool,
    most: Most,
) -> Option<Vec<Step>> {
    let parts = Effects::of(world, way, counts_cost);
    let regions = regions(world, &parts, most.few);
    let apart = regions.and_then(|regions| apart(world, &regions, most.few));
    let found = apart.or_else(|| together(world, &parts, most.few));
    found.filter(|_| !world.space.is_full()).map(whole)
}

/// The alternatives of an action, with tests on the way to them.
pub(super) fn steps(
    world: &World<'_>,
    ways: Ways<'_, '_>,
    counts_cost: bool,
    most: Most,
) -> Result<Vec<Step>, Stop> {
    if let [way] = ways {
        if let Some(few) = few(world, way, counts_cost, most) {
            return Ok(few);
        }
        world.space.reopen();
    }
    let mut all = BTreeMap::new();
    for way in ways {
        let parts = Effects::of(world, way, counts_cost);
        let found = regions(world, &parts, MAX_OUTCOMES as usize).ok_or(Stop::TooLarge);
        let found = match (found, ways) {
            (Ok(found), _) => found,
            (Err(_), [_]) => {
                world.space.reopen();
                let together = together(world, &parts, most.conditions);
                let together = together.filter(|_| !world.space.is_full());
                return together.map(whole).ok_or(Stop::TooLarge);
            }
            (Err(stop), _) => return Err(stop),
        };
        for region in found {
            let cond = all
                .entry((region.writes, region.cost))
                .or_insert(Diagram::FALSE);
            *cond = world.space.or(*cond, region.cond);
        }
    }
    let all = all.into_iter();
    let regions: Vec<Region> = all
        .map(|((writes, cost), cond)| Region { cond, cost, writes })
        .collect();
    let found = match apart(world, &regions, most.few) {
        Some(apart) => whole(apart),
        None if regions.len() > MAX_OUTCOMES as usize => return Err(Stop::TooLarge),
        None => tests(world, &regions),
    };
    if world.space.is_full() {
        return Err(Stop::TooLarge);
    }
    Ok(found)
}

/// The costs and changes of an action.
struct Effects {
    costs: Vec<(i64, Diagram)>,
    changes: Vec<Change>,
}

impl Effects {
    fn of(world: &World<'_>, (possible, state): &(Diagram, State<'_>), counts_cost: bool) -> Self {
        let costs = if counts_cost {
            let costs = state.costs().iter();
            costs
                .map(|(cost, cond)| (*cost, world.space.and(*possible, *cond)))
                .filter(|(_, cond)| *cond != Diagram::FALSE)
                .collect()
        } else {
            vec![(0, *possible)]
        };
        Self {
            costs,
            changes: changes(world, *possible, state),
        }
    }
}

fn whole(alternatives: Vec<Alternative>) -> Vec<Step> {
    let alternatives = alternatives.into_iter();
    let step = |what| Step {
        after: None,
        to: None,
        what,
    };
    alternatives.map(step).collect()
}

/// Counts the conditions that it takes to describe the state after an action, up to `most`.
pub(super) fn size(world: &World<'_>, possible: Diagram, state: &State<'_>, most: usize) -> usize {
    let mut size = 0;
    for (_, cases) in changes(world, possible, state) {
        for case in cases {
            size += world.space.paths(case.loose, most);
            if size >= most {
                return most;
            }
        }
    }
    size
}

/// The variables that an action changes, with their values.
fn changes(world: &World<'_>, possible: Diagram, state: &State<'_>) -> Vec<Change> {
    let space = &world.space;
    let mut changes = Vec::new();
    for (variable, values) in state.changes() {
        let mut cases = Vec::new();
        for (value, cond) in values {
            let others = values.iter().filter(|(other, _)| *other != value);
            let elsewhere = space.any(others.map(|(_, cond)| *cond));
            let has = space.and(possible, world.fact(variable, *value));
            let idle = space.without(has, elsewhere);
            let cond = space.and(*cond, possible);
            if cond == Diagram::FALSE || space.implies(cond, idle) {
                continue;
            }
            let matters = space.without(possible, idle);
            let loose = space.and(possible, space.within(cond, matters));
            let cond = if loose == possible { loose } else { cond };
            cases.push(Case {
                value: *value,
                cond,
                loose,
            });
        }
        if !cases.is_empty() {
            changes.push((variable, cases));
        }
    }
    changes
}

/// Where an action does the same.
struct Region {
    cond: Diagram,
    cost: i64,
    writes: Vec<(u32, u32)>,
}

/// A region for each combination of changes and costs that is possible.
fn regions(
    world: &World<'_>,
    Effects { costs, changes }: &Effects,
    most: usize,
) -> Option<Vec<Region>> {
    let space = &world.space;
    let costs = costs.iter().map(|&(cost, cond)| Region {
        cond,
        cost,
        writes: Vec::new(),
    });
    let mut regions: Vec<Region> = costs.collect();
    for (variable, cases) in changes {
        let mut next = Vec::new();
        for region in regions {
            let mut rest = region.cond;
            for case in cases {
                let here = space.and(region.cond, case.cond);
                if here != Diagram::FALSE {
                    let mut writes = region.writes.clone();
                    writes.push((*variable, case.value));
                    next.push(Region {
                        cond: here,
                        writes,
                        ..region
                    });
                    rest = space.without(rest, case.cond);
                }
            }
            if rest != Diagram::FALSE {
                next.push(Region {
                    cond: rest,
                    ..region
                });
            }
            if next.len() > most || space.is_full() {
                return None;
            }
        }
        regions = next;
    }
    Some(regions)
}

/// An alternative for each path to each region.
fn apart(world: &World<'_>, regions: &[Region], most: usize) -> Option<Vec<Alternative>> {
    let mut paths = 0;
    for region in regions {
        paths += world.space.paths(region.cond, most + 1);
        if paths > most {
            return None;
        }
    }
    let mut found = Vec::new();
    for region in regions {
        for needs in world.cubes(region.cond) {
            found.push(region.alternative(needs));
        }
    }
    Some(found)
}

impl Region {
    fn alternative(&self, needs: Cube) -> Alternative {
        Alternative {
            needs,
            writes: self.writes.clone(),
            whens: Vec::new(),
            cost: self.cost,
        }
    }
}

/// Tests one after another that lead to a region: as many as their diagram has nodes, where its paths
/// may be many more.
fn tests(world: &World<'_>, regions: &[Region]) -> Vec<Step> {
    let space = &world.space;
    let outcome = world.outcome();
    let numbered = (0..).zip(regions);
    let numbered =
        numbered.map(|(index, region)| space.and(region.cond, space.fact(outcome, index)));
    let root = space.any(numbered);
    let mut steps = Vec::new();
    let mut known = IndexSet::from([root]);
    let mut next = 0;
    while let Some(&test) = known.get_index(next) {
        let after = (next > 0).then_some(test);
        next += 1;
        for (needs, to) in space.beginnings(test, outcome, WAYS_OF_TEST) {
            let needs = world.in_values(needs);
            let region = space.only_value(to, outcome);
            let region = region.and_then(|region| regions.get(region as usize));
            let (to, what) = match region {
                Some(region) => (None, region.alternative(needs)),
                None => (Some(to), Alternative::test(needs)),
            };
            known.extend(to);
            steps.push(Step { after, to, what });
        }
    }
    steps
}

/// An alternative for each cost, with conditional effects.
fn together(
    world: &World<'_>,
    Effects { costs, changes }: &Effects,
    most: usize,
) -> Option<Vec<Alternative>> {
    let space = &world.space;
    let mut found = Vec::new();
    let mut conditions = 0;
    for (cost, region) in costs {
        let mut writes = Vec::new();
        let mut whens: BTreeMap<Cube, Vec<(u32, u32)>> = BTreeMap::new();
        for (variable, cases) in changes {
            for Case { value, loose, .. } in cases {
                let cond = space.within(space.and(*region, *loose), *region);
                if cond == Diagram::FALSE {
                    continue;
                }
                if cond == Diagram::TRUE {
                    writes.push((*variable, *value));
                    continue;
                }
                conditions += space.paths(cond, most + 1);
                if conditions > most {
                    return None;
                }
                for cube in world.cubes(cond) {
                    whens.entry(cube).or_default().push((*variable, *value));
                }
            }
        }
        conditions += space
            .paths(*region, most + 1)
            .saturating_mul(1 + whens.len());
        if conditions > most {
            return None;
        }
        let whens: Vec<_> = whens.into_iter().collect();
        for needs in world.cubes(*region) {
            found.push(Alternative {
                needs,
                writes: writes.clone(),
                whens: whens.clone(),
                cost: *cost,
            });
        }
    }
    Some(found)
}
