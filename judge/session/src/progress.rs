//! Draws the progress of a run on the terminal of standard error.
//!
//! A thread redraws ten times a second and reads the memory of the cases that it draws; the thread
//! that writes the reports only updates counters. Workers only list the cases that they run.

use judge_core::judging::RunningCases;
use judge_core::parallel::unpoisoned;
use judge_core::results::{Change, RunResults};
use judge_report::{Live, Paint, text_width};
use std::io::{self, IsTerminal, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Whether the terminal only prints: it moves no cursor and shows no colour, as that of Emacs' `M-x compile`.
pub fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|term| term == "dumb")
}

/// Time between two drawings.
const INTERVAL: Duration = Duration::from_millis(100);

/// Progress lines at the bottom of the terminal; erased on drop.
pub struct Progress {
    shared: Arc<Shared>,
    drawer: Option<JoinHandle<()>>,
}

struct Shared {
    screen: Mutex<Screen>,
    stopped: Condvar,
}

struct Screen {
    live: Live,
    /// Read for the memory of the cases that are drawn.
    running: Arc<RunningCases>,
    start: Instant,
    paint: Paint,
    /// Widths of the lines on the terminal.
    drawn: Vec<usize>,
    stop: bool,
}

impl Progress {
    /// Starts to draw the progress of `total` cases, with a note until the first event; `None` if
    /// standard error is no terminal.
    pub fn start(total: usize, note: &str, paint: Paint) -> Option<Self> {
        if !io::stderr().is_terminal() || is_dumb() {
            return None;
        }
        let shared = Arc::new(Shared {
            screen: Mutex::new(Screen {
                live: Live::new(total, note),
                running: Arc::default(),
                start: Instant::now(),
                paint,
                drawn: Vec::new(),
                stop: false,
            }),
            stopped: Condvar::new(),
        });
        let drawer = std::thread::Builder::new().spawn({
            let shared = Arc::clone(&shared);
            move || shared.draw_until_stopped()
        });
        Some(Progress {
            shared,
            // Without the thread there is no progress display.
            drawer: drawer.ok(),
        })
    }

    /// Where workers list the cases that they run.
    pub fn running_cases(&self) -> Arc<RunningCases> {
        Arc::clone(&self.shared.lock().running)
    }

    /// Records a change of the results and runs `deliver`, which may write to the terminal; what is drawn is
    /// erased first if `writes`.
    pub fn change<R>(
        &self,
        change: &Change,
        results: &RunResults,
        writes: bool,
        deliver: impl FnOnce() -> R,
    ) -> R {
        let mut screen = self.shared.lock();
        let now = screen.start.elapsed();
        screen.live.change(change, results, now);
        if writes {
            screen.erase();
        }
        // The lock is held: nothing is drawn meanwhile.
        deliver()
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.shared.lock().stop = true;
        self.shared.stopped.notify_all();
        if let Some(drawer) = self.drawer.take() {
            // The thread does not panic; and if it did, progress is no result.
            let _ = drawer.join();
        }
        self.shared.lock().erase();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Screen> {
        unpoisoned(self.screen.lock())
    }

    fn draw_until_stopped(&self) {
        let mut screen = self.lock();
        loop {
            let waited = self.stopped.wait_timeout(screen, INTERVAL);
            screen = unpoisoned(waited).0;
            if screen.stop {
                return;
            }
            screen.draw();
        }
    }
}

impl Screen {
    /// Size of the terminal: columns and rows.
    fn size() -> (usize, usize) {
        let size = terminal_size::terminal_size_of(io::stderr());
        size.map_or((80, 24), |(columns, rows)| {
            (columns.0.into(), rows.0.into())
        })
    }

    /// Moves the cursor to the first drawn line. After a resize, longer lines occupy several rows.
    fn to_first_line(&self, columns: usize) -> String {
        let rows: usize = self
            .drawn
            .iter()
            .map(|width| width.div_ceil(columns.max(1)).max(1))
            .sum();
        match rows {
            0 | 1 => "\r".to_owned(),
            rows => format!("\r\x1b[{}A", rows - 1),
        }
    }

    fn draw(&mut self) {
        let (columns, rows) = Self::size();
        // The last column stays free: some terminals wrap as soon as it is written.
        let room = columns.saturating_sub(1).max(1);
        let frame = self.live.frame(
            self.start.elapsed(),
            room,
            rows.saturating_sub(1),
            self.paint,
            &|case| self.running.memory(case),
        );
        let mut text = self.to_first_line(columns);
        text.push_str(&frame.join("\x1b[K\n"));
        text.push_str("\x1b[K\x1b[J");
        self.drawn = frame.iter().map(|line| text_width(line)).collect();
        write(&text);
    }

    fn erase(&mut self) {
        if !self.drawn.is_empty() {
            write(&format!("{}\x1b[J", self.to_first_line(Self::size().0)));
            self.drawn.clear();
        }
    }
}

/// Best effort: a terminal that is gone shows nothing.
fn write(text: &str) {
    let mut out = io::stderr().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}
