#include "services/actuator/performer.h"

#include "lib/base/text.h"
#include "lib/contract/keys.h"
#include "services/actuator/element_click.h"
#include "services/actuator/file_delete.h"
#include "services/actuator/outcomes.h"
#include "services/actuator/placeholder.h"

namespace da::actuator {
namespace {

constexpr Milliseconds kDefaultClickInterval{60};
constexpr Milliseconds kFocusTimeout{3000};
constexpr Milliseconds kTerminateTimeout{5000};
constexpr Milliseconds kPasteTimeout{2000};
constexpr Milliseconds kReadingTime{500};

Button button_of(v1::MouseButton button) {
  switch (button) {
    case v1::MOUSE_BUTTON_RIGHT: return Button::kRight;
    case v1::MOUSE_BUTTON_MIDDLE: return Button::kMiddle;
    default: return Button::kLeft;
  }
}

// Typing waits for the application by itself, key by key.
bool sends_input_at_once(const v1::Action& action) {
  return action.has_mouse() || action.has_scroll() || action.has_drag() || action.has_press() || action.has_hotkey() ||
         action.has_ui_click() || action.has_close_window();
}

}  // namespace

// The next look must not find what the application is about to close or to cover: a dialog that it opens on a click has
// a "Save" of its own, and so has the window below it.
v1::Outcome Performer::perform(const v1::Action& action, const Target& target, const Checkpoint& checkpoint) {
  v1::Outcome outcome = act(action, target, checkpoint);
  const bool acted = outcome.kind() == v1::Outcome::KIND_DISPATCHED || outcome.kind() == v1::Outcome::KIND_CONFIRMED;
  if (acted && sends_input_at_once(action)) desktop_.input().await_reading(clock_.now() + kReadingTime);
  return outcome;
}

v1::Outcome Performer::act(const v1::Action& action, const Target& target, const Checkpoint& checkpoint) {
  switch (action.tool_case()) {
    case v1::Action::kMouse: return mouse(action.mouse(), checkpoint);
    case v1::Action::kScroll:
      return from_progress(desktop_.input().scroll({action.scroll().x(), action.scroll().y()}, action.scroll().dx(),
                                                   action.scroll().dy(), checkpoint));
    case v1::Action::kDrag: return drag(action.drag(), checkpoint);
    case v1::Action::kPress: return press(action.press(), checkpoint);
    case v1::Action::kHotkey: return hotkey(action.hotkey());
    case v1::Action::kWrite: return type(action.write().text(), Milliseconds(action.write().interval_ms()), checkpoint);
    case v1::Action::kKeyboardType: return keyboard_type(action.keyboard_type(), checkpoint);
    case v1::Action::kPaste: return paste(action.paste(), checkpoint);
    case v1::Action::kUiClick: return click_element(desktop_, action.ui_click(), target, checkpoint, clock_);
    case v1::Action::kFocusWindow:
      return from_result(desktop_.windows().focus(target.window->id, clock_.now() + kFocusTimeout),
                         v1::Outcome::KIND_CONFIRMED);
    case v1::Action::kCloseWindow:
      return from_result(desktop_.windows().close(target.window->id), v1::Outcome::KIND_DISPATCHED);
    case v1::Action::kLaunch: {
      const auto pid = desktop_.applications().launch(*target.launch);
      return pid ? outcome_of(v1::Outcome::KIND_DISPATCHED, "process " + std::to_string(*pid)) : failed(pid.error());
    }
    case v1::Action::kFileDelete: return delete_file(target);
    case v1::Action::kAppTerminate: return terminate(target);
    default: return failed({Code::kUnimplemented, "the actuator does not carry out this tool"});
  }
}

v1::Outcome Performer::mouse(const v1::Mouse& mouse, const Checkpoint& checkpoint) {
  const Point at{mouse.x(), mouse.y()};
  const Button button = button_of(mouse.button());
  switch (mouse.action()) {
    case v1::Mouse::GESTURE_MOVE: return from_result(desktop_.input().move(at), v1::Outcome::KIND_DISPATCHED);
    case v1::Mouse::GESTURE_DOWN:
      return from_result(desktop_.input().button_down(at, button), v1::Outcome::KIND_DISPATCHED);
    case v1::Mouse::GESTURE_UP:
      return from_result(desktop_.input().button_up(at, button), v1::Outcome::KIND_DISPATCHED);
    default: break;
  }
  const int clicks = mouse.has_clicks() ? static_cast<int>(mouse.clicks()) : 1;
  const Milliseconds interval = mouse.has_interval_ms() ? Milliseconds(mouse.interval_ms()) : kDefaultClickInterval;
  return from_clicks(desktop_.input().click(at, button, clicks, interval, checkpoint));
}

v1::Outcome Performer::drag(const v1::Drag& drag, const Checkpoint& checkpoint) {
  std::vector<Point> path;
  for (const auto& point : drag.path()) path.push_back({point.x(), point.y()});
  return from_progress(desktop_.input().drag(path, button_of(drag.button()), checkpoint));
}

v1::Outcome Performer::press(const v1::Press& press, const Checkpoint& checkpoint) {
  std::vector<std::string> keys;
  if (press.has_key()) keys.push_back(*contract::canonical_key(press.key()));
  for (const std::string& key : press.keys()) keys.push_back(*contract::canonical_key(key));
  return from_progress(desktop_.input().tap(keys, checkpoint));
}

v1::Outcome Performer::hotkey(const v1::Hotkey& hotkey) {
  std::vector<std::string> keys;
  for (const std::string& key : hotkey.keys()) keys.push_back(*contract::canonical_key(key));
  return from_result(desktop_.input().chord(keys), v1::Outcome::KIND_DISPATCHED);
}

v1::Outcome Performer::type(const std::string& text, Milliseconds interval, const Checkpoint& checkpoint) {
  const auto resolved = ResolvedText::resolve(text, secrets_);
  if (!resolved) return failed(resolved.error());
  return from_progress(resolved->conceal(desktop_.input().type(resolved->characters(), interval, checkpoint)));
}

v1::Outcome Performer::keyboard_type(const v1::KeyboardType& keyboard, const Checkpoint& checkpoint) {
  const v1::Outcome typed = type(keyboard.text(), Milliseconds(0), checkpoint);
  if (!keyboard.submit() || typed.kind() != v1::Outcome::KIND_DISPATCHED) return typed;
  const std::string enter = "enter";
  v1::Outcome submitted = from_progress(desktop_.input().tap({&enter, 1}, checkpoint));
  submitted.set_done(submitted.done() + typed.done());
  submitted.set_total(submitted.total() + typed.total());
  return submitted;
}

v1::Outcome Performer::paste(const v1::Paste& paste, const Checkpoint& checkpoint) {
  if (auto offered = desktop_.clipboard().set_text(paste.text()); !offered) return failed(offered.error());
  // The application that had the clipboard may have taken its time to tell what was on it.
  if (const auto still = checkpoint(); !still) return from_progress({.done = 0, .total = 1, .stopped = still.error()});
  const std::string keys[] = {"ctrl", "v"};
  if (auto pressed = desktop_.input().chord(keys); !pressed) return failed(pressed.error());
  const auto fetched = desktop_.clipboard().wait_until_fetched(clock_.now() + kPasteTimeout);
  if (!fetched) return failed(fetched.error());
  return *fetched ? outcome_of(v1::Outcome::KIND_CONFIRMED, "the application took the text from the clipboard")
                  : outcome_of(v1::Outcome::KIND_NO_EFFECT, "nobody took the text from the clipboard after ctrl+v");
}

v1::Outcome Performer::terminate(const Target& target) {
  return from_result(
      desktop_.windows().terminate(target.window->pid, target.window->process_start, clock_.now() + kTerminateTimeout),
      v1::Outcome::KIND_CONFIRMED);
}

v1::Outcome Performer::delete_file(const Target& target) {
  const auto deleted = delete_exactly(*target.file);
  if (deleted) return outcome_of(v1::Outcome::KIND_CONFIRMED, "deleted " + escape_foreign(target.file->canonical_path));
  if (deleted.error().code != Code::kAborted) return failed(deleted.error());
  v1::Outcome outcome = outcome_of(v1::Outcome::KIND_REFUSED, deleted.error().message);
  outcome.set_code(v1::Outcome::CODE_STALE_TARGET);
  return outcome;
}

}  // namespace da::actuator
