//! Computes a lower bound on the steps that are left: a count of what hands and feet have to do.
//!
//! Items are assigned to what the goal asks for; the least count of all assignments is the bound. In an assignment an
//! item is *carried* from where it is to where it is worked on, and from there to where it is to be: it is picked up, a
//! cook walks, it is put down. So is what lies on what is carried. Work takes steps besides. And who picks something up
//! comes there with empty hands: at the end of a carry, or by a walk of its own. Where more carries begin than end, and
//! no cook with empty hands is, there are so many walks. Where something is laid aside is not known; each such carry
//! may end where one is saved. A thing that is only in the way may be kept in the hand, if nothing is left to do or
//! another cook does it.
//!
//! A dish may stay where its base is, if that is done and on a table; or all of it is carried to a table
//! that is not known. No step does two of these things, so the count of several cooks is that of one.

use super::environment::{Fried, Kind, Kitchen};
use super::goal::{Place, Role};
use super::state::{CUTS, Hand, Item, OVER, State};
use super::{MOST_ITEMS, MOST_STATIONS};

/// The steps of a carry: up, a walk, down.
const CARRY: u32 = 3;
/// The goal cannot be reached.
const NEVER: u32 = u32::MAX;

/// An item and where it is.
#[derive(Clone, Copy)]
struct Thing {
    item: Item,
    /// The station where it lies, or where the cook is who has it.
    station: usize,
    depth: usize,
    /// The cook who has it in hand.
    holder: Option<usize>,
    /// True if it is the only thing at its station, as one like it is at a station like it just before.
    is_like_last: bool,
}

/// The needs of a thing before it fills a role.
#[derive(Clone, Copy, Default)]
struct Need {
    /// Stations to which it is carried to be worked on.
    stops: u32,
    /// Steps of work.
    work: u32,
    /// True if the cook who has it in hand is at such a station.
    starts_here: bool,
}

/// The table where the parts of a dish are to be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Table {
    /// Here, where its base is.
    Known(usize),
    Unknown,
}

/// The sum of carries.
#[derive(Clone, Copy, Default)]
struct Count {
    steps: u32,
    /// Carries that begin at each station, less those that end there and cooks with empty hands there.
    leaves: [i32; MOST_STATIONS],
    /// Carries that may end anywhere.
    anywhere: u32,
}

/// The bound.
pub(super) struct Bound<'a> {
    kitchen: &'a Kitchen,
    /// The dish of each role; none for those of the soup.
    dishes: Vec<Option<usize>>,
    /// All items but those in the soup.
    things: Vec<Thing>,
    /// The part that does not depend on the assignment: the pot and the bowl.
    fixed: Count,
    /// True if the pot is still to be carried.
    pot_serves: bool,
    /// Roles, in the order in which they get things, and the thing of each.
    order: Vec<usize>,
    assigned: Vec<usize>,
    tables: Vec<Table>,
    /// The fewest steps of the roles from each place in the order on.
    rest: Vec<u32>,
    /// The least count so far.
    least: u32,
}

impl<'a> Bound<'a> {
    pub(super) fn new(kitchen: &'a Kitchen) -> Self {
        let roles = kitchen.goal.roles.len();
        let mut dishes = vec![None; roles];
        for (number, dish) in kitchen.goal.dishes.iter().enumerate() {
            for &role in &dish.roles {
                dishes[role] = Some(number);
            }
        }
        Self {
            kitchen,
            dishes,
            things: Vec::with_capacity(MOST_ITEMS),
            fixed: Count::default(),
            pot_serves: false,
            order: Vec::with_capacity(roles),
            assigned: vec![0; roles],
            tables: vec![Table::Unknown; kitchen.goal.dishes.len()],
            rest: Vec::with_capacity(roles + 1),
            least: NEVER,
        }
    }

