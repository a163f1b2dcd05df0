//! Lists of numbers, one after another in memory.

use std::ops::Range;

/// Lists of numbers, one after another.
#[derive(Debug, Default)]
pub(crate) struct Lists {
    /// The start of each, and one past the last.
    first: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    /// Lists of `count`, from pairs of list and item.
    pub(crate) fn new(count: usize, pairs: impl Iterator<Item = (u32, u32)> + Clone) -> Self {
        let mut first = vec![0_u32; count + 1];
        for (list, _) in pairs.clone() {
            first[list as usize + 1] += 1;
        }
        for index in 1..first.len() {
            first[index] += first[index - 1];
        }
        let mut next = first.clone();
        let mut items = vec![0; first[count] as usize];
        for (list, item) in pairs {
            let place = &mut next[list as usize];
            items[*place as usize] = item;
            *place += 1;
        }
        Self { first, items }
    }

    fn places(&self, list: u32) -> Range<usize> {
        self.first[list as usize] as usize..self.first[list as usize + 1] as usize
    }

    /// The items of a list.
    pub(crate) fn of(&self, list: u32) -> &[u32] {
        &self.items[self.places(list)]
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.first) + size_of_val(&*self.items)
    }
}
