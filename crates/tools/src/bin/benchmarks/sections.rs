//! The sections of the page: a table each.

use crate::data::{BASE, Data, Ratios};
use crate::parts::{FAMILIES, Family, Part};
use crate::record::{Outcome, Run, Tool};
use crate::text::{Table, bytes, decimal, digits, factor, millions, seconds};

/// Seconds, or why there are none.
fn time(run: Option<&Run>, total: Option<f64>) -> String {
    match (run.map(|run| run.outcome), total) {
        (Some(Outcome::Done), Some(total)) => seconds(total),
        (Some(Outcome::Limit), _) => "limit".to_owned(),
        (Some(Outcome::Unsupported), _) => "not supported".to_owned(),
        _ => "–".to_owned(),
    }
}

fn optional<T>(value: Option<T>, show: impl FnOnce(T) -> String) -> String {
    value.map_or("–".to_owned(), show)
}

pub(crate) fn competition(data: &Data, summary: &mut Vec<Ratios>) -> String {
    let mut ratios = Ratios::new("CPU time for an optimal plan");
    let mut stages = Table::new([
        "instance",
        "cost",
        "Brigade s",
        "read, ground, search ms",
        "translate s",
        "blind s",
        "LM-cut s",
        "ratio",
    ]);
    let mut counts = Table::new(["instance", "published", "Brigade", "nodes, edges", "s"]);
    let (mut solved, mut agree, mut counted, mut same, mut slower) = (0, 0, 0, 0, Vec::new());
    for published in &data.published {
        let name = published.instance.as_str();
        let Some(plan) = data.run(name, Tool::Plan) else {
            continue;
        };
        let best = data.best_peer(name);
        let ratio = data
            .done(name, Tool::Plan)
            .and_then(|plan| Some(best?.1 / plan.cpu));
        if let (Some(..1.0), Some((search, _))) = (ratio, best) {
            slower.push(format!("`{name}` (than with {search})"));
        }
        let cost = plan.found.cost;
        if plan.outcome == Outcome::Done {
            solved += 1;
            agree += u32::from(cost == published.cost);
        }
        let found = &plan.found;
        let split = [found.parse, found.ground, found.search]
            .map(|time| optional(time, |time| format!("{:.1}", time * 1e3)));
        let search = |tool| data.run(name, tool);
        let translate = data.run(name, Tool::Translate);
        let [blind, lmcut] = [Tool::FdBlind, Tool::FdLmcut].map(search);
        stages.row([
            format!("`{name}`"),
            optional(cost.or(published.cost), |cost| cost.to_string()),
            time(Some(plan), Some(plan.cpu)),
            split.join(", "),
            time(translate, translate.map(|run| run.cpu)),
            time(blind, blind.map(|run| run.cpu)),
            time(lmcut, lmcut.map(|run| run.cpu)),
            optional(ratio, |ratio| ratios.add(ratio, name)),
        ]);
        let Some(all) = data.run(name, Tool::All) else {
            continue;
        };
        let ours = all.found.plans.as_deref();
        if published.plans.is_some() && ours.is_some() {
            counted += 1;
            same += u32::from(ours == published.plans.as_deref());
        }
        let differ =
            published.plans.is_some() && ours.is_some() && ours != published.plans.as_deref();
        let sizes = [all.found.nodes, all.found.edges].map(|size| optional(size, digits));
        counts.row([
            format!("`{name}`"),
            optional(published.plans.as_deref(), decimal),
            optional(ours, decimal) + if differ { " ≠" } else { "" },
            sizes.join(", "),
            time(Some(all), Some(all.cpu)),
        ]);
    }
    summary.push(ratios);
    let slower = match slower.as_slice() {
        [] => "Brigade takes less on each.".to_owned(),
        slower => format!("Brigade takes more on {}.", slower.join(", ")),
    };
    format!(
        "\n## Competition instances\n\nAn optimal plan, proven. The ratio is that of translator and better \
         search to Brigade. {solved} solved, {agree}\nto the published cost. {slower} The stages' times are by \
         the clock, so other work adds to them.\n\n{}\nAll optimal plans: {same} of {counted} numbers are the \
         published ones.\n\n{}\n",
        stages.render(),
        counts.render()
    )
}

