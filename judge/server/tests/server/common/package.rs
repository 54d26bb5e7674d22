//! Packages for tests, in the ICPC format.

use super::server::write;
use std::path::{Path, PathBuf};

/// A package to write.
#[derive(Clone)]
pub struct Package {
    id: String,
    limits: Vec<String>,
    /// Path and content.
    files: Vec<(String, String)>,
    kind: &'static str,
}

impl Package {
    /// Without cases; the time limit is one second.
    pub fn new(id: &str) -> Self {
        Package {
            id: id.to_owned(),
            limits: vec!["time_limit: 1".to_owned()],
            files: Vec::new(),
            kind: "pass-fail",
        }
    }

    /// A problem with points.
    pub fn scoring(mut self) -> Self {
        self.kind = "scoring";
        self
    }

    /// A problem of this type.
    pub fn kind(mut self, kind: &'static str) -> Self {
        self.kind = kind;
        self
    }

    /// The time limit is derived from the accepted submissions.
    pub fn derived_limit(mut self) -> Self {
        self.limits.retain(|limit| !limit.starts_with("time_limit"));
        self
    }

    /// Adds a limit, such as `memory: 64`.
    pub fn limit(mut self, limit: &str) -> Self {
        self.limits.push(limit.to_owned());
        self
    }

    /// Adds a file.
    pub fn file(mut self, path: &str, content: &str) -> Self {
        self.files.push((path.to_owned(), content.to_owned()));
        self
    }

    /// Adds a case, such as `sample/1` or `secret/big`.
    pub fn case(self, name: &str, input: &str, answer: &str) -> Self {
        self.file(&format!("data/{name}.in"), input)
            .file(&format!("data/{name}.ans"), answer)
    }

    /// Writes it below a directory; returns its own directory.
    pub fn write(&self, below: &Path) -> PathBuf {
        let dir = below.join(&self.id);
        let limits: String = self.limits.iter().map(|l| format!("  {l}\n")).collect();
        let limits = if limits.is_empty() {
            limits
        } else {
            format!("limits:\n{limits}")
        };
        let yaml = format!(
            "problem_format_version: 2025-09\nname: Problem {}\ntype: {}\n{limits}",
            self.id, self.kind
        );
        write(&dir.join("problem.yaml"), yaml);
        for (path, content) in &self.files {
            write(&dir.join(path), content);
        }
        dir
    }
}

/// A problem: two integers, to add. One sample, two secret cases.
pub fn sum(id: &str) -> Package {
    Package::new(id)
        .case("sample/1", "1 2\n", "3\n")
        .case("secret/1", "20 22\n", "42\n")
        .case("secret/2", "-1 1\n", "0\n")
}

/// A problem whose programs may take 20 s; one case.
pub fn patient() -> Package {
    Package::new("patient")
        .derived_limit()
        .limit("time_limit: 20")
        .case("secret/1", "20 22\n", "42\n")
}

/// A program for both problems, in Python: takes this number of seconds for each case, and no CPU time.
pub fn slow(seconds: f64) -> String {
    format!("import time\ntime.sleep({seconds})\nprint(sum(map(int, input().split())))\n")
}

/// A problem with this number of cases: the same number as in the input. Programs may take a minute.
#[allow(dead_code)] // Benchmarks have problems of their own.
pub fn echo(cases: usize) -> Package {
    let mut package = Package::new("echo").derived_limit().limit("time_limit: 60");
    for k in 1..=cases {
        let text = format!("{k}\n");
        package = package.case(&format!("secret/{k:02}"), &text, &text);
    }
    package
}
