//! Checks the meaning of a bench file whose form is right.

use std::collections::BTreeMap;

use super::columns::Column;
use super::config::{Bench, Problem};
use super::names::file_safe;
use super::setup::Policy;
use crate::cli::exec::TIMEOUT;
use crate::cli::online::Online;
use crate::diagnostics::suggest;
use crate::report::formula::Formula;

type Result = std::result::Result<(), String>;

/// Says what is wrong with a bench file.
pub(super) fn check(bench: &Bench) -> Result {
    if bench.problems.is_empty() || bench.setups.is_empty() {
        return Err("it needs at least one of `problems` and one of `setups`".to_owned());
    }
    if bench.seeds.is_empty() || bench.epochs == 0 {
        return Err("`seeds` must not be empty, nor `epochs` be 0".to_owned());
    }
    let mut seeds = bench.seeds.clone();
    seeds.sort_unstable();
    if let Some([twice, ..]) = seeds.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(format!(
            "`seeds` holds {twice} twice; `epochs` says how often an episode is repeated"
        ));
    }
    budgets(bench)?;
    programs(bench)?;
    let ticks = bench.problems.iter().map(|problem| problem.max_ticks);
    let ticks = ticks.chain(bench.setups.iter().map(|setup| setup.max_ticks));
    if ticks.chain([bench.max_ticks]).any(|most| most == Some(0)) {
        return Err("`max-ticks` is to be 1 or more, not 0".to_owned());
    }
    let asks = bench.setups.iter().any(|setup| !setup.designs().is_empty());
    if asks && bench.models.is_empty() {
        return Err("a set-up asks a model, and there is none: add `[models.NAME]`".to_owned());
    }
    for (name, of_model) in &bench.models {
        of_model
            .check()
            .map_err(|why| format!("model `{name}`: {why}"))?;
    }
    let is_letter = |byte: u8| byte.is_ascii_uppercase();
    if bench.currency.len() != 3 || !bench.currency.bytes().all(is_letter) {
        return Err(format!(
            "`currency` is a code of three capital letters such as `EUR`, not `{}`",
            bench.currency
        ));
    }
    columns(bench)?;
    names(bench)
}

fn columns(bench: &Bench) -> Result {
    for column in &bench.columns {
        let (title, of) = (column.title(), &column.of);
        Formula::read(of).map_err(|why| format!("column `{title}`: {why} (`{of}`)"))?;
    }
    let titles: Vec<&str> = bench.columns.iter().map(Column::title).collect();
    unique("columns", &titles)
}

fn budgets(bench: &Bench) -> Result {
    let budgets = bench.problems.iter().map(|problem| problem.budget);
    let mut budgets = budgets.chain([bench.budget]).flatten();
    match budgets.find(|budget| !(budget.is_finite() && *budget >= 1.0)) {
        Some(budget) => Err(format!(
            "`budget` is a multiple of the optimum, 1 at least, not {budget}"
        )),
        None => Ok(()),
    }
}

fn programs(bench: &Bench) -> Result {
    for setup in &bench.setups {
        let timeout = setup.agent_timeout.unwrap_or(TIMEOUT);
        if timeout.is_nan() || timeout < 0.0 {
            return Err(format!(
                "set-up `{}`: `agent-timeout` is a number of seconds, 0 or more, not {timeout}",
                setup.name
            ));
        }
        let mut policies = std::iter::once(&setup.agents).chain(setup.except.values());
        let wrong = policies.find_map(|text| match Policy::of(text) {
            Policy::Exec(command) if command.is_empty() => {
                Some("`exec` needs a command: `exec:CMD`".to_owned())
            }
            Policy::Online(text) => Online::of_policy(&text).and_then(std::result::Result::err),
            Policy::Design(name) if name == "human" => Some(
                "people play one episode at a time: `brigade run --agent NAME=human`".to_owned(),
            ),
            _ => None,
        });
        if let Some(wrong) = wrong {
            return Err(format!("set-up `{}`: {wrong}", setup.name));
        }
    }
    Ok(())
}

fn names(bench: &Bench) -> Result {
    let titles: Vec<String> = bench.problems.iter().map(Problem::title).collect();
    let mut named = bench.setups.iter().flat_map(|setup| &setup.problems);
    if let Some(name) = named.find(|name| !titles.contains(name)) {
        let near = suggest(name, titles.iter().map(String::as_str));
        let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
        return Err(format!(
            "a set-up names the problem `{name}`, which there is not{near}"
        ));
    }
    // Teams of two set-ups of one name differ in theirs, and would share a matrix.
    let written: Vec<&str> = bench.written.iter().map(|setup| &*setup.name).collect();
    let setups: Vec<&str> = bench.setups.iter().map(|setup| &*setup.name).collect();
    let problems: Vec<&str> = titles.iter().map(String::as_str).collect();
    let models: Vec<&str> = bench.models.keys().map(String::as_str).collect();
    for (what, names) in [
        ("setups", written),
        ("setups", setups),
        ("problems", problems),
        ("models", models),
    ] {
        unique(what, &names)?;
        if names.iter().any(|name| name.trim().is_empty()) {
            return Err(format!("one of `{what}` has no name"));
        }
    }
    Ok(())
}

/// Names must differ, and so must their hashes, which are short.
fn unique(what: &str, names: &[&str]) -> Result {
    let mut known: BTreeMap<String, &str> = BTreeMap::new();
    for name in names {
        match known.insert(file_safe(name).to_ascii_lowercase(), name) {
            Some(other) if other == *name => {
                return Err(format!("two of `{what}` are called `{name}`"));
            }
            Some(other) => {
                return Err(format!(
                    "`{other}` and `{name}`, of `{what}`, have the same hash: rename one"
                ));
            }
            None => {}
        }
    }
    Ok(())
}
