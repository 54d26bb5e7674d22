//! A description of this machine.

use std::fs;

/// Its name.
pub fn name() -> Option<String> {
    let name = fs::read_to_string("/proc/sys/kernel/hostname").ok()?;
    Some(name.trim().to_owned()).filter(|name| !name.is_empty())
}

/// The model of its processor.
pub fn processor() -> Option<String> {
    let processors = fs::read_to_string("/proc/cpuinfo").ok()?;
    let mut lines = processors.lines();
    let line = lines.find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}
