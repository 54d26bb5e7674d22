//! DMOJ's judge (<https://github.com/DMOJ/judge-server>, `dmoj` on PyPI), if its command `dmoj-cli` is installed: the same
//! cases and the same source, as a problem of its format.

use super::Cost;
use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// Problems with all cases, and with the first alone.
pub struct Dmoj {
    scratch: TempDir,
    cases: usize,
}

const ALL: &str = "all";
const FIRST: &str = "first";

impl Dmoj {
    /// Writes the problems; `None` if the judge is not installed.
    pub fn open(data: &Path, cases: usize) -> io::Result<Option<Self>> {
        let help = Command::new("dmoj-cli").arg("--help").output();
        if !help.is_ok_and(|output| output.status.success()) {
            return Ok(None);
        }
        let scratch = tempfile::tempdir()?;
        for (name, cases) in [(ALL, cases), (FIRST, 1)] {
            let problem = scratch.path().join("problems").join(name);
            fs::create_dir_all(&problem)?;
            let mut list = String::from("test_cases:\n");
            for case in 1..=cases {
                for end in ["in", "ans"] {
                    let file = format!("{case:03}.{end}");
                    fs::copy(data.join(&file), problem.join(&file))?;
                }
                list += &format!("- {{in: {case:03}.in, out: {case:03}.ans, points: 1}}\n");
            }
            fs::write(problem.join("init.yml"), list)?;
        }
        let root = scratch.path().display();
        let settings = format!(
            "problem_storage_globs: ['{root}/problems/*']\nruntime: {{gcc: /usr/bin/gcc}}\n"
        );
        fs::write(scratch.path().join("judge.yml"), settings)?;
        Ok(Some(Dmoj { scratch, cases }))
    }

    /// Runs the C source over all cases; returns the mean cost of a case, without the start and the compilation.
    pub fn run(&self, source: &Path) -> io::Result<Cost> {
        let first = super::timed(1, || self.submit(FIRST, 1, source))?;
        let all = super::timed(1, || self.submit(ALL, self.cases, source))?;
        let each = |all: f64, first: f64| (all - first) / (self.cases - 1) as f64;
        Ok(Cost {
            cpu: each(all.cpu, first.cpu),
            wall: each(all.wall, first.wall),
        })
    }

    fn submit(&self, problem: &str, cases: usize, source: &Path) -> io::Result<()> {
        let Output { stdout, stderr, .. } = Command::new("dmoj-cli")
            .arg("-c")
            .arg(self.scratch.path().join("judge.yml"))
            .args(["--no-ansi", "--skip-self-test", "-e", "C", "submit"])
            .args([problem, "C"])
            .arg(source)
            .stdin(Stdio::null())
            .output()?;
        let text = String::from_utf8_lossy(&stdout);
        match text.matches(" AC ").count() == cases {
            true => Ok(()),
            false => Err(io::Error::other(format!(
                "DMOJ's judge says: {text}{}",
                String::from_utf8_lossy(&stderr)
            ))),
        }
    }
}
