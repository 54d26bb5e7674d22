#!/usr/bin/env bash
# checksums.sh VERSION OWNER/NAME: writes target/dist/SHA256SUMS of all archives there, install.sh, and the files for Homebrew
# and the AUR if the tarballs of both architectures are there.
set -euo pipefail
cd "$(dirname "$0")/../.."
version=$1 repository=$2
cd target/dist
rm -rf packaging SHA256SUMS install.sh
shopt -s nullglob
archives=(*"$version"*.{tar.gz,deb,rpm,zip})
[ ${#archives[@]} -gt 0 ] || { echo "error: target/dist has no archive of version $version" >&2; exit 1; }
sha256sum -- "${archives[@]}" > SHA256SUMS

sum() { sed -n "s/  judge-$version-$1-linux.tar.gz\$//p" SHA256SUMS; }
fill() {
    local text
    text=$(cat "../../packaging/$1"; echo x)
    text=${text//@version@/$version}
    text=${text//@repository@/$repository}
    text=${text//@sha256_x86_64@/$(sum x86_64)}
    text=${text//@sha256_aarch64@/$(sum aarch64)}
    text=${text//@checksums@/$(cat SHA256SUMS)}
    printf '%s' "${text%x}"
}
fill install.sh > install.sh
chmod 755 install.sh
if [ -n "$(sum x86_64)" ] && [ -n "$(sum aarch64)" ]; then
    mkdir -p packaging
    fill homebrew/judge.rb > packaging/judge.rb
    fill aur/PKGBUILD > packaging/PKGBUILD
fi

if [ -e "judge-$version-$(uname -m)-linux.tar.gz" ]; then ../../judge/dist/test-install.sh; fi
