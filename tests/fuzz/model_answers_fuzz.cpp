// Gives a provider's answer of any status to the parsers of all four APIs. The result must be a reply of UTF-8 texts,
// or a short escaped error. The input's first line is the HTTP status, the rest is the body.
#include <array>
#include <charconv>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "lib/base/text.h"
#include "services/planner/model/wire/make_wire_format.h"
#include "services/planner/model/wire/wire_format.h"
#include "tests/fuzz/require.h"

namespace {

using da::fuzz::require;
using namespace da::planner::model;

// A context has some million tokens, and a provider adds a few counts.
constexpr std::uint64_t kManyTokens = 100'000'000'000'000;
constexpr std::size_t kLongMessage = 2'000;

const std::array<std::unique_ptr<WireFormat>, 4>& formats() {
  static const std::array<std::unique_ptr<WireFormat>, 4> kFormats = {
      make_wire_format({.api = Api::kOpenAiChat, .base_url = "", .model = "m"}),
      make_wire_format({.api = Api::kOpenAiResponses, .base_url = "", .model = "m"}),
      make_wire_format({.api = Api::kAnthropicMessages, .base_url = "", .model = "m"}),
      make_wire_format({.api = Api::kGemini, .base_url = "", .model = "m"})};
  return kFormats;
}

void check_error(const da::Error& error) {
  require(!error.message.empty(), "an error says why");
  require(error.message.size() < kLongMessage, "an error is short");
  require(da::escape_foreign(error.message, error.message.size()) == error.message, "an error is escaped");
}

void check_reply(const Reply& reply, int status, std::string_view body) {
  for (const std::string& text : {reply.text, reply.detail, reply.model}) {
    require(da::is_valid_utf8(text), "the reply is UTF-8");
  }
  require(reply.text.size() <= body.size(), "the text is at most as long as the body");
  require(reply.usage.input_tokens < kManyTokens && reply.usage.output_tokens < kManyTokens, "tokens add up");
  if (reply.finish != Finish::kComplete) return;
  require(status >= 200 && status < 300, "only a success is complete");
  require(nlohmann::json::accept(body), "only JSON is complete");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t line = input.find('\n');
  if (line == std::string_view::npos) return 0;
  int status = 0;
  std::from_chars(input.data(), input.data() + line, status);
  const std::string_view body = input.substr(line + 1);
  for (const auto& format : formats()) {
    const auto reply = format->read(status, body);
    if (reply) {
      check_reply(*reply, status, body);
    } else {
      check_error(reply.error());
    }
  }
  return 0;
}
