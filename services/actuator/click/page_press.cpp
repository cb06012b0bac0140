#include "services/actuator/click/page_press.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "services/actuator/click/element_cover.h"

namespace da::actuator {
namespace {

constexpr Milliseconds kReadTime{400};
constexpr Milliseconds kDocumentTime{1'000};
// A browser has moved the focus within this time after a press, unless it is busy.
constexpr Milliseconds kFocusTime{300};
constexpr Milliseconds kBusyTime{1'700};
constexpr Milliseconds kBetweenLooks{20};
constexpr int kMaxLooks = 200;  // Ends the loop even if the clock stands still.

std::vector<Element> other_documents(const ElementTree& tree, const PageDocument& document) {
  std::map<ElementHandle, ElementHandle> parents;
  for (const Element& each : tree.elements) parents[each.handle] = each.parent;
  std::set<ElementHandle> around;
  for (auto at = document.handle; around.insert(at).second && parents.contains(at);) at = parents[at];
  std::vector<Element> others;
  std::ranges::copy_if(tree.elements, std::back_inserter(others), [&](const Element& each) {
    return each.role == document.role && !around.contains(each.handle);
  });
  return others;
}

}  // namespace

Error press_went_astray() {
  return {Code::kAborted,
          "the page brought another frame under the pointer, or does not show that the element was pressed"};
}

PagePress::PagePress(Desktop& desktop, const ActionTarget& target, const Clock& clock, PageDocument document)
    : desktop_(desktop), target_(target), clock_(clock), document_(std::move(document)), focus_before_(focused()) {}

Result<std::optional<PagePress>> PagePress::on(Desktop& desktop, const ActionTarget& target, const Clock& clock) {
  if (!target.element || !target.window || !target.point) return std::optional<PagePress>();
  // A drop-down's list is a window of its own, which nothing of the page can cover.
  ASSIGN_OR_RETURN(const auto popup, desktop.windows().popup_at(*target.point));
  if (popup) return std::optional<PagePress>();
  auto document = desktop.ui_tree().document_of(target.element->handle, clock.now() + kDocumentTime);
  if (!document) {
    return Error{Code::kAborted, "whether the element is in a web page cannot be read: " + document.error().message};
  }
  if (!*document) return std::optional<PagePress>();
  return std::optional(PagePress(desktop, target, clock, **std::move(document)));
}

FoundElement PagePress::focused() const {
  auto found = desktop_.ui_tree().focused(*target_.window, clock_.now() + kReadTime);
  return found ? *std::move(found) : FoundElement{{}, true};
}

PagePress::Focus PagePress::await_focus(Milliseconds time, const Checkpoint& checkpoint) const {
  const MonoTime deadline = clock_.now() + time;
  for (int looks = 0; looks < kMaxLooks; ++looks) {
    if (must_stop_waiting(checkpoint)) return Focus::kWentElsewhere;
    const auto focus = focused().element;
    const auto& before = focus_before_.element;
    if (focus && (!before || focus->handle != before->handle)) {
      const auto document = desktop_.ui_tree().document_of(focus->handle, clock_.now() + kReadTime);
      // The browser's own controls are in no document.
      if (document) return !*document || **document == document_ ? Focus::kCame : Focus::kWentElsewhere;
    }
    if (clock_.now() >= deadline) break;
    (void)desktop_.screen().wait_quiet(kBetweenLooks, std::min(deadline, clock_.now() + kBetweenLooks));
  }
  return Focus::kStayed;
}

PagePress::Frames PagePress::other_frames() const {
  const auto tree = desktop_.ui_tree().read(*target_.window, {.deadline = clock_.now() + kReadTime});
  if (!tree) return Frames::kElsewhere;
  const auto frames = other_documents(*tree, document_);
  const auto covers = [&](const Element& frame) { return frame.visible.contains(*target_.point); };
  if (std::ranges::any_of(frames, covers)) return Frames::kOverThePoint;
  return frames.empty() && !tree->truncated ? Frames::kNone : Frames::kElsewhere;
}

bool PagePress::reached_document(const Checkpoint& checkpoint) const {
  auto focus = await_focus(kFocusTime, checkpoint);
  if (focus == Focus::kWentElsewhere) return false;
  const bool had_focus = focus_before_.element && focus_before_.element->handle == target_.element->handle;
  const bool should_come = target_.element->has(ElementState::kFocusable) && !had_focus;
  auto frames = other_frames();
  if (focus == Focus::kStayed && frames == Frames::kElsewhere && should_come) {
    if (await_focus(kBusyTime, checkpoint) == Focus::kWentElsewhere) return false;
    frames = other_frames();
  }
  if (frames == Frames::kNone) return true;
  return frames == Frames::kElsewhere && check_page_cover(desktop_, target_, clock_);
}

Progress PagePress::click(const PressPlace& place, const Checkpoint& checkpoint) const {
  const auto stopped = [](const Error& error) { return Progress{.total = 1, .stopped = error}; };
  if (const auto still = checkpoint(); !still) return stopped(still.error());
  if (const auto there = desktop_.input().move(place.point); !there) return stopped(there.error());
  if (const auto clear = check_page_cover(desktop_, target_, clock_); !clear) return stopped(clear.error());
  if (const auto still = checkpoint(); !still) return stopped(still.error());
  if (const auto pressed = desktop_.input().button_down(place, Button::kLeft); !pressed)
    return stopped(pressed.error());
  const bool reached = reached_document(checkpoint);
  const Point at = reached ? place.point : Point{target_.window->bounds.x, target_.window->bounds.y};
  if (const auto released = desktop_.input().button_up(at, Button::kLeft); !released) return stopped(released.error());
  if (!reached) return stopped(press_went_astray());
  return {.done = 1, .total = 1};
}

}  // namespace da::actuator
