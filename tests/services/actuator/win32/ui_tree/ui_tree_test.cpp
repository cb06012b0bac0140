#include <gmock/gmock.h>
#include <windows.h>

#include <algorithm>

#include "services/actuator/desktop/win32/ui_tree/control_roles.h"
#include "services/actuator/desktop/win32/ui_tree/element_ids.h"
#include "services/actuator/desktop/win32/ui_tree/win32_tree.h"
#include "services/actuator/desktop/win32/windows/window_facts.h"
#include "tests/services/actuator/win32/stage.h"

namespace da::actuator {
namespace {

using win32::control_role;
using win32::Place;

TEST(ControlRoles, ButtonsAreToldApartByTheirStyle) {
  EXPECT_EQ(control_role(L"Button", BS_DEFPUSHBUTTON, Place::kChild).role, "push button");
  EXPECT_EQ(control_role(L"BUTTON", BS_AUTOCHECKBOX, Place::kChild).role, "check box");
  EXPECT_EQ(control_role(L"Button", BS_AUTORADIOBUTTON, Place::kChild).role, "radio button");
  EXPECT_EQ(control_role(L"Button", BS_AUTOCHECKBOX | BS_PUSHLIKE, Place::kChild).role, "toggle button");
  EXPECT_EQ(control_role(L"Button", BS_GROUPBOX, Place::kChild).role, "panel");
}

TEST(ControlRoles, APasswordFieldHasNoContent) {
  EXPECT_EQ(control_role(L"Edit", 0, Place::kChild).role, "text");
  EXPECT_EQ(control_role(L"Edit", ES_PASSWORD, Place::kChild).role, "password text");
  EXPECT_FALSE(control_role(L"Edit", ES_PASSWORD, Place::kChild).has_content);
  EXPECT_EQ(control_role(L"RichEdit20W", ES_PASSWORD, Place::kChild).role, "password text");
  EXPECT_FALSE(control_role(L"RICHEDIT50W", ES_PASSWORD, Place::kChild).has_content);
}

TEST(ControlRoles, UnknownClassesAreFramesOrPanels) {
  EXPECT_EQ(control_role(L"Foo", 0, Place::kTopLevel).role, "frame");
  EXPECT_EQ(control_role(L"Foo", 0, Place::kChild).role, "panel");
  EXPECT_EQ(control_role(L"#32770", 0, Place::kTopLevel).role, "dialog");
}

TEST(ControlRoles, AccessKeysAreLeftOutOfNames) {
  EXPECT_EQ(win32::without_access_key(L"S&ave && close"), L"Save & close");
  EXPECT_EQ(win32::without_access_key(L"end&"), L"end&");
}

TEST(ElementIds, AHandleIsReadBackAsItWasWritten) {
  const win32::ElementId id{reinterpret_cast<HWND>(std::uintptr_t{0x1234}), 7, 9'000'000'000, 49'000, 0xffffffff, 3};
  EXPECT_EQ(win32::id_of(win32::handle_of(id)), id);
  win32::ElementId object = id;
  object.path = {3, 0, 12};
  EXPECT_EQ(win32::id_of(win32::handle_of(object)), object);
  const std::string too_deep = "1:2:3:4:5:6/0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0";
  for (const std::string& bad :
       std::vector<std::string>{"", "1:2:3:4:5", "1:2:3:4:5:-2", "1:2:3:4:5:6:7", "x:2:3:4:5:6", "1:2:3:4:5:6 ",
                                "1:2:3:4:5:6/", "1:2:3:4:5:6/-1", "1:2:3:4:5:6/500", "1:2:3:4:5:6/1:2",
                                "1:2:3:4:5:6/1/2", "1:2:3:4:5:6/99999999999", too_deep}) {
    EXPECT_FALSE(win32::id_of({bad})) << bad;
  }
}

class Win32TreeTest : public ::testing::Test {
 protected:
  Stage stage_;
  WindowInfo window_ = stage_.start_target("dialog");
  UiTree& tree_ = stage_.desktop().ui_tree();

