//! Brigade and Fast Downward as processes, and what they say of themselves.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::measure::{Job, measure};
use crate::record::{Found, Outcome, Run, Tool};

/// The files of an instance.
#[derive(Debug)]
pub(crate) struct Files {
    pub(crate) domain: PathBuf,
    pub(crate) problem: PathBuf,
}

/// The paths of the tools, and their limits.
#[derive(Debug)]
pub(crate) struct Tools {
    /// The program.
    pub(crate) brigade: PathBuf,
    /// A Python environment that holds Fast Downward.
    pub(crate) fast_downward: Option<FastDownward>,
    /// For the files of a run.
    pub(crate) work: PathBuf,
    pub(crate) seconds: u64,
    pub(crate) bytes: u64,
}

/// Fast Downward, as the package `up-fast-downward` installs it.
#[derive(Debug)]
pub(crate) struct FastDownward {
    python: PathBuf,
    search: PathBuf,
    /// Name and version of its packages.
    pub(crate) versions: Vec<String>,
}

impl FastDownward {
    /// Finds it in a virtual environment of Python.
    pub(crate) fn find(environment: &Path) -> Result<Self, Box<dyn Error>> {
        for entry in fs::read_dir(environment.join("lib"))? {
            let packages = entry?.path().join("site-packages");
            let search = packages.join("up_fast_downward/downward/builds/release/bin/downward");
            if !search.exists() {
                continue;
            }
            return Ok(Self {
                python: environment.join("bin/python"),
                search,
                versions: versions(&packages, |name| name.contains("fast_downward"))?,
            });
        }
        Err(format!("{}: no `up-fast-downward`", environment.display()).into())
    }
}

/// Name and version of those packages of a Python environment that are wanted, in order.
pub(crate) fn versions(
    packages: &Path,
    is_wanted: impl Fn(&str) -> bool,
) -> std::io::Result<Vec<String>> {
    let mut versions = Vec::new();
    for entry in fs::read_dir(packages)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        let name = name.strip_suffix(".dist-info");
        versions.extend(
            name.filter(|name| is_wanted(name))
                .map(|name| name.replace('_', "-")),
        );
    }
    versions.sort();
    Ok(versions)
}

impl Tools {
    /// Runs a tool once; `None` if it is not there. Fast Downward's searches need its translator to
    /// have run on the instance.
    pub(crate) fn run(
        &self,
        tool: Tool,
        name: &str,
        files: &Files,
    ) -> Result<Option<Run>, Box<dyn Error>> {
        let Some((command, input)) = self.command(tool, name, files) else {
            return Ok(None);
        };
        let job = Job {
            input,
            output: self.work.join("output"),
            seconds: self.seconds,
            bytes: self.bytes,
            command,
        };
        let (usage, output) = measure(&job)?;
        let (outcome, found) = match tool {
            Tool::Ground | Tool::States | Tool::Alone => {
                let found = serde_json::from_str(&output);
                (solved(usage.code), found.unwrap_or_default())
            }
            Tool::Plan | Tool::PlanTwo | Tool::All | Tool::Blind | Tool::BlindTwo => {
                let found = serde_json::from_str(&output)
                    .map_or_else(|_| Found::default(), |text| planned(&text));
                // A run that finds a plan and loses its proof reports the best it knows.
                let outcome = solved(usage.code);
                let cost = found.cost.filter(|_| outcome == Outcome::Done);
                (outcome, Found { cost, ..found })
            }
            // Exit codes of Fast Downward from 30: errors in the input or in what is supported.
            Tool::Translate | Tool::FdBlind | Tool::FdLmcut => {
                let outcome = match usage.code {
                    Some(30..) => Outcome::Unsupported,
                    code => solved(code),
                };
                let read = if tool == Tool::Translate {
                    translated
                } else {
                    searched
                };
                (outcome, read(&output))
            }
        };
        Ok(Some(Run {
            instance: name.to_owned(),
            tool,
            outcome,
            repetitions: 1,
            cpu: usage.cpu,
            peak_kib: usage.peak_kib,
            found,
        }))
    }

