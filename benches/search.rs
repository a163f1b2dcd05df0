//! States per second and bytes per state of blind search, on the sliding-tile puzzle of 3 by 4 cells
//! (twelve variables of twelve values: one word) and on agents that move and work at once.

#[path = "../tests/planning/oracle/builder.rs"]
#[expect(dead_code, reason = "the tests use the rest")]
mod builder;

use brigade::search::{HeuristicChoice, SearchOptions, Unlimited, solve};
use brigade::task::cond::Cond;
use brigade::task::effect::Effect;
use brigade::task::{PackedTask, TurnMode};
use builder::{Builder, gripper};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const ROWS: usize = 3;
const COLUMNS: usize = 4;
const CELLS: usize = ROWS * COLUMNS;

/// Variable 0 is the place of the gap, variable n that of tile n; one operator for each tile and
/// pair of neighbouring cells.
fn puzzle() -> PackedTask {
    let mut built = Builder::new(&[CELLS as u32; CELLS], 1, TurnMode::Sequential);
    for tile in 1..CELLS {
        for from in 0..CELLS {
            let (row, column) = (from / COLUMNS, from % COLUMNS);
            let neighbours = [
                (row > 0).then(|| from - COLUMNS),
                (row + 1 < ROWS).then(|| from + COLUMNS),
                (column > 0).then(|| from - 1),
                (column + 1 < COLUMNS).then(|| from + 1),
            ];
            for to in neighbours.into_iter().flatten() {
                let effects = [built.set(0, from as u32), built.set(tile, to as u32)];
                let facts = [(0, to as u32), (tile, from as u32)];
                let effect = Effect::Block {
                    effects: effects.into(),
                    snapshot: false,
                };
                built.operator(0, "slide", &facts, Cond::True, effect);
            }
        }
    }
    for place in 0..CELLS {
        built.task.variables[place].set(&mut built.task.initial, place as u32);
    }
    // All reversed: further than any bench explores.
    let reversed = (0..CELLS).map(|place| (place, (CELLS - 1 - place) as u32));
    built.task.goal = Some(built.all(&reversed.collect::<Vec<_>>()));
    built.done()
}

/// Three agents walk on a ring of eight places and each turn three switches there, which fall back
/// four ticks later; the goal is never reached.
fn ring(turns: TurnMode) -> PackedTask {
    const AGENTS: usize = 3;
    const PLACES: u32 = 8;
    let mut sizes = vec![PLACES; AGENTS];
    sizes.extend([5; 6]);
    sizes.push(2);
    let mut built = Builder::new(&sizes, AGENTS, turns);
    for switch in AGENTS..AGENTS + 6 {
        built.timer(switch, Effect::Nothing);
    }
    for agent in 0..AGENTS {
        for place in 0..PLACES {
            for next in [(place + 1) % PLACES, (place + PLACES - 1) % PLACES] {
                let walk = built.set(agent, next);
                built.operator(agent, "walk", &[(agent, place)], Cond::True, walk);
            }
        }
        for switch in 0..6 {
            let timer = AGENTS + switch;
            let facts = [(agent, switch as u32), (timer, 0)];
            let start = built.set(timer, 4);
            built.operator(agent, "turn", &facts, Cond::True, start);
        }
        built.wait(agent);
    }
    built.task.goal = Some(built.all(&[(AGENTS + 6, 1)]));
    built.done()
}

#[expect(
    clippy::print_stderr,
    reason = "the figures that criterion does not print"
)]
fn bench(criterion: &mut Criterion, name: &str, task: &PackedTask, states: u64) {
    let options = SearchOptions::default()
        .with_max_states(states)
        .with_heuristic(HeuristicChoice::Blind);
    let result = solve(task, &options, &Unlimited);
    let statistics = result.statistics;
    eprintln!(
        "{name}: {} states, {} expanded, {} generated, {:.1} bytes/state",
        statistics.states, statistics.expanded, statistics.generated, statistics.bytes_per_state
    );
    let mut group = criterion.benchmark_group("blind");
    group.sample_size(10);
    group.throughput(Throughput::Elements(statistics.expanded));
    group.bench_function(name, |bencher| {
        bencher.iter(|| solve(task, &options, &Unlimited));
    });
    group.finish();
}

fn blind(criterion: &mut Criterion) {
    bench(criterion, "11-puzzle", &puzzle(), 1_000_000);
    bench(
        criterion,
        "ring-sequential",
        &ring(TurnMode::Sequential),
        1_000_000,
    );
    bench(
        criterion,
        "ring-simultaneous",
        &ring(TurnMode::Simultaneous),
        300_000,
    );
}

/// All optimal plans of gripper with 8 and 12 balls: the search, the backward sweep and the count.
#[expect(
    clippy::print_stderr,
    reason = "the figures that criterion does not print"
)]
fn all_plans(criterion: &mut Criterion) {
    let options = SearchOptions::default().with_all_plans(true);
    let mut group = criterion.benchmark_group("all-plans");
    group.sample_size(10);
    for balls in [8, 12] {
        let task = gripper(balls);
        let count = || {
            let result = solve(&task, &options, &Unlimited);
            let plans = result.dag.map(|dag| dag.count());
            (plans, result.statistics)
        };
        let (plans, statistics) = count();
        eprintln!("gripper-{balls}: {plans:?} plans, {statistics:?}");
        group.bench_function(format!("gripper-{balls}"), |bencher| bencher.iter(count));
    }
    group.finish();
}

criterion_group!(benches, blind, all_plans);
criterion_main!(benches);
