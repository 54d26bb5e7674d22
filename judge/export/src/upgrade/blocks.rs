//! The top-level keys of a YAML file as blocks of lines, so that comments stay where they are.

/// A file as its blocks.
pub struct Blocks {
    /// Key and lines: a key with its comments above it, or lines without a key.
    blocks: Vec<(Option<String>, String)>,
}

impl Blocks {
    /// Divides a text.
    pub fn parse(text: &str) -> Self {
        let mut blocks: Vec<(Option<String>, String)> = Vec::new();
        // Comments and empty lines that may belong to the next key.
        let mut open = String::new();
        for line in text.lines() {
            let starts = line.chars().next();
            let is_key = starts.is_some_and(|c| !c.is_whitespace() && c != '#' && c != '-');
            let key = line
                .split_once(':')
                .map(|(key, _)| key.trim().trim_matches(['"', '\'']));
            match key.filter(|_| is_key) {
                Some(key) => {
                    let lines = std::mem::take(&mut open) + line + "\n";
                    blocks.push((Some(key.to_owned()), lines));
                }
                None if starts == Some('#') || line.trim().is_empty() => {
                    open.push_str(line);
                    open.push('\n');
                }
                None => {
                    let lines = std::mem::take(&mut open) + line + "\n";
                    match blocks.last_mut() {
                        Some((_, block)) => block.push_str(&lines),
                        None => blocks.push((None, lines)),
                    }
                }
            }
        }
        if !open.is_empty() {
            blocks.push((None, open));
        }
        Blocks { blocks }
    }

    fn position(&self, key: &str) -> Option<usize> {
        let mut keys = self.blocks.iter().map(|(key, _)| key.as_deref());
        keys.position(|own| own == Some(key))
    }

    /// The lines of a key.
    pub fn get(&self, key: &str) -> Option<&str> {
        Some(&self.blocks[self.position(key)?].1)
    }

    /// Replaces the lines of a key, or adds them: at the start if `first`, else at the end. Comments above
    /// it, and behind its value, stay.
    pub fn set(&mut self, key: &str, lines: &str, first: bool) {
        match self.position(key) {
            Some(at) => self.blocks[at].1 = with_comments(&self.blocks[at].1, lines),
            None => {
                let at = if first { 0 } else { self.blocks.len() };
                let block = (Some(key.to_owned()), lines.to_owned());
                self.blocks.insert(at, block);
            }
        }
    }

    /// Replaces a key and its lines.
    pub fn rename(&mut self, key: &str, new: &str, lines: &str) {
        if let Some(at) = self.position(key) {
            let block = &mut self.blocks[at];
            *block = (Some(new.to_owned()), with_comments(&block.1, lines));
        }
    }

    /// Removes a key; comments above it stay.
    pub fn remove(&mut self, key: &str) {
        for (own, lines) in &mut self.blocks {
            if own.as_deref() == Some(key) {
                *own = None;
                *lines = with_comments(lines, "");
            }
        }
    }

    pub fn text(&self) -> String {
        let lines = self.blocks.iter().map(|(_, lines)| lines.as_str());
        lines.collect()
    }
}

/// The new lines with the comments of the old ones: those above the key, and the one behind its value.
fn with_comments(old: &str, new: &str) -> String {
    if new.contains("\n#") || new.starts_with('#') {
        return new.to_owned();
    }
    let is_comment = |line: &&str| line.starts_with('#') || line.trim().is_empty();
    let mut text: String = old
        .lines()
        .take_while(is_comment)
        .fold(String::new(), |all, line| all + line + "\n");
    let key = old
        .lines()
        .find(|line| !is_comment(line))
        .unwrap_or_default();
    match (key.split_once(" #"), new.split_once('\n')) {
        (Some((_, comment)), Some((line, rest))) if !line.contains(" #") => {
            text.push_str(&format!("{line} #{comment}\n{rest}"));
        }
        (Some((_, comment)), None) => text.push_str(&format!("#{comment}\n")),
        _ => text.push_str(new),
    }
    text
}

#[cfg(test)]
mod tests {
    use super::Blocks;

    #[test]
    fn comments_stay() {
        let text = "# top\n\nname: x # title\n# who\nauthor: A and\n  B\nlimits:\n  # in\n  memory: 1\n# end\n";
        let mut blocks = Blocks::parse(text);
        assert_eq!(blocks.text(), text);
        blocks.set("name", "name:\n  en: x\n", false);
        blocks.rename("author", "credits", "credits: {}\n");
        blocks.remove("nothing");
        blocks.set("version", "version: 1\n", true);
        let expected = "version: 1\n# top\n\nname: # title\n  en: x\n# who\ncredits: {}\nlimits:\n  # in\n  memory: 1\n# end\n";
        assert_eq!(blocks.text(), expected);
        blocks.remove("credits");
        assert!(!blocks.text().contains("credits") && blocks.text().contains("# who\nlimits"));
    }
}
