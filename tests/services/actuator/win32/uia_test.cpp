#include <gtest/gtest.h>

#include <limits>
#include <thread>

#include "services/actuator/desktop/win32/ui_tree/msaa/msaa_roles.h"
#include "services/actuator/desktop/win32/ui_tree/uia/uia_element.h"
#include "services/actuator/desktop/win32/ui_tree/uia/uia_tree.h"
#include "tests/services/actuator/win32/fake_uia.h"
// After windows.h:
#include <oleacc.h>

namespace da::actuator {
namespace {

using fake_uia::Id;
using fake_uia::node;
using fake_uia::Node;
using fake_uia::Place;
using fake_uia::Text;
namespace uia = win32::uia;

constexpr int kButton = 50000;
constexpr int kEdit = 50004;
constexpr int kListItem = 50007;
constexpr int kList = 50008;
constexpr int kCustom = 50025;
constexpr int kGroup = 50026;
constexpr int kDocument = 50030;
constexpr int kWindow = 50032;
constexpr int kPane = 50033;

// What UI Automation tells of a control that it knows by MSAA alone.
std::shared_ptr<Node> legacy_node(int id, int control_type, int role, const wchar_t* name, int state = 0) {
  auto made = node(id, control_type, L"");
  made->properties[uia::kIsLegacyIAccessibleAvailable] = true;
  made->properties[uia::kLegacyName] = Text(name);
  made->properties[uia::kLegacyRole] = role;
  made->properties[uia::kLegacyState] = state;
  return made;
}

class NoWindows final : public Windows {
 public:
  Result<std::vector<WindowInfo>> list() override { return std::vector<WindowInfo>(); }
  Result<std::optional<WindowInfo>> foreground() override { return std::optional<WindowInfo>(); }
  Result<std::optional<WindowInfo>> window_at(Point) override { return std::optional<WindowInfo>(); }
  Result<void> focus(const std::string&, MonoTime) override { return ok(); }
  Result<void> close(const std::string&) override { return ok(); }
  Result<Ending> terminate(std::uint32_t, std::uint64_t, const Checkpoint&, MonoTime) override {
    return Ending::kKilled;
  }
};

class UiaTreeTest : public ::testing::Test {
 protected:
  UiaTreeTest() { root_->properties[uia::kBoundingRectangle] = Place{0, 0, 400, 300}; }

  win32::UiaTree& tree() {
    if (!tree_) {
      const auto factory = [root = root_, focused = focused_]() -> Result<win32::ComPtr<uia::Automation>> {
        return win32::ComPtr<uia::Automation>(new fake_uia::FakeAutomation(root, focused));
      };
      tree_ = *win32::UiaTree::open(windows_, factory, system_clock());
    }
    return *tree_;
  }
  static MonoTime soon(int ms = 2000) { return system_clock().now() + Milliseconds(ms); }
  ElementTree read(std::uint32_t max_nodes = 5000, int ms = 5000) {
    const auto read = tree().read(window_, {max_nodes, soon(ms)});
    EXPECT_TRUE(read) << read.error().message;
    return read.value_or(ElementTree());
  }

