// The [planner] section of the configuration. Values; any thread.
//
//   [planner]
//   planner = "anthropic"          # or plain; default: the first provider with a key in the environment, else plain
//   model = "claude-sonnet-4-5"    # default: the provider's default model
//   base_url = "https://..."       # default: the provider's own
//   key_file = "model.key"         # instead of the environment variable; contains only the key; mode 0600
//   ca_file = "authority.pem"      # authorities of the server's certificate; default: the system's
//   proxy = "http://proxy:3128"    # instead of https_proxy; also https://, socks5h:// and others
//   proxy_login_file = "proxy.login"   # USER:PASSWORD, mode 0600
//   timeout_s = 120                # for one try, at least 1
//   images = false                 # for models without image input: sends the list of elements
//   overlay = "grid"               # drawn over the screenshot: grid, marks (numbers on elements), both, none
//   computer_tool = "computer_20251124"   # Anthropic's tool version; default: by model
//   schema = "nested"              # schema form of a compatible server: nested, flat, object (any JSON), none
//   max_tokens_field = "max_tokens"   # its name of the answer's limit; or max_completion_tokens
//   image_long_edge = 1344         # largest image that its model reads, pixels
//   store = false                  # OpenAI may keep the responses of its computer tool
//   max_turns = 12
//   step_pause_ms = 0              # shortest time between two steps of a task, of any planner
//   question_expiry_ms = 120000    # ask_user's wait for a person (services/planner/task/questions.h)
//   budget_tokens, budget_money, budget_calls, budget_s
//   prices = ["MODEL INPUT CACHED OUTPUT"]   # for a million tokens
//   save_calls = "calls.jsonl"     # appends each answered call
//   saved_calls = "calls.jsonl"    # for planner = "recorded"
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "lib/base/result.h"
#include "lib/service/config.h"
#include "services/planner/model/budget.h"
#include "services/planner/model/http/http_client.h"
#include "services/planner/model/model_caller.h"
#include "services/planner/model/model_planner.h"
#include "services/planner/model/settings/environment.h"
#include "services/planner/model/wire/wire_format.h"

namespace da::planner::model {

enum class Overlay { kGrid, kMarks, kBoth, kNone };

// The settings of all tasks.
struct Settings {
  std::string planner;  // Empty: chosen by the available keys.
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
  std::optional<Overlay> overlay;  // Unset: the grid, or none with a provider's computer tool.
  std::string computer_tool;
  bool store = false;
  Milliseconds step_pause{0};
  // Default: from the table of providers. Only servers of the chat API use `schema` and `max_tokens_field`.
  std::optional<ChatTraits::Schema> schema;
  std::string max_tokens_field;
  std::uint32_t image_long_edge = 0;
};

// DA_PLANNER, DA_MODEL and DA_BASE_URL of the environment replace planner, model and base_url that are not configured.
// Errors name the file and the key, or the variable.
Result<Settings> read_settings(const service::Config& config, const Environment& environment);

}  // namespace da::planner::model
