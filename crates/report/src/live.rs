//! Live delayed effects in the words of the domain's author: a state keeps them as `(= (timer 5) 3)`.

use brigade_diagnostics::words::counted;
use brigade_task::{PackedTask, Timer};

/// The delayed effects of a task, as a text shows them.
#[derive(Clone, Copy, Debug)]
pub struct LiveEffects<'t> {
    task: &'t PackedTask,
}

impl<'t> LiveEffects<'t> {
    /// Those of a task.
    pub const fn new(task: &'t PackedTask) -> Self {
        Self { task }
    }

    /// A fact as the author would put it: `(after 4 (boiled egg)): due in 3 ticks` where it is about a
    /// timer, else as it is.
    pub fn shown(self, fact: &str) -> String {
        let Some((timer, left)) = self.timer(fact) else {
            return fact.to_owned();
        };
        let effect = effect(&timer.name);
        if timer.every_tick {
            format!("{effect}: kept up")
        } else {
            format!("{effect}: due in {}", counted(left, "tick"))
        }
    }

    /// The timer that a fact is about, and its value.
    fn timer(self, fact: &str) -> Option<(&'t Timer, u32)> {
        let (name, value) = fact
            .strip_prefix("(= ")?
            .strip_suffix(')')?
            .rsplit_once(' ')?;
        let mut timers = self.task.timers.iter();
        let is_named = |timer: &&Timer| self.task.variables[timer.variable.0 as usize].name == name;
        Some((timers.find(is_named)?, value.parse().ok()?))
    }
}

/// The text of a delayed effect. A part of a `maintain` is shown by itself, with what it waits for.
fn effect(name: &str) -> String {
    let whole = name.rfind(')').map_or(name, |end| &name[..=end]);
    let rest = &name[whole.len()..];
    let part = rest.strip_prefix(" part ").and_then(|rest| {
        let (number, _) = rest.split_once(' ').unwrap_or((rest, ""));
        number.parse::<usize>().ok()
    });
    let by = rest.find(" by ").map_or("", |at| &rest[at..]);
    let Some((condition, text)) = part.and_then(|part| part_of(whole, part)) else {
        return name.to_owned();
    };
    format!("{text} while {condition}{by}")
}

/// The condition of a `maintain`, and a part of its body, from 1, `and`s opened.
fn part_of(whole: &str, part: usize) -> Option<(&str, &str)> {
    let words = items(whole)?;
    let ["maintain", condition, _, body @ ..] = &words[..] else {
        return None;
    };
    let mut open: Vec<&str> = body.iter().rev().copied().collect();
    let mut passed = 0;
    while let Some(text) = open.pop() {
        if let Some(["and", inner @ ..]) = items(text).as_deref() {
            open.extend(inner.iter().rev());
            continue;
        }
        passed += 1;
        if passed == part {
            return Some((condition, text));
        }
    }
    None
}

/// Returns the items of a list in parentheses.
fn items(text: &str) -> Option<Vec<&str>> {
    let inner = text.strip_prefix('(')?.strip_suffix(')')?;
    let mut items = Vec::new();
    let (mut start, mut depth) = (None, 0_usize);
    for (at, c) in inner.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if c == ' ' && depth == 0 {
            items.extend(start.take().map(|start| &inner[start..at]));
        } else if start.is_none() {
            start = Some(at);
        }
    }
    items.extend(start.map(|start| &inner[start..]));
    (depth == 0).then_some(items)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_a_maintain_is_shown_by_itself() {
        let maintain = "(maintain (on egg stove) (hot egg) (and (after 4 (boiled egg)) (after 9 (burnt egg))))";
        assert_eq!(
            effect(&format!("{maintain} part 2")),
            "(after 9 (burnt egg)) while (on egg stove)"
        );
        assert_eq!(
            effect(&format!("{maintain} part 1 by chef")),
            "(after 4 (boiled egg)) while (on egg stove) by chef"
        );
        assert_eq!(effect(maintain), maintain);
        assert_eq!(effect("at end cook egg"), "at end cook egg");
    }
}
