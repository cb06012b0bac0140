#include "services/observer/elements/beside.h"

#include <gtest/gtest.h>

#include "services/observer/elements/actionable.h"
#include "services/observer/elements/ui_match.h"
#include "services/observer/locate/target_choice.h"
#include "tests/services/observer/fake_source.h"

namespace da::observer {
namespace {

class Beside : public testing::Test {
 protected:
  void add(const std::string& id, const std::string& role, const std::string& name, const Rect& bounds,
           const std::string& parent = "") {
    std::vector<v1::UiState> states{v1::UI_STATE_ENABLED, v1::UI_STATE_SHOWING};
    if (role == "text") states.push_back(v1::UI_STATE_EDITABLE);
    v1::UiNode node = element(role, name, bounds, {v1::UI_STATE_ENABLED});
    for (const v1::UiState state : states) node.add_states(state);
    node.set_element_id(id);
    node.set_parent_id(parent);
    *tree_.add_nodes() = node;
  }

  // The ids of the candidates; the best one alone unless it is ambiguous.
  std::vector<std::string> found(v1::Relation relation, const std::string& anchor, const std::string& role = "",
                                 std::uint32_t index = 0, v1::Actionable actionable = v1::ACTIONABLE_ENABLED,
                                 const std::string& name = "", const std::string& anchor_role = "") {
    v1::LocateRequest request;
    request.set_target(name);
    request.set_role(role);
    request.set_relation(relation);
    request.set_anchor(anchor);
    request.set_anchor_role(anchor_role);
    request.set_index(index);
    std::vector<const v1::Window*> views;
    for (const auto& each : windows_) views.push_back(&each);
    const Scene scene{views, {0, 0, 1280, 800}};
    const LocatedTarget target = target_of(request).value();
    auto candidates = match_ui(tree_, scene, target, actionable);
    const std::string absent = keep_at_index(target, candidates);
    if (candidates.empty()) return {"-", absent.empty() ? explain_no_match(tree_, scene, target) : absent};
    if (!is_ambiguous(candidates)) return {candidates.front().node().element_id()};
    std::vector<std::string> ids;
    for (const auto& each : candidates) ids.push_back(each.node().element_id());
    return ids;
  }

  void add_form() {
    add("l1", "label", "Sender", {20, 20, 60, 20});
    add("f1", "text", "", {160, 16, 200, 28});
    add("b1", "push button", "Browse", {380, 16, 80, 28});
    add("l2", "label", "Receiver", {20, 80, 60, 20});
    add("f2", "text", "", {160, 76, 200, 28});
    add("b2", "push button", "Browse", {380, 76, 80, 28});
  }

