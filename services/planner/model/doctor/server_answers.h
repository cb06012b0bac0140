// Reads each kind of server's facts about its models. Untrusted: a field that is missing or of a wrong type counts as
// unknown. Pure; any thread.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace da::planner::model {

struct ModelFacts {
  std::string name;  // The server's name: with aliases resolved and tags added.
  std::optional<bool> takes_images;
  std::optional<std::uint64_t> context_tokens;  // Of the running model, if the server reports that.
};

// Names in a list of models of OpenAI, Anthropic, Gemini or Ollama. nullopt if the answer is not a list.
std::optional<std::vector<std::string>> names_of(const nlohmann::json& list);

// One model of OpenAI (which reports only its name), Anthropic or Gemini.
ModelFacts facts_of_model(const nlohmann::json& model);

// llama.cpp's GET /props, about its loaded model.
ModelFacts facts_of_props(const nlohmann::json& props);

// Ollama's POST /api/show, and GET /api/ps about a loaded model.
ModelFacts facts_of_show(const nlohmann::json& show, const std::string& name);
std::optional<std::uint64_t> context_of_loaded(const nlohmann::json& ps, const std::string& name);

// vLLM's GET /v1/models; LM Studio's GET /api/v1/models, and GET /api/v0/models before 0.4.
ModelFacts facts_in_list(const nlohmann::json& list, const std::string& name);

}  // namespace da::planner::model
