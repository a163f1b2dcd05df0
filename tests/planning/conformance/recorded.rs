//! The published playbacks of levels 1 to 4, replayed tick by tick.

use std::fs;

use serde_json::Value;

use crate::conformance::kitchen::upstream;
use crate::conformance::playback::Playback;

/// Every recorded playback, with the name of its reference.
pub(crate) fn recordings() -> Option<Vec<(String, Playback)>> {
    let path = upstream()?.join("golden/rat_playback_L1-L4.json");
    let text = fs::read_to_string(path).unwrap();
    let entries: Vec<Value> = serde_json::from_str(&text).unwrap();
    let named = |entry: &Value| {
        let reference = entry["reference"].as_str().unwrap().to_owned();
        (reference, Playback::recorded(entry))
    };
    Some(entries.iter().map(named).collect())
}

#[test]
fn every_recorded_playback_is_replayed_under_upstream_semantics() {
    let Some(recordings) = recordings() else {
        return;
    };
    assert_eq!(recordings.len(), 25);
    for (_, playback) in recordings {
        playback.check("upstream");
    }
}
