//! The table of layers: what isolates and measures, and what is missing.

use crate::plan::Isolation;
use crate::{Layer, State};

/// A layer that is there.
pub fn present(name: &'static str, why: impl Into<String>) -> Layer {
    Layer {
        name,
        state: State::Present,
        why: why.into(),
        remedy: None,
    }
}

/// A layer that is not there.
pub fn absent(name: &'static str, why: impl Into<String>, remedy: Option<&str>) -> Layer {
    Layer {
        name,
        state: State::Absent,
        why: why.into(),
        remedy: remedy.map(str::to_owned),
    }
}

/// A layer for which something weaker stands in.
pub fn degraded(name: &'static str, why: impl Into<String>, remedy: Option<&str>) -> Layer {
    Layer {
        state: State::Degraded,
        ..absent(name, why, remedy)
    }
}

/// The isolation of a box without any.
pub fn isolation(isolation: Isolation) -> Vec<Layer> {
    match isolation {
        Isolation::None => vec![absent(
            "isolation",
            "the program runs as the user who judges",
            None,
        )],
        Isolation::Namespaces | Isolation::Landlock => Vec::new(),
    }
}