  NoWindows windows_;
  WindowInfo window_{.id = "0x1234", .title = "App", .pid = 77};
  std::shared_ptr<Node> root_ = node(1, kWindow, L"App");
  std::shared_ptr<Node> focused_ = node(9, kEdit, L"Name");
  std::unique_ptr<win32::UiaTree> tree_;
};

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
  // On a busy machine the time of a question may be over before it hangs.
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

TEST_F(UiaTreeTest, MsaaTellsNameRoleTextAndStatesThatUiAutomationLacks) {
  auto button = legacy_node(2, kCustom, ROLE_SYSTEM_PUSHBUTTON, L"Paint");
  auto field = legacy_node(3, kPane, ROLE_SYSTEM_TEXT, L"City");
  field->properties[uia::kLegacyValue] = Text(L"Zürich");
  auto fixed = legacy_node(4, kPane, ROLE_SYSTEM_TEXT, L"Country", STATE_SYSTEM_READONLY);
  auto box = legacy_node(5, kCustom, ROLE_SYSTEM_CHECKBUTTON, L"Subscribe", STATE_SYSTEM_CHECKED);
  auto row = legacy_node(6, kCustom, ROLE_SYSTEM_LISTITEM, L"Row", STATE_SYSTEM_SELECTABLE | STATE_SYSTEM_SELECTED);
  auto plain = legacy_node(7, kPane, ROLE_SYSTEM_CLIENT, L"");
  root_->children = {button, field, fixed, box, row, plain};
  const ElementTree tree = read();
  ASSERT_EQ(tree.elements.size(), 7U);
  EXPECT_EQ(tree.elements[1].role, "push button");
  EXPECT_EQ(tree.elements[1].name, "Paint");
  EXPECT_EQ(tree.elements[2].role, "text");
  EXPECT_EQ(tree.elements[2].text, "Zürich");
  EXPECT_TRUE(tree.elements[2].has(ElementState::kEditable));
  EXPECT_FALSE(tree.elements[3].has(ElementState::kEditable));
  EXPECT_EQ(tree.elements[4].role, "check box");
  EXPECT_TRUE(tree.elements[4].has(ElementState::kChecked));
  EXPECT_TRUE(tree.elements[5].has(ElementState::kSelected));
  EXPECT_EQ(tree.elements[6].role, "panel");
}

TEST_F(UiaTreeTest, UiAutomationComesBeforeMsaa) {
  auto edit = legacy_node(2, kEdit, ROLE_SYSTEM_PUSHBUTTON, L"legacy", STATE_SYSTEM_CHECKED | STATE_SYSTEM_READONLY);
  edit->properties[uia::kName] = Text(L"Name");
  edit->properties[uia::kIsValueAvailable] = true;
  edit->properties[uia::kValue] = Text(L"");
  edit->properties[uia::kLegacyValue] = Text(L"old");
  edit->properties[uia::kIsToggleAvailable] = true;
  edit->properties[uia::kToggleState] = 0;
  root_->children = {edit};
  const Element element = read().elements.at(1);
  EXPECT_EQ(element.role, "text");
  EXPECT_EQ(element.name, "Name");
  EXPECT_EQ(element.text, "");
  EXPECT_TRUE(element.has(ElementState::kEditable));
  EXPECT_FALSE(element.has(ElementState::kChecked));
}

TEST_F(UiaTreeTest, APasswordThatOnlyMsaaKnowsIsNotTaken) {
  for (const int control_type : {kEdit, kCustom}) {
    auto field = legacy_node(3, control_type, ROLE_SYSTEM_TEXT, L"PIN", STATE_SYSTEM_PROTECTED);
    field->properties[uia::kLegacyValue] = Text(L"hunter2");
    field->properties[uia::kIsValueAvailable] = control_type == kEdit;
    field->properties[uia::kValue] = Text(L"hunter2");
    root_->children = {field};
    const Element element = read().elements.at(1);
    EXPECT_EQ(element.role, "password text");
    EXPECT_TRUE(element.has(ElementState::kPassword));
    EXPECT_EQ(element.text, "");
  }
}

TEST_F(UiaTreeTest, LyingMsaaServersAreCutToSize) {
  auto liar = legacy_node(4, kCustom, std::numeric_limits<int>::min(), L"");
  liar->properties[uia::kLegacyName] = Text(100'000, L'n');
  auto nobody = legacy_node(5, kCustom, ROLE_SYSTEM_OUTLINEBUTTON + 1, L"");
  auto text = legacy_node(6, kCustom, ROLE_SYSTEM_TEXT, L"");
  text->properties[uia::kLegacyValue] = Text(100'000, L'v');
  auto mixed = legacy_node(7, kCustom, 0, L"");
  mixed->properties[uia::kLegacyRole] = Text(L"my own role");
  mixed->properties[uia::kLegacyState] = Text(L"my own state");
  mixed->properties[uia::kLegacyName] = 7;
  // Properties of a pattern that it does not have.
  auto absent = legacy_node(8, kCustom, ROLE_SYSTEM_PUSHBUTTON, L"absent");
  absent->properties[uia::kIsLegacyIAccessibleAvailable] = false;
  root_->children = {liar, nobody, text, mixed, absent};
  const ElementTree tree = read();
  ASSERT_EQ(tree.elements.size(), 6U);
  EXPECT_EQ(tree.elements[1].role, "panel");
  EXPECT_EQ(tree.elements[1].name.size(), 500U);
  EXPECT_EQ(tree.elements[2].role, "panel");
  EXPECT_EQ(tree.elements[3].text.size(), kMaxElementText);
  EXPECT_EQ(tree.elements[4].role, "panel");
  EXPECT_EQ(tree.elements[4].name, "");
  EXPECT_EQ(tree.elements[5].role, "panel");
  EXPECT_EQ(tree.elements[5].name, "");
}

TEST(MsaaRoles, RolesWithoutMeaningAndUnknownOnesTellNothing) {
  EXPECT_EQ(win32::role_of_msaa(ROLE_SYSTEM_TITLEBAR), "title bar");
  EXPECT_EQ(win32::role_of_msaa(ROLE_SYSTEM_OUTLINEITEM), "tree item");
  EXPECT_EQ(win32::role_of_msaa(ROLE_SYSTEM_IPADDRESS), "text");
  EXPECT_EQ(win32::role_of_msaa(ROLE_SYSTEM_OUTLINEBUTTON), "push button");
  for (const std::int64_t role : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{ROLE_SYSTEM_WINDOW},
                                  std::int64_t{ROLE_SYSTEM_CLIENT}, std::int64_t{ROLE_SYSTEM_OUTLINEBUTTON + 1},
                                  std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()}) {
    EXPECT_FALSE(win32::role_of_msaa(role)) << role;
  }
}

TEST_F(UiaTreeTest, TheDefaultActionOfMsaaIsTheLastWayToClick) {
  int pressed = 0;
  int acted = 0;
  const auto act = [&acted] {
    ++acted;
    return S_OK;
  };
  auto both = legacy_node(2, kButton, ROLE_SYSTEM_PUSHBUTTON, L"both");
  both->properties[uia::kLegacyDefaultAction] = Text(L"Press");
  both->default_action = act;
  both->invoke = [&pressed] {
    ++pressed;
    return S_OK;
  };
  auto only = legacy_node(3, kCustom, ROLE_SYSTEM_PUSHBUTTON, L"only");
  only->properties[uia::kLegacyDefaultAction] = Text(L"Press");
  only->default_action = act;
  root_->children = {both, only};
  const ElementTree tree_read = read();
  EXPECT_TRUE(tree().invoke(tree_read.elements.at(1).handle, soon()));
  EXPECT_EQ(std::pair(pressed, acted), std::pair(1, 0));
  EXPECT_TRUE(tree().invoke(tree_read.elements.at(2).handle, soon()));
  EXPECT_EQ(std::pair(pressed, acted), std::pair(1, 1));
}

TEST_F(UiaTreeTest, ADefaultActionThatIsNoClickIsNotUsed) {
  int acted = 0;
  const auto act = [&acted] {
    ++acted;
    return S_OK;
  };
  auto row = legacy_node(2, kListItem, ROLE_SYSTEM_LISTITEM, L"a double click opens it");
  row->properties[uia::kLegacyDefaultAction] = Text(L"Double Click");
  auto without = legacy_node(3, kCustom, ROLE_SYSTEM_PUSHBUTTON, L"has no default action");
  auto disabled = legacy_node(4, kCustom, ROLE_SYSTEM_PUSHBUTTON, L"disabled");
  disabled->properties[uia::kLegacyDefaultAction] = Text(L"Press");
  disabled->properties[uia::kIsEnabled] = false;
  auto liar = legacy_node(5, kCustom, ROLE_SYSTEM_PUSHBUTTON, L"names an action that it does not have");
  liar->properties[uia::kLegacyDefaultAction] = Text(L"Press");
  root_->children = {row, without, disabled, liar};
  for (const auto& each : {row, without, disabled}) each->default_action = act;
  liar->default_action = [] { return DISP_E_MEMBERNOTFOUND; };
  const ElementTree tree_read = read();
  EXPECT_EQ(tree().invoke(tree_read.elements.at(1).handle, soon()).error().code, Code::kUnimplemented);
  EXPECT_EQ(tree().invoke(tree_read.elements.at(2).handle, soon()).error().code, Code::kUnimplemented);
  EXPECT_EQ(tree().invoke(tree_read.elements.at(3).handle, soon()).error().code, Code::kFailedPrecondition);
  EXPECT_EQ(tree().invoke(tree_read.elements.at(4).handle, soon()).error().code, Code::kUnimplemented);
  EXPECT_EQ(acted, 0);
}

TEST_F(UiaTreeTest, AHangingDefaultActionIsReportedAsATimeout) {
  const auto gate = std::make_shared<fake_uia::Gate>();
  auto button = legacy_node(4, kCustom, ROLE_SYSTEM_PUSHBUTTON, L"Open…");
  button->properties[uia::kLegacyDefaultAction] = Text(L"Press");
  button->default_action = [gate] {
    gate->pass();
    return S_OK;
  };
  root_->children = {button};
  const Element element = read().elements.at(1);
  const MonoTime begin = system_clock().now();
  EXPECT_EQ(tree().invoke(element.handle, soon(100)).error().code, Code::kDeadlineExceeded);
  EXPECT_LT(system_clock().now() - begin, Milliseconds(1500));
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
  menu->properties[uia::kExpandCollapseState] = uia::kExpanded;  // After it was read.
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
