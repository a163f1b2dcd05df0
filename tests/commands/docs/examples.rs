//! Blocks of ```` ```pddl ````.
//!
//! A block holds a whole file: a domain, checked for itself, or a problem, checked and compiled with
//! the domain of that name that stands before it on the page; or a stream, checked with the problem before it
//! that it names. Further words say otherwise:
//!
//! - `in NAME`: the block holds sections that are added to the domain or problem of that name.
//! - `refused CODE …`: exactly these diagnostics are reported; `refused grounding`: the front end
//!   accepts it, the grounder does not.
//! - `NAME.pddl`: the commands of the page find the block as a file of that name.

use std::collections::BTreeSet;

use brigade::diagnostics::{Colour, Diagnostics, Sources, render_all};
use brigade::sema::Files;
use brigade::stream::lay_over;
use brigade::syntax::ast::{Domain, Name, Stream};
use brigade::syntax::format::format;
use brigade::syntax::printer::print_problem;
use brigade::syntax::{File, parse_domain, parse_file, parse_problem, parse_stream};
use brigade::{ground, sema};

use crate::docs::markdown::{Block, blocks};
use crate::docs::read;

/// The domains and problems of a page so far: their names and texts.
#[derive(Default)]
struct Page {
    domains: Vec<(String, String)>,
    /// With the names of their domains.
    problems: Vec<(String, String, String)>,
}

/// The result of running an example.
#[derive(Default)]
struct Answer {
    codes: BTreeSet<String>,
    rendered: String,
}

impl Answer {
    fn add(&mut self, diagnostics: &mut Diagnostics, sources: &Sources) {
        diagnostics.sort();
        let codes = diagnostics.iter().map(|d| d.code.to_string());
        self.codes.extend(codes);
        self.rendered
            .push_str(&render_all(diagnostics, sources, Colour::Plain));
    }
}

fn name(name: Option<&Name>) -> String {
    name.map(|name| name.text.to_string()).unwrap_or_default()
}

/// The semantics to check a domain under: all that it declares.
fn semantics(domain: &Domain) -> Vec<String> {
    match domain.semantics.as_slice() {
        [] => vec!["clean".to_owned()],
        declared => declared.iter().map(|name| name.text.to_string()).collect(),
    }
}

/// Checks a domain, alone or with a problem, which is then also compiled.
fn check(domain_text: &str, problem_text: Option<&str>) -> Answer {
    let mut sources = Sources::new();
    let domain_source = sources.add("domain.pddl", domain_text);
    let files = Files {
        domain: domain_source,
        problem: problem_text.map_or(domain_source, |text| sources.add("problem.pddl", text)),
    };
    let mut answer = Answer::default();
    let mut read = Diagnostics::new();
    let domain = parse_domain(files.domain, domain_text, &mut read);
    let problem = problem_text.map(|text| parse_problem(files.problem, text, &mut read));
    for semantics in semantics(&domain) {
        let mut diagnostics = read.clone();
        let options = sema::Options::default().with_semantics(semantics);
        if let Some(problem) = &problem {
            let model = sema::resolve(&domain, problem, &options, files, &mut diagnostics);
            let task = model.map(|model| ground::ground(&model, &ground::Options::default()));
            if let Some(Err(error)) = task {
                answer.codes.insert("grounding".to_owned());
                answer.rendered.push_str(&format!("{error}\n"));
            }
        } else {
            sema::resolve_domain(&domain, &options, files.domain, &mut diagnostics);
        }
        answer.add(&mut diagnostics, &sources);
    }
    answer
}

/// A definition with more sections before its last parenthesis.
fn extended(definition: &str, sections: &str) -> String {
    let end = definition.rfind(')').expect("a definition ends with `)`");
    format!("{}\n{sections})\n", &definition[..end])
}

impl Page {
    fn domain(&self, name: &str) -> Option<&str> {
        let mut domains = self.domains.iter();
        let found = domains.find(|(other, _)| other.eq_ignore_ascii_case(name));
        found.map(|(_, text)| text.as_str())
    }

