#include "services/policy/same_evidence.h"

#include <algorithm>
#include <vector>

#include "lib/base/text.h"
#include "lib/contract/element_state.h"
#include "services/policy/same_look.h"
#include "services/policy/subject.h"

namespace da::policy {
namespace {

using Difference = std::optional<std::string>;

// The planner is told, from whom a mask may hide titles and names: neither is in the words.
std::string shown(const v1::Window& window) {
  const std::string program = base_name(window.executable());
  return program.empty() ? "one of an unknown program" : "one of " + escape_foreign(program, 40);
}

bool same_window(const v1::Window& a, const v1::Window& b) {
  return a.window_id() == b.window_id() && a.pid() == b.pid() && a.process_start() == b.process_start() &&
         a.executable() == b.executable();
}

Difference windows_differ(const char* which, bool had, const v1::Window& approved, bool has, const v1::Window& now) {
  if (!had && !has) return std::nullopt;
  if (had && has && same_window(approved, now)) return std::nullopt;
  const std::string before = had ? shown(approved) : "none";
  const std::string after = has ? shown(now) : "none";
  return std::string(which) + " was " + before + " and is now " + (before == after ? "another " : "") + after;
}

bool same_rect(const v1::Rect& a, const v1::Rect& b) {
  return a.x() == b.x() && a.y() == b.y() && a.width() == b.width() && a.height() == b.height();
}

// Qt makes new objects for the cells of a tree each time it is asked.
bool same_renewed(const v1::UiNode& a, const v1::UiNode& b) {
  return contract::has_state(a, v1::UI_STATE_TRANSIENT) && contract::has_state(b, v1::UI_STATE_TRANSIENT) &&
         a.parent_id() == b.parent_id() && same_rect(a.bounds(), b.bounds());
}

bool same_element(const v1::UiNode& a, const v1::UiNode& b) {
  return (a.element_id() == b.element_id() || same_renewed(a, b)) && a.role() == b.role() && a.name() == b.name() &&
         a.window_id() == b.window_id();
}

// What decides which elements an action reaches: keys and a drag act on all that are selected, a click selects.
enum class Reaches { kElement, kSelected };

// A pointer that passes over menus selects and expands their items.
bool is_menu(const v1::UiNode& node) { return node.role().find("menu") != std::string::npos; }

// States that decide what an action does. Where the focus is, and what shows, changes nothing of that.
std::vector<v1::UiState> deciding_states(const v1::UiNode& node, Reaches reaches) {
  std::vector<v1::UiState> states = {v1::UI_STATE_ENABLED, v1::UI_STATE_CHECKED, v1::UI_STATE_EDITABLE,
                                     v1::UI_STATE_PASSWORD};
  if (is_menu(node)) return states;
  states.push_back(v1::UI_STATE_EXPANDED);
  if (reaches == Reaches::kSelected) states.push_back(v1::UI_STATE_SELECTED);
  return states;
}

std::string shown(const v1::UiNode& node) {
  return node.role().empty() ? "an element" : "a " + escape_foreign(node.role(), 40);
}

Difference elements_differ(const char* which, bool had, const v1::UiNode& approved, bool has, const v1::UiNode& now,
                           Reaches reaches = Reaches::kElement) {
  if (!had && !has) return std::nullopt;
  if (!had || !has || !same_element(approved, now)) {
    const std::string before = had ? shown(approved) : "unknown";
    const std::string after = has ? shown(now) : "unknown";
    return std::string(which) + " was " + before + " and is now " + (before == after ? "another one" : after);
  }
  for (const v1::UiState state : deciding_states(approved, reaches)) {
    const std::string before = contract::state_word(approved, state);
    const std::string after = contract::state_word(now, state);
    if (before != after) return std::string(which) + ", " + shown(now) + ", was " + before + " and is now " + after;
  }
  return std::nullopt;
}

// Where no element is known, the title is all that tells one page of a window from another.
Difference titles_differ(const v1::Action& action, const v1::Evidence& approved, const v1::Evidence& now) {
  const v1::Window* before = subject_window(action, approved);
  const v1::Window* after = subject_window(action, now);
  if (before == nullptr || after == nullptr || subject_element(action, approved) != nullptr) return std::nullopt;
  if (before->title() == after->title()) return std::nullopt;
  return "the title of the window has changed";
}

}  // namespace

std::optional<std::string> difference(const v1::Action& action, const v1::Evidence& approved, const v1::Evidence& now) {
  // Other tools do not depend on what is in front: whoever approves may do it in a window of the same desktop.
  if (is_keyboard_tool(action)) {
    if (auto found = windows_differ("the foreground window", approved.has_foreground(), approved.foreground(),
                                    now.has_foreground(), now.foreground())) {
      return found;
    }
    if (auto found = elements_differ("the focused element", approved.has_focused_element(), approved.focused_element(),
                                     now.has_focused_element(), now.focused_element(), Reaches::kSelected)) {
      return found;
    }
  }
  if (auto found = windows_differ("the target window", approved.has_target_window(), approved.target_window(),
                                  now.has_target_window(), now.target_window())) {
    return found;
  }
  if (auto found = elements_differ("the target", approved.has_target_element(), approved.target_element(),
                                   now.has_target_element(), now.target_element(),
                                   action.has_drag() ? Reaches::kSelected : Reaches::kElement)) {
    return found;
  }
  if (auto found = windows_differ("the window where the drag ends", approved.has_drop_window(), approved.drop_window(),
                                  now.has_drop_window(), now.drop_window())) {
    return found;
  }
  if (auto found = elements_differ("what the drag ends on", approved.has_drop_element(), approved.drop_element(),
                                   now.has_drop_element(), now.drop_element())) {
    return found;
  }
  if (approved.button_held() != now.button_held()) {
    return std::string("a mouse button was ") + (now.button_held() ? "pressed" : "released") + " meanwhile";
  }
  if (approved.canonical_path() != now.canonical_path()) {
    return "the path was \"" + escape_foreign(approved.canonical_path(), 120) + "\" and is now \"" +
           escape_foreign(now.canonical_path(), 120) + "\"";
  }
  if (approved.file_identity() != now.file_identity()) {
    return "another file is at \"" + escape_foreign(now.canonical_path(), 120) + "\", or it was written to";
  }
  if (!std::ranges::equal(approved.argv(), now.argv())) return "what would be executed has changed";
  if (auto found = titles_differ(action, approved, now)) return found;
  return looks_differ(approved, now);
}

}  // namespace da::policy
