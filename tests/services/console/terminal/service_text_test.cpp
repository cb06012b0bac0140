#include "services/console/terminal/service_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "lib/base/text.h"

namespace da::console {
namespace {

using testing::HasSubstr;
using testing::Not;

// Control characters: C0, DEL, C1, a bidirectional override, and one above U+FFFF.
const std::string kEvil = "a\x1b[2J\nb\x7f\u009b2J\u202ec\U000E0041d";

v1::ServiceDescription evil_description() {
  v1::ServiceDescription description;
  description.set_service(kEvil);
  description.set_pid(7);
  description.set_version(kEvil);
  description.set_desktop_id(kEvil);
  auto& property = *description.add_properties();
  property.set_name(kEvil);
  property.set_value(kEvil);
  return description;
}

void expect_harmless(const std::string& shown) {
  for (const char* evil : {"\x1b", "\x7f", "\u009b", "\u202e", "\U000E0041"}) {
    EXPECT_THAT(shown, Not(HasSubstr(evil))) << escape_foreign(evil);
  }
}

TEST(SummaryText, NamesTaskGoalStepAndOpenQuestions) {
  v1::ServiceDescription description;
  for (const auto& [name, value] : {std::pair{"task", "t1"},
                                    {"goal", "\"open notes\""},
                                    {"step", "asking the policy"},
                                    {"waiting", "0"},
                                    {"halted", "no"},
                                    {"question k7m2p", "\"Which?\""}}) {
    auto& property = *description.add_properties();
    property.set_name(name);
    property.set_value(value);
  }
  EXPECT_EQ(summary_text("planner", description),
            "  task: t1\n  goal: \"open notes\"\n  step: asking the policy\n  question k7m2p: \"Which?\"\n");
  EXPECT_THAT(summary_text("policy", Error{Code::kUnavailable, "gone"}), HasSubstr("da-policy: NOT REACHABLE"));
  expect_harmless(summary_text("planner", evil_description()));
}

// Bug: a compromised service could control the terminal of a person who ran `status`.
TEST(ServiceText, NothingThatAServiceSaysSteersTheTerminal) {
  const std::string text = service_text("planner", evil_description());
  expect_harmless(text);
  EXPECT_EQ(std::ranges::count(text, '\n'), 1) << "one line, and one for its property:\n" << text;
  std::size_t shown = 0;
  for (auto at = text.find("a\\x1b[2J\\nb"); at != std::string::npos; at = text.find("a\\x1b[2J\\nb", at + 1)) ++shown;
  EXPECT_EQ(shown, 4U) << text;
}

TEST(ServiceText, JsonEscapesControlCharactersAndKeepsTheText) {
  const std::string line = service_json("planner", evil_description());
  expect_harmless(line);
  EXPECT_THAT(line, Not(HasSubstr("\n")));
  const auto json = nlohmann::json::parse(line);
  EXPECT_EQ(json["service"], "planner");
  EXPECT_EQ(json["pid"], 7);
  EXPECT_EQ(json["version"], kEvil);
  EXPECT_EQ(json["desktop"], kEvil);
  EXPECT_EQ(json["properties"][kEvil], kEvil);
}

TEST(ServiceText, ErrorOfAnUnreachableServiceIsEscaped) {
  const Result<v1::ServiceDescription> nothing = Error{Code::kUnavailable, "gone: " + kEvil};
  expect_harmless(service_text("planner", nothing));
  const std::string line = service_json("planner", nothing);
  expect_harmless(line);
  EXPECT_EQ(nlohmann::json::parse(line)["reachable"], false);
}

TEST(ServiceText, ShowsAServiceOnOneLineAndEachPropertyBelow) {
  v1::ServiceDescription description;
  description.set_pid(7);
  description.set_version("1.2");
  description.set_uptime_s(3.9);
  description.set_desktop_id(":1");
  auto& property = *description.add_properties();
  property.set_name("queue");
  property.set_value("2 tasks");
  EXPECT_EQ(service_text("planner", description),
            "planner   serving  pid 7, 3 s, version 1.2, desktop :1\n            queue: 2 tasks");
}

}  // namespace
}  // namespace da::console
