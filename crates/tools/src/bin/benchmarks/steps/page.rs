//! The section of the page on steps a second.

use super::record::{Line, Peer, Played, Setting};
use crate::text::{Table, digits, factor, millions};

/// Renders the section; nothing as long as nothing was measured.
pub(crate) fn section(lines: &[Line]) -> String {
    let mut table = Table::new([
        "problem",
        "agents",
        "operators",
        "bits",
        "legal",
        "M steps/s",
        "published engine, steps/s",
        "ratio",
    ]);
    let mut setting = String::new();
    for (at, line) in lines.iter().enumerate() {
        match line {
            Line::Setting(found) => setting = measured(found),
            Line::Played(played) => {
                let peer = match lines.get(at + 1) {
                    Some(Line::Peer(peer)) => Some(peer),
                    _ => None,
                };
                table.row(row(played, peer));
            }
            Line::Peer(_) => {}
        }
    }
    if setting.is_empty() {
        return String::new();
    }
    format!(
        "## Steps a second\n\nRandom legal play of a problem of each bundled system, in one thread: the legal actions of each \
         agent are found and one is taken, of an agent of nature one is drawn, the step is made, and it is tested whether the \
         episode is over. It begins anew at the end, and after 400 steps. A step is one of all agents, or of the one whose turn \
         it is; *legal* are the actions that are found in one. The tasks are compiled with all that can be done in them. Seconds \
         are CPU time, without reading and grounding.\n\n{}\nThe published engine is stepped likewise in the same run, by a \
         script in Python; –: no package of a registry has it, or it was not there. {setting}\n\n",
        table.render()
    )
}

fn row(played: &Played, peer: Option<&Peer>) -> Vec<String> {
    let speed = |steps: u64, seconds: f64| steps as f64 / seconds;
    let ours = speed(played.steps, played.seconds);
    let theirs = peer.map(|peer| speed(peer.steps, peer.seconds));
    let shown = |text: Option<String>| text.unwrap_or_else(|| "–".to_owned());
    vec![
        format!("`{}/{}`", played.system, played.problem),
        played.agents.to_string(),
        digits(played.operators as u64),
        played.bits.to_string(),
        format!("{:.1}", played.legal as f64 / played.steps as f64),
        millions(ours),
        shown(theirs.map(|theirs| digits(theirs.round() as u64))),
        shown(theirs.map(|theirs| factor(ours / theirs))),
    ]
}

fn measured(setting: &Setting) -> String {
    let Setting {
        processor,
        cores,
        system,
        rustc,
        commit,
        peers,
        repetitions,
        load: [start, end],
    } = setting;
    let peers = match peers.as_slice() {
        [] => "**No published engine was there.**".to_owned(),
        versions => format!("Published engines: {}.", versions.join(", ")),
    };
    format!(
        "Measured at commit `{commit}`, with {rustc}, on {processor}, {cores} cores, {system}; load {start} at the start and \
         {end} at the end; the best of {repetitions} runs. {peers}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_has_its_published_engine_beside_it() {
        let played = |problem: &str| Played {
            system: "game".to_owned(),
            problem: problem.to_owned(),
            agents: 2,
            operators: 1234,
            bits: 80,
            legal: 750,
            episodes: 1,
            steps: 100,
            seconds: 0.0001,
        };
        let peer = Peer {
            system: "game".to_owned(),
            problem: "one".to_owned(),
            steps: 10,
            seconds: 0.001,
        };
        let setting = Setting {
            processor: "P".to_owned(),
            cores: 2,
            system: "S".to_owned(),
            rustc: "R".to_owned(),
            commit: "C".to_owned(),
            peers: vec!["game-1.0".to_owned()],
            repetitions: 3,
            load: [0.0, 1.0],
        };
        let lines = [
            Line::Setting(setting),
            Line::Played(played("one")),
            Line::Peer(peer),
            Line::Played(played("two")),
        ];
        let text = section(&lines);
        let rows: Vec<&str> = text
            .lines()
            .filter(|line| line.starts_with("| `"))
            .collect();
        let expected = [
            "| `game/one` | 2 | 1 234 | 80 | 7.5 | 1.00 | 10 000 | 100 |",
            "| `game/two` | 2 | 1 234 | 80 | 7.5 | 1.00 | – | – |",
        ];
        assert_eq!(rows, expected);
        assert_eq!(section(&[]), "");
    }
}
