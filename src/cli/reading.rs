//! The ways to read the JSON of Robotouille.

use clap::{Args, ValueEnum};

use crate::import::robotouille;

/// The reading of the JSON of Robotouille.
#[derive(Debug, Args)]
pub(super) struct ReadingArgs {
    /// The name of the problem of an environment. Default: that of its file
    #[arg(long, value_name = "NAME")]
    pub(super) name: Option<String>,

    /// Who acts when. Default: in turn if there are several players
    #[arg(long, value_enum, value_name = "ORDER")]
    turns: Option<TurnsName>,

    /// The number of objects of each kind that can be created. Default: as many as the goal asks for, at least 1
    #[arg(
        long,
        value_name = "NUMBER",
        value_parser = clap::value_parser!(u32).range(..=i64::from(robotouille::MAX_POOL))
    )]
    pool: Option<u32>,
}

impl ReadingArgs {
    /// Returns the chosen options.
    pub(super) fn options(&self) -> robotouille::Options {
        robotouille::Options {
            turns: self.turns.map(Into::into),
            pool: self.pool,
        }
    }
}

/// Who acts when.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TurnsName {
    /// Any player at any step
    Any,
    /// One player after another
    Alternate,
}

impl From<TurnsName> for robotouille::Turns {
    fn from(name: TurnsName) -> Self {
        match name {
            TurnsName::Any => Self::Any,
            TurnsName::Alternate => Self::Alternate,
        }
    }
}
