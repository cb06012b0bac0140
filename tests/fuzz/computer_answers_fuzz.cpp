// Gives a provider's successful answer to the parsers of the three APIs with a computer tool, its calls to the tables
// of actions, and the same bytes to the parsers of a single suggestion and a box. The result must be a plan that the
// contract allows, with places inside the image, or a short escaped error; and the next question can be built from it.
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "lib/base/text.h"
#include "lib/contract/coordinates.h"
#include "lib/contract/json/parse.h"
#include "services/planner/model/dialects/dialect.h"
#include "services/planner/model/wire/make_wire_format.h"
#include "services/planner/model/wire/wire_format.h"
#include "tests/fuzz/require.h"

namespace {

using da::fuzz::require;
using namespace da::planner::model;

constexpr int kWidth = 640;
constexpr int kHeight = 400;
constexpr std::size_t kLongMessage = 2'000;

struct Provider {
  std::unique_ptr<WireFormat> format;
  std::unique_ptr<Dialect> dialect;
};

Provider provider(Api api, Vocabulary vocabulary) {
  return {make_wire_format({.api = api, .base_url = "", .model = "m", .computer = true}), computer_dialect(vocabulary)};
}

const std::array<Provider, 3>& providers() {
  static const std::array<Provider, 3> kProviders = {provider(Api::kOpenAiResponses, Vocabulary::kOpenAi),
                                                     provider(Api::kAnthropicMessages, Vocabulary::kAnthropic),
                                                     provider(Api::kGemini, Vocabulary::kGemini)};
  return kProviders;
}

// A desktop twice as large as the image.
const da::v1::Observation& observation() {
  static const auto kObservation = [] {
    da::v1::Observation seen;
    auto& coordinates = *seen.mutable_coordinates();
    coordinates.set_image_width(kWidth);
    coordinates.set_image_height(kHeight);
    coordinates.mutable_desktop()->set_width(2 * kWidth);
    coordinates.mutable_desktop()->set_height(2 * kHeight);
    return seen;
  }();
  return kObservation;
}

void check_error(const da::Error& error) {
  require(!error.message.empty(), "an error says why");
  require(error.message.size() < kLongMessage, "an error is short");
  require(da::escape_foreign(error.message, error.message.size()) == error.message, "an error is escaped");
}

void check_plan(const da::contract::ParsedPlan& parsed) {
  require(parsed.plan.steps_size() <= 4, "a turn has four steps at most");
  for (const da::v1::Step& step : parsed.plan.steps()) {
    require(!step.justification().empty(), "each step says why");
    const auto on_desktop = da::contract::map_to_desktop(observation().coordinates(), step.action());
    if (!on_desktop) check_error(on_desktop.error());
  }
}

// Builds the next request as the planner does: with the results of the calls and the next screen.
void tell(const WireFormat& format, const Reply& reply) {
  Request request;
  request.computer = ComputerTool{kWidth, kHeight};
  request.max_output_tokens = 1'000;
  request.messages.push_back({.text = "The goal is: a test."});
  request.messages.push_back(
      {.from = Message::From::kModel, .text = reply.text, .calls = reply.calls, .verbatim = reply.verbatim});
  Message next{.text = "Turn 2 of 12."};
  for (const ToolCall& call : reply.calls) next.results.push_back({call, "carried out", call.checks.empty()});
  next.images.push_back({"image/png", "screen", kWidth, kHeight});
  request.messages.push_back(std::move(next));
  require(!format.build(request).body.empty(), "the next question can be asked");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view body(reinterpret_cast<const char*>(data), size);
  for (const Provider& known : providers()) {
    const auto reply = known.format->read(200, body);
    if (!reply) {
      check_error(reply.error());
      continue;
    }
    const auto parsed = known.dialect->read(*reply, observation());
    if (parsed) {
      check_plan(*parsed);
    } else {
      check_error(parsed.error());
    }
    tell(*known.format, *reply);
  }
  const auto suggestion = da::contract::parse_suggestion(body);
  if (!suggestion) check_error(suggestion.error());
  const auto box = da::contract::parse_box(body, kWidth, kHeight);
  if (!box) check_error(box.error());
  if (box && *box) {
    const auto [x, y] = (*box)->center();
    require(x >= 0 && x < kWidth && y >= 0 && y < kHeight, "the middle of a box is inside the image");
  }
  return 0;
}
