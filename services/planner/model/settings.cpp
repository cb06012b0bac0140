#include "services/planner/model/settings.h"

#include <algorithm>
#include <sstream>

#include "lib/base/text.h"
#include "lib/os/files.h"
#include "services/planner/model/anthropic_messages.h"
#include "services/planner/model/http_model.h"
#include "services/planner/model/saved_calls.h"

namespace da::planner::model {
namespace {

struct Provider {
  const char* name;
  Api api;
  const char* base_url;      // Empty: the wire format's own.
  const char* key_variable;  // Empty: it wants none.
  const char* model;         // Empty: it must be named.
  // Larger images are made smaller by the provider, and places in them are then wrong; 0: no limit.
  std::uint32_t long_edge;
  std::uint32_t short_edge = 0;
  std::uint32_t area = 0;
  ChatTraits chat = {};
  // Its own computer tool is offered, in these words.
  std::optional<Vocabulary> computer = {};
};

const ChatTraits kServer = {ChatTraits::Schema::kNested, "max_tokens"};
const ChatTraits kLlamaCpp = {ChatTraits::Schema::kFlat, "max_tokens"};

// Sizes: OpenAI, "Images and vision": 2048 square, then the shorter side 768. Anthropic, "Vision": 1568 on the longer
// side and 1.15 megapixels. Gemini, "Image understanding": 3072 square. Local models: tiles of their encoders, which
// seldom make use of more.
const Provider kProviders[] = {
    {"openai", Api::kOpenAiChat, "", "OPENAI_API_KEY", "gpt-5", 2048, 768},
    {"openai-responses", Api::kOpenAiResponses, "", "OPENAI_API_KEY", "gpt-5", 2048, 768},
    {"openai-computer", Api::kOpenAiResponses, "", "OPENAI_API_KEY", "gpt-5.4", 2048, 768, 0, {}, Vocabulary::kOpenAi},
    {"anthropic", Api::kAnthropicMessages, "", "ANTHROPIC_API_KEY", "claude-sonnet-4-5", 1568, 0, 1'150'000},
    {"anthropic-computer",
     Api::kAnthropicMessages,
     "",
     "ANTHROPIC_API_KEY",
     "claude-sonnet-4-5",
     1568,
     0,
     1'150'000,
     {},
     Vocabulary::kAnthropic},
    {"gemini", Api::kGemini, "", "GEMINI_API_KEY", "gemini-2.5-pro", 3072},
    {"gemini-computer", Api::kGemini, "", "GEMINI_API_KEY", "gemini-3.5-flash", 3072, 0, 0, {}, Vocabulary::kGemini},
    {"ollama", Api::kOpenAiChat, "http://127.0.0.1:11434/v1", "", "", 1344, 0, 0, kServer},
    {"llamacpp", Api::kOpenAiChat, "http://127.0.0.1:8080/v1", "", "default", 1344, 0, 0, kLlamaCpp},
    {"vllm", Api::kOpenAiChat, "http://127.0.0.1:8000/v1", "", "", 1344, 0, 0, kServer},
    {"lmstudio", Api::kOpenAiChat, "http://127.0.0.1:1234/v1", "", "", 1344, 0, 0, kServer},
};
constexpr const char* kRecorded = "recorded";

const Provider* find_provider(const std::string& name) {
  const auto found = std::ranges::find(kProviders, name, [](const Provider& p) { return std::string(p.name); });
  return found == std::end(kProviders) ? nullptr : found;
}

std::string planner_names() {
  std::string names = std::string(kPlain) + ", " + kRecorded;
  for (const Provider& provider : kProviders) names += std::string(", ") + provider.name;
  return names;
}

Result<std::pair<std::string, Price>> parse_price(const std::string& line) {
  std::istringstream words(line);
  words.imbue(std::locale::classic());
  std::string model;
  Price price;
  std::string rest;
  const bool read = static_cast<bool>(words >> model >> price.input >> price.cached_input >> price.output);
  if (!read || words >> rest || price.input < 0 || price.cached_input < 0 || price.output < 0) {
    return Error{Code::kInvalidArgument, "planner.prices: " + escape_foreign(line, 100) +
                                             " is not \"MODEL INPUT CACHED OUTPUT\", prices for a million tokens"};
  }
  return std::pair(model, price);
}

// What is absent stays as it is.
template <class T>
Result<void> read_count(const service::Config& config, const char* key, T& into) {
  ASSIGN_OR_RETURN(const auto value, config.find_integer(key));
  if (!value) return ok();
  if (*value < 0 || *value > 1'000'000'000) {
    return Error{Code::kInvalidArgument, std::string(key) + " must be between 0 and 1000000000"};
  }
  into = T(static_cast<std::uint32_t>(*value));
  return ok();
}

Result<void> read_text(const service::Config& config, const char* key, std::string& into) {
  ASSIGN_OR_RETURN(const auto value, config.find_string(key));
  if (value) into = *value;
  return ok();
}

Result<void> read_overlay(const service::Config& config, Settings& settings) {
  constexpr std::pair<std::string_view, Overlay> kOverlays[] = {
      {"grid", Overlay::kGrid}, {"marks", Overlay::kMarks}, {"both", Overlay::kBoth}, {"none", Overlay::kNone}};
  ASSIGN_OR_RETURN(const auto name, config.find_string("planner.overlay"));
  if (!name) return ok();
  const auto* found = std::ranges::find(kOverlays, *name, &std::pair<std::string_view, Overlay>::first);
  if (found == std::end(kOverlays)) {
    return Error{Code::kInvalidArgument,
                 "planner.overlay is " + quote_foreign(*name, 60) + "; known: grid, marks, both, none"};
  }
  settings.overlay = found->second;
  return ok();
}

Result<void> read_computer_tool(const service::Config& config, Settings& settings) {
  RETURN_IF_ERROR(read_text(config, "planner.computer_tool", settings.computer_tool));
  if (!settings.computer_tool.empty()) RETURN_IF_ERROR(check_computer_tool(settings.computer_tool));
  ASSIGN_OR_RETURN(const auto store, config.find_boolean("planner.store"));
  settings.store = store.value_or(false);
  return ok();
}

// It becomes a line of the request: a line break in it would begin another.
Result<std::string> check_key(std::string_view text, const std::string& where) {
  const std::string_view key = trim(text);
  const auto is_visible = [](char c) { return c > ' ' && c <= '~'; };
  if (!key.empty() && std::ranges::all_of(key, is_visible)) return std::string(key);
  return Error{Code::kFailedPrecondition, where + " holds no key: a key is one word of ASCII characters"};
}

Result<std::string> read_key(const Settings& settings, const Environment& environment, const Provider& provider) {
  if (!settings.key_file.empty()) {
    const auto key = os::read_private_file(settings.key_file);
    if (!key) return Error{Code::kFailedPrecondition, key.error().message};
    return check_key(*key, settings.key_file.string());
  }
  const std::string variable = provider.key_variable;
  if (variable.empty()) return std::string();
  const auto key = environment(variable);
  if (key) return check_key(*key, variable);
  return Error{Code::kFailedPrecondition, std::string(provider.name) + " needs a key: set " + variable +
                                              " in da-planner's environment, or planner.key_file"};
}

}  // namespace

Result<Settings> read_settings(const service::Config& config) {
  Settings settings;
  RETURN_IF_ERROR(read_text(config, "planner.planner", settings.planner));
  RETURN_IF_ERROR(read_text(config, "planner.model", settings.model));
  RETURN_IF_ERROR(read_text(config, "planner.base_url", settings.base_url));
  RETURN_IF_ERROR(read_text(config, "planner.proxy", settings.http.proxy.url));
  const std::pair<const char*, std::function<void(const std::filesystem::path&)>> paths[] = {
      {"planner.key_file", [&](const auto& path) { settings.key_file = path; }},
      {"planner.ca_file", [&](const auto& path) { settings.http.ca_file = path.string(); }},
      {"planner.proxy_login_file", [&](const auto& path) { settings.http.proxy.login_file = path; }},
      {"planner.save_calls", [&](const auto& path) { settings.save_calls = path; }},
      {"planner.saved_calls", [&](const auto& path) { settings.saved_calls = path; }}};
  for (const auto& [key, take] : paths) {
    ASSIGN_OR_RETURN(const auto path, config.find_path(key));
    if (path) take(*path);
  }
  std::chrono::seconds timeout = std::chrono::duration_cast<std::chrono::seconds>(settings.rules.timeout);
  RETURN_IF_ERROR(read_count(config, "planner.timeout_s", timeout));
  if (timeout.count() == 0) return Error{Code::kInvalidArgument, "planner.timeout_s must be at least 1"};
  settings.rules.timeout = timeout;
  RETURN_IF_ERROR(read_count(config, "planner.max_turns", settings.options.max_turns));
  RETURN_IF_ERROR(read_count(config, "planner.budget_tokens", settings.budget.tokens));
  RETURN_IF_ERROR(read_count(config, "planner.budget_money", settings.budget.money));
  RETURN_IF_ERROR(read_count(config, "planner.budget_calls", settings.budget.calls));
  RETURN_IF_ERROR(read_count(config, "planner.budget_s", settings.budget.time));
  RETURN_IF_ERROR(read_overlay(config, settings));
  RETURN_IF_ERROR(read_computer_tool(config, settings));
  ASSIGN_OR_RETURN(const auto images, config.find_boolean("planner.images"));
  if (images && !*images) settings.options.sees = Sees::kElements;
  ASSIGN_OR_RETURN(const auto prices, config.strings("planner.prices"));
  for (const std::string& line : prices) {
    ASSIGN_OR_RETURN(auto price, parse_price(line));
    settings.prices.insert_or_assign(price.first, price.second);
  }
  if (!settings.base_url.empty()) RETURN_IF_ERROR(check_address(settings.base_url));
  if (!settings.http.proxy.url.empty()) RETURN_IF_ERROR(check_proxy(settings.http.proxy.url));
  return settings;
}

Result<Choice> choose(const Settings& settings, const Environment& environment, const std::string& planner,
                      const std::string& model) {
  Choice choice{planner, model, "it was asked for"};
  if (choice.planner.empty()) {
    choice.planner = settings.planner;
    choice.why = "the configuration says so";
  }
  if (choice.planner.empty()) {
    choice.planner = kPlain;
    choice.why = "no provider's key is in the environment";
    for (const Provider& provider : kProviders) {
      if (*provider.key_variable == '\0' || !environment(provider.key_variable)) continue;
      choice.planner = provider.name;
      choice.why = std::string(provider.key_variable) + " is set";
      break;
    }
  }
  if (choice.planner == kPlain) return Choice{kPlain, "", choice.why};
  const Provider* provider = find_provider(choice.planner);
  if (provider == nullptr && choice.planner != kRecorded) {
    return Error{Code::kInvalidArgument,
                 "there is no planner " + escape_foreign(choice.planner, 60) + "; known: " + planner_names()};
  }
  // A model is configured for one provider, the configured one.
  const bool configured = settings.planner.empty() || settings.planner == choice.planner;
  if (choice.model.empty() && configured) choice.model = settings.model;
  if (choice.model.empty()) choice.model = provider == nullptr ? kRecorded : provider->model;
  if (choice.model.empty()) {
    return Error{Code::kInvalidArgument, choice.planner + " has many models; name one (--model, or planner.model)"};
  }
  return choice;
}

Result<Access> access_of(const Settings& settings, const Environment& environment, const Choice& choice) {
  const Provider* provider = find_provider(choice.planner);
  if (provider == nullptr) return Error{Code::kInternal, "no provider " + choice.planner};
  Access access{
      {.api = provider->api,
       .base_url = settings.base_url.empty() ? provider->base_url : settings.base_url,
       .model = choice.model,
       .chat = provider->chat,
       .computer = provider->computer.has_value(),
       .computer_tool = settings.computer_tool,
       .store = settings.store},
      "",
      settings.key_file.empty() ? provider->key_variable : settings.key_file.string()};
  while (access.target.base_url.ends_with('/')) access.target.base_url.pop_back();
  ASSIGN_OR_RETURN(access.key, read_key(settings, environment, *provider));
  return access;
}

Result<std::unique_ptr<Model>> open_model(const Settings& settings, const Environment& environment,
                                          const Choice& choice) {
  std::unique_ptr<Model> model;
  if (choice.planner == kRecorded) {
    ASSIGN_OR_RETURN(model, RecordedModel::open(settings.saved_calls));
  } else {
    ASSIGN_OR_RETURN(Access access, access_of(settings, environment, choice));
    model = std::make_unique<HttpModel>(choice.planner, choice.model, make_wire_format(std::move(access.target)),
                                        std::move(access.key), settings.http);
  }
  if (settings.save_calls.empty()) return model;
  return SavingModel::open(std::move(model), settings.save_calls);
}

ImageWants image_wants(const Settings& settings, const std::string& planner) {
  ImageWants wants;
  const Provider* provider = find_provider(planner);
  const bool computer = provider != nullptr && provider->computer;
  // What is drawn over a screen is foreign to models that were trained on bare ones.
  const Overlay overlay = settings.overlay.value_or(computer ? Overlay::kNone : Overlay::kGrid);
  const bool grid = overlay == Overlay::kGrid || overlay == Overlay::kBoth;
  wants.wish = grid ? v1::IMAGE_WISH_ANNOTATED : v1::IMAGE_WISH_PLAIN;
  wants.marks = overlay == Overlay::kMarks || overlay == Overlay::kBoth;
  if (provider == nullptr) return wants;
  wants.limits.set_long_edge(provider->long_edge);
  wants.limits.set_short_edge(provider->short_edge);
  wants.limits.set_area(provider->area);
  wants.limits.set_jpeg(true);
  return wants;
}

std::unique_ptr<Dialect> dialect_of(const std::string& planner) {
  const Provider* provider = find_provider(planner);
  if (provider != nullptr && provider->computer) return computer_dialect(*provider->computer);
  return steps_dialect();
}

}  // namespace da::planner::model
