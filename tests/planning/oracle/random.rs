//! Random small tasks: several agents, all turn modes, guards, conditional and delayed effects,
//! events, derived variables, losing states, ends, labels, costs and horizons.

use brigade::task::cond::{Comparison, Cond, Expr};
use brigade::task::effect::{Effect, Record};
use brigade::task::layout::VariableKind;
use brigade::task::{AxiomLayer, Metric, PackedTask, State, TurnMode, VarId};

use crate::oracle::builder::Builder;
pub(crate) use crate::oracle::split_mix::Random;

/// The variables of a random task.
struct Shape {
    /// Variables that effects set.
    plain: usize,
    /// Timers follow them.
    timers: usize,
    /// Then one derived variable, if any.
    derived: Option<usize>,
}

/// The task of this seed.
pub(crate) fn task(seed: u64) -> PackedTask {
    let mut random = Random(seed);
    let turns = [
        TurnMode::Sequential,
        TurnMode::Simultaneous,
        TurnMode::Alternate,
    ][random.below(3)];
    let agents = 1 + random.below(3);
    let plain = 3 + random.below(3);
    let timers = random.below(3);
    let mut sizes: Vec<u32> = (0..plain).map(|_| 2 + random.below(4) as u32).collect();
    sizes.extend((0..timers).map(|_| 2 + random.below(3) as u32));
    let mut variable = |size| {
        sizes.push(size);
        sizes.len() - 1
    };
    let derived = random.once_in(4).then(|| variable(2));
    let turn = (turns == TurnMode::Alternate).then(|| variable(agents.max(2) as u32));
    let horizon = 2 + random.below(4) as u32;
    let clock = random.once_in(3).then(|| variable(horizon + 1));
    if random.once_in(4) {
        // Unused, but so wide that states take two words.
        sizes.extend([300; 7]);
    }
    let shape = Shape {
        plain,
        timers,
        derived,
    };

    let mut built = Builder::new(&sizes, agents, turns);
    for (variable, index) in built.task.variables[..plain].iter_mut().zip(seed..) {
        if variable.size == 2 && index % 2 == 0 {
            variable.kind = VariableKind::Facts;
        }
    }
    if let Some(variable) = turn {
        built.take_turns(variable);
    }
    if let Some(variable) = clock {
        built.horizon(variable, horizon);
    }
    built.task.metric = match random.below(3) {
        0 => Metric::Cost,
        1 if clock.is_some() => Metric::NegatedCost,
        _ => Metric::Makespan,
    };
    if let Some(variable) = derived {
        let body = cond(&mut random, &built, &shape, false);
        built.task.variables[variable].kind = VariableKind::Derived;
        built.task.axioms.layers.push(AxiomLayer {
            variables: vec![VarId(variable as u32)],
            rules: vec![(body, VarId(variable as u32))],
        });
    }
    for timer in plain..plain + timers {
        let due = effect(&mut random, &mut built, &shape, 0, 1);
        built.timer(timer, due);
        let name = format!("due{timer}");
        if random.once_in(2) {
            let log = built.log(random.below(agents), &name);
            let due = &mut built.task.timers[timer - plain].effect;
            *due = Effect::Seq([due.clone(), log].into());
        }
        if random.once_in(3) {
            let cond = cond(&mut random, &built, &shape, true);
            built.task.timers[timer - plain].runs_while = cond;
        }
    }
    for agent in 0..agents {
        for index in 0..3 + random.below(12 / agents) {
            let facts: Vec<_> = (0..[0, 1, 1, 1, 2][random.below(5)])
                .map(|_| random_fact(&mut random, &built, &shape))
                .collect();
            let guard = if random.once_in(4) {
                cond(&mut random, &built, &shape, true)
            } else {
                Cond::True
            };
            let effect = effect(&mut random, &mut built, &shape, agent, 2);
            built.operator(agent, &format!("op{index}"), &facts, guard, effect);
        }
        if !random.once_in(10) {
            built.wait(agent);
        }
    }
    if random.once_in(3) {
        let cond = cond(&mut random, &built, &shape, true);
        let effect = effect(&mut random, &mut built, &shape, 0, 1);
        built.event(Effect::When(cond, effect.into()));
    }
    if random.once_in(4) {
        built.task.fail = built.all(&[
            random_fact(&mut random, &built, &shape),
            random_fact(&mut random, &built, &shape),
        ]);
    }
    let mut of_end = Random(seed ^ 0xE2D);
    if of_end.once_in(5) {
        built.task.end = built.all(&[
            random_fact(&mut of_end, &built, &shape),
            random_fact(&mut of_end, &built, &shape),
        ]);
    }
    let mut initial = built.task.initial.clone();
    for variable in 0..plain {
        let layout = &built.task.variables[variable];
        layout.set(&mut initial, random.below(layout.size as usize) as u32);
    }
    built.packed().derive(&mut initial);
    built.task.initial.clone_from(&initial);
    if clock.is_none() || !random.once_in(3) {
        let mut state = initial;
        if !random.once_in(6) {
            walk(&mut random, &built.packed(), &mut state);
        }
        let facts: Vec<_> = (0..2 + random.below(3))
            .map(|_| {
                let variable = random.below(plain + timers);
                (variable, built.task.variables[variable].get(&state))
            })
            .collect();
        let goal = built.all(&facts);
        if goal.holds(&built.task.variables, &built.task.initial) && !random.once_in(20) {
            return self::task(random.next());
        }
        built.task.goal = Some(goal);
    }
    built.done()
}