    /// Checks a block, and remembers what it defines.
    fn check(&mut self, block: &Block) -> Answer {
        let mut words = block.info.iter().skip_while(|word| *word != "in").skip(1);
        if let Some(base) = words.next() {
            return self.check_sections(base, &block.text);
        }
        let source = Sources::new().add("example.pddl", &block.text);
        match parse_file(source, &block.text, &mut Diagnostics::new()) {
            Some(File::Problem(problem)) => {
                let domain = name(problem.domain.as_ref());
                let Some(text) = self.domain(&domain) else {
                    panic!("line {}: no domain `{domain}` before this", block.line);
                };
                let answer = check(text, Some(&block.text));
                let name = name(problem.name.as_ref());
                self.problems.push((name, domain, block.text.clone()));
                answer
            }
            Some(File::Stream(stream)) => self.check_stream(stream, &block.text),
            Some(File::Domain(domain)) => {
                let name = name(domain.name.as_ref());
                self.domains.push((name, block.text.clone()));
                check(&block.text, None)
            }
            None => check(&block.text, None),
        }
    }

    /// Checks a stream laid over the problem before it that it names.
    fn check_stream(&self, stream: Stream, text: &str) -> Answer {
        let of = name(stream.problem.as_ref());
        let mut known = self.problems.iter();
        let Some((_, domain, problem)) = known.find(|(name, ..)| *name == of) else {
            panic!("no problem `{of}` before this stream:\n{text}");
        };
        let (mut sources, mut found) = (Sources::new(), Diagnostics::new());
        let source = sources.add("stream.pddl", text);
        parse_stream(source, text, &mut found);
        let mut problem = parse_problem(source, problem, &mut found);
        lay_over(&mut problem, stream, (source, 0), &mut found);
        assert!(
            found.is_empty(),
            "{}",
            render_all(&found, &sources, Colour::Plain)
        );
        check(
            self.domain(domain).unwrap_or_default(),
            Some(&print_problem(&problem)),
        )
    }

    fn check_sections(&self, base: &str, sections: &str) -> Answer {
        if let Some(text) = self.domain(base) {
            let text = extended(text, sections);
            let problem = self.problems.iter().find(|(_, domain, _)| domain == base);
            return check(&text, problem.map(|(_, _, text)| text.as_str()));
        }
        let problem = self.problems.iter().find(|(name, ..)| name == base);
        let Some((_, domain, text)) = problem else {
            panic!("no domain or problem `{base}` before this");
        };
        let domain = self.domain(domain).unwrap_or_default();
        check(domain, Some(&extended(text, sections)))
    }
}

#[test]
fn every_example_of_the_language_is_accepted_or_refused_as_it_says() {
    let mut wrong = Vec::new();
    for path in [
        "README.md",
        "CONTRIBUTING.md",
        "docs/how-to/classical.md",
        "docs/how-to/asynchronous-cooking.md",
        "docs/how-to/environment-rules.md",
        "docs/how-to/porting-pddl.md",
        "docs/how-to/several-agents.md",
        "docs/explanation/walk.md",
        "docs/reference/language.md",
        "docs/how-to/mistakes.md",
        "docs/tutorials/two-cooks.md",
    ] {
        let mut page = Page::default();
        for block in blocks(&read(path)).iter().filter(|block| block.is("pddl")) {
            let answer = page.check(block);
            let mut words = block.info.iter().skip_while(|word| *word != "refused");
            words.next();
            let expected: BTreeSet<String> = words.cloned().collect();
            if answer.codes != expected {
                wrong.push(format!(
                    "{path}:{}: expected {expected:?}, found {:?}\n{}",
                    block.line, answer.codes, answer.rendered
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_files_of_the_tutorial_are_in_the_canonical_layout() {
    let page = read("docs/tutorials/first-domain.md");
    for block in blocks(&page).iter().filter(|block| block.is("pddl")) {
        let source = Sources::new().add("example.pddl", &block.text);
        let formatted = format(source, &block.text, &mut Diagnostics::new());
        assert_eq!(formatted.as_ref(), Ok(&block.text), "line {}", block.line);
    }
}

#[test]
fn the_language_reference_names_every_section() {
    let page = read("docs/reference/language.md");
    for text in [
        "(define (domain d) (:qqqqqqqq))",
        "(define (problem p) (:domain d) (:qqqqqqqq))",
    ] {
        let mut diagnostics = Diagnostics::new();
        let source = Sources::new().add("unknown.pddl", text);
        parse_file(source, text, &mut diagnostics);
        let help: String = diagnostics.iter().flat_map(|d| d.help.clone()).collect();
        let sections: Vec<&str> = help.split('`').skip(1).step_by(2).collect();
        assert!(sections.len() > 5, "{help}");
        for section in sections {
            assert!(page.contains(&format!("`({section}")), "{section}");
        }
    }
}
