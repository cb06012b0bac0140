#include "lib/contract/catalogue.h"

#include <gtest/gtest.h>

#include <set>

namespace da::contract {
namespace {

TEST(Catalogue, ContainsEveryTool) {
  const std::set<std::string> expected = {"list_windows",
                                          "close_window",
                                          "mouse",
                                          "scroll",
                                          "drag",
                                          "press",
                                          "hotkey",
                                          "write",
                                          "paste",
                                          "sleep",
                                          "launch",
                                          "focus_window",
                                          "ui_snapshot",
                                          "ui_find",
                                          "ui_click",
                                          "keyboard_type",
                                          "click_described_element",
                                          "type_in_described_field",
                                          "check_element_property",
                                          "zoom",
                                          "wait_for",
                                          "ask_user",
                                          "file_delete",
                                          "app_terminate"};
  std::set<std::string> found;
  for (const Tool& tool : tools()) found.insert(tool.name());
  EXPECT_EQ(found, expected);
}

TEST(Catalogue, EveryToolHasRiskHandlerAndSummary) {
  for (const Tool& tool : tools()) {
    EXPECT_NE(tool.options->risk(), v1::RISK_UNSPECIFIED) << tool.name();
    EXPECT_NE(tool.options->handler(), v1::HANDLER_UNSPECIFIED) << tool.name();
    EXPECT_FALSE(tool.options->summary().empty()) << tool.name();
    EXPECT_EQ(tool.field->name(), tool.name());
  }
}

TEST(Catalogue, EveryArgumentIsDescribed) {
  for (const Tool& tool : tools()) {
    for (int i = 0; i < tool.arguments->field_count(); ++i) {
      EXPECT_FALSE(arg_options(*tool.arguments->field(i)).summary().empty()) << tool.arguments->field(i)->full_name();
    }
    for (const std::string& name : tool.options->exactly_one_of()) {
      EXPECT_NE(tool.arguments->FindFieldByName(name), nullptr) << tool.name() << "." << name;
    }
  }
}

TEST(Catalogue, NamesAndAliasesAreUniqueInADialect) {
  for (const auto dialect : {v1::DIALECT_STEPS, v1::DIALECT_SUGGESTION, v1::DIALECT_COMMAND}) {
    std::set<std::string> seen;
    for (const Tool& tool : tools()) {
      EXPECT_TRUE(seen.insert(tool.name()).second);
      for (const auto& alias : tool.options->aliases()) {
        if (alias.dialect() != dialect) continue;
        EXPECT_TRUE(seen.insert(alias.name()).second) << alias.name();
      }
    }
  }
}

TEST(FindTool, FindsAliasOnlyInItsDialect) {
  ASSERT_NE(find_tool("type", v1::DIALECT_STEPS), nullptr);
  EXPECT_EQ(find_tool("type", v1::DIALECT_STEPS)->name(), "write");
  EXPECT_EQ(find_tool("type", v1::DIALECT_COMMAND), nullptr);
  EXPECT_EQ(find_tool("Mouse", v1::DIALECT_STEPS), nullptr);
}

TEST(RiskOf, MoveIsSafeAndClickIsNot) {
  v1::Action action;
  action.mutable_mouse()->set_x(1);
  EXPECT_EQ(risk_of(action), v1::RISK_WRITE);
  action.mutable_mouse()->set_action(v1::Mouse::GESTURE_MOVE);
  EXPECT_EQ(risk_of(action), v1::RISK_SAFE);
  action.mutable_mouse()->set_action(v1::Mouse::GESTURE_DOWN);
  EXPECT_EQ(risk_of(action), v1::RISK_WRITE);
}

TEST(RiskOf, ActionWithoutToolIsCritical) { EXPECT_EQ(risk_of(v1::Action()), v1::RISK_CRITICAL); }

TEST(RiskOf, DeletingAndTerminatingAreCritical) {
  v1::Action action;
  action.mutable_file_delete()->set_path("/x");
  EXPECT_EQ(risk_of(action), v1::RISK_CRITICAL);
  action.mutable_app_terminate()->set_title("x");
  EXPECT_EQ(risk_of(action), v1::RISK_CRITICAL);
}

}  // namespace
}  // namespace da::contract
