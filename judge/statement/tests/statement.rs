//! Statements as HTML: what is shown, and what must not get through.

use judge_package::{Package, statements};
use judge_statement::{Images, Rendered, html, markdown_html, render, sample_files, tex_html};

fn images() -> Images {
    Images {
        base_url: "/p/a/images/".into(),
        names: ["fig 1.png".into(), "b.svg".into()].into(),
    }
}

fn markdown(source: &str) -> String {
    markdown_html(source, &images())
}

#[track_caller]
fn contains(html: &str, expected: &[&str]) {
    for text in expected {
        assert!(html.contains(text), "no `{text}` in {html}");
    }
}

#[test]
fn markdown_with_tables_footnotes_and_code() {
    let html = markdown(
        "# Title\n\n| a | b |\n|---|---|\n| 1 | **2** |\n\nText[^n].\n\n[^n]: Note.\n\n```\n$x$ <b>\n```\n",
    );
    contains(
        &html,
        &[
            "<h1>Title</h1>",
            "<th>a</th>",
            "<td><strong>2</strong></td>",
            "$x$ &lt;b&gt;",
            "href=\"#statement-n\"",
            "id=\"statement-n\"",
        ],
    );
}

#[test]
fn mathematics_in_all_delimiters() {
    for source in [
        "a $x^2$ b",
        "a \\(x^2\\) b",
        "a \\( x^2 \\) b",
        "**a \\(x^2\\)**",
    ] {
        contains(&markdown(source), &["<math", "<msup>"]);
    }
    for source in ["$$\nx^2\n$$", "\\[ x^2 \\]", "text\n\\[x^2\\]\nmore"] {
        contains(&markdown(source), &["display=\"block\"", "<msup>"]);
    }
    // Underscores and stars in formulas are not emphasis.
    contains(
        &markdown("\\(a_1 * b_1 * c\\) and $a_2 * b_2$"),
        &["<msub>"],
    );
    assert!(!markdown("\\(a_1 * b_1 * c_1\\)").contains("<em>"));
}

#[test]
fn text_outside_formulas_is_unchanged() {
    for source in [
        "It costs 5$ or 6$.",
        "`\\(x\\)`",
        "```\n\\(x\\)\n```",
        "~~~\n$x$\n~~~",
        "\\\\(x\\\\)",
    ] {
        let html = markdown(source);
        assert!(!html.contains("<math"), "{source}: {html}");
    }
    contains(&markdown("`\\(x\\)`"), &["<code>\\(x\\)</code>"]);
    contains(&markdown("`` a ` \\(x\\) ``"), &["\\(x\\)"]);
}

#[test]
fn an_unknown_formula_shows_its_source() {
    contains(
        &markdown("before $\\nonsense{x}$ after"),
        &["before", "$\\nonsense{x}$", "after"],
    );
}

#[test]
fn images_of_the_package_only() {
    contains(
        &markdown("![one](<fig 1.png>) ![](b.svg)"),
        &[
            "src=\"/p/a/images/fig%201.png\"",
            "alt=\"one\"",
            "src=\"/p/a/images/b.svg\"",
        ],
    );
    for source in [
        "http://x/y.png",
        "../secret.png",
        "/etc/passwd",
        "data:image/png;base64,AA",
        "c.png",
        "//x/b.svg",
    ] {
        let html = markdown(&format!("![alt]({source}) <img src=\"{source}\">"));
        assert!(!html.contains("src"), "{html}");
    }
}

#[test]
fn links_lead_to_other_sites_or_within_the_statement() {
    contains(
        &markdown("[a](https://example.com/x)"),
        &["href=\"https://example.com/x\""],
    );
    for source in [
        "/logout",
        "javascript:alert(1)",
        "JAVASCRIPT:alert(1)",
        "data:text/html,x",
        "java&#10;script:alert(1)",
        "//evil.example",
    ] {
        let html = markdown(&format!("[a]({source}) <a href=\"{source}\">b</a>"));
        assert!(!html.contains("href"), "{html}");
    }
}

/// Whether a parser of HTML would find an element or an attribute that runs a program.
#[track_caller]
fn is_safe(html: &str) {
    let lower = html.to_lowercase();
    for rest in lower.split('<').skip(1) {
        let tag = rest.split('>').next().unwrap();
        let name = tag
            .trim_start_matches('/')
            .split([' ', '/', '\n'])
            .next()
            .unwrap();
        let bad = [
            "script", "style", "iframe", "object", "embed", "form", "input", "svg", "base", "meta",
            "link",
        ];
        assert!(!bad.contains(&name), "<{name}> in {html}");
        // What remains outside of quoted values are the names of the attributes.
        let names: String = tag.split('"').step_by(2).collect();
        assert!(
            !names.contains(" on") && !names.contains(" style"),
            "{html}"
        );
        assert!(
            !tag.contains("javascript:") && !tag.contains("data:"),
            "{html}"
        );
    }
}

