//! Builds a tree of nodes from the events of the YAML parser.

use super::{Node, Value};
use crate::error::PackageError;
use crate::input::text;
use granit_parser::{Event, Parser, ScalarStyle, Span};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::Path;
use std::sync::Arc;

/// The maximum size of a YAML file, in bytes.
const MAX_BYTES: u64 = 1 << 20;
/// The maximum number of nodes of a file, including those that aliases expand to; a long text
/// counts as several nodes of [`NODE_BYTES`] bytes each.
const MAX_NODES: usize = 200_000;
const NODE_BYTES: usize = 64;
/// The maximum nesting depth.
const MAX_DEPTH: usize = 64;

/// Reads the only document of a file; an empty file is an empty map.
pub fn read(path: &Path) -> Result<Node, PackageError> {
    parse(path, &text::read(path, MAX_BYTES)?)
}

/// Parses `text`, the content of `path`.
pub fn parse(path: &Path, text: &str) -> Result<Node, PackageError> {
    let (node, doubled) = parse_leniently(path, text)?;
    match doubled.into_iter().next() {
        Some(error) => Err(error),
        None => Ok(node),
    }
}

/// Like [`read`], but accepts duplicate keys: see [`parse_leniently`].
pub fn read_leniently(path: &Path) -> Result<(Node, Vec<PackageError>), PackageError> {
    parse_leniently(path, &text::read(path, MAX_BYTES)?)
}

/// Like [`parse`], but accepts duplicate keys: most tools silently take the last value. Also returns
/// the errors about such keys.
pub fn parse_leniently(path: &Path, text: &str) -> Result<(Node, Vec<PackageError>), PackageError> {
    let path: Arc<Path> = path.into();
    let mut builder = Builder {
        path: Arc::clone(&path),
        stack: Vec::new(),
        anchors: HashMap::new(),
        nodes: 0,
        doubled: Vec::new(),
        root: None,
    };
    // A byte-order mark is reported by the lint and does not prevent judging.
    for event in Parser::new_from_str(text.trim_start_matches('\u{feff}')) {
        let (event, span) = event.map_err(|e| {
            let info = e.info();
            let (line, column) = (e.marker().line().max(1), e.marker().col() + 1);
            let error =
                PackageError::new(&*path, format!("is not valid YAML: {info}")).at(line, column);
            if info.contains("tabs") {
                error.remedy("indent with spaces")
            } else if !info.contains("mapping values") {
                error
            } else if continues_line_above(text, line, column) {
                error.remedy("indent it like the line above")
            } else {
                error.remedy("put quotes around a text that holds `: `")
            }
        })?;
        builder.take(&event, span)?;
    }
    let empty = builder.node((1, 1), Value::Map(Vec::new()));
    Ok((builder.root.unwrap_or(empty), builder.doubled))
}

/// Whether the key before the colon at this place begins its line, and is indented deeper than the line
/// above: YAML takes it as a continuation of that line's value.
fn continues_line_above(text: &str, line: usize, column: usize) -> bool {
    let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let filled = text
        .lines()
        .take(line)
        .filter(|line| !line.trim().is_empty());
    let [.., above, own] = filled.collect::<Vec<_>>()[..] else {
        return false;
    };
    let key: String = own.chars().take(column - 1).collect();
    !key.contains(": ") && indent(own) > indent(above)
}

/// Builds the tree from the parser's events.
struct Builder {
    path: Arc<Path>,
    stack: Vec<Open>,
    anchors: HashMap<usize, (Node, usize)>,
    nodes: usize,
    /// Errors about duplicate keys.
    doubled: Vec<PackageError>,
    root: Option<Node>,
}

/// A list or map that is not complete.
struct Open {
    node: Node,
    key: Option<Node>,
    /// The keys so far, each with its index among the entries.
    keys: HashMap<String, usize>,
    /// The entries from `<<`: the map's own keys take precedence, regardless of the order.
    merged: Vec<(Node, Node)>,
    anchor: usize,
    nodes_before: usize,
}

