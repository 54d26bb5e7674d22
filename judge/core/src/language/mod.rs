//! Languages: from a source file to a program that can be run.
//!
//! [`Languages`] describes how each language is built and run (`languages.toml`, overridden by the
//! user's own file); a [`Toolchain`] compiles in boxes and caches the programs:
//!
//! ```no_run
//! use judge_core::language::{Prepared, Languages, Request, Toolchain};
//! # let package: judge_package::Package = unimplemented!();
//! # let path = std::path::Path::new("x.cpp");
//! let toolchain = Toolchain::new(Languages::load(None)?, judge_sandbox::Mode::Auto)?;
//! match toolchain.build(&Request::submission(&package, path))? {
//!     Prepared::Ready(program) => println!("{} {:?}", program.executable.display(), program.args),
//!     Prepared::CompileError(message) => println!("CE: {message}"),
//!     Prepared::Failed(message) => println!("try again: {message}"),
//!     Prepared::Skipped(missing) => println!("skipped: {missing}"),
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod build;
mod cache;
mod compile;
mod config;
mod debug;
mod detect;
mod java;
mod languages;
mod missing_files_hint;
mod plan;
mod planned;
mod precompiled;
mod preprocessor;
mod program;
mod python2;
mod request;
mod source;
mod standards;
mod toolchain;
mod tools;

pub use cache::{Cache, Cleared};
pub use config::{Entry, Language, Profile, Role};
pub use debug::DebugBuild;
pub use detect::is_source;
pub use languages::Languages;
pub use missing_files_hint::with_help;
pub use precompiled::Precompilation;
pub use preprocessor::PreprocessorOptions;
pub use program::{HEAP_MIB, Prepared, Program, read_only};
pub use python2::older;
pub use request::Request;
pub use source::with_constants;
pub use standards::OtherStandards;
pub use toolchain::{Described, Toolchain};
pub use tools::{MissingTool, how_to_install, keep_apart, search};
