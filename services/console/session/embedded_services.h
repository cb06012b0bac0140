// Runs the services as children of this console, with new keys and one configuration each in the run directory. They
// also end when this process dies, because their lifeline pipe closes. Protects against a misbehaving model, but not
// against other programs of the same user. Owner's thread.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "lib/os/process/child_process.h"
#include "services/console/session/embedded_config.h"
#include "services/console/session/run_directory.h"

namespace da::console {

struct DeadService {
  std::string name;  // "policy"
  std::string text;  // Shown to people: "da-policy is gone (killed by signal 9)".
};

class EmbeddedServices {
 public:
  // Returns when all services are ready. The error names the service that failed, and the reason.
  static Result<EmbeddedServices> start(const EmbeddedOptions& options);
  EmbeddedServices(EmbeddedServices&&) noexcept = default;
  EmbeddedServices& operator=(EmbeddedServices&&) = delete;
  ~EmbeddedServices();

  // The console's own configuration, which names every endpoint.
  std::filesystem::path console_config() const { return directory_.path() / "console.toml"; }

  // One per service; readable when the service has ended.
  std::vector<int> descriptors() const;

  // nullopt while all run.
  std::optional<DeadService> find_dead();

 private:
  struct Service {
    std::string name;
    os::ChildProcess process;
  };
  EmbeddedServices(RunDirectory directory, os::UniqueFd lifeline)
      : directory_(std::move(directory)), lifeline_(std::move(lifeline)) {}

  void wait_for_policy();

  RunDirectory directory_;  // Destroyed last, because it holds the services' sockets.
  os::UniqueFd lifeline_;   // The write end; never written.
  std::vector<Service> services_;
};

}  // namespace da::console
