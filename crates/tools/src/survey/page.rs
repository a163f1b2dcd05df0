//! The page of results, in Markdown.

use super::levels::{AgentLabels, LevelFacts, level_facts, listed, range};
use super::line::{Line, Status};
use super::{Benchmark, Entry, Survey};
use crate::markdown::{Table, shortened};

/// The numbers that Collab-Overcooked publishes of a level.
struct Published {
    /// The time of its evaluation code (`time_step.py`): the index of the last step.
    time: u32,
    /// "Collaborative actions" in Table 3 of the paper.
    collaborative: u32,
}

/// Levels 1 to 6 as published.
const PUBLISHED: [Published; 6] = {
    const fn level(time: u32, collaborative: u32) -> Published {
        Published {
            time,
            collaborative,
        }
    }
    [
        level(16, 2),
        level(23, 5),
        level(35, 7),
        level(32, 9),
        level(55, 12),
        level(64, 17),
    ]
};

/// The agent whose actions the paper counts as collaborative.
const ASSISTANT: &str = "assistant";

/// The mark behind a makespan that was derived from another compiled task than there is now.
const STALE: &str = "†";

const HEAD: &str = "\
# Collab-Overcooked: results

What Brigade proves of the 30 tasks of [Collab-Overcooked](../reference/systems/collab-overcooked.md) under its two semantics.
This page is made from [collab-overcooked.jsonl](collab-overcooked.jsonl), which holds a
JSON object for each task and semantics; a test compares the two.

## How to read it

- A *makespan* counts ticks. Published times are the index of the last tick: one less.
- *proven*: no plan takes fewer ticks, and of those that take as many none has fewer labels. Where a
  limit stopped the search there is an *interval* instead: its lower end is proven, its upper end is the
  best plan known, which may be an annotated reference as played; without an upper end no plan is known.
  How narrow an interval is depends on the time and memory that were given. *not computed*: no run has
  got so far.
- *labels* are the labelled actions of an optimal plan, of both agents and of each; a range where
  optimal plans differ in who does what.
- *optimal plans* are sequences of operators, waiting included; *references* are the distinct pairs of the
  agents' label sequences in them, without times. Large numbers are rounded here, and exact in the file.
- A row for `clean, upstream` holds under both.
";

const TAIL: &str = "\
## How to make it again

```console
$ cargo run --release -p brigade-tools --bin survey -- --references REFERENCES
$ cargo run --release -p brigade-tools --bin survey -- --only 3_ --semantics clean --time-limit 600 --memory-limit 4
$ cargo run --release -p brigade-tools --bin survey -- --render
```

`REFERENCES` is the folder of the published reference files, `1_baked_bell_pepper.json` and so on; without
it the figures about annotated references stay as they are, as long as the plans do. `--only` takes a
part of such a name. Each line is written as soon as it is known, and replaced only by one that knows as
much. `--render` writes this page. Nothing proven depends on the machine.
`crates/tools/tests/results` derives the quick tasks anew and compares the lines.
";

/// Renders the page.
pub fn page(benchmark: &Benchmark, survey: &Survey) -> String {
    let facts = level_facts(benchmark, survey);
    let mut text = HEAD.to_owned();
    text.push_str("\n## Optima\n\n");
    text.push_str(&optima(benchmark, survey));
    text.push_str("\n## Levels\n\n");
    text.push_str(&levels(&facts));
    text.push_str("\n## Annotated references\n\n");
    text.push_str(&annotations(benchmark, survey));
    text.push('\n');
    text.push_str(TAIL);
    text
}

fn about(entry: &Entry) -> [String; 2] {
    [entry.level.to_string(), format!("`{}`", entry.problem)]
}

/// The agents' names, where any line has them.
fn agent_names(survey: &Survey) -> Vec<String> {
    let mut lines = survey.iter();
    let known = lines.find(|line| !line.agents.is_empty());
    known.map_or_else(Vec::new, |line| line.agents.keys().cloned().collect())
}

fn optima(benchmark: &Benchmark, survey: &Survey) -> String {
    let agents = agent_names(survey);
    let header = ["level", "task", "semantics", "status", "makespan", "labels"];
    let header = header.map(str::to_owned).into_iter();
    let counts = ["optimal plans", "references"].map(str::to_owned);
    let mut table = Table::new(header.chain(agents.iter().cloned()).chain(counts));
    let mut is_stale = false;
    for entry in &benchmark.problems {
        let mut cells = |semantics: &String| {
            let Some(line) = survey.of(&entry.problem, semantics) else {
                let mut cells = vec![String::new(); agents.len() + 5];
                "not computed".clone_into(&mut cells[0]);
                return cells;
            };
            let mut makespan = makespan(line);
            if entry.compiled.get(semantics) != Some(&line.compiled) {
                is_stale = true;
                makespan.push_str(STALE);
            }
            let mut cells = vec![status(line), makespan, listed(line.actions)];
            cells.extend(agents.iter().map(|name| {
                let figures = line.agents.get(name);
                range(
                    figures.map(|figures| &figures.fewest),
                    figures.map(|figures| &figures.most),
                )
            }));
            cells.push(shortened(line.plans.as_deref()));
            cells.push(match &line.references_bounds {
                Some([least, greatest]) => {
                    format!("{}–{}", shortened(Some(least)), shortened(Some(greatest)))
                }
                None => shortened(line.references_total.as_deref()),
            });
            cells
        };
        let rows = benchmark.semantics.iter();
        let rows = rows.map(|semantics| (semantics.clone(), cells(semantics)));
        table.add(&about(entry), rows.collect());
    }
    let mut text = table.render();
    if is_stale {
        text.push_str(&format!(
            "\n{STALE} derived before the domain or the problem was last changed.\n"
        ));
    }
    text
}

