//! Defines the end of a command: the exit codes, and the errors that lead to them.

use std::path::PathBuf;
use std::process::ExitCode;

use serde::Serialize;

use crate::diagnostics::json::JsonDiagnostic;
use crate::diagnostics::words::presentable;
use crate::llm::chat::ChatError;
use crate::search::Invalid;

/// The exit codes of `brigade`.
///
/// A second Ctrl-C or SIGTERM ends the process at once, with 130 or 143 as shells expect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Exit {
    /// 0: what was asked for was done.
    Done = 0,
    /// 1: a negative answer: no plan exists, an episode that missed its goal, findings of a check.
    Negative = 1,
    /// 2: the command line or a configuration is wrong, or a file could not be read or written.
    Usage = 2,
    /// 3: a limit (time, memory, an interrupt) was reached; the bounds found so far are printed.
    Limit = 3,
    /// 4: a plan that was found does not stand its test: a bug of `brigade`.
    Internal = 4,
    /// 5: the input about which something was asked is malformed or unsound, so there is no answer.
    Malformed = 5,
}

impl Exit {
    /// The code of a command whose answer is what it finds wrong with its input.
    pub(super) const fn of_check(self) -> Self {
        match self {
            Self::Malformed => Self::Negative,
            other => other,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// The error that keeps a command from being carried out.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    /// A file could not be read or written, or configures a command wrongly.
    #[error("{}: {reason}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The reason why not.
        reason: String,
    },
    /// A file about which something was asked was read, and is not what it has to be.
    #[error("{}: {reason}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// The fault.
        reason: String,
    },
    /// The command cannot be carried out as given.
    #[error("{message}")]
    Usage {
        /// The fault.
        message: String,
        /// Advice.
        help: Option<String>,
    },
    /// A limit or an interrupt came before what is needed was known.
    #[error("{message}")]
    Limit {
        /// Names what is not known.
        message: String,
        /// Advice.
        help: &'static str,
    },
    /// The input is rejected for what is wrong with it, which was reported.
    #[error("the input is rejected")]
    Rejected(Vec<JsonDiagnostic>),
    /// The input is sound, and cannot be said in the form that was asked for; why was reported.
    #[error("the input cannot be written in this form")]
    Inexpressible(Vec<JsonDiagnostic>),
    /// The input was understood, and cannot be used.
    #[error("{0}")]
    Unusable(String),
    /// The thing that was asked for does not exist.
    #[error("{0}")]
    Negative(String),
    /// A part of `brigade` that cannot fail has failed.
    #[error("internal error: {0}; this is a bug of brigade, please report it")]
    Internal(String),
    /// There are no references to score against.
    #[error("there are no references to score against: {reason}")]
    NoReferences {
        /// The reason why not.
        reason: String,
        /// The exit code that the search for them leads to.
        exit: Exit,
    },
    /// A plan that was found does not stand its test.
    #[error(
        "internal error: the plan that was found does not stand its test, and is not shown: {0}; \
         this is a bug of brigade, please report it with the domain and the problem"
    )]
    InvalidPlan(#[from] Invalid),
    /// A limit was reached before what this names was done.
    #[error("stopped, by a limit or an interrupt, before {0}")]
    Stopped(&'static str),
    /// A model was not asked to the end.
    #[error(transparent)]
    Chat(ChatError),
    /// Standard output cannot be written.
    #[error("standard output cannot be written: {}", reason(.0, "it does not exist"))]
    Output(std::io::Error),
}

impl Failure {
    /// A wrong command line, with advice.
    pub(super) fn usage(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Usage {
            message: message.into(),
            help: Some(help.into()),
        }
    }

    /// A file that cannot be read or written.
    pub(super) fn file(path: &std::path::Path, reason: impl std::fmt::Display) -> Self {
        Self::File {
            path: path.to_owned(),
            reason: reason.to_string(),
        }
    }

    /// A file that is not what it has to be.
    pub(super) fn malformed(path: &std::path::Path, reason: impl std::fmt::Display) -> Self {
        Self::Malformed {
            path: path.to_owned(),
            reason: reason.to_string(),
        }
    }

    /// A log whose task cannot be identified, because an earlier version did so in another way.
    pub(super) fn of_schema_1(path: &std::path::Path, reason: impl std::fmt::Display) -> Self {
        Self::usage(
            format!("{}: {reason}", path.display()),
            "use the version that wrote it, or play the episode again",
        )
    }

    /// A file that the system does not let us read.
    pub(super) fn unreadable(path: &std::path::Path, error: &std::io::Error) -> Self {
        Self::file(path, reason(error, "no such file"))
    }

    /// A file that the system does not let us write.
    pub(super) fn unwritable(path: &std::path::Path, error: &std::io::Error) -> Self {
        let reason = reason(error, "its folder does not exist");
        Self::file(path, format_args!("cannot be written: {reason}"))
    }

    /// The exit code it leads to.
    pub(super) const fn exit(&self) -> Exit {
        match self {
            Self::File { .. }
            | Self::Usage { .. }
            | Self::Output(_)
            | Self::Chat(ChatError::Configuration { .. }) => Exit::Usage,
            Self::NoReferences { exit, .. } => *exit,
            Self::Limit { .. }
            | Self::Stopped(_)
            | Self::Chat(ChatError::Stopped(_) | ChatError::Budget(_)) => Exit::Limit,
            Self::Inexpressible(_) | Self::Negative(_) | Self::Chat(_) => Exit::Negative,
            Self::InvalidPlan(_) | Self::Internal(_) => Exit::Internal,
            Self::Malformed { .. } | Self::Rejected(_) | Self::Unusable(_) => Exit::Malformed,
        }
    }
}

/// The document on standard output of a command that fails and was to write a JSON document.
#[derive(Debug, Serialize)]
pub(super) struct FailureDocument<'a> {
    schema: u32,
    /// The reason why the command failed.
    failure: String,
    /// Advice.
    help: Option<&'a str>,
    /// The errors of the sources.
    diagnostics: &'a [JsonDiagnostic],
}

impl<'a> FailureDocument<'a> {
    /// `None` where nobody could read it.
    pub(super) fn new(failure: &'a Failure) -> Option<Self> {
        let (help, diagnostics) = match failure {
            Failure::Output(_) => return None,
            Failure::Usage { help, .. } => (help.as_deref(), &[][..]),
            Failure::Limit { help, .. } => (Some(*help), &[][..]),
            Failure::Rejected(diagnostics) | Failure::Inexpressible(diagnostics) => {
                (None, &diagnostics[..])
            }
            Failure::File { .. }
            | Failure::Malformed { .. }
            | Failure::Unusable(_)
            | Failure::Negative(_)
            | Failure::Internal(_)
            | Failure::NoReferences { .. }
            | Failure::InvalidPlan(_)
            | Failure::Chat(_)
            | Failure::Stopped(_) => (None, &[][..]),
        };
        Some(Self {
            schema: 1,
            failure: presentable(&failure.to_string()),
            help,
            diagnostics,
        })
    }
}

/// Returns the message of the system, without its error number; `absent` if a file is not there.
fn reason(error: &std::io::Error, absent: &str) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => absent.to_owned(),
        std::io::ErrorKind::PermissionDenied => "there is no permission".to_owned(),
        _ => {
            let text = error.to_string();
            let end = text.find(" (os error").unwrap_or(text.len());
            text[..end].to_lowercase()
        }
    }
}

/// The result of a command.
pub(super) type Result<T = Exit> = std::result::Result<T, Failure>;
