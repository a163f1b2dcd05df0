//! What `brigade check` takes for files that are huge and odd: seconds, and bytes of peak memory a byte of
//! the file, for every fragment repeated at every place where a file can hold it.
//!
//! Each file is checked by a process of its own under a parent that measures it alone, as the system tells
//! a process the peak of all its children together. Arguments: `--megabytes N` (10), `--only PART` of a
//! kind's name, `--all` to list all kinds instead of the worst ones.

#![expect(clippy::print_stdout, reason = "it prints what it measures")]

use std::env;
use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;

/// Kinds listed by time and by memory.
const WORST: usize = 12;

/// Stands for the repeated fragment in a place.
const HERE: &str = "@";

/// A number that differs at each repetition of a fragment.
const COUNTER: &str = "%";

/// Where a fragment is repeated, and what its file is called.
struct Place {
    name: &'static str,
    text: &'static str,
    /// Whether the text is a problem, of [`DOMAIN`].
    is_problem: bool,
}

const fn domain(name: &'static str, text: &'static str) -> Place {
    Place {
        name,
        text,
        is_problem: false,
    }
}

const fn problem(name: &'static str, text: &'static str) -> Place {
    Place {
        name,
        text,
        is_problem: true,
    }
}

const PLACES: &[Place] = &[
    domain("the file", "@"),
    domain(
        "behind a domain",
        "(define (domain d) (:predicates (p)))\n@",
    ),
    domain("a domain", "(define (domain d)\n@\n)"),
    domain(
        "requirements",
        "(define (domain d) (:requirements @) (:predicates (p)))",
    ),
    domain("types", "(define (domain d) (:types @) (:predicates (p)))"),
    domain(
        "constants",
        "(define (domain d) (:types t) (:constants @) (:predicates (p)))",
    ),
    domain(
        "predicates",
        "(define (domain d) (:types t) (:predicates (p) @))",
    ),
    domain(
        "parameters of a predicate",
        "(define (domain d) (:types t) (:predicates (p @)))",
    ),
    domain(
        "functions",
        "(define (domain d) (:types t) (:functions (f) - number @))",
    ),
    domain(
        "an action",
        "(define (domain d) (:predicates (p)) (:action a @ :effect (p)))",
    ),
    domain(
        "parameters",
        "(define (domain d) (:types t) (:predicates (p)) (:action a :parameters (@) :effect (p)))",
    ),
    domain(
        "a precondition",
        "(define (domain d) (:predicates (p)) (:action a :precondition (and @) :effect (p)))",
    ),
    domain(
        "an effect",
        "(define (domain d) (:predicates (p)) (:action a :effect (and (p) @)))",
    ),
    domain(
        "a label",
        "(define (domain d) (:predicates (p)) (:action a :label (@) :effect (p)))",
    ),
    domain(
        "facts of a domain",
        "(define (domain d) (:constants o) (:predicates (p) (q ?x)) (:facts @) (:action a :effect (p)))",
    ),
    domain(
        "an event",
        "(define (domain d) (:predicates (p)) (:event e :parameters () :precondition (and @) :effect (p)))",
    ),
    problem(
        "a problem",
        "(define (problem b) (:domain d)\n@\n(:goal (p)))",
    ),
    problem(
        "objects",
        "(define (problem b) (:domain d) (:objects @) (:goal (p)))",
    ),
    problem(
        "facts",
        "(define (problem b) (:domain d) (:objects o - t) (:init @) (:goal (p)))",
    ),
    problem(
        "a goal",
        "(define (problem b) (:domain d) (:objects o - t) (:init) (:goal (and (p) @)))",
    ),
    problem(
        "a metric",
        "(define (problem b) (:domain d) (:goal (p)) (:metric minimize @))",
    ),
];

/// The domain of all problems.
const DOMAIN: &str = "(define (domain d)
  (:types t)
  (:predicates (p) (q ?x - t) (r ?x ?y - t))
  (:functions (f ?x - t) - number (total-cost) - number)
  (:action a
    :parameters (?x - t)
    :precondition (q ?x)
    :effect (and (p) (increase (total-cost) 1))))";

