// The four services as children of this console: fresh keys and one configuration each in the run directory, started
// together, stopped together. They end by themselves when this process dies, because the pipe that they hold ends.
// Protects against a misbehaving model, not against other programs of the same user. Owner's thread.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "lib/os/child_process.h"
#include "services/console/session/embedded_config.h"
#include "services/console/session/run_directory.h"

namespace da::console {

struct EmbeddedOptions {
  std::string backend;              // "x11" or "fake".
  std::string rules;                // Path of the policy's rule file; empty: the one that is shipped.
  std::string log_level;            // Empty: the default.
  std::string notify;               // Path of the program that tells people about questions; empty: none.
  std::string secrets;              // Path of the actuator's secrets file; empty: none.
  std::string masks;                // Path of the actuator's masks file; empty: none.
  std::string journal;              // Path of the file to which the fake desktop adds what it receives; empty: none.
  Milliseconds question_expiry{0};  // How long a model's question waits for a person; 0: the planner's default.
  EmbeddedModels models;
  std::vector<std::string> only = {};  // The services to start; empty: all four.
};

class EmbeddedServices {
 public:
  // Returns once all of them serve. The error names the one that did not, and says why.
  static Result<EmbeddedServices> start(const EmbeddedOptions& options);
  EmbeddedServices(EmbeddedServices&&) noexcept = default;
  EmbeddedServices& operator=(EmbeddedServices&&) = delete;
  ~EmbeddedServices();

  // The console's own configuration, which names every endpoint.
  std::filesystem::path console_config() const { return directory_.path() / "console.toml"; }

  // Readable once that service has ended; in the order of names().
  std::vector<int> descriptors() const;

  // "da-policy is gone (killed by signal 9)", of the first service that ended; nullopt while all run.
  std::optional<std::string> find_dead();

 private:
  struct Service {
    std::string name;
    os::ChildProcess process;
  };
  EmbeddedServices(RunDirectory directory, os::UniqueFd lifeline)
      : directory_(std::move(directory)), lifeline_(std::move(lifeline)) {}

  void wait_for_policy();

  RunDirectory directory_;  // Goes last: the services' sockets lie in it.
  os::UniqueFd lifeline_;   // The write end; never written.
  std::vector<Service> services_;
};

}  // namespace da::console
