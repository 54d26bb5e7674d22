//! The process tree of a run on Windows: a job object, which limits memory and processes, counts the
//! CPU time of all of them, and kills them when its last handle is closed: also if the judge dies.
#![allow(unsafe_code)]

use std::ffi::{OsString, c_void};
use std::io;
use std::mem::size_of;
use std::os::windows::ffi::OsStrExt;
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
use std::os::windows::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use windows_sys::Win32::Foundation::{
    ERROR_ACCESS_DENIED, ERROR_BAD_EXE_FORMAT, ERROR_FILE_NOT_FOUND, ERROR_FILENAME_EXCED_RANGE,
    ERROR_PATH_NOT_FOUND, FILETIME, HANDLE, INVALID_HANDLE_VALUE, WAIT_FAILED, WAIT_OBJECT_0,
};
use windows_sys::Win32::System::Diagnostics::ToolHelp::{
    CreateToolhelp32Snapshot, TH32CS_SNAPTHREAD, THREADENTRY32, Thread32First, Thread32Next,
};
use windows_sys::Win32::System::IO::{
    CreateIoCompletionPort, GetQueuedCompletionStatus, OVERLAPPED,
};
use windows_sys::Win32::System::JobObjects::{
    AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_ACTIVE_PROCESS,
    JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION, JOB_OBJECT_LIMIT_JOB_MEMORY,
    JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE, JOBOBJECT_ASSOCIATE_COMPLETION_PORT,
    JOBOBJECT_BASIC_ACCOUNTING_INFORMATION, JOBOBJECT_EXTENDED_LIMIT_INFORMATION,
    JOBOBJECTINFOCLASS, JobObjectAssociateCompletionPortInformation,
    JobObjectBasicAccountingInformation, JobObjectExtendedLimitInformation,
    QueryInformationJobObject, SetInformationJobObject, TerminateJobObject,
};
use windows_sys::Win32::System::ProcessStatus::{K32GetProcessMemoryInfo, PROCESS_MEMORY_COUNTERS};
use windows_sys::Win32::System::SystemServices::JOB_OBJECT_MSG_JOB_MEMORY_LIMIT;
use windows_sys::Win32::System::Threading::{
    CREATE_NO_WINDOW, CREATE_SUSPENDED, GetSystemTimes, GetThreadTimes, OpenThread, ResumeThread,
    SetProcessAffinityMask, THREAD_QUERY_LIMITED_INFORMATION, THREAD_SUSPEND_RESUME,
    WaitForSingleObject,
};

use super::launch::{Ended, Launch, NotStarted, Sample, Status};
use super::run_delay::RunDelay;
use crate::api::Measured;
use crate::numbers::signal::{SIGABRT, SIGFPE, SIGILL, SIGSEGV};

/// How memory is measured.
pub const MEMORY: &str = "committed memory of the job object, which limits it: as much counts as the program reserves for \
                          use, also if it never touches it";
/// How CPU time is measured.
pub const CPU_TIME: &str =
    "of the job object: all processes, in steps of the system's clock (about 16 ms)";
/// How the number of processes is limited.
pub const PROCESSES: &str = "limited by the job object";

/// Whether [`Sample::delay`] counts only time in which the program was ready to run. The system says only
/// whether cores were idle, so the time in which the program slept counts, too.
pub const KNOWS_DELAY: bool = false;

/// The exit code of a tree that [`Tree::kill`] killed; no error of Windows has it.
const KILLED: u32 = 0xE0_4A_44_47;
/// Memory beyond the limit that the system grants, so that the figure of a program that exceeds it
/// shows that.
const MEMORY_SLACK: u64 = 16 << 20;

/// How to isolate programs.
pub fn isolation_remedy() -> Option<String> {
    Some("judge in WSL 2, whose Linux has the full sandbox".into())
}

/// The variables that every program has: those without which the system's libraries do not start,
/// and the directories of the programs.
pub fn environment(work: &Path) -> Vec<(OsString, OsString)> {
    let kept = [
        "PATH",
        "PATHEXT",
        "SystemRoot",
        "SystemDrive",
        "windir",
        "ComSpec",
        "ProgramFiles",
        "ProgramData",
        "NUMBER_OF_PROCESSORS",
        "PROCESSOR_ARCHITECTURE",
    ];
    let kept = kept
        .into_iter()
        .filter_map(|name| Some((name.into(), std::env::var_os(name)?)));
    let of_work = [
        "HOME",
        "USERPROFILE",
        "APPDATA",
        "LOCALAPPDATA",
        "TEMP",
        "TMP",
        "TMPDIR",
    ];
    let of_work = of_work.into_iter().map(|name| (name.into(), work.into()));
    let judge = ("ONLINE_JUDGE".into(), "1".into());
    kept.chain(of_work).chain([judge]).collect()
}