const FRAGMENTS: &[(&str, &str)] = &[
    ("letters", "a"),
    ("one name", "x "),
    ("names", "x% "),
    ("names and types", "x% - t "),
    ("types of their own", "x% - y% "),
    ("a chain of types", "x% - x1% "),
    ("either", "x% - (either t t) "),
    ("either, in itself", "(either "),
    ("one variable", "?x "),
    ("variables", "?x% "),
    ("variables and types", "?x% - t "),
    ("question marks", "?"),
    ("keywords", ":k "),
    ("keywords that differ", ":k% "),
    ("colons", ":"),
    ("numbers", "1 "),
    ("digits", "7"),
    ("fractions", "0.5 "),
    ("dashes", "- "),
    ("dashes, unbroken", "-"),
    ("opening parentheses", "("),
    ("closing parentheses", ")"),
    ("pairs of parentheses", "()"),
    ("parentheses the wrong way", ")("),
    ("brackets", "[{"),
    ("quotes", "\""),
    ("texts", "\"x\" "),
    ("comments", "; x\n"),
    ("comment marks", ";"),
    ("silenced warnings", "; brigade: allow W0101 -- why\n"),
    ("lines", "\n"),
    ("carriage returns", "\r"),
    ("both", "\r\n"),
    ("zero bytes", "\0"),
    ("marks of byte order", "\u{feff}"),
    ("letters of two bytes", "é"),
    ("pictures", "🍳 "),
    ("blanks that are not seen", "\u{a0}"),
    ("known facts", "(p) "),
    ("unknown facts", "(u%) "),
    ("misspelt facts", "(pp%) "),
    ("facts of one object", "(q o) "),
    ("facts of unknown objects", "(q o%) "),
    ("too many arguments", "(q o o o) "),
    ("values", "(= (f o) %) "),
    ("values that are facts", "(= (q o) 1) "),
    ("negated", "(not (p)) "),
    ("negation, in itself", "(not "),
    ("and, in itself", "(and "),
    ("or, in itself", "(or (p) "),
    ("when, in itself", "(when (p) "),
    ("forall, in itself", "(forall (?x - t) "),
    ("forall", "(forall (?x% - t) (q ?x%)) "),
    ("imply", "(imply (p) (p)) "),
    ("equalities", "(= o o) "),
    ("increase", "(increase (f o) 1) "),
    ("delayed effects", "(delayed 3 (p)) "),
    ("sums, in themselves", "(+ 1 "),
    ("declared anew", "(x ?x - t) "),
    ("declared", "(x% ?x - t) "),
    ("sections of predicates", "(:predicates (x%)) "),
    ("sections of types", "(:types x%) "),
    ("unknown sections", "(:section% x) "),
    ("sections of objects", "(:objects x% - t) "),
    (
        "actions",
        "(:action a% :parameters (?x) :precondition (p) :effect (not (p))) ",
    ),
    ("actions of one name", "(:action a :effect (p)) "),
    ("actions without a name", "(:action "),
    ("definitions", "(define (domain d%) (:predicates (p))) "),
    ("definitions, in themselves", "(define (domain d) "),
    ("words of other languages", "if then else := == && || != "),
    ("timed facts", "(at % (p)) "),
];

/// A fragment repeated to a number of bytes.
fn repeated(fragment: &str, bytes: usize) -> String {
    let mut text = String::with_capacity(bytes + fragment.len() + 8);
    let mut number = 0_u64;
    let parts: Vec<&str> = fragment.split(COUNTER).collect();
    while text.len() < bytes {
        text.push_str(parts[0]);
        for part in &parts[1..] {
            write!(text, "{number}").ok();
            text.push_str(part);
        }
        number += 1;
    }
    text
}

/// What a check took.
struct Measured {
    kind: String,
    /// By the clock.
    seconds: f64,
    /// Of processor time: what others do on the machine has little to do with it.
    cpu: f64,
    bytes_a_byte: f64,
    code: String,
    said: usize,
}