#[test]
fn attacks_do_not_pass() {
    let attacks = [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "<IMG SRC=\"b.svg\" ONLOAD=\"alert(1)\">",
        "<a href=\"javascript:alert(1)\">x</a>",
        "[x](javascript:alert(1))",
        "<svg onload=alert(1)>",
        "<svg><style><img src=x onerror=alert(1)></style></svg>",
        "<math><mtext></mtext><mglyph><style><!--</style><img title=\"--&gt;&lt;img src=1 onerror=alert(1)&gt;\">",
        "<iframe src=\"https://example.com\"></iframe>",
        "<form action=\"/logout\"><input type=submit></form>",
        "<p style=\"position:fixed\">x</p>",
        "$\\text{<script>alert(1)</script>}$",
        "$\\href{javascript:alert(1)}{x}$",
        "$<img src=x onerror=alert(1)>$",
        "![$\\text{a\" onerror=\"alert(1)}$](b.svg)",
        "[x](https://e.example \"$a$ onmouseover=\")",
        // A formula inside the value of an attribute.
        "<div title=\"\n\n$\\text{a} onmouseover=alert(1) x$\n\n\">",
        "<a href=\"https://e.example/\n\n$x$\n\n\" id=\"\n\n$\\text{ onclick=alert(1) }$\n\n\">",
        "\u{F0000}0\u{F0001} $x$ \u{F0000}99\u{F0001}",
        "<!-- $x$ --><script>",
        "<textarea>$x$</textarea><title>$\\text{</title><script>}$",
        "<base href=\"https://e.example\"><meta http-equiv=refresh content=0><link rel=stylesheet href=x>",
    ];
    for attack in attacks {
        is_safe(&markdown(attack));
        is_safe(&html(attack, &images()));
        is_safe(&tex_html(attack, &images()));
    }
    is_safe(&markdown(&attacks.join("\n\n")));
    is_safe(&markdown(&attacks.join(" ")));
}

#[test]
fn hostile_sizes_are_rendered_in_bounded_time() {
    markdown(&"$".repeat(1 << 20));
    let many = |text: &str| text.repeat((1 << 16) / text.len());
    for text in [
        "$",
        "$ ",
        "$$",
        "$x",
        "\\(",
        "\\[",
        "\\(x\\)",
        "`",
        "` `` ",
        "~~~\n",
        "> ",
        "- ",
        "*a ",
        "[",
        "![",
        "[^a]",
        "<div>",
        "<b id=1>",
        "<a>",
        "{",
        "\\{",
        "|a",
        "&",
        "_",
        "\\begin{itemize}",
        "\\textbf{",
        "$x$ ",
        "<!--",
        "<",
        "\\sqrt",
        "\u{a0}",
        "~",
        "\\verb",
        "\\begin{lstlisting}",
        "\\newcommand{\\a}{",
    ] {
        let source = many(text);
        is_safe_or_source(&markdown(&source));
        is_safe_or_source(&html(&source, &images()));
        is_safe_or_source(&tex_html(&source, &images()));
    }
    assert!(markdown(&"x".repeat(2 << 20)).starts_with("<pre class=\"source\">"));
}

#[track_caller]
fn is_safe_or_source(html: &str) {
    assert!(!html.is_empty());
    assert!(!html.contains("<script"));
}

#[test]
fn tex_of_statements() {
    let source = r"\problemname{Title}
% a comment
Given \textbf{a \emph{number}} $n \le 10^5$ -- 50\% of ``all'', <<most>>, a < b.

\section*{Input}
\begin{itemize}
  \item one line: \texttt{a\_b}
  \item \[ x^2 \]
\end{itemize}
\includegraphics[width=5cm]{b.svg}
\begin{verbatim}
<b> $x$
\end{verbatim}
\begin{align*} a &= b \end{align*}
";
    let html = tex_html(source, &images());
    contains(
        &html,
        &[
            "<strong>a <em>number</em></strong>",
            "<math",
            "– 50% of “all”, «most», a &lt; b.",
            "<h2>Input</h2>",
            "<code>a_b</code>",
            "<li>",
            "src=\"/p/a/images/b.svg\"",
            "&lt;b&gt; $x$",
            "<mtable",
        ],
    );
    assert!(!html.contains("Title") && !html.contains("comment"));
}