/// A task of this seed whose operators do several things in sequence, each of them where one of two
/// facts holds, or where one does not.
pub(crate) fn in_sequence(seed: u64) -> PackedTask {
    let mut random = Random(seed);
    let sizes: Vec<u32> = (0..5).map(|_| 2 + random.below(2) as u32).collect();
    let mut built = Builder::new(&sizes, 1, TurnMode::Sequential);
    let fact = |random: &mut Random| {
        let variable = random.below(sizes.len());
        (variable, random.below(sizes[variable] as usize) as u32)
    };
    for number in 0..4 {
        let parts = (0..2 + random.below(3)).map(|_| {
            let [left, right] = [fact(&mut random), fact(&mut random)]
                .map(|(variable, value)| Cond::Fact(built.fact(variable, value)));
            let (variable, value) = fact(&mut random);
            let write = built.set(variable, value);
            match random.below(4) {
                0 => write,
                1 => Effect::When(left.negated(), write.into()),
                _ => Effect::When(Cond::any([left, right]), write.into()),
            }
        });
        let effect = Effect::Seq(parts.collect());
        built.operator(0, &number.to_string(), &[], Cond::True, effect);
    }
    built.task.goal = Some(built.all(&[fact(&mut random), fact(&mut random)]));
    built.done()
}

/// Takes some random steps, so that a goal read off the state is most often reachable.
fn walk(random: &mut Random, task: &PackedTask, state: &mut State) {
    let (mut steps, mut tries) = (4 + random.below(12), 200);
    while steps > 0 && tries > 0 {
        let agents = match task.turns {
            TurnMode::Alternate => vec![task.mover(state)],
            _ => (0..task.agents.len()).collect(),
        };
        let joint: Vec<_> = agents
            .into_iter()
            .map(|agent| {
                let operators = &task.agents[agent].operators;
                operators[random.below(operators.len())]
            })
            .collect();
        let is_step = task.step(state, &joint, &mut Record::default()).is_ok();
        steps -= usize::from(is_step);
        tries -= 1;
    }
}

fn random_fact(random: &mut Random, built: &Builder, shape: &Shape) -> (usize, u32) {
    let count = shape.plain + shape.timers;
    let variable = match shape.derived {
        Some(derived) if random.once_in(5) => derived,
        _ => random.below(count),
    };
    let size = built.task.variables[variable].size;
    (variable, random.below(size as usize) as u32)
}

/// A condition. Without `any`, over plain variables only.
fn cond(random: &mut Random, built: &Builder, shape: &Shape, any: bool) -> Cond {
    let mut fact = || {
        let (variable, value) = loop {
            let fact = random_fact(random, built, shape);
            if any || fact.0 < shape.plain {
                break fact;
            }
        };
        Cond::Fact(built.fact(variable, value))
    };
    let (left, right) = (fact(), fact());
    match random.below(5) {
        0 => Cond::Not(Box::new(left)),
        1 => Cond::any([left, right]),
        2 => Cond::all([left, right.negated()]),
        3 => Cond::Compare(
            Comparison::LessOrEqual,
            Box::new(Expr::Variable(VarId(0))),
            Box::new(Expr::Add(
                [
                    Expr::Truth(left.into()),
                    Expr::Truth(right.into()),
                    Expr::Constant(-1),
                ]
                .into(),
            )),
        ),
        _ => left,
    }
}

fn effect(
    random: &mut Random,
    built: &mut Builder,
    shape: &Shape,
    agent: usize,
    depth: usize,
) -> Effect {
    let mut effects = Vec::new();
    for _ in 0..=random.below(2) {
        let variable = random.below(shape.plain);
        let size = built.task.variables[variable].size as usize;
        let write = if random.once_in(3) {
            built.set(variable, random.below(size) as u32)
        } else {
            // The next value, or the last again.
            let next = (1..=size).map(|value| built.set(variable, value.min(size - 1) as u32));
            Effect::Switch(VarId(variable as u32), next.collect())
        };
        effects.push(if random.once_in(3) {
            Effect::When(cond(random, built, shape, true), write.into())
        } else {
            write
        });
    }
    if shape.timers > 0 && random.once_in(2) {
        let timer = shape.plain + random.below(shape.timers);
        let ticks = built.task.variables[timer].size - 1;
        let idle = Cond::Fact(built.fact(timer, 0));
        let start = built.set(timer, 1 + random.below(ticks as usize) as u32);
        effects.push(Effect::When(idle, start.into()));
    }
    if depth > 1 && random.once_in(2) {
        let label = format!("l{}", random.below(3));
        effects.push(built.log(agent, &label));
    }
    if depth > 1 && random.once_in(5) {
        let log = built.log(agent, "extra");
        effects.push(Effect::When(cond(random, built, shape, true), log.into()));
    }
    if built.task.metric != Metric::Makespan && random.once_in(2) {
        let low = if built.task.clock.is_some() { -2 } else { 0 };
        effects.push(Effect::Cost(Expr::Constant(low + random.below(5) as i64)));
    }
    if random.once_in(2) {
        Effect::Seq(effects.into())
    } else {
        Effect::Block {
            effects: effects.into(),
            snapshot: true,
        }
    }
}
