//! `view` and `report`: what pages and tables hold.

use std::fs;

use serde_json::{Value, json};

use super::{Scratch, run, shown, snapshot};

const EGG: &str = "problems/collab-overcooked/boiled_egg.pddl";

/// Runs a command that must be done.
fn done(args: &[&str]) -> String {
    let output = run(args);
    assert_eq!(output.status.code(), Some(0), "{}", shown(args, &output));
    String::from_utf8(output.stdout).unwrap()
}

/// The document within a page.
fn document(page: &str) -> Value {
    let html = fs::read_to_string(page).unwrap();
    let (_, rest) = html
        .split_once("<script id=\"data\" type=\"application/json\">")
        .unwrap();
    let (document, _) = rest.split_once("</script>").unwrap();
    serde_json::from_str(document).unwrap()
}

/// The page of what these arguments name.
fn viewed(scratch: &Scratch, args: &[&str]) -> Value {
    let page = scratch.path("page.html");
    let args = [&["view", "--no-open", "--output", &page], args].concat();
    assert_eq!(done(&args).trim_end(), page);
    document(&page)
}

/// The log of a short episode in which one agent acts at random.
fn episode(scratch: &Scratch) -> String {
    let log = scratch.path("episode.jsonl");
    let args = [
        "run",
        EGG,
        "--agent",
        "assistant=random",
        "--others",
        "planner",
        "--seed",
        "1",
        "--max-ticks",
        "12",
        "--log",
        &log,
        "--force",
    ];
    run(&args);
    log
}

#[test]
fn a_page_of_an_episode_holds_what_score_computes() {
    let scratch = Scratch::new("view-episode");
    let log = episode(&scratch);
    let page = viewed(&scratch, &[&log]);
    let shown = &page["episodes"]["episode"];
    let args = [
        "score",
        &log,
        "--problem",
        EGG,
        "--process",
        "--format",
        "json",
    ];
    let score: Value = serde_json::from_str(&done(&args)).unwrap();
    let process = &score["process"][0];
    assert_eq!(shown["process"]["optimum"], process["end"]["optimum"]);
    assert_eq!(shown["steps"].as_array().unwrap().len(), 12);
    let steps = shown["steps"].as_array().unwrap().iter();
    for (step, measured) in steps.zip(process["steps"].as_array().unwrap()) {
        assert_eq!(step["regret"], measured["regret"], "{step}");
        for (choice, measured) in step["choices"]
            .as_array()
            .unwrap()
            .iter()
            .zip(measured["choices"].as_array().unwrap())
        {
            assert_eq!(choice["optimal"], measured["optimal"]);
            let is_loss = measured["regret"].as_i64() > Some(0);
            let better = choice["better"].as_array().unwrap();
            assert_eq!(!better.is_empty(), is_loss, "{choice}");
            // The best alternative loses nothing.
            if let Some(best) = better.first() {
                assert_eq!(best["value"], measured["before"], "{choice}");
            }
        }
    }
    // A state for each tick, in words.
    assert_eq!(shown["states"].as_array().unwrap().len(), 13);
    assert_eq!(shown["in_words"], true);
}

#[test]
fn without_its_problem_an_episode_is_shown_in_facts_and_says_why() {
    let scratch = Scratch::new("view-facts");
    let log = episode(&scratch);
    let text = fs::read_to_string(&log).unwrap().replace(
        "\"task\":\"schema2:fnv1a64:",
        "\"task\":\"schema2:fnv1a64:f",
    );
    fs::write(&log, text).unwrap();
    let page = viewed(&scratch, &[&log]);
    let shown = &page["episodes"]["episode"];
    assert_eq!(shown["in_words"], false);
    assert!(shown["process"].is_null());
    assert!(
        shown["missing"].as_str().unwrap().contains("--problem"),
        "{}",
        shown["missing"]
    );
    let first = &shown["states"][0];
    let lines: Vec<&Value> = first
        .as_array()
        .unwrap()
        .iter()
        .map(|at| &shown["lines"][at.as_u64().unwrap() as usize])
        .collect();
    assert!(
        lines.contains(&&json!("(= (at chef) chef-top)")),
        "{lines:?}"
    );
}

