#include "services/console/terminal/element_text.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "lib/base/name_text.h"
#include "lib/base/text.h"
#include "lib/contract/coordinates.h"
#include "lib/contract/place_text.h"
#include "services/console/terminal/stream/json_line.h"

namespace da::console {
namespace {

constexpr std::array<std::pair<v1::UiState, const char*>, 7> kStates{{{v1::UI_STATE_ENABLED, "enabled"},
                                                                      {v1::UI_STATE_EDITABLE, "editable"},
                                                                      {v1::UI_STATE_FOCUSED, "focused"},
                                                                      {v1::UI_STATE_CHECKED, "checked"},
                                                                      {v1::UI_STATE_SELECTED, "selected"},
                                                                      {v1::UI_STATE_EXPANDED, "expanded"},
                                                                      {v1::UI_STATE_PASSWORD, "password"}}};

bool has_state(const v1::UiNode& node, v1::UiState state) {
  return std::ranges::find(node.states(), static_cast<int>(state)) != node.states().end();
}

std::string size_text(const Rect& bounds) {
  return "(" + std::to_string(bounds.width) + "x" + std::to_string(bounds.height) + ")";
}

std::string number_text(double value) {
  std::string text = std::to_string(value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

std::string program_name(const v1::Window& window) {
  return std::filesystem::path(window.executable()).filename().string();
}

// Menus may extend beyond their window, and are drawn above all windows.
bool pops_up(const v1::UiNode& node) { return node.role().find("menu item") != std::string::npos; }

}  // namespace

std::string element_text(const v1::UiNode& node) {
  const Rect bounds = contract::from_proto(node.bounds());
  std::string text = escape_foreign(node.role(), 40) + " " + quote_foreign(node.name()) + " " +
                     contract::place_text(bounds.center()) + " " + size_text(bounds);
  if (!node.phrase().empty()) text = escape_foreign(node.phrase(), 1000) + "  " + text;
  if (!has_state(node, v1::UI_STATE_ENABLED)) text += ", disabled";
  for (const auto& [state, word] : kStates) {
    if (state != v1::UI_STATE_ENABLED && has_state(node, state)) text += std::string(", ") + word;
  }
  if (node.has_range()) text += ", value " + number_text(node.range().value());
  if (!node.hidden().empty()) text += ", does not show: " + escape_foreign(node.hidden(), 200);
  return text;
}

std::string window_text(const v1::Window& window) {
  const std::string program = program_name(window);
  return "window " + quote_foreign(window.title()) + (program.empty() ? "" : " of " + escape_foreign(program, 80)) +
         (window.focused() ? ", has the focus" : "");
}

std::string element_list(const v1::Observation& seen, const v1::UiTree& elements) {
  std::string list;
  const auto add = [&](const v1::Window* window, const std::string& title) {
    std::string below;
    for (const v1::UiNode& node : elements.nodes()) {
      if (window_of(seen, node) == window) below += "  " + element_text(node) + "\n";
    }
    if (!below.empty()) list += title + "\n" + below;
  };
  for (const v1::Window& window : seen.windows()) add(&window, window_text(window));
  add(nullptr, "in no window");
  return list;
}

std::string element_json(const v1::UiNode& node, const v1::Window* window) {
  nlohmann::ordered_json json = {{"role", node.role()}, {"name", node.name()}};
  if (!node.phrase().empty()) json["target"] = node.phrase();
  if (!node.text().empty()) json["text"] = node.text();
  if (node.has_range()) json["value"] = node.range().value();
  if (!node.hidden().empty()) json["hidden"] = node.hidden();
  json["states"] = nlohmann::json::array();
  for (const auto& [state, word] : kStates) {
    if (has_state(node, state)) json["states"].push_back(word);
  }
  const v1::Rect& bounds = node.bounds();
  json["bounds"] = {{"x", bounds.x()}, {"y", bounds.y()}, {"width", bounds.width()}, {"height", bounds.height()}};
  json["window"] = window == nullptr ? nlohmann::json() : nlohmann::json(window->title());
  json["program"] = window == nullptr ? nlohmann::json() : nlohmann::json(window->executable());
  return escape_invisible(json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

const v1::Window* window_of(const v1::Observation& seen, const v1::UiNode& node) {
  const auto found = std::ranges::find(seen.windows(), node.window_id(), &v1::Window::window_id);
  return found == seen.windows().end() ? nullptr : &*found;
}

v1::UiTree elements_in(const v1::Observation& seen, const v1::UiTree& elements, const std::string& title) {
  v1::UiTree chosen;
  chosen.set_note(elements.note());
  for (const v1::UiNode& node : elements.nodes()) {
    const v1::Window* const window = window_of(seen, node);
    if (window != nullptr && name_contains(window->title(), title)) *chosen.add_nodes() = node;
  }
  return chosen;
}

std::optional<v1::UiNode> element_at(const v1::Observation& seen, const v1::UiTree& elements, Point point) {
  const auto in_front = std::ranges::find_if(seen.windows(), [&](const v1::Window& window) {
    return !window.minimized() && contract::from_proto(window.bounds()).contains(point);
  });
  const v1::Window* const window = in_front == seen.windows().end() ? nullptr : &*in_front;
  const v1::UiNode* best = nullptr;
  // Prefers menu items, then smaller elements.
  const auto rank = [](const v1::UiNode& node) {
    return std::pair(!pops_up(node), contract::from_proto(node.bounds()).area());
  };
  for (const v1::UiNode& node : elements.nodes()) {
    const bool there = node.hidden().empty() && contract::from_proto(node.bounds()).contains(point);
    const v1::Window* const own = window_of(seen, node);
    if (!there || (own != window && own != nullptr && !pops_up(node))) continue;
    if (best == nullptr || rank(node) <= rank(*best)) best = &node;
  }
  return best == nullptr ? std::nullopt : std::optional(*best);
}

}  // namespace da::console
