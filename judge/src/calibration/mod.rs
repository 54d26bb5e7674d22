//! Measures the speed of this machine by a fixed program, in the sandbox as submissions are, so that
//! machines can be compared.

use judge_core::error::Failure;
use judge_core::files::machine_failed;
use judge_core::language::{Languages, Prepared, Program, Request, Toolchain};
use judge_core::machine;
use judge_core::program_runner::{ProgramRunner, Run, Stdin};
use judge_core::statistics::{self, Ratio};
use judge_core::text::printable;
use judge_sandbox::{Exit, Limits, Mode};
use judge_tempdir::TempDirectory;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

/// The program, which does one kind of work.
const SOURCE: &str = include_str!("program.c");
/// The kinds of work, and how often one measurement repeats it.
const KINDS: [(&str, usize); 4] = [
    ("integer", 1),
    ("memory", 1),
    ("floating", 1),
    ("start", 25),
];
/// Measurements of each kind, in turn.
const ROUNDS: usize = 5;
/// Machines whose times differ by no more than this share can be of one class.
const SAME: f64 = 0.05;

/// The times of a machine.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Calibration {
    /// The machine's name.
    pub machine: String,
    /// Its processor.
    pub cpu: String,
    /// The compiler of the program.
    pub compiler: String,
    /// The version of the judge.
    pub judge: String,
    /// CPU seconds of each measurement, by kind of work.
    pub times_s: BTreeMap<String, Vec<f64>>,
}

/// How the times of a machine compare with those of another.
#[derive(Clone, PartialEq, Debug)]
pub struct Comparison {
    /// How much longer this machine takes, by kind of work.
    pub ratios: Vec<(String, Ratio)>,
}

/// A machine whose times are part of the judge.
pub fn reference() -> Result<Calibration, Failure> {
    read(include_str!("reference.json"), "the reference")
}

/// Reads the times that another machine wrote, as JSON; `name` is that of the file.
/// Fails when the text does not have that form.
pub fn read(text: &str, name: &str) -> Result<Calibration, Failure> {
    let parsed = serde_json::from_str(text);
    parsed.map_err(|e| {
        Failure::usage(format!("{name}: {e}"))
            .help("name a file that `judge doctor --calibrate --save FILE` wrote")
    })
}

/// Measures this machine, on its first core. Takes some seconds.
/// Fails when there is no C compiler, or the sandbox fails.
pub fn measure(mode: Mode) -> Result<Calibration, Failure> {
    let languages = Languages::load(None)?;
    let toolchain = Toolchain::new(languages, mode)?;
    let directory = TempDirectory::new("calibration")?;
    let path = directory.path().join("program.c");
    fs::write(&path, SOURCE).map_err(machine_failed("write", &path))?;
    let request = Request {
        root: directory.path(),
        ..Request::alone("c", &path)
    };
    let program = match toolchain.build(&request)? {
        Prepared::Ready(program) => program,
        Prepared::Skipped(missing) => {
            return Err(Failure::usage(format!("--calibrate: {missing}")));
        }
        Prepared::CompileError(message) | Prepared::Failed(message) => {
            let what = format!("the calibration program does not compile: {message}");
            return Err(Failure::internal(what));
        }
    };
    let compiler = toolchain.languages.iter().find(|(code, _)| *code == "c");
    let compiler = compiler.and_then(|(_, language)| toolchain.installed(language).ok());
    let mut runner = ProgramRunner::new(mode, judge_sandbox::cores().first().copied());
    let mut times_s: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for round in 0..=ROUNDS {
        for (kind, count) in KINDS {
            let time = time(&mut runner, &program, kind, count)?;
            // The first round fills caches.
            if round > 0 {
                times_s.entry(kind.to_owned()).or_default().push(time);
            }
        }
    }
    Ok(Calibration {
        machine: machine::name().unwrap_or_default(),
        cpu: machine::processor().unwrap_or_default(),
        compiler: compiler.unwrap_or_default(),
        judge: env!("CARGO_PKG_VERSION").to_owned(),
        times_s,
    })
}

