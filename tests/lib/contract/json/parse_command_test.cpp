#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/contract/json/parse.h"
#include "lib/contract/json/strict_json.h"

namespace da::contract {
namespace {

using testing::HasSubstr;

std::string command_error(const std::string& json) {
  const auto command = parse_command(json);
  return command.action ? "(accepted)" : command.action.error().message;
}

v1::Action action_of(const std::string& json) {
  const auto command = parse_command(json);
  EXPECT_TRUE(command.action && *command.action) << command_error(json);
  return command.action && *command.action ? **command.action : v1::Action();
}

TEST(ParseCommand, ReadsTheCommandsOfTheBible) {
  EXPECT_EQ(action_of(R"({"id":"1","action":"ui_snapshot","payload":{"scope":null}})").tool_case(),
            v1::Action::kUiSnapshot);
  EXPECT_EQ(action_of(R"({"id":"2","action":"ui_find","payload":{"query":"Save"}})").ui_find().query(), "Save");
  const auto click = action_of(R"({"id":"3","action":"ui_click","payload":{"element_id":"e1","double_click":false}})");
  EXPECT_EQ(click.ui_click().element_id(), "e1");
  EXPECT_FALSE(click.ui_click().double_click());
  const auto type = action_of(R"({"id":"4","action":"keyboard_type","payload":{"text":"hi","submit":true}})");
  EXPECT_EQ(type.keyboard_type().text(), "hi");
  EXPECT_TRUE(type.keyboard_type().submit());
}

TEST(ParseCommand, ReadsTheNamesWithDots) {
  EXPECT_TRUE(action_of(R"({"id":"1","action":"ui.snapshot"})").has_ui_snapshot());
  EXPECT_TRUE(action_of(R"({"id":"1","action":"ui.find","payload":{"query":"x"}})").has_ui_find());
  EXPECT_TRUE(action_of(R"({"id":"1","action":"ui.click","payload":{"element_id":"x"}})").has_ui_click());
  EXPECT_TRUE(action_of(R"({"id":"1","action":"keyboard.type","payload":{"text":"x"}})").has_keyboard_type());
  EXPECT_TRUE(action_of(R"({"id":"1","action":"file.delete","payload":{"path":"/x"}})").has_file_delete());
  EXPECT_TRUE(action_of(R"({"id":"1","action":"app.terminate","payload":{"title":"x"}})").has_app_terminate());
}

TEST(ParseCommand, ReadsEveryToolByItsName) {
  EXPECT_EQ(action_of(R"({"id":"1","action":"mouse","payload":{"x":3,"y":-4}})").mouse().y(), -4);
  EXPECT_TRUE(action_of(R"({"id":"1","action":"list_windows"})").has_list_windows());
}

TEST(ParseCommand, TerminateWithoutPayloadEndsTheSession) {
  for (const char* json : {R"({"id":"9","action":"terminate"})", R"({"id":"9","action":"terminate","payload":null})",
                           R"({"id":"9","action":"terminate","payload":{}})"}) {
    const auto command = parse_command(json);
    ASSERT_TRUE(command.action) << json;
    EXPECT_FALSE(command.action->has_value());
    EXPECT_EQ(command.id, "9");
  }
}

// An application would be killed if the payload were ignored, or read as that of app_terminate.
TEST(ParseCommand, TerminateWithPayloadIsRefused) {
  EXPECT_THAT(command_error(R"({"id":"9","action":"terminate","payload":{"title":"Mousepad"}})"),
              HasSubstr("payload must be null for terminate"));
}

TEST(ParseCommand, ErrorsNameTheFieldAndKeepTheId) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({"id":"7","action":"dance"})", "unknown tool \"dance\""},
      {R"({"id":"7","action":"type","payload":{"text":"x"}})", "unknown tool \"type\""},
      {R"({"id":"7","action":"CLICK_DESCRIBED_ELEMENT","payload":{"target_description":"x"}})", "unknown tool"},
      {R"({"id":"7","action":"ui.click"})", "ui.click.element_id is missing"},
      {R"({"id":"7","action":"ui.click","payload":{"element":"x"}})", "has no argument \"element\""},
      {R"({"id":"7","action":"ui.click","payload":{"element_id":5}})", "element_id must be a string"},
      {R"({"id":"7","action":"ui.click","payload":["x"]})", "must be an object"},
      {R"({"id":"7","action":"ui.click","payload":"x"})", "must be an object"},
      {R"({"id":"7","action":5})", "action must be a string, not the number 5"},
      {R"({"id":"7","payload":{}})", "lacks the key \"action\""},
      {R"({"id":"7","action":"ui.snapshot","extra":1})", "unknown key \"extra\""},
      {R"({"id":"7","action":"sleep","payload":{"secs":99}})", "secs"},
      {R"({"id":"7","action":"mouse","payload":{"x":1.5,"y":2}})", "x must be an integer"}};
  for (const auto& [json, part] : cases) {
    EXPECT_THAT(command_error(json), HasSubstr(part)) << json;
    EXPECT_EQ(parse_command(json).id, "7") << json;
  }
}

TEST(ParseCommand, UnusableIdIsAnError) {
  EXPECT_THAT(command_error(R"({"action":"ui.snapshot"})"), HasSubstr("lacks the key \"id\""));
  EXPECT_THAT(command_error(R"({"id":7,"action":"ui.snapshot"})"), HasSubstr("id must be a string, not the number 7"));
  EXPECT_THAT(command_error(R"({"id":"","action":"ui.snapshot"})"), HasSubstr("id must have 1 to 200 bytes"));
  const std::string id(kMaxCommandId + 1, 'a');
  const auto command = parse_command(R"({"id":")" + id + R"(","action":"ui.snapshot"})");
  EXPECT_FALSE(command.action);
  EXPECT_EQ(command.id, "");
}

TEST(ParseCommand, HostileLinesAreErrorsWithoutAnId) {
  std::string deep = R"({"id":"1","action":"ui.find","payload":)";
  for (int i = 0; i < 100'000; ++i) deep += "[";
  const std::string lines[] = {
      "",
      "null",
      "[]",
      "\"ui.snapshot\"",
      "{",
      R"({"id":"1","action":"ui.snapshot"} {"id":"2","action":"ui.snapshot"})",
      R"({"id":"1","action":"ui.snapshot"}x)",
      "\xef\xbb\xbf{\"id\":\"1\",\"action\":\"ui.snapshot\"}",
      "{\"id\":\"1\xff\",\"action\":\"ui.snapshot\"}",
      std::string("{\"id\":\"1\",\"action\":\"ui.snapshot\"}\0", 35),
      R"({"id":"1","id":"2","action":"ui.snapshot"})",
      R"({"id":"1","action":"ui.find","payload":{"query":"a","query":"b"}})",
      R"({"id":"1","action":"ui.find","payload":{"query":"\ud800"}})",
      R"({'id':'1','action':'ui.snapshot'})",
      deep,
      R"({"id":"1","action":"write","payload":{"text":")" + std::string(kMaxJsonBytes, 'a') + "\"}}"};
  for (const std::string& line : lines) {
    const auto command = parse_command(line);
    EXPECT_FALSE(command.action) << line.substr(0, 100);
    EXPECT_EQ(command.id, "") << line.substr(0, 100);
  }
}

}  // namespace
}  // namespace da::contract
