#include "services/console/terminal/element_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "lib/contract/coordinates.h"

namespace da::console {
namespace {

class ElementTextTest : public testing::Test {
 protected:
  ElementTextTest() {
    add_window("1", "Front", {0, 0, 400, 300}).set_focused(true);
    add_window("2", "Back\x1b[2J", {100, 100, 800, 600});
  }
  v1::Window& add_window(const std::string& id, const std::string& title, const Rect& bounds) {
    v1::Window& window = *seen_.add_windows();
    window.set_window_id(id);
    window.set_title(title);
    window.set_executable("/usr/bin/editor");
    *window.mutable_bounds() = contract::to_proto(bounds);
    return window;
  }
  v1::UiNode& add(const std::string& window, const std::string& role, const std::string& name, const Rect& bounds) {
    v1::UiNode& node = *elements_.add_nodes();
    node.set_window_id(window);
    node.set_role(role);
    node.set_name(name);
    node.add_states(v1::UI_STATE_ENABLED);
    *node.mutable_bounds() = contract::to_proto(bounds);
    return node;
  }
  std::string at(Point point) {
    const auto found = element_at(seen_, elements_, point);
    return found ? found->name() : "(nothing)";
  }

  v1::Observation seen_;
  v1::UiTree elements_;
};

TEST_F(ElementTextTest, ElementHasRoleNamePlaceSizeAndState) {
  v1::UiNode& node = add("1", "check box", "Wrap \"it\"\n", {10, 20, 80, 30});
  EXPECT_EQ(element_text(node), "check box \"Wrap \\\"it\\\"\\n\" at 50,35 (80x30)");
  node.clear_states();
  node.add_states(v1::UI_STATE_CHECKED);
  EXPECT_EQ(element_text(node), "check box \"Wrap \\\"it\\\"\\n\" at 50,35 (80x30), disabled, checked");
}

TEST_F(ElementTextTest, ElementsAreListedByWindowFrontToBack) {
  add("2", "push button", "Save", {500, 400, 20, 20});
  add("1", "push button", "Open", {10, 10, 20, 20});
  add("9", "menu item", "Copy", {10, 40, 20, 20});
  EXPECT_EQ(element_list(seen_, elements_),
            "window \"Front\" of editor, has the focus\n"
            "  push button \"Open\" at 20,20 (20x20)\n"
            "window \"Back\\x1b[2J\" of editor\n"
            "  push button \"Save\" at 510,410 (20x20)\n"
            "in no window\n"
            "  menu item \"Copy\" at 20,50 (20x20)\n");
}

TEST_F(ElementTextTest, AWindowIsChosenByAnyPartOfItsTitle) {
  add("2", "push button", "Save", {500, 400, 20, 20});
  add("1", "push button", "Open", {10, 10, 20, 20});
  const auto chosen = elements_in(seen_, elements_, "fRON");
  ASSERT_EQ(chosen.nodes_size(), 1);
  EXPECT_EQ(chosen.nodes(0).name(), "Open");
  EXPECT_TRUE(elements_in(seen_, elements_, "None").nodes().empty());
}

TEST_F(ElementTextTest, JsonHasTheSameAndNoControlCharacters) {
  v1::UiNode& node = add("2", "text", "Name\x1b", {500, 400, 20, 20});
  node.add_states(v1::UI_STATE_EDITABLE);
  node.set_text("a\nb");
  const std::string line = element_json(node, window_of(seen_, node));
  EXPECT_EQ(line.find_first_of("\n\x1b"), std::string::npos);
  const auto json = nlohmann::json::parse(line);
  EXPECT_EQ(json["name"], "Name\x1b");
  EXPECT_EQ(json["text"], "a\nb");
  EXPECT_THAT(json["states"].get<std::vector<std::string>>(), testing::ElementsAre("enabled", "editable"));
  EXPECT_EQ(json["bounds"]["x"], 500);
  EXPECT_EQ(json["window"], "Back\x1b[2J");
  EXPECT_TRUE(nlohmann::json::parse(element_json(node, nullptr))["window"].is_null());
}

TEST_F(ElementTextTest, TheSmallestElementOfTheWindowInFrontIsUnderThePointer) {
  add("1", "panel", "Tools", {0, 0, 400, 300});
  add("1", "push button", "Open", {110, 110, 40, 40});
  add("2", "push button", "Hidden", {110, 110, 10, 10});
  add("2", "push button", "Save", {500, 400, 20, 20});
  EXPECT_EQ(at({115, 115}), "Open");
  EXPECT_EQ(at({10, 10}), "Tools");
  EXPECT_EQ(at({510, 410}), "Save");
  EXPECT_EQ(at({1000, 700}), "(nothing)");
}

TEST_F(ElementTextTest, MenuItemPrecedesElementsBelowIt) {
  add("2", "menu item", "Copy", {110, 110, 200, 30});
  add("1", "push button", "Open", {110, 110, 40, 20});
  EXPECT_EQ(at({115, 115}), "Copy");
}

}  // namespace
}  // namespace da::console
