//! Tests of the files that a compile step leaves, and of those that other users can read while the
//! judge runs.

use std::fs;
use std::io::Write;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use super::{Mode, Setup};

/// A language whose compile step runs the submission, as a Perl `BEGIN` block or a build script does.
const LANGUAGES: &str = "[evil]\nname = \"Evil\"\nextensions = [\"evil\"]\npriority = 1\nentry = \"file\"\n\
                         [[evil.with]]\ncompile = \"sh {main} build\"\nrun = \"sh {main} run\"\n\
                         version = \"sh -c 'echo 1'\"\n";

impl Setup {
    /// Judges a script that is run to compile and to run it, over one case with the answer `plain`.
    fn judge_script(&self, script: &str) -> (Vec<String>, String) {
        self.write("package/problem.yaml", super::PROBLEM);
        self.write("package/data/secret/1.in", "1\n");
        self.write("package/data/secret/1.ans", "plain\n");
        let languages = self.write("languages.toml", LANGUAGES);
        let script = self.write("script.evil", script);
        let table = languages.display().to_string();
        let options = ["--languages", &table];
        self.run_judge_with(&self.place.path("package"), &script, &options)
    }

    /// The trees of the programs that the judge built.
    fn built(&self) -> Vec<walkdir::DirEntry> {
        let walk = walkdir::WalkDir::new(self.place.path("home/judge/programs"));
        let entries = walk.into_iter().map(|entry| entry.expect("it is read"));
        let inside = |path: &Path| path.ancestors().any(|above| above.ends_with("program"));
        entries.filter(|entry| inside(entry.path())).collect()
    }
}

/// A compile step leaves an unreadable executable, a setuid program, a pipe, and links out
/// of its directory. None of them is there when the program runs.
#[test]
fn a_build_leaves_a_plain_tree() {
    // A shell without children, which Landlock alone does not allow.
    let script = "cd \"${0%/*}\"\n\
        if [ $1 = build ]; then\n\
        mkdir locked; echo 1 > locked/file; chmod 0 locked/file locked\n\
        for m in 111 6755 666 1777; do cp /bin/sh tool$m; chmod $m tool$m; done\n\
        mkfifo pipe; ln -s /etc/hostname out; ln -s ../.. up; ln -s tool111 inside\n\
        chmod 7777 .; exit 0; fi\n\
        for f in tool*; do [ -r $f ] && [ ! -u $f ] && [ ! -g $f ] && [ ! -k $f ] || exit 1; done\n\
        [ -x inside ] && [ ! -e pipe ] && [ ! -L out ] && [ ! -L up ] && [ -r locked/file ] && echo plain\n";
    for setup in Setup::all() {
        let (verdicts, report) = setup.judge_script(script);
        assert_eq!(verdicts, ["AC"], "{}: {report}", setup.mode.name());
        let built = setup.built();
        assert!(built.len() > 8, "{}: {built:?}", setup.mode.name());
        for entry in built {
            let metadata = entry.metadata().expect("it is there");
            if metadata.is_symlink() {
                continue;
            }
            assert_eq!(metadata.mode() & 0o7022, 0, "{}", entry.path().display());
            assert!(!metadata.file_type().is_fifo());
        }
    }
}

/// The children of a program are too short to be seen, no wait reports them, and they execute a file
/// that the compile step made unreadable, which would detach the clock that counts them.
#[test]
fn short_children_of_an_unreadable_program_are_counted() {
    let script = "cd \"${0%/*}\"\n\
        if [ $1 = build ]; then cp /bin/sh tool; chmod 111 tool; exit 0; fi\n\
        trap '' CHLD; k=0\n\
        while [ $k -lt 2000 ]; do\n\
        ./tool -c 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done'; k=$((k+1)); done\n\
        echo plain\n";
    for setup in Setup::all() {
        let (verdicts, report) = setup.judge_script(script);
        match setup.mode {
            // With Landlock alone a program starts no processes.
            Mode::Landlock => assert_ne!(verdicts, ["AC"], "{report}"),
            mode => assert_eq!(verdicts, ["TLE"], "{}: {report}", mode.name()),
        }
    }
}

/// Files below `directory` that any user of the machine could read.
fn open_to_others(directory: &Path) -> Vec<PathBuf> {
    let walk = walkdir::WalkDir::new(directory).min_depth(1);
    let may_enter = |entry: &walkdir::DirEntry| {
        let metadata = entry.metadata();
        metadata.is_ok_and(|m| !m.is_dir() || m.mode() & 0o005 != 0)
    };
    walk.into_iter()
        .filter_entry(may_enter)
        .flatten()
        .filter(|entry| {
            let metadata = entry.metadata();
            metadata.is_ok_and(|m| m.is_file() && m.mode() & 0o006 != 0 && m.len() > 0)
        })
        .map(walkdir::DirEntry::into_path)
        .collect()
}

/// While the judge reads an archive, compiles, and runs a program and a validator, and afterwards, no
/// other user of the machine can read a file of the package or the submission, with any umask.
#[test]
fn other_users_can_read_nothing_of_the_judge() {
    for setup in Setup::all() {
        let archive = setup.place.path("package/p.zip");
        let mut zip = zip::ZipWriter::new(fs::File::create(&archive).expect("a file"));
        for (name, text) in [
            ("problem.yaml", "name: Secret\nvalidation: custom\n"),
            (".timelimit", "2\n"),
            ("data/secret/1.in", "1\n"),
            ("data/secret/1.ans", "1\n"),
            (
                "output_validators/check.c",
                "#include <unistd.h>\nint main(void) { usleep(300000); return 42; }\n",
            ),
        ] {
            let options = zip::write::SimpleFileOptions::default();
            zip.start_file(name, options).expect("an entry");
            zip.write_all(text.as_bytes()).expect("its content");
        }
        zip.finish().expect("an archive");
        let source = "#include <stdio.h>\n#include <unistd.h>\n\
                      int main(void) { usleep(300000); puts(\"1\"); }\n";
        let submission = setup.write("slow.c", source);
        let mut command = setup.place.command("sh".as_ref());
        let mut judge = command
            .args(["-c", "umask 000; exec \"$0\" \"$@\""])
            .arg(setup.place.path("judge"))
            .arg("run")
            .arg(&archive)
            .arg("-s")
            .arg(&submission)
            .args(["--format", "json"])
            .stdout(Stdio::null())
            .spawn()
            .expect("the judge runs");
        let (mut open, mut scratch) = (Vec::new(), 0);
        let status = loop {
            let ended = judge.try_wait().expect("its status");
            for place in ["home", "temporary"] {
                open.extend(open_to_others(&setup.place.path(place)));
            }
            let temporary = fs::read_dir(setup.place.path("temporary")).expect("it is there");
            scratch = scratch.max(temporary.count());
            if let Some(status) = ended {
                break status;
            }
            std::thread::sleep(Duration::from_millis(10));
        };
        let mode = setup.mode.name();
        assert!(
            status.success() && scratch > 0,
            "{mode}: {status}, {scratch}"
        );
        assert_eq!(open, Vec::<PathBuf>::new(), "{mode}");
        assert!(setup.built().len() > 2, "{mode}");
    }
}
