#![no_std]
#![no_main]

#[macro_use]
extern crate alloc;

#[macro_use]
#[allow(dead_code, unused_imports, unused_macros)]
mod std {
    pub use ::alloc::{borrow, boxed, collections, fmt, format, rc, slice, str, string, vec};
    pub use ::core::*;

    macro_rules! is_x86_feature_detected {
        ($name:tt) => {
            $crate::std::has_feature($name)
        };
    }
    pub(crate) use is_x86_feature_detected;

    pub mod arch {
        pub(crate) use super::is_x86_feature_detected;
        pub use core::arch::*;
    }

    pub mod sync {
        pub use ::alloc::sync::*;
        pub use core::sync::*;
    }

    pub mod prelude {
        pub mod v1 {
            pub use ::alloc::borrow::ToOwned;
            pub use ::alloc::boxed::Box;
            pub use ::alloc::string::{String, ToString};
            pub use ::alloc::vec::Vec;
        }
    }

    pub mod c {
        unsafe extern "C" {
            pub fn read(file: i32, to: *mut u8, size: usize) -> isize;
            pub fn write(file: i32, from: *const u8, size: usize) -> isize;
            pub fn malloc(size: usize) -> *mut u8;
            pub fn calloc(count: usize, size: usize) -> *mut u8;
            pub fn realloc(old: *mut u8, size: usize) -> *mut u8;
            pub fn posix_memalign(to: *mut *mut u8, align: usize, size: usize) -> i32;
            pub fn free(old: *mut u8);
            pub fn exit(code: i32) -> !;
        }
    }

    /// Memory from the C library.
    pub struct Memory;

    unsafe impl ::alloc::alloc::GlobalAlloc for Memory {
        unsafe fn alloc(&self, layout: core::alloc::Layout) -> *mut u8 {
            if layout.align() <= 16 {
                return unsafe { c::malloc(layout.size()) };
            }
            let mut found = core::ptr::null_mut();
            match unsafe { c::posix_memalign(&mut found, layout.align(), layout.size()) } {
                0 => found,
                _ => core::ptr::null_mut(),
            }
        }

        unsafe fn alloc_zeroed(&self, layout: core::alloc::Layout) -> *mut u8 {
            if layout.align() <= 16 {
                return unsafe { c::calloc(layout.size(), 1) };
            }
            let found = unsafe { self.alloc(layout) };
            if !found.is_null() {
                unsafe { core::ptr::write_bytes(found, 0, layout.size()) };
            }
            found
        }

        unsafe fn dealloc(&self, old: *mut u8, _: core::alloc::Layout) {
            unsafe { c::free(old) }
        }

        unsafe fn realloc(&self, old: *mut u8, layout: core::alloc::Layout, size: usize) -> *mut u8 {
            if layout.align() <= 16 {
                return unsafe { c::realloc(old, size) };
            }
            let new = core::alloc::Layout::from_size_align(size, layout.align());
            let new = unsafe { self.alloc(new.unwrap()) };
            if !new.is_null() {
                let common = if size < layout.size() { size } else { layout.size() };
                unsafe { core::ptr::copy_nonoverlapping(old, new, common) };
                unsafe { c::free(old) };
            }
            new
        }
    }

    #[global_allocator]
    static MEMORY: Memory = Memory;

    #[panic_handler]
    fn panicked(_: &core::panic::PanicInfo) -> ! {
        process::exit(101)
    }

    pub mod process {
        use super::prelude::v1::*;

        pub fn exit(code: i32) -> ! {
            super::io::flush_output();
            unsafe { super::c::exit(code) }
        }

        pub fn abort() -> ! {
            exit(134)
        }

        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct ExitCode(u8);

        impl ExitCode {
            pub const SUCCESS: ExitCode = ExitCode(0);
            pub const FAILURE: ExitCode = ExitCode(1);
        }

        impl From<u8> for ExitCode {
            fn from(code: u8) -> Self {
                ExitCode(code)
            }
        }

        pub trait Termination {
            fn report(self) -> ExitCode;
        }

        impl Termination for () {
            fn report(self) -> ExitCode {
                ExitCode::SUCCESS
            }
        }

