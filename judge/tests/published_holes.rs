//! Tests of vulnerabilities that were published for other judges: a privileged step after a run
//! follows a link that the submission left (Judge0's CVE-2024-28185 and CVE-2024-28189), and a
//! service of the host is reachable (CVE-2024-29021). Each test runs in every mode that the machine
//! supports.
//!
//! Test group: judge.

#[path = "published_holes/build_trees.rs"]
mod build_trees;
#[path = "common/mode.rs"]
mod mode;
#[path = "common/search_path.rs"]
mod search_path;

use std::fs::{self, Permissions};
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use mode::{Mode, Place};
use serde_json::Value;

/// Content of a file that only the judge's user can read.
const SECRET: &str = "1309-1784-secret";
const PROBLEM: &str = "problem_format_version: 2025-09\nname: Links\nlicense: cc0\n\
                       uuid: 0f0d3f14-7a1c-4b0e-9d2c-7a5f4f0c9a11\nallow_file_writing: true\n\
                       limits: {time_limit: 2.0}\n";

struct Setup {
    place: Place,
    mode: Mode,
}

impl Setup {
    /// One instance for each mode in which a layer isolates the file system.
    fn all() -> Vec<Self> {
        // `judge doctor` looks for all languages, so it is asked once.
        static FENCED: LazyLock<Vec<Mode>> = LazyLock::new(|| {
            let setups = mode::asked_for().into_iter().filter_map(Setup::new);
            let fenced = setups.filter(Setup::is_fenced);
            fenced.map(|setup| setup.mode).collect()
        });
        FENCED.iter().filter_map(|&mode| Setup::new(mode)).collect()
    }

    fn new(mode: Mode) -> Option<Self> {
        match Place::new(mode) {
            Ok(place) => Some(Setup { place, mode }),
            Err(why) => {
                println!("SKIPPED: {}: {why}", mode.name());
                None
            }
        }
    }

    fn is_fenced(&self) -> bool {
        let mut doctor = self.place.command(&self.place.path("judge"));
        let output = doctor.arg("doctor").output().expect("the judge runs");
        let text = String::from_utf8(output.stdout).expect("text");
        let fenced = text.lines().any(|line| {
            line.contains("present")
                && (line.contains("mount-namespace") || line.contains("landlock"))
        });
        if !fenced {
            println!(
                "SKIPPED: {}: this machine offers no isolation",
                self.mode.name()
            );
        }
        fenced
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.place.path(name);
        fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        fs::write(&path, text).expect("a file");
        path
    }

    /// A world-writable file outside the box: its permissions do not stop an attack.
    fn victim(&self) -> PathBuf {
        let path = self.write("victim/file", "untouched");
        for (path, mode) in [
            (path.as_path(), 0o666),
            (path.parent().expect("a directory"), 0o777),
        ] {
            fs::set_permissions(path, Permissions::from_mode(mode)).expect("a mode");
        }
        path
    }

    /// A file that only the judge's user may read.
    fn secret(&self) -> PathBuf {
        let path = self.write("secret", SECRET);
        let status = self
            .place
            .command("/bin/sh".as_ref())
            .args(["-c", "cp secret home/secret && chmod 600 home/secret"])
            .status();
        assert!(status.expect("a shell").success());
        fs::remove_file(path).expect("it is there");
        self.place.path("home/secret")
    }

    /// Runs the judge and returns the verdict of each case and the whole report. The temporary
    /// directory must be empty afterwards.
    fn run_judge(&self, package: &Path, submission: &Path) -> (Vec<String>, String) {
        self.run_judge_with(package, submission, &[])
    }

