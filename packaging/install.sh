#!/bin/sh
# Installs judge @version@: programs, completions, man pages and licences below PREFIX, by default ~/.local.
#
#     sh install.sh               downloads the tarball for this machine, compares its checksum, unpacks it
#     sh install.sh --uninstall   removes the caches, the history and all that was installed
#
# URL is the directory with the tarballs, by default that of the release; file:// works as well.
set -eu

fail() {
    echo "error: $1" >&2
    exit 1
}

# Removes files below the prefix, and directories that are then empty.
remove() {
    for file in $1; do rm -f "$prefix/$file"; done
    for file in $1; do
        (cd "$prefix" && rmdir -p "$(dirname "$file")" 2> /dev/null) || true
    done
}

# Fails unless files can be made in a directory, which may not exist yet.
writable() {
    dir=$1
    until [ -e "$dir" ]; do dir=$(dirname "$dir"); done
    [ -d "$dir" ] && [ -w "$dir" ] ||
        fail "$1 cannot be written to: set PREFIX to a directory of yours, or run this as root"
}

# download ADDRESS FILE
download() {
    case $1 in
        file://*) cp "${1#file://}" "$2" ;;
        *)
            if command -v curl > /dev/null; then
                curl -fsSL -o "$2" "$1"
            elif command -v wget > /dev/null; then
                wget -q -O "$2" "$1"
            else
                fail "neither curl nor wget is installed: install one of them"
            fi
            ;;
    esac
}

# The shell reads all of this before anything runs, so that nothing happens if the script itself is incomplete.
main() {
    prefix=${PREFIX:-$HOME/.local}
    url=${URL:-https://github.com/@repository@/releases/download/v@version@}
    list=$prefix/share/doc/judge/files
    checksums='@checksums@'

    if [ "${1:-}" = --uninstall ]; then
        [ -f "$list" ] || fail "$list does not exist: set PREFIX as when it was installed"
        "$prefix/bin/judge" clean --history || echo "warning: the caches remain" >&2
        remove "$(cat "$list")"
        exit
    fi
    [ $# = 0 ] || fail "unknown argument \`$1\`: without one this installs, and --uninstall removes"

    [ "$(uname -s)" = Linux ] || fail "the programs run on Linux, and this is $(uname -s)"
    file=judge-@version@-$(uname -m)-linux.tar.gz
    sum=$(echo "$checksums" | sed -n "s/  $file\$//p")
    [ -n "$sum" ] || fail "there is no tarball for $(uname -m): build from source"
    for dir in "$prefix" "$prefix/bin" "$prefix/share"; do writable "$dir"; done
    mkdir -p "$prefix"
    # In the file system of the prefix, so that moving the files needs no room.
    temporary=$(mktemp -d "$prefix/.judge.XXXXXX")
    trap 'rm -rf "$temporary"' EXIT
    trap 'exit 1' HUP INT TERM
    download "$url/$file" "$temporary/$file" || fail "failed to download $url/$file: nothing was installed; run this again"
    [ "$(sha256sum < "$temporary/$file" | cut -d ' ' -f 1)" = "$sum" ] ||
        fail "the checksum of $file differs: nothing was installed; download install.sh, and run it again"
    # If the disk is full, tar prints a message for each file.
    said=$(tar -xzf "$temporary/$file" -C "$temporary" --strip-components=1 2>&1) ||
        fail "failed to unpack $file into $prefix: $(echo "$said" | head -n 1): nothing was installed; make room there, and run this again"
    files=$(cat "$temporary/share/doc/judge/files")
    for file in $files; do writable "$(dirname "$prefix/$file")"; done
    # Another version.
    [ ! -f "$list" ] || remove "$(cat "$list")"
    for file in $files; do
        mkdir -p "$(dirname "$prefix/$file")"
        mv -f "$temporary/$file" "$prefix/$file"
    done
    echo "installed judge @version@ into $prefix"
    case :$PATH: in
        *":$prefix/bin:"*) ;;
        *) echo "add it to your search path: export PATH=\"$prefix/bin:\$PATH\"" ;;
    esac
    "$prefix/bin/judge" --version
}

main "$@"
