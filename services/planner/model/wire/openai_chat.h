// OpenAI Chat Completions, and the servers that speak it too (Ollama, llama.cpp, vLLM, LM Studio); how these differ is
// in ChatTraits. Source: platform.openai.com/docs/api-reference/chat; types of the npm package openai 6.49. Pure; any
// thread.
#pragma once

#include <string_view>
#include <utility>

#include "services/planner/model/wire/wire_format.h"

namespace da::planner::model {

class OpenAiChat final : public WireFormat {
 public:
  explicit OpenAiChat(Target target) : target_(std::move(target)) {}

  HttpRequest build(const Request& request) const override;
  std::pair<std::string, std::string> key_header(std::string_view key) const override;
  Result<Reply> read(int status, std::string_view body) const override;

 private:
  Target target_;
};

}  // namespace da::planner::model
