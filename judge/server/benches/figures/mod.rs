//! Figures that several benchmarks print.

use std::fs;

/// The line with the resident memory of a process.
pub fn resident(pid: u32) -> String {
    let status = fs::read_to_string(format!("/proc/{pid}/status"));
    let status = status.unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS:"));
    line.unwrap_or("VmRSS: unknown").to_owned()
}

/// The value at a share of the sorted ones.
pub fn at(values: &mut [f64], share: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let last = values.len().saturating_sub(1);
    let value = values.get((last as f64 * share).round() as usize);
    value.copied().unwrap_or(f64::NAN)
}
