//! The parts of a `problem.yaml` that do not concern judging: names, authors, source, licence.

use crate::yaml::flow;
use judge_package::yaml::{Node, Value};
use judge_package::{Package, PackageError, yaml};
use std::hash::{DefaultHasher, Hasher};

/// Names, authors, source and licence of a problem.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Metadata {
    /// The title in each language; the first one is the main one.
    pub names: Vec<(String, String)>,
    /// The package's identifier; generated if the package has none.
    pub uuid: String,
    pub authors: Vec<String>,
    /// `credits` as YAML, if they say more than the names of the authors.
    pub credits: Option<String>,
    pub version: Option<String>,
    /// The date until which the problem is not public.
    pub embargo: Option<String>,
    /// The source and its address.
    pub sources: Vec<(String, Option<String>)>,
    /// The licence, in the format's words.
    pub license: Option<String>,
    pub rights_owner: Option<String>,
    pub keywords: Vec<String>,
    /// Whether `submissions.yaml` names authors or a model solution.
    pub has_submission_notes: bool,
}

impl Metadata {
    /// Reads those of a package.
    pub fn of(package: &Package) -> Result<Self, PackageError> {
        let mut metadata = Metadata {
            names: vec![("en".to_owned(), package.name.clone())],
            uuid: uuid(&package.id, &package.name),
            ..Metadata::default()
        };
        if !package.names.is_empty() {
            metadata.names.clone_from(&package.names);
        }
        let file = package.root.join("problem.yaml");
        if file.is_file() {
            metadata.read(&yaml::read(&file)?);
        }
        let file = package.root.join("submissions/submissions.yaml");
        if let Some(Value::Map(entries)) = yaml::read(&file).ok().map(|node| node.value) {
            let is_note =
                |rule: &Node| rule.get("authors").or(rule.get("model_solution")).is_some();
            metadata.has_submission_notes = entries.iter().any(|(_, rule)| is_note(rule));
        }
        Ok(metadata)
    }

    /// Takes what is there and readable; the reader of the package reports what is wrong.
    fn read(&mut self, node: &Node) {
        let text =
            |key: &str| Some(node.get(key)?.scalar()?.to_owned()).filter(|text| !text.is_empty());
        if let Some(Value::Map(entries)) = node.get("name").map(|name| &name.value) {
            let entry = |(key, value): &(Node, Node)| {
                Some((key.scalar()?.to_owned(), value.scalar()?.to_owned()))
            };
            let names: Vec<(String, String)> = entries.iter().filter_map(entry).collect();
            if !names.is_empty() {
                self.names = names;
            }
        }
        if let Some(own) = text("uuid") {
            self.uuid = own;
        }
        self.license = text("license");
        self.rights_owner = text("rights_owner");
        self.version = text("version");
        self.embargo = text("embargo_until");
        let credits = node.get("credits");
        self.credits = credits.filter(|own| says_more(own)).map(flow);
        let authors = credits.and_then(|credits| credits.get("authors"));
        self.authors = persons(authors.or(credits).or(node.get("author")));
        if node.get("author").is_some() && self.authors.len() == 1 {
            // Legacy has one text for all.
            let all = self.authors.remove(0).replace(" and ", ", ");
            self.authors = all.split(", ").map(|name| name.trim().to_owned()).collect();
            self.authors.retain(|name| !name.is_empty());
        }
        let source = |node: &Node| {
            let name = node
                .scalar()
                .or_else(|| node.get("name")?.scalar())?
                .to_owned();
            let url = node.get("url").and_then(Node::scalar).map(str::to_owned);
            (!name.is_empty()).then_some((name, url))
        };
        let sources = node.get("source").map_or(&[][..], Node::one_or_more);
        self.sources = sources.iter().filter_map(source).collect();
        if let (Some(first), Some(url)) = (self.sources.first_mut(), text("source_url")) {
            first.1 = Some(url);
        }
        let keywords = node.get("keywords").map_or(&[][..], Node::one_or_more);
        let words = keywords.iter().filter_map(Node::scalar);
        self.keywords = match keywords {
            // Legacy has one line.
            [one] => one
                .scalar()
                .unwrap_or_default()
                .split_whitespace()
                .map(str::to_owned)
                .collect(),
            _ => words.map(str::to_owned).collect(),
        };
    }

    /// The title in this language, or else the main one.
    pub fn title_in(&self, language: &str) -> &str {
        let mut names = self.names.iter();
        let own = names.find(|(code, _)| code == language);
        own.map_or_else(|| self.title(), |(_, name)| name)
    }

    /// The main title.
    pub fn title(&self) -> &str {
        let mut names = self.names.iter();
        let english = names.find(|(language, _)| language == "en");
        english.or(self.names.first()).map_or("", |(_, name)| name)
    }
}

/// Whether credits name others than authors, or say more of one than the name.
fn says_more(credits: &Node) -> bool {
    let is_map = |node: &Node| matches!(node.value, Value::Map(_));
    let Value::Map(entries) = &credits.value else {
        return false;
    };
    let mut entries = entries.iter();
    entries.any(|(key, persons)| !key.is("authors") || persons.one_or_more().iter().any(is_map))
}

/// Names of persons: texts, or maps with `name`.
fn persons(node: Option<&Node>) -> Vec<String> {
    let items = node.map_or(&[][..], Node::one_or_more);
    let name = |item: &Node| {
        item.scalar()
            .or_else(|| item.get("name")?.scalar())
            .map(str::to_owned)
    };
    items
        .iter()
        .filter_map(name)
        .filter(|name| !name.is_empty())
        .collect()
}

/// An identifier in the form of a random UUID: the same for the same problem.
fn uuid(id: &str, name: &str) -> String {
    let half = |salt: u8| {
        let mut hasher = DefaultHasher::new();
        hasher.write(id.as_bytes());
        hasher.write_u8(salt);
        hasher.write(name.as_bytes());
        hasher.finish()
    };
    let (high, low) = (half(0), half(1));
    format!(
        "{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}",
        high >> 32,
        high >> 16 & 0xffff,
        high & 0xfff,
        low >> 48 & 0x3fff | 0x8000,
        low & 0xffff_ffff_ffff
    )
}
