//! A document of one or several problems: one HTML file with its images and a style sheet for print.

use crate::sanitize::escaped;
use crate::{Rendered, Sample, Samples, Turn, render};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use judge_package::yaml::{self, Value};
use judge_package::{Package, StatementFile, StatementKind, TimeLimit, statements};
use std::fmt::Write;
use std::fs;
use std::io;
use std::path::PathBuf;

/// The addresses of images begin with this until they are replaced by their content.
const IMAGES: &str = "/judge-statement-image/";

#[derive(Clone, Debug)]
pub struct Entry<'p> {
    pub package: &'p Package,
    /// The letter of the problem in its contest.
    pub letter: Option<String>,
    /// The name of its colour, and the colour as `#rrggbb`.
    pub color: Option<(String, String)>,
    /// The time limit, if the package derives it.
    pub time_limit: Option<std::time::Duration>,
}

#[derive(Clone, Debug)]
pub struct Cover {
    /// The name of the contest.
    pub title: String,
    /// Further lines: the date, the place.
    pub lines: Vec<String>,
}

/// The statement of a package in a language.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Chosen {
    /// A file that can be rendered.
    File(StatementFile),
    /// A document that is printed already.
    Pdf(PathBuf),
    /// No statement in that language; the languages of the others.
    None(Vec<String>),
}

/// Chooses the statement in `language`, or else the English or the first one. A file that can be rendered
/// comes before a PDF document.
pub fn choose(package: &Package, language: Option<&str>) -> Chosen {
    let all = statements(&package.root);
    let of = |code: &str| all.iter().find(|file| file.language == code);
    let found = match language {
        Some(language) => of(language),
        None => of("en").or(all.first()),
    };
    match found {
        Some(file) if file.kind == StatementKind::Pdf => Chosen::Pdf(file.path.clone()),
        Some(file) => Chosen::File(file.clone()),
        None => {
            let mut languages: Vec<String> = all.into_iter().map(|file| file.language).collect();
            languages.dedup();
            Chosen::None(languages)
        }
    }
}

