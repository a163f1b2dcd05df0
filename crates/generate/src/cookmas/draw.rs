//! Draws an evening: one dish, one order of several dishes, or several orders that change and are cancelled
//! while they are being made.

use std::fmt::Write as _;

use brigade_diagnostics::{Diagnostics, Sources};
use brigade_syntax::format::format;
use brigade_task::split_mix::SplitMix;

use super::book::{Cookbook, Menu};

/// The cooks, where they stand, and where they work.
const COOKS: &str = "
    (= (at ann) pantry) (= (at ben) pantry) (= (at cleo) pass)
    (= (kind-of grill1) grill) (= (kind-of pot1) pot) (= (kind-of pot2) pot)
    (= (kind-of fryer1) fryer) (= (kind-of oven1) oven)";

/// Where the boards and appliances are drawn, beside the pantry and the pass.
const PLACES: &str = "
    (cell board1 1 0) (cell board2 2 0)
    (cell grill1 0 1) (cell pot1 1 1) (cell pot2 2 1) (cell fryer1 3 1) (cell oven1 4 1)";

/// The columns and rows of these.
const COLUMNS: usize = 5;
const ROWS: usize = 2;

/// The first tick, after an order has come, at which it changes or is cancelled, and how many more there are.
const CHANGES: (u32, usize) = (3, 6);

/// The fewest ticks between two orders, and how many more there may be.
const GAPS: (u32, usize) = (4, 7);

/// A dish as it is ordered, and perhaps as it is changed.
struct Dish<'b> {
    menu: &'b Menu,
    custom: Custom,
    change: Option<(u32, Change<'b>)>,
}

/// A dish as a guest wants it.
#[derive(Clone)]
enum Custom {
    Usual,
    Without(String),
    Done(String),
}

/// A change of a guest's mind.
enum Change<'b> {
    Menu(&'b Menu),
    Custom(Custom),
}

struct Order<'b> {
    comes: u32,
    dishes: Vec<Dish<'b>>,
    cancelled: Option<u32>,
}

/// Draws a problem of a level: 1, one dish; 2, one order of several dishes; 3, several orders, of which some
/// change and one is cancelled. It ends after `horizon` ticks.
pub fn draw(book: &Cookbook, level: u8, seed: u64, horizon: u32) -> String {
    let mut random = SplitMix::new(seed, u64::from(level));
    let orders = match level {
        1 => vec![order(book, &mut random, 0, 1)],
        2 => {
            let dishes = 2 + random.below(3);
            vec![order(book, &mut random, 0, dishes)]
        }
        _ => evening(book, &mut random),
    };
    let text = written(&orders, level, seed, horizon);
    let source = Sources::new().add("cookmas.pddl", text.as_str());
    format(source, &text, &mut Diagnostics::new()).unwrap_or(text)
}

/// Three or four orders. One is cancelled, not the first, and two dishes of others are changed.
fn evening<'b>(book: &'b Cookbook, random: &mut SplitMix) -> Vec<Order<'b>> {
    let mut comes = 0;
    let mut orders = Vec::new();
    for _ in 0..3 + random.below(2) {
        let dishes = 1 + random.below(2);
        orders.push(order(book, random, comes, dishes));
        comes += GAPS.0 + random.below(GAPS.1) as u32;
    }
    let cancelled = 1 + random.below(orders.len() - 1);
    orders[cancelled].cancelled = Some(orders[cancelled].comes + later(random));
    let mut kept: Vec<usize> = (0..orders.len()).filter(|it| *it != cancelled).collect();
    random.shuffle(&mut kept);
    for order in kept.into_iter().take(2) {
        let tick = orders[order].comes + later(random);
        let dish = &mut orders[order].dishes[0];
        dish.change = Some((tick, change(book, random, dish)));
    }
    orders
}

fn later(random: &mut SplitMix) -> u32 {
    CHANGES.0 + random.below(CHANGES.1) as u32
}

fn order<'b>(book: &'b Cookbook, random: &mut SplitMix, comes: u32, dishes: usize) -> Order<'b> {
    let dishes = (0..dishes).map(|_| {
        let menu = one_of(&book.menus, random);
        Dish {
            menu,
            custom: match random.below(2) {
                0 => Custom::Usual,
                _ => custom(book, random, menu),
            },
            change: None,
        }
    });
    Order {
        comes,
        dishes: dishes.collect(),
        cancelled: None,
    }
}

