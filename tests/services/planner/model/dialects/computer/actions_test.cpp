#include "services/planner/model/dialects/computer/actions.h"

#include <gtest/gtest.h>

#include <string>

#include "lib/contract/json/parse.h"

namespace da::planner::model {
namespace {

using nlohmann::json;

struct ActionCase {
  const char* name;  // The function's name, if that is the action.
  const char* action;
  const char* steps;  // {"tool":{args}}, in order.
};

class Actions : public testing::Test {
 protected:
  Result<std::vector<OurCall>> read(Vocabulary vocabulary, const std::string& name, const std::string& action) {
    screen_ = {1000, 800, {7, 9}};
    ToolCall call{"id", name, json::array({json::parse(action)}), {}};
    return our_calls(vocabulary, call, screen_);
  }

  void expect(Vocabulary vocabulary, const ActionCase& row) {
    const auto calls = read(vocabulary, row.name, row.action);
    ASSERT_TRUE(calls) << row.action << ": " << calls.error().message;
    json steps = json::array();
    for (const OurCall& call : *calls) {
      steps.push_back({{call.tool, call.args}});
      const auto action = contract::parse_action(call.tool, call.args.dump());
      EXPECT_TRUE(action) << row.action << " is no call of the contract: " << action.error().message;
    }
    EXPECT_EQ(steps, json::parse(row.steps)) << row.action;
  }

  void expect_refused(Vocabulary vocabulary, const char* name, const char* action, const std::string& why) {
    const auto calls = read(vocabulary, name, action);
    ASSERT_FALSE(calls) << action;
    EXPECT_EQ(calls.error().code, Code::kInvalidArgument);
    EXPECT_NE(calls.error().message.find(why), std::string::npos) << action << ": " << calls.error().message;
  }

