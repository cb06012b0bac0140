#include <limits>

#include "services/actuator/desktop/win32/ui_tree/msaa/msaa_roles.h"
#include "tests/services/actuator/win32/ui_tree/uia_fixture.h"
// Must be included after windows.h:
#include <oleacc.h>

namespace da::actuator {
namespace {

// What UI Automation reports about a control that it knows by MSAA alone.
std::shared_ptr<Node> legacy_node(int id, int control_type, int role, const wchar_t* name, int state = 0) {
  auto made = node(id, control_type, L"");
  made->properties[uia::kIsLegacyIAccessibleAvailable] = true;
  made->properties[uia::kLegacyName] = Text(name);
  made->properties[uia::kLegacyRole] = role;
  made->properties[uia::kLegacyState] = state;
  return made;
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

}  // namespace
}  // namespace da::actuator
