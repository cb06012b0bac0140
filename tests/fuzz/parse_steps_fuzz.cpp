// A model's reply must be refused with an error, or give at most four valid steps that survive a round trip.
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>

#include "lib/contract/catalogue.h"
#include "lib/contract/describe.h"
#include "lib/contract/digest.h"
#include "lib/contract/json/parse.h"
#include "tests/fuzz/require.h"

namespace {

using da::fuzz::require;

void check_step(const da::v1::Step& step) {
  const da::v1::Action& action = step.action();
  require(!step.justification().empty(), "a step has a justification");
  require(da::contract::validate(action).has_value(), "a parsed action is valid");
  require(!da::contract::describe(action).empty(), "a parsed action can be described");
  const std::string tool = da::contract::tool_of(action)->name();
  const auto again = da::contract::parse_action(tool, da::contract::to_json(action).dump());
  require(again.has_value(), "an action as JSON is read again");
  require(da::contract::digest(*again) == da::contract::digest(action), "the action is the same after a round trip");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto parsed = da::contract::parse_steps({reinterpret_cast<const char*>(data), size});
  if (!parsed) {
    require(!parsed.error().message.empty(), "a refusal says why");
    return 0;
  }
  const da::v1::Plan& plan = parsed->plan;
  require(plan.steps_size() <= da::contract::kMaxStepsPerTurn, "at most four steps a turn");
  require(!plan.has_done() || plan.steps().empty(), "done comes without steps");
  for (const auto& step : plan.steps()) check_step(step);
  return 0;
}
