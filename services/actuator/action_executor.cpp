#include "services/actuator/action_executor.h"

#include <algorithm>

#include "lib/base/text.h"
#include "lib/contract/keys.h"
#include "lib/contract/repetition.h"
#include "services/actuator/click/element_click.h"
#include "services/actuator/click/own_action.h"
#include "services/actuator/click/page_press.h"
#include "services/actuator/desktop/run_dialog.h"
#include "services/actuator/desktop_proto.h"
#include "services/actuator/outcomes.h"
#include "services/actuator/privacy/placeholder.h"
#include "services/actuator/target/field_content.h"
#include "services/actuator/target/held_keys.h"
#include "services/actuator/target/pasted_text.h"

namespace da::actuator {
namespace {

constexpr Milliseconds kDefaultClickInterval{60};
constexpr Milliseconds kWindowFocusTimeout{3000};
constexpr Milliseconds kTerminateTimeout{5000};
// An application that pastes asks for the text within this time after it has read the keys.
constexpr Milliseconds kPasteTimeout{2000};
// Longest wait for an application that is busy after the keys. The policy gives up after 30 s.
constexpr Milliseconds kLongestPaste{12'000};
constexpr Milliseconds kBetweenPasteLooks{50};
constexpr Milliseconds kReadingTime{500};
constexpr Milliseconds kMotionTime{50};
constexpr Milliseconds kButtonsTimeout{400};
// From here on, applications save more time while they need not report than the next read of the tree costs.
constexpr std::size_t kLongText = 200;
// A calculator drops a key that comes again while the button of its first press still looks pressed: for 250 ms in GTK.
constexpr Milliseconds kBetweenEqualKeys{300};
// A removed file's path is shown whole, because people look for the file there.
constexpr std::size_t kLongestPath = 4096;

// False for typing, which waits for the application at each key.
bool sends_input_at_once(const v1::Action& action) {
  return action.has_mouse() || action.has_scroll() || action.has_drag() || action.has_press() || action.has_hotkey() ||
         action.has_ui_click() || action.has_close_window();
}

// The button that the action presses; nullopt: none.
std::optional<Button> pressed_button(const v1::Action& action) {
  if (action.has_ui_click()) return to_button(action.ui_click().button());
  if (action.has_drag()) return to_button(action.drag().button());
  const auto gesture = action.mouse().action();
  const bool presses = gesture != v1::Mouse::GESTURE_MOVE && gesture != v1::Mouse::GESTURE_UP;
  return action.has_mouse() && presses ? std::optional(to_button(action.mouse().button())) : std::nullopt;
}

}  // namespace

// Waits for the application, so that the next step does not find an element that is about to be closed or covered: the
// dialog that a click opens may have a "Save" button, and so may the window below it.
v1::Outcome ActionExecutor::perform(const v1::Action& action, const ActionTarget& target,
                                    const Checkpoint& checkpoint) {
  if (const auto still = await_own_click(action, target, checkpoint); !still) {
    return from_clicks({.total = 1, .stopped = still.error()});
  }
  if (const auto still = proof_.before(action, target, checkpoint); !still) {
    return from_clicks({.total = 1, .stopped = still.error()});
  }
  const std::uint64_t presses_before = desktop_.input().presses();
  const bool clicks = pressed_button(action).has_value() && !action.has_drag();
  v1::Outcome outcome = act(action, target, [&]() -> Result<void> {
    RETURN_IF_ERROR(checkpoint());
    const bool pressed = desktop_.input().presses() != presses_before;
    return clicks && !pressed ? proof_.check_windows_before_press() : ok();
  });
  if (!contract::was_begun(outcome) && desktop_.input().presses() != presses_before) {
    // The application may have acted on the press. A planner repeats a step that it takes for not begun.
    outcome.set_kind(v1::Outcome::KIND_INTERRUPTED);
  }
  const bool acted = outcome.kind() == v1::Outcome::KIND_DISPATCHED || outcome.kind() == v1::Outcome::KIND_CONFIRMED;
  bool read = outcome.read();
  if (acted && sends_input_at_once(action)) {
    read = desktop_.input().await_reading(clock_.now() + kReadingTime) == Reading::kRead;
  }
  proof_.complete(action, target, read ? Receipt::kRead : Receipt::kUnknown, checkpoint, outcome);
  return outcome;
}

Result<void> ActionExecutor::await_own_click(const v1::Action& action, const ActionTarget& target,
                                             const Checkpoint& checkpoint) {
  const auto button = pressed_button(action);
  const bool takes_each_press = target.element && own_action_means_click(target.element->role);
  if (!button || !target.point || takes_each_press) return ok();
  return desktop_.input().await_own_click(*target.point, *button, checkpoint);
}

v1::Outcome ActionExecutor::act(const v1::Action& action, const ActionTarget& target, const Checkpoint& checkpoint) {
  switch (action.tool_case()) {
    case v1::Action::kMouse: return mouse(action.mouse(), target, checkpoint);
    case v1::Action::kScroll:
      return from_progress(desktop_.input().scroll({Point{action.scroll().x(), action.scroll().y()}, target.window},
                                                   action.scroll().dx(), action.scroll().dy(), checkpoint));
    case v1::Action::kDrag: return drag(action.drag(), target, checkpoint);
    case v1::Action::kPress: return press(action.press(), checkpoint);
    case v1::Action::kHotkey: return hotkey(action.hotkey(), target, checkpoint);
    case v1::Action::kWrite: return write(action.write(), target, checkpoint);
    case v1::Action::kKeyboardType: return keyboard_type(action.keyboard_type(), target, checkpoint);
    case v1::Action::kPaste: return paste(action.paste(), target, checkpoint);
    case v1::Action::kUiClick: return click_element(desktop_, action.ui_click(), target, checkpoint, clock_);
    case v1::Action::kFocusWindow:
      return from_result(desktop_.windows().focus(target.window->id, clock_.now() + kWindowFocusTimeout),
                         v1::Outcome::KIND_CONFIRMED);
    case v1::Action::kCloseWindow:
      return from_result(desktop_.windows().close(target.window->id), v1::Outcome::KIND_DISPATCHED);
    case v1::Action::kLaunch: return launch(*target.launch, checkpoint);
    case v1::Action::kFileDelete: return delete_file(target);
    case v1::Action::kAppTerminate: return terminate(target, checkpoint);
    default: return failed({Code::kUnimplemented, "the actuator does not carry out this tool"});
  }
}

v1::Outcome ActionExecutor::mouse(const v1::Mouse& mouse, const ActionTarget& target, const Checkpoint& checkpoint) {
  const Point at{mouse.x(), mouse.y()};
  const Button button = to_button(mouse.button());
  switch (mouse.action()) {
    case v1::Mouse::GESTURE_MOVE: return hover(at);
    case v1::Mouse::GESTURE_DOWN:
      return from_result(desktop_.input().button_down({at, target.window}, button), v1::Outcome::KIND_DISPATCHED);
    case v1::Mouse::GESTURE_UP:
      return from_result(desktop_.input().button_up(at, button), v1::Outcome::KIND_DISPATCHED);
    default: break;
  }
  const int clicks = mouse.has_clicks() ? static_cast<int>(mouse.clicks()) : 1;
  const Milliseconds interval = mouse.has_interval_ms() ? Milliseconds(mouse.interval_ms()) : kDefaultClickInterval;
  return while_holding(desktop_, mouse.hold(), checkpoint, [&] {
    PressPlace place(at, target.window);
    // Buttons of a program without elements may have changed places since the last look.
    if (!target.element && target.window) place.part = target.window->part;
    if (clicks == 1 && button == Button::kLeft) {
      const auto page = PagePress::on(desktop_, target, clock_);
      if (!page) return from_clicks({.total = 1, .stopped = page.error()});
      if (*page) return from_clicks((*page)->click(place, checkpoint));
    }
    return from_clicks(desktop_.input().click(place, button, clicks, interval, checkpoint));
  });
}

// An application takes no notice of a pointer that is there already, and Qt none of the first motion into a menu that
// has just opened. So the pointer comes from beside the point.
v1::Outcome ActionExecutor::hover(Point at) {
  const auto cursor = desktop_.screen().cursor();
  const auto menu = desktop_.windows().popup_at(at);
  const bool is_noticed = (!cursor || *cursor != at) && (!menu || !*menu);
  const Point beside{at.x > 0 ? at.x - 1 : at.x + 1, at.y};
  if (!is_noticed && !desktop_.input().button_held() && desktop_.input().move(beside)) {
    // Two motions that wait together count as one.
    (void)desktop_.input().await_reading(clock_.now() + kMotionTime);
  }
  return from_result(desktop_.input().move(at), v1::Outcome::KIND_DISPATCHED);
}

v1::Outcome ActionExecutor::drag(const v1::Drag& drag, const ActionTarget& target, const Checkpoint& checkpoint) {
  std::vector<Point> path;
  for (const auto& point : drag.path()) path.push_back({point.x(), point.y()});
  return from_progress(
      desktop_.input().drag(path, target.window ? target.window->surface : "", to_button(drag.button()), checkpoint));
}

v1::Outcome ActionExecutor::press(const v1::Press& press, const Checkpoint& checkpoint) {
  std::vector<std::string> keys;
  if (press.has_key()) keys.push_back(*contract::canonical_key(press.key()));
  for (const std::string& key : press.keys()) keys.push_back(*contract::canonical_key(key));
  return from_progress(desktop_.input().tap(keys, checkpoint));
}

v1::Outcome ActionExecutor::hotkey(const v1::Hotkey& hotkey, const ActionTarget& target, const Checkpoint& checkpoint) {
  std::vector<std::string> keys;
  for (const std::string& key : hotkey.keys()) keys.push_back(*contract::canonical_key(key));
  const bool selects = keys == std::vector<std::string>{"ctrl", "a"};
  if (selects && target.focused && is_single_line_field(*target.focused)) {
    const auto selected = select_field_content(desktop_, *target.focused, checkpoint, clock_);
    if (!selected) return from_progress({.done = 0, .total = 1, .stopped = selected.error()});
    switch (*selected) {
      case Proof::kHolds: return outcome_of(v1::Outcome::KIND_CONFIRMED, "the field's content is selected");
      case Proof::kContradicted:
        return outcome_of(v1::Outcome::KIND_NO_EFFECT, "the field's content could not be selected");
      case Proof::kUnknown: return outcome_of(v1::Outcome::KIND_DISPATCHED);
    }
  }
  return from_chord(desktop_.input().chord(keys, checkpoint));
}

v1::Outcome ActionExecutor::type(const std::string& text, Milliseconds interval, const ActionTarget& target,
                                 const Checkpoint& checkpoint) {
  const auto resolved = ResolvedText::resolve(text, secrets_);
  if (!resolved) return failed(resolved.error());
  const std::u32string_view keys = resolved->characters();
  if (interval < kBetweenEqualKeys && repeats_a_button(keys, target)) interval = kBetweenEqualKeys;
  return from_typing(resolved->conceal(send(keys, interval, checkpoint)));
}

Progress ActionExecutor::send(std::u32string_view keys, Milliseconds interval, const Checkpoint& checkpoint) {
  if (keys.size() >= kLongText) desktop_.ui_tree().let_applications_rest();
  return desktop_.input().type(keys, interval, checkpoint);
}

// Whether a key that occurs twice stands for a button of the window, as in a calculator.
bool ActionExecutor::repeats_a_button(std::u32string_view keys, const ActionTarget& target) {
  if (!target.foreground || (target.focused && target.focused->has(ElementState::kEditable))) return false;
  const auto is_repeated = [&](char32_t key) { return std::ranges::count(keys, key) > 1; };
  if (std::ranges::none_of(keys, is_repeated)) return false;
  const auto tree = desktop_.ui_tree().read(*target.foreground, {.deadline = clock_.now() + kButtonsTimeout});
  return tree && std::ranges::any_of(tree->elements, [&](const Element& element) {
           if (!element.role.ends_with("button")) return false;
           const auto name = decode_utf8(element.name);
           return name && name->size() == 1 && is_repeated(name->front());
         });
}

// A newline or tab may close the field, so the text before it is compared first.
v1::Outcome ActionExecutor::write(const v1::Write& write, const ActionTarget& target, const Checkpoint& checkpoint) {
  const bool in_field = target.focused && is_single_line_field(*target.focused);
  const bool replaces = in_field && is_content_selected(desktop_, *target.focused, clock_) == Proof::kHolds;
  if (!replaces) return type(write.text(), Milliseconds(write.interval_ms()), target, checkpoint);
  const auto resolved = ResolvedText::resolve(write.text(), secrets_);
  if (!resolved) return failed(resolved.error());
  const std::u32string_view text = resolved->characters();
  const std::u32string_view head = text.substr(0, std::min(text.size(), text.find_first_of(U"\n\t")));
  const auto outcome_so_far = [&](Progress progress) {
    progress.total = static_cast<std::uint32_t>(text.size());
    return from_typing(resolved->conceal(std::move(progress)));
  };
  const Milliseconds interval(write.interval_ms());
  Progress typed = send(head, interval, checkpoint);
  if (typed.stopped) return outcome_so_far(std::move(typed));
  const auto content = head.empty() ? Result<Proof>(Proof::kUnknown)
                                    : await_typed_content(desktop_, *target.focused, head, checkpoint, clock_);
  if (!content) return outcome_so_far({.done = typed.done, .stopped = content.error(), .read = typed.read});
  if (*content == Proof::kContradicted) {
    v1::Outcome outcome = outcome_so_far({.done = typed.done, .read = true});
    outcome.set_kind(v1::Outcome::KIND_NO_EFFECT);
    outcome.set_message("the text was typed, but the field has another content");
    return outcome;
  }
  if (head.size() < text.size()) {
    Progress rest = send(text.substr(head.size()), interval, checkpoint);
    rest.done += typed.done;
    typed = std::move(rest);
  }
  v1::Outcome outcome = outcome_so_far(std::move(typed));
  if (outcome.kind() != v1::Outcome::KIND_DISPATCHED || *content != Proof::kHolds) return outcome;
  outcome.set_kind(v1::Outcome::KIND_CONFIRMED);
  outcome.set_message("the field has the text");
  return outcome;
}

v1::Outcome ActionExecutor::keyboard_type(const v1::KeyboardType& keyboard, const ActionTarget& target,
                                          const Checkpoint& checkpoint) {
  const v1::Outcome typed = type(keyboard.text(), Milliseconds(0), target, checkpoint);
  if (!keyboard.submit() || typed.kind() != v1::Outcome::KIND_DISPATCHED) return typed;
  const std::string enter = "enter";
  v1::Outcome submitted = from_progress(desktop_.input().tap({&enter, 1}, checkpoint));
  submitted.set_done(submitted.done() + typed.done());
  submitted.set_total(submitted.total() + typed.total());
  submitted.set_read(typed.read());
  if (submitted.message().empty()) submitted.set_message(typed.message());
  return submitted;
}

v1::Outcome ActionExecutor::paste(const v1::Paste& paste, const ActionTarget& target, const Checkpoint& checkpoint) {
  if (auto offered = desktop_.clipboard().set_text(paste.text()); !offered) return failed(offered.error());
  // The previous owner of the clipboard may have been slow to hand over its content.
  if (const auto still = checkpoint(); !still) return from_progress({.done = 0, .total = 1, .stopped = still.error()});
  if (auto expected = desktop_.clipboard().expect_paste(); !expected) return failed(expected.error());
  const std::string keys[] = {"ctrl", "v"};
  if (auto pressed = desktop_.input().chord(keys, checkpoint); !pressed) return from_chord(pressed);
  const auto fetched = await_fetch(checkpoint);
  if (!fetched) return from_progress({.done = 0, .total = 1, .stopped = fetched.error()});
  switch (*fetched) {
    case Fetch::kFetched: return outcome_of_paste(desktop_, target, paste.text(), clock_);
    case Fetch::kBusy:
      return outcome_of(
          v1::Outcome::KIND_UNKNOWN,
          "the application is busy since ctrl+v, and has not taken the clipboard text yet: the text stays "
          "on the clipboard for it");
    case Fetch::kIgnored: break;
  }
  return outcome_of(v1::Outcome::KIND_NO_EFFECT,
                    "the application did not take the clipboard text after ctrl+v; the text stays on the clipboard");
}

// The keys cannot be taken back: an application that is busy pastes later. After its work it gets the usual time again.
Result<ActionExecutor::Fetch> ActionExecutor::await_fetch(const Checkpoint& checkpoint) {
  const MonoTime limit = clock_.now() + kLongestPaste;
  MonoTime patience = clock_.now() + kPasteTimeout;
  for (bool busy = false;;) {
    const MonoTime look = clock_.now() + kBetweenPasteLooks;
    ASSIGN_OR_RETURN(const bool fetched, desktop_.clipboard().wait_until_fetched(look));
    if (fetched) return Fetch::kFetched;
    if (clock_.now() < look) return Fetch::kIgnored;  // Another program has replaced the text.
    // The paste may have closed the window or moved the focus.
    if (auto checked = checkpoint(); !checked && checked.error().code != Code::kAborted) return checked.error();
    if (clock_.now() < patience) continue;
    const Reading reading = desktop_.input().await_reading(clock_.now() + kBetweenPasteLooks);
    if (reading == Reading::kBusy) {
      if (clock_.now() >= limit) return Fetch::kBusy;
      busy = true;
      continue;
    }
    if (!busy) return Fetch::kIgnored;
    busy = false;
    patience = clock_.now() + kPasteTimeout;
  }
}

v1::Outcome ActionExecutor::launch(const LaunchPlan& plan, const Checkpoint& checkpoint) {
  if (launch_by_ == LaunchBy::kProcess) {
    const auto pid = desktop_.applications().launch(plan);
    return pid ? outcome_of(v1::Outcome::KIND_DISPATCHED, "process " + std::to_string(*pid)) : failed(pid.error());
  }
  const auto dialog = desktop_.applications().run_dialog(plan);
  if (!dialog) return refusal(v1::Outcome::CODE_INVALID, dialog.error().message);
  const auto launched = launch_by_run_dialog(desktop_, *dialog, plan, checkpoint, clock_);
  if (launched) return outcome_of(v1::Outcome::KIND_DISPATCHED, *launched);
  return from_progress({.done = 0, .total = 1, .stopped = launched.error()});
}

v1::Outcome ActionExecutor::terminate(const ActionTarget& target, const Checkpoint& checkpoint) {
  const auto ending = desktop_.windows().terminate(target.window->pid, target.window->process_start, checkpoint,
                                                   clock_.now() + kTerminateTimeout);
  if (!ending) return from_progress({.done = 0, .total = 1, .stopped = ending.error()});
  return outcome_of(v1::Outcome::KIND_CONFIRMED,
                    *ending == Ending::kClosed ? "it ended when it was asked to close" : "it was killed");
}

v1::Outcome ActionExecutor::delete_file(const ActionTarget& target) {
  const auto kept_as = desktop_.files().remove(*target.file);
  if (kept_as) {
    return outcome_of(v1::Outcome::KIND_CONFIRMED, "deleted " + quote_foreign(target.file->canonical_path) +
                                                       "; it is kept as " + quote_foreign(*kept_as, kLongestPath));
  }
  const Error& error = kept_as.error();
  if (error.code == Code::kAborted) return refusal(v1::Outcome::CODE_STALE_TARGET, error.message);
  if (error.code == Code::kFailedPrecondition) return refusal(v1::Outcome::CODE_UNSUPPORTED, error.message);
  return failed(error);
}

}  // namespace da::actuator
