// Targets that only the model finds in the screenshot, in whole tasks.
#include "services/planner/model/refinement.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tests/services/planner/model/model_task.h"

namespace da::planner::model {
namespace {

std::string box(const std::string& box, const std::string& found = "true") {
  return R"({"element_label":"the blue one","box":)" + box + R"(,"found":)" + found + "}";
}

class RefinementTest : public ModelTask {
 protected:
  RefinementTest() { world_.open_window({"w", "Page"}); }
  const v1::Action& submitted(std::size_t n) { return policy_.submitted.at(n).step().action(); }
};

TEST_F(RefinementTest, ModelIsAskedForTargetsThatNothingElseFinds) {
  model_.says(plan({click_described("the blue one")})).says(box("[100,50,20,10]")).says(kDone);
  EXPECT_EQ(run().end(), v1::TASK_END_DONE);
  ASSERT_EQ(policy_.submitted.size(), 1u);
  EXPECT_EQ(submitted(0).mouse().x(), 221) << "the middle of the box, in desktop pixels";
  EXPECT_EQ(submitted(0).mouse().y(), 111);
  const Request& asked = model_.requests.at(1);
  EXPECT_EQ(asked.schema_name, "box");
  EXPECT_EQ(asked.messages.size(), 1u) << "a dialogue of its own";
  EXPECT_EQ(asked.messages[0].images.size(), 1u);
  EXPECT_TRUE(has(asked.messages[0].text, "\"the blue one\""));
  EXPECT_EQ(calls_.size(), 3u) << "it is on the bus and counts like every call";
}

TEST_F(RefinementTest, FieldThatTheModelSeesIsClickedAndTypedInto) {
  model_
      .says(
          plan({tool_step("type_in_described_field", R"({"target_description":"the blue one","text_to_type":"hi"})")}))
      .says(box("[100,50,20,10]"))
      .says(kDone);
  EXPECT_EQ(run().end(), v1::TASK_END_DONE);
  ASSERT_EQ(policy_.submitted.size(), 2u);
  EXPECT_TRUE(submitted(0).has_mouse());
  EXPECT_EQ(submitted(1).write().text(), "hi");
}

TEST_F(RefinementTest, MissingTargetIsReportedAndNothingIsClicked) {
  model_.says(plan({click_described("the blue one")})).says(box("[]", "false")).says(kDone);
  EXPECT_EQ(run().end(), v1::TASK_END_DONE);
  EXPECT_TRUE(policy_.submitted.empty());
  EXPECT_TRUE(has(told(2), "the model sees no such element, or several")) << told(2);
}

// Bug: after two searches the observer had evicted the image of the turn's start, and the task failed.
TEST_F(RefinementTest, FailedSearchIsFollowedByANewScreenshot) {
  model_.says(plan({click_described("the blue one")})).says(box("[]", "false"));
  model_.says(plan({click_described("the green one")})).says(box("[]", "false")).says(kDone);
  EXPECT_EQ(run().end(), v1::TASK_END_DONE);
  ASSERT_EQ(model_.requests.size(), 5u);
  std::set<std::string> shown;
  for (const std::size_t turn : {0, 2, 4}) shown.insert(model_.requests[turn].messages.back().images.at(0).data);
  EXPECT_EQ(shown.size(), 3u);
}

TEST_F(RefinementTest, InvalidBoxIsReportedOnceAndNeverClicked) {
  for (const char* bad : {"[600,50,100,10]", "[-1,0,10,10]", "[1,1,0,10]", "[1,2,3]", "[1,2,3,\"4\"]", "[1.5,2,3,4]",
                          "[1,1,99999999999999999999,1]", "null"}) {
    model_.says(plan({click_described("the blue one")})).says(box(bad)).says(box("[100,50,20,10]")).says(kDone);
    EXPECT_EQ(run().end(), v1::TASK_END_DONE) << bad;
    ASSERT_EQ(policy_.submitted.size(), 1u) << bad;
    EXPECT_TRUE(has(told(2), "box ")) << told(2);
    policy_.submitted.clear();
    model_.requests.clear();
  }
  model_.says(plan({click_described("the blue one")})).says("not json").says("nor this").says(kDone);
  EXPECT_EQ(run().end(), v1::TASK_END_DONE);
  EXPECT_TRUE(policy_.submitted.empty());
  EXPECT_TRUE(has(told(3), "could not be used")) << told(3);
}

TEST_F(RefinementTest, RefusalToLookIsReported) {
  model_.says(plan({click_described("the blue one")})).ends(Finish::kRefused, "I will not look.").says(kDone);
  EXPECT_EQ(run().end(), v1::TASK_END_DONE);
  EXPECT_TRUE(policy_.submitted.empty());
  EXPECT_TRUE(has(told(2), "I will not look.")) << told(2);
}

TEST_F(RefinementTest, ModelIsNotAskedForAmbiguousTargets) {
  world_.add({.id = "1", .window_id = "w", .role = "push button", .name = "Save"});
  world_.add({.id = "2", .window_id = "w", .role = "push button", .name = "Save", .bounds = {600, 400, 80, 20}});
  model_.says(plan({click_described("Save")})).says(kDone);
  EXPECT_EQ(run().end(), v1::TASK_END_DONE);
  EXPECT_TRUE(has(told(1), "is ambiguous")) << told(1);
}

TEST_F(RefinementTest, DisabledTargetIsAwaited) {
  FakeElement& save =
      world_.add({.id = "1", .window_id = "w", .role = "push button", .name = "Save", .enabled = false});
  model_.says(plan({click_described("Save")})).says(kDone);
  model_.before_each = [&] {
    if (model_.requests.size() == 1) world_.after(Milliseconds(6'000), [&] { save.enabled = true; });
  };
  EXPECT_EQ(run().end(), v1::TASK_END_DONE);
  ASSERT_EQ(policy_.submitted.size(), 1u);
  EXPECT_EQ(submitted(0).ui_click().element_id(), "1");
}

}  // namespace
}  // namespace da::planner::model
