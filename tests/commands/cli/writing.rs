//! Files that commands write: what was there stays where they fail.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::cli::{Bistro, ONE_EGG, Scratch, run, shown};

const TEA: [&str; 2] = [
    "tests/data/import/tea-domain.json",
    "tests/data/import/tea-for-one.json",
];
const OLD: &str = "what was there";

/// Runs `brigade` where no file can get longer than nothing, as on a full disk.
fn without_room(args: &[&str]) -> Output {
    Command::new("sh")
        .args([
            "-c",
            "ulimit -f 0; exec \"$@\"",
            "sh",
            env!("CARGO_BIN_EXE_brigade"),
        ])
        .args(args)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

fn assert_no_room(args: &[&str], output: &Output) {
    assert_eq!(output.status.code(), Some(2), "{}", shown(args, output));
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(
        error.contains("cannot be written: file too large"),
        "{error}"
    );
}

/// Each with the path, `@`, of a file that is there.
#[test]
fn every_command_that_replaces_a_file_leaves_it_where_there_is_no_room() {
    let scratch = Scratch::new("no-room");
    let file = scratch.file("file", OLD);
    let uses: &[&[&str]] = &[
        &[
            "export",
            ONE_EGG,
            "--to",
            "pddl",
            "--out-domain",
            "@",
            "--force",
        ],
        &[
            "export",
            ONE_EGG,
            "--to",
            "pddl",
            "--out-problem",
            "@",
            "--force",
        ],
        &[
            "import",
            "robotouille",
            TEA[0],
            TEA[1],
            "--out-problem",
            "@",
            "--force",
        ],
        &["plan", "tests/data/cli/two-lamps.pddl", "--plan-file", "@"],
        &["run", ONE_EGG, "--log", "@", "--force"],
    ];
    for args in uses {
        let args: Vec<&str> = args
            .iter()
            .map(|&arg| if arg == "@" { &*file } else { arg })
            .collect();
        assert_no_room(&args, &without_room(&args));
        assert_eq!(fs::read_to_string(&file).unwrap(), OLD, "{args:?}");
        assert_eq!(names(&scratch.0), ["file"], "{args:?}");
        let done = run(&args);
        assert!(
            matches!(done.status.code(), Some(0 | 1)),
            "{}",
            shown(&args, &done)
        );
        assert_ne!(fs::read_to_string(&file).unwrap(), OLD, "{args:?}");
        fs::write(&file, OLD).unwrap();
    }
}

#[test]
fn files_that_are_formatted_or_accepted_stay_where_there_is_no_room() {
    let bistro = Bistro::new("no-room-bistro");
    let soup = bistro.read("soup.pddl").replace("  (:goal", "      (:goal");
    fs::write(bistro.path("soup.pddl"), &soup).unwrap();
    let args = ["fmt", &bistro.folder];
    assert_no_room(&args, &without_room(&args));
    assert_eq!(bistro.read("soup.pddl"), soup);
    bistro.replace(
        "soup.pddl",
        "(in-pantry carrot)",
        "(in-pantry carrot) (in-pantry chopped-carrot)",
    );
    let accepted = bistro.read("snapshots/soup.snap");
    let args = ["snapshot", "--accept", &bistro.folder];
    let output = without_room(&args);
    assert_no_room(&args, &output);
    assert_eq!(bistro.read("snapshots/soup.snap"), accepted);
    assert_eq!(
        names(Path::new(&bistro.path("snapshots"))),
        ["domain.snap", "soup.snap"]
    );
    assert_eq!(
        names(Path::new(&bistro.folder)),
        ["domain.pddl", "snapshots", "soup.pddl"]
    );
}

#[test]
fn what_cannot_be_made_whole_is_not_left_in_the_way() {
    let scratch = Scratch::new("no-room-new");
    let root = scratch.path("");
    let agents = scratch.path("agents");
    let man = scratch.path("man");
    for args in [
        &["new", "bistro", "--folder", &root][..],
        &["agents", "react", "--write", &agents],
        &["man", "--write", &man],
    ] {
        assert_no_room(args, &without_room(args));
        let done = run(args);
        assert_eq!(done.status.code(), Some(0), "{}", shown(args, &done));
    }
    let pages = names(Path::new(&man)).len();
    let page = fs::read_to_string(scratch.path("man/brigade-plan.1")).unwrap();
    fs::write(scratch.path("man/brigade-plan.1"), OLD).unwrap();
    let args = ["man", "--write", &man];
    assert_no_room(&args, &without_room(&args));
    assert_eq!(
        fs::read_to_string(scratch.path("man/brigade-plan.1")).unwrap(),
        OLD
    );
    assert_eq!(run(&args).status.code(), Some(0));
    assert_eq!(
        fs::read_to_string(scratch.path("man/brigade-plan.1")).unwrap(),
        page
    );
    assert_eq!(names(Path::new(&man)).len(), pages);
}

#[test]
fn an_evaluation_keeps_its_files_where_there_is_no_room() {
    let scratch = Scratch::new("no-room-bench");
    let problem = Path::new(env!("CARGO_MANIFEST_DIR")).join(ONE_EGG);
    let bench = format!(
        "max-ticks = 5\n[[problems]]\npath = '{}'\n[[setups]]\nname = \"r\"\nagents = \"random\"\n",
        problem.display()
    );
    let bench = scratch.file("bench.toml", bench);
    let logs = scratch.path("logs");
    let args = ["bench", &bench, "--log-dir", &logs];
    assert_eq!(run(&args).status.code(), Some(0));
    let summary = fs::read_to_string(scratch.path("logs/summary.json")).unwrap();
    let files = names(Path::new(&logs));
    assert_no_room(&args, &without_room(&args));
    assert_eq!(
        fs::read_to_string(scratch.path("logs/summary.json")).unwrap(),
        summary
    );
    assert_eq!(names(Path::new(&logs)), files);
}

#[test]
fn a_replaced_file_keeps_its_mode_and_a_link_stays_one() {
    let scratch = Scratch::new("replaced");
    let file = scratch.file("file", OLD);
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    let owner = fs::metadata(&file).unwrap().uid();
    fs::create_dir_all(scratch.path("links")).unwrap();
    let links = [
        scratch.path("links/link"),
        scratch.path("links/link-to-link"),
    ];
    symlink("../file", &links[0]).unwrap();
    symlink("link", &links[1]).unwrap();
    for path in [&file, &links[0], &links[1]] {
        fs::write(&file, OLD).unwrap();
        let args = [
            "export",
            ONE_EGG,
            "--to",
            "pddl",
            "--out-domain",
            path,
            "--force",
        ];
        let output = run(&args);
        assert_eq!(output.status.code(), Some(0), "{}", shown(&args, &output));
        assert!(
            fs::read_to_string(&file)
                .unwrap()
                .starts_with("(define (domain")
        );
        let found = fs::metadata(&file).unwrap();
        assert_eq!((found.mode() & 0o777, found.uid()), (0o640, owner));
        assert!(
            links
                .iter()
                .all(|link| fs::symlink_metadata(link).unwrap().is_symlink())
        );
    }
    // The target of a link need not be there.
    fs::remove_file(&file).unwrap();
    assert_eq!(
        run(&["export", ONE_EGG, "--to", "pddl", "--out-domain", &links[1]])
            .status
            .code(),
        Some(0)
    );
    assert!(Path::new(&file).is_file());
    symlink("ring", scratch.path("ring")).unwrap();
    let ring = run(&[
        "export",
        ONE_EGG,
        "--to",
        "pddl",
        "--out-domain",
        &scratch.path("ring"),
    ]);
    assert_eq!(ring.status.code(), Some(2), "{}", shown(&[], &ring));
}

#[test]
fn what_is_no_file_is_written_to_and_not_replaced() {
    let egg = |to: &str| ["export", ONE_EGG, "--to", "pddl", "--out-domain", to].map(str::to_owned);
    let shown_domain = run(&["export", ONE_EGG, "--to", "pddl"]).stdout;
    let write = |to: &str| {
        let args = egg(to);
        run(&args.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let null = write("/dev/null");
    assert_eq!(null.status.code(), Some(0), "{}", shown(&[], &null));
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
    let output = write("/dev/stdout");
    assert_eq!(output.status.code(), Some(0), "{}", shown(&[], &output));
    assert!(!output.stdout.is_empty() && shown_domain.starts_with(&output.stdout));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported() {
    let args = [
        "export",
        ONE_EGG,
        "--to",
        "pddl",
        "--out-domain",
        "/dev/full",
    ];
    let full = run(&args);
    assert_eq!(full.status.code(), Some(2), "{}", shown(&args, &full));
    let error = String::from_utf8_lossy(&full.stderr);
    assert!(
        error.contains("/dev/full: cannot be written: no space left on device"),
        "{error}"
    );
}

/// Earlier content of a file that standard output goes to is not lost.
#[test]
fn standard_output_is_written_to_where_it_stands() {
    let scratch = Scratch::new("appended");
    let file = scratch.file("out", "");
    let script = "{ echo first; \"$@\" --out-domain /dev/stdout; echo last; } > \"$OUT\"";
    let status = Command::new("sh")
        .args([
            "-c",
            script,
            "sh",
            env!("CARGO_BIN_EXE_brigade"),
            "export",
            ONE_EGG,
            "--to",
            "pddl",
        ])
        .env("OUT", &file)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .status()
        .unwrap();
    assert_eq!(status.code(), Some(0));
    let text = fs::read_to_string(&file).unwrap();
    assert!(
        text.starts_with("first\n(define (domain") && text.ends_with(")\nlast\n"),
        "{text}"
    );
}

#[test]
fn a_failure_reports_what_was_written_before() {
    let scratch = Scratch::new("before");
    let domain = scratch.path("domain.pddl");
    let problem = scratch.path("none/problem.pddl");
    let args = [
        "export",
        ONE_EGG,
        "--to",
        "pddl",
        "--out-domain",
        &domain,
        "--out-problem",
        &problem,
    ];
    let output = run(&args);
    assert_eq!(output.status.code(), Some(2), "{}", shown(&args, &output));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("its folder does not exist"), "{error}");
    assert!(error.contains(&format!("{domain} was written")), "{error}");
}

/// One place replaces files.
#[test]
fn no_command_writes_a_file_in_place() {
    /// Logs, which grow line by line, are begun in place, and may be given other names. The benchmarks
    /// write inputs and outputs of tools into a folder of their own.
    const OTHERS: [&str; 5] = [
        "crates/tools/src/bin/benchmarks/main.rs",
        "crates/tools/src/bin/benchmarks/measure.rs",
        "src/cli/replace.rs",
        "src/cli/bench/folder.rs",
        "src/cli/bench/moves.rs",
    ];
    fn sources(folder: &Path, all: &mut Vec<std::path::PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                sources(&path, all);
            } else {
                all.push(path);
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all = Vec::new();
    sources(&root.join("src"), &mut all);
    for entry in fs::read_dir(root.join("crates")).unwrap() {
        sources(&entry.unwrap().path().join("src"), &mut all);
    }
    for path in all
        .iter()
        .filter(|path| !OTHERS.iter().any(|other| path.ends_with(other)))
    {
        let text = fs::read_to_string(path).unwrap();
        let text = text
            .split("#[cfg(test)]\nmod tests")
            .next()
            .unwrap_or_default();
        for writes in [
            "fs::write(",
            "File::create(",
            "truncate(true)",
            "fs::rename(",
        ] {
            assert!(
                !text.contains(writes),
                "{}: `{writes}`; use `files::write`",
                path.display()
            );
        }
    }
}
