//! Messages and progress on standard error.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// The number of messages that are written; further ones are counted.
const MAX_MESSAGES: usize = 10;

/// The interval of the progress.
const INTERVAL: Duration = Duration::from_millis(200);

/// The messages and the progress of a command.
pub struct Report {
    messages: usize,
    /// The bytes of all inputs, if they are known, and those that are done.
    total: Option<u64>,
    bytes: u64,
    puzzles: usize,
    begin: Instant,
    /// When the progress was last shown, if standard error is a terminal.
    shown: Option<Instant>,
    is_visible: bool,
}

impl Report {
    pub fn new(total: Option<u64>) -> Self {
        Report {
            messages: 0,
            total,
            bytes: 0,
            puzzles: 0,
            begin: Instant::now(),
            shown: io::stderr().is_terminal().then(Instant::now),
            is_visible: false,
        }
    }

    /// Writes a message, if there are not too many.
    pub fn message(&mut self, text: &str) {
        self.messages += 1;
        if self.messages <= MAX_MESSAGES {
            self.erase();
            eprintln!("{text}");
        }
    }

    /// Adds to the counts, and shows them at intervals.
    pub fn done(&mut self, bytes: u64, puzzles: usize) {
        self.bytes += bytes;
        self.puzzles += puzzles;
        if let Some(shown) = &mut self.shown
            && shown.elapsed() > INTERVAL
        {
            *shown = Instant::now();
            let text = progress(self.puzzles, self.bytes, self.total, self.begin.elapsed());
            eprint!("\r\x1b[K{text}");
            let _ = io::stderr().flush();
            self.is_visible = true;
        }
    }

    /// Erases the progress, before anything else is written to the terminal.
    pub fn erase(&mut self) {
        if std::mem::take(&mut self.is_visible) {
            eprint!("\r\x1b[K");
        }
    }

    /// Erases the progress, and says how many messages were not written.
    pub fn end(&mut self) {
        self.erase();
        if self.messages > MAX_MESSAGES {
            eprintln!("{} more messages", self.messages - MAX_MESSAGES);
        }
    }
}

/// The puzzles, the part of the input that is done, and the time left.
fn progress(puzzles: usize, bytes: u64, total: Option<u64>, time: Duration) -> String {
    let Some(total) = total.filter(|&total| total > 0 && bytes > 0) else {
        return format!("{puzzles} puzzles");
    };
    let part = (bytes as f64 / total as f64).min(1.0);
    let left = time.as_secs_f64() * (1.0 - part) / part;
    let (minutes, seconds) = (left as u64 / 60, left as u64 % 60);
    let all = (puzzles as f64 / part).round();
    format!(
        "{puzzles} of about {all} puzzles, {:.0} %, {minutes}:{seconds:02} left",
        part * 100.0
    )
}

#[cfg(test)]
mod tests {
    use super::{Duration, progress};

    #[test]
    fn the_progress_shows_the_total_and_the_time_left() {
        let time = Duration::from_secs(30);
        assert_eq!(progress(7, 100, None, time), "7 puzzles");
        let text = progress(250, 1000, Some(4000), time);
        assert_eq!(text, "250 of about 1000 puzzles, 25 %, 1:30 left");
    }
}
