#include "services/observer/marks/keep_clear.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/services/observer/fake_source.h"

namespace da::observer {
namespace {

class KeepClearTest : public testing::Test {
 protected:
  KeepClear clear() {
    std::vector<const v1::Window*> views;
    for (const auto& each : windows_) views.push_back(&each);
    return keep_clear_of(has_tree_ ? &tree_ : nullptr, {views, {0, 0, 1280, 800}});
  }
  bool keeps(const Rect& area) {
    const auto elements = clear().elements;
    return std::ranges::find(elements, area) != elements.end();
  }
  void add(v1::UiNode node, const std::string& parent = {}, const std::string& window_id = "w1") {
    node.set_parent_id(parent);
    node.set_window_id(window_id);
    *tree_.add_nodes() = std::move(node);
  }

  std::vector<v1::Window> windows_{window("w1", {0, 0, 600, 400}, true)};
  v1::UiTree tree_;
  bool has_tree_ = true;
};

TEST_F(KeepClearTest, DisabledAndTinyElementsAreKeptClearToo) {
  add(element("frame", "Window", {0, 0, 600, 400}, {kEnabled}));
  add(element("label", "Label", {10, 10, 80, 20}, {kEnabled}));
  add(element("push button", "Save", {10, 40, 80, 20}, {kEnabled}));
  add(element("push button", "Disabled", {10, 70, 80, 20}));
  add(element("push button", "Tiny", {10, 100, 3, 3}, {kEnabled}));
  const auto kept = clear();
  EXPECT_EQ(kept.elements, (std::vector<Rect>{{10, 40, 80, 20}, {10, 70, 80, 20}, {10, 100, 3, 3}}));
  EXPECT_TRUE(kept.unknown.empty());
}

TEST_F(KeepClearTest, ElementsBeyondTheMarkLimitAreKeptClear) {
  for (int i = 0; i < 150; ++i) {
    add(element("list item", "row " + std::to_string(i), {10, i * 2, 200, 2}, {kEnabled, v1::UI_STATE_FOCUSABLE}));
  }
  EXPECT_EQ(clear().elements.size(), 150u);
}

TEST_F(KeepClearTest, WholeOpenMenuIsKeptClear) {
  add(element("menu bar", "", {0, 0, 600, 20}));
  add(element("menu", "File", {0, 0, 50, 20}, {kEnabled}), "menu bar/");
  add(element("menu item", "Open", {0, 20, 150, 20}, {kEnabled}), "menu/File");
  add(element("separator", "", {0, 40, 150, 20}), "menu/File");
  add(element("menu item", "Quit", {0, 60, 150, 20}, {kEnabled}), "menu/File");
  EXPECT_TRUE(keeps({0, 20, 150, 60}));
  EXPECT_TRUE(keeps({0, 0, 50, 20})) << "its entry in the bar";
}

TEST_F(KeepClearTest, CoveredElementsAreNotKeptClear) {
  windows_ = {window("front", {100, 0, 200, 200}, true), window("w1", {0, 0, 600, 400}, false)};
  add(element("push button", "Hidden", {120, 40, 60, 20}, {kEnabled}));
  add(element("push button", "In part", {80, 80, 100, 20}, {kEnabled}));
  add(element("push button", "Of the front", {120, 100, 60, 20}, {kEnabled}), "", "front");
  EXPECT_FALSE(keeps({120, 40, 60, 20}));
  EXPECT_TRUE(keeps({80, 80, 100, 20}));
  EXPECT_TRUE(keeps({120, 100, 60, 20}));
}

TEST_F(KeepClearTest, TitleBarIsKeptClear) {
  add(element("frame", "Window", {2, 24, 596, 374}, {kEnabled}));
  add(element("push button", "Save", {10, 40, 80, 20}, {kEnabled}), "frame/Window");
  EXPECT_TRUE(keeps({0, 0, 600, 24}));
}

// Regression: a number of the grid covered the title of a GTK file chooser.
TEST_F(KeepClearTest, TitleBarIsKeptClearIfTheRootElementIsTheWholeWindow) {
  add(element("file chooser", "Window", {0, 0, 600, 400}, {kEnabled}));
  add(element("push button", "Save", {10, 340, 80, 20}, {kEnabled}), "file chooser/Window");
  EXPECT_FALSE(keeps({0, 0, 600, 20})) << "no title bar is as high as that";
  add(element("text", "Name", {2, 20, 596, 20}, {kEnabled}), "file chooser/Window");
  EXPECT_TRUE(keeps({0, 0, 600, 20}));
}

TEST_F(KeepClearTest, WindowWithoutElementsIsUnknown) {
  windows_ = {window("terminal", {700, 0, 200, 200}, false), window("w1", {0, 0, 600, 400}, true),
              window("below", {710, 10, 50, 50}, false)};
  add(element("push button", "Save", {10, 40, 80, 20}, {kEnabled}));
  EXPECT_EQ(clear().unknown, (std::vector<Rect>{{700, 0, 200, 200}})) << "the covered window is left out";
  windows_[0].set_minimized(true);
  EXPECT_EQ(clear().unknown, (std::vector<Rect>{{710, 10, 50, 50}}));
}

TEST_F(KeepClearTest, WithoutATreeEveryWindowIsUnknown) {
  has_tree_ = false;
  EXPECT_EQ(clear().unknown, (std::vector<Rect>{{0, 0, 600, 400}}));
  EXPECT_TRUE(clear().elements.empty());
}

}  // namespace
}  // namespace da::observer
