#include "services/actuator/grant/prepared_actions.h"

#include <gtest/gtest.h>

namespace da::actuator {
namespace {

PreparedAction action(const std::string& id, const std::string& task) {
  PreparedAction action;
  action.id = id;
  action.challenge.task_id = task;
  return action;
}

TEST(PreparedActionsTest, AnActionCanBeTakenOnce) {
  PreparedActions actions;
  actions.add(action("first", "task"));
  actions.add(action("second", "task"));
  EXPECT_FALSE(actions.take("unknown"));
  ASSERT_TRUE(actions.take("first"));
  EXPECT_FALSE(actions.take("first"));
  ASSERT_TRUE(actions.take("second"));
}

TEST(PreparedActionsTest, ATaskThatPreparesEndlesslyDisplacesOnlyItsOwnActions) {
  PreparedActions actions;
  actions.add(action("other-1", "other"));
  actions.add(action("other-2", "other"));
  for (std::size_t i = 0; i < 3 * PreparedActions::kMax; ++i) actions.add(action("mine-" + std::to_string(i), "mine"));
  EXPECT_TRUE(actions.take("other-1"));
  EXPECT_TRUE(actions.take("other-2"));
  std::size_t kept = 0;
  for (std::size_t i = 0; i < 3 * PreparedActions::kMax; ++i) {
    const bool found = actions.take("mine-" + std::to_string(i)).has_value();
    EXPECT_EQ(found, i >= 2 * PreparedActions::kMax + 2) << i;
    kept += found ? 1 : 0;
  }
  EXPECT_EQ(kept, PreparedActions::kMax - 2);
}

}  // namespace
}  // namespace da::actuator