    /// The command and its standard input.
    fn command(&self, tool: Tool, name: &str, files: &Files) -> Option<(Vec<String>, PathBuf)> {
        let text = |path: &Path| path.display().to_string();
        let [domain, problem] = [&files.domain, &files.problem].map(|path| text(path));
        let sas = self.work.join("task.sas");
        let brigade = |options: &[&str]| {
            let mut words = vec![text(&self.brigade), "plan".to_owned(), problem.clone()];
            words.extend(["--domain".to_owned(), domain.clone()]);
            words.extend(options.iter().map(|&word| word.to_owned()));
            (words, "/dev/null".into())
        };
        // The address space holds more than states and tables.
        let bytes = (self.bytes / 4 * 3).to_string();
        let plan = |options: &[&str]| {
            let mut words = vec!["--format", "json", "--memory-limit", &bytes];
            let jobs = match tool {
                Tool::PlanTwo | Tool::BlindTwo => "2",
                _ => "1",
            };
            words.extend(["--jobs", jobs]);
            words.extend(options);
            brigade(&words)
        };
        let search = |search: &str| {
            let peer = self.fast_downward.as_ref()?;
            let plan = text(&self.work.join("plan"));
            let words = [
                &text(&peer.search),
                "--internal-plan-file",
                &plan,
                "--search",
                search,
            ];
            Some((words.map(str::to_owned).into(), sas.clone()))
        };
        match tool {
            Tool::Plan | Tool::PlanTwo => Some(plan(&[])),
            Tool::All => Some(plan(&["--all"])),
            Tool::Blind | Tool::BlindTwo => Some(plan(&["--heuristic", "blind"])),
            Tool::Ground | Tool::States => {
                let states = match tool {
                    Tool::States => name.rsplit_once('/')?.1,
                    _ => "0",
                };
                let this = text(&std::env::current_exe().ok()?);
                let words = [&this, "states", &domain, &problem, states];
                Some((words.map(str::to_owned).into(), "/dev/null".into()))
            }
            Tool::Alone => {
                let states = name.rsplit_once('/')?.1;
                let this = text(&std::env::current_exe().ok()?);
                let words = [&this, "alone", &problem, states];
                Some((words.map(str::to_owned).into(), "/dev/null".into()))
            }
            Tool::Translate => {
                let python = text(&self.fast_downward.as_ref()?.python);
                let words = [
                    &python,
                    "-m",
                    "fast_downward.translate",
                    &domain,
                    &problem,
                    "--sas-file",
                    &text(&sas),
                ];
                Some((words.map(str::to_owned).into(), "/dev/null".into()))
            }
            Tool::FdBlind => search("astar(blind())"),
            Tool::FdLmcut => search("astar(lmcut())"),
        }
    }
}

fn solved(code: Option<i32>) -> Outcome {
    if code == Some(0) {
        Outcome::Done
    } else {
        Outcome::Limit
    }
}

/// Reads the results from the JSON of `brigade plan`.
fn planned(document: &Value) -> Found {
    let number = |value: &Value| value.as_u64();
    let seconds = |stage: &str| document["seconds"][stage].as_f64();
    Found {
        cost: document["cost"].as_i64(),
        plans: document["plans"].as_str().map(str::to_owned),
        nodes: number(&document["dag"]["nodes"]),
        edges: number(&document["dag"]["edges"]),
        operators: None,
        expanded: number(&document["expanded"]),
        generated: number(&document["generated"]),
        states: number(&document["states"]),
        parse: seconds("parse"),
        ground: seconds("ground"),
        search: seconds("search"),
    }
}

/// The number after the last occurrence of a word that a number follows.
fn after<T: std::str::FromStr>(text: &str, word: &str) -> Option<T> {
    text.rmatch_indices(word).find_map(|(at, _)| {
        let rest = text[at + word.len()..].trim_start();
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || "+-.".contains(c)));
        let number = &rest[..end.unwrap_or(rest.len())];
        number.trim_end_matches('s').parse().ok()
    })
}

/// Reads the results from the output of Fast Downward's translator.
fn translated(text: &str) -> Found {
    Found {
        operators: after(text, "Translator operators:"),
        ground: after(text, "Done! ["),
        ..Found::default()
    }
}

/// Reads the results from the output of Fast Downward's search.
fn searched(text: &str) -> Found {
    Found {
        cost: after(text, "Plan cost:"),
        expanded: after(text, "Expanded "),
        generated: after(text, "Generated "),
        states: after(text, "Number of registered states:"),
        search: after(text, "Search time:"),
        ..Found::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_figures_of_fast_downward_are_read() {
        let text = "\
[t=0.121859s, 13340 KB] Plan cost: 29
[t=0.121859s, 13340 KB] Expanded 68567 state(s).
[t=0.121859s, 13340 KB] Generated 293614 state(s).
[t=0.121859s, 13340 KB] Expanded until last jump: 68556 state(s).
[t=0.121859s, 13340 KB] Number of registered states: 68605
[t=0.121859s, 13340 KB] Search time: 0.119384s
Peak memory: 13340 KB
";
        let found = searched(text);
        assert_eq!(found.cost, Some(29));
        assert_eq!(found.expanded, Some(68567));
        assert_eq!(found.generated, Some(293_614));
        assert_eq!(found.states, Some(68605));
        assert_eq!(found.search, Some(0.119_384));
        let found = translated("Translator operators: 82\nDone! [0.020s CPU, 0.017s wall-clock]\n");
        assert_eq!((found.operators, found.ground), (Some(82), Some(0.02)));
    }
}
