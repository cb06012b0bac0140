// The OpenAI Chat Completions API and its compatible servers (Ollama, llama.cpp, vLLM, LM Studio); ChatTraits lists
// their differences. Source: platform.openai.com/docs/api-reference/chat; types of the npm package openai 6.49.
// Pure; any thread.
#pragma once

#include "services/planner/model/wire/wire_format.h"

namespace da::planner::model {

class OpenAiChat final : public WireFormat {
 public:
  using WireFormat::WireFormat;

  HttpRequest build(const Request& request) const override;

 private:
  Result<Reply> read_success(const AnswerObject& answer) const override;
};

}  // namespace da::planner::model
