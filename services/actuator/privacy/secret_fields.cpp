#include "services/actuator/privacy/secret_fields.h"

namespace da::actuator {
namespace {

constexpr std::size_t kMaxFields = 64;
constexpr Milliseconds kFieldReadTimeout{500};  // Per field.
constexpr int kMaxFieldReads = 4;               // A field is read again if its window moved meanwhile.

std::optional<Rect> place_in(const Element& element, const WindowInfo& window) {
  if (!element.unplaced.empty()) return std::nullopt;
  return moved(element.bounds, -window.bounds.x, -window.bounds.y);
}

// A field that lives on without its window may show anywhere in its program.
std::vector<AnchoredArea> windows_of(std::uint32_t pid, const std::vector<WindowInfo>& windows) {
  std::vector<AnchoredArea> areas;
  for (const WindowInfo& window : windows) {
    if (window.pid == pid) areas.push_back({window.id, std::nullopt, Hides::kText});
  }
  return areas;
}

}  // namespace

Result<void> SecretFields::add(const Element& element, const WindowInfo& window, const std::set<std::string>& secrets) {
  Field field{.handle = element.handle,
              .window_id = window.id,
              .pid = window.pid,
              .in_window = place_in(element, window),
              .password = element.has(ElementState::kPassword),
              .task_id = task_id_};
  const auto known = std::ranges::find(fields_, element.handle, &Field::handle);
  if (known != fields_.end()) {
    *known = std::move(field);
    note_given(window, secrets);
    return ok();
  }
  if (fields_.size() == kMaxFields) {
    return Error{Code::kResourceExhausted,
                 std::to_string(kMaxFields) + " fields contain secrets already: close some of their windows first"};
  }
  fields_.push_back(std::move(field));
  note_given(window, secrets);
  return ok();
}

void SecretFields::note_given(const WindowInfo& window, const std::set<std::string>& secrets) {
  Given& given = given_[window.pid];
  if (given.process_start != window.process_start) given = {window.process_start, {}};
  given.secrets.insert(secrets.begin(), secrets.end());
}

bool SecretFields::contains(const ElementHandle& element) const {
  return std::ranges::find(fields_, element, &Field::handle) != fields_.end();
}

bool SecretFields::may_hold_secret(const ElementHandle& element) const {
  const auto found = std::ranges::find(fields_, element, &Field::handle);
  return found != fields_.end() && !found->is_free;
}

bool SecretFields::any_copyable() const {
  return std::ranges::any_of(fields_, [](const Field& field) { return !field.password && !field.is_free; });
}

std::set<std::string> SecretFields::given_to(std::uint32_t pid) const {
  const auto found = given_.find(pid);
  return pid == 0 || found == given_.end() ? std::set<std::string>() : found->second.secrets;
}

std::set<std::string> SecretFields::given() const {
  std::set<std::string> all;
  for (const auto& [pid, given] : given_) all.insert(given.secrets.begin(), given.secrets.end());
  return all;
}

void SecretFields::enter_task(const std::string& task_id) { task_id_ = task_id; }

Result<std::vector<AnchoredArea>> SecretFields::locate(Desktop& desktop, const Clock& clock) {
  std::vector<AnchoredArea> areas;
  for (Field& field : fields_) {
    std::optional<std::vector<AnchoredArea>> found;
    for (int read = 0; read < kMaxFieldReads && !found; ++read) {
      ASSIGN_OR_RETURN(found, look(desktop, clock, field));
    }
    if (!found) found = {{field.window_id, std::nullopt, Hides::kText}};
    areas.insert(areas.end(), found->begin(), found->end());
  }
  std::erase_if(fields_, [](const Field& field) { return field.over; });
  return areas;
}

Result<std::optional<std::vector<AnchoredArea>>> SecretFields::look(Desktop& desktop, const Clock& clock,
                                                                    Field& field) {
  using Found = std::optional<std::vector<AnchoredArea>>;
  const std::vector<AnchoredArea> nothing;
  ASSIGN_OR_RETURN(const auto before, desktop.windows().list());
  const auto element = desktop.ui_tree().refresh(field.handle, clock.now() + kFieldReadTimeout);
  ASSIGN_OR_RETURN(const auto after, desktop.windows().list());
  // A tab can be moved to another window.
  if (element && element->window_id != field.window_id && find_window(after, element->window_id) != nullptr) {
    field.window_id = element->window_id;
    field.in_window.reset();
  }
  const WindowInfo* window = find_window(after, field.window_id);
  const WindowInfo* earlier = find_window(before, field.window_id);
  const bool is_gone = !element && element.error().code == Code::kNotFound;
  if (window == nullptr || earlier == nullptr) {
    field.over = window == earlier && is_gone;
    const bool is_hidden = is_gone || (element && !element->has(ElementState::kShowing));
    return Found(is_hidden ? nothing : windows_of(field.pid, after));
  }
  if (!element && element.error().code != Code::kNotFound) {
    return Found({{field.window_id, std::nullopt, Hides::kText}});
  }
  if (!element) return Found({{field.window_id, field.in_window, Hides::kText}});
  if (!element->has(ElementState::kShowing)) return Found(nothing);  // Its text is not reported either.
  if (window->bounds != earlier->bounds) return Found();
  field.password = field.password && element->has(ElementState::kPassword);  // Some can be shown on demand.
  field.text_was_read = field.text_was_read || !element->text.empty();
  const bool empty = !field.password && field.text_was_read && element->text.empty();
  field.is_free = empty && field.task_id != task_id_;
  if (field.is_free) return Found(nothing);
  if (!element->bounds.empty() || !element->unplaced.empty()) field.in_window = place_in(*element, *window);
  return Found({{field.window_id, field.in_window, Hides::kText}});
}

}  // namespace da::actuator
