//! Draws a full screen: panes beside each other where there is room, else one at a time. It uses no colours.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Position, Rect};
use ratatui::style::Stylize;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph};

use super::lines::{help, lines, wrapped};
use super::pane::Pane;
use super::view::View;

/// The size from which on all panes are shown.
const WIDE: (u16, u16) = (80, 20);
/// The height from which on the actions are shown below another pane.
const HIGH: u16 = 14;
/// The most lines of the message to the person.
const MOST_NOTE: u16 = 4;

/// Draws the screen.
pub(super) fn draw(frame: &mut Frame<'_>, view: &mut View) {
    let area = frame.area();
    let note = note(view, area.width.into());
    let note_height = cells(note.len()).clamp(1, MOST_NOTE);
    let [title, main, note_area, input, keys] = area.layout(&Layout::vertical([
        Constraint::Length(1),
        Constraint::Min(0),
        Constraint::Length(note_height),
        Constraint::Length(1),
        Constraint::Length(1),
    ]));
    frame.render_widget(Line::raw(heading(view)).bold(), title);
    let is_wide = area.width >= WIDE.0 && area.height >= WIDE.1;
    if view.shows_help {
        frame.render_widget(Clear, main);
        let lines = help(main.width.saturating_sub(2).into());
        frame.render_widget(
            Paragraph::new(lines).block(Block::bordered().title("Help")),
            main,
        );
    } else if is_wide {
        all_panes(frame, view, main);
    } else {
        one_pane(frame, view, main);
    }
    frame.render_widget(Paragraph::new(note), note_area);
    draw_input(frame, view, input);
    let text = if is_wide {
        "Enter: do · Tab: complete · F1: help · F2: hint · Ctrl-N: next pane · Ctrl-C: leave"
    } else {
        "F1: help · F2: hint · Ctrl-N: next pane"
    };
    frame.render_widget(Line::raw(text).dim(), keys);
}

/// A number of cells, as many as a terminal can have.
fn cells(count: usize) -> u16 {
    u16::try_from(count).unwrap_or(u16::MAX)
}

/// The height of lines with a frame.
fn framed(lines: &[Line<'_>]) -> u16 {
    cells(lines.len()).saturating_add(2)
}

/// The agent, the timestep and those it acts with.
fn heading(view: &View) -> String {
    let Some(shown) = view.side().and_then(|side| side.shown.as_ref()) else {
        return "Brigade".to_owned();
    };
    let who = match &*shown.agent {
        "" => String::new(),
        agent => format!("{agent} · "),
    };
    let with = match &shown.others[..] {
        [] => String::new(),
        others => format!(" · with {}", others.join(", ")),
    };
    format!(
        "{who}step {} of {} at most{with}",
        shown.tick, shown.max_ticks
    )
}

/// The message to the person.
fn note(view: &View, width: usize) -> Vec<Line<'static>> {
    match &*view.note {
        "" if view.is_asked => vec![Line::default()],
        "" => wrapped("the others choose …", width),
        note => wrapped(note, width),
    }
}

/// Draws all panes.
fn all_panes(frame: &mut Frame<'_>, view: &mut View, area: Rect) {
    let [left, right] = area.layout(&Layout::horizontal([
        Constraint::Percentage(60),
        Constraint::Fill(1),
    ]));
    let inner = |area: Rect| usize::from(area.width.saturating_sub(2));
    let shown = view.side().and_then(|side| side.shown.as_ref());
    let has_board = shown.is_some_and(|shown| shown.board.is_some());
    let board = if has_board {
        framed(&lines(view, Pane::Board, inner(left)))
    } else {
        0
    };
    let [state, board] = left.layout(&Layout::vertical([
        Constraint::Fill(1),
        Constraint::Length(board.min(left.height * 2 / 3)),
    ]));
    let actions = framed(&lines(view, Pane::Actions, inner(right)));
    let [actions, messages, history] = right.layout(&Layout::vertical([
        Constraint::Length(actions.clamp(3, right.height / 2)),
        Constraint::Fill(1),
        Constraint::Fill(1),
    ]));
    draw_pane(frame, view, Pane::State, state);
    if has_board {
        draw_pane(frame, view, Pane::Board, board);
    }
    draw_pane(frame, view, Pane::Actions, actions);
    draw_pane(frame, view, Pane::Messages, messages);
    draw_pane(frame, view, Pane::History, history);
}

/// Draws the pane with the focus, and the actions if there is room.
fn one_pane(frame: &mut Frame<'_>, view: &mut View, area: Rect) {
    if view.focus == Pane::Actions || area.height < HIGH {
        draw_pane(frame, view, view.focus, area);
        return;
    }
    let width = area.width.saturating_sub(2).into();
    let actions = framed(&lines(view, Pane::Actions, width));
    let [pane, actions] = area.layout(&Layout::vertical([
        Constraint::Fill(1),
        Constraint::Length(actions.clamp(3, area.height / 2)),
    ]));
    draw_pane(frame, view, view.focus, pane);
    draw_pane(frame, view, Pane::Actions, actions);
}

/// Draws a pane as far as it is scrolled, with marks where there is more.
fn draw_pane(frame: &mut Frame<'_>, view: &mut View, pane: Pane, area: Rect) {
    let lines = lines(view, pane, area.width.saturating_sub(2).into());
    let height = usize::from(area.height.saturating_sub(2));
    let most = lines.len().saturating_sub(height);
    let scroll = view.scroll.entry(pane).or_default();
    *scroll = most.min(*scroll);
    let first = if pane.is_at_end() {
        most - *scroll
    } else {
        *scroll
    };
    let title = if view.focus == pane {
        Span::raw(format!("[{}]", pane.title())).bold()
    } else {
        Span::raw(pane.title())
    };
    let mut block = Block::bordered().title(title);
    if first > 0 {
        block = block.title_top(Line::raw("↑ more").right_aligned());
    }
    if first < most {
        block = block.title_bottom(Line::raw("↓ more").right_aligned());
    }
    let seen = lines.into_iter().skip(first).take(height);
    frame.render_widget(Paragraph::new(seen.collect::<Vec<_>>()).block(block), area);
}

/// Draws the line that is typed, as far as the cursor needs it.
fn draw_input(frame: &mut Frame<'_>, view: &View, area: Rect) {
    let before = cells(Span::raw(view.input.before()).width());
    let room = area.width.saturating_sub(3);
    let hidden = before.saturating_sub(room);
    let line = Line::from(vec!["> ".bold(), Span::raw(view.input.text())]);
    frame.render_widget(Paragraph::new(line).scroll((0, hidden)), area);
    let x = area.x.saturating_add(2).saturating_add(before - hidden);
    if x < area.right() && view.ended.is_none() {
        frame.set_cursor_position(Position::new(x, area.y));
    }
}
