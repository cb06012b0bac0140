#include "services/planner/rules/profile/element_states.h"

#include "lib/base/text.h"

namespace da::planner::rules {
namespace {

constexpr std::string_view kPrefix = "UI_STATE_";
constexpr std::string_view kNot = "not ";

std::string name_of(v1::UiState state) { return fold_case(v1::UiState_Name(state).substr(kPrefix.size())); }

}  // namespace

std::vector<std::string> state_names() {
  std::vector<std::string> names;
  for (int value = v1::UI_STATE_UNSPECIFIED + 1; value <= v1::UiState_MAX; ++value) {
    if (v1::UiState_IsValid(value)) names.push_back(name_of(static_cast<v1::UiState>(value)));
  }
  return names;
}

std::optional<ElementStateWish> read_state(std::string_view word) {
  std::string name = fold_case(trim(word));
  if (name == "disabled") return ElementStateWish{v1::UI_STATE_ENABLED, false};
  if (name == "unchecked") return ElementStateWish{v1::UI_STATE_CHECKED, false};
  const bool wanted = !name.starts_with(kNot);
  if (!wanted) name = std::string(trim(std::string_view(name).substr(kNot.size())));
  for (int value = v1::UI_STATE_UNSPECIFIED + 1; value <= v1::UiState_MAX; ++value) {
    if (!v1::UiState_IsValid(value)) continue;
    const auto state = static_cast<v1::UiState>(value);
    if (name_of(state) == name) return ElementStateWish{state, wanted};
  }
  return std::nullopt;
}

std::string state_text(const ElementStateWish& state) {
  return (state.wanted ? std::string() : std::string(kNot)) + name_of(state.state);
}

}  // namespace da::planner::rules
