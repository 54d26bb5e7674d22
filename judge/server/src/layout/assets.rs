//! The static files. Their names contain a hash of their content, so that browsers may keep them for
//! ever.

use sha2::{Digest, Sha256};
use std::sync::LazyLock;

/// A static file.
#[derive(Debug)]
pub struct Asset {
    /// The path on the server: `/static/page.0123456789abcdef.js`.
    pub path: String,
    /// The MIME type.
    pub mime: &'static str,
    /// The text of the file.
    pub content: &'static str,
}

static STYLE: LazyLock<Asset> = LazyLock::new(|| {
    let content = include_str!("../../static/style.css");
    Asset::new("style", "css", "text/css; charset=utf-8", content)
});

static SCRIPT: LazyLock<Asset> = LazyLock::new(|| {
    let content = include_str!("../../static/page.js");
    Asset::new("page", "js", "text/javascript; charset=utf-8", content)
});

static WORKER: LazyLock<Asset> = LazyLock::new(|| {
    let content = include_str!("../../static/live.js");
    Asset::new("live", "js", "text/javascript; charset=utf-8", content)
});

static EDITOR: LazyLock<Asset> = LazyLock::new(|| {
    let content = include_str!("../../static/editor.js");
    Asset::new("editor", "js", "text/javascript; charset=utf-8", content)
});

static ICON: LazyLock<Asset> = LazyLock::new(|| {
    let content = include_str!("../../static/icon.svg");
    Asset::new("icon", "svg", "image/svg+xml", content)
});

impl Asset {
    fn new(stem: &str, extension: &str, mime: &'static str, content: &'static str) -> Self {
        let digest = Sha256::digest(content.as_bytes());
        let hash: String = digest
            .iter()
            .take(8)
            .map(|byte| format!("{byte:02x}"))
            .collect();
        Asset {
            path: format!("/static/{stem}.{hash}.{extension}"),
            mime,
            content,
        }
    }
}

/// The path of the style sheet.
pub fn style_path() -> &'static str {
    &STYLE.path
}

pub fn script_path() -> &'static str {
    &SCRIPT.path
}

/// The path of the script that all pages of a viewer share.
pub fn worker_path() -> &'static str {
    &WORKER.path
}

/// The path of the script of the form to submit a program.
pub fn editor_path() -> &'static str {
    &EDITOR.path
}

pub fn icon_path() -> &'static str {
    &ICON.path
}

/// The static file with this path.
pub fn asset(path: &str) -> Option<&'static Asset> {
    [&*STYLE, &*SCRIPT, &*WORKER, &*EDITOR, &*ICON]
        .into_iter()
        .find(|asset| asset.path == path)
}
