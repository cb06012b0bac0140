#include "services/observer/marks/marks.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "lib/base/text.h"
#include "services/observer/elements/ui_labels.h"
#include "services/observer/elements/ui_roles.h"
#include "services/observer/elements/usable.h"
#include "services/observer/frames/wire.h"
#include "services/observer/text/reading_order.h"

namespace da::observer {
namespace {

// The share of the larger element that a smaller one must cover for both to count as one.
constexpr double kSamePlace = 0.75;

// In a row of a list, the widest cell is at least this many times as wide as the narrowest.
constexpr int kUneven = 2;

constexpr int kMaxLabelDepth = 4;          // Levels between a button or row and the label in it.
constexpr std::size_t kLongestLabel = 60;  // Bytes. Longer texts are not names.

struct Choice {
  Mark mark;
  std::size_t index;                   // Index of the node in the tree.
  std::pair<std::size_t, bool> group;  // Rank of its window (0: focused); true if it is not in an open menu.
};

bool is_button(std::string_view role) {
  return one_of(role, {"push button", "toggle button", "button", "menu button", "push button menu"});
}

bool is_cell(const Choice& choice) {
  return choice.mark.node->role() == "table cell" && !has_state(*choice.mark.node, v1::UI_STATE_EDITABLE);
}

// In a list, a click on any cell selects the row, so only the widest gets a mark. In a grid of equal cells, all do.
void keep_one_of_a_row(std::vector<Choice>& choices) {
  std::vector<Choice> kept;
  for (auto row = choices.begin(); row != choices.end();) {
    const Rect& first = row->mark.bounds;
    const auto end = std::find_if(row + 1, choices.end(), [&](const Choice& choice) {
      return !is_cell(*row) || !is_cell(choice) || choice.mark.bounds.y != first.y ||
             choice.mark.bounds.height != first.height;
    });
    const auto [narrowest, widest] =
        std::ranges::minmax_element(row, end, {}, [](const Choice& choice) { return choice.mark.bounds.width; });
    if (widest->mark.bounds.width >= kUneven * narrowest->mark.bounds.width) {
      kept.push_back(*widest);
    } else {
      kept.insert(kept.end(), row, end);
    }
    row = end;
  }
  choices = std::move(kept);
}

class Chooser {
 public:
  Chooser(const v1::UiTree& tree, const Scene& scene, int smallest)
      : tree_(tree), scene_(scene), smallest_(smallest), elements_(tree, scene), chosen_as_(elements_.count()) {}

  // Returns the choices in reading order.
  std::vector<Choice> choices() {
    const auto names = names_by_labels();
    for (std::size_t i = 0; i < elements_.count(); ++i) {
      const v1::UiNode& node = this->node(i);
      if (elements_.visible(i).empty() || !elements_.is_usable(i)) continue;
      const Rect bounds = elements_.clickable(i);
      if (bounds.width < smallest_ || bounds.height < smallest_) continue;
      if (!has_state(node, v1::UI_STATE_ENABLED)) {
        disabled_.push_back(bounds);
        continue;
      }
      const std::string_view name = trim(node.name()).empty() ? names[i] : std::string_view(node.name());
      add({{&node, name, bounds}, i, {rank_of(i), !elements_.ancestry().popup_of(i).has_value()}});
    }
    std::vector<Rect> places;
    for (const auto& node : tree_.nodes()) places.push_back(rect_from_wire(node.bounds()));
    const auto order = reading_order(elements_.ancestry(), places);
    std::ranges::sort(choices_, {}, [&](const Choice& choice) { return order[choice.index]; });
    return std::move(choices_);
  }

  // Call choices() first.
  std::vector<Rect> disabled() { return std::move(disabled_); }

 private:
  const v1::UiNode& node(std::size_t i) const { return elements_.node(i); }

