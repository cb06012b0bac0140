#include "services/planner/plain/choice.h"

#include <algorithm>
#include <vector>

#include "lib/base/name_text.h"
#include "lib/base/text.h"
#include "services/planner/plain/actions.h"
#include "services/planner/tools/element_query.h"

namespace da::planner::plain {
namespace {

constexpr Milliseconds kShowsItem{3'000};

bool is_called(const std::string& name, const std::string& item) {
  return name == item || is_same_name(name, item);
}

// The texts that the list shows: its text, its selected items, or its own name (GTK3). Empty if it exposes none.
std::vector<std::string> shown_by(const v1::UiTree& tree, const std::string& list_id) {
  std::vector<std::string> shown;
  std::vector<std::string> inside{list_id};
  for (const v1::UiNode& node : tree.nodes()) {
    const bool is_list = node.element_id() == list_id;
    if (!is_list && std::ranges::find(inside, node.parent_id()) == inside.end()) continue;
    if (!is_list) inside.push_back(node.element_id());
    if (!is_list && !has_state(node, v1::UI_STATE_SELECTED)) continue;
    for (const std::string& said : {node.text(), node.name()}) {
      if (!said.empty()) shown.push_back(said);
    }
  }
  return shown;
}

bool shows(const std::vector<std::string>& shown, const std::string& item) {
  return std::ranges::any_of(shown, [&](const std::string& each) { return is_called(each, item); });
}

}  // namespace

Proposed Choice::open_list(const Select& select, TaskView& view, Milliseconds wait) {
  ASSIGN_OR_RETURN(const auto found, view.find_one(select.list, v1::ACTIONABLE_ENABLED, Ocr::kWithout, wait));
  list_id_ = found.node().element_id();
  list_name_ = found.node().name();
  ASSIGN_OR_RETURN(const auto tree, view.ui_tree());
  done_ = shows(shown_by(tree, list_id_), select.item);
  if (done_) return std::optional<Proposal>();
  return std::optional(Proposal{ui_click(list_id_), {}, false});
}

Proposed Choice::pick_item(const Select& select, TaskView& view, Milliseconds wait) const {
  if (done_) return std::optional<Proposal>();
  const std::string item = to_text({.name = select.item, .role = "item", .index = 0, .window = {}});
  ASSIGN_OR_RETURN(const auto found, view.find_one(item, v1::ACTIONABLE_ENABLED, Ocr::kWithout, wait));
  return std::optional(Proposal{ui_click(found.node().element_id()), {}, false});
}

Result<void> Choice::verify(const Select& select, TaskView& view) const {
  std::vector<std::string> shown;
  const auto holds = [&](const v1::Observation&) -> Result<bool> {
    ASSIGN_OR_RETURN(const auto tree, view.ui_tree());
    shown = shown_by(tree, list_id_);
    // An unchanged name is the list's label, not its selection.
    if (!shows(shown, select.item)) std::erase(shown, list_name_);
    return shown.empty() || shows(shown, select.item);
  };
  ASSIGN_OR_RETURN(const bool held, view.look_until(holds, kShowsItem));
  if (held) return ok();
  return Error{Code::kFailedPrecondition, describe_target(select.list) + " shows " + quote_foreign(shown.front(), 80) +
                                              ", not " + quote_foreign(select.item, 80)};
}

}  // namespace da::planner::plain
