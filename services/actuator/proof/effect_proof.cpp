#include "services/actuator/proof/effect_proof.h"

#include <algorithm>
#include <array>
#include <thread>

#include "lib/contract/evidence/evidence.h"
#include "services/actuator/proof/click_kind.h"
#include "services/actuator/proof/window_change.h"
#include "services/actuator/target/shown_text.h"

namespace da::actuator {
namespace {

constexpr Milliseconds kProofTime{1'000};
// Toolkits show a tooltip after half a second, which is no effect of a click. Later, changed pixels prove nothing.
constexpr Milliseconds kBeforeTooltips{450};
// An application usually shows an effect within this time after it has read its input; a clock rarely ticks then.
constexpr Milliseconds kPromptly{60};
// An element reacts to a click within this time, even if the effect comes later: a button is drawn pressed, a link
// lights up.
constexpr Milliseconds kReactsWithin{100};
// A reaction shows at the place of the click, or as near to it as this.
constexpr int kReactionReach = 24;
// Longest wait for an application that is busy.
constexpr Milliseconds kBusyTime{4'000};
// An application gets twice the time of a look for its work, but not more than this.
constexpr Nanoseconds kLongestRest = Milliseconds(40);
// How long a field may take to show a text that its application has read.
constexpr Milliseconds kTextTime{400};
// A dragged object flies back if nothing takes it.
constexpr Milliseconds kDragRest{300};
// Around the end of a drag, but for what is nearer to its begin.
constexpr int kDragReach = 48;
constexpr Milliseconds kFocusTime{500};  // Limit for asking which element has the focus.
constexpr int kMaxLooks = 100;           // Ends a loop even if the clock stands still.
// A menu may reach beyond the window of a click.
constexpr int kMenuReach = 300;

bool shows(const Element& field, const std::string& text) {
  const bool readable = field.has(ElementState::kEditable) && !field.has(ElementState::kPassword);
  const bool one_line = text.find_first_of("\n\t") == std::string::npos;
  return readable && !text.empty() && (one_line || field.has(ElementState::kMultiLine));
}

void confirm(v1::Outcome& outcome, const std::string& how) {
  outcome.set_kind(v1::Outcome::KIND_CONFIRMED);
  outcome.set_message(how);
}

void not_proven(v1::Outcome& outcome, const std::string& why) {
  if (outcome.message().empty()) outcome.set_message(why);
}

}  // namespace

Rect EffectProof::surroundings(const v1::Action& action, const ActionTarget& target) const {
  const bool by_keys = contract::is_keyboard_tool(action);
  Rect area = windows_.own().area;
  if (target.point && !by_keys) area = bounding(area, grown({target.point->x, target.point->y, 1, 1}, kMenuReach));
  return area;
}

Result<void> EffectProof::before(const v1::Action& action, const ActionTarget& target, const Checkpoint& checkpoint) {
  const bool is_drag = action.has_drag();
  const bool by_keys = contract::is_keyboard_tool(action);
  const bool looks = is_click(action) || is_drag || action.has_scroll() || by_keys || action.has_close_window();
  const bool on_control = is_click(action) && target.element && is_control(*target.element);
  const bool on_surface = is_click(action) && target.point && !on_control;
  const bool by_sight = is_click(action) && target.point && !target.element;
  must_react_ = by_sight ? grown({target.point->x, target.point->y, 1, 1}, kReactionReach) : Rect();
  windows_.begin(action, target);
  element_.begin(by_keys ? target.focused : target.element);
  highlights_.begin(on_control);
  pixels_.forget();
  // The pointer may light up what is no control.
  must_last_ = is_drag ? kDragRest : on_surface ? Highlights::kRest : Milliseconds(0);
  // The first press of a double click, and that of another button, selects a row, and ends another selection.
  only_selects_ = is_click(action) && !is_plain_click(action) && element_.before() &&
                  element_.before()->has(ElementState::kSelectable);
  if (!looks) return ok();
  // Most keys are proven without the screen.
  animations_.action_begins(by_keys ? Animations::FirstLook::kLater : Animations::FirstLook::kNow);
  RETURN_IF_ERROR(highlights_.light_up(action, target, checkpoint));
  if (is_click(action)) element_.read_before_press();
  windows_.remember_windows();
  const Rect area = surroundings(action, target);
  if (area.empty() || action.has_close_window()) return ok();
  pause_.arm();
  if (const auto view = desktop_.screen().capture_area(area)) pixels_.keep(*view);
  pixels_.ignore(highlights_.areas());
  pixels_.ignore(windows_.remember_popups());
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

std::optional<Rect> EffectProof::change_of_pixels(std::span<const Rect> ignored) {
  for (const Rect& area : looked_at_) {
    const auto view = desktop_.screen().capture_area(intersection(area, pixels_.area()));
    if (!view || !pixels_.change(*view, ignored)) continue;
    // Asks for the windows after the picture was taken, so that a window that has just come is among them.
    auto in_front = windows_.in_front_now();
    if (!in_front) continue;
    in_front->insert(in_front->end(), ignored.begin(), ignored.end());
    if (const auto change = pixels_.change(*view, *in_front)) return change;
  }
  return std::nullopt;
}

bool EffectProof::looks_as_before() {
  return std::ranges::all_of(looked_at_, [&](const Rect& area) {
    const auto view = desktop_.screen().capture_area(intersection(area, pixels_.area()));
    return view && !pixels_.change(*view);
  });
}

std::string EffectProof::changed_pixels(Milliseconds after, Look look, const Checkpoint& checkpoint) {
  if (pixels_.area().empty()) return {};
  if (only_selects_) return windows_.has_new_popup() ? "a menu opened" : "";
  const auto changed = change_of_pixels({});
  if (!changed) return {};
  if (must_last_ > Milliseconds(0)) {
    const Milliseconds longest = must_last_ == kDragRest ? kProofTime : Highlights::kLightsUpWithin;
    (void)desktop_.screen().wait_quiet(must_last_, clock_.now() + longest);
  }
  const bool late = after > kPromptly;
  if (!late && change_of_pixels(animations_.drawn_before())) return "the screen changed there";
  const bool doubtful = (late || animations_.changed_by_itself(*changed)) && !animations_.rests(*changed);
  if (doubtful && look == Look::kPatient) {
    const auto go_on = [&] { return !must_stop_waiting(checkpoint); };
    if (animations_.changes_again(*changed, highlights_.areas(), go_on)) {
      pixels_.ignore(std::array{grown(*changed, Animations::kDigits)});
      unexplained_ = bounding(unexplained_, *changed);
    }
  } else {
    pixels_.ignore(animations_.still_moving(*changed, highlights_.areas()));
  }
  return change_of_pixels({}) ? "the screen changed there" : "";
}

// Input has no effect before the application has read it.
void EffectProof::await_busy_application(const Checkpoint& checkpoint) {
  const MonoTime limit = clock_.now() + kBusyTime;
  for (int looks = 0; looks < kMaxLooks && clock_.now() < limit && !must_stop_waiting(checkpoint); ++looks) {
    if (desktop_.input().await_reading(clock_.now() + DrawingPause::kBetweenLooks) != Reading::kBusy) return;
  }
}

void EffectProof::complete_by_looking(const v1::Action& action, Receipt receipt, const Checkpoint& checkpoint,
                                      v1::Outcome& outcome) {
  if (receipt == Receipt::kUnknown) await_busy_application(checkpoint);
  const MonoTime begin = clock_.now();
  // These tell whether the click reached them. Whatever else changes then has another cause.
  const bool tells = is_plain_click(action) && element_.before() && tells_its_state(*element_.before());
  std::string elsewhere;
  bool reacted = must_react_.empty();
  MonoTime deadline = begin + kProofTime;
  for (int looks = 0; looks < kMaxLooks; ++looks) {
    const MonoTime asked = clock_.now();
    if (!reacted && (looks == 0 || asked - begin < kReactsWithin)) reacted = pause_.has_drawn_in(must_react_);
    if (elsewhere.empty()) elsewhere = windows_.changed(types_line_);
    std::string found = tells || elsewhere.empty() ? element_.changed(action, checkpoint) : std::string();
    const MonoTime looked = clock_.now();
    const Milliseconds after = std::chrono::duration_cast<Milliseconds>(looked - begin);
    const bool may_have_caused_it = reacted || after <= kPromptly;
    if (found.empty() && elsewhere.empty() && may_have_caused_it && after < kBeforeTooltips) {
      elsewhere = changed_pixels(after, tells ? Look::kShort : Look::kPatient, checkpoint);
    }
    if (found.empty() && elsewhere.empty()) elsewhere = windows_.changed_title(checkpoint);
    // The element may have changed during a patient look.
    deadline += clock_.now() - looked;
    if (found.empty() && !tells) found = elsewhere;
    if (!found.empty()) return confirm(outcome, found);
    if (element_.is_silent()) deadline = std::max(deadline, std::min(clock_.now() + kProofTime, begin + kBusyTime));
    // An application that draws all the time while it works would otherwise mostly answer questions.
    const Nanoseconds rest = std::min(2 * (clock_.now() - asked), kLongestRest);
    const MonoTime rested = clock_.now() + rest;
    if (clock_.now() - begin > kPromptly && rested < deadline) std::this_thread::sleep_for(rest);
    if (!pause_.await_drawing(deadline, checkpoint)) break;
  }
  if (tells && element_.is_silent()) return not_proven(outcome, "its application does not answer");
  if (tells && !is_radio(*element_.before())) {
    const bool checked = element_.before()->has(ElementState::kChecked);
    const std::string still = checked ? "it is still checked" : "it is still not checked";
    if (!elsewhere.empty()) return not_proven(outcome, still + ", but " + elsewhere);
    outcome.set_kind(v1::Outcome::KIND_NO_EFFECT);
    outcome.set_message(still);
    return;
  }
  if (!elsewhere.empty()) return not_proven(outcome, "it is not checked, but " + elsewhere);
  if (element_.is_disabled())
    return not_proven(outcome, "it is disabled now: by the click, or before the click arrived");
  if (!reacted && change_of_pixels({})) {
    return not_proven(outcome, "what was clicked did not react within 0.1 s, so what changed may have another cause");
  }
  not_proven(outcome, "nothing changed within 1 s");
}

void EffectProof::complete_typing(const std::string& text, Receipt receipt, const Checkpoint& checkpoint,
                                  v1::Outcome& outcome) {
  const Element& before = *element_.before();
  const std::size_t earlier = occurrences(before.text, text);
  bool differs = false;
  const MonoTime begin = clock_.now();
  MonoTime deadline = begin + kTextTime;
  for (int looks = 0; looks < kMaxLooks; ++looks) {
    const auto now = element_.read();
    if (element_.is_silent()) {
      deadline = std::max(deadline, std::min(clock_.now() + kTextTime, begin + kBusyTime));
      if (pause_.await_drawing(deadline, checkpoint)) continue;
      return not_proven(outcome, "its application does not answer");
    }
    if (now && occurrences(now->text, text) > earlier) return confirm(outcome, "its field shows the text");
    // A typed enter may have closed the dialog.
    if (!now || is_cut(*now)) break;
    differs = now->text != before.text;
    if (!pause_.await_drawing(deadline, checkpoint)) {
      const bool unchanged = !differs && !now->has(ElementState::kMultiLine) && looks_as_before();
      if (unchanged && text != before.text) {
        outcome.set_kind(v1::Outcome::KIND_NO_EFFECT);
        outcome.set_message("the text of the field did not change");
        return;
      }
      break;
    }
  }
  if (differs) return not_proven(outcome, "the field shows another text than the typed one");
  // Some editors do not tell what they contain, or tell only what shows of it.
  const bool has_lines = before.has(ElementState::kMultiLine);
  if (has_lines && receipt == Receipt::kRead) {
    if (!before.bounds.empty()) looked_at_ = {before.bounds};
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
    if (now && window_change(windows_.before(), *now, target.window->pid)) {
      return not_proven(outcome, "the window is still open, and its program shows something new");
    }
    if (!pause_.await_drawing(deadline, checkpoint)) break;
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
  animations_.action_ends(pixels_.area(), unexplained_, highlights_.areas());
}

// An application that still starts may read text and drop it; what it draws then is no effect of the text.
bool EffectProof::focus_came_late(const ActionTarget& target) const {
  if (target.focused || !target.foreground) return false;
  const auto now = desktop_.ui_tree().focused(*target.foreground, clock_.now() + kFocusTime);
  return now && (now->element || now->unread);
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
  const bool in_field = text && element_.before() && shows(*element_.before(), *text) && !is_cut(*element_.before());
  if (in_field) return complete_typing(*text, receipt, checkpoint, outcome);
  const bool by_keys = contract::is_keyboard_tool(action);
  const bool read = by_keys && receipt == Receipt::kRead;
  // A single key may have an effect that nobody can see. A text shows where it arrives.
  const bool is_text = action.has_write() || action.has_keyboard_type();
  if (read && !is_text && !windows_.missed_input()) return confirm(outcome, "the application has read the keys");
  types_line_ = is_text && text && text->find_first_of("\n\t") == std::string::npos;
  if (by_keys || is_click(action) || action.has_drag() || action.has_scroll())
    complete_by_looking(action, receipt, checkpoint, outcome);
  if (is_text && outcome.kind() == v1::Outcome::KIND_CONFIRMED && focus_came_late(target)) {
    outcome.set_kind(v1::Outcome::KIND_DISPATCHED);
    outcome.set_message("no element had the keyboard focus yet when the text was typed");
    return;
  }
  if (read && outcome.kind() == v1::Outcome::KIND_DISPATCHED) {
    outcome.set_message("the application has read the keys, but nothing changed within 1 s");
  }
}

}  // namespace da::actuator
