//! The typed pass: superset tree → AST.
//!
//! Every function here takes a tree and answers with an AST node, reporting what is wrong and
//! going on: a list item that cannot be read becomes an `Error` node or is left out, its
//! neighbours are read all the same. Names are not resolved here, so a problem of a name is
//! never reported by this pass.

mod action;
mod aliases;
mod bodies;
mod construct;
mod context;
mod dashes;
mod domain;
mod durative;
mod effect;
mod entry;
mod fields;
mod fluent_clauses;
mod fluents;
mod formula;
mod headless;
mod init;
mod keyless;
mod large;
mod layout;
mod loose;
mod misspelt;
mod present;
mod privacy;
mod private_block;
mod problem;
mod ranges;
mod requirements;
mod sections;
mod stray;
mod stream;
mod template;
mod term;
mod typed;
mod variables;
mod vocabulary;

use bumpalo::Bump;

use super::ast;
use super::balance::balance;
use super::foreign::translate;
use super::tree::{self, Tree};
use brigade_diagnostics::span::Span;
use brigade_diagnostics::{Code, Diagnostic, Diagnostics, SourceId, suggest};
pub use construct::{
    constructs, instead_of_construct, is_construct, is_reserved, not_supported_word,
};
use context::Context;
use present::{DOMAIN_SECTIONS, PROBLEM_SECTIONS, STREAM_SECTIONS};
pub use requirements::{REQUIREMENTS, suggest_requirement};
use vocabulary::Vocabulary;

/// The content of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum File {
    /// `(define (domain …) …)`.
    Domain(ast::Domain),
    /// `(define (problem …) …)`.
    Problem(ast::Problem),
    /// `(define (stream …) …)`.
    Stream(ast::Stream),
}

/// Reads a domain file. Whatever is wrong with it is reported; the answer then holds what could
/// be read.
pub fn parse_domain(source: SourceId, text: &str, diagnostics: &mut Diagnostics) -> ast::Domain {
    match parse(source, text, Some(Kind::Domain), diagnostics) {
        Some(File::Domain(domain)) => domain,
        _ => ast::Domain::default(),
    }
}

/// Reads a problem file. Whatever is wrong with it is reported; the answer then holds what could
/// be read.
pub fn parse_problem(source: SourceId, text: &str, diagnostics: &mut Diagnostics) -> ast::Problem {
    match parse(source, text, Some(Kind::Problem), diagnostics) {
        Some(File::Problem(problem)) => problem,
        _ => ast::Problem::default(),
    }
}

/// Reads a stream file. Whatever is wrong with it is reported; the answer then holds what could be read.
pub fn parse_stream(source: SourceId, text: &str, diagnostics: &mut Diagnostics) -> ast::Stream {
    match parse(source, text, Some(Kind::Stream), diagnostics) {
        Some(File::Stream(stream)) => stream,
        _ => ast::Stream::default(),
    }
}

/// Reads a file that may be any of them. `None` if it is none, which is reported.
pub fn parse_file(source: SourceId, text: &str, diagnostics: &mut Diagnostics) -> Option<File> {
    parse(source, text, None, diagnostics)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Domain,
    Problem,
    Stream,
}

impl Kind {
    const ALL: [Self; 3] = [Self::Domain, Self::Problem, Self::Stream];

    const fn word(self) -> &'static str {
        match self {
            Self::Domain => "domain",
            Self::Problem => "problem",
            Self::Stream => "stream",
        }
    }

    /// The kind that a definition of this one is taken for by mistake.
    const fn other(self) -> Self {
        match self {
            Self::Domain => Self::Problem,
            Self::Problem | Self::Stream => Self::Domain,
        }
    }

    const fn sections(self) -> &'static [&'static str] {
        match self {
            Self::Domain => DOMAIN_SECTIONS,
            Self::Problem => PROBLEM_SECTIONS,
            Self::Stream => STREAM_SECTIONS,
        }
    }
}

fn parse(
    source: SourceId,
    text: &str,
    wanted: Option<Kind>,
    diagnostics: &mut Diagnostics,
) -> Option<File> {
    if text.len() > brigade_diagnostics::MAX_SOURCE_BYTES {
        let message = format!("the text has {} bytes, which is too large", text.len());
        diagnostics.push(Diagnostic::new(Code::SourceTooLarge, message));
        return None;
    }
    let text = &translate(source, text, diagnostics);
    let balanced = balance(source, text, diagnostics)?;
    let arena = Bump::new();
    let forest = tree::read(&arena, source, &balanced.text, 0, diagnostics);
    for &span in &balanced.damaged {
        diagnostics.doubt(source, span);
    }
    let mut context = Context::new(source, &arena, diagnostics);
    let mut definition = definition(&mut context, &forest.trees, wanted)?;
    let sections = context.enclosed(definition.sections);
    definition.sections = &sections;
    let end = text.len().min(definition.tree.span.end as usize) as u32;
    let span = Span::new(definition.tree.span.start, end);
    let file = match definition.kind {
        Kind::Domain => {
            context.vocabulary = Vocabulary::of_domain(definition.sections);
            let domain = context.domain(definition.name, definition.sections, span);
            File::Domain(domain)
        }
        Kind::Problem => {
            context.vocabulary = Vocabulary::of_problem(definition.sections);
            let problem = context.problem(definition.name, definition.sections, span);
            File::Problem(problem)
        }
        Kind::Stream => {
            context.vocabulary = Vocabulary::of_problem(definition.sections);
            File::Stream(context.stream(definition.name, definition.sections, span))
        }
    };
    context.settle_bodies(&sections);
    Some(file)
}

/// `(define (kind name) section…)`, taken apart.
struct Definition<'t, 's> {
    kind: Kind,
    tree: &'t Tree<'s>,
    name: Option<ast::Name>,
    sections: &'t [Tree<'s>],
}

