// What is configured about models: the [planner] section. Values; any thread.
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
//   schema = "nested"              # how a compatible server takes a schema: nested, flat, object (JSON, any), none
//   max_tokens_field = "max_tokens"   # how it calls the bound of an answer; or max_completion_tokens
//   image_long_edge = 1344         # how large an image its model reads, pixels
//   store = false                  # OpenAI may keep the responses of its computer tool
//   max_turns = 12
//   question_expiry_ms = 120000    # how long ask_user waits for a person (services/planner/questions.h)
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

#include "lib/base/result.h"
#include "lib/service/config.h"
#include "services/planner/model/budget.h"
#include "services/planner/model/environment.h"
#include "services/planner/model/http/http_client.h"
#include "services/planner/model/model_caller.h"
#include "services/planner/model/model_planner.h"
#include "services/planner/model/wire/wire_format.h"

namespace da::planner::model {

enum class Overlay { kGrid, kMarks, kBoth, kNone };

// What is configured for all tasks.
struct Settings {
  std::string planner;  // Empty: by the keys that are there.
  std::string planner_from = "the configuration";
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
  // Of servers of the chat API; unset: as the table of providers has it.
  std::optional<ChatTraits::Schema> schema;
  std::string max_tokens_field;
  std::uint32_t image_long_edge = 0;
};

// Where planner, model or base_url are not configured, DA_PLANNER, DA_MODEL and DA_BASE_URL of the environment say
// them. Errors name the file and the key, or the variable.
Result<Settings> read_settings(const service::Config& config, const Environment& environment);

}  // namespace da::planner::model