impl Builder {
    fn take(&mut self, event: &Event<'_>, span: Span) -> Result<(), PackageError> {
        let position = (span.start.line().max(1), span.start.col() + 1);
        match event {
            Event::DocumentStart(..) if self.root.is_some() => Err(self.error(
                position,
                "holds more than one YAML document; leave only the first",
            )),
            Event::Scalar(text, style, anchor, _) => {
                let plain = matches!(style, ScalarStyle::Plain);
                // The parser reports an absent value as `~`, except after a tag.
                let text = if plain && text.is_empty() { "~" } else { text };
                let value = Value::Scalar {
                    text: text.to_owned(),
                    plain,
                };
                let node = self.node(position, value);
                let size = 1 + text.len() / NODE_BYTES;
                self.count(position, size)?;
                self.remember(*anchor, &node, size)?;
                self.put(node)
            }
            Event::SequenceStart(_, anchor, _) => {
                self.open(position, *anchor, Value::List(Vec::new()))
            }
            Event::MappingStart(_, anchor, _) => {
                self.open(position, *anchor, Value::Map(Vec::new()))
            }
            Event::SequenceEnd | Event::MappingEnd => {
                let Some(mut open) = self.stack.pop() else {
                    return Ok(());
                };
                open.add_merged();
                let size = self.nodes - open.nodes_before + 1;
                self.remember(open.anchor, &open.node, size)?;
                self.put(open.node)
            }
            Event::Alias(id) => {
                let Some((node, size)) = self.anchors.get(id) else {
                    return Err(self.error(position, "refers to an anchor that contains itself"));
                };
                let (mut node, size) = (node.clone(), *size);
                node.position = position;
                self.count(position, size)?;
                self.put(node)
            }
            _ => Ok(()),
        }
    }

    fn open(
        &mut self,
        position: (usize, usize),
        anchor: usize,
        value: Value,
    ) -> Result<(), PackageError> {
        if self.stack.len() >= MAX_DEPTH {
            return Err(self.error(position, format!("is nested more than {MAX_DEPTH} deep")));
        }
        self.count(position, 1)?;
        self.stack.push(Open {
            node: self.node(position, value),
            key: None,
            keys: HashMap::new(),
            merged: Vec::new(),
            anchor,
            nodes_before: self.nodes,
        });
        Ok(())
    }

    /// Adds a complete node to its parent.
    fn put(&mut self, node: Node) -> Result<(), PackageError> {
        let Some(open) = self.stack.last_mut() else {
            self.root = Some(node);
            return Ok(());
        };
        match &mut open.node.value {
            Value::List(items) => items.push(node),
            Value::Map(entries) => match open.key.take() {
                None => match node.value {
                    Value::Scalar { .. } => open.key = Some(node),
                    _ => return Err(node.error("a key must be text, not a list or a map")),
                },
                Some(key) if key.is("<<") => merge(&mut open.merged, node)?,
                Some(key) => {
                    let text = key.scalar().unwrap_or_default();
                    match open.keys.entry(text.to_owned()) {
                        Entry::Vacant(vacant) => {
                            vacant.insert(entries.len());
                            entries.push((key, node));
                        }
                        Entry::Occupied(known) => {
                            let first = &mut entries[*known.get()];
                            let what = format!(
                                "key `{text}` is given twice; the first is in line {}, the last counts",
                                first.0.position.0
                            );
                            self.doubled
                                .push(key.error(what).remedy("remove one of the two"));
                            *first = (key, node);
                        }
                    }
                }
            },
            Value::Scalar { .. } => {}
        }
        Ok(())
    }

    fn node(&self, position: (usize, usize), value: Value) -> Node {
        Node {
            path: Arc::clone(&self.path),
            position,
            value,
        }
    }

    fn remember(&mut self, anchor: usize, node: &Node, size: usize) -> Result<(), PackageError> {
        if anchor != 0 {
            // A copy takes as much memory as an alias.
            self.count(node.position, size)?;
            self.anchors.insert(anchor, (node.clone(), size));
        }
        Ok(())
    }

    fn count(&mut self, position: (usize, usize), more: usize) -> Result<(), PackageError> {
        self.nodes += more;
        if self.nodes > MAX_NODES {
            let what = format!("stands for more than {MAX_NODES} values, aliases unfolded");
            return Err(self.error(position, what));
        }
        Ok(())
    }

    fn error(&self, (line, column): (usize, usize), what: impl Into<String>) -> PackageError {
        PackageError::new(&*self.path, what).at(line, column)
    }
}

impl Open {
    fn add_merged(&mut self) {
        if let Value::Map(entries) = &mut self.node.value {
            for (key, value) in self.merged.drain(..) {
                let text = key.scalar().unwrap_or_default().to_owned();
                if let Entry::Vacant(vacant) = self.keys.entry(text) {
                    vacant.insert(entries.len());
                    entries.push((key, value));
                }
            }
        }
    }
}

/// `<<: *defaults`: the entries of one or several other maps.
fn merge(merged: &mut Vec<(Node, Node)>, node: Node) -> Result<(), PackageError> {
    match node.value {
        Value::Map(others) => {
            merged.extend(others);
            Ok(())
        }
        Value::List(items) => items.into_iter().try_for_each(|item| merge(merged, item)),
        Value::Scalar { .. } => Err(node.error("`<<` takes a map, or a list of maps")),
    }
}