#[test]
fn tables_figures_accents_and_marks_of_tex_are_converted() {
    let source = "Ren\\'e, Erd\\H{o}s, \\\"o, na\\\"{\\i}ve, \\c{c}, \\ss, {\\large big}, \\textless\n\
        \\begin{center}\\begin{tabular}[t]{|c|p{3cm}|}\n\\hline a & \\textbf{b} \\\\ \\hline\n\\multicolumn{2}{c}{c}\\\\[2pt] \\hline\n\
        \\end{tabular}\\end{center}\n\
        \\begin{figure}[h]\\centering\\includegraphics[width=0.5\\textwidth]{b}\\caption{Cap}\\label{fig:a}\\end{figure}\n\
        see~\\ref{fig:a}\\footnote{note}. \\SI{3}{m} \\begin{description}\\item[n] size\\end{description}\n\
        \\begin{wrapfigure}{r}{3cm}x\\end{wrapfigure}\\nextsample\\remainingsamples\n";
    let html = tex_html(source, &images());
    contains(
        &html,
        &[
            "Rene\u{301}, Erdo\u{30b}s, o\u{308}, nai\u{308}ve, c\u{327}, ß, big, &lt;",
            "a </td><td> <strong>b</strong> </td></tr>",
            "<p>Cap</p>",
            "src=\"/p/a/images/b.svg\"",
            "(note)",
            "3 m ",
            "<li><strong>n</strong>",
        ],
    );
    assert_eq!(html.matches("<tr>").count(), 2, "{html}");
    let boxes = "\\caption*{Cap}\\parbox[t]{\\linewidth}{\\centering p\\ q}\\fbox{f}\\makebox[2cm][c]{m}\\resizebox{1cm}{!}{r}";
    let html = tex_html(boxes, &images());
    let text = html.replace("<p>", "").replace("</p>", "");
    assert!(text.contains("Capp qfmr"), "{html}");
}

#[test]
fn macros_of_a_statement_and_of_polygon_are_converted_and_pictures_left_out() {
    let source = "\\newcommand{\\N}{\\mathbb{N}}\\def\\abs#1{|#1|}
\\begin{problem}{Sums}{standard input}{standard output}{1 second}{256 megabytes}
Let $\\abs{x} \\in \\N$.

\\begin{tikzpicture}[scale=2]\\draw (0,0) -- (1,1);\\end{tikzpicture}

\\InputFile
One number.

\\OutputFile
Its sign.

\\Examples
\\begin{example}
\\exmp{1 {2}
}{3
}%
\\end{example}
\\end{problem}
";
    let html = tex_html(source, &images());
    contains(
        &html,
        &[
            "ℕ",
            "<mi>x</mi>",
            "<em>[picture]</em>",
            "<h2>Input</h2>",
            "One number.",
            "<h2>Output</h2>",
        ],
    );
    assert!(
        !html.contains("draw") && !html.contains("standard input"),
        "{html}"
    );
    let converted = judge_statement::tex::to_html(source).ok();
    let picture = converted.and_then(|tex| tex.picture).expect("a picture");
    assert_eq!(
        (
            picture.line,
            picture.text.starts_with("\\begin{tikzpicture}")
        ),
        (5, true)
    );
}

#[test]
fn the_place_of_tex_that_is_not_converted_is_named() {
    for (source, line, text) in [
        ("a\n\\foo{x} b\n", 2, "\\foo{x} b"),
        ("a & b", 1, "& b"),
        ("\\begin{itemize}\n\\item a\n", 3, ""),
    ] {
        let place = judge_statement::tex::to_html(source).err().expect(source);
        assert_eq!((place.line, place.text.as_str()), (line, text));
    }
}

#[test]
fn tex_that_is_not_known_is_shown_as_source() {
    for source in [
        "\\begin{pspicture} <x> \\end{pspicture}",
        "\\input{/etc/passwd}",
        "\\textbf{a",
        "a}",
        "$x",
        "\\end{itemize}",
        "\\begin{itemize}\\textbf{\\end{itemize}}",
        "\\",
    ] {
        let html = tex_html(source, &images());
        let is_source = html.starts_with("<pre class=\"source\">");
        assert!(is_source || has_pandoc(), "{html}");
        assert!(!html.contains("<x>") && !html.contains("root:"), "{html}");
    }
}

fn has_pandoc() -> bool {
    let version = std::process::Command::new("pandoc")
        .arg("--version")
        .output();
    version.is_ok_and(|output| output.status.success())
}

