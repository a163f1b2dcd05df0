//! States of a kitchen, and how they are written: alike where stations of a kind, or equal items, have
//! changed places.

use std::fmt;

use super::environment::{Entity, Environment, Fried, Kind, Kitchen};
use super::goal::{Dish, Place, Role};
use super::{MOST_ITEMS, MOST_STATIONS};

/// A timer that is over: one when it is started, and one more for each of four ticks.
pub(super) const OVER: u8 = 5;

/// The number of cuts after which an item is cut.
pub(super) const CUTS: u8 = 3;

/// No station.
pub(super) const NOWHERE: u8 = u8::MAX;

/// An item: its form in four bits, how often it was cut in two, the timers of cooking and of frying in
/// three each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Item(u16);

impl Item {
    fn start(entity: &Entity, kitchen: &Kitchen) -> Self {
        let form = entity.form(&kitchen.goal);
        let number = kitchen.forms.iter().position(|known| *known == form);
        let is = |predicate: &str, asked: bool| asked && entity.is(predicate);
        let asks = |of: fn(&Role) -> bool| kitchen.goal.asks(&entity.name, of);
        let is_cut = is(
            "iscut",
            form.can_be_fried == Fried::OnceCut || asks(|role| role.is_cut),
        );
        let timer = |is_over: bool| if is_over { OVER } else { 0 };
        Self(number.unwrap_or(0) as u16)
            .with_cuts(if is_cut { CUTS } else { 0 })
            .with_cooking(timer(is("iscooked", asks(|role| role.is_cooked))))
            .with_frying(timer(is("isfried", asks(|role| role.is_fried))))
    }

    pub(super) const fn form(self) -> usize {
        (self.0 & 0xf) as usize
    }

    pub(super) const fn cuts(self) -> u8 {
        (self.0 >> 4 & 0x3) as u8
    }

    pub(super) const fn cooking(self) -> u8 {
        (self.0 >> 6 & 0x7) as u8
    }

    pub(super) const fn frying(self) -> u8 {
        (self.0 >> 9 & 0x7) as u8
    }

    pub(super) const fn with_cuts(self, cuts: u8) -> Self {
        Self(self.0 & !(0x3 << 4) | (cuts as u16) << 4)
    }

    pub(super) const fn with_cooking(self, timer: u8) -> Self {
        Self(self.0 & !(0x7 << 6) | (timer as u16) << 6)
    }

    pub(super) const fn with_frying(self, timer: u8) -> Self {
        Self(self.0 & !(0x7 << 9) | (timer as u16) << 9)
    }

    /// Returns true if it fits a role, wherever it is.
    pub(super) fn suits(self, role: &Role, kitchen: &Kitchen) -> bool {
        kitchen.forms[self.form()].name == Some(role.name)
            && (!role.is_cut || self.cuts() == CUTS)
            && (!role.is_cooked || self.cooking() == OVER)
            && (!role.is_fried || self.frying() == OVER)
    }
}

/// Items on each other, the lowest first.
#[derive(Clone, Copy, Default)]
pub(super) struct Stack {
    length: u8,
    items: [Item; MOST_ITEMS],
}

impl Stack {
    pub(super) fn items(&self) -> &[Item] {
        &self.items[..usize::from(self.length)]
    }

    pub(super) fn push(&mut self, item: Item) {
        self.items[usize::from(self.length)] = item;
        self.length += 1;
    }

    pub(super) fn pop(&mut self) -> Option<Item> {
        let item = *self.items().last()?;
        self.length -= 1;
        Some(item)
    }

    /// The item that lies on the station itself.
    pub(super) fn lowest(&mut self) -> Option<&mut Item> {
        self.items[..usize::from(self.length)].first_mut()
    }
}

impl fmt::Debug for Stack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.items()).finish()
    }
}

/// The content of a cook's hands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hand {
    Empty,
    Item(Item),
    Pot,
    Bowl,
}

/// A player.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cook {
    pub(super) here: u8,
    pub(super) hand: Hand,
}

impl Cook {
    const NOBODY: Self = Self {
        here: NOWHERE,
        hand: Hand::Empty,
    };
}

/// A state.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    pub(super) stacks: [Stack; MOST_STATIONS],
    /// The one whose turn it is first.
    pub(super) cooks: [Cook; 2],
    /// The stations of the pot and of the bowl.
    pub(super) pot: u8,
    pub(super) bowl: u8,
    /// The timer that fills the pot; over where there is water in it.
    pub(super) filling: u8,
    /// The timer of the first water, wherever that is.
    pub(super) boiling: u8,
    /// True if the first water is in the bowl.
    pub(super) is_in_bowl: bool,
    /// The ingredients that have been added to the first water, as far as the goal asks for them.
    pub(super) added: Stack,
}

