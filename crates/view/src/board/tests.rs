//! Boards of short episodes.

use std::collections::BTreeSet;

use brigade_play::episode::Step;
use serde_json::json;

use super::{Board, Kind, Look, board};
use crate::facts::Fact;
use crate::layout::{Drawing, Layout, Pattern, Place, Target, Thing, Word};

const COOKS: [&str; 1] = ["chef"];
const CELLS: [&str; 3] = ["left", "right", "pot"];
const THINGS: [&str; 3] = ["egg", "pan", "nothing"];

fn variable(variable: usize) -> Word {
    Word::Variable(variable)
}

fn pattern(name: &str, has_value: bool, words: Vec<Word>) -> Pattern {
    Pattern {
        name: name.to_owned(),
        words,
        has_value,
    }
}

/// A drawing of a fact of two variables: the first is drawn in the second.
fn drawing(name: &str, has_value: bool, of: [&[&str]; 2], thing: usize, at: Target) -> Drawing {
    let names = |of: &[&str]| -> BTreeSet<String> { of.iter().map(|&it| it.to_owned()).collect() };
    Drawing {
        variables: of.map(|of| Some(names(of))).to_vec(),
        facts: vec![pattern(name, has_value, vec![variable(0), variable(1)])],
        thing: Thing::Object(variable(thing)),
        at,
    }
}

fn kitchen() -> Layout {
    let place = |object: &str, at| Place {
        object: object.to_owned(),
        at,
        text: None,
    };
    let things = &THINGS[..2];
    Layout {
        agents: vec!["chef".to_owned()],
        rows: vec!["..P".to_owned()],
        cells: vec![
            place("left", (0, 0)),
            place("right", (1, 0)),
            place("pot", (2, 0)),
        ],
        drawings: vec![
            drawing("at", true, [&COOKS, &CELLS], 0, Target::Place(variable(1))),
            drawing(
                "holds",
                true,
                [&COOKS, things],
                1,
                Target::Place(variable(0)),
            ),
            drawing(
                "in",
                false,
                [things, &["pot", "pan"]],
                0,
                Target::Place(variable(1)),
            ),
            drawing(
                "faces",
                true,
                [&COOKS, &["east", "west"]],
                0,
                Target::Direction(variable(1)),
            ),
        ],
        given: Vec::new(),
    }
}

fn step(added: &[&str], removed: &[&str]) -> Step {
    let step = json!({
        "tick": 0, "choices": [], "labels": [], "added": added, "removed": removed, "cost": 0,
        "status": "running",
    });
    serde_json::from_value(step).unwrap()
}

fn played(layout: &Layout, initial: &[&str], steps: &[Step]) -> Board {
    let initial: Vec<String> = initial.iter().map(|&fact| fact.to_owned()).collect();
    let steps: Vec<&Step> = steps.iter().collect();
    board(layout, &initial, &steps).unwrap()
}

/// The items of each frame, one a line.
fn drawn(board: &Board) -> Vec<String> {
    let line = |frame: &Vec<usize>| {
        let items = frame.iter().map(|&index| {
            let item = &board.items[index];
            let kind = match item.kind {
                Kind::Agent => "agent ",
                Kind::Object => "",
            };
            let facing = item.facing.iter().map(|facing| format!(" facing {facing}"));
            let holds = item.holds.iter().map(|held| format!(" with {held}"));
            let more: String = facing.chain(holds).collect();
            format!("{kind}{} at {},{}{more}", item.text, item.x, item.y)
        });
        items.collect::<Vec<_>>().join("; ")
    };
    board.frames.iter().map(line).collect()
}

#[test]
fn an_agent_moves_and_holds_what_it_takes() {
    let steps = [
        step(&["(= (at chef) right)"], &["(= (at chef) left)"]),
        step(&["(= (holds chef) egg)"], &[]),
    ];
    assert_eq!(
        drawn(&played(&kitchen(), &["(= (at chef) left)"], &steps)),
        [
            "agent chef at 0,0",
            "agent chef at 1,0",
            "agent chef at 1,0 with egg"
        ]
    );
}

