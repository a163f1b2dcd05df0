//! `brigade view` and `brigade report`: pages that show episodes, evaluations, plans and references.

mod columns;
mod episodes;
mod evaluation;
mod input;
mod logs;
mod open;
mod planned;
mod report;
mod tables;
pub(super) mod tasks;
mod view;
mod written;

pub(super) use planned::chart;
pub(super) use report::{ReportArgs, report};
pub(super) use view::{ViewPageArgs, view};
