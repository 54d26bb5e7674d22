//! Holes that were published of other judges: a privileged step after a run follows a link that the
//! submission left (Judge0's CVE-2024-28185 and CVE-2024-28189), a service of the host is in reach
//! (CVE-2024-29021). Each is tried in every mode that the machine offers.

#[path = "common/mode.rs"]
mod mode;

use std::fs::{self, Permissions};
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use mode::{Mode, Place};
use serde_json::Value;

/// What only the judge's user can read.
const SECRET: &str = "1309-1784-secret";
const PROBLEM: &str = "problem_format_version: 2025-09\nname: Links\nlicense: cc0\n\
                       uuid: 0f0d3f14-7a1c-4b0e-9d2c-7a5f4f0c9a11\nallow_file_writing: true\n\
                       limits: {time_limit: 2.0}\n";

struct Holes {
    place: Place,
    mode: Mode,
}

impl Holes {
    /// One for each mode in which something keeps programs from files.
    fn all() -> Vec<Self> {
        let places = mode::asked_for()
            .into_iter()
            .filter_map(|mode| match Place::new(mode) {
                Ok(place) => Some(Holes { place, mode }),
                Err(why) => {
                    println!("SKIPPED: {}: {why}", mode.name());
                    None
                }
            });
        places.filter(Holes::is_fenced).collect()
    }

