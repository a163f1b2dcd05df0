//! The instances of a schema, as long as they are not too many. Those of one with many are counted
//! before they are kept: a count takes no memory.

use std::rc::Rc;

use super::facts::Facts;
use super::join::{Domain, join, join_group};
use super::patterns::{Pattern, groups};
use super::work::Work;
use crate::sema::model::ObjectId;

/// So many are kept before all are counted.
const UNCOUNTED: usize = 1 << 15;

/// The patterns that the instances of a schema must match, and the objects of its parameters.
pub(super) struct Matcher {
    pub(super) patterns: Vec<Pattern>,
    pub(super) domains: Vec<Rc<Domain>>,
}

/// A number of instances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Size {
    Exactly(u128),
    AtLeast(u128),
}

impl Size {
    /// The smallest number that it may be.
    const fn least(self) -> u128 {
        match self {
            Self::Exactly(size) | Self::AtLeast(size) => size,
        }
    }

    fn times(self, other: Self) -> Self {
        match (self, other) {
            (Self::Exactly(0), _) | (_, Self::Exactly(0)) => Self::Exactly(0),
            (Self::Exactly(a), Self::Exactly(b)) => a
                .checked_mul(b)
                .map_or(Self::AtLeast(u128::MAX), Self::Exactly),
            (a, b) => Self::AtLeast(a.least().saturating_mul(b.least())),
        }
    }
}

impl std::fmt::Display for Size {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::AtLeast(u128::MAX) => f.write_str("more than 10^38"),
            Self::Exactly(size) => write!(f, "{size}"),
            Self::AtLeast(size) => write!(f, "at least {size}"),
        }
    }
}

/// The instances that are new in a round. `left` more may be made, of which this schema has `before`
/// already. An error is the number of all of its instances, if they are too many.
pub(super) fn instances(
    facts: &Facts,
    matcher: &Matcher,
    round: u32,
    before: usize,
    left: usize,
    work: &Work<'_>,
) -> Result<Vec<Vec<ObjectId>>, Size> {
    let most = before as u128 + left as u128;
    let mut found = Vec::new();
    let mut refused = None;
    let Matcher { patterns, domains } = matcher;
    join(facts, patterns, domains, round, work, &mut |objects| {
        if found.len() == left || found.len() == UNCOUNTED {
            let size = count(facts, matcher, round, most, work);
            if size.least() > most {
                refused = Some(size);
                return false;
            }
        }
        found.push(objects.to_vec());
        true
    });
    refused.map_or(Ok(found), Err)
}

/// Counts the bindings of the parameters whose patterns are all reachable facts. Patterns without common variables
/// multiply, and so do parameters in no pattern; only patterns that share variables are joined, until they have more
/// than `most` matches.
fn count(facts: &Facts, matcher: &Matcher, round: u32, most: u128, work: &Work<'_>) -> Size {
    let Matcher { patterns, domains } = matcher;
    let mut size = Size::Exactly(1);
    for (parameter, domain) in domains.iter().enumerate() {
        if !patterns.iter().any(|pattern| pattern.reads(parameter)) {
            size = size.times(Size::Exactly(domain.len() as u128));
        }
    }
    for group in groups(patterns, domains.len()) {
        let mut matches: u128 = 0;
        join_group(facts, &group, domains, round, work, &mut || {
            matches += 1;
            matches <= most
        });
        size = size.times(if matches > most {
            Size::AtLeast(matches)
        } else {
            Size::Exactly(matches)
        });
    }
    size
}
