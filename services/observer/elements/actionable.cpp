#include "services/observer/elements/actionable.h"

#include "services/observer/elements/ui_roles.h"
#include "services/observer/frames/wire.h"

namespace da::observer {
namespace {

constexpr double kTie = 0.005;

}  // namespace

bool one_is_inside_other(const v1::Candidate& a, const v1::Candidate& b) {
  const Rect first = rect_from_wire(a.bounds());
  const Rect second = rect_from_wire(b.bounds());
  return first.contains(second.center()) || second.contains(first.center());
}

bool is_ambiguous(std::span<const v1::Candidate> candidates) {
  for (std::size_t i = 1; i < candidates.size(); ++i) {
    if (candidates[0].score() - candidates[i].score() > kTie) return false;
    if (!one_is_inside_other(candidates[0], candidates[i])) return true;
  }
  return false;
}

bool same_place(const v1::Candidate& a, const v1::Candidate& b) {
  if (a.source() != b.source()) return false;
  const bool transient = has_state(a.node(), v1::UI_STATE_TRANSIENT) && has_state(b.node(), v1::UI_STATE_TRANSIENT);
  const bool renewed = transient && a.node().parent_id() == b.node().parent_id() &&
                       a.node().role() == b.node().role() && a.node().name() == b.node().name();
  return (a.node().element_id() == b.node().element_id() || renewed) &&
         rect_from_wire(a.bounds()) == rect_from_wire(b.bounds());
}

std::string missing_condition(const v1::Candidate& candidate, const v1::Candidate* before, v1::Actionable actionable) {
  const bool editable = actionable == v1::ACTIONABLE_EDITABLE;
  if (candidate.source() == v1::Candidate::SOURCE_PICTURE) {
    // A box in the picture has no state.
  } else if (candidate.source() == v1::Candidate::SOURCE_OCR) {
    if (editable) return "shows as text on the screen, but its input field is unknown";
  } else if (!only_needs_to_show(actionable)) {
    const bool enabled = actionable == v1::ACTIONABLE_HOVERABLE || has_state(candidate.node(), v1::UI_STATE_ENABLED);
    if (!enabled) return "shows, but is not enabled";
    if (editable && !has_state(candidate.node(), v1::UI_STATE_EDITABLE)) return "shows, but takes no text";
  }
  if (before == nullptr || !same_place(candidate, *before)) return "shows, but is still moving";
  return {};
}

}  // namespace da::observer
