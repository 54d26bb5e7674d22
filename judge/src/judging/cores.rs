//! The cores that this process may use.

/// Their numbers, smallest first; empty where the system does not tell.
pub fn allowed() -> Vec<usize> {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    status
        .lines()
        .find_map(|line| line.strip_prefix("Cpus_allowed_list:"))
        .map(parse)
        .unwrap_or_default()
}

/// A list as the kernel writes it: `0-3,8`.
fn parse(list: &str) -> Vec<usize> {
    list.trim()
        .split(',')
        .filter_map(|range| {
            let (from, to) = range.split_once('-').unwrap_or((range, range));
            Some(from.parse().ok()?..=to.parse().ok()?)
        })
        .flatten()
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_cores() {
        assert_eq!(parse("\t0-3,8\n"), [0, 1, 2, 3, 8]);
        assert_eq!(parse("5"), [5]);
        assert_eq!(parse(""), Vec::<usize>::new());
        assert!(!allowed().is_empty());
    }
}