impl State {
    const EMPTY: Self = Self {
        stacks: [Stack {
            length: 0,
            items: [Item(0); MOST_ITEMS],
        }; MOST_STATIONS],
        cooks: [Cook::NOBODY; 2],
        pot: NOWHERE,
        bowl: NOWHERE,
        filling: 0,
        boiling: 0,
        is_in_bowl: false,
        added: Stack {
            length: 0,
            items: [Item(0); MOST_ITEMS],
        },
    };

    /// The start; an error says what of it is not known.
    pub(super) fn start(environment: &Environment, kitchen: &Kitchen) -> Result<Self, String> {
        let mut state = Self::EMPTY;
        let station = |at: (i64, i64)| {
            let mut stations = environment.stations.iter();
            stations.position(|station| station.at() == at)
        };
        for (cook, player) in state.cooks.iter_mut().zip(&environment.players) {
            let here = player.faces().and_then(station);
            cook.here = here.ok_or("a player at no station")? as u8;
        }
        let mut items: Vec<&Entity> = environment.items.iter().collect();
        items.sort_by_key(|item| item.level);
        for entity in items {
            let item = Item::start(entity, kitchen);
            let mut players = environment.players.iter();
            if let Some(player) = players.position(|player| player.at() == entity.at()) {
                let hand = &mut state.cooks[player].hand;
                if *hand != Hand::Empty {
                    return Err("two things in one hand".to_owned());
                }
                *hand = Hand::Item(item);
            } else {
                let station = station(entity.at()).ok_or("an item that is nowhere")?;
                state.stacks[station].push(item);
            }
        }
        for container in &environment.containers {
            let station = station(container.at()).ok_or("a container at no station")?;
            if !state.is_free(station) {
                return Err("a container at a station with something else".to_owned());
            }
            let place = match container.name.as_str() {
                "pot" => &mut state.pot,
                "bowl" => &mut state.bowl,
                name => return Err(format!("a container `{name}`")),
            };
            if *place != NOWHERE {
                return Err("two pots, or two bowls".to_owned());
            }
            *place = station as u8;
        }
        if kitchen.goal.soup.is_some() && (state.pot == NOWHERE || state.bowl == NOWHERE) {
            return Err("a soup without a pot or without a bowl".to_owned());
        }
        Ok(state)
    }

    /// Returns true if nothing is at a station.
    pub(super) fn is_free(&self, station: usize) -> bool {
        let number = station as u8;
        self.stacks[station].length == 0 && self.pot != number && self.bowl != number
    }

    /// Advances the timers of a step by one; returns true if any runs.
    pub(super) fn tick(&mut self, kitchen: &Kitchen) -> bool {
        let mut any = false;
        let mut count = |timer: u8| {
            let counts = (1..OVER).contains(&timer);
            any |= counts;
            timer + u8::from(counts)
        };
        for (stack, kind) in self.stacks.iter_mut().zip(&kitchen.stations) {
            if let Some(item) = stack.lowest() {
                match kind {
                    Kind::Stove => *item = item.with_cooking(count(item.cooking())),
                    Kind::Fryer => *item = item.with_frying(count(item.frying())),
                    Kind::Table | Kind::Board | Kind::Sink => {}
                }
            }
        }
        match kitchen.stations.get(usize::from(self.pot)) {
            Some(Kind::Sink) => self.filling = count(self.filling),
            Some(Kind::Stove) => self.boiling = count(self.boiling),
            _ => {}
        }
        any
    }

    /// Returns true if the goal holds.
    pub(super) fn is_goal(&self, kitchen: &Kitchen) -> bool {
        if let Some(soup) = &kitchen.goal.soup {
            let is_served = kitchen.stations.get(usize::from(self.bowl)) == Some(&Kind::Table);
            let is_boiled = !soup.is_boiled || self.boiling == OVER;
            let is_there = self.is_in_bowl && is_served && is_boiled;
            if !is_there || !fill(&soup.roles, self.added.items(), 0, kitchen) {
                return false;
            }
        }
        self.serves(&kitchen.goal.dishes, 0, kitchen)
    }

    /// Returns true if these dishes are each on a table of its own, none of them a taken one (a bit each).
    fn serves(&self, dishes: &[Dish], taken: u32, kitchen: &Kitchen) -> bool {
        let Some((dish, rest)) = dishes.split_first() else {
            return true;
        };
        (0..kitchen.stations.len()).any(|station| {
            kitchen.stations[station] == Kind::Table
                && taken >> station & 1 == 0
                && is_served(dish, self.stacks[station].items(), kitchen)
                && self.serves(rest, taken | 1 << station, kitchen)
        })
    }

