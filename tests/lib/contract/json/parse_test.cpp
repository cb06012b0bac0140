#include "lib/contract/json/parse.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <nlohmann/json.hpp>

#include "lib/contract/describe.h"

namespace da::contract {
namespace {

std::string one_step(const std::string& tool, const std::string& args) {
  return R"({"steps":[{"tool":")" + tool + R"(","args":)" + args +
         R"(,"human_readable_justification":"because"}],"done":null})";
}

std::string error_of(const std::string& json) {
  const auto parsed = parse_steps(json);
  return parsed ? "(accepted)" : parsed.error().message;
}

TEST(ParseSteps, ReadsTheExampleOfTheContract) {
  const auto parsed = parse_steps(R"({"steps":[
    {"tool":"hotkey","args":{"keys":["win","r"]},"human_readable_justification":"Open Run"},
    {"tool":"write","args":{"text":"notepad"},"human_readable_justification":"Type app name"},
    {"tool":"press","args":{"key":"enter"},"human_readable_justification":"Launch"}],"done":null})");
  ASSERT_TRUE(parsed) << parsed.error().message;
  ASSERT_EQ(parsed->plan.steps_size(), 3);
  EXPECT_EQ(parsed->plan.steps(0).action().hotkey().keys(1), "r");
  EXPECT_EQ(parsed->plan.steps(1).action().write().text(), "notepad");
  EXPECT_EQ(parsed->plan.steps(2).action().press().key(), "enter");
  EXPECT_EQ(parsed->plan.steps(2).justification(), "Launch");
  EXPECT_FALSE(parsed->plan.has_done());
}

TEST(ParseSteps, ReadsTheEndOfATask) {
  const auto parsed = parse_steps(R"({"steps":[],"done":"Saved the file"})");
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->plan.done(), "Saved the file");
}

TEST(ParseSteps, TypeIsAnAliasOfWrite) {
  EXPECT_EQ(parse_steps(one_step("type", R"({"text":"x"})"))->plan.steps(0).action().write().text(), "x");
}

TEST(ParseSteps, KeepsFirstFourStepsAndRemarksIt) {
  std::string steps;
  for (int i = 0; i < 6; ++i) {
    steps +=
        std::string(i == 0 ? "" : ",") + R"({"tool":"sleep","args":{"secs":1},"human_readable_justification":"wait"})";
  }
  const auto parsed = parse_steps(R"({"steps":[)" + steps + R"(],"done":null})");
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->plan.steps_size(), 4);
  EXPECT_EQ(parsed->remark, "6 steps were given; only the first 4 count");
}

TEST(ParseSteps, RefusesProseAndFences) {
  EXPECT_NE(error_of("Sure! {\"steps\":[],\"done\":\"x\"}").find("not one JSON object"), std::string::npos);
  EXPECT_NE(error_of("```json\n{\"steps\":[],\"done\":\"x\"}\n```").find("not one JSON object"), std::string::npos);
  EXPECT_NE(error_of("{\"steps\":[],\"done\":\"x\"} thanks").find("not one JSON object"), std::string::npos);
}

// nlohmann::json treats a NUL byte as the end of the text.
TEST(ParseSteps, RefusesTextAfterNulByte) {
  const std::string plan = R"({"steps":[],"done":"x"})";
  EXPECT_EQ(error_of(plan), "(accepted)");
  EXPECT_NE(error_of(plan + std::string("\0{}", 3)).find("NUL"), std::string::npos);
}

TEST(ParseSteps, RefusesUnknownMissingAndDuplicateKeys) {
  EXPECT_EQ(error_of(R"({"steps":[],"done":null,"note":1})"),
            "the reply has the unknown key \"note\"; allowed: done, steps");
  EXPECT_EQ(error_of(R"({"steps":[]})"), "the reply lacks the key \"done\"");
  EXPECT_NE(error_of(R"({"steps":[],"steps":[],"done":null})").find("stands twice"), std::string::npos);
  EXPECT_NE(error_of(one_step("press", R"({"key":"a","key":"b"})")).find("\"key\" stands twice"), std::string::npos);
  EXPECT_EQ(error_of(one_step("write", R"({"text":"a","speed":2})")),
            "steps[0] write has no argument \"speed\"; allowed: text, interval_ms");
  EXPECT_EQ(error_of(one_step("mouse", R"({"x":1})")),
            "steps[0] mouse.y is missing: pixels from the top edge of the image");
}

TEST(ParseSteps, NamesTheUnknownToolAndTheKnownOnes) {
  const std::string error = error_of(one_step("teleport", "{}"));
  EXPECT_NE(error.find("unknown tool \"teleport\""), std::string::npos);
  EXPECT_NE(error.find("focus_window"), std::string::npos);
}