#[test]
fn texts_of_agents_are_data_and_never_a_part_of_the_page() {
    let scratch = Scratch::new("view-hostile");
    let log = episode(&scratch);
    let hostile = "</script><script>alert(1)</script><!--\u{202e}\u{7}";
    let said = json!({"event": "message", "tick": 0, "agent": "chef", "text": hostile});
    let text = fs::read_to_string(&log).unwrap();
    let (header, rest) = text.split_once('\n').unwrap();
    fs::write(&log, format!("{header}\n{said}\n{rest}")).unwrap();
    let page = viewed(&scratch, &[&log]);
    assert_eq!(
        page["episodes"]["episode"]["steps"][0]["events"][0]["text"],
        hostile
    );
    let html = fs::read_to_string(scratch.path("page.html")).unwrap();
    assert!(!html.contains("alert(1)</script>") && !html.contains("<!--\u{202e}"));
}

#[test]
fn several_logs_are_on_one_page() {
    let scratch = Scratch::new("view-several");
    let log = episode(&scratch);
    let other = scratch.path("other.jsonl");
    fs::copy(&log, &other).unwrap();
    let page = viewed(&scratch, &[&log, &other]);
    let names: Vec<&String> = page["episodes"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["episode", "other"]);
}

#[test]
fn nothing_is_written_over_what_is_shown() {
    let scratch = Scratch::new("view-over");
    let log = episode(&scratch);
    let before = fs::read_to_string(&log).unwrap();
    let problem = scratch.file("egg.pddl", fs::read_to_string(EGG).unwrap());
    let chart = format!("--gantt={problem}");
    let logs = scratch.path("logs");
    let bench = [
        "bench",
        "evals/smoke.toml",
        "--cassette",
        "replay",
        "--log-dir",
        &logs,
    ];
    run(&[&bench[..], &["--metric-states", "0"]].concat());
    for args in [
        vec!["view", &*log, "--no-open", "--output", &*log],
        vec![
            "view",
            &*log,
            "--problem",
            &*problem,
            "--no-open",
            "--output",
            &*problem,
        ],
        vec!["view", &*logs, "--no-open", "--output", &*logs],
        vec!["view", &*logs, "--no-open", "--output", "page.html"],
        vec!["report", &*logs, "--output", &*logs],
        vec!["plan", &*problem, &*chart],
    ] {
        let output = run(&args);
        assert_eq!(output.status.code(), Some(2), "{}", shown(&args, &output));
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(text.contains("help: "), "{}", shown(&args, &output));
    }
    assert_eq!(fs::read_to_string(&log).unwrap(), before);
    assert_eq!(
        fs::read_to_string(&problem).unwrap(),
        fs::read_to_string(EGG).unwrap()
    );
}

#[test]
fn a_log_that_ends_in_the_middle_is_shown_as_far_as_it_goes() {
    let scratch = Scratch::new("view-cut");
    let log = episode(&scratch);
    let text = fs::read_to_string(&log).unwrap();
    let cut: Vec<&str> = text.lines().take(6).collect();
    fs::write(&log, cut.join("\n") + "\n{\"event\":\"st").unwrap();
    let page = viewed(&scratch, &[&log]);
    let shown = &page["episodes"]["episode"];
    assert!(shown["end"].is_null());
    assert_eq!(shown["steps"].as_array().unwrap().len(), 5);
    let page = scratch.path("cut.html");
    let output = run(&["view", &log, "--no-open", "--output", &page]);
    let warning = String::from_utf8_lossy(&output.stderr);
    assert!(warning.contains("the last line is cut off"), "{warning}");
}

#[test]
fn the_page_of_a_problem_has_a_plan_and_as_many_words_as_there_are() {
    let scratch = Scratch::new("view-problem");
    let page = viewed(&scratch, &[EGG]);
    let rats: Value = serde_json::from_str(&done(&["rats", EGG, "--format", "json"])).unwrap();
    assert_eq!(page["plan"]["makespan"], rats["makespan"]);
    assert_eq!(page["plan"]["optimal"], true);
    assert_eq!(page["references"]["plans"], rats["plans"]);
    for (index, agent) in ["chef", "assistant"].into_iter().enumerate() {
        let automaton = &page["references"]["automata"][index];
        assert_eq!(automaton["title"], agent);
        assert_eq!(
            automaton["nodes"][0]["ways"],
            rats["per_agent"][agent]["count"]
        );
    }
}

