//! A person in front of a full screen, who decides for an agent.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::terminal::{Taken, is_possible};
use super::view::{Answer, News};
use crate::agents::PolicyError;
use crate::cli::human::keyboard::LEFT;
use crate::cli::human::shown::{Entry, Shown};
use crate::cli::human::{Person, Reply};
use crate::cli::printer::Printer;
use crate::episode::EndReason;
use crate::search::Control;

/// The interval at which the end of the run is looked for.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// A full screen, which people can share. What is printed meanwhile is held back until it is dropped.
pub(in crate::cli::human) struct Screen {
    printer: Printer,
    /// `None` once it is closed.
    news: RefCell<Option<Sender<News>>>,
    answers: Receiver<Answer>,
    thread: RefCell<Option<JoinHandle<()>>>,
}

impl Screen {
    /// Returns true if there is a terminal for it.
    pub(in crate::cli::human) fn is_possible() -> bool {
        is_possible()
    }

    /// Takes the terminal over.
    pub(in crate::cli::human) fn open(printer: &Printer) -> std::io::Result<Self> {
        let taken = Taken::take()?;
        let (news, received) = mpsc::channel();
        let (answering, answers) = mpsc::channel();
        let thread = thread::Builder::new().spawn(move || taken.serve(&received, &answering))?;
        Printer::hold();
        Ok(Self {
            printer: printer.another(),
            news: RefCell::new(Some(news)),
            answers,
            thread: RefCell::new(Some(thread)),
        })
    }

    /// Shows how a game has ended, until somebody leaves.
    pub(in crate::cli::human) fn leave(&self, how: &str, control: &dyn Control) {
        self.send(News::Ended(how.to_owned()));
        while control.stop().is_none() {
            match self.answers.recv_timeout(LOOK_EVERY) {
                Err(RecvTimeoutError::Timeout) | Ok(Answer::Reply(_)) => {}
                Ok(Answer::Left) | Err(RecvTimeoutError::Disconnected) => break,
            }
        }
    }

    /// Sends news, which a screen that was left has no use for.
    fn send(&self, news: News) {
        if let Some(sender) = &*self.news.borrow() {
            let _ = sender.send(news);
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.news.take();
        if let Some(thread) = self.thread.take() {
            // A thread that has panicked has given the terminal back.
            let _ = thread.join();
        }
        self.printer.release();
    }
}

/// A person in front of a screen.
pub(in crate::cli::human) struct Seat<'c> {
    screen: Rc<Screen>,
    control: &'c dyn Control,
    agent: usize,
}

impl<'c> Seat<'c> {
    pub(in crate::cli::human) const fn new(
        screen: Rc<Screen>,
        control: &'c dyn Control,
        agent: usize,
    ) -> Self {
        Self {
            screen,
            control,
            agent,
        }
    }
}

impl Person for Seat<'_> {
    fn look(&mut self, shown: &Shown) {
        self.screen
            .send(News::Look(self.agent, Box::new(shown.clone())));
    }

    fn tell(&mut self, entry: Entry) {
        self.screen.send(News::Tell(self.agent, entry));
    }

    fn ask(&mut self, shown: &Shown) -> Result<Reply, PolicyError> {
        self.screen
            .send(News::Ask(self.agent, Box::new(shown.clone())));
        loop {
            if let Some(reason) = self.control.stop() {
                return Err(PolicyError::Limit(reason));
            }
            match self.screen.answers.recv_timeout(LOOK_EVERY) {
                Ok(Answer::Reply(reply)) => return Ok(reply),
                Err(RecvTimeoutError::Timeout) => {}
                Ok(Answer::Left) | Err(RecvTimeoutError::Disconnected) => return Err(LEFT),
            }
        }
    }

    fn hint(&mut self, _: usize, hint: &str) {
        self.screen.send(News::Hint(hint.to_owned()));
    }

    fn ended(&mut self, _: EndReason) {}
}
