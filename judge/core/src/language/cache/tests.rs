//! Tests of the cache: building, concurrent use, eviction, hostile programs.

use super::entry::DONE;
use super::*;
use std::os::unix::fs::PermissionsExt;
use std::time::SystemTime;

fn key(text: &str) -> Key {
    let mut key = Key::new();
    key.add(text.as_bytes());
    key
}

/// A cache, and its directory.
fn cache() -> (tempfile::TempDir, Cache) {
    let dir = tempfile::tempdir().unwrap();
    let cache = Cache::at(dir.path()).unwrap();
    (dir, cache)
}

fn put(cache: &Cache, name: &str, bytes: usize) {
    let entry = cache.entry(key(name)).unwrap();
    assert_eq!(entry.done(), None);
    let dir = entry.start().unwrap();
    fs::write(dir.join("x"), vec![0; bytes]).unwrap();
    entry.finish(name).unwrap();
}

#[test]
fn an_entry_counts_once_it_is_done() {
    let (_dir, cache) = cache();
    let entry = cache.entry(key("a")).unwrap();
    entry.start().unwrap();
    drop(entry); // not finished
    put(&cache, "a", 10);
    assert_eq!(cache.entry(key("a")).unwrap().done().as_deref(), Some("a"));
    assert_eq!(cache.entry(key("b")).unwrap().done(), None);
}

#[test]
fn boundaries_of_key_parts_count() {
    let name = |parts: &[&str]| {
        let mut key = Key::new();
        parts.iter().for_each(|part| key.add(part.as_bytes()));
        key.name()
    };
    assert_ne!(name(&["ab", "c"]), name(&["a", "bc"]));
    assert_eq!(name(&["ab", "c"]), name(&["ab", "c"]));
}

#[test]
fn entries_do_not_wait_for_each_other() {
    let (_dir, cache) = cache();
    let held = cache.entry(key("a")).unwrap();
    assert!(cache.try_entry(key("a")).unwrap().is_none());
    // Some keys share a prefix.
    for other in 0..1000 {
        let other = cache.try_entry(key(&other.to_string())).unwrap();
        assert!(other.is_some());
    }
    drop(held);
}

#[test]
fn an_unfinished_entry_is_removed() {
    let (dir, cache) = cache();
    let programs = dir.path().join("programs");
    let count = || fs::read_dir(&programs).unwrap().count();
    assert!(matches!(cache.lookup(key("a")), Lookup::Missing));
    drop(cache.entry(key("a")).unwrap());
    let entry = cache.entry(key("b")).unwrap();
    fs::write(entry.start().unwrap().join("x"), "").unwrap();
    assert!(matches!(cache.lookup(key("b")), Lookup::Busy));
    drop(entry);
    assert_eq!(count(), 0);
    put(&cache, "c", 1);
    assert!(matches!(cache.lookup(key("c")), Lookup::Built { note, .. } if note == "c"));
    assert_eq!(count(), 1);
}

#[test]
fn an_entry_removed_while_waited_for_is_created_again() {
    let (_dir, cache) = cache();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..50 {
                    // Not finished: removed on drop.
                    let entry = cache.entry(key("a")).unwrap();
                    let program = entry.start().unwrap();
                    fs::write(program.join("x"), "").unwrap();
                    std::thread::yield_now();
                    assert!(program.join("x").exists(), "another had the lock, too");
                }
            });
        }
    });
    put(&cache, "a", 10);
}

#[test]
fn a_removed_cache_is_created_again() {
    let dir = tempfile::tempdir().unwrap();
    let cache = Cache::at(&dir.path().join("judge")).unwrap();
    fs::remove_dir_all(dir.path().join("judge")).unwrap();
    put(&cache, "a", 10);
    // A dangling link is an error, not retried for ever.
    let place = cache.place(key("b"));
    std::os::unix::fs::symlink("nowhere", &place).unwrap();
    assert!(cache.entry(key("b")).is_err());
}

#[test]
fn two_judges_build_an_entry_once() {
    let dir = tempfile::tempdir().unwrap();
    let built = std::sync::atomic::AtomicU32::new(0);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let cache = Cache::at(dir.path()).unwrap();
                let entry = cache.entry(key("a")).unwrap();
                if entry.done().is_none() {
                    entry.start().unwrap();
                    built.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    entry.finish("").unwrap();
                }
            });
        }
    });
    assert_eq!(built.into_inner(), 1);
}

/// Sets the last use of an entry to `hours` ago.
fn used_before(cache: &Cache, name: &str, hours: u64) {
    let time = SystemTime::now() - Duration::from_secs(hours * 3600);
    let done = File::options()
        .append(true)
        .open(place(cache, name).join(DONE));
    done.unwrap().set_modified(time).unwrap();
}

fn place(cache: &Cache, name: &str) -> PathBuf {
    cache.root.join("programs").join(key(name).name())
}

fn is_built(cache: &Cache, name: &str) -> bool {
    place(cache, name).exists()
}

fn hours(n: u64) -> Duration {
    Duration::from_secs(n * 3600)
}

