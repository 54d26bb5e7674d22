//! The command in the report that repeats a failing case.

use crate::common::{Bench, again, judge, judge_program, of_judge};
use crate::folder::{SHELL_WRONG, WRONG, samples};
use predicates::str::contains;

/// The command that repeats a failing case works in the folder too.
#[test]
fn a_failing_case_is_repeated_by_the_command_that_the_report_gives() {
    let bench = Bench::new();
    samples(&bench, "test", "out");
    bench.write("sol.py", WRONG);
    let output = judge(&bench).args(["run", "sol.py"]).output();
    let text = String::from_utf8(output.expect("it runs").stdout).expect("text");
    let again = again(". -s sol.py --case 2");
    assert!(text.lines().any(|line| line.trim() == again), "{text}");
    judge(&bench)
        .args(again.split(' ').skip(2))
        .assert()
        .code(1)
        .stdout(contains("0 of 1 case ·"));
}

/// The line is pasted into a shell, in the folder.
#[test]
fn the_command_to_repeat_a_case_selects_that_case_and_program() {
    let bench = Bench::new();
    for name in ["[1]", "1", "a b", "{x,y}", "it's", "*"] {
        bench.write(&format!("mine/{name}.in"), "2 4\n");
        bench.write(&format!("mine/{name}.out"), "6\n");
    }
    for program in ["-dash.sh", "my sol.sh", "$(x).sh"] {
        bench.write(&format!("mine/{program}"), SHELL_WRONG);
        let run = |command: &str| {
            let judge = judge_program();
            let output = of_judge(&bench, "sh")
                .args(["-c", &command.replacen("judge", "\"$JUDGE\"", 1)])
                .env("JUDGE", judge)
                .current_dir(bench.path("mine"))
                .output()
                .expect("a shell");
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            assert_eq!(output.status.code(), Some(1), "{command}: {output:?}");
            text
        };
        let all = run(&format!("judge run -v -- './{program}'"));
        let commands: Vec<&str> = all
            .lines()
            .filter_map(|line| line.trim().strip_prefix("again: "))
            .collect();
        assert_eq!(commands.len(), 6, "{all}");
        for command in commands {
            let once = run(command);
            assert!(once.contains("WA  0 of 1 case ·"), "{command}: {once}");
            assert!(once.contains(&format!("again: {command}\n")), "{once}");
        }
    }
}

/// Also where the package is the current directory.
#[test]
fn the_command_that_repeats_a_case_works_as_printed() {
    let bench = Bench::new();
    bench.sums("time_limit: 0.5, memory: 64, output: 1");
    bench.program("mine", "printf(\"%d\\n\", a + b + (a == 2));");
    for (dir, name, program) in [("", "sums", "mine"), ("sums", ".", "../mine")] {
        let mut command = judge(&bench);
        command
            .args(["run", name, "-s", program])
            .current_dir(bench.path(dir));
        let output = command.output().expect("the judge runs");
        let text = String::from_utf8(output.stdout).expect("reports are UTF-8");
        let again = text
            .lines()
            .find_map(|line| line.trim().strip_prefix("again: judge "));
        let script = format!("exec \"$0\" {}", again.expect("a command"));
        let again = of_judge(&bench, "sh")
            .args(["-c", &script])
            .arg(judge_program())
            .current_dir(bench.path(dir))
            .output()
            .expect("the judge runs");
        let text = String::from_utf8_lossy(&again.stdout).into_owned();
        assert_eq!(again.status.code(), Some(1), "{script}: {text}");
        assert!(text.contains("WA  0 of 1 case ·"), "{script}: {text}");
    }
}
