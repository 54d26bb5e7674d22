//! The commands `judge-server`, and `judge run` to compare with.

use super::search_path::search_path;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use walkdir::WalkDir;

/// Whether an executable is newer than the sources of `judge`.
fn is_current(judge: &Path) -> bool {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let sources = [
        "../Cargo.lock",
        "Cargo.toml",
        "src",
        "bundle/Cargo.toml",
        "bundle/src",
        "sandbox/Cargo.toml",
        "sandbox/src",
    ];
    let modified = |path: &Path| path.metadata().and_then(|of| of.modified()).ok();
    let files = sources.map(|source| WalkDir::new(folder.join(source)));
    let files = files.into_iter().flatten().flatten();
    modified(judge) > files.filter_map(|file| modified(file.path())).max()
}

/// The command of this workspace, which cargo builds if it is out of date. Cargo is not asked about a current one:
/// after `cargo test --workspace` it would compile the judge once more, with fewer features of its dependencies.
pub fn judge() -> &'static Path {
    static JUDGE: OnceLock<PathBuf> = OnceLock::new();
    JUDGE.get_or_init(|| {
        let server = Path::new(env!("CARGO_BIN_EXE_judge-server"));
        let judge = server.with_file_name("judge");
        let mut build = Command::new(env!("CARGO"));
        build.args(["build", "--quiet", "--package", "judge"]);
        let profile = server.parent().and_then(Path::file_name);
        if profile.is_some_and(|name| name == "release") {
            // As the server, which a benchmark starts.
            build.args(["--profile", "bench"]);
        } else if is_current(&judge) {
            return judge;
        }
        let built = build.status().expect("cargo starts");
        assert!(built.success());
        judge
    })
}

/// The executable with the environment of all tests: they share compiled programs, and not with the user.
pub fn of_tests(executable: &Path) -> Command {
    let mut command = Command::new(executable);
    command
        .env("PATH", search_path())
        .env("XDG_CACHE_HOME", env!("CARGO_TARGET_TMPDIR"))
        .env("XDG_STATE_HOME", env!("CARGO_TARGET_TMPDIR"));
    command
}

/// The command `judge-server`.
pub fn judge_server() -> Command {
    of_tests(Path::new(env!("CARGO_BIN_EXE_judge-server")))
}

/// Runs `judge run` for a program over a package; returns the fields of `submission_finished`.
pub fn judge_run(package: &Path, program: &Path) -> Value {
    let output = of_tests(judge())
        .arg("run")
        .arg(package)
        .arg("--submission")
        .arg(program)
        .args(["--format", "json", "--no-history"])
        .output()
        .expect("judge starts");
    let text = String::from_utf8(output.stdout).expect("text");
    let mut events = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let finished = events.find(|event| event["event"] == "submission_finished");
    finished.unwrap_or_else(|| panic!("{}", String::from_utf8_lossy(&output.stderr)))
}
