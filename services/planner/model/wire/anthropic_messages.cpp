#include "services/planner/model/wire/anthropic_messages.h"

#include <algorithm>
#include <array>
#include <span>

#include "lib/base/text.h"
#include "services/planner/model/wire/base64.h"
#include "services/planner/model/wire/request_json.h"

namespace da::planner::model {
namespace {

// ToolCall.name of a call to the toolset: its results need the field toolset_name.
constexpr char kToolsetName[] = "computer toolset";

// Without pause_turn, because no server tool is offered.
constexpr std::array<FinishName, 6> kStopReasons = {{
    {"tool_use", Finish::kComplete},
    {"end_turn", Finish::kComplete},
    {"stop_sequence", Finish::kComplete},
    {"max_tokens", Finish::kLength},
    {"refusal", Finish::kRefused},
    {"model_context_window_exceeded", Finish::kContextFull},
}};
constexpr std::span<const FinishName> kStopReasonsWithoutTools = std::span(kStopReasons).subspan(1);

// Each version of the computer tool fits the models of its time; the last is a set of tools and no longer in beta.
struct ToolVersion {
  std::string_view type;
  std::string_view beta;
};
constexpr ToolVersion kToolset = {"computer_toolset_20260801", ""};
constexpr ToolVersion kToolVersions[] = {{"computer_20241022", "computer-use-2024-10-22"},
                                         {"computer_20250124", "computer-use-2025-01-24"},
                                         {"computer_20251124", "computer-use-2025-11-24"},
                                         kToolset};

// The tool version for each prefix of a model's name; models that are not listed are newer and use the toolset.
// Source: "Computer use tool", model compatibility.
struct ToolOfModel {
  std::string_view model_prefix;
  std::string_view type;
};
constexpr ToolOfModel kToolsOfModels[] = {
    {"claude-3-5", "computer_20241022"},      {"claude-3-7", "computer_20250124"},
    {"claude-haiku-4", "computer_20250124"},  {"claude-opus-4-0", "computer_20250124"},
    {"claude-opus-4-1", "computer_20250124"}, {"claude-opus-4-2", "computer_20250124"},
    {"claude-opus-4", "computer_20251124"},   {"claude-sonnet-4-6", "computer_20251124"},
    {"claude-sonnet-4", "computer_20250124"}};

ToolVersion tool_version(const Target& target) {
  std::string_view type = target.computer_tool;
  if (type.empty()) {
    const auto known = std::ranges::find_if(
        kToolsOfModels, [&](const ToolOfModel& row) { return target.model.starts_with(row.model_prefix); });
    if (known == std::end(kToolsOfModels)) return kToolset;
    type = known->type;
  }
  const auto version = std::ranges::find(kToolVersions, type, &ToolVersion::type);
  return version == std::end(kToolVersions) ? kToolset : *version;
}

RequestJson computer_tool(const ToolVersion& version, const ComputerTool& computer) {
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

// The screenshot goes into the last result, unless that is an error: error results may contain only text.
RequestJson anthropic_content(const Message& message) {
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

// Joins the text blocks; thinking has blocks of its own type.
Result<std::string> text_of_blocks(const AnswerObject& answer) {
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

// Accepts any tool's name: our_calls() (computer/actions.h) refuses unknown ones. A tool of the toolset has the name of
// the single tool's action.
Result<void> read_tool_use_blocks(const AnswerObject& answer, Reply& reply) {
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

Result<std::string> refusal_reason(const AnswerObject& answer) {
  ASSIGN_OR_RETURN(const AnswerObject details, answer.object_or_empty("stop_details"));
  ASSIGN_OR_RETURN(const std::string category, details.text_or_empty("category"));
  ASSIGN_OR_RETURN(const std::string explanation, details.text_or_empty("explanation"));
  if (!explanation.empty()) return explanation;
  return category.empty() ? "refusal" : "refusal: " + category;
}

// The provider's input_tokens does not include tokens written to or read from the cache.
Result<Usage> anthropic_usage(const AnswerObject& answer) {
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
    // The system prompt is long and the same in each turn; reading it from the cache costs a tenth of the price.
    body["system"].push_back({{"type", "text"}, {"text", request.system}, {"cache_control", {{"type", "ephemeral"}}}});
  }
  body["messages"] = RequestJson::array();
  for (const Message& message : request.messages) {
    body["messages"].push_back(role_message(message, anthropic_content(message)));
  }
  if (!request.schema.is_null()) {
    body["output_config"]["format"] = {{"type", "json_schema"}, {"schema", request.schema}};
  }
  Headers headers = {{"anthropic-version", "2023-06-01"}};
  if (request.computer) {
    const ToolVersion version = tool_version(target_);
    body["tools"].push_back(computer_tool(version, *request.computer));
    if (!version.beta.empty()) headers.emplace_back("anthropic-beta", version.beta);
  }
  return post_json(target_.base_url + "/v1/messages", body, std::move(headers));
}

std::pair<std::string, std::string> AnthropicMessages::key_header(std::string_view key) const {
  return {"x-api-key", std::string(key)};
}

Result<Reply> AnthropicMessages::read_success(const AnswerObject& answer) const {
  ASSIGN_OR_RETURN(const std::string finish, answer.text("stop_reason"));
  Reply reply;
  const auto stop_reasons = target_.computer ? std::span<const FinishName>(kStopReasons) : kStopReasonsWithoutTools;
  ASSIGN_OR_RETURN(reply.finish, finish_named(stop_reasons, finish));
  if (target_.computer) RETURN_IF_ERROR(read_tool_use_blocks(answer, reply));
  ASSIGN_OR_RETURN(reply.text, text_of_blocks(answer));
  ASSIGN_OR_RETURN(reply.model, answer.text_or_empty("model"));
  ASSIGN_OR_RETURN(reply.usage, anthropic_usage(answer));
  if (reply.finish == Finish::kRefused) {
    ASSIGN_OR_RETURN(reply.detail, refusal_reason(answer));
  } else if (reply.finish != Finish::kComplete) {
    reply.detail = finish;
  }
  return reply;
}

}  // namespace da::planner::model