    /// As [`run_judge`](Self::run_judge), with further options.
    fn run_judge_with(
        &self,
        package: &Path,
        submission: &Path,
        options: &[&str],
    ) -> (Vec<String>, String) {
        let output = self
            .place
            .command(&self.place.path("judge"))
            .arg("run")
            .arg(package)
            .arg("-s")
            .arg(submission)
            .args(["--format", "json", "-j", "1"])
            .args(options)
            .output()
            .expect("the judge runs");
        let report = String::from_utf8_lossy(&output.stdout).into_owned()
            + &String::from_utf8_lossy(&output.stderr);
        let verdicts = report
            .lines()
            .filter_map(|line| serde_json::from_str::<Value>(line).ok())
            .filter(|event| event["event"] == "case_finished")
            .map(|event| event["verdict"].as_str().expect("a verdict").to_owned())
            .collect();
        let left = fs::read_dir(self.place.path("temporary")).expect("the directory is there");
        assert_eq!(left.count(), 0, "{}: {report}", self.mode.name());
        (verdicts, report)
    }
}

/// The state that an attack must not change: content, owner, mode, number of links, and number of
/// files beside it.
fn state(victim: &Path) -> (String, u32, u32, u64, usize) {
    let metadata = fs::metadata(victim).expect("it is there");
    let around = fs::read_dir(victim.parent().expect("a directory")).expect("it is there");
    let content = fs::read_to_string(victim).expect("text");
    (
        content,
        metadata.uid(),
        metadata.mode(),
        metadata.nlink(),
        around.count(),
    )
}

/// CVE-2024-28185: Judge0 writes a script into the box, through a link that the submission left
/// under its name. CVE-2024-28189: Judge0 changes the owner of the box's files, and thereby of a
/// link's target.
///
/// The judge stages the files of each case into the work directory and empties it afterwards. The
/// first case leaves links to a file and a directory outside the box under all names that the
/// second case uses.
#[test]
fn links_left_in_the_work_directory_are_not_followed() {
    for setup in Setup::all() {
        let victim = setup.victim();
        setup.write("package/problem.yaml", PROBLEM);
        for case in ["1", "2", "3"] {
            setup.write(
                &format!("package/data/secret/{case}.in"),
                &format!("{case}\n"),
            );
            setup.write(&format!("package/data/secret/{case}.ans"), "regular\n");
            for name in ["file", "directory/file"] {
                setup.write(
                    &format!("package/data/secret/{case}.files/{name}"),
                    "content",
                );
            }
        }
        let source = r#"#define _GNU_SOURCE
            #include <stdio.h>
            #include <sys/stat.h>
            #include <unistd.h>
            static void put(const char *target, const char *name) { unlink(name); rmdir(name); symlink(target, name); }
            int main(void) {
                struct stat file, inner, directory, other;
                int good = !lstat("file", &file) && S_ISREG(file.st_mode) && !lstat("directory", &directory)
                    && S_ISDIR(directory.st_mode) && !lstat("directory/file", &inner) && S_ISREG(inner.st_mode)
                    && lstat("run", &other) && lstat("moved", &other);
                rename("directory", "moved");
                put("VICTIM", "file"); put("VICTIM_DIR", "directory"); put("VICTIM_DIR", "moved");
                put("VICTIM", "run"); put("VICTIM", "stdout"); put("VICTIM", "/tmp/file"); put("VICTIM_DIR", "/tmp/directory");
                link("VICTIM", "hard");
                puts(good ? "regular" : "unexpected files");
            }"#
            .replace("VICTIM_DIR", victim.parent().expect("a directory").to_str().expect("text"))
            .replace("VICTIM", victim.to_str().expect("text"));
        let before = state(&victim);
        let (verdicts, report) = setup.run_judge(
            &setup.place.path("package"),
            &setup.write("links.c", &source),
        );
        assert_eq!(
            verdicts,
            ["AC", "AC", "AC"],
            "{}: {report}",
            setup.mode.name()
        );
        assert_eq!(state(&victim), before, "{}", setup.mode.name());
    }
}

