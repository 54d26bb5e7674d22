//! DMOJ: generators, signatures, files, cases and batches.

use super::{is, judged};
use crate::common::{Bench, judge, run};
use predicates::str::contains;

#[test]
fn a_generator_makes_cases() {
    let bench = Bench::new();
    let package = bench.write_all("p",
        &[
            (
                "init.yml",
                "generator: gen.py\n\
                 test_cases:\n- {generator_args: [3, 'a b', true], points: 40}\n\
                 - {generator_in: seed.txt, points: 60}\n",
            ),
            ("seed.txt", "5\n"),
            (
                "gen.py",
                "import sys\n\
                 if len(sys.argv) == 1:\n    n = int(input())\n\
                 else:\n    assert sys.argv[2:] == ['a b', 'True'], sys.argv\n    n = int(sys.argv[1])\n\
                 print(n, end='\\r\\n')\nsys.stderr.write(str(n * n))\n",
            ),
        ],
    );
    let right = bench.write("right.sh", "read n\nn=${n%$'\\r'}\necho $((n * n))\n");
    is(&judged(&bench, &package, &right), "AC", 100.0);
    let three = bench.write("three.sh", "echo 9\n");
    is(&judged(&bench, &package, &three), "PAC", 40.0);
    let names: Vec<_> = std::fs::read_dir(&package).unwrap().collect();
    assert_eq!(names.len(), 3, "nothing is written into the package");
    // The limits in the package apply to it.
    let init = "generator: {source: gen.py, time_limit: 1, memory_limit: 131072}\n\
                test_cases: [{generator_args: [1], points: 1}]\n";
    let usual = std::fs::read_to_string(package.join("init.yml")).unwrap();
    for (program, said) in [
        ("while True:\n    pass\n", "exceeded its time limit"),
        (
            "x = bytearray(500 << 20)\nfor i in range(0, len(x), 4096):\n    x[i] = 1\n",
            "exceeded its memory limit",
        ),
    ] {
        bench.write("p/init.yml", init);
        bench.write("p/gen.py", program);
        let mut run = judge(&bench);
        run.arg("run").arg(&package).arg("-s").arg(&right);
        run.assert().code(2).stderr(contains(said));
    }
    bench.write("p/init.yml", &usual);
    // The error of a generator that fails names it.
    bench.write("p/gen.py", "raise SystemExit('no such seed')\n");
    run(&bench, &package, &right)
        .assert()
        .code(2)
        .stderr(contains("no such seed"));
}

#[test]
fn a_submission_that_is_a_function_or_uses_files() {
    let bench = Bench::new();
    let package = bench.write_all(
        "p",
        &[
            (
                "init.yml",
                "signature_grader: {entry: handler.c, header: header.h}\n\
                 test_cases: [{in: 1.in, out: 1.out, points: 10}]\n",
            ),
            ("1.in", "4\n"),
            ("1.out", "16\n"),
            ("header.h", "int square(int);\n"),
            (
                "handler.c",
                "#include <stdio.h>\n#include \"header.h\"\n\
                 int main(void) { int n; if (scanf(\"%d\", &n) != 1) return 1; \
                 printf(\"%d\\n\", square(n)); return 0; }\n",
            ),
        ],
    );
    let right = bench.write(
        "right.c",
        "#ifdef SIGNATURE_GRADER\nint square(int n) { return n * n; }\n#endif\n\
         int main(void) { return 1; }\n",
    );
    is(&judged(&bench, &package, &right), "AC", 10.0);
    let other = bench.write("other.sh", "echo 16\n");
    let result = judged(&bench, &package, &other);
    assert_eq!(result.verdict, "CE", "{}", result.said);

    bench.write(
        "p/init.yml",
        "file_io: {input: square.in, output: square.out}\n\
         test_cases: [{in: 1.in, out: 1.out, points: 10}]\n",
    );
    let files = bench.write(
        "files.sh",
        "read n <square.in\necho noise\necho $((n * n)) >square.out\n",
    );
    is(&judged(&bench, &package, &files), "AC", 10.0);
    let streams = bench.write("streams.sh", "read n\necho $((n * n))\n");
    is(&judged(&bench, &package, &streams), "AC", 10.0);
    let wrong = bench.write("wrong.sh", "echo 16\necho 17 >square.out\n");
    is(&judged(&bench, &package, &wrong), "WA", 0.0);
}

