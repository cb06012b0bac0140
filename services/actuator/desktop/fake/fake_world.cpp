#include "services/actuator/desktop/fake/fake_world.h"

#include <algorithm>
#include <fstream>
#include <utility>

#include "lib/base/path_text.h"
#include "lib/base/text.h"

namespace da::actuator::fake {
namespace {

// Bounds the memory of long soak tests.
constexpr std::size_t kRememberedInputs = 10'000;

std::string coordinates(Point at) { return std::to_string(at.x) + "," + std::to_string(at.y); }

std::string_view button_name(Button button) {
  switch (button) {
    case Button::kRight: return "right";
    case Button::kMiddle: return "middle";
    case Button::kLeft: break;
  }
  return "left";
}

void remember(std::vector<std::string>& events, std::string event) {
  if (events.size() >= kRememberedInputs) events.clear();
  events.push_back(std::move(event));
}

std::string released_event(Button button, Point at) {
  return "release " + std::string(button_name(button)) + " " + coordinates(at);
}

void erase_last_character(std::string& text) {
  while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xc0) == 0x80) text.pop_back();
  if (!text.empty()) text.pop_back();
}

}  // namespace

FakeWorld::FakeWorld(Rect desktop, std::optional<FakeJournal> journal)
    : desktop_(desktop), journal_(std::move(journal)), last_change_(system_clock().now()) {
  cursor_ = desktop.center();
}

std::string FakeWorld::open_notes(const std::string& file) {
  const std::lock_guard lock(mutex_);
  return open_notes_locked(file);
}