#[test]
fn tex_with_commands_of_its_own_is_converted_where_pandoc_is_installed() {
    let source =
        "\\newenvironment{own}{}{}\\section{Input} Let $x \\in R$.\n\n<script>alert(1)</script>";
    let html = tex_html(source, &images());
    let expected: &[&str] = match has_pandoc() {
        true => &["<h1>Input</h1>", "<math"],
        false => &["<pre class=\"source\">", "newenvironment"],
    };
    contains(&html, expected);
    assert!(!html.contains("<script"), "{html}");
}

#[test]
fn constants_of_the_package_are_replaced() {
    let dir = tempfile::tempdir().expect("a directory");
    let package = dir.path().join("sum");
    for (name, text) in [
        (
            "problem.yaml",
            "problem_format_version: 2025-09\nname: Sum\ntype: pass-fail\nconstants:\n  most: 1000\n",
        ),
        (
            "statement/problem.en.md",
            "At most ${{most}}$, not {{least}}.\n",
        ),
        ("statement/problem.de.tex", "H\u{f6}chstens {{most}}.\n"),
        ("data/sample/1.in", "1\n"),
        ("data/sample/1.ans", "1\n"),
    ] {
        let path = package.join(name);
        std::fs::create_dir_all(path.parent().expect("a directory")).expect("it is created");
        std::fs::write(path, text).expect("it is written");
    }
    let package = Package::read(&package).expect("a package");
    let rendered: Vec<String> = statements(&package.root)
        .iter()
        .map(
            |file| match render(&package, file, "/").expect("it is read") {
                Rendered::Html(html) => html,
                Rendered::Pdf(path) => panic!("{}", path.display()),
            },
        )
        .collect();
    let all = rendered.join("\n");
    contains(
        &all,
        &["<math", "1000", "{{least}}", "H\u{f6}chstens 1000."],
    );
    assert!(!all.contains("{{most}}"), "{all}");
}

#[test]
fn samples_of_a_package() {
    let package = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/tioj1025");
    let package = Package::read(package.as_ref()).unwrap();
    let samples = sample_files(&package);
    assert!(!samples.is_empty());
    assert!(!samples[0].name.contains('/') && !samples[0].cut);
    assert!(!samples[0].input.is_empty() && samples[0].answer.is_some());
}

#[test]
fn tex_that_the_icpcs_format_asks_for_is_converted() {
    let source = "\\begin{Input}\nTwo.\n\\end{Input}\n\\sout{s} \\t{tele} \\textellipsis \\epigraph{Q}{A} {\\bf b} \\it{i} {\\tt a \\em e} plain \
        \\lstinline{a%b} \\lstinline|c{| \\paragraph*{P} \\enquote{q} x\\textsubscript{2} \\ensuremath{x^2} \
        \\begin{quotation}\\bfseries q\\end{quotation}\\begin{longtable}{l}\\bf a\\\\b\\end{longtable} `a' it's \\^{} \\~{} \\bf end\n";
    let html = tex_html(source, &images());
    contains(
        &html,
        &[
            "<h2>Input</h2>",
            "<s>s</s> <code>tele</code> …",
            "<blockquote>Q</blockquote>A",
            "<strong>b</strong> <em>i</em> <code>a <em>e</em></code> plain",
            "<code>a%b</code> <code>c{</code>",
            "<strong>P</strong>",
            "“q” x<sub>2</sub>",
            "‘a’ it’s ^ ~",
            "<math",
            "<blockquote><strong>q</strong></blockquote>",
            "<td>a</td>",
        ],
    );
    assert!(
        html.trim_end().ends_with("end") || html.trim_end().ends_with("end</p>"),
        "{html}"
    );
}

#[test]
fn formulas_with_commands_of_plain_tex_are_shown() {
    for formula in [
        "n \\choose k",
        "{a+1 \\over {b}} \\lt c",
        "\\mathscr{E} \\mbox{if } \\boxed{x}",
        "a \\mod 3 \\tag{1}",
    ] {
        let html = tex_html(&format!("${formula}$\n"), &images());
        assert!(
            html.contains("<math") && !html.contains("math-source"),
            "{formula}: {html}"
        );
    }
    assert!(tex_html("$n \\choose k$", &images()).contains("linethickness"));
    assert!(tex_html("$\\overline{a}$", &images()).contains("<mover"));
    for html in [
        tex_html(
            "$1 \\le a<b$ \\[ \\left< a \\right> \\lt \\text{<c} \\]",
            &images(),
        ),
        markdown("$1 \\le a<b$ and $$\\left< a \\right> \\lt \\text{<c}$$\n"),
    ] {
        assert!(!html.contains("math-source"), "{html}");
        let parts = ["<mo>≤</mo>", "<mo>&lt;</mo>", "&lt;c</mtext>", "⟨"];
        contains(&html, &parts);
    }
}
