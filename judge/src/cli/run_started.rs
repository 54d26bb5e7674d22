//! The first event of a run: version, sandbox, machine, command.

use super::args::{CheckingArgs, RunningArgs};
use super::doctor::state_word;
use crate::event::{Event, Machine, RunStarted};
use crate::judging::{Clock, Settings};
use crate::text::shell_word;
use judge_sandbox::Layer;
use std::time::SystemTime;

/// The event that judging starts.
pub fn run_started(
    layers: &[Layer],
    settings: &Settings,
    args: &RunningArgs,
    checking: &CheckingArgs,
    again: Option<String>,
) -> Event {
    Event::RunStarted(RunStarted {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        sandbox: layers
            .iter()
            .map(|layer| (layer.name.to_owned(), state_word(layer.state).to_owned()))
            .collect(),
        started_s: SystemTime::now()
            .duration_since(SystemTime::UNIX_EPOCH)
            .ok()
            .map(|since| since.as_secs_f64()),
        instructions_per_second: match settings.clock {
            Clock::Cpu => None,
            Clock::Instructions { per_second } => Some(per_second),
        },
        machine: settings.elsewhere.is_none().then(|| machine(settings.jobs)),
        command: Some(command(args, checking)),
        again,
    })
}

fn machine(jobs: usize) -> Machine {
    let system = rustix::system::uname();
    Machine {
        processor: crate::machine::processor(),
        cores: std::thread::available_parallelism().map_or(1, usize::from),
        jobs,
        system: format!(
            "{} {} {}",
            system.sysname().to_string_lossy(),
            system.release().to_string_lossy(),
            system.machine().to_string_lossy()
        ),
    }
}

/// `judge run` with the options that influence verdicts.
fn command(args: &RunningArgs, checking: &CheckingArgs) -> String {
    let options = args.options_of_verdicts().into_iter();
    let options = options.chain(checking.options());
    let words = options.map(|(name, value)| format!(" {name} {}", shell_word(&value)));
    format!("judge run{}", words.collect::<String>())
}
