//! Policies: they are given what an agent may observe and return an action.
