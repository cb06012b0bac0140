#include "services/planner/model/wire/make_wire_format.h"

#include "services/planner/model/wire/anthropic_messages.h"
#include "services/planner/model/wire/gemini.h"
#include "services/planner/model/wire/openai_chat.h"
#include "services/planner/model/wire/openai_responses.h"

namespace da::planner::model {

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
