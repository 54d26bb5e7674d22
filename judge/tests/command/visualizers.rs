//! Images of validators and visualizers, in events, reports and findings.

use crate::common::{Bench, asserted, events, said};
use predicates::str::contains;

/// A package whose validator draws for the team, and whose visualizers draw for the judges.
fn drawn(bench: &Bench) {
    bench.sums("time_limit: 1");
    let programs = [
        (
            "output_validator/check.sh",
            "echo '<svg><text>try again</text></svg>' >\"$3teamimage.svg\"\nread a <\"$2\"\nread b\n\
             [ \"$a\" = \"$b\" ] && exit 42\nexit 43\n",
        ),
        (
            "output_visualizer/draw.sh",
            "read a <\"$2\"\nread b\necho \"<svg><text>$a, not $b, $4</text></svg>\" >\"$3judgeimage-1.svg\"\n\
             echo GIF89a >\"$3judgeimage-2.png\"\n",
        ),
        (
            "input_visualizer/draw.sh",
            "read a <\"$1\"\necho \"<svg><text>case $a $3</text></svg>\" >testcase.svg\n",
        ),
        (
            "data/secret/test_group.yaml",
            "output_visualizer_args: [big]\ninput_visualizer_args: [small]\n",
        ),
        (
            "data/secret/2.svg",
            "<svg><text>drawn before</text></svg>\n",
        ),
        ("data/secret/1.yaml", "input_visualizer_args: [tiny]\n"),
        (
            "submissions/accepted/right.sh",
            "read a b\necho $((a + b))\n",
        ),
        ("submissions/wrong_answer/zero.sh", "echo 0\n"),
    ];
    for (name, text) in programs {
        bench.write(&format!("sums/{name}"), text);
    }
}

fn uri(svg: &str) -> String {
    use base64::Engine;
    let encoded = base64::engine::general_purpose::STANDARD.encode(format!("{svg}\n"));
    format!("data:image/svg+xml;base64,{encoded}")
}

#[test]
fn images_of_a_failed_case_are_in_event_and_report() {
    let bench = Bench::new();
    drawn(&bench);
    let args = [
        "run",
        "sums",
        "-s",
        "sums/submissions/wrong_answer/zero.sh",
        "--html",
        "out.html",
        "--format",
        "json",
    ];
    let run = asserted(&bench, &args).code(1);
    let events = events(&run.get_output().stdout);
    let images = |case: &str| {
        let mut cases = events
            .iter()
            .filter(|event| event["event"] == "case_finished");
        let case = cases.find(|event| event["case"] == case);
        case.expect("the case ran")["details"]["images"].clone()
    };
    let validator = serde_json::json!({
        "name": "teamimage.svg", "for_team": true, "uri": uri("<svg><text>try again</text></svg>"),
    });
    let of_case = |name: &str, case: &str, output: &str| {
        serde_json::json!([
            {"name": name, "for_team": false, "uri": uri(case)},
            {"name": "judgeimage-1.svg", "for_team": false, "uri": uri(output)},
            {"name": "judgeimage-2.png", "for_team": false},
            validator,
        ])
    };
    let output = |a: &str| format!("<svg><text>{a}, not 0, big</text></svg>");
    let expected = [
        (
            "secret/1",
            of_case(
                "testcase.svg",
                "<svg><text>case 1 4 tiny</text></svg>",
                &output("5"),
            ),
        ),
        (
            "secret/2",
            of_case(
                "2.svg",
                "<svg><text>drawn before</text></svg>",
                &output("6"),
            ),
        ),
        (
            "secret/3",
            of_case(
                "testcase.svg",
                "<svg><text>case 3 4 small</text></svg>",
                &output("7"),
            ),
        ),
    ];
    for (case, expected) in expected {
        assert_eq!(images(case), expected, "{case}");
    }
    let page = bench.read("out.html");
    let image = format!(
        "<img src=\"{}\" alt=\"judgeimage-1.svg\">",
        uri(&output("5"))
    );
    for part in [
        &image[..],
        "teamimage.svg, also for the team",
        "judgeimage-2.png: left out",
        "img-src data:",
    ] {
        assert!(page.contains(part), "no {part} in {page}");
    }
}

#[test]
fn an_export_to_the_same_format_keeps_visualizers() {
    let bench = Bench::new();
    drawn(&bench);
    let args = [
        "export",
        "sums",
        "--to",
        "icpc-2025-09",
        "-o",
        "again",
        "--strict",
    ];
    asserted(&bench, &args).success();
    for name in [
        "input_visualizer/draw.sh",
        "output_visualizer/draw.sh",
        "data/secret/2.svg",
    ] {
        assert_eq!(
            bench.read(&format!("again/{name}")),
            bench.read(&format!("sums/{name}"))
        );
    }
    let settings = bench.read("again/data/secret/1.yaml");
    for line in [
        "input_visualizer_args: [\"tiny\"]\n",
        "output_visualizer_args: [\"big\"]\n",
    ] {
        assert!(settings.contains(line), "{settings}");
    }
    let args = ["export", "sums", "--to", "icpc-legacy", "-o", "old"];
    let done = asserted(&bench, &args).success();
    assert!(said(done.get_output()).contains("left out: the visualizers\n"));
}

#[test]
fn visualizers_that_fail_change_no_verdict_and_are_findings() {
    let bench = Bench::new();
    drawn(&bench);
    let verify = |visualizer: [&str; 2]| {
        let [dir, text] = visualizer;
        bench.write(&format!("sums/{dir}/draw.sh"), text);
        said(asserted(&bench, &["verify", "sums"]).get_output())
    };
    let good = verify(["input_visualizer", "echo '<svg></svg>' >testcase.svg\n"]);
    assert!(
        good.contains("draws judgeimage-2.png of the answer of sample/1"),
        "{good}"
    );
    assert!(!good.contains("visualizer fails"), "{good}");
    // Without images of its own.
    bench.write(
        "sums/output_validator/check.sh",
        "read a <\"$2\"\nread b\n[ \"$a\" = \"$b\" ] && exit 42\nexit 43\n",
    );
    for (visualizer, expected) in [
        (
            ["input_visualizer", "echo broken >&2\nexit 3\n"],
            "fails on sample/1: exit code 3: broken",
        ),
        (
            ["input_visualizer", "exit 0\n"],
            "draws nothing for sample/1",
        ),
        (
            ["output_visualizer", "echo >\"$3score.txt\"\n"],
            "draws nothing for the answer of sample/1",
        ),
    ] {
        let found = verify(visualizer);
        assert!(found.contains(expected), "{found}");
    }
    bench.write("sums/input_visualizer/draw.sh", "exit 1\n");
    asserted(
        &bench,
        &[
            "run",
            "sums",
            "-s",
            "sums/submissions/wrong_answer/zero.sh",
            "--html",
            "out.html",
        ],
    )
    .code(1)
    .stdout(contains("WA"));
}
