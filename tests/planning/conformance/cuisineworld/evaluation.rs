//! The evaluation that comes along, `evals/cuisineworld.toml`, with its streams: those of the published engine's
//! draws, for the 12 levels of the paper, 5 intervals, 2 to 4 cooks and 3 episodes.
//!
//! `BRIGADE_WRITE_FIXTURES` writes them anew.

use std::fs;
use std::path::PathBuf;

use super::kitchen::stream;
use super::published::draws;
use crate::conformance::kitchen::root;

/// The level that the paper leaves out.
const LEFT_OUT: u32 = 6;

const ALPHAS: [f64; 5] = [1.0, 1.5, 2.0, 2.5, 3.0];

const HEAD: &str = r#"# CuisineWorld on the published streams of orders: 12 levels, 5 intervals, 2 to 4 cooks, 3 episodes, as in the
# paper; no order is known before it comes. Written by `tests/planning/conformance/cuisineworld/evaluation.rs`; the
# figures: docs/results/baselines.md.
#
#     brigade bench evals/cuisineworld.toml --log-dir cuisineworld --metric-states 0

seeds = [0]

# The published score of a level is the mean of this over intervals; a table has the mean over everything.
[[columns]]
name = "CoS"
of = "completed / (completed + failed)"

[[columns]]
name = "completed"
of = "completed / episodes"

[[columns]]
name = "failed"
of = "failed / episodes"

[[setups]]
name = "orders"
agents = "exec:python3 followers/cuisineworld.py"

[[setups]]
name = "planner"
agents = "planner:states=200000,window=12"

[[setups]]
name = "greedy"
agents = "greedy"

[[setups]]
name = "random"
agents = "random"
"#;

/// Compares a file of the evaluation, or writes it.
fn hold(path: &str, text: &str) {
    let path: PathBuf = root().join("evals").join(path);
    if std::env::var_os("BRIGADE_WRITE_FIXTURES").is_some() {
        fs::write(&path, text).unwrap();
    }
    let found = fs::read_to_string(&path).unwrap();
    assert_eq!(found, text, "{}", path.display());
}

/// More cooks for any level.
fn cooks(count: u32) -> String {
    let names: Vec<String> = (1..count).map(|cook| format!("agent{cook}")).collect();
    let places = names
        .iter()
        .map(|name| format!("(= (at {name}) servingtable0)"));
    format!(
        "; {count} cooks: those beside the one of every level.\n(define (stream cooks-{count})\n  \
         (:domain cuisineworld)\n  (:objects {} - cook)\n  (:init {}))\n",
        names.join(" "),
        places.collect::<Vec<_>>().join(" ")
    )
}

fn name(alpha: f64) -> String {
    format!("alpha-{}", alpha.to_string().replace('.', "_"))
}

#[test]
fn the_evaluation_has_the_published_streams_of_every_level_interval_and_episode() {
    let Some(draws) = draws() else {
        return;
    };
    let levels = || (0..13).filter(|level| *level != LEFT_OUT);
    for count in 2..=4 {
        hold(&format!("cuisineworld/cooks-{count}.pddl"), &cooks(count));
    }
    let mut bench = HEAD.to_owned();
    for level in levels() {
        for alpha in ALPHAS {
            for episode in 0..3 {
                let stream = stream(level, draws.clone(), (alpha, 1, episode), true);
                let file = format!("level-{level}-{}-episode-{episode}", name(alpha));
                hold(&format!("cuisineworld/{file}.pddl"), &stream);
            }
        }
        for count in 2..=4 {
            for alpha in ALPHAS.map(name) {
                for episode in 0..3 {
                    bench += &format!(
                        "\n[[problems]]\nname = \"level-{level}-cooks-{count}-{alpha}-episode-{episode}\"\n\
                         group = \"level-{level}-cooks-{count}-{alpha}\"\n\
                         path = \"../problems/cuisineworld/level-{level}.pddl\"\n\
                         init = [\"cuisineworld/level-{level}-{alpha}-episode-{episode}.pddl\", \
                         \"cuisineworld/cooks-{count}.pddl\"]\nsemantics = \"upstream\"\n"
                    );
                }
            }
        }
    }
    hold("cuisineworld.toml", &bench);
}
