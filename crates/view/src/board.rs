//! A board: a grid of cells, with agents and things where they are in each state of an episode.

use std::collections::{BTreeMap, BTreeSet};

use brigade_play::episode::Step;
use serde::Serialize;

use crate::facts::Fact;
use crate::layout::{Drawn, Facts, Layout, Target};

/// A board and what is on it, state by state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Board {
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// The cells that are drawn, row by row.
    pub cells: Vec<Cell>,
    /// The items in cells, each once.
    pub items: Vec<Item>,
    /// Ticks 0 to the last: indices into `items`.
    pub frames: Vec<Vec<usize>>,
}

/// A cell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Cell {
    /// Its column.
    pub x: u32,
    /// Its row.
    pub y: u32,
    /// The text that is shown in it.
    pub text: String,
    /// The look of it.
    pub kind: Look,
    /// The object that is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
}

/// The look of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Look {
    /// Ground to stand on.
    Floor,
    /// Nothing can be there.
    Wall,
    /// Furniture.
    Counter,
    /// Furniture with a text.
    Station,
    /// A way between cells.
    Way,
}

impl Look {
    /// The look of a letter of the background, and the text that it shows; `None` for a blank.
    fn of(letter: char) -> Option<(Self, String)> {
        Some(match letter {
            ' ' => return None,
            '.' => (Self::Floor, String::new()),
            '#' => (Self::Wall, String::new()),
            'X' => (Self::Counter, String::new()),
            '-' | '|' | '+' => (Self::Way, letter.to_string()),
            _ => (Self::Station, letter.to_string()),
        })
    }
}

/// An agent or a thing in a cell.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Item {
    /// Its column.
    pub x: u32,
    /// Its row.
    pub y: u32,
    /// The text that is shown.
    pub text: String,
    /// The object that it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
    /// True if it acts.
    pub kind: Kind,
    /// The direction in which it looks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub facing: Option<String>,
    /// The thing that it holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub holds: Option<String>,
}

/// The kind of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// One that acts.
    Agent,
    /// Any other.
    Object,
}

/// The most things in each other of which the outermost says where the others are.
const MOST_NESTED: usize = 100;

/// Makes the board of an episode. `None` where a layout has no cells.
pub fn board(layout: &Layout, initial: &[String], steps: &[&Step]) -> Option<Board> {
    if layout.cells.is_empty() && layout.rows.is_empty() {
        return None;
    }
    let patterns = layout.drawings.iter().flat_map(|drawing| &drawing.facts);
    let names: BTreeSet<&str> = patterns.map(|pattern| &*pattern.name).collect();
    let read = |facts: &[String]| -> Vec<Fact> {
        let facts = facts.iter().map(|fact| Fact::read(fact));
        facts.filter(|fact| names.contains(fact.name())).collect()
    };
    let mut facts: BTreeSet<Fact> = read(initial).into_iter().collect();
    facts.extend(layout.given.iter().cloned());
    let scene = Scene::new(layout);
    let mut known: BTreeMap<Item, usize> = BTreeMap::new();
    let mut items = Vec::new();
    let mut frame = |facts: &BTreeSet<Fact>| -> Vec<usize> {
        let mut frame = Vec::new();
        for item in scene.items(facts) {
            let next = items.len();
            let index = *known.entry(item).or_insert_with_key(|item| {
                items.push(item.clone());
                next
            });
            if !frame.contains(&index) {
                frame.push(index);
            }
        }
        frame
    };
    let mut frames = vec![frame(&facts)];
    for step in steps {
        for fact in read(&step.removed) {
            facts.remove(&fact);
        }
        facts.extend(read(&step.added));
        frames.push(frame(&facts));
    }
    let cells = cells(layout);
    let end = |side: fn(&Cell) -> u32| cells.iter().map(|cell| side(cell) + 1).max();
    Some(Board {
        width: end(|cell| cell.x).unwrap_or(0),
        height: end(|cell| cell.y).unwrap_or(0),
        cells,
        items,
        frames,
    })
}