/// The same attack in the other direction: the submission replaces the output file that the judge
/// reads by a link to a file that only the judge may read.
#[test]
fn a_link_instead_of_the_output_file_is_not_followed() {
    for setup in Setup::all() {
        let secret = setup.secret();
        let init =
            "file_io: {output: output.txt}\ntest_cases: [{in: 1.in, out: 1.out, points: 1}]\n";
        setup.write("package/init.yml", init);
        setup.write("package/1.in", "1\n");
        setup.write("package/1.out", SECRET);
        for (way, call) in [("symbolic", "symlink"), ("hard", "link")] {
            let source = format!(
                "#include <unistd.h>\nint main(void) {{ unlink(\"output.txt\"); \
                 return {call}(\"{}\", \"output.txt\") && 0; }}\n",
                secret.display()
            );
            let submission = setup.write(&format!("{way}.c"), &source);
            let (verdicts, report) = setup.run_judge(&setup.place.path("package"), &submission);
            assert_eq!(verdicts, ["WA"], "{} {way}: {report}", setup.mode.name());
            // The report shows the expected output, but not the content of the secret file.
            let found = format!("found \"{SECRET}");
            assert!(
                !report.contains(&found),
                "{} {way}: {report}",
                setup.mode.name()
            );
        }
    }
}

/// The build of a package's program leaves links in its directory, which the judge copies, measures
/// and gives to the boxes' user.
#[test]
fn links_left_by_a_build_are_not_followed() {
    for setup in Setup::all() {
        let (victim, secret) = (setup.victim(), setup.secret());
        setup.write("package/problem.yaml", "name: Build\nvalidation: custom\n");
        setup.write("package/.timelimit", "2\n");
        setup.write("package/data/secret/1.in", "1\n");
        setup.write("package/data/secret/1.ans", "1\n");
        let build = format!(
            "#!/bin/sh\nln -s {0} file; ln -s {1} directory; ln -s {2} secret; ln {0} hard\n\
             printf '#!/bin/sh\\ncat \"$(dirname \"$0\")/secret\" > \"$3/judgemessage.txt\"\\nexit 43\\n' > run\n\
             chmod +x run\n",
            victim.display(),
            victim.parent().expect("a directory").display(),
            secret.display(),
        );
        let build = setup.write("package/output_validators/check/build", &build);
        fs::set_permissions(build, Permissions::from_mode(0o755)).expect("a mode");
        let submission = setup.write(
            "one.c",
            "int puts(const char *);\nint main(void) { puts(\"1\"); }\n",
        );
        let before = state(&victim);
        for _ in 0..2 {
            let (verdicts, report) = setup.run_judge(&setup.place.path("package"), &submission);
            assert_eq!(verdicts, ["WA"], "{}: {report}", setup.mode.name());
            assert!(!report.contains(SECRET), "{}: {report}", setup.mode.name());
        }
        assert_eq!(state(&victim), before, "{}", setup.mode.name());
    }
}

/// CVE-2024-29021: a program in the box reaches a service of the host that trusts every client. The
/// submission and the package's validator try to connect.
#[test]
fn services_of_the_host_are_out_of_reach() {
    for setup in Setup::all() {
        let service = TcpListener::bind("127.0.0.1:0").expect("a port");
        service.set_nonblocking(true).expect("a mode");
        let port = service.local_addr().expect("an address").port();
        setup.write(
            "package/problem.yaml",
            "name: Service\nvalidation: custom\n",
        );
        setup.write("package/.timelimit", "2\n");
        setup.write("package/data/secret/1.in", "1\n");
        setup.write("package/data/secret/1.ans", "1\n");
        let source = |otherwise: &str| {
            format!(
                "#include <arpa/inet.h>\n#include <stdio.h>\n#include <sys/socket.h>\nint main(void) {{\n\
                 struct sockaddr_in a = {{.sin_family = AF_INET, .sin_port = htons({port})}};\n\
                 a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);\n\
                 int s = socket(AF_INET, SOCK_STREAM, 0);\n\
                 if (s >= 0 && !connect(s, (struct sockaddr *)&a, sizeof a)) return 1;\n{otherwise} }}\n"
            )
        };
        setup.write("package/output_validators/check.c", &source("return 42;"));
        let submission = setup.write("connect.c", &source("puts(\"1\"); return 0;"));
        let (verdicts, report) = setup.run_judge(&setup.place.path("package"), &submission);
        assert_eq!(verdicts, ["AC"], "{}: {report}", setup.mode.name());
        let reached = service.accept();
        assert!(reached.is_err(), "{}: {reached:?}", setup.mode.name());
    }
}
