//! A box for runs of one program.

use super::idle::MAX_IDLE_TIME;
use crate::language::Program;
use judge_sandbox::{BoxSpec, Fault, MemoryGauge, Mode, Mount, Sandbox, make_resident};
use std::path::Path;
use std::time::Instant;

/// Size limit of the work directory in bytes.
const WORK_BYTES: u64 = 64 << 20;

/// A box and its mounts.
pub struct OpenBox {
    mounts: Vec<Mount>,
    /// Device and inode of what each mount shows: another file may get its path later.
    mounted: Vec<Option<(u64, u64)>>,
    read_only: bool,
    opened: Instant,
    /// The box.
    pub sandbox: Box<dyn Sandbox>,
}

impl OpenBox {
    /// Reads the program's own files into memory, and opens a box that shows `program` and `more`. `read_only`: the
    /// work directory.
    pub fn open(
        mode: Mode,
        core: Option<usize>,
        program: &Program,
        more: &[Mount],
        read_only: bool,
        gauge: Option<MemoryGauge>,
    ) -> Result<Self, Fault> {
        if let Some(own) = program.mounts.first() {
            make_resident(&own.host);
        }
        let mounts: Vec<Mount> = program.mounts.iter().chain(more).cloned().collect();
        Ok(OpenBox {
            // Before it is mounted: if it is replaced meanwhile, the box only seems to be stale.
            mounted: mounts.iter().map(|mount| identity(&mount.host)).collect(),
            read_only,
            opened: Instant::now(),
            sandbox: judge_sandbox::open(&BoxSpec {
                mode,
                core,
                mounts: mounts.clone(),
                work_bytes: WORK_BYTES,
                work_read_only: read_only,
                gauge,
                ..BoxSpec::default()
            })?,
            mounts,
        })
    }

    /// Whether [`OpenBox::open`] with these arguments, the mode and the core opens such a box.
    pub fn is_for(&self, program: &Program, more: &[Mount], read_only: bool) -> bool {
        self.read_only == read_only && self.mounts.iter().eq(program.mounts.iter().chain(more))
    }

    /// Whether the box still shows the files that have the paths of its mounts now. A box that is old
    /// may show libraries or settings of the system that were replaced.
    pub fn is_current(&self) -> bool {
        let now = self.mounts.iter().map(|mount| identity(&mount.host));
        self.opened.elapsed() <= MAX_IDLE_TIME && now.eq(self.mounted.iter().copied())
    }
}

fn identity(path: &Path) -> Option<judge_os::Identity> {
    Some(judge_os::identity(&path.metadata().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::read_only;
    use judge_sandbox::Exit;
    use judge_sandbox::fake::{FakeSandbox, ended};
    use std::fs;

    #[test]
    fn a_box_is_current_until_its_mount_is_replaced_or_it_is_old() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("program");
        fs::write(&path, "first").unwrap();
        let program = Program::executable(&path);
        let mut open = OpenBox {
            mounts: vec![read_only(&path)],
            mounted: vec![identity(&path)],
            read_only: false,
            opened: Instant::now(),
            sandbox: Box::new(FakeSandbox::new(|_| Ok(ended(Exit::Code(0))))),
        };
        assert!(open.is_for(&program, &[], false) && open.is_current());
        assert!(!open.is_for(&program, &[], true));
        assert!(!open.is_for(&program, &[read_only(dir.path())], false));

        let second = dir.path().join("second");
        fs::write(&second, "second").unwrap();
        fs::rename(&second, &path).unwrap();
        assert!(open.is_for(&program, &[], false) && !open.is_current());
        open.mounted = vec![identity(&path)];
        assert!(open.is_current());
        fs::remove_file(&path).unwrap();
        assert!(!open.is_current());

        open.mounted = vec![None];
        assert!(open.is_current());
        if let Some(before) = open.opened.checked_sub(2 * MAX_IDLE_TIME) {
            open.opened = before;
            assert!(!open.is_current());
        }
    }
}
