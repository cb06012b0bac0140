// One TOML file for a service: which endpoints there are, and where its own keys and files lie. Secrets are named by
// path, never contained. Read only; any thread.
//
//   desktop = "x11:0"
//   [endpoints]          gRPC addresses, by service; a service lists those that it may call, and its own
//   policy = "unix:/run/user/1000/desktopassist/r1/policy.sock"
//   [bus.policy]         where that service publishes
//   facts = "ipc:///run/user/1000/desktopassist/r1/policy.facts"
//   [identity]           what it proves itself with, and whom it believes (lib/identity/identity.h)
//   file = "policy.identity.toml"
//   [peers]
//   file = "peers.toml"
//   [policy]             the service's own section; `state` in it is the directory of what outlives the service
//   rules = "rules.toml" further keys: services/policy/setup.h, services/planner/model/settings.h
//   [actuator]           backend and policy_key; secrets, masks, journal (the fake desktop's)
//   [observer]           ocr_languages = "eng", as tesseract calls them
//   [log]                level, console, directory (lib/service/logging.h)
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
  // Errors carry file, line and column.
  static Result<Config> load(const std::filesystem::path& path);
  static Result<Config> parse(std::string_view toml, const std::string& name);

  // Dotted keys: "policy.rules". nullopt where it is absent; an error where it is of another type.
  Result<std::optional<std::string>> find_string(std::string_view key) const;
  Result<std::optional<std::int64_t>> find_integer(std::string_view key) const;
  // An integer is a number too.
  Result<std::optional<double>> find_number(std::string_view key) const;
  Result<std::optional<bool>> find_boolean(std::string_view key) const;
  // Of a list; empty where it is absent.
  Result<std::vector<std::string>> strings(std::string_view key) const;
  // A relative path begins at the directory of this file, so that both can be copied together.
  Result<std::optional<std::filesystem::path>> find_path(std::string_view key) const;

  // The same for a secret: where systemd has handed the service a credential with the file's name
  // (LoadCredential=, in $CREDENTIALS_DIRECTORY), it is that one.
  Result<std::optional<std::filesystem::path>> find_secret_path(std::string_view key) const;

  // The value must be there; the error names the file and the key.
  Result<std::string> string(std::string_view key) const;
  Result<std::filesystem::path> path(std::string_view key) const;
  Result<std::filesystem::path> secret_path(std::string_view key) const;

 private:
  struct Table;
  std::string name_;
  std::filesystem::path directory_;  // Of the file; empty where it comes from none.
  std::shared_ptr<const Table> table_;
};

}  // namespace da::service