const NO_TIME: FILETIME = FILETIME {
    dwLowDateTime: 0,
    dwHighDateTime: 0,
};

/// A time in the system's units of 100 ns.
fn of_ticks(ticks: u64) -> Duration {
    Duration::from_nanos(ticks.saturating_mul(100))
}

fn duration(time: FILETIME) -> Duration {
    of_ticks(u64::from(time.dwHighDateTime) << 32 | u64::from(time.dwLowDateTime))
}

/// The time for which cores were idle, summed over all of them.
fn idle_time() -> Option<Duration> {
    let mut idle = NO_TIME;
    let unwanted = std::ptr::null_mut();
    // SAFETY: the time is writable; null leaves out the other two.
    let known = unsafe { GetSystemTimes(&mut idle, unwanted, unwanted) };
    (known != 0).then(|| duration(idle))
}

/// Nothing: a job object ends with the judge.
pub struct Guardian;

impl Guardian {
    pub fn new(_work: &Path) -> io::Result<Self> {
        Ok(Guardian)
    }
}

/// A job object with its completion port.
struct Job {
    job: OwnedHandle,
    port: OwnedHandle,
}

/// The result of a call that returns 0 on failure.
fn check(result: i32) -> io::Result<()> {
    match result {
        0 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

/// Takes ownership of a new handle.
///
/// # Safety
///
/// The caller must own the handle, if it is valid.
unsafe fn owned(handle: HANDLE) -> io::Result<OwnedHandle> {
    if handle.is_null() || handle == INVALID_HANDLE_VALUE {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the caller owns this valid handle.
    Ok(unsafe { OwnedHandle::from_raw_handle(handle) })
}

impl Job {
    fn new(launch: &Launch<'_>) -> io::Result<Self> {
        // SAFETY: no attributes, no name; the results are new handles.
        let job = unsafe { owned(CreateJobObjectW(std::ptr::null(), std::ptr::null())) }?;
        // SAFETY: as above.
        let port = unsafe {
            owned(CreateIoCompletionPort(
                INVALID_HANDLE_VALUE,
                std::ptr::null_mut(),
                0,
                1,
            ))
        }?;
        let job = Job { job, port };
        let messages = JOBOBJECT_ASSOCIATE_COMPLETION_PORT {
            CompletionKey: std::ptr::null_mut(),
            CompletionPort: job.port.as_raw_handle(),
        };
        job.set(JobObjectAssociateCompletionPortInformation, &messages)?;
        // SAFETY: all zeroes is valid.
        let mut limits: JOBOBJECT_EXTENDED_LIMIT_INFORMATION = unsafe { std::mem::zeroed() };
        let basic = &mut limits.BasicLimitInformation;
        basic.LimitFlags =
            JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION;
        if let Some(processes) = launch.limits.processes {
            basic.LimitFlags |= JOB_OBJECT_LIMIT_ACTIVE_PROCESS;
            basic.ActiveProcessLimit = processes;
        }
        if let Some(memory) = launch.limits.memory {
            basic.LimitFlags |= JOB_OBJECT_LIMIT_JOB_MEMORY;
            let most = memory.saturating_add(MEMORY_SLACK);
            limits.JobMemoryLimit = usize::try_from(most).unwrap_or(usize::MAX);
        }
        job.set(JobObjectExtendedLimitInformation, &limits)?;
        Ok(job)
    }

    fn set<T>(&self, class: JOBOBJECTINFOCLASS, value: &T) -> io::Result<()> {
        let value: *const c_void = (&raw const *value).cast();
        let size = size_of::<T>() as u32;
        // SAFETY: the value has the type of the class and this size.
        check(unsafe { SetInformationJobObject(self.job.as_raw_handle(), class, value, size) })
    }

    /// A value whose fields are numbers.
    ///
    /// # Safety
    ///
    /// `T` must be the type of the class; all zeroes must be valid.
    unsafe fn query<T>(&self, class: JOBOBJECTINFOCLASS) -> io::Result<T> {
        // SAFETY: the caller guarantees it.
        let mut value: T = unsafe { std::mem::zeroed() };
        let (place, size) = ((&raw mut value).cast(), size_of::<T>() as u32);
        let length = std::ptr::null_mut();
        // SAFETY: the value has the type of the class and this size.
        check(unsafe {
            QueryInformationJobObject(self.job.as_raw_handle(), class, place, size, length)
        })?;
        Ok(value)
    }

    fn accounting(&self) -> io::Result<JOBOBJECT_BASIC_ACCOUNTING_INFORMATION> {
        // SAFETY: the type of the class.
        unsafe { self.query(JobObjectBasicAccountingInformation) }
    }

    /// The largest amount of memory that was committed at once.
    fn peak(&self) -> io::Result<u64> {
        // SAFETY: the type of the class.
        let limits: JOBOBJECT_EXTENDED_LIMIT_INFORMATION =
            unsafe { self.query(JobObjectExtendedLimitInformation) }?;
        Ok(limits.PeakJobMemoryUsed as u64)
    }

    /// Whether a message says that the system refused memory.
    fn ran_out_of_memory(&self) -> bool {
        loop {
            let (mut message, mut key) = (0_u32, 0_usize);
            let mut about: *mut OVERLAPPED = std::ptr::null_mut();
            let port = self.port.as_raw_handle();
            // SAFETY: all three are writable; the call does not wait.
            let received =
                unsafe { GetQueuedCompletionStatus(port, &mut message, &mut key, &mut about, 0) };
            match received {
                0 => return false,
                _ if message == JOB_OBJECT_MSG_JOB_MEMORY_LIMIT => return true,
                _ => {}
            }
        }
    }
}

/// A running program and its processes.
pub struct Tree {
    main: Child,
    main_thread: OwnedHandle,
    job: Job,
    peak: u64,
    delay: RunDelay,
}

impl Tree {
    /// Starts a program in a job object of its own.
    pub fn start(launch: &Launch<'_>, _: &mut Guardian) -> Result<Self, NotStarted> {
        let has_nul = |text: &std::ffi::OsStr| text.encode_wide().any(|unit| unit == 0);
        if launch.args.iter().any(|arg| has_nul(arg)) {
            return Err(NotStarted::Refused(libc::EINVAL));
        }
        let job = Job::new(launch).map_err(NotStarted::Failed)?;
        let mut command = Command::new(launch.program);
        command.args(launch.args).current_dir(launch.directory);
        command.env_clear().envs(launch.env.iter().copied());
        let [stdin, stdout, stderr] = launch.streams.map(|stream| stream.try_clone_to_owned());
        command.stdin(Stdio::from(stdin.map_err(NotStarted::Failed)?));
        command.stdout(Stdio::from(stdout.map_err(NotStarted::Failed)?));
        command.stderr(Stdio::from(stderr.map_err(NotStarted::Failed)?));
        // Suspended, so that none of its processes starts outside the job.
        command.creation_flags(CREATE_SUSPENDED | CREATE_NO_WINDOW);
        let mut main = command.spawn().map_err(not_started)?;
        let in_job = || -> io::Result<OwnedHandle> {
            // SAFETY: both handles are open.
            check(unsafe {
                AssignProcessToJobObject(job.job.as_raw_handle(), main.as_raw_handle())
            })?;
            if let Some(core) = launch.core.filter(|core| *core < usize::BITS as usize) {
                // SAFETY: the handle is open. Best effort.
                unsafe { SetProcessAffinityMask(main.as_raw_handle(), 1 << core) };
            }
            resume(main.id())
        };
        match in_job() {
            Ok(main_thread) => Ok(Tree {
                main,
                main_thread,
                job,
                peak: 0,
                delay: RunDelay::new(Instant::now(), idle_time().unwrap_or_default()),
            }),
            Err(e) => {
                let _ = main.kill();
                let _ = main.wait();
                Err(NotStarted::Failed(e))
            }
        }
    }

    /// Waits for the end of the main process. Returns whether it has ended.
    pub fn wait(&mut self, timeout: Duration) -> io::Result<bool> {
        let millis = timeout.as_micros().div_ceil(1000).min(1 << 20) as u32;
        // SAFETY: the handle is open.
        match unsafe { WaitForSingleObject(self.main.as_raw_handle(), millis) } {
            WAIT_OBJECT_0 => Ok(true),
            WAIT_FAILED => Err(io::Error::last_os_error()),
            _ => Ok(false),
        }
    }

    /// The CPU time of the tree: of the job, or of the main thread, whichever is larger. Wine counts
    /// only that of threads: for another process it returns the time of the caller.
    fn cpu(&self) -> Duration {
        let of_job = self.job.accounting().map_or(0, |sums| {
            let ticks = sums.TotalUserTime + sums.TotalKernelTime;
            u64::try_from(ticks).unwrap_or(0)
        });
        let [mut created, mut ended, mut kernel, mut user] = [NO_TIME; 4];
        let thread = self.main_thread.as_raw_handle();
        // SAFETY: the handle is open, the times are writable.
        let known =
            unsafe { GetThreadTimes(thread, &mut created, &mut ended, &mut kernel, &mut user) };
        let of_thread = match known {
            0 => Duration::ZERO,
            _ => duration(kernel) + duration(user),
        };
        of_ticks(of_job).max(of_thread)
    }

    /// The memory of the main process: now, and its peak.
    fn main_memory(&self) -> (u64, u64) {
        // SAFETY: all zeroes is valid.
        let mut counters: PROCESS_MEMORY_COUNTERS = unsafe { std::mem::zeroed() };
        let size = size_of::<PROCESS_MEMORY_COUNTERS>() as u32;
        // SAFETY: the handle is open; the counters have this size.
        let known =
            unsafe { K32GetProcessMemoryInfo(self.main.as_raw_handle(), &mut counters, size) };
        match known {
            0 => (0, 0),
            _ => (
                counters.PagefileUsage as u64,
                counters.PeakPagefileUsage as u64,
            ),
        }
    }

    /// Measures the tree.
    pub fn sample(&mut self, _is_late: bool) -> Sample {
        let (now, peak) = self.main_memory();
        self.peak = self.peak.max(peak).max(self.job.peak().unwrap_or(0));
        let cpu = self.cpu();
        let delay = idle_time().map(|idle| self.delay.sample(Instant::now(), idle, cpu));
        Sample {
            cpu,
            memory: now,
            processes: 0,
            delay: delay.unwrap_or_default(),
        }
    }

    /// Whether no process of the tree is ready to run, as far as the system says.
    pub fn sleeps(&self) -> bool {
        true
    }

    /// Kills all processes.
    pub fn kill(&mut self) {
        // SAFETY: the handle is open.
        unsafe { TerminateJobObject(self.job.job.as_raw_handle(), KILLED) };
    }

    /// Kills what is left of the tree after the end of the main process, and returns its figures.
    pub fn end(mut self, _: &mut Guardian) -> io::Result<Ended> {
        self.kill();
        self.sample(false);
        let code = self.main.wait()?.code().unwrap_or(0) as u32;
        Ok(Ended {
            status: status(code),
            cpu: Measured {
                value: self.cpu(),
                by: "job",
            },
            memory: Measured {
                value: self.peak,
                by: "job",
            },
            out_of_memory: self.job.ran_out_of_memory(),
        })
    }
}

/// Resumes the only thread of a process that was started suspended; returns the thread.
fn resume(process: u32) -> io::Result<OwnedHandle> {
    // SAFETY: no pointers; the result is a new handle.
    let threads = unsafe { owned(CreateToolhelp32Snapshot(TH32CS_SNAPTHREAD, 0)) }?;
    // SAFETY: all zeroes is valid.
    let mut entry: THREADENTRY32 = unsafe { std::mem::zeroed() };
    entry.dwSize = size_of::<THREADENTRY32>() as u32;
    // SAFETY: the entry states its size.
    let mut found = unsafe { Thread32First(threads.as_raw_handle(), &mut entry) };
    while found != 0 {
        if entry.th32OwnerProcessID == process {
            let access = THREAD_SUSPEND_RESUME | THREAD_QUERY_LIMITED_INFORMATION;
            // SAFETY: no pointers; the result is a new handle.
            let thread = unsafe { owned(OpenThread(access, 0, entry.th32ThreadID)) }?;
            // SAFETY: the handle is open.
            return match unsafe { ResumeThread(thread.as_raw_handle()) } {
                u32::MAX => Err(io::Error::last_os_error()),
                _ => Ok(thread),
            };
        }
        // SAFETY: as above.
        found = unsafe { Thread32Next(threads.as_raw_handle(), &mut entry) };
    }
    Err(io::ErrorKind::NotFound.into())
}

/// Whether the file or its arguments are why a program was not started.
fn not_started(error: io::Error) -> NotStarted {
    match error.raw_os_error().map(|code| code as u32) {
        Some(ERROR_FILE_NOT_FOUND | ERROR_PATH_NOT_FOUND) => NotStarted::Refused(libc::ENOENT),
        Some(ERROR_ACCESS_DENIED) => NotStarted::Refused(libc::EACCES),
        Some(ERROR_BAD_EXE_FORMAT) => NotStarted::Refused(libc::ENOEXEC),
        Some(ERROR_FILENAME_EXCED_RANGE) => NotStarted::Refused(libc::E2BIG),
        _ => NotStarted::Failed(error),
    }
}

/// How a process ended, by its exit code: an unhandled exception is the signal that Linux sends for
/// the same error.
fn status(code: u32) -> Status {
    match code {
        KILLED => Status::Killed,
        // An invalid access, or a stack overflow.
        0xC000_0005 | 0xC000_00FD => Status::Signal(SIGSEGV),
        // A division by zero, or an overflow in one.
        0xC000_0094 | 0xC000_0095 => Status::Signal(SIGFPE),
        0xC000_001D => Status::Signal(SIGILL),
        // `__fastfail`, with which the C runtime aborts, or a damaged heap.
        0xC000_0409 | 0xC000_0374 => Status::Signal(SIGABRT),
        code => Status::Code(code as i32),
    }
}
