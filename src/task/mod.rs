//! The typed MDP: variables, operators, events, timers, packed state, and `step`.
