//! The terminal at which people sit: line by line, or as a full screen where it can show one.

use std::rc::Rc;

use super::Person;
use super::keyboard::Keyboard;
#[cfg(feature = "full-screen")]
use super::screen::{Screen, Seat};
use super::terminal::Terminal;
use crate::cli::printer::Printer;
use crate::search::Control;

/// The terminal at which people sit. Several can share it.
pub(in crate::cli) struct Place<'c> {
    printer: &'c Printer,
    control: &'c dyn Control,
    form: Form,
}

/// The form in which a terminal is used.
enum Form {
    Lines(Rc<Keyboard>),
    #[cfg(feature = "full-screen")]
    Screen(Rc<Screen>),
}

impl Form {
    #[cfg(feature = "full-screen")]
    fn open(printer: &Printer, by_lines: bool) -> std::io::Result<Self> {
        if by_lines || !Screen::is_possible() {
            return Ok(Self::Lines(Rc::new(Keyboard::open()?)));
        }
        Ok(Self::Screen(Rc::new(Screen::open(printer)?)))
    }

    #[cfg(not(feature = "full-screen"))]
    fn open(_: &Printer, _: bool) -> std::io::Result<Self> {
        Ok(Self::Lines(Rc::new(Keyboard::open()?)))
    }
}

impl<'c> Place<'c> {
    /// Opens the terminal, line by line if that is asked for or nothing else is possible.
    pub(in crate::cli) fn open(
        printer: &'c Printer,
        control: &'c dyn Control,
        by_lines: bool,
    ) -> std::io::Result<Self> {
        Ok(Self {
            printer,
            control,
            form: Form::open(printer, by_lines)?,
        })
    }

    /// A person here who decides for an agent.
    pub(in crate::cli) fn person(&self, agent: usize, name: &str) -> Box<dyn Person + 'c> {
        match &self.form {
            Form::Lines(keyboard) => Box::new(Terminal::new(
                self.printer,
                Rc::clone(keyboard),
                self.control,
                (agent, name.to_owned()),
            )),
            #[cfg(feature = "full-screen")]
            Form::Screen(screen) => Box::new(Seat::new(Rc::clone(screen), self.control, agent)),
        }
    }

    /// Shows how a game has ended, until somebody leaves.
    #[cfg_attr(
        not(feature = "full-screen"),
        expect(unused_variables, reason = "lines are left as they are")
    )]
    pub(in crate::cli) fn leave(&self, how: &str) {
        match &self.form {
            Form::Lines(_) => {}
            #[cfg(feature = "full-screen")]
            Form::Screen(screen) => screen.leave(how, self.control),
        }
    }
}
