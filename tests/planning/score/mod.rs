//! Scores: the published rule against recorded episodes, and each option on small ones.

mod bad_input;
mod recorded;
mod rules;

use std::fs;
use std::path::Path;

use brigade::score::actions::Utensil;
use brigade::score::episode_log::parse_episodes;
use brigade::score::{
    ActionSpace, EpisodeScore, Kitchen, Options, RecordedEpisode, ReferenceSet, TaskContext,
    score_episode,
};

const TOLERANCE: f64 = 1e-9;

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Copies of the own fixtures, as they are read in every test below.
struct Small {
    episodes: Vec<RecordedEpisode>,
    references: ReferenceSet,
    space: ActionSpace,
}

impl Small {
    fn new() -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/score");
        let utensil = |name: &str, operation: &str| Utensil {
            name: name.to_owned(),
            operation: operation.to_owned(),
        };
        Self {
            episodes: parse_episodes(&read(&folder.join("episodes.jsonl"))).unwrap(),
            references: ReferenceSet::parse(&read(&folder.join("references/boiled_egg.json")))
                .unwrap(),
            space: ActionSpace::published(&Kitchen {
                ingredients: vec!["egg".to_owned()],
                products: vec!["boiled_egg".to_owned()],
                chef_utensils: vec![utensil("pot", "cook"), utensil("oven", "bake")],
                assistant_utensils: vec![utensil("chopping_board", "cut")],
            }),
        }
    }

    /// Everything that any rule asks for: T = 15 and two required actions of the Assistant.
    fn task(&self) -> TaskContext<'_> {
        TaskContext {
            action_space: Some(&self.space),
            reference_time: Some(15),
            required_actions: Some(&[0, 2]),
            ..TaskContext::new(&self.references)
        }
    }

    fn score(&self, options: &Options) -> Vec<EpisodeScore> {
        let task = self.task();
        self.episodes
            .iter()
            .map(|episode| score_episode(episode, &task, options).unwrap())
            .collect()
    }
}

fn snapshot(name: &str, value: &impl serde::Serialize) {
    insta::with_settings!({
        snapshot_path => concat!(env!("CARGO_MANIFEST_DIR"), "/snapshots/score"),
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, {
        insta::assert_json_snapshot!(name, value);
    });
}
