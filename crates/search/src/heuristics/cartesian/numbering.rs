//! Numbers for abstract states: a field of bits for the class of each variable.

use super::domains::{insert, values};
use super::model::Model;
use brigade_task::State;

/// Numbers an abstract state.
pub(crate) type Number = u128;

/// For each variable the classes of its values.
pub(crate) type Classes = Vec<Vec<Box<[u64]>>>;

/// A step leads to too many abstract states, or there are too many to number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooLarge;

/// The class of a variable in a number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field {
    pub(crate) variable: u32,
    shift: u32,
    /// The bits of the field, in place.
    pub(crate) mask: Number,
}

impl Field {
    /// The number of the class.
    pub(crate) const fn get(self, number: Number) -> usize {
        ((number & self.mask) >> self.shift) as usize
    }
}

/// The numbering of abstract states.
#[derive(Clone, Debug)]
pub(crate) struct Numbering {
    pub(crate) classes: Classes,
    /// For the variables with more than one class.
    pub(crate) fields: Vec<Field>,
    /// For each variable and value the class.
    class_of: Vec<Vec<u32>>,
}

/// The classes of an abstraction that distinguishes nothing.
pub(crate) fn trivial_classes(model: &Model) -> Classes {
    (0..model.task.variables.len() as u32)
        .map(|variable| {
            let size = model.domains.size(variable);
            let mut set = vec![0; size.div_ceil(64) as usize];
            for value in 0..size {
                insert(&mut set, value);
            }
            vec![set.into()]
        })
        .collect()
}

impl Numbering {
    /// Leaves so many of the lowest bits free.
    pub(crate) fn new(model: &Model, classes: Classes, free: u32) -> Result<Self, TooLarge> {
        let mut fields = Vec::new();
        let mut shift = free;
        for (classes, variable) in classes.iter().zip(0..) {
            let bits = usize::BITS - (classes.len() - 1).leading_zeros();
            if bits == 0 {
                continue;
            }
            if shift + bits > Number::BITS {
                return Err(TooLarge);
            }
            fields.push(Field {
                variable,
                shift,
                mask: ((1 << bits) - 1) << shift,
            });
            shift += bits;
        }
        let class_of = classes.iter().zip(0..).map(|(classes, variable)| {
            let mut class_of = vec![0; model.domains.size(variable) as usize];
            for (class, number) in classes.iter().zip(0..) {
                for value in values(class) {
                    class_of[value as usize] = number;
                }
            }
            class_of
        });
        Ok(Self {
            class_of: class_of.collect(),
            classes,
            fields,
        })
    }

    /// The number of the classes of a state.
    pub(crate) fn number(&self, model: &Model, state: &State) -> Number {
        let fields = self.fields.iter().map(|field| {
            let value = model.task.variables[field.variable as usize].get(state);
            let class = self.class_of[field.variable as usize][value as usize];
            Number::from(class) << field.shift
        });
        fields.fold(0, |number, field| number | field)
    }

    /// For each variable that is distinguished: it, and for each value what it adds to the number.
    pub(crate) fn lookup(&self) -> Vec<(u32, Box<[Number]>)> {
        let tables = self.fields.iter().map(|field| {
            let classes = self.class_of[field.variable as usize].iter();
            let table = classes.map(|&class| Number::from(class) << field.shift);
            (field.variable, table.collect())
        });
        tables.collect()
    }

    /// The field of a variable, if it has more than one class.
    pub(crate) fn field(&self, variable: u32) -> Option<Field> {
        let mut fields = self.fields.iter().copied();
        fields.find(|field| field.variable == variable)
    }

    /// The class of a field.
    pub(crate) fn class(&self, number: Number, field: Field) -> &[u64] {
        &self.classes[field.variable as usize][field.get(number)]
    }

    /// The class of a variable.
    pub(crate) fn class_of_variable(&self, number: Number, variable: u32) -> &[u64] {
        match self.field(variable) {
            Some(field) => self.class(number, field),
            None => &self.classes[variable as usize][0],
        }
    }

    /// Lists all numbers whose classes in these fields meet a row; outside they are 0.
    pub(crate) fn meeting(
        &self,
        model: &Model,
        fields: &[Field],
        row: &[u64],
        most: usize,
    ) -> Result<Vec<Number>, TooLarge> {
        let mut numbers = vec![0];
        for &field in fields {
            let set = model.domains.get(row, field.variable);
            let classes = self.classes[field.variable as usize].iter().zip(0_u32..);
            let mut meeting = classes.filter_map(|(class, number)| {
                let meets = class.iter().zip(set).any(|(a, b)| a & b != 0);
                meets.then_some(Number::from(number) << field.shift)
            });
            let Some(first) = meeting.next() else {
                return Ok(Vec::new());
            };
            let last = numbers.len();
            for class in meeting {
                for index in 0..last {
                    numbers.push(numbers[index] | class);
                }
            }
            for number in &mut numbers[..last] {
                *number |= first;
            }
            if numbers.len() > most {
                return Err(TooLarge);
            }
        }
        Ok(numbers)
    }
}
