//! Files that are sound but for some damage, and readers that are given them.

use std::fs;
use std::path::Path;

use proptest::prelude::*;
use proptest::sample::Index;

/// A change that a sound file suffers.
#[derive(Clone, Debug)]
enum Damage {
    Cut(Index),
    Replace(Index, u8),
    Insert(Index, Vec<u8>),
    Repeat(Index, Index),
    Remove(Index, Index),
}

impl Damage {
    fn of(&self, sound: &[u8]) -> Vec<u8> {
        let at = |index: &Index| index.index(sound.len() + 1);
        let between = |one: &Index, other: &Index| {
            let (one, other) = (at(one), at(other));
            one.min(other)..one.max(other)
        };
        match self {
            Self::Cut(index) => sound[..at(index)].to_vec(),
            Self::Replace(index, byte) => {
                let mut bytes = sound.to_vec();
                if let Some(old) = bytes.get_mut(at(index)) {
                    *old = *byte;
                }
                bytes
            }
            Self::Insert(index, new) => [&sound[..at(index)], new, &sound[at(index)..]].concat(),
            Self::Repeat(one, other) => {
                let range = between(one, other);
                [&sound[..range.end], &sound[range.start..]].concat()
            }
            Self::Remove(one, other) => {
                let range = between(one, other);
                [&sound[..range.start], &sound[range.end..]].concat()
            }
        }
    }
}

fn damage() -> impl Strategy<Value = Damage> {
    let index = any::<Index>;
    // What is odd in one format or another.
    let odd = prop::sample::select(b"()[]{}\"'\\;:,.?-+0e9\n\r\t \0\x7f\x80\xc3\xff".to_vec());
    let inserted = prop_oneof![
        Just("\u{feff}".as_bytes().to_vec()),
        Just(b"\r\n".to_vec()),
        Just(vec![0]),
        Just(b"(".repeat(300)),
        Just(b"[".repeat(300)),
        Just(b"9".repeat(300)),
        prop::collection::vec(any::<u8>(), 1..8),
    ];
    prop_oneof![
        index().prop_map(Damage::Cut),
        (index(), odd).prop_map(|(at, byte)| Damage::Replace(at, byte)),
        (index(), any::<u8>()).prop_map(|(at, byte)| Damage::Replace(at, byte)),
        (index(), inserted).prop_map(|(at, new)| Damage::Insert(at, new)),
        (index(), index()).prop_map(|(one, other)| Damage::Repeat(one, other)),
        (index(), index()).prop_map(|(one, other)| Damage::Remove(one, other)),
    ]
}

/// The folder of the repository.
fn root() -> &'static Path {
    let mut above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    above
        .find(|folder| folder.join("problems").is_dir())
        .unwrap()
}

/// The files of some folders and of some names, which have an ending.
pub(crate) fn files(places: &[&str], ending: &str) -> Vec<Vec<u8>> {
    let mut paths = Vec::new();
    for place in places {
        let place = &root().join(place);
        if place.is_dir() {
            let entries = fs::read_dir(place).unwrap();
            paths.extend(entries.map(|entry| entry.unwrap().path()));
        } else {
            paths.push(place.to_owned());
        }
    }
    paths.retain(|path| path.is_file() && path.to_string_lossy().ends_with(ending));
    paths.sort();
    let texts: Vec<Vec<u8>> = paths.iter().map(|path| fs::read(path).unwrap()).collect();
    assert!(!texts.is_empty(), "{places:?}");
    // Of what is long, its start.
    let start = |text: Vec<u8>| text.into_iter().take(30_000).collect();
    texts.into_iter().map(start).collect()
}

/// Reads any bytes, then files with some damage. `read` panics where the reader does.
pub(crate) fn never_panics(sound: &[Vec<u8>], read: impl Fn(&[u8])) {
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
        cases: 500,
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    for text in sound {
        read(text);
        read(&text.repeat(2));
    }
    let bytes = prop::collection::vec(any::<u8>(), 0..200);
    runner
        .run(&bytes, |bytes| {
            read(&bytes);
            Ok(())
        })
        .unwrap();
    let damages = prop::collection::vec(damage(), 1..4);
    runner
        .run(&(any::<Index>(), damages), |(which, damages)| {
            let sound = &sound[which.index(sound.len())];
            let bytes = damages
                .iter()
                .fold(sound.clone(), |bytes, damage| damage.of(&bytes));
            read(&bytes);
            Ok(())
        })
        .unwrap();
}

/// As [`never_panics`], for what reads text.
pub(crate) fn never_panics_on_text(sound: &[Vec<u8>], read: impl Fn(&str)) {
    never_panics(sound, |bytes| read(&String::from_utf8_lossy(bytes)));
}
