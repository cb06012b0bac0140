#include "services/actuator/secret_fields.h"

namespace da::actuator {
namespace {

constexpr std::size_t kMaxFields = 64;

Rect moved(const Rect& rect, int dx, int dy) { return {rect.x + dx, rect.y + dy, rect.width, rect.height}; }

}  // namespace

Result<void> SecretFields::add(const Element& element, const WindowInfo& window) {
  Field field{.handle = element.handle,
              .window_id = window.id,
              .pid = window.pid,
              .in_window = moved(element.bounds, -window.bounds.x, -window.bounds.y),
              .password = element.has(ElementState::kPassword),
              .task_id = task_id_};
  const auto known = std::ranges::find(fields_, element.handle, &Field::handle);
  if (known != fields_.end()) {
    *known = std::move(field);
    return ok();
  }
  if (fields_.size() == kMaxFields) {
    return Error{Code::kResourceExhausted, "secrets stand in " + std::to_string(kMaxFields) +
                                               " fields already: close some of their windows first"};
  }
  fields_.push_back(std::move(field));
  return ok();
}

bool SecretFields::holds(const ElementHandle& element) const {
  return std::ranges::find(fields_, element, &Field::handle) != fields_.end();
}

bool SecretFields::any_copyable() const { return std::ranges::find(fields_, false, &Field::password) != fields_.end(); }

bool SecretFields::given_to(std::uint32_t pid) const {
  return pid != 0 && std::ranges::find(fields_, pid, &Field::pid) != fields_.end();
}

void SecretFields::enter_task(const std::string& task_id) { task_id_ = task_id; }

std::vector<Rect> SecretFields::locate(UiTree& tree, const std::vector<WindowInfo>& windows, MonoTime deadline) {
  std::vector<Rect> areas;
  std::erase_if(fields_, [&](Field& field) {
    const auto window = std::ranges::find(windows, field.window_id, &WindowInfo::id);
    const bool shows = window != windows.end() && !window->minimized;
    const auto element = tree.refresh(field.handle, deadline);
    if (element) {
      if (!element->has(ElementState::kShowing)) return false;                   // Its text is not told then.
      field.password = field.password && element->has(ElementState::kPassword);  // It may be shown on demand.
      field.text_is_told = field.text_is_told || !element->text.empty();
      const bool empty = !field.password && field.text_is_told && element->text.empty();
      if (empty && field.task_id != task_id_) return true;
      if (window != windows.end() && !element->bounds.empty()) {
        field.in_window = moved(element->bounds, -window->bounds.x, -window->bounds.y);
      }
      areas.push_back(element->bounds);
      return false;
    }
    const bool gone = element.error().code == Code::kNotFound;
    if (gone && window == windows.end()) return true;
    if (!shows) return false;
    areas.push_back(gone ? moved(field.in_window, window->bounds.x, window->bounds.y) : window->bounds);
    return false;
  });
  return areas;
}

}  // namespace da::actuator
