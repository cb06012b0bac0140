#include "services/planner/model/settings/settings.h"

#include <algorithm>
#include <sstream>

#include "lib/base/text.h"
#include "services/planner/model/wire/anthropic_messages.h"

namespace da::planner::model {
namespace {

Result<std::pair<std::string, Price>> parse_price(const std::string& line) {
  std::istringstream words(line);
  words.imbue(std::locale::classic());
  std::string model;
  Price price;
  std::string rest;
  const bool read = static_cast<bool>(words >> model >> price.input >> price.cached_input >> price.output);
  if (!read || words >> rest || price.input < 0 || price.cached_input < 0 || price.output < 0) {
    return Error{Code::kInvalidArgument, "planner.prices: " + escape_foreign(line, 100) +
                                             " is not \"MODEL INPUT CACHED OUTPUT\" (prices of a million tokens)"};
  }
  return std::pair(model, price);
}

// The read_ functions leave `into` unchanged if the key is missing.
template <class T>
Result<void> read_count(const service::Config& config, const char* key, T& into) {
  ASSIGN_OR_RETURN(const auto value, config.find_integer(key));
  if (!value) return ok();
  if (*value < 0 || *value > 1'000'000'000) {
    return Error{Code::kInvalidArgument, std::string(key).append(" must be between 0 and 1000000000")};
  }
  into = T(static_cast<std::uint32_t>(*value));
  return ok();
}

Result<void> read_money(const service::Config& config, const char* key, double& into) {
  ASSIGN_OR_RETURN(const auto value, config.find_number(key));
  if (!value) return ok();
  if (!(*value >= 0 && *value <= 1e9)) {  // Also refuses NaN.
    return Error{Code::kInvalidArgument, std::string(key).append(" must be between 0 and 1000000000")};
  }
  into = *value;
  return ok();
}

Result<void> read_text(const service::Config& config, const char* key, std::string& into) {
  ASSIGN_OR_RETURN(const auto value, config.find_string(key));
  if (value) into = *value;
  return ok();
}

template <class T>
using Words = std::initializer_list<std::pair<std::string_view, T>>;

template <class T>
Result<void> read_word(const service::Config& config, const std::string& key, Words<T> words, std::optional<T>& into) {
  ASSIGN_OR_RETURN(const auto word, config.find_string(key));
  if (!word) return ok();
  std::string known;
  for (const auto& [name, value] : words) {
    known += (known.empty() ? "" : ", ") + std::string(name);
    if (name == *word) into = value;
    if (name == *word) return ok();
  }
  return Error{Code::kInvalidArgument, key + " is " + quote_foreign(*word, 60) + "; known: " + known};
}

Result<void> read_server(const service::Config& config, Settings& settings) {
  using Schema = ChatTraits::Schema;
  RETURN_IF_ERROR(read_word<Schema>(
      config, "planner.schema",
      {{"nested", Schema::kNested}, {"flat", Schema::kFlat}, {"object", Schema::kObject}, {"none", Schema::kNone}},
      settings.schema));
  std::optional<std::string> field;
  RETURN_IF_ERROR(read_word<std::string>(
      config, "planner.max_tokens_field",
      {{"max_tokens", "max_tokens"}, {"max_completion_tokens", "max_completion_tokens"}}, field));
  settings.max_tokens_field = field.value_or("");
  return read_count(config, "planner.image_long_edge", settings.image_long_edge);
}

Result<void> read_computer_tool(const service::Config& config, Settings& settings) {
  RETURN_IF_ERROR(read_text(config, "planner.computer_tool", settings.computer_tool));
  if (!settings.computer_tool.empty()) RETURN_IF_ERROR(check_computer_tool(settings.computer_tool));
  ASSIGN_OR_RETURN(const auto store, config.find_boolean("planner.store"));
  settings.store = store.value_or(false);
  return ok();
}

}  // namespace

Result<Settings> read_settings(const service::Config& config, const Environment& environment) {
  Settings settings;
  RETURN_IF_ERROR(read_text(config, "planner.planner", settings.planner));
  RETURN_IF_ERROR(read_text(config, "planner.model", settings.model));
  RETURN_IF_ERROR(read_text(config, "planner.base_url", settings.base_url));
  RETURN_IF_ERROR(read_text(config, "planner.proxy", settings.http.proxy.url));
  const std::pair<const char*, std::function<void(const std::filesystem::path&)>> paths[] = {
      {"planner.ca_file", [&](const auto& path) { settings.http.ca_file = path.string(); }},
      {"planner.save_calls", [&](const auto& path) { settings.save_calls = path; }},
      {"planner.saved_calls", [&](const auto& path) { settings.saved_calls = path; }}};
  for (const auto& [key, take] : paths) {
    ASSIGN_OR_RETURN(const auto path, config.find_path(key));
    if (path) take(*path);
  }
  ASSIGN_OR_RETURN(const auto key_file, config.find_secret_path("planner.key_file"));
  settings.key_file = key_file.value_or("");
  ASSIGN_OR_RETURN(const auto login_file, config.find_secret_path("planner.proxy_login_file"));
  settings.http.proxy.login_file = login_file.value_or("");
  std::chrono::seconds timeout = std::chrono::duration_cast<std::chrono::seconds>(settings.rules.timeout);
  RETURN_IF_ERROR(read_count(config, "planner.timeout_s", timeout));
  if (timeout.count() == 0) return Error{Code::kInvalidArgument, "planner.timeout_s must be at least 1"};
  settings.rules.timeout = timeout;
  RETURN_IF_ERROR(read_count(config, "planner.max_turns", settings.options.max_turns));
  RETURN_IF_ERROR(read_count(config, "planner.budget_tokens", settings.budget.tokens));
  RETURN_IF_ERROR(read_count(config, "planner.step_pause_ms", settings.step_pause));
  RETURN_IF_ERROR(read_money(config, "planner.budget_money", settings.budget.money));
  RETURN_IF_ERROR(read_count(config, "planner.budget_calls", settings.budget.calls));
  RETURN_IF_ERROR(read_count(config, "planner.budget_s", settings.budget.time));
  RETURN_IF_ERROR(read_word<Overlay>(
      config, "planner.overlay",
      {{"grid", Overlay::kGrid}, {"marks", Overlay::kMarks}, {"both", Overlay::kBoth}, {"none", Overlay::kNone}},
      settings.overlay));
  RETURN_IF_ERROR(read_server(config, settings));
  RETURN_IF_ERROR(read_computer_tool(config, settings));
  ASSIGN_OR_RETURN(const auto images, config.find_boolean("planner.images"));
  if (images && !*images) settings.options.sees = Sees::kElements;
  ASSIGN_OR_RETURN(const auto prices, config.strings("planner.prices"));
  for (const std::string& line : prices) {
    ASSIGN_OR_RETURN(auto price, parse_price(line));
    settings.prices.insert_or_assign(price.first, price.second);
  }
  const std::pair<const char*, std::string*> variables[] = {
      {"DA_PLANNER", &settings.planner}, {"DA_MODEL", &settings.model}, {"DA_BASE_URL", &settings.base_url}};
  if (settings.planner.empty()) settings.planner_from = "DA_PLANNER";
  for (const auto& [variable, into] : variables) {
    if (into->empty()) *into = environment(variable).value_or("");
  }
  if (!settings.base_url.empty()) RETURN_IF_ERROR(check_address(settings.base_url));
  if (!settings.http.proxy.url.empty()) RETURN_IF_ERROR(check_proxy(settings.http.proxy.url));
  return settings;
}

}  // namespace da::planner::model