fn status(line: &Line) -> String {
    let status = match line.status {
        Status::Proven => "proven",
        Status::Bounded => "interval",
        Status::Unsolvable => "unsolvable, proven",
    };
    match &line.stopped {
        Some(reason) if line.status == Status::Proven => {
            format!("{status}; not all plans: {reason}")
        }
        Some(reason) => format!("{status}: {reason}"),
        None => status.to_owned(),
    }
}

fn makespan(line: &Line) -> String {
    match (line.makespan, line.lower_bound, line.upper_bound) {
        (Some(makespan), _, _) => makespan.to_string(),
        (None, Some(lower), Some(upper)) => format!("{lower}–{upper}"),
        (None, Some(lower), None) => format!("{lower} or more"),
        (None, None, Some(upper)) => format!("{upper} or less"),
        (None, None, None) => String::new(),
    }
}

fn levels(facts: &[LevelFacts]) -> String {
    let agents: Vec<&String> = facts
        .iter()
        .find(|facts| !facts.agents.is_empty())
        .map_or_else(Vec::new, |facts| facts.agents.keys().collect());
    let header = ["level", "semantics", "tasks known", "makespan", "labels"];
    let header = header.into_iter().chain(agents.iter().map(|s| s.as_str()));
    let mut table = Table::new(header.chain([
        "assistant, fewest",
        "assistant, annotated",
        "published time + 1",
        "published collaborative actions",
    ]));
    for same in facts.chunk_by(|one, other| one.level == other.level) {
        let cells = |facts: &LevelFacts| {
            let published = (facts.level as usize)
                .checked_sub(1)
                .and_then(|index| PUBLISHED.get(index));
            let mut cells = vec![
                format!("{} of {}", facts.known, facts.problems),
                listed(&facts.makespans),
                listed(&facts.actions),
            ];
            let of = |name: &str| facts.agents.get(name);
            cells.extend(
                agents
                    .iter()
                    .map(|name| of(name).map_or_else(String::new, AgentLabels::range)),
            );
            cells.push(of(ASSISTANT).map_or_else(String::new, |labels| listed(&labels.fewest)));
            cells.push(
                facts
                    .annotated
                    .get(ASSISTANT)
                    .map_or_else(String::new, listed),
            );
            cells.push(listed(published.map(|published| published.time + 1)));
            cells.push(listed(published.map(|published| published.collaborative)));
            (facts.semantics.clone(), cells)
        };
        let about = same[0].level.to_string();
        table.add(&[about], same.iter().map(cells).collect());
    }
    let prose = "\
Over the tasks of a level whose optimal plans are all known. *Assistant, fewest*: the labels that the
assistant has at least, over all optimal plans of a task. *Assistant, annotated*: its labels in the
published references. *Published collaborative actions* are those of the paper's Table 3, which on
levels 1 to 4 are the latter, and on levels 5 and 6 are not.

";
    prose.to_owned() + &table.render()
}

fn annotations(benchmark: &Benchmark, survey: &Survey) -> String {
    let mut table = Table::new([
        "level",
        "task",
        "semantics",
        "annotated",
        "played in",
        "makespan",
        "optimal",
        "missing",
        "PC least",
        "PC mean",
        "PC greatest",
        "with PC 1",
    ]);
    for entry in &benchmark.problems {
        let cells = |semantics: &String| {
            let mut cells = vec![String::new(); 9];
            let Some(line) = survey.of(&entry.problem, semantics) else {
                "not computed".clone_into(&mut cells[0]);
                return cells;
            };
            let Some(annotation) = &line.annotation else {
                "not compared".clone_into(&mut cells[0]);
                return cells;
            };
            cells[0] = annotation.references.to_string();
            let ticks = |ticks: &Option<u32>| ticks.map_or("–".to_owned(), |n| n.to_string());
            cells[1] = listed(annotation.played.iter().map(ticks));
            cells[2] = makespan(line);
            cells[3] = match annotation.optimal.as_deref() {
                Some([]) => "none".to_owned(),
                optimal => listed(optimal.into_iter().flatten()),
            };
            cells[4] = shortened(annotation.missing.as_deref());
            if let Some(completeness) = &annotation.completeness {
                cells[5] = format!("{:.4}", completeness.least);
                cells[6] = format!("{:.4}", completeness.mean);
                cells[7] = format!("{:.4}", completeness.greatest);
                cells[8] = shortened(Some(&completeness.perfect));
                if !completeness.all {
                    let scored = shortened(Some(&completeness.scored));
                    cells[8].push_str(&format!(" of the first {scored}"));
                }
            }
            cells
        };
        let rows = benchmark.semantics.iter();
        let rows = rows.map(|semantics| (semantics.clone(), cells(semantics)));
        table.add(&about(entry), rows.collect());
    }
    let prose = "\
The published annotation beside the derived references. *Played in*: the ticks that each annotated
reference takes when every action is started as soon as it can be (– if it cannot be played in full so).
*Optimal*: which annotated references, counted from 1, are the labels of an optimal plan; *missing*: how many
references of optimal plans are not annotated. *PC*: the progress completeness that a flawless optimal play
gets when it is scored against the annotation, over all optimal references: 1 would be right for each.
(Under `upstream` a fill of the oven is logged as a put, so no play has the labels of an annotated reference of
levels 5 and 6.)

";
    prose.to_owned() + &table.render()
}
