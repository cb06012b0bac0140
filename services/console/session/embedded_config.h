// Writes the configuration of an embedded run: one TOML file for each service, which names only what that service may
// reach, and the console's own. Also makes the run's keys: an authority that is forgotten at once, an identity for each
// process, and the policy's signing key. Pure but for the files.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "lib/identity/identity.h"

namespace da::console {

// What the planner is told of models; all may be empty: base_url is the provider's own then, overlay its usual one.
// text_only: a model gets the list of elements instead of screenshots. Keys come by its environment alone.
struct EmbeddedModels {
  std::string base_url;
  std::string save_calls;  // Paths.
  std::string saved_calls;
  std::string overlay;
  bool text_only = false;
  std::uint32_t max_turns = 0;  // These: 0: the planner's default.
  std::uint32_t max_calls = 0;
  std::uint32_t max_tokens = 0;
  double max_cost = 0;
  std::vector<std::string> prices;  // "MODEL INPUT CACHED OUTPUT", for a million tokens.
};

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
  Milliseconds question_expiry{0};     // 0: the planner's default.
  EmbeddedModels models = {};
};

// What the services are handed by descriptors that nobody else can open. The console's identity lies in a file, because
// any console of this user may take part.
struct HandedOver {
  std::map<std::string, identity::Identity> identities;  // By service, for it alone: --identity-fd.
  std::string signing_key;                               // The policy's: --secret-fd.
};

Result<HandedOver> write_embedded_config(const EmbeddedLayout& layout);

}  // namespace da::console
