// Short rule files for the tests of the judge.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/contract/evidence/element_name.h"
#include "services/policy/judgement/judge.h"
#include "tests/services/policy/steps.h"

namespace da::policy::judge_test {

using test::step;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

inline constexpr char kAllowAll[] = R"(
[[rule]]
name = "allow-all"
verdict = "allow"
reason = "test"
match.tool = ["write", "paste", "keyboard_type", "press", "hotkey", "mouse", "ui_click", "launch", "file_delete",
              "wait_for", "click_described_element", "type_in_described_field", "app_terminate", "drag"]
)";

inline Rules rules(const std::string& more, const std::string& base = kAllowAll) {
  auto parsed = Rules::parse(base + more, "test.toml");
  EXPECT_TRUE(parsed) << parsed.error().message;
  return *std::move(parsed);
}

inline std::string rule(const std::string& name, const std::string& verdict, const std::string& conditions) {
  return "\n[[rule]]\nname = \"" + name + "\"\nverdict = \"" + verdict + "\"\nreason = \"because\"\n" + conditions +
         "\n";
}

inline Judgement judged(const Rules& rules, const v1::Action& action, const v1::Evidence& evidence = test::editor(),
                        WriteLockView lock = WriteLockView::kOpen) {
  return judge(rules, step(action), &evidence, {.write_lock = lock});
}

}  // namespace da::policy::judge_test
