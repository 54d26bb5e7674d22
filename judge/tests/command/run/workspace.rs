//! `judge run` over crates of a workspace.

use super::LIMITS;
use crate::common::{Bench, judge_program, of_judge, said};
use std::process::Stdio;

/// `judge run` over a workspace crate whose `main` has this body; on a terminal or not.
fn run_crate(body: &str, on_terminal: bool) -> String {
    let bench = Bench::new();
    bench.workspace();
    bench.crate_of_workspace("sums", &format!("fn main() {{ {body} }}\n"));
    bench.sums_for("sums", LIMITS);
    let judge = judge_program();
    let mut command = match on_terminal {
        true => {
            let mut command = of_judge(&bench, "script");
            let words = format!("{} run sums --color never", judge.display());
            command.args(["-qec", &words, "/dev/null"]);
            command
        }
        false => {
            let mut command = of_judge(&bench, judge);
            command.args(["run", "sums"]);
            command
        }
    };
    let output = command
        .stdin(Stdio::null())
        .env_remove("CARGO_TARGET_DIR")
        .env("CARGO_TERM_COLOR", "never")
        .output()
        .expect("it is started");
    said(&output)
}

#[test]
fn a_terminal_shows_the_progress_of_cargo() {
    let sum = "let text = std::io::read_to_string(std::io::stdin()).unwrap(); \
               println!(\"{}\", text.split_whitespace().map(|w| w.parse::<i32>().unwrap()).sum::<i32>());";
    let text = run_crate(sum, false);
    assert!(
        text.contains("4 of 4 cases") && !text.contains("Compiling"),
        "{text}"
    );
    if std::process::Command::new("script")
        .arg("--version")
        .output()
        .is_err()
    {
        println!("skipped: no `script`");
        return;
    }
    let text = run_crate(sum, true);
    assert!(
        text.contains("4 of 4 cases") && text.contains("Compiling sums"),
        "{text}"
    );
    // The compiler's message is in the report, not lost on the terminal.
    let text = run_crate("let x: i32 = \"\";", true);
    assert!(text.contains("CE  0 of 4 cases"), "{text}");
    assert_eq!(text.matches("mismatched types").count(), 1, "{text}");
}
