//! Tests with one program per language, which reads a number, and writes its double and the first
//! argument.

use super::support::{Bench, ready, run};
use judge_sandbox::Exit;

/// The expected output of every program for 21 and the argument `x y`.
const WANTED: &str = "42 x y\n";

#[rustfmt::skip]
const PROGRAMS: &[(&str, &str)] = &[
    ("a.c", "#include <stdio.h>\nint main(int c, char**v){int n;scanf(\"%d\",&n);printf(\"%d %s\\n\",2*n,v[1]);}"),
    ("a.cc", "#include <bits/stdc++.h>\nint main(int c, char**v){int n;std::cin>>n;std::cout<<2*n<<' '<<v[1]<<'\\n';}"),
    ("a.rs", "use std::io::Read;\nfn main(){let mut s=String::new();std::io::stdin().read_to_string(&mut s).unwrap();println!(\"{} {}\",2*s.trim().parse::<i32>().unwrap(),std::env::args().nth(1).unwrap());}"),
    ("a.py", "import sys\nprint(2*int(input()), sys.argv[1])"),
    ("a.java", "import java.util.*;\npublic class Solution { static class Inner {} public static void main(String[] a) { System.out.println(2*new Scanner(System.in).nextInt()+\" \"+a[0]); } }"),
    ("a.js", "const n = Number(require('fs').readFileSync(0, 'utf8'));\nconsole.log(2*n, process.argv[2]);"),
    ("a.ts", "declare var require: any, process: any;\nconst n: number = Number(require('fs').readFileSync(0, 'utf8'));\nprocess.stdout.write(`${2*n} ${process.argv[2]}\\n`);"),
    ("a.pl", "use strict;\nmy $n = <STDIN>;\nprint 2*$n, \" $ARGV[0]\\n\";"),
    ("a.sh", "read n\necho \"$((2*n)) $1\""),
    ("a.kt", "fun main(args: Array<String>) { println(\"${2*readLine()!!.trim().toInt()} ${args[0]}\") }"),
    ("a.go", "package main\nimport (\"fmt\"; \"os\")\nfunc main() { var n int; fmt.Scan(&n); fmt.Println(2*n, os.Args[1]) }"),
    ("a.hs", "import System.Environment\nmain = do { [a] <- getArgs; n <- readLn; putStrLn (show (2*n) ++ \" \" ++ a) }"),
    ("a.cs", "using System;\nclass P { static void Main(string[] a) { Console.WriteLine(2*int.Parse(Console.ReadLine())+\" \"+a[0]); } }"),
    ("a.pas", "var n: longint;\nbegin read(n); writeln(2*n, ' ', paramstr(1)); end."),
    ("a.ml", "let () = Scanf.scanf \" %d\" (fun n -> Printf.printf \"%d %s\\n\" (2*n) Sys.argv.(1))"),
    ("a.rb", "n = $stdin.gets.to_i\nputs \"#{2*n} #{ARGV[0]}\""),
    ("a.lua", "local n = io.read('n')\nprint(string.format('%d %s', 2*n, arg[1]))"),
    ("a.jl", "n = parse(Int, readline())\nprintln(2n, \" \", ARGS[1])"),
    ("a.php", "<?php $n = intval(fgets(STDIN)); echo 2*$n, ' ', $argv[1], \"\\n\";"),
    ("a.awk", "BEGIN { x = ARGV[1]; delete ARGV[1] } { print 2*$1, x }"),
    ("a.f90", "program p\ninteger :: n\ncharacter(9) :: a\nread *, n\ncall get_command_argument(1, a)\nwrite(*,'(I0,A,A)') 2*n, ' ', trim(a)\nend program"),
];

#[test]
fn programs_of_every_installed_language_run() {
    let bench = Bench::new();
    let mut ran = Vec::new();
    for (name, text) in PROGRAMS {
        let path = bench.source(&[(name, text)]);
        let Some(program) = ready(bench.build(&path)) else {
            continue;
        };
        let (execution, output) = run(&program, &["x y"], "21\n");
        assert_eq!(
            (execution.exit, output.as_str()),
            (Exit::Code(0), WANTED),
            "{name}"
        );
        ran.push(program.language.unwrap_or_default());
    }
    // Building the judge requires a C compiler and rustc, and its users need Python, so all three
    // must be installed.
    for language in ["C", "Rust", "Python 3"] {
        assert!(
            ran.iter().any(|name| name == language),
            "{language} is not among {ran:?}"
        );
    }
}
