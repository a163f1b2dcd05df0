//! Solves linear programs with an interior point method (Clarabel).
//!
//! Not a vertex but the middle of all solutions is what serves potentials: it tells most of states
//! other than the one that the program is about.

use clarabel::algebra::CscMatrix;
use clarabel::solver::{
    DefaultSettingsBuilder, DefaultSolver, IPSolver, NonnegativeConeT, SolverStatus,
};

use super::program::Rows;

/// Where a sum is greatest, about.
pub(super) struct Maximum {
    /// What each variable is there.
    pub(super) values: Vec<f64>,
    /// Whether the solver vouches for it; else it is how far the solver got.
    pub(super) is_reached: bool,
}

/// Maximises a sum of variables under the constraints; `None` where the solver gets nowhere.
pub(super) fn maximize(rows: &Rows) -> Option<Maximum> {
    let variables = rows.bounds.len();
    if variables == 0 || rows.constraints.is_empty() {
        return None;
    }
    let mut gains = vec![0.0; variables];
    for &(variable, gain) in &rows.gains {
        gains[variable as usize] -= gain;
    }
    let mut limits: Vec<f64> = rows.constraints.iter().map(|(_, limit)| *limit).collect();
    let (mut row_of, mut column_of, mut coefficients) = (Vec::new(), Vec::new(), Vec::new());
    let mut add = |row: usize, column: usize, coefficient: f64| {
        row_of.push(row);
        column_of.push(column);
        coefficients.push(coefficient);
    };
    for (row, (terms, _)) in rows.constraints.iter().enumerate() {
        for &(variable, coefficient) in terms {
            add(row, variable as usize, coefficient);
        }
    }
    for (variable, &(least, greatest)) in rows.bounds.iter().enumerate() {
        add(limits.len(), variable, 1.0);
        limits.push(greatest);
        add(limits.len(), variable, -1.0);
        limits.push(-least);
    }
    let shape = (limits.len(), variables);
    let constraints =
        CscMatrix::new_from_triplets(shape.0, shape.1, row_of, column_of, coefficients);
    let settings = DefaultSettingsBuilder::default()
        .verbose(false)
        .build()
        .ok()?;
    let mut solver = DefaultSolver::new(
        &CscMatrix::zeros((variables, variables)),
        &gains,
        &constraints,
        &limits,
        &[NonnegativeConeT(limits.len())],
        settings,
    )
    .ok()?;
    solver.solve();
    let is_finite = solver.solution.x.iter().all(|value| value.is_finite());
    is_finite.then(|| Maximum {
        values: std::mem::take(&mut solver.solution.x),
        is_reached: solver.solution.status == SolverStatus::Solved,
    })
}
