#include "services/console/stdio/command_answer.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace da::console {
namespace {

using nlohmann::json;
using Answer = v1::CommandAnswer;

json parsed(const std::string& id, const Answer& answer) {
  const std::string line = answer_line(id, answer);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  return json::parse(line);
}

v1::UiNode node(const std::string& id, const std::string& parent, const std::string& window = "w1") {
  v1::UiNode made;
  made.set_element_id(id);
  made.set_parent_id(parent);
  made.set_window_id(window);
  made.set_role("push button");
  made.set_name("name of " + id);
  made.add_states(v1::UI_STATE_SHOWING);
  made.add_states(v1::UI_STATE_SCROLLED_OUT);
  return made;
}

Answer snapshot(const std::vector<v1::UiNode>& nodes) {
  Answer answer = answer_of(Answer::RESULT_CONFIRMED, "");
  v1::Window& window = *answer.add_windows();
  window.set_window_id("w1");
  window.set_title("Notes");
  answer.mutable_elements()->mutable_nodes()->Add(nodes.begin(), nodes.end());
  return answer;
}

TEST(AnswerLine, HasTheKeysOfTheDialect) {
  EXPECT_EQ(answer_line("7", answer_of(Answer::RESULT_DISPATCHED, "")),
            R"({"request_id":"7","status":"success","data":{"outcome":"dispatched"},"error":null})");
  EXPECT_EQ(
      answer_line("8", answer_of(Answer::RESULT_DENIED, "denied by rule x")),
      R"({"request_id":"8","status":"fail","data":{"outcome":"denied","repeat":"at_once"},"error":"denied by rule x"})");
}

TEST(AnswerLine, ListsNoWindowsForACommandThatAskedForThem) {
  const Answer none = answer_of(Answer::RESULT_CONFIRMED, "");
  EXPECT_EQ(answer_line("7", none, Windows::kAlways),
            R"({"request_id":"7","status":"success","data":{"outcome":"confirmed","windows":[]},"error":null})");
  const auto denied = nlohmann::json::parse(answer_line("8", answer_of(Answer::RESULT_DENIED, "no"), Windows::kAlways));
  EXPECT_FALSE(denied["data"].contains("windows"));
}

TEST(AnswerLine, OnlyCarriedOutCommandsSucceed) {
  for (int i = 0; i < Answer::Result_ARRAYSIZE; ++i) {
    const auto result = static_cast<Answer::Result>(i);
    const bool done = result == Answer::RESULT_DISPATCHED || result == Answer::RESULT_CONFIRMED;
    EXPECT_EQ(parsed("1", answer_of(result, "m"))["status"], done ? "success" : "fail") << i;
  }
  EXPECT_EQ(parsed("1", answer_of(Answer::RESULT_UNSPECIFIED, ""))["data"]["outcome"], "unknown");
  EXPECT_EQ(parsed("1", answer_of(static_cast<Answer::Result>(99), ""))["data"]["outcome"], "unknown");
}

TEST(AnswerLine, NamesTheCodeOfTheOutcome) {
  Answer answer = answer_of(Answer::RESULT_FAILED, "no such file");
  answer.set_code(v1::Outcome::CODE_NOT_FOUND);
  EXPECT_EQ(parsed("1", answer)["data"]["code"], "not_found");
}

TEST(AnswerLine, ElementsFormATreeInTheirWindow) {
  const json answer = parsed("1", snapshot({node("a", ""), node("b", "a"), node("c", "b"), node("d", "a")}));
  const json& window = answer["data"]["windows"][0];
  EXPECT_EQ(window["title"], "Notes");
  const json& root = window["elements"][0];
  EXPECT_EQ(root["element_id"], "a");
  EXPECT_EQ(root["children"][0]["element_id"], "b");
  EXPECT_EQ(root["children"][0]["children"][0]["element_id"], "c");
  EXPECT_EQ(root["children"][1]["element_id"], "d");
  EXPECT_EQ(root["states"], json::array({"showing", "scrolled_out"}));
  EXPECT_FALSE(root["children"][1].contains("children"));
}

TEST(AnswerLine, EveryElementOfAHostileTreeStandsSomewhere) {
  // A cycle, a missing parent, its own parent, an id twice, and an unknown window.
  const std::vector<v1::UiNode> nodes = {node("a", "b"), node("b", "a"), node("c", "gone"),
                                         node("d", "d"), node("a", ""),  node("e", "", "w9")};
  const std::string line = answer_line("1", snapshot(nodes));
  std::size_t found = 0;
  for (std::size_t at = line.find("element_id"); at != std::string::npos; at = line.find("element_id", at + 1)) ++found;
  EXPECT_EQ(found, nodes.size());
  EXPECT_EQ(json::parse(line)["data"]["windows"][1]["window_id"], "w9");
}

TEST(AnswerLine, DeepTreeIsCutIntoBoundedDepth) {
  std::vector<v1::UiNode> nodes;
  for (int i = 0; i < 5000; ++i) nodes.push_back(node(std::to_string(i), std::to_string(i - 1)));
  const json answer = parsed("1", snapshot(nodes));
  EXPECT_EQ(answer["data"]["windows"][0]["elements"].size(), 50U);  // 5000 elements in trees of 101 levels.
}

TEST(AnswerLine, WindowWithoutElementsHasAnEmptyList) {
  EXPECT_EQ(parsed("1", snapshot({}))["data"]["windows"][0]["elements"], json::array());
}

TEST(AnswerLine, ForeignTextCannotBreakTheLineOrTheTerminal) {
  v1::UiNode hostile = node("a", "");
  hostile.set_name("x\n\x1b[2J\u202e\"}");
  const std::string line = answer_line("i\nd", snapshot({hostile}));
  for (const char c : {'\n', '\x1b', '\xe2'}) EXPECT_EQ(line.find(c), std::string::npos);
  const json answer = json::parse(line);
  EXPECT_EQ(answer["request_id"], "i\nd");
  EXPECT_EQ(answer["data"]["windows"][0]["elements"][0]["name"], "x\n\x1b[2J\u202e\"}");
}

TEST(AnswerLine, ImageIsBase64) {
  Answer answer = answer_of(Answer::RESULT_CONFIRMED, "looked closer");
  answer.mutable_image()->set_media_type("image/png");
  answer.mutable_image()->set_data(std::string("\0\xffpng", 5));
  const json data = parsed("1", answer)["data"];
  EXPECT_EQ(data["image"]["base64"], "AP9wbmc=");
  EXPECT_EQ(data["message"], "looked closer");
}

}  // namespace
}  // namespace da::console
