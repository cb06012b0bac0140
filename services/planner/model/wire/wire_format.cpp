#include "services/planner/model/wire/wire_format.h"

#include "services/planner/model/wire/http_errors.h"

namespace da::planner::model {
namespace {

std::string_view default_url(Api api) {
  switch (api) {
    case Api::kAnthropicMessages: return "https://api.anthropic.com";
    case Api::kGemini: return "https://generativelanguage.googleapis.com";
    case Api::kOpenAiResponses:
    case Api::kOpenAiChat: break;
  }
  return "https://api.openai.com/v1";
}

}  // namespace

std::pair<std::string, std::string> WireFormat::key_header(std::string_view key) const {
  return {"Authorization", "Bearer " + std::string(key)};
}

Result<Reply> WireFormat::read(int status, std::string_view body) const {
  if (!is_success(status)) return read_http_error(status, body);
  ASSIGN_OR_RETURN(const nlohmann::json json, parse_json(body));
  ASSIGN_OR_RETURN(const AnswerObject answer, AnswerObject::of(json));
  return read_success(answer);
}

std::string base_url_of(const Target& target) {
  return target.base_url.empty() ? std::string(default_url(target.api)) : target.base_url;
}

}  // namespace da::planner::model
