//! The numbers that Robotouille publishes of its tasks for one player.

use super::case::Subject;

/// `optimal_steps` of the published experiments, by task: written by hand, for the task without a seed.
/// The published evaluation allows one and a half times as many steps, with every seed.
pub const PUBLISHED: [(&str, u32); 20] = [
    ("synchronous/0_cheese_sandwich", 10),
    ("synchronous/1_lettuce_sandwich", 14),
    ("synchronous/2_lettuce_tomato_sandwich", 24),
    ("synchronous/3_burger", 10),
    ("synchronous/4_cheeseburger", 15),
    ("synchronous/5_double_cheeseburger", 23),
    ("synchronous/6_lettuce_tomato_cheeseburger", 36),
    ("synchronous/7_two_lettuce_chicken_sandwich", 44),
    ("synchronous/8_two_lettuce_tomato_burger", 63),
    (
        "synchronous/9_onion_cheese_burger_and_lettuce_tomato_chicken_sandwich",
        57,
    ),
    ("asynchronous/0_cheese_chicken_sandwich", 21),
    ("asynchronous/1_lettuce_chicken_sandwich", 27),
    ("asynchronous/2_lettuce_tomato_fried_chicken_sandwich", 37),
    ("asynchronous/3_tomato_burger_and_fries", 42),
    ("asynchronous/4_onion_cheese_burger_and_fried_onion", 46),
    ("asynchronous/5_potato_soup", 19),
    ("asynchronous/6_onion_soup", 42),
    (
        "asynchronous/7_tomato_soup_and_lettuce_chicken_sandwich",
        46,
    ),
    (
        "asynchronous/8_onion_tomato_soup_and_two_chicken_sandwich",
        68,
    ),
    (
        "asynchronous/9_onion_potato_soup_and_fried_onion_ring_lettuce_burger_and_onion_cheese_sandwich",
        82,
    ),
];

/// Returns the published steps of a task, or of the task that an instance is of. `None` for several players.
pub fn published(subject: &Subject) -> Option<u32> {
    let name = subject.published_name();
    let found = PUBLISHED.iter().find(|(task, _)| *task == name);
    found.map(|(_, steps)| *steps)
}
