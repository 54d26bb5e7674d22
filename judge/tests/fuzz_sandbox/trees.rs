//! Random trees that a compile step leaves: odd modes, links, pipes, deep directories.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use crate::mode::Place;
use crate::package::Dice;

/// Number of moves of one compile step.
const MOVES: u64 = 40;

const LANGUAGES: &str = "[tree]\nname = \"Tree\"\nextensions = [\"tree\"]\npriority = 1\nentry = \"file\"\n\
                         [[tree.with]]\ncompile = \"sh {main} build\"\nrun = \"sh {main} run\"\n\
                         version = \"sh -c 'echo 1'\"\n";
const PROBLEM: &str = "problem_format_version: 2025-09\nname: Trees\nlicense: cc0\n\
                       uuid: 6d5a3c43-0f55-4f0e-a2a9-4f5c0f1b7a10\nlimits: {time_limit: 2.0}\n";

/// A shell command that changes the tree; each may fail.
fn random_move(dice: &mut Dice) -> String {
    let mode = format!("{:o}", dice.below(0o10000));
    let name = format!("n{}", dice.below(12));
    let other = format!("n{}", dice.below(12));
    match dice.below(12) {
        0 => format!("cp /bin/sh {name}"),
        1 => format!("mkdir -p {name}/{other}"),
        2 => format!("chmod {mode} {name}"),
        3 => format!("chmod {mode} ."),
        4 => format!("chmod {mode} \"$0\""),
        5 => {
            let targets = ["/etc/passwd", "..", "/", "n1", "n2/n3", "nowhere", "."];
            format!("ln -s {} {name}", targets[dice.below(7) as usize])
        }
        6 => format!("ln {name} {other}"),
        7 => format!("ln /etc/hostname {name}"),
        8 => format!("mkfifo -m {mode} {name}"),
        9 => format!(
            "mkdir -p {}",
            vec!["d"; dice.below(70) as usize + 1].join("/")
        ),
        10 => format!("mv {name} {other}"),
        _ => format!("echo 1 > {name}; touch -d @{} {name}", dice.below(1 << 33)),
    }
}

/// Judges a program with such a compile step. Returns what is wrong: a judge error, or a tree that is
/// not plain.
pub fn judge(place: &Place, seed: u64) -> Option<String> {
    let mut dice = Dice(seed ^ 0x7265_6573);
    let moves: Vec<String> = (0..MOVES).map(|_| random_move(&mut dice)).collect();
    let script = format!(
        "cd \"${{0%/*}}\"; set -- $1 \"$PWD/${{0##*/}}\"\n\
         if [ $1 = build ]; then mkdir t; cd t\n{}\nexit 0; fi\necho 1\n",
        moves.join("\n").replace("\"$0\"", "\"$2\"")
    );
    let package = place.path("package");
    for old in ["data", "output_validator"] {
        let _ = fs::remove_dir_all(package.join(old));
    }
    fs::create_dir_all(package.join("data/secret")).expect("a directory");
    for (name, text) in [
        ("package/problem.yaml", PROBLEM),
        ("package/data/secret/1.in", "1\n"),
        ("package/data/secret/1.ans", "1\n"),
        ("languages.toml", LANGUAGES),
        ("moves.tree", &script),
    ] {
        fs::write(place.path(name), text).expect("a file");
    }
    let mut command = place.command(&place.path("judge"));
    let command = command.arg("run").arg(&package).arg("-s");
    let command = command.arg(place.path("moves.tree")).arg("--languages");
    let output = command.arg(place.path("languages.toml")).output();
    let output = output.expect("start the judge");
    let said = || {
        let (out, err) = (&output.stdout, &output.stderr);
        format!(
            "{}{}",
            String::from_utf8_lossy(out),
            String::from_utf8_lossy(err)
        )
    };
    let code = output.status.code();
    // A tree that is too deep is a compile error.
    if !matches!(code, Some(0 | 1)) {
        return Some(format!(
            "trees, seed {seed}: exit {code:?}: {}\n{script}",
            said()
        ));
    }
    let odd = walkdir::WalkDir::new(place.path("home/judge/programs"))
        .into_iter()
        .flatten()
        .filter(|entry| {
            entry
                .path()
                .ancestors()
                .any(|above| above.ends_with("program"))
        })
        .find(|entry| !is_plain(entry.path()))?;
    Some(format!(
        "trees, seed {seed}: {} is not plain\n{script}",
        odd.path().display()
    ))
}

fn is_plain(path: &Path) -> bool {
    let Ok(metadata) = fs::symlink_metadata(path) else {
        return true;
    };
    let kind = metadata.file_type();
    match kind.is_symlink() {
        true => path
            .canonicalize()
            .is_ok_and(|to| to.components().any(|c| c.as_os_str() == "program")),
        false => {
            let read = if kind.is_dir() { 0o500 } else { 0o400 };
            (kind.is_file() || kind.is_dir())
                && metadata.mode() & 0o7022 == 0
                && metadata.mode() & read == read
                && (kind.is_dir() || metadata.nlink() == 1)
        }
    }
}
