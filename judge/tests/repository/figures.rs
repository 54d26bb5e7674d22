//! docs/figures.md and its charts show the measurements of `benches/record/`: `make figures` writes them again.

mod chart;

use chart::Chart;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// Where the numbers of a figure are in its record.
enum Source {
    /// The table whose first line begins so: the column of the labels, and those of the series.
    Table {
        header: &'static str,
        columns: &'static [usize],
    },
    /// The first block in which `== SET` is followed by a line `SERIES ... ratio NUMBER` for each solver.
    Solvers,
}

/// A chart.
struct Figure {
    /// The name of its file.
    name: &'static str,
    title: &'static str,
    says: &'static str,
    /// Meaning of the value 1.
    one: &'static str,
    series: &'static [&'static str],
    record: &'static str,
    source: Source,
    /// Day and machine, in the words of the record.
    measured: &'static str,
    /// Measures it again, in the words of the record or the Makefile.
    command: &'static str,
}

const FIGURES: [Figure; 8] = [
    Figure {
        name: "overhead",
        title: "A judged case, and the program alone",
        says: "CPU time of everything that judges a case (box, limits, measurement, comparison, report), as a multiple of the program \
               alone: vfork, exec and wait4 over the same inputs. A program without a C library takes 50 microseconds, so that the same \
               microseconds are a larger share.",
        one: "the program alone",
        series: &["static program", "without a C library"],
        record: "judging.md",
        source: Source::Table {
            header: "| day and machine |",
            columns: &[1, 2],
        },
        measured: "22 to 29 November 2026, two cores of virtual machines",
        command: "cargo bench -p judge --bench overhead",
    },
    Figure {
        name: "isolate",
        title: "A judged case, by isolate and by the judge",
        says: "CPU time and wall time of a case, as a multiple of the program alone. isolate 1.10.1 without control groups is one command \
               for each case in a box that is created once; what starts it and compares the outputs is not counted. `judge run` keeps its \
               box and a process that starts programs, and also compares and reports.",
        one: "the program alone",
        series: &["isolate", "judge"],
        record: "judging.md",
        source: Source::Table {
            header: "| against isolate |",
            columns: &[1, 2],
        },
        measured: "27 November 2026, 14:36. Two busy cores of a virtual machine (AMD EPYC)",
        command: "cargo bench -p judge --bench overhead",
    },
    Figure {
        name: "dmoj",
        title: "A judged case, by DMOJ's judge and by the judge",
        says: "Time of a case of DMOJ's judge 4.1.0, as a multiple of that of `judge run`, over the same source and the same 200 cases; \
               the start and the compilation are not counted.",
        one: "the judge",
        series: &["DMOJ's judge"],
        record: "judging.md",
        source: Source::Table {
            header: "| against DMOJ |",
            columns: &[1],
        },
        measured: "29 November 2026, 05:49: AMD EPYC, two cores of a virtual machine",
        command: "cargo bench -p judge --bench overhead",
    },
    Figure {
        name: "cores",
        title: "Cases a second by jobs on sixteen cores",
        says: "As a multiple of one job, for a static program; beside it as many processes that run the program without a judge, as a \
               multiple of one.",
        one: "one job",
        series: &["judged", "without a judge"],
        record: "judging.md",
        source: Source::Table {
            header: "| jobs | static program, judged |",
            columns: &[1, 2],
        },
        measured: "27 November 2026, a virtual Intel Xeon with 16 cores",
        command: "cargo bench -p judge --bench overhead",
    },
    Figure {
        name: "submissions",
        title: "Judged submissions a second through the server",
        says: "60 submissions with ten cases each, sent by HTTP and judged by one, two or four worker processes through NATS, as a multiple of the \
               throughput of `judge run` with as many jobs.",
        one: "judge run",
        series: &["server"],
        record: "nats.md",
        source: Source::Table {
            header: "| worker processes on two cores |",
            columns: &[3],
        },
        measured: "23 November 2026, 11:57. Two cores of a virtual machine (AMD EPYC)",
        command: "cargo bench -p judge-server --bench serve -- nats",
    },
    Figure {
        name: "verify",
        title: "Time of judge verify",
        says: "As a multiple of the time of problemtools' `verifyproblem PACKAGE -p submissions`, which does not check the data.",
        one: "problemtools",
        series: &["judge verify"],
        record: "verify.md",
        source: Source::Table {
            header: "| package | submissions |",
            columns: &[4],
        },
        measured: "22 November 2026, two cores of a shared virtual machine",
        command: "judge verify PACKAGE",
    },
    Figure {
        name: "engines",
        title: "9x9 engines and other solvers",
        says: "Time per puzzle, as a multiple of the fastest other solver on the same set of puzzles: the crate `sudoku`, tdoku and \
               fsss2. `batch` solves puzzles side by side, `wide` one after the other. The program that ran the other solvers is not \
               kept: the command measures the engines alone.",
        one: "the fastest other solver",
        series: &["batch", "wide", "crate", "tdoku", "fsss2"],
        record: "9x9.md",
        source: Source::Solvers,
        measured: "21 November 2026. Machine: two cores of an AMD EPYC with AVX-512",
        command: "cargo bench --bench engines",
    },
    Figure {
        name: "variants",
        title: "Puzzles with other rules",
        says: "Time to the proof that the solution is the only one, by the engine `houses`, as a multiple of CaDiCaL's. \
               The command measures the engines alone.",
        one: "CaDiCaL",
        series: &["houses"],
        record: "variants.md",
        source: Source::Table {
            header: "| kind | givens |",
            columns: &[10],
        },
        measured: "29 November 2026: AMD EPYC (Zen 4), two cores of a quiet shared virtual machine",
        command: "cargo bench --bench variants",
    },
];

