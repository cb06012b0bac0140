#include "services/planner/model/doctor/look.h"

#include <algorithm>

#include "lib/base/text.h"

namespace da::planner::model {
namespace {

constexpr std::string_view kApiPath = "/v1";
constexpr const char* kAnyModel = "default";  // The model name for llama.cpp unless one is configured.

// The base of a local server's own API, beside its OpenAI API.
std::string root_of(const std::string& base_url) {
  return base_url.ends_with(kApiPath) ? base_url.substr(0, base_url.size() - kApiPath.size()) : base_url;
}

bool has_name(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

Result<Seen> with_names(ServerCalls& calls, const std::string& url, const Headers& headers = {}) {
  ASSIGN_OR_RETURN(const auto list, calls.get(url, headers));
  return Seen{std::nullopt, names_of(list)};
}

// Asks for the model itself, because a list may have many pages and has no aliases; then for the list.
Result<Seen> at_vendor(ServerCalls& calls, const std::string& models, const std::string& every, const Target& target,
                       const Headers& headers) {
  const auto model = calls.get(models + "/" + percent_encoded(target.model), headers);
  if (model) {
    const ModelFacts facts = facts_of_model(*model);
    return Seen{facts.name.empty() ? std::nullopt : std::optional(facts), std::nullopt};
  }
  if (model.error().code != Code::kNotFound) return model.error();
  ASSIGN_OR_RETURN(Seen seen, with_names(calls, models + every, headers));
  // Some compatible servers have no path for a single model.
  if (seen.names && has_name(*seen.names, target.model)) seen.model = ModelFacts{target.model};
  return seen;
}

Result<Seen> at_ollama(ServerCalls& calls, const std::string& root, const std::string& wanted) {
  ASSIGN_OR_RETURN(Seen seen, with_names(calls, root + "/api/tags"));
  if (!seen.names) return seen;
  const auto found = std::ranges::find_if(
      *seen.names, [&](const std::string& name) { return name == wanted || name == wanted + ":latest"; });
  if (found == seen.names->end()) return seen;
  const auto show = calls.post(root + "/api/show", {{"model", *found}});
  seen.model = show ? facts_of_show(*show, *found) : ModelFacts{*found};
  if (const auto loaded = calls.get(root + "/api/ps")) {
    if (const auto context = context_of_loaded(*loaded, *found)) seen.model->context_tokens = context;
  }
  return seen;
}

// llama.cpp answers with its loaded model, whatever name a request has.
Result<Seen> at_llamacpp(ServerCalls& calls, const Target& target) {
  ASSIGN_OR_RETURN(Seen seen, with_names(calls, target.base_url + "/models"));
  const auto props = calls.get(root_of(target.base_url) + "/props");
  ModelFacts facts = props ? facts_of_props(*props) : ModelFacts();
  if (facts.name.empty() && seen.names && !seen.names->empty()) facts.name = seen.names->front();
  const bool listed = seen.names && has_name(*seen.names, target.model);
  if (listed) facts.name = target.model;
  const bool matches = listed || target.model == kAnyModel || !seen.names;
  if (!facts.name.empty() && (matches || seen.names->size() == 1)) seen.model = std::move(facts);
  return seen;
}

Result<Seen> at_lmstudio(ServerCalls& calls, const Target& target) {
  ASSIGN_OR_RETURN(Seen seen, with_names(calls, target.base_url + "/models"));
  if (!seen.names || !has_name(*seen.names, target.model)) return seen;
  seen.model = ModelFacts{target.model};
  // LM Studio answers unknown paths with status 200 and an error.
  for (const char* path : {"/api/v1/models", "/api/v0/models"}) {
    const auto list = calls.get(root_of(target.base_url) + path);
    if (!list || !names_of(*list)) continue;
    seen.model = facts_in_list(*list, target.model);
    break;
  }
  return seen;
}

Result<Seen> at_vllm(ServerCalls& calls, const Target& target) {
  ASSIGN_OR_RETURN(const auto list, calls.get(target.base_url + "/models"));
  Seen seen{std::nullopt, names_of(list)};
  if (seen.names && has_name(*seen.names, target.model)) seen.model = facts_in_list(list, target.model);
  return seen;
}

}  // namespace

Result<Seen> look_for_model(ServerCalls& calls, const std::string& planner, const Target& given) {
  Target target = given;
  target.base_url = base_url_of(given);
  if (planner == "ollama") return at_ollama(calls, root_of(target.base_url), target.model);
  if (planner == "llamacpp") return at_llamacpp(calls, target);
  if (planner == "lmstudio") return at_lmstudio(calls, target);
  if (planner == "vllm") return at_vllm(calls, target);
  switch (target.api) {
    case Api::kAnthropicMessages:
      return at_vendor(calls, target.base_url + "/v1/models", "?limit=1000", target,
                       {{"anthropic-version", "2023-06-01"}});
    case Api::kGemini: return at_vendor(calls, target.base_url + "/v1beta/models", "?pageSize=1000", target, {});
    case Api::kOpenAiResponses:
    case Api::kOpenAiChat: break;
  }
  return at_vendor(calls, target.base_url + "/models", "", target, {});
}

}  // namespace da::planner::model
