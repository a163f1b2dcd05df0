//! Columns of tables that the command line asks for: formulas of totals, as those of bench files.

use indexmap::IndexMap;

use crate::cli::exit::{Failure, Result};
use crate::report::formula::Formula;

/// The columns of `NAME=FORMULA` or `FORMULA`, in that order, by title.
pub(super) fn columns(asked: &[String]) -> Result<IndexMap<String, Formula>> {
    let columns = asked.iter().map(|text| {
        let (title, of) = match text.split_once('=') {
            Some((title, of)) => (title.trim(), of),
            None => (text.trim(), &**text),
        };
        let formula = Formula::read(of).map_err(|reason| {
            Failure::usage(
                format!("`{of}` is no formula of totals: {reason}"),
                "give one such as `--column 'CoS=completed / (completed + failed)'`",
            )
        })?;
        Ok((title.to_owned(), formula))
    });
    columns.collect()
}
