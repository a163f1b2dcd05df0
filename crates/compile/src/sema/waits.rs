//! How long one command of an agent may ask to wait, under the semantics chosen.

use super::context::Context;
use super::report::{File, problem};
use super::requirements::Need;
use brigade_diagnostics::Code;
use brigade_syntax::ast::{Domain, WaitLimit};

impl Context<'_> {
    /// The longest wait: the limit for the semantics chosen, else the one that names none. All are
    /// checked.
    pub(super) fn longest_wait(&mut self, domain: &Domain) -> Option<u32> {
        let (mut chosen, mut general) = (None, None);
        for limit in &domain.waits {
            self.need(File::Domain, Need::MultiAgent, limit.span);
            let most = self.timesteps(limit);
            match &limit.semantics {
                None => general = most,
                Some(name) => {
                    let place = self.place(File::Domain, name.span);
                    if self.is_chosen(name, place) {
                        chosen = most;
                    }
                }
            }
        }
        chosen.or(general)
    }

    fn timesteps(&mut self, limit: &WaitLimit) -> Option<u32> {
        let most = u32::try_from(limit.most).ok().filter(|&most| most > 0);
        if most.is_none() {
            let place = self.place(File::Domain, limit.span);
            self.push(
                problem(
                    Code::BadTime,
                    format!("{} is not a number of timesteps to wait", limit.most),
                    place,
                    format!("must be from 1 to {}", u32::MAX),
                )
                .help("give the greatest n for which `wait(n)` is a command"),
            );
        }
        most
    }
}
