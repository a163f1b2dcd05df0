//! The page of figures, in Markdown.

use crate::data::{Data, Ratios};
use crate::record::{Line, Setting};
use crate::sections::{blind, competition, grounding, growth, plans, states, threads};
use crate::steps;
use crate::text::{Table, wrapped};

const HEAD: &str = "\
# Benchmarks

Brigade measured, and Fast Downward beside it in the same run. This page is made from
[benchmarks.jsonl](benchmarks.jsonl) and, for steps a second, from
[steps.jsonl](steps.jsonl); a test compares page and data.

";

const METHOD: &str = "\
## Method

- Times are CPU seconds of a whole process (all threads, user and system), unless something else is said;
  so other work on the machine adds less to them than to times by the clock. Memory is the greatest resident
  size.
- On each instance the tools run one after the other, several times in turn, one process at a time; of each
  tool the run that took least time counts. A ratio compares figures of one run of this benchmark.
- Fast Downward is the one of the Python package `up-fast-downward`. Its time is that of its translator and
  its search, two processes, without the driver; the translator's includes the start of Python.
- Brigade's optimum is the cheapest plan, and of those the shortest. Where actions are free, the published
  number counts plans of any length: it may be greater, and is not comparable.
- *limit*: time or memory ran out. *not supported*: Fast Downward's LM-cut knows no conditional effects and
  no axioms. –: not run, or not known.

";

const AGAIN: &str = "\
## How to make it again

```console
$ python3 -m venv VENV
$ VENV/bin/pip install up-fast-downward
$ cargo build --release --bin brigade && cargo build --release -p brigade-tools
$ BRIGADE_UPSTREAM=UPSTREAM target/release/benchmarks run --fast-downward VENV
```

The last command measures all, and writes data and page. `UPSTREAM` is a folder with the competition's files
in `ipc`, and a table `ipc/baseline.tsv` of what is published of them; they are not part of this repository.
Without `UPSTREAM` or without `VENV` the rest is measured. `--only grounding`, `--instance gripper` and
`--repetitions 2` measure less, into `target/benchmarks`; `--help` lists the options. By hand:

```console
$ target/release/benchmarks generate gripper-8 .
$ brigade plan --format json gripper-8.pddl
$ VENV/bin/python -m fast_downward.translate gripper-8-domain.pddl gripper-8.pddl --sas-file gripper-8.sas
$ downward --search 'astar(lmcut())' < gripper-8.sas
```

where `downward` is `up_fast_downward/downward/builds/release/bin/downward` in the packages of `VENV`.

Steps a second are measured by themselves, in two minutes; without `--peers` Brigade alone:

```console
$ python3 -m venv PEERS
$ PEERS/bin/pip install hanabi-learning-environment overcooked-ai scipy 'numpy<2'
$ target/release/benchmarks steps --peers PEERS
```

## Smaller measurements

`cargo bench` measures with criterion, in one process and without files: `--bench frontend` reading (bytes a
second), grounding of the bundled kitchen and random play (steps a second); `--bench search` blind search of
the 11-puzzle and of agents on a ring who act in turn and at once (states a second, bytes a state), and all
optimal plans of gripper; `--bench robotouille` random play in [its kitchens](../reference/systems/robotouille.md#speed). Memory of a
state is there what the search has asked for, here what the process has. `--bench hostile` measures `brigade check`
in processes of its own, on over a thousand kinds of odd files of 10 MB: seconds, and bytes of peak memory a byte of
the file.
";

/// Renders the page of all data, those of steps apart.
pub(crate) fn page(lines: &[Line], played: &[steps::record::Line]) -> String {
    let data = Data::new(lines);
    let mut summary = Vec::new();
    let mut sections = String::new();
    for section in [competition, blind, grounding] {
        sections.push_str(&section(&data, &mut summary));
    }
    sections.push_str(&plans(&data));
    sections.push_str(&growth(&data));
    sections.push_str(&threads(&data));
    sections.push_str(&states(&data));
    sections.push_str(&steps::page::section(played));
    let columns = [
        "Fast Downward : Brigade",
        "instances",
        "median",
        "least",
        "at",
        "greatest",
    ];
    let mut table = Table::new(columns);
    for row in summary.into_iter().filter_map(Ratios::row) {
        table.row(row);
    }
    let summary = table.render();
    let summary = format!(
        "## In short\n\nHow many times as much Fast Downward takes; of speed, how many times as fast \
         Brigade is. Below 1, Brigade is the worse one.\n\n{summary}"
    );
    let [summary, setting, sections] =
        [summary, setting(&data), sections].map(|text| wrapped(&text));
    format!("{HEAD}{summary}\n{METHOD}{setting}\n{sections}\n{AGAIN}")
}

fn setting(data: &Data) -> String {
    let Some(setting) = data.setting else {
        return String::new();
    };
    let Setting {
        processor,
        cores,
        memory_kib,
        system,
        rustc,
        commit,
        load: [start, end],
        ..
    } = setting;
    let peer = match setting.fast_downward.as_slice() {
        [] => "**Fast Downward was not there: Brigade was measured alone.**".to_owned(),
        versions => format!("Fast Downward: {}.", versions.join(", ")),
    };
    let competition = if setting.competition {
        ""
    } else {
        " **The competition's instances were not there.**"
    };
    let gib = |bytes: u64| bytes >> 30;
    format!(
        "Measured at commit `{commit}`, with {rustc}, on {processor}, {cores} cores, {} GiB, {system}; load \
         {start} at\nthe start and {end} at the end. {peer}{competition} Up to {} runs of each tool on an \
         instance, fewer once\nthey took {} s together; limits of a run: {} s of CPU time, {} GiB of address \
         space.\n",
        gib(memory_kib * 1024),
        setting.repetitions,
        setting.enough,
        setting.seconds,
        gib(setting.bytes),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{parse, render};

    const DATA: &str = include_str!("../../../../../docs/results/benchmarks.jsonl");
    const STEPS: &str = include_str!("../../../../../docs/results/steps.jsonl");
    const PAGE: &str = include_str!("../../../../../docs/results/benchmarks.md");

    #[test]
    fn the_page_is_made_of_the_data() -> Result<(), Box<dyn std::error::Error>> {
        let (lines, played) = (parse(DATA)?, parse(STEPS)?);
        assert!(
            page(&lines, &played) == PAGE,
            "docs/results/benchmarks.md is stale: cargo run --release -p brigade-tools --bin benchmarks -- render"
        );
        Ok(())
    }

    #[test]
    fn the_data_are_in_their_canonical_form() -> Result<(), Box<dyn std::error::Error>> {
        assert_eq!(render(&parse::<Line>(DATA)?)?, DATA);
        assert_eq!(render(&parse::<steps::record::Line>(STEPS)?)?, STEPS);
        Ok(())
    }
}
