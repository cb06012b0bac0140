#include "services/actuator/target/page_press.h"

#include <algorithm>
#include <map>
#include <set>

#include "lib/contract/evidence/roles.h"
#include "services/actuator/target/element_cover.h"

namespace da::actuator {
namespace {

using contract::role;

constexpr Milliseconds kReadTime{400};
// A browser has moved the focus within this time after a press, unless it is busy.
constexpr Milliseconds kFocusTime{300};
constexpr Milliseconds kBusyTime{2'000};
constexpr Milliseconds kBetweenLooks{20};
constexpr int kMaxLooks = 200;  // Ends the loop even if the clock stands still.
constexpr int kMaxDepth = 60;

bool is_document(const Element& element) {
  return element.role == role("document web") || element.role == role("document frame");
}

// The innermost document that contains the element, or is it; empty if none does.
ElementHandle document_of(Desktop& desktop, const Element& element, MonoTime deadline) {
  if (is_document(element)) return element.handle;
  ElementHandle container = element.parent;
  for (int level = 0; level < kMaxDepth && !container.native.empty(); ++level) {
    const auto found = desktop.ui_tree().refresh(container, deadline);
    if (!found) return {};
    if (is_document(*found)) return found->handle;
    container = found->parent;
  }
  return {};
}

// The documents of the window that the given one is not in.
std::vector<Element> other_documents(const ElementTree& tree, const ElementHandle& document) {
  std::map<ElementHandle, ElementHandle> parents;
  for (const Element& each : tree.elements) parents[each.handle] = each.parent;
  std::set<ElementHandle> around;
  for (auto at = document; around.insert(at).second && parents.contains(at);) at = parents[at];
  std::vector<Element> others;
  std::ranges::copy_if(tree.elements, std::back_inserter(others),
                       [&](const Element& each) { return is_document(each) && !around.contains(each.handle); });
  return others;
}

}  // namespace

Error press_went_astray() {
  return {Code::kAborted,
          "the page brought another frame under the pointer, or does not show that the element was pressed"};
}

PagePress::PagePress(Desktop& desktop, const ActionTarget& target, const Clock& clock, ElementHandle document)
    : desktop_(desktop), target_(target), clock_(clock), document_(std::move(document)), focus_before_(focused()) {}

std::optional<PagePress> PagePress::on(Desktop& desktop, const ActionTarget& target, const Clock& clock) {
  if (!target.element || !target.window || !target.point) return std::nullopt;
  // A drop-down's list is a window of its own, which nothing of the page can cover.
  const auto popup = desktop.windows().popup_at(*target.point);
  if (popup && *popup) return std::nullopt;
  auto document = document_of(desktop, *target.element, clock.now() + kReadTime);
  if (document.native.empty()) return std::nullopt;
  return PagePress(desktop, target, clock, std::move(document));
}

std::optional<Element> PagePress::focused() const {
  auto found = desktop_.ui_tree().focused(*target_.window, clock_.now() + kReadTime);
  return found ? std::move(found->element) : std::nullopt;
}

bool PagePress::reached_document() const {
  const MonoTime pressed = clock_.now();
  // Only where the page does not prevent that.
  const bool takes_focus = target_.element->has(ElementState::kFocusable) &&
                           !(focus_before_ && focus_before_->handle == target_.element->handle);
  bool has_frames = true;  // Read after kFocusTime.
  for (int looks = 0; looks < kMaxLooks; ++looks) {
    const auto focus = focused();
    if (focus && (!focus_before_ || focus->handle != focus_before_->handle)) {
      const auto document = document_of(desktop_, *focus, clock_.now() + kReadTime);
      return document.native.empty() || document == document_;
    }
    const Milliseconds waited = std::chrono::duration_cast<Milliseconds>(clock_.now() - pressed);
    if (waited >= kFocusTime) {
      const auto tree = desktop_.ui_tree().read(*target_.window, {.deadline = clock_.now() + kReadTime});
      const auto frames = tree ? other_documents(*tree, document_) : std::vector<Element>();
      if (std::ranges::any_of(frames, [&](const Element& frame) { return frame.visible.contains(*target_.point); }))
        return false;
      has_frames = !tree || !frames.empty();
    }
    const bool decided = waited >= kFocusTime && !(has_frames && takes_focus);
    if (decided || waited >= kBusyTime) break;
    (void)desktop_.screen().wait_quiet(kBetweenLooks, clock_.now() + kBetweenLooks);
  }
  return check_page_cover(desktop_, target_, clock_).has_value();
}

Progress PagePress::click(const PressPlace& place, const Checkpoint& checkpoint) const {
  const auto stopped = [](const Error& error) { return Progress{.total = 1, .stopped = error}; };
  if (const auto still = checkpoint(); !still) return stopped(still.error());
  if (const auto there = desktop_.input().move(place.point); !there) return stopped(there.error());
  if (const auto clear = check_page_cover(desktop_, target_, clock_); !clear) return stopped(clear.error());
  if (const auto still = checkpoint(); !still) return stopped(still.error());
  if (const auto pressed = desktop_.input().button_down(place, Button::kLeft); !pressed)
    return stopped(pressed.error());
  const bool reached = reached_document();
  const Point at = reached ? place.point : Point{target_.window->bounds.x, target_.window->bounds.y};
  Progress progress{.done = 1, .total = 1};
  if (!reached) progress.stopped = press_went_astray();
  if (const auto released = desktop_.input().button_up(at, Button::kLeft); !released)
    progress.stopped = released.error();
  return progress;
}

}  // namespace da::actuator
