//! The command line: arguments, one file per subcommand, the printer, exit codes. The only place
//! that prints, reads files, and asks the clock.

mod agents;
mod any_order;
mod args;
mod attempts;
mod bench;
mod bundled;
mod check;
mod clairvoyant;
mod compared;
mod compile;
mod completions;
mod control;
mod demo;
mod diff;
mod doctor;
mod domains;
mod drawing;
mod endpoint;
mod examples;
mod exec;
mod exit;
mod explain;
mod export;
mod facts;
mod files;
mod finding;
mod fmt;
mod generate;
mod given;
mod human;
mod import;
mod in_order;
mod index;
mod joint_action;
mod joint_lines;
mod key;
mod knowledge;
mod left;
mod listing;
mod load;
mod man;
mod models;
mod nature;
mod new;
mod observe;
mod online;
mod open;
mod orbits;
mod pages;
mod paths;
mod plan;
mod plan_text;
mod plannable;
mod policies;
mod printer;
mod rats;
mod reading;
mod recorder;
mod references;
pub mod replace;
mod replay;
mod roles;
mod rules;
mod run;
mod score;
#[cfg(feature = "serve")]
mod serve;
mod shared_log;
mod snapshot;
mod solve;
mod steps;
mod streams;
mod target;
mod trace;
mod waiting;
mod watch;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

pub use exit::Exit;
pub use open::{LoadError, load};

use args::{Colours, Format};
use exit::{FailureDocument, Result};
use printer::Printer;

/// After the help of the whole program.
fn more() -> String {
    format!("{}\n\n{EXIT_CODES}", examples::BEGIN)
}

const EXIT_CODES: &str = "\
Exit codes:
  0  done
  1  a negative answer: no plan, an episode that missed its goal, findings of a check
  2  the command line or a configuration is wrong, or a file cannot be read or written
  3  a limit (time, memory, Ctrl-C, SIGTERM) was reached; the bounds found so far are printed
  4  an internal error: a plan did not stand its test, and is not shown
  5  the input is malformed or unsound, so there is no answer about it";

/// The heading under which the help lists the options that every command has.
const GENERAL: &str = "General options";