#[test]
fn documents_of_plan_and_rats_can_be_viewed() {
    let scratch = Scratch::new("view-documents");
    let plan = scratch.file("plan.json", done(&["plan", EGG, "--format", "json"]));
    let page = viewed(&scratch, &[&plan]);
    assert_eq!(page["plan"]["makespan"], 16);
    let lanes = page["plan"]["lanes"].as_array().unwrap();
    assert_eq!(
        [&lanes[0]["name"], &lanes[1]["name"]],
        ["chef", "assistant"]
    );

    let rats = scratch.file("rats.json", done(&["rats", EGG, "--format", "json"]));
    let page = viewed(&scratch, &[&rats]);
    assert_eq!(page["references"]["complete"], true);
    assert_eq!(page["references"]["automata"][0]["nodes"][0]["ways"], "1");
}

/// Two of three cups are to be washed, whichever.
fn cups(scratch: &Scratch) -> String {
    scratch.file(
        "domain.pddl",
        "(define (domain cups) (:requirements :adl :text) (:types cup)
          (:predicates (clean ?c - cup))
          (:action wash :parameters (?c - cup) :label \"wash({?c})\"
            :precondition (not (clean ?c)) :effect (clean ?c)))",
    );
    scratch.file(
        "cups.pddl",
        "(define (problem two-cups) (:domain cups) (:objects a b c - cup) (:init)
          (:goal (exists (?x ?y - cup) (and (not (= ?x ?y)) (clean ?x) (clean ?y)))))",
    )
}

#[test]
fn references_that_differ_in_interchangeable_objects_are_listed_and_drawn_once() {
    let scratch = Scratch::new("view-orbits");
    let problem = cups(&scratch);
    let orbits = json!({"total": "1", "interchangeable": [["a", "b", "c"]], "sizes": ["6"]});
    let only = json!([{"agent_0": ["wash(a)", "wash(b)"]}]);
    let args = ["rats", &problem, "--orbits", "--format", "json"];
    let text = done(&args);
    let listed: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(listed["orbits"], orbits);
    assert_eq!(listed["references_total"], "6");
    assert_eq!(listed["references"], only);
    let text = done(&["rats", &problem, "--orbits"]);
    assert!(text.contains("references: 6\n1 orbit up to interchangeable objects (a, b, c)\n"));
    assert!(text.contains("\nreference 1, for 6\n"));
    let dot = done(&["rats", &problem, "--orbits", "--dot"]);
    assert_eq!(dot.matches("->").count(), 2, "{dot}");

    let page = viewed(&scratch, &[&problem]);
    let shown = &page["references"];
    assert_eq!(shown["orbits"], orbits);
    assert_eq!(shown["automata"][0]["edges"].as_array().unwrap().len(), 2);
    assert_eq!(shown["references"].as_array().unwrap().len(), 1);
    let document = scratch.file("rats.json", listed.to_string());
    let page = viewed(&scratch, &[&document]);
    assert_eq!(page["references"]["orbits"], orbits);
    assert_eq!(page["references"]["complete"], true);
}

#[test]
fn the_streams_of_a_log_are_laid_over_its_problem_again() {
    let scratch = Scratch::new("view-streams");
    let log = scratch.path("level.jsonl");
    let orders = "evals/cuisineworld/level-0-alpha-1-episode-0.pddl";
    let args = [
        "run",
        "problems/cuisineworld/level-0.pddl",
        "--init",
        orders,
        "--others",
        "random",
        "--max-ticks",
        "3",
        "--log",
        &log,
    ];
    run(&args);
    let text = fs::read_to_string(&log).unwrap();
    let header: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    assert_eq!(
        header["streams"],
        json!([fs::read_to_string(orders).unwrap()])
    );
    let shown = &viewed(&scratch, &[&log, "--time-limit", "1"])["episodes"]["level"];
    assert_eq!(shown["in_words"], true);
}

#[test]
fn a_repeated_prompt_is_in_the_page_once() {
    let scratch = Scratch::new("view-prompts");
    let log = fs::read_to_string(episode(&scratch)).unwrap();
    let (header, rest) = log.split_once('\n').unwrap();
    let call = json!({
        "event": "call", "tick": 0, "agent": "chef", "module": "reasoner", "model": "m", "tries": 1,
        "request": {"messages": [{"role": "user", "content": "the one question"}], "seed": 1},
    });
    let log = format!("{header}\n{call}\n{call}\n{rest}");
    let path = scratch.file("asked.jsonl", log);
    let shown = &viewed(&scratch, &[&path])["episodes"]["asked"];
    assert_eq!(shown["texts"], json!(["the one question"]));
    for event in 0..2 {
        let prompt = &shown["steps"][0]["events"][event]["prompt"];
        assert_eq!(*prompt, json!([{"role": "user", "text": 0}]));
    }
}