    /// So many steps are left at least; more than `most` wherever it is that.
    pub(super) fn steps(&mut self, state: &State, most: u32) -> u32 {
        self.things.clear();
        list(state, self.kitchen, &mut self.things);
        self.order.clear();
        let dishes = self.kitchen.goal.dishes.iter();
        self.order.extend(dishes.flat_map(|dish| &dish.roles));
        let of_dishes = self.order.len();
        self.add_roles_of_soup(state);
        if state.is_in_bowl && self.order.len() > of_dishes || !self.count_soup(state) {
            return NEVER;
        }
        self.rest.clear();
        self.rest.resize(self.order.len() + 1, 0);
        for place in (0..self.order.len()).rev() {
            let role = &self.kitchen.goal.roles[self.order[place]];
            let things = self.things.iter();
            let Some(least) = things.filter_map(|thing| self.least_of(*thing, role)).min() else {
                return NEVER;
            };
            self.rest[place] = self.rest[place + 1] + least;
        }
        self.least = most + 1;
        self.assign(state, 0, 0, self.fixed.steps);
        self.least
    }

    /// The roles of the soup that nothing serves that has been added.
    fn add_roles_of_soup(&mut self, state: &State) {
        let Some(soup) = &self.kitchen.goal.soup else {
            return;
        };
        let mut items = state.added.items().to_vec();
        let mut roles = soup.roles.clone();
        // What is cut serves a role that asks for that before one that does not.
        roles.sort_by_key(|&role| !self.kitchen.goal.roles[role].is_cut);
        for role in roles {
            let asked = &self.kitchen.goal.roles[role];
            let suits = |item: &Item| item.suits(asked, self.kitchen);
            match items.iter().position(suits) {
                Some(place) => {
                    items.swap_remove(place);
                }
                None => self.order.push(role),
            }
        }
    }

    /// Counts what the pot and the bowl need; whether there can be a soup.
    fn count_soup(&mut self, state: &State) -> bool {
        self.fixed = Count::default();
        self.pot_serves = false;
        let Some(soup) = &self.kitchen.goal.soup else {
            return true;
        };
        let count = &mut self.fixed;
        let kind = |station: u8| self.kitchen.stations[usize::from(station)];
        let holder = |hand: Hand| state.cooks.iter().find(|cook| cook.hand == hand);
        if let Some(cook) = holder(Hand::Bowl) {
            let walks = u32::from(kind(cook.here) != Kind::Table);
            count.steps += 1 + walks;
            count.anywhere += walks;
        } else if kind(state.bowl) != Kind::Table {
            count.carry(usize::from(state.bowl), CARRY);
            count.anywhere += 1;
        }
        let cook = holder(Hand::Pot);
        let is_at = |wanted: Kind| cook.is_none() && kind(state.pot) == wanted;
        // Carries to a sink and to a stove, and work there.
        let (mut stops, mut work) = (Vec::new(), 0);
        let is_boiled = !soup.is_boiled || state.boiling == OVER;
        if state.filling != OVER && !state.is_in_bowl {
            work += u32::from(state.filling == 0);
            stops.extend((!is_at(Kind::Sink)).then_some(Kind::Sink));
            stops.extend((!is_boiled).then_some(Kind::Stove));
        } else if !is_boiled && !is_at(Kind::Stove) {
            stops.push(Kind::Stove);
        }
        work += u32::from(!is_boiled && state.boiling == 0);
        if state.is_in_bowl && !is_boiled && state.boiling == 0 {
            return false;
        }
        if state.is_in_bowl && stops.is_empty() {
            return true;
        }
        self.pot_serves = true;
        let mut steps = CARRY * stops.len() as u32 + work;
        let mut is_there = cook.is_some_and(|cook| match stops.first() {
            Some(&stop) => kind(cook.here) == stop,
            None => cook.here == state.bowl,
        });
        if !state.is_in_bowl {
            // Picked up and carried to the bowl, which is filled.
            steps += CARRY;
            if state.boiling > 0 && !stops.is_empty() {
                // It may go to the stove after that, and is then picked up once.
                steps -= 1;
                is_there = cook.is_some_and(|cook| cook.here == state.bowl);
            }
        }
        if cook.is_some() {
            count.steps += steps - 1 - u32::from(is_there);
        } else {
            count.carry(usize::from(state.pot), steps);
        }
        count.anywhere += 1;
        true
    }

