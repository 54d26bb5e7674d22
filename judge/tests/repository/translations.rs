//! Checks that the Chinese documents have the structure of the English ones: the same transcripts,
//! headings, tables and links.

use std::path::Path;

/// The parts of a document that are equal in a translation.
#[derive(Default, PartialEq, Debug)]
struct Structure {
    /// Blocks of code, with their text.
    code: Vec<String>,
    /// Levels of the headings.
    headings: Vec<usize>,
    /// The number of cells of each row of a table.
    rows: Vec<usize>,
    /// The number of list items under each heading.
    items: Vec<usize>,
    /// Addresses of links to other sites.
    links: Vec<String>,
}

fn structure(path: &str) -> Structure {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let text = std::fs::read_to_string(root.join(path)).expect("read the document");
    let mut found = Structure::default();
    let mut block: Option<String> = None;
    for line in text.lines() {
        match (&mut block, line.starts_with("```")) {
            (None, true) => block = Some(format!("{line}\n")),
            (Some(_), true) => found.code.extend(block.take()),
            (Some(block), false) => {
                block.push_str(line);
                block.push('\n');
            }
            (None, false) => {
                let level = line.chars().take_while(|c| *c == '#').count();
                if level > 0 {
                    found.headings.push(level);
                    found.items.push(0);
                }
                if line.starts_with("- ") {
                    *found
                        .items
                        .last_mut()
                        .expect("find a heading before the item") += 1;
                }
                if line.starts_with('|') {
                    found
                        .rows
                        .push(line.replace("\\|", "").matches('|').count() - 1);
                }
                let links = line.split("](").skip(1);
                let addresses = links.filter_map(|rest| Some(rest.split_once(')')?.0.to_owned()));
                found
                    .links
                    .extend(addresses.filter(|link| link.starts_with("http")));
            }
        }
    }
    found
}

#[test]
fn chinese_documents_have_the_english_structure() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let entries = std::fs::read_dir(root.join("docs")).expect("list the pages");
    let names = entries.map(|entry| entry.expect("read an entry").file_name());
    let pages = names.filter_map(|name| {
        let page = name.to_str()?.strip_suffix(".zh-CN.md")?;
        Some(format!("docs/{page}"))
    });
    let pages: Vec<String> = pages.chain(["README".to_owned()]).collect();
    assert!(pages.len() > 5, "{pages:?}");
    for page in pages {
        let (english, chinese) = (&format!("{page}.md"), &format!("{page}.zh-CN.md"));
        let (one, other) = (structure(english), structure(chinese));
        assert!(
            one.headings.len() > 2 && !(one.rows.is_empty() && one.code.is_empty()),
            "{english} is read"
        );
        for (own, copy) in one.code.iter().zip(&other.code) {
            assert_eq!(copy, own, "copy this block from {english} to {chinese}");
        }
        assert_eq!(
            other, one,
            "{chinese} differs in structure from {english}: translate the change"
        );
    }
}
