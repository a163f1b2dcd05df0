//! Solves linear programs with an interior point method (Clarabel).
//!
//! It finds not a vertex but the middle of all optimal solutions. That serves potentials: its
//! estimates of states other than the one that the program is about are greater.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use clarabel::algebra::CscMatrix;
use clarabel::solver::{
    DefaultSettingsBuilder, DefaultSolver, IPSolver, NonnegativeConeT, SolverStatus,
};

use super::program::{Maximum, Rows};
use crate::control::Control;

/// The time between two polls of the control while the solver runs.
const PATIENCE: Duration = Duration::from_millis(10);

/// Maximises a sum of variables under the constraints, as far as it gets before `control` says
/// stop; `None` where the solver gets nowhere.
pub(crate) fn maximize(rows: &Rows, control: &dyn Control) -> Option<Maximum> {
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
    solve(&mut solver, control);
    let is_finite = solver.solution.x.iter().all(|value| value.is_finite());
    is_finite.then(|| Maximum {
        values: std::mem::take(&mut solver.solution.x),
        is_reached: solver.solution.status == SolverStatus::Solved,
    })
}

/// Lets a solver run until it is done, or `control` says stop. It runs on another thread, as
/// control may only be asked on this one, and the solver asks nothing that is borrowed.
fn solve(solver: &mut DefaultSolver<f64>, control: &dyn Control) {
    let is_stopped = Arc::new(AtomicBool::new(control.stop().is_some()));
    let asked = Arc::clone(&is_stopped);
    solver.set_termination_callback(move |_| asked.load(Ordering::Relaxed));
    let (done, ended) = channel::<()>();
    let is_started = thread::scope(|scope| {
        let run = || {
            // Dropped at the end, also if that is a panic.
            let _done = done;
            solver.solve();
        };
        let is_started = thread::Builder::new().spawn_scoped(scope, run).is_ok();
        while ended.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
            is_stopped.fetch_or(control.stop().is_some(), Ordering::Relaxed);
        }
        is_started
    });
    if !is_started {
        // Where no more threads can be had, nothing stops it.
        solver.solve();
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::control::{StopReason, Unlimited};
    use brigade_task::split_mix::SplitMix;

    /// Says stop once it has been asked so often.
    struct Patient(Cell<u32>);

    impl Control for Patient {
        fn stop(&self) -> Option<StopReason> {
            let left = self.0.get().checked_sub(1);
            self.0.set(left.unwrap_or(0));
            left.is_none().then_some(StopReason::Interrupted)
        }
    }

    /// The sum of so many variables between 0 and 1, under as many constraints that each hold all.
    fn rows(count: u32) -> Rows {
        let mut random = SplitMix::new(1, count.into());
        let mut row = || {
            let terms = (0..count).map(|variable| (variable, 1.0 + random.below(100) as f64));
            (terms.collect(), f64::from(count))
        };
        Rows {
            constraints: (0..count).map(|_| row()).collect(),
            bounds: vec![(0.0, 1.0); count as usize],
            gains: (0..count).map(|variable| (variable, 1.0)).collect(),
        }
    }

    #[test]
    fn a_solver_that_is_not_stopped_vouches_for_what_it_finds() {
        assert!(maximize(&rows(10), &Unlimited).unwrap().is_reached);
    }

    #[test]
    fn a_solver_that_is_stopped_while_it_runs_vouches_for_nothing() {
        // One step of the solver takes longer than control is waited for.
        let found = maximize(&rows(400), &Patient(Cell::new(1)));
        assert!(found.is_none_or(|found| !found.is_reached));
    }

    #[test]
    fn a_solver_that_is_stopped_before_it_runs_vouches_for_nothing() {
        let found = maximize(&rows(10), &Patient(Cell::new(0)));
        assert!(found.is_none_or(|found| !found.is_reached));
    }
}