#[test]
fn a_thing_is_where_the_thing_is_that_it_is_in() {
    let initial = ["(= (at chef) left)", "(in egg pan)", "(in pan pot)"];
    let steps = [step(&["(= (holds chef) pan)"], &["(in pan pot)"])];
    assert_eq!(
        drawn(&played(&kitchen(), &initial, &steps)),
        [
            "agent chef at 0,0; egg at 2,0; pan at 2,0",
            "agent chef at 0,0 with pan, egg"
        ]
    );
}

#[test]
fn things_in_a_circle_and_without_a_place_are_not_drawn() {
    let board = played(&kitchen(), &["(in pan pan)", "(= (holds chef) egg)"], &[]);
    assert_eq!(drawn(&board), [""]);
}

#[test]
fn only_objects_of_the_variables_types_are_drawn() {
    let board = played(&kitchen(), &["(in nothing pot)", "(= (at chef) sink)"], &[]);
    assert_eq!(drawn(&board), [""]);
}

#[test]
fn agents_look_where_a_fact_says() {
    let facts = ["(= (at chef) left)", "(= (faces chef) west)"];
    let board = played(&kitchen(), &facts, &[]);
    assert_eq!(drawn(&board), ["agent chef at 0,0 facing west"]);
}

#[test]
fn a_fact_that_the_log_leaves_out_is_drawn_and_so_is_a_text() {
    let mut layout = kitchen();
    layout.given = vec![Fact::read("(in egg pot)")];
    layout.drawings.push(Drawing {
        variables: Vec::new(),
        facts: vec![pattern("hot", false, vec![Word::Text("pot".to_owned())])],
        thing: Thing::Text(vec![Word::Text("on".to_owned())]),
        at: Target::Place(Word::Text("pot".to_owned())),
    });
    let board = played(&layout, &[], &[step(&["(hot pot)"], &[])]);
    assert_eq!(drawn(&board), ["egg at 2,0", "egg at 2,0; on at 2,0"]);
}

#[test]
fn a_text_of_several_facts_is_where_a_row_and_a_column_cross() {
    let mut layout = kitchen();
    layout.cells.push(Place {
        object: "shelf".to_owned(),
        at: (0, 4),
        text: None,
    });
    // What the holder of a thing wants of it, by the heat of the thing.
    layout.drawings = vec![Drawing {
        variables: vec![None, None, None],
        facts: vec![
            pattern(
                "holds",
                true,
                vec![Word::Text("chef".to_owned()), variable(0)],
            ),
            pattern("heat", true, vec![variable(0), variable(1)]),
            pattern("wants", false, vec![variable(2), variable(0)]),
        ],
        thing: Thing::Text(vec![variable(2), Word::Text(": ".to_owned()), variable(1)]),
        at: Target::Crossing(Word::Text("shelf".to_owned()), Word::Text("pot".to_owned())),
    }];
    let facts = [
        "(= (holds chef) egg)",
        "(= (heat egg) 3)",
        "(= (heat pan) 9)",
        "(wants ann egg)",
        "(wants bob egg)",
        "(wants bob pan)",
    ];
    let board = played(&layout, &facts, &[]);
    assert_eq!(drawn(&board), ["ann: 3 at 2,4; bob: 3 at 2,4"]);
}

#[test]
fn the_background_gives_cells_their_look() {
    let mut layout = kitchen();
    layout.rows = vec![".#PX".to_owned(), "-".to_owned()];
    layout.cells.push(Place {
        object: "room".to_owned(),
        at: (4, 1),
        text: None,
    });
    let board = played(&layout, &[], &[]);
    let cells: Vec<(u32, u32, &str, Look)> = board
        .cells
        .iter()
        .map(|cell| (cell.x, cell.y, &*cell.text, cell.kind))
        .collect();
    assert_eq!(
        cells,
        [
            (0, 0, "", Look::Floor),
            (1, 0, "", Look::Wall),
            (2, 0, "P", Look::Station),
            (3, 0, "", Look::Counter),
            (0, 1, "-", Look::Way),
            (4, 1, "room", Look::Floor),
        ]
    );
    assert_eq!((board.width, board.height), (5, 2));
}

#[test]
fn a_layout_of_drawings_alone_has_no_board() {
    let layout = Layout {
        rows: Vec::new(),
        cells: Vec::new(),
        ..kitchen()
    };
    assert_eq!(
        board(&layout, &["(= (at chef) left)".to_owned()], &[]),
        None
    );
}
