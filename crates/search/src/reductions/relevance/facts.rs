//! Permanent facts, and the variables that are obsolete under them.

use std::collections::{BTreeMap, BTreeSet};

use brigade_task::{Fact, VarId};

/// A variable and the only value that is ever written to it.
pub(super) type Permanent = Fact;

/// For each variable that is obsolete under some facts, these.
pub(super) type Guards = BTreeMap<VarId, Vec<Permanent>>;

/// A set of variables.
pub(super) type Variables = BTreeSet<VarId>;