  Screen screen_;
};

TEST_F(Actions, OpenAiActionsBecomeOurCalls) {
  const ActionCase rows[] = {
      {"", R"({"type":"click","button":"left","x":10,"y":20})", R"([{"mouse":{"x":10,"y":20}}])"},
      {"", R"({"type":"click","button":"left","x":10,"y":20,"keys":null})", R"([{"mouse":{"x":10,"y":20}}])"},
      {"", R"({"type":"click","button":"left","x":10,"y":20,"keys":[]})", R"([{"mouse":{"x":10,"y":20}}])"},
      {"", R"({"type":"click","button":"right","x":10,"y":20})", R"([{"mouse":{"x":10,"y":20,"button":"right"}}])"},
      {"", R"({"type":"click","button":"wheel","x":10,"y":20})", R"([{"mouse":{"x":10,"y":20,"button":"middle"}}])"},
      {"", R"({"type":"double_click","x":10,"y":20,"keys":null})", R"([{"mouse":{"x":10,"y":20,"clicks":2}}])"},
      {"", R"({"type":"drag","path":[{"x":1,"y":2},{"x":3,"y":4}]})",
       R"([{"drag":{"path":[{"x":1,"y":2},{"x":3,"y":4}]}}])"},
      {"", R"({"type":"keypress","keys":["CTRL","S"]})", R"([{"hotkey":{"keys":["CTRL","S"]}}])"},
      {"", R"({"type":"keypress","keys":["ENTER"]})", R"([{"press":{"key":"ENTER"}}])"},
      {"", R"({"type":"keypress","keys":["ARROWDOWN"]})", R"([{"press":{"key":"ARROWDOWN"}}])"},
      {"", R"({"type":"move","x":10.4,"y":20.6})", R"([{"mouse":{"x":10,"y":21,"action":"move"}}])"},
      {"", R"({"type":"screenshot"})", R"([{"sleep":{"secs":0.0}}])"},
      {"", R"({"type":"scroll","x":10,"y":20,"scroll_x":0,"scroll_y":300})", R"([{"scroll":{"x":10,"y":20,"dy":3}}])"},
      {"", R"({"type":"scroll","x":10,"y":20,"scroll_x":-20,"scroll_y":0})", R"([{"scroll":{"x":10,"y":20,"dx":-1}}])"},
      {"", R"({"type":"scroll","x":10,"y":20,"scroll_x":0,"scroll_y":-99999})",
       R"([{"scroll":{"x":10,"y":20,"dy":-100}}])"},
      {"", R"({"type":"type","text":"Grüße\n"})", R"([{"write":{"text":"Grüße\n"}}])"},
      {"", R"({"type":"wait"})", R"([{"sleep":{"secs":2.0}}])"},
  };
  for (const ActionCase& row : rows) expect(Vocabulary::kOpenAi, row);
}

TEST_F(Actions, AnthropicActionsBecomeOurCalls) {
  const ActionCase rows[] = {
      {"computer", R"({"action":"key","text":"ctrl+s"})", R"([{"hotkey":{"keys":["ctrl","s"]}}])"},
      {"computer", R"({"action":"key","text":"Return"})", R"([{"press":{"key":"Return"}}])"},
      {"computer", R"({"action":"key","text":"ctrl++"})", R"([{"hotkey":{"keys":["ctrl","+"]}}])"},
      {"computer", R"({"action":"key","text":"Control_L+slash"})", R"([{"hotkey":{"keys":["Control_L","slash"]}}])"},
      {"computer", R"({"action":"key","text":"Prior"})", R"([{"press":{"key":"Prior"}}])"},
      {"computer", R"({"action":"key","text":"+"})", R"([{"press":{"key":"+"}}])"},
      {"computer", R"({"action":"key","text":"Down Down Return"})", R"([{"press":{"keys":["Down","Down","Return"]}}])"},
      {"computer", R"({"action":"key","text":"ctrl+a Delete"})",
       R"([{"hotkey":{"keys":["ctrl","a"]}},{"press":{"key":"Delete"}}])"},
      {"computer", R"({"action":"key","text":"Tab","repeat":3})", R"([{"press":{"keys":["Tab","Tab","Tab"]}}])"},
      {"computer", R"({"action":"type","text":"a b"})", R"([{"write":{"text":"a b"}}])"},
      {"computer", R"({"action":"cursor_position"})", R"([{"sleep":{"secs":0.0}}])"},
      {"computer", R"({"action":"screenshot"})", R"([{"sleep":{"secs":0.0}}])"},
      {"computer", R"({"action":"mouse_move","coordinate":[10,20]})", R"([{"mouse":{"x":10,"y":20,"action":"move"}}])"},
      {"computer", R"({"action":"left_click","coordinate":[10,20]})", R"([{"mouse":{"x":10,"y":20}}])"},
      {"computer", R"({"action":"left_click","coordinate":[10,20],"text":""})", R"([{"mouse":{"x":10,"y":20}}])"},
      {"computer", R"({"action":"left_click"})", R"([{"mouse":{"x":7,"y":9}}])"},
      {"computer", R"({"action":"right_click","coordinate":[10,20]})",
       R"([{"mouse":{"x":10,"y":20,"button":"right"}}])"},
      {"computer", R"({"action":"middle_click"})", R"([{"mouse":{"x":7,"y":9,"button":"middle"}}])"},
      {"computer", R"({"action":"double_click","coordinate":[10,20]})", R"([{"mouse":{"x":10,"y":20,"clicks":2}}])"},
      {"computer", R"({"action":"triple_click","coordinate":[10,20]})", R"([{"mouse":{"x":10,"y":20,"clicks":3}}])"},
      {"computer", R"({"action":"left_click_drag","coordinate":[30,40]})",
       R"([{"drag":{"path":[{"x":7,"y":9},{"x":30,"y":40}]}}])"},
      {"computer", R"({"action":"left_click_drag","start_coordinate":[1,2],"coordinate":[30,40]})",
       R"([{"drag":{"path":[{"x":1,"y":2},{"x":30,"y":40}]}}])"},
      {"computer", R"({"action":"left_mouse_down"})", R"([{"mouse":{"x":7,"y":9,"action":"down"}}])"},
      {"computer", R"({"action":"left_mouse_up"})", R"([{"mouse":{"x":7,"y":9,"action":"up"}}])"},
      {"computer", R"({"action":"scroll","coordinate":[10,20],"scroll_direction":"down","scroll_amount":5})",
       R"([{"scroll":{"x":10,"y":20,"dy":5}}])"},
      {"computer", R"({"action":"scroll","scroll_direction":"left","scroll_amount":2})",
       R"([{"scroll":{"x":7,"y":9,"dx":-2}}])"},
      {"computer", R"({"action":"wait","duration":3.5})", R"([{"sleep":{"secs":3.5}}])"},
      {"computer", R"({"action":"wait","duration":60})", R"([{"sleep":{"secs":5.0}}])"},
      {"computer", R"({"action":"zoom","region":[10,20,110,70]})",
       R"([{"zoom":{"x":10,"y":20,"width":100,"height":50}}])"},
  };
  for (const ActionCase& row : rows) expect(Vocabulary::kAnthropic, row);
}

TEST_F(Actions, GeminiActionsBecomeOurCalls) {
  const ActionCase rows[] = {
      {"click", R"({"x":500,"y":500,"intent":"open it"})", R"([{"mouse":{"x":500,"y":400}}])"},
      {"click", R"({"x":1000,"y":1000})", R"([{"mouse":{"x":999,"y":799}}])"},
      {"click_at", R"({"x":0,"y":0})", R"([{"mouse":{"x":0,"y":0}}])"},
      {"double_click", R"({"x":500,"y":500})", R"([{"mouse":{"x":500,"y":400,"clicks":2}}])"},
      {"triple_click", R"({"x":500,"y":500})", R"([{"mouse":{"x":500,"y":400,"clicks":3}}])"},
      {"right_click", R"({"x":500,"y":500})", R"([{"mouse":{"x":500,"y":400,"button":"right"}}])"},
      {"middle_click", R"({"x":500,"y":500})", R"([{"mouse":{"x":500,"y":400,"button":"middle"}}])"},
      {"move", R"({"x":500,"y":500})", R"([{"mouse":{"x":500,"y":400,"action":"move"}}])"},
      {"hover_at", R"({"x":500,"y":500})", R"([{"mouse":{"x":500,"y":400,"action":"move"}}])"},
      {"mouse_down", R"({"x":500,"y":500})", R"([{"mouse":{"x":500,"y":400,"action":"down"}}])"},
      {"mouse_up", R"({"button":"right"})", R"([{"mouse":{"x":7,"y":9,"button":"right","action":"up"}}])"},
      {"type", R"({"text":"a"})", R"([{"keyboard_type":{"text":"a"}}])"},
      {"type", R"({"text":"a","press_enter":true})", R"([{"keyboard_type":{"text":"a","submit":true}}])"},
      {"type_text_at", R"({"x":100,"y":100,"text":"a"})",
       R"([{"mouse":{"x":100,"y":80}},{"hotkey":{"keys":["ctrl","a"]}},{"keyboard_type":{"text":"a","submit":true}}])"},
      {"type_text_at", R"({"x":100,"y":100,"text":"a","press_enter":false,"clear_before_typing":false})",
       R"([{"mouse":{"x":100,"y":80}},{"keyboard_type":{"text":"a"}}])"},
      {"press_key", R"({"key":"enter"})", R"([{"press":{"key":"enter"}}])"},
      {"hotkey", R"({"keys":["control","s"]})", R"([{"hotkey":{"keys":["control","s"]}}])"},
      {"key_combination", R"({"keys":"control+c"})", R"([{"hotkey":{"keys":["control","c"]}}])"},
      {"scroll", R"({"x":500,"y":500,"direction":"down","magnitude_in_pixels":250})",
       R"([{"scroll":{"x":500,"y":400,"dy":3}}])"},
      {"scroll_at", R"({"x":500,"y":500,"direction":"up","magnitude":500})",
       R"([{"scroll":{"x":500,"y":400,"dy":-4}}])"},
      {"scroll_at", R"({"x":500,"y":500,"direction":"right"})", R"([{"scroll":{"x":500,"y":400,"dx":8}}])"},
      {"scroll_document", R"({"direction":"down"})", R"([{"scroll":{"x":500,"y":400,"dy":6}}])"},
      {"drag_and_drop", R"({"x":0,"y":0,"destination_x":500,"destination_y":500})",
       R"([{"drag":{"path":[{"x":0,"y":0},{"x":500,"y":400}]}}])"},
      {"drag_and_drop", R"({"start_x":0,"start_y":0,"end_x":500,"end_y":500})",
       R"([{"drag":{"path":[{"x":0,"y":0},{"x":500,"y":400}]}}])"},
      {"wait", R"({"seconds":2})", R"([{"sleep":{"secs":2.0}}])"},
      {"wait_5_seconds", R"({})", R"([{"sleep":{"secs":5.0}}])"},
      {"take_screenshot", R"({})", R"([{"sleep":{"secs":0.0}}])"},
      {"go_back", R"({})", R"([{"hotkey":{"keys":["alt","left"]}}])"},
      {"go_forward", R"({})", R"([{"hotkey":{"keys":["alt","right"]}}])"},
  };
  for (const ActionCase& row : rows) expect(Vocabulary::kGemini, row);
}

TEST_F(Actions, UnsupportedActionIsRefusedWithAReason) {
  using enum Vocabulary;
  expect_refused(kOpenAi, "", R"({"type":"teleport"})", "known: click, double_click");
  expect_refused(kOpenAi, "", R"({"type":"click","button":"back","x":1,"y":2})", "known: left, right, wheel");
  expect_refused(kOpenAi, "", R"({"type":"click","button":"left","x":1,"y":2,"keys":["CTRL"]})", "cannot hold keys");
  expect_refused(kAnthropic, "computer", R"({"action":"left_click","coordinate":[1,2],"text":"shift"})",
                 "cannot hold keys");
  expect_refused(kAnthropic, "computer", R"({"action":"hold_key","text":"a","duration":1})", "never held");
  expect_refused(kAnthropic, "bash", R"({"command":"rm -rf /"})", "lacks its \"action\"");
  expect_refused(kGemini, "open_web_browser", R"({})", "not possible here");
  expect_refused(kGemini, "navigate", R"({"url":"https://example.com"})", "not possible here");
  expect_refused(kGemini, "key_down", R"({"key":"shift"})", "never held");
}

TEST_F(Actions, HostileArgumentsAreRefused) {
  using enum Vocabulary;
  expect_refused(kOpenAi, "", R"(7)", "is not an object");
  expect_refused(kOpenAi, "", R"({})", "lacks its \"type\"");
  expect_refused(kOpenAi, "", R"({"type":7})", "lacks its \"type\"");
  expect_refused(kOpenAi, "", R"({"type":"click","button":"left","x":"1","y":2})", "wrong x");
  expect_refused(kOpenAi, "", R"({"type":"click","button":"left","x":1e300,"y":2})", "wrong x");
  expect_refused(kOpenAi, "", R"({"type":"click","button":"left","y":2})", "lacks the argument x");
  expect_refused(kOpenAi, "", R"({"type":"click","button":"left","x":1,"y":2,"force":true})",
                 "unknown argument \"force\"");
  expect_refused(kOpenAi, "", R"({"type":"type","text":["a"]})", "wrong text");
  expect_refused(kOpenAi, "", R"({"type":"keypress","keys":[]})", "at least one key");
  expect_refused(kOpenAi, "", R"({"type":"keypress","keys":[{}]})", "wrong keys");
  expect_refused(kOpenAi, "", R"({"type":"drag","path":[{"x":1,"y":2}]})", "at least two points");
  expect_refused(kOpenAi, "", R"({"type":"drag","path":[{"x":1,"y":2,"z":3},{"x":1,"y":2}]})",
                 "unknown argument \"z\"");
  expect_refused(kAnthropic, "computer", R"({"action":"left_click","coordinate":[1]})", "a list of 2 numbers");
  expect_refused(kAnthropic, "computer", R"({"action":"left_click","coordinate":["1","2"]})", "wrong coordinate");
  expect_refused(kAnthropic, "computer", R"({"action":"scroll","scroll_direction":"in","scroll_amount":1})",
                 "known: up, down, left, right");
  expect_refused(kAnthropic, "computer", R"({"action":"scroll","scroll_direction":"up","scroll_amount":1e9})",
                 "wrong scroll_amount");
  expect_refused(kAnthropic, "computer", R"({"action":"zoom","region":[10,10,10,20]})", "empty region");
  expect_refused(kAnthropic, "computer", R"({"action":"key","text":"  "})", "needs a key");
  expect_refused(kGemini, "click", R"({"x":1001,"y":0})", "from 0 to 1000");
  expect_refused(kGemini, "click", R"({"x":-1,"y":0})", "from 0 to 1000");
  expect_refused(kGemini, "a\u001b[2Jb", R"({})", "\\x1b[2J");
}

TEST_F(Actions, BatchMovesThePointerWithEachAction) {
  Screen screen{1000, 800, {7, 9}};
  const ToolCall call{"id",
                      "computer",
                      json::parse(R"([{"action":"left_mouse_down","coordinate":[5,6]},
                      {"action":"mouse_move","coordinate":[50,60]},{"action":"left_mouse_up"}])"),
                      {}};
  const auto calls = our_calls(Vocabulary::kAnthropic, call, screen);
  ASSERT_TRUE(calls) << calls.error().message;
  ASSERT_EQ(calls->size(), 3u);
  EXPECT_EQ(calls->back().args.dump(), R"({"x":50,"y":60,"action":"up"})");
}

TEST_F(Actions, GeminiIntentBecomesTheReason) {
  const auto calls = read(Vocabulary::kGemini, "click", R"({"x":1,"y":1,"intent":"open it"})");
  ASSERT_TRUE(calls);
  EXPECT_EQ(calls->front().why, "open it");
}

TEST_F(Actions, ACallWithoutActionsIsRefused) {
  Screen screen{1000, 800, {}};
  EXPECT_FALSE(our_calls(Vocabulary::kOpenAi, {"id", "computer", json::array(), {}}, screen));
  EXPECT_FALSE(our_calls(Vocabulary::kOpenAi, {"id", "computer", json(), {}}, screen));
  const json many = json(std::vector<json>(101, json::parse(R"({"type":"wait"})")));
  EXPECT_FALSE(our_calls(Vocabulary::kOpenAi, {"id", "computer", many, {}}, screen));
}

}  // namespace
}  // namespace da::planner::model
