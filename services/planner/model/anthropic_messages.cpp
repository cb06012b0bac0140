#include "services/planner/model/anthropic_messages.h"

#include <array>

#include "services/planner/model/answer_fields.h"
#include "services/planner/model/base64.h"
#include "services/planner/model/http_errors.h"
#include "services/planner/model/request_json.h"

namespace da::planner::model {
namespace {

// tool_use and pause_turn are not here: no tool is offered, neither of ours nor of the server.
constexpr std::array<FinishName, 5> kFinishes = {{
    {"end_turn", Finish::kComplete},
    {"stop_sequence", Finish::kComplete},
    {"max_tokens", Finish::kLength},
    {"refusal", Finish::kRefused},
    {"model_context_window_exceeded", Finish::kContextFull},
}};

RequestJson content_of(const Message& message) {
  if (message.images.empty()) return text_of(message);
  RequestJson blocks = RequestJson::array();
  if (!message.text.empty()) blocks.push_back({{"type", "text"}, {"text", message.text}});
  for (const Image& image : message.images) {
    blocks.push_back(
        {{"type", "image"},
         {"source", {{"type", "base64"}, {"media_type", image.media_type}, {"data", base64(image.data)}}}});
  }
  return blocks;
}

RequestJson messages_of(const Request& request) {
  RequestJson messages = RequestJson::array();
  for (const Message& message : request.messages) {
    messages.push_back(
        {{"role", message.from == Message::From::kUser ? "user" : "assistant"}, {"content", content_of(message)}});
  }
  return messages;
}

// The text blocks; thinking has blocks of its own.
Result<std::string> text_in(const AnswerObject& answer) {
  std::string text;
  ASSIGN_OR_RETURN(const std::vector<AnswerObject> blocks, answer.objects("content"));
  for (const AnswerObject& block : blocks) {
    ASSIGN_OR_RETURN(const std::string kind, block.text("type"));
    if (kind != "text") continue;
    ASSIGN_OR_RETURN(const std::string part, block.text("text"));
    text += part;
  }
  return text;
}

// Why the model declined, as well as the provider says it.
Result<std::string> refusal_in(const AnswerObject& answer) {
  ASSIGN_OR_RETURN(const AnswerObject details, answer.object_or_empty("stop_details"));
  ASSIGN_OR_RETURN(const std::string category, details.text_or_empty("category"));
  ASSIGN_OR_RETURN(const std::string explanation, details.text_or_empty("explanation"));
  if (!explanation.empty()) return explanation;
  return category.empty() ? "refusal" : "refusal: " + category;
}

// input_tokens leaves out what was written to the cache or read from it.
Result<Usage> usage_of(const AnswerObject& answer) {
  ASSIGN_OR_RETURN(const AnswerObject counts, answer.object_or_empty("usage"));
  ASSIGN_OR_RETURN(const std::uint64_t uncached, counts.tokens("input_tokens"));
  ASSIGN_OR_RETURN(const std::uint64_t written, counts.tokens("cache_creation_input_tokens"));
  ASSIGN_OR_RETURN(const std::uint64_t cached, counts.tokens("cache_read_input_tokens"));
  ASSIGN_OR_RETURN(const std::uint64_t output, counts.tokens("output_tokens"));
  return Usage{.input_tokens = uncached + written + cached, .cached_input_tokens = cached, .output_tokens = output};
}

}  // namespace

HttpRequest AnthropicMessages::build(const Request& request) const {
  RequestJson body = {{"model", target_.model}, {"max_tokens", request.max_output_tokens}};
  if (!request.system.empty()) body["system"] = request.system;
  body["messages"] = messages_of(request);
  if (!request.schema.is_null()) {
    body["output_config"]["format"] = {{"type", "json_schema"}, {"schema", request.schema}};
  }
  return post_json(target_.base_url + "/v1/messages", body, {{"anthropic-version", "2023-06-01"}});
}

std::pair<std::string, std::string> AnthropicMessages::key_header(std::string_view key) const {
  return {"x-api-key", std::string(key)};
}

Result<Reply> AnthropicMessages::read(int status, std::string_view body) const {
  if (!is_success(status)) return read_http_error(status, body);
  ASSIGN_OR_RETURN(const nlohmann::json json, parse_json(body));
  ASSIGN_OR_RETURN(const AnswerObject answer, AnswerObject::of(json));
  ASSIGN_OR_RETURN(const std::string finish, answer.text("stop_reason"));
  Reply reply;
  ASSIGN_OR_RETURN(reply.finish, finish_named(kFinishes, finish));
  ASSIGN_OR_RETURN(reply.text, text_in(answer));
  ASSIGN_OR_RETURN(reply.model, answer.text_or_empty("model"));
  ASSIGN_OR_RETURN(reply.usage, usage_of(answer));
  if (reply.finish == Finish::kRefused) {
    ASSIGN_OR_RETURN(reply.detail, refusal_in(answer));
  } else if (reply.finish != Finish::kComplete) {
    reply.detail = finish;
  }
  return reply;
}

}  // namespace da::planner::model
