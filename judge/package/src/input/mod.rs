//! Reads the files of a package, whose content is not trusted: every path is contained in the package's
//! directories, and every size and count has a bound.

pub mod archive;
pub mod executable;
pub mod package_dir;
mod repeated_names;
pub mod source_text;
pub mod staging_dir;
pub mod text;
pub mod tree;
pub mod units;
pub mod yaml;
