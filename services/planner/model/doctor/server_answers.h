// What servers say of their models, each in its own form. They are read without trust: what is missing or of another
// type counts as not said. Pure; any thread.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace da::planner::model {

struct ModelFacts {
  std::string name;  // As the server calls it: an alias resolved, a tag added.
  std::optional<bool> takes_images;
  std::optional<std::uint64_t> context_tokens;  // As it runs, where the server says that.
};

// Names in a list of models: OpenAI's, Anthropic's, Gemini's, Ollama's. nullopt where it is no list.
std::optional<std::vector<std::string>> names_of(const nlohmann::json& list);

// One model of OpenAI (which tells its name alone), Anthropic or Gemini.
ModelFacts facts_of_model(const nlohmann::json& model);

// llama.cpp's GET /props, of the model that it has loaded.
ModelFacts facts_of_props(const nlohmann::json& props);

// Ollama's POST /api/show, and GET /api/ps for a model that is loaded.
ModelFacts facts_of_show(const nlohmann::json& show, const std::string& name);
std::optional<std::uint64_t> context_of_loaded(const nlohmann::json& ps, const std::string& name);

// vLLM's GET /v1/models; LM Studio's GET /api/v1/models, and GET /api/v0/models before 0.4.
ModelFacts facts_in_list(const nlohmann::json& list, const std::string& name);

}  // namespace da::planner::model
