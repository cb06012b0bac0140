#include "services/planner/model/wire/openai_chat.h"

#include <array>

#include "services/planner/model/wire/request_json.h"

namespace da::planner::model {
namespace {

// Without tool_calls and function_call, because no tool is offered.
constexpr std::array<FinishName, 3> kChatFinishes = {{
    {"stop", Finish::kComplete},
    {"length", Finish::kLength},
    {"content_filter", Finish::kFiltered},
}};

RequestJson chat_content(const Message& message) {
  // Models without image input may accept only a plain text, not a list of parts.
  if (message.images.empty()) return in_words(message);
  RequestJson parts = RequestJson::array();
  if (!message.text.empty()) parts.push_back({{"type", "text"}, {"text", message.text}});
  for (const Image& image : message.images) {
    // The server may shrink the image with "auto" until small text is unreadable.
    parts.push_back({{"type", "image_url"}, {"image_url", {{"url", data_url(image)}, {"detail", "high"}}}});
  }
  return parts;
}

// All servers accept the role "system"; only OpenAI accepts the newer "developer", which means the same.
RequestJson chat_messages(const Request& request) {
  RequestJson messages = RequestJson::array();
  if (!request.system.empty()) messages.push_back({{"role", "system"}, {"content", request.system}});
  for (const Message& message : request.messages) {
    messages.push_back(role_message(message, chat_content(message)));
  }
  return messages;
}

// Null if the request does not restrict the answer's form.
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

}  // namespace

HttpRequest OpenAiChat::build(const Request& request) const {
  RequestJson body = {{"model", target_.model}, {"messages", chat_messages(request)}};
  body[target_.chat.max_tokens_field] = request.max_output_tokens;
  RequestJson format = response_format(request, target_.chat.schema);
  if (!format.is_null()) body["response_format"] = std::move(format);
  return post_json(target_.base_url + "/chat/completions", body);
}

Result<Reply> OpenAiChat::read_success(const AnswerObject& answer) const {
  ASSIGN_OR_RETURN(const AnswerObject choice, answer.first("choices"));
  ASSIGN_OR_RETURN(const AnswerObject message, choice.object("message"));
  ASSIGN_OR_RETURN(const std::string finish, choice.text("finish_reason"));
  ASSIGN_OR_RETURN(const std::string refusal, message.text_or_empty("refusal"));
  Reply reply;
  ASSIGN_OR_RETURN(reply.finish, finish_named(kChatFinishes, finish));
  ASSIGN_OR_RETURN(reply.text, message.text_or_empty("content"));
  ASSIGN_OR_RETURN(reply.model, answer.text_or_empty("model"));
  ASSIGN_OR_RETURN(reply.usage, openai_usage(answer, "prompt_tokens", "completion_tokens"));
  if (reply.finish != Finish::kComplete) reply.detail = finish;
  if (!refusal.empty()) {
    reply.finish = Finish::kRefused;
    reply.detail = refusal;
  }
  return reply;
}

}  // namespace da::planner::model
