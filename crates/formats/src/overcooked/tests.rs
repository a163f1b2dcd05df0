//! Layouts that are read, and what is said of those that are not.

use brigade_diagnostics::{Code, Colour, Diagnostics, Sources, render_all};

use super::{File, Imported, Options, import};

const ROOM: &str = r#"{
    # the cramped room
    "grid":  """XXPXX
                O  2O
                X1  X
                XDXSX""",
    "start_bonus_orders": [],
    'start_all_orders' : [
        { "ingredients" : ("onion", "onion", "onion",)},
    ],
    "rew_shaping_params": None,
}"#;

/// Imports a text. What is said of it, and its layouts.
fn read(text: &str, options: &Options) -> (Vec<Imported>, Vec<Code>, String) {
    let mut sources = Sources::new();
    let mut diagnostics = Diagnostics::new();
    let source = sources.add("room.layout", text);
    let name = "room";
    let file = File { source, text, name };
    let imported = import(file, options, &mut diagnostics);
    diagnostics.sort();
    let codes = diagnostics.iter().map(|it| it.code).collect();
    let said = render_all(&diagnostics, &sources, Colour::Plain);
    (imported, codes, said)
}

/// The text of the only problem of a layout about which there is nothing to say.
fn problem(text: &str, options: &Options) -> String {
    let (imported, _, said) = read(text, options);
    assert_eq!(said, "");
    assert_eq!(imported.len(), 1);
    imported[0].text()
}

/// The room with another grid.
fn with_grid(grid: &str) -> String {
    format!("{{'grid': '''{grid}''', 'start_all_orders': []}}")
}

#[test]
fn a_layout_becomes_a_problem_of_four_hundred_ticks() {
    let text = problem(ROOM, &Options::default());
    assert!(text.starts_with("; XXPXX\n; O  2O\n; X1  X\n; XDXSX\n\n(define (problem room)"));
    for part in [
        "(= (next floor-1-1 east) floor-2-1)",
        "(= (ahead floor-2-1 north) pot-2-0)",
        "(= (gives onions-0-1) onion)",
        "(= (at player1) floor-1-2)",
        "(= (facing player2) north)",
        "(= (cook-time soup-oo) 20)",
        "(= (worth soup-ooo) 20)",
        "(:metric maximize (reward))",
        "(:horizon 400)",
    ] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    // Corners cannot be reached, and without tomatoes there are three soups.
    for part in ["counter-0-0", "tomato", "soup-t", "(worth soup-o)", ":goal"] {
        assert!(!text.contains(part), "{part} in\n{text}");
    }
}

#[test]
fn deliveries_can_be_the_goal() {
    let options = Options {
        deliver: Some(2),
        horizon: Some(90),
        ..Options::default()
    };
    let text = problem(ROOM, &options);
    for part in [
        "(problem room-deliver-2)",
        "(:goal (>= (delivered) 2) :text \"Deliver 2 soups that are ordered\")",
        "(:horizon 90)",
    ] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    assert!(!text.contains(":metric"));
}

#[test]
fn the_first_players_take_part() {
    let options = |players| Options {
        players: Some(players),
        ..Options::default()
    };
    assert!(!problem(ROOM, &options(1)).contains("player2"));
    assert_eq!(read(ROOM, &options(3)).1, [Code::BadLayoutValue]);
}

#[test]
fn a_file_may_hold_several_layouts() {
    let rooms = format!("{{\"a\": {ROOM}, \"b\": {ROOM}}}");
    let names = |layouts: &[&str]| {
        let options = Options {
            layouts: layouts.iter().map(|&name| name.to_owned()).collect(),
            ..Options::default()
        };
        let (imported, codes, _) = read(&rooms, &options);
        let names: Vec<String> = imported.into_iter().map(|it| it.name).collect();
        (names.join(" "), codes)
    };
    assert_eq!(names(&[]), ("a b".to_owned(), vec![]));
    assert_eq!(names(&["b"]), ("b".to_owned(), vec![]));
    let missing = names(&["c", "a"]);
    assert_eq!(missing, ("a".to_owned(), vec![Code::UnknownLayout]));
}

