#include "services/planner/model/settings/choice.h"

#include <algorithm>
#include <vector>

#include "lib/base/nearest.h"
#include "lib/base/text.h"
#include "lib/os/files/files.h"
#include "services/planner/model/http/http_model.h"
#include "services/planner/model/saved_calls.h"
#include "services/planner/model/settings/providers.h"
#include "services/planner/model/wire/make_wire_format.h"

namespace da::planner::model {
namespace {

constexpr const char* kRecorded = "recorded";

Error unknown_planner(const std::string& planner) {
  std::vector<std::string> names = {kPlain, kRecorded};
  for (const Provider& provider : providers()) names.emplace_back(provider.name);
  std::string known;
  for (const std::string& name : names) known += (known.empty() ? "" : ", ") + name;
  return {Code::kInvalidArgument,
          "there is no planner " + escape_foreign(planner, 60) + did_you_mean(planner, names) + "; known: " + known};
}

// Refuses line breaks, which would start another header of the request.
Result<std::string> parse_key(std::string_view text, const std::string& where) {
  const std::string_view key = trim(text);
  const auto is_visible = [](char c) { return c > ' ' && c <= '~'; };
  if (!key.empty() && std::ranges::all_of(key, is_visible)) return std::string(key);
  return Error{Code::kFailedPrecondition, where + " contains no valid key: a key is one word of ASCII characters"};
}

Result<std::string> read_key(const Settings& settings, const Environment& environment, const Provider& provider) {
  if (!settings.key_file.empty()) {
    const auto key = os::read_private_file(settings.key_file);
    if (!key) return Error{Code::kFailedPrecondition, key.error().message};
    return parse_key(*key, settings.key_file.string());
  }
  const std::string variable = provider.key_variable;
  if (variable.empty()) return std::string();
  const auto key = environment(variable);
  if (key) return parse_key(*key, variable);
  return Error{Code::kFailedPrecondition, std::string(provider.name) + " needs a key: set " + variable +
                                              " in da-planner's environment, or planner.key_file"};
}

}  // namespace

Result<Choice> choose(const Settings& settings, const Environment& environment, const std::string& planner,
                      const std::string& model) {
  Choice choice{planner, model, "named by --planner"};
  if (choice.planner.empty()) {
    choice.planner = settings.planner;
    choice.why = settings.planner_from + " says so";
  }
  if (choice.planner.empty()) {
    choice.planner = kPlain;
    choice.why = "no provider's key is in the environment";
    for (const Provider& provider : providers()) {
      if (*provider.key_variable == '\0' || !environment(provider.key_variable)) continue;
      choice.planner = provider.name;
      choice.why = std::string(provider.key_variable) + " is set";
      break;
    }
  }
  if (choice.planner == kPlain && !model.empty()) {
    return Error{Code::kInvalidArgument, "the plain planner (" + choice.why + ") uses no model, and --model names " +
                                             quote_foreign(model, 60) + ": name the model's provider with --planner"};
  }
  if (choice.planner == kPlain) return Choice{kPlain, "", choice.why};
  const Provider* provider = find_provider(choice.planner);
  if (provider == nullptr && choice.planner != kRecorded) return unknown_planner(choice.planner);
  // The configured model belongs to the configured provider only.
  const bool configured = settings.planner.empty() || settings.planner == choice.planner;
  if (choice.model.empty() && configured) choice.model = settings.model;
  if (choice.model.empty()) choice.model = provider == nullptr ? kRecorded : provider->model;
  if (choice.model.empty()) {
    return Error{Code::kInvalidArgument,
                 choice.planner +
                     " has no default model: name one with --model, or planner.model in planner.toml; "
                     "`da-console doctor --planner " +
                     choice.planner + " --model x` lists those that its server has"};
  }
  return choice;
}

Result<Access> access_of(const Settings& settings, const Environment& environment, const Choice& choice) {
  const Provider* provider = find_provider(choice.planner);
  if (provider == nullptr) return Error{Code::kInternal, "no provider " + choice.planner};
  Access access{{.api = provider->api,
                 .base_url = settings.base_url.empty() ? provider->base_url : settings.base_url,
                 .model = choice.model,
                 .chat = provider->chat,
                 .computer = provider->computer.has_value(),
                 .computer_tool = settings.computer_tool,
                 .store = settings.store},
                "",
                settings.key_file.empty() ? provider->key_variable : settings.key_file.string()};
  if (settings.schema) access.target.chat.schema = *settings.schema;
  if (!settings.max_tokens_field.empty()) access.target.chat.max_tokens_field = settings.max_tokens_field;
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

ImageWants image_wants(const Settings& settings, const std::string& planner, Names names) {
  ImageWants wants{.read = true};
  const Provider* provider = find_provider(planner);
  // A grid helps models to write pixels as text; computer tools were trained without one.
  const bool writes_places = names == Names::kPlaces && (provider == nullptr || !provider->computer);
  const Overlay overlay = settings.overlay.value_or(writes_places ? Overlay::kGrid : Overlay::kNone);
  const bool grid = overlay == Overlay::kGrid || overlay == Overlay::kBoth;
  wants.wish = grid ? v1::IMAGE_WISH_ANNOTATED : v1::IMAGE_WISH_PLAIN;
  wants.marks = overlay == Overlay::kMarks || overlay == Overlay::kBoth;
  if (provider == nullptr) return wants;
  wants.limits.set_long_edge(settings.image_long_edge > 0 ? settings.image_long_edge : provider->long_edge);
  wants.limits.set_short_edge(provider->short_edge);
  wants.limits.set_area(provider->area);
  wants.limits.set_jpeg(true);
  return wants;
}

std::unique_ptr<Dialect> dialect_of(const std::string& planner, const ImageWants& images) {
  const Provider* provider = find_provider(planner);
  if (provider != nullptr && provider->computer) return computer_dialect(*provider->computer);
  return steps_dialect({.grid = images.wish == v1::IMAGE_WISH_ANNOTATED, .marks = images.marks});
}

}  // namespace da::planner::model
