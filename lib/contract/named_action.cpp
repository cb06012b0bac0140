#include "lib/contract/named_action.h"

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>

#include "lib/base/text.h"
#include "lib/contract/describe.h"

namespace da::contract {
namespace {

constexpr std::size_t kShownOfName = 80;

// Only a plain word is shown without quotation marks: foreign text must not look like a quoted name.
bool is_plain_word(std::string_view word) {
  return !word.empty() && word.size() <= 60 && std::ranges::all_of(word, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("._+-").find(c) != std::string_view::npos;
  });
}

bool is_role(std::string_view role) {
  return !role.empty() && role.size() <= 40 &&
         std::ranges::all_of(role, [](char c) { return (c >= 'a' && c <= 'z') || c == ' ' || c == '-'; });
}

std::string with_place(const std::string& text, int x, int y) {
  return text + " at " + std::to_string(x) + "," + std::to_string(y);
}

// "right-click"; empty for gestures that are only part of a click.
std::string click_verb(const v1::Mouse& mouse) {
  if (mouse.action() != v1::Mouse::GESTURE_UNSPECIFIED) return {};
  std::string verb = "click";
  if (mouse.button() == v1::MOUSE_BUTTON_RIGHT) verb = "right-click";
  if (mouse.button() == v1::MOUSE_BUTTON_MIDDLE) verb = "middle-click";
  if (mouse.clicks() <= 1) return verb;
  if (mouse.clicks() == 2) return "double-" + verb;
  return verb + " " + std::to_string(mouse.clicks()) + " times on";
}

// "ctrl+" before the verb; empty without held keys.
std::string held(const v1::Action& action) {
  const std::string keys = to_json(action).value("hold", "");
  return keys.empty() ? "" : keys + "+";
}

// Reads the button from the contract's JSON, so that no button of the call is left out.
std::string element_verb(const v1::Action& action) {
  const std::string button = to_json(action).value("button", "left");
  const std::string click = button == "left" ? "click" : button + "-click";
  const std::string verb = action.ui_click().double_click() ? "double-" + click : click;
  return held(action) + verb;
}

std::string scroll_verb(const v1::Scroll& scroll) {
  std::string text = "scroll";
  const auto add = [&](int notches, const char* on, const char* back) {
    if (notches != 0) text += std::string(" ") + (notches > 0 ? on : back) + " " + std::to_string(std::abs(notches));
  };
  add(scroll.dy(), "down", "up");
  add(scroll.dx(), "right", "left");
  return text + " over";
}

// `target` is our own phrase with escaped names.
std::string describe_on(const v1::Action& action, const std::string& target) {
  if (target.empty()) return describe(action);
  if (action.has_ui_click()) return element_verb(action) + " " + target;
  if (action.has_mouse()) {
    const std::string verb = click_verb(action.mouse());
    if (verb.empty()) return describe(action) + " on " + target;
    return with_place(held(action) + verb + " " + target, action.mouse().x(), action.mouse().y());
  }
  if (action.has_scroll()) {
    return with_place(scroll_verb(action.scroll()) + " " + target, action.scroll().x(), action.scroll().y());
  }
  if (action.has_drag()) return describe(action) + " from " + target;
  return describe(action);
}

bool is_known(const v1::UiNode& element) { return !element.role().empty() || !element.name().empty(); }

}  // namespace

std::string name_element(const v1::UiNode& element) {
  const std::string role = is_role(element.role()) ? element.role() : "element";
  return element.name().empty() ? role : role + " " + quote_foreign(element.name(), kShownOfName);
}

std::string name_window(const v1::Window& window) {
  const std::string& path = window.executable();
  // Only a path on Windows does not begin with a slash.
  const std::string program = path.substr(path.find_last_of(path.starts_with('/') ? "/" : "/\\") + 1);
  if (is_plain_word(program)) return program;
  return window.title().empty() ? "" : quote_foreign(window.title(), kShownOfName);
}

std::string name_target(const v1::UiNode& element, const v1::Window& window) {
  const std::string where = name_window(window);
  if (!is_known(element)) return where;
  return name_element(element) + (where.empty() ? "" : " in " + where);
}

std::string describe(const v1::Action& action, const v1::Evidence& evidence) {
  const std::string text = describe_on(action, name_target(evidence.target_element(), evidence.target_window()));
  const std::string drop = name_target(evidence.drop_element(), evidence.drop_window());
  return action.has_drag() && !drop.empty() ? text + " to " + drop : text;
}

std::string describe(const v1::Step& step) {
  // The sender should have escaped the target; do not rely on it.
  return describe_on(step.action(), escape_foreign(step.target(), 300));
}

}  // namespace da::contract