        impl Termination for ExitCode {
            fn report(self) -> ExitCode {
                self
            }
        }

        impl<T: Termination, E: core::fmt::Debug> Termination for Result<T, E> {
            fn report(self) -> ExitCode {
                match self {
                    Ok(value) => value.report(),
                    Err(error) => {
                        crate::std::eprintln!("Error: {error:?}");
                        ExitCode::FAILURE
                    }
                }
            }
        }

        pub fn finish(code: ExitCode) -> i32 {
            super::io::flush_output();
            code.0 as i32
        }
    }

    pub mod io {
        use super::c;
        use super::prelude::v1::*;
        use core::fmt;

        pub mod prelude {
            pub use super::{BufRead, Read, Write};
        }

        pub type Result<T> = core::result::Result<T, Error>;

        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum ErrorKind {
            NotFound,
            BrokenPipe,
            InvalidInput,
            InvalidData,
            WriteZero,
            Interrupted,
            UnexpectedEof,
            Other,
        }

        pub struct Error {
            kind: ErrorKind,
            inner: Option<Box<dyn core::error::Error + Send + Sync>>,
        }

        impl Error {
            pub fn new<E: Into<Box<dyn core::error::Error + Send + Sync>>>(
                kind: ErrorKind,
                error: E,
            ) -> Self {
                let inner = Some(error.into());
                Error { kind, inner }
            }

            pub fn other<E: Into<Box<dyn core::error::Error + Send + Sync>>>(error: E) -> Self {
                Error::new(ErrorKind::Other, error)
            }

            pub fn kind(&self) -> ErrorKind {
                self.kind
            }
        }

        impl From<ErrorKind> for Error {
            fn from(kind: ErrorKind) -> Self {
                Error { kind, inner: None }
            }
        }

        impl fmt::Display for Error {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match &self.inner {
                    Some(inner) => fmt::Display::fmt(inner, f),
                    None => f.write_str("input or output failed"),
                }
            }
        }

        impl fmt::Debug for Error {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }

        impl core::error::Error for Error {}

        pub trait Read {
            fn read(&mut self, to: &mut [u8]) -> Result<usize>;

            fn read_to_end(&mut self, to: &mut Vec<u8>) -> Result<usize> {
                let before = to.len();
                loop {
                    let at = to.len();
                    to.resize(at + core::cmp::max(8192, at), 0);
                    let read = self.read(&mut to[at..]);
                    to.truncate(at + *read.as_ref().unwrap_or(&0));
                    if read? == 0 {
                        return Ok(to.len() - before);
                    }
                }
            }

            fn read_to_string(&mut self, to: &mut String) -> Result<usize> {
                let mut bytes = Vec::new();
                self.read_to_end(&mut bytes)?;
                append(bytes, to)
            }

            fn read_exact(&mut self, mut to: &mut [u8]) -> Result<()> {
                while !to.is_empty() {
                    match self.read(to)? {
                        0 => return Err(ErrorKind::UnexpectedEof.into()),
                        read => to = &mut to[read..],
                    }
                }
                Ok(())
            }

            fn by_ref(&mut self) -> &mut Self
            where
                Self: Sized,
            {
                self
            }
        }

        fn append(bytes: Vec<u8>, to: &mut String) -> Result<usize> {
            match String::from_utf8(bytes) {
                Ok(text) => {
                    to.push_str(&text);
                    Ok(text.len())
                }
                Err(_) => Err(ErrorKind::InvalidData.into()),
            }
        }

        pub fn read_to_string<R: Read>(mut reader: R) -> Result<String> {
            let mut text = String::new();
            reader.read_to_string(&mut text)?;
            Ok(text)
        }

        pub trait BufRead: Read {
            fn fill_buf(&mut self) -> Result<&[u8]>;
            fn consume(&mut self, amount: usize);

            fn read_until(&mut self, end: u8, to: &mut Vec<u8>) -> Result<usize> {
                let mut total = 0;
                loop {
                    let (done, used) = {
                        let buffer = self.fill_buf()?;
                        match buffer.iter().position(|&byte| byte == end) {
                            Some(at) => {
                                to.extend_from_slice(&buffer[..=at]);
                                (true, at + 1)
                            }
                            None => {
                                to.extend_from_slice(buffer);
                                (buffer.is_empty(), buffer.len())
                            }
                        }
                    };
                    self.consume(used);
                    total += used;
                    if done {
                        return Ok(total);
                    }
                }
            }

