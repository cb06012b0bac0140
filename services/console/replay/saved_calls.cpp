#include "services/console/replay/saved_calls.h"

#include <nlohmann/json.hpp>

namespace da::console {

Result<std::string> saved_calls(const std::vector<v1::ModelCall>& calls) {
  using nlohmann::json;
  std::string lines;
  for (const v1::ModelCall& call : calls) {
    if (call.finish().empty()) continue;
    const json request = json::parse(call.request(), nullptr, false);
    const json tool_calls = call.tool_calls().empty() ? json() : json::parse(call.tool_calls(), nullptr, false);
    if (request.is_discarded() || tool_calls.is_discarded()) {
      return Error{Code::kDataLoss, "a model's call in the recording is no JSON"};
    }
    json reply = {{"text", call.reply()},
                  {"finish", call.finish()},
                  {"detail", call.detail()},
                  {"model", call.answered_by()},
                  {"usage",
                   {{"input", call.usage().input_tokens()},
                    {"cached_input", call.usage().cached_input_tokens()},
                    {"output", call.usage().output_tokens()}}}};
    if (!tool_calls.is_null()) reply["calls"] = tool_calls;
    const json line = {
        {"digest", call.request_digest()}, {"provider", call.provider()}, {"request", request}, {"reply", reply}};
    lines += line.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
  }
  return lines;
}

}  // namespace da::console
