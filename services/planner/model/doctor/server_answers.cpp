#include "services/planner/model/doctor/server_answers.h"

#include <algorithm>
#include <sstream>

namespace da::planner::model {
namespace {

using nlohmann::json;

const json kNoValue;

// The value under nested keys; null if a key is missing.
const json& value_at(const json& value, std::initializer_list<const char*> keys) {
  const json* here = &value;
  for (const char* key : keys) {
    if (!here->is_object()) return kNoValue;
    const auto found = here->find(key);
    if (found == here->end()) return kNoValue;
    here = &*found;
  }
  return *here;
}

std::optional<bool> flag(const json& value) {
  return value.is_boolean() ? std::optional(value.get<bool>()) : std::nullopt;
}

// Anthropic and others report 0 for unknown.
std::optional<std::uint64_t> tokens(const json& value) {
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() == 0) return std::nullopt;
  return value.get<std::uint64_t>();
}

std::string text(const json& value) { return value.is_string() ? value.get<std::string>() : ""; }

std::string name_of(const json& model) {
  for (const char* key : {"id", "name", "key"}) {
    const std::string name = text(value_at(model, {key}));
    if (name.starts_with("models/")) return name.substr(std::string_view("models/").size());
    if (!name.empty()) return name;
  }
  return "";
}

const json& list_in(const json& answer) {
  const json& data = value_at(answer, {"data"});
  return data.is_array() ? data : value_at(answer, {"models"});
}

const json& model_in(const json& answer, const std::string& name) {
  const json& list = list_in(answer);
  if (!list.is_array()) return kNoValue;
  for (const json& model : list) {
    if (name_of(model) == name) return model;
  }
  return kNoValue;
}

// The first of these fields that the server reports.
std::optional<std::uint64_t> first_tokens(const json& model, std::initializer_list<const char*> keys) {
  for (const char* key : keys) {
    if (const auto count = tokens(value_at(model, {key}))) return count;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::vector<std::string>> names_of(const json& answer) {
  const json& list = list_in(answer);
  if (!list.is_array()) return std::nullopt;
  std::vector<std::string> names;
  for (const json& model : list) {
    if (std::string name = name_of(model); !name.empty()) names.push_back(std::move(name));
  }
  return names;
}

ModelFacts facts_of_model(const json& model) {
  return {name_of(model), flag(value_at(model, {"capabilities", "image_input", "supported"})),
          first_tokens(model, {"max_input_tokens", "inputTokenLimit"})};
}

ModelFacts facts_of_props(const json& props) {
  return {text(value_at(props, {"model_alias"})), flag(value_at(props, {"modalities", "vision"})),
          tokens(value_at(props, {"default_generation_settings", "n_ctx"}))};
}

ModelFacts facts_of_show(const json& show, const std::string& name) {
  ModelFacts facts{name, std::nullopt, std::nullopt};
  const json& capabilities = value_at(show, {"capabilities"});
  if (capabilities.is_array()) {
    facts.takes_images = std::ranges::find(capabilities, json("vision")) != capabilities.end();
  }
  // Each line has a name and a value.
  std::istringstream lines(text(value_at(show, {"parameters"})));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string key;
    std::uint64_t value = 0;
    if (words >> key >> value && key == "num_ctx") facts.context_tokens = value;
  }
  return facts;
}

std::optional<std::uint64_t> context_of_loaded(const json& ps, const std::string& name) {
  return tokens(value_at(model_in(ps, name), {"context_length"}));
}

ModelFacts facts_in_list(const json& list, const std::string& name) {
  const json& model = model_in(list, name);
  ModelFacts facts{name, flag(value_at(model, {"capabilities", "vision"})), std::nullopt};
  // Types in LM Studio before 0.4: "llm", "vlm", "embeddings".
  const std::string type = text(value_at(model, {"type"}));
  if (!facts.takes_images && (type == "vlm" || type == "llm")) facts.takes_images = type == "vlm";
  const json& instances = value_at(model, {"loaded_instances"});
  if (instances.is_array() && !instances.empty()) {
    facts.context_tokens = tokens(value_at(instances.front(), {"config", "context_length"}));
  }
  if (!facts.context_tokens) {
    facts.context_tokens = first_tokens(model, {"loaded_context_length", "max_model_len", "max_context_length"});
  }
  return facts;
}

}  // namespace da::planner::model
