//! From text to task to steps: reading and checking a large problem, grounding Collab-Overcooked, and
//! playing it with random valid choices.

use std::fs;
use std::hint::black_box;
use std::path::Path;

use brigade::diagnostics::{Diagnostics, Sources};
use brigade::ground::{Options, ground};
use brigade::lint;
use brigade::sema::model::Model;
use brigade::sema::{self, Files, resolve};
use brigade::syntax::{parse_domain, parse_problem};
use brigade::task::effect::Record;
use brigade::task::step::Status;
use brigade::task::successors::SuccessorGenerator;
use brigade::task::{OperatorId, PackedTask};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// Steps of one measured episode run.
const STEPS: usize = 10_000;

/// The domain of [`large_problem`].
const LOGISTICS: &str = "(define (domain logistics)
  (:requirements :strips :typing :action-costs)
  (:types package place)
  (:predicates (at ?p - package ?l - place))
  (:functions (weight ?p - package) - number (total-cost) - number)
  (:action move
    :parameters (?p - package ?from ?to - place)
    :precondition (at ?p ?from)
    :effect (and (at ?p ?to) (not (at ?p ?from)) (increase (total-cost) (weight ?p)))))";

/// A logistics problem of about so many bytes.
fn large_problem(bytes: usize) -> String {
    let mut objects: String = (0..97)
        .map(|number| format!("    place-{number} - place\n"))
        .collect();
    let mut init = String::new();
    let mut number = 0;
    while objects.len() + init.len() < bytes {
        objects.push_str(&format!("    package-{number} - package\n"));
        init.push_str(&format!(
            "    (at package-{number} place-{})\n    (= (weight package-{number}) {})\n",
            number % 97,
            number % 13
        ));
        number += 1;
    }
    format!(
        "(define (problem large)\n  (:domain logistics)\n  (:objects\n{objects})\n  \
         (:init\n{init})\n  (:goal (at package-0 place-1)))\n"
    )
}

fn model(name: &str, semantics: &str) -> Option<Model> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let domain = fs::read_to_string(root.join("domains/collab-overcooked.pddl")).ok()?;
    let problem = root.join(format!("problems/collab-overcooked/{name}.pddl"));
    let problem = fs::read_to_string(problem).ok()?;
    let mut sources = Sources::new();
    let mut diagnostics = Diagnostics::new();
    let files = Files {
        domain: sources.add("domain", domain.clone()),
        problem: sources.add("problem", problem.clone()),
    };
    let domain = parse_domain(files.domain, &domain, &mut diagnostics);
    let problem = parse_problem(files.problem, &problem, &mut diagnostics);
    let options = sema::Options::default().with_semantics(semantics);
    resolve(&domain, &problem, &options, files, &mut diagnostics)
}

/// Plays at random for so many steps, anew whenever an episode ends; returns the episodes.
fn play(task: &PackedTask, steps: usize, seed: u64) -> usize {
    let mut random = seed | 1;
    let mut next = move |below: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random % below as u64) as usize
    };
    let mut state = task.initial.clone();
    let mut record = Record::default();
    let agents = 0..task.agents.len();
    let mut generators: Vec<SuccessorGenerator> = agents
        .map(|agent| SuccessorGenerator::new(task, agent))
        .collect();
    let mut choices: Vec<OperatorId> = Vec::new();
    let mut joint: Vec<OperatorId> = Vec::new();
    let mut episodes = 0;
    for _ in 0..steps {
        joint.clear();
        for generator in &mut generators {
            choices.clear();
            generator.applicable(task, &state, &mut choices);
            joint.push(choices[next(choices.len())]);
        }
        record.clear();
        // With simultaneous turns, choices that are applicable at the start stay so.
        if task.step_applicable(&mut state, &joint, &mut record) != Status::Running {
            state.copy_from(&task.initial);
            episodes += 1;
        }
    }
    episodes
}

fn parse(criterion: &mut Criterion) {
    let text = large_problem(5 << 20);
    let mut group = criterion.benchmark_group("parse");
    group.sample_size(10);
    group.throughput(Throughput::Bytes(text.len() as u64));
    group.bench_function("problem of 5 MB", |bencher| {
        bencher.iter(|| {
            let mut sources = Sources::new();
            let mut diagnostics = Diagnostics::new();
            let source = sources.add("large.pddl", text.clone());
            let problem = parse_problem(source, &text, &mut diagnostics);
            assert!(!diagnostics.has_errors());
            black_box(problem)
        });
    });
    group.finish();
}

fn check(criterion: &mut Criterion) {
    let text = large_problem(5 << 20);
    let mut group = criterion.benchmark_group("check");
    group.sample_size(10);
    group.throughput(Throughput::Bytes(text.len() as u64));
    group.bench_function("problem of 5 MB", |bencher| {
        bencher.iter(|| {
            let mut sources = Sources::new();
            let mut diagnostics = Diagnostics::new();
            let files = Files {
                domain: sources.add("logistics.pddl", LOGISTICS),
                problem: sources.add("large.pddl", text.clone()),
            };
            let domain = parse_domain(files.domain, LOGISTICS, &mut diagnostics);
            let problem = parse_problem(files.problem, &text, &mut diagnostics);
            let options = sema::Options::default();
            let model = resolve(&domain, &problem, &options, files, &mut diagnostics);
            let model = model.expect("a sound problem");
            let found = &mut diagnostics;
            black_box(lint::problem(
                &domain,
                &problem,
                files,
                &model,
                &|| false,
                found,
            ))
            .ok();
        });
    });
    group.finish();
}

fn grounding(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("ground");
    group.sample_size(10);
    for name in ["boiled_egg", "sweet_potato_spinach_and_mushroom_patty"] {
        for semantics in ["clean", "upstream"] {
            let Some(model) = model(name, semantics) else {
                continue;
            };
            group.bench_function(format!("{name}, {semantics}"), |bencher| {
                bencher.iter(|| black_box(ground(&model, &Options::default())));
            });
        }
    }
    group.finish();
}

fn steps(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("steps");
    group.throughput(Throughput::Elements(STEPS as u64));
    for semantics in ["clean", "upstream"] {
        let model = model("baked_pumpkin_soup", semantics);
        let Some(Ok(task)) = model.map(|model| ground(&model, &Options::default())) else {
            continue;
        };
        group.bench_function(format!("random play, {semantics}"), |bencher| {
            bencher.iter(|| black_box(play(&task, STEPS, 7)));
        });
    }
    group.finish();
}

criterion_group!(benches, parse, check, grounding, steps);
criterion_main!(benches);