/// Runs a check as the only child of this process; prints seconds by the clock
/// and of processor time, peak kilobytes, the exit code and the
/// bytes that were said.
fn measure(files: &[String]) -> Result<(), Box<dyn Error>> {
    let start = Instant::now();
    let output = Command::new(env!("CARGO_BIN_EXE_brigade"))
        .arg("check")
        .args(files)
        .stdin(Stdio::null())
        .output()?;
    let seconds = start.elapsed().as_secs_f64();
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let peak = usage.max_rss();
    let times = [usage.user_time(), usage.system_time()];
    let cpu: f64 = times
        .map(|time| time.num_microseconds() as f64 / 1e6)
        .iter()
        .sum();
    let code = output.status.code();
    let code = code.map_or_else(|| output.status.to_string(), |code| code.to_string());
    let said = output.stdout.len() + output.stderr.len();
    println!("{seconds}\t{cpu}\t{peak}\t{code}\t{said}");
    Ok(())
}

/// [`measure`] in a process of its own.
fn measured(kind: String, files: &[&Path], bytes: usize) -> Result<Measured, Box<dyn Error>> {
    let output = Command::new(env::current_exe()?)
        .arg("--measure")
        .args(files)
        .stderr(Stdio::inherit())
        .output()?;
    let text = String::from_utf8(output.stdout)?;
    let mut fields = text.trim().split('\t');
    let mut next = || fields.next().ok_or("nothing was measured");
    let (seconds, cpu) = (next()?.parse()?, next()?.parse()?);
    let peak: f64 = next()?.parse()?;
    Ok(Measured {
        kind,
        seconds,
        cpu,
        bytes_a_byte: peak * 1024.0 / bytes as f64,
        code: next()?.to_owned(),
        said: next()?.parse()?,
    })
}

fn table(title: &str, rows: &[&Measured]) {
    println!("\n{title}\n\n| kind | s | s of processor | bytes a byte | exit code | bytes said |");
    println!("| --- | --- | --- | --- | --- | --- |");
    for row in rows {
        let Measured {
            kind,
            seconds,
            cpu,
            bytes_a_byte,
            code,
            said,
        } = row;
        println!("| {kind} | {seconds:.2} | {cpu:.2} | {bytes_a_byte:.1} | {code} | {said} |");
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    if let Some(("--measure", files)) = arguments.split_first().map(|(a, b)| (a.as_str(), b)) {
        return measure(files);
    }
    let value = |name: &str| {
        let at = arguments.iter().position(|argument| argument == name)?;
        arguments.get(at + 1)
    };
    let megabytes: usize = value("--megabytes").map_or(Ok(10), |text| text.parse())?;
    let bytes = megabytes * 1_000_000;
    let only = value("--only").map_or("", String::as_str);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hostile");
    fs::create_dir_all(&folder)?;
    let (domain_file, file) = (folder.join("domain.pddl"), folder.join("hostile.pddl"));
    fs::write(&domain_file, DOMAIN)?;
    let mut all = Vec::new();
    for (name, fragment) in FRAGMENTS {
        let body = repeated(fragment, bytes);
        for place in PLACES {
            let kind = format!("{}: {name}", place.name);
            if !kind.contains(only) {
                continue;
            }
            fs::write(&file, place.text.replace(HERE, &body))?;
            let files: &[&Path] = if place.is_problem {
                &[&domain_file, &file]
            } else {
                &[&file]
            };
            all.push(measured(kind, files, bytes)?);
        }
    }
    fs::remove_dir_all(&folder)?;
    let rows: Vec<&Measured> = all.iter().collect();
    let slow = rows.iter().filter(|row| row.cpu > 1.0).count();
    let large = rows.iter().filter(|row| row.bytes_a_byte > 40.0).count();
    let odd = rows
        .iter()
        .filter(|row| row.code.len() > 1 || row.code == "0");
    println!(
        "{} kinds of {megabytes} MB: {slow} take more than 1 s of processor time, \
         {large} more than 40 bytes a byte; {} end \
         with neither 1 nor 2",
        rows.len(),
        odd.count()
    );
    if arguments.iter().any(|argument| argument == "--all") {
        table("All kinds", &rows);
        return Ok(());
    }
    let mut by_time = rows.clone();
    by_time.sort_by(|one, other| other.cpu.total_cmp(&one.cpu));
    table("Slowest", &by_time[..rows.len().min(WORST)]);
    let mut by_memory = rows;
    by_memory.sort_by(|one, other| other.bytes_a_byte.total_cmp(&one.bytes_a_byte));
    let shown = by_memory.len().min(WORST);
    table("Largest", &by_memory[..shown]);
    Ok(())
}
