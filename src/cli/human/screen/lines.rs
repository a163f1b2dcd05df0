//! The text of the panes, line by line.

use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

use super::pane::Pane;
use super::view::{Side, View};
use crate::cli::human::board;
use crate::cli::human::shown::{Kind, Shown, changed};
use crate::cli::human::typed::HELP;
use crate::diagnostics::words::presentable;

/// The keys, below the commands.
const KEYS: &str = "
  Tab, Shift-Tab        complete the line, go through what fits
  F2                    hint
  Ctrl-N, Ctrl-P or F6  go to another pane
  Up, Down, Page keys   scroll it
  Esc                   clear the line
  Ctrl-C                leave

Each key goes back.
";

/// Reversed: the chosen action.
const CHOSEN: Style = Style::new().add_modifier(Modifier::REVERSED);
/// Bold: what has changed.
const NEW: Style = Style::new().add_modifier(Modifier::BOLD);

/// The lines of a pane of this width.
pub(super) fn lines(view: &View, pane: Pane, width: usize) -> Vec<Line<'static>> {
    let Some((side, shown)) = view
        .side()
        .and_then(|side| Some((side, side.shown.as_ref()?)))
    else {
        return Vec::new();
    };
    match pane {
        Pane::State => state(side, shown, width),
        Pane::Board => board(shown, width),
        Pane::Actions => actions(view, shown, width),
        Pane::Messages | Pane::History => {
            let mut lines = Vec::new();
            for entry in &side.history {
                if (entry.kind == Kind::Said) == (pane == Pane::Messages) {
                    add(&mut lines, &entry.line(&shown.agent), width, Style::new());
                }
            }
            lines
        }
    }
}

/// The lines of the help.
pub(super) fn help(width: usize) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    for line in HELP.lines().chain(KEYS.lines()) {
        add(&mut lines, line, width, Style::new());
    }
    lines
}

/// Text in lines of a width.
pub(super) fn wrapped(text: &str, width: usize) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    add(&mut lines, text, width, Style::new());
    lines
}

/// What has changed since the last question, and then all of the state.
fn state(side: &Side, shown: &Shown, width: usize) -> Vec<Line<'static>> {
    let before = side.before.as_deref().unwrap_or(&shown.state);
    let mut lines = Vec::new();
    if let Some(goal) = &shown.goal {
        add(&mut lines, &format!("Goal: {goal}"), width, Style::new());
        lines.push(Line::default());
    }
    let gone = changed(before, &shown.state).map(|line| format!("- {line}"));
    let new = changed(&shown.state, before).map(|line| format!("+ {line}"));
    let changes: Vec<String> = gone.chain(new).collect();
    let busy: Vec<String> = shown.busy.iter().map(|line| format!("  {line}")).collect();
    for (title, section) in [("Changed:", changes), ("Still under way:", busy)] {
        if !section.is_empty() {
            add(&mut lines, title, width, NEW);
            for line in section {
                add(&mut lines, &line, width, NEW);
            }
            lines.push(Line::default());
        }
    }
    for line in &shown.state {
        add(&mut lines, line, width, Style::new());
    }
    lines
}

fn board(shown: &Shown, width: usize) -> Vec<Line<'static>> {
    let Some(board) = &shown.board else {
        return wrapped("This problem has no board.", width);
    };
    match board::text(board, width) {
        Some(text) => text
            .lines()
            .map(|line| Line::raw(line.to_owned()))
            .collect(),
        None => wrapped("There is no room for the board: widen the terminal.", width),
    }
}

/// The actions by number, with a mark at the one that was typed.
fn actions(view: &View, shown: &Shown, width: usize) -> Vec<Line<'static>> {
    let typed = view.input.text().trim();
    let mut lines = Vec::new();
    if let Some(activity) = &shown.under_way {
        add(
            &mut lines,
            &format!("under way: {activity}"),
            width,
            Style::new(),
        );
    }
    for (at, action) in shown.actions.iter().enumerate() {
        let number = (at + 1).to_string();
        let is_typed = action.eq_ignore_ascii_case(typed) || number == typed;
        let (mark, style) = if is_typed {
            (">", CHOSEN)
        } else {
            (" ", Style::new())
        };
        add(
            &mut lines,
            &format!("{mark}{number:>3}  {action}"),
            width,
            style,
        );
    }
    lines
}

/// Adds text in lines of a width, broken between words where that is possible. Later lines are as far in as the first.
fn add(lines: &mut Vec<Line<'static>>, text: &str, width: usize, style: Style) {
    let text = presentable(text).replace(['\n', '\t'], " ");
    let text = text.trim_end();
    let indent = text.len() - text.trim_start_matches([' ', '+', '-', '>']).len();
    let indent = if indent < width / 2 { indent } else { 0 };
    let mut line = String::new();
    let mut used = 0;
    let mut push = |line: &mut String| {
        let full = std::mem::replace(line, " ".repeat(indent));
        lines.push(Line::styled(full.trim_end().to_owned(), style));
    };
    for word in text.split_inclusive(' ') {
        let wide = Span::raw(word.trim_end()).width();
        if used > indent && used + wide > width {
            push(&mut line);
            used = indent;
        }
        if used + wide <= width {
            line.push_str(word);
            used += Span::raw(word).width();
            continue;
        }
        for letter in word.chars() {
            let wide = Span::raw(letter.to_string()).width();
            if used > indent && used + wide > width {
                push(&mut line);
                used = indent;
            }
            line.push(letter);
            used += wide;
        }
    }
    push(&mut line);
}
