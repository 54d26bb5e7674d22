#!/usr/bin/env bash
# Unpacks a tarball, .deb or .rpm of `make dist` into an empty root, and runs the programs there: `judge --version`, one judging, one puzzle,
# and a server until it listens. Installs and removes a package: no file is left.
set -euo pipefail
file=$1
root=$(mktemp -d)
chmod 755 "$root" # if root judges, another user runs the program
trap 'rm -rf "$root"' EXIT
case $file in
    *.deb) dpkg-deb -x "$file" "$root" ;;
    *.rpm) rpm2archive -n - < "$file" | tar -x -C "$root" ;;
    *) mkdir "$root/usr" && tar -xzf "$file" -C "$root/usr" --strip-components=1 ;;
esac
case $file in
    *.deb | *.rpm)
        # The unit starts the program of the package, as the user of the package.
        unit=$root/usr/lib/systemd/system/judge-server.service
        [ -x "$root$(sed -n 's/^ExecStart=\([^ ]*\).*/\1/p' "$unit")" ]
        grep -q "^u $(sed -n 's/^User=//p' "$unit") " "$root/usr/lib/sysusers.d/judge.conf"
        grep -q '/usr/bin/judge' "$root/usr/share/judge/apparmor"
        ;;
esac
[ -s "$root/usr/share/bash-completion/completions/judge" ]
[ -n "$(find "$root/usr/share/man/man1" -name 'judge-run.1*')" ]

# Programs of another architecture run only under an emulator, which has no sandbox.
if ! "$root/usr/bin/judge" --version > /dev/null 2>&1; then
    machine=$(od -An -tu2 -j18 -N2 "$root/usr/bin/judge" | tr -d ' ')
    [ "$machine" = 183 ] && [ "$(uname -m)" != aarch64 ] # the ELF header names aarch64
    if ! emulator=$(command -v qemu-aarch64 || command -v qemu-aarch64-static); then
        echo "$file: not run, because qemu-aarch64 (package qemu-user) is not installed"
        exit 0
    fi
    "$emulator" "$root/usr/bin/judge" --version | grep '^judge [0-9]'
    "$emulator" "$root/usr/bin/judge-server" --version | grep '^judge-server [0-9]'
    echo 53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79 |
        "$emulator" "$root/usr/bin/sudoku" solve | grep '^534678912672195348'
    echo "$file: works under qemu-aarch64"
    exit 0
fi

# Removing the package, with its settings, leaves only the databases of packages and users.
leaves_nothing='
set -e
mkdir -p "$1/etc" "$1/var/lib/dpkg/info" "$1/var/lib/dpkg/updates"
touch "$1/var/lib/dpkg/status"
case $2 in
    *.deb)
        dpkg() { command dpkg --root="$1" --force-script-chrootless --log=/dev/null "$2" "$3" > /dev/null; }
        dpkg "$1" --install "$2"
        [ ! -e "$1/etc/apparmor.d/judge" ] || echo "a profile that AppArmor 3 does not know"
        mkdir -p "$1/etc/apparmor.d/abi" && touch "$1/etc/apparmor.d/abi/4.0"
        dpkg "$1" --install "$2"
        cmp "$1/etc/apparmor.d/judge" "$1/usr/share/judge/apparmor" 2>&1 || true
        dpkg "$1" --purge judge
        rm -r "$1/etc/apparmor.d/abi"
        ;;
    *)
        rpm() { command rpm --root "$1" --dbpath /var/lib/rpm --noscripts --nodeps "$2" "$3"; }
        rpm "$1" --install "$2"
        rpm "$1" --erase judge
        ;;
esac
grep -ls judge "$1/etc/passwd" "$1/etc/group" || true
cd "$1"
find . ! -type d ! -path "./var/lib/*" ! -name "*passwd*" ! -name .pwd.lock ! -name "*group*" ! -name "*shadow*"
find . -name "*judge*" ! -path "./var/lib/dpkg/*"
'
case $file in
    *.deb | *.rpm)
        empty=$root/empty
        mkdir "$empty"
        as_root=()
        [ "$(id -u)" = 0 ] || as_root=(unshare --user --map-root-user)
        left=$("${as_root[@]}" sh -c "$leaves_nothing" sh "$empty" "$(realpath "$file")")
        [ -z "$left" ] || { echo "error: $file leaves $left" >&2; exit 1; }
        ;;
esac

# Besides the archive, the root contains only a static program and two samples.
mkdir -p "$root"/{proc,dev,tmp,sys,home/spring/test}
cat > "$root/sum.c" <<'C'
#include <stdio.h>
int main(void) { int a, b; return scanf("%d%d", &a, &b) == 2 && printf("%d\n", a + b) > 0 ? 0 : 1; }
C
cc -O1 -static -o "$root/home/spring/sum" "$root/sum.c"
for k in 1 2; do
    echo "$k 4" > "$root/home/spring/test/$k.in"
    echo "$((k + 4))" > "$root/home/spring/test/$k.out"
done
touch "$root/dev/null" "$root/dev/zero" "$root/dev/urandom" "$root/dev/random"

inside='
set -e
cd "$1"
mount -t proc proc proc
for device in null zero urandom random; do mount --bind /dev/$device dev/$device; done
mount -t tmpfs tmpfs tmp
chroot . /usr/bin/judge --version
echo 53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79 | chroot . /usr/bin/sudoku solve
export HOME=/home TMPDIR=/tmp
chroot . /usr/bin/judge run /home/spring/sum
chroot . /usr/bin/judge serve /home/spring --data /home/data --listen 127.0.0.1:0 > home/log 2>&1 &
while [ -e "proc/$!/exe" ] && ! grep -q listening home/log; do sleep 0.1; done
cat home/log
kill $!
'
names=(--mount --pid --fork)
[ "$(id -u)" = 0 ] || names+=(--user --map-root-user)
# User namespaces cannot be created in a chroot, so the report says that the sandbox is incomplete.
status=0
output=$(unshare "${names[@]}" sh -c "$inside" sh "$root") || status=$?
echo "$output"
[ "$status" = 0 ]
grep -q '^judge [0-9]' <<< "$output"
grep -q '^534678912672195348' <<< "$output"
grep -q '2 of 2 cases' <<< "$output"
grep -q 'listening on http://127.0.0.1:' <<< "$output"
echo "$file: works"
