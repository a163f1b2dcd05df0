//! Places in the two files, and the few shapes that most semantic diagnostics share.

use brigade_diagnostics::span::Span;
use brigade_diagnostics::suggest;
use brigade_diagnostics::{Code, Diagnostic, Diagnostics, SourceId};
use brigade_syntax::ast::Name;

/// The sources that the two ASTs point into (they may be the same one).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Files {
    /// Where the domain stands.
    pub domain: SourceId,
    /// Where the problem stands.
    pub problem: SourceId,
}

/// With how many names the first misspelt one is compared; the tenth with a tenth of them.
const COMPARED: usize = 100_000;

/// Which of the two definitions is being resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum File {
    Domain,
    Problem,
}

/// A span in one of the sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) source: SourceId,
    pub(super) span: Span,
}

/// Knows where the files are and collects what is wrong with them.
pub(super) struct Reporter<'d> {
    files: Files,
    diagnostics: &'d mut Diagnostics,
}

impl<'d> Reporter<'d> {
    pub(super) fn new(files: Files, diagnostics: &'d mut Diagnostics) -> Self {
        Self { files, diagnostics }
    }

    pub(super) fn place(&self, file: File, span: Span) -> Place {
        let source = match file {
            File::Domain => self.files.domain,
            File::Problem => self.files.problem,
        };
        Place { source, span }
    }

    pub(super) fn push(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Is a further report only counted? What it would say need not be worked out then.
    pub(super) fn is_full(&self) -> bool {
        self.diagnostics.is_full()
    }

    /// Names that a misspelt one is compared with: none where the report is only counted, and the fewer
    /// the more was reported.
    pub(super) fn candidates<N: Iterator>(&self, names: N) -> std::iter::Take<N> {
        names.take(if self.is_full() {
            0
        } else {
            COMPARED / (1 + self.diagnostics.len())
        })
    }

    /// Drops what is reported from now on of a place where what was reported makes what is read a guess.
    pub(super) fn doubt(&mut self, place: Place) {
        self.diagnostics.doubt(place.source, place.span);
    }

    /// Counts a problem that is not reported, since enough are.
    pub(super) fn count(&mut self, code: Code, place: Place) {
        self.diagnostics.count(code, place.source, place.span);
    }

    /// Returns true if a problem of this kind was reported.
    pub(super) fn has(&self, code: Code) -> bool {
        self.diagnostics.iter().any(|found| found.code == code)
    }

    /// Takes back what something else explains.
    pub(super) fn withdraw(&mut self, codes: &[Code]) {
        self.diagnostics
            .retain(|found| !codes.contains(&found.code));
    }

    /// Those of the reports, in the order of their places.
    pub(super) fn found(&self, is_one: impl Fn(&Diagnostic) -> bool) -> Vec<Diagnostic> {
        let found = self.diagnostics.iter().filter(|one| is_one(one));
        let mut found: Vec<Diagnostic> = found.cloned().collect();
        found.sort_by_key(|one| one.place().map(|at| at.span.start));
        found
    }

    /// Takes back those of the reports.
    pub(super) fn withdraw_those(&mut self, is_one: impl Fn(&Diagnostic) -> bool) {
        self.diagnostics.retain(|found| !is_one(found));
    }

    /// Takes back what was reported of a place.
    pub(super) fn withdraw_at(&mut self, code: Code, place: Place) {
        self.diagnostics.withdraw(code, place.source, place.span);
    }

    pub(super) fn error_count(&self) -> usize {
        self.diagnostics.error_count()
    }
}

/// A diagnostic with its primary label.
pub(super) fn problem(
    code: Code,
    message: impl Into<String>,
    place: Place,
    label: impl Into<String>,
) -> Diagnostic {
    Diagnostic::new(code, message).primary(place.source, place.span, label)
}

/// `there is no <sort> …`, with the nearest name that does exist, or else other help.
pub(super) fn unknown<'n>(
    code: Code,
    sort: &str,
    name: &Name,
    place: Place,
    candidates: impl IntoIterator<Item = &'n str>,
    otherwise: &str,
) -> Diagnostic {
    let diagnostic = problem(
        code,
        format!("there is no {sort} `{}`", name.text),
        place,
        "not declared",
    );
    match suggest(&name.text, candidates) {
        Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
        None => diagnostic.help(otherwise),
    }
}

/// A second declaration of a name that stands already.
pub(super) fn duplicate(sort: &str, name: &str, again: Place, first: Place) -> Diagnostic {
    problem(
        Code::DuplicateDeclaration,
        format!("the {sort} `{name}` is declared twice"),
        again,
        "declared again here",
    )
    .secondary(first.source, first.span, "first declared here")
    .help("rename or remove one of the two")
}