  // Returns for each node the label in it or, for a field, beside it.
  std::vector<std::string_view> names_by_labels() const {
    std::vector<VisibleNode> visible;
    std::vector<std::size_t> at;
    std::vector<std::string_view> names(elements_.count());
    for (std::size_t i = 0; i < elements_.count(); ++i) {
      if (elements_.visible(i).empty()) continue;
      visible.push_back({&node(i), elements_.visible(i)});
      at.push_back(i);
      if (node(i).role() != "label" || node(i).name().size() > kLongestLabel) continue;
      auto above = elements_.ancestry().parent(i);
      for (int steps = 0; above && steps < kMaxLabelDepth; ++steps, above = elements_.ancestry().parent(*above)) {
        if (names[*above].empty()) names[*above] = node(i).name();
      }
    }
    const auto beside = labels_of_fields(visible);
    for (std::size_t i = 0; i < at.size(); ++i) {
      if (!beside[i].empty() && beside[i].size() <= kLongestLabel) names[at[i]] = beside[i];
    }
    return names;
  }

  std::size_t rank_of(std::size_t i) const {
    const v1::Window* const window = elements_.visibility().window_of(node(i));
    if (window == nullptr) return elements_.ancestry().popup_of(i) ? 0 : scene_.windows.size() + 1;
    if (window->focused()) return 0;
    return 1 + static_cast<std::size_t>(std::ranges::find(scene_.windows, window) - scene_.windows.begin());
  }

  // If a field fills its combo box, or a button its row, they share one number.
  void add(const Choice& choice) {
    for (auto above = elements_.ancestry().parent(choice.index); above; above = elements_.ancestry().parent(*above)) {
      if (!chosen_as_[*above] || !same_place(choices_[*chosen_as_[*above]], choice)) continue;
      const std::size_t place = *chosen_as_[*above];
      if (is_better(choice, choices_[place])) {
        choices_[place] = choice;
        chosen_as_[choice.index] = place;
      }
      return;
    }
    chosen_as_[choice.index] = choices_.size();
    choices_.push_back(choice);
  }

  bool same_place(const Choice& outer, const Choice& inner) const {
    // GTK4's menu buttons contain the button that reacts.
    const bool nested = elements_.ancestry().parent(inner.index) == outer.index;
    if (nested && is_button(outer.mark.node->role()) && is_button(inner.mark.node->role())) return true;
    const auto shared = static_cast<double>(intersection(outer.mark.bounds, inner.mark.bounds).area());
    return shared >= kSamePlace * static_cast<double>(std::max(outer.mark.bounds.area(), inner.mark.bounds.area()));
  }

  static bool is_better(const Choice& inner, const Choice& outer) {
    for (const auto state : {v1::UI_STATE_EDITABLE, v1::UI_STATE_FOCUSABLE}) {
      const bool has = has_state(*inner.mark.node, state);
      if (has != has_state(*outer.mark.node, state)) return has;
    }
    return outer.mark.name.empty() && !inner.mark.name.empty();
  }

  const v1::UiTree& tree_;
  const Scene& scene_;
  const int smallest_;
  const UsableElements elements_;
  std::vector<Choice> choices_;
  std::vector<Rect> disabled_;
  std::vector<std::optional<std::size_t>> chosen_as_;  // Index of each node in choices_.
};

}  // namespace

Marks choose_marks(const v1::UiTree& tree, const Scene& scene, int smallest) {
  Chooser chooser(tree, scene, smallest);
  std::vector<Choice> choices = chooser.choices();
  keep_one_of_a_row(choices);
  std::ranges::stable_sort(choices, {}, &Choice::group);
  std::vector<std::size_t> best(choices.size());
  std::iota(best.begin(), best.end(), std::size_t{0});
  std::ranges::stable_sort(
      best, {}, [&](std::size_t i) { return std::pair(choices[i].group, is_repeated(choices[i].mark.node->role())); });
  if (best.size() > kMostMarks) best.resize(kMostMarks);
  std::ranges::sort(best);
  Marks chosen{{}, chooser.disabled()};
  for (const std::size_t i : best) chosen.marks.push_back(choices[i].mark);
  return chosen;
}

v1::UiNode describe(const Mark& mark) {
  v1::UiNode node = *mark.node;
  node.clear_text();
  node.set_name(std::string(mark.name));
  *node.mutable_bounds() = rect_to_wire(mark.bounds);
  return node;
}

}  // namespace da::observer
