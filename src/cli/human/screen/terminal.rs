//! The terminal of a full screen: it is taken over, drawn on, read from, and given back.

use std::io::{BufWriter, IsTerminal, Stderr, Write};
use std::sync::mpsc::{Receiver, Sender, TryRecvError};
use std::time::Duration;

use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::event::{
    self, DisableBracketedPaste, EnableBracketedPaste, Event, KeyCode, KeyEvent, KeyModifiers,
};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::layout::Rect;
use ratatui::{Terminal, TerminalOptions, Viewport};
use terminal_size::terminal_size_of;

use super::draw::draw;
use super::view::{Answer, News, View};
use crate::cli::control::{interrupt, interrupted};

/// The interval at which news are looked for.
const LOOK_EVERY: Duration = Duration::from_millis(30);

/// A terminal that is taken over. It is given back when this is dropped.
pub(super) struct Taken {
    terminal: Terminal<CrosstermBackend<BufWriter<Stderr>>>,
}

impl Taken {
    /// Takes the terminal over.
    pub(super) fn take() -> std::io::Result<Self> {
        enable_raw_mode()?;
        let mut output = BufWriter::new(std::io::stderr());
        let taken = execute!(output, EnterAlternateScreen, EnableBracketedPaste).and_then(|()| {
            let viewport = Viewport::Fixed(size());
            Terminal::with_options(CrosstermBackend::new(output), TerminalOptions { viewport })
        });
        match taken {
            Ok(terminal) => Ok(Self { terminal }),
            Err(error) => {
                give_back(&mut std::io::stderr());
                Err(error)
            }
        }
    }

    /// Draws news and reads keys, until somebody leaves or no more news can come.
    pub(super) fn serve(mut self, news: &Receiver<News>, answers: &Sender<Answer>) {
        let mut view = View::default();
        let mut is_drawn = false;
        while !interrupted() {
            loop {
                match news.try_recv() {
                    Ok(news) => view.receive(news),
                    Err(TryRecvError::Empty) => break,
                    Err(TryRecvError::Disconnected) => return,
                }
                is_drawn = false;
            }
            let is_resized = self.terminal.get_frame().area() != size();
            if is_resized && self.terminal.resize(size()).is_err() {
                return self.leave(&view, answers);
            }
            if (is_resized || !is_drawn) && self.terminal.draw(|it| draw(it, &mut view)).is_err() {
                return self.leave(&view, answers);
            }
            is_drawn = true;
            let event = match has_event() {
                Ok(false) => continue,
                Ok(true) => event::read(),
                Err(error) => Err(error),
            };
            is_drawn = false;
            let answer = match event {
                Ok(Event::Key(key)) if is_ctrl_c(key) => {
                    // Whoever thinks is stopped, too. A second one comes as a signal, as the terminal is given back.
                    interrupt();
                    None
                }
                Ok(Event::Key(key)) => view.press(key),
                Ok(Event::Paste(text)) => {
                    view.paste(&text);
                    None
                }
                Ok(_) => None,
                // The terminal is gone.
                Err(_) => Some(Answer::Left),
            };
            let is_heard = match answer {
                None => true,
                Some(Answer::Left) => return self.leave(&view, answers),
                Some(answer) => answers.send(answer).is_ok(),
            };
            if !is_heard {
                return;
            }
        }
    }

    /// Gives the terminal back before anybody else prints.
    fn leave(self, view: &View, answers: &Sender<Answer>) {
        drop(self);
        // Nobody waits for an answer: whoever thinks is stopped.
        if !view.is_asked && view.ended.is_none() {
            interrupt();
        }
        // Whoever listened may have gone.
        let _ = answers.send(Answer::Left);
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        let _ = self.terminal.show_cursor();
        give_back(self.terminal.backend_mut());
    }
}

/// Gives the terminal back. One that is gone takes nothing back.
fn give_back(output: &mut impl Write) {
    let _ = execute!(output, DisableBracketedPaste, LeaveAlternateScreen);
    let _ = disable_raw_mode();
}

/// Returns true if there is an event, which is waited for a while. An error means that the terminal is gone.
fn has_event() -> std::io::Result<bool> {
    for most in [Duration::ZERO, LOOK_EVERY] {
        wait_for_input(most)?;
        if event::poll(Duration::ZERO)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Waits for keys. A terminal that was closed is an error: `event::poll` would read from it for ever.
#[cfg(unix)]
fn wait_for_input(most: Duration) -> std::io::Result<()> {
    use std::os::fd::AsFd;

    use nix::errno::Errno;
    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

    let input = std::io::stdin();
    let mut polled = [PollFd::new(input.as_fd(), PollFlags::POLLIN)];
    let timeout = PollTimeout::try_from(most).unwrap_or(PollTimeout::ZERO);
    match poll(&mut polled, timeout) {
        Ok(_) | Err(Errno::EINTR) => {}
        Err(error) => return Err(error.into()),
    }
    let found = polled[0].revents().unwrap_or(PollFlags::empty());
    if found.contains(PollFlags::POLLNVAL) {
        // Some systems cannot poll a terminal.
        return event::poll(most).map(|_| ());
    }
    if found.intersects(PollFlags::POLLHUP | PollFlags::POLLERR) {
        return Err(std::io::ErrorKind::BrokenPipe.into());
    }
    Ok(())
}

/// Waits for keys.
#[cfg(not(unix))]
fn wait_for_input(most: Duration) -> std::io::Result<()> {
    event::poll(most).map(|_| ())
}

/// The size of the terminal that is drawn on.
fn size() -> Rect {
    let size = terminal_size_of(std::io::stderr());
    size.map_or(Rect::new(0, 0, 80, 24), |(width, height)| {
        Rect::new(0, 0, width.0, height.0)
    })
}

fn is_ctrl_c(key: KeyEvent) -> bool {
    key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL)
}

/// Returns true if there is a terminal to be taken over.
pub(super) fn is_possible() -> bool {
    let is_dumb = std::env::var_os("TERM").is_none_or(|term| term.is_empty() || term == "dumb");
    std::io::stdin().is_terminal() && std::io::stderr().is_terminal() && (cfg!(windows) || !is_dumb)
}
