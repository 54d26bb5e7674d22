#!/usr/bin/env bash
# Builds target/dist/judge-VERSION-ARCH-linux.tar.gz, judge_VERSION_ARCH.deb and judge-VERSION-1.ARCH.rpm around static programs
# judge, judge-server and sudoku, and tests them: for the architectures in the arguments; by default for this machine's, and for
# aarch64 if its musl target is installed and CC_aarch64_unknown_linux_musl names a C compiler for it. A package is left out if
# dpkg-deb or rpmbuild is not installed. Then writes checksums, and the install script and the files of other package managers, which
# contain them. PROGRAMS=DIR packs the programs in a directory, and judge-dist there, instead of building them.
set -euo pipefail
cd "$(dirname "$0")/../.."

version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' Cargo.toml)
# OWNER/NAME on GitHub: where the install script downloads from.
repository=${REPOSITORY:-OWNER/judge}
out=target/dist
# A fixed timestamp makes the archives reproducible.
time=@${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}

installed() { [ -d "$(rustc --print sysroot)/lib/rustlib/$1-unknown-linux-musl" ]; }

# Builds the programs for an architecture into target/dist/programs/.
build() {
    local arch=$1 target=$1-unknown-linux-musl
    local options=() flags=
    if ! installed "$arch"; then
        # Falls back to static glibc if the musl target is not installed.
        target=$arch-unknown-linux-gnu
        flags='-C target-feature=+crt-static'
    elif [ "$arch" != "$(uname -m)" ]; then
        # The system's linker supports only the host architecture.
        options=(--config "target.$target.linker='rust-lld'")
        # In the C code of judge-server glibc's headers name functions that musl lacks.
        local compiler=CC_${target//-/_}
        mkdir -p "$out"
        printf '#include <features.h>\n#ifdef __GLIBC__\n#error glibc\n#endif\n' > "$out/musl.c"
        if ! "${!compiler:-cc}" -E -o /dev/null "$out/musl.c" 2> /dev/null; then
            echo "error: $compiler has to be a compiler for musl, such as a script that calls \`zig cc -target $arch-linux-musl\`" >&2
            exit 1
        fi
    elif ! command -v musl-gcc > /dev/null; then
        echo "error: judge-server contains C code, and musl-gcc is not installed: run \`apt install musl-tools\`" >&2
        exit 1
    fi
    local package program
    for package in judge judge-server sudoku-engines; do
        program=$package
        [ $package != sudoku-engines ] || { program=sudoku; options+=(--features cli); }
        RUSTFLAGS="$flags" cargo build --release --locked --target "$target" --target-dir "$out" \
            --config 'profile.release.strip=true' "${options[@]}" -p $package --bin $program
        install -D -t "$out/programs" "$out/$target/release/$program"
    done
    cargo build -q --locked -p judge-dist
    install -D -t "$out/programs" "${CARGO_TARGET_DIR:-target}/debug/judge-dist"
}

# Packs target/dist/system as .deb for an architecture, by Debian's name of it. The tree gets the files of dpkg.
pack_deb() {
    local system=$out/system
    install -Dm755 -t "$system/DEBIAN" judge/dist/deb/{postinst,prerm,postrm}
    install -Dm644 LICENSE "$system/usr/share/doc/judge/copyright"
    echo 'interest-noawait /etc/apparmor.d/abi/4.0' > "$system/DEBIAN/triggers"
    cat > "$system/DEBIAN/control" <<CONTROL
Package: judge
Version: $version
Architecture: $1
Maintainer: the authors of judge <judge@localhost>
Section: devel
Priority: optional
Recommends: g++, python3
Suggests: nats-server
Description: local judge for competitive programmers
 Runs a program over a problem's test data, in a sandbox, under the problem's
 time and memory limits, and prints the verdict that an online judge would give.
 The command judge-server serves problems and contests in the browser; sudoku
 solves, counts, rates and generates puzzles.
CONTROL
    SOURCE_DATE_EPOCH=${time#@} dpkg-deb --root-owner-group --build "$system" "$out/judge_${version}_$1.deb" > /dev/null
}

# Packs target/dist/system as .rpm for an architecture.
pack_rpm() {
    # Of the directories those that no package has if their programs are not installed.
    (cd "$out/system" && {
        find . -type f -printf '/%P\n'
        find . -type d -regex '.*/\(judge\|\(zsh\|fish\|bash-completion\)\(/.*\)?\)' -printf '%%dir /%P\n'
    } | sort) > "$out/system.files"
    SOURCE_DATE_EPOCH=${time#@} rpmbuild --quiet -bb --target "$1-linux" \
        --define "_topdir $PWD/$out/rpm" --define "_rpmdir $PWD/$out" --define '_rpmfilename %{NAME}-%{VERSION}-%{RELEASE}.%{ARCH}.rpm' \
        --define "tree $PWD/$out/system" --define "judge_version $version" --define "repository $repository" \
        --define '_buildhost localhost' --define 'use_source_date_epoch_as_buildtime 1' --define 'clamp_mtime_to_source_date_epoch 1' \
        judge/dist/rpm/judge.spec
}

# Packs and tests the files for an architecture: x86_64 or aarch64.
dist() {
    local arch=$1 programs=${PROGRAMS:-$out/programs}
    [ -n "${PROGRAMS:-}" ] || build "$arch"

    # The archive has the layout of a prefix: unpack it into /usr/local or ~/.local.
    local name=judge-$version-$arch-linux
    local tree=$out/$name
    rm -rf "$tree" "$out/system" "$out/rpm"
    install -Dm755 -t "$tree/bin" "$programs"/{judge,judge-server,sudoku}
    "$programs/judge-dist" "$tree"
    install -Dm644 -t "$tree/share/doc/judge" README.md CHANGELOG.md LICENSE LICENSE-APACHE LICENSE-MIT \
        packaging/judge-server.service packaging/judge.sysusers
    # For `install.sh --uninstall`.
    (cd "$tree" && { find . -type f -printf '%P\n'; echo share/doc/judge/files; } | sort > ../files)
    mv "$out/files" "$tree/share/doc/judge/files"
    tar -C "$out" --sort=name --owner=0 --group=0 --numeric-owner --mtime="$time" -cf - "$name" | gzip -9n > "$out/$name.tar.gz"
    local made=("$out/$name.tar.gz")

    # The packages of distributions have one layout, too.
    local system=$out/system
    mkdir -p "$system/usr/lib/systemd/system"
    cp -r "$tree/." "$system/usr"
    (cd "$system/usr/share/doc/judge" && rm files judge-server.service judge.sysusers)
    sed 's|@bindir@|/usr/bin|' packaging/judge-server.service > "$system/usr/lib/systemd/system/judge-server.service"
    install -Dm644 packaging/judge.sysusers "$system/usr/lib/sysusers.d/judge.conf"
    gzip -9nr "$system/usr/share/man"
    # Ubuntu lets only programs with a profile create user namespaces.
    install -Dm644 judge/dist/deb/apparmor "$system/usr/share/judge/apparmor"
    if command -v rpmbuild > /dev/null; then
        pack_rpm "$arch"
        made+=("$out/judge-$version-1.$arch.rpm")
    fi
    if command -v dpkg-deb > /dev/null; then
        local debian=amd64
        [ "$arch" = x86_64 ] || debian=arm64
        pack_deb "$debian"
        made+=("$out/judge_${version}_$debian.deb")
    fi
    local file
    for file in "${made[@]}"; do judge/dist/test.sh "$file"; done
    ls -l "${made[@]}"
}

if [ $# -eq 0 ]; then
    set -- "$(uname -m)"
    # Also builds for aarch64, where `rustup target add aarch64-unknown-linux-musl` and a C compiler are there.
    if [ "$1" != aarch64 ] && installed aarch64 && [ -n "${CC_aarch64_unknown_linux_musl:-}" ]; then set -- "$1" aarch64; fi
fi
for arch in "$@"; do dist "$arch"; done
judge/dist/checksums.sh "$version" "$repository"