#[test]
fn the_least_recently_used_entries_are_evicted() {
    let (dir, before) = cache();
    for (name, age) in [("a", 100), ("b", 50), ("c", 10)] {
        put(&before, name, 100_000);
        used_before(&before, name, age);
    }
    drop(before);
    let cache = Cache::at(dir.path()).unwrap();
    let left = || ["a", "b", "c"].map(|name| is_built(&cache, name));
    cache.clean(1 << 30, hours(200));
    assert_eq!(left(), [true, true, true]);
    cache.clean(250_000, hours(200));
    assert_eq!(left(), [false, true, true]);
    cache.clean(1 << 30, hours(20));
    assert_eq!(left(), [false, false, true]);
}

#[test]
fn entries_in_use_are_not_evicted() {
    let (dir, one) = cache();
    let other = Cache::at(dir.path()).unwrap();
    put(&one, "a", 100_000);
    used_before(&one, "a", 100);
    for cache in [&one, &other] {
        cache.clean(0, hours(1));
        assert!(is_built(cache, "a"));
    }
    drop(one);
    other.clean(0, hours(1));
    assert!(!is_built(&other, "a"));
}

#[test]
fn an_unreadable_tree_is_removed() {
    let (dir, before) = cache();
    let hide = |program: &Path| {
        fs::create_dir_all(program.join("x/y")).unwrap();
        fs::write(program.join("x/y/large"), vec![0; 1000]).unwrap();
        for locked in ["x/y", "x"] {
            let mode = fs::Permissions::from_mode(0o0);
            fs::set_permissions(program.join(locked), mode).unwrap();
        }
    };
    // Not finished, then built again.
    let entry = before.entry(key("a")).unwrap();
    hide(&entry.start().unwrap());
    hide(&entry.start().unwrap());
    drop(entry);
    assert!(!is_built(&before, "a"));
    let entry = before.entry(key("a")).unwrap();
    hide(&entry.start().unwrap());
    entry.finish("").unwrap();
    drop((entry, before));
    let cache = Cache::at(dir.path()).unwrap();
    cache.clean(0, hours(1));
    assert!(!is_built(&cache, "a"));
}

#[test]
fn a_path_of_a_built_program_may_be_as_long_as_possible() {
    let (_dir, cache) = cache();
    let entry = cache.entry(key("a")).unwrap();
    let mut at = entry.start().unwrap();
    // The longest path that the system takes has 4095 bytes.
    loop {
        let left = 4095 - at.as_os_str().len() - 1;
        if left <= 255 {
            at.push("f".repeat(left));
            break;
        }
        at.push("d".repeat(200));
        fs::create_dir(&at).unwrap();
    }
    fs::write(&at, "deep").unwrap();
    entry.rewrite().unwrap();
    assert_eq!(fs::read(&at).unwrap(), b"deep");
}

#[test]
fn a_built_program_is_written_again_without_holes() {
    use std::os::unix::fs::{FileExt, MetadataExt, symlink};
    let (_dir, cache) = cache();
    let entry = cache.entry(key("a")).unwrap();
    let program = entry.start().unwrap();
    fs::create_dir(program.join("lib")).unwrap();
    let sparse = File::create(program.join("lib/sparse")).unwrap();
    sparse.write_all_at(b"end", 4 << 20).unwrap();
    let compiled = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
    sparse.set_modified(compiled).unwrap();
    fs::hard_link(program.join("lib/sparse"), program.join("run")).unwrap();
    let mode = fs::Permissions::from_mode(0o6111);
    fs::set_permissions(program.join("run"), mode).unwrap();
    symlink("lib/sparse", program.join("link")).unwrap();
    std::os::unix::net::UnixListener::bind(program.join("socket")).unwrap();

    entry.rewrite().unwrap();
    entry.finish("").unwrap();
    let run = fs::metadata(program.join("run")).unwrap();
    assert_eq!(run.len(), (4 << 20) + 3);
    assert!(run.blocks() * 512 >= run.len(), "{} blocks", run.blocks());
    assert_eq!((run.mode() & 0o7777, run.nlink()), (0o755, 1));
    assert_eq!(run.modified().unwrap(), compiled);
    // With `relatime`, reading a file does not change an access time in the future.
    fs::read(program.join("run")).unwrap();
    let accessed = fs::metadata(program.join("run")).unwrap().accessed();
    assert_eq!(accessed.unwrap(), run.accessed().unwrap());
    let link = fs::read_link(program.join("link")).unwrap();
    assert_eq!(link, Path::new("lib/sparse"));
    assert!(!program.join("socket").exists());
    assert_eq!(
        fs::read_dir(entry.root()).unwrap().count(),
        3,
        "done, lock, program"
    );
}

#[test]
fn clearing_leaves_only_what_running_judges_use() {
    let (dir, running) = cache();
    put(&running, "used", 10);
    let ended = Cache::at(dir.path()).unwrap();
    put(&ended, "unused", 10);
    drop(ended);
    let cleared = Cache::clear(dir.path());
    assert_eq!((cleared.removed, cleared.in_use), (1, 1));
    assert!(cleared.bytes >= 10);
    assert!(matches!(running.lookup(key("used")), Lookup::Built { .. }));
    drop(running);
    assert_eq!(Cache::clear(dir.path()).removed, 1);
    assert!(!dir.path().exists());
    assert_eq!(Cache::clear(dir.path()), Cleared::default());
    // An empty cache that is used again.
    let (_, again) = (fs::create_dir(dir.path()).unwrap(), Cache::at(dir.path()));
    put(&again.unwrap(), "new", 10);
}
