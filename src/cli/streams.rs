//! Streams that the command line lays over a problem.

use std::borrow::Cow;

use super::args::DomainArgs;
use super::exit::{Failure, Result};
use super::load::Session;
use crate::diagnostics::SourceId;
use crate::syntax::ast::Problem;
use crate::{stream, syntax};

impl Session {
    /// A problem with the streams that are laid over it. Their places continue those of the problem: what is
    /// reported later is to be parted.
    pub(super) fn with_streams<'p>(
        &mut self,
        source: SourceId,
        problem: &'p Problem,
        args: &DomainArgs,
    ) -> Result<Cow<'p, Problem>> {
        let mut laid = Cow::Borrowed(problem);
        let mut parts = Vec::new();
        for path in &args.init {
            if let Some(part) = self.add_file(path)? {
                parts.push((part, path.display().to_string()));
            }
        }
        for (text, number) in args.streams.iter().zip(1..) {
            let name = format!("stream {number} of the log");
            let bytes = text.clone().into_bytes();
            let part = self.sources.add_bytes(&*name, bytes, &mut self.diagnostics);
            parts.extend(part.map(|part| (part, name)));
        }
        for (part, name) in parts {
            let text = self.sources.text(part);
            let stream = syntax::parse_stream(part, text, &mut self.diagnostics);
            self.streams.push(text.to_owned());
            let Some(offset) = self.sources.join(source, part) else {
                return Err(Failure::usage(
                    format!("{name}: the streams are too large together"),
                    "lay fewer or smaller streams over the problem",
                ));
            };
            let place = (source, offset);
            stream::lay_over(laid.to_mut(), stream, place, &mut self.diagnostics);
        }
        Ok(laid)
    }
}
