//! A kitchen of Robotouille: its two files, imported and compiled.

use std::fs;
use std::path::PathBuf;

use brigade::diagnostics::{Code, Colour, Diagnostics, Sources, render_all};
use brigade::ground::{self, ground};
use brigade::import::robotouille::{File, Options, import};
use brigade::sema::{self, Files, resolve};
use brigade::syntax::ast::{Domain, InitItem, Problem, Term};
use brigade::task::{OperatorId, PackedTask, State};

/// The published files, where the environment names their folder.
pub(crate) fn folder() -> Option<PathBuf> {
    let folder = crate::conformance::kitchen::upstream()?;
    Some(folder.with_file_name("robotouille"))
}

/// A domain and an environment, imported.
pub(crate) struct Kitchen {
    pub(crate) domain: Domain,
    pub(crate) problem: Problem,
    /// The codes of what was warned of.
    pub(crate) warnings: Vec<Code>,
    pub(crate) files: Files,
}

/// Imports a published environment with the published domain.
pub(crate) fn kitchen(environment: &str, options: &Options) -> Kitchen {
    Kitchen::import(environment, &read(environment), options)
}

/// The text of a published file.
pub(crate) fn read(path: &str) -> String {
    let path = folder().unwrap().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

impl Kitchen {
    /// Imports the text of an environment with the published domain.
    pub(crate) fn import(name: &str, environment: &str, options: &Options) -> Self {
        let domain = read("domain/robotouille.json");
        Self::read(&domain, name, environment, options)
    }

    /// Imports the texts of a domain and an environment.
    pub(crate) fn read(domain: &str, name: &str, environment: &str, options: &Options) -> Self {
        let mut sources = Sources::new();
        let mut diagnostics = Diagnostics::new();
        let files = Files {
            domain: sources.add("domain.json", domain),
            problem: sources.add(name, environment),
        };
        let file = |source, text| File { source, text };
        let imported = import(
            file(files.domain, domain),
            file(files.problem, environment),
            name,
            options,
            &mut diagnostics,
        );
        let rendered = render_all(&diagnostics, &sources, Colour::Plain);
        assert!(!diagnostics.has_errors(), "{name}\n{rendered}");
        let (domain, problem) = imported.unwrap();
        Self {
            domain,
            problem,
            warnings: diagnostics
                .iter()
                .map(|diagnostic| diagnostic.code)
                .collect(),
            files,
        }
    }

    /// The task under a semantics; with what no goal needs, if it is to be `played`.
    pub(crate) fn compile(&self, semantics: &str, played: bool) -> PackedTask {
        let mut diagnostics = Diagnostics::new();
        let options = sema::Options::default().with_semantics(semantics);
        let model = resolve(
            &self.domain,
            &self.problem,
            &options,
            self.files,
            &mut diagnostics,
        );
        let messages: Vec<_> = diagnostics.iter().map(|d| (d.code, &d.message)).collect();
        assert!(messages.is_empty(), "{messages:?}");
        let options = ground::Options::default().with_irrelevant_kept(played);
        ground(&model.unwrap(), &options).unwrap()
    }

    /// The facts at the start, `item_at(bread1,table1)`, sorted; without those of pools.
    pub(crate) fn initial_facts(&self) -> Vec<String> {
        let mut facts: Vec<String> = self
            .problem
            .init
            .iter()
            .map(|item| {
                let InitItem::Atom(name, args, _) = item else {
                    panic!("{item:?}");
                };
                let args: Vec<&str> = args
                    .iter()
                    .map(|arg| match arg {
                        Term::Name(name) => name.text.as_str(),
                        other => panic!("{other:?}"),
                    })
                    .collect();
                format!("{}({})", name.text, args.join(","))
            })
            .filter(|fact| !fact.starts_with("free-"))
            .collect();
        facts.sort();
        facts
    }

    /// The parameters of an action, in order.
    pub(crate) fn parameters(&self, action: &str) -> Vec<String> {
        let mut actions = self.domain.actions.iter();
        let found = actions.find(|found| found.name.text == action).unwrap();
        let params = found.parameters.iter();
        params.map(|param| param.name.text.to_string()).collect()
    }
}

/// The operators that can be chosen.
pub(crate) fn choices(task: &PackedTask, state: &State) -> Vec<OperatorId> {
    task.applicable(state, task.mover(state)).collect()
}