            fn read_line(&mut self, to: &mut String) -> Result<usize> {
                let mut bytes = Vec::new();
                self.read_until(b'\n', &mut bytes)?;
                append(bytes, to)
            }

            fn lines(self) -> Lines<Self>
            where
                Self: Sized,
            {
                Lines(self)
            }
        }

        pub struct Lines<B>(B);

        impl<B: BufRead> Iterator for Lines<B> {
            type Item = Result<String>;

            fn next(&mut self) -> Option<Result<String>> {
                let mut line = String::new();
                match self.0.read_line(&mut line) {
                    Ok(0) => None,
                    Ok(_) => {
                        if line.ends_with('\n') {
                            line.pop();
                            if line.ends_with('\r') {
                                line.pop();
                            }
                        }
                        Some(Ok(line))
                    }
                    Err(error) => Some(Err(error)),
                }
            }
        }

        pub trait Write {
            fn write(&mut self, from: &[u8]) -> Result<usize>;
            fn flush(&mut self) -> Result<()>;

            fn write_all(&mut self, mut from: &[u8]) -> Result<()> {
                while !from.is_empty() {
                    match self.write(from)? {
                        0 => return Err(ErrorKind::WriteZero.into()),
                        written => from = &from[written..],
                    }
                }
                Ok(())
            }

            fn write_fmt(&mut self, arguments: fmt::Arguments<'_>) -> Result<()> {
                let mut adapter = Adapter(self, None);
                match fmt::write(&mut adapter, arguments) {
                    Ok(()) => Ok(()),
                    Err(_) => Err(adapter.1.unwrap_or(ErrorKind::Other.into())),
                }
            }

            fn by_ref(&mut self) -> &mut Self
            where
                Self: Sized,
            {
                self
            }
        }

