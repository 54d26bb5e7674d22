//! `judge watch`: judges again whenever a file changes that judging depends on.
//!
//! Each round is a separate `judge run` process that the next change ends, so that a hung run or a
//! failed build leaves nothing behind in the watching process.

mod snapshot;

use self::snapshot::{Changes, PackageReader, Snapshot};
use super::args::WatchArgs;
use judge_core::error::{Failure, exit_status};
use judge_core::language::Languages;
use judge_core::submission::Workspace;
use judge_os::ProcessGroup;
use judge_package::directories_of_cases;
use judge_report::event::Event;
use judge_session::folder;
use judge_session::output::{print, say};
use judge_session::progress::is_dumb;
use judge_session::select::ReadPackage;
use judge_session::targets::{self, Target, Targets};
use judge_tempdir::TempDirectory;
use notify::{RecursiveMode, Watcher};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

/// Debounce time: editors save in several steps, tools save several files.
const QUIET: Duration = Duration::from_millis(150);
/// How long after the end of a round a file may change because of it: `tee` writes the last lines.
const ECHO: Duration = Duration::from_secs(1);
/// Rounds in a row that files of the rounds' own may cause.
const MAX_ECHOES: u32 = 3;
/// Clears the screen and the scrollback.
const CLEAR: &str = "\x1b[2J\x1b[3J\x1b[H";

/// Messages to the main thread.
enum Message {
    Changed,
    Ended,
    Stop,
}

/// Judges now and after every change, until Ctrl-C.
pub fn watch(args: &WatchArgs) -> Result<u8, Failure> {
    let (here, workspace) = Workspace::here()?;
    let packages = PackageReader::default();
    let read = |path: &Path| packages.read(path);
    let request = request(args, &read);
    let headers = &args.running.preprocessor.include;
    let found = targets::find(&request, &here, workspace.as_ref())?;
    let paths = watched(&found, headers, &here, workspace.as_ref())?;
    let (sender, messages) = mpsc::channel();
    let watching = RefCell::new((start_watching(&paths, &sender)?, paths));
    let languages = args.running.languages.as_deref();
    let languages = Languages::load(languages)?;
    let snapshot = || {
        // A broken package is reported by its round.
        let mut watching = watching.borrow_mut();
        let Ok(found) = targets::find(&request, &here, workspace.as_ref()) else {
            return snapshot::of(&watching.1, &[], &languages);
        };
        // A directory of cases may be new. If it cannot be watched, the others still are.
        if let Ok(paths) = watched(&found, headers, &here, workspace.as_ref())
            && paths != watching.1
            && let Ok(watcher) = start_watching(&paths, &sender)
        {
            *watching = (watcher, paths);
        }
        snapshot::of(&watching.1, &found.targets, &languages)
    };
    let stop = sender.clone();
    ctrlc::set_handler(move || {
        let _ = stop.send(Message::Stop);
    })
    .map_err(|e| Failure::internal(format!("failed to watch for Ctrl-C: {e}")))?;
    let mut rounds = Rounds {
        sender: sender.clone(),
        messages,
        events: TempDirectory::new("watch")?,
        failing: None,
        echoes: Echoes::default(),
        snapshot: &snapshot,
    };
    loop {
        let command = rounds.command()?;
        if let Next::Stop = rounds.judge(command)? {
            return Ok(exit_status::INTERRUPTED);
        }
    }
}

enum Next {
    Again,
    Stop,
}

struct Rounds<'a> {
    sender: Sender<Message>,
    messages: Receiver<Message>,
    events: TempDirectory,
    /// The case that failed last; it is judged first.
    failing: Option<String>,
    echoes: Echoes,
    /// Looks at the files that a round depends on.
    snapshot: &'a dyn Fn() -> Snapshot,
}

/// Notices files that change because of the rounds, which would judge for ever.
#[derive(Default)]
struct Echoes {
    /// Number of rounds in a row that only changes by rounds caused.
    count: u32,
    ignored: BTreeSet<PathBuf>,
}

