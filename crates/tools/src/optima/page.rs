//! The page of optima, in Markdown.

use std::collections::BTreeMap;

use super::case::{Case, Dataset, SEEDS, Subject};
use super::line::{Check, Line, Method, Status};
use super::published::published;
use super::replay::Replay;
use super::{Optima, SEMANTICS, step_budget};
use crate::markdown::{Table, shortened};
use crate::survey::SurveyError;

/// The mark behind an optimum that is bounded by a proof under another semantics.
const CARRIED: &str = " ‡";

/// The mark behind an optimum that was derived from another compiled task than there is now.
const STALE: &str = "†";

const HEAD: &str = "\
# Robotouille: optima

What Brigade proves of the tasks of [Robotouille](../reference/systems/robotouille.md) under its two semantics. This page is made from
[robotouille-optima.jsonl](robotouille-optima.jsonl), which holds a JSON object for each task and
semantics, with the best plan known; a test compares the two.

## How to read it

- *published*: the number of steps that the benchmark calls optimal, written by hand for each task; it is used for all ten
  seeds too.
- *optimum*: proven, or an interval whose lower end is proven and whose upper end is the best plan known; *or more* where
  none is known. How narrow an interval is depends on the time and memory that were given. *not computed*: no run has
  got so far.
- *plans* is the number of optimal plans, exact; *references* that of the reference trajectories: of the distinct label
  sequences of these plans. Large numbers are rounded here, and exact in the file. Where they were not counted, the reason
  is given; an empty cell: it was not tried.
- *states*: stored by the search that ended the proof, or that proved most; *seconds* what the whole proof took, on one
  thread or two, counting apart.
