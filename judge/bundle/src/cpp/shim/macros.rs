//! The printing macros.

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

/// Discards its arguments: judges do not show standard error, and the text would be larger than the
/// program.
macro_rules! eprint {
    ($($t:tt)*) => {
        if false {
            let _ = core::format_args!($($t)*);
        }
    };
}
pub(crate) use eprint;

macro_rules! eprintln {
    () => {};
    ($($t:tt)*) => { $crate::std::eprint!($($t)*) };
}
pub(crate) use eprintln;
