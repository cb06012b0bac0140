#include "services/planner/model/wire/openai_responses.h"

#include <algorithm>
#include <array>
#include <span>

#include "services/planner/model/wire/answer_fields.h"
#include "services/planner/model/wire/http_errors.h"
#include "services/planner/model/wire/request_json.h"

namespace da::planner::model {
namespace {

// incomplete_details.reason
constexpr std::array<FinishName, 2> kIncomplete = {{
    {"max_output_tokens", Finish::kLength},
    {"content_filter", Finish::kFiltered},
}};

// The status of a whole response. "failed" and "incomplete" are read apart; "in_progress", "queued" and "cancelled" are
// of responses in the background, which are not asked for.
constexpr std::array<FinishName, 1> kStatuses = {{{"completed", Finish::kComplete}}};

RequestJson parts_of(const std::string& text, std::span<const Image> images) {
  RequestJson parts = RequestJson::array();
  if (!text.empty()) parts.push_back({{"type", "input_text"}, {"text", text}});
  for (const Image& image : images) {
    // With "auto" the server may shrink the image to where small text is lost.
    parts.push_back({{"type", "input_image"}, {"image_url", data_url(image)}, {"detail", "high"}});
  }
  return parts;
}

RequestJson content_of(const Message& message) {
  return message.images.empty() ? RequestJson(in_words(message)) : parts_of(in_words(message), message.images);
}

// The result of a call is a screenshot, and tells that its safety checks were agreed to. Where there is no screenshot
// any more, or a person did not agree, call and result are told in words.
bool can_be_answered(const Message& message) {
  return !message.results.empty() && !message.images.empty() &&
         std::ranges::all_of(message.results, [](const ToolResult& result) {
           return !result.call.id.empty() && (result.done || result.call.checks.empty());
         });
}

RequestJson call_output(const ToolResult& result, const Image& screen) {
  RequestJson output = {{"type", "computer_call_output"},
                        {"call_id", result.call.id},
                        {"output", {{"type", "computer_screenshot"}, {"image_url", data_url(screen)}}}};
  for (const SafetyCheck& check : result.call.checks) {
    RequestJson agreed = {{"id", check.id}};
    if (!check.code.empty()) agreed["code"] = check.code;
    if (!check.message.empty()) agreed["message"] = check.message;
    output["acknowledged_safety_checks"].push_back(std::move(agreed));
  }
  return output;
}

void append_results(const Message& message, RequestJson& input) {
  std::string text;
  for (const ToolResult& result : message.results) {
    input.push_back(call_output(result, message.images.front()));
    text += result.text + "\n";
  }
  input.push_back({{"role", "user"}, {"content", parts_of(text + message.text, std::span(message.images).subspan(1))}});
}

RequestJson input_of(const Request& request) {
  RequestJson input = RequestJson::array();
  for (std::size_t i = 0; i < request.messages.size(); ++i) {
    const Message& message = request.messages[i];
    const bool answered = i + 1 < request.messages.size() && can_be_answered(request.messages[i + 1]);
    if (message.from == Message::From::kUser && can_be_answered(message)) {
      append_results(message, input);
    } else if (!message.calls.empty() && message.verbatim.is_array() && answered) {
      for (const nlohmann::json& item : message.verbatim) input.push_back(RequestJson(item));
    } else {
      input.push_back(
          {{"role", message.from == Message::From::kUser ? "user" : "assistant"}, {"content", content_of(message)}});
    }
  }
  return input;
}

// What the model says, in one text. A refusal is a part of its own kind.
struct Said {
  std::string text;
  std::string refusal;
};

// Newer models give a list of actions, older ones a single one.
Result<ToolCall> call_in(const AnswerObject& item) {
  ToolCall call;
  ASSIGN_OR_RETURN(call.id, item.text("call_id"));
  call.name = "computer";
  call.actions = nlohmann::json::array();
  if (item.has("actions")) {
    ASSIGN_OR_RETURN(const auto actions, item.objects("actions"));
    for (const AnswerObject& action : actions) call.actions.push_back(action.verbatim());
  } else {
    ASSIGN_OR_RETURN(const AnswerObject action, item.object("action"));
    call.actions.push_back(action.verbatim());
  }
  if (!item.has("pending_safety_checks")) return call;
  ASSIGN_OR_RETURN(const auto checks, item.objects("pending_safety_checks"));
  for (const AnswerObject& check : checks) {
    SafetyCheck pending;
    ASSIGN_OR_RETURN(pending.id, check.text("id"));
    ASSIGN_OR_RETURN(pending.code, check.text_or_empty("code"));
    ASSIGN_OR_RETURN(pending.message, check.text_or_empty("message"));
    call.checks.push_back(std::move(pending));
  }
  return call;
}

// With them come the thoughts that led there, which the provider wants back with the results.
Result<void> read_calls(const AnswerObject& answer, Reply& reply) {
  reply.verbatim = nlohmann::json::array();
  ASSIGN_OR_RETURN(const std::vector<AnswerObject> items, answer.objects("output"));
  for (const AnswerObject& item : items) {
    ASSIGN_OR_RETURN(const std::string kind, item.text("type"));
    if (kind == "computer_call") {
      ASSIGN_OR_RETURN(auto call, call_in(item));
      reply.calls.push_back(std::move(call));
    }
    if (kind == "computer_call" || kind == "reasoning" || kind == "message") reply.verbatim.push_back(item.verbatim());
  }
  return ok();
}

Result<Said> said_in(const AnswerObject& answer) {
  Said said;
  ASSIGN_OR_RETURN(const std::vector<AnswerObject> items, answer.objects("output"));
  for (const AnswerObject& item : items) {
    ASSIGN_OR_RETURN(const std::string kind, item.text("type"));
    ASSIGN_OR_RETURN(const std::string phase, item.text_or_empty("phase"));
    if (kind != "message") continue;
    // Newer models may talk about the answer before they give it: "commentary".
    if (!phase.empty() && phase != "final_answer") continue;
    ASSIGN_OR_RETURN(const std::vector<AnswerObject> parts, item.objects("content"));
    for (const AnswerObject& part : parts) {
      ASSIGN_OR_RETURN(const std::string part_kind, part.text("type"));
      if (part_kind == "output_text") {
        ASSIGN_OR_RETURN(const std::string text, part.text("text"));
        said.text += text;
      } else if (part_kind == "refusal") {
        ASSIGN_OR_RETURN(const std::string refusal, part.text("refusal"));
        said.refusal += refusal;
      }
    }
  }
  return said;
}

// The HTTP status that says the same as response.error.code. What may pass is worth another try.
int status_of(std::string_view code) {
  if (code == "rate_limit_exceeded") return 429;
  if (code == "server_error" || code == "vector_store_timeout") return 500;
  return 400;
}

Result<Reply> read_failed(const AnswerObject& answer) {
  ASSIGN_OR_RETURN(const AnswerObject error, answer.object("error"));
  ASSIGN_OR_RETURN(const std::string code, error.text_or_empty("code"));
  ASSIGN_OR_RETURN(const std::string message, error.text_or_empty("message"));
  return outcome_of({.status = status_of(code), .code = code, .message = message}, "the provider's response failed");
}

Result<Usage> usage_of(const AnswerObject& answer) {
  Usage usage;
  ASSIGN_OR_RETURN(const AnswerObject counts, answer.object_or_empty("usage"));
  ASSIGN_OR_RETURN(const AnswerObject input, counts.object_or_empty("input_tokens_details"));
  ASSIGN_OR_RETURN(usage.input_tokens, counts.tokens("input_tokens"));
  ASSIGN_OR_RETURN(usage.cached_input_tokens, input.tokens("cached_tokens"));
  ASSIGN_OR_RETURN(usage.output_tokens, counts.tokens("output_tokens"));
  return usage;
}

}  // namespace

HttpRequest OpenAiResponses::build(const Request& request) const {
  RequestJson body = {{"model", target_.model}};
  if (!request.system.empty()) body["instructions"] = request.system;
  body["input"] = input_of(request);
  body["max_output_tokens"] = request.max_output_tokens;
  if (!request.schema.is_null()) {
    body["text"]["format"] = {
        {"type", "json_schema"}, {"name", request.schema_name}, {"strict", true}, {"schema", request.schema}};
  }
  if (request.computer) {
    body["tools"].push_back({{"type", "computer"}});
    // What is not kept at the provider has to come back with the next request.
    if (!target_.store) body["include"].push_back("reasoning.encrypted_content");
  }
  // Unless told so, the provider keeps responses, and with them the screen.
  body["store"] = target_.store;
  return post_json(target_.base_url + "/responses", body);
}

std::pair<std::string, std::string> OpenAiResponses::key_header(std::string_view key) const {
  return {"Authorization", "Bearer " + std::string(key)};
}

Result<Reply> OpenAiResponses::read(int status, std::string_view body) const {
  if (!is_success(status)) return read_http_error(status, body);
  ASSIGN_OR_RETURN(const nlohmann::json json, parse_json(body));
  ASSIGN_OR_RETURN(const AnswerObject answer, AnswerObject::of(json));
  ASSIGN_OR_RETURN(const std::string state, answer.text("status"));
  if (state == "failed") return read_failed(answer);
  Reply reply;
  if (state == "incomplete") {
    ASSIGN_OR_RETURN(const AnswerObject details, answer.object("incomplete_details"));
    ASSIGN_OR_RETURN(reply.detail, details.text("reason"));
    ASSIGN_OR_RETURN(reply.finish, finish_named(kIncomplete, reply.detail));
  } else {
    ASSIGN_OR_RETURN(reply.finish, finish_named(kStatuses, state));
  }
  if (target_.computer) RETURN_IF_ERROR(read_calls(answer, reply));
  ASSIGN_OR_RETURN(const Said said, said_in(answer));
  ASSIGN_OR_RETURN(reply.model, answer.text_or_empty("model"));
  ASSIGN_OR_RETURN(reply.usage, usage_of(answer));
  reply.text = said.text;
  if (!said.refusal.empty()) {
    reply.finish = Finish::kRefused;
    reply.detail = said.refusal;
  }
  return reply;
}

}  // namespace da::planner::model
