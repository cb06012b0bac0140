# Sourced by deploy/run and deploy/test: installs missing Debian packages and builds. Expects `set -euo pipefail`.

say() { if [ -t 2 ]; then printf '\033[1m==> %s\033[0m\n' "$*" >&2; else printf '==> %s\n' "$*" >&2; fi; }
die() { printf 'error: %s\n' "$*" >&2; exit 1; }

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# need_packages LIST...: installs the missing packages of deploy/packages/LIST.
need_packages() {
  local wanted missing as_root=()
  command -v dpkg-query >/dev/null || die "this script installs Debian 12 packages, but this is not Debian: see CONTRIBUTING.md"
  wanted=$(for list in "$@"; do grep -v '^#' "$root/deploy/packages/$list"; done | sort -u)
  missing=$(comm -23 <(printf '%s\n' "$wanted") \
    <(dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' 2>/dev/null | sed -n 's/^ii  *//p' | sort -u))
  [ -n "$missing" ] || return 0
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || die "these packages are missing, and installing them needs root or sudo:
$(printf '%s ' $missing)"
    as_root=(sudo)
  fi
  say "installing $(wc -w <<<"$missing") packages (log: $(log_file packages))"
  { "${as_root[@]}" apt-get update &&
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing; } \
    >"$(log_file packages)" 2>&1 || {
      tail -n 15 "$(log_file packages)" >&2
      die "cannot install the packages (is the network reachable?); whole log: $(log_file packages)"
    }
}

log_file() {
  mkdir -p "$root/build/logs"
  printf '%s' "$root/build/logs/$1.log"
}

# build PRESET [TARGET...]: configures if necessary, and builds; on a terminal it shows ninja's progress.
build() {
  local preset=$1 log; shift
  log=$(log_file "build-$preset")
  if [ ! -f "$root/build/$preset/build.ninja" ]; then
    say "configuring the $preset build"
    (cd "$root" && cmake --preset "$preset") >"$log" 2>&1 || { tail -n 30 "$log" >&2; die "cmake failed; whole log: $log"; }
  fi
  if [ "$(ninja -C "$root/build/$preset" -n "$@" 2>/dev/null | tail -n 1)" = "ninja: no work to do." ]; then return 0; fi
  say "building ($preset; log: $log)"
  if [ -t 2 ]; then
    ninja -C "$root/build/$preset" "$@" >&2 || die "the build failed"
  else
    ninja -C "$root/build/$preset" "$@" >"$log" 2>&1 || { grep -E -A 12 'FAILED|error:' "$log" | head -n 60 >&2; die "the build failed; whole log: $log"; }
  fi
}
