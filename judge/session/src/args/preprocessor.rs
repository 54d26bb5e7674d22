//! Options of the C and C++ preprocessor.

use super::parse::{parse_macro, parse_macro_name};
use clap::Args;
use etcetera::base_strategy::{BaseStrategy, Xdg};
use judge_core::error::Failure;
use judge_core::language::PreprocessorOptions;
use std::ffi::OsString;
use std::path::PathBuf;

/// Arguments of the commands that compile a user's programs.
#[derive(Args, Clone, Default, Debug)]
pub struct PreprocessorArgs {
    /// Define this macro in C and C++ submissions, besides those of the package's judge, such as
    /// ONLINE_JUDGE; repeatable.
    #[arg(short = 'D', long = "define", value_name = "NAME[=VALUE]", value_parser = parse_macro)]
    pub define: Vec<String>,

    /// Do not define this macro in C and C++ submissions, such as ONLINE_JUDGE; repeatable.
    #[arg(short = 'U', long = "undefine", value_name = "NAME", value_parser = parse_macro_name)]
    pub undefine: Vec<String>,

    /// A directory with headers of C and C++ submissions, searched before those of
    /// CPLUS_INCLUDE_PATH and `~/.local/share/judge/include`; repeatable.
    #[arg(short = 'I', long = "include", value_name = "DIR")]
    pub include: Vec<PathBuf>,

    /// Ignore the directories of the environment: a bundle needs no header.
    #[arg(skip)]
    pub is_alone: bool,
}

impl PreprocessorArgs {
    /// The options, with the directories of the user's environment.
    pub fn options(&self) -> Result<PreprocessorOptions, Failure> {
        for dir in &self.include {
            if !dir.is_dir() {
                let what = format!("-I {}: no such directory", dir.display());
                return Err(Failure::usage(what).help("name a directory with headers"));
            }
        }
        let variables = ["CPATH", "CPLUS_INCLUDE_PATH"].map(std::env::var_os);
        let listed = variables.map(Option::unwrap_or_default);
        let data = Xdg::new().ok().map(|xdg| xdg.data_dir());
        Ok(PreprocessorOptions {
            define: self.define.clone(),
            undefine: self.undefine.clone(),
            include: self.include.clone(),
            system_include: match self.is_alone {
                true => Vec::new(),
                false => system_include(&listed, data),
            },
        })
    }

    /// Only the macros: what a bundle is compiled with.
    pub fn of_bundle(&self) -> Self {
        PreprocessorArgs {
            include: Vec::new(),
            is_alone: true,
            ..self.clone()
        }
    }

    /// Whether any is given.
    pub fn is_given(&self) -> bool {
        self.words().next().is_some()
    }

    /// The options as words of a command line.
    pub fn words(&self) -> impl Iterator<Item = (&'static str, String)> {
        let define = self.define.iter().map(|text| ("-D", text.clone()));
        let undefine = self.undefine.iter().map(|name| ("-U", name.clone()));
        let include = self.include.iter();
        let include = include.map(|dir| ("-I", dir.display().to_string()));
        define.chain(undefine).chain(include)
    }
}

/// The existing directories in the values of the compiler's variables, such as `CPLUS_INCLUDE_PATH`, and the judge's own
/// in the user's directory of data. Relative ones are made absolute: programs are compiled elsewhere.
fn system_include(listed: &[OsString], data: Option<PathBuf>) -> Vec<PathBuf> {
    let own = data.map(|dir| dir.join("judge/include"));
    let listed = listed.iter().flat_map(std::env::split_paths);
    let absolute = listed
        .chain(own)
        .filter_map(|dir| std::path::absolute(dir).ok());
    absolute.filter(|dir| dir.is_dir()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_names_directories() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = |name: &str| dir.path().join(name);
        for name in ["one", "two", "data/judge/include"] {
            std::fs::create_dir_all(path(name)).expect("a directory");
        }
        let listed = [path("one"), path("none"), "src".into(), path("two")];
        let listed = [
            std::env::join_paths(listed).expect("a list"),
            path("two").into(),
        ];
        let here = std::env::current_dir().expect("a directory");
        let expected = [
            path("one"),
            here.join("src"),
            path("two"),
            path("two"),
            path("data/judge/include"),
        ];
        let found = system_include(&listed, Some(path("data")));
        assert_eq!(found, expected);
    }
}
