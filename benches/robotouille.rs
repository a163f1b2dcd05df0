//! Steps a second of random valid play in kitchens of Robotouille, one thread: all valid actions are
//! found, one of them is taken, and the goal is tested. An episode begins anew at the goal, where
//! nothing can be done or all is lost, and after 150 steps.
//!
//! The environments are those that the published engine was measured on; four of them are bundled, the
//! others and the JSON files are read where `BRIGADE_UPSTREAM` names their folder.

use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};

use brigade::diagnostics::{Diagnostics, Sources};
use brigade::ground::{self, ground};
use brigade::import::robotouille::{self, File};
use brigade::sema::{self, Files, resolve};
use brigade::syntax::ast::{Domain, Problem};
use brigade::syntax::{parse_domain, parse_problem};
use brigade::task::effect::Record;
use brigade::task::step::Status;
use brigade::task::successors::SuccessorGenerator;
use brigade::task::{OperatorId, PackedTask};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// Steps of one measurement.
const STEPS: usize = 100_000;

/// Steps of an episode at most.
const EPISODE: u32 = 150;

/// A name for the table, the published file, and the bundled problem, if there is one.
const ENVIRONMENTS: [(&str, &str, Option<&str>); 6] = [
    ("original", "environments/misc/original", None),
    (
        "synchronous/0",
        "environments/synchronous/0_cheese_sandwich",
        Some("synchronous-0_cheese_sandwich"),
    ),
    (
        "asynchronous/0",
        "environments/asynchronous/0_cheese_chicken_sandwich",
        Some("asynchronous-0_cheese_chicken_sandwich"),
    ),
    (
        "asynchronous/0, seed 42",
        "procgen/asynchronous/0_cheese_chicken_sandwich/seed42",
        None,
    ),
    (
        "asynchronous/5",
        "environments/asynchronous/5_potato_soup",
        Some("asynchronous-5_potato_soup"),
    ),
    (
        "asynchronous/7",
        "environments/asynchronous/7_tomato_soup_and_lettuce_chicken_sandwich",
        Some("asynchronous-7_tomato_soup_and_lettuce_chicken_sandwich"),
    ),
];

/// The two files of an environment, read, and where each came from.
fn read(published: &str, bundled: Option<&str>) -> Option<(Domain, Problem, Files)> {
    let upstream = std::env::var_os("BRIGADE_UPSTREAM").map(PathBuf::from);
    let upstream = upstream.map(|folder| folder.join("robotouille"));
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (domain, problem) = match &upstream {
        Some(folder) => (
            folder.join("domain/robotouille.json"),
            folder.join(format!("{published}.json")),
        ),
        None => (
            root.join("domains/robotouille.pddl"),
            root.join(format!("problems/robotouille/{}.pddl", bundled?)),
        ),
    };
    let [domain, problem] = [domain, problem].map(|path| fs::read_to_string(path).ok());
    let (domain, problem) = (domain?, problem?);
    let mut sources = Sources::new();
    let mut diagnostics = Diagnostics::new();
    let files = Files {
        domain: sources.add("domain", domain.clone()),
        problem: sources.add("problem", problem.clone()),
    };
    let (domain, problem) = if upstream.is_some() {
        let file = |source, text| File { source, text };
        let (domain, problem) = (file(files.domain, &domain), file(files.problem, &problem));
        let options = robotouille::Options::default();
        robotouille::import(domain, problem, published, &options, &mut diagnostics)?
    } else {
        (
            parse_domain(files.domain, &domain, &mut diagnostics),
            parse_problem(files.problem, &problem, &mut diagnostics),
        )
    };
    Some((domain, problem, files))
}

/// The task with all that can be done in it, not only what the goal needs.
fn task(published: &str, bundled: Option<&str>, semantics: &str) -> Option<PackedTask> {
    let (domain, problem, files) = read(published, bundled)?;
    let options = sema::Options::default().with_semantics(semantics);
    let mut diagnostics = Diagnostics::new();
    let model = resolve(&domain, &problem, &options, files, &mut diagnostics)?;
    let options = ground::Options::default().with_irrelevant_kept(true);
    ground(&model, &options).ok()
}

/// What random play has met.
#[derive(Debug, Default)]
struct Met {
    /// Valid actions of all steps together.
    valid: usize,
    /// Episodes that ended at the goal.
    goals: usize,
    /// Those that ended with nothing left to do, or in a losing state.
    ends: usize,
}

/// Plays at random for so many steps.
fn play(task: &PackedTask, generator: &mut SuccessorGenerator, steps: usize, seed: u64) -> Met {
    let mut random = seed;
    let mut next = move |below: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        ((random >> 32) as usize * below) >> 32
    };
    let mut state = task.initial.clone();
    let mut record = Record::default();
    let mut choices: Vec<OperatorId> = Vec::new();
    let mut met = Met::default();
    let mut age = 0;
    for _ in 0..steps {
        choices.clear();
        generator.applicable(task, &state, &mut choices);
        met.valid += choices.len();
        age += 1;
        let status = if choices.is_empty() {
            Status::Failed
        } else {
            record.clear();
            let chosen = choices[next(choices.len())];
            task.step_applicable(&mut state, &[chosen], &mut record)
        };
        met.goals += usize::from(status == Status::Goal);
        met.ends += usize::from(status == Status::Failed);
        if status != Status::Running || age == EPISODE {
            state.copy_from(&task.initial);
            age = 0;
        }
    }
    met
}

#[expect(
    clippy::print_stderr,
    reason = "the figures that criterion does not print"
)]
fn steps(criterion: &mut Criterion) {
    for semantics in ["upstream", "clean"] {
        let mut group = criterion.benchmark_group(format!("robotouille, {semantics}"));
        group.throughput(Throughput::Elements(STEPS as u64));
        for (name, published, bundled) in ENVIRONMENTS {
            let Some(task) = task(published, bundled, semantics) else {
                eprintln!("{name}: not there; BRIGADE_UPSTREAM names the folder of its file");
                continue;
            };
            let mut generator = SuccessorGenerator::new(&task, 0);
            let met = play(&task, &mut generator, STEPS, 7);
            eprintln!(
                "{name}: {} operators, {:.1} valid, {} goals, {} dead ends",
                task.operators.len(),
                met.valid as f64 / STEPS as f64,
                met.goals,
                met.ends
            );
            group.bench_function(name, |bencher| {
                bencher.iter(|| black_box(play(&task, &mut generator, STEPS, 7)));
            });
        }
        group.finish();
    }
}

criterion_group!(benches, steps);
criterion_main!(benches);
