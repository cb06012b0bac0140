#include "services/actuator/proof/effect_proof.h"

#include <algorithm>
#include <array>
#include <thread>

#include "lib/contract/evidence/evidence.h"
#include "lib/contract/evidence/roles.h"
#include "lib/contract/evidence/visual_similarity.h"
#include "lib/contract/secret_placeholder.h"
#include "services/actuator/proof/window_change.h"
#include "services/actuator/target/shown_text.h"

namespace da::actuator {
namespace {

using contract::role;

constexpr Milliseconds kProofTime{1'000};
// Toolkits show a tooltip after half a second, which is no effect of a click. Later, changed pixels prove nothing.
constexpr Milliseconds kBeforeTooltips{450};
// An application usually shows an effect within this time after it has read its input; a clock rarely ticks then.
constexpr Milliseconds kPromptly{60};
// Longest wait for an application that is busy.
constexpr Milliseconds kBusyTime{4'000};
constexpr Milliseconds kStateTimeout{200};
// Without drawing, an element may change its state silently, and a window may close.
constexpr Milliseconds kBetweenLooks{50};
// An application gets twice the time of a look for its work, but not more than this.
constexpr Nanoseconds kLongestRest = Milliseconds(40);
// How long a field may take to show a text that its application has read.
constexpr Milliseconds kTextTime{400};
// A title that tells the time changes each second.
constexpr Milliseconds kTickTime{1'100};
constexpr Milliseconds kLightsUpWithin{150};
constexpr Milliseconds kFocusTime{300};
constexpr Milliseconds kLitTimeout{60};
constexpr Milliseconds kRest{30};
// GTK's buttons take 200 ms to look as before.
constexpr Milliseconds kFades{600};
// A dragged object flies back if nothing takes it.
constexpr Milliseconds kDragRest{300};
// Around the end of a drag, but for what is nearer to its begin.
constexpr int kDragReach = 48;
constexpr int kMaxLooks = 100;  // Ends a loop even if the clock stands still.
// Around a place or a control: its shadow, its focus ring.
constexpr int kRing = 8;
// A menu may reach beyond the window of a click.
constexpr int kMenuReach = 300;

Rect grown(const Rect& rect, int by) { return {rect.x - by, rect.y - by, rect.width + 2 * by, rect.height + 2 * by}; }

bool is_click(const v1::Action& action) {
  if (action.has_ui_click()) return true;
  return action.has_mouse() && action.mouse().action() == v1::Mouse::GESTURE_UNSPECIFIED;
}

// A left click that toggles what can be toggled.
bool is_plain_click(const v1::Action& action) {
  if (action.has_ui_click()) {
    const v1::UiClick& click = action.ui_click();
    return !click.double_click() &&
           (click.button() == v1::MOUSE_BUTTON_UNSPECIFIED || click.button() == v1::MOUSE_BUTTON_LEFT);
  }
  return is_click(action) && (!action.mouse().has_clicks() || action.mouse().clicks() == 1) &&
         (action.mouse().button() == v1::MOUSE_BUTTON_UNSPECIFIED || action.mouse().button() == v1::MOUSE_BUTTON_LEFT);
}

bool is_radio(const Element& element) {
  return element.role == role("radio button") || element.role == role("radio menu item");
}

bool is_checkable(const Element& element) {
  constexpr auto kCheckable =
      std::to_array<std::string_view>({role("check box"), role("check menu item"), role("toggle button"),
                                       role("radio button"), role("radio menu item")});
  return std::ranges::find(kCheckable, element.role) != kCheckable.end();
}

// Not of a toggle button, which may come up again by itself.
bool tells_its_state(const Element& element) {
  return is_checkable(element) && element.role != role("toggle button") && element.role != role("radio button");
}

// The text that a field shows after the action has typed it; nullopt if none is known. A secret is compared with
// nothing.
std::optional<std::string> expected_text(const v1::Action& action) {
  const std::string* text = action.has_write()           ? &action.write().text()
                            : action.has_keyboard_type() ? &action.keyboard_type().text()
                                                         : nullptr;
  if (text == nullptr || contract::mentions_secret(*text)) return std::nullopt;
  return *text;
}

bool shows(const Element& field, const std::string& text) {
  const bool readable = field.has(ElementState::kEditable) && !field.has(ElementState::kPassword);
  const bool one_line = text.find_first_of("\n\t") == std::string::npos;
  return readable && !text.empty() && (one_line || field.has(ElementState::kMultiLine));
}

bool is_control(const Element& element) {
  return contract::surface_of(element.role, element.name) == contract::Surface::kControl;
}

void confirm(v1::Outcome& outcome, const std::string& how) {
  outcome.set_kind(v1::Outcome::KIND_CONFIRMED);
  outcome.set_message(how);
}

// False after the target went away or was covered, which may be the effect.
bool is_stopped(const Checkpoint& checkpoint) {
  const auto still = checkpoint();
  return !still && still.error().code != Code::kAborted;
}

void not_proven(v1::Outcome& outcome, const std::string& why) {
  if (outcome.message().empty()) outcome.set_message(why);
}

// The ids of the program's menus and other popups.
std::set<std::string> popups_of(std::span<const ClickArea> areas, const OwnWindows& own) {
  std::set<std::string> popups;
  for (const ClickArea& area : areas) {
    const bool of_program = own.pid != 0 && area.window.pid == own.pid;
    if (!area.listed && !area.only_shows && of_program) popups.insert(area.window.id);
  }
  return popups;
}

OwnWindows own_windows(const v1::Action& action, const ActionTarget& target) {
  OwnWindows own;
  const auto& window = contract::is_keyboard_tool(action) ? target.foreground : target.window;
  for (const auto* each : {&window, &target.drop_window}) {
    if (!*each) continue;
    own.ids.push_back((*each)->id);
    own.area = bounding(own.area, (*each)->bounds);
    if (own.pid == 0) own.pid = (*each)->pid;
  }
  return own;
}

}  // namespace

Rect EffectProof::surroundings(const v1::Action& action, const ActionTarget& target) const {
  const bool by_keys = contract::is_keyboard_tool(action);
  Rect area = own_.area;
  if (target.point && !by_keys) area = bounding(area, grown({target.point->x, target.point->y, 1, 1}, kMenuReach));
  return area;
}

// A click gives the window the focus, which redraws much of it: that is no effect of the click on its element.
Result<void> EffectProof::activate(const ActionTarget& target, const Checkpoint& checkpoint) {
  if (!target.window || target.window->focused) return ok();
  ASSIGN_OR_RETURN(const auto listed, desktop_.windows().list());
  const auto now = std::ranges::find(listed, target.window->id, &WindowInfo::id);
  if (now == listed.end() || now->focused || now->minimized || !now->blocked_by.empty()) return ok();
  ASSIGN_OR_RETURN(const auto on_top, desktop_.windows().window_at(*target.point));
  if (!on_top || on_top->id != now->id) return ok();
  RETURN_IF_ERROR(checkpoint());
  // A window that takes no focus changes nothing with a click, either.
  if (desktop_.windows().focus(now->id, clock_.now() + kFocusTime)) {
    RETURN_IF_ERROR(desktop_.screen().wait_quiet(kRest, clock_.now() + kLightsUpWithin));
  }
  return check_no_dialog_keeps_focus(now->id);
}

// A dialog of Qt takes the input of all windows of its program, and gets the focus back from each of them. The system
// does not tell which windows it blocks.
Result<void> EffectProof::check_no_dialog_keeps_focus(const std::string& target) {
  ASSIGN_OR_RETURN(const auto listed, desktop_.windows().list());
  const auto own = std::ranges::find(listed, target, &WindowInfo::id);
  const auto other = std::ranges::find(listed, true, &WindowInfo::focused);
  if (own == listed.end() || own->focused || other == listed.end()) return ok();
  if (own->pid == 0 || other->pid != own->pid || other->kind != WindowKind::kDialog) return ok();
  // Without its title, which a mask may hide.
  return Error{Code::kAborted,
               "a dialog of its program keeps the focus, so the window takes no input: answer the dialog first"};
}

Result<void> EffectProof::light_up(const v1::Action& action, const ActionTarget& target, const Checkpoint& checkpoint) {
  // At its end, the pointer lights up what is below it.
  const auto end = action.has_drag() ? target.drop_point : action.has_scroll() ? target.point : std::nullopt;
  if (end) {
    // The checkpoint of a drag compares the look once, just before its press.
    if (!action.has_drag()) RETURN_IF_ERROR(checkpoint());
    RETURN_IF_ERROR(desktop_.input().move(*end));
    RETURN_IF_ERROR(desktop_.screen().wait_quiet(kRest, clock_.now() + kLightsUpWithin));
  }
  if (!is_click(action) || !target.point) return ok();
  RETURN_IF_ERROR(activate(target, checkpoint));
  if (target.element && is_control(*target.element)) {
    ignored_ = {grown(target.element->bounds, kRing)};
    ignore_what_goes_out(target);
    return ok();
  }
  RETURN_IF_ERROR(checkpoint());
  RETURN_IF_ERROR(desktop_.input().move(*target.point));
  RETURN_IF_ERROR(desktop_.screen().wait_quiet(kRest, clock_.now() + kLightsUpWithin));
  must_last_ = kRest;
  return ok();
}

// The pointer leaves a control, and another one loses the focus: both look otherwise then.
void EffectProof::ignore_what_goes_out(const ActionTarget& target) {
  const auto cursor = desktop_.screen().cursor();
  const bool is_there = cursor && target.element->bounds.contains(*cursor);
  // After a click on a control, that is where the focus and the pointer are.
  const bool known = cursor && lit_.contains(*cursor);
  if (cursor && !is_there && !known) {
    lit_ = {};
    const auto window = desktop_.windows().window_at(*cursor);
    if (window && *window) {
      const auto under = desktop_.ui_tree().likely_at(**window, *cursor, clock_.now() + kLitTimeout);
      if (under && under->element && is_control(*under->element)) lit_ = grown(under->element->bounds, kRing);
    }
  }
  if (!lit_.empty()) ignored_.push_back(lit_);
  std::erase_if(fading_, [now = clock_.now()](const Fading& each) { return each.until < now; });
  for (const Fading& each : fading_) ignored_.push_back(each.area);
  lit_ = ignored_.front();
  fading_.push_back({lit_, clock_.now() + kFades});
  if (known || !target.window) return;
  const auto focused = desktop_.ui_tree().focused(*target.window, clock_.now() + kLitTimeout);
  if (!focused || !focused->element) return;
  const Rect& bounds = focused->element->bounds;
  if (is_control(*focused->element)) return ignored_.push_back(grown(bounds, kRing));
  // A field's content counts.
  const Rect outer = grown(bounds, kRing);
  for (const int y : {outer.y, bounds.bottom() - kRing}) ignored_.push_back({outer.x, y, outer.width, 2 * kRing});
  for (const int x : {outer.x, bounds.right() - kRing}) ignored_.push_back({x, outer.y, 2 * kRing, outer.height});
}

Result<void> EffectProof::before(const v1::Action& action, const ActionTarget& target, const Checkpoint& checkpoint) {
  ignored_.clear();
  must_last_ = Milliseconds(0);
  windows_.clear();
  popups_.clear();
  only_selects_ = false;
  lively_titles_.clear();
  tells_by_itself_ = false;
  own_ = own_windows(action, target);
  pixels_.forget();
  const bool is_drag = action.has_drag();
  const bool by_keys = contract::is_keyboard_tool(action);
  const bool looks = is_click(action) || is_drag || action.has_scroll() || by_keys || action.has_close_window();
  element_ = by_keys ? target.focused : target.element;
  const bool on_control = is_click(action) && target.element && is_control(*target.element);
  if (!on_control) lit_ = {};
  if (!looks) return ok();
  // Most keys are proven without the screen.
  animations_.action_begins(by_keys ? Animations::FirstLook::kLater : Animations::FirstLook::kNow);
  RETURN_IF_ERROR(light_up(action, target, checkpoint));
  if (is_drag) must_last_ = kDragRest;
  // The first press of a double click, and that of another button, selects a row, and ends another selection.
  only_selects_ = is_click(action) && !is_plain_click(action) && element_ && element_->has(ElementState::kSelectable);
  // A change that came before the press is no effect of it.
  if (is_click(action) && element_) {
    if (auto now = desktop_.ui_tree().refresh(element_->handle, clock_.now() + kStateTimeout)) {
      tells_by_itself_ = now->text != element_->text || now->name != element_->name;
      element_ = *std::move(now);
    }
  }
  if (auto windows = desktop_.windows().list()) windows_ = *std::move(windows);
  const Rect area = surroundings(action, target);
  if (area.empty() || action.has_close_window()) return ok();
  if (!drawing_) {
    if (auto watch = desktop_.screen().watch_drawing()) drawing_ = *std::move(watch);
  }
  if (drawing_ && !drawing_->arm()) drawing_.reset();
  if (const auto view = desktop_.screen().capture_area(area)) pixels_.keep(*view);
  pixels_.ignore(ignored_);
  if (const auto areas = desktop_.state().click_areas(windows_)) {
    pixels_.ignore(areas_in_front(*areas, own_));
    popups_ = popups_of(*areas, own_);
  }
  looked_at_ = {area};
  if (is_drag && target.point && target.drop_point) {
    // Where it was put down: the press alone may have selected what lies at the other end.
    const Point from = *target.point;
    const Point to = *target.drop_point;
    const int reach = std::min(kDragReach, std::max(std::abs(to.x - from.x), std::abs(to.y - from.y)) / 2);
    looked_at_ = {grown({to.x, to.y, 1, 1}, reach)};
  }
  return ok();
}

Result<void> EffectProof::check_windows_before_press() const {
  if (own_.pid == 0 || windows_.empty()) return ok();
  const auto now = desktop_.windows().list();
  if (!now || !has_new_window(windows_, *now, own_.pid)) return ok();
  return Error{Code::kAborted, "its program opened another window in the last moment"};
}

EffectProof::Finding EffectProof::changed_windows() {
  auto now = desktop_.windows().list();
  if (!now) return {};
  std::erase_if(*now, [&](const WindowInfo& window) {
    if (std::ranges::find(windows_, window.id, &WindowInfo::id) != windows_.end()) return false;
    // A window that opens while a line is typed has another cause: it gets the rest of the text.
    if (types_line_) return true;
    const bool of_another_program = own_.pid != 0 && window.pid != own_.pid;
    return of_another_program && !desktop_.windows().may_be_started_by(window.pid, own_.pid);
  });
  return window_change(windows_, *now, own_.pid, own_.ids).value_or("");
}

// A page may tell the time or its progress in its title, so that a title which changes again does not count.
EffectProof::Finding EffectProof::changed_title(const Checkpoint& checkpoint) {
  const auto title_now = [&](const std::string& id) -> std::optional<std::string> {
    const auto listed = desktop_.windows().list();
    if (!listed) return std::nullopt;
    const auto window = std::ranges::find(*listed, id, &WindowInfo::id);
    return window == listed->end() ? std::nullopt : std::optional(window->title);
  };
  for (const std::string& id : own_.ids) {
    const auto before = std::ranges::find(windows_, id, &WindowInfo::id);
    if (before == windows_.end() || lively_titles_.contains(id)) continue;
    const auto changed = title_now(id);
    if (!changed || *changed == before->title) continue;
    const MonoTime until = clock_.now() + kTickTime;
    while (!lively_titles_.contains(id) && await_drawing(until, checkpoint)) {
      if (const auto later = title_now(id); later && later != changed) lively_titles_.insert(id);
    }
    if (!lively_titles_.contains(id)) return "a window's title changed";
  }
  return {};
}

// Another program's shortcut may have taken the keys. A window that has told an input time for earlier ones tells one
// for each.
bool EffectProof::missed_input() {
  const auto listed = desktop_.windows().list();
  if (!listed || own_.ids.empty()) return false;
  const std::string& id = own_.ids.front();
  const auto before = std::ranges::find(windows_, id, &WindowInfo::id);
  const auto now = std::ranges::find(*listed, id, &WindowInfo::id);
  if (before == windows_.end() || now == listed->end() || !now->input_time) return false;
  if (before->input_time == now->input_time) return tells_input_.contains(id);
  tells_input_.insert(id);
  return false;
}

Result<Element> EffectProof::read_element() {
  auto now = desktop_.ui_tree().refresh(element_->handle, clock_.now() + kStateTimeout);
  is_silent_ = !now && now.error().code == Code::kDeadlineExceeded;
  return now;
}

// Whether the new name or text is the action's effect, as far as it tells.
bool EffectProof::tells_effect(const v1::Action& action, const Element& now, const Checkpoint& checkpoint) {
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
bool EffectProof::keeps_telling(const Element& told, const Checkpoint& checkpoint) {
  const MonoTime until = clock_.now() + kTickTime;
  while (await_drawing(until, checkpoint)) {
    const auto later = read_element();
    if (!later) break;
    tells_by_itself_ = later->name != told.name || later->text != told.text;
    if (tells_by_itself_) return false;
  }
  return true;
}

EffectProof::Finding EffectProof::changed_element(const v1::Action& action, const Checkpoint& checkpoint) {
  // The press of a drag may have selected the element.
  if (!element_ || action.has_drag()) return {};
  const auto now = read_element();
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

bool EffectProof::has_new_popup() {
  const auto listed = desktop_.windows().list();
  if (!listed) return false;
  const auto areas = desktop_.state().click_areas(*listed);
  return areas && !std::ranges::includes(popups_, popups_of(*areas, own_));
}

std::optional<Rect> EffectProof::change_of_pixels(std::span<const Rect> ignored) {
  for (const Rect& area : looked_at_) {
    const auto view = desktop_.screen().capture_area(intersection(area, pixels_.area()));
    if (!view || !pixels_.change(*view, ignored)) continue;
    if (const auto change = change_beneath(*view, {ignored.begin(), ignored.end()})) return change;
  }
  return std::nullopt;
}

bool EffectProof::looks_as_before() {
  return std::ranges::all_of(looked_at_, [&](const Rect& area) {
    const auto view = desktop_.screen().capture_area(intersection(area, pixels_.area()));
    return view && !pixels_.change(*view);
  });
}

bool EffectProof::lost_focus(std::span<const WindowInfo> listed) const {
  return std::ranges::any_of(own_.ids, [&](const std::string& id) {
    const auto before = std::ranges::find(windows_, id, &WindowInfo::id);
    const auto now = std::ranges::find(listed, id, &WindowInfo::id);
    return before != windows_.end() && now != listed.end() && before->focused && !now->focused;
  });
}

// Asks for the windows after the picture was taken, so that a window that has just come is among them.
std::optional<Rect> EffectProof::change_beneath(const FrameView& view, std::vector<Rect> ignored) {
  const auto listed = desktop_.windows().list();
  // A window that has lost the focus is drawn otherwise, such as one whose click went to a modal dialog.
  if (!listed || lost_focus(*listed)) return std::nullopt;
  const auto areas = desktop_.state().click_areas(*listed);
  if (!areas) return std::nullopt;
  const auto in_front = areas_in_front(*areas, own_);
  ignored.insert(ignored.end(), in_front.begin(), in_front.end());
  return pixels_.change(view, ignored);
}

EffectProof::Finding EffectProof::changed_pixels(Milliseconds after, Look look, const Checkpoint& checkpoint) {
  if (pixels_.area().empty()) return {};
  if (only_selects_) return has_new_popup() ? "a menu opened" : "";
  const auto changed = change_of_pixels({});
  if (!changed) return {};
  if (must_last_ > Milliseconds(0)) {
    const Milliseconds longest = must_last_ == kDragRest ? kProofTime : kLightsUpWithin;
    (void)desktop_.screen().wait_quiet(must_last_, clock_.now() + longest);
  }
  const bool late = after > kPromptly;
  if (!late && change_of_pixels(animations_.drawn_before())) return "the screen changed there";
  const bool doubtful = (late || animations_.changed_by_itself(*changed)) && !animations_.rests(*changed);
  if (doubtful && look == Look::kPatient) {
    const auto go_on = [&] { return !is_stopped(checkpoint); };
    if (animations_.changes_again(*changed, ignored_, go_on)) {
      pixels_.ignore(std::array{grown(*changed, Animations::kDigits)});
      unexplained_ = bounding(unexplained_, *changed);
    }
  } else {
    pixels_.ignore(animations_.still_moving(*changed, ignored_));
  }
  return change_of_pixels({}) ? "the screen changed there" : "";
}

bool EffectProof::await_drawing(MonoTime deadline, const Checkpoint& checkpoint) {
  if (clock_.now() >= deadline) return false;
  if (is_stopped(checkpoint)) return false;
  const MonoTime until = std::min(deadline, clock_.now() + kBetweenLooks);
  if (drawing_) {
    if (!drawing_->next(until, {})) drawing_.reset();
  } else {
    (void)desktop_.screen().wait_quiet(kBetweenLooks, until);
  }
  return true;
}

// Input has no effect before the application has read it.
void EffectProof::await_busy_application(const Checkpoint& checkpoint) {
  const MonoTime limit = clock_.now() + kBusyTime;
  for (int looks = 0; looks < kMaxLooks && clock_.now() < limit && !is_stopped(checkpoint); ++looks) {
    if (desktop_.input().await_reading(clock_.now() + kBetweenLooks) != Reading::kBusy) return;
  }
}

void EffectProof::complete_by_looking(const v1::Action& action, Receipt receipt, const Checkpoint& checkpoint,
                                      v1::Outcome& outcome) {
  if (receipt == Receipt::kUnknown) await_busy_application(checkpoint);
  const MonoTime begin = clock_.now();
  // These tell whether the click reached them. Whatever else changes then has another cause.
  const bool tells = is_plain_click(action) && element_ && tells_its_state(*element_);
  Finding elsewhere;
  MonoTime deadline = begin + kProofTime;
  is_silent_ = false;
  is_disabled_ = false;
  for (int looks = 0; looks < kMaxLooks; ++looks) {
    const MonoTime asked = clock_.now();
    if (elsewhere.empty()) elsewhere = changed_windows();
    Finding found = tells || elsewhere.empty() ? changed_element(action, checkpoint) : Finding();
    const MonoTime looked = clock_.now();
    if (found.empty() && elsewhere.empty() && looked - begin < kBeforeTooltips) {
      const Milliseconds after = std::chrono::duration_cast<Milliseconds>(looked - begin);
      elsewhere = changed_pixels(after, tells ? Look::kShort : Look::kPatient, checkpoint);
    }
    if (found.empty() && elsewhere.empty()) elsewhere = changed_title(checkpoint);
    // The element may have changed during a patient look.
    deadline += clock_.now() - looked;
    if (found.empty() && !tells) found = elsewhere;
    if (!found.empty()) return confirm(outcome, found);
    if (is_silent_) deadline = std::max(deadline, std::min(clock_.now() + kProofTime, begin + kBusyTime));
    // An application that draws all the time while it works would otherwise mostly answer questions.
    const Nanoseconds rest = std::min(2 * (clock_.now() - asked), kLongestRest);
    const MonoTime rested = clock_.now() + rest;
    if (clock_.now() - begin > kPromptly && rested < deadline) std::this_thread::sleep_for(rest);
    if (!await_drawing(deadline, checkpoint)) break;
  }
  if (tells && is_silent_) return not_proven(outcome, "its application does not answer");
  if (tells && !is_radio(*element_)) {
    const std::string still = element_->has(ElementState::kChecked) ? "it is still checked" : "it is still not checked";
    if (!elsewhere.empty()) return not_proven(outcome, still + ", but " + elsewhere);
    outcome.set_kind(v1::Outcome::KIND_NO_EFFECT);
    outcome.set_message(still);
    return;
  }
  if (!elsewhere.empty()) return not_proven(outcome, "it is not checked, but " + elsewhere);
  if (is_disabled_) return not_proven(outcome, "it is disabled now: by the click, or before the click arrived");
  not_proven(outcome, "nothing changed within 1 s");
}

void EffectProof::complete_typing(const std::string& text, Receipt receipt, const Checkpoint& checkpoint,
                                  v1::Outcome& outcome) {
  const std::size_t earlier = occurrences(element_->text, text);
  bool differs = false;
  const MonoTime begin = clock_.now();
  MonoTime deadline = begin + kTextTime;
  for (int looks = 0; looks < kMaxLooks; ++looks) {
    const auto now = read_element();
    if (is_silent_) {
      deadline = std::max(deadline, std::min(clock_.now() + kTextTime, begin + kBusyTime));
      if (await_drawing(deadline, checkpoint)) continue;
      return not_proven(outcome, "its application does not answer");
    }
    if (now && occurrences(now->text, text) > earlier) return confirm(outcome, "its field shows the text");
    // A typed enter may have closed the dialog.
    if (!now || is_cut(*now)) break;
    differs = now->text != element_->text;
    if (!await_drawing(deadline, checkpoint)) {
      const bool unchanged = !differs && !now->has(ElementState::kMultiLine) && looks_as_before();
      if (unchanged && text != element_->text) {
        outcome.set_kind(v1::Outcome::KIND_NO_EFFECT);
        outcome.set_message("the text of the field did not change");
        return;
      }
      break;
    }
  }
  if (differs) return not_proven(outcome, "the field shows another text than the typed one");
  // Some editors do not tell what they contain, or tell only what shows of it.
  const bool has_lines = element_->has(ElementState::kMultiLine);
  if (has_lines && receipt == Receipt::kRead) {
    if (!element_->bounds.empty()) looked_at_ = {element_->bounds};
    const auto changed = changed_pixels(kTextTime, Look::kPatient, checkpoint);
    if (!changed.empty()) return confirm(outcome, changed);
  }
  not_proven(outcome, "the field does not show the text");
}

void EffectProof::complete_close(const ActionTarget& target, const Checkpoint& checkpoint, v1::Outcome& outcome) {
  const MonoTime deadline = clock_.now() + kProofTime;
  for (int looks = 0; looks < kMaxLooks; ++looks) {
    const auto now = desktop_.windows().list();
    if (now && std::ranges::find(*now, target.window->id, &WindowInfo::id) == now->end()) {
      return confirm(outcome, "the window is closed");
    }
    if (now && window_change(windows_, *now, target.window->pid)) {
      return not_proven(outcome, "the window is still open, and its program shows something new");
    }
    if (!await_drawing(deadline, checkpoint)) break;
  }
  not_proven(outcome, "the window is still open");
}

void EffectProof::complete(const v1::Action& action, const ActionTarget& target, Receipt receipt,
                           const Checkpoint& checkpoint, v1::Outcome& outcome) {
  unexplained_ = {};
  prove(action, target, receipt, checkpoint, outcome);
  if (outcome.kind() == v1::Outcome::KIND_DISPATCHED && !pixels_.area().empty()) {
    if (const auto changed = change_of_pixels({})) unexplained_ = bounding(unexplained_, *changed);
  }
  animations_.action_ends(pixels_.area(), unexplained_, ignored_);
}

void EffectProof::prove(const v1::Action& action, const ActionTarget& target, Receipt receipt,
                        const Checkpoint& checkpoint, v1::Outcome& outcome) {
  if (outcome.kind() != v1::Outcome::KIND_DISPATCHED) return;
  if (action.has_paste()) return;  // Whatever else changes, the text did not arrive.
  if (action.has_close_window()) return complete_close(target, checkpoint, outcome);
  if (action.has_mouse() && action.mouse().action() == v1::Mouse::GESTURE_MOVE) {
    const auto cursor = desktop_.screen().cursor();
    if (cursor && target.point && *cursor == *target.point) confirm(outcome, "the pointer is there");
    return;
  }
  const auto text = expected_text(action);
  const bool in_field = text && element_ && shows(*element_, *text) && !is_cut(*element_);
  if (in_field) return complete_typing(*text, receipt, checkpoint, outcome);
  const bool by_keys = contract::is_keyboard_tool(action);
  const bool read = by_keys && receipt == Receipt::kRead;
  // A single key may have an effect that nobody can see. A text shows where it arrives.
  const bool is_text = action.has_write() || action.has_keyboard_type();
  if (read && !is_text && !missed_input()) return confirm(outcome, "the application has read the keys");
  types_line_ = is_text && text && text->find_first_of("\n\t") == std::string::npos;
  if (by_keys || is_click(action) || action.has_drag() || action.has_scroll())
    complete_by_looking(action, receipt, checkpoint, outcome);
  if (read && outcome.kind() == v1::Outcome::KIND_DISPATCHED) {
    outcome.set_message("the application has read the keys, but nothing changed within 1 s");
  }
}

}  // namespace da::actuator