/// A row of a chart: its label, and a value for each series.
type Row = (String, Vec<Option<f64>>);

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// The cells of the lines of the table whose first line begins with `header`.
fn table<'t>(text: &'t str, header: &str) -> Vec<Vec<&'t str>> {
    let mut lines = text.lines().skip_while(|line| !line.starts_with(header));
    assert!(lines.next().is_some(), "no table begins with {header}");
    let lines = lines.skip(1).take_while(|line| line.starts_with('|'));
    let cells = |line: &'t str| line.trim_matches('|').split('|').map(str::trim).collect();
    lines.map(cells).collect()
}

/// The blocks of solvers: the name of each set, and the ratio of each series.
fn solvers(text: &str, series: &[&str]) -> Vec<Row> {
    let block = text.split("```").find(|block| block.contains("\n== "));
    let sets = block.expect("a block of solvers").split("\n== ").skip(1);
    let row = |set: &str| {
        let name = set.split([' ', '.']).next().unwrap_or_default().to_owned();
        let ratio = |series: &&str| {
            let line = set
                .lines()
                .find(|line| line.split(' ').next() == Some(series))?;
            let (_, after) = line.split_once(" ratio ")?;
            after.split(' ').next()?.parse().ok()
        };
        (name, series.iter().map(ratio).collect())
    };
    sets.map(row).collect()
}

impl Figure {
    /// The rows that have a value.
    fn rows(&self) -> Vec<Row> {
        let record = read(&format!("benches/record/{}", self.record));
        let mut rows = match self.source {
            Source::Table { header, columns } => {
                let row = |cells: Vec<&str>| {
                    let value = |&column: &usize| cells.get(column)?.parse().ok();
                    let label = cells[0].replace('`', "");
                    (label, columns.iter().map(value).collect())
                };
                table(&record, header).into_iter().map(row).collect()
            }
            Source::Solvers => solvers(&record, self.series),
        };
        rows.retain(|(_, values): &Row| values.iter().any(Option::is_some));
        assert!(rows.len() > 1, "{}: {} rows", self.name, rows.len());
        rows
    }

    fn svg(&self) -> String {
        let rows = self.rows();
        let chart = Chart {
            title: self.title,
            series: self.series,
            rows: &rows,
            one: self.one,
        };
        chart.svg()
    }

    /// The section of the page.
    fn section(&self) -> String {
        format!(
            "## {title}\n\n{says}\n\n![{title}](figures/{name}.svg)\n\n\
             {measured}. Again: `{command}`. Record: `benches/record/{record}`.\n\n",
            title = self.title,
            says = self.says,
            name = self.name,
            measured = capitalised(self.measured),
            command = self.command,
            record = self.record,
        )
    }
}

fn capitalised(text: &str) -> String {
    let (first, rest) = text.split_at(1);
    first.to_uppercase() + rest
}

/// The section about killed processes: sums over the table.
fn kills() -> String {
    let record = read("benches/record/nats.md");
    let rows = table(&record, "| command | runs | submissions |");
    let sum = |column: usize| -> u64 {
        let cells = rows.iter().map(|cells| cells[column]);
        let numbers = cells.flat_map(|cell| cell.split(", "));
        numbers
            .map(|number| number.replace(',', "").parse::<u64>().expect("a number"))
            .sum()
    };
    format!(
        "## Killed servers and workers\n\n\
         {} cases of {} submissions were judged while server, nats-server and workers were killed {} times by SIGKILL, and workers were \
         stopped or replaced {} times. No result was lost, and none was counted twice.\n\n\
         23 November 2026, two cores of a virtual machine. Again: `make faults`. Record: `benches/record/nats.md`.\n",
        grouped(sum(1)),
        grouped(sum(2)),
        grouped(sum(4)),
        grouped(sum(5)),
    )
}

/// A number with a comma between thousands.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (k, digit) in digits.chars().enumerate() {
        if k > 0 && (digits.len() - k).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The page and the charts, each with its path.
fn files() -> Vec<(String, String)> {
    let mut page = "# Figures\n\n\
        Every bar is a ratio to a rival or to a floor, measured in turn on one machine; shorter is better for times, longer for throughput. \
        [Benchmarks](benchmarks.md) lists the commands that measure them again, and the repository's `benches/record/` has the numbers, the \
        machines and the conditions. `make figures` draws this page from there.\n\n"
        .to_owned();
    for figure in &FIGURES {
        page += &figure.section();
    }
    page += &kills();
    let charts = FIGURES.iter();
    let charts = charts.map(|figure| (format!("docs/figures/{}.svg", figure.name), figure.svg()));
    charts
        .chain([("docs/figures.md".to_owned(), page)])
        .collect()
}

#[test]
fn the_figures_show_the_records() {
    let update = std::env::var_os("UPDATE_FIGURES").is_some();
    let mut outdated = String::new();
    for (path, text) in files() {
        let file = root().join(&path);
        if update {
            fs::create_dir_all(file.parent().expect("docs")).expect("a directory");
            fs::write(&file, &text).expect("write the figure");
        }
        if fs::read_to_string(&file).ok() != Some(text) {
            let _ = write!(outdated, " {path}");
        }
    }
    assert!(
        outdated.is_empty(),
        "run `make figures`, and look at{outdated}"
    );
}

#[test]
fn machine_and_command_of_a_figure_are_those_of_its_record() {
    for figure in &FIGURES {
        let record = read(&format!("benches/record/{}", figure.record));
        let folded: Vec<&str> = record.split_whitespace().collect();
        let folded = folded.join(" ");
        for words in [figure.measured, figure.command] {
            assert!(folded.contains(words), "{}: {words}", figure.record);
        }
    }
}
