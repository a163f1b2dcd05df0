//! Tables and plots from results.
