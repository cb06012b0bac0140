// Writes the configuration of an embedded run: one TOML file for each service, which names only the endpoints that the
// service may reach, and one for the console. Also makes the run's keys: a CA that is dropped at once, an identity for
// each process, and the policy's signing key. Any thread; its only side effects are the files.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "lib/identity/identity.h"
#include "services/console/session/service_environment.h"

namespace da::console {

// A line of the [planner] section; `toml` is the value. API keys come only from the planner's environment.
struct PlannerLine {
  std::string key;
  std::string toml;
};

// The [log] section of every service (lib/service/logging/logging.h).
struct EmbeddedLogs {
  std::string level;  // Empty: the services' default.
  std::string console = "error";
  std::string file;  // Absolute; empty: dated files in the log directory.
  bool files = true;
};

// Secrets that the services get through inherited descriptors, which no other process can open. The console's identity
// is in a file instead, because any console of this user may join the run.
struct HandedOver {
  std::map<std::string, identity::Identity> identities;  // Keyed by service; for --identity-fd.
  std::string signing_key;                               // The policy's, for --secret-fd.
};

// A run against a recording instead of a desktop. It keeps its state, logs and second factors in the run's directory.
struct EmbeddedReplay {
  std::string desktop;          // "replay:3f2a91c0"
  Milliseconds wall_offset{0};  // Added to the wall clock of the services.
  // Called before the services start: begins to serve as those that are not started.
  std::function<Result<void>(const std::filesystem::path& run, const HandedOver& handed_over)> stand_in;
};

// Empty or 0 means none, or the default of the service.
struct EmbeddedOptions {
  std::string backend = "x11";  // Or "fake".
  std::string rules;            // The policy's rule file; empty: the shipped one.
  EmbeddedLogs logs = {};
  std::string notify;               // A program to run for each question to a person.
  std::string secrets;              // The actuator's secrets file.
  std::string masks;                // The actuator's masks file.
  std::string journal;              // A file to which the fake desktop appends its input.
  Milliseconds question_expiry{0};  // Timeout of a model's question.
  std::vector<PlannerLine> planner = {};
  EnvironmentChanges environment = {};
  std::optional<std::vector<std::string>> only = {};  // The services to start; nullopt: all.
  bool recorded = true;                               // Record every task. False: da-recorder is not started.
  std::optional<EmbeddedReplay> replay = {};
};

struct EmbeddedLayout {
  std::filesystem::path directory;
  std::string desktop;  // "x11:99"
  std::string backend;
  std::filesystem::path rules;
  EmbeddedLogs logs = {};  // This and the next ones mean the same as in EmbeddedOptions.
  std::string notify = {};
  std::filesystem::path secrets = {};
  std::filesystem::path masks = {};
  std::string journal = {};
  Milliseconds question_expiry{0};
  std::vector<PlannerLine> planner = {};
  bool recorded = true;
  std::optional<Milliseconds> replay_wall_offset = {};  // Set in a replay.
};

Result<HandedOver> write_embedded_config(const EmbeddedLayout& layout);

}  // namespace da::console
