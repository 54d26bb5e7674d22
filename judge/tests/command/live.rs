//! The progress display on a terminal: what a person sees at several widths, and after Ctrl-C.

use crate::common::{Bench, judge_program, of_judge};
use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// A judge on a terminal of its own.
struct Terminal {
    judge: Child,
    screen: vt100::Parser,
    bytes: std::sync::mpsc::Receiver<Vec<u8>>,
    pty: std::os::fd::OwnedFd,
    raw: Vec<u8>,
}

impl Terminal {
    fn start(bench: &Bench, columns: u16, args: &[&str]) -> Self {
        Self::of_kind("xterm-256color", bench, columns, args)
    }

    fn of_kind(kind: &str, bench: &Bench, columns: u16, args: &[&str]) -> Self {
        let pty = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
        grantpt(&pty).expect("its own terminal");
        unlockpt(&pty).expect("its own terminal");
        resize(&pty, columns);
        let name = ptsname(&pty, Vec::new()).expect("it has a name");
        let path =
            Path::new(std::str::from_utf8(name.as_bytes()).expect("an ASCII name")).to_owned();
        let open = || {
            File::options()
                .read(true)
                .write(true)
                .open(&path)
                .expect("it opens")
        };
        let judge = of_judge(bench, judge_program())
            .args(args)
            .env("TERM", kind)
            .env_remove("NO_COLOR")
            .stdin(Stdio::null())
            .stdout(open())
            .stderr(open())
            .spawn()
            .expect("the judge starts");
        let mut reader = File::from(pty.try_clone().expect("a copy"));
        let (sender, bytes) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count @ 1..) = reader.read(&mut buffer) {
                if sender.send(buffer[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        Terminal {
            judge,
            screen: vt100::Parser::new(40, columns, 1000),
            bytes,
            pty,
            raw: Vec::new(),
        }
    }

    /// Reads until the screen satisfies `is_wanted`; fails after a minute.
    fn wait_for(&mut self, is_wanted: impl Fn(&str) -> bool) -> String {
        let end = Instant::now() + Duration::from_secs(60);
        loop {
            let contents = self.screen.screen().contents();
            if is_wanted(&contents) {
                return contents;
            }
            assert!(Instant::now() < end, "not seen on the screen:\n{contents}");
            if let Ok(bytes) = self.bytes.recv_timeout(Duration::from_millis(100)) {
                // The terminal's driver adds a carriage return to each line break.
                self.screen.process(&bytes);
                self.raw.extend(bytes);
            }
        }
    }

    /// Reads what is left after the judge ended.
    fn end(mut self) -> (String, Option<i32>) {
        let status = self.judge.wait().expect("it ends");
        // The reader ends with the judge; the timeout is for a process that keeps the terminal open.
        while let Ok(bytes) = self.bytes.recv_timeout(Duration::from_secs(10)) {
            self.screen.process(&bytes);
        }
        (self.screen.screen().contents(), status.code())
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.judge.kill();
        let _ = self.judge.wait();
    }
}

fn resize(pty: &std::os::fd::OwnedFd, columns: u16) {
    let size = Winsize {
        ws_row: 40,
        ws_col: columns,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    tcsetwinsize(pty, size).expect("it is resized");
}

/// A package and a program whose case 2 fills 40 MiB of memory and waits.
fn waiting(bench: &Bench) {
    bench.sums("time_limit: 9.0");
    bench.program(
        "数独",
        "if (a == 2) {
           char *p = malloc(40 << 20);
           memset(p, 1, 40 << 20);
           sink = p[a];
           sleep(3);
         }
         printf(\"%d\\n\", a + b);",
    );
}

/// Judges that program on a terminal of this width.
fn run_waiting(bench: &Bench, columns: u16) -> Terminal {
    Terminal::start(bench, columns, &["run", "sums", "-s", "数独", "-j", "1"])
}

#[test]
fn a_terminal_that_only_prints_gets_neither_colour_nor_progress() {
    let bench = Bench::new();
    bench.sums("time_limit: 9.0");
    bench.program("sum", "printf(\"%d\\n\", a + b);");
    for (kind, is_coloured) in [("dumb", false), ("xterm", true)] {
        let args = ["run", "sums", "-s", "sum"];
        let mut terminal = Terminal::of_kind(kind, &bench, 80, &args);
        terminal.wait_for(|text| text.contains("all accepted"));
        assert_eq!(terminal.raw.contains(&0x1b), is_coloured, "{kind}");
    }
}

#[test]
fn a_line_per_worker_is_shown_and_erased_at_every_width() {
    let bench = Bench::new();
    waiting(&bench);
    // They wait at the same time.
    let terminals = [40, 80, 200].map(|columns| (columns, run_waiting(&bench, columns)));
    for (columns, mut terminal) in terminals {
        // The size of the program itself depends on how it is measured.
        let shows_memory = |text: &str| {
            text.contains("secret/2  running ")
                && (40..48).any(|mib| text.contains(&format!(" s  {mib} ")))
        };
        let seen = terminal.wait_for(|text| text.contains("2 of 4") && shows_memory(text));
        let lines: Vec<&str> = seen.lines().collect();
        assert!(
            lines[0].starts_with("2 of 4") && lines[0].contains("AC 2"),
            "{seen}"
        );
        assert_eq!(lines[1], "..", "{seen}");
        let limit = match columns {
            40 => " MiB",
            _ => " of 2048 MiB",
        };
        assert!(
            lines[2].starts_with("数独  secret/2  running ") && lines[2].ends_with(limit),
            "{seen}"
        );
        // The program waits: its time is not one that the limit is for.
        assert!(!lines[2].contains("9.000 s"), "{seen}");
        assert_eq!(lines.len(), 3, "{seen}");
        let (left, status) = terminal.end();
        assert_eq!(status, Some(0));
        assert!(left.contains("all accepted"), "{left}");
        assert!(
            !left.contains("running ") && !left.contains("2 of 4"),
            "{left}"
        );
    }
}

#[test]
fn a_narrower_terminal_keeps_the_display_in_its_place() {
    let bench = Bench::new();
    waiting(&bench);
    let mut terminal = run_waiting(&bench, 100);
    terminal.wait_for(|text| text.contains("2 of 4") && text.contains("secret/2  running "));
    resize(&terminal.pty, 40);
    terminal.screen = vt100::Parser::new(40, 40, 1000);
    let seen = terminal.wait_for(|text| text.contains("secret/2  running "));
    assert!(
        seen.lines().all(|line| line.chars().count() <= 40),
        "{seen}"
    );
    let (left, _) = terminal.end();
    assert!(!left.contains("running "), "{left}");
}

#[test]
fn an_interrupt_prints_what_is_known() {
    let bench = Bench::new();
    waiting(&bench);
    let mut terminal = run_waiting(&bench, 80);
    terminal.wait_for(|text| text.contains("2 of 4") && text.contains("secret/2  running "));
    kill_process(Pid::from_child(&terminal.judge), Signal::INT).expect("it runs");
    let (left, status) = terminal.end();
    assert_eq!(status, Some(130));
    assert!(
        left.contains("2 of 4 cases so far") && left.contains("interrupted"),
        "{left}"
    );
}

#[test]
fn colour_depends_on_the_terminal_and_the_environment() {
    let bench = Bench::new();
    bench.sums("time_limit: 9.0");
    bench.right();
    let is_coloured = |variables: &[(&str, &str)], color: &str| {
        let mut command = crate::common::judge(&bench);
        command.args(["run", "sums", "-s", "right", "--color", color]);
        for name in ["NO_COLOR", "CLICOLOR_FORCE", "CLICOLOR"] {
            command.env_remove(name);
        }
        let output = command
            .envs(variables.iter().copied())
            .output()
            .expect("the judge runs");
        output.stdout.contains(&0x1b)
    };
    assert!(!is_coloured(&[], "auto"));
    assert!(is_coloured(&[], "always"));
    assert!(is_coloured(&[("CLICOLOR_FORCE", "1")], "auto"));
    assert!(!is_coloured(&[("CLICOLOR_FORCE", "0")], "auto"));
    assert!(!is_coloured(
        &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")],
        "auto"
    ));
    assert!(!is_coloured(&[("CLICOLOR_FORCE", "1")], "never"));
    let terminal = Terminal::start(&bench, 80, &["run", "sums", "-s", "right"]);
    let mut terminal = terminal;
    terminal.wait_for(|text| text.contains("all accepted"));
    assert!(terminal.raw.windows(2).any(|pair| pair == b"\x1b["));
}
