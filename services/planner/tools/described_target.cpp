#include "services/planner/tools/described_target.h"

#include <algorithm>
#include <utility>

#include "lib/contract/named_action.h"

namespace da::planner {
namespace {

v1::Action click_at(const v1::Point& point) {
  v1::Action click;
  click.mutable_mouse()->set_x(point.x());
  click.mutable_mouse()->set_y(point.y());
  return click;
}

v1::Action click_on(const v1::Candidate& target) {
  if (target.source() != v1::Candidate::SOURCE_UI_TREE) return click_at(center_of(target.bounds()));
  v1::Action click;
  click.mutable_ui_click()->set_element_id(target.node().element_id());
  return click;
}

v1::Step step_of(const v1::Step& described, v1::Action action) {
  v1::Step step = described;
  if (!action.has_mouse()) step.clear_frame_id();
  *step.mutable_action() = std::move(action);
  return step;
}

void add_typing(const v1::Step& described, const std::string& window_id, std::vector<v1::Step>& steps) {
  if (!described.action().has_type_in_described_field()) return;
  v1::Action write;
  write.mutable_write()->set_text(described.action().type_in_described_field().text_to_type());
  steps.push_back(step_of(described, std::move(write)));
  steps.back().set_keys_to_window(window_id);
}

}  // namespace

bool is_described(const v1::Action& action) {
  return action.has_click_described_element() || action.has_type_in_described_field();
}

std::string description_in(const v1::Action& action) {
  return action.has_type_in_described_field() ? action.type_in_described_field().target_description()
                                              : action.click_described_element().target_description();
}

Result<v1::LocateReply> find_described(const v1::Action& action, TaskView& view, Milliseconds max_wait) {
  const bool types = action.has_type_in_described_field();
  return view.find(description_in(action), types ? v1::ACTIONABLE_EDITABLE : v1::ACTIONABLE_ENABLED,
                   types ? Ocr::kWithout : Ocr::kWith, max_wait);
}

std::vector<v1::Step> steps_on(const v1::Step& described, const v1::Candidate& target) {
  std::vector<v1::Step> steps;
  const bool has_focus = has_state(target.node(), v1::UI_STATE_FOCUSED);
  if (!described.action().has_type_in_described_field() || !has_focus) {
    steps.push_back(step_of(described, click_on(target)));
  }
  add_typing(described, target.node().window_id(), steps);
  return steps;
}

std::vector<v1::Step> steps_at(const v1::Step& described, const v1::Point& target) {
  std::vector<v1::Step> steps = {step_of(described, click_at(target))};
  add_typing(described, {}, steps);
  return steps;
}

void name_clicked_elements(v1::Plan& plan, const v1::Observation& latest, TaskView& view) {
  const auto has_click = [](const v1::Step& step) { return step.action().has_ui_click(); };
  if (std::ranges::none_of(plan.steps(), has_click)) return;
  const auto tree = view.ui_tree();
  if (!tree) return;
  for (v1::Step& step : *plan.mutable_steps()) {
    if (!has_click(step)) continue;
    const auto node = std::ranges::find(tree->nodes(), step.action().ui_click().element_id(), &v1::UiNode::element_id);
    if (node == tree->nodes().end()) continue;
    const auto window = std::ranges::find(latest.windows(), node->window_id(), &v1::Window::window_id);
    step.set_target(contract::name_target(*node, window == latest.windows().end() ? v1::Window() : *window));
  }
}

}  // namespace da::planner
