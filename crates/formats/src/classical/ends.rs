//! The ends of a plan: losing states, `:end` and the horizon, the goal; and costs below zero.

use super::build::{At, Builder, Control, Meaning, Way};
use super::inexpressible::Inexpressible;
use super::symbolic::State;
use brigade_task::cond::Comparison;
use brigade_task::cond::{Cond, Expr};
use brigade_task::{Metric, PackedTask};

/// When a task is over by time.
fn late(task: &PackedTask) -> Cond {
    let Some((horizon, clock)) = task.horizon.zip(task.clock) else {
        return Cond::False;
    };
    let horizon = Expr::Constant(horizon.into());
    let clock = Expr::Variable(clock);
    Cond::Compare(Comparison::GreaterOrEqual, clock.into(), horizon.into())
}

/// When a task ends that is neither lost nor at its goal.
pub(super) fn ended(task: &PackedTask) -> Cond {
    Cond::any([task.end.clone(), late(task)])
}

/// When a task is over without its goal.
fn over(task: &PackedTask) -> Cond {
    Cond::any([task.fail.clone(), ended(task)])
}

impl Builder<'_> {
    /// Adds the place at which it is tested whether the task is over, where it may be.
    pub(super) fn begin(&mut self) {
        if over(self.world.task) != Cond::False {
            self.place("check", true);
        }
    }

    /// Adds the actions that go on and that finish; what every plan costs besides its own cost.
    pub(super) fn ends(&mut self) -> Result<i64, Inexpressible> {
        let world = self.world;
        let task = world.task;
        let each_tick = self.shift()?;
        let goal = task.goal.clone().unwrap_or_else(|| ended(task));
        let goal = Cond::all([goal, task.fail.clone().negated()]);
        let start = At::Place(0);
        let way = Way {
            title: "go-on",
            meaning: Meaning::Nothing,
            place: 0,
            from: start,
            to: At::Place(1),
            controls: &[],
            cost: 0,
        };
        if over(task) != Cond::False {
            let mut goes_on = over(task).negated();
            if each_tick > 0 {
                // Where a step may gain something, the goal is the end all the same.
                goes_on = Cond::all([goes_on, goal.clone().negated()]);
            }
            self.demand(&way, &goes_on)?;
        }
        let finish = Way {
            title: "finish",
            to: start,
            controls: &[(Control::Done, 0, 1)],
            ..way
        };
        let Some((horizon, clock)) = task.horizon.zip(task.clock).filter(|_| each_tick > 0) else {
            self.demand(&finish, &goal)?;
            return Ok(0);
        };
        let low = task.variables[clock.index()].low();
        for &now in world.domain(clock.0).iter().filter(|now| **now <= horizon) {
            let is_now = Cond::Compare(
                Comparison::Equal,
                Expr::Variable(clock).into(),
                Expr::Constant(low + i64::from(now)).into(),
            );
            let finish = Way {
                cost: i64::from(horizon - now).saturating_mul(each_tick),
                ..finish
            };
            self.demand(&finish, &Cond::all([is_now, goal.clone()]))?;
        }
        Ok(i64::from(horizon).saturating_mul(each_tick))
    }

    /// Adds actions that are possible under a condition: one after another, or one or the other, where
    /// the condition is too much for one.
    fn demand(&mut self, way: &Way<'_>, cond: &Cond) -> Result<(), Inexpressible> {
        let world = self.world;
        world.space.clear();
        let state = State::new(world);
        let parts = parts(cond);
        if !matches!(parts, Parts::One) {
            // A large one is taken apart, so a look is enough.
            let most = world.space.limit(FEW_EDGES);
            let diagram = state.clone().cond(cond);
            let few = self.limits.few;
            let is_small = !world.space.is_full() && world.space.paths(diagram, few + 1) <= few;
            world.space.limit(most);
            if is_small {
                return self.add(way, diagram, &state);
            }
            world.space.clear();
        }
        match parts {
            Parts::All(all) => {
                let mut from = way.from;
                for (index, part) in all.iter().enumerate() {
                    let is_last = index + 1 == all.len();
                    let to = if is_last {
                        way.to
                    } else {
                        self.test(way.title)
                    };
                    self.demand(&Way { from, to, ..*way }, part)?;
                    from = to;
                }
                Ok(())
            }
            Parts::Any(any) => any.iter().try_for_each(|part| self.demand(way, part)),
            Parts::One => {
                let diagram = state.clone().cond(cond);
                self.add(way, diagram, &state)
            }
        }
    }

    /// Raises the costs of actions at places where some are below zero, until none is; by how much in
    /// one timestep.
    fn shift(&mut self) -> Result<i64, Inexpressible> {
        let mut shifts = vec![0_i64; self.places.len()];
        for action in &self.actions {
            let (cost, Some(place)) = (action.what.cost, action.ends) else {
                continue;
            };
            shifts[place] = shifts[place].max(cost.saturating_neg());
            if cost < 0 && !self.places[place].is_once {
                return Err(Inexpressible::GainInList);
            }
            if cost < 0 && self.world.task.horizon.is_none() {
                let is_gain = self.world.task.metric == Metric::NegatedCost;
                return Err(Inexpressible::Unbounded {
                    action: action.title.clone(),
                    schema: self.schema(action.meaning),
                    is_gain,
                });
            }
        }
        for action in &mut self.actions {
            if let Some(place) = action.ends {
                action.what.cost = action.what.cost.saturating_add(shifts[place]);
            }
        }
        let sum = shifts
            .iter()
            .fold(0, |sum: i64, shift| sum.saturating_add(*shift));
        let most = sum.saturating_mul(self.world.task.horizon.unwrap_or(1).into());
        if most > MOST_COST {
            return Err(Inexpressible::TooLarge {
                what: "the cost of a plan".to_owned(),
                schema: None,
                limit: MOST_COST as u64,
                unit: "in all",
            });
        }
        Ok(sum)
    }
}

/// Edges of the diagram of a condition that is not taken apart.
const FEW_EDGES: usize = 20_000;

/// The parts of a condition.
enum Parts {
    All(Vec<Cond>),
    Any(Vec<Cond>),
    One,
}

fn parts(cond: &Cond) -> Parts {
    let not = |conds: &[Cond]| conds.iter().cloned().map(Cond::negated).collect();
    match cond {
        Cond::And(all) => Parts::All(all.to_vec()),
        Cond::Or(any) => Parts::Any(any.to_vec()),
        Cond::Facts(tests) => Parts::All(tests.iter().copied().map(Cond::Fact).collect()),
        Cond::Not(one) => match &**one {
            Cond::And(all) => Parts::Any(not(all)),
            Cond::Or(any) => Parts::All(not(any)),
            Cond::Facts(tests) => {
                let tests = tests.iter().copied();
                Parts::Any(tests.map(|test| Cond::Fact(test).negated()).collect())
            }
            _ => Parts::One,
        },
        _ => Parts::One,
    }
}

/// Planners keep costs in 32 bits.
const MOST_COST: i64 = i32::MAX as i64 / 2;
