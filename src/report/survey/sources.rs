//! The texts that results are derived from: their compilation, their level, and what identifies them.

use super::derive::SurveyError;
use crate::diagnostics::{Colour, Diagnostics, Sources, render_all};
use crate::ground;
use crate::sema::{Files, Options, resolve};
use crate::syntax::tree::{self, Node, Tree};
use crate::syntax::{parse_domain, parse_problem};
use crate::task::Task;

/// A problem and its domain.
#[derive(Clone, Copy, Debug)]
pub struct Texts<'a> {
    /// The domain file's text.
    pub domain: &'a str,
    /// The problem file's text.
    pub problem: &'a str,
}

/// What a page of results needs to know of a benchmark: a domain and its problems.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Benchmark {
    /// The semantics that the domain declares; `clean` alone where it declares none.
    pub semantics: Vec<String>,
    /// The problems, by level, then name.
    pub problems: Vec<Entry>,
}

/// A problem of a benchmark.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// Its level.
    pub level: u32,
    /// Its name.
    pub problem: String,
    /// What identifies its texts; see [`Texts::fingerprint`].
    pub sources: String,
}

impl Benchmark {
    /// Describes a benchmark by its domain's text, and its problems' names and texts. A problem that
    /// names no level does not belong to it.
    pub fn new<'a>(domain: &str, problems: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let source = Sources::new().add("domain", domain);
        let declared = parse_domain(source, domain, &mut Diagnostics::new()).semantics;
        let mut semantics: Vec<String> = declared.into_iter().map(|name| name.text).collect();
        if semantics.is_empty() {
            semantics.push(Options::default().semantics);
        }
        let entry = |(name, problem): (&str, &str)| {
            let texts = Texts { domain, problem };
            Some(Entry {
                level: texts.level()?,
                problem: name.to_owned(),
                sources: texts.fingerprint(),
            })
        };
        let mut problems: Vec<Entry> = problems.into_iter().filter_map(entry).collect();
        problems.sort();
        Self {
            semantics,
            problems,
        }
    }
}

impl Texts<'_> {
    /// Compiles the problem, for finding plans.
    pub fn compile(&self, semantics: &str) -> Result<Task, SurveyError> {
        self.compile_with(semantics, &ground::Options::default())
    }

    /// Compiles the problem.
    pub fn compile_with(
        &self,
        semantics: &str,
        options: &ground::Options,
    ) -> Result<Task, SurveyError> {
        let mut sources = Sources::new();
        let mut diagnostics = Diagnostics::new();
        let files = Files {
            domain: sources.add("domain", self.domain),
            problem: sources.add("problem", self.problem),
        };
        let domain = parse_domain(files.domain, self.domain, &mut diagnostics);
        let problem = parse_problem(files.problem, self.problem, &mut diagnostics);
        let named = Options {
            semantics: semantics.to_owned(),
        };
        let Some(model) = resolve(&domain, &problem, &named, files, &mut diagnostics) else {
            diagnostics.sort();
            let report = render_all(&diagnostics, &sources, Colour::Plain);
            return Err(SurveyError::Text(report));
        };
        Ok(ground::ground(&model, options)?)
    }

    /// The level that the first line of the problem names: `; Collab-Overcooked, level 3.`
    pub fn level(&self) -> Option<u32> {
        let first = self.problem.lines().next()?;
        let (_, rest) = first.strip_prefix(';')?.rsplit_once("level ")?;
        rest.trim().trim_end_matches('.').parse().ok()
    }

    /// What identifies the texts as far as plans go: the 64-bit FNV-1a hash of their tokens. Comments,
    /// layout, case, descriptions in words (`:text`) and reasons (`else`) are left out.
    pub fn fingerprint(&self) -> String {
        let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
        for text in [self.domain, self.problem] {
            let source = Sources::new().add("text", text);
            let forest = tree::read(source, text, 0, &mut Diagnostics::new());
            hash.list(&forest.trees);
        }
        format!("fnv1a64:{:016x}", hash.0)
    }
}

/// The FNV-1a hash of tokens.
struct Fnv(u64);

impl Fnv {
    /// Takes in a token: what kind it is, and its text in lower case. A text never holds a line break.
    fn token(&mut self, kind: u8, text: &str) {
        let text = text.bytes().map(|byte| byte.to_ascii_lowercase());
        for byte in std::iter::once(kind).chain(text).chain([b'\n']) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// Takes in the items of a list; the reader bounds how deeply lists are nested.
    fn list(&mut self, items: &[Tree<'_>]) {
        self.token(b'(', "");
        let mut items = items.iter();
        let mut is_reason = false;
        while let Some(item) = items.next() {
            match &item.node {
                _ if item.is_keyword("text") => {
                    items.next();
                }
                Node::Text(_) if is_reason => {}
                Node::List(inner) => self.list(inner),
                Node::Name(text) => self.token(b'n', text),
                Node::Variable(text) => self.token(b'?', text),
                Node::Keyword(text) => self.token(b':', text),
                Node::Number(text) => self.token(b'0', text),
                Node::Text(text) => self.token(b'"', text),
                Node::Junk => self.token(b'!', ""),
            }
            is_reason = item.is_name("else");
        }
        self.token(b')', "");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOMAIN: &str = "
        (define (domain tea)
          (:predicates (hot))
          (:action boil
            :parameters ()
            :precondition (else \"it is hot already\" (not (hot)))
            :effect (hot)
            :label \"boil()\" :text \"boil it\"))";
    const PROBLEM: &str = "; Tea, level 12.\n(define (problem p) (:domain tea) (:goal (hot)))";

    fn fingerprint(domain: &str) -> String {
        let problem = PROBLEM;
        Texts { domain, problem }.fingerprint()
    }

    #[test]
    fn what_is_said_in_words_does_not_identify_a_text() {
        let same = DOMAIN
            .replace("already", "indeed")
            .replace("boil it", "heat it")
            .replace("(hot)\n", "(HOT) ; a comment\n\n");
        assert_ne!(same, DOMAIN);
        assert_eq!(fingerprint(&same), fingerprint(DOMAIN));
    }

    #[test]
    fn what_plans_may_depend_on_identifies_a_text() {
        for (old, new) in [
            ("boil()", "cook()"),
            ("(not (hot))", "(hot)"),
            ("(hot))\n", "(hot) (cold))\n"),
            ("boil\n", "heat\n"),
        ] {
            let other = DOMAIN.replace(old, new);
            assert_ne!(other, DOMAIN);
            assert_ne!(fingerprint(&other), fingerprint(DOMAIN), "{new}");
        }
    }

    #[test]
    fn the_level_is_the_one_that_the_first_line_names() {
        let level = |problem| {
            let domain = DOMAIN;
            Texts { domain, problem }.level()
        };
        assert_eq!(level(PROBLEM), Some(12));
        assert_eq!(level("; Tea.\n; level 3"), None);
        assert_eq!(level(""), None);
    }

    #[test]
    fn a_text_with_errors_is_refused_with_a_report() {
        let texts = Texts {
            domain: DOMAIN,
            problem: "(define (problem p) (:domain tea) (:goal (cold)))",
        };
        let error = texts.compile("clean").unwrap_err().to_string();
        assert!(error.contains("cold"), "{error}");
    }
}
