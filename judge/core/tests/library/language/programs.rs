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

/// Programs as people submit them elsewhere: the name of the file, the text, the output for `1 2`.
#[rustfmt::skip]
const TEMPLATES: &[(&str, &str)] = &[
    // The macro or property that judges define.
    ("Main.java", "import java.util.*;\nimport java.io.*;\npublic class Main { public static void main(String[] x) throws Exception { if (System.getProperty(\"ONLINE_JUDGE\") == null) System.setIn(new FileInputStream(\"in.txt\")); Scanner s = new Scanner(System.in); System.out.println(s.nextInt() + s.nextInt()); } }"),
    ("a.cs", "using System;\nclass P { unsafe static void Main() {\n#if !ONLINE_JUDGE\nConsole.SetIn(new System.IO.StreamReader(\"in.txt\"));\n#endif\nvar s = Console.ReadLine().Split(); int x = int.Parse(s[0]); int* p = &x; Console.WriteLine(*p + int.Parse(s[1])); } }"),
    ("a.dpr", "{$APPTYPE CONSOLE}\nvar a, b: longint;\nbegin\n{$IFNDEF ONLINE_JUDGE} assign(input, 'in.txt'); reset(input); {$ENDIF}\nread(a, b); writeln(a + b) end."),
    ("a.hs", "{-# LANGUAGE CPP #-}\nmain :: IO ()\n#ifdef ONLINE_JUDGE\nmain = getLine >>= print . sum . map read . words\n#endif\n"),
    ("a.rs", "fn main() { let mut s = String::new(); if cfg!(ONLINE_JUDGE) { std::io::stdin().read_line(&mut s).unwrap(); } println!(\"{}\", s.split_whitespace().map(|x| x.parse::<i32>().unwrap()).sum::<i32>()); }"),
    // Names that are not names of modules.
    ("1-a.d", "import std.stdio;\nversion (ONLINE_JUDGE) {} else { static assert(0); }\nvoid main() { int a, b; readf(\" %d %d\", &a, &b); writeln(a + b); }"),
    ("1.nim", "import strutils, sequtils\nlet v = stdin.readLine.split.map(parseInt)\necho v[0] + v[1]"),
    ("my sol.nim", "import strutils, sequtils\nlet v = stdin.readLine.split.map(parseInt)\necho v[0] + v[1]"),
    ("sol_test.go", "package main\nimport \"fmt\"\nfunc main() { var a, b int; fmt.Scan(&a, &b); fmt.Println(a + b) }"),
    // Deep recursion.
    ("a.js", "const f = x => x == 0 ? 0 : f(x - 1) + 1;\nconst [a, b] = require('fs').readFileSync(0, 'utf8').split(' ').map(Number);\nconsole.log(f(100000) - 100000 + a + b);"),
    ("a.rb", "def f(x) x == 0 ? 0 : f(x - 1) + 1 end\na, b = gets.split.map(&:to_i)\nputs f(100000) - 100000 + a + b"),
    ("a.lisp", "(defun f (x) (if (= x 0) 0 (+ 1 (f (- x 1)))))\n(format t \"~d~%\" (+ (read) (read) (f 100000) -100000))"),
    // Modules and functions of the runtime, without its packages of declarations and settings.
    ("a.ts", "import * as fs from 'fs';\nimport assert from 'node:assert';\nconst [a, b] = fs.readFileSync(0, 'utf8').split(' ').map(Number);\nassert(true);\nconsole.log(a + b);"),
    ("b.ts", "import { createInterface, Interface } from 'readline';\nconst rl: Interface = createInterface({ input: process.stdin });\nrl.on('line', (line) => { const [a, b] = line.split(' ').map(Number); console.log(a + b); });"),
    ("c.ts", "declare const require: any;\ndeclare function readline(): string;\nconst [a, b]: number[] = require('fs').readFileSync(0, 'utf8').split(' ').map(Number);\nconsole.log(a + b);"),
    ("a.php", "<?php echo array_sum(explode(' ', readline()));"),
    ("a.f", "      program a\n      integer x, y\n      read(*,*) x, y\n      print '(I0)', x + y\n      end\n"),
    ("a.lhs", "> main :: IO ()\n> main = getLine >>= print . sum . map read . words\n"),
    ("a.pl", "$_=`cat`;/ /;print$`+$'"),
];

#[test]
fn programs_that_other_judges_accept_run() {
    let bench = Bench::new();
    for (name, text) in TEMPLATES {
        let path = bench.source(&[(name, text)]);
        if let Some(program) = ready(bench.build(&path)) {
            let (execution, output) = run(&program, &[], "1 2\n");
            assert_eq!(
                (execution.exit, output.trim()),
                (Exit::Code(0), "3"),
                "{name}"
            );
        }
    }
}
