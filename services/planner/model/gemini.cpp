#include "services/planner/model/gemini.h"

#include <array>

#include "services/planner/model/answer_fields.h"
#include "services/planner/model/base64.h"
#include "services/planner/model/http_errors.h"
#include "services/planner/model/request_json.h"

namespace da::planner::model {
namespace {

// MALFORMED_FUNCTION_CALL, UNEXPECTED_TOOL_CALL, TOO_MANY_TOOL_CALLS and those of making images are not here: no tool
// is offered and no image asked for.
constexpr std::array<FinishName, 10> kFinishes = {{
    {"STOP", Finish::kComplete},
    {"MAX_TOKENS", Finish::kLength},
    {"CONTINUATION", Finish::kLength},  // The server's own limit for one request.
    {"SAFETY", Finish::kFiltered},
    {"RECITATION", Finish::kFiltered},
    {"LANGUAGE", Finish::kFiltered},
    {"BLOCKLIST", Finish::kFiltered},
    {"PROHIBITED_CONTENT", Finish::kFiltered},
    {"SPII", Finish::kFiltered},
    {"OTHER", Finish::kFiltered},  // The provider stopped it, and does not say why.
}};

// One segment of a path: a name must not lead to another place.
std::string path_segment(std::string_view name) {
  constexpr std::string_view kUnreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string segment;
  for (const char c : name) {
    if (kUnreserved.find(c) != std::string_view::npos) {
      segment += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    segment += '%';
    segment += kDigits[byte >> 4];
    segment += kDigits[byte & 15];
  }
  return segment;
}

RequestJson parts_of(const Message& message) {
  RequestJson parts = RequestJson::array();
  if (!message.text.empty() || message.images.empty()) parts.push_back({{"text", text_of(message)}});
  for (const Image& image : message.images) {
    parts.push_back({{"inlineData", {{"mimeType", image.media_type}, {"data", base64(image.data)}}}});
  }
  return parts;
}

RequestJson contents_of(const Request& request) {
  RequestJson contents = RequestJson::array();
  for (const Message& message : request.messages) {
    contents.push_back(
        {{"role", message.from == Message::From::kUser ? "user" : "model"}, {"parts", parts_of(message)}});
  }
  return contents;
}

// The schema goes to responseJsonSchema, which takes JSON Schema as the other providers do. The older responseSchema
// takes a dialect of OpenAPI 3.0 that has no additionalProperties, no $defs and no lists of types.
RequestJson generation_config(const Request& request) {
  RequestJson config = {{"maxOutputTokens", request.max_output_tokens}};
  if (!request.schema.is_null()) {
    config["responseMimeType"] = "application/json";
    config["responseJsonSchema"] = request.schema;
  }
  return config;
}

// The text parts but for thoughts. A candidate that was stopped early may have no content, or content without parts.
Result<std::string> text_in(const AnswerObject& candidate) {
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

// candidatesTokenCount leaves out the thoughts; promptTokenCount includes what came from a cache.
Result<Usage> usage_of(const AnswerObject& answer) {
  ASSIGN_OR_RETURN(const AnswerObject counts, answer.object_or_empty("usageMetadata"));
  ASSIGN_OR_RETURN(const std::uint64_t input, counts.tokens("promptTokenCount"));
  ASSIGN_OR_RETURN(const std::uint64_t cached, counts.tokens("cachedContentTokenCount"));
  ASSIGN_OR_RETURN(const std::uint64_t said, counts.tokens("candidatesTokenCount"));
  ASSIGN_OR_RETURN(const std::uint64_t thought, counts.tokens("thoughtsTokenCount"));
  return Usage{.input_tokens = input, .cached_input_tokens = cached, .output_tokens = said + thought};
}

Result<void> read_candidate(const AnswerObject& answer, Reply& reply) {
  ASSIGN_OR_RETURN(const AnswerObject candidate, answer.first("candidates"));
  ASSIGN_OR_RETURN(const std::string finish, candidate.text("finishReason"));
  ASSIGN_OR_RETURN(const std::string words, candidate.text_or_empty("finishMessage"));
  ASSIGN_OR_RETURN(reply.finish, finish_named(kFinishes, finish));
  ASSIGN_OR_RETURN(reply.text, text_in(candidate));
  if (reply.finish != Finish::kComplete) reply.detail = words.empty() ? finish : finish + ": " + words;
  return ok();
}

}  // namespace

HttpRequest Gemini::build(const Request& request) const {
  RequestJson body = RequestJson::object();
  if (!request.system.empty()) body["systemInstruction"]["parts"].push_back({{"text", request.system}});
  body["contents"] = contents_of(request);
  body["generationConfig"] = generation_config(request);
  return post_json(target_.base_url + "/v1beta/models/" + path_segment(target_.model) + ":generateContent", body);
}

std::pair<std::string, std::string> Gemini::key_header(std::string_view key) const {
  return {"x-goog-api-key", std::string(key)};
}

Result<Reply> Gemini::read(int status, std::string_view body) const {
  if (!is_success(status)) return read_http_error(status, body);
  ASSIGN_OR_RETURN(const nlohmann::json json, parse_json(body));
  ASSIGN_OR_RETURN(const AnswerObject answer, AnswerObject::of(json));
  ASSIGN_OR_RETURN(const AnswerObject feedback, answer.object_or_empty("promptFeedback"));
  Reply reply;
  ASSIGN_OR_RETURN(reply.model, answer.text_or_empty("modelVersion"));
  ASSIGN_OR_RETURN(reply.usage, usage_of(answer));
  if (feedback.has("blockReason")) {
    // The prompt itself was blocked: there are no candidates.
    reply.finish = Finish::kFiltered;
    ASSIGN_OR_RETURN(reply.detail, feedback.text("blockReason"));
    return reply;
  }
  RETURN_IF_ERROR(read_candidate(answer, reply));
  return reply;
}

}  // namespace da::planner::model