/// A compiler, optimal planner and referee for multi-agent task domains.
#[derive(Debug, Parser)]
#[command(name = "brigade", version, about, after_help = more(), arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,

    /// Print results and errors only
    #[arg(long, short, global = true, help_heading = GENERAL)]
    quiet: bool,

    /// When to use colours
    #[arg(
        long,
        global = true,
        value_enum,
        value_name = "WHEN",
        default_value_t,
        help_heading = GENERAL
    )]
    color: Colours,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Report everything that is wrong with domain and problem files
    #[command(after_long_help = examples::CHECK)]
    Check(check::CheckArgs),
    /// Compile a problem to a finite task and write it
    #[command(
        override_usage = "brigade compile [OPTIONS] [DOMAIN] <PROBLEM>",
        after_long_help = examples::COMPILE
    )]
    Compile(compile::CompileArgs),
    /// Find an optimal plan and prove it
    #[command(
        override_usage = "brigade plan [OPTIONS] [DOMAIN] <PROBLEM>",
        after_long_help = examples::PLAN
    )]
    Plan(plan::PlanArgs),
    /// Derive the reference action trajectories: the label sequences of all optimal plans
    #[command(
        override_usage = "brigade rats [OPTIONS] [DOMAIN] <PROBLEM>",
        after_long_help = examples::RATS
    )]
    Rats(rats::RatsArgs),
    /// Step a recorded sequence of joint actions and show every state
    #[command(
        override_usage = "brigade replay [OPTIONS] [DOMAIN] <PROBLEM> <TRACE>",
        after_long_help = examples::REPLAY
    )]
    Replay(replay::ReplayArgs),
    /// Let agents act on a problem and write the event log
    #[command(
        override_usage = "brigade run [OPTIONS] [DOMAIN] <PROBLEM>",
        after_long_help = examples::RUN
    )]
    Run(Box<run::RunArgs>),
    /// Let people play in their browsers, with each other and with other agents
    #[cfg(feature = "serve")]
    #[command(
        override_usage = "brigade serve [OPTIONS] --log-dir <DIR> [DOMAIN] <PROBLEM>",
        after_long_help = examples::SERVE
    )]
    Serve(Box<serve::ServeArgs>),
    /// Show what one agent sees, at the start or after a trace
    #[command(
        override_usage = "brigade observe [OPTIONS] [DOMAIN] <PROBLEM>",
        after_long_help = examples::OBSERVE
    )]
    Observe(observe::ObserveArgs),
    /// Score episodes against reference trajectories
    #[command(after_long_help = examples::SCORE)]
    Score(score::ScoreArgs),
    /// Evaluate agents that ask models, and others, on many problems
    #[command(after_long_help = examples::BENCH)]
    Bench(bench::BenchArgs),
    /// Open a page that shows an episode, an evaluation, a plan or references
    #[command(after_long_help = examples::VIEW)]
    View(pages::ViewPageArgs),
    /// Write the page of an evaluation, with its tables as CSV, JSON and LaTeX
    #[command(after_long_help = examples::REPORT)]
    Report(pages::ReportArgs),
    /// List the designs of agents that ask models, or copy one
    #[command(after_long_help = examples::AGENTS)]
    Agents(agents::AgentsArgs),
    /// List the domains and problems that come with Brigade, or copy one
    #[command(after_long_help = examples::DOMAINS)]
    Domains(domains::DomainsArgs),
    /// Write files of other formats as domain and problem files
    #[command(after_long_help = examples::IMPORT)]
    Import(import::ImportArgs),
    /// Write a problem and its domain in the language or in another format
    #[command(
        override_usage = "brigade export [OPTIONS] --to <FORMAT> [DOMAIN] <FILE>",
        after_long_help = examples::EXPORT
    )]
    Export(export::ExportArgs),
    /// Write domain and problem files in the canonical layout; comments are kept
    #[command(after_long_help = examples::FMT)]
    Fmt(fmt::FmtArgs),
    /// Make a small domain that works, with a problem and snapshots, to be changed
    #[command(after_long_help = examples::NEW)]
    New(new::NewArgs),
    /// Compare the facts of domains and problems with those that were accepted
    #[command(after_long_help = examples::SNAPSHOT)]
    Snapshot(snapshot::SnapshotArgs),
    /// Say what changed between two versions of a domain or a problem
    #[command(after_long_help = examples::DIFF)]
    Diff(diff::DiffArgs),
    /// Draw random problems of known difficulty
    #[command(after_long_help = examples::GENERATE)]
    Generate(generate::GenerateArgs),
    /// Find out what a language model's endpoint can do
    #[command(after_long_help = examples::DOCTOR)]
    Doctor(doctor::DoctorArgs),
    /// Show the whole line on a bundled problem
    #[command(
        override_usage = "brigade demo [OPTIONS] [[DOMAIN] PROBLEM]",
        after_long_help = examples::DEMO
    )]
    Demo(demo::DemoArgs),
    /// Explain a diagnostic code
    #[command(after_long_help = examples::EXPLAIN)]
    Explain(explain::ExplainArgs),
    /// Write a completion script for a shell
    #[command(after_long_help = examples::COMPLETIONS)]
    Completions(completions::CompletionsArgs),
    /// Print a manual page, or write all of them
    #[command(after_long_help = examples::MAN)]
    Man(man::ManArgs),
}

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    run(std::env::args_os()).into()
}

/// Runs a command line, of which the first argument is the name of the program. Its output goes to the standard output
/// and the standard error of this process.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> Exit {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => return printer::command_line(&error),
    };
    let printer = Printer::new(cli.quiet, cli.color.into());
    control::catch_signals(&printer, cli.command.writes_json());
    let result = run_command(&printer, &cli.command);
    let is_cut_short = match &result {
        Ok(exit) => *exit == Exit::Limit && control::interrupted(),
        Err(_) => control::interrupted() || left::is_something(),
    };
    let exit = ended(&printer, &cli.command, result);
    if is_cut_short {
        printer.note(&left::sentence());
    }
    exit
}

