//! Soups by what is in them, what each is worth, and how long it cooks.

use brigade_diagnostics::Code;
use brigade_diagnostics::span::Span;
use brigade_diagnostics::words::counted;

use super::literal::INFINITY;
use crate::fields::{Fields, Reporter};
use crate::json::{Json, Value};

/// The number of ingredients that a pot holds.
const MOST: usize = 3;

/// The longest time that a soup may cook: as far as the domain counts.
pub(super) const MAX_TIME: i64 = 120;

/// The number for an infinite bonus.
const MUCH: i64 = 1_000;

/// Numbers are in thousandths.
const ONE: i64 = 1_000;

/// The value of every soup, and its ticks of cooking, where the layout gives none.
const USUAL: i64 = 20;

/// A soup: its numbers of onions and tomatoes, one of nine combinations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Soup {
    pub(super) onions: usize,
    pub(super) tomatoes: usize,
}

impl Soup {
    /// All of them, or those that can be made.
    pub(super) fn all(has_onions: bool, has_tomatoes: bool) -> Vec<Self> {
        let most = |has: bool| if has { MOST } else { 0 };
        let mut soups = Vec::new();
        for onions in 0..=most(has_onions) {
            for tomatoes in 0..=most(has_tomatoes) {
                soups.push(Self { onions, tomatoes });
            }
        }
        soups.retain(|soup| (1..=MOST).contains(&soup.size()));
        soups.sort_by_key(|soup| (soup.size(), soup.tomatoes));
        soups
    }

    pub(super) const fn size(self) -> usize {
        self.onions + self.tomatoes
    }

    /// Returns true if a pot with it takes one more ingredient.
    pub(super) const fn has_room(self) -> bool {
        self.size() < MOST
    }

    /// Its name in the domain.
    pub(super) fn name(self) -> String {
        format!(
            "soup-{}{}",
            "o".repeat(self.onions),
            "t".repeat(self.tomatoes)
        )
    }

    /// Reads a list of ingredients by their names.
    pub(super) fn read(
        names: &[(String, Span)],
        span: Span,
        reporter: &mut Reporter<'_>,
    ) -> Option<Self> {
        let mut soup = Self {
            onions: 0,
            tomatoes: 0,
        };
        for (name, place) in names {
            match name.as_str() {
                "onion" => soup.onions += 1,
                "tomato" => soup.tomatoes += 1,
                _ => {
                    let message = format!("`{}` is no ingredient", name.escape_debug());
                    let fault = reporter.at(Code::BadLayoutValue, *place, message, "unknown");
                    reporter.push(fault.help("there are `onion` and `tomato`"));
                    return None;
                }
            }
        }
        if (1..=MOST).contains(&soup.size()) {
            return Some(soup);
        }
        let message = format!(
            "a soup has 1 to {MOST} ingredients, and not {}",
            soup.size()
        );
        let fault = reporter.at(Code::BadLayoutValue, span, message, "this one");
        reporter.push(fault.help("leave some out, or name one"));
        None
    }
}

/// The orders, and the values and times of soups that the layout gives.
#[derive(Clone, Debug, Default)]
pub(super) struct Recipes {
    /// The soups that are ordered; empty: all.
    pub(super) orders: Vec<Soup>,
    /// The soups that are worth more.
    pub(super) bonus: Vec<Soup>,
    /// The factor, in thousandths.
    factor: i64,
    values: Measure,
    times: Measure,
    /// Where the times are given.
    times_at: Option<Span>,
}

/// Values or times of soups, in thousandths.
#[derive(Clone, Debug, Default)]
struct Measure {
    /// The same for all.
    all: Option<i64>,
    /// For some.
    of: Vec<(Soup, i64)>,
    /// For each onion and each tomato.
    each: Option<(i64, i64)>,
}

impl Measure {
    fn of(&self, soup: Soup) -> i64 {
        let listed = self.of.iter().rev().find(|(known, _)| *known == soup);
        let each = |(onion, tomato): (i64, i64)| {
            onion * soup.onions as i64 + tomato * soup.tomatoes as i64
        };
        let said = self.all.or(listed.map(|(_, value)| *value));
        said.or(self.each.map(each)).unwrap_or(USUAL * ONE)
    }
}

impl Recipes {
    /// The reward for the delivery of a soup, in thousandths.
    pub(super) fn worth(&self, soup: Soup) -> i64 {
        if !self.orders.is_empty() && !self.orders.contains(&soup) {
            return 0;
        }
        let value = self.values.of(soup);
        if self.bonus.contains(&soup) {
            return value * self.factor / ONE;
        }
        value
    }

    /// The ticks that a soup cooks.
    pub(super) fn time(&self, soup: Soup) -> i64 {
        self.times.of(soup) / ONE
    }

    /// Reads what a layout says about them.
    pub(super) fn read(fields: &Fields<'_>, reporter: &mut Reporter<'_>) -> Self {
        let mut listed = Vec::new();
        if let Some(json) = said(fields, "start_all_orders") {
            listed = orders(json, reporter);
        }
        let bonus = said(fields, "start_bonus_orders");
        let bonus = bonus.map_or_else(Vec::new, |json| orders(json, reporter));
        let factor = said(fields, "order_bonus");
        let factor = factor.and_then(|json| bonus_factor(json, reporter));
        let values = Measure {
            all: number(fields, "delivery_reward", reporter),
            of: parallel(fields, "recipe_values", &listed, reporter),
            each: both(fields, ["onion_value", "tomato_value"], reporter),
        };
        let times = Measure {
            all: number(fields, "cook_time", reporter),
            of: parallel(fields, "recipe_times", &listed, reporter),
            each: both(fields, ["onion_time", "tomato_time"], reporter),
        };
        Self {
            orders: listed.into_iter().flatten().collect(),
            bonus: bonus.into_iter().flatten().collect(),
            factor: factor.unwrap_or(2 * ONE),
            values,
            times,
            times_at: ["cook_time", "recipe_times", "onion_time"]
                .into_iter()
                .find_map(|key| Some(said(fields, key)?.span)),
        }
    }

