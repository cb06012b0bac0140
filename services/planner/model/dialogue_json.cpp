#include "services/planner/model/dialogue_json.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "lib/base/id.h"

namespace da::planner::model {

using nlohmann::json;

namespace {

// Indexed by Finish.
constexpr std::array<const char*, 6> kFinishTexts = {"complete", "length",       "refused",
                                                     "filtered", "context full", "malformed"};

json json_of_results(const std::vector<ToolResult>& results) {
  json list = json::array();
  for (const ToolResult& result : results) {
    list.push_back({{"call", result.call.id}, {"text", result.text}, {"done", result.done}});
  }
  return list;
}

}  // namespace

json to_json(const std::vector<ToolCall>& calls) {
  json list = json::array();
  for (const ToolCall& call : calls) {
    json checks = json::array();
    for (const SafetyCheck& check : call.checks) {
      checks.push_back({{"id", check.id}, {"code", check.code}, {"message", check.message}});
    }
    list.push_back({{"id", call.id}, {"name", call.name}, {"actions", call.actions}, {"checks", std::move(checks)}});
  }
  return list;
}

json to_json(const Request& request) {
  json messages = json::array();
  for (const Message& message : request.messages) {
    json images = json::array();
    for (const Image& image : message.images) {
      images.push_back({{"hash", to_hex(blake2b(image.data, 16))},
                        {"media_type", image.media_type},
                        {"width", image.width},
                        {"height", image.height}});
    }
    json told = {{"from", message.from == Message::From::kUser ? "user" : "model"},
                 {"text", message.text},
                 {"images", std::move(images)}};
    if (!message.results.empty()) told["results"] = json_of_results(message.results);
    if (!message.calls.empty()) told["calls"] = to_json(message.calls);
    messages.push_back(std::move(told));
  }
  json told = {{"system", request.system},
               {"messages", std::move(messages)},
               {"max_output_tokens", request.max_output_tokens},
               {"schema_name", request.schema_name},
               {"schema", request.schema}};
  if (request.computer) {
    told["computer"] = {{"width", request.computer->width}, {"height", request.computer->height}};
  }
  return told;
}

std::string digest_of(const json& request) {
  return to_hex(blake2b(request.dump(-1, ' ', false, json::error_handler_t::replace)));
}

const char* finish_text(Finish finish) { return kFinishTexts.at(static_cast<std::size_t>(finish)); }

std::optional<Finish> parse_finish(std::string_view text) {
  const auto* found = std::ranges::find(kFinishTexts, text, [](const char* known) { return std::string_view(known); });
  if (found == kFinishTexts.end()) return std::nullopt;
  return static_cast<Finish>(found - kFinishTexts.begin());
}

}  // namespace da::planner::model
