//! Paths: a folder is the same to every command, however it is spelt.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::cli::{Scratch, command, command_names, run, shown};

/// The commands that use the files of a folder, in which each `@` is the folder's path. The next may read the output of
/// one.
const USES: &[&[&str]] = &[
    &["check", "@"],
    &[
        "check",
        "@/soup.pddl",
        "--domain",
        "@/domain.pddl",
        "--format",
        "json",
    ],
    &[
        "check",
        "@/domain.pddl",
        "@/soup.pddl",
        "--facts",
        "--states",
        "1000",
    ],
    &["compile", "@/soup.pddl"],
    &[
        "plan",
        "--quiet",
        "@/soup.pddl",
        "--domain",
        "@/domain.pddl",
    ],
    &[
        "plan",
        "--quiet",
        "@/lamps/two-lamps.pddl",
        "--plan-file",
        "@/made/plan",
    ],
    &["rats", "--quiet", "@/soup.pddl"],
    &["run", "@/soup.pddl", "--log", "@/made/log.jsonl"],
    &[
        "run",
        "@/soup.pddl",
        "--log",
        "@/made/log.jsonl",
        "--resume",
    ],
    &["run", "@/soup.pddl", "--others", "replay:@/made/log.jsonl"],
    &["replay", "@/soup.pddl", "@/made/log.jsonl"],
    &[
        "observe",
        "@/soup.pddl",
        "--agent",
        "chef",
        "--after",
        "@/made/log.jsonl",
    ],
    &["score", "@/made/log.jsonl", "--problem", "@/soup.pddl"],
    &["bench", "@/evaluation.toml", "--log-dir", "@/made/logs"],
    &["bench", "@/evaluation.toml", "--log-dir", "@/made/logs"],
    &[
        "view",
        "@/soup.pddl",
        "--no-open",
        "--output",
        "@/made/page.html",
    ],
    &["report", "@/made/logs", "--output", "@/made/report"],
    &["agents", "react", "--write", "@/made/agents"],
    // A problem whose facts are found in no time.
    &[
        "domains",
        "--copy",
        "synchronous-0_cheese_sandwich",
        "--folder",
        "@/made",
    ],
    &[
        "import",
        "robotouille",
        "@/json/tea-domain.json",
        "@/json/tea-for-one.json",
        "--out-domain",
        "@/made/tea.pddl",
        "--out-problem",
        "@/made/cup.pddl",
    ],
    &[
        "export",
        "@/soup.pddl",
        "--to",
        "pddl",
        "--out-domain",
        "@/made/d",
        "--out-problem",
        "@/made/p",
    ],
    &["fmt", "@"],
    &["new", "diner", "--folder", "@/made"],
    &["snapshot", "--check", "@"],
    &["snapshot", "--accept", "@"],
    &["snapshot", "--check", "@", "--domain", "@/domain.pddl"],
    &["diff", "@", "@/older"],
    &["diff", "@/soup.pddl", "@/older/soup.pddl"],
    &[
        "generate",
        "robotouille",
        "@/json/tea-for-one.json",
        "--domain",
        "@/json/tea-domain.json",
        "--max-states",
        "1000",
    ],
    &["demo", "@/soup.pddl", "--quiet"],
    &["man", "--write", "@/made/man"],
];

/// Commands that are given no path; and `serve`, which lasts until it is ended.
const WITHOUT: [&str; 5] = ["doctor", "explain", "completions", "help", "serve"];

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
}

/// A folder with a domain and all else that the uses need.
fn prepare(scratch: &Scratch) {
    let made = run(&["new", "bistro", "--folder", &scratch.path("")]);
    assert_eq!(made.status.code(), Some(0), "{}", shown(&[], &made));
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let folder = scratch.0.join("bistro");
    copy(&folder, &scratch.0.join("older"));
    fs::rename(scratch.0.join("older"), folder.join("older")).unwrap();
    let soup = fs::read_to_string(folder.join("soup.pddl")).unwrap();
    fs::write(
        folder.join("soup.pddl"),
        soup.replace("carrot soup.", "carrot  soup."),
    )
    .unwrap();
    fs::create_dir_all(folder.join("made")).unwrap();
    for (name, files) in [
        (
            "json",
            ["import/tea-domain.json", "import/tea-for-one.json"],
        ),
        ("lamps", ["cli/lamps.pddl", "cli/two-lamps.pddl"]),
    ] {
        fs::create_dir_all(folder.join(name)).unwrap();
        for file in files {
            let to = folder.join(name).join(Path::new(file).file_name().unwrap());
            fs::copy(root.join(file), to).unwrap();
        }
    }
    let evaluation = "max-ticks = 40\n[[problems]]\npath = \"./older/../soup.pddl\"\n\
                      domain = \"./domain.pddl\"\n[[setups]]\nname = \"random\"\nagents = \"random\"\n";
    fs::write(folder.join("evaluation.toml"), evaluation).unwrap();
}

