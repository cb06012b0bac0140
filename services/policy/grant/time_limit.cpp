#include "services/policy/grant/time_limit.h"

#include <algorithm>
#include <string>

namespace da::policy {
namespace {

// Enough for launch, close and terminate, which wait for the application.
constexpr Milliseconds kBase{30'000};
// Added for each unit of input. Generous, because a busy application reads slowly.
constexpr std::int64_t kPerUnitMs = 20;

// Bytes are an upper bound of characters.
std::int64_t input_units(const std::string& text) { return static_cast<std::int64_t>(text.size()); }

}  // namespace

Milliseconds execute_timeout(const v1::Action& action) {
  std::int64_t extra = 0;
  switch (action.tool_case()) {
    case v1::Action::kWrite:
      extra = input_units(action.write().text()) * (kPerUnitMs + action.write().interval_ms());
      break;
    case v1::Action::kKeyboardType: extra = input_units(action.keyboard_type().text()) * kPerUnitMs; break;
    case v1::Action::kPaste: extra = input_units(action.paste().text()) / 100; break;
    case v1::Action::kPress: extra = (action.press().keys_size() + 1) * kPerUnitMs; break;
    case v1::Action::kDrag: extra = action.drag().path_size() * kPerUnitMs; break;
    case v1::Action::kMouse:
      extra = std::int64_t{std::max(1u, action.mouse().clicks())} * (kPerUnitMs + action.mouse().interval_ms());
      break;
    default: break;
  }
  return kBase + Milliseconds(extra);
}

}  // namespace da::policy