#[test]
fn a_report_leaves_no_episode_of_an_earlier_one_and_nothing_of_others() {
    let scratch = Scratch::new("report-stale");
    let logs = smoke(&scratch);
    let report = scratch.path("report");
    let episodes = format!("{report}/episodes");
    fs::create_dir_all(&episodes).unwrap();
    for (name, text) in [
        ("7.js", "globalThis.brigadeEpisode(\"old\", {});\n"),
        ("8.js", "export const own = 1;\n"),
        ("own.js", "globalThis.brigadeEpisode(\"own\", {});\n"),
    ] {
        fs::write(format!("{episodes}/{name}"), text).unwrap();
    }
    done(&["report", &logs, "--output", &report]);
    let mut left: Vec<_> = fs::read_dir(&episodes)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    left.sort();
    assert_eq!(left, ["8.js", "own.js"]);
}

#[cfg(unix)]
#[test]
fn a_temporary_page_is_in_a_folder_of_its_own() {
    use std::os::unix::fs::PermissionsExt;

    let scratch = Scratch::new("view-temporary");
    let log = episode(&scratch);
    let pages = [0, 1].map(|_| done(&["view", "--no-open", &log]).trim().to_owned());
    assert_ne!(pages[0], pages[1]);
    for page in &pages {
        let folder = std::path::Path::new(page).parent().unwrap();
        assert_eq!(
            folder.metadata().unwrap().permissions().mode() & 0o777,
            0o700
        );
        fs::remove_dir_all(folder).unwrap();
    }
}

#[test]
fn a_gantt_chart_has_a_lane_for_each_agent_and_object() {
    let plan = done(&["plan", EGG, "--gantt", "--quiet"]);
    let (_, chart) = plan.split_once("\n\n").unwrap();
    snapshot("gantt", chart);
    let scratch = Scratch::new("gantt");
    let image = scratch.path("plan.svg");
    done(&["plan", EGG, &format!("--gantt={image}")]);
    let svg = fs::read_to_string(image).unwrap();
    assert!(
        svg.starts_with("<svg ") && svg.contains(">chef<") && svg.contains("pickup-from-counter")
    );
}

/// The folder of a small evaluation.
fn smoke(scratch: &Scratch) -> String {
    let logs = scratch.path("logs");
    run(&[
        "bench",
        "evals/smoke.toml",
        "--cassette",
        "replay",
        "--log-dir",
        &logs,
    ]);
    logs
}

#[test]
fn a_report_has_the_same_figures_in_every_form() {
    let scratch = Scratch::new("report");
    let (logs, report) = (smoke(&scratch), scratch.path("report"));
    done(&["report", &logs, "--output", &report]);
    let read = |name: &str| fs::read_to_string(format!("{report}/{name}")).unwrap();
    let tables: Value = serde_json::from_str(&read("tables.json")).unwrap();
    let page = document(&format!("{report}/index.html"));
    assert_eq!(page["campaign"]["tables"], tables["tables"]);
    assert_eq!(page["campaign"]["differences"], tables["differences"]);
    assert_eq!(page["episodes"].as_object().unwrap().len(), 8);

    let other = scratch.path("other");
    let mushroom = "problems/collab-overcooked/boiled_mushroom.pddl";
    let args = ["report", &logs, "--problem", mushroom, "--output", &other];
    let output = run(&args);
    assert_eq!(output.status.code(), Some(0), "{}", shown(&args, &output));
    let warnings = String::from_utf8_lossy(&output.stderr);
    assert!(
        warnings.contains("no episode is of a problem of `--problem`"),
        "{warnings}"
    );

    // Of the planner both episodes succeed: Wilson's interval of 2 of 2.
    let planner = &tables["tables"][0]["rows"][0];
    assert_eq!(planner["key"]["setup"], "planner");
    let success = &planner["values"]["success"];
    assert_eq!(
        (&success["value"], &success["high"]),
        (&json!(1.0), &json!(1.0))
    );
    assert!(
        (success["low"].as_f64().unwrap() - 0.3424).abs() < 1e-4,
        "{success}"
    );

    let csv = read("tables.csv");
    let low = success["low"].as_f64().unwrap();
    assert!(
        csv.contains(&format!(",,planner,,success,1,{low},1,2,2\n")),
        "{csv}"
    );
    assert!(
        read("tables.tex").contains("planner & -- & 2 & 1.00 [0.34, 1.00]"),
        "{}",
        read("tables.tex")
    );
}

