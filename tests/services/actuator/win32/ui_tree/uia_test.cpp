#include <limits>
#include <thread>

#include "services/actuator/desktop/win32/ui_tree/uia/uia_element.h"
#include "tests/services/actuator/win32/ui_tree/uia_fixture.h"

namespace da::actuator {
namespace {

TEST_F(UiaTreeTest, ElementsHaveTheirRolesNamesTextsAndStates) {
  auto box = node(2, 50002, L"Subscribe é");
  box->properties[uia::kIsToggleAvailable] = true;
  box->properties[uia::kToggleState] = 1;
  auto edit = node(3, kEdit, L"Name");
  edit->properties[uia::kIsValueAvailable] = true;
  edit->properties[uia::kValue] = Text(L"Ada 漢 \xd83d\xde00");
  edit->properties[uia::kHasKeyboardFocus] = true;
  root_->children = {box, edit};
  const ElementTree tree = read();
  ASSERT_EQ(tree.elements.size(), 3U);
  EXPECT_FALSE(tree.truncated);
  EXPECT_EQ(tree.elements[0].role, "frame");
  EXPECT_EQ(tree.elements[1].role, "check box");
  EXPECT_EQ(tree.elements[1].name, "Subscribe é");
  EXPECT_EQ(tree.elements[1].parent, tree.elements[0].handle);
  EXPECT_EQ(tree.elements[1].bounds, Rect(10, 20, 100, 50));
  EXPECT_TRUE(tree.elements[1].has(ElementState::kChecked));
  EXPECT_EQ(tree.elements[2].text, "Ada 漢 😀");
  EXPECT_TRUE(tree.elements[2].has(ElementState::kEditable));
  EXPECT_TRUE(tree.elements[2].has(ElementState::kFocused));
  EXPECT_EQ(tree.elements[2].window_id, window_.id);
}

TEST_F(UiaTreeTest, APasswordIsMarkedAndItsValueNotTaken) {
  auto edit = node(3, kEdit, L"Password");
  edit->properties[uia::kIsValueAvailable] = true;
  edit->properties[uia::kIsPassword] = true;
  edit->properties[uia::kValue] = Text(L"hunter2");
  root_->children = {edit};
  const Element element = read().elements.at(1);
  EXPECT_EQ(element.role, "password text");
  EXPECT_TRUE(element.has(ElementState::kPassword));
  EXPECT_EQ(element.text, "");
}

TEST(UiaRoles, ADocumentIsATextFieldOnlyWhenItCanBeEdited) {
  EXPECT_EQ(win32::role_of_control_type(kDocument, win32::Editable::kYes), "text");
  EXPECT_EQ(win32::role_of_control_type(kDocument, win32::Editable::kNo), "document frame");
  EXPECT_EQ(win32::role_of_control_type(49'999, win32::Editable::kNo), "unknown");
  EXPECT_EQ(win32::role_of_control_type(50'041, win32::Editable::kNo), "unknown");
  EXPECT_EQ(win32::role_of_control_type(std::numeric_limits<int>::min(), win32::Editable::kNo), "unknown");
}

TEST_F(UiaTreeTest, ATreeOfTenThousandElementsKeepsToTheCapAndTheTime) {
  for (int group = 0; group < 100; ++group) {
    auto parent = node(1000 + group, kGroup, L"");
    for (int item = 0; item < 100; ++item) parent->children.push_back(node(10'000 + group * 100 + item, kButton, L"x"));
    root_->children.push_back(std::move(parent));
  }
  const MonoTime begin = system_clock().now();
  EXPECT_EQ(read(20'000, 20'000).elements.size(), 10'101U);
  const auto took = std::chrono::duration_cast<Milliseconds>(system_clock().now() - begin);
  RecordProperty("ms_for_10000", static_cast<int>(took.count()));
  const ElementTree capped = read(500);
  EXPECT_EQ(capped.elements.size(), 500U);
  EXPECT_TRUE(capped.truncated);
}

TEST_F(UiaTreeTest, AnEndlesslyDeepTreeEnds) {
  int next = 100;
  std::function<std::vector<std::shared_ptr<Node>>()> deeper = [&]() -> std::vector<std::shared_ptr<Node>> {
    auto child = node(next++, kGroup, L"deep");
    child->make_children = deeper;
    return {child};
  };
  root_->make_children = deeper;
  const ElementTree tree = read();
  EXPECT_TRUE(tree.truncated);
  EXPECT_LT(tree.elements.size(), 100U);
}

TEST_F(UiaTreeTest, TheDeadlineEndsASlowTree) {
  int next = 100;
  root_->make_children = [&]() -> std::vector<std::shared_ptr<Node>> {
    std::vector<std::shared_ptr<Node>> many;
    for (int i = 0; i < 100; ++i) {
      auto child = node(next++, kGroup, L"slow");
      child->make_children = [] {
        std::this_thread::sleep_for(Milliseconds(20));
        return std::vector<std::shared_ptr<Node>>();
      };
      many.push_back(std::move(child));
    }
    return many;
  };
  const MonoTime begin = system_clock().now();
  EXPECT_TRUE(read(5000, 200).truncated);
  EXPECT_LT(system_clock().now() - begin, Milliseconds(1000));
}

TEST_F(UiaTreeTest, AHangingApplicationIsGivenUpAndTheNextQuestionAnswered) {
  const auto gate = std::make_shared<fake_uia::Gate>();
  auto hanging = node(5, kGroup, L"hangs");
  hanging->hangs = gate;
  root_->children = {hanging};
  const MonoTime begin = system_clock().now();
  EXPECT_TRUE(read(5000, 200).truncated);
  EXPECT_LT(system_clock().now() - begin, Milliseconds(1500));
  const auto focused = tree().focused(window_, soon());
  ASSERT_TRUE(focused) << focused.error().message;
  EXPECT_EQ(focused->element->name, "Name");
  gate->open();
}

TEST_F(UiaTreeTest, QuestionsAreRefusedWhileTooManyApplicationsHang) {
  const auto gate = std::make_shared<fake_uia::Gate>();
  root_->hangs = gate;
  // Asks more often than needed, because on a busy machine the time of a question may be over before it hangs.
  bool refused = false;
  for (int i = 0; i < 10 * win32::UiaWorker::kMostAbandoned && !refused; ++i) {
    EXPECT_TRUE(read(5000, 20).truncated);
    refused = tree().refresh({"uia:42.9"}, soon()).error().code == Code::kUnavailable;
  }
  EXPECT_TRUE(refused);
  gate->open();
  Result<Element> answered = Error{Code::kUnknown, ""};
  for (int attempt = 0; attempt < 200; ++attempt) {
    answered = tree().refresh({"uia:42.9"}, soon());
    if (answered.error().code != Code::kUnavailable) break;
    std::this_thread::sleep_for(Milliseconds(10));
  }
  EXPECT_EQ(answered.error().code, Code::kNotFound);
}

TEST_F(UiaTreeTest, AVanishedElementIsGone) {
  auto button = node(4, kButton, L"OK");
  root_->children = {button};
  const Element element = read().elements.at(1);
  ASSERT_TRUE(tree().refresh(element.handle, soon()));
  button->gone = true;
  EXPECT_EQ(tree().refresh(element.handle, soon()).error().code, Code::kNotFound);
}

TEST_F(UiaTreeTest, AnElementThatBecameAnotherOneIsGone) {
  auto row = node(4, kListItem, L"Row 1");
  root_->children = {row};
  const Element element = read().elements.at(1);
  row->properties[uia::kRuntimeId] = Id{42, 5};
  EXPECT_EQ(tree().refresh(element.handle, soon()).error().code, Code::kNotFound);
}

TEST_F(UiaTreeTest, AHandleThatWasNeverGivenIsUnknown) {
  EXPECT_EQ(tree().refresh({"uia:1.2.3"}, soon()).error().code, Code::kNotFound);
  EXPECT_EQ(tree().invoke({"uia:1.2.3"}, soon()).error().code, Code::kNotFound);
}

TEST_F(UiaTreeTest, AnElementOfAnotherProcessIsNotInTheWindow) {
  focused_->properties[uia::kProcessId] = 78;
  const auto found = tree().focused(window_, soon());
  // The window does not exist, so its handles tell nothing either.
  EXPECT_FALSE(found && found->element);
}

TEST_F(UiaTreeTest, LyingProvidersAreCutToSize) {
  auto liar = node(4, kEdit, L"");
  liar->properties[uia::kName] = Text(100'000, L'n');
  liar->properties[uia::kIsValueAvailable] = true;
  liar->properties[uia::kValue] = Text(100'000, L'v');
  liar->properties[uia::kBoundingRectangle] =
      Place{std::numeric_limits<double>::infinity(), 0, std::numeric_limits<double>::quiet_NaN(), 1e300};
  liar->properties[uia::kIsEnabled] = 7;            // A number instead of a truth value.
  liar->properties[uia::kProcessId] = Text(L"no");  // A text instead of a number.
  auto without_id = node(5, kButton, L"nobody");
  without_id->properties[uia::kRuntimeId] = Id{};
  auto negative = node(6, kButton, L"negative");
  negative->properties[uia::kBoundingRectangle] = Place{5, 5, -3, -4};
  root_->children = {liar, without_id, negative};
  const ElementTree tree = read();
  ASSERT_EQ(tree.elements.size(), 3U);
  EXPECT_LE(tree.elements[1].name.size(), 500U);
  EXPECT_EQ(tree.elements[1].text.size(), kMaxElementText);
  EXPECT_EQ(tree.elements[1].bounds, Rect());
  EXPECT_FALSE(tree.elements[1].has(ElementState::kShowing));
  EXPECT_FALSE(tree.elements[1].has(ElementState::kEnabled));
  EXPECT_TRUE(tree.elements[2].bounds.empty());
}

TEST_F(UiaTreeTest, InvokeUsesTheElementsOwnPattern) {
  int clicks = 0;
  auto button = node(4, kButton, L"OK");
  button->invoke = [&clicks] {
    ++clicks;
    return S_OK;
  };
  auto disabled = node(5, kButton, L"No");
  disabled->invoke = [] { return uia::kElementNotEnabled; };
  root_->children = {button, disabled, node(6, kGroup, L"plain")};
  const ElementTree tree_read = read();
  EXPECT_TRUE(tree().invoke(tree_read.elements.at(1).handle, soon()));
  EXPECT_EQ(clicks, 1);
  EXPECT_EQ(tree().invoke(tree_read.elements.at(2).handle, soon()).error().code, Code::kFailedPrecondition);
  EXPECT_EQ(tree().invoke(tree_read.elements.at(3).handle, soon()).error().code, Code::kUnimplemented);
}

// A button that opens a dialog may answer only once that is closed.
TEST_F(UiaTreeTest, AnInvokeThatDoesNotReturnIsReportedAsATimeout) {
  const auto gate = std::make_shared<fake_uia::Gate>();
  auto button = node(4, kButton, L"Open…");
  button->invoke = [gate] {
    gate->pass();
    return S_OK;
  };
  root_->children = {button};
  const Element element = read().elements.at(1);
  EXPECT_EQ(tree().invoke(element.handle, soon(100)).error().code, Code::kDeadlineExceeded);
  EXPECT_TRUE(tree().refresh(element.handle, soon()));
  gate->open();
}

// A person's click on an open menu closes it.
TEST_F(UiaTreeTest, AClickOnAnExpandedElementCollapsesIt) {
  std::string done;
  auto menu = node(4, 50011, L"File");
  menu->properties[uia::kIsExpandCollapseAvailable] = true;
  menu->properties[uia::kExpandCollapseState] = uia::kCollapsed;
  menu->expand = [&done] {
    done += "expand ";
    return S_OK;
  };
  menu->collapse = [&done] {
    done += "collapse ";
    return S_OK;
  };
  root_->children = {menu};
  const Element element = read().elements.at(1);
  EXPECT_TRUE(tree().invoke(element.handle, soon()));
  menu->properties[uia::kExpandCollapseState] = uia::kExpanded;  // The state changes after the element was read.
  EXPECT_TRUE(tree().invoke(element.handle, soon()));
  menu->properties[uia::kExpandCollapseState] = uia::kLeafNode;
  EXPECT_EQ(tree().invoke(element.handle, soon()).error().code, Code::kUnimplemented);
  EXPECT_EQ(done, "expand collapse ");
}

TEST_F(UiaTreeTest, AScrolledOutRowIsRevealed) {
  int scrolled = 0;
  auto row = node(4, kListItem, L"Row 90");
  row->properties[uia::kIsOffscreen] = true;
  row->properties[uia::kIsScrollItemAvailable] = true;
  row->properties[uia::kIsSelectionItemAvailable] = true;
  row->scroll_into_view = [&scrolled] {
    ++scrolled;
    return S_OK;
  };
  auto list = node(3, kList, L"Rows");
  list->children = {row};
  root_->children = {list};
  const Element element = read().elements.at(2);
  EXPECT_TRUE(element.has(ElementState::kScrolledOut));
  EXPECT_TRUE(element.has(ElementState::kSelectable));
  EXPECT_TRUE(tree().reveal(element.handle, soon()));
  EXPECT_EQ(scrolled, 1);
}

TEST_F(UiaTreeTest, ForgottenElementsAreReleasedAndTheirHandlesGone) {
  for (int i = 0; i < 50; ++i) root_->children.push_back(node(10 + i, kButton, L"x"));
  const ElementTree before = read();
  ASSERT_GE(fake_uia::Object<uia::AutomationElement>::alive, 50);
  tree().forget_all();
  EXPECT_EQ(fake_uia::Object<uia::AutomationElement>::alive, 0);
  EXPECT_EQ(tree().refresh(before.elements.back().handle, soon()).error().code, Code::kNotFound);
  EXPECT_EQ(read().elements.size(), before.elements.size());
}

TEST_F(UiaTreeTest, AllObjectsAreReleasedWithTheTree) {
  for (int i = 0; i < 50; ++i) root_->children.push_back(node(10 + i, kButton, L"x"));
  (void)read();
  EXPECT_GE(fake_uia::Object<uia::AutomationElement>::alive, 50);
  tree_.reset();
  for (int attempt = 0; attempt < 200 && fake_uia::Object<uia::AutomationElement>::alive > 0; ++attempt) {
    std::this_thread::sleep_for(Milliseconds(10));
  }
  EXPECT_EQ(fake_uia::Object<uia::AutomationElement>::alive, 0);
  EXPECT_EQ(fake_uia::Object<uia::Automation>::alive, 0);
  EXPECT_EQ(fake_uia::Object<uia::CacheRequest>::alive, 0);
}

}  // namespace
}  // namespace da::actuator
