#!/bin/sh
# Installs judge @version@: programs, completions, man pages and licences below PREFIX, by default ~/.local.
#
#     sh install.sh               downloads the tarball for this machine, compares its checksum, unpacks it
#     sh install.sh --uninstall   removes the caches, the history and all that was installed
#
# URL is the directory with the tarballs, by default that of the release; file:// works as well.
set -eu

prefix=${PREFIX:-$HOME/.local}
url=${URL:-https://github.com/@repository@/releases/download/v@version@}
list=$prefix/share/doc/judge/files
checksums='@checksums@'

fail() {
    echo "error: $1" >&2
    exit 1
}

if [ "${1:-}" = --uninstall ]; then
    [ -f "$list" ] || fail "$list does not exist: set PREFIX as when it was installed"
    "$prefix/bin/judge" clean --history || echo "warning: the caches remain" >&2
    files=$(cat "$list")
    for file in $files; do rm -f "$prefix/$file"; done
    for file in $files; do
        (cd "$prefix" && rmdir -p "$(dirname "$file")" 2> /dev/null) || true
    done
    exit
fi

[ "$(uname -s)" = Linux ] || fail "the programs run on Linux, and this is $(uname -s)"
file=judge-@version@-$(uname -m)-linux.tar.gz
sum=$(echo "$checksums" | sed -n "s/  $file\$//p")
[ -n "$sum" ] || fail "there is no tarball for $(uname -m): build from source"
mkdir -p "$prefix" 2> /dev/null || true
for dir in "$prefix" "$prefix/bin" "$prefix/share"; do
    [ "$dir" != "$prefix" ] && [ ! -e "$dir" ] || [ -w "$dir" ] ||
        fail "$dir cannot be written to: set PREFIX to a directory of yours, or run this as root"
done
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
if command -v curl > /dev/null; then
    curl -fsSL -o "$temporary/$file" "$url/$file" || fail "failed to download $url/$file"
elif command -v wget > /dev/null; then
    wget -q -O "$temporary/$file" "$url/$file" || fail "failed to download $url/$file"
else
    fail "neither curl nor wget is installed: install one of them"
fi
[ "$(sha256sum < "$temporary/$file" | cut -d ' ' -f 1)" = "$sum" ] || fail "the checksum of $file differs: nothing was installed"
tar -xzf "$temporary/$file" -C "$prefix" --strip-components=1
echo "installed judge @version@ into $prefix"
case :$PATH: in
    *":$prefix/bin:"*) ;;
    *) echo "add it to your search path: export PATH=\"$prefix/bin:\$PATH\"" ;;
esac
"$prefix/bin/judge" --version
