//! The reward of whole episodes, of which plans are found by beams.

use brigade::ground::{self, ground};
use brigade::search::{Outcome, SearchOptions, Unlimited, solve, verify};

use super::kitchen::{model, problem};

#[test]
fn soups_are_delivered_one_after_another_to_the_end_of_an_episode() {
    let model = model(&problem("forced_coordination"), "old-dynamics");
    let task = ground(&model, &ground::Options::default()).unwrap();
    // Enough for the first blind search; after it the first beam runs to its end.
    let options = SearchOptions::default().with_max_states(40_000);
    let result = solve(&task, &options, &Unlimited);
    let Outcome::Bounded {
        upper: Some(plan), ..
    } = &result.outcome
    else {
        panic!("{:?}", result.outcome);
    };
    assert_eq!(verify(&task, plan), Ok(()));
    assert!(plan.value.cost >= 120, "{}", plan.value.cost);
}