  ElementTree read() {
    auto tree = tree_.read(window_, {1000, stage_.deadline()});
    EXPECT_TRUE(tree) << tree.error().message;
    return tree ? *std::move(tree) : ElementTree();
  }
  Element find(std::string_view role, std::string_view name) {
    for (const Element& element : read().elements) {
      if (element.role == role && element.name == name) return element;
    }
    ADD_FAILURE() << "no " << role << " named " << name;
    return {};
  }
};

TEST_F(Win32TreeTest, TheControlsOfADialogHaveTheirRolesNamesAndTexts) {
  const ElementTree tree = read();
  ASSERT_FALSE(tree.elements.empty());
  EXPECT_FALSE(tree.truncated) << tree.note;
  EXPECT_EQ(tree.elements.front().role, "frame");
  EXPECT_EQ(tree.elements.front().name, "Target é dialog");
  EXPECT_EQ(tree.elements.front().bounds, window_.bounds);
  EXPECT_EQ(find("text", "Name").text, "Ada é 漢");
  EXPECT_TRUE(find("text", "Name").has(ElementState::kFocused));
  EXPECT_TRUE(find("text", "Name").has(ElementState::kEditable));
  EXPECT_TRUE(find("text", "Remarks").has(ElementState::kEditable)) << "a rich edit control";
  EXPECT_FALSE(find("check box", "Subscribe").has(ElementState::kChecked));
  EXPECT_EQ(find("panel", "Speed").window_id, window_.id);
  EXPECT_TRUE(find("push button", "Save & close").has(ElementState::kEnabled));
  EXPECT_FALSE(find("push button", "Cancel").has(ElementState::kEnabled));
  EXPECT_EQ(find("combo box", "").text, "Green");
  for (const Element& element : tree.elements) {
    EXPECT_EQ(element.pid, window_.pid);
    EXPECT_TRUE(!element.has(ElementState::kShowing) || !element.visible.empty()) << element.name;
  }
}

TEST_F(Win32TreeTest, APasswordIsMarkedAndItsTextNotRead) {
  const Element password = find("password text", "Password");
  EXPECT_TRUE(password.has(ElementState::kPassword));
  EXPECT_EQ(password.text, "");
  for (const Element& element : read().elements) {
    EXPECT_EQ((element.name + element.text).find("hunter2"), std::string::npos);
  }
}

TEST_F(Win32TreeTest, KnownControlsHaveTheSameNamesWhereMsaaIsNotUsed) {
  const auto tree =
      win32::Win32Tree(stage_.desktop().windows(), system_clock()).read(window_, {1000, stage_.deadline()});
  ASSERT_OK(tree);
  const auto names = [](const ElementTree& each) {
    std::vector<std::string> found;
    for (const Element& element : each.elements) found.push_back(element.role + ": " + element.name);
    return found;
  };
  EXPECT_EQ(names(*tree), names(read()));
  EXPECT_THAT(names(*tree), ::testing::Contains("push button: Save & close"));
}

TEST_F(Win32TreeTest, AParentComesBeforeItsChildren) {
  std::vector<ElementHandle> seen;
  for (const Element& element : read().elements) {
    EXPECT_TRUE(seen.empty() || std::ranges::find(seen, element.parent) != seen.end()) << element.name;
    seen.push_back(element.handle);
  }
}

TEST_F(Win32TreeTest, RowsOfAListAreElementsAndHiddenOnesAreScrolledOut) {
  const Element first = find("list item", "Row 1");
  EXPECT_TRUE(first.has(ElementState::kShowing));
  EXPECT_TRUE(first.has(ElementState::kSelectable));
  const Element last = find("list item", "Row 30");
  EXPECT_FALSE(last.has(ElementState::kShowing));
  EXPECT_TRUE(last.has(ElementState::kScrolledOut));
  EXPECT_FALSE(last.viewport.empty());
  ASSERT_OK(tree_.reveal(last.handle, stage_.deadline()));
  EXPECT_TRUE(stage_.eventually([&] {
    const auto now = tree_.refresh(last.handle, stage_.deadline());
    return now && now->has(ElementState::kShowing);
  }));
}

TEST_F(Win32TreeTest, AClickedRowIsSelected) {
  const Element row = find("list item", "Row 2");
  EXPECT_EQ(stage_.desktop().input().click(row.visible.center(), Button::kLeft, 1, Milliseconds(0), go_on).done, 1U);
  EXPECT_TRUE(stage_.eventually([&] {
    const auto now = tree_.refresh(row.handle, stage_.deadline());
    return now && now->has(ElementState::kSelected);
  }));
  const auto focused = tree_.focused(window_, stage_.deadline());
  ASSERT_OK(focused);
  ASSERT_TRUE(focused->element);
  EXPECT_EQ(focused->element->name, "Row 2");
}

TEST_F(Win32TreeTest, TheElementUnderAPointIsTheInnermostOne) {
  for (const auto& [role, name] : std::vector<std::pair<std::string, std::string>>{
           {"text", "Name"}, {"radio button", "First"}, {"push button", "Cancel"}, {"list item", "Row 3"}}) {
    const Element element = find(role, name);
    const auto found = tree_.element_at(window_, element.visible.center(), stage_.deadline());
    ASSERT_OK(found);
    ASSERT_TRUE(found->element);
    EXPECT_EQ(found->element->handle, element.handle) << name;
    EXPECT_EQ(found->element->bounds, element.bounds) << name;
  }
}

TEST_F(Win32TreeTest, TheListOfAnOpenComboBoxBelongsToItsWindow) {
  const Element choice = find("combo box", "");
  Input& input = stage_.desktop().input();
  ASSERT_EQ(input.click(choice.visible.center(), Button::kLeft, 1, Milliseconds(0), go_on).done, 1U);
  std::optional<Element> red;
  ASSERT_TRUE(stage_.eventually([&] {
    for (const Element& element : read().elements) {
      if (element.role == "list item" && element.name == "Red") red = element;
    }
    return red.has_value();
  }));
  EXPECT_EQ(red->window_id, window_.id);
  EXPECT_TRUE(red->has(ElementState::kShowing));
  const auto under = stage_.desktop().windows().window_at(red->visible.center());
  ASSERT_OK(under);
  EXPECT_EQ((*under)->id, window_.id);
  const auto found = tree_.element_at(window_, red->visible.center(), stage_.deadline());
  ASSERT_OK(found);
  EXPECT_EQ(found->element->name, "Red");
  ASSERT_EQ(input.click(red->visible.center(), Button::kLeft, 1, Milliseconds(0), go_on).done, 1U);
  EXPECT_TRUE(stage_.eventually([&] { return tree_.refresh(choice.handle, stage_.deadline())->text == "Red"; }));
}

TEST_F(Win32TreeTest, InvokeClicksButtonsAndCheckBoxes) {
  ASSERT_OK(tree_.invoke(find("push button", "Save & close").handle, stage_.deadline()));
  EXPECT_TRUE(stage_.eventually([&] { return !stage_.events("s").empty(); }));
  EXPECT_EQ(stage_.events("s"), std::vector<std::string>{"save"});
  const Element box = find("check box", "Subscribe");
  ASSERT_OK(tree_.invoke(box.handle, stage_.deadline()));
  EXPECT_TRUE(
      stage_.eventually([&] { return tree_.refresh(box.handle, stage_.deadline())->has(ElementState::kChecked); }));
}

TEST_F(Win32TreeTest, InvokeRefusesWhatIsNoButton) {
  EXPECT_EQ(tree_.invoke(find("text", "Name").handle, stage_.deadline()).error().code, Code::kUnimplemented);
  EXPECT_EQ(tree_.invoke(find("push button", "Cancel").handle, stage_.deadline()).error().code,
            Code::kFailedPrecondition);
}

TEST_F(Win32TreeTest, TheElementsOfAClosedWindowAreGone) {
  const Element button = find("push button", "Save & close");
  ASSERT_OK(stage_.desktop().windows().close(window_.id));
  ASSERT_TRUE(stage_.eventually([&] { return !stage_.window_now(window_.id); }));
  EXPECT_EQ(tree_.refresh(button.handle, stage_.deadline()).error().code, Code::kNotFound);
  EXPECT_EQ(tree_.invoke(button.handle, stage_.deadline()).error().code, Code::kNotFound);
  EXPECT_EQ(tree_.read(window_, {10, stage_.deadline()}).error().code, Code::kNotFound);
}

TEST_F(Win32TreeTest, TheCapOnElementsTruncatesTheTree) {
  const auto tree = tree_.read(window_, {5, stage_.deadline()});
  ASSERT_OK(tree);
  EXPECT_EQ(tree->elements.size(), 5U);
  EXPECT_TRUE(tree->truncated);
}

TEST_F(Win32TreeTest, AHandleOfAnotherProcessThatReusedTheWindowIsRefused) {
  Element button = find("push button", "Save & close");
  auto id = *win32::id_of(button.handle);
  id.process_start += 1;
  EXPECT_EQ(tree_.refresh(win32::handle_of(id), stage_.deadline()).error().code, Code::kNotFound);
}

TEST(Win32TreeHung, AHungApplicationDelaysTheTreeOnlyShortly) {
  Stage stage;
  const WindowInfo window = stage.start_hung_target();
  const MonoTime begin = system_clock().now();
  const auto tree = stage.desktop().ui_tree().read(window, {1000, stage.deadline()});
  ASSERT_OK(tree);
  EXPECT_LT(system_clock().now() - begin, Milliseconds(1500));
  EXPECT_FALSE(tree->elements.empty());
}

}  // namespace
}  // namespace da::actuator
