//! Any bytes as what is recorded: event logs, episode logs, references, cassettes, snapshots, results.

#![no_main]

use brigade::agents::llm::cassette::Recording;
use brigade::episode::Log;
use brigade::rats::collab;
use brigade_tools::optima::Optima;
use brigade::report::snapshot::Snapshot;
use brigade_tools::survey::Survey;
use brigade::score::episode_log::parse_episodes;
use brigade::score::{RecordedEpisode, ReferenceSet};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = Recording::read(bytes);
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let _ = Log::parse(text);
    let _ = RecordedEpisode::parse(text);
    let _ = parse_episodes(text);
    let _ = ReferenceSet::parse(text);
    let _ = collab::parse(text);
    let _ = Optima::parse(text);
    let _ = Optima::recover(text);
    let _ = Survey::parse(text);
    let _ = Survey::recover(text);
    if let Ok(snapshot) = Snapshot::parse(text) {
        assert_eq!(Snapshot::parse(&snapshot.to_string()), Ok(snapshot));
    }
});