impl Echoes {
    /// Whether the changes cause a round. `is_echo`: a round ran at their time. Files that are only
    /// mentioned, and changed so in several rounds in a row, are ignored from then on.
    fn cause_round(&mut self, changes: Changes, is_echo: bool) -> bool {
        if changes.files.is_empty() {
            return false;
        }
        self.count = match is_echo && changes.are_mentioned {
            true => self.count + 1,
            false => 0,
        };
        if self.count <= MAX_ECHOES {
            return true;
        }
        for path in &changes.files {
            say(&format!(
                "{} changes in every round and is ignored from now on",
                path.display()
            ));
        }
        self.ignored.extend(changes.files);
        false
    }
}

impl Rounds<'_> {
    fn events_file(&self) -> PathBuf {
        self.events.path().join("events")
    }

    fn command(&self) -> Result<Command, Failure> {
        let _ = std::fs::remove_file(self.events_file());
        if io::stdout().is_terminal() && !is_dumb() {
            print(CLEAR)?;
            // The sequence has no line break, so it is flushed before the round writes.
            let _ = io::stdout().flush();
        }
        let mut command = judge_os::own_command();
        command.args(["run", "--brief", "--fail-fast", "--no-history"]);
        command.arg("--json").arg(self.events_file());
        if let Some(case) = &self.failing {
            command.arg(format!("--first={case}"));
        }
        // Each argument of `watch` is one of `run`.
        command.args(std::env::args_os().skip(2));
        command.stdin(Stdio::null());
        Ok(command)
    }

    /// Runs a round; returns when it has ended and another one is due.
    fn judge(&mut self, mut command: Command) -> Result<Next, Failure> {
        let before = (self.snapshot)();
        let sender = self.sender.clone();
        let ended = move || {
            let _ = sender.send(Message::Ended);
        };
        let round = ProcessGroup::start(&mut command, ended)
            .map_err(|e| Failure::internal(format!("failed to start judge run: {e}")))?;
        let mut running = Some(round);
        let mut ended: Option<Instant> = None;
        let mut next = None;
        loop {
            let message = match self.messages.recv() {
                Ok(Message::Changed) => self.settle(),
                Ok(message) => message,
                Err(_) => Message::Stop,
            };
            match (message, &mut running) {
                (Message::Changed, _) if next.is_some() => continue,
                (Message::Changed, _) => {
                    let changes = (self.snapshot)().changes(&before, &self.echoes.ignored);
                    let is_echo = ended.is_none_or(|ended| ended.elapsed() < ECHO);
                    if !self.echoes.cause_round(changes, is_echo) {
                        continue;
                    }
                    next = Some(Next::Again);
                }
                (Message::Ended, round) => {
                    *round = None;
                    ended = Some(Instant::now());
                    self.failing = self.first_failure().or(self.failing.take());
                }
                // A second Ctrl-C does not wait for the judge to clean up.
                (Message::Stop, Some(round)) if matches!(next, Some(Next::Stop)) => round.insist(),
                (Message::Stop, _) => next = Some(Next::Stop),
            }
            match (next.is_some(), &mut running) {
                (true, Some(round)) => round.interrupt(),
                (true, None) => return Ok(next.unwrap_or(Next::Stop)),
                (false, None) => print("\nwaiting for changes; Ctrl-C ends\n")?,
                (false, Some(_)) => {}
            }
        }
    }

    /// Waits until the files are quiet; returns early with any other message.
    fn settle(&self) -> Message {
        loop {
            match self.messages.recv_timeout(QUIET) {
                Ok(Message::Changed) => {}
                Err(RecvTimeoutError::Timeout) => return Message::Changed,
                Ok(other) => {
                    // Requeue the change.
                    let _ = self.sender.send(Message::Changed);
                    return other;
                }
                Err(RecvTimeoutError::Disconnected) => return Message::Stop,
            }
        }
    }

    /// The first case of the last round that was not accepted.
    fn first_failure(&self) -> Option<String> {
        let text = std::fs::read_to_string(self.events_file()).ok()?;
        let mut events = text
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok());
        events.find_map(|event| match event {
            Event::CaseFinished { case, result, .. } if !result.is_accepted() => {
                Some(case.raw().to_owned())
            }
            _ => None,
        })
    }
}

