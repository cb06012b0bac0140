#include "services/console/commands/suggestions.h"

#include <utility>

#include "lib/base/text.h"
#include "lib/contract/coordinates.h"
#include "services/console/pixels.h"

namespace da::console {
namespace {

// "login form=10,20,300,200"
Result<v1::Decision::Region> parse_region(const std::string& text) {
  const auto equals = text.rfind('=');
  const auto area = parse_rect(equals == std::string::npos ? "" : std::string_view(text).substr(equals + 1));
  if (!area || equals == 0) {
    return Error{Code::kInvalidArgument,
                 "--region " + quote_foreign(text) + " is not NAME=X,Y,WIDTH,HEIGHT, in pixels of the desktop"};
  }
  v1::Decision::Region region;
  region.set_name(text.substr(0, equals));
  *region.mutable_area() = contract::to_proto(*area);
  return region;
}

}  // namespace

Result<std::optional<v1::Decision>> decision_of(const GoalOptions& options) {
  if (options.suggestions == 0) return std::optional<v1::Decision>();
  v1::Decision decision;
  decision.set_max_steps(options.suggestions);
  decision.set_confirm_each_step(options.confirm_suggestions);
  for (const std::string& action : options.suggestible_actions) decision.add_allowed_actions(action);
  for (const std::string& text : options.regions) {
    ASSIGN_OR_RETURN(*decision.add_regions(), parse_region(text));
  }
  return std::optional(std::move(decision));
}

}  // namespace da::console
