//! Whatever is in a file of results, its reader ends in what it reads or in an error.

use brigade_tools::optima::Optima;
use brigade_tools::survey::Survey;

use crate::damage::{files, never_panics_on_text};

#[test]
fn results_of_benchmarks() {
    let sound = files(&["docs/results"], ".jsonl");
    never_panics_on_text(&sound, |text| {
        let _ = Optima::parse(text);
        let _ = Optima::recover(text);
        let _ = Survey::parse(text);
        let _ = Survey::recover(text);
    });
}