std::string FakeWorld::open_notes_locked(const std::string& file) {
  const int shift = static_cast<int>(windows_.size() % 8) * 24;
  FakeWindow window{.id = next_id("window"),
                    .title = (file.empty() ? "Untitled" : file) + " - Notes",
                    .executable = "/usr/bin/notes",
                    .pid = static_cast<std::uint32_t>(100'000 + ids_),
                    .bounds = {desktop_.x + 40 + shift, desktop_.y + 40 + shift, 600, 400},
                    .file = file};
  const Point at{window.bounds.x, window.bounds.y};
  window.elements = {
      {.id = next_id("e"),
       .role = "text",
       .name = "Text",
       .bounds = {at.x + 10, at.y + 40, 580, 260},
       .editable = true,
       .multi_line = true},
      {.id = next_id("e"),
       .role = "text",
       .name = "Name",
       .bounds = {at.x + 10, at.y + 310, 580, 30},
       .editable = true},
      {.id = next_id("e"), .role = "push button", .name = "Save", .bounds = {at.x + 10, at.y + 350, 100, 30}},
      {.id = next_id("e"), .role = "push button", .name = "Clear", .bounds = {at.x + 120, at.y + 350, 100, 30}},
      {.id = next_id("e"), .role = "push button", .name = "Close", .bounds = {at.x + 230, at.y + 350, 100, 30}}};
  window.focused_element = window.elements.front().id;
  windows_.push_front(std::move(window));
  touched();
  return windows_.front().id;
}

std::string FakeWorld::open_window(const std::string& title, const std::string& executable, const Rect& bounds) {
  const std::lock_guard lock(mutex_);
  return open_window_locked(title, executable, bounds);
}

std::string FakeWorld::open_window_locked(const std::string& title, const std::string& executable, const Rect& bounds) {
  windows_.push_front({.id = next_id("window"),
                       .title = title,
                       .executable = executable,
                       .pid = static_cast<std::uint32_t>(100'000 + ids_),
                       .bounds = bounds});
  touched();
  return windows_.front().id;
}

std::string FakeWorld::add_element(const std::string& window, FakeElement element) {
  const std::lock_guard lock(mutex_);
  element.id = next_id("e");
  FakeWindow* owner = find_window(window);
  owner->elements.push_back(element);
  touched();
  return element.id;
}

std::string FakeWorld::next_id(const char* kind) { return std::string(kind) + std::to_string(++ids_); }

FakeWindow* FakeWorld::front() {
  const auto found = std::ranges::find_if(
      windows_, [](const FakeWindow& window) { return !window.minimized && !window.unmanaged && !window.keeps_above; });
  return found == windows_.end() ? nullptr : &*found;
}

FakeWindow* FakeWorld::key_receiver() {
  const auto found = std::ranges::find_if(
      windows_, [](const FakeWindow& window) { return window.takes_keyboard && !window.minimized; });
  return found == windows_.end() ? front() : &*found;
}

FakeWindow* FakeWorld::find_window(const std::string& id) {
  const auto found = std::ranges::find(windows_, id, &FakeWindow::id);
  return found == windows_.end() ? nullptr : &*found;
}

FakeWindow* FakeWorld::window_at(Point at) {
  const auto takes_clicks = [&](const FakeWindow& window) {
    if (window.minimized) return false;
    if (window.shape.empty()) return window.bounds.contains(at);
    return std::ranges::any_of(window.shape, [&](const Rect& part) { return part.contains(at); });
  };
  const auto found = std::ranges::find_if(windows_, takes_clicks);
  return found == windows_.end() ? nullptr : &*found;
}

std::pair<FakeWindow*, FakeElement*> FakeWorld::find_element(const std::string& id) {
  for (FakeWindow& window : windows_) {
    const auto found = std::ranges::find(window.elements, id, &FakeElement::id);
    if (found != window.elements.end()) return {&window, &*found};
  }
  return {nullptr, nullptr};
}

FakeElement* FakeWorld::focused_element() {
  FakeWindow* window = key_receiver();
  return window == nullptr ? nullptr : find_element(window->focused_element).second;
}

void FakeWorld::raise(const std::string& window_id) {
  const auto found = std::ranges::find(windows_, window_id, &FakeWindow::id);
  found->minimized = false;
  const auto place = std::ranges::find(windows_, found->keeps_above, &FakeWindow::keeps_above);
  if (place != found) windows_.splice(place, windows_, found);
  touched();
}

void FakeWorld::close(const std::string& window_id) {
  std::erase_if(windows_, [&](const FakeWindow& window) { return window.id == window_id; });
  touched();
}

void FakeWorld::click(Point at) {
  FakeWindow* window = window_at(at);
  if (window == nullptr || !window->blocked_by.empty()) return;
  raise(window->id);
  for (FakeElement& element : window->elements) {
    const bool shows = element.viewport.empty() || element.viewport.contains(at);
    if (shows && element.bounds.contains(at)) return activate(*window, element);
  }
}

void FakeWorld::when_scrolled(std::function<void(FakeWindow&)> change) {
  const std::lock_guard lock(mutex_);
  scrolled_ = std::move(change);
}

void FakeWorld::when_moved(std::function<void(FakeWindow&)> change) {
  const std::lock_guard lock(mutex_);
  moved_ = std::move(change);
}

void FakeWorld::when_pressed(std::function<void(FakeWindow&)> change) {
  const std::lock_guard lock(mutex_);
  pressed_ = std::move(change);
}

void FakeWorld::when_typed(std::function<void(FakeWindow&)> change) {
  const std::lock_guard lock(mutex_);
  typed_ = std::move(change);
}

void FakeWorld::deliver_releases() {
  std::unique_lock lock(held_mutex_);
  const auto released = std::exchange(released_, {});
  lock.unlock();
  for (const HeldButton& each : released) {
    FakeWindow* window = find_window(each.window);
    if (window != nullptr) remember(window->received, released_event(each.button, each.at));
  }
}

void FakeWorld::deliver(Point at, std::string event) {
  deliver_releases();
  std::unique_lock lock(held_mutex_);
  FakeWindow* window = held_ ? find_window(held_->window) : window_at(at);
  lock.unlock();
  if (window != nullptr) remember(window->received, std::move(event));
}

void FakeWorld::hover(Point at) {
  deliver(at, "move " + coordinates(at));
  FakeWindow* window = window_at(at);
  if (window != nullptr && moved_) moved_(*window);
}

void FakeWorld::press(Point at, Button button) {
  FakeWindow* window = window_at(at);
  deliver(at, "press " + std::string(button_name(button)) + " " + coordinates(at));
  {
    const std::lock_guard lock(held_mutex_);
    held_ = HeldButton{button, at, window == nullptr ? "" : window->id};
  }
  if (window != nullptr && pressed_) pressed_(*window);
}

void FakeWorld::release(Point at, Button button) {
  std::unique_lock lock(held_mutex_);
  const auto held = std::exchange(held_, std::nullopt);
  lock.unlock();
  if (!held) return;
  FakeWindow* window = find_window(held->window);
  if (window != nullptr) remember(window->received, released_event(button, at));
  if (held->at == at && button == Button::kLeft) click(at);
}

void FakeWorld::scroll(Point at, int right, int down) {
  deliver(at, "wheel " + std::to_string(right) + "," + std::to_string(down));
  constexpr int kPixelsANotch = 30;
  FakeWindow* window = window_at(at);
  if (window == nullptr) return;
  for (FakeElement& element : window->elements) {
    if (element.fixed || !element.viewport.contains(at)) continue;
    element.bounds.x -= right * kPixelsANotch;
    element.bounds.y -= down * kPixelsANotch;
  }
  if (scrolled_) scrolled_(*window);
  touched();
}

bool FakeWorld::reveal(FakeWindow& window, FakeElement& element) {
  if (!window.scrolls_by_itself || element.viewport.empty()) return false;
  const int down = element.bounds.y - element.viewport.y;
  for (FakeElement& other : window.elements)
    if (other.viewport == element.viewport) other.bounds.y -= down;
  touched();
  return true;
}

void FakeWorld::activate(FakeWindow& window, FakeElement& element) {
  if (!element.enabled || element.inert) return;
  if (element.role == "check box") element.checked = !element.checked;
  if (element.role == "push button") remember(window.received, "pressed " + element.name);
  if (element.editable) window.focused_element = element.id;
  const std::string& selects = element.selects.empty() ? element.name : element.selects;
  if (element.selectable)
    for (FakeElement& other : window.elements) other.selected = other.selectable && other.name == selects;
  if (element.name == "Save") save(window);
  if (element.name == "Clear") {
    for (FakeElement& other : window.elements) other.text.clear();
  }
  if (element.name == "Close") return close(window.id);
  touched();
}

void FakeWorld::save(FakeWindow& window) {
  const auto named = [&](const char* name) {
    const auto found = std::ranges::find(window.elements, name, &FakeElement::name);
    return found == window.elements.end() ? std::string() : found->text;
  };
  const std::string path = named("Name").empty() ? window.file : named("Name");
  if (path.empty()) return;
  received("save " + path);
  std::ofstream(path_of(path), std::ios::binary) << named("Text");
}

void FakeWorld::insert(char32_t character) {
  if (FakeWindow* const window = key_receiver(); window != nullptr && typed_) typed_(*window);
  FakeElement* element = focused_element();
  if (element == nullptr || !element->editable || element->inert) return;
  if (element->name == kRunField && std::exchange(command_selected_, false)) element->text.clear();
  if (std::exchange(element->all_selected, false)) element->text.clear();
  const auto length = [&] { return decode_utf8(element->text).value_or(std::u32string()).size(); };
  if (element->longest == 0 || length() < element->longest) append_utf8(element->text, character);
  touched();
}

void FakeWorld::tap(const std::string& key) {
  FakeElement* element = focused_element();
  if (key == "enter" && element != nullptr && element->name == kRunField) return run_typed();
  if (key == "enter") return insert('\n');
  if (key == "tab") return insert('\t');
  if (key == "space") return insert(' ');
  if (key == "backspace" && element != nullptr) erase_last_character(element->text);
  if (const auto scalars = decode_utf8(key); scalars && scalars->size() == 1) insert(scalars->front());
  touched();
}

void FakeWorld::chord(const std::vector<std::string>& keys) {
  FakeWindow* window = key_receiver();
  if (window == nullptr) return;
  std::string event = "chord";
  for (const std::string& key : keys) event += (event == "chord" ? " " : "+") + key;
  remember(window->received, std::move(event));
  const std::vector<std::string> paste = {"ctrl", "v"};
  if (keys == std::vector<std::string>{"win", "r"} && has_run_dialog_) return open_run_dialog();
  if (keys == std::vector<std::string>{"ctrl", "s"}) save(*window);
  if (keys == std::vector<std::string>{"ctrl", "w"}) close(window->id);
  if (keys == std::vector<std::string>{"shift", "end"} && focused_element() != nullptr) {
    focused_element()->all_selected = true;
  }
  if (keys == paste && focused_element() != nullptr) {
    focused_element()->text += clipboard_;
    clipboard_fetched_ = true;
  }
  touched();
}

void FakeWorld::note(std::string input) {
  received(input);
  remember(inputs_, std::move(input));
}

void FakeWorld::received(std::string_view effect) {
  if (journal_) journal_->record(effect);
}

void FakeWorld::touched() {
  last_change_ = system_clock().now();
  changed_.notify_all();
}

}  // namespace da::actuator::fake
