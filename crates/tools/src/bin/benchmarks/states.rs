//! Reading and grounding for a plan, and blind search of a given number of states, with the library.

use std::error::Error;
use std::path::Path;

use brigade::diagnostics::{Colour, Diagnostics, Sources, render_all};
use brigade::ground::{self, ground};
use brigade::search::{HeuristicChoice, SearchOptions, Unlimited, solve};
use brigade::sema::{self, Files, resolve};
use brigade::syntax::{parse_domain, parse_problem};

use crate::record::Found;

/// Reads, grounds, searches unless for no state, and prints what it found.
pub(crate) fn search(domain: &Path, problem: &Path, states: u64) -> Result<(), Box<dyn Error>> {
    let mut sources = Sources::new();
    let mut diagnostics = Diagnostics::new();
    let mut read = |path: &Path| -> Result<_, Box<dyn Error>> {
        let text = crate::read(path)?;
        Ok((sources.add(path.display().to_string(), text.clone()), text))
    };
    let (domain, problem) = (read(domain)?, read(problem)?);
    let files = Files {
        domain: domain.0,
        problem: problem.0,
    };
    let domain = parse_domain(files.domain, &domain.1, &mut diagnostics);
    let problem = parse_problem(files.problem, &problem.1, &mut diagnostics);
    let options = sema::Options::default();
    let model = resolve(&domain, &problem, &options, files, &mut diagnostics);
    let model = model.ok_or_else(|| render_all(&diagnostics, &sources, Colour::Plain))?;
    let options = SearchOptions::default()
        .with_max_states(states)
        .with_heuristic(HeuristicChoice::Blind);
    // As `brigade plan` grounds.
    let for_plans = ground::Options::default()
        .with_irrelevant_kept(false)
        .with_requirements(false);
    let task = ground(&model, &for_plans)?;
    let mut found = Found {
        operators: Some(task.operators.len() as u64),
        ..Found::default()
    };
    if states > 0 {
        let statistics = solve(&task, &options, &Unlimited).statistics;
        found.expanded = Some(statistics.expanded);
        found.generated = Some(statistics.generated);
        found.states = Some(statistics.states);
    }
    #[expect(clippy::print_stdout, reason = "the parent reads it")]
    {
        println!("{}", serde_json::to_string(&found)?);
    }
    Ok(())
}
