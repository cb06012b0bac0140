// A hundred malformed files, and large ones: each gives errors with places, and neither a crash nor a hang.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "lib/base/clock.h"
#include "services/planner/rules/engine/engine.h"
#include "tests/services/planner/rules/engine/facts.h"
#include "tests/services/planner/rules/profile_files.h"

namespace da::planner::rules {
namespace {

using nlohmann::json;
using testing::HasSubstr;

void expect_refused(const std::string& text, const std::string& what) {
  const auto read = read_profile(text);
  EXPECT_FALSE(read.profile) << what;
  ASSERT_FALSE(read.problems.empty()) << what;
  for (const Problem& problem : read.problems) {
    EXPECT_GE(problem.place.line, 1U) << what;
    EXPECT_FALSE(problem.message.empty()) << what;
    EXPECT_LT(problem.message.size(), 2'000U) << what;
  }
}

// A valid profile, cut off at many places.
TEST(HostileProfiles, CutOffFilesAreRefused) {
  const std::string whole = example("additions");
  for (std::size_t i = 0; i < 40; ++i)
    expect_refused(whole.substr(0, i * (whole.size() - 2) / 40), "cut " + std::to_string(i));
}

// Each value of a valid profile, replaced by one of another type, is refused or read; and never more than that.
TEST(HostileProfiles, ValuesOfOtherTypesDoNoHarm) {
  const json whole = json::parse(example("additions"));
  std::size_t refused = 0;
  std::size_t tried = 0;
  const json others[] = {
      nullptr, true, -1, 1e300, "", "text", json::array(), json::object(), {{1, 2}}, {{"a", {{"b", 1}}}}};
  const json flat = whole.flatten();
  for (const auto& [pointer, value] : flat.items()) {
    for (const json& other : others) {
      json changed = whole;
      changed[json::json_pointer(pointer)] = other;
      const auto read = read_profile(changed.dump());
      ++tried;
      refused += read.profile ? 0 : 1;
      EXPECT_EQ(read.profile.has_value(),
                std::ranges::none_of(read.problems, [](const Problem& p) { return p.severity == Severity::kError; }));
    }
  }
  EXPECT_GT(tried, 400U);
  EXPECT_GT(refused, tried / 2);
}

TEST(HostileProfiles, MalformedFilesAreRefused) {
  const auto many = [](const std::string& text, int times) {
    std::string all;
    for (int i = 0; i < times; ++i) all += text;
    return all;
  };
  const std::string begin = "{\"rules\": [{\"condition\": ";
  const std::string texts[] = {
      "",
      " ",
      "\n\n",
      "null",
      "1",
      "\"profile\"",
      "[]",
      "{",
      "}",
      "{]",
      "{\"rules\"}",
      "{\"rules\":}",
      "{\"rules\": [}",
      "{'rules': []}",
      "{rules: []}",
      "{\"rules\": [],}",
      "{\"rules\": [] \"regions\": []}",
      "// comment\n{}",
      "{} {}",
      "{}x",
      "\xef\xbb\xbf{}",
      "{\"rules\": \"\xff\xfe\"}",
      "{\"rules\": \"\\ud800\"}",
      std::string("{\0}", 3),
      "{\"rules\": NaN}",
      "{\"rules\": 01}",
      "{\"rules\": 1e}",
      "{\"rules\": \"\n\"}",
      "{\"rules\": tru}",
      "{\"rules\": [], \"rules\": []}",
      many("[", 1'000'000),
      many("{\"a\":", 300'000),
      many("[", 70) + many("]", 70),
      begin + many("{\"logical_operator\":\"AND\",\"sub_conditions\":[", 20) + many("]}", 20) + "}]}",
      begin + "{\"logical_operator\":\"AND\",\"sub_conditions\":[" + many("{},", 1'001) + "{}]}}]}",
      "{\"regions\": [" + many("{\"name\":\"a\",\"x\":0,\"y\":0,\"width\":1,\"height\":1},", 10'001) + "{}]}",
      "{\"rules\": [" + many("7,", 60'000) + "7]}",
      "{\"profile_description\": \"" + std::string(17 << 20, 'x') + "\"}",
      "{\"profile_description\": {}}",
      "{\"settings\": []}",
      "{\"settings\": {\"monitoring_interval_seconds\": \"soon\"}}",
      "{\"settings\": {\"analysis_dominant_colors_k\": 1e9}}",
      "{\"regions\": 1}",
      "{\"regions\": [1]}",
      "{\"regions\": [{}]}",
      "{\"regions\": [{\"name\": \"\", \"x\": 0, \"y\": 0, \"width\": 1, \"height\": 1}]}",
      "{\"regions\": [{\"name\": \"a\", \"x\": 1e99, \"y\": 0, \"width\": 1, \"height\": 1}]}",
      "{\"regions\": [{\"name\": \"a\", \"x\": \"{b}\", \"y\": 0, \"width\": 1, \"height\": 1}]}",
      "{\"regions\": [{\"name\": \"a\", \"x\": 0, \"y\": 0, \"width\": -1, \"height\": 1}]}",
      "{\"regions\": [{\"name\": \"a\", \"window\": \"" + many("(", 5'000) +
          "\", \"x\": 0, \"y\": 0, \"width\": 1, \"height\": 1}]}",
      "{\"templates\": {}}",
      "{\"templates\": [{\"name\": \"a\"}]}",
      "{\"templates\": [{\"name\": \"a\", \"filename\": \"..\"}]}",
      "{\"templates\": [{\"name\": \"a\", \"filename\": \"a/../../b\"}]}",
      "{\"templates\": [{\"name\": \"a\", \"filename\": \"//server/share\"}]}",
      "{\"templates\": [{\"name\": \"a\", \"filename\": \"a\\u0000.png\"}]}",
      "{\"rules\": {}}",
      "{\"rules\": [null]}",
      "{\"rules\": [{}]}",
      "{\"rules\": [{\"condition\": {}, \"action\": {}}]}",
  };
  for (const std::string& text : texts) expect_refused(text, text.substr(0, 100));
  EXPECT_GE(std::size(texts) + 40, 100U);  // The files that are cut off count, too.
}

TEST(HostileProfiles, FiftyThousandRulesAreRead) {
  std::string rules;
  for (int i = 0; i < 50'000; ++i) {
    rules += std::string(i == 0 ? "" : ",") + R"({"name": "r)" + std::to_string(i) +
             R"(", "condition": {"type": "always_true"}, "action": {"type": "log_message", "message": "m"}})";
  }
  EXPECT_EQ(must_read("{\"rules\": [" + rules + "]}").rules.size(), 50'000U);
}

// Each is a file of some MiB, for which a search for the nearest name at each place would take many minutes.
TEST(HostileProfiles, ManyWrongNamesAreRefusedSoon) {
  const auto many = [](const std::string& text) {
    std::string all;
    for (int i = 0; i < 300'000; ++i) all += (i == 0 ? "" : ",") + text;
    return all;
  };
  const std::string regions = [] {
    std::string all;
    for (int i = 0; i < 5'000; ++i) {
      all += (i == 0 ? "" : ",") + std::string(R"({"name":"region )") + std::to_string(i) +
             R"(","x":0,"y":0,"width":1,"height":1})";
    }
    return all;
  }();
  const auto rule = [&](const std::string& condition, const std::string& action) {
    return R"({"regions":[)" + regions + R"(],"rules":[{"condition":)" + condition + R"(,"action":)" + action + "}]}";
  };
  const std::string log = R"({"type":"log_message","message":"m"})";
  const std::string always = R"({"type":"always_true"})";
  const std::string texts[] = {
      rule(always, R"({"type":"log_message","message":")" + many("{placeholder}") + "\"}"),
      rule(always,
           R"({"type":"gemini_perform_task","goal_prompt":"g","context_region_names":[)" + many("\"regoin\"") + "]}"),
      rule(always, R"({"type":"gemini_perform_task","goal_prompt":"g","allowed_actions_override":[)" +
                       many("\"presss\"") + "]}"),
      rule(R"({"type":"ui_element","name":"n","state":[)" + many("\"enabeld\"") + "]}", log),
      rule(R"({"type":"ocr_contains_text","region":"region 1","text_to_find":[)" + many("\"{name}\"") + "]}", log)};
  for (const std::string& text : texts) {
    const MonoTime begun = system_clock().now();
    expect_refused(text, text.substr(text.size() - 100));
    EXPECT_LT(system_clock().now() - begun, std::chrono::seconds(20)) << text.substr(text.size() - 100);
  }
}

TEST(HostileProfiles, LongNamesAreRefused) {
  const auto named = [](std::size_t bytes) {
    return R"({"rules":[{"name":")" + std::string(bytes, 'n') +
           R"(","condition":{"type":"always_true"},"action":{"type":"log_message","message":"m"}}]})";
  };
  EXPECT_EQ(must_read(named(20'000)).rules.size(), 1U);
  EXPECT_THAT(problems_of(read_profile(named(20'001))), HasSubstr("name has more than 20000 bytes"));
}

TEST(HostileProfiles, ManyCapturedNamesAreReadSoon) {
  std::string conditions;
  for (int i = 0; i < 100; ++i) {
    conditions += std::string(i == 0 ? "" : ",") + R"({"logical_operator":"AND","sub_conditions":[)";
    for (int j = 0; j < 500; ++j) {
      conditions += std::string(j == 0 ? "" : ",") + R"({"type":"ui_element","name":"n","capture_as":"captured_text_)" +
                    std::to_string(500 * i + j) + "\"}";
    }
    conditions += "]}";
  }
  const MonoTime begun = system_clock().now();
  const auto profile = must_read(R"({"rules":[{"condition":{"logical_operator":"OR","sub_conditions":[)" + conditions +
                                 R"(]},"action":{"type":"log_message","message":"m"}}]})");
  EXPECT_EQ(profile.rules.size(), 1U);
  EXPECT_LT(system_clock().now() - begun, std::chrono::seconds(10));
}

TEST(HostileProfiles, ObjectsWithManyKeysAreRefused) {
  std::string keys;
  for (int i = 0; i < 500'000; ++i) keys += "\"" + std::to_string(i) + "\":1,";
  EXPECT_THAT(problems_of(read_profile("{" + keys + "\"rules\":[]}")), HasSubstr("an object has more than 1000 keys"));
}

// A captured value is text: what looks like a placeholder in it is never filled, so no value can refer to itself.
TEST(HostileProfiles, CapturedValuesThatReferToEachOtherAreNotFilledAgain) {
  const Variables variables = {{"a", captured("{b}", "r")}, {"b", captured("{a}{b}", "r")}};
  EXPECT_EQ(*TextTemplate("{a} {b}").fill(variables), "{b} {a}{b}");
}

TEST(HostileProfiles, AFilledTextIsBounded) {
  std::string text;
  for (int i = 0; i < 5'000; ++i) text += "{a}";
  const auto filled = TextTemplate(text).fill({{"a", captured(std::string(100'000, 'x'), "r")}});
  ASSERT_FALSE(filled);
  EXPECT_EQ(filled.error().code, Code::kResourceExhausted);
}

TEST(HostileProfiles, UnbalancedBracesArePlainText) {
  for (const char* text :
       {"{", "}", "{}", "{{}}", "{a", "a}", "{ a }", "{a b}", "{1}", "{a..b}", "{a.}", "{.a}", "{\"a\":1}", "{{{"}) {
    EXPECT_TRUE(TextTemplate(text).is_plain()) << text;
    EXPECT_EQ(*TextTemplate(text).fill({}), text);
  }
  EXPECT_EQ(TextTemplate("{{a}} {b.c.0}{x{d}").paths(), (std::vector<std::string>{"a", "b.c.0", "d"}));
}

}  // namespace
}  // namespace da::planner::rules
