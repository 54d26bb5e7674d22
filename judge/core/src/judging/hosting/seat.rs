//! The place of a run of the judge among others in the same process, and the boxes that it leaves to
//! the next run there.

use crate::checker::ValidatorBox;
use crate::judging::{Gate, Plan, Settings, Toolchain};
use crate::program_runner::{Idle, OpenBox};
use std::sync::Arc;

/// The place of a run of the judge among others in the same process.
#[derive(Clone, Debug)]
pub struct Seat {
    /// The core of the run's only worker.
    pub core: usize,
    /// Shared by all runs of the process.
    pub gate: Arc<Gate>,
    /// Boxes of this core, shared by the runs there.
    pub boxes: Arc<IdleBoxes>,
}

/// Boxes on one core that no run uses at the moment. All runs that share them have the same mode.
#[derive(Default, Debug)]
pub struct IdleBoxes {
    /// Boxes of submissions.
    pub(in crate::judging) programs: Arc<Idle<OpenBox>>,
    /// Boxes of validators and graders.
    pub(in crate::judging) validators: Idle<ValidatorBox>,
}

impl IdleBoxes {
    /// Closes boxes if there are too many, and those that were idle for a minute. To be called
    /// regularly while nothing waits for this thread: runs close none of them.
    pub fn trim(&self) {
        self.programs.trim();
        self.validators.trim();
    }

    /// Closes all.
    pub fn clear(&self) {
        self.programs.clear();
        self.validators.clear();
    }
}

/// Opens the box of a plan's first submission on the run's seat, if its program is in the cache, so that
/// [`run`](crate::judging::run()) finds it open. For a thread that waits for the core.
pub fn open_ahead(plan: &Plan, settings: &Settings, seat: &Seat, toolchain: &Toolchain) {
    let Some(entry) = plan.entries.first() else {
        return;
    };
    let package = &entry.package;
    let program = entry.submissions.first();
    let program = program.and_then(|planned| toolchain.built(package, planned));
    let Some(program) = program.filter(|_| !package.kind.submit_answer) else {
        return;
    };
    let read_only = !package.allow_file_writing;
    let boxes = &seat.boxes.programs;
    if boxes.has(|open| open.is_for(&program, &[], read_only)) {
        return;
    }
    // Does nothing while a case runs alone.
    let Some(_inside) = seat.gate.try_enter() else {
        return;
    };
    let core = Some(seat.core);
    // The run reports why, if it does not succeed either.
    boxes.put(OpenBox::open(settings.mode, core, &program, &[], read_only, None).ok());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judging::{Host, PlanEntry, run};
    use crate::submission::{Source, Submission};
    use judge_package::{Expectation, Package};
    use judge_sandbox::Mode;
    use std::fs;
    use std::path::Path;

    fn plan(dir: &Path) -> Plan {
        let package = Package::read(&dir.join("sum")).unwrap();
        let cases = package.judged_cases().into_iter().cloned().collect();
        let submission = Submission {
            name: "a".to_owned(),
            source: Source::Code {
                path: dir.join("a.py"),
                language: None,
                entry_point: None,
            },
            rules: Vec::new(),
            expected: Expectation::accepted(),
            time_limit: None,
        };
        Plan {
            entries: vec![PlanEntry::new(package, cases, [submission])],
        }
    }

    #[test]
    fn a_run_takes_the_box_that_was_opened_ahead_and_leaves_it() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("sum")).unwrap();
        for (name, text) in [("1.in", "1 2\n"), ("1.ans", "3\n")] {
            fs::write(dir.path().join("sum").join(name), text).unwrap();
        }
        // No earlier run has compiled it.
        let source = format!(
            "# {}\nprint(sum(map(int, input().split())))\n",
            dir.path().display()
        );
        fs::write(dir.path().join("a.py"), source).unwrap();
        let boxes = Arc::<IdleBoxes>::default();
        let settings = Settings::new(1, Mode::Auto);
        let seat = Seat {
            core: judge_sandbox::cores()[0],
            gate: Arc::default(),
            boxes: boxes.clone(),
        };
        let host = Host {
            seat: Some(seat.clone()),
            ..Host::default()
        };
        let toolchain = Toolchain::new(&settings, None).unwrap();
        let plan = plan(dir.path());
        let judged = || {
            let summary = run(&plan, &settings, &host, &toolchain, &mut drop).unwrap();
            assert!(summary.as_expected && summary.cases == 1, "{summary:?}");
        };
        let take = || boxes.programs.take(|_| true);

        open_ahead(&plan, &settings, &seat, &toolchain);
        assert!(take().is_none(), "it is not compiled");
        judged();
        assert!(take().is_some() && take().is_none());
        for _ in 0..2 {
            open_ahead(&plan, &settings, &seat, &toolchain);
        }
        judged();
        assert!(take().is_some() && take().is_none(), "one was enough");
    }
}
