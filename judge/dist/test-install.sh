#!/usr/bin/env bash
# Tries target/dist/install.sh with the files beside it on a local HTTP server: it installs and uninstalls, and refuses a wrong
# checksum, an architecture without a tarball, a file that is not there, and a directory that it cannot write to.
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
    left=$(find "$home" ! -type d)
    [ -z "$left" ] || { echo "error: install.sh leaves $left" >&2; exit 1; }
}
path=$PATH script=install.sh user=()

installer
[ -x "$home/.local/bin/judge-server" ] && [ -s "$home/.local/share/man/man1/judge-run.1" ]
installer --uninstall
leaves_nothing
refuses 'set PREFIX as when it was installed' --uninstall

script=$work/install.sh
sed 's|[0-9a-f]\{8\}\([0-9a-f]\{56\}  judge\)|00000000\1|' install.sh > "$script"
refuses 'differs: nothing was installed'
script=install.sh url=$url/elsewhere
refuses 'failed to download'

mkdir "$work/bin"
printf '#!/bin/sh\n[ "$1" = -m ] && echo riscv64 || echo Linux\n' > "$work/bin/uname"
chmod 755 "$work/bin/uname"
path=$work/bin:$PATH
refuses 'there is no tarball for riscv64'

# Root may write everywhere.
path=$PATH
chmod 555 "$home"
[ "$(id -u)" != 0 ] || user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
script=$work/install.sh && cp install.sh "$script"
refuses "$home/.local cannot be written to"
echo "install.sh: installs, uninstalls, and refuses what it should"
