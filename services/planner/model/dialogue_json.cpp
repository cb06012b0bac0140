#include "services/planner/model/dialogue_json.h"

#include <nlohmann/json.hpp>

#include "lib/base/id.h"

namespace da::planner::model {

using nlohmann::json;

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
    messages.push_back({{"from", message.from == Message::From::kUser ? "user" : "model"},
                        {"text", message.text},
                        {"images", std::move(images)}});
  }
  return {{"system", request.system},
          {"messages", std::move(messages)},
          {"max_output_tokens", request.max_output_tokens},
          {"schema_name", request.schema_name},
          {"schema", request.schema}};
}

std::string digest_of(const json& request) {
  return to_hex(blake2b(request.dump(-1, ' ', false, json::error_handler_t::replace)));
}

}  // namespace da::planner::model
