#!/usr/bin/env bash
# Tries target/dist/install.sh with the files beside it on a local HTTP server: it installs and uninstalls, also with wget, from a
# directory, over another version, and into a prefix with blanks. It refuses a wrong checksum, a file that is incomplete or not there,
# an unknown argument, an architecture without a tarball, a tarball that cannot be unpacked, and a directory that it cannot write to.
set -euo pipefail
cd "$(dirname "$0")/../../target/dist"
work=$(mktemp -d)
chmod 755 "$work"
trap 'kill $server 2> /dev/null || true; rm -rf "$work"' EXIT
python3 -u -m http.server --bind 127.0.0.1 0 > "$work/log" 2>&1 &
server=$!
until grep -q 'http://' "$work/log"; do sleep 0.1; done
url=$(sed -n 's|.*\(http://[0-9.:]*\).*|\1|p' "$work/log")

home=$work/home
mkdir "$home"
installer() { env -i PATH="$path" HOME="$home" URL="$url" "${user[@]}" sh "$script" "$@"; }
# refuses TEXT [ARGUMENT...]: the script fails with this message, and leaves no file.
refuses() {
    local text=$1 output
    shift
    ! output=$(installer "$@" 2>&1) || { echo "error: install.sh succeeds, and should say: $text" >&2; exit 1; }
    grep -qF -- "$text" <<< "$output" || { echo "error: install.sh does not say \`$text\`: $output" >&2; exit 1; }
    leaves_nothing
}
leaves_nothing() {
    local left
    left=$(find "$home" ! -type d -o -name '.judge*')
    [ -z "$left" ] || { echo "error: install.sh leaves $left" >&2; exit 1; }
}
path=$PATH script=install.sh user=()
works() {
    installer
    [ -x "$home/.local/bin/judge-server" ]
    [ -s "$home/.local/share/man/man1/judge-run.1" ]
    installer --uninstall
    leaves_nothing
}

works
refuses 'set PREFIX as when it was installed' --uninstall
# fake NAME SCRIPT: a program that the script finds first.
mkdir "$work/bin"
fake() {
    rm -f "$work/bin"/*
    printf '#!/bin/sh\n%s\n' "$2" > "$work/bin/$1"
    chmod 755 "$work/bin/$1"
    path=$work/bin:$PATH
}

# The search path has no curl.
for program in sh cat sed cut dirname mkdir mktemp mv rm rmdir sha256sum tar gzip uname wget; do
    found=$(command -v $program) && ln -s "$found" "$work/bin/$program"
done
if [ -e "$work/bin/wget" ]; then path=$work/bin works; fi
(url=file://$PWD works)
(home="$work/home with blanks" && mkdir "$home" && works)
# A file that only the other version has.
mkdir -p "$home/.local/bin" "$home/.local/share/doc/judge"
touch "$home/.local/bin/judge-old"
echo bin/judge-old > "$home/.local/share/doc/judge/files"
works

script=$work/install.sh
sed 's|[0-9a-f]\{8\}\([0-9a-f]\{56\}  judge\)|00000000\1|' install.sh > "$script"
refuses 'differs: nothing was installed'
script=install.sh
mkdir "$work/incomplete"
for file in *.tar.gz; do head -c 1000000 "$file" > "$work/incomplete/$file"; done
(url=file://$work/incomplete && refuses 'differs: nothing was installed')
head -c 3000 install.sh > "$work/install.sh"
(script=$work/install.sh && refuses '')
refuses 'unknown argument `--help`' --help
(url=$url/elsewhere && refuses 'failed to download')

fake uname '[ "$1" = -m ] && echo riscv64 || echo Linux'
refuses 'there is no tarball for riscv64'
fake tar "$(command -v tar) \"\$@\"; exit 1"
refuses 'failed to unpack'

# Root may write everywhere.
path=$PATH
chmod 555 "$home"
[ "$(id -u)" != 0 ] || user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
script=$work/install.sh && cp install.sh "$script"
refuses "$home/.local cannot be written to"
echo "install.sh: installs, uninstalls, and refuses what it should"