    /// Writes the state.
    pub(super) fn write(&self, kitchen: &Kitchen, text: &mut Vec<u8>) {
        text.clear();
        let count = kitchen.stations.len();
        let mut parts = [[0; 1 + 2 * MOST_ITEMS]; MOST_STATIONS];
        let mut order = [0; MOST_STATIONS];
        for (station, part) in parts[..count].iter_mut().enumerate() {
            let stack = &self.stacks[station];
            let is = |at: u8, bit: u8| u8::from(at == station as u8) << bit;
            let [first, second] = self.cooks;
            part[0] = stack.length
                | is(first.here, 4)
                | is(second.here, 5)
                | is(self.pot, 6)
                | is(self.bowl, 7);
            for (item, bytes) in stack.items().iter().zip(part[1..].chunks_exact_mut(2)) {
                bytes.copy_from_slice(&item.0.to_be_bytes());
            }
            order[station] = station;
        }
        let part = |station: usize| {
            let length = 1 + 2 * usize::from(self.stacks[station].length);
            &parts[station][..length]
        };
        order[..count].sort_unstable_by_key(|&station| (kitchen.stations[station], part(station)));
        for &station in &order[..count] {
            text.extend_from_slice(part(station));
        }
        for cook in &self.cooks[..kitchen.cooks] {
            let (hand, item) = match cook.hand {
                Hand::Empty => (0, Item(0)),
                Hand::Item(item) => (1, item),
                Hand::Pot => (2, Item(0)),
                Hand::Bowl => (3, Item(0)),
            };
            text.push(hand);
            text.extend_from_slice(&item.0.to_be_bytes());
        }
        let timers = self.filling | self.boiling << 3 | u8::from(self.is_in_bowl) << 6;
        text.push(timers);
        let mut added = self.added;
        added.items[..usize::from(added.length)].sort_unstable();
        let added = added.items().iter();
        text.extend(added.flat_map(|item| item.0.to_be_bytes()));
    }

    /// The state that was written.
    pub(super) fn read(kitchen: &Kitchen, text: &[u8]) -> Self {
        let mut state = Self::EMPTY;
        let mut bytes = text.iter().copied();
        let mut byte = || bytes.next().unwrap_or(0);
        for (station, stack) in state.stacks[..kitchen.stations.len()]
            .iter_mut()
            .enumerate()
        {
            let head = byte();
            for _ in 0..head & 0xf {
                stack.push(Item(u16::from_be_bytes([byte(), byte()])));
            }
            let [first, second] = &mut state.cooks;
            let places = [
                &mut first.here,
                &mut second.here,
                &mut state.pot,
                &mut state.bowl,
            ];
            for (bit, place) in places.into_iter().enumerate() {
                if head >> (4 + bit) & 1 == 1 {
                    *place = station as u8;
                }
            }
        }
        for cook in &mut state.cooks[..kitchen.cooks] {
            let hand = byte();
            let item = Item(u16::from_be_bytes([byte(), byte()]));
            cook.hand = match hand {
                0 => Hand::Empty,
                1 => Hand::Item(item),
                2 => Hand::Pot,
                _ => Hand::Bowl,
            };
        }
        let timers = byte();
        state.filling = timers & 0x7;
        state.boiling = timers >> 3 & 0x7;
        state.is_in_bowl = timers >> 6 == 1;
        while let (Some(high), Some(low)) = (bytes.next(), bytes.next()) {
            state.added.push(Item(u16::from_be_bytes([high, low])));
        }
        state
    }
}

/// Returns true if a dish is in this stack.
fn is_served(dish: &Dish, items: &[Item], kitchen: &Kitchen) -> bool {
    let role = |&number: &usize| &kitchen.goal.roles[number];
    if dish.is_chain {
        let has_end = !dish.ends || items.len() == dish.roles.len();
        let mut pairs = dish.roles.iter().zip(items);
        return has_end
            && items.len() >= dish.roles.len()
            && pairs.all(|(number, item)| item.suits(role(number), kitchen));
    }
    let (Some((base, mut above)), Some((first, others))) =
        (items.split_first(), dish.roles.split_first())
    else {
        return false;
    };
    let (tops, others): (Vec<usize>, Vec<usize>) = others
        .iter()
        .partition(|&number| role(number).place == Place::Top);
    if let Some(top) = tops.first() {
        match above.split_last() {
            Some((last, rest)) if last.suits(role(top), kitchen) => above = rest,
            _ => return false,
        }
    }
    base.suits(role(first), kitchen) && fill(&others, above, 0, kitchen)
}

/// Returns true if each of these roles has an item of its own, none of them a taken one (a bit each).
fn fill(roles: &[usize], items: &[Item], taken: u32, kitchen: &Kitchen) -> bool {
    let Some((&role, rest)) = roles.split_first() else {
        return true;
    };
    (0..items.len()).any(|place| {
        taken >> place & 1 == 0
            && items[place].suits(&kitchen.goal.roles[role], kitchen)
            && fill(rest, items, taken | 1 << place, kitchen)
    })
}
