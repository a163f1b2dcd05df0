//! What the targets share: reading bytes as the command line does, and compiling what can be.

use brigade::diagnostics::{Colour, Diagnostics, SourceId, Sources, render_all};
use brigade::ground::{self, ground};
use brigade::sema::{self, Files, resolve};
use brigade::syntax::ast::{Domain, Problem};
use brigade::syntax::{self, File, parse_file};
use brigade::task::PackedTask;
use brigade::classical;

/// Texts of one run, with what is wrong with them.
#[derive(Default)]
pub struct Session {
    /// The texts.
    pub sources: Sources,
    /// What is wrong with them.
    pub diagnostics: Diagnostics,
}

impl Session {
    /// Adds the bytes of a file, which may be no text.
    pub fn add(&mut self, name: &str, bytes: &[u8]) -> Option<SourceId> {
        self.sources
            .add_bytes(name, bytes.to_vec(), &mut self.diagnostics)
    }

    /// Reads a file of the language.
    pub fn parse(&mut self, source: SourceId) -> Option<File> {
        parse_file(source, self.sources.text(source), &mut self.diagnostics)
    }

    /// What is wrong, drawn: every place must lie in its text.
    pub fn report(&mut self) -> String {
        self.diagnostics.sort();
        render_all(&self.diagnostics, &self.sources, Colour::Plain)
    }

    /// Compiles a domain and a problem as far as they allow, within small limits.
    pub fn compile(&mut self, domain: &Domain, problem: &Problem, files: Files) -> Option<PackedTask> {
        let options = sema::Options::default();
        let model = resolve(domain, problem, &options, files, &mut self.diagnostics)?;
        let options = ground::Options::default().with_max_instances(2_000).with_max_parts(20_000).with_max_work(200_000);
        match ground(&model, &options) {
            Ok(task) => Some(task),
            Err(error) => {
                self.diagnostics.extend(error.diagnostic());
                None
            }
        }
    }
}

/// Whatever can be laid out says the same, and stays as it is when laid out again.
pub fn check_layout(text: &str) {
    let mut diagnostics = Diagnostics::new();
    let formatted = syntax::format::format(SourceId::default(), text, &mut diagnostics);
    match formatted {
        Ok(once) => {
            let again = syntax::format::format(SourceId::default(), &once, &mut diagnostics);
            assert_eq!(again.as_ref(), Ok(&once), "formatting is not idempotent");
        }
        Err(syntax::format::FormatError::Unreadable) => assert!(diagnostics.has_errors()),
        Err(error) => panic!("{error}"),
    }
}

/// What is printed of a file that has no fault is read as the same.
pub fn check_printing(file: &File) {
    let text = match file {
        File::Domain(domain) => syntax::printer::print_domain(domain),
        File::Problem(problem) => syntax::printer::print_problem(problem),
        File::Stream(stream) => syntax::printer::print_stream(stream),
    };
    let mut diagnostics = Diagnostics::new();
    let again = parse_file(SourceId::default(), &text, &mut diagnostics);
    assert!(
        !diagnostics.has_errors(),
        "what is printed cannot be read:\n{text}"
    );
    let printed = again.map(|file| match file {
        File::Domain(domain) => syntax::printer::print_domain(&domain),
        File::Problem(problem) => syntax::printer::print_problem(&problem),
        File::Stream(stream) => syntax::printer::print_stream(&stream),
    });
    assert_eq!(printed, Some(text), "printing is not a fixed point");
}

/// A task can be written in classical form, which can be read, or is refused.
pub fn check_classical(task: &PackedTask) {
    let limits = classical::Limits {
        few: 20,
        conditions: 500,
        tick: 100,
        facts: 10_000,
        edges: 10_000,
        work: 200_000,
    };
    let Ok(written) = classical::export(task, &limits) else {
        return;
    };
    let mut session = Session::default();
    let domain = session.sources.add("domain.pddl", written.domain.as_str());
    let problem = session
        .sources
        .add("problem.pddl", written.problem.as_str());
    let files = Files { domain, problem };
    let read = (session.parse(domain), session.parse(problem));
    let (Some(File::Domain(domain)), Some(File::Problem(problem))) = read else {
        panic!("{}", session.report());
    };
    let options = sema::Options::default();
    let model = resolve(&domain, &problem, &options, files, &mut session.diagnostics);
    assert!(model.is_some(), "{}\n{}", session.report(), written.domain);
}