    /// Returns the needs of a thing for a role; `None` where it cannot fill that.
    fn need(&self, thing: Thing, role: &Role) -> Option<Need> {
        let item = thing.item;
        let form = &self.kitchen.forms[item.form()];
        let is_cooked = role.is_cooked && item.cooking() != OVER;
        let is_fried = role.is_fried && item.frying() != OVER;
        let for_frying = is_fried && item.frying() == 0 && form.can_be_fried == Fried::OnceCut;
        let is_cut = (role.is_cut || for_frying) && item.cuts() < CUTS;
        let can_be = form.name == Some(role.name)
            && (!is_cut || form.can_be_cut)
            && (!is_cooked || form.can_be_cooked)
            && (!is_fried || form.can_be_fried != Fried::Never);
        if !can_be {
            return None;
        }
        let mut need = Need::default();
        let kind = self.kitchen.stations[thing.station];
        let lies = thing.holder.is_none() && thing.depth == 0;
        let goes_back = is_cut && for_frying;
        let stops = [
            (is_cut, Kind::Board, true),
            (is_cooked, Kind::Stove, true),
            (is_fried, Kind::Fryer, !goes_back),
        ];
        for (_, stop, at_once) in stops.into_iter().filter(|(is_needed, ..)| *is_needed) {
            let is_there = kind == stop && at_once;
            need.stops += u32::from(!(lies && is_there));
            need.starts_here |= thing.holder.is_some() && is_there;
        }
        need.work = u32::from(is_cut) * u32::from(CUTS - item.cuts())
            + u32::from(is_cooked && item.cooking() == 0)
            + u32::from(is_fried && item.frying() == 0);
        Some(need)
    }

    /// Returns the fewest steps of a role with a thing.
    fn least_of(&self, thing: Thing, role: &Role) -> Option<u32> {
        let need = self.need(thing, role)?;
        let is_on_table = self.kitchen.stations[thing.station] == Kind::Table;
        let may_stay = is_on_table && thing.holder.is_none() && role.place != Place::Soup;
        Some(if may_stay && need.is_nothing() {
            0
        } else {
            least_carried(thing, need)
        })
    }

    /// Assigns things to the roles from a place in the order on, none of them a taken one (a bit each), where
    /// those before take so many steps at least.
    fn assign(&mut self, state: &State, place: usize, taken: u32, steps: u32) {
        if steps.saturating_add(self.rest[place]) >= self.least {
            return;
        }
        let Some(&role) = self.order.get(place) else {
            self.least = self.least.min(self.count(state));
            return;
        };
        let asked = &self.kitchen.goal.roles[role];
        for number in 0..self.things.len() {
            let thing = self.things[number];
            let is_free = |number: usize| taken >> number & 1 == 0;
            // The last would have done as well.
            let is_as_last = thing.is_like_last && is_free(number - 1);
            if !is_free(number) || is_as_last {
                continue;
            }
            let Some(need) = self.need(thing, asked) else {
                continue;
            };
            let lies_done = need.is_nothing() && thing.holder.is_none();
            let stays = match (self.dishes[role], asked.place) {
                (Some(dish), Place::Base) => {
                    let is_on_table = self.kitchen.stations[thing.station] == Kind::Table;
                    let is_base = lies_done && is_on_table && thing.depth == 0;
                    self.tables[dish] = if is_base {
                        Table::Known(thing.station)
                    } else {
                        Table::Unknown
                    };
                    is_base
                }
                (Some(dish), _) => lies_done && self.tables[dish] == Table::Known(thing.station),
                (None, _) => false,
            };
            let takes = if stays { 0 } else { least_carried(thing, need) };
            self.assigned[role] = number;
            self.assign(state, place + 1, taken | 1 << number, steps + takes);
        }
    }

