#include "services/planner/plain/window_raise.h"

#include <algorithm>

#include "lib/contract/coordinates.h"
#include "services/planner/task/task_view.h"
#include "services/planner/tools/element_query.h"

namespace da::planner::plain {
namespace {

std::string description_of(const Target& target) {
  const auto* description = std::get_if<std::string>(&target);
  return description == nullptr ? "" : *description;
}

// The target that the sentence acts on first; empty if it has none, or a place.
std::string first_target(const Command& command) {
  if (const auto* click = std::get_if<Click>(&command)) return description_of(click->target);
  if (const auto* hover = std::get_if<Hover>(&command)) return description_of(hover->target);
  if (const auto* drag = std::get_if<Drag>(&command)) return description_of(drag->from);
  if (const auto* scroll = std::get_if<Scroll>(&command)) return scroll->target ? description_of(*scroll->target) : "";
  if (const auto* type = std::get_if<TypeText>(&command)) return type->field.value_or("");
  if (const auto* select = std::get_if<Select>(&command)) return select->list;
  if (const auto* rows = std::get_if<SelectRows>(&command)) return rows->rows.front();
  if (const auto* value = std::get_if<SetValue>(&command)) return value->target;
  return "";
}

std::string window_of(const Command& command) {
  const std::string target = first_target(command);
  return target.empty() ? "" : parse_element_query(target).window;
}

}  // namespace

bool names_window(const Command& command) { return !window_of(command).empty(); }

std::optional<std::string> window_behind(const Command& command, const v1::Observation& seen) {
  const std::string title = window_of(command);
  if (title.empty()) return std::nullopt;
  const auto window = best_titled(seen.windows(), title);
  if (!window || !window->blocked_by().empty()) return std::nullopt;
  if (std::ranges::count(seen.windows(), window->title(), &v1::Window::title) != 1) return std::nullopt;
  const Rect place = contract::from_proto(window->bounds());
  const auto in_front = std::ranges::find(seen.windows(), window->window_id(), &v1::Window::window_id);
  const bool covered = std::any_of(seen.windows().begin(), in_front, [&](const v1::Window& other) {
    return !other.minimized() && !intersection(contract::from_proto(other.bounds()), place).empty();
  });
  return covered || window->minimized() ? std::optional(window->title()) : std::nullopt;
}

}  // namespace da::planner::plain
