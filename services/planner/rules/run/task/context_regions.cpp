#include "services/planner/rules/run/task/context_regions.h"

#include <algorithm>

#include "lib/base/text.h"
#include "lib/contract/catalogue.h"
#include "lib/contract/coordinates.h"
#include "lib/contract/place_text.h"
#include "services/planner/model/refinement.h"
#include "services/planner/rules/engine/analysis_request.h"

namespace da::planner::rules {
namespace {

Error outside(const std::string& what, const ContextRegions& regions) {
  return {Code::kPermissionDenied, what + " is outside of the context regions " + model::names_of(regions)};
}

bool is_inside(Point at, const ContextRegions& regions) {
  return std::ranges::any_of(regions,
                             [&](const auto& region) { return contract::from_proto(region.area()).contains(at); });
}

bool overlaps(const Rect& area, const ContextRegions& regions) {
  return std::ranges::any_of(
      regions, [&](const auto& region) { return !intersection(contract::from_proto(region.area()), area).empty(); });
}

class InsideCheck {
 public:
  InsideCheck(const ContextRegions& regions, const v1::Observation& seen, TaskView& view)
      : regions_(regions), seen_(seen), view_(view) {}

  Result<void> check(const v1::Action& action) {
    switch (action.tool_case()) {
      case v1::Action::kMouse: return check_place({action.mouse().x(), action.mouse().y()});
      case v1::Action::kScroll: return check_place({action.scroll().x(), action.scroll().y()});
      case v1::Action::kDrag:
        for (const v1::PathPoint& point : action.drag().path()) RETURN_IF_ERROR(check_place({point.x(), point.y()}));
        return ok();
      case v1::Action::kUiClick: return check_element(action.ui_click().element_id());
      case v1::Action::kCheckElementProperty: return check_described(action.check_element_property());
      case v1::Action::kPress:
      case v1::Action::kHotkey:
      case v1::Action::kWrite:
      case v1::Action::kPaste:
      case v1::Action::kKeyboardType: return check_focus();
      case v1::Action::kListWindows:
      case v1::Action::kUiSnapshot:
      case v1::Action::kUiFind:
      case v1::Action::kZoom:
      case v1::Action::kWaitFor:
      case v1::Action::kSleep:
      case v1::Action::kAskUser: return ok();
      default: break;
    }
    const contract::Tool* tool = contract::tool_of(action);
    return outside("what " + (tool == nullptr ? "an unknown tool" : tool->name()) + " acts on", regions_);
  }

 private:
  Result<void> check_place(Point at) const {
    if (is_inside(at, regions_)) return ok();
    return outside("the place " + contract::place_text(at), regions_);
  }

  Result<void> check_element(const std::string& element_id) {
    ASSIGN_OR_RETURN(const auto tree, view_.ui_tree());
    const auto node = std::ranges::find(tree.nodes(), element_id, &v1::UiNode::element_id);
    if (node == tree.nodes().end()) {
      return Error{Code::kPermissionDenied, "the element " + quote_foreign(element_id, 60) + " does not show any more"};
    }
    const Rect area = contract::from_proto(node->has_visible() ? node->visible() : node->bounds());
    if (is_inside(area.center(), regions_)) return ok();
    return outside("the element " + quote_foreign(node->name(), 100) + " " + contract::place_text(area.center()),
                   regions_);
  }

  // Windows are asked about by their title, and have no place in a region.
  Result<void> check_described(const v1::CheckElementProperty& call) {
    using Check = v1::CheckElementProperty;
    const bool of_window =
        call.property() == Check::PROPERTY_WINDOW_OPEN || call.property() == Check::PROPERTY_WINDOW_CLOSED;
    if (of_window) return ok();
    ASSIGN_OR_RETURN(const auto found,
                     view_.find(call.target_description(), v1::ACTIONABLE_UNSPECIFIED, Ocr::kWith, Milliseconds(0)));
    const auto is_candidate_inside = [&](const v1::Candidate& candidate) {
      return is_inside(contract::from_proto(candidate.bounds()).center(), regions_);
    };
    if (found.candidates().empty() || std::ranges::any_of(found.candidates(), is_candidate_inside)) return ok();
    return outside("the element " + quote_foreign(call.target_description(), 100), regions_);
  }

  Result<void> check_focus() const {
    if (!seen_.has_focused_window()) return ok();
    const v1::Window& window = seen_.focused_window();
    if (overlaps(contract::from_proto(window.bounds()), regions_)) return ok();
    return outside("the window " + quote_foreign(window.title(), 100) + ", which has the keyboard focus,", regions_);
  }

  const ContextRegions& regions_;
  const v1::Observation& seen_;
  TaskView& view_;
};

}  // namespace

Result<ContextRegions> find_regions(const Profile& profile, const std::vector<std::size_t>& indices, TaskView& view) {
  std::vector<Question> questions;
  for (const std::size_t index : indices) questions.push_back({.kind = QuestionKind::kArea, .region = index});
  const std::vector<RegionNeeds> no_needs(profile.regions.size());
  Analyses analyses;
  analyses.regions.resize(profile.regions.size());
  for (const v1::AnalyzeRequest& request : analyze_requests(profile, no_needs, questions, {})) {
    ASSIGN_OR_RETURN(const auto reply, view.analyze(request));
    RETURN_IF_ERROR(add_reply(request, reply, {}, analyses));
  }
  ContextRegions found;
  for (const std::size_t index : indices) {
    const std::string& name = profile.regions[index].name;
    const auto& area = analyses.regions[index].area;
    if (area && std::holds_alternative<Unavailable>(*area)) continue;
    if (!area || !std::holds_alternative<Rect>(*area)) {
      const std::string why = area ? std::get<Error>(*area).message : "the observer did not answer";
      return Error{Code::kFailedPrecondition,
                   "the context region " + quote_foreign(name) + " cannot be shown: " + escape_foreign(why, 500)};
    }
    v1::Decision::Region& region = found.emplace_back();
    region.set_name(name);
    *region.mutable_area() = contract::to_proto(std::get<Rect>(*area));
  }
  return found;
}

Result<void> check_inside(const v1::Step& step, const ContextRegions& regions, const v1::Observation& seen,
                          TaskView& view) {
  if (regions.empty()) return ok();
  return InsideCheck(regions, seen, view).check(step.action());
}

}  // namespace da::planner::rules
