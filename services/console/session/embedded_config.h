// Writes the configuration of an embedded run: one TOML file for each service, which names only what that service may
// reach, and the console's own. Also makes the run's signing key. Pure but for the files.
#pragma once

#include <filesystem>
#include <string>

#include "lib/base/result.h"

namespace da::console {

struct EmbeddedLayout {
  std::filesystem::path directory;
  std::string desktop;  // "x11:99"
  std::string backend;
  std::filesystem::path rules;
  std::string log_level;               // Empty: the default.
  std::string notify = {};             // Path of the program that tells people about questions; empty: none.
  std::filesystem::path secrets = {};  // The actuator's alone; empty: none.
  std::filesystem::path masks = {};    // Empty: none.
  std::string journal = {};            // Of what the fake desktop receives; empty: none.
};

Result<void> write_embedded_config(const EmbeddedLayout& layout);

}  // namespace da::console