/// CPU seconds of one kind of work.
fn time(
    runner: &mut ProgramRunner,
    program: &Program,
    kind: &str,
    count: usize,
) -> Result<f64, Failure> {
    let limits = Limits {
        cpu: Some(Duration::from_secs(60)),
        wall: Duration::from_secs(180),
        memory: Some(256 << 20),
        output: Some(1 << 20),
        processes: Some(1 + program.runtime_threads),
        ..Limits::default()
    };
    let args = [kind.to_owned()];
    let mut seconds = 0.0;
    for _ in 0..count {
        let ran = runner.run(program, &Run::helper(&args, Stdin::Empty, &limits))?;
        let execution = &ran.execution;
        if execution.exit != Exit::Code(0) {
            let said = ran.output(400).unwrap_or_default();
            return Err(Failure::internal(format!(
                "the calibration program failed: {:?} {}",
                execution.exit,
                printable(&said)
            )));
        }
        seconds += execution.usage.cpu.value.as_secs_f64();
    }
    Ok(seconds / count as f64)
}

impl Calibration {
    /// Compares these times with those of another machine. Kinds of work that only one of them has are
    /// left out.
    pub fn compare(&self, other: &Calibration) -> Comparison {
        let ratio = |(kind, own): (&String, &Vec<f64>)| {
            let others = other.times_s.get(kind)?;
            let ratio = statistics::ratio(&[(others.clone(), own.clone())])?;
            Some((kind.clone(), ratio))
        };
        Comparison {
            ratios: self.times_s.iter().filter_map(ratio).collect(),
        }
    }
}

fn differs(ratio: &Ratio) -> bool {
    (ratio.value - 1.0).abs() > SAME
}

impl Comparison {
    /// Whether submissions take about as long on both machines.
    pub fn is_same(&self) -> bool {
        !self.ratios.is_empty() && !self.ratios.iter().any(|(_, ratio)| differs(ratio))
    }

    /// Whether some kind of work takes a different time, beyond noise.
    pub fn is_different(&self) -> bool {
        let mut ratios = self.ratios.iter();
        ratios.any(|(_, ratio)| differs(ratio) && ratio.is_clear())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine(times: &[(&str, f64)]) -> Calibration {
        // A spread of one per cent.
        let spread = |time: f64| {
            (0..7)
                .map(|k| time * (0.995 + 0.0015 * f64::from(k)))
                .collect()
        };
        Calibration {
            machine: "m".to_owned(),
            cpu: "c".to_owned(),
            compiler: "12".to_owned(),
            judge: "0".to_owned(),
            times_s: times
                .iter()
                .map(|(kind, time)| ((*kind).to_owned(), spread(*time)))
                .collect(),
        }
    }

    #[test]
    fn machines_are_compared_by_each_kind_of_work() {
        let old = machine(&[("integer", 0.2), ("memory", 0.3)]);
        let new = machine(&[("integer", 0.1), ("memory", 0.3), ("floating", 0.1)]);
        let compared = old.compare(&new);
        let kinds: Vec<&str> = compared
            .ratios
            .iter()
            .map(|(kind, _)| kind.as_str())
            .collect();
        assert_eq!(kinds, ["integer", "memory"]);
        assert!((compared.ratios[0].1.value - 2.0).abs() < 1e-9);
        assert!(compared.ratios[0].1.is_clear() && !compared.ratios[1].1.is_clear());
        assert!(!compared.is_same() && compared.is_different());
        assert!(new.compare(&new).is_same());
        let nearly = machine(&[("integer", 0.103), ("memory", 0.29)]);
        assert!(nearly.compare(&new).is_same());
        assert!(!machine(&[]).compare(&new).is_same(), "nothing is known");
        let mut noisy = machine(&[]);
        let times = vec![0.08, 0.09, 0.09, 0.12, 0.15, 0.2, 0.2];
        noisy.times_s.insert("integer".to_owned(), times);
        let compared = noisy.compare(&new);
        assert!(!compared.is_same() && !compared.is_different());
    }

    #[test]
    fn the_reference_has_each_kind_of_work() {
        let reference = reference().expect("it is read");
        for (kind, _) in KINDS {
            assert!(
                reference.times_s[kind].iter().all(|time| *time > 0.0),
                "{kind}"
            );
        }
        let text = serde_json::to_string(&reference).expect("it is written");
        assert_eq!(read(&text, "it").expect("it is read"), reference);
        let error = read("{}", "a.json").expect_err("it is empty").to_string();
        assert!(
            error.contains("a.json") && error.contains("--save"),
            "{error}"
        );
    }
}
