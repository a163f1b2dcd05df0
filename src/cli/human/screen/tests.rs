//! Tests: what is drawn, and what keys do.

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::draw::draw;
use super::pane::Pane;
use super::view::{Answer, News, View};
use crate::cli::human::Reply;
use crate::cli::human::shown::{Entry, Kind, Shown};
use crate::view::board::{self, Board, Cell, Item, Look};

fn board() -> Board {
    let cell = |x, kind, text: &str| Cell {
        x,
        y: 0,
        text: text.to_owned(),
        kind,
        of: None,
    };
    Board {
        width: 3,
        height: 1,
        cells: vec![
            cell(0, Look::Wall, ""),
            cell(1, Look::Station, "pot"),
            cell(2, Look::Floor, ""),
        ],
        items: vec![Item {
            x: 2,
            y: 0,
            text: "chef".to_owned(),
            of: None,
            kind: board::Kind::Agent,
            facing: None,
            holds: Some("egg".to_owned()),
        }],
        frames: vec![vec![0]],
    }
}

fn shown(tick: u32, state: &[&str]) -> Shown {
    let owned = |lines: &[&str]| lines.iter().map(|it| (*it).to_owned()).collect();
    Shown {
        tick,
        max_ticks: 90,
        attempt: 0,
        retries: 3,
        agent: "chef".to_owned(),
        others: vec!["assistant".to_owned()],
        turns: "simultaneous",
        goal: Some("serve the egg".to_owned()),
        state: owned(state),
        busy: vec!["assistant: boil the egg".to_owned()],
        under_way: None,
        actions: owned(&["wait", "take(egg, counter)", "take(egg, table)"]),
        refusal: None,
        dialog: None,
        board: Some(board()),
    }
}

/// A person who has said something, and is asked for the second time.
fn second_question() -> View {
    let mut view = View::default();
    view.receive(News::Ask(
        0,
        Box::new(shown(0, &["Egg egg:", "the egg is raw"])),
    ));
    type_in(&mut view, "say I take the egg\u{1b}[31m");
    view.receive(News::Ask(
        0,
        Box::new(shown(0, &["Egg egg:", "the egg is raw"])),
    ));
    type_in(&mut view, "1");
    let did = Entry {
        tick: 0,
        kind: Kind::Did,
        agent: "chef".to_owned(),
        text: "wait".to_owned(),
    };
    view.receive(News::Tell(0, did));
    view.receive(News::Ask(
        0,
        Box::new(shown(
            1,
            &[
                "Egg egg:",
                "the egg is boiled, and lies in the hot water of the pot",
            ],
        )),
    ));
    view
}

fn press(view: &mut View, code: KeyCode) -> Option<Answer> {
    view.press(KeyEvent::new(code, KeyModifiers::NONE))
}

/// Types a line, and Enter.
fn type_in(view: &mut View, line: &str) -> Option<Answer> {
    for letter in line.chars() {
        assert_eq!(press(view, KeyCode::Char(letter)), None);
    }
    press(view, KeyCode::Enter)
}

/// The screen as text. Letters of colour would fail.
fn drawn(view: &mut View, width: u16, height: u16) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| draw(frame, view)).unwrap();
    let buffer = terminal.backend().buffer();
    for cell in &buffer.content {
        assert_eq!((cell.fg, cell.bg), Default::default());
        assert!(!cell.symbol().contains('\u{1b}'));
    }
    terminal.backend().to_string()
}

