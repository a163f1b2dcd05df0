//! The rules of Collab Escape, apart from the domain.

use std::collections::BTreeSet;

/// The neighbours of each room, in the house that is played and in the one that players know.
pub(super) const CODE_MAP: Map = [
    &[],
    &[2, 10],
    &[1, 3],
    &[2, 4, 8],
    &[3, 5],
    &[4, 6],
    &[5, 7],
    &[3, 6],
    &[3, 7, 9],
    &[8, 10],
    &[1, 9],
];
pub(super) const PROMPT_MAP: Map = {
    let mut map = CODE_MAP;
    map[7] = &[6, 8];
    map
};

/// By number, from 1.
pub(super) type Map = [&'static [u8]; 11];

/// The place of the killer among those who act.
pub(super) const KILLER: usize = 2;

const GENERATORS: [u8; 2] = [1, 6];
const GATE: u8 = 7;
const NAMES: [&str; 2] = ["alice", "bob"];

/// The state at the start of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct State {
    pub(super) players: [u8; 2],
    pub(super) killer: u8,
    /// The player that it pursues, and the ones it saw as it decided so.
    pub(super) target: Option<usize>,
    pub(super) sees: [bool; 2],
    /// Repairs of each generator, up to two.
    pub(super) repairs: [u8; 2],
}

/// The choice of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Choice {
    Wait,
    To(u8),
    Repair(usize),
}

/// The end of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    None,
    Lost,
    Won,
}

/// The start of the published game.
pub(super) fn start() -> State {
    State {
        players: [1, 2],
        killer: 6,
        target: None,
        sees: [false, false],
        repairs: [0, 0],
    }
}

fn leads(map: &Map, from: u8, to: u8) -> bool {
    map[usize::from(from)].contains(&to)
}

impl State {
    /// Returns the choices of a player.
    pub(super) fn choices(&self, map: &Map, player: usize) -> Vec<Choice> {
        let room = self.players[player];
        let moves = map[usize::from(room)].iter().copied().map(Choice::To);
        let own = (0..2).filter(|&generator| GENERATORS[generator] == room);
        std::iter::once(Choice::Wait)
            .chain(moves)
            .chain(own.map(Choice::Repair))
            .collect()
    }

    /// Returns the rooms to which the killer may go in this turn, each as likely.
    pub(super) fn prowls(&self, map: &Map) -> Vec<u8> {
        match self.target {
            Some(target) => vec![self.players[target]],
            None => map[usize::from(self.killer)].to_vec(),
        }
    }

    /// Decides for the killer from where all are.
    fn decide(&mut self, map: &Map) {
        let near = self.players.map(|room| leads(map, self.killer, room));
        self.target = match near {
            [true, true] => match self.sees {
                [true, true] => self.target,
                [true, false] => Some(1),
                [false, _] => Some(0),
            },
            [true, false] => Some(0),
            [false, true] => Some(1),
            [false, false] => None,
        };
        self.sees = near;
    }

    /// The next turn, where the killer goes to that room.
    pub(super) fn after(&self, map: &Map, choices: [Choice; 2], prowl: u8) -> (Self, End) {
        let mut next = *self;
        for generator in 0..2 {
            let is_tended = choices.contains(&Choice::Repair(generator));
            if !is_tended && next.repairs[generator] < 2 {
                next.repairs[generator] = 0;
            }
        }
        for (player, choice) in choices.into_iter().enumerate() {
            match choice {
                Choice::Wait => {}
                Choice::To(room) => next.players[player] = room,
                Choice::Repair(generator) => {
                    next.repairs[generator] = (next.repairs[generator] + 1).min(2);
                }
            }
        }
        next.killer = prowl;
        let end = if next.players.contains(&prowl) {
            End::Lost
        } else if next.repairs == [2, 2] && next.players.contains(&GATE) {
            End::Won
        } else {
            End::None
        };
        next.decide(map);
        (next, end)
    }

    /// In the words of the domain.
    pub(super) fn facts(&self) -> BTreeSet<String> {
        let mut facts = BTreeSet::from([format!("(= (at killer) room{})", self.killer)]);
        for (player, name) in NAMES.iter().enumerate() {
            facts.insert(format!("(= (at {name}) room{})", self.players[player]));
            facts.extend(self.sees[player].then(|| format!("(seen {name})")));
        }
        for (generator, room) in GENERATORS.iter().enumerate() {
            let repairs = self.repairs[generator];
            facts.insert(format!("(= (repairs generator{room}) {repairs})"));
        }
        let target = self.target.map(|target| NAMES[target]);
        facts.extend(target.map(|name| format!("(= (target) {name})")));
        facts
    }
}

impl Choice {
    /// In the words of the domain.
    pub(super) fn command(self) -> String {
        match self {
            Self::Wait => "wait".to_owned(),
            Self::To(room) => format!("move room{room}"),
            Self::Repair(generator) => format!("repair generator{}", GENERATORS[generator]),
        }
    }
}
