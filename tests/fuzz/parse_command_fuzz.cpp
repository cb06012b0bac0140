// A script's line must be refused with an error, or give a valid action that survives a round trip, or end the session.
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

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto command = da::contract::parse_command({reinterpret_cast<const char*>(data), size});
  require(command.id.size() <= da::contract::kMaxCommandId, "an id is bounded");
  if (!command.action) {
    require(!command.action.error().message.empty(), "a refusal says why");
    return 0;
  }
  require(!command.id.empty(), "an accepted command has an id");
  if (!*command.action) return 0;
  const da::v1::Action& action = **command.action;
  require(da::contract::validate(action).has_value(), "a parsed action is valid");
  const nlohmann::json line = {{"id", command.id},
                               {"action", da::contract::tool_of(action)->name()},
                               {"payload", da::contract::to_json(action)}};
  const auto again = da::contract::parse_command(line.dump());
  require(again.action && *again.action, "an action as JSON is read again");
  require(da::contract::digest(**again.action) == da::contract::digest(action), "the action survives a round trip");
  return 0;
}