    /// Each soup is done within the time that the domain counts; `grid` is where to report else.
    pub(super) fn check(&self, soups: &[Soup], grid: Span, reporter: &mut Reporter<'_>) {
        let span = self.times_at.unwrap_or(grid);
        for &soup in soups {
            let time = self.times.of(soup);
            if time % ONE != 0 || !(1..=MAX_TIME).contains(&(time / ONE)) {
                let ticks = time as f64 / ONE as f64;
                let message = format!("`{}` would cook for {ticks} ticks", soup.name());
                let fault = reporter.at(Code::BadLayoutValue, span, message, "out of range");
                let help = format!("give a time that is a whole number from 1 to {MAX_TIME}");
                reporter.push(fault.help(help));
                return;
            }
        }
    }
}

/// The value of a key that is there and not `None`.
pub(super) fn said<'j>(fields: &Fields<'j>, key: &'static str) -> Option<&'j Json> {
    let json = fields.optional(key);
    json.filter(|json| json.value != Value::Null)
}

/// Reads a list of orders. One that is malformed keeps its place.
pub(super) fn orders(json: &Json, reporter: &mut Reporter<'_>) -> Vec<Option<Soup>> {
    let items = reporter.list(json, "a list of orders").iter();
    items.map(|item| order(item, reporter)).collect()
}

fn order(json: &Json, reporter: &mut Reporter<'_>) -> Option<Soup> {
    let fields = reporter.fields(json, "an order")?;
    let list = fields.required(reporter, "ingredients")?;
    let items = reporter.list(list, "the ingredients of an order").iter();
    let names: Vec<(String, Span)> = items
        .filter_map(|item| reporter.text(item, "an ingredient"))
        .map(|name| (name.text, name.span))
        .collect();
    let soup = Soup::read(&names, list.span, reporter);
    fields.finish(reporter, &[]);
    soup
}

/// A number of a layout, in thousandths; 0 says nothing, as in the published engine.
fn number(fields: &Fields<'_>, key: &'static str, reporter: &mut Reporter<'_>) -> Option<i64> {
    let json = said(fields, key)?;
    thousandths(json, key, reporter).filter(|&number| number != 0)
}

/// Two numbers of which each counts only beside the other.
fn both(
    fields: &Fields<'_>,
    keys: [&'static str; 2],
    reporter: &mut Reporter<'_>,
) -> Option<(i64, i64)> {
    let [onion, tomato] = keys.map(|key| number(fields, key, reporter));
    onion.zip(tomato)
}

/// A list of numbers, one for each order.
fn parallel(
    fields: &Fields<'_>,
    key: &'static str,
    orders: &[Option<Soup>],
    reporter: &mut Reporter<'_>,
) -> Vec<(Soup, i64)> {
    let Some(json) = said(fields, key) else {
        return Vec::new();
    };
    let items = reporter.list(json, key);
    if items.len() != orders.len() {
        let (has, needed) = (
            counted(items.len(), "number"),
            counted(orders.len(), "order"),
        );
        let message = format!("`{key}` has {has} for {needed}");
        let fault = reporter.at(Code::BadLayoutValue, json.span, message, "");
        reporter.push(fault.help("give one for each of `start_all_orders`, in their order"));
        return Vec::new();
    }
    let pairs = orders.iter().zip(items);
    pairs
        .filter_map(|(order, item)| order.zip(thousandths(item, key, reporter)))
        .collect()
}

fn bonus_factor(json: &Json, reporter: &mut Reporter<'_>) -> Option<i64> {
    let (Value::Number(text) | Value::Text(text)) = &json.value else {
        return thousandths(json, "order_bonus", reporter);
    };
    if text != INFINITY {
        return thousandths(json, "order_bonus", reporter);
    }
    let message = "an infinite bonus cannot be counted";
    let fault = reporter.at(Code::InfiniteBonus, json.span, message, "infinite");
    reporter.push(fault.help(format!(
        "{MUCH} is taken in its place; give the factor that is meant"
    )));
    Some(MUCH * ONE)
}

/// A number that is not negative and has at most three digits after the point.
fn thousandths(json: &Json, what: &str, reporter: &mut Reporter<'_>) -> Option<i64> {
    const LARGEST: f64 = 1e6;
    let number = match &json.value {
        Value::Number(text) => text.parse::<f64>().ok(),
        _ => None,
    };
    let scaled = number.filter(|number| (0.0..=LARGEST).contains(number));
    let scaled = scaled.map(|number| number * ONE as f64);
    let whole = scaled.filter(|scaled| (scaled - scaled.round()).abs() < 1e-6);
    if whole.is_none() {
        let message = format!("`{what}` must be a number from 0 to {LARGEST}");
        let label = format!("this is {}", json.value.sort());
        let fault = reporter.at(Code::WrongJsonValue, json.span, message, label);
        reporter.push(fault.help("give one with at most three digits after the point"));
    }
    whole.map(|scaled| scaled.round() as i64)
}
