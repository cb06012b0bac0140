#include "lib/contract/profile_goal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace da::contract {
namespace {

v1::ProfileRun example() {
  v1::ProfileRun run;
  run.set_name("mail.json");
  run.set_text("{}");
  run.add_templates()->set_filename("a.png");
  run.mutable_templates(0)->set_content("picture");
  return run;
}

TEST(ProfileGoal, NamesTheProfileAndIsTheSameForTheSameRun) {
  const std::string goal = profile_goal(example());
  EXPECT_THAT(goal, testing::StartsWith("run the profile \"mail.json\" ("));
  EXPECT_EQ(goal.size(), std::string("run the profile \"mail.json\" ()").size() + 32) << goal;
  EXPECT_EQ(profile_goal(example()), profile_goal(example()));
}

TEST(ProfileGoal, DiffersForEveryChangeOfTheRun) {
  std::set<std::string> goals = {profile_goal(example())};
  const auto with = [&](auto change) {
    v1::ProfileRun run = example();
    change(run);
    EXPECT_TRUE(goals.insert(profile_goal(run)).second) << run.ShortDebugString();
  };
  with([](v1::ProfileRun& run) { run.set_name("mail2.json"); });
  with([](v1::ProfileRun& run) { run.set_text("{} "); });
  with([](v1::ProfileRun& run) { run.mutable_templates(0)->set_filename("b.png"); });
  with([](v1::ProfileRun& run) { run.mutable_templates(0)->set_content("other"); });
  with([](v1::ProfileRun& run) { run.add_templates(); });
  with([](v1::ProfileRun& run) { (*run.mutable_variables())["a"] = "b"; });
  with([](v1::ProfileRun& run) { (*run.mutable_variables())["ab"] = ""; });
  with([](v1::ProfileRun& run) { run.set_strict(true); });
  with([](v1::ProfileRun& run) { run.set_once(true); });
  with([](v1::ProfileRun& run) { run.set_for_ms(1); });
  with([](v1::ProfileRun& run) { run.set_provider("a"); });
  with([](v1::ProfileRun& run) { run.set_model("a"); });
}

TEST(ProfileGoal, BytesMovedBetweenPartsGiveAnotherGoal) {
  v1::ProfileRun one = example();
  one.mutable_templates(0)->set_filename("a.pngp");
  one.mutable_templates(0)->set_content("icture");
  EXPECT_NE(profile_goal(one), profile_goal(example()));
}

}  // namespace
}  // namespace da::contract
