// Which model a planner asks, and how: from the [planner] section of its configuration, the environment, and what a
// task names. Values; any thread.
//
//   [planner]
//   planner = "anthropic"          # or plain; without it: the first provider whose key is in the environment, or plain
//   model = "claude-sonnet-4-5"    # the provider's usual one unless given
//   base_url = "https://..."       # the provider's own unless given
//   key_file = "model.key"         # instead of the provider's environment variable; the key alone, mode 0600
//   ca_file = "authority.pem"      # who signs the server's certificate; the system's authorities unless given
//   proxy = "http://proxy:3128"    # instead of https_proxy; https://, socks5h:// and others too
//   proxy_login_file = "proxy.login"   # USER:PASSWORD, mode 0600
//   timeout_s = 120                # of one try, at least 1
//   images = false                 # for models without eyes: the list of elements instead
//   overlay = "grid"               # what is drawn over the screenshot: grid, marks (numbers on elements), both, none
//   computer_tool = "computer_20251124"   # Anthropic's version of it; the one that fits the model unless given
//   store = false                  # OpenAI may keep the responses of its computer tool
//   max_turns = 12
//   budget_tokens, budget_money, budget_calls, budget_s
//   prices = ["MODEL INPUT CACHED OUTPUT"]   # for a million tokens
//   save_calls = "calls.jsonl"     # each answered call is added
//   saved_calls = "calls.jsonl"    # planner = "recorded" answers from it
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "da/v1/observer_rpc.pb.h"
#include "lib/base/result.h"
#include "lib/service/config.h"
#include "services/planner/model/budget.h"
#include "services/planner/model/dialect.h"
#include "services/planner/model/environment.h"
#include "services/planner/model/http_client.h"
#include "services/planner/model/model.h"
#include "services/planner/model/model_caller.h"
#include "services/planner/model/model_planner.h"

namespace da::planner::model {

inline constexpr const char* kPlain = "plain";

enum class Overlay { kGrid, kMarks, kBoth, kNone };

// What is configured for all tasks.
struct Settings {
  std::string planner;  // Empty: by the keys that are there.
  std::string model;
  std::string base_url;
  std::filesystem::path key_file;
  HttpSettings http;
  CallRules rules;
  ModelPlannerOptions options;
  BudgetLimits budget;
  PriceTable prices;
  std::filesystem::path save_calls;
  std::filesystem::path saved_calls;
  std::optional<Overlay> overlay;  // Unset: the grid, or nothing where a provider's computer tool is used.
  std::string computer_tool;
  bool store = false;
};

// Errors name the file and the key.
Result<Settings> read_settings(const service::Config& config);

// The planner of one task.
struct Choice {
  std::string planner;  // "plain", "openai", ...
  std::string model;    // Empty for plain.
  std::string why;      // For people: "OPENAI_API_KEY is set".
};

// What the task names goes before what is configured. kInvalidArgument: no such planner, or a model that must be named.
Result<Choice> choose(const Settings& settings, const Environment& environment, const std::string& planner,
                      const std::string& model);

// How the provider of a choice is reached.
struct Access {
  Target target;
  std::string key;       // Secret; empty where it wants none.
  std::string key_from;  // "ANTHROPIC_API_KEY", or the key's file.
};

// Of a choice that is neither plain nor recorded. kFailedPrecondition: its key is missing, its file cannot be read.
Result<Access> access_of(const Settings& settings, const Environment& environment, const Choice& choice);

// Opens the model of a choice that is not plain. kFailedPrecondition: its key is missing, its file cannot be read.
Result<std::unique_ptr<Model>> open_model(const Settings& settings, const Environment& environment,
                                          const Choice& choice);

// How images of the screen are to be for a provider's models.
ImageWants image_wants(const Settings& settings, const std::string& planner);

// How a provider's models are asked for steps.
std::unique_ptr<Dialect> dialect_of(const std::string& planner);

}  // namespace da::planner::model