/// The files below a folder, with what they hold where that depends on nothing else.
fn contents(folder: &Path, all: &mut BTreeMap<String, String>, root: &Path) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            contents(&path, all, root);
            continue;
        }
        let name = path.strip_prefix(root).unwrap().display().to_string();
        let text = fs::read(&path).unwrap();
        let holds_times = name.ends_with("times.jsonl");
        let text = if holds_times {
            String::new()
        } else {
            String::from_utf8_lossy(&text).into()
        };
        all.insert(name, text);
    }
}

/// The outcome of all uses in a folder that is spelt so from a working directory.
fn outcome(
    pristine: &Path,
    scratch: &Scratch,
    from: &str,
    spelt: &str,
) -> (Vec<String>, BTreeMap<String, String>) {
    let folder = scratch.0.join("bistro");
    let _ = fs::remove_dir_all(&folder);
    copy(pristine, &folder);
    let names = [
        format!("{}/", folder.display()),
        "../work/bistro/".to_owned(),
        "link/".to_owned(),
        "bistro/".to_owned(),
        "./".to_owned(),
    ];
    let plain = |text: &[u8]| {
        let text = String::from_utf8_lossy(text).into_owned();
        // Folders alone, as where logs are kept.
        let text = text.replace(&folder.display().to_string(), "bistro");
        let text = names.iter().fold(text, |text, name| text.replace(name, ""));
        let times = |line: &&str| !line.contains(" s)") && !line.contains("took");
        text.lines().filter(times).collect::<Vec<_>>().join("\n")
    };
    let run_one = |use_: &&[&str]| {
        let args: Vec<String> = use_.iter().map(|arg| arg.replace('@', spelt)).collect();
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let output = command(&args)
            .current_dir(scratch.0.join(from))
            .output()
            .unwrap();
        format!(
            "{} {}: {:?}\n{}\n{}",
            use_[0],
            use_.join(" "),
            output.status.code(),
            plain(&output.stdout),
            plain(&output.stderr)
        )
    };
    let said = USES.iter().map(run_one).collect();
    let mut left = BTreeMap::new();
    contents(&folder, &mut left, &folder);
    let left = left
        .into_iter()
        .map(|(name, text)| (name, plain(text.as_bytes())))
        .collect();
    (said, left)
}

#[test]
fn every_command_treats_all_spellings_of_a_folder_alike() {
    for name in command_names() {
        let is_used = USES.iter().any(|use_| use_[0] == name);
        assert!(
            is_used || WITHOUT.contains(&&*name),
            "`{name}` is given no path: add how it is used to this test"
        );
    }
    let store = Scratch::new("paths-pristine");
    prepare(&store);
    let pristine = store.0.join("bistro");
    let root = Scratch::new("paths");
    let root = Scratch(root.0.canonicalize().unwrap());
    let work = Scratch(root.0.join("work"));
    fs::create_dir_all(&work.0).unwrap();
    let absolute = work.path("bistro");
    let (said, left) = outcome(&pristine, &work, "", "bistro");
    for text in &said {
        let done = [": Some(0)", ": Some(1)"]
            .iter()
            .any(|code| text.contains(code));
        assert!(done, "{text}");
    }
    #[cfg(unix)]
    std::os::unix::fs::symlink(&absolute, work.path("link")).unwrap();
    let spellings = [
        ("", "./bistro"),
        ("", "bistro/"),
        ("", "bistro//."),
        ("", "../work/bistro"),
        ("", "./bistro/../bistro"),
        ("", &absolute),
        ("bistro", "."),
        ("bistro", "./"),
        #[cfg(unix)]
        ("", "link"),
    ];
    for (from, spelt) in spellings {
        if from == "bistro" {
            copy(&pristine, &work.0.join("bistro"));
        }
        let (now_said, now_left) = outcome(&pristine, &work, from, spelt);
        for (before, now) in said.iter().zip(&now_said) {
            assert_eq!(before, now, "`{spelt}` from `{from}`");
        }
        let names = |left: &BTreeMap<String, String>| left.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&left), names(&now_left), "`{spelt}` from `{from}`");
        for (name, text) in &left {
            assert_eq!(text, &now_left[name], "{name}: `{spelt}` from `{from}`");
        }
    }
}