/// Draws a custom that a guest may ask of a dish: its grilled part done otherwise, or something left out that is not
/// heated.
fn custom(book: &Cookbook, random: &mut SplitMix, menu: &Menu) -> Custom {
    if let Some(grilled) = menu.parts.iter().find(|part| part.is_grilled()) {
        let others = book.donenesses.iter();
        let others: Vec<_> = others.filter(|it| it.ticks != grilled.ticks).collect();
        return Custom::Done(one_of(&others, random).name.clone());
    }
    let raw: Vec<_> = menu.parts.iter().filter(|part| part.ticks.1 == 0).collect();
    if raw.is_empty() || menu.parts.len() < 2 {
        return Custom::Usual;
    }
    Custom::Without(one_of(&raw, random).food.clone())
}

/// Another custom where there was none, else another dish. A part that was left out may not occur in that.
fn change<'b>(book: &'b Cookbook, random: &mut SplitMix, dish: &Dish<'_>) -> Change<'b> {
    if matches!(dish.custom, Custom::Usual)
        && let custom @ (Custom::Without(_) | Custom::Done(_)) = custom(book, random, dish.menu)
    {
        return Change::Custom(custom);
    }
    let others = book.menus.iter().filter(|menu| match &dish.custom {
        Custom::Without(food) => menu.parts.iter().all(|part| part.food != *food),
        Custom::Usual | Custom::Done(_) => true,
    });
    let others: Vec<&Menu> = others.filter(|menu| menu.name != dish.menu.name).collect();
    let other = one_of(&others, random);
    Change::Menu(other)
}

fn one_of<'l, T>(list: &'l [T], random: &mut SplitMix) -> &'l T {
    &list[random.below(list.len())]
}

/// The problem, not yet formatted.
fn written(orders: &[Order<'_>], level: u8, seed: u64, horizon: u32) -> String {
    let mut numbers = 1..;
    let names = |kind: &str, count: usize| {
        let names = (1..=count).map(|number| format!("{kind}{number}"));
        names.collect::<Vec<_>>().join(" ")
    };
    let dishes = orders.iter().map(|order| order.dishes.len()).sum();
    let mut text = format!(
        "(define (problem cookmas-level-{level}-seed-{seed})\n  (:domain cookmas)\n  (:objects\n    \
         ann ben cleo - cook\n    board1 board2 - board\n    grill1 pot1 pot2 fryer1 oven1 - appliance\n    \
         {} - order\n    {} - dish)\n  (:init{COOKS}\n    (= (unserved) {dishes})",
        names("order", orders.len()),
        names("dish", dishes),
    );
    for (order, name) in orders.iter().zip(1..) {
        for (dish, number) in order.dishes.iter().zip(numbers.by_ref()) {
            let mut facts = vec![format!("(= (wants dish{number}) {})", dish.menu.name)];
            facts.extend(asked(number, &dish.custom));
            let _ = write!(text, "\n    (= (of dish{number}) order{name})");
            for fact in facts {
                let _ = write!(text, " {}", at(order.comes, &fact));
            }
            if let Some((tick, change)) = &dish.change {
                let fact = match change {
                    Change::Menu(menu) => Some(format!("(= (wants dish{number}) {})", menu.name)),
                    Change::Custom(custom) => asked(number, custom),
                };
                let _ = write!(text, "\n    {}", at(*tick, &fact.unwrap_or_default()));
            }
        }
        if let Some(tick) = order.cancelled {
            let _ = write!(
                text,
                "\n    {}",
                at(tick, &format!("(cancelled order{name})"))
            );
        }
    }
    text + &format!(
        ")\n  (:goal\n    (forall (?d - dish) (and (closed ?d) (not (amiss ?d))))\n    \
         :text \"Serve every dish as it is wanted.\")\n  (:horizon {horizon})\n  (:layout{PLACES}{}))\n",
        plates(dishes)
    )
}

/// The cells of the plates.
fn plates(dishes: usize) -> String {
    let cell = |dish: usize| {
        let (column, row) = (dish % COLUMNS, dish / COLUMNS + ROWS);
        let gap = if column == 0 { "\n    " } else { " " };
        format!("{gap}(cell dish{} {column} {row})", dish + 1)
    };
    (0..dishes).map(cell).collect()
}

/// A custom as a fact.
fn asked(dish: usize, custom: &Custom) -> Option<String> {
    match custom {
        Custom::Usual => None,
        Custom::Without(food) => Some(format!("(without dish{dish} {food})")),
        Custom::Done(doneness) => Some(format!("(= (doneness dish{dish}) {doneness})")),
    }
}

/// A fact that holds from a tick on.
fn at(tick: u32, fact: &str) -> String {
    match tick {
        0 => fact.to_owned(),
        tick => format!("(at {tick} :unannounced {fact})"),
    }
}
