//! From syntax trees to finite tasks: [`sema`] resolves a domain and a problem into a typed, lifted
//! [`Model`](sema::model::Model), [`ground`] makes a finite [`Task`](brigade_task::Task) of it. Before that
//! [`stream`] lays further facts over the problem.

pub mod ground;
pub mod sema;
pub mod stream;
