//! Commands that write files on a full disk: the machine is at fault, and nothing half-written is left.

use crate::common::{Bench, judge_program, of_judge, said};
use std::path::PathBuf;

/// A package, a program and a directory that becomes a full disk.
struct FullDisk {
    bench: Bench,
    disk: PathBuf,
}

impl FullDisk {
    fn new() -> Self {
        let bench = Bench::new();
        bench.sums("time_limit: 5.0");
        bench.write("sums/statement/problem.en.md", "Add two numbers.\n");
        for program in ["sum.sh", "sums/submissions/accepted/sum.sh"] {
            bench.write(program, "read a b\necho $((a + b))\n");
        }
        bench.write("none.sh", "echo none\n");
        bench.write("pair.sh", "echo 1 2\n");
        let disk = bench.path("disk");
        std::fs::create_dir(&disk).expect("a directory");
        FullDisk { bench, disk }
    }

    /// The exit status of a command, what it printed, and the files that it left on the disk; `None`: no disk can be mounted.
    /// `script` has the arguments of `judge`; `$DISK` is the disk.
    fn run(&self, script: &str) -> Option<(Option<i32>, String, String)> {
        let output = of_judge(&self.bench, "unshare")
            .args(["-Urm", "sh", "-c"])
            .arg(format!(
                "export DISK=\"$1\" && mount -t tmpfs -o size=64k tmpfs \"$DISK\" || exit 77\n\
                 cd \"$3\" && cp -r sums \"$DISK\" && mkdir \"$DISK/test\"\n\
                 cat /dev/zero > \"$DISK/ballast\" 2> /dev/null\n\
                 \"$2\" {script}; status=$?\n\
                 echo left: $(cd \"$DISK\" && ls -A); exit $status"
            ))
            .arg("sh")
            .arg(&self.disk)
            .arg(judge_program())
            .arg(self.bench.path(""))
            .output()
            .ok()?;
        let text = said(&output);
        if output.status.code() == Some(77) || text.contains("unshare:") {
            println!("skipped: no small disk can be mounted here: {text}");
            return None;
        }
        let left = text.lines().find_map(|line| line.strip_prefix("left: "));
        let left = left.unwrap_or_default().to_owned();
        Some((output.status.code(), text, left))
    }
}

#[test]
fn a_full_disk_is_the_machines_fault_for_every_file_that_a_command_writes() {
    let place = FullDisk::new();
    for (script, file) in [
        ("run sums -s sum.sh --html \"$DISK/report\"", "report"),
        ("run sums -s sum.sh --junit \"$DISK/report\"", "report"),
        ("run sums -s sum.sh --json \"$DISK/report\"", "report"),
        ("statement sums --html \"$DISK/page.html\"", "page.html"),
        ("export sums --to domjudge -o \"$DISK/out.zip\"", "out.zip"),
        ("export sums --to polygon -o \"$DISK/out\"", "out"),
        ("new --package \"$DISK/fresh\"", "fresh/problem.yaml"),
        ("limits \"$DISK/sums\" --write", "problem.yaml"),
        (
            "stress \"$DISK/sums\" -s none.sh --against sum.sh --generator pair.sh --save secret/",
            "data/secret",
        ),
    ] {
        let Some((status, text, left)) = place.run(script) else {
            return;
        };
        assert_eq!(status, Some(3), "{script}: {text}");
        let line = text.lines().find(|line| line.starts_with("judge error: "));
        let line = line.unwrap_or_else(|| panic!("{script}: {text}"));
        let is_full = ["No space left", "no storage space"]
            .iter()
            .any(|full| line.contains(full));
        assert!(line.contains(file) && is_full, "{script}: {text}");
        assert!(
            text.contains("help: make room on its disk"),
            "{script}: {text}"
        );
        assert_eq!(left, "ballast sums test", "{script}");
    }
}

#[test]
fn help_that_cannot_be_written_is_a_failure() {
    let place = FullDisk::new();
    for script in [
        "--help > \"$DISK/text\"",
        "run --help > \"$DISK/text\"",
        "--version > \"$DISK/text\"",
    ] {
        let Some((status, text, _)) = place.run(script) else {
            return;
        };
        assert_eq!(status, Some(3), "{script}: {text}");
    }
}

/// The history costs nothing but itself.
#[test]
fn a_history_that_cannot_be_written_is_a_warning() {
    let place = FullDisk::new();
    let script = "run sums -s sum.sh";
    let with = format!("--version > /dev/null; XDG_STATE_HOME=\"$DISK\" \"$2\" {script}");
    let Some((status, text, _)) = place.run(&with) else {
        return;
    };
    assert_eq!(status, Some(0), "{text}");
    assert!(text.contains("the run is not in the history"), "{text}");
}
