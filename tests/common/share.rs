//! The sample that tests take of many like cases: a share, so that they end within minutes, and all of it where
//! `BRIGADE_THOROUGH` is set.

/// Returns whether what takes long is asked for.
pub(crate) fn is_thorough() -> bool {
    std::env::var_os("BRIGADE_THOROUGH").is_some()
}

/// Every `nth`, starting with the first.
pub(crate) fn share<T>(all: impl IntoIterator<Item = T>, nth: usize) -> Vec<T> {
    let step = if is_thorough() { 1 } else { nth };
    all.into_iter().step_by(step).collect()
}