  using Ids = std::vector<std::string>;
  std::vector<v1::Window> windows_{window("w1", {0, 0, 600, 400}, true)};
  v1::UiTree tree_;
};

TEST_F(Beside, TheNearestElementInADirectionIsFound) {
  add_form();
  EXPECT_EQ(found(v1::RELATION_RIGHT_OF, "Receiver", "field"), Ids{"f2"});
  EXPECT_EQ(found(v1::RELATION_RIGHT_OF, "Receiver"), Ids{"f2"});
  EXPECT_EQ(found(v1::RELATION_RIGHT_OF, "Receiver", "button"), Ids{"b2"});
  EXPECT_EQ(found(v1::RELATION_RIGHT_OF, "Receiver", "", 2), Ids{"b2"});
  EXPECT_EQ(found(v1::RELATION_BELOW, "Sender", "label"), Ids{"l2"});
  EXPECT_EQ(found(v1::RELATION_ABOVE, "Receiver", "label"), Ids{"l1"});
  EXPECT_EQ(found(v1::RELATION_RIGHT_OF, "Sender", "", 0, v1::ACTIONABLE_EDITABLE), Ids{"f1"});
}

TEST_F(Beside, ANameMayOccurInEachRow) {
  add_form();
  EXPECT_EQ(found(v1::RELATION_IN_ROW, "Receiver", "", 0, v1::ACTIONABLE_ENABLED, "Browse"), Ids{"b2"});
  EXPECT_EQ(found(v1::RELATION_IN_ROW, "Sender", "button"), Ids{"b1"});
}

TEST_F(Beside, AnElementInARowTellsWhatNamesTheRow) {
  add_form();
  const std::vector<const v1::Window*> views{&windows_[0]};
  LocatedTarget target = parse_target("Browse");
  target.relation = v1::RELATION_IN_ROW;
  target.anchor = "Receiver";
  const auto candidates = match_ui(tree_, {views, {0, 0, 1280, 800}}, target, v1::ACTIONABLE_ENABLED);
  ASSERT_EQ(candidates.size(), 1u);
  EXPECT_EQ(candidates[0].row().element_id(), "l2");
  EXPECT_EQ(candidates[0].row().name(), "Receiver");
}

TEST_F(Beside, ALabelIsMeantBeforeTheFieldThatHasItsName) {
  add("l", "label", "Name", {20, 20, 60, 20});
  add("f", "text", "Name", {160, 16, 200, 28});
  add("b", "push button", "Browse", {380, 16, 80, 28});
  EXPECT_EQ(found(v1::RELATION_RIGHT_OF, "Name"), Ids{"f"});
}

TEST_F(Beside, TwoAnchorsOfTheSameNameAreAmbiguous) {
  add_form();
  add("l3", "label", "Receiver", {20, 140, 60, 20});
  add("f3", "text", "", {160, 136, 200, 28});
  EXPECT_EQ(found(v1::RELATION_RIGHT_OF, "Receiver", "field").size(), 2u);
}

TEST_F(Beside, AFieldInsideOfAComboBoxTakesTheText) {
  add("l", "label", "Font", {20, 20, 60, 20});
  add("c", "combo box", "", {160, 16, 200, 28});
  add("t", "text", "", {162, 18, 170, 24}, "c");
  EXPECT_EQ(found(v1::RELATION_RIGHT_OF, "Font", "", 0, v1::ACTIONABLE_EDITABLE), Ids{"t"});
}

TEST_F(Beside, ItemsInsideOfAListAreThoseOfItsTree) {
  add("a", "list", "Left", {0, 0, 200, 200});
  add("b", "list", "Right", {300, 0, 200, 200});
  add("i", "list item", "x", {0, 10, 200, 20}, "a");
  add("j", "list item", "x", {300, 10, 200, 20}, "b");
  EXPECT_EQ(found(v1::RELATION_INSIDE, "Right", "item", 0, v1::ACTIONABLE_ENABLED, "x", "list"), Ids{"j"});
}

TEST_F(Beside, ScrolledOutElementIsFoundBesideAnAnchorThatIsScrolledOutToo) {
  add("t", "table", "", {0, 0, 400, 100});
  add("c1", "table cell", "Ada", {0, 10, 100, 20}, "t");
  add("b1", "push button", "Edit", {110, 10, 80, 20}, "t");
  add("c2", "table cell", "Bob", {0, 210, 100, 20}, "t");
  add("b2", "push button", "Edit", {110, 210, 80, 20}, "t");
  add("u", "list", "", {0, 200, 400, 100});
  add("o", "push button", "Edit", {300, 210, 80, 20}, "u");
  for (const int i : {3, 4}) tree_.mutable_nodes(i)->clear_states();
  for (const int i : {3, 4}) {
    tree_.mutable_nodes(i)->add_states(v1::UI_STATE_ENABLED);
    tree_.mutable_nodes(i)->add_states(v1::UI_STATE_SCROLLED_OUT);
  }
  EXPECT_EQ(found(v1::RELATION_IN_ROW, "Bob", "", 0, v1::ACTIONABLE_ENABLED, "Edit"), Ids{"b2"});
  EXPECT_EQ(found(v1::RELATION_RIGHT_OF, "Bob", "button"), Ids{"b2"});
  EXPECT_EQ(found(v1::RELATION_IN_ROW, "Ada", "", 0, v1::ACTIONABLE_ENABLED, "Edit"), Ids{"b1"});
  EXPECT_EQ(found(v1::RELATION_IN_ROW, "Bob", "slider"),
            (Ids{"-", "was not found: \"Bob\" is scrolled out of sight, so scroll to it first"}));
}

// Bug: a button of another table at the same height was clicked where the record's own row had none.
TEST_F(Beside, ARowOfTheTreeEndsWithItsTable) {
  for (const char* id : {"r1", "r2"}) add(id, "table row", "", {id[1] == '1' ? 0 : 400, 10, 300, 20});
  add("smith", "table cell", "Smith", {0, 10, 100, 20}, "r1");
  add("jones", "table cell", "Jones", {400, 10, 100, 20}, "r2");
  add("b", "push button", "Delete", {510, 10, 80, 20}, "r2");
  EXPECT_EQ(found(v1::RELATION_IN_ROW, "Jones", "", 0, v1::ACTIONABLE_ENABLED, "Delete"), Ids{"b"});
  EXPECT_EQ(found(v1::RELATION_IN_ROW, "Smith", "", 0, v1::ACTIONABLE_ENABLED, "Delete").front(), "-");
}

TEST_F(Beside, SaysIfTheAnchorIsMissing) {
  add_form();
  EXPECT_EQ(found(v1::RELATION_RIGHT_OF, "Nobody", "field"),
            (Ids{"-", "was not found: \"Nobody\" is nowhere on the screen"}));
  EXPECT_EQ(found(v1::RELATION_LEFT_OF, "Sender", "field"),
            (Ids{"-", "was not found: \"Sender\" shows, but nothing that fits is there"}));
}

}  // namespace
}  // namespace da::observer