/// The document of these problems, each with its chosen file.
pub fn document(
    cover: Option<&Cover>,
    entries: &[(Entry<'_>, StatementFile)],
) -> io::Result<String> {
    let first = entries.first();
    let language = first.map_or("en", |(_, file)| file.language.as_str());
    let title = match (cover, first) {
        (Some(cover), _) => cover.title.clone(),
        (None, Some((entry, file))) => title(entry.package, &file.language),
        (None, None) => String::new(),
    };
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"{}\"{}>\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'\">\n\
         <title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n",
        escaped(language),
        direction(language),
        escaped(&title),
        include_str!("print.css")
    );
    if let Some(cover) = cover {
        write_cover(&mut out, cover, entries);
    }
    for (entry, file) in entries {
        write_problem(&mut out, entry, file)?;
    }
    out.push_str("</body>\n</html>\n");
    Ok(out)
}

fn write_cover(out: &mut String, cover: &Cover, entries: &[(Entry<'_>, StatementFile)]) {
    let _ = write!(
        out,
        "<div class=\"cover\">\n<h1>{}</h1>\n",
        escaped(&cover.title)
    );
    for line in &cover.lines {
        let _ = writeln!(out, "<p>{}</p>", escaped(line));
    }
    out.push_str("<table>\n");
    for (entry, file) in entries {
        let letter = entry.letter.as_deref().unwrap_or_default();
        let _ = write!(
            out,
            "<tr><th>{}</th><td>{}</td><td>",
            escaped(letter),
            escaped(&title(entry.package, &file.language))
        );
        if let Some((name, rgb)) = &entry.color {
            // A name with other characters would be more than one declaration.
            let is_name = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphabetic());
            let rgb = Some(rgb).filter(|rgb| is_rgb(rgb) || is_name(rgb));
            let _ = write!(
                out,
                "<span class=\"swatch\" style=\"background:{}\"></span> {}",
                rgb.map_or("none", |rgb| rgb),
                escaped(name)
            );
        }
        let _ = writeln!(out, "</td><td>{}</td></tr>", time_limit(entry));
    }
    out.push_str("</table>\n</div>\n");
}

/// Whether the text is `#rgb` or `#rrggbb`.
pub fn is_rgb(text: &str) -> bool {
    let digits = text.strip_prefix('#').unwrap_or_default();
    matches!(digits.len(), 3 | 6) && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn write_problem(out: &mut String, entry: &Entry<'_>, file: &StatementFile) -> io::Result<()> {
    let package = entry.package;
    let words = Words::of(&file.language);
    let _ = write!(
        out,
        "<section class=\"problem\" lang=\"{}\"{}>\n<h1>",
        escaped(&file.language),
        direction(&file.language)
    );
    if let Some(letter) = &entry.letter {
        let _ = write!(out, "<span class=\"letter\">{}</span>", escaped(letter));
    }
    let _ = writeln!(
        out,
        "{}</h1>\n<dl class=\"facts\">",
        escaped(&title(package, &file.language))
    );
    let time = time_limit(entry);
    if !time.is_empty() {
        let _ = writeln!(
            out,
            "<div><dt>{}</dt><dd>{time}</dd></div>",
            words.time_limit
        );
    }
    let memory = package.limits.memory >> 20;
    let _ = writeln!(
        out,
        "<div><dt>{}</dt><dd>{memory} MiB</dd></div>\n</dl>",
        words.memory_limit
    );
    if let Rendered::Html(html) = render(package, file, IMAGES)? {
        out.push_str(&with_images(&html, file));
        out.push('\n');
    }
    write_samples(out, &Samples::of(package), &words);
    out.push_str("</section>\n");
    Ok(())
}

/// The time limit for display; empty if it is derived and not known.
pub(crate) fn time_limit(entry: &Entry<'_>) -> String {
    let given = match entry.package.limits.time {
        TimeLimit::Given(time) => Some(time),
        TimeLimit::Derived { .. } => entry.time_limit,
    };
    given.map_or(String::new(), |time| format!("{} s", time.as_secs_f64()))
}

pub fn title(package: &Package, language: &str) -> String {
    let file = package.root.join("problem.yaml");
    let own = file.is_file().then(|| yaml::read(&file).ok()).flatten();
    let name = own.as_ref().and_then(|yaml| yaml.get("name"));
    let translated = name.filter(|name| matches!(name.value, Value::Map(_)));
    let translated = translated.and_then(|name| name.get(language)?.scalar());
    translated.unwrap_or(&package.name).to_owned()
}

fn write_samples(out: &mut String, samples: &Samples, words: &Words) {
    for (number, conversation) in (1..).zip(&samples.conversations) {
        let _ = writeln!(
            out,
            "<h2>{} {number}</h2>\n<p class=\"quiet\">{} | {}</p>",
            words.interaction, words.read, words.written
        );
        for Turn { is_written, text } in conversation.turns() {
            let class = if is_written {
                "says submission"
            } else {
                "says"
            };
            let _ = writeln!(
                out,
                "<div class=\"{class}\"><pre>{}</pre></div>",
                escaped(&text)
            );
        }
        write_cut(out, conversation.cut, words);
    }
    for (number, sample) in (1..).zip(&samples.files) {
        let Sample { input, answer, .. } = sample;
        let lines = input
            .lines()
            .chain(answer.iter().flat_map(|text| text.lines()));
        let class = if lines.count() > 60 {
            " class=\"long\""
        } else {
            ""
        };
        let _ = write!(
            out,
            "<table class=\"samples\"><tr><th>{} {number}</th>",
            words.sample_input
        );
        if answer.is_some() {
            let _ = write!(out, "<th>{} {number}</th>", words.sample_output);
        }
        let _ = write!(
            out,
            "</tr>\n<tr{class}><td><pre>{}</pre></td>",
            escaped(input)
        );
        if let Some(answer) = answer {
            let _ = write!(out, "<td><pre>{}</pre></td>", escaped(answer));
        }
        out.push_str("</tr></table>\n");
        write_cut(out, sample.cut, words);
    }
}

fn write_cut(out: &mut String, cut: bool, words: &Words) {
    if cut {
        let _ = writeln!(out, "<p class=\"quiet\">{}</p>", words.cut);
    }
}

/// Replaces the addresses of images by their content.
fn with_images(html: &str, file: &StatementFile) -> String {
    let mut html = html.to_owned();
    for (name, path) in file.images() {
        let address = format!("src=\"{IMAGES}{}\"", crate::sanitize::encoded(&name));
        if !html.contains(&address) {
            continue;
        }
        let Ok(content) = fs::read(&path) else {
            continue;
        };
        let data = format!(
            "src=\"data:{};base64,{}\"",
            mime(&name),
            STANDARD.encode(content)
        );
        html = html.replace(&address, &data);
    }
    html
}

fn mime(name: &str) -> &'static str {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    match extension.to_ascii_lowercase().as_str() {
        "png" => "image/png",
        "svg" => "image/svg+xml",
        "gif" => "image/gif",
        "webp" => "image/webp",
        _ => "image/jpeg",
    }
}

/// The words that the document adds to a statement.
#[derive(Clone, Copy)]
pub(crate) struct Words {
    pub time_limit: &'static str,
    pub memory_limit: &'static str,
    pub sample_input: &'static str,
    pub sample_output: &'static str,
    pub interaction: &'static str,
    pub read: &'static str,
    pub written: &'static str,
    pub cut: &'static str,
}

impl Words {
    /// The words in a language, or else in English.
    pub fn of(language: &str) -> Self {
        let language = match base(language) {
            "no" => "nb",
            language => language,
        };
        let own = WORDS.iter().find(|(code, _)| *code == language);
        own.unwrap_or(&WORDS[0]).1
    }
}

/// The language without its region: `pt` of `pt-BR`.
fn base(language: &str) -> &str {
    language.split(['-', '_']).next().unwrap_or_default()
}

/// The attribute of an element whose language is written from right to left.
fn direction(language: &str) -> &'static str {
    match base(language) {
        "ar" | "fa" | "he" | "ur" => " dir=\"rtl\"",
        _ => "",
    }
}

