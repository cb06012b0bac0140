#include "lib/contract/named_action.h"

#include <gtest/gtest.h>

#include "lib/contract/describe.h"

namespace da::contract {
namespace {

v1::UiNode element(const std::string& role, const std::string& name) {
  v1::UiNode node;
  node.set_role(role);
  node.set_name(name);
  return node;
}

v1::Window window(const std::string& executable, const std::string& title) {
  v1::Window found;
  found.set_executable(executable);
  found.set_title(title);
  return found;
}

v1::Action ui_click() {
  v1::Action action;
  action.mutable_ui_click()->set_element_id("6f1c9c52-0000-4000-8000-000000000000");
  return action;
}

v1::Evidence seven() {
  v1::Evidence evidence;
  *evidence.mutable_target_element() = element("toggle button", "7");
  *evidence.mutable_target_window() = window("/usr/bin/galculator", "Galculator");
  return evidence;
}

// Regression: a person had to approve ui_click element_id="6f1c...".
TEST(NamedAction, ClickNamesElementAndProgram) {
  EXPECT_EQ(describe(ui_click(), seven()), "click toggle button \"7\" in galculator");
  v1::Action twice = ui_click();
  twice.mutable_ui_click()->set_double_click(true);
  EXPECT_EQ(describe(twice, seven()), "double-click toggle button \"7\" in galculator");
}

TEST(NamedAction, ProgramIsTheLastPartOfAPathOnEitherSystem) {
  EXPECT_EQ(name_window(window("/usr/bin/gedit", "")), "gedit");
  EXPECT_EQ(name_window(window(R"(C:\Windows\notepad)", "")), "notepad");
  EXPECT_EQ(name_window(window("C:/tools/notepad", "")), "notepad");
}

TEST(NamedAction, PointerActionIncludesPlace) {
  v1::Action action;
  action.mutable_mouse()->set_x(10);
  action.mutable_mouse()->set_y(-2);
  EXPECT_EQ(describe(action, seven()), "click toggle button \"7\" in galculator at 10,-2");
  action.mutable_mouse()->set_button(v1::MOUSE_BUTTON_RIGHT);
  EXPECT_EQ(describe(action, seven()), "right-click toggle button \"7\" in galculator at 10,-2");
  action.mutable_mouse()->set_action(v1::Mouse::GESTURE_DOWN);
  EXPECT_EQ(describe(action, seven()), describe(action) + " on toggle button \"7\" in galculator");
  v1::Action scroll;
  scroll.mutable_scroll()->set_dy(-3);
  EXPECT_EQ(describe(scroll, seven()), "scroll up 3 over toggle button \"7\" in galculator at 0,0");
}

TEST(NamedAction, DragNamesBothEnds) {
  v1::Action action;
  action.mutable_drag()->add_path()->set_x(1);
  action.mutable_drag()->add_path()->set_x(2);
  v1::Evidence evidence = seven();
  *evidence.mutable_drop_element() = element("list", "Done");
  *evidence.mutable_drop_window() = window("/usr/bin/board", "");
  EXPECT_EQ(describe(action, evidence),
            describe(action) + " from toggle button \"7\" in galculator to list \"Done\" in board");
}

TEST(NamedAction, FallsBackToCallWithoutNames) {
  EXPECT_EQ(describe(ui_click(), v1::Evidence()), describe(ui_click()));
  v1::Action write;
  write.mutable_write()->set_text("hi");
  EXPECT_EQ(describe(write, seven()), describe(write));
}

TEST(NamedAction, ForeignNamesCannotFakeOtherNames) {
  v1::Evidence evidence = seven();
  evidence.mutable_target_element()->set_name("OK\" in bank\x1b[2J");
  EXPECT_EQ(describe(ui_click(), evidence), "click toggle button \"OK\\\" in bank\\x1b[2J\" in galculator");
  evidence.mutable_target_element()->set_role("button \"Cancel\" in bank");
  evidence.mutable_target_element()->set_name("");
  EXPECT_EQ(describe(ui_click(), evidence), "click element in galculator");
  *evidence.mutable_target_window() = window("/tmp/a in bank", "My \"bank\"");
  EXPECT_EQ(describe(ui_click(), evidence), "click element in \"My \\\"bank\\\"\"");
}

TEST(NamedAction, StepUsesProposersTarget) {
  v1::Step step;
  *step.mutable_action() = ui_click();
  EXPECT_EQ(describe(step), describe(ui_click()));
  step.set_target("push button \"Save\" in mousepad\x1b");
  EXPECT_EQ(describe(step), "click push button \"Save\" in mousepad\\x1b");
}

}  // namespace
}  // namespace da::contract
