//! The rules of Collab Capture, apart from the domain.

use std::collections::BTreeSet;

/// The rooms next to each, in the order in which the thief looks at them.
const NEXT: [&[u8]; 10] = [
    &[],
    &[2, 6],
    &[1, 3],
    &[2, 4],
    &[3, 5],
    &[4, 6, 7],
    &[5, 9, 1],
    &[5, 8],
    &[7],
    &[6],
];

/// The two doors: the rooms on their sides, and where the button is.
const DOORS: [([u8; 2], u8); 2] = [([1, 2], 9), ([3, 4], 8)];

/// The names of the doors.
const NAMES: [&str; 2] = ["door1", "door3"];

/// The state at the start of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct State {
    pub(super) players: [u8; 2],
    pub(super) thief: u8,
    pub(super) open: [bool; 2],
    /// True if their places before are known: not in the first turn.
    pub(super) begun: bool,
}

/// The choice of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Choice {
    Stay,
    To(u8),
    Press(usize),
}

/// The start of a published game, with the doors so.
pub(super) fn start(open: [bool; 2]) -> State {
    State {
        players: [1, 6],
        thief: 2,
        open,
        begun: false,
    }
}

impl State {
    /// The rooms that can be entered from one.
    fn ways(self, room: u8) -> Vec<u8> {
        let is_barred = |to: u8| {
            let mut doors = DOORS.iter().zip(self.open);
            doors.any(|((sides, _), open)| !open && sides.contains(&room) && sides.contains(&to))
        };
        let next = NEXT[usize::from(room)].iter().copied();
        next.filter(|&to| !is_barred(to)).collect()
    }

    /// Returns the choices of a player.
    pub(super) fn choices(self, player: usize) -> Vec<Choice> {
        let room = self.players[player];
        let presses = (0..2).filter(|&door| DOORS[door].1 == room);
        let moves = self.ways(room).into_iter().map(Choice::To);
        std::iter::once(Choice::Stay)
            .chain(moves)
            .chain(presses.map(Choice::Press))
            .collect()
    }

    /// Returns the room to which the thief goes if the players go there.
    fn flight(self, players: [u8; 2]) -> u8 {
        let mut best = None;
        for room in self.ways(self.thief) {
            let distance = players.map(|player| player.abs_diff(room));
            let distance = distance[0].min(distance[1]);
            if best.is_none_or(|(most, _)| distance > most) {
                best = Some((distance, room));
            }
        }
        best.map_or(self.thief, |(_, room)| room)
    }

    /// The next turn, and whether the thief is caught.
    pub(super) fn after(self, choices: [Choice; 2]) -> (Self, bool) {
        let mut next = self;
        next.begun = true;
        for (player, choice) in choices.into_iter().enumerate() {
            match choice {
                Choice::Stay => {}
                Choice::To(room) => next.players[player] = room,
                Choice::Press(door) => next.open[door] = !next.open[door],
            }
        }
        next.thief = self.flight(next.players);
        let is_caught = (0..2).any(|player| {
            let met = next.players[player] == next.thief;
            let crossed = next.players[player] == self.thief && next.thief == self.players[player];
            met || (self.begun && crossed)
        });
        (next, is_caught)
    }

    /// All that may be done, and what comes of it.
    pub(super) fn steps(self) -> Vec<([Choice; 2], Self, bool)> {
        let mut steps = Vec::new();
        for first in self.choices(0) {
            for second in self.choices(1) {
                let (next, is_caught) = self.after([first, second]);
                steps.push(([first, second], next, is_caught));
            }
        }
        steps
    }

    /// In the words of the domain.
    pub(super) fn facts(self, is_caught: bool) -> BTreeSet<String> {
        let walkers = ["alice", "bob", "thief"].into_iter();
        let rooms = [self.players[0], self.players[1], self.thief];
        let mut facts: BTreeSet<String> = walkers
            .zip(rooms)
            .map(|(walker, room)| format!("(= (at {walker}) room{room})"))
            .collect();
        let open = NAMES.iter().zip(self.open).filter(|(_, open)| *open);
        facts.extend(open.map(|(door, _)| format!("(open {door})")));
        facts.extend(self.begun.then(|| "(begun)".to_owned()));
        facts.extend(is_caught.then(|| "(caught)".to_owned()));
        facts
    }
}

impl Choice {
    /// In the words of the domain.
    pub(super) fn command(self) -> String {
        match self {
            Self::Stay => "wait".to_owned(),
            Self::To(room) => format!("move room{room}"),
            Self::Press(door) => format!("press {}", NAMES[door]),
        }
    }
}
