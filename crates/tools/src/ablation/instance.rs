//! The instances: the bundled problems, instances of the planning competitions, and every seventh
//! published instance of Robotouille.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use brigade::Compiled;

use crate::files::read;
use crate::optima::{Case, SEEDS, Subject};

/// Of the published instances of Robotouille every so many are measured.
const SAMPLE: usize = 7;

/// An instance, by its name and its files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// Its name: `ipc/FAMILY/PROBLEM`, `DOMAIN/PROBLEM`, or `robotouille/TASK/SEED`.
    pub name: String,
    files: Files,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Files {
    /// Files of the language.
    Language { domain: PathBuf, problem: PathBuf },
    /// A published instance: domain and environment in JSON.
    Published {
        subject: Subject,
        domain: PathBuf,
        environment: PathBuf,
    },
}

impl Instance {
    /// Reads and compiles it as `brigade plan` does.
    pub fn compile(&self) -> Result<Compiled, Box<dyn Error>> {
        let (domain, problem) = match &self.files {
            Files::Language { domain, problem } => (read(domain)?, read(problem)?),
            Files::Published {
                subject,
                domain,
                environment,
            } => {
                let (domain, environment) = (read(domain)?, read(environment)?);
                let case = Case::imported(subject.clone(), &domain, &environment)?;
                (case.domain, case.problem)
            }
        };
        Ok(brigade::compile(&domain, &problem)?)
    }
}

/// Lists all instances in order: those of the repository, and of `upstream` if it is there.
pub fn instances(root: &Path, upstream: Option<&Path>) -> Result<Vec<Instance>, Box<dyn Error>> {
    let bundled = bundled(root)?;
    let Some(upstream) = upstream else {
        return Ok(bundled);
    };
    let mut all = competition(&upstream.join("ipc"))?;
    let sample = sample(&bundled, &upstream.join("robotouille"));
    all.extend(bundled);
    all.extend(sample);
    Ok(all)
}

/// The files in a folder, in order.
fn files(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let entries = fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
    let mut paths = entries.collect::<Result<Vec<_>, std::io::Error>>()?;
    paths.sort();
    Ok(paths)
}

fn stem(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}

fn bundled(root: &Path) -> Result<Vec<Instance>, Box<dyn Error>> {
    let mut all = Vec::new();
    for folder in files(&root.join("problems"))? {
        let domain = stem(&folder);
        for problem in files(&folder)? {
            all.push(Instance {
                name: format!("{domain}/{}", stem(&problem)),
                files: Files::Language {
                    domain: root.join("domains").join(format!("{domain}.pddl")),
                    problem,
                },
            });
        }
    }
    Ok(all)
}

/// The table that names the instances of the competitions, in columns `family` and `instance`.
const COVERAGE: &str = "coverage-2026-11-28.tsv";

fn competition(folder: &Path) -> Result<Vec<Instance>, Box<dyn Error>> {
    let table = read(&folder.join(COVERAGE))?;
    let rows = table.lines().filter(|line| !line.starts_with('#')).skip(1);
    let instance = |row: &str| {
        let mut cells = row.split('\t');
        let (family, file) = (cells.next()?, cells.next()?);
        let problem = folder.join("coverage").join(family).join(file);
        Some(Instance {
            name: format!("ipc/{family}/{}", stem(&problem)),
            files: Files::Language {
                domain: domain_of(&problem),
                problem,
            },
        })
    };
    Ok(rows.filter_map(instance).collect())
}

/// The domain beside a problem: `PREFIX-domain.pddl`, `domain_PROBLEM.pddl`, or `domain.pddl`.
fn domain_of(problem: &Path) -> PathBuf {
    let stem = stem(problem);
    let prefixes = stem.match_indices('-').map(|(at, _)| &stem[..at]);
    let prefixed = prefixes
        .chain([&*stem])
        .map(|prefix| format!("{prefix}-domain.pddl"));
    let names = prefixed.chain([format!("domain_{stem}.pddl")]);
    names
        .map(|name| problem.with_file_name(name))
        .find(|path| path.exists())
        .unwrap_or_else(|| problem.with_file_name("domain.pddl"))
}

fn sample(bundled: &[Instance], folder: &Path) -> Vec<Instance> {
    let tasks = bundled.iter().filter_map(|instance| {
        let task = instance.name.strip_prefix("robotouille/")?;
        Some((&*instance.name, Subject::bundled(task)?))
    });
    let seeded = tasks.flat_map(|(name, subject)| {
        SEEDS.map(|seed| Instance {
            name: format!("{name}/{seed}"),
            files: Files::Published {
                domain: folder.join("domain/robotouille.json"),
                environment: folder
                    .join("procgen")
                    .join(subject.published_name())
                    .join(format!("seed{seed}.json")),
                subject: subject.seeded(seed),
            },
        })
    });
    seeded.step_by(SAMPLE).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bundled_problem_is_an_instance() {
        let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
        let all = instances(root, None).unwrap();
        let egg = all
            .iter()
            .find(|instance| instance.name == "collab-overcooked/boiled_egg");
        let egg = egg.unwrap().compile().unwrap();
        assert_eq!(egg.plan().unwrap().value.makespan, 16);
    }

    #[test]
    fn the_sample_takes_every_seventh_published_instance() {
        let bundled =
            ["synchronous-0_cheese_sandwich", "synchronous-3_burger"].map(|task| Instance {
                name: format!("robotouille/{task}"),
                files: Files::Language {
                    domain: PathBuf::new(),
                    problem: PathBuf::new(),
                },
            });
        let sample = sample(&bundled, Path::new("published"));
        let names: Vec<&str> = sample.iter().map(|instance| &*instance.name).collect();
        assert_eq!(
            names,
            [
                "robotouille/synchronous-0_cheese_sandwich/42",
                "robotouille/synchronous-0_cheese_sandwich/336",
                "robotouille/synchronous-3_burger/210",
            ]
        );
    }
}
