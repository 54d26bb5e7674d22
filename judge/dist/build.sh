#!/usr/bin/env bash
# Builds target/dist/judge-VERSION-ARCH-linux.tar.gz and judge_VERSION_ARCH.deb around static judge and sudoku programs, and tests both:
# for the architectures in the arguments; by default for this machine's, and for aarch64 if its musl target is installed.
set -euo pipefail
cd "$(dirname "$0")/../.."

version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' Cargo.toml)
out=target/dist
# A fixed timestamp makes the archives reproducible.
time=@${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}

installed() { [ -d "$(rustc --print sysroot)/lib/rustlib/$1-unknown-linux-musl" ]; }

# Builds and tests the files for an architecture: x86_64 or aarch64.
dist() {
    local arch=$1 target=$1-unknown-linux-musl
    local options=() flags=
    if ! installed "$arch"; then
        # Falls back to static glibc if the musl target is not installed.
        target=$arch-unknown-linux-gnu
        flags='-C target-feature=+crt-static'
    elif [ "$arch" != "$(uname -m)" ]; then
        # The system's linker supports only the host architecture.
        options=(--config "target.$target.linker='rust-lld'")
    fi
    local package
    for package in judge sudoku-engines; do
        [ $package = judge ] || options+=(--features cli)
        RUSTFLAGS="$flags" cargo build --release --locked --target "$target" --target-dir "$out" \
            --config 'profile.release.strip=true' "${options[@]}" -p $package --bin $package
    done

    # The archive has the layout of a prefix: unpack it into /usr/local or ~/.local.
    local name=judge-$version-$arch-linux
    local tree=$out/$name
    rm -rf "$tree" "$out/deb"
    install -Dm755 -t "$tree/bin" "$out/$target/release/judge" "$out/$target/release/sudoku"
    cargo run -q --locked -p judge-dist -- "$tree"
    install -Dm644 -t "$tree/share/doc/judge" README.md CHANGELOG.md LICENSE LICENSE-APACHE LICENSE-MIT docs/packages.md docs/sandbox.md
    tar -C "$out" --sort=name --owner=0 --group=0 --numeric-owner --mtime="$time" -cf - "$name" | gzip -9n > "$out/$name.tar.gz"
    local made=("$out/$name.tar.gz")

    if command -v dpkg-deb > /dev/null; then
        local debian=amd64
        [ "$arch" = x86_64 ] || debian=arm64
        mkdir -p "$out/deb/DEBIAN"
        cp -r "$tree" "$out/deb/usr"
        gzip -9nr "$out/deb/usr/share/man"
        # Ubuntu lets only programs with a profile create user namespaces.
        install -Dm644 judge/dist/deb/apparmor "$out/deb/etc/apparmor.d/judge"
        install -m755 -t "$out/deb/DEBIAN" judge/dist/deb/postinst judge/dist/deb/postrm
        echo /etc/apparmor.d/judge > "$out/deb/DEBIAN/conffiles"
        cat > "$out/deb/DEBIAN/control" <<CONTROL
Package: judge
Version: $version
Architecture: $debian
Maintainer: the authors of judge <judge@localhost>
Section: devel
Priority: optional
Recommends: g++, python3
Description: local judge for competitive programmers
 Runs a program over a problem's test data, in a sandbox, under the problem's
 time and memory limits, and prints the verdict that an online judge would give.
 The command sudoku solves, counts, rates and generates puzzles.
CONTROL
        SOURCE_DATE_EPOCH=${time#@} dpkg-deb --root-owner-group --build "$out/deb" "$out/judge_${version}_$debian.deb" > /dev/null
        made+=("$out/judge_${version}_$debian.deb")
    fi
    local file
    for file in "${made[@]}"; do judge/dist/test.sh "$file"; done
    ls -l "${made[@]}"
}

if [ $# -eq 0 ]; then
    set -- "$(uname -m)"
    # Also builds for aarch64 if its target is installed: `rustup target add aarch64-unknown-linux-musl`.
    [ "$1" = aarch64 ] || ! installed aarch64 || set -- "$1" aarch64
fi
for arch in "$@"; do dist "$arch"; done
