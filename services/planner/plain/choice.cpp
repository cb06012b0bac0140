#include "services/planner/plain/choice.h"

#include <algorithm>
#include <vector>

#include "lib/base/name_text.h"
#include "lib/base/text.h"
#include "services/planner/plain/language/actions.h"
#include "services/planner/tools/element_query.h"

namespace da::planner::plain {
namespace {

constexpr Milliseconds kShowsItem{3'000};
// A list of a page may open by the click into its text.
constexpr Milliseconds kOpensByClick{300};
constexpr double kExactName = 0.85;  // The whole name; lower scores are a part of it.

// "Mb/s" and "MB/s" are two items: only blanks may differ.
bool is_called(const std::string& name, const std::string& item) {
  return name == item || composed(trim(name)) == composed(trim(item));
}

// The labels of buttons among these elements: GTK4 shows the selected item on a button.
std::vector<std::string> labels_of_buttons(const v1::UiTree& tree, const std::vector<std::string>& ids) {
  std::vector<std::string> labels;
  std::vector<std::string> inside;  // Elements of buttons.
  for (const v1::UiNode& node : tree.nodes()) {
    if (std::ranges::find(ids, node.element_id()) == ids.end()) continue;
    const bool in_button = std::ranges::find(inside, node.parent_id()) != inside.end();
    if (in_button || node.role() == "push button") inside.push_back(node.element_id());
    const bool shows = has_state(node, v1::UI_STATE_SHOWING) && !node.name().empty();
    if (in_button && node.role() == "label" && shows) labels.push_back(node.name());
  }
  return labels;
}

bool is_text_of(const v1::UiNode& node, const std::string& list_id) {
  return node.parent_id() == list_id && has_state(node, v1::UI_STATE_EDITABLE);
}

bool is_within(const v1::UiTree& tree, const std::string& element_id, const std::string& outer) {
  std::vector<std::string> inside{outer};
  for (const v1::UiNode& node : tree.nodes()) {
    if (std::ranges::find(inside, node.parent_id()) == inside.end()) continue;
    if (node.element_id() == element_id) return true;
    inside.push_back(node.element_id());
  }
  return false;
}

// The items of such a list show only once it is open.
bool opens(const v1::UiNode& list) {
  return list.role() == "combo box" || list.role() == "push button" || list.role() == "toggle button";
}

// A click into the text of such a list puts the caret there.
bool takes_text(const v1::UiTree& tree, const v1::UiNode& list) {
  return has_state(list, v1::UI_STATE_EDITABLE) ||
         std::ranges::any_of(tree.nodes(), [&](const v1::UiNode& node) { return is_text_of(node, list.element_id()); });
}

std::string item_target(const Select& select) {
  return to_text({.name = select.item, .role = "item", .index = 0, .window = {}});
}

// The texts that the list shows: its text, its field, its selected items, its own name (GTK3), or the label of its
// button (GTK4). Empty if it exposes none.
std::vector<std::string> shown_by(const v1::UiTree& tree, const std::string& list_id) {
  std::vector<std::string> shown;
  std::vector<std::string> inside{list_id};
  for (const v1::UiNode& node : tree.nodes()) {
    const bool is_list = node.element_id() == list_id;
    if (!is_list && std::ranges::find(inside, node.parent_id()) == inside.end()) continue;
    if (!is_list) inside.push_back(node.element_id());
    if (!is_list && !has_state(node, v1::UI_STATE_SELECTED) && !is_text_of(node, list_id)) continue;
    for (const std::string& said : {node.text(), node.name()}) {
      if (!said.empty()) shown.push_back(said);
    }
  }
  if (shown.empty()) shown = labels_of_buttons(tree, inside);
  return shown;
}

bool shows(const std::vector<std::string>& shown, const std::string& item) {
  return std::ranges::any_of(shown, [&](const std::string& each) { return is_called(each, item); });
}

// Whether the only match is an item of this list or table, and is selected.
bool is_selected_item(const v1::UiTree& tree, const std::string& list_id, const v1::LocateReply& items,
                      const std::string& item) {
  if (items.candidates().empty() || items.ambiguous()) return false;
  const v1::UiNode& node = items.candidates(0).node();
  return is_called(items.candidates(0).text(), item) && has_state(node, v1::UI_STATE_SELECTED) &&
         is_within(tree, node.element_id(), list_id);
}

// Prefers a drop-down list to its label or another element of that name.
Result<v1::Candidate> find_list(const std::string& list, TaskView& view, Milliseconds wait) {
  auto query = parse_element_query(list);
  if (query.role.empty()) {
    query.role = "drop-down";
    ASSIGN_OR_RETURN(const auto reply, view.find(query, v1::ACTIONABLE_ENABLED, Ocr::kWithout, Milliseconds(0)));
    const bool exact = reply.candidates_size() > 0 && reply.candidates(0).score() >= kExactName;
    if (auto one = the_one_of(reply, list, Milliseconds(0)); one && exact) return one;
  }
  return view.find_one(list, v1::ACTIONABLE_ENABLED, Ocr::kWithout, wait);
}

}  // namespace

// An item that showed before the list was opened belongs to another list or table.
Result<v1::Candidate> Choice::find_item(const Select& select, TaskView& view, Milliseconds wait) const {
  const std::string target = item_target(select);
  if (elsewhere_.empty()) return view.find_one(target, v1::ACTIONABLE_ENABLED, Ocr::kWithout, wait);
  constexpr double kAlike = 0.005;
  v1::LocateReply reply;
  std::string before;  // The place of the item: a list may open with an animation.
  const auto shows = [&](const v1::Observation&) -> Result<bool> {
    ASSIGN_OR_RETURN(const auto all, view.find(target, v1::ACTIONABLE_ENABLED, Ocr::kWithout, Milliseconds(0)));
    reply.clear_candidates();
    for (const v1::Candidate& each : all.candidates()) {
      if (!elsewhere_.contains(each.node().element_id())) *reply.add_candidates() = each;
    }
    if (reply.candidates().empty()) return false;
    reply.set_ambiguous(reply.candidates_size() > 1 &&
                        reply.candidates(0).score() - reply.candidates(1).score() < kAlike);
    const std::string place = reply.candidates(0).bounds().SerializeAsString();
    return std::exchange(before, place) == place;
  };
  ASSIGN_OR_RETURN(const bool found, view.look_until(shows, wait));
  if (found) return the_one_of(reply, target, wait);
  return Error{Code::kNotFound, describe_target(target) + " is not in the list" + waited_text(wait) +
                                    "; another element of that name is not one of its items"};
}

Proposed Choice::open_list(const Select& select, TaskView& view, Milliseconds wait) {
  ASSIGN_OR_RETURN(const auto found, find_list(select.list, view, wait));
  window_id_ = found.node().window_id();
  list_id_ = found.node().element_id();
  list_name_ = found.node().name();
  ASSIGN_OR_RETURN(const auto tree, view.ui_tree());
  shown_before_ = shown_by(tree, list_id_);
  picked_.clear();
  by_keys_ = takes_text(tree, found.node());
  elsewhere_.clear();
  const bool is_closed = opens(found.node());
  done_ = is_closed && shows(shown_before_, select.item);
  if (done_) return std::optional<Proposal>();
  const auto equal = view.find(item_target(select), v1::ACTIONABLE_ENABLED, Ocr::kWithout, Milliseconds(0));
  if (!equal) return equal.error();
  // Another cell of a selected row may have the item's text.
  done_ = !is_closed && is_selected_item(tree, list_id_, *equal, select.item);
  if (done_) return std::optional<Proposal>();
  for (const v1::Candidate& each : equal->candidates()) {
    if (is_closed && !is_within(tree, each.node().element_id(), list_id_)) elsewhere_.insert(each.node().element_id());
  }
  return std::optional(Proposal{ui_click(list_id_), {}, false});
}

Proposed Choice::open_list_by_keys(const Select& select, TaskView& view) const {
  if (done_ || !by_keys_) return std::optional<Proposal>();
  const auto open = find_item(select, view, kOpensByClick);
  if (!open && is_lost_or_cancelled(open.error())) return open.error();
  if (open) return std::optional<Proposal>();
  return std::optional(Proposal{.action = press({"alt", "down"}), .keys_to_window = window_id_});
}

Proposed Choice::pick_item(const Select& select, TaskView& view, Milliseconds wait) {
  if (done_) return std::optional<Proposal>();
  ASSIGN_OR_RETURN(const auto found, find_item(select, view, wait));
  picked_ = found.text();
  return std::optional(Proposal{.action = ui_click(found.node().element_id()), .row = found.row()});
}

// A list that shows what it showed before the click has taken an item only if it is that item to the letter.
bool Choice::shows_wished(const std::vector<std::string>& shown, const std::string& item) const {
  return std::ranges::any_of(shown, [&](const std::string& each) {
    if (is_called(each, picked_.empty() ? item : picked_)) return true;
    const bool as_before = std::ranges::find(shown_before_, each) != shown_before_.end();
    return !as_before && is_same_name(each, item);
  });
}

Result<Proof> Choice::verify(const Select& select, TaskView& view) const {
  std::vector<std::string> shown;
  const auto holds = [&](const v1::Observation&) -> Result<bool> {
    ASSIGN_OR_RETURN(const auto tree, view.ui_tree());
    shown = shown_by(tree, list_id_);
    // An unchanged name is the list's label, not its selection.
    if (!shows_wished(shown, select.item)) std::erase(shown, list_name_);
    return shown.empty() || shows_wished(shown, select.item);
  };
  ASSIGN_OR_RETURN(const bool held, view.look_until(holds, kShowsItem));
  if (held) return shown.empty() ? Proof::kByOutcome : Proof::kSeen;
  return Error{Code::kFailedPrecondition, describe_target(select.list) + " shows " + quote_foreign(shown.front(), 80) +
                                              ", not " + quote_foreign(select.item, 80)};
}

}  // namespace da::planner::plain
