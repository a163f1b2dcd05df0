//! Variables and their place in the packed state.

use super::state::State;
use super::symbols::{GroundFact, Value};

/// The meaning of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VariableKind {
    /// One fact that holds or does not, or a set of mutually exclusive facts.
    Facts,
    /// The value of an object fluent.
    Object,
    /// A bounded integer: the value is `lo` plus the stored number.
    Integer {
        /// Smallest value.
        lo: i64,
    },
    /// The activity that an agent has started and not finished.
    Activity,
    /// Ticks that remain, or executions counted.
    Timer,
    /// Which delayed effect stands at a place of the list of live ones.
    Live,
    /// Derived from the others.
    Derived,
    /// The clock, or whose turn it is.
    Clock,
}

/// A finite-domain variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name: `(held chef)`, or the names of its facts.
    pub name: String,
    /// Its meaning.
    pub kind: VariableKind,
    /// The function, activity or delayed effect whose value it is; absent where its values are facts, and of a
    /// place of the list of live delayed effects.
    pub of: Option<GroundFact>,
    /// The value that each stored number stands for; as many as `size`.
    pub values: Vec<Value>,
    /// The number of its values.
    pub size: u32,
    /// Which word of the state holds it.
    pub word: u16,
    /// The lowest bit of its field.
    pub shift: u8,
    /// The width of its field.
    pub bits: u8,
}

impl Variable {
    /// A variable that has no place in the state yet; see [`pack`].
    pub fn new(name: String, kind: VariableKind, values: Vec<Value>) -> Self {
        let size = values.len() as u32;
        Self {
            name,
            kind,
            of: None,
            size,
            values,
            word: 0,
            shift: 0,
            bits: bits_for(size),
        }
    }

    /// The bits of its field, in place.
    pub const fn mask(&self) -> u64 {
        ((1 << self.bits) - 1) << self.shift
    }

    /// Returns the integer that the stored number 0 stands for, where the variable is an integer; else 0.
    pub const fn low(&self) -> i64 {
        match self.kind {
            VariableKind::Integer { lo } => lo,
            _ => 0,
        }
    }

    /// Its place in a state.
    pub const fn field(&self) -> Field {
        Field {
            word: self.word,
            shift: self.shift,
            bits: self.bits,
        }
    }

    /// Its value in a state.
    pub fn get(&self, state: &State) -> u32 {
        self.field().get(state)
    }

    /// Writes its value.
    pub fn set(&self, state: &mut State, value: u32) {
        debug_assert!(value < self.size, "{} := {value}", self.name);
        self.field().set(state, value);
    }
}

/// The place of a variable in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Field {
    word: u16,
    shift: u8,
    bits: u8,
}

impl Field {
    /// Index of the word that it lies in.
    #[inline]
    pub fn word(self) -> usize {
        self.word.into()
    }

    /// Its lowest bit.
    pub fn shift(self) -> u32 {
        self.shift.into()
    }

    /// Its bits in that word.
    pub const fn mask_in_place(self) -> u64 {
        self.mask() << self.shift
    }

    /// Its value in a state.
    #[inline]
    pub fn get(self, state: &State) -> u32 {
        (state.words()[self.word()] >> self.shift & self.mask()) as u32
    }

    /// Changes its value in a state.
    #[inline]
    pub fn set(self, state: &mut State, value: u32) {
        let word = &mut state.words_mut()[self.word()];
        *word = *word & !self.mask_in_place() | u64::from(value) << self.shift;
    }

    /// Its bits, shifted to the right.
    const fn mask(self) -> u64 {
        (1 << self.bits) - 1
    }
}

/// The width of a field for `size` values; at most 32.
fn bits_for(size: u32) -> u8 {
    (u32::BITS - size.saturating_sub(1).leading_zeros()).max(1) as u8
}

/// Gives every variable its place and returns the number of words.
///
/// First fit in order of decreasing width, so that few bits are lost at word ends; variables of
/// equal width keep their order.
pub fn pack(variables: &mut [Variable]) -> usize {
    let mut order: Vec<usize> = (0..variables.len()).collect();
    order.sort_by_key(|&index| std::cmp::Reverse(variables[index].bits));
    let mut free: Vec<u8> = Vec::new();
    let mut first_open = 0;
    for index in order {
        let bits = variables[index].bits;
        let word = (first_open..free.len())
            .find(|&word| free[word] >= bits)
            .unwrap_or_else(|| {
                free.push(64);
                free.len() - 1
            });
        variables[index].word = word as u16;
        variables[index].shift = 64 - free[word];
        free[word] -= bits;
        while first_open < free.len() && free[first_open] == 0 {
            first_open += 1;
        }
    }
    free.len().max(1)
}

#[cfg(test)]
mod tests {
    use super::super::state::StateBuf;
    use super::*;

    fn variable(size: u32) -> Variable {
        let values = (0..size).map(Value::number).collect();
        Variable::new(format!("v{size}"), VariableKind::Object, values)
    }

    #[test]
    fn fields_of_one_word_do_not_overlap() {
        let mut variables: Vec<_> = [2, 3, 9, 64, 5, 200, 17, 2, 2].map(variable).into();
        let words = pack(&mut variables);
        let mut used = vec![0_u64; words];
        for variable in &variables {
            assert_eq!(used[variable.word as usize] & variable.mask(), 0);
            used[variable.word as usize] |= variable.mask();
        }
        assert_eq!(words, 1);
    }

    #[test]
    fn writing_one_variable_leaves_the_others() {
        let mut variables: Vec<_> = (0..40).map(|index| variable(index + 2)).collect();
        let words = pack(&mut variables);
        let mut state = StateBuf::zeros(words);
        for variable in &variables {
            variable.set(&mut state, variable.size - 1);
        }
        for variable in &variables {
            assert_eq!(variable.get(&state), variable.size - 1);
        }
    }
}
