//! The stop signal that whoever waits for a server polls.

use std::sync::Arc;
use std::time::Duration;

use brigade_search::StopReason;

/// Says why to stop, if so. Whoever waits for a server asks it about twenty times a second. Once it
/// has said so, the chat answers no more questions.
pub type Stop = Arc<dyn Fn() -> Option<StopReason> + Send + Sync>;

/// The time after which one who waits asks again whether to stop.
pub(super) const LOOK_EVERY: Duration = Duration::from_millis(50);
