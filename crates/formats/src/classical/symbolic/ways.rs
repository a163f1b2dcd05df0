//! The ways that an effect may go, one by one: where it decides much, each of them is simple.

use super::{State, Stop};
use crate::classical::diagram::Diagram;
use brigade_task::effect::Effect;

/// A way: what is still to be applied, the last first, to which state, and when.
struct Open<'a, 'e> {
    effects: Vec<&'e Effect>,
    state: State<'a>,
    path: Diagram,
}

impl State<'_> {
    /// Applies an effect where `path` holds, apart for each way that it may go as far as it decides
    /// one thing after another: the states, and when each is the one. None if there are more ways
    /// than `most`.
    pub(in super::super) fn ways(
        self,
        effect: &Effect,
        path: Diagram,
        most: usize,
    ) -> Result<Option<Vec<(Diagram, Self)>>, Stop> {
        let space = &self.world.space;
        let mut ways = Vec::new();
        let mut open = vec![Open {
            effects: vec![effect],
            state: self,
            path,
        }];
        while let Some(Open {
            mut effects,
            mut state,
            path,
        }) = open.pop()
        {
            if ways.len() + open.len() > most {
                return Ok(None);
            }
            if state.is_stopped() {
                return Err(Stop::TooLarge);
            }
            state.care = path;
            let Some(effect) = effects.pop() else {
                state.end()?;
                ways.push((path, state));
                continue;
            };
            let mut choices: Vec<(Diagram, Option<&Effect>)> = Vec::new();
            match effect {
                Effect::Seq(all)
                | Effect::Block {
                    effects: all,
                    snapshot: false,
                } => {
                    effects.extend(all.iter().rev());
                    open.push(Open {
                        effects,
                        state,
                        path,
                    });
                    continue;
                }
                Effect::When(cond, effect) => {
                    let cond = state.cond(cond);
                    choices.push((space.not(cond), None));
                    choices.push((cond, Some(effect)));
                }
                Effect::Case(cases, otherwise) => {
                    let mut rest = path;
                    for (cond, effect) in cases {
                        let cond = space.and(rest, state.cond(cond));
                        choices.push((cond, Some(effect)));
                        rest = space.without(rest, cond);
                    }
                    choices.push((rest, Some(otherwise)));
                }
                Effect::Switch(variable, effects) => {
                    for (value, cond) in state.values(variable.0) {
                        choices.push((cond, Some(&effects[value as usize])));
                    }
                }
                Effect::Choose(candidates, otherwise) => {
                    let mut rest = path;
                    for (cond, candidate) in state.chosen(candidates).iter().zip(candidates) {
                        let cond = space.and(rest, *cond);
                        choices.push((cond, Some(&candidate.effect)));
                        rest = space.without(rest, cond);
                    }
                    choices.push((rest, Some(otherwise)));
                }
                other => {
                    state.effect(other, path, None);
                    open.push(Open {
                        effects,
                        state,
                        path,
                    });
                    continue;
                }
            }
            for (cond, effect) in choices {
                let path = space.and(path, cond);
                if path != Diagram::FALSE {
                    open.push(Open {
                        effects: effects.iter().copied().chain(effect).collect(),
                        state: state.clone(),
                        path,
                    });
                }
            }
        }
        Ok(Some(ways))
    }
}
