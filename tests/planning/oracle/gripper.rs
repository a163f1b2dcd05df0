//! The gripper domain of the first International Planning Competition (1998), whose numbers of
//! optimal plans are known from `SymK` and K*, and those of its DAG from an independent program.

use brigade::search::{SearchOptions, Unlimited, solve};
use num_bigint::BigUint;

use crate::oracle::builder::gripper;

#[test]
fn gripper_has_the_published_number_of_optimal_plans() {
    for (balls, makespan, plans, nodes, edges) in [
        (4, 11, 384_u64, 126, 190),
        (6, 17, 46_080, 926, 1614),
        (8, 23, 10_321_920, 5886, 11_134),
        (10, 29, 3_715_891_200, 34_302, 68_350),
    ] {
        let options = SearchOptions::default().with_all_plans(true);
        let result = solve(&gripper(balls), &options, &Unlimited);
        assert_eq!(result.outcome.plan().unwrap().value.makespan, makespan);
        let dag = result.dag.unwrap();
        assert_eq!(dag.count(), BigUint::from(plans));
        assert_eq!((dag.nodes.len(), dag.edges.len()), (nodes, edges));
    }
}
