// A service's TOML file: endpoints, and the paths of its keys and files. Secrets are named by path, never included.
// Read only; any thread.
//
//   desktop = "x11:0"
//   [endpoints]          gRPC addresses by service: those that it may call, and its own
//   policy = "unix:/run/user/1000/desktopassist/r1/policy.sock"
//   [bus.policy]         where that service publishes
//   facts = "ipc:///run/user/1000/desktopassist/r1/policy.facts"
//   [identity]           the service's own keys, and its known peers (lib/identity/identity.h)
//   file = "policy.identity.toml"
//   [peers]
//   file = "peers.toml"
//   [policy]             the service's own section; `state`: the directory of data that outlives the service
//   rules = "rules.toml" further keys: services/policy/setup.h, services/planner/model/settings/settings.h
//   [actuator]           backend and policy_key; secrets, masks, overlay, launch_by (Windows), journal (the fake
//                        desktop's)
//   [observer]           ocr_languages = "eng", tesseract's names
//   [log]                level, console, directory (lib/service/logging/logging.h)
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/result.h"

namespace da::service {

class Config {
 public:
  // Errors include file, line and column.
  static Result<Config> load(const std::filesystem::path& path);
  static Result<Config> parse(std::string_view toml, const std::string& name);

  // Dotted keys: "policy.rules". nullopt if absent; an error if the type is wrong.
  Result<std::optional<std::string>> find_string(std::string_view key) const;
  Result<std::optional<std::int64_t>> find_integer(std::string_view key) const;
  // Also accepts an integer.
  Result<std::optional<double>> find_number(std::string_view key) const;
  Result<std::optional<bool>> find_boolean(std::string_view key) const;
  // A list; empty if absent.
  Result<std::vector<std::string>> strings(std::string_view key) const;
  // A relative path starts at the directory of this file, so that both can be copied together.
  Result<std::optional<std::filesystem::path>> find_path(std::string_view key) const;

  // Prefers a systemd credential with the same file name (LoadCredential=, in $CREDENTIALS_DIRECTORY).
  Result<std::optional<std::filesystem::path>> find_secret_path(std::string_view key) const;

  // Text of the file, as it was read.
  const std::string& toml() const { return toml_; }

  // Required values: an error names the missing key and the file.
  Result<std::string> string(std::string_view key) const;
  Result<std::filesystem::path> path(std::string_view key) const;
  Result<std::filesystem::path> secret_path(std::string_view key) const;

 private:
  struct Table;
  std::string name_;
  std::string toml_;
  std::filesystem::path directory_;  // Directory of the file; empty for parse().
  std::shared_ptr<const Table> table_;
};

}  // namespace da::service
