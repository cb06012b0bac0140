#include "services/actuator/proof/element_effect.h"

#include <algorithm>
#include <array>

#include "lib/contract/evidence/evidence.h"
#include "lib/contract/evidence/roles.h"
#include "lib/contract/evidence/visual_similarity.h"
#include "services/actuator/privacy/placeholder.h"
#include "services/actuator/proof/click_kind.h"
#include "services/actuator/target/shown_text.h"

namespace da::actuator {
namespace {

using contract::role;

constexpr Milliseconds kStateTimeout{200};

bool is_checkable(const Element& element) {
  constexpr auto kCheckable =
      std::to_array<std::string_view>({role("check box"), role("check menu item"), role("toggle button"),
                                       role("radio button"), role("radio menu item")});
  return std::ranges::find(kCheckable, element.role) != kCheckable.end();
}

}  // namespace

bool is_radio(const Element& element) {
  return element.role == role("radio button") || element.role == role("radio menu item");
}

bool tells_its_state(const Element& element) {
  return is_checkable(element) && element.role != role("toggle button") && element.role != role("radio button");
}

bool is_control(const Element& element) {
  return contract::surface_of(element.role, element.name) == contract::Surface::kControl;
}

std::optional<std::string> expected_text(const v1::Action& action) {
  const std::string* const text = typed_text(action);
  if (text == nullptr || mentions_secret(*text)) return std::nullopt;
  return *text;
}

void ElementEffect::begin(std::optional<Element> element) {
  element_ = std::move(element);
  tells_by_itself_ = false;
  is_disabled_ = false;
  is_silent_ = false;
}

void ElementEffect::read_before_press() {
  if (!element_) return;
  auto now = desktop_.ui_tree().refresh(element_->handle, clock_.now() + kStateTimeout);
  if (!now) return;
  tells_by_itself_ = now->text != element_->text || now->name != element_->name;
  element_ = *std::move(now);
}

Result<Element> ElementEffect::read() {
  auto now = desktop_.ui_tree().refresh(element_->handle, clock_.now() + kStateTimeout);
  is_silent_ = !now && now.error().code == Code::kDeadlineExceeded;
  return now;
}

// Whether the new name or text is the action's effect, as far as it tells.
bool ElementEffect::tells_effect(const v1::Action& action, const Element& now, const Checkpoint& checkpoint) {
  if (now.role == role("terminal")) {
    // A program in a terminal writes at any time.
    if (!contract::is_keyboard_tool(action)) return false;
    const std::string typed = without_space(expected_text(action).value_or(""));
    if (typed.empty()) return true;
    return occurrences(without_space(now.text), typed) > occurrences(without_space(element_->text), typed);
  }
  return !is_click(action) || keeps_telling(now, checkpoint);
}

// A clock or a progress may stand in the element.
bool ElementEffect::keeps_telling(const Element& told, const Checkpoint& checkpoint) {
  const MonoTime until = clock_.now() + DrawingPause::kTick;
  while (pause_.await_drawing(until, checkpoint)) {
    const auto later = read();
    if (!later) break;
    tells_by_itself_ = later->name != told.name || later->text != told.text;
    if (tells_by_itself_) return false;
  }
  return true;
}

std::string ElementEffect::changed(const v1::Action& action, const Checkpoint& checkpoint) {
  // The press of a drag may have selected the element.
  if (!element_ || action.has_drag()) return {};
  const auto now = read();
  if (!now) return now.error().code == Code::kNotFound ? "its element is gone" : "";
  const auto differs = [&](ElementState state) { return element_->has(state) != now->has(state); };
  if (is_checkable(*now)) {
    const bool checked = now->has(ElementState::kChecked);
    const bool proven = differs(ElementState::kChecked) || (is_radio(*now) && checked && is_plain_click(action));
    if (proven) return checked ? "it is checked" : "it is not checked";
  }
  if (now->has(ElementState::kEditable) && now->has(ElementState::kFocused) && is_plain_click(action)) {
    return "it has the focus";
  }
  // A menu's entry is selected as soon as the pointer is there.
  const bool by_pointer = now->role == role("menu") || now->role == role("menu item");
  const bool selects = !is_click(action) || is_plain_click(action);
  if (selects && !by_pointer && differs(ElementState::kSelected)) {
    return now->has(ElementState::kSelected) ? "it is selected" : "it is not selected any more";
  }
  if (differs(ElementState::kExpanded)) return now->has(ElementState::kExpanded) ? "it is open" : "it is closed";
  // Proves nothing: a button that was disabled just before the click arrived has swallowed it.
  is_disabled_ = differs(ElementState::kEnabled) && !now->has(ElementState::kEnabled);
  const bool retold = element_->name != now->name || element_->text != now->text;
  if (retold && !tells_by_itself_ && tells_effect(action, *now, checkpoint)) {
    return element_->name != now->name ? "its name changed" : "its text changed";
  }
  const bool got_focus = now->has(ElementState::kFocused) && differs(ElementState::kFocused);
  if (selects && got_focus && !is_control(*now)) return "it got the focus";
  return {};
}

}  // namespace da::actuator
