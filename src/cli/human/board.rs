//! A board as text: a table with a cell for each place, and in it what is there.

use std::collections::BTreeMap;

use crate::diagnostics::words::presentable;
use crate::view::board::{Board, Item, Kind, Look};

/// The most letters of a cell.
const MOST_LETTERS: usize = 14;

/// The text of a board with so many letters in a line at most; `None` where they are too few for it.
pub(super) fn text(board: &Board, most: usize) -> Option<String> {
    let mut cells: BTreeMap<(u32, u32), Vec<String>> = BTreeMap::new();
    for cell in &board.cells {
        let lines = cells.entry((cell.y, cell.x)).or_default();
        match cell.kind {
            Look::Wall => lines.push("#".repeat(MOST_LETTERS)),
            Look::Counter => lines.push("=".repeat(MOST_LETTERS)),
            Look::Floor if cell.text.is_empty() => {}
            Look::Station | Look::Way | Look::Floor => lines.push(cell.text.clone()),
        }
    }
    let frame = board.frames.first()?;
    for item in frame.iter().filter_map(|&index| board.items.get(index)) {
        cells
            .entry((item.y, item.x))
            .or_default()
            .extend(lines(item));
    }
    let letters = cells.values().flatten();
    let letters = letters.filter(|line| !line.starts_with(['#', '=']));
    let longest = letters.map(|line| line.chars().count()).max().unwrap_or(1);
    let most = (most.saturating_sub(1) / (board.width.max(1) as usize)).saturating_sub(1);
    let wide = longest.clamp(1, MOST_LETTERS).min(most);
    if wide < 3 {
        return None;
    }
    let rule = format!(
        "{}+\n",
        format!("+{}", "-".repeat(wide)).repeat(board.width as usize)
    );
    let mut text = rule.clone();
    for y in 0..board.height {
        let row: Vec<&[String]> = (0..board.width)
            .map(|x| cells.get(&(y, x)).map_or(&[][..], Vec::as_slice))
            .collect();
        let height = row
            .iter()
            .map(|lines| lines.len())
            .max()
            .unwrap_or(0)
            .max(1);
        for line in 0..height {
            for cell in &row {
                let shown = cell.get(line).map_or("", String::as_str);
                let shown: String = presentable(shown).chars().take(wide).collect();
                text.push_str(&format!("|{shown:wide$}"));
            }
            text.push_str("|\n");
        }
        text.push_str(&rule);
    }
    Some(text)
}

/// An item, with where it looks and what it holds.
fn lines(item: &Item) -> Vec<String> {
    match item.kind {
        Kind::Object => vec![item.text.clone()],
        Kind::Agent => {
            let looks = match item.facing.as_deref() {
                Some("north") => "^",
                Some("south") => "v",
                Some("east") => ">",
                Some("west") => "<",
                _ => "",
            };
            let holds = item.holds.iter().map(|held| format!("({held})"));
            std::iter::once(format!("@{looks}{}", item.text))
                .chain(holds)
                .collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::text;
    use crate::view::board::{Board, Cell, Item, Kind, Look};

    fn cell(x: u32, kind: Look, text: &str) -> Cell {
        Cell {
            x,
            y: 0,
            text: text.to_owned(),
            kind,
            of: None,
        }
    }

    #[test]
    fn each_place_has_a_cell_with_what_is_there() {
        let board = Board {
            width: 3,
            height: 1,
            cells: vec![
                cell(0, Look::Wall, ""),
                cell(1, Look::Station, "pot"),
                cell(2, Look::Floor, "floor"),
            ],
            items: vec![Item {
                x: 2,
                y: 0,
                text: "ann".to_owned(),
                of: None,
                kind: Kind::Agent,
                facing: Some("west".to_owned()),
                holds: Some("\u{1b}egg".to_owned()),
            }],
            frames: vec![vec![0]],
        };
        let wanted = "+------+------+------+\n|######|pot   |floor |\n|      |      |@<ann |\n|      |      |(\u{fffd}egg)|\n+------+------+------+\n";
        assert_eq!(text(&board, 100).as_deref(), Some(wanted));
        let wide = Board { width: 60, ..board };
        assert_eq!(text(&wide, 100), None);
    }
}
