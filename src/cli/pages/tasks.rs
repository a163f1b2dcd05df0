//! The tasks of logs: among the problems that were given, and those that are bundled.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;

use crate::cli::args::{DomainArgs, ProblemArgs};
use crate::cli::bundled;
use crate::cli::exit::Result;
use crate::cli::load::{Purpose, load};
use crate::cli::printer::Printer;
use crate::episode::Header;
use crate::task::PackedTask;
use crate::task::json::fingerprint;
use crate::view::layout::Layout;

/// A compiled task, and where its things are drawn.
pub(in crate::cli) struct Drawable {
    pub(in crate::cli) task: PackedTask,
    pub(in crate::cli) layout: Option<Layout>,
}

/// A problem that was given, by its place, with the semantics and the streams of a log.
type Given = (usize, String, Vec<String>);

/// Compiled tasks by fingerprint. Each is compiled once, when a log of it is met.
pub(in crate::cli) struct Tasks<'a> {
    pub(super) printer: &'a Printer,
    given: &'a [PathBuf],
    domain: Option<&'a DomainArgs>,
    known: BTreeMap<String, Option<Rc<Drawable>>>,
    /// Those that were given, with their fingerprints.
    compiled: BTreeMap<Given, (String, Rc<Drawable>)>,
    /// True once a log is of one of them.
    is_given_met: bool,
}

impl<'a> Tasks<'a> {
    /// Those of the problems of the command line, with the domain and streams given for these, and of the bundled ones.
    pub(in crate::cli) fn new(
        printer: &'a Printer,
        given: &'a [PathBuf],
        domain: Option<&'a DomainArgs>,
    ) -> Self {
        Self {
            printer,
            given,
            domain,
            known: BTreeMap::new(),
            compiled: BTreeMap::new(),
            is_given_met: false,
        }
    }

    /// Returns true if problems were given, and no log so far is of any of them.
    pub(super) const fn is_given_in_vain(&self) -> bool {
        !self.given.is_empty() && !self.is_given_met
    }

    /// The task that a log was made on, if it is at hand.
    ///
    /// # Errors
    ///
    /// A problem that was given cannot be compiled.
    pub(in crate::cli) fn of(&mut self, header: &Header) -> Result<Option<Rc<Drawable>>> {
        if let Some(known) = self.known.get(&header.task) {
            return Ok(known.clone());
        }
        let mut found = None;
        for (place, problem) in self.given.iter().enumerate() {
            let key = (place, header.semantics.clone(), header.streams.clone());
            if !self.compiled.contains_key(&key) {
                let compiled = self.compile(problem.clone(), self.domain, header)?;
                let named = (fingerprint(&compiled.task), Rc::new(compiled));
                self.compiled.insert(key.clone(), named);
            }
            let (fingerprint, compiled) = &self.compiled[&key];
            if *fingerprint == header.task {
                found = Some(compiled.clone());
                self.is_given_met = true;
                break;
            }
        }
        // The names of streams stand after that of the problem that they are laid over.
        let parts = header.problem.rsplitn(header.streams.len() + 1, '+');
        let problem = parts.last().unwrap_or(&header.problem);
        for problem in bundled::named(&header.domain, problem) {
            if found.is_some() {
                break;
            }
            let compiled = self.compile(problem, None, header);
            found = compiled
                .ok()
                .filter(|compiled| fingerprint(&compiled.task) == header.task)
                .map(Rc::new);
        }
        self.known.insert(header.task.clone(), found.clone());
        Ok(found)
    }

    fn compile(
        &self,
        problem: PathBuf,
        domain: Option<&DomainArgs>,
        header: &Header,
    ) -> Result<Drawable> {
        let init = domain.map_or_else(Vec::new, |domain| domain.init.clone());
        let problem = ProblemArgs {
            problem,
            domain: DomainArgs {
                domain: domain.and_then(|domain| domain.domain.clone()),
                // Streams that are given stand for those of the log.
                streams: match &init[..] {
                    [] => header.streams.clone(),
                    _ => Vec::new(),
                },
                init,
                semantics: header.semantics.clone(),
            },
        };
        let loaded = load(self.printer, &problem, Purpose::Play, &|| false)?;
        Ok(Drawable {
            task: loaded.task,
            layout: loaded.layout,
        })
    }
}
