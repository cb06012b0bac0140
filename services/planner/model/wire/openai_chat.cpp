#include "services/planner/model/wire/openai_chat.h"

#include <array>

#include "services/planner/model/wire/answer_fields.h"
#include "services/planner/model/wire/http_errors.h"
#include "services/planner/model/wire/request_json.h"

namespace da::planner::model {
namespace {

// tool_calls and function_call are not here: no tool is offered.
constexpr std::array<FinishName, 3> kFinishes = {{
    {"stop", Finish::kComplete},
    {"length", Finish::kLength},
    {"content_filter", Finish::kFiltered},
}};

RequestJson content_of(const Message& message) {
  // A plain text where it suffices: models that read no images may take no parts.
  if (message.images.empty()) return in_words(message);
  RequestJson parts = RequestJson::array();
  if (!message.text.empty()) parts.push_back({{"type", "text"}, {"text", message.text}});
  for (const Image& image : message.images) {
    // With "auto" the server may shrink the image to where small text is lost.
    parts.push_back({{"type", "image_url"}, {"image_url", {{"url", data_url(image)}, {"detail", "high"}}}});
  }
  return parts;
}

// The newer role "developer" is OpenAI's alone; "system" is taken by all, and OpenAI reads it as the same.
RequestJson messages_of(const Request& request) {
  RequestJson messages = RequestJson::array();
  if (!request.system.empty()) messages.push_back({{"role", "system"}, {"content", request.system}});
  for (const Message& message : request.messages) {
    messages.push_back(
        {{"role", message.from == Message::From::kUser ? "user" : "assistant"}, {"content", content_of(message)}});
  }
  return messages;
}

// Null where nothing is said of the form.
RequestJson response_format(const Request& request, ChatTraits::Schema form) {
  if (request.schema.is_null()) return nullptr;
  switch (form) {
    case ChatTraits::Schema::kNested:
      return {{"type", "json_schema"},
              {"json_schema", {{"name", request.schema_name}, {"strict", true}, {"schema", request.schema}}}};
    case ChatTraits::Schema::kFlat: return {{"type", "json_schema"}, {"schema", request.schema}};
    case ChatTraits::Schema::kObject: return {{"type", "json_object"}};
    case ChatTraits::Schema::kNone: break;
  }
  return nullptr;
}

Result<Usage> usage_of(const AnswerObject& answer) {
  Usage usage;
  ASSIGN_OR_RETURN(const AnswerObject counts, answer.object_or_empty("usage"));
  ASSIGN_OR_RETURN(const AnswerObject input, counts.object_or_empty("prompt_tokens_details"));
  ASSIGN_OR_RETURN(usage.input_tokens, counts.tokens("prompt_tokens"));
  ASSIGN_OR_RETURN(usage.cached_input_tokens, input.tokens("cached_tokens"));
  ASSIGN_OR_RETURN(usage.output_tokens, counts.tokens("completion_tokens"));
  return usage;
}

}  // namespace

HttpRequest OpenAiChat::build(const Request& request) const {
  RequestJson body = {{"model", target_.model}, {"messages", messages_of(request)}};
  body[target_.chat.max_tokens_field] = request.max_output_tokens;
  RequestJson format = response_format(request, target_.chat.schema);
  if (!format.is_null()) body["response_format"] = std::move(format);
  return post_json(target_.base_url + "/chat/completions", body);
}

std::pair<std::string, std::string> OpenAiChat::key_header(std::string_view key) const {
  return {"Authorization", "Bearer " + std::string(key)};
}

Result<Reply> OpenAiChat::read(int status, std::string_view body) const {
  if (!is_success(status)) return read_http_error(status, body);
  ASSIGN_OR_RETURN(const nlohmann::json json, parse_json(body));
  ASSIGN_OR_RETURN(const AnswerObject answer, AnswerObject::of(json));
  ASSIGN_OR_RETURN(const AnswerObject choice, answer.first("choices"));
  ASSIGN_OR_RETURN(const AnswerObject message, choice.object("message"));
  ASSIGN_OR_RETURN(const std::string finish, choice.text("finish_reason"));
  ASSIGN_OR_RETURN(const std::string refusal, message.text_or_empty("refusal"));
  Reply reply;
  ASSIGN_OR_RETURN(reply.finish, finish_named(kFinishes, finish));
  ASSIGN_OR_RETURN(reply.text, message.text_or_empty("content"));
  ASSIGN_OR_RETURN(reply.model, answer.text_or_empty("model"));
  ASSIGN_OR_RETURN(reply.usage, usage_of(answer));
  if (reply.finish != Finish::kComplete) reply.detail = finish;
  if (!refusal.empty()) {
    reply.finish = Finish::kRefused;
    reply.detail = refusal;
  }
  return reply;
}

}  // namespace da::planner::model
