//! `judge doctor --calibrate`: how fast this machine is, compared with a reference and with others.

use super::args::DoctorArgs;
use crate::calibration::{self, Calibration, Comparison};
use judge_core::error::{Failure, exit_status};
use judge_core::files::failed;
use judge_core::statistics::median;
use judge_report::{plain, table};
use judge_sandbox::Mode;
use judge_session::args::Format;
use judge_session::new_file;
use judge_session::output::print;
use serde_json::json;
use std::fs;
use std::path::Path;

/// Measures this machine and prints how it compares.
pub fn calibrate(args: &DoctorArgs) -> Result<u8, Failure> {
    // A wrong file is not found out after seconds of work.
    let mut others = vec![("the reference".to_owned(), calibration::reference()?)];
    for path in &args.compare {
        let name = path.display().to_string();
        let text = fs::read_to_string(path).map_err(|e| Failure::usage(format!("{name}: {e}")))?;
        others.push((name.clone(), calibration::read(&text, &name)?));
    }
    let own = calibration::measure(Mode::Auto)?;
    if let Some(path) = &args.save {
        save(&own, path)?;
    }
    print(&match args.format {
        Format::Json => json_lines(&own, &others),
        Format::Human | Format::Github | Format::Lines => human(&own, &others),
    })?;
    Ok(exit_status::AS_EXPECTED)
}

fn save(own: &Calibration, path: &Path) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(own).map_err(|e| Failure::internal(e.to_string()))?;
    new_file::write(path, (text + "\n").as_bytes()).map_err(failed("write", path))
}

/// The least and the greatest time.
fn spread(times: &[f64]) -> (f64, f64) {
    let least = times.iter().copied().fold(f64::INFINITY, f64::min);
    (least, times.iter().copied().fold(0.0, f64::max))
}

fn json_lines(own: &Calibration, others: &[(String, Calibration)]) -> String {
    let measured = own.times_s.iter().map(|(kind, times)| {
        let (least, greatest) = spread(times);
        json!({
            "event": "calibration",
            "name": kind,
            "median_s": median(times),
            "min_s": least,
            "max_s": greatest,
        })
    });
    let compared = others.iter().flat_map(|(name, other)| {
        let Comparison { ratios } = own.compare(other);
        ratios.into_iter().map(move |(kind, ratio)| {
            let interval = ratio.interval.map(|(low, high)| [low, high]);
            json!({
                "event": "comparison",
                "with": name,
                "name": kind,
                "ratio": ratio.value,
                "interval": interval,
            })
        })
    });
    measured
        .chain(compared)
        .map(|value| format!("{value}\n"))
        .collect()
}

fn human(own: &Calibration, others: &[(String, Calibration)]) -> String {
    let rows: Vec<_> = own
        .times_s
        .iter()
        .map(|(kind, times)| {
            let (least, greatest) = spread(times);
            let ms = |seconds: f64| format!("{:.2}", 1e3 * seconds);
            vec![
                plain(kind.as_str()),
                plain(ms(median(times)) + " ms"),
                plain(format!("{} to {}", ms(least), ms(greatest))),
            ]
        })
        .collect();
    let mut out = format!(
        "{}\nCPU time, median and range of {} measurements:\n{}",
        described(own),
        own.times_s.values().map(Vec::len).max().unwrap_or(0),
        table(&rows, &[false, true, true], 2)
    );
    for (name, other) in others {
        out.push_str(&compared(own, name, other));
    }
    out
}

fn described(machine: &Calibration) -> String {
    format!(
        "{}: {}, gcc {}",
        machine.machine, machine.cpu, machine.compiler
    )
}

fn compared(own: &Calibration, name: &str, other: &Calibration) -> String {
    let comparison = own.compare(other);
    let rows: Vec<_> = comparison
        .ratios
        .iter()
        .map(|(kind, ratio)| vec![plain(kind.as_str()), plain(ratio.words())])
        .collect();
    let conclusion = match (comparison.is_same(), comparison.is_different()) {
        (true, _) => "about as fast: workers on both machines can be of one class",
        (false, false) => {
            "perhaps not as fast, but noise hides it: calibrate when nothing else runs"
        }
        (false, true) => {
            "not as fast: give their workers different classes (`judge worker --class`)"
        }
    };
    let compiler = match own.compiler == other.compiler {
        true => "",
        false => "another compiler may be a reason for differences\n",
    };
    format!(
        "\ncompared with {name} ({}), this machine takes\n{}{compiler}{conclusion}\n",
        described(other),
        table(&rows, &[false, false], 2)
    )
}
