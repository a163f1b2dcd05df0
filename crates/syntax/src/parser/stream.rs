//! Stream files.

use super::super::ast::{Name, Stream};
use super::super::tree::Tree;
use super::context::Context;
use super::present::{PROBLEM_SECTIONS, STREAM_SECTIONS};
use brigade_diagnostics::Code;
use brigade_diagnostics::span::Span;

impl Context<'_> {
    pub(super) fn stream(
        &mut self,
        name: Option<Name>,
        sections: &[Tree<'_>],
        span: Span,
    ) -> Stream {
        let mut stream = Stream {
            name,
            span,
            ..Stream::default()
        };
        for section in self.sections(sections, "stream", STREAM_SECTIONS, PROBLEM_SECTIONS) {
            let items = section.items;
            match section.key {
                "domain" => {
                    let name = self.only(&section);
                    stream.domain = name.and_then(|name| self.name(name, "the name of a domain"));
                }
                "problem" => {
                    let name = self.only(&section);
                    stream.problem = name.and_then(|name| self.name(name, "the name of a problem"));
                }
                "requirements" => stream.requirements.extend(self.requirements(items)),
                "objects" => {
                    let (all, private) = (&mut stream.objects, &mut stream.private_objects);
                    self.objects(items, all, private);
                }
                _ => stream.init.extend(self.init_items(items)),
            }
        }
        if stream.domain.is_none() && !self.is_unbalanced() {
            let at = stream.name.as_ref().map_or(span, |name| name.span);
            let message = "the stream does not name its domain";
            let diagnostic = self.at(Code::MissingPart, at, message, "");
            self.push(diagnostic.help("add `(:domain name)`"));
        }
        stream
    }
}
