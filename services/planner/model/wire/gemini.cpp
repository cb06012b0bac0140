#include "services/planner/model/wire/gemini.h"

#include <array>
#include <span>

#include "lib/base/text.h"
#include "services/planner/model/wire/base64.h"
#include "services/planner/model/wire/request_json.h"

namespace da::planner::model {
namespace {

// Without the reasons of image generation, which no request asks for.
constexpr std::array<FinishName, 13> kFinishReasons = {{
    {"MALFORMED_FUNCTION_CALL", Finish::kMalformed},
    {"UNEXPECTED_TOOL_CALL", Finish::kMalformed},
    {"TOO_MANY_TOOL_CALLS", Finish::kMalformed},
    {"STOP", Finish::kComplete},
    {"MAX_TOKENS", Finish::kLength},
    {"CONTINUATION", Finish::kLength},  // The server's own limit for one request.
    {"SAFETY", Finish::kFiltered},
    {"RECITATION", Finish::kFiltered},
    {"LANGUAGE", Finish::kFiltered},
    {"BLOCKLIST", Finish::kFiltered},
    {"PROHIBITED_CONTENT", Finish::kFiltered},
    {"SPII", Finish::kFiltered},
    {"OTHER", Finish::kFiltered},  // The provider stopped the answer without a reason.
}};
constexpr std::span<const FinishName> kFinishReasonsWithoutTools = std::span(kFinishReasons).subspan(3);

// No tool of ours opens a browser.
constexpr const char* kBrowserFunctions[] = {"open_web_browser", "search", "navigate"};

// Models up to 2.5 know only the browser environment; newer ones accept a desktop, which has other functions.
RequestJson computer_use_tool(const std::string& model) {
  const bool browser = model.starts_with("gemini-2");
  RequestJson tool = {{"environment", browser ? "ENVIRONMENT_BROWSER" : "ENVIRONMENT_DESKTOP"}};
  if (browser) tool["excludedPredefinedFunctions"] = kBrowserFunctions;
  return {{"computerUse", std::move(tool)}};
}

RequestJson inline_data(const Image& image) {
  return {{"inlineData", {{"mimeType", image.media_type}, {"data", base64(image.data)}}}};
}

// A person has agreed to the safety checks of a call that was carried out; the provider requires the acknowledgement.
RequestJson function_response(const ToolResult& result) {
  RequestJson response = RequestJson::object();
  response[result.done ? "output" : "error"] = result.text;
  if (result.done && !result.call.checks.empty()) response["safety_acknowledgement"] = "true";
  RequestJson answer = RequestJson::object();
  if (!result.call.id.empty()) answer["id"] = result.call.id;
  answer["name"] = result.call.name;
  answer["response"] = std::move(response);
  return answer;
}

// The screenshot goes into the last result.
RequestJson gemini_parts(const Message& message) {
  if (message.from == Message::From::kModel && !message.calls.empty() && message.verbatim.is_array()) {
    return message.verbatim;
  }
  RequestJson parts = RequestJson::array();
  std::span<const Image> images = message.images;
  for (const ToolResult& result : message.results) {
    RequestJson answer = function_response(result);
    if (&result == &message.results.back() && !images.empty()) {
      answer["parts"].push_back(inline_data(images.front()));
      images = images.subspan(1);
    }
    parts.push_back({{"functionResponse", std::move(answer)}});
  }
  const bool empty = message.images.empty() && message.results.empty();
  if (!message.text.empty() || empty) parts.push_back({{"text", empty ? in_words(message) : message.text}});
  for (const Image& image : images) parts.push_back(inline_data(image));
  return parts;
}

RequestJson contents_of(const Request& request) {
  RequestJson contents = RequestJson::array();
  for (const Message& message : request.messages) {
    contents.push_back(
        {{"role", message.from == Message::From::kUser ? "user" : "model"}, {"parts", gemini_parts(message)}});
  }
  return contents;
}

// responseJsonSchema takes JSON Schema, like the other providers. The older responseSchema takes a dialect of OpenAPI
// 3.0 without additionalProperties, $defs and lists of types.
RequestJson generation_config(const Request& request) {
  RequestJson config = {{"maxOutputTokens", request.max_output_tokens}};
  if (!request.schema.is_null()) {
    config["responseMimeType"] = "application/json";
    config["responseJsonSchema"] = request.schema;
  }
  return config;
}

// Joins the text parts without thoughts. A candidate that was stopped early may have no content or no parts.
Result<std::string> text_of_parts(const AnswerObject& candidate) {
  std::string text;
  ASSIGN_OR_RETURN(const AnswerObject content, candidate.object_or_empty("content"));
  if (!content.has("parts")) return text;
  ASSIGN_OR_RETURN(const std::vector<AnswerObject> parts, content.objects("parts"));
  for (const AnswerObject& part : parts) {
    ASSIGN_OR_RETURN(const bool is_thought, part.flag("thought"));
    ASSIGN_OR_RETURN(const std::string said, part.text_or_empty("text"));
    if (!is_thought) text += said;
  }
  return text;
}

// The decision of the provider's safety system is one of the arguments.
Result<ToolCall> read_function_call(const AnswerObject& function) {
  ToolCall call;
  ASSIGN_OR_RETURN(call.id, function.text_or_empty("id"));
  ASSIGN_OR_RETURN(call.name, function.text("name"));
  ASSIGN_OR_RETURN(const AnswerObject args, function.object_or_empty("args"));
  call.actions.push_back(args.verbatim());
  if (!args.has("safety_decision")) return call;
  ASSIGN_OR_RETURN(const AnswerObject safety, args.object("safety_decision"));
  SafetyCheck check;
  ASSIGN_OR_RETURN(check.code, safety.text("decision"));
  ASSIGN_OR_RETURN(check.message, safety.text_or_empty("explanation"));
  // Unknown decisions count as doubts.
  if (check.code != "regular" && check.code != "allowed") call.checks.push_back(std::move(check));
  return call;
}

// Keeps the parts with their thought signatures, which the provider requires back with the results.
Result<void> read_function_calls(const AnswerObject& candidate, Reply& reply) {
  ASSIGN_OR_RETURN(const AnswerObject content, candidate.object_or_empty("content"));
  if (!content.has("parts")) return ok();
  ASSIGN_OR_RETURN(const std::vector<AnswerObject> parts, content.objects("parts"));
  for (const AnswerObject& part : parts) {
    if (!part.has("functionCall")) continue;
    ASSIGN_OR_RETURN(const AnswerObject function, part.object("functionCall"));
    ASSIGN_OR_RETURN(auto call, read_function_call(function));
    reply.calls.push_back(std::move(call));
  }
  if (!reply.calls.empty()) reply.verbatim = content.verbatim().at("parts");
  return ok();
}

// candidatesTokenCount does not include thoughts; promptTokenCount includes cached tokens.
Result<Usage> gemini_usage(const AnswerObject& answer) {
  ASSIGN_OR_RETURN(const AnswerObject counts, answer.object_or_empty("usageMetadata"));
  ASSIGN_OR_RETURN(const std::uint64_t input, counts.tokens("promptTokenCount"));
  ASSIGN_OR_RETURN(const std::uint64_t cached, counts.tokens("cachedContentTokenCount"));
  ASSIGN_OR_RETURN(const std::uint64_t said, counts.tokens("candidatesTokenCount"));
  ASSIGN_OR_RETURN(const std::uint64_t thought, counts.tokens("thoughtsTokenCount"));
  return Usage{.input_tokens = input, .cached_input_tokens = cached, .output_tokens = said + thought};
}

Result<void> read_candidate(const AnswerObject& answer, bool tools, Reply& reply) {
  ASSIGN_OR_RETURN(const AnswerObject candidate, answer.first("candidates"));
  ASSIGN_OR_RETURN(const std::string finish, candidate.text("finishReason"));
  ASSIGN_OR_RETURN(const std::string words, candidate.text_or_empty("finishMessage"));
  const auto reasons = tools ? std::span<const FinishName>(kFinishReasons) : kFinishReasonsWithoutTools;
  ASSIGN_OR_RETURN(reply.finish, finish_named(reasons, finish));
  if (tools) RETURN_IF_ERROR(read_function_calls(candidate, reply));
  ASSIGN_OR_RETURN(reply.text, text_of_parts(candidate));
  if (reply.finish != Finish::kComplete) reply.detail = words.empty() ? finish : finish + ": " + words;
  return ok();
}

}  // namespace

HttpRequest Gemini::build(const Request& request) const {
  RequestJson body = RequestJson::object();
  if (!request.system.empty()) body["systemInstruction"]["parts"].push_back({{"text", request.system}});
  body["contents"] = contents_of(request);
  body["generationConfig"] = generation_config(request);
  if (request.computer) body["tools"].push_back(computer_use_tool(target_.model));
  return post_json(target_.base_url + "/v1beta/models/" + percent_encoded(target_.model) + ":generateContent", body);
}

std::pair<std::string, std::string> Gemini::key_header(std::string_view key) const {
  return {"x-goog-api-key", std::string(key)};
}

Result<Reply> Gemini::read_success(const AnswerObject& answer) const {
  ASSIGN_OR_RETURN(const AnswerObject feedback, answer.object_or_empty("promptFeedback"));
  Reply reply;
  ASSIGN_OR_RETURN(reply.model, answer.text_or_empty("modelVersion"));
  ASSIGN_OR_RETURN(reply.usage, gemini_usage(answer));
  if (feedback.has("blockReason")) {  // A blocked prompt has no candidates.
    reply.finish = Finish::kFiltered;
    ASSIGN_OR_RETURN(reply.detail, feedback.text("blockReason"));
    return reply;
  }
  RETURN_IF_ERROR(read_candidate(answer, target_.computer, reply));
  return reply;
}

}  // namespace da::planner::model
