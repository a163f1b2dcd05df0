//! The foreseen sizes agree with those of the formulas that are then made.

use std::fs;
use std::path::{Path, PathBuf};

use super::*;
use crate::ground::work::Work;
use crate::sema::{self, Files};
use brigade_diagnostics::{Diagnostics, Sources};
use brigade_syntax::{parse_domain, parse_problem};

/// The most instances of each schema that are tested.
const INSTANCES: usize = 40;

/// More parts than any of them has.
const MANY: usize = 1 << 40;

/// The `.pddl` files below a folder.
fn below(folder: &str) -> Vec<PathBuf> {
    let mut open = vec![
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../..")
            .join(folder),
    ];
    let mut files = Vec::new();
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|ending| ending == "pddl") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

fn model(domain: &str, problem: &str) -> Model {
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let files = Files {
        domain: sources.add("domain", domain),
        problem: sources.add("problem", problem),
    };
    let domain = parse_domain(files.domain, domain, &mut diagnostics);
    let problem = parse_problem(files.problem, problem, &mut diagnostics);
    let options = sema::Options::default();
    let model = sema::resolve(&domain, &problem, &options, files, &mut diagnostics);
    model.unwrap_or_else(|| panic!("{diagnostics:?}"))
}

/// The models of the corpus of the grounder, and of the bundled problems.
fn models() -> Vec<(String, Model)> {
    let mut models = Vec::new();
    for path in below("tests/data/grounding") {
        let text = fs::read_to_string(&path).unwrap();
        let text = text.replace("MODE", "sequential").replace("KIND", "set");
        let (domain, problem) = text.split_at(text.find("(define (problem").unwrap());
        models.push((path.display().to_string(), model(domain, problem)));
    }
    for path in below("problems") {
        let folder = path.parent().unwrap().file_name().unwrap();
        let domain = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../..")
            .join("domains");
        let domain = domain.join(folder).with_extension("pddl");
        let texts = [&domain, &path].map(|path| fs::read_to_string(path).unwrap());
        models.push((path.display().to_string(), model(&texts[0], &texts[1])));
    }
    models
}

/// The first instances of a schema.
fn instances(model: &Model, variables: &[model::Variable]) -> Vec<Vec<ObjectId>> {
    let mut all = vec![Vec::new()];
    for variable in variables {
        let objects = model.objects_of(&variable.types);
        let longer = all.iter().flat_map(|tuple: &Vec<ObjectId>| {
            objects
                .iter()
                .map(|object| [&tuple[..], &[*object]].concat())
        });
        all = longer.take(INSTANCES).collect();
    }
    all
}

fn parameters(model: &Model, index: usize) -> usize {
    let events = index.checked_sub(model.actions.len());
    let axioms = events.and_then(|index| index.checked_sub(model.events.len()));
    match (events, axioms) {
        (_, Some(axiom)) => model.axioms[axiom].parameters,
        (Some(event), None) => model.events[event].parameters,
        (None, None) => model.actions[index].parameters,
    }
}

/// The number of parts that are foreseen, and the result of the count.
fn foreseen<'m, T>(
    instantiator: &mut Instantiator<'m>,
    variables: &'m [model::Variable],
    count: impl FnOnce(&mut Foresight<'_, 'm>) -> T,
) -> (u128, T) {
    instantiator.within(variables, |this| {
        let left = MANY as u64;
        let mut foresight = Foresight { this, left };
        let result = count(&mut foresight);
        (u128::from(left - foresight.left), result)
    })
}

/// The number of parts that are made.
fn made<'m>(
    instantiator: &mut Instantiator<'m>,
    variables: &'m [model::Variable],
    make: impl FnOnce(&mut Instantiator<'m>),
) -> u128 {
    let before = instantiator.parts_left();
    instantiator.within(variables, make);
    (before - instantiator.parts_left()) as u128
}

/// Returns true for an effect that is identified by its text, which has parts of its own.
fn is_named(effect: &model::Effect) -> bool {
    matches!(
        effect,
        model::Effect::After(..) | model::Effect::OnNth(..) | model::Effect::Maintain(..)
    )
}

#[test]
fn no_more_is_foreseen_than_is_made_and_all_of_a_condition_that_no_number_decides() {
    let (mut equal, mut compared) = (0, 0);
    for (name, model) in &models() {
        let work = Work::new(u64::MAX, &|| false);
        let mut instantiator = Instantiator::new(model, MANY, &work);
        let this = &mut instantiator;
        let mut most = Most::new(model);
        let named = model::performing(&model.actions, is_named);
        let schemas = model.actions.len() + model.events.len() + model.axioms.len();
        for index in 0..schemas {
            let (conds, variables) = conditions(model, index);
            for objects in instances(model, &variables[..parameters(model, index)]) {
                let at = &mut bindings(&objects, variables.len());
                let mut sum = 0;
                for cond in &conds {
                    let (least, known) = foreseen(this, variables, |it| it.cond(cond, at));
                    let made = made(this, variables, |this| _ = this.cond(cond, at));
                    let context = format!("{name}: schema {index}, {cond:?}");
                    assert!(least <= made, "{least} foreseen, {made} made: {context}");
                    if known != Known::Unknown {
                        assert_eq!(least, made, "{context}");
                    }
                    compared += 1;
                    equal += usize::from(least == made);
                    sum += made;
                }
                assert!(sum <= most.of_condition(index), "{name}: schema {index}");
                let Some((effect, _)) = effect(model, index) else {
                    continue;
                };
                let (least, ()) = foreseen(this, variables, |it| it.effect(effect, at));
                let mut is_made = false;
                let made = made(this, variables, |this| {
                    is_made = this.effect(effect, at).is_ok();
                });
                if is_made {
                    let context = format!("{name}: schema {index}, {effect:?}");
                    assert!(least <= made, "{least} foreseen, {made} made: {context}");
                    let most = most.of_effect(index);
                    let is_named = effect.any(&mut |effect| match effect {
                        model::Effect::Do(action, _) => named[action.index()],
                        other => is_named(other),
                    });
                    assert!(
                        is_named || made <= most,
                        "{made} made, at most {most}: {context}"
                    );
                }
            }
        }
    }
    assert!(
        compared > 10_000 && equal * 10 > compared * 9,
        "{equal} of {compared}"
    );
}
