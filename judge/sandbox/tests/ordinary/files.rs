//! Files that the judge puts into the work directory of a run.

use std::io::Read;
use std::path::Path;
use std::time::Duration;

use super::common::{limits, program, run, spec, state};
use super::{MODES, sandbox, sh};
use judge_sandbox::{BoxSpec, Content, Exit, Limits, Mount, Sandbox, StagedFile, State, open};

#[test]
fn files_are_staged_for_one_run() {
    let from = tempfile::tempdir().unwrap();
    let file = from.path().join("file");
    std::fs::write(&file, vec![b'x'; 1000]).unwrap();
    let staged = |name: &'static str| StagedFile {
        name: Path::new(name),
        content: Content::Copy(&file),
    };
    let little = Limits {
        output: Some(1500),
        ..limits()
    };
    for mode in MODES {
        let mut sandbox = sandbox(mode);
        let cat = |sandbox: &mut dyn Sandbox, name: &str| {
            run(sandbox, Path::new("/bin/cat"), &[name], "", &little).unwrap()
        };
        sandbox
            .stage_files(&[staged("a.txt"), staged("deep/b.txt")])
            .unwrap();
        // Staged files are not output of the program: 1000 bytes are within its limit.
        let outcome = cat(&mut *sandbox, "a.txt");
        assert_eq!(outcome.exit(), Exit::Code(0), "{}", outcome.stderr);
        assert_eq!(outcome.stdout.len(), 1000);
        assert_eq!(cat(&mut *sandbox, "a.txt").exit(), Exit::Code(1));
        sandbox.stage_files(&[staged("deep/b.txt")]).unwrap();
        assert_eq!(cat(&mut *sandbox, "deep/b.txt").exit(), Exit::Code(0));
        let outside = [staged("../x")];
        assert!(sandbox.stage_files(&outside).is_err(), "{mode:?}");
        let link = StagedFile {
            name: Path::new("link"),
            content: Content::Link(Path::new("/bin/cat")),
        };
        sandbox.stage_files(&[link]).unwrap();
        let (readlink, limits) = (Path::new("/usr/bin/readlink"), limits());
        let outcome = run(&mut *sandbox, readlink, &["link"], "", &limits).unwrap();
        assert_eq!(outcome.stdout.trim(), "/bin/cat");
        let kept = StagedFile {
            name: Path::new("kept"),
            content: Content::Kept,
        };
        let mut kept = sandbox.stage_files(&[staged("a.txt"), kept]).unwrap();
        let copy = ["a.txt", "kept"];
        let outcome = run(&mut *sandbox, Path::new("/bin/cp"), &copy, "", &limits).unwrap();
        assert_eq!(outcome.exit(), Exit::Code(0), "{}", outcome.stderr);
        let mut text = String::new();
        kept.remove(0).read_to_string(&mut text).unwrap();
        assert_eq!(text.len(), 1000, "{mode:?}");
        assert_eq!(cat(&mut *sandbox, "kept").exit(), Exit::Code(1));
    }
}

#[test]
fn a_read_only_work_directory_holds_staged_files() {
    let from = tempfile::tempdir().unwrap();
    let file = from.path().join("file");
    std::fs::write(&file, "seen").unwrap();
    for mode in MODES {
        let mut sandbox = open(&BoxSpec {
            work_read_only: true,
            ..spec(mode, &program("acts"))
        })
        .unwrap();
        let mounts = state(&*sandbox, "mount-namespace");
        let Some(mounts) = mounts.filter(|mounts| *mounts != State::Absent) else {
            println!("skipped: no layer makes files read-only in {mode:?}");
            continue;
        };
        // Runs twice, because the zygote must be able to empty a directory that the program may not
        // write to.
        for _ in 0..2 {
            let staged = StagedFile {
                name: Path::new("a.txt"),
                content: Content::Copy(&file),
            };
            sandbox.stage_files(&[staged]).unwrap();
            let mut sh = |script: &str| sh(&mut *sandbox, script, &limits());
            let outcome =
                sh("read x < a.txt; echo $x; echo > a.txt || true > b.txt || echo refused");
            assert_eq!(outcome.stdout, "seen\nrefused\n", "{mode:?}");
            assert_eq!(sh("test -e a.txt || echo empty").stdout, "empty\n");
            if mounts == State::Present {
                assert_eq!(sh("echo x > /tmp/x && read x < /tmp/x").stderr, "");
            }
        }
    }
}

/// A package manager replaces files of `/etc` by renaming while boxes are opened.
#[test]
fn a_mounted_file_may_be_replaced() {
    let top = tempfile::tempdir().unwrap();
    let mounted = top.path().join("configuration");
    std::fs::write(&mounted, "x").unwrap();
    let new = top.path().join("new");
    let replace = || {
        for _ in 0..4 {
            std::fs::write(&new, "x").unwrap();
            std::fs::rename(&new, &mounted).unwrap();
            std::thread::sleep(Duration::from_micros(500));
        }
    };
    for mode in MODES {
        let mut spec = spec(mode, &program("acts"));
        spec.mounts.push(Mount {
            host: mounted.clone(),
            inside: mounted.clone(),
            writable: false,
        });
        for _ in 0..50 {
            std::thread::scope(|scope| {
                scope.spawn(replace);
                open(&spec).unwrap();
            });
        }
    }
}