#[test]
fn snapshots_that_are_kept_apart_are_found_however_a_folder_is_spelt() {
    let scratch = Scratch::new("kept-apart");
    let scratch = Scratch(scratch.0.canonicalize().unwrap());
    let made = run(&["new", "bistro", "--folder", &scratch.path("")]);
    assert_eq!(made.status.code(), Some(0), "{}", shown(&[], &made));
    fs::create_dir_all(scratch.path("beside")).unwrap();
    let snapshot = |from: &str, mode: &str, spelt: &str, kept: &str| {
        let args = ["snapshot", mode, spelt, "--folder", kept];
        let output = command(&args)
            .current_dir(scratch.0.join(from))
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", shown(&args, &output));
        let said = String::from_utf8(output.stderr).unwrap();
        said.trim_end().to_owned()
    };
    let accepted = snapshot("", "--accept", "bistro", "kept");
    assert_eq!(accepted, "2 snapshots: 2 new; accepted");
    assert!(Path::new(&scratch.path("kept/bistro/soup.snap")).is_file());
    let (absolute, kept) = (scratch.path("bistro"), scratch.path("kept"));
    for (from, spelt) in [
        ("", "bistro/"),
        ("", "./bistro"),
        ("", "beside/../bistro"),
        ("", &absolute),
        ("beside", "../bistro"),
        ("beside", &absolute),
        ("bistro", "."),
        ("bistro", "../bistro"),
        ("", "."),
    ] {
        for mode in ["--check", "--accept"] {
            let said = snapshot(from, mode, spelt, &kept);
            assert_eq!(said, "2 snapshots: 2 unchanged", "`{spelt}` from `{from}`");
        }
    }
}

/// Whatever the working directory is, and however the folder is spelt.
#[test]
fn a_snapshot_is_removed_only_once_its_file_is_gone() {
    let scratch = Scratch::new("gone");
    let scratch = Scratch(scratch.0.canonicalize().unwrap());
    prepare(&scratch);
    let bistro = scratch.0.join("bistro");
    let accept = |from: &Path, args: &[&str]| {
        let args = [&["snapshot", "--accept"], args].concat();
        let output = command(&args).current_dir(from).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", shown(&args, &output));
        String::from_utf8(output.stdout).unwrap()
    };
    let kept = scratch.path("kept");
    accept(&scratch.0, &["bistro", "--folder", "kept"]);
    accept(&scratch.0, &["bistro"]);
    let paths = [
        scratch.path("kept/bistro/soup.snap"),
        scratch.path("bistro/snapshots/soup.snap"),
    ];
    for (from, spelt) in [
        (&bistro, "."),
        (&scratch.0, "."),
        (&bistro, ".."),
        (&bistro, "older"),
    ] {
        for options in [&[][..], &["--folder", &kept]] {
            let said = accept(from, &[&[spelt], options].concat());
            assert!(!said.contains("removed"), "{spelt}: {said}");
        }
        assert!(paths.iter().all(|path| Path::new(path).exists()), "{spelt}");
    }
    fs::remove_file(bistro.join("soup.pddl")).unwrap();
    accept(&bistro, &["."]);
    accept(&scratch.0, &["bistro/", "--folder", "./kept/"]);
    assert!(!paths.iter().any(|path| Path::new(path).exists()));
}

#[test]
fn a_file_that_is_called_as_standard_input_is_can_be_given() {
    let scratch = Scratch::new("dash");
    let domain = fs::read_to_string("tests/data/cli/egg.pddl").unwrap();
    fs::write(scratch.path("-"), domain).unwrap();
    let output = command(&["check", "./-"])
        .current_dir(&scratch.0)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", shown(&[], &output));
}
