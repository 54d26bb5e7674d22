//! The process tree, from `/proc`.

/// The children of all threads of `pid`.
pub fn children(pid: u32) -> Vec<u32> {
    let mut all = Vec::new();
    let Ok(threads) = std::fs::read_dir(format!("/proc/{pid}/task")) else {
        return all;
    };
    for thread in threads.flatten() {
        let list = std::fs::read_to_string(thread.path().join("children")).unwrap_or_default();
        all.extend(
            list.split_whitespace()
                .filter_map(|pid| pid.parse::<u32>().ok()),
        );
    }
    all
}
