//! A state: a value of each variable of a task, packed into words.

use std::borrow::Borrow;
use std::ops::{Deref, DerefMut};

use ref_cast::{RefCastCustom, ref_cast_custom};

/// A borrowed state of a task: a value of each variable, packed into words. [`StateBuf`] owns one; the two are
/// to each other as `str` and `String`.
///
/// Its variables read and write it, each in a [field](super::layout::Variable::field) of its own. Two states of
/// a task are equal if all values are. A state does not know its task: the variables of another read other
/// values, or panic where the state is too short.
///
/// ```
/// use brigade_task::StateBuf;
/// use brigade_task::layout::{Variable, VariableKind, pack};
/// use brigade_task::symbols::Value;
///
/// let mut variables = [3, 5].map(|size| {
///     let values = (0..size).map(Value::number).collect();
///     Variable::new(format!("(timer {size})"), VariableKind::Timer, values)
/// });
/// let words = pack(&mut variables);
/// let mut state = StateBuf::zeros(words);
/// variables[1].set(&mut state, 4);
/// assert_eq!(variables.map(|variable| variable.get(&state)), [0, 4]);
/// ```
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Hash, RefCastCustom)]
#[repr(transparent)]
pub struct State([u64]);

impl State {
    /// The state whose packed form these words are, as [`State::words`] gave them.
    #[ref_cast_custom]
    pub const fn from_words(words: &[u64]) -> &Self;

    /// The state whose packed form these words are, to be changed in place.
    #[ref_cast_custom]
    pub const fn from_words_mut(words: &mut [u64]) -> &mut Self;

    /// The packed form, for tables that store many states in a row: [`Task::words`](super::Task::words) words of
    /// 64 bits. The bits of no variable are 0.
    #[inline]
    pub const fn words(&self) -> &[u64] {
        &self.0
    }

    /// The packed form, to be changed in place.
    #[inline]
    pub const fn words_mut(&mut self) -> &mut [u64] {
        &mut self.0
    }

    /// Becomes another state of the same task.
    ///
    /// # Panics
    ///
    /// The other has more or fewer words.
    #[inline]
    pub fn copy_from(&mut self, other: &Self) {
        self.0.copy_from_slice(&other.0);
    }
}

/// The state of no words stands in where none is looked at.
impl Default for &State {
    fn default() -> Self {
        State::from_words(&[])
    }
}

impl ToOwned for State {
    type Owned = StateBuf;

    fn to_owned(&self) -> StateBuf {
        StateBuf(self.0.into())
    }

    #[inline]
    fn clone_into(&self, target: &mut StateBuf) {
        if self.0.len() == target.0.len() {
            target.copy_from(self);
        } else {
            *target = self.to_owned();
        }
    }
}

/// An owned state of a task; see [`State`].
#[derive(Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateBuf(Box<[u64]>);

impl StateBuf {
    /// The state of so many words in which each variable has its value 0.
    pub fn zeros(words: usize) -> Self {
        Self(vec![0; words].into())
    }
}

impl Clone for StateBuf {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }

    fn clone_from(&mut self, source: &Self) {
        (**source).clone_into(self);
    }
}

impl Deref for StateBuf {
    type Target = State;

    #[inline]
    fn deref(&self) -> &State {
        State::from_words(&self.0)
    }
}

impl DerefMut for StateBuf {
    #[inline]
    fn deref_mut(&mut self) -> &mut State {
        State::from_words_mut(&mut self.0)
    }
}

impl Borrow<State> for StateBuf {
    fn borrow(&self) -> &State {
        self
    }
}

impl From<Vec<u64>> for StateBuf {
    fn from(words: Vec<u64>) -> Self {
        Self(words.into())
    }
}

impl From<&State> for StateBuf {
    fn from(state: &State) -> Self {
        state.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeSet, HashSet};

    use super::*;

    #[test]
    fn a_state_keeps_the_words_that_it_is_made_of() {
        let mut words = [7, 0, u64::MAX];
        assert_eq!(State::from_words(&words).words(), [7, 0, u64::MAX]);
        State::from_words_mut(&mut words).words_mut()[1] = 5;
        assert_eq!(words, [7, 5, u64::MAX]);
    }

    #[test]
    fn sets_of_owned_states_are_asked_for_borrowed_ones() {
        let (met, other) = (State::from_words(&[1, 2]), State::from_words(&[2, 1]));
        let hashed = HashSet::from([met.to_owned()]);
        let ordered = BTreeSet::from([met.to_owned()]);
        assert!(hashed.contains(met) && ordered.contains(met));
        assert!(!hashed.contains(other) && !ordered.contains(other));
    }

    #[test]
    fn a_buffer_takes_over_states_of_any_length() {
        let mut buffer = StateBuf::default();
        for words in [&[1, 2][..], &[3, 4], &[5]] {
            let state = State::from_words(words);
            state.clone_into(&mut buffer);
            assert_eq!(*buffer, *state);
        }
        assert_eq!(buffer, State::from_words(&[5]).to_owned());
    }
}