/// A file or directory to watch.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Watched {
    path: PathBuf,
    /// Whether all directories below it are watched, too.
    deep: bool,
}

fn request<'a>(args: &'a WatchArgs, read: &'a ReadPackage<'a>) -> targets::Request<'a> {
    targets::Request {
        names: &args.packages,
        submissions: &args.running.submissions,
        languages: args.running.languages.as_deref(),
        read,
    }
}

/// The paths to watch: packages, their crates, the workspace's library, programs, directories of headers. In a folder of
/// one's own, the folder and the directories of its cases, empty ones included, but no other directories.
fn watched(
    found: &Targets,
    headers: &[PathBuf],
    here: &Path,
    workspace: Option<&Workspace>,
) -> Result<Vec<Watched>, Failure> {
    let mut paths = Vec::new();
    let mut add = |path: &Path, deep: bool| paths.push((path.to_owned(), deep));
    headers.iter().for_each(|dir| add(dir, true));
    for Target { package, programs } in &found.targets {
        if let Some(workspace) = workspace.filter(|_| programs.is_empty())
            && let Some(problem) = workspace.problem(&package.id)?
        {
            add(&problem.dir, true);
            add(&workspace.root.join("src"), true);
        }
        let deep = folder::is_configured(&package.root);
        add(&package.root, deep);
        if !deep {
            let directories = directories_of_cases(&package.root);
            directories.iter().for_each(|dir| add(dir, false));
        }
        for case in package.cases().into_iter().filter(|_| !deep) {
            add(case.input.parent().unwrap_or(&package.root), false);
        }
    }
    for path in found.programs() {
        if !path.exists() {
            return Err(Failure::usage(format!("{}: no such file", path.display())));
        }
        add(path, true);
    }
    if found.is_newest {
        // Each round takes the newest source file.
        add(here, false);
    }
    let mut real = Vec::new();
    for (path, deep) in paths.into_iter().filter(|(path, _)| path.exists()) {
        let full = path.canonicalize();
        let path = full.map_err(|e| Failure::usage(format!("{}: {e}", path.display())))?;
        real.push(Watched { path, deep });
    }
    real.sort();
    real.dedup();
    Ok(real)
}

fn start_watching(
    paths: &[Watched],
    sender: &Sender<Message>,
) -> Result<notify::RecommendedWatcher, Failure> {
    let failed = |e: notify::Error| {
        Failure::usage(format!("failed to watch the files: {e}"))
            .help("where the kernel's limit is reached, raise fs.inotify.max_user_watches")
    };
    let sender = sender.clone();
    let roots: Vec<(PathBuf, bool)> = paths.iter().map(|w| (w.path.clone(), w.deep)).collect();
    let is_below = move |path: &Path| {
        roots.iter().any(|(root, deep)| match deep {
            true => path.starts_with(root),
            false => path.parent() == Some(root),
        })
    };
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        // Errors such as a queue overflow are ignored: the next change triggers a round.
        let matters = event.is_ok_and(|event| {
            !event.kind.is_access()
                && event
                    .paths
                    .iter()
                    .any(|path| is_below(path) && is_source(path))
        });
        if matters {
            let _ = sender.send(Message::Changed);
        }
    })
    .map_err(failed)?;
    for Watched { path, deep } in paths {
        // Editors replace files, so a file is watched through its directory.
        let (path, mode) = match (path.is_dir(), deep) {
            (true, true) => (path.as_path(), RecursiveMode::Recursive),
            (true, false) => (path.as_path(), RecursiveMode::NonRecursive),
            (false, _) => {
                let parent = path.parent().unwrap_or(path);
                (parent, RecursiveMode::NonRecursive)
            }
        };
        watcher.watch(path, mode).map_err(failed)?;
    }
    Ok(watcher)
}

