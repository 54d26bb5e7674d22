//! A sandbox that runs nothing, for tests of code that uses a sandbox.

use std::time::Duration;

use crate::api::{Canceller, Execution, Exit, Fault, Job, Layer, Measured, Sandbox, Usage};

/// A sandbox whose runs return the result of a closure; the closure may write to the job's output.
///
/// ```
/// use judge_sandbox::{Exit, Limits, Sandbox, fake};
/// let mut sandbox = fake::FakeSandbox::new(|job| {
///     assert_eq!(job.args.len(), 0);
///     Ok(fake::ended(Exit::Code(0)))
/// });
/// # let null = std::fs::File::open("/dev/null").unwrap();
/// # use judge_sandbox::AsStream;
/// # let limits = Limits::default();
/// # let job = judge_sandbox::Job { program: "/x".as_ref(), args: &[], env: &[], stdin: null.as_stream(),
/// #     stdout: null.as_stream(), stderr: null.as_stream(), limits: &limits, count_instructions: false };
/// assert_eq!(sandbox.run(&job).unwrap().exit, Exit::Code(0));
/// ```
pub struct FakeSandbox<F> {
    run: F,
}

impl<F> FakeSandbox<F>
where
    F: FnMut(&Job<'_>) -> Result<Execution, Fault> + Send,
{
    /// A sandbox without layers.
    pub fn new(run: F) -> Self {
        FakeSandbox { run }
    }
}

impl<F> Sandbox for FakeSandbox<F>
where
    F: FnMut(&Job<'_>) -> Result<Execution, Fault> + Send,
{
    fn run_until(&mut self, job: &Job<'_>, _: Option<&Canceller>) -> Result<Execution, Fault> {
        (self.run)(job)
    }

    fn layers(&self) -> &[Layer] {
        &[]
    }
}

/// The result of a run with this exit, after one millisecond and with one mebibyte.
pub fn ended(exit: Exit) -> Execution {
    let time = Measured {
        value: Duration::from_millis(1),
        by: "fake",
    };
    let memory = Some(Measured {
        value: 1 << 20,
        by: "fake",
    });
    Execution {
        exit,
        usage: Usage {
            cpu: time,
            wall: time,
            memory,
            instructions: None,
            run_delay: Duration::ZERO,
        },
    }
}
