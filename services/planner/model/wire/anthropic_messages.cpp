#include "services/planner/model/wire/anthropic_messages.h"

#include <algorithm>
#include <array>
#include <span>

#include "lib/base/text.h"
#include "services/planner/model/wire/answer_fields.h"
#include "services/planner/model/wire/base64.h"
#include "services/planner/model/wire/http_errors.h"
#include "services/planner/model/wire/request_json.h"

namespace da::planner::model {
namespace {

// Told apart from a single tool's, for the results say it too.
constexpr char kToolsetName[] = "computer toolset";

// pause_turn is not here: no tool of the server is offered.
constexpr std::array<FinishName, 6> kFinishes = {{
    {"tool_use", Finish::kComplete},
    {"end_turn", Finish::kComplete},
    {"stop_sequence", Finish::kComplete},
    {"max_tokens", Finish::kLength},
    {"refusal", Finish::kRefused},
    {"model_context_window_exceeded", Finish::kContextFull},
}};
// Where no tool is offered none can be called.
constexpr std::span<const FinishName> kWithoutTools = std::span(kFinishes).subspan(1);

// The computer tool came in versions, each for the models of its time; the last is a set of tools, out of beta.
struct ToolVersion {
  std::string_view type;
  std::string_view beta;
};
constexpr ToolVersion kToolset = {"computer_toolset_20260801", ""};
constexpr ToolVersion kToolVersions[] = {{"computer_20241022", "computer-use-2024-10-22"},
                                         {"computer_20250124", "computer-use-2025-01-24"},
                                         {"computer_20251124", "computer-use-2025-11-24"},
                                         kToolset};

// By how a model's name begins; those that are not here are newer than the list. Source: "Computer use tool", model
// compatibility.
struct ModelsTool {
  std::string_view model;
  std::string_view type;
};
constexpr ModelsTool kModelsTools[] = {
    {"claude-3-5", "computer_20241022"},      {"claude-3-7", "computer_20250124"},
    {"claude-haiku-4", "computer_20250124"},  {"claude-opus-4-0", "computer_20250124"},
    {"claude-opus-4-1", "computer_20250124"}, {"claude-opus-4-2", "computer_20250124"},
    {"claude-opus-4", "computer_20251124"},   {"claude-sonnet-4-6", "computer_20251124"},
    {"claude-sonnet-4", "computer_20250124"}};

ToolVersion tool_version(const Target& target) {
  std::string_view type = target.computer_tool;
  if (type.empty()) {
    const auto known =
        std::ranges::find_if(kModelsTools, [&](const ModelsTool& row) { return target.model.starts_with(row.model); });
    if (known == std::end(kModelsTools)) return kToolset;
    type = known->type;
  }
  const auto version = std::ranges::find(kToolVersions, type, &ToolVersion::type);
  return version == std::end(kToolVersions) ? kToolset : *version;
}

RequestJson tool_of(const ToolVersion& version, const ComputerTool& computer) {
  RequestJson tool = {{"type", version.type}};
  if (version.type == kToolset.type) return tool;
  tool["name"] = "computer";
  tool["display_width_px"] = computer.width;
  tool["display_height_px"] = computer.height;
  if (version.type == "computer_20251124") tool["enable_zoom"] = true;
  return tool;
}

RequestJson image_block(const Image& image) {
  return {{"type", "image"},
          {"source", {{"type", "base64"}, {"media_type", image.media_type}, {"data", base64(image.data)}}}};
}

// The screenshot stands in the last result: all of them are answered at once. A result that is an error takes text
// alone.
RequestJson content_of(const Message& message) {
  if (message.from == Message::From::kModel && !message.calls.empty() && message.verbatim.is_array()) {
    return message.verbatim;
  }
  if (message.images.empty() && message.results.empty()) return in_words(message);
  RequestJson blocks = RequestJson::array();
  std::span<const Image> images = message.images;
  for (const ToolResult& result : message.results) {
    RequestJson content = RequestJson::array();
    content.push_back({{"type", "text"}, {"text", result.text}});
    if (&result == &message.results.back() && result.done && !images.empty()) {
      content.push_back(image_block(images.front()));
      images = images.subspan(1);
    }
    RequestJson block = {{"type", "tool_result"}, {"tool_use_id", result.call.id}, {"content", std::move(content)}};
    if (!result.done) block["is_error"] = true;
    if (result.call.name == kToolsetName) block["toolset_name"] = "computer";
    blocks.push_back(std::move(block));
  }
  if (!message.text.empty()) blocks.push_back({{"type", "text"}, {"text", message.text}});
  for (const Image& image : images) blocks.push_back(image_block(image));
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

// Calls of any other tool were never offered, and are told back by whoever translates them. Of a toolset the tool is
// named as the action of the single tool was.
Result<void> read_calls(const AnswerObject& answer, Reply& reply) {
  ASSIGN_OR_RETURN(const std::vector<AnswerObject> blocks, answer.objects("content"));
  for (const AnswerObject& block : blocks) {
    ASSIGN_OR_RETURN(const std::string kind, block.text("type"));
    if (kind != "tool_use") continue;
    ToolCall call;
    ASSIGN_OR_RETURN(call.id, block.text("id"));
    ASSIGN_OR_RETURN(const std::string name, block.text("name"));
    ASSIGN_OR_RETURN(const AnswerObject input, block.object("input"));
    nlohmann::json action = input.verbatim();
    if (block.has("toolset_name")) {
      action["action"] = name;
      call.name = kToolsetName;
    } else {
      call.name = name;
    }
    call.actions.push_back(std::move(action));
    reply.calls.push_back(std::move(call));
  }
  if (!reply.calls.empty()) reply.verbatim = answer.verbatim().at("content");
  return ok();
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

Result<void> check_computer_tool(const std::string& type) {
  std::string known;
  for (const ToolVersion& version : kToolVersions) {
    if (type == version.type) return ok();
    known += (known.empty() ? "" : ", ") + std::string(version.type);
  }
  return Error{Code::kInvalidArgument, "there is no computer tool " + quote_foreign(type, 60) + "; known: " + known};
}

HttpRequest AnthropicMessages::build(const Request& request) const {
  RequestJson body = {{"model", target_.model}, {"max_tokens", request.max_output_tokens}};
  if (!request.system.empty()) {
    // The same in each turn of a task, and long enough to be worth keeping: read again for a tenth of the price.
    body["system"].push_back({{"type", "text"}, {"text", request.system}, {"cache_control", {{"type", "ephemeral"}}}});
  }
  body["messages"] = messages_of(request);
  if (!request.schema.is_null()) {
    body["output_config"]["format"] = {{"type", "json_schema"}, {"schema", request.schema}};
  }
  Headers headers = {{"anthropic-version", "2023-06-01"}};
  if (request.computer) {
    const ToolVersion version = tool_version(target_);
    body["tools"].push_back(tool_of(version, *request.computer));
    if (!version.beta.empty()) headers.emplace_back("anthropic-beta", version.beta);
  }
  return post_json(target_.base_url + "/v1/messages", body, std::move(headers));
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
  ASSIGN_OR_RETURN(reply.finish,
                   finish_named(target_.computer ? std::span<const FinishName>(kFinishes) : kWithoutTools, finish));
  if (target_.computer) RETURN_IF_ERROR(read_calls(answer, reply));
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
