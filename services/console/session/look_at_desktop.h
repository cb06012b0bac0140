// Looks at the desktop once, through the observer of a run. Nothing acts. Main thread.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "lib/base/result.h"
#include "services/console/session/clients_rpc.h"

namespace da::console {

struct LookOptions {
  std::filesystem::path config;  // Empty: the newest embedded run, or new services if none is live.
  std::string backend = "x11";   // Used only for new services.
  std::string purpose;           // Goal of the task that the look opens; for the audit log.
};

// Opens a task for `look`, because the observer serves only open tasks, and closes it afterwards. Its time limit ends
// it if closing fails.
Result<void> look_at_desktop(const LookOptions& options,
                             const std::function<Result<void>(const ObserverClient&)>& look);

}  // namespace da::console
