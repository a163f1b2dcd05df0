//! The folder in which snapshots of reports are kept.

/// The settings of snapshots in `snapshots/diagnostics`.
pub(crate) fn snapshots() -> insta::Settings {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/snapshots/diagnostics"
    ));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings
}
