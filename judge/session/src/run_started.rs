//! The start of a run: version, sandbox, machine, command.

use super::args::{CheckingArgs, RunningArgs};
use judge_core::judging::{Clock, Host, Settings};
use judge_core::results::{LayerState, Machine, RunStarted};
use judge_core::text::shell_word;
use judge_core::untrusted::Name;
use judge_sandbox::{Layer, State};
use std::time::SystemTime;

pub fn run_started(
    layers: &[Layer],
    settings: &Settings,
    host: &Host,
    args: &RunningArgs,
    checking: &CheckingArgs,
    again: Option<String>,
) -> RunStarted {
    RunStarted {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        sandbox: layers
            .iter()
            .map(|layer| (layer.name.to_owned(), layer_state(layer.state)))
            .collect(),
        started_s: SystemTime::now()
            .duration_since(SystemTime::UNIX_EPOCH)
            .ok()
            .map(|since| since.as_secs_f64()),
        instructions_per_second: match settings.clock {
            Clock::Cpu => None,
            Clock::Instructions { per_second } => Some(per_second),
        },
        machine: (!host.is_elsewhere()).then(|| machine(settings.jobs)),
        command: Some(Name::from(command(args, checking))),
        again: again.map(Name::from),
    }
}

pub fn layer_state(state: State) -> LayerState {
    match state {
        State::Present => LayerState::Present,
        State::Degraded => LayerState::Degraded,
        State::Absent => LayerState::Absent,
    }
}

fn machine(jobs: usize) -> Machine {
    Machine {
        processor: judge_core::machine::processor(),
        cores: std::thread::available_parallelism().map_or(1, usize::from),
        jobs,
        system: judge_os::system_name(),
    }
}

/// `judge run` with the options that influence verdicts.
fn command(args: &RunningArgs, checking: &CheckingArgs) -> String {
    let options = args.options_of_verdicts().into_iter();
    let options = options.chain(checking.options());
    let words = options.map(|(name, value)| format!(" {name} {}", shell_word(&value)));
    format!("judge run{}", words.collect::<String>())
}