- *budget*: one and a half times the optimum, rounded up: the steps that an agent should be given.
- ‡: the bound was proven under `clean`: under `upstream` [no plan is shorter](../reference/systems/robotouille.md#upstream-is-never-faster). States and
  seconds are those of that proof.
- *check*: how the optimum was found a second time, by a method that shares no heuristic with the proof. *exhaustion*: every
  state that fewer steps lead to (where there is no plan: any steps), by the rules alone, is not a goal; *two heuristics*: two
  more searches, one led by landmark cuts alone, one by potentials or patterns alone, each prove that no plan is shorter:
  they have in common how conditions and effects are read, and states up to the exchange of interchangeable objects; *blind*:
  uniform-cost search on such states, where a heuristic has led the proof; *hand-made*: a planner for these kitchens alone
  (`crates/tools/src/bin/optima/kitchen`), which reads the published environment itself, has rules, states and a bound of its own and
  shares nothing with Brigade, finds the same optimum; –: none was possible within the limits. ‡: of the bound under `clean`.
- *in upstream*: after how many steps the plan of `clean` reaches the goal under `upstream`; *never*: it does not.
- Every plan was replayed by the validator under its own semantics, and [each of `clean` under `upstream`
  too](#plans-of-clean-under-upstream).
";

const DIFFERENCES: &str = "\
Whether the optimum under `upstream` is another than under `clean`; [robotouille.md](../reference/systems/robotouille.md#two-semantics) says in
what the two differ. It is known where both are proven, or where one cannot be as good as the other by the bounds; *open*:
not proven under the semantics that are named. Of the seeded instances those are listed whose optimum differs.

";

const REPLAYS: &str = "\
What becomes of each plan that was found under `clean`, proven to be optimal or not, when its steps are taken under
`upstream`. Where it never reaches the goal, the goal is another one there: a number in it goes with two names
([robotouille.md](../reference/systems/robotouille.md#two-semantics)).

";

const TAIL: &str = "\
## How to make it again

```console
$ cargo run --release -p brigade-tools --bin optima
$ cargo run --release -p brigade-tools --bin optima -- --only synchronous/2 --semantics clean --time-limit 600 --memory-limit 8
$ cargo run --release -p brigade-tools --bin optima -- --again --time-limit 600 --memory-limit 8
$ cargo run --release -p brigade-tools --bin optima -- --render
```

The instances need the published files: `BRIGADE_UPSTREAM` names the folder that has them as `robotouille/procgen`. What is
known is not derived again; `--again` derives what is not proven, not counted or not checked, with the best plan known at
hand, and `--fresh` everything; `--heuristic patterns` proves by patterns alone, which comes furthest where a good plan is known. A line is appended as soon as it is known, so a run may be killed and started anew; lines on the same task are put
together: the tighter bounds, the shorter plan, and whatever was counted and checked. `--render` writes this page.
`crates/tools/tests/results` proves the quick ones again.
";

/// A task on the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The subject of the row.
    pub subject: Subject,
    /// For each semantics what identifies the compiled task; see [`planning_fingerprint`]. Empty
    /// for instances, whose texts are not in the repository.
    ///
    /// [`planning_fingerprint`]: brigade::task::json::planning_fingerprint
    pub compiled: BTreeMap<String, String>,
}

/// All tasks: those that are bundled, and the instances of those for one player.
pub fn rows<'a>(bundled: impl IntoIterator<Item = &'a Case>) -> Result<Vec<Row>, SurveyError> {
    let row = |case: &Case| {
        Ok(Row {
            subject: case.subject.clone(),
            compiled: case.texts().fingerprints(&SEMANTICS)?,
        })
    };
    let rows: Result<Vec<Row>, SurveyError> = bundled.into_iter().map(row).collect();
    let mut rows = rows?;
    let tasks = rows.iter().map(|row| &row.subject);
    let tasks = tasks.filter(|subject| subject.dataset != Dataset::MultiAgent);
    let seeded = |task: &Subject| {
        let task = task.clone();
        SEEDS.map(|seed| Row {
            subject: task.seeded(seed),
            compiled: BTreeMap::new(),
        })
    };
    let instances: Vec<Row> = tasks.flat_map(seeded).collect();
    rows.extend(instances);
    rows.sort_by(|one, other| one.subject.cmp(&other.subject));
    Ok(rows)
}

/// Renders the page.
pub fn page(rows: &[Row], optima: &Optima) -> String {
    let is_single = |row: &&Row| row.subject.dataset != Dataset::MultiAgent;
    let (single, several): (Vec<&Row>, Vec<&Row>) = rows.iter().partition(is_single);
    let (seeded, single): (Vec<&Row>, Vec<&Row>) =
        (single.into_iter()).partition(|row| row.subject.seed.is_some());
    let sections = [
        ("Tasks for one player", single),
        ("Tasks for several players", several),
        ("Seeded instances", seeded),
    ];
    let mut text = HEAD.to_owned();
    text.push_str("\n## Summary\n\n");
    text.push_str(&summary(&sections, optima));
    text.push_str("\n## Where the semantics differ\n\n");
    text.push_str(DIFFERENCES);
    text.push_str(&differences(&sections, optima));
    text.push_str("\n## Plans of clean under upstream\n\n");
    text.push_str(REPLAYS);
    text.push_str(&replays(&sections, optima));
    let mut is_stale = false;
    for (name, rows) in &sections {
        text.push_str(&format!("\n## {name}\n\n"));
        let (table, stale) = table(rows, optima);
        text.push_str(&table);
        is_stale |= stale;
    }
    if is_stale {
        text.push_str(&format!(
            "\n{STALE} derived before the domain or the problem was last changed.\n"
        ));
    }
    text.push('\n');
    text.push_str(TAIL);
    text
}

/// Renders the number of proofs, and their consequence for the published numbers.
fn summary(sections: &[(&str, Vec<&Row>)], optima: &Optima) -> String {
    let mut table = Table::new([
        "",
        "semantics",
        "proven",
        "of which no plan exists",
        "of which ‡",
        "checked",
        "counted",
        "interval of at most 2",
        "other interval",
        "not computed",
        "published too high",
        "published exact",
        "published too low",
    ]);
    for (name, rows) in sections {
        let cells = |semantics: &str| {
            let lines = || {
                let of = |row: &&&Row| optima.of(&row.subject, semantics);
                rows.iter().filter_map(move |row| of(&row))
            };
            let count = |is: &dyn Fn(&Line) -> bool| lines().filter(|line| is(line)).count();
            let proven = count(&|line| line.status != Status::Bounded);
            let is_narrow = |line: &Line| {
                let bounds = line.lower_bound.zip(line.upper_bound);
                line.status == Status::Bounded
                    && bounds.is_some_and(|(lower, upper)| upper - lower <= 2)
            };
            let narrow = count(&is_narrow);
            let bounded = count(&|line| line.status == Status::Bounded);
            let mut cells = vec![
                format!("{proven} of {}", rows.len()),
                count(&|line| line.status == Status::Unsolvable).to_string(),
                count(&|line| line.status != Status::Bounded && is_carried(line)).to_string(),
                count(&|line| line.check.is_some()).to_string(),
                count(&|line| line.plans.is_some()).to_string(),
                narrow.to_string(),
                (bounded - narrow).to_string(),
                (rows.len() - lines().count()).to_string(),
            ];
            let has_published = rows.iter().any(|row| published(&row.subject).is_some());
            let against = |is: &dyn Fn(&Line, u32) -> bool| {
                let of = |line: &Line| published(&line.subject()).is_some_and(|it| is(line, it));
                if has_published {
                    count(&of).to_string()
                } else {
                    String::new()
                }
            };
            cells.push(against(&|line, it| {
                line.upper_bound.is_some_and(|known| known < it)
            }));
            cells.push(against(&|line, it| line.optimum() == Some(it)));
            cells.push(against(&|line, it| {
                line.lower_bound.is_some_and(|known| known > it)
            }));
            cells
        };
        let rows = SEMANTICS.map(|semantics| (semantics.to_owned(), cells(semantics)));
        table.add(&[(*name).to_owned()], rows.to_vec());
    }
    table.render()
}

/// Returns true if two lines on one task, under two semantics, have different optima; `None` where that is open.
fn differ(one: &Line, other: &Line) -> Option<bool> {
    let beyond = |lower: &Line, upper: &Line| {
        let bounds = lower.lower_bound.zip(upper.upper_bound);
        let exceeds = bounds.is_some_and(|(lower, upper)| lower > upper);
        exceeds || (lower.status == Status::Unsolvable && upper.upper_bound.is_some())
    };
    if beyond(one, other) || beyond(other, one) {
        return Some(true);
    }
    let is_known = |line: &Line| line.status != Status::Bounded;
    (is_known(one) && is_known(other)).then_some(false)
}

/// For each task whether its optimum depends on the semantics, and how many there are of each kind.
fn differences(sections: &[(&str, Vec<&Row>)], optima: &Optima) -> String {
    let mut counts = "| | the same | another | open |\n| --- | --- | --- | --- |\n".to_owned();
    let mut list = format!(
        "| task | seed | {} | {} | the optimum differs |\n| --- | --- | --- | --- | --- |\n",
        SEMANTICS[0], SEMANTICS[1]
    );
    for (name, rows) in sections {
        let (mut same, mut another, mut open) = (0, 0, 0);
        for row in rows {
            let lines = SEMANTICS.map(|semantics| optima.of(&row.subject, semantics));
            let verdict = match lines {
                [Some(one), Some(other)] => differ(one, other),
                _ => None,
            };
            let count = match verdict {
                Some(false) => &mut same,
                Some(true) => &mut another,
                None => &mut open,
            };
            *count += 1;
            if row.subject.seed.is_some() && verdict != Some(true) {
                continue;
            }
            let is_open = |line: Option<&Line>| line.is_none_or(|it| it.status == Status::Bounded);
            let unproven = SEMANTICS.iter().zip(&lines);
            let unproven = unproven.filter(|(_, line)| is_open(**line));
            let unproven: Vec<&str> = unproven.map(|(semantics, _)| *semantics).collect();
            let known = lines.map(|line| line.map_or("not computed".to_owned(), optimum));
            let seed = row.subject.seed.map(|seed| format!(" {seed}"));
            let seed = seed.unwrap_or_default();
            list.push_str(&format!(
                "| `{}` |{seed} | {} | {} | {} |\n",
                row.subject.published_name(),
                known[0],
                known[1],
                match verdict {
                    Some(false) => "no".to_owned(),
                    Some(true) => "yes".to_owned(),
                    None => format!("open: {}", unproven.join(", ")),
                },
            ));
        }
        counts.push_str(&format!("| {name} | {same} | {another} | {open} |\n"));
    }
    format!("{counts}\n{list}")
}

/// Renders the number of plans of `clean` that reach the goal under `upstream`.
fn replays(sections: &[(&str, Vec<&Row>)], optima: &Optima) -> String {
    let mut table = Table::new([
        "",
        "plans",
        "reach the goal at the same step",
        "sooner or later",
        "never",
        "have a step that cannot be taken",
    ]);
    for (name, rows) in sections {
        let lines = || {
            let of = |row: &&Row| optima.of(&row.subject, SEMANTICS[0]);
            rows.iter().filter_map(of)
        };
        let count = |is: &dyn Fn(Replay, u32) -> bool| {
            let is_so = |line: &&Line| {
                let replay = line.under_upstream.zip(line.upper_bound);
                replay.is_some_and(|(replay, steps)| is(replay, steps))
            };
            lines().filter(is_so).count().to_string()
        };
        let cells = vec![
            count(&|_, _| true),
            count(&|replay, steps| replay == Replay::Reached(steps)),
            count(&|replay, steps| matches!(replay, Replay::Reached(at) if at != steps)),
            count(&|replay, _| replay == Replay::Missed {}),
            count(&|replay, _| matches!(replay, Replay::Refused(_))),
        ];
        table.add(&[], vec![((*name).to_owned(), cells)]);
    }
    table.render()
}

/// The table of some tasks, and whether anything in it is stale.
fn table(rows: &[&Row], optima: &Optima) -> (String, bool) {
    let mut table = Table::new([
        "task",
        "seed",
        "published",
        "semantics",
        "optimum",
        "plans",
        "references",
        "states",
        "seconds",
        "budget",
        "check",
        "in upstream",
    ]);
    let mut is_stale = false;
    for row in rows {
        let subject = &row.subject;
        let about = [
            format!("`{}`", subject.published_name()),
            shown(subject.seed),
            shown(published(subject)),
        ];
        let mut cells = |semantics: &str| {
            let Some(line) = optima.of(subject, semantics) else {
                let mut cells = vec![String::new(); 8];
                "not computed".clone_into(&mut cells[0]);
                return cells;
            };
            let mut cells = cells(line);
            if is_carried(line) {
                cells[0].push_str(CARRIED);
            }
            let now = row.compiled.get(semantics);
            if now.is_some_and(|now| *now != line.compiled) {
                is_stale = true;
                cells[0].push_str(STALE);
            }
            cells
        };
        let rows = SEMANTICS.map(|semantics| (semantics.to_owned(), cells(semantics)));
        table.add(&about, rows.to_vec());
    }
    (table.render(), is_stale)
}

/// Renders the cells of a line.
fn cells(line: &Line) -> Vec<String> {
    let is_proven = line.status != Status::Bounded;
    let uncounted = line.uncounted.clone().unwrap_or_default();
    let counted = |count: &Option<String>| {
        count
            .as_deref()
            .map_or_else(|| uncounted.clone(), |count| shortened(Some(count)))
    };
    let check = match &line.check {
        Some(check) => checked(check),
        None if is_proven => "–".to_owned(),
        None => String::new(),
    };
    let replay = match line.under_upstream {
        Some(Replay::Reached(steps)) => steps.to_string(),
        Some(Replay::Refused(step)) => format!("step {step} cannot be taken"),
        Some(Replay::Missed {}) => "never".to_owned(),
        None => String::new(),
    };
    vec![
        optimum(line),
        counted(&line.plans),
        if line.plans.is_some() {
            counted(&line.references)
        } else {
            String::new()
        },
        line.states.to_string(),
        format!("{:.1}", line.seconds),
        shown(line.optimum().map(step_budget)),
        check,
        replay,
    ]
}

fn is_carried(line: &Line) -> bool {
    line.proven_under != line.semantics
}

fn optimum(line: &Line) -> String {
    match (line.status, line.lower_bound, line.upper_bound) {
        (Status::Unsolvable, _, _) => "no plan".to_owned(),
        (Status::Proven, _, Some(optimum)) => optimum.to_string(),
        (_, Some(lower), Some(upper)) => format!("{lower}–{upper}"),
        (_, Some(lower), None) => format!("{lower} or more"),
        (_, None, Some(upper)) => format!("{upper} or less"),
        (_, None, None) => "unknown".to_owned(),
    }
}

/// Renders the second proof of an optimum.
fn checked(check: &Check) -> String {
    let method = match check.method {
        Method::Exhaustion => "exhaustion",
        Method::Blind => "blind",
        Method::TwoHeuristics => "two heuristics",
        Method::HandMade => "hand-made",
    };
    let mark = if check.under.is_some() { CARRIED } else { "" };
    format!("{method}, {} states{mark}", check.states)
}

/// A number, or nothing.
fn shown(number: Option<u32>) -> String {
    number.map_or_else(String::new, |number| number.to_string())
}
