#include "services/planner/plain/value_setting.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "lib/base/text.h"
#include "services/planner/plain/language/actions.h"
#include "services/planner/tools/field_focus.h"

namespace da::planner::plain {
namespace {

constexpr Milliseconds kTellsValue{3'000};
constexpr int kFocusLooks = 8;  // About 0.4 s.
constexpr int kMostKeys = 50;   // The catalogue's limit for one press.

double wished_value(const SetValue& set, const v1::UiRange& range) {
  if (!set.percent) return set.value;
  return range.minimum() + (range.maximum() - range.minimum()) * set.value / 100;
}

// A spin button without bounds goes over all numbers.
bool is_bounded(const v1::UiRange& range) {
  const double span = range.maximum() - range.minimum();
  return span > 0 && std::isfinite(span) && span < 1e300;
}

// What a toolkit's rounding changes; never a whole step, however far the bounds are apart. A percentage need only be as
// near as the element's steps allow.
bool is_there(const SetValue& set, const v1::UiRange& range) {
  const double span = std::abs(range.maximum() - range.minimum());
  const double step = range.step() > 0 ? range.step() : 1;
  const double exact = std::min(1e-6 * std::max(1.0, std::abs(set.value)), step / 4);
  const double allowed = set.percent ? std::max({exact, range.step() / 2, span / 200}) : exact;
  return std::abs(range.value() - wished_value(set, range)) <= allowed;
}

double on_a_step(double value, const v1::UiRange& range) {
  if (range.step() <= 0) return value;
  return range.minimum() + std::round((value - range.minimum()) / range.step()) * range.step();
}

std::string number_text(double value) {
  std::string text = std::to_string(std::round(value * 1e4) / 1e4);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

}  // namespace

Proposed ValueSetting::begin(const SetValue& set, TaskView& view, Milliseconds wait,
                             const google::protobuf::RepeatedPtrField<v1::Window>& windows) {
  *this = {};
  ASSIGN_OR_RETURN(const auto found, view.find_one(set.target, v1::ACTIONABLE_ENABLED, Ocr::kWithout, wait));
  const v1::UiNode& node = found.node();
  if (!node.has_range()) {
    return Error{Code::kFailedPrecondition,
                 describe_candidate(found) + " tells no value, so it cannot be set; name a slider or a spin button"};
  }
  const v1::UiRange& range = node.range();
  const bool bounded = is_bounded(range);
  if (set.percent && !bounded) {
    return Error{Code::kFailedPrecondition, describe_candidate(found) + " tells no bounds, so it has no percentages"};
  }
  const double wished = wished_value(set, range);
  if (bounded && (wished < range.minimum() || wished > range.maximum())) {
    return Error{Code::kFailedPrecondition, describe_candidate(found) + " goes from " + number_text(range.minimum()) +
                                                " to " + number_text(range.maximum()) + ", so it cannot be " +
                                                number_text(wished)};
  }
  element_id_ = node.element_id();
  window_id_ = node.window_id();
  is_field_ = has_state(node, v1::UI_STATE_EDITABLE);
  text_ = number_text(set.percent ? on_a_step(wished, range) : wished);
  done_ = is_there(set, range);
  if (done_) return std::optional<Proposal>();
  return std::optional(Proposal{.action = ui_click(element_id_), .target = name_candidate(found, windows)});
}

Proposed ValueSetting::keys(v1::Action action) const {
  return std::optional(Proposal{.action = std::move(action), .keys_to_window = window_id_});
}

// Tab, because many fields take a typed number only when they lose the focus; enter would also press a default button.
Proposed ValueSetting::fill(std::uint32_t phase) const {
  if (phase == 1) return keys(press({"ctrl", "a"}));
  if (phase == 2) return keys(write(text_));
  if (phase == 3) return keys(press({"tab"}));
  return std::optional<Proposal>();
}

Proposed ValueSetting::press_arrows(double wished, const v1::UiRange& range) {
  const double moved = range.value() - value_;
  if (keys_ != 0) {
    done_ = moved == 0;
    if (done_) return std::optional<Proposal>();
    per_key_ = moved / keys_;
  } else {
    per_key_ = range.step();
  }
  const double distance = wished - range.value();
  const double count = per_key_ == 0 ? (distance > 0 ? 1 : -1) : std::round(distance / per_key_);
  value_ = range.value();
  keys_ = static_cast<std::int32_t>(std::clamp(count, -1.0 * kMostKeys, 1.0 * kMostKeys));
  done_ = keys_ == 0;
  if (done_) return std::optional<Proposal>();
  v1::Action action;
  for (int i = 0; i < std::abs(keys_); ++i) action.mutable_press()->add_keys(keys_ > 0 ? "right" : "left");
  return keys(std::move(action));
}

Proposed ValueSetting::propose(const SetValue& set, std::uint32_t phase, TaskView& view, Milliseconds wait,
                               const google::protobuf::RepeatedPtrField<v1::Window>& windows) {
  if (phase == 0) return begin(set, view, wait, windows);
  if (phase + 1 == kPhases) {
    RETURN_IF_ERROR(verify(set, view));
    return std::optional<Proposal>();
  }
  if (done_) return std::optional<Proposal>();
  if (phase == 1) RETURN_IF_ERROR(check_focus(set, view));
  if (is_field_) return fill(phase);
  ASSIGN_OR_RETURN(const auto node, read(view));
  if (!node.has_range()) return Error{Code::kFailedPrecondition, "the element tells no value any more"};
  done_ = is_there(set, node.range());
  if (done_) return std::optional<Proposal>();
  return press_arrows(wished_value(set, node.range()), node.range());
}

// Keys for another element would change that one.
Result<void> ValueSetting::check_focus(const SetValue& set, TaskView& view) const {
  std::string other;
  for (int look = 0; look < kFocusLooks; ++look) {
    ASSIGN_OR_RETURN(const auto tree, view.ui_tree());
    other = focused_elsewhere(tree, element_id_);
    if (other.empty()) return ok();
  }
  return Error{Code::kFailedPrecondition, describe_target(set.target) + " did not get the keyboard focus, which " +
                                              other + " has, so it was not set"};
}

Result<v1::UiNode> ValueSetting::read(TaskView& view) const {
  ASSIGN_OR_RETURN(auto node, view.element(element_id_));
  if (!node) return Error{Code::kFailedPrecondition, "the element is gone"};
  return *std::move(node);
}

Result<void> ValueSetting::verify(const SetValue& set, TaskView& view) const {
  v1::UiRange range;
  const auto holds = [&](const v1::Observation&) -> Result<bool> {
    ASSIGN_OR_RETURN(const auto node, read(view));
    range = node.range();
    return node.has_range() && is_there(set, range);
  };
  ASSIGN_OR_RETURN(const bool held, view.look_until(holds, kTellsValue));
  if (held) return ok();
  const std::string step = range.step() > 0 ? ", and moves by " + number_text(range.step()) : "";
  return Error{Code::kFailedPrecondition, describe_target(set.target) + " tells " + number_text(range.value()) + step +
                                              ", not " + number_text(wished_value(set, range))};
}

}  // namespace da::planner::plain