    fn is_fenced(&self) -> bool {
        let output = self
            .place
            .command(&self.place.path("judge"))
            .arg("doctor")
            .output();
        let text = String::from_utf8(output.expect("the judge runs").stdout).expect("text");
        let fenced = text.lines().any(|line| {
            line.contains("present")
                && (line.contains("mount-namespace") || line.contains("landlock"))
        });
        if !fenced {
            println!(
                "SKIPPED: {}: nothing here keeps a program in",
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

    /// A file outside of the box that anybody may write to: what changes it was not stopped by its mode.
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

    /// A file that the judge's user alone may read.
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

    /// The verdict of each case and the whole report; nothing may be left in the temporary directory.
    fn judge(&self, package: &Path, submission: &Path) -> (Vec<String>, String) {
        let output = self
            .place
            .command(&self.place.path("judge"))
            .arg("run")
            .arg(package)
            .arg("-s")
            .arg(submission)
            .args(["--format", "json", "-j", "1"])
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

/// What may not change: content, owner, mode, links, and what the directory holds.
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

/// CVE-2024-28185: Judge0 writes a script into the box, where the submission left a link of its name.
/// CVE-2024-28189: it changes the owner of what is there, and so of what the link leads to.
///
/// The judge puts the files of each case into the work directory, and empties it: the first case leaves
/// links to a file and a directory outside in the place of all that the second case brings.
#[test]
fn links_left_in_the_work_directory_are_not_followed() {
    for holes in Holes::all() {
        let victim = holes.victim();
        holes.write("package/problem.yaml", PROBLEM);
        for case in ["1", "2", "3"] {
            holes.write(
                &format!("package/data/secret/{case}.in"),
                &format!("{case}\n"),
            );
            holes.write(&format!("package/data/secret/{case}.ans"), "regular\n");
            for name in ["file", "directory/file"] {
                holes.write(
                    &format!("package/data/secret/{case}.files/{name}"),
                    "of the case",
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
                puts(good ? "regular" : "not as it was given");
            }"#
            .replace("VICTIM_DIR", victim.parent().expect("a directory").to_str().expect("text"))
            .replace("VICTIM", victim.to_str().expect("text"));
        let before = state(&victim);
        let (verdicts, report) = holes.judge(
            &holes.place.path("package"),
            &holes.write("links.c", &source),
        );
        assert_eq!(
            verdicts,
            ["AC", "AC", "AC"],
            "{}: {report}",
            holes.mode.name()
        );
        assert_eq!(state(&victim), before, "{}", holes.mode.name());
    }
}

/// The same in the other direction: the output file that the judge reads is replaced by a link to what the
/// judge may read and the submission may not.
#[test]
fn a_link_in_the_place_of_the_output_file_is_not_followed() {
    for holes in Holes::all() {
        let secret = holes.secret();
        let init =
            "file_io: {output: output.txt}\ntest_cases: [{in: 1.in, out: 1.out, points: 1}]\n";
        holes.write("package/init.yml", init);
        holes.write("package/1.in", "1\n");
        holes.write("package/1.out", SECRET);
        for (way, call) in [("symbolic", "symlink"), ("hard", "link")] {
            let source = format!(
                "#include <unistd.h>\nint main(void) {{ unlink(\"output.txt\"); \
                 return {call}(\"{}\", \"output.txt\") && 0; }}\n",
                secret.display()
            );
            let submission = holes.write(&format!("{way}.c"), &source);
            let (verdicts, report) = holes.judge(&holes.place.path("package"), &submission);
            assert_eq!(verdicts, ["WA"], "{} {way}: {report}", holes.mode.name());
            // The report shows the expected output, but not what was found.
            let found = format!("found \"{SECRET}");
            assert!(
                !report.contains(&found),
                "{} {way}: {report}",
                holes.mode.name()
            );
        }
    }
}

/// The build of a package's own program leaves links, which the judge copies, measures and gives to the
/// user of the boxes.
#[test]
fn links_left_by_a_build_are_not_followed() {
    for holes in Holes::all() {
        let (victim, secret) = (holes.victim(), holes.secret());
        holes.write("package/problem.yaml", "name: Build\nvalidation: custom\n");
        holes.write("package/.timelimit", "2\n");
        holes.write("package/data/secret/1.in", "1\n");
        holes.write("package/data/secret/1.ans", "1\n");
        let build = format!(
            "#!/bin/sh\nln -s {0} file; ln -s {1} directory; ln -s {2} secret; ln {0} hard\n\
             printf '#!/bin/sh\\ncat \"$(dirname \"$0\")/secret\" > \"$3/judgemessage.txt\"\\nexit 43\\n' > run\n\
             chmod +x run\n",
            victim.display(),
            victim.parent().expect("a directory").display(),
            secret.display(),
        );
        let build = holes.write("package/output_validators/check/build", &build);
        fs::set_permissions(build, Permissions::from_mode(0o755)).expect("a mode");
        let submission = holes.write(
            "one.c",
            "int puts(const char *);\nint main(void) { puts(\"1\"); }\n",
        );
        let before = state(&victim);
        for _ in 0..2 {
            let (verdicts, report) = holes.judge(&holes.place.path("package"), &submission);
            assert_eq!(verdicts, ["WA"], "{}: {report}", holes.mode.name());
            assert!(!report.contains(SECRET), "{}: {report}", holes.mode.name());
        }
        assert_eq!(state(&victim), before, "{}", holes.mode.name());
    }
}

/// CVE-2024-29021: a service of the host, which trusts every client, is reached from the box. The
/// submission and the package's validator try it.
#[test]
fn services_of_the_host_are_out_of_reach() {
    for holes in Holes::all() {
        let service = TcpListener::bind("127.0.0.1:0").expect("a port");
        service.set_nonblocking(true).expect("a mode");
        let port = service.local_addr().expect("an address").port();
        holes.write(
            "package/problem.yaml",
            "name: Service\nvalidation: custom\n",
        );
        holes.write("package/.timelimit", "2\n");
        holes.write("package/data/secret/1.in", "1\n");
        holes.write("package/data/secret/1.ans", "1\n");
        let source = |otherwise: &str| {
            format!(
                "#include <arpa/inet.h>\n#include <stdio.h>\n#include <sys/socket.h>\nint main(void) {{\n\
                 struct sockaddr_in a = {{.sin_family = AF_INET, .sin_port = htons({port})}};\n\
                 a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);\n\
                 int s = socket(AF_INET, SOCK_STREAM, 0);\n\
                 if (s >= 0 && !connect(s, (struct sockaddr *)&a, sizeof a)) return 1;\n{otherwise} }}\n"
            )
        };
        holes.write("package/output_validators/check.c", &source("return 42;"));
        let submission = holes.write("connect.c", &source("puts(\"1\"); return 0;"));
        let (verdicts, report) = holes.judge(&holes.place.path("package"), &submission);
        assert_eq!(verdicts, ["AC"], "{}: {report}", holes.mode.name());
        let reached = service.accept();
        assert!(reached.is_err(), "{}: {reached:?}", holes.mode.name());
    }
}