    /// The depth at each station from which on everything is carried, and whether one of these things may be
    /// in a hand in the end: what lay on a dish that is done.
    fn carried_from(&self, roles: &[Option<usize>]) -> ([usize; MOST_STATIONS], bool) {
        let goal = &self.kitchen.goal;
        let mut from = [usize::MAX; MOST_STATIONS];
        let mut may_be_kept = false;
        for (thing, role) in self.things.iter().zip(roles) {
            let Some(role) = role.filter(|_| thing.holder.is_none()) else {
                continue;
            };
            let table = self.dishes[role].map(|dish| self.tables[dish]);
            let stays = table == Some(Table::Known(thing.station))
                && thing.item.suits(&goal.roles[role], self.kitchen);
            if !stays {
                from[thing.station] = from[thing.station].min(thing.depth);
            }
        }
        for (dish, &table) in goal.dishes.iter().zip(&self.tables) {
            let Table::Known(table) = table else {
                continue;
            };
            let from = &mut from[table];
            let of = |role: usize| self.things[self.assigned[role]];
            let is_at = |thing: Thing| thing.holder.is_none() && thing.station == table;
            if dish.is_chain {
                // What is not the next part of the chain is in its way.
                let mut roles = dish.roles.iter().enumerate();
                let next = |&(depth, &role): &(usize, &usize)| {
                    is_at(of(role)) && of(role).depth == depth && depth < *from
                };
                let right = roles.by_ref().take_while(next).count();
                if right < dish.roles.len() || dish.ends {
                    *from = right.min(*from);
                }
                may_be_kept |= right == dish.roles.len() && dish.ends;
                continue;
            }
            let mut tops = dish.roles.iter();
            let top = tops.find(|&&role| goal.roles[role].place == Place::Top);
            let Some(&top) = top.filter(|&&top| is_at(of(top)) && of(top).depth < *from) else {
                continue;
            };
            let depth = of(top).depth;
            let is_below = |role: usize| is_at(of(role)) && of(role).depth < depth;
            let is_last = dish.roles.iter().all(|&role| role == top || is_below(role));
            *from = (*from).min(depth + usize::from(is_last));
            may_be_kept |= is_last;
        }
        (from, may_be_kept)
    }

    /// The count of an assignment.
    fn count(&self, state: &State) -> u32 {
        let mut roles = [None; MOST_ITEMS];
        for &role in &self.order {
            roles[self.assigned[role]] = Some(role);
        }
        let (from, may_be_kept) = self.carried_from(&roles);
        let mut count = self.fixed;
        // Carries of each dish to a table that is not known.
        let mut together = [0; MOST_ITEMS];
        // Two cooks may keep what they have picked up, one only if nothing else is left to do.
        let mut kept = match self.kitchen.cooks {
            1 => u32::from(may_be_kept),
            cooks => cooks as u32,
        };
        let mut serves = state
            .cooks
            .map(|cook| cook.hand == Hand::Pot && self.pot_serves);
        for (thing, role) in self.things.iter().zip(roles) {
            if thing.holder.is_none() && thing.depth < from[thing.station] {
                continue;
            }
            let Some(role) = role else {
                if thing.holder.is_none() {
                    count.carry(thing.station, if kept > 0 { 1 } else { CARRY });
                    kept = kept.saturating_sub(1);
                    count.anywhere += 1;
                }
                continue;
            };
            let Some(need) = self.need(*thing, &self.kitchen.goal.roles[role]) else {
                continue;
            };
            let table = self.dishes[role].map(|dish| self.tables[dish]);
            let is_there = table == Some(Table::Known(thing.station)) && need.stops == 0;
            if let Some(cook) = thing.holder {
                serves[cook] = true;
                let is_for = match table {
                    _ if need.stops > 0 => need.starts_here,
                    Some(Table::Known(_)) => is_there,
                    Some(Table::Unknown) => self.kitchen.stations[thing.station] == Kind::Table,
                    None => usize::from(state.pot) == thing.station,
                };
                count.steps += CARRY * (need.stops + 1) - 1 - u32::from(is_for) + need.work;
            } else {
                // What is in the way at its own table is laid aside, and carried back.
                let carries = need.stops + 1 + u32::from(is_there);
                count.carry(thing.station, CARRY * carries + need.work);
            }
            match (table, self.dishes[role]) {
                (Some(Table::Known(table)), _) => count.leaves[table] -= 1,
                (Some(Table::Unknown), Some(dish)) => together[dish] += 1,
                _ => count.anywhere += 1,
            }
        }
        self.with_walks(count, serves, &together, state)
    }

