//! Opening a page in the browser of the system.

use std::path::Path;

use crate::cli::printer::Printer;

/// Opens a page. That there is no browser is no failure: the page is there, and its path was printed.
pub(super) fn open(printer: &Printer, page: &Path) {
    if !has_screen() {
        return;
    }
    if let Err(error) = ::open::that_detached(page) {
        printer.note(&format!("no browser was opened: {error}"));
    }
}

/// Returns false where nobody could see a browser, as in a session by SSH.
fn has_screen() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(any(windows, target_os = "macos")) || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")
}