#[test]
fn values_times_and_bonus_are_those_of_the_published_engine() {
    let layout = |rest: &str| {
        format!(
            "{{'grid': 'XXPXX\\nO  2T\\nX1  X\\nXDXSX', 'start_all_orders': [
            {{'ingredients': ['onion']}}, {{'ingredients': ['tomato', 'onion']}}], {rest}}}"
        )
    };
    let facts = |rest: &str, expected: &[&str], not: &[&str]| {
        let text = problem(&layout(rest), &Options::default());
        for part in expected {
            assert!(text.contains(part), "{part} in\n{text}");
        }
        for part in not {
            assert!(!text.contains(part), "{part} in\n{text}");
        }
    };
    // For each ingredient, twice as much for a bonus, nothing for what is not ordered.
    facts(
        "'onion_value': 21, 'tomato_value': 13, 'onion_time': 15, 'tomato_time': 7,
         'start_bonus_orders': [{'ingredients': ['onion', 'tomato']}]",
        &[
            "(= (worth soup-o) 21)",
            "(= (worth soup-ot) 68)",
            "(= (cook-time soup-ott) 29)",
        ],
        &["(worth soup-ooo)"],
    );
    // Of two numbers for ingredients neither counts alone.
    facts("'onion_value': 21", &["(= (worth soup-o) 20)"], &[]);
    // In the order of the orders; what they do not name is as usual.
    facts(
        "'recipe_values': [1.5, 3], 'recipe_times': [9, 8], 'order_bonus': 3,
         'start_bonus_orders': [{'ingredients': ['onion']}]",
        &[
            "(= (worth soup-o) 4.5)",
            "(= (worth soup-ot) 3)",
            "(= (cook-time soup-ot) 8)",
            "(= (cook-time soup-t) 20)",
        ],
        &[],
    );
    facts(
        "'delivery_reward': 5, 'cook_time': 7",
        &["(= (worth soup-ot) 5)", "(= (cook-time soup-ttt) 7)"],
        &[],
    );
}

#[test]
fn without_orders_every_soup_is_ordered() {
    let text = problem(&with_grid("XXPXX\nO1  T\nXDXSX"), &Options::default());
    assert_eq!(text.matches("(= (worth soup-").count(), 9);
}

