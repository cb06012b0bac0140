#include "services/planner/model/wire/wire_format.h"

#include "services/planner/model/wire/anthropic_messages.h"
#include "services/planner/model/wire/gemini.h"
#include "services/planner/model/wire/openai_chat.h"
#include "services/planner/model/wire/openai_responses.h"

namespace da::planner::model {
namespace {

std::string_view providers_own_url(Api api) {
  switch (api) {
    case Api::kAnthropicMessages: return "https://api.anthropic.com";
    case Api::kGemini: return "https://generativelanguage.googleapis.com";
    case Api::kOpenAiResponses:
    case Api::kOpenAiChat: break;
  }
  return "https://api.openai.com/v1";
}

}  // namespace

std::string base_url_of(const Target& target) {
  return target.base_url.empty() ? std::string(providers_own_url(target.api)) : target.base_url;
}

std::unique_ptr<WireFormat> make_wire_format(Target target) {
  target.base_url = base_url_of(target);
  switch (target.api) {
    case Api::kOpenAiResponses: return std::make_unique<OpenAiResponses>(std::move(target));
    case Api::kAnthropicMessages: return std::make_unique<AnthropicMessages>(std::move(target));
    case Api::kGemini: return std::make_unique<Gemini>(std::move(target));
    case Api::kOpenAiChat: break;
  }
  return std::make_unique<OpenAiChat>(std::move(target));
}

}  // namespace da::planner::model
