#include "lib/os/process/confinement.h"

namespace da::os {
namespace {

Error not_on_windows() {
  return {Code::kUnimplemented, "this service must be confined, and a service on Windows cannot be: run it on Linux"};
}

}  // namespace

Result<void> confine(const FileAccess&, Network) { return not_on_windows(); }

bool started_by_root() { return false; }

Result<void> forbid_new_unix_sockets() { return not_on_windows(); }

Result<void> forbid_new_watches() { return not_on_windows(); }

int landlock_version() { return 0; }

}  // namespace da::os
