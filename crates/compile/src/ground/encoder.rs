//! Slots → variables: where each slot goes.

use super::error::GroundError;
use super::formula::Values;
use super::naming::Namer;
use super::restricted::Ground;
use super::slots::{SlotId, SlotKey, SlotRange};
use crate::sema::model::{FluentKind, Model};
use brigade_task::VarId;
use brigade_task::layout::{Variable, VariableKind};
use brigade_task::symbols::{Meaning, Symbols, Value};

/// The widest state that is supported, in bits: words are numbered by 16 bits.
const MAX_BITS: u64 = 64 * (1 << 16);

/// The most values that all variables together may have: each has a name.
pub(super) const MAX_VALUES: u64 = 1_000_000;

/// Where a slot went.
#[derive(Clone, Debug)]
pub(super) enum Place {
    /// It has one value only: its code, and the number that this stands for.
    Constant { code: u32, number: i64 },
    /// It is true where the variable has this value, which stands for nothing else.
    Fact { variable: VarId, value: u32 },
    /// It has a variable of its own; `codes[value]` is its code.
    Own { variable: VarId, codes: Vec<u32> },
}

/// Where the list of live delayed effects is kept while the task is encoded.
pub(super) struct ListPlaces {
    /// The variable of the first place; as many follow as there are members.
    pub(super) first: VarId,
    /// For each delayed effect its index among the members, if it is one.
    pub(super) member_of: Vec<Option<u32>>,
    /// The number of members.
    pub(super) members: u32,
}

/// Turns formulas over slots into formulas over facts of variables.
pub(super) struct Encoder {
    pub(super) variables: Vec<Variable>,
    pub(super) symbols: Symbols,
    pub(super) places: Vec<Place>,
    /// Where the list of live delayed effects is, if there is one.
    pub(super) list: Option<ListPlaces>,
}

/// Gives every slot that varies a variable.
pub(super) fn place(
    model: &Model,
    ground: &Ground,
    groups: &[Vec<SlotId>],
) -> Result<Encoder, GroundError> {
    let mut namer = Namer::new(model, ground);
    let mut group_of = vec![None; ground.slots.len()];
    for (index, group) in groups.iter().enumerate() {
        for slot in group {
            group_of[slot.index()] = Some(index);
        }
    }
    let mut variables: Vec<Variable> = Vec::new();
    let mut places: Vec<Option<Place>> = vec![None; ground.slots.len()];
    let mut bits = 0;
    let mut values = 0;
    for (slot, entry) in ground.slots.iter() {
        if places[slot.index()].is_some() {
            continue;
        }
        if let Some(code) = ground.values.only(slot) {
            let number = ground.values.number(slot, code);
            places[slot.index()] = Some(Place::Constant { code, number });
            continue;
        }
        let id = VarId(variables.len() as u32);
        let name = namer.slot(&entry.key);
        let own = ground.values.count(slot);
        values += own;
        if values > MAX_VALUES {
            return Err(GroundError::TooManyValues {
                variable: name,
                values: own,
                limit: MAX_VALUES,
            });
        }
        let variable = if let Some(group) = group_of[slot.index()] {
            let mut names = Vec::with_capacity(groups[group].len());
            let mut values = vec![Value::new("none", Meaning::Nothing)];
            for (value, &member) in (1..).zip(&groups[group]) {
                let key = &ground.slots.get(member).key;
                let name = namer.slot(key);
                values.push(Value::new(&*name, Meaning::Fact(namer.fact(key))));
                names.push(name);
                places[member.index()] = Some(Place::Fact {
                    variable: id,
                    value,
                });
            }
            Variable::new(names.join(" | "), VariableKind::Facts, values)
        } else if entry.range == SlotRange::Boolean {
            places[slot.index()] = Some(Place::Fact {
                variable: id,
                value: 1,
            });
            let derived = matches!(&entry.key, SlotKey::Fluent(fluent, _)
                if model.fluents[fluent.index()].kind == FluentKind::Derived);
            let kind = if derived {
                VariableKind::Derived
            } else {
                VariableKind::Facts
            };
            let values = vec![
                Value::new(format!("(not {name})"), Meaning::Nothing),
                Value::new(&*name, Meaning::Fact(namer.fact(&entry.key))),
            ];
            Variable::new(name, kind, values)
        } else {
            let codes = ground.values.codes(slot);
            let values = codes.iter().map(|&code| namer.value(entry, code)).collect();
            let kind = match (&entry.key, entry.range) {
                (SlotKey::Activity(_), _) => VariableKind::Activity,
                (SlotKey::Timer(_) | SlotKey::Counter(_), _) => VariableKind::Timer,
                (SlotKey::Turn | SlotKey::Clock, _) => VariableKind::Clock,
                (_, SlotRange::Integer { lo, .. }) => VariableKind::Integer { lo },
                _ => VariableKind::Object,
            };
            places[slot.index()] = Some(Place::Own {
                variable: id,
                codes,
            });
            Variable {
                of: Some(namer.fact(&entry.key)),
                ..Variable::new(name, kind, values)
            }
        };
        bits += u64::from(variable.bits);
        variables.push(variable);
    }
    if bits > MAX_BITS {
        return Err(GroundError::TooManyBits {
            bits,
            limit: MAX_BITS,
        });
    }
    Ok(Encoder {
        variables,
        symbols: namer.symbols(),
        places: places
            .into_iter()
            .map(|place| place.unwrap_or(Place::Constant { code: 0, number: 0 }))
            .collect(),
        list: None,
    })
}