    /// With the walks of cooks with empty hands.
    fn with_walks(
        &self,
        mut count: Count,
        serves: [bool; 2],
        together: &[u32],
        state: &State,
    ) -> u32 {
        let cooks = &state.cooks[..self.kitchen.cooks];
        for (cook, serves) in cooks.iter().zip(serves) {
            let here = usize::from(cook.here);
            let is_free = match cook.hand {
                Hand::Empty => true,
                Hand::Bowl => self.kitchen.stations[here] == Kind::Table,
                Hand::Item(_) | Hand::Pot if serves => false,
                Hand::Item(_) | Hand::Pot => {
                    // One who is alone lays it aside, here say, before anything else.
                    let is_alone = cooks.len() == 1;
                    count.steps += u32::from(is_alone && count.steps > 0);
                    is_alone
                }
            };
            count.leaves[here] -= i32::from(is_free);
        }
        let (mut walks, mut most_of_table) = (0, 0);
        for (&kind, &leaves) in self.kitchen.stations.iter().zip(&count.leaves) {
            let leaves = leaves.max(0) as u32;
            walks += leaves;
            if kind == Kind::Table {
                most_of_table = leaves.max(most_of_table);
            }
        }
        let together = together.iter().map(|&carries| most_of_table.min(carries));
        let saved = count.anywhere + together.sum::<u32>();
        count.steps + walks.saturating_sub(saved)
    }
}

impl Need {
    const fn is_nothing(self) -> bool {
        self.stops == 0 && self.work == 0
    }
}

impl Count {
    /// A carry that begins at a station, with what else is done, takes so many steps.
    fn carry(&mut self, station: usize, steps: u32) {
        self.steps += steps;
        self.leaves[station] += 1;
    }
}

/// Returns the fewest steps to carry a thing to its place.
fn least_carried(thing: Thing, need: Need) -> u32 {
    let steps = CARRY * (need.stops + 1) + need.work;
    // It is picked up already, and its cook may be where it is put down.
    steps - if thing.holder.is_some() { 2 } else { 0 }
}

/// Lists all items but those in the soup.
fn list(state: &State, kitchen: &Kitchen, things: &mut Vec<Thing>) {
    for (number, cook) in state.cooks.iter().enumerate() {
        if let Hand::Item(item) = cook.hand {
            things.push(Thing {
                item,
                station: usize::from(cook.here),
                depth: 0,
                holder: Some(number),
                is_like_last: false,
            });
        }
    }
    let is_here = |station: usize| {
        let mut cooks = state.cooks.iter();
        cooks.any(|cook| usize::from(cook.here) == station)
    };
    for (station, kind) in kitchen.stations.iter().enumerate() {
        let items = state.stacks[station].items();
        let is_like_last = items.len() == 1
            && station > 0
            && state.stacks[station - 1].items() == items
            && kitchen.stations[station - 1] == *kind
            && !is_here(station - 1)
            && !is_here(station);
        let things_here = items.iter().enumerate().map(|(depth, &item)| Thing {
            item,
            station,
            depth,
            holder: None,
            is_like_last,
        });
        things.extend(things_here);
    }
}