#[test]
fn a_case_of_zero_points_gates_later_ones() {
    let bench = Bench::new();
    let package = bench.write_all(
        "p",
        &[
            (
                "init.yml",
                "test_cases:\n- {in: 1.in, out: 1.out, points: 0}\n\
                 - {in: 2.in, out: 2.out, points: 10}\n",
            ),
            ("1.in", "1\n"),
            ("1.out", "1\n"),
            ("2.in", "2\n"),
            ("2.out", "2\n"),
        ],
    );
    let two = bench.write("two.sh", "echo 2\n");
    is(&judged(&bench, &package, &two), "WA", 0.0);
    let one = bench.write("one.sh", "echo 1\n");
    is(&judged(&bench, &package, &one), "WA", 0.0);
    let both = bench.write("both.sh", "cat\n");
    is(&judged(&bench, &package, &both), "AC", 10.0);
}

/// The same input and case name with two answers; keys of a batch apply to its cases.
#[test]
fn cases_may_share_files_and_keys() {
    let bench = Bench::new();
    let package = bench.write_all(
        "p",
        &[
            (
                "init.yml",
                "test_cases:\n- {in: 1.in, out: 1.out, points: 3}\n\
                 - {in: 1.in, out: 2.out, points: 4}\n\
                 - out: 1.out\n  points: 5\n  batched: [{in: 1.in}, {in: 2.in}]\n",
            ),
            ("1.in", "1\n"),
            ("1.out", "1\n"),
            ("2.in", "2\n"),
            ("2.out", "2\n"),
        ],
    );
    let one = bench.write("one.sh", "echo 1\n");
    let result = judged(&bench, &package, &one);
    is(&result, "PAC", 8.0);
    let expected = [
        ("1", "AC"),
        ("1-2", "WA"),
        ("batch1/1", "AC"),
        ("batch1/2", "AC"),
    ];
    assert_eq!(result.verdicts(), expected);
    let two = bench.write("two.sh", "echo 2\n");
    is(&judged(&bench, &package, &two), "PAC", 4.0);
}

#[test]
fn each_line_gives_points() {
    let bench = Bench::new();
    let cases = "test_cases: [{in: 1.in, out: 1.out, points: 8}]\n";
    let package = bench.write_all("p", &[("1.in", "\n"), ("1.out", "a\nb\n\nc\nd\n")]);
    for (checker, output, verdict, score) in [
        ("linecount", "a\\nb\\nc\\nd", "AC", 8.0),
        ("linecount", "a\\nx\\nc\\nd\\n", "PAC", 6.0),
        ("linecount", "x\\nx\\nx\\nx\\n", "WA", 0.0),
        ("linecount", "a\\nb\\nc\\nd\\ne\\n", "WA", 0.0),
        ("linematches", "a\\nx\\nx\\nx\\n", "AC", 1.0),
        ("linematches", "a\\nb\\nc\\nd\\n", "AC", 8.0),
        ("linematches", "a\\nb\\nc\\n", "WA", 0.0),
        ("rstripped", "a  \\nb\\n\\nc\\nd\\n", "AC", 8.0),
        ("rstripped", "a\\nb\\nc\\nd\\n", "WA", 0.0),
        ("rstripped", "a\\nb\\n\\nc\\nd\\n\\n", "WA", 0.0),
        ("rstripped", " a\\nb\\n\\nc\\nd\\n", "WA", 0.0),
        ("filtered", "a\\nb\\nc \\nd\\n\\n", "AC", 8.0),
        ("filtered", "a b\\nc\\nd\\n", "WA", 0.0),
    ] {
        let given = match checker {
            "linematches" => "{name: linematches, args: {point_distribution: [1, 2, 2, 3]}}",
            "filtered" => "{name: rstripped, args: {filter_new_line: true}}",
            name => name,
        };
        bench.write("p/init.yml", &format!("checker: {given}\n{cases}"));
        let program = format!("printf '{output}'\n");
        let result = judged(&bench, &package, &bench.write("mine.sh", &program));
        let found = (result.verdict.as_str(), result.score);
        assert_eq!(found, (verdict, Some(score)), "{checker} {output}");
    }
}