#[test]
fn repetitions_that_all_succeed_have_a_column() {
    let scratch = Scratch::new("report-repeated");
    let problems = ["one-egg", "one-toast"].map(|name| {
        let path = fs::canonicalize(format!("tests/data/cli/{name}.pddl")).unwrap();
        format!("[[problems]]\npath = {path:?}\n")
    });
    let text = format!(
        "seeds = [1, 2]\nepochs = 3\nmax-ticks = 12\n{}[[setups]]\nname = \"at random\"\nagents = \"random\"\n",
        problems.concat()
    );
    let bench = scratch.file("bench.toml", &text);
    let (logs, report) = (scratch.path("logs"), scratch.path("report"));
    run(&["bench", &bench, "--log-dir", &logs]);
    done(&["report", &logs, "--output", &report]);
    let read = |path: &str| fs::read_to_string(path).unwrap();
    let json = |path: String| -> Value { serde_json::from_str(&read(&path)).unwrap() };
    let (summary, tables) = (
        json(format!("{logs}/summary.json")),
        json(format!("{report}/tables.json")),
    );
    assert_eq!(tables["metrics"]["pass_hat_3"], "pass^3");
    let rows = summary["rows"].as_array().unwrap();
    let whole = rows.iter().find(|row| row["problem"].is_null()).unwrap();
    for k in [2, 3] {
        let estimate = &tables["tables"][0]["rows"][0]["values"][format!("pass_hat_{k}")];
        assert_eq!(estimate["value"], whole["pass_hat"][k - 1]);
        assert_eq!(estimate["low"], whole["pass_hat_intervals"][k - 1][0]);
    }
    assert!(tables["metrics"].get("pass_hat_4").is_none());
    assert!(read(&format!("{report}/tables.csv")).contains(",pass_hat_2,"));
    assert!(read(&format!("{report}/tables.tex")).contains("pass\\textasciicircum{}2"));
}

#[test]
fn what_cannot_be_shown_is_refused() {
    let scratch = Scratch::new("view-refusals");
    let folder = scratch.path("empty");
    fs::create_dir(&folder).unwrap();
    let log = episode(&scratch);
    let other = scratch.path("other");
    fs::create_dir(&other).unwrap();
    let copy = format!("{other}/episode.jsonl");
    fs::copy(&log, &copy).unwrap();
    let other_problem = "problems/collab-overcooked/boiled_mushroom.pddl";
    let broken = scratch.file("broken.json", "{\"plan\": [");
    let text = fs::read_to_string(&log).unwrap();
    let (header, _) = text.split_once('\n').unwrap();
    let long = scratch.file("long.jsonl", format!("{header}\n{}", " ".repeat(65 << 20)));
    for (args, code, message) in [
        (vec!["view", &*folder], 2, "is no folder of an evaluation"),
        (vec!["view", "no-such-log.jsonl"], 2, "no such file"),
        (
            vec!["view", &*log, &*copy],
            2,
            "two logs are called `episode`",
        ),
        (vec!["view", &*log, EGG], 2, "cannot be shown on one page"),
        (vec!["report", &*folder], 2, "is no folder of an evaluation"),
        (
            vec!["score", &*folder, "--problem", EGG],
            2,
            "is no folder of an evaluation",
        ),
        (
            vec!["view", &*log, "--problem", other_problem, "--no-open"],
            2,
            "the log is of another task: problem ",
        ),
        (vec!["view", &*broken], 5, "is not JSON: "),
        (
            vec!["view", &*long],
            5,
            "is too large: line 2 has more than",
        ),
    ] {
        let output = run(&args);
        assert_eq!(
            output.status.code(),
            Some(code),
            "{}",
            shown(&args, &output)
        );
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(text.contains(message), "{}", shown(&args, &output));
    }
}
