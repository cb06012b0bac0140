#include "services/planner/rules/run/profile_models.h"

#include <array>
#include <string_view>
#include <utility>

#include "lib/base/text.h"
#include "services/planner/model/settings/providers.h"

namespace da::planner::rules {
namespace {

constexpr std::size_t kShownOfModel = 100;
constexpr const char* kRecorded = "recorded";

// Beginnings of the names of models that only one provider has.
constexpr std::array<std::pair<std::string_view, const char*>, 4> kFamilies = {
    {{"gemini-", "gemini"}, {"models/gemini-", "gemini"}, {"gpt-", "openai"}, {"claude-", "anthropic"}}};
// Google's own way to write a name.
constexpr std::string_view kGeminiFolder = "models/";

struct Named {
  std::string provider;  // Written before the name; empty: none.
  std::string family;    // The provider of such names; empty: unknown.
  std::string model;
};

Named read_name(const std::string& name) {
  const auto slash = name.find('/');
  if (slash != std::string::npos && model::find_provider(name.substr(0, slash)) != nullptr) {
    return {name.substr(0, slash), "", name.substr(slash + 1)};
  }
  for (const auto& [beginning, provider] : kFamilies) {
    if (!name.starts_with(beginning)) continue;
    const bool in_folder = name.starts_with(kGeminiFolder);
    return {"", provider, in_folder ? name.substr(kGeminiFolder.size()) : name};
  }
  return {"", "", name};
}

// An address and a key file belong to one provider.
model::Settings settings_of(const model::Settings& settings, const ModelWish& wish, const std::string& provider) {
  model::Settings its = settings;
  const std::string& configured = wish.provider.empty() ? settings.planner : wish.provider;
  if (configured.empty() || configured == provider) return its;
  its.base_url.clear();
  its.key_file.clear();
  its.schema.reset();
  its.max_tokens_field.clear();
  its.image_long_edge = 0;
  return its;
}

Result<void> check_price(const model::Settings& settings, const model::Model& model) {
  if (settings.budget.money <= 0 || !model.is_paid() || settings.prices.contains(model.name())) return ok();
  return Error{Code::kFailedPrecondition, "the limited cost (planner.budget_money, --max-cost) needs the price of " +
                                              quote_foreign(model.name()) + " (planner.prices, --price)"};
}

Error of_rules(const NeededModel& needed, const Error& error) {
  return {error.code, "rule " + quote_foreign(needed.rules.front(), kShownOfModel) + " asks the model " +
                          quote_foreign(needed.name, kShownOfModel) + ": " + error.message +
                          "; --planner and --model of the run name another model"};
}

}  // namespace

Result<model::Choice> choose_model(const model::Settings& settings, const std::string& name, const ModelWish& wish) {
  const std::string& configured = wish.provider.empty() ? settings.planner : wish.provider;
  if (configured == kRecorded) return model::Choice{kRecorded, kRecorded, "saved calls answer"};
  if (wish.provider == model::kPlain) return Error{Code::kInvalidArgument, "the plain planner uses no model"};
  Named named{wish.provider, "", wish.model};
  if (wish.provider.empty() || wish.model.empty()) {
    named = read_name(wish.model.empty() ? name : wish.model);
    if (named.provider.empty()) named.provider = wish.provider;
    if (named.provider.empty()) named.provider = named.family;
    if (named.provider.empty() && settings.planner != model::kPlain) named.provider = settings.planner;
  }
  if (trim(named.model).empty()) return Error{Code::kInvalidArgument, "the model has no name"};
  if (named.provider.empty()) {
    return Error{Code::kInvalidArgument, "the name does not tell its provider; write it as in \"openai/" +
                                             escape_foreign(named.model, kShownOfModel) + "\""};
  }
  return model::choose(settings, {}, named.provider, named.model);
}

Result<ProfileModels> ProfileModels::open(const model::Settings& settings, const model::Environment& environment,
                                          const Profile& profile, const Variables& given, const ModelWish& wish) {
  ASSIGN_OR_RETURN(const auto all, needed_models(profile, given));
  ProfileModels models;
  std::map<std::pair<std::string, std::string>, std::shared_ptr<Opened>> opened;
  for (const NeededModel& needed : all) {
    const auto choice = choose_model(settings, needed.name, wish);
    if (!choice) return of_rules(needed, choice.error());
    std::shared_ptr<Opened>& one = opened[{choice->planner, choice->model}];
    if (one == nullptr) {
      if (settings.options.sees == model::Sees::kElements) {
        return of_rules(needed, {Code::kInvalidArgument, "it gets pictures of regions, and planner.images is false"});
      }
      auto model = model::open_model(settings_of(settings, wish, choice->planner), environment, *choice);
      if (!model) return of_rules(needed, model.error());
      if (const auto priced = check_price(settings, **model); !priced) return of_rules(needed, priced.error());
      const auto images = model::image_wants(settings, (*model)->sized_for(), model::Names::kDescriptions);
      one = std::make_shared<Opened>(Opened{*std::move(model), images.limits});
    }
    models.add(needed.name, one);
  }
  return models;
}

ProfileModels::Opened* ProfileModels::find(const std::string& name) {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : found->second.get();
}

}  // namespace da::planner::rules