/// Reports why a command failed, if it did. Returns its exit.
fn ended(printer: &Printer, command: &Command, result: Result) -> Exit {
    match result {
        Ok(exit) => exit,
        Err(failure) => {
            printer.failure(&failure);
            let document = FailureDocument::new(&failure).filter(|_| command.writes_json());
            if let Some(document) = document {
                // The failure to write it can be reported nowhere.
                let _ = printer.json(&document);
            }
            if command.is_check() {
                failure.exit().of_check()
            } else {
                failure.exit()
            }
        }
    }
}

impl Command {
    /// Returns true if the answer is a report on the input.
    const fn is_check(&self) -> bool {
        match self {
            Self::Check(_) => true,
            Self::Fmt(args) => args.check,
            Self::Snapshot(args) => args.check,
            _ => false,
        }
    }

    /// Returns true if standard output is to hold one JSON document.
    fn writes_json(&self) -> bool {
        match self {
            Self::Check(args) => args.format == check::Form::Json,
            Self::Compile(args) => args.emit == compile::Emit::Json || args.format == Format::Json,
            Self::Plan(args) => args.format == Format::Json,
            Self::Rats(args) => args.format == Format::Json,
            Self::Replay(args) => args.format == Format::Json,
            Self::Run(args) => args.format == Format::Json && !args.logs_to_output(),
            #[cfg(feature = "serve")]
            Self::Serve(args) => args.format == Format::Json,
            Self::Observe(args) => args.format == Format::Json,
            Self::Score(args) => args.format == Format::Json,
            Self::Bench(args) => args.format == Format::Json,
            Self::Doctor(args) => args.format == Format::Json,
            Self::Snapshot(args) => args.format == Format::Json,
            Self::Diff(args) => args.format == Format::Json,
            Self::Domains(args) => args.format == Format::Json,
            Self::Agents(args) => args.format == Format::Json,
            Self::Import(args) => args.format() == Format::Json,
            Self::Export(args) => args.target.format == Format::Json,
            Self::Fmt(args) => args.format == Format::Json,
            Self::New(args) => args.format == Format::Json,
            Self::Generate(args) => args.format() == Format::Json,
            Self::Demo(args) => args.format == Format::Json,
            Self::Explain(args) => args.format == explain::Form::Json,
            Self::Report(args) => args.format == Format::Json,
            Self::View(args) => args.format == Format::Json,
            Self::Completions(_) | Self::Man(_) => false,
        }
    }
}

fn run_command(printer: &Printer, command: &Command) -> Result {
    match command {
        Command::Check(args) => check::run(printer, args),
        Command::Compile(args) => compile::run(printer, args),
        Command::Plan(args) => plan::run(printer, args),
        Command::Rats(args) => rats::run(printer, args),
        Command::Replay(args) => replay::run(printer, args),
        Command::Run(args) => run::run(printer, args),
        #[cfg(feature = "serve")]
        Command::Serve(args) => serve::run(printer, args),
        Command::Observe(args) => observe::run(printer, args),
        Command::Score(args) => score::run(printer, args),
        Command::View(args) => pages::view(printer, args),
        Command::Report(args) => pages::report(printer, args),
        Command::Bench(args) => bench::run(printer, args),
        Command::Agents(args) => agents::run(printer, args),
        Command::Domains(args) => domains::run(printer, args),
        Command::Import(args) => import::run(printer, args),
        Command::Export(args) => export::run(printer, args),
        Command::Fmt(args) => fmt::run(printer, args),
        Command::New(args) => new::run(printer, args),
        Command::Snapshot(args) => snapshot::run(printer, args),
        Command::Diff(args) => diff::run(printer, args),
        Command::Generate(args) => generate::run(printer, args),
        Command::Doctor(args) => doctor::run(printer, args),
        Command::Demo(args) => demo::run(printer, args),
        Command::Explain(args) => explain::run(printer, args),
        Command::Completions(args) => completions::run(printer, args, Cli::command()),
        Command::Man(args) => man::run(printer, args, Cli::command()),
    }
}