const SHAPE: &str = "a file is one `(define (domain name) …)` or `(define (problem name) …)`";

fn definition<'t, 's>(
    context: &mut Context<'_>,
    trees: &'t [Tree<'s>],
    wanted: Option<Kind>,
) -> Option<Definition<'t, 's>> {
    let defines = |tree: &&Tree<'_>| {
        let head = tree.items().and_then(<[_]>::first);
        head.is_some_and(|head| head.is_name("define"))
    };
    let mut definitions = trees.iter().filter(defines);
    let Some(tree) = definitions.next() else {
        let (span, found) = match trees.first() {
            Some(tree) => (tree.mark(), tree.describe()),
            None => (Span::default(), "nothing".to_owned()),
        };
        if !context.diagnostics.has_errors() {
            let message = "this file defines neither a domain nor a problem";
            let at = context.at(
                Code::NotADefinition,
                span,
                message,
                format!("found {found}"),
            );
            let head = trees.first().and_then(Tree::items).and_then(<[_]>::first);
            let head = head.and_then(Tree::name).unwrap_or_default();
            let near = suggest(head, ["define"]).map(|near| format!("did you mean `{near}`?"));
            context.push(at.help(near.unwrap_or_else(|| SHAPE.to_owned())));
        }
        return None;
    };
    if let Some(extra) = trees.iter().find(|other| other.span != tree.span) {
        let message = "a file holds one definition and nothing else";
        let at = context.at(Code::TrailingText, extra.mark(), message, "not part of it");
        let at = at.secondary(context.source, tree.mark(), "the definition");
        context.push(at.help("put each domain and each problem into a file of its own"));
    }
    let items = tree.items().unwrap_or_default();
    let header = items
        .get(1)
        .and_then(|header| Some((header, header.items()?)));
    let kind = header.and_then(|(_, items)| {
        let head = items.first()?;
        Kind::ALL.into_iter().find(|kind| head.is_name(kind.word()))
    });
    // Its parenthesis is missing, which is reported.
    let bare = Kind::ALL
        .into_iter()
        .find(|kind| items.get(1).is_some_and(|word| word.is_name(kind.word())));
    if let (Some(kind), [_, _, name, sections @ ..]) = (bare, items)
        && context.diagnostics.has_errors()
    {
        return Some(Definition {
            kind,
            tree,
            name: context.name(name, &format!("the name of the {}", kind.word())),
            sections,
        });
    }
    let (Some((header, header_items)), Some(kind)) = (header, kind) else {
        let span = items.get(1).map_or(tree.mark(), Tree::mark);
        let message = "the definition does not say what it defines";
        let at = context.at(
            Code::NotADefinition,
            span,
            message,
            "expected `(domain name)` or `(problem name)`",
        );
        let head = header
            .and_then(|(_, items)| items.first()?.name())
            .unwrap_or_default();
        let near = suggest(head, Kind::ALL.map(Kind::word));
        let near = near.map(|near| format!("did you mean `{near}`?"));
        context.push(at.help(near.unwrap_or_else(|| SHAPE.to_owned())));
        return None;
    };
    let sections = &items[2..];
    let kind = kind_by_sections(context, kind, &header_items[0], sections);
    if wanted.is_some_and(|wanted| wanted != kind) {
        let other = wanted.map_or("", Kind::word);
        let message = format!("this is a {}, but a {other} is needed here", kind.word());
        let label = format!("defines a {}", kind.word());
        let at = context.at(Code::WrongKindOfFile, header.mark(), message, label);
        context.push(at.help(match kind {
            Kind::Domain => "give a problem file here, and this one after `--domain`",
            Kind::Stream => "give it after `--init`, with the problem that it is laid over",
            Kind::Problem if wanted == Some(Kind::Stream) => {
                "a stream is `(define (stream name) …)`, with objects and facts to lay over a problem"
            }
            Kind::Problem => "give the file that defines the domain: `(define (domain name) …)`",
        }));
        return None;
    }
    let name = if let [_, name] = header_items {
        context.name(name, &format!("the name of the {}", kind.word()))
    } else {
        let message = format!("expected `({} name)`", kind.word());
        context.error(Code::NotADefinition, header.span, message, "");
        None
    };
    Some(Definition {
        kind,
        tree,
        name,
        sections,
    })
}

/// Returns the kind of a definition by its sections, where several are of the other kind and none of the one that its
/// head says, which is reported.
fn kind_by_sections(
    context: &mut Context<'_>,
    said: Kind,
    head: &Tree<'_>,
    sections: &[Tree<'_>],
) -> Kind {
    let other = said.other();
    let has = |kind: Kind, keyword: &str| {
        let mut keys = kind.sections().iter();
        keys.any(|key| key.eq_ignore_ascii_case(keyword))
    };
    let mut of_other = Vec::new();
    for section in sections {
        let keyword = section.items().and_then(|items| items.first()?.keyword());
        let Some(keyword) = keyword else { continue };
        match (has(said, keyword), has(other, keyword)) {
            (true, false) => return said,
            (false, true) => of_other.push(section),
            _ => {}
        }
    }
    let [section, _, ..] = of_other[..] else {
        return said;
    };
    let message = format!(
        "this is called a {}, but its sections are those of a {}",
        said.word(),
        other.word()
    );
    let at = context.at(
        Code::NotADefinition,
        head.span,
        message,
        format!("did you mean `{}`?", other.word()),
    );
    let label = format!("a section of a {}", other.word());
    let at = at.secondary(context.source, section.mark(), label);
    context.push(
        at.help(format!("begin it with `(define ({} name)`", other.word()))
            .mended(),
    );
    other
}