/// The cells of the background and those of objects.
fn cells(layout: &Layout) -> Vec<Cell> {
    let mut cells: BTreeMap<(u32, u32), Cell> = BTreeMap::new();
    for (y, row) in (0..).zip(&layout.rows) {
        for (x, letter) in (0..).zip(row.chars()) {
            if let Some((kind, text)) = Look::of(letter) {
                let cell = Cell {
                    x,
                    y,
                    text,
                    kind,
                    of: None,
                };
                cells.insert((y, x), cell);
            }
        }
    }
    for place in &layout.cells {
        let (x, y) = place.at;
        let cell = cells.entry((y, x)).or_insert_with(|| Cell {
            x,
            y,
            text: place.object.clone(),
            kind: match place.text {
                Some(_) => Look::Station,
                None => Look::Floor,
            },
            of: None,
        });
        cell.of = Some(place.object.clone());
        if let Some(text) = &place.text {
            cell.text.clone_from(text);
        }
    }
    cells.into_values().collect()
}

/// A layout, looked up by name.
struct Scene<'a> {
    layout: &'a Layout,
    agents: BTreeSet<&'a str>,
    cells: BTreeMap<&'a str, (u32, u32)>,
}

impl<'a> Scene<'a> {
    fn new(layout: &'a Layout) -> Self {
        let cells = layout.cells.iter();
        Self {
            layout,
            agents: layout.agents.iter().map(String::as_str).collect(),
            cells: cells.map(|place| (&*place.object, place.at)).collect(),
        }
    }

    /// The items in cells where these facts hold, in the order of the drawings.
    fn items(&self, facts: &BTreeSet<Fact>) -> Vec<Item> {
        let mut placed: Vec<Drawn<'_>> = Vec::new();
        let mut facing: BTreeMap<String, String> = BTreeMap::new();
        let mut by_name = Facts::new();
        for fact in facts {
            by_name.entry(fact.name()).or_default().push(fact);
        }
        for drawing in &self.layout.drawings {
            for drawn in drawing.drawn(&by_name) {
                match drawing.at {
                    Target::Place(_) | Target::Crossing(..) => placed.push(drawn),
                    Target::Direction(_) => {
                        facing.insert(drawn.text, drawn.at.to_ascii_lowercase());
                    }
                }
            }
        }
        let mut inside: BTreeMap<&str, &str> = BTreeMap::new();
        for drawn in placed.iter().filter(|drawn| drawn.column.is_none()) {
            if let Some(object) = drawn.object {
                inside.entry(object).or_insert(drawn.at);
            }
        }
        let mut holds: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        let mut items = Vec::new();
        for drawn in &placed {
            let is_agent = drawn
                .object
                .is_some_and(|object| self.agents.contains(object));
            let is_held = !is_agent && drawn.column.is_none();
            if is_held && let Some(holder) = self.holder(drawn.at, &inside) {
                holds.entry(holder).or_default().push(&drawn.text);
            } else if let Some((x, y)) = self.cell(drawn.at, &inside)
                && let Some((x, _)) = drawn
                    .column
                    .map_or(Some((x, y)), |column| self.cell(column, &inside))
            {
                items.push(Item {
                    x,
                    y,
                    text: drawn.text.clone(),
                    of: drawn.object.map(str::to_owned),
                    kind: if is_agent { Kind::Agent } else { Kind::Object },
                    facing: facing.get(&drawn.text).cloned(),
                    holds: None,
                });
            }
        }
        for item in items.iter_mut().filter(|item| item.kind == Kind::Agent) {
            item.holds = holds.get(&*item.text).map(|held| held.join(", "));
        }
        items
    }

    /// The places around a place, itself first, up to one that has a cell.
    fn around<'m>(
        &'m self,
        place: &'m str,
        inside: &'m BTreeMap<&str, &str>,
    ) -> impl Iterator<Item = &'m str> {
        let next = |place: &&'m str| {
            let has_cell = self.cells.contains_key(place);
            inside.get(place).copied().filter(|_| !has_cell)
        };
        // Things may be in each other in a circle.
        std::iter::successors(Some(place), next).take(MOST_NESTED)
    }

    fn cell(&self, place: &str, inside: &BTreeMap<&str, &str>) -> Option<(u32, u32)> {
        self.around(place, inside)
            .find_map(|place| self.cells.get(place).copied())
    }

    /// The agent in whose hands a place is, if it is one's. One with a cell is a place itself.
    fn holder<'m>(&'m self, place: &'m str, inside: &'m BTreeMap<&str, &str>) -> Option<&'m str> {
        self.around(place, inside)
            .find(|place| self.agents.contains(place) && !self.cells.contains_key(place))
    }
}

#[cfg(test)]
mod tests;