        struct Adapter<'a, W: ?Sized>(&'a mut W, Option<Error>);

        impl<W: Write + ?Sized> fmt::Write for Adapter<'_, W> {
            fn write_str(&mut self, text: &str) -> fmt::Result {
                self.0.write_all(text.as_bytes()).map_err(|error| {
                    self.1 = Some(error);
                    fmt::Error
                })
            }
        }

        impl<R: Read + ?Sized> Read for &mut R {
            fn read(&mut self, to: &mut [u8]) -> Result<usize> {
                (**self).read(to)
            }
        }

        impl<R: BufRead + ?Sized> BufRead for &mut R {
            fn fill_buf(&mut self) -> Result<&[u8]> {
                (**self).fill_buf()
            }

            fn consume(&mut self, amount: usize) {
                (**self).consume(amount)
            }
        }

        impl Read for &[u8] {
            fn read(&mut self, to: &mut [u8]) -> Result<usize> {
                let size = core::cmp::min(to.len(), self.len());
                to[..size].copy_from_slice(&self[..size]);
                *self = &self[size..];
                Ok(size)
            }
        }

        impl<W: Write + ?Sized> Write for &mut W {
            fn write(&mut self, from: &[u8]) -> Result<usize> {
                (**self).write(from)
            }

            fn flush(&mut self) -> Result<()> {
                (**self).flush()
            }
        }

        impl<W: Write + ?Sized> Write for Box<W> {
            fn write(&mut self, from: &[u8]) -> Result<usize> {
                (**self).write(from)
            }

            fn flush(&mut self) -> Result<()> {
                (**self).flush()
            }
        }

        impl Write for Vec<u8> {
            fn write(&mut self, from: &[u8]) -> Result<usize> {
                self.extend_from_slice(from);
                Ok(from.len())
            }

            fn flush(&mut self) -> Result<()> {
                Ok(())
            }
        }

        const SIZE: usize = 1 << 16;

        /// The buffers of standard input and output; the program has one thread.
        struct Buffers {
            input: [u8; SIZE],
            start: usize,
            end: usize,
            output: [u8; SIZE],
            filled: usize,
        }

        static mut BUFFERS: Buffers = Buffers {
            input: [0; SIZE],
            start: 0,
            end: 0,
            output: [0; SIZE],
            filled: 0,
        };

        fn buffers() -> &'static mut Buffers {
            unsafe { &mut *core::ptr::addr_of_mut!(BUFFERS) }
        }

        fn read_file(to: &mut [u8]) -> Result<usize> {
            match unsafe { c::read(0, to.as_mut_ptr(), to.len()) } {
                read if read < 0 => Err(ErrorKind::Other.into()),
                read => Ok(read as usize),
            }
        }

        fn write_file(file: i32, mut from: &[u8]) -> Result<()> {
            while !from.is_empty() {
                match unsafe { c::write(file, from.as_ptr(), from.len()) } {
                    written if written <= 0 => return Err(ErrorKind::BrokenPipe.into()),
                    written => from = &from[written as usize..],
                }
            }
            Ok(())
        }

        pub fn flush_output() {
            let _ = Stdout.flush();
        }

        #[derive(Clone, Copy)]
        pub struct Stdin;
        pub type StdinLock<'a> = Stdin;
        #[derive(Clone, Copy)]
        pub struct Stdout;
        pub type StdoutLock<'a> = Stdout;
        #[derive(Clone, Copy)]
        pub struct Stderr;
        pub type StderrLock<'a> = Stderr;

        pub fn stdin() -> Stdin {
            Stdin
        }

        pub fn stdout() -> Stdout {
            Stdout
        }

        pub fn stderr() -> Stderr {
            Stderr
        }

        impl Stdin {
            pub fn lock(&self) -> Stdin {
                Stdin
            }

            pub fn lines(self) -> Lines<Stdin> {
                BufRead::lines(self)
            }

            pub fn read_line(&self, to: &mut String) -> Result<usize> {
                BufRead::read_line(&mut Stdin, to)
            }
        }

        impl Read for Stdin {
            fn read(&mut self, to: &mut [u8]) -> Result<usize> {
                let all = buffers();
                if all.start == all.end && to.len() >= SIZE / 8 {
                    return read_file(to);
                }
                let mut from = self.fill_buf()?;
                let read = from.read(to)?;
                self.consume(read);
                Ok(read)
            }
        }

        impl BufRead for Stdin {
            fn fill_buf(&mut self) -> Result<&[u8]> {
                let all = buffers();
                if all.start == all.end {
                    all.start = 0;
                    all.end = 0;
                    all.end = read_file(&mut all.input)?;
                }
                Ok(&all.input[all.start..all.end])
            }

            fn consume(&mut self, amount: usize) {
                buffers().start += amount;
            }
        }

        impl Stdout {
            pub fn lock(&self) -> Stdout {
                Stdout
            }
        }

        impl Write for Stdout {
            fn write(&mut self, from: &[u8]) -> Result<usize> {
                let all = buffers();
                if from.len() > SIZE - all.filled {
                    self.flush()?;
                }
                if from.len() >= SIZE / 4 {
                    self.flush()?;
                    write_file(1, from)?;
                } else {
                    all.output[all.filled..all.filled + from.len()].copy_from_slice(from);
                    all.filled += from.len();
                }
                Ok(from.len())
            }

            fn flush(&mut self) -> Result<()> {
                let all = buffers();
                let filled = core::mem::replace(&mut all.filled, 0);
                write_file(1, &all.output[..filled])
            }
        }

        impl Stderr {
            pub fn lock(&self) -> Stderr {
                Stderr
            }
        }

        impl Write for Stderr {
            fn write(&mut self, from: &[u8]) -> Result<usize> {
                write_file(2, from)?;
                Ok(from.len())
            }

            fn flush(&mut self) -> Result<()> {
                Ok(())
            }
        }

        /// Standard input has a buffer already.
        pub struct BufReader<R> {
            inner: R,
            buffer: Vec<u8>,
            start: usize,
        }

        impl<R: Read> BufReader<R> {
            pub fn new(inner: R) -> Self {
                BufReader { inner, buffer: Vec::new(), start: 0 }
            }

            pub fn with_capacity(_: usize, inner: R) -> Self {
                BufReader::new(inner)
            }
        }

        impl<R: Read> Read for BufReader<R> {
            fn read(&mut self, to: &mut [u8]) -> Result<usize> {
                let mut from = self.fill_buf()?;
                let read = from.read(to)?;
                self.consume(read);
                Ok(read)
            }
        }

        impl<R: Read> BufRead for BufReader<R> {
            fn fill_buf(&mut self) -> Result<&[u8]> {
                if self.start == self.buffer.len() {
                    self.buffer.resize(SIZE, 0);
                    let read = self.inner.read(&mut self.buffer);
                    self.buffer.truncate(*read.as_ref().unwrap_or(&0));
                    self.start = 0;
                    read?;
                }
                Ok(&self.buffer[self.start..])
            }

            fn consume(&mut self, amount: usize) {
                self.start += amount;
            }
        }

        pub struct BufWriter<W: Write> {
            inner: W,
            buffer: Vec<u8>,
        }

        impl<W: Write> BufWriter<W> {
            pub fn new(inner: W) -> Self {
                BufWriter { inner, buffer: Vec::new() }
            }

            pub fn with_capacity(_: usize, inner: W) -> Self {
                BufWriter::new(inner)
            }
        }

        impl<W: Write> Write for BufWriter<W> {
            fn write(&mut self, from: &[u8]) -> Result<usize> {
                self.buffer.extend_from_slice(from);
                if self.buffer.len() >= SIZE {
                    self.inner.write_all(&self.buffer)?;
                    self.buffer.clear();
                }
                Ok(from.len())
            }

            fn flush(&mut self) -> Result<()> {
                self.inner.write_all(&self.buffer)?;
                self.buffer.clear();
                self.inner.flush()
            }
        }

        impl<W: Write> Drop for BufWriter<W> {
            fn drop(&mut self) {
                let _ = self.flush();
            }
        }
    }

    /// Whether the processor, and the system, have a feature.
    pub fn has_feature(name: &str) -> bool {
        use core::arch::x86_64::{__cpuid, __cpuid_count};
        let (one, seven) = unsafe { (__cpuid(1), __cpuid_count(7, 0)) };
        let system_saves_wide_registers = one.ecx >> 27 & 1 == 1 && {
            let low: u32;
            unsafe {
                core::arch::asm!("xgetbv", in("ecx") 0, out("eax") low, out("edx") _);
            }
            low & 6 == 6
        };
        match name {
            "sse3" => one.ecx & 1 == 1,
            "ssse3" => one.ecx >> 9 & 1 == 1,
            "sse4.1" => one.ecx >> 19 & 1 == 1,
            "sse4.2" => one.ecx >> 20 & 1 == 1,
            "popcnt" => one.ecx >> 23 & 1 == 1,
            "bmi1" => seven.ebx >> 3 & 1 == 1,
            "bmi2" => seven.ebx >> 8 & 1 == 1,
            "avx" => system_saves_wide_registers && one.ecx >> 28 & 1 == 1,
            "avx2" => system_saves_wide_registers && seven.ebx >> 5 & 1 == 1,
            _ => false,
        }
    }

    macro_rules! print {
        ($($t:tt)*) => {{
            let _ = $crate::std::io::Write::write_fmt(
                &mut $crate::std::io::Stdout, core::format_args!($($t)*));
        }};
    }
    pub(crate) use print;

    macro_rules! println {
        () => { $crate::std::print!("\n") };
        ($($t:tt)*) => {{
            $crate::std::print!($($t)*);
            $crate::std::print!("\n");
        }};
    }
    pub(crate) use println;

    macro_rules! eprint {
        ($($t:tt)*) => {{
            let _ = $crate::std::io::Write::write_fmt(
                &mut $crate::std::io::Stderr, core::format_args!($($t)*));
        }};
    }
    pub(crate) use eprint;

    macro_rules! eprintln {
        () => { $crate::std::eprint!("\n") };
        ($($t:tt)*) => {{
            $crate::std::eprint!($($t)*);
            $crate::std::eprint!("\n");
        }};
    }
    pub(crate) use eprintln;
}

#[unsafe(no_mangle)]
pub extern "C" fn rust_main() -> i32 {
    std::process::finish(std::process::Termination::report(main()))
}