fn snapshot(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(concat!(env!("CARGO_MANIFEST_DIR"), "/snapshots/cli"));
    settings.set_prepend_module_to_snapshot(false);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

#[test]
fn a_wide_terminal_shows_all_panes() {
    let mut view = second_question();
    press(&mut view, KeyCode::Char('2'));
    snapshot("screen-wide", &drawn(&mut view, 100, 24));
}

#[test]
fn a_narrow_terminal_shows_a_pane_and_the_actions() {
    let mut view = second_question();
    snapshot("screen-narrow", &drawn(&mut view, 36, 20));
    view.focus = Pane::Messages;
    let text = drawn(&mut view, 36, 20);
    assert!(text.contains("\"I take the egg"), "{text}");
    type_in(&mut view, "help");
    assert!(drawn(&mut view, 36, 20).contains("say TEXT"));
    press(&mut view, KeyCode::Esc);
    assert!(!drawn(&mut view, 36, 20).contains("say TEXT"));
}

#[test]
fn a_terminal_of_any_size_is_drawn_on() {
    let mut view = second_question();
    for width in [1, 2, 3, 5, 10, 79, 80, 300] {
        for height in [1, 2, 3, 5, 8, 19, 20, 100] {
            drawn(&mut view, width, height);
            drawn(&mut View::default(), width, height);
        }
    }
}

#[test]
fn lines_answer_as_they_do_line_by_line() {
    let mut view = View::default();
    view.receive(News::Look(0, Box::new(shown(0, &["a"]))));
    assert_eq!(type_in(&mut view, "1"), None);
    assert!(view.note.contains("not your turn"));
    view.receive(News::Ask(0, Box::new(shown(0, &["a"]))));
    let command = |text: &str| Some(Answer::Reply(Reply::Command(text.to_owned())));
    assert_eq!(press(&mut view, KeyCode::Enter), command("wait"));
    view.receive(News::Ask(0, Box::new(shown(0, &["a"]))));
    assert_eq!(type_in(&mut view, "9"), None);
    assert!(view.note.contains("1 to 3"), "{}", view.note);
    assert_eq!(
        press(&mut view, KeyCode::F(2)),
        Some(Answer::Reply(Reply::Hint(0)))
    );
    view.receive(News::Hint("wait".to_owned()));
    view.receive(News::Ask(0, Box::new(shown(0, &["a"]))));
    assert_eq!(view.note, "hint: wait");
    type_in(&mut view, "");
    assert_eq!(type_in(&mut view, "fly"), command("fly"));
    let refused = Shown {
        attempt: 1,
        refusal: Some("there is no `fly`".to_owned()),
        ..shown(0, &["a"])
    };
    view.receive(News::Ask(0, Box::new(refused)));
    assert_eq!(
        view.note,
        "refused: there is no `fly` (you have 3 attempts left in this step)"
    );
    assert_eq!(type_in(&mut view, "quit"), Some(Answer::Left));
}

#[test]
fn tab_goes_through_the_actions_that_fit() {
    let mut view = second_question();
    press(&mut view, KeyCode::Char('t'));
    let mut seen = Vec::new();
    for _ in 0..3 {
        press(&mut view, KeyCode::Tab);
        seen.push(view.input.text().to_owned());
    }
    assert_eq!(
        seen,
        ["take(egg, ", "take(egg, counter)", "take(egg, table)"]
    );
    let answer = press(&mut view, KeyCode::Enter);
    let command = Reply::Command("take(egg, table)".to_owned());
    assert_eq!(answer, Some(Answer::Reply(command)));
}

#[test]
fn a_pane_scrolls_and_says_that_there_is_more() {
    let mut view = View::default();
    let state: Vec<String> = (0..60).map(|line| format!("line {line}")).collect();
    let state: Vec<&str> = state.iter().map(String::as_str).collect();
    view.receive(News::Ask(0, Box::new(shown(0, &state))));
    let text = drawn(&mut view, 40, 12);
    assert!(
        text.contains("Still under way:") && text.contains("↓ more"),
        "{text}"
    );
    for _ in 0..20 {
        press(&mut view, KeyCode::PageDown);
    }
    let text = drawn(&mut view, 40, 12);
    assert!(text.contains("line 59"), "{text}");
    press(&mut view, KeyCode::Up);
    assert_ne!(drawn(&mut view, 40, 12), text);
}

#[test]
fn the_side_of_whoever_is_asked_is_shown() {
    let mut view = second_question();
    let other = Shown {
        agent: "assistant".to_owned(),
        ..shown(1, &["only the assistant sees this"])
    };
    view.receive(News::Look(1, Box::new(other.clone())));
    assert!(!drawn(&mut view, 100, 24).contains("only the assistant"));
    view.receive(News::Ask(1, Box::new(other)));
    let text = drawn(&mut view, 100, 24);
    assert!(
        text.contains("only the assistant") && !text.contains("boiled"),
        "{text}"
    );
}