TEST(ParseSteps, RefusesWrongTypesAndSaysWhatIsAllowed) {
  EXPECT_EQ(error_of(one_step("mouse", R"({"x":"1","y":2})")),
            "steps[0] mouse.x must be an integer, but the string \"1\" was given");
  EXPECT_EQ(error_of(one_step("mouse", R"({"x":1.5,"y":2})")),
            "steps[0] mouse.x must be an integer, but the number 1.5 was given");
  EXPECT_EQ(error_of(one_step("mouse", R"({"x":1,"y":2,"button":"side"})")),
            "steps[0] mouse.button must be one of \"left\", \"right\", \"middle\", but the string \"side\" was given");
  EXPECT_EQ(error_of(one_step("hotkey", R"({"keys":"ctrl"})")),
            "steps[0] hotkey.keys must be a list, but the string \"ctrl\" was given");
  for (const char* none : {"1e300", "1e-400", "3.0", "3e0", "-0.0", "99999999999999999999", "2147483648"}) {
    const auto error = error_of(one_step("mouse", std::string(R"({"x":)") + none + R"(,"y":2})"));
    EXPECT_NE(error.find("must be an integer"), std::string::npos) << none << ": " << error;
  }
  EXPECT_NE(error_of(one_step("sleep", R"({"secs":1e999})")), "(accepted)");
  EXPECT_NE(error_of(one_step("sleep", R"({"secs":NaN})")), "(accepted)");
}

TEST(ParseSteps, RefusesAnEmptyJustification) {
  EXPECT_NE(error_of(R"({"steps":[{"tool":"list_windows","args":{},"human_readable_justification":"  "}],"done":null})")
                .find("human_readable_justification"),
            std::string::npos);
}

// Regression: blanks that trim() does not know were accepted as a justification.
TEST(ParseSteps, RefusesInvisibleJustification) {
  for (const std::string nothing : {"\u00a0", "\u200b", "\u3000", "\u3164"}) {
    EXPECT_EQ(error_of(R"({"steps":[{"tool":"list_windows","args":{},"human_readable_justification":")" + nothing +
                       R"("}],"done":null})"),
              "steps[0] human_readable_justification must be a text that is not empty");
  }
}

// Regression: a task ended as done when a model had written "" for "not finished".
TEST(ParseSteps, RefusesInvisibleDone) {
  EXPECT_EQ(error_of(R"({"steps":[],"done":""})"),
            "done is an empty text: give a short summary, or null while there is work left");
  EXPECT_NE(error_of(R"({"steps":[],"done":" \n"})").find("done is an empty text"), std::string::npos);
}

// nlohmann::json skips it.
TEST(ParseSteps, RefusesAByteOrderMark) {
  EXPECT_EQ(error_of("\xef\xbb\xbf{\"steps\":[],\"done\":\"x\"}"),
            "not one JSON object and nothing else: it begins with a byte order mark");
}

TEST(ParseSteps, RefusesDoneTogetherWithSteps) {
  EXPECT_NE(error_of(R"({"steps":[{"tool":"list_windows","args":{},"human_readable_justification":"x"}],"done":"y"})")
                .find("done is set together with steps"),
            std::string::npos);
}

TEST(ParseSteps, RefusesDeepNestingInvalidUtf8AndHugeReplies) {
  EXPECT_NE(error_of(R"({"steps":)" + std::string(200, '[') + std::string(200, ']') + R"(,"done":null})")
                .find("nested deeper"),
            std::string::npos);
  EXPECT_NE(error_of("{\"steps\":[],\"done\":\"\xff\"}"), "(accepted)");
  EXPECT_NE(error_of(std::string(2 << 20, ' ') + R"({"steps":[],"done":null})").find("bytes"), std::string::npos);
}

TEST(ParseSteps, NeverCrashesOnBrokenReplies) {
  const std::string good = one_step("drag", R"({"path":[{"x":1,"y":2},{"x":3,"y":4}],"button":"left"})");
  EXPECT_TRUE(rc::check([&] {
    std::string broken = good;
    const int edits = *rc::gen::inRange(1, 6);
    for (int i = 0; i < edits; ++i) {
      broken[*rc::gen::inRange<std::size_t>(0, broken.size())] = *rc::gen::arbitrary<char>();
    }
    static_cast<void>(parse_steps(broken));
  }));
}

TEST(ParseAction, InvertsToJson) {
  const auto action = parse_action("drag", R"({"path":[{"x":0,"y":2},{"x":3,"y":4}],"button":"right"})");
  ASSERT_TRUE(action) << action.error().message;
  const auto again = parse_action("drag", to_json(*action).dump());
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->SerializeAsString(), action->SerializeAsString());
}

}  // namespace
}  // namespace da::contract
