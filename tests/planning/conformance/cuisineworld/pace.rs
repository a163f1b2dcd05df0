//! The rate of orders and their patience, computed from the recipes of the bundled levels.

use brigade::generate::orders::Kitchen as Orders;

use super::kitchen::model;
use super::published::Facts;

#[test]
fn intervals_and_lifetimes_of_every_level_are_the_published_ones() {
    let Some(facts) = Facts::read() else {
        return;
    };
    let mut compared = 0;
    for level in &facts.levels {
        let orders = Orders::of(&model(level.number, None, "upstream")).unwrap();
        for (dish, cost) in orders.dishes() {
            assert_eq!(facts.costs[dish], *cost, "{dish}");
        }
        for schedule in &level.schedule {
            let pace = orders.pace(schedule.alpha).unwrap();
            assert_eq!(pace.interval, schedule.tau);
            for ((dish, _), lifetime) in orders.dishes().iter().zip(&pace.lifetimes) {
                assert_eq!(schedule.lifetime[dish], *lifetime, "{dish}");
                compared += 1;
            }
        }
    }
    assert_eq!(
        compared,
        5 * facts.levels.iter().map(|it| it.dishes.len()).sum::<usize>()
    );
}

#[test]
fn the_same_seed_draws_the_same_orders_and_another_one_others() {
    use brigade::generate::orders::{Draws, Wanted};
    let orders = Orders::of(&model(3, None, "clean")).unwrap();
    let draw = |seed, episode| {
        let wanted = Wanted {
            unannounced: false,
            alpha: 1.0,
            seed,
            episode,
            cooks: 3,
            draws: Draws::Own,
        };
        orders.stream(&wanted).unwrap()
    };
    // But for the first lines, which name seed and episode.
    let facts = |text: String| text.split_once("(:init").unwrap().1.to_owned();
    assert_eq!(draw(7, 0), draw(7, 0));
    assert_ne!(facts(draw(7, 0)), facts(draw(8, 0)));
    assert_ne!(facts(draw(7, 0)), facts(draw(7, 1)));
    assert!(draw(7, 0).contains("agent1 agent2 - cook"));
}