pub(crate) fn blind(data: &Data, summary: &mut Vec<Ratios>) -> String {
    let mut speeds = Ratios::new("expansions a second, blind");
    let mut times = Ratios::new("CPU time of a blind search");
    let mut memory = Ratios::new("bytes a state");
    let mut table = Table::new([
        "instance",
        "expanded",
        "Fast Downward",
        "s",
        "Fast Downward",
        "M/s",
        "Fast Downward",
        "ratio",
        "bytes a state",
        "Fast Downward",
    ]);
    let instances = Part::Blind.instances();
    for name in instances.iter().filter(|&name| name != BASE) {
        if data.run(name, Tool::Blind).is_none() {
            continue;
        }
        let (ours, theirs) = (data.done(name, Tool::Blind), data.done(name, Tool::FdBlind));
        let search = [
            ours.and_then(|_| data.search(name, Tool::Blind)),
            theirs.and_then(|run| run.found.search),
        ];
        let expanded = [ours, theirs].map(|run| run?.found.expanded);
        let speed = [0, 1].map(|at| Some(expanded[at]? as f64 / search[at]?));
        let state = [ours, theirs].map(|run| data.state_bytes(run?));
        let ratio = speed[0].zip(speed[1]).map(|(ours, theirs)| ours / theirs);
        if let [Some(ours), Some(theirs)] = search {
            times.add(theirs / ours, name);
        }
        if let [Some(ours), Some(theirs)] = state {
            memory.add(theirs / ours, name);
        }
        table.row([
            format!("`{name}`"),
            optional(expanded[0], digits),
            optional(expanded[1], digits),
            time(data.run(name, Tool::Blind), search[0]),
            time(data.run(name, Tool::FdBlind), search[1]),
            optional(speed[0], millions),
            optional(speed[1], millions),
            optional(ratio, |ratio| speeds.add(ratio, name)),
            optional(state[0], bytes),
            optional(state[1], bytes),
        ]);
    }
    summary.extend([speeds, times, memory]);
    format!(
        "## Blind search\n\n`brigade plan --heuristic blind` beside `astar(blind())`, one thread each. Fast \
         Downward's seconds are of its\nsearch, by its own CPU clock; Brigade's are of the process, less those \
         of reading and grounding. Bytes a state: the\nprocess's memory beyond that on `{BASE}`, by states stored.\
         \n\n{}\n",
        table.render()
    )
}

pub(crate) fn grounding(data: &Data, summary: &mut Vec<Ratios>) -> String {
    let mut process = Ratios::new("CPU time of reading and grounding");
    let mut own = Ratios::new("the same, by the translator's own clock");
    let mut table = Table::new([
        "instance",
        "operators",
        "translator's",
        "Brigade s",
        "MiB",
        "translator s",
        "its own clock",
        "MiB",
        "ratio",
        "by its own clock",
    ]);
    let mut names = Part::Grounding.instances();
    names.extend(Part::Blind.instances());
    for name in &names {
        let Some(ours) = data.run(name, Tool::Ground) else {
            continue;
        };
        let theirs = data.run(name, Tool::Translate);
        let done = theirs.filter(|run| run.outcome == Outcome::Done);
        let ratio = done.map(|run| run.cpu / ours.cpu);
        // Its clock ticks 100 times a second.
        let clock = done.and_then(|run| run.found.ground);
        let slow = clock.filter(|&time| time >= 0.1);
        let mib = |run: &Run| digits(run.peak_kib >> 10);
        table.row([
            format!("`{name}`"),
            optional(ours.found.operators, digits),
            optional(done.and_then(|run| run.found.operators), digits),
            time(Some(ours), Some(ours.cpu)),
            mib(ours),
            time(theirs, theirs.map(|run| run.cpu)),
            optional(clock, |time| format!("{time:.2}")),
            optional(done, mib),
            optional(ratio, |ratio| process.add(ratio, name)),
            optional(slow, |time| own.add(time / ours.cpu, name)),
        ]);
    }
    summary.extend([process, own]);
    format!(
        "## Reading and grounding\n\nWhat `brigade plan` does before it searches, in a process that ends then, beside `fast_downward.translate`. The translator's own \
         clock leaves out the start of Python;\nit ticks every hundredth of a second, and is compared from a tenth on.\n\n{}\n",
        table.render()
    )
}

pub(crate) fn plans(data: &Data) -> String {
    let mut table = Table::new([
        "balls",
        "cost",
        "optimal plans",
        "nodes",
        "edges",
        "s",
        "MiB",
    ]);
    for name in Part::Plans.instances() {
        let Some(run) = data.run(&name, Tool::All) else {
            continue;
        };
        let found = &run.found;
        table.row([
            name.trim_start_matches("gripper-").to_owned(),
            optional(found.cost, |cost| cost.to_string()),
            optional(found.plans.as_deref(), decimal),
            optional(found.nodes, digits),
            optional(found.edges, digits),
            time(Some(run), Some(run.cpu)),
            digits(run.peak_kib >> 10),
        ]);
    }
    format!(
        "## All optimal plans\n\n`brigade plan --all` on gripper, the worst of the competition's families for \
         a graph of all plans: nearly every\nstate is on an optimal path. 4, 6 and 8 balls are the \
         competition's problems 1, 2 and 3.\n\n{}\nOther planners list plans one by one. Measured earlier on \
         such a machine, in no run of this benchmark, with 60 s:\nSymK (`up-symk` 1.6.0) lists the plans for 6 \
         balls in 5.5 s, K\\* (`kstar-planner` 1.6.0) in 0.5 s; those for 8 balls\nneither lists to the end.\n\n",
        table.render()
    )
}

pub(crate) fn growth(data: &Data) -> String {
    let mut text = "## Growth\n\n`brigade plan` as problems grow, and Fast Downward (translator and search) \
                    where it can read them. *growth*: time\ncompared with the size before. After a limit \
                    larger sizes are not tried. Balls are interchangeable, and so are foods: a search that \
                    does not merge their permutations meets exponentially many states.\n"
        .to_owned();
    for family in FAMILIES {
        text.push_str(&format!(
            "\n### {}\n\n{}",
            family.title,
            grown(data, family)
        ));
    }
    text + "\n"
}

