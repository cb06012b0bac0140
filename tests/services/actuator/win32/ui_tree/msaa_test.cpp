#include <windows.h>

#include <algorithm>

#include "services/actuator/desktop/win32/ui_tree/element_ids.h"
#include "services/actuator/desktop/win32/ui_tree/win32_tree.h"
#include "tests/services/actuator/win32/stage.h"

namespace da::actuator {
namespace {

// Windows of classes that nobody knows, which tell what they are by MSAA.
class MsaaTreeTest : public ::testing::Test {
 protected:
  Stage stage_;
  WindowInfo window_;
  UiTree& tree_ = stage_.desktop().ui_tree();

  void start(std::string_view mode = "accessible") { window_ = stage_.start_target(mode); }
  ElementTree read() {
    auto tree = tree_.read(window_, {1000, stage_.deadline()});
    EXPECT_TRUE(tree) << tree.error().message;
    return tree ? *std::move(tree) : ElementTree();
  }
  // Repeats the read, because on a busy machine the time for a window may be over before all of its objects are read.
  ElementTree read_all() {
    ElementTree tree;
    EXPECT_TRUE(stage_.eventually([&] { return !(tree = read()).truncated; })) << tree.note;
    return tree;
  }
  static Element find(const ElementTree& tree, std::string_view role, std::string_view name) {
    const auto found = std::ranges::find_if(
        tree.elements, [&](const Element& element) { return element.role == role && element.name == name; });
    if (found != tree.elements.end()) return *found;
    ADD_FAILURE() << "no " << role << " named " << name;
    return {};
  }
  static void expect_no_password_in(const ElementTree& tree) {
    for (const Element& element : tree.elements) {
      EXPECT_EQ((element.name + element.text).find("hunter2"), std::string::npos) << element.handle.native;
    }
  }
};

TEST_F(MsaaTreeTest, ObjectsInAWindowHaveTheirRolesNamesTextsStatesAndPlaces) {
  start();
  const ElementTree tree = read_all();
  const Element apply = find(tree, "push button", "Apply");
  EXPECT_EQ(apply.window_id, window_.id);
  EXPECT_EQ(apply.pid, window_.pid);
  EXPECT_TRUE(apply.has(ElementState::kShowing));
  EXPECT_TRUE(apply.has(ElementState::kEnabled));
  EXPECT_TRUE(apply.has(ElementState::kFocusable));
  EXPECT_EQ(apply.bounds.width, 80);
  EXPECT_EQ(apply.visible, apply.bounds);
  EXPECT_EQ(find(tree, "text", "City").text, "Zürich");
  EXPECT_TRUE(find(tree, "text", "City").has(ElementState::kEditable));
  EXPECT_TRUE(find(tree, "check box", "Subscribe").has(ElementState::kChecked));
  EXPECT_FALSE(find(tree, "push button", "Disabled").has(ElementState::kEnabled));
  const Element rows = find(tree, "list box", "Rows");
  EXPECT_EQ(find(tree, "list item", "Row 2").parent, rows.handle);
  EXPECT_TRUE(find(tree, "list item", "Row 2").has(ElementState::kSelected));
  EXPECT_TRUE(find(tree, "list item", "Row 9").has(ElementState::kScrolledOut));
  EXPECT_EQ(find(tree, "list item", "Row 9").viewport, rows.bounds);
  const auto place = [&](std::string_view name) { return std::ranges::find(tree.elements, name, &Element::name); };
  EXPECT_LT(place("Row 9"), place("Row 1")) << "in the order in which the list enumerates them";
  EXPECT_EQ(place("Hidden"), tree.elements.end());
}

TEST_F(MsaaTreeTest, AWindowOfAnUnknownClassIsWhatItsObjectSays) {
  start();
  const ElementTree tree = read_all();
  EXPECT_TRUE(find(tree, "push button", "Red").has(ElementState::kShowing));
  EXPECT_EQ(find(tree, "text", "Notes").text, "remember") << "named by its label, because its own text is its content";
  EXPECT_TRUE(find(tree, "push button", "Close panel").has(ElementState::kEnabled)) << "a button without a text";
}

TEST_F(MsaaTreeTest, AMaskedTextIsMarkedAndItsContentNotRead) {
  start();
  const ElementTree tree = read_all();
  for (const char* name : {"PIN", "Code", "Safe", "Key"}) {
    const Element password = find(tree, "password text", name);
    EXPECT_TRUE(password.has(ElementState::kPassword)) << name;
    EXPECT_EQ(password.text, "") << name;
  }
  expect_no_password_in(tree);
}

// Qt enumerates all children by their ids, also those that are objects with children of their own.
TEST_F(MsaaTreeTest, AnObjectThatIsEnumeratedByItsIdHasItsChildren) {
  start();
  const ElementTree tree = read_all();
  const Element row = find(tree, "list item", "Row 3");
  const Element button = find(tree, "push button", "Delete");
  EXPECT_EQ(button.parent, row.handle);
  const auto again = tree_.refresh(button.handle, stage_.deadline());
  ASSERT_OK(again);
  EXPECT_EQ(again->name, "Delete");
  const auto under = tree_.element_at(window_, button.visible.center(), stage_.deadline());
  ASSERT_OK(under);
  ASSERT_TRUE(under->element);
  EXPECT_EQ(under->element->handle, button.handle);
}

TEST_F(MsaaTreeTest, ElementsThatCannotBeReadMakeTheTreeTruncated) {
  for (const char* mode :
       {"accessible-no-role", "accessible-no-count", "accessible-no-next", "accessible-no-interface"}) {
    start(mode);
    EXPECT_TRUE(stage_.eventually([&] { return read().note == "some elements could not be read"; })) << mode;
    EXPECT_TRUE(read().truncated) << mode;
  }
}

TEST_F(MsaaTreeTest, AListThatCannotBeResetIsReadWhereItIs) {
  ElementTree first;
  EXPECT_TRUE(stage_.eventually([&] {
    start("accessible-no-reset");
    return !(first = read()).truncated;
  })) << first.note;
  find(first, "list item", "Row 9");
  // It is at its end now.
  EXPECT_TRUE(stage_.eventually([&] { return read().note == "some elements could not be read"; }));
}

TEST_F(MsaaTreeTest, TheTextOfAWindowIsNoNameWhileItsObjectCannotBeRead) {
  start("accessible-no-role");
  const ElementTree tree = read();
  find(tree, "panel", "Code");
  expect_no_password_in(tree);
}

TEST_F(MsaaTreeTest, TheTextOfAWindowOfAnUnknownClassIsNoNameWhereMsaaIsNotUsed) {
  start();
  const auto tree =
      win32::Win32Tree(stage_.desktop().windows(), system_clock()).read(window_, {1000, stage_.deadline()});
  ASSERT_OK(tree);
  find(*tree, "panel", "Code");
  find(*tree, "panel", "Notes");
  expect_no_password_in(*tree);
}

// The handles of the objects name the window as it was when it was described.
TEST_F(MsaaTreeTest, AWindowThatChangesOrClosesWhileItIsReadKeepsItsObjects) {
  for (const char* mode : {"accessible-renumbers", "accessible-closes"}) {
    start(mode);
    const ElementTree tree = read();
    const Element apply = find(tree, "push button", "Apply");
    EXPECT_NE(std::ranges::find(tree.elements, apply.parent, &Element::handle), tree.elements.end()) << mode;
    find(tree, "push button", "Close panel");
  }
}

TEST_F(MsaaTreeTest, AnObjectIsFoundAgainByItsHandleItsPlaceAndItsFocus) {
  start();
  const ElementTree tree = read_all();
  for (const auto& [role, name] : std::vector<std::pair<std::string, std::string>>{
           {"push button", "Apply"}, {"password text", "PIN"}, {"list item", "Row 2"}, {"push button", "Red"}}) {
    const Element element = find(tree, role, name);
    const auto again = tree_.refresh(element.handle, stage_.deadline());
    ASSERT_OK(again);
    EXPECT_EQ(again->name, name);
    EXPECT_EQ(again->bounds, element.bounds) << name;
    EXPECT_EQ(again->visible, element.visible) << name;
    EXPECT_EQ(again->states, element.states) << name;
    const auto under = tree_.element_at(window_, element.visible.center(), stage_.deadline());
    ASSERT_OK(under);
    ASSERT_TRUE(under->element);
    EXPECT_EQ(under->element->handle, element.handle) << name;
  }
  const auto focused = tree_.focused(window_, stage_.deadline());
  ASSERT_OK(focused);
  ASSERT_TRUE(focused->element);
  EXPECT_EQ(focused->element->name, "City");
  EXPECT_FALSE(focused->unread);
}

TEST_F(MsaaTreeTest, AnObjectThatDoesNotExistIsGoneAndOneThatDoesMustBeClicked) {
  start();
  const ElementTree tree = read_all();
  const Element apply = find(tree, "push button", "Apply");
  auto id = *win32::id_of(apply.handle);
  id.path = {77};
  EXPECT_EQ(tree_.refresh(win32::handle_of(id), stage_.deadline()).error().code, Code::kNotFound);
  EXPECT_EQ(tree_.invoke(apply.handle, stage_.deadline()).error().code, Code::kUnimplemented);
  EXPECT_EQ(tree_.reveal(find(tree, "list item", "Row 9").handle, stage_.deadline()).error().code,
            Code::kUnimplemented);
}

TEST_F(MsaaTreeTest, AClickAtAnObjectsPlaceReachesItsWindowThere) {
  start();
  const Point center = find(read_all(), "push button", "Apply").visible.center();
  stage_.forget_events();
  ASSERT_EQ(stage_.desktop().input().click(center, Button::kLeft, 1, Milliseconds(0), go_on).done, 1U);
  const std::string pressed = "d1@" + std::to_string(center.x) + "," + std::to_string(center.y);
  EXPECT_TRUE(stage_.eventually([&] { return stage_.events("d") == std::vector<std::string>{pressed}; }));
}

TEST_F(MsaaTreeTest, TheCapOnElementsCountsObjects) {
  start();
  const auto tree = tree_.read(window_, {5, stage_.deadline()});
  ASSERT_OK(tree);
  EXPECT_EQ(tree->elements.size(), 5U);
  EXPECT_TRUE(tree->truncated);
}

TEST_F(MsaaTreeTest, LyingObjectsAreCutToSize) {
  start("accessible-lies");
  std::size_t depth = 0;
  // Tries again, because on a busy machine the time may be over during the first name.
  ASSERT_TRUE(stage_.eventually([&] {
    const MonoTime begin = system_clock().now();
    const ElementTree tree = read();
    EXPECT_LT(system_clock().now() - begin, Milliseconds(5000));
    EXPECT_TRUE(tree.truncated);
    EXPECT_LE(tree.elements.size(), 1000U);
    for (const Element& element : tree.elements) {
      EXPECT_LE(element.name.size(), 500U);
      EXPECT_LE(element.text.size(), kMaxElementText);
      const auto id = win32::id_of(element.handle);
      if (!id) ADD_FAILURE() << element.handle.native;
      if (!id || id->path.empty()) continue;
      depth = std::max(depth, id->path.size());
      if (element.name.starts_with('n')) {
        EXPECT_TRUE(element.bounds.empty());
        EXPECT_FALSE(element.has(ElementState::kShowing));
      }
    }
    return depth > 0;
  }));
  EXPECT_LE(depth, 16U);
}

TEST_F(MsaaTreeTest, SlowObjectsCostAtMostTheTimeOfOneWindow) {
  start("accessible-slow");
  const MonoTime begin = system_clock().now();
  const ElementTree tree = read();
  EXPECT_LT(system_clock().now() - begin, Milliseconds(4000));
  EXPECT_TRUE(tree.truncated);
  EXPECT_NE(tree.note, "");
  const auto buttons = std::ranges::count(tree.elements, "Apply", &Element::name);
  EXPECT_GT(buttons, 3);
  EXPECT_LT(buttons, 200);
  EXPECT_EQ(find(tree, "push button", "Close panel").pid, window_.pid) << "the windows after it are read";
}

TEST_F(MsaaTreeTest, AnObjectThatNeverAnswersIsGivenUp) {
  start("accessible-hangs");
  const MonoTime begin = system_clock().now();
  const ElementTree tree = read();
  EXPECT_LT(system_clock().now() - begin, Milliseconds(4000));
  EXPECT_TRUE(tree.truncated);
  EXPECT_EQ(tree.note, "the application does not answer");
  EXPECT_FALSE(tree.elements.empty());
  expect_no_password_in(tree);
  find(tree, "panel", "Code");
  const auto canvas = std::ranges::find(tree.elements, 280, [](const Element& each) { return each.bounds.width; });
  ASSERT_NE(canvas, tree.elements.end());
  const Point apply{canvas->bounds.x + 20, canvas->bounds.y + 20};
  const auto found = tree_.element_at(window_, apply, stage_.deadline());
  ASSERT_OK(found);
  EXPECT_TRUE(found->unread);
  EXPECT_EQ(tree_.refresh(canvas->handle, stage_.deadline()).error().code, Code::kDeadlineExceeded);
  // The next application is asked as if nothing had happened.
  const WindowInfo other = stage_.start(stage_.target_command("accessible"), "Target é accessible");
  window_ = other;
  EXPECT_EQ(find(read_all(), "text", "City").text, "Zürich");
}

}  // namespace
}  // namespace da::actuator