/// A virtual machine exits by itself when its heap, which the judge limits, is full.
#[test]
fn an_out_of_memory_error_of_the_runtime_is_mle() {
    let bench = Bench::new();
    let package = bench.write_all(
        "p",
        &[(
            "init.yml",
            "memory_limit: 256m\ntest_cases: [{points: 1}]\n",
        )],
    );
    let languages = bench.write(
        "languages.toml",
        "[c]\n[[c.with]]\ncompile = 'gcc -o {binary} {files}'\nrun = '{binary}'\n\
         version = 'gcc -dumpversion'\nout-of-memory = 'Runtime: heap is full'\n",
    );
    let ends = |said: &str| {
        format!(
            "#include <stdio.h>\nint main(void) {{ fputs(\"{said}\\n\", stderr); return 1; }}\n"
        )
    };
    let full = bench.write("full.c", &ends("Runtime: heap is full"));
    let other = bench.write("other.c", &ends("Runtime: no such thing"));
    for (program, verdict) in [(&full, "MLE"), (&other, "RTE")] {
        let mut run = judge(&bench);
        run.arg("run").arg(&package).arg("-s").arg(program);
        run.arg("--languages").arg(&languages);
        run.assert().code(1).stdout(contains(verdict));
    }
}

/// `symlinks` are file names for the streams.
#[test]
fn symlinks_name_the_streams() {
    let bench = Bench::new();
    let package = bench.write_all(
        "p",
        &[
            (
                "init.yml",
                "symlinks: {in_link: /dev/stdin, out_link: /dev/stdout}\n\
                 test_cases: [{in: 1.in, out: 1.out, points: 8}]\n",
            ),
            ("1.in", "7\n"),
            ("1.out", "14\n"),
        ],
    );
    for (name, text) in [
        (
            "links.py",
            "open('out_link', 'w').write(str(2 * int(open('in_link').read())))\n",
        ),
        ("plain.py", "print(2 * int(input()))\n"),
    ] {
        let program = bench.write(name, text);
        is(&judged(&bench, &package, &program), "AC", 8.0);
    }
}

#[test]
fn a_memory_limit_in_the_wrong_unit_is_named() {
    let bench = Bench::new();
    let package = bench.write_all(
        "p",
        &[
            (
                "init.yml",
                "memory_limit: 3\ntest_cases: [{in: 1.in, out: 1.out, points: 8}]\n",
            ),
            ("1.in", "7\n"),
            ("1.out", "14\n"),
        ],
    );
    let program = bench.write("double.py", "print(2 * int(input()))\n");
    // Whether the program or its start fails.
    let run = judge(&bench)
        .arg("run")
        .arg(&package)
        .arg("-s")
        .arg(&program)
        .assert()
        .code(1);
    let text = String::from_utf8_lossy(&run.get_output().stdout).into_owned();
    let words: Vec<&str> = text.split_whitespace().collect();
    assert!(
        words.join(" ").contains("is the unit of the limit right?"),
        "{text}"
    );
}

/// The staging directory of a program is gone when its message is read.
#[test]
fn a_program_that_does_not_compile_is_named_by_its_file() {
    let bench = Bench::new();
    let package = bench.write_all(
        "p",
        &[
            (
                "init.yml",
                "interactive: {files: [lib.h, inter.c], type: testlib}\n\
                 test_cases: [{in: 1.in, points: 1}]\n",
            ),
            ("1.in", "1\n"),
            ("lib.h", "\n"),
            ("inter.c", "int main(void) { return nothing; }\n"),
        ],
    );
    let program = bench.write("mine.sh", "cat\n");
    run(&bench, &package, &program)
        .assert()
        .code(2)
        .stderr(contains("p/inter.c: does not compile: inter.c: "));
}