fn grown(data: &Data, family: &Family) -> String {
    let instances = family.instances();
    let peer = instances
        .iter()
        .any(|name| data.done(name, Tool::Translate).is_some());
    let mut header = vec![family.size, "cost", "Brigade s", "growth", "MiB", "states"];
    if peer {
        header.extend(["blind s", "MiB", "LM-cut s", "MiB"]);
    }
    let mut table = Table::new(header);
    let mut last = None;
    for name in &instances {
        let plan = data.run(name, Tool::Plan);
        let searches = [Tool::FdBlind, Tool::FdLmcut].map(|tool| (data.run(name, tool), tool));
        if plan.is_none() && searches.iter().all(|(run, _)| run.is_none()) {
            continue;
        }
        let mib = |run: Option<&Run>| optional(run, |run| digits(run.peak_kib >> 10));
        let cost = [plan, searches[0].0, searches[1].0].map(|run| run?.found.cost);
        let now = plan
            .filter(|run| run.outcome == Outcome::Done)
            .map(|run| run.cpu);
        let growth = now.zip(last).map(|(now, last): (f64, f64)| now / last);
        last = now;
        let mut row = vec![
            family.size_of(name).to_owned(),
            optional(cost.into_iter().flatten().next(), |cost| cost.to_string()),
            time(plan, now),
            optional(growth, factor),
            mib(plan),
            optional(plan.and_then(|run| run.found.states), digits),
        ];
        if peer {
            for (run, tool) in searches {
                row.extend([time(run, data.peer(name, tool)), mib(run)]);
            }
        }
        table.row(row);
    }
    table.render()
}

/// Nothing as long as nothing was measured on two threads.
pub(crate) fn threads(data: &Data) -> String {
    let mut table = Table::new([
        "instance",
        "blind: one thread s",
        "two s",
        "ratio",
        "as chosen: one thread s",
        "two s",
        "ratio",
    ]);
    let instances = Part::Threads.instances();
    let is_measured = |name: &&String| {
        [Tool::BlindTwo, Tool::PlanTwo]
            .iter()
            .any(|&tool| data.run(name, tool).is_some())
    };
    let mut measured = instances.iter().filter(is_measured).peekable();
    if measured.peek().is_none() {
        return String::new();
    }
    for name in measured {
        let mut row = vec![format!("`{name}`")];
        for tools in [[Tool::Blind, Tool::BlindTwo], [Tool::Plan, Tool::PlanTwo]] {
            let search = tools.map(|tool| data.done(name, tool)?.found.search);
            row.extend([0, 1].map(|at| time(data.run(name, tools[at]), search[at])));
            let ratio = search[0].zip(search[1]).map(|(one, two)| one / two);
            row.push(optional(ratio, factor));
        }
        table.row(row);
    }
    format!(
        "## Two threads\n\n`brigade plan --jobs 1` and `--jobs 2`, with `--heuristic blind` and without: seconds of the search \
         by the clock, so\nother work on the machine adds to them. Plans, numbers of states and bytes a state are the \
         same.\n\n{}\n",
        table.render()
    )
}

pub(crate) fn states(data: &Data) -> String {
    let mut table = Table::new([
        "states",
        "expanded",
        "s",
        "M states/s",
        "bytes a state",
        "alone: M states/s",
        "bytes a state",
        "ratio",
    ]);
    for name in Part::States.instances() {
        let Some(run) = data.done(&name, Tool::States) else {
            continue;
        };
        let search = data.search(&name, Tool::States);
        let base = data.run(&name, Tool::Ground);
        let per_second = |states: Option<u64>, time: Option<f64>| {
            let (states, time) = states.zip(time)?;
            Some(states as f64 / time)
        };
        let speed = per_second(run.found.states, search);
        let alone = data.done(&name, Tool::Alone);
        let bound = alone.and_then(|run| per_second(run.found.states, Some(run.cpu)));
        let per_state = |run: &Run, base: u64| {
            let bytes = run.peak_kib.saturating_sub(base) * 1024;
            run.found.states.map(|states| bytes as f64 / states as f64)
        };
        table.row([
            optional(run.found.states, digits),
            optional(run.found.expanded, digits),
            optional(search, seconds),
            optional(speed, millions),
            optional(base.and_then(|base| per_state(run, base.peak_kib)), bytes),
            optional(bound, millions),
            optional(alone.and_then(|run| per_state(run, 0)), bytes),
            optional(bound.zip(speed).map(|(bound, speed)| bound / speed), factor),
        ]);
    }
    format!(
        "## Many states\n\nBlind search of the 11-puzzle from a far state, until so many states are stored or the goal is found; \
         seconds and bytes as under blind\nsearch. *Alone*: a program for this puzzle alone, in the same run (a \
         state is a word in a slot of its table; no\nparents, operators or costs), and how many times as fast it \
         is.\n\n{}\n",
        table.render()
    )
}
