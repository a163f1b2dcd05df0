//! A domain and a problem, parted by a line `;;`: resolved, grounded, stepped and exported.

#![no_main]

use brigade::sema::Files;
use brigade::syntax::File;
use brigade::task::effect::Record;
use brigade::task::step::Status;
use brigade_fuzz::{Session, check_classical};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut session = Session::default();
    let parted = bytes.windows(4).position(|window| window == b"\n;;\n");
    let Some(parted) = parted else { return };
    let domain = session.add("domain.pddl", &bytes[..parted]);
    let problem = session.add("problem.pddl", &bytes[parted + 4..]);
    let (Some(domain), Some(problem)) = (domain, problem) else {
        return;
    };
    let files = Files { domain, problem };
    let read = (session.parse(domain), session.parse(problem));
    if let (Some(File::Domain(domain)), Some(File::Problem(problem))) = &read
        && let Some(task) = session.compile(domain, problem, files)
    {
        let mut state = task.initial.clone();
        for step in 0..20 {
            let acting = task.acting(&state);
            let joint = acting.map(|agent| {
                let possible: Vec<_> = task.applicable(&state, agent).collect();
                possible.get(step % possible.len().max(1)).copied()
            });
            let Some(joint) = joint.collect::<Option<Vec<_>>>() else {
                break;
            };
            let after = task.step(&mut state, &joint, &mut Record::default());
            if after != Ok(Status::Running) {
                break;
            }
        }
        check_classical(&task);
    }
    session.report();
});
