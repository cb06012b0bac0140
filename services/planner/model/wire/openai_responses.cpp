#include "services/planner/model/wire/openai_responses.h"

#include <algorithm>
#include <array>
#include <span>

#include "services/planner/model/wire/http_errors.h"
#include "services/planner/model/wire/request_json.h"

namespace da::planner::model {
namespace {

constexpr std::array<FinishName, 2> kIncompleteReasons = {{
    {"max_output_tokens", Finish::kLength},
    {"content_filter", Finish::kFiltered},
}};

// The status of a whole response. read_success() handles "failed" and "incomplete". "in_progress", "queued" and
// "cancelled" belong to background responses, which no request asks for.
constexpr std::array<FinishName, 1> kStatuses = {{{"completed", Finish::kComplete}}};

RequestJson input_parts(const std::string& text, std::span<const Image> images) {
  RequestJson parts = RequestJson::array();
  if (!text.empty()) parts.push_back({{"type", "input_text"}, {"text", text}});
  for (const Image& image : images) {
    // The server may shrink the image with "auto" until small text is unreadable.
    parts.push_back({{"type", "input_image"}, {"image_url", data_url(image)}, {"detail", "high"}});
  }
  return parts;
}

RequestJson input_content(const Message& message) {
  return message.images.empty() ? RequestJson(in_words(message)) : input_parts(in_words(message), message.images);
}

// A call's output contains a screenshot and acknowledges the call's safety checks. Without a screenshot, or without a
// person's agreement, in_words() describes call and result instead.
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
  input.push_back(role_message(message, input_parts(text + message.text, std::span(message.images).subspan(1))));
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
      input.push_back(role_message(message, input_content(message)));
    }
  }
  return input;
}

// Newer models give a list of actions, older ones a single action.
Result<ToolCall> read_computer_call(const AnswerObject& item) {
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

// Keeps the reasoning items too, because the provider requires them back with the results.
Result<void> read_computer_calls(const AnswerObject& answer, Reply& reply) {
  reply.verbatim = nlohmann::json::array();
  ASSIGN_OR_RETURN(const std::vector<AnswerObject> items, answer.objects("output"));
  for (const AnswerObject& item : items) {
    ASSIGN_OR_RETURN(const std::string kind, item.text("type"));
    if (kind == "computer_call") {
      ASSIGN_OR_RETURN(auto call, read_computer_call(item));
      reply.calls.push_back(std::move(call));
    }
    if (kind == "computer_call" || kind == "reasoning" || kind == "message") reply.verbatim.push_back(item.verbatim());
  }
  return ok();
}

// Joins the model's messages. A refusal is a part of its own type.
Result<void> read_output_messages(const AnswerObject& answer, Reply& reply) {
  std::string refusals;
  ASSIGN_OR_RETURN(const std::vector<AnswerObject> items, answer.objects("output"));
  for (const AnswerObject& item : items) {
    ASSIGN_OR_RETURN(const std::string kind, item.text("type"));
    ASSIGN_OR_RETURN(const std::string phase, item.text_or_empty("phase"));
    if (kind != "message") continue;
    // Newer models may comment before they answer: "commentary".
    if (!phase.empty() && phase != "final_answer") continue;
    ASSIGN_OR_RETURN(const std::vector<AnswerObject> parts, item.objects("content"));
    for (const AnswerObject& part : parts) {
      ASSIGN_OR_RETURN(const std::string part_kind, part.text("type"));
      if (part_kind == "output_text") {
        ASSIGN_OR_RETURN(const std::string text, part.text("text"));
        reply.text += text;
      } else if (part_kind == "refusal") {
        ASSIGN_OR_RETURN(const std::string refusal, part.text("refusal"));
        refusals += refusal;
      }
    }
  }
  if (!refusals.empty()) {
    reply.finish = Finish::kRefused;
    reply.detail = refusals;
  }
  return ok();
}

// The HTTP status that is equivalent to response.error.code.
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
    // Reasoning that the provider does not store must come back with the next request.
    if (!target_.store) body["include"].push_back("reasoning.encrypted_content");
  }
  // The provider stores responses by default, and with them the screen's content.
  body["store"] = target_.store;
  return post_json(target_.base_url + "/responses", body);
}

Result<Reply> OpenAiResponses::read_success(const AnswerObject& answer) const {
  ASSIGN_OR_RETURN(const std::string state, answer.text("status"));
  if (state == "failed") return read_failed(answer);
  Reply reply;
  if (state == "incomplete") {
    ASSIGN_OR_RETURN(const AnswerObject details, answer.object("incomplete_details"));
    ASSIGN_OR_RETURN(reply.detail, details.text("reason"));
    ASSIGN_OR_RETURN(reply.finish, finish_named(kIncompleteReasons, reply.detail));
  } else {
    ASSIGN_OR_RETURN(reply.finish, finish_named(kStatuses, state));
  }
  if (target_.computer) RETURN_IF_ERROR(read_computer_calls(answer, reply));
  RETURN_IF_ERROR(read_output_messages(answer, reply));
  ASSIGN_OR_RETURN(reply.model, answer.text_or_empty("model"));
  ASSIGN_OR_RETURN(reply.usage, openai_usage(answer, "input_tokens", "output_tokens"));
  return reply;
}

}  // namespace da::planner::model