#[test]
fn a_start_state_is_read() {
    let text = r#"{"grid": """XXPXX
        O  2O
        X1  X
        XDXSX""", "start_all_orders": [], "start_state": {
        "players": [
            {"position": [2, 1], "orientation": [-1, 0], "held_object": {"name": "onion", "position": [2, 1]}},
            {"position": [1, 2], "orientation": [0, 1], "held_object": None}],
        "objects": [
            {"name": "dish", "position": [2, 3]},
            {"name": "soup", "position": [2, 0], "_ingredients": [{"name": "onion", "position": [2, 0]}],
             "_cooking_tick": 3, "is_cooking": True, "is_ready": False, "is_idle": False, "cook_time": 20}],
        "all_orders": [{"ingredients": ["onion"]}], "bonus_orders": [], "timestep": 0}}"#;
    let text = problem(text, &Options::default());
    for part in [
        "(= (at player1) floor-2-1)",
        "(= (facing player1) west)",
        "(= (held player1) onion)",
        "(= (at player2) floor-1-2)",
        "(= (on counter-2-3) dish)",
        "(= (in pot-2-0) soup-o)",
        "(cooking pot-2-0)",
        "(= (cooked-for pot-2-0) 3)",
        "(= (dishes-wanted) 1)",
        "(= (worth soup-o) 20)",
    ] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    assert!(!text.contains("(worth soup-oo)"));
}

#[test]
fn gates_are_stations_and_floor() {
    let text = problem(&with_grid("XPXSX\nO1G2D\nXXXXX"), &Options::default());
    for part in [
        "(= (next floor-1-1 east) door-2-1)",
        "(= (ahead floor-1-1 east) gate-2-1)",
        "(= (doorway gate-2-1) door-2-1)",
        "(= (next door-2-1 east) floor-3-1)",
    ] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
}

#[test]
fn a_grid_on_which_one_cannot_play_is_refused() {
    for grid in [
        "",
        "XXPXX\nO  2O\nX1 X\nXDXSX",
        "XXPXX\nO  2?\nX1  X\nXDXSX",
        "XXPXX\nO  2ü\nX1  X\nXDXSX",
        "XXPXX\nO   O\nX   X\nXDXSX",
        "XXPXX\nO  3O\nX1  X\nXDXSX",
        "XXPXX\nO  1O\nX1  X\nXDXSX",
        "XXXXX\nO   O\nX1  X\nXDXSX",
        "XXPXX\nX   X\nX1  X\nXDXSX",
        "XXPXX\nO   O\nX1  X\nXXXSX",
        "XXPXX\nO   O\nX1  X\nXDXXX",
        "XXPXX\n1   O\nX   X\nXDXSX",
        "XXPXX\nO   O\nX1  X\nXD SX",
        "XXPXX\nO   O\nX1  G\nXDXSX",
    ] {
        let (imported, codes, said) = read(&with_grid(grid), &Options::default());
        assert!(imported.is_empty(), "{grid}");
        assert!(
            codes.iter().all(|&code| code == Code::MalformedGrid),
            "{said}"
        );
        assert!(
            !codes.is_empty() && said.contains("help:"),
            "{grid}\n{said}"
        );
    }
    let row = "X".repeat(65);
    for large in [row.clone(), "X\n".repeat(65)] {
        assert_eq!(
            read(&with_grid(&large), &Options::default()).1,
            [Code::MalformedGrid]
        );
    }
}

#[test]
fn a_fault_of_the_grid_is_shown_at_its_letter() {
    for layout in [
        with_grid("XXPXX\n   O  2?\n   X1  X\n   XDXSX"),
        "{'grid': [\"XXPXX\", \"O  2?\", \"X1  X\", \"XDXSX\"], 'start_all_orders': []}".to_owned(),
    ] {
        let (_, _, said) = read(&layout, &Options::default());
        let place = layout.find('?').unwrap();
        let line = layout[..place].matches('\n').count() + 1;
        let column = place - layout[..place].rfind('\n').map_or(0, |at| at + 1) + 1;
        let expected = format!("--> room.layout:{line}:{column}\n");
        assert!(said.contains(&expected), "{expected}{said}");
    }
}

#[test]
fn what_is_no_literal_is_refused_at_its_place() {
    for (text, place) in [
        ("", "1:1"),
        ("{'grid': ", "1:10"),
        ("{'grid': 'X\n'}", "1:10"),
        ("{'grid': '''X}", "1:10"),
        ("{'grid' 'X'}", "1:9"),
        ("{'grid': 'X' 'Y'}", "1:14"),
        ("{grid: 'X'}", "1:2"),
        ("{'grid': import os}", "1:10"),
        ("{'grid': 1_0}", "1:10"),
        ("{'grid': float('nan')}", "1:10"),
        ("{'grid': '\\x41'}", "1:12"),
        ("{'grid': [1 2]}", "1:13"),
        ("{} {}", "1:4"),
    ] {
        let (imported, codes, said) = read(text, &Options::default());
        assert!(imported.is_empty());
        assert_eq!(codes, [Code::MalformedLiteral], "{text}");
        assert!(
            said.contains(&format!("room.layout:{place}\n")),
            "{place}\n{said}"
        );
    }
    let deep = "[".repeat(100_000);
    assert_eq!(read(&deep, &Options::default()).1, [Code::NestedTooDeeply]);
    let wide = format!("[{}]", "0,".repeat(1 << 20));
    assert_eq!(read(&wide, &Options::default()).1, [Code::SourceTooLarge]);
}

#[test]
fn values_that_do_not_fit_are_refused() {
    let rest = [
        ("'cook_time': 121", Code::BadLayoutValue),
        ("'cook_time': 1.5", Code::BadLayoutValue),
        ("'cook_time': -1", Code::WrongJsonValue),
        ("'cook_time': 'long'", Code::WrongJsonValue),
        ("'delivery_reward': 1e300", Code::WrongJsonValue),
        ("'delivery_reward': 0.0001", Code::WrongJsonValue),
        ("'recipe_values': [1, 2]", Code::BadLayoutValue),
        (
            "'start_bonus_orders': [{'ingredients': []}]",
            Code::BadLayoutValue,
        ),
        (
            "'start_bonus_orders': [{'ingredients': ['leek']}]",
            Code::BadLayoutValue,
        ),
        ("'start_bonus_orders': [{}]", Code::MissingKey),
        ("'start_bonus_orders': {}", Code::WrongJsonValue),
        ("'start_state': []", Code::WrongJsonValue),
        (
            "'start_state': {'players': [{'position': [0, 0], 'orientation': [0, 1]}]}",
            Code::BadLayoutValue,
        ),
        (
            "'start_state': {'players': [{'position': [-1, 9], 'orientation': [0, 1]}]}",
            Code::BadLayoutValue,
        ),
        (
            "'start_state': {'players': [{'position': [1, 1], 'orientation': [1, 1]}]}",
            Code::BadLayoutValue,
        ),
        (
            "'start_state': {'players': [], 'objects': [{'name': 'dish', 'position': [1, 0]}]}",
            Code::BadLayoutValue,
        ),
        ("'order_bonus': float('inf')", Code::InfiniteBonus),
        ("'order_bonus': 'inf'", Code::InfiniteBonus),
        ("'rew_shaping_params': {}", Code::UnknownKey),
        ("'orders': []", Code::UnknownKey),
    ];
    for (rest, code) in rest {
        let text = format!(
            "{{'grid': 'XPXXX\\nO1  O\\nXDXSX',
            'start_all_orders': [{{'ingredients': ['onion']}}], {rest}}}"
        );
        let (_, codes, said) = read(&text, &Options::default());
        assert_eq!(codes, [code], "{rest}\n{said}");
    }
}