/// By language: the words. English is the first.
const WORDS: [(&str, Words); 12] = [
    (
        "en",
        Words {
            time_limit: "Time limit",
            memory_limit: "Memory limit",
            sample_input: "Sample input",
            sample_output: "Sample output",
            interaction: "Sample interaction",
            read: "read by the program",
            written: "written by the program",
            cut: "Only the beginning is shown.",
        },
    ),
    (
        "da",
        Words {
            time_limit: "Tidsgrænse",
            memory_limit: "Hukommelsesgrænse",
            sample_input: "Eksempelinput",
            sample_output: "Eksempeloutput",
            interaction: "Eksempel på interaktion",
            read: "læses af programmet",
            written: "skrives af programmet",
            cut: "Kun begyndelsen vises.",
        },
    ),
    (
        "de",
        Words {
            time_limit: "Zeitlimit",
            memory_limit: "Speicherlimit",
            sample_input: "Beispieleingabe",
            sample_output: "Beispielausgabe",
            interaction: "Beispieldialog",
            read: "liest das Programm",
            written: "schreibt das Programm",
            cut: "Nur der Anfang wird gezeigt.",
        },
    ),
    (
        "es",
        Words {
            time_limit: "Límite de tiempo",
            memory_limit: "Límite de memoria",
            sample_input: "Entrada de ejemplo",
            sample_output: "Salida de ejemplo",
            interaction: "Interacción de ejemplo",
            read: "lo lee el programa",
            written: "lo escribe el programa",
            cut: "Solo se muestra el principio.",
        },
    ),
    (
        "fr",
        Words {
            time_limit: "Limite de temps",
            memory_limit: "Limite de mémoire",
            sample_input: "Exemple d’entrée",
            sample_output: "Exemple de sortie",
            interaction: "Exemple d’interaction",
            read: "lu par le programme",
            written: "écrit par le programme",
            cut: "Seul le début est affiché.",
        },
    ),
    (
        "it",
        Words {
            time_limit: "Limite di tempo",
            memory_limit: "Limite di memoria",
            sample_input: "Input di esempio",
            sample_output: "Output di esempio",
            interaction: "Interazione di esempio",
            read: "letto dal programma",
            written: "scritto dal programma",
            cut: "È mostrato solo l’inizio.",
        },
    ),
    (
        "nb",
        Words {
            time_limit: "Tidsgrense",
            memory_limit: "Minnegrense",
            sample_input: "Eksempelinput",
            sample_output: "Eksempeloutput",
            interaction: "Eksempel på interaksjon",
            read: "leses av programmet",
            written: "skrives av programmet",
            cut: "Bare begynnelsen vises.",
        },
    ),
    (
        "pl",
        Words {
            time_limit: "Limit czasu",
            memory_limit: "Limit pamięci",
            sample_input: "Przykładowe wejście",
            sample_output: "Przykładowe wyjście",
            interaction: "Przykładowa interakcja",
            read: "czyta program",
            written: "wypisuje program",
            cut: "Pokazany jest tylko początek.",
        },
    ),
    (
        "pt",
        Words {
            time_limit: "Limite de tempo",
            memory_limit: "Limite de memória",
            sample_input: "Exemplo de entrada",
            sample_output: "Exemplo de saída",
            interaction: "Exemplo de interação",
            read: "lido pelo programa",
            written: "escrito pelo programa",
            cut: "Só o início é mostrado.",
        },
    ),
    (
        "ru",
        Words {
            time_limit: "Ограничение по времени",
            memory_limit: "Ограничение по памяти",
            sample_input: "Пример входных данных",
            sample_output: "Пример выходных данных",
            interaction: "Пример взаимодействия",
            read: "читает программа",
            written: "выводит программа",
            cut: "Показано только начало.",
        },
    ),
    (
        "sv",
        Words {
            time_limit: "Tidsgräns",
            memory_limit: "Minnesgräns",
            sample_input: "Exempelindata",
            sample_output: "Exempelutdata",
            interaction: "Exempelinteraktion",
            read: "läses av programmet",
            written: "skrivs av programmet",
            cut: "Endast början visas.",
        },
    ),
    (
        "zh",
        Words {
            time_limit: "时间限制",
            memory_limit: "内存限制",
            sample_input: "样例输入",
            sample_output: "样例输出",
            interaction: "样例交互",
            read: "程序读入",
            written: "程序输出",
            cut: "只显示开头部分。",
        },
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_direction_follow_the_language() {
        for (language, time_limit) in [
            ("en", "Time limit"),
            ("sv", "Tidsgräns"),
            ("pt-BR", "Limite de tempo"),
            ("zh_CN", "时间限制"),
            ("ru", "Ограничение по времени"),
            ("no", "Tidsgrense"),
            ("tlh", "Time limit"),
        ] {
            assert_eq!(Words::of(language).time_limit, time_limit, "{language}");
        }
        let mut codes: Vec<&str> = WORDS.iter().map(|(code, _)| *code).collect();
        codes.dedup();
        assert_eq!(codes.len(), WORDS.len());
        assert_eq!((direction("ar-EG"), direction("en")), (" dir=\"rtl\"", ""));
    }
}
