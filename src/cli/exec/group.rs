//! The groups of processes that were started: a program is ended with all that it has started itself.

use std::collections::BTreeSet;
use std::io;
use std::process::{Child, Command};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Those that run; `None` once none may be started any more.
static RUNNING: Mutex<Option<BTreeSet<u32>>> = Mutex::new(Some(BTreeSet::new()));

fn running() -> MutexGuard<'static, Option<BTreeSet<u32>>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A process that is the first of its group. Dropped, the group is ended.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) child: Child,
}

impl Group {
    /// Starts a command in a group of its own, so that signals of a terminal do not reach it.
    pub(super) fn start(command: &mut Command) -> io::Result<Self> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        let mut running = running();
        let Some(running) = running.as_mut() else {
            return Err(io::Error::other("the run is interrupted"));
        };
        let child = command.spawn()?;
        running.insert(child.id());
        Ok(Self { child })
    }

    /// Ends all processes of the group.
    pub(super) fn end(&mut self) {
        if let Some(running) = running().as_mut() {
            running.remove(&self.child.id());
        }
        end(self.child.id());
        // Where there are no groups at least the program itself is ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.end();
    }
}

/// Ends all groups, and lets no more be started.
pub(in crate::cli) fn end_all() {
    for id in running().take().unwrap_or_default() {
        end(id);
    }
}

#[cfg(unix)]
fn end(id: u32) {
    use nix::sys::signal::{Signal, killpg};
    use nix::unistd::Pid;

    // None is left of a group that has ended by itself.
    let _ = killpg(Pid::from_raw(id as i32), Signal::SIGKILL);
}

#[cfg(not(unix))]
fn end(_: u32) {}
