//! Random tasks of one agent in which operators concern few variables each, so that the order of many
//! does not matter.

use brigade::task::cond::{Comparison, Cond, Expr};
use brigade::task::effect::Effect;
use brigade::task::layout::VariableKind;
use brigade::task::{AxiomLayer, Metric, PackedTask, TurnMode, VarId};

use crate::oracle::builder::Builder;
use crate::oracle::random::Random;

/// Variables of each task; the derived one follows them.
const PLAIN: usize = 6;

/// The task of this seed. All that stubborn sets have to know of occurs: conditional effects, numbers, copies, costs that depend on the state,
/// guards, derived variables and losing states.
pub(crate) fn task(seed: u64) -> PackedTask {
    let mut random = Random(seed ^ 0x57AB);
    let mut sizes: Vec<u32> = (0..PLAIN).map(|_| 2 + random.below(2) as u32).collect();
    let has_derived = random.once_in(3);
    if has_derived {
        sizes.push(2);
    }
    let turns = [TurnMode::Sequential, TurnMode::Simultaneous][random.below(2)];
    let mut built = Builder::new(&sizes, 1, turns);
    built.task.metric = [Metric::Makespan, Metric::Cost][random.below(2)];
    let fact = |random: &mut Random, variables: usize| {
        let variable = random.below(variables);
        (variable, random.below(sizes[variable] as usize) as u32)
    };
    if has_derived {
        let body = [fact(&mut random, PLAIN), fact(&mut random, PLAIN)];
        let body = body.map(|(variable, value)| Cond::Fact(built.fact(variable, value)));
        let head = VarId(PLAIN as u32);
        built.task.variables[PLAIN].kind = VariableKind::Derived;
        built.task.axioms.layers.push(AxiomLayer {
            variables: vec![head],
            rules: vec![(Cond::any(body), head)],
        });
    }
    for index in 0..8 + random.below(10) {
        // Most operators need a value of what they write.
        let own = random.below(PLAIN);
        let old = random.below(sizes[own] as usize) as u32;
        let new = random.below(sizes[own] as usize) as u32;
        let mut facts = Vec::new();
        if !random.once_in(4) {
            facts.push((own, old));
        }
        if random.once_in(3) {
            let more = fact(&mut random, sizes.len());
            if more.0 != own {
                facts.push(more);
            }
        }
        let mut effects = vec![built.set(own, new)];
        let (variable, value) = fact(&mut random, sizes.len());
        let other = Cond::Fact(built.fact(variable, value));
        let (variable, value) = fact(&mut random, PLAIN);
        match random.below(12) {
            0 => effects.push(built.set(variable, value)),
            1 => {
                let set = built.set(variable, value);
                effects.push(Effect::When(other.clone(), set.into()));
            }
            2 => {
                let id = VarId(variable as u32);
                let next = Expr::Add([Expr::Variable(id), Expr::Constant(1)].into());
                effects.push(Effect::Number(id, next));
            }
            3 => {
                let (to, from) = (VarId(own as u32), VarId(variable as u32));
                let table = (0..sizes[variable]).map(|it| (it < sizes[own]).then_some(it));
                effects.push(Effect::Copy(to, from, table.collect()));
            }
            _ => {}
        }
        if random.once_in(2) {
            effects.push(built.log(0, &format!("l{}", random.below(3))));
        }
        let cost = random.below(4) as i64;
        effects.push(Effect::Cost(if random.once_in(5) {
            Expr::Truth(other.clone().into())
        } else {
            Expr::Constant(cost)
        }));
        let guard = match random.below(10) {
            0 => other.negated(),
            1 => Cond::any([other, Cond::Fact(built.fact(variable, value))]),
            2 => Cond::Compare(
                Comparison::LessOrEqual,
                Box::new(Expr::Variable(VarId(variable as u32))),
                Box::new(Expr::Truth(other.into())),
            ),
            _ => Cond::True,
        };
        let effect = Effect::Block {
            effects: effects.into(),
            snapshot: true,
        };
        built.operator(0, &format!("op{index}"), &facts, guard, effect);
    }
    if random.once_in(3) {
        let lost = [fact(&mut random, PLAIN), fact(&mut random, PLAIN)];
        if lost[0].0 != lost[1].0 && lost.iter().any(|&(_, value)| value > 0) {
            built.task.fail = built.all(&lost);
        }
    }
    let mut goal = Vec::new();
    for (variable, &size) in sizes[..PLAIN].iter().enumerate() {
        if !random.once_in(3) {
            goal.push((variable, random.below(size as usize) as u32));
        }
    }
    built.task.goal = Some(built.all(&goal));
    let mut initial = built.task.initial.clone();
    built.packed().derive(&mut initial);
    built.task.initial = initial;
    built.done()
}