/// Whether the path is not a temporary file of an editor or a build product.
pub(super) fn is_source(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let is_of_editor = name.starts_with('.') || name.ends_with('~') || name == "4913";
    let is_built = path
        .components()
        .any(|part| part.as_os_str() == "target" || part.as_os_str() == "__pycache__");
    !is_of_editor && !is_built
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A second signal would end the judge before it has cleaned up.
    #[test]
    fn an_ending_round_is_not_interrupted_again_by_the_next_change() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let root = dir.path().canonicalize().expect("it is there");
        let (signals, changing) = (root.join("signals"), root.join("sol.c"));
        let languages = Languages::load(None).expect("the built-in table");
        let (sender, messages) = mpsc::channel();
        let mut rounds = Rounds {
            sender: sender.clone(),
            messages,
            events: TempDirectory::new("watch").expect("a temporary directory"),
            failing: None,
            echoes: Echoes::default(),
            snapshot: &|| {
                let watched = [Watched {
                    path: changing.clone(),
                    deep: false,
                }];
                snapshot::of(&watched, &[], &languages)
            },
        };
        // A process that ends only when the test lets it.
        // (A shell cannot trap a signal that was ignored when it started, as in a background job.)
        let mut command = Command::new("python3");
        command.arg("-c").arg(
            "import os, signal, sys, time\n\
             path = sys.argv[1]\n\
             note = lambda text: open(path, 'a').write(text + '\\n')\n\
             signal.signal(signal.SIGINT, lambda *_: note('INT'))\n\
             note('ready')\n\
             while 'INT' not in open(path).read(): time.sleep(0.05)\n\
             open(path + '.ending', 'w').close()\n\
             while not os.path.exists(path + '.go'): time.sleep(0.05)",
        );
        command.arg(&signals);
        let saves = std::thread::spawn({
            let (signals, changing) = (signals.clone(), changing.clone());
            move || {
                let save = |text: &str| {
                    std::fs::write(&changing, text).expect("a file");
                    let _ = sender.send(Message::Changed);
                };
                let wait_for = |path: &Path| {
                    while !path.exists() {
                        std::thread::sleep(Duration::from_millis(10));
                    }
                };
                wait_for(&signals);
                save("1");
                wait_for(&signals.with_extension("ending"));
                save("12");
                std::thread::sleep(2 * QUIET);
                let _ = std::fs::write(signals.with_extension("go"), "");
            }
        });
        let next = rounds.judge(command).expect("the round ends");
        assert!(matches!(next, Next::Again));
        saves.join().expect("it ended");
        let seen = std::fs::read_to_string(&signals).expect("it was written");
        assert_eq!(seen, "ready\nINT\n");
    }

    #[test]
    fn a_file_that_the_rounds_write_does_not_cause_rounds_for_ever() {
        let changes = |name: &str, are_mentioned| Changes {
            files: BTreeSet::from([PathBuf::from(name)]),
            are_mentioned,
        };
        let mut echoes = Echoes::default();
        let mut log = || echoes.cause_round(changes("log.txt", true), true);
        let caused: Vec<bool> = (0..4).map(|_| log()).collect();
        assert_eq!(caused, [true, true, true, false]);
        assert_eq!(echoes.ignored, changes("log.txt", true).files);
        // Source code and changes between rounds always count.
        for _ in 0..9 {
            assert!(echoes.cause_round(changes("sol.c", false), true));
            assert!(echoes.cause_round(changes("table.txt", true), false));
        }
    }

    #[test]
    fn temporary_files_of_editors_are_ignored() {
        for (path, source) in [
            ("/a/src/main.rs", true),
            ("/a/src/.main.rs.swp", false),
            ("/a/src/main.rs~", false),
            ("/a/src/4913", false),
            ("/a/target/release/a", false),
            ("/a/data/sample/1.in", true),
        ] {
            assert_eq!(is_source(Path::new(path)), source, "{path}");
        }
    }
}
