#!/usr/bin/env bash
# Builds target/dist/judge-VERSION-x86_64-windows.zip with the programs judge and sudoku, and tries them: on Windows in Git's bash, on
# Linux with the compilers of MinGW-w64 and with Wine. A C++ compiler for Windows has to be in the search path of the programs.
# PROGRAMS=DIR packs the programs in a directory instead of building them.
set -euo pipefail
cd "$(dirname "$0")/../.."
version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' Cargo.toml)
name=judge-$version-x86_64-windows
out=target/dist
python=python3 wine=()
target=()
case $(uname -s) in
    Linux) target=(--target x86_64-pc-windows-gnu) wine=(wine) ;;
    *) python=python ;;
esac
programs=${PROGRAMS:-target/${target[1]:-}/release}
if [ -z "${PROGRAMS:-}" ]; then
    cargo build --release --locked "${target[@]}" -p judge -p sudoku-engines --features sudoku-engines/cli --bin judge --bin sudoku
fi
rm -rf "${out:?}/$name" "$out/$name.zip"
mkdir -p "$out/$name"
cp "$programs"/{judge,sudoku}.exe README.md CHANGELOG.md LICENSE LICENSE-APACHE LICENSE-MIT "$out/$name"
"$python" -m zipfile -c "$out/$name.zip" "$out/$name"

tried=$(mktemp -d)
trap 'rm -rf "$tried"' EXIT
"$python" -m zipfile -e "$out/$name.zip" "$tried"
echo 53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79 |
    "${wine[@]}" "$tried/$name/sudoku.exe" solve | grep '^534678912672195348'
cd judge/dist/portable
"${wine[@]}" "$tried/$name/judge.exe" run sol.cpp | tee "$tried/output"
grep -q 'all accepted' "$tried/output"
echo "$name.zip: works"
