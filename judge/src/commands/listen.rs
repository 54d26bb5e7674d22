//! `judge new --listen`: problems that the browser sends.

use super::args::NewArgs;
use crate::scaffold::{self, Problem, Received};
use judge_core::error::{Failure, exit_status};
use judge_session::output::{print, say};

/// Waits for a problem, or all problems of a contest, and calls `take` with each.
pub fn listen(
    args: &NewArgs,
    port: u16,
    take: &mut dyn FnMut(Problem) -> Result<(), Failure>,
) -> Result<u8, Failure> {
    let mut listening = |port| {
        print(&format!(
            "listening on 127.0.0.1:{port}; press the extension's button on the page of a problem \
             or a contest\n"
        ))
    };
    let mut take = |problem: Problem| {
        if problem.batch > 1 && (args.id.is_some() || args.url.is_some()) {
            return Err(Failure::usage(format!(
                "a contest of {} problems has no single ID or --url",
                problem.batch
            ))
            .help("leave them out"));
        }
        take(problem)
    };
    let mut refused = |what: &str| say(&format!("refused: {what}"));
    let Received {
        taken,
        arrived,
        announced,
    } = scaffold::listen(port, &mut listening, &mut take, &mut refused)?;
    let help = match (taken < announced, arrived < announced) {
        (false, _) => return Ok(exit_status::AS_EXPECTED),
        (true, true) => "open the missing ones one by one and send them to judge new --listen",
        (true, false) => "start the refused ones by hand: judge new ID",
    };
    let were = if taken == 1 { "was" } else { "were" };
    Err(Failure::usage(format!(
        "{taken} of {announced} problems of the contest {were} taken"
    ))
    .help(help))
}
