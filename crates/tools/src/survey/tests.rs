//! Surveys of small benchmarks, made up.

use super::*;

fn line(status: Status, makespan: u32) -> Line {
    let proven = status == Status::Proven;
    Line {
        schema: SCHEMA,
        level: 1,
        problem: "egg".to_owned(),
        semantics: "clean".to_owned(),
        compiled: "fnv1a64:0".to_owned(),
        status,
        stopped: None,
        lower_bound: Some(makespan),
        upper_bound: proven.then_some(makespan),
        makespan: proven.then_some(makespan),
        actions: proven.then_some(2),
        plans: proven.then(|| "1".to_owned()),
        references_total: proven.then(|| "1".to_owned()),
        references_bounds: None,
        agents: indexmap::IndexMap::new(),
        annotation: None,
    }
}

fn annotated(line: Line) -> Line {
    let annotation = Annotation {
        references: 1,
        labels: indexmap::IndexMap::new(),
        played: vec![Some(9)],
        optimal: None,
        missing: None,
        completeness: None,
    };
    Line {
        annotation: Some(annotation),
        ..line
    }
}

#[test]
fn a_survey_survives_being_written_and_read() {
    let mut survey = Survey::default();
    survey.add(annotated(line(Status::Proven, 7)));
    survey.add(Line {
        level: 0,
        ..line(Status::Bounded, 3)
    });
    let text = survey.render().unwrap();
    assert_eq!(Survey::parse(&text).unwrap(), survey);
    assert!(text.lines().next().unwrap().contains("\"bounded\""));
}

#[test]
fn a_broken_survey_is_refused_with_the_line() {
    let good = {
        let mut survey = Survey::default();
        survey.add(line(Status::Proven, 7));
        survey.render().unwrap()
    };
    let error = |text: &str| Survey::parse(text).unwrap_err().to_string();
    assert_eq!(
        error(&format!("{good}{good}")),
        "line 2: a second line on egg under clean"
    );
    assert!(error(&format!("{good}{{}}")).starts_with("line 2: missing field"));
    assert!(error(&good.replace("level", "lever")).starts_with("line 1: unknown field"));
}

#[test]
fn a_line_gives_way_to_one_that_knows_as_much() {
    let mut survey = Survey::default();
    let incomplete = Line {
        plans: None,
        references_total: None,
        ..line(Status::Proven, 7)
    };
    assert_eq!(survey.add(line(Status::Bounded, 5)), Added::Taken);
    assert_eq!(survey.add(incomplete.clone()), Added::Taken);
    assert_eq!(survey.add(line(Status::Bounded, 6)), Added::Refused);
    assert_eq!(survey.add(line(Status::Proven, 7)), Added::Taken);
    assert_eq!(survey.add(incomplete), Added::Refused);
    assert_eq!(survey.add(line(Status::Proven, 8)), Added::Taken);
    assert_eq!(survey.of("egg", "clean").unwrap().makespan, Some(8));
}

#[test]
fn intervals_of_the_same_task_are_intersected() {
    let mut survey = Survey::default();
    let interval = |lower, upper| Line {
        upper_bound: upper,
        ..line(Status::Bounded, lower)
    };
    survey.add(annotated(interval(5, Some(9))));
    survey.add(interval(4, None));
    let found = survey.of("egg", "clean").unwrap();
    assert_eq!((found.lower_bound, found.upper_bound), (Some(5), Some(9)));
    assert!(found.annotation.is_some());
    survey.add(Line {
        compiled: "fnv1a64:1".to_owned(),
        ..interval(3, None)
    });
    let found = survey.of("egg", "clean").unwrap();
    assert_eq!((found.lower_bound, found.upper_bound), (Some(3), None));
}

#[test]
fn an_annotation_is_kept_as_long_as_the_plans_are_the_same() {
    let mut survey = Survey::default();
    survey.add(annotated(line(Status::Proven, 7)));
    survey.add(line(Status::Proven, 7));
    assert!(survey.of("egg", "clean").unwrap().annotation.is_some());
    survey.add(line(Status::Proven, 8));
    assert!(survey.of("egg", "clean").unwrap().annotation.is_none());
}

fn entry(problem: &str) -> Entry {
    Entry {
        level: 1,
        problem: problem.to_owned(),
        compiled: ["clean", "upstream"]
            .map(|semantics| (semantics.to_owned(), "fnv1a64:0".to_owned()))
            .into(),
    }
}

/// The rows of a page on one problem, without what they are about.
fn rows(page: &str, problem: &str) -> Vec<String> {
    let start = format!("| 1 | `{problem}` | ");
    let rows = page.lines().filter_map(|line| line.strip_prefix(&start));
    rows.map(str::to_owned).collect()
}

#[test]
fn a_page_says_what_is_proven_what_is_bounded_and_what_is_missing() {
    let benchmark = Benchmark {
        semantics: ["clean", "upstream"].map(str::to_owned).to_vec(),
        problems: ["egg", "pie", "soup", "stew", "tea"].map(entry).to_vec(),
    };
    let named = |problem: &str, line: Line| Line {
        problem: problem.to_owned(),
        ..line
    };
    let chef = AgentFigures {
        fewest: 1,
        most: 2,
        sequences: None,
    };
    let agents = indexmap::IndexMap::from([("chef".to_owned(), chef)]);
    let mut survey = Survey::default();
    let egg = Line {
        agents,
        ..line(Status::Proven, 7)
    };
    survey.add(Line {
        semantics: "upstream".to_owned(),
        ..egg.clone()
    });
    survey.add(egg);
    survey.add(named(
        "pie",
        Line {
            compiled: "fnv1a64:1".to_owned(),
            references_total: None,
            references_bounds: Some(["3".to_owned(), "12345678901".to_owned()]),
            ..line(Status::Proven, 9)
        },
    ));
    survey.add(named(
        "soup",
        Line {
            upper_bound: Some(9),
            stopped: Some("the time limit was reached".to_owned()),
            ..annotated(line(Status::Bounded, 4))
        },
    ));
    survey.add(named(
        "stew",
        Line {
            stopped: Some("the memory limit was reached".to_owned()),
            ..line(Status::Bounded, 4)
        },
    ));
    let page = page(&benchmark, &survey);
    assert_eq!(
        rows(&page, "egg"),
        [
            "clean, upstream | proven | 7 | 2 | 1–2 | 1 | 1 |",
            "clean, upstream | not compared | | | | | | | | |",
        ]
    );
    assert_eq!(
        rows(&page, "pie")[..2],
        [
            "clean | proven | 9† | 2 | | 1 | 3–1.2e10 |",
            "upstream | not computed | | | | | |",
        ]
    );
    assert_eq!(
        rows(&page, "soup")[0],
        "clean | interval: the time limit was reached | 4–9 | | | | |"
    );
    assert_eq!(rows(&page, "soup")[2], "clean | 1 | 9 | 4–9 | | | | | | |");
    assert_eq!(
        rows(&page, "stew")[0],
        "clean | interval: the memory limit was reached | 4 or more | | | | |"
    );
    assert_eq!(
        rows(&page, "tea"),
        [
            "clean, upstream | not computed | | | | | |",
            "clean, upstream | not computed | | | | | | | | |",
        ]
    );
    assert!(page.contains("† derived before"));
    let facts = level_facts(&benchmark, &survey);
    assert_eq!(
        facts[0].to_string(),
        "level 1 clean: 2 of 5 problems known; makespan 7, 9; labels 2; chef 1–2, fewest 1"
    );
}
